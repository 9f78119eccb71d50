"""A shortcut for single samples: straight from Python's call to the kernel.

NumPy spends most of a microsecond on preparing a gufunc call, several times what the kernel takes.
When all arguments are plain float64 arrays of exactly the core shapes, contiguous and aligned, and
`out` is one too or not given, there is nothing to prepare. The builtin made here checks that, calls
the kernel, and returns `out` or a new array; everything else goes to the ordinary call unchanged.

Unlike NumPy, the shortcut does not look at floating-point status flags: a NaN that comes out of an
infinite input comes without a warning.

The checks read the first members of NumPy's array object, which its C headers publish. `available`
compares them with what Python says about an array before anything relies on them.
"""

from __future__ import annotations

import ctypes
import sysconfig
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from jounce.backends.llvm import ENTRY, Loaded, compile_cached, expose_python
from jounce.process.once import once

Shape = tuple[int, ...]

_MAX_AXES = 4
_FASTCALL_WITH_KEYWORDS = 0x0080 | 0x0002

# Members of an array object, in bytes: data, ndim, shape, dtype, flags.
_DATA, _NDIM, _SHAPE, _DTYPE, _FLAGS = 16, 24, 32, 56, 64
_READABLE = 0x0001 | 0x0100  # C contiguous, aligned
_WRITABLE = _READABLE | 0x0400

# Words of the table a builtin carries: where its kernel is, what to compare with, what to pass on.
_KERNEL, _ARRAY_TYPE, _FLOAT64, _N_IN, _OUT, _SLOW, _STEPS, _NEW, _OPERANDS = range(9)

# self is a NumPy array whose data is that table; per operand it has ndim and _MAX_AXES sizes.
_TEXT = f"""
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyErr_NoMemory()
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyObject_CallNoArgs(ptr)

define ptr @{ENTRY}(ptr %self, ptr %args, i64 %nargs, ptr %names) {{
entry:
  %pointers = alloca [32 x ptr]
  %one = alloca i64
  %table.at = getelementptr i8, ptr %self, i64 {_DATA}
  %table = load ptr, ptr %table.at
  %slow.at = getelementptr i64, ptr %table, i64 {_SLOW}
  %slow = load ptr, ptr %slow.at
  %slot = load ptr, ptr %table
  %kernel = load atomic ptr, ptr %slot acquire, align 8
  %compiled = icmp ne ptr %kernel, null
  br i1 %compiled, label %keywords, label %fallback

keywords:
  %in.at = getelementptr i64, ptr %table, i64 {_N_IN}
  %n_in = load i64, ptr %in.at
  %operands = add i64 %n_in, 1
  %plain = icmp eq ptr %names, null
  br i1 %plain, label %positional, label %named

positional:
  %new.at = getelementptr i64, ptr %table, i64 {_NEW}
  %new = load ptr, ptr %new.at
  %can = icmp ne ptr %new, null
  %inputs.only = icmp eq i64 %nargs, %n_in
  %fresh = and i1 %can, %inputs.only
  %complete = icmp eq i64 %nargs, %operands
  %enough = or i1 %fresh, %complete
  br i1 %enough, label %check, label %fallback

named:
  %count.at = getelementptr i8, ptr %names, i64 16
  %count = load i64, ptr %count.at
  %name.at = getelementptr i8, ptr %names, i64 24
  %name = load ptr, ptr %name.at
  %out.at = getelementptr i64, ptr %table, i64 {_OUT}
  %out = load ptr, ptr %out.at
  %single = icmp eq i64 %count, 1
  %is.out = icmp eq ptr %name, %out
  %rest = icmp eq i64 %nargs, %n_in
  %a = and i1 %single, %is.out
  %b = and i1 %a, %rest
  br i1 %b, label %check, label %fallback

check:
  %make = phi i1 [%fresh, %positional], [false, %named]
  %to.check = select i1 %make, i64 %n_in, i64 %operands
  %type.at = getelementptr i64, ptr %table, i64 {_ARRAY_TYPE}
  %type = load ptr, ptr %type.at
  %dtype.at = getelementptr i64, ptr %table, i64 {_FLOAT64}
  %dtype = load ptr, ptr %dtype.at
  br label %operand

operand:
  %k = phi i64 [0, %check], [%k.next, %accept]
  %object.at = getelementptr ptr, ptr %args, i64 %k
  %object = load ptr, ptr %object.at
  %object.type.at = getelementptr i8, ptr %object, i64 8
  %object.type = load ptr, ptr %object.type.at
  %is.array = icmp eq ptr %object.type, %type
  br i1 %is.array, label %array, label %fallback

array:
  %object.dtype.at = getelementptr i8, ptr %object, i64 {_DTYPE}
  %object.dtype = load ptr, ptr %object.dtype.at
  %is.double = icmp eq ptr %object.dtype, %dtype
  %flags.at = getelementptr i8, ptr %object, i64 {_FLAGS}
  %flags = load i32, ptr %flags.at
  %last = icmp eq i64 %k, %n_in
  %needed = select i1 %last, i32 {_WRITABLE}, i32 {_READABLE}
  %have = and i32 %flags, %needed
  %fit = icmp eq i32 %have, %needed
  %ndim.at = getelementptr i8, ptr %object, i64 {_NDIM}
  %ndim32 = load i32, ptr %ndim.at
  %ndim = zext i32 %ndim32 to i64
  %skip = mul i64 %k, {1 + _MAX_AXES}
  %entry.at = add i64 %skip, {_OPERANDS}
  %wanted = getelementptr i64, ptr %table, i64 %entry.at
  %wanted.ndim = load i64, ptr %wanted
  %same = icmp eq i64 %ndim, %wanted.ndim
  %c = and i1 %is.double, %fit
  %d = and i1 %c, %same
  %shape.at = getelementptr i8, ptr %object, i64 {_SHAPE}
  %shape = load ptr, ptr %shape.at
  br i1 %d, label %axis, label %fallback

axis:
  %axis.k = phi i64 [0, %array], [%axis.next, %agree]
  %more = icmp ult i64 %axis.k, %ndim
  br i1 %more, label %compare, label %accept

compare:
  %size.at = getelementptr i64, ptr %shape, i64 %axis.k
  %size = load i64, ptr %size.at
  %axis.next = add i64 %axis.k, 1
  %wanted.at = getelementptr i64, ptr %wanted, i64 %axis.next
  %wanted.size = load i64, ptr %wanted.at
  %equal = icmp eq i64 %size, %wanted.size
  br i1 %equal, label %agree, label %fallback

agree:
  br label %axis

accept:
  %data.at = getelementptr i8, ptr %object, i64 {_DATA}
  %data = load ptr, ptr %data.at
  %pointer.at = getelementptr [32 x ptr], ptr %pointers, i64 0, i64 %k
  store ptr %data, ptr %pointer.at
  %k.next = add i64 %k, 1
  %again = icmp ult i64 %k.next, %to.check
  br i1 %again, label %operand, label %ready

ready:
  br i1 %make, label %create, label %keep

create:
  %maker.at = getelementptr i64, ptr %table, i64 {_NEW}
  %maker = load ptr, ptr %maker.at
  %created = call ptr @PyObject_CallNoArgs(ptr %maker)
  %failed = icmp eq ptr %created, null
  br i1 %failed, label %give.up, label %place

give.up:
  ret ptr null

place:
  %created.data.at = getelementptr i8, ptr %created, i64 {_DATA}
  %created.data = load ptr, ptr %created.data.at
  %created.at = getelementptr [32 x ptr], ptr %pointers, i64 0, i64 %n_in
  store ptr %created.data, ptr %created.at
  br label %run

keep:
  call void @Py_IncRef(ptr %object)
  br label %run

run:
  %answer = phi ptr [%created, %place], [%object, %keep]
  store i64 1, ptr %one
  %steps.at = getelementptr i64, ptr %table, i64 {_STEPS}
  %steps = load ptr, ptr %steps.at
  %status = call i32 %kernel(ptr %pointers, ptr %one, ptr %steps, ptr %slot)
  %bad = icmp ne i32 %status, 0
  br i1 %bad, label %no.memory, label %finish

finish:
  ret ptr %answer

no.memory:
  call void @Py_DecRef(ptr %answer)
  call ptr @PyErr_NoMemory()
  ret ptr null

fallback:
  %result = call ptr @PyObject_Vectorcall(ptr %slow, ptr %args, i64 %nargs, ptr %names)
  ret ptr %result
}}
"""


class _MethodDef(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Table(np.ndarray):
    """The words a builtin reads, and (as attributes) what they point to."""


@cache
def available() -> bool:
    """Whether array objects are laid out as this file believes."""
    if sysconfig.get_config_var("Py_GIL_DISABLED") or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    probe = np.zeros((3, 5))
    word = ctypes.c_int64.from_address
    shape = word(id(probe) + _SHAPE).value
    return (
        word(id(probe) + 8).value == id(np.ndarray)
        and word(id(probe) + _DATA).value == probe.ctypes.data
        and ctypes.c_int.from_address(id(probe) + _NDIM).value == 2
        and [word(shape).value, word(shape + 8).value] == [3, 5]
        and word(id(probe) + _DTYPE).value == id(np.dtype(np.float64))
        and ctypes.c_int.from_address(id(probe) + _FLAGS).value & _WRITABLE == _WRITABLE
    )


@once
def _machinery() -> tuple[Loaded, _MethodDef]:
    expose_python(
        "Py_IncRef", "Py_DecRef", "PyErr_NoMemory", "PyObject_Vectorcall", "PyObject_CallNoArgs"
    )
    code = Loaded(compile_cached(_TEXT))
    return code, _MethodDef(b"__call__", code.address, _FASTCALL_WITH_KEYWORDS, None)


def make_call(
    slot: int, keep: Any, inputs: Sequence[Shape], output: Shape, slow: Callable[..., Any]
) -> Callable[..., Any] | None:
    """A builtin that runs the kernel stored at address `slot`, or else calls `slow`.

    keep: what must stay alive for the slot to stay valid. None where there is no shortcut.
    """
    shapes = [*inputs, output]
    if not available() or len(shapes) > 32 or max(map(len, shapes)) > _MAX_AXES:
        return None
    words = [0] * _OPERANDS
    steps = [0] * len(shapes)  # one sample: no steps between samples; then the core strides
    for shape in shapes:
        words += [len(shape), *shape, *(0,) * (_MAX_AXES - len(shape))]
        strides = [8]
        for size in reversed(shape[1:]):
            strides.insert(0, strides[0] * size)
        steps += strides[: len(shape)]
    table = np.zeros(len(words), np.int64).view(_Table)
    # NumPy returns a scalar, not an array, for results without axes: left to the ordinary call
    new = partial(np.empty, output) if output else None
    machinery = _machinery()
    owned = (keep, slow, np.array(steps, np.int64), "out", np.dtype(np.float64), new, machinery)
    table.owned = owned  # pyright: ignore[reportAttributeAccessIssue]
    words[_KERNEL] = slot
    words[_ARRAY_TYPE] = id(np.ndarray)
    words[_FLOAT64] = id(np.dtype(np.float64))
    words[_N_IN] = len(inputs)
    words[_OUT] = id(owned[3])
    words[_SLOW] = id(slow)
    words[_STEPS] = owned[2].ctypes.data
    words[_NEW] = 0 if new is None else id(new)
    table[:] = words
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    return make(ctypes.addressof(machinery[1]), table, None)
