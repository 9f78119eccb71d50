"""MJCF reading: everything against MuJoCo itself."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import jounce
from jounce.errors import ModelError, ModelWarning
from jounce.export.mujoco import MujocoMap, model_from_mujoco
from jounce.io import read, read_mjcf
from support.helpers import assert_close
from support.mjcf_files import (
    LINK,
    TENDONS,
    assert_equal_to_mujoco,
    at,
    chain,
    compiled,
    gymnasium_files,
    mass_matrix,
    mjcf,
    quiet_mjcf,
    random_mjcf,
    said,
)
from support.robots import random_state

mujoco = pytest.importorskip("mujoco")


# ------------------------------------------------------------------ against MuJoCo


@pytest.mark.parametrize("path", gymnasium_files(), ids=lambda path: path.stem)
def test_gymnasium_robot_equals_mujoco(path: Path) -> None:
    assert_equal_to_mujoco(quiet_mjcf(path), compiled(path))


def test_there_are_real_files() -> None:
    pytest.importorskip("gymnasium")
    assert len(gymnasium_files()) > 8


@pytest.mark.parametrize("seed", range(25))
def test_random_file_equals_mujoco(seed: int) -> None:
    text = random_mjcf(np.random.default_rng(seed))
    mj = compiled(text)
    if mj.nv:
        assert_equal_to_mujoco(quiet_mjcf(text), mj, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25, 300))
def test_many_random_files_equal_mujoco(seed: int) -> None:
    rng = np.random.default_rng(seed)
    text = random_mjcf(rng, int(rng.integers(1, 20)))
    mj = compiled(text)
    if mj.nv:
        assert_equal_to_mujoco(quiet_mjcf(text), mj, seed)


def test_compiled_kernels_take_the_same_q() -> None:
    """For hinges and slides q is qpos, with `ref` and all; the kernels agree with MuJoCo."""
    text, q, v = chain(), np.array((0.4, -1.1, 0.7)), np.array((1.0, -2.0, 0.5))
    mj, robot = compiled(text), jounce.Robot(read_mjcf(text))
    data = at(mj, q, v)
    assert_close(robot.mass_matrix(q), mass_matrix(mj, data))
    assert_close(robot.bias_forces(q, v), data.qfrc_bias)
    assert_close(robot.frame("at_c").pose(q)[:3, 3], data.site_xpos[2])


def test_facts_of_joints() -> None:
    text = mjcf(
        f'<body name="A">{LINK}<joint name="a" range="-1 2" damping="3" frictionloss="4"'
        ' armature="5" actuatorfrcrange="-6 7"/>'
        f'<body name="B" pos="1 0 0">{LINK}<joint name="b" type="slide" axis="0 3 4"/>'
        f'<body name="C">{LINK}<joint name="c" type="ball" range="0 1" damping="2"/></body>'
        "</body></body>",
        '<actuator><motor joint="b" gear="-3" ctrlrange="-2 1"/><motor joint="b"'
        ' forcerange="-1 4"/></actuator>',
        '<option gravity="1 2 3"/>',
    )
    model = read_mjcf(text)
    a, b, c = model.joints
    assert (a.lower, a.upper, a.damping, a.friction, a.armature) == (-1, 2, 3, 4, 5)
    assert (a.effort_limit, b.effort_limit, b.upper) == (7, 3 * 2 + 4, np.inf)
    np.testing.assert_array_equal(b.axis, (0, 0.6, 0.8))
    np.testing.assert_array_equal(c.damping, (2, 2, 2))
    assert [j.kind for j in model.joints] == ["revolute", "prismatic", "spherical"]
    np.testing.assert_array_equal(model.gravity, (1, 2, 3))
    assert model.name == "m"
    assert [f.name for f in model.frames] == ["world", "A", "B", "C"]


def test_flags_of_the_file_are_heeded() -> None:
    flags = '<option><flag gravity="disable" equality="disable" frictionloss="disable"/></option>'
    body = f'<body name="A">{LINK}<joint name="a" frictionloss="1"/></body>'
    body += f'<body name="B">{LINK}<joint name="b"/></body>'
    rest = '<equality><joint joint1="a" joint2="b"/></equality>'
    model = read_mjcf(mjcf(body, rest, flags))
    np.testing.assert_array_equal(model.gravity, np.zeros(3))
    assert model.nv == 2
    assert model.joints[0].friction == 0
    assert read_mjcf(mjcf(body, rest)).nv == 1


def test_names_are_made_up_and_unique() -> None:
    text = mjcf(
        f'<body>{LINK}<joint/><joint axis="1 0 0"/><site name="body2"/></body>'
        f'<body name="body1">{LINK}<joint/><site/><site name="body1"/></body>'
    )
    model = read_mjcf(text)
    names = ["body1_2_joint", "body1_2_joint_2", "body1_joint"]
    assert [j.name for j in model.joints] == names
    assert [b.name for b in model.bodies] == ["body1_2_body1_2_joint", "body1_2", "body1"]
    assert {"body2", "site1", "body1_site"} <= {f.name for f in model.frames}
    assert_equal_to_mujoco(model, compiled(text))


def test_spaces_unicode_and_no_model_name(tmp_path: Path) -> None:
    path = tmp_path / "größe 1.xml"
    text = chain().replace('name="a"', 'name="ä b"').replace(' model="m"', "")
    path.write_text(text, encoding="utf-8")
    model = read(path)
    assert model.joints[0].name == "ä b"
    assert model.name == "größe 1"
    assert model.source == str(path)


# ------------------------------------------------------------------ bases


FLOATER = f'<body name="A" pos="1 2 3" quat="1 2 3 4">{LINK}<freejoint name="f"/>'
FLOATER += f'<body name="B">{LINK}<joint name="b"/></body></body>'
ARM = f'<body name="P" pos="0 0 1"><body name="A" pos="1 2 3">{LINK}<body name="B">{LINK}'
ARM += '<joint name="b"/></body></body></body>'


def test_base_is_the_files_own_by_default() -> None:
    assert read_mjcf(mjcf(FLOATER)).nv == 7
    assert read_mjcf(mjcf(ARM)).nv == 1


def test_base_fixed_keeps_the_first_pose() -> None:
    model, mj = read_mjcf(mjcf(FLOATER), base="fixed"), compiled(mjcf(FLOATER))
    assert model.nv == 1
    T = model.frames[model.frame_index("A")].placement
    data = at(mj, mj.qpos0, np.zeros(mj.nv))
    assert_close(T[:3, 3], data.xpos[1])
    assert_close(T[:3, :3], data.xmat[1].reshape(3, 3))
    assert read_mjcf(mjcf(ARM), base="fixed").nv == 1


def test_base_floating_frees_the_top_level_body() -> None:
    model = read_mjcf(mjcf(ARM), base="floating")
    assert [(j.name, j.kind) for j in model.joints] == [("base", "free"), ("b", "revolute")]
    assert [b.name for b in model.bodies] == ["P", "B"]
    assert read_mjcf(mjcf(FLOATER), base="floating").nv == 7
    with pytest.warns(ModelWarning, match="massless: base"):
        model = read_mjcf(chain(), base="floating")
    assert [j.kind for j in model.joints] == ["free"] + ["revolute"] * 3
    np.testing.assert_array_equal(model.joints[1].parent, 0)


def test_base_needs_one_robot() -> None:
    two = mjcf(
        FLOATER
        + FLOATER.replace('"A"', '"C"')
        .replace('"B"', '"D"')
        .replace('"f"', '"g"')
        .replace('"b"', '"d"')
    )
    assert read_mjcf(two).nv == 14
    for base, found in (("fixed", "2 free joints: f, g"), ("floating", "2 robots: A, C")):
        with pytest.raises(ModelError, match=f"base='{base}' needs a file with one robot.*{found}"):
            read_mjcf(two, base=base)
    with pytest.raises(ValueError, match="base: expected one of fixed, floating"):
        read_mjcf(two, base="free")


# ------------------------------------------------------------------ armature and what is left out


def test_armature_of_actuators_and_tendons_is_added_where_it_is_diagonal() -> None:
    rest = '<tendon><fixed name="t" armature="0.5"><joint joint="c" coef="2"/></fixed></tendon>'
    rest += '<actuator><motor joint="b" gear="3" armature="0.25" damping="0.5"/></actuator>'
    mj = compiled(chain(rest))
    model = read_mjcf(chain(rest))
    assert_equal_to_mujoco(model, mj)
    assert [float(j.armature[0]) for j in model.joints] == pytest.approx([0, 2.25, 2], rel=1e-12)
    assert model.joints[1].damping == 0.5 * 9


def test_armature_of_an_actuator_on_a_ball() -> None:
    body = f'<body name="A">{LINK}<joint name="a" type="ball" armature="0.1" pos="0.1 0 0"/></body>'
    text = mjcf(body, '<actuator><motor joint="a" gear="1 2 3" armature="0.7"/></actuator>')
    mj = compiled(text)
    model = quiet_mjcf(text)
    assert np.ptp(model.joints[0].armature) == 0
    assert_equal_to_mujoco(model, mj)


def test_springs_of_joints() -> None:
    text = mjcf(
        f"""<body name="A">{LINK}
        <joint name="a" axis="0 1 0" stiffness="3" springref="20" ref="10"/>
        <body name="B" pos="0 0 .4">{LINK}<joint name="b" type="ball" stiffness="5"/>
        <body name="C">{LINK}<joint name="c" type="slide" stiffness="40" springref=".2"/>
        </body></body></body>"""
    )
    mj = compiled(text)
    data, robot = mujoco.MjData(mj), jounce.Robot(quiet_mjcf(text))
    rng = np.random.default_rng(4)
    for _ in range(5):
        q, v, a = robot.random(rng), *rng.standard_normal((2, robot.nv))
        data.qpos, data.qvel = q, v
        mujoco.mj_forward(mj, data)
        data.qacc = a
        mujoco.mj_inverse(mj, data)
        assert_close(robot.spring_forces(q), -data.qfrc_spring, 1e-10)
        assert_close(robot.inverse_dynamics(q, v, a), data.qfrc_inverse, 1e-10)


LEFT_OUT = {
    "spring": ("", 'stiffness="3 1"', "the nonlinear part of springs of joints is left out: b"),
    "yield": (
        "",
        'stiffness="3" springyield="9"',
        "springs (springyield) is left out at joints: b",
    ),
    "fluid": ('<option density="1.2"/>', "", "surrounding fluid are left out: density"),
    "gravcomp": ("", "gravcomp", "gravity compensation (gravcomp) of bodies is left out: B"),
}


@pytest.mark.parametrize("case", LEFT_OUT)
def test_forces_that_are_left_out_are_named(case: str) -> None:
    top, change, message = LEFT_OUT[case]
    text = chain(top=top)
    if change == "gravcomp":
        text = text.replace('<body name="B"', '<body name="B" gravcomp="1"')
    elif change:
        text = text.replace('name="b"', f'name="b" {change}')
    assert any(message in found for found in said(text))
    assert said(chain()) == []


def test_coupling_armature_and_tendon_springs_are_named() -> None:
    text = chain(TENDONS.replace('name="t"', 'name="t" stiffness="1" damping="2"'))
    assert any("friction of tendons are left out: t" in found for found in said(text))
    text = chain(TENDONS.replace('name="t"', 'name="t" armature="1"'))
    assert any("couples joints or varies is left out at: a, b" in found for found in said(text))


def test_armature_of_a_free_joint_is_named() -> None:
    text = mjcf(f'<body name="A">{LINK}<joint type="free" name="f" armature="1"/></body>')
    assert any("armature of free joints is left out: f" in found for found in said(text))


# ------------------------------------------------------------------ other files

CUBE = "".join(
    f"v {x} {y} {z}\n" for x in (0, 0.2) for y in (0, 0.3) for z in (0, 0.4)
) + "".join(
    f"f {a} {b} {c}\n"
    for a, b, c in (
        (1, 2, 4), (1, 4, 3), (5, 7, 8), (5, 8, 6), (1, 5, 6), (1, 6, 2),
        (3, 4, 8), (3, 8, 7), (1, 3, 7), (1, 7, 5), (2, 6, 8), (2, 8, 4),
    )
)  # fmt: skip


def test_includes_are_found_from_both_files(tmp_path: Path) -> None:
    (tmp_path / "parts" / "more").mkdir(parents=True)
    main = '<mujoco><include file="parts/a.xml"/><worldbody><include file="parts/b.xml"/>'
    (tmp_path / "main.xml").write_text(main + "</worldbody></mujoco>")
    text = '<mujoco><option gravity="0 0 -1"/><include file="more/c.xml"/></mujoco>'
    (tmp_path / "parts" / "a.xml").write_text(text)
    text = f'<mujocoinclude><body name="B">{LINK}<joint/></body></mujocoinclude>'
    (tmp_path / "parts" / "b.xml").write_text(text)
    text = '<mujocoinclude><compiler angle="radian"/></mujocoinclude>'
    (tmp_path / "parts" / "more" / "c.xml").write_text(text)
    model = read(tmp_path / "main.xml")
    assert_equal_to_mujoco(model, compiled(tmp_path / "main.xml"))
    np.testing.assert_array_equal(model.gravity, (0, 0, -1))
    (tmp_path / "parts" / "b.xml").write_text("<mujocoinclude><body></mujocoinclude>")
    with pytest.raises(ModelError, match=r"b\.xml:1: malformed XML"):
        read(tmp_path / "main.xml")
    (tmp_path / "parts" / "b.xml").write_text(
        '<mujocoinclude><include file="a.xml"/></mujocoinclude>'
    )
    with pytest.raises(ModelError, match=r"b\.xml:1: .*include.*a\.xml' is already included"):
        read(tmp_path / "main.xml")
    (tmp_path / "parts" / "b.xml").unlink()
    with pytest.raises(ModelError, match=r"main\.xml:1: .*<include>.*cannot find 'parts/b.xml'"):
        read(tmp_path / "main.xml")


def test_attached_models(tmp_path: Path) -> None:
    part = f'<mujoco model="part"><worldbody><body name="P">{LINK}<joint name="p"/></body>'
    (tmp_path / "part.xml").write_text(part + "</worldbody></mujoco>")
    text = '<asset><model name="part" file="part.xml"/></asset>'
    body = (
        f'<body name="A">{LINK}<joint name="a"/><attach model="part" body="P" prefix="x_"/></body>'
    )
    path = tmp_path / "main.xml"
    path.write_text(mjcf(body, top=text))
    mj = compiled(path)
    model = read(path)
    assert [j.name for j in model.joints] == ["a", "x_p"]
    assert_equal_to_mujoco(model, mj)
    (tmp_path / "part.xml").write_text(path.read_text().replace("part.xml", "main.xml"))
    with pytest.raises(ModelError, match="attaches itself"):
        read(path)


def test_attached_files_have_meshes_and_lines(tmp_path: Path) -> None:
    (tmp_path / "part" / "meshes").mkdir(parents=True)
    (tmp_path / "part" / "meshes" / "cube.obj").write_text(CUBE)
    part = """<mujoco model="part"><compiler meshdir="meshes" strippath="true"/>
    <asset><mesh file="gone/cube.obj"/></asset><worldbody><body name="P">
    <joint axis="0 0 1"/><geom type="mesh" mesh="cube"/></body></worldbody></mujoco>"""
    (tmp_path / "part" / "part.xml").write_text(part)
    text = '<asset><model name="part" file="part/part.xml"/></asset>'
    path = tmp_path / "main.xml"
    path.write_text(mjcf('<attach model="part" body="P" prefix="x_"/>', top=text))
    (body,) = read(path).bodies
    assert body.inertia[0] == pytest.approx(24.0, rel=1e-6)
    assert body.meshes[0].file == str(tmp_path / "part" / "meshes" / "cube.obj")
    (tmp_path / "part" / "part.xml").write_text(part.replace("0 0 1", "0 0 0"))
    with pytest.raises(ModelError, match=r"part\.xml:3: .*body 'P': <joint>: .*axis too small"):
        read(path)


def test_colors_are_those_of_materials_with_their_defaults() -> None:
    top = """<default><default class="green"><material rgba="0 1 0 1"/></default></default>
    <asset><texture name="t" type="2d" file="gone.png"/><texture type="skybox" file=""/>
    <material name="textured" texture="t"/><material name="red" texture="t" rgba="1 0 0 1"/>
    <material name="green" class="green"/></asset>"""
    names = ("textured", "red", "green")
    geoms = "".join(f'<geom size="0.1" material="{name}"/>' for name in names)
    geoms += '<geom size="0.1" material="red" rgba="0 0 1 1"/><geom size="0.1"/>'
    (body,) = read_mjcf(mjcf(f"<body><joint/>{geoms}</body>", top=top)).bodies
    red, green, blue = (1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1)
    assert [solid.color for solid in body.solids] == [None, red, green, blue, None]


def mesh_file(
    tmp_path: Path, geom: str, asset: str = 'file="cube.obj"', inertial: str = ""
) -> Path:
    (tmp_path / "meshes").mkdir(exist_ok=True)
    (tmp_path / "meshes" / "cube.obj").write_text(CUBE)
    top = f'<compiler meshdir="meshes"/><asset><mesh name="m" {asset}/></asset>'
    body = f'<body name="A" pos="0 0 1">{inertial}<joint name="a"/>'
    body += f'<geom type="mesh" mesh="m" {geom}/></body>'
    path = tmp_path / "robot.xml"
    path.write_text(mjcf(body, top=top))
    return path


def test_inertia_from_a_mesh(tmp_path: Path) -> None:
    path = mesh_file(tmp_path, 'pos="0.1 0.2 0.3" quat="1 2 3 4"')
    model = read(path)
    assert_equal_to_mujoco(model, compiled(path))
    (mesh,) = model.bodies[0].meshes
    assert mesh.file == str(tmp_path / "meshes" / "cube.obj")
    assert (mesh.path, mesh.purpose) == (os.path.join("meshes", "cube.obj"), "collision")
    assert_close(mesh.placement[:3, 3], (0.1, 0.2, 0.3))


def test_mesh_placement_undoes_the_compilers_centring(tmp_path: Path) -> None:
    asset = 'file="cube.obj" scale="2 2 2" refpos="0.1 0 0" refquat="0 1 0 0"'
    path = mesh_file(tmp_path, 'pos="1 2 3" quat="1 2 3 4" contype="0" conaffinity="0"', asset)
    model, mj = read(path), compiled(path)
    (mesh,) = model.bodies[0].meshes
    assert (mesh.purpose, mesh.scale) == ("visual", (2, 2, 2))
    corners = np.array(
        [[float(x) for x in line.split()[1:]] for line in CUBE.splitlines() if line[0] == "v"]
    )
    ours = corners * mesh.scale @ mesh.placement[:3, :3].T + mesh.placement[:3, 3]
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, mj.geom_quat[0])
    theirs = mj.mesh_vert @ R.reshape(3, 3).T + mj.geom_pos[0]
    order = [np.lexsort(np.round(x, 4).T) for x in (ours, theirs)]
    # MuJoCo keeps vertices in single precision
    np.testing.assert_allclose(ours[order[0]], theirs[order[1]], atol=1e-5)


def test_meshes_of_packages(tmp_path: Path) -> None:
    path = mesh_file(tmp_path, "", 'file="package://meshes/./cube.obj"', LINK)
    path.write_text(path.read_text().replace(' meshdir="meshes"', ""))
    (mesh,) = read(path).bodies[0].meshes
    assert mesh.path == "package://meshes/./cube.obj"
    assert Path(mesh.file) == tmp_path / "meshes" / "cube.obj"


def test_a_missing_mesh_stops_nothing_that_does_not_need_it(tmp_path: Path) -> None:
    path = mesh_file(tmp_path, "", 'file="gone.stl"', LINK)
    model = read(path)
    assert_close(model.bodies[0].inertia[0], 1.0)
    assert model.bodies[0].meshes[0].file == ""
    path = mesh_file(tmp_path, 'mass="0"', 'file="gone.stl"')
    path.write_text(path.read_text().replace("<geom", '<geom size="0.1"/><geom'))
    ball = compiled(mjcf('<body><joint/><geom size="0.1"/></body>'))
    assert_close(read(path).bodies[0].inertia[0], ball.body_mass[1])


def test_a_missing_mesh_that_an_inertia_needs_is_named(tmp_path: Path) -> None:
    path = mesh_file(tmp_path, "", 'file="gone.stl"')
    message = r"robot\.xml:1: .*mesh 'm'.*body 'A'.*'.*gone\.stl'.*<inertial>.*package_dirs"
    with pytest.raises(ModelError, match=message):
        read(path)
    other = tmp_path / "elsewhere" / "meshes"
    other.mkdir(parents=True)
    (other / "gone.stl").write_text("no mesh")
    with pytest.raises(ModelError, match="MuJoCo cannot compile it"):
        read(path, package_dirs=tmp_path / "elsewhere")


def test_textures_height_fields_and_the_like_are_not_needed() -> None:
    top = """<asset><texture name="t" type="2d" file="gone.png"/><material name="x" texture="t"/>
    <hfield name="h" file="gone.png" size="1 1 1 1"/><texture type="skybox" builtin="flat"
    width="1000000" height="1000000"/></asset><size nuserdata="2000000000" memory="9999G"/>
    <visual><headlight ambient="1 1 1"/></visual><statistic extent="1"/>"""
    text = chain('<sensor><user dim="2000000000"/></sensor><keyframe><key qpos="1"/></keyframe>')
    text = text.replace("<worldbody>", f'{top}<worldbody><geom type="hfield" hfield="h"/><light/>')
    text = text.replace("<site", '<geom size="0.1" material="x"/><camera/><site', 1)
    assert_equal_to_mujoco(read_mjcf(text), compiled(chain()))


def test_warnings_of_the_compiler_leave_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = mujoco.get_mju_user_warning()
    found = said(chain().replace("<compiler", '<compiler settotalmass="3"'))
    assert list(tmp_path.iterdir()) == []
    assert mujoco.get_mju_user_warning() is before
    assert "MuJoCo warns: compiler attribute 'settotalmass'" in found[0]


def test_muscles_do_not_start_a_simulation() -> None:
    text = chain('<actuator><muscle joint="a"/></actuator>')
    assert read_mjcf(text).nv == 3


def test_a_compiled_model_is_read_too() -> None:
    mj = compiled(chain())
    model = model_from_mujoco(mj)
    assert model.name == "m"
    assert_equal_to_mujoco(model, mj)


def test_the_map_names_what_does_not_match() -> None:
    mj = compiled(chain())
    with pytest.raises(ModelError, match=r"no joint called x"):
        MujocoMap(read_mjcf(chain().replace('name="a"', 'name="x"')), mj)
    with pytest.raises(
        ModelError, match=r"no joint 'c', but MuJoCo's model has; its joints are a, b"
    ):
        MujocoMap(read_mjcf(chain(joints=("a", "b"))), mj)
    with pytest.raises(ModelError, match="'a' is prismatic in jounce, but revolute in MuJoCo"):
        MujocoMap(read_mjcf(chain().replace('name="a"', 'name="a" type="slide"')), mj)
    with pytest.raises(ValueError, match=r"q: expected shape \(\.\.\., 3\), found \(2,\)"):
        MujocoMap(read_mjcf(chain()), mj).q_to_mujoco(np.zeros(2))


def test_the_map_takes_batches() -> None:
    text = mjcf(FLOATER)
    model, mj = read_mjcf(text), compiled(text)
    maps, rng = MujocoMap(model, mj), np.random.default_rng(0)
    q = np.stack([random_state(model, rng)[0] for _ in range(6)]).reshape(2, 3, -1)
    v, a = rng.normal(size=(2, 2, 3, model.nv))
    qpos, qvel = maps.q_to_mujoco(q), maps.v_to_mujoco(q, v)
    assert_close(maps.v_from_mujoco(qpos, qvel), v)
    assert_close(maps.a_from_mujoco(qpos, qvel, maps.a_to_mujoco(q, v, a)), a)
    assert maps.G(q).shape == (2, 3, mj.nv, model.nv)
    assert_close(maps.tau_from_mujoco(qpos, qvel)[1, 2], maps.G(q[1, 2]).T @ qvel[1, 2])
    eye = np.broadcast_to(np.eye(mj.nv), (2, 3, mj.nv, mj.nv))
    assert_close(maps.matrix_from_mujoco(qpos, eye)[0, 1], np.eye(model.nv))
    M = rng.normal(size=(2, 3, model.nv, model.nv))
    assert_close(maps.tau_from_mujoco(qpos, maps.tau_to_mujoco(q, a)), a)
    assert_close(maps.matrix_from_mujoco(qpos, maps.matrix_to_mujoco(q, M)), M)
