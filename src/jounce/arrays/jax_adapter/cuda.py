"""Handler of XLA's kernel calls on CUDA.

Kernels are compiled when a program is lowered, for all CUDA devices of JAX. A process without a
device can lower programs for other processes, which look up the kernels by key when they run.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping

import jax

from jounce.arrays.frameworks.operators import Operator
from jounce.arrays.jax_adapter.handler import Handler, KernelEntry, kernel_key
from jounce.runtime import native
from jounce.runtime.cuda import Launch, Launcher, driver
from jounce.runtime.native import Module
from jounce.utils.once import once

#: Name of a compiled kernel in messages about a process that lacks it.
CODE = "kernel for CUDA"

#: Functions of the driver that the handler calls: Driver of xla_cuda.c.
DRIVER_FUNCTIONS = (
    "cuLaunchKernel",
    "cuStreamGetCtx",
    "cuCtxGetCurrent",
    "cuCtxPushCurrent",
    "cuCtxPopCurrent",
    "cuCtxGetDevice",
    "cuGetErrorString",
)


class CudaEntry(KernelEntry):
    """A kernel and its launches: CudaEntry of xla_cuda.c."""

    _fields_ = (
        ("launches", ctypes.POINTER(Launch)),
        ("devices", ctypes.c_int64),
    )


class CudaHandler(Handler):
    """The handler of XLA's calls on CUDA; functions: addresses of DRIVER_FUNCTIONS."""

    def __init__(
        self, code: Module, version: tuple[int, int], functions: ctypes.Array[ctypes.c_void_p]
    ) -> None:
        super().__init__(code, version)
        self.functions = functions
        self.call_native("jounce_set_driver", functions)

    def add_operator(
        self, key: int, operator: Operator, char: str, launchers: Mapping[int, Launcher]
    ) -> None:
        """Add the kernel of an operator; launchers: by the numbers of devices."""
        launches = (Launch * (max(launchers) + 1))()
        for device, launcher in launchers.items():
            launches[device] = launcher.launches
            launcher.keep()
        shapes = operator.inputs, operator.outputs
        steps = [math.prod(core) for core in operator.inputs]  # entries between samples
        members = {"launches": launches, "devices": len(launches)}
        self.add(CudaEntry(key, *shapes, char, steps, **members))


def _driver_functions() -> ctypes.Array[ctypes.c_void_p]:
    """Return the addresses of the driver's functions."""
    ask = driver.driver()
    names = (name.encode() for name in DRIVER_FUNCTIONS)
    addresses = [int(ask("cuGetProcAddress", name, driver.OLDEST_DRIVER, 0)[0]) for name in names]
    return (ctypes.c_void_p * len(addresses))(*addresses)


@once
def _create(version: tuple[int, int]) -> CudaHandler:
    return CudaHandler(native.load("xla_cuda"), version, _driver_functions())


@once
def handler(version: tuple[int, int]) -> CudaHandler:
    """Return the handler of this process, registered with XLA."""
    result = _create(version)  # one handler per process; registering it twice is harmless
    result.register("CUDA")
    return result


def devices() -> tuple[int, ...]:
    """Return the numbers of JAX's CUDA devices in this process, as the driver counts them."""
    try:
        local = jax.local_devices(backend="cuda")
    except RuntimeError:  # JAX has no CUDA devices, or is configured not to use them
        return ()
    numbers = (x.local_hardware_id for x in local)  # None on some plugins
    return tuple(k if number is None else number for k, number in enumerate(numbers))


def add_operator(operator: Operator, char: str, version: tuple[int, int]) -> int:
    """Compile an operator for all of JAX's devices, if any; return its key."""
    key, present = kernel_key(operator, char), devices()
    if present:
        known = handler(version)
        if key not in known:
            launchers = {device: operator.launcher(char, device) for device in present}
            known.add_operator(key, operator, char, launchers)
    return key
