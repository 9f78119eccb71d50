"""Task of a block: a call by keyword with blocks in place of chunked arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import dask.config
import numpy as np

from jounce.arrays.wrenches import Key, unflatten
from jounce.errors import ArgumentError
from jounce.utils.threads import limit_threads

#: Dask setting with the number of threads that a kernel may use inside a task.
THREADS = "jounce.threads"


@dataclass(frozen=True, eq=False)
class BlockCall:
    """A call by keyword, stored once in the graph and used by the tasks of all blocks.

    Unpickling gets robots from a per-process cache (`utils.content_cache`), so that a worker
    compiles each kernel once.
    """

    #: Prefix of error messages.
    title: str
    function: Callable[..., Any]
    #: Arguments in order; None for chunked ones.
    values: dict[Key, Any]
    #: Threads of a kernel; None for the number in the worker's configuration, by default one.
    threads: int | None
    #: Size limit of the kernel, if set by the caller.
    limit: float | None = None
    #: Keys of the chunked arguments.
    blocks: tuple[Key, ...] = ()
    #: Groups of (block, axis) that must have the same size, which was unknown at the call.
    equal: tuple[tuple[tuple[int, int], ...], ...] = ()

    def __call__(self, *blocks: Any) -> tuple[Any, ...]:
        """Return the results for one block of each chunked argument."""
        for group in self.equal:
            sizes = [blocks[k].shape[axis] for k, axis in group]
            if len({*sizes}) > 1:
                raise ArgumentError(
                    f"{self.title}: paired blocks of unknown size must have equal sizes, found"
                    f" {', '.join(map(str, sizes))}"
                )
        function: Any = self.function
        if self.limit is not None and function.kernel.limit is None:
            function.kernel.limit = self.limit
        # as arrays, since NumPy scalars do not determine the precision of results
        arrays = (np.asarray(x) if isinstance(x, np.generic) else x for x in blocks)
        named = unflatten(self.values | dict(zip(self.blocks, arrays, strict=True)))
        with limit_threads(self.threads or configured_threads() or 1):
            results = function(**named)
        return results if isinstance(results, tuple) else (results,)


def select_result(results: Any, place: int) -> Any:
    """Return one result of a call; Dask wraps results in a list for each dropped axis."""
    while type(results) is list:
        (results,) = results
    return results[place]


def configured_threads() -> int | None:
    """Return the number of threads per kernel in Dask's configuration, or None."""
    count = dask.config.get(THREADS, None)
    if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
        raise ArgumentError(
            f"Dask's setting '{THREADS}' must be a positive integer, found {count!r}"
        )
    return count
