"""Kernels as PTX, kept on disk, and loaded by the driver, which compiles them for its device.

What is kept is found by what it is made of, without the PTX being written again: tape, shapes,
precision, architecture, and the sources that turn tapes into PTX. The machine code that comes of it
the driver keeps on disk itself, by device and driver (CUDA_CACHE_PATH). The driver's linker would
hand that code out, but compiles for linking: calls then keep registers free that nobody needs, and
long kernels take up to half as long again.
"""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import asdict, dataclass, replace
from typing import Any

from jounce.compiler.targets.base import Program
from jounce.compiler.targets.function import Function, signature
from jounce.errors import legible
from jounce.runtime.cuda.driver import Device, Driver, in_words
from jounce.utils import cache

#: Bytes for what the compiler has to say.
_LOG = 16 << 10

#: The first version of CUDA, as the driver numbers it, of versions of PTX.
_FIRST = {
    (6, 3): 10000,
    (6, 4): 10010,
    (6, 5): 10020,
    **{(7, k): 11000 + 10 * k for k in range(9)},
    **{(8, k): 12000 + 10 * k for k in range(6)},
    (8, 6): 12070,
    (8, 7): 12080,
    (8, 8): 12090,
    **{(9, k): 13000 + 10 * k for k in range(10)},
}


@dataclass(frozen=True)
class Image:
    """PTX of a kernel, ended by a zero byte, and how it is launched.

    Of what was found on disk, program.ptx is empty.
    """

    program: Program
    code: bytes
    found: bool


def image(function: Function, char: str, device: Device, title: str, fresh: bool = False) -> Image:
    """Return the PTX of a function for a device: from the disk, or written and left there.

    char: "d" or "f". title: its name in messages. fresh: written in any case.
    """
    key = device.target.key(function, char)
    found = None if fresh else _stored(key)
    if found is not None:
        return found
    program = device.target.compile(function, char, title)
    assert isinstance(program, Program)
    code = program.ptx.encode() + b"\0"
    head = {name: x for name, x in asdict(program).items() if name != "ptx"}
    shapes = signature([x.shape for x in function.inputs], [x.shape for x in function.outputs])
    what = f"{title} {shapes} {char} {device.architecture}"
    cache.write(key, json.dumps(head).encode() + b"\0" + zlib.compress(code, 1), what)
    return Image(program, code, found=False)


def _stored(key: str) -> Image | None:
    """Return what is on the disk, if it is what it should be."""
    head, _, packed = (cache.read(key) or b"").partition(b"\0")
    try:
        return Image(Program(**json.loads(head), ptx=""), zlib.decompress(packed), True)
    except (ValueError, TypeError, zlib.error):
        return None


def without_text(program: Program) -> Program:
    """How a kernel is launched, without its PTX, which may be megabytes."""
    return replace(program, ptx="")


# ------------------------------------------------------------------ the driver's compiler


def loaded(device: Device, code: bytes, name: str, title: str) -> tuple[int, int]:
    """The library that PTX becomes on a device, and its kernel of a name, ready to be launched.

    What the driver cannot compile is said with its own words.
    """
    call = device.driver
    _check_version(call, code, title)
    options, log = _options(call.api)
    doing = f"{title}: compiling for {device.name} (sm_{device.capability})"
    given, none = ([*options], [*options.values()], len(options)), ([], [], 0)
    try:
        with device.current():
            library = int(call("cuLibraryLoadData", code, *given, *none))
            kernel = int(call("cuLibraryGetKernel", library, name.encode()))
            call("cuKernelGetFunction", kernel)  # some drivers compile only now
    except (RuntimeError, MemoryError) as error:
        said = legible(bytes(log).partition(b"\0")[0].decode(errors="replace").strip(), 1000)
        raise type(error)(f"{doing} fails: {error}{f'; it says: {said}' * bool(said)}") from error
    return library, kernel


def _options(api: Any) -> tuple[dict[Any, Any], bytearray]:
    """Options of the compiler, and where it writes its errors."""
    log = bytearray(_LOG)
    kinds = api.CUjit_option
    options = {
        kinds.CU_JIT_ERROR_LOG_BUFFER: log,
        kinds.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: len(log),
    }
    return options, log


def _check_version(driver: Driver, ptx: bytes, title: str) -> None:
    """Refuse PTX of a version that the driver does not know yet."""
    found = re.search(rb"^\s*\.version\s+(\d+)\.(\d+)", ptx, re.MULTILINE)
    if found is None:
        return
    version = int(found[1]), int(found[2])
    needed = _FIRST.get(version)
    if needed is not None and driver.version < needed:
        raise RuntimeError(
            f"{title} is PTX {version[0]}.{version[1]}, which drivers for CUDA {in_words(needed)}"
            f" and newer compile; the NVIDIA driver here is for CUDA {in_words(driver.version)}:"
            " update it"
        )
