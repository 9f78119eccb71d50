"""Limits along a path, as rows of coefficients at points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Rows:
    """Rows lower <= c + of[0] x + of[1] x' + ... + forces[0] y + forces[1] y' <= upper.

    c and each of `of` are (points, rows), `lower` and `upper` (rows,); `forces` are (points, rows,
    unknowns), of internal contact forces y and their derivatives, empty without contacts.
    """

    names: tuple[str, ...]
    c: np.ndarray
    of: tuple[np.ndarray, ...]
    lower: np.ndarray
    upper: np.ndarray
    forces: tuple[np.ndarray, ...] = ()

    def values(self, x: Sequence[np.ndarray], y: Sequence[np.ndarray] = ()) -> np.ndarray:
        """Return the values of the rows (points, rows)."""
        out = self.c + sum(a * b[:, None] for a, b in zip(self.of, x, strict=False))
        for a, b in zip(self.forces, y, strict=False):
            out = out + np.einsum("prf,pf->pr", a, b)
        return out

    def take(self, points: np.ndarray) -> Rows:
        """Return the rows at some points."""
        parts = {"of": self.of, "forces": self.forces}
        return replace(
            self, c=self.c[points], **{k: tuple(x[points] for x in y) for k, y in parts.items()}
        )

    def with_finite_limits(self) -> Rows:
        """Return the rows that have a finite limit."""
        kept = np.isfinite(self.lower) | np.isfinite(self.upper)
        if kept.all():
            return self
        return Rows(
            tuple(name for name, k in zip(self.names, kept, strict=True) if k),
            self.c[:, kept],
            tuple(x[:, kept] for x in self.of),
            self.lower[kept],
            self.upper[kept],
            tuple(x[:, kept] for x in self.forces),
        )

    def divide_by_limits(self) -> Rows:
        """Return rows over the larger absolute value of their finite limits."""
        finite = [np.where(np.isfinite(x), np.abs(x), 0.0) for x in (self.lower, self.upper)]
        scale = np.maximum(*finite)
        scale = np.where(scale > 0.0, scale, 1.0)
        return Rows(
            self.names,
            self.c / scale,
            tuple(x / scale for x in self.of),
            self.lower / scale,
            self.upper / scale,
            tuple(x / scale[:, None] for x in self.forces),
        )


def join_rows(parts: Sequence[Rows], points: int) -> Rows:
    """Return rows of several kinds.

    Parameters
    ----------
    parts : sequence of Rows
        The kinds.
    points : int
        Number of points.

    Returns
    -------
    Rows
        All rows, with coefficients of x and x' at least.
    """
    if len(parts) == 1 and len(parts[0].of) > 1:
        return parts[0]
    order = max((len(part.of) for part in parts), default=2)
    forces = max((len(part.forces) for part in parts), default=0)
    width = max((part.forces[0].shape[2] for part in parts if part.forces), default=0)
    empty = np.zeros((points, 0))

    def stack(arrays: Sequence[np.ndarray]) -> np.ndarray:
        return np.concatenate([empty, *arrays], axis=1)

    of = tuple(
        stack([p.of[k] if k < len(p.of) else np.zeros_like(p.c) for p in parts])
        for k in range(max(order, 2))
    )
    distributed = tuple(
        np.concatenate(
            [p.forces[k] if k < len(p.forces) else np.zeros((*p.c.shape, width)) for p in parts], 1
        )
        for k in range(forces)
    )
    return Rows(
        tuple(name for part in parts for name in part.names),
        stack([p.c for p in parts]),
        of,
        np.concatenate([np.zeros(0), *(p.lower for p in parts)]),
        np.concatenate([np.zeros(0), *(p.upper for p in parts)]),
        distributed,
    )
