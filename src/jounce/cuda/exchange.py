"""Arrays of others on CUDA as ours, and back again, without a copy and in the order of streams."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

from jounce.cuda import dlpack
from jounce.cuda.arrays import ON_CUDA, DeviceArray
from jounce.cuda.layout import Shape
from jounce.errors import legible
from jounce.quantities.arrays import on_cuda
from jounce.runtime.cuda import memory
from jounce.runtime.cuda.driver import driver

T = TypeVar("T")


def stream_of(given: Iterable[Any]) -> int:
    """The stream that a call goes to: that of the first array which names one, or the legacy one.

    Arrays that are exchanged by DLPack name none: their library is told which one reads them.
    """
    for x in given:
        if on_cuda(x) and hasattr(x, "__cuda_array_interface__"):
            stream = x.__cuda_array_interface__.get("stream")
            if stream is not None:
                return stream or memory.LEGACY
    return memory.LEGACY


def taken(x: Any, stream: int, what: str) -> DeviceArray:
    """An array of another library, to be used by a stream from now on.

    what: how messages begin.
    """
    if hasattr(x, "__cuda_array_interface__"):
        return _by_interface(x, stream, what)
    return _by_dlpack(x, stream, what)


def let_go(given: Iterable[Any], stream: int) -> None:
    """Have the streams that arrays of others name wait for the one that has read them.

    Otherwise their memory might serve something else there before it is read.
    """
    for x in given:
        if on_cuda(x) and hasattr(x, "__cuda_array_interface__") and not isinstance(x, DeviceArray):
            said = x.__cuda_array_interface__
            ready, pointer = said.get("stream"), said["data"][0]
            if ready is not None and pointer:
                memory.follow(memory.device_of(pointer), ready or memory.LEGACY, stream)


def _asked(x: Any, what: str, question: Callable[[], T]) -> T:
    """What an array's library answers; whatever it raises is said in its words."""
    try:
        return question()
    except Exception as error:
        reason = legible(str(error).strip().partition("\n")[0], 300)
        raise TypeError(f"{what} ({type(x).__name__}) gives no array: {reason}") from error


def _by_interface(x: Any, stream: int, what: str) -> DeviceArray:
    """By `__cuda_array_interface__`."""
    found = driver()  # whose refusals are its own
    said, pointer, shape, dtype = _asked(x, what, lambda: _read(x))
    if said.get("mask") is not None:
        raise TypeError(f"{what} has a mask, which no kernel knows; give only what is not masked")
    device = _asked(x, what, lambda: memory.device_of(pointer)) if pointer else found.device(0)
    ready = said.get("stream")
    if isinstance(x, DeviceArray):
        x.read_by(stream)
    elif ready is not None:
        memory.follow(device, stream, ready or memory.LEGACY)
    owner = x._owner if isinstance(x, DeviceArray) else x
    return DeviceArray(device, pointer or 1, shape, said.get("strides"), dtype, stream, owner)


def _read(x: Any) -> tuple[dict[str, Any], int, Shape, np.dtype[Any]]:
    """What an array says of itself, with its address, shape and kind of entries."""
    said = x.__cuda_array_interface__
    return said, said["data"][0], tuple(said["shape"]), np.dtype(said["typestr"])


def _by_dlpack(x: Any, stream: int, what: str) -> DeviceArray:
    """By DLPack; the library has the stream wait for what is not computed yet."""
    capsule = _asked(x, what, lambda: x.__dlpack__(stream=stream))
    said = dlpack.described(capsule, what)
    kind, number = said.device
    if kind != ON_CUDA:
        raise TypeError(f"{what} is on DLPack's device {said.device}, not on CUDA")
    device = driver().device(number)
    place = said.pointer or 1, said.shape, said.strides, said.dtype, stream
    return DeviceArray(device, *place, owner=capsule)


def returned(x: DeviceArray, like: Any) -> Any:
    """A result as an array of the library that another array is of, if that takes DLPack."""
    make = None if isinstance(like, DeviceArray) else _reader(like)
    return x if make is None else make(x)


def _reader(like: Any) -> Callable[[Any], Any] | None:
    """A library's `from_dlpack`: of the array API's namespace, or of the package itself."""
    namespace = getattr(like, "__array_namespace__", None)
    if callable(namespace):
        found = getattr(namespace(), "from_dlpack", None)
        if found is not None:
            return found
    package = sys.modules.get(type(like).__module__.partition(".")[0])
    return getattr(package, "from_dlpack", None)
