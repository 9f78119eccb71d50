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

    #: What inverse kinematics is for.
    Reaching = Robot | Mechanism


def middle_of_limits(robot: Reaching) -> np.ndarray:
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
    self: Reaching,
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

    Leading axes of targets and configurations broadcast. Arrays on CUDA are searched for on their
    device, and results are arrays of their library.

    Parameters
    ----------
    targets : mapping of str to target
        Target of each frame by name, in the world: a pose (..., 4, 4), a position (..., 3), a
        jounce.Pose, Position, Orientation or Direction, or a list of these; "center_of_mass" takes
        a position.
    q0 : array_like (..., nq)
        Where to start; by default in the middle of the limits.
    tolerance : float or tuple of float
        Largest error that counts as reached, for m and rad or one for each.
    iterations : int
        Largest number of steps from one start.
    restarts : int
        How often a search that got stuck starts anew at a random configuration; 0 stays near q0.
    rng : Generator, int or None
        Random number generator, or seed, of the restarts, which are the same for all samples.
    limits : bool or Limits
        Keep to the robot's limits, to none, or to others.
    posture : array_like (..., nq)
        Configuration to stay near, among all that reach the targets.
    posture_weight : float or array_like (nv,)
        Initial weight of the posture against m and rad; it fades.
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
