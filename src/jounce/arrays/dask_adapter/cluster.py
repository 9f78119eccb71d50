"""Work on clusters of Dask: functions of many items, and sums of what they give, on its workers.

Sums are trees in the order of the items, taken by the workers as soon as two neighbours are there,
so that few results wait anywhere, and none depends on who was ready first.
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

#: Seconds in which a scheduler answers, that a cluster may be without workers, and between looks at
#: the workers and at what is done.
_ANSWER, _WORKERS, _LOOK, _MOMENT = 10.0, 60.0, 5.0, 0.1

_LOOPBACK = "127.0.0.1"

_EXPECTED = "expected a client of Dask, a cluster, an address such as 'tcp://host:8786', or 'local'"


@contextmanager
def connected(client: Any) -> Iterator[Client]:
    """A client that is ready: the one given, or one of a cluster or an address, for a while."""
    if isinstance(client, Client):
        if client.asynchronous:
            raise ArgumentError("client: expected one that waits, found an asynchronous one")
        if client.status != "running":
            raise ArgumentError(f"client: it is not connected, but {client.status}")
        yield client
    elif hasattr(client, "scheduler_address"):  # a cluster of any sort
        with Client(client, timeout=_ANSWER, set_as_default=False) as own:
            yield own
    elif client == "local":
        with _start_local() as cluster, Client(cluster, set_as_default=False) as own:
            yield own
    elif isinstance(client, str):
        with _at(client) as own:
            yield own
    else:
        raise ArgumentError(f"client: {_EXPECTED}, found {type(client).__name__}")


def _start_local() -> LocalCluster:
    """Start a worker for each core of this machine, reachable on the loopback interface only.

    Nobody has to authenticate there, and Dask always starts its web servers: they get no pages.
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
            "client: no workers could be started here; in a script, whatever starts them must stand"
            f" under if __name__ == '__main__': ({error})"
        ) from error


def _at(address: str) -> Client:
    """A client of the scheduler at an address; an error if none answers soon."""
    from distributed.comm.addressing import get_address_host_port

    try:
        if not address.startswith("inproc:"):
            get_address_host_port(address)  # what is no address is told without a wait
        return Client(address, timeout=_ANSWER, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise ArgumentError(
            f"client: no scheduler of Dask answers at '{address}' within {_ANSWER:g} s; is it"
            " running, and can this machine reach it?"
        ) from error
    except (ValueError, TypeError) as error:
        raise ArgumentError(f"client: {_EXPECTED}, found '{address}' ({error})") from error


def quiet() -> None:
    """Have Dask write no log of its own to the terminal: what goes wrong ends in a sentence."""
    for name in ("distributed", "distributed.client"):  # each has a level of its own
        logging.getLogger(name).setLevel(logging.CRITICAL)


class Cluster:
    """The workers of a client. hint: what to do where the cluster is lost; items: their name."""

    def __init__(
        self, client: Client, hint: str = "run it again", items: str = "partitions"
    ) -> None:
        self.client, self.hint, self.items = client, hint, items
        self._shared: tuple[Any, Future] | None = None

    def _share(self, shared: Any) -> Future:
        """What all items need, as the result of a task: once on each worker, made again if lost."""
        if self._shared is None or self._shared[0] is not shared:
            future = self.client.submit(_same, shared, key=_key("shared"), priority=2)
            self._shared = shared, future
        return self._shared[1]

    def each(
        self, do: Callable[..., Any], shared: Any, items: Sequence[Any], title: str
    ) -> Iterator[tuple[int, Any]]:
        """do(shared, item) of each item with its number, as they are done."""
        futures = self._started(do, shared, items)
        for k, future in self._done(futures, items, title):
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
        """The sum of do(shared, item) of all items; only that comes here."""
        futures = self._started(do, shared, items)
        level = futures
        while len(level) > 1:
            pairs = [level[k : k + 2] for k in range(0, len(level), 2)]
            level = [
                self.client.submit(add, *pair, key=_key("add"), priority=1)
                if len(pair) == 2
                else pair[0]
                for pair in pairs
            ]
        root = level[0]
        del level
        try:
            for _ in self._done(futures, items, title):
                pass
            with self._reachable(len(items), len(items)):
                return root.result()
        except KilledWorker as error:
            raise _died("sums", error) from error
        finally:
            root.release()

    def _started(self, do: Callable[..., Any], shared: Any, items: Sequence[Any]) -> list[Future]:
        with self._reachable(0, len(items)):
            common, name = self._share(shared), _key(do.__name__)
            return [
                self.client.submit(_limited, do, common, item, key=f"{name}-{k}")
                for k, item in enumerate(items)
            ]

    def _done(
        self, futures: list[Future], items: Sequence[Any], title: str
    ) -> Iterator[tuple[int, Future]]:
        """Futures that are done, as they are; the list is emptied, so that results can go."""
        waiting = {str(future.key): (k, future) for k, future in enumerate(futures)}
        futures.clear()
        done = self._finished(waiting, items)
        try:
            yield from track(done, title, total=len(items), quiet=True)
        finally:
            for _, future in waiting.values():
                future.release()  # what nobody waits for is not done

    def _finished(
        self, waiting: dict[str, tuple[int, Future]], items: Sequence[Any]
    ) -> Iterator[tuple[int, Future]]:
        count, looked, alone = len(items), time.monotonic(), None
        # by the loop of this client, which need not be the current one
        ready = as_completed([x for _, x in waiting.values()], loop=self.client.loop)
        while waiting:
            for future in (found := ready.next_batch(block=False)):
                done = count - len(waiting)
                k, _ = waiting.pop(str(future.key))
                self._check(future, items[k], done, count)
                alone = None
                yield k, future
            if not found:
                with ready.thread_condition:
                    ready.thread_condition.wait(_MOMENT)
            if (now := time.monotonic()) - looked > _LOOK:
                looked, idle = now, self._idle(count - len(waiting), count)
                alone = (now if alone is None else alone) if idle else None
                if idle and alone is not None and now - alone > _WORKERS:
                    why, mend = idle
                    told = f"with {count - len(waiting)} of {count} {self.items} done"
                    raise DataError(f"client: {why}, {told}; {mend}, then {self.hint}")

    def _idle(self, done: int, count: int) -> tuple[str, str] | None:
        """Return why no worker runs and what to do, in words; None if some do, or could."""
        with self._reachable(done, count):
            self.client.nthreads()  # of a scheduler that is lost, what it said last would be told
            workers = self.client.scheduler_info(n_workers=-1)["workers"].values()
        if any(x["status"] == "running" or x["metrics"].get("executing") for x in workers):
            return None
        long = f"for {_WORKERS:g} s"
        if not workers:
            mend = "start workers, or wait for them with client.wait_for_workers(1)"
            return f"the cluster has had no workers {long}", mend
        every = f"all {len(workers)} workers have" if len(workers) > 1 else "its only worker has"
        return f"{every} been paused {long}, out of memory", "give workers more memory"

    def _check(self, future: Future, item: Any, done: int, count: int) -> None:
        """Raise what went wrong."""
        if future.status in ("cancelled", "lost"):
            raise self._lost(done, count)
        if future.status == "error":
            with self._reachable(done, count):
                error: Any = future.exception()
            if isinstance(error, KilledWorker):
                raise _died(str(item), error) from error
            raise error

    def _lost(self, done: int, count: int) -> DataError:
        return DataError(
            f"client: the scheduler was lost or restarted with {done} of {count} {self.items}"
            f" done; {self.hint}"
        )

    @contextmanager
    def _reachable(self, done: int, count: int) -> Iterator[None]:
        """A scheduler that does not answer is one that is lost."""
        try:
            yield
        except (AsyncCancelled, Cancelled, TimeoutError, OSError) as error:
            raise self._lost(done, count) from error


def _died(what: str, error: KilledWorker) -> DataError:
    return DataError(
        f"client: several workers, one after the other, died while they were at {what}; had they"
        f" too little memory? ({error})"
    )


def _limited(do: Callable[..., Any], shared: Any, item: Any) -> Any:
    """What a worker does: its kernels use one thread, unless its configuration says otherwise."""
    with limit_threads(configured_threads() or 1):
        return do(shared, item)


def _same(shared: Any) -> Any:
    return shared


def _key(name: str) -> str:
    """A name of its own for each task: files may have changed since they were read."""
    return f"jounce-{name}-{uuid.uuid4().hex}"
