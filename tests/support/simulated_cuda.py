"""A driver of CUDA in host memory: what `jounce.runtime.cuda` asks of cuda.bindings, and no more.

Addresses are those of the process, machine code is the PTX itself, and kernels are run by the
interpreter, from the pointers and steps that a launch packs. Streams run at once, but what is
ordered by them is noted in `log`. Errors are put into `refuse`, by the name of a function.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from types import SimpleNamespace
from typing import Any

import numpy as np

from jounce.compiler.targets import interpreter, nvptx
from jounce.compiler.targets.function import Function, Variable
from jounce.runtime.cuda import driver as drivers


class CUresult(IntEnum):
    CUDA_SUCCESS = 0
    CUDA_ERROR_INVALID_VALUE = 1
    CUDA_ERROR_OUT_OF_MEMORY = 2
    CUDA_ERROR_NOT_INITIALIZED = 3
    CUDA_ERROR_NO_DEVICE = 100
    CUDA_ERROR_INVALID_IMAGE = 200
    CUDA_ERROR_INVALID_PTX = 218
    CUDA_ERROR_LAUNCH_FAILED = 719


class CUjit_option(IntEnum):
    CU_JIT_ERROR_LOG_BUFFER = 5
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6


class CUdevice_attribute(IntEnum):
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76


class CUfunction_attribute(IntEnum):
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8


DTYPES: dict[str, Any] = {"double": np.float64, "float": np.float32}

Launch = Callable[[int, Sequence[int], Sequence[int]], None]

#: What PTX computes, by its text: how many inputs and outputs, and what runs it.
PROGRAMS: dict[str, tuple[int, int, Launch]] = {}


def interpreted(tape: Any, inputs: Any, outputs: Any, scalar: str) -> Launch:
    """A kernel as launch(n, pointers, steps), run by the interpreter."""
    arguments = [Variable(f"x{k}", shape, "") for k, shape in enumerate(inputs)]
    results = [Variable(f"y{k}", shape, "") for k, shape in enumerate(outputs)]
    function = Function("kernel", tape, tuple(arguments), tuple(results))
    return _launch(interpreter.TARGET.build(function, DTYPES[scalar]), inputs, outputs, scalar)


def hosted(tape: Any, inputs: Any, outputs: Any, scalar: str) -> Launch:
    """A kernel as launch(n, pointers, steps), by its own text on the processor, which is slow."""
    return _launch(nvptx.compile_hosted(tape, inputs, outputs, scalar), inputs, outputs, scalar)


def _launch(call: Any, inputs: Any, outputs: Any, scalar: str) -> Launch:
    """A function of arrays (n, *core) on what lies at addresses."""
    dtype = np.dtype(DTYPES[scalar])

    def launch(n: int, pointers: Sequence[int], steps: Sequence[int]) -> None:
        given = [
            _at(p, (n, *core), dtype, step)
            for p, core, step in zip(pointers, inputs, steps, strict=False)
        ]
        for p, core, found in zip(pointers[len(inputs) :], outputs, call(*given), strict=True):
            size = math.prod(core)
            if size:
                _at(p, (n, *core), dtype, size)[...] = found

    return launch


def _at(pointer: int, shape: tuple[int, ...], dtype: np.dtype, step: int) -> np.ndarray:
    """An array at an address, whose samples are so many entries apart."""
    rows = np.empty(shape[1:], dtype).strides
    interface = {
        "data": (pointer or 8, False),
        "shape": shape,
        "strides": (step * dtype.itemsize, *rows),
        "typestr": dtype.str,
        "version": 3,
    }
    return np.asarray(SimpleNamespace(__array_interface__=interface))


@dataclass
class Card:
    """A device."""

    name: str = "Simulated H200"
    capability: tuple[int, int] = (9, 0)


@dataclass(repr=False)
class Simulated:
    """The module cuda.bindings.driver, simulated."""

    cards: list[Card] = field(default_factory=lambda: [Card()])
    version: int = 13000
    refuse: dict[str, int] = field(default_factory=dict)
    log: list[tuple[Any, ...]] = field(default_factory=list)
    blocks: dict[int, tuple[Any, int, int]] = field(default_factory=dict)  # buffer, size, device
    libraries: dict[int, str] = field(default_factory=dict)
    kernels: dict[int, str] = field(default_factory=dict)
    captured: set[int] = field(default_factory=set)
    attributes: dict[tuple[int, int], int] = field(default_factory=dict)

    CUresult = CUresult
    CUjit_option = CUjit_option
    CUdevice_attribute = CUdevice_attribute
    CUfunction_attribute = CUfunction_attribute

    def __post_init__(self) -> None:
        self._contexts = threading.local()
        self._handles = iter(range(0x1000, 1 << 40))
        self._addresses: dict[bytes, Any] = {}

    def names(self) -> list[str]:
        """What was called, in order."""
        return [entry[0] for entry in self.log]

    def _done(self, name: str, *found: Any, args: tuple[Any, ...] = ()) -> tuple[Any, ...]:
        """The answer of a function, or the error that is put there for it."""
        self.log.append((name, *args))
        code = self.refuse.get(name, 0)
        return (code, *(None for _ in found)) if code else (CUresult.CUDA_SUCCESS, *found)

    # -------------------------------------------------------------- devices

    def cuInit(self, flags: int) -> Any:
        return self._done("cuInit")

    def cuDriverGetVersion(self) -> Any:
        return self._done("cuDriverGetVersion", self.version)

    def cuGetErrorName(self, error: CUresult) -> Any:
        return CUresult.CUDA_SUCCESS, error.name.encode()

    def cuGetErrorString(self, error: CUresult) -> Any:
        return CUresult.CUDA_SUCCESS, b"simulated"

    def cuDeviceGetCount(self) -> Any:
        return self._done("cuDeviceGetCount", len(self.cards))

    def cuDeviceGet(self, number: int) -> Any:
        return self._done("cuDeviceGet", number)

    def cuDeviceGetName(self, length: int, device: int) -> Any:
        return self._done("cuDeviceGetName", self.cards[device].name.encode().ljust(length, b"\0"))

    def cuDeviceGetAttribute(self, kind: int, device: int) -> Any:
        capability = self.cards[device].capability
        answers = {75: capability[0], 76: capability[1]}
        return self._done("cuDeviceGetAttribute", answers[int(kind)])

    def cuDevicePrimaryCtxRetain(self, device: int) -> Any:
        return self._done("cuDevicePrimaryCtxRetain", 500 + device)

    def _stack(self) -> list[int]:
        return vars(self._contexts).setdefault("stack", [])

    def current(self) -> int:
        """The context of this thread, 0 if it has none."""
        stack = self._stack()
        return stack[-1] if stack else 0

    def cuCtxGetCurrent(self) -> Any:
        return self._done("cuCtxGetCurrent", self.current())

    def cuCtxPushCurrent(self, context: int) -> Any:
        self._stack().append(int(context))
        return self._done("cuCtxPushCurrent", args=(int(context),))

    def cuCtxPopCurrent(self) -> Any:
        return self._done("cuCtxPopCurrent", self._stack().pop())

    # -------------------------------------------------------------- code

    def cuLibraryLoadData(
        self, code: bytes, options: list[Any], values: list[Any], count: int, *rest: Any
    ) -> Any:
        assert count == len(options) == len(values)
        assert rest == ([], [], 0)
        assert code.endswith(b"\0")
        assert self.current()
        if not code.lstrip().startswith(b"//"):
            return CUresult.CUDA_ERROR_INVALID_IMAGE, None
        if "cuLibraryLoadData" in self.refuse:
            said = b"ptxas error: simulated"
            values[0][: len(said)] = said
        handle = next(self._handles)
        self.libraries[handle] = code.rstrip(b"\0").decode()
        return self._done("cuLibraryLoadData", handle)

    def cuLibraryGetKernel(self, library: int, name: bytes) -> Any:
        handle = next(self._handles)
        self.kernels[handle] = self.libraries[library]
        assert f".entry {name.decode()}" in self.libraries[library]
        return self._done("cuLibraryGetKernel", handle)

    def cuLibraryUnload(self, library: int) -> Any:
        del self.libraries[library]
        return self._done("cuLibraryUnload")

    def cuKernelSetAttribute(self, kind: Any, value: int, kernel: int, device: int) -> Any:
        self.attributes[kernel, device] = value
        return self._done("cuKernelSetAttribute", args=(value,))

    def cuKernelGetFunction(self, kernel: int) -> Any:
        return self._done("cuKernelGetFunction", kernel)

    def cuFuncLoad(self, function: int) -> Any:
        return self._done("cuFuncLoad")

    # -------------------------------------------------------------- launches

    def cuGetProcAddress(self, name: bytes, version: int, flags: int) -> Any:
        if name not in self._addresses:
            pointer, number = ctypes.c_void_p, ctypes.c_uint
            found, types = {
                b"cuCtxGetCurrent": (self._get_current, (pointer,)),
                b"cuStreamIsCapturing": (self._is_capturing, (pointer, pointer)),
                b"cuLaunchKernel": (
                    self._launch,
                    (pointer, *(number,) * 7, pointer, pointer, pointer),
                ),
            }[name]
            self._addresses[name] = ctypes.CFUNCTYPE(ctypes.c_int, *types)(found)
        address = ctypes.cast(self._addresses[name], ctypes.c_void_p).value
        return self._done("cuGetProcAddress", address, 0)

    def _get_current(self, at: int) -> int:
        ctypes.c_void_p.from_address(at).value = self.current()
        return 0

    def _is_capturing(self, stream: int | None, at: int) -> int:
        ctypes.c_int.from_address(at).value = int((stream or 0) in self.captured)
        return 0

    def _launch(self, kernel: int, *rest: Any) -> int:
        *numbers, stream, addresses, _ = rest
        if "cuLaunchKernel" in self.refuse:
            return self.refuse["cuLaunchKernel"]
        if not self.current():
            return 201
        inputs, outputs, launch = PROGRAMS[self.kernels[kernel]]
        count = 2 * inputs + outputs + 1
        places = (ctypes.c_void_p * count).from_address(addresses)
        values = [ctypes.c_int64.from_address(x or 0).value for x in places]
        self.log.append(("cuLaunchKernel", stream or 0, self.current(), tuple(numbers), values))
        launch(values[-1], values[: inputs + outputs], values[inputs + outputs : -1])
        return 0

    # -------------------------------------------------------------- order

    def cuEventCreate(self, flags: int) -> Any:
        return self._done("cuEventCreate", next(self._handles))

    def cuEventRecord(self, event: int, stream: int) -> Any:
        return self._done("cuEventRecord", args=(stream,))

    def cuStreamWaitEvent(self, stream: int, event: int, flags: int) -> Any:
        return self._done("cuStreamWaitEvent", args=(stream,))

    def cuEventDestroy(self, event: int) -> Any:
        return self._done("cuEventDestroy")

    # -------------------------------------------------------------- for tests

    def memory(self, values: Any, device: int = 0) -> int:
        """The address of a copy of values on a device."""
        array = np.ascontiguousarray(values)
        buffer = ctypes.create_string_buffer(array.tobytes(), array.nbytes + 64)
        pointer = ctypes.addressof(buffer)
        self.blocks[pointer] = buffer, array.nbytes, device
        return pointer

    def device_of(self, pointer: int) -> int:
        """The number of the device on which an address lies."""
        for start, (_, size, device) in self.blocks.items():
            if start <= pointer < start + size:
                return device
        raise ValueError(f"no memory at {pointer:#x}")

    def launches(self) -> list[tuple[Any, ...]]:
        """(stream, context, grid and block, parameters) of each launch."""
        return [entry[1:] for entry in self.log if entry[0] == "cuLaunchKernel"]


def install(monkeypatch: Any, api: Any, run: Callable[..., Launch] = interpreted) -> Any:
    """Have this be the driver of the process, as if nobody had asked for one.

    run: what runs a kernel.
    """
    plain = nvptx.compile_program

    def program(tape: Any, inputs: Any, outputs: Any, scalar: str, architecture: str) -> Any:
        found = plain(tape, inputs, outputs, scalar, architecture)
        launch = run(tape, inputs, outputs, scalar)
        PROGRAMS[found.ptx] = len(inputs), len(outputs), launch
        return found

    monkeypatch.setattr(nvptx, "compile_program", program)
    monkeypatch.setattr(drivers.STATE, "made", {})
    monkeypatch.setattr(drivers.STATE, "inherited", False)
    monkeypatch.setattr(drivers, "bindings", lambda: api)
    return api
