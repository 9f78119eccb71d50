"""Which derivative of which row, by which form: `derivative` answers, `derivative_names` lists.

A derivative is a row again, with derivatives of its own, to any depth. It has the form that its
quantity's row gives for it, or goes by a rule (`rules`). Rows with the robot's numbers as
arguments (`parametric`, `morphable`) are derived too, and
their derivatives are those of the row they come from, with the same numbers as arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from jounce.catalog import pullbacks, rules
from jounce.catalog.arguments import ARGUMENTS, Argument, rate_name, rate_of
from jounce.catalog.charts import CONFIGURATION, Shape, along
from jounce.catalog.formulations import CLOSED, modes, reordered, shortest
from jounce.catalog.passes import listed, one_or_all
from jounce.catalog.row import GEOMETRY, Form, Formula, Row
from jounce.catalog.rows import ROWS
from jounce.catalog.variants import EXTENDED, extended, morphable, parametric
from jounce.errors import ArgumentError, suggest
from jounce.model.tree import Tree

#: Derivatives in time that are listed; higher ones are dttt, ...
_TIME = ("dt", "dtt")

_RATES = re.compile(r"rates\((\d+)\)")
_ORDER = re.compile(r"d(t+)")


@cache
def _axes(row: Row, name: str) -> tuple[str, ...]:
    """What a row is differentiated by, axis after axis, in dq, dtau, dqtau; none in other names."""
    each = "|".join(sorted(row.axes, key=len, reverse=True))
    found = re.fullmatch(f"d(?:{each})+", name) if each else None
    return () if found is None else tuple(re.findall(each, name[1:]))


def derivative_names(row: Row) -> tuple[str, ...]:
    """Names of the derivatives a quantity has, besides rates(k) and derivatives of these."""
    if not row.differentiable:
        return ()
    first = [f"d{name}" for name in row.axes]
    offered = ["dpi"] if _in_inertia(row) else []
    offered += GEOMETRY if row.geometry else ()
    return tuple(dict.fromkeys((*_TIME, *first, *row.forms, *offered, *pullbacks.NAMES)))


def has_derivative(row: Row, name: str) -> bool:
    """Whether `derivative` knows one of that name, listed or not."""
    try:
        derivative(row, name)
    except ValueError:
        return False
    return name not in EXTENDED


def _in_inertia(row: Row) -> bool:
    """Whether there is a derivative in the robot's parameters, which may be arguments instead."""
    return row.inertial and ("pi" not in row.arguments or row.constant is not None)


@cache
def derivative(row: Row, name: str) -> Row:
    """The derivative of a row called `name`, as a row.

    name: one of `derivative_names`, or several axes of the state together (dqv, dqqq), or dttt and
    so on, or rates(k) for the value with its time derivatives up to k, or for a regressor with
    drives one of `EXTENDED`. What is differentiated in the same kind of thing twice is one row:
    .dq.dv is .dqv, and .dt.dt is .dtt.
    """
    if name in pullbacks.NAMES:
        return pullbacks.row_of(row, name)
    if row.constant is not None and row.variant is not None:
        return row.variant(derivative(row.constant, name))
    if name in EXTENDED and row.drives is not None:
        return extended(row, name)
    if row.differentiable:
        if order := _RATES.fullmatch(name):
            return _in_time(row, name, int(order[1]), every=True)
        if order := _ORDER.fullmatch(name):
            return _once_more(row, name) or _in_time(row, name, len(order[1]), every=False)
        if name == "dpi" and _in_inertia(row):
            return _in_parameters(row, name)
        if name in GEOMETRY and row.geometry:
            return _in_geometry(row, name)
        if axes := _axes(row, name):
            return _once_more(row, name) or _in_state(row, name, axes)
        if name in row.forms:
            return _together(row, name)
    valid = (*derivative_names(row), "rates(order)") if row.differentiable else ()
    raise ValueError(
        f"{row.name} has no derivative '{name}'; {suggest(name, valid)}{reason(row, name)}"
    )


def reason(row: Row, name: str) -> str:
    """Why a row has no derivative of that name, where it is not plain, to be said last."""
    if name == "dpi" and row.differentiable:
        return f". {row.name} does not depend on the inertial parameters: its dpi would be zero"
    return ""


def _once_more(row: Row, name: str) -> Row | None:
    """The row that has this derivative of a derivative as its own: dqv for dv of dq."""
    inner, step = row.of, row.step
    if inner is None:
        return None
    in_state = _axes(inner, step) and _axes(inner, name)
    if in_state or (_ORDER.fullmatch(step) and _ORDER.fullmatch(name)):
        return derivative(inner, step + name[1:])
    return None


def _derived(
    row: Row,
    name: str,
    rules: Mapping[str, Formula],
    axes: Shape,
    doc: str,
    wrt: tuple[str, ...] = (),
    **changed: Any,
) -> Row:
    """The derivative by the shortest of its form and the rules, and what its form says otherwise.

    rules: formulas by their names, the one that others build on first. axes: those that come last.
    changed: fields that do not stay the row's.
    """
    form = row.forms.get(name, Form())
    arguments = (*row.arguments, *form.arguments)
    closed = {} if form.formula is None else {CLOSED: form.of(arguments, row.of_frame)}
    formula = shortest(f"{row.name}.{name}", {**closed, **rules})
    shape, *more = ((*x, *axes) for x in row.directions)
    ruled = {
        "shape": shape,
        "doc": doc,
        "unit": f"{row.unit}; per unit of what it is differentiated by",
        "equation": "",
        "joint_space": row.joint_space and form.joint_space,
        **changed,
    }
    said = {key: getattr(form, key) for key in ("shape", "doc", "unit", "equation")}
    return replace(
        row,
        **ruled | {key: x for key, x in said.items() if x not in (None, "")},
        name=f"{row.name}.{name}",
        formula=formula,
        arguments=arguments,
        letter=form.letter or " ".join(f"{letter}_{name}" for letter in _letters(row)),
        forms={},
        charts=form.charts,
        coordinates=False,
        rates=None,
        drives=form.drives,
        more=form.more or tuple(more),
        of=row,
        wrt=wrt,
        orders=(),
    )


def _letters(row: Row) -> Sequence[str]:
    """What names of derivatives begin with: rates have names of their own."""
    return row.letters if row.orders else row.letter.split()


# ------------------------------------------------------------------ derivatives in time


def _in_time(row: Row, name: str, order: int, every: bool) -> Row:
    """The time derivative of that order, or with `every` all orders from the value up."""
    return pullbacks.in_time(row, lambda marked: _rates(marked, name, order, every))


def _rates(row: Row, name: str, order: int, every: bool) -> Row:
    """The same where names tell rates; results come order after order: M, C, g, dM, dC, dg."""
    given_motion = row.rates is None or "tau" not in row.arguments
    arguments = _with_rates(row.arguments, order, state_moves=given_motion)
    optional = _with_rates(row.optional, order, state_moves=True)
    base = dict.fromkeys(rate_name(name, k) for name in row.base for k in range(order + 1))

    def formula(tree: Tree, *inputs: Any) -> Any:
        values, frame = row.parted(inputs)
        given = dict(zip((*arguments, *optional), values, strict=False))
        levels = _levels(row, tree, given, order, frame)
        kept = levels if every and order else levels[order:]
        return one_or_all([x for level in kept for x in level])

    what = f"Value and time derivatives up to {order}" if every else f"Time derivative {order}"
    orders = range(order + 1) if every else (order,)
    return replace(
        row,
        name=f"{row.name}.{name}",
        formula=formula,
        arguments=arguments,
        optional=optional,
        base=tuple(base),
        doc=f"{what} of {row.name}: {row.doc}",
        unit=f"{row.unit}; per second for each derivative",
        equation=row.equation and f"time derivatives of {row.equation}",
        forms={},
        charts=(),
        coordinates=False,
        own=_own_with_rates(row, order),
        rates=None,
        drives=None,
        more=(*row.more, *(row.shapes * (len(orders) - 1))),
        of=row,
        wrt=(),
        orders=tuple(k for k in orders for _ in row.shapes),
        parts=tuple(f"{part}{'_' * (k > 0)}{'t' * k}" for k in orders for part in row.parts),
    )


def _levels(
    row: Row, tree: Tree, given: Mapping[str, Any], order: int, frame: tuple[Any, ...]
) -> list[Sequence[Any]]:
    """Results and their time derivatives, order by order."""
    names = [name for name in (*row.arguments, *row.optional) if name in given]
    if row.rates is not None:
        levels = row.rates(tree, order, given)
    else:
        moving = [name for name in names if row.argument(name).chart is CONFIGURATION]
        levels = rules.in_time(row.formula, tree, names, given, order, frame, moving=moving)
    return [listed(level) for level in levels]


def _own_with_rates(row: Row, order: int) -> dict[str, Argument]:
    """The row's own arguments with their time derivatives."""
    each = ((name, given, k) for name, given in row.own.items() for k in range(order + 1))
    return {rate_name(name, k): given.rate(k, given.doc) if k else given for name, given, k in each}


#: Arrays that one call of a NumPy ufunc can have, arguments and results together.
MOST_ARRAYS = 64


def highest_rates(row: Row, *, optional: bool = False) -> int:
    """The highest order of all time derivatives of a quantity that one call can give.

    optional: with its optional arguments, which have time derivatives too.
    """

    def arrays(order: int) -> int:
        every = derivative(row, f"rates({order})")
        more = len(every.optional) if optional else 0
        return len(every.arguments) + more + len(every.shapes)

    return max(order for order in range(MOST_ARRAYS) if arrays(order) <= MOST_ARRAYS)


def _with_rates(names: tuple[str, ...], order: int, state_moves: bool) -> tuple[str, ...]:
    """Arguments with their time derivatives: the state in rising order, then the signals.

    state_moves: whether the state's own further derivatives are arguments too, not results.
    """
    reach: dict[str, list[int]] = {}
    for name in names:
        base, known = rate_of(name) or (name, 0)
        reach.setdefault(base, []).append(known)
    out: list[str] = []
    for base in sorted(reach, key=lambda base: base != "q"):
        further = order if base != "q" or state_moves else 0
        upto = max(reach[base]) + further + 1
        out += [rate_name(base, k) for k in range(min(reach[base]), upto)]
    return tuple(out)


# ------------------------------------------------------------------ derivatives in the state


def _in_state(row: Row, name: str, axes: tuple[str, ...]) -> Row:
    closed = row.forms.get(name, Form()).formula is not None
    other = None if closed else _permuted(row, axes)
    return _derived(
        row,
        name,
        _along(row, axes) if other is None else {CLOSED: other},
        tuple(size for axis in axes for size in row.argument(axis).directions),
        f"Derivative {name} of {row.name}, differentiation axes last: {_what(row)}",
        wrt=axes,
    )


def _what(row: Row) -> str:
    """What derivatives are of, in words."""
    of = dict.fromkeys(chart.of for chart in row.charts if chart is not None)
    return f"{'; '.join(of)}." if of else row.doc


def _permuted(row: Row, axes: tuple[str, ...]) -> Formula | None:
    """The closed form of the same derivative with its axes in another order, if there is one."""
    for name, form in row.forms.items():
        others = list(_axes(row, name))
        if form.formula is not None and sorted(others) == sorted(axes):
            return reordered(derivative(row, name).formula, others, axes)
    return None


def _along(row: Row, axes: tuple[str, ...]) -> dict[str, Formula]:
    """The last of the derivatives by a pass on the one before."""
    *before, wrt = axes
    inner = derivative(row, f"d{''.join(before)}") if before else row
    place = row.arguments.index(wrt)
    moved = row.argument(wrt).chart is CONFIGURATION

    def formula(tree: Tree, *inputs: Any, reverse: bool) -> Any:
        arrays, frame = row.parted(inputs)
        found = rules.in_state(
            inner.formula, tree, arrays, place, frame, configuration=moved, reverse=reverse
        )
        return one_or_all(_charted(inner, tree, inputs, found))

    return modes(inner, formula)


def _charted(row: Row, tree: Tree, inputs: Sequence[Any], found: Sequence[Any]) -> list[Any]:
    """Derivatives of all results of a row, of those that are no plain arrays as tangents."""
    if not row.charts:
        return list(found)
    return along(row.every_chart, tree, listed(row.formula(tree, *inputs)), found)


def _together(row: Row, name: str) -> Row:
    """Several derivatives from one kernel, and contractions: all is said by the form."""
    form = row.forms[name]
    shape = row.shape if form.shape is None else form.shape
    return replace(_derived(row, name, {}, (), row.doc), shape=shape, more=form.more)


# ------------------------------------------------------------------ numbers of the robot


def _in_geometry(row: Row, name: str) -> Row:
    screw = GEOMETRY[name]
    q = row.arguments.index("q") if "q" in row.arguments else None

    def formula(tree: Tree, *inputs: Any, reverse: bool) -> Any:
        arrays, frame = row.parted(inputs)
        found = rules.in_geometry(row.formula, tree, arrays, frame, q, screw=screw, reverse=reverse)
        return one_or_all(_charted(row, tree, inputs, found))

    what = "screw of each joint" if screw else "placement of each joint, with all beyond it"
    return _commuted(row, name) or _derived(
        row,
        name,
        modes(row, formula),
        ("nb", 6),
        f"Derivative in the {what}, axes (nb, 6) last: {_what(row)}",
        wrt=("screws" if screw else "placements",),
        unit=f"{row.unit}; per rad or m of displacement, in the body's axes",
        equation="Kwon (6)-(10), Algorithm 1" if screw and row.of is None else "",
        joint_space=False,
    )


def _in_parameters(row: Row, name: str) -> Row:
    def formula(tree: Tree, *inputs: Any, reverse: bool) -> Any:
        found = rules.in_parameters(row.formula, tree, *row.parted(inputs), reverse=reverse)
        return one_or_all(_charted(row, tree, inputs, found))

    # forces on the bodies do not depend on their inertia; accelerations feel both
    own = row.forms.get(name, Form()).formula is not None
    return _commuted(row, name) or _derived(
        row,
        name,
        modes(row, formula),
        ("10nb",),
        f"Derivative in the inertial parameters of all bodies, axis last: {_what(row)}",
        wrt=("pi",),
        unit=f"{row.unit}; per unit of pi",
        optional=() if own and not (row.solves or "tau" in row.arguments) else row.optional,
        joint_space=False,
    )


def _commuted(row: Row, name: str) -> Row | None:
    """The derivative in the robot's numbers first, then in state or time, axes in their order.

    It is the cheaper way, and the same, unless the result is a twist, or time moves the state by
    what is differentiated.
    """
    inner, step = row.of, row.step
    if inner is None or inner.charts or (inner.rates is not None and not row.wrt):
        return None
    if not (_axes(inner, step) or _ORDER.fullmatch(step) or _RATES.fullmatch(step)):
        return None
    first = derivative(inner, name)
    found = derivative(first, step)
    state, own = len(row.wrt), len(first.shape) - len(inner.shape)

    def formula(tree: Tree, *inputs: Any) -> Any:
        results = found.formula(tree, *inputs)
        return one_or_all([_swapped(x, own, state) for x in listed(results)])

    shape, *more = ((*x, *first.shape[len(inner.shape) :]) for x in row.shapes)
    return replace(
        found,
        name=f"{row.name}.{name}",
        formula=formula,
        shape=shape,
        more=tuple(more),
        doc=f"Derivative {name} of {row.name}, axes in the order of the names: {row.doc}",
        letter=" ".join(f"{letter}_{name}" for letter in _letters(row)),
        of=row,
        wrt=first.wrt,
        orders=(),
    )


def _swapped(x: Any, own: int, state: int) -> Any:
    """The last `state` axes before the `own` axes that are in front of them."""
    return np.moveaxis(x, range(-state, 0), range(-own - state, -own)) if state else x


# ------------------------------------------------------------------ what is offered


class Tables(NamedTuple):
    """Quantities of a kind of robot and of its frames, and those with numbers as arguments.

    parametric: with the inertial parameters; morphable, morphable_frames: also with the geometry.
    """

    quantities: dict[str, Row]
    frames: dict[str, Row]
    parametric: dict[str, Row]
    morphable: dict[str, Row]
    morphable_frames: dict[str, Row]

    def offer(self, row: Row) -> None:
        """Put a row where it belongs."""
        own, shaped = (
            (self.frames, self.morphable_frames)
            if row.of_frame
            else (self.quantities, self.morphable)
        )
        own[row.name] = row
        if row.inertial and not row.of_frame:
            self.parametric[row.name] = parametric(row)
        if row.geometry:
            shaped[row.name] = morphable(row)


#: What trees have; `catalog.mechanism` has the tables of mechanisms.
TREE = Tables({}, {}, {}, {}, {})
ROBOT, FRAME, PARAMETRIC, MORPHABLE, MORPHABLE_FRAME = TREE

#: Who else offers what trees have, each with what it makes of a row.
ALSO: list[tuple[Tables, Callable[[Row], None]]] = []


def add(row: Row) -> None:
    """Offer a quantity of every robot, or of every frame if it is one of a frame."""
    offered = FRAME if row.of_frame else ROBOT
    if row.name in offered or not row.name.isidentifier() or row.name.startswith("_"):
        raise ArgumentError(
            f"a quantity needs a name of its own, an identifier without a leading underscore, found"
            f" '{row.name}'; there are {', '.join(offered)}"
        )
    known = {**ARGUMENTS, **row.own}
    unknown = [name for name in (*row.arguments, *row.optional) if name not in known]
    if unknown:
        raise ArgumentError(
            f"{row.name}: '{unknown[0]}' is no argument that quantities have;"
            f" {suggest(unknown[0], known)}, or list it among the row's own"
        )
    for name in row.forms:
        derivative(row, name)  # says what is wrong with it
    TREE.offer(row)
    for _, offer in ALSO:
        offer(row)


def remove(name: str) -> None:
    """Offer an added quantity no longer; robots that have used it keep it."""
    if name in (row.name for row in ROWS) or name not in {**ROBOT, **FRAME}:
        raise ArgumentError(f"'{name}' is no quantity that was added")
    for tables in (TREE, *(tables for tables, _ in ALSO)):
        for table in tables:
            table.pop(name, None)


for _row in ROWS:
    TREE.offer(_row)
