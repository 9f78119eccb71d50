"""PTX of kernels, cached on disk, and loaded by the driver, which compiles it for its device.

The key is a hash of the tape, shapes, precision, architecture and the sources of the code
generator, so PTX need not be generated to find it. The driver itself caches machine code on disk
by device and driver (CUDA_CACHE_PATH). Its linker would return that code, but compiles for
linking: calls then reserve registers without need, and long kernels take up to half as long again.
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
from jounce.runtime.cuda.driver import Device, Driver, format_version
from jounce.utils import cache

#: Bytes of the compiler's log.
_LOG_BYTES = 16 << 10

#: First CUDA version, by the driver's number, that supports a version of PTX.
_MIN_CUDA = {
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
    """PTX of kernels that are launched one after the other, and their launch parameters.

    kernels: parameters without PTX, and PTX that ends with a zero byte.
    """

    kernels: tuple[tuple[Program, bytes], ...]
    is_cached: bool


def image(function: Function, char: str, device: Device, title: str, fresh: bool = False) -> Image:
    """Return the PTX of a function for a device: from the disk, or generated and stored there.

    char: "d" or "f". title: its name in messages. fresh: whether to ignore the cache.
    """
    key = device.target.key(function, char)
    stored = None if fresh else _read_stored(key)
    if stored is not None:
        return stored
    program = device.target.compile(function, char, title)
    assert isinstance(program, Program)
    programs = program, *program.following
    kernels = tuple((replace(x, ptx="", following=()), x.ptx.encode() + b"\0") for x in programs)
    heads = [_head(x) for x, _ in kernels]
    shapes = signature([x.shape for x in function.inputs], [x.shape for x in function.outputs])
    description = f"{title} {shapes} {char} {device.architecture}"
    packed = zlib.compress(b"".join(code for _, code in kernels), 1)
    cache.write(key, json.dumps(heads).encode() + b"\0" + packed, description)
    return Image(kernels, is_cached=False)


def _head(program: Program) -> dict[str, str | int]:
    """Return the launch parameters of one kernel by name."""
    return {name: x for name, x in asdict(program).items() if name not in ("ptx", "following")}


def _read_stored(key: str) -> Image | None:
    """Return the image on disk, if it is valid."""
    head, _, packed = (cache.read(key) or b"").partition(b"\0")
    try:
        programs = [Program(**x, ptx="") for x in json.loads(head)]
        codes = [code + b"\0" for code in zlib.decompress(packed).split(b"\0")[:-1]]
        return Image(tuple(zip(programs, codes, strict=True)), True)
    except (ValueError, TypeError, zlib.error):
        return None


# ------------------------------------------------------------------ the driver's compiler


def load_kernel(device: Device, code: bytes, name: str, title: str) -> tuple[int, int]:
    """Compile PTX on a device; return the handles of the library and of its kernel.

    Errors of the driver's compiler contain its log.
    """
    call = device.driver
    _check_version(call, code, title)
    options, log = _options(call.api)
    doing = f"{title}: compiling for {device.name} (sm_{device.capability})"
    jit_options, no_options = ([*options], [*options.values()], len(options)), ([], [], 0)
    try:
        with device.current():
            library = int(call("cuLibraryLoadData", code, *jit_options, *no_options))
            kernel = int(call("cuLibraryGetKernel", library, name.encode()))
            call("cuKernelGetFunction", kernel)  # some drivers compile only now
    except (RuntimeError, MemoryError) as error:
        message = legible(bytes(log).partition(b"\0")[0].decode(errors="replace").strip(), 1000)
        raise type(error)(
            f"{doing} fails: {error}{f'; it says: {message}' * bool(message)}"
        ) from error
    return library, kernel


def _options(api: Any) -> tuple[dict[Any, Any], bytearray]:
    """Return options of the compiler, and the buffer for its errors."""
    log = bytearray(_LOG_BYTES)
    kinds = api.CUjit_option
    options = {
        kinds.CU_JIT_ERROR_LOG_BUFFER: log,
        kinds.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: len(log),
    }
    return options, log


def _check_version(driver: Driver, ptx: bytes, title: str) -> None:
    """Raise RuntimeError if the driver does not support the version of PTX."""
    match = re.search(rb"^\s*\.version\s+(\d+)\.(\d+)", ptx, re.MULTILINE)
    if match is None:
        return
    version = int(match[1]), int(match[2])
    required = _MIN_CUDA.get(version)
    if required is not None and driver.version < required:
        raise RuntimeError(
            f"{title} is PTX {version[0]}.{version[1]}, which needs a driver for CUDA"
            f" {format_version(required)} or newer, and the NVIDIA driver here is for CUDA"
            f" {format_version(driver.version)}: update it"
        )
