"""Hybrid dynamics: consistent with inverse and forward dynamics, for any choice of joints."""

from __future__ import annotations

import pickle
from functools import cache

import numpy as np
import pytest

import jounce
from jounce.robot import Robot
from support.helpers import assert_close
from support.robots import random_model
from support.zoo import MODELS

NAMES = ("every kind", "floating, mimic", "closed")
JACOBIANS = ("dq", "dv", "da", "dtau")


@cache
def robot_of(name: str):
    if name == "few joints":
        kinds = ("spherical", "helical", "planar")
        return Robot(random_model(np.random.default_rng(4), 3, kinds))
    return jounce.load("five_bar").closed() if name == "closed" else Robot(MODELS[name]())


def state(robot) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    q = robot.reference if hasattr(robot, "reference") else robot.random(rng)
    return [q, *rng.standard_normal((3, robot.nv))]


def chosen(robot) -> tuple[list[int], list[int]]:
    """Every second velocity, and the others."""
    return list(range(0, robot.nv, 2)), list(range(1, robot.nv, 2))


@pytest.mark.parametrize("name", NAMES)
def test_it_completes_a_motion(name: str) -> None:
    robot = robot_of(name)
    q, v, a, j = state(robot)
    prescribed, free = chosen(robot)
    hybrid = robot.hybrid_dynamics([robot.velocities[k] for k in prescribed])
    tau, dtau = robot.inverse_dynamics.rates(1)(q, v, a, j)
    given, forces = np.full((2, robot.nv), np.nan)  # what is not given does not count
    given[prescribed], forces[free] = a[prescribed], tau[free]
    solving = 1e-13 * np.linalg.cond(robot.mass_matrix(q))
    found, completed = hybrid(q, v, given, forces)
    assert_close(found, a, solving)
    assert_close(completed, tau, solving)
    rates = hybrid.rates(1)(q, v, a, j, tau, dtau)
    assert_close(rates[2], j, 10 * solving)
    assert_close(rates[3], dtau, 10 * solving)


@pytest.mark.parametrize("name", ["few joints", *NAMES[1:]])
def test_derivatives_satisfy_the_equations_of_motion(name: str) -> None:
    robot = robot_of(name)
    q, v, a, _ = state(robot)
    prescribed, free = chosen(robot)
    hybrid = robot.hybrid_dynamics([robot.velocities[k] for k in prescribed])
    tau, tau_q, tau_v, M = robot.inverse_dynamics.derivatives(q, v, a)
    solving = 1e-12 * np.linalg.cond(M)
    explicit = {"dq": tau_q, "dv": tau_v, "da": 0.0 * M, "dtau": 0.0 * M}
    for name in JACOBIANS:
        a_x, tau_x = getattr(hybrid, name)(q, v, a, tau)
        assert_close(tau_x, explicit[name] + M @ a_x, solving)
        wanted = np.eye(robot.nv)[prescribed] if name == "da" else 0.0
        assert_close(a_x[prescribed] - wanted, np.zeros_like(a_x[prescribed]), floor=1.0)
        wanted = np.eye(robot.nv)[free] if name == "dtau" else 0.0
        assert_close(tau_x[free] - wanted, np.zeros_like(tau_x[free]), floor=1.0)


def test_both_ends_are_inverse_and_forward_dynamics() -> None:
    robot = robot_of("every kind")
    q, v, a, tau = state(robot)
    assert_close(
        robot.hybrid_dynamics(())(q, v, a, tau)[0], robot.forward_dynamics(q, v, tau), 1e-9
    )
    every = robot.hybrid_dynamics(range(robot.nv))
    assert_close(every(q, v, a, tau)[1], robot.inverse_dynamics(q, v, a))


def test_choices_by_name() -> None:
    robot = jounce.load("kuka_iiwa14")
    hybrid = robot.hybrid_dynamics("joint2")
    assert hybrid is robot.hybrid_dynamics(prescribed=("joint2",))
    q, v, a, tau = state(robot)
    again = pickle.loads(pickle.dumps(hybrid))
    assert_close(again(q, v, a, tau)[0], hybrid(q, v, a, tau)[0])
    with pytest.raises(
        jounce.ArgumentError, match="expected names or indices of joints, found a b"
    ):
        robot.hybrid_dynamics((True, False))
    with pytest.raises(
        jounce.ModelError, match=r"^kuka_iiwa14.hybrid_dynamics: pr.*no joint 'elbow'"
    ):
        robot.hybrid_dynamics("elbow")
    closed = robot_of("closed")
    dependent = closed.dependent_names[0]
    with pytest.raises(jounce.ArgumentError, match=f"'{dependent}' follows from those of"):
        closed.hybrid_dynamics(dependent)
