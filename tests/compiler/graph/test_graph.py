"""Tracing and tapes: what folds, what is shared, what is left out, and how tapes are cut."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jounce.compiler.graph import passes
from jounce.compiler.graph.expr import Expr, Graph
from jounce.compiler.graph.ops import COS, DIV, MUL, OPS, SIN
from jounce.compiler.graph.passes import Plan, angle_values, plan, stages
from jounce.compiler.graph.tape import Tape, record
from jounce.compiler.targets import interpreter
from jounce.compiler.targets.function import Function, Variable
from jounce.compiler.targets.llvm import modules
from jounce.math import scalar
from jounce.robot import Robot
from support.helpers import assert_close, compiled_tape, kernels, random_arguments, small_model

pytestmark = pytest.mark.machine_code


def traced(formula: Callable[..., Any], n: int) -> Tape:
    """Tape of a function of n scalars that returns one or several results."""
    graph = Graph()
    result = formula(*(graph.input() for _ in range(n)))
    return record(graph, result if isinstance(result, list) else [result])


def inputs(n: int) -> tuple[Any, ...]:
    graph = Graph()
    return (graph, *(graph.input() for _ in range(n)))


# ------------------------------------------------------------------ folding


@pytest.mark.parametrize("zero", [0, 0.0, -0.0, np.float64(0), np.int64(0)])
def test_zeros_fold(zero: Any) -> None:
    _, x = inputs(1)
    for same in (x + zero, zero + x, x - zero, +x):
        assert same.ref == x.ref
    assert (zero - x).ref == -x.ref
    for nothing in (x * zero, zero * x, zero / x):
        assert isinstance(nothing, float)
        assert nothing == 0.0


@pytest.mark.parametrize("one", [1, 1.0, np.float64(1), np.int32(1)])
def test_ones_fold(one: Any) -> None:
    _, x = inputs(1)
    for same in (x * one, one * x, x / one, x**1):
        assert same.ref == x.ref
    for opposite in (x * -one, -one * x, -x):
        assert opposite.ref == -x.ref
    assert (x / -one).ref == -x.ref


def test_opposites_cancel() -> None:
    _, x, y = inputs(2)
    for gone in (x - x, x + -x, -x + x, (x - y) + (y - x), (x * y) - (y * x)):
        assert isinstance(gone, float)
        assert gone == 0.0
    assert x / x == 1.0
    assert x / -x == -1.0
    assert (x - y) / (y - x) == -1.0
    assert x**0 == 1.0


def test_numbers_stay_numbers() -> None:
    tape = traced(lambda x: [3.0, 0.0, x * 0.0 + 2.0, x - x], 1)
    assert len(tape) == 0
    assert interpreter.run(tape, [5.0]) == [3.0, 0.0, 2.0, 0.0]


@pytest.mark.parametrize("divisor", [3.0, 7, 1e300, -0.1, 2.0**-1022])
def test_division_by_a_number_is_a_product(divisor: float) -> None:
    tape = traced(lambda x: x / divisor, 1)
    assert DIV not in tape.ops
    (value,) = interpreter.run(tape, [2.5])
    assert value == pytest.approx(2.5 / divisor, rel=1e-15)


@pytest.mark.parametrize("divisor", [0.0, 5e-324, 1e-310])
def test_division_by_what_has_no_inverse(divisor: float) -> None:
    tape = traced(lambda x: x / divisor, 1)
    assert DIV in tape.ops
    with np.errstate(divide="ignore", over="ignore"):
        (value,) = interpreter.run(tape, [np.float64(1e-310)])
        assert value == np.float64(1e-310) / divisor


def test_only_numbers_mix_with_expressions() -> None:
    _, x = inputs(1)
    for bad in ("1", None, [1.0], 1j, {}):
        for operation in (
            lambda a, b: a + b,
            lambda a, b: a - b,
            lambda a, b: a * b,
            lambda a, b: a / b,
        ):
            with pytest.raises(TypeError):
                operation(x, bad)
            with pytest.raises(TypeError):
                operation(bad, x)
    for exponent in (-1, 0.5, x):
        with pytest.raises(TypeError):
            x**exponent
    with pytest.raises(TypeError):
        float(x)


def test_arrays_of_expressions() -> None:
    graph = Graph()
    A, b = graph.inputs_like((2, 3)), graph.inputs_like((3,))
    tape = record(graph, list(A @ b + 1.0))
    values = np.arange(9.0)
    expected = values[:6].reshape(2, 3) @ values[6:] + 1.0
    np.testing.assert_array_equal(interpreter.run(tape, list(values)), expected)
    given = Variable("A", (2, 3), ""), Variable("b", (3,), "")
    function = interpreter.TARGET.build(Function("f", tape, given, (Variable("y", (2,), ""),)))
    (found,) = function(values[:6].reshape(2, 3), np.stack((values[6:], values[6:])))
    np.testing.assert_array_equal(found, np.stack((expected, expected)))
    with pytest.raises(ValueError, match="the tape has 9 inputs, found 8"):
        interpreter.run(tape, list(values[:8]))


# ------------------------------------------------------------------ one sign, one node


def test_sums_and_differences_have_one_sign() -> None:
    graph, x, y = inputs(2)
    assert (x + y).ref == (y + x).ref
    assert (-x - y).ref == -(x + y).ref
    assert (x - y).ref == -(y - x).ref
    assert (-(x - y)).ref == (y - x).ref
    assert (-x + y).ref == (y - x).ref
    assert len(graph.ops) - 1 == 2 + 2  # two inputs, one sum, one difference


def test_products_and_quotients_have_one_sign() -> None:
    graph, x, y = inputs(2)
    assert (x * y).ref == (y * x).ref == (-x * -y).ref
    assert (-x * y).ref == (x * -y).ref == -(x * y).ref
    assert (-x / y).ref == (x / -y).ref == -(x / y).ref
    assert (x / y).ref != (y / x).ref
    assert (2.0 * x).ref == (x * 2).ref == (x + x).ref == -(x * -2.0).ref
    assert len(graph.ops) - 1 == 2 + 3 + 2  # inputs; product, two quotients; 2 and its product


def test_functions_have_one_sign() -> None:
    graph, x = inputs(1)
    assert (-x).sin().ref == -x.sin().ref
    assert (-x).cos().ref == x.cos().ref
    assert (-x).sign().ref == -x.sign().ref
    assert len(graph.ops) - 1 == 1 + 3
    tape = record(graph, [(-x).sin(), (-x).cos(), (-x).sign(), (-(x * -4.0)).sqrt()])
    results = interpreter.run(tape, [0.25])
    np.testing.assert_allclose(results, [-math.sin(0.25), math.cos(0.25), -1.0, 1.0])
    (root,) = interpreter.run(traced(lambda x: (-x).sqrt(), 1), [-9.0])
    assert root == 3.0


def test_repr() -> None:
    _, x = inputs(1)
    assert repr(-x) == "-x0"
    assert repr(x.sin()) == "sin#2"
    assert repr(-(x * 2.0)).startswith("-mul#")


# ------------------------------------------------------------------ tapes


def test_equal_operations_are_shared() -> None:
    def formula(x: Any, y: Any) -> list[Any]:
        s = (x + y).sin()
        return [s * s, (y + x).sin() * (x + y).sin(), -(s * s)]

    tape = traced(formula, 2)
    assert tape.counts() == {"add": 1, "sin": 1, "mul": 1, "neg": 1}
    a, b, c = tape.outputs
    assert a == b != c


def test_what_no_output_needs_is_left_out() -> None:
    def formula(x: Any, y: Any) -> Any:
        for _ in range(10):
            y = y.sin() * 3.5  # never used
        return x * 2.5

    tape = traced(formula, 2)
    assert tape.counts() == {"mul": 1}
    assert tape.constants == [2.5]
    assert tape.n_inputs == 2  # inputs stay, used or not


def test_operations_keep_their_order() -> None:
    tape = traced(lambda x, y: [(x * y).sin(), x + y, (x + y) * 2.0], 2)
    assert [OPS[op].name for op in tape.ops] == ["mul", "sin", "add", "mul"]
    for i, (a, b) in enumerate(zip(tape.lhs, tape.rhs, strict=True)):
        assert max(a, b) < tape.n_inputs + i  # operands come first


def test_outputs_may_be_inputs_and_repeat() -> None:
    tape = traced(lambda x, y: [y, x, -y, x, 1.5, -y, 1.5, -1.5], 2)
    assert interpreter.run(tape, [2.0, 3.0]) == [3.0, 2.0, -3.0, 2.0, 1.5, -3.0, 1.5, -1.5]
    assert tape.counts() == {"neg": 1}
    ufunc = compiled_tape(tape, ((), ()), ((8,),))
    np.testing.assert_array_equal(ufunc(2.0, 3.0), [3.0, 2.0, -3.0, 2.0, 1.5, -3.0, 1.5, -1.5])


def test_digest_tells_tapes_apart() -> None:
    def formula(x: Any, y: Any) -> list[Any]:
        return [(x + y).sin() * 2.5, x - y]

    tape = traced(formula, 2)
    assert tape.digest() == traced(formula, 2).digest()
    changes: dict[str, Any] = {
        "constants": [np.nextafter(2.5, 3.0)],
        "n_inputs": 3,
        "outputs": tape.outputs[::-1],
        "ops": [COS if op == SIN else op for op in tape.ops],
        "lhs": [0] * len(tape.ops),
        "rhs": [1] * len(tape.ops),
    }
    digests = {tape.digest()}
    for name, value in changes.items():
        digests.add(replace(tape, **{name: value}).digest())
    assert len(digests) == 1 + len(changes)


def test_digest_of_robots() -> None:
    """The same robot gives the same tape, in whatever order the quantities are made."""
    first, second = Robot(small_model()), Robot(small_model())
    digests = [kernel.tape.digest() for kernel in kernels(first)]
    assert digests == [kernel.tape.digest() for kernel in kernels(second)]
    assert len(set(digests)) == len(digests)


# ------------------------------------------------------------------ random programs

UNARY = ("sin", "cos", "neg", "sign")
BINARY = ("add", "sub", "mul", "div")

programs = st.lists(
    st.tuples(
        st.sampled_from(UNARY + BINARY + BINARY),
        st.integers(0, 10**6),
        st.integers(0, 10**6),
        st.sampled_from((0.0, 1.0, -1.0, 0.5, -2.25)),
        st.booleans(),
    ),
    min_size=1,
    max_size=60,
)


def perform(program: Sequence[Any], values: list[Any]) -> list[Any]:
    """Run a program on any scalars: its last results."""
    values = list(values)
    for name, i, j, number, use_number in program:
        a = values[i % len(values)]
        b = number if use_number else values[j % len(values)]
        if name in ("sin", "cos", "sign"):
            values.append(getattr(scalar, name)(a))
        elif name == "neg":
            values.append(-a)
        elif name == "div":
            values.append(a / (b * b + 1.5))
        else:
            values.append({"add": a + b, "sub": a - b, "mul": a * b}[name])
        if not isinstance(values[-1], Expr):  # keep products of products within bounds
            values[-1] = float(values[-1])
    return values[-5:]


def bounded(values: Sequence[float]) -> bool:
    return all(abs(x) < 1e6 for x in values)


few = settings(derandomize=True, deadline=None, database=None)


@given(program=programs, seed=st.integers(0, 1000), size=st.integers(1, 9))
@few
def test_traced_programs_compute_the_same(program: Any, seed: int, size: int) -> None:
    numbers = np.random.default_rng(seed).normal(size=4).tolist()
    expected = perform(program, numbers)
    if not bounded(expected):
        return
    graph = Graph()
    tape = record(graph, perform(program, [graph.input() for _ in range(4)]))
    found = interpreter.run(tape, numbers)
    scale = max(1.0, *map(abs, expected))
    # folding reorders sums; a sine of a large argument magnifies what that changes
    assert_close(found, expected, 1e-9, floor=scale)
    np.testing.assert_array_equal(run_plan(tape, plan(tape, size), numbers), found)


@pytest.mark.parametrize("seed", range(4))
def test_compiled_programs_compute_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    program = [
        (
            rng.choice(UNARY + BINARY),
            int(rng.integers(10**6)),
            int(rng.integers(10**6)),
            float(rng.choice((0.0, 1.0, -1.0, 0.5, -2.25))),
            bool(rng.random() < 0.3),
        )
        for _ in range(80)
    ]
    graph = Graph()
    tape = record(graph, perform(program, list(graph.inputs_like((4,)))))
    ufunc = compiled_tape(tape, ((4,),), ((5,),))
    x = rng.normal(size=(50, 4))
    expected = np.stack(np.broadcast_arrays(*interpreter.run(tape, list(x.T)), x[:, 0])[:5], -1)
    regular = np.abs(expected).max(axis=-1) < 1e3
    assert_close(ufunc(x)[regular], expected[regular], 1e-9)


# ------------------------------------------------------------------ cuts


def run_plan(tape: Tape, scheme: Plan, numbers: Sequence[Any]) -> list[Any]:
    """Replay a plan on a workspace that remembers which value each slot holds."""
    n = tape.n_inputs
    slots: dict[int, tuple[int, Any]] = {}
    pairs = angle_values(tape)
    done: set[int] = set()
    for segment in scheme.segments:
        assert not (segment.operations and segment.angles)
        assert not {s for _, s in segment.loads} & {s for _, s in segment.stores}
        assert len({s for _, s in segment.stores}) == len(segment.stores)
        known: dict[int, Any] = dict(enumerate(numbers))
        for value, slot in segment.loads:
            assert slots[slot][0] == value, "a slot was used again too early"
            known[value] = slots[slot][1]

        def fetch(x: int, known: dict[int, Any] = known) -> Any:
            return tape.constants[-1 - x] if x < 0 else known[x]

        for i in segment.operations:
            rule = OPS[tape.ops[i]]
            operands = (fetch(tape.lhs[i]), fetch(tape.rhs[i]))[: rule.arity]
            known[n + i] = rule.value(*operands)
            done.add(i)
        for angle in segment.angles:
            for op, value in pairs[angle].items():
                known[value] = OPS[op].value(fetch(angle))
                done.add(value - n)
        for value, slot in segment.stores:
            assert 0 <= slot < scheme.slots
            slots[slot] = value, known[value]
    assert done == set(range(len(tape)))
    results = []
    for out in tape.outputs:
        if out < n:
            results.append(tape.constants[-1 - out] if out < 0 else numbers[out])
        else:
            value, number = slots[scheme.outputs[out]]
            assert value == out, "an output was overwritten"
            results.append(number)
    return results


@pytest.mark.parametrize("size", [1, 2, 7, 50, 10**6])
@pytest.mark.parametrize("row", ["coriolis_matrix", "forward_dynamics", "joint_friction", "pose"])
def test_plans_lose_nothing(row: str, size: int) -> None:
    robot = Robot(small_model())
    kernel = next(k for k in kernels(robot) if k.quantity.name == row)
    tape = kernel.tape
    scheme = plan(tape, size)
    assert all(len(segment.operations) <= size for segment in scheme.segments)
    given = random_arguments(kernel, robot, np.random.default_rng(0))
    numbers = np.concatenate([x.ravel() for x in given]).tolist()
    expected = interpreter.run(tape, numbers)
    np.testing.assert_array_equal(run_plan(tape, scheme, numbers), expected)


def test_slots_are_used_again() -> None:
    def formula(x: Any) -> Any:
        for k in range(100):
            x = x * x + 0.1 * k
        return x

    tape = traced(formula, 1)
    assert plan(tape, 1).slots <= 4


def test_sines_of_a_stage_run_together() -> None:
    def formula(x: Any, y: Any) -> Any:
        return (x.sin() * y.cos()).sin() + x.cos() + (x + y).sin() + (y * 2.0).cos()

    tape = traced(formula, 2)
    scheme = plan(tape, 1000)
    assert [len(segment.angles) for segment in scheme.segments if segment.angles] == [4, 1]
    depth = stages(tape)
    assert max(depth) == 2
    assert [d for d, op in zip(depth, tape.ops, strict=True) if op == MUL] == [1, 0]


def test_an_empty_tape_has_a_plan() -> None:
    tape = traced(lambda x: [x, 2.0], 1)
    assert run_plan(tape, plan(tape, 10), [3.0]) == [3.0, 2.0]
    np.testing.assert_array_equal(compiled_tape(tape, ((),), ((2,),))(3.0), (3.0, 2.0))


@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize("size", [3, 40])
@pytest.mark.parametrize("row", ["inverse_dynamics", "mass_matrix"])
def test_segment_size_changes_nothing(
    row: str, size: int, char: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot = Robot(small_model())
    kernel = next(k for k in kernels(robot) if k.quantity.name == row)
    given = random_arguments(kernel, robot, np.random.default_rng(1), (33,))
    given = [x.astype(char) for x in given]
    results = []
    for limit in (modules.SEGMENT_SIZE, size):
        monkeypatch.setattr(modules, "SEGMENT_SIZE", limit)
        ufunc = compiled_tape(kernel.tape, kernel.inputs, kernel.outputs, char)
        results.append(ufunc(*given))
        np.testing.assert_array_equal(ufunc(*(x[32] for x in given)), results[-1][32])
    # products and sums are fused within a segment only
    assert_close(results[1], results[0], 1e-13 if char == "d" else 2e-5)


def test_a_shorter_order_computes_the_same() -> None:
    """Sums of products of many inputs, read backwards: in the order of results few are alive."""
    graph = Graph()
    x, y = graph.inputs_like((40,)), graph.inputs_like((40,))
    products = [a * b + a for a, b in zip(x, y, strict=True)]  # all, before any is used
    results = [[p * 2.0 for p in products], [p * p for p in products]]
    tape = record(graph, [r for one in results for r in one])
    other = passes.reduce_live_values(tape, [40, 40])
    values = list(np.random.default_rng(0).normal(size=80))
    assert interpreter.run(other, values) == interpreter.run(tape, values)
    assert len(other) == len(tape)
    assert passes._max_live_values(other) <= passes._max_live_values(tape)
    assert passes.reduce_live_values(other, [40, 40]).ops == other.ops
