"""Configurations of a mechanism from measurements of all joints or of the independent ones.

The independent joints keep their measured positions, and the loops are closed around them. If
dependent joints were not measured, they are tracked from sample to sample, so that they stay on
their branch: distant samples are reached in several steps, and all samples near one are solved at
once. If they were measured, they are the initial guess, and the gaps of the loops are checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jounce.errors import DataError
from jounce.identification.subject import ITERATIONS

if TYPE_CHECKING:
    from jounce.identification.subject import MechanismAdapter

#: Largest gap of measured loops (rad, m); with a larger one, data and mechanism do not match.
MAX_GAP = 0.1

#: Longest step (rad, m) of independent joints, and maximum number of samples per step.
STEP, _MAX_SAMPLES = 0.15, 4096


class Closing:
    """Closes the loops of consecutive samples.

    measured: mask (nq,) of the measured coordinates. source: name of the data. gap: largest gap so
    far (rad, m), if dependent joints were measured.
    """

    def __init__(self, robot: MechanismAdapter, measured: np.ndarray, source: str) -> None:
        self.robot, self.measured, self.source = robot, measured, source
        self.gap = 0.0
        self._last = robot.mechanism.reference

    def __call__(self, q: np.ndarray, first: int) -> np.ndarray:
        """Return closed configurations (n, nq) for measured q; unmeasured entries are ignored.

        first: row number of the first sample. Rows with NaN or infinity become NaN.
        """
        out = np.full(q.shape, np.nan)
        good = np.flatnonzero(np.isfinite(q[:, self.measured]).all(axis=1))
        if len(good):
            data, rows = q[good], first + good
            out[good] = closed = (
                self._assemble(data, data, rows)
                if self.measured.all()
                else self._follow(data, rows)
            )
            self._check(self._fill_in(closed, data), rows)
        return out

    def _fill_in(self, q: np.ndarray, data: np.ndarray) -> np.ndarray:
        """Return configurations q with measured entries replaced by the data."""
        return np.where(self.measured, data, q)

    def _assemble(self, start: np.ndarray, data: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Close the loops from an initial guess, with independent joints as measured."""
        closed = self.robot.mechanism
        result = closed.assemble(self._fill_in(start, data), iterations=2 * ITERATIONS, nudges=())
        self._refuse(~result.success, result.q, result.gap, rows, "cannot be closed")
        return result.q

    def _follow(self, data: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Close the loops along the samples."""
        out, k = np.empty(data.shape), 0
        while k < len(data):
            self._approach(data[k], rows[k : k + 1])
            ahead = data[k : k + _MAX_SAMPLES]
            lead = self._lead(self._last, ahead)
            far = np.flatnonzero(np.abs(lead).max(axis=1) > STEP)
            n = int(far[0]) if len(far) else len(ahead)
            part = slice(k, k + n)
            start = self.robot.displace(self._last, lead[:n])
            out[part] = self._assemble(start, data[part], rows[part])
            self._last = out[k + n - 1]
            k += n
        return out

    def _lead(self, q: np.ndarray, data: np.ndarray) -> np.ndarray:
        """Return the displacement (..., nv) of the independent joints from q to the data."""
        return self.robot.difference(q, self._fill_in(q, data))

    def _approach(self, data: np.ndarray, rows: np.ndarray) -> None:
        """Move the last configuration until the next sample is less than a step away.

        If the loops do not close along the straight path, as may happen between unordered rows,
        start again from the mechanism's reference.
        """
        closed, result = self.robot.mechanism, None
        for begin in (self._last, closed.reference):
            self._last, result = begin, None
            size = float(np.abs(self._lead(self._last, data)).max())
            for remaining in range(int(np.ceil(size / STEP)), 1, -1):
                start = self.robot.displace(self._last, self._lead(self._last, data) / remaining)
                result = closed.assemble(start[None], iterations=2 * ITERATIONS, nudges=())
                if not result.success.all():
                    break
                self._last = result.q[0]
            if result is None or result.success.all():
                return
        assert result is not None
        what = "cannot be closed on the way there"
        self._refuse(~result.success, result.q, result.gap, rows, what)

    def _check(self, q: np.ndarray, rows: np.ndarray) -> None:
        """Refuse measurements of dependent joints that are far from closing the loops."""
        if self.measured.sum() > len(self.robot.leading):
            gap = self.robot.mechanism.gap(q)
            self._refuse(gap > MAX_GAP, q, gap, rows, "are open")
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
            f" the joints as measured; '{worst}' misses by {gap[k]:.2g} (m or rad). Check the"
            " assignment of columns to joints, units, signs and zeros; q0 of robot.closed selects"
            " another branch"
        )
