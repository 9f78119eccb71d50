"""Compiled objects on disk, keyed by content.

A directory of the user's own (mode 0700) holds one file per object: a header, the checksum of the
payload, the payload. Whatever is not intact, not ours, or open to others is ignored and compiled
again; a cache that cannot be used never stops a computation. JOUNCE_CACHE=0 turns it off, any other
value names the directory.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
from pathlib import Path

_MAGIC = b"jounce object 2\n"


def directory() -> Path | None:
    """Where objects are kept, or None if the cache is turned off."""
    chosen = os.environ.get("JOUNCE_CACHE", "")
    if chosen == "0":
        return None
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        root = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        root = os.path.expanduser("~/Library/Caches")
    else:
        root = os.environ.get("XDG_CACHE_HOME", "")
    return Path(root or os.path.expanduser("~/.cache")) / "jounce"


def _private(status: os.stat_result) -> bool:
    """Whether only this user can have written it."""
    if os.name == "nt":
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def read(key: str) -> bytes | None:
    """The object stored under the key, if it is intact and only this user can have written it."""
    folder = directory()
    if folder is None:
        return None
    # O_NONBLOCK: opening a pipe someone put there must not wait for a writer
    flags = os.O_RDONLY
    for option in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):
        flags |= getattr(os, option, 0)
    try:
        if not _private(os.stat(folder)):
            return None
        descriptor = os.open(folder / key, flags)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or not _private(status):
            return None
        with os.fdopen(os.dup(descriptor), "rb") as file:
            content = file.read()
    except OSError:
        return None
    finally:
        os.close(descriptor)
    start = len(_MAGIC)
    checksum, payload = content[start : start + 32], content[start + 32 :]
    intact = content.startswith(_MAGIC) and _checksum(key, payload) == checksum
    return payload if intact else None


def _checksum(key: str, payload: bytes) -> bytes:
    """Of the content and of what it is for: an entry under another name is not that entry."""
    return hashlib.sha256(key.encode() + b"\0" + payload).digest()


def write(key: str, payload: bytes) -> None:
    """Store an object under the key, atomically; silently not, if the directory cannot be used."""
    folder = directory()
    if folder is None:
        return
    temporary = None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _private(os.stat(folder)):
            return
        descriptor, temporary = tempfile.mkstemp(prefix=".", dir=folder)
        with os.fdopen(descriptor, "wb") as file:
            file.write(_MAGIC + _checksum(key, payload) + payload)
        os.replace(temporary, folder / key)
        temporary = None
    except OSError:
        return  # a full or read-only disk costs time, not results
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
