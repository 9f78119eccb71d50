"""Forces and accelerations with friction of the joints, which no other quantity has."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from jounce.catalog.arguments import rate_name
from jounce.catalog.derivative import derivative
from jounce.catalog.tables import ROBOT
from jounce.formulas import wrt_screws, wrt_state
from jounce.model.model import Model
from jounce.robot import Robot, load
from support.case import Case
from support.helpers import assert_close, numbers, objects
from support.zoo import MODELS

NAMES = ("every kind", "floating, mimic", "two roots, mimic")


def rubbing(model: Model) -> Model:
    """The same robot with friction in every joint that can have a drive."""
    rng = np.random.default_rng(6)
    joints = []
    for joint in model.joints:
        numbers = [rng.uniform(0.1, 0.5, joint.nv) for _ in range(2)]
        if joint.kind in ("free", "planar"):
            numbers = [np.zeros(joint.nv)] * 2
        joints.append(replace(joint, damping=numbers[0], friction=numbers[1]))
    return replace(model, joints=tuple(joints))


@cache
def case_of(name: str) -> Case:
    return Case(rubbing(MODELS[name]()), 2)


def series(case: Case, key: str, *, tau: bool) -> np.ndarray:
    """motor_forces or driven_dynamics, differentiated by the rule."""
    row = ROBOT["driven_dynamics" if tau else "motor_forces"]
    given = case.given(row)
    if key == "dscrew":
        return numbers(wrt_screws.along_geometry(row.formula, case.tree, tuple(given), True))
    place = row.arguments.index(key[1:])
    by = wrt_state.directional(row.formula, case.tree, given, place, configuration=key == "dq")
    return numbers(by)


@pytest.mark.parametrize("name", NAMES)
def test_friction_is_added_and_taken_away(name: str) -> None:
    case = case_of(name)
    friction = case.value("joint_friction")
    assert np.abs(friction).max() > 0.1
    forces = case.value("motor_forces")
    assert_close(forces, case.value("inverse_dynamics") + friction)
    a = case.evaluate(ROBOT["driven_dynamics"], tau=objects(forces))
    assert_close(numbers(a), case.at["a"], 10 * case.solving)


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_are_the_rule(name: str) -> None:
    case = case_of(name)
    for key in ("dq", "dv", "da"):
        assert_close(case.value(f"motor_forces.{key}"), series(case, key, tau=False), what=key)
    for key in ("dq", "dv", "dtau"):
        found, wanted = case.value(f"driven_dynamics.{key}"), series(case, key, tau=True)
        assert_close(found, wanted, 100 * case.solving, what=key)  # M^-1 twice
    wanted = case.value("inverse_dynamics.dv")
    assert np.abs(case.value("motor_forces.dv") - wanted).max() > 0.1


@pytest.mark.parametrize("name", ["two roots, mimic"])
def test_geometry_and_parameters(name: str) -> None:
    case = case_of(name)
    found = case.value("motor_forces.dscrew")
    assert_close(found, series(case, "dscrew", tau=False))
    found = case.value("driven_dynamics.dscrew")
    assert_close(found, series(case, "dscrew", tau=True), 100 * case.solving)
    # where friction is zero the quantity is forward dynamics at other forces
    left = objects(case.at["tau"] - case.value("joint_friction"))
    row = derivative(ROBOT["forward_dynamics"], "dpi")
    wanted = numbers(case.evaluate(row, tau=left))
    assert_close(case.value("driven_dynamics.dpi"), wanted, 100 * case.solving)


@pytest.mark.parametrize("name", NAMES)
def test_rates_invert_each_other(name: str) -> None:
    case = case_of(name)
    order = 2
    row = derivative(ROBOT["motor_forces"], f"rates({order})")
    taus = case.evaluate(row)
    given = {rate_name("tau", k): tau for k, tau in enumerate(taus)}
    found = ROBOT["driven_dynamics"].rates(case.tree, order, {"q": case.q, "v": case.v, **given})
    for level, wanted in zip(found, (case.a, case.j, case.s), strict=True):
        assert_close(numbers(level), numbers(wanted), 1000 * case.solving)


def test_at_rest_and_through_the_robot() -> None:
    robot = Robot(rubbing(load("planar_2r").model))
    q, a = robot.random(0), np.ones(2)
    rest = np.zeros(2)
    assert_close(robot.motor_forces(q, rest, a), robot.inverse_dynamics(q, rest, a))
    v = np.array((1.0, -2.0))
    tau = robot.motor_forces(q, v, a)
    assert_close(robot.driven_dynamics(q, v, tau), a)
    assert_close(tau - robot.joint_friction(v), robot.inverse_dynamics(q, v, a))
    slope = robot.motor_forces.dv(q, rest, a) - robot.inverse_dynamics.dv(q, rest, a)
    assert_close(slope, np.diag(np.concatenate([j.damping for j in robot.model.joints])))


def test_mechanisms() -> None:
    model = load("five_bar").model
    closed = Robot(rubbing(model)).closed(("joint1", "joint4"))
    q = closed.assemble(closed.robot.neutral(), strict=True).q
    v, a = np.array((0.5, -0.3)), np.ones(2)
    wanted = closed.inverse_dynamics(q, v, a) + closed.joint_friction(q, v)
    assert_close(closed.motor_forces(q, v, a), wanted)
    assert_close(closed.driven_dynamics(q, v, wanted), a, 1e-11)
