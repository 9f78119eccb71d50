"""Writing files so that nobody ever sees half of one."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Mapping
from typing import Any

#: How the names of drafts begin: what a crash leaves behind can be told by it.
DRAFT = ".jounce-"


def flags(*options: str) -> int:
    """Those of the flags for `os.open` that the platform has."""
    out = 0
    for option in options:
        out |= getattr(os, option, 0)
    return out


def write_files(
    files: Mapping[Any, bytes], *, mode: int = 0o666, folder: int | None = None
) -> None:
    """Write files, contents by path: all of them or, where one cannot be written, none.

    Each is written under a name of its own beside its place, and only when all are there, they take
    their names, one after the other, instead of what had them. mode: who may use new files, less
    what the umask denies. folder: an open directory that paths are relative to. OSError if a file
    cannot be written; no draft is left then, nor after an interrupt.
    """
    drafts: dict[str, str] = {}
    options = flags("O_WRONLY", "O_CREAT", "O_EXCL", "O_NOFOLLOW", "O_BINARY")
    try:
        for path, content in files.items():
            name = f"{DRAFT}{os.getpid()}-{secrets.token_hex(8)}"
            draft = os.path.join(os.path.dirname(path), name)
            drafts[draft] = os.fspath(path)
            with os.fdopen(os.open(draft, options, mode, dir_fd=folder), "wb") as file:
                file.write(content)
        for draft, path in drafts.items():
            os.replace(draft, path, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:  # an interrupt too: nobody else would take them away
        for draft in drafts:
            with contextlib.suppress(OSError):  # it has its name, or was never made
                os.unlink(draft, dir_fd=folder)
        raise
