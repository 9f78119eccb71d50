"""How tapes are divided among threads of a GPU: whatever the plan, the numbers are the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.ops import ADD, ANGLES, COS, KEPT, MUL, NEG, OPS, SIN, SUB
from jounce.compiler.graph.passes import angle_values, expand_operations, order_by_parts
from jounce.compiler.graph.tape import Tape, record
from jounce.compiler.targets import interpreter
from jounce.compiler.targets.function import Shape
from jounce.compiler.targets.nvptx import plan as plans
from jounce.compiler.targets.nvptx.hosted import call, run
from jounce.compiler.targets.nvptx.plan import Group, Plan, plan_kernel
from jounce.compiler.targets.nvptx.program import _SHARED as SHARED
from jounce.compiler.targets.nvptx.schedule import (
    POOL,
    Part,
    Schedule,
    Slot,
    find_dependencies,
    order_sethi_ullman,
    schedule_operations,
)
from jounce.robot import Robot
from support.helpers import quiet_read, small_model

pytestmark = pytest.mark.cuda

DTYPES = {"double": np.float64, "float": np.float32}

Case = tuple[Tape, tuple[Shape, ...], tuple[Shape, ...]]


@cache
def kernel(name: str, quantity: str) -> Case:
    """A kernel of a robot, as a plan gets it."""
    model = small_model() if name == "small" else quiet_read(name)
    found = Robot(model).quantity(quantity).kernel
    return expand_operations(found.tape, "llvm"), found.inputs, found.outputs


def random_tape(seed: int, size: int, wide: int, n_inputs: int = 9) -> Case:
    """Operations on anything that was there before, and results that are any values at all."""
    rng = np.random.default_rng(seed)
    tape, angles = Tape(n_inputs, [0.5, -1.25, 3.0]), set()
    for i in range(size):
        op = int(rng.choice((ADD, SUB, MUL, NEG, SIN, COS, KEPT)))
        low = -3 if op not in (*ANGLES, NEG) else max(0, n_inputs + i - 60)
        a, b = (int(x) for x in rng.integers(low, n_inputs + i, 2))
        op = ADD if (op, a) in angles else op  # no tape has the sine of an angle twice
        if op in ANGLES:
            angles.add((op, a))
        tape.ops.append(op)
        tape.lhs.append(a)
        tape.rhs.append(b if OPS[op].arity == 2 else a)
    tape.outputs = [int(x) for x in rng.integers(-3, n_inputs + size, wide - 4)]
    tape.outputs += [n_inputs + size - 1 - k for k in range(4)]
    return tape, ((n_inputs - 4,), (4,)), ((wide - 4,), (4,))


# ------------------------------------------------------------------ a thread, step by step


class Thread:
    """What is in the registers and slots of one thread, by the numbers of the values."""

    def __init__(self, tape: Tape, slots: dict[Slot, int], staged: dict[int, Slot]) -> None:
        self.tape, self.slots, self.home = tape, dict(slots), staged
        self.pairs = angle_values(tape)
        self.registers: set[int] = set()
        self.most = 0

    def operands(self, i: int) -> list[int]:
        return [x for x in {self.tape.lhs[i], self.tape.rhs[i]} if x >= 0]

    def made(self, i: int) -> list[int]:
        if self.tape.ops[i] in ANGLES:
            return list(self.pairs[self.tape.lhs[i]].values())
        return [self.tape.n_inputs + i]

    def step(self, schedule: Schedule, now: int) -> None:
        """One operation, with the moves around it."""
        i = schedule.order[now]
        for value, slot in schedule.loads[now]:
            assert self.slots[slot] == value, f"{slot} holds {self.slots[slot]}, not {value}"
            self.registers.add(value)
        for x in self.operands(i):
            if x not in self.registers:  # from memory, or where it was brought
                assert x < self.tape.n_inputs
                assert x not in self.home or self.slots[self.home[x]] == x
                self.registers.add(x)
        self.registers.update(self.made(i))
        for value, slot in schedule.stores[now]:
            self.store(value, slot)
        self.registers.difference_update(schedule.leaving[now])
        self.most = max(self.most, len(self.registers))

    def store(self, value: int, slot: Slot) -> None:
        assert value in self.registers
        self.slots[slot] = value

    def forget(self, schedule: Schedule, now: int) -> None:
        """What nobody reads any more is in no register."""
        later = {x for i in schedule.order[now:] for x in self.operands(i)}
        later |= {x for moves in schedule.stores[now:] for x, _ in moves}
        later |= {x for moves in schedule.late_stores for x, _ in moves}
        self.registers &= later


def follow(case: Case, group: Group) -> tuple[Thread, list[tuple[int, int, int]]]:
    """A thread at the end of a group, and (result, place, value) of all that left."""
    tape, inputs, _ = case
    first = np.cumsum([0, *map(math.prod, inputs)])
    home = {
        int(first[k]) + e: (region, e - start)
        for k, (region, start, stop) in group.staged.items()
        for e in range(start, stop)
    }
    slots = {slot: x for x, slot in home.items()}
    assert len(slots) == len(home)
    thread = Thread(tape, slots | group.constants, home)
    left, start = [], 0
    for part, stop in enumerate(group.schedule.stops):
        for now in range(start, stop):
            thread.step(group.schedule, now)
        for value, slot in group.schedule.late_stores[part]:
            thread.store(value, slot)
        thread.forget(group.schedule, stop)
        for piece in group.pieces[part]:
            assert len({region for region, _ in piece.slots}) == 1
            left += [
                (piece.result, place, thread.slots[slot])
                for place, slot in zip(piece.places, piece.slots, strict=True)
            ]
        start = stop
    return thread, left


def check(case: Case, plan: Plan, scalar: str, shared: int) -> list[Thread]:
    """Every entry of every result leaves once, with its value, from slots that are there."""
    tape, _, outputs = case
    threads, left = [], []
    for group in plan.groups:
        thread, gone = follow(case, group)
        for region, place in thread.slots:
            assert 0 <= place < group.regions[region]
        threads.append(thread)
        left += gone
    places = [(r, place) for r, shape in enumerate(outputs) for place in range(math.prod(shape))]
    assert sorted(left) == [(*at, x) for at, x in zip(places, tape.outputs, strict=True)]
    assert plan.entries * np.dtype(DTYPES[scalar]).itemsize <= shared
    return threads


def check_numbers(case: Case, plan: Plan, scalar: str, n: int = 33) -> None:
    """The kernel of a plan, run by the processor, gives what the interpreter gives."""
    tape, inputs, outputs = case
    rng, dtype = np.random.default_rng(n), DTYPES[scalar]
    given = [rng.uniform(-1.0, 1.0, (n, *shape)).astype(dtype) for shape in inputs]
    found = call(run(tape, inputs, outputs, scalar, plan), inputs, outputs, scalar, given)
    columns = [x.astype(float) for each in given for x in each.reshape(n, -1).T]
    right = np.stack([np.broadcast_to(x, n) for x in interpreter.run(tape, columns)], axis=-1)
    flat = np.concatenate([x.reshape(n, -1) for x in found], axis=-1)
    scale = np.abs(right).max()
    np.testing.assert_allclose(
        flat, right, rtol=0, atol={"double": 1e-11, "float": 1e-3}[scalar] * scale
    )


# ------------------------------------------------------------------ schedules


@pytest.mark.parametrize("registers", [4, 9, 40])
@pytest.mark.parametrize("seed", range(4))
def test_schedules_keep_to_their_registers(seed: int, registers: int) -> None:
    """With slots enough there are never more values, and slots of two values never overlap."""
    tape, _, _ = random_tape(seed, 400, 60)
    cut = [tape.outputs[:20], tape.outputs[20:45], tape.outputs[45:]]
    done: set[int] = set()
    parts = []
    for values in cut:
        order = [i for i in order_by_parts(tape, [values]) if i not in done]
        done.update(order)
        waiting = {x: None for x in sorted({*values}) if x >= tape.n_inputs}
        parts.append(Part(order, waiting))
    staged: dict[int, Slot] = {x: (1, x) for x in range(5)}
    found = schedule_operations(tape, parts, registers, staged, 2)
    thread = Thread(tape, {slot: x for x, slot in staged.items()}, staged)
    start = 0
    for part, stop in enumerate(found.stops):
        for now in range(start, stop):
            thread.step(found, now)
        for value, slot in found.late_stores[part]:
            thread.store(value, slot)
        assert found.results[part].keys() == parts[part].values.keys()
        for value, slot in found.results[part].items():
            assert thread.slots[slot] == value
        thread.forget(found, stop)
        start = stop
    assert thread.most <= registers
    assert found.max_held == thread.most
    assert all(2 <= place < found.slots for region, place in thread.slots if region == POOL)
    assert not found.clashes


def test_more_registers_are_less_traffic() -> None:
    tape, _, _ = random_tape(1, 400, 20)
    parts = [
        Part(find_dependencies(tape, tape.outputs), {x: None for x in {*tape.outputs} if x >= 9})
    ]
    traffic = [
        schedule_operations(tape, parts, registers).traffic for registers in (4, 10, 30, 1000)
    ]
    assert traffic == sorted(traffic, reverse=True)
    assert traffic[-1] == len(parts[0].values)  # only results go to slots
    assert traffic[0] > 2 * traffic[-1]


@pytest.mark.parametrize("seed", range(3))
def test_without_slots_values_stay(seed: int) -> None:
    """The compiler sees to what finds no slot; nothing is lost."""
    tape, _, _ = random_tape(seed, 300, 12)
    values = {x: None for x in sorted({*tape.outputs}) if x >= tape.n_inputs}
    most = len(values) + 3
    found = schedule_operations(
        tape, [Part(find_dependencies(tape, tape.outputs), values)], 4, max_slots=most
    )
    thread = Thread(tape, {}, {})
    for now in range(len(found.order)):
        thread.step(found, now)
    assert found.slots <= most
    assert found.max_held > 4


def test_orders_hold_every_operation_once() -> None:
    tape, _, _ = random_tape(5, 300, 30)
    wanted = find_dependencies(tape, tape.outputs)
    halves = [tape.outputs[:15], tape.outputs[15:]]
    for order in (order_sethi_ullman(tape, tape.outputs), order_by_parts(tape, halves)):
        assert sorted(order) == wanted
        place = {i: k for k, i in enumerate(order)}
        for i in order:
            operands = (x - tape.n_inputs for x in (tape.lhs[i], tape.rhs[i]))
            assert all(place[j] < place[i] for j in operands if j >= 0)


# ------------------------------------------------------------------ plans


def rows_apart() -> Case:
    """A matrix whose rows have little in common, and the sum of each."""
    graph = Graph()
    x = graph.inputs_like((6,))
    shared = (x[0] * x[1]).sin()
    rows, sums = [], []
    for r in range(4):
        total, row = x[r] + shared, []
        for k in range(80):
            total = total * (0.5 + 0.01 * k * (r + 1)) + x[(k + r) % 6]
            if k % 10 == 9:
                row.append(total)
        rows += row
        sums.append(sum(row[1:], row[0]))
    return record(graph, [*rows, *sums]), ((2,), (4,)), ((4, 8), (4,))


@pytest.mark.parametrize("scalar", list(DTYPES))
@pytest.mark.parametrize("threads", [32, 64])
def test_several_groups(threads: int, scalar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has its own program, and sends its own part of the results."""
    case = rows_apart()
    assert len(plan_kernel(*case, scalar, 99 << 10, threads).groups) == 1
    monkeypatch.setattr(plans, "MAX_CACHED_OPERATIONS", {"double": 200, "float": 200})
    plan = plan_kernel(*case, scalar, 99 << 10, threads)
    assert len(plan.groups) == 4
    assert max(len(x.schedule.order) for x in plan.groups) <= 200
    check(case, plan, scalar, 99 << 10)
    check_numbers(case, plan, scalar, threads + 1)


@pytest.mark.slow
@pytest.mark.parametrize("scalar", list(DTYPES))
def test_a_humanoids_derivatives(scalar: str) -> None:
    case = kernel("toro25", "inverse_dynamics.derivatives")
    check_numbers(case, plan_kernel(*case, scalar, 99 << 10, 32), scalar)


@pytest.mark.parametrize("scalar", list(DTYPES))
@pytest.mark.parametrize(("numbers", "parts"), [(100, 14), (160, 4), (400, 1)])
def test_results_in_several_parts(numbers: int, parts: int, scalar: str) -> None:
    """Shared memory that holds so many numbers of a thread: less than the results, or all."""
    case = kernel("small", "mass_matrix")
    bytes_ = 32 * numbers * np.dtype(DTYPES[scalar]).itemsize
    plan = plan_kernel(*case, scalar, bytes_, 32)
    found = len(plan.groups[0].schedule.stops)
    assert (found == 1) if parts == 1 else (found > parts // 2)
    check(case, plan, scalar, bytes_)
    check_numbers(case, plan, scalar)


@pytest.mark.parametrize("scalar", list(DTYPES))
@pytest.mark.parametrize("seed", range(3))
def test_any_tape_with_any_memory(seed: int, scalar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few registers and little shared memory; results of every sort, some of them twice."""
    case = random_tape(seed, 300, 70)
    monkeypatch.setattr(plans, "_VALUE_REGISTERS", {"double": (8,), "float": (6, 12)})
    for numbers in (60, 100, 400):
        bytes_ = 32 * numbers * np.dtype(DTYPES[scalar]).itemsize
        plan = plan_kernel(*case, scalar, bytes_, 32)
        check(case, plan, scalar, bytes_)
        check_numbers(case, plan, scalar)


def test_results_lie_where_inputs_were() -> None:
    """As long as no input is read that a result would be written over."""
    graph = Graph()
    x = graph.inputs_like((12,))
    apart = record(graph, [x[k] * (k + 2.0) for k in range(12)])
    case: Case = (apart, ((12,),), ((12,),))
    plan = plan_kernel(*case, "double", 99 << 10, 32)
    assert plan.groups[0].regions == [0, 12]
    check(case, plan, "double", 99 << 10)
    check_numbers(case, plan, "double")


def test_results_that_clash_with_inputs_lie_apart() -> None:
    graph = Graph()
    x = graph.inputs_like((60,))
    total = x[0]
    for k in range(1, 60):
        total = total * 0.5 + x[k]
    chain = record(graph, [total * x[59 - k] + x[k] * (k + 1.5) for k in range(60)])
    case: Case = (chain, ((60,),), ((60,),))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "_VALUE_REGISTERS", {"double": (6,), "float": (6, 12)})
        plan = plan_kernel(*case, "double", 99 << 10, 32)
    assert plan.groups[0].regions[1:] == [60, 60]
    check(case, plan, "double", 99 << 10)
    check_numbers(case, plan, "double")


def test_too_little_memory_is_a_sentence() -> None:
    case = kernel("small", "mass_matrix")
    with pytest.raises(
        ValueError, match=r"needs [\d,]+ bytes of shared memory per block, available 64$"
    ):
        plan_kernel(*case, "double", 64, 32)


def test_planning_gives_up_what_does_not_help(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results in ever smaller parts: once this takes more slots, it is not tried further."""
    case = kernel("small", "mass_matrix")
    tried = []

    def counted(tape: Tape, parts: Sequence[Part], *others: Any) -> Schedule:
        tried.append(len(parts))
        return schedule_operations(tape, parts, *others)

    monkeypatch.setattr(plans, "schedule_operations", counted)
    with pytest.raises(ValueError, match="bytes of shared memory"):
        plan_kernel(*case, "double", 32 * 60 * 8, 32)
    assert 1 < max(tried) < 100


@pytest.mark.parametrize("scalar", list(DTYPES))
@pytest.mark.parametrize("quantity", ["inverse_dynamics", "mass_matrix", "forward_dynamics"])
def test_humanoids_fit_every_architecture(quantity: str, scalar: str) -> None:
    case = kernel("toro25", quantity)
    for shared in sorted({*SHARED.values()}):
        plan = plan_kernel(*case, scalar, shared)
        assert plan.threads in (32, 64)
        check(case, plan, scalar, shared)


@pytest.mark.parametrize(("scalar", "shared"), [("double", 64 << 10), ("double", 227 << 10)])
def test_derivatives_of_humanoids_are_divided(scalar: str, shared: int) -> None:
    case = kernel("toro25", "inverse_dynamics.derivatives")
    plan = plan_kernel(*case, scalar, shared)
    assert len(plan.groups) > 1
    check(case, plan, scalar, shared)


def test_registers_are_enough_where_slots_are() -> None:
    """Arms on a card with much shared memory: never more values than the model's."""
    case = kernel("iiwa14_mueller_kumar2021", "inverse_dynamics.derivatives")
    (thread,) = check(case, plan_kernel(*case, "double", 227 << 10), "double", 227 << 10)
    assert thread.most <= plans._VALUE_REGISTERS["double"][0]
