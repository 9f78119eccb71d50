"""Robots without mass, and joints that move none: errors and warnings that name them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.catalog.derivative import derivative_names
from jounce.errors import ModelError, ModelWarning
from jounce.formulas.dynamics import mass_matrix
from jounce.formulas.singular import all_solid, generic_configuration, massless_velocities
from jounce.io import TreeBuilder, placement
from jounce.model.tree import lower
from jounce.robot import Robot
from support.helpers import assert_close, quiet_read
from support.robots import random_model

CENTROIDAL = ("center_of_mass", "com_jacobian", "centroidal_momentum", "centroidal_momentum_matrix")
SOLVING = ("forward_dynamics", "mass_matrix_inverse")


def massless(base: str = "revolute") -> Robot:
    """Two joints with armature that carry nothing."""
    builder = TreeBuilder("ghost")
    builder.add("a", base, axis=(0, 0, 1), armature=0.0 if base == "free" else 0.1)
    builder.add("b", "revolute", "a", xyz=(1, 0, 0), axis=(0, 1, 0), armature=0.1)
    return Robot(builder.build())


def point_at_the_end(*, tip: float = 0.0) -> Robot:
    """A point mass on two parallel axes through it: they turn against each other freely."""
    builder = TreeBuilder("point")
    mass: dict[str, Any] = {"mass": 1.0, "inertia_com": tip * np.eye(3)}
    builder.add("arm", "revolute", joint_name="shoulder", axis=(0, 0, 1))
    builder.add(
        "ball", "revolute", "arm", joint_name="wrist", xyz=(1, 0, 0), axis=(0, 0, 1), **mass
    )
    return Robot(builder.build())


def oblique_point() -> Robot:
    """The same in oblique numbers: M is singular to rounding, not structurally."""
    builder = TreeBuilder("oblique")
    axis, away = (0.3, -0.5, 0.7), (0.31, 0.42, 0.53)
    builder.add("arm", "revolute", joint_name="shoulder", axis=(0.1, 0.9, 0.2), mass=0.7,
                com=(0.1, 0.2, 0.3), inertia_com=np.diag((0.01, 0.02, 0.02)))  # fmt: skip
    builder.add("fore", "revolute", "arm", joint_name="elbow", xyz=away, axis=axis)
    builder.add("hand", "revolute", "fore", joint_name="wrist", xyz=0.4 * np.array(axis), axis=axis,
                mass=1.0, com=(0.2, 0.1, 0.3), inertia_com=np.diag((0.01, 0.02, 0.02)))  # fmt: skip
    return Robot(builder.build())


def test_what_only_the_loops_resist() -> None:
    """M is singular to rounding, the system with the multipliers of the loops is not."""
    robot = oblique_point()
    locked = (False, False, False, True, False, False)
    seat = robot.frame("fore").pose(np.ones(3)) @ placement((0.1, 0.2, 0.3))
    robot = robot.edit.with_loop(("world", seat), ("fore", placement((0.1, 0.2, 0.3))), locked)
    closed = robot.closed(q0=np.ones(3))
    rng = np.random.default_rng(0)
    q, v = np.ones(3), closed.velocity(np.ones(3), rng.normal(size=2))
    tau = rng.normal(size=3)
    M, G = robot.mass_matrix(q), closed.loop_jacobian(q)
    drift = closed.loop_jacobian.dt(q, v) @ v
    system = np.block([[M, -G.T], [G, np.zeros((1, 1))]])
    load = np.concatenate((tau - robot.bias_forces(q, v), -drift))
    tolerance = max(1e-12, 1e-15 * np.linalg.cond(system))
    found = closed.constrained_dynamics(q, v, tau)
    assert_close(found, np.linalg.solve(system, load)[:3], tolerance)


def rows(robot: Robot, name: str) -> list[str]:
    """A quantity with its derivatives in time, state, parameters and geometry."""
    known = derivative_names(getattr(robot, name).definition)
    return [name, *(f"{name}.{d}" for d in known if d in ("dt", "dq", "dv", "dpi", "dscrew"))]


@pytest.mark.parametrize("base", ["revolute", "free"])
def test_a_robot_without_mass_has_no_center_of_mass(base: str) -> None:
    robot = massless(base)
    for name in CENTROIDAL:
        for derivative in rows(robot, name):
            quantity = robot.quantity(derivative)
            given = [np.ones(shape) for shape in quantity.kernel.inputs]
            with pytest.raises(ModelError, match=rf"ghost\.{name}.*have no mass, so the center"):
                quantity(*given)


def test_parameters_as_arguments_give_nan() -> None:
    """A kernel cannot know what it will be called with."""
    with np.errstate(all="ignore"):
        com = massless().parametric.center_of_mass(np.zeros(2), np.zeros((2, 10)))
    assert np.isnan(com).all()


@pytest.mark.parametrize("name", SOLVING)
def test_structurally_singular(name: str) -> None:
    """An error that names the joint, for every quantity that solves with M."""
    builder = TreeBuilder("loose")
    builder.add("a", "revolute", axis=(0, 0, 1), mass=1.0, com=(1, 0, 0))
    builder.add("b", "revolute", "a", joint_name="finger", xyz=(1, 0, 0), axis=(0, 1, 0))
    robot = Robot(builder.build())
    for derivative in rows(robot, name):
        quantity = robot.quantity(derivative)
        given = [np.ones(shape) for shape in quantity.kernel.inputs]
        with pytest.raises(ModelError, match=r"loose\..*singular.*motion of 'finger'; give the"):
            quantity(*given)
    robot.inverse_dynamics(*np.ones((3, 2)))  # which needs no inverse


def test_structurally_singular_together() -> None:
    """A free base without mass and a joint about its z axis are one and the same motion."""
    robot = Robot(quiet_read("iiwa14_mueller_kumar2021", "floating"))
    base = robot.model.joint_names[0]
    with pytest.raises(ModelError, match=rf"'{base}\[2\]'.* moving together"):
        robot.forward_dynamics(robot.neutral(), np.zeros(13), np.zeros(13))


def test_numerically_singular() -> None:
    """Accelerations of 1e16 come with a warning that names the joints."""
    robot = oblique_point()
    assert np.linalg.cond(robot.mass_matrix(np.ones(3))) > 1e12
    with pytest.warns(ModelWarning, match="nothing resists 'elbow', 'wrist' moving together"):
        robot.forward_dynamics(np.ones(3), np.ones(3), np.ones(3))
    with pytest.warns(ModelWarning, match=r"oblique.mass_matrix_inverse.dq: the mass matrix is"):
        robot.mass_matrix_inverse.dq(np.ones(3))
    assert any(finding.code == "singular-mass-matrix" for finding in robot.model.check())
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a kernel that takes the parameters cannot know
        robot.parametric.forward_dynamics(*np.ones((3, 3)), robot.model.parameters)


def test_solid_robots_have_a_regular_mass_matrix() -> None:
    """What saves the first use the look at M: right whenever it says so."""
    told = []
    for seed in range(12):
        model = random_model(np.random.default_rng(seed), 5, armature=seed % 3 == 0)
        hollow = seed % 4 == 1 and replace(model.bodies[2], inertia=np.zeros(10))
        bodies = (*model.bodies[:2], hollow or model.bodies[2], *model.bodies[3:])
        tree = lower(replace(model, bodies=bodies))
        M = mass_matrix(tree, generic_configuration(tree)).astype(float)
        told.append(all_solid(tree))
        assert not told[-1] or massless_velocities(M) == ([], [])
    assert any(told)
    assert not all(told)
    assert not any(all_solid(x.tree) for x in (massless("free"), oblique_point()))


def test_point_masses() -> None:
    with pytest.raises(ModelError, match="nothing resists the motion of 'wrist'"):
        point_at_the_end().forward_dynamics(*np.ones((3, 2)))
    point_at_the_end(tip=1e-6).forward_dynamics(*np.ones((3, 2)))


@pytest.mark.parametrize("name", jounce.gallery())
def test_sound_robots_pass_in_silence(name: str) -> None:
    robot = Robot(quiet_read(name))
    if any(finding.code == "singular-mass-matrix" for finding in robot.model.check()):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        robot.forward_dynamics(robot.neutral(), *np.zeros((2, robot.nv)))


def closed_with(inertia: Callable[[str], dict[str, Any]]) -> Any:
    """A parallelogram of four bars."""
    builder = TreeBuilder("bars")
    builder.add("left", "revolute", axis=(0, 0, 1), **inertia("left"))
    builder.add("coupler", "revolute", "left", xyz=(0, 1, 0), axis=(0, 0, 1), **inertia("coupler"))
    builder.add("right", "revolute", xyz=(1, 0, 0), axis=(0, 0, 1), **inertia("right"))
    T = np.eye(4)
    T[0, 3] = 1.0
    U = np.eye(4)
    U[1, 3] = 1.0
    builder.loop("pin", "coupler", "right", "revolute", T, U)
    return Robot(builder.build()).closed(("left_joint",), q0=(0.3, -0.3, 0.3))


def test_mechanisms() -> None:
    """Of a mechanism what counts is the mass matrix of its independent joints."""
    body = {"mass": 1.0, "inertia_com": np.eye(3) / 12}
    moving = closed_with(lambda link: body if link == "right" else {})
    q = moving.reference
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(moving.forward_dynamics(q, np.ones(1), np.ones(1))).all()
    nothing = closed_with(lambda link: {})
    with pytest.raises(ModelError, match="motion of 'left_joint'"):
        nothing.forward_dynamics(q, np.ones(1), np.ones(1))
    with pytest.raises(ModelError, match="no mass"):
        nothing.center_of_mass(q)
