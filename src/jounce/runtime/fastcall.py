"""A shortcut for plain arrays: straight from Python's call to the kernel.

NumPy spends most of a microsecond on preparing a gufunc call, several times what the kernel takes
for a sample. When all arguments are plain float64 arrays, contiguous and aligned, of exactly the
core shapes behind one and the same batch shape or none (or numbers, where there are no axes), and
so is `out` (or each of its arrays) if it is given, there is nothing to prepare. The builtin made
here puts arguments given by name in their places, fills in those that are left out, checks them,
calls the kernel, and returns `out` or new results, in recycled memory if they are large; everything
else goes to the ordinary call unchanged: batches worth several threads, results on top of
arguments, and batches after which the processor's status flags have something for NumPy to report.
It has up to two kernels: one without the optional arguments, one with all of them.

Unlike NumPy, the shortcut does not look at status flags after a single sample: a NaN that comes out
of an infinite input comes without a warning.

The checks read the first members of NumPy's array object and of Python's tuples and floats, which
their C headers publish. `available` compares them with what Python says before anything relies on
them.
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

from jounce.backends.llvm import Loaded, load_module
from jounce.process.once import once
from jounce.runtime import fastcall_table as table
from jounce.runtime import fastcall_text as text
from jounce.runtime import recycling
from jounce.runtime.gufunc import GET_STATUS, Kernels, numpy_function

Shape = tuple[int, ...]

_FASTCALL_WITH_KEYWORDS = 0x0080 | 0x0002


class _MethodDef(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Table(np.ndarray):
    """The words a builtin reads, and (as `owned`) what they point to."""

    owned: list[Any]


@cache
def available() -> bool:
    """Whether arrays, tuples and numbers are laid out as this file believes."""
    if sysconfig.get_config_var("Py_GIL_DISABLED") or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    probe, pair = np.zeros((3, 5)), (object(), object())
    numbers = (0.1, np.float64(0.1))
    word = ctypes.c_int64.from_address
    shape = word(id(probe) + table.SHAPE).value
    return (
        word(id(probe) + 8).value == id(np.ndarray)
        and word(id(probe) + table.DATA).value == probe.ctypes.data
        and ctypes.c_int.from_address(id(probe) + table.NDIM).value == 2
        and [word(shape).value, word(shape + 8).value] == [3, 5]
        and word(id(probe) + table.DTYPE).value == id(np.dtype(np.float64))
        and ctypes.c_int.from_address(id(probe) + table.FLAGS).value & table.WRITABLE
        == table.WRITABLE
        and word(id(pair) + 8).value == id(tuple)
        and word(id(pair) + table.SIZE).value == 2
        and [word(id(pair) + table.ITEMS + 8 * k).value for k in (0, 1)] == [id(x) for x in pair]
        and all(ctypes.c_double.from_address(id(x) + table.VALUE).value == x for x in numbers)
    )


@once
def _machinery() -> tuple[Loaded, _MethodDef]:
    code = load_module(text.TEXT, text.PYTHON)
    return code, _MethodDef(b"__call__", code.address, _FASTCALL_WITH_KEYWORDS, None)


def possible(inputs: Sequence[Shape], outputs: Sequence[Shape]) -> bool:
    """Whether a quantity with these core shapes can have a shortcut, on this machine."""
    shapes = (*inputs, *outputs)
    return (
        available()
        and len(shapes) <= table.MAX_OPERANDS
        and max(map(len, shapes)) <= table.MAX_AXES
    )


class Shortcut:
    """The builtin of a quantity, `call`, and the kernels it can run.

    inputs: names and core shapes of all arguments, the optional ones last. defaults: what stands
    for those by name. outputs: core shapes of the results. several: whether they come as a tuple.
    slow: what is called with everything that is not as simple as it could be.
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
        self._needed = len(inputs) - len(defaults)
        words: list[int] = [0] * table.OPERANDS
        for shape in (*self._inputs, *outputs):
            words += [len(shape), *shape, *(0,) * (table.MAX_AXES - len(shape))]
        self._table = np.array(words, np.int64).view(_Table)
        machinery, float64 = _machinery(), np.dtype(np.float64)
        self._table.owned = [slow, machinery, float64]
        names = [sys.intern(name) for name in inputs]
        self._set(
            slow=id(slow),
            array_type=id(np.ndarray),
            float64=id(float64),
            tuple_type=id(tuple),
            float_type=id(float),
            scalar_type=id(np.float64),
            none=id(None),
            out=self._kept(sys.intern("out")),
            needed=self._needed,
            arguments=len(names),
            results=len(outputs),
            several=int(several),
            names=self._row([self._kept(name) for name in names]),
            defaults=self._row([self._row(defaults[x]) if x in defaults else 0 for x in names]),
            new_array=numpy_function("_ARRAY_API", table.NEW_ARRAY),
            new_scalar=numpy_function("_ARRAY_API", table.NEW_SCALAR),
            set_handler=numpy_function("_ARRAY_API", recycling.SET_HANDLER),
            handler=id(recycling.pool().handler),
            recycled=recycling.least_batch(outputs),
            get_status=numpy_function("_UFUNC_API", GET_STATUS),
        )
        make = ctypes.pythonapi.PyCFunction_NewEx
        make.restype = ctypes.py_object
        make.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
        self.call: Callable[..., Any] = make(ctypes.addressof(machinery[1]), self._table, None)

    def serve(self, loops: Kernels, full: bool) -> None:
        """Run the kernel of a gufunc from now on; full: for calls with optional arguments."""
        which, slot = "full_" if full else "", loops.slot("d")
        if self._table[table.AT[f"{which}kernel"]] == slot:
            return
        self._kept(loops)
        inputs = self._inputs if full else self._inputs[: self._needed]
        shapes = (*inputs, *self._outputs)
        steps = [8 * math.prod(shape) for shape in shapes]
        for shape in shapes:
            strides = [8]
            for size in reversed(shape[1:]):
                strides.insert(0, strides[0] * size)
            steps += strides[: len(shape)]
        self._set(**{f"{which}steps": self._row(steps), f"{which}words": len(steps)})
        self._set(**{f"{which}kernel": slot})

    def _set(self, **words: int) -> None:
        for word, value in words.items():
            self._table[table.AT[word]] = value

    def _kept(self, thing: Any) -> int:
        """Address of an object that stays alive as long as the builtin."""
        self._table.owned.append(thing)
        return id(thing)

    def _row(self, numbers: Sequence[int] | np.ndarray) -> int:
        """Address of a copy of integers, or of float64, that lives as long as the builtin."""
        row = np.array(numbers, np.float64 if isinstance(numbers, np.ndarray) else np.int64)
        self._kept(row)
        return row.ctypes.data
