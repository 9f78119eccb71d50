"""Elastic drives whose stiffness changes, whose springs are nonlinear, or that move mechanisms."""

from __future__ import annotations

import pickle
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

import jounce
from jounce.solve.elastic import ElasticMotion, Spring, elastic_trajectory
from solve.elastic.test_elastic import arm, cosines, pendulum, states, walker
from support.helpers import assert_close

__all__ = ["arm", "walker"]  # fixtures

#: 2 kg on a rod of 0.5 m, and its motor.
INERTIA, WEIGHT, J, D = 0.01 + 2.0 * 0.25, 2.0 * 9.81 * 0.5, 0.2, 0.7


def swing(t: Any) -> Any:
    """An analytic motion."""
    return mpmath.mpf("0.7") * mpmath.sin(2 * t) + mpmath.cos(3 * t) / 5


def swing_torque(t: Any) -> Any:
    """What the rod takes to swing, gravity being what the reader's builder has."""
    return mpmath.mpf(INERTIA) * mpmath.diff(swing, t, 2) + mpmath.mpf(WEIGHT) * mpmath.sin(
        swing(t)
    )


def swing_state(t: float) -> list[np.ndarray]:
    return [np.array([float(mpmath.diff(swing, t, k))]) for k in range(5)]


def expected(theta: Callable[[Any], Any], t: float) -> ElasticMotion:
    """The motor's motion and torque by 50-digit differences of its position."""
    x, dx, ddx = (mpmath.diff(theta, t, k) for k in range(3))
    tau = swing_torque(t)
    motor = mpmath.mpf(J) * ddx + mpmath.mpf(D) * dx + tau
    return ElasticMotion(*(np.array([float(y)]) for y in (x, dx, ddx, motor, tau)))


# ------------------------------------------------------------------ stiffness that changes


@pytest.mark.parametrize("t", [0.0, 0.4, 1.3])
def test_variable_stiffness_against_mpmath(t: float) -> None:
    with mpmath.workdps(50):

        def K(at: Any) -> Any:
            return 300 + 120 * mpmath.sin(4 * at) + 40 * at**2

        wanted = expected(lambda at: swing(at) + swing_torque(at) / K(at), t)
        state, rates = swing_state(t), [float(mpmath.diff(K, t, k)) for k in range(3)]
    numbers = dict(zip(("stiffness", "dstiffness", "ddstiffness"), rates, strict=True))
    found = pendulum().elastic_inverse_dynamics(*state, **numbers, damping=D, motor_inertia=J)
    for one, other in zip(found, wanted, strict=True):
        assert_close(one, other)


def test_all_three_equations_hold_with_variable_stiffness(arm) -> None:
    rng = np.random.default_rng(2)
    state = states(arm, 9)
    K, dK, ddK = rng.uniform(1e3, 1e4, (9, 7)), *rng.normal(0.0, 3e3, (2, 9, 7))
    inertia, friction = rng.uniform(0.1, 1.0, (2, 9, 7))
    found = arm.elastic_inverse_dynamics(
        *state, K, dstiffness=dK, ddstiffness=ddK, damping=friction, motor_inertia=inertia
    )
    tau, rate, second = arm.inverse_dynamics.rates(2)(*state)
    x, dx, ddx = tau / K, found.motor_velocity - state[1], found.motor_acceleration - state[2]
    assert_close(found.motor_position, state[0] + x)
    assert_close(K * dx + dK * x, rate, 1e-10)  # differences of motions: see test_elastic
    assert_close(K * ddx + 2 * dK * dx + ddK * x, second, 1e-10)
    torque = inertia * found.motor_acceleration + friction * found.motor_velocity + tau
    assert_close(found.motor_torque, torque)


def test_drives_broadcast_against_the_state(arm) -> None:
    state = states(arm, 3)
    K = np.linspace(1e3, 9e3, 35).reshape(5, 1, 7)
    many = arm.elastic_inverse_dynamics(*state, K, motor_inertia=0.5, dstiffness=K / 3)
    assert all(x.shape == (5, 3, 7) for x in many)
    for i in range(5):
        for k in range(3):
            single = [x[k] for x in state]
            one = arm.elastic_inverse_dynamics(
                *single, K[i, 0], motor_inertia=0.5, dstiffness=K[i, 0] / 3
            )
            for some, alone in zip(many, one, strict=True):
                assert_close(some[i, k], alone)
    narrow = [x.astype(np.float32) for x in state]
    low = arm.elastic_inverse_dynamics(*narrow, K.tolist(), motor_inertia=0.5, dstiffness=K / 3)
    assert all(x.dtype == np.float32 for x in low)
    assert_close(low.motor_torque, many.motor_torque, 1e-4)  # single precision


def test_calls_by_name_and_into_arrays(arm) -> None:
    state = dict(zip("qvajs", (x[0] for x in states(arm, 1)), strict=True))
    K, J = np.full(7, 5e3), np.linspace(0.1, 1.0, 7)
    wanted = arm.elastic_inverse_dynamics(*state.values(), K, motor_inertia=J)
    assert isinstance(wanted, ElasticMotion)
    out = tuple(np.empty(7) for _ in range(5))
    found = arm.elastic_inverse_dynamics(**state, stiffness=K, motor_inertia=J, out=out)
    assert all(one is place for one, place in zip(found, out, strict=True))
    for one, other in zip(found, wanted, strict=True):
        assert_close(one, other)
    again = pickle.loads(pickle.dumps(arm.elastic_inverse_dynamics))
    assert_close(again(**state, stiffness=K, motor_inertia=J).motor_torque, wanted.motor_torque)


def test_numbers_that_were_right_are_looked_at_again(arm) -> None:
    """Arrays are known by what is in them, not by who they are."""
    state = [x[0] for x in states(arm, 1)]
    K = np.full(7, 5e3)
    first = arm.elastic_inverse_dynamics(*state, K, damping=K)
    K[2] = -1.0
    for drives in ({"stiffness": K}, {"stiffness": 5e3, "damping": K}):
        with pytest.raises(jounce.ArgumentError, match=r"joint3' must be .*found -1.0 at index 2"):
            arm.elastic_inverse_dynamics(*state, **drives)
    K[2] = 5e3
    again = arm.elastic_inverse_dynamics(*state, K, damping=K)
    assert np.array_equal(first.motor_torque, again.motor_torque)


BAD_RATES = {
    "infinite": (np.inf, "dstiffness of joint 'hip_joint' must be finite, found inf at index 6"),
    "base": (np.ones(10), r"dstiffness of joint 'base', which has no drive .*must be 0.0; found 1"),
    "shape": (np.ones((3, 4)), r"dstiffness must have shape \(10,\) or be a number"),
}


@pytest.mark.parametrize("case", BAD_RATES)
def test_bad_rates_name_the_joint(walker, case: str) -> None:
    value, message = BAD_RATES[case]
    with pytest.raises(jounce.ArgumentError, match=message):
        walker.elastic_inverse_dynamics(*states(walker, 2), 1e3, dstiffness=value)


def test_bad_numbers_in_a_batch_name_the_sample(arm) -> None:
    K = np.full((4, 7), 1e3)
    K[2, 5] = np.nan
    with pytest.raises(jounce.ArgumentError, match=r"joint6' must be > 0 .*nan at index \(2, 5\)"):
        arm.elastic_inverse_dynamics(*states(arm, 4), K)


def test_one_kernel_costs_little_more_than_its_forces(arm, walker) -> None:
    for robot in (arm, walker):
        links = robot.inverse_dynamics.rates(2).lower().operations
        assert robot.elastic_inverse_dynamics.lower().operations <= links + 20 * robot.nv


# ------------------------------------------------------------------ springs by their law


def cubic(k: float = 300.0, h: float = 4e4, **more: Any) -> Spring:
    """A spring that hardens: tau = k x + h x^3."""
    return Spring(
        lambda x: k * x + h * x**3, lambda x: k + 3 * h * x**2, lambda x: 6 * h * x, **more
    )


@pytest.mark.parametrize("t", [0.0, 0.4, 1.3])
def test_a_hardening_spring_against_mpmath(t: float) -> None:
    with mpmath.workdps(50):

        def theta(at: Any) -> Any:
            tau = swing_torque(at)
            x = mpmath.findroot(lambda y: 300 * y + 40000 * y**3 - tau, tau / 400, tol=1e-90)
            return swing(at) + x

        wanted, state = expected(theta, t), swing_state(t)
    found = pendulum().elastic_inverse_dynamics(*state, cubic(), damping=D, motor_inertia=J)
    for one, other in zip(found, wanted, strict=True):
        assert_close(one, other)


LAWS = {
    "hardening": cubic(10.0, 1e7),
    "softening": Spring(
        np.arcsinh, lambda x: (1 + x**2) ** -0.5, lambda x: -x * (1 + x**2) ** -1.5
    ),
    "exponential, loaded at rest": Spring(
        lambda x: 5 * np.exp(x) - 9, *(lambda x: 5 * np.exp(x),) * 2
    ),
    "with an end": Spring(  # at a deflection of 0.1, beyond which the formula means nothing
        lambda x: 9 * x / (1 - (x / 0.1) ** 2),
        lambda x: 9 * (1 + (x / 0.1) ** 2) / (1 - (x / 0.1) ** 2) ** 2,
        lambda x: 18 * x / 0.01 * (3 + (x / 0.1) ** 2) / (1 - (x / 0.1) ** 2) ** 3,
    ),
    "that is no number beyond": Spring(
        lambda x: -np.log(0.5 - x), lambda x: 1 / (0.5 - x), lambda x: (0.5 - x) ** -2.0
    ),
}


@pytest.mark.parametrize("name", LAWS)
def test_springs_are_found_where_they_are(name: str) -> None:
    """At any torque the law reaches, from tiny to large, and its rates follow the chain rule."""
    spring, rod = LAWS[name], pendulum()
    tau = np.concatenate((-np.geomspace(8.0, 1e-9, 40), [0.0], np.geomspace(1e-9, 25.0, 40)))[
        :, None
    ]
    if "loaded" in name:
        tau = tau[tau[:, 0] > -8.9]
    drives = rod.elastic_inverse_dynamics.drives
    x, dx, ddx = spring.deflection(drives, (tau, 2.0 * tau, 3.0 + tau), "rod")
    scale = np.abs(tau) + np.abs(spring.force(np.zeros(1))) + np.abs(spring.slope(x) * x)
    assert np.all(np.abs(spring.force(x) - tau) <= 1e-14 * scale)
    assert_close(spring.slope(x) * dx, 2.0 * tau)
    assert_close(spring.slope(x) * ddx + spring.curvature(x) * dx**2, 3.0 + tau)


def test_a_linear_law_is_a_stiffness(arm) -> None:
    state, K = states(arm, 6), np.linspace(1e3, 5e3, 7)
    linear = Spring(lambda x: K * x, lambda x: K + 0 * x, lambda x: 0 * x)
    for given in (state, [x[0] for x in state], [x.astype(np.float32) for x in state]):
        wanted = arm.elastic_inverse_dynamics(*given, K, damping=2.0, motor_inertia=0.4)
        found = arm.elastic_inverse_dynamics(*given, linear, damping=2.0, motor_inertia=0.4)
        single = given[0].dtype == np.float32
        for one, other in zip(found, wanted, strict=True):
            assert one.dtype == other.dtype
            assert_close(one, other, 1e-5 if single else 1e-12)
    t = np.linspace(0.0, 1.0, 5)
    wanted = elastic_trajectory(arm, t, *cosines(t, 7), K, 0.0)
    found = elastic_trajectory(arm, t, *cosines(t, 7), linear, 0.0)
    assert_close(found.motor_torque, wanted.motor_torque)


def test_springs_of_some_joints(walker) -> None:
    """Those of a free trunk have no drive, the others are rigid."""
    state = states(walker, 4)
    spring = cubic(joints=("thumb_joint", "hip_joint"))
    found = walker.elastic_inverse_dynamics(*state, spring, motor_inertia=0.1)
    q, tau = state[0], walker.inverse_dynamics(*state[:3])
    assert np.isnan(found.motor_position[:, :6]).all()
    assert np.array_equal(found.motor_position[:, 8], q[:, 9])
    for i in (6, 7, 9):
        x = found.motor_position[:, i] - q[:, i + 1]
        assert_close(spring.force(x), tau[:, i], 1e-10)  # a difference of positions


NOT_LAWS = {
    "falls": (lambda x: -x, lambda x: -1 + 0 * x, "does not reach the force .* must rise"),
    "saturates": (np.tanh, lambda x: 1 - np.tanh(x) ** 2, "of joint 'rod_joint' does not reach"),
    "flat": (lambda x: x**3, lambda x: 0 * x, "slope must be > 0, found 0 at deflection"),
    "shape": (lambda x: x[..., 0], np.ones_like, r"force must return an array of the shape"),
    "number": (lambda x: x / 0.0, np.ones_like, "force must be finite, found nan at deflection 0"),
}


@pytest.mark.parametrize("name", NOT_LAWS)
def test_what_is_no_law_is_refused(name: str) -> None:
    force, slope, message = NOT_LAWS[name]
    state = [np.array([x]) for x in (1.0, 0.0, 5.0, 0.0, 0.0)]
    with pytest.raises(jounce.ArgumentError, match=message):
        pendulum().elastic_inverse_dynamics(*state, Spring(force, slope, np.zeros_like))


def test_what_springs_cannot_have_is_refused(arm) -> None:
    t = np.linspace(0.0, 1.0, 5)
    state = cosines(t, 7)
    with pytest.raises(jounce.ArgumentError, match="a Spring does not change in time"):
        arm.elastic_inverse_dynamics(*state, cubic(), dstiffness=1.0)
    with pytest.raises(
        jounce.ArgumentError, match="joint 'elbow' has no drive; choose one of joint1"
    ):
        arm.elastic_inverse_dynamics(*state, cubic(joints=("elbow",)))
    with pytest.raises(jounce.ArgumentError, match="named twice"):
        arm.elastic_inverse_dynamics(*state, cubic(joints=("joint1", "joint1")))
    varying = {"stiffness": 1e4 + np.arange(5.0)[:, None] * np.ones(7), "dstiffness": 4.0}
    for given in ({"stiffness": cubic()}, varying):
        with pytest.raises(jounce.ArgumentError, match="zero if the stiffness changes"):
            elastic_trajectory(arm, t, *state, **given, spring_damping=1.0)


# ------------------------------------------------------------------ mechanisms and other forms


@pytest.fixture(scope="module")
def five_bar() -> Any:
    return jounce.load("five_bar").closed()


def test_motors_of_a_mechanism(five_bar) -> None:
    rng = np.random.default_rng(4)
    q, rest = five_bar.random(rng, 5), rng.normal(size=(4, 5, 2))
    forces = {"joint_forces": rng.normal(size=(5, 4)), "djoint_forces": rng.normal(size=(5, 4))}
    K, dK, inertia = np.array((800.0, 1200.0)), np.array((30.0, -50.0)), np.array((0.2, 0.1))
    found = five_bar.elastic_inverse_dynamics(
        q, *rest, K, dstiffness=dK, motor_inertia=inertia, damping=0.3, **forces
    )
    tau, rate, second = five_bar.inverse_dynamics.rates(2)(q, *rest, **forces)
    x = tau / K
    dx = (rate - dK * x) / K
    ddx = (second - 2 * dK * dx) / K
    places = [five_bar.robot.joints[name].q.start for name in five_bar.independent_names]
    assert_close(found.link_torque, tau)
    assert_close(found.motor_position, q[:, places] + x)
    assert_close(found.motor_velocity, rest[0] + dx)
    assert_close(found.motor_acceleration, rest[1] + ddx)
    torque = inertia * (rest[1] + ddx) + 0.3 * (rest[0] + dx) + tau
    assert_close(found.motor_torque, torque)
    one = five_bar.elastic_inverse_dynamics(q[0], *rest[:, 0], cubic())
    assert_close(cubic().force(one.motor_position - q[0, places]), one.link_torque, 1e-10)
    with pytest.raises(jounce.ArgumentError, match=r"closed\(\): stiffness of joint 'joint4' must"):
        five_bar.elastic_inverse_dynamics(q, *rest, np.array((1.0, 0.0)))


def test_damped_springs_of_a_mechanism(five_bar) -> None:
    """Along a path of the independent joints: all three equations hold at its samples."""
    t = np.linspace(0.0, 0.4, 9)
    amp = 0.1 * np.cos(3.0 * t + np.arange(5)[:, None] * np.pi / 2) * 3.0 ** np.arange(5)[:, None]
    q = np.repeat(five_bar.reference[None], 9, axis=0)
    places = [five_bar.robot.joints[name].q.start for name in five_bar.independent_names]
    q[:, places] += amp[0][:, None]
    q = five_bar.track(q, strict=True).q
    state = (q, *(np.repeat(x[:, None], 2, axis=1) for x in amp[1:]))
    found = elastic_trajectory(five_bar, t, *state, 500.0, 4.0, motor_inertia=0.1)
    assert_close(found.link_torque, five_bar.inverse_dynamics(*state[:3]))
    deflection = found.motor_position - q[:, places]
    spring = 500.0 * deflection + 4.0 * (found.motor_velocity - state[1])
    assert_close(spring, found.link_torque, 1e-10)
    assert_close(0.1 * found.motor_acceleration + found.link_torque, found.motor_torque)


def test_results_have_names_in_exports(tmp_path, walker) -> None:
    header = walker.export.c(tmp_path, ["elastic_inverse_dynamics"])[0].read_text()
    for name in ElasticMotion._fields:
        assert f"double {name}[10]" in header
    functions = pytest.importorskip("jounce.export.casadi").casadi_functions(pendulum())
    found = functions.elastic_inverse_dynamics
    named = [f"elastic_inverse_dynamics_{field}" for field in ElasticMotion._fields]
    assert found.name_out() == named
    given = (0.3, 1.0, 2.0, 3.0, 4.0, 500.0, 0.2, 0.1, 20.0, 30.0)
    wanted = pendulum().elastic_inverse_dynamics(
        *(np.array([x]) for x in given[:6]),
        **dict(
            zip(("damping", "motor_inertia", "dstiffness", "ddstiffness"), given[6:], strict=True)
        ),
    )
    assert_close([float(x) for x in found(*given)], np.ravel(wanted))


def test_the_page_on_elastic_drives() -> None:
    page = Path(jounce.__file__).parents[2] / "docs" / "guide" / "elastic.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 7
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jounce.ModelWarning)
        exec("\n".join(blocks), {})
