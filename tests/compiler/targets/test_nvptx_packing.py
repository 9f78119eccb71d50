"""Results in two kernels: values one after the other, then at their places."""

from __future__ import annotations

from typing import Any

import pytest

import jounce
from gpu.support import close, given, truth_of
from jounce.compiler.graph.passes import expand_operations
from jounce.compiler.targets import nvptx
from jounce.compiler.targets.nvptx import grouping, hosted, packing
from jounce.robot import Robot
from support.zoo import MODELS

pytestmark = pytest.mark.cuda

#: Samples: one, and those of a block and one more.
BATCHES = (1, 65)

CASES = (
    ("small", "inverse_dynamics.derivatives"),
    ("floating", "mass_matrix"),
    ("small", "coriolis_matrix"),
    ("every kind", "mass_matrix"),
)


@pytest.fixture
def short(monkeypatch: Any) -> None:
    """Programs are too long for the instruction cache, and are packed whatever that costs."""
    monkeypatch.setattr(packing, "MAX_CACHED_OPERATIONS", dict.fromkeys(("double", "float"), 50))
    monkeypatch.setattr(packing, "_MAX_OPERATIONS", dict.fromkeys(("double", "float"), 400))
    monkeypatch.setattr(packing, "_MIN_RATIO", dict.fromkeys(("double", "float"), 0.0))


def kernel(name: str, quantity: str) -> Any:
    return Robot(MODELS[name]()).quantity(quantity)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("scalar", ["double", "float"])
@pytest.mark.parametrize(("name", "path"), CASES)
def test_both_kernels_give_the_interpreters_numbers(name: str, path: str, scalar: str) -> None:
    found = kernel(name, path)
    inner = found.kernel
    tape = expand_operations(inner.tape, "llvm")
    assert packing.plan_packed(tape, inner.inputs, inner.outputs, scalar, hosted._SHARED)
    run = nvptx.compile_hosted(inner.tape, inner.inputs, inner.outputs, scalar)
    narrow = given(found, max(BATCHES), scalar="float")
    truth, allowed = truth_of(found, narrow)
    for n in BATCHES:
        results = run(*(x[:n] for x in narrow))
        close(results, [x[:n] for x in truth], scalar, f"{name}, {path}, {n}", allowed[scalar])


def test_every_value_is_written_once_and_every_entry_has_a_source() -> None:
    inner = kernel("small", "inverse_dynamics.derivatives").kernel
    tape = expand_operations(inner.tape, "llvm")
    entries = grouping.result_entries(tape, inner.outputs)
    units = grouping.clusters(tape, entries, 2 * len(tape) // 3)
    assert len(units) > 1
    parts, found = packing.pack(entries, units, inner.outputs)
    written = [(x.result, x.place) for part in parts for x in part]
    assert len(set(written)) == len(written) == found.values
    assert len({x.value for part in parts for x in part}) == found.values
    places = [(r, k) for r, start, stop in found.ranges for k in range(start, stop)]
    assert sorted(places) == sorted(written)
    values = {(x.result, x.place): x.value for part in parts for x in part}
    held = [*(values[place] for place in places), *found.constants]
    for entry in entries:
        assert held[found.sources[entry.result][entry.place]] == entry.value


def test_clusters_hold_every_entry_and_have_fewer_operations_than_rows() -> None:
    inner = jounce.load("toro25").quantity("inverse_dynamics.derivatives").kernel
    tape = expand_operations(inner.tape, "llvm")
    entries = grouping.result_entries(tape, inner.outputs)
    units = grouping.clusters(tape, entries, 7200)
    rows = grouping.partitions(tape, entries, 7200)[0]
    for division in (units, rows):
        held = [x for unit in division for x in unit.entries]
        assert len(held) == len(entries)
        assert {*held} == {*entries}
    assert sum(x.operations for x in units) < sum(x.operations for x in rows)


def test_exported_text_is_a_single_kernel(short: None) -> None:
    function = kernel("small", "coriolis_matrix").kernel.function
    target = nvptx.TARGET.for_machine("sm_90")
    assert target.compile(function).following
    assert target.build(function).count(".entry") == 1
