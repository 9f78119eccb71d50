"""Coordinates of rollouts along the dimension "time"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr

from jounce.errors import ArgumentError

#: Relative tolerance of differences of measured or rounded times from the step.
TOLERANCE = 1e-3

#: Kinds of NumPy dtypes that can be times: seconds, dates and durations.
_TIMES = "fiuMm"


def step_of(h: Any) -> float | None:
    """Return the time step if it is a single known number, else None."""
    h = h.data if isinstance(h, (xr.DataArray, xr.Variable)) else h
    known = isinstance(h, (float, int, np.generic, np.ndarray)) and np.ndim(h) == 0
    return float(h) if known else None


def time_coordinates(start: Any, h: float, count: int) -> tuple[str, np.ndarray, dict[str, str]]:
    """Return the coordinates of states every h seconds; dates and durations have no unit."""
    passed = np.arange(count) * h
    if isinstance(start, (np.datetime64, np.timedelta64)):
        nanoseconds = (1e9 * passed).round().astype("timedelta64[ns]")
        return "time", start + nanoseconds, {"long_name": "time"}
    return "time", start + passed, {"long_name": "time", "units": "s"}


def start_time(title: str, values: Mapping[str, Any], h: float | None) -> Any:
    """Return the start time of a rollout: the first time of the forces, else that of q0, else 0.

    None if the coordinates of the forces are not times.

    Parameters
    ----------
    title : str
        Prefix of error messages.
    values : mapping
        The arguments of the rollout.
    h : float or None
        The time step, if it is a single number.

    Raises
    ------
    ArgumentError
        If the forces have different times, or the spacing is not h.
    """
    wrenches = values["wrenches"]
    parts = wrenches.values() if isinstance(wrenches, Mapping) else (wrenches,)
    times = [
        x.indexes["time"]
        for x in (values["taus"], *parts)
        if isinstance(x, xr.DataArray) and "time" in x.indexes
    ]
    if not all(times[0].equals(other) for other in times[1:]):
        raise ArgumentError(
            f"{title}: taus and wrenches must have equal coordinates along 'time', found different"
            " ones; align them with xarray.align(..., join='inner') or .reindex"
        )
    if not times or len(times[0]) == 0:
        return _time_of(values["q0"])
    stamps = times[0].to_numpy()
    if stamps.dtype.kind not in _TIMES:
        return None
    steps = np.diff(stamps)
    if steps.dtype.kind == "m":
        steps = steps / np.timedelta64(1, "s")
    if h is not None and not np.allclose(steps, h, rtol=TOLERANCE, atol=0.0):
        raise ArgumentError(
            f"{title}: coordinates along 'time' must be h = {h:g} s apart, found steps of"
            f" {steps.min():g} to {steps.max():g}; interpolate the forces, or drop the times with"
            " .drop_vars('time')"
        )
    return stamps[0]


def _time_of(q0: Any) -> Any:
    """Return the time of a state if it is a single known number, else 0."""
    if not isinstance(q0, xr.DataArray) or "time" not in q0.coords:
        return 0.0
    time = q0.coords["time"].data
    known = isinstance(time, (np.ndarray, np.generic)) and time.ndim == 0
    return np.asarray(time)[()] if known and time.dtype.kind in _TIMES else 0.0
