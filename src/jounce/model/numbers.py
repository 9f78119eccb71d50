"""Numbers of a model: validated, corrected if they are rounded, and made read-only."""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.errors import ModelError, ModelWarning, warn
from jounce.math.lie import check_last_row, nearest_rotation

Floats = np.ndarray

#: Maximum length, factor and so on, in SI units: products of several do not overflow.
LARGEST = 1e50


def freeze_array(value: Any, shape: tuple[int, ...], what: str, largest: float = LARGEST) -> Floats:
    """Return finite numbers of a shape as a read-only array; `what` names them in messages."""
    _refuse_masked(value, what)
    try:
        out = np.array(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{what}: expected numbers of shape {shape}, found {value!r}") from error
    if out.shape != shape:
        raise ModelError(f"{what}: expected shape {shape}, found shape {out.shape}")
    if not np.all(np.isfinite(out)):
        raise ModelError(f"{what}: expected finite numbers, found {out.tolist()}")
    if np.any(np.abs(out) > largest):
        raise ModelError(f"{what}: expected numbers up to {largest:g}, found {out.tolist()}")
    out.setflags(write=False)
    return out


def _refuse_masked(value: Any, what: str) -> None:
    """Raise an error for masked numbers, whose values must not be used."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ModelError(
            f"{what}: {np.ma.count_masked(value)} of its {value.size} numbers are masked; expected"
            " an array without a mask"
        )


def nearest_pose(value: Any, what: str) -> tuple[Floats, str]:
    """The rigid pose (4, 4) nearest to a matrix, freeze_array, and what was wrong with it."""
    T = freeze_array(value, (4, 4), what)
    R, note = nearest_rotation(T[:3, :3], what)
    check_last_row(T, what)
    if note or not np.array_equal(R, T[:3, :3]) or T[3].tolist() != [0.0, 0.0, 0.0, 1.0]:
        T = T.copy()
        T[:3, :3], T[3] = R, (0.0, 0.0, 0.0, 1.0)
        T.setflags(write=False)
    return T, note


def rigid_pose(value: Any, what: str) -> Floats:
    """Return a pose (4, 4), read-only; `what` names it in messages.

    A rotation of rounded numbers is replaced by the nearest exact one, with a ModelWarning.
    Matrices that are exact up to round-off are returned unchanged.
    """
    T, note = nearest_pose(value, what)
    if note:
        warn(f"{what}: {note}", ModelWarning)
    return T


def unit_axis(value: Any, what: str) -> Floats:
    """Return a direction (3,) as a read-only unit vector."""
    axis = freeze_array(value, (3,), what)
    length = np.linalg.norm(axis)
    if length < 1e-9:
        raise ModelError(f"{what}: the axis is zero; expected a direction such as (0, 0, 1)")
    # an axis that is a unit vector up to rounding is left as it is, to the last bit
    axis = axis.copy() if abs(length - 1.0) < 1e-15 else axis / length
    axis.setflags(write=False)
    return axis


def per_velocity(value: Any, nv: int, what: str) -> Floats:
    """Return numbers (nv,), read-only, from as many or one for all; they may be infinite."""
    _refuse_masked(value, what)
    try:
        out = np.array(np.full(nv, value) if np.ndim(value) == 0 else value, dtype=float)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{what}: expected {nv} numbers, found {value!r}") from error
    if out.shape != (nv,):
        raise ModelError(f"{what}: expected {nv} numbers, found shape {out.shape}")
    if np.any(np.isnan(out)):
        raise ModelError(f"{what}: found NaN")
    out.setflags(write=False)
    return out
