"""What inverse kinematics finds: configurations, and for each how well targets are met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from jounce.model.limits import Limits
from jounce.solve.inverse_kinematics.array_libraries import Arrays, host

#: Places this close to a limit are at it, rad or m.
_AT = 1e-9


@dataclass(frozen=True, eq=False)
class Solution:
    """Configurations (..., nq) and, for each, what became of the search (...,).

    success: whether all targets are met to the tolerance, within limits and with closed loops.
    targets: by name; distances, angles (..., number of targets): how far each is missed, m and rad,
    zero where a target says nothing of it. gap: how far loops are from closed, m or rad; zero where
    there are none. iterations: steps taken, from all starts; restarts: how often the search began
    anew. Where nothing was found q is the best that was seen, and where a target means nothing the
    start. `reason` says why, in words. Where arrays that were given lie on CUDA, so do these, of
    the same library.
    """

    q: np.ndarray
    success: np.ndarray
    targets: tuple[str, ...]
    distances: np.ndarray
    angles: np.ndarray
    gap: np.ndarray
    iterations: np.ndarray
    restarts: np.ndarray
    _faults: np.ndarray = field(repr=False)  # (...,): which of the words, 0 for none
    _words: tuple[str, ...] = field(repr=False)
    _bounds: Bounds = field(repr=False)

    @property
    def _seen(self) -> Solution:
        """The same with arrays of NumPy, for words."""
        if isinstance(self.q, np.ndarray):
            return self
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        return replace(self, **{k: host(x) for k, x in given.items() if hasattr(x, "dtype")})

    @property
    def reason(self) -> np.ndarray | str:
        """Why samples have no solution, in words (...,); empty where they have one."""
        seen = self._seen
        out = np.empty(seen.success.shape, dtype=object)
        for at in np.ndindex(out.shape):
            out[at] = seen._reason(at)
        return out if out.ndim else str(out[()])

    def _reason(self, at: tuple[int, ...]) -> str:
        if self.success[at]:
            return ""
        if self._faults[at]:
            return self._words[self._faults[at]]
        misses = []
        for name, d, a in zip(self.targets, self.distances[at], self.angles[at], strict=True):
            sizes = [f"{x:.2g} {unit}" for x, unit in ((d, "m"), (a, "rad")) if x]
            misses += [f"'{name}' misses by {' and '.join(sizes)}"] if sizes else []
        misses += [f"loops by {self.gap[at]:.2g}"] if self.gap[at] > _AT else []
        starts = int(self.restarts[at]) + 1
        text = f"not reached from {starts} start{'s' * (starts > 1)}: {', '.join(misses)}"
        held = self._bounds.reached(self.q[at])
        return text + (f"; at a limit: {', '.join(held)}" if held else "")

    def __str__(self) -> str:
        return self._seen._summary()

    def _summary(self) -> str:
        found, count = int(np.sum(self.success)), int(np.size(self.success))
        lines = [
            f"{found} of {count} solved, {int(np.sum(self.iterations))} steps,"
            f" {int(np.sum(self.restarts))} restarts"
        ]
        for k, name in enumerate(self.targets):
            sizes = [
                f"{np.max(x[..., k], initial=0.0):.1e} {unit}"
                for x, unit in ((self.distances, "m"), (self.angles, "rad"))
            ]
            lines.append(f"  {name}: within {' and '.join(sizes)}")
        for at in np.argwhere(~np.asarray(self.success))[:5]:
            where = f"sample {tuple(at.tolist())}: " if len(at) else ""
            lines.append(f"  {where}{self._reason(tuple(at))}")
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Bounds:
    """Coordinates with limits: their places in q, their entries of the limits, and these."""

    places: np.ndarray
    entries: np.ndarray
    limits: Limits

    def cut_off(self, q: Any, arrays: Arrays) -> Any:
        """The nearest configurations (..., nq) within them."""
        low, high = map(arrays.own, self.coordinate_limits(q.shape[-1]))
        return arrays.xp.minimum(arrays.xp.maximum(q, low), high)

    def coordinate_limits(self, nq: int) -> np.ndarray:
        """Return the lower and upper limits (2, nq) of all coordinates; infinite without one."""
        out = np.full((2, nq), ((-np.inf,), (np.inf,)))
        out[:, self.places] = self.limits.lower[self.entries], self.limits.upper[self.entries]
        return out

    def reached(self, q: np.ndarray) -> Sequence[str]:
        """Joints of a configuration (nq,) that are at a limit, by name."""
        x = q[self.places]
        low, high = self.limits.lower[self.entries], self.limits.upper[self.entries]
        held = (x <= low + _AT) | (x >= high - _AT)
        return [self.limits.names[k] for k in self.entries[held]]
