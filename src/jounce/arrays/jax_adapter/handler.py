"""Native handlers that XLA calls, and the kernels that they find.

Compiled programs outlive robots, and JAX may cache them on disk. Therefore a program refers to a
kernel by a hash of its tape, and the handler looks it up in a table when the program runs. Entries
of the table are never freed. The handlers are C: `runtime/native/xla_*`.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from jounce.arrays.frameworks.operators import Operator, Shape
from jounce.arrays.jax_adapter import abi
from jounce.runtime.native import Module

#: Name of the handlers in XLA, one for each platform.
TARGET = "jounce"


class OperandShape(ctypes.Structure):
    """Core shape of an argument or result: OperandShape of xla_handler.h."""

    _fields_ = (("rank", ctypes.c_int64), ("sizes", ctypes.POINTER(ctypes.c_int64)))


class KernelEntry(ctypes.Structure):
    """A kernel in one precision: KernelEntry of xla_handler.h.

    Parameters
    ----------
    key : int
        Key of the operator, see `kernel_key`.
    inputs, outputs : sequence of tuple of int
        Core shapes of arguments and results.
    char : str
        Type character of all operands, "f" or "d".
    steps : sequence of int
        Distance between samples of each dense operand, then further strides that the kernel uses.
    members
        Fields of subclasses.
    """

    _fields_ = (
        ("key", ctypes.c_int64),
        ("next", ctypes.c_void_p),
        ("inputs", ctypes.c_int64),
        ("operands", ctypes.c_int64),
        ("dtype", ctypes.c_int64),
        ("shapes", ctypes.POINTER(OperandShape)),
        ("steps", ctypes.POINTER(ctypes.c_int64)),
        ("step_count", ctypes.c_int64),
    )

    key: int

    def __init__(
        self,
        key: int,
        inputs: Sequence[Shape],
        outputs: Sequence[Shape],
        char: str,
        steps: Sequence[int],
        **members: Any,
    ) -> None:
        shapes = [OperandShape(len(core), _int64s(core)) for core in (*inputs, *outputs)]
        super().__init__(
            key=key,
            inputs=len(inputs),
            operands=len(shapes),
            dtype=abi.DTYPES[char],
            shapes=(OperandShape * len(shapes))(*shapes),
            steps=_int64s(steps),
            step_count=len(steps),
            **members,
        )


def _int64s(values: Sequence[int]) -> ctypes.Array[ctypes.c_int64]:
    return (ctypes.c_int64 * len(values))(*values)


class Handler:
    """A handler of XLA, with its table of kernels.

    Parameters
    ----------
    code : Module
        Machine code of `xla_cpu.c` or `xla_cuda.c`.
    version : tuple of int
        Version of XLA's C API, as `abi.version` gives it.
    """

    def __init__(self, code: Module, version: tuple[int, int]) -> None:
        self._code = code
        self._kept: list[Any] = []
        self._keys: set[int] = set()
        self.call_native("jounce_set_version", *map(ctypes.c_int32, version))

    @property
    def address(self) -> int:
        """Address of the function that XLA calls."""
        return self._code.address("jounce_handler")

    def __contains__(self, key: int) -> bool:
        return key in self._keys

    def call_native(self, name: str, *args: Any) -> None:
        """Call a function of the machine code; args: values or pointers of ctypes."""
        ctypes.CFUNCTYPE(None)(self._code.address(name))(*args)

    def add(self, entry: KernelEntry, *kept: Any) -> None:
        """Add a kernel permanently; kept: objects to keep alive besides its entry.

        Threads may add the same kernel at the same time; both entries are valid.
        """
        self._kept.append((entry, *kept))
        self.call_native("jounce_add_kernel", ctypes.byref(entry))
        self._keys.add(entry.key)

    def register(self, platform: str) -> None:
        """Register with XLA and leak a reference: XLA may call after the interpreter has ended."""
        jax.ffi.register_ffi_target(TARGET, capsule(self.address), platform=platform)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self))


def capsule(address: int) -> Any:
    """Return the address of a handler as `jax.ffi` takes it."""
    return jax.ffi.pycapsule(ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(address))


def kernel_key(operator: Operator, char: str) -> int:
    """Return the number of an operator in one precision, the same in every process."""
    digest = hashlib.sha256(f"{operator.key} {char}".encode()).digest()
    return int.from_bytes(digest[:8], "little", signed=True)


def describe_absent(operator: Operator, char: str, code: str) -> str:
    """Return the error message of a program whose process has no `code` for an operator."""
    return (
        f"{operator.title} has no {code} in {np.dtype(char)} in this process, which loaded a"
        " compiled or exported program from another one; trace the same function here first, as"
        f" by jax.jit(...).lower(...), or call the quantity or its warmup({np.dtype(char).name!r})"
    )
