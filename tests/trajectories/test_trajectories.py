"""Reference motions: derivatives, waypoints, boundary conditions, optimality, batches."""

from __future__ import annotations

import math
import pickle
import sys
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import trajectories
from jounce.arrays import lie
from jounce.formulas import configurations
from jounce.identification.excitation.trajectory import FourierTrajectory
from jounce.math import jets
from support.control import ROBOTS, robot_of
from support.helpers import assert_close, close, objects

TIMES = np.array([0.0, 0.7, 1.5, 2.0, 3.1])


def waypoints_of(name: str, seed: int = 0, n: int = 5, step: float = 0.6) -> np.ndarray:
    """Waypoints (n, nq), each a random step from the one before."""
    robot, rng = robot_of(name), np.random.default_rng(seed)
    q = robot.reference if hasattr(robot, "reference") else robot.random(rng)
    step = 0.1 if name == "closed" else step
    points = [q]
    for _ in range(n - 1):
        points.append(robot.integrate(points[-1], step * rng.standard_normal(robot.nv)))
    return np.array(points)


@pytest.mark.parametrize("name", ROBOTS)
def test_entries_are_derivatives_of_each_other(name: str) -> None:
    """By central differences of fourth order, on the manifold."""
    robot = robot_of(name)
    motion = trajectories.spline(robot, TIMES, waypoints_of(name))
    t, h = np.linspace(0.1, 3.0, 9), 1e-3
    values = motion(t, 5)
    near = {k: motion(t + k * h, 5) for k in (-2, -1, 1, 2)}
    step = {k: robot.difference(values[0], near[k][0]) for k in near}
    for k in range(5):
        x = step if k == 0 else {i: near[i][k] for i in near}
        slope = (x[-2] - 8 * x[-1] + 8 * x[1] - x[2]) / (12 * h)
        assert_close(slope, values[k + 1], 1e-7)


@pytest.mark.parametrize("name", ["every kind", "floating, mimic"])
def test_rates_are_those_of_the_series_of_configurations(name: str) -> None:
    """The velocity of q exp(x(t)) from the Taylor series of its coordinates."""
    robot, rng = robot_of(name), np.random.default_rng(1)
    q, x = robot.random(rng), 0.5 * rng.standard_normal((6, robot.nv))
    chart = trajectories.spline(robot, TIMES, waypoints_of(name))._chart
    series = jets.from_rates(list(objects(x)))
    coordinates = configurations.integrate(robot.tree, objects(q), series)
    levels = jets.coefficients(coordinates, 5)
    slope = jets.from_coefficients([(k + 1) * levels[k + 1] for k in range(5)])
    lower = jets.truncate(coordinates, 4)
    v = configurations.velocity_from_rates(robot.tree, lower, slope)
    expected = jets.rates_of(v, 4)
    for found, wanted in zip(chart.rates(list(x)), expected, strict=True):
        assert_close(found, wanted.astype(float), 1e-12)


@pytest.mark.parametrize("name", ROBOTS)
def test_tangents_invert_rates(name: str) -> None:
    robot, rng = robot_of(name), np.random.default_rng(2)
    chart = trajectories.spline(robot, TIMES, waypoints_of(name))._chart
    x, *rates = rng.standard_normal((6, 3, robot.nv))
    for found, wanted in zip(chart.rates(chart.tangents(x, rates)), rates, strict=True):
        assert_close(found, wanted, 1e-11)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("degree", [1, 3, 5, 7, 9])
def test_splines_pass_waypoints_smoothly(name: str, degree: int) -> None:
    robot, points = robot_of(name), waypoints_of(name)
    motion = trajectories.spline(robot, TIMES, points, degree)
    close(robot.difference(points, motion(TIMES)[0]), np.zeros((5, robot.nv)))
    smooth = min(degree - 1, 4)
    # from both sides: left limits by the Taylor series at an instant before
    h = 1e-9
    before, after = motion(TIMES[1:-1] - h, 5), motion(TIMES[1:-1], 5)
    for k in range(1, smooth + 1):
        assert_close(before[k] + h * before[min(k + 1, 5)], after[k], 1e-8)
    if degree < 6:
        assert np.abs(before[smooth + 1] - after[smooth + 1]).max() > 1e-3


def test_splines_of_plain_joints_are_scipys() -> None:
    from scipy.interpolate import make_interp_spline

    points = waypoints_of("arm")
    t = np.linspace(0.0, 3.1, 50)
    for degree in (3, 5, 7):
        natural = [(k, np.zeros(7)) for k in range((degree + 1) // 2, degree)]
        expected = make_interp_spline(TIMES, points, k=degree, bc_type=(natural, natural))
        motion = trajectories.spline(robot_of("arm"), TIMES, points, degree)
        for k, x in enumerate(motion(t, 2)):
            assert_close(x, expected(t, nu=k), 1e-11)


@pytest.mark.parametrize("name", ROBOTS)
def test_boundary_derivatives_hold(name: str) -> None:
    robot, points = robot_of(name), waypoints_of(name)
    rng = np.random.default_rng(3)
    start, end = rng.standard_normal((2, 3, robot.nv))
    motion = trajectories.minimum_snap(robot, TIMES, points, start=start, end=end)
    states = [[points[0], *rng.standard_normal((5, robot.nv))], [points[1], *start, 0.0]]
    move = trajectories.polynomial(robot, (1.0, 1.5), *states)
    for found, wanted in (
        (motion(TIMES[0])[1:], start),
        (motion(TIMES[-1])[1:], end),
        (move(1.0, 5)[1:], states[0][1:]),
        (move(1.5, 5)[1:], (*start, np.zeros(robot.nv))),
    ):
        # the fifth derivative of degree 11 over 0.5 s multiplies round-off by 11! / (6! 0.5^5)
        for x, y in zip(found, wanted, strict=False):
            assert_close(x, y, 1e-9, floor=1.0)
    rest = trajectories.minimum_jerk(robot, TIMES, points)
    assert max(np.abs(x).max() for x in (*rest(0.0, 2)[1:], *rest(3.1, 2)[1:])) < 1e-13


def test_polynomials_are_polynomials() -> None:
    """Of degree 11 in plain coordinates: values and derivatives of the polynomial itself."""
    coefficients = np.random.default_rng(4).standard_normal((12, 3))
    p = np.polynomial.Polynomial
    exact = [p(c) for c in coefficients.T]

    def state(t: float) -> list[np.ndarray]:
        return [np.array([x.deriv(k)(t) if k else x(t) for x in exact]) for k in range(6)]

    move = trajectories.polynomial(None, (-1.0, 0.5), state(-1.0), state(0.5))
    for t in (-1.0, -0.3, 0.2, 0.5):
        for found, wanted in zip(move(t, 5), state(t), strict=True):
            assert_close(found, wanted, 1e-10)
    line = trajectories.polynomial(None, (0.0, 2.0), ([0.0],), ([1.0],))
    assert [x.tolist() for x in line(0.5)] == [[0.25], [0.5], [0.0], [0.0], [0.0]]


@pytest.mark.parametrize(("m", "make"), [(3, "minimum_jerk"), (4, "minimum_snap")])
def test_minimum_motions_are_optimal(m: int, make: str) -> None:
    """Against a dense equality-constrained quadratic program in monomials on each segment."""
    points, n = waypoints_of("arm")[:, 0], 2 * m
    motion = getattr(trajectories, make)(None, TIMES, points[:, None])
    segments, lengths = len(TIMES) - 1, np.diff(TIMES)
    gram, weights = np.polynomial.legendre.leggauss(10)

    def row(u: float, k: int) -> np.ndarray:
        return np.array([math.perm(i, k) * u ** (i - k) if i >= k else 0.0 for i in range(n)])

    H, rows, values = np.zeros((segments * n,) * 2), [], []
    for s, length in enumerate(lengths):
        own = slice(s * n, (s + 1) * n)
        for x, w in zip(gram, weights, strict=True):
            d = row(0.5 * (x + 1), m) / length**m
            H[own, own] += 0.5 * length * w * np.outer(d, d)
        for k in range(m):
            for u, edge in ((0.0, s == 0), (1.0, s == segments - 1)):
                if k and not edge and u == 1.0:  # continuity
                    full = np.zeros(segments * n)
                    full[own] = row(1.0, k) / length**k
                    full[(s + 1) * n : (s + 2) * n] = -row(0.0, k) / lengths[s + 1] ** k
                    rows.append(full)
                    values.append(0.0)
                elif k == 0 or edge:
                    full = np.zeros(segments * n)
                    full[own] = row(u, k) / length**k
                    rows.append(full)
                    values.append(0.0 if k else points[s + int(u)])
    A, b = np.array(rows), np.array(values)
    solved = np.linalg.solve(
        np.block([[H, A.T], [A, np.zeros((len(A), len(A)))]]), np.r_[np.zeros(len(H)), b]
    )
    for s, length in enumerate(lengths):
        for u in (0.2, 0.7):
            found = motion(TIMES[s] + u * length, 0)[0]
            assert_close(found, [row(u, 0) @ solved[s * n : (s + 1) * n]], 1e-8)


def test_steps_about_one_axis_are_splines_of_the_angle() -> None:
    robot, angles = robot_of("spherical"), np.array([0.0, 1.0, 3.0, 4.5, 7.0])
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    q = lie.quaternion.exp(angles[:, None] * axis)
    t = np.linspace(0.0, 3.1, 20)
    plain = trajectories.minimum_jerk(None, TIMES, angles[:, None])(t)
    turning = trajectories.minimum_jerk(robot, TIMES, q)(t)
    close(robot.difference(lie.quaternion.exp(plain[0] * axis), turning[0]), np.zeros((20, 3)))
    for x, y in zip(turning[1:], plain[1:], strict=True):
        assert_close(x, y * axis, 1e-11)


def test_motions_do_not_depend_on_the_world_frame() -> None:
    rng = np.random.default_rng(5)
    poses, moved = lie.se3.exp(rng.standard_normal((5, 6))), lie.se3.exp(rng.standard_normal(6))
    t = np.linspace(-0.5, 3.5, 11)
    T, *twists = trajectories.pose_spline(TIMES, poses)(t)
    expected, *others = trajectories.pose_spline(TIMES, moved @ poses)(t)
    assert_close(moved @ T, expected, 1e-12)
    for x, y in zip(twists, others, strict=True):
        assert_close(x, y, 1e-10)
    assert_close(trajectories.pose_spline(TIMES, poses)(TIMES, 0)[0], poses, 1e-12)


def test_pose_splines_have_body_fixed_twists() -> None:
    poses = lie.se3.exp(np.random.default_rng(6).standard_normal((5, 6)))
    motion, t, h = trajectories.pose_spline(TIMES, poses, 7), np.linspace(0.1, 3.0, 5), 1e-5
    after, before = (motion(t + x)[0] for x in (h, -h))
    found = lie.se3.log(lie.se3.inverse(before) @ after) / (2 * h)
    assert_close(found, motion(t, 1)[1], 1e-8)


@pytest.mark.parametrize("degree", [5, 9])
def test_twists_of_pose_splines_against_mpmath(degree: int) -> None:
    """From the Taylor series of T(t) = T_k exp(x(t)), by interpolation with 80 digits."""
    import mpmath

    poses = lie.se3.exp(np.random.default_rng(10).standard_normal((5, 6)))
    motion, k, t, order = trajectories.pose_spline(TIMES, poses, degree), 1, 1.1, 5
    steps = lie.se3.log(lie.se3.inverse(poses[:-1]) @ poses[1:])
    found = motion(t, order)
    with mpmath.workdps(80):
        # Bernstein coefficients of the segment from k to k + 1
        c = motion._curve.polynomials.c[:, k]
        length, n = mpmath.mpf(TIMES[k + 1]) - mpmath.mpf(TIMES[k]), len(c) - 1

        def pose(shift: Any) -> Any:
            u = (mpmath.mpf(t) - mpmath.mpf(TIMES[k]) + shift) / length
            weights = [mpmath.binomial(n, i) * u**i * (1 - u) ** (n - i) for i in range(n + 1)]
            w1, w2, w3, x, y, z = (mpmath.fdot(weights, list(column)) for column in c.T)
            twist = [[0, -w3, w2, x], [w3, 0, -w1, y], [-w2, w1, 0, z], [0, 0, 0, 0]]
            return mpmath.expm(mpmath.matrix(twist))

        nodes = [mpmath.mpf(i) * mpmath.mpf("1e-5") for i in range(-6, 7)]
        values = [pose(x) for x in nodes]
        vandermonde = mpmath.matrix([[x**i for i in range(len(nodes))] for x in nodes]) ** -1
        series = [
            sum((vandermonde[i, m] * values[m] for m in range(len(nodes))), mpmath.zeros(4))
            for i in range(order + 1)
        ]
        slopes = [(i + 1) * series[i + 1] for i in range(order)]
        rates = []
        for i in range(order):
            total = mpmath.zeros(4)
            for m in range(i + 1):
                R = series[m][:3, :3].T
                total[:3, :3] += R * slopes[i - m][:3, :3]
                total[:3, 3] += R * slopes[i - m][:3, 3]
            w = total[2, 1], total[0, 2], total[1, 0], *total[:3, 3]
            rates.append([float(mpmath.factorial(i) * x) for x in w])
        start = np.array(values[6].tolist(), dtype=float)
    assert_close(found[0], poses[k] @ start, 1e-13)
    for x, y in zip(found[1:], rates, strict=True):
        assert_close(x, y, 1e-11)
    assert_close(
        lie.se3.log(lie.se3.inverse(poses[k]) @ motion(TIMES[k + 1], 0)[0]), steps[k], 1e-12
    )


def test_quaternion_splines_are_those_of_a_spherical_joint() -> None:
    robot, points = robot_of("spherical"), waypoints_of("spherical")
    t = np.linspace(0.0, 3.1, 9)
    expected = trajectories.spline(robot, TIMES, points, 7, start=(1.0, None), end=(0.0,))(t)
    flipped = points * np.array([1.0, -1.0, 1.0, -1.0, 1.0])[:, None]  # the same rotations
    motion = trajectories.quaternion_spline(TIMES, flipped, 7, start=(1.0, None), end=(0.0,))
    for x, y in zip(motion(t)[1:], expected[1:], strict=True):
        assert_close(x, y, 1e-10)
    close(robot.difference(motion(t)[0], expected[0]), np.zeros((9, 3)))


def test_motions_are_held_outside() -> None:
    motion = trajectories.spline(robot_of("arm"), TIMES, waypoints_of("arm"))
    for t, end in ((-1.0, 0.0), (9.0, 3.1)):
        q, *rates = motion(t)
        assert_close(q, motion(end)[0])
        assert not np.any(rates)
        assert np.any(motion(end)[1])


def test_fourier_series_are_those_of_identification() -> None:
    rng = np.random.default_rng(7)
    center, (cosine, sine) = rng.standard_normal(7), rng.standard_normal((2, 7, 4))
    t = np.linspace(-3.0, 10.0, 20)
    motion = trajectories.fourier(robot_of("arm"), center, 2.5, cosine, sine)
    expected = FourierTrajectory(2.5, center, cosine, sine)(t)
    for x, y in zip(motion(t, 3), expected, strict=True):
        assert_close(x, y, 1e-12)
    assert_close(motion(t + 2.5, 5)[5], motion(t, 5)[5], 1e-11)


@pytest.mark.parametrize("name", ROBOTS)
def test_batches_equal_loops(name: str) -> None:
    robot, t = robot_of(name), np.linspace(-0.1, 3.2, 6).reshape(2, 3)
    points = np.stack([waypoints_of(name, 0, step=0.3), waypoints_of(name, 0)])
    rates = np.random.default_rng(8).standard_normal((3, 2, robot.nv)) * 0.1
    center, waves = points[0, 0], 0.1 * rates[..., None] * np.ones(2)
    for make in (
        lambda k: trajectories.minimum_jerk(robot, TIMES, points[k], start=(rates[0][k], 0)),
        lambda k: trajectories.polynomial(
            robot, (0, 1), (points[k, 0], rates[0][k]), (points[k, 1], rates[1][k], 0.0)
        ),
        lambda k: trajectories.fourier(robot, center, 2.0, waves[0][k], waves[1][k]),
    ):
        both = make(slice(None))
        assert both.batch == (2,)
        for k in (0, 1):
            for x, y in zip(both(t), make(k)(t), strict=True):
                assert x.shape == (2, 3, 2, y.shape[-1])
                assert_close(x[:, :, k], y, 1e-10)


def test_mechanisms_close_their_loops() -> None:
    closed, points = robot_of("closed"), waypoints_of("closed")
    motion = trajectories.minimum_snap(closed, TIMES, points)
    q, v, *_ = motion(np.linspace(0.0, 3.1, 40))
    assert np.max(closed.gap(q)) < 1e-12
    assert_close(closed.velocity(q, v)[..., list(closed.velocities)], v)
    far = points.copy()
    far[1] = closed.assemble(closed.robot.random(1)).q
    with pytest.raises(jounce.errors.ArgumentError, match=r"dependent joints off by|are open by"):
        trajectories.spline(closed, TIMES[:2], far[:2])


def test_trajectories_are_immutable_values() -> None:
    motion = trajectories.spline(robot_of("arm"), TIMES, waypoints_of("arm"))
    copy = pickle.loads(pickle.dumps(motion))
    assert_close(copy(1.0)[2], motion(1.0)[2], 0.0)
    assert repr(motion) == "<trajectory of 'kuka_iiwa14' from 0 to 3.1 s>"
    assert len(motion(1.0, order=2)) == 3
    points = waypoints_of("arm")
    motion = trajectories.spline(robot_of("arm"), TIMES, points)
    before = motion(1.0)[0]
    points[:] = 0.0
    motion(TIMES)[0][:] = 0.0
    assert_close(motion(1.0)[0], before, 0.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: t.spline(None, [0, 1], [[0.0], [1.0]], 4), "degree must be 1, 3, 5, 7 or 9"),
        (lambda t: t.spline(None, [0, 0], [[0.0], [1.0]]), "times must be at least 2 increasing"),
        (lambda t: t.spline(None, [0, 1], [[0.0]] * 3), r"waypoints must have shape \(..., 2, nq"),
        (lambda t: t.spline(None, [0, 1], [[0.0], [np.nan]]), "waypoints must be finite"),
        (lambda t: t.spline(None, [0, 1], [[0.0], [1.0]]), "at least 3 .* found 2 and 0"),
        (lambda t: t.spline(None, [0, 1], [[0.0], [1.0]], start=[0] * 3), "takes at most 2"),
        (lambda t: t.spline(None, [0, 1], [[0.0], [1.0]], end=[[0, 0]]), r"shape \(..., 1\)"),
        (lambda t: t.spline(robot_of("arm"), [0, 1], np.zeros((2, 6))), "waypoints"),
        (lambda t: t.polynomial(None, (0, 1), (), ([0.0],)), "1 to 6 entries"),
        (lambda t: t.fourier(None, [0.0], 0.0, [[1]], [[1]]), "period must be > 0"),
        (lambda t: t.fourier(None, [0.0], 1.0, [1], [1]), r"\(..., 1, harmonics\)"),
        (lambda t: t.pose_spline([0, 1], np.zeros((2, 4, 3))), r"\(..., n, 4, 4\)"),
        (lambda t: t.quaternion_spline([0, 1], np.zeros((2, 3))), r"\(..., n, 4\)"),
        (lambda t: t.fourier(None, [0.0], 1.0, [[1]], [[1]])(0.5, 6), "from 0 to 5"),
        (lambda t: t.fourier(None, [0.0], 1.0, [[1]], [[1]])(np.inf), "t must be finite"),
    ],
)
def test_invalid_arguments_are_explained(call: Any, message: str) -> None:
    with pytest.raises(jounce.errors.ArgumentError, match=message):
        call(trajectories)


def test_a_missing_scipy_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(ImportError, match=r"jounce\[control\]"):
        trajectories.spline(None, [0, 1], [[0.0], [1.0]])
