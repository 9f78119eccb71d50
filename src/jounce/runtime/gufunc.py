"""Machine code to numpy.ufunc, through NumPy's C API.

A gufunc is registered with one loop per dtype before anything is compiled. Each loop is the same
few instructions: jump to the kernel stored in the loop's data, or, if there is none yet, raise
`NotCompiled` naming the dtype. The caller compiles, stores the address, and calls again; later
calls pay one indirect jump.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from jounce.backends.function import Shape, signature
from jounce.backends.llvm import Loaded, workspace
from jounce.backends.llvm.entry import FAR_BYTES
from jounce.process.once import once
from jounce.runtime import native

#: Loops in NumPy's order of preference: type character, type number, LLVM scalar.
DTYPES: tuple[tuple[str, int, str], ...] = (
    ("f", np.dtype(np.float32).num, "float"),
    ("d", np.dtype(np.float64).num, "double"),
)

#: Most arguments and results of a NumPy ufunc.
MOST_OPERANDS = 64

#: LLVM scalar of each type character.
SCALARS = {char: scalar for char, _, scalar in DTYPES}

_PLACES = {char: place for place, (char, _, _) in enumerate(DTYPES)}


class NotCompiled(Exception):
    """A loop was called that has no kernel yet; the argument is its type character."""


#: Place of PyUFunc_getfperr in NumPy's table of functions: what the processor has to tell.
GET_STATUS = 28


class _LoopData(ctypes.Structure):
    """LoopData of kernel.h: what the data pointer of a loop leads to."""

    _fields_ = (
        ("kernel", ctypes.c_void_p),
        ("error", ctypes.c_void_p),
        ("dtype", ctypes.c_char * 8),
        ("segments", ctypes.c_void_p),  # at SEGMENTS_OFFSET
        ("shelf", ctypes.c_void_p),  # at workspace.SHELF_OFFSET
        ("large", ctypes.c_int64),
        ("lengthy", ctypes.c_int64),
        ("far", ctypes.c_int64),  # at FAR_OFFSET
    )


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
def _publish() -> Callable[[int, int, int], None]:
    kind = ctypes.CFUNCTYPE(None, *(ctypes.c_void_p,) * 3)
    return kind(native.load("loop").address("jounce_publish"))


@once
def _share() -> Callable[..., int]:
    kinds = (*(ctypes.c_void_p,) * 3, *(ctypes.c_int64,) * 3, *(ctypes.c_void_p,) * 2)
    return ctypes.CFUNCTYPE(ctypes.c_int32, *kinds)(native.load("loop").address("jounce_share"))


@once
def numpy_function(table: str, place: int) -> int:
    """Address of a function of NumPy's C API, by its place in `_ARRAY_API` or `_UFUNC_API`."""
    umath: Any = import_module("numpy._core._multiarray_umath")
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    functions = get(getattr(umath, table), None)
    return ctypes.cast(functions, ctypes.POINTER(ctypes.c_void_p))[place]


@once
def _constructor() -> Any:
    """PyUFunc_FromFuncAndDataAndSignature."""
    return ctypes.PYFUNCTYPE(
        ctypes.py_object,
        *(ctypes.c_void_p,) * 3,
        *(ctypes.c_int,) * 4,
        *(ctypes.c_char_p,) * 2,
        ctypes.c_int,
        ctypes.c_char_p,
    )(numpy_function("_UFUNC_API", 31))


class Kernels:
    """The compiled loops of one gufunc, owned by the ufunc object itself."""

    def __init__(self, name: str, doc: str, n_operands: int) -> None:
        self.name = name.encode()
        self.doc = doc.encode()
        count = len(DTYPES)
        self.slots = (_LoopData * count)()
        for slot, (char, _, _) in zip(self.slots, DTYPES, strict=True):
            slot.error = id(NotCompiled)
            slot.dtype = char.encode()
            slot.shelf = workspace.shelf()
            slot.far = FAR_BYTES
        self.error = NotCompiled  # the loops point to it
        loop = native.load("loop").address("jounce_loop")
        self.functions = (ctypes.c_void_p * count)(*(loop,) * count)
        stride = ctypes.sizeof(_LoopData)
        base = ctypes.addressof(self.slots)
        self.data = (ctypes.c_void_p * count)(*(base + stride * k for k in range(count)))
        numbers = [number for _, number, _ in DTYPES for _ in range(n_operands)]
        self.types = ctypes.create_string_buffer(bytes(numbers), len(numbers))
        self.loaded: list[Loaded] = []

    def install(self, char: str, code: Loaded) -> None:
        """Make the loop of a dtype run this code from now on."""
        self.loaded.append(code)
        _publish()(self.slot(char), code.address, ctypes.addressof(code.segments))

    def measure(self, large: int, long: int) -> None:
        """Samples of a batch that take the ordinary way, and of one during which others run."""
        for slot in self.slots:
            slot.large, slot.lengthy = large, long

    def shared(self, operands: Sequence[np.ndarray], block: int) -> Callable[[], int] | None:
        """What runs the kernel on blocks of a batch, on as many threads as call it.

        operands: arguments and results, aligned and of one dtype, with one axis for the batch; the
        caller holds on to them, and to this, meanwhile. It returns 0, 1 if there was no memory, 2
        if NumPy has something to report. None without a kernel.
        """
        char = operands[0].dtype.char
        data = _LoopData.from_buffer_copy(self.slots[_PLACES[char]])
        if not data.kernel:
            return None
        data.far = FAR_BYTES * min(block, len(operands[0])) // len(operands[0])  # of the whole
        places = (ctypes.c_void_p * len(operands))(*(x.ctypes.data for x in operands))
        strides = [x.strides[0] for x in operands]
        strides += [stride for x in operands for stride in x.strides[1:]]
        steps, done = (ctypes.c_int64 * len(strides))(*strides), ctypes.c_int64()
        sizes = len(operands), len(operands[0]), block
        status = numpy_function("_UFUNC_API", GET_STATUS)
        given = ctypes.byref(data), places, steps  # which hold on to their memory
        return partial(_share(), *given, *sizes, ctypes.byref(done), status)

    def slot(self, char: str) -> int:
        """Address at which the loop of a dtype finds its kernel."""
        return ctypes.addressof(self.slots) + _PLACES[char] * ctypes.sizeof(_LoopData)


def make_gufunc(
    name: str, doc: str, inputs: Sequence[Shape], outputs: Sequence[Shape]
) -> tuple[np.ufunc, Kernels]:
    """A gufunc with fixed core sizes and no kernels yet, and the place to install them."""
    kernels = Kernels(name, doc, len(inputs) + len(outputs))
    core = signature(inputs, outputs).encode()
    ufunc = _constructor()(
        ctypes.addressof(kernels.functions),
        ctypes.addressof(kernels.data),
        ctypes.addressof(kernels.types),
        len(DTYPES),
        len(inputs),
        len(outputs),
        -1,  # PyUFunc_None: no identity
        kernels.name,
        kernels.doc,
        0,
        core,
    )
    head = _UfuncHead.from_address(id(ufunc))
    if head.functions != ctypes.addressof(kernels.functions) or head.obj is not None:
        raise RuntimeError(f"unknown layout of numpy.ufunc in NumPy {np.__version__}")
    # the ufunc owns what it points to, as numpy.frompyfunc's own its Python function
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(kernels))
    head.obj = id(kernels)
    return ufunc, kernels
