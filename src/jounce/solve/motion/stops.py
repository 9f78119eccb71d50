"""Clipping of forces, velocities and positions at the limits of a robot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from jounce.errors import ArgumentError
from jounce.robot.system import System

#: Quantities that can be clipped, in the order of clipping.
KINDS = ("effort", "velocity", "position")


class LimitClipper:
    """Clip forces and states of a step at the limits; `kinds` are entries of `KINDS`.

    A joint that would exceed a position limit stops there, without bouncing.
    """

    def __init__(self, robot: System, kinds: Any, title: str) -> None:
        requested = KINDS if kinds is True else () if kinds in (None, False) else kinds
        is_sequence = isinstance(requested, Iterable) and not isinstance(requested, str)
        self.kinds = tuple(requested) if is_sequence else (requested,)
        unknown = [kind for kind in self.kinds if kind not in KINDS]
        if unknown:
            raise ArgumentError(
                f"{title}: limits must be True, or some of {', '.join(map(repr, KINDS))}, found"
                f" {unknown[0]!r}"
            )
        if "position" in self.kinds and robot.tree.active is not None:
            raise ArgumentError(
                f"{title}: limits of positions need a robot without loops, because joints of a"
                " mechanism cannot stop independently; omit 'position'"
            )
        limits = robot.limits
        self._effort, self._velocity = limits.effort, limits.velocity
        if "position" in self.kinds:
            self._low, self._high = limits.bounds(np.float64)
            self._bounded, self._entries = limits.bounded

    def forces(self, tau: np.ndarray) -> np.ndarray:
        """Return forces clipped at the effort limits."""
        if "effort" not in self.kinds:
            return tau
        return np.clip(tau, -self._effort, self._effort).astype(tau.dtype, copy=False)

    def slopes(self, tau: np.ndarray) -> Any:
        """Return 1 where a force is unchanged, 0 where it is clipped."""
        return np.abs(tau) <= self._effort if "effort" in self.kinds else 1.0

    def clip_state(self, q: np.ndarray, v: np.ndarray) -> tuple[Any, Any]:
        """Clip a state in place; return 1 for unchanged entries of q and v, 0 for clipped ones."""
        kept_q: Any = 1.0
        kept_v: Any = 1.0
        if "velocity" in self.kinds:
            kept_v = np.abs(v) <= self._velocity
            np.clip(v, -self._velocity, self._velocity, out=v, casting="same_kind")
        if "position" in self.kinds:
            inside = (q >= self._low) & (q <= self._high)
            np.clip(q, self._low, self._high, out=q, casting="same_kind")
            kept_q = np.ones(v.shape, dtype=bool)
            kept_q[..., self._entries] = inside[..., self._bounded]
            v[~kept_q] = 0.0
            kept_v = kept_v * kept_q
        return kept_q, kept_v
