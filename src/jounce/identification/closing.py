"""Configurations of a mechanism from measured joints: all of them, or as few as lead the others.

The independent joints are taken as measured and the loops are closed around them. Where dependent
joints were not measured they follow from sample to sample, so that they stay on their branch: a
sample is reached from the one before in steps that are not too large, and those around it at once.
Where they were measured they say where to begin, and how far the loops miss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jounce.errors import DataError
from jounce.identification.subject import ITERATIONS

if TYPE_CHECKING:
    from jounce.identification.subject import Closed

#: Loops that measurements miss by more than this (rad, m) are not those of the mechanism.
OPEN = 0.1

#: Longest steps (rad, m) of independent joints, and samples looked at in one.
STEP, _AHEAD = 0.15, 4096


class Closing:
    """Closes the loops of samples that come in order.

    measured: mask (nq,) of the coordinates there are. source: of the data. gap: the largest one so
    far that measurements of dependent joints leave (rad, m).
    """

    def __init__(self, robot: Closed, measured: np.ndarray, source: str) -> None:
        self.robot, self.measured, self.source = robot, measured, source
        self.gap = 0.0
        self._last = robot.mechanism.reference

    def __call__(self, q: np.ndarray, first: int) -> np.ndarray:
        """Closed configurations (n, nq) for measured ones, of which others are passed over.

        first: the row of the data that q begins with. Rows that are no numbers stay so.
        """
        out = np.full(q.shape, np.nan)
        good = np.flatnonzero(np.isfinite(q[:, self.measured]).all(axis=1))
        if len(good):
            given, rows = q[good], first + good
            out[good] = found = (
                self._assembled(given, given, rows)
                if self.measured.all()
                else self._followed(given, rows)
            )
            self._check(self._filled(found, given), rows)
        return out

    def _filled(self, q: np.ndarray, given: np.ndarray) -> np.ndarray:
        """Configurations q with what was measured in its place."""
        return np.where(self.measured, given, q)

    def _assembled(self, start: np.ndarray, given: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The loops closed from a start, around independent joints as measured."""
        closed = self.robot.mechanism
        found = closed.assemble(self._filled(start, given), iterations=2 * ITERATIONS, nudges=())
        self._refuse(~found.success, found.q, found.gap, rows, "cannot be closed")
        return found.q

    def _followed(self, given: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The loops closed along the samples."""
        out, at = np.empty(given.shape), 0
        while at < len(given):
            self._approach(given[at], rows[at : at + 1])
            ahead = given[at : at + _AHEAD]
            lead = self._lead(self._last, ahead)
            far = np.flatnonzero(np.abs(lead).max(axis=1) > STEP)
            n = int(far[0]) if len(far) else len(ahead)
            part = slice(at, at + n)
            start = self.robot.moved(self._last, lead[:n])
            out[part] = self._assembled(start, given[part], rows[part])
            self._last = out[at + n - 1]
            at += n
        return out

    def _lead(self, q: np.ndarray, given: np.ndarray) -> np.ndarray:
        """How far the independent joints are (..., nv) from q to what was measured."""
        return self.robot.difference(q, self._filled(q, given))

    def _approach(self, given: np.ndarray, rows: np.ndarray) -> None:
        """Move the last configuration until the next sample is less than a step away.

        Where the straight way there is barred, as it may be between rows in no order, from the
        mechanism's reference.
        """
        closed, found = self.robot.mechanism, None
        for begin in (self._last, closed.reference):
            self._last, found = begin, None
            size = float(np.abs(self._lead(self._last, given)).max())
            for left in range(int(np.ceil(size / STEP)), 1, -1):
                start = self.robot.moved(self._last, self._lead(self._last, given) / left)
                found = closed.assemble(start[None], iterations=2 * ITERATIONS, nudges=())
                if not found.success.all():
                    break
                self._last = found.q[0]
            if found is None or found.success.all():
                return
        assert found is not None
        self._refuse(~found.success, found.q, found.gap, rows, "cannot be closed on the way there")

    def _check(self, q: np.ndarray, rows: np.ndarray) -> None:
        """Refuse measurements of dependent joints that are not where the loops put them."""
        if self.measured.sum() > len(self.robot.leading):
            gap = self.robot.mechanism.gap(q)
            self._refuse(gap > OPEN, q, gap, rows, "are open")
            self.gap = max(self.gap, float(gap.max()))

    def _refuse(
        self, bad: np.ndarray, q: np.ndarray, gap: np.ndarray, rows: np.ndarray, what: str
    ) -> None:
        if not bad.any():
            return
        k, closed = int(np.argmax(bad)), self.robot.mechanism
        worst = closed.row_names[int(np.argmax(np.abs(closed.assembler.gaps(q[k : k + 1])[0])))]
        raise DataError(
            f"{self.source}, row {rows[k]} (from 0): the loops of {self.robot.name} {what}, with"
            f" the joints as measured; '{worst}' misses by {gap[k]:.2g} (m or rad). Check which"
            " column is which joint's, the units, signs and zeros; another branch is chosen by q0"
            " of robot.closed"
        )
