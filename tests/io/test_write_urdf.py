"""Written URDF files read back to the same robot: every kind of joint, every example robot."""

from __future__ import annotations

import os
import stat
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jounce
from jounce.errors import ModelError, ModelWarning
from jounce.formulas import dynamics, kinematics
from jounce.formulas.mechanism.loops import loop_jacobian, loop_residual
from jounce.io import TreeBuilder, placement, read_urdf
from jounce.io.builder import rotation_from_rpy
from jounce.io.urdf.extension import reorder_joints
from jounce.io.urdf.write import rpy_from_rotation, urdf_text, write_urdf
from jounce.math.scalar import array
from jounce.model.model import Body, Joint, Mesh, Mimic, Model, Solid
from jounce.model.tree import lower
from jounce.robot import edit
from support.helpers import (
    assert_close,
    chain,
    quiet_read,
    with_frames,
    with_friction,
    with_two_roots,
)
from support.robots import random_inertia, random_model, random_pose, random_rotation, random_state
from support.urdf_files import TREE, good_files

seeds = st.integers(0, 2**32 - 1)

#: All kinds but spherical, for which the format has nothing.
KINDS = ("revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "free")


def text_of(model: Model) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return urdf_text(model)


def read_back(model: Model) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return read_urdf(text_of(model))


def numbers(*values: np.ndarray) -> list[np.ndarray]:
    return [array(np.asarray(x).tolist()) for x in values]


def assert_same_dynamics(again: Model, model: Model, seed: int = 0, poses: bool = True) -> None:
    """Same coordinates, mass matrix, torques and frames."""
    assert (again.nq, again.nv) == (model.nq, model.nv)
    state = numbers(*random_state(model, np.random.default_rng(seed)))
    ours, theirs = lower(model), lower(again)
    expected = dynamics.inverse_dynamics(ours, *state).astype(float)
    assert_close(dynamics.inverse_dynamics(theirs, *state).astype(float), expected, what="tau")
    M = dynamics.mass_matrix(ours, state[0]).astype(float)
    assert_close(dynamics.mass_matrix(theirs, state[0]).astype(float), M, what="M")
    if poses:
        for i, frame in enumerate(model.frames):
            k = again.frame_index(frame.name)
            T = kinematics.frame_pose(ours, state[0], i)
            assert_close(kinematics.frame_pose(theirs, state[0], k), T, what=frame.name)


# ------------------------------------------------------------------ dynamics


@settings(deadline=None, max_examples=40)
@given(seed=seeds, mimic=st.booleans(), floating=st.booleans())
def test_random_trees_read_back(seed, mimic, floating):
    rng = np.random.default_rng(seed)
    model = with_frames(random_model(rng, 8, KINDS, mimic=mimic, floating=floating), rng)
    assert_same_dynamics(read_back(model), model, seed)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_reads_back(kind):
    model = chain(("revolute", kind, "prismatic", kind))
    assert_same_dynamics(read_back(model), model)


def test_two_trees_on_the_ground_read_back():
    rng = np.random.default_rng(1)
    model = with_two_roots(with_frames(random_model(rng, 6, KINDS, branching=False), rng))
    assert_same_dynamics(read_back(model), model)


def test_helical_leaders_and_followers():
    """A nut on a screw: turns that slide, leading and led."""
    rng = np.random.default_rng(2)
    model = chain(("helical", "revolute", "helical"))
    joints = list(model.joints)
    joints[1] = replace(joints[1], mimic=Mimic("joint0", -2.0, 0.1))
    joints[2] = replace(joints[2], mimic=Mimic("joint1", 0.5, 0.2))
    model = replace(model, joints=tuple(joints))
    again = read_back(model)
    assert_same_dynamics(again, model)
    assert again.nv == 1
    q = rng.normal(size=1)
    assert_close(
        kinematics.frame_pose(lower(again), array(q), again.frame_index("body2")),
        kinematics.frame_pose(lower(model), array(q), model.frame_index("body2")),
    )


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("path", good_files(), ids=lambda path: path.stem)
def test_example_robots_read_back(path, base, tmp_path):
    model = quiet_read(path, base)
    if model.nv == 0:
        assert quiet_read(write_urdf(model, tmp_path / "robot.urdf"), "fixed").nv == 0
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error", ModelWarning)  # nothing of these files is lost
        written = write_urdf(model, tmp_path / "robot.urdf")
    again = quiet_read(written, "fixed")
    rng = np.random.default_rng(0)
    assert [j.name for j in again.joints] == [j.name for j in model.joints]
    assert [b.name for b in again.bodies] == [b.name for b in model.bodies]
    for new, old in zip(again.joints, model.joints, strict=True):
        assert_same_facts(new, old)
        assert_close(new.placement, old.placement, 1e-14)
    for new, old in zip(again.bodies, model.bodies, strict=True):
        assert_close(new.inertia, old.inertia, 1e-13)
        assert len(new.meshes) == len(old.meshes)
        assert len(new.solids) == len(old.solids)
    names = {frame.name for frame in model.frames}
    assert names <= {frame.name for frame in again.frames}
    for frame in model.frames:
        other = again.frames[again.frame_index(frame.name)]
        assert other.body == frame.body
        assert_close(other.placement, frame.placement, 1e-14, what=frame.name)
    if model.nb < 45:  # the rest are as above, and slow in plain Python
        assert_same_dynamics(again, model, int(rng.integers(1000)), poses=False)


def assert_same_facts(new: Joint, old: Joint) -> None:
    assert (new.kind, new.parent) == (old.kind, old.parent)
    for name in ("lower", "upper", "velocity_limit", "effort_limit"):
        np.testing.assert_array_equal(getattr(new, name), getattr(old, name), err_msg=name)
    for name in ("damping", "friction", "armature", "axis"):
        np.testing.assert_array_equal(getattr(new, name), getattr(old, name), err_msg=name)
    if old.mimic is None:
        assert new.mimic is None
    else:
        facts = [(j.mimic.leader, j.mimic.multiplier, j.mimic.offset) for j in (new, old)]
        assert facts[0] == facts[1]


def test_pinocchio_reads_what_is_written(tmp_path):
    pin = pytest.importorskip("pinocchio")
    for path in good_files()[:12]:
        model = quiet_read(path, "fixed")
        if model.nv == 0:
            continue
        written = write_urdf(model, tmp_path / "a.urdf", overwrite=True)
        one, two = (pin.buildModelFromUrdf(str(p)) for p in (path, written))
        assert [str(n) for n in two.names] == [str(n) for n in one.names]
        rng = np.random.default_rng(0)
        q = pin.integrate(one, pin.neutral(one), rng.normal(size=one.nv))
        v = rng.normal(size=one.nv)
        expected = pin.rnea(one, one.createData(), q, v, v)
        assert_close(pin.rnea(two, two.createData(), q, v, v), expected, what=path.stem)


# ------------------------------------------------------------------ facts


def test_facts_read_back():
    model = read_urdf(TREE)
    again = read_back(model)
    for new, old in zip(again.joints, model.joints, strict=True):
        assert_same_facts(new, old)
    assert again.name == "r"
    assert [f.name for f in again.frames] == [f.name for f in model.frames]


def test_drives_of_every_kind_read_back():
    rng = np.random.default_rng(3)
    model = with_friction(random_model(rng, 6, ("cylindrical", "universal", "helical")), rng)
    joints = [
        replace(
            j,
            lower=-rng.uniform(1, 2, j.nv),
            upper=rng.uniform(1, 2, j.nv),
            velocity_limit=rng.uniform(1, 2, j.nv),
            effort_limit=rng.uniform(1, 2, j.nv),
        )
        for j in model.joints
    ]
    model = replace(model, joints=tuple(joints))
    again = read_back(model)
    for name in ("lower", "upper", "velocity_limit", "effort_limit", "damping", "friction"):
        ours = np.concatenate([getattr(j, name) for j in model.joints])
        theirs = np.concatenate([getattr(j, name) for j in again.joints if j.mimic is None])
        np.testing.assert_array_equal(theirs, ours, err_msg=name)


LIMITS = (-np.inf, np.inf), (-1.0, np.inf), (-np.inf, 2.5), (-1.0, 2.5)


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("caps", [(np.inf, np.inf), (5.0, np.inf), (np.inf, 3.0), (5.0, 3.0)])
def test_limits_read_back(kind, limits, caps):
    facts = dict(zip(("lower", "upper"), limits, strict=True))
    facts |= dict(zip(("effort_limit", "velocity_limit"), caps, strict=True))
    model = TreeBuilder("r").add("link", kind, mass=1.0, **facts).build()
    assert_same_facts(read_back(model).joints[0], model.joints[0])


def test_fixed_links_keep_their_inertia_and_shapes():
    arm = TreeBuilder("arm")
    box = Solid("box", "collision", (0.1, 0.2, 0.3), placement((0, 0, 0.5)))
    ball = Solid("sphere", "visual", (0.1,))
    tube = Solid("cylinder", "visual", (0.1, 0.4), random_pose(np.random.default_rng(0)))
    pill = Solid("capsule", "collision", (0.1, 0.4))
    mesh = Mesh("package://arm/hand.dae", "visual", (0.001, 0.001, 0.001), placement((0, 0, 1)))
    inertia = np.diag((0.1, 0.2, 0.25))
    arm.add("upper", "revolute", mass=2.0, com=(0, 0, 0.5), inertia_com=inertia, solids=(box, ball))
    pose = random_pose(np.random.default_rng(1))
    arm.add(
        "hand",
        "fixed",
        "upper",
        placement=pose,
        mass=1.0,
        com=(0.1, 0, 0),
        inertia_com=inertia,
        meshes=(mesh,),
        solids=(tube, pill),
    )
    arm.add("bare", "fixed", "hand", xyz=(0, 0, 0.1))
    model = arm.build()
    text = text_of(model)
    again = read_urdf(text)
    (old,), (new,) = model.bodies, again.bodies
    assert_close(new.inertia, old.inertia)
    assert [link.name for link in new.links] == ["upper", "hand", "bare"]
    for one, two in zip(new.links, old.links, strict=True):
        assert_close(one.inertia, two.inertia)
    assert [(s.shape, s.purpose, s.size, s.link) for s in new.solids] == [
        (s.shape, s.purpose, s.size, s.link) for s in old.solids
    ]
    for one, two in zip((*new.solids, *new.meshes), (*old.solids, *old.meshes), strict=True):
        assert_close(one.placement, two.placement, 1e-14)
    (one,) = new.meshes
    assert (one.path, one.purpose, one.scale, one.link) == (
        "package://arm/hand.dae",
        "visual",
        (0.001, 0.001, 0.001),
        "hand",
    )
    # links that no longer add up to the body: its own inertia decides
    other = model.with_parameters(2.0 * model.parameters)
    assert_close(read_urdf(text_of(other)).bodies[0].inertia, 2.0 * old.inertia)


def test_edited_robots_read_back():
    rng = np.random.default_rng(4)
    model = with_frames(random_model(rng, 6, KINDS, branching=False), rng)
    q = random_state(model, rng)[0]
    name = model.joints[2].name
    view = jounce.Robot(model).joints[name].q
    locked = edit.lock(model, {name: q[view]})
    assert_same_dynamics(read_back(locked), locked)
    whole = edit.attach(locked, edit.subtree(model, "body3"), "tool", random_pose(rng), prefix="t/")
    assert_same_dynamics(read_back(whole), whole)


def test_massless_bodies_with_inertia_read_back():
    pi = np.array((0.0, 0, 0, 0, 0.1, 0.2, 0.25, 0.01, 0.02, 0.03))
    model = Model("rotor", (Body("rotor", pi),), (Joint("j", "revolute", axis=(1, 2, 3)),))
    np.testing.assert_array_equal(read_back(model).bodies[0].inertia, pi)


def test_frames_apart_from_their_links():
    """A frame that is called like a body but lies elsewhere keeps its name and its place."""
    rng = np.random.default_rng(5)
    model = random_model(rng, 3, ("revolute",))
    frames = tuple(replace(f, placement=random_pose(rng)) for f in model.frames)
    model = replace(model, frames=frames)
    assert_same_dynamics(read_back(model), model)


# ------------------------------------------------------------------ orientations


@settings(deadline=None, max_examples=200)
@given(seed=seeds, near=st.sampled_from((0.0, 1e-3, 1e-6, 1e-8, 1e-10, 1e-13, 1e-16)))
def test_roll_pitch_yaw_near_the_poles(seed, near):
    rng = np.random.default_rng(seed)
    pitch = rng.choice((-0.5, 0.5)) * np.pi + near * rng.normal()
    R = rotation_from_rpy((rng.uniform(-4, 4), pitch, rng.uniform(-4, 4)))
    assert_close(rotation_from_rpy(rpy_from_rotation(R)), R, 5e-15)
    R = random_rotation(rng)
    assert_close(rotation_from_rpy(rpy_from_rotation(R)), R, 5e-15)


def test_right_angles_stay_neat():
    for axis in range(3):
        for turn in (np.pi / 2, -np.pi / 2, np.pi):
            rpy = np.zeros(3)
            rpy[axis] = turn
            R = np.round(rotation_from_rpy(rpy))
            assert_close(rotation_from_rpy(rpy_from_rotation(R)), R, 1e-15)
            assert np.count_nonzero(np.abs(rpy_from_rotation(R)) > 1e-9) <= 2


# ------------------------------------------------------------------ what is lost, refused, written


def warned(model: Model) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always", ModelWarning)
        urdf_text(model)
    return [str(w.message) for w in found]


def test_losses_are_named():
    flying = TreeBuilder("r").add("a", "free", mass=1.0, lower=-1.0, damping=np.arange(6.0)).build()
    texts = warned(flying)
    assert any("the limits of the free joint 'a_joint'" in text for text in texts)
    assert any("one damping per joint; of [0.0, 1.0" in text for text in texts)


def test_what_cannot_be_written_is_refused(tmp_path):
    ball = TreeBuilder("r").add("a", "spherical", mass=1.0).build()
    with pytest.raises(ModelError, match="joint 'a_joint': URDF has no spherical joint"):
        write_urdf(ball, tmp_path / "ball.urdf")
    for name in ("a\0", "a\x0b", "${a}", "$(a)", "\ud800"):
        bad = TreeBuilder("r").add(name, "revolute", joint_name="j").build()
        with pytest.raises(ModelError, match="a URDF cannot hold this name"):
            write_urdf(bad, tmp_path / "bad.urdf")
    with np.errstate(all="ignore"):
        thin = Model("r", (Body("a", (5e-324, 1.0, *np.zeros(8))),), (Joint("j", "revolute"),))
    with pytest.raises(ModelError, match=r"link 'a': its center of mass or .* overflows"):
        write_urdf(thin, tmp_path / "thin.urdf")
    assert list(tmp_path.iterdir()) == []


def test_any_name_reads_back():
    names = ['"quoted" & <b>', "two\nlines\tand tabs", "größe 漢字 🤖", "'", "a b", "world"]
    builder = TreeBuilder(names[0])
    parent = None
    for name in names:
        builder.add(name, "revolute", parent, joint_name=name + " joint", mass=1.0)
        parent = name
    builder.frame(names[-1] + "_fixed", names[2]).frame("world_2", names[0])
    model = builder.build()
    again = read_back(model)
    assert [j.name for j in again.joints] == [j.name for j in model.joints]
    assert [b.name for b in again.bodies] == names
    assert again.name == names[0]
    assert_same_dynamics(again, model)


def test_taken_names_are_not_taken_again():
    builder = TreeBuilder("r").add("a", "cylindrical", point=(1, 0, 0), mass=1.0)
    for i, name in enumerate(("a_axis", "a_axis_2", "a_joint_turn")):
        builder.add(
            name, "revolute", "a", joint_name=("a_joint_slide", "a_fixed", "x")[i], mass=1.0
        )
    model = builder.build()
    assert_same_dynamics(read_back(model), model)


def test_files_appear_whole(tmp_path, monkeypatch):
    robot = jounce.load("planar_2r", gravity=(0, 0, -9.81))
    path = robot.export.urdf(tmp_path / "arm.urdf")
    assert path == tmp_path / "arm.urdf"
    before = path.read_bytes()
    assert before.startswith(b'<?xml version="1.0" encoding="utf-8"?>\n<robot name="planar_2r">\n')
    if os.name == "posix":
        mask = os.umask(0)
        os.umask(mask)
        assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match=r"cannot write '.*arm.urdf': No space left"):
        robot.export.urdf(path, overwrite=True)
    with pytest.raises(FileExistsError, match=r"cannot write '.*arm.urdf': the file exists"):
        robot.export.urdf(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["arm.urdf"]
    monkeypatch.undo()
    with pytest.raises(OSError, match=r"cannot write '.*none.*arm.urdf'"):
        robot.export.urdf(tmp_path / "none" / "arm.urdf")
    with pytest.raises(OSError, match="cannot write"):
        robot.export.urdf(tmp_path)


# URDF has no ball joints, which the Stewart platform has
@pytest.mark.parametrize("name", [name for name in jounce.gallery() if name != "stewart"])
def test_the_gallery_reads_back(name, tmp_path):
    """The arms' own gravity and the order of toro25's joints, which is not depth first, too."""
    model = jounce.load(name).model
    path = jounce.load(name).export.urdf(tmp_path / "robot.urdf")
    again = jounce.load(path).model
    assert [joint.name for joint in again.joints] == [joint.name for joint in model.joints]
    np.testing.assert_array_equal(again.gravity, model.gravity)
    assert_same_dynamics(again, model)


def test_any_order_reads_back():
    rng = np.random.default_rng(7)
    model = with_frames(random_model(rng, 7, KINDS), rng)
    kinds = ("revolute", "helical", "universal")
    model = edit.attach(model, random_model(rng, 3, kinds), "body1", prefix="t_")
    order = sorted(range(model.nb), key=lambda i: (_depth(model, i), -i))
    model = reorder_joints(model, order)
    again = read_back(model)
    assert [b.name for b in again.bodies if not b.name.endswith("_axis")] != []
    assert_same_dynamics(again, model)
    np.testing.assert_array_equal(again.gravity, model.gravity)


def _depth(model: Model, i: int) -> int:
    return 0 if i < 0 else 1 + _depth(model, model.joints[i].parent)


def test_loops_read_back():
    rng = np.random.default_rng(8)
    model = random_model(rng, 4, ("revolute", "universal"), branching=False)
    model = model.with_loop(
        ("body3", random_pose(rng)), ("world", random_pose(rng)), "point", "one"
    )
    free = (True, False, True, True, False, True)
    model = model.with_loop(("body1", random_pose(rng)), "body3", free, "two")
    again = read_back(model)
    assert [loop.name for loop in again.loops] == ["one", "two"]
    assert [loop.locked for loop in again.loops] == [loop.locked for loop in model.loops]
    assert again.loops[0].kind == "point"
    q = numbers(random_state(model, rng)[0])[0]
    assert_close(loop_residual(lower(again), q), loop_residual(lower(model), q))
    assert_close(loop_jacobian(lower(again), q), loop_jacobian(lower(model), q))


BAD_EXTENSIONS = {
    "gravity": ('<gravity xyz="1 2"/>', r"<gravity>: attribute 'xyz': expected 3 finite"),
    "order": (
        '<order joint="no"/>',
        r"<order>: 'no' is listed twice or is not a joint; choose .*jz",
    ),
    "twice": ('<order joint="jz"/><order joint="jz"/>', "'jz' is listed twice"),
    "child first": ('<order joint="js"/><order joint="jz"/>', "lists joint 'js' before 'jz'"),
    "loop link": ('<loop name="l" kind="weld"><a link="z"/><b link="y"/></loop>', "frame_b: .*'y'"),
    "loop kind": ('<loop name="l" kind="w"><a link="z"/><b link="a"/></loop>', "unknown kind 'w'"),
    "loop ends": ('<loop name="l" kind="weld"><a link="z"/></loop>', "expected an element <b>"),
    "loop name": ('<loop kind="weld"><a link="z"/><b link="a"/></loop>', "attribute 'name'"),
    "one body": ('<loop name="l" kind="weld"><a link="z"/><b link="tip"/></loop>', "both of its"),
    "locked": (
        '<loop name="l" locked="1 0"><a link="z"/><b link="a"/></loop>',
        "expected 6 finite",
    ),
}


@pytest.mark.parametrize("case", BAD_EXTENSIONS)
def test_bad_extensions_are_refused(case):
    inside, message = BAD_EXTENSIONS[case]
    text = TREE.replace("</robot>", f"<jounce>{inside}</jounce></robot>")
    with pytest.raises(ModelError, match=rf"<string>:\d+: <jounce>.*{message}"):
        read_urdf(text)


def test_the_files_gravity_gives_way_to_the_users():
    text = TREE.replace("</robot>", '<jounce><gravity xyz="1 2 3"/></jounce></robot>')
    np.testing.assert_array_equal(read_urdf(text).gravity, (1, 2, 3))
    np.testing.assert_array_equal(read_urdf(text, gravity=(0, 0, -9.81)).gravity, (0, 0, -9.81))


def test_meshes_are_found_from_where_the_file_is(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    (old / "meshes").mkdir(parents=True)
    new.mkdir()
    (old / "meshes" / "arm.stl").write_text("solid")
    meshes = (Mesh("meshes/arm.stl", "visual"), Mesh("meshes/lost.stl", "visual"))
    bare = TreeBuilder("r").add("a", "revolute", mass=1.0, meshes=meshes).build()
    model = read_urdf(write_urdf(bare, old / "r.urdf"))

    def paths(folder: Path) -> list[str]:
        written = write_urdf(model, folder / "r.urdf", overwrite=True)
        return [m.path for m in read_urdf(written).bodies[0].meshes]

    assert paths(old) == ["meshes/arm.stl", "meshes/lost.stl"]
    assert paths(new) == [(old / "meshes" / "arm.stl").as_posix(), "meshes/lost.stl"]


def test_random_inertias_survive():
    rng = np.random.default_rng(6)
    for _ in range(50):
        pi = random_inertia(rng) * 10.0 ** rng.uniform(-6, 3)
        model = Model("r", (Body("a", pi),), (Joint("j", "revolute"),))
        again = read_back(model).bodies[0].inertia
        for part in (slice(0, 1), slice(1, 4), slice(4, 10)):
            assert_close(again[part], pi[part], 1e-14, floor=0.0)
