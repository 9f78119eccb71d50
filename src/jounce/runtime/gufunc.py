"""NumPy front end: compiled kernels as gufuncs, through NumPy's C API.

A gufunc has a loop per dtype, whose data points to a compiled kernel; the loop calls it and raises
MemoryError if it fails.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from jounce.compiler.targets.inner_loop import LoopData
from jounce.runtime import native
from jounce.runtime.compiled import CompiledKernel
from jounce.utils.once import once

#: Maximum number of arguments and results of a NumPy ufunc.
MAX_OPERANDS = 64

#: Index of PyUFunc_getfperr, which returns floating-point status flags, in NumPy's API table.
GET_STATUS = 28


class _UfuncHead(ctypes.Structure):
    """Leading members of NumPy's public PyUFuncObject, up to `obj`."""

    _fields_ = (
        ("ob_refcnt", ctypes.c_ssize_t),
        ("ob_type", ctypes.c_void_p),
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.c_void_p),
        ("data", ctypes.c_void_p),
        ("ntypes", ctypes.c_int),
        ("reserved1", ctypes.c_int),
        ("name", ctypes.c_void_p),
        ("types", ctypes.c_void_p),
        ("doc", ctypes.c_void_p),
        ("ptr", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
    )


@once
def _share() -> Callable[..., int]:
    kinds = (*(ctypes.c_void_p,) * 3, *(ctypes.c_int64,) * 3, *(ctypes.c_void_p,) * 2)
    return ctypes.CFUNCTYPE(ctypes.c_int32, *kinds)(native.load("loop").address("jounce_share"))


@once
def numpy_function(table: str, place: int) -> int:
    """Return the address of a function of NumPy's C API, by table and index."""
    umath: Any = import_module("numpy._core._multiarray_umath")
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    functions = get(getattr(umath, table), None)
    return ctypes.cast(functions, ctypes.POINTER(ctypes.c_void_p))[place]


@once
def _constructor() -> Any:
    """Return PyUFunc_FromFuncAndDataAndSignature."""
    return ctypes.PYFUNCTYPE(
        ctypes.py_object,
        *(ctypes.c_void_p,) * 3,
        *(ctypes.c_int,) * 4,
        *(ctypes.c_char_p,) * 2,
        ctypes.c_int,
        ctypes.c_char_p,
    )(numpy_function("_UFUNC_API", 31))


class _Loops:
    """Loops of a gufunc, their data and types; owned by the ufunc object."""

    def __init__(self, kernels: Sequence[CompiledKernel]) -> None:
        first = kernels[0]
        self.name, self.doc = first.name.encode(), first.doc.encode()
        self.signature = first.signature.encode()
        self.kernels, count = kernels, len(kernels)
        loop = native.load("loop").address("jounce_loop")
        self.functions = (ctypes.c_void_p * count)(*(loop,) * count)
        self.data = (ctypes.c_void_p * count)(*(x.address for x in kernels))
        operands = len(first.inputs) + len(first.outputs)
        numbers = [x.dtype.num for x in kernels for _ in range(operands)]
        self.types = ctypes.create_string_buffer(bytes(numbers), len(numbers))


def make_gufunc(*kernels: CompiledKernel) -> np.ufunc:
    """Return a NumPy gufunc of a kernel.

    Parameters
    ----------
    *kernels : CompiledKernel
        The kernel for one dtype or several, in NumPy's order of preference: float32 first.

    Returns
    -------
    numpy.ufunc
    """
    loops, first = _Loops(kernels), kernels[0]
    ufunc = _constructor()(
        ctypes.addressof(loops.functions),
        ctypes.addressof(loops.data),
        ctypes.addressof(loops.types),
        len(kernels),
        len(first.inputs),
        len(first.outputs),
        -1,  # PyUFunc_None: no identity
        loops.name,
        loops.doc,
        0,
        loops.signature,
    )
    head = _UfuncHead.from_address(id(ufunc))
    if head.functions != ctypes.addressof(loops.functions) or head.obj is not None:
        raise RuntimeError(f"unknown layout of numpy.ufunc in NumPy {np.__version__}")
    # the ufunc owns its loops, like those of numpy.frompyfunc own a Python function
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(loops))
    head.obj = id(loops)
    return ufunc


def share(kernel: CompiledKernel, operands: Sequence[np.ndarray], block: int) -> Callable[[], int]:
    """Return a function that runs a kernel on blocks of a batch until none is left.

    It may be called by several threads.

    Parameters
    ----------
    kernel : CompiledKernel
    operands : sequence of ndarray
        Arguments and results, aligned and of the kernel's dtype, with one axis for the batch. The
        caller must keep references to them and to the function.
    block : int
        Samples of a block.

    Returns
    -------
    callable
        Returns 0 on success, 1 if the kernel failed, 2 if floating-point errors occurred.
    """
    data = LoopData.from_buffer_copy(kernel.data)
    data.far = data.far * min(block, len(operands[0])) // len(operands[0])  # share of the batch
    places = (ctypes.c_void_p * len(operands))(*(x.ctypes.data for x in operands))
    strides = [x.strides[0] for x in operands]
    strides += [stride for x in operands for stride in x.strides[1:]]
    steps, done = (ctypes.c_int64 * len(strides))(*strides), ctypes.c_int64()
    sizes = len(operands), len(operands[0]), block
    status = numpy_function("_UFUNC_API", GET_STATUS)
    pointers = ctypes.byref(data), places, steps  # these keep their memory alive
    return partial(_share(), *pointers, *sizes, ctypes.byref(done), status)
