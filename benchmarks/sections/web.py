"""Section: quantities as WebAssembly in node, compared with the same calls from Python."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import Times, compare, statement_timer
from benchmarks.report import Options, Row, Table, nanoseconds
from benchmarks.robots import Case, case
from jounce.viewer.web.module import WebModule, build_module

ROBOTS = ("ur5", "panda", "g1")
QUANTITIES = ("inverse_dynamics", "mass_matrix", "forward_dynamics.derivatives")

COLUMNS = (
    "robot",
    "quantity",
    "nv",
    "operations",
    "NumPy",
    "NumPy, out=",
    "node",
    "node, into",
    "ratio",
    "quartiles",
    "KiB",
    "load, ms",
    "difference",
)

NOTE = (
    "ns per call on one sample. `NumPy`: `robot.quantity(...)` from Python; `node`: the same"
    " quantity as WebAssembly, called from JavaScript on Float64Arrays. Both allocate their"
    " results, or write them where they are told. `ratio`: the time of `into` over that of `out=`;"
    " below 1 the WebAssembly is faster. `KiB`: the module with this quantity alone, its optional"
    " arguments included; `load`: reading and compiling it. Python and node in turns, by the CPU"
    " clocks of the thread and of the process, after enough calls for the engine to compile the"
    " code well."
)

_SCRIPT = """
import { createInterface } from "node:readline";
const start = performance.now();
const { load } = await import("./timed.js");
const robot = await load();
const loaded = performance.now() - start;
const [[identifier, own]] = Object.entries(robot.functions);
const f = robot[identifier];
const args = GIVEN.map((x) => Float64Array.from(x));
const results = own.results.map((x) => new Float64Array(x.shape.reduce((a, b) => a * b, 1)));
const out = results.length === 1 ? results[0] : results;
const ways = { call: () => f(...args), into: () => f.into(out, ...args) };
function seconds(way, calls) {
  const run = ways[way];
  const begin = process.cpuUsage();
  for (let k = 0; k < calls; k++) run();
  const used = process.cpuUsage(begin);
  return (used.user + used.system) * 1e-6;
}
for (const way in ways) for (let k = 0; k < 30; k++) seconds(way, 200);
await new Promise((done) => setTimeout(done, 300));
f.into(out, ...args);
console.log(JSON.stringify({ loaded, values: results.map((x) => [...x]) }));
for await (const line of createInterface({ input: process.stdin })) {
  const [way, calls] = JSON.parse(line);
  console.log(seconds(way, calls));
}
"""


def tables(options: Options) -> list[Table]:
    """Return the table of a few robots; no table without node."""
    if shutil.which("node") is None:
        return []
    jobs = [
        (f"web {quantity} {name}", partial(_rows, name, quantity, options))
        for name in options.robots
        if name in ROBOTS
        for quantity in QUANTITIES
    ]
    return [Table("WebAssembly in node", NOTE, COLUMNS, jobs)]


@contextmanager
def _node(module: WebModule, given: Sequence[np.ndarray]) -> Iterator[Callable[..., Any]]:
    """Node with a module: asks it, and gives what it answers; first what it says by itself."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "package.json").write_text('{"type": "module"}')
        (place / "timed.wasm").write_bytes(module.wasm)
        (place / "timed.js").write_text(module.javascript)
        values = json.dumps([x.ravel().tolist() for x in given])
        (place / "run.js").write_text(_SCRIPT.replace("GIVEN", values))
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with subprocess.Popen(["node", "run.js"], cwd=folder, **pipes) as process:

            def ask(*question: Any) -> Any:
                if question:
                    process.stdin.write(json.dumps(question) + "\n")
                    process.stdin.flush()
                return json.loads(process.stdout.readline())

            yield ask
            process.stdin.close()


def _rows(name: str, quantity: str, options: Options) -> list[Row]:
    robot = case(name)
    call = robot.robot.quantity(quantity)
    arguments = [robot.states[0][x][0].copy() for x in call.kernel.arguments]
    expected = _as_tuple(call(*arguments))
    out = tuple(np.empty_like(x) for x in expected)
    module = build_module(robot.robot, quantity, "timed")
    with _node(module, arguments) as ask:
        first = ask()
        error = max(
            compare(f"web {name} {quantity}", np.reshape(x, y.shape), y, batched=False)
            for x, y in zip(first["values"], expected, strict=True)
        )
        names = {"f": call, "out": out if len(out) > 1 else out[0]}
        names |= {f"x{k}": x for k, x in enumerate(arguments)}
        x = ", ".join(f"x{k}" for k in range(len(arguments)))
        ours = {
            "numpy": statement_timer(f"f({x})", names),
            "out": statement_timer(f"f({x}, out=out)", names),
        }
        times = _time(ours, ask, options)
    return [_row(robot, quantity, len(call.kernel.tape), module, first["loaded"], times, error)]


def _as_tuple(results: Any) -> tuple[np.ndarray, ...]:
    return results if isinstance(results, tuple) else (results,)


def _time(ours: Any, ask: Callable[..., Any], options: Options) -> Times:
    """Rounds in which Python and node have their turns."""
    ways: dict[str, Callable[[int], float]] = {key: x.timeit for key, x in ours.items()}
    ways |= {way: partial(ask, way) for way in ("call", "into")}
    seconds = max(options.effort.seconds, 0.02)  # the clock of node has microseconds
    once = {way: run(1000) / 1000 for way, run in ways.items()}
    calls = {way: max(1, round(seconds / x)) for way, x in once.items()}
    rounds: dict[str, list[float]] = {way: [] for way in ways}
    for k in range(options.effort.rounds + 1):
        for way in list(ways) if k % 2 else list(reversed(ways)):
            rounds[way].append(ways[way](calls[way]) / calls[way])
    return Times({way: np.array(x[1:]) for way, x in rounds.items()})


def _row(
    robot: Case,
    quantity: str,
    operations: int,
    module: WebModule,
    loaded: float,
    times: Times,
    error: float,
) -> Row:
    low, high = times.quartiles("into", "out")
    return Row(
        (
            robot.name,
            quantity,
            str(robot.robot.nv),
            f"{operations:,}",
            nanoseconds(times["numpy"]),
            nanoseconds(times["out"]),
            nanoseconds(times["call"]),
            nanoseconds(times["into"]),
            f"{times.ratio('into', 'out'):.2f}",
            f"{low:.2f}–{high:.2f}",
            f"{len(module.wasm) / 1024:.0f}",
            f"{loaded:.0f}",
            f"{error:.0e}",
        )
    )
