"""Implicit integration steps: an energy-conserving midpoint rule and a variational integrator.

Both solve for one unknown, the velocity u of the step, which leads from q through the midpoint
q exp(h u / 2) to q exp(h u). Both are symmetric in time and of second order. The equations are
solved by six modified Newton corrections with two matrices, evaluated at the initial guess and
after two corrections. If they do not converge because h is too large, the step is NaN. Derivatives
follow from the implicit function theorem.

Implicit midpoint: v+ = 2 u - v, and with r = inverse_dynamics(middle, u, (v+ - v) / h), M there,

    r + lam M u = tau + wrenches - friction,   lam = ((E+ - E) / h - u . r) / (u . M u),

so that the energy E changes by h u . (tau + wrenches - friction) in every step, up to round-off.
The multiplier lam, of order h^2, corrects the energy error of the plain midpoint rule. It is
omitted if u is negligible compared to v+ - v.

Variational: the discrete Euler-Lagrange equations, with h L(middle, u) for the action of a step and
forces at the midpoint. Symplectic: the energy error stays within O(h^2) without drift, and momenta
of symmetries are conserved up to round-off.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from jounce.formulas import configurations, dynamics, kinematics, momenta, motions, wrt_state
from jounce.formulas.friction_laws import add_friction, breakaway_friction, passed_forces
from jounce.formulas.kinematics import accumulate, joint_poses, refuse_series
from jounce.formulas.springs import spring_energy
from jounce.formulas.steps import Columns, Method, StepArguments, integrate_columns
from jounce.math.linear import Orthogonal, mark_root
from jounce.math.scalar import Array, dropped, identity, sign, where, zeros
from jounce.math.spatial import dot
from jounce.model.tree import Tree

#: Corrections with the matrix of the initial guess, then with that after these corrections.
CORRECTIONS = (2, 4)

#: Relative error of u above which a step has not converged.
_TOLERANCE = 1e-12

#: Factor on the tolerance once corrections stop decreasing, which is mostly due to round-off.
_STAGNATION_FACTOR = 1e6

#: Round-off of energies relative to the terms that are summed.
_ROUNDING = 1e-14

#: Relative change that double precision resolves and single precision does not.
_BELOW_SINGLE_PRECISION = 2.0**-30

#: u . M u relative to the energies below which the energy correction is omitted, since round-off of
#: the energies would dominate it.
_MIN_RELATIVE_ENERGY = 1e-8


class _Forces(NamedTuple):
    """Generalized forces in a state: their total, and the part of external wrenches."""

    forces: Array
    external: Array


def _net(args: StepArguments, q: Array, v: Array) -> _Forces:
    """Return the generalized forces of motors, wrenches and friction."""
    forces, external = args.tau, zeros(len(args.v))
    if args.dynamics.has_friction:
        forces = passed_forces(args.tree, v, forces)
    if args.wrenches and args.wrenches[0] is not None:
        external = dynamics.external_forces(args.tree, q, args.wrenches[0])
    return _Forces(forces + external, external)


def _passed_forces_derivatives(args: StepArguments, v: Array) -> tuple[Array, Array]:
    """Return the derivatives of the forces that drives pass on, in v and tau (nv, 1) each."""
    by_v, by_tau = zeros(len(v)), zeros(len(v)) + 1.0
    if args.dynamics.has_friction:
        friction = add_friction(args.tree, v, passed_forces(args.tree, v, args.tau))
        by_v = -friction.by_v
        if args.tree.has_load_friction:
            by_v, by_tau = by_v / friction.by_load, by_tau / friction.by_load
    return by_v[:, None], by_tau[:, None]


def _ends(args: StepArguments, u: Array) -> tuple[Array, Array]:
    """Return the configurations at the midpoint and the end of a step with velocity u."""
    half = configurations.integrate(args.tree, args.q, (0.5 * args.h) * u)
    return half, configurations.integrate(args.tree, args.q, args.h * u)


def _guess(args: StepArguments) -> Array:
    """Return the initial guess of u by half an explicit Euler step."""
    return args.v + (0.5 * args.h) * args.acceleration(args.q, args.v)


class _System(NamedTuple):
    """Equations residual(args, u) = 0 for u, in units of momentum.

    matrices: derivatives of the residual in u, the first possibly approximate. tolerance(args, u):
    squared residual at which the solution counts as converged.
    """

    residual: Callable[[StepArguments, Array], Array]
    matrices: tuple[Callable[[StepArguments, Array], Array], ...]
    tolerance: Callable[[StepArguments, Array], Array]

    def solve(self, args: StepArguments) -> Array:
        """Return the root u, or NaN without convergence."""
        argumentsnts = (args.q, args.v, args.tau, [args.h], args.tree.gravity, *args.wrenches)
        refuse_series(args.tree, (x for x in argumentsnts if x is not None))
        u, inverse = [_guess(args)], zeros(len(args.v))
        sizes: list[Any] = []
        for matrix, count in zip(self.matrices, CORRECTIONS, strict=True):
            A = matrix(args, u[-1])
            factors, inverse = Orthogonal(A), 1.0 / np.diag(A)
            for _ in range(count):
                residual = self.residual(args, u[-1])
                u.append(u[-1] - factors.solve(residual))
                sizes.append(dot(residual * residual, inverse))
        allowed = self.tolerance(args, u[-2]) + _friction_jumps(args, u[-3:])
        valid = _convergence(args, sizes[-2], sizes[-1], dot(allowed, inverse))
        return mark_root(u[-1] * valid / valid, lambda u: self.residual(args, u))


def _convergence(args: StepArguments, previous: Any, last: Any, allowed: Any) -> Any:
    """Return 1 if the iteration has converged by the squared sizes of residuals, else 0.

    The next correction is extrapolated from the last two. Always 1 in single precision, which is
    too coarse for the test.
    """
    slow = last * last - allowed * previous
    excess = where(last - 0.1 * previous, last - _STAGNATION_FACTOR**2 * allowed, slow)
    double = (args.h + _BELOW_SINGLE_PRECISION * args.h) - args.h
    return dropped(1.0, excess * (double * double))


def _friction_jumps(args: StepArguments, u: list[Array]) -> Array:
    """Return squared jumps of dry friction between iterates, which residuals may retain.

    Joints held by Coulomb friction have no exact solution, as stiction is not modeled; they remain
    nearly at rest.
    """
    if not args.dynamics.has_friction:
        return zeros(len(args.v))
    jumps = [breakaway_friction(args.tree, x, args.tau) for x in u]
    first, second = (args.h * (y - x) for x, y in pairwise(jumps))
    return first * first + second * second


# ------------------------------------------------------------------ energy-conserving midpoint


class _Energies(NamedTuple):
    """Energies of a state."""

    kinetic: Any
    potential: Any

    @staticmethod
    def of(tree: Tree, q: Array, v: Array) -> _Energies:
        return _Energies(momenta.kinetic_energy(tree, q, v), momenta.potential_energy(tree, q))

    @property
    def energy(self) -> Any:
        """Total energy."""
        return self.kinetic + self.potential

    @property
    def magnitude(self) -> Any:
        """Magnitude of the energies, which scales their round-off."""
        return self.kinetic + sign(self.potential) * self.potential


class _Middle(NamedTuple):
    """Terms of the midpoint equation; see the module docstring."""

    q: Array
    end: Array
    w: Array  # v+ - v
    r: Array
    p: Array  # M u
    net: _Forces
    size: Any  # u . M u
    min_size: Any  # negligible size relative to the energies
    share: Any  # 1 / (size^2 + least^2)
    power_error: Any  # (E+ - E) / h - u . r
    signs: tuple[Any, Any]  # of the potential energy at both ends

    @property
    def lam(self) -> Any:
        """power_error / size, regularized where the size is negligible."""
        return self.power_error * (self.size * self.share)


def _middle(args: StepArguments, u: Array) -> _Middle:
    tree, (q, end), w = args.tree, _ends(args, u), 2.0 * (u - args.v)
    r = dynamics.inverse_dynamics(tree, q, u, w / args.h)
    p = momenta.generalized_momentum(tree, q, u)
    start, stop = _Energies.of(tree, args.q, args.v), _Energies.of(tree, end, u + 0.5 * w)
    size, min_size = dot(u, p), _MIN_RELATIVE_ENERGY * (start.magnitude + stop.magnitude)
    square = size * size + min_size * min_size
    share = where(square, 1.0 / square, 0.0)
    power_error = (stop.energy - start.energy) / args.h - dot(u, r)
    signs = sign(start.potential), sign(stop.potential)
    return _Middle(q, end, w, r, p, _net(args, q, u), size, min_size, share, power_error, signs)


def _midpoint_residual(args: StepArguments, u: Array) -> Array:
    """Return h / 2 times the force residual at the midpoint."""
    m = _middle(args, u)
    return (0.5 * args.h) * (m.r + m.lam * m.p - m.net.forces)


def _midpoint_tolerance(args: StepArguments, u: Array) -> Array:
    """Return the squared tolerance, relative to momenta and forces plus round-off of energies."""
    m = _middle(args, u)
    exact = m.p * m.p + (0.25 * args.h * args.h) * (m.r * m.r + args.tau * args.tau)
    kinetic = momenta.kinetic_energy(args.tree, args.q, args.v)
    terms = kinetic + _potential_terms(args.tree, m.q)
    rounding = _ROUNDING * terms * m.size * m.share
    return _TOLERANCE**2 * exact + (rounding * rounding) * (m.p * m.p)


def _potential_terms(tree: Tree, q: Array) -> Any:
    """Return the sum of the magnitudes of the terms of the potential energy."""
    R, p = accumulate(tree, joint_poses(tree, q))
    total: Any = 0.0
    for node, Ri, pi in zip(tree.nodes, R, p, strict=True):
        m, h = node.inertia[0], node.inertia[1:4]
        for term in (m * dot(tree.gravity, pi), dot(tree.gravity, Ri @ h)):
            total = total + sign(term) * term
    return total + spring_energy(tree, q)


def _approximate_matrix(args: StepArguments, u: Array) -> Array:
    """Return the approximate derivative of the residual in u: M + h / 2 r_v + h^2 / 4 r_q."""
    q, _ = _ends(args, u)
    a = (2.0 / args.h) * (u - args.v)
    _, r_q, r_v, M = wrt_state.inverse_dynamics_derivatives(args.tree, q, u, a, *args.wrenches)
    by_step = configurations.integrate_ddv(args.tree, args.q, (0.5 * args.h) * u)
    damping = np.diag(-_passed_forces_derivatives(args, u)[0][:, 0])
    return M + (0.5 * args.h) * (r_v + damping + (0.5 * args.h) * (r_q @ by_step))


def _midpoint_matrix(args: StepArguments, u: Array) -> Array:
    """Return the exact derivative of the residual in u."""
    zero = zeros(len(u), len(u))
    return _Linear(args, u)(Columns(zero, zero, zero), identity(len(u)))[0]


_MIDPOINT = _System(
    _midpoint_residual, (_approximate_matrix, _midpoint_matrix), _midpoint_tolerance
)


def midpoint(args: StepArguments) -> tuple[Array, Array]:
    """Take an energy-conserving midpoint step: q exp(h u) and 2 u - v."""
    u = _MIDPOINT.solve(args)
    return configurations.integrate(args.tree, args.q, args.h * u), 2.0 * u - args.v


def midpoint_columns(args: StepArguments, tangents: Columns) -> tuple[Array, Array, Array, Array]:
    """Return a midpoint step and its tangents, by the implicit function theorem."""
    n, count = tangents.q.shape
    u = _MIDPOINT.solve(args)
    linear = _Linear(args, u)
    by_tangents = linear(tangents, zeros(n, count))
    zero = zeros(n, n)
    by_velocity = linear(Columns(zero, zero, zero), identity(n))
    by_u = -Orthogonal(by_velocity[0]).solve(by_tangents[0])
    by_q, by_v = (x + y @ by_u for x, y in zip(by_tangents[1:], by_velocity[1:], strict=True))
    return linear.m.end, 2.0 * u - args.v, by_q, by_v


class _Linear:
    """Linearization of the midpoint residual and end state in q, v, tau and u."""

    def __init__(self, args: StepArguments, u: Array) -> None:
        self.at, self.u, self.m = args, u, _middle(args, u)
        tree, m = args.tree, self.m
        zero, floating = zeros(len(u)), args.tree.without_potential()
        _, self.r_q, self.r_v, self.M = wrt_state.inverse_dynamics_derivatives(
            tree, m.q, u, m.w / args.h
        )
        self.p_q = wrt_state.inverse_dynamics_dq(floating, m.q, zero, u)
        self.net_q = zeros(len(u), len(u))
        if args.wrenches and args.wrenches[0] is not None:
            self.net_q = -wrt_state.inverse_dynamics_dq(floating, m.q, zero, zero, args.wrenches[0])
        ends = (args.q, args.v), (m.end, u + 0.5 * m.w)
        kinetic = [wrt_state.kinetic_energy_dq(tree, *state) for state in ends]
        weight = [dynamics.gravity_forces(tree, q) for q, _ in ends]
        momentum = [momenta.generalized_momentum(tree, *state) for state in ends]
        self.energy = [(t + g, p) for t, g, p in zip(kinetic, weight, momentum, strict=True)]
        self.magnitude = [
            (t + s * g, p) for t, s, g, p in zip(kinetic, m.signs, weight, momentum, strict=True)
        ]
        self.size_q = 2.0 * wrt_state.kinetic_energy_dq(tree, m.q, u)
        self.passed_v, self.passed_tau = _passed_forces_derivatives(args, u)

    def __call__(self, tangents: Columns, by_u: Array) -> tuple[Array, Array, Array]:
        """Return tangents of the residual and of q and v at the end, for tangents of u."""
        args, u, m = self.at, self.u, self.m
        by_w = 2.0 * (by_u - tangents.v)
        _, by_half = integrate_columns(args, (0.5 * args.h) * u, tangents.q, (0.5 * args.h) * by_u)
        _, by_end = integrate_columns(args, args.h * u, tangents.q, args.h * by_u)
        by_last = 2.0 * by_u - tangents.v
        by_r = self.r_q @ by_half + self.r_v @ by_u + self.M @ (by_w / args.h)
        by_p = self.M @ by_u + self.p_q @ by_half
        by_net = self.passed_tau * tangents.tau + self.net_q @ by_half + self.passed_v * by_u
        ends = (tangents.q, tangents.v), (by_end, by_last)
        start, stop = (x @ q + p @ v for (x, p), (q, v) in zip(self.energy, ends, strict=True))
        large = sum(x @ q + p @ v for (x, p), (q, v) in zip(self.magnitude, ends, strict=True))
        energy_change = stop - start
        by_size = 2.0 * (m.p @ by_u) + self.size_q @ by_half
        by_least = _MIN_RELATIVE_ENERGY * large
        by_power_error = energy_change / args.h - m.r @ by_u - u @ by_r
        slope = (m.min_size * m.min_size - m.size * m.size) * by_size
        slope = (slope - 2.0 * m.size * m.min_size * by_least) * (m.share * m.share)
        by_lam = by_power_error * (m.size * m.share) + m.power_error * slope
        by_force = by_r + m.lam * by_p + np.outer(m.p, by_lam) - by_net
        return (0.5 * args.h) * by_force, by_end, by_last


# ------------------------------------------------------------------ variational


class _Action(NamedTuple):
    """Discrete momenta at both ends of a step, and its end configuration."""

    before: Array
    after: Array
    end: Array


def _action(args: StepArguments, u: Array) -> _Action:
    """Return the momenta from the derivatives of h L(q exp(x / 2), x / h) in both ends.

    With J the derivative of q exp(x) in x, A that in q and Q = L_q + forces in the middle: the
    momentum pi = M u + h / 2 J(x/2)^T Q of x is J(x)^T times the momentum after the step, and
    J(-x)^T times the momentum before it plus h A(x/2)^T Q.
    """
    tree, x, (q, end) = args.tree, args.h * u, _ends(args, u)
    Q = wrt_state.kinetic_energy_dq(tree, q, u) - dynamics.gravity_forces(tree, q)
    Q = Q + _net(args, q, u).forces
    by_half_step = configurations.integrate_ddv(tree, args.q, 0.5 * x)
    pi = momenta.generalized_momentum(tree, q, u) + (0.5 * args.h) * (by_half_step.T @ Q)
    after = configurations.integrate_ddv_inverse(tree, x).T @ pi
    by_start = configurations.integrate_dq(tree, args.q, 0.5 * x)
    before = configurations.integrate_ddv_inverse(tree, -x).T @ pi - args.h * (by_start.T @ Q)
    return _Action(before, after, end)


def _momentum_residual(args: StepArguments, u: Array) -> Array:
    """Return the discrete momentum before a step with u minus that of the state."""
    return _action(args, u).before - momenta.generalized_momentum(args.tree, args.q, args.v)


def _momentum_matrix(args: StepArguments, u: Array) -> Array:
    """Return the derivative of the momentum residual in u, by Taylor series."""

    def jump(tree: Tree, u: Array) -> Array:
        return _momentum_residual(args, u)

    return wrt_state.directional(jump, args.tree, (u,), 0, configuration=False)


def _momentum_tolerance(args: StepArguments, u: Array) -> Array:
    """Return the squared tolerance, relative to momenta at both ends and h tau."""
    parts = (
        momenta.generalized_momentum(args.tree, args.q, args.v),
        _action(args, u).after,
        args.h * args.tau,
    )
    return _TOLERANCE**2 * sum((x * x for x in parts), zeros(len(u)))


_VARIATIONAL = _System(
    _momentum_residual, (_momentum_matrix, _momentum_matrix), _momentum_tolerance
)


def variational(args: StepArguments) -> tuple[Array, Array]:
    """Take a variational step: q exp(h u), and v with the momentum after the step."""
    return _after(args, _VARIATIONAL.solve(args))


def _after(args: StepArguments, u: Array) -> tuple[Array, Array]:
    action = _action(args, u)
    return action.end, dynamics.solve_for_acceleration(args.tree, action.end, action.after)


def variational_columns(
    args: StepArguments, tangents: Columns
) -> tuple[Array, Array, Array, Array]:
    """Return a variational step and its tangents, by implicit differentiation and series."""
    u = _VARIATIONAL.solve(args)
    q, v = _after(args, u)

    def all_of(tree: Tree, u: Array, q: Any, v: Array, tau: Array) -> tuple[Array, Array, Array]:
        index = StepArguments(
            args.dynamics, tree, kinematics.coordinates(tree, q), v, tau, args.h, args.wrenches
        )
        return _momentum_residual(index, u), *_after(index, u)

    def along(index: int) -> tuple[Array, Array, Array]:
        arguments = (u, args.q, args.v, args.tau)
        jump, by_q, by_v = wrt_state.directional(
            all_of, args.tree, arguments, index, configuration=index == 1
        )
        columns = [motions.configuration_velocity(args.tree, q, x) for x in by_q.T]
        return jump, np.stack(columns, axis=1), by_v

    by_velocity = along(0)
    parts = [
        (along(k + 1), by) for k, by in enumerate(tangents[:3]) if any(x != 0 for x in by.flat)
    ]
    by_tangents = [
        sum((part[k] @ by for part, by in parts), zeros(*tangents.q.shape)) for k in range(3)
    ]
    by_u = -Orthogonal(by_velocity[0]).solve(by_tangents[0])
    by_q, by_v = (x + y @ by_u for x, y in zip(by_tangents[1:], by_velocity[1:], strict=True))
    return q, v, by_q, by_v


MIDPOINT = Method(midpoint, midpoint_columns)
VARIATIONAL = Method(variational, variational_columns)
