"""Consistency of an elementary motion: displacement, rate, drift, integration and difference."""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.math import lie
from jounce.math.jets import Jet, coefficients, from_rates
from jounce.math.scalar import Array, array, identity
from jounce.math.spatial import Rotation, skew
from jounce.model.joints.motions import ElementaryMotion, pose_rate


def problem(motion: ElementaryMotion) -> str:
    """Return why the methods of a motion are inconsistent, or '' if they are consistent.

    Compared are sizes, the neutral configuration, and at another one: the rate of the displacement
    with S v, the drift with exp(S v t) to second order, and `difference` with `integrate`.

    Parameters
    ----------
    motion : ElementaryMotion
        The motion.

    Returns
    -------
    str
        The first inconsistency in words.
    """
    nq, nv, pitch = motion.nq, motion.nv, 0.3
    odd = [unit for unit in motion.units if unit not in ("rad", "m", "")]
    if odd:
        return f"units: expected 'rad', 'm' or '', found {odd[0]!r}"
    rng = np.random.default_rng(1)
    q, v = rng.uniform(0.2, 0.9, nq), rng.uniform(-0.5, 0.5, nv)
    q[motion.unit] /= max(float(np.linalg.norm(q[motion.unit])), 1e-9)
    sizes = {
        "subspace": (motion.subspace(pitch), (6, nv)),
        "neutral": (motion.neutral(), (nq,)),
        "configuration_rate": (motion.configuration_rate(array(q), array(v)), (nq,)),
        "integrate": (motion.integrate(array(q), array(v)), (nq,)),
        "difference": (motion.difference(array(q), array(q)), (nv,)),
        "velocity": (motion.velocity(array(q), array(q)), (nv,)),
    }
    for what, (value, shape) in sizes.items():
        if np.shape(value) != shape:
            return f"{what}: expected shape {shape}, found {np.shape(value)}"
    if not _agree(_offset(*motion.displacement(array(motion.neutral()), pitch)), np.zeros(12)):
        return "displacement: it is not the identity at the neutral configuration"
    moved = motion.subspace(pitch).astype(float) @ v
    rate = motion.configuration_rate(array(q), array(v))
    if not _agree(pose_rate(*motion.displacement(from_rates((array(q), rate)), pitch)), moved):
        return "displacement: its rate is not S v"
    if not _agree(pose_rate(*motion.drift(array(Jet((x,)) for x in v), pitch)), moved):
        return "drift: it does not start with S v"
    if not _agree(
        _bend(*motion.drift(array(Jet((x, 0.0)) for x in v), pitch)), _half_square(moved)
    ):
        return (
            "drift: it is not exp(S v t) to second order; velocities that do not commute need one"
        )
    if motion.flat and not _agree(rate, v):
        return "flat: the velocities are not the rates of the coordinates"
    if not _agree(motion.velocity(array(q), rate), v):
        return "velocity: it is not the one whose rates the coordinates have"
    end = motion.integrate(array(q), array(v))
    if not _agree(_offset(*motion.displacement(end, pitch)), _moved_on(motion, q, moved, pitch)):
        return "integrate: it does not follow exp(S v)"
    if not _agree(motion.difference(array(q), end), v):
        return "difference: it does not undo integrate"
    return ""


def _offset(turn: Rotation | None, p: Array) -> np.ndarray:
    """Return the deviation of a pose from the identity, entry by entry."""
    R = identity(3) if turn is None else turn.R
    return np.concatenate(((R - identity(3)).astype(float).ravel(), p.astype(float)))


def _moved_on(motion: ElementaryMotion, q: np.ndarray, twist: np.ndarray, pitch: Any) -> np.ndarray:
    """Return the pose at q times exp(twist), as `_offset`."""
    turn, p = motion.displacement(array(q), pitch)
    R, (R_step, p_step) = identity(3) if turn is None else turn.R, lie.pose_exp(array(twist))
    return _offset(Rotation(R @ R_step), p + R @ p_step)


def _bend(turn: Rotation | None, p: Array) -> np.ndarray:
    """Second Taylor coefficients of a pose of second-order jets."""
    R = coefficients(identity(3) if turn is None else turn.R, 2)[2]
    return np.concatenate((R.astype(float).ravel(), coefficients(p, 2)[2].astype(float)))


def _half_square(twist: np.ndarray) -> np.ndarray:
    """Second Taylor coefficients of exp(twist t)."""
    W = skew(twist[:3]).astype(float)
    return 0.5 * np.concatenate(((W @ W).ravel(), W @ twist[3:]))


def _agree(x: Any, y: np.ndarray) -> bool:
    return np.shape(x) == y.shape and bool(np.allclose(np.asarray(x, dtype=float), y, 1e-9, 1e-9))
