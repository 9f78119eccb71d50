"""Files at addresses such as s3://bucket/log.parquet, by fsspec where it is installed.

Parquet is read from there piece by piece; other formats are copied to a file of this machine first.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from jounce.errors import DataError
from jounce.identification.files import is_table, reading

if TYPE_CHECKING:
    from jounce.identification.tables import Table

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+(::[A-Za-z0-9+.\-]+)*://")


def is_url(path: str) -> bool:
    """Whether a path is an address with a protocol."""
    return _URL.match(path) is not None


def _system(url: str) -> tuple[Any, str]:
    """The file system of an address, and the path there, of which nothing is remembered.

    Systems keep lists of files, which may be older than the files.
    """
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise ImportError(f"reading '{url}' needs fsspec; install it: pip install fsspec") from None
    with reading(url):
        system, path = url_to_fs(url)
        for known in (path, path.rpartition("/")[0]):
            system.invalidate_cache(known)
        return system, path


def find_remote(url: str) -> list[str]:
    """Addresses that a pattern or a folder means, in order."""
    system, path = _system(url)
    with reading(url):
        system.invalidate_cache()
        if any(c in path for c in "*?[") and not system.exists(path):
            found = _unfolded(system, system.glob(path, detail=True))
        elif system.isdir(path):
            found = _inside(system, path)
        elif system.exists(path):
            return [url]
        else:
            found = []
        out = [system.unstrip_protocol(x) for x in sorted(set(found))]
    if not out:
        raise DataError(f"cannot read '{url}': there is no such file, or no table in it")
    return out


def _unfolded(system: Any, found: dict[str, dict[str, Any]]) -> list[str]:
    """Files of a pattern, and those of the folders it has found, unless it has found them too."""
    parents = {x.rstrip("/").rpartition("/")[0] for x in found}
    out: list[str] = []
    for path, info in found.items():
        if info["type"] != "directory":
            out.append(path)
        elif path.rstrip("/") not in parents:
            out += _inside(system, path)
    return out


def _inside(system: Any, folder: str) -> list[str]:
    """The tables in a folder, which may be folders of such themselves."""
    out: list[str] = []
    for info in system.ls(folder, detail=True):
        if is_table(info["name"]):
            deeper = info["type"] == "directory"
            out += _inside(system, info["name"]) if deeper else [info["name"]]
    return out


def stamp(url: str) -> str:
    """What changes when a remote file does."""
    system, path = _system(url)
    with reading(url):
        return str(system.ukey(path))


def open_remote(url: str) -> tuple[BinaryIO, int]:
    """A remote file, open for reading, and its size."""
    system, path = _system(url)
    with reading(url):
        return system.open(path, "rb"), int(system.size(path) or 0)


class CopiedTable:
    """The table in a remote file, of which there is a copy here as long as this object lives."""

    def __init__(self, url: str, open_table: Callable[[Path], Table]) -> None:
        system, path = _system(url)
        self.source = url
        folder = tempfile.mkdtemp(prefix="jounce-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._path = Path(folder) / path.rstrip("/").rpartition("/")[2]
        with reading(url):
            system.get_file(path, str(self._path))
        with self._named():
            self._table = open_table(self._path)
            self.names = self._table.names

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Errors name the file where it came from."""
        try:
            yield
        except DataError as error:
            text = str(error).replace(str(self._path), self.source)
            raise DataError(text) from error.__cause__

    @property
    def length(self) -> int:
        """Number of rows."""
        with self._named():
            return self._table.length

    def pieces(self, columns: Sequence[str], size: int) -> Iterator[np.ndarray]:
        """The columns in pieces of at most `size` rows."""
        with self._named():
            yield from self._table.pieces(columns, size)
