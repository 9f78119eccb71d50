"""Kernels on a device, ready to be launched on its streams.

A launch is asynchronous, allocates nothing and never waits, so it may be captured into a CUDA
graph. Captured code is kept for the lifetime of the process, since graphs do not tell when they
end; other code is unloaded some time after its kernel, when others are loaded.
"""

from __future__ import annotations

import ctypes
import logging
import struct
import threading
import weakref
from collections import deque
from collections.abc import Sequence
from typing import Any

from jounce.compiler.targets.base import Program
from jounce.runtime import native
from jounce.runtime.cuda import images
from jounce.runtime.cuda.driver import (
    OLDEST_DRIVER,
    STATE,
    Device,
    Driver,
    driver,
    make_fork_error,
)
from jounce.runtime.kernel import Kernel
from jounce.utils import background
from jounce.utils.once import entry, once

_logger = logging.getLogger("jounce")

#: First driver version that can load a function before its first launch.
_MIN_FUNCTION_LOADING = 12040

#: Libraries of deleted kernels; the last ones are kept, since a device may still run them.
MAX_ABANDONED = 32
_abandoned: deque[tuple[Driver, int]] = deque()

_NONE: dict[Any, Any] = {}

#: Results of `jounce_launch` besides the driver's errors: nothing was launched.
_OTHER_CONTEXT, _NOT_KEPT = -1, -2

#: Functions of the driver that it calls: Driver of launch.c.
_FUNCTIONS = ("cuLaunchKernel", "cuCtxGetCurrent", "cuStreamIsCapturing")


class Launch(ctypes.Structure):
    """Launch parameters of a kernel on a device: Launch of cuda_launch.h.

    function: its CUkernel. samples, groups, threads, shared: those of its program. following: the
    kernel that is launched next, with the same arguments.
    """


Launch._fields_ = (  # it refers to itself
    ("function", ctypes.c_void_p),
    ("samples", ctypes.c_int64),
    ("groups", ctypes.c_int64),
    ("threads", ctypes.c_int64),
    ("shared", ctypes.c_int64),
    ("following", ctypes.POINTER(Launch)),
)


class _Call(ctypes.Structure):
    """Kernels of a quantity, and memory for their arguments: Call of launch.c."""

    _fields_ = (
        ("driver", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("first", ctypes.POINTER(Launch)),
        ("parameters", ctypes.c_void_p),
        ("kept", ctypes.c_int64),
    )


@once
def _native() -> Any:
    """Return `jounce_launch`(address of a _Call, stream, samples)."""
    kinds = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64
    return ctypes.CFUNCTYPE(ctypes.c_int32, *kinds)(native.load("launch").address("jounce_launch"))


def launcher(kernel: Kernel, char: str, device: int) -> Launcher:
    """Return a kernel on a device, compiled and loaded once.

    It waits for the compiler, but can be interrupted.

    Parameters
    ----------
    kernel : Kernel
    char : str
        "d" for float64, "f" for float32.
    device : int
        Number of the device.

    Returns
    -------
    Launcher
    """
    existing = ready(kernel, char, device)
    if existing is not None:
        return existing
    cuda_device = driver().device(device)
    launchers: dict[Any, Any] = vars(kernel).setdefault("_launchers", {})  # setdefault is atomic

    def make() -> Launcher:
        key = char, "sm", cuda_device.capability
        code = entry(launchers, key, lambda: _code(kernel, char, cuda_device))
        return Launcher(code, cuda_device, len(kernel.inputs), len(kernel.outputs))

    return entry(launchers, (char, device), make)


def ready(kernel: Kernel, char: str, device: int) -> Launcher | None:
    """Return the launcher of a kernel if it exists.

    Parameters
    ----------
    kernel : Kernel
    char : str
        "d" for float64, "f" for float32.
    device : int
        Number of the device.

    Returns
    -------
    Launcher or None
    """
    return vars(kernel).get("_launchers", _NONE).get((char, device))


def _code(kernel: Kernel, char: str, device: Device) -> Code:
    """Return a kernel's machine code for the architecture of a device."""

    def announce() -> None:
        if "tape" in vars(kernel):
            size = f"{len(kernel.tape):,} operations"
            _logger.warning("compiling %s (%s) for %s", kernel.title, size, device.name)
        else:
            _logger.warning("tracing %s takes more than a few seconds", kernel.title)

    def work(fresh: bool = False) -> Code:
        image = images.image(kernel.function, char, device, kernel.title, fresh)
        try:
            return Code(device, image, kernel.title)
        except RuntimeError:
            if not image.is_cached:
                raise
            return work(fresh=True)  # the cached image may be damaged

    device.context  # noqa: B018  on this thread, for errors to be raised in the caller
    needs = device.target.min_memory, f"compiling {kernel.title}"
    return background.run(work, announce, needs=needs)


class Code:
    """Machine code of the kernels of a quantity, loaded for all devices of an architecture.

    kernels: in the order of their launches, each with its CUkernel, which is used like a CUfunction
    in every context.
    """

    def __init__(self, device: Device, image: images.Image, title: str) -> None:
        while len(_abandoned) > MAX_ABANDONED:
            owner, gone = _abandoned.popleft()
            owner("cuLibraryUnload", gone)
        call, kernels = device.driver, list[tuple[Program, int]]()
        self._ends: list[weakref.finalize[..., Any]] = []
        for program, code in image.kernels:
            library, function = images.load_kernel(device, code, program.name, title)
            end = weakref.finalize(self, _abandoned.append, (call, library))
            end.atexit = False
            self._ends.append(end)
            kernels.append((program, function))
        self.kernels = tuple(kernels)

    def keep(self) -> None:
        """Keep the code until the process ends."""
        for end in self._ends:
            end.detach()


class Launcher:
    """The kernels of a quantity on a device.

    kernels: launch parameters, without PTX, and CUkernel handles, for cuLaunchKernel on every
    device of the architecture, one kernel after the other with the same arguments. Handles are
    valid as long as the launcher exists, and until the process ends after `keep`.
    """

    def __init__(self, code: Code, device: Device, inputs: int, outputs: int) -> None:
        self.kernels = code.kernels
        self.device = device
        self._code = code
        self.launches = _chain(code.kernels)
        call = device.driver
        addresses = [call("cuGetProcAddress", x.encode(), OLDEST_DRIVER, 0)[0] for x in _FUNCTIONS]
        self._functions = (ctypes.c_void_p * len(addresses))(*map(int, addresses))
        self._call = _Call(
            driver=ctypes.addressof(self._functions),
            context=device.context,
            first=ctypes.pointer(self.launches),
        )
        self._parameters = _Parameters(2 * inputs + outputs + 1, self._call)
        self._prepare()
        self._launch = _native()

    @property
    def program(self) -> Program:
        """Launch parameters of the first kernel."""
        return self.kernels[0][0]

    @property
    def function(self) -> int:
        """Handle of the first kernel."""
        return self.kernels[0][1]

    def _prepare(self) -> None:
        """Do the work of a first launch, which is not allowed during a capture."""
        call = self.device.driver
        kind = call.api.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        with self.device.current():
            for program, kernel in self.kernels:
                shared = program.shared
                if shared:
                    doing = f"asking for {shared:,} bytes of shared memory on {self.device.name}"
                    where = kernel, self.device.handle
                    call("cuKernelSetAttribute", kind, shared, *where, doing=doing)
                function = call("cuKernelGetFunction", kernel)
                if call.version >= _MIN_FUNCTION_LOADING and hasattr(call.api, "cuFuncLoad"):
                    call("cuFuncLoad", function)

    def keep(self) -> None:
        """Keep the code until the process ends, for other owners of its handle."""
        self._call.kept = 1
        self._code.keep()

    def launch(
        self, stream: int, samples: int, pointers: Sequence[int], steps: Sequence[int]
    ) -> None:
        """Compute a number of samples (at least one) on a stream of the device.

        Parameters
        ----------
        stream : int
            A CUstream, 0 for the legacy default one.
        samples : int
        pointers : sequence of int
            Device pointers of the inputs, then of the outputs.
        steps : sequence of int
            Entries between samples of each input; 0: the same for all.
        """
        if STATE.inherited:
            raise make_fork_error()
        place = self._parameters
        place.pack(place.values, 0, *pointers, *steps, samples)
        code = self._launch(place.call, stream, samples)
        if code:
            self._launch_again(code, place.call, stream, samples)

    def _launch_again(self, code: int, call: int, stream: int, samples: int) -> None:
        """Launch after what was missing, or raise the driver's error."""
        if code == _NOT_KEPT:
            self.keep()
            _Call.from_address(call).kept = 1
        elif code != _OTHER_CONTEXT:
            name = self.program.name
            doing = f"launching {name} on {self.device.name} (device {self.device.number})"
            raise self.device.driver.failure(code, doing)
        with self.device.current():
            code = self._launch(call, stream, samples)
            if code:
                self._launch_again(code, call, stream, samples)


def _chain(kernels: Sequence[tuple[Program, int]]) -> Launch:
    """Return the first launch of kernels that follow each other."""
    launch: Launch | None = None
    for made, function in reversed(kernels):
        following = launch and ctypes.pointer(launch)
        sizes = made.samples, made.groups, made.threads, made.shared
        launch = Launch(int(function), *sizes, following)
    assert launch is not None
    return launch


class _Parameters(threading.local):
    """Thread-local arguments of a launch: all parameters are 8 bytes wide."""

    def __init__(self, count: int, call: _Call) -> None:
        self.values = (ctypes.c_int64 * count)()
        first = ctypes.addressof(self.values)
        self._addresses = (ctypes.c_void_p * count)(*(first + 8 * k for k in range(count)))
        self._call = _Call.from_buffer_copy(call)
        self._call.parameters = ctypes.addressof(self._addresses)
        self.pack = struct.Struct(f"{count}q").pack_into
        self.call = ctypes.addressof(self._call)
