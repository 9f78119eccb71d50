"""States on mpmath's numbers, for tests to many digits; trees are by `lower(model, mpmath.mpf)`."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np

from jounce.robot import Robot


def digits(x: Any) -> np.ndarray:
    """An array of mpmath's numbers."""
    return np.vectorize(mpmath.mpf, otypes=[object])(x)


def with_unit_quaternions(robot: Robot, q: np.ndarray) -> np.ndarray:
    """The same configuration with quaternions of unit length to all digits."""
    q = q.copy()
    for view in robot.joints.values():
        if view.kind in ("spherical", "free"):
            at = slice(view.q.start, view.q.start + 4)
            q[at] = q[at] / mpmath.sqrt(q[at] @ q[at])
    return q
