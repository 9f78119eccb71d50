"""Adaptive controllers: energy decay, convergence, physical consistency."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import jounce
from jounce import control
from jounce.control import TracedModel
from jounce.errors import ArgumentError, ModelError
from jounce.formulas import pseudo_inertias, tracking
from jounce.model import inertia
from support.control import ROBOTS, random_state, robot_of
from support.helpers import STEP, assert_close, numbers, objects, slope

KD, LAM, GAMMA = 4.0, 6.0, 0.7


def perturbed(pi: np.ndarray, seed: int = 0) -> np.ndarray:
    """Consistent parameters that are not those of the robot, with definite pseudo-inertias."""
    X = np.random.default_rng(seed).standard_normal((len(pi), 4, 4))
    P = inertia.pseudo_inertia(pi)
    return inertia.from_pseudo_inertia(1.3 * P + 0.01 * X @ X.swapaxes(-1, -2))


def box(mass: float, center: tuple[float, ...], size: tuple[float, ...]) -> np.ndarray:
    """Inertial parameters of a box."""
    P = np.zeros((4, 4))
    P[:3, :3] = mass * (np.diag(np.square(size)) / 12.0 + np.outer(center, center))
    P[:3, 3] = P[3, :3] = mass * np.array(center)
    P[3, 3] = mass
    return inertia.from_pseudo_inertia(P)


#: Links of a planar arm, and a first guess of them.
LINKS = np.stack(
    [box(3.0, (0.5, 0.05, 0.0), (1, 0.3, 0.3)), box(2.0, (0.4, -0.05, 0.0), (1, 0.3, 0.3))]
)
GUESS = np.stack(
    [box(2.0, (0.3, 0.0, 0.0), (1, 0.4, 0.4)), box(3.5, (0.6, 0.1, 0.0), (1, 0.4, 0.4))]
)


def planar_arm() -> Any:
    """A planar arm with two joints and links that have volume."""
    return jounce.load("planar_2r").edit.with_parameters(LINKS)


def divergence(pi: np.ndarray, pi_hat: np.ndarray) -> float:
    """Bregman divergence of the log-determinant, summed over bodies."""
    ratio = np.linalg.solve(inertia.pseudo_inertia(pi_hat), inertia.pseudo_inertia(pi))
    trace = np.trace(ratio, axis1=-2, axis2=-1)
    return float(np.sum(trace - np.log(np.linalg.det(ratio)) - 4.0))


def test_pseudo_inertias_are_those_of_the_model() -> None:
    pi, y = np.random.default_rng(0).standard_normal((2, 10))
    P = pseudo_inertias.pseudo_inertia(objects(pi))
    assert_close(P, inertia.pseudo_inertia(pi), 1e-15)
    assert_close(pseudo_inertias.parameters(P), pi, 1e-14)
    assert_close(np.trace(pseudo_inertias.dual(objects(y)) @ P), y @ pi, 1e-13)


def test_natural_steps_follow_the_exponential_map() -> None:
    """To second order, for small steps; by a bounded factor for large ones."""
    pi = robot_of("arm").model.parameters[2]
    y = np.random.default_rng(1).standard_normal(10)
    P = inertia.pseudo_inertia(pi)
    R = np.linalg.cholesky(P)
    L = numbers(pseudo_inertias.dual(objects(y)))
    values, U = np.linalg.eigh(R.T @ L @ R)
    for h, tolerance in ((1e-3, 1e-9), (1e-2, 1e-6)):
        exact = R @ U @ np.diag(np.exp(h * values)) @ U.T @ R.T
        step = pseudo_inertias.natural_step(objects(pi), objects(h * y))
        assert_close(inertia.pseudo_inertia(numbers(step)), exact, tolerance)
    for h in (10.0, 1e8, -1e8):
        step = numbers(pseudo_inertias.natural_step(objects(pi), objects(h * y)))
        factors = np.linalg.eigvals(np.linalg.solve(P, inertia.pseudo_inertia(step))).real
        assert (factors > 0.499).all()
        assert (factors < 2.501).all()


@pytest.mark.parametrize("name", ROBOTS)
def test_the_lyapunov_function_decays_as_it_should(name: str) -> None:
    """d/dt (s^T M s / 2 + D / gamma) = -s^T kd s, with the law's rate of the parameters."""
    robot = robot_of(name)
    q, v, *reference = random_state(robot)
    pi = perturbed(robot.model.parameters)
    controller = control.slotine_li_adaptive(robot, KD, LAM, GAMMA, 1e-3, pi0=pi)
    command, (pi_next,) = controller((pi,), (q, v), tuple(reference))

    # the law itself on numbers, with a complex step in the period
    rate, tau, after = evaluate(controller, (pi,), (q, v), reference)
    assert_close(command, tau, 1e-12)
    assert_close(pi_next, after, 1e-12)

    a = robot.forward_dynamics(q, v, command)
    e = tracking.tracking_error(robot.tree, *map(objects, (q, v, *reference)))
    s, s_rate = numbers(e.v_d + LAM * e.e - v), numbers(e.a_d + LAM * e.e_rate - a)
    M, M_rate = robot.mass_matrix.rates(1)(q, v)
    inverse = np.linalg.inv(inertia.pseudo_inertia(pi))
    weights = inverse - inverse @ inertia.pseudo_inertia(robot.model.parameters) @ inverse
    change = np.sum(weights * inertia.pseudo_inertia(rate)) / GAMMA
    power = s @ M @ s_rate + 0.5 * s @ M_rate @ s + change
    assert_close(power, -KD * s @ s, 1e-10)


def evaluate(controller: Any, state: Any, measurement: Any, reference: Any) -> Any:
    """Return the rate of the parameters, the command and the next parameters, without a kernel."""
    parts = (state, measurement, reference, controller.gains.values())
    results = []
    for step in (0.0, 1j * STEP):
        groups = []
        for (group, names), values in zip(controller.arguments.items(), parts, strict=True):
            values: list[Any] = [objects(x) for x in values]
            if group == "gains" and step:
                values[names.index("period")] = step
            groups.append(namedtuple(group.capitalize(), names)(*values))
        model = TracedModel(controller.robot, controller.robot.tree)
        results.append(controller.evaluate_law(model, *groups))
    (command, (after, *_)), (_, (moved, *_)) = results
    return slope(moved), numbers(command), numbers(after)


def excitation(t: float) -> tuple[np.ndarray, ...]:
    """A rich reference motion of two joints."""
    w = np.array([[1.1, 2.3, 4.1], [1.7, 3.1, 5.3]])
    A = np.array([[0.8, -0.4, 0.2], [0.7, 0.5, -0.2]])
    rows = (A * np.sin(w * t), A * w * np.cos(w * t), -A * w * w * np.sin(w * t))
    return tuple(row.sum(axis=1) for row in rows)


def test_the_lyapunov_function_decreases_along_a_continuous_loop() -> None:
    """At every step, by the energy that s^T kd s dissipates."""
    robot = planar_arm()
    pi, small, times = robot.model.parameters, 2e-7, np.linspace(0.0, 1.2, 241)
    controller = control.slotine_li_adaptive(robot, KD, LAM, GAMMA, small, pi0=GUESS)
    back = controller.with_gains(period=-small)

    def parts(x: np.ndarray) -> tuple[np.ndarray, ...]:
        return x[:2], x[2:4], x[4:24].reshape(2, 10)

    def sliding(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        q_d, v_d, _ = excitation(t)
        return v_d + LAM * (q_d - q) - v

    def rate(t: float, x: np.ndarray) -> np.ndarray:
        q, v, now = parts(x)
        tau, (after,) = controller((now,), (q, v), excitation(t))
        _, (before,) = back((now,), (q, v), excitation(t))
        s, change = sliding(t, q, v), (after - before) / (2.0 * small)
        return np.r_[v, robot.forward_dynamics(q, v, tau), change.ravel(), KD * s @ s]

    def energy(t: float, x: np.ndarray) -> float:
        q, v, now = parts(x)
        s = sliding(t, q, v)
        return 0.5 * s @ robot.mass_matrix(q) @ s + divergence(pi, now) / GAMMA

    start = np.r_[0.5, -0.5, 0.0, 0.0, GUESS.ravel(), 0.0]
    motion = solve_ivp(rate, times[[0, -1]], start, "DOP853", times, rtol=1e-11, atol=1e-13)
    energies = np.array([energy(t, x) for t, x in zip(times, motion.y.T, strict=True)])
    dissipated = motion.y[-1]
    assert (np.diff(energies) < 0.0).all()
    assert dissipated[-1] > 0.1 * energies[0]
    assert_close(energies[0] - energies, dissipated, 1e-8)


def closed_loop(robot: Any, controller: Any, steps: int, h: float) -> tuple[Any, list[float]]:
    """Return the last state and the tracking errors of a sampled loop."""
    q, v, _ = excitation(0.0)
    tau, state, errors = np.zeros(2), controller.initial_state(), []
    for t in h * np.arange(steps):
        reference = excitation(t)
        errors.append(float(np.linalg.norm(reference[0] - q)))
        tau, state = controller(state, (q, v, tau), reference)
        q, v = robot.step(q, v, tau, h, method="rk4")
    assert (np.linalg.eigvalsh(inertia.pseudo_inertia(state[0])) > 0.0).all()
    return state, errors


def unexplained(robot: Any, pi: np.ndarray) -> float:
    """Return the remaining error of torques on random motions, relative to that of the guess."""
    rng = np.random.default_rng(9)
    states = robot.random(rng, 50), *rng.standard_normal((2, 50, 2))
    Y = robot.inverse_dynamics.dpi(*states).reshape(100, -1)
    errors = [np.linalg.norm(Y @ (x - LINKS).ravel()) for x in (pi, GUESS)]
    return float(errors[0] / errors[1])


def test_parameters_converge_under_excitation() -> None:
    """Composite adaptation finds all combinations on which torques depend, in a few seconds."""
    robot, h = planar_arm(), 2e-3
    plain = control.slotine_li_adaptive(robot, 20.0, 10.0, 8.0, h, pi0=GUESS)
    composite = control.composite_adaptive(robot, 20.0, 10.0, 8.0, 10.0, h, pi0=GUESS)
    state, errors = closed_loop(robot, plain, 4000, h)
    assert max(errors[-1000:]) < 0.1 * max(errors[:1000])
    assert 0.02 < unexplained(robot, state[0]) < 0.3
    state, errors = closed_loop(robot, composite, 4000, h)
    assert max(errors[-1000:]) < 5e-4  # what sampling leaves, also with known parameters
    assert unexplained(robot, state[0]) < 1e-3


@pytest.mark.parametrize("name", ["closed", "floating"])
def test_true_parameters_explain_filtered_torques(name: str) -> None:
    """W pi + known vanishes for the robot's parameters, as the square of the period."""
    robot = robot_of(name)
    q0, v0, *reference = random_state(robot)
    tau, residuals = np.random.default_rng(1).standard_normal(robot.nv), []
    for h in (2e-3, 1e-3):
        # no adaptation: the parameters stay those of the robot
        controller = control.composite_adaptive(robot, KD, LAM, 0.0, 1.0, h, filter_time=0.1)
        q, v, state = q0, v0, controller.initial_state()
        for _ in range(round(0.02 / h)):
            _, state = controller(state, (q, v, tau), tuple(reference))
            q, v = robot.step(q, v, tau, h, method="rk4")
        _, state = controller(state, (q, v, tau), tuple(reference))
        # the averages, of which the state holds c times and what the next period subtracts
        pi, share = state[0].ravel(), h / (0.1 + h)
        p, f = robot.generalized_momentum(q, v), robot.momentum_forces(q, v)
        left = state[1][0] @ pi + state[2][0] + (share / h) * p + (0.5 * share) * f
        residuals.append(np.abs(left).max() / (1.0 - share))
    assert residuals[0] < 1e-3
    assert 3.5 < residuals[0] / residuals[1] < 4.5


def test_errors_say_what_is_expected() -> None:
    robot = planar_arm()
    with pytest.raises(ArgumentError, match=r"gain 'gamma' must be a number or 2 numbers"):
        control.slotine_li_adaptive(robot, KD, LAM, [1.0, 2.0, 3.0], 1e-3)
    with pytest.raises(ArgumentError, match=r"pi0 must have shape \(2, 10\), found \(10,\)"):
        control.slotine_li_adaptive(robot, KD, LAM, GAMMA, 1e-3, pi0=LINKS[0])
    with pytest.raises(ModelError, match=r"pi0 of 'link1' is not consistent"):
        control.slotine_li_adaptive(robot, KD, LAM, GAMMA, 1e-3, pi0=-LINKS)
    with pytest.raises(ArgumentError, match=r"filter_time must be positive"):
        control.composite_adaptive(robot, KD, LAM, GAMMA, 1.0, 1e-3, filter_time=0.0)
