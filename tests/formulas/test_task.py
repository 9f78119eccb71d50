"""What is seen from a frame: task inertia and bias, rates of Jacobians and coordinates."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import jounce
from jounce.catalog.derivative import derivative
from jounce.catalog.tables import FRAME
from jounce.formulas import jacobian_rates
from jounce.formulas.motions import configuration_jets
from jounce.math.jets import rates_of
from jounce.math.spatial import adjoint_inverse
from jounce.papers import garofalo2013
from jounce.robot import Robot
from support.helpers import assert_close, close, numbers, objects
from support.zoo import MODELS

FULL = ["kuka, floating", "floating, mimic"]


@cache
def robot_of(name: str) -> Robot:
    return Robot(MODELS[name]())


def frame_of(robot: Robot) -> jounce.Frame:
    names = [frame.name for frame in robot.model.frames]
    return robot.frame("tool" if "tool" in names else names[-1])


@pytest.mark.parametrize("name", FULL)
def test_task_space_by_its_definition(name):
    robot, rng = robot_of(name), np.random.default_rng(5)
    q, frame = robot.random(rng, 3), frame_of(robot)
    J, M = frame.jacobian(q), robot.mass_matrix(q)
    flexible = np.linalg.solve(M, np.swapaxes(J, 1, 2))
    inverse = frame.task_inertia_inverse(q)
    close(inverse, J @ flexible, "J M^-1 J^T")
    # conditions of the matrices go in: 1e-10 of the inverse
    Lambda = frame.task_inertia(q)
    close(Lambda @ inverse, np.broadcast_to(np.eye(6), (3, 6, 6)), "Lambda", 1e-10)
    assert_close(Lambda, np.swapaxes(Lambda, 1, 2), what="symmetric")
    Jbar = frame.task_jacobian_inverse(q)
    close(J @ Jbar, np.broadcast_to(np.eye(6), (3, 6, 6)), "J Jbar", 1e-10)
    assert_close(Jbar, flexible @ Lambda, 1e-10, "Jbar")


@pytest.mark.parametrize("name", FULL)
def test_wrenches_on_the_frame_do_what_task_space_says(name):
    """By articulated bodies, which share nothing with the factors of M."""
    robot, rng = robot_of(name), np.random.default_rng(6)
    q, v, F = robot.random(rng), rng.normal(size=robot.nv), rng.normal(size=6)
    frame = frame_of(robot)
    J = frame.jacobian(q)
    pushed = robot.forward_dynamics(q, 0 * v, J.T @ F + robot.gravity_forces(q))
    assert_close(J @ pushed, frame.task_inertia_inverse(q) @ F, 1e-10)
    held = robot.forward_dynamics(q, v, J.T @ frame.task_bias(q, v))
    drift = frame.jacobian_rate(q, v) @ v
    assert_close(J @ held, -drift, 1e-9, "the twist stays")


@pytest.mark.parametrize(
    "name",
    [
        "task_inertia_inverse",
        "task_inertia",
        pytest.param("task_jacobian_inverse", marks=pytest.mark.slow),
    ],
)
def test_derivatives_in_time_and_configuration_agree(name):
    robot, rng = robot_of("iiwa14_mueller_kumar2021"), np.random.default_rng(7)
    q, v = robot.random(rng), rng.normal(size=robot.nv)
    f = getattr(frame_of(robot), name)
    assert_close(f.dt(q, v), f.dq(q) @ v, 1e-10, name)


@pytest.mark.slow
def test_derivatives_of_the_bias_in_time_and_state_agree():
    robot, rng = robot_of("iiwa14_mueller_kumar2021"), np.random.default_rng(7)
    q, (v, a) = robot.random(rng), rng.normal(size=(2, robot.nv))
    f = frame_of(robot).task_bias
    assert_close(f.dt(q, v, a), f.dq(q, v) @ v + f.dv(q, v) @ a, 1e-10)


@pytest.mark.parametrize(("name", "rank"), [("planar_2r", 2), ("cartesian_ppp", 3)])
def test_frames_that_cannot_move_in_all_directions(name, rank):
    robot = robot_of(name)
    frame, q = frame_of(robot), robot.neutral()
    J, M = frame.jacobian(q), robot.mass_matrix(q)
    close(frame.task_inertia_inverse(q), J @ np.linalg.solve(M, J.T))
    for call in (frame.task_inertia, frame.task_jacobian_inverse):
        with pytest.raises(
            jounce.ModelError, match=rf"{rank} of 6 directions only.*compute task_inertia_inverse"
        ):
            call(q)
    with pytest.raises(jounce.ModelError, match=r"task_bias: the frame can move"):
        frame.task_bias(q, np.zeros(robot.nv))


def test_a_frame_of_the_world_is_refused():
    robot = robot_of("floating")
    with pytest.raises(jounce.ModelError, match="0 of 6 directions"):
        robot.frame("world").task_inertia(robot.neutral())


# ------------------------------------------------------------------ rates


@pytest.mark.parametrize("name", ["every kind", "floating, mimic", "small", "franka"])
def test_rates_of_jacobians_are_garofalos(name):
    robot, rng = robot_of(name), np.random.default_rng(8)
    tree = robot.tree
    q, v = objects(robot.random(rng)), objects(rng.normal(size=robot.nv))
    paper = garofalo2013
    rates, dq = paper.jacobian_rates(tree, q, v), paper.jacobian_rates_dq(tree, q, v)
    for frame, (node, R, p) in enumerate(tree.frames):
        if node < 0:
            continue
        Ad = numbers(adjoint_inverse(R, p))
        found = jacobian_rates.frame_jacobian_rate(tree, q, v, frame)
        assert_close(found, Ad @ numbers(rates[node]), what="(28)")
        found = derivative(FRAME["jacobian_rate"], "dq").formula(tree, q, v, frame)
        assert_close(found, np.tensordot(Ad, numbers(dq[node]), axes=1), what="(32)")


def test_jacobian_rate_in_time():
    robot, rng = robot_of("floating, mimic"), np.random.default_rng(9)
    q, (v, a) = robot.random(rng), rng.normal(size=(2, robot.nv))
    frame = frame_of(robot)
    f = frame.jacobian_rate
    assert_close(f(q, v), frame.jacobian.dt(q, v))
    assert_close(f.dt(q, v, a), frame.jacobian.dtt(q, v, a))
    assert_close(f.dt(q, v, a), f.dq(q, v) @ v + f.dv(q, v) @ a)


@pytest.mark.parametrize("name", ["every kind", "floating, mimic", "small"])
def test_velocity_map_moves_the_coordinates(name):
    robot, rng = robot_of(name), np.random.default_rng(10)
    q, (v, a) = robot.random(rng), rng.normal(size=(2, robot.nv))
    rates = rates_of(configuration_jets(robot.tree, objects(q), [objects(v), objects(a)]), 2)
    Gamma, rate = robot.velocity_map.rates(1)(q, v)
    assert_close(Gamma, garofalo2013.velocity_map(robot.tree, objects(q)))
    assert_close(Gamma @ v, rates[1])
    assert_close(Gamma @ a + rate @ v, rates[2])
