"""Atomic file writer: a file is written completely or not at all.

Every file that the package writes goes through `write_files`. A full disk, a crash or an interrupt
leaves an existing file unchanged.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Mapping
from typing import Any

from jounce.errors import ArgumentError

#: Prefix of the names of temporary files, by which files left by a crash are recognized.
DRAFT = ".jounce-"


def flags(*options: str) -> int:
    """Return the flags for `os.open`, without those that the platform does not have."""
    out = 0
    for option in options:
        out |= getattr(os, option, 0)
    return out


def check_target(path: str | os.PathLike[str], overwrite: bool) -> None:
    """Refuse to replace a file unless `overwrite` is set, and a folder in any case.

    Raises
    ------
    FileExistsError
        If the file exists and `overwrite` is False. Pipes and character devices such as /dev/stdout
        are accepted, since they have no content that could be lost.
    OSError
        If the path is a folder, or the file is read-only.
    """
    name = os.fspath(path)
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _with_path(error, path) from error
    except ValueError as error:  # such as a null character
        raise ArgumentError(f"cannot write '{name}': {error}") from error
    if stat.S_ISDIR(status.st_mode):
        text = f"cannot write '{name}': it is a folder; give the name of a file"
        raise IsADirectoryError(errno.EISDIR, text)
    if _is_stream(name):
        return
    if not overwrite:
        raise FileExistsError(
            errno.EEXIST,
            f"cannot write '{name}': the file exists; to replace it, use overwrite=True, or"
            " --force on the command line",
        )
    if not os.access(path, os.W_OK):  # a rename would ignore this
        raise PermissionError(errno.EACCES, f"cannot write '{name}': it is read-only")


def write_files(
    files: Mapping[Any, bytes],
    *,
    overwrite: bool = False,
    mode: int = 0o666,
    folder: int | None = None,
    durable: bool = True,
) -> None:
    """Write files atomically: all of them or, if one cannot be written, none.

    Each file is written to a temporary file in the same folder, flushed to the disk, and renamed
    when all of them are complete. A replaced file keeps its permissions; if the path is a symbolic
    link, the file it points to is replaced.

    Parameters
    ----------
    files
        Contents by path.
    overwrite
        Replace files that exist; FileExistsError otherwise.
    mode
        Permissions of new files, subject to the umask.
    folder
        Descriptor of an open directory that paths are relative to; links in it are replaced.
    durable
        Wait until the data are on the disk, so that a power failure cannot leave an empty file.

    Raises
    ------
    OSError
        If a file cannot be written; the message names it, and no temporary file is left.
    """
    if folder is None:
        for path in files:
            check_target(path, overwrite)
    targets = {path: os.path.realpath(path) if folder is None else path for path in files}
    drafts: dict[Any, str] = {}
    path = None
    try:
        for path, content in files.items():
            if folder is None and _is_stream(targets[path]):
                _write(os.open(targets[path], os.O_WRONLY), content, durable=False)
                continue
            name = f"{DRAFT}{os.getpid()}-{secrets.token_hex(8)}"
            drafts[path] = os.path.join(os.path.dirname(targets[path]), name)
            _write(_create(drafts[path], targets[path], mode, folder), content, durable)
        for path, draft in drafts.items():
            os.replace(draft, targets[path], src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException as error:  # including interrupts, to remove the temporary files
        for draft in drafts.values():
            with contextlib.suppress(OSError):  # renamed, or never created
                os.unlink(draft, dir_fd=folder)
        if isinstance(error, OSError):
            raise _with_path(error, path) from error
        raise
    if durable:
        for place in {os.path.dirname(draft) for draft in drafts.values()}:
            _flush_folder(place)


def _create(draft: str, target: str, mode: int, folder: int | None) -> int:
    """Create a temporary file with the permissions of the file that it replaces, if any.

    With an open directory, the permissions are always `mode`.
    """
    options = flags("O_WRONLY", "O_CREAT", "O_EXCL", "O_NOFOLLOW", "O_BINARY")
    descriptor = os.open(draft, options, mode, dir_fd=folder)
    if folder is None and os.name != "nt":
        with contextlib.suppress(OSError):  # no such file, or no right to change the owner
            replaced = os.stat(target)
            os.fchmod(descriptor, stat.S_IMODE(replaced.st_mode) & 0o777)
            os.fchown(descriptor, replaced.st_uid, replaced.st_gid)
    return descriptor


def _write(descriptor: int, content: bytes, durable: bool) -> None:
    """Write to a descriptor and close it."""
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        if durable:
            file.flush()
            os.fsync(descriptor)


def _flush_folder(path: str) -> None:
    """Make renames in a folder durable, if the platform and the file system support it."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):  # not essential; some file systems refuse this
        descriptor = os.open(path or ".", os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _is_stream(path: str) -> bool:
    """Return whether a path is a pipe or a character device, which is written to in place."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def _with_path(error: OSError, path: Any) -> OSError:
    """Return the error with the path in its message."""
    return OSError(error.errno, f"cannot write '{os.fspath(path)}': {error.strerror or error}")
