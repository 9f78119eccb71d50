"""The gallery's robots: the textbook ones' closed forms, toro25's shape, what base does."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import jounce
from jounce.errors import ModelError, ModelWarning
from jounce.formulas import dynamics
from jounce.io.gallery import (
    cartesian_ppp,
    gallery,
    gallery_data,
    planar_2r,
    planar_rp,
    read_gallery,
    two_mass_link,
)
from jounce.math.spatial import inertia_matrix
from jounce.model.tree import lower
from support.helpers import assert_close, objects

MIRROR = np.diag((1.0, -1.0, 1.0))


@pytest.fixture(scope="module")
def toro() -> jounce.Robot:
    return jounce.Robot(read_gallery("toro25"))


def test_gallery_names_the_papers_robots():
    names = {"iiwa14_mueller_kumar2021", "franka", "toro25"}
    assert names | {"planar_2r", "two_mass_link", "planar_rp", "cartesian_ppp"} <= set(gallery())
    assert gallery_data("toro25")["name"] == "toro25"
    for line in gallery().values():
        assert 10 < len(line) < 100
        assert "\n" not in line


def test_the_first_robot_is_a_possible_one(recwarn: pytest.WarningsRecorder):
    """Its inertias, limits and shapes are all there, and nothing has to be said of them."""
    robot = jounce.load("kuka_iiwa14")
    floating = jounce.load("kuka_iiwa14", base="floating")
    assert not recwarn.list
    assert not robot.model.check()
    assert floating.nv == 13
    assert (robot.nq, robot.model.frame_names[-1]) == (7, "tool")
    # the maker's: the flange is 1.306 m above the floor when the arm is stretched
    np.testing.assert_allclose(robot.frame("tool").pose(np.zeros(7))[:3, 3], (0.0, 0.0, 1.306))
    for joint in robot.model.joints:
        assert -np.pi < joint.lower[0] < joint.upper[0] < np.pi
        assert np.isfinite((joint.velocity_limit[0], joint.effort_limit[0])).all()
    for body in (robot.model.ground, *robot.model.bodies):
        assert {shape.purpose for shape in body.solids} == {"visual", "collision"}
    np.testing.assert_array_equal(
        jounce.load("kuka_iiwa14", gravity=(1, 2, 3)).model.gravity, (1.0, 2.0, 3.0)
    )


# ------------------------------------------------------------------ closed forms of the textbook

G = 9.81


def torques(model, *state):
    return dynamics.inverse_dynamics(lower(model), *(objects(x) for x in state))


@pytest.fixture
def states():
    """Three states q, v, a of three joints."""
    return np.random.default_rng(0).normal(size=(3, 3, 3))


def test_two_mass_link_has_no_gravity_torque(states):
    l1, l2, m1, m2, phi = 0.7, 0.4, 2.0, 3.0, 0.6
    model = two_mass_link(l1, l2, m1, m2, phi)
    for q, v, a in states[..., :1]:
        expected = (m1 * l1**2 + m2 * (l1 + l2 * np.cos(phi)) ** 2) * a
        assert_close(torques(model, q, v, a), expected)
    tool = jounce.Robot(model).frame("tool").pose(np.zeros(1))
    assert_close(tool[:3, 3], (l1 + l2 * np.cos(phi), 0.0, l2 * np.sin(phi)))


def test_two_mass_link_on_a_horizontal_axis():
    """Under gravity across the axis the same bodies weigh on it."""
    l1, l2, m1, m2, phi = 0.7, 0.4, 2.0, 3.0, 0.6
    model = two_mass_link(l1, l2, m1, m2, phi, gravity=(0.0, -G, 0.0))
    q = np.array((0.3,))
    arm = m1 * l1 + m2 * (l1 + l2 * np.cos(phi))
    assert_close(torques(model, q, 0 * q, 0 * q), arm * G * np.cos(q))


def test_planar_2r_torques(states):
    L1, L2, m1, m2 = 0.7, 0.4, 2.0, 3.0
    model = planar_2r(L1, L2, m1, m2)
    for (q1, q2, _), (v1, v2, _), (a1, a2, _) in states:
        c, s = L1 * L2 * np.cos(q2), L1 * L2 * np.sin(q2)
        weight = m2 * G * L2 * np.cos(q1 + q2)
        tau1 = (m1 * L1**2 + m2 * (L1**2 + 2 * c + L2**2)) * a1 + m2 * (c + L2**2) * a2
        tau1 += -m2 * s * (2 * v1 * v2 + v2**2) + (m1 + m2) * L1 * G * np.cos(q1) + weight
        tau2 = m2 * (c + L2**2) * a1 + m2 * L2**2 * a2 + m2 * s * v1**2 + weight
        assert_close(torques(model, (q1, q2), (v1, v2), (a1, a2)), (tau1, tau2))


def test_planar_rp_torques(states):
    L1, m1, m2, I1, I2 = 0.6, 2.0, 3.0, 0.2, 0.3
    model = planar_rp(L1, m1, m2, I1, I2)
    for (q1, q2, _), (v1, v2, _), (a1, a2, _) in states:
        tau1 = (I1 + I2 + m1 * L1**2 + m2 * q2**2) * a1 + 2 * m2 * q2 * v1 * v2
        tau1 += (m1 * L1 + m2 * q2) * G * np.cos(q1)
        tau2 = m2 * (a2 - q2 * v1**2 + G * np.sin(q1))
        assert_close(torques(model, (q1, q2), (v1, v2), (a1, a2)), (tau1, tau2))


def test_cartesian_ppp_torques(states):
    m1, m2, m3 = 2.0, 3.0, 4.0
    model = cartesian_ppp(m1, m2, m3)
    for q, v, a in states:
        expected = ((m1 + m2 + m3) * (a[0] + G), (m2 + m3) * a[1], m3 * a[2])
        assert_close(torques(model, q, v, a), expected)
    axes = np.array([joint.axis for joint in model.joints])
    assert_close(axes @ axes.T, np.eye(3))


@pytest.mark.parametrize("name", ["planar_2r", "two_mass_link", "planar_rp", "cartesian_ppp"])
def test_textbook_robots_by_name(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ModelWarning)
        model = read_gallery(name)
    assert model.name == name
    assert np.linalg.norm(model.gravity) == G
    np.testing.assert_array_equal(read_gallery(name, gravity=(1, 2, 3)).gravity, (1, 2, 3))


# ------------------------------------------------------------------ toro25


def test_toro_has_toros_topology(toro):
    assert (toro.nb, toro.nv, toro.nq) == (26, 31, 32)
    joints = toro.model.joints
    assert joints[0].kind == "free"
    assert [j.kind for j in joints[1:]] == ["revolute"] * 25
    children = {name: [] for name in toro.model.body_names}
    for joint, body in zip(joints[1:], toro.model.body_names[1:], strict=True):
        children[toro.model.body_names[joint.parent]].append(body)
    assert children["pelvis"] == ["torso", "left_hip_yaw_link", "right_hip_yaw_link"]
    assert children["torso"] == ["left_shoulder_pitch_link", "right_shoulder_pitch_link"]
    for root in (*children["pelvis"][1:], *children["torso"]):
        length, body = 1, root
        while children[body]:
            (body,) = children[body]
            length += 1
        assert length == 6


def test_toro_has_toros_size(toro):
    assert np.isclose(toro.model.parameters[:, 0].sum(), 76.0)
    q = toro.neutral()
    crown, sole = (toro.frame(name).pose(q)[2, 3] for name in ("crown", "left_sole"))
    assert np.isclose(crown - sole, 1.74)


def test_toro_inertias_are_those_of_solids():
    with warnings.catch_warnings():
        warnings.simplefilter("error", ModelWarning)
        model = read_gallery("toro25")
    for body in model.bodies:
        m, h = body.inertia[0], body.inertia[1:4]
        c = h / m
        about = inertia_matrix(body.inertia).astype(float) - m * (
            c @ c * np.eye(3) - np.outer(c, c)
        )
        moments = np.linalg.eigvalsh(about)
        assert moments[0] > 0.0
        assert moments[2] < moments[0] + moments[1]
        assert np.sqrt(moments[2] / m) < 0.5  # radius of gyration, m


def test_toro_is_symmetric(toro):
    bodies = {body.name: body.inertia for body in toro.model.bodies}
    joints = {joint.name: joint for joint in toro.model.joints}
    for name, inertia in bodies.items():
        image = bodies[_other(name)]
        assert_close(image[:1], inertia[:1])
        assert_close(image[1:4], MIRROR @ inertia[1:4])
        about = inertia_matrix(inertia).astype(float)
        assert_close(inertia_matrix(image), MIRROR @ about @ MIRROR)
    for name, left in joints.items():
        if name.startswith("left_"):
            right = joints[name.replace("left_", "right_")]
            sense = -1.0 if left.axis[1] == 0.0 else 1.0
            limits = sorted(sense * x for x in (left.lower[0], left.upper[0]))
            assert [right.lower[0], right.upper[0]] == limits
    com = toro.center_of_mass(toro.neutral())
    assert abs(com[1]) < 1e-15


def test_mirrored_motion_has_mirrored_torques(toro):
    """q and its image in the sagittal plane: the left side's torques are the right side's."""
    rng = np.random.default_rng(0)
    fixed = jounce.Robot(read_gallery("toro25", base="fixed"))
    names = fixed.model.joint_names
    swap = [names.index(_other(name)) for name in names]
    sense = np.array([1.0 if joint.axis[1] else -1.0 for joint in fixed.model.joints])
    q, v, a = fixed.random(rng), *rng.standard_normal((2, fixed.nv))
    tau = fixed.inverse_dynamics(q, v, a)
    image = fixed.inverse_dynamics(*(sense * x[swap] for x in (q, v, a)))
    assert_close(image, sense * tau[swap])


def _other(name: str) -> str:
    if name.startswith("left_"):
        return name.replace("left_", "right_")
    return name.replace("right_", "left_")


def test_mass_matrix_is_positive_definite(toro):
    q = toro.random(np.random.default_rng(0), 20)
    assert np.linalg.eigvalsh(toro.mass_matrix(q)).min() > 0.0


def test_base_is_respected():
    for base, nv in ((None, 31), ("floating", 31), ("fixed", 25)):
        assert read_gallery("toro25", base=base).nv == nv
    with pytest.raises(ValueError, match="base: expected one of fixed, floating, found 'free'"):
        read_gallery("toro25", base="free")
    np.testing.assert_array_equal(read_gallery("toro25", gravity=(1, 2, 3)).gravity, (1, 2, 3))


@pytest.mark.filterwarnings("ignore::jounce.errors.ModelWarning")
def test_arms_stand_on_the_ground():
    for name in ("iiwa14_mueller_kumar2021", "franka", "planar_2r"):
        assert read_gallery(name).joints[0].kind == "revolute"
        assert read_gallery(name, base="floating").joints[0].kind == "free"


def test_load_gives_each_robot_its_own_base():
    assert jounce.load("toro25").nv == 31
    assert jounce.load("toro25", base="fixed").nv == 25
    assert jounce.load("toro25", base="floating").nv == 31
    assert jounce.load("planar_2r").nv == 2


def test_unknown_names_list_the_choices():
    with pytest.raises(ModelError, match=r"no robot 'toro'; did you mean 'toro25'"):
        read_gallery("toro")


def test_five_bar_tool_is_the_handle():
    """0.22 m from the origin on the axis of joint 3, where the handle is, and moves with it."""
    robot = jounce.load("five_bar")
    axis = np.array(robot.model.joints[2].axis)
    tool = robot.frame("tool")
    pose = tool.pose(robot.neutral())
    assert_close(pose[:3, 3], 0.22 * axis)
    assert_close(pose[:3, :3], np.eye(3))
    q = np.array((0.3, -0.2, 0.4, 0.1))
    assert_close(tool.pose(q), robot.frame("link3").pose(q) @ pose)
    spun = q + np.array((0.0, 0.0, 0.7, 0.0))  # joint 3 turns about the handle
    assert_close(tool.pose(spun)[:3, 3], tool.pose(q)[:3, 3])


# ------------------------------------------------------------------ quadruped, Stewart platform


def test_the_quadruped_stands_on_four_feet():
    robot = jounce.load("quadruped")
    assert robot.nv == 18
    assert not robot.model.check()
    feet = [contact.name for contact in robot.model.contacts]
    places = np.stack([robot.frame(name).pose(robot.neutral())[:3, 3] for name in feet])
    height = -2.0 * 0.21 * np.cos(0.75)
    assert_close(places[:, 2], np.full(4, height))
    center = robot.center_of_mass(robot.neutral())
    np.testing.assert_allclose(places[:, :2].mean(axis=0), (0.0, 0.0), atol=1e-14)
    assert np.abs(center[:2]).max() < 0.02
    # contacts are at the lowest points of the feet, with z upward
    for contact in robot.model.contacts:
        T = robot.body_poses(robot.neutral())[contact.body] @ contact.placement
        np.testing.assert_allclose(T[:3, :3], np.eye(3), atol=1e-14)
        assert_close(T[2, 3], height - 0.022)
    assert robot.limits.contains(robot.neutral())


def test_the_stewart_platform_moves_in_six_directions():
    robot = jounce.load("stewart")
    closed = robot.closed()
    assert closed.nv == 6
    np.testing.assert_allclose(closed.gap(robot.neutral()), 0.0, atol=1e-14)
    tool = closed.frame("tool")
    np.testing.assert_allclose(tool.pose(robot.neutral())[:3, 3], (0.0, 0.0, 0.645), atol=1e-14)
    legs = robot.closed([f"leg{k}" for k in range(1, 7)])
    J = legs.frame("tool").jacobian_mixed(legs.reference)
    assert np.linalg.cond(J) < 100.0
    # equal legs carry the load in equal parts, as the platform is symmetric about the vertical
    forces = legs.gravity_forces(legs.reference)
    assert_close(forces, np.full(6, forces.mean()))


# ------------------------------------------------------------------ shapes


@pytest.mark.filterwarnings("ignore::jounce.errors.ModelWarning")
@pytest.mark.parametrize("name", gallery())
def test_bodies_have_shapes_and_those_of_the_base_move_with_it(name: str):
    model = read_gallery(name, base="fixed")
    shaped = [body for body in (model.ground, *model.bodies) if body.meshes or body.solids]
    assert len(shaped) == model.nb + 1
    floating = read_gallery(name, base="floating")
    if name != "kuka_iiwa14":  # whose file places them in a link
        assert not floating.ground.solids
        assert len(floating.bodies[0].solids) == len(model.ground.solids)


def test_meshes_of_the_humanoid_are_those_of_their_tool():
    from importlib.resources import files

    from jounce.io.surfaces import read_surface
    from jounce.model.inertia.mesh.integrals import unit_inertia
    from tools.humanoid_meshes import LOFTS, loft

    folder = files("jounce.io.gallery") / "toro25"
    assert {x.name for x in folder.iterdir()} == {f"{name}.obj" for name in LOFTS}
    for name, rings in LOFTS.items():
        assert (folder / f"{name}.obj").read_text("utf-8") == loft(rings)
        surface = read_surface(str(folder / f"{name}.obj"))
        assert 1e-4 < unit_inertia(surface.vertices, surface.faces)[0][0] < 0.05, name


def test_links_of_the_five_bar_meet_at_their_joints():
    model = read_gallery("five_bar")
    axes = np.array(gallery_data("five_bar")["axes"])
    for body, ends in zip(model.bodies, ((0, 1), (1, 2), (2, 4), (3, 4)), strict=True):
        arc = [x for x in body.solids if x.size[0] == 0.008]
        centers = np.stack([x.placement[:3, 3] for x in arc])
        directions = centers / np.linalg.norm(centers, axis=1, keepdims=True)
        for k, end in zip((0, -1), ends, strict=True):
            assert directions[k] @ axes[end] > 0.99
