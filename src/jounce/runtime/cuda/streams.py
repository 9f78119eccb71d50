"""Order between CUDA streams, and restrictions of streams that are captured into graphs."""

from __future__ import annotations

import ctypes

from jounce.runtime.cuda.driver import Device, Driver

#: Handle of the legacy default stream; 0 is another name for it.
LEGACY = 1

#: CU_EVENT_DISABLE_TIMING: events that only order streams.
_DISABLE_TIMING = 2

#: CU_STREAM_CAPTURE_STATUS_ACTIVE.
_CAPTURE_ACTIVE = 1


def wait(device: Device, stream: int, other: int) -> None:
    """Make a stream wait on the device for the work submitted to another one so far.

    Parameters
    ----------
    device : Device
    stream, other : int
        Handles; `stream` waits for `other`.
    """
    if (stream or LEGACY) == (other or LEGACY):
        return
    call = device.driver
    with device.current():
        event = call("cuEventCreate", _DISABLE_TIMING)
        try:
            call("cuEventRecord", event, other)
            call("cuStreamWaitEvent", stream, event, 0)
        finally:
            call("cuEventDestroy", event)


def refuse_host_copy(driver: Driver, stream: int) -> None:
    """Raise RuntimeError in a captured stream: a replay would read freed host memory."""
    if is_captured(driver, stream):
        raise RuntimeError(
            "numbers and NumPy's arrays cannot be copied to a device while a CUDA graph is"
            " captured: a replay would read freed memory; pass arrays that are on the device"
        )


def is_captured(driver: Driver, stream: int) -> bool:
    """Return whether a stream is being captured into a CUDA graph."""
    if stream <= LEGACY:  # legacy streams cannot be captured
        return False
    status = ctypes.c_int()
    query = driver.function("cuStreamIsCapturing", ctypes.c_void_p, ctypes.c_void_p)
    return not query(stream, ctypes.addressof(status)) and status.value == _CAPTURE_ACTIVE
