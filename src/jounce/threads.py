"""Threads over the batch: NumPy releases the interpreter lock while a kernel runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from itertools import pairwise
from typing import Any

import numpy as np


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
    cores: Sequence[tuple[int, ...]],
) -> np.ndarray:
    """Evaluate a gufunc in slices of the first batch axis, one per thread, where that is safe.

    cores: core shapes of the arguments and of the result.
    """
    arrays = [np.asarray(x) for x in args]
    out = _destination(arrays, options, cores)
    if out is None:
        return ufunc(*args, **options)
    batch = out.shape[: out.ndim - len(cores[-1])]
    full = [np.broadcast_to(a, batch + core) for a, core in zip(arrays, cores[:-1], strict=True)]
    edges = np.linspace(0, batch[0], pool.count + 1).astype(int)
    slices = [slice(a, b) for a, b in pairwise(edges)]

    def work(part: slice) -> None:
        ufunc(*(a[part] for a in full), out=out[part])

    executor = pool.executor()
    # numpy.errstate is a context variable: take the caller's along
    futures = [executor.submit(copy_context().run, work, part) for part in slices[1:]]
    try:
        work(slices[0])
    finally:
        errors = [future.exception() for future in futures]
    for error in errors:
        if error is not None:
            raise error
    return out


def _destination(
    arrays: list[np.ndarray], options: dict[str, Any], cores: Sequence[tuple[int, ...]]
) -> np.ndarray | None:
    """The array to write to, or None if the call is not one to slice (NumPy then handles it)."""
    if not set(options) <= {"out"} or len(arrays) != len(cores) - 1:
        return None
    batches = []
    for a, core in zip(arrays, cores[:-1], strict=True):
        if a.ndim < len(core) or a.shape[a.ndim - len(core) :] != core:
            return None
        batches.append(a.shape[: a.ndim - len(core)])
    try:
        batch = np.broadcast_shapes(*batches)
    except ValueError:
        return None
    if not batch or batch[0] < 2 * pool.count:
        return None
    out = options.get("out")
    if isinstance(out, tuple) and len(out) == 1:
        out = out[0]
    if out is None:
        dtype = np.result_type(*arrays)
        return np.empty(batch + cores[-1], dtype) if dtype.char in "fd" else None
    if not isinstance(out, np.ndarray) or out.shape != batch + cores[-1]:
        return None
    return None if any(np.may_share_memory(out, a) for a in arrays) else out
