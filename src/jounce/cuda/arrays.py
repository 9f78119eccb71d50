"""Arrays on CUDA devices in memory of our own, or of others who say where theirs lie."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from jounce.cuda import dlpack
from jounce.cuda.layout import Shape, contiguous, span
from jounce.runtime.cuda import memory
from jounce.runtime.cuda.driver import Device

#: What DLPack calls memory of CUDA.
ON_CUDA = 2


class _Address:
    """What NumPy takes for an array at an address."""

    def __init__(self, interface: dict[str, Any]) -> None:
        self.__array_interface__ = interface


class DeviceArray:
    """An array on a CUDA device, in the order of a stream.

    Libraries take it without a copy, by `__cuda_array_interface__` or DLPack: `cupy.asarray(x)`,
    `torch.from_dlpack(x)`. `copy_to_host()` gives NumPy's, and so does `numpy.asarray`; slices are
    views. Memory that was allocated here goes back when the last array on it is gone.
    """

    def __init__(
        self,
        device: Device,
        pointer: int,
        shape: Shape,
        strides: Shape | None,
        dtype: DTypeLike,
        stream: int,
        owner: Any = None,
    ) -> None:
        # of NumPy's array only shape and strides are used: the processor cannot read the address
        typestr = np.dtype(dtype).str
        interface = {"shape": shape, "strides": strides, "typestr": typestr, "version": 3}
        self._at = np.asarray(_Address({**interface, "data": (pointer, False)}))
        self._device, self._stream, self._owner = device, stream, owner

    @property
    def shape(self) -> Shape:
        """Lengths of its axes."""
        return self._at.shape

    @property
    def strides(self) -> Shape:
        """Bytes from one entry to the next along each axis."""
        return self._at.strides

    @property
    def dtype(self) -> np.dtype[Any]:
        """Kind of its entries."""
        return self._at.dtype

    @property
    def ndim(self) -> int:
        """Number of its axes."""
        return self._at.ndim

    @property
    def size(self) -> int:
        """Number of its entries."""
        return self._at.size

    @property
    def nbytes(self) -> int:
        """Bytes of its entries."""
        return self._at.nbytes

    @property
    def device(self) -> int:
        """The number of its device."""
        return self._device.number

    @property
    def stream(self) -> int:
        """The stream in whose order it is written, 1 for the legacy default one."""
        return self._stream

    @property
    def pointer(self) -> int:
        """The address of its first entry; 0 if it has none."""
        return self._at.__array_interface__["data"][0] if self.size else 0

    def __len__(self) -> int:
        return len(self._at)

    def __repr__(self) -> str:
        return f"<DeviceArray {self.shape} of {self.dtype} on CUDA device {self.device}>"

    # -------------------------------------------------------------- views

    def __getitem__(self, index: Any) -> DeviceArray:
        """A view of a part: integers, slices, ... and None."""
        parts = index if isinstance(index, tuple) else (index,)
        if not all(x is None or x is ... or isinstance(x, (int, np.integer, slice)) for x in parts):
            raise TypeError(
                "a DeviceArray is indexed by integers, slices, ... and None, found"
                f" {type(index).__name__}; give cupy.asarray of it"
            )
        # with ... a single entry is an array, too
        return self._view(self._at[parts if ... in parts else (*parts, ...)])

    def moved(self, source: int, target: int) -> DeviceArray:
        """A view with an axis in another place."""
        return self._view(np.moveaxis(self._at, source, target))

    def spread(self, shape: Shape) -> DeviceArray:
        """A view that repeats itself along leading axes."""
        return self._view(np.broadcast_to(self._at, shape))

    def _view(self, at: np.ndarray) -> DeviceArray:
        pointer = at.__array_interface__["data"][0]
        place = pointer, at.shape, at.strides, at.dtype, self._stream
        return DeviceArray(self._device, *place, owner=self._owner)

    def read_by(self, stream: int) -> None:
        """Have a stream read it from now on, after what is not computed yet."""
        memory.follow(self._device, stream, self._stream)
        if isinstance(self._owner, _Memory) and stream != self._stream:
            self._owner.readers.add(stream)

    @property
    def contiguous(self) -> bool:
        """Whether its entries lie row by row."""
        return contiguous(self.shape, self.strides, self.dtype.itemsize)

    # -------------------------------------------------------------- values

    def copy_to_host(self) -> np.ndarray:
        """Its values as an array of NumPy's, once they are computed."""
        size = self.dtype.itemsize
        first, end = span(self.shape, self.strides, size)
        raw = np.empty(end - first, np.uint8)
        if raw.size:
            memory.to_host(self._device, self.pointer + first, raw, self._stream)
        found = np.ndarray(self.shape, self.dtype, raw, -first, self.strides)
        return np.ascontiguousarray(found).reshape(self.shape)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError(
                "values of a DeviceArray are copied from its device; copy=False is not"
            )
        return self.copy_to_host().astype(dtype or self.dtype, copy=False)

    # -------------------------------------------------------------- for others

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Where it lies, for Numba, CuPy and others."""
        return {
            "shape": self.shape,
            "strides": None if self.contiguous else self.strides,
            "typestr": self.dtype.str,
            "data": (self.pointer, False),
            "version": 3,
            "stream": self._stream,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return ON_CUDA, self.device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A capsule with the array, whose reader's stream waits for what is not computed yet.

        stream: as DLPack has it: None for the legacy default one, -1 to wait for nothing.
        """
        if dl_device not in (None, self.__dlpack_device__()):
            raise BufferError(f"a DeviceArray stays on its device, {self.__dlpack_device__()}")
        if copy:
            raise BufferError("a DeviceArray is given to others without a copy; copy=True is not")
        if stream != -1:
            self.read_by(stream or memory.LEGACY)
        return dlpack.capsule(self, self.pointer, (ON_CUDA, self.device))


def empty(device: Device, shape: Shape, dtype: DTypeLike, stream: int, what: str) -> DeviceArray:
    """A new array row by row, in memory that goes back when it is gone; what: for messages."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if not size:
        return DeviceArray(device, 1, shape, None, dtype, stream)
    owner = _Memory(device, memory.allocate(device, size, stream, what), stream)
    return DeviceArray(device, owner.pointer, shape, None, dtype, stream, owner)


class _Memory:
    """Memory that goes back to the device with the last array on it.

    readers: other streams that may still read it then.
    """

    def __init__(self, device: Device, pointer: int, stream: int) -> None:
        self.pointer = pointer
        self.readers = set[int]()
        given = device, pointer, stream, self.readers
        weakref.finalize(self, memory.free, *given).atexit = False


def from_numpy(device: Device, array: np.ndarray, stream: int, what: str) -> DeviceArray:
    """A copy of NumPy's array on a device; what: how messages begin."""
    found = empty(device, array.shape, array.dtype, stream, what)
    if found.size:
        memory.to_device(device, array, found.pointer, stream)
    return found
