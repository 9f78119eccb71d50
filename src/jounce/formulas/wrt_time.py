"""Time derivatives of any order, of any formula.

A formula evaluated on Taylor series gives the series of its result. What makes this cheap is how
the configuration enters: the pose of a joint at time t is its pose at time zero times a series that
starts at the identity (`joints.drift`), so sines, cosines and quaternions are never expanded. This
is the recursion E(m, l) behind Garofalo's closing remark with its binomials absorbed in the Taylor
coefficients; for forces it stays linear in the number of joints.
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
    """Value and time derivatives 1..order of formula(tree, *arguments, *extra), tuples of several.

    series: each argument with its time derivatives up to `order`, in the formula's order. moving:
    those that are configurations.
    """
    tree = under_way(tree, order)
    if order == 0:
        return [formula(tree, *(values[0] for values in series.values()), *extra)]
    refuse_series(tree, (x for values in series.values() for x in values))
    arguments: list[Any] = []
    for name, values in series.items():
        if name in moving:
            arguments.append(Motion(values[0], from_rates(values[1:])))
        else:
            arguments.append(from_rates(values))
    found = formula(tree, *arguments, *extra)
    if isinstance(found, tuple):
        return list(zip(*(rates_of(x, order) for x in found), strict=True))
    return rates_of(found, order)


def under_way(tree: Tree, order: int) -> Tree:
    """The tree with the motion of what it is mounted on as series of that order, if it moves.

    Gravity stays where it is, so in the axes of a base that turns with w it has g' = -w x g.
    """
    if not tree.base or order == 0:
        return tree
    found = range(len(tree.base) - order)
    base = tuple(from_rates(tree.base[k : k + order + 1]) for k in found)
    turn = coefficients(base[0][:3], order)
    gravity = [tree.gravity]
    for k in range(order):
        pairs = zip(turn, reversed(gravity), strict=False)
        gravity.append(sum((cross(g, w) for w, g in pairs), zeros(3)) / (k + 1))
    return replace(tree, base=base, gravity=from_coefficients(gravity))


def motion_series(
    given: Mapping[str, Array], found: Sequence[Array], order: int
) -> dict[str, Sequence[Array]]:
    """Return q, v, a with their rates up to `order`; a rate of a that is not found yet is zero."""
    q, v = given["q"], given["v"]
    rest = (zeros(len(v)),) * (order + 1 - len(found))
    return {"q": [q, v, *found][: order + 1], "v": [v, *found][: order + 1], "a": [*found, *rest]}


def signals(given: Mapping[str, Array], order: int, *names: str) -> dict[str, Sequence[Array]]:
    """Return the named signals present in `given`, with rates up to `order`."""
    levels = {name: [x for key, x in given.items() if key.endswith(name)] for name in names}
    return {name: values[: order + 1] for name, values in levels.items() if values}


def forward_dynamics_rates(
    tree: Tree,
    order: int,
    given: Mapping[str, Array],
    forces: Callable[..., Array] = inverse_dynamics,
    solve: Callable[[Array], Array] | None = None,
) -> list[Array]:
    """Return a and its time derivatives for tau and its own.

    forces: what tau is equal to, with M a as its share of a. solve: M^-1 times a vector.

    The k-th derivative of M a + C v + g = tau is M a^(k) + (what it is with a^(k) = 0), so each
    order is one inverse dynamics on series and one solution with the same M.
    """
    solve = solve or partial(solve_for_acceleration, tree, given["q"])
    taus = signals(given, order, "tau")["tau"]
    found: list[Array] = []
    for k in range(order + 1):
        series = motion_series(given, found, k) | signals(given, k, "wrenches", "joint_forces")
        found.append(solve(taus[k] - rates(forces, tree, series, k)[k]))
    return found


def constrained_rates(
    balance: Callable[..., Array],
    tree: Tree,
    order: int,
    given: Mapping[str, Array],
    solve: Callable[[Array, Array], tuple[Array, Array]],
    count: int,
    *names: str,
) -> tuple[list[Array], list[Array]]:
    """a and `count` multipliers with their time derivatives: each order is the same system again.

    balance(tree, q, v, a, lam, tau, ...): forces, then constraints, zero at the solution. solve: a
    and lam for minus what is missing of both. names: signals besides tau.
    """
    found: list[Array] = []
    multipliers: list[Array] = []
    for k in range(order + 1):
        series = motion_series(given, found, k) | {"lam": [*multipliers, zeros(count)]}
        missing = rates(balance, tree, series | signals(given, k, "tau", *names), k)[k]
        a, lam = solve(-missing[: tree.nv], -missing[tree.nv :])
        found.append(a)
        multipliers.append(lam)
    return found, multipliers
