"""Kernel launches on CuPy arrays, in CuPy's current stream."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from jounce.arrays.cupy_adapter.layout import byte_span, layouts
from jounce.arrays.frameworks.operators import Operator, Shape
from jounce.arrays.validation import plain, precision
from jounce.errors import ArgumentError
from jounce.runtime.cuda.driver import driver
from jounce.runtime.cuda.streams import refuse_host_copy
from jounce.utils.once import once

_NO_CONTEXT = nullcontext()


class CupyLibrary:
    """Adapter of CuPy for functions of quantities (`frameworks.library.Library`).

    NumPy arrays mixed with CuPy arrays are copied to their device. Leading axes broadcast without a
    copy where samples are equally spaced. Never waits for the device.
    """

    name = "cupy"

    def __init__(self) -> None:
        import cupy

        #: The module cupy.
        self.cupy: Any = cupy
        #: The class of its arrays.
        self.array_type: type = cupy.ndarray
        self._current_device = cupy.cuda.runtime.getDevice
        self._current_stream = cupy.cuda.get_current_stream

    def owns(self, x: Any) -> bool:
        """Return whether an object is a CuPy array."""
        return isinstance(x, self.array_type)

    def device_of(self, x: Any) -> AbstractContextManager[Any]:
        """Return a context in which the device of an array is CuPy's current one."""
        number = x.device.id
        return _NO_CONTEXT if self._current_device() == number else self.cupy.cuda.Device(number)

    # -------------------------------------------------------------- arguments

    def array(self, x: Any, what: str) -> Any:
        """Convert an argument to a CuPy or NumPy array; what: prefix of messages."""
        if not self.owns(x):
            return plain(x, what)
        if x.dtype.kind not in "fiub" or x.dtype.itemsize > 8:
            raise TypeError(f"{what} must be real float64 or float32, found {x.dtype}")
        return x

    def alike(self, arrays: Sequence[Any], typed: Sequence[bool], title: str) -> list[Any]:
        """Convert arrays to one precision and device; to NumPy arrays if none is of CuPy.

        typed: whether each array has a dtype that counts for the precision.
        """
        on_device = [x for x in arrays if self.owns(x)]
        devices = {x.device.id: x for x in on_device if x.size}
        if len(devices) > 1:
            first, second, *_ = sorted(devices)
            raise ArgumentError(
                f"{title}: arguments must be on one device, found arrays on CUDA devices {first}"
                f" and {second}; copy them to one of these"
            )
        dtype = precision([x for x, is_typed in zip(arrays, typed, strict=True) if is_typed])
        if not on_device:
            return [np.asarray(x, dtype) for x in arrays]
        with self.device_of(next(iter(devices.values()), on_device[0])):
            return [
                x if x.dtype == dtype and self.owns(x) else self._convert(x, dtype) for x in arrays
            ]

    def batch(self, shapes: Sequence[Shape]) -> Shape:
        """Return the shape that leading shapes broadcast to, or raise a ValueError."""
        first = shapes[0]
        if all(shape == first for shape in shapes):
            return first
        return np.broadcast_shapes(*shapes)

    def constant(self, x: Any, like: Any) -> Any:
        """Return a NumPy array in the precision and on the device of another array."""
        if not self.owns(like):
            return np.asarray(x, like.dtype)
        with self.device_of(like):
            return self._convert(np.asarray(x), like.dtype)

    def product(self, x: Any, matrix: Any) -> Any:
        """Return x (..., n) times a NumPy matrix (n, m), in the precision of x."""
        rows = self.constant(matrix, x)
        with self.device_of(x) if self.owns(x) else _NO_CONTEXT:
            return x @ rows

    def _convert(self, x: Any, dtype: np.dtype[Any]) -> Any:
        """Return an array in a precision, on the current device."""
        if not self.owns(x) and x.ndim:  # scalars are filled in by a kernel, not copied
            refuse_host_copy(driver(), self._current_stream().ptr)
        return self.cupy.asarray(x, dtype)

    # -------------------------------------------------------------- calls

    def apply(
        self, operator: Operator, arrays: Sequence[Any], out: Sequence[Any] | None = None
    ) -> tuple[Any, ...]:
        """Return the results of an operator on checked arrays; out: see `launch`."""
        results = self.launch(operator, arrays, out)
        assert results is not None
        return results

    def launch(
        self, operator: Operator, arrays: Sequence[Any], out: Sequence[Any] | None = None
    ) -> tuple[Any, ...] | None:
        """Launch the kernel of an operator in the current stream of the arrays' device.

        Parameters
        ----------
        operator
            The operator.
        arrays
            Its arguments, in one precision and on one device.
        out
            An array for each result, or None for a new one.

        Returns
        -------
        tuple or None
            The results: arrays of `out` where they are given. None if the shapes of the arguments
            are not the operator's.
        """
        like = next((x for x in arrays if x.size), arrays[0])
        key = tuple([part for x in arrays for part in (x.shape, x.strides)])
        layout = layouts(operator, like.dtype.itemsize).find(key)
        if layout is None:
            return None
        kernel = operator.launcher(like.dtype.char, like.device.id)
        with self.device_of(like):
            # copies live until the launch; CuPy reuses their memory in the order of the stream
            read = list(arrays)
            for k in layout.copied:
                read[k] = self._copy(read[k], operator.inputs[k], layout.batch, layout.steps[k])
            written, results = self._targets(operator, layout.results, like, read, out)
            if layout.samples and any(x.size for x in written):
                pointers = [x.data.ptr if x.size else 0 for x in (*read, *written)]
                kernel.launch(self._current_stream().ptr, layout.samples, pointers, layout.steps)
            for source, result in zip(written, results, strict=True):
                if source is not result:
                    result[...] = source
        return tuple(results)

    def _copy(self, x: Any, core: Shape, batch: Shape, step: int) -> Any:
        """Return a contiguous copy of a batch of samples, or of a single shared sample."""
        if step == 0:
            return self.cupy.array(x[(0,) * (x.ndim - len(core))], order="C")
        return self.cupy.array(self.cupy.broadcast_to(x, (*batch, *core)), order="C")

    def empty(self, shape: Shape, dtype: np.dtype[Any], title: str) -> Any:
        """Allocate an array on the current device; title: prefix of error messages."""
        try:
            return self.cupy.empty(shape, dtype)
        except MemoryError as error:
            size = math.prod(shape) * dtype.itemsize
            raise MemoryError(
                f"{title}: cannot allocate {size:,} bytes on CUDA device"
                f" {self._current_device()}: {error}"
            ) from error

    def _targets(
        self, operator: Operator, shapes: Sequence[Shape], like: Any, read: list[Any], out: Any
    ) -> tuple[list[Any], list[Any]]:
        """Return the arrays that the kernel writes to, and the arrays of the results."""
        written, results = [], []
        for k, shape in enumerate(shapes):
            target = None if out is None else out[k]
            if target is not None:
                self._check_out(target, shape, like, operator.title)
            direct = target is not None and _is_writable(target, read)
            written.append(target if direct else self.empty(shape, like.dtype, operator.title))
            results.append(written[-1] if target is None else target)
        return written, results

    def _check_out(self, out: Any, shape: Shape, like: Any, title: str) -> None:
        """Refuse an array that cannot hold a result."""
        if not self.owns(out):
            raise TypeError(
                f"{title}: out must be a cupy.ndarray like the arguments, or a tuple of them for"
                f" several results, found {type(out).__name__}"
            )
        if out.shape != shape or out.dtype != like.dtype:
            raise ArgumentError(
                f"{title}: out must have shape {shape} of {like.dtype}, found {out.shape} of"
                f" {out.dtype}"
            )
        if out.size and out.device.id != like.device.id:
            raise ArgumentError(
                f"{title}: out must be on the device of the arguments, {like.device.id}, found"
                f" {out.device.id}"
            )

    def __reduce__(self) -> Any:
        return cupy_library, ()


def _is_writable(out: Any, read: Sequence[Any]) -> bool:
    """Return whether a kernel may write to an array: contiguous, and overlapping no argument."""
    if not out.flags.c_contiguous:
        return False
    first, end = _span(out)
    spans = [_span(x) for x in read if x.size]
    return all(end <= low or high <= first for low, high in spans)


def _span(x: Any) -> tuple[int, int]:
    """Return the address range of an array."""
    low, high = byte_span(x.shape, x.strides, x.dtype.itemsize)
    return x.data.ptr + low, x.data.ptr + high


@once
def cupy_library() -> CupyLibrary:
    """Return the adapter of CuPy, which imports it."""
    return CupyLibrary()
