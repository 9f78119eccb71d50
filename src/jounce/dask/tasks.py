"""What a worker does for a block: the call that is to be made, with arrays that are to come.

It travels once, as a value of the graph that all blocks refer to, and robots in it are made once in
each process (`process.residents`), so that their kernels are compiled once, or come from the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import dask.config
import numpy as np
from dask.base import normalize_token

from jounce.errors import ArgumentError
from jounce.process.threads import limit_threads

#: The setting of Dask that says how many threads a kernel may use inside a task.
THREADS = "jounce.threads"


@dataclass(frozen=True)
class Slot:
    """The place of an array that comes in blocks."""

    place: int


@dataclass(frozen=True, eq=False)
class Work:
    """A call of something, with slots in the place of arrays that come in blocks.

    threads: how many threads a kernel may use; None: as the worker's configuration has it, else
    one, for workers have threads of their own. limit: most operations of the kernel, if someone
    has said so. together: axes (place, axis) of blocks that must turn out to have one size, where
    nobody knew it. title: how messages begin.
    """

    function: Callable[..., Any]
    args: tuple[Any, ...]
    named: dict[str, Any]
    threads: int | None = None
    limit: float | None = None
    together: tuple[tuple[tuple[int, int], ...], ...] = ()
    title: str = ""

    def __call__(self, *blocks: Any) -> Any:
        """The call on blocks."""
        for places in self.together:
            sizes = [blocks[k].shape[axis] for k, axis in places]
            if len({*sizes}) > 1:
                raise ArgumentError(
                    f"{self.title}: blocks of unknown size belong together one by one, and these"
                    f" turned out to have different sizes: {', '.join(map(str, sizes))}"
                )
        function: Any = self.function
        if self.limit is not None and function.kernel.limit is None:
            function.kernel.limit = self.limit
        args = [filled(x, blocks) for x in self.args]
        named = {name: filled(x, blocks) for name, x in self.named.items()}
        with limit_threads(self.threads or configured() or 1):
            return self.function(*args, **named)

    def __dask_tokenize__(self) -> Any:
        given = [(name, _plain(x)) for name, x in self.named.items()]
        args = [_plain(x) for x in self.args]
        # Dask looks no deeper into what it is given here
        how = (self.threads, self.limit, self.together)
        return normalize_token((self.function, args, given, how))


def run(work: Work, *blocks: Any) -> Any:
    """The work on blocks."""
    # a block without axes may be a number, which would have no say in the precision
    return work(*(np.asarray(x) if isinstance(x, np.generic) else x for x in blocks))


def part(results: Any, which: int | None) -> Any:
    """One of several results, or the only one, which comes in as many lists as axes are merged."""
    while type(results) is list:
        (results,) = results
    return results if which is None else results[which]


def filled(x: Any, blocks: tuple[Any, ...]) -> Any:
    """An argument with blocks in its slots."""
    if isinstance(x, Slot):
        return blocks[x.place]
    if isinstance(x, Mapping):
        return {name: filled(part, blocks) for name, part in x.items()}
    return x


def _plain(x: Any) -> Any:
    """An argument as Dask finds a name for it."""
    if isinstance(x, Slot):
        return ("slot", x.place)
    if isinstance(x, Mapping):
        return [(name, _plain(part)) for name, part in x.items()]
    return x


def configured() -> int | None:
    """How many threads a kernel may use inside a task, where Dask's configuration says so."""
    found = dask.config.get(THREADS, None)
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, int) or found < 1:
        raise ArgumentError(
            f"Dask's setting '{THREADS}' must be a positive integer, found {found!r}"
        )
    return found
