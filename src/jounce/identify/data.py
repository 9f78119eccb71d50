"""Measured motions and torques: opened, and brought to SI units, in pieces."""

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

#: Largest measurements in SI units: no robot comes near, and squares of products are numbers. Times
#: may be nanoseconds since 1970, which another check speaks of.
LARGEST = {"t": 1e30, "q": 1e12, "v": 1e12, "a": 1e12, "tau": 1e12}


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
        beyond = np.abs(x) > LARGEST[k]
        if beyond.any():
            beyond = (beyond & np.isfinite(x)).reshape(len(x), -1)
        if beyond.any():
            row, column = (int(i) for i in np.argwhere(beyond)[0])
            raise DataError(
                f"{source}, row {first + row} (from 0), column '{found[k][column]}': found"
                f" {x.reshape(len(x), -1)[row, column]:g}, expected at most {LARGEST[k]:g} in size"
                " (SI units); correct it, or leave it empty (NaN) to leave out the row"
            )
