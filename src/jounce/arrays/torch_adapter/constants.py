"""Python and NumPy constants mixed with tensors, moved to the device of the tensors.

A copy from the host synchronizes with the GPU and cannot be captured in a CUDA graph. Therefore
equal numbers are filled in on the device, copies of small arrays are cached there, and in a
captured graph an array is concatenated from filled pieces.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from jounce.arrays.torch_adapter import cuda, operations

#: Maximum size of a cached array in bytes, and maximum number of cached arrays.
_MAX_COPY_BYTES, _MAX_COPIES = 1 << 15, 256

#: Maximum number of filled pieces of a constant in a graph.
_MAX_PIECES = 128

#: Attribute of a tensor with the numbers that it was created from.
_NUMBERS_ATTRIBUTE = "_jounce_numbers"

#: Cache of copies by content, dtype and device; cleared when it is full.
_copies: dict[Any, Tensor] = {}

#: Copies that captured graphs read at every launch; kept alive, as launches are not observable.
_in_graphs: dict[Any, Tensor] = {}

#: Run-length encoding: numbers with their counts.
Pieces = list[tuple[float, int]]


def mark_constant(tensor: Tensor, numbers: Any) -> Tensor:
    """Mark a tensor on the CPU as made of numbers, and return it."""
    setattr(tensor, _NUMBERS_ATTRIBUTE, numbers)
    return tensor


def is_constant(tensor: Tensor) -> bool:
    """Return whether a tensor was made of numbers, so that it may be moved to any device."""
    return hasattr(tensor, _NUMBERS_ATTRIBUTE)


def move_constant(tensor: Tensor, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Return a constant tensor on another device."""
    return make_constant(getattr(tensor, _NUMBERS_ATTRIBUTE), dtype, device)


def make_constant(numbers: Any, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Return Python or NumPy numbers as a tensor on a device."""
    kind: dict[str, Any] = {"dtype": dtype, "device": device}
    if isinstance(numbers, (torch.SymFloat, torch.SymInt)):  # symbolic numbers of a graph
        symbol: Any = numbers
        return torch.scalar_tensor(symbol, **kind)
    if torch.compiler.is_dynamo_compiling():  # the cache below cannot be traced
        return (
            torch.full((), numbers, **kind)
            if _is_number(numbers)
            else torch.tensor(numbers, **kind)
        )
    array = np.asarray(numbers, np.float64)
    if device.type == "cpu":
        return torch.tensor(array, **kind)
    pieces = _pieces(array)
    if len(pieces) <= 1:
        return torch.full(array.shape, pieces[0][0] if pieces else 0.0, **kind)
    if not operations.is_captured(()):
        return _copy_to_device(array, pieces, kind)
    return (
        torch.tensor(array, **kind)
        if len(pieces) > _MAX_PIECES
        else _join_pieces(array, pieces, kind)
    )


def _is_number(numbers: Any) -> bool:
    """Return whether an object is a Python scalar."""
    return isinstance(numbers, (float, int))


def _pieces(array: np.ndarray) -> Pieces:
    """Return the run-length encoding of an array in row-major order."""
    bits = (
        np.ascontiguousarray(array).reshape(-1).view(np.int64)
    )  # bitwise: NaN equals NaN, -0 differs from 0
    starts = np.flatnonzero(np.concatenate(([True], bits[1:] != bits[:-1]))[: bits.size])
    counts = np.diff(np.append(starts, bits.size))
    return [(float(array.flat[k]), int(n)) for k, n in zip(starts, counts, strict=True)]


def _join_pieces(array: np.ndarray, pieces: Pieces, kind: dict[str, Any]) -> Tensor:
    """Concatenate an array from pieces that are filled on the device."""
    parts = [torch.full((count,), value, **kind) for value, count in pieces]
    return torch.cat(parts).reshape(array.shape)


def _copy_to_device(array: np.ndarray, pieces: Pieces, kind: dict[str, Any]) -> Tensor:
    """Copy an array to a device; copies of small arrays are cached."""
    key = array.tobytes(), array.shape, *kind.values()
    copy = _copies.get(key)
    if copy is not None:
        if cuda.is_capturing():
            _in_graphs[key] = copy
        elif copy.is_cuda:  # do not reuse its memory before this stream has read it
            copy.record_stream(torch.cuda.current_stream(copy.device))
        return copy
    if cuda.is_capturing():
        if len(pieces) <= _MAX_PIECES:
            return _join_pieces(array, pieces, kind)
        raise RuntimeError(
            f"a NumPy array of shape {array.shape} cannot be copied to {kind['device']} while a"
            " CUDA graph is captured; pass a tensor on that device"
        )
    with torch.inference_mode(False):  # cached tensors may take part in autograd
        made = torch.tensor(array, **kind)
    if array.nbytes > _MAX_COPY_BYTES:
        return made
    if len(_copies) >= _MAX_COPIES:
        _copies.clear()
    return _copies.setdefault(key, made)
