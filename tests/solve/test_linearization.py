"""Linearizations in continuous and discrete time, and linear-quadratic regulators."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.linalg import expm

import jounce
from jounce.robot import Robot
from jounce.solve.contacts import Contacts
from support.helpers import assert_close
from support.robots import SINGLE
from support.zoo import named_robot

NAMES = ("arm", "mimic", "mechanism", "contacts")


@cache
def robot_of(name: str):
    if name == "mechanism":
        return jounce.load("five_bar").closed()
    if name == "mimic":
        return Robot(named_robot("short", 3, SINGLE, mimic=True, floating=True))
    robot = jounce.load("planar_2r" if name == "arm" else "franka")
    return robot if name == "arm" else robot.edit.with_contact("tool", "point").contacts()


def state(robot) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    whole = robot.robot if isinstance(robot, Contacts) else robot
    q = robot.reference if hasattr(robot, "reference") else whole.random(rng)
    return [q, *rng.standard_normal((2, robot.nv))]


@pytest.mark.parametrize("name", NAMES)
def test_matrices_of_a_short_step_are_those_of_the_flow(name: str) -> None:
    robot, h = robot_of(name), 1e-4
    q, v, tau = state(robot)
    v = 0.1 * v
    A, B = robot.linearize(q, v, tau)
    discrete, forced = robot.linearize(q, v, tau, h)
    n = robot.nv
    # to second order in h: A changes along the motion
    assert_close((discrete - np.eye(2 * n)) / h, A, 1e-2, floor=1.0)
    assert_close(forced[n:] / h, B[n:], 1e-2, floor=1.0)
    assert_close(A[:n, n:], np.eye(n))
    assert_close(B[:n], np.zeros((n, n)), floor=1.0)
    derivatives = robot.forward_dynamics.derivatives(q, v, tau)
    assert_close(A[n:, :n], derivatives[1], 1e-11)
    assert_close(A[n:, n:], derivatives[2], 1e-11)
    assert_close(B[n:], derivatives[3], 1e-11)


@cache
def ball_in_a_slot():
    """A spherical joint with two independent velocities: a loop locks one direction of a point."""
    builder = jounce.TreeBuilder("slot")
    inertia = np.diag((0.1, 0.15, 0.2))
    builder.add("ball", "spherical", mass=1.0, com=(0.1, 0.2, 0.3), inertia_com=inertia)
    builder.add("arm", "revolute", "ball", axis=(0, 1, 0), xyz=(0.1, 0.2, 0.3), mass=0.4,
                com=(0.1, 0, 0.1), inertia_com=0.3 * inertia)  # fmt: skip
    T = np.eye(4)
    T[:3, 3] = 0.3, 0.1, 0.2
    robot = Robot(builder.build())
    return robot.edit.with_loop(("world", T), ("ball", T), [False] * 5 + [True]).closed()


def test_joints_that_are_partly_independent() -> None:
    closed = ball_in_a_slot()
    assert 1 <= sum("ball" in name for name in closed.independent_names) <= 2
    q, n = closed.random(3, 1)[0], closed.nv
    v, tau = np.random.default_rng(1).standard_normal((2, n))
    A, _ = closed.linearize(q, v, tau)
    slopes = [
        (closed.linearize(q, v, tau, h, method="rk4")[0] - np.eye(2 * n)) / h for h in (1e-4, 2e-4)
    ]
    assert_close(2 * slopes[0] - slopes[1], A, 1e-5)
    assert np.abs(A[:n, :n]).max() > 0.1  # changes of q turn with the ball


def test_runge_kutta_is_of_fourth_order_for_joints_that_are_partly_independent() -> None:
    closed = ball_in_a_slot()
    q, n = closed.random(3, 1)[0], closed.nv
    v, tau = np.random.default_rng(1).standard_normal((2, n))

    def end(count: int) -> np.ndarray:
        x, rate = q, v
        for _ in range(count):
            x, rate = closed.step(x, rate, tau, 0.2 / count, method="rk4")
        return np.concatenate((closed.difference(q, x), rate))

    exact = end(64)
    errors = [np.abs(end(count) - exact).max() for count in (4, 8)]
    assert errors[1] < errors[0] / 12.0


def test_a_turning_free_body_carries_its_changes_along() -> None:
    robot = robot_of("mimic")
    q, v, tau = state(robot)
    A, _ = robot.linearize(q, v, tau)
    w, u = v[:3], v[3:6]

    def skew(x: np.ndarray) -> np.ndarray:
        return np.cross(np.eye(3), x)

    expected = -np.block([[skew(w), np.zeros((3, 3))], [skew(u), skew(w)]])
    assert_close(A[:6, :6], expected)


def test_batches_and_derivatives() -> None:
    robot = robot_of("mimic")
    q, v, tau = state(robot)
    A, B = robot.linearize(np.stack([q, q]), v, tau)
    assert A.shape == (2, 2 * robot.nv, 2 * robot.nv)
    assert B.shape == (2, 2 * robot.nv, robot.nv)
    assert robot.state_matrices.dv(q, v, tau)[0].shape == (*A.shape[1:], robot.nv)


@pytest.mark.parametrize("h", [None, 0.01])
def test_regulator_stabilizes(h: float | None) -> None:
    robot = jounce.load("kuka_iiwa14")
    q, v = robot.random(1), np.zeros(7)
    tau = robot.gravity_forces(q)
    regulator = robot.lqr(q, v, tau, Q=np.r_[np.full(7, 100.0), np.ones(7)], R=0.1, h=h)
    if h is None:
        assert regulator.poles.real.max() < 0
    else:
        assert np.abs(regulator.poles).max() < 1
    A, B = robot.linearize(q, v, tau, h)
    x = np.random.default_rng(0).standard_normal(14)
    if h is None:  # the cost to go falls by the running cost
        K, P = regulator.gain, regulator.cost
        flow = expm((A - B @ K) * 1e-6) @ x
        running = x @ np.diag(np.r_[np.full(7, 100.0), np.ones(7)]) @ x + 0.1 * (K @ x) @ (K @ x)
        assert abs((flow @ P @ flow - x @ P @ x) / 1e-6 + running) < 1e-2 * running
        return  # its fast poles need shorter steps
    start = robot.integrate(q, 0.1 * x[:7])
    position, velocity = start, np.zeros(7)
    for _ in range(800):
        change = np.concatenate((robot.difference(q, position), velocity))
        forces = tau - regulator.gain @ change
        position, velocity = robot.step(position, velocity, forces, h, method="rk4")
    assert np.abs(robot.difference(q, position)).max() < 1e-3


def test_contacts_hold_during_steps() -> None:
    contacts = robot_of("contacts")
    q, v, tau = state(contacts)
    v = contacts.impulse(q, v)[0]  # a velocity that the contact allows
    end, speed = contacts.step(q, v, tau, 1e-3)
    assert np.abs(contacts.contact_velocities(end, speed)).max() < 1e-4 * np.abs(v).max()
    assert_close(contacts.step.derivatives(q, v, tau, 1e-3)[0], contacts.step(q, v, tau, 1e-3)[0])


def test_mistakes_are_explained() -> None:
    robot = jounce.load("planar_2r")
    q = robot.neutral()
    with pytest.raises(jounce.ArgumentError, match="expected one state, found a batch"):
        robot.lqr(np.stack([q, q]), 0 * q, 0 * q, 1.0, 1.0)
    with pytest.raises(jounce.ArgumentError, match=r"Q must be a number, \(4,\) or a symmetric"):
        robot.lqr(q, 0 * q, 0 * q, np.ones(3), 1.0)
