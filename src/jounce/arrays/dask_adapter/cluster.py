"""Map-reduce on Dask clusters: functions of many items, and sums of their results.

Sums are binary trees in the order of the items. Workers add neighbors as soon as both are ready, so
that few results are in memory, and the sum does not depend on the order of completion.
"""

from __future__ import annotations

import logging
import time
import uuid
from asyncio import CancelledError as AsyncCancelled
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError as Cancelled
from contextlib import contextmanager
from typing import Any

import dask.config
from dask.distributed import Client, Future, KilledWorker, LocalCluster, as_completed

from jounce.arrays.dask_adapter.tasks import configured_threads
from jounce.errors import ArgumentError, DataError
from jounce.utils.progress import track
from jounce.utils.threads import get_num_threads, limit_threads

#: Seconds: timeout of connecting, maximum time without workers, intervals of checking the workers
#: and of polling for results.
_CONNECT_TIMEOUT, _WORKER_TIMEOUT, _CHECK_INTERVAL, _POLL_INTERVAL = 10.0, 60.0, 5.0, 0.1

_LOOPBACK = "127.0.0.1"

_EXPECTED = "expected a Dask client, a cluster, an address such as 'tcp://host:8786', or 'local'"


@contextmanager
def connect(client: Any) -> Iterator[Client]:
    """Context manager of a connected client: the given one, or a temporary one."""
    if isinstance(client, Client):
        if client.asynchronous:
            raise ArgumentError("client: expected a synchronous client, found an asynchronous one")
        if client.status != "running":
            raise ArgumentError(
                f"client: expected a connected client, found one that is {client.status}"
            )
        yield client
    elif hasattr(client, "scheduler_address"):  # any cluster
        with Client(client, timeout=_CONNECT_TIMEOUT, set_as_default=False) as temporary:
            yield temporary
    elif client == "local":
        with _start_local() as cluster, Client(cluster, set_as_default=False) as temporary:
            yield temporary
    elif isinstance(client, str):
        with _connect_to_address(client) as temporary:
            yield temporary
    else:
        raise ArgumentError(f"client: {_EXPECTED}, found {type(client).__name__}")


def _start_local() -> LocalCluster:
    """Start a worker for each core of this machine, on the loopback interface only.

    The web servers that Dask starts need no authentication, so they get no pages.
    """
    options: dict[str, Any] = {"processes": True, "threads_per_worker": 1, "host": _LOOPBACK}
    options |= {"dashboard_address": f"{_LOOPBACK}:0", "scheduler_kwargs": {"dashboard": False}}
    no_pages = {f"distributed.{node}.http.routes": [] for node in ("scheduler", "worker")}
    try:
        with dask.config.set(no_pages):
            return LocalCluster(
                n_workers=get_num_threads(), silence_logs=logging.CRITICAL, **options
            )
    except RuntimeError as error:
        raise ArgumentError(
            "client: cannot start workers; in a script, the call must be inside"
            f" if __name__ == '__main__': ({error})"
        ) from error


def _connect_to_address(address: str) -> Client:
    """Connect to the scheduler at an address; an error if it does not answer in time."""
    from distributed.comm.addressing import get_address_host_port

    try:
        if not address.startswith("inproc:"):
            get_address_host_port(address)  # refuse invalid addresses at once
        return Client(address, timeout=_CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise ArgumentError(
            f"client: no Dask scheduler answers at '{address}' within {_CONNECT_TIMEOUT:g} s; check"
            " that it is running and reachable from this machine"
        ) from error
    except (ValueError, TypeError) as error:
        raise ArgumentError(f"client: {_EXPECTED}, found '{address}' ({error})") from error


def silence_logs() -> None:
    """Silence the logs of Dask on the terminal; errors are reported by exceptions."""
    for name in ("distributed", "distributed.client"):  # each has its own level
        logging.getLogger(name).setLevel(logging.CRITICAL)


class Cluster:
    """Workers of a client. hint: advice if the cluster is lost; items: their name in messages."""

    def __init__(
        self, client: Client, hint: str = "run it again", items: str = "partitions"
    ) -> None:
        self.client, self.hint, self.items = client, hint, items
        self._shared: tuple[Any, Future] | None = None

    def _share(self, shared: Any) -> Future:
        """Send shared data as the result of a task: once per worker, recomputed if lost."""
        if self._shared is None or self._shared[0] is not shared:
            future = self.client.submit(_identity, shared, key=_unique_key("shared"), priority=2)
            self._shared = shared, future
        return self._shared[1]

    def each(
        self, do: Callable[..., Any], shared: Any, items: Sequence[Any], title: str
    ) -> Iterator[tuple[int, Any]]:
        """Yield the index and do(shared, item) of each item, in order of completion."""
        futures = self._submit(do, shared, items)
        for k, future in self._track_done(futures, items, title):
            with self._reachable(k, len(items)):
                result = future.result()
            yield k, result

    def total(
        self,
        do: Callable[..., Any],
        add: Callable[[Any, Any], Any],
        shared: Any,
        items: Sequence[Any],
        title: str,
    ) -> Any:
        """Return the sum of do(shared, item) over all items; only the sum is transferred."""
        futures = self._submit(do, shared, items)
        level = futures
        while len(level) > 1:
            pairs = [level[k : k + 2] for k in range(0, len(level), 2)]
            level = [
                self.client.submit(add, *pair, key=_unique_key("add"), priority=1)
                if len(pair) == 2
                else pair[0]
                for pair in pairs
            ]
        root = level[0]
        del level
        try:
            for _ in self._track_done(futures, items, title):
                pass
            with self._reachable(len(items), len(items)):
                return root.result()
        except KilledWorker as error:
            raise _killed_worker_error("sums", error) from error
        finally:
            root.release()

    def _submit(self, do: Callable[..., Any], shared: Any, items: Sequence[Any]) -> list[Future]:
        with self._reachable(0, len(items)):
            common, name = self._share(shared), _unique_key(do.__name__)
            return [
                self.client.submit(_call_with_limit, do, common, item, key=f"{name}-{k}")
                for k, item in enumerate(items)
            ]

    def _track_done(
        self, futures: list[Future], items: Sequence[Any], title: str
    ) -> Iterator[tuple[int, Future]]:
        """Yield completed futures; the list is cleared, so that results can be released."""
        waiting = {str(future.key): (k, future) for k, future in enumerate(futures)}
        futures.clear()
        done = self._wait_for_results(waiting, items)
        try:
            yield from track(done, title, total=len(items), quiet=True)
        finally:
            for _, future in waiting.values():
                future.release()  # cancels tasks that are not needed any more

    def _wait_for_results(
        self, waiting: dict[str, tuple[int, Future]], items: Sequence[Any]
    ) -> Iterator[tuple[int, Future]]:
        count, last_check, idle_since = len(items), time.monotonic(), None
        # with the event loop of this client, which may not be the current one
        ready = as_completed([x for _, x in waiting.values()], loop=self.client.loop)
        while waiting:
            for future in (batch := ready.next_batch(block=False)):
                done = count - len(waiting)
                k, _ = waiting.pop(str(future.key))
                self._check(future, items[k], done, count)
                idle_since = None
                yield k, future
            if not batch:
                with ready.thread_condition:
                    ready.thread_condition.wait(_POLL_INTERVAL)
            if (now := time.monotonic()) - last_check > _CHECK_INTERVAL:
                last_check, idle = now, self._idle(count - len(waiting), count)
                idle_since = (now if idle_since is None else idle_since) if idle else None
                if idle and idle_since is not None and now - idle_since > _WORKER_TIMEOUT:
                    why, remedy = idle
                    progress = f"with {count - len(waiting)} of {count} {self.items} done"
                    raise DataError(f"client: {why}, {progress}; {remedy}, then {self.hint}")

    def _idle(self, done: int, count: int) -> tuple[str, str] | None:
        """Return why no worker runs, and what to do; None if workers run or could run."""
        with self._reachable(done, count):
            self.client.nthreads()  # fails if the scheduler is lost; scheduler_info is cached
            workers = self.client.scheduler_info(n_workers=-1)["workers"].values()
        if any(x["status"] == "running" or x["metrics"].get("executing") for x in workers):
            return None
        duration = f"for {_WORKER_TIMEOUT:g} s"
        if not workers:
            remedy = "start workers, or wait for them with client.wait_for_workers(1)"
            return f"the cluster has had no workers {duration}", remedy
        every = f"all {len(workers)} workers have" if len(workers) > 1 else "its only worker has"
        return f"{every} been paused {duration}, out of memory", "give workers more memory"

    def _check(self, future: Future, item: Any, done: int, count: int) -> None:
        """Raise the error of a failed or lost future."""
        if future.status in ("cancelled", "lost"):
            raise self._scheduler_error(done, count)
        if future.status == "error":
            with self._reachable(done, count):
                error: Any = future.exception()
            if isinstance(error, KilledWorker):
                raise _killed_worker_error(str(item), error) from error
            raise error

    def _scheduler_error(self, done: int, count: int) -> DataError:
        return DataError(
            f"client: the scheduler was lost or restarted with {done} of {count} {self.items}"
            f" done; {self.hint}"
        )

    @contextmanager
    def _reachable(self, done: int, count: int) -> Iterator[None]:
        """Context manager that reports a scheduler that does not answer as lost."""
        try:
            yield
        except (AsyncCancelled, Cancelled, TimeoutError, OSError) as error:
            raise self._scheduler_error(done, count) from error


def _killed_worker_error(what: str, error: KilledWorker) -> DataError:
    return DataError(
        f"client: several workers died while computing {what}, probably out of memory; use smaller"
        f" partitions, or give workers more memory ({error})"
    )


def _call_with_limit(do: Callable[..., Any], shared: Any, item: Any) -> Any:
    """Call do(shared, item) on a worker with one thread per kernel, unless configured."""
    with limit_threads(configured_threads() or 1):
        return do(shared, item)


def _identity(shared: Any) -> Any:
    return shared


def _unique_key(name: str) -> str:
    """Return a unique task key: results must not be reused, since files may have changed."""
    return f"jounce-{name}-{uuid.uuid4().hex}"
