"""Rollouts of the nonlinear dynamics with the feedback of a Riccati recursion.

A trial of the line search applies u = u_k + a kappa_k + K_k (x - x_k) from the first knot on, where
x_k, u_k is the present iterate, and lets a part 1 - a of its defects remain. Kernels evaluate one
knot of several trials at once: those of several problems, or of several step lengths a.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jounce.planning.optimal_control_stage import Stage
from jounce.runtime.native import load


class Rollout:
    """Rollouts of the knots of one kind.

    Parameters
    ----------
    stage : Stage
        Kind of knots, not the last one.
    """

    def __init__(self, stage: Stage) -> None:
        quantity = stage.quantity("trial")
        self._kernel = quantity.compile_kernel(quantity.kernel, "d")
        self.names = tuple(stage.trial_arguments)
        self._ranks = [len(shape) for shape in (*self._kernel.inputs, *self._kernel.outputs)]

    def run(self, operands: Mapping[str, np.ndarray], out: np.ndarray) -> None:
        """Evaluate all knots one after the other.

        Parameters
        ----------
        operands : mapping of str to ndarray
            Arguments of the quantity `trial` by name, (trials, knots, ...) or of that shape if
            broadcast; states are views of `out`.
        out : ndarray (trials, knots, count)
            Results.
        """
        trials, knots = out.shape[:2]
        views = [
            np.broadcast_to(x, (trials, knots, *x.shape[2:]))
            for x in (*(operands[name] for name in self.names), out)
        ]
        count = len(views)
        addresses = np.array([x.ctypes.data for x in views], dtype=np.int64)
        advance = np.array([x.strides[1] for x in views], dtype=np.int64)
        steps = [x.strides[0] for x in views]
        for x, rank in zip(views, self._ranks, strict=True):
            steps += x.strides[2 : 2 + rank]
        strides = np.array(steps, dtype=np.int64)
        places = (x.ctypes.data for x in (addresses, advance))
        lanes = np.array([trials], dtype=np.int64)
        if _chain()(
            self._kernel.address, *places, count, knots, lanes.ctypes.data, strides.ctypes.data
        ):
            raise MemoryError


def _chain() -> Callable[..., int]:
    """Return the native function that calls a kernel for one knot after the other."""
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    kinds = (pointer, pointer, pointer, number, number, pointer, pointer)
    return ctypes.CFUNCTYPE(ctypes.c_int32, *kinds)(load("chain").address("jounce_chain"))


def join_rows(states: Mapping[str, Any], names: tuple[str, ...]) -> np.ndarray:
    """Return states as rows.

    Parameters
    ----------
    states : mapping of str to ndarray (..., n)
        States by name.
    names : tuple of str
        Their order.

    Returns
    -------
    ndarray (..., n)
        Rows.
    """
    return np.concatenate([states[name] for name in names], axis=-1)
