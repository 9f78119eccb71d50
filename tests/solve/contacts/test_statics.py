"""Contact forces that carry a robot at rest."""

from __future__ import annotations

import numpy as np
import pytest

import jounce
from jounce.errors import ArgumentError, ModelError
from jounce.robot import Robot
from jounce.solve.contacts.robot import Contacts
from support.helpers import assert_close

pytest.importorskip("clarabel")


def table(kind: str = "point") -> Robot:
    """A floating plate of 10 kg with four feet, or one sole."""
    builder = jounce.TreeBuilder("table")
    builder.add("plate", "free", mass=10.0, inertia_com=np.diag((0.5, 0.5, 1.0)))
    robot = Robot(builder.build())
    places = [(x, y, -0.5) for x in (0.4, -0.4) for y in (0.3, -0.3)]
    if kind == "surface":
        places = [(0.0, 0.0, -0.5)]
    for k, xyz in enumerate(places):
        T = np.eye(4)
        T[:3, 3] = xyz
        robot = robot.edit.with_contact(("plate", T), kind, f"foot{k}")
    return robot


def tilted(robot: Robot, angle: float) -> np.ndarray:
    return robot.integrate(robot.neutral(), np.array((angle, 0, 0, 0, 0, 0.0)))


@pytest.fixture(scope="module")
def feet() -> Contacts:
    return table().contacts()


def test_four_feet_share_the_load(feet: Contacts) -> None:
    found = feet.contact_forces(feet.robot.neutral(), 0.5)
    assert found.success
    assert found.reason == ""
    share = np.tile((0.0, 0.0, 10.0 * 9.81 / 4), 4)
    assert_close(found.forces, share, 1e-7)
    assert_close(found.tau, np.zeros(6), 1e-7, floor=98.1)


def test_friction_decides_on_a_slope(feet: Contacts) -> None:
    """A plate that is tilted with its ground stands where tan(angle) < friction."""
    robot = feet.robot
    angles = np.arctan((0.3, 0.49, 0.51, 0.8))
    q = np.stack([tilted(robot, x) for x in angles])
    for k, angle in enumerate(angles):
        normal = (0.0, -np.sin(angle), np.cos(angle))
        found = feet.contact_forces(q[k], 0.5, normals=normal)
        assert bool(found.success) == (np.tan(angle) < 0.5)
    level = feet.contact_forces(q, 0.5)  # the ground is level, the last one tips over
    assert level.success.shape == (4,)
    assert level.success[:3].all()
    J = feet.contact_jacobian(q)
    g = robot.gravity_forces(q)
    assert_close(g - np.einsum("bij,bi->bj", J, level.forces), level.tau, 1e-12, floor=98.1)


def test_smooth_ground_only_pushes(feet: Contacts) -> None:
    """Without friction normals alone carry, and never pull."""
    q, weight = feet.robot.neutral(), 10.0 * 9.81
    level = feet.contact_forces(q, friction=0.0)
    assert level.success
    assert_close(level.forces, np.tile((0.0, 0.0, weight / 4), 4), 1e-7)
    slope = feet.contact_forces(q, 0.0, normals=(0.0, 0.1, 1.0))
    assert not slope.success
    assert slope.missing == pytest.approx(weight * 0.1 / np.sqrt(1.01), rel=1e-3)
    lifted = feet.contact_forces(q, 0.0, wrenches=[[0, 0, 0, 0, 0, weight + 1.0]])
    assert not lifted.success
    assert lifted.missing == pytest.approx(1.0)
    push = np.array([[0.0, 0, 0, 1.0, 0, 0]])
    assert not feet.contact_forces(q, 0.0, wrenches=push).success
    assert feet.contact_forces(q, (0.7, 0.7, 0.0, 0.0), wrenches=push).success
    sole = table("surface").contacts()
    turned = np.array([[0.0, 0, 0.1, 0, 0, 0]])
    assert sole.contact_forces(q, 0.0, wrenches=turned).success  # moments have no bounds
    assert not sole.contact_forces(q, 0.0, wrenches=turned, size=(0.1, 0.1)).success
    assert sole.contact_forces(q, 0.0, size=(0.1, 0.1)).success


def test_reports_of_single_samples_are_plain(feet: Contacts) -> None:
    """As those of inverse kinematics: a string, a truth value and a number."""
    q = feet.robot.neutral()
    found = feet.contact_forces(np.stack((q, tilted(feet.robot, 1.5))))
    for k in range(2):
        single = feet.contact_forces((q, tilted(feet.robot, 1.5))[k])
        assert type(single.reason) is str
        assert type(single.success) is np.bool_
        assert type(single.missing) is np.float64
        assert single.reason == found.reason[k]
        assert single.success == found.success[k]


def test_pressure_stays_within_soles() -> None:
    """Pushed sideways above the sole, the centre of pressure moves by moment over weight."""
    sole = table("surface").contacts()
    robot, q = sole.robot, sole.robot.neutral()
    push = np.zeros((1, 6))
    push[0, 3] = 9.81  # N at the middle of the plate, half a metre above the sole
    free = sole.contact_forces(q, 0.7, wrenches=push)
    assert free.success
    assert free.forces[1] == pytest.approx(-0.5 * 9.81)
    assert sole.contact_forces(q, 0.7, wrenches=push, size=(0.06, 0.05)).success
    short = sole.contact_forces(q, 0.7, wrenches=push, size={"foot0": (0.04, 0.05)})
    assert not short.success
    assert "stay unbalanced" in short.reason
    assert short.missing > 0.0
    assert robot.nv == 6


def test_joints_with_drives_and_limits() -> None:
    """A fixed arm needs no ground, unless its motors are weak or not there."""
    arm = jounce.load("planar_2r").edit.with_contact(("link2", np.eye(4)), "point", "elbow")
    elbow, q = arm.contacts(), np.array((0.3, 0.4))
    # zero is the tip of the pyramid, which interior points come near to
    assert_close(elbow.contact_forces(q).forces, np.zeros(3), 1e-4, floor=1.0)
    passive = elbow.contact_forces(q, 2.0, actuated=("joint2",), normals=(0, 1, 0))
    assert passive.success
    assert_close(passive.tau[0], 0.0, 1e-7, floor=1.0)
    cheap = elbow.contact_forces(q, 2.0, normals=(0, 1, 0), effort=1e6)
    assert np.abs(cheap.tau).sum() < np.abs(arm.gravity_forces(q)).sum()


def test_what_cannot_be_is_reported(feet: Contacts) -> None:
    q = np.stack((feet.robot.neutral(), np.full(7, np.nan)))
    found = feet.contact_forces(q, 0.5, normals=(1.0, 0.0, 0.0))
    assert not found.success.any()
    assert "no forces within friction support the robot" in found.reason[0]
    assert "not finite" in found.reason[1]
    with pytest.raises(ModelError, match=r"contact_forces: no forces .* \(sample 0\)"):
        feet.contact_forces(q, 0.5, normals=(1.0, 0.0, 0.0), strict=True)
    for options, words in (
        ({"friction": -1.0}, "friction must be >= 0"),
        ({"friction": (0.5, 0.5)}, r"friction: expected an array of shape \(4,\)"),
        ({"normals": (0, 0, 0)}, "a normal of the ground is zero"),
        ({"size": {"foot0": (0.1, 0.1)}}, "no surface or line"),
        ({"effort": -1.0}, "effort must be a weight"),
    ):
        with pytest.raises(ArgumentError, match=words):
            feet.contact_forces(q, **{"friction": 0.5, **options})
    with pytest.raises(TypeError, match="it is called as"):
        feet.contact_forces()
