"""Limits as data: what files say, in v's order, and configurations that keep to it."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError, ModelError
from jounce.model.limits import Limits

INF = np.inf

URDF = """<robot name="gripper"><link name="base"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
</inertial></link><link name="b"/><link name="c"/><link name="d"/>
<joint name="lift" type="prismatic"><parent link="base"/><child link="a"/>
<limit lower="-0.5" upper="1.5" velocity="0.3" effort="120"/></joint>
<joint name="turn" type="continuous"><parent link="a"/><child link="b"/>
<limit velocity="4" effort="7"/></joint>
<joint name="left" type="prismatic"><parent link="b"/><child link="c"/>
<limit lower="0" upper="0.04" velocity="0.1" effort="20"/></joint>
<joint name="right" type="prismatic"><parent link="b"/><child link="d"/>
<limit lower="-0.06" upper="-0.01" velocity="0.1" effort="30"/>
<mimic joint="left" multiplier="-2" offset="0.01"/></joint></robot>"""

SDF = """<sdf version="1.9"><model name="slider"><link name="a"/><link name="b"/>
<joint name="j" type="universal"><parent>world</parent><child>a</child>
<axis><xyz>1 0 0</xyz><limit><lower>-1</lower><upper>2</upper><velocity>3</velocity>
<effort>4</effort></limit></axis><axis2><xyz>0 1 0</xyz></axis2></joint>
<joint name="k" type="prismatic"><parent>a</parent><child>b</child>
<axis><xyz>0 0 1</xyz><limit><velocity>-1</velocity></limit></axis></joint></model></sdf>"""

MJCF = """<mujoco><compiler angle="radian"/><worldbody><body name="a"><freejoint name="f"/>
<geom size=".1"/><body name="b"><joint name="h" range="-1 0.5" limited="true"/><geom size=".1"/>
<body name="c"><joint name="s" type="ball"/><geom size=".1"/></body></body></body></worldbody>
<actuator><motor joint="h" forcerange="-9 9"/></actuator></mujoco>"""


def loaded(folder: Path, suffix: str, text: str, **options: str) -> jounce.Robot:
    path = folder / f"robot{suffix}"
    path.write_text(text)
    return jounce.load(path, **options)


@pytest.fixture
def gripper(tmp_path: Path) -> jounce.Robot:
    return loaded(tmp_path, ".urdf", URDF)


def rows(limits: Limits) -> list[tuple[float, ...]]:
    columns = (limits.lower, limits.upper, limits.velocity, limits.effort)
    return list(map(tuple, np.stack(columns, axis=1).tolist()))


def test_a_urdf_file_and_what_is_written_of_it(gripper: jounce.Robot, tmp_path: Path) -> None:
    # right = 0.01 - 2 left in [-0.06, -0.01] and its speed 0.1: left in [0.01, 0.035], at most 0.05
    expected = [(-0.5, 1.5, 0.3, 120.0), (-INF, INF, 4.0, 7.0), (0.01, 0.035, 0.05, 20.0)]
    again = jounce.load(gripper.export.urdf(tmp_path / "again.urdf"))
    for robot in (gripper, again):
        assert robot.limits.names == ("lift", "turn", "left")
        np.testing.assert_allclose(rows(robot.limits), expected, rtol=1e-15)


def test_files_of_other_formats_and_floating_bases(tmp_path: Path) -> None:
    assert rows(loaded(tmp_path, ".sdf", SDF).limits) == [
        (-1.0, 2.0, 3.0, 4.0), (-INF, INF, INF, INF), (-INF, INF, INF, INF),
    ]  # fmt: skip
    none = (-INF, INF, INF, INF)
    pytest.importorskip("mujoco")
    mjcf = loaded(tmp_path, ".mjcf", MJCF)
    assert rows(mjcf.limits) == [none] * 6 + [(-1.0, 0.5, INF, 9.0)] + [none] * 3
    floating = loaded(tmp_path, ".urdf", URDF, base="floating")
    assert rows(floating.limits)[:6] == [none] * 6
    assert floating.limits.names[0] == "base[0]"
    assert floating.limits.contains(floating.random(0, 20)).all()


def test_within_and_clip(gripper: jounce.Robot) -> None:
    q = gripper.random(0, 1000)
    assert gripper.limits.contains(q).shape == (1000,)
    assert gripper.limits.contains(q).all()
    assert gripper.limits.contains(gripper.random(1, 1000, dtype="float32")).all()
    far = np.array([[2.0, 99.0, 0.0], [1.5, -99.0, 0.02], [1.5 + 1e-9, 0.0, 0.02]])
    np.testing.assert_array_equal(gripper.limits.contains(far), (False, True, False))
    np.testing.assert_array_equal(gripper.limits.contains(far, tolerance=1e-8), (False, True, True))
    assert gripper.limits.contains([np.nan, 0.0, 0.02]) is np.False_
    clipped = gripper.limits.clip(far[:, None])
    assert clipped.shape == (3, 1, 3)
    assert gripper.limits.contains(clipped).all()
    np.testing.assert_allclose(clipped[0, 0], (1.5, 99.0, 0.01), rtol=1e-15)
    np.testing.assert_array_equal(gripper.limits.clip(q), q)
    small = gripper.limits.clip(far.astype(np.float32))
    assert small.dtype == np.float32
    assert gripper.limits.contains(small).all()
    out = np.empty((3, 3))
    assert gripper.limits.clip(far, out=out) is out
    with pytest.raises(
        ArgumentError, match=r"gripper.limits.contains: argument 'q' must have shape"
    ):
        gripper.limits.contains(np.zeros(4))
    wrong: Any
    for wrong in (-1, True, np.array([0.1]), np.nan):
        with pytest.raises(ArgumentError, match="tolerance must be a number >= 0, found"):
            gripper.limits.contains(q, tolerance=wrong)


def test_joints_of_several_coordinates() -> None:
    builder = jounce.TreeBuilder("odd")
    bounds = {"lower": (-0.1, -0.2, -0.3), "upper": (0.1, 0.2, 0.3)}
    builder.add("a", "planar", mass=1.0, **bounds)
    builder.add("b", "spherical", "a", mass=1.0, **bounds, velocity_limit=2.0)
    builder.add("c", "cylindrical", "b", mass=1.0, lower=(-1.0, -2.0), upper=(1.0, np.inf))
    robot = jounce.Robot(builder.build())
    lower = (-0.1, -0.2, -0.3, -INF, -INF, -INF, -1.0, -2.0)
    np.testing.assert_array_equal(robot.limits.lower, lower)
    np.testing.assert_array_equal(robot.limits.velocity[3:6], 2.0)
    far = np.array((5.0, -5.0, 5.0, 1.0, 2.0, 3.0, 4.0, 5.0, 5.0))
    clipped = (0.1, -0.2, 0.3, 1.0, 2.0, 3.0, 4.0, 1.0, 5.0)
    np.testing.assert_array_equal(robot.limits.clip(far), clipped)
    assert robot.limits.contains(robot.random(0, 50)).all()


def test_a_follower_that_leaves_its_leader_no_place_has_no_say(tmp_path: Path) -> None:
    text = URDF.replace('lower="-0.06" upper="-0.01"', 'lower="1" upper="2"')
    robot = loaded(tmp_path, ".urdf", text)
    assert (robot.limits.lower[2], robot.limits.upper[2]) == (0.0, 0.04)
    assert any(finding.code == "follower-beyond-limits" for finding in robot.model.check())


def test_a_mechanism_has_those_of_its_independent_joints() -> None:
    model = jounce.read("five_bar")
    joints = [
        jounce.Joint(**{**vars(joint), "lower": -k - 1.0, "upper": 3.0})
        for k, joint in enumerate(model.joints)
    ]
    robot = jounce.Robot(jounce.Model(**{**vars_of(model), "joints": tuple(joints)}))
    mechanism = robot.closed()
    assert mechanism.limits.names == tuple(mechanism.independent_names)
    np.testing.assert_array_equal(
        mechanism.limits.lower, robot.limits.lower[list(mechanism.active)]
    )
    q = mechanism.reference.copy()
    assert mechanism.limits.contains(q)
    passive = mechanism.tree.passive[0]
    q[passive] = 4.0
    assert not mechanism.limits.contains(q)
    with pytest.raises(jounce.ArgumentError, match="expected a robot without loops"):
        mechanism.limits.clip(q)


def vars_of(model: jounce.Model) -> dict[str, object]:
    names = ("name", "bodies", "joints", "frames", "gravity", "source", "loops", "ground")
    return {name: getattr(model, name) for name in names}


def test_limits_are_read_only_and_print_themselves(gripper: jounce.Robot) -> None:
    limits = pickle.loads(pickle.dumps(gripper.limits))
    for found in (limits, gripper.limits):
        with pytest.raises(ValueError, match="read-only"):
            found.lower[0] = 3.0
    assert repr(limits).splitlines()[1].split() == ["lift", "-0.5", "1.5", "0.3", "120"]
    with pytest.raises(ModelError, match=r"velocity must have shape \(3,\)"):
        Limits(limits.names, limits.lower, limits.upper, limits.velocity[:2], limits.effort)
    with pytest.raises(ModelError, match="lower <= upper for 'turn', found 1 and 0"):
        Limits(limits.names, [0, 1, 0], [0, 0, 0], limits.velocity, limits.effort)  # pyright: ignore[reportArgumentType]
