"""Data in several parts: files that a pattern, a folder or a list names; each is a recording.

Filters begin anew in each of them. They are taken in the order of their names, as `sorted` has it,
or of the list.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from jounce.errors import DataError
from jounce.identification.files import is_table, reading
from jounce.identification.remote import find_remote, is_url

#: Files named in words, and partitions at most.
_NAMED, _MOST = 3, 1_000_000


@dataclass(frozen=True, eq=False)
class Partition:
    """A part of the data: a path, an address or what is in memory. name: what messages say."""

    data: Any
    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def path(self) -> str | None:
        """The file, if it is one."""
        return str(self.data) if isinstance(self.data, (str, os.PathLike)) else None

    def absolute(self) -> Partition:
        """The same for processes that may be in another folder."""
        path = self.path
        if path is None or is_url(path):
            return self
        return Partition(os.path.abspath(path), self.name)


def partitions(data: Any) -> tuple[str, list[Partition]]:
    """What to call the data, and the parts they come in, one or more."""
    if isinstance(data, (str, os.PathLike)):
        name = os.fspath(data)
        found = [Partition(path, str(path)) for path in _found(name)]
        _refuse_doubles(found)
        return str(name), found
    if isinstance(data, (list, tuple)):
        return _listed(data)
    if isinstance(data, (Iterator, Set)):
        raise DataError(f"data: expected a path or a list of them, found {type(data).__name__}")
    if getattr(data, "npartitions", 1) > 1 and hasattr(data, "partitions"):  # a frame of Dask
        return "the data", _listed(list(data.partitions))[1]
    return "the data", [Partition(data, "the data")]


def _listed(items: Sequence[Any]) -> tuple[str, list[Partition]]:
    """Those of a list of paths, patterns, mappings of arrays and data frames."""
    if not items:
        raise DataError("data: expected some files, found an empty list")
    out: list[Partition] = []
    for k, item in enumerate(items):
        if isinstance(item, (str, os.PathLike)):
            out += [Partition(path, str(path)) for path in _found(os.fspath(item))]
        elif isinstance(item, (int, float, complex, bool, bytes, list, tuple)) or item is None:
            raise DataError(
                "data: expected a list of paths, mappings of arrays or data frames, found"
                f" {type(item).__name__} at {k} (from 0)"
            )
        else:
            out.append(Partition(item, f"part {k} of the data"))
    _refuse_doubles(out)
    named = ", ".join(part.name for part in out[:_NAMED])
    return named + (", ..." if len(out) > _NAMED else ""), out


def _refuse_doubles(parts: Sequence[Partition]) -> None:
    """One file must not count twice, by whatever name."""
    seen: set[str] = set()
    for part in parts:
        if part.path is None:
            continue
        if (same := _same(part.path)) in seen:
            raise DataError(f"data: '{part.path}' is there twice; name every file once")
        seen.add(same)


def _same(path: str) -> str:
    return path if is_url(path) else os.path.realpath(path)


def _found(path: str | bytes) -> Sequence[str]:
    """Files that a path, a pattern or a folder means."""
    name = os.fsdecode(path).removeprefix("file://")
    if is_url(name):
        return find_remote(name)
    with reading(Path(name)):
        if os.path.isdir(name):
            return _folder(name)
        if os.path.lexists(name) or not glob.has_magic(name):
            return [name]
        found = list(islice(glob.iglob(name, recursive=True), _MOST + 1))
        _refuse_many(name, found)
        found = _unfolded(found, everything=os.path.basename(name) == "**")
    _refuse_many(name, found)
    if not found:
        raise DataError(f"cannot read '{name}': no file has a name like this")
    return found


def _refuse_many(name: str, found: Sequence[str]) -> None:
    if len(found) > _MOST:
        raise DataError(f"'{name}': expected at most {_MOST:,} files, found more")


def _unfolded(found: Sequence[str], everything: bool) -> list[str]:
    """What a pattern has found, each once, with the tables of folders instead of these.

    Dask and Spark write folders such as run1.parquet. everything: whether the pattern says nothing
    of names, so that what is no table is passed over. Arrays of a folder belong together.
    """
    folders = {x.rstrip(os.sep): x for x in found if os.path.isdir(x)}
    arrays = {x for x in folders if _holds_arrays(os.listdir(x))}
    parents = {os.path.dirname(x.rstrip(os.sep)) for x in found}
    out: set[str] = set()
    for path in found:
        plain = path.rstrip(os.sep)
        if plain not in folders:
            wanted = is_table(path) or not everything
            out.update([path] if wanted and os.path.dirname(path) not in arrays else [])
            continue
        inside, empty = _folder(path), plain not in parents and not everything
        if inside != [path] or plain in arrays or empty:
            out.update(inside)  # a folder with nothing in it is told of when it is opened
    return sorted(out)


def _holds_arrays(names: Iterable[str]) -> bool:
    return any(name.endswith(".npy") for name in names)


def _folder(path: str) -> Sequence[str]:
    """A folder of arrays as it is; else the tables in it, but those that begin with '_' or '.'.

    Tables may be folders of such themselves.
    """
    inside = sorted(islice((x for x in os.listdir(path)), _MOST))
    if _holds_arrays(inside):
        return [path]
    found = [os.path.join(path, x) for x in inside if is_table(x)]
    whole = [file for x in found for file in (_folder(x) if os.path.isdir(x) else [x])]
    return whole or [path]
