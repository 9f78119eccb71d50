"""Who does the chunks of a study: threads here, GPUs here, or the workers of a Dask cluster.

All of them draw the same samples. Processors do the same leaves and merge them in the same tree, so
that the answer does not depend on who did what, or in which order. GPUs do more at once, and differ
in the last digits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Event
from typing import Any

from jounce.errors import ArgumentError
from jounce.studies.libraries import cupy
from jounce.studies.problem import CHUNK_BYTES, Problem, State, leaf
from jounce.utils.memory import available
from jounce.utils.progress import track
from jounce.utils.sums import tree_sum
from jounce.utils.threads import get_num_threads


def _merge(a: State, b: State) -> State:
    return a.merged(b)


def _words(problem: Problem) -> str:
    """What a bar of progress says."""
    return f"study of {problem.samples} samples"


@contextmanager
def _bar(problem: Problem) -> Iterator[Callable[[int], None]]:
    """A bar of progress: what it gives is told how many more chunks are done."""
    bar: Any = track(range(problem.chunks), _words(problem), quiet=True)

    def tick(chunks: int) -> None:
        for _ in range(chunks):
            next(bar, None)

    try:
        tick(1)  # the bar is there before anything is done
        yield tick
        tick(problem.chunks)
    finally:
        bar.close()


# ------------------------------------------------------------------ here


def on_threads(problem: Problem, threads: int | None) -> State:
    """Leaves on threads of this process, each of which runs kernels by itself.

    Each has a state of its own, so fewer work at once where memory is scarce.
    """
    count = get_num_threads() if threads is None else threads
    return _here(problem, problem.leaves, [None] * min(count, _most_threads(problem)))


def _most_threads(problem: Problem) -> int:
    """How many threads half of the memory is enough for, besides the states that are merged."""
    state = 8.0 * problem.numbers
    room = available() / 2.0 - state * (len(problem.leaves).bit_length() + 1)
    return int(min(max(room / (state + CHUNK_BYTES), 1.0), 1e6))


def on_devices(problem: Problem, devices: Sequence[int]) -> State:
    """Leaves on GPUs of this machine, a thread for each."""
    return _here(problem, problem.shares, devices)


def _here(problem: Problem, leaves: list[range], places: Sequence[int | None]) -> State:
    """Leaves on threads; places: the device of each thread, or None."""
    with _bar(problem) as tick:
        if len(places) == 1:
            return tree_sum((leaf(problem, chunks, places[0], tick) for chunks in leaves), _merge)
        with _Crew(problem, places) as crew:
            return tree_sum(crew.states(leaves, tick), _merge)


class _Crew:
    """Threads that do leaves, a place each; who leaves it, with an error or Ctrl-C, stops them.

    Threads tell of every chunk that they have done, and end there if nobody waits any more.
    """

    def __init__(self, problem: Problem, places: Sequence[int | None]) -> None:
        self._problem, self._size = problem, len(places)
        self._places: SimpleQueue[int | None] = SimpleQueue()
        for place in places:
            self._places.put(place)
        self._told: SimpleQueue[int | BaseException] = SimpleQueue()
        self._over = Event()
        self._pool = ThreadPoolExecutor(len(places))

    def __enter__(self) -> _Crew:
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._pool.shutdown(cancel_futures=True)

    def states(self, leaves: list[range], tick: Callable[[int], None]) -> Iterator[State]:
        """States in the order of the leaves, never many before the one that is waited for."""
        waiting: deque[Future[State]] = deque()
        for chunks in leaves:
            waiting.append(self._pool.submit(self._work, chunks))
            waiting[-1].add_done_callback(self._ended)
            if len(waiting) > self._size:
                yield self._next(waiting, tick)
        while waiting:
            yield self._next(waiting, tick)

    def _next(self, waiting: deque[Future[State]], tick: Callable[[int], None]) -> State:
        """The first state; an error of any leaf is raised as soon as it is there."""
        while not waiting[0].done():
            told = self._told.get()
            if isinstance(told, BaseException):
                raise told
            tick(told)
        return waiting.popleft().result()

    def _work(self, chunks: range) -> State:
        place = self._places.get()
        try:
            return leaf(self._problem, chunks, place, self._tell)
        finally:
            self._places.put(place)

    def _ended(self, future: Future[State]) -> None:
        self._told.put(0 if future.cancelled() else future.exception() or 0)

    def _tell(self, chunks: int) -> None:
        if self._over.is_set():
            raise CancelledError
        self._told.put(chunks)


def device_numbers(devices: Any) -> list[int]:
    """The devices that users name: numbers, or "all"."""
    there = cupy().cuda.runtime.getDeviceCount()
    given = range(there) if devices == "all" else devices
    given = [given] if isinstance(given, int) else given
    if not isinstance(given, Sequence | range) or isinstance(given, str) or not len(given):
        raise ArgumentError(f"devices must be 'all' or numbers such as [0, 1], found {devices!r}")
    for number in given:
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < there:
            raise ArgumentError(
                f"devices: no CUDA device {number!r}; there are {there}, numbered from 0"
            )
    return list(given)


# ------------------------------------------------------------------ on a cluster


def on_cluster(problem: Problem, client: Any, gpus: bool) -> State:
    """Leaves on the workers of a cluster, and their states merged there, in the same tree.

    gpus: workers that have a GPU use it.
    """
    try:
        from jounce.arrays.dask_adapter.cluster import Cluster, connected
    except ImportError:
        raise ArgumentError(
            'client: studies on clusters need Dask; install it: pip install "jounce[dask]"'
        ) from None
    with connected(client) as found:
        cluster = Cluster(found, "the same call gives the same numbers", "parts of the study")
        leaves = problem.shares if gpus else problem.leaves
        return cluster.total(_remote_leaf, _merge, (problem, gpus), leaves, _words(problem))


def _remote_leaf(shared: tuple[Problem, bool], chunks: range) -> State:
    problem, gpus = shared
    return leaf(problem, chunks, _own_device() if gpus else None)


def _own_device() -> int | None:
    """The GPU that a worker calls its own, the first that it sees; None where it has none."""
    try:
        xp = cupy()
        return 0 if xp.cuda.runtime.getDeviceCount() else None
    except ArgumentError:
        return None
    except Exception:  # whatever CuPy says where there is no driver
        return None
