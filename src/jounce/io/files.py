"""Reading of files from other sources: only regular files, and only up to a size.

Every file the library reads is opened here.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from typing import BinaryIO

from jounce.errors import JounceError, ModelError

#: Bytes that are read at once beyond the size that a file had when it was opened.
_PIECE = 2**16


@contextlib.contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a regular file for reading, as a context manager.

    Parameters
    ----------
    path : str or path
        The file.

    Yields
    ------
    BinaryIO
        The open file.

    Raises
    ------
    OSError
        If it is no regular file: devices have no end, and pipes may block.
    """

    def at_once(path: str, flags: int) -> int:
        return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))

    with open(path, "rb", opener=at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "expected a file, found a pipe or a device")
        yield file


def read_bytes(
    path: str | os.PathLike[str],
    largest: int,
    *,
    what: str | None = None,
    error: type[JounceError] = ModelError,
) -> bytes:
    """Return the content of a regular file of limited size.

    Parameters
    ----------
    path : str or path
        The file.
    largest : int
        Size limit in bytes; nothing larger is read or allocated.
    what : str, optional
        Beginning of error messages; by default "cannot read '...'".
    error : type
        Exception to raise.

    Returns
    -------
    bytes
        The content.

    Raises
    ------
    JounceError
        `error`, if the file does not exist, is not regular, or is too large.
    """
    what = what or f"cannot read '{os.fspath(path)}'"
    try:
        with opened(path) as file:
            size = os.fstat(file.fileno()).st_size
            check_size(size, largest, what, error)
            data = file.read(size + 1)  # memory for the file, not for the limit
            while len(data) <= largest and (piece := file.read(_PIECE)):  # it is growing
                data += piece
    except (OSError, ValueError) as problem:
        if isinstance(problem, JounceError):
            raise
        reason = getattr(problem, "strerror", None) or str(problem)
        raise error(f"{what}: {reason}") from problem
    check_size(len(data), largest, what, error)
    return data


def check_size(size: int, largest: int, what: str, error: type[JounceError] = ModelError) -> None:
    """Raise `error` if a file of `size` bytes is larger than `largest`."""
    if size > largest:
        raise error(f"{what}: expected at most {largest} bytes, found {size}")
