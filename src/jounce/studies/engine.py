"""Map/reduce over chunks of samples on threads, GPUs or a Dask cluster.

A chunk of samples is drawn with a separate seed, evaluated by a call of the quantity with arrays of
NumPy or CuPy, and added to statistics. Each thread, device or Dask task has separate statistics,
which are merged at the end. Only the order of the sums depends on how chunks are distributed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from queue import SimpleQueue
from threading import Event
from typing import Any, Literal

import numpy as np

from jounce.errors import ArgumentError, DataError
from jounce.studies.devices import find_visible_device, namespace, use_device
from jounce.studies.sampling import draw_points
from jounce.studies.statistics import Layout, Statistics
from jounce.studies.variation import Variation
from jounce.utils import get_num_threads, limit_threads, memory, track

#: Values in the results of a chunk, about; fewest and most samples of one.
CHUNK_VALUES, MIN_CHUNK, MAX_CHUNK = 1 << 21, 16, 1 << 14

#: Memory that a chunk takes while it is computed, in bytes, about.
CHUNK_BYTES = 64 * CHUNK_VALUES

#: Evaluations for Sobol indices, as a share of all others.
PAIR_SHARE = 0.5

#: Numbers of robots that are evaluated at once on a CPU, and on a GPU, where each point has a copy.
_CPU_NUMBERS, _GPU_NUMBERS = 1 << 21, 1 << 26

#: Chunks of a task of a cluster, at least, and the number of tasks, at most.
_TASK_CHUNKS, _MAX_TASKS = 4, 512


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A quantity at points (p,) as a function of samples."""

    #: The quantity with the robot's parameters as arguments, and its name in messages.
    quantity: Any
    title: str

    #: Arguments by name in their order, (p, 1, ...) arrays; None for the robot's parameters.
    arguments: dict[str, np.ndarray | None]
    points: int

    #: Shape of one result.
    shape: tuple[int, ...]

    #: Forces (p, 3 nt, nv) of the drives for one unit of each armature, damping and friction, if
    #: these vary; the nominal armature (nt,), which the quantity includes; and whether the
    #: forces are added to the result or subtracted from the argument tau.
    columns: np.ndarray | None = None
    armature: np.ndarray | None = None
    drives: Literal["added", "subtracted"] = "added"

    def __call__(self, variation: Variation, x: Any) -> Any:
        """Return results (p, s, m) of samples x (s, d), in the array library of x."""
        xp = namespace(x)
        size = sum(part.size for part in variation.nominal)
        rows = _CPU_NUMBERS // size if xp is np else _GPU_NUMBERS // (size * self.points)
        blocks = [x[k : k + max(rows, 1)] for k in range(0, len(x), max(rows, 1))]
        results = [self._evaluate(variation.numbers(block), len(block), xp) for block in blocks]
        return results[0] if len(results) == 1 else xp.concatenate(results, axis=1)

    def _evaluate(self, numbers: Any, count: int, xp: Any) -> Any:
        robot: dict[str, Any] = dict(zip(("pi", "placements", "screws"), numbers, strict=False))
        arguments = {
            name: xp.asarray(robot[name] if x is None else x) for name, x in self.arguments.items()
        }
        forces = None
        if self.columns is not None:
            drives = xp.array(numbers.drives)
            drives[:, 0] -= xp.asarray(self.armature)
            forces = drives.reshape(len(drives), -1) @ xp.asarray(self.columns)
            if self.drives == "subtracted":
                arguments["tau"], forces = arguments["tau"] - forces, None
        required = [arguments.pop(name) for name in self.quantity.definition.arguments]
        values = self.quantity(*required, **arguments)
        if forces is not None:
            values = values + forces
        values = values.reshape(*values.shape[:2], -1)
        if values.shape[1] == count:
            return values
        return xp.repeat(values, count, axis=1)  # the quantity depends on nothing that varies


@dataclass(frozen=True, eq=False)
class Problem:
    """Serializable description of a study, from which workers compute chunks."""

    evaluation: Evaluation
    variation: Variation
    samples: int
    seed: int
    sampling: str

    #: Results of the nominal robot (p, m), and values that statistics are relative to.
    nominal: np.ndarray
    reference: np.ndarray
    layout: Layout

    @property
    def chunk(self) -> int:
        """Number of samples of a chunk."""
        return chunk_size(self.nominal.size)

    @property
    def chunks(self) -> int:
        """Number of chunks."""
        return -(-self.samples // self.chunk)

    def draw(self, chunk: int) -> np.ndarray:
        """Return the samples (s, d) of a chunk."""
        count = min(self.chunk, self.samples - chunk * self.chunk)
        points = draw_points(self.sampling, self.variation.count, count, self.seed, chunk)
        return self.variation.transform(points)

    def count_pairs(self, count: int) -> int:
        """Return how many of `count` samples are rows A that are mixed with rows B."""
        share = max(2, round(PAIR_SHARE * count / len(self.variation.groups)))
        return min(count // 2, share) if self.layout.groups else 0

    @property
    def evaluations(self) -> int:
        """Number of evaluations of the quantity, at all points together."""
        last = self.samples - (self.chunks - 1) * self.chunk
        pairs = (self.chunks - 1) * self.count_pairs(self.chunk) + self.count_pairs(last)
        return (self.samples + pairs * len(self.variation.groups)) * len(self.nominal)


def chunk_size(values: int) -> int:
    """Return the number of samples of a chunk, a power of two; values: of one sample."""
    size = max(MIN_CHUNK, min(MAX_CHUNK, CHUNK_VALUES // max(values, 1)))
    return 1 << (size.bit_length() - 1)


def mix_rows(x: np.ndarray, pairs: int, groups: Sequence[slice]) -> np.ndarray:
    """Return rows A with the columns of one group after the other from rows B.

    x: samples, rows A in the first half and rows B in the second. The result has pairs rows for
    each group.
    """
    half = -(-len(x) // 2)
    mixed = np.tile(x[:pairs], (len(groups), 1))
    for k, columns in enumerate(groups):
        mixed[k * pairs : (k + 1) * pairs, columns] = x[half : half + pairs, columns]
    return mixed


def add_chunk(problem: Problem, chunk: int, statistics: Statistics, xp: Any) -> None:
    """Compute the samples of a chunk and add them to statistics."""
    x = problem.draw(chunk)
    count, groups = len(x), [group.columns for group in problem.variation.groups]
    pairs = problem.count_pairs(count)
    mixed = mix_rows(x, pairs, groups)
    values = problem.evaluation(problem.variation, xp.asarray(np.concatenate((x, mixed))))
    values -= xp.asarray(problem.reference)[:, None]
    start = chunk * problem.chunk
    if not bool(xp.isfinite(values.sum())):
        _refuse_infinite(problem, values, start, count, xp)
    statistics.add(values[:, :count], start, xp)
    if pairs:
        a, half = values[:, :pairs], -(-count // 2)
        b, others = values[:, half : half + pairs], values[:, count:]
        mixed = others.reshape(len(others), len(groups), pairs, -1)
        statistics.add_pairs(a, b, mixed, xp)


def _refuse_infinite(problem: Problem, values: Any, start: int, count: int, xp: Any) -> None:
    """Raise DataError for the first result that is not finite."""
    bad = xp.argwhere(~xp.isfinite(values))
    if len(bad):
        point, row, entry = (int(k) for k in bad[0])
        which = f"sample {start + row}" if row < count else "a sample for Sobol indices"
        raise DataError(
            f"{problem.evaluation.title}: {which} has no finite result at point {point}, entry"
            f" {entry}; reduce the amounts in vary, or choose other points"
        )


# ------------------------------------------------------------------ execution


def run(problem: Problem, devices: Sequence[int | None]) -> Statistics:
    """Compute all chunks in this process, on a thread for each device (None: the CPU)."""
    done: SimpleQueue[BaseException | None] = SimpleQueue()
    stop = Event()

    def work(first: int) -> Statistics:
        chunks = range(first, problem.chunks, len(devices))
        try:
            return run_chunks(problem, chunks, devices[first], lambda: done.put(None), stop)
        except BaseException as error:
            done.put(error)
            raise

    with ThreadPoolExecutor(len(devices)) as pool:
        futures = [pool.submit(work, first) for first in range(len(devices))]
        try:
            title = f"study of {problem.samples} samples"
            for _ in track(range(problem.chunks), title, quiet=True):
                error = done.get()
                if error is not None:
                    raise error
        finally:
            stop.set()
    return reduce(Statistics.merge, (future.result() for future in futures))


def run_chunks(
    problem: Problem,
    chunks: Sequence[int],
    device: int | None,
    report: Callable[[], None] = lambda: None,
    stop: Event | None = None,
) -> Statistics:
    """Return the statistics of some chunks; call `report` after each, and end early on `stop`."""
    xp, context = use_device(device)
    with context, limit_threads(1), np.errstate(all="ignore"):
        statistics = Statistics(problem.layout, xp)
        for chunk in chunks:
            add_chunk(problem, chunk, statistics, xp)
            report()
            if stop is not None and stop.is_set():
                break
        return statistics.to_numpy()


def count_threads(problem: Problem, threads: int | None) -> int:
    """Return how many threads to use: no more than chunks, or than half of the memory allows."""
    wanted = get_num_threads() if threads is None else threads
    fit = memory.available() / 2.0 / (8.0 * problem.layout.size + CHUNK_BYTES)
    return int(max(1, min(wanted, problem.chunks, fit)))


def run_cluster(problem: Problem, client: Any, gpus: bool) -> Statistics:
    """Compute all chunks on the workers of a Dask cluster; gpus: on the GPUs of those with one."""
    try:
        from jounce.arrays.dask_adapter import Cluster, connect
    except ImportError:
        raise ArgumentError(
            'client: studies on clusters need Dask; install it: pip install "jounce[dask]"'
        ) from None
    size = max(_TASK_CHUNKS, -(-problem.chunks // _MAX_TASKS))
    tasks = [range(k, min(k + size, problem.chunks)) for k in range(0, problem.chunks, size)]
    with connect(client) as connection:
        cluster = Cluster(connection, "the same call gives the same numbers", "parts of the study")
        title = f"study of {problem.samples} samples"
        return cluster.total(run_task, Statistics.merge, (problem, gpus), tasks, title)


def run_task(shared: tuple[Problem, bool], chunks: range) -> Statistics:
    """Compute some chunks on a worker."""
    problem, gpus = shared
    return run_chunks(problem, chunks, find_visible_device() if gpus else None)
