"""Quantities of several robots, to be compared between processors.

    python quantities.py store expected.npz      # on one machine
    python quantities.py compare expected.npz    # on another, with the same source

Each quantity is called on a batch, on single samples, into memory with strides of its own, and in
float32; sines over all magnitudes; rows of many lengths through packing and unpacking.
"""

from __future__ import annotations

import platform
import sys
import warnings
from pathlib import Path

import numpy as np

import jounce
from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.tape import Tape, record
from jounce.compiler.targets import llvm
from jounce.runtime import gufunc
from jounce.runtime.compiled import CompiledKernel

sys.path.insert(0, str(Path(__file__).parent.parent))

from support.helpers import chain, small_model

#: Relative to the largest entry of a result.
TOLERANCE = {"d": 1e-13, "f": 2e-5}

BATCH = 37

QUANTITIES = (
    "inverse_dynamics",
    "mass_matrix",
    "coriolis_matrix",
    "gravity_forces",
    "kinetic_energy",
    "inverse_dynamics.rates(1)",
    "inverse_dynamics.dpi",
    "inverse_dynamics.derivatives",
    "forward_dynamics",
)

Results = dict[str, np.ndarray]


def robots() -> dict[str, jounce.Robot]:
    """Fixed and floating, of all joint kinds, with loops to be closed."""
    kinds = ("revolute", "prismatic", "helical", "cylindrical", "universal", "spherical", "planar")
    return {
        "planar_2r": jounce.load("planar_2r"),
        "iiwa14_mueller_kumar2021": jounce.load("iiwa14_mueller_kumar2021"),
        "toro25": jounce.load("toro25"),
        "kinds": jounce.Robot(chain(kinds)),
        "small": jounce.Robot(small_model()),
    }


def of_robot(name: str, robot: jounce.Robot) -> Results:
    """Every quantity in every way of calling."""
    rng = np.random.default_rng(11)
    q = robot.random(rng, BATCH)
    rest = rng.normal(size=(4, BATCH, robot.nv))
    out: Results = {}
    for quantity in QUANTITIES:
        if name == "toro25" and quantity in ("coriolis_matrix", "inverse_dynamics.derivatives"):
            continue  # minutes under emulation
        item = robot.quantity(quantity)
        given = (q, *rest[: len(item.kernel.arguments) - 1])
        for char in "df":
            typed = [x.astype(char) for x in given]
            results = item(*typed)
            several = results if isinstance(results, tuple) else (results,)
            for k, result in enumerate(several):
                out[f"{name} {quantity} {k} {char}"] = result
            singles = item(*(x[5] for x in typed))
            for whole, one in zip(
                several, singles if isinstance(singles, tuple) else (singles,), strict=True
            ):
                np.testing.assert_array_equal(one, whole[5], err_msg=f"{name} {quantity}, single")
            if len(several) == 1:
                place = np.full_like(several[0], np.nan, order="F")
                item(*map(np.asfortranarray, typed), out=place)
                np.testing.assert_array_equal(place, several[0], err_msg=f"{name} {quantity}, out")
    return out


def of_mechanism() -> Results:
    """A mechanism with a closed loop."""
    closed = jounce.load("five_bar").closed(("joint1", "joint4"))
    q = closed.assemble(closed.robot.neutral(), strict=True).q
    v, a = np.random.default_rng(12).normal(size=(2, 9, 2))
    return {
        "five_bar inverse_dynamics d": closed.inverse_dynamics(np.tile(q, (9, 1)), v, a),
        "five_bar constraint_forces d": closed.constraint_forces(q, v[0], a[0]),
    }


def compiled(tape: Tape, n_in: int, sizes: tuple[int, ...], char: str) -> np.ufunc:
    """A gufunc of a tape of vectors."""
    shapes = ((n_in,),), tuple((size,) for size in sizes)
    scalar = {"d": "double", "f": "float"}[char]
    texts = llvm.module_texts(tape, *shapes, scalar, llvm.processor())
    code = llvm.inner_loop(llvm.Loaded(*map(llvm.compile_object, texts)))
    return gufunc.make_gufunc(CompiledKernel("tape", "", char, *shapes, len(tape), code))


def of_sines() -> Results:
    """Sines and cosines of all magnitudes, infinities among them."""
    graph = Graph()
    (x,) = graph.inputs_like((1,))
    tape = record(graph, [x.sin(), x.cos()])
    rng = np.random.default_rng(13)
    # exact: powers would differ in their last bit between processors, and large sines in all
    mantissas = rng.choice((-1.0, 1.0), 8000) * rng.uniform(1.0, 2.0, 8000)
    given = np.ldexp(mantissas.astype("f").astype("d"), rng.integers(-100, 127, 8000))
    bad = np.array((np.inf, -np.inf, np.nan, 0.0, -0.0))
    out: Results = {}
    for char in "df":
        x = np.concatenate((given, bad)).astype(char)[:, None]
        with np.errstate(invalid="ignore"):
            s, c = compiled(tape, 1, (1, 1), char)(x)
        out[f"sines {char}"], out[f"cosines {char}"] = s, c
    return out


def of_packing() -> Results:
    """Rows of many lengths, some values equal, some constant, some inputs; nothing around them."""
    out: Results = {}
    for size in (1, 2, 3, 5, 8, 17, 64):
        graph = Graph()
        x = graph.inputs_like((3,))
        tape = record(graph, [x[k % 3] * (k + 0.5) if k % 4 else float(k) for k in range(size)])
        for char in "df":
            f = compiled(tape, 3, (size,), char)
            for n in (1, 2, 3, 4, 5, 9):
                given = np.random.default_rng(n).normal(size=(n, 3)).astype(char)
                memory = np.full((n + 2, size + 3), -7.0, char)
                f(given, out=memory[1:-1, 1 : size + 1])
                out[f"packing {size} {n} {char}"] = memory
    return out


def everything() -> Results:
    """All results by name; the last letter is the dtype."""
    out: Results = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jounce.ModelWarning)
        for name, robot in robots().items():
            out |= of_robot(name, robot)
            print(f"{name}: {len(out)} results", file=sys.stderr, flush=True)
        out |= of_mechanism()
    return out | of_sines() | of_packing()


def tolerance(name: str, expected: Results) -> float:
    """Solving with M loses digits in proportion to its condition number."""
    robot, _, rest = name.partition(" ")
    bound = TOLERANCE[name[-1]]
    if rest.startswith("forward_dynamics"):
        bound *= 1.0 + np.linalg.cond(expected[f"{robot} mass_matrix 0 d"]).max()
    return bound


def compare(found: Results, expected: Results) -> float:
    """The largest difference of float64 results; AssertionError names those beyond rounding."""
    assert found.keys() == expected.keys(), found.keys() ^ expected.keys()
    worst = 0.0
    for name, right in expected.items():
        result = found[name]
        np.testing.assert_array_equal(np.isnan(result), np.isnan(right), err_msg=name)
        scale = max(np.abs(right).max(initial=0.0, where=~np.isnan(right)), 1e-3)
        gap = np.abs(result - right).max(initial=0.0, where=~np.isnan(right)) / scale
        assert gap <= tolerance(name, expected), f"{name}: {gap:.1e}"
        if name.endswith("d") and "forward_dynamics" not in name:
            worst = max(worst, float(gap))
    return worst


def main(action: str, file: str) -> None:
    """Store the results, or compare them with those of another machine."""
    found = everything()
    processor = llvm.processor()
    bits = 8 * processor.vector_bytes
    print(f"{platform.machine()}, {processor.cpu}, vectors of {bits} bits", end=": ")
    if action == "store":
        np.savez_compressed(file, **found)  # pyright: ignore[reportArgumentType]
        print(f"{len(found)} results stored")
        return
    with np.load(file) as stored:
        worst = compare(found, dict(stored))
    print(f"{len(found)} results agree, float64 to {worst:.1e}")


if __name__ == "__main__":
    main(*sys.argv[1:])
