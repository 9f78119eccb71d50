"""Data in several parts: files that a pattern, a folder or a list names; each is a recording.

Filters begin anew in each of them. They are taken in the order of their names, as `sorted` has it,
or of the list.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from jounce.errors import DataError
from jounce.identify.files import reading
from jounce.identify.remote import find_remote, is_url
from jounce.identify.tables import SUFFIXES

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
        found = sorted(islice(glob.iglob(name, recursive=True), _MOST + 1))
    if len(found) > _MOST:
        raise DataError(f"'{name}': expected at most {_MOST:,} files, found more")
    if not found:
        raise DataError(f"cannot read '{name}': no file has a name like this")
    return found


def _folder(path: str) -> Sequence[str]:
    """A folder of arrays as it is; else the tables in it, but those that begin with '_' or '.'."""
    inside = sorted(islice((x for x in os.listdir(path)), _MOST))
    if any(name.endswith(".npy") for name in inside):
        return [path]
    kinds = (*SUFFIXES, *(f"{kind}.gz" for kind in SUFFIXES))
    found = [x for x in inside if x.lower().endswith(kinds) and not x.startswith(("_", "."))]
    return [os.path.join(path, name) for name in found] or [path]
