"""Steps whose end has to be solved for: midpoints that keep energy, and that are symplectic.

Both have one unknown, the velocity u with which the step is made: it leads from q over the middle
q exp(h u / 2) to q exp(h u), and back again with -u and -h, so that both are symmetric in time and
of the second order. The equations are solved by a fixed number of corrections, with one matrix from
the first guess; where h is too long for them to settle, the step is none.

Implicit midpoint: v+ = 2 u - v, and with r = inverse_dynamics(middle, u, (v+ - v) / h), M there,

    r + lam M u = tau + wrenches - friction,   lam = ((E+ - E) / h - u . r) / (u . M u),

so that the energy E changes by h u . (tau + wrenches - friction), to rounding, in every step: what
the rule without lam, a number of the order h^2, misses. Where u is nothing beside v+ - v it leaves
the correction away.

Variational: the discrete equations of Euler and Lagrange, with h L(middle, u) for the action of a
step and forces in the middle. Symplectic: the energy stays within O(h^2) of what it was and does
not drift; momenta of symmetries that gravity leaves are kept to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from jounce.formulas import configurations, dynamics, momenta, motions, wrt_state
from jounce.formulas.friction import damping
from jounce.formulas.steps import At, Columns, Method, carried
from jounce.math.linear import Orthogonal
from jounce.math.scalar import Array, identity, sign, where, zeros
from jounce.math.spatial import dot
from jounce.model.tree import Tree

#: Corrections of the first guess, whose error each makes smaller by about (h / time scale)^2.
CORRECTIONS = 6

#: u . M u where nothing of the energy is left to correct, beside (v+ - v) . M (v+ - v), and beside
#: the energies, whose rounding would be taken for something.
_STILL = 1e-8


class _Net(NamedTuple):
    """Forces in a state: those that do work, and those of wrenches among them."""

    forces: Array
    pushed: Array


def _net(at: At, q: Array, v: Array) -> _Net:
    """tau, wrenches and friction."""
    forces, pushed = at.tau, zeros(len(at.v))
    if at.laws.rubs:
        forces = forces - dynamics.joint_friction(at.tree, v)
    if at.pushes and at.pushes[0] is not None:
        pushed = dynamics.external_forces(at.tree, q, at.pushes[0])
    return _Net(forces + pushed, pushed)


def _damping(at: At) -> Array:
    """Slope of the friction (nv, nv)."""
    n = len(at.v)
    return np.diag(damping(at.tree)) if at.laws.rubs else zeros(n, n)


def _ends(at: At, u: Array) -> tuple[Array, Array]:
    """Configurations in the middle and at the end of a step with u."""
    half = configurations.integrate(at.tree, at.q, (0.5 * at.h) * u)
    return half, configurations.integrate(at.tree, at.q, at.h * u)


def _guess(at: At) -> Array:
    """The velocity in the middle, by half a step of Euler's method."""
    return at.v + (0.5 * at.h) * at.acceleration(at.q, at.v)


def _solved(at: At, residual: Callable[[At, Array], Array], matrix: Callable[..., Array]) -> Array:
    """The root u of a residual, whose derivative is about the matrix."""
    u = _guess(at)
    slope = Orthogonal(matrix(at, u))
    for _ in range(CORRECTIONS):
        u = u - slope.solve(residual(at, u))
    return u


# ------------------------------------------------------------------ midpoint that keeps energy


class _State(NamedTuple):
    """Energies of a state."""

    kinetic: Any
    potential: Any

    @staticmethod
    def of(tree: Tree, q: Array, v: Array) -> _State:
        return _State(momenta.kinetic_energy(tree, q, v), momenta.potential_energy(tree, q))

    @property
    def energy(self) -> Any:
        """Their sum."""
        return self.kinetic + self.potential

    @property
    def large(self) -> Any:
        """What they are rounded to a part of."""
        return self.kinetic + sign(self.potential) * self.potential


class _Middle(NamedTuple):
    """What the equation of the midpoint is made of; see the head of the file."""

    q: Array
    end: Array
    w: Array  # v+ - v
    r: Array
    p: Array  # M u
    net: _Net
    size: Any  # u . M u
    least: Any  # what it is nothing beside
    share: Any  # 1 / (size^2 + least^2)
    missed: Any  # (E+ - E) / h - u . r
    signs: tuple[Any, Any]  # of the potential energy at both ends

    @property
    def lam(self) -> Any:
        """missed / size, or next to nothing where the size is."""
        return self.missed * (self.size * self.share)


def _middle(at: At, u: Array) -> _Middle:
    tree, (q, end), w = at.tree, _ends(at, u), 2.0 * (u - at.v)
    r = dynamics.inverse_dynamics(tree, q, u, w / at.h)
    p, turned = (momenta.generalized_momentum(tree, q, x) for x in (u, w))
    start, stop = _State.of(tree, at.q, at.v), _State.of(tree, end, u + 0.5 * w)
    size, least = dot(u, p), _STILL * (dot(w, turned) + start.large + stop.large)
    square = size * size + least * least
    share = where(square, 1.0 / square, 0.0)
    missed = (stop.energy - start.energy) / at.h - dot(u, r)
    signs = sign(start.potential), sign(stop.potential)
    return _Middle(q, end, w, r, p, _net(at, q, u), size, least, share, missed, signs)


def _missing(at: At, u: Array) -> Array:
    """h / 2 times what the forces in the middle miss."""
    m = _middle(at, u)
    return (0.5 * at.h) * (m.r + m.lam * m.p - m.net.forces)


def _stiffness(at: At, u: Array) -> Array:
    """About the derivative of that in u: M + h / 2 r_v + h^2 / 4 r_q."""
    q, _ = _ends(at, u)
    a = (2.0 / at.h) * (u - at.v)
    _, r_q, r_v, M = wrt_state.inverse_dynamics_derivatives(at.tree, q, u, a, *at.pushes)
    turned = configurations.integrate_ddv(at.tree, at.q, (0.5 * at.h) * u)
    return M + (0.5 * at.h) * (r_v + _damping(at) + (0.5 * at.h) * (r_q @ turned))


def midpoint(at: At) -> tuple[Array, Array]:
    """q exp(h u) and 2 u - v."""
    u = _solved(at, _missing, _stiffness)
    return configurations.integrate(at.tree, at.q, at.h * u), 2.0 * u - at.v


def midpoint_columns(at: At, given: Columns) -> tuple[Array, Array, Array, Array]:
    """The same with columns, by the theorem of implicit functions."""
    n, count = given.q.shape
    u = _solved(at, _missing, _stiffness)
    linear = _Linear(at, u)
    fixed = linear(given, zeros(n, count))
    none = zeros(n, n)
    moved = linear(Columns(none, none, none), identity(n))
    by_u = -Orthogonal(moved[0]).solve(fixed[0])
    by_q, by_v = (x + y @ by_u for x, y in zip(fixed[1:], moved[1:], strict=True))
    return linear.m.end, 2.0 * u - at.v, by_q, by_v


class _Linear:
    """How what is missing, and q and v at the end, change with q and v at the start, tau and u."""

    def __init__(self, at: At, u: Array) -> None:
        self.at, self.u, self.m = at, u, _middle(at, u)
        tree, m = at.tree, self.m
        none, floating = zeros(len(u)), replace(at.tree, gravity=zeros(3))
        _, self.r_q, self.r_v, self.M = wrt_state.inverse_dynamics_derivatives(
            tree, m.q, u, m.w / at.h
        )
        self.p_q = wrt_state.inverse_dynamics_dq(floating, m.q, none, u)
        self.net_q = zeros(len(u), len(u))
        if at.pushes and at.pushes[0] is not None:
            self.net_q = -wrt_state.inverse_dynamics_dq(floating, m.q, none, none, at.pushes[0])
        ends = (at.q, at.v), (m.end, u + 0.5 * m.w)
        kinetic = [wrt_state.kinetic_energy_dq(tree, *state) for state in ends]
        weight = [dynamics.gravity_forces(tree, q) for q, _ in ends]
        momentum = [momenta.generalized_momentum(tree, *state) for state in ends]
        self.energy = [(t + g, p) for t, g, p in zip(kinetic, weight, momentum, strict=True)]
        self.large = [
            (t + s * g, p) for t, s, g, p in zip(kinetic, m.signs, weight, momentum, strict=True)
        ]
        self.size_q, self.least_q = (
            2.0 * wrt_state.kinetic_energy_dq(tree, m.q, x) for x in (u, m.w)
        )
        self.turned = self.M @ m.w

    def __call__(self, given: Columns, by_u: Array) -> tuple[Array, Array, Array]:
        """Columns of what is missing, and of q and v at the end, for columns of u."""
        at, u, m = self.at, self.u, self.m
        by_w = 2.0 * (by_u - given.v)
        _, by_half = carried(at, (0.5 * at.h) * u, given.q, (0.5 * at.h) * by_u)
        _, by_end = carried(at, at.h * u, given.q, at.h * by_u)
        by_last = 2.0 * by_u - given.v
        by_r = self.r_q @ by_half + self.r_v @ by_u + self.M @ (by_w / at.h)
        by_p = self.M @ by_u + self.p_q @ by_half
        by_net = given.tau + self.net_q @ by_half - _damping(at) @ by_u
        ends = (given.q, given.v), (by_end, by_last)
        start, stop = (x @ q + p @ v for (x, p), (q, v) in zip(self.energy, ends, strict=True))
        large = sum(x @ q + p @ v for (x, p), (q, v) in zip(self.large, ends, strict=True))
        gained = stop - start
        by_size = 2.0 * (m.p @ by_u) + self.size_q @ by_half
        by_least = _STILL * (2.0 * (self.turned @ by_w) + self.least_q @ by_half + large)
        by_missed = gained / at.h - m.r @ by_u - u @ by_r
        slope = (m.least * m.least - m.size * m.size) * by_size
        slope = (slope - 2.0 * m.size * m.least * by_least) * (m.share * m.share)
        by_lam = by_missed * (m.size * m.share) + m.missed * slope
        by_force = by_r + m.lam * by_p + np.outer(m.p, by_lam) - by_net
        return (0.5 * at.h) * by_force, by_end, by_last


# ------------------------------------------------------------------ variational


class _Action(NamedTuple):
    """Momenta that the action of a step has at its ends, and where it ends."""

    before: Array
    after: Array
    end: Array


def _action(at: At, u: Array) -> _Action:
    """From the derivatives of h L(q exp(x / 2), x / h) in both ends of the step x.

    With J the derivative of q exp(x) in x, A that in q and Q = L_q + forces in the middle: the
    momentum pi = M u + h / 2 J(x/2)^T Q of x is J(x)^T times that after, and J(-x)^T times that
    before with h A(x/2)^T Q.
    """
    tree, x, (q, end) = at.tree, at.h * u, _ends(at, u)
    Q = wrt_state.kinetic_energy_dq(tree, q, u) - dynamics.gravity_forces(tree, q)
    Q = Q + _net(at, q, u).forces
    turned = configurations.integrate_ddv(tree, at.q, 0.5 * x)
    pi = momenta.generalized_momentum(tree, q, u) + (0.5 * at.h) * (turned.T @ Q)
    after = configurations.integrate_ddv_inverse(tree, x).T @ pi
    moved = configurations.integrate_dq(tree, at.q, 0.5 * x)
    before = configurations.integrate_ddv_inverse(tree, -x).T @ pi - at.h * (moved.T @ Q)
    return _Action(before, after, end)


def _jump(at: At, u: Array) -> Array:
    """What the momentum before a step with u is beyond that of the state."""
    return _action(at, u).before - momenta.generalized_momentum(at.tree, at.q, at.v)


def _jump_matrix(at: At, u: Array) -> Array:
    """The derivative of that in u, by series."""

    def jump(tree: Tree, u: Array) -> Array:
        return _jump(at, u)

    return wrt_state.directional(jump, at.tree, (u,), 0, configuration=False)


def variational(at: At) -> tuple[Array, Array]:
    """q exp(h u), and v with the momentum after the step."""
    return _after(at, _solved(at, _jump, _jump_matrix))


def _after(at: At, u: Array) -> tuple[Array, Array]:
    found = _action(at, u)
    return found.end, dynamics.solve_for_acceleration(at.tree, found.end, found.after)


def variational_columns(at: At, given: Columns) -> tuple[Array, Array, Array, Array]:
    """The same with columns, by the theorem of implicit functions, and series."""
    u = _solved(at, _jump, _jump_matrix)
    q, v = _after(at, u)

    def all_of(tree: Tree, u: Array, q: Any, v: Array, tau: Array) -> tuple[Array, Array, Array]:
        place = At(at.laws, tree, motions.coordinates(tree, q), v, tau, at.h, at.pushes)
        return _jump(place, u), *_after(place, u)

    def along(place: int) -> tuple[Array, Array, Array]:
        arguments = (u, at.q, at.v, at.tau)
        jump, by_q, by_v = wrt_state.directional(
            all_of, at.tree, arguments, place, configuration=place == 1
        )
        columns = [motions.configuration_velocity(at.tree, q, x) for x in by_q.T]
        return jump, np.stack(columns, axis=1), by_v

    moved = along(0)
    parts = [(along(k + 1), by) for k, by in enumerate(given[:3]) if any(x != 0 for x in by.flat)]
    fixed = [sum((part[k] @ by for part, by in parts), zeros(*given.q.shape)) for k in range(3)]
    by_u = -Orthogonal(moved[0]).solve(fixed[0])
    by_q, by_v = (x + y @ by_u for x, y in zip(fixed[1:], moved[1:], strict=True))
    return q, v, by_q, by_v


MIDPOINT = Method(midpoint, midpoint_columns)
VARIATIONAL = Method(variational, variational_columns)
