"""Section 9: every batch from 64 to a million samples, results dropped, given or kept."""

from __future__ import annotations

import timeit
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import oracles, peers
from benchmarks.measure import Effort, MismatchError, statement_timer, time_interleaved
from benchmarks.report import Options, Row, Table, Verdict, nanoseconds
from benchmarks.robots import Case, case
from benchmarks.sections import state
from jounce import release_memory

BATCHES = tuple(4**k for k in range(3, 11))
QUICK = BATCHES[:2]

#: Most bytes of a result, and of results that are kept.
LARGEST = 1 << 30
KEPT = 1 << 30

#: Time of a sample over that of the best batch.
FLAT = 1.25

WAYS = ("dropped", "out", "kept")

NOTE = (
    "ns per sample of jounce alone, by batch, as `dropped/out`: the call allocates its result,"
    " which is dropped before the next, or writes into an array given as `out=`. `best`: of both,"
    " at any batch. `dropped`, `out`, `kept`: the worst batch over the best, and which; `kept`:"
    " the call allocates, and all results stay, so that all memory is fresh. `faults`: page faults"
    " per MB of results, dropped and kept, where they are most."
    f" Results up to {LARGEST >> 20:,} MB."
    " The first 64 samples are compared with Pinocchio's; all batches repeat them, and are compared"
    " with them bit by bit."
)


def quantities() -> tuple[str, ...]:
    """Return the quantities of the batches and of first derivatives in the state."""
    return (*peers.PEERS, *(f"{name}.derivatives" for name in oracles.DERIVATIVES))


Curves = dict[tuple[str, str], dict[str, dict[int, float]]]


def tables(options: Options) -> list[Table]:
    """Return the table of quantities by robot."""
    batches = QUICK if options.quick else BATCHES
    columns = ("robot", "quantity", "bytes", *(f"{b:,}" for b in batches), "best")
    columns += (*WAYS, "target", "met", "faults")
    curves: Curves = {}
    jobs = [
        (f"sweep {quantity} {name}", partial(_rows, name, quantity, batches, options, curves))
        for quantity in quantities()
        for name in options.robots
    ]
    draw = partial(_draw, curves)
    return [Table("Batches of any size", NOTE, columns, jobs, draw=("sweep.svg", draw))]


@dataclass(frozen=True)
class Work:
    """A quantity of a robot on a batch that repeats the samples of the case."""

    function: Callable[..., Any]
    arguments: Sequence[np.ndarray]
    out: Any
    bytes: int

    def call(self) -> Any:
        return self.function(*self.arguments)

    def call_with_out(self) -> Any:
        return self.function(*self.arguments, out=self.out)

    def timer(self, way: str) -> timeit.Timer:
        """Return a timer of one way to call; a call before the clock starts allocates memory."""
        names = {f"x{k}": x for k, x in enumerate(self.arguments)}
        arguments = ", ".join([*names, "out=out"] if way == "out" else names)
        names |= {"f": self.function, "out": self.out, "kept": [], "release": release_memory}
        if way == "kept":
            return statement_timer(f"kept.append(f({arguments}))", names, "kept.clear(); release()")
        return statement_timer(f"f({arguments})", names, f"f({arguments})")


def prepare(robot: Case, quantity: str) -> tuple[Any, list[np.ndarray], tuple[np.ndarray, ...]]:
    """Return our function, its arguments and results after comparison with Pinocchio."""
    base, _, derivatives = quantity.partition(".")
    if derivatives:
        calls, _ = state.calls_of(robot, base)
        names = oracles.DERIVATIVES[base][1]
    else:
        calls = peers.batch_calls(robot, base)
        peers.check(robot, base, calls)
        names = peers.PEERS[base].arguments
    results = calls["ours"]()
    results = results if isinstance(results, tuple) else (results,)
    return robot.robot.quantity(quantity), [robot.states[0][x] for x in names], results


def work(function: Any, samples: Sequence[np.ndarray], wanted: Sequence[Any], batch: int) -> Work:
    """Return the timed calls of a batch; raise MismatchError if results differ from `wanted`."""
    count = batch // len(samples[0])
    arguments = [np.tile(x, (count, *(1,) * (x.ndim - 1))) for x in samples]
    made = tuple(np.empty((batch, *x.shape[1:])) for x in wanted)
    out = made if len(made) > 1 else made[0]
    result = Work(function, arguments, out, sum(x.nbytes for x in made))
    for call in (result.call, result.call_with_out):
        results = call()
        for x, y in zip(results if len(made) > 1 else (results,), wanted, strict=True):
            if not all(np.array_equal(part, y) for part in x.reshape(count, *y.shape)):
                raise MismatchError(f"{function}: a batch of {batch} differs from its samples")
    return result


def _rows(
    name: str, quantity: str, batches: Sequence[int], options: Options, curves: Curves
) -> list[Row]:
    function, samples, wanted = prepare(case(name, BATCHES[0]), quantity)
    size = sum(x[0].nbytes for x in wanted)
    works = {b: work(function, samples, wanted, b) for b in batches if b * size <= LARGEST}
    candidates = {f"{way} {b}": x.timer(way) for b, x in works.items() for way in WAYS[:2]}
    # few repetitions: there are many batches
    effort = Effort(max(options.effort.rounds // 2, 3), options.effort.seconds)
    times = time_interleaved(candidates, effort)
    ns = {way: {b: times[f"{way} {b}"] / b for b in works} for way in WAYS[:2]}
    kept = {b: _time_kept(x, options.quick) for b, x in works.items()}
    ns["kept"] = {b: seconds / b for b, (seconds, _) in kept.items()}
    curves[name, quantity] = ns
    best = min(min(ns[way].values()) for way in WAYS[:2])
    worst = {way: max(ns[way], key=lambda b: ns[way][b]) for way in WAYS}
    ratios = {way: ns[way][worst[way]] / best for way in WAYS}
    verdict = Verdict(
        f"any batch {quantity} {name}", max(ratios["dropped"], ratios["out"]), FLAT, at_least=False
    )
    cells = [
        "/".join(nanoseconds(ns[way][b]) for way in WAYS[:2]) if b in works else "" for b in batches
    ]
    faults = [max(_faults(x.call, x.bytes) for x in works.values())]
    faults.append(max(count for _, count in kept.values()))
    return [
        Row(
            (
                name,
                quantity,
                f"{size:,}",
                *cells,
                nanoseconds(best),
                *(f"{ratios[way]:.2f} ({worst[way]:,})" for way in WAYS),
                verdict.bound_text,
                verdict.mark,
                "/".join(f"{count:.1f}" for count in faults),
            ),
            [verdict],
        )
    ]


def _page_faults() -> int:
    try:
        import resource
    except ImportError:  # not on every platform
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def _faults(call: Callable[[], Any], size: int) -> float:
    """Page faults of a call, per MB."""
    call()
    before = _page_faults()
    call()
    return (_page_faults() - before) / (size / 2**20)


def _time_kept(x: Work, quick: bool) -> tuple[float, float]:
    """Seconds of a call whose result is kept, and its page faults per MB."""
    count = min(max(KEPT // x.bytes, 1), 3 if quick else 32)
    before = _page_faults()
    seconds = x.timer("kept").timeit(count) / count
    return seconds, (_page_faults() - before) / count / (x.bytes / 2**20)


def _draw(curves: Curves, path: Path) -> None:
    """ns per sample over the batch, a panel per quantity."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    robots = list(dict.fromkeys(name for name, _ in curves))
    names = list(dict.fromkeys(quantity for _, quantity in curves))
    styles = dict(zip(WAYS, ("-", "--", ":"), strict=True))
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "jounce", "font.size": 8}):
        figure = Figure(figsize=(10, 3 * -(-len(names) // 3)), layout="constrained")
        panels = figure.subplots(-(-len(names) // 3), 3, squeeze=False, sharex=True).flat
        for panel, quantity in zip(panels, names, strict=False):
            panel.set_title(quantity)
            panel.set(xscale="log", yscale="log")
            panel.minorticks_off()
            panel.grid(alpha=0.3)
            for k, name in enumerate(robots):
                for way, line in curves.get((name, quantity), {}).items():
                    label = name if way == WAYS[0] else None
                    values = [1e9 * x for x in line.values()]
                    width = 0.6 if way == "kept" else 1.2
                    panel.plot(list(line), values, styles[way], c=f"C{k}", lw=width, label=label)
        for panel in list(panels):  # those that are left
            panel.set_visible(False)
        figure.axes[0].legend()
        figure.supxlabel("batch")
        figure.supylabel("ns per sample: result dropped (solid), out= (dashed), kept (dotted)")
        figure.savefig(path, metadata={"Date": None})
