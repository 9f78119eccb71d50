"""Results of inverse kinematics: configurations and the remaining errors of their targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from jounce.model.limits import Limits
from jounce.solve.inverse_kinematics.array_libraries import Arrays, to_numpy

#: Coordinates this close to a limit count as being at the limit, rad or m.
_LIMIT_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Solution:
    """Configurations found by inverse kinematics, with a report on each sample.

    Attributes
    ----------
    q : ndarray (..., nq)
        Configurations. Without a solution, the best configuration that was tried, or the start if
        the sample's targets are invalid.
    success : ndarray of bool (...,)
        Whether all targets are reached to the tolerance, within limits and with closed loops.
    targets : tuple of str
        Names of the targets.
    distances, angles : ndarray (..., number of targets)
        Remaining error of each target in m and in rad; zero for what it does not constrain.
    gap : ndarray (...,)
        Remaining error of loop closure, m or rad; zero without loops.
    iterations, restarts : ndarray of int (...,)
        Steps from all starts, and the number of restarts.

    Notes
    -----
    `reason` explains failures in words. If arguments were on CUDA, the arrays are on the same
    device and of the same library.
    """

    q: np.ndarray
    success: np.ndarray
    targets: tuple[str, ...]
    distances: np.ndarray
    angles: np.ndarray
    gap: np.ndarray
    iterations: np.ndarray
    restarts: np.ndarray
    _fault_codes: np.ndarray = field(repr=False)  # (...,): index of the message, 0 for none
    _fault_messages: tuple[str, ...] = field(repr=False)
    _bounds: Bounds = field(repr=False)

    @property
    def _on_host(self) -> Solution:
        """The same solution with NumPy arrays, for text output."""
        if isinstance(self.q, np.ndarray):
            return self
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return replace(self, **{k: to_numpy(x) for k, x in values.items() if hasattr(x, "dtype")})

    @property
    def reason(self) -> np.ndarray | str:
        """Explanation of each failure (...,), as str; empty for solved samples."""
        solution = self._on_host
        out = np.empty(solution.success.shape, dtype=object)
        for index in np.ndindex(out.shape):
            out[index] = solution._reason(index)
        return out if out.ndim else str(out[()])

    def _reason(self, index: tuple[int, ...]) -> str:
        if self.success[index]:
            return ""
        if self._fault_codes[index]:
            return self._fault_messages[self._fault_codes[index]]
        misses = []
        for name, d, a in zip(self.targets, self.distances[index], self.angles[index], strict=True):
            sizes = [f"{x:.2g} {unit}" for x, unit in ((d, "m"), (a, "rad")) if x]
            misses += [f"'{name}' misses by {' and '.join(sizes)}"] if sizes else []
        misses += [f"loops by {self.gap[index]:.2g}"] if self.gap[index] > _LIMIT_TOLERANCE else []
        starts = int(self.restarts[index]) + 1
        text = f"not reached from {starts} start{'s' * (starts > 1)}: {', '.join(misses)}"
        held = self._bounds.names_at_limits(self.q[index])
        return text + (f"; at a limit: {', '.join(held)}" if held else "")

    def __str__(self) -> str:
        return self._on_host._summary()

    def _summary(self) -> str:
        solved, count = int(np.sum(self.success)), int(np.size(self.success))
        lines = [
            f"{solved} of {count} solved, {int(np.sum(self.iterations))} steps,"
            f" {int(np.sum(self.restarts))} restarts"
        ]
        for k, name in enumerate(self.targets):
            sizes = [
                f"{np.max(x[..., k], initial=0.0):.1e} {unit}"
                for x, unit in ((self.distances, "m"), (self.angles, "rad"))
            ]
            lines.append(f"  {name}: within {' and '.join(sizes)}")
        for index in np.argwhere(~np.asarray(self.success))[:5]:
            where = f"sample {tuple(index.tolist())}: " if len(index) else ""
            lines.append(f"  {where}{self._reason(tuple(index))}")
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Bounds:
    """Limited coordinates: their indices in q, their entries of the limits, and the limits."""

    places: np.ndarray
    entries: np.ndarray
    limits: Limits

    def clip(self, q: Any, arrays: Arrays) -> Any:
        """Return the nearest configurations within the limits.

        Parameters
        ----------
        q : (..., nq)
            Configurations, in arrays of a library.
        arrays : Arrays
            That library.

        Returns
        -------
        array (..., nq)
        """
        low, high = map(arrays.from_numpy, self.coordinate_limits(q.shape[-1]))
        return arrays.xp.minimum(arrays.xp.maximum(q, low), high)

    def coordinate_limits(self, nq: int) -> np.ndarray:
        """Return the lower and upper limits of all coordinates.

        Parameters
        ----------
        nq : int
            Number of coordinates.

        Returns
        -------
        ndarray (2, nq)
            Infinite for coordinates without limits.
        """
        out = np.full((2, nq), ((-np.inf,), (np.inf,)))
        out[:, self.places] = self.limits.lower[self.entries], self.limits.upper[self.entries]
        return out

    def names_at_limits(self, q: np.ndarray) -> Sequence[str]:
        """Return the names of joints that are at a limit.

        Parameters
        ----------
        q : ndarray (nq,)
            Configuration.

        Returns
        -------
        list of str
        """
        x = q[self.places]
        low, high = self.limits.lower[self.entries], self.limits.upper[self.entries]
        held = (x <= low + _LIMIT_TOLERANCE) | (x >= high - _LIMIT_TOLERANCE)
        return [self.limits.names[k] for k in self.entries[held]]
