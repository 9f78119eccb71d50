"""Trajectories from files, along which a study evaluates a quantity.

Files are those that identification reads: columns `t`, `q_<joint>`, `v_<joint>`, `a_<joint>` in SI
units, or other common names. Torques are read only for quantities that take them.

Missing velocities and accelerations are derivatives of the polynomial through the positions of the
five rows around a point, at even or uneven times. They are taken in the coordinates
x(s) = difference(q(t), q(s)) along the joints' own motions, so that v is x' and a is x'' at s = t
for orientations too. (With u = J(x) x' for the velocity at s, J(0) = 1, and J' x' = 0 there, as it
is the bracket of x' with itself.) They amplify the noise of a measured motion; for these a cutoff
frequency selects the low-pass filter of identification instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.errors import ArgumentError, DataError, DataWarning, warn
from jounce.identification import Recording, checks, cleaning, data, read_log, without_open_loops
from jounce.robot import Robot
from jounce.solve import Mechanism

#: Arguments of quantities that a file can contain.
KNOWN = ("q", "v", "a", "tau")

#: Rows of a polynomial for derivatives, at most and at least.
_MAX_ROWS, _MIN_ROWS = 5, 3

#: Rows read at once.
_BLOCK = 16384


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Points of a motion, as `read_trajectory` returns them; `len` is their number P."""

    #: Name of the file or data.
    source: str

    #: Times (P,) in s; None if the data have none, or they do not increase.
    t: np.ndarray | None

    #: q (P, nq), v, a and tau (P, nv) by name in SI units, those that the quantity takes.
    values: dict[str, np.ndarray]

    #: Sentences about estimated derivatives, omitted rows and implausible units.
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(next(iter(self.values.values())))

    @property
    def arguments(self) -> tuple[np.ndarray, ...]:
        """The values in the order of the quantity's arguments."""
        return tuple(self.values.values())


def read_trajectory(
    robot: Robot | Mechanism,
    data: Any,
    quantity: str = "inverse_dynamics",
    *,
    points: int | None = None,
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
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
        As `jounce.identification.read_log` takes it; q is required, other arguments are
        estimated if they are missing.
    quantity : str
        Name of the quantity.
    points : int
        Maximum number of points, evenly spaced; by default all.
    columns, units, degrees, time_scale, torque_scale
        Options of `jounce.identification.read_log`.
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
    DataError
        If the data have missing numbers, or too few columns or rows.
    """
    if points is not None and (isinstance(points, bool) or points != int(points) or points < 1):
        raise ArgumentError(f"points: expected a whole number of at least 1, found {points!r}")
    if rate is not None and not (np.isfinite(rate) and rate > 0.0):
        raise ArgumentError(f"rate: expected a frequency in Hz, found {rate!r}")
    without_open_loops(robot, "which a trajectory must keep closed")
    needs = _find_arguments(robot, quantity)
    recording = read_log(
        data,
        robot,
        columns=columns,
        units=units,
        degrees=degrees,
        torque_scale=torque_scale,
        time_scale=time_scale,
        torques="tau" in needs,
    )
    missing = [k for k in ("v", "a") if k in needs and k not in recording.has]
    if missing and "t" not in recording.has and rate is None:
        raise DataError(
            f"{recording.source}: expected columns {_columns(missing)}, or times 't' to estimate"
            " them; add either, or pass the sampling rate in Hz as rate"
        )
    if cutoff is None:
        rows, notes = _read_rows(recording, needs, missing, rate)
    else:
        rows, notes = _read_filtered(recording, needs, missing, rate, cutoff)
    total = len(rows["q"])
    chosen = np.arange(total)
    if points is not None and points < total:
        chosen = np.unique(np.round(np.linspace(0, total - 1, int(points))).astype(int))
    values = {k: rows[k][chosen] for k in needs if k in rows}
    if cutoff is None and missing:
        values |= _differentiate(recording, rows, missing, chosen)
        base = "positions" if "v" in missing else "velocities"
        what = " and ".join({"v": "velocities", "a": "accelerations"}[k] for k in missing)
        width = min(_MAX_ROWS, total)
        notes = [f"{what} are derivatives of the polynomial through the {base} of {width} rows"]
    t = rows["t"][chosen] if "t" in rows else None
    if t is not None and not (np.diff(rows["t"]) > 0.0).all():
        t = None
        notes.append("the times do not increase; points are numbered instead")
    if len(chosen) < total:
        notes.append(f"{len(chosen):,} of {total:,} rows are used, evenly spaced")
    notes += _check_units(recording, rows)
    return Trajectory(recording.source, t, {k: values[k] for k in needs}, tuple(notes))


def _columns(names: list[str]) -> str:
    return " and ".join(f"{k}_<joint>" for k in names)


def _find_arguments(robot: Robot | Mechanism, quantity: str) -> tuple[str, ...]:
    """Return the names of a quantity's arguments; raise ArgumentError if a file cannot hold one."""
    names = robot.quantity(quantity).definition.arguments
    if not names or any(name not in KNOWN for name in names):
        raise ArgumentError(
            f"quantity: {quantity} takes {', '.join(names) or 'nothing'}, and a trajectory has"
            f" {', '.join(KNOWN)}; choose a quantity of these, such as inverse_dynamics"
        )
    return names


def _read_rows(
    recording: Recording, needs: tuple[str, ...], missing: list[str], rate: float | None
) -> tuple[dict[str, np.ndarray], list[str]]:
    """Return all rows; refuse missing values, and times that do not increase if needed."""
    pieces = list(recording.read(_BLOCK))
    rows = {k: np.concatenate([piece[k] for piece in pieces]) for k in pieces[0]}
    if "t" not in rows and rate is not None:
        rows["t"] = np.arange(len(rows["q"])) / rate
    for k in (k for k in ("t", "q", *needs) if k in rows):
        x = rows[k].reshape(len(rows[k]), -1)
        bad = np.argwhere(~np.isfinite(x))
        if len(bad):
            row, column = (int(i) for i in bad[0])
            labels = recording.robot.labels("q" if k == "q" else "v")
            name = "t" if k == "t" else f"{k}_{labels[column]}"
            raise DataError(
                f"{recording.source}, row {row} (from 0), column '{name}': expected a number, found"
                f" {x[row, column]:g}; correct or remove the row"
            )
    if missing:
        back = np.flatnonzero(np.diff(rows["t"]) <= 0.0)
        if len(back):
            raise DataError(
                f"{recording.source}, row {back[0] + 1} (from 0), column 't': the time does not"
                f" increase, so that {' and '.join(missing)} cannot be estimated from the"
                " positions; keep one motion in the file, in order"
            )
        if len(rows["q"]) < _MIN_ROWS:
            raise DataError(
                f"{recording.source}: {len(rows['q'])} row(s) are too few to estimate"
                f" {' and '.join(missing)} from, expected {_MIN_ROWS}; add rows, or columns"
                f" {_columns(missing)}"
            )
    return rows, []


def _read_filtered(
    recording: Recording,
    needs: tuple[str, ...],
    missing: list[str],
    rate: float | None,
    cutoff: float,
) -> tuple[dict[str, np.ndarray], list[str]]:
    """Return rows with the derivatives of identification's low-pass filter, and a note on it."""
    if not missing:
        raise ArgumentError(
            f"cutoff: {recording.source} has all arguments ({', '.join(needs)}), so no derivatives"
            " are estimated; omit cutoff"
        )
    summary = data.DataSummary()
    try:
        pieces = list(cleaning.samples(recording, _BLOCK, summary, cutoff=cutoff, rate=rate))
    except ValueError as error:
        raise error if isinstance(error, DataError) else ArgumentError(error) from None
    if not summary.used:
        raise DataError(
            f"{recording.source}: its {summary.rows} rows are too few for a low-pass of {cutoff:g}"
            " Hz; choose a higher cutoff, or none"
        )
    names = {"t", "q", *needs}
    return {k: np.concatenate([getattr(x, k) for x in pieces]) for k in names}, [str(summary)]


def _differentiate(
    recording: Recording, rows: Mapping[str, np.ndarray], missing: list[str], chosen: np.ndarray
) -> dict[str, np.ndarray]:
    """Return missing velocities and accelerations at chosen rows, from the rows around them."""
    total = len(rows["q"])
    width = min(_MAX_ROWS, total)
    around = np.clip(chosen - width // 2, 0, total - width)[:, None] + np.arange(width)
    weights = _weights(rows["t"][around] - rows["t"][chosen][:, None])
    if "v" in missing:
        moved = recording.robot.difference(rows["q"][chosen][:, None], rows["q"][around])
    else:
        moved, weights = rows["v"][around], weights[:, :1]
    out = {k: np.einsum("pk,pki->pi", weights[:, i], moved) for i, k in enumerate(missing)}
    for k, x in out.items():
        bad = np.argwhere(~(np.abs(x) <= data.LARGEST[k]))
        if len(bad):
            row, column = (int(i) for i in bad[0])
            raise DataError(
                f"{recording.source}, row {chosen[row]} (from 0): the estimate of"
                f" {k}_{recording.robot.labels('v')[column]} is out of bounds; look for nearly"
                " equal times or zero quaternions, and correct or remove such rows"
            )
    return out


def _weights(steps: np.ndarray) -> np.ndarray:
    """Weights (P, 2, k) of values at steps (P, k) in time for their first two derivatives at zero.

    They are exact for polynomials of degree k - 1: sum_k w_k s_k^j / j! is one for the derivative
    of order j and zero for the others.
    """
    width = steps.shape[1]
    size = np.abs(steps).max(axis=1, keepdims=True)
    powers = np.stack([(steps / size) ** j for j in range(width)], axis=1)  # (P, j, k)
    meant = np.zeros((width, 2))
    meant[1, 0], meant[2, 1] = 1.0, 2.0
    weights = np.linalg.solve(powers, np.broadcast_to(meant, (len(steps), width, 2)))
    return np.swapaxes(weights, 1, 2) / np.stack((size, size**2), axis=1)


def _check_units(recording: Recording, rows: Mapping[str, np.ndarray]) -> list[str]:
    """Warn of units that do not fit; return the warnings."""
    robot, q = recording.robot, rows["q"]
    text = checks.implausible_angle(
        robot, checks.ValueRanges({"q": q.min(axis=0)}, {"q": q.max(axis=0)})
    )
    if text:
        warn(f"{recording.source}: {text}", DataWarning)
    return [text] if text else []
