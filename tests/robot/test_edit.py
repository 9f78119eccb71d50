"""Locked joints, subtrees, mounted tools: identities, and Pinocchio's reduced models."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jounce
from jounce.errors import ModelError, ModelWarning
from jounce.export.pinocchio import PinocchioMap
from jounce.formulas import dynamics, kinematics, momenta
from jounce.io import TreeBuilder, placement, read_urdf
from jounce.io.urdf.write import urdf_text
from jounce.math.scalar import array
from jounce.model import inertia
from jounce.model.model import Body, Joint, Loop, Mesh, Mimic, Model, Solid
from jounce.model.tree import lower
from jounce.robot import Robot, edit
from support.helpers import assert_close, quiet_read, with_frames
from support.robots import ALL_KINDS, random_inertia, random_model, random_pose, random_state
from support.urdf_files import example_files

seeds = st.integers(0, 2**32 - 1)


def numbers(x: np.ndarray) -> np.ndarray:
    return array(np.asarray(x).tolist())


def mass_matrix(model: Model, q: np.ndarray) -> np.ndarray:
    return dynamics.mass_matrix(lower(model), numbers(q)).astype(float)


def torque(model: Model, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
    tree = lower(model)
    return dynamics.inverse_dynamics(tree, *map(numbers, (q, v, a))).astype(float)


def poses(model: Model, q: np.ndarray) -> dict[str, np.ndarray]:
    tree = lower(model)
    return {
        frame.name: kinematics.frame_pose(tree, numbers(q), i).astype(float)
        for i, frame in enumerate(model.frames)
    }


def slices(model: Model) -> dict[str, tuple[slice, slice]]:
    views = Robot(model).joints
    return {name: (view.q, view.v) for name, view in views.items()}


def dict_of(model: Model, q: np.ndarray, names: list[str]) -> dict[str, np.ndarray]:
    where = slices(model)
    return {name: q[where[name][0]] for name in names}


def kept(model: Model, locked: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the entries of q and v of joints that still move."""
    qs, vs = np.ones(model.nq, dtype=bool), np.ones(model.nv, dtype=bool)
    for name in locked:
        q, v = slices(model)[name]
        qs[q], vs[v] = False, False
    return qs, vs


def leaders(model: Model) -> list[str]:
    return [joint.name for joint in model.joints if joint.mimic is None]


# ------------------------------------------------------------------ lock


@settings(deadline=None, max_examples=25)
@given(seed=seeds, floating=st.booleans())
def test_locked_dynamics_are_rows_and_columns(seed, floating):
    """With the locked joints at rest, what is left moves as before."""
    rng = np.random.default_rng(seed)
    model = with_frames(random_model(rng, 7, mimic=True, floating=floating), rng)
    names = leaders(model)
    locked = [str(n) for n in rng.choice(names, rng.integers(1, len(names)), replace=False)]
    q, v, a = random_state(model, rng)
    qs, vs = kept(model, locked)
    v, a = v * vs, a * vs
    reduced = edit.lock(model, dict_of(model, q, locked))
    assert reduced.nv == vs.sum()
    assert_close(mass_matrix(reduced, q[qs]), mass_matrix(model, q)[np.ix_(vs, vs)])
    assert_close(torque(reduced, q[qs], v[vs], a[vs]), torque(model, q, v, a)[vs])
    before, after = poses(model, q), poses(reduced, q[qs])
    assert set(after) == set(before)
    for name, T in before.items():
        assert_close(after[name], T, what=name)


def test_locked_energies_differ_by_what_the_world_holds():
    rng = np.random.default_rng(0)
    model = random_model(rng, 6, branching=False)
    q, v, _ = random_state(model, rng)
    name = model.joints[3].name
    reduced = edit.lock(model, dict_of(model, q, [name]))
    qs, vs = kept(model, [name])
    tree, small = lower(model), lower(reduced)
    before = momenta.kinetic_energy(tree, numbers(q), numbers(v * vs))
    assert_close(momenta.kinetic_energy(small, numbers(q[qs]), numbers(v[vs])), before)
    height = momenta.potential_energy(tree, numbers(q))
    assert_close(momenta.potential_energy(small, numbers(q[qs])), height)
    assert_close(sum(b.inertia[0] for b in reduced.bodies), sum(b.inertia[0] for b in model.bodies))


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_every_kind_can_be_locked(kind):
    rng = np.random.default_rng(1)
    model = random_model(rng, 3, (kind, "revolute", "prismatic"), branching=False)
    name = next(joint.name for joint in model.joints if joint.kind == kind)
    q, v, a = random_state(model, rng)
    qs, vs = kept(model, [name])
    given = dict_of(model, q, [name])
    if kind in ("spherical", "free"):
        given[name][:4] *= 3.0  # normalized
    reduced = edit.lock(model, given)
    assert_close(
        torque(reduced, q[qs], v[vs], a[vs]), torque(model, q, v * vs, a * vs)[vs], what=kind
    )


def gripper() -> Model:
    arm = TreeBuilder("gripper")
    arm.add("arm", "revolute", axis=(0, 0, 1), mass=1.0, com=(0.1, 0, 0), xyz=(0, 0, 1))
    arm.add(
        "left", "prismatic", "arm", axis=(0, 1, 0), mass=0.1, lower=0.0, upper=0.04, xyz=(1, 0, 0)
    )
    arm.add(
        "right",
        "prismatic",
        "arm",
        axis=(0, -1, 0),
        mass=0.1,
        mimic=("left_joint", 2.0, 0.01),
        lower=0.0,
        upper=0.1,
        xyz=(1, 0, 0),
    )
    return arm.frame("tip", "right", placement((0, 0.01, 0))).build()


def test_followers_are_locked_with_their_leader():
    model = gripper()
    reduced = edit.lock(model, {"left_joint": 0.03})
    assert [joint.name for joint in reduced.joints] == ["arm_joint"]
    assert [body.name for body in reduced.bodies] == ["arm"]
    tip = next(f for f in reduced.frames if f.name == "tip")
    np.testing.assert_allclose(tip.placement[:3, 3], (1, 0.01 - 0.07, 0), atol=1e-15)
    assert [link.name for link in reduced.bodies[0].links] == ["arm", "left", "right"]
    total = sum(link.inertia for link in reduced.bodies[0].links)
    assert_close(total, reduced.bodies[0].inertia)
    with pytest.raises(ModelError, match=r"'right_joint' follows 'left_joint'.*lock that one"):
        edit.lock(model, {"right_joint": 0.0})


def test_leader_may_stay_while_a_joint_between_is_locked():
    model = gripper()
    reduced = edit.lock(model, {"arm_joint": 0.5})
    assert reduced.nv == 1
    assert [joint.parent for joint in reduced.joints] == [-1, -1]
    assert reduced.joints[1].mimic.leader == "left_joint"
    q = np.array((0.5, 0.02))
    before, after = poses(model, q), poses(reduced, q[1:])
    for name, T in before.items():
        assert_close(after[name], T)


def test_locking_beyond_limits_warns_but_obeys():
    with pytest.warns(ModelWarning, match=r"'left_joint': locked at \[0.05\], beyond its limits"):
        edit.lock(gripper(), {"left_joint": 0.05})
    with warnings.catch_warnings():
        warnings.simplefilter("error", ModelWarning)
        edit.lock(gripper(), {"left_joint": 0.04})


BAD_LOCKS = {
    "name": ({"elbow": 0.0}, "no joint 'elbow'; choose one of arm_joint, left_joint, right_joint"),
    "size": ({"arm_joint": (0.0, 1.0)}, r"'arm_joint': coordinates: expected shape \(1,\)"),
    "nan": ({"arm_joint": np.nan}, "'arm_joint': coordinates: expected finite"),
    "text": ({"arm_joint": "zero"}, "'arm_joint': coordinates: expected numbers"),
    "all": ({"arm_joint": 0.0, "left_joint": 0.0}, "leaves no joint that moves"),
    "list": (["arm_joint"], "coordinates by joint name.*found a list"),
}


@pytest.mark.parametrize("case", BAD_LOCKS)
def test_bad_locks_are_named(case):
    values, message = BAD_LOCKS[case]
    with pytest.raises(ModelError, match=message):
        edit.lock(gripper(), values)


def test_zero_quaternion_is_refused():
    model = Model(
        "ball", (Body("b", random_inertia(np.random.default_rng(0))),), (Joint("j", "free"),)
    )
    with pytest.raises(ModelError, match="'j': its quaternion is zero"):
        edit.lock(edit.attach(model, gripper(), "b"), {"j": np.zeros(7)})


def five_bar() -> Model:
    """Two cranks and two rods that meet, a loop in the plane."""
    arm = TreeBuilder("five_bar")
    rod = {
        "axis": (0, 0, 1),
        "mass": 1.0,
        "com": (0.5, 0, 0),
        "inertia_com": np.diag((0.01, 0.1, 0.1)),
    }
    arm.add("left", "revolute", xyz=(-0.5, 0, 0), **rod)
    arm.add("left_rod", "revolute", "left", xyz=(1, 0, 0), **rod)
    arm.add("right", "revolute", xyz=(0.5, 0, 0), **rod)
    arm.add("right_rod", "revolute", "right", xyz=(1, 0, 0), **rod)
    ends = [(name, placement((1.0, 0, 0))) for name in ("left_rod", "right_rod")]
    return arm.build().with_loop(*ends, "point", "meet")


def test_loops_go_with_their_bodies():
    model = five_bar()
    reduced = edit.lock(model, {"left_joint": 1.0})
    (loop,) = reduced.loops
    assert (loop.body_a, loop.body_b) == (0, 2)
    reduced = edit.lock(model, {"left_joint": 1.0, "left_rod_joint": 0.3})
    (loop,) = reduced.loops
    assert (loop.body_a, loop.body_b) == (-1, 1)
    expected = poses(model, np.array((1.0, 0.3, 0.0, 0.0)))["left_rod"] @ placement((1.0, 0, 0))
    assert_close(loop.placement_a, expected)


def test_a_loop_within_one_body_must_be_closed():
    model = edit.attach(five_bar(), gripper(), "left", prefix="g_")
    elbow = np.cos(2.0) - 0.5  # x of the left one
    names = [joint.name for joint in five_bar().joints]
    # close it by hand: the left crank at 2 rad, the right one at pi - 2, rods meet on the y axis
    rod = np.arccos(-elbow)
    q = dict(zip(names, (2.0, rod - 2.0, np.pi - 2.0, (np.pi - rod) - (np.pi - 2.0)), strict=True))
    reduced = edit.lock(model, q)
    assert reduced.loops == ()
    assert reduced.nv == 2
    q["right_rod_joint"] += 1e-3
    with pytest.raises(ModelError, match="loop 'meet' is open at these coordinates"):
        edit.lock(model, q)


@pytest.mark.parametrize(
    ("kind", "turn", "closed"),
    [
        ("weld", (0, 0, 0), True),
        ("weld", (np.pi, 0, 0), False),
        ("weld", (0.1, 0, 0), False),
        ("revolute", (0, 0, 2.0), True),
        ("revolute", (np.pi, 0, 0), False),
        ("spherical", (1.0, 2.0, 3.0), True),
        ((False, False, True, True, True, True), (1.0, 0.0, 0.0), True),
        ((False, False, True, True, True, True), (0.0, 0.0, 1.0), False),
    ],
)
def test_what_is_closed(kind, turn, closed):
    """A loop from a link to the world, which the locked joint makes one."""
    builder = TreeBuilder("r").add("a", "revolute", mass=1.0).add("b", "revolute", mass=1.0)
    model = builder.build()
    loop = Loop("l", 0, -1, placement_b=placement((0, 0, 0), turn), kind=kind)
    model = replace(model, loops=(loop,))
    if closed:
        assert edit.lock(model, {"a_joint": 0.0}).loops == ()
    else:
        with pytest.raises(ModelError, match="loop 'l' is open"):
            edit.lock(model, {"a_joint": 0.0})


# ------------------------------------------------------------------ subtree


@settings(deadline=None, max_examples=25)
@given(seed=seeds)
def test_subtree_moves_as_the_rest_stands_still(seed):
    """With all other joints at rest it has the same rows of the dynamics, under turned gravity."""
    rng = np.random.default_rng(seed)
    model = with_frames(random_model(rng, 8), rng)
    carriers = sorted({j.parent for j in model.joints} - {-1})
    if not carriers:
        return
    body = int(rng.choice(carriers))
    base = f"seat{body}"
    model = edit.with_frame(model, base, model.bodies[body].name, random_pose(rng))
    q, v, a = random_state(model, rng)
    inside = [j.name for i, j in enumerate(model.joints) if _descends(model, i, body)]
    outside = [joint.name for joint in model.joints if joint.name not in inside]
    qs, vs = kept(model, outside)
    part = edit.subtree(model, base)
    assert [joint.name for joint in part.joints] == inside
    here = poses(model, q)
    T = here[base]
    part = replace(part, gravity=T[:3, :3].T @ model.gravity)
    assert_close(
        torque(part, q[qs], v[vs], a[vs]), torque(model, q, v * vs, a * vs)[vs], what=str(body)
    )
    for name, X in poses(part, q[qs]).items():
        assert_close(T @ X, here[name], what=name)


def _descends(model: Model, i: int, body: int) -> bool:
    i = model.joints[i].parent
    while i >= 0:
        if i == body:
            return True
        i = model.joints[i].parent
    return False


@settings(deadline=None, max_examples=20)
@given(seed=seeds)
def test_what_is_cut_can_be_attached_again(seed):
    rng = np.random.default_rng(seed)
    model = with_frames(random_model(rng, 7, branching=False, mimic=False), rng)
    cut = int(rng.integers(1, model.nb))
    link = f"link{cut}"
    model = edit.with_frame(model, link, model.bodies[cut - 1].name, random_pose(rng))
    head = Model(
        model.name,
        model.bodies[:cut],
        model.joints[:cut],
        tuple(f for f in model.frames if f.body < cut),
        model.gravity,
    )
    tail = edit.subtree(model, link)
    tail = replace(tail, frames=tuple(f for f in tail.frames if f.body >= 0))
    whole = edit.attach(head, tail, link, weld=False)
    q, v, a = random_state(model, rng)
    assert_close(torque(whole, q, v, a), torque(model, q, v, a))
    assert_close(mass_matrix(whole, q), mass_matrix(model, q))
    after = poses(whole, q)
    for name, T in poses(model, q).items():
        assert_close(after[name], T, what=name)


def test_subtree_of_the_world_is_the_robot_seen_from_a_frame():
    rng = np.random.default_rng(3)
    model = with_frames(random_model(rng, 4), rng)
    q, v, a = random_state(model, rng)
    whole = edit.subtree(model, "world")
    T = next(f.placement for f in model.frames if f.name == "world")
    whole = replace(whole, gravity=T[:3, :3].T @ model.gravity)
    assert_close(torque(whole, q, v, a), torque(model, q, v, a))


def test_subtree_says_what_it_cannot():
    model = gripper()
    with pytest.raises(ModelError, match=r"no joint has the parent 'tip'; choose a link.*: arm"):
        edit.subtree(model, "tip")
    with pytest.raises(ModelError, match="no frame 'wrist'; choose one of arm, left, right, tip"):
        edit.subtree(model, "wrist")
    lead = replace(model.joints[0], mimic=None)
    follower = replace(model.joints[1], mimic=Mimic("arm_joint"))
    odd = replace(model, joints=(lead, follower, replace(model.joints[2], mimic=None)))
    with pytest.raises(
        ModelError, match="'left_joint' follows 'arm_joint', which is not in the subtree"
    ):
        edit.subtree(odd, "arm")
    with pytest.warns(ModelWarning, match="loop 'meet' ends outside this part and is left out"):
        assert edit.subtree(five_bar(), "left").loops == ()
    assert edit.subtree(model, "arm").name == "arm"


def test_loops_inside_a_subtree_stay():
    model = edit.attach(gripper(), five_bar(), "tip", prefix="f_")
    part = edit.subtree(model, "right")
    (loop,) = part.loops
    assert loop.name == "f_meet"
    assert [part.bodies[i].name for i in (loop.body_a, loop.body_b)] == [
        "f_left_rod",
        "f_right_rod",
    ]


# ------------------------------------------------------------------ attach


@settings(deadline=None, max_examples=20)
@given(seed=seeds)
def test_attached_robots_add_their_energies(seed):
    """On a carrier at rest the other moves as on the ground, under turned gravity."""
    rng = np.random.default_rng(seed)
    model, other = random_model(rng, 4), random_model(rng, 3, mimic=True)
    X = random_pose(rng)
    name = f"body{int(rng.integers(4))}"
    whole = edit.attach(model, other, name, X, prefix="tool/", weld=False)
    assert (whole.nq, whole.nv) == (model.nq + other.nq, model.nv + other.nv)
    q1, v1, a1 = random_state(model, rng)
    q2, v2, a2 = random_state(other, rng)
    q = np.concatenate((q1, q2))
    T = poses(model, q1)[name] @ X
    turned = replace(other, gravity=T[:3, :3].T @ model.gravity)
    held = np.zeros(model.nv)
    tau = torque(whole, q, np.concatenate((held, v2)), np.concatenate((held, a2)))
    assert_close(tau[model.nv :], torque(turned, q2, v2, a2))
    after = poses(whole, q)
    for frame, Y in poses(other, q2).items():
        assert_close(after["tool/" + frame], T @ Y, what=frame)
    # with the tool at rest, it is a payload: the composite inertia in the carrier's frame
    v, a = np.concatenate((v1, np.zeros(other.nv))), np.concatenate((a1, np.zeros(other.nv)))
    seen = poses(other, q2)
    load = inertia.compose(*(inertia.transform(b.inertia, X @ seen[b.name]) for b in other.bodies))
    carrying = edit.attach(model, load, name)
    assert_close(torque(whole, q, v, a)[: model.nv], torque(carrying, q1, v1, a1))


def test_payload_is_a_body_welded_on():
    rng = np.random.default_rng(4)
    model = with_frames(random_model(rng, 5), rng)
    pi, X = random_inertia(rng), random_pose(rng)
    q, v, a = random_state(model, rng)
    loaded = edit.attach(model, pi, "tool", X)
    assert [f.name for f in loaded.frames] == [f.name for f in model.frames]
    T = next(f.placement for f in model.frames if f.name == "tool") @ X
    assert_close(loaded.bodies[-1].inertia, model.bodies[-1].inertia + inertia.transform(pi, T))
    body = Body("gripper", pi, (Mesh("gripper.stl", "visual"),))
    other = edit.attach(model, body, "tool", X)
    assert_close(torque(other, q, v, a), torque(loaded, q, v, a))
    assert_close(poses(other, q)["gripper"], poses(model, q)["tool"] @ X)
    assert_close(other.bodies[-1].meshes[0].placement, T)
    # the change of the torque is that of the regressor
    more = torque(loaded, q, v, a) - torque(model, q, v, a)
    light = edit.attach(model, 2.0 * pi, "tool", X)
    assert_close(torque(light, q, v, a) - torque(model, q, v, a), 2.0 * more, 1e-11)


def test_floating_tools_are_welded_with_their_base():
    rng = np.random.default_rng(5)
    model = random_model(rng, 3)
    tool = random_model(rng, 3, floating=True, branching=False)
    tool = replace(tool, joints=(replace(tool.joints[0], placement=np.eye(4)), *tool.joints[1:]))
    X = random_pose(rng)
    whole = edit.attach(model, tool, "body2", X, prefix="t_")
    assert whole.nb == 5
    free = Robot(tool).neutral()
    flying = edit.attach(model, tool, "body2", X, prefix="t_", weld=False)
    assert flying.nb == 6
    q1, v1, a1 = random_state(model, rng)
    q2 = random_state(tool, rng)[0]
    q2[:7] = free[:7]
    load = [inertia.transform(b.inertia, X @ poses(tool, q2)[b.name]) for b in tool.bodies]
    expected = torque(edit.attach(model, inertia.compose(*load), "body2"), q1, v1, a1)
    rest = np.zeros(tool.nv - 6)
    tau = torque(
        whole, np.concatenate((q1, q2[7:])), *(np.concatenate((x, rest)) for x in (v1, a1))
    )
    assert_close(tau[: model.nv], expected)
    again = edit.lock(flying, {"t_joint0": free[:7]})
    assert_close(again.parameters, whole.parameters)
    assert {"t_body0", "t_body1", "t_body2"} <= {f.name for f in whole.frames}
    assert next(f.body for f in whole.frames if f.name == "t_body0") == 2


def test_clashes_and_nonsense_are_named():
    model = gripper()
    with pytest.raises(ModelError, match="already has a joint 'arm_joint'; give a prefix"):
        edit.attach(model, model, "tip")
    with pytest.raises(ModelError, match="already has a frame 'tip'; give a prefix"):
        edit.attach(model, Body("tip", np.zeros(10)), "tip")
    twice = edit.attach(model, model, "tip", prefix="second_")
    with pytest.raises(ModelError, match="already has a joint 'second_arm_joint'; give another"):
        edit.attach(twice, model, "tip", prefix="second_")
    with pytest.raises(ModelError, match="placement: expected shape"):
        edit.attach(model, np.zeros(10), "tip", np.eye(3))
    with pytest.raises(ModelError, match="not a rotation"):
        edit.attach(model, np.zeros(10), "tip", np.diag((1.0, 1.0, 2.0, 1.0)))
    with pytest.raises(ModelError, match=r"attach: expected a robot .* shape \(10,\), found "):
        edit.attach(model, np.zeros(6), "tip")
    with pytest.raises(ModelError, match="no frame 'hand'"):
        edit.attach(model, np.zeros(10), "hand")
    grounded = edit.with_frame(model, "floor")
    with pytest.raises(ModelError, match="'floor' is fixed in the world"):
        edit.attach(grounded, np.ones(10), "floor")
    two = Model(
        "two",
        tuple(Body(n, random_inertia(np.random.default_rng(0))) for n in "ab"),
        (Joint("ja", "free"), Joint("jb", "revolute")),
    )
    with pytest.raises(ModelError, match="'two' has 2 joints at its base, of which 'ja' is free"):
        edit.attach(model, two, "tip")


def test_shapes_keep_their_links():
    tool = TreeBuilder("tool").add(
        "finger", "prismatic", mass=0.1, meshes=(Mesh("a.stl", "visual"),)
    )
    tool.add("pad", "fixed", "finger", mass=0.1, solids=(Solid("sphere", "visual", (0.1,)),))
    whole = edit.attach(gripper(), tool.build(), "tip", prefix="t_")
    body = whole.bodies[-1]
    assert (body.name, body.meshes[0].link, body.solids[0].link) == (
        "t_finger",
        "t_finger",
        "t_pad",
    )
    assert [link.name for link in body.links] == ["t_finger", "t_pad"]


# ------------------------------------------------------------------ on robots


def test_robot_methods_give_robots():
    arm = jounce.load("franka")
    reduced = arm.edit.lock({"joint3": 0.5})
    assert isinstance(reduced, Robot)
    assert reduced.nv == 6
    rng = np.random.default_rng(6)
    q = rng.normal(size=6)
    full = np.insert(q, 2, 0.5)
    keep = [0, 1, 3, 4, 5, 6]
    assert_close(reduced.mass_matrix(q), arm.mass_matrix(full)[np.ix_(keep, keep)])
    wrist = arm.edit.subtree("link4")
    assert wrist.nv == 3
    loaded = arm.edit.attach(inertia.sphere(0.05, mass=1.0), "tool", placement((0, 0, 0.1)))
    assert_close(loaded.model.parameters[:, 0].sum(), arm.model.parameters[:, 0].sum() + 1.0)
    both = arm.edit.attach(wrist, "tool", prefix="second_").edit.with_frame("camera", "tool")
    assert both.nv == 10
    assert_close(both.frame("camera").pose(np.zeros(10)), both.frame("tool").pose(np.zeros(10)))


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_example_robots_reduce_as_pinocchios(base):
    pin = pytest.importorskip("pinocchio")
    path = next((str(p) for p in example_files() if p.name == "talos_reduced.urdf"), None)
    if path is None:
        pytest.skip("example-robot-data is not installed")
    model = quiet_read(path, base)
    root = () if base == "fixed" else (pin.JointModelFreeFlyer(),)
    theirs = pin.buildModelFromUrdf(path, *root)
    rng = np.random.default_rng(7)
    single = [joint.name for joint in model.joints if joint.nv == 1]
    locked = [str(name) for name in rng.choice(single, 20, replace=False)]
    q, v, a = random_state(model, rng)
    q_pin = PinocchioMap(model, theirs).q_to_pinocchio(q)
    reduced_pin = pin.buildReducedModel(theirs, [theirs.getJointId(n) for n in locked], q_pin)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        reduced = edit.lock(model, dict_of(model, q, locked))
    maps = PinocchioMap(reduced, reduced_pin)
    qs, vs = kept(model, locked)
    state = (maps.q_to_pinocchio(q[qs]), maps.v_to_pinocchio(v[vs]), maps.v_to_pinocchio(a[vs]))
    expected = maps.tau_from_pinocchio(pin.rnea(reduced_pin, reduced_pin.createData(), *state))
    without = [replace(j, armature=np.zeros(j.nv)) for j in reduced.joints]
    ours = replace(reduced, joints=tuple(without))
    assert_close(torque(ours, q[qs], v[vs], a[vs]), expected)


def test_a_tool_brings_its_base_link() -> None:
    """All mass is mounted, for a fixed and a floating base."""
    text = """<robot name="hand">
      <link name="palm"><inertial><origin xyz="0 0 0.1"/><mass value="2"/>
        <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <link name="finger"><inertial><mass value="0.5"/>
        <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="knuckle" type="revolute"><parent link="palm"/><child link="finger"/>
        <axis xyz="0 1 0"/><limit effort="1" velocity="1" lower="-1" upper="1"/></joint>
    </robot>"""
    arm = quiet_read("planar_2r")
    hands = [read_urdf(text, base=base) for base in ("fixed", "floating")]
    assert hands[0].ground.inertia[0] == 2.0
    models = [edit.attach(arm, hand, arm.bodies[-1].name) for hand in hands]
    q, v, a = np.full(3, 0.3), np.ones(3), np.full(3, -0.5)
    assert_close(torque(models[0], q, v, a), torque(models[1], q, v, a))
    assert models[0].bodies[1].inertia[0] == pytest.approx(arm.bodies[1].inertia[0] + 2.0)
    again = read_urdf(urdf_text(hands[0]))
    assert_close(again.ground.inertia, hands[0].ground.inertia)
