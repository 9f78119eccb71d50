"""SDF reading: poses against products of exponentials, then the format's rules one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jounce.errors import ModelError, ModelWarning
from jounce.formulas import dynamics
from jounce.io import from_screws, placement, read, read_sdf
from jounce.model.links import move_inertia
from jounce.model.model import Model
from jounce.model.tree import lower
from support.helpers import assert_close, objects
from support.robots import random_axis, random_inertia, random_pose
from support.sdf_files import A, B, C, arm, at_rest, axis, joint, link, pose, poses, sdf, six, text

INERTIA = (
    "<inertial><pose>{pose}</pose><mass>{m}</mass><inertia><ixx>{0}</ixx><iyy>{1}</iyy>"
    "<izz>{2}</izz><ixy>{3}</ixy><ixz>{4}</ixz><iyz>{5}</iyz></inertia></inertial>"
)


# ------------------------------------------------------------------ against screws


def random_sdf(rng: np.random.Generator, n: int) -> tuple[str, Model, dict[str, np.ndarray]]:
    """A random tree as SDF, as screws in the model's frame, and the poses of its frames.

    Every pose is written relative to whatever comes to mind.
    """
    T = {f"link{i}": random_pose(rng) for i in range(n + 1)}
    T |= {f"frame{i}": random_pose(rng) for i in range(n)}
    J = {f"joint{i}": random_pose(rng) for i in range(1, n + 1)}
    known = {"__model__": np.eye(4), **T, **J}
    order = list(rng.permutation(list(known)[1:]))  # each relative to one before it: no circles
    parents = [-1] + [int(rng.integers(0, i)) for i in range(1, n + 1)]

    def placed(name: str, default: str) -> str:
        before = order[: order.index(name)]
        named = str(rng.choice(["__model__", *before]))
        if rng.random() < 0.4 and (default in before or default == "__model__"):
            return pose(np.linalg.inv(known[default]) @ known[name])
        return pose(np.linalg.inv(known[named]) @ known[name], named)

    parts, X, masses = [], [], []
    for i in range(n + 1):
        pi = random_inertia(rng)
        m, c = pi[0], pi[1:4] / pi[0]
        about = pi[4:] - m * _steiner(c)
        parts.append(
            link(
                f"link{i}",
                placed(f"link{i}", "__model__"),
                INERTIA.format(
                    *map(repr, about.tolist()), m=repr(float(m)), pose=text((*c, 0, 0, 0))
                ),
            )
        )
        masses.append(move_inertia(pi, T[f"link{i}"]))
    for i in range(n):
        attached = f"link{rng.integers(0, n + 1)}"
        where = placed(f"frame{i}", attached)
        parts.append(f'<frame name="frame{i}" attached_to="{attached}">{where}</frame>')
    kinds = []
    for i in range(1, n + 1):
        kind = str(rng.choice(["revolute", "continuous", "prismatic", "screw"]))
        e = random_axis(rng)
        named = str(rng.choice(["", "__model__", *T]))
        base = known[named] if named else known[f"joint{i}"]
        inside = placed(f"joint{i}", f"link{i}")
        inside += axis(base[:3, :3].T @ e, attributes=f'expressed_in="{named}"' if named else "")
        if kind == "screw":
            inside += "<screw_thread_pitch>0.3</screw_thread_pitch>"
        parts.append(joint(f"joint{i}", kind, f"link{parents[i]}", f"link{i}", inside))
        p = known[f"joint{i}"][:3, 3]
        pitch = 0.3 / (2 * np.pi) if kind == "screw" else 0.0
        slides = kind == "prismatic"
        X.append((0, 0, 0, *e) if slides else (*e, *(np.cross(p, e) + pitch * e)))
        kinds.append(kind)
    screws = from_screws(
        X,
        [np.eye(4)] * n,
        parameters=masses[1:],
        parents=[parent - 1 for parent in parents[1:]],
        gravity=(1.0, -2.0, 3.0),
    )
    rng.shuffle(parts)
    return sdf(*parts), screws, T


def _steiner(c: np.ndarray) -> np.ndarray:
    I = c @ c * np.eye(3) - np.outer(c, c)
    return np.array((I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]))


@pytest.mark.parametrize("seed", range(20))
def test_random_tree_equals_screws(seed: int) -> None:
    rng = np.random.default_rng(seed)
    source, screws, T = random_sdf(rng, 5)
    model = read_sdf(source, gravity=(1.0, -2.0, 3.0))
    names = [j.name for j in model.joints]
    order = [names.index(j.name) for j in screws.joints]
    state = rng.normal(size=(3, model.nv))
    tau = dynamics.inverse_dynamics(lower(model), *(objects(x) for x in state))
    expected = dynamics.inverse_dynamics(lower(screws), *(objects(x[order]) for x in state))
    assert_close(tau[order], expected, 1e-11)  # random inertias minus Steiner, as text and back
    there, home = poses(screws, state[0][order]), poses(model, at_rest(model))
    now = poses(model, state[0])
    for name in T:
        assert_close(home[name], T[name], what=f"{name} at rest", floor=1.0)
        if name.startswith("link"):
            moved_by = there.get(name, np.eye(4))
            assert_close(now[name], moved_by @ T[name], what=name, floor=1.0)


# ------------------------------------------------------------------ where things are


def test_default_frames() -> None:
    """A link's pose is in the model, a joint's in its child, a frame's in what carries it."""
    model = read_sdf(
        sdf(
            pose(A),
            link("base", pose(B)),
            link("arm", pose(C)),
            joint("j", "revolute", "base", "arm", pose(B) + axis("0 1 0")),
            f'<frame name="f" attached_to="arm">{pose(A)}</frame>',
            f'<frame name="g">{pose(B)}</frame><frame name="h" attached_to="g"/>',
            f'<frame name="k" attached_to="j">{pose(C, "base")}</frame>',
        )
    )
    home = poses(model, [0.0])
    expected = {"base": A @ B, "arm": A @ C, "f": A @ C @ A, "g": A @ B, "h": A @ B, "k": A @ B @ C}
    for name, T in expected.items():
        assert_close(home[name], T, what=name)
    # the joint turns the arm about y of its own frame, where that frame is
    turned, hinge = poses(model, [0.7]), A @ C @ B
    E = placement((0, 0, 0), (0, 0.7, 0))
    assert_close(turned["arm"], hinge @ E @ np.linalg.inv(hinge) @ A @ C)
    assert_close(turned["k"], hinge @ E @ np.linalg.inv(hinge) @ A @ B @ C)
    assert_close(turned["g"], A @ B)  # the model's frame is fixed to the first link


def test_joint_ends_may_be_frames() -> None:
    frames = f'<frame name="a" attached_to="base">{pose(B)}</frame>'
    frames += f'<frame name="b" attached_to="arm">{pose(C)}</frame>'
    model = read_sdf(
        sdf(
            link("base"),
            link("arm", pose(A)),
            frames,
            joint("j", "revolute", "a", "b", axis("0 0 1")),
        )
    )
    E, hinge = placement((0, 0, 0), (0, 0, 0.7)), A @ C  # a joint's pose is in the frame it names
    assert_close(poses(model, [0.7])["arm"], hinge @ E @ np.linalg.inv(hinge) @ A)


@pytest.mark.parametrize(
    ("version", "inside", "base"),
    [
        ("1.9", axis("1 2 3"), A @ C),
        ("1.9", axis("1 2 3", attributes='expressed_in="__model__"'), np.eye(4)),
        ("1.9", axis("1 2 3", attributes='expressed_in="base"'), B),
        ("1.9", axis("1 2 3", attributes='expressed_in="f"'), C),
        ("1.4", axis("1 2 3"), np.eye(4)),
        ("1.5", axis("1 2 3"), A @ C),
        ("1.6", axis("1 2 3", "<use_parent_model_frame>true</use_parent_model_frame>"), np.eye(4)),
        ("1.6", axis("1 2 3", "<use_parent_model_frame>false</use_parent_model_frame>"), A @ C),
    ],
)
def test_axes_are_expressed_in(version: str, inside: str, base: np.ndarray) -> None:
    parts = [
        link("base", pose(B)),
        link("arm", pose(A)),
        f'<frame name="f">{pose(C)}</frame>',
        joint("j", "revolute", "base", "arm", pose(C) + inside),
    ]
    model = read_sdf(sdf(*parts, version=version))
    found = poses(model, [0.0])["arm"][:3, :3] @ model.joints[0].axis
    assert_close(found, base[:3, :3] @ (1, 2, 3) / np.sqrt(14.0))


def test_nested_models() -> None:
    hand = f'<model name="hand">{pose(B, "arm")}' + link("palm", pose(C)) + link("finger")
    hand += joint("bend", "revolute", "palm", "finger", axis("1 0 0"))
    hand += f'<frame name="tip" attached_to="finger">{pose(A)}</frame></model>'
    text_ = sdf(
        link("base"),
        link("arm", pose(A)),
        joint("turn", "revolute", "base", "arm", axis("0 0 1")),
        hand,
        joint("mount", "fixed", "arm", "hand::palm"),
        f'<frame name="f" attached_to="hand::tip">{pose(B, "hand::__model__")}</frame>',
    )
    model = read_sdf(text_)
    assert [j.name for j in model.joints] == ["turn", "hand::bend"]
    home = poses(model, [0.0, 0.0])
    for name, T in {"palm": A @ B @ C, "finger": A @ B, "tip": A @ B @ A}.items():
        assert_close(home[f"hand::{name}"], T, what=name)
    assert_close(home["f"], A @ B @ B)
    placed = text_.replace('<model name="hand">', '<model name="hand" placement_frame="tip">')
    home = poses(read_sdf(placed), [0.0, 0.0])
    assert_close(home["hand::tip"], A @ B)
    assert_close(home["hand::finger"], A @ B @ np.linalg.inv(A))
    mimic = text_.replace("</model>", joint("x", "revolute", "base", "hand::palm") + "</model>", 1)
    with pytest.raises(ModelError, match=r"joint 'x'.*there is no frame 'hand::palm'; .* palm"):
        read_sdf(mimic)  # inside the hand, the palm is called palm


def test_model_placement_frame_and_world() -> None:
    world = f"""<sdf version="1.9"><world name="w"><gravity>0 0 -1.62</gravity>
    <frame name="table">{pose(A)}</frame><light name="sun"/>
    <model name="ground"><static>true</static><link name="plane"/></model>
    <model name="m" placement_frame="l">{pose(B, "table")}{link("l", pose(C))}{link("k")}
    {joint("j", "revolute", "l", "k")}</model></world></sdf>"""
    model = read_sdf(world)
    home = poses(model, [0.0])
    assert_close(home["l"], A @ B)
    assert_close(home["k"], A @ B @ np.linalg.inv(C))
    np.testing.assert_array_equal(model.gravity, (0, 0, -1.62))
    np.testing.assert_array_equal(read_sdf(world, gravity=(1, 2, 3)).gravity, (1, 2, 3))


def test_pose_formats() -> None:
    degrees = '<pose degrees="true">1 2 3 90 0 45</pose>'
    T = placement((1, 2, 3), (np.pi / 2, 0, np.pi / 4))
    s = np.sqrt(0.5)
    quaternion = f'<pose rotation_format="quat_xyzw">1 2 3 0 0 {s} {s}</pose>'
    for inside, expected in (
        (degrees, T),
        (quaternion, placement((1, 2, 3), (0, 0, np.pi / 2))),
        ("<pose/>", np.eye(4)),
    ):
        model = read_sdf(sdf(link("l"), link("k", inside), joint("j", "ball", "l", "k")))
        assert_close(poses(model, [1.0, 0, 0, 0])["k"], expected)


# ------------------------------------------------------------------ base


def test_base_floats_on_request() -> None:
    assert read_sdf(arm()).nv == 1
    model = read_sdf(arm(), base="floating")
    assert [(j.name, j.kind) for j in model.joints] == [("base", "free"), ("j", "revolute")]
    q = np.concatenate(([1.0, 0, 0, 0, 1, 2, 3], [0.0]))
    assert_close(poses(model, q)["base"], placement((1, 2, 3)))
    assert_close(poses(model, q)["arm"], placement((1, 2, 3)) @ np.linalg.inv(A) @ B)
    renamed = arm().replace('name="j"', 'name="base"')
    assert (
        read_sdf(
            renamed.replace('link name="base"', 'link name="b"').replace(">base<", ">b<"),
            base="floating",
        )
        .joints[0]
        .name
        == "base_joint"
    )


def test_joints_to_the_world() -> None:
    model = read_sdf(arm(joint("w", "prismatic", "world", "base", axis("0 0 1"))))
    assert [j.name for j in model.joints] == ["w", "j"]
    assert_close(poses(model, [0.5, 0.0])["base"][:3, 3], A[:3, 3] + 0.5 * A[:3, 2])
    with pytest.raises(ModelError, match="joint 'w': holds the model to the world"):
        read_sdf(arm(joint("w", "fixed", "world", "base")), base="floating")
    two = sdf(
        link("a"), link("b"), joint("i", "revolute", "world", "a"), joint("k", "ball", "world", "b")
    )
    assert [j.parent for j in read_sdf(two).joints] == [-1, -1]


def test_static_models_do_not_move() -> None:
    model = read_sdf(arm("<static>true</static>"), base="floating")
    assert model.nv == 0
    assert_close(poses(model, [])["arm"], B)


# ------------------------------------------------------------------ links


def test_inertia_defaults_are_the_formats() -> None:
    model = read_sdf(sdf(link("a"), link("b"), joint("j", "revolute", "a", "b")))
    np.testing.assert_array_equal(model.bodies[0].inertia, (1, 0, 0, 0, 1, 1, 1, 0, 0, 0))
    half = "<inertial><mass>2</mass><inertia><ixx>3</ixx></inertia></inertial>"
    model = read_sdf(sdf(link("a"), link("b", inside=half), joint("j", "revolute", "a", "b")))
    np.testing.assert_array_equal(model.bodies[0].inertia, (2, 0, 0, 0, 3, 1, 1, 0, 0, 0))


def test_inertial_pose_turns_and_shifts() -> None:
    inside = INERTIA.format(0.3, 0.2, 0.25, 0.01, 0.02, 0.03, m=2, pose=six(A))
    model = read_sdf(sdf(link("a"), link("b", pose(B), inside), joint("j", "ball", "a", "b")))
    about = (2, 0, 0, 0, 0.3, 0.2, 0.25, 0.01, 0.02, 0.03)
    assert_close(model.bodies[0].inertia, move_inertia(np.array(about), A))


def test_shapes_are_recorded(tmp_path: Path) -> None:
    folder = tmp_path / "arm_model"
    (folder / "meshes").mkdir(parents=True)
    (folder / "meshes" / "arm.stl").write_text("solid")
    shape = "<geometry><mesh><uri>{}</uri><scale>1 2 3</scale></mesh></geometry>"
    inside = (
        f'<visual name="v">{pose(C)}{shape.format("model://arm_model/meshes/arm.stl")}</visual>'
    )
    inside += f'<collision name="c">{pose(C, "a")}{shape.format("gone.stl")}</collision>'
    inside += '<collision name="s"><geometry><box><size>1 2 3</size></box></geometry></collision>'
    inside += '<visual name="x"><geometry><sphere/></geometry></visual>'
    path = folder / "model.sdf"
    path.write_text(
        sdf(link("a", pose(A)), link("b", pose(B), inside), joint("j", "ball", "a", "b"))
    )
    body = read(path).bodies[0]
    first, second = body.meshes
    assert first.file == str(folder / "meshes" / "arm.stl")
    assert (first.purpose, first.scale, second.file) == ("visual", (1, 2, 3), "")
    assert_close(first.placement, C)
    assert_close(second.placement, np.linalg.inv(B) @ A @ C)
    assert [(s.shape, s.size) for s in body.solids] == [("box", (1, 2, 3))]


def test_what_is_left_out_is_named() -> None:
    mass = "<inertial><fluid_added_mass><xx>1</xx></fluid_added_mass></inertial>"
    cases = {
        "<gravity>0</gravity>": "<gravity> is false",
        mass: "<fluid_added_mass> is left out",
        "<velocity_decay><linear>1</linear></velocity_decay>": "<velocity_decay> is left out",
    }
    for inside, message in cases.items():
        with pytest.warns(ModelWarning, match=rf"link 'b': .*{message}"):
            read_sdf(sdf(link("a"), link("b", inside=inside), joint("j", "ball", "a", "b")))


def test_springs() -> None:
    numbers = "<spring_stiffness>2</spring_stiffness><spring_reference>0.3</spring_reference>"
    spring = axis("0 0 1", f"<dynamics>{numbers}</dynamics>")
    model = read_sdf(sdf(link("a"), link("b"), joint("j", "revolute", "a", "b", spring)))
    assert model.joints[-1].stiffness == 2.0
    assert model.joints[-1].spring_reference == 0.3


# ------------------------------------------------------------------ joints


def one(kind: str, inside: str = "", **options: Any) -> Any:
    text_ = sdf(link("a"), link("b"), joint("j", kind, "a", "b", inside), **options)
    return read_sdf(text_).joints[0]


def test_limits_and_dynamics() -> None:
    limit = (
        "<limit><lower>-1</lower><upper>2</upper><effort>3</effort><velocity>4</velocity></limit>"
    )
    drag = "<dynamics><damping>5</damping><friction>6</friction></dynamics>"
    j = one("revolute", axis("0 0 1", limit + drag))
    assert (j.lower, j.upper, j.effort_limit, j.velocity_limit) == (-1, 2, 3, 4)
    assert (j.damping, j.friction) == (5, 6)
    none = "<limit><lower>-1e16</lower><upper>inf</upper>"
    none += "<effort>-1</effort><velocity>-1</velocity></limit>"
    j = one("revolute", axis("0 0 1", none))
    assert (j.lower, j.upper, j.effort_limit, j.velocity_limit) == (-np.inf, np.inf, np.inf, np.inf)
    assert one("continuous", axis("0 0 1", limit)).upper == np.inf
    both = axis("1 0 0", limit) + axis("0 1 0", drag, "axis2")
    for kind in ("universal", "revolute2"):
        j = one(kind, both)
        assert j.kind == "universal"
        np.testing.assert_array_equal(j.upper, (2, np.inf))
        np.testing.assert_array_equal(j.damping, (0, 5))
        np.testing.assert_array_equal(j.axis2, (0, 1, 0))
    np.testing.assert_array_equal(one("revolute").axis, (0, 0, 1))  # the format's default


def test_screws_in_both_units() -> None:
    assert one("screw", "<screw_thread_pitch>0.5</screw_thread_pitch>").pitch == 0.5 / (2 * np.pi)
    assert one("screw", "<thread_pitch>-4</thread_pitch>").pitch == 0.25
    assert one("screw").pitch == 1 / (2 * np.pi)


def test_ball_and_universal_turn_about_the_joint() -> None:
    for kind, inside, q in (
        ("ball", "", np.array((0.5, 0.5, 0.5, 0.5))),
        ("universal", axis("1 0 0") + axis("0 1 0", tag="axis2"), np.array((0.3, 0.4))),
    ):
        text_ = sdf(link("a"), link("b", pose(A)), joint("j", kind, "a", "b", pose(B) + inside))
        model = read_sdf(text_)
        moved_, hinge = poses(model, q)["b"], A @ B
        seen = np.linalg.inv(A) @ hinge  # the joint in the link
        assert_close((moved_ @ seen)[:3, 3], hinge[:3, 3])
        if kind == "universal":
            R = placement(rpy=(0.3, 0, 0))[:3, :3] @ placement(rpy=(0, 0.4, 0))[:3, :3]
            assert_close((moved_ @ seen)[:3, :3], hinge[:3, :3] @ R)


def test_mimic() -> None:
    rule = '<mimic joint="j"><multiplier>2</multiplier><offset>3</offset>'
    rule += "<reference>0.5</reference></mimic>"
    follower = joint("k", "prismatic", "arm", "c", axis("0 0 1", rule))
    model = read_sdf(arm(link("c"), follower))
    found = model.joints[1].mimic
    assert found is not None
    assert (found.leader, found.multiplier, found.offset) == ("j", 2, 2)
    assert model.nv == 1
    with pytest.raises(ModelError, match="<mimic>: attribute 'joint': 'arm' is not a joint"):
        read_sdf(arm(link("c"), follower.replace('mimic joint="j"', 'mimic joint="arm"')))
