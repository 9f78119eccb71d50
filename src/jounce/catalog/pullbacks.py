"""Pushforwards and pullbacks of any row: `jvp` along tangents of the arguments, `vjp` of weights.

Both are passes on the graph that the row's formula records, forward and backward, and rows again.
Tangents are those of the manifolds that arguments and results live on: velocities for q, twists for
poses. The rows that end in `_coordinates` have plain numbers in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from jounce.catalog.arguments import OWN, Argument, rate_name, rate_of
from jounce.catalog.charts import Shape, along, weighted
from jounce.catalog.passes import Formula, Recording, one_or_all
from jounce.catalog.row import Row
from jounce.catalog.rules import Following
from jounce.formulas.mechanism.loops import Closure, keep_equations
from jounce.math.scalar import Array
from jounce.model.tree import Tree

#: Rows in plain numbers, by those on tangents.
COORDINATES = {"jvp": "jvp_coordinates", "vjp": "vjp_coordinates"}

NAMES = (*COORDINATES, *COORDINATES.values())


class _Side:
    """Arguments of a row, with how they may change."""

    def __init__(self, row: Row, names: Sequence[str], charted: bool) -> None:
        self.names = tuple(names)
        given = [row.argument(name) for name in names]
        self.charts = [x.chart if charted else None for x in given]
        self.shapes = [x.directions if charted else x.shape for x in given]

    def tangents(self, taken: Iterable[str], unsaid: str = "") -> dict[str, Argument]:
        """Arguments for the tangents, under names that are not taken; unsaid: see `Argument`."""
        out: dict[str, Argument] = {}
        for name, chart, shape in zip(self.names, self.charts, self.shapes, strict=True):
            what = "" if chart is None else f": {chart.doc}"
            out[free_name(f"d{name}", f"d_{name}", (*taken, *out))] = Argument(
                shape, f"tangent of {name}{what}{unsaid}", unsaid
            )
        return out

    def record(self, row: Row, tree: Tree, values: Sequence[Any], frame: Any) -> Recording:
        """Record the row's formula, with the equations of its loops that are kept."""
        held = tree
        if self._follows(tree):
            given = dict(zip(self.names, values, strict=False))
            kept = keep_equations(_with_shape(tree, given), given["q"]).kept
            held = replace(tree, kept=kept)
        return Recording(row.formula, held, values, frame, hold_tree=held.kept is not tree.kept)

    def push(self, tree: Tree, values: Sequence[Array], tangents: Sequence[Array]) -> list[Array]:
        """How the entries of the arguments change for tangents."""
        given = dict(zip(self.names, values, strict=True))
        shaped = _with_shape(tree, given)
        rates = [
            t if chart is None else chart.push(shaped, x, t)
            for chart, x, t in zip(self.charts, values, tangents, strict=True)
        ]
        if self._follows(tree):
            places = [self.names.index(name) for name in _SHAPE]
            follow = _following(tree, given)
            rates[self.names.index("q")] += follow.push(*(rates[k] for k in places))
        return rates

    def pull(self, tree: Tree, values: Sequence[Array], gradients: Sequence[Array]) -> list[Array]:
        """Gradients along tangents, from those in the entries of the arguments."""
        given = dict(zip(self.names, values, strict=True))
        shaped, entries = _with_shape(tree, given), list(gradients)
        if self._follows(tree):
            passed = _following(tree, given).pull(entries[self.names.index("q")])
            for name, share in zip(_SHAPE, passed, strict=True):
                entries[self.names.index(name)] = entries[self.names.index(name)] + share
        return [
            g if chart is None else chart.pull(shaped, x, g)
            for chart, x, g in zip(self.charts, values, entries, strict=True)
        ]

    def _follows(self, tree: Tree) -> bool:
        """Whether dependent joints follow when the geometry changes, so that loops stay closed."""
        charted = any(chart is not None for chart in self.charts)
        return charted and tree.active is not None and {"q", *_SHAPE} <= {*self.names}


def free_name(name: str, otherwise: str, taken: Iterable[str]) -> str:
    """A name that is not taken."""
    while name in taken:
        name, otherwise = otherwise, f"d_{otherwise}"
    return name


#: Arguments that say where the joints are.
_SHAPE = ("placements", "screws")


def _with_shape(tree: Tree, given: Mapping[str, Array]) -> Tree:
    """The tree that the arguments are about."""
    return tree.with_geometry(*(given[name] for name in _SHAPE)) if _SHAPE[0] in given else tree


def _following(tree: Tree, given: Mapping[str, Array]) -> Following:
    """How dependent joints follow where the geometry is an argument."""
    closure = Closure(_with_shape(tree, given), given["q"])
    numbers = [given[name] for name in _SHAPE]
    return Following(closure, given["q"], tree, numbers, Tree.with_geometry)


# ------------------------------------------------------------------ rows


@cache
def row_of(row: Row, name: str) -> Row:
    """The row called `name` (one of `NAMES`) of a row."""
    charted = name in COORDINATES
    return (_pushed if name.startswith("jvp") else _pulled)(row, name, charted)


def _derived(row: Row, name: str, **changed: Any) -> Row:
    return replace(
        row,
        **changed,
        name=f"{row.name}.{name}",
        letter=" ".join(f"{letter}_{name}" for letter in row.letter.split()),
        equation="",
        forms={},
        charts=(),
        geometry=False,
        rates=None,
        drives=None,
        of=row,
        wrt=(),
        orders=(),
        differentiable=True,
        constant=None,
        variant=None,
        coordinates=name in COORDINATES,
    )


def _pushed(row: Row, name: str, charted: bool) -> Row:
    every = (*row.arguments, *row.optional)
    required, optional = (_Side(row, names, charted) for names in (row.arguments, row.optional))
    along = required.tangents(every)
    further = optional.tangents((*every, *along), "; taken as zero if not given")
    shapes = _tangent_shapes(row, charted)
    return _derived(
        row,
        name,
        formula=_pushforward(row, charted),
        arguments=(*row.arguments, *along),
        optional=(*row.optional, *further),
        own={**row.own, **along, **further},
        shape=shapes[0],
        more=shapes[1:],
        doc=f"Directional derivative of {row.name} along tangents of all its arguments"
        f"{_mode(charted)}: {row.doc}",
        unit=f"{row.unit}; times the unit of tangents, per unit of their arguments",
    )


def _pulled(row: Row, name: str, charted: bool) -> Row:
    shapes = _tangent_shapes(row, charted)
    weights = _weight_names(row, len(shapes))
    own = {
        weight: Argument(shape, f"weights of {letter}")
        for weight, shape, letter in zip(weights, shapes, row.letters, strict=True)
    }
    found = _Side(row, row.arguments, charted).shapes
    return _derived(
        row,
        name,
        formula=_pullback(row, len(row.arguments), charted),
        arguments=(*row.arguments, *weights),
        own={**row.own, **own},
        shape=found[0],
        more=tuple(found[1:]),
        parts=row.arguments,
        backwards=True,
        doc=f"Gradients of lam . {row.name} in {', '.join(row.arguments)}{_mode(charted)}:"
        f" {row.doc}",
        unit=f"lam times {row.unit}; per unit of each argument",
    )


@cache
def full(row: Row) -> Row:
    """A pullback with the optional arguments as arguments, and their gradients as results.

    A row of its own, since gradients are results only of what is given. Other rows as they are.
    """
    inner = row.of
    if inner is None or row.step not in ("vjp", COORDINATES["vjp"]):
        return row
    charted = row.coordinates
    more = _Side(inner, inner.optional, charted).shapes
    return replace(
        row,
        formula=_pullback(inner, len(inner.arguments) + len(inner.optional), charted),
        arguments=(*row.arguments, *inner.optional),
        optional=(),
        more=(*row.more, *more),
        parts=(*row.parts, *inner.optional),
    )


def in_time(row: Row, rule: Callable[[Row], Row]) -> Row:
    """The time derivative of a row by a rule to which names of arguments tell which are rates.

    A row's own arguments may look like rates of others, so they have marks as names meanwhile, and
    those that are rates have rates of marks. Where dtau is a tangent, the rates of tau are called
    d_tau, dd_tau, ...; those of dtau ddtau, dddtau, ...
    """
    if not row.own:
        return rule(row)
    marks: dict[str, str] = {}
    for k, own in enumerate(row.own):
        of, order = row.own[own].rate_of or (None, 0)
        marks[own] = f"{OWN}{k}" if of is None else rate_name(marks.get(of, of), order)
    meant = {mark: own for own, mark in marks.items()}
    marked = _renamed(row, marks)
    if row.rates is not None:
        marked = replace(marked, rates=_unmarked(row.rates, meant))
    found = rule(marked)
    known = (*row.arguments, *row.optional)
    shown = {**{name: name for name in known if name not in marks}, **meant}
    for given in (*found.arguments, *found.optional):
        if given not in shown:
            name, of = _meaning(given, meant), (rate_of(given) or (given, 0))[0]
            base = meant.get(of, of)
            if marks.get(f"d{base}", rate_name(of, 1)) != rate_name(of, 1):  # something else's name
                name = f"{name.removesuffix(base)}_{base}"
            shown[given] = free_name(name, f"d_{name[1:]}", (*known, *shown.values()))
    renamed = _renamed(replace(found, of=row), shown)
    own = dict(renamed.own)
    for given, name in shown.items():
        of, order = rate_of(given) or (given, 0)
        if name in own and order:
            own[name] = replace(own[name], rate_of=(shown[of], order))
    return replace(renamed, own=own)


def _meaning(given: str, meant: Mapping[str, str]) -> str:
    """The name of an argument, or of a rate of it, in which a mark stands for what is meant."""
    mark = next((mark for mark in meant if given.endswith(mark)), "")
    return given.removesuffix(mark) + meant[mark] if mark else given


def _unmarked(rates: Formula, meant: Mapping[str, str]) -> Formula:
    """A row's own form of its time derivatives, which knows arguments by their names."""

    def formula(tree: Tree, order: int, given: Mapping[str, Any]) -> Any:
        return rates(tree, order, {_meaning(name, meant): x for name, x in given.items()})

    return formula


def _renamed(row: Row, names: Mapping[str, str]) -> Row:
    """The row with other names for some of its arguments, which are its own then."""
    every = (*row.arguments, *row.optional)
    own = {
        names.get(name, name): row.argument(name)
        for name in every
        if name in row.own or names.get(name, name) != name
    }
    return replace(
        row,
        arguments=tuple(names.get(name, name) for name in row.arguments),
        optional=tuple(names.get(name, name) for name in row.optional),
        own=own,
    )


def _tangent_shapes(row: Row, charted: bool) -> tuple[Shape, ...]:
    """Shapes of what the results change by."""
    return row.directions if charted else row.shapes


def _weight_names(row: Row, count: int) -> list[str]:
    """Names of the weights of results: lam, or lam_0, lam_1, ... where it is taken or not alone."""
    taken = (*row.arguments, *row.optional)
    if count == 1 and "lam" not in taken:
        return ["lam"]
    first = 0
    while f"lam_{first}" in taken:
        first += 1
    return [f"lam_{first + k}" for k in range(count)]


def _mode(charted: bool) -> str:
    return "" if charted else ", all as plain numbers"


# ------------------------------------------------------------------ formulas


def _pushforward(row: Row, charted: bool) -> Formula:
    """formula(tree, *arguments, *tangents [, *optional, *their tangents] [, frame])."""
    required, optional = (_Side(row, names, charted) for names in (row.arguments, row.optional))
    n, m = len(row.arguments), len(row.optional)

    def formula(tree: Tree, *inputs: Any) -> Any:
        given, frame = row.parted(inputs)
        values, tangents = given[:n], given[n : 2 * n]
        side = required
        if len(given) > 2 * n:
            values += given[2 * n : 2 * n + m]
            tangents += given[2 * n + m :]
            side = _Side(row, (*required.names, *optional.names), charted)
        recording = side.record(row, tree, values, frame)
        seeds = side.push(recording.tree, recording.variables, recording.weights(tangents))
        rates = recording.tangents(seeds)
        if charted:
            rates = along(row.every_chart, recording.tree, recording.results, rates)
        return one_or_all(recording.given(rates))

    return formula


def _pullback(row: Row, count: int, charted: bool) -> Formula:
    """formula(tree, *arguments, *weights [, *optional] [, frame]), gradients in the first `count`.

    Where these are all arguments and the optional ones, those come after the weights.
    """
    n, weights, inverse = len(row.arguments), len(row.shapes), solved(row, charted)
    side = _Side(row, (*row.arguments, *row.optional)[:count], charted)

    def formula(tree: Tree, *inputs: Any) -> Any:
        given, frame = row.parted(inputs)
        values = (*given[:n], *given[n + weights :])
        recording = side.record(row, tree, values, frame)
        lam = recording.weights(given[n : n + weights])
        if charted:
            lam = weighted(row.every_chart, recording.tree, recording.results, lam)
        if inverse is None:
            gradients = recording.adjoints(lam)
        else:
            gradients = solution_gradients(recording, inverse, row.arguments.index("tau"), lam)
        pulled = side.pull(recording.tree, recording.variables[:count], gradients[:count])
        return one_or_all(recording.given(pulled))

    return formula


def solved(row: Row, charted: bool) -> Formula | None:
    """What gives tau for the `a` that a row finds, with the row's further arguments.

    Not where entries of poses change as plain numbers: off the rigid motions the two differ.
    """
    if row.of is not None or row.inverse is None:
        return None
    if not charted and "placements" in row.arguments:
        return None
    if row.constant is None or row.variant is None:
        return row.inverse
    return row.variant(replace(row.constant, formula=row.inverse)).formula


def solution_gradients(
    recording: Recording, inverse: Formula, place: int, lam: Sequence[Array]
) -> list[Array]:
    """Gradients of lam . a where inverse(a) = tau, the variable at `place`.

    With mu = M^-1 lam, which is the gradient in tau: minus those of mu . inverse(a) at that a, a
    fifth cheaper than the way back through the solution.
    """
    (mu,) = recording.adjoints(lam, [place])
    values = list(recording.variables)
    values[place] = recording.results[0]
    forces = Recording(inverse, recording.tree, values, recording.extra)
    gradients = forces.given(forces.adjoints(forces.weights([-mu])))
    gradients[place] = mu
    return gradients
