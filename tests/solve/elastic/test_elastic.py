"""Elastic joints: the model's equations hold, limits and special cases, helpful errors."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.solve.elastic import ElasticMotion, elastic_inverse_dynamics, elastic_trajectory
from support.helpers import assert_close


@pytest.fixture(scope="module")
def arm() -> Iterator[jounce.Robot]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jounce.ModelWarning)
        yield jounce.load("iiwa14_mueller_kumar2021")


@pytest.fixture(scope="module")
def walker() -> jounce.Robot:
    """A free trunk with a two-axis hip, a telescopic leg and two fingers that move as one."""
    solid: dict[str, Any] = {"mass": 1.5, "inertia_com": np.diag((0.02, 0.03, 0.04))}
    builder = jounce.TreeBuilder("walker")
    builder.add("trunk", "free", joint_name="base", **solid)
    builder.add("hip", "universal", "trunk", axis=(1, 0, 0), axis2=(0, 1, 0), **solid)
    builder.add("leg", "prismatic", "hip", xyz=(0, 0.1, -0.3), axis=(0, 0, 1), **solid)
    builder.add("thumb", "revolute", "trunk", xyz=(0.2, 0, 0.1), com=(0.1, 0, 0.1), **solid)
    builder.add(
        "finger",
        "revolute",
        "trunk",
        xyz=(0.2, 0.1, 0.1),
        axis=(0, 1, 0),
        com=(0.1, 0.05, 0.1),
        mimic=("thumb_joint", -0.5, 0.2),
        **solid,
    )
    return jounce.Robot(builder.build())


def pendulum(armature: float = 0.0) -> jounce.Robot:
    """2 kg on a rod of 0.5 m about y: tau = I a + m g l sin q."""
    builder = jounce.TreeBuilder("pendulum")
    builder.add(
        "rod",
        "revolute",
        axis=(0, 1, 0),
        mass=2.0,
        com=(0, 0, -0.5),
        inertia_com=np.diag((0.01, 0.01, 0.001)),
        armature=armature,
    )
    return jounce.Robot(builder.build())


def states(robot: jounce.Robot, n: int, seed: int = 0) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    return (robot.random(rng, n), *rng.standard_normal((4, n, robot.nv)))


def cosines(t: np.ndarray, n: int) -> tuple[np.ndarray, ...]:
    """q, v, a, j, s (..., n) of cosines with different amplitudes and frequencies."""
    amp, w = np.linspace(0.4, 0.9, n), np.linspace(1.0, 2.5, n)
    turns = w * np.asarray(t)[..., None]
    return tuple(amp * w**k * np.cos(turns + k * np.pi / 2) for k in range(5))


# ------------------------------------------------------------------ pointwise


def test_pendulum_in_closed_form():
    inertia, weight = 0.01 + 2.0 * 0.25, 2.0 * 9.81 * 0.5
    q, v, a, j, s = states(pendulum(), 50)
    K, d, J = 300.0, 0.7, 0.2
    tau = inertia * a + weight * np.sin(q)
    rate = inertia * j + weight * np.cos(q) * v
    second = inertia * s + weight * (np.cos(q) * a - np.sin(q) * v**2)
    found = elastic_inverse_dynamics(pendulum(), q, v, a, j, s, K, damping=d, motor_inertia=J)
    assert_close(found.link_torque, tau)
    assert_close(found.motor_position, q + tau / K)
    assert_close(found.motor_velocity, v + rate / K)
    assert_close(found.motor_acceleration, a + second / K)
    torque = J * (a + second / K) + d * (v + rate / K) + tau
    assert_close(found.motor_torque, torque)


def test_motor_and_spring_equations_hold(arm):
    q, v, a, j, s = states(arm, 40)
    rng = np.random.default_rng(1)
    K, d, J = rng.uniform(2e3, 2e4, 7), rng.uniform(0.0, 20.0, 7), rng.uniform(0.1, 3.0, 7)
    found = elastic_inverse_dynamics(arm, q, v, a, j, s, K, damping=d, motor_inertia=J)
    theta, dtheta, ddtheta, motor, link = found
    assert_close(link, arm.inverse_dynamics(q, v, a))
    # the difference of two positions loses digits in proportion to position / deflection
    assert_close(K * (theta - q), link, 1e-10)
    assert_close(J * ddtheta + d * dtheta + link, motor)
    links, rates, seconds = arm.inverse_dynamics.rates(2)(q, v, a, j, s)
    assert_close(dtheta, v + rates / K)
    assert_close(ddtheta, a + seconds / K)
    assert np.array_equal(links, link)


def test_motor_velocity_and_acceleration_are_derivatives(arm):
    h, t = 1e-3, 0.3 + 1e-3 * np.arange(-4, 5)
    found = elastic_inverse_dynamics(arm, *cosines(t, 7), 5e3)
    weights = np.array((1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280)) / h
    # differences of order 8: rounding over h is what limits them
    assert_close(weights @ found.motor_position, found.motor_velocity[4], 1e-11)
    assert_close(weights @ found.motor_velocity, found.motor_acceleration[4], 1e-11)


def test_rigid_joints_and_the_rigid_limit(arm):
    q, v, a, j, s = states(arm, 5)
    J, d = np.linspace(0.1, 1.0, 7), np.linspace(1.0, 2.0, 7)
    rigid = elastic_inverse_dynamics(arm, q, v, a, j, s, np.inf, damping=d, motor_inertia=J)
    assert np.array_equal(rigid.motor_position, q)
    assert np.array_equal(rigid.motor_velocity, v)
    assert np.array_equal(rigid.motor_acceleration, a)
    torque = arm.inverse_dynamics(q, v, a) + J * a + d * v
    assert_close(rigid.motor_torque, torque)
    stiff = elastic_inverse_dynamics(arm, q, v, a, j, s, 1e13, damping=d, motor_inertia=J)
    assert_close(stiff.motor_torque, torque, 1e-9)
    mixed = np.array((np.inf, 1e4, np.inf, 1e4, 1e4, 1e4, 1e4))
    found = elastic_inverse_dynamics(arm, q, v, a, j, s, mixed)
    assert np.array_equal(found.motor_position[:, (0, 2)], q[:, (0, 2)])
    assert np.array_equal(found.motor_torque, found.link_torque)  # massless motors


def test_armature_is_the_rigid_joints_motor_inertia():
    state = states(pendulum(), 5)
    geared = pendulum(armature=0.3).inverse_dynamics(*state[:3])
    rigid = elastic_inverse_dynamics(pendulum(), *state, np.inf, motor_inertia=0.3)
    assert_close(rigid.motor_torque, geared)


def test_leading_axes_broadcast_and_float32_stays(arm):
    q, v, a, j, s = states(arm, 6)
    found = elastic_inverse_dynamics(arm, q[:, None], v, a, j, s[0], 1e4, motor_inertia=0.5)
    assert all(x.shape == (6, 6, 7) for x in found)
    one = elastic_inverse_dynamics(arm, q[2], v[4], a[4], j[4], s[0], 1e4, motor_inertia=0.5)
    for some, single in zip(found, one, strict=True):
        assert_close(some[2, 4], single)
    single = [x.astype(np.float32) for x in (q, v, a, j, s)]
    low = elastic_inverse_dynamics(arm, *single, 1e4, motor_inertia=0.5)
    assert all(x.dtype == np.float32 for x in low)
    high = elastic_inverse_dynamics(arm, q, v, a, j, s, 1e4, motor_inertia=0.5)
    assert_close(low.motor_torque, high.motor_torque, 1e-5)


def test_wrenches_change_the_torque_and_its_rates(arm):
    state = states(arm, 4)
    rng = np.random.default_rng(3)
    w = dict(
        zip(("wrenches", "dwrenches", "ddwrenches"), rng.normal(size=(3, 4, 7, 6)), strict=True)
    )
    found = elastic_inverse_dynamics(arm, *state, 1e4, motor_inertia=0.5, **w)
    tau, rate, second = arm.inverse_dynamics.rates(2)(*state, **w)
    assert_close(found.motor_velocity, state[1] + rate / 1e4)
    assert_close(found.motor_torque, tau + 0.5 * (state[2] + second / 1e4))


def test_free_base_and_mimics(walker):
    q, v, a, j, s = states(walker, 6)
    found = elastic_inverse_dynamics(walker, q, v, a, j, s, 2e3, motor_inertia=0.1, damping=0.5)
    assert walker.nv == 10
    assert np.isnan(found.motor_position[:, :6]).all()
    tau = walker.inverse_dynamics(q, v, a)
    assert_close(found.motor_position[:, 6:], q[:, 7:] + tau[:, 6:] / 2e3)
    assert np.array_equal(found.motor_velocity[:, :6], v[:, :6])
    assert np.array_equal(found.motor_acceleration[:, :6], a[:, :6])
    assert_close(found.motor_torque[:, :6], tau[:, :6])
    vectors = np.r_[np.full(6, np.inf), np.full(4, 2e3)], np.r_[np.zeros(6), np.full(4, 0.1)]
    again = elastic_inverse_dynamics(
        walker, q, v, a, j, s, vectors[0], motor_inertia=vectors[1], damping=5 * vectors[1]
    )
    for one, other in zip(found, again, strict=True):
        np.testing.assert_array_equal(one, other)


# ------------------------------------------------------------------ damped springs


def test_without_spring_damping_the_trajectory_is_pointwise(arm):
    t = np.linspace(0.0, 1.0, 20)
    state = cosines(t, 7)
    expected = elastic_inverse_dynamics(arm, *state, 1e4, motor_inertia=0.5, damping=2.0)
    found = elastic_trajectory(arm, t, *state, 1e4, 0.0, motor_inertia=0.5, damping=2.0)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_all_three_equations_hold_with_damped_springs(arm):
    t = np.sort(np.random.default_rng(0).uniform(0.0, 2.0, 60))
    state = cosines(t, 7)
    q, v = state[:2]
    K, D = np.linspace(2e3, 2e4, 7), np.array((0.0, 2.0, 20.0, 2e2, 2e3, 2e4, 0.0))
    K[6] = np.inf
    found = elastic_trajectory(arm, t, *state, K, D, damping=2.0, motor_inertia=0.5)
    theta, dtheta, ddtheta, motor, link = found
    elastic = slice(0, 6)
    spring = K[elastic] * (theta - q)[:, elastic] + (D * (dtheta - v))[:, elastic]
    assert_close(spring, link[:, elastic], 1e-10)  # a difference of positions: see above
    assert np.array_equal(theta[:, 6], q[:, 6])
    assert_close(0.5 * ddtheta + 2.0 * dtheta + link, motor)


@pytest.mark.parametrize("ratio", [1e-4, 1e-2, 1.0, 1e3])
def test_deflection_against_the_convolution(arm, ratio):
    """x(T) = exp(-T/r) x0 + integral of exp(-(T - t)/r) tau(t) / D, r = D / K, by quadrature."""
    K, end, start = 5e3, 1.5, 1e-3
    D = ratio * K
    t = np.linspace(0.0, end, 301)
    state = cosines(t, 7)
    found = elastic_trajectory(arm, t, *state, K, D, deflection=np.full(7, start))
    assert_close(found.motor_position[0] - state[0][0], np.full(7, start))
    span = min(end, 40.0 * ratio)  # what is older has decayed
    nodes, weights = np.polynomial.legendre.leggauss(80)
    at = end - span * (1.0 - nodes) / 2.0
    tau = arm.inverse_dynamics(*cosines(at, 7)[:3])
    expected = (span / 2.0 * weights * np.exp(-(end - at) / ratio)) @ tau / D
    expected += start * np.exp(-end / ratio)
    assert_close(found.motor_position[-1] - state[0][-1], expected, 1e-9)  # the quintic's error


def test_rates_of_the_damped_motor_are_derivatives(arm):
    h, t = 1e-3, 1e-3 * np.arange(400)
    found = elastic_trajectory(arm, t, *cosines(t, 7), 5e3, 50.0)
    weights = np.array((1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280)) / h
    window = slice(296, 305)
    assert_close(weights @ found.motor_position[window], found.motor_velocity[300], 1e-10)
    assert_close(weights @ found.motor_velocity[window], found.motor_acceleration[300], 1e-10)


def test_default_start_has_no_transient(arm):
    """The same motion started earlier gives the same deflection, up to the series' next term."""
    late, early = np.linspace(0.0, 1.0, 101), np.linspace(-1.0, 1.0, 201)
    K, D = 1e4, 20.0
    a = elastic_trajectory(arm, late, *cosines(late, 7), K, D)
    b = elastic_trajectory(arm, early, *cosines(early, 7), K, D)
    slow = np.abs(a.motor_position[0] - b.motor_position[100]).max()
    pointwise = elastic_inverse_dynamics(arm, *cosines(late, 7), K)
    assert slow < 1e-4 * np.abs(pointwise.motor_position[0] - b.motor_position[100]).max()


def test_batches_of_trajectories(walker):
    t = np.linspace(0.0, 0.5, 30)
    rng = np.random.default_rng(0)
    q = walker.random(rng, 60).reshape(2, 30, walker.nq)
    rest = rng.standard_normal((4, 2, 30, walker.nv))
    found = elastic_trajectory(walker, t, q, *rest, 3e3, 5.0, motor_inertia=0.2)
    one = elastic_trajectory(walker, t, q[1], *rest[:, 1], 3e3, 5.0, motor_inertia=0.2)
    assert found.motor_torque.shape == (2, 30, walker.nv)
    for many, single in zip(found, one, strict=True):
        np.testing.assert_allclose(many[1], single, rtol=1e-12, atol=1e-12)


# ------------------------------------------------------------------ bad input

NV = 10
GOOD = {"stiffness": np.r_[np.full(6, np.inf), np.full(4, 1e3)]}


def put(index: int, value: float, rest: float, base: float) -> np.ndarray:
    out = np.r_[np.full(6, base), np.full(4, rest)]
    out[index] = value
    return out


BAD = {
    "zero": ({"stiffness": put(7, 0.0, 1e3, np.inf)}, "stiffness of joint 'hip_joint' must be > 0"),
    "minus": (
        {"stiffness": put(9, -1.0, 1e3, np.inf)},
        "'thumb_joint' must be > 0.*-1.0 at index 9",
    ),
    "nan": ({"stiffness": put(8, np.nan, 1e3, np.inf)}, "'leg_joint' must be > 0.*found nan"),
    "base": (
        {"stiffness": np.full(NV, 1e3)},
        "'base', which has no drive .it is free., must be inf",
    ),
    "shape": (
        {"stiffness": np.ones(4)},
        r"stiffness must have shape \(10,\) .* found shape \(4,\)",
    ),
    "inertia": (
        {"motor_inertia": -0.1},
        "motor_inertia of joint 'hip_joint' must be finite and >=",
    ),
    "base inertia": ({"motor_inertia": np.ones(NV)}, "motor_inertia of joint 'base'.*must be 0.0"),
    "damping": ({"damping": np.inf}, "damping of joint 'hip_joint' must be finite"),
    "base damping": ({"damping": put(0, 1.0, 0.0, 0.0)}, "damping of joint 'base', which has no"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_drives_name_the_joint(walker, case):
    change, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        elastic_inverse_dynamics(walker, *states(walker, 2), **{**GOOD, **change})


def test_bad_states_and_names(arm):
    q, v, a, j, s = states(arm, 2)
    with pytest.raises(ValueError, match="argument 'j' must have shape"):
        elastic_inverse_dynamics(arm, q, v, a, j[:, :6], s, 1e4)
    with pytest.raises(TypeError, match=r"takes no 'wrench'; did you mean 'wrenches'\?"):
        elastic_inverse_dynamics(arm, q, v, a, j, s, 1e4, wrench=np.zeros((7, 6)))


def test_bad_trajectories(arm):
    t = np.linspace(0.0, 1.0, 5)
    state = cosines(t, 7)
    with pytest.raises(ValueError, match=r"t must increase: t\[1\] = 1.0, t\[2\] = 0.5"):
        elastic_trajectory(arm, [0.0, 1.0, 0.5, 2.0, 3.0], *state, 1e4, 1.0)
    with pytest.raises(ValueError, match=r"t must be finite instants of shape \(n,\)"):
        elastic_trajectory(arm, np.nan, *state, 1e4, 1.0)
    with pytest.raises(ValueError, match=r"'q' must have shape \(..., 4, 7\), one row for each"):
        elastic_trajectory(arm, t[:4], *state, 1e4, 1.0)
    with pytest.raises(ValueError, match=r"'deflection' must have shape \(7\)"):
        elastic_trajectory(arm, t, *state, 1e4, 1.0, deflection=np.zeros(3))
    rigid = np.array((np.inf, *np.full(6, 1e4)))
    with pytest.raises(ValueError, match="spring_damping of joint 'joint1', which is rigid"):
        elastic_trajectory(arm, t, *state, rigid, np.ones(7))


def test_masks_and_text_are_refused(arm):
    t = np.linspace(0.0, 1.0, 5)
    good = {"t": t, "stiffness": np.full(7, 1e4), "spring_damping": np.ones(7)}
    good |= {"deflection": np.zeros(7)}
    motion = dict(zip("qvajs", cosines(t, 7), strict=True))
    for name, x in good.items():
        masked = np.ma.array(x, mask=np.arange(len(x)) == 1)
        with pytest.raises(TypeError, match=f"{name} .* has 1 of its {len(x)} numbers masked"):
            elastic_trajectory(arm, **motion, **{**good, name: masked})
        with pytest.raises(TypeError, match=f"{name} must be real .*, found '"):
            elastic_trajectory(arm, **motion, **{**good, name: "stiff"})


def test_the_state_decides_the_precision(arm):
    single = [x.astype(np.float32) for x in states(arm, 2)]
    found = elastic_inverse_dynamics(arm, *single, np.full(7, 1e4), damping=np.ones(7))
    assert all(x.dtype == np.float32 for x in found)


def test_names_of_the_result():
    names = ("position", "velocity", "acceleration", "torque")
    assert ElasticMotion._fields == (*(f"motor_{name}" for name in names), "link_torque")
