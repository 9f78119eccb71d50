"""Robots with elastic joints: forward dynamics, energy, steps, derivatives, and limits."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError, ModelError
from jounce.robot import Robot
from jounce.solve.elastic import Spring
from support.helpers import assert_close

ROBOTS = ("arm", "walker", "closed")
LINEAR = ("arm", "walker", "closed", "rotors")
EVERY = (*LINEAR, "cubic")

_SOLID: dict[str, Any] = {"mass": 1.5, "com": (0.1, 0.05, -0.1), "inertia_com": 0.03 * np.eye(3)}


class Sample(NamedTuple):
    """Numbers of the drives, and a state with torques."""

    K: np.ndarray
    J: np.ndarray
    d: np.ndarray
    D: np.ndarray
    state: tuple[np.ndarray, ...]
    tau: np.ndarray


@cache
def links_of(name: str) -> Any:
    """Return the robot or mechanism behind the springs."""
    if name == "closed":
        return jounce.load("five_bar").closed()
    builder = jounce.TreeBuilder(name)
    if name == "walker":
        builder.add("trunk", "free", joint_name="base", **_SOLID)
        builder.add("thumb", "revolute", "trunk", xyz=(0.2, 0, 0.1), **_SOLID)
        builder.add("finger", "revolute", "trunk", mimic=("thumb_joint", -0.5, 0.2), **_SOLID)
        builder.add("leg", "prismatic", "trunk", xyz=(0, 0.1, -0.3), axis=(0, 0, 1), **_SOLID)
        builder.add("foot", "revolute", "leg", axis=(0, 1, 0), **_SOLID)
    else:
        builder.add("one", "revolute", axis=(0, 0, 1), **_SOLID)
        builder.add("two", "revolute", "one", xyz=(0.1, 0, 0.3), axis=(0, 1, 0), **_SOLID)
        builder.add("three", "revolute", "two", xyz=(0.4, 0, 0), axis=(0.6, 0.8, 0), **_SOLID)
    robot = Robot(builder.build())
    if name == "rotors":
        for joint in ("one_joint", "two_joint"):
            robot = robot.with_rotor(joint, 3e-4, 20.0, axis=(0.6, 0.0, 0.8), mass=0.3)
    return robot


def driven(name: str) -> np.ndarray:
    """Return where the velocities have a drive."""
    return links_of(name).elastic(1.0, 1.0).drives.driven


@cache
def sample_of(name: str) -> Sample:
    robot, has = links_of(name), driven(name)
    rng, n = np.random.default_rng(5), len(has)
    q = robot.reference if name == "closed" else robot.random(1)
    K = np.where(has, rng.uniform(200.0, 500.0, n), np.inf)
    K[-1] = np.inf  # a rigid drive, if it has one
    d, J = (np.where(has, rng.uniform(*x, n), 0.0) for x in ((0.1, 1.0), (0.1, 0.4)))
    D = np.where(np.isfinite(K), rng.uniform(0.1, 1.0, n), 0.0)
    v, dtheta, tau = rng.standard_normal((3, n))
    theta = coordinates(robot, q, has) + 0.01 * rng.standard_normal(n)
    return Sample(K, J, d, D, (q, v, theta, dtheta), 3.0 * tau)


def coordinates(robot: Any, q: np.ndarray, has: np.ndarray) -> np.ndarray:
    """Return the coordinates (nv,) from which motors deflect; 0 without a drive."""
    out = np.zeros((robot.robot if hasattr(robot, "reference") else robot).nv)
    for view in robot.joints.values():
        if view.joint.mimic is None and view.q.stop - view.q.start == view.v.stop - view.v.start:
            out[view.v] = q[view.q]
    return np.where(has, out[list(robot.velocities)], 0.0)


@cache
def elastic_of(name: str, damped: bool = True) -> Any:
    """Return the elastic robot of a sample; "cubic": with hardening springs."""
    if name == "cubic":
        spring = Spring(
            lambda x: 300.0 * x + 5e4 * x**3,
            lambda x: 300.0 + 1.5e5 * x**2,
            lambda x: 3e5 * x,
            ("three_joint", "one_joint"),
        )
        return links_of("arm").elastic(spring, 0.2, 0.3 * damped)
    K, J, d, D, *_ = sample_of(name)
    return links_of(name).elastic(K, J, d * damped, spring_damping=D * damped)


def state_of(name: str) -> tuple[np.ndarray, ...]:
    """Return q, v, theta, dtheta and tau."""
    sample = sample_of("arm" if name == "cubic" else name)
    return (*sample.state, sample.tau)


# ------------------------------------------------------------------ equations


@pytest.mark.parametrize("name", ROBOTS)
def test_links_and_motors_obey_their_equations(name: str) -> None:
    """The reduced model, with wrenches, from inverse dynamics of the rigid robot."""
    robot, elastic, (K, J, d, D, (q, v, theta, dtheta), tau) = (
        links_of(name),
        elastic_of(name),
        sample_of(name),
    )
    wrench = np.random.default_rng(2).standard_normal((len(robot.model.bodies), 6))
    a, ddtheta = elastic.forward_dynamics(q, v, theta, dtheta, tau, wrenches=wrench)
    has, soft = driven(name), np.isfinite(K)
    x, dx = theta - coordinates(robot, q, has), dtheta - v
    spring = np.where(soft, np.where(soft, K, 0.0) * x + D * dx, 0.0)
    assert_close(elastic.spring_torques(q, v, theta, dtheta), spring)
    rigid = tau - np.where(has, J * a + d * v, 0.0)
    required = robot.inverse_dynamics(q, v, a, wrench)
    assert_close(required, np.where(soft, spring, rigid), 1e-11)
    assert_close((J * ddtheta)[soft], (tau - d * dtheta - spring)[soft])
    assert_close(ddtheta[~soft], a[~soft])


@pytest.mark.parametrize("name", ROBOTS)
def test_inverse_dynamics_are_those_of_the_forward_solution(name: str) -> None:
    K, J, d, *_ = sample_of(name)
    robot, (q, v, *_), rng = links_of(name), state_of(name), np.random.default_rng(3)
    elastic = robot.elastic(K, J, d)
    a, j, s = rng.standard_normal((3, len(K)))
    theta, dtheta, ddtheta, tau, link = elastic.inverse_dynamics(q, v, a, j, s)
    found = elastic.forward_dynamics(q, v, theta, dtheta, tau)
    for x, y in zip(found, (a, ddtheta), strict=True):
        assert_close(x, y, 1e-10)
    soft = np.isfinite(K)
    assert_close(elastic.spring_torques(q, v, theta, dtheta)[soft], link[soft], 1e-11)
    drive = robot.elastic_inverse_dynamics(q, v, a, j, s, K, damping=d, motor_inertia=J)
    expected = (np.nan_to_num(drive.motor_position), *drive[1:])
    for x, y in zip((theta, dtheta, ddtheta, tau, link), expected, strict=True):
        assert_close(x, y, 1e-13)


def test_variable_stiffness() -> None:
    """K(t) is an argument of forward dynamics, and with its rates of inverse dynamics."""
    (K, J, d, *_), (q, v, *_) = sample_of("arm"), state_of("arm")
    elastic, rng = links_of("arm").elastic(K, J, d), np.random.default_rng(4)
    a, j, s = rng.standard_normal((3, 3))
    rates = [np.where(np.isfinite(K), 90.0 * x, 0.0) for x in rng.standard_normal((2, 3))]
    K = 1.3 * K
    theta, dtheta, ddtheta, tau, _ = elastic.inverse_dynamics(
        q, v, a, j, s, stiffness=K, dstiffness=rates[0], ddstiffness=rates[1]
    )
    found = elastic.forward_dynamics(q, v, theta, dtheta, tau, stiffness=K)
    for x, y in zip(found, (a, ddtheta), strict=True):
        assert_close(x, y, 1e-11)
    soft = np.isfinite(K)
    x, dx = (theta - q)[soft], (dtheta - v)[soft]
    assert_close(
        rates[0][soft] * x + K[soft] * dx, links_of("arm").inverse_dynamics.dt(q, v, a, j)[soft]
    )


def explicit(robot: Robot) -> Robot:
    """Return the robot whose rotors are bodies with joints of their own."""
    model = robot.model
    joints = tuple(replace(joint, mimic=None) for joint in model.joints)
    return Robot(replace(model, joints=joints))


def test_the_complete_model_is_that_of_explicit_rotors() -> None:
    """Rotor bodies on joints of their own, with springs as forces: couplings included."""
    robot, elastic = links_of("rotors"), elastic_of("rotors")
    full, (K, _, d, D, (q, v, theta, dtheta), tau) = explicit(robot), sample_of("rotors")
    _, J, *_ = sample_of("rotors")
    names, count = [joint.name for joint in full.model.joints], full.nv
    gains = {joint.name: joint.mimic.multiplier for joint in robot.model.joints if joint.mimic}
    Q, V, force, W = np.zeros((4, count))
    spring, row = (
        np.where(
            np.isfinite(K), np.where(np.isfinite(K), K, 0) * (theta - q) + D * (dtheta - v), 0
        ),
        {},
    )
    for i, name in enumerate(
        view for view in robot.joints if robot.joints[view].joint.mimic is None
    ):
        k = row[name] = full.joints[name].v.start
        Q[k], V[k] = q[i], v[i]
        force[k] = spring[i] if np.isfinite(K[i]) else tau[i] - d[i] * v[i]
    for name, gain in gains.items():
        leader = next(joint.mimic.leader for joint in robot.model.joints if joint.name == name)
        i = [x for x in robot.joints if robot.joints[x].joint.mimic is None].index(leader)
        k = full.joints[name].v.start
        Q[k], V[k] = gain * theta[i], gain * dtheta[i]
        force[k] = (tau[i] - d[i] * dtheta[i] - spring[i]) / gain
        W[k] = J[i] / gain**2  # further inertia of the motor
    assert len(names) == count
    # rigid third joint with the motor's inertia, and motors that are heavier than their rotors
    W[row["three_joint"]] = J[2]
    M = full.mass_matrix(Q) + np.diag(W)
    accelerations = np.linalg.solve(M, force - full.inverse_dynamics(Q, V, np.zeros(count)))
    a, ddtheta = elastic.forward_dynamics(q, v, theta, dtheta, tau)
    for i, name in enumerate(row):
        assert_close(a[i], accelerations[row[name]], 1e-9)
    for name, gain in gains.items():
        leader = next(joint.mimic.leader for joint in robot.model.joints if joint.name == name)
        i = list(row).index(leader)
        assert_close(ddtheta[i], accelerations[full.joints[name].v.start] / gain, 1e-9)
    potential = 0.5 * np.sum(
        np.where(np.isfinite(K), np.where(np.isfinite(K), K, 0) * (theta - q) ** 2, 0)
    )
    energy = full.kinetic_energy(Q, V) + 0.5 * V @ (W * V) + full.potential_energy(Q) + potential
    assert_close(elastic.energy(q, v, theta, dtheta), energy, 1e-11)
    # the reduced model neglects the couplings, which matter here
    reduced = robot.elastic(*(sample_of("rotors")[k] for k in (0, 1, 2)), rotors=())
    assert np.abs(reduced.forward_dynamics(q, v, theta, dtheta, tau)[0] - a).max() > 1e-3


def test_couplings_vanish_with_large_gear_ratios() -> None:
    """At one reflected inertia, in proportion to 1 / N."""
    robot, (q, v, theta, dtheta, tau) = links_of("arm"), state_of("arm")
    K, reflected = np.array([300.0, 200.0, np.inf]), 0.2
    plain = robot.elastic(K, [reflected, reflected, 0.0])
    found = plain.forward_dynamics(q, v, theta, dtheta, tau)
    errors = []
    for ratio in (1e2, 1e3):
        geared = robot
        for joint in ("one_joint", "two_joint"):
            geared = geared.with_rotor(joint, reflected / ratio**2, ratio, axis=(0.6, 0.0, 0.8))
        other = geared.elastic(K).forward_dynamics(q, v, theta, dtheta, tau)
        errors.append(max(np.abs(x - y).max() for x, y in zip(found, other, strict=True)))
    assert 8.0 < errors[0] / errors[1] < 12.0


@pytest.mark.parametrize("name", ROBOTS)
def test_stiff_springs_approach_the_rigid_robot(name: str) -> None:
    """On the slow motion, in proportion to 1 / K."""
    _, J, d, *_ = sample_of(name)
    robot, (q, v, *_), rng = links_of(name), state_of(name), np.random.default_rng(6)
    a, j, s = rng.standard_normal((3, len(J)))
    rigid = robot.inverse_dynamics(q, v, a) + J * a + d * v
    errors = []
    for K in (1e5, 1e6):
        elastic = robot.elastic(np.where(driven(name), K, np.inf), J, d)
        theta, dtheta, _, tau, _ = elastic.inverse_dynamics(q, v, a, j, s)
        errors.append(np.abs(tau - rigid).max())
        assert_close(elastic.forward_dynamics(q, v, theta, dtheta, tau)[0], a, 1e-6)
    assert 9.5 < errors[0] / errors[1] < 10.5
    stiff = robot.elastic(np.inf, J, d)
    found = stiff.forward_dynamics(q, v, 0.0 * v, 0.0 * v, rigid)
    for x in found:
        assert_close(x, a, 1e-10)


# ------------------------------------------------------------------ energy and equilibrium


@pytest.mark.parametrize("name", EVERY)
def test_power_is_that_of_motors_and_friction(name: str) -> None:
    """The slope of the energy along the motion, from derivatives in the state."""
    elastic, (q, v, theta, dtheta, tau) = elastic_of(name), state_of(name)
    a, ddtheta = elastic.forward_dynamics(q, v, theta, dtheta, tau)
    E, state = elastic.energy, (q, v, theta, dtheta)
    slope = (
        E.dq(*state) @ v
        + E.dv(*state) @ a
        + E.dtheta(*state) @ dtheta
        + E.ddtheta(*state) @ ddtheta
    )
    numbers = elastic.argument_defaults
    soft = np.isfinite(numbers["stiffness"])
    motor = np.where(soft, dtheta, v)
    lost = numbers["damping"] * motor**2 + numbers["spring_damping"] * (motor - v) ** 2
    assert_close(slope, tau @ motor - np.sum(lost), 1e-10)


@pytest.mark.parametrize("name", EVERY)
def test_energy_is_conserved_to_the_order_of_the_steps(name: str) -> None:
    elastic, (*state, tau) = elastic_of(name, damped=False), state_of(name)
    drifts = []
    for h in (2e-4, 1e-4):
        path = elastic.rollout(*state, np.zeros((round(0.02 / h), len(tau))), h)
        energy = elastic.energy(*path)
        drifts.append(np.abs(energy[-1] - energy[0]))
    assert 3.2 < drifts[0] / drifts[1] < 9.0
    assert drifts[1] < 1e-4 * np.abs(energy[0])


@pytest.mark.parametrize("name", LINEAR)
def test_equilibria_are_at_rest(name: str) -> None:
    elastic, (q, v, *_) = elastic_of(name), state_of(name)
    wrench = np.random.default_rng(7).standard_normal((len(elastic.model.bodies), 6))
    wrench[[body.name.endswith("rotor") for body in elastic.model.bodies]] = 0.0
    theta, tau = elastic.equilibrium(q, wrenches=wrench)
    found = elastic.forward_dynamics(q, 0.0 * v, theta, 0.0 * v, tau, wrenches=wrench)
    assert max(np.abs(x).max() for x in found) < 1e-10
    step = elastic.step(q, 0.0 * v, theta, 0.0 * v, tau, 0.05, wrenches=wrench)
    assert max(np.abs(x).max() for x in step[1::2]) < 1e-10


# ------------------------------------------------------------------ steps


@pytest.mark.parametrize("name", EVERY)
def test_steps_are_of_second_order(name: str) -> None:
    """The error of one step, against twenty smaller ones, is of third order."""
    elastic, (*state, tau) = elastic_of(name), state_of(name)
    links, errors = elastic.robot, []
    for h in (2e-4, 1e-4):
        q, *others = elastic.step(*state, tau, h)
        fine = elastic.rollout(*state, np.tile(tau, (20, 1)), h / 20)
        errors.append(
            max(
                np.abs(links.difference(fine[0][-1], q)).max(),
                *(np.abs(x - y[-1]).max() for x, y in zip(others, fine[1:], strict=True)),
            )
        )
    assert 6.5 < errors[0] / errors[1] < 10.0


@pytest.mark.parametrize("name", ["arm", "closed"])
@pytest.mark.parametrize("K", [1e6, 1e10])
def test_stiff_springs_are_stable_at_the_control_period(name: str, K: float) -> None:
    """300 steps of 1 ms from deflected springs end near the rigid robot."""
    robot, (q, v, theta, _, tau) = links_of(name), state_of(name)
    J = np.where(driven(name), 0.2, 0.0)
    elastic = robot.elastic(np.where(driven(name), K, np.inf), J)
    theta = elastic.equilibrium(q)[0] + np.where(driven(name), 1.0 / K, 0.0)
    taus = np.tile(0.1 * tau, (300, 1))
    path = elastic.rollout(q, 0.0 * v, theta, 0.0 * v, taus, 1e-3)
    rigid = robot.elastic(np.inf, J).rollout(q, 0.0 * v, theta, 0.0 * v, taus, 1e-3)
    assert np.abs(robot.difference(rigid[0], path[0])).max() < (1e-2 if K < 1e7 else 2e-4)
    assert np.isfinite(path[3]).all()


def test_rollouts_take_batches_wrenches_and_numbers() -> None:
    elastic, (*state, tau) = elastic_of("arm"), state_of("arm")
    rng = np.random.default_rng(8)
    taus, K = rng.standard_normal((2, 4, 3)), np.array([250.0, 350.0, np.inf])
    pushes = rng.standard_normal((2, 4, len(elastic.model.bodies), 6))
    path = elastic.rollout(*state, taus, 1e-3, pushes, stiffness=K)
    assert [x.shape for x in path] == [(2, 5, 3)] * 4
    for i in range(2):
        now = tuple(state)
        for k in range(4):
            now = elastic.step(*now, taus[i, k], 1e-3, wrenches=pushes[i, k], stiffness=K)
        for x, y in zip(path, now, strict=True):
            assert_close(x[i, -1], y, 1e-13)
            assert_close(path[0][i, 0], state[0], 0.0)
    with pytest.raises(ArgumentError, match=r"taus must have shape \(..., T, 3\), found \(3,\)"):
        elastic.rollout(*state, tau, 1e-3)


# ------------------------------------------------------------------ derivatives


def move(elastic: Any, state: Any, k: int, direction: np.ndarray, h: float) -> list[np.ndarray]:
    """Return the arguments with argument k moved along a direction."""
    moved = list(state)
    moved[k] = (
        elastic.robot.integrate(state[0], h * direction) if k == 0 else state[k] + h * direction
    )
    return moved


def slope_of(function: Callable[[float], Any], h: float = 1e-4) -> list[np.ndarray]:
    """Return derivatives by central differences of fourth order."""
    values = {k: function(k * h) for k in (-2, -1, 1, 2)}
    parts = zip(*(values[k] for k in (-2, -1, 1, 2)), strict=True)
    return [(a - 8 * b + 8 * c - d) / (12 * h) for a, b, c, d in parts]


@pytest.mark.parametrize("name", EVERY)
def test_derivatives_in_the_state(name: str) -> None:
    elastic, state = elastic_of(name), state_of(name)
    forward, rng = elastic.forward_dynamics, np.random.default_rng(9)
    n = len(state[1])
    A, B = elastic.linearize(*state)
    columns = [*np.split(A, 4, axis=1), B]
    for k, entry in enumerate(("q", "v", "theta", "dtheta", "tau")):
        direction = rng.standard_normal(n)

        def moved(h: float, k: int = k, direction: np.ndarray = direction) -> Any:
            return forward(*move(elastic, state, k, direction, h))

        expected = slope_of(moved)
        found = [x @ direction for x in getattr(forward, f"d{entry}")(*state)[-2:]]
        for x, y in zip(found, expected, strict=True):
            assert_close(x, y, 1e-7, floor=1e-3)
        for x, rows in zip(found, (1, 3), strict=True):
            assert_close((columns[k] @ direction)[rows * n : (rows + 1) * n], x, 1e-10, floor=1e-3)
    # velocities: q changes with v, theta with dtheta (of a rigid joint: with v)
    soft = np.isfinite(elastic.argument_defaults["stiffness"])
    assert_close(A[:n, n : 2 * n], np.eye(n))
    assert_close(A[2 * n : 3 * n, n : 2 * n], np.diag(1.0 * ~soft))
    assert_close(A[2 * n : 3 * n, 3 * n :], np.diag(1.0 * soft))
    assert not B[:n].any()
    assert not B[2 * n : 3 * n].any()


@pytest.mark.parametrize("name", ["arm", "closed", "rotors", "cubic"])
def test_derivatives_of_steps(name: str) -> None:
    elastic, state, h = elastic_of(name), state_of(name), 2e-3
    rng, n = np.random.default_rng(10), len(state[1])
    A, B = elastic.linearize(*state, h)
    columns, base = [*np.split(A, 4, axis=1), B], elastic.step(*state, h)
    soft = np.isfinite(elastic.argument_defaults["stiffness"])
    for k in range(5):
        direction = rng.standard_normal(n)

        def moved(x: float, k: int = k, direction: np.ndarray = direction) -> list[np.ndarray]:
            q, *others = elastic.step(*move(elastic, state, k, direction, x), h)
            return [elastic.robot.difference(base[0], q), *others]

        found = np.split(columns[k] @ direction, 4)
        assert k not in (2, 3) or not columns[k][:, ~soft].any()
        for x, y in zip(found, slope_of(moved), strict=True):
            assert_close(x, y, 1e-7, floor=1e-3)


def test_steps_approach_the_continuous_linearization() -> None:
    elastic, state = elastic_of("arm"), state_of("arm")
    (A, B), h = elastic.linearize(*state), 1e-7
    discrete = elastic.linearize(*state, h)
    rigid = ~np.isfinite(elastic.argument_defaults["stiffness"])
    keep = np.ones(12, dtype=bool)
    keep[6:] = ~np.tile(rigid, 2)
    found = (discrete[0] - np.eye(12)) / h
    assert_close(found[np.ix_(keep, keep)], A[np.ix_(keep, keep)], 1e-4)
    assert_close(discrete[1] / h, B, 1e-4)


@pytest.mark.parametrize("h", [None, 2e-3])
def test_regulators_stabilize_links_and_motors(h: float | None) -> None:
    pytest.importorskip("scipy")
    elastic, q, none = links_of("arm").elastic(300.0, 0.2), state_of("arm")[0], np.zeros(3)
    theta, tau = elastic.equilibrium(q)
    state = q, none, theta, none, tau
    gain, _, poles = elastic.lqr(*state, np.full(12, 10.0), 1.0, h)
    assert (poles.real < 0.0).all() if h is None else (np.abs(poles) < 1.0).all()
    now = [x + 0.01 for x in state[:4]]
    for _ in range(2000):
        x = np.concatenate([y - z for y, z in zip(now, state[:4], strict=True)])
        now = elastic.step(*now, tau - gain @ x, 2e-3)
    assert max(np.abs(x - y).max() for x, y in zip(now, state[:4], strict=True)) < 1e-3
    with pytest.raises(ArgumentError, match=r"springs at all joints, found rigid velocities \[2\]"):
        elastic_of("arm").lqr(*state, 1.0, 1.0)


@pytest.mark.parametrize("name", EVERY)
def test_derivatives_in_parameters_and_numbers_of_drives(name: str) -> None:
    """By central differences, with parameters as arguments."""
    elastic, state = elastic_of(name), state_of(name)
    rng, parameters = np.random.default_rng(11), elastic.model.parameters
    direction = 1e-2 * rng.standard_normal(parameters.shape)
    expected = slope_of(
        lambda h: elastic.parametric.forward_dynamics(*state, parameters + h * direction), 1e-3
    )
    for x, y in zip(elastic.forward_dynamics.dpi(*state), expected, strict=True):
        assert_close(x @ direction.ravel(), y, 1e-7, floor=1e-3)
    numbers = dict(elastic.argument_defaults)
    soft = np.isfinite(numbers["stiffness"])
    for number in ("stiffness", "damping", "motor_inertia", "spring_damping"):
        if name == "cubic" and number == "stiffness":
            assert number not in elastic.forward_dynamics.definition.optional
            continue
        value = np.array(numbers[number])
        step = rng.uniform(0.5, 1.0, len(value)) * (soft if number != "damping" else value > 0.0)

        def moved(h: float, number: str = number, value: Any = value, step: Any = step) -> Any:
            return elastic.forward_dynamics(*state, **{number: value + h * step})

        found = getattr(elastic.forward_dynamics, f"d{number}")(*state)
        for x, y in zip(found, slope_of(moved, 1e-3), strict=True):
            assert_close(x @ step, y, 1e-7, floor=1e-3)


def test_reverse_mode_through_steps() -> None:
    elastic, state, rng = elastic_of("arm"), state_of("arm"), np.random.default_rng(12)
    n, h = len(state[1]), 1e-3
    lam = rng.standard_normal((4, n))
    A, B = elastic.linearize(*state, h)
    parts = elastic.step.vjp(*state, h, *lam)
    expected = np.concatenate(lam) @ np.hstack((A, B))
    assert_close(np.concatenate(parts[:5]), expected, 1e-10)


# ------------------------------------------------------------------ springs, arrays, errors


def test_springs_can_be_nonlinear() -> None:
    """A linear law is a stiffness; a cubic one has its force and energy."""
    arm, state = links_of("arm"), state_of("arm")
    linear = Spring(lambda x: 300.0 * x, lambda x: 300.0 + 0.0 * x, lambda x: 0.0 * x)
    law, number = arm.elastic(linear, 0.2), arm.elastic(300.0, 0.2)
    for x, y in zip(law.step(*state, 1e-3), number.step(*state, 1e-3), strict=True):
        assert_close(x, y, 1e-13)
    cubic, (q, v, theta, dtheta, _) = elastic_of("cubic"), state
    x = (theta - q) * [1.0, 0.0, 1.0]
    assert_close(cubic.spring_torques(q, v, theta, dtheta), 300.0 * x + 5e4 * x**3)
    added = cubic.energy(q, v, theta, dtheta) - cubic.energy(q, v, q, dtheta)
    assert_close(added, np.sum(150.0 * x**2 + 1.25e4 * x**4), 1e-10)
    with pytest.raises(AttributeError, match="equilibrium"):
        _ = cubic.equilibrium
    with pytest.raises(ArgumentError, match=r"are compiled; expected \+ - \* / \*\*"):
        arm.elastic(Spring(np.arctan2, np.cos, np.cos), 0.2).step.warmup()


@pytest.mark.parametrize("name", ["walker", "closed", "rotors"])
def test_batches_equal_single_samples(name: str) -> None:
    elastic, state, rng = elastic_of(name), state_of(name), np.random.default_rng(13)
    many = [np.broadcast_to(x, (5, *x.shape)) for x in state[:1]]
    many += [x + 0.1 * rng.standard_normal((5, len(x))) for x in state[1:]]
    for function, further in ((elastic.forward_dynamics, ()), (elastic.step, (1e-3,))):
        both = function(*many, *further)
        for k in range(5):
            for x, y in zip(both, function(*(z[k] for z in many), *further), strict=True):
                assert_close(x[k], y, 1e-12)


def test_single_precision_stays() -> None:
    elastic, state = elastic_of("arm"), state_of("arm")
    single = [x.astype(np.float32) for x in state]
    for x, y in zip(
        elastic.forward_dynamics(*single), elastic.forward_dynamics(*state), strict=True
    ):
        assert x.dtype == np.float32
        assert_close(x, y, 1e-4)
    path = elastic.rollout(*single[:4], np.tile(single[4], (3, 1)), np.float32(1e-3))
    assert {x.dtype for x in path} == {np.dtype(np.float32)}


def test_frameworks_differentiate_steps() -> None:
    """JAX through a compiled function, PyTorch backwards."""
    jax, torch = pytest.importorskip("jax"), pytest.importorskip("torch")
    elastic, state = elastic_of("arm"), state_of("arm")
    lam = np.random.default_rng(14).standard_normal((4, 3))
    expected = elastic.step.vjp(*state, 1e-3, *lam)[:5]
    with jax.enable_x64(True):

        def cost(*inputs: Any) -> Any:
            return sum((x * y).sum() for x, y in zip(elastic.step(*inputs, 1e-3), lam, strict=True))

        found = jax.jit(jax.grad(cost, argnums=range(5)))(*map(jax.numpy.asarray, state))
    tensors = [torch.tensor(x, requires_grad=True) for x in state]
    results = elastic.step(*tensors, 1e-3)
    sum((x * torch.tensor(y)).sum() for x, y in zip(results, lam, strict=True)).backward()
    for x, y, z in zip(found, tensors, expected, strict=True):
        assert_close(x, z, 1e-12)
        assert_close(y.grad, z, 1e-12)


def test_copies_and_text() -> None:
    elastic, state = elastic_of("rotors"), state_of("rotors")
    copy = pickle.loads(pickle.dumps(elastic))
    assert copy.content_hash == elastic.content_hash
    assert copy.content_hash != elastic_of("arm").content_hash
    for x, y in zip(copy.step(*state, 1e-3), elastic.step(*state, 1e-3), strict=True):
        assert_close(x, y, 0.0)
    assert repr(elastic) == "<robot 'rotors.elastic(...)': 2 of 3 velocities with springs>"


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda r: r.elastic(300.0), ArgumentError, "motor_inertia of joint 'one_joint'.*> 0"),
        (lambda r: r.elastic(-1.0, 1.0), ArgumentError, "stiffness of joint 'one_joint' must be"),
        (lambda r: r.elastic([1.0, 2.0], 1.0), ArgumentError, r"stiffness must have shape \(3,\)"),
        (lambda r: r.elastic(np.ones((4, 3)), 1.0), ArgumentError, "batches are arguments"),
        (lambda r: r.elastic([1.0, 1.0, np.inf], 1.0, spring_damping=[0, 0, 1.0]), ArgumentError,
         "spring_damping of joint 'three_joint', which is rigid, must be 0"),
        (lambda r: r.elastic(9.0, 1.0, rotors=["one"]), ModelError, "bodies that follow"),
    ],
)  # fmt: skip
def test_invalid_drives_are_explained(make: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        make(links_of("arm"))


@pytest.mark.parametrize(
    ("name", "quantity", "message"),
    [
        ("cubic", "equilibrium", "nonlinear; use robot.elastic_inverse_dynamics"),
        ("cubic", "inverse_dynamics", "nonlinear; use robot.elastic_inverse_dynamics"),
        ("rotors", "inverse_dynamics", "beyond the snap"),
        ("arm", "inverse_dynamics", "elastic_trajectory"),
    ],
)
def test_missing_quantities_are_explained(name: str, quantity: str, message: str) -> None:
    with pytest.raises(AttributeError, match=message):
        getattr(elastic_of(name), quantity)


def test_equilibria_of_nonlinear_springs() -> None:
    elastic, robot = elastic_of("cubic"), links_of("cubic")
    q, rest = state_of("cubic")[0], np.zeros(robot.nv)
    motors = robot.elastic_inverse_dynamics(q, rest, rest, rest, rest, elastic.choice[0])
    theta, tau = motors.motor_position, motors.motor_torque
    for acceleration in elastic.forward_dynamics(q, rest, theta, rest, tau):
        assert np.abs(acceleration).max() < 1e-10
