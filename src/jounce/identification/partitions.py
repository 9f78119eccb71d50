"""Partitions of the data: files of a pattern, folder or list. Each is one recording."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

from jounce.errors import DataError
from jounce.identification.log_files import SUFFIXES, is_table, is_url, open_filesystem, reading

#: Number of files named in the title of a list.
_MAX_NAMED = 3


@dataclass(frozen=True, eq=False)
class Partition:
    """A recording of the data: a path, an address or arrays. name: for messages."""

    data: Any
    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def path(self) -> str | None:
        """The file or address, None for data in memory."""
        return str(self.data) if isinstance(self.data, (str, os.PathLike)) else None

    def absolute(self) -> Partition:
        """Return the partition with an absolute path, for processes in another folder."""
        path = self.path
        if path is None or is_url(path):
            return self
        return Partition(os.path.abspath(path), self.name)

    def fingerprint(self) -> str:
        """Return a string that changes with the file; "" for data in memory."""
        path = self.path
        if path is None:
            return ""
        with reading(path):
            if is_url(path):
                system, place = open_filesystem(path)
                return f"{path} {system.ukey(place)}"
            files = sorted(x.path for x in os.scandir(path)) if os.path.isdir(path) else [path]
            stats = [(os.path.abspath(x), os.stat(x)) for x in files]
        return " ".join(f"{name} {x.st_size} {x.st_mtime_ns}" for name, x in stats)


def partitions(data: Any) -> tuple[str, list[Partition]]:
    """Return a title of the data and its partitions.

    data: a file, folder, pattern or address; arrays in memory; a data frame of Dask, whose
    partitions are kept; or a list of these. Raises a DataError if a file is missing or named twice.
    """
    if isinstance(data, (str, os.PathLike)):
        name = os.fsdecode(data)
        parts = [Partition(path, path) for path in find_logs(name)]
        _refuse_duplicates(parts)
        return name, parts
    if isinstance(data, (Iterator, Set)):
        raise DataError(f"data: expected a path or a list of them, found {type(data).__name__}")
    if isinstance(data, (list, tuple)):
        parts = _list_parts(data)
        title = ", ".join(part.name for part in parts[:_MAX_NAMED])
        return title + (", ..." if len(parts) > _MAX_NAMED else ""), parts
    if getattr(data, "npartitions", 1) > 1 and hasattr(data, "partitions"):  # a frame of Dask
        return "the data", _list_parts(list(data.partitions))
    return "the data", [Partition(data, "the data")]


def _list_parts(items: Sequence[Any]) -> list[Partition]:
    if not items:
        raise DataError("data: expected some files, found an empty list")
    out: list[Partition] = []
    for k, item in enumerate(items):
        if isinstance(item, (str, os.PathLike)):
            out += [Partition(path, path) for path in find_logs(os.fsdecode(item))]
        elif isinstance(item, (int, float, complex, bytes, list, tuple)) or item is None:
            raise DataError(
                "data: expected a list of paths, mappings of arrays or data frames, found"
                f" {type(item).__name__} at {k} (from 0)"
            )
        else:
            out.append(Partition(item, f"part {k} of the data"))
    _refuse_duplicates(out)
    return out


def _refuse_duplicates(parts: Sequence[Partition]) -> None:
    """Refuse a file that is named twice, also by different paths."""
    seen: set[str] = set()
    for path in filter(None, (part.path for part in parts)):
        real = path if is_url(path) else os.path.realpath(path)
        if real in seen:
            raise DataError(f"data: '{path}' occurs twice; name every file once")
        seen.add(real)


def find_logs(path: str) -> list[str]:
    """Return the files of a path, a pattern, a folder or an address, sorted.

    Patterns and folders find files that end like tables (names that begin with "_" or "." are
    passed over), in folders that end like tables too, as Dask and Spark write them. A folder of
    .npy files is one log.
    """
    path = path.removeprefix("file://")
    with reading(path):
        if is_url(path):
            system, place = open_filesystem(path)
            if system.isfile(place):
                return [path]
            matches = system.glob(place) if glob.has_magic(place) else [place]
            inside = _expand(matches, system.isdir, lambda x: system.ls(x, detail=False))
            inside = [system.unstrip_protocol(x) for x in inside]
        else:
            if os.path.isfile(path) or not (glob.has_magic(path) or os.path.isdir(path)):
                return [path]
            matches = [path] if os.path.lexists(path) else glob.glob(path, recursive=True)
            inside = _expand(matches, os.path.isdir, lambda x: [y.path for y in os.scandir(x)])
    if not inside:
        raise DataError(
            f"cannot read '{path}': there is no such file, nor one in it that ends in"
            f" {', '.join(SUFFIXES)}"
        )
    return inside


def _expand(
    matches: Sequence[str], is_folder: Callable[[str], bool], children: Callable[[str], list[str]]
) -> list[str]:
    """Return tables, those in folders, and folders of arrays, sorted."""

    def tables(path: str) -> list[str]:
        if not is_folder(path):
            return [path] if is_table(path) else []
        inside = children(path)
        if any(x.endswith(".npy") for x in inside):
            return [path.rstrip("/") or path]
        return [y for x in inside if is_table(x) for y in tables(x)]

    out = {y for x in matches for y in tables(x)}
    return sorted(x for x in out if os.path.dirname(x) not in out)
