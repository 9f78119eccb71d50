"""The target of docs/guide/backends.md, as it stands there, on every row of the catalog."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import jounce
from jounce.compiler import targets
from jounce.compiler.targets import interpreter
from jounce.compiler.targets.base import Target
from jounce.compiler.targets.function import Function
from jounce.robot import Robot
from support.functions import function_of, tiny_model
from support.helpers import assert_close, named_kernels, random_arguments

PAGE = Path(__file__).parents[3] / "docs" / "guide" / "backends.md"

ROBOT = Robot(tiny_model())
KERNELS = named_kernels(ROBOT)


@pytest.fixture
def blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The page's programs, after the first of them was written and the second one run."""
    file, line, *others = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (tmp_path / "toy_target.py").write_text(file)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(targets, "TARGETS", dict(targets.TARGETS))
    exec(line.replace("jounce.compiler.targets.python", "toy_target"), {"TARGETS": targets.TARGETS})
    yield others
    sys.modules.pop("toy_target", None)


@pytest.fixture
def python(blocks: list[str]) -> Target:
    return targets.get_target("python")


@pytest.mark.parametrize("row", list(KERNELS))
def test_the_recipe_gives_the_interpreters_numbers(row: str, python: Target) -> None:
    kernel = KERNELS[row]
    function = function_of(kernel)
    given = random_arguments(kernel, ROBOT, np.random.default_rng(0), (4,))
    found, expected = python.build(function), interpreter.TARGET.build(function)
    assert callable(found)
    for result, right in zip(found(*given), expected(*given), strict=True):
        assert_close(result, right, 1e-14, row)


def test_quantities_run_on_it(blocks: list[str]) -> None:
    """As the page says, and in batches, with derivatives, `out` and either precision."""
    (program,) = blocks
    exec(program, {})
    toy, plain = (jounce.load("planar_2r", target=name) for name in ("python", None))
    rng = np.random.default_rng(1)
    q, v, a = rng.normal(size=(3, 4, 5, 2))
    for name in ("inverse_dynamics", "inverse_dynamics.dq", "inverse_dynamics.rates(0)"):
        found, wanted = (robot.quantity(name)(q[:, 0], v[:, 0], a[0, 0]) for robot in (toy, plain))
        assert_close(found, wanted, 1e-14, name)
    assert_close(toy.mass_matrix.dq(q), plain.mass_matrix.dq(q), 1e-14)
    assert_close(
        toy.mass_matrix.vjp(q, np.eye(2))[0], plain.mass_matrix.vjp(q, np.eye(2))[0], 1e-14
    )
    single = toy.mass_matrix(q.astype("f"))
    assert single.dtype == np.float32
    assert_close(single, plain.mass_matrix(q), 1e-6)
    out = np.full((2, 2, 5, 4), np.nan).T[::-1]  # strides of either sign
    assert toy.mass_matrix(q, out=out) is out
    assert_close(out, plain.mass_matrix(q), 1e-14)
    assert toy.mass_matrix(q[:0]).shape == (0, 5, 2, 2)
    np.testing.assert_array_equal(toy.mass_matrix.ufunc(q), out)
    many = rng.normal(size=(100_000, 2))  # on several threads
    assert_close(toy.potential_energy(many), plain.potential_energy(many), 1e-14)


class Failing(Target):
    """A target whose code raises an error."""

    name = "failing"

    def build(self, function: Function, dtype: object = float) -> object:
        def call(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
            raise ArithmeticError("no such luck")

        return call


def test_errors_of_a_target_reach_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(targets.TARGETS, "failing", Failing())
    robot = jounce.load("planar_2r", target="failing")
    for batch in ((), (3,), (100_000,)):
        with pytest.raises(ArithmeticError, match="no such luck"):
            robot.mass_matrix(np.zeros((*batch, 2)))


@pytest.mark.parametrize("name", ["c", "cuda", "matlab", "wasm", "nvptx:sm_90"])
def test_quantities_do_not_run_on_what_other_compilers_take(name: str) -> None:
    with pytest.raises(ValueError, match=r"quantities cannot run on the target '\w+', whose code"):
        jounce.load("planar_2r", target=name)


def test_the_environment_may_name_any_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOUNCE_TARGET", "interpreter")
    robot, q = jounce.load("planar_2r"), np.zeros(2)
    assert robot.mass_matrix.kernel.target is interpreter.TARGET
    np.testing.assert_array_equal(robot.mass_matrix(q), [[5, 2], [2, 1]])
    assert targets.get_target("llvm").name == "llvm"


def test_the_page_names_what_there_is() -> None:
    text = PAGE.read_text("utf-8")
    table = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    assert table == list(targets.TARGETS)
    for name in (*Function.__dataclass_fields__, "samples", "results"):
        assert f"`{name}`" in text or f"`{name}" in text or f"Function.{name}" in text, name
