"""Numbers beside tensors: Python's and NumPy's, on the device where the tensors lie.

A copy to a GPU waits for it, and can be in no CUDA graph. So numbers that are all the same are
filled in there, small arrays are kept on the device, and where a graph is recorded they are put
together of filled pieces.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from jounce.arrays.torch_adapter import cuda, operations

#: Bytes of the largest array that is kept, and how many are.
_LARGEST, _MOST = 1 << 15, 256

#: Pieces of equal numbers that a constant in a graph has at most.
_PIECES = 128

#: Under which name a tensor has the numbers that it was made of.
_NUMBERS = "_jounce_numbers"

#: Copies by what they are of; all go when they are too many.
_kept: dict[Any, Tensor] = {}

#: Those that graphs read whenever they are launched, which nobody is told of: these stay.
_in_graphs: dict[Any, Tensor] = {}

#: Numbers, each with how often it stands there in a row.
Pieces = list[tuple[float, int]]


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
    if torch.compiler.is_dynamo_compiling():  # which has no use for what is below
        return torch.full((), numbers, **kind) if _one(numbers) else torch.tensor(numbers, **kind)
    array = np.asarray(numbers, np.float64)
    if device.type == "cpu":
        return torch.tensor(array, **kind)
    pieces = _pieces(array)
    if len(pieces) <= 1:
        return torch.full(array.shape, pieces[0][0] if pieces else 0.0, **kind)
    if not operations.captured(()):
        return _kept_there(array, pieces, kind)
    return torch.tensor(array, **kind) if len(pieces) > _PIECES else _joined(array, pieces, kind)


def _one(numbers: Any) -> bool:
    """Whether it is a number of Python's."""
    return isinstance(numbers, (float, int))


def _pieces(array: np.ndarray) -> Pieces:
    """The numbers of an array, row by row, each with how often it stands there in a row."""
    bits = np.ascontiguousarray(array).reshape(-1).view(np.int64)  # NaN is like itself, -0 not as 0
    starts = np.flatnonzero(np.concatenate(([True], bits[1:] != bits[:-1]))[: bits.size])
    counts = np.diff(np.append(starts, bits.size))
    return [(float(array.flat[k]), int(n)) for k, n in zip(starts, counts, strict=True)]


def _joined(array: np.ndarray, pieces: Pieces, kind: dict[str, Any]) -> Tensor:
    """An array of pieces that are filled where they lie."""
    parts = [torch.full((count,), value, **kind) for value, count in pieces]
    return torch.cat(parts).reshape(array.shape)


def _kept_there(array: np.ndarray, pieces: Pieces, kind: dict[str, Any]) -> Tensor:
    """A copy on a device; that of a small array is kept, since it is likely to be needed again."""
    key = array.tobytes(), array.shape, *kind.values()
    found = _kept.get(key)
    if found is not None:
        if cuda.capturing():
            _in_graphs[key] = found
        elif found.is_cuda:  # its memory waits for this stream, too, when it goes
            found.record_stream(torch.cuda.current_stream(found.device))
        return found
    if cuda.capturing():
        if len(pieces) <= _PIECES:
            return _joined(array, pieces, kind)
        raise RuntimeError(
            f"an array {array.shape} of NumPy's cannot be copied to {kind['device']} while a CUDA"
            " graph is captured; give a tensor that is there"
        )
    with torch.inference_mode(False):  # what is kept may be needed for a gradient
        made = torch.tensor(array, **kind)
    if array.nbytes > _LARGEST:
        return made
    if len(_kept) >= _MOST:
        _kept.clear()
    return _kept.setdefault(key, made)
