"""Hybrid dynamics: some accelerations are prescribed, the forces of the other joints are given.

With the prescribed velocities p and the others f of M a + h = tau, h = C v + g,

    M_ff a_f = tau_f - h_f - M_fp a_p        tau_p = h_p + M_pp a_p + M_pf a_f

(Featherstone, chapter 9). No prescribed joint is forward dynamics, all of them inverse dynamics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from jounce.formulas import dynamics, wrt_time
from jounce.formulas.mechanism import dynamics as loop_dynamics
from jounce.math.linear import factorize, solve_factorized
from jounce.math.scalar import Array, zeros
from jounce.model.tree import Tree


class Equations(NamedTuple):
    """The equations of motion of a tree or a mechanism."""

    inverse_dynamics: Callable[..., Array]
    mass_matrix: Callable[[Tree, Any], Array]


TREE = Equations(dynamics.inverse_dynamics, dynamics.mass_matrix)
MECHANISM = Equations(loop_dynamics.inverse_dynamics, loop_dynamics.mass_matrix)


def free_velocities(tree: Tree) -> list[int]:
    """Return the velocities whose forces are given."""
    return [k for k in range(tree.dof) if k not in tree.prescribed]


def only(entries: list[int], x: Array) -> Array:
    """Return x with zeros except at some entries."""
    out = zeros(len(x))
    out[entries] = x[entries]
    return out


def hybrid_dynamics(
    of: Equations, tree: Tree, q: Any, v: Array, a: Array, tau: Array, *forces: Array | None
) -> tuple[Array, Array]:
    """Return the accelerations and forces of all joints."""
    given = only(list(tree.prescribed), a)
    M = of.mass_matrix(tree, q)
    held = of.inverse_dynamics(tree, q, v, given, *forces)
    return complete_dynamics(tree, partial(solve_free, tree, M), M, given, tau, held)


def solve_free(tree: Tree, M: Array, tau: Array) -> Array:
    """Return x, zero at the prescribed velocities, with (M x)_f = tau_f."""
    free, out = free_velocities(tree), zeros(tree.dof)
    if free:
        out[free] = solve_factorized(*factorize(M[free][:, free]), tau[free])
    return out


def complete_dynamics(
    tree: Tree,
    solve: Callable[[Array], Array],
    M: Array,
    given: Array,
    tau: Array,
    held: Array,
) -> tuple[Array, Array]:
    """Return accelerations and forces. held: the forces with only the given accelerations."""
    free = free_velocities(tree)
    found = solve(tau - held)
    forces = held + M @ found
    forces[free] = tau[free]
    return given + found, forces


def hybrid_dynamics_rates(
    of: Equations, tree: Tree, order: int, given: Mapping[str, Array]
) -> list[tuple[Array, Array]]:
    """Return (a, tau) and their time derivatives: each order is the same system again."""
    signals = {name: wrt_time.signals(given, order, name)[name] for name in ("a", "tau")}
    M = of.mass_matrix(tree, given["q"])
    solve = partial(solve_free, tree, M)
    found: list[Array] = []
    levels = []
    for k in range(order + 1):
        prescribed = only(list(tree.prescribed), signals["a"][k])
        series = wrt_time.motion_series(given, [*found, prescribed], k)
        series |= wrt_time.signals(given, k, "wrenches", "joint_forces")
        held = wrt_time.rates(of.inverse_dynamics, tree, series, k)[k]
        levels.append(complete_dynamics(tree, solve, M, prescribed, signals["tau"][k], held))
        found.append(levels[-1][0])
    return levels
