"""Calls with NumPy arrays: large batches on several threads, into recycled memory."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jounce.errors import report_floating_errors
from jounce.runtime import gufunc, recycling
from jounce.runtime.compiled import CompiledKernel
from jounce.runtime.gufunc import make_gufunc
from jounce.utils import threads
from jounce.utils.once import once

Shape = tuple[int, ...]

#: Approximate number of blocks per thread, taken one by one, so that all threads end together.
_BLOCKS_PER_THREAD = 16

#: Block sizes are multiples of this number of samples: vectors, and cache lines.
_BLOCK_MULTIPLE = 16


class NumpyCall:
    """Callable of a compiled kernel for NumPy arrays: a gufunc, or threads if a batch is large.

    Large results are allocated in recycled memory, and floating-point errors are reported at the
    user's line.
    """

    def __init__(self, kernel: CompiledKernel) -> None:
        self.kernel = kernel
        self.ufunc = make_gufunc(kernel)
        self._recycled = recycling.min_batch(kernel.outputs) * kernel.min_entries

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the gufunc.

        Parameters
        ----------
        *args : ndarray
            Of the kernel's dtype; leading axes broadcast.
        **options
            `out` and other options of gufuncs.

        Returns
        -------
        ndarray or tuple of ndarray
        """
        size = max((x.size for x in args if isinstance(x, np.ndarray)), default=0)
        errors: dict[str, int] = {}
        try:
            with np.errstate(all="call", call=errors.__setitem__):
                if size >= self.kernel.large:
                    result = self._call_large(args, options)
                elif size >= self._recycled:
                    result = recycling.pool().call(self.ufunc, *args, **options)
                else:
                    result = self.ufunc(*args, **options)
        except MemoryError as error:
            raise self.kernel.code.take_error() or error from None
        if errors:
            report_floating_errors(errors, self.kernel.name)
        return result

    def _call_large(self, args: Sequence[np.ndarray], options: dict[str, Any]) -> Any:
        """Evaluate a large batch: on several threads if that is safe."""
        inputs, outputs = self.kernel.inputs, self.kernel.outputs
        if not all(type(x) is np.ndarray for x in args):
            return self.ufunc(*args, **options)  # subclasses may override ufuncs
        batch = _batch(args, inputs)
        results = None
        if batch:
            results = _destination(args, options, [batch + core for core in outputs])
        if batch is None or results is None:
            return recycling.pool().call(self.ufunc, *args, **options)
        full = [np.broadcast_to(a, batch + core) for a, core in zip(args, inputs, strict=True)]
        count = min(threads.get_num_threads(), max(batch[0] // 2, 1))
        if len(batch) > 1 or not _in_blocks(self.kernel, full, results, count):
            _in_slices(self.ufunc, full, results, count)
        return results[0] if len(results) == 1 else tuple(results)


#: Status flags of the processor, as NumPy numbers them.
_FLAGS = {"divide by zero": 1, "overflow": 2, "underflow": 4, "invalid value": 8}


@once
def _get_status() -> Callable[[], int]:
    """PyUFunc_getfperr: return the processor's status flags, and clear them."""
    kind = ctypes.PYFUNCTYPE(ctypes.c_int)
    return kind(gufunc.numpy_function("_UFUNC_API", gufunc.GET_STATUS))


def call_reporting(call: Callable[..., Any], name: str, args: Any, options: Any) -> Any:
    """Make a fast call, which ignores status flags, and report floating-point errors."""
    status = _get_status()
    status()
    result = call(*args, **options)
    flags = status()
    if flags:
        report_floating_errors({x: flags for x, bit in _FLAGS.items() if flags & bit}, name)
    return result


def choose_precision(args: Sequence[np.ndarray], options: Mapping[str, Any]) -> str:
    """Return the type character of the kernel that a call needs, "d" or "f"."""
    dtype = options.get("dtype")
    if dtype is None:
        char = args[0].dtype.char if args else "d"
    else:
        try:
            char = np.dtype(dtype).char
        except TypeError:  # the call raises NumPy's error
            return "d"
    return char if char in "fd" else "d"


def _in_blocks(
    kernel: CompiledKernel, full: Sequence[np.ndarray], results: Sequence[np.ndarray], count: int
) -> bool:
    """Run the kernel on blocks that threads take one after the other.

    Slow threads take fewer blocks. Return False if NumPy has to evaluate the batch: to convert or
    copy arrays, or to report floating-point errors.
    """
    operands = (*full, *results)
    n = len(full[0])
    if not all(x.dtype == kernel.dtype and x.flags.aligned for x in operands):
        return False
    if not all(x.flags.writeable for x in results):
        return False
    block = max(kernel.block, n // (_BLOCKS_PER_THREAD * count))
    run = gufunc.share(kernel, operands, -(-max(block, 1) // _BLOCK_MULTIPLE) * _BLOCK_MULTIPLE)
    answers = set(threads.map_slices(count, count, lambda _: run()))
    if 1 in answers:
        raise MemoryError
    return answers == {0}


def _in_slices(
    ufunc: np.ufunc, full: Sequence[np.ndarray], results: Sequence[np.ndarray], count: int
) -> None:
    """Call the gufunc on slices of the first batch axis, one per thread."""

    def work(part: slice) -> None:
        ufunc(*(a[part] for a in full), out=tuple(out[part] for out in results))

    threads.map_slices(len(full[0]), count, work)


def _batch(arrays: Sequence[np.ndarray], inputs: Sequence[Shape]) -> Shape | None:
    """Return the broadcast batch shape, or None if an argument does not fit."""
    if len(arrays) != len(inputs):
        return None
    batches = []
    for a, core in zip(arrays, inputs, strict=True):
        if a.ndim < len(core) or a.shape[a.ndim - len(core) :] != core:
            return None
        batches.append(a.shape[: a.ndim - len(core)])
    try:
        return np.broadcast_shapes(*batches)
    except ValueError:
        return None


def _destination(
    arrays: Sequence[np.ndarray], options: dict[str, Any], shapes: Sequence[Shape]
) -> list[np.ndarray] | None:
    """Return the arrays to write to, or None if NumPy has to handle the call."""
    if not set(options) <= {"out"}:
        return None
    out = options.get("out")
    if out is None:
        dtype = np.result_type(*arrays)
        if dtype.char not in "fd":
            return None
        return [recycling.pool().call(np.empty, shape, dtype) for shape in shapes]
    results = list(out) if isinstance(out, tuple) else [out]
    # slices of subclasses may be copies
    if not all(type(x) in (np.ndarray, np.memmap) for x in results):
        return None
    if [x.shape for x in results] != list(shapes):
        return None
    if any(np.may_share_memory(x, a) for x in results for a in arrays):
        return None
    return results
