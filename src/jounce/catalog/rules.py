"""Rules for derivatives of any formula, in state, time and the robot's numbers.

Taylor series where the formula takes them, and passes on the graph that it records where it does
not, as it takes series itself or is such a pass already: so derivatives nest. Series need the same
operations or a few less, as they know that a joint's pose turns with it. Results are lists, one
array per result of the formula; axes of differentiation come last.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from jounce.catalog.arguments import rate_name
from jounce.catalog.charts import CONFIGURATION
from jounce.catalog.passes import Formula, Recording, listed
from jounce.errors import ArgumentError
from jounce.formulas import wrt_screws, wrt_state, wrt_time
from jounce.formulas.kinematics import SeriesDoNotNestError, refuse_series
from jounce.formulas.mechanism.loops import Closure, keep_equations, loop_residual
from jounce.formulas.motions import configuration_gradient, configuration_rate
from jounce.graph.expr import GraphFull
from jounce.math.jets import Jet, from_rates, rates_of
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import skew
from jounce.model.tree import Tree, moved_inertia

#: How the variables change along each direction: by the number of the variable, an array with the
#: directions along its last axis.
Seeds = Mapping[int, Array]

#: Directions that tell how much all take.
_FEW = 4

#: What is estimated to be no more than so many times too large may fit; it is seen when it is.
_UNSURE = 1.25

#: How much less than in proportion to its results a whole may take, with room to spare.
_SLOWER = 4

#: Adjoints take about so many times the operations of a tangent.
_ADJOINT = 3

#: Results per direction beyond which reverse mode is not tried.
_WIDE = 0.75


# ------------------------------------------------------------------ state


def in_state(
    formula: Formula,
    tree: Tree,
    inputs: Sequence[Any],
    place: int,
    extra: tuple[Any, ...] = (),
    *,
    configuration: bool,
    reverse: bool = False,
) -> list[Array]:
    """Derivatives of all results in the input number `place`, its axes last.

    configuration: whether that input is one, which moves along velocities, or a plain array.
    reverse: differentiate in reverse mode, by a pass for each result.
    """
    try:
        if reverse:
            recording = Recording(formula, tree, inputs, extra)
        else:
            return listed(
                wrt_state.directional(
                    formula, tree, inputs, place, extra, configuration=configuration
                )
            )
    except SeriesDoNotNestError:
        recording = Recording(formula, tree, inputs, extra)
    x = recording.variables[place]
    seeds = (
        _velocities(recording.tree, x)
        if configuration
        else identity(x.size).reshape(*x.shape, x.size)
    )
    axes = seeds.shape[1:] if configuration else x.shape
    found = recording.given(_along(recording, {place: seeds}, reverse=reverse))
    return [part.reshape((*part.shape[:-1], *axes)) for part in found]


def _velocities(tree: Tree, q: Array) -> Array:
    """N(q) E(q) (nq, dof): how q changes along each velocity."""
    out = zeros(tree.nq, tree.dof)
    for h, unit in enumerate(_all_joints(tree, q).T):
        out[:, h] = configuration_rate(replace(tree, active=None), q, unit)
    return out


def _all_joints(tree: Tree, q: Array) -> Array:
    """E(q): velocities of all joints per velocity of the state."""
    return identity(tree.nv) if tree.active is None else Closure(tree, q).E


class UnsuitableModeError(ArgumentError):
    """Reverse mode on results that outnumber the directions by far."""


def _along(recording: Recording, seeds: Seeds, *, reverse: bool = False) -> list[Array]:
    """How the results change along all directions, by tangents or, if results are few, adjoints."""
    count = next(iter(seeds.values())).shape[-1]
    results = sum(x.size for x in recording.results)
    largest = max(x.size for x in recording.results)
    if reverse and largest > max(1, _WIDE * count):
        raise UnsuitableModeError(
            f"reverse mode does not pay for {largest} results and {count} directions"
        )
    if reverse or _ADJOINT * results <= count:
        return _by_adjoints(recording, seeds, count)
    _refuse_too_large(recording, seeds, count)
    columns = [_tangent(recording, seeds, h) for h in range(count)]
    return [np.stack(parts, axis=-1) for parts in zip(*columns, strict=True)]


def _tangent(recording: Recording, seeds: Seeds, h: int) -> list[Array]:
    """How the results change along one direction."""
    moved = range(len(recording.variables))
    return recording.tangents([seeds[k][..., h] if k in seeds else None for k in moved])


def _refuse_too_large(recording: Recording, seeds: Seeds, count: int) -> None:
    """Raise `GraphFull` before many directions are gone along, if a few tell that it will be.

    A tangent takes at most three operations for each that is recorded, so most need no look. What
    is but a step towards more results is a part of the whole: operations rise a little slower.
    """
    results = count * sum(x.size for x in recording.results)
    share = max(recording.wanted / max(results, 1), 1.0)
    if recording.size * (1 + 3 * count) * share <= recording.room or count <= _FEW:
        return
    with recording.unlimited():
        few = [_tangent(recording, seeds, (2 * k + 1) * count // (2 * _FEW)) for k in range(_FEW)]
        every = recording.operations([x for part in few for x in part])
        halves = [recording.operations([x for part in few[k::2] for x in part]) for k in range(2)]
    each = sum(every - half for half in halves) / _FEW  # less what directions share
    expected = int(every + (count - _FEW) * each)
    if expected > _UNSURE * recording.room or expected * share > _SLOWER * recording.room:
        raise GraphFull(expected, results)


def _by_adjoints(recording: Recording, seeds: Seeds, count: int) -> list[Array]:
    out = [zeros(*x.shape, count) for x in recording.results]
    for k, whole in enumerate(out):
        for index in np.ndindex(*whole.shape[:-1]):
            weights = [zeros(*x.shape) for x in recording.results]
            weights[k][index] = 1.0
            gradients = recording.adjoints(weights)
            whole[index] = sum(
                (gradients[v].ravel() @ seed.reshape(-1, count) for v, seed in seeds.items()),
                zeros(count),
            )
    return out


def state_matrices(formula: Formula) -> Formula:
    """Of a formula (q, v)(tree, q, v, tau, ...): q and v, A (2 nv, 2 nv) and B (2 nv, nv)."""

    def derivatives(tree: Tree, *inputs: Any) -> tuple[Array, Array, Array, Array]:
        q, v = formula(tree, *inputs)
        columns = []
        for place in range(3):
            parts = in_state(formula, tree, inputs, place, configuration=place == 0)
            columns.append(np.concatenate((CONFIGURATION.along(tree, q, parts[0]), parts[1])))
        return q, v, np.concatenate(columns[:2], axis=1), columns[2]

    return derivatives


def weighted_hessian(formula: Formula) -> Formula:
    """Sum of lam_i times the second derivatives of result i over (q, v, a): (3 nv, 3 nv).

    Of a formula(tree, q, v, a, ...) as one of (tree, q, v, a, lam, ...). Row block: what is
    differentiated first; the block of q, q is not symmetric where velocities do not commute.
    """

    def gradient(tree: Tree, q: Array, v: Array, a: Array, lam: Array, *more: Any) -> Array:
        recording = Recording(formula, tree, (q, v, a, *more))
        by_q, by_v, by_a, *_ = recording.adjoints(recording.weights([lam]))
        along = configuration_gradient(recording.tree, recording.variables[0], by_q)
        (found,) = recording.given([np.concatenate((along, by_v, by_a))])
        return found

    def hessian(tree: Tree, q: Array, v: Array, a: Array, lam: Array, *more: Any) -> Array:
        inputs, n = (q, v, a, lam, *more), tree.dof
        out = zeros(3 * n, 3 * n)
        (out[:, :n],) = in_state(gradient, tree, inputs, 0, configuration=True)
        (by_v,) = in_state(gradient, tree, inputs, 1, configuration=False)
        out[: 2 * n, n : 2 * n] = by_v[: 2 * n]
        out[:n, 2 * n :] = out[2 * n :, :n].T  # linear in a
        return out

    return hessian


# ------------------------------------------------------------------ time


def in_time(
    formula: Formula,
    tree: Tree,
    names: Sequence[str],
    given: Mapping[str, Any],
    order: int,
    extra: tuple[Any, ...] = (),
    *,
    moving: Collection[str] = ("q",),
) -> list[list[Array]]:
    """Results and their time derivatives up to `order`, order by order.

    names: the formula's arguments. given: them and their own time derivatives, by `rate_name`.
    moving: those that are configurations, whose first derivatives are velocities. What is recorded
    runs once more, on Taylor series.
    """
    series = {name: [given[rate_name(name, k)] for k in range(order + 1)] for name in names}
    try:
        levels = wrt_time.rates(formula, tree, series, order, extra, moving=moving)
        return [listed(x) for x in levels]
    except SeriesDoNotNestError:
        return _in_time(formula, tree, names, given, order, extra, moving)


def _in_time(
    formula: Formula,
    tree: Tree,
    names: Sequence[str],
    given: Mapping[str, Any],
    order: int,
    extra: tuple[Any, ...],
    moving: Collection[str],
) -> list[list[Array]]:
    """The same by a pass; if the base moves, its motion and gravity are variables too."""
    known, levels = list(given), len(tree.base)
    places = [known.index(name) for name in names]
    end, base = len(known), [*tree.base, tree.gravity] if levels else []

    def chosen(tree: Tree, *inputs: Any) -> Any:
        if levels:
            motion = inputs[end : end + levels - order]
            tree = replace(tree, base=motion, gravity=inputs[end + levels])
        return formula(tree, *(inputs[k] for k in places), *inputs[end + len(base) :])

    recording = Recording(chosen, tree, [*given.values(), *base], extra)
    variables = dict(zip(known, recording.variables, strict=False))
    series: dict[str, Array] = {}
    for name in names:
        if name in moving:
            rates = [variables[rate_name(name, k)] for k in range(1, order + 1)]
            series[name] = _configurations(recording.tree, variables[name], rates)
        else:
            series[name] = from_rates([variables[rate_name(name, k)] for k in range(order + 1)])
    others = [series.get(name) for name in known]
    if levels:
        *motion, gravity = recording.variables[end:]
        moved = wrt_time.under_way(replace(tree, base=tuple(motion), gravity=gravity), order)
        others += [*moved.base, *(None,) * order, moved.gravity]
    results = (rates_of(x, order) for x in recording.on(others))
    return [recording.given(level) for level in zip(*results, strict=True)]


def _configurations(tree: Tree, q: Array, rates: Sequence[Array]) -> Array:
    """Jets of q for the velocity and its derivatives: from dq/dt = N(q) E(q) v, order by order."""
    recording = Recording(configuration_rate, tree, (q, rates[0])) if rates else None
    v = from_rates(rates) if rates else zeros(0)
    coefficients = [[x] for x in q]
    for k in range(len(rates)):
        assert recording is not None
        so_far = [_jets(coefficients), _jets([x.c[: k + 1] for x in v])]
        rate = recording.on(so_far)[0]
        for c, x in zip(coefficients, rate, strict=True):
            c.append((x.c[k] if isinstance(x, Jet) else x if k == 0 else 0.0) / (k + 1))
    return _jets(coefficients)


def _jets(coefficients: Sequence[Sequence[Any]]) -> Array:
    out = zeros(len(coefficients))
    for i, c in enumerate(coefficients):
        out[i] = Jet(c)
    return out


# ------------------------------------------------------------------ numbers of the robot


def more_inertia(tree: Tree, more: Array) -> Tree:
    """The tree with parameters (nb, 10) added to those of its bodies."""
    nodes = list(tree.nodes)
    for i, pi in zip(tree.node_of_body, more, strict=True):
        added = moved_inertia(pi, nodes[i].R_user, nodes[i].p_user)
        nodes[i] = replace(nodes[i], inertia=nodes[i].inertia + added)
    return replace(tree, nodes=tuple(nodes))


def moved_joints(tree: Tree, twists: Array, *, screw: bool) -> Tree:
    """The tree with all its joints displaced by small twists (nb, 6), to first order in them."""
    for body, twist in enumerate(twists):
        displacement = identity(3) + skew(twist[:3]), twist[3:]
        tree = tree.with_joint_moved(body, displacement, screw=screw)
    return tree


def in_parameters(
    formula: Formula,
    tree: Tree,
    inputs: Sequence[Any],
    extra: tuple[Any, ...] = (),
    *,
    reverse: bool = False,
) -> list[Array]:
    """Derivatives of all results in the inertial parameters of all bodies, axis (10 nb) last."""
    found = _in_numbers(formula, tree, inputs, extra, more_inertia, 10, q=None, reverse=reverse)
    return [x.reshape(*x.shape[:-2], 10 * tree.nb) for x in found]


def in_geometry(
    formula: Formula,
    tree: Tree,
    inputs: Sequence[Any],
    extra: tuple[Any, ...],
    q: int | None,
    *,
    screw: bool,
    reverse: bool = False,
) -> list[Array]:
    """Derivatives of all results in screws or placements of the joints, axes (nb, 6) last.

    q: which of the inputs is the configuration.
    """
    if q is not None:
        refuse_series(tree, inputs)
        tree = keep_equations(tree, inputs[q])
    changed = partial(moved_joints, screw=screw)
    if reverse:
        return _in_numbers(formula, tree, inputs, extra, changed, 6, q=q, reverse=True)
    try:
        return listed(wrt_screws.along_geometry(formula, tree, (*inputs, *extra), screw))
    except SeriesDoNotNestError:
        return _in_numbers(formula, tree, inputs, extra, changed, 6, q=q)


def _in_numbers(
    formula: Formula,
    tree: Tree,
    inputs: Sequence[Any],
    extra: tuple[Any, ...],
    changed: Callable[[Tree, Array], Tree],
    width: int,
    *,
    q: int | None,
    reverse: bool = False,
) -> list[Array]:
    """Derivatives of all results in numbers x (nb, width) at zero, axes (nb, width) last.

    changed(tree, x): the tree with them. q: which input is the configuration of a mechanism whose
    dependent joints follow when x changes; None where nothing follows.
    """
    count = len(inputs)

    def on_changed(tree: Tree, *given: Any) -> Any:
        return formula(changed(tree, given[count]), *given[:count], *given[count + 1 :])

    start = np.zeros((tree.nb, width)).astype(object)
    recording = Recording(on_changed, tree, (*inputs, start), extra)
    x = recording.variables[count]
    seeds = {count: identity(x.size).reshape(*x.shape, x.size)}
    if q is not None and tree.active is not None:
        at = recording.variables[q]
        follow = Following(Closure(recording.tree, at), at, recording.tree, (x,), changed)
        units = (unit.reshape(x.shape) for unit in identity(x.size))
        seeds[q] = np.stack([follow.push(unit) for unit in units], axis=-1)
    rates = _along(recording, seeds, reverse=reverse)
    try:
        found = recording.given(rates)
    except ZeroDivisionError:
        formula(tree, *inputs, *extra)  # says what is wrong with the tree
        raise
    return [part.reshape(*part.shape[:-1], tree.nb, width) for part in found]


class Following:
    """How dependent joints of a mechanism follow its numbers: g_p dq_p = -dphi (Kwon 14).

    closure: the mechanism at q. tree: without its numbers, which changed(tree, *numbers) gives it.
    """

    def __init__(
        self,
        closure: Closure,
        q: Array,
        tree: Tree,
        numbers: Sequence[Array],
        changed: Callable[..., Tree],
    ) -> None:
        self.closure, self.q, self.tree = closure, q, replace(tree, active=None)

        def residual(tree: Tree, q: Array, *numbers: Array) -> Array:
            return loop_residual(changed(tree, *numbers), q)

        self.gaps = Recording(residual, self.tree, (q, *numbers))

    def push(self, *rates: Array) -> Array:
        """How q's numbers change when the entries of the mechanism's do."""
        (gap,) = self.gaps.tangents([None, *rates])
        v = zeros(self.tree.nv)
        v[self.closure.passive] = -self.closure.factors.solve(gap)
        return configuration_rate(self.tree, self.q, v)

    def pull(self, gradient: Array) -> list[Array]:
        """What a gradient in q's numbers passes on to the entries of the mechanism's."""
        of_all = configuration_gradient(self.tree, self.q, gradient)
        weights = -self.closure.factors.solve_transposed(of_all[self.closure.passive])
        return self.gaps.adjoints([weights])[1:]
