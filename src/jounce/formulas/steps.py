"""Explicit integration steps of (q, v) over a time h, and their derivatives.

Explicit methods: semi-implicit Euler and the classical Runge-Kutta method, the latter in the
exponential coordinates x of q exp(x) (Munthe-Kaas), where dx/dt = v + [x, v] / 2 + [x, [x, v]] / 12
up to terms of higher order. Joints whose velocities commute have no brackets.

Derivatives are in forward mode: a step maps tangents of the initial state and of tau (columns of
matrices), and optionally additional tangents of the acceleration, to tangents of the final state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from jounce.formulas import configurations, friction, wrt_forward
from jounce.formulas.dynamics import forward_dynamics
from jounce.formulas.kinematics import Motion, coordinates
from jounce.formulas.mechanism.loops import Closure, embed_velocity
from jounce.formulas.wrt_inertia import forward_dynamics_dpi
from jounce.formulas.wrt_screws import forward_dynamics_dgeometry
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import bracket
from jounce.model.manifold import leaders
from jounce.model.tree import Tree

#: Optional external wrenches.
Wrenches = tuple[Any, ...]


class AccelerationDerivatives(NamedTuple):
    """Functions for the acceleration's derivatives, with the arguments of the acceleration.

    state: (a, a_q, a_v, a_tau). dpi: (nv, 10 nb). dgeometry: (nv, nb, 6), with keyword `screw`.
    """

    state: Callable[..., tuple[Array, Array, Array, Array]]
    dpi: Callable[..., Array]
    dgeometry: Callable[..., Array]


class StepDynamics(NamedTuple):
    """Dynamics of a step: acceleration(tree, q, v, tau, *wrenches) and integration.

    integrate(tree, q, x): q exp(x), x of all joints. velocity(tree, q, v): the velocity of all
    joints, which is v if the robot has no loops. has_friction: whether joint friction is included.
    derivatives_of_acceleration: closed forms, if any.
    """

    acceleration: Callable[..., Array]
    integrate: Callable[[Tree, Array, Array], Array] = configurations.integrate
    velocity: Callable[[Tree, Array, Array], Array] = lambda tree, q, v: v
    has_friction: bool = False
    derivatives_of_acceleration: AccelerationDerivatives | None = None


FRICTIONLESS = StepDynamics(
    forward_dynamics,
    derivatives_of_acceleration=AccelerationDerivatives(
        wrt_forward.forward_dynamics_derivatives, forward_dynamics_dpi, forward_dynamics_dgeometry
    ),
)
WITH_FRICTION = StepDynamics(
    friction.driven_dynamics,
    has_friction=True,
    derivatives_of_acceleration=AccelerationDerivatives(
        friction.driven_dynamics_derivatives,
        friction.driven_dynamics_dpi,
        friction.driven_dynamics_dgeometry,
    ),
)


class StepArguments(NamedTuple):
    """Arguments of an integration step."""

    dynamics: StepDynamics
    tree: Tree
    q: Array
    v: Array
    tau: Array
    h: Any
    wrenches: Wrenches

    @staticmethod
    def of(dynamics: StepDynamics, tree: Tree, *arguments: Any) -> StepArguments:
        """Build from the arguments of a step."""
        q, v, tau, h, *wrenches = arguments
        if tree.active is None:  # for mechanisms, when loops are closed
            q = coordinates(tree, q)
        return StepArguments(
            dynamics, tree, q, v, tau, np.asarray(h, dtype=object)[()], tuple(wrenches)
        )

    def acceleration(self, q: Array | Motion, v: Array) -> Array:
        """Return the acceleration in an intermediate state."""
        return self.dynamics.acceleration(self.tree, q, v, self.tau, *self.wrenches)

    def derivatives(self, q: Array, v: Array) -> tuple[Array, Array, Array, Array]:
        """Return the acceleration in an intermediate state, and its derivatives."""
        return self.derivatives_of_acceleration.state(self.tree, q, v, self.tau, *self.wrenches)

    @property
    def derivatives_of_acceleration(self) -> AccelerationDerivatives:
        """Derivatives of the acceleration."""
        assert self.dynamics.derivatives_of_acceleration is not None
        return self.dynamics.derivatives_of_acceleration

    def integrate(self, x: Array) -> Array:
        """Return q exp(x), x of all joints."""
        return self.dynamics.integrate(self.tree, self.q, x)

    def velocity(self, q: Array, v: Array) -> Array:
        """Return the velocity of all joints."""
        return self.dynamics.velocity(self.tree, q, v)


class Columns(NamedTuple):
    """Tangents (nv, n) of q and v at the start and of tau.

    source(q, v): additional tangents of the acceleration in an intermediate state, if any.
    """

    q: Array
    v: Array
    tau: Array
    source: Callable[[Array, Array], Array] | None = None

    def accelerations(self, by: tuple[Array, Array, Array, Array], q: Any, v: Any) -> Array:
        """Return tangents of the acceleration due to tau and the source."""
        columns = by[3] @ self.tau
        return columns if self.source is None else columns + self.source(q, v)


# ------------------------------------------------------------------ methods


def euler(args: StepArguments) -> tuple[Array, Array]:
    """Take a semi-implicit Euler step: v+ = v + h a(q, v), q+ = q exp(h v+)."""
    v = args.v + args.h * args.acceleration(args.q, args.v)
    return args.integrate(args.h * args.velocity(args.q, v)), v


def euler_columns(args: StepArguments, tangents: Columns) -> tuple[Array, Array, Array, Array]:
    """Take a semi-implicit Euler step; return q, v and their tangents."""
    a, a_q, a_v, _ = by = args.derivatives(args.q, args.v)
    v = args.v + args.h * a
    by_a = a_q @ tangents.q + a_v @ tangents.v + tangents.accelerations(by, args.q, args.v)
    by_v = tangents.v + args.h * by_a
    q, by_q = integrate_columns(args, args.h * v, tangents.q, args.h * by_v)
    return q, v, by_q, by_v


def integrate_columns(
    args: StepArguments, x: Array, by_q: Array, by_x: Array
) -> tuple[Array, Array]:
    """Return q exp(x) and its tangents from those of q and x."""
    by_start = configurations.integrate_dq(args.tree, args.q, x) @ by_q
    by_step = configurations.integrate_ddv(args.tree, args.q, x) @ by_x
    return args.integrate(x), by_start + by_step


#: Runge-Kutta stages: position as a fraction of the step, and weight.
_RK4_STAGES = ((0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0))


def rk4(args: StepArguments) -> tuple[Array, Array]:
    """Take a fourth-order Runge-Kutta (Munthe-Kaas) step."""
    all_joints = replace(args.tree, active=None)
    x_sum, v_sum = x_rate, v_rate = zeros(all_joints.nv), zeros(args.tree.dof)
    for fraction, weight in _RK4_STAGES:
        x, v = (fraction * args.h) * x_rate, args.v + (fraction * args.h) * v_rate
        q = args.integrate(x) if fraction else args.q
        velocity = args.velocity(q, v)
        x_rate = velocity + brackets(all_joints, x) @ velocity if fraction else velocity
        v_rate = args.acceleration(q, v)
        x_sum, v_sum = x_sum + weight * x_rate, v_sum + weight * v_rate
    sixth = args.h / 6.0
    return args.integrate(sixth * x_sum), args.v + sixth * v_sum


def rk4_columns(args: StepArguments, tangents: Columns) -> tuple[Array, Array, Array, Array]:
    """Take a fourth-order Runge-Kutta step; return q, v and their tangents."""
    n, count = tangents.q.shape
    x_sum = v_sum = x_rate = v_rate = zeros(n)
    bx_sum = bv_sum = bx_rate = bv_rate = zeros(n, count)
    for fraction, weight in _RK4_STAGES:
        step = fraction * args.h
        x, v = step * x_rate, args.v + step * v_rate
        bx, bv = step * bx_rate, tangents.v + step * bv_rate
        q, bq = integrate_columns(args, x, tangents.q, bx) if fraction else (args.q, tangents.q)
        v_rate, a_q, a_v, _ = by = args.derivatives(q, v)
        x_rate, bx_rate = v, bv
        if fraction:
            corrections = brackets(args.tree, x)
            x_rate, bx_rate = (
                v + corrections @ v,
                bv + corrections @ bv + brackets_dx(args.tree, x, v) @ bx,
            )
        bv_rate = a_q @ bq + a_v @ bv + tangents.accelerations(by, q, v)
        x_sum, v_sum = x_sum + weight * x_rate, v_sum + weight * v_rate
        bx_sum, bv_sum = bx_sum + weight * bx_rate, bv_sum + weight * bv_rate
    sixth = args.h / 6.0
    q, by_q = integrate_columns(args, sixth * x_sum, tangents.q, sixth * bx_sum)
    return q, args.v + sixth * v_sum, by_q, tangents.v + sixth * bv_sum


def brackets(tree: Tree, x: Array) -> Array:
    """Return ad_x / 2 + ad_x^2 / 12 (nv, nv), which maps v to dx/dt - v up to fourth order."""
    ad = adjoints(tree, x)
    return 0.5 * ad + (1.0 / 12.0) * (ad @ ad)


def brackets_dx(tree: Tree, x: Array, v: Array) -> Array:
    """Return d(brackets(x) v)/dx = -ad_v / 2 - (ad_[x, v] + ad_x ad_v) / 12."""
    ad_x, ad_v = adjoints(tree, x), adjoints(tree, v)
    return -0.5 * ad_v - (1.0 / 12.0) * (adjoints(tree, ad_x @ v) + ad_x @ ad_v)


def adjoints(tree: Tree, x: Array) -> Array:
    """Return ad_x (nv, nv), ad_x y = [x, y] per joint, zero for joints whose velocities commute.

    For a mechanism, over the independent joints.
    """
    if tree.active is not None:
        every = adjoints(replace(tree, active=None), embed_velocity(tree, x))
        return every[np.ix_(tree.active, tree.active)]
    out = zeros(tree.nv, tree.nv)
    for node in leaders(tree):
        if not node.motion.flat:
            twist = node.S @ x[node.vs]
            for k, axis in enumerate(node.S.T):
                out[node.vs, node.v + k] = bracket(twist, axis)[list(node.motion.rows)]
    return out


def tangent_rates(tree: Tree, q: Array, v: Array) -> Array:
    """Return ad_v (nv, nv) of tangents at q; for a mechanism (ad_(E v) E) of independent joints."""
    if tree.active is None:
        return adjoints(tree, v)
    closure = Closure(tree, q)
    every = adjoints(replace(tree, active=None), closure.velocity(v))
    return every[closure.active] @ closure.E


def state_matrices(
    tree: Tree, q: Array, v: Array, tau: Array, *optional: Any, derivatives: Callable[..., Any]
) -> tuple[Array, Array]:
    """Return A and B of the linearization dx/dt = A x + B u in (q, v) and tau.

    derivatives: (a, a_q, a_v, a_tau). x is in the moving tangent space of q, so
    the rate of its first half is that of v minus [v, x].
    """
    _, a_q, a_v, a_tau = derivatives(tree, q, v, tau, *optional)
    n = tree.dof
    A = np.block([[-tangent_rates(tree, q, v), identity(n)], [a_q, a_v]])
    return A, np.concatenate((zeros(n, n), a_tau))


# ------------------------------------------------------------------ formulas of quantities


class Method(NamedTuple):
    """Integration method: a step and its forward-mode derivative."""

    step: Callable[[StepArguments], tuple[Array, Array]]
    columns: Callable[[StepArguments, Columns], tuple[Array, Array, Array, Array]]


EULER, RK4 = Method(euler, euler_columns), Method(rk4, rk4_columns)


def step(
    tree: Tree, *arguments: Any, method: Method, dynamics: StepDynamics
) -> tuple[Array, Array]:
    """Return (q, v) after the time h, from (q, v, tau, h, wrenches)."""
    return method.step(StepArguments.of(dynamics, tree, *arguments))


def step_derivatives(
    tree: Tree, *arguments: Any, method: Method, dynamics: StepDynamics
) -> tuple[Array, Array, Array, Array]:
    """Return (q, v) after the time h and the derivatives A (2 nv, 2 nv) in the state, B in tau."""
    n = tree.dof
    every = identity(3 * n)
    columns = Columns(every[:n], every[n : 2 * n], every[2 * n :])
    q, v, by_q, by_v = method.columns(StepArguments.of(dynamics, tree, *arguments), columns)
    stacked = np.concatenate((by_q, by_v))
    return q, v, stacked[:, : 2 * n], stacked[:, 2 * n :]


def step_part(
    tree: Tree, *arguments: Any, method: Method, dynamics: StepDynamics, wrt: str
) -> tuple[Array, Array]:
    """Return the derivatives of q and v after a step in q, v or tau at its start (nv, nv)."""
    n = tree.dof
    q, v, tau = (identity(n) if name == wrt else zeros(n, n) for name in ("q", "v", "tau"))
    return method.columns(StepArguments.of(dynamics, tree, *arguments), Columns(q, v, tau))[2:]


def step_dpi(
    tree: Tree, *arguments: Any, method: Method, dynamics: StepDynamics
) -> tuple[Array, Array]:
    """Return the derivatives of q and v after a step in the inertial parameters (nv, 10 nb)."""
    args = StepArguments.of(dynamics, tree, *arguments)
    none = zeros(tree.dof, 10 * tree.nb)
    columns = Columns(
        none,
        none,
        none,
        lambda q, v: args.derivatives_of_acceleration.dpi(tree, q, v, args.tau, *args.wrenches),
    )
    return method.columns(args, columns)[2:]


def step_dgeometry(
    tree: Tree, *arguments: Any, method: Method, dynamics: StepDynamics, screw: bool
) -> tuple[Array, Array]:
    """Return the derivatives of q and v after a step in screws or placements (nv, nb, 6)."""
    args, shape = StepArguments.of(dynamics, tree, *arguments), (tree.dof, tree.nb, 6)
    none = zeros(tree.dof, 6 * tree.nb)

    def source(q: Array, v: Array) -> Array:
        derivative = args.derivatives_of_acceleration.dgeometry(
            tree, q, v, args.tau, *args.wrenches, screw=screw
        )
        return derivative.reshape(tree.dof, -1)

    _, _, by_q, by_v = method.columns(args, Columns(none, none, none, source))
    return by_q.reshape(shape), by_v.reshape(shape)
