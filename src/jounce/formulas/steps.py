"""Explicit integration steps of (q, v) over a time h, and their derivatives.

Explicit methods: semi-implicit Euler and the classical method of Runge and Kutta, the latter in the
exponential coordinates x of q exp(x) (Munthe-Kaas), where dx/dt = v + [x, v] / 2 + [x, [x, v]] / 12
up to terms that do not matter to its order. Joints whose velocities commute have no brackets.

Derivatives are columns: how q and v at the end change, as velocities in the tangent spaces there,
when the state at the start changes by given columns, and accelerations, besides, by a source.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from jounce.formulas import configurations, friction, wrt_forward
from jounce.formulas.dynamics import forward_dynamics
from jounce.formulas.kinematics import Motion, coordinates
from jounce.formulas.mechanism.loops import spread
from jounce.formulas.wrt_inertia import forward_dynamics_dpi
from jounce.formulas.wrt_screws import forward_dynamics_dgeometry
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import bracket
from jounce.model.manifold import leaders
from jounce.model.tree import Tree

#: Wrenches, or nothing.
Pushes = tuple[Any, ...]


class Slopes(NamedTuple):
    """Derivatives of the acceleration, as functions of what it is a function of.

    state: (a, a_q, a_v, a_tau). dpi: (nv, 10 nb). dgeometry: (nv, nb, 6), `screw` by name.
    """

    state: Callable[..., tuple[Array, Array, Array, Array]]
    dpi: Callable[..., Array]
    dgeometry: Callable[..., Array]


class Laws(NamedTuple):
    """Dynamics of a step: acceleration(tree, q, v, tau, *pushes) and integration.

    integrate(tree, q, x): q followed by x. rubs: whether joints have friction. slopes: derivatives
    in closed form, if there are.
    """

    acceleration: Callable[..., Array]
    integrate: Callable[[Tree, Array, Array], Array] = configurations.integrate
    rubs: bool = False
    slopes: Slopes | None = None


FREE = Laws(
    forward_dynamics,
    slopes=Slopes(
        wrt_forward.forward_dynamics_derivatives, forward_dynamics_dpi, forward_dynamics_dgeometry
    ),
)
RUBBING = Laws(
    friction.driven_dynamics,
    rubs=True,
    slopes=Slopes(
        friction.driven_dynamics_derivatives,
        friction.driven_dynamics_dpi,
        friction.driven_dynamics_dgeometry,
    ),
)


class At(NamedTuple):
    """Arguments of an integration step."""

    laws: Laws
    tree: Tree
    q: Array
    v: Array
    tau: Array
    h: Any
    pushes: Pushes

    @staticmethod
    def of(laws: Laws, tree: Tree, *given: Any) -> At:
        """Build from the arguments of a step."""
        q, v, tau, h, *pushes = given
        if tree.active is None:  # else loops close by themselves where it moves
            q = coordinates(tree, q)
        return At(laws, tree, q, v, tau, np.asarray(h, dtype=object)[()], tuple(pushes))

    def acceleration(self, q: Array | Motion, v: Array) -> Array:
        """Return the acceleration in an intermediate state."""
        return self.laws.acceleration(self.tree, q, v, self.tau, *self.pushes)

    def derivatives(self, q: Array, v: Array) -> tuple[Array, Array, Array, Array]:
        """Return the acceleration in a state on the way, and its derivatives."""
        return self.slopes.state(self.tree, q, v, self.tau, *self.pushes)

    @property
    def slopes(self) -> Slopes:
        """Derivatives of the acceleration."""
        assert self.laws.slopes is not None
        return self.laws.slopes

    def moved(self, x: Array) -> Array:
        """Return q followed by x."""
        return self.laws.integrate(self.tree, self.q, x)


class Columns(NamedTuple):
    """Tangents (nv, n) of q and v at the start and tau, and of accelerations.

    source(q, v): columns of the acceleration in a state on the way, if there are such.
    """

    q: Array
    v: Array
    tau: Array
    source: Callable[[Array, Array], Array] | None = None

    def accelerations(self, by: tuple[Array, Array, Array, Array], q: Any, v: Any) -> Array:
        """Columns of the acceleration beyond those of the state, from its derivatives."""
        pushed = by[3] @ self.tau
        return pushed if self.source is None else pushed + self.source(q, v)


# ------------------------------------------------------------------ methods


def euler(at: At) -> tuple[Array, Array]:
    """Return v+ = v + h a(q, v), then q+ = q exp(h v+)."""
    v = at.v + at.h * at.acceleration(at.q, at.v)
    return at.moved(at.h * v), v


def euler_columns(at: At, given: Columns) -> tuple[Array, Array, Array, Array]:
    """Return q and v after a step, and their columns."""
    a, a_q, a_v, _ = by = at.derivatives(at.q, at.v)
    v = at.v + at.h * a
    changed = a_q @ given.q + a_v @ given.v + given.accelerations(by, at.q, at.v)
    by_v = given.v + at.h * changed
    q, by_q = carried(at, at.h * v, given.q, at.h * by_v)
    return q, v, by_q, by_v


def carried(at: At, x: Array, by_q: Array, by_x: Array) -> tuple[Array, Array]:
    """Return q exp(x), and its columns for those of q and x."""
    along = configurations.integrate_dq(at.tree, at.q, x) @ by_q
    turned = configurations.integrate_ddv(at.tree, at.q, x) @ by_x
    return at.moved(x), along + turned


#: Where the stages of Runge and Kutta lie, in steps, each from the slopes before, and their shares.
_STAGES = ((0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0))


def rk4(at: At) -> tuple[Array, Array]:
    """Take a fourth-order Runge-Kutta step, valid for any joints."""
    x_sum = v_sum = x_rate = v_rate = zeros(at.tree.dof)
    for place, share in _STAGES:
        x, v = (place * at.h) * x_rate, at.v + (place * at.h) * v_rate
        q = at.moved(x) if place else at.q
        x_rate = v + brackets(at.tree, x) @ v if place else v
        v_rate = at.acceleration(q, v)
        x_sum, v_sum = x_sum + share * x_rate, v_sum + share * v_rate
    sixth = at.h / 6.0
    return at.moved(sixth * x_sum), at.v + sixth * v_sum


def rk4_columns(at: At, given: Columns) -> tuple[Array, Array, Array, Array]:
    """Return q and v after a step, and their columns: those of all stages, in turn."""
    n, count = given.q.shape
    x_sum = v_sum = x_rate = v_rate = zeros(n)
    bx_sum = bv_sum = bx_rate = bv_rate = zeros(n, count)
    for place, share in _STAGES:
        step = place * at.h
        x, v = step * x_rate, at.v + step * v_rate
        bx, bv = step * bx_rate, given.v + step * bv_rate
        q, bq = carried(at, x, given.q, bx) if place else (at.q, given.q)
        v_rate, a_q, a_v, _ = by = at.derivatives(q, v)
        x_rate, bx_rate = v, bv
        if place:
            turned = brackets(at.tree, x)
            x_rate, bx_rate = v + turned @ v, bv + turned @ bv + brackets_dx(at.tree, x, v) @ bx
        bv_rate = a_q @ bq + a_v @ bv + given.accelerations(by, q, v)
        x_sum, v_sum = x_sum + share * x_rate, v_sum + share * v_rate
        bx_sum, bv_sum = bx_sum + share * bx_rate, bv_sum + share * bv_rate
    sixth = at.h / 6.0
    q, by_q = carried(at, sixth * x_sum, given.q, sixth * bx_sum)
    return q, at.v + sixth * v_sum, by_q, given.v + sixth * bv_sum


def brackets(tree: Tree, x: Array) -> Array:
    """ad_x / 2 + ad_x^2 / 12 (nv, nv): what the rate of x has beyond v, up to the fourth order."""
    ad = adjoints(tree, x)
    return 0.5 * ad + (1.0 / 12.0) * (ad @ ad)


def brackets_dx(tree: Tree, x: Array, v: Array) -> Array:
    """Return d(brackets(x) v)/dx = -ad_v / 2 - (ad_[x, v] + ad_x ad_v) / 12."""
    ad_x, ad_v = adjoints(tree, x), adjoints(tree, v)
    return -0.5 * ad_v - (1.0 / 12.0) * (adjoints(tree, ad_x @ v) + ad_x @ ad_v)


def adjoints(tree: Tree, x: Array) -> Array:
    """ad_x (nv, nv) with ad_x y = [x, y] of each joint's velocities, zero where they commute.

    In a mechanism, of the independent joints.
    """
    if tree.active is not None:
        every = adjoints(replace(tree, active=None), spread(tree, x))
        return every[np.ix_(tree.active, tree.active)]
    out = zeros(tree.nv, tree.nv)
    for node in leaders(tree):
        if not node.motion.flat:
            twist = node.S @ x[node.vs]
            for k, axis in enumerate(node.S.T):
                out[node.vs, node.v + k] = bracket(twist, axis)[list(node.motion.rows)]
    return out


def state_matrices(
    tree: Tree, q: Array, v: Array, tau: Array, *given: Any, derivatives: Callable[..., Any]
) -> tuple[Array, Array]:
    """Return A and B of dx/dt = A x + B u for changes x of (q, v), q along velocities, u of tau.

    derivatives: (a, a_q, a_v, a_tau). A change x of q that the robot carries along turns with it:
    dx/dt is that of v minus [v, x].
    """
    _, a_q, a_v, a_tau = derivatives(tree, q, v, tau, *given)
    n = tree.dof
    A = np.block([[-adjoints(tree, v), identity(n)], [a_q, a_v]])
    return A, np.concatenate((zeros(n, n), a_tau))


# ------------------------------------------------------------------ as formulas


class Method(NamedTuple):
    """Integration method: a step and its forward-mode derivative."""

    step: Callable[[At], tuple[Array, Array]]
    columns: Callable[[At, Columns], tuple[Array, Array, Array, Array]]


EULER, RK4 = Method(euler, euler_columns), Method(rk4, rk4_columns)


def step(tree: Tree, *given: Any, method: Method, laws: Laws) -> tuple[Array, Array]:
    """Return (q, v) after the time h, from (q, v, tau, h, wrenches)."""
    return method.step(At.of(laws, tree, *given))


def step_derivatives(
    tree: Tree, *given: Any, method: Method, laws: Laws
) -> tuple[Array, Array, Array, Array]:
    """Return (q, v) after the time h, A (2 nv, 2 nv) in the state and B (2 nv, nv) in tau."""
    n = tree.dof
    every = identity(3 * n)
    columns = Columns(every[:n], every[n : 2 * n], every[2 * n :])
    q, v, by_q, by_v = method.columns(At.of(laws, tree, *given), columns)
    both = np.concatenate((by_q, by_v))
    return q, v, both[:, : 2 * n], both[:, 2 * n :]


def step_part(tree: Tree, *given: Any, method: Method, laws: Laws, wrt: str) -> tuple[Array, Array]:
    """Return the derivatives of q and v after a step in q, v or tau at its start (nv, nv)."""
    n = tree.dof
    q, v, tau = (identity(n) if name == wrt else zeros(n, n) for name in ("q", "v", "tau"))
    return method.columns(At.of(laws, tree, *given), Columns(q, v, tau))[2:]


def step_dpi(tree: Tree, *given: Any, method: Method, laws: Laws) -> tuple[Array, Array]:
    """Return the derivatives of q and v after a step in the inertial parameters (nv, 10 nb)."""
    at = At.of(laws, tree, *given)
    none = zeros(tree.dof, 10 * tree.nb)
    columns = Columns(none, none, none, lambda q, v: at.slopes.dpi(tree, q, v, at.tau, *at.pushes))
    return method.columns(at, columns)[2:]


def step_dgeometry(
    tree: Tree, *given: Any, method: Method, laws: Laws, screw: bool
) -> tuple[Array, Array]:
    """Return the derivatives of q and v after a step in screws or placements (nv, nb, 6)."""
    at, shape = At.of(laws, tree, *given), (tree.dof, tree.nb, 6)
    none = zeros(tree.dof, 6 * tree.nb)

    def source(q: Array, v: Array) -> Array:
        found = at.slopes.dgeometry(tree, q, v, at.tau, *at.pushes, screw=screw)
        return found.reshape(tree.dof, -1)

    _, _, by_q, by_v = method.columns(at, Columns(none, none, none, source))
    return by_q.reshape(shape), by_v.reshape(shape)
