"""Disk cache of compiled objects, keyed by content.

A private directory of the user (mode 0700) holds one file per object: a header, a checksum, a
description, and the object. A file that is damaged, owned by another user, or writable by others is
ignored, and the kernel is compiled again; an unusable cache never stops a computation. An unsafe
directory (a symbolic link, owned by another user, or writable by others) is not used, with a
warning.

Loaded code runs with the user's rights, as with Python's __pycache__: a program that can write to
the directory as this user can change what this user's programs do. The checksum detects accidents,
not attacks by the user's own account.

JOUNCE_CACHE=0 (or off, false, no) turns the cache off; any other value is the path of the
directory. If it exceeds JOUNCE_CACHE_SIZE megabytes (1024 by default), the least recently used
objects are deleted.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jounce.errors import ArgumentError, JounceWarning, warn
from jounce.utils.files import DRAFT, flags, write_files

_MAGIC = b"jounce object 3\n"
_BODY = len(_MAGIC) + 32  # offset of the body: description, a zero byte, the object

_DEFAULT_MEGABYTES = 1024.0
#: Pruning reduces the size to this fraction of the limit; the size is checked again after writing
#: this fraction of the limit.
_PRUNED_FRACTION, _CHECK_FRACTION = 0.8, 0.05
_DAY = 86_400.0  # seconds

#: Names of objects; other files in the directory, except our temporary ones, are never deleted.
_OBJECT = re.compile("[0-9a-f]{64}")

#: Values of JOUNCE_CACHE that turn the cache off, in upper or lower case.
_OFF = ("0", "off", "false", "no", "none")

#: Whether files can be opened relative to the checked directory, so that it cannot be swapped
#: between the check and the use.
_RELATIVE = {os.open, os.rename, os.unlink} <= os.supports_dir_fd


def directory() -> Path | None:
    """Return the directory of the cache, or None if it is turned off or the user has no home."""
    chosen = os.environ.get("JOUNCE_CACHE", "")
    if chosen.strip().lower() in _OFF:
        return None
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        root = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        root = os.path.expanduser("~/Library/Caches")
    else:
        root = os.environ.get("XDG_CACHE_HOME", "")
    root = root or os.path.expanduser("~/.cache")
    return None if root.startswith("~") else Path(root) / "jounce"  # ~: a user without a home


def limit() -> float:
    """Return the maximum size of the cache in bytes."""
    text = os.environ.get("JOUNCE_CACHE_SIZE", "").strip()
    try:
        megabytes = float(text) if text else _DEFAULT_MEGABYTES
    except ValueError:
        megabytes = math.nan
    if not megabytes >= 0.0:
        raise ArgumentError(f"JOUNCE_CACHE_SIZE must be a number of megabytes >= 0, found {text!r}")
    return megabytes * 2**20


# ------------------------------------------------------------------ ownership and permissions


class UnsafeFolderError(PermissionError):
    """A directory to which other users may have written."""

    def __init__(self, folder: Path, reason: str) -> None:
        super().__init__(
            f"the cache of compiled kernels cannot be used: the folder '{folder}' {reason}; set"
            " JOUNCE_CACHE to a folder that only you can write to, or to off"
        )


def _hazard(status: os.stat_result) -> str:
    """Return why other users may have written a file or a directory, or '' if they cannot."""
    if os.name == "nt":
        return ""
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "is writable by other users (try chmod go-w)"
    return ""


@contextlib.contextmanager
def _open_folder(folder: Path) -> Iterator[int | None]:
    """Open the directory; yield its descriptor, or None if only paths are supported.

    Raises OSError if the directory is not safe.
    """
    if os.path.islink(folder):  # O_NOFOLLOW below refuses a link that is swapped in after this
        raise UnsafeFolderError(folder, "is a symbolic link")
    if not _RELATIVE:
        _check(folder, os.stat(folder))
        yield None
        return
    descriptor = os.open(folder, flags("O_RDONLY", "O_DIRECTORY", "O_NOFOLLOW"))
    try:
        _check(folder, os.fstat(descriptor))
        yield descriptor
    finally:
        os.close(descriptor)


def _check(folder: Path, status: os.stat_result) -> None:
    hazard = _hazard(status)
    if hazard:
        raise UnsafeFolderError(folder, hazard)


#: Directories that have been reported.
_warned: set[Path] = set()


def _warn(error: UnsafeFolderError, folder: Path) -> None:
    """Warn about a directory that is not used, once per process."""
    if folder not in _warned:
        _warned.add(folder)
        warn(str(error), JounceWarning)


def _path_in(folder: Path, place: int | None, name: str) -> str:
    return str(folder / name) if place is None else name


# ------------------------------------------------------------------ reading


def read(key: str) -> bytes | None:
    """Return the object stored under a key; None unless it is intact and safe."""
    folder = directory()
    if folder is None:
        return None
    try:
        with _open_folder(folder) as place:
            content = _read_file(_path_in(folder, place, key), place)
    except UnsafeFolderError as error:
        _warn(error, folder)
        return None
    except OSError:
        return None
    checksum, body = content[len(_MAGIC) : _BODY], content[_BODY:]
    intact = content.startswith(_MAGIC) and _checksum(key, body) == checksum
    return body.partition(b"\0")[2] if intact else None


def _read_file(name: str, place: int | None) -> bytes:
    """Return the content of a file, or b"" if another user may have written it."""
    # O_NONBLOCK: opening a pipe must not wait for a writer
    options = flags("O_RDONLY", "O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
    with os.fdopen(os.open(name, options, dir_fd=place), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or _hazard(status) or status.st_size > limit():
            return b""
        if time.time() - status.st_mtime > _DAY and os.utime in os.supports_fd:
            os.utime(file.fileno())  # mark as used: pruning deletes the oldest files
        return file.read()


def _checksum(key: str, body: bytes) -> bytes:
    """Return the checksum of key and content, so that a renamed file is not accepted."""
    return hashlib.sha256(key.encode() + b"\0" + body).digest()


# ------------------------------------------------------------------ writing


def write(key: str, payload: bytes, name: str = "") -> None:
    """Store an object under a key, atomically; do nothing if the directory cannot be used.

    name: description for listings. `read`, which is called first, warns about unsafe directories.
    """
    folder = directory()
    body = name.replace("\0", "").encode(errors="replace") + b"\0" + payload
    content = _MAGIC + _checksum(key, body) + body
    if folder is None or len(content) > limit():
        return
    with contextlib.suppress(OSError):  # results do not depend on a full or read-only disk
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _open_folder(folder) as place:
            target = _path_in(folder, place, key)
            # not durable: the checksum detects damage by a power failure
            write_files({target: content}, overwrite=True, mode=0o600, folder=place, durable=False)
            if _size_monitor.due(folder, len(content)):
                _prune(folder, place)


# ------------------------------------------------------------------ pruning


class _SizeMonitor:
    """Decides when to measure the size of the directory: at first, then after so many bytes.

    It has no lock, which a forked process might inherit locked; bytes lost in a race between
    threads only delay the next measurement.
    """

    def __init__(self) -> None:
        self._written: dict[Path, float] = {}

    def due(self, folder: Path, size: int) -> bool:
        """Return whether to measure the size now; size: bytes that were just written."""
        written = self._written.get(folder, math.inf) + size
        is_due = written > _CHECK_FRACTION * limit()
        self._written[folder] = 0.0 if is_due else written
        return is_due


_size_monitor = _SizeMonitor()


def _prune(folder: Path, place: int | None) -> None:
    """Delete temporary files of crashed writers and, above the limit, the oldest objects."""
    now, objects = time.time(), []
    for entry, status in _scan(folder, place):
        if _OBJECT.fullmatch(entry):
            objects.append((status.st_mtime, status.st_size, entry))
        elif now - status.st_mtime > _DAY:
            _remove(folder, place, entry)
    total = sum(size for _, size, _ in objects)
    if total <= limit():
        return
    for _, size, name in sorted(objects):
        if total <= _PRUNED_FRACTION * limit():
            return
        _remove(folder, place, name)
        total -= size


def _scan(folder: Path, place: int | None) -> Iterator[tuple[str, os.stat_result]]:
    """Yield name and status of our files: objects and temporary files."""
    with os.scandir(folder if place is None else place) as entries:
        for entry in entries:
            ours = _OBJECT.fullmatch(entry.name)
            if not ours and not entry.name.startswith(DRAFT):
                continue
            with contextlib.suppress(OSError):  # deleted in the meantime
                status = entry.stat(follow_symlinks=False)
                if not ours or stat.S_ISREG(status.st_mode):
                    yield entry.name, status


def _remove(folder: Path, place: int | None, name: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(_path_in(folder, place, name), dir_fd=place)


# ------------------------------------------------------------------ listing and clearing


@dataclass(frozen=True)
class Entry:
    """An object in the cache."""

    key: str
    name: str  # description
    size: int  # bytes
    used: float  # time of the last use, in seconds since the epoch


def entries() -> list[Entry]:
    """Return the objects in the cache, latest first; OSError if the directory cannot be used."""
    folder, out = directory(), []
    if folder is None or not folder.exists():
        return []
    with _open_folder(folder) as place:
        for key, status in _scan(folder, place):
            if _OBJECT.fullmatch(key):
                with contextlib.suppress(OSError):
                    body = _read_file(_path_in(folder, place, key), place)[_BODY:]
                    name = body.partition(b"\0")[0].decode(errors="replace")
                    out.append(Entry(key, name, status.st_size, status.st_mtime))
    return sorted(out, key=lambda entry: -entry.used)


def clear() -> int:
    """Delete all objects and return their size in bytes; OSError if the directory is unusable."""
    folder, freed = directory(), 0
    if folder is None or not folder.exists():
        return 0
    with _open_folder(folder) as place:
        for name, status in _scan(folder, place):
            _remove(folder, place, name)
            freed += status.st_size
    return freed
