"""WebAssembly from tapes, run by node: operations, sines, long tapes, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import mpmath
import numpy as np
import pytest

from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.ops import ANGLES, NEG, OPS
from jounce.compiler.graph.tape import Tape, record
from jounce.compiler.targets import wasm
from jounce.compiler.targets.function import Function, Variable
from jounce.compiler.targets.wasm import assembly, kernel
from support.web import OWN, interpreted, raw_in_node

pytestmark = pytest.mark.shown

#: What arithmetic stumbles over.
EDGES = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -2.5, 5e-324, -1e308, 3e154)


def function_of(tape: Tape, name: str = "f") -> Function:
    shapes = (tape.n_inputs,), (len(tape.outputs),)
    (x, y) = (Variable(own, shape, "") for own, shape in zip("xy", shapes, strict=True))
    return Function(name, tape, (x,), (y,))


def run(tape: Tape, rows: np.ndarray, folder: Path) -> np.ndarray:
    function = function_of(tape)
    return raw_in_node(wasm.module([function]), function, rows, folder)


def traced(count: int, formula: Callable[..., list[object]]) -> Tape:
    graph = Graph()
    return record(graph, formula(*graph.inputs_like((count,))))


# ------------------------------------------------------------------ operations


def test_operations_are_numpys_on_what_is_hard(tmp_path: Path) -> None:
    tape = Tape(2)
    for number, op in enumerate(OPS):
        if op.composed is None:
            tape.ops.append(number)
            tape.lhs.append(0)
            tape.rhs.append(1 if op.arity == 2 else 0)
            tape.outputs.append(2 + len(tape.outputs))
    rows = np.array([(a, b) for a in EDGES for b in EDGES])
    found = run(tape, rows, tmp_path)
    expected = np.array([interpreted(tape, [row]) for row in rows])
    angles = [op in ANGLES for op in tape.ops]
    np.testing.assert_array_equal(found[:, np.invert(angles)], expected[:, np.invert(angles)])
    np.testing.assert_allclose(found[:, angles], expected[:, angles], rtol=3e-16)
    exact = [OPS[op].name in ("add", "sub", "mul", "div", "neg", "sqrt") for op in tape.ops]
    encode_signed = ~np.isnan(expected[:, exact])
    np.testing.assert_array_equal(
        np.signbit(found[:, exact])[encode_signed], np.signbit(expected[:, exact])[encode_signed]
    )


def test_arctangents(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    tape = traced(2, lambda y, x: [y.atan2(x)])
    rows = np.concatenate((rng.normal(size=(500, 2)), [(0, 1), (0, -1), (1, 0), (-1, 0), (0, 0)]))
    found = run(tape, rows, tmp_path)[:, 0]
    np.testing.assert_allclose(found, np.arctan2(*rows.T), rtol=5e-16)


def angles() -> np.ndarray:
    rng = np.random.default_rng(1)
    quarters = math.pi / 2 * np.concatenate((np.arange(-40, 41), 10.0 ** np.arange(2, 16)))
    return np.concatenate(
        (
            rng.uniform(-10, 10, 500),
            rng.normal(size=500) * 10.0 ** rng.uniform(-20, 300, 500),
            quarters,
            np.nextafter(quarters, np.inf),
            [2.0**19, np.nextafter(2.0**19, np.inf), 6381956970095103.0 * 2.0**797, 1.7e308],
        )
    )


def test_sines_of_every_finite_angle(tmp_path: Path) -> None:
    """Within 1.5 units in the last place, next to zeros and of huge angles too."""
    tape = traced(1, lambda x: [x.sin(), x.cos()])
    given = angles()
    found = run(tape, given[:, None], tmp_path)
    with mpmath.workprec(1300):
        for x, pair in zip(given, found, strict=True):
            for exact, value in zip((mpmath.sin(x), mpmath.cos(x)), pair, strict=True):
                unit = np.spacing(abs(float(exact)))
                assert abs(exact - mpmath.mpf(value)) <= 1.5 * unit, f"{x!r}: {value!r}"


def test_sines_of_what_is_no_angle(tmp_path: Path) -> None:
    tape = traced(1, lambda x: [x.sin(), x.cos()])
    found = run(tape, np.array([[-0.0], [0.0], [math.inf], [-math.inf], [math.nan]]), tmp_path)
    np.testing.assert_array_equal(found[:2], [[0.0, 1.0]] * 2)
    assert [math.copysign(1.0, x) for x in found[:2, 0]] == [-1.0, 1.0]
    assert np.isnan(found[2:]).all()


# ------------------------------------------------------------------ tapes


def random_tape(rng: np.random.Generator, operations: int) -> Tape:
    """Operations of all kinds on values near and far, results of every kind."""
    tape = Tape(5, [0.75, -0.0, 0.0])
    known = [number for number, op in enumerate(OPS) if op.composed is None]
    done: set[tuple[int, int]] = set()  # of an angle there is one sine and one cosine
    for i in range(operations):
        op = int(rng.choice(known))
        near = max(0, tape.n_inputs + i - 20)
        a, b = (
            int(rng.integers(-3, tape.n_inputs + i) if far else rng.integers(near, 5 + i))
            for far in rng.random(2) < 0.3
        )
        op = NEG if (op, a) in done else op
        done |= {(op, a)} if op in ANGLES else set()
        tape.ops.append(op)
        tape.lhs.append(a)
        tape.rhs.append(b if OPS[op].arity == 2 else a)
    tape.outputs = [int(x) for x in rng.integers(5, 5 + operations, 12)]
    tape.outputs += [5 + operations - 1, 2, 2, -1, -2, *(-3,) * 9, tape.outputs[0], -3]
    return tape


@pytest.mark.parametrize("size", [1, 3, 40, 3000])
def test_long_tapes_are_cut_without_loss(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the length of the parts: the same bits."""
    monkeypatch.setattr(kernel, "MAX_OPERATIONS", size)
    rng = np.random.default_rng(size)
    tapes = [random_tape(rng, n) for n in (1, 2, 50, 400)]
    functions = [function_of(tape, f"f{k}") for k, tape in enumerate(tapes)]
    made = wasm.module(functions)
    for function in functions:
        rows = rng.normal(size=(4, 5))
        found = raw_in_node(made, function, rows, tmp_path)
        for row, result in zip(rows, found, strict=True):
            expected = interpreted(function.tape, [row], OWN)
            np.testing.assert_array_equal(result, expected)
            zeros = expected == 0.0
            constants = np.array(function.tape.outputs) < 0
            np.testing.assert_array_equal(
                np.signbit(result[zeros & constants]), np.signbit(expected[zeros & constants])
            )


def test_results_without_operations(tmp_path: Path) -> None:
    """Arguments and constants alone, and zeros where another function left its own."""
    zeros = Tape(1, [0.0, 2.5], outputs=[-1] * 20 + [-2, 0])
    found = run(zeros, np.array([[3.0]]), tmp_path)
    np.testing.assert_array_equal(found, [[0.0] * 20 + [2.5, 3.0]])


def test_functions_stay_within_what_engines_take() -> None:
    """V8: 50,000 locals and 7.6 MB; of a sum of all products of many values at once."""
    tape = traced(
        700, lambda *x: [sum(x[i] * x[-1 - i] * x[k] for i in range(700)) for k in (0, 9)]
    )
    assert len(tape) > 2000
    long = Tape(tape.n_inputs, tape.constants)
    for _ in range(20):  # one after the other
        shift = len(long)
        moved = lambda x, shift=shift: x if x < tape.n_inputs else x + shift  # noqa: E731
        long.ops += tape.ops
        long.lhs += map(moved, tape.lhs)
        long.rhs += map(moved, tape.rhs)
        long.outputs += map(moved, tape.outputs)
    made = kernel.kernel(function_of(long), {}, 0)
    assert len(made.bodies) > 1
    assert max(map(len, made.bodies)) < 500_000


def test_the_bytes_depend_on_the_tape_alone() -> None:
    tape = random_tape(np.random.default_rng(8), 100)
    first, second = (wasm.TARGET.build(function_of(tape)) for _ in range(2))
    assert first == second
    assert first.startswith(b"\x00asm\x01\x00\x00\x00")


# ------------------------------------------------------------------ refused


def test_what_is_refused() -> None:
    function = function_of(traced(1, lambda x: [x + 1.0]))
    with pytest.raises(ValueError, match="compute in float64, found dtype float32"):
        wasm.TARGET.build(function, np.float32)
    with pytest.raises(ValueError, match=r"no instruction 'f64\.tan'"):
        assembly.function("(func $f (result f64) (f64.tan (f64.const 1)))", {})
