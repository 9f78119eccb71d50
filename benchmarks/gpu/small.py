"""Section: microseconds of a small batch from Python, with and without graphs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.gpu.robots import SCALARS, robot, states
from benchmarks.measure import MismatchError
from benchmarks.report import Row, Table, Verdict
from tests.gpu.support import difference, host, listed, truth_of

#: The robot, its samples, and the microseconds that they may take with graphs.
ROBOT, SAMPLES, TARGET = "panda", 4096, 15.0

#: Calls in a row of a timing, and timings of which the median counts.
CALLS, ROUNDS = 300, 15

WAYS = ("CuPy", "CuPy out=", "torch", "CuPy graph", "torch graph")
COLUMNS = ("quantity", "type", *(x for way in WAYS for x in (way, "alone")), "met")

NOTE = (
    "Microseconds of a call on {samples} samples of {robot}, from Python: the median of {rounds}"
    " timings of {calls} calls in a row, waited for at the end; `alone`: of single calls, each"
    " waited for. `CuPy`, `torch`: `robot.quantity(...)` on arrays of the library, results in new"
    " memory; `out=`: into memory that is there. Graphs are captured once and replayed. Target:"
    " {target:g} µs for a replay that is waited for."
)


def tables(robots: tuple[str, ...], quantities: tuple[str, ...]) -> Iterator[Table]:
    """Yield the table of a robot."""
    if ROBOT not in robots:
        return
    jobs = [
        (f"{SAMPLES} samples, {quantity} {SCALARS[scalar]}", partial(_rows, quantity, scalar))
        for quantity in quantities
        for scalar in SCALARS
    ]
    sizes = {"samples": SAMPLES, "robot": ROBOT, "rounds": ROUNDS, "calls": CALLS}
    yield Table("Small batches", NOTE.format(target=TARGET, **sizes), COLUMNS, jobs)


def _rows(quantity_name: str, scalar: str) -> list[Row]:
    quantity = robot(ROBOT).quantity(quantity_name)
    narrow = states(quantity, SAMPLES)
    truth, allowed = truth_of(quantity, narrow)
    arguments = [x.astype(SCALARS[scalar]) for x in narrow]
    ways = _of_cupy(quantity, arguments)
    if find_spec("torch") is not None:
        ways |= _of_torch(quantity, arguments)
    cells, best = [quantity_name, SCALARS[scalar].name], np.inf
    for way in WAYS:
        if way not in ways:
            cells += ["", ""]
            continue
        call, results, wait = ways[way]
        call()
        wait()
        for result, expected in zip(listed(results()), truth, strict=True):
            error = difference(host(result), expected)
            if not error <= allowed[scalar]:
                raise MismatchError(f"{quantity_name} by {way}: results differ by {error:.1e}")
        row, alone = microseconds(call, wait)
        cells += [f"{row:.1f}", f"{alone:.1f}"]
        best = min(best, alone) if "graph" in way else best
    what = f"{SAMPLES} samples of {ROBOT}, {quantity_name} {SCALARS[scalar]}, with a graph"
    verdict = Verdict(what, best, TARGET, False, " µs")
    return [Row((*cells, verdict.mark), [verdict])]


def microseconds(call: Callable[[], Any], wait: Callable[[], Any]) -> tuple[float, float]:
    """Medians of calls in a row, and of calls that are waited for."""
    rows, alone = [], []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(CALLS):
            call()
        wait()
        rows.append((time.perf_counter() - start) / CALLS)
        for _ in range(20):
            start = time.perf_counter()
            call()
            wait()
            alone.append(time.perf_counter() - start)
    return float(np.median(rows)) * 1e6, float(np.median(alone)) * 1e6


#: What is called, what gives its last results, and what waits for it.
Way = tuple[Callable[[], Any], Callable[[], Any], Callable[[], Any]]


def _of_cupy(quantity: Any, given: list[np.ndarray]) -> dict[str, Way]:
    import cupy

    stream = cupy.cuda.Stream(non_blocking=True)
    stream.use()
    arrays = [cupy.asarray(x) for x in given]
    out = quantity(*arrays)
    target = out if isinstance(out, tuple) else (out,)
    into = target if len(target) > 1 else target[0]
    kept: list[Any] = [out]

    def plain() -> None:
        kept[0] = quantity(*arrays)

    def write_result() -> None:
        quantity(*arrays, out=into)

    write_result()
    stream.synchronize()
    stream.begin_capture()
    write_result()
    graph = stream.end_capture()
    wait = stream.synchronize
    return {
        "CuPy": (plain, lambda: kept[0], wait),
        "CuPy out=": (write_result, lambda: into, wait),
        "CuPy graph": (lambda: graph.launch(stream), lambda: into, wait),
    }


def _of_torch(quantity: Any, given: list[np.ndarray]) -> dict[str, Way]:
    import torch

    tensors = [torch.tensor(x, device="cuda") for x in given]
    kept: list[Any] = [quantity(*tensors)]

    def plain() -> None:
        kept[0] = quantity(*tensors)

    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = quantity(*tensors)
    wait = torch.cuda.synchronize
    return {
        "torch": (plain, lambda: kept[0], wait),
        "torch graph": (graph.replay, lambda: captured, wait),
    }
