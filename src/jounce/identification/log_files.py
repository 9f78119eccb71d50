"""Safe opening of measurement files: file endings, size limits, and translation of errors.

A file may be damaged or malicious. Errors of the libraries that read it become a `DataError` that
names the file; a file that unpacks to far more bytes than its size is refused before it fills the
memory.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jounce.errors import DataError
from jounce.io import opened

TEXT, PARQUET = (".csv", ".tsv", ".txt"), (".parquet", ".pq")
SUFFIXES = (*TEXT, ".npz", ".npy", *PARQUET)

#: Suffixes of compressed text, after those of `TEXT`, and the modules that unpack it.
COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}

MAX_COLUMNS = 20_000

#: Noisy measurements cannot be compressed a hundredfold: a file that unpacks to more bytes than
#: `SMALL_BYTES` and to more than `MAX_RATIO` times its size is refused.
SMALL_BYTES = 64 * 2**20
MAX_RATIO = 100

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+(::[A-Za-z0-9+.\-]+)*://")


class MissingLibraryError(DataError, ImportError):
    """A library that reads a format is not installed."""


def import_library(name: str, source: object, extra: str) -> Any:
    """Import an optional library; say how to install it if it is missing."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingLibraryError(
            f"reading '{source}' needs {name.partition('.')[0]}; install it: pip install {extra}"
        ) from None


def is_url(path: str) -> bool:
    """Return whether a path is an address with a protocol, such as s3://bucket/log.csv."""
    return _URL.match(path) is not None


def open_filesystem(url: str) -> tuple[Any, str]:
    """Return the fsspec file system of an address and the path in it, without cached listings."""
    fsspec = import_library("fsspec.core", url, "fsspec")
    with reading(url):
        system, path = fsspec.url_to_fs(url)
        system.invalidate_cache()
        return system, path


def is_table(path: str) -> bool:
    """Return whether a name ends like a table and does not begin with "_" or "."."""
    name = path.replace(os.sep, "/").rstrip("/").rpartition("/")[2]
    ends = (*SUFFIXES, *(kind + packed for kind in TEXT for packed in COMPRESSED))
    return name.lower().endswith(ends) and not name.startswith(("_", "."))


@contextmanager
def reading(source: object) -> Iterator[None]:
    """Translate exceptions inside the block into a DataError that names the file."""
    try:
        yield
    except DataError:
        raise
    except MemoryError as error:
        raise DataError(
            f"cannot read '{source}': it needs more memory than there is; if it is not damaged,"
            " save it as .parquet, .csv or a folder of .npy files, which are read in pieces"
        ) from error
    except ImportError as error:
        raise DataError(f"cannot read '{source}': {error}") from error
    except Exception as error:  # libraries raise nearly anything on damaged files
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        damaged = "" if getattr(error, "errno", None) else "; it may be damaged: copy it again"
        raise DataError(f"cannot read '{source}': {reason}{damaged}") from error


def check_regular(path: Path, source: object) -> int:
    """Return the bytes that a regular file takes on disk; refuse pipes and devices.

    Sparse files count by their blocks: terabytes of zeros may take no space.
    """
    with reading(source), opened(path) as file:
        status = os.fstat(file.fileno())
        blocks = 512 * getattr(status, "st_blocks", 0)  # 0: unknown
        return min(status.st_size, blocks) if blocks else status.st_size


def check_unpacked(source: object, unpacked: int, size: int) -> None:
    """Refuse a file of `size` bytes that unpacks to far more bytes."""
    if unpacked > max(SMALL_BYTES, MAX_RATIO * size):
        raise DataError(
            f"cannot read '{source}': its {size:,} bytes expand to {unpacked:,}, far more than"
            " those of measurements do; it is damaged or a decompression bomb"
        )


def check_width(source: object, columns: int) -> None:
    """Refuse more columns than any robot has."""
    if columns > MAX_COLUMNS:
        raise DataError(
            f"{source}: expected at most {MAX_COLUMNS:,} columns, found {columns:,}; keep only"
            " those of the robot's joints"
        )


def check_names(source: object, names: Sequence[str]) -> None:
    """Refuse too many columns, and columns with the same name."""
    check_width(source, len(names))
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DataError(f"{source}: two columns are named '{name}'; rename one of them")
        seen.add(name)
