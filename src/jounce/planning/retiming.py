"""Time-optimal motion along paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError, JounceError
from jounce.planning.limits import (
    Limit,
    Limits,
    Path,
    Wrenches,
    check_limit,
    fastest_speeds,
    value_rows,
)
from jounce.planning.rate_limits import SmoothEnds, find_smooth_profile
from jounce.planning.reachability import NoProfileError, find_fastest_profile
from jounce.planning.retimed_path import RetimedPath
from jounce.robot import Robot
from jounce.solve import Mechanism
from jounce.trajectories import Trajectory, spline


class InfeasiblePathError(JounceError):
    """A path that cannot be followed; the message says where, and which limits contradict."""


def retime(
    robot: Robot | Mechanism,
    path: Trajectory | ArrayLike,
    *,
    velocity: Limit = True,
    acceleration: Limit = None,
    torque: Limit = True,
    jerk: Limit = None,
    torque_rate: Limit = None,
    wrenches: Wrenches = None,
    points: int | ArrayLike = 300,
    speeds: tuple[float, float] = (0.0, 0.0),
) -> RetimedPath:
    """Return the fastest motion along a path within limits.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot.
    path : Trajectory or array_like (n, nq)
        A trajectory, whose time is taken for the path parameter s, or waypoints, through which a
        spline is laid. Its derivative with respect to s should not vanish.
    velocity, acceleration, torque : bool, array_like or pair
        Limits of joint velocities (rad/s, m/s), their rates, and forces (N m, N): True for those of
        the model, None for none, a number or (nv,) for absolute values, or a pair (lower, upper).
    jerk, torque_rate : array_like or pair, optional
        Limits of the rates of accelerations and forces. With them, the motion starts and ends at
        rest, without acceleration.
    wrenches : array_like (nb, 6) or callable, optional
        External wrenches on the bodies, as in `robot.inverse_dynamics`, or a function of s.
    points : int or array_like
        Number of intervals, or, without limits of rates, the path parameters of their ends.
    speeds : tuple of two floats
        ds/dt at the start and the end; 0 with limits of rates.

    Returns
    -------
    RetimedPath
        Trajectory with its torques, the excess over limits between points, and plots.

    Raises
    ------
    InfeasiblePathError
        If no motion along the path satisfies the limits; the message says where and why.

    Notes
    -----
    Without limits of rates, the optimum for piecewise constant d2s/dt2 is found, by reachability
    analysis. With them, a local optimum of a sequence of convex programs; limits are exceeded by
    less than 0.1 % between points.

    Examples
    --------
    >>> import jounce
    >>> from jounce import planning
    >>> robot = jounce.load("kuka_iiwa14")
    >>> q = robot.neutral()
    >>> motion = planning.retime(robot, [q, q + 0.5, q + [0.2, 0.9, 0, 0.1, 0, 0, 0]])
    >>> q, v, a, j = motion(0.5 * motion.duration)
    >>> bool(max(motion.violation().values()) < 0.01)
    True
    """
    if not isinstance(robot, Robot | Mechanism):
        raise ArgumentError(f"retime: expected a robot or a mechanism, found {robot!r:.80}")
    limits = Limits(
        robot,
        velocity=check_limit(robot, "velocity", velocity),
        acceleration=check_limit(robot, "acceleration", acceleration),
        torque=check_limit(robot, "torque", torque),
        jerk=check_limit(robot, "jerk", jerk),
        torque_rate=check_limit(robot, "torque_rate", torque_rate),
        wrenches=wrenches,
    )
    curve, start, end = _check_path(robot, path, limits.has_rates)
    if limits.has_rates and callable(wrenches):
        raise ArgumentError("retime: with limits of rates, wrenches must be constant")
    s = _check_points(points, start, end, limits.has_rates)
    try:
        if limits.has_rates:
            if tuple(speeds) != (0.0, 0.0):
                raise ArgumentError(
                    f"retime: speeds must be (0, 0) with limits of rates, found {speeds}"
                )
            smooth = SmoothEnds(curve, start, end)
            sigma, x, u, w = find_smooth_profile(limits, smooth, len(s) - 1)
            return RetimedPath(limits, smooth, sigma, x, u, w)
        values = curve(s, 2)
        rows, largest = value_rows(limits, s, values), fastest_speeds(limits, values)
        if not rows.names:
            raise ArgumentError(
                f"retime: expected limits of accelerations or torques of '{robot.name}', found none"
            )
        ends = _check_speeds(speeds, largest)
        x, u = find_fastest_profile(s, rows, largest, ends)
    except NoProfileError as error:
        raise InfeasiblePathError(_explain(robot, curve, s, error)) from None
    return RetimedPath(limits, curve, s, x, u, np.zeros_like(u))


def _explain(robot: Any, curve: Path, s: np.ndarray, error: NoProfileError) -> str:
    """Return the message about a path without profile."""
    q = curve(s[error.point : error.point + 1], 0)[0][0]
    at = np.array2string(q, precision=3, separator=", ", threshold=12)
    return (
        f"no motion of '{robot.name}' along the path satisfies the limits: at s ="
        f" {s[error.point]:.6g}, q = {at}, {' and '.join(error.names)} contradict each other"
    )


def _check_path(robot: Any, path: Any, smooth: bool) -> tuple[Path, float, float]:
    """Return a path with its first and last parameter."""
    if not isinstance(path, Trajectory):
        waypoints = np.asarray(path, dtype=float)
        if waypoints.ndim != 2 or waypoints.shape[1] != robot.nq or len(waypoints) < 2:
            raise ArgumentError(
                f"retime: path must be a trajectory or waypoints (n, {robot.nq}), n > 1, found"
                f" shape {waypoints.shape}"
            )
        steps = np.linalg.norm(robot.difference(waypoints[:-1], waypoints[1:]), axis=-1)
        if not (steps > 0.0).all():
            raise ArgumentError("retime: successive waypoints must differ")
        s = np.concatenate(([0.0], np.cumsum(steps)))
        path = spline(robot, s, waypoints, 5 if smooth and len(waypoints) > 3 else 3)
    if path.batch or path.robot is not robot or not np.isfinite((path.start, path.end)).all():
        raise ArgumentError(
            f"retime: expected one path of '{robot.name}' with a start and an end, found {path!r}"
        )
    return path, path.start, path.end


def _check_points(points: Any, start: float, end: float, uniform: bool) -> np.ndarray:
    """Return the path parameters of the points."""
    if np.ndim(points) == 0:
        count = int(points)
        if count != points or count < 2:
            raise ArgumentError(f"retime: points must be a whole number > 1, found {points}")
        return np.linspace(start, end, count + 1)
    s = np.asarray(points, dtype=float)
    if uniform or s.ndim != 1 or len(s) < 3 or not (np.diff(s) > 0.0).all():
        raise ArgumentError(
            "retime: points must be a number"
            + (" with limits of rates" if uniform else " or increasing path parameters")
        )
    if abs(s[0] - start) + abs(s[-1] - end) > 1e-9 * (end - start):
        raise ArgumentError(
            f"retime: points must lead from {start:g} to {end:g}, found {s[0]:g} to {s[-1]:g}"
        )
    return s


def _check_speeds(speeds: Sequence[float], largest: np.ndarray) -> tuple[float, float]:
    """Return the squared speeds at both ends."""
    if len(speeds) != 2 or not all(np.isfinite(x) and x >= 0.0 for x in speeds):
        raise ArgumentError(f"retime: speeds must be two numbers >= 0, found {speeds}")
    ends = float(speeds[0]) ** 2, float(speeds[1]) ** 2
    if ends[0] > largest[0] or ends[1] > largest[-1]:
        raise InfeasiblePathError(
            f"speeds {tuple(speeds)} exceed the limits of velocities at the ends of the path,"
            f" {largest[0] ** 0.5:.6g} and {largest[-1] ** 0.5:.6g}"
        )
    return ends
