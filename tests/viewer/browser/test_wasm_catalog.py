"""Every quantity of the catalog as WebAssembly in node, on trees, mechanisms and contacts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import jounce
from jounce.robot import Robot
from jounce.robot.system import System
from jounce.viewer.web.module import build_module
from support.contacts import with_contacts
from support.functions import tiny_model
from support.helpers import chain, random_robot, with_frames
from support.robots import ALL_KINDS, SINGLE
from support.web import NUDGED, OWN, every_quantity, in_node, interpreted, random_calls

pytestmark = pytest.mark.browser

#: Derivatives: of a hinge and a slide all there are, of larger robots fewer.
ALL, SOME, RATES, VALUES = ("*",), ("dt", "dq", "dv", "derivatives", "vjp"), ("dt",), ()


def _hinge_and_slide() -> System:
    model = with_frames(chain(("revolute", "prismatic")), np.random.default_rng(0))
    return Robot(model)


def _contacts() -> System:
    rng = np.random.default_rng(3)
    model = with_contacts(random_robot(3, 5, ("revolute", "spherical")), rng, "point", "surface")
    return Robot(model).contacts()


CASES: dict[str, tuple[Callable[[], System], str, tuple[str, ...]]] = {
    "hinge and slide": (_hinge_and_slide, "tool", ALL),
    "tiny": (lambda: Robot(tiny_model()), "tool", SOME),
    "every kind": (lambda: Robot(random_robot(0, len(ALL_KINDS))), "tool", VALUES),
    "floating": (lambda: Robot(random_robot(1, 4, SINGLE, floating=True)), "tool", VALUES),
    "mimic": (lambda: Robot(random_robot(2, 6, SINGLE, mimic=True)), "tool", VALUES),
    "five bar": (lambda: jounce.load("five_bar").closed(), "", RATES),
    "contacts": (_contacts, "", RATES),
}


@pytest.mark.parametrize("case", list(CASES))
def test_every_quantity_is_numpys(case: str, tmp_path: Path) -> None:
    """To the last bit with the same sines, and to 1e-14 with those of NumPy.

    Where a matrix is inverted, more may come of the last bit of a sine: what it does is measured.
    """
    make, frame, derivatives = CASES[case]
    system = make()
    module = build_module(system, every_quantity(system, frame, derivatives))
    calls = list(random_calls(system, module.functions, np.random.default_rng(7)))
    found = in_node(module, [call for call, _ in calls], tmp_path)
    at = 0
    for (name, given), tape in calls:
        same, numpys, nudged = (interpreted(tape, given, sines) for sines in (OWN, None, NUDGED))
        part = found[at : at + len(same)]
        at += len(same)
        np.testing.assert_array_equal(part, same, err_msg=name)
        allowed = 1e-14 * max(np.abs(numpys).max(), 1e-9) + 8.0 * np.abs(nudged - numpys).max()
        assert np.abs(part - numpys).max() <= allowed, name
    assert at == len(found)


@pytest.mark.slow
def test_a_humanoids_derivatives(tmp_path: Path) -> None:
    """Tens of thousands of operations, in functions that engines take: the same bits."""
    robot = jounce.load("toro25")
    module = build_module(robot, ("forward_dynamics.derivatives", "christoffel", "mass_matrix.dq"))
    assert sum(function.operations for function in module.functions) > 50_000
    calls = list(random_calls(robot, module.functions, np.random.default_rng(1)))
    found = in_node(module, [call for call, _ in calls], tmp_path)
    expected = [interpreted(tape, given, OWN) for (_, given), tape in calls]
    np.testing.assert_array_equal(found, np.concatenate(expected))
