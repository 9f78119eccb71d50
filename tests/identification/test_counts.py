"""Columns that are numbered or called like joints: which are whose, and what is lacking."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jounce
from jounce.errors import DataError
from jounce.identification import open_recording
from jounce.identification.columns import resolve
from jounce.robot import Robot
from jounce.studies import read_trajectory
from support.helpers import assert_close
from support.identify_data import PANDA, example, loaded, quiet


@pytest.fixture(scope="module")
def panda() -> Robot:
    """Eight coordinates, and a finger that follows the other."""
    return quiet(example(PANDA))


def write_numbered(count: int, *quantities: str, first: int = 1) -> dict[str, np.ndarray]:
    numbers = range(first, first + count)
    return {f"{k}{n}": 10.0 * n + np.arange(4.0) for k in quantities for n in numbers}


# ------------------------------------------------------------------ numbers


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("count", [8, 9])
def test_joints_that_follow_may_be_counted(count: int, first: int, panda: Robot) -> None:
    arguments = write_numbered(count, "q", "v", "tau", first=first)
    result = next(open_recording(arguments, panda).read(10))
    for name in ("q", "v", "tau"):
        assert_close(result[name][0], 10.0 * (first + np.arange(8.0)), 0.0)
    rows = np.arange(4.0 * count).reshape(4, count)
    arrays = next(open_recording({"q": rows, "tau": rows}, panda).read(10))
    assert_close(arrays["q"], rows[:, :8], 0.0)


def test_joints_that_follow_in_between() -> None:
    builder = jounce.TreeBuilder("between")
    builder.add("a", "revolute", joint_name="one", mass=1.0)
    builder.add("b", "revolute", "a", joint_name="two", mass=1.0, mimic=("one", 2.0, 0.0))
    builder.add("c", "revolute", "b", joint_name="three", mass=1.0)
    robot = Robot(builder.build())
    assert resolve(["q1", "q2", "q3"], robot)["q"] == ["q1", "q3"]
    assert resolve(["q1", "q2"], robot)["q"] == ["q1", "q2"]


@pytest.mark.parametrize("count", [7, 10])
def test_too_many_or_too_few(count: int, panda: Robot) -> None:
    text = (
        r"expected 8 or 9 columns of q numbered from 0"
        rf" or 1, found {count} \(1 to {count}\);"
    )
    with pytest.raises(
        DataError, match=f"the data: {text}.* of tau .*, found .*; no column for q_panda"
    ):
        open_recording(write_numbered(count, "q", "tau"), panda)
    robot = loaded("kuka_iiwa14")
    text = rf"expected 7 columns of q .* found {count - 1} \(0 to {count - 2}\);"
    with pytest.raises(DataError, match=text):
        open_recording({"q": np.zeros((4, count - 1)), "tau": np.zeros((4, 7))}, robot)


def test_too_few_of_a_mechanism() -> None:
    closed = jounce.load("five_bar").closed(("joint1", "joint4"))
    with pytest.raises(DataError, match=r"expected 4 or 2 columns .*, found 3 \(1 to 3\)"):
        open_recording(write_numbered(3, "q") | {"tau": np.zeros((4, 2))}, closed)


# ------------------------------------------------------------------ names of joints


@pytest.mark.parametrize("spelling", ["{}", " {} ", "{} (rad)", "{} [deg]"])
def test_joints_names_are_positions_of_a_motion(spelling: str) -> None:
    robot = loaded("kuka_iiwa14")
    t = 0.01 * np.arange(20)
    q = np.sin(t[:, None] + np.arange(7))
    scale = 180.0 / np.pi if "deg" in spelling else 1.0
    columns = [spelling.format(name) for name in robot.model.joint_names]
    arguments = {"t": t, **dict(zip(columns, scale * q.T, strict=True))}
    assert_close(read_trajectory(robot, arguments).values["q"], q, 1e-12)
    other = {"t": t, **arguments, "q_" + robot.model.joint_names[2]: 0.0 * t}
    result = read_trajectory(robot, other).values["q"]
    assert not result[:, 2].any()
    assert_close(result[:, 3], q[:, 3], 1e-12)


def test_joints_names_of_measurements_may_be_anything() -> None:
    robot = loaded("kuka_iiwa14")
    arguments: dict[str, Any] = dict.fromkeys(robot.model.joint_names, np.zeros(4))
    with pytest.raises(DataError, match="no column for q_"):
        open_recording(arguments | {"tau": np.zeros((4, 7))}, robot)


def test_joints_that_are_called_like_accelerations() -> None:
    builder = jounce.TreeBuilder("kuka")
    for k in range(2):
        builder.add(f"l{k}", "revolute", f"l{k - 1}" if k else None, joint_name=f"A{k + 1}", mass=1)
    robot = Robot(builder.build())
    result = resolve(["A1", "A2"], robot, bare=True)
    assert result["q"] == ["A1", "A2"]
    assert result["a"] == [None, None]
    result = resolve(["q1", "q2", "A1", "A2"], robot, bare=True)
    assert result["q"] == ["q1", "q2"]
    assert result["a"] == ["A1", "A2"]
