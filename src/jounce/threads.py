"""Large batches: threads (NumPy releases the interpreter lock while a kernel runs) and memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from itertools import pairwise
from typing import Any

import numpy as np

from jounce import memory

Shape = tuple[int, ...]


def _default() -> int:
    given = os.environ.get("JOUNCE_NUM_THREADS", "").strip()
    if given:
        if not given.isdigit() or int(given) < 1:
            raise ValueError(f"JOUNCE_NUM_THREADS must be a positive integer, found {given!r}")
        return int(given)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every platform
        return os.cpu_count() or 1


class _Pool:
    """The number of threads, and the executor once it is needed."""

    def __init__(self) -> None:
        self.count = _default()
        self._executor: ThreadPoolExecutor | None = None
        self._owner = 0

    def executor(self) -> ThreadPoolExecutor:
        # a forked child inherits the object but not its threads
        if self._executor is None or self._owner != os.getpid():
            self._executor = ThreadPoolExecutor(self.count, thread_name_prefix="jounce")
            self._owner = os.getpid()
        return self._executor

    def resize(self, count: int) -> None:
        self._executor = None  # calls under way keep theirs; its threads end with it
        self.count = count


pool = _Pool()


def set_num_threads(n: int) -> None:
    """Use up to n threads for large batches (1: none but the caller's)."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
        raise ValueError(f"the number of threads must be a positive integer, found {n!r}")
    pool.resize(int(n))


def get_num_threads() -> int:
    """How many threads a large batch may use."""
    return pool.count


def call(
    ufunc: np.ufunc,
    args: Sequence[Any],
    options: dict[str, Any],
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
) -> Any:
    """Evaluate a gufunc on a large batch, where that is safe: into recycled memory, and in slices
    of the first batch axis, one per thread.

    inputs, outputs: core shapes.
    """
    if not all(type(x) is np.ndarray or isinstance(x, (list, tuple, float, int)) for x in args):
        return ufunc(*args, **options)  # subclasses and foreign arrays have a say in the result
    arrays = [np.asarray(x) for x in args]
    batch = _batch(arrays, inputs)
    results = None
    if batch:
        results = _destination(arrays, options, [batch + core for core in outputs])
    if batch is None or results is None:
        return ufunc(*args, **options)
    full = [np.broadcast_to(a, batch + core) for a, core in zip(arrays, inputs, strict=True)]
    count = min(pool.count, max(batch[0] // 2, 1))
    edges = np.linspace(0, batch[0], count + 1).astype(int)
    slices = [slice(a, b) for a, b in pairwise(edges)]

    def work(part: slice) -> None:
        ufunc(*(a[part] for a in full), out=tuple(out[part] for out in results))

    executor = pool.executor() if count > 1 else None
    # numpy.errstate is a context variable: take the caller's along
    futures = [executor.submit(copy_context().run, work, s) for s in slices[1:]] if executor else []
    try:
        work(slices[0])
    finally:
        errors = [future.exception() for future in futures]
    for error in errors:
        if error is not None:
            raise error
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
        return [memory.empty(shape, dtype) for shape in shapes] if dtype.char in "fd" else None
    results = list(given) if isinstance(given, tuple) else [given]
    if [getattr(out, "shape", None) for out in results] != list(shapes):
        return None
    if any(np.may_share_memory(out, a) for out in results for a in arrays):
        return None
    return results
