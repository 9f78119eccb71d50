"""Derivatives of formulas in all directions of the state or of parameters of the robot.

Forward mode uses first-order Taylor series if the formula accepts them, else a recording (if the
formula uses series itself, or is a derivative already). Series take the same number of operations
or slightly fewer, since they exploit that a joint pose rotates with the joint. Results are lists,
one array per result of the formula; axes of differentiation are last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from jounce.catalog.autodiff.implicit import DependentJoints
from jounce.catalog.autodiff.recording import Formula, Recording, as_list
from jounce.catalog.charts import CONFIGURATION
from jounce.compiler.graph.expr import GraphFull
from jounce.errors import ArgumentError
from jounce.formulas import wrt_screws, wrt_state
from jounce.formulas.kinematics import SeriesDoNotNestError, refuse_series
from jounce.formulas.mechanism.loops import Closure, keep_equations
from jounce.formulas.motions import configuration_gradient, configuration_rate
from jounce.math.alternatives import choose
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import skew
from jounce.model.tree import Tree, moved_inertia

#: Rates of the variables along each direction: for the index of a variable, an array with the
#: directions along its last axis.
Seeds = Mapping[int, Array]

#: Number of directions from which the total cost is estimated.
_SAMPLE_DIRECTIONS = 4

#: Estimates may be 25 % high; let such graphs through and check while tracing.
_ESTIMATE_MARGIN = 1.25

#: Safety factor for sublinear growth with the number of results.
_GROWTH_MARGIN = 4

#: Operations of a reverse pass, relative to a forward pass.
_ADJOINT_COST = 3

#: Maximum number of results per direction for which reverse mode is tried.
_MAX_RESULT_RATIO = 0.75


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
    """Return derivatives of all results in the input with index `place`, its axes last.

    configuration: whether that input is a configuration, differentiated along velocities.
    reverse: use reverse mode, with a pass for each result.
    """
    try:
        if reverse:
            recording = Recording(formula, tree, inputs, extra)
        else:
            return as_list(
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
    derivatives = recording.to_caller(_along(recording, {place: seeds}, reverse=reverse))
    return [part.reshape((*part.shape[:-1], *axes)) for part in derivatives]


def _velocities(tree: Tree, q: Array) -> Array:
    """Return N(q) E(q) (nq, dof): rates of q for each velocity."""
    out = zeros(tree.nq, tree.dof)
    for h, unit in enumerate(_all_joints(tree, q).T):
        out[:, h] = configuration_rate(replace(tree, active=None), q, unit)
    return out


def _all_joints(tree: Tree, q: Array) -> Array:
    """Return E(q): velocities of all joints per velocity of the state."""
    return identity(tree.nv) if tree.active is None else Closure(tree, q).E


class UnsuitableModeError(ArgumentError):
    """Reverse mode is unsuitable, since there are more results than directions."""


def _along(recording: Recording, seeds: Seeds, *, reverse: bool = False) -> list[Array]:
    """Return rates of the results along all directions; in reverse mode if results are few."""
    count = next(iter(seeds.values())).shape[-1]
    results = sum(x.size for x in recording.results)
    largest = max(x.size for x in recording.results)
    if reverse and largest > max(1, _MAX_RESULT_RATIO * count):
        raise UnsuitableModeError(
            f"reverse mode needs fewer results than directions, found {largest} and {count}"
        )
    if reverse or _ADJOINT_COST * results <= count:
        return _by_adjoints(recording, seeds, count)
    _refuse_too_large(recording, seeds, count)
    columns = [_tangent(recording, seeds, h) for h in range(count)]
    return [np.stack(parts, axis=-1) for parts in zip(*columns, strict=True)]


def _tangent(recording: Recording, seeds: Seeds, h: int) -> list[Array]:
    """Return rates of the results along one direction."""
    indices = range(len(recording.variables))
    return recording.tangents([seeds[k][..., h] if k in seeds else None for k in indices])


def _refuse_too_large(recording: Recording, seeds: Seeds, count: int) -> None:
    """Raise `GraphFull` early if the cost of a sample of directions exceeds the budget.

    A tangent takes at most three operations per recorded operation, so most formulas need no
    estimate. If the caller has more results, these are a share of the total, and the number of
    operations grows slightly slower than that of results.
    """
    results = count * sum(x.size for x in recording.results)
    share = max(recording.wanted / max(results, 1), 1.0)
    if recording.size * (1 + 3 * count) * share <= recording.budget or count <= _SAMPLE_DIRECTIONS:
        return
    with recording.lift_limits():
        sample = [
            _tangent(recording, seeds, (2 * k + 1) * count // (2 * _SAMPLE_DIRECTIONS))
            for k in range(_SAMPLE_DIRECTIONS)
        ]
        total = recording.operations([x for part in sample for x in part])
        halves = [
            recording.operations([x for part in sample[k::2] for x in part]) for k in range(2)
        ]
    cost = sum(total - half for half in halves) / _SAMPLE_DIRECTIONS  # less what directions share
    expected = int(total + (count - _SAMPLE_DIRECTIONS) * cost)
    if (
        expected > _ESTIMATE_MARGIN * recording.budget
        or expected * share > _GROWTH_MARGIN * recording.budget
    ):
        raise GraphFull(expected, results)


def _by_adjoints(recording: Recording, seeds: Seeds, count: int) -> list[Array]:
    out = [zeros(*x.shape, count) for x in recording.results]
    for k, result in enumerate(out):
        for index in np.ndindex(*result.shape[:-1]):
            weights = [zeros(*x.shape) for x in recording.results]
            weights[k][index] = 1.0
            gradients = recording.adjoints(weights)
            result[index] = sum(
                (gradients[v].ravel() @ seed.reshape(-1, count) for v, seed in seeds.items()),
                zeros(count),
            )
    return out


# ------------------------------------------------------------------ parameters of the robot


def add_inertia(tree: Tree, added_parameters: Array) -> Tree:
    """Return the tree with parameters (nb, 10) added to those of its bodies."""
    nodes = list(tree.nodes)
    for i, pi in zip(tree.node_of_body, added_parameters, strict=True):
        added = moved_inertia(pi, nodes[i].R_user, nodes[i].p_user)
        nodes[i] = replace(nodes[i], inertia=nodes[i].inertia + added)
    return replace(tree, nodes=tuple(nodes))


def displace_joints(tree: Tree, twists: Array, *, screw: bool) -> Tree:
    """Return the tree with all joints displaced by twists (nb, 6), to first order."""
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
    """Return derivatives of all results in inertial parameters, axis (10 nb) last."""
    derivatives = _in_numbers(
        formula, tree, inputs, extra, add_inertia, 10, q=None, reverse=reverse
    )
    return [x.reshape(*x.shape[:-2], 10 * tree.nb) for x in derivatives]


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
    """Return derivatives of all results in joint screws or placements, axes (nb, 6) last.

    q: index of the configuration among the inputs.
    """
    if q is not None:
        refuse_series(tree, inputs)
        tree = keep_equations(tree, inputs[q])
    change = partial(displace_joints, screw=screw)
    if reverse:
        return _in_numbers(formula, tree, inputs, extra, change, 6, q=q, reverse=True)
    try:
        return as_list(wrt_screws.along_geometry(formula, tree, (*inputs, *extra), screw))
    except SeriesDoNotNestError:
        return _in_numbers(formula, tree, inputs, extra, change, 6, q=q)


def in_frames(
    formula: Formula,
    tree: Tree,
    inputs: Sequence[Any],
    extra: tuple[Any, ...],
    q: int | None,
    *,
    frames: Sequence[int],
    reverse: bool = False,
) -> list[Array]:
    """Return derivatives of all results in placements of frames, axes (frames, 6) last.

    q: index of the configuration among the inputs, if the frames may belong to loops.
    """
    if q is not None:
        refuse_series(tree, inputs)
        tree = keep_equations(tree, inputs[q])

    def change(tree: Tree, twists: Array) -> Tree:
        for frame, twist in zip(frames, twists, strict=True):
            tree = tree.with_frame_moved(frame, (identity(3) + skew(twist[:3]), twist[3:]))
        return tree

    rows = len(frames)
    if reverse:
        return _in_numbers(formula, tree, inputs, extra, change, 6, q=q, reverse=True, rows=rows)
    try:
        return as_list(wrt_screws.along_frames(formula, tree, (*inputs, *extra), frames))
    except SeriesDoNotNestError:
        return _in_numbers(formula, tree, inputs, extra, change, 6, q=q, rows=rows)


def _in_numbers(
    formula: Formula,
    tree: Tree,
    inputs: Sequence[Any],
    extra: tuple[Any, ...],
    change: Callable[[Tree, Array], Tree],
    width: int,
    *,
    q: int | None,
    reverse: bool = False,
    rows: int | None = None,
) -> list[Array]:
    """Return derivatives of all results in parameters x (rows, width) at zero, their axes last.

    rows: by default nb.

    change(tree, x): the tree with them. q: index of the configuration of a mechanism whose
    dependent joints follow x; None if x does not affect the loops.
    """
    count = len(inputs)

    def on_numbers(tree: Tree, *values: Any) -> Any:
        return formula(change(tree, values[count]), *values[:count], *values[count + 1 :])

    rows = tree.nb if rows is None else rows
    start = np.zeros((rows, width)).astype(object)
    recording = Recording(on_numbers, tree, (*inputs, start), extra)
    x = recording.variables[count]
    seeds = {count: identity(x.size).reshape(*x.shape, x.size)}
    if q is not None and tree.active is not None:
        configuration = recording.variables[q]
        dependent = DependentJoints(
            Closure(recording.tree, configuration), configuration, recording.tree, (x,), change
        )
        units = (unit.reshape(x.shape) for unit in identity(x.size))
        seeds[q] = np.stack([dependent.push(unit) for unit in units], axis=-1)
    rates = _along(recording, seeds, reverse=reverse)
    try:
        derivatives = recording.to_caller(rates)
    except ZeroDivisionError:
        formula(tree, *inputs, *extra)  # raises a better error
        raise
    return [part.reshape(*part.shape[:-1], rows, width) for part in derivatives]


# ------------------------------------------------------------------ combined derivatives


def state_matrices(formula: Formula) -> Formula:
    """Return a formula of q, v, A (2 nv, 2 nv), B (2 nv, nv) from (q, v)(tree, q, v, tau, ...)."""

    def derivatives(tree: Tree, *inputs: Any) -> tuple[Array, Array, Array, Array]:
        q, v = formula(tree, *inputs)
        columns = []
        for place in range(3):
            parts = in_state(formula, tree, inputs, place, configuration=place == 0)
            columns.append(
                np.concatenate((CONFIGURATION.convert_derivatives(tree, q, parts[0]), parts[1]))
            )
        return q, v, np.concatenate(columns[:2], axis=1), columns[2]

    return derivatives


def weighted_hessian(formula: Formula) -> Formula:
    """Return the formula of sum lam_i d2 result_i / d(q, v, a)^2: (3 nv, 3 nv).

    From a formula(tree, q, v, a, ...), as one of (tree, q, v, a, lam, ...). Rows: the variable of
    the first differentiation; the block (q, q) is not symmetric if velocities do not commute.
    """

    def gradient(tree: Tree, q: Array, v: Array, a: Array, lam: Array, *further: Any) -> Array:
        recording = Recording(formula, tree, (q, v, a, *further))
        by_q, by_v, by_a, *_ = recording.adjoints(recording.weights([lam]))
        along = configuration_gradient(recording.tree, recording.variables[0], by_q)
        (result,) = recording.to_caller([np.concatenate((along, by_v, by_a))])
        return result

    def hessian(tree: Tree, q: Array, v: Array, a: Array, lam: Array, *further: Any) -> Array:
        inputs, n = (q, v, a, lam, *further), tree.dof
        out = zeros(3 * n, 3 * n)
        (out[:, :n],) = in_state(gradient, tree, inputs, 0, configuration=True)
        (by_v,) = in_state(gradient, tree, inputs, 1, configuration=False)
        out[: 2 * n, n : 2 * n] = by_v[: 2 * n]
        out[:n, 2 * n :] = out[2 * n :, :n].T  # linear in a
        return out

    return hessian


def _displace(tree: Tree, screws: Array, placements: Array) -> Tree:
    """Return the tree with all joints displaced by screws and placements, to first order."""
    tree = displace_joints(tree, screws, screw=True)
    return displace_joints(tree, placements, screw=False)


def weighted_design(formula: Formula, count: int) -> Formula:
    """Return the gradient of lam . result in parameters (nb, 10), screws and placements (nb, 6).

    From a formula(tree, q, ...) with `count` required arguments, as one that takes lam after them.
    One reverse pass computes all three; dependent joints of a mechanism follow.
    """

    def design(tree: Tree, *values: Any) -> list[Array]:
        inputs, lam = (*values[:count], *values[count + 1 :]), values[count]

        def on_design(tree: Tree, *values: Any) -> Any:
            *state, parameters, screws, placements = values
            return formula(_displace(add_inertia(tree, parameters), screws, placements), *state)

        starts = [np.zeros((tree.nb, width)).astype(object) for width in (10, 6, 6)]
        recording = Recording(on_design, keep_equations(tree, inputs[0]), (*inputs, *starts))
        by_q, *_, parameters, screws, placements = recording.adjoints(recording.weights([lam]))
        if tree.active is not None:
            q, tree, numbers = recording.variables[0], recording.tree, recording.variables[-2:]
            shares = DependentJoints(Closure(tree, q), q, tree, numbers, _displace).pull(by_q)
            screws, placements = screws + shares[0], placements + shares[1]
        return recording.to_caller([parameters, screws, placements])

    return design


def weighted_design_product(formula: Formula, count: int) -> Formula:
    """Return the directional derivative of `weighted_design` along a change of the design.

    It takes the weights and three tangents (nb, 10), (nb, 6), (nb, 6) after the `count` required
    arguments of the formula: Hessian-vector products by forward mode over reverse mode.
    """
    design = weighted_design(formula, count)

    def product(tree: Tree, *values: Any) -> list[Array]:
        inputs, tangents = (
            (*values[: count + 1], *values[count + 4 :]),
            values[count + 1 : count + 4],
        )

        def on_design(tree: Tree, *values: Any) -> Any:
            *state, parameters, screws, placements = values
            return design(_displace(add_inertia(tree, parameters), screws, placements), *state)

        starts = [np.zeros((tree.nb, width)).astype(object) for width in (10, 6, 6)]
        recording = Recording(on_design, keep_equations(tree, inputs[0]), (*inputs, *starts))
        moving = recording.weights(tangents)
        rates: list[Array | None] = [*(None for _ in inputs), *moving]
        if tree.active is not None:
            q, tree, numbers = recording.variables[0], recording.tree, recording.variables[-2:]
            dependent = DependentJoints(Closure(tree, q), q, tree, numbers, _displace)
            rates[0] = dependent.push(*moving[1:])
        return recording.to_caller(recording.tangents(rates))

    return product


def weighted_forward_design(formula: Formula, inverse: Formula) -> Formula:
    """Return `weighted_design` of a with inverse(q, v, a) = tau: that of -M^-1 lam . inverse."""

    def design(
        tree: Tree, q: Array, v: Array, tau: Array, lam: Array, *further: Any
    ) -> list[Array]:
        recording = Recording(formula, tree.lumped, (q, v, tau, *further))
        (mu,) = recording.adjoints(recording.weights([lam]), [2])
        a, mu = recording.to_caller([recording.results[0], mu])
        return weighted_design(inverse, 3)(tree, q, v, a, -mu, *further)

    return design


# ------------------------------------------------------------------ formulations

#: Names of formulations of a derivative in `BoundQuantity.cost`.
CLOSED, FORWARD, REVERSE = "closed form", "forward mode", "reverse mode"


def modes(formula: Callable[..., Any], *, scalar: bool) -> dict[str, Formula]:
    """Return forward and reverse mode of a formula by name; reverse mode first for scalars."""
    modes = {FORWARD: partial(formula, reverse=False), REVERSE: partial(formula, reverse=True)}
    return dict(reversed(modes.items())) if scalar else modes


def shortest(subject: str, formulas: Mapping[str, Formula]) -> Formula:
    """Return a formula that is traced in the shortest of several formulations."""
    if len(formulas) == 1:
        return next(iter(formulas.values()))

    def formula(tree: Tree, *inputs: Any) -> Any:
        return choose(subject, formulas)(tree, *inputs)

    return formula
