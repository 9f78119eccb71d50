"""Tables of numbers with named columns, read in pieces: files, mappings of arrays, topics.

Text is read by pandas, Parquet by pyarrow, arrays by NumPy (which never loads pickled objects), and
addresses by fsspec.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from jounce.errors import DataError
from jounce.identification.columns import join_names, mentions_quantity, plain_quantity
from jounce.identification.log_files import (
    COMPRESSED,
    PARQUET,
    SUFFIXES,
    TEXT,
    check_names,
    check_regular,
    check_unpacked,
    check_width,
    import_library,
    is_url,
    open_filesystem,
    reading,
)
from jounce.identification.text_table import TextTable
from jounce.io import opened


class Table(Protocol):
    """Named columns of equal length."""

    source: str
    names: list[str]

    @property
    def length(self) -> int:
        """Number of rows."""
        ...

    def pieces(self, columns: Sequence[str], size: int) -> Iterator[np.ndarray]:
        """Return the columns (n, k) in pieces of at most `size` rows, float64."""
        ...


def open_table(path: str | os.PathLike[str]) -> Table:
    """Open the table in a file, at an address, or of the .npy files in a folder."""
    name = os.fsdecode(path)
    if not is_url(name):
        return _open_local(Path(name), name)
    if name.lower().endswith(PARQUET):
        return ParquetTable(name, name)
    system, place = open_filesystem(name)
    folder = tempfile.mkdtemp(prefix="jounce-")
    copy = Path(folder) / place.rstrip("/").rpartition("/")[2]
    try:
        with reading(name):
            system.get_file(place, str(copy))
        table = _open_local(copy, name)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(table, shutil.rmtree, folder, ignore_errors=True)
    return table


def _open_local(path: Path, source: str) -> Table:
    with reading(source):
        if path.is_dir():
            return ArrayTable(_folder_arrays(path), source)
        if not path.exists():
            raise DataError(f"cannot read '{source}': there is no such file")
    kinds = [x.lower() for x in path.suffixes]
    kind = kinds[-1] if kinds else ""
    if kind in TEXT or (kind in COMPRESSED and kinds[-2:-1] and kinds[-2] in TEXT):
        return TextTable(path, source)
    if kind == ".npz":
        return ArrayTable(_npz_arrays(path, source), source)
    if kind == ".npy":
        array = _map_array(path, source)
        if array.dtype.names is None:
            raise DataError(
                f"'{source}' is an array {array.shape} without names; save a structured array, an"
                " .npz with arrays t, q, v, a, tau, or a folder with t.npy, q.npy, v.npy, tau.npy"
            )
        return ArrayTable({name: array[name] for name in array.dtype.names}, source)
    if kind in PARQUET:
        return ParquetTable(str(path), source)
    raise DataError(
        f"cannot read '{source}': expected a file ending in {', '.join(SUFFIXES)} (text also"
        f" {', '.join(COMPRESSED)}), or a folder of .npy files"
    )


class ParquetTable:
    """A Parquet file or address, streamed by row groups."""

    #: Bytes of metadata that a file may claim, and of a column that are read at once.
    _METADATA, _BUFFER = 32 * 2**20, 2**20

    def __init__(self, path: str, source: str) -> None:
        parquet = import_library("pyarrow.parquet", source, '"jounce[parquet]"')
        self.source = source
        file: Any = path
        if is_url(path):
            system, place = open_filesystem(path)
            with reading(source):
                file, self._size = system.open(place, "rb"), int(system.size(place) or 0)
        else:
            self._size = check_regular(Path(path), source)
        with reading(source):
            self._file = parquet.ParquetFile(
                file,
                thrift_string_size_limit=self._METADATA,
                thrift_container_size_limit=self._METADATA,
                page_checksum_verification=True,
                pre_buffer=False,  # or it holds a whole row group, which may be a whole file
                buffer_size=self._BUFFER,
            )
            self.names: list[str] = list(self._file.schema_arrow.names)
            self.length: int = self._file.metadata.num_rows
        check_names(f"'{source}'", self.names)

    def pieces(self, columns: Sequence[str], size: int) -> Iterator[np.ndarray]:
        """Return the columns in pieces; types and sizes are checked before any is read."""
        from pyarrow import types

        with reading(self.source):
            for name in columns:
                kind: Any = self._file.schema_arrow.field(name).type
                if not (
                    types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
                ):
                    raise DataError(
                        f"'{self.source}': column '{name}' must be numbers, found {kind}"
                    )
            data = self._file.metadata  # runs of one value take no space in the file
            groups = (data.row_group(k).total_byte_size for k in range(data.num_row_groups))
            unpacked = max(sum(groups), 8 * len(columns) * self.length)
            check_unpacked(self.source, unpacked, self._size)
        return self._batches(columns, size)

    def _batches(self, columns: Sequence[str], size: int) -> Iterator[np.ndarray]:
        with reading(self.source):
            rows = 0
            for batch in self._file.iter_batches(batch_size=size, columns=list(columns)):
                out = np.empty((batch.num_rows, len(columns)))
                for k, name in enumerate(columns):
                    out[:, k] = batch.column(name).to_numpy(zero_copy_only=False)
                rows += len(out)
                yield out
            if rows != self.length:
                raise DataError(
                    f"cannot read '{self.source}': its header announces {self.length}"
                    f" rows, found {rows}; it is damaged, copy it again"
                )


# ------------------------------------------------------------------ arrays


def _npz_arrays(path: Path, source: str) -> dict[str, np.ndarray]:
    """Read the arrays of an archive by name."""
    size, out = check_regular(path, source), {}
    with reading(source), opened(path) as file, zipfile.ZipFile(file) as archive:
        members = [info for info in archive.infolist() if info.filename.endswith(".npy")]
        names = [info.filename.removesuffix(".npy") for info in members]
        check_names(f"'{source}'", names)
        check_unpacked(source, sum(info.file_size for info in members), size)
        for name, info in zip(names, members, strict=True):
            with reading(f"{source}' (array '{name}"), archive.open(info) as stream:
                out[name] = np.lib.format.read_array(stream, allow_pickle=False)
                stream.read(1)  # beyond the end, where checksums are compared
    return out


def _map_array(path: Path, source: str) -> np.ndarray:
    """Map a .npy file into memory; only what is used is read."""
    size = check_regular(path, source)
    with reading(source):
        array = np.lib.format.open_memmap(path, mode="r")
    check_unpacked(source, array.nbytes, size)
    return array


def _folder_arrays(path: Path) -> dict[str, np.ndarray]:
    """Map all .npy files of a folder, by their names."""
    files = sorted(x for x in path.iterdir() if x.suffix == ".npy")
    check_names(f"'{path}'", [x.stem for x in files])
    if not files:
        raise DataError(f"'{path}' is a folder without .npy files such as q.npy, v.npy, tau.npy")
    return {x.stem: _map_array(x, str(x)) for x in files}


class ArrayTable:
    """Arrays by name: (n,) columns, or (n, k) blocks whose columns are called name[0], name[1], ...

    Arrays that are not measurements (text, other lengths) are ignored.
    """

    def __init__(self, arrays: Mapping[str, Any], source: str = "the data") -> None:
        self.source = source
        self._columns: dict[str, np.ndarray] = {}
        lengths: dict[str, int] = {}
        for name, values in arrays.items():
            array = _as_array(f"{source}: '{name}'", values)
            numeric, flat = array.dtype.kind in "fiub", array.ndim in (1, 2)
            if mentions_quantity(str(name)) and not (numeric and flat):
                expected = "be real numbers" if not numeric else "have shape (n,) or (n, k)"
                actual = f"dtype {array.dtype}" if not numeric else array.shape
                raise DataError(f"{source}: '{name}' must {expected}, found {actual}")
            if not (numeric and flat):
                continue
            lengths[str(name)] = len(array)
            width = 1 if array.ndim == 1 else array.shape[1]
            check_width(source, len(self._columns) + width)
            for k, x in enumerate([array] if array.ndim == 1 else array.T):
                # a single column may be named after a joint
                self._columns[f"{name}[{k}]" if width > 1 else str(name)] = x
        measured = {name: n for name, n in lengths.items() if mentions_quantity(name)} or lengths
        if len(set(measured.values())) > 1:
            lengths_text = join_names(f"{name}: {n}" for name, n in measured.items())
            raise DataError(f"{source}: columns of different lengths: {lengths_text}")
        self.length = next(iter(measured.values()), 0)
        self._columns = {k: x for k, x in self._columns.items() if len(x) == self.length}
        self.names = list(self._columns)

    def column(self, name: str) -> np.ndarray:
        """Return a column (n,) as it was given."""
        return self._columns[name]

    def pieces(self, columns: Sequence[str], size: int) -> Iterator[np.ndarray]:
        """Return the columns (n, k) in pieces of at most `size` rows, float64."""
        for name in columns:
            if self._columns[name].dtype == bool:
                raise DataError(
                    f"{self.source}: column '{name}' must be real numbers, found true and false;"
                    " choose another with columns="
                )
        for start in range(0, self.length, size):
            out = np.empty((min(size, self.length - start), len(columns)))
            with np.errstate(all="ignore"):  # what no float holds is infinite, and left out
                for k, name in enumerate(columns):
                    out[:, k] = self._columns[name][start : start + size]
            yield out


def _as_array(what: str, values: Any, dtype: type | None = None) -> np.ndarray:
    if isinstance(values, np.ndarray) and dtype is None:
        return values  # memory maps stay so
    try:
        return np.asarray(values, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{what} must be an array of real numbers: {error}") from error


# ------------------------------------------------------------------ topics of a bag


def merge_topics(topics: Mapping[str, Mapping[str, Any]]) -> ArrayTable:
    """Merge topics with clocks of their own into one table, as they come out of a bag.

    A topic has `t` (n,) and arrays (n, k) such as position, velocity and effort, and may have
    `name`, its k joints. The topic with positions sets the clock; the others are interpolated
    linearly, and NaN before and after.
    """
    tables = {name: _topic_columns(name, fields) for name, fields in topics.items()}
    positions = ("q", "pos", "angle", "theta")
    leading = (k for k, x in tables.items() if any(c.lower().startswith(positions) for c in x[1]))
    first = next(leading, next(iter(tables)))
    clock = tables[first][0]
    out: dict[str, np.ndarray] = {"t": clock}
    for name, (t, columns) in tables.items():
        order = np.argsort(t, kind="stable")
        for column, values in columns.items():
            if column in out:
                raise DataError(
                    f"topics: '{column}' is in '{name}' and in another topic; omit one of them"
                )
            if name != first:
                values = np.interp(clock, t[order], values[order], left=np.nan, right=np.nan)
            out[column] = values
    return ArrayTable(out, "topics")


def _topic_columns(
    name: str, fields: Mapping[str, Any]
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return times and columns of a topic; where joints are named, called q_<joint> and so on."""
    source = f"topic '{name}'"
    clock = next((k for k in ("t", "time", "stamp", "timestamp") if k in fields), None)
    if clock is None:
        raise DataError(
            f"{source}: expected a field 't' with the times, found {join_names(fields)}"
        )
    t = _as_array(f"{source}: '{clock}'", fields[clock], float)
    if t.ndim != 1 or not np.isfinite(t).all():
        raise DataError(f"{source}: '{clock}' must be finite times of shape (n,)")
    joints = _joint_names(source, fields["name"]) if "name" in fields else []
    columns: dict[str, np.ndarray] = {}
    for field, values in fields.items():
        if field in (clock, "name"):
            continue
        table = ArrayTable({"t": t, field: values}, source)
        block = {x: table.column(x) for x in table.names if x != "t"}
        if joints and np.ndim(values) == 2:
            if len(block) != len(joints):
                raise DataError(
                    f"{source}: {len(joints)} names but '{field}' has {len(block)} columns"
                )
            quantity = plain_quantity(field) or field
            block = {f"{quantity}_{x}": y for x, y in zip(joints, block.values(), strict=True)}
        for column, x in block.items():
            if column in columns:
                raise DataError(
                    f"{source}: '{field}' and another field are both '{column}'; rename one of them"
                )
            if x.dtype == bool and mentions_quantity(field):
                raise DataError(f"{source}: '{field}' must be real numbers, found true and false")
            columns[column] = x
    return t, columns


def _joint_names(source: str, values: Any) -> list[str]:
    """Return the joints of a topic, given once or in every message."""
    names = _as_array(f"{source}: 'name'", values)
    if names.ndim not in (1, 2) or not names.size:
        raise DataError(f"{source}: 'name' must be a list of joints, found {values!r}")
    rows = names if names.ndim == 2 else names[None]
    if np.any(rows != rows[0]):
        raise DataError(
            f"{source}: the names of the joints change from message to message; bring the columns"
            " of all messages to one order"
        )
    joints = [x.decode(errors="replace") if isinstance(x, bytes) else str(x) for x in rows[0]]
    check_names(source, joints)
    return joints
