"""Steps whose end has to be solved for: midpoints that keep energy, and that are symplectic.

Both have one unknown, the velocity u with which the step is made: it leads from q over the middle
q exp(h u / 2) to q exp(h u), and back again with -u and -h, so that both are symmetric in time and
of the second order. The equations are solved by Newton's method with two matrices, of the first
guess and after two corrections, and six corrections in all. Where h is too long for them to
converge, the step is NaN. Derivatives are those of the solution, by the implicit function theorem.

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
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from jounce.formulas import configurations, dynamics, kinematics, momenta, motions, wrt_state
from jounce.formulas.friction import damping
from jounce.formulas.kinematics import accumulate, joint_poses, refuse_series
from jounce.formulas.springs import spring_energy
from jounce.formulas.steps import At, Columns, Method, carried
from jounce.math.linear import Orthogonal, mark_root
from jounce.math.scalar import Array, array, dropped, identity, sign, where, zeros
from jounce.math.spatial import dot
from jounce.model.tree import Tree

#: Corrections with the matrix of the first guess, and with that after these.
CORRECTIONS = (2, 4)

#: Error of u, beside itself, above which a step has not converged.
_TOLERANCE = 1e-12

#: How much larger it may be where corrections do not become smaller any more: mostly rounding.
_SETTLED = 1e6

#: Rounding of energies, beside the terms that they are sums of.
_ROUNDING = 1e-14

#: A change that double precision sees, and single precision does not.
_SMALL = 2.0**-30

#: u . M u where nothing of the energy is left to correct, beside the energies, whose rounding would
#: be taken for something.
_STILL = 1e-8


class _Net(NamedTuple):
    """Forces in a state: those that do work, and those of wrenches among them."""

    forces: Array
    pushed: Array


def _net(at: At, q: Array, v: Array) -> _Net:
    """Return tau, wrenches and friction."""
    forces, pushed = at.tau, zeros(len(at.v))
    if at.laws.rubs:
        forces = forces - dynamics.joint_friction(at.tree, v)
    if at.pushes and at.pushes[0] is not None:
        pushed = dynamics.external_forces(at.tree, q, at.pushes[0])
    return _Net(forces + pushed, pushed)


def _damping(at: At) -> Array:
    """Return the slope of the friction (nv, nv)."""
    n = len(at.v)
    return np.diag(damping(at.tree)) if at.laws.rubs else zeros(n, n)


def _ends(at: At, u: Array) -> tuple[Array, Array]:
    """Return the configurations in the middle and at the end of a step with u."""
    half = configurations.integrate(at.tree, at.q, (0.5 * at.h) * u)
    return half, configurations.integrate(at.tree, at.q, at.h * u)


def _guess(at: At) -> Array:
    """Return the velocity in the middle, by half a step of Euler's method."""
    return at.v + (0.5 * at.h) * at.acceleration(at.q, at.v)


class _System(NamedTuple):
    """Equations for u: residual(at, u) = 0, momenta.

    matrices: derivatives of the residual in u, the first of which may be a rough one. allowed(at,
    u): squares of the residual that is left where it has converged.
    """

    residual: Callable[[At, Array], Array]
    matrices: tuple[Callable[[At, Array], Array], ...]
    allowed: Callable[[At, Array], Array]

    def solve(self, at: At) -> Array:
        """Return the root u, or NaN where it is not found."""
        given = (at.q, at.v, at.tau, [at.h], at.tree.gravity, *at.pushes)
        refuse_series(at.tree, (x for x in given if x is not None))
        u, inverse = [_guess(at)], zeros(len(at.v))
        sizes: list[Any] = []
        for matrix, count in zip(self.matrices, CORRECTIONS, strict=True):
            A = matrix(at, u[-1])
            factors, inverse = Orthogonal(A), 1.0 / np.diag(A)
            for _ in range(count):
                missing = self.residual(at, u[-1])
                u.append(u[-1] - factors.solve(missing))
                sizes.append(dot(missing * missing, inverse))
        allowed = self.allowed(at, u[-2]) + _sticking(at, u[-3:])
        valid = _converged(at, sizes[-2], sizes[-1], dot(allowed, inverse))
        return mark_root(u[-1] * valid / valid, lambda u: self.residual(at, u))


def _converged(at: At, before: Any, last: Any, allowed: Any) -> Any:
    """Return 1 if the squares of the last residuals are as small as they should be, else 0.

    One more correction would be to the last one as that is to the one before. Always 1 in single
    precision, which is too coarse to tell.
    """
    slow = last * last - allowed * before
    excess = where(last - 0.1 * before, last - _SETTLED**2 * allowed, slow)
    double = (at.h + _SMALL * at.h) - at.h
    return dropped(1.0, excess * (double * double))


def _sticking(at: At, u: list[Array]) -> Array:
    """Squares of the residuals that are left of joints whose Coulomb friction changes its sign.

    Where it holds them there is no solution, as stiction is not modelled: they stay about at rest.
    """
    if not at.laws.rubs:
        return zeros(len(at.v))
    signs = [array(sign(x) for x in each) for each in u]
    coulomb = [dynamics.joint_friction(at.tree, x) - damping(at.tree) * x for x in signs]
    first, second = (at.h * (y - x) for x, y in pairwise(coulomb))
    return first * first + second * second


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
        """Magnitude of the energies, which scales their round-off."""
        return self.kinetic + sign(self.potential) * self.potential


class _Middle(NamedTuple):
    """Terms of the midpoint equation; see the module docstring."""

    q: Array
    end: Array
    w: Array  # v+ - v
    r: Array
    p: Array  # M u
    net: _Net
    size: Any  # u . M u
    least: Any  # the size that is nothing beside energies
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
    p = momenta.generalized_momentum(tree, q, u)
    start, stop = _State.of(tree, at.q, at.v), _State.of(tree, end, u + 0.5 * w)
    size, least = dot(u, p), _STILL * (start.large + stop.large)
    square = size * size + least * least
    share = where(square, 1.0 / square, 0.0)
    missed = (stop.energy - start.energy) / at.h - dot(u, r)
    signs = sign(start.potential), sign(stop.potential)
    return _Middle(q, end, w, r, p, _net(at, q, u), size, least, share, missed, signs)


def _missing(at: At, u: Array) -> Array:
    """Return h / 2 times what the forces in the middle miss."""
    m = _middle(at, u)
    return (0.5 * at.h) * (m.r + m.lam * m.p - m.net.forces)


def _missing_allowed(at: At, u: Array) -> Array:
    """Squares of what may be missing beside momenta and forces, and by the rounding of energies."""
    m = _middle(at, u)
    exact = m.p * m.p + (0.25 * at.h * at.h) * (m.r * m.r + at.tau * at.tau)
    kinetic = momenta.kinetic_energy(at.tree, at.q, at.v)
    terms = kinetic + _potential_terms(at.tree, m.q)
    rounding = _ROUNDING * terms * m.size * m.share
    return _TOLERANCE**2 * exact + (rounding * rounding) * (m.p * m.p)


def _potential_terms(tree: Tree, q: Array) -> Any:
    """Return the sum of the magnitudes of what the potential energy is the sum of."""
    R, p = accumulate(tree, joint_poses(tree, q))
    total: Any = 0.0
    for node, Ri, pi in zip(tree.nodes, R, p, strict=True):
        m, h = node.inertia[0], node.inertia[1:4]
        for term in (m * dot(tree.gravity, pi), dot(tree.gravity, Ri @ h)):
            total = total + sign(term) * term
    return total + spring_energy(tree, q)


def _stiffness(at: At, u: Array) -> Array:
    """Return the about the derivative of what is missing in u: M + h / 2 r_v + h^2 / 4 r_q."""
    q, _ = _ends(at, u)
    a = (2.0 / at.h) * (u - at.v)
    _, r_q, r_v, M = wrt_state.inverse_dynamics_derivatives(at.tree, q, u, a, *at.pushes)
    turned = configurations.integrate_ddv(at.tree, at.q, (0.5 * at.h) * u)
    return M + (0.5 * at.h) * (r_v + _damping(at) + (0.5 * at.h) * (r_q @ turned))


def _missing_matrix(at: At, u: Array) -> Array:
    """Return the derivative of what is missing in u."""
    none = zeros(len(u), len(u))
    return _Linear(at, u)(Columns(none, none, none), identity(len(u)))[0]


_MIDPOINT = _System(_missing, (_stiffness, _missing_matrix), _missing_allowed)


def midpoint(at: At) -> tuple[Array, Array]:
    """Return q exp(h u) and 2 u - v."""
    u = _MIDPOINT.solve(at)
    return configurations.integrate(at.tree, at.q, at.h * u), 2.0 * u - at.v


def midpoint_columns(at: At, given: Columns) -> tuple[Array, Array, Array, Array]:
    """Return the same with columns, by the implicit function theorem."""
    n, count = given.q.shape
    u = _MIDPOINT.solve(at)
    linear = _Linear(at, u)
    fixed = linear(given, zeros(n, count))
    none = zeros(n, n)
    moved = linear(Columns(none, none, none), identity(n))
    by_u = -Orthogonal(moved[0]).solve(fixed[0])
    by_q, by_v = (x + y @ by_u for x, y in zip(fixed[1:], moved[1:], strict=True))
    return linear.m.end, 2.0 * u - at.v, by_q, by_v


class _Linear:
    """Linearization of the midpoint residual and end state in q, v, tau and u."""

    def __init__(self, at: At, u: Array) -> None:
        self.at, self.u, self.m = at, u, _middle(at, u)
        tree, m = at.tree, self.m
        none, floating = zeros(len(u)), at.tree.without_potential()
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
        self.size_q = 2.0 * wrt_state.kinetic_energy_dq(tree, m.q, u)

    def __call__(self, given: Columns, by_u: Array) -> tuple[Array, Array, Array]:
        """Return the columns of what is missing, and of q and v at the end, for columns of u."""
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
        by_least = _STILL * large
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
    """Return the momentum residual: before a step with u, minus that of the state."""
    return _action(at, u).before - momenta.generalized_momentum(at.tree, at.q, at.v)


def _jump_matrix(at: At, u: Array) -> Array:
    """Return the derivative of that in u, by series."""

    def jump(tree: Tree, u: Array) -> Array:
        return _jump(at, u)

    return wrt_state.directional(jump, at.tree, (u,), 0, configuration=False)


def _jump_allowed(at: At, u: Array) -> Array:
    """Squares of what it may be beside momenta at both ends, and the forces for a step."""
    parts = momenta.generalized_momentum(at.tree, at.q, at.v), _action(at, u).after, at.h * at.tau
    return _TOLERANCE**2 * sum((x * x for x in parts), zeros(len(u)))


_VARIATIONAL = _System(_jump, (_jump_matrix, _jump_matrix), _jump_allowed)


def variational(at: At) -> tuple[Array, Array]:
    """Return q exp(h u), and v with the momentum after the step."""
    return _after(at, _VARIATIONAL.solve(at))


def _after(at: At, u: Array) -> tuple[Array, Array]:
    found = _action(at, u)
    return found.end, dynamics.solve_for_acceleration(at.tree, found.end, found.after)


def variational_columns(at: At, given: Columns) -> tuple[Array, Array, Array, Array]:
    """Return the same with columns, by the implicit function theorem, and series."""
    u = _VARIATIONAL.solve(at)
    q, v = _after(at, u)

    def all_of(tree: Tree, u: Array, q: Any, v: Array, tau: Array) -> tuple[Array, Array, Array]:
        place = At(at.laws, tree, kinematics.coordinates(tree, q), v, tau, at.h, at.pushes)
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
