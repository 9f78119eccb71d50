"""Limits of a robot that a motion keeps to: forces, velocities and positions cut off at them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from jounce.errors import ArgumentError
from jounce.robot.system import System

#: What can be cut off, in the order in which it is.
KINDS = ("effort", "velocity", "position")


class Stops:
    """What of a step is cut off at the limits: `kinds` of `KINDS`.

    A joint that would pass a limit of its position stops there, without bouncing.
    """

    def __init__(self, robot: System, kinds: Any, title: str) -> None:
        given = KINDS if kinds is True else () if kinds in (None, False) else kinds
        several = isinstance(given, Iterable) and not isinstance(given, str)
        self.kinds = tuple(given) if several else (given,)
        unknown = [kind for kind in self.kinds if kind not in KINDS]
        if unknown:
            raise ArgumentError(
                f"{title}: limits must be True, or some of {', '.join(map(repr, KINDS))}, found"
                f" {unknown[0]!r}"
            )
        if "position" in self.kinds and robot.tree.active is not None:
            raise ArgumentError(
                f"{title}: limits of positions are for trees: joints of a mechanism do not stop one"
                " by one; omit 'position'"
            )
        limits = robot.limits
        self._effort, self._velocity = limits.effort, limits.velocity
        if "position" in self.kinds:
            self._low, self._high = limits.bounds(np.float64)
            self._at, self._entries = limits.bounded

    def forces(self, tau: np.ndarray) -> np.ndarray:
        """Forces that the drives can give."""
        if "effort" not in self.kinds:
            return tau
        return np.clip(tau, -self._effort, self._effort).astype(tau.dtype, copy=False)

    def slopes(self, tau: np.ndarray) -> Any:
        """1 where a force is given as it is, 0 where it is cut off."""
        return np.abs(tau) <= self._effort if "effort" in self.kinds else 1.0

    def stop(self, q: np.ndarray, v: np.ndarray) -> tuple[Any, Any]:
        """Cut a state off, in place; returns 1 for what of q and of v is left as it was, else 0."""
        left_q: Any = 1.0
        left_v: Any = 1.0
        if "velocity" in self.kinds:
            left_v = np.abs(v) <= self._velocity
            np.clip(v, -self._velocity, self._velocity, out=v, casting="same_kind")
        if "position" in self.kinds:
            inside = (q >= self._low) & (q <= self._high)
            np.clip(q, self._low, self._high, out=q, casting="same_kind")
            left_q = np.ones(v.shape, dtype=bool)
            left_q[..., self._entries] = inside[..., self._at]
            v[~left_q] = 0.0
            left_v = left_v * left_q
        return left_q, left_v
