"""Kernels on a device, ready to be launched on its streams.

A launch is asynchronous, takes no memory and waits for nothing, so that it may be captured into a
CUDA graph. Code that was is kept for good, since graphs do not say when they end; other code goes
some time after its kernel, when others are loaded.
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
from jounce.runtime.cuda import images
from jounce.runtime.cuda.driver import STATE, Device, Driver, driver, forked
from jounce.runtime.kernel import Kernel
from jounce.utils import background
from jounce.utils.once import entry

_logger = logging.getLogger("jounce")

#: The first version, as drivers number them, that loads a function before its first launch if told.
_LOADS_FUNCTIONS = 12040

#: Handles up to this one are the default streams that no graph is captured from.
_LEGACY = 1

#: The driver's code for a stream that is captured.
_CAPTURED = 1

#: Libraries of kernels that are gone; so many wait, since a device may still run the latest.
WAITING = 32
_abandoned: deque[tuple[Driver, int]] = deque()

_NONE: dict[Any, Any] = {}

_int, _uint, _pointer = ctypes.c_int, ctypes.c_uint, ctypes.c_void_p


def launcher(kernel: Kernel, char: str, device: int) -> Launcher:
    """A kernel on the device of a number, compiled and loaded once.

    char: "d" for float64, "f" for float32. It waits for the compiler, but can be interrupted.
    """
    found = ready(kernel, char, device)
    if found is not None:
        return found
    kept, on = vars(kernel), driver().device(device)
    made: dict[Any, Any] = kept.setdefault("_launchers", {})  # setdefault is atomic

    def make() -> Launcher:
        code = entry(made, (char, "sm", on.capability), lambda: _code(kernel, char, on))
        return Launcher(code, on, len(kernel.inputs), len(kernel.outputs))

    return entry(made, (char, device), make)


def ready(kernel: Kernel, char: str, device: int) -> Launcher | None:
    """The launcher of a kernel, if it was made before."""
    return vars(kernel).get("_launchers", _NONE).get((char, device))


def _code(kernel: Kernel, char: str, device: Device) -> Code:
    """A kernel's machine code for the architecture of a device."""

    def tell() -> None:
        if "tape" in vars(kernel):
            size = f"{len(kernel.tape):,} operations"
            _logger.warning("compiling %s (%s) for %s", kernel.title, size, device.name)
        else:
            _logger.warning("tracing %s takes more than a few seconds", kernel.title)

    def work(fresh: bool = False) -> Code:
        found = images.image(kernel.function, char, device, kernel.title, fresh)
        try:
            return Code(device, found, kernel.title)
        except RuntimeError:
            if not found.found:
                raise
            return work(fresh=True)  # whatever lay on the disk

    device.context  # noqa: B018  on this thread, where an error is the caller's
    needs = device.target.min_memory, f"compiling {kernel.title}"
    return background.run(work, tell, needs=needs)


class Code:
    """Machine code of a kernel, loaded for all devices of an architecture.

    function: its CUkernel, which takes the place of a CUfunction in every context.
    """

    def __init__(self, device: Device, image: images.Image, title: str) -> None:
        while len(_abandoned) > WAITING:
            owner, gone = _abandoned.popleft()
            owner("cuLibraryUnload", gone)
        call, name = device.driver, image.program.name
        library, self.function = images.loaded(device, image.code, name, title)
        self.program = images.without_text(image.program)
        self._end = weakref.finalize(self, _abandoned.append, (call, library))
        self._end.atexit = False

    def keep(self) -> None:
        """Keep the code until the process ends."""
        self._end.detach()


class Launcher:
    """A kernel on a device.

    program: how it is launched, without its PTX. function: its CUkernel handle, which
    cuLaunchKernel takes on every device of the architecture; it is good as long as the launcher is
    there, and until the process ends after `keep`.
    """

    def __init__(self, code: Code, device: Device, inputs: int, outputs: int) -> None:
        self.program: Program = code.program
        self.function = code.function
        self.device = device
        self._code, self._captured = code, False
        self._context = device.context
        self._parameters = _Parameters(2 * inputs + outputs + 1)
        self._prepare()
        function = device.driver.function
        self._current = function("cuCtxGetCurrent", _pointer)
        self._status = function("cuStreamIsCapturing", _pointer, _pointer)
        self._launch = function(
            "cuLaunchKernel", _pointer, *(_uint,) * 7, _pointer, _pointer, _pointer
        )

    def _prepare(self) -> None:
        """Do what a launch would do at the first time, which no capture survives."""
        call, shared = self.device.driver, self.program.shared
        with self.device.current():
            if shared:
                kind = call.api.CUfunction_attribute
                kind = kind.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
                doing = f"asking for {shared:,} bytes of shared memory on {self.device.name}"
                where = self.function, self.device.handle
                call("cuKernelSetAttribute", kind, shared, *where, doing=doing)
            function = call("cuKernelGetFunction", self.function)
            if call.version >= _LOADS_FUNCTIONS and hasattr(call.api, "cuFuncLoad"):
                call("cuFuncLoad", function)

    def keep(self) -> None:
        """Keep the code until the process ends, for those who hold its handle."""
        self._captured = True
        self._code.keep()

    def launch(
        self, stream: int, samples: int, pointers: Sequence[int], steps: Sequence[int]
    ) -> None:
        """Have a stream of the device compute so many samples (at least one).

        stream: a CUstream, 0 for the legacy default one. pointers: of the inputs, then of the
        outputs. steps: entries between samples of each input; 0: the same for all.
        """
        if STATE.inherited:
            raise forked()
        place = self._parameters
        place.pack(place.values, 0, *pointers, *steps, samples)
        if stream > _LEGACY and not self._captured:
            self._look_at(stream, place)
        program = self.program
        operands = (
            self.function,
            -(-samples // program.samples),
            program.groups,
            1,
            program.threads,
            1,
            1,
            program.shared,
            stream,
            place.addresses,
            None,
        )
        code = self._current(place.found)
        if not code and place.context.value == self._context:
            code = self._launch(*operands)
        elif not code:
            with self.device.current():
                code = self._launch(*operands)
        if code:
            doing = f"launching {program.name} on {self.device.name} (device {self.device.number})"
            raise self.device.driver.failure(code, doing)

    def _look_at(self, stream: int, place: _Parameters) -> None:
        """Keep the code if it goes into a graph."""
        if not self._status(stream, place.status_at) and place.status.value == _CAPTURED:
            self.keep()


class _Parameters(threading.local):
    """What a launch points to, of each thread its own: all parameters are 8 bytes wide."""

    def __init__(self, count: int) -> None:
        self.values = (ctypes.c_int64 * count)()
        first = ctypes.addressof(self.values)
        self.addresses = (ctypes.c_void_p * count)(*(first + 8 * k for k in range(count)))
        self.pack = struct.Struct(f"{count}q").pack_into
        self.context, self.status = _pointer(), _int()
        self.found = ctypes.addressof(self.context)
        self.status_at = ctypes.addressof(self.status)
