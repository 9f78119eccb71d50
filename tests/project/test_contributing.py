"""The recipes of CONTRIBUTING.md, each run as a program of its own; and what a new row brings."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.catalog import tables
from jounce.catalog.derivative import derivative
from jounce.catalog.quantity import Form, Formula, Quantity, Result, Signature, Traits
from jounce.cli.info import list_quantities
from jounce.errors import ArgumentError
from jounce.formulas.dynamics import gravity_forces
from support import PROJECT
from support.helpers import assert_close

PAGE = (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
SECTIONS = {part.partition(":")[0]: part for part in PAGE.split("\n## ") if part.startswith("A ")}
RECIPES = {
    title: "\n".join(blocks)
    for title, part in SECTIONS.items()
    if (blocks := re.findall(r"```python\n(.*?)```", part, re.DOTALL))
}


def test_every_recipe_is_there_and_names_few_files() -> None:
    titles = re.findall(r"^## (A [\w ]+): ([^\n]*)$", PAGE, re.M)
    assert [title for title, _ in titles] == [
        "A quantity",
        "A joint kind",
        "A target",
        "A library that differentiates",
        "A file format",
    ]
    for title, files in titles:
        names = re.findall(r"`([^`]+)`", files)
        assert 1 <= len(names) <= 3, title
        for name in names:
            assert (Path(jounce.__file__).parent / name).exists(), name
    assert set(RECIPES) == {
        "A quantity",
        "A joint kind",
        "A file format",
    }  # docs/guide/backends.md: own


@pytest.mark.parametrize("title", list(RECIPES))
def test_the_recipe_works(title: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RECIPES[title]], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def make(name: str, formula: Formula, *arguments: str, **fields: Any) -> Quantity:
    """A quantity that is a number."""
    return Quantity(name, formula, Signature(arguments), (Result(()),), "A number.", "1", **fields)


@pytest.fixture
def gravity_power() -> Iterator[Quantity]:
    def formula(tree, q, v):
        return -(v @ gravity_forces(tree, q))

    row = Quantity(
        "gravity_power",
        formula,
        Signature(("q", "v")),
        (Result(()),),
        "Power of gravity.",
        "W",
        traits=Traits(joint_space=True),
        forms={"dv": Form(lambda tree, q: -gravity_forces(tree, q), takes=("q",))},
    )
    tables.add(row)
    yield row
    tables.remove(row.name)


def test_a_new_row_is_known_everywhere(gravity_power: Quantity, tmp_path: Path) -> None:
    robot = jounce.load("planar_2r")
    q, v = np.random.default_rng(0).normal(size=(2, 2))
    power = robot.gravity_power(q, v)
    assert_close(power, -v @ robot.gravity_forces(q))
    assert_close(robot.gravity_power.dv(q, v), -robot.gravity_forces(q))
    assert_close(robot.gravity_power.dq(q, v), -v @ robot.gravity_forces.dq(q))
    assert_close(
        robot.gravity_power.dscrew(q, v), -np.tensordot(v, robot.gravity_forces.dscrew(q), 1)
    )
    assert_close(robot.morphable.gravity_power(q, v, *robot.morphable.now), power)
    assert "Power of gravity." in (robot.gravity_power.__doc__ or "")
    assert "gravity_power" in dir(robot)
    assert_close(np.asarray(robot.export.casadi().gravity_power(q, v)).item(), power)
    files = robot.export.c(tmp_path, ["gravity_power", "gravity_power.dt"])
    assert any("gravity_power" in file.read_text() for file in files)
    assert "gravity_power" in list_quantities()


def test_invalid_quantities_are_refused(gravity_power: Quantity) -> None:
    for name, match in (("mass_matrix", "new name"), ("_power", "underscore"), ("9", "identifier")):
        with pytest.raises(ArgumentError, match=match):
            tables.add(make(name, gravity_power.formula, "q"))
    with pytest.raises(ArgumentError, match="unknown argument 'speed'"):
        tables.add(make("power", gravity_power.formula, "speed"))
    form = Form(gravity_power.formula, takes=("a",))
    with pytest.raises(ArgumentError, match="arguments q, found 'a'"):
        tables.add(make("power", gravity_power.formula, "q", forms={"dq": form}))
    for name in ("mass_matrix", "nothing"):
        with pytest.raises(ArgumentError, match=r"added with tables\.add"):
            tables.remove(name)


@pytest.mark.parametrize("name", ["dq", "dv", "dt", "dscrew"])
def test_a_formula_may_take_series_itself(name: str) -> None:
    """Series of two variables would mix, so its derivatives are passes on what it records."""
    rate = derivative(tables.ROBOT["kinetic_energy"], "dt")
    tables.add(make("work_rate", rate.formula, "q", "v", "a"))
    try:
        quantity = jounce.load("planar_2r").work_rate
        given = np.ones((4 if name == "dt" else 3, 2))
        assert np.isfinite(quantity(*given[:3]))
        wanted = jounce.load("planar_2r").kinetic_energy.dt.derivative(name)(*given)
        np.testing.assert_allclose(quantity.derivative(name)(*given), wanted, 1e-12, 1e-12)
    finally:
        tables.remove("work_rate")


def test_entries_of_a_moving_configuration_are_refused() -> None:
    tables.add(make("square", lambda tree, q: q[0] * q[0], "q"))
    try:
        square = jounce.load("planar_2r").square
        assert square([3.0, 0.0]) == 9.0
        with pytest.raises(TypeError, match="entries of q cannot be read"):
            square.dq([3.0, 0.0])
    finally:
        tables.remove("square")
