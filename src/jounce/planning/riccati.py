"""Riccati recursion of optimal control problems, in native code (`runtime/native/riccati.c`)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.runtime.native import load


@dataclass(frozen=True)
class Pattern:
    """Where the entries of a packed expansion belong: rows of F, then of L.

    Entries from `defects` to `dynamics` are those of F, later ones those of L. constants: the
    entries of F that do not vary. step: index of the time step h, or -1; with it,
    q' = q + h v' + e, and the upper half of F has e only, in its last column.
    """

    rows: np.ndarray
    columns: np.ndarray
    defects: int
    dynamics: int
    step: int
    constants: np.ndarray


def padded_width(columns: int) -> int:
    """Return the entries of a row of a matrix of the Riccati recursion."""
    return -(-columns // 8) * 8


class _Pattern(ctypes.Structure):
    """Pattern of riccati.c."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("count", "defects", "dynamics", "fixed", "step")),
        *((name, ctypes.c_void_p) for name in ("rows", "columns", "fixed_rows", "fixed_columns")),
        *((name, ctypes.c_void_p) for name in ("values", "constants")),
    )


class _Recursion(ctypes.Structure):
    """Recursion of riccati.c."""

    _fields_ = (
        ("knots", ctypes.c_int64),
        ("n", ctypes.c_int64),
        ("m", ctypes.c_int64),
        ("width", ctypes.c_int64),
        ("patterns", ctypes.c_void_p),
        ("pattern_of", ctypes.c_void_p),
        ("workspace", ctypes.c_void_p),
    )


class Riccati:
    """Backward and forward recursion for problems of one structure, one after the other.

    Parameters
    ----------
    patterns : sequence of Pattern
        Patterns of the kinds of knots.
    pattern_of : sequence of int
        Pattern of each knot, of which the last has no control.
    n, m : int
        Sizes of the state and of the control.

    Attributes
    ----------
    policy : ndarray (knots - 1, m, width)
        Feedback of the last problem: columns of the control (0), the state, and the constant.
    x, u, multipliers : ndarray
        Changes of states (knots, n) and controls (knots - 1, m), and gradients of the cost to go.
    predicted : ndarray (2,)
        Change of the cost without defects: terms of first and second order in the step.
    """

    def __init__(
        self, patterns: Sequence[Pattern], pattern_of: Sequence[int], n: int, m: int
    ) -> None:
        knots, width = len(pattern_of), padded_width(n + m + 1)
        rows = 4 * n + 4 * m + 3
        self._workspace = np.zeros(rows * width + m * m + 4 * m + n * (n + 1) + 8)
        self.policy = np.zeros((knots - 1, m, width))
        self._values = np.zeros((knots, n, width))
        self.x, self.u = np.zeros((knots, n)), np.zeros((knots - 1, m))
        self.multipliers, self._change = np.zeros((knots, n)), np.zeros(2)
        self.predicted = np.zeros(2)
        kinds = np.array(pattern_of, dtype=np.int32)
        self._kept: list[Any] = [kinds]
        table = (_Pattern * len(patterns))()
        for k, x in enumerate(patterns):
            rows, columns = (y.astype(np.int32) for y in np.nonzero(x.constants))
            arrays = x.rows, x.columns, rows, columns, x.constants[rows, columns], x.constants
            self._kept.append(arrays)
            counts = len(x.rows), x.defects, x.dynamics, len(rows), x.step
            table[k] = _Pattern(*counts, *(y.ctypes.data for y in arrays))
        self._kept.append(table)
        sizes = knots, n, m, width
        self._recursion = _Recursion(
            *sizes, ctypes.addressof(table), kinds.ctypes.data, self._workspace.ctypes.data
        )
        self._address = ctypes.addressof(self._recursion)
        self._backward, self._forward = _functions()
        arrays = (self.policy, self._values, self.x, self.u, self.multipliers, self._change)
        self._places = [x.ctypes.data for x in arrays]

    def solve_backward(
        self, data: np.ndarray, low: np.ndarray | None, high: np.ndarray | None, levenberg: float
    ) -> int:
        """Compute the feedback.

        Parameters
        ----------
        data : ndarray of int64 (knots,)
            Address of the packed expansion of each knot.
        low, high : ndarray (knots - 1, m), optional
            Limits of the changes of controls.
        levenberg : float
            Number added to the diagonals of the Hessians in the control and of the cost to go.

        Returns
        -------
        int
            -1, or the knot at which the Hessian is not positive definite.
        """
        limits = (x if x is None else x.ctypes.data for x in (low, high))
        return self._backward(
            self._address,
            data.ctypes.data,
            *limits,
            levenberg,
            *self._places[:2],
            self.predicted.ctypes.data,
        )

    def roll_out(
        self, data: np.ndarray, low: np.ndarray | None, high: np.ndarray | None
    ) -> tuple[float, float]:
        """Compute the changes of states and controls, from a change of zero at the first knot.

        Parameters
        ----------
        data, low, high
            See `solve_backward`.

        Returns
        -------
        linear, quadratic : float
            Predicted change of the cost: its terms of first and second order in the step.
        """
        limits = (x if x is None else x.ctypes.data for x in (low, high))
        self._forward(self._address, data.ctypes.data, *limits, *self._places)
        linear, quadratic = self._change.tolist()
        return linear, quadratic


def _functions() -> tuple[ctypes._CFunctionType, ctypes._CFunctionType]:  # pyright: ignore[reportPrivateUsage]
    """Return the native functions."""
    pointer, module = ctypes.c_void_p, load("riccati")
    backward = (*(4 * (pointer,)), ctypes.c_double, pointer, pointer, pointer)
    return (
        ctypes.CFUNCTYPE(ctypes.c_int64, *backward)(module.address("jounce_riccati_backward")),
        ctypes.CFUNCTYPE(None, *(10 * (pointer,)))(module.address("jounce_riccati_forward")),
    )
