"""Opening files of measurements: only regular ones, and no more inside than they can hold.

A file may be damaged or made to do harm. Whatever a reader of another library makes of it ends in a
`DataError` that names the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jounce.errors import DataError
from jounce.io.files import opened

#: How files of tables end: text (also with .gz), and all.
TEXT, PARQUET = (".csv", ".tsv", ".txt"), (".parquet", ".pq")
SUFFIXES = (*TEXT, ".npz", ".npy", *PARQUET)

#: More columns no robot has; telling joints by name takes time for each.
MAX_COLUMNS = 20_000

#: Measurements are noisy and do not shrink a hundredfold: what is larger inside than this (bytes),
#: and this many times larger than its file, is made to fill the memory.
_SMALL = 64 * 2**20
_TIMES = 100


def is_table(path: str) -> bool:
    """Whether a file or a folder is called like a table, and does not begin with "_" or "."."""
    name = path.rstrip("/").rpartition("/")[2]
    ends = (*SUFFIXES, *(f"{kind}.gz" for kind in TEXT))
    return name.lower().endswith(ends) and not name.startswith(("_", "."))


@contextmanager
def reading(path: Path | str) -> Iterator[None]:
    """Whatever goes wrong within becomes a DataError that names the file.

    Readers of other libraries raise nearly anything on files that are damaged.
    """
    try:
        yield
    except DataError:
        raise
    except MemoryError as error:
        raise DataError(
            f"cannot read '{path}': it needs more memory than there is; if it is not damaged, save"
            " it as .parquet, .csv or a folder of .npy files, which are read in pieces"
        ) from error
    except ImportError as error:
        raise DataError(f"cannot read '{path}': {error}") from error
    except Exception as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        damaged = "" if getattr(error, "errno", None) else "; it may be damaged: copy it again"
        raise DataError(f"cannot read '{path}': {reason}{damaged}") from error


def check_regular(path: Path) -> int:
    """Bytes that a file takes on the disk; an error for devices, pipes and what cannot be opened.

    Files with holes are larger than that: terabytes of zeros take no room.
    """
    with reading(path), opened(path) as file:
        found = os.fstat(file.fileno())
        taken = 512 * getattr(found, "st_blocks", 0)  # 0: nobody knows
        return min(found.st_size, taken) if taken else found.st_size


def most_inside(size: int) -> int:
    """Bytes that a compressed file of `size` bytes may hold."""
    return max(_SMALL, _TIMES * size)


def check_inside(path: Path | str, inside: int, size: int) -> None:
    """Refuse a file of `size` bytes that unpacks to far too many."""
    if inside > most_inside(size):
        raise DataError(
            f"cannot read '{path}': its {size:,} bytes would become {inside:,}, far more than"
            " measurements can; it is damaged or made to fill the memory"
        )


def check_columns(source: object, names: int) -> None:
    """Refuse more columns than any robot has."""
    if names > MAX_COLUMNS:
        raise DataError(
            f"{source}: expected at most {MAX_COLUMNS:,} columns, found {names:,}; keep those of"
            " the robot's joints"
        )


def check_names(source: object, names: list[str]) -> None:
    """Refuse too many columns, and columns called alike."""
    check_columns(source, len(names))
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DataError(f"{source}: two columns are called '{name}'; rename one of them")
        seen.add(name)
