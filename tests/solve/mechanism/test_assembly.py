"""Assembly of mechanisms: near where one asks, to rounding, and honest where it cannot be."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.arrays import lie
from jounce.errors import ModelError
from jounce.io import TreeBuilder, placement
from jounce.math.lie import exp_so3
from jounce.math.scalar import array
from jounce.robot import Robot
from jounce.solve.mechanism.assembly import gaps
from support.helpers import assert_close
from support.mechanisms import free_motion, mechanism, pendulum, turn, with_random_loops
from support.robots import random_model, random_rotation


def test_assembly_of_a_batch():
    closed = mechanism("five_bar")
    rng = np.random.default_rng(1)
    q = closed.reference + rng.uniform(-0.4, 0.4, (3, 5, 4))
    found = closed.assemble(q)
    assert found.q.shape == (3, 5, 4)
    assert found.success.shape == found.gap.shape == found.iterations.shape == (3, 5)
    assert found.success.all()
    assert found.gap.max() < 1e-14
    np.testing.assert_array_equal(found.q[..., [0, 3]], q[..., [0, 3]])  # independent joints stay
    assert_close(closed.loop_residual(found.q), np.zeros((3, 5, 5)), floor=1.0)
    single = closed.assemble(q[1, 2])
    assert single.success
    assert np.ndim(single.gap) == 0
    assert_close(single.q, found.q[1, 2])
    assert closed.assemble(np.empty((0, 4))).q.shape == (0, 4)


def test_assembly_with_other_joints_fixed():
    closed = mechanism("five_bar")
    q = closed.reference + 0.2
    held = closed.assemble(q, ("joint2",))
    assert held.success
    assert held.q[1] == q[1]
    free = closed.assemble(q, ())
    assert free.success
    # moving all joints they need to move less
    assert np.linalg.norm(free.q - q) < np.linalg.norm(held.q - q)
    with pytest.raises(ModelError, match="fixed: no joint 'x'"):
        closed.assemble(q, ("x",))


def test_what_cannot_be_closed_is_reported_sample_by_sample():
    """A rocker of which the crank asks too much for some angles."""
    closed = jounce.load("four_bar").closed(("rocker_joint",))
    q = closed.reference + np.array(((0, 0, 0), (0, 0, 2.5), (0, 0, 0.1), (0, 0, np.nan)))
    found = closed.assemble(q)
    assert found.success.tolist() == [True, False, True, False]
    assert found.gap[1] > 1e-3
    assert np.isnan(found.gap[3])
    assert found.iterations.max() <= 100
    assert closed.assemble(q, iterations=3).iterations.max() <= 3
    with pytest.raises(ModelError, match=r"of sample \(1,\) do not close.*'tip.v[xy]' is"):
        closed.assemble(q, strict=True)
    with pytest.raises(ModelError, match="not finite"):
        closed.assemble(q[3], strict=True)
    assert closed.assemble(q[[0, 2]], strict=True).success.all()


def test_assembly_from_a_straight_start():
    """Where all links lie in a line the gap has no slope, so they are nudged."""
    closed = jounce.load("four_bar").closed(("crank_joint",))
    q = np.zeros((101, 3))
    q[:, 0] = np.linspace(-np.pi, np.pi, 101)
    found = closed.assemble(q)
    assert found.success.all()
    assert found.iterations.max() <= 100
    assert np.array_equal(closed.assemble(q[50]).q, found.q[50])  # alone as in a batch


def test_half_turns_do_not_count_as_closed():
    """The residual vanishes, the gap does not, and assembly finds the true configuration."""
    builder = pendulum(0.3, 0.4, 0.5)
    builder.add("wrist", "spherical", "link2", xyz=(0.5, 0, 0), mass=1.0, com=(0, 0.1, 0))
    robot = Robot(builder.build()).edit.with_loop(
        "wrist", ("world", placement((0.6, 0.3, 0))), "weld"
    )
    closed = robot.closed()
    right = closed.reference
    R = closed.frame("wrist").pose(right)[:3, :3]
    for axis in np.eye(3):  # half a turn about an axis of the frame
        wrong = right.copy()
        turn = np.concatenate(((0.0,), axis))
        at = robot.joints["wrist_joint"].q
        wrong[at] = lie.quaternion.product(right[at], turn)
        assert_close(closed.loop_residual(wrong), np.zeros(6), floor=1.0)
        assert_close(closed.gap(wrong), np.pi)
        found = closed.assemble(wrong, ("link0_joint",))
        assert found.success
        assert_close(closed.frame("wrist").pose(found.q)[:3, :3], R)
    axes = robot.edit.with_loop("wrist", "world", (True, True, False, False, False, False)).closed()
    q = axes.reference.copy()
    q[at] = lie.quaternion.product(q[at], np.array((0.0, 1.0, 0.0, 0.0)))
    assert axes.gap(q) > 3.0


def half_turn(axis: Any) -> np.ndarray:
    """Pose of a half turn, in entries that are exact for axes of the frame."""
    T = np.eye(4)
    T[:3, :3] = 2.0 * np.outer(axis, axis) - np.eye(3)
    return T


@pytest.mark.parametrize(
    "locked", [x for x in itertools.product((True, False), repeat=3) if any(x)]
)
def test_exact_half_turns(locked: tuple[bool, ...]):
    """Half a turn about every axis, alone and in a batch, is one unless the loop leaves it free.

    One locked turn is that of a universal joint: half a turn about the locked axis is half a turn
    about each of its own two, and closed.
    """
    which = (*locked, True, True, True)
    turns = [half_turn(e) for e in np.eye(3)]
    lean = np.eye(4)
    lean[:3, :3] = turn(0, 0.3) @ turn(1, 0.2) @ turn(2, 0.1)
    poses = np.stack([np.eye(4), *turns, lean])[:, None]
    r, _ = gaps([which], poses, np.zeros((5, 1, 6, 2)))
    for k, T in enumerate(turns):
        closed = sum(locked) == 1 or (sum(locked) == 2 and not locked[k])
        assert_close(np.linalg.norm(r[1 + k]), 0.0 if closed else np.pi, floor=1.0)
        alone, _ = gaps([which], T[None, None], np.zeros((1, 1, 6, 2)))
        assert np.array_equal(alone[0], r[1 + k])
    assert not r[0].any()
    assert 0.05 < np.linalg.norm(r[4]) < 0.5


@pytest.mark.parametrize("k", [0, 1, 2])
def test_exact_quarter_turns_of_a_universal_loop(k: int):
    """An axis of b along the axis of a that it must be normal to: any way is as short as another.

    The gap is a quarter turn, and its slope along what the joints can turn is not lost.
    """
    which = tuple(i == k for i in range(3)) + (False,) * 3
    i, j = (k + 1) % 3, (k + 2) % 3
    T = np.eye(4)
    T[:3, i], T[:3, j] = np.eye(3)[j], -np.eye(3)[i]
    twists = np.zeros((2, 1, 6, 2))
    twists[0, 0, k, 0] = 1.0  # a joint that turns about the locked axis, and one askew
    twists[1, 0, k, 1], twists[1, 0, i, 1] = 1.2, 1.6
    r, A = gaps([which], np.stack((T, T))[:, None], twists)
    assert_close(r, np.full((2, 1), np.pi / 2))
    assert_close(np.abs(A[:, 0]), ((1.0, 0.0), (0.0, 2.0)))


@pytest.mark.parametrize("kind", ["revolute", "weld"])
@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0.6, 0.8, 0)])
def test_assembly_starts_half_a_turn_off(kind: str, axis: Any):
    """Exactly opposite axes give no way round; the descent takes one that the joints can go."""
    builder = TreeBuilder("opposite")
    body: dict[str, Any] = {"mass": 1.0, "inertia_com": np.eye(3)}
    builder.add("arm", "revolute", placement=half_turn(axis), axis=axis, **body)
    builder.add("slide", "prismatic", "arm", axis=(0, 0, 1), **body)
    robot = Robot(builder.build()).edit.with_loop("world", "arm", kind)
    start = robot.neutral()
    reached = robot.closed(q0=(np.pi, 0.0))
    assert_close(reached.gap(start), np.pi)
    assert_close(reached.report(start).gap, np.pi)
    found = reached.assemble(np.array(((0.0, 0.0), (0.5, 0.0))), (), nudges=())
    assert found.success.all()
    assert_close(np.cos(found.q[:, 0]), -np.ones(2))


def test_gap_and_its_gradient():
    """Half the squared gap changes with r . A v, for every choice of locked motions."""
    rng = np.random.default_rng(2)
    for k in range(1, 64):
        locked = [bool(k >> i & 1) for i in range(6)]
        T = free_motion(locked, rng)
        r, _ = gaps([locked], T[None, None], np.zeros((1, 1, 6, 1)))
        assert_close(r, np.zeros(r.shape), floor=1.0)
        T[:3, :3] = random_rotation(rng)
        V = rng.normal(size=6)
        J = np.zeros((1, 1, 6, 1))
        J[0, 0, :, 0] = V
        r, A = gaps([locked], T[None, None], J)
        h = 1e-6
        values = []
        for step in (h, -h):
            moved = np.eye(4)
            angle = float(np.linalg.norm(V[:3]))
            spin = exp_so3(array(V[:3] / angle), step * angle).astype(float)
            moved[:3, :3], moved[:3, 3] = spin @ T[:3, :3], T[:3, 3] + step * V[3:]
            values.append(0.5 * np.sum(gaps([locked], moved[None, None], J)[0] ** 2))
        slope = (values[0] - values[1]) / (2 * h)
        assert_close(float(r[0] @ A[0, :, 0]), slope, 1e-7, floor=0.1)  # central differences


def test_rotations_as_quaternions_at_every_angle():
    rng = np.random.default_rng(3)
    for angle in (0.0, 1e-9, 0.3, 2.0, np.pi - 1e-9, np.pi):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        R = exp_so3(array(axis), angle).astype(float)
        w = lie.so3.log(R)
        back = exp_so3(array(axis), 0.0) if angle == 0 else exp_so3(array(w / angle), angle)
        assert_close(back, R, floor=1.0)
        assert_close(np.linalg.norm(w), angle, floor=1.0)


def test_assembly_on_free_and_spherical_joints():
    rng = np.random.default_rng(4)
    kinds = ("spherical", "planar", "free", "universal")
    robot, q = with_random_loops(random_model(rng, 6, kinds), ["weld", "planar"], rng)
    closed = robot.closed(q0=q)
    starts = robot.integrate(q, 0.4 * rng.normal(size=(20, robot.nv)))
    found = closed.assemble(starts, ())
    assert found.success.mean() > 0.9
    for view in robot.joints.values():
        if view.kind in ("spherical", "free"):
            turn = found.q[:, view.q][:, :4]
            assert_close(np.linalg.norm(turn, axis=1), np.ones(20))


def test_assembly_where_constraints_depend_on_each_other():
    """Bennett's linkage loses rank where it closes; it still converges to rounding."""
    closed = mechanism("bennett")
    angles = np.linspace(0.3, 2.8, 12)
    q = np.tile(closed.reference, (12, 1))
    q[:, 0] = angles
    found = closed.track(q)
    assert found.success.all()
    assert found.gap.max() < 1e-13
    assert found.iterations.max() < 15


def test_track_stays_on_its_branch():
    """The crank turns round; the rocker swings and returns to where it was."""
    closed = mechanism("four_bar")
    n = 60
    q = np.tile(closed.reference, (n + 1, 1))
    q[:, 0] += np.linspace(0.0, 2.0 * np.pi, n + 1)
    found = closed.track(q)
    assert found.q.shape == q.shape
    assert found.success.all()
    assert_close(found.q[-1, 2], found.q[0, 2])
    assert np.abs(np.diff(found.q, axis=0)).max() < 0.3
    np.testing.assert_array_equal(found.q[:, 0], q[:, 0])
    with pytest.raises(ValueError, match=r"track: argument 'q' must have shape \(n, 3\)"):
        closed.track(q[0])


def test_random_configurations_are_closed():
    closed = mechanism("leg")
    q = closed.random(0, 7)
    assert q.shape == (7, closed.nq)
    assert closed.gap(q).max() < 1e-10
    assert closed.random(1).shape == (closed.nq,)
