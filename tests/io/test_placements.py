"""Poses given to a few digits become exact rotations, wherever they come in."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.errors import ModelError, ModelWarning
from jounce.io import TreeBuilder, from_dh, from_screws
from jounce.io.surfaces import Surface
from jounce.model import inertia
from jounce.model.model import (
    Body,
    Frame,
    Joint,
    Loop,
    Mesh,
    Model,
    Solid,
)
from jounce.model.numbers import rigid_pose
from jounce.robot import edit
from support.helpers import assert_close
from support.robots import random_pose

BRICK = inertia.box((0.1, 0.2, 0.3), mass=2.0)


def arm(n: int = 3) -> TreeBuilder:
    rng = np.random.default_rng(1)
    builder, above = TreeBuilder("arm"), None
    for k in range(n):
        above, parent = f"l{k}", above
        builder.add(above, "revolute", parent, placement=random_pose(rng), inertia=BRICK)
    return builder


def _built(T: np.ndarray) -> np.ndarray:
    return TreeBuilder("r").add("a", "revolute", placement=T, mass=1.0).build().joints[0].placement


def _fixed(T: np.ndarray) -> np.ndarray:
    builder = TreeBuilder("r").add("a", "revolute", mass=1.0)
    return builder.add("b", "fixed", "a", placement=T).build().frames[1].placement


def _framed(T: np.ndarray) -> np.ndarray:
    return arm(1).frame("f", None, T).build().frames[1].placement


def _looped(T: np.ndarray) -> np.ndarray:
    return arm(2).loop("x", "l0", "l1", "weld", T).build().loops[0].placement_a


def _with_loop(T: np.ndarray) -> np.ndarray:
    return arm(1).build().with_loop(("world", T), "l0").loops[0].placement_a


def _attached(T: np.ndarray) -> np.ndarray:
    base = Model("base", (Body("b", BRICK),), (Joint("j", "revolute"),))
    return edit.attach(base, arm(1).frame("f").build(), "b", T).frames[2].placement


def _extra_frame(T: np.ndarray) -> np.ndarray:
    return edit.with_frame(arm(1).build(), "f", None, T).frames[1].placement


def _screws(T: np.ndarray) -> np.ndarray:
    return from_screws([(0, 0, 1, 0, 0, 0)], [T]).joints[0].placement


def _tool(T: np.ndarray) -> np.ndarray:
    return from_screws([(0, 0, 1, 0, 0, 0)], [np.eye(4)], tool=T).frames[-1].placement


def _dh(T: np.ndarray) -> np.ndarray:
    return from_dh([(0, 0, 0, 0)], convention="modified", origin=T).joints[0].placement


#: Every way in, from a matrix to the pose that the model has.
WAYS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "pose": lambda T: rigid_pose(T, "it"),
    "Joint": lambda T: Joint("j", "revolute", placement=T).placement,
    "Frame": lambda T: Frame("f", -1, T).placement,
    "Loop": lambda T: Loop("x", -1, 0, T).placement_a,
    "Mesh": lambda T: Mesh("x.stl", "visual", placement=T).placement,
    "Solid": lambda T: Solid("box", "visual", (1.0, 1.0, 1.0), T).placement,
    "builder": _built,
    "fixed joint": _fixed,
    "frame": _framed,
    "loop": _looped,
    "with_loop": _with_loop,
    "attach": _attached,
    "with_frame": _extra_frame,
    "from_screws": _screws,
    "tool": _tool,
    "from_dh": _dh,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("digits", [4, 6, 7, 9])
def test_rounded_rotations_become_exact(digits: int, way: str) -> None:
    rng = np.random.default_rng(0)
    for _ in range(5):
        T = random_pose(rng).round(digits)
        with pytest.warns(ModelWarning, match="its rotation was off by"):
            found = WAYS[way](T)
        R = found[:3, :3]
        assert np.abs(R @ R.T - np.eye(3)).max() < 2e-15
        assert np.abs(R - T[:3, :3]).max() < 2.0 * 10.0**-digits
        assert (found[:3, 3] == T[:3, 3]).all()
        # the nearest one: R^T T is symmetric
        S = R.T @ T[:3, :3]
        assert np.abs(S - S.T).max() < 2e-15


@pytest.mark.parametrize("way", WAYS)
def test_exact_rotations_stay_as_they_are(way: str) -> None:
    rng = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for T in (np.eye(4), random_pose(rng), random_pose(rng) @ random_pose(rng)):
            found = WAYS[way](T)
            assert found.tobytes() == T.tobytes()


@pytest.mark.parametrize("way", WAYS)
def test_a_last_row_that_is_rounded_is_set(way: str) -> None:
    rng = np.random.default_rng(0)
    T = random_pose(rng)
    T[3] = (5e-18, -1e-17, 3e-15, 1.0 - 2e-16)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = WAYS[way](T)
    assert found[3].tolist() == [0.0, 0.0, 0.0, 1.0]
    assert (found[:3] == T[:3]).all()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda T: T.__setitem__((3, 0), 1e-6), "last row"),
        (lambda T: T.__setitem__((3, 3), 2.0), "last row"),
        (lambda T: T.__imul__(np.array((1.01, 1.01, 1.01, 1.0))), r"off the identity by 0\.02"),
        (lambda T: T.__setitem__((slice(3), 0), -T[:3, 0]), "reflection"),
        (lambda T: T.__setitem__((slice(3), slice(3)), 0.0), "off the identity by 1"),
        (lambda T: T.__setitem__((0, 0), np.nan), "finite"),
    ],
)
def test_what_is_no_pose_is_refused(way: str, change: Any, message: str) -> None:
    rng = np.random.default_rng(0)
    T = random_pose(rng)
    change(T)
    with pytest.raises(ModelError, match=message):
        WAYS[way](T)


def test_rounding_to_double_precision_is_mended_in_silence() -> None:
    rng = np.random.default_rng(0)
    T = random_pose(rng).round(13)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        R = rigid_pose(T, "it")[:3, :3]
    assert np.abs(R @ R.T - np.eye(3)).max() < 2e-15


def test_identities_hold_of_a_robot_given_to_six_digits() -> None:
    """dM/dt = C + C^T fails by 2e-6 if the placements are taken as they are."""
    rng = np.random.default_rng(0)
    builder, above = TreeBuilder("rounded"), None
    for k in range(4):
        T = random_pose(rng).round(6)
        above, parent = f"l{k}", above
        for name, kind, on in ((above, "revolute", parent), (f"f{k}", "fixed", above)):
            with pytest.warns(ModelWarning, match="its rotation was off by"):
                builder.add(name, kind, on, placement=T, inertia=BRICK)
    robot = jounce.Robot(builder.build())
    q, v = robot.random(1, 20), rng.normal(size=(20, 4))
    C = robot.coriolis_matrix(q, v)
    assert_close(robot.mass_matrix.dt(q, v), C + C.swapaxes(-1, -2), 1e-12)


def test_inertias_in_rounded_frames() -> None:
    rng = np.random.default_rng(0)
    T = random_pose(rng)
    moments = inertia.principal(BRICK).moments
    with pytest.warns(ModelWarning, match="T: its rotation was off by"):
        moved = inertia.transform(BRICK, T.round(6))
    assert_close(inertia.principal(moved).moments, moments, 1e-13)
    many = np.stack((T, random_pose(rng).round(7)))
    with pytest.warns(ModelWarning, match="R: its rotation was off by"):
        both = inertia.rotate(BRICK, many[:, :3, :3])
    assert both[0].tobytes() == inertia.rotate(BRICK, T[:3, :3]).tobytes()
    T[3] += 5e-18
    assert_close(inertia.principal(inertia.transform(BRICK, T)).moments, moments, 1e-13)
    with pytest.raises(ModelError, match="off the identity by"):
        inertia.rotate(BRICK, 1.1 * T[:3, :3])


def test_surfaces_in_rounded_frames() -> None:
    rng = np.random.default_rng(0)
    T = random_pose(rng).round(6)
    cube = Surface(np.eye(3), np.array([(0, 1, 2)]))
    with pytest.warns(ModelWarning, match="placement: its rotation was off by"):
        placed = cube.place(placement=T).vertices
    assert_close(np.linalg.norm(placed[0] - placed[1]), np.sqrt(2.0), 1e-14)
