"""Who does the chunks of a study: threads here, GPUs here, or the workers of a Dask cluster.

All of them draw the same samples. Processors do the same leaves and merge them in the same tree, so
that the answer does not depend on who did what, or in which order. GPUs do more at once, and differ
in the last digits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

from jounce.errors import ArgumentError
from jounce.process.progress import track
from jounce.process.sums import tree_sum
from jounce.process.threads import get_num_threads
from jounce.study.libraries import cupy
from jounce.study.problem import Problem, State, leaf


def _merge(a: State, b: State) -> State:
    return a.merged(b)


def _words(problem: Problem) -> str:
    """What a bar of progress says."""
    return f"study of {problem.samples} samples"


def _watched(items: Iterable[Any], problem: Problem, total: int) -> Iterator[Any]:
    return track(items, _words(problem), total=total, quiet=True)


# ------------------------------------------------------------------ here


def on_threads(problem: Problem, threads: int | None) -> State:
    """Leaves on threads of this process, each of which runs kernels by itself."""
    count = get_num_threads() if threads is None else threads
    return _here(problem, problem.leaves, [None] * count)


def on_devices(problem: Problem, devices: Sequence[int]) -> State:
    """Leaves on GPUs of this machine, a thread for each."""
    return _here(problem, problem.shares, devices)


def _here(problem: Problem, leaves: list[range], places: Sequence[int | None]) -> State:
    """Leaves on threads; places: the device of each thread, or None."""
    if len(places) == 1:
        done = (leaf(problem, chunks, places[0]) for chunks in leaves)
        return tree_sum(_watched(done, problem, len(leaves)), _merge)
    free: SimpleQueue[int | None] = SimpleQueue()
    for place in places:
        free.put(place)

    def work(chunks: range) -> State:
        place = free.get()
        try:
            return leaf(problem, chunks, place)
        finally:
            free.put(place)

    with ThreadPoolExecutor(len(places)) as pool:
        done = _in_order(pool, work, leaves, ahead=2 * len(places))
        return tree_sum(_watched(done, problem, len(leaves)), _merge)


def _in_order(
    pool: ThreadPoolExecutor, work: Callable[[range], State], leaves: list[range], ahead: int
) -> Iterator[State]:
    """Results in the order of the leaves, never many before the one that is waited for."""
    waiting: deque[Future[State]] = deque()
    try:
        for chunks in leaves:
            waiting.append(pool.submit(work, chunks))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


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
        from jounce.dask.cluster import Cluster, connected
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
