"""3: the spherical five-bar, a parallel robot with two motors.

Two branches grow from the motors: joints 1, 2, 3 with links 1, 2, 3, and joints 4, 5 with link 4
and, again, link 3. All axes pass through the origin, and at theta = 0 all frames coincide with the
base's (M_i = 1), so w_i are the axes at home. Joint 5 is cut in the tree: its link 5 is massless
and, where the loop is closed, moves with link 3. Joints count from 0 in the code: joint 1 is 0.

Corrected: tau-hat in (14) is g_p^-T tau_p, of the passive joints alone; its G_a and G_p have the
signs of g_a and g_p; and the last row of G_p does not vanish: tau_5 = 0 says that w5' is orthogonal
to tau-hat, which dw5' need not be. (14) is the partial derivative in lambda, all five joints
independent; `tangent` adds the motion of the passive joints, which the note omits.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import ceil, pi
from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.math.lie import exp_so3
from jounce.math.scalar import Array, array, identity, zeros
from jounce.math.spatial import cross, dot, skew
from jounce.model.model import Body, Joint, Model
from jounce.model.tree import Tree, lower
from jounce.papers import equation
from jounce.papers.kwon.dynamics import (
    Columns,
    differential_dynamics,
    inverse_dynamics,
    joint_frames,
)
from jounce.utils.lazy import cached_property

ACTIVE, PASSIVE = (0, 3), (1, 2, 4)
#: Joints before each joint in its branch, and the sign of each branch in the closure.
_BEFORE: tuple[tuple[int, ...], ...] = ((), (0,), (0, 1), (), (3,))
_SIGN = (1.0, 1.0, 1.0, -1.0, -1.0)

#: Largest step of a motor angle (rad) in `assemble`.
_MAX_STEP = 0.1
_MAX_ANGLE = 4.0 * pi
_NEWTON_STEPS = 8
_ASSEMBLY_TOLERANCE = 1e-12  # closure error after `assemble`
_CLOSURE_TOLERANCE = 1e-6  # closure error of angles passed by the caller
_MIN_DETERMINANT = 1e-9


@cache
def _data() -> str:
    return (files("jounce") / "io" / "gallery" / "five_bar.json").read_text("utf-8")


def five_bar_data() -> dict[str, Any]:
    """Axes, inertial parameters and motion of the mechanism, as stored with the gallery.

    The note has no dimensions; the numbers were chosen for this package.
    """
    return json.loads(_data())


@dataclass(frozen=True, eq=False)
class FiveBar:
    """The mechanism: unit axes w (5 x 3), inertial parameters (5 x 10) about the origin at home."""

    w: np.ndarray
    parameters: np.ndarray
    gravity: np.ndarray

    @cached_property
    def model(self) -> Model:
        """The tree with joint 5 cut: five revolute joints, the last link massless."""
        joints = (
            Joint(f"joint{i + 1}", "revolute", before[-1] if before else -1, axis=axis)
            for i, (before, axis) in enumerate(zip(_BEFORE, self.w, strict=True))
        )
        bodies = (Body(f"link{i + 1}", pi) for i, pi in enumerate(self.parameters))
        return Model("five_bar", tuple(bodies), tuple(joints), gravity=self.gravity)

    @cached_property
    def tree(self) -> Tree:
        """Elementary tree of the model."""
        return lower(self.model)


def five_bar() -> FiveBar:
    """Return the mechanism of `five_bar_data`."""
    data = five_bar_data()
    return FiveBar(*(np.array(data[name]) for name in ("axes", "parameters", "gravity")))


def reaching_motion(t: Any) -> tuple[Array, Array, Array]:
    """Angles of the motors (2), their rates and accelerations at the time t (s), any scalar.

    Point to point with the least jerk, at rest before and after: `five_bar_data()["trajectory"]`.
    """
    path = five_bar_data()["trajectory"]
    T = path["duration"]
    start, reach = array(path["start"]), array(path["goal"]) - array(path["start"])
    x = t / T
    if complex(x).real <= 0.0:
        x = 0.0
    if complex(x).real >= 1.0:
        x = 1.0
    s = x * x * x * (10.0 - 15.0 * x + 6.0 * x * x)
    ds = 30.0 * x * x * (1.0 - 2.0 * x + x * x) / T
    dds = 60.0 * x * (1.0 - 3.0 * x + 2.0 * x * x) / (T * T)
    return start + s * reach, ds * reach, dds * reach


# ------------------------------------------------------------------ closure


def _rotations(w: Array, theta: Array) -> tuple[list[Array], list[Array]]:
    """R_i = e^[w_i] theta_i, and P_i, the product of the rotations before it in its branch."""
    R, P = [exp_so3(w_i, angle) for w_i, angle in zip(w, theta, strict=True)], list[Array]()
    for before in _BEFORE:
        product = identity(3)
        for j in before:
            product = product @ R[j]
        P.append(product)
    return R, P


@equation("11")
def closure(w: Array, theta: Array) -> Array:
    """e^w1.. e^w2.. e^w3.. (e^w4.. e^w5..)^-1 (3 x 3), the identity where the loop is closed."""
    R, P = _rotations(w, theta)
    return (P[2] @ R[2]) @ (P[4] @ R[4]).T


@equation("11")
def assemble(w: Array, theta_a: Array) -> Array:
    """Return the angles of all joints (5) that close the loop for those of the motors theta_a (2).

    The assembly is the one reached from home, theta = 0, without passing a singularity, by Newton's
    method along the way; any scalar, so complex steps pass through. An error where it cannot close.
    """
    theta, turns = zeros(5), [float(abs(angle)) for angle in theta_a]
    if not all(turn <= _MAX_ANGLE for turn in turns):
        raise ModelError(f"theta_a: expected angles of at most two turns, found {list(theta_a)}")
    strides = max(1, ceil(max(turns) / _MAX_STEP))
    for k in range(1, strides + 1):
        theta[list(ACTIVE)] = theta_a * (k / strides)
        for _ in range(_NEWTON_STEPS):
            E = closure(w, theta)
            error = 0.5 * array((E[2, 1] - E[1, 2], E[0, 2] - E[2, 0], E[1, 0] - E[0, 1]))
            g_p, _ = constraint_matrices(w, theta)
            theta[list(PASSIVE)] = theta[list(PASSIVE)] - inverse(g_p) @ error
        if not _gap(w, theta) <= _ASSEMBLY_TOLERANCE:
            reached = [float(complex(angle).real) for angle in theta[list(ACTIVE)]]
            raise ModelError(
                f"the five-bar cannot close at theta_a = {reached}, on the way from home to"
                f" {list(theta_a)}: choose angles it can reach"
            )
    return theta


def _gap(w: Array, theta: Array) -> float:
    return max(float(abs(x)) for x in np.ravel(closure(w, theta) - identity(3)))


def _need_closed(w: Array, theta: Array) -> None:
    if not _gap(w, theta) <= _CLOSURE_TOLERANCE:
        raise ModelError(
            f"theta: expected angles that close the loop, as `assemble` gives them, found"
            f" {list(theta)} with a gap of {_gap(w, theta):.1e}"
        )


def inverse(A: Array) -> Array:
    """Inverse of a 3 x 3 matrix, any scalar; an error at a singularity of the mechanism."""
    a, b, c = A.T
    rows = (cross(b, c), cross(c, a), cross(a, b))
    det = dot(a, rows[0])
    if float(abs(det)) < _MIN_DETERMINANT:
        raise ModelError(
            "the five-bar is in a singular configuration: its passive axes w2', w3', w5' are"
            f" coplanar (determinant {float(abs(det)):.1e})"
        )
    return np.stack(rows) / det


# ------------------------------------------------------------------ kinematics


def moved_axes(w: Array, theta: Array) -> list[Array]:
    """Return w_i', the axes at theta: w_i rotated by the joints before it."""
    _, P = _rotations(w, theta)
    return [P_i @ w_i for P_i, w_i in zip(P, w, strict=True)]


@equation("12")
def constraint_matrices(w: Array, theta: Array) -> tuple[Array, Array]:
    """g_p = [w2' w3' -w5'] and g_a = [w1' -w4'], with g_p theta-dot_p + g_a theta-dot_a = 0."""
    return _split_columns(moved_axes(w, theta))


def _split_columns(columns: list[Array]) -> tuple[Array, Array]:
    """Split signed columns of all joints into those of the passive and of the active joints."""
    signed = [sign * column for sign, column in zip(_SIGN, columns, strict=True)]
    return np.stack([signed[i] for i in PASSIVE], 1), np.stack([signed[i] for i in ACTIVE], 1)


@equation("12")
def passive_jacobian(w: Array, theta: Array) -> Array:
    """Return J_p = -g_p^-1 g_a (3 x 2), with theta-dot_p = J_p theta-dot_a."""
    g_p, g_a = constraint_matrices(w, theta)
    return -(inverse(g_p) @ g_a)


def axis_rates(w: Array, theta: Array, rates: Array, second: Array) -> list[list[Array]]:
    """Return w_i', its first and its second time derivative, of every joint.

    d/dt w_i' = Omega_i x w_i' with Omega_i the angular velocity of the link before joint i.
    """
    axes, first, out = moved_axes(w, theta), list[Array](), list[list[Array]]()
    for i, before in enumerate(_BEFORE):
        Omega, Omega_dot = zeros(3), zeros(3)
        for j in before:
            Omega = Omega + axes[j] * rates[j]
            Omega_dot = Omega_dot + first[j] * rates[j] + axes[j] * second[j]
        first.append(cross(Omega, axes[i]))
        out.append([axes[i], first[i], cross(Omega_dot, axes[i]) + cross(Omega, first[i])])
    return out


def passive_jacobian_rates(
    w: Array, theta: Array, rates: Array, second: Array
) -> tuple[Array, Array, Array]:
    """Return J_p and its first and second time derivative (3 x 2 each); not in the note.

    From g_p J_p + g_a = 0: g_p J_p' = -(g_p' J_p + g_a'), g_p J_p'' = -(g_p'' J_p + 2 g_p' J_p' +
    g_a''). rates, second: theta-dot and theta-ddot of all joints (5).
    """
    axes = axis_rates(w, theta, rates, second)
    (g_p, g_a), (d_p, d_a), (dd_p, dd_a) = (_split_columns([x[k] for x in axes]) for k in range(3))
    inverted = inverse(g_p)
    J = -(inverted @ g_a)
    J_dot = -(inverted @ (d_p @ J + d_a))
    return J, J_dot, -(inverted @ (dd_p @ J + 2.0 * (d_p @ J_dot) + dd_a))


def joint_rates(w: Array, theta: Array, v_a: Array, a_a: Array) -> tuple[Array, Array]:
    """Return theta-dot and theta-ddot of all joints (5) from those of the motors (2)."""
    rates, second = zeros(5), zeros(5)
    rates[list(ACTIVE)], second[list(ACTIVE)] = v_a, a_a
    rates[list(PASSIVE)] = passive_jacobian(w, theta) @ v_a
    J, J_dot, _ = passive_jacobian_rates(w, theta, rates, second)  # J' needs no theta-ddot
    second[list(PASSIVE)] = J @ a_a + J_dot @ v_a
    return rates, second


# ------------------------------------------------------------------ torques


@equation("13")
def parallel_torque(J_p: Array, tau: Array) -> Array:
    """Return tau^pr = tau_a + J_p^T tau_p (2): the motors' torques from those of the tree (5)."""
    return tau[list(ACTIVE)] + J_p.T @ tau[list(PASSIVE)]


@equation("13")
def motor_torque(mechanism: FiveBar, theta: Array, v_a: Array, a_a: Array) -> Array:
    """Return the torques of the motors (2) at a closed configuration theta (5), for their rates."""
    _need_closed(mechanism.w, theta)
    rates, second = joint_rates(mechanism.w, theta, v_a, a_a)
    tau = inverse_dynamics(mechanism.tree, theta, rates, second)
    return parallel_torque(passive_jacobian(mechanism.w, theta), tau)


def moved_axes_derivative(w: Array, theta: Array, columns: Columns) -> list[Array]:
    """Return dw_i'/dlambda of every joint (3 x width).

    w_j' x w_i' in the column of theta_j for j before i, (P_j (1 - R_j) eta_j) x w_i' in that of
    eta_j, and (P_i eta_i) x w_i' in its own; eta turns, its translations leave directions alone.
    """
    R, P = _rotations(w, theta)
    axes, first, out = moved_axes(w, theta), columns.rates(0).start, list[Array]()
    for i, before in enumerate(_BEFORE):
        turn = zeros(3, columns.width)  # of the link before joint i, and of the axis by its own eta
        for j in before:
            turn[:, first + j] = axes[j]
            turn[:, columns.eta(j)][:, :3] = P[j] @ (identity(3) - R[j])
        turn[:, columns.eta(i)][:, :3] = P[i]
        out.append(-(skew(axes[i]) @ turn))
    return out


@equation("14")
def motor_torque_partial(mechanism: FiveBar, theta: Array, v_a: Array, a_a: Array) -> Array:
    """dtau^pr/dlambda = -G_a + g_a^T g_p^-T G_p + [1, J_p^T] S (2 x width), all joints independent.

    G_a = (t^T dw1', -t^T dw4') and G_p = (t^T dw2', t^T dw3', -t^T dw5') with t = g_p^-T tau_p, dw'
    by lambda. eta is in the frames of the links; `Columns(5, 5)` says where each part stands. Axes
    that are shifted, not turned, no longer meet in a point, and the loop jams: of their columns
    only the tree's share has a meaning.
    """
    _need_closed(mechanism.w, theta)
    w, tree = mechanism.w, mechanism.tree
    full = differential_dynamics(tree, theta, *joint_rates(w, theta, v_a, a_a))
    columns, S = full.columns, full.S.copy()
    links = slice(0, 6 * len(tree.nodes))
    S[:, links] = full.S[:, links] @ joint_frames(tree)
    g_p, g_a = constraint_matrices(w, theta)
    tau_hat = inverse(g_p).T @ full.tau[list(PASSIVE)]
    dw = [tau_hat @ d for d in moved_axes_derivative(w, theta, columns)]
    G = [sign * row for sign, row in zip(_SIGN, dw, strict=True)]
    G_p, G_a = np.stack([G[i] for i in PASSIVE]), np.stack([G[i] for i in ACTIVE])
    J_p = passive_jacobian(w, theta)
    return -G_a + g_a.T @ (inverse(g_p).T @ G_p) + S[list(ACTIVE)] + J_p.T @ S[list(PASSIVE)]


def tangent(w: Array, theta: Array, v_a: Array, a_a: Array) -> Array:
    """dlambda/dx (width x 21): how all joints follow x = (eta turns, theta_a, rates, second).

    x holds the rotational parts of eta_1 .. eta_5 (15), then theta_a, theta-dot_a, theta-ddot_a
    (2 each). From the derivatives of the closure, of g theta-dot = 0 and of g theta-ddot +
    g' theta-dot = 0. Not in the note.
    """
    rates, second = joint_rates(w, theta, v_a, a_a)
    R, P = _rotations(w, theta)
    unit = identity(21)
    eta = unit[:15].reshape(5, 3, 21)
    slips = [P_i @ (identity(3) - R_i) @ eta_i for P_i, R_i, eta_i in zip(P, R, eta, strict=True)]
    d_theta = _follow(w, theta, unit[15:17], slips)
    axes, first = ([x[k] for x in axis_rates(w, theta, rates, second)] for k in (0, 1))
    dw = list[Array]()  # of w_i', which turns with the link before and by its own eta
    for i, before in enumerate(_BEFORE):
        turn = P[i] @ eta[i]
        for j in before:
            turn = turn + np.outer(axes[j], d_theta[j]) + slips[j]
        dw.append(-(skew(axes[i]) @ turn))
    d_rates = _follow(w, theta, unit[17:19], [d * r for d, r in zip(dw, rates, strict=True)])
    terms = list[Array]()
    for i, before in enumerate(_BEFORE):
        Omega, d_Omega = zeros(3), zeros(3, 21)
        for j in before:
            Omega = Omega + axes[j] * rates[j]
            d_Omega = d_Omega + dw[j] * rates[j] + np.outer(axes[j], d_rates[j])
        d_first = skew(Omega) @ dw[i] - skew(axes[i]) @ d_Omega  # of w_i'-dot = Omega_i x w_i'
        terms.append(dw[i] * second[i] + d_first * rates[i] + np.outer(first[i], d_rates[i]))
    d_second = _follow(w, theta, unit[19:], terms)
    columns = Columns(5, 5)
    out = zeros(columns.width, 21)
    for i in range(5):
        out[columns.eta(i)][:3] = eta[i]
    for order, d in enumerate((d_theta, d_rates, d_second)):
        out[columns.rates(order)] = d
    return out


def _follow(w: Array, theta: Array, active: Array, terms: list[Array]) -> Array:
    """Return the d (5 x 21) with the rows `active` and g d + sum of the signed rest = 0."""
    g_p, g_a = constraint_matrices(w, theta)
    total = g_a @ active
    for sign, term in zip(_SIGN, terms, strict=True):
        total = total + sign * term
    out = zeros(5, active.shape[1])
    out[list(ACTIVE)], out[list(PASSIVE)] = active, -(inverse(g_p) @ total)
    return out


@equation("14")
def motor_torque_derivative(mechanism: FiveBar, theta: Array, v_a: Array, a_a: Array) -> Array:
    """Return dtau^pr/dx (2 x 21) along the mechanism: the partial derivative (14) times `tangent`.

    The columns of the turns of the axes are for links that keep their shape about displaced axes
    and a loop that is assembled again, with the motors' motion unchanged.
    """
    partial = motor_torque_partial(mechanism, theta, v_a, a_a)
    return partial @ tangent(mechanism.w, theta, v_a, a_a)
