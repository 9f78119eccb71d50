"""Time derivatives of any order, of any formula.

A formula evaluated on Taylor series gives the series of its result. This is cheap since the pose of
a joint at time t is its pose at time zero times a series that starts at the identity
(`joints.drift`), so sines, cosines and quaternions are never expanded. It is the recursion E(m, l)
of Garofalo's closing remark with its binomials absorbed in the Taylor coefficients; for forces it
remains linear in the number of joints.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from jounce.formulas.dynamics import inverse_dynamics, solve_for_acceleration
from jounce.formulas.kinematics import Motion, refuse_series
from jounce.math.jets import coefficients, from_coefficients, from_rates, rates_of
from jounce.math.scalar import Array, zeros
from jounce.math.spatial import cross
from jounce.model.tree import Tree


def rates(
    formula: Callable[..., Any],
    tree: Tree,
    series: Mapping[str, Sequence[Array]],
    order: int,
    extra: tuple[Any, ...] = (),
    *,
    moving: Collection[str] = ("q",),
) -> list[Any]:
    """Return value and time derivatives 1..order of formula(tree, *arguments, *extra).

    series: each argument with its time derivatives up to `order`, in the formula's order. moving:
    names of the arguments that are configurations. Each order is a tuple for several results.
    """
    tree = with_base_series(tree, order)
    if order == 0:
        return [formula(tree, *(values[0] for values in series.values()), *extra)]
    refuse_series(tree, (x for values in series.values() for x in values))
    arguments: list[Any] = []
    for name, values in series.items():
        if name in moving:
            arguments.append(Motion(values[0], from_rates(values[1:])))
        else:
            arguments.append(from_rates(values))
    result = formula(tree, *arguments, *extra)
    if isinstance(result, tuple):
        return list(zip(*(rates_of(x, order) for x in result), strict=True))
    return rates_of(result, order)


def with_base_series(tree: Tree, order: int) -> Tree:
    """Return the tree with the motion of its base, if any, as series of that order.

    Gravity is constant in the world, so in the axes of a base that rotates with w, g' = -w x g.
    """
    if not tree.base or order == 0:
        return tree
    orders = range(len(tree.base) - order)
    base = tuple(from_rates(tree.base[k : k + order + 1]) for k in orders)
    turn = coefficients(base[0][:3], order)
    gravity = [tree.gravity]
    for k in range(order):
        pairs = zip(turn, reversed(gravity), strict=False)
        gravity.append(sum((cross(g, w) for w, g in pairs), zeros(3)) / (k + 1))
    return replace(tree, base=base, gravity=from_coefficients(gravity))


def motion_series(
    inputs: Mapping[str, Array], accelerations: Sequence[Array], order: int
) -> dict[str, Sequence[Array]]:
    """Return q, v, a with their rates up to `order`; unknown rates of a are zero."""
    q, v = inputs["q"], inputs["v"]
    zero_rates = (zeros(len(v)),) * (order + 1 - len(accelerations))
    return {
        "q": [q, v, *accelerations][: order + 1],
        "v": [v, *accelerations][: order + 1],
        "a": [*accelerations, *zero_rates],
    }


def signals(inputs: Mapping[str, Array], order: int, *names: str) -> dict[str, Sequence[Array]]:
    """Return the named signals present in `inputs`, with rates up to `order`."""
    levels = {name: [x for key, x in inputs.items() if key.endswith(name)] for name in names}
    return {name: values[: order + 1] for name, values in levels.items() if values}


def forward_dynamics_rates(
    tree: Tree,
    order: int,
    inputs: Mapping[str, Array],
    forces: Callable[..., Array] = inverse_dynamics,
    solve: Callable[[Array], Array] | None = None,
) -> list[Array]:
    """Return a and its time derivatives up to `order`, from those of tau.

    forces: formula of tau, affine in a with the matrix M. solve: M^-1 times a vector.

    The k-th derivative of M a + C v + g = tau is M a^(k) plus its value for a^(k) = 0, so each
    order takes one inverse dynamics on series and one solution with the same M.
    """
    solve = solve or partial(solve_for_acceleration, tree, inputs["q"])
    taus = signals(inputs, order, "tau")["tau"]
    accelerations: list[Array] = []
    for k in range(order + 1):
        series = motion_series(inputs, accelerations, k) | signals(
            inputs, k, "wrenches", "joint_forces"
        )
        accelerations.append(solve(taus[k] - rates(forces, tree, series, k)[k]))
    return accelerations


def constrained_rates(
    balance: Callable[..., Array],
    tree: Tree,
    order: int,
    inputs: Mapping[str, Array],
    solve: Callable[[Array, Array], tuple[Array, Array]],
    count: int,
    *names: str,
) -> tuple[list[Array], list[Array]]:
    """Return a and `count` multipliers with time derivatives; each order solves one system.

    balance(tree, q, v, a, lam, tau, ...): residuals of forces and constraints. solve: a and lam for
    negative residuals of both. names: signals besides tau.
    """
    accelerations: list[Array] = []
    multipliers: list[Array] = []
    for k in range(order + 1):
        series = motion_series(inputs, accelerations, k) | {"lam": [*multipliers, zeros(count)]}
        residual = rates(balance, tree, series | signals(inputs, k, "tau", *names), k)[k]
        a, lam = solve(-residual[: tree.nv], -residual[tree.nv :])
        accelerations.append(a)
        multipliers.append(lam)
    return accelerations, multipliers
