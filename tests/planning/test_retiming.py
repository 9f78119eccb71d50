"""Time-optimal motion along paths: exact solutions, toppra, and limits between points."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import control, planning, trajectories

IIWA: Any = jounce.load("kuka_iiwa14")
SLIDER: Any = jounce.load("cartesian_ppp")


def arm_path(seed: int, degree: int = 3) -> trajectories.Trajectory:
    """Path of the arm through three configurations."""
    waypoints = 0.5 * IIWA.random(np.random.default_rng(seed), 3)
    return trajectories.spline(IIWA, [0.0, 0.5, 1.0], waypoints, degree)


def straight(length: float) -> trajectories.Trajectory:
    return trajectories.polynomial(SLIDER, (0.0, 1.0), ([0.0] * 3,), ([length, 0.0, 0.0],))


def test_straight_line_is_bang_bang() -> None:
    motion = planning.retime(
        SLIDER, straight(2.0), velocity=None, torque=None, acceleration=4.0, points=100
    )
    assert motion.duration == pytest.approx(2.0 * np.sqrt(2.0 / 4.0), rel=1e-12)
    q, v, a, _ = motion([0.0, 0.3, motion.duration])
    assert np.allclose(q[:, 0], [0.0, 2.0 * 0.3**2, 2.0], atol=1e-9)
    assert np.allclose(v[:2, 0], [0.0, 1.2])
    assert np.allclose(a[1, 0], 4.0)


def test_straight_line_with_limited_speed() -> None:
    motion = planning.retime(
        SLIDER, straight(2.0), velocity=1.0, torque=None, acceleration=4.0, points=200
    )
    assert motion.duration == pytest.approx(2.0 + 0.25, rel=1e-4)


def test_straight_line_with_limited_jerk() -> None:
    """Four phases of constant jerk, T = (32 L / J)^(1/3)."""
    motion = planning.retime(SLIDER, straight(2.0), velocity=None, torque=None, jerk=10.0)
    assert motion.duration == pytest.approx((32.0 * 2.0 / 10.0) ** (1 / 3), rel=2e-3)
    _, v, a, j = motion([0.0, motion.duration])
    assert np.allclose([v, a], 0.0, atol=1e-9)
    assert np.abs(j).max() <= 10.0 * 1.001


def test_speeds_at_the_ends() -> None:
    options: dict[str, Any] = {"velocity": None, "torque": None, "acceleration": 1.0}
    motion = planning.retime(SLIDER, straight(1.0), speeds=(1.0, 1.0), **options)
    top = np.sqrt(1.0 + 1.0)  # v^2 = 1 + 2 a (L / 2)
    assert motion.duration == pytest.approx(2.0 * (top - 1.0), rel=1e-9)
    assert np.allclose(motion([0.0, motion.duration])[1][:, 0], 1.0)
    with pytest.raises(planning.InfeasiblePathError, match=r"acceleration of .* contradict"):
        planning.retime(SLIDER, straight(1.0), speeds=(2.0, 0.0), **options)


@pytest.mark.peers
def test_equals_toppra(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for the amount that toppra takes off the squared speed at each point."""
    constraint = pytest.importorskip("toppra.constraint")
    import toppra.algorithm
    from toppra.algorithm.reachabilitybased import reachability_algorithm

    monkeypatch.setattr(reachability_algorithm, "TINY", 1e-12)
    monkeypatch.setattr(logging.getLogger("toppra"), "disabled", True)
    s, effort, velocity = np.linspace(0.0, 1.0, 101), 0.6 * IIWA.limits.effort, np.full(7, 2.0)
    scheme = constraint.DiscretizationType.Interpolation
    limits = [
        constraint.JointVelocityConstraint(np.stack((-velocity, velocity), axis=1)),
        constraint.JointTorqueConstraint(
            IIWA.inverse_dynamics,
            np.stack((-effort, effort), axis=1),
            np.zeros(7),
            discretization_scheme=scheme,
        ),
    ]
    for seed in range(10):
        waypoints = 0.6 * IIWA.random(np.random.default_rng(seed), 4)
        curve = toppra.SplineInterpolator(np.linspace(0.0, 1.0, 4), waypoints)
        path = trajectories.spline(IIWA, np.linspace(0.0, 1.0, 4), waypoints, 3)
        algorithm = toppra.algorithm.TOPPRA(
            limits, _Curve(curve, path), gridpoints=s, solver_wrapper="seidel"
        )
        _, speeds, _ = algorithm.compute_parameterization(0.0, 0.0)
        expected = np.sum(2.0 * np.diff(s) / (speeds[1:] + speeds[:-1]))
        motion = planning.retime(IIWA, path, velocity=velocity, torque=effort, points=s)
        assert motion.duration == pytest.approx(expected, rel=1e-7)


class _Curve:
    """A path of jounce for toppra."""

    def __init__(self, like: Any, path: trajectories.Trajectory) -> None:
        self.path, self.path_interval, self.dof = path, like.path_interval, like.dof

    def eval(self, s: Any) -> np.ndarray:
        return self.path(s, 0)[0]

    def evald(self, s: Any) -> np.ndarray:
        return self.path(s, 1)[1]

    def evaldd(self, s: Any) -> np.ndarray:
        return self.path(s, 2)[2]

    def __call__(self, s: Any, order: int = 0) -> np.ndarray:
        return self.path(s, 2)[order]


@pytest.mark.parametrize("seed", range(2))
def test_limits_of_rates_hold_between_points(seed: int) -> None:
    slow = planning.retime(IIWA, arm_path(seed), points=200)
    motion = planning.retime(IIWA, arm_path(seed), jerk=300.0, torque_rate=1000.0, points=80)
    assert slow.duration < motion.duration
    violation = motion.violation()
    assert {"velocity", "torque", "jerk", "torque rate"} == {*violation}
    assert max(violation.values()) < 1e-3
    t = np.linspace(0.0, motion.duration, 2001)
    _, v, _, j = motion(t)
    rate = motion.torques(t)[1]
    loads = [
        np.abs(v / IIWA.limits.velocity).max(axis=1),
        np.abs(j / 300.0).max(axis=1),
        np.abs(rate / 1000.0).max(axis=1),
    ]
    assert np.mean(np.max(loads, axis=0) > 0.9) > 0.8  # nearly always at some limit


def test_motion_and_torques_are_consistent() -> None:
    motion = planning.retime(IIWA, arm_path(5), jerk=300.0, torque_rate=1000.0, points=60)
    t, h = np.linspace(0.1, 0.9, 7) * motion.duration, 1e-5
    q, v, a, j, _ = motion(t, 4)
    before, after = motion(t - h, 3), motion(t + h, 3)
    for k, rate in ((1, a), (2, j)):
        assert np.allclose((after[k] - before[k]) / (2 * h), rate, rtol=1e-5, atol=1e-4)
    tau, dtau = motion.torques(t)
    assert np.allclose(tau, IIWA.inverse_dynamics(q, v, a), rtol=0, atol=1e-12)
    change = (motion.torques(t + h)[0] - motion.torques(t - h)[0]) / (2 * h)
    assert np.allclose(change, dtau, rtol=1e-5, atol=1e-3)


def test_wrenches() -> None:
    wrench = np.zeros((7, 6))
    wrench[-1, 5] = -30.0
    free = planning.retime(IIWA, arm_path(0), torque=0.5 * IIWA.limits.effort, velocity=None)
    options: dict[str, Any] = {"torque": 0.5 * IIWA.limits.effort, "velocity": None}
    loaded = planning.retime(IIWA, arm_path(0), wrenches=wrench, **options)
    varying = planning.retime(IIWA, arm_path(0), wrenches=lambda s: wrench, **options)
    assert loaded.duration == varying.duration != free.duration
    assert loaded.violation()["torque"] < 0.02
    tau, _ = loaded.torques(0.3)
    q, v, a, _ = loaded(0.3)
    assert np.allclose(tau, IIWA.inverse_dynamics(q, v, a, wrench))
    with pytest.raises(
        jounce.ArgumentError, match=r"wrenches must be finite and have shape \(7, 6"
    ):
        planning.retime(IIWA, arm_path(0), wrenches=lambda s: wrench[0])


def test_wrenches_along_the_path() -> None:
    """Rates of torques contain those of wrenches, which are functions of s."""

    def wrenches(s: float) -> np.ndarray:
        return 20.0 * np.sin(3.0 * s) * np.eye(7, 6)

    motion = planning.retime(IIWA, arm_path(0, 5), wrenches=wrenches, torque_rate=800.0, points=60)
    assert max(motion.violation().values()) < 1e-3
    t, h = np.linspace(0.1, 0.9, 7) * motion.duration, 1e-5
    change = (motion.torques(t + h)[0] - motion.torques(t - h)[0]) / (2 * h)
    assert np.allclose(change, motion.torques(t)[1], rtol=1e-5, atol=1e-3)


def test_directions_and_repeated_waypoints() -> None:
    waypoints = arm_path(0)([0.0, 0.5, 1.0], 0)[0]
    forth = planning.retime(IIWA, waypoints.tolist())
    back = planning.retime(IIWA, waypoints[::-1])
    repeated = planning.retime(IIWA, np.repeat(waypoints, 2, axis=0))
    assert forth.duration == pytest.approx(back.duration, rel=1e-8)
    assert forth.duration == pytest.approx(repeated.duration, rel=1e-12)
    still = trajectories.polynomial(IIWA, (0.0, 1.0), (waypoints[0],), (waypoints[0],))
    with pytest.raises(jounce.ArgumentError, match="does not move"):
        planning.retime(IIWA, still)


def test_mechanisms_and_free_bodies() -> None:
    closed: Any = jounce.load("four_bar").closed()
    start = closed.reference
    path = trajectories.spline(
        closed,
        [0.0, 0.5, 1.0],
        np.stack([closed.integrate(start, [x]) for x in (0.0, 0.2, 0.3)]),
        3,
    )
    motion = planning.retime(closed, path, velocity=3.0, torque=20.0, acceleration=50.0)
    assert max(motion.violation().values()) < 0.02
    q = motion(np.linspace(0.0, motion.duration, 5))[0]
    assert np.abs(closed.loop_residual(q)).max() < 1e-9

    builder = jounce.TreeBuilder("body")
    builder.add("box", "free", mass=2.0, inertia_com=np.diag([0.1, 0.2, 0.3]))
    body: Any = jounce.Robot(builder.build())
    path = trajectories.spline(body, [0.0, 0.5, 1.0], body.random(np.random.default_rng(0), 3), 3)
    motion = planning.retime(body, path, velocity=None, torque=100.0, torque_rate=1000.0)
    assert max(motion.violation().values()) < 1e-3


def test_waypoints_and_simulation() -> None:
    q = IIWA.neutral()
    motion = planning.retime(IIWA, [q, q + 0.3, q + 0.5], torque_rate=2000.0)
    result = control.simulate(IIWA, control.computed_torque(IIWA, 400.0, 40.0), motion)
    assert np.abs(result.errors).max() < 0.01
    assert np.allclose(motion(motion.duration)[0], q + 0.5)


@pytest.mark.parametrize("rate", [None, 3000.0])
def test_motors_of_elastic_joints(rate: float | None) -> None:
    arm = IIWA.elastic(8000.0, motor_inertia=0.4, damping=1.0)
    effort = 0.8 * IIWA.limits.effort
    motion = planning.retime(
        arm, arm_path(0, 5), motor_torque=effort, motor_torque_rate=rate, points=25
    )
    rigid = planning.retime(IIWA, arm_path(0, 5), torque=effort, points=2000)
    assert motion.duration > rigid.duration
    assert max(motion.violation().values()) < 1e-3
    t, h = np.linspace(0.05, 0.95, 9) * motion.duration, 1e-6
    torque, slope = motion.motor_torques(t)
    drive = IIWA.elastic_inverse_dynamics(*motion(t, 4), 8000.0, motor_inertia=0.4, damping=1.0)
    assert np.allclose(torque, drive.motor_torque, rtol=0.0, atol=1e-9)
    change = (motion.motor_torques(t + h)[0] - motion.motor_torques(t - h)[0]) / (2 * h)
    assert np.allclose(change, slope, rtol=1e-5, atol=0.05)
    start, end = (x[2:] for x in zip(*motion([0.0, motion.duration], 4), strict=True))
    assert max(np.abs(x).max() for x in (*start[:2], *end[:2])) < 1e-6  # no a, no j


def test_stiff_motors_are_rigid() -> None:
    """With stiff springs, motors need the torque of links with the inertia of the motors."""
    path, effort = arm_path(1, 5), IIWA.limits.effort
    arm = IIWA.elastic(1e9, motor_inertia=1e-9)
    elastic = planning.retime(arm, path, torque=None, motor_torque=effort, points=50)
    rigid = planning.retime(IIWA, path, torque=effort, points=2000)
    assert elastic.duration == pytest.approx(rigid.duration, rel=1e-2)


def test_elastic_mechanism() -> None:
    closed: Any = jounce.load("four_bar").closed()
    points = [closed.integrate(closed.reference, [x]) for x in (0.0, 0.2, 0.3)]
    path = trajectories.spline(closed, [0.0, 0.5, 1.0], np.stack(points), 5)
    arm = closed.elastic(200.0, motor_inertia=0.01)
    motion = planning.retime(
        arm, path, torque=None, motor_torque=20.0, motor_torque_rate=600.0, jerk=2000.0, points=30
    )
    assert {"velocity", "motor torque", "motor torque rate", "jerk"} == {*motion.limits}
    assert max(motion.violation().values()) < 1e-3
    rates = planning.retime(closed, path, torque=20.0, torque_rate=300.0, points=30)
    assert max(rates.violation().values()) < 1e-3


def test_errors_about_motors() -> None:
    arm = IIWA.elastic(8000.0, motor_inertia=0.4)
    with pytest.raises(planning.InfeasiblePathError, match="motor torque of 'joint2' and gravity"):
        planning.retime(arm, arm_path(0, 5), torque=None, motor_torque=5.0, points=40)
    with pytest.raises(jounce.ArgumentError, match="limits of motors need elastic joints"):
        planning.retime(IIWA, arm_path(0), motor_torque=5.0)
    damped = IIWA.elastic(8000.0, motor_inertia=0.4, spring_damping=1.0)
    with pytest.raises(jounce.ArgumentError, match="linear springs without damping"):
        planning.retime(damped, arm_path(0), motor_torque=5.0)
    motion = planning.retime(IIWA, arm_path(0))
    for method in (motion.motor_torques, motion.contact_forces):
        with pytest.raises(jounce.ArgumentError, match="expected a path of"):
            method(0.0)


def test_plot() -> None:
    motion = planning.retime(IIWA, arm_path(0), torque_rate=2000.0, points=40)
    labels = [ax.get_ylabel() for ax in motion.plot().axes]
    assert labels[:3] == ["velocity / limit", "torque / limit", "torque rate / limit"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"torque": 5.0}, r"at s = .*, q = .*torque of 'joint2'.* contradict"),
        ({"torque": 5.0, "jerk": 100.0}, r"at s = .*, q = .*torque of 'joint2'.* contradict"),
        ({"velocity": -1.0}, "velocity must contain 0"),
        ({"jerk": True}, "models have no limits of jerk; pass numbers"),
        ({"torque": np.ones(3)}, r"torque must be a number or have shape \(7,\)"),
        ({"torque": None}, "expected limits of accelerations or torques"),
        ({"points": 1}, "points must be a whole number > 1"),
        ({"points": [0.0, 0.2, 0.7]}, "points must lead from 0 to 1"),
        ({"points": [0.0, 1.0, 0.5], "jerk": 1.0}, "points must be a number with limits of rates"),
        ({"speeds": (1.0, 0.0), "jerk": 100.0}, r"speeds must be \(0, 0\)"),
        ({"speeds": (99.0, 0.0)}, "exceed the limits of velocities"),
    ],
)
def test_errors(options: dict[str, Any], message: str) -> None:
    with pytest.raises((jounce.ArgumentError, planning.InfeasiblePathError), match=message):
        planning.retime(IIWA, arm_path(0), **options)


def test_wrong_paths() -> None:
    for path, message in (
        (np.zeros((2, 3)), r"path must be a trajectory or waypoints \(n, 7\)"),
        (np.zeros((2, 7)), "waypoints must differ, found one configuration only"),
        (straight(1.0), "expected one path of 'kuka_iiwa14'"),
    ):
        with pytest.raises(jounce.ArgumentError, match=message):
            planning.retime(IIWA, path)
    with pytest.raises(jounce.ArgumentError, match="expected a robot or a mechanism"):
        planning.retime("iiwa", straight(1.0))  # pyright: ignore[reportArgumentType]
