"""Memory of devices, in the order of their streams."""

from __future__ import annotations

import contextlib
import ctypes
from collections import deque
from collections.abc import Iterable
from typing import Any

import numpy as np

from jounce.runtime.cuda.driver import STATE, Device, Driver, driver

#: Handles of the default streams: the legacy one, and that of each thread.
LEGACY, PER_THREAD = 1, 2

#: The driver's flag for events that only order what streams do.
_NO_TIMES = 2

#: The driver's code for a stream that is captured.
_CAPTURED = 1

#: Bytes of arrays for which no stream is waited for.
_SMALL = 1 << 16

#: Arrays that streams may still read, each with its driver and the event after which they do not.
_read: deque[tuple[Driver, Any, np.ndarray]] = deque()


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


def free(device: Device, pointer: int, stream: int, others: Iterable[int] = ()) -> None:
    """Give memory back when a stream, and others, have done what they were given so far."""
    if STATE.inherited or device.driver is not STATE.made.get("driver"):
        return  # a child's address is its parent's memory
    call = device.driver
    if any(captured(call, other) for other in others):
        return  # into a graph, which reads it whenever it is launched
    if stream == PER_THREAD:  # which is another one here; the legacy one comes after all of them
        stream = LEGACY
    with device.current():
        if pooled(device):
            try:
                for other in others:
                    follow(device, stream, other)
                call("cuMemFreeAsync", pointer, stream)
                return
            except RuntimeError:
                # a stream is gone, what it was given may still run, and nothing below waits for it
                call.api.cuCtxSynchronize()
        call.api.cuMemFree(pointer)


def pooled(device: Device) -> bool:
    """Whether a device has memory in the order of streams, as all but some shared ones have."""
    kind = device.driver.api.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED
    made: dict[str, Any] = vars(device)
    if "_pooled" not in made:
        made["_pooled"] = bool(device.driver("cuDeviceGetAttribute", kind, device.handle))
    return made["_pooled"]


def to_device(device: Device, array: np.ndarray, pointer: int, stream: int) -> None:
    """Copy an array, row by row, to an address, in the order of a stream.

    The array may be changed at once. That the driver has read it when it returns, it does not
    promise: small arrays are copied, and the copy is kept; for large ones the stream is waited for.
    """
    copyable(device.driver, stream)
    call, small = device.driver, array.nbytes <= _SMALL
    copy = np.array(array, order="C") if small else np.ascontiguousarray(array)
    with device.current():
        call("cuMemcpyHtoDAsync", pointer, copy.ctypes.data, copy.nbytes, stream)
        if not small:
            call("cuStreamSynchronize", stream)
            return
        event = call("cuEventCreate", _NO_TIMES)
        call("cuEventRecord", event, stream)
        _read.append((call, event, copy))
        _let_go_of_read()


def _let_go_of_read() -> None:
    """Release arrays that have been read, the oldest first."""
    with contextlib.suppress(IndexError):  # none is left
        while True:
            item = call, event, _ = _read.popleft()  # now it is nobody else's
            if call is STATE.made.get("driver"):
                if int(call.api.cuEventQuery(event)[0]):
                    _read.appendleft(item)
                    return
                call("cuEventDestroy", event)


def copyable(call: Driver, stream: int) -> None:
    """Refuse to copy numbers of the processor into a stream from which a graph is captured."""
    if captured(call, stream):
        raise RuntimeError(
            "numbers and NumPy's arrays cannot be copied to a device while a CUDA graph is"
            " captured: a replay would read memory that is gone by then; give arrays that are"
            " on the device"
        )


def captured(call: Driver, stream: int) -> bool:
    """Whether what a stream is given goes into a CUDA graph."""
    if stream <= LEGACY:  # from which none can be captured
        return False
    status = ctypes.c_int()
    ask = call.function("cuStreamIsCapturing", ctypes.c_void_p, ctypes.c_void_p)
    return not ask(stream, ctypes.addressof(status)) and status.value == _CAPTURED


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
