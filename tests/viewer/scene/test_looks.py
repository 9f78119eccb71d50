"""What robots look like: parts from files, colours, simple shapes, skeletons."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import jounce
from jounce.errors import ModelError
from jounce.io.mjcf import read_mjcf
from jounce.io.sdf import read_sdf
from jounce.io.urdf import read_urdf
from jounce.model import inertia
from jounce.model.inertia.mesh.integrals import unit_inertia
from jounce.model.model import Solid
from jounce.viewer.scene import looks, shapes
from support.robots import random_model

URDF = """
<robot name="r">
  <material name="paint"><color rgba="1 0.5 0 1"/></material>
  <link name="a">
    <visual><geometry><box size="1 2 3"/></geometry><material name="paint"/></visual>
  </link>
  <link name="b">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 1"/><geometry><sphere radius="0.5"/></geometry>
      <material name="own"><color rgba="0 0 1 0.5"/></material></visual>
    <visual><geometry><mesh filename="no_such.stl"/></geometry></visual>
    <collision><geometry><cylinder radius="0.1" length="1"/></geometry></collision>
  </link>
  <link name="c">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><capsule radius="0.1" length="1"/></geometry></collision>
  </link>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
  <joint name="k" type="continuous"><parent link="b"/><child link="c"/></joint>
</robot>
"""


def test_shapes_of_a_file_with_their_colors() -> None:
    found = looks(read_urdf(URDF))
    base, ball, capsule = found.parts
    assert (base.body, base.link, base.color) == (-1, "a", (1.0, 0.5, 0.0, 1.0))
    assert (ball.body, ball.link, ball.color) == (0, "b", (0.0, 0.0, 1.0, 0.5))
    np.testing.assert_allclose(ball.vertices.mean(axis=0), (0.0, 0.0, 1.0), atol=1e-12)
    # without a visual shape, what it collides with
    assert (capsule.body, capsule.link) == (1, "c")
    assert len(found.missing) == 1
    assert "link 'b': mesh 'no_such.stl': there is no such file" in found.missing[0]


def test_collision_shapes_on_demand() -> None:
    found = looks(read_urdf(URDF), "collision", skeleton=False)
    assert [part.link for part in found.parts] == ["b", "c"]
    with pytest.raises(ModelError, match="purpose: expected 'visual' or 'collision', found 'both'"):
        looks(read_urdf(URDF), "both")


def test_colors_survive_writing(tmp_path: Path) -> None:
    jounce.Robot(read_urdf(URDF)).export.urdf(tmp_path / "r.urdf")
    found = looks(jounce.read(tmp_path / "r.urdf"))
    assert [p.color for p in found.parts] == [p.color for p in looks(read_urdf(URDF)).parts]


@pytest.mark.parametrize("rgba", ["", "1 2 3 4", "a b c d", "0 0 1", "nan 0 0 1", "1 0"])
def test_colors_that_make_no_sense_are_passed_over(rgba: str) -> None:
    model = read_urdf(URDF.replace("1 0.5 0 1", rgba))
    expected = (0.0, 0.0, 1.0, 1.0) if rgba == "0 0 1" else None
    assert model.ground.solids[0].color == expected


def test_colors_of_mjcf_and_sdf() -> None:
    pytest.importorskip("mujoco")
    mjcf = """
    <mujoco><asset><material name="m" rgba="0 1 0 1"/></asset><worldbody><body><joint/>
      <geom size="0.1" material="m"/><geom size="0.1" rgba="1 0 0 1" material="m"/>
      <geom size="0.1"/></body></worldbody></mujoco>"""
    colors = [solid.color for solid in read_mjcf(mjcf).bodies[0].solids]
    assert colors == [(0.0, 1.0, 0.0, 1.0), (1.0, 0.0, 0.0, 1.0), None]
    sdf = """
    <sdf version="1.9"><model name="m"><link name="a"/><link name="b"><visual name="v">
      <geometry><sphere><radius>1</radius></sphere></geometry>
      <material><diffuse>0 0 1 1</diffuse></material></visual></link>
      <joint name="w" type="fixed"><parent>world</parent><child>a</child></joint>
      <joint name="j" type="revolute"><parent>a</parent><child>b</child>
        <axis><xyz>0 0 1</xyz></axis></joint></model></sdf>"""
    assert read_sdf(sdf).bodies[0].solids[0].color == (0.0, 0.0, 1.0, 1.0)


EXACT = {
    "box": ((1.0, 2.0, 3.0), 6.0),
    "sphere": ((0.5,), np.pi / 6.0),
    "cylinder": ((0.5, 2.0), np.pi / 2.0),
    "capsule": ((0.5, 2.0), np.pi / 2.0 + np.pi / 6.0),
    "ellipsoid": ((1.0, 2.0, 3.0), 8.0 * np.pi),
}


@pytest.mark.parametrize("shape", EXACT)
def test_shapes_are_closed_and_as_large_as_they_should_be(shape: str) -> None:
    size, volume = EXACT[shape]
    unit, reference, _ = unit_inertia(*shapes.solid(shape, size, 128))
    pi = inertia.translate(unit, reference)
    np.testing.assert_allclose(pi[0], volume, rtol=2e-3)  # inscribed polygons are smaller
    np.testing.assert_allclose(pi[1:4], 0.0, atol=1e-12 * volume)
    if shape == "box":
        np.testing.assert_allclose(pi, inertia.box(size, density=1.0), rtol=1e-12, atol=1e-12)


def test_unknown_shapes_are_refused() -> None:
    with pytest.raises(ModelError, match="unknown shape 'torus'; choose one of box, sphere"):
        shapes.solid("torus", (1.0,))


def test_rods_reach_from_end_to_end() -> None:
    start, end = np.array((1.0, 2.0, 3.0)), np.array((-1.0, 0.0, 5.0))
    bar = shapes.rod(start, end, 0.1)
    way = (end - start) / np.linalg.norm(end - start)
    heights = (bar.vertices - start) @ way
    np.testing.assert_allclose((heights.min(), heights.max()), (-0.1, 12**0.5 + 0.1))
    assert np.isfinite(shapes.rod(start, start, 0.1).vertices).all()


@pytest.mark.filterwarnings("ignore::jounce.errors.ModelWarning")
@pytest.mark.parametrize("name", jounce.gallery())
def test_every_body_of_the_gallery_can_be_seen(name: str) -> None:
    model = jounce.load(name).model
    found = looks(model)
    assert {part.body for part in found.parts} >= {*range(model.nb)}
    assert not found.missing
    assert found.size > 0.0
    for part in found.parts:
        assert np.isfinite(part.vertices).all()
        assert part.faces.max() < len(part.vertices)


@pytest.mark.parametrize("seed", range(5))
def test_every_kind_of_joint_has_a_skeleton(seed: int) -> None:
    model = random_model(np.random.default_rng(seed), 9, floating=seed % 2 == 1)
    assert {part.body for part in looks(model).parts} >= {*range(model.nb)}


def test_shapes_of_no_known_kind_are_told() -> None:
    builder = jounce.TreeBuilder("r")
    odd = Solid("torus", "visual", (1.0,))
    builder.add("a", "revolute", mass=1.0, inertia_com=np.eye(3), solids=[odd])
    found = looks(builder.build())
    assert found.missing == (
        "link 'a': unknown shape 'torus'; choose one of box, sphere, cylinder, capsule, ellipsoid",
    )
    assert {part.origin for part in found.parts} == {"skeleton"}
