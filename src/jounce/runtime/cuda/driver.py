"""The CUDA driver and its devices, initialized lazily.

Errors explain what is wrong: no package, no driver, an old driver, no such device, an old device, a
forked process. Contexts are the devices' primary ones, which CuPy, JAX and PyTorch use too.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from jounce.compiler import targets
from jounce.compiler.targets.base import Target
from jounce.errors import ArgumentError, legible
from jounce.utils.once import entry, once_property

#: Oldest driver whose kernel libraries serve all contexts, by the driver's version number.
OLDEST_DRIVER = 12000

#: Compute capability of the oldest supported devices.
OLDEST_CAPABILITY = 75

#: Error codes with messages of their own.
_OUT_OF_MEMORY, _NOT_INITIALIZED, _NO_DEVICE = 2, 3, 100

_FORKED = (
    "this process was forked from one that uses CUDA, which no CUDA driver supports: start"
    " processes by 'spawn' (multiprocessing.get_context('spawn')), or use CUDA only after the fork"
)


class _State:
    """The driver of this process, if it was initialized, and whether a parent process had one."""

    def __init__(self) -> None:
        self.made: dict[str, Driver] = {}
        self.inherited = False


STATE = _State()


def _in_child() -> None:
    STATE.inherited = STATE.inherited or bool(STATE.made)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


def make_fork_error() -> RuntimeError:
    """Return the error for a process that was forked after CUDA was initialized."""
    return RuntimeError(_FORKED)


def driver() -> Driver:
    """Return the driver, initialized once per process."""
    if STATE.inherited:
        raise make_fork_error()
    return entry(STATE.made, "driver", lambda: Driver(bindings()))


def bindings() -> Any:
    """Return the module `cuda.bindings.driver`."""
    try:
        return import_module("cuda.bindings.driver")
    except ImportError as error:
        raise ModuleNotFoundError(
            "arrays on CUDA need the package cuda.bindings, which is not installed:"
            " pip install 'jounce[cuda]'",
            name="cuda",
        ) from error


def format_version(version: int) -> str:
    """Return the usual form of a driver's version number: 12080 is 12.8."""
    return f"{version // 1000}.{version % 1000 // 10}"


class Driver:
    """The driver, through the functions of `cuda.bindings.driver` (`api`).

    version: the highest supported version of CUDA, such as 13000. count: number of devices.
    """

    def __init__(self, api: Any) -> None:
        self.api = api
        self._begin()
        self.version: int = self("cuDriverGetVersion")
        if self.version < OLDEST_DRIVER:
            raise RuntimeError(
                f"the NVIDIA driver supports CUDA {format_version(self.version)}, and jounce needs"
                f" CUDA {format_version(OLDEST_DRIVER)} or newer (driver 525 on Linux): update the"
                " driver"
            )
        self.count: int = self("cuDeviceGetCount")
        self._devices: dict[int, Device] = {}
        self._functions: dict[str, Any] = {}

    def _begin(self) -> None:
        """Initialize the driver, or raise an error that explains why that fails."""
        try:
            (error, *_) = self.api.cuInit(0)
        except RuntimeError as missing:  # the bindings find no library of the driver
            raise RuntimeError(
                "arrays on CUDA need NVIDIA's driver, whose library (libcuda.so.1, nvcuda.dll) was"
                f" not found: {legible(str(missing), 300)}"
            ) from missing
        code = int(error)
        if code == _NO_DEVICE:
            raise RuntimeError(
                "the NVIDIA driver finds no CUDA device; check the list of nvidia-smi, and"
                " CUDA_VISIBLE_DEVICES, which hides devices that it does not list"
                f" (now {os.environ.get('CUDA_VISIBLE_DEVICES', 'not set')!r})"
            )
        if code == _NOT_INITIALIZED:  # the driver was initialized before a fork
            raise make_fork_error()
        if code:
            raise self.failure(code, "the NVIDIA driver cannot be initialized")

    def __call__(self, name: str, *args: Any, doing: str = "") -> Any:
        """Call a function of the driver; return its result, several as a tuple.

        doing: how messages begin, by default with the function's name.
        """
        error, *results = getattr(self.api, name)(*args)
        code = int(error)
        if code:
            raise self.failure(code, doing or name)
        return results[0] if len(results) == 1 else tuple(results) or None

    def failure(self, code: int, doing: str) -> Exception:
        """Return the exception for an error code of the driver."""
        kind: Any = self.api.CUresult
        try:
            error = kind(code)
            names = [self.api.cuGetErrorName(error)[1], self.api.cuGetErrorString(error)[1]]
            text = ": ".join(x.decode() for x in names if x)
        except (ValueError, RuntimeError):  # errors of drivers newer than the bindings
            text = ""
        sentence = f"{doing}: the CUDA driver reports {text or 'an error'} ({code})"
        return MemoryError(sentence) if code == _OUT_OF_MEMORY else RuntimeError(sentence)

    def device(self, number: int) -> Device:
        """Return a device by its number among those that CUDA sees."""
        if not hasattr(number, "__index__"):
            text = legible(repr(number), 60)
            raise ArgumentError(f"a CUDA device is given by its number, such as 0, found {text}")
        device = self._devices.get(number)
        if device is not None:
            return device
        if not 0 <= number < self.count:
            names = [f"{k} ({self.name(k)})" for k in range(self.count)]
            raise ArgumentError(f"there is no CUDA device {number}; valid: {', '.join(names)}")
        return entry(self._devices, number, lambda: Device(self, number))

    def name(self, number: int) -> str:
        """Return the product name of a device."""
        handle = self("cuDeviceGet", number)
        return self("cuDeviceGetName", 128, handle).partition(b"\0")[0].decode(errors="replace")

    def function(self, name: str, *types: Any) -> Any:
        """Return a function of the driver by its address, faster than through the bindings.

        types: of its arguments, for ctypes. It returns the error code.
        """

        def make() -> Any:
            address, _ = self("cuGetProcAddress", name.encode(), OLDEST_DRIVER, 0)
            return ctypes.CFUNCTYPE(ctypes.c_int, *types)(int(address))

        return entry(self._functions, name, make)


class Device:
    """A device. capability: 90 for sm_90; handle: the driver's CUdevice."""

    def __init__(self, owner: Driver, number: int) -> None:
        self.driver = owner
        self.number = number
        self.name = owner.name(number)
        self.handle = int(owner("cuDeviceGet", number))
        kinds = owner.api.CUdevice_attribute
        major, minor = (
            owner("cuDeviceGetAttribute", kind, self.handle)
            for kind in (
                kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
            )
        )
        self.capability = 10 * int(major) + int(minor)
        if self.capability < OLDEST_CAPABILITY:
            raise RuntimeError(
                f"CUDA device {number} ({self.name}) is of architecture sm_{self.capability}, and"
                f" jounce makes code for sm_{OLDEST_CAPABILITY} and newer; copy arrays to the CPU"
            )

    def __repr__(self) -> str:
        return f"<CUDA device {self.number}: {self.name}, sm_{self.capability}>"

    @once_property
    def context(self) -> int:
        """The device's primary context, which this process retains from now on."""
        return int(self.driver("cuDevicePrimaryCtxRetain", self.handle, doing=str(self)))

    @property
    def architecture(self) -> str:
        """The newest supported architecture whose code this device runs."""
        known = {_number(name): name for name in targets.get_target("nvptx").machines()}
        return known[max(x for x in known if x <= self.capability)]

    @property
    def target(self) -> Target:
        """The target whose code this device runs."""
        return targets.get_target(f"nvptx:{self.architecture}")

    @contextlib.contextmanager
    def current(self) -> Iterator[None]:
        """Make the device's context current on this thread."""
        if int(self.driver("cuCtxGetCurrent")) == self.context:
            yield
            return
        self.driver("cuCtxPushCurrent", self.context)
        try:
            yield
        finally:
            self.driver("cuCtxPopCurrent")


def _number(architecture: str) -> int:
    """Return 90 for sm_90, which may have a letter as suffix."""
    return int("".join(c for c in architecture if c.isdigit()))


def architecture(device: int) -> str:
    """Return the architecture that code for a device is compiled for, such as "sm_90".

    For a device newer than all supported architectures, the newest of these, whose PTX it runs.

    Parameters
    ----------
    device : int
        Number of the device.

    Returns
    -------
    str
    """
    return driver().device(device).architecture
