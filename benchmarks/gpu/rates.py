"""Section: samples a second of kernels on large batches, and how near the card's peak that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from benchmarks.gpu import card, work
from benchmarks.gpu.robots import COMPARED, SCALARS, batch, load, states
from benchmarks.measure import MismatchError
from benchmarks.report import Row, Table, Verdict
from tests.gpu.support import difference, host, truth_of

#: Samples of a batch, and bytes that it may take.
BATCH, MOST_BYTES = 1 << 20, 24 << 30

#: Arguments shall be so many times as large as the card's cache, by several sets of them.
TIMES_CACHE = 4

#: Share of the smaller peak that arms shall reach, values and derivatives.
SHARES = {"values": 0.8, "derivatives": 0.6}

#: Samples a second to reach, (robot, quantity): float64, float32.
RATES: dict[tuple[str, str], dict[str, float]] = {
    ("g1", "inverse_dynamics"): {"double": 3e9, "float": 7e9},
    ("g1", "forward_dynamics"): {"double": 1.2e9, "float": 4e9},
    ("g1", "mass_matrix"): {"double": 4e8},
    ("g1", "inverse_dynamics.derivatives"): {"double": 8e7, "float": 2e8},
    ("panda", "inverse_dynamics.derivatives"): {"double": 1.3e9},
}

#: Samples a second of GRiD 0.6 (PyPI grid-rbd) in float32 on an H200, measured before, panda with
#: fixed fingers; and how many times as quick we shall be.
GRID: dict[str, dict[str, float]] = {
    "inverse_dynamics": {"ur5": 4.1e8, "panda": 3.6e8, "g1": 9.5e7},
    "inverse_dynamics.derivatives": {"ur5": 1.5e8, "panda": 1.2e8, "g1": 1.1e7},
}
TIMES_GRID = 20.0

#: Seconds that compiling may take: arms, values of humanoids, their derivatives.
COMPILING = {"arm": 0.5, "values": 5.0, "derivatives": 30.0}

COLUMNS = (
    "robot quantity",
    "type",
    "operations",
    "instructions",
    "samples",
    "evaluations/s",
    "bytes",
    "% of copy",
    "% of arithmetic",
    "of the smaller",
    "registers",
    "local B",
    "shared B",
    "threads x groups",
    "text s",
    "LLVM s",
    "driver s",
    "x GRiD",
    "met",
)

NOTE = (
    "Kernels alone, on warm clocks: the median of {rounds} timings by CUDA events, each of several"
    " launches, on sets of arguments in turn that together are at least {times} times the card's"
    " cache of {cache:.0f} MB. Results of {compared} samples are compared with the processor's"
    " before. `bytes`: arguments and results of a sample, each once; a plain copy moves"
    " {copy:.2f} TB/s (read and written). {definition} This card issues {double:.3g} a second in"
    " float64 and {float:.3g} in float32 at {clock:.0f} MHz. `text`, `LLVM`, `driver`: seconds with"
    " an empty cache, of writing LLVM's text, of LLVM, and of the driver's own compiler. `x GRiD`:"
    " our rate over GRiD 0.6's in float32, measured before on the same card (H200), panda there"
    " with fixed fingers. `met`: all targets of the row."
)


def tables(robots: tuple[str, ...], quantities: tuple[str, ...]) -> Iterator[Table]:
    """Yield the table, robot by robot."""
    jobs = [
        (f"{name} {quantity} {SCALARS[scalar]}", partial(_rows, name, quantity, scalar))
        for name in robots
        for quantity in quantities
        for scalar in SCALARS
    ]
    peak = card.peak()
    note = NOTE.format(
        rounds=card.ROUNDS,
        times=TIMES_CACHE,
        cache=card.attribute("L2_CACHE_SIZE") / 1e6,
        compared=COMPARED,
        copy=peak.copy / 1e12,
        definition=work.definition(),
        clock=card.attribute("CLOCK_RATE") / 1e3,
        **peak.issued,
    )
    yield Table("Rates on large batches", note, COLUMNS, jobs)


@dataclass(frozen=True)
class Measured:
    """A kernel and how quick it is. rate: samples a second."""

    kernel: Any
    made: card.Compiled
    samples: int
    rate: float


@cache
def _quantity(name: str, quantity: str) -> Any:
    """A quantity that no other section has compiled."""
    return load(name).quantity(quantity)


def measure(name: str, quantity_name: str, scalar: str) -> Measured:
    """Compile, compare, and time; MismatchError if results differ."""
    quantity = _quantity(name, quantity_name)
    made = card.compile_kernel(quantity.kernel, scalar)
    samples = batch(quantity, scalar, BATCH, MOST_BYTES)
    title = f"{name} {quantity_name} {SCALARS[scalar]}"
    return Measured(
        quantity.kernel, made, samples, time_kernel(title, quantity, made, scalar, samples)
    )


def time_kernel(title: str, quantity: Any, made: card.Compiled, scalar: str, samples: int) -> float:
    """Compare a kernel with the processor, and return its samples a second."""
    import cupy

    kernel, narrow, dtype = quantity.kernel, expected(quantity)[0], SCALARS[scalar]
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        sets = []
        arguments = sum(x.nbytes for x in narrow) // 4 * dtype.itemsize * (samples // COMPARED)
        count = -(-TIMES_CACHE * card.attribute("L2_CACHE_SIZE") // arguments)
        for _ in range(max(count, 1)):
            inputs = [_tile_samples(x.astype(dtype), samples) for x in narrow]
            outputs = [cupy.empty((samples, *core), dtype) for core in kernel.outputs]
            sets.append((inputs, outputs))
        launches = [_launch(made.launcher, stream, samples, *each) for each in sets]
        launches[0]()
        stream.synchronize()
        _compare(title, quantity, sets[0][1], scalar)
        taken = card.seconds(launches, stream)
    del launches, sets, inputs, outputs
    cupy.get_default_memory_pool().free_all_blocks()
    return samples / taken


def _tile_samples(x: np.ndarray, samples: int) -> Any:
    """Return samples on the card that repeat those of x."""
    import cupy

    return cupy.tile(cupy.asarray(x), (samples // len(x), *(1,) * (x.ndim - 1)))


def pointer(x: Any) -> int:
    """Return the address of a CuPy array."""
    return int(x.data.ptr)


def _launch(
    launcher: Any, stream: Any, samples: int, inputs: list[Any], outputs: list[Any]
) -> Callable[[], None]:
    pointers = [pointer(x) for x in (*inputs, *outputs)]
    steps = [x[0].size for x in inputs]
    return lambda: launcher.launch(stream.ptr, samples, pointers, steps)


@cache
def expected(quantity: Any) -> tuple[list[np.ndarray], list[np.ndarray], dict[str, float]]:
    """Arguments that are compared, the processor's results, and tolerances."""
    narrow = states(quantity, COMPARED)
    return narrow, *truth_of(quantity, narrow)


def _compare(what: str, quantity: Any, outputs: list[Any], scalar: str) -> None:
    """The first and the last samples of a batch, which are the same ones."""
    _, truth, allowed = expected(quantity)
    for place in (slice(None, COMPARED), slice(-COMPARED, None)):
        for ours, theirs in zip(outputs, truth, strict=True):
            error = difference(host(ours[place]), theirs)
            if not error <= allowed[scalar]:
                raise MismatchError(
                    f"{what}: results differ by {error:.1e}, allowed {allowed[scalar]:.1e}"
                )


# ------------------------------------------------------------------ rows


def verdicts(name: str, quantity: str, scalar: str, found: Measured) -> list[Verdict]:
    """The targets that a row has, and how it stands to them."""
    what = f"{name} {quantity} {SCALARS[scalar]}"
    derived = "derivatives" if quantity.endswith("derivatives") else "values"
    arm = name != "g1"
    share = found.rate / min(card.peak().rates(found.kernel, scalar))
    out = [Verdict(f"{what}, share of the peak", share, SHARES[derived], True, "")] if arm else []
    target = RATES.get((name, quantity), {}).get(scalar)
    if target is not None:
        out.append(Verdict(f"{what}, rate", found.rate, target, True, "/s"))
    theirs = GRID.get(quantity, {}).get(name)
    if theirs is not None:
        out.append(Verdict(f"{what}, compared with GRiD", found.rate / theirs, TIMES_GRID, True))
    most = COMPILING["arm" if arm else derived]
    taken = sum(found.made.parts.values())
    return [*out, Verdict(f"{what}, compiling", taken, most, False, " s")]


def _rows(name: str, quantity: str, scalar: str) -> list[Row]:
    result = measure(name, quantity, scalar)
    kernel, made, program = result.kernel, result.made, result.made.launcher.program
    moved, issued = card.peak().rates(kernel, scalar)
    judged = verdicts(name, quantity, scalar, result)
    theirs = GRID.get(quantity, {}).get(name)
    cells = (
        f"{name} {quantity}",
        SCALARS[scalar].name,
        f"{len(kernel.tape):,}",
        f"{work.instructions(kernel.tape, scalar):,}",
        f"{result.samples:,}",
        f"{result.rate:.3g}",
        f"{work.numbers(kernel) * work.BYTES[scalar]:,}",
        f"{100.0 * result.rate / moved:.0f}",
        f"{100.0 * result.rate / issued:.0f}",
        f"{100.0 * result.rate / min(moved, issued):.0f} %",
        str(made.registers),
        f"{made.local:,}",
        f"{made.shared:,}",
        f"{program.threads} x {program.groups}",
        *(f"{made.parts[part]:.2f}" for part in ("text", "LLVM", "driver")),
        "" if theirs is None else f"{result.rate / theirs:.0f}",
        "yes" if all(verdict.is_met for verdict in judged) else "**NO**",
    )
    return [Row(cells, judged)]
