"""Machine code of devices: from PTX by the driver's own compiler, and kept on disk.

What is kept is found by what it is made of, without the PTX being written again: tape, shapes,
precision, architecture, driver, and the sources that turn tapes into PTX.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import llvmlite

from jounce.backends.function import Shape, signature
from jounce.errors import legible
from jounce.graph.passes import expanded
from jounce.graph.tape import Tape
from jounce.process import cache
from jounce.process.once import once
from jounce.runtime.cuda.driver import Device, Driver, in_words

if TYPE_CHECKING:
    from jounce.backends.nvptx import Program

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
class Cubin:
    """Machine code of one architecture, and how it is launched.

    Of code that was found on disk, program.ptx is empty.
    """

    program: Program
    code: bytes
    found: bool


def cubin(
    tape: Tape,
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
    scalar: str,
    device: Device,
    title: str,
    fresh: bool = False,
) -> Cubin:
    """The machine code of a tape for a device: from the disk, or compiled and left there.

    scalar: "double" or "float". title: what messages call it. fresh: compiled in any case.
    """
    from jounce.backends import nvptx

    shapes = signature(inputs, outputs)
    key = _key(expanded(tape, "llvm"), shapes, scalar, device)
    stored = None if fresh else cache.read(key)
    if stored is not None:
        head, _, code = stored.partition(b"\0")
        return Cubin(nvptx.Program(**json.loads(head), ptx=""), code, found=True)
    program = nvptx.program(tape, inputs, outputs, scalar, device.architecture)
    code = linked(device, program.ptx, title)
    head = {name: x for name, x in asdict(program).items() if name != "ptx"}
    what = f"{title} {shapes} {scalar[0]} sm_{device.capability}"
    cache.write(key, json.dumps(head).encode() + b"\0" + code, what)
    return Cubin(program, code, found=False)


def without_text(program: Program) -> Program:
    """How a kernel is launched, without its PTX, which may be megabytes."""
    return replace(program, ptx="")


def _key(tape: Tape, shapes: str, scalar: str, device: Device) -> str:
    sha = hashlib.sha256(_generator())
    where = f"cubin {device.architecture} sm_{device.capability} {device.driver.version}"
    for part in (llvmlite.__version__, where, tape.digest(), shapes, scalar):
        sha.update(part.encode() + b"\0")
    return sha.hexdigest()


@once
def _generator() -> bytes:
    """Hash of the sources that turn tapes into PTX."""
    sha = hashlib.sha256()
    package = Path(__file__).parent.parent.parent
    for folder in (package / "graph", package / "backends"):
        for source in sorted(folder.rglob("*.py")):
            sha.update(source.read_bytes())
    return sha.digest()


# ------------------------------------------------------------------ the driver's compiler


def linked(device: Device, ptx: str, title: str) -> bytes:
    """PTX as machine code of a device; what it cannot compile is said with its own words."""
    driver = device.driver
    _check_version(driver, ptx, title)
    options, log = _options(driver.api)
    doing = f"{title}: compiling for {device.name} (sm_{device.capability})"
    with device.current():
        state = driver("cuLinkCreate", len(options), [*options], [*options.values()], doing=doing)
        try:
            text = ptx.encode() + b"\0"
            kind = driver.api.CUjitInputType.CU_JIT_INPUT_PTX
            driver("cuLinkAddData", state, kind, text, len(text), b"kernel", 0, None, None)
            pointer, size = driver("cuLinkComplete", state)
            return ctypes.string_at(int(pointer), int(size))
        except (RuntimeError, MemoryError) as error:
            said = legible(bytes(log).partition(b"\0")[0].decode(errors="replace").strip(), 1000)
            raise type(error)(
                f"{doing} fails: {error}{f'; it says: {said}' * bool(said)}"
            ) from error
        finally:
            driver("cuLinkDestroy", state)


def _options(api: Any) -> tuple[dict[Any, Any], bytearray]:
    """Options of the compiler, and where it writes its errors."""
    log = bytearray(_LOG)
    kinds = api.CUjit_option
    options = {
        kinds.CU_JIT_ERROR_LOG_BUFFER: log,
        kinds.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: len(log),
    }
    return options, log


def _check_version(driver: Driver, ptx: str, title: str) -> None:
    """Refuse PTX of a version that the driver does not know yet."""
    found = re.search(r"^\s*\.version\s+(\d+)\.(\d+)", ptx, re.MULTILINE)
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
