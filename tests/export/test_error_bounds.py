"""Bounds of rounding errors hold, and are of the order of the errors."""

from __future__ import annotations

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError
from jounce.export import bound_errors

ARM = jounce.load("kuka_iiwa14")
FLOATING = jounce.load("two_mass_link", base="floating")

#: Quantities with every operation: roots, quotients, angles, signs, selections.
CASES = [
    (ARM, "inverse_dynamics"),
    (ARM, "forward_dynamics"),
    (ARM, "inverse_dynamics.dq"),
    (ARM, "frame(tool).jacobian"),
    (ARM, "step"),
    (FLOATING, "inverse_dynamics"),
    (FLOATING, "integrate"),
    (FLOATING, "difference"),
    (jounce.load("four_bar").closed(), "forward_dynamics"),
    (jounce.load("toro25"), "motor_forces"),
    (
        jounce.load("planar_2r").edit.with_friction(
            friction=0.1, damping=0.2, friction_smoothing=0.01
        ),
        "motor_forces",
    ),
]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("robot", "name"), CASES, ids=lambda x: getattr(x, "name", x))
def test_bounds_hold(robot: jounce.Robot, name: str, dtype: type) -> None:
    errors = bound_errors(robot, name, dtype=dtype, samples=200)
    for bounds, points, observed in zip(
        errors.bounds, errors.point_bounds, errors.observed, strict=True
    ):
        assert (observed <= points).all()
        assert (points <= bounds).all()
    assert 0 < errors.largest_observed <= errors.point_bound <= errors.largest_bound


@pytest.mark.parametrize("name", ["inverse_dynamics", "mass_matrix", "frame(tool).pose"])
def test_bounds_at_states_are_of_the_order_of_errors(name: str) -> None:
    errors = bound_errors(ARM, name)
    assert errors.point_bound < 20 * errors.largest_observed
    assert errors.largest_bound < 500 * errors.largest_observed


def test_bounds_shrink_with_the_box_to_those_of_its_center() -> None:
    q = ARM.random(0).astype(np.float32).astype(float)
    point = bound_errors(ARM, "gravity_forces", {"q": (q, q)}, samples=1)
    np.testing.assert_allclose(point.bounds[0], point.point_bounds[0], rtol=1e-12)
    small = bound_errors(ARM, "gravity_forces", {"q": (q - 1e-4, q + 1e-4)})
    np.testing.assert_allclose(small.bounds[0], point.bounds[0], rtol=1e-2)


def test_one_product() -> None:
    # torque of a point mass: m g l cos(q) with two roundings, that of the constant, and the cosine
    robot = jounce.load("planar_2r")
    errors = bound_errors(robot, "gravity_forces", {"q": 0.5}, np.float64)
    largest = float(np.abs(robot.gravity_forces(np.zeros(2))).max())
    unit = 2.0**-53
    assert 3 * unit * largest < errors.largest_bound < 30 * unit * largest


def test_divisors_that_may_vanish_have_no_bound() -> None:
    errors = bound_errors(jounce.load("planar_2r"), "forward_dynamics.dq", {"v": 1e30}, samples=10)
    assert errors.largest_bound == np.inf


def test_default_box_lies_within_the_limits() -> None:
    errors = bound_errors(ARM, "inverse_dynamics", samples=1)
    low, high = errors.box["q"]
    np.testing.assert_array_equal(low, ARM.limits.lower)
    np.testing.assert_array_equal(high, ARM.limits.upper)
    np.testing.assert_array_equal(errors.box["v"][1], ARM.limits.velocity)
    floating = bound_errors(FLOATING, "center_of_mass", samples=1)
    np.testing.assert_array_equal(floating.box["q"][1][:4], 1.0)


def test_wrong_boxes_are_explained() -> None:
    with pytest.raises(ArgumentError, match="no argument 'speed'; its arguments: q, v, a"):
        bound_errors(ARM, "inverse_dynamics", {"speed": 1.0})
    with pytest.raises(ArgumentError, match=r"'v' must have the shape \(7,\)"):
        bound_errors(ARM, "inverse_dynamics", {"v": np.ones(6)})
    with pytest.raises(ArgumentError, match="finite bounds with lower <= upper of 'q'"):
        bound_errors(ARM, "inverse_dynamics", {"q": (1.0, -1.0)})
    with pytest.raises(ArgumentError, match="expected float32 or float64, found int64"):
        bound_errors(ARM, "inverse_dynamics", dtype=np.int64)
    assert "error <=" in str(bound_errors(ARM, "gravity_forces", samples=10))
