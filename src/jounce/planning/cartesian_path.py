"""Paths of frames as paths of the joints, by inverse kinematics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError
from jounce.planning.retiming import InfeasiblePathError
from jounce.robot import Robot
from jounce.solve import Mechanism
from jounce.trajectories import Trajectory, pose_spline, spline

#: Largest step of the joints between samples, relative to the median step (and rad or m), beyond
#: which solutions are on different branches.
_JUMP, _SMALL = 10.0, 0.02

#: Number of configurations of the first, smooth guess.
_COARSE = 13

#: Samples that determine derivatives at the ends.
_END_SAMPLES = 7

#: Tolerance of inverse kinematics (m and rad): derivatives of the path amplify errors.
_TOLERANCE = 1e-10


def cartesian_path(
    robot: Robot | Mechanism,
    targets: Mapping[str, Trajectory | ArrayLike],
    q0: ArrayLike | None = None,
    *,
    samples: int = 100,
    **options: Any,
) -> Trajectory:
    """Return a path of the joints along which frames follow paths, for `retime`.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot.
    targets : mapping of str to Trajectory or array_like
        Paths of frames, or of "center_of_mass", in world axes: a `pose_spline`, poses (n, 4, 4) or
        positions (n, 3) through which a spline is laid at equal steps of s from 0 to 1, or one pose
        (4, 4) or position (3,) that is held.
    q0 : array_like (nq,), optional
        Where the search of the first configuration starts.
    samples : int
        Number of intervals between the configurations that are computed.
    **options
        Options of `robot.inverse_kinematics`, such as `posture` and `limits`.

    Returns
    -------
    Trajectory
        A spline of degree 5 through the configurations.

    Raises
    ------
    InfeasiblePathError
        If a target cannot be reached, or not without a jump of the joints.

    Notes
    -----
    Between samples, frames are off their paths by an amount that decreases with the sixth power of
    the distance of the samples.

    Examples
    --------
    >>> import jounce
    >>> import numpy as np
    >>> from jounce import planning
    >>> robot = jounce.load("kuka_iiwa14")
    >>> q0 = np.array([0, 0.6, 0, -1.2, 0, 0.9, 0])
    >>> poses = np.repeat(robot.frame("tool").pose(q0)[None], 2, axis=0)
    >>> poses[1, :3, 3] += (0.0, 0.2, -0.1)
    >>> path = planning.cartesian_path(robot, {"tool": poses}, q0)
    >>> motion = planning.retime(robot, path)
    """
    if not isinstance(robot, Robot | Mechanism):
        raise ArgumentError(f"cartesian_path: expected a robot or a mechanism, found {robot!r:.80}")
    if not isinstance(targets, Mapping) or not targets:
        raise ArgumentError("cartesian_path: targets must be a mapping of frames to paths")
    if int(samples) != samples or samples < 6:
        raise ArgumentError(f"cartesian_path: samples must be a whole number > 5, found {samples}")
    curves = {name: _check_target(name, x) for name, x in targets.items()}
    moving = [x for x in curves.values() if isinstance(x, Trajectory)]
    intervals = {(x.start, x.end) for x in moving}
    if len(intervals) != 1:
        raise ArgumentError(
            "cartesian_path: expected paths with the same first and last parameter, found"
            f" {sorted(intervals) or 'only constant targets'}"
        )
    s = np.linspace(*intervals.pop(), int(samples) + 1)
    values = {
        name: x(s, 0)[0] if isinstance(x, Trajectory) else np.broadcast_to(x, (len(s), *x.shape))
        for name, x in curves.items()
    }
    options = {"tolerance": _TOLERANCE, **options}
    q = _follow(robot, s, values, q0, options)
    steps = np.abs(robot.difference(q[:-1], q[1:])).max(axis=1)
    if (steps > max(_JUMP * float(np.median(steps)), _SMALL)).any():
        k = int(np.argmax(steps))
        raise InfeasiblePathError(
            f"the joints of '{robot.name}' jump by {steps[k]:.3g} between s = {s[k]:.6g} and"
            f" {s[k + 1]:.6g}; start from another q0, or use more samples"
        )
    # a smooth curve close to the solutions, which redundant joints leave unevenly
    some = np.unique(np.rint(np.linspace(0, len(s) - 1, min(_COARSE, len(s)))).astype(int))
    guess = spline(robot, s[some], q[some], 5)(s, 0)[0]
    options["restarts"] = 0
    solution = robot.inverse_kinematics(values, guess, **options)
    q = np.where(np.asarray(solution.success)[:, None], solution.q, q)
    start, end = (_end_rates(robot, t, x) for t, x in ((s, q), (s[::-1], q[::-1])))
    return spline(robot, s, q, 5, start=start, end=end)


def _follow(
    robot: Robot | Mechanism,
    s: np.ndarray,
    values: Mapping[str, np.ndarray],
    q0: ArrayLike | None,
    options: dict[str, Any],
) -> np.ndarray:
    """Return configurations (samples, nq) that reach the targets, each from the one before."""
    points: list[np.ndarray] = []
    for k in range(len(s)):
        goals = {name: x[k] for name, x in values.items()}
        further = {"restarts": 0} if points else {}
        start = points[-1] if points else q0
        solution = robot.inverse_kinematics(goals, start, **{**options, **further})
        if not solution.success:
            raise InfeasiblePathError(
                f"the path of {', '.join(map(repr, values))} cannot be followed at s = {s[k]:.6g}:"
                f" {solution.reason}"
            )
        points.append(np.asarray(solution.q))
    return np.stack(points)


def _end_rates(
    robot: Robot | Mechanism, s: np.ndarray, q: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the first two derivatives at the first sample, from a polynomial."""
    x, d = s[:_END_SAMPLES] - s[0], robot.difference(q[0], q[:_END_SAMPLES])
    powers = np.linalg.solve(np.vander(x / x[-1], increasing=True), d)
    return powers[1] / x[-1], 2.0 * powers[2] / x[-1] ** 2


def _check_target(name: str, target: Any) -> Trajectory | np.ndarray:
    """Return a path of a frame, or a constant target."""
    if isinstance(target, Trajectory):
        return target
    x = np.asarray(target, dtype=float)
    if x.shape in ((3,), (4, 4)):
        return x
    if x.shape[1:] not in ((3,), (4, 4)) or len(x) < 2:
        raise ArgumentError(
            f"cartesian_path: the target of '{name}' must be a trajectory or have shape (n, 4, 4),"
            f" (n, 3), (4, 4) or (3,), found {x.shape}"
        )
    times, degree = np.linspace(0.0, 1.0, len(x)), 5 if len(x) > 2 else 3
    return spline(None, times, x, degree) if x.ndim == 2 else pose_spline(times, x, degree)
