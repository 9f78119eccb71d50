"""Tables of numbers with named columns, read in pieces: files, mappings of arrays, topics.

A table has names, a length, and gives pieces (n, k) of chosen columns.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from jounce.errors import DataError
from jounce.identification.columns import listed, plain_quantity, said_quantity
from jounce.identification.files import PARQUET, SUFFIXES, TEXT, check_columns, check_names, reading
from jounce.identification.numpy_files import folder_arrays, npy_fields, npz_arrays
from jounce.identification.parquet_table import ParquetTable
from jounce.identification.remote import CopiedTable, is_url
from jounce.identification.text_table import TextTable


class Table(Protocol):
    """Named columns of equal length."""

    source: str
    names: list[str]

    @property
    def length(self) -> int:
        """Number of rows."""
        ...

    def pieces(self, columns: Sequence[str], size: int) -> Iterator[np.ndarray]:
        """The columns (n, k) in pieces of at most `size` rows, float64."""
        ...


def open_table(path: str | os.PathLike[str]) -> Table:
    """The table in a file, at an address, or of the .npy files in a folder."""
    if isinstance(path, str) and is_url(path):
        packed = path.lower().endswith(PARQUET)
        return ParquetTable(path) if packed else CopiedTable(path, open_table)
    place = Path(path)
    with reading(place):
        folder = place.is_dir()
        if not (folder or place.exists()):
            raise DataError(f"cannot read '{place}': there is no such file")
    if folder:
        return Columns(folder_arrays(place), place)
    kinds = [s.lower() for s in place.suffixes]
    kind = kinds[-1] if kinds else ""
    if kind in TEXT or (kind == ".gz" and kinds[-2:-1] and kinds[-2] in TEXT):
        return TextTable(place)
    if kind == ".npz":
        return Columns(npz_arrays(place), place)
    if kind == ".npy":
        return Columns(npy_fields(place), place)
    if kind in PARQUET:
        return ParquetTable(place)
    raise DataError(
        f"cannot read '{place}': expected a file ending in {', '.join(SUFFIXES)} (text also .gz),"
        " or a folder of .npy files"
    )


# ------------------------------------------------------------------ arrays


class Columns:
    """Arrays by name: (n,) columns, or (n, k) blocks whose columns are called name[0], name[1], ...

    Arrays may be memory maps; only the pieces asked for are read.
    """

    def __init__(self, arrays: Mapping[str, Any], source: object = "the data") -> None:
        self.source = str(source)
        self._columns: dict[str, tuple[np.ndarray, int | None]] = {}
        lengths: dict[str, int] = {}
        for name, given in arrays.items():
            array = _array(f"{self.source}: '{name}'", given)
            if said_quantity(str(name)):
                self._check(name, array)
            elif array.dtype.kind not in "fiub" or array.ndim not in (1, 2):
                continue  # notes beside the measurements
            lengths[str(name)] = len(array)
            if array.ndim == 1:
                self._columns[str(name)] = (array, None)
                continue
            width = array.shape[1]
            check_columns(self.source, len(self._columns) + width)
            for k in range(width):
                # a single column may have a joint's name of its own
                self._columns[f"{name}[{k}]" if width > 1 else str(name)] = (array, k)
        measured = {name: n for name, n in lengths.items() if said_quantity(name)} or lengths
        if len(set(measured.values())) > 1:
            told = listed(f"{name}: {n}" for name, n in measured.items())
            raise DataError(f"{self.source}: columns of different lengths: {told}")
        self.length = next(iter(measured.values()), 0)
        self._columns = {k: x for k, x in self._columns.items() if len(x[0]) == self.length}
        self.names = list(self._columns)

    def _check(self, name: object, array: np.ndarray) -> None:
        if array.dtype.kind not in "fiub":
            raise DataError(
                f"{self.source}: '{name}' must be real numbers, found dtype {array.dtype}"
            )
        if array.ndim not in (1, 2):
            raise DataError(
                f"{self.source}: '{name}' must have shape (n,) or (n, k), found {array.shape}"
            )

    def pieces(self, columns: Sequence[str], size: int) -> Iterator[np.ndarray]:
        """The columns in pieces of at most `size` rows."""
        for name in columns:
            if self._columns[name][0].dtype == bool:
                raise DataError(
                    f"{self.source}: column '{name}' must be real numbers, found true and false;"
                    " choose another with columns="
                )
        groups = self._runs(columns)
        for start in range(0, self.length, size):
            stop = min(start + size, self.length)
            out = np.empty((stop - start, len(columns)))
            for array, first, at, count in groups:
                part = array[start:stop] if first is None else array[start:stop, first:][:, :count]
                with np.errstate(all="ignore"):  # what no float holds is infinite, and left out
                    out[:, at : at + count] = part.reshape(stop - start, count)
            yield out

    def _runs(self, columns: Sequence[str]) -> list[tuple[np.ndarray, int | None, int, int]]:
        """Neighbouring columns of one block, to be read at once: array, first, at, count."""
        runs: list[tuple[np.ndarray, int | None, int, int]] = []
        for at, name in enumerate(columns):
            array, k = self._columns[name]
            if runs and k is not None:
                last, first, begin, count = runs[-1]
                if last is array and first is not None and k == first + count:
                    runs[-1] = (last, first, begin, count + 1)
                    continue
            runs.append((array, k, at, 1))
        return runs


def _array(what: str, given: Any, dtype: type | None = None) -> np.ndarray:
    """An array of what was given; what is none is an error that says what it is."""
    try:
        return (
            given if isinstance(given, np.ndarray) and dtype is None else np.asarray(given, dtype)
        )
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{what} must be an array of real numbers: {error}") from error


def topics_table(topics: Mapping[str, Mapping[str, Any]]) -> Columns:
    """One table of several topics, each with its own clock, as they come out of a bag.

    A topic has `t` (n,) and arrays (n, k) such as position, velocity and effort, and may have
    `name`, the k joints in its own order. The topic with positions sets the clock; the others are
    interpolated linearly, and NaN before and after.
    """
    tables = {name: _topic(name, fields) for name, fields in topics.items()}
    leading = [
        name
        for name, (_, fields) in tables.items()
        if any(re.match(r"(q|pos|angle|theta)", f.lower()) for f in fields)
    ]
    first = leading[0] if leading else next(iter(tables))
    clock = tables[first][0]
    out: dict[str, np.ndarray] = {"t": clock}
    for name, (t, fields) in tables.items():
        for column, values in fields.items():
            if column in out:
                raise DataError(f"topics: '{column}' is in '{name}' and in another topic")
            if name != first:
                order = np.argsort(t, kind="stable")
                values = np.interp(clock, t[order], values[order], left=np.nan, right=np.nan)
            out[column] = values
    return Columns(out, "topics")


def _topic(name: str, fields: Mapping[str, Any]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    clock = next((k for k in ("t", "time", "stamp", "timestamp") if k in fields), None)
    if clock is None:
        raise DataError(
            f"topic '{name}': expected a field 't' with the times, found {listed(fields)}"
        )
    t = _array(f"topic '{name}': '{clock}'", fields[clock], float)
    if t.ndim != 1 or not np.isfinite(t).all():
        raise DataError(f"topic '{name}': '{clock}' must be finite times of shape (n,)")
    joints = _joint_names(name, fields["name"]) if "name" in fields else None
    columns: dict[str, np.ndarray] = {}
    for field, given in fields.items():
        if field in (clock, "name"):
            continue
        if _array(f"topic '{name}': '{field}'", given).dtype == bool:
            if said_quantity(field):
                raise DataError(
                    f"topic '{name}': '{field}' must be real numbers, found true and false; omit it"
                )
            continue
        values = _array(f"topic '{name}': '{field}'", given, float)
        if values.ndim not in (1, 2) or len(values) != len(t):
            raise DataError(
                f"topic '{name}': '{field}' must have shape ({len(t)},) or ({len(t)}, k),"
                f" found {values.shape}"
            )
        for column, x in _topic_columns(name, field, values, joints):
            if column in columns:
                raise DataError(f"topic '{name}': '{field}' and another field are both '{column}'")
            columns[column] = x
    return t, columns


def _topic_columns(
    name: str, field: str, values: np.ndarray, joints: list[str] | None
) -> Iterator[tuple[str, np.ndarray]]:
    """Columns of a field; where joints are named, in the words of the convention."""
    if values.ndim == 1:
        yield field, values
    elif joints is None:
        yield from ((f"{field}[{k}]", x) for k, x in enumerate(values.T))
    elif len(joints) != values.shape[1]:
        raise DataError(
            f"topic '{name}': {len(joints)} names but '{field}' has {values.shape[1]} columns"
        )
    else:
        word = plain_quantity(field) or field
        yield from ((f"{word}_{joint}", x) for joint, x in zip(joints, values.T, strict=True))


def _joint_names(name: str, given: Any) -> list[str]:
    """The joints of a topic, once or as repeated in every message."""
    names = _array(f"topic '{name}': 'name'", given)
    if names.ndim not in (1, 2) or not names.size:
        raise DataError(f"topic '{name}': 'name' must be a list of joints, found {given!r}")
    rows = names if names.ndim == 2 else names[None]
    if np.any(rows != rows[0]):
        raise DataError(
            f"topic '{name}': the names of the joints change from message to message; bring the"
            " columns of all messages to one order"
        )
    joints = [x.decode(errors="replace") if isinstance(x, bytes) else str(x) for x in rows[0]]
    check_names(f"topic '{name}'", joints)
    return joints
