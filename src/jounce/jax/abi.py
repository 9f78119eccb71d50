"""How XLA lays out what it hands to functions of others: versions of its C API, and places in it.

The places are those of `xla/ffi/api/c_api.h`, which comes with jaxlib. They are the same in all
versions listed here, from jaxlib 0.4.38 to 0.11; what was added or changed in between is not used.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from jounce.errors import ModelWarning, warn
from jounce.process.once import once

#: Versions (major, minor) of the C API whose layout is known.
KNOWN: tuple[tuple[int, int], ...] = ((0, 1), (0, 2), (0, 3), (0, 4))

#: Set to "callback" to have Python called instead of machine code.
VARIABLE = "JOUNCE_JAX"

#: XLA_FFI_CallFrame: extensions, functions, context, stage, then arguments, results, attributes.
FRAME = {
    "extension": 8,
    "api": 16,
    "context": 24,
    "stage": 32,
    "args.size": 56,
    "args": 72,
    "rets.size": 96,
    "rets": 112,
    "attrs.size": 136,
    "attrs.types": 144,
    "attrs": 160,
}

#: XLA_FFI_Buffer.
BUFFER = {"dtype": 16, "data": 24, "rank": 32, "dims": 40}

#: XLA_FFI_Metadata_Extension, and the XLA_FFI_Metadata that it leads to.
EXTENSION = {"type": 8, "metadata": 24}
METADATA = {"major": 24, "minor": 28, "traits": 32}

#: XLA_FFI_Api: its size, and functions by their places.
API = {"error": 48, "destroy": 64, "stream": 80, "schedule": 136}

#: XLA_FFI_DataType of type characters.
DTYPES = {"f": 11, "d": 12}

#: Further values of enumerations: XLA_FFI_DataType, _AttrType, _Extension_Type, _ExecutionStage and
#: _Error_Code.
S64 = 5
SCALAR, STRING = 3, 4
METADATA_EXTENSION = 1
EXECUTE = 3
INVALID_ARGUMENT, NOT_FOUND, RESOURCE_EXHAUSTED, INTERNAL = 3, 5, 8, 13

#: XLA_FFI_Handler_TraitsBits: calls may be recorded into graphs of the device and played again.
COMMAND_BUFFER_COMPATIBLE = 1


@once
def version() -> tuple[int, int] | None:
    """The version of the C API that JAX speaks here, if its layout is known.

    Otherwise, or if the environment says so, Python is called back; a warning tells.
    """
    given = os.environ.get(VARIABLE, "").strip()
    if given not in ("", "callback"):
        raise ValueError(f'{VARIABLE} must be "callback" or not be set, found {given!r}')
    if given:
        return None
    found = _found()
    if found in KNOWN:
        return found
    known = ", ".join(f"{major}.{minor}" for major, minor in KNOWN)
    what = "none" if found is None else f"{found[0]}.{found[1]}"
    warn(
        f"jounce knows versions {known} of XLA's C API, and jaxlib has {what}: kernels are called"
        " through jax.pure_callback, which is slower; another jaxlib, or a newer jounce, avoids it",
        ModelWarning,
    )
    return None


def _found() -> tuple[int, int] | None:
    """What the header of jaxlib says."""
    import jax

    try:
        header = Path(jax.ffi.include_dir(), "xla", "ffi", "api", "c_api.h").read_text("utf-8")
    except OSError:
        return None
    numbers = [re.search(rf"#define XLA_FFI_API_{x} (\d+)", header) for x in ("MAJOR", "MINOR")]
    major, minor = (None if x is None else int(x[1]) for x in numbers)
    return None if major is None or minor is None else (major, minor)
