"""URDF reading: structure on small files, then every example robot against Pinocchio."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from jounce.errors import ModelError
from jounce.export.pinocchio import (
    PinocchioMap,
    parameters_from_pinocchio,
    parameters_to_pinocchio,
    swap_order,
    to_pinocchio,
)
from jounce.io import placement, read, read_urdf
from jounce.model.model import Model
from support.helpers import quiet_read
from support.urdf_files import BROKEN, TREE, example_files, good_files, joint, link, robot


def test_order_is_depth_first_in_file_order() -> None:
    model = read_urdf(TREE)
    assert [j.name for j in model.joints] == ["jz", "js", "ja", "jp"]
    assert [j.parent for j in model.joints] == [-1, 0, -1, 2]
    assert [b.name for b in model.bodies] == ["z", "slider", "a", "plane"]
    frames = ["base_link", "z", "tip", "slider", "a", "plane"]
    assert [f.name for f in model.frames] == frames
    assert [f.body for f in model.frames] == [-1, 0, 0, 1, 2, 3]
    assert (model.nq, model.nv, model.name) == (5, 5, "r")


def test_fixed_link_is_merged_and_kept_as_a_frame() -> None:
    model = read_urdf(TREE)
    T = placement((1, 2, 3), (0.1, 0.2, 0.3))
    np.testing.assert_array_equal(model.frames[model.frame_index("tip")].placement, T)
    np.testing.assert_allclose(model.joints[1].placement, T @ placement((0, 0, 1)), atol=1e-16)
    assert model.bodies[0].inertia[0] == 2.0
    c = np.array((0.1, 0.2, 0.3))
    np.testing.assert_allclose(
        model.bodies[0].inertia[1:4], c + T[:3, :3] @ c + T[:3, 3], atol=1e-15
    )


def test_joint_facts() -> None:
    jz, js, ja, jp = read_urdf(TREE).joints
    np.testing.assert_array_equal(jz.axis, (0, 0.6, 0.8))
    assert jz.lower == -np.inf
    assert (jz.effort_limit, jz.velocity_limit) == (5, 6)
    np.testing.assert_array_equal(ja.axis, (1, 0, 0))  # the format's default
    assert (ja.lower, ja.upper, ja.effort_limit, ja.velocity_limit) == (-1, 2, 3, 4)
    assert (ja.damping, ja.friction, ja.armature) == (0.5, 0.25, 0.125)
    assert js.mimic is not None
    assert (js.mimic.leader, js.mimic.multiplier, js.mimic.offset) == ("ja", -2, 0.5)
    assert jp.kind == "planar"


def test_floating_base_moves_the_root_link() -> None:
    model = read_urdf(TREE, base="floating", gravity=(0, 0, -1.62))
    assert model.joints[0].name == "base"
    assert model.joints[0].kind == "free"
    assert model.bodies[0].name == "base_link"
    assert model.bodies[0].inertia[0] == 1.0
    assert [j.parent for j in model.joints] == [-1, 0, 1, 0, 3]
    assert model.nv == 11
    np.testing.assert_array_equal(model.gravity, (0, 0, -1.62))


def test_floating_base_when_the_name_is_taken() -> None:
    text = robot(link("l"), link("m"), joint("base", "continuous", "l", "m"))
    assert [j.name for j in read_urdf(text, base="floating").joints] == ["base_joint", "base"]


def test_single_link_has_no_bodies_unless_floating() -> None:
    text = robot(link("only"))
    assert read_urdf(text).nb == 0
    assert read_urdf(text, base="floating").nb == 1


def test_massless_links_and_bare_link() -> None:
    text = robot('<link name="l"/>', '<link name="m"/>', joint("j", "floating", "l", "m"))
    assert not read_urdf(text).parameters.any()


def test_meshes_are_recorded_in_the_body_frame() -> None:
    shape = '<geometry><mesh filename="package://{}" scale="1 2 3"/></geometry>'
    tip = '<link name="tip"><visual><origin xyz="0 0 1"/>' + shape.format("tip.stl") + "</visual>"
    tip += "<collision><geometry><box size='1 1 1'/></geometry></collision></link>"
    text = robot(
        '<link name="l"/>',
        '<link name="m"><collision>' + shape.format("$(find x)/m.stl") + "</collision></link>",
        tip,
        joint("j", "continuous", "l", "m"),
        joint("k", "fixed", "m", "tip", '<origin xyz="0 1 0"/>'),
    )
    first, second = read_urdf(text).bodies[0].meshes
    assert (first.path, first.purpose) == ("package://$(find x)/m.stl", "collision")
    assert (second.path, second.purpose) == ("package://tip.stl", "visual")
    assert second.scale == (1, 2, 3)
    np.testing.assert_array_equal(second.placement, placement((0, 1, 1)))


def test_quaternion_origin() -> None:
    inside = '<origin xyz="1 0 0" quat_xyzw="0 0 0.7071067811865476 0.7071067811865476"/>'
    text = robot(link("l"), link("m"), joint("j", "continuous", "l", "m", inside))
    expected = placement((1, 0, 0), (0, 0, np.pi / 2))
    np.testing.assert_allclose(read_urdf(text).joints[0].placement, expected, atol=1e-15)


def test_long_chain_does_not_recurse() -> None:
    n = 3000
    parts = [f'<link name="l{i}"/>' for i in range(n)]
    parts += [joint(f"j{i}", "continuous", f"l{i}", f"l{i + 1}") for i in range(n - 1)]
    assert read_urdf(robot(*parts)).nv == n - 1


def test_path_text_namespaces_and_suffixes(tmp_path: Path) -> None:
    text = TREE.replace('name="r"', 'name="r" xmlns:xacro="http://ros.org/wiki/xacro"')
    text = text.replace("<transmission", '<sensor:camera name="c"/><transmission')
    for name in ("r.urdf", "r.xml", "r.URDF"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert read(path).source == str(path)
        assert read(str(path), base="floating").nv == 11
    path.write_bytes(text.replace("jz", "jö").encode("utf-16"))
    assert read_urdf(path).joints[0].name == "jö"
    assert read_urdf("\ufeff" + text).source == "<string>"


# ------------------------------------------------------------------ every example robot


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("path", good_files(), ids=lambda path: path.stem)
def test_example_robot_equals_pinocchio(path: Path, base: str) -> None:
    pin = pytest.importorskip("pinocchio")
    model = quiet_read(path, base)
    root = () if base == "fixed" else (pin.JointModelFreeFlyer(),)
    theirs = pin.buildModelFromUrdf(str(path), *root)
    maps = PinocchioMap(model, theirs)
    for b, i in enumerate(maps.joint_ids):
        pi = parameters_from_pinocchio(theirs.inertias[i].toDynamicParameters())
        scale = max(1.0, np.abs(pi).max())
        np.testing.assert_allclose(model.bodies[b].inertia, pi, rtol=0, atol=1e-14 * scale)
        T = theirs.jointPlacements[i].homogeneous
        np.testing.assert_allclose(model.joints[b].placement, T, rtol=0, atol=1e-14)
    total = sum(theirs.inertias[i].mass for i in maps.joint_ids)
    assert model.parameters[:, 0].sum() == pytest.approx(total, rel=1e-14)

    rng = np.random.default_rng(0)
    q, v = _random_q(model, rng), rng.normal(size=model.nv)
    q_pin, v_pin = maps.q_to_pinocchio(q), maps.v_to_pinocchio(v)
    np.testing.assert_allclose(np.sin(maps.q_from_pinocchio(q_pin)), np.sin(q), atol=1e-14)
    np.testing.assert_array_equal(maps.v_from_pinocchio(v_pin), v)
    data = theirs.createData()
    pin.framesForwardKinematics(theirs, data, q_pin)
    again, tau = _through_our_model(model, q, v)
    for frame in model.frames:
        i = theirs.getFrameId(frame.name, pin.FrameType.BODY)
        np.testing.assert_allclose(again[frame.name], data.oMf[i].homogeneous, atol=1e-13)
    expected = maps.tau_from_pinocchio(pin.rnea(theirs, data, q_pin, v_pin, v_pin))
    np.testing.assert_allclose(
        tau, expected, atol=1e-12 * max(1.0, np.abs(expected).max(initial=0))
    )


def _random_q(model: Model, rng: np.random.Generator) -> np.ndarray:
    parts = [rng.normal(size=joint.nq) for joint in model.joints if joint.mimic is None]
    for part, joint_ in zip(parts, [j for j in model.joints if j.mimic is None], strict=True):
        if joint_.kind in ("free", "spherical"):
            part[:4] /= np.linalg.norm(part[:4])
    return np.concatenate([*parts, np.zeros(0)])


def _through_our_model(
    model: Model, q: np.ndarray, v: np.ndarray
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Frame poses and inverse dynamics of our model, computed by Pinocchio."""
    pin = pytest.importorskip("pinocchio")
    ours = to_pinocchio(model)
    maps = PinocchioMap(model, ours)
    data = ours.createData()
    q, v = maps.q_to_pinocchio(q), maps.v_to_pinocchio(v)
    pin.framesForwardKinematics(ours, data, q)
    poses = {f.name: data.oMf[ours.getFrameId(f.name)].homogeneous for f in model.frames}
    ours.armature[:] = 0.0  # Pinocchio's URDF reader knows none
    return poses, maps.tau_from_pinocchio(pin.rnea(ours, data, q, v, v))


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_broken_example_is_refused(name: str) -> None:
    for path in example_files():
        if path.name == name:
            with pytest.raises(ModelError, match=name):
                read(path)


# ------------------------------------------------------------------ orders


def test_six_vector_and_parameter_orders() -> None:
    x = np.arange(12.0).reshape(2, 6)
    np.testing.assert_array_equal(swap_order(x)[0], (3, 4, 5, 0, 1, 2))
    np.testing.assert_array_equal(swap_order(swap_order(x)), x)
    names = np.array((0, 1, 2, 3, 11, 22, 33, 12, 13, 23))
    theirs = parameters_to_pinocchio(names)
    np.testing.assert_array_equal(theirs, (0, 1, 2, 3, 11, 12, 22, 13, 23, 33))
    np.testing.assert_array_equal(parameters_from_pinocchio(theirs), names)


@pytest.mark.parametrize("mimic", [False, True])
def test_map_of_every_urdf_joint_type(mimic: bool) -> None:
    pin = pytest.importorskip("pinocchio")
    model = read_urdf(TREE, base="floating")
    theirs = pin.buildModelFromXML(TREE, pin.JointModelFreeFlyer(), mimic)
    maps = PinocchioMap(model, theirs)
    rng = np.random.default_rng(1)
    q = np.stack([_random_q(model, rng) for _ in range(3)])
    v = rng.normal(size=(3, model.nv))
    back = maps.q_from_pinocchio(maps.q_to_pinocchio(q))
    np.testing.assert_allclose(np.cos(back), np.cos(q), atol=1e-15)
    assert maps.G.shape == (theirs.nv, model.nv)
    if not mimic:
        i = theirs.getJointId("js")
        assert maps.q_to_pinocchio(q)[0, theirs.joints[i].idx_q] == 0.5 - 2 * q[0, 8]
    for k in range(3):
        _, tau = _through_our_model(model, q[k], v[k])
        q_pin, v_pin = maps.q_to_pinocchio(q[k]), maps.v_to_pinocchio(v[k])
        expected = maps.tau_from_pinocchio(
            pin.rnea(theirs, theirs.createData(), q_pin, v_pin, v_pin)
        )
        np.testing.assert_allclose(tau, expected, atol=1e-12 * np.abs(expected).max())


def test_map_names_what_does_not_match() -> None:
    pin = pytest.importorskip("pinocchio")
    theirs = pin.buildModelFromXML(TREE)
    with pytest.raises(ModelError, match=r"no joint 'jy'.*ja, jp, jz"):
        PinocchioMap(read_urdf(TREE.replace("jz", "jy")), theirs)
    short = robot(link("base_link"), link("z"), joint("jz", "continuous", "base_link", "z"))
    with pytest.raises(ModelError, match="ja, jp"):
        PinocchioMap(read_urdf(short), theirs)
    slide = TREE.replace('"ja" type="revolute"', '"ja" type="floating"').replace("<mimic", "<m")
    with pytest.raises(
        ModelError, match="joint 'ja' is free in jounce, but JointModelRX in Pinocchio"
    ):
        PinocchioMap(read_urdf(slide.replace("armature", "x").replace("<limit", "<l")), theirs)
    with pytest.raises(ValueError, match=r"q: expected shape \(\.\.\., 5\)"):
        PinocchioMap(read_urdf(TREE), theirs).q_to_pinocchio(np.zeros(4))
