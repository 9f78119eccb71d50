"""Logs of robots with servos: measured positions, commands and currents, cut into windows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jounce.errors import DataError
from jounce.identification.columns import expected_columns, join_names, resolve, scales
from jounce.identification.data import LARGEST, open_data
from jounce.identification.log_tables import Table
from jounce.identification.simulation.servo import flat_coordinates
from jounce.identification.units import UnitOptions
from jounce.robot import Robot

#: Words of columns that are commands, and of currents; what is left is read as usual.
_COMMAND = re.compile(
    r"(?<![a-z])(cmds?|commands?|commanded|targets?|refs?|references?|desired|des|setpoints?)(?![a-z])",
    re.IGNORECASE,
)
_CURRENT = re.compile(r"(?<![a-z])(currents?|amps)(?![a-z])", re.IGNORECASE)
_AMPERE = re.compile(r"\s*[\[(]\s*A\s*[\])]|_A$")

#: Steps longer than this many times the median step are gaps.
_MAX_STEP_RATIO = 3.5


@dataclass(frozen=True, eq=False)
class Signal:
    """A sampled signal, interpolated by cubic Hermite polynomials; constant beyond its ends.

    t: times (n,). values: (n, k).
    """

    t: np.ndarray
    values: np.ndarray
    slopes: np.ndarray

    @classmethod
    def of(cls, t: np.ndarray, values: np.ndarray) -> Signal:
        """Return a signal with slopes by central differences."""
        return cls(t, values, np.gradient(values, t, axis=0))

    def at(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return values and time derivatives at times (...): (..., k) each."""
        inside = np.clip(times, self.t[0], self.t[-1])
        k = np.clip(np.searchsorted(self.t, inside, side="right") - 1, 0, len(self.t) - 2)
        h = self.t[k + 1] - self.t[k]
        s, h = ((inside - self.t[k]) / h)[..., None], h[..., None]
        y0, y1 = self.values[k], self.values[k + 1]
        m0, m1 = h * self.slopes[k], h * self.slopes[k + 1]
        rise = y1 - y0
        c2, c3 = 3.0 * rise - 2.0 * m0 - m1, m0 + m1 - 2.0 * rise
        value = y0 + s * (m0 + s * (c2 + s * c3))
        slope = (m0 + s * (2.0 * c2 + 3.0 * s * c3)) / h
        return value, np.where((inside == times)[..., None], slope, 0.0)


@dataclass(frozen=True, eq=False)
class ServoLog:
    """A log: times t (n,), positions q (n, nq), and commands and currents.

    commands: position, velocity and torque side by side as a signal (n, 3 nv), zeros where there is
    none; without commands, currents are those of torques. currents: (n, nv) or None, NaN where not
    measured. usable: mask of complete rows. has: commands that the log has, of "q", "v" and "tau",
    or "current".
    """

    source: str
    t: np.ndarray
    q: np.ndarray
    commands: Signal
    currents: np.ndarray | None
    usable: np.ndarray
    has: frozenset[str]

    def windows(self, length: int, margin: float = 0.0) -> Iterator[slice]:
        """Yield slices of `length` complete rows without gaps, after a margin in s at the start."""
        steps = np.diff(self.t)
        gaps = steps > _MAX_STEP_RATIO * np.median(steps)
        start = count = 0
        for i, good in enumerate(self.usable & (self.t >= self.t[0] + margin)):
            if not good or (i and gaps[i - 1]):
                start, count = i, 0
            if good:
                start = i if count == 0 else start
                count += 1
            if count == length:
                yield slice(start, start + length)
                count = 0


def read_servo_log(
    data: Any,
    robot: Robot,
    columns: Mapping[str, str] | None = None,
    options: UnitOptions | None = None,
) -> ServoLog:
    """Read times, positions, commands and currents; raise a DataError if they are incomplete."""
    table, options = open_data(data), options or UnitOptions({}, False, 1.0, 1.0)
    kinds: dict[str, dict[str, str]] = {"measured": {}, "command": {}, "current": {}}
    for name in table.names:
        kind, plain = _classify(str(name))
        kinds[kind][plain] = name
    mappings: dict[str, dict[str, str]] = {kind: {} for kind in kinds}
    for standard, name in (columns or {}).items():
        kind, plain = _classify(standard)
        mappings[kind][plain] = name
        kinds[kind] = {k: x for k, x in kinds[kind].items() if x != name} | {name: name}
    units: dict[str, dict[str, str]] = {kind: {} for kind in kinds}
    for standard, unit in options.units.items():
        kind, plain = _classify(standard)
        units[kind][plain] = unit
    read = {
        kind: _read_columns(
            table, robot, names, mappings[kind], replace(options, units=units[kind]), kind
        )
        for kind, names in kinds.items()
    }
    t, q = read["measured"].get("t"), read["measured"].get("q")
    if t is None or q is None or np.isnan(q).all(axis=0).any():
        raise DataError(
            f"{table.source}: expected columns {join_names(expected_columns(robot, False))}, found"
            f" {join_names(table.names)}; rename them, or use columns={{'q_...': 'name'}}"
        )
    return _assemble(table.source, robot, t[:, 0], q, read["command"], read["current"].get("tau"))


def _classify(name: str) -> tuple[str, str]:
    """Return the kind of a column, and its name without the words that say so."""
    if _COMMAND.search(name):
        plain = re.sub(r"[\s_./-]{2,}", "_", _COMMAND.sub("", name)).strip("_./- ")
        return "command", plain if plain[:1].isalpha() else f"q{plain}"
    if _CURRENT.search(name):
        return "current", _AMPERE.sub("", _CURRENT.sub("tau", name))
    return "measured", name


def _read_columns(
    table: Table,
    robot: Robot,
    names: Mapping[str, str],
    mapping: Mapping[str, str],
    options: UnitOptions,
    kind: str,
) -> dict[str, np.ndarray]:
    """Return arrays by quantity in SI units; NaN in columns that do not exist."""
    places = resolve(list(names), robot, mapping, table.source, bare=kind != "current")
    if kind == "measured":
        places = {k: places[k] for k in ("t", "q")}
    places = {k: x for k, x in places.items() if any(name is not None for name in x)}
    factors = scales(robot, places, table.source, options)
    if kind == "current":
        factors = {k: np.ones_like(x) for k, x in factors.items()}
    used = [(k, i, names[x]) for k, row in places.items() for i, x in enumerate(row) if x]
    blocks = list(table.pieces([name for _, _, name in used], max(table.length, 1)))
    values = np.concatenate(blocks) if blocks else np.empty((0, len(used)))
    out = {k: np.full((len(values), len(row)), np.nan) for k, row in places.items()}
    for (k, i, name), x in zip(used, values.T, strict=True):
        out[k][:, i] = x * factors[k][i]
        if np.any(np.abs(out[k][:, i]) > LARGEST[k]):
            raise DataError(
                f"{table.source}, column '{name}': expected at most {LARGEST[k]:g} in size (SI"
                " units); correct it, or leave it empty (NaN) to leave out the row"
            )
    return out


def _assemble(
    source: str,
    robot: Robot,
    t: np.ndarray,
    q: np.ndarray,
    command: Mapping[str, np.ndarray],
    currents: np.ndarray | None,
) -> ServoLog:
    """Return a log from arrays; commands that are missing are zero."""
    if len(t) < 4 or np.any(np.diff(t[np.isfinite(t)]) <= 0.0):
        raise DataError(
            f"{source}: expected at least 4 rows with increasing times; sort the rows, or remove"
            " duplicates"
        )
    places = flat_coordinates(robot)
    inputs = np.zeros((len(t), 3, robot.nv))
    for row, name in enumerate(("q", "v", "tau")):
        for k, place in enumerate(places) if name in command else ():
            column = command[name][:, k if name != "q" else place or 0]
            if place is not None and not np.isnan(column).all():
                inputs[:, row, k] = column
    if not command and currents is not None:
        inputs[:, 2] = np.where(np.isnan(currents).all(axis=0), 0.0, currents)
        command = {"current": currents}
    if not command:
        raise DataError(
            f"{source}: expected commands (columns such as q_command_<joint>) or currents"
            " (current_<joint>), found none; rename the columns, or use columns="
        )
    inputs = inputs.reshape(len(t), -1)
    usable = np.isfinite(t) & np.isfinite(q).all(axis=1) & np.isfinite(inputs).all(axis=1)
    known = np.isfinite(t) & np.isfinite(inputs).all(axis=1)
    if known.sum() < 4:
        raise DataError(f"{source}: expected at least 4 complete rows, found {int(known.sum())}")
    signal = Signal.of(t[known], inputs[known])
    return ServoLog(source, t, q, signal, currents, usable, frozenset(command))
