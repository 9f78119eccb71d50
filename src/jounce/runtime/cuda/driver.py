"""The driver of CUDA and its devices, found when first asked for.

Every refusal is a sentence: no package, no driver, one that is too old, no device of that number,
one that is too old, a process that was forked. Contexts are the devices' primary ones, which CuPy,
JAX and PyTorch use too.
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

#: The oldest driver whose libraries of kernels serve all contexts, as it numbers itself.
OLDEST_DRIVER = 12000

#: The oldest devices that code is made for.
OLDEST_CAPABILITY = 75

#: Numbers of errors that have a sentence of their own.
_OUT_OF_MEMORY, _NOT_INITIALIZED, _NO_DEVICE = 2, 3, 100

_FORKED = (
    "this process was forked from one that uses CUDA, which no driver survives: start processes by"
    " 'spawn' (multiprocessing.get_context('spawn')), or use CUDA only after the fork"
)


class _State:
    """The driver of this process, if somebody asked for it."""

    def __init__(self) -> None:
        self.made: dict[str, Driver] = {}
        self.inherited = False


STATE = _State()


def _in_child() -> None:
    STATE.inherited = STATE.inherited or bool(STATE.made)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


def forked() -> RuntimeError:
    """What to raise in a process that has a driver only by inheritance."""
    return RuntimeError(_FORKED)


def driver() -> Driver:
    """The driver, initialised once per process."""
    if STATE.inherited:
        raise forked()
    return entry(STATE.made, "driver", lambda: Driver(bindings()))


def bindings() -> Any:
    """The module `cuda.bindings.driver`."""
    try:
        return import_module("cuda.bindings.driver")
    except ImportError as error:
        raise ModuleNotFoundError(
            "arrays on CUDA need the package cuda.bindings, which is not installed:"
            " pip install 'jounce[cuda]'",
            name="cuda",
        ) from error


def in_words(version: int) -> str:
    """A version as the driver numbers it, as people do: 12080 is 12.8."""
    return f"{version // 1000}.{version % 1000 // 10}"


class Driver:
    """The driver, by the functions of `cuda.bindings.driver` (`api`).

    version: the highest version of CUDA that it serves, such as 13000. count: its devices.
    """

    def __init__(self, api: Any) -> None:
        self.api = api
        self._begin()
        self.version: int = self("cuDriverGetVersion")
        if self.version < OLDEST_DRIVER:
            raise RuntimeError(
                f"the NVIDIA driver serves CUDA {in_words(self.version)}, and jounce needs one for"
                f" CUDA {in_words(OLDEST_DRIVER)} or newer (525 on Linux): update the driver"
            )
        self.count: int = self("cuDeviceGetCount")
        self._devices: dict[int, Device] = {}
        self._functions: dict[str, Any] = {}

    def _begin(self) -> None:
        """Initialise the driver, or say why it cannot be."""
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
                "the NVIDIA driver finds no CUDA device; nvidia-smi lists those there are, and"
                " CUDA_VISIBLE_DEVICES hides those it does not name"
                f" (it is {os.environ.get('CUDA_VISIBLE_DEVICES', 'not set')!r})"
            )
        if code == _NOT_INITIALIZED:  # what it says in a child of who has initialised it
            raise forked()
        if code:
            raise self.failure(code, "the NVIDIA driver cannot be initialised")

    def __call__(self, name: str, *args: Any, doing: str = "") -> Any:
        """What a function gives: nothing, one thing, or several as a tuple.

        doing: how messages begin, if not with the function's name.
        """
        error, *found = getattr(self.api, name)(*args)
        code = int(error)
        if code:
            raise self.failure(code, doing or name)
        return found[0] if len(found) == 1 else tuple(found) or None

    def failure(self, code: int, doing: str) -> Exception:
        """What to raise for the driver's error of a number."""
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
        """The device of a number, as CUDA counts those it sees."""
        if not hasattr(number, "__index__"):
            found = legible(repr(number), 60)
            raise ArgumentError(f"a CUDA device is given by its number, such as 0, found {found}")
        found = self._devices.get(number)
        if found is not None:
            return found
        if not 0 <= number < self.count:
            names = [f"{k} ({self.name(k)})" for k in range(self.count)]
            raise ArgumentError(f"there is no CUDA device {number}; valid: {', '.join(names)}")
        return entry(self._devices, number, lambda: Device(self, number))

    def name(self, number: int) -> str:
        """What a device is called by its maker."""
        handle = self("cuDeviceGet", number)
        return self("cuDeviceGetName", 128, handle).partition(b"\0")[0].decode(errors="replace")

    def function(self, name: str, *types: Any) -> Any:
        """A function of the driver by its address, which costs less than one of the bindings.

        types: of its arguments, as ctypes has them. It gives the error's number.
        """

        def make() -> Any:
            address, _ = self("cuGetProcAddress", name.encode(), OLDEST_DRIVER, 0)
            return ctypes.CFUNCTYPE(ctypes.c_int, *types)(int(address))

        return entry(self._functions, name, make)


class Device:
    """A device that code is made for. capability: 90 for sm_90; handle: the driver's CUdevice."""

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
        """The device's primary context, which this process keeps from now on."""
        return int(self.driver("cuDevicePrimaryCtxRetain", self.handle, doing=str(self)))

    @property
    def architecture(self) -> str:
        """The newest architecture that code is made for and that this device runs."""
        known = {_number(name): name for name in targets.get_target("nvptx").machines()}
        return known[max(x for x in known if x <= self.capability)]

    @property
    def target(self) -> Target:
        """The target whose code this device runs."""
        return targets.get_target(f"nvptx:{self.architecture}")

    @contextlib.contextmanager
    def current(self) -> Iterator[None]:
        """Have the device's context be this thread's."""
        if int(self.driver("cuCtxGetCurrent")) == self.context:
            yield
            return
        self.driver("cuCtxPushCurrent", self.context)
        try:
            yield
        finally:
            self.driver("cuCtxPopCurrent")


def _number(architecture: str) -> int:
    """90 of sm_90, which may have a letter behind it."""
    return int("".join(c for c in architecture if c.isdigit()))


def architecture(device: int) -> str:
    """What code for a device is made for, such as "sm_90".

    For a device newer than all that are known by name, the newest of those, whose PTX it runs.
    """
    return driver().device(device).architecture
