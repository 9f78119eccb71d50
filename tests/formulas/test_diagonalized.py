"""Diagonalized equations of motion: identities, true motions, and the paper's operators."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import jounce
from jounce.formulas import diagonalized, dynamics, equations
from jounce.math.scalar import identity
from jounce.model.tree import lower
from jounce.papers.jain_rodriguez import spatial_operators
from jounce.robot import Robot
from support.case import Case
from support.helpers import assert_close
from support.zoo import MODELS, case_of

#: Robots with numbers of all joints and bases; their formulas are run on plain numbers.
NAMES = tuple(MODELS)
COMPILED = ("every kind", "floating", "floating, mimic", "two roots, mimic", "kuka_iiwa14")


def numbers(x: np.ndarray) -> np.ndarray:
    return np.asarray(x, dtype=float)


def factors(case: Case) -> tuple[np.ndarray, np.ndarray]:
    given = diagonalized.TREE, case.tree, case.q
    return numbers(diagonalized.factor(*given)), numbers(diagonalized.factor_inverse(*given))


@pytest.mark.parametrize("name", NAMES)
def test_factors_of_the_mass_matrix(name: str) -> None:
    case = case_of(name)
    m, l = factors(case)
    M, inverse = case.value("mass_matrix"), case.value("mass_matrix_inverse")
    assert_close(m @ m.T, M)
    assert_close(l @ m, np.eye(case.nv), case.solving)
    assert_close(l.T @ l, inverse, case.solving)
    assert not np.tril(m, -1).any()
    assert not np.tril(l, -1).any()
    assert (np.diag(m) > 0.0).all()
    L, D = map(numbers, diagonalized.ltdl(diagonalized.TREE, case.tree, case.q))
    assert_close(L.T @ np.diag(D) @ L, M)
    assert_close(L.T * np.sqrt(D), m)
    assert (np.diag(L) == 1.0).all()
    assert not np.triu(L, 1).any()


@pytest.mark.parametrize("name", [name for name in NAMES if "mimic" not in name])
def test_factors_are_those_of_the_paper(name: str) -> None:
    case = case_of(name)
    if case.tree.has_mimics:
        pytest.skip("the paper's factors count followers too")
    operators = spatial_operators(case.robot, case.q)
    flipped = numbers(operators.D.dense())[::-1, ::-1]
    root = np.linalg.cholesky(flipped)[::-1, ::-1]  # upper triangular
    m, l = factors(case)
    assert_close(m, numbers(operators.innovations_factor().dense()) @ root)
    inverse = numbers(operators.innovations_factor_inverse().dense())
    assert_close(l, np.linalg.solve(root, inverse), case.solving)


@pytest.mark.parametrize("name", NAMES)
def test_coriolis_term_does_no_work_and_is_that_of_the_definition(name: str) -> None:
    case = case_of(name)
    tree, q, v, _ = case.state
    nu, c = (
        numbers(formula(diagonalized.TREE, tree, q, v))
        for formula in (diagonalized.quasi_velocities, diagonalized.coriolis)
    )
    m, l = factors(case)
    assert_close(nu, m.T @ numbers(v))
    assert_close(0.5 * nu @ nu, case.value("kinetic_energy"))
    scale = np.linalg.norm(nu) * np.linalg.norm(c)
    assert abs(nu @ c) <= 1e-13 * scale
    m_rate = case.rate(lambda tree, q: diagonalized.factor(diagonalized.TREE, tree, q), v)
    forces = numbers(equations.coriolis_matrix(tree, q, v)) @ numbers(v)
    expected = l @ forces - m_rate.T @ numbers(v)
    assert_close(c, expected, case.solving, floor=max(1e-9, float(np.abs(l @ forces).max())))


@pytest.mark.parametrize("name", COMPILED)
def test_quasi_velocities_follow_the_true_motion(name: str) -> None:
    robot = case_of(name).robot
    rng = np.random.default_rng(3)
    q, (v, a) = robot.random(rng, 4), rng.standard_normal((2, 4, robot.nv))
    solving = 2e-15 * np.linalg.cond(robot.mass_matrix(q)).max()
    eps = robot.normalized_forces(q, robot.inverse_dynamics(q, v, a))
    c = robot.quasi_velocity_coriolis(q, v)
    floor = float(max(np.abs(eps).max(), np.abs(c).max()))
    found = robot.quasi_velocities.dt(q, v, a)
    assert_close(found, eps - c, max(1e-12, solving), floor=floor)


def test_second_time_derivatives_follow_the_true_motion() -> None:
    robot = jounce.load("kuka_iiwa14")
    rng = np.random.default_rng(3)
    q, (v, a, j) = robot.random(rng, 4), rng.standard_normal((3, 4, robot.nv))
    tau, rate = robot.inverse_dynamics.rates(1)(q, v, a, j)
    second = robot.quasi_velocities.dt.dt(q, v, a, j)
    expected = robot.normalized_forces.dt(q, v, tau, rate) - robot.quasi_velocity_coriolis.dt(
        q, v, a
    )
    floor = float(np.abs(robot.normalized_forces.dt(q, v, tau, rate)).max())
    assert_close(second, expected, 1e-11, floor=floor)


def test_rotors_of_spherical_joints_turn_with_them() -> None:
    """The Coriolis matrix of the quasi-velocities is skew-symmetric for all parts of C."""
    case = case_of("spherical only")
    assert any(node.armature[0] for node in case.tree.nodes)
    C = numbers(equations.coriolis_matrix(case.tree, case.q, case.v))
    M_rate = case.rate(dynamics.mass_matrix, case.v)
    assert_close(C + C.T, M_rate)


def test_mechanisms_have_them_over_the_independent_joints() -> None:
    for name in ("four_bar", "five_bar"):
        closed = jounce.load(name).closed()
        q, (v, a) = closed.reference, np.random.default_rng(0).standard_normal((2, closed.nv))
        m, l = closed.mass_matrix_factor(q), closed.mass_matrix_factor_inverse(q)
        assert_close(m @ m.T, closed.mass_matrix(q))
        assert_close(l.T @ l, closed.mass_matrix_inverse(q))
        nu, c = closed.quasi_velocities(q, v), closed.quasi_velocity_coriolis(q, v)
        assert_close(0.5 * nu @ nu, closed.kinetic_energy(q, v))
        eps = closed.normalized_forces(q, closed.inverse_dynamics(q, v, a))
        assert_close(closed.quasi_velocities.dt(q, v, a), eps - c, floor=float(np.abs(eps).max()))
        assert abs(nu @ c) < 1e-13


def test_derivatives_in_parameters_and_velocities() -> None:
    robot = jounce.load("planar_2r")
    q, v, step = robot.random(1), np.array((0.7, -0.4)), 1e-6
    assert_close(robot.quasi_velocities.dv(q, v), robot.mass_matrix_factor(q).T)
    slope = robot.quasi_velocity_coriolis.dv(q, v)
    assert_close(slope @ v, 2.0 * robot.quasi_velocity_coriolis(q, v))  # quadratic in v
    values = []
    for sign in (1.0, -1.0):
        pi = robot.model.parameters.ravel().copy()
        pi[15] += sign * step
        values.append(robot.edit.with_parameters(pi).mass_matrix_factor(q))
    found = robot.mass_matrix_factor.dpi(q)[..., 15]
    assert_close(found, (values[0] - values[1]) / (2 * step), 1e-7)


def test_fifty_digits() -> None:
    with mpmath.workdps(50):
        model = MODELS["floating"]()
        tree = lower(model, mpmath.mpf)
        q = np.array([mpmath.mpf(float(x)) for x in Robot(model).random(2)], dtype=object)
        v = np.array([mpmath.mpf(k + 1) / 3 for k in range(model.nv)], dtype=object)
        m = diagonalized.factor(diagonalized.TREE, tree, q)
        l = diagonalized.factor_inverse(diagonalized.TREE, tree, q)
        assert max(abs(x) for x in (m @ m.T - dynamics.mass_matrix(tree, q)).flat) < 1e-45
        assert max(abs(x) for x in (l @ m - identity(model.nv)).flat) < 1e-40
        nu = diagonalized.quasi_velocities(diagonalized.TREE, tree, q, v)
        assert abs(nu @ diagonalized.coriolis(diagonalized.TREE, tree, q, v)) < 1e-40
