"""Joint springs: data of a joint that enter the potential energy and all that contains g."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import jounce
from jounce.model.model import Model
from jounce.robot import Robot, load
from support.helpers import assert_close
from support.zoo import MODELS

pytestmark = pytest.mark.sweeps

NAMES = ("every kind", "floating", "floating, mimic", "two roots, mimic")


def with_springs(model: Model, seed: int = 3) -> Model:
    """Return the robot with springs in every joint that can have one."""
    rng = np.random.default_rng(seed)
    joints = []
    for joint in model.joints:
        stiffness, rest = rng.uniform(1.0, 9.0, joint.nv), rng.uniform(-0.5, 0.5, joint.nv)
        if joint.row.spring_problem(stiffness):  # the same about all axes, or none
            stiffness = np.full(joint.nv, stiffness[0])
        if joint.row.spring_problem(stiffness):
            stiffness = np.zeros(joint.nv)
        joints.append(replace(joint, stiffness=stiffness, spring_reference=rest))
    return replace(model, joints=tuple(joints))


@cache
def robot_of(name: str) -> Robot:
    return Robot(with_springs(MODELS[name]()))


def state(robot: Robot, count: int = 5) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(8)
    return robot.random(rng, count), *rng.standard_normal((4, count, robot.nv))


def apply(matrix: np.ndarray, x: np.ndarray) -> np.ndarray:
    return (matrix @ x[..., None])[..., 0]


@pytest.mark.parametrize("name", NAMES)
def test_identities_hold_with_springs(name: str) -> None:
    robot = robot_of(name)
    q, v, a, j, _ = state(robot)
    tau, tau_q, tau_v, M = robot.inverse_dynamics.derivatives(q, v, a)
    _, C, g = robot.equations_of_motion(q, v)
    springs = robot.spring_forces(q)
    assert np.abs(springs).max() > 1.0
    assert_close(tau, apply(M, a) + apply(C, v) + g)
    assert_close(g, robot.gravity_forces(q))
    assert_close(g, robot.potential_energy.dq(q))
    assert_close(robot.potential_energy.dt(q, v), (g * v).sum(axis=-1), 1e-11)
    bare = Robot(MODELS[name]())
    assert_close(tau - bare.inverse_dynamics(q, v, a), springs, 1e-11)
    assert_close(robot.inverse_dynamics.dpi(q, v, a), bare.inverse_dynamics.dpi(q, v, a))
    rate = apply(tau_q, v) + apply(tau_v, a) + apply(M, j)
    assert_close(robot.inverse_dynamics.dt(q, v, a, j), rate, 1e-11)
    rates = robot.equations_of_motion.rates(1)(q, v, a)
    assert_close(rates[5], apply(robot.gravity_forces.dq(q), v), 1e-11)


@pytest.mark.parametrize("name", NAMES)
def test_forward_dynamics_and_derivatives_with_springs(name: str) -> None:
    robot = robot_of(name)
    q, v, a, *_ = state(robot)
    tau, tau_q, tau_v, M = robot.inverse_dynamics.derivatives(q, v, a)
    solving = 1e-12 * np.linalg.cond(M).max()
    assert_close(robot.forward_dynamics(q, v, tau), a, solving)
    found, a_q, a_v, _ = robot.forward_dynamics.derivatives(q, v, tau)
    assert_close(found, a, solving)
    assert_close(M @ a_q, -tau_q, solving)
    assert_close(M @ a_v, -tau_v, solving)
    lam = np.random.default_rng(1).standard_normal(v.shape)
    assert_close(robot.inverse_dynamics.vjp(q, v, a, lam)[0], apply(np.swapaxes(tau_q, 1, 2), lam))
    hessian = robot.inverse_dynamics.hessian(q, v, a, lam)[:, : robot.nv, : robot.nv]
    second = np.einsum("bi,bijk->bjk", lam, robot.inverse_dynamics.dqq(q, v, a))
    assert_close(hessian, second, 1e-11)


@pytest.mark.parametrize("name", ["every kind", "floating, mimic"])
def test_derivatives_are_those_of_differences(name: str) -> None:
    robot, h = robot_of(name), 1e-5
    q, *_ = state(robot, 2)
    for quantity in (robot.spring_forces, robot.gravity_forces, robot.potential_energy.dq):
        columns = [
            (quantity(robot.integrate(q, h * e)) - quantity(robot.integrate(q, -h * e))) / (2 * h)
            for e in np.eye(robot.nv)
        ]
        assert_close(quantity.dq(q), np.stack(columns, axis=-1), 1e-7)


def test_energy_is_conserved() -> None:
    robot = robot_of("every kind")
    q, v = robot.neutral(), 0.1 * state(robot, 1)[1][0]
    end, speed = robot.rollout(q, v, np.zeros((50, robot.nv)), 1e-3, method="implicit_midpoint")
    energy = robot.kinetic_energy(end, speed) + robot.potential_energy(end)
    assert_close(energy, np.full(energy.shape, energy[0]), 1e-9)


def test_mechanisms_and_contacts_have_springs() -> None:
    model = with_springs(jounce.load("five_bar").model)
    closed = Robot(model).closed()
    q, (v, a) = closed.reference, np.random.default_rng(0).standard_normal((2, closed.nv))
    M, C, g = closed.equations_of_motion(q, v)
    tau = closed.inverse_dynamics(q, v, a)
    assert_close(tau, M @ a + C @ v + g)
    assert_close(closed.forward_dynamics(q, v, tau), a, 1e-10)
    assert_close(closed.potential_energy.dq(q), g)
    bare = Robot(jounce.load("five_bar").model).closed()
    assert_close(closed.spring_forces(q), g - bare.gravity_forces(q))
    assert_close(closed.potential_energy.dt(q, v), v @ g)


def test_springs_are_written_and_read(tmp_path: Path) -> None:
    robot = robot_of("mimic")
    robot.export.urdf(tmp_path / "springs.urdf")
    again = load(tmp_path / "springs.urdf")
    q, *_ = state(robot)
    assert_close(again.spring_forces(q), robot.spring_forces(q))


def test_joints_without_a_potential_cannot_have_springs() -> None:
    builder = jounce.TreeBuilder("probe")
    with pytest.raises(jounce.ModelError, match="a free joint cannot have a spring; set its stiff"):
        builder.add("base", "free", mass=1.0, stiffness=2.0)
    with pytest.raises(jounce.ModelError, match="spherical joint must be the same about its three"):
        builder.add("base", "spherical", mass=1.0, stiffness=(1.0, 2.0, 3.0))
    with pytest.raises(jounce.ModelError, match="stiffness must be finite and >= 0, found"):
        builder.add("base", "revolute", mass=1.0, stiffness=-1.0)
    with pytest.raises(jounce.ModelError, match="spring_reference must be finite, found"):
        builder.add("base", "revolute", mass=1.0, spring_reference=np.inf)
