"""Loops of SDF models: joints that close them, and what cannot be read."""

from __future__ import annotations

import numpy as np
import pytest

from jounce.errors import ModelError, ModelWarning
from jounce.formulas.mechanism.loops import loop_jacobian, loop_residual
from jounce.io import read_sdf
from jounce.model.model import Model
from jounce.model.tree import lower
from support.helpers import assert_close, objects
from support.sdf_files import A, B, C, arm, at_rest, axis, joint, link, pose, poses, sdf

LOOPS: dict[str, tuple[str, str, int]] = {
    "revolute": ("revolute", pose(C) + axis("1 2 3"), 5),
    "continuous": ("continuous", axis("1 2 3", attributes='expressed_in="__model__"'), 5),
    "prismatic": ("prismatic", pose(C) + axis("1 2 3"), 5),
    "ball": ("ball", pose(C), 3),
    "fixed": ("fixed", "", 6),
    "universal": ("universal", pose(C) + axis("0 1 1") + axis("1 0 0", tag="axis2"), 4),
}


@pytest.mark.parametrize("case", LOOPS)
@pytest.mark.parametrize("parent", ["a", "world"])
def test_loops_leave_the_motions_of_their_joint(case: str, parent: str) -> None:
    """A loop allows the same relative motions of two free bodies as the joint in a tree.

    Body b hangs on a chain with six degrees of freedom; the loop joint is its second parent.
    """
    kind, inside, count = LOOPS[case]
    parts = [
        link("a", pose(A)),
        link("x"),
        link("b", pose(B)),
        joint("base", "fixed", "world", "a"),
        *(link(f"s{i}") for i in range(2)),
        joint("x1", "prismatic", "a", "s0", axis("1 0 0")),
        joint("x2", "prismatic", "s0", "s1", axis("0 1 0")),
        joint("x3", "prismatic", "s1", "x", axis("0 0 1")),
        joint("ball", "ball", "x", "b"),
    ]
    model = read_sdf(sdf(pose(C), *parts, joint("close", kind, parent, "b", inside)))
    (loop,) = model.loops
    assert loop.name == "close"
    tree = lower(model)
    rest = np.array((0, 0, 0, 1.0, 0, 0, 0))
    residual = loop_residual(tree, objects(rest)).astype(float)
    assert_close(residual, np.zeros(count), floor=1.0)
    alone = read_sdf(sdf(pose(C), *parts[:9], joint("close", kind, parent, "b", inside)))
    home = poses(alone, at_rest(alone))["b"]
    rng = np.random.default_rng(0)
    own = alone.joints[-1] if kind != "fixed" else None
    for _ in range(3):
        q = at_rest(alone)
        if own is not None:
            q[-own.nq :] += rng.uniform(-0.7, 0.7, own.nq)
            if own.kind == "spherical":
                q[-4:] /= np.linalg.norm(q[-4:])
        T = poses(alone, q)["b"]
        assert own is None or np.abs(T - home).max() > 0.01
        state = _chain_state(model, T)
        assert_close(poses(model, state)["b"], T)
        left = loop_residual(tree, objects(state)).astype(float)
        assert_close(left, np.zeros(count), floor=1.0)
        J = loop_jacobian(tree, objects(state)).astype(float)
        assert np.linalg.matrix_rank(J, 1e-9) == count


def _chain_state(model: Model, T: np.ndarray) -> np.ndarray:
    """Coordinates of three slides along the axes of s0's chain and a ball that put b at T."""
    rest = np.array((0, 0, 0, 1.0, 0, 0, 0))
    home = poses(model, rest)
    R = home["x"][:3, :3]
    # the ball sits at the origin of b
    shift = R.T @ (T[:3, 3] - home["b"][:3, 3])
    turn = home["b"][:3, :3].T @ T[:3, :3]
    w = np.sqrt(max(0.0, 1.0 + np.trace(turn))) / 2.0
    xyz = np.array((turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]))
    return np.array((*shift, w, *(xyz / (4.0 * w))))


def test_a_cycle_starts_at_the_canonical_link() -> None:
    ring = [joint(f"j{i}", "revolute", "abc"[i], "abc"[(i + 1) % 3]) for i in range(3)]
    links = [link(x) for x in "abc"]
    model = read_sdf(sdf(*links, *ring))
    assert [j.name for j in model.joints] == ["j0", "j1"]
    assert [loop.name for loop in model.loops] == ["j2"]
    model = read_sdf(sdf(*links, *ring, model='<model name="m" canonical_link="c">'))
    assert [j.name for j in model.joints] == ["j2", "j0"]


def test_four_bar_keeps_its_shape() -> None:
    """A parallelogram: the coupler stays parallel, whatever the crank's angle."""
    links = [link("ground"), link("crank"), link("coupler", "<pose>0 1 0 0 0 0</pose>")]
    links.append(link("rocker", "<pose>2 0 0 0 0 0</pose>"))
    joints = [
        joint("in", "revolute", "ground", "crank"),
        joint("top", "revolute", "crank", "coupler"),
        joint("out", "revolute", "ground", "rocker"),
        joint("close", "revolute", "rocker", "coupler", "<pose>2 0 0 0 0 0</pose>"),
    ]
    tree = lower(read_sdf(sdf(*links, *joints)))
    for angle in (0.0, 0.4, -1.0):
        residual = loop_residual(tree, objects(np.array((angle, -angle, angle)))).astype(float)
        assert_close(residual, np.zeros(5), floor=1.0)
    residual = loop_residual(tree, objects(np.array((0.4, -0.4, 0.3)))).astype(float)
    assert np.abs(residual).max() > 0.01


def test_loop_damping_and_screws() -> None:
    extra = joint(
        "x", "revolute", "base", "arm", axis("0 0 1", "<dynamics><damping>1</damping></dynamics>")
    )
    with pytest.warns(
        ModelWarning, match="joint 'x': damping, friction and spring of a joint that closes"
    ):
        read_sdf(arm(extra))
    with pytest.raises(ModelError, match="joint 'x': a screw joint cannot close a loop"):
        read_sdf(arm(joint("x", "screw", "base", "arm")))
    skew = axis("1 0 0") + axis("1 1 0", tag="axis2")
    with pytest.raises(ModelError, match=r"joint 'x': .*right angle"):
        read_sdf(arm(joint("x", "universal", "base", "arm", skew)))
