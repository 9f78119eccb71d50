"""Robots whose inertias come from meshes, and the comparison with what their file says."""

from __future__ import annotations

import json
import pickle
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

import jounce
from jounce import cli
from jounce.errors import ModelError, ModelWarning
from jounce.io import mesh_inertia as meshes
from jounce.io import placement
from jounce.io.mjcf import read_mjcf
from jounce.model import inertia
from support import PROJECT, solids
from support.helpers import assert_close, chain
from support.solids import write
from support.urdf_files import example_files

# ------------------------------------------------------------------ a robot


def shape(kind: str, geometry: str, xyz: str = "0 0 0") -> str:
    return f'<{kind}><origin xyz="{xyz}"/><geometry>{geometry}</geometry></{kind}>'


def file(name: str, scale: str = "1 1 1") -> str:
    return f'<mesh filename="package://parts/{name}" scale="{scale}"/>'


def inertial(mass: float, xyz: str = "0 0 0", moment: float = 0.01) -> str:
    return (
        f'<inertial><origin xyz="{xyz}"/><mass value="{mass}"/><inertia ixx="{moment}" ixy="0"'
        f' ixz="0" iyy="{moment}" iyz="0" izz="{moment}"/></inertial>'
    )


ARM = f"""<robot name="arm">
<link name="base">{shape("collision", '<box size="1 1 1"/>')}{inertial(5.0)}</link>
<link name="upper">{inertial(2.0)}
  {shape("collision", file("brick.stl"), "0 0 0.25")}
  {shape("visual", file("ball.obj", "0.1 0.1 0.1"))}</link>
<link name="plate">{inertial(1.0)}
  {shape("collision", '<box size="0.1 0.2 0.3"/>', "0.5 0 0")}</link>
<link name="bracket">{inertial(0.25, "0.01 0 0")}</link>
<link name="lower">{inertial(1.5)}
  {shape("collision", file("open.stl"))}
  {shape("visual", '<cylinder radius="0.05" length="0.4"/>', "0 0 0.2")}
  {shape("visual", '<sphere radius="0.06"/>', "0 0 0.4")}</link>
<link name="tip">{shape("visual", file("brick.stl", "0.1 -0.1 0.1"))}</link>
<link name="sensor"/>
<joint name="j1" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
  </joint>
<joint name="weld" type="fixed"><parent link="upper"/><child link="plate"/>
  <origin xyz="0 0 0.5" rpy="0 0 1.5707963267948966"/></joint>
<joint name="weld2" type="fixed"><parent link="plate"/><child link="bracket"/>
  <origin xyz="0 0 0.1"/></joint>
<joint name="j2" type="continuous"><parent link="upper"/><child link="lower"/>
  <origin xyz="0 0 0.6"/></joint>
<joint name="j3" type="continuous"><parent link="lower"/><child link="tip"/>
  <origin xyz="0 0 0.4"/></joint>
<joint name="weld3" type="fixed"><parent link="tip"/><child link="sensor"/></joint>
</robot>"""

PLATE = placement((0.0, 0.5, 0.5), (0.0, 0.0, np.pi / 2))  # where the plate's box is in "upper"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a robot and a package of meshes beside it."""
    top = tmp_path_factory.mktemp("workspace")
    (top / "parts").mkdir()
    write(top / "parts" / "brick.stl", solids.box((0.25, 0.5, 0.125)))  # exact in single precision
    write(top / "parts" / "ball.obj", solids.ball(2), digits=17)
    v, f = solids.box((0.25, 0.25, 0.5))
    write(top / "parts" / "open.stl", (v, f[:-2]))
    (top / "arm.urdf").write_text(ARM)
    return top


@pytest.fixture(scope="module")
def arm(folder: Path) -> jounce.Robot:
    return jounce.load(folder / "arm.urdf")


def brick(**weight: float) -> np.ndarray:
    return inertia.translate(inertia.box((0.25, 0.5, 0.125), **weight), (0.0, 0.0, 0.25))


def plate(**weight: float) -> np.ndarray:
    return inertia.transform(inertia.box((0.1, 0.2, 0.3), **weight), PLATE)


def lower(density: float) -> np.ndarray:
    rod = inertia.translate(inertia.cylinder(0.05, 0.4, density=density), (0.0, 0.0, 0.2))
    return inertia.compose(
        rod, inertia.translate(inertia.sphere(0.06, density=density), (0.0, 0.0, 0.4))
    )


def link_inertia(robot: jounce.Robot, name: str) -> np.ndarray:
    return next(link.inertia for b in robot.model.bodies for link in b.links if link.name == name)


def test_links_and_solids_are_recorded(arm: jounce.Robot) -> None:
    upper, below, tip = arm.model.bodies
    assert [link.name for link in upper.links] == ["upper", "plate", "bracket"]
    assert [link.name for link in tip.links] == ["tip", "sensor"]
    assert_close(inertia.compose(*(link.inertia for link in upper.links)), upper.inertia, 1e-15)
    assert [mesh.link for mesh in upper.meshes] == ["upper", "upper"]
    assert [(s.link, s.shape, s.size) for s in upper.solids] == [("plate", "box", (0.1, 0.2, 0.3))]
    assert [s.shape for s in below.solids] == ["cylinder", "sphere"]
    assert_close(upper.solids[0].placement, PLATE)


def test_density(arm: jounce.Robot) -> None:
    solid = arm.edit.with_meshes(density=700.0)
    upper, below, tip = solid.model.parameters
    bracket = link_inertia(arm, "bracket")
    assert_close(upper, inertia.compose(brick(density=700.0), plate(density=700.0), bracket), 1e-13)
    # its collision mesh is open, so its visual shapes decide
    assert_close(below, lower(700.0), 1e-13)
    assert_close(tip, inertia.box((0.025, 0.05, 0.0125), density=700.0), 1e-7)
    assert solid.nv == arm.nv
    q = np.full(3, 0.5)
    assert np.abs(solid.mass_matrix(q) - arm.mass_matrix(q)).max() > 0.1
    again = pickle.loads(pickle.dumps(solid))
    np.testing.assert_array_equal(again.model.parameters, solid.model.parameters)


def test_mass_of_the_file(arm: jounce.Robot) -> None:
    solid = arm.edit.with_meshes(mass="file")
    assert_close(solid.model.parameters[:, 0], arm.model.parameters[:, 0], 1e-15)
    expected = inertia.compose(brick(mass=2.0), plate(mass=1.0), link_inertia(arm, "bracket"))
    assert_close(solid.model.parameters[0], expected, 1e-13)
    assert not solid.model.parameters[2].any()  # massless in the file


def test_masses_by_link_and_in_all(arm: jounce.Robot) -> None:
    named = arm.edit.with_meshes(mass={"plate": 4.0})
    expected = inertia.compose(
        link_inertia(arm, "upper"), plate(mass=4.0), link_inertia(arm, "bracket")
    )
    assert_close(named.model.parameters[0], expected, 1e-13)
    np.testing.assert_array_equal(named.model.parameters[1:], arm.model.parameters[1:])
    total = arm.edit.with_meshes(mass=10.0, links=["upper", "plate", "lower"])
    mass = sum(link_inertia(total, name)[0] for name in ("upper", "plate", "lower"))
    assert_close(mass, 10.0, 1e-14)
    volume = 0.25 * 0.5 * 0.125 + 0.006 + lower(1.0)[0]
    assert_close(link_inertia(total, "lower"), lower(10.0 / volume), 1e-13)
    dense = arm.edit.with_meshes(density={"upper": 100.0, "lower": 200.0})
    assert_close(link_inertia(dense, "upper"), brick(density=100.0), 1e-13)
    assert_close(link_inertia(dense, "lower"), lower(200.0), 1e-13)


def test_purpose(arm: jounce.Robot) -> None:
    visual = arm.edit.with_meshes(density=1000.0, purpose="visual")
    v, f = solids.ball(2)
    assert_close(link_inertia(visual, "upper"), inertia.from_mesh(0.1 * v, f), 1e-13)
    np.testing.assert_array_equal(link_inertia(visual, "plate"), link_inertia(arm, "plate"))
    with pytest.raises(
        ModelError, match=r"link 'lower': collision mesh 'package://parts/open.stl'"
    ):
        arm.edit.with_meshes(density=1000.0, purpose="collision")


def test_repair_and_hull(arm: jounce.Robot) -> None:
    expected = inertia.box((0.25, 0.25, 0.5), density=1000.0)
    options: dict[str, Any] = {"purpose": "collision", "links": ["lower"], "density": 1000.0}
    with pytest.warns(ModelWarning, match=r"link 'lower': mesh 'open.stl': .*holes closed"):
        repaired = arm.edit.with_meshes(repair=True, **options)
    assert_close(repaired.model.parameters[1], expected, 1e-13)
    assert_close(arm.edit.with_meshes(hull=True, **options).model.parameters[1], expected, 1e-13)


def test_floating_base_includes_the_root(folder: Path) -> None:
    robot = jounce.load(folder / "arm.urdf", base="floating").edit.with_meshes(density=500.0)
    assert_close(robot.model.parameters[0], inertia.box((1.0, 1.0, 1.0), density=500.0), 1e-14)


def test_packages_are_looked_for(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "far" / "away.urdf"
    elsewhere.parent.mkdir()
    elsewhere.write_text(ARM)
    robot = jounce.load(elsewhere)
    with pytest.raises(ModelError, match=r"link 'upper'.*brick.stl.*package_dirs"):
        robot.edit.with_meshes(density=1000.0)
    found = robot.edit.with_meshes(density=1000.0, package_dirs=folder)
    assert_close(link_inertia(found, "upper"), brick(density=1000.0), 1e-13)


def test_a_model_built_by_hand() -> None:
    model = jounce.TreeBuilder("rod").add(
        "rod",
        "revolute",
        mass=1.0,
        solids=[
            jounce.model.model.Solid("capsule", "visual", (0.1, 0.4), placement((0.0, 0.0, 0.3)))
        ],
    )
    robot = jounce.Robot(model.build()).edit.with_meshes(mass="file")
    expected = inertia.translate(inertia.capsule(0.1, 0.4, mass=1.0), (0.0, 0.0, 0.3))
    assert_close(robot.model.parameters[0], expected, 1e-14)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "expected either density .* found neither"),
        ({"density": 1.0, "mass": 1.0}, "found both"),
        ({"density": -1.0}, "density of link 'upper': expected a finite number > 0, found -1.0"),
        ({"density": 0.0}, "density of link 'upper'"),
        ({"density": np.nan}, "density of link 'upper'"),
        ({"density": "steel"}, "density of link 'upper': expected a number"),
        ({"mass": "mine"}, "mass: expected numbers or 'file', found 'mine'"),
        ({"mass": -2.0}, "mass: expected a finite number > 0"),
        ({"mass": {"upper": np.inf}}, "mass of link 'upper'"),
        ({"mass": {"elbow": 1.0}}, "there is no link 'elbow'; choose one of upper, plate"),
        ({"mass": {"upper": 1.0}, "links": ["lower"]}, "mass: expected an entry for link 'lower'"),
        ({"mass": {"base": 1.0}}, "link 'base' is part of the fixed base"),
        ({"density": 1.0, "links": "bracket"}, "link 'bracket': it has no shapes"),
        ({"density": 1.0, "links": ["tip"], "purpose": "collision"}, "no collision shapes"),
        ({"density": 1.0, "purpose": "both"}, "purpose: expected one of auto, collision, visual"),
    ],
)
def test_bad_arguments(arm: jounce.Robot, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        arm.edit.with_meshes(**options)


def test_a_robot_without_shapes() -> None:
    with pytest.raises(ModelError, match="no moving link has shapes"):
        jounce.Robot(chain(("revolute",))).edit.with_meshes(density=1000.0)


def test_shapes_that_make_no_sense_do_not_stop_a_robot() -> None:
    text = '<robot name="r"><link name="a"/><link name="b">{}</link>' + (
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>'
    )
    for geometry in ("<box/>", '<box size="1 0 1"/>', '<sphere radius="x"/>', "<cone/>"):
        model = jounce.io.read_urdf(text.format(shape("visual", geometry)))
        assert model.bodies[0].solids == ()


# ------------------------------------------------------------------ comparison


def test_comparison(arm: jounce.Robot) -> None:
    found = {link.link: link for link in meshes.compare(arm)}
    assert list(found) == ["upper", "plate", "bracket", "lower", "tip"]
    upper = found["upper"]
    assert (upper.purpose, upper.shapes, upper.error) == ("collision", 1, "")
    assert_close(upper.density, 2.0 / (0.25 * 0.5 * 0.125))
    assert_close(upper.com_offset, (0.0, 0.0, -0.25))
    moments = inertia.principal(brick(mass=2.0)).moments
    assert_close(upper.ratios, 0.01 / moments, 1e-13)
    assert "center of mass 188 mm outside the shape's box" in upper.remarks[0]
    assert found["bracket"].error == "it has no shapes"
    assert found["bracket"].shape is None
    assert found["tip"].remarks == ("no inertia in the file",)
    assert np.isnan(found["tip"].com_offset).all()


@pytest.mark.parametrize(
    ("inside", "remark"),
    [
        (inertial(2.0, "0 0 0.25", 30.0), "moments 2.3e+03 x the shape's at equal mass"),
        (inertial(2.0, "0 0 0.25", 1e-4), "moments 0.00"),
        (inertial(1e-3, "0 0 0.25", 1e-5), "density 0.064 kg/m^3 if it fills its shape"),
        (inertial(2.0, "0 0 0.25", -0.1), "not positive"),
        (inertial(2.0, "0 0 0.25", 0.03), None),
    ],
)
def test_remarks(folder: Path, inside: str, remark: str | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        model = jounce.io.read_urdf(ARM.replace(inertial(2.0), inside))
    (link,) = meshes.compare(model, links=["upper"], package_dirs=folder)
    if remark is None:
        assert link.remarks == ()
    else:
        assert any(remark in text for text in link.remarks), link.remarks


def test_comparison_at_a_density(arm: jounce.Robot) -> None:
    (upper,) = meshes.compare(arm, density=7800.0, links=["upper"])
    assert upper.shape is not None
    assert_close(upper.shape, brick(density=7800.0), 1e-13)
    assert "mass 0.0164 x the shape's" in upper.remarks
    with pytest.raises(ModelError, match="density"):
        meshes.compare(arm, density=-1.0)


def test_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["info", "--inertia", str(folder / "arm.urdf")])
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert lines[0].split()[:2] == ["link", "shapes"]
    assert lines[1].startswith("base")  # the root, too
    assert any(line.startswith("upper") and "1 collision" in line for line in lines)
    assert any("! center of mass" in line for line in lines)
    assert "6 links" in lines[-1]
    cli.main(
        [
            "info",
            "--inertia",
            str(folder / "arm.urdf"),
            "--purpose",
            "collision",
            "--links",
            "lower",
        ]
    )
    assert "not closed" in capsys.readouterr().out


def test_command_line_says_once_how_to_find_meshes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "arm.urdf").write_text(ARM.replace("a.stl", "b.stl"))
    cli.main(["info", "--inertia", str(tmp_path / "arm.urdf")])
    out = capsys.readouterr().out
    assert out.count("there is no such file") > 1
    assert out.count("--package-dir") == 1
    assert "package_dirs" not in out


def test_command_line_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(folder / "arm.urdf")
    cli.main(
        ["info", "--inertia", path, "--json", "--density", "1000", "--package-dir", str(folder)]
    )
    found = {link["link"]: link for link in json.loads(capsys.readouterr().out)}
    assert_close(found["upper"]["shape"], brick(density=1000.0), 1e-13)
    assert found["bracket"]["shape"] is None
    assert found["bracket"]["density"] is None
    cli.main(
        [
            "info",
            "--inertia",
            path,
            "--json",
            "--repair",
            "--purpose",
            "collision",
            "--links",
            "lower",
        ]
    )
    (lower_link,) = json.loads(capsys.readouterr().out)
    assert "holes closed" in lower_link["findings"][0]
    cli.main(
        [
            "info",
            "--inertia",
            path,
            "--json",
            "--hull",
            "--purpose",
            "collision",
            "--links",
            "lower",
        ]
    )
    assert json.loads(capsys.readouterr().out)[0]["error"] == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.urdf"], "missing.urdf"),
        (["planar_2r", "--links", "unknown"], "there is no link 'unknown'"),
    ],
)
def test_command_line_errors(arguments: list[str], message: str) -> None:
    with pytest.raises(SystemExit, match=message) as caught:
        cli.main(["info", "--inertia", *arguments])
    assert str(caught.value).startswith("jounce info: ")


# ------------------------------------------------------------------ robots that are around


def example(name: str) -> Path:
    path = next((path for path in example_files() if path.name == name), None)
    if path is None:
        pytest.skip("example-robot-data is not installed")
    return path


def test_wrong_inertias_of_a_well_known_file_are_noticed() -> None:
    """UR5's file gives its wrist links the inertia of a far larger body."""
    robot = jounce.load(example("ur5_robot.urdf"))
    found = {link.link: link for link in meshes.compare(robot)}
    for name in ("wrist_1_link", "wrist_2_link", "wrist_3_link"):
        assert any("moments" in remark for remark in found[name].remarks)
    assert not found["shoulder_link"].remarks


def test_whole_robot() -> None:
    path = example("panda.urdf")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        robot = jounce.load(path)
    solid = robot.edit.with_meshes(mass="file")
    assert_close(solid.model.parameters[:, 0], robot.model.parameters[:, 0], 1e-15)
    for body in solid.model.parameters:
        assert inertia.problem(body) == ""
    assert np.linalg.eigvalsh(solid.mass_matrix(solid.neutral())).min() > 0.0


# ------------------------------------------------------------------ other libraries, the docs


def test_trimesh_agrees() -> None:
    v, f = solids.bumpy(np.random.default_rng(2), 3, (0.1, -0.2, 0.3))
    theirs = trimesh.Trimesh(v, f, process=False).mass_properties
    ours = inertia.about_com(inertia.from_mesh(v, f, 1.0))
    assert_close(ours.mass, theirs["mass"])
    assert_close(ours.com, theirs["center_mass"])
    assert_close(ours.inertia, theirs["inertia"])


def test_mujoco_agrees(tmp_path: Path) -> None:
    """Inertias that MuJoCo infers from geoms, meshes among them, which it moves about."""
    pytest.importorskip("mujoco", reason="MJCF files are read with MuJoCo")
    write(tmp_path / "part.obj", solids.bumpy(np.random.default_rng(3), 2), digits=17)
    (tmp_path / "robot.xml").write_text("""<mujoco>
      <asset><mesh name="part" file="part.obj" scale="0.5 0.5 1" inertia="exact"/></asset>
      <worldbody><body name="a"><joint axis="0 1 0"/>
        <geom type="mesh" mesh="part" pos="0.1 0.2 0.3" euler="10 20 30"/>
        <geom type="capsule" size="0.1 0.2" pos="0 0 1"/>
        <body name="c" pos="0 0 1"><joint axis="1 0 0"/>
          <geom type="cylinder" size="0.1 0.3" euler="40 0 10"/></body></body></worldbody>
    </mujoco>""")
    robot = jounce.load(tmp_path / "robot.xml")
    # MuJoCo keeps vertices in single precision
    assert_close(
        robot.edit.with_meshes(density=1000.0).model.parameters, robot.model.parameters, 1e-7
    )


def test_code_of_the_docs_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = PROJECT / "docs" / "guide" / "mesh-inertia.md"
    (code,) = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), flags=re.DOTALL)
    session: dict[str, Any] = {}
    exec(compile(code, str(page), "exec"), session)
    assert session["J"].shape == (10, 4, 3)
    assert "4 vertices, 4 faces, 1 shells" in capsys.readouterr().out


def test_ellipsoids_of_mjcf_count() -> None:
    pytest.importorskip("mujoco")
    text = """
    <mujoco><worldbody><body><joint/><geom type="ellipsoid" size="0.1 0.2 0.3" pos="0 0 1"
      density="500"/></body></worldbody></mujoco>"""
    model = read_mjcf(text)
    found = meshes.with_meshes(model, density=500.0)
    np.testing.assert_allclose(found.parameters, model.parameters, rtol=1e-12, atol=1e-12)
