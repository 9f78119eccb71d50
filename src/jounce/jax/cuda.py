"""Kernels as XLA calls them on CUDA: a handler that launches them on its stream, and its table.

Kernels are compiled where a program is lowered, for all devices of CUDA that JAX has. A process
without any lowers programs for others: these name the kernels, and find them where they run.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping
from typing import Any

import jax

from jounce.backends.llvm import Loaded, load_module
from jounce.frameworks.operators import Operator
from jounce.jax import abi, handler_text, launch_text, table
from jounce.jax.table import Operands, Table, key
from jounce.process.once import once
from jounce.runtime.cuda import Launcher, driver

#: What XLA calls the handler.
TARGET = "jounce"


class Launch(ctypes.Structure):
    """How a kernel is launched on a device: see `launch_text.LAUNCH`."""

    _fields_ = (
        ("function", ctypes.c_void_p),
        ("samples", ctypes.c_int64),  # of a block
        ("groups", ctypes.c_int64),  # of blocks for the same samples
        ("threads", ctypes.c_int64),  # of a block
        ("shared", ctypes.c_int64),  # bytes of a block's shared memory
    )


class Entry(Operands):
    """A kernel in one precision, as the handler reads it: see `launch_text.KERNEL`."""

    _fields_ = (
        ("launches", ctypes.c_void_p),
        ("devices", ctypes.c_int64),
        ("driver", ctypes.c_void_p),
    )


def _launches(launchers: Mapping[int, Launcher]) -> ctypes.Array[Launch]:
    """How a kernel is launched, by the numbers of devices."""
    found = (Launch * (max(launchers) + 1))()
    for device, launcher in launchers.items():
        made = launcher.program
        sizes = made.samples, made.groups, made.threads, made.shared
        found[device] = Launch(int(launcher.function), *sizes)
    return found


class Launches(Table):
    """Kernels on CUDA; functions: addresses of those that launch_text.FUNCTIONS lists."""

    def __init__(self, code: Loaded, functions: ctypes.Array[ctypes.c_void_p]) -> None:
        super().__init__(code, functions)
        self.functions = functions

    def add(
        self, number: int, operator: Operator, char: str, launchers: Mapping[int, Launcher]
    ) -> None:
        """Have the handler find a kernel from now on; launchers: by the numbers of devices."""

        def make() -> tuple[Entry, list[Any]]:
            inputs, outputs = operator.inputs, operator.outputs
            steps = [math.prod(core) for core in inputs]  # entries between samples
            members, kept = table.described(number, inputs, outputs, char, steps)
            launches = _launches(launchers)
            for launcher in launchers.values():
                launcher.keep()  # programs do not say when they end
            places = ctypes.addressof(launches), len(launches), ctypes.addressof(self.functions)
            return Entry(*members, *places), [kept, launches]

        self.enter(number, make)


def code(version: tuple[int, int]) -> Loaded:
    """The handler's machine code, for a version of XLA's C API."""
    traits = abi.COMMAND_BUFFER_COMPATIBLE
    return load_module(handler_text.text(version, launch_text.text(), traits))


def _driver() -> ctypes.Array[ctypes.c_void_p]:
    """Addresses of the driver's functions."""
    ask = driver.driver()
    names = (name.encode() for name in launch_text.FUNCTIONS)
    found = [int(ask("cuGetProcAddress", name, driver.OLDEST_DRIVER, 0)[0]) for name in names]
    return (ctypes.c_void_p * len(found))(*found)


@once
def _made(version: tuple[int, int]) -> Launches:
    return Launches(code(version), _driver())


@once
def _table(version: tuple[int, int]) -> Launches:
    """Return the table of this process, after XLA was told of the handler that reads it."""
    found = _made(version)
    found.register(TARGET, "CUDA")
    return found


def devices() -> tuple[int, ...]:
    """Numbers of the devices of CUDA that JAX has in this process, as the driver counts them."""
    try:
        found = jax.local_devices(backend="cuda")
    except RuntimeError:  # JAX has none, or is told not to use them
        return ()
    numbers = (x.local_hardware_id for x in found)  # None on plugins that do not tell
    return tuple(k if number is None else number for k, number in enumerate(numbers))


def entered(operator: Operator, char: str, version: tuple[int, int]) -> int:
    """The key of an operator, after the handler can find its kernel for all of JAX's devices."""
    number, present = key(operator, char), devices()
    if present:
        found = _table(version)
        if number not in found:
            launchers = {device: operator.launcher(char, device) for device in present}
            found.add(number, operator, char, launchers)
    return number


def absent(operator: Operator, char: str) -> str:
    """What to say where a program calls an operator that its process has not compiled."""
    return table.absent(operator, char, "kernel for CUDA")
