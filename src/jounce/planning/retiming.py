"""Time-optimal motion along paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError, JounceError
from jounce.planning.contact_limits import Stance
from jounce.planning.limits import (
    KINDS,
    Limit,
    Limits,
    check_limit,
    fastest_speeds,
    value_rows,
)
from jounce.planning.motor_limits import Motors
from jounce.planning.path_points import LoadedPath, SmoothEnds, Wrenches
from jounce.planning.rate_limits import find_smooth_motion
from jounce.planning.reachability import NoProfileError, find_fastest_profile
from jounce.planning.retimed_path import RetimedPath
from jounce.robot import Robot
from jounce.solve import ElasticRobot, Mechanism
from jounce.solve.contacts import Contacts, Ground
from jounce.trajectories import Trajectory, spline


class InfeasiblePathError(JounceError):
    """A path that cannot be followed; the message says where, and which limits contradict."""


def retime(
    robot: Robot | Mechanism | ElasticRobot | Contacts,
    path: Trajectory | ArrayLike,
    *,
    velocity: Limit = True,
    acceleration: Limit = None,
    torque: Limit = True,
    jerk: Limit = None,
    torque_rate: Limit = None,
    motor_torque: Limit = None,
    motor_torque_rate: Limit = None,
    wrenches: Wrenches = None,
    friction: ArrayLike = 0.7,
    size: Any = None,
    normals: ArrayLike | None = None,
    points: int | ArrayLike = 300,
    speeds: tuple[float, float] = (0.0, 0.0),
) -> RetimedPath:
    """Return the fastest motion along a path within limits.

    Parameters
    ----------
    robot : Robot, Mechanism, ElasticRobot or Contacts
        The robot, `robot.closed()`, `robot.elastic(...)` or `robot.contacts(...)`.
    path : Trajectory or array_like (n, nq)
        A trajectory of the robot, whose time is taken for the path parameter s, or waypoints,
        through which a spline is laid; repeated ones are left out. Its derivative with respect to s
        should not vanish.
    velocity, acceleration, torque : bool, array_like or pair
        Limits of joint velocities (rad/s, m/s), their rates, and forces (N m, N): True for those of
        the model, None for none, a number or (nv,) for absolute values, or a pair (lower, upper).
    jerk, torque_rate : array_like or pair, optional
        Limits of the rates of accelerations and forces. With them, the motion starts and ends at
        rest, without acceleration.
    motor_torque, motor_torque_rate : bool, array_like or pair, optional
        Limits of the motors of elastic joints; `torque` are then the forces of the springs. With
        them, the motion starts and ends without jerk, and with those of rates, without snap. The
        path needs continuous derivatives up to the fourth, such as splines of degree 5.
    wrenches : array_like (nb, 6) or callable, optional
        External wrenches on the bodies, as in `robot.inverse_dynamics`, or a function of s. With
        limits of rates, a function is interpolated by a spline.
    friction, size, normals
        Of contacts, as in `Contacts.contact_forces`. Contacts must stay where they are along the
        path. Their forces are chosen such that the motion is as fast as possible; the motion starts
        and ends at rest.
    points : int or array_like
        Number of intervals, or, without limits of rates, motors and contacts, the path parameters
        of their ends.
    speeds : tuple of two floats
        ds/dt at the start and the end; 0 with limits of rates, motors and contacts.

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
    Without limits of rates, motors and contacts, the optimum for piecewise constant d2s/dt2 is
    found, by reachability analysis. With them, a local optimum of a sequence of convex programs;
    limits are exceeded by less than 0.1 % between points.

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
    if not isinstance(robot, Robot | Mechanism | ElasticRobot | Contacts):
        raise ArgumentError(f"retime: expected a robot or a mechanism, found {robot!r:.80}")
    motors, stance, links = None, None, robot
    if isinstance(robot, ElasticRobot):
        motors, links = Motors.of(robot), robot.robot
    elif isinstance(robot, Contacts):
        ground = Ground.of(robot, friction, normals, size, None, title="retime")
        stance, links = Stance(robot, ground), robot.robot
    assert isinstance(links, Robot | Mechanism)
    if motors is None and (motor_torque is not None or motor_torque_rate is not None):
        raise ArgumentError(
            f"retime: limits of motors need elastic joints, robot.elastic(...), found"
            f" '{links.name}'"
        )
    chosen = (velocity, acceleration, torque, motor_torque, jerk, torque_rate, motor_torque_rate)
    pairs = {name: check_limit(links, name, x) for name, x in zip(KINDS, chosen, strict=True)}
    limits = Limits(links, **pairs, motors=motors, stance=stance)
    smooth = limits.order > 0 or stance is not None
    curve = _check_path(links, path, smooth)
    s = _check_points(points, curve.start, curve.end, smooth)
    loaded = LoadedPath(
        links,
        curve.path,
        (curve.start, curve.end),
        wrenches,
        len(s) - 1 if limits.order else 0,
    )
    try:
        if smooth and tuple(speeds) != (0.0, 0.0):
            raise ArgumentError(
                "retime: speeds must be (0, 0) with limits of rates, motors or contacts, found"
                f" {speeds}"
            )
        fast = None if stance else _find_fastest(limits, loaded, s, speeds)
        if fast is not None and not smooth:
            return fast
        return _find_smooth(limits, loaded, s, curve.knots, fast)
    except NoProfileError as error:
        raise InfeasiblePathError(_explain(links, curve, error)) from None


def _find_fastest(
    limits: Limits, path: LoadedPath, s: np.ndarray, speeds: tuple[float, float]
) -> RetimedPath | None:
    """Return the fastest motion without limits of rates; None if there are only such limits."""
    points = path(s, 2)
    if not np.any(points.q[1]):
        raise ArgumentError(f"retime: the path of '{limits.robot.name}' does not move")
    rows, largest = value_rows(limits, points), fastest_speeds(limits, points.q)
    if not rows.names:
        if limits.order:
            return None
        raise ArgumentError(
            f"retime: expected limits of accelerations or torques of '{limits.robot.name}', found"
            " none"
        )
    x, u = find_fastest_profile(s, rows, largest, _check_speeds(speeds, largest))
    return RetimedPath(limits, path, s, np.stack((x[:-1], 2.0 * u), axis=1))


def _find_smooth(
    limits: Limits,
    path: LoadedPath,
    s: np.ndarray,
    knots: np.ndarray,
    fast: RetimedPath | None,
) -> RetimedPath:
    """Return the fastest motion from rest to rest under limits of rates, motors or contacts."""
    if limits.stance is not None:
        limits.stance.check(*path(s, 1).q)
    smooth = SmoothEnds(path, max(1, limits.order))
    grid = np.linspace(0.0, 1.0, len(s))
    corners = smooth.sigma(knots[1:-1])  # where derivatives of the path may jump
    nearest = np.rint(corners * (len(s) - 1)).astype(int)
    grid[np.clip(nearest, 1, len(s) - 2)] = corners
    grid = np.unique(grid)
    duration = None if fast is None else fast.duration
    return find_smooth_motion(limits, smooth, grid, duration)


@dataclass(frozen=True)
class _Curve:
    """A path with its first and last parameter, and parameters at which derivatives may jump."""

    path: Trajectory
    start: float
    end: float
    knots: np.ndarray


def _explain(robot: Any, curve: _Curve, error: NoProfileError) -> str:
    """Return the message about a path without profile."""
    q = curve.path(error.s, 0)[0]
    text = np.array2string(q, 1000, precision=3, separator=", ", threshold=12)
    return (
        f"no motion of '{robot.name}' along the path satisfies the limits: at s = {error.s:.6g},"
        f" q = {text}, {' and '.join(error.names)} contradict each other"
    )


def _check_path(robot: Robot | Mechanism, path: Any, smooth: bool) -> _Curve:
    """Return a path with its first and last parameter."""
    knots = None
    if not isinstance(path, Trajectory):
        waypoints = np.asarray(path, dtype=float)
        if waypoints.ndim != 2 or waypoints.shape[1] != robot.nq or len(waypoints) < 2:
            raise ArgumentError(
                f"retime: path must be a trajectory or waypoints (n, {robot.nq}), n > 1, found"
                f" shape {waypoints.shape}"
            )
        steps = np.linalg.norm(robot.difference(waypoints[:-1], waypoints[1:]), axis=-1)
        if not steps.any():
            raise ArgumentError("retime: waypoints must differ, found one configuration only")
        waypoints, steps = waypoints[np.append(True, steps > 0.0)], steps[steps > 0.0]
        knots = np.concatenate(([0.0], np.cumsum(steps)))
        path = spline(robot, knots, waypoints, 5 if smooth and len(waypoints) > 2 else 3)
    if path.batch or path.robot is not robot or not np.isfinite((path.start, path.end)).all():
        raise ArgumentError(
            f"retime: expected one path of '{robot.name}' with a start and an end, found {path!r}"
        )
    return _Curve(
        path,
        path.start,
        path.end,
        np.array((path.start, path.end)) if knots is None else knots,
    )


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
            + (
                " with limits of rates, motors or contacts"
                if uniform
                else " or increasing path parameters"
            )
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
