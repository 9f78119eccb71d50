"""Measured motions and torques, read in chunks and converted to SI units."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.arrays import refuse_other_order
from jounce.errors import DataError, DataWarning, warn
from jounce.identification.closing import Closing
from jounce.identification.columns import (
    QUANTITIES,
    component_labels,
    expected_columns,
    explain_numbers,
    join_names,
    resolve,
    scales,
)
from jounce.identification.drives import driven_velocities
from jounce.identification.log_files import check_names
from jounce.identification.log_tables import ArrayTable, Table, merge_topics, open_table
from jounce.identification.subject import MechanismAdapter, Subject, subject
from jounce.identification.units import UnitOptions

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve.mechanism import Mechanism

#: Largest accepted measurements in SI units: far beyond any robot, and without overflow in squares
#: of products. Times may be nanoseconds since 1970; another check reports them.
LARGEST = {"t": 1e30, "q": 1e12, "v": 1e12, "a": 1e12, "tau": 1e12}

#: Maximum number of partitions named in a sentence.
NAMED = 5


@dataclass
class DataSummary:
    """Counts of rows that were read and left out, and warnings."""

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
    partitions: int = 1
    left_out: dict[str, str] = field(default_factory=dict)  # reasons by partition
    missing_in: dict[str, int] = field(default_factory=dict)  # rows of the first partitions

    def __add__(self, other: DataSummary) -> DataSummary:
        """Return the summary of both; the step and the filter are those of the first."""
        sums = ("rows", "missing", "edges", "used", "jumps", "gaps", "outliers", "partitions")
        named = {**self.missing_in, **other.missing_in}
        return replace(
            self,
            **{name: getattr(self, name) + getattr(other, name) for name in (*sums, "warnings")},
            step=self.step if self.used else other.step,
            filter=self.filter or other.filter,
            left_out={**self.left_out, **other.left_out},
            missing_in=dict(islice(named.items(), NAMED)),
        )

    def warn(self, message: str) -> None:
        """Issue a warning about the data and keep it."""
        warning = DataWarning(f"{self.source}: {message}")
        self.warnings.append(str(warning))
        warn(str(warning), DataWarning)

    def describe_left_out(self) -> str:
        """Return a sentence about partitions that were left out."""
        named = [f"{name} ({reason})" for name, reason in islice(self.left_out.items(), NAMED)]
        ellipsis = ", ..." if len(self.left_out) > NAMED else ""
        return (
            f"{len(self.left_out)} of {self.partitions} partitions left out:"
            f" {', '.join(named)}{ellipsis}"
        )

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
        if self.left_out:
            parts.append(self.describe_left_out())
        return "; ".join(parts) + (f". {self.filter}" if self.filter else "")


@dataclass(frozen=True, eq=False)
class Samples:
    """Measured states: t (n,) or None, q (n, nq), v, a and tau (n, nv); rows: row numbers (n,)."""

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

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays by name; without times if there are none."""
        return {k: x for k, x in vars(self).items() if x is not None}

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray]) -> Samples:
        """Return samples from the result of `arrays`."""
        return cls(**{"t": None, **arrays})


#: A piece of raw data: arrays by quantity.
Piece = dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Recording:
    """Measurements of a robot, which can be read in chunks any number of times.

    has: the measured ones of t, v and a. measured: mask (nv,) of the measured torques. length:
    number of rows. Measurements of a mechanism are read with closed loops; see `Closing`.
    """

    robot: Subject
    source: str
    length: int
    has: frozenset[str]
    measured: np.ndarray
    read: Callable[[int], Iterator[Piece]]
    closings: list[Closing] = field(default_factory=list)

    @property
    def gap(self) -> float:
        """Largest gap of a mechanism's loops in the rows that were read so far, rad or m."""
        return max((closing.gap for closing in self.closings), default=0.0)


def read_log(
    data: Any,
    robot: Robot | Mechanism,
    *,
    columns: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    degrees: bool = False,
    torque_scale: float = 1.0,
    time_scale: float = 1.0,
    torques: bool = True,
) -> Recording:
    """Open measured motions and torques, which are read in chunks and in SI units.

    Parameters
    ----------
    data : path, mapping or data frame
        A path or address (.csv, .tsv, .txt, also compressed, .npz, .npy, .parquet, a folder of .npy
        files); a mapping with arrays t (n,), q (n, nq), v, a, tau (n, nv), or with a column for
        each name; a mapping of topics, each a mapping with t, name and arrays; or a data frame.
    robot : Robot or Mechanism
        For a mechanism, q of the independent joints suffices; v, a and tau are those of the
        independent joints. Torques of dependent joints, if any, are converted to torques of the
        independent ones.
    columns : mapping of str to str
        Standard names to names in the data, ``{"tau_elbow": "Motor 3"}``, for columns whose names
        are not recognized; see `jounce.identification.columns`.
    units : mapping of str to str
        Units of columns whose names contain none: ``{"q": "deg", "t": "ms", "tau_elbow": "mN m"}``,
        for t, q, v, a, tau or one of their columns by its standard name.
    degrees : bool
        Angles and their rates are in degrees.
    torque_scale, time_scale : float
        Factors to N m or N, and to seconds (1e-3 for mN m and ms, 1e-9 for ns).
    torques : bool
        Read torques. Otherwise they are zeros, as for a planned motion, and columns named like
        joints are positions.

    Returns
    -------
    Recording
        The measurements, read in chunks.

    Raises
    ------
    DataError
        If the data cannot be read, a column is missing or ambiguous, or a unit is not known.
    """
    owner = subject(robot)
    options = UnitOptions(units or {}, degrees, torque_scale, time_scale)
    _refuse_other_names(data, owner)
    table = open_data(data)
    columns_of = resolve(table.names, owner, columns, table.source, bare=not torques)
    if not torques:
        columns_of["tau"] = [None] * len(columns_of["tau"])
    chosen = _of_independent(columns_of, owner)
    measured = _check_columns(chosen, table, owner, torques)
    has = _complete_quantities(chosen, owner, table.source)
    wanted = [k for k in ("t", *QUANTITIES) if k in has or k in ("q", "tau")]
    places = {k: columns_of[k] if k in ("q", "tau") else chosen[k] for k in wanted}
    factors = scales(owner, places, table.source, options)
    names = [name for k in wanted for name in places[k] if name is not None]
    closings: list[Closing] = []

    def read(size: int) -> Iterator[Piece]:
        return pieces(table.pieces(names, size))  # checks files before allocating memory

    def pieces(blocks: Iterator[np.ndarray]) -> Iterator[Piece]:
        rows, close = 0, None
        if isinstance(owner, MechanismAdapter):
            is_measured = np.array([name is not None for name in columns_of["q"]])
            close = Closing(owner, is_measured, table.source)
            closings.append(close)
        for block in blocks:
            piece = _split_columns(block, places, factors)
            _check_sizes(table.source, rows, piece, places)
            if close is not None:
                _close(piece, close, rows)
            rows += len(block)
            yield piece

    return Recording(owner, table.source, table.length, has, measured, read, closings)


#: The name of `read_log` in earlier versions.
open_recording = read_log


def _refuse_other_names(data: Any, robot: Subject) -> None:
    """Refuse arrays with joint labels in another order than in the robot."""
    if isinstance(data, Mapping):
        for name in QUANTITIES:
            labels = robot.labels("q" if name == "q" else "v")
            refuse_other_order(data.get(name), labels, f"the data: '{name}'")


def _complete_quantities(
    columns: Mapping[str, list[str | None]], robot: Subject, source: str
) -> frozenset[str]:
    """Return the quantities of t, v and a with columns for all joints; refuse incomplete ones."""
    for k in ("v", "a"):
        pairs = zip(component_labels(robot, k), columns[k], strict=True)
        missing = [label for label, column in pairs if column is None]
        if 0 < len(missing) < robot.nv:
            raise DataError(
                f"{source}: there are columns {k} of some joints, but not of"
                f" {join_names(missing)}; provide all of them or none"
            )
    return frozenset(k for k in ("t", "v", "a") if all(x is not None for x in columns[k]))


def _of_independent(
    columns: Mapping[str, list[str | None]], robot: Subject
) -> dict[str, list[str | None]]:
    """Return the columns with v, a and tau of the independent joints only."""
    if not isinstance(robot, MechanismAdapter):
        return dict(columns)
    selected = {k: [columns[k][i] for i in robot.active] for k in ("v", "a", "tau")}
    return {**columns, **selected}


def _close(piece: Piece, close: Closing, first: int) -> None:
    """Close the loops, and convert torques of all joints to those of the independent ones."""
    robot, tau = close.robot, piece["tau"]
    piece["q"] = close(piece["q"], first)
    passive = np.delete(np.arange(tau.shape[1]), robot.active)
    if tau[:, passive].any():
        piece["tau"] = robot.mechanism.independent_forces(piece["q"], tau)
    else:
        piece["tau"] = tau[:, robot.active]


def open_data(data: Any) -> Table:
    """Open a file, address, mapping, structured array or data frame as a table."""
    if isinstance(data, (str, os.PathLike)):
        return open_table(data)
    if isinstance(data, np.ndarray) and data.dtype.names is not None:
        return ArrayTable({name: data[name] for name in data.dtype.names})
    if isinstance(data, Mapping):
        if not data:
            raise DataError("the data are empty: expected arrays such as t, q, v and tau")
        if all(isinstance(value, Mapping) for value in data.values()):
            return merge_topics(data)
        return ArrayTable({k: x for k, x in data.items() if x is not None})
    names = getattr(data, "columns", None)
    if names is not None and hasattr(data, "__getitem__"):  # a data frame
        check_names("the data", [str(name) for name in names])
        return ArrayTable({str(name): data[name] for name in names})
    raise DataError(
        "data: expected a path, a mapping of arrays, a structured array or a data frame, found"
        f" {type(data).__name__}"
    )


def _check_columns(
    columns: Mapping[str, list[str | None]], table: Table, robot: Subject, torques: bool
) -> np.ndarray:
    """Return the mask of measured torques; refuse data without positions or drive torques."""
    leading = robot.leading if isinstance(robot, MechanismAdapter) else range(robot.nq)
    measured = np.array([name is not None for name in columns["tau"]])
    needed = driven_velocities(robot) if measured.any() else range(len(measured))
    absent = {
        "q": [i for i in leading if columns["q"][i] is None],
        "tau": [i for i in needed if torques and not measured[i]],
    }
    missing = [f"{k}_{component_labels(robot, k)[i]}" for k, x in absent.items() for i in x]
    if missing:
        numbered = [k for k, x in absent.items() if x and not any(columns[k])]
        reason = "".join(explain_numbers(table.names, robot, k) for k in numbered)
        raise DataError(
            f"{table.source}: {reason}no column for {join_names(missing)}. The columns are"
            f" {join_names(table.names)}. Expected {join_names(expected_columns(robot, torques))}"
            " (or other spellings; or columns={'q_...': 'name in the data'})"
        )
    if table.length == 0:
        raise DataError(f"{table.source}: there are column names but no rows")
    return measured


def _split_columns(
    block: np.ndarray, places: Mapping[str, list[str | None]], factors: Mapping[str, np.ndarray]
) -> Piece:
    """Split columns into arrays by quantity, in SI units.

    Unmeasured torques are zero, unmeasured positions (of dependent joints) NaN.
    """
    out: Piece = {}
    start = 0
    for k, columns in places.items():
        is_measured = np.array([name is not None for name in columns])
        n = int(is_measured.sum())
        part = block[:, start : start + n]
        start += n
        with np.errstate(over="ignore"):
            part = part * factors[k][is_measured]
        if not is_measured.all():
            full = np.full((len(block), len(columns)), 0.0 if k == "tau" else np.nan)
            full[:, is_measured] = part
            part = full
        out[k] = part[:, 0] if k == "t" else part
    return out


def _check_sizes(
    source: str, first: int, piece: Piece, columns: Mapping[str, list[str | None]]
) -> None:
    """Refuse implausibly large numbers; rows that are not finite are left out later."""
    for k, x in piece.items():
        beyond = np.abs(x) > LARGEST[k]
        if beyond.any():
            beyond = (beyond & np.isfinite(x)).reshape(len(x), -1)
        if beyond.any():
            row, index = (int(i) for i in np.argwhere(beyond)[0])
            raise DataError(
                f"{source}, row {first + row} (from 0), column '{columns[k][index]}': found"
                f" {x.reshape(len(x), -1)[row, index]:g}, expected at most {LARGEST[k]:g} in size"
                " (SI units); correct it, or leave it empty (NaN) to leave out the row"
            )
