"""Residuals of common costs of optimal control problems, as functions of one knot."""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.control import TracedModel
from jounce.math import Array, lie, scalar


def posture_error(model: TracedModel, q: Array, q_d: Array) -> Array:
    """Return the velocity that leads from a configuration to a desired one in unit time.

    Parameters
    ----------
    model : TracedModel
        First argument of a cost.
    q, q_d : array (nq,)
        Configuration and desired configuration.

    Returns
    -------
    array (nv,)
        Tangent at q; q_d - q for revolute and prismatic joints.
    """
    return model.difference(q, q_d)


def position_error(model: TracedModel, frame: str, q: Array, position: Array) -> Array:
    """Return the position of a frame minus a desired position.

    Parameters
    ----------
    model : TracedModel
        First argument of a cost.
    frame : str
        Name of the frame.
    q : array (nq,)
        Configuration.
    position : array (3,)
        Desired position in m, in world axes.

    Returns
    -------
    array (3,)
        Difference in m, in world axes.
    """
    return model.frame(frame).pose(q)[:3, 3] - position


def pose_error(model: TracedModel, frame: str, q: Array, pose: Array) -> Array:
    """Return the twist that leads from a desired pose to the pose of a frame in unit time.

    Parameters
    ----------
    model : TracedModel
        First argument of a cost.
    frame : str
        Name of the frame.
    q : array (nq,)
        Configuration.
    pose : array (4, 4)
        Desired pose.

    Returns
    -------
    array (6,)
        (rotation, translation) in the axes of the desired pose: log(pose^-1 T(q)).
    """
    T = model.frame(frame).pose(q)
    R = pose[:3, :3].T @ T[:3, :3]
    p = pose[:3, :3].T @ (T[:3, 3] - pose[:3, 3])
    return lie.pose_log(R, p)


def limit_barrier(x: Array, low: Any, high: Any) -> Array:
    """Return how far entries are outside of limits, for soft limits.

    Parameters
    ----------
    x : array (n,)
        For example velocities.
    low, high : array_like (n,) or float
        Limits.

    Returns
    -------
    array (n,)
        low - x below, x - high above, 0 inside.
    """
    shape = np.shape(x)
    below = np.broadcast_to(np.asarray(low, dtype=object), shape) - x
    above = x - np.broadcast_to(np.asarray(high, dtype=object), shape)
    return scalar.array(
        scalar.kept(a, a) + scalar.kept(b, b) for a, b in zip(below, above, strict=True)
    )
