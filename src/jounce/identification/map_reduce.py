"""Resumable map-reduce over the partitions of a dataset, in this process or on Dask workers."""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from jounce.errors import ArgumentError, DataError, DataWarning, warn
from jounce.identification.partition_reader import PartitionTask
from jounce.identification.summaries import PartitionSummary
from jounce.io import read_bytes
from jounce.utils import track, write_files

#: Maximum size of a record in bytes.
_MAX_BYTES = 1 << 30


class Executor(Protocol):
    """Calls a function for many items."""

    def each(
        self, do: Callable[..., Any], shared: Any, items: Sequence[Any], title: str
    ) -> Iterator[tuple[int, Any]]:
        """Yield the index of each item and do(shared, item), in the order of completion."""
        ...


class LocalExecutor:
    """Sequential executor in this process; a thread pool shares the work on each item."""

    def __init__(self, pool: ThreadPoolExecutor | None) -> None:
        self.pool = pool

    def each(
        self, do: Callable[..., Any], shared: Any, items: Sequence[Any], title: str
    ) -> Iterator[tuple[int, Any]]:
        """See `Executor`."""
        for k, item in enumerate(items if len(items) == 1 else track(items, title, quiet=True)):
            yield k, do(shared, item, pool=self.pool)


@contextmanager
def open_executor(client: Any, keep: Any, pool: ThreadPoolExecutor | None) -> Iterator[Executor]:
    """Yield an executor: this process, or the workers of a Dask client, cluster or address."""
    if client is None:
        yield LocalExecutor(pool)
        return
    try:
        from jounce.arrays.dask_adapter import Cluster, connect
    except ImportError:
        raise ImportError('client= needs Dask; install it: pip install "jounce[dask]"') from None
    hint = (
        "keep='folder' (--keep FOLDER) would let the next run resume from there"
        if keep is None
        else f"run it again: the results so far are kept in '{keep}', and the run is resumed"
    )
    with connect(client) as connection:
        yield Cluster(connection, hint)


def map_reduce(
    do: Callable[..., PartitionSummary],
    shared: Any,
    tasks: Sequence[PartitionTask],
    executor: Executor,
    store: RecordStore | None = None,
) -> PartitionSummary:
    """Return the sum of do(shared, task) over all tasks, in their order.

    With a store, only missing results are computed, and each is stored as soon as it is complete,
    so that an interrupted run can be resumed.
    """
    if store is None:
        results = _in_order(executor.each(do, shared, tasks, "reading"))
        placed = (task.place(result) for task, result in zip(tasks, results, strict=True))
        return reduce(add, placed)
    missing = [task for task in tasks if store.read(task) is None]
    unstored: dict[str, PartitionSummary] = {}
    for k, result in executor.each(do, shared, missing, "reading"):
        if missing[k].key and not result.data.left_out:
            store.write(missing[k], result)
        else:
            unstored[missing[k].name] = result

    def load(task: PartitionTask) -> PartitionSummary:
        result = unstored.get(task.name) or store.read(task)
        if result is None:
            raise DataError(f"keep: the record of {task.name} has been removed; run it again")
        return task.place(result)

    return reduce(add, map(load, tasks))


def _in_order(results: Iterator[tuple[int, Any]]) -> Iterator[Any]:
    """Yield results in the order of their indices; early ones wait."""
    waiting: dict[int, Any] = {}
    expected = 0
    for k, result in results:
        waiting[k] = result
        while expected in waiting:
            yield waiting.pop(expected)
            expected += 1


class RecordStore:
    """A folder with one file per result.

    A file is the SHA-256 of a NumPy archive, followed by the archive, which contains the key of its
    task. Nothing is unpickled. Results are computed again if a file is damaged or belongs to
    another partition.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        if not isinstance(folder, (str, os.PathLike)):
            raise ArgumentError(
                f"keep: expected the path of a folder, found {type(folder).__name__}"
            )
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ArgumentError(
                f"keep: cannot make the folder '{self.folder}': {error.strerror}"
            ) from error

    def _path(self, task: PartitionTask) -> Path:
        name = re.sub(r"[^A-Za-z0-9._-]", "_", Path(task.name).name)[:80]
        return self.folder / f"{name}-{task.key[:32]}.record"

    def read(self, task: PartitionTask) -> PartitionSummary | None:
        """Return the stored result for a partition, or None; warn if the file is damaged."""
        path = self._path(task)
        if not task.key or not path.exists():
            return None
        try:
            data = read_bytes(path, _MAX_BYTES, error=DataError)
            checksum, content = data[:32], data[32:]
            if hashlib.sha256(content).digest() != checksum:
                raise ValueError("its checksum is not that of its content")
            with np.load(io.BytesIO(content), allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in archive.files}
            if arrays.pop("key").tobytes().decode() != task.key:
                raise ValueError("it belongs to another file")
            return PartitionSummary.from_arrays(arrays)
        except Exception as error:  # damaged files may cause any exception
            plain = isinstance(error, (OSError, ValueError)) and str(error)
            reason = str(error) if plain else f"{type(error).__name__}: {error}"
            warn(
                f"keep: '{path}' is damaged ({reason}); its partition, {task.name}, is read again",
                DataWarning,
            )
            return None

    def write(self, task: PartitionTask, summary: PartitionSummary) -> None:
        """Write the result for a partition atomically."""
        archive = io.BytesIO()
        key = np.frombuffer(task.key.encode(), dtype=np.uint8)
        np.savez(archive, allow_pickle=False, key=key, **summary.to_arrays())
        content = archive.getvalue()
        data = hashlib.sha256(content).digest() + content
        try:
            write_files({self._path(task): data}, overwrite=True)
        except OSError as error:
            raise DataError(f"keep: {error.strerror}") from error
