"""What type checkers, help() and tab completion know of quantities and rooms."""

from __future__ import annotations

import inspect
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jounce
from jounce.catalog.derivative import derivative_names
from jounce.catalog.rows import ROWS
from jounce.quantities import declared
from jounce.quantities.quantity import Evaluable
from jounce.quantities.signatures import call_text, signature
from jounce.quantities.stubs import stubs
from jounce.robot import Robot
from support.helpers import quantity, quiet_read

SOURCE = Path(jounce.__file__).parent

#: Lines a checker must accept, and lines it must not, which end in a comment that says so.
SNIPPET = """
import numpy as np
from numpy.typing import NDArray

import jounce

robot = jounce.load("iiwa14_mueller_kumar2021")
q = v = a = robot.neutral()
w = np.zeros((robot.nb, 6))
hand = robot.frame("tool")
closed = robot.closed()

tau: NDArray[np.float64] = robot.inverse_dynamics(q, v, a)
robot.inverse_dynamics(q, v, a, w)
robot.inverse_dynamics(q, v, a, wrenches=w, out=tau, dtype=np.float32)
robot.inverse_dynamics([0.0] * 7, v=v, a=a)
robot.inverse_dynamics.dq(q, v, a, w).shape
robot.inverse_dynamics.dpi(q, v, a, extended=True, smoothing=0.1).T
robot.inverse_dynamics.dpi.dq(q, v, a)
parts: tuple[NDArray[np.float64], ...] = robot.inverse_dynamics.derivatives(q, v, a)
levels: tuple[NDArray[np.float64], ...] = robot.mass_matrix.rates(2)(q, v, a)
robot.inverse_dynamics.rates(1)(q, v, a, a, wrenches=w)
pose: NDArray[np.float64] = hand.pose(q)
hand.jacobian.dt(q, v)
robot.parametric.inverse_dynamics(q, v, a, robot.parameters, gravity=(0.0, 0.0, -1.6))
robot.morphable.mass_matrix(q, *robot.morphable.now)
robot.morphable.frame("tool").pose(q, w, w)
closed.inverse_dynamics(q, v, a, None, tau).shape
closed.constraint_forces.dq(q, v, tau)
closed.frame("tool").pose.dq(q)
closed.christoffel(q).shape
M, C, g = robot.equations_of_motion(q, v)
robot.inverse_dynamics(q, v, a, {"tool": v}, base_twist=v, base_acceleration=v)
robot.inverse_dynamics.jvp(q, v, a, v, v, v).shape
by_q, by_v, by_a = robot.inverse_dynamics.vjp(q, v, a, tau, coordinates=True)
robot.mass_matrix.warmup().lower()
robot.integrate(q, v, out=q).shape
jounce.identify
jounce.interop.pinocchio
jounce.meshes.compare(robot)
jounce.math.lie
robot.massmatrix  # wrong
robot.mass_matrix.dqqq  # wrong
robot.pose  # wrong
robot.inverse_dynamics(q, v)  # wrong
robot.inverse_dynamics(q, v, a, w, tau)  # wrong
robot.inverse_dynamics(q, v, a, wrench=w)  # wrong
robot.mass_matrix(q, out="here")  # wrong
robot.inverse_dynamics.rates(1)(q, v, a, a).shape  # wrong
number: float = robot.mass_matrix(q)  # wrong
robot.equations_of_motion(q, v).shape  # wrong
robot.mass_matrix(q, base_twist=v)  # wrong
robot.mass_matrix.jvp(q)  # wrong
hand.mass_matrix  # wrong
hand.pose.dv  # wrong
robot.parametric.frame  # wrong
robot.parametric.inverse_dynamics(q, v, a)  # wrong
closed.joint_wrenches  # wrong
closed.frame("tool").jacobain  # wrong
robot.integrate(q, v, q)  # wrong
jounce.identfy  # wrong
jounce.interop.pinochio  # wrong
"""


def wrong() -> set[int]:
    """Lines of the snippet that are marked."""
    return {k for k, line in enumerate(SNIPPET.splitlines(), 1) if line.endswith("# wrong")}


def test_the_stub_file_is_current() -> None:
    found = (SOURCE / "quantities/declared.pyi").read_text("utf-8")
    assert found == stubs(), (
        "python -m jounce reference --stubs > src/jounce/quantities/declared.pyi"
    )
    names = re.findall(r"^class (\w+Quantities):", found, re.MULTILINE)
    assert names == [name for name in vars(declared) if name.endswith("Quantities")]


def test_basedpyright_knows_every_quantity(tmp_path: Path) -> None:
    tool = shutil.which("basedpyright", path=str(Path(sys.executable).parent))
    if tool is None:
        pytest.skip("basedpyright, of the extra 'lint', is not installed")
    (tmp_path / "use.py").write_text(SNIPPET)
    settings = {"include": ["use.py"], "typeCheckingMode": "standard"}
    settings |= {"extraPaths": [str(SOURCE.parent)], "reportMissingModuleSource": False}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [tool, "-p", str(tmp_path), "--pythonpath", sys.executable, "--outputjson"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    found = json.loads(done.stdout)["generalDiagnostics"]
    errors = {
        x["range"]["start"]["line"] + 1: x["message"] for x in found if x["severity"] == "error"
    }
    assert {*errors} == wrong(), errors


@pytest.mark.slow
def test_mypy_knows_every_quantity(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    (tmp_path / "use.py").write_text(SNIPPET)
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", "--check-untyped-defs"]
    command += ["--no-error-summary", "--ignore-missing-imports", "use.py"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=tmp_path,
        env={"MYPYPATH": str(SOURCE.parent), "MYPY_CACHE_DIR": str(tmp_path / "cache")},
    )
    lines = re.findall(r"^use\.py:(\d+): error: (.*)$", done.stdout, re.MULTILINE)
    assert {int(k) for k, _ in lines} == wrong(), done.stdout + done.stderr


# ------------------------------------------------------------------ while it runs


@pytest.fixture(scope="module")
def arm() -> Robot:
    return Robot(quiet_read("planar_2r"))


def every(item: Evaluable, row: Any) -> Iterator[Evaluable]:
    """A quantity with its derivatives and theirs."""
    yield item
    for name in derivative_names(row):
        derivative = getattr(item, name)
        yield derivative
        for further in set(dir(derivative)) & {"dt", "dq", "dv"}:
            yield getattr(derivative, further)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_signatures(arm: Robot, row: Any) -> None:
    for item in every(quantity(arm, row), row):
        found = inspect.signature(item)
        assert found == signature(item.definition)
        names = list(found.parameters)
        given = (*item.definition.arguments, *item.definition.optional)
        assert names[: len(given) + 1] == [*given, "out"]
        shown = ", ".join(
            (*item.definition.arguments, *(f"{n}=None" for n in item.definition.optional))
        )
        assert call_text("x", item.definition).startswith(f"x({shown}, *, out=None")


def test_the_signature_that_is_printed(arm: Robot) -> None:
    found = inspect.signature(arm.inverse_dynamics)
    assert str(found).startswith(
        "(q, v, a, wrenches=None, *, out=None, base_twist=None, base_acceleration=None, dtype="
    )
    assert str(found).endswith(") -> numpy.ndarray")
    assert str(inspect.signature(arm.mass_matrix)).startswith("(q, *, out=None, ")
    for item in (arm.inverse_dynamics.rates(0), arm.inverse_dynamics.derivatives):
        assert str(inspect.signature(item)).endswith("-> tuple[numpy.ndarray, ...]")
    regressor = str(inspect.signature(arm.slotine_li_regressor))
    assert regressor.startswith("(q, v, v_r, a_r, *, out=None, extended=False, smoothing=None, ")
