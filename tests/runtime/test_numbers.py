"""Arguments without axes may be numbers, in the shortcut for single samples as elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce import Robot
from jounce.arrays.bound_quantity import BoundQuantity
from support.helpers import quiet_read


class Own(float):
    """A float of another type."""


@pytest.fixture(scope="module")
def arm() -> Robot:
    return Robot(quiet_read("planar_2r"))


def state(arm: Robot) -> list[np.ndarray]:
    return [arm.random(0), *np.random.default_rng(1).normal(size=(2, arm.nv))]


@pytest.mark.parametrize("number", [0.01, np.float64(0.01), np.array(0.01)])
def test_numbers_take_the_shortcut(number: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ordinary, calls = BoundQuantity._evaluate, []

    def counted(quantity: Any, *args: Any, **options: Any) -> Any:
        calls.append(args)
        return ordinary(quantity, *args, **options)

    monkeypatch.setattr(BoundQuantity, "_evaluate", counted)
    arm = Robot(quiet_read("planar_2r"))
    given = state(arm)
    expected = [x[0] for x in arm.step(*(x[None] for x in given), np.array([0.01]))]
    arm.step(*given, np.array(0.01))
    calls.clear()
    out = tuple(np.empty_like(x) for x in expected)
    for found in (
        arm.step(*given, number),
        arm.step(*given, h=number),
        arm.step(*given, number, out=out),
    ):
        for x, y in zip(found, expected, strict=True):
            np.testing.assert_array_equal(x, y)
    assert not calls
    arm.step(*given, 1)
    assert len(calls) == 1  # or the test could not fail


@pytest.mark.parametrize("number", [2, True, np.float32(2.0), np.int8(2), Own(2.0), [[2.0]]])
def test_other_numbers_go_the_ordinary_way(arm: Robot, number: Any) -> None:
    given = state(arm)
    expected = arm.step(*given, float(np.asarray(number, dtype=float).ravel()[0]))
    for x, y in zip(arm.step(*given, number), expected, strict=True):
        np.testing.assert_array_equal(np.ravel(x), y)


def test_optional_numbers(arm: Robot) -> None:
    tip = arm.model.frame_names[-1]
    held = arm.edit.with_contact(tip, "point").contacts()
    q, v, tau = state(arm)
    given = {"kd": 3.0, "damping": 0.1}
    expected = held.contact_dynamics(q, v, tau, **{k: np.array(x) for k, x in given.items()})
    for _ in range(2):
        for x, y in zip(held.contact_dynamics(q, v, tau, **given), expected, strict=True):
            np.testing.assert_array_equal(x, y)


def test_a_number_is_no_vector_and_no_result(arm: Robot) -> None:
    q, v, tau = state(arm)
    arm.step(q, v, tau, 0.01)
    for x in (1.0, np.float64(1.0)):
        with pytest.raises((TypeError, ValueError), match="'v' must have shape"):
            arm.step(q, x, tau, 0.01)
        with pytest.raises((TypeError, ValueError), match="out"):
            arm.kinetic_energy(q, v, out=x)
