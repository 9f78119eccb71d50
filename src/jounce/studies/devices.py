"""Array libraries of a study: NumPy on the CPU, CuPy on CUDA devices."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from jounce.errors import ArgumentError


def import_cupy() -> Any:
    """Return CuPy; raise ArgumentError if it is not installed."""
    try:
        import cupy  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise ArgumentError(
            "devices: studies on GPUs need CuPy; install it, as 'pip install cupy-cuda12x', or"
            " omit `devices`"
        ) from None
    return cupy


def namespace(x: Any) -> Any:
    """Return the library of an array: numpy or cupy."""
    return np if isinstance(x, np.ndarray) else import_cupy()


def use_device(device: int | None) -> tuple[Any, AbstractContextManager[Any]]:
    """Return the array library for a CUDA device, or for the CPU (None), and its context."""
    if device is None:
        return np, nullcontext()
    xp = import_cupy()
    return xp, xp.cuda.Device(device)


def parse_devices(devices: Sequence[int] | str | int) -> list[int]:
    """Return the device numbers of the option `devices`: numbers, or "all"."""
    count = import_cupy().cuda.runtime.getDeviceCount()
    numbers: Any = range(count) if devices == "all" else devices
    numbers = [numbers] if isinstance(numbers, int) else numbers
    if not isinstance(numbers, Sequence) or isinstance(numbers, str) or not len(numbers):
        raise ArgumentError(f"devices must be 'all' or numbers such as [0, 1], found {devices!r}")
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < count:
            raise ArgumentError(
                f"devices: expected CUDA devices from 0 to {count - 1}, found {number!r}"
            )
    return list(numbers)


def find_visible_device() -> int | None:
    """Return the first CUDA device that this process sees; None if it sees none."""
    try:
        return 0 if import_cupy().cuda.runtime.getDeviceCount() else None
    except Exception:  # CuPy raises errors of several kinds if there is no driver
        return None
