"""Memory of devices, in the order of their streams."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from jounce.runtime.cuda.driver import STATE, Device, driver

#: Handles of the default streams: the legacy one, and that of each thread.
LEGACY, PER_THREAD = 1, 2

#: The driver's flag for events that only order what streams do.
_NO_TIMES = 2


def allocate(device: Device, size: int, stream: int, what: str) -> int:
    """The address of so many bytes, for what a stream does from now on.

    what: how messages begin.
    """
    call = device.driver
    with device.current():
        try:
            if pooled(device):
                return int(call("cuMemAllocAsync", size, stream))
            return int(call("cuMemAlloc", size))
        except MemoryError as error:
            free, total = call("cuMemGetInfo")
            raise MemoryError(
                f"{what}: {size:,} bytes are needed on device {device.number} ({device.name}),"
                f" which has {free:,} of {total:,} bytes free"
            ) from error


def free(device: Device, pointer: int, stream: int) -> None:
    """Give memory back when a stream has done what it was given so far."""
    if STATE.inherited or device.driver is not STATE.made.get("driver"):
        return  # a child's address is its parent's memory
    api = device.driver.api
    with device.current():
        # streams of a thread mean another one here; those that are gone cannot be waited for
        if (
            stream == PER_THREAD
            or not pooled(device)
            or int(api.cuMemFreeAsync(pointer, stream)[0])
        ):
            api.cuMemFree(pointer)


def pooled(device: Device) -> bool:
    """Whether a device has memory in the order of streams, as all but some shared ones have."""
    kind = device.driver.api.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED
    made: dict[str, Any] = vars(device)
    if "_pooled" not in made:
        made["_pooled"] = bool(device.driver("cuDeviceGetAttribute", kind, device.handle))
    return made["_pooled"]


def to_device(device: Device, array: np.ndarray, pointer: int, stream: int) -> None:
    """Copy an array, row by row, to an address, in the order of a stream.

    The array may be changed at once: the driver has read it when it returns.
    """
    array = np.ascontiguousarray(array)
    with device.current():
        device.driver("cuMemcpyHtoDAsync", pointer, array.ctypes.data, array.nbytes, stream)


def to_host(device: Device, pointer: int, array: np.ndarray, stream: int) -> None:
    """Copy what lies at an address into a contiguous array, when a stream has come so far."""
    with device.current():
        device.driver("cuMemcpyDtoHAsync", array.ctypes.data, pointer, array.nbytes, stream)
        device.driver("cuStreamSynchronize", stream)


def within(device: Device, source: int, target: int, size: int, stream: int) -> None:
    """Copy bytes from one address of a device to another, in the order of a stream."""
    with device.current():
        device.driver("cuMemcpyDtoDAsync", target, source, size, stream)


def follow(device: Device, stream: int, other: int) -> None:
    """Have a stream wait for what another one was given so far."""
    if stream == other:
        return
    call = device.driver
    with device.current():
        event = call("cuEventCreate", _NO_TIMES)
        try:
            call("cuEventRecord", event, other)
            call("cuStreamWaitEvent", stream, event, 0)
        finally:
            call("cuEventDestroy", event)


def device_of(pointer: int) -> Device:
    """The device on which an address lies."""
    call = driver()
    kind = call.api.CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
    doing = f"looking for address {pointer:#x}"
    # whoever has memory has a context, but not on every thread
    lacking = not int(call("cuCtxGetCurrent"))
    with call.device(0).current() if lacking else contextlib.nullcontext():
        return call.device(int(call("cuPointerGetAttribute", kind, pointer, doing=doing)))
