"""Derivatives of any formula in all directions of its state or of the robot's numbers.

By first-order Taylor series where the formula takes them, and on a recording where it does not, as
it takes series itself or is a derivative already. Series need the same operations or a few less, as
they know that a joint's pose turns with it. Results are lists, one array per result of the formula;
axes of differentiation come last.
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

#: Rates of the variables along each direction: by the number of the variable, an array with the
#: directions along its last axis.
Seeds = Mapping[int, Array]

#: Directions from which the cost of all is estimated.
_SAMPLE_DIRECTIONS = 4

#: Estimates may be 25 % high; let such graphs through and check while tracing.
_ESTIMATE_MARGIN = 1.25

#: Safety factor for sublinear growth with the number of results.
_GROWTH_MARGIN = 4

#: Operations of a reverse pass, relative to a forward one.
_ADJOINT_COST = 3

#: Results per direction beyond which reverse mode is not tried.
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
    """Derivatives of all results in the input number `place`, its axes last.

    configuration: whether that input is one, which moves along velocities, or a plain array.
    reverse: differentiate in reverse mode, by a pass for each result.
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
    """Rates of the results along all directions; in reverse mode also where results are few."""
    count = next(iter(seeds.values())).shape[-1]
    results = sum(x.size for x in recording.results)
    largest = max(x.size for x in recording.results)
    if reverse and largest > max(1, _MAX_RESULT_RATIO * count):
        raise UnsuitableModeError(
            f"reverse mode does not pay for {largest} results and {count} directions"
        )
    if reverse or _ADJOINT_COST * results <= count:
        return _by_adjoints(recording, seeds, count)
    _refuse_too_large(recording, seeds, count)
    columns = [_tangent(recording, seeds, h) for h in range(count)]
    return [np.stack(parts, axis=-1) for parts in zip(*columns, strict=True)]


def _tangent(recording: Recording, seeds: Seeds, h: int) -> list[Array]:
    """Rates of the results along one direction."""
    indices = range(len(recording.variables))
    return recording.tangents([seeds[k][..., h] if k in seeds else None for k in indices])


def _refuse_too_large(recording: Recording, seeds: Seeds, count: int) -> None:
    """Raise `GraphFull` before all directions are computed, if a few show that it will be.

    A tangent takes at most three operations for each that is recorded, so most need no estimate.
    Where the caller wants more results, this is a part of the whole: operations rise a little
    slower than their number.
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


# ------------------------------------------------------------------ numbers of the robot


def add_inertia(tree: Tree, added_parameters: Array) -> Tree:
    """The tree with parameters (nb, 10) added to those of its bodies."""
    nodes = list(tree.nodes)
    for i, pi in zip(tree.node_of_body, added_parameters, strict=True):
        added = moved_inertia(pi, nodes[i].R_user, nodes[i].p_user)
        nodes[i] = replace(nodes[i], inertia=nodes[i].inertia + added)
    return replace(tree, nodes=tuple(nodes))


def displace_joints(tree: Tree, twists: Array, *, screw: bool) -> Tree:
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
    """Derivatives of all results in screws or placements of the joints, axes (nb, 6) last.

    q: which of the inputs is the configuration.
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
) -> list[Array]:
    """Derivatives of all results in numbers x (nb, width) at zero, axes (nb, width) last.

    changed(tree, x): the tree with them. q: which input is the configuration of a mechanism whose
    dependent joints follow when x changes; None where nothing follows.
    """
    count = len(inputs)

    def on_numbers(tree: Tree, *values: Any) -> Any:
        return formula(change(tree, values[count]), *values[:count], *values[count + 1 :])

    start = np.zeros((tree.nb, width)).astype(object)
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
        formula(tree, *inputs, *extra)  # says what is wrong with the tree
        raise
    return [part.reshape(*part.shape[:-1], tree.nb, width) for part in derivatives]


# ------------------------------------------------------------------ several at once


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


def weighted_design(formula: Formula, count: int) -> Formula:
    """Gradient of lam . result in parameters (nb, 10), screws (nb, 6) and placements (nb, 6).

    Of a formula(tree, q, ...) of `count` required arguments as one that takes lam after them. One
    reverse pass gives all three; of a mechanism the dependent joints follow, also in reverse.
    """

    def displace(tree: Tree, screws: Array, placements: Array) -> Tree:
        tree = displace_joints(tree, screws, screw=True)
        return displace_joints(tree, placements, screw=False)

    def design(tree: Tree, *values: Any) -> list[Array]:
        inputs, lam = (*values[:count], *values[count + 1 :]), values[count]

        def on_design(tree: Tree, *values: Any) -> Any:
            *state, parameters, screws, placements = values
            return formula(displace(add_inertia(tree, parameters), screws, placements), *state)

        starts = [np.zeros((tree.nb, width)).astype(object) for width in (10, 6, 6)]
        recording = Recording(on_design, keep_equations(tree, inputs[0]), (*inputs, *starts))
        by_q, *_, parameters, screws, placements = recording.adjoints(recording.weights([lam]))
        if tree.active is not None:
            q, tree, numbers = recording.variables[0], recording.tree, recording.variables[-2:]
            shares = DependentJoints(Closure(tree, q), q, tree, numbers, displace).pull(by_q)
            screws, placements = screws + shares[0], placements + shares[1]
        return recording.to_caller([parameters, screws, placements])

    return design


def weighted_forward_design(formula: Formula, inverse: Formula) -> Formula:
    """The same of lam . a where inverse(q, v, a) = tau: that of -M^-1 lam . inverse at a."""

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
    """Forward and reverse mode of a formula with `reverse` by name; of scalars reverse first."""
    modes = {FORWARD: partial(formula, reverse=False), REVERSE: partial(formula, reverse=True)}
    return dict(reversed(modes.items())) if scalar else modes


def shortest(subject: str, formulas: Mapping[str, Formula]) -> Formula:
    """A formula with several formulations, of which tracing takes the shortest."""
    if len(formulas) == 1:
        return next(iter(formulas.values()))

    def formula(tree: Tree, *inputs: Any) -> Any:
        return choose(subject, formulas)(tree, *inputs)

    return formula
