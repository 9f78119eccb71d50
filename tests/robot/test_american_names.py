"""Deprecated names with British spelling: they still work, and warn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.identification import excitation
from jounce.io import surfaces
from jounce.model.shapes import Mesh, Solid
from jounce.viewer.scene.looks import Part

ARM: Any = jounce.load("kuka_iiwa14")
CLOSED: Any = jounce.load("five_bar").closed(("joint1", "joint4"))
RED = (1.0, 0.0, 0.0, 1.0)


def _old(cls: Any, *args: Any) -> Any:
    return cls(*args, colour=RED).color


def _part() -> Any:
    return Part(0, "a", np.zeros((0, 3)), np.zeros((0, 3), int), RED, "mesh")


NAMES: dict[str, tuple[Callable[[], Any], Any]] = {
    "quantity": (lambda: ARM.normalise, ARM.normalize),
    "quantity by name": (lambda: ARM.quantity("normalise"), ARM.normalize),
    "derivative by name": (lambda: ARM.quantity("normalise.dq"), ARM.normalize.dq),
    "mechanism": (lambda: CLOSED.normalise, CLOSED.normalize),
    "quaternions": (
        lambda: getattr(jounce.lie.quaternion, "normalise"),  # noqa: B009
        jounce.lie.quaternion.normalize,
    ),
    "excitation": (lambda: getattr(excitation, "optimise"), excitation.optimize),  # noqa: B009
    "type": (lambda: getattr(surfaces, "Colour"), surfaces.Color),  # noqa: B009
    "mesh": (lambda: _old(Mesh, "a.stl", "visual"), RED),
    "solid": (lambda: _old(Solid, "sphere", "visual", (1.0,)), RED),
    "mesh attribute": (lambda: getattr(Mesh("a.stl", "visual", color=RED), "colour"), RED),  # noqa: B009
    "part attribute": (lambda: _part().colour, RED),
}


@pytest.mark.parametrize("what", list(NAMES))
def test_british_names_still_work_and_warn(what: str) -> None:
    act, expected = NAMES[what]
    with pytest.warns(DeprecationWarning, match="is deprecated; use"):
        value = act()
    assert value is expected or value == expected


def test_british_names_are_not_listed() -> None:
    assert "normalise" not in dir(ARM)
    assert "normalize" in dir(ARM)
