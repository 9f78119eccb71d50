"""Trajectories from files: the points of a motion along which a study is made.

Files are those that identification reads: columns `t`, `q_<joint>`, `v_<joint>`, `a_<joint>` in SI
units, other common spellings too (`jounce.identification.columns`). Torques are read only for
quantities that take them. Of a motion with more rows than are wanted, some are taken at even
distances, and only what these need is kept in memory.

Velocities and accelerations that are not there follow from the positions of the five rows around a
point (three or four where there are no more), at even or uneven times: in the coordinates
x(s) = difference(q(t), q(s)) along the joints' own motions, v is x' and a is x'' at s = t, so that
orientations are welcome. (With u = J(x) x' for the velocity at s, J(0) = 1 and J' x' = 0 there,
since it is the bracket of x' with itself.) They are those of the polynomial through the rows: exact
to the fourth order for a planned motion, but noise of a measured one is amplified; a cutoff in Hz
gives the low-pass of identification instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.errors import ArgumentError, DataError, DataWarning, warn
from jounce.identification.checks import Sight, told_degrees
from jounce.identification.cleaning import samples
from jounce.identification.columns import component_labels
from jounce.identification.data import (
    LARGEST,
    DataSummary,
    Piece,
    Recording,
    Samples,
    open_recording,
)
from jounce.identification.subject import without_open_loops

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve.mechanism.robot import Mechanism

#: What a file can say of a motion.
KNOWN = ("q", "v", "a", "tau")

#: Rows of a polynomial for derivatives, at most and at least.
_ROWS, _FEWEST = 5, 3

#: Rows read at once.
_SIZE = 16384


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Points of a motion.

    source: the file. t (P,): times in s, None where there are none that rise. values: q (P, nq),
    v, a and tau (P, nv) by name, those that were asked for. notes: sentences on what was estimated,
    what was left out, and what looks wrong.
    """

    source: str
    t: np.ndarray | None
    values: dict[str, np.ndarray]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(next(iter(self.values.values())))

    @property
    def arguments(self) -> tuple[np.ndarray, ...]:
        """The values in the order in which they were asked for."""
        return tuple(self.values.values())


def arguments_of(robot: Robot | Mechanism, quantity: str) -> tuple[str, ...]:
    """Names of what a quantity must be given; an error where a file cannot tell one of them."""
    known = signature(robot.quantity(quantity)).parameters.values()
    names = tuple(
        x.name
        for x in known
        if x.default is Parameter.empty and x.kind is not Parameter.VAR_KEYWORD
    )
    strange = [name for name in names if name not in KNOWN]
    if strange or not names:
        raise ArgumentError(
            f"quantity: {quantity} takes {', '.join(names) or 'nothing'}, and a trajectory has"
            f" {', '.join(KNOWN)}; choose a quantity of these, such as inverse_dynamics"
        )
    return names


def read_trajectory(
    robot: Robot | Mechanism,
    data: Any,
    quantity: str = "inverse_dynamics",
    *,
    points: int | None = None,
    columns: Mapping[str, str] | None = None,
    degrees: bool = False,
    time_scale: float = 1.0,
    torque_scale: float = 1.0,
    rate: float | None = None,
    cutoff: float | None = None,
) -> Trajectory:
    """Read a motion from a file, arrays or a data frame, with the arguments of a quantity.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot that moves.
    data : path, mapping or data frame
        As `jounce.identification.open_recording` takes it; q is required, other arguments are
        estimated if they are missing.
    quantity : str
        Name of the quantity.
    points : int
        Maximum number of points, evenly spaced; by default all.
    columns, degrees, time_scale, torque_scale
        Options of `jounce.identification.open_recording`.
    rate : float
        Rows per second (Hz), if the data have no times.
    cutoff : float
        Cutoff frequency in Hz of a low-pass filter for derivatives of measured motions; by default
        derivatives are those of a polynomial through the nearest rows.

    Returns
    -------
    Trajectory
        Times, the values of the arguments, and notes on what was estimated.

    Raises
    ------
    ArgumentError
        If `points` or `rate` is not valid, or the quantity takes other arguments than q, v, a, tau.
    """
    if points is not None and (isinstance(points, bool) or points != int(points) or points < 1):
        raise ArgumentError(f"points: expected a whole number of at least 1, found {points!r}")
    if rate is not None and not (np.isfinite(rate) and rate > 0.0):
        raise ArgumentError(f"rate: expected a frequency in Hz, found {rate!r}")
    without_open_loops(robot, "which a trajectory must keep closed")
    needs = arguments_of(robot, quantity)
    recording = open_recording(
        data,
        robot,
        columns=columns,
        degrees=degrees,
        torque_scale=torque_scale,
        time_scale=time_scale,
        torques="tau" in needs,
    )
    reader = _Reader(recording, needs, rate)
    return reader.filtered(points, cutoff) if cutoff is not None else reader.exact(points)


class _Reader:
    """Reads the points of a recording, and what derivatives at them need."""

    def __init__(self, recording: Recording, needs: tuple[str, ...], rate: float | None) -> None:
        self.recording, self.needs, self.rate = recording, needs, rate
        self.source = recording.source
        self.missing = [k for k in ("v", "a") if k in needs and k not in recording.has]
        self.last = -np.inf  # the time of the row before
        self.rises = True
        self.sight = Sight()
        if self.missing and "t" not in recording.has and rate is None:
            raise DataError(
                f"{self.source}: there are no columns {self._lacking()}, and no column of times 't'"
                " from which they would follow; add one or the other, or give the rate of the rows"
                " in Hz"
            )

    def _lacking(self) -> str:
        return " and ".join(f"{k}_<joint>" for k in self.missing)

    # -------------------------------------------------------------- from the nearest rows

    def exact(self, points: int | None) -> Trajectory:
        """Points as they stand, with derivatives of the polynomial through their neighbours."""
        pieces = self.recording.read(_SIZE)  # refuses bad files before memory is taken for rows
        total = self.recording.length
        chosen = _even(total, points)
        width = min(_ROWS, total)
        if self.missing and width < _FEWEST:
            raise DataError(
                f"{self.source}: {total} row(s) are too few to tell"
                f" {' and '.join(self.missing)} from, expected {_FEWEST}; add rows, or columns"
                f" {self._lacking()}"
            )
        near = np.clip(chosen - width // 2, 0, total - width)[:, None] + np.arange(width)
        rows = np.union1d(chosen, near) if self.missing else chosen
        piece = self._rows(pieces, rows)
        at, around = np.searchsorted(rows, chosen), np.searchsorted(rows, near)
        values = {k: piece[k][at] for k in self.needs if k not in self.missing}
        if self.missing:
            values |= self._derivatives(piece, at, around)
            self._check_derivatives(values, chosen)
        t = piece["t"][at] if "t" in piece and self.rises else None
        notes = [*self._estimated(width), *self._untimed(), *self._thinned(total, len(chosen))]
        notes += self._odd()
        return Trajectory(self.source, t, {k: values[k] for k in self.needs}, tuple(notes))

    def _rows(self, pieces: Iterator[Piece], rows: np.ndarray) -> Piece:
        """Some rows of the recording, all of which are looked at."""
        kept: dict[str, list[np.ndarray]] = {}
        first = 0
        for piece in pieces:
            n = len(piece["q"])
            if "t" not in piece and self.rate is not None:
                piece["t"] = (first + np.arange(n)) / self.rate
            self._check_numbers(piece, first)
            if "t" in piece:
                self._check_times(piece["t"], first)
            self.sight += self._seen(piece, first)
            mine = rows[slice(*np.searchsorted(rows, (first, first + n)))] - first
            for k, x in piece.items():
                kept.setdefault(k, []).append(x[mine])
            first += n
        return {k: np.concatenate(parts) for k, parts in kept.items()}

    def _check_numbers(self, piece: Piece, first: int) -> None:
        """Refuse holes: a study along a part of a motion would not say which."""
        for k, x in piece.items():
            if k not in ("t", *self.needs) and not (k == "q" and self.missing):
                continue
            bad = np.argwhere(~np.isfinite(x.reshape(len(x), -1)))
            if len(bad):
                row, column = (int(i) for i in bad[0])
                names = ["t"] if k == "t" else self._columns(k)
                raise DataError(
                    f"{self.source}, row {first + row} (from 0), column '{names[column]}': expected"
                    f" a number, found {x.reshape(len(x), -1)[row, column]:g}; correct or remove"
                    " the row"
                )

    def _seen(self, piece: Piece, first: int) -> Sight:
        """What tells of wrong units: how far positions reach, and how fast they change."""
        seen = Sight({"q": piece["q"].min(axis=0)}, {"q": piece["q"].max(axis=0)})
        if first == 0 and {"t", "v"} <= self.recording.has:
            v = piece["v"]
            a = piece.get("a", np.zeros_like(v))
            every = Samples(piece["t"], piece["q"], v, a, np.zeros_like(v), np.arange(len(v)))
            seen.compare_rates(self.recording.robot, self.recording.has, every)
        return seen

    def _odd(self) -> list[str]:
        """What looks wrong, as a warning too."""
        robot = self.recording.robot
        told = (told_degrees(robot, self.sight), self.sight.describe_rates(robot))
        for text in filter(None, told):
            warn(f"{self.source}: {text}", DataWarning)
        return [text for text in told if text]

    def _columns(self, quantity: str) -> list[str]:
        return [f"{quantity}_{x}" for x in component_labels(self.recording.robot, quantity)]

    def _check_times(self, t: np.ndarray, first: int) -> None:
        """Times must rise where derivatives come from them; elsewhere they only label points."""
        back = np.flatnonzero(np.diff(t, prepend=self.last) <= 0.0)
        self.last = float(t[-1]) if len(t) else self.last
        if len(back) and self.missing:
            raise DataError(
                f"{self.source}, row {first + back[0]} (from 0), column 't': the time does not"
                f" rise, so that {' and '.join(self.missing)} cannot be told from the positions;"
                " keep one motion in the file, in order"
            )
        self.rises &= not len(back)

    def _derivatives(
        self, piece: Piece, at: np.ndarray, around: np.ndarray
    ) -> dict[str, np.ndarray]:
        """Velocities and accelerations that are missing, at some rows, from those around."""
        robot, out = self.recording.robot, {}
        weights = _weights(piece["t"][around] - piece["t"][at][:, None])
        if "v" in self.missing:
            q = piece["q"]
            moved = robot.difference(q[at][:, None], q[around])  # (P, width, nv)
            out["v"] = np.einsum("pk,pki->pi", weights[:, 0], moved)
            if "a" in self.missing:
                out["a"] = np.einsum("pk,pki->pi", weights[:, 1], moved)
        else:
            out["a"] = np.einsum("pk,pki->pi", weights[:, 0], piece["v"][around])
        return out

    def _check_derivatives(self, values: dict[str, np.ndarray], rows: np.ndarray) -> None:
        for k in self.missing:
            bad = np.argwhere(~(np.abs(values[k]) <= LARGEST[k]))
            if len(bad):
                row, column = (int(i) for i in bad[0])
                raise DataError(
                    f"{self.source}, row {rows[row]} (from 0): {self._columns(k)[column]} as"
                    " estimated has no bounds; are there times that hardly differ, or quaternions"
                    " that are zero?"
                )

    # -------------------------------------------------------------- by a low-pass

    def filtered(self, points: int | None, cutoff: float) -> Trajectory:
        """Points with derivatives as identification estimates them."""
        if not self.missing:
            raise ArgumentError(
                f"cutoff: {self.source} has all that is needed ({', '.join(self.needs)}), so that"
                " there is nothing to differentiate; leave cutoff out"
            )
        summary = DataSummary()
        try:
            pieces = list(samples(self.recording, _SIZE, summary, cutoff=cutoff, rate=self.rate))
        except ValueError as error:
            raise error if isinstance(error, DataError) else ArgumentError(error) from None
        total = summary.used
        if not total:
            raise DataError(
                f"{self.source}: its {summary.rows} rows are too few for a low-pass of {cutoff:g}"
                " Hz; choose a higher cutoff, or none"
            )
        chosen = _even(total, points)
        whole = {
            k: np.concatenate([np.asarray(getattr(piece, k)) for piece in pieces])[chosen]
            for k in ("t", *self.needs)
        }
        t = whole.pop("t")
        self.rises = bool(np.all(np.diff(t) > 0.0))
        notes = [str(summary), *self._untimed(), *self._thinned(total, len(chosen))]
        for piece in filter(len, pieces):
            self.sight += Sight({"q": piece.q.min(axis=0)}, {"q": piece.q.max(axis=0)})
        notes += self._odd()
        return Trajectory(self.source, t if self.rises else None, whole, tuple(notes))

    # -------------------------------------------------------------- in words

    def _estimated(self, width: int) -> list[str]:
        if not self.missing:
            return []
        of = "positions" if "v" in self.missing else "velocities"
        names = {"v": "velocities", "a": "accelerations"}
        what = " and ".join(names[k] for k in self.missing)
        return [f"{what} are derivatives of the polynomial through the {of} of {width} rows"]

    def _untimed(self) -> list[str]:
        if self.rises:
            return []
        return ["the times do not rise, so that points are numbered instead"]

    def _thinned(self, total: int, points: int) -> list[str]:
        if points == total:
            return []
        return [f"{points:,} of {total:,} rows were taken, at even distances"]


def _even(total: int, points: int | None) -> np.ndarray:
    """Rows at even distances, the first and the last among them."""
    if points is None or points >= total:
        return np.arange(total)
    return np.unique(np.round(np.linspace(0, total - 1, int(points))).astype(int))


def _weights(steps: np.ndarray) -> np.ndarray:
    """Weights (P, 2, k) of values at steps (P, k) in time for their first two derivatives at zero.

    They are exact for polynomials of degree k - 1: sum_k w_k s_k^j / j! is one for the derivative
    that is meant and zero for the others.
    """
    width = steps.shape[1]
    size = np.abs(steps).max(axis=1, keepdims=True)
    powers = np.stack([(steps / size) ** j for j in range(width)], axis=1)  # (P, j, k)
    meant = np.zeros((width, 2))
    meant[1, 0], meant[2, 1] = 1.0, 2.0
    weights = np.linalg.solve(powers, np.broadcast_to(meant, (len(steps), width, 2)))
    return np.swapaxes(weights, 1, 2) / np.stack((size, size**2), axis=1)
