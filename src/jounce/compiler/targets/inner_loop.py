"""The calling convention of code on the processor: inner loops as NumPy's gufuncs have them.

An inner loop is a C function

    int loop(char **args, int64_t *count, int64_t *steps, LoopData *data)

that evaluates a kernel for `*count` samples. args: addresses of arguments and results. steps: bytes
from sample to sample of each of them, then along each axis of each core. It returns 0, or 1 if it
failed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from jounce.compiler.targets.function import Function, Results, Shape


class LoopData(ctypes.Structure):
    """The data of an inner loop, its last argument; LoopData of kernel.h."""

    _fields_ = (
        ("kernel", ctypes.c_void_p),  # the loop itself
        ("segments", ctypes.c_void_p),  # addresses of its functions in other object files
        ("shelf", ctypes.c_void_p),  # pointer to the cached workspace
        ("large", ctypes.c_int64),  # samples from which on a batch uses several threads
        ("lengthy", ctypes.c_int64),  # samples from which on the interpreter lock is released
        ("far", ctypes.c_int64),  # bytes of results from which on they bypass the cache
    )


class InnerLoop:
    """Executable code of a function in one precision; alive as long as this object.

    Parameters
    ----------
    address : int
        Address of the function.
    owned : object
        Keeps alive what the code needs.
    **data : int
        Members of `LoopData` that the code reads.
    """

    #: Whether it is machine code, which runs without Python's interpreter.
    native = True

    def __init__(self, address: int, owned: Any = None, **data: int) -> None:
        self.data = LoopData(kernel=address, **data)
        self._owned = owned

    def take_error(self) -> BaseException | None:
        """Return the exception that ended the last run, if it was one, and forget it."""
        return None


_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, *(ctypes.c_void_p,) * 4)


class PythonLoop(InnerLoop):
    """A Python function of arrays as an inner loop.

    Parameters
    ----------
    function : Function
        Describes the arguments and results.
    dtype : dtype
        float64 or float32.
    call : callable
        Takes an array (samples, *shape) per input, returns a sequence with one per output.
    """

    native = False

    def __init__(
        self, function: Function, dtype: DTypeLike, call: Callable[..., Sequence[np.ndarray]]
    ) -> None:
        shapes = [x.shape for x in (*function.inputs, *function.outputs)]
        first = len(function.inputs)
        kind = np.dtype(dtype)

        def loop(args: int, count: int, steps: int, _: int) -> int:
            samples = ctypes.c_int64.from_address(count).value
            if not samples:
                return 0
            try:
                operands = _views(shapes, kind, samples, args, steps)
                for place, result in zip(operands[first:], call(*operands[:first]), strict=True):
                    place[...] = result
            except BaseException as error:  # exceptions cannot pass through C
                self._error = error
                return 1
            return 0

        self._error: BaseException | None = None
        callback = _FUNCTION(loop)
        super().__init__(ctypes.cast(callback, ctypes.c_void_p).value or 0, callback)

    def take_error(self) -> BaseException | None:
        """Return the exception that ended the last run, if it was one, and forget it."""
        error, self._error = self._error, None
        return error


class _Memory:
    """An address as an array."""

    def __init__(self, address: int, shape: Shape, strides: Shape, kind: np.dtype[Any]) -> None:
        self.__array_interface__ = {
            "data": (address, False),
            "shape": shape,
            "strides": strides,
            "typestr": kind.str,
            "version": 3,
        }


def _views(
    shapes: Sequence[Shape], kind: np.dtype[Any], samples: int, args: int, steps: int
) -> list[np.ndarray]:
    """Return arrays (samples, *shape) that view the memory of all operands."""
    places = (ctypes.c_void_p * len(shapes)).from_address(args)
    strides = ctypes.cast(steps, ctypes.POINTER(ctypes.c_int64))
    views, first = [], len(shapes)
    for k, shape in enumerate(shapes):
        within = tuple(strides[first + axis] for axis in range(len(shape)))
        first += len(shape)
        memory = _Memory(places[k] or 0, (samples, *shape), (strides[k], *within), kind)
        views.append(np.asarray(memory))
    return views


def call_loop(function: Function, loop: InnerLoop, dtype: DTypeLike) -> Callable[..., Results]:
    """Return an inner loop as a function of arrays, whose leading axes broadcast."""
    run = _FUNCTION(loop.data.kernel)

    def call(*arrays: Any) -> Results:
        batch, inputs = function.samples(arrays, dtype)
        count = ctypes.c_int64(len(inputs[0]))
        results = [np.empty((count.value, *x.shape), dtype) for x in function.outputs]
        operands = [np.ascontiguousarray(x) for x in inputs] + results
        pointers = (ctypes.c_void_p * len(operands))(*(x.ctypes.data for x in operands))
        steps = [x.strides[0] for x in operands]
        for x in operands:
            steps += x.strides[1:]
        strides = (ctypes.c_int64 * len(steps))(*steps)
        if run(pointers, ctypes.byref(count), strides, ctypes.byref(loop.data)):
            raise loop.take_error() or MemoryError(f"{function.name}: no memory for the workspace")
        return tuple(x.reshape(batch + x.shape[1:]) for x in results)

    return call
