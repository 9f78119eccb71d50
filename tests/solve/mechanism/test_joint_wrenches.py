"""Wrenches of the joints and loops of mechanisms: balances, projections, a four-bar by hand."""

from __future__ import annotations

import numpy as np
import pytest

from jounce.catalog.derivative import derivative
from jounce.catalog.mechanism import MECHANISM, MECHANISM_FRAME
from jounce.catalog.tables import ROBOT
from jounce.formulas.kinematics import accumulate, joint_poses
from jounce.formulas.mechanism.loops import loop_jacobian
from jounce.io.builder import TreeBuilder
from jounce.math.spatial import motion_to_frame
from jounce.model import inertia
from jounce.robot import Robot
from support.helpers import assert_close, objects, slope
from support.mechanisms import MECHANISMS, State, mechanism, stepped

GIVEN = ("q", "v", "a", "wrenches", "joint_forces")


def to_world(T: np.ndarray, W: np.ndarray) -> np.ndarray:
    """A wrench of a frame with pose T in the world's axes, about the world's origin."""
    moment, force = T[:3, :3] @ W[:3], T[:3, :3] @ W[3:]
    return np.concatenate((moment + np.cross(T[:3, 3], force), force))


def to_frame(T: np.ndarray, W: np.ndarray) -> np.ndarray:
    """The other way."""
    return np.concatenate((T[:3, :3].T @ (W[:3] - np.cross(T[:3, 3], W[3:])), T[:3, :3].T @ W[3:]))


class Balance:
    """A mechanism in a random state, with what its robot says about the bodies of the tree."""

    def __init__(self, name: str) -> None:
        self.state = state = State(mechanism(name))
        self.model, self.closed = state.robot.model, state.closed
        self.F = state.value("joint_wrenches", *GIVEN)
        self.W = state.value("loop_wrenches", *GIVEN)
        q, v, a = (objects(state[x]) for x in "qva")
        moving = derivative(MECHANISM["velocity"], "dt").formula(self.closed.tree, q, v, a)
        self.motion = q, objects(state.full()), moving
        self.T = self.of_tree("body_poses", q)
        self.size = np.abs(self.F).max() + np.abs(self.W).max()

    def of_tree(self, name: str, *given: np.ndarray) -> np.ndarray:
        return np.asarray(ROBOT[name].formula(self.state.robot.tree, *given)).astype(float)

    def of_loops(self) -> np.ndarray:
        """Wrenches of the loops on all bodies, in the bodies' axes (nb, 6)."""
        out = np.zeros((self.model.nb, 6))
        for loop, W in zip(self.model.loops, self.W, strict=True):
            b = loop.body_b
            T = loop.placement_b if b < 0 else self.T[b] @ loop.placement_b
            for body, sense in ((b, 1.0), (loop.body_a, -1.0)):
                if body >= 0:
                    out[body] += sense * to_frame(self.T[body], to_world(T, W))
        return out


@pytest.mark.parametrize("name", MECHANISMS)
def test_newton_and_euler_of_every_body(name: str) -> None:
    """What acts on a body gives it its acceleration: joints, loops, weight, given wrenches."""
    balance = Balance(name)
    total = balance.of_loops() + balance.state["wrenches"]
    V = balance.of_tree("body_twists", *balance.motion[:2])
    A = balance.of_tree("body_accelerations", *balance.motion)
    for b, joint in enumerate(balance.model.joints):
        total[b] += balance.F[b]
        if joint.parent >= 0:
            parent = joint.parent
            total[parent] -= to_frame(balance.T[parent], to_world(balance.T[b], balance.F[b]))
        pi = balance.model.parameters[b]
        pull = balance.T[b, :3, :3].T @ balance.model.gravity
        total[b] += np.concatenate((np.cross(pi[1:4], pull), pi[0] * pull))
    wanted = inertia.body_wrench(balance.model.parameters, V, A)
    assert_close(total, wanted, floor=balance.size)


@pytest.mark.parametrize("name", MECHANISMS)
def test_projections(name: str) -> None:
    """Along the joints: forces of inverse dynamics where independent, the given ones elsewhere."""
    balance = Balance(name)
    state, tree = balance.state, balance.closed.tree
    found = np.zeros(state.robot.nv)
    R, p = accumulate(tree, joint_poses(tree, balance.motion[0]))
    for b in range(balance.model.nb):
        first, last = tree.nodes_of_joint(b)
        F = objects(to_world(balance.T[b], balance.F[b]))
        for i in range(first, last + 1):
            node = tree.nodes[i]
            work = [motion_to_frame(R[i], p[i], axis) @ F for axis in node.S.T]
            found[node.vs] += float(node.gain) * np.array(work, float)
    own = np.zeros(state.robot.nv)
    a = balance.motion[2].astype(float)
    for node in tree.nodes:  # motors and springs that act beside the wrench
        own[node.vs] += float(node.gain) ** 2 * node.armature.astype(float) * a[node.vs]
    own += balance.of_tree("spring_forces", balance.motion[0])
    wanted = state["joint_forces"].copy()
    wanted[list(balance.closed.active)] += state.value("inverse_dynamics", *GIVEN)
    assert_close(found + own, wanted, floor=balance.size)


@pytest.mark.parametrize("name", MECHANISMS)
def test_loops_do_the_work_of_the_multipliers(name: str) -> None:
    """As forces on the joints of the tree they are G^T lam, lam the shortest that there is."""
    balance = Balance(name)
    state, tree = balance.state, balance.state.robot.tree
    state.levels["tau"] = state.value("inverse_dynamics", *GIVEN)
    lam = state.value("constraint_forces", "q", "v", "tau", "wrenches", "joint_forces")
    G = loop_jacobian(tree, balance.motion[0]).astype(float)
    pushed = balance.of_tree("external_forces", balance.motion[0], objects(balance.of_loops()))
    slack = 1e-12 * np.linalg.cond(G[:, list(balance.closed.tree.passive)])
    assert_close(pushed, G.T @ lam, slack, floor=balance.size)
    forces = balance.of_tree("inverse_dynamics", *balance.motion, objects(state["wrenches"]))
    passive = list(balance.closed.tree.passive)
    missing = (forces - state["joint_forces"])[passive]
    assert_close(lam, np.linalg.pinv(G[:, passive].T) @ missing, slack, floor=balance.size)


@pytest.mark.parametrize("name", MECHANISMS)
def test_power(name: str) -> None:
    """Loops do no work: the joints' and the external power change the mechanical energy."""
    balance = Balance(name)
    state = balance.state
    tau, v = state.value("inverse_dynamics", *GIVEN), state["v"]
    pushed = balance.of_tree("external_forces", balance.motion[0], objects(state["wrenches"]))
    power = tau @ v + (pushed + state["joint_forces"]) @ state.full()
    q, a = (objects(state[x]) for x in "qa")
    energy = [
        derivative(MECHANISM[x], "dt").formula(balance.closed.tree, *given)
        for x, given in (
            ("kinetic_energy", (q, objects(v), a)),
            ("potential_energy", (q, objects(v))),
        )
    ]
    assert_close(float(sum(energy)), power, floor=balance.size)
    loops = balance.of_tree("external_forces", balance.motion[0], objects(balance.of_loops()))
    assert_close(loops @ state.full(), 0.0, floor=balance.size)


# ------------------------------------------------------------------ by hand


def test_parallelogram_at_rest() -> None:
    """A horizontal bar on two upright cranks: each bears half of its weight, none a moment."""
    builder = TreeBuilder("parallelogram")
    builder.add("left", "revolute", None, axis=(0, 1, 0))
    bar = {"mass": 3.0, "com": (1.0, 0.0, 0.0), "inertia_com": 0.1 * np.eye(3)}
    builder.add("bar", "revolute", "left", xyz=(0, 0, 1), axis=(0, 1, 0), **bar)
    builder.add("right", "revolute", None, xyz=(2, 0, 0), axis=(0, 1, 0))
    end = np.eye(4)
    end[:3, 3] = 2, 0, 0
    top = np.eye(4)
    top[2, 3] = 1
    builder.loop("joint", "bar", "right", (False, False, False, True, False, True), end, top)
    closed = Robot(builder.build()).closed(("left_joint",))
    weight = 3.0 * np.linalg.norm(closed.model.gravity)
    q, still = np.zeros(3), np.zeros(1)
    F = closed.joint_wrenches(q, still, still)
    W = closed.loop_wrenches(q, still, still)
    half = np.array((0, 0, 0, 0, 0, weight / 2))
    assert_close(F, np.stack((half, half, half)), floor=weight)
    assert_close(W, -half[None], floor=weight)
    turned = np.array((0.5, -0.5, 0.5))  # cranks lean, and the first is held
    F = closed.joint_wrenches(turned, still, still)
    along = np.array((0, 0, 0, 0, 0, weight / 2 / np.cos(0.5)))  # the right one bears no bending
    assert_close(F[2], along, floor=weight)
    assert_close(F[:, 1], (closed.gravity_forces(turned)[0], 0.0, 0.0), floor=weight)
    assert closed.loop_wrenches.dq(turned, still, still).shape == (1, 6, 1)


def test_derivatives() -> None:
    """In time and along the independent joints, by complex steps."""
    state = State(mechanism("five_bar"))
    tree = state.closed.tree
    q, v, a = (objects(state[x]) for x in "qva")
    for name in ("joint_wrenches", "loop_wrenches"):
        row = MECHANISM[name]
        along = slope(row.formula(tree, state.moved(state.E[:, 0]), v, a))
        assert_close(derivative(row, "dq").formula(tree, q, v, a)[..., 0], along)
        e = np.array((0.0, 1.0))
        along = slope(row.formula(tree, q, v, stepped(state["a"], e)))
        assert_close(derivative(row, "da").formula(tree, q, v, a)[..., 1], along)
        Y = derivative(row, "dpi").formula(tree, q, v, a)
        pi = state.robot.model.parameters.ravel()
        value = state.value(name)
        assert_close(Y.astype(float) @ pi, value, floor=np.abs(value).max())


def test_force_torque_sensor() -> None:
    """A sensor in the joint of the last body reads its wrench, with the loop."""
    state = State(mechanism("five_bar"))
    given = [objects(state[x]) for x in ("q", "v", "a", "wrenches")]
    tree, model = state.closed.tree, state.robot.model
    formula = MECHANISM_FRAME["force_torque"].formula
    frames = [model.frame_names.index(name) for name in model.body_names]
    found = np.stack([formula(tree, *given, k) for k in frames])
    assert_close(found, state.value("joint_wrenches", "q", "v", "a", "wrenches"))
