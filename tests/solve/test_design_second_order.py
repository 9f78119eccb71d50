"""Second derivatives in the design, against differences of first derivatives of changed robots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jounce.catalog.derivative import derivative
from jounce.catalog.mechanism import MECHANISM
from jounce.catalog.tables import ROBOT
from jounce.robot import Robot
from jounce.solve.mechanism.robot import Mechanism
from support.helpers import assert_close, objects, quiet_read
from support.mechanisms import State, mechanism

STEP = 2e-3


def slope(values: Callable[[float], np.ndarray]) -> np.ndarray:
    """The slope at zero by central differences of sixth order, good to about 1e-10."""
    steps = [values(k * STEP) - values(-k * STEP) for k in (1, 2, 3)]
    return (45 * steps[0] - 9 * steps[1] + steps[2]) / (60 * STEP)


class Design:
    """A robot or mechanism in a random state, with a change of all its design variables."""

    def __init__(self, system: Robot | Mechanism) -> None:
        self.system, self.closed = system, isinstance(system, Mechanism)
        self.robot = system.robot if isinstance(system, Mechanism) else system
        rng = np.random.default_rng(1)
        self.q = State(system).q if self.closed else self.robot.random(rng)
        self.v, self.a, self.lam = rng.normal(size=(3, system.nv))
        self.tangents = [rng.normal(size=(self.robot.nb, width)) for width in (10, 6, 6)]
        self.tangents[0] *= 0.1
        self.row = (MECHANISM if self.closed else ROBOT)["inverse_dynamics"]

    def changed(self, s: float, which: tuple[int, ...] = (0, 1, 2)) -> tuple[Any, np.ndarray]:
        """Tree and configuration of the robot changed by s times some of the tangents."""
        pi, screws, placements = (s * x * (k in which) for k, x in enumerate(self.tangents))
        robot = self.robot.edit.with_geometry(screws=screws, placements=placements)
        if 0 in which:
            robot = robot.edit.with_parameters(robot.model.parameters + pi)
        if not isinstance(self.system, Mechanism):
            return robot.tree, self.q
        system = robot.closed(self.system.active, q0=self.q)
        found = system.assemble(self.q)
        assert found.success
        return system.tree, found.q

    def value(self, name: str, at: tuple[Any, np.ndarray], *more: np.ndarray) -> Any:
        tree, q = at
        found = derivative_of(self.row, name).formula(
            tree, *map(objects, (q, self.v, self.a, *more))
        )
        if isinstance(found, (list, tuple)):
            return np.concatenate([np.ravel(x).astype(float) for x in found])
        return found.astype(float)


def derivative_of(row: Any, name: str) -> Any:
    for part in name.split("."):
        row = derivative(row, part)
    return row


SYSTEMS: dict[str, Callable[[], Robot | Mechanism]] = {
    "planar_2r": lambda: Robot(quiet_read("planar_2r")),
    "iiwa": lambda: Robot(quiet_read("kuka_iiwa14")),
    "rssr": lambda: mechanism("rssr"),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_products_are_slopes_of_the_gradient(name: str) -> None:
    design = Design(SYSTEMS[name]())
    found = design.value("design_product", design.changed(0.0), design.lam, *design.tangents)
    expected = slope(lambda s: design.value("design", design.changed(s), design.lam))
    assert_close(found, expected, 1e-8)


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "mass_matrix"])
@pytest.mark.parametrize("name", ["planar_2r", pytest.param("rssr", marks=pytest.mark.slow)])
def test_tensors_are_slopes_of_first_derivatives(name: str, quantity: str) -> None:
    design = Design(SYSTEMS[name]())
    row = (MECHANISM if design.closed else ROBOT)[quantity]

    def value(path: str, at: tuple[Any, np.ndarray]) -> np.ndarray:
        given = (at[1], design.v, design.a)[: len(row.arguments)]
        return derivative_of(row, path).formula(at[0], *map(objects, given)).astype(float)

    start = design.changed(0.0)
    for k, suffix in ((0, "dpi"), (1, "dscrew"), (2, "dplacement")):
        along = design.tangents[k].reshape((-1,) if k == 0 else (design.robot.nb, 6))
        tensor = value(f"dscrew.{suffix}", start)
        found = np.tensordot(tensor, along, axes=along.ndim)
        expected = slope(lambda s, k=k: value("dscrew", design.changed(s, (k,))))
        assert_close(found, expected, 1e-8, suffix)
    speed = np.random.default_rng(3).normal(size=design.system.nv)

    def moved(s: float) -> np.ndarray:
        return value("dscrew", (start[0], design.system.integrate(design.q, s * speed)))

    assert_close(value("dscrew.dq", start) @ speed, slope(moved), 1e-8, "dq")


@pytest.mark.slow
def test_redundant_loops_contract_the_tensors() -> None:
    """Of a four-bar, whose displaced loops obey the kept equations."""
    design = Design(mechanism("four_bar"))
    start, lam = design.changed(0.0), design.lam
    nothing = [0.0 * x for x in design.tangents]
    shapes = [x.shape for x in nothing]
    for k, suffix in ((0, "dpi"), (1, "dscrew")):
        tangents = [*nothing]
        tangents[k] = design.tangents[k]
        found = design.value("design_product", start, lam, *tangents)
        screws = found[np.prod(shapes[0]) :][: np.prod(shapes[1])].reshape(shapes[1])
        tensor = design.value(f"dscrew.{suffix}", start)
        along = tangents[k].reshape((-1,) if k == 0 else shapes[1])
        expected = np.tensordot(lam, np.tensordot(tensor, along, axes=along.ndim), axes=1)
        assert_close(screws, expected, 1e-10, suffix)
