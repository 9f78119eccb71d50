"""Opening files that others wrote: only regular files, and only up to a size.

Every file the library reads goes through here, whatever it holds.
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
    """A regular file, open for reading; OSError for all else.

    Devices have no end, and pipes may wait for ever.
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
    """Return the bytes of a regular file of at most `largest` bytes.

    what: how messages call the file, by default "cannot read '...'". error: the class of what is
    raised if there is no such file, it is no regular file, or it is too large; nothing large is
    read or allocated first.
    """
    what = what or f"cannot read '{os.fspath(path)}'"
    try:
        with opened(path) as file:
            size = os.fstat(file.fileno()).st_size
            check_size(size, largest, what, error)
            data = file.read(size + 1)  # memory for the file, not for the limit
            while len(data) <= largest and (more := file.read(_PIECE)):  # it is growing
                data += more
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
