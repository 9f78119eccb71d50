"""A fast path for plain arrays: a Python builtin that calls the kernel directly.

NumPy needs most of a microsecond to prepare a gufunc call, several times the run time of the
kernel for a sample. Nothing needs to be prepared if all arguments are plain float64 arrays,
contiguous and aligned, of exactly the core shapes after a common batch shape or none (or numbers,
if there are no axes), and so is `out` (or each of its arrays) if it is given. The builtin
(`native/fastcall.c`) orders keyword arguments, fills in omitted ones, checks them, calls the
kernel, and returns `out` or new results, in recycled memory if they are large. Everything else
goes to the ordinary call unchanged: batches worth several threads, results that overlap arguments,
and batches that set the processor's floating-point status flags, which NumPy then reports. It has
up to two kernels: one without the optional arguments, one with all of them.

Unlike NumPy, the fast path ignores status flags after a single sample: a NaN that results from an
infinite input comes without a warning.

The checks read the first members of NumPy's array object and of Python's tuples and floats, which
their C headers publish. `is_available` verifies these layouts before they are relied on.
"""

from __future__ import annotations

import ctypes
import math
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from jounce.runtime import native, recycling
from jounce.runtime.compiled import CompiledKernel
from jounce.runtime.gufunc import GET_STATUS, MAX_OPERANDS, numpy_function
from jounce.utils.once import once

Shape = tuple[int, ...]

#: Maximum number of axes of a core; MAX_CORE_AXES of fastcall.c.
MAX_AXES = 6

#: Indices of PyArray_New and PyArray_Scalar in NumPy's API table.
NEW_ARRAY, NEW_SCALAR = 93, 60

_FASTCALL_WITH_KEYWORDS = 0x0080 | 0x0002


class _Object(ctypes.Structure):
    """PyObject of cpython.h."""

    _fields_ = (("ob_refcnt", ctypes.c_ssize_t), ("ob_type", ctypes.c_void_p))


class _Array(_Object):
    """PyArrayObject of numpy.h."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("nd", ctypes.c_int),
        ("dimensions", ctypes.POINTER(ctypes.c_ssize_t)),
        ("strides", ctypes.c_void_p),
        ("base", ctypes.c_void_p),
        ("descr", ctypes.c_void_p),
        ("flags", ctypes.c_int),
    )


class _Pair(_Object):
    """PyTupleObject of cpython.h, with two items."""

    _fields_ = (("ob_size", ctypes.c_ssize_t), ("ob_item", ctypes.c_void_p * 2))


class _Float(_Object):
    """PyFloatObject of cpython.h."""

    _fields_ = (("ob_fval", ctypes.c_double),)


class _MethodDef(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Core(ctypes.Structure):
    """Core of fastcall.c."""

    _fields_ = (("ndim", ctypes.c_int64), ("sizes", ctypes.c_int64 * MAX_AXES))


class _Variant(ctypes.Structure):
    """Variant of fastcall.c."""

    _fields_ = (
        ("loop", ctypes.c_void_p),
        ("steps", ctypes.c_void_p),
        ("n_steps", ctypes.c_int64),
    )


class Signature(ctypes.Structure):
    """Signature of fastcall.c, where its members are described."""

    _fields_ = (
        ("fallback", ctypes.c_void_p),
        ("array_type", ctypes.c_void_p),
        ("float64", ctypes.c_void_p),
        ("tuple_type", ctypes.c_void_p),
        ("float_type", ctypes.c_void_p),
        ("scalar_type", ctypes.c_void_p),
        ("none", ctypes.c_void_p),
        ("out", ctypes.c_void_p),
        ("new_array", ctypes.c_void_p),
        ("new_scalar", ctypes.c_void_p),
        ("set_handler", ctypes.c_void_p),
        ("get_status", ctypes.c_void_p),
        ("handler", ctypes.c_void_p),
        ("recycled", ctypes.c_int64),
        ("required", ctypes.c_int64),
        ("arguments", ctypes.c_int64),
        ("results", ctypes.c_int64),
        ("returns_tuple", ctypes.c_int64),
        ("names", ctypes.c_void_p),
        ("defaults", ctypes.c_void_p),
        ("cores", ctypes.c_void_p),
        ("required_only", _Variant),
        ("full", _Variant),
    )


class _Bound(np.ndarray):
    """The bytes of a signature; `owned` keeps alive what it points to."""

    owned: list[Any]


@cache
def is_available() -> bool:
    """Return whether arrays, tuples and numbers have the layout that native code expects."""
    if sysconfig.get_config_var("Py_GIL_DISABLED") or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    probe, objects = np.zeros((3, 5)), (object(), object())
    array, pair = _Array.from_address(id(probe)), _Pair.from_address(id(objects))
    writable = 0x0001 | 0x0100 | 0x0400  # contiguous, aligned, writeable
    return (
        (array.ob_type, array.data, array.nd) == (id(np.ndarray), probe.ctypes.data, 2)
        and array.dimensions[:2] == [3, 5]
        and array.descr == id(np.dtype(np.float64))
        and array.flags & writable == writable
        and (pair.ob_type, pair.ob_size) == (id(tuple), 2)
        and [*pair.ob_item] == [id(x) for x in objects]
        and all(_Float.from_address(id(x)).ob_fval == x for x in (0.1, np.float64(0.1)))
    )


@once
def _method() -> _MethodDef:
    address = native.load("fastcall").address("jounce_call")
    return _MethodDef(b"__call__", address, _FASTCALL_WITH_KEYWORDS, None)


def is_possible(inputs: Sequence[Shape], outputs: Sequence[Shape]) -> bool:
    """Return whether a quantity with these core shapes can have a shortcut on this machine."""
    shapes = (*inputs, *outputs)
    return is_available() and len(shapes) <= MAX_OPERANDS and max(map(len, shapes)) <= MAX_AXES


def make_shortcut(
    inputs: Mapping[str, Shape],
    required: int,
    default: Callable[[str], np.ndarray],
    outputs: Sequence[Shape],
    several: bool,
    slow: Callable[..., Any],
) -> Shortcut | None:
    """Return the shortcut of a quantity, without optional arguments if these are too many.

    Parameters
    ----------
    inputs : mapping of str to tuple of int
        Core shapes of all arguments, the optional ones last.
    required : int
        Number of arguments that are not optional.
    default : callable
        Returns the value of an optional argument that is omitted while others are given.
    outputs, several, slow
        See `Shortcut`.

    Returns
    -------
    Shortcut or None
        None if the arguments and results do not meet the requirements of native code.
    """
    for count in (len(inputs), required):
        arguments = dict(list(inputs.items())[:count])
        if is_possible(tuple(arguments.values()), outputs):
            defaults = {name: default(name) for name in list(arguments)[required:]}
            return Shortcut(arguments, defaults, outputs, several, slow)
    return None


class Shortcut:
    """The builtin of a quantity, `call`, and the kernels it can run.

    inputs: names and core shapes of all arguments, the optional ones last. defaults: values of
    omitted optional arguments by name. outputs: core shapes of the results. several: whether they
    are returned as a tuple. slow: the ordinary call, for everything that the builtin does not
    handle.
    """

    def __init__(
        self,
        inputs: Mapping[str, Shape],
        defaults: Mapping[str, np.ndarray],
        outputs: Sequence[Shape],
        several: bool,
        slow: Callable[..., Any],
    ) -> None:
        self._inputs, self._outputs = tuple(inputs.values()), tuple(outputs)
        method, float64 = _method(), np.dtype(np.float64)
        names, out = [sys.intern(name) for name in inputs], sys.intern("out")
        cores = [_Core(len(shape), shape) for shape in (*self._inputs, *outputs)]
        self._owned: list[Any] = [slow, method, float64, names, out]
        self._signature = Signature(
            fallback=id(slow),
            array_type=id(np.ndarray),
            float64=id(float64),
            tuple_type=id(tuple),
            float_type=id(float),
            scalar_type=id(np.float64),
            none=id(None),
            out=id(out),
            new_array=numpy_function("_ARRAY_API", NEW_ARRAY),
            new_scalar=numpy_function("_ARRAY_API", NEW_SCALAR),
            set_handler=numpy_function("_ARRAY_API", recycling.SET_HANDLER),
            get_status=numpy_function("_UFUNC_API", GET_STATUS),
            handler=id(recycling.pool().handler),
            recycled=recycling.min_batch(outputs),
            required=len(inputs) - len(defaults),
            arguments=len(inputs),
            results=len(outputs),
            returns_tuple=several,
            names=self._keep((ctypes.c_void_p * len(names))(*map(id, names))),
            defaults=self._defaults([defaults.get(name) for name in names]),
            cores=self._keep((_Core * len(cores))(*cores)),
        )
        bound = np.frombuffer(memoryview(self._signature), np.uint8).view(_Bound)
        bound.owned = self._owned
        make = ctypes.pythonapi.PyCFunction_NewEx
        make.restype = ctypes.py_object
        make.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
        self.call: Callable[..., Any] = make(ctypes.addressof(method), bound, None)

    def serve(self, kernel: CompiledKernel, full: bool) -> None:
        """Use a kernel for float64 from now on; full: for calls with optional arguments."""
        signature, slot = self._signature, kernel.address
        variant = signature.full if full else signature.required_only
        if variant.loop == slot:
            return
        inputs = self._inputs if full else self._inputs[: signature.required]
        shapes = (*inputs, *self._outputs)
        steps = [8 * math.prod(shape) for shape in shapes]
        steps += (8 * math.prod(x[axis + 1 :]) for x in shapes for axis in range(len(x)))
        self._owned.append(kernel)
        variant.steps = self._keep((ctypes.c_int64 * len(steps))(*steps))
        variant.n_steps = len(steps)
        variant.loop = slot  # last, since the builtin uses the variant from here on

    def _keep(self, array: ctypes.Array[Any]) -> int:
        """Keep an array alive as long as the builtin, and return its address."""
        self._owned.append(array)
        return ctypes.addressof(array)

    def _defaults(self, values: Sequence[np.ndarray | None]) -> int:
        """Return the address of an array of pointers to default values, null without one."""
        copies = [None if x is None else np.array(x, np.float64, order="C") for x in values]
        self._owned.append(copies)
        places = [None if x is None else x.ctypes.data for x in copies]
        return self._keep((ctypes.c_void_p * len(places))(*places))
