"""Mueller and Kumar's time derivatives against jets, formulas and published numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jounce.catalog.derivative import derivative
from jounce.catalog.tables import ROBOT
from jounce.formulas.dynamics import user_wrenches
from jounce.formulas.motions import configuration_jets
from jounce.io.gallery import gallery_data, planar_2r
from jounce.math import lie
from jounce.math.jets import from_rates, rates_of
from jounce.math.scalar import array, cos, sin, zeros
from jounce.math.spatial import adjoint_inverse, spatial_inertia
from jounce.model.tree import lower
from jounce.papers import common, garofalo2013
from jounce.papers import mueller_kumar2021 as mueller
from jounce.robot import Robot
from support.case import Case
from support.helpers import assert_close, objects
from support.robots import random_pose
from support.time_series import MODELS, ONE_DOF, all_close, jets, made, series


@pytest.fixture(params=ONE_DOF)
def single(request: pytest.FixtureRequest) -> Case:
    return made(request.param)


def test_kinematics(single: Case) -> None:
    """(2) to (19): product of exponentials, A, J, V and their rates."""
    tree, q, (v, a, j) = single.tree, single.q, single.rates[:3]
    for found, expected in zip(mueller.configurations(tree, q), common.poses(tree, q), strict=True):
        assert_close(found[0], expected[0], 1e-13, "(3), R")
        assert_close(found[1], expected[1], 1e-13, "(3), r")
    A, J = mueller.tree_operator(tree, q), mueller.system_jacobian(tree, q)
    assert_close(mueller.tree_operator_inverse_form(tree, q), A, 1e-13, "(16)")
    assert_close(J, np.concatenate(garofalo2013.body_jacobians(tree, q)), 1e-13, "(9)")
    Adot = jets(single, mueller.tree_operator, 1)[1]
    assert_close(mueller.tree_operator_rate(tree, q, v), Adot, 1e-12, "(19)")
    assert_close(mueller.tree_operator_rate_inverse_form(tree, q, v), Adot, 1e-12, "(18)")
    assert_close(mueller.jacobian_rate(tree, q, v), jets(single, mueller.system_jacobian, 1)[1])
    s = mueller.system(tree, q, v, a, j)
    all_close(s.V, jets(single, mueller.system_twist, 2), "(8), (15), Vddot")
    assert_close(s.a[0] @ mueller.screw_matrix(tree), zeros(*J.shape), what="a X = 0")
    U = np.concatenate([adjoint_inverse(*pose) for pose in common.poses(tree, q)])
    assert_close(mueller.gravity_operator(tree, q), U, 1e-13, "(26)")


def test_screws_and_inertia() -> None:
    rng = np.random.default_rng(3)
    e, x = lie.normalize(objects(rng.normal(size=3))), rng.normal(size=3)
    e, x, h, phi = objects(e), objects(x), 0.3, 0.7
    assert_close(mueller.screw(e, x, 0.0), mueller.revolute_screw(e, x))
    for X, pitch in ((mueller.screw(e, x, h), h), (mueller.revolute_screw(e, x), 0.0)):
        R, p = mueller.screw_exponential(X, phi)
        assert_close(R, lie.exp_se3(X, phi)[0], 1e-14)
        assert_close(p, lie.exp_se3(X, phi)[1], 1e-13)
        assert_close(R @ x + p, x + phi * pitch * e, 1e-13, "points of the axis stay on it")
    R, p = mueller.prismatic_exponential(mueller.prismatic_screw(e), phi)
    assert_close(R, np.eye(3))
    assert_close(p, phi * e)
    pose, second = random_pose(rng), np.diag((0.1, 0.2, 0.25))
    turn, c = objects(pose[:3, :3]), objects(pose[:3, 3])
    M = mueller.body_inertia(2.0, c, objects(second), turn)
    square = c @ c * np.eye(3) - np.outer(c, c)
    Theta = turn @ second @ turn.T + 2.0 * square
    entries = [Theta[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    assert_close(M, spatial_inertia(array((2.0, *(2.0 * c), *entries))), 1e-14)


def test_equals_formulas(single: Case) -> None:
    """Q, Qdot, Qddot and their parts, with wrenches that change in time."""
    tree, q, (v, a, j, s) = single.tree, single.q, single.rates[:4]
    M = mueller.mass_matrix_rates(tree, q, v, a)
    all_close(M, series(single, ROBOT["mass_matrix"], 2), "M")
    assert_close(mueller.mass_matrix(tree, q), M[0], 1e-13)
    g = mueller.gravity_rates(tree, q, v, a)
    all_close(g, series(single, ROBOT["gravity_forces"], 2), "Q_grav")
    assert_close(mueller.gravity_forces(tree, q), g[0], 1e-13)
    C = mueller.coriolis_rates(tree, q, v, a, j)
    C_0 = garofalo2013.coriolis_derivatives(tree, q, single.rates, 2, "newton_euler")
    all_close(C, C_0, "C")
    all_close(C, jets(single, mueller.coriolis_matrix, 2), "C on jets")
    # exerted by the bodies: the negative of what acts on them
    W = tuple(-np.concatenate(user_wrenches(tree, w)) for w in single.levels("w")[:3])
    Q_ext = mueller.external_rates(tree, q, (v, a), W)
    external = series(single, ROBOT["external_forces"], 2)
    all_close(Q_ext, [-x for x in external], "Q_ext")
    assert_close(mueller.external_forces(tree, q, W[0]), Q_ext[0], 1e-13)
    timed = derivative(ROBOT["inverse_dynamics"], "rates(2)")
    for wrenches, w in (((), ()), (W, single.levels("w")[:3])):
        Q = (
            mueller.inverse_dynamics(tree, q, v, a, *wrenches[:1]),
            mueller.inverse_dynamics_rate(tree, q, v, a, j, *wrenches[:2]),
            mueller.inverse_dynamics_second_rate(tree, q, v, a, j, s, *wrenches),
        )
        all_close(Q, timed.formula(tree, *single.given(timed), *w), "Q")


def test_second_order_forms(single: Case) -> None:
    """Every printed form of M1', M2, C', C1, C1', C'' and C2, and these on jets."""
    tree, q, rates = single.tree, single.q, single.rates[:3]
    s = mueller.system(tree, q, *rates)

    def on_jets(f: Callable[[mueller.System], Any], count: int, order: int = 1) -> Any:
        """Derivative of a matrix that takes `count` rates."""
        state = configuration_jets(tree, q, single.rates[:order])
        jets = [from_rates(single.rates[k : k + order + 1]) for k in range(count)]
        return rates_of(f(mueller.system(tree, state, *jets)), order)[order]

    def C(s: mueller.System) -> Any:
        return mueller.coriolis_kernel(s.M, s.A, s.a[0], s.b[0])

    M1_rate = on_jets(lambda s: mueller.mass_kernel_1(s.M, s.A, s.a[0]), 1)
    forms = {
        "M1'": (M1_rate, mueller.mass_kernel_1_rate, mueller.mass_kernel_1_rate_expanded),
        "M2": (
            mueller.mass_kernel_2_by_parts(s),
            mueller.mass_kernel_2,
            mueller.mass_kernel_2_explicit,
        ),
        "C'": (on_jets(C, 1), mueller.coriolis_kernel_rate),
        "C1": (
            mueller.coriolis_kernel_1_by_parts(s),
            mueller.coriolis_kernel_1,
            mueller.coriolis_kernel_1_explicit,
        ),
        "C1'": (on_jets(mueller.coriolis_kernel_1, 2), mueller.coriolis_kernel_1_rate),
        "C''": (
            on_jets(C, 1, 2),
            mueller.coriolis_kernel_second_rate,
            mueller.coriolis_kernel_second_rate_explicit,
        ),
        "C2": (
            mueller.coriolis_kernel_2_by_parts(s),
            mueller.coriolis_kernel_2,
            mueller.coriolis_kernel_2_explicit,
        ),
    }
    for name, (expected, *found) in forms.items():
        for form in found:
            assert_close(form(s), expected, 1e-11, f"{name}: {form.__name__}")


def test_printed_slips_do_not_hold() -> None:
    """(43) with M1(q, q-dot) first and (50) with 2 M A a a A a: print or scan is wrong."""
    case = made("branching")
    s = mueller.system(case.tree, case.q, *case.rates[:3])
    M, A, a, a1 = s.M, s.A, s.a[0], s.a[1]
    slips = {
        "mass_kernel_2": mueller.mass_kernel_1(M, A, a) - mueller.mass_kernel_1(M, A, a1),
        "coriolis_kernel_2": mueller.chain(M, A, a, a, A, a),
    }
    for name, slip in slips.items():
        right = getattr(mueller, name)(s)
        projected = mueller.chain(s.J.T, slip, s.J).astype(float)
        scale = np.abs(mueller.chain(s.J.T, right, s.J).astype(float)).max()
        assert np.abs(projected).max() > 1e-3 * scale, name


def test_structure(single: Case) -> None:
    """(54) to (57), property 2, and what they say about the derivatives."""
    tree, q, (v, a) = single.tree, single.q, single.rates[:2]
    M, Mdot, Mddot = mueller.mass_matrix_rates(tree, q, v, a)
    C, bar = mueller.coriolis_matrix(tree, q, v), mueller.passive_coriolis_matrix(tree, q, v)
    assert_close(bar, garofalo2013.coriolis_matrix(tree, q, v), 1e-13, "(54) is Garofalo's (6b)")
    assert_close(mueller.velocity_forces(tree, q, v), C @ v, 1e-12, "(55)")
    assert_close(mueller.mass_matrix_rate_from_coriolis(tree, q, v), Mdot, 1e-12, "(56)")
    skew = mueller.passivity_matrix(tree, q, v)
    assert_close(skew, bar.T - bar, 1e-12, "(57)")
    assert_close(skew + skew.T, zeros(*skew.shape), 1e-12, "(57), skew", floor=1.0)
    # property 1, for all derivatives of M, and property 2
    assert np.linalg.eigvalsh(M.astype(float)).min() > 0
    for matrix in (M, Mdot, Mddot):
        assert_close(matrix, matrix.T, 1e-13, "symmetric")
    for matrix in (C, bar):
        assert_close(v @ (Mdot - 2.0 * matrix) @ v, 0.0, 1e-11, "property 2", floor=1.0)
    # "The skew symmetry is indeed carried over to its derivatives"
    rate = jets(single, mueller.passivity_matrix, 1)[1]
    assert_close(rate + rate.T, zeros(*rate.shape), 1e-11, "skew, derivative", floor=1.0)


def test_c_is_not_passive() -> None:
    """Mdot - 2 C is not skew for the C of (22)."""
    case = made("branching")
    Mdot = mueller.mass_matrix_rates(case.tree, case.q, case.rates[0])[1]
    C = mueller.coriolis_matrix(case.tree, case.q, case.rates[0])
    residual = (Mdot - C - C.T).astype(float)
    assert np.abs(residual).max() > 1e-2 * np.abs(Mdot.astype(float)).max()


def test_with_other_joints() -> None:
    """(1) to (27) hold for every kind; what needs (12) names the joint it cannot take."""
    case = made("every kind")
    tree, q, (v, a, j, s) = case.tree, case.q, case.rates[:4]
    tau = ROBOT["inverse_dynamics"].formula(tree, q, v, a)
    assert_close(mueller.inverse_dynamics(tree, q, v, a), tau)
    first = next(node for node in tree.nodes if node.S.shape[1] > 1)
    message = rf"joint {first.body} \({first.motion}\) has {first.S.shape[1]} degrees of freedom"
    assert case.model.joints[first.body].kind == first.motion.name
    refused: tuple[Callable[[], Any], ...] = (
        lambda: mueller.configurations(tree, q),
        lambda: mueller.jacobian_rate(tree, q, v),
        lambda: mueller.inverse_dynamics_rate(tree, q, v, a, j),
        lambda: mueller.inverse_dynamics_second_rate(tree, q, v, a, j, s),
        lambda: mueller.mass_matrix_rates(tree, q, v),
        lambda: mueller.passive_coriolis_matrix(tree, q, v),
    )
    for call in refused:
        with pytest.raises(ValueError, match=message):
            call()
    serial = made("serial")
    with pytest.raises(ValueError, match="3 rates at most, found 4"):
        mueller.system(serial.tree, serial.q, *serial.rates[:4])
    with pytest.raises(ValueError, match="2 rates need 3 wrenches, found 1"):
        mueller.external_rates(serial.tree, serial.q, tuple(serial.rates[:2]), (zeros(24),))


def test_planar_2r() -> None:
    """The printed torques of section 6.1 and their derivatives."""
    rng = np.random.default_rng(8)
    L1, L2, m1, m2, g = 0.7, 0.4, 1.3, 0.6, 9.81
    tree = lower(planar_2r(L1, L2, m1, m2, gravity=(0.0, -g, 0.0)))
    q, v, a, j, s = (objects(rng.normal(size=2)) for _ in range(5))
    (v1, v2), (a1, a2), (j1, j2), (s1, s2) = v, a, j, s
    S1, C1, S2, C2, S12, C12 = *_sine_cosine(q[0]), *_sine_cosine(q[1]), *_sine_cosine(q[0] + q[1])
    k, M = L1 * L2 * m2, L1 * L1 * (m1 + m2)
    tau = (
        M * a1
        + L2 * L2 * m2 * (a1 + a2)
        + L2 * g * m2 * C12
        + L1 * g * (m1 + m2) * C1
        + k * ((2 * a1 + a2) * C2 - (v2**2 + 2 * v1 * v2) * S2),
        L2 * m2 * (L1 * S2 * v1**2 + L2 * (a1 + a2) + g * C12 + L1 * a1 * C2),
    )
    tau_dot = (
        M * j1
        + L2 * L2 * m2 * (j1 + j2)
        - L2 * g * m2 * S12 * (v1 + v2)
        - L1 * g * (m1 + m2) * S1 * v1
        + k * ((2 * j1 + j2) * C2 - v2**3 * C2 - 2 * v1 * v2**2 * C2)
        - k * (4 * a1 * v2 + 2 * a2 * v1 + 3 * a2 * v2) * S2,
        L2 * m2 * (L2 * (j1 + j2) - g * S12 * (v1 + v2) + L1 * j1 * C2 + 2 * L1 * a1 * v1 * S2)
        + k * (v1**2 * v2 * C2 - a1 * v2 * S2),
    )
    curve = 3 * a2**2 - v2**4 - 2 * v1 * v2**3 + 6 * a1 * a2 + 6 * j1 * v2 + 2 * j2 * v1
    bend = v1**2 * v2**2 - 2 * a1**2 - 2 * j1 * v1 + 2 * j1 * v2 + a1 * a2
    tau_ddot = (
        M * s1
        + L2 * L2 * m2 * (s1 + s2)
        - L1 * g * (m1 + m2) * (v1**2 * C1 + a1 * S1)
        - L2 * g * m2 * ((a1 + a2) * S12 + (v1 + v2) ** 2 * C12)
        + k * ((2 * s1 + s2) * C2 - (curve + 4 * j2 * v2) * S2)
        - k * 6 * (a1 * v2**2 + a2 * v2**2 + a2 * v1 * v2) * C2,
        L2 * L2 * m2 * (s1 + s2)
        - L2 * m2 * g * ((v1 + v2) ** 2 * C12 + (a1 + a2) * S12)
        + k * (s1 * C2 - bend * S2 - (a1 * v2**2 - a2 * v1**2 - 4 * a1 * v1 * v2) * C2),
    )
    assert_close(mueller.inverse_dynamics(tree, q, v, a), tau, 1e-13)
    assert_close(mueller.inverse_dynamics_rate(tree, q, v, a, j), tau_dot, 1e-13)
    assert_close(mueller.inverse_dynamics_second_rate(tree, q, v, a, j, s), tau_ddot, 1e-13)


def _sine_cosine(x: float) -> tuple[float, float]:
    return sin(x), cos(x)


def _published(name: str) -> tuple[dict[str, Any], list[np.ndarray], list[np.ndarray]]:
    """References, states (q, v, a, j, s) and wrenches (W, Wdot, Wddot) of the gallery's data."""
    data = gallery_data(name)
    references = data["reference"]
    amplitude, omega = np.array(data["trajectory"]["amp"]), np.array(data["trajectory"]["omega"])
    t = np.array([reference["t"] for reference in references])[:, None]
    pushed = np.array([float(reference["ext_wrench"]) for reference in references])
    turns = [omega * t + k * np.pi / 2 for k in range(5)]  # d/dt cos(x) = omega cos(x + pi / 2)
    state = [amplitude * omega**k * np.cos(x) for k, x in enumerate(turns)]
    wrenches = []
    for k in range(3):
        W = np.zeros((len(t), len(omega), 6))
        size = 10 * np.pi**k * np.sin(np.pi * t[:, 0] + k * np.pi / 2)
        W[:, -1] = (pushed * size)[:, None]
        wrenches.append(W)
    stacked = {key: np.array([r[key] for r in references]) for key in ("Q", "Qdot", "Qddot")}
    return stacked, state, wrenches


def test_kuka_reference() -> None:
    """Compiled kernels against the published motion: Q = inverse dynamics + J^T W."""
    expected, state, W = _published("iiwa14_mueller_kumar2021")
    robot = Robot(MODELS["kuka"])
    tau = robot.quantity("inverse_dynamics.rates(2)")(*state)
    push = robot.quantity("external_forces.rates(2)")(*state[:3], *W)
    for key, x, y in zip(("Q", "Qdot", "Qddot"), tau, push, strict=True):
        assert_close(x + y, expected[key], 1e-12, key)


def test_paper_reproduces_reference() -> None:
    """The same motion through Mueller-Kumar's own equations, W as the paper has it."""
    expected, state, W = _published("iiwa14_mueller_kumar2021")
    tree = lower(MODELS["kuka"])
    for k in (1, 2):
        q, v, a, j, s = (objects(x[k]) for x in state)
        wrenches = [np.concatenate(user_wrenches(tree, objects(w[k]))) for w in W]
        Q = mueller.inverse_dynamics(tree, q, v, a, wrenches[0])
        Qdot = mueller.inverse_dynamics_rate(tree, q, v, a, j, *wrenches[:2])
        Qddot = mueller.inverse_dynamics_second_rate(tree, q, v, a, j, s, *wrenches)
        for key, found in (("Q", Q), ("Qdot", Qdot), ("Qddot", Qddot)):
            assert_close(found, expected[key][k], 1e-12, key)
