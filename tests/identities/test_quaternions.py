"""Quaternions of any length: what they say depends on their direction alone, or is NaN."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jounce.arrays import lie
from jounce.catalog.derivative import derivative
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.tables import FRAME, ROBOT
from jounce.io import TreeBuilder
from jounce.robot import Robot
from jounce.runtime.kernel import Kernel
from support.helpers import assert_close, interpreted, joined

#: Lengths that must be exact, and lengths at which results may be NaN but never wrong.
SAFE = {np.float64: 1e150, np.float32: 1e18}
LENGTHS = {np.float64: 10.0 ** np.arange(-307, 308, 2), np.float32: 10.0 ** np.arange(-44, 39)}
TOLERANCE = {np.float64: 1e-13, np.float32: 1e-4}

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def robot() -> Robot:
    """A free base, a ball joint, and a joint beyond it, both with springs."""
    builder = TreeBuilder("balls")
    body: dict[str, Any] = {"mass": 1.5, "com": (0.1, 0.2, 0.3)}
    builder.add("base", "free", inertia_com=np.diag((0.1, 0.2, 0.25)), **body)
    ball = {"inertia_com": np.diag((0.3, 0.2, 0.25)), "stiffness": 2.0}
    builder.add("ball", "spherical", "base", **ball, **body)
    tip = {"inertia_com": np.eye(3) / 9, "stiffness": 3.0}
    builder.add("tip", "revolute", "ball", xyz=(0, 0, 0.4), **tip, **body)
    return Robot(builder.build())


ROBOT_WITH_BALLS = robot()


def with_lengths(q: np.ndarray, lengths: np.ndarray, dtype: type) -> np.ndarray:
    """A configuration with quaternions of each length, (lengths, nq)."""
    out = np.tile(q.astype(np.longdouble), (len(lengths), 1))
    for view in ROBOT_WITH_BALLS.joints.values():
        if view.kind in ("free", "spherical"):
            out[:, view.q.start : view.q.start + 4] *= lengths.astype(np.longdouble)[:, None]
    return out.astype(dtype)


def within(limit: float, lengths: np.ndarray) -> np.ndarray:
    return (lengths >= 1.0 / limit) & (lengths <= limit)


def rows() -> dict[str, AnyQuantity]:
    found = {name: row for name, row in (ROBOT | FRAME).items() if "q" in row.arguments}
    # rates of the quaternion's own numbers are as long as these are; steps and springs take any
    # length, so the direction of the few bits that are left of the shortest ones: see below
    of_numbers = ("velocity_map", "rates_from_velocity", "velocity_from_rates")
    for name in (*of_numbers, "integrate", "normalize", "spring_forces"):
        del found[name]
    for name, derivatives in {
        "inverse_dynamics": ("dq", "dv", "dpi", "dscrew"),
        "forward_dynamics": ("dq", "dtau"),
        "mass_matrix": ("dq", "dt"),
        "pose": ("dq", "dt"),
    }.items():
        row = found[name]
        found |= {f"{name}.{d}": derivative(row, d) for d in derivatives}
    found["inverse_dynamics.rates(2)"] = derivative(ROBOT["inverse_dynamics"], "rates(2)")
    return found


ROWS = rows()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", list(ROWS))
def test_never_a_wrong_number(name: str, dtype: type) -> None:
    """At every length each entry is right or NaN, and right from 1e-150 to 1e150."""
    row, made = ROWS[name], ROBOT_WITH_BALLS
    frame = made.model.frame_index("tip") if row.of_frame else None
    kernel = Kernel(row, made.tree, made.sizes, frame)
    rng = np.random.default_rng(3)
    lengths = LENGTHS[dtype]
    q = made.random(rng)
    rest = [rng.normal(size=(1, *shape)).astype(dtype) for shape in kernel.inputs[1:]]
    given, unit = (with_lengths(q, x, dtype) for x in (lengths, np.ones(1)))
    found, expected = (joined(interpreted(kernel, x, *rest), 1) for x in (given, unit))
    scale = np.abs(expected).max()
    gap = np.abs(found - expected).reshape(len(lengths), -1) / scale
    assert not (gap > TOLERANCE[dtype]).any()
    assert (gap[within(SAFE[dtype], lengths)] <= TOLERANCE[dtype]).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_beyond_the_range_poses_are_nan(dtype: type) -> None:
    """Compiled: all entries of the rotation, for zero and for every length outside."""
    rng = np.random.default_rng(0)
    lengths = LENGTHS[dtype]
    for q in (ROBOT_WITH_BALLS.random(rng), ROBOT_WITH_BALLS.neutral()):
        T = ROBOT_WITH_BALLS.frame("base").pose(with_lengths(q, lengths, dtype))
        assert np.isfinite(T[within(SAFE[dtype], lengths)]).all()
        assert np.isnan(T[~within(1e5 * SAFE[dtype], lengths)][:, :3, :3]).all()
        none = with_lengths(q, np.zeros(1), dtype)
        assert np.isnan(ROBOT_WITH_BALLS.frame("base").pose(none)[0, :3, :3]).all()


def test_steps_and_springs_take_any_length() -> None:
    made = ROBOT_WITH_BALLS
    rng = np.random.default_rng(1)
    q, v = made.random(rng), 0.3 * rng.normal(size=made.nv)
    target = made.integrate(q, v)
    lengths = 10.0 ** np.arange(-307, 308, 7)
    many = with_lengths(q, lengths, np.float64)
    assert_close(made.integrate(many, v), np.tile(target, (len(lengths), 1)))
    assert_close(made.difference(many, target), np.tile(v, (len(lengths), 1)))
    forces = made.spring_forces(q)
    assert np.abs(forces[6:]).min() > 0.1
    assert_close(made.spring_forces(many), np.tile(forces, (len(lengths), 1)))
    targets = with_lengths(target, lengths, np.float64)
    assert_close(made.difference(q, targets), np.tile(v, (len(lengths), 1)))
    none = with_lengths(q, np.zeros(1), np.float64)
    assert np.isnan(made.integrate(none, v)[0, :4]).all()
    assert np.isnan(made.difference(none, q)[0, :3]).all()


def test_lengths_are_normalized_however_far_from_one_they_are() -> None:
    q = np.random.default_rng(2).normal(size=(5, 4))
    same = lie.quaternion.normalize(q)
    assert_close(np.linalg.norm(same, axis=-1), np.ones(5), 1e-15)
    for power in (-1070, -1000, -500, 500, 1000, 1020):
        given = np.ldexp(q, power)
        # what is left of the shortest ones has a few bits
        tolerance = 0.2 if power == -1070 else 1e-15
        assert_close(lie.quaternion.normalize(given), same, tolerance)
    assert np.isnan(lie.quaternion.normalize(np.zeros(4))).all()
