"""Section: more than one process, by Dask: arrays, identification of many files, studies."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import jounce
from benchmarks.files import path
from benchmarks.measure import MismatchError, compare
from benchmarks.report import Options, Row, Table, Verdict
from benchmarks.sections.identification import measurements
from benchmarks.sections.wide import cores

#: Speed of two processes over one; milliseconds of Dask for a task; seconds for a large study.
GAIN, OVERHEAD, SECONDS = 1.7, 1.0, 30.0

#: Sums over blocks are rounded in another order; factors of files are merged in the same one.
TOLERANCE, SAME = 1e-12, 1e-10

#: Times of each way in turns, of which the least counts.
ROUNDS = 3

ARRAYS_NOTE = (
    "Seconds for `robot.inverse_dynamics.derivatives` of random states of panda, made by"
    " `da.random` in blocks of {block:,}, reduced to the norms of its four results, by the wall"
    " clock, least of {rounds} in turns. `one process`: the same graph by Dask's synchronous"
    " scheduler, on one thread; `1 worker`, `2 workers`: a `LocalCluster` of processes with one"
    " thread each, kernels compiled before. `gain`: of two workers over one, on {cores} cores, of"
    " which scheduler and client take their share; `over here`: over one process. `CPU`: what two"
    " workers, their scheduler and the client take together, over what one process takes alone;"
    " on two idle cores `over here` is at most 2 over that. Norms are compared"
    " before, to {tolerance:.0e}."
)
ARRAYS = (
    "samples",
    "tasks",
    "one process",
    "1 worker",
    "2 workers",
    "gain",
    "target",
    "met",
    "over here",
    "CPU",
)

TASKS_NOTE = (
    "Milliseconds for a task on a `LocalCluster` of two processes with one thread each, graph and"
    " all, by the wall clock, least of {rounds} in turns: {blocks:,} blocks of two samples of"
    " panda, which are on the workers already and cost nothing themselves. `map_blocks`: a"
    " function that gives its first block back, as Dask's own share."
)
TASKS = ("quantity", "tasks", "ms per task", "target", "met", "map_blocks")

FILES_NOTE = (
    "Seconds for `identify(robot, 'logs/*.parquet', client=...)` of panda with friction and"
    " armature, by the wall clock, least of {rounds} in turns. `here`: without a client. `gain`: of"
    " two workers over one. Parameters are compared before, to {same:.0e}."
)
FILES = ("files", "samples", "here", "1 worker", "2 workers", "gain")

STUDY_NOTE = (
    "Seconds of `study(robot, (q, v, a), vary={vary})` of panda along {points} points, with all its"
    " statistics, in a fresh process, compilation included. `threads`: {cores} of one process;"
    " `Dask`: two workers. Results are compared before, to {same:.0e}."
)
STUDY = ("engine", "samples", "points", "evaluations", "seconds", "target", "met", "ns each")

#: What is uncertain in the study.
VARY = {"inertia": "5%", "placement": "0.1mm"}

STUDY_PROGRAM = """
import json, sys, warnings
warnings.simplefilter("ignore")
import numpy as np
import jounce
from jounce.studies import study

def main():
    robot_path, engine, samples, points, threads, vary = json.loads(sys.argv[1])
    robot = jounce.load(robot_path)
    t = np.linspace(0.0, 2.0, points)[:, None]
    w = 1.0 + 0.3 * np.arange(robot.nv)
    state = np.sin(w * t), w * np.cos(w * t), -w * w * np.sin(w * t)
    options = {"vary": vary, "samples": samples}
    if engine == "threads":
        found = study(robot, state, threads=threads, **options)
    else:
        from distributed import Client, LocalCluster
        quiet = {"dashboard_address": ":0", "silence_logs": 50}
        with LocalCluster(2, threads_per_worker=1, processes=True, **quiet) as place:
            with Client(place) as client:
                found = study(robot, state, client=client, **options)
    sums = [float(np.abs(x).sum()) for x in (found.mean, found.std, found.low, found.high)]
    print(json.dumps([found.seconds, found.evaluations, *sums]))

if __name__ == "__main__":
    main()
"""


def tables(options: Options) -> list[Table]:
    """Four tables; none without Dask."""
    if find_spec("distributed") is None:
        return []
    samples, block = (200_000, 20_000) if options.quick else (10_000_000, 250_000)
    blocks = 200 if options.quick else 2_000
    files, rows = (4, 20_000) if options.quick else (16, 1_600_000)
    robots, points = (2_000, 10) if options.quick else (1_000_000, 100)
    result = [
        Table(
            "Dask: arrays",
            ARRAYS_NOTE.format(block=block, rounds=ROUNDS, cores=cores(), tolerance=TOLERANCE),
            ARRAYS,
            [("Dask arrays", partial(_arrays, samples, block))],
        ),
        Table(
            "Dask: tasks",
            TASKS_NOTE.format(blocks=blocks, rounds=ROUNDS),
            TASKS,
            [("Dask tasks", partial(_tasks, blocks))],
        ),
    ]
    if find_spec("pyarrow") is not None:
        job = partial(_files, files, rows)
        note = FILES_NOTE.format(rounds=ROUNDS, same=SAME)
        result.append(Table("Dask: identification of many files", note, FILES, [("files", job)]))
    kinds = "{" + ", ".join(f"{k!r}: {x!r}" for k, x in VARY.items()) + "}"
    note = STUDY_NOTE.format(vary=kinds, points=points, cores=cores(), same=SAME)
    result.append(Table("Studies", note, STUDY, [("studies", partial(_studies, robots, points))]))
    return result


@contextmanager
def clusters(*counts: int) -> Iterator[list[Any]]:
    """Clients of clusters with so many processes each, of one thread."""
    from distributed import Client, LocalCluster

    with ExitStack() as stack:
        clients = []
        for n in counts:
            place = LocalCluster(
                n_workers=n,
                threads_per_worker=1,
                processes=True,
                dashboard_address=":0",
                silence_logs=logging.CRITICAL,
            )
            # not the default one: callers choose the client
            client = Client(stack.enter_context(place), set_as_default=False)
            clients.append(stack.enter_context(client))
        yield clients


@cache
def panda() -> jounce.Robot:
    """The robot of this section."""
    return jounce.load(path("panda"))


def in_turns(ways: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The least of some times of each way, in seconds by the wall clock."""
    best = dict.fromkeys(ways, np.inf)
    for _ in range(ROUNDS):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


# ------------------------------------------------------------------ arrays


def norms(samples: int, block: int) -> list[Any]:
    """Norms of inverse dynamics and its derivatives over many random states, lazily."""
    import dask.array as da

    robot, rng = panda(), da.random.default_rng(0)
    # one draw for all three, so that the states of a block need not meet
    states = rng.uniform(-1.0, 1.0, size=(samples, 3, robot.nv), chunks=(block, -1, -1))
    q, v, a = (states[:, k] for k in range(3))
    result = robot.inverse_dynamics.derivatives(q, v, a)
    return [da.sqrt(da.reduction(x, _squares, np.sum, dtype=float, split_every=64)) for x in result]


def _squares(block: np.ndarray, axis: Any, keepdims: bool) -> np.ndarray:
    """The sum of squares of a block, without an array of squares."""
    flat = block.ravel()
    return np.full((1,) * block.ndim, np.einsum("i,i", flat, flat))


def task_count(arrays: Sequence[Any]) -> int:
    """Return the number of tasks that a scheduler gets."""
    import dask

    every = {key for x in dask.optimize(*arrays) for key in dict(x.__dask_graph__())}
    return len(every)


def _arrays(samples: int, block: int) -> list[Row]:
    import dask

    requested = norms(samples, block)
    with clusters(1, 2) as clients:

        def on(client: Any) -> list[float]:
            return client.gather(client.compute(requested))

        def here() -> tuple[float, ...]:
            return dask.compute(*requested, scheduler="synchronous")

        expected = np.array(here())
        for client in clients:
            compare("norms on a cluster", np.array(on(client)), expected, TOLERANCE)
        times = in_turns({"here": here, "1": lambda: on(clients[0]), "2": lambda: on(clients[1])})
        shared = processor_seconds(lambda: on(clients[1]), clients[1])
        alone = processor_seconds(here)
    gain = times["1"] / times["2"]
    verdict = Verdict("two processes over one, norms of panda's derivatives", gain, GAIN, True)
    cells = (
        f"{samples:,}",
        f"{task_count(requested):,}",
        *(f"{x:.2f}" for x in times.values()),
        f"{gain:.2f}",
        verdict.bound_text,
        verdict.mark,
        f"{times['here'] / times['2']:.2f}",
        f"{shared / alone:.2f}",
    )
    return [Row(cells, [verdict])]


def processor_seconds(work: Callable[[], Any], client: Any = None) -> float:
    """Return the CPU time of this process and the workers of a cluster for some work."""

    def total_time() -> float:
        workers = {} if client is None else client.run(time.process_time)
        return time.process_time() + sum(workers.values())

    start = total_time()
    work()
    return total_time() - start


def _tasks(blocks: int) -> list[Row]:
    import dask.array as da
    from distributed import wait

    quantity, size = panda().inverse_dynamics, (2 * blocks, panda().nv)
    with clusters(2) as (client,), client.as_current():
        q = client.persist(da.ones(size, chunks=(2, -1)))
        expected = quantity(*(np.ones((2, size[1])),) * 3)
        compare("the first block", client.compute(quantity(q, q, q)[:2]).result(), expected)
        ways = {
            "ours": lambda: wait(client.persist(quantity(q, q, q))),
            "plain": lambda: wait(client.persist(da.map_blocks(_first, q, q, q, meta=expected))),
        }
        times = in_turns(ways)
    ours, plain = (1e3 * times[name] / blocks for name in ("ours", "plain"))
    verdict = Verdict("time of a task", ours, OVERHEAD, False, " ms")
    cells = ("inverse_dynamics", f"{blocks:,}", f"{ours:.2f}", verdict.bound_text, verdict.mark)
    return [Row((*cells, f"{plain:.2f}"), [verdict])]


def _first(block: np.ndarray, *others: np.ndarray) -> np.ndarray:
    return block


# ------------------------------------------------------------------ identification


def write_files(folder: Path, files: int, samples: int) -> None:
    """Motions and torques of panda in files of Parquet, as many samples in each."""
    import pyarrow as pa
    from pyarrow import parquet

    measurements(folder, samples)
    data = {name: np.load(folder / f"{name}.npy") for name in ("t", "q", "v", "a", "tau")}
    joints = panda().labels("v")
    columns = {"t": data["t"]}
    for name in ("q", "v", "a", "tau"):
        columns |= {f"{name}_{joint}": data[name][:, k] for k, joint in enumerate(joints)}
    for k, rows in enumerate(np.array_split(np.arange(samples), files)):
        part = {name: x[rows] for name, x in columns.items()}
        parquet.write_table(pa.table(part), folder / f"log{k:03d}.parquet")
    for name in data:
        (folder / f"{name}.npy").unlink()


def _files(files: int, samples: int) -> list[Row]:
    from jounce.identification import identify

    with tempfile.TemporaryDirectory(prefix="jounce-scale-") as place, clusters(1, 2) as clients:
        write_files(Path(place), files, samples)
        logs = f"{place}/*.parquet"

        def parameters(client: Any = None) -> np.ndarray:
            fit = identify(panda(), logs, friction=True, armature=True, client=client)
            return np.asarray(fit.robot.model.parameters)

        expected = parameters()
        for client in clients:
            compare("parameters found on a cluster", parameters(client), expected, SAME)
        ways = {
            "here": parameters,
            "1": partial(parameters, clients[0]),
            "2": partial(parameters, clients[1]),
        }
        times = in_turns(ways)
    cells = (
        str(files),
        f"{samples:,}",
        *(f"{x:.2f}" for x in times.values()),
        f"{times['1'] / times['2']:.2f}",
    )
    return [Row(cells)]


# ------------------------------------------------------------------ studies


def _studies(samples: int, points: int) -> list[Row]:
    rows, sums = [], {}
    for engine in ("threads", "Dask"):
        seconds, evaluations, *sums[engine] = _study(engine, samples, points)
        verdict = Verdict(f"study of {samples:,} robots, {engine}", seconds, SECONDS, False, " s")
        cells = (
            engine,
            f"{samples:,}",
            str(points),
            f"{evaluations:,}",
            f"{seconds:.1f}",
            verdict.bound_text,
            verdict.mark,
            f"{1e9 * seconds / evaluations:.0f}",
        )
        rows.append(Row(cells, [verdict]))
    if not np.allclose(sums["threads"], sums["Dask"], rtol=SAME, atol=0.0):
        raise MismatchError("studies on threads and on Dask differ")
    return rows


def _study(engine: str, samples: int, points: int) -> list[Any]:
    """Run a study in a fresh process and return its report."""
    arguments = json.dumps([str(path("panda")), engine, samples, points, cores(), VARY])
    # a file, as the processes of a cluster need a main module that they can import
    with tempfile.TemporaryDirectory(prefix="jounce-study-") as place:
        program = Path(place, "program.py")
        program.write_text(STUDY_PROGRAM, "utf-8")
        command = [sys.executable, str(program), arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])
