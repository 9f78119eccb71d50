"""CuPy's arrays, on its current stream."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from jounce.cuda.library import CudaLibrary
from jounce.frameworks.operators import Shape
from jounce.process.once import once
from jounce.runtime.cuda import memory
from jounce.runtime.cuda.driver import driver

_HERE = nullcontext()


class CupyLibrary(CudaLibrary):
    """CuPy: memory of its pools, results in the order of its current stream."""

    name = "cupy"

    def __init__(self) -> None:
        import cupy  # which is there if an array of it is

        self._cupy = cupy
        self.kind: type = cupy.ndarray
        self._current_device = cupy.cuda.runtime.getDevice
        self._current_stream = cupy.cuda.get_current_stream

    def owns(self, x: Any) -> bool:
        """Whether it is one of CuPy's arrays."""
        return isinstance(x, self.kind)

    def device(self, x: Any) -> int:
        """The number of an array's device."""
        return x.device.id

    def pointer(self, x: Any) -> int:
        """The address of an array's first entry."""
        return x.data.ptr

    def packed(self, x: Any) -> bool:
        """Whether an array's entries lie row by row."""
        return x.flags.c_contiguous

    def stream(self, like: Any) -> int:
        """CuPy's current stream; of an array's device, which is the current one here."""
        return self._current_stream().ptr

    def there(self, like: Any) -> AbstractContextManager[Any]:
        """Make the device of an array CuPy's current one."""
        number = like.device.id
        return _HERE if self._current_device() == number else self._cupy.cuda.Device(number)

    def empty(self, shape: Shape, dtype: np.dtype[Any], like: Any, what: str) -> Any:
        """A new array of CuPy's pool."""
        try:
            return self._cupy.empty(shape, dtype)
        except MemoryError as error:
            size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
            raise MemoryError(
                f"{what}: {size:,} bytes are needed on CUDA device {like.device.id}: {error}"
            ) from error

    def converted(self, x: Any, dtype: np.dtype[Any], like: Any) -> Any:
        """An array in a precision, on the current device."""
        return self._cupy.asarray(x, dtype) if self.owns(x) else self._brought(x, dtype)

    def _brought(self, x: np.ndarray, dtype: np.dtype[Any]) -> Any:
        """NumPy's array on the current device; a single number is filled in there."""
        if x.ndim:  # copied from memory that CuPy uses for other things afterwards
            memory.copyable(driver(), self._current_stream().ptr)
        return self._cupy.asarray(x, dtype)

    def regular(self, x: Any, shape: Shape) -> Any:
        """A copy row by row."""
        return self._cupy.array(self._cupy.broadcast_to(x, shape), order="C")

    def store(self, result: Any, out: Any) -> None:
        """Copy a result."""
        out[...] = result

    def moved(self, x: Any, source: int, target: int) -> Any:
        """A view of an array with an axis in another place."""
        return self._cupy.moveaxis(x, source, target)

    def target(self, out: Any, like: Any, what: str) -> Any:
        """An array for a result, if it is one of CuPy's."""
        if not self.owns(out):
            raise TypeError(
                f"{what} must be a cupy.ndarray as the arguments are, or a tuple of them for"
                f" several results, found {type(out).__name__}"
            )
        return out

    def product(self, x: Any, matrix: Any) -> Any:
        """x times a NumPy matrix."""
        if not self.owns(x):
            return x @ np.asarray(matrix, x.dtype)
        with self.there(x):
            return x @ self._brought(np.asarray(matrix), x.dtype)

    def taken(self, x: Any) -> Any:
        """An array of another library on CUDA as CuPy's, without a copy."""
        if self.owns(x):
            return x
        if hasattr(x, "__cuda_array_interface__"):
            return self._cupy.asarray(x)
        return self._cupy.from_dlpack(x)

    def __reduce__(self) -> Any:
        return cupy_library, ()


@once
def cupy_library() -> CupyLibrary:
    """CuPy, imported when asked for."""
    return CupyLibrary()
