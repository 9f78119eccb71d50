"""Tables of numbers with named columns, read in pieces: CSV, NumPy, Parquet, mappings, topics.

A table has names, a length, and gives pieces (n, k) of chosen columns. What is not a number in a
text file is an error that names the row; empty fields and the words nan, na, null and none are NaN.
"""

from __future__ import annotations

import gzip
import io
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from jounce.errors import DataError
from jounce.identify.columns import said_quantity

SUFFIXES = (".csv", ".tsv", ".txt", ".npz", ".npy", ".parquet", ".pq")

#: Fields of a text file that mean "no value".
_MISSING = {"", "nan", "na", "n/a", "null", "none", "-"}

_DELIMITERS = (",", ";", "\t")


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
    """The table in a file, or of the .npy files in a folder."""
    place = Path(path)
    if place.is_dir():
        return _folder(place)
    if not place.exists():
        raise DataError(f"cannot read '{place}': there is no such file")
    suffixes = [s.lower() for s in place.suffixes]
    kind = suffixes[-1] if suffixes else ""
    if kind == ".gz" and len(suffixes) > 1:
        kind = suffixes[-2]
    if kind in (".csv", ".tsv", ".txt"):
        return _Text(place)
    if kind == ".npz":
        with _reading(place), np.load(place) as arrays:
            return Columns({name: arrays[name] for name in arrays.files}, place)
    if kind == ".npy":
        return _npy(place)
    if kind in (".parquet", ".pq"):
        return _Parquet(place)
    raise DataError(
        f"cannot read '{place}': expected a file ending in {', '.join(SUFFIXES)} (text also .gz),"
        " or a folder of .npy files"
    )


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Errors of other libraries become a DataError that names the file."""
    try:
        yield
    except (OSError, ValueError, EOFError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"cannot read '{path}': {error}") from error


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
            array = given if isinstance(given, np.ndarray) else np.asarray(given)
            if said_quantity(str(name)):
                self._check(name, array)
            elif array.dtype.kind not in "fiub" or array.ndim not in (1, 2):
                continue  # notes beside the measurements
            lengths[str(name)] = len(array)
            if array.ndim == 1:
                self._columns[str(name)] = (array, None)
            for k in range(array.shape[1] if array.ndim == 2 else 0):
                self._columns[f"{name}[{k}]"] = (array, k)
        measured = {name: n for name, n in lengths.items() if said_quantity(name)} or lengths
        if len(set(measured.values())) > 1:
            told = ", ".join(f"{name}: {n}" for name, n in measured.items())
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
        groups = self._runs(columns)
        for start in range(0, self.length, size):
            stop = min(start + size, self.length)
            out = np.empty((stop - start, len(columns)))
            for array, first, at, count in groups:
                part = array[start:stop] if first is None else array[start:stop, first:][:, :count]
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


def _npy(path: Path) -> Columns:
    with _reading(path):
        array = np.load(path, mmap_mode="r")
    if array.dtype.names is None:
        raise DataError(
            f"'{path}' is an array {array.shape} without names; save a structured array, an .npz"
            " with arrays t, q, v, a, tau, or a folder with t.npy, q.npy, v.npy, tau.npy"
        )
    return Columns({name: array[name] for name in array.dtype.names}, path)


def _folder(path: Path) -> Columns:
    files = sorted(path.glob("*.npy"))
    if not files:
        raise DataError(f"'{path}' is a folder without .npy files such as q.npy, v.npy, tau.npy")
    arrays = {}
    for file in files:
        with _reading(file):
            arrays[file.stem] = np.load(file, mmap_mode="r")
    return Columns(arrays, path)


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
            f"topic '{name}': expected a field 't' with the times, found {', '.join(fields)}"
        )
    t = np.asarray(fields[clock], dtype=float)
    joints = None
    if "name" in fields:
        joints = np.asarray(fields["name"])
        joints = joints[0] if joints.ndim == 2 else joints  # as repeated in every message
    columns = {}
    for field, given in fields.items():
        if field in (clock, "name"):
            continue
        values = np.asarray(given, dtype=float)
        if values.ndim not in (1, 2) or len(values) != len(t):
            raise DataError(
                f"topic '{name}': '{field}' must have shape ({len(t)},) or ({len(t)}, k),"
                f" found {values.shape}"
            )
        if values.ndim == 1:
            columns[field] = values
        elif joints is None:
            columns.update({f"{field}[{k}]": values[:, k] for k in range(values.shape[1])})
        elif len(joints) != values.shape[1]:
            raise DataError(
                f"topic '{name}': {len(joints)} names but '{field}' has {values.shape[1]} columns"
            )
        else:
            columns.update({f"{field}_{joint}": values[:, k] for k, joint in enumerate(joints)})
    return t, columns


# ------------------------------------------------------------------ text


class _Text:
    """A text file with a header line, streamed."""

    def __init__(self, path: Path) -> None:
        self.path, self.source = path, str(path)
        with _reading(path), self._open() as file:
            self.skip, header = self._header(file)
        self.delimiter = next((d for d in _DELIMITERS if d in header), None)
        self.names = [name.strip().strip("\"'") for name in header.split(self.delimiter)]
        if all(_is_number(name) for name in self.names):
            raise DataError(
                f"'{path}': the first line has numbers, not names; add a header such as"
                " t,q_joint1,v_joint1,tau_joint1"
            )
        double = {name for name in self.names if self.names.count(name) > 1}
        if double:
            raise DataError(f"'{path}': two columns are called '{min(double)}'")
        self._length: int | None = None

    def _open(self) -> io.TextIOBase:
        if self.path.suffix.lower() == ".gz":
            return gzip.open(self.path, "rt", encoding="utf-8-sig", errors="replace")  # type: ignore[return-value]
        return open(self.path, encoding="utf-8-sig", errors="replace")

    def _header(self, file: io.TextIOBase) -> tuple[int, str]:
        """Lines before the numbers, and the header: the first line, or a comment just before."""
        comment = ""
        for count, line in enumerate(islice(file, 1000), start=1):
            text = line.strip()
            if text.startswith("#"):
                comment = text.lstrip("# ")
            elif text:
                delimiter = next((d for d in _DELIMITERS if d in text), None)
                fields = text.split(delimiter)
                if len(comment.split(delimiter)) == len(fields) and all(map(_is_number, fields)):
                    return count - 1, comment
                return count, text
        raise DataError(f"'{self.path}' is empty: expected a header and rows of numbers")

    @property
    def length(self) -> int:
        """Number of rows (of lines that are not empty)."""
        if self._length is None:
            with _reading(self.path), self._open() as file:
                self._length = sum(1 for line in islice(file, self.skip, None) if line.strip())
        return self._length

    def pieces(self, columns: Sequence[str], size: int) -> Iterator[np.ndarray]:
        """The columns in pieces of at most `size` rows."""
        where = [self.names.index(name) for name in columns]
        row = self.skip
        with _reading(self.path), self._open() as file:
            lines = islice(file, self.skip, None)
            while block := list(islice(lines, size)):
                yield self._parse(block, where, row)
                row += len(block)

    def _parse(self, block: list[str], where: list[int], row: int) -> np.ndarray:
        try:
            fast = np.loadtxt(
                block, delimiter=self.delimiter, usecols=where, ndmin=2, comments=None
            )
            if len(fast) == len(block):
                return fast
        except ValueError:
            pass  # empty fields, words, ragged rows: one by one
        out = []
        for k, line in enumerate(block, start=row + 1):
            if not line.strip():
                continue
            fields = line.rstrip("\r\n").split(self.delimiter)
            if len(fields) != len(self.names):
                raise DataError(
                    f"'{self.path}', line {k}: {len(fields)} fields, but the header has"
                    f" {len(self.names)} names"
                )
            out.append([self._number(fields[i], k, i) for i in where])
        return np.array(out, dtype=float).reshape(-1, len(where))

    def _number(self, field: str, line: int, column: int) -> float:
        text = field.strip().strip("\"'")
        if text.lower() in _MISSING:
            return np.nan
        try:
            return float(text)
        except ValueError:
            raise DataError(
                f"'{self.path}', line {line}, column '{self.names[column]}': expected a number,"
                f" found '{text}'"
            ) from None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


# ------------------------------------------------------------------ Parquet


class _Parquet:
    """A Parquet file, streamed by row groups."""

    def __init__(self, path: Path) -> None:
        try:
            import pyarrow
            import pyarrow.parquet as parquet
        except ImportError:
            raise ImportError(
                f"reading '{path}' needs pyarrow; install it: pip install \"jounce[parquet]\""
            ) from None
        self.path, self.source = path, str(path)
        with _reading(path):
            try:
                self._file = parquet.ParquetFile(path)
            except pyarrow.ArrowException as error:
                raise DataError(f"cannot read '{path}': {error}") from error
        self.names = list(self._file.schema_arrow.names)

    @property
    def length(self) -> int:
        """Number of rows."""
        return self._file.metadata.num_rows

    def pieces(self, columns: Sequence[str], size: int) -> Iterator[np.ndarray]:
        """The columns in pieces of at most `size` rows."""
        for batch in self._file.iter_batches(batch_size=size, columns=list(columns)):
            out = np.empty((batch.num_rows, len(columns)))
            for k, name in enumerate(columns):
                values = batch.column(name)
                try:
                    out[:, k] = values.to_numpy(zero_copy_only=False)
                except (TypeError, ValueError):
                    raise DataError(
                        f"'{self.path}': column '{name}' must be numbers, found {values.type}"
                    ) from None
            yield out
