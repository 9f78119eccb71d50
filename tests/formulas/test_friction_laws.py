"""Stribeck and load-dependent friction of joints, smooth and not."""

from __future__ import annotations

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

NAMES = ("every kind", "floating, mimic", "two roots, mimic")

SMOOTH = {"friction_smoothing": 0.3, "load_smoothing": 0.4}


def with_laws(model: Model, **others: float) -> Robot:
    """Return the robot with friction of every law in all joints that have drives."""
    rng = np.random.default_rng(6)
    robot = Robot(model)
    driven = np.zeros(robot.nv)
    for joint in model.joints:
        if joint.kind not in ("free", "planar"):
            driven[robot.joints[joint.name].v] = 1.0
    values = {
        name: driven * rng.uniform(0.2, 0.6, robot.nv)
        for name in ("damping", "friction", "stribeck_friction", "load_friction")
    }
    return robot.edit.with_friction(**values, stribeck_velocity=0.7, **others)


@cache
def robot_of(name: str) -> Robot:
    return with_laws(MODELS[name](), **SMOOTH)


def state(robot: Robot, count: int = 4) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(8)
    return robot.random(rng, count), *rng.standard_normal((4, count, robot.nv))


def friction(robot: Robot, v: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Return f(v, r) by its definition, from the joints of the model."""
    out = np.zeros(v.shape)
    for joint in robot.model.joints:
        place = robot.joints[joint.name].v
        ratio = joint.mimic.multiplier if joint.mimic else 1.0
        x, load = ratio * v[..., place], r[..., place]
        with np.errstate(divide="ignore", invalid="ignore"):
            stribeck = np.nan_to_num(
                joint.stribeck_friction / (1 + (x / joint.stribeck_velocity) ** 2)
            )
        root = np.hypot(x, joint.friction_smoothing)
        size = np.hypot(load, joint.load_smoothing) - joint.load_smoothing
        dry = joint.friction + stribeck + joint.load_friction * size
        force = joint.damping * x + dry * x / np.where(root > 0.0, root, 1.0)
        out[..., place] += ratio * force
    return out


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("smooth", [True, False])
def test_motor_forces_contain_friction_and_driven_dynamics_invert_them(
    name: str, smooth: bool
) -> None:
    robot = robot_of(name) if smooth else with_laws(MODELS[name]())
    q, v, a, *_ = state(robot)
    wrenches = np.random.default_rng(1).standard_normal((4, robot.nb, 6))
    r = robot.inverse_dynamics(q, v, a, wrenches)
    tau = robot.motor_forces(q, v, a, wrenches)
    assert_close(tau, r + friction(robot, v, r))
    assert_close(robot.joint_friction(v), friction(robot, v, np.zeros(v.shape)))
    assert np.abs(tau - r - robot.joint_friction(v)).max() > 0.1
    solving = 1e-12 * np.linalg.cond(robot.mass_matrix(q)).max()
    assert_close(robot.driven_dynamics(q, v, tau, wrenches), a, solving)
    assert ((tau - r) * v).sum(axis=-1).min() > 0.0


def differences(function, x: np.ndarray, move) -> np.ndarray:
    """Return fourth-order central differences of a function, axis of differentiation last."""
    h, columns = 1e-3, []
    for e in h * np.eye(x.shape[-1]):
        far, near = (function(move(k * e)) - function(move(-k * e)) for k in (2.0, 1.0))
        columns.append((8.0 * near - far) / (12.0 * h))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("last", ["a", "tau"])
def test_derivatives_are_those_of_differences(name: str, last: str) -> None:
    robot = robot_of(name)
    q, v, a, *_ = (x[0] for x in state(robot))
    x = a if last == "a" else robot.motor_forces(q, v, a)
    kind = "motor_forces" if last == "a" else "driven_dynamics"
    quantity, parametric = robot.quantity(kind), getattr(robot.parametric, kind)
    found = quantity.dq(q, v, x), quantity.dv(q, v, x), getattr(quantity, f"d{last}")(q, v, x)
    pi = robot.model.parameters.ravel()
    for derivative, wanted in zip(
        (*found, quantity.dpi(q, v, x)),
        (
            differences(lambda y: quantity(y, v, x), v, lambda d: robot.integrate(q, d)),
            differences(lambda y: quantity(q, y, x), v, lambda d: v + d),
            differences(lambda y: quantity(q, v, y), x, lambda d: x + d),
            differences(lambda y: parametric(q, v, x, y.reshape(-1, 10)), pi, lambda d: pi + d),
        ),
        strict=True,
    ):
        assert_close(derivative, wanted, 1e-7)
    lam = np.linspace(-1.0, 1.0, robot.nv)
    for gradient, J in zip(quantity.vjp(q, v, x, lam), found, strict=True):
        assert_close(gradient, lam @ J, 1e-11)
    if last == "tau":
        solving = 1e-12 * np.linalg.cond(robot.mass_matrix(q))
        for y, wanted in zip(quantity.derivatives(q, v, x), (a, *found), strict=True):
            assert_close(y, wanted, solving)


@pytest.mark.parametrize("name", NAMES)
def test_external_wrenches_are_part_of_the_load(name: str) -> None:
    robot = robot_of(name)
    q, v, a, *_ = (x[0] for x in state(robot))
    wrenches = np.random.default_rng(1).standard_normal((robot.nb, 6))
    pi = robot.model.parameters.ravel()
    wanted = differences(
        lambda x: robot.parametric.motor_forces(q, v, a, x.reshape(-1, 10), wrenches),
        pi,
        lambda d: pi + d,
    )
    assert_close(robot.motor_forces.dpi(q, v, a, wrenches), wanted, 1e-7)


@pytest.mark.parametrize("name", NAMES)
def test_rates_invert_each_other(name: str) -> None:
    robot = robot_of(name)
    q, v, a, j, s = state(robot)
    taus = robot.motor_forces.rates(2)(q, v, a, j, s)
    solving = 1e-11 * np.linalg.cond(robot.mass_matrix(q)).max()
    for found, wanted in zip(robot.driven_dynamics.rates(2)(q, v, *taus), (a, j, s), strict=True):
        assert_close(found, wanted, solving)
    h = 1e-3
    ends = [
        robot.motor_forces(
            robot.integrate(q, t * v + t * t / 2 * a), v + t * a + t * t / 2 * j, a + t * j
        )
        for t in (h, -h)
    ]
    assert_close(taus[1], (ends[0] - ends[1]) / (2 * h), 1e-4)


@pytest.mark.parametrize("method", ["euler", "rk4", "implicit_midpoint", "variational"])
def test_steps_and_their_jacobians(method: str) -> None:
    robot, h = robot_of("two roots, mimic"), 1e-3
    q, v, tau, *_ = (x[0] for x in state(robot))
    options = {"method": method, "friction": True}
    q1, v1, A, B = robot.step.derivatives(q, v, tau, h, **options)
    a = robot.driven_dynamics(q, v, tau)
    assert np.abs((v1 - v) / h - a).max() < 0.05 * np.abs(a).max()
    n = robot.nv
    for start, by in ((0, B), (1, A[:, n:])):

        def end(x: np.ndarray, start: int = start) -> np.ndarray:
            arguments = (q, v, x, h) if start == 0 else (q, x, tau, h)
            end_q, end_v = robot.step(*arguments, **options)
            return np.concatenate((robot.difference(q1, end_q), end_v))

        at = tau if start == 0 else v
        assert_close(by, differences(end, at, lambda d, at=at: at + d), 1e-8)


def test_friction_dissipates_energy() -> None:
    robot = robot_of("two roots, mimic")
    q, v = robot.neutral(), 2.0 * state(robot, 1)[1][0]
    motors = np.zeros((400, robot.nv))
    for method in ("rk4", "implicit_midpoint"):
        path, speeds = robot.rollout(q, v, motors, 2e-3, method=method, friction=True)
        energy = robot.kinetic_energy(path, speeds) + robot.potential_energy(path)
        assert np.diff(energy).max() < 1e-6 * np.ptp(energy)
        assert energy[0] - energy[-1] > 5.0


def test_mechanisms() -> None:
    closed = with_laws(load("five_bar").model, **SMOOTH).closed(("joint1", "joint4"))
    q = closed.assemble(closed.robot.neutral(), strict=True).q
    v, a = np.array((0.5, -0.3)), np.ones(2)
    r, active = closed.inverse_dynamics(q, v, a), closed.robot.labels("v")
    places = [active.index(name) for name in ("joint1", "joint4")]
    velocity = closed.velocity(q, v)
    unloaded = closed.robot.joint_friction(velocity)
    loads = np.zeros(len(velocity))
    loads[places] = r + closed.joint_friction(q, v) - unloaded[places]
    extra = friction(closed.robot, velocity, loads) - unloaded
    tau = closed.motor_forces(q, v, a)
    assert np.abs(extra[places]).max() > 0.01
    assert_close(tau, r + closed.joint_friction(q, v) + extra[places])
    h = 1e-6
    _, v1 = closed.step(q, v, tau, h, friction=True)
    assert_close((v1 - v) / h, a, 1e-9)
    columns = [(closed.motor_forces(q, v, a + h * e) - tau) / h for e in np.eye(2)]
    assert_close(closed.motor_forces.da(q, v, a), np.stack(columns, axis=-1), 1e-5)
    parametric = closed.parametric.motor_forces
    pi = closed.robot.model.parameters.ravel()
    wanted = differences(lambda x: parametric(q, v, a, x.reshape(-1, 10)), pi, lambda d: pi + d)
    assert_close(closed.motor_forces.dpi(q, v, a), wanted, 1e-7)


def test_single_precision_and_no_load() -> None:
    robot = robot_of("floating, mimic")
    q, v, a, *_ = state(robot)
    single = robot.motor_forces(*(x.astype(np.float32) for x in (q, v, a)))
    assert single.dtype == np.float32
    assert_close(single, robot.motor_forces(q, v, a), 1e-5)
    free = robot.edit.with_friction(load_friction=0.0)
    assert_close(
        free.motor_forces(q, v, a), free.inverse_dynamics(q, v, a) + robot.joint_friction(v)
    )


def test_laws_are_written_and_read(tmp_path: Path) -> None:
    robot = with_laws(MODELS["mimic"](), **SMOOTH)
    robot.export.urdf(tmp_path / "robot.urdf")
    again = load(tmp_path / "robot.urdf")
    q, v, a, *_ = state(robot)
    assert_close(again.motor_forces(q, v, a), robot.motor_forces(q, v, a))


def test_mistakes_are_explained() -> None:
    robot = load("planar_2r")
    for laws, message in (
        ({"load_friction": 1.0}, "load_friction must be < 1"),
        ({"stribeck_friction": 1.0}, "stribeck_velocity must be > 0"),
        ({"friction": -1.0}, "friction must be finite and >= 0"),
    ):
        with pytest.raises(jounce.ModelError, match=message):
            robot.edit.with_friction(**laws)
    joint = {"axis": (0.0, 0.0, 1.0), "mass": 1.0}
    builder = jounce.TreeBuilder("probe")
    builder.add("a", "revolute", joint_name="first", **joint)
    with pytest.raises(jounce.ModelError, match="must be that of the joint 'first'"):
        builder.add("b", "revolute", "a", mimic=jounce.Mimic("first"), load_friction=0.1, **joint)


@pytest.mark.parametrize("loaded", [True, False])
def test_driven_dynamics_of_mechanisms_invert_motor_forces(loaded: bool) -> None:
    robot = load("five_bar")
    robot = with_laws(robot.model, **SMOOTH) if loaded else robot.edit.with_friction(damping=0.4)
    closed = robot.closed(("joint1", "joint4"))
    q = closed.assemble(closed.robot.neutral(), strict=True).q
    v, a, j = np.array((0.2, -0.3)), np.array((1.0, 0.5)), np.array((-2.0, 1.0))
    wrenches = np.random.default_rng(1).standard_normal((robot.nb, 6))
    tau, dtau = closed.motor_forces.rates(1)(q, v, a, j, wrenches=wrenches)
    driven, wanted = closed.driven_dynamics, closed.motor_forces
    assert_close(driven(q, v, tau, wrenches), a, 1e-11)
    assert_close(driven.dt(q, v, tau, dtau, wrenches=wrenches), j, 1e-10)
    a_tau = driven.dtau(q, v, tau, wrenches)
    assert_close(a_tau @ wanted.da(q, v, a, wrenches), np.eye(2), 1e-11)
    for name in ("dq", "dv", "dpi"):
        found = getattr(driven, name)(q, v, tau, wrenches)
        assert_close(found, -a_tau @ getattr(wanted, name)(q, v, a, wrenches), 1e-10)
    if not loaded:
        forces = robot.joint_friction(closed.velocity(q, v))
        assert_close(closed.forward_dynamics(q, v, tau, wrenches, -forces), a, 1e-11)
