"""As much of CuPy as `jounce.arrays.cupy_adapter` asks of it, in host memory."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

#: Streams by device, the current device, copies that were made, and the device of an address.
STATE = SimpleNamespace(device=0, streams={0: 0, 1: 0}, copies=0, device_of=lambda pointer: 0)


class Device:
    """A device, which a `with` statement makes the current one."""

    def __init__(self, number: int) -> None:
        self.id = number

    def __enter__(self) -> Device:
        self._before, STATE.device = STATE.device, self.id
        return self

    def __exit__(self, *error: Any) -> None:
        STATE.device = self._before


class ndarray:
    """An array "on a device"."""

    def __init__(self, values: np.ndarray, device: int) -> None:
        self._values, self.device = values, Device(device)

    shape = property(lambda self: self._values.shape)
    strides = property(lambda self: self._values.strides)
    dtype = property(lambda self: self._values.dtype)
    ndim = property(lambda self: self._values.ndim)
    size = property(lambda self: self._values.size)
    data = property(
        lambda self: SimpleNamespace(ptr=self._values.ctypes.data, device_id=self.device.id)
    )
    flags = property(lambda self: self._values.flags)
    __array__ = None  # as CuPy, which refuses

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        said = {k: v for k, v in self._values.__array_interface__.items() if k != "descr"}
        return {**said, "stream": 1}

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self.device.id

    def __dlpack__(self, **options: Any) -> Any:
        raise NotImplementedError

    def get(self) -> np.ndarray:
        """The values."""
        return self._values

    def _of(self, values: Any) -> ndarray:
        return ndarray(np.asarray(values), self.device.id)

    def __getitem__(self, index: Any) -> ndarray:
        return self._of(self._values[index])

    def __setitem__(self, index: Any, other: ndarray) -> None:
        assert isinstance(other, ndarray)
        STATE.copies += 1
        self._values[index] = other._values

    def __add__(self, other: ndarray) -> ndarray:
        return self._of(self._values + other._values)

    def __matmul__(self, other: ndarray) -> ndarray:
        assert self.device.id == other.device.id == STATE.device
        return self._of(self._values @ other._values)

    def reshape(self, shape: tuple[int, ...]) -> ndarray:
        return self._of(self._values.reshape(shape))

    def astype(self, dtype: Any) -> ndarray:
        return self._of(self._values.astype(dtype))

    def sum(self) -> ndarray:
        return self._of(self._values.sum())


ndarray.__module__ = "cupy"


def asarray(x: Any, dtype: Any = None) -> ndarray:
    """An array on the current device."""
    if isinstance(x, ndarray):
        return (
            x
            if dtype is None or dtype == x.dtype
            else ndarray(x._values.astype(dtype), x.device.id)
        )
    if hasattr(x, "__cuda_array_interface__"):
        said = dict(x.__cuda_array_interface__)
        assert said.pop("stream", None) is None  # for which CuPy would stop the host
        pointer, size = said["data"][0], int(np.prod(said["shape"]))
        device = STATE.device_of(pointer) if size else STATE.device
        view = np.asarray(SimpleNamespace(__array_interface__={**said, "data": (pointer or 8, 0)}))
        return ndarray(view, device)
    return ndarray(np.array(x, dtype), STATE.device)


class _Capsule:
    """A DLPack capsule of host memory, for NumPy."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **options: Any) -> Any:
        return self._capsule


def from_dlpack(x: Any) -> ndarray:
    """An array in the same memory, whose library is told the current stream."""
    kind, number = x.__dlpack_device__()
    assert kind == 2
    capsule = x.__dlpack__(stream=STATE.streams[number] or 1)
    return ndarray(np.from_dlpack(_Capsule(capsule)), number)


def array(x: ndarray, order: str = "C") -> ndarray:
    """A copy."""
    STATE.copies += 1
    return ndarray(np.array(x._values, order="C"), x.device.id)


def empty(shape: tuple[int, ...], dtype: Any) -> ndarray:
    """An array of NaN on the current device."""
    if np.prod(shape, dtype=np.int64) > 1 << 30:
        raise MemoryError("Out of memory allocating, simulated")
    return ndarray(np.full(shape, np.nan, dtype), STATE.device)


def broadcast_to(x: ndarray, shape: tuple[int, ...]) -> ndarray:
    """A view."""
    return x._of(np.broadcast_to(x._values, shape))


def moveaxis(x: ndarray, source: int, target: int) -> ndarray:
    """A view."""
    return x._of(np.moveaxis(x._values, source, target))


def module() -> ModuleType:
    """What stands for CuPy."""
    made = ModuleType("cupy")
    for item in (ndarray, asarray, from_dlpack, array, empty, broadcast_to, moveaxis):
        setattr(made, item.__name__, item)
    made.__dict__["cuda"] = SimpleNamespace(
        runtime=SimpleNamespace(getDevice=lambda: STATE.device),
        get_current_stream=lambda: SimpleNamespace(ptr=STATE.streams[STATE.device]),
        Device=Device,
    )
    return made
