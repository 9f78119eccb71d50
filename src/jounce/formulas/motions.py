"""Taylor series of a motion: configurations and velocities as jets, from a state's rates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any

from jounce.formulas.kinematics import integrate_series
from jounce.formulas.mechanism.loops import Closure
from jounce.math.jets import from_rates, rates_of
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import dot
from jounce.model.manifold import leaders
from jounce.model.tree import Tree


def configuration_rate(tree: Tree, q: Array, v: Array) -> Array:
    """Return dq/dt (nq,) for a velocity (of the independent joints of a mechanism)."""
    v_all = v if tree.active is None else Closure(tree, q).velocity(v)
    out = zeros(tree.nq)
    for node in tree.nodes:  # followers repeat their leader's
        out[node.qs] = node.motion.configuration_rate(q[node.qs], v_all[node.vs])
    return out


def configuration_gradient(tree: Tree, q: Array, gradient: Array) -> Array:
    """Return the gradient in velocities from that in coordinates: its transpose."""
    v_all = zeros(tree.nv)
    for node in tree.nodes:  # followers repeat their leader's
        for k, unit in zip(
            range(node.vs.start, node.vs.stop), identity(node.motion.nv), strict=True
        ):
            rate = node.motion.configuration_rate(q[node.qs], unit)
            v_all[k] = dot(rate, gradient[node.qs])
    return v_all if tree.active is None else Closure(tree, q).forces(v_all)


def configuration_velocity(tree: Tree, q: Array, rates: Array) -> Array:
    """Return the velocity from the rates of coordinates: inverse of `configuration_rate`."""
    v_all = zeros(tree.nv)
    for node in leaders(tree):
        v_all[node.vs] = node.motion.velocity(q[node.qs], rates[node.qs])
    return v_all if tree.active is None else v_all[list(tree.active)]


def configuration_weights(tree: Tree, q: Array, weights: Array) -> Array:
    """Return weights of coordinate rates from those of velocities: its transpose."""
    v_all, out = weights, zeros(tree.nq)
    if tree.active is not None:
        v_all = zeros(tree.nv)
        v_all[list(tree.active)] = weights
    for node in leaders(tree):
        for k, unit in zip(
            range(node.qs.start, node.qs.stop), identity(node.motion.nq), strict=True
        ):
            out[k] = dot(node.motion.velocity(q[node.qs], unit), v_all[node.vs])
    return out


def configuration_jets(tree: Tree, q: Array, rates: Sequence[Array]) -> Array:
    """Return jets of q, of order len(rates), for the velocity and its rates = (v, a, ...).

    They follow from dq/dt = f(q, v) coefficient by coefficient.
    """
    return integrate_series(tree, q, from_rates(rates))


def time_derivatives(
    formula: Callable[..., Any], tree: Tree, q: Array, rates: Sequence[Array], order: int
) -> list[Any]:
    """Return the value and time derivatives 1..order of formula(tree, q[, v[, a]]) along a motion.

    rates = (v, a, ...): as many as the formula takes, plus `order`. Exact by Taylor series, but
    slow; a reference for closed forms.
    """
    n_rates = len(signature(formula).parameters) - 2
    needed = order + n_rates
    if len(rates) < needed:
        raise ValueError(f"order {order} needs {needed} rates (v, a, ...), found {len(rates)}")
    if order == 0:
        return [formula(tree, q, *rates[:n_rates])]
    q_jets = configuration_jets(tree, q, rates[:order])
    arguments = [from_rates(rates[k : k + order + 1]) for k in range(n_rates)]
    return rates_of(formula(tree, q_jets, *arguments), order)
