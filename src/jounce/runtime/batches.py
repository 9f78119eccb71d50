"""Large batches: on several threads, and into recycled memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jounce.process import threads
from jounce.runtime import recycling
from jounce.runtime.gufunc import Kernels

Shape = tuple[int, ...]

#: Blocks that a thread takes, about; they are handed out one by one, for all to end together.
_PER_THREAD = 16

#: Samples that blocks are multiples of: vectors, and lines of the cache.
_GRAIN = 16


def call(
    made: tuple[np.ufunc, Kernels],
    args: Sequence[np.ndarray],
    options: dict[str, Any],
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
    worth: int,
) -> Any:
    """Evaluate a gufunc on a large batch: on several threads where that is safe.

    inputs, outputs: core shapes. worth: fewest samples of a block.
    """
    ufunc, loops = made
    if not all(type(x) is np.ndarray for x in args):
        return ufunc(*args, **options)  # subclasses have a say in the result
    batch = _batch(args, inputs)
    results = None
    if batch:
        results = _destination(args, options, [batch + core for core in outputs])
    if batch is None or results is None:
        return recycling.pool().call(ufunc, *args, **options)
    full = [np.broadcast_to(a, batch + core) for a, core in zip(args, inputs, strict=True)]
    count = min(threads.get_num_threads(), max(batch[0] // 2, 1))
    if len(batch) > 1 or not _in_blocks(loops, full, results, count, worth):
        _in_slices(ufunc, full, results, count)
    return results[0] if len(results) == 1 else tuple(results)


def _in_blocks(
    loops: Kernels,
    full: Sequence[np.ndarray],
    results: Sequence[np.ndarray],
    count: int,
    worth: int,
) -> bool:
    """Have threads run the kernel on one block after the other, as fast as each can.

    A thread that wakes late, or shares its core, just does fewer. False if NumPy has to do it:
    convert, copy, or report what the processor tells.
    """
    operands = (*full, *results)
    n, dtype = len(full[0]), full[0].dtype
    plain = dtype.char in "fd" and dtype.isnative
    if not plain or not all(x.dtype == dtype and x.flags.aligned for x in operands):
        return False
    if not all(x.flags.writeable for x in results):
        return False
    block = max(worth, n // (_PER_THREAD * count))
    run = loops.shared(operands, -(-max(block, 1) // _GRAIN) * _GRAIN)
    if run is None:
        return False
    answers = set(threads.share(count, count, lambda _: run()))
    if 1 in answers:
        raise MemoryError
    return answers == {0}


def _in_slices(
    ufunc: np.ufunc, full: Sequence[np.ndarray], results: Sequence[np.ndarray], count: int
) -> None:
    """Have threads call the gufunc on slices of the first batch axis."""

    def work(part: slice) -> None:
        ufunc(*(a[part] for a in full), out=tuple(out[part] for out in results))

    threads.share(len(full[0]), count, work)


def _batch(arrays: Sequence[np.ndarray], inputs: Sequence[Shape]) -> Shape | None:
    """The broadcast batch shape, or None if some argument does not fit."""
    if len(arrays) != len(inputs):
        return None
    batches = []
    for a, core in zip(arrays, inputs, strict=True):
        if a.ndim < len(core) or a.shape[a.ndim - len(core) :] != core:
            return None
        batches.append(a.shape[: a.ndim - len(core)])
    try:
        return np.broadcast_shapes(*batches)
    except ValueError:
        return None


def _destination(
    arrays: Sequence[np.ndarray], options: dict[str, Any], shapes: Sequence[Shape]
) -> list[np.ndarray] | None:
    """The arrays to write to, or None if the call is not one to slice (NumPy then handles it)."""
    if not set(options) <= {"out"}:
        return None
    given = options.get("out")
    if given is None:
        dtype = np.result_type(*arrays)
        if dtype.char not in "fd":
            return None
        return [recycling.pool().call(np.empty, shape, dtype) for shape in shapes]
    results = list(given) if isinstance(given, tuple) else [given]
    # only of NumPy's own arrays is a slice sure to be a view
    if not all(type(out) in (np.ndarray, np.memmap) for out in results):
        return None
    if [out.shape for out in results] != list(shapes):
        return None
    if any(np.may_share_memory(out, a) for out in results for a in arrays):
        return None
    return results
