"""Compiled objects on disk, keyed by content.

A private directory of the user (mode 0700) holds one file per object: a header, the checksum of the
rest, what the object is, the object. Whatever is not intact, not ours, or open to others is ignored
and compiled again; a cache that cannot be used never stops a computation. A directory that is not
safe (a symbolic link, another user's, or open to others) is not used either, with a warning.

What is loaded runs with the user's rights, as with Python's __pycache__: whoever can write to the
directory as this user can make this user's programs do anything. The checksum is there against
accidents, not against the user.

JOUNCE_CACHE=0 (or off, false, no) turns the cache off, any other value names the directory. It
keeps at most JOUNCE_CACHE_SIZE megabytes (1024 by default): beyond that, what was not used for
longest goes first.
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
_BODY = len(_MAGIC) + 32  # behind the checksum: what the object is, a zero byte, the object

_DEFAULT_MEGABYTES = 1024.0
#: Pruning goes down to this share of the limit, and looks again after this share was written.
_KEPT, _UNWATCHED = 0.8, 0.05
_DAY = 86_400.0

#: Names of our files: nothing else in the directory is ever deleted.
_OBJECT = re.compile("[0-9a-f]{64}")

#: Values of JOUNCE_CACHE that turn the cache off, in any capitals.
_OFF = ("0", "off", "false", "no", "none")

#: Files are opened relative to the directory that was checked, which nobody can then swap.
_RELATIVE = {os.open, os.rename, os.unlink} <= os.supports_dir_fd


def directory() -> Path | None:
    """Where objects are kept, or None if the cache is turned off or there is no place for it."""
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
    """Most bytes of objects that are kept."""
    given = os.environ.get("JOUNCE_CACHE_SIZE", "").strip()
    try:
        megabytes = float(given) if given else _DEFAULT_MEGABYTES
    except ValueError:
        megabytes = math.nan
    if not megabytes >= 0.0:
        raise ArgumentError(
            f"JOUNCE_CACHE_SIZE must be a number of megabytes >= 0, found {given!r}"
        )
    return megabytes * 2**20


# ------------------------------------------------------------------ whom to trust


class UnsafeFolderError(PermissionError):
    """A directory into which others may have put objects."""

    def __init__(self, folder: Path, reason: str) -> None:
        super().__init__(
            f"the cache of compiled kernels cannot be used: the folder '{folder}' {reason}; set"
            " JOUNCE_CACHE to a folder of your own that nobody else can write to, or to off"
        )


def _hazard(status: os.stat_result) -> str:
    """Return how others can have written a file or a directory; '' if they cannot."""
    if os.name == "nt":
        return ""
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "is open to others (try chmod go-w)"
    return ""


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int | None]:
    """Open the directory: its descriptor, or None where paths serve; OSError if it is not safe."""
    if os.path.islink(folder):  # O_NOFOLLOW below refuses one that is swapped in after this
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


#: Directories that were warned of.
_warned: set[Path] = set()


def _warn(error: UnsafeFolderError, folder: Path) -> None:
    """Warn of a directory that is not used, once in a process."""
    if folder not in _warned:
        _warned.add(folder)
        warn(str(error), JounceWarning)


def _named(folder: Path, place: int | None, name: str) -> str:
    return str(folder / name) if place is None else name


# ------------------------------------------------------------------ reading


def read(key: str) -> bytes | None:
    """The object stored under the key, if it is intact and only this user can have written it."""
    folder = directory()
    if folder is None:
        return None
    try:
        with _opened(folder) as place:
            content = _content(_named(folder, place, key), place)
    except UnsafeFolderError as error:
        _warn(error, folder)
        return None
    except OSError:
        return None
    checksum, body = content[len(_MAGIC) : _BODY], content[_BODY:]
    intact = content.startswith(_MAGIC) and _checksum(key, body) == checksum
    return body.partition(b"\0")[2] if intact else None


def _content(name: str, place: int | None) -> bytes:
    """All of a file that only this user can have written; nothing of any other."""
    # O_NONBLOCK: opening a pipe someone put there must not wait for a writer
    options = flags("O_RDONLY", "O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")
    with os.fdopen(os.open(name, options, dir_fd=place), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or _hazard(status) or status.st_size > limit():
            return b""
        if time.time() - status.st_mtime > _DAY and os.utime in os.supports_fd:
            os.utime(file.fileno())  # in use: pruning takes the oldest
        return file.read()


def _checksum(key: str, body: bytes) -> bytes:
    """Of the content and of what it is for: an entry under another name is not that entry."""
    return hashlib.sha256(key.encode() + b"\0" + body).digest()


# ------------------------------------------------------------------ writing


def write(key: str, payload: bytes, name: str = "") -> None:
    """Store an object under the key, atomically; not at all if the directory cannot be used.

    name: what it is, for people. `read`, which comes first, has warned of an unsafe directory.
    """
    folder = directory()
    body = name.replace("\0", "").encode(errors="replace") + b"\0" + payload
    content = _MAGIC + _checksum(key, body) + body
    if folder is None or len(content) > limit():
        return
    with contextlib.suppress(OSError):  # a full or read-only disk costs time, not results
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _opened(folder) as place:
            target = _named(folder, place, key)
            # not durable: the checksum detects what a power failure has damaged
            write_files({target: content}, overwrite=True, mode=0o600, folder=place, durable=False)
            if _watch.due(folder, len(content)):
                _prune(folder, place)


# ------------------------------------------------------------------ pruning


class _Watch:
    """When to look how large the directory is: at first, then after every so many bytes.

    Without a lock, which a forked process might inherit locked: threads that miss each other's
    bytes only look a little later.
    """

    def __init__(self) -> None:
        self._written: dict[Path, float] = {}

    def due(self, folder: Path, size: int) -> bool:
        """Whether to look now that so many bytes more were written."""
        written = self._written.get(folder, math.inf) + size
        enough = written > _UNWATCHED * limit()
        self._written[folder] = 0.0 if enough else written
        return enough


_watch = _Watch()


def _prune(folder: Path, place: int | None) -> None:
    """Delete what crashed writers left, and, if the objects exceed the limit, the oldest."""
    now, found = time.time(), []
    for entry, status in _scan(folder, place):
        if _OBJECT.fullmatch(entry):
            found.append((status.st_mtime, status.st_size, entry))
        elif now - status.st_mtime > _DAY:
            _remove(folder, place, entry)
    total = sum(size for _, size, _ in found)
    if total <= limit():
        return
    for _, size, name in sorted(found):
        if total <= _KEPT * limit():
            return
        _remove(folder, place, name)
        total -= size


def _scan(folder: Path, place: int | None) -> Iterator[tuple[str, os.stat_result]]:
    """Our files, objects and temporary ones."""
    with os.scandir(folder if place is None else place) as entries:
        for entry in entries:
            ours = _OBJECT.fullmatch(entry.name)
            if not ours and not entry.name.startswith(DRAFT):
                continue
            with contextlib.suppress(OSError):  # gone meanwhile
                status = entry.stat(follow_symlinks=False)
                if not ours or stat.S_ISREG(status.st_mode):
                    yield entry.name, status


def _remove(folder: Path, place: int | None, name: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(_named(folder, place, name), dir_fd=place)


# ------------------------------------------------------------------ looking at it


@dataclass(frozen=True)
class Entry:
    """An object in the cache: its key, what it is, its size in bytes, when it was last of use."""

    key: str
    name: str
    size: int
    used: float


def entries() -> list[Entry]:
    """The objects in the cache, latest first; OSError if the directory cannot be used."""
    folder, out = directory(), []
    if folder is None or not folder.exists():
        return []
    with _opened(folder) as place:
        for key, status in _scan(folder, place):
            if _OBJECT.fullmatch(key):
                with contextlib.suppress(OSError):
                    body = _content(_named(folder, place, key), place)[_BODY:]
                    name = body.partition(b"\0")[0].decode(errors="replace")
                    out.append(Entry(key, name, status.st_size, status.st_mtime))
    return sorted(out, key=lambda entry: -entry.used)


def clear() -> int:
    """Delete every object; how many bytes they took. OSError if the directory cannot be used."""
    folder, freed = directory(), 0
    if folder is None or not folder.exists():
        return 0
    with _opened(folder) as place:
        for name, status in _scan(folder, place):
            _remove(folder, place, name)
            freed += status.st_size
    return freed
