"""Modules for JavaScript as text and bytes; `tests/viewer/browser/test_wasm_*.py` run them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce import export
from jounce.errors import ArgumentError
from jounce.viewer.web.module import DEFAULT, build_module, default_quantities, export_web

pytestmark = pytest.mark.shown


@pytest.fixture(scope="module")
def arm() -> jounce.Robot:
    return jounce.load("planar_2r")


def test_files_are_the_same_again(arm: jounce.Robot, tmp_path: Path) -> None:
    """The robot loaded anew, too: nothing of the process is in them."""
    names = ["mass_matrix", "inverse_dynamics.rates(1)", "frame(tool).pose"]
    first = arm.export.web(tmp_path / "a", names)
    again = jounce.load("planar_2r").export.web(tmp_path / "b", names)
    own = ["planar_2r.wasm", "planar_2r.js", "planar_2r.d.ts", "selftest.mjs", "planar_2r.html"]
    assert [x.name for x in first] == own
    for one, other in zip(first, again, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_a_module_has_one_export_and_its_factory_none(arm: jounce.Robot) -> None:
    module = build_module(arm, "mass_matrix")
    assert re.findall(r"^export .*$", module.javascript, flags=re.MULTILINE) == [
        "export async function load(source) {"
    ]
    assert re.search(r"^\s*(export|import)\b", module.factory, flags=re.MULTILINE) is None
    assert module.factory in module.javascript
    assert module.wasm.startswith(b"\x00asm")
    (own,) = module.functions
    assert (own.name, own.quantity, own.operations) == (
        "mass_matrix",
        "mass_matrix",
        len(arm.mass_matrix.kernel.tape),
    )
    assert own.arguments == {"q": (2,)}
    assert own.results == {"M": (2, 2)}


def test_types_name_every_function(arm: jounce.Robot) -> None:
    names = ("inverse_dynamics", "inverse_dynamics.vjp", "mass_matrix.rates(1)", "christoffel")
    text = build_module(arm, (*names, "interpolate")).declarations
    vectors = "q: Vector, v: Vector, a: Vector"
    for line in (
        f"inverse_dynamics: Quantity<[{vectors}, wrenches?: Matrix], Float64Array>;",
        f"inverse_dynamics_vjp: Quantity<[{vectors}, lam: Vector, wrenches?: Matrix],"
        " Float64Array[]>;",
        "mass_matrix_rates_1: Quantity<[q: Vector, v: Vector], [Float64Array, Float64Array]>;",
        "christoffel: Quantity<[q: Vector], Float64Array>;",
        "interpolate: Quantity<[q0: Vector, q1: Vector, s: Vector | number], Float64Array>;",
    ):
        assert f"  readonly {line}\n" in text
    assert text.count("{") == text.count("}")
    assert text.count("/**") == text.count("*/")


@pytest.mark.parametrize(
    "make",
    [
        lambda arm: arm,
        lambda arm: jounce.load("five_bar").closed(),
        lambda arm: arm.edit.with_contact("tool", "point").contacts(),
    ],
    ids=["robot", "mechanism", "contacts"],
)
def test_there_is_a_selection_for_every_system(make: Callable[..., Any], arm: jounce.Robot) -> None:
    names = default_quantities(make(arm))
    assert len(names) >= 2
    assert set(names) <= set(DEFAULT)


def test_the_selection_is_of_what_there_is() -> None:
    systems = [jounce.load("planar_2r"), jounce.load("five_bar").closed()]
    systems.append(systems[0].edit.with_contact("tool", "point").contacts())
    assert {name for x in systems for name in default_quantities(x)} == set(DEFAULT)


def test_the_selection_is_of_what_can_be_computed() -> None:
    names = default_quantities(jounce.load("planar_2r", base="floating"))
    assert "forward_dynamics" not in names
    assert "inverse_dynamics" in names


def test_what_is_refused(arm: jounce.Robot, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="has no quantity 'mass'; did you mean 'mass_matrix'"):
        build_module(arm, "mass")
    with pytest.raises(ValueError, match="quantities is empty"):
        build_module(arm, [])
    with pytest.raises(TypeError, match="quantities: expected names such as"):
        build_module(arm, 3)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="name must be a C identifier"):
        build_module(arm, "mass_matrix", "a b")
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError, match="it is a file"):
        export_web(arm, tmp_path / "file", "mass_matrix", page=False)
    with pytest.raises(ValueError, match="float64, found dtype float32"):
        export.build(arm, "mass_matrix", "wasm", np.float32)
