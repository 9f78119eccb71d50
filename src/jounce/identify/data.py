"""Measured motions and torques: opened, brought to SI units, cleaned, differentiated, in pieces.

Accelerations (and velocities) that were not measured are estimated: velocities are low-passed by a
Butterworth filter of order four, forwards and backwards, so without a phase, and differentiated by
central differences. Velocities come from positions by differences along the joint's own motions,
so quaternions are welcome. Around gaps, where time jumps back and at both ends, a filter period is
left out. The filter runs on pieces with margins in which its memory fades to rounding errors.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.errors import DataError, DataWarning
from jounce.identify.columns import QUANTITIES, component_labels, expected, listed, resolve
from jounce.identify.drives import driven
from jounce.identify.files import check_names
from jounce.identify.tables import Columns, Table, open_table, topics_table

if TYPE_CHECKING:
    from jounce.robot import Robot

#: Order of the low-pass, and periods of its cutoff in which its memory fades to rounding errors.
FILTER_ORDER = 4
_MEMORY = 12

#: Steps this many times longer than the usual one are gaps.
_GAP = 3.5

#: Rows read at once, at least, where derivatives are estimated.
_WINDOW = 65536

#: Largest measurements in SI units: no robot comes near, and squares of products are numbers. Times
#: may be nanoseconds since 1970, which another check speaks of.
_LARGEST = {"t": 1e30, "q": 1e12, "v": 1e12, "a": 1e12, "tau": 1e12}

#: Samples in a period of a cutoff, at most.
_LONGEST_PERIOD = 1_000_000


@dataclass
class DataSummary:
    """What was read, left out and noticed."""

    source: str = ""
    rows: int = 0
    missing: int = 0  # rows with NaN or infinity
    edges: int = 0  # rows near gaps and ends, without derivatives
    used: int = 0
    jumps: int = 0  # times that do not rise
    gaps: int = 0
    outliers: int = 0  # rows with torques far from the model
    step: float = float("nan")  # s
    filter: str = ""
    warnings: list[str] = field(default_factory=list)

    def warn(self, message: str) -> None:
        """Note a warning about the data and issue it."""
        warning = DataWarning(f"{self.source}: {message}")
        self.warnings.append(str(warning))
        warnings.warn(warning, stacklevel=2)

    def __str__(self) -> str:
        parts = [f"{self.rows:,} rows of {self.source}, {self.used:,} used"]
        for count, what in (
            (self.missing, "with missing values"),
            (self.edges, "near gaps and ends"),
            (self.jumps, "where time does not rise"),
            (self.outliers, "with torques far from the model"),
        ):
            if count:
                parts.append(f"{count:,} {what}")
        return "; ".join(parts) + (f". {self.filter}" if self.filter else "")


@dataclass(frozen=True, eq=False)
class Samples:
    """Measured states: t (n,) or None, q (n, nq), v, a and tau (n, nv); rows: where they stood."""

    t: np.ndarray | None
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray
    rows: np.ndarray

    def __len__(self) -> int:
        return len(self.q)

    def __getitem__(self, part: slice | np.ndarray) -> Samples:
        t = None if self.t is None else self.t[part]
        return Samples(t, *(x[part] for x in (self.q, self.v, self.a, self.tau, self.rows)))

    @classmethod
    def joined(cls, pieces: Sequence[Samples]) -> Samples:
        """One after the other; times only where all have some."""
        timed = all(piece.t is not None for piece in pieces)
        fields = ("t", "q", "v", "a", "tau", "rows") if timed else ("q", "v", "a", "tau", "rows")
        arrays = {k: np.concatenate([getattr(piece, k) for piece in pieces]) for k in fields}
        return cls(**{"t": None, **arrays})


#: A piece of raw data: arrays by quantity.
Piece = dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Recording:
    """Measurements of a robot, to be read in pieces any number of times.

    has: which of t, v and a were measured. measured: mask (nv,) of the torques there are. length:
    number of rows.
    """

    robot: Robot
    source: str
    length: int
    has: frozenset[str]
    measured: np.ndarray
    read: Callable[[int], Iterator[Piece]]


def open_recording(
    data: Any,
    robot: Robot,
    *,
    columns: Mapping[str, str] | None = None,
    degrees: bool = False,
    torque_scale: float = 1.0,
    time_scale: float = 1.0,
) -> Recording:
    """Measurements from a file, a folder, arrays, topics or a data frame.

    data: a path (.csv, .tsv, .txt, .npz, .npy, .parquet, a folder of .npy files); a mapping with
    arrays t (n,), q (n, nq), v, a, tau (n, nv), or with a column for each name; a mapping of
    topics, each a mapping with t, name and arrays; or a data frame. columns: names of the
    convention to names in the data (see `jounce.identify.columns`). degrees: angles are in degrees.
    torque_scale, time_scale: factors to N m or N, and to seconds (1e-3 for mN m and ms, 1e-9 for
    ns).
    """
    table = _table(data)
    found = resolve(table.names, robot, columns, table.source)
    measured = _check_found(found, table, robot)
    has = {k for k in ("t", "v", "a") if all(x is not None for x in found[k])}
    for k in ("v", "a"):
        missing = [
            x for x, c in zip(component_labels(robot, k), found[k], strict=True) if c is None
        ]
        if 0 < len(missing) < robot.nv:
            raise DataError(
                f"{table.source}: there are columns {k} of some joints, but not of"
                f" {listed(missing)}; give all of them or none"
            )
    wanted = [k for k in ("t", *QUANTITIES) if k in has or k in ("q", "tau")]
    scales = _scales(robot, degrees, torque_scale, time_scale)
    names = [name for k in wanted for name in found[k] if name is not None]

    def read(size: int) -> Iterator[Piece]:
        rows = 0
        for block in table.pieces(names, size):
            piece = _split(block, wanted, measured, robot, scales)
            _check_sizes(table.source, rows, piece, found)
            rows += len(block)
            yield piece

    return Recording(robot, table.source, table.length, frozenset(has), measured, read)


def _table(data: Any) -> Table:
    if isinstance(data, (str, os.PathLike)):
        return open_table(data)
    if isinstance(data, np.ndarray) and data.dtype.names is not None:
        return Columns({name: data[name] for name in data.dtype.names})
    if isinstance(data, Mapping):
        if not data:
            raise DataError("the data are empty: expected arrays such as t, q, v and tau")
        if all(isinstance(value, Mapping) for value in data.values()):
            return topics_table(data)
        return Columns({k: x for k, x in data.items() if x is not None})
    names = getattr(data, "columns", None)
    if names is not None and hasattr(data, "__getitem__"):  # a data frame
        check_names("the data", [str(name) for name in names])
        return Columns({str(name): data[name] for name in names})
    raise DataError(
        "data: expected a path, a mapping of arrays, a structured array or a data frame, found"
        f" {type(data).__name__}"
    )


def _check_found(found: Mapping[str, list[str | None]], table: Table, robot: Robot) -> np.ndarray:
    """Mask of the torques there are; positions and torques of drives are needed."""
    measured = np.array([name is not None for name in found["tau"]])
    needed = set(driven(robot))
    lacking = {
        "q": [x for x, c in zip(component_labels(robot, "q"), found["q"], strict=True) if not c],
        "tau": [
            x
            for k, (x, c) in enumerate(
                zip(component_labels(robot, "tau"), found["tau"], strict=True)
            )
            if not c and (k in needed or not measured.any())
        ],
    }
    missing = [f"{k}_{x}" for k, names in lacking.items() for x in names]
    if missing:
        raise DataError(
            f"{table.source}: no column for {listed(missing)}. The columns are"
            f" {listed(table.names)}. Expected {listed(expected(robot))}"
            " (or other spellings; or columns={'q_...': 'name in the data'})"
        )
    if table.length == 0:
        raise DataError(f"{table.source}: there are names but no rows")
    return measured


def _scales(robot: Robot, degrees: bool, torque: float, time: float) -> dict[str, Any]:
    for name, factor in (("torque_scale", torque), ("time_scale", time)):
        if not (np.isfinite(factor) and factor != 0.0):
            raise ValueError(f"{name}: expected a factor such as 1e-3, found {factor!r}")
    angle = np.pi / 180.0 if degrees else 1.0
    q, v = np.ones(robot.nq), np.ones(robot.nv)
    for view in robot.joints.values():
        if view.joint.mimic is not None:
            continue
        kind = view.joint.row
        v[view.v] = np.where(kind.turns, angle, 1.0)
        q[view.q] = [angle if unit == "rad" else 1.0 for unit in kind.units]
    return {"t": time, "q": q, "v": v, "a": v, "tau": torque}


def _split(
    block: np.ndarray,
    wanted: Sequence[str],
    measured: np.ndarray,
    robot: Robot,
    scales: Mapping[str, Any],
) -> Piece:
    """Columns to arrays by quantity, in SI units; torques that were not measured are zero."""
    out: Piece = {}
    at = 0
    for k in wanted:
        n = {"t": 1, "q": robot.nq, "tau": int(measured.sum())}.get(k, robot.nv)
        with np.errstate(over="ignore"):
            part = block[:, at : at + n] * scales[k]
        at += n
        if k == "tau":
            out[k] = np.zeros((len(block), robot.nv))
            out[k][:, measured] = part
        else:
            out[k] = part[:, 0] if k == "t" else part
    return out


def _check_sizes(
    source: str, first: int, piece: Piece, found: Mapping[str, list[str | None]]
) -> None:
    """Refuse numbers that no measurement has; those that are not finite are left out later."""
    for k, x in piece.items():
        beyond = np.abs(x) > _LARGEST[k]
        if beyond.any():
            beyond = (beyond & np.isfinite(x)).reshape(len(x), -1)
        if beyond.any():
            row, column = (int(i) for i in np.argwhere(beyond)[0])
            raise DataError(
                f"{source}, row {first + row} (from 0), column '{found[k][column]}': found"
                f" {x.reshape(len(x), -1)[row, column]:g}, expected at most {_LARGEST[k]:g} in size"
                " (SI units); correct it, or leave it empty (NaN) to leave out the row"
            )


def check_period(source: str, step: float, cutoff: float) -> int:
    """Samples in a period of the cutoff (Hz) at a step (s)."""
    period = 1.0 / (cutoff * step)
    if period > _LONGEST_PERIOD:
        raise DataError(
            f"{source}: the times rise by {step:g} s only, {period:.3g} samples in a period of the"
            f" low-pass of {cutoff:g} Hz; are they in seconds? See time_scale, cutoff and rate"
        )
    return int(np.ceil(period))


# ------------------------------------------------------------------ cleaned samples


def samples(
    recording: Recording,
    size: int,
    summary: DataSummary,
    *,
    cutoff: float | None = None,
    rate: float | None = None,
    accelerations: bool = True,
) -> Iterator[Samples]:
    """Cleaned samples in order, in pieces of at most `size` rows.

    cutoff: of the low-pass for derivatives, in Hz; None: 20 Hz or an eighth of the sampling rate,
    whichever is less. rate: sampling rate in Hz where there are no times. accelerations: whether
    they are needed; zeros otherwise, where they were not measured.
    """
    summary.source, summary.rows = recording.source, 0
    if "v" in recording.has and ("a" in recording.has or not accelerations):
        pieces = _measured(recording, size, summary)
    else:
        pieces = _differentiated(recording, summary, cutoff, rate)
    for piece in pieces:
        for start in range(0, len(piece), size):
            part = piece[start : start + size]
            summary.used += len(part)
            yield part


def _measured(recording: Recording, size: int, summary: DataSummary) -> Iterator[Samples]:
    last = -np.inf
    for piece in recording.read(size):
        n = len(piece["q"])
        rows = np.arange(summary.rows, summary.rows + n)
        summary.rows += n
        finite = _finite(piece)
        summary.missing += n - int(finite.sum())
        t = piece.get("t")
        if t is not None:
            steps = np.diff(t[finite], prepend=last)
            summary.jumps += int((steps <= 0.0).sum())
            last = t[finite][-1] if finite.any() else last
            if not np.isfinite(summary.step) and finite.sum() > 2:
                summary.step = float(np.median(steps[1:]))
        a = piece["a"] if "a" in piece else np.zeros_like(piece["v"])
        yield Samples(t, piece["q"], piece["v"], a, piece["tau"], rows)[
            slice(None) if finite.all() else finite
        ]


def _finite(piece: Piece) -> np.ndarray:
    out = np.ones(len(piece["q"]), dtype=bool)
    for x in piece.values():
        out &= np.isfinite(x) if x.ndim == 1 else np.isfinite(x).all(axis=1)
    return out


def _differentiated(
    recording: Recording, summary: DataSummary, cutoff: float | None, rate: float | None
) -> Iterator[Samples]:
    """Samples with estimated accelerations (and velocities), from overlapping windows."""
    if "t" not in recording.has and rate is None:
        raise DataError(
            f"{recording.source}: accelerations are to be estimated, but there is no column of"
            " times 't'; add one, or give the sampling rate in Hz"
        )
    if rate is not None and not (np.isfinite(rate) and rate > 0.0):
        raise ValueError(f"rate: expected a frequency in Hz, found {rate!r}")
    estimate: _Derivatives | None = None
    held: Piece = {}
    fresh = 0  # of the rows held, how many at the front have been handed out
    for piece in recording.read(_WINDOW):
        n = len(piece["q"])
        piece["rows"] = np.arange(summary.rows, summary.rows + n)
        summary.rows += n
        if "t" not in piece:
            piece["t"] = piece["rows"] / float(rate or 1.0)
        finite = _finite(piece)
        summary.missing += n - int(finite.sum())
        piece = {k: x[finite] for k, x in piece.items()}
        held = {k: np.concatenate((held[k], x)) if held else x for k, x in piece.items()}
        if estimate is None:
            if len(held["t"]) < 3:
                continue
            estimate = _Derivatives(recording.robot, held["t"], cutoff, rate, summary)
        done = len(held["t"]) - estimate.margin
        if done > fresh:
            yield estimate(held, fresh, done)
            keep = max(done - estimate.margin, 0)
            held = {k: x[keep:] for k, x in held.items()}
            fresh = done - keep
    if estimate is None:
        return
    yield estimate(held, fresh, len(held["t"]))


class _Derivatives:
    """Low-pass and central differences on a window of rows."""

    def __init__(
        self,
        robot: Robot,
        t: np.ndarray,
        cutoff: float | None,
        rate: float | None,
        summary: DataSummary,
    ) -> None:
        steps = np.diff(t)
        usual = (
            1.0 / rate
            if rate
            else float(np.median(steps[steps > 0.0]))
            if np.any(steps > 0.0)
            else 0.0
        )
        if usual <= 0.0:
            raise DataError(f"{summary.source}: the times do not rise; expected seconds")
        nyquist = 0.5 / usual
        self.cutoff = min(20.0, nyquist / 4.0) if cutoff is None else float(cutoff)
        if not 0.0 < self.cutoff < nyquist:
            raise ValueError(
                f"cutoff: expected a frequency between 0 and {nyquist:g} Hz (half of the sampling"
                f" rate), found {cutoff!r}"
            )
        self.robot, self.step, self.summary = robot, usual, summary
        self.period = check_period(summary.source, usual, self.cutoff)
        self.margin = _MEMORY * self.period
        self.sections = _butterworth(self.cutoff * 2.0 * usual)
        summary.step = usual
        summary.filter = (
            f"Accelerations by central differences of velocities behind a Butterworth low-pass of"
            f" order {FILTER_ORDER} at {self.cutoff:g} Hz, forwards and backwards"
        )

    def __call__(self, window: Piece, start: int, stop: int) -> Samples:
        """The rows start to stop of a window, with v and a."""
        t, robot = window["t"], self.robot
        v, a = np.empty((2, len(t), robot.nv))
        good = np.zeros(len(t), dtype=bool)
        steps = np.diff(t)
        breaks = np.flatnonzero((steps <= 0.0) | (steps > _GAP * self.step)) + 1
        for first, last in zip((0, *breaks), (*breaks, len(t)), strict=True):
            part = slice(first, last)
            if last - first > 3 * self.period + 20:  # the filter's padding needs some
                with np.errstate(all="ignore"):  # times that hardly differ; checked below
                    given = window["v"][part] if "v" in window else self._velocity(window, part)
                    v[part], a[part] = self._filtered(t[part], given)
                good[first + self.period : last - self.period] = True
        inside = breaks[(breaks >= start) & (breaks < stop)]
        jumps = int((steps[inside - 1] <= 0.0).sum())
        self.summary.jumps += jumps
        self.summary.gaps += len(inside) - jumps
        chosen = np.arange(start, stop)[good[start:stop]]
        self.summary.edges += stop - start - len(chosen)
        wild = np.maximum(np.abs(v[chosen]), np.abs(a[chosen])).max(axis=1)
        wild = np.flatnonzero(~(wild <= _LARGEST["a"]))
        if len(wild):
            raise DataError(
                f"{self.summary.source}, row {window['rows'][chosen[wild[0]]]} (from 0): estimated"
                " accelerations have no bounds; are there times that hardly differ, or quaternions"
                " that are zero? Correct or remove such rows"
            )
        return Samples(t, window["q"], v, a, window["tau"], window["rows"])[chosen]

    def _velocity(self, window: Piece, part: slice) -> np.ndarray:
        """Differences of second order along the joints' motions, on uneven steps too."""
        t, q = window["t"][part], window["q"][part]
        h = np.diff(t)[:, None]
        slopes = self.robot.difference(q[:-1], q[1:]) / h
        out = np.empty((len(t), self.robot.nv))
        out[0], out[-1] = slopes[0], slopes[-1]
        out[1:-1] = (h[1:] * slopes[:-1] + h[:-1] * slopes[1:]) / (h[1:] + h[:-1])
        return out

    def _filtered(self, t: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Low-passed velocity and its derivative at the times t; uneven steps are evened out."""
        from scipy.signal import sosfiltfilt

        n = max(round((t[-1] - t[0]) / self.step) + 1, 2)
        grid = np.linspace(t[0], t[-1], n)
        even = n == len(t) and np.abs(t - grid).max() < 1e-3 * self.step
        u = v if even else np.column_stack([np.interp(grid, t, x) for x in v.T])
        smooth = sosfiltfilt(self.sections, u, axis=0)
        slope = np.gradient(smooth, grid[1] - grid[0], axis=0)
        if even:
            return smooth, slope
        back = (np.column_stack([np.interp(t, grid, x) for x in y.T]) for y in (smooth, slope))
        return tuple(back)  # type: ignore[return-value]


def _butterworth(fraction: float) -> Any:
    try:
        from scipy.signal import butter
    except ImportError:
        raise ImportError(
            'estimating accelerations needs SciPy; install it: pip install "jounce[identify]"'
        ) from None
    return butter(FILTER_ORDER, fraction, output="sos")
