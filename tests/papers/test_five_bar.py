"""Kwon's spherical five-bar, (11) to (14).

The truth: all links turn about the origin, so the reduced Lagrangian needs their rotations alone;
its derivatives by the motors' angles are complex steps through the closure, solved by Newton's
method on complex numbers. The derivatives of the torques are complex steps of all of that.
"""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from jounce.errors import ModelError
from jounce.math.lie import exp_so3
from jounce.math.scalar import array, identity, zeros
from jounce.math.spatial import dot, inertia_matrix
from jounce.papers import kwon
from jounce.papers.kwon.five_bar import ACTIVE, PASSIVE
from support.helpers import STEP, close, objects, slope

MECHANISM = kwon.five_bar()
W = objects(MECHANISM.w)
TREE = MECHANISM.tree
COLUMNS = kwon.Columns(5, 5)


def _other() -> kwon.FiveBar:
    """Axes and inertias without any symmetry."""
    rng = np.random.default_rng(51)
    w = MECHANISM.w + rng.uniform(-0.15, 0.15, (5, 3))
    pi = [np.zeros(10)] * 5
    for i in range(4):
        points, masses = rng.uniform(-0.2, 0.2, (6, 3)), rng.uniform(0.1, 0.3, 6)
        second = (points.T * masses) @ points
        I = np.trace(second) * np.eye(3) - second
        entries = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        pi[i] = np.array((masses.sum(), *(masses @ points), *entries))
    w /= np.linalg.norm(w, axis=1, keepdims=True)
    return kwon.FiveBar(w, np.array(pi), np.array((1.0, -4.0, 7.0)))


@pytest.fixture(params=["five_bar", "another"])
def mechanism(request: pytest.FixtureRequest) -> kwon.FiveBar:
    return MECHANISM if request.param == "five_bar" else _other()


class Motion:
    """The mechanism on its way: motors at t, all joints following."""

    def __init__(self, mechanism: kwon.FiveBar, t: float = 0.31) -> None:
        self.w = objects(mechanism.w)
        self.theta_a, self.v_a, self.a_a = kwon.reaching_motion(t)
        self.theta = kwon.assemble(self.w, self.theta_a)
        self.rates, self.second = kwon.joint_rates(self.w, self.theta, self.v_a, self.a_a)


# ------------------------------------------------------------------ data


def test_data() -> None:
    data = kwon.five_bar_data()
    close(np.linalg.norm(data["axes"], axis=1), np.ones(5), tolerance=1e-15)
    assert [joint.parent for joint in MECHANISM.model.joints] == data["parents"]
    assert tuple(data["active"]) == ACTIVE
    assert tuple(data["passive"]) == PASSIVE
    assert not any(data["parameters"][4]), "link 5 is massless"
    assert data["loop"] == {"body_a": 2, "body_b": 4}
    # a caller may write into what it got
    data["axes"][0][0] = 7.0
    assert kwon.five_bar_data()["axes"][0][0] == 1.0


def test_reaching_motion() -> None:
    path = kwon.five_bar_data()["trajectory"]
    T = path["duration"]
    for t, expected in ((-1.0, "start"), (0.0, "start"), (T, "goal"), (2 * T, "goal")):
        angles, *rates = kwon.reaching_motion(t)
        close(angles, path[expected])
        close(rates, np.zeros((2, 2)))
    for t in (0.1, 0.4, 0.7):
        angles, v, a = kwon.reaching_motion(t)
        moved = kwon.reaching_motion(t + 1j * STEP)
        close(v, slope(moved[0]))
        close(a, slope(moved[1]))
        assert np.isfinite(angles.astype(float)).all()


# ------------------------------------------------------------------ kinematics


def test_closure_along_the_motion() -> None:
    """(11): closed at every time, far from singular."""
    for t in np.linspace(0.0, 0.8, 9):
        m = Motion(MECHANISM, t)
        close(kwon.closure(W, m.theta), np.eye(3), "(11)")
        left = exp_so3(W[0], m.theta[0]) @ exp_so3(W[1], m.theta[1]) @ exp_so3(W[2], m.theta[2])
        close(left, exp_so3(W[3], m.theta[3]) @ exp_so3(W[4], m.theta[4]), "(11)")
        g_p, _ = kwon.constraint_matrices(W, m.theta)
        assert abs(np.linalg.det(g_p.astype(float))) > 0.4
    close(kwon.assemble(W, zeros(2)), np.zeros(5), "home")


def test_joints_follow(mechanism: kwon.FiveBar) -> None:
    """(12), and the rates of J_p, by complex steps in time and in the motors' angles."""
    t = 0.31
    m, later = Motion(mechanism, t), Motion(mechanism, t + 1j * STEP)
    close(m.rates, slope(later.theta), "theta-dot")
    close(m.second, slope(later.rates), "theta-ddot")
    steps = [slope(kwon.assemble(m.w, m.theta_a + 1j * STEP * e)) for e in identity(2)]
    J = kwon.passive_jacobian(m.w, m.theta)
    close(J, np.stack(steps, -1)[list(PASSIVE)], "(12)")
    state = m.w, m.theta, m.rates, m.second
    after = later.w, later.theta, later.rates, later.second
    J, J_dot, J_ddot = kwon.passive_jacobian_rates(*state)
    J_later, J_dot_later, _ = kwon.passive_jacobian_rates(*after)
    close(J_dot, slope(J_later), "J_p'")
    close(J_ddot, slope(J_dot_later), "J_p''")
    for now, then in zip(kwon.axis_rates(*state), kwon.axis_rates(*after), strict=True):
        close(now[1], slope(then[0]), "w'")
        close(now[2], slope(then[1]), "w''")


# ------------------------------------------------------------------ torques


def reduced_torque(mechanism: kwon.FiveBar, theta_a: Any, v_a: Any, a_a: Any) -> np.ndarray:
    """M_r a_a + Christoffel terms + dP/dtheta_a of the reduced Lagrangian."""
    w = objects(mechanism.w)
    pi, gravity = objects(mechanism.parameters), objects(mechanism.gravity)

    def rotations(theta: Any) -> list[np.ndarray]:
        R = [exp_so3(w[i], theta[i]) for i in range(5)]
        return [R[0], R[0] @ R[1], R[0] @ R[1] @ R[2], R[3]]

    def mass_matrix(angles: Any) -> np.ndarray:
        theta = kwon.assemble(w, angles)
        axes = kwon.moved_axes(w, theta)
        J = zeros(5, 2)
        J[list(ACTIVE)], J[list(PASSIVE)] = identity(2), kwon.passive_jacobian(w, theta)
        M = zeros(2, 2)
        for i, R in enumerate(rotations(theta)):
            omega = zeros(3, 2)  # of link i by the motors' rates
            for j in ((0,), (0, 1), (0, 1, 2), (3,))[i]:
                omega = omega + np.outer(axes[j], J[j])
            M = M + omega.T @ (R @ inertia_matrix(pi[i]) @ R.T) @ omega
        return M

    def potential(angles: Any) -> Any:
        turned = zip(rotations(kwon.assemble(w, angles)), pi, strict=False)
        return -sum(dot(gravity, R @ phi[1:4]) for R, phi in turned)

    moved = [theta_a + 1j * STEP * e for e in identity(2)]
    dM = [slope(mass_matrix(x)) for x in moved]
    dP = array(slope(potential(x)) for x in moved)
    M_dot = dM[0] * v_a[0] + dM[1] * v_a[1]
    kinetic = array(0.5 * v_a @ d @ v_a for d in dM)
    return mass_matrix(theta_a) @ a_a + M_dot @ v_a - kinetic + dP


def test_motor_torque(mechanism: kwon.FiveBar) -> None:
    """(13) against the reduced Lagrangian."""
    for t in (0.0, 0.31, 0.6):
        m = Motion(mechanism, t)
        found = kwon.motor_torque(mechanism, m.theta, m.v_a, m.a_a)
        close(found, reduced_torque(mechanism, m.theta_a, m.v_a, m.a_a), f"(13), t = {t}")


def test_cut_joint_carries_nothing(mechanism: kwon.FiveBar) -> None:
    m = Motion(mechanism)
    tau = kwon.inverse_dynamics(mechanism.tree, m.theta, m.rates, m.second)
    assert tau[4] == 0.0
    close(
        kwon.parallel_torque(kwon.passive_jacobian(m.w, m.theta), tau),
        kwon.motor_torque(mechanism, m.theta, m.v_a, m.a_a),
    )


def torque(
    mechanism: kwon.FiveBar, w: Any, theta: Any, rates: Any, second: Any, eta: Any = None
) -> np.ndarray:
    """tau^pr with all joints' states given: (13) as a function of lambda."""
    tree = mechanism.tree
    if eta is not None:
        w = np.stack([kwon.exponential(e)[0] @ w_i for e, w_i in zip(eta, w, strict=True)])
        eta = (kwon.joint_frames(tree) @ eta.ravel()).reshape(5, 6)
    tau = kwon.inverse_dynamics(tree, theta, rates, second, eta)
    return kwon.parallel_torque(kwon.passive_jacobian(w, theta), tau)


def test_partial_derivatives(mechanism: kwon.FiveBar) -> None:
    """(14) by every entry of lambda, all five joints independent."""
    m = Motion(mechanism)
    found = kwon.motor_torque_partial(mechanism, m.theta, m.v_a, m.a_a)
    assert found.shape == (2, COLUMNS.width)
    state = m.theta, m.rates, m.second
    for i in range(5):
        for c in range(6):
            eta = zeros(5, 6)
            eta[i, c] = 1j * STEP
            step = slope(torque(mechanism, m.w, *state, eta))
            close(found[:, COLUMNS.eta(i)][:, c], step, f"eta_{i}, {c}")
    for order in range(3):
        for j, e in enumerate(identity(5)):
            moved = [x + 1j * STEP * e if k == order else x for k, x in enumerate(state)]
            step = slope(torque(mechanism, m.w, *moved))
            close(found[:, COLUMNS.rates(order)][:, j], step, f"order {order}, joint {j}")


def test_last_row_does_not_vanish() -> None:
    """The note sets the last row of G_p to zero: tau-hat is orthogonal to w5', not to dw5'."""
    m = Motion(MECHANISM)
    tau = kwon.inverse_dynamics(TREE, m.theta, m.rates, m.second)
    g_p, _ = kwon.constraint_matrices(W, m.theta)
    tau_hat = np.linalg.solve(g_p.astype(float).T, tau[list(PASSIVE)].astype(float))
    assert abs(tau_hat @ kwon.moved_axes(W, m.theta)[4].astype(float)) < 1e-14
    dw5 = kwon.moved_axes_derivative(W, m.theta, COLUMNS)[4].astype(float)
    assert np.abs(tau_hat @ dw5).max() > 0.01


def test_axes_by_lambda(mechanism: kwon.FiveBar) -> None:
    m = Motion(mechanism)
    found = kwon.moved_axes_derivative(m.w, m.theta, COLUMNS)
    for j, e in enumerate(identity(5)):
        moved = kwon.moved_axes(m.w, m.theta + 1j * STEP * e)
        for d, axis in zip(found, moved, strict=True):
            close(d[:, COLUMNS.rates(0)][:, j], slope(axis))


def along(mechanism: kwon.FiveBar, x: np.ndarray) -> tuple[np.ndarray, ...]:
    """Joints and torques of the mechanism assembled again for x = (turns, motors' motion)."""
    m = Motion(mechanism)
    eta = zeros(5, 6)
    eta[:, :3] = x[:15].reshape(5, 3)
    w = np.stack([kwon.exponential(e)[0] @ w_i for e, w_i in zip(eta, m.w, strict=True)])
    v_a, a_a = m.v_a + x[17:19], m.a_a + x[19:]
    theta = kwon.assemble(w, m.theta_a + x[15:17])
    rates, second = kwon.joint_rates(w, theta, v_a, a_a)
    return theta, rates, second, torque(mechanism, m.w, theta, rates, second, eta)


def test_total_derivatives(mechanism: kwon.FiveBar) -> None:
    """How all joints and the torques follow turned axes and the motors' motion."""
    m = Motion(mechanism)
    steps = [along(mechanism, 1j * STEP * e) for e in identity(21)]
    theta, rates, second, tau = (slope(np.stack(x, -1)) for x in zip(*steps, strict=True))
    found = kwon.tangent(m.w, m.theta, m.v_a, m.a_a)
    close(found[COLUMNS.rates(0)], theta, "theta")
    close(found[COLUMNS.rates(1)], rates, "theta-dot")
    close(found[COLUMNS.rates(2)], second, "theta-ddot")
    total = kwon.motor_torque_derivative(mechanism, m.theta, m.v_a, m.a_a)
    close(total, tau, "tau^pr")


def test_tangent_by_jacobian_rates(mechanism: kwon.FiveBar) -> None:
    """With E = [1; J_p]: dtheta = (E, 0, 0), dtheta-dot = (E', E, 0), dtheta-ddot = (E'', 2 E', E).

    By the motors' angles, rates and accelerations.
    """
    m = Motion(mechanism)
    E = []
    for k, J in enumerate(kwon.passive_jacobian_rates(m.w, m.theta, m.rates, m.second)):
        E.append(zeros(5, 2))
        E[k][list(PASSIVE)] = J
    E[0][list(ACTIVE)] = identity(2)
    found = kwon.tangent(m.w, m.theta, m.v_a, m.a_a)[:, 15:]
    O = zeros(5, 2)
    rows = ((E[0], O, O), (E[1], E[0], O), (E[2], 2.0 * E[1], E[0]))
    for order, row in enumerate(rows):
        close(found[COLUMNS.rates(order)], np.concatenate(row, axis=1), f"order {order}")


def test_torque_rate() -> None:
    """Along the motion, dtau/dt is the total derivative times the motors' rates (and jerk)."""
    m, later = Motion(MECHANISM, 0.31), Motion(MECHANISM, 0.31 + 1j * STEP)
    after = kwon.motor_torque(MECHANISM, later.theta, later.v_a, later.a_a)
    total = kwon.motor_torque_derivative(MECHANISM, m.theta, m.v_a, m.a_a)[:, 15:]
    rates = np.concatenate((m.v_a, m.a_a, objects(slope(later.a_a))))
    close(total @ rates, slope(after))


# ------------------------------------------------------------------ what cannot be


def test_refusals() -> None:
    with pytest.raises(ModelError, match=r"theta_a: expected .* at most two turns, found \[nan"):
        kwon.assemble(W, array((float("nan"), 0.0)))
    with pytest.raises(ModelError, match="at most two turns"):
        kwon.assemble(W, array((1e9, 0.0)))
    with pytest.raises(ModelError, match="at most two turns"):
        kwon.assemble(W, array((0.0, float("nan"))))
    # axes 2 and 5 come to lie 175 degrees apart, the arcs between them span 160
    with pytest.raises(
        ModelError, match=r"cannot close at .* on the way from home to \[2.0, 0.5\]"
    ):
        kwon.assemble(W, array((2.0, 0.5)))
    for torque in (kwon.motor_torque, kwon.motor_torque_derivative):
        with pytest.raises(ModelError, match="expected angles that close the loop, as `assemble`"):
            torque(MECHANISM, array((0.1, 0.0, 0.0, 0.0, 0.0)), zeros(2), zeros(2))
    flat = W.copy()
    flat[4] = flat[1]
    with pytest.raises(ModelError, match="singular configuration: its passive axes"):
        kwon.passive_jacobian(flat, zeros(5))


def missed(theta: Any) -> float:
    """The largest entry of what the closure misses the identity by."""
    return float(np.abs((kwon.closure(W, theta) - identity(3)).astype(float)).max())


def test_given_angles_may_miss_by_a_millionth() -> None:
    m = Motion(MECHANISM)
    largest = np.abs(kwon.moved_axes(W, m.theta)[4].astype(float)).max()
    for gap in (0.9e-6, 1.1e-6):
        theta = m.theta.copy()
        theta[4] = theta[4] + gap / largest  # to first order the closure misses by [w5']
        close(missed(theta) / gap, 1.0, tolerance=1e-5)
        if gap < 1e-6:
            kwon.motor_torque(MECHANISM, theta, m.v_a, m.a_a)
        else:
            with pytest.raises(ModelError, match=r"with a gap of 1\.1e-06"):
                kwon.motor_torque(MECHANISM, theta, m.v_a, m.a_a)


def test_assembled_means_closed_to_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Newton's method that stops early leaves a gap, which is refused however small it looks."""
    module = importlib.import_module("jounce.papers.kwon.five_bar")
    angles, refused = array((0.05, -0.04)), list[float]()
    for steps in range(1, 6):
        with monkeypatch.context() as patch:
            patch.setattr(module, "_NEWTON_STEPS", steps)
            try:
                assert missed(kwon.assemble(W, angles)) <= 1e-12
            except ModelError:
                patch.setattr(module, "_ASSEMBLY_TOLERANCE", 1.0)
                refused.append(missed(kwon.assemble(W, angles)))
    assert 1e-12 < min(refused) < 1e-6


def test_another_tree_is_another_model() -> None:
    """The model is a plain five-joint tree that the rest of the library takes."""
    model = replace(MECHANISM.model, name="copy")
    assert (model.nv, model.nb) == (5, 5)
    assert model.digest() == kwon.five_bar().model.digest()
