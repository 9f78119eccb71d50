"""Version of XLA's C API, whose structures `runtime/native/xla_ffi.h` declares."""

from __future__ import annotations

import os
import re
from pathlib import Path

from jounce.errors import ModelWarning, warn
from jounce.utils.once import once

#: Versions (major, minor) of the C API that xla_ffi.h describes.
KNOWN: tuple[tuple[int, int], ...] = ((0, 1), (0, 2), (0, 3), (0, 4))

#: Environment variable; with "callback" XLA calls Python instead of machine code.
VARIABLE = "JOUNCE_JAX"

#: XLA_FFI_DataType of type characters.
DTYPES = {"f": 11, "d": 12}


@once
def version() -> tuple[int, int] | None:
    """Return the version of the installed C API, or None to call back Python.

    None if the version is unknown, with a warning, or if the environment variable asks for it.
    """
    choice = os.environ.get(VARIABLE, "").strip()
    if choice not in ("", "callback"):
        raise ValueError(f'{VARIABLE} must be "callback" or unset, found {choice!r}')
    if choice:
        return None
    installed = _read_header()
    if installed in KNOWN:
        return installed
    known = ", ".join(f"{major}.{minor}" for major, minor in KNOWN)
    what = "none" if installed is None else f"{installed[0]}.{installed[1]}"
    warn(
        f"expected version {known} of XLA's C API, found {what} in jaxlib: kernels are called"
        " through jax.pure_callback, which is slower; install another jaxlib or a newer jounce",
        ModelWarning,
    )
    return None


def _read_header() -> tuple[int, int] | None:
    """Return the version in jaxlib's header, if there is one."""
    import jax

    try:
        header = Path(jax.ffi.include_dir(), "xla", "ffi", "api", "c_api.h").read_text("utf-8")
    except OSError:
        return None
    numbers = [re.search(rf"#define XLA_FFI_API_{x} (\d+)", header) for x in ("MAJOR", "MINOR")]
    major, minor = (None if x is None else int(x[1]) for x in numbers)
    return None if major is None or minor is None else (major, minor)
