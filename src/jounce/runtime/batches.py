"""Large batches: in slices on several threads, and into recycled memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jounce.process import threads
from jounce.runtime import recycling

Shape = tuple[int, ...]


def call(
    ufunc: np.ufunc,
    args: Sequence[np.ndarray],
    options: dict[str, Any],
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
) -> Any:
    """Evaluate a gufunc on a large batch: in slices of the first batch axis where that is safe.

    inputs, outputs: core shapes.
    """
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

    def work(part: slice) -> None:
        ufunc(*(a[part] for a in full), out=tuple(out[part] for out in results))

    threads.share(batch[0], count, work)
    return results[0] if len(results) == 1 else tuple(results)


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
