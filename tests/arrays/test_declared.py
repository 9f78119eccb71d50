"""What type checkers, help() and tab completion know of quantities and packages."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jounce.arrays import declared
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.arrays.signatures import call_text, signature
from jounce.catalog.derivative import derivative_names
from jounce.catalog.quantities import QUANTITIES
from jounce.robot import Robot
from support.helpers import quantity, quiet_read
from support.type_checkers import SOURCE, basedpyright, lines, mypy
from tools.stubs import stubs

Checker = Callable[[Path], dict[str, list[str]]]

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
robot.parametric.inverse_dynamics(q, v, a, robot.model.parameters, gravity=(0.0, 0.0, -1.6))
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
jounce.compiler.targets.TARGETS, jounce.catalog, jounce.arrays
jounce.export.pinocchio
jounce.meshes.compare(robot)
jounce.lie
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
closed.frame("tool").jacobain  # wrong
robot.integrate(q, v, q)  # wrong
jounce.identfy  # wrong
jounce.export.pinochio  # wrong
"""


def wrong() -> set[int]:
    """Lines of the snippet that are marked."""
    return {k for k, line in enumerate(SNIPPET.splitlines(), 1) if line.endswith("# wrong")}


#: What an editor shows of these expressions, as the beginnings of their types.
HOVERED = {
    "robot.inverse_dynamics": "DynamicOfQVA",
    "robot.inverse_dynamics.dq": "DynamicOfQVA",
    "robot.inverse_dynamics.dq.dt": "Derivative[",
    "robot.inverse_dynamics.dq.dt.dpi": "Derivative[",
    "robot.inverse_dynamics.dq.dt.dt.dq.vjp": "Derivatives[",
    "robot.inverse_dynamics.vjp": "Derivatives[",
    "robot.inverse_dynamics.vjp.dq": "Derivatives[",
    "robot.inverse_dynamics.jvp": "Derivative[",
    "robot.inverse_dynamics.rates(2)": "Derivatives[",
    "robot.mass_matrix": "InertialOfQ[",
    'robot.frame("tool").pose': "GeometricOfQ[",
    "robot.closed().forward_dynamics": "DynamicOfQVTau",
    "robot.contacts().forward_dynamics": "DynamicOfQVTau",
    "robot.parametric.inverse_dynamics": "DynamicWithQVA[",
    'robot.morphable.frame("tool").pose': "GeometricWithQ[",
    "robot.inverse_dynamics(q, v, a)": "ndarray[",
    "robot.inverse_dynamics.dq.dt.dpi(q, v, a, a)": "ndarray[",
    "robot.inverse_dynamics.vjp.dq(q, v, a, a)": "tuple[ndarray[",
    "robot.step(q, v, a, 0.1)": "tuple[ndarray[",
    "robot.rollout(q, v)": "tuple[ndarray[",
    'robot.quantity("mass_matrix.dt")': "Derivative[",
    'robot.quantity("mass_matrix.dt")(q, v)': "ndarray[",
    'robot.morphable.quantity("mass_matrix").dq(q)': "ndarray[",
}


def write(folder: Path, text: str) -> Path:
    """A folder with a script."""
    (folder / "use.py").write_text(text, "utf-8")
    return folder


def test_the_stub_file_is_current() -> None:
    found = (SOURCE / "arrays/listed.pyi").read_text("utf-8")
    assert found == stubs(), "run: python -m tools.reference"
    declared_names = (SOURCE / "arrays/declared.pyi").read_text("utf-8")
    names = set(re.findall(r"^class (\w+Quantities)\(", declared_names, re.MULTILINE))
    assert names == {name for name in vars(declared) if name.endswith("Quantities")}


def test_stub_files_are_short() -> None:
    found = [path.read_text("utf-8") for path in (SOURCE / "arrays").glob("*.pyi")]
    assert sum(text.count("\n") for text in found) < 1300
    listed = (SOURCE / "arrays/listed.pyi").read_text("utf-8")
    assert "Any" not in re.findall(r"\w+", listed)


@pytest.mark.parametrize("check", [basedpyright, mypy])
def test_checkers_know_every_quantity(check: Checker, tmp_path: Path) -> None:
    errors = check(write(tmp_path, SNIPPET))["error"]
    assert lines(errors) == wrong(), errors


@pytest.mark.parametrize(("check", "severity"), [(basedpyright, "information"), (mypy, "note")])
def test_nothing_that_is_shown_is_any(check: Checker, severity: str, tmp_path: Path) -> None:
    head = SNIPPET.partition("tau: ")[0]
    shown = "".join(f"reveal_type({expression})\n" for expression in HOVERED)
    found = check(write(tmp_path, head + shown))
    assert found["error"] == []
    types = [re.split(r" is \"", message, maxsplit=1)[1] for message in found[severity]]
    for kind, expected in zip(types, HOVERED.values(), strict=True):
        assert re.sub(r"\b(\w+\.)+", "", kind).startswith(expected), (kind[:200], expected)


# ------------------------------------------------------------------ while it runs


@pytest.fixture(scope="module")
def arm() -> Robot:
    return Robot(quiet_read("planar_2r"))


def every(item: BoundQuantity, row: Any) -> Iterator[BoundQuantity]:
    """A quantity with its derivatives and theirs."""
    yield item
    for name in derivative_names(row):
        derivative = getattr(item, name)
        yield derivative
        for further in set(dir(derivative)) & {"dt", "dq", "dv"}:
            yield getattr(derivative, further)


@pytest.mark.parametrize("row", QUANTITIES, ids=lambda row: row.name)
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
