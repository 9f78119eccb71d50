"""Who does the chunks of a study: threads here, GPUs here, or the workers of a Dask cluster.

All of them do the same leaves and merge them in the same tree, so that the answer does not depend
on who did what, or in which order: neighbours first, as in ((0 1) (2 3)) ((4 5) 6).
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

from jounce.errors import ArgumentError, DataError
from jounce.process.progress import track
from jounce.process.threads import get_num_threads
from jounce.study.libraries import cupy
from jounce.study.problem import Problem, State, leaf

#: How often Dask tries a task again whose worker has died.
_RETRIES = 3

#: Seconds to wait for a scheduler.
_PATIENCE = 10.0


def merged(states: Iterable[Any], merge: Callable[[Any, Any], Any]) -> Any:
    """All states in one, merged as a tree in which neighbours come first; holds few at a time."""
    stack: list[tuple[int, Any]] = []
    for state in states:
        level = 0
        while stack and stack[-1][0] == level:
            state, level = merge(stack.pop()[1], state), level + 1
        stack.append((level, state))
    _, found = stack.pop()
    while stack:
        found = merge(stack.pop()[1], found)
    return found


def _merge(a: State, b: State) -> State:
    return a.merged(b)


def _watched(items: Iterable[Any], problem: Problem) -> Iterator[Any]:
    total = len(problem.leaves)
    return track(items, f"study of {problem.samples} samples", total=total, quiet=True)


# ------------------------------------------------------------------ here


def on_threads(problem: Problem, threads: int | None) -> State:
    """Leaves on threads of this process, each of which runs kernels by itself."""
    count = get_num_threads() if threads is None else threads
    return _here(problem, [None] * count)


def on_devices(problem: Problem, devices: Sequence[int]) -> State:
    """Leaves on GPUs of this machine, a thread for each."""
    return _here(problem, devices)


def _here(problem: Problem, places: Sequence[int | None]) -> State:
    """Leaves on threads; places: the device of each thread, or None."""
    if len(places) == 1:
        done = (leaf(problem, chunks, places[0]) for chunks in problem.leaves)
        return merged(_watched(done, problem), _merge)
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
        done = _in_order(pool, work, problem.leaves, ahead=2 * len(places))
        return merged(_watched(done, problem), _merge)


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


@contextlib.contextmanager
def connected(client: Any) -> Iterator[Any]:
    """A Dask client, from one or from the address of a scheduler."""
    try:
        from distributed import Client
    except ImportError:
        raise ArgumentError(
            "client: studies on clusters need Dask; install it with 'pip install jounce[dask]'"
        ) from None
    if isinstance(client, Client):
        if client.asynchronous:
            raise ArgumentError("client: an asynchronous one cannot be waited for; give another")
        yield client
        return
    if not isinstance(client, str):
        raise ArgumentError(
            "client must be a distributed.Client or the address of a scheduler, as"
            f" 'tcp://10.0.0.1:8786', found {type(client).__name__}"
        )
    try:
        made = Client(client, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise ArgumentError(f"client: no scheduler answers at '{client}': {error}") from error
    with made:
        yield made


def on_cluster(problem: Problem, client: Any, gpus: bool) -> State:
    """Leaves on the workers of a cluster, and their states merged there, as a tree.

    The problem is a task itself, so that it comes to each worker once, also to those that join
    later, and is made again where it is lost. gpus: workers that have a GPU use it.
    """
    from concurrent.futures import CancelledError

    from distributed import as_completed
    from distributed.comm.core import CommClosedError

    options = {"pure": False, "retries": _RETRIES}
    data = client.submit(_same, problem, **options)

    def submitted() -> Iterator[Any]:
        for chunks in problem.leaves:
            future = client.submit(_remote_leaf, data, chunks, gpus, **options)
            watch.add(future)
            yield future

    watch = as_completed([], loop=client.loop)  # of this client, whichever is the default one
    total = merged(submitted(), lambda a, b: client.submit(_merge, a, b, **options))
    try:
        for future in _watched(watch, problem):
            if future.status == "error":
                future.result()
        return total.result()
    except (CancelledError, CommClosedError) as error:
        raise DataError(
            "client: the scheduler has lost the study, as one does that is started again; the same"
            " call gives the same numbers"
        ) from error


def _same(problem: Problem) -> Problem:
    return problem


def _remote_leaf(problem: Problem, chunks: range, gpus: bool) -> State:
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
