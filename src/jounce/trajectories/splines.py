"""Piecewise polynomial motions, on SciPy's splines.

Between two waypoints the motion is q_k exp(x(t)) with a polynomial x(t) that takes the velocity and
its derivatives prescribed at both. These are those of an ordinary spline through the waypoints,
whose steps are the tangents that lead from each to the next: joints whose velocities are rates of
coordinates follow that spline exactly, spherical, planar and free joints follow a motion that
passes the same waypoints with the same velocities, as smooth as the spline up to the snap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays import lie, state_array
from jounce.errors import ArgumentError
from jounce.robot import Robot
from jounce.solve import Mechanism
from jounce.trajectories.charts import MAX_ORDER, Chart, PoseChart, single_body
from jounce.trajectories.trajectory import Trajectory

#: Order of the highest derivative that is continuous at waypoints.
_SMOOTH = 4

#: Number of coefficients up to which powers of t, which are evaluated five times as fast, are as
#: accurate as Bernstein polynomials.
_MAX_POWERS = 6

#: Distance (rad or m) of a waypoint from the end of the motion to it that is round-off.
_ROUND_OFF = 1e-9


@dataclass(frozen=True)
class _Segments:
    """Curve that is a polynomial on each segment, around a base point at the segment's start."""

    times: np.ndarray
    #: Base points (segments, ..., nq).
    bases: np.ndarray
    #: BPoly or PPoly with coefficients (degree + 1, segments, ..., nv).
    polynomials: Any

    def __call__(self, t: np.ndarray, order: int) -> tuple[np.ndarray, list[np.ndarray]]:
        segment = np.searchsorted(self.times, t, side="right") - 1
        base = self.bases[np.clip(segment, 0, len(self.bases) - 1)]
        degree = len(self.polynomials.c) - 1
        x = [self.polynomials(t, nu=k) for k in range(min(order, degree) + 1)]
        return base, x + [np.zeros_like(x[0]) for _ in range(order - degree)]


def polynomial(
    robot: Robot | Mechanism | None,
    times: tuple[float, float],
    start: Sequence[ArrayLike],
    end: Sequence[ArrayLike],
) -> Trajectory:
    """Return the polynomial motion between two states, of degree 1 to 11.

    The degree is one less than the number of conditions: position, velocity and acceleration at
    both ends give the fifth degree.

    Parameters
    ----------
    robot : Robot, Mechanism or None
        Whose motion; None for plain coordinates.
    times : tuple of two floats
        First and last instant in s.
    start, end : sequence of array_like
        The configuration (..., nq), then the velocity and its derivatives (..., nv), at most up to
        the fifth derivative of the configuration. A number stands for all entries of a derivative.

    Returns
    -------
    Trajectory
        The motion.

    Examples
    --------
    >>> from jounce import trajectories
    >>> move = trajectories.polynomial(None, (0.0, 2.0), ([0.0], 0, 0), ([1.0], 0, 0))
    >>> [x.tolist() for x in move(1.0, order=1)]
    [[0.5], [0.9375]]
    """
    chart, instants = Chart(robot), _check_times(times, 2)
    if not (1 <= len(start) <= MAX_ORDER + 1 and 1 <= len(end) <= MAX_ORDER + 1):
        raise ArgumentError(
            f"start and end must have 1 to {MAX_ORDER + 1} entries: configuration, velocity, ...,"
            f" found {len(start)} and {len(end)}"
        )
    q0, q1 = np.broadcast_arrays(*(np.asarray(x[0], dtype=float) for x in (start, end)))
    points = _check_points(robot, np.stack((q0, q1), axis=-2))
    nv = points.shape[-1] if robot is None else robot.nv
    left, right = ([_tangent(x, nv) for x in state[1:]] for state in (start, end))
    return _join(chart, instants, points, [x[None] for x in left], [x[None] for x in right])


def spline(
    robot: Robot | Mechanism | None,
    times: ArrayLike,
    waypoints: ArrayLike,
    degree: int = 5,
    *,
    start: Sequence[ArrayLike | None] = (),
    end: Sequence[ArrayLike | None] = (),
) -> Trajectory:
    """Return a spline through waypoints, by default with free ends.

    The spline of degree 2 m - 1 minimizes the integral of the squared derivative of order m among
    all motions through the waypoints with the derivatives given at the ends; its derivatives are
    continuous up to the order 2 m - 2, and for spherical, planar and free joints at most up to 4.

    Parameters
    ----------
    robot : Robot, Mechanism or None
        Whose motion; None for plain coordinates.
    times : array_like (n,)
        Instants of the waypoints in s, increasing.
    waypoints : array_like (..., n, nq)
        Configurations.
    degree : int
        1, 3, 5, 7 or 9.
    start, end : sequence of array_like or None
        Velocity and its derivatives (..., nv) at the first and the last waypoint, at most up to the
        order m - 1 of the configuration. A number stands for all entries; None and omitted entries
        are free.

    Returns
    -------
    Trajectory
        The motion.

    Notes
    -----
    Steps of spherical and free joints between waypoints turn by less than pi. There, the
    minimum refers to the steps laid out one after the other in a plane tangent space.
    """
    chart, instants = Chart(robot), _check_times(times)
    return _through(
        chart, instants, _check_points(robot, waypoints, len(instants)), degree, start, end
    )


def minimum_jerk(
    robot: Robot | Mechanism | None,
    times: ArrayLike,
    waypoints: ArrayLike,
    *,
    start: Sequence[ArrayLike | None] = (0.0, 0.0),
    end: Sequence[ArrayLike | None] = (0.0, 0.0),
) -> Trajectory:
    """Return the motion through waypoints with the least integral of the squared jerk.

    Parameters
    ----------
    robot, times, waypoints
        As in `spline`, with degree 5.
    start, end : sequence of array_like or None
        Velocity and acceleration at the ends, by default at rest; None leaves one free.

    Returns
    -------
    Trajectory
        The motion, whose derivatives are continuous up to the snap.
    """
    return spline(robot, times, waypoints, 5, start=start, end=end)


def minimum_snap(
    robot: Robot | Mechanism | None,
    times: ArrayLike,
    waypoints: ArrayLike,
    *,
    start: Sequence[ArrayLike | None] = (0.0, 0.0, 0.0),
    end: Sequence[ArrayLike | None] = (0.0, 0.0, 0.0),
) -> Trajectory:
    """Return the motion through waypoints with the least integral of the squared snap.

    Parameters
    ----------
    robot, times, waypoints
        As in `spline`, with degree 7.
    start, end : sequence of array_like or None
        Velocity, acceleration and jerk at the ends, by default at rest; None leaves one free.

    Returns
    -------
    Trajectory
        The motion, whose derivatives are continuous up to the sixth, for spherical, planar and free
        joints up to the snap.
    """
    return spline(robot, times, waypoints, 7, start=start, end=end)


def pose_spline(
    times: ArrayLike,
    poses: ArrayLike,
    degree: int = 5,
    *,
    start: Sequence[ArrayLike | None] = (),
    end: Sequence[ArrayLike | None] = (),
) -> Trajectory:
    """Return a spline on SE(3) through poses of a frame.

    Parameters
    ----------
    times : array_like (n,)
        Instants in s, increasing.
    poses : array_like (..., n, 4, 4)
        Homogeneous matrices.
    degree, start, end
        As in `spline`; derivatives are body-fixed twists (..., 6) and their time derivatives.

    Returns
    -------
    Trajectory
        Its call returns the pose (..., 4, 4), the body-fixed twist (..., 6), and its derivatives.
    """
    T, instants = np.asarray(poses, dtype=float), _check_times(times)
    if T.shape[-2:] != (4, 4):
        raise ArgumentError(f"poses must have shape (..., n, 4, 4), found {T.shape}")
    chart = PoseChart()
    q = np.concatenate((lie.quaternion.from_rotation(T[..., :3, :3]), T[..., :3, 3]), axis=-1)
    points = _check_points(chart.robot, q, len(instants))
    return _through(chart, instants, points, degree, start, end)


def quaternion_spline(
    times: ArrayLike,
    quaternions: ArrayLike,
    degree: int = 5,
    *,
    start: Sequence[ArrayLike | None] = (),
    end: Sequence[ArrayLike | None] = (),
) -> Trajectory:
    """Return a spline on the rotations through unit quaternions.

    Parameters
    ----------
    times : array_like (n,)
        Instants in s, increasing.
    quaternions : array_like (..., n, 4)
        Quaternions (w, x, y, z); they are normalized.
    degree, start, end
        As in `spline`; derivatives are body-fixed angular velocities (..., 3) and their time
        derivatives.

    Returns
    -------
    Trajectory
        Its call returns the quaternion (..., 4), the angular velocity (..., 3), and its
        derivatives.
    """
    x, chart = np.asarray(quaternions, dtype=float), Chart(single_body("spherical"))
    if x.shape[-1:] != (4,):
        raise ArgumentError(f"quaternions must have shape (..., n, 4), found {x.shape}")
    instants = _check_times(times)
    points = _check_points(chart.robot, x, len(instants))
    return _through(chart, instants, points, degree, start, end)


def _through(
    chart: Chart,
    times: np.ndarray,
    points: np.ndarray,
    degree: int,
    start: Sequence[ArrayLike | None],
    end: Sequence[ArrayLike | None],
) -> Trajectory:
    """Return the spline through points (n, ..., nq)."""
    if degree not in (1, 3, 5, 7, 9):
        raise ArgumentError(f"degree must be 1, 3, 5, 7 or 9, found {degree!r}")
    interpolate, m = _scipy(), (degree + 1) // 2
    steps = chart.difference(points[:-1], points[1:])
    ends = [
        _end_conditions(x, steps.shape[-1], m, of) for x, of in ((start, "start"), (end, "end"))
    ]
    batch = np.broadcast_shapes(points.shape[1:-1], *(x.shape[:-1] for e in ends for _, x in e))
    points = np.broadcast_to(points, (len(points), *batch, points.shape[-1]))
    steps = np.broadcast_to(steps, (len(steps), *batch, steps.shape[-1]))
    path = np.concatenate((np.zeros((1, *steps.shape[1:])), np.cumsum(steps, axis=0)))
    full = [[(order, np.broadcast_to(x, path.shape[1:])) for order, x in e] for e in ends]
    try:
        bounds = full if m > 1 else None
        curve = interpolate.make_interp_spline(times, path, k=degree, bc_type=bounds)
    except np.linalg.LinAlgError:
        prescribed = sum(order < m for end in full for order, _ in end)
        raise ArgumentError(
            f"a spline of degree {degree} is determined by at least {m} waypoints and derivatives"
            f" at its ends, found {len(times)} and {prescribed}; prescribe start and end, or lower"
            " the degree"
        ) from None
    nodes = [curve(times, nu=k) for k in range(1, min(degree - 1, _SMOOTH) + 1)]
    for conditions, place in zip(full, (0, -1), strict=True):
        for order, x in conditions:
            if order <= len(nodes):
                nodes[order - 1][place] = x
    left, right = [x[:-1] for x in nodes], [x[1:] for x in nodes]
    return _join(chart, times, points, left, right, steps)


def _join(
    chart: Chart,
    times: np.ndarray,
    points: np.ndarray,
    left: Sequence[np.ndarray],
    right: Sequence[np.ndarray],
    steps: np.ndarray | None = None,
) -> Trajectory:
    """Return the motion through points (n, ..., nq) from derivatives at both ends of each segment.

    left, right: velocity, acceleration, ..., (n - 1, ..., nv) or (1, ..., nv) each.
    """
    interpolate = _scipy()
    if steps is None:
        steps = chart.difference(points[:-1], points[1:])
    _check_arrivals(chart, points, steps)
    sides = chart.tangents(np.zeros_like(steps), left), chart.tangents(steps, right)
    shape = np.broadcast_shapes(*(x.shape for side in sides for x in side))
    lengths = np.diff(times).reshape(-1, *(1,) * (len(shape) - 1))
    values = [
        np.stack([np.broadcast_to(x * lengths**k, shape) for k, x in enumerate(side)])
        for side in sides
    ]
    # all segments at once, on the unit interval: Bernstein coefficients do not depend on it
    c = interpolate.BPoly.from_derivatives([0.0, 1.0], values).c[:, 0]
    bases = np.broadcast_to(points[:-1], (*shape[:-1], points.shape[-1]))
    curve = interpolate.BPoly(c, times)
    if len(c) <= _MAX_POWERS:
        curve = interpolate.PPoly.from_bernstein_basis(curve)
    curve = _Segments(times, bases, curve)
    return Trajectory(chart, curve, times[0], times[-1], shape[1:-1])


def _check_arrivals(chart: Chart, points: np.ndarray, steps: np.ndarray) -> None:
    """Raise an error if a mechanism reaches a waypoint in another assembly mode."""
    if not isinstance(chart.robot, Mechanism):
        return
    reached = chart.configuration(points[:-1], steps)
    gaps = np.abs(chart.robot.robot.difference(reached, points[1:]))
    gaps = gaps.reshape(len(steps), -1).max(axis=1)
    if np.any(gaps > _ROUND_OFF):
        k = int(np.argmax(gaps))
        raise ArgumentError(
            f"{chart.robot.name}: the motion from waypoint {k} reaches waypoint {k + 1} with"
            f" dependent joints off by {gaps[k]:.2g}; add waypoints between them"
        )


def _end_conditions(
    given: Sequence[ArrayLike | None], nv: int, m: int, name: str
) -> list[tuple[int, np.ndarray]]:
    """Return orders and values of derivatives at an end; a free one has a zero counterpart."""
    if len(given) >= m:
        raise ArgumentError(
            f"{name}: a spline of degree {2 * m - 1} takes at most {m - 1} derivatives, found"
            f" {len(given)}"
        )
    every = [*given, *(None for _ in range(m - 1 - len(given)))]
    return [
        (2 * m - 1 - k, np.zeros(nv)) if x is None else (k, _tangent(x, nv))
        for k, x in enumerate(every, 1)
    ]


def _tangent(x: ArrayLike, nv: int) -> np.ndarray:
    """Return a derivative (..., nv); a number stands for all entries."""
    x = np.asarray(x, dtype=float)
    if not np.all(np.isfinite(x)):
        raise ArgumentError("derivatives must be finite, found NaN or infinity")
    if x.ndim and x.shape[-1] != nv:
        raise ArgumentError(f"derivatives must have shape (..., {nv}), found {x.shape}")
    return x if x.ndim else np.full(nv, float(x))


def _check_points(
    robot: Robot | Mechanism | None, waypoints: ArrayLike, count: int | None = None
) -> np.ndarray:
    """Return waypoints (n, ..., nq) from (..., n, nq), with unit quaternions and closed loops."""
    if robot is None:
        points = np.asarray(waypoints, dtype=float)
    else:
        points = state_array(robot, waypoints, "q", f"{robot.name}: argument 'waypoints'")
        points = robot.normalize(points)
        robot.refuse_open_loops(points, f"{robot.name}: argument 'waypoints'")
    expected = "n" if count is None else count
    if points.ndim < 2 or (count is not None and points.shape[-2] != count):
        raise ArgumentError(
            f"waypoints must have shape (..., {expected}, nq), found {points.shape}"
        )
    if not np.all(np.isfinite(points)):
        raise ArgumentError("waypoints must be finite, found NaN or infinity")
    return np.moveaxis(points, -2, 0)


def _check_times(times: ArrayLike, count: int | None = None) -> np.ndarray:
    """Return increasing instants (n,)."""
    instants = np.asarray(times, dtype=float)
    valid = instants.ndim == 1 and len(instants) >= 2 and np.all(np.isfinite(instants))
    if not valid or np.any(np.diff(instants) <= 0.0) or count not in (None, len(instants)):
        number = "at least 2" if count is None else count
        raise ArgumentError(f"times must be {number} increasing numbers, found {instants.tolist()}")
    return instants


def _scipy() -> Any:
    """Return scipy.interpolate; say how to install it if it is missing."""
    try:
        from scipy import interpolate
    except ImportError:
        raise ImportError(
            'splines and polynomials need SciPy; install it: pip install "jounce[control]"'
        ) from None
    return interpolate
