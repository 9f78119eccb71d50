"""The README and the tour run, each as one session; the grid is what a robot has."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.catalog.names import PRODUCTS
from jounce.catalog.reference import reference
from support import PROJECT
from support.helpers import offered
from tools.grid import with_grid

pytestmark = pytest.mark.shown

README = (PROJECT / "README.md").read_text(encoding="utf-8")
GRID_PAGE = (PROJECT / "docs" / "reference" / "grid.md").read_text(encoding="utf-8")


def run_blocks(page: str) -> int:
    """Run a page's Python blocks in one session; how many there are."""
    text = (PROJECT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    session: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), session)
    return len(blocks)


def test_the_readme_runs_without_a_warning(recwarn: pytest.WarningsRecorder):
    assert run_blocks("README.md") >= 1
    assert not recwarn.list


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 100, "a screen and a half: more belongs into docs"


def test_the_tour_runs(capsys):
    assert run_blocks("docs/guide/tour.md") >= 8
    assert "operations" in capsys.readouterr().out


def test_reference_page_is_current():
    page = PROJECT / "docs" / "reference" / "quantities.md"
    assert page.read_text() == reference(), "run: python -m tools.reference"


# ------------------------------------------------------------------ the grid


#: Derivatives in placements of frames, loops and contacts, which the grid does not list.
PLACEMENTS = {"dframe", "dloop", "dcontact"}


def lines_of_the_grid() -> list[tuple[str, ...]]:
    lines = [line.strip("|\n").split("|") for line in re.findall(r"^\|.*$", GRID_PAGE, flags=re.M)]
    return [tuple(cell.strip(" ") for cell in line) for line in lines[2:]]


GRID = lines_of_the_grid()


@cache
def owners() -> dict[str, Any]:
    """A small robot, a frame of it, and a mechanism with a frame, as the grid calls them."""
    robot, closed = jounce.load("planar_2r"), jounce.load("five_bar").closed(("joint1", "joint4"))
    frames = (robot.frame(robot.model.frame_names[-1]), closed.frame(closed.model.frames[-1].name))
    touching = robot.edit.with_contact(robot.model.frame_names[-1]).contacts()
    out = {"": robot, "frame.": frames[0], "closed.": closed, "closed.frame.": frames[1]}
    return {**out, "contacts.": touching}


def that_can_be_called(quantity: Any) -> Any:
    """The quantity itself, or that of an arm where the small robot's frame cannot move freely."""
    row = quantity.definition
    if offered(owners()[""], row):
        return quantity
    return getattr(jounce.load("kuka_iiwa14").frame("tool"), row.name)


def derivatives_of(quantity: Any) -> set[str]:
    """What it offers beside what every call and every quantity has."""
    return {*dir(quantity)} - {*object.__dir__(quantity)} - {*PRODUCTS}


def words(cell: str) -> list[str]:
    return re.findall(r"`\.(\w+)", cell)


def parts(line: tuple[str, ...]) -> tuple[str, str]:
    """Owner and name of a quantity."""
    owner, dot, name = line[0].strip("`").rpartition(".")
    return owner + dot, name


def test_the_grid_has_every_quantity():
    listed = {kind: {parts(x)[1] for x in GRID if parts(x)[0] == kind} for kind in owners()}
    closed = {parts(x)[1] for x in GRID if x[-1] == "●"}
    # rows all but one, which is called in its own way and has a page of its own
    has = {
        kind: {*owner.definitions} - {"elastic_inverse_dynamics"}
        for kind, owner in owners().items()
    }
    assert listed[""] == has[""]
    assert listed["frame."] == has["frame."]
    assert closed == has["closed."] | has["closed.frame."]
    assert listed["closed."] == has["closed."] - listed[""]
    assert listed["contacts."] == has["contacts."]


@pytest.mark.parametrize("line", GRID, ids=lambda line: line[0].strip("`"))
def test_every_cell_of_the_grid(line: tuple[str, ...]):
    _, arguments, result, in_time, in_state, more, dpi, geometry, closed = line
    kind, name = parts(line)
    owner = owners()[kind]
    quantity = getattr(owner, name)

    taken = [x.strip("()") for x in arguments.split(", ")]
    assert taken == [*quantity.kernel.arguments, *quantity.definition.optional]
    assert words(in_time) == ["dt", "dtt", "rates"]
    assert set(words(in_state)) <= {f"d{x}" for x in taken}
    design = {"dpi"} if dpi == "●" else set()
    design |= {"dscrew", "dplacement"} if geometry == "●" else set()
    listed = {"dt", "dtt", *words(in_state), *design}
    offered = derivatives_of(quantity)
    assert offered - PLACEMENTS == listed | set(words(more))
    assert geometry == "●" or not offered & PLACEMENTS
    assert callable(quantity.rates)

    other = owners().get("closed." + kind.removeprefix("closed."))  # none in contact
    assert hasattr(other, name) == (closed == "●")
    if closed == "●":
        found = getattr(other, name)
        # what acts on all joints moves with the loops even where it depends on velocities only
        loops = (
            {"dq", "dscrew", "dplacement"}
            if "q" in {*found.definition.arguments} - {*taken}
            else set()
        )
        offered = derivatives_of(found) - PLACEMENTS
        assert listed | loops <= offered <= listed | loops | set(words(more))

    robot = owners()[""]
    if kind not in ("closed.", "contacts."):
        # `parametric` has no frames; `morphable` has the quantities of frames
        assert hasattr(robot.parametric, name) == (dpi == "●" and kind == "")
        tables = {"": robot.morphable, "frame.": robot.morphable.frame(robot.model.frame_names[-1])}
        assert hasattr(tables[kind], name) == (geometry == "●")

    quantity = that_can_be_called(quantity)
    given = [np.full(core, 0.3) for core in quantity.kernel.inputs]
    sizes = quantity.robot.sizes
    shapes = [
        tuple(int(x) if x.isdigit() else sizes[x] for x in shape.split(", ") if x)
        for shape in re.findall(r"\((.*?)\)", result)
    ]
    values = quantity(*given)
    assert [x.shape for x in (values if isinstance(values, tuple) else (values,))] == shapes


def test_the_grid_is_current():
    assert with_grid(GRID_PAGE) == GRID_PAGE, "run: python -m tools.reference"
    other = re.sub(r"(?m)^\| `mass_matrix`.*\n", "", GRID_PAGE)
    assert with_grid(other) == GRID_PAGE
    with pytest.raises(jounce.ArgumentError, match="no place for the grid"):
        with_grid("no markers")
