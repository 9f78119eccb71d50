"""Time derivatives: formulas and papers against Taylor series and mpmath.

The truth is a formula evaluated on plain jets (`motions.time_derivatives`), which expands sines and
quaternions themselves, where `formulas.wrt_time` builds on series that start at the identity and
the papers on closed forms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

from jounce.catalog.derivative import derivative
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.tables import FRAME, ROBOT
from jounce.formulas import dynamics
from jounce.formulas.motions import configuration_jets, time_derivatives
from jounce.math.jets import from_rates, rates_of
from jounce.math.scalar import sqrt, zeros
from jounce.model.model import Model
from jounce.model.tree import Tree, lower
from jounce.papers import garofalo2013
from jounce.papers import mueller_kumar2021 as mueller
from jounce.robot import Robot
from support.case import Case
from support.digits import digits
from support.helpers import assert_close, joined, objects, offered, parts_of
from support.robots import SINGLE, random_model, random_state
from support.time_series import MODELS, ORDER, TOLERANCE, all_close, jets, made, series


@pytest.fixture(params=list(MODELS))
def case(request: pytest.FixtureRequest) -> Case:
    return made(request.param)


# ------------------------------------------------------------------ formulas against plain jets


def _plain(row: AnyQuantity, *frame: int) -> Callable[..., Any]:
    """The row's formula with exactly the state it needs as parameters, for `time_derivatives`."""

    def f(*given: Any) -> Any:
        return joined(parts_of(row, row.formula(*given)))

    if row.arguments == ("q",):
        return lambda tree, q: f(tree, q, *frame)
    if row.arguments == ("v",):
        return lambda tree, q, v: f(tree, v)
    if row.arguments == ("q", "v"):
        return lambda tree, q, v: f(tree, q, v, *frame)
    return lambda tree, q, v, a: f(tree, q, v, a, *frame)


def test_every_quantity(case: Case) -> None:
    """All rows of the catalog that depend on the state alone, to order 6.

    Tensors with three axes only on robots of at most ten velocities: on larger ones they take
    seconds.
    """
    for row in ROBOT.values():
        small = case.nv <= 10 or len(row.shape) < 3
        if small and set(row.arguments) <= {"q", "v", "a"}:
            all_close(series(case, row, ORDER), jets(case, _plain(row), ORDER), row.name)


def test_every_frame_quantity(case: Case) -> None:
    for frame in range(len(case.tree.frames) - 2, len(case.tree.frames)):  # a tool, the world
        for row in FRAME.values():
            if not set(row.arguments) <= {"q", "v", "a"} or not offered(
                case.robot, row, case.robot.model.frame_names[frame]
            ):
                continue
            expected = jets(case, _plain(row, frame), ORDER)
            found = series(case, row, ORDER, frame)
            tolerance, orders = TOLERANCE, ORDER + 1
            if row.solves:  # digits are lost in each order, where the task is nearly singular
                inverse = case.robot.frame(case.robot.model.frame_names[frame]).task_inertia_inverse
                condition = np.linalg.cond(inverse(case.q.astype(float)))
                tolerance = max(tolerance, 1e-14 * condition)
                orders = orders if condition < 1e4 else 2
            all_close(found[:orders], expected[:orders], row.name, tolerance)


def test_external_forces(case: Case) -> None:
    """With wrenches that change in time, alone and within the inverse dynamics."""
    q = configuration_jets(case.tree, case.q, case.rates[:ORDER])
    wrenches = from_rates(case.levels("w"))
    expected = rates_of(dynamics.external_forces(case.tree, q, wrenches), ORDER)
    all_close(series(case, ROBOT["external_forces"], ORDER), expected, "external_forces")
    timed = derivative(ROBOT["inverse_dynamics"], f"rates({ORDER})")
    total = timed.formula(case.tree, *case.given(timed), *case.levels("w"))
    alone = series(case, ROBOT["inverse_dynamics"], ORDER)
    all_close(total, [x - y for x, y in zip(alone, expected, strict=True)], "with wrenches")


def test_forward_dynamics_inverts(case: Case) -> None:
    """The accelerations and their derivatives found for tau and its own give tau back.

    Compared as forces: light links make the accelerations themselves ill-conditioned.
    """
    inverse = derivative(ROBOT["inverse_dynamics"], f"rates({ORDER})")
    forward = derivative(ROBOT["forward_dynamics"], f"rates({ORDER})")
    q, v, *accelerations = case.q, *case.rates
    for wrenches in ([], case.levels("w")):
        tau = inverse.formula(case.tree, q, v, *accelerations, *wrenches)
        found = forward.formula(case.tree, q, v, *tau, *wrenches)
        back = inverse.formula(case.tree, q, v, *found, *wrenches)
        all_close(back, tau, "forward_dynamics")
        all_close(found[:3], accelerations[:3], "accelerations", 1e-8)


def test_single_derivatives_are_those_of_rates() -> None:
    case = made("floating, mimic")
    for name in ("inverse_dynamics", "coriolis_matrix", "external_forces"):
        levels = series(case, ROBOT[name], 2)
        for order in (1, 2):
            timed = derivative(ROBOT[name], "d" + order * "t")
            alone = timed.formula(case.tree, *case.given(timed))
            assert_close(alone, levels[order], 1e-13, f"{name}, order {order}")


# ------------------------------------------------------------------ Garofalo, every joint kind


def test_garofalo_any_order(case: Case) -> None:
    tree, q, rates = case.tree, case.q, case.rates
    paper = garofalo2013
    M = paper.mass_matrix_derivatives(tree, q, rates, ORDER)
    all_close(M, series(case, ROBOT["mass_matrix"], ORDER), "M")
    g = paper.gravity_derivatives(tree, q, rates, ORDER)
    all_close(g, series(case, ROBOT["gravity_forces"], ORDER), "g")
    C = paper.coriolis_derivatives(tree, q, rates, ORDER, "christoffel")
    all_close(C, series(case, ROBOT["coriolis_matrix"], ORDER), "C, christoffel")
    tau = series(case, ROBOT["inverse_dynamics"], ORDER)
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
    expected = jets(case, lambda tree, q: np.stack(garofalo2013.body_jacobians(tree, q)), ORDER)
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
    case = made("serial")
    with pytest.raises(ValueError, match="expected 3 rates"):
        garofalo2013.jacobian_derivatives(case.tree, case.q, case.rates[:2], 3)
    with pytest.raises(ValueError, match="expected 4 rates"):
        garofalo2013.inverse_dynamics_derivatives(case.tree, case.q, case.rates[:3], 2)
    with pytest.raises(ValueError, match="christoffel"):
        garofalo2013.coriolis_rate(case.tree, case.q, *case.rates[:2], kernel="other")


# ------------------------------------------------------------------ 50 digits


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

    def __init__(self, model: Model, rng: np.random.Generator) -> None:
        self.tree = lower(model, mpmath.mpf)
        start = random_state(model, rng)[0]
        terms = [start, *(rng.normal(size=len(start)) for _ in range(5))]
        self.terms = [digits(x) for x in terms]
        self.h = mpmath.mpf(10) ** -6

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
        total = sum(mpmath.mpf(w) * f(t + k * self.h) for k, w in weights.items())
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
        return random_model(rng, 4, SINGLE, mimic=True)
    return random_model(rng, 4, ("spherical", "planar", "revolute"), floating=True)


@pytest.mark.parametrize("name", ["fixed", "floating"])
def test_fifty_digits(name: str) -> None:
    """tau(t) differentiated numerically at 50 digits: compiled kernels to 1e-12, papers to 1e-20.

    tau(t) and nothing else is evaluated: v, a, ... come from q(t) by differences as well.
    """
    model = _precise_model(name)
    with mpmath.workdps(50):
        path = Trajectory(model, np.random.default_rng(32))
        zero = mpmath.mpf(0)
        tau = [path.tau(zero), *(path.derivative(path.tau, zero, k) for k in (1, 2))]
        a = path.derivative(path.v, zero, 1)
        q, v = path.q(zero), path.v(zero)

        def acceleration(t: Any) -> Any:
            return path.derivative(path.v, t, 1)

        j, s = (path.derivative(acceleration, zero, k) for k in (1, 2))
        tiny = mpmath.mpf(10) ** -20
        derived = garofalo2013.inverse_dynamics_derivatives(path.tree, q, (v, a, j, s), 2)
        for found, expected in zip(derived, tau, strict=True):
            assert max(abs(x) for x in found - expected) < tiny
        if name == "fixed":
            rate = mueller.inverse_dynamics_rate(path.tree, q, v, a, j)
            second = mueller.inverse_dynamics_second_rate(path.tree, q, v, a, j, s)
            assert max(abs(x) for x in rate - tau[1]) < tiny
            assert max(abs(x) for x in second - tau[2]) < tiny
    state = [x.astype(float) for x in (q, v, a, j, s)]
    kernel = Robot(model).quantity("inverse_dynamics.rates(2)")
    for order, (found, expected) in enumerate(zip(kernel(*state), tau, strict=True)):
        assert_close(found, expected.astype(float), 1e-12, f"order {order}")
