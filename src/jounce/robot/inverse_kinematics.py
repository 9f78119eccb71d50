"""Inverse kinematics as a method of robots and mechanisms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import explain_call
from jounce.model import manifold
from jounce.model.limits import Limits
from jounce.utils.registry import provide

if TYPE_CHECKING:
    from jounce.robot.robot import Robot
    from jounce.solve.inverse_kinematics.solution import Solution
    from jounce.solve.mechanism.robot import Mechanism

    #: Objects that have inverse kinematics.
    RobotOrMechanism = Robot | Mechanism


def middle_of_limits(robot: RobotOrMechanism) -> np.ndarray:
    """Return the neutral configuration, with limited coordinates in the middle of their limits."""
    q = manifold.neutral(robot.tree)
    indices, entries = robot.limits.bounded
    every = robot.limits.all_joints
    lower, upper = every.lower[entries], every.upper[entries]
    limited = np.isfinite(lower) & np.isfinite(upper)
    q[indices[limited]] = 0.5 * lower[limited] + 0.5 * upper[limited]
    return q


@explain_call
def inverse_kinematics(
    self: RobotOrMechanism,
    targets: Mapping[str, Any],
    q0: ArrayLike | None = None,
    *,
    tolerance: float | tuple[float, float] = 1e-6,
    iterations: int = 100,
    restarts: int = 40,
    rng: np.random.Generator | int | None = 0,
    limits: bool | Limits = True,
    posture: ArrayLike | None = None,
    posture_weight: ArrayLike = 0.3,
    strict: bool = False,
) -> Solution:
    """Find configurations at which frames reach their targets.

    Leading axes of targets and configurations broadcast. With arrays on a CUDA device the search
    runs on that device, and results are arrays of the same library.

    Parameters
    ----------
    targets : mapping of str to target
        Target of each frame by name, in the world: a pose (..., 4, 4), a position (..., 3), a
        jounce.Pose, Position, Orientation or Direction, or a list of these; "center_of_mass" takes
        a position.
    q0 : array_like (..., nq)
        Initial guess; by default the middle of the limits.
    tolerance : float or tuple of float
        Largest error of a reached target: one number for m and rad, or a pair (m, rad).
    iterations : int
        Maximum number of steps from each start.
    restarts : int
        Maximum number of restarts from random configurations; 0 searches near q0 only.
    rng : Generator, int or None
        Random number generator, or seed, of the restarts, which are the same for all samples.
    limits : bool or Limits
        Joint limits of the solution: True for the robot's, False for none, or other limits.
    posture : array_like (..., nq)
        Preferred configuration: the solution is close to it, among those that reach the targets.
    posture_weight : float or array_like (nv,)
        Initial weight of the posture relative to errors in m and rad; it decreases at each step.
    strict : bool
        Raise a ModelError about the first sample without a solution, instead of reporting it in
        `success`.

    Returns
    -------
    Solution
        Configurations `q` (..., nq), `success` (...,) and a report on each sample.
    """
    return provide("inverse_kinematics")(
        self,
        targets,
        q0,
        tolerance=tolerance,
        iterations=iterations,
        restarts=restarts,
        rng=rng,
        limits=limits,
        posture=posture,
        posture_weight=posture_weight,
        strict=strict,
    )
