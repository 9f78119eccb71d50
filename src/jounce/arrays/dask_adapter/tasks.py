"""The task of a block: a call by keyword whose arrays arrive as blocks."""

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
    """A call by keyword; it is one value of the graph, to which the tasks of all blocks refer.

    Unpickling takes robots from a cache of the process (`utils.content_cache`), so that a worker
    compiles each kernel once.
    """

    #: Prefix of error messages.
    title: str
    function: Callable[..., Any]
    #: Arguments in order; None in the place of those that arrive as blocks.
    values: dict[Key, Any]
    #: Threads of a kernel; None: as the worker's configuration says, by default one.
    threads: int | None
    #: Size limit of the kernel, if the caller has set one.
    limit: float | None = None
    #: Arguments that arrive as blocks.
    blocks: tuple[Key, ...] = ()
    #: Groups of (block, axis) that must have the same size, which was unknown at the call.
    equal: tuple[tuple[tuple[int, int], ...], ...] = ()

    def __call__(self, *blocks: Any) -> tuple[Any, ...]:
        """Return the results for blocks of the arguments."""
        for group in self.equal:
            sizes = [blocks[k].shape[axis] for k, axis in group]
            if len({*sizes}) > 1:
                raise ArgumentError(
                    f"{self.title}: blocks of unknown size belong together one by one, and these"
                    f" turned out to have different sizes: {', '.join(map(str, sizes))}"
                )
        function: Any = self.function
        if self.limit is not None and function.kernel.limit is None:
            function.kernel.limit = self.limit
        # NumPy scalars would not count for the precision of results
        arrays = (np.asarray(x) if isinstance(x, np.generic) else x for x in blocks)
        named = unflatten(self.values | dict(zip(self.blocks, arrays, strict=True)))
        with limit_threads(self.threads or configured_threads() or 1):
            results = function(**named)
        return results if isinstance(results, tuple) else (results,)


def select_result(results: Any, place: int) -> Any:
    """Return one result of a call; Dask passes them in a list for each axis that it drops."""
    while type(results) is list:
        (results,) = results
    return results[place]


def configured_threads() -> int | None:
    """Return the number of threads that Dask's configuration allows a kernel in a task, if any."""
    count = dask.config.get(THREADS, None)
    if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
        raise ArgumentError(
            f"Dask's setting '{THREADS}' must be a positive integer, found {count!r}"
        )
    return count
