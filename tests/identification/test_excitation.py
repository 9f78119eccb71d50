"""Excitation trajectories: series, limits, gradients, and what the optimum is worth."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.errors import ModelError, ModelWarning
from jounce.identification.excitation import Excitation, FourierTrajectory, Limits, design, optimize
from jounce.identification.excitation.interior import InteriorPoint
from jounce.identification.excitation.problem import Box, Problem, Regressor, spectral_cost
from jounce.robot import Robot
from support.helpers import assert_close, chain, quiet_read, with_frames, with_friction
from support.robots import random_model

#: Eighth-order central differences; with this step their error is below 1e-9 of smooth functions.
WEIGHTS = np.array((1 / 280, -4 / 105, 1 / 5, -4 / 5, 0.0, 4 / 5, -1 / 5, 4 / 105, -1 / 280))
STEP = 3e-3


def directional(function: Callable[[np.ndarray], Any], z: np.ndarray, d: np.ndarray) -> Any:
    """Derivative along d by differences."""
    values = [w * np.asarray(function(z + k * STEP * d)) for k, w in enumerate(WEIGHTS, -4) if w]
    return sum(values) / STEP


def random_trajectory(rng: np.random.Generator, nv: int = 3, harmonics: int = 4) -> Any:
    amplitudes = rng.normal(size=(2, nv, harmonics))
    return FourierTrajectory(7.0, rng.normal(size=nv), *amplitudes)


@pytest.fixture(scope="module")
def mixed_robot() -> Robot:
    """Turning, sliding and screwing joints, a follower, armature, friction, a tool."""
    rng = np.random.default_rng(5)
    kinds = ("revolute", "prismatic", "helical", "universal")
    model = random_model(rng, 5, kinds, mimic=True)
    return Robot(with_frames(with_friction(model, rng), rng))


@pytest.fixture(scope="module")
def arm() -> Robot:
    return Robot(quiet_read("franka"))


LIMITS = {
    "lower": (-2.8, -1.7, -2.8, -3.0, -2.8, 0.0, -2.8),
    "upper": (2.8, 1.7, 2.8, -0.1, 2.8, 3.7, 2.8),
    "velocity": (2.1, 2.1, 2.1, 2.1, 2.6, 2.6, 2.6),
    "acceleration": (15.0, 5.0, 10.0, 12.0, 15.0, 20.0, 20.0),
    "torque": (87.0, 60.0, 40.0, 20.0, 3.0, 2.0, 0.3),
}


@pytest.fixture(scope="module")
def result(arm: Robot) -> Excitation:
    space = {"tool": ((-0.8, -0.8, 0.1), (0.8, 0.8, np.inf))}
    return optimize(arm, limits=Limits.of(arm, **LIMITS), workspace=space)


# ------------------------------------------------------------------ trajectories


def test_motion_is_the_series_and_its_derivatives() -> None:
    trajectory = random_trajectory(np.random.default_rng(0))
    t = np.linspace(-3.0, 20.0, 50)
    w = 2.0 * np.pi / 7.0 * np.arange(1, 5)
    s, c = np.sin(t[:, None] * w), np.cos(t[:, None] * w)
    a, b = trajectory.cosine.T, trajectory.sine.T
    motion = trajectory(t)
    assert_close(motion.q, trajectory.offset + (s / w) @ a - (c / w) @ b)
    assert_close(motion.v, c @ a + s @ b)
    assert_close(motion.a, -(s * w) @ a + (c * w) @ b)
    assert_close(motion.j, -(c * w**2) @ a - (s * w**2) @ b)


def test_motion_derivatives_by_fourier_transform() -> None:
    """Derivatives of a sampled trigonometric polynomial are exact in its spectrum."""
    trajectory = random_trajectory(np.random.default_rng(1))
    t = 7.0 * np.arange(32) / 32
    motion = trajectory(t)
    rates = 2j * np.pi * np.fft.rfftfreq(32, 7.0 / 32)[:, None]
    for x, dx in pairwise(motion):
        assert_close(np.fft.irfft(rates * np.fft.rfft(x, axis=0), axis=0), dx)


def test_instants_may_have_any_shape() -> None:
    trajectory = random_trajectory(np.random.default_rng(2))
    t = np.random.default_rng(3).uniform(0.0, 7.0, (2, 3))
    assert trajectory(t).q.shape == (2, 3, 3)
    assert trajectory(0.0).j.shape == (3,)
    assert_close(trajectory(t).v[1, 2], trajectory(t[1, 2]).v)
    assert_close(trajectory(t + 7e6).q, trajectory(t).q, 1e-8)  # t itself is rounded


def test_samples_and_csv(tmp_path) -> None:
    trajectory = random_trajectory(np.random.default_rng(4))
    t, motion = trajectory.sample(10.0, periods=2)
    assert len(t) == 141
    assert_close(t, np.arange(141) / 10.0)
    assert_close(motion.q[0], motion.q[-1])
    trajectory.save(tmp_path / "t.csv", ["a", "b", "c"], rate=10.0, periods=2)
    with open(tmp_path / "t.csv", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["t", *(f"{x}_{name}" for x in "qva" for name in "abc")]
    table = np.array(rows, dtype=float)
    assert np.array_equal(table, np.column_stack((t, motion.q, motion.v, motion.a)))
    with pytest.raises(ValueError, match="3 joint names, found 2"):
        trajectory.save(tmp_path / "t.csv", ["a", "b"])
    trajectory.save(tmp_path / "t.csv", overwrite=True)
    assert "q_0,q_1" in (tmp_path / "t.csv").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0, np.zeros(2), np.zeros((2, 3)), np.zeros((2, 3))), "period must be > 0"),
        ((1.0, np.zeros(2), np.zeros((2, 3)), np.zeros((2, 2))), r"found shapes \(2,\), \(2, 3\)"),
        ((1.0, np.zeros(3), np.zeros((2, 3)), np.zeros((2, 3))), "found shapes"),
        ((1.0, np.zeros(2), np.full((2, 3), np.nan), np.zeros((2, 3))), "cosine has others"),
    ],
)
def test_bad_trajectories(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        FourierTrajectory(*arguments)


# ------------------------------------------------------------------ limits


def test_limits_of_unlimited_joints() -> None:
    limits = Limits.of(Robot(chain(("revolute", "prismatic", "helical", "cylindrical"))))
    assert_close(limits.upper, (np.pi, 1.0, np.pi, np.pi, 1.0))
    assert_close(limits.lower, -limits.upper)
    assert_close(limits.velocity, limits.upper)
    assert np.isinf(limits.acceleration).all()
    assert np.isinf(limits.torque).all()


def limited_robot(**changes: Any) -> Robot:
    """Two turning joints and a sliding one; changes: of the first joint."""
    model = chain(("revolute", "revolute", "prismatic"))
    arguments = {"lower": -1.0, "upper": 2.0, "velocity_limit": 3.0, "effort_limit": 4.0}
    joints = [replace(joint, **arguments) for joint in model.joints]
    joints[0] = replace(joints[0], **changes)
    return Robot(replace(model, joints=tuple(joints)))


def test_limits_come_from_the_model_and_from_the_caller() -> None:
    robot = limited_robot(upper=np.inf)
    limits = Limits.of(robot, velocity={"joint1": 5.0}, torque=(7.0, 8.0, 9.0), acceleration=6.0)
    assert_close(limits.lower, (-1.0, -1.0, -1.0))
    assert_close(limits.upper, (2.0 * np.pi - 1.0, 2.0, 2.0))
    assert_close(limits.velocity, (3.0, 5.0, 3.0))
    assert_close(limits.acceleration, (6.0, 6.0, 6.0))
    assert_close(limits.torque, (7.0, 8.0, 9.0))


def test_leaders_keep_to_the_limits_of_their_followers() -> None:
    follows = jounce.Mimic("joint1", multiplier=-2.0, offset=0.5)
    limits = Limits.of(limited_robot(mimic=follows, lower=-1.0, upper=1.0, velocity_limit=4.0))
    # -1 <= 0.5 - 2 q <= 1 within -1 <= q <= 2, and 2 |v| <= 4
    assert_close(limits.lower, (-0.25, -1.0))
    assert_close(limits.upper, (0.75, 2.0))
    assert_close(limits.velocity, (2.0, 3.0))
    assert_close(limits.torque, (4.0, 4.0))


def test_limits_of_zero_are_none_given() -> None:
    robot = limited_robot(velocity_limit=0.0, effort_limit=0.0)
    with pytest.warns(ModelWarning, match="joints joint0: velocity or effort limits of zero"):
        limits = Limits.of(robot)
    assert limits.velocity[0] == pytest.approx(np.pi)
    assert np.isinf(limits.torque[0])


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"speed": 1.0}, TypeError, "unknown limit 'speed'; choose among lower, upper, velocity"),
        ({"upper": {"elbow": 1.0}}, ValueError, "'elbow'.*choose among joint0, joint1, joint2"),
        ({"upper": (1.0, 2.0)}, ValueError, r"an array of shape \(3,\).*found shape \(2,\)"),
        ({"velocity": {"joint1": -1.0}}, ValueError, "'joint1': the limit of velocity must be > 0"),
        ({"torque": np.nan}, ValueError, "'joint0': the limit of torque must be > 0, found nan"),
        ({"lower": 2.0}, ModelError, "'joint0' cannot move: its limits are 2 to 2"),
    ],
)
def test_bad_limits(given: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Limits.of(limited_robot(), **given)


@pytest.mark.parametrize("kind", ["free", "spherical", "planar"])
def test_joints_without_axes_are_rejected(kind: str) -> None:
    robot = Robot(chain(("revolute", kind)))
    with pytest.raises(ModelError, match=f"joint 'joint1' is {kind}, and excitation"):
        optimize(robot)
    if kind == "free":
        with pytest.raises(ModelError, match='base="fixed"'):
            Limits.of(robot)


def test_loops_are_rejected() -> None:
    model = chain(("revolute", "revolute", "revolute"))
    robot = Robot(replace(model, loops=(jounce.Loop("bar", -1, 2),)))
    with pytest.raises(ModelError, match="loop 'bar' couples its joints"):
        optimize(robot)


# ------------------------------------------------------------------ gradients


def problem_of(robot: Robot, extended: bool = False, **given: Any) -> Problem:
    rng = np.random.default_rng(9)
    limits = Limits.of(robot, **given)
    q = rng.uniform(limits.lower, limits.upper, (200, robot.nv))
    v, a = rng.normal(size=(2, 200, robot.nv))
    regressor = Regressor(robot, (q, v, a), rng.uniform(0.5, 2.0, robot.nv), extended)
    corners = np.array(((-1.0, -np.inf, -2.0), (1.0, np.inf, np.inf)))
    boxes = [Box(robot.frame(robot.model.frame_names[-2]), *corners)]
    return Problem(regressor, limits, boxes, (4, 5.0, 40), rest=True)


@pytest.mark.parametrize("power", [1.0, 2.0, 16.0, np.inf])
@pytest.mark.parametrize("kind", ["condition", "d-optimal"])
def test_cost_of_singular_values(kind: Any, power: float) -> None:
    s = np.array((3.0, 2.2, 1.1, 0.4))
    value, slope = spectral_cost(kind, s, power)
    for k in range(4):
        unit = np.eye(4)[k] * 0.1
        result = directional(lambda x: spectral_cost(kind, x, power)[0], s, unit)
        assert_close(result, 0.1 * slope[k], 1e-8, floor=0.01)  # differences
    if kind == "condition":
        # the norm of order 2 p lies between the largest value and 4^(1 / 2p) times it
        excess = value - np.log(s[0] / s[-1])
        assert -1e-12 <= excess <= np.log(4.0) / power
    else:
        assert_close(value, -np.log(np.prod(s**2)) / 4)


@pytest.mark.parametrize("extended", [False, True])
def test_contraction_is_that_of_the_tensors(mixed_robot: Robot, extended: bool) -> None:
    """The rule of linearity against dY/dq, dY/dv, dY/da; armature and friction by hand."""
    regressor = problem_of(mixed_robot, extended).regressor
    rng = np.random.default_rng(10)
    q, v, a = rng.normal(size=(3, 20, mixed_robot.nv))
    W = regressor(q, v, a)
    G = rng.normal(size=W.shape)
    inertial = regressor.columns < 10 * mixed_robot.nb
    weighted = (G * regressor.factor)[..., inertial]
    Y = mixed_robot.inverse_dynamics.dpi
    pulls = []
    for D in (Y.dq, Y.dv, Y.da):
        tensor = D(q, v, a)[:, :, regressor.columns[inertial]]
        pulls.append(np.einsum("nic,nick->nk", weighted, tensor))
    if extended:
        n, e = mixed_robot.nv, regressor.smoothing
        for k, column in enumerate(regressor.columns):
            if column >= 10 * mixed_robot.nb:
                what, i = divmod(column - 10 * mixed_robot.nb, n)
                g = (G * regressor.factor)[:, i, k]
                slope = (1.0, 1.0, e**2 / (v[:, i] ** 2 + e**2) ** 1.5)[what]
                pulls[2 if what == 0 else 1][:, i] += g * slope
        assert_close(W[..., -1][:, -1] / regressor.factor[-1, -1], v[:, -1] / np.hypot(v[:, -1], e))
    for result, expected in zip(regressor.pullback(q, v, a, G), pulls, strict=True):
        assert_close(result, expected)


def test_contraction_in_chunks(mixed_robot: Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    regressor = problem_of(mixed_robot).regressor
    rng = np.random.default_rng(11)
    state = rng.normal(size=(3, 7, mixed_robot.nv))
    G = rng.normal(size=regressor(*state).shape)
    full = regressor.pullback(*state, G)
    chunk = "jounce.identification.excitation.problem._CHUNK_ENTRIES"
    monkeypatch.setattr(chunk, 3 * mixed_robot.nv**3)
    assert_close(regressor.pullback(*state, G), full)


@pytest.mark.parametrize("extended", [False, True])
@pytest.mark.parametrize(("kind", "power"), [("condition", 4.0), ("d-optimal", 1.0)])
def test_gradient_of_the_cost(mixed_robot: Robot, kind: Any, power: float, extended: bool) -> None:
    problem = problem_of(mixed_robot, extended)
    rng = np.random.default_rng(12)
    z = 0.3 * rng.normal(size=problem.scale.size)
    _, gradient = problem.cost(z, kind, power)
    for _ in range(3):
        d = rng.normal(size=z.size) / 10.0
        result = directional(lambda x: problem.cost(x, kind, power)[0], z, d)
        assert_close(result, gradient @ d, 1e-8, floor=0.1)  # differences


def test_gradient_of_the_constraints(mixed_robot: Robot) -> None:
    problem = problem_of(mixed_robot, torque=20.0, acceleration={"joint0": 3.0})  # of both its axes
    assert (problem.damping > 0.0).any()
    rng = np.random.default_rng(13)
    z = 0.3 * rng.normal(size=problem.scale.size)
    uses = problem.uses(z)
    samples, low, high = 40, *problem.bounds
    linear = samples * (2 * mixed_robot.nv + 2)
    assert len(uses) == linear + samples * (mixed_robot.nv + 2)
    assert np.isinf(high).sum() == samples  # the open side of the box
    assert np.all(low < high)
    J = problem.jacobian(z)
    for _ in range(3):
        d = rng.normal(size=z.size) / 10.0
        assert_close(directional(problem.uses, z, d), J @ d, 1e-8)  # differences


def test_rest_at_both_ends(mixed_robot: Robot) -> None:
    problem = problem_of(mixed_robot)
    z = np.random.default_rng(14).normal(size=problem.scale.size)
    trajectory = problem.trajectory(z)
    for t in (0.0, 5.0):
        motion = trajectory(t)
        assert np.abs(motion.v).max() < 1e-13
        assert np.abs(motion.a).max() < 1e-12
    assert np.abs(trajectory(1.0).v).max() > 0.1
    q, v, a = problem.state(z)
    motion = trajectory(5.0 * np.arange(40) / 40)
    for result, expected in zip((q, v, a), motion[:3], strict=True):
        assert_close(result, expected)


def test_samples_bound_trigonometric_polynomials() -> None:
    """Ehlich and Zeller: what the limits of q, v and a rest on; and the bound is attained."""
    rng = np.random.default_rng(15)
    harmonics, samples = 4, 24
    closest = 0.0
    for k in range(50):
        amplitudes = rng.normal(size=(2, 1, harmonics)) if k else np.zeros((2, 1, harmonics))
        if k == 0:  # the worst case: the samples straddle its peaks
            phase = np.pi * harmonics / samples
            amplitudes[:, 0, -1] = np.cos(phase), np.sin(phase)
        x = FourierTrajectory(1.0, np.zeros(1), *amplitudes)
        seen = np.abs(x(np.arange(samples) / samples).v).max()
        true = np.abs(x(np.arange(40 * samples) / (40 * samples)).v).max()
        assert true * np.cos(np.pi * harmonics / samples) <= seen * (1.0 + 1e-12)
        closest = max(closest, true * np.cos(np.pi * harmonics / samples) / seen)
    assert closest > 0.999


# ------------------------------------------------------------------ the solver


def test_interior_point_on_a_quadratic() -> None:
    """min |z - (2, 1)|^2 with z0 + z1 < 1, |z0| < 0.75, z1 open below: at (0.75, 0.25)."""
    J = np.array(((1.0, 1.0), (1.0, 0.0), (0.0, 1.0)))
    bounds = np.array(((-np.inf, -0.75, -np.inf), (1.0, 0.75, np.inf)))
    target = np.array((2.0, 1.0))
    ticks = iter(range(200))
    inside = []

    def uses(z: np.ndarray) -> np.ndarray:
        return J @ z

    def cost(z: np.ndarray) -> tuple[float, np.ndarray]:
        inside.append(np.all(J @ z < bounds[1]) and np.all(J @ z > bounds[0]))
        return float((z - target) @ (z - target)), 2.0 * (z - target)

    point = InteriorPoint(uses, lambda z: J, bounds, np.zeros(2), lambda: next(ticks, -1) >= 0)
    for gap in (1.0, 1e-2, 1e-4, 1e-6, 1e-8):
        point.minimize(cost, gap, 50, 1e-3 * gap)
    assert_close(point.z, (0.75, 0.25), 1e-6)
    assert all(inside)
    assert next(ticks) < 100


# ------------------------------------------------------------------ the optimum


def stacked_regressor(
    robot: Robot, result: Excitation, trajectory: FourierTrajectory
) -> np.ndarray:
    """The base regressor over a period by the public kernels, torques relative to their limits."""
    t = np.arange(400) / 400 * trajectory.period
    q, v, a, _ = trajectory(t)
    Y = robot.inverse_dynamics.dpi(q, v, a)[..., result.columns] / result.limits.torque[:, None]
    return Y.reshape(-1, len(result.columns))


def test_the_optimum_is_much_better_than_random(arm: Robot, result: Excitation) -> None:
    assert len(result.columns) == 43
    assert result.condition < 0.4 * result.start_condition
    assert result.information > result.start_information + 20.0
    before, after = (stacked_regressor(arm, result, x) for x in (result.start, result.trajectory))
    conditions = [np.linalg.cond(W / np.linalg.norm(W, axis=0)) for W in (before, after)]
    assert conditions[1] < 0.5 * conditions[0]
    # standard deviations of the parameters that noisy torques give
    deviations = [np.sqrt(np.diag(np.linalg.inv(W.T @ W))) for W in (before, after)]
    gain = deviations[0] / deviations[1]
    assert np.median(gain) > 1.5
    assert gain.min() > 0.8
    text = str(result)
    assert "7 joints, 5 harmonics of 10 s, 43 base parameters" in text
    assert "space of tool" in text


def test_the_optimum_keeps_to_the_limits(arm: Robot, result: Excitation) -> None:
    t = np.linspace(0.0, 10.0, 20_001)  # two hundred times the samples
    q, v, a, _ = result.trajectory(t)
    tau = arm.inverse_dynamics(q, v, a)
    limits = result.limits
    assert np.all(q <= limits.upper)
    assert np.all(q >= limits.lower)
    assert np.all(np.abs(v) <= limits.velocity)
    assert np.all(np.abs(a) <= limits.acceleration)
    assert np.all(np.abs(tau) <= limits.torque * (1.0 + 1e-4))  # checked ten times as finely only
    p = arm.frame("tool").pose(q)[:, :3, 3]
    assert np.all(p[:, 2] > 0.1 - 1e-4)
    assert np.abs(p[:, :2]).max() < 0.8 + 1e-4
    largest = {
        "position": np.abs(q - (limits.upper + limits.lower) / 2)
        / (limits.upper - limits.lower)
        * 2,
        "velocity": np.abs(v) / limits.velocity,
        "acceleration": np.abs(a) / limits.acceleration,
        "torque": np.abs(tau) / limits.torque,
    }
    for name, share in largest.items():
        assert_close(result.use[name], share.max(axis=0), 1e-3, name)  # another grid
    # which limits stop the search depends on where it started; some do
    assert sum(share.max() > 0.95 for share in largest.values()) >= 2
    assert 0.0 < result.use["space of tool"][0] <= 1.0
    assert np.abs(v[0]).max() < 1e-12
    assert np.abs(a[0]).max() < 1e-12


def test_same_seed_same_trajectory() -> None:
    robot = Robot(quiet_read("planar_2r"))
    first, second, other = (optimize(robot, seed=seed, iterations=40) for seed in (3, 3, 4))
    assert np.array_equal(first.trajectory.cosine, second.trajectory.cosine)
    assert first.condition == second.condition
    assert not np.array_equal(first.trajectory.cosine, other.trajectory.cosine)
    assert first.iterations <= 48  # and a fifth more, if the limits needed it


def test_d_optimal(mixed_robot: Robot) -> None:
    options = {"limits": Limits.of(mixed_robot, torque=60.0), "iterations": 120, "extended": True}
    best = optimize(mixed_robot, cost="d-optimal", **options)
    other = optimize(mixed_robot, cost="condition", **options)
    assert best.information > best.start_information + 10.0
    assert best.information > other.information
    assert other.condition < best.condition
    assert best.columns[-1] == 10 * mixed_robot.nb + 3 * mixed_robot.nv - 1
    # friction is part of what the drives must give
    t = np.linspace(0.0, 10.0, 4001)
    q, v, a, _ = best.trajectory(t)
    tau = mixed_robot.inverse_dynamics(q, v, a) + mixed_robot.joint_friction(v)
    assert np.abs(tau).max() <= 60.0 * (1.0 + 1e-4)
    assert best.use["torque"].max() <= 1.0
    assert best.use["torque"].max() >= np.abs(tau).max() / 60.0 - 1e-3


def test_without_rest_and_with_noise() -> None:
    robot = Robot(quiet_read("planar_2r"))
    result = optimize(robot, rest=False, harmonics=1, noise=(1.0, 0.1), iterations=30)
    assert result.trajectory.harmonics == 1
    assert np.abs(result.trajectory(0.0).v).max() > 1e-3
    assert result.condition < result.start_condition


def test_a_start_beyond_the_limits_is_led_inside(
    arm: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small box, and a start about the middle of the ranges, where the tool is far from it."""
    starts = []
    inside = design._Search.inside

    def spy(self: Any, z: np.ndarray) -> np.ndarray:
        starts.append(design._slack(self.problem, z))
        return inside(self, z)

    monkeypatch.setattr(design._Search, "inside", spy)
    middle = np.zeros(arm.nv)
    monkeypatch.setattr(
        design, "_start", lambda p, _, __, rng: design._random_motion(p, middle, rng)
    )
    low, high = np.array((0.45, 0.2, 0.7)), np.array((0.55, 0.3, 0.8))
    result = optimize(arm, workspace={"tool": (low, high)}, iterations=80, starts=1)
    assert starts[0] < 0.0
    q = result.trajectory(np.linspace(0.0, 10.0, 3001)).q
    p = arm.frame("tool").pose(q)[:, :3, 3]
    assert np.all(p > low - 1e-4)
    assert np.all(p < high + 1e-4)
    assert result.condition < result.start_condition


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"cost": "a-optimal"}, ValueError, "choose one of condition, d-optimal, found 'a-opt"),
        ({"harmonics": 1}, ValueError, "harmonics must be an integer >= 2, found 1"),
        ({"harmonics": 2.5}, ValueError, "harmonics must be an integer"),
        ({"period": -1.0}, ValueError, "period must be > 0"),
        ({"samples": 10}, ValueError, "samples must be an integer >= 20"),
        ({"noise": (1.0, 0.0)}, ValueError, r"noise must be \(2,\) positive numbers"),
        ({"workspace": {"hand": ((0, 0, 0), (1, 1, 1))}}, ModelError, "no frame 'hand'; choose"),
        ({"workspace": {"tool": (0.0,)}}, ValueError, "'tool': expected a lower and an upper"),
        ({"workspace": {"tool": ((1, 0, 0), (0, 1, 1))}}, ValueError, "must be below the upper"),
        (
            {"workspace": {"tool": ((5, 5, -1), (6, 6, 1))}, "iterations": 20},
            ModelError,
            "no trajectory found within the limits; the best one uses .* of space of tool",
        ),
    ],
)
def test_bad_arguments(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        optimize(Robot(quiet_read("planar_2r")), **options)


def test_torques_that_cannot_hold_the_arm() -> None:
    robot = Robot(quiet_read("planar_2r"))
    free = optimize(robot, iterations=20)
    weak = Limits.of(robot, lower=(-0.3, -0.3), upper=(0.3, 0.3), torque=2.0)
    with pytest.raises(ModelError, match=r"uses .*% of the limit of torque of joint 'joint1'"):
        optimize(robot, limits=weak, iterations=20)
    with pytest.raises(ValueError, match=r"shape \(8,\).*found shape \(2,\)"):
        optimize(Robot(chain(("revolute",) * 8)), limits=free.limits)


def test_friction_above_the_torque_limit() -> None:
    with pytest.raises(ModelError, match=r"'joint0': expected friction below the torque limit"):
        optimize(limited_robot(friction=5.0))


def test_few_samples_for_many_parameters(arm: Robot) -> None:
    with pytest.raises(ValueError, match="8 samples of 7 torques cannot determine"):
        optimize(arm, harmonics=2, samples=8, extended=True)


def test_without_threadpoolctl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    assert optimize(Robot(quiet_read("planar_2r")), iterations=5).condition > 1.0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["iiwa14_mueller_kumar2021", "franka"])
@pytest.mark.parametrize("seed", range(3))
def test_gallery_arms(name: str, seed: int) -> None:
    robot = Robot(quiet_read(name))
    result = optimize(robot, seed=seed)
    assert result.condition < 3.0
    assert result.start_condition > 6.0
    assert max(shares.max() for shares in result.use.values()) <= 1.0
