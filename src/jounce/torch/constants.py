"""Numbers beside tensors: Python's and NumPy's, on the device where the tensors lie.

A copy to a GPU waits for it, and can be in no CUDA graph. So numbers that are all the same are
filled in there, small arrays are kept on the device, and where a graph is recorded they are put
together of filled pieces.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

import numpy as np
import torch
from torch import Tensor

from jounce.process.once import entry
from jounce.torch import cuda, operations

#: Bytes of the largest array that is kept, and how many are.
_LARGEST, _MOST = 1 << 15, 256

#: Pieces of equal numbers that a constant in a graph has at most.
_PIECES = 128

#: Under which name a tensor has the numbers that it was made of.
_NUMBERS = "_jounce_numbers"

_kept: OrderedDict[Any, Tensor] = OrderedDict()
_lock = threading.RLock()


def noted(tensor: Tensor, numbers: Any) -> Tensor:
    """A tensor on the CPU, after a note of which numbers it was made of."""
    setattr(tensor, _NUMBERS, numbers)
    return tensor


def is_constant(tensor: Tensor) -> bool:
    """Whether a tensor was made of numbers, and may lie on any device."""
    return hasattr(tensor, _NUMBERS)


def moved(tensor: Tensor, dtype: torch.dtype, device: torch.device) -> Tensor:
    """A constant tensor as one on another device."""
    return filled(getattr(tensor, _NUMBERS), dtype, device)


def filled(numbers: Any, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Numbers, of Python or NumPy, as a tensor on a device."""
    kind: dict[str, Any] = {"dtype": dtype, "device": device}
    if isinstance(numbers, (torch.SymFloat, torch.SymInt)):  # of which graphs know only names
        symbol: Any = numbers
        return torch.scalar_tensor(symbol, **kind)
    array = np.asarray(numbers, np.float64)
    if device.type == "cpu":
        return torch.tensor(array, **kind)
    pieces = _pieces(array)
    if len(pieces) <= 1:
        return torch.full(array.shape, pieces[0][0] if pieces else 0.0, **kind)
    recorded = operations.captured(()) or cuda.capturing()
    if not recorded:
        return _copied(array, dtype, device)
    if len(pieces) <= _PIECES:
        parts = [torch.full((count,), value, **kind) for value, count in pieces]
        return torch.cat(parts).reshape(array.shape)
    if cuda.capturing():
        raise RuntimeError(
            f"an array {array.shape} of NumPy's cannot be copied to {device} while a CUDA graph is"
            " captured; give a tensor that lies there"
        )
    return torch.tensor(array, **kind)


def _pieces(array: np.ndarray) -> list[tuple[float, int]]:
    """The numbers of an array, row by row, each with how often it stands there in a row."""
    bits = np.ascontiguousarray(array).reshape(-1).view(np.int64)  # NaN is like itself, -0 not as 0
    starts = np.flatnonzero(np.concatenate(([True], bits[1:] != bits[:-1]))[: bits.size])
    counts = np.diff(np.append(starts, bits.size))
    return [(float(array.flat[k]), int(n)) for k, n in zip(starts, counts, strict=True)]


def _copied(array: np.ndarray, dtype: torch.dtype, device: torch.device) -> Tensor:
    """A copy on a device; that of a small array is kept, since it is likely to be needed again."""

    def make() -> Tensor:
        with torch.inference_mode(False):  # what is kept may be needed for a gradient
            return torch.tensor(array, dtype=dtype, device=device)

    if array.nbytes > _LARGEST:
        return make()
    found = entry(_kept, (array.tobytes(), array.shape, dtype, device), make, _lock)
    while len(_kept) > _MOST:
        _forget()
    return found


def _forget() -> None:
    """Let go of what has been kept longest."""
    try:
        _kept.popitem(last=False)
    except KeyError:  # another thread was quicker
        return
