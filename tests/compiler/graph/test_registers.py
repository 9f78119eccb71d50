"""Values in registers and in the workspace: nothing is read that is not there."""

from __future__ import annotations

import math

import numpy as np
import pytest

from jounce.compiler.graph import passes
from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.ops import ANGLES, OPS
from jounce.compiler.graph.registers import RegisterAllocation, allocate_registers
from jounce.compiler.graph.tape import Tape, record
from jounce.compiler.targets import interpreter

pytestmark = pytest.mark.machine_code


def random_tape(seed: int, inputs: int, operations: int, outputs: int) -> Tape:
    """Sums, products and sines of what came before, near or far; some results come twice."""
    rng = np.random.default_rng(seed)
    graph = Graph()
    values = list(graph.inputs_like((inputs,)))
    for _ in range(operations):
        a, b = (values[-1 - int(k)] for k in rng.integers(0, rng.choice((5, len(values))), 2))
        kind = rng.integers(12)
        values.append(a.sin() if kind == 0 else a * b if kind < 6 else a - b * 0.5)
    chosen = [values[int(k)] for k in rng.integers(0, len(values), outputs)]
    return record(graph, [*chosen, chosen[0], 3.0])


def run(tape: Tape, scheme: RegisterAllocation, registers: int, given: list[float]) -> list[float]:
    """What a machine with so many registers and slots computes, step by step."""
    n = tape.n_inputs
    memory = [math.nan] * scheme.slots
    pairs = passes.angle_values(tape)

    def read(x: int, held: dict[int, float]) -> float:
        if x < 0:
            return tape.constants[-1 - x]
        if x in held:
            return held[x]
        return given[x] if x < n else memory[scheme.places[x]]

    for segment in scheme.segments:
        results = {}
        for angle in segment.angles:
            x = read(angle, {})
            for op, value in pairs[angle].items():
                results[value] = OPS[op].value(x)
                if value in scheme.places:  # while other angles are still to be read
                    memory[scheme.places[value]] = results[value]
        held: dict[int, float] = {}
        for i in segment.operations:
            arity = OPS[tape.ops[i]].arity
            operands = [(x, read(x, held)) for x in (tape.lhs[i], tape.rhs[i])[:arity]]
            held |= {x: value for x, value in operands if x >= 0}
            held[n + i] = OPS[tape.ops[i]].value(*(value for _, value in operands))
            if n + i in scheme.places:
                memory[scheme.places[n + i]] = held[n + i]
            for x in scheme.leaving[i]:
                held.pop(x, None)
            assert len(held) <= registers
        assert not held
    return [read(x, {}) for x in tape.outputs]


@pytest.mark.parametrize("registers", [2, 7, 30])
@pytest.mark.parametrize("size", [1, 17, 1000])
def test_values_are_where_they_are_looked_for(registers: int, size: int) -> None:
    for seed in range(8):
        tape = random_tape(seed, inputs=9, operations=250, outputs=20)
        given = list(np.random.default_rng(seed).uniform(-1, 1, 9))
        scheme = allocate_registers(tape, size, registers, [15, 7])
        done = [i for segment in scheme.segments for i in segment.operations]
        sines = sum(op in ANGLES for op in tape.ops)
        assert sorted({*done}) == sorted(done)
        assert len(done) + sines == len(tape)
        expected = interpreter.run(tape, given)
        assert run(tape, scheme, registers, given) == expected


def test_more_registers_take_fewer_slots() -> None:
    tape = random_tape(3, inputs=20, operations=2000, outputs=10)
    stored = [
        len(allocate_registers(tape, 500, registers, [12]).places) for registers in (4, 12, 30, 90)
    ]
    assert stored == sorted(stored, reverse=True)
    assert stored[0] > stored[-1]


def test_slots_serve_again() -> None:
    """A chain of many values, of which few are alive at once, needs few slots."""
    graph = Graph()
    x = graph.inputs_like((4,))
    values = list(x)
    for k in range(600):
        values.append(values[-1] * values[-4] + x[k % 4])
    tape = record(graph, [values[-1]])
    assert allocate_registers(tape, 50, 2, [1]).slots < 12


def test_results_are_computed_limb_by_limb() -> None:
    """Two passes over many chains are done chain by chain: little is alive at once."""
    graph = Graph()
    x = graph.inputs_like((40, 20))
    forward = []
    for row in x:
        total = row[0]
        forward.append([total := total * value + 1.0 for value in row])
    results = [
        [a * b for a, b in zip(row, made, strict=True)]
        for row, made in zip(x, forward, strict=True)
    ]
    tape = record(graph, [r for row in results for r in row])
    as_made, _, by_results = passes.orders(tape, [len(tape.outputs)])
    alive = [passes._max_live_values(passes._permute(tape, list(o))) for o in (as_made, by_results)]
    inner = [passes.segments(tape, order, 100) for order in (as_made, by_results)]
    assert sum(len(s.operations) for s in inner[0]) == sum(len(s.operations) for s in inner[1])
    assert alive[1] <= alive[0]
    assert allocate_registers(tape, 100, 30, [len(tape.outputs)]).slots <= len(tape.outputs) + 40
