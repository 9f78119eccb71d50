"""Time derivatives: formulas and papers against Taylor series, mpmath and published numbers.

The truth is a formula evaluated on plain jets (`motions.time_derivatives`), which expands sines and
quaternions themselves, where `formulas.wrt_time` builds on series that start at the identity and
the papers on closed forms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from jounce import papers
from jounce.catalog.rows import FRAME, ROBOT, Row, time_row
from jounce.formulas import dynamics
from jounce.formulas.dynamics import user_wrenches
from jounce.formulas.motions import configuration_jets, time_derivatives
from jounce.io.gallery import gallery_data, planar_2r
from jounce.math import lie
from jounce.math.jets import from_rates, rates_of
from jounce.math.scalar import array, cos, sin, sqrt, zeros
from jounce.math.spatial import adjoint_inverse, cross, dot, spatial_inertia
from jounce.model.model import Model
from jounce.model.tree import Tree, lower
from jounce.papers import common, garofalo2013
from jounce.papers import mueller_kumar2021 as mueller
from jounce.robot import Robot
from support.helpers import (
    assert_close,
    objects,
    quiet_read,
    with_frames,
    with_friction,
    with_two_roots,
)
from support.robots import ALL_KINDS, random_model, random_pose, random_state

ORDER = 6
TOLERANCE = 1e-11

ONE_DOF = ("revolute", "prismatic", "helical")


def _models() -> dict[str, Model]:
    rng = np.random.default_rng(17)
    two_motions = (*ONE_DOF, "universal", "cylindrical")
    return {
        "serial": random_model(rng, 4, ONE_DOF, branching=False),
        "branching": random_model(rng, 7, ONE_DOF),
        "universal, cylindrical": random_model(rng, 5, two_motions),
        "mimic": random_model(rng, 6, ONE_DOF, mimic=True),
        "two roots": with_two_roots(random_model(rng, 5, ONE_DOF)),
        "kuka": replace(quiet_read("kuka_iiwa14"), frames=()),
        "every kind": random_model(rng, len(ALL_KINDS)),
        "every kind, serial": random_model(rng, len(ALL_KINDS), branching=False),
        "floating": random_model(rng, 5, ("revolute", "prismatic"), floating=True),
        "floating, mimic": random_model(
            rng, 7, ("revolute", "helical", "spherical", "planar"), mimic=True, floating=True
        ),
    }


MODELS = _models()
SINGLE = [name for name in MODELS if "kind" not in name and "floating" not in name]


class Case:
    """A robot, a configuration, and the velocity with its derivatives."""

    def __init__(self, name: str) -> None:
        rng = np.random.default_rng(23)
        self.model = with_friction(with_frames(MODELS[name], rng), rng)
        self.tree = lower(self.model)
        self.q = objects(random_state(self.model, rng)[0])
        self.rates = [objects(rng.normal(size=self.model.nv)) for _ in range(ORDER + 2)]
        self.wrenches = [objects(rng.normal(size=(self.model.nb, 6))) for _ in range(ORDER + 1)]

    def given(self, row: Row) -> list[np.ndarray]:
        """The arguments of a row of time derivatives, as far as this case has them."""
        state = [self.q, *self.rates]
        named = dict(zip(_STATE, state, strict=True))
        out = [named[name] for name in row.arguments if name in named]
        if any(name.endswith("w") for name in row.arguments):
            out += self.wrenches[: len(row.arguments) - len(out)]
        return out

    def series(self, row: Row, order: int, *frame: int) -> list[Any]:
        """Value and derivatives by `formulas.wrt_time`."""
        timed = time_row(row, order, True)
        return timed.formula(self.tree, *self.given(timed), *frame)

    def jets(self, formula: Callable[..., Any], order: int) -> list[Any]:
        """Value and derivatives of formula(tree, q[, v[, a]]), on plain jets."""
        return time_derivatives(formula, self.tree, self.q, self.rates, order)


_STATE = ("q", "v", "a", "j", "s", *(f"d{k}q" for k in range(5, ORDER + 3)))


@pytest.fixture(params=list(MODELS))
def case(request: pytest.FixtureRequest) -> Case:
    return Case(request.param)


@pytest.fixture(params=SINGLE)
def single(request: pytest.FixtureRequest) -> Case:
    return Case(request.param)


def all_close(
    actual: Sequence[Any], expected: Sequence[Any], what: str, tolerance: float = TOLERANCE
) -> None:
    assert len(actual) == len(expected), what
    for k, (x, y) in enumerate(zip(actual, expected, strict=True)):
        assert_close(x, y, tolerance, f"{what}, order {k}", floor=1e-3)


# ------------------------------------------------------------------ formulas against plain jets


def _plain(row: Row, *frame: int) -> Callable[..., Any]:
    """The row's formula with exactly the state it needs as parameters, for `time_derivatives`."""
    f = row.formula
    if row.arguments == ("q",):
        return lambda tree, q: f(tree, q, *frame)
    if row.arguments == ("v",):
        return lambda tree, q, v: f(tree, v)
    if row.arguments == ("q", "v"):
        return lambda tree, q, v: f(tree, q, v, *frame)
    return lambda tree, q, v, a: f(tree, q, v, a)


def test_every_quantity(case: Case) -> None:
    """All rows of the catalog that depend on the state alone, to order 6."""
    for row in ROBOT.values():
        if set(row.arguments) <= {"q", "v", "a"}:
            all_close(case.series(row, ORDER), case.jets(_plain(row), ORDER), row.name)


def test_every_frame_quantity(case: Case) -> None:
    for frame in range(len(case.tree.frames) - 2, len(case.tree.frames)):  # a tool, the world
        for row in FRAME.values():
            expected = case.jets(_plain(row, frame), ORDER)
            all_close(case.series(row, ORDER, frame), expected, row.name)


def test_external_forces(case: Case) -> None:
    """With wrenches that change in time, alone and within the inverse dynamics."""
    q = configuration_jets(case.tree, case.q, case.rates[:ORDER])
    wrenches = from_rates(case.wrenches)
    expected = rates_of(dynamics.external_forces(case.tree, q, wrenches), ORDER)
    all_close(case.series(ROBOT["external_forces"], ORDER), expected, "external_forces")
    timed = time_row(ROBOT["inverse_dynamics"], ORDER, True)
    total = timed.formula(case.tree, *case.given(timed), *case.wrenches)
    alone = case.series(ROBOT["inverse_dynamics"], ORDER)
    all_close(total, [x - y for x, y in zip(alone, expected, strict=True)], "with wrenches")


def test_forward_dynamics_inverts(case: Case) -> None:
    """The accelerations and their derivatives found for tau and its own give tau back.

    Compared as forces: light links make the accelerations themselves ill-conditioned.
    """
    inverse = time_row(ROBOT["inverse_dynamics"], ORDER, True)
    forward = time_row(ROBOT["forward_dynamics"], ORDER, True)
    q, v, *accelerations = case.q, *case.rates
    for wrenches in ([], case.wrenches):
        tau = inverse.formula(case.tree, q, v, *accelerations, *wrenches)
        found = forward.formula(case.tree, q, v, *tau, *wrenches)
        back = inverse.formula(case.tree, q, v, *found, *wrenches)
        all_close(back, tau, "forward_dynamics")
        all_close(found[:3], accelerations[:3], "accelerations", 1e-8)


def test_single_derivatives_are_those_of_rates() -> None:
    case = Case("floating, mimic")
    for name in ("inverse_dynamics", "coriolis_matrix", "external_forces"):
        levels = case.series(ROBOT[name], 2)
        for order in (1, 2):
            timed = time_row(ROBOT[name], order)
            alone = timed.formula(case.tree, *case.given(timed))
            assert_close(alone, levels[order], 1e-13, f"{name}, order {order}")


# ------------------------------------------------------------------ Garofalo, every joint kind


def test_garofalo_any_order(case: Case) -> None:
    tree, q, rates = case.tree, case.q, case.rates
    paper = garofalo2013
    M = paper.mass_matrix_derivatives(tree, q, rates, ORDER)
    all_close(M, case.series(ROBOT["mass_matrix"], ORDER), "M")
    g = paper.gravity_derivatives(tree, q, rates, ORDER)
    all_close(g, case.series(ROBOT["gravity_forces"], ORDER), "g")
    C = paper.coriolis_derivatives(tree, q, rates, ORDER, "christoffel")
    all_close(C, case.series(ROBOT["coriolis_matrix"], ORDER), "C, christoffel")
    tau = case.series(ROBOT["inverse_dynamics"], ORDER)
    for kernel in paper.KERNELS:
        found = paper.inverse_dynamics_derivatives(tree, q, rates, ORDER, kernel)
        all_close(found, tau, f"tau, {kernel}")


def test_garofalo_kernels_against_jets(case: Case) -> None:
    """C_0 and C_1 are in no formula of the library: the truth is (6b) itself on jets."""
    for kernel in garofalo2013.KERNELS:

        def matrix(tree: Tree, q: Any, v: Any, kernel: str = kernel) -> Any:
            return garofalo2013.coriolis_matrix(tree, q, v, kernel)

        expected = time_derivatives(
            lambda tree, q, v: matrix(tree, q, v), case.tree, case.q, case.rates, 3
        )
        found = garofalo2013.coriolis_derivatives(case.tree, case.q, case.rates, 3, kernel)
        all_close(found, expected, kernel)


def test_garofalo_jacobians(case: Case) -> None:
    tree, q, rates = case.tree, case.q, case.rates
    expected = case.jets(lambda tree, q: np.stack(garofalo2013.body_jacobians(tree, q)), ORDER)
    found = garofalo2013.jacobian_derivatives(tree, q, rates, ORDER)
    by_order = [np.stack([J[l] for J in found]) for l in range(ORDER + 1)]
    all_close(by_order, expected, "J")
    Jdot = garofalo2013.jacobian_rates(tree, q, rates[0])
    assert_close(np.stack(Jdot), expected[1], 1e-12, "(28)")
    Jddot = garofalo2013.jacobian_second_rates(tree, q, *rates[:2])
    assert_close(np.stack(Jddot), expected[2], 1e-12, "(29)")


def test_garofalo_first_order(case: Case) -> None:
    """(25a), (25b), (25c) as printed, and remark 5: C + C^T = Mdot, also differentiated."""
    tree, q, rates, paper = case.tree, case.q, case.rates, garofalo2013
    v, a = rates[:2]
    M = paper.mass_matrix_derivatives(tree, q, rates, ORDER)
    assert_close(paper.mass_matrix_rate(tree, q, v), M[1], 1e-12, "(25a)")
    g = paper.gravity_derivatives(tree, q, rates, 1)
    assert_close(paper.gravity_rate(tree, q, v), g[1], 1e-12, "(25c)")
    for kernel in paper.KERNELS:
        C = paper.coriolis_derivatives(tree, q, rates, ORDER - 1, kernel)
        assert_close(paper.coriolis_matrix(tree, q, v, kernel), C[0], 1e-12, f"(6b), {kernel}")
        assert_close(paper.coriolis_rate(tree, q, v, a, kernel), C[1], 1e-12, f"(25b), {kernel}")
        if kernel != "newton_euler":
            all_close([C_l + C_l.T for C_l in C], M[1:], f"remark 5, {kernel}")


def test_garofalo_refuses() -> None:
    case = Case("serial")
    with pytest.raises(ValueError, match="needs 3 rates"):
        garofalo2013.jacobian_derivatives(case.tree, case.q, case.rates[:2], 3)
    with pytest.raises(ValueError, match="needs 4 rates"):
        garofalo2013.inverse_dynamics_derivatives(case.tree, case.q, case.rates[:3], 2)
    with pytest.raises(ValueError, match="christoffel"):
        garofalo2013.coriolis_rate(case.tree, case.q, *case.rates[:2], kernel="other")


# ------------------------------------------------------------------ Mueller-Kumar, kinematics


def test_mueller_kinematics(single: Case) -> None:
    """(2) to (19): product of exponentials, A, J, V and their rates."""
    tree, q, (v, a, j) = single.tree, single.q, single.rates[:3]
    for found, expected in zip(mueller.configurations(tree, q), common.poses(tree, q), strict=True):
        assert_close(found[0], expected[0], 1e-13, "(3), R")
        assert_close(found[1], expected[1], 1e-13, "(3), r")
    A, J = mueller.tree_operator(tree, q), mueller.system_jacobian(tree, q)
    assert_close(mueller.tree_operator_inverse_form(tree, q), A, 1e-13, "(16)")
    assert_close(J, np.concatenate(garofalo2013.body_jacobians(tree, q)), 1e-13, "(9)")
    Adot = single.jets(mueller.tree_operator, 1)[1]
    assert_close(mueller.tree_operator_rate(tree, q, v), Adot, 1e-12, "(19)")
    assert_close(mueller.tree_operator_rate_inverse_form(tree, q, v), Adot, 1e-12, "(18)")
    assert_close(mueller.jacobian_rate(tree, q, v), single.jets(mueller.system_jacobian, 1)[1])
    s = mueller.system(tree, q, v, a, j)
    all_close(s.V, single.jets(mueller.system_twist, 2), "(8), (15), Vddot")
    assert_close(s.a[0] @ mueller.screw_matrix(tree), zeros(*J.shape), what="a X = 0")
    U = np.concatenate([adjoint_inverse(*pose) for pose in common.poses(tree, q)])
    assert_close(mueller.gravity_operator(tree, q), U, 1e-13, "(26)")


def test_mueller_screws_and_inertia() -> None:
    rng = np.random.default_rng(3)
    e, x = lie.quaternion_normalise(rng.normal(size=3)), rng.normal(size=3)
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


# ------------------------------------------------------------------ Mueller-Kumar, dynamics


def test_mueller_equals_formulas(single: Case) -> None:
    """Q, Qdot, Qddot and their parts, with wrenches that change in time."""
    tree, q, (v, a, j, s) = single.tree, single.q, single.rates[:4]
    M = mueller.mass_matrix_rates(tree, q, v, a)
    all_close(M, single.series(ROBOT["mass_matrix"], 2), "M")
    assert_close(mueller.mass_matrix(tree, q), M[0], 1e-13)
    g = mueller.gravity_rates(tree, q, v, a)
    all_close(g, single.series(ROBOT["gravity_forces"], 2), "Q_grav")
    assert_close(mueller.gravity_forces(tree, q), g[0], 1e-13)
    C = mueller.coriolis_rates(tree, q, v, a, j)
    C_0 = garofalo2013.coriolis_derivatives(tree, q, single.rates, 2, "newton_euler")
    all_close(C, C_0, "C")
    all_close(C, single.jets(mueller.coriolis_matrix, 2), "C on jets")
    # exerted by the bodies: the negative of what acts on them
    W = tuple(-np.concatenate(user_wrenches(tree, w)) for w in single.wrenches[:3])
    Q_ext = mueller.external_rates(tree, q, (v, a), W)
    external = single.series(ROBOT["external_forces"], 2)
    all_close(Q_ext, [-x for x in external], "Q_ext")
    assert_close(mueller.external_forces(tree, q, W[0]), Q_ext[0], 1e-13)
    timed = time_row(ROBOT["inverse_dynamics"], 2, True)
    for wrenches, w in (((), ()), (W, single.wrenches[:3])):
        Q = (
            mueller.inverse_dynamics(tree, q, v, a, *wrenches[:1]),
            mueller.inverse_dynamics_rate(tree, q, v, a, j, *wrenches[:2]),
            mueller.inverse_dynamics_second_rate(tree, q, v, a, j, s, *wrenches),
        )
        all_close(Q, timed.formula(tree, *single.given(timed), *w), "Q")


def test_mueller_second_order_forms(single: Case) -> None:
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


def test_mueller_printed_slips_do_not_hold() -> None:
    """(43) with M1(q, q-dot) first and (50) with 2 M A a a A a: print or scan is wrong."""
    case = Case("branching")
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


def test_mueller_structure(single: Case) -> None:
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
    rate = single.jets(mueller.passivity_matrix, 1)[1]
    assert_close(rate + rate.T, zeros(*rate.shape), 1e-11, "skew, derivative", floor=1.0)


def test_mueller_c_is_not_passive() -> None:
    """Mdot - 2 C is not skew for the C of (22)."""
    case = Case("branching")
    Mdot = mueller.mass_matrix_rates(case.tree, case.q, case.rates[0])[1]
    C = mueller.coriolis_matrix(case.tree, case.q, case.rates[0])
    residual = (Mdot - C - C.T).astype(float)
    assert np.abs(residual).max() > 1e-2 * np.abs(Mdot.astype(float)).max()


def test_mueller_with_other_joints() -> None:
    """(1) to (27) hold for every kind; what needs (12) names the joint it cannot take."""
    case = Case("every kind")
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
    serial = Case("serial")
    with pytest.raises(ValueError, match="3 rates at most, found 4"):
        mueller.system(serial.tree, serial.q, *serial.rates[:4])
    with pytest.raises(ValueError, match="2 rates need 3 wrenches, found 1"):
        mueller.external_rates(serial.tree, serial.q, tuple(serial.rates[:2]), (zeros(24),))


def test_mueller_planar_2r() -> None:
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


# ------------------------------------------------------------------ published numbers


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
    expected, state, W = _published("kuka_iiwa14")
    robot = Robot(MODELS["kuka"])
    tau = robot.quantity("inverse_dynamics.rates(2)")(*state)
    push = robot.quantity("external_forces.rates(2)")(*state[:3], *W)
    for key, x, y in zip(("Q", "Qdot", "Qddot"), tau, push, strict=True):
        assert_close(x + y, expected[key], 1e-12, key)


def test_paper_reproduces_reference() -> None:
    """The same motion through Mueller-Kumar's own equations, W as the paper has it."""
    expected, state, W = _published("kuka_iiwa14")
    tree = lower(MODELS["kuka"])
    for k in (1, 2):
        q, v, a, j, s = (objects(x[k]) for x in state)
        wrenches = [np.concatenate(user_wrenches(tree, objects(w[k]))) for w in W]
        Q = mueller.inverse_dynamics(tree, q, v, a, wrenches[0])
        Qdot = mueller.inverse_dynamics_rate(tree, q, v, a, j, *wrenches[:2])
        Qddot = mueller.inverse_dynamics_second_rate(tree, q, v, a, j, s, *wrenches)
        for key, found in (("Q", Q), ("Qdot", Qdot), ("Qddot", Qddot)):
            assert_close(found, expected[key][k], 1e-12, key)


# ------------------------------------------------------------------ 50 digits


def _precise(tree: Tree, mpf: Any) -> Tree:
    """The same tree with its constants as mpmath numbers, rotations orthogonal to all digits."""
    names = ("p0", "S", "inertia", "armature")
    convert = np.vectorize(mpf, otypes=[object])

    def rotation(R: np.ndarray) -> np.ndarray:
        x, y, _ = convert(R).T
        x = x / sqrt(dot(x, x))
        y = y - dot(x, y) * x
        y = y / sqrt(dot(y, y))
        return np.stack((x, y, cross(x, y)), axis=1)

    nodes = tuple(
        replace(
            node,
            R0=rotation(node.R0),
            pitch=mpf(node.pitch),
            gain=mpf(node.gain),
            offset=mpf(node.offset),
            **{name: convert(getattr(node, name)) for name in names},
        )
        for node in tree.nodes
    )
    return replace(tree, nodes=nodes, gravity=convert(tree.gravity))


def _velocity(tree: Tree, q: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """v for dq/dt: the inverse of `configuration_rate`, whose columns are orthogonal."""
    v = zeros(tree.nv)
    for node in tree.nodes:
        for k, unit in enumerate(np.eye(node.S.shape[1])):
            column = node.motion.configuration_rate(q[node.qs], objects(unit))
            v[node.v + k] = sum(column * rate[node.qs]) / sum(column * column)
    return v


class Trajectory:
    """A polynomial q(t); quaternions are polynomials over their length."""

    def __init__(self, model: Model, rng: np.random.Generator, mpmath: Any) -> None:
        self.mpf = mpmath.mpf
        self.tree = _precise(lower(model), self.mpf)
        start = random_state(model, rng)[0]
        terms = [start, *(rng.normal(size=len(start)) for _ in range(5))]
        self.terms = [np.vectorize(self.mpf, otypes=[object])(x) for x in terms]
        self.h = self.mpf(10) ** -6

    def q(self, t: Any) -> np.ndarray:
        q = sum(term * t**k for k, term in enumerate(self.terms))
        for node in self.tree.nodes:
            if not node.motion.limited:
                turn = q[node.qs][:4]
                q[node.qs.start : node.qs.start + 4] = turn / sqrt(sum(turn * turn))
        return q

    def v(self, t: Any) -> np.ndarray:
        return _velocity(self.tree, self.q(t), self.derivative(self.q, t, 1))

    def tau(self, t: Any) -> np.ndarray:
        a = self.derivative(self.v, t, 1)
        return garofalo2013.inverse_dynamics(self.tree, self.q(t), self.v(t), a)

    def derivative(self, f: Callable[[Any], Any], t: Any, order: int) -> Any:
        """Central differences of 8th order: at 50 digits, 26 remain of the worst one here."""
        weights = _WEIGHTS[order]
        total = sum(self.mpf(w) * f(t + k * self.h) for k, w in weights.items())
        return total / (_WHOLE * self.h**order)


#: Coefficients of central differences on -4..4, times 5040.
_WHOLE = 5040
_WEIGHTS = {
    1: {-4: 18, -3: -192, -2: 1008, -1: -4032, 1: 4032, 2: -1008, 3: 192, 4: -18},
    2: {-4: -9, -3: 128, -2: -1008, -1: 8064, 0: -14350, 1: 8064, 2: -1008, 3: 128, 4: -9},
}


def _precise_model(name: str) -> Model:
    rng = np.random.default_rng(31)
    if name == "fixed":
        return random_model(rng, 4, ONE_DOF, mimic=True)
    return random_model(rng, 4, ("spherical", "planar", "revolute"), floating=True)


@pytest.mark.parametrize("name", ["fixed", "floating"])
def test_fifty_digits(name: str) -> None:
    """tau(t) differentiated numerically at 50 digits: compiled kernels to 1e-12, papers to 1e-20.

    tau(t) and nothing else is evaluated: v, a, ... come from q(t) by differences as well.
    """
    mpmath = pytest.importorskip("mpmath")
    model = _precise_model(name)
    with mpmath.workdps(50):
        path = Trajectory(model, np.random.default_rng(32), mpmath)
        zero = path.mpf(0)
        tau = [path.tau(zero), *(path.derivative(path.tau, zero, k) for k in (1, 2))]
        a = path.derivative(path.v, zero, 1)
        q, v = path.q(zero), path.v(zero)

        def acceleration(t: Any) -> Any:
            return path.derivative(path.v, t, 1)

        j, s = (path.derivative(acceleration, zero, k) for k in (1, 2))
        digits = path.mpf(10) ** -20
        derived = garofalo2013.inverse_dynamics_derivatives(path.tree, q, (v, a, j, s), 2)
        for found, expected in zip(derived, tau, strict=True):
            assert max(abs(x) for x in found - expected) < digits
        if name == "fixed":
            rate = mueller.inverse_dynamics_rate(path.tree, q, v, a, j)
            second = mueller.inverse_dynamics_second_rate(path.tree, q, v, a, j, s)
            assert max(abs(x) for x in rate - tau[1]) < digits
            assert max(abs(x) for x in second - tau[2]) < digits
    state = [x.astype(float) for x in (q, v, a, j, s)]
    kernel = Robot(model).quantity("inverse_dynamics.rates(2)")
    for order, (found, expected) in enumerate(zip(kernel(*state), tau, strict=True)):
        assert_close(found, expected.astype(float), 1e-12, f"order {order}")


# ------------------------------------------------------------------ the registry


def test_equations_are_covered() -> None:
    covered = papers.coverage()
    assert covered["mueller_kumar2021"].missing == []
    claimed = {"25a", "25b", "25c", *map(str, range(26, 30))}
    assert claimed <= set(covered["garofalo2013"].done)
    for key in ("mueller_kumar2021", "garofalo2013"):
        for number, tagged in papers.functions(key).items():
            for function in tagged:
                assert function.__doc__, f"{key} ({number}): {function.__qualname__}"
