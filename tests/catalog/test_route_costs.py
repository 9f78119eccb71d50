"""Exact formulations are chosen by their operations: the cheapest one, on any robot."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

import jounce
from benchmarks.robots import chain
from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets import interpreter
from jounce.errors import JounceError
from jounce.math.alternatives import Selection, selecting
from jounce.runtime import formulation, trace
from jounce.runtime.kernel import Kernel
from support.helpers import assert_close, random_argument

#: Most operations of kernels whose lengths the documentation publishes.
PUBLISHED = {
    ("toro25 fixed", "mass_matrix"): 1_227,
    ("toro25 fixed", "equations_of_motion"): 4_189,
    ("toro25 fixed", "equations_of_motion.rates(1)"): 10_362,
    ("toro25 fixed", "inverse_dynamics.derivatives"): 9_580,
    ("toro25 fixed", "forward_dynamics.derivatives"): 17_264,
    ("toro25 floating", "mass_matrix"): 2_149,
    ("toro25 floating", "equations_of_motion"): 7_895,
    ("toro25 floating", "equations_of_motion.rates(1)"): 20_046,
    ("toro25 floating", "inverse_dynamics.derivatives"): 15_993,
    ("iiwa", "mass_matrix"): 269,
    ("iiwa", "coriolis_matrix"): 957,
    ("iiwa", "equations_of_motion"): 961,
    ("iiwa", "equations_of_motion.rates(1)"): 2_407,
    ("iiwa", "mass_matrix.dq"): 722,
    ("iiwa", "coriolis_matrix.dq"): 3_408,
    ("iiwa", "inverse_dynamics.dq"): 1_769,
    ("iiwa", "inverse_dynamics.dv"): 921,
    ("iiwa", "inverse_dynamics.dscrew"): 8_344,
    ("iiwa", "inverse_dynamics.derivatives"): 2_183,
    ("iiwa", "forward_dynamics"): 925,
    ("iiwa", "forward_dynamics.derivatives"): 3_988,
    ("iiwa", "kinetic_energy.dscrew"): 1_345,
    ("chain", "mass_matrix"): 6_890,
    ("chain", "equations_of_motion"): 18_585,
    ("chain", "inverse_dynamics.derivatives"): 31_273,
}

#: Quantities whose choices are checked in every run; the others in the slow one.
USUAL = ("inverse_dynamics", "kinetic_energy", "com_jacobian")


@cache
def robot(name: str) -> jounce.Robot:
    match name:
        case "iiwa":
            return jounce.load("kuka_iiwa14")
        case "chain":
            return chain(20).robot
        case "short chain":
            return chain(4).robot
        case "five_bar":
            return jounce.load("five_bar").closed(("joint1", "joint4"))
        case "contact":
            return jounce.load("kuka_iiwa14").edit.with_contact("tool").contacts()
    return jounce.load("toro25", base=name.removeprefix("toro25 "))


def quantity(name: str, path: str) -> DifferentiableQuantity:
    found = robot(name)
    for part in path.split("."):
        order = part.startswith("rates")
        found = found.rates(int(part[6:-1])) if order else getattr(found, part)
    return found


def traced(kernel: Kernel, chosen: dict[str, str]) -> tuple[Tape, Selection]:
    with selecting(chosen) as selection:
        tape = trace.trace_formula(kernel.quantity, kernel._tree, kernel._sizes, kernel._frame)
    return tape, selection


def formulations(kernel: Kernel) -> Iterator[tuple[dict[str, str], Tape]]:
    """Every combination of alternatives that the formula offers and that can be traced."""
    _, selection = traced(kernel, {})
    offered = dict(selection.offered)
    for name in list(offered)[:1]:  # others may be offered by other alternatives only
        for alternative in offered[name]:
            try:
                offered |= traced(kernel, {name: alternative})[1].offered
            except JounceError:
                continue
    for names in itertools.product(*offered.values()):
        chosen = dict(zip(offered, names, strict=True))
        try:
            yield chosen, traced(kernel, chosen)[0]
        except JounceError:  # reverse mode of wide results
            continue


@pytest.mark.parametrize(("name", "path"), PUBLISHED)
def test_published_lengths(name: str, path: str) -> None:
    assert quantity(name, path).cost.operations <= PUBLISHED[name, path]


def first_derivatives(name: str, usual: bool) -> list[str]:
    table = robot(name).definitions
    out = []
    for of, row in table.items():
        if (of in USUAL) == usual and not of.startswith(("elastic", "task")):
            out += [f"{of}.d{axis}" for axis in row.axes]
            out += [
                f"{of}.{x}"
                for x in ("dpi", "dscrew", "dplacement")
                if hasattr(getattr(robot(name), of), x)
            ]
    return out


CHECKED = [
    *(("iiwa", path) for path in first_derivatives("iiwa", True)),
    *(
        pytest.param(name, path, marks=pytest.mark.slow)
        for name in ("iiwa", "short chain", "five_bar", "contact")
        for path in first_derivatives(name, False)
    ),
]


@pytest.mark.parametrize(("name", "path"), CHECKED)
def test_the_cheapest_formulation_is_taken_and_all_agree(name: str, path: str) -> None:
    kernel = quantity(name, path).kernel
    rng = np.random.default_rng(len(path))
    owner = robot(name)
    given = [
        random_argument(x, owner, rng, (), kernel.quantity.argument(x)) for x in kernel.arguments
    ]
    numbers = [float(x) for array in given for x in np.ravel(array)]
    results = {}
    for chosen, tape in formulations(kernel):
        results[len(tape)] = np.array(interpreter.run(tape, numbers), float)
        assert kernel.cost.operations <= 1.03 * len(tape), chosen
    first = results[min(results)]
    for found in results.values():
        assert_close(found, first, 1e-10 if kernel.quantity.solves else 1e-11)


def test_choices_are_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """A second process traces once, and takes the same formulation."""
    monkeypatch.setenv("JOUNCE_CACHE", str(tmp_path / "cache"))
    calls = []
    original = trace.trace_formula

    def counted(*columns, **options) -> Tape:
        calls.append(columns[0].name)
        return original(*columns, **options)

    monkeypatch.setattr(trace, "trace_formula", counted)
    first = jounce.load("planar_2r").mass_matrix.dq.cost
    before = len(calls)
    again = jounce.load("planar_2r").mass_matrix.dq.cost
    assert before > 1
    assert len(calls) == before + 1
    assert again == first


def test_choices_of_other_versions_are_forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """One that offered less, named alternatives otherwise, or had other formulas."""
    monkeypatch.setenv("JOUNCE_CACHE", str(tmp_path / "cache"))
    expected = jounce.load("planar_2r").mass_matrix.dq.cost
    (key,) = (x.key for x in formulation.cache.entries() if x.name.endswith("formulation"))
    record = json.loads(formulation.cache.read(key))
    others = [
        record | {"offered": {"mass_matrix.dq": ["forward mode"]}},
        record | {"chosen": {"mass_matrix.dq": "another name"}},
        record | {"operations": 1},
    ]
    for other in others:
        formulation.cache.write(key, json.dumps(other).encode())
        assert jounce.load("planar_2r").mass_matrix.dq.cost == expected


def test_damaged_memory_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = jounce.load("planar_2r").mass_matrix.dq.cost
    for stored in (b"{", b"[]", b'{"chosen": 1, "trials": [], "operations": 3}', b"null"):
        monkeypatch.setattr(formulation.cache, "read", lambda key, stored=stored: stored)
        assert jounce.load("planar_2r").mass_matrix.dq.cost == expected


def test_cost_can_be_read() -> None:
    text = str(quantity("iiwa", "inverse_dynamics.dscrew").cost)
    assert "8344 operations" in text
    assert "reverse mode" in text
