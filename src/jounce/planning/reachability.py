"""Fastest motion along a path by reachability analysis, in native code.

From the end of the path to its start, the controllable set of each point is found: the squared
speeds from which the motion can go on. Then, from the start, the largest acceleration into the next
controllable set is taken. Limits hold at both ends of each interval.

Reference: Pham, Pham: A new approach to time-optimal path parameterization based on reachability
analysis, 2018.
"""

from __future__ import annotations

import ctypes
from itertools import accumulate

import numpy as np

from jounce.planning.rows import Rows
from jounce.runtime.native import load


class NoProfileError(Exception):
    """No profile exists; has the path parameter, and names of rows that contradict there."""

    def __init__(self, s: float, names: tuple[str, ...]) -> None:
        super().__init__(s, names)
        self.s, self.names = s, names


def find_fastest_profile(
    s: np.ndarray, rows: Rows, limit: np.ndarray, ends: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the fastest profile along a path.

    Parameters
    ----------
    s : ndarray (n + 1,)
        Path parameters.
    rows : Rows
        Limits of accelerations and torques.
    limit : ndarray (n + 1,)
        Largest squared speeds.
    ends : tuple of float
        Squared speeds at the start and the end.

    Returns
    -------
    x : ndarray (n + 1,)
        Squared speeds at the points.
    u : ndarray (n,)
        Accelerations between the points.

    Raises
    ------
    NoProfileError
        If there is none.
    """
    intervals, count = len(s) - 1, len(rows.names)
    a, b = 2.0 * rows.of[1], rows.of[0]
    parts = (np.diff(s), a, b, rows.c, rows.lower, rows.upper, limit, np.array(ends))
    inputs = np.concatenate([x.ravel() for x in parts])
    places = accumulate((8 * x.size for x in parts[:-1]), initial=inputs.ctypes.data)
    outputs, failure = np.empty(4 * intervals + 3), np.zeros(3, dtype=np.int64)
    reach = outputs.ctypes.data
    x, u = reach + 16 * (intervals + 1), reach + 24 * (intervals + 1)
    status = _function()(*places, intervals, count, reach, x, u, failure.ctypes.data)
    if status:
        point, *involved = (int(k) for k in failure)
        names = (*rows.names, "the limits after it")
        speed = ("the limits of velocities",) if not involved else ()
        raise NoProfileError(
            float(s[point]), tuple(dict.fromkeys(names[k] for k in involved)) + speed
        )
    return outputs[2 * intervals + 2 : 3 * intervals + 3], outputs[3 * intervals + 3 :]


def _function() -> ctypes._CFunctionType:  # pyright: ignore[reportPrivateUsage]
    """Return the native function."""
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    kinds = (*(8 * (pointer,)), number, number, *(4 * (pointer,)))
    address = load("reachability").address("jounce_fastest_profile")
    return ctypes.CFUNCTYPE(ctypes.c_int32, *kinds)(address)
