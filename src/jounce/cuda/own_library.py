"""Arrays of whoever says where they lie on CUDA, with results in memory of our own.

Nobody computes with such arrays but our kernels: other precisions, irregular strides and wrenches
by frame are brought into form by NumPy, which costs copies there and back.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from jounce.cuda import exchange
from jounce.cuda.arrays import DeviceArray, empty, from_numpy
from jounce.cuda.library import CudaLibrary
from jounce.errors import ArgumentError
from jounce.frameworks.operators import Shape
from jounce.quantities.arrays import on_cuda
from jounce.runtime.cuda import memory

_HERE = nullcontext()


class OwnLibrary(CudaLibrary):
    """`DeviceArray`, on the stream that arrays name."""

    name, kind = "cuda", DeviceArray

    def owns(self, x: Any) -> bool:
        """Whether it is one of ours."""
        return isinstance(x, DeviceArray)

    def array(self, x: Any, what: str) -> Any:
        """An argument as one of ours, or as NumPy's."""
        if not self.owns(x) and on_cuda(x):
            x = exchange.taken(x, exchange.stream_of((x,)), what)
        return super().array(x, what)

    def device(self, x: DeviceArray) -> int:
        """The number of an array's device."""
        return x.device

    def pointer(self, x: DeviceArray) -> int:
        """The address of an array's first entry."""
        return x.pointer

    def packed(self, x: DeviceArray) -> bool:
        """Whether an array's entries lie row by row."""
        return x.contiguous

    def stream(self, like: DeviceArray) -> int:
        """The stream that a call goes to."""
        return like.stream

    def there(self, like: DeviceArray) -> AbstractContextManager[Any]:
        """Whoever uses memory finds its device."""
        return _HERE

    def empty(self, shape: Shape, dtype: np.dtype[Any], like: DeviceArray, what: str) -> Any:
        """A new array."""
        return empty(like._device, shape, dtype, like.stream, what)

    def converted(self, x: Any, dtype: np.dtype[Any], like: DeviceArray) -> DeviceArray:
        """An array in a precision, by NumPy."""
        values = x.copy_to_host() if self.owns(x) else np.asarray(x)
        return from_numpy(like._device, values.astype(dtype), like.stream, "an argument")

    def regular(self, x: DeviceArray, shape: Shape) -> DeviceArray:
        """A copy row by row; if it does not lie so already, by NumPy."""
        if x.contiguous and x.shape == shape:
            made = empty(x._device, shape, x.dtype, x.stream, "an argument")
            self.store(x, made)
            return made
        values = np.broadcast_to(x.copy_to_host(), shape)
        return from_numpy(x._device, values, x.stream, "an argument")

    def store(self, result: DeviceArray, out: DeviceArray) -> None:
        """Copy a result, on the device."""
        if not out.contiguous:
            raise ArgumentError(
                f"out must be C-contiguous, found strides {out.strides} for shape {out.shape}; give"
                " a contiguous array"
            )
        if result.nbytes:
            place = result.pointer, out.pointer, result.nbytes
            memory.within(result._device, *place, result.stream)

    def moved(self, x: DeviceArray, source: int, target: int) -> DeviceArray:
        """A view of an array with an axis in another place."""
        return x.moved(source, target)

    def target(self, out: Any, like: DeviceArray, what: str) -> DeviceArray:
        """An array for a result, whichever library it is of."""
        if not on_cuda(out):
            raise TypeError(
                f"{what} must be an array on CUDA, or a tuple of them for several results, found"
                f" {type(out).__name__}"
            )
        if hasattr(out, "__cuda_array_interface__") and out.__cuda_array_interface__["data"][1]:
            raise ArgumentError(f"{what} must be writable, found a read-only array")
        return exchange.taken(out, like.stream, what)

    def product(self, x: Any, matrix: Any) -> np.ndarray:
        """x times a NumPy matrix, by NumPy."""
        values = x.copy_to_host() if self.owns(x) else np.asarray(x)
        return values @ np.asarray(matrix, values.dtype)

    def __reduce__(self) -> str:
        return "LIBRARY"


LIBRARY = OwnLibrary()
