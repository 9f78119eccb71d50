"""Mechanisms with closed loops for tests: textbook ones, and random trees with random loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from jounce.catalog.mechanism import ALL_JOINTS, MECHANISM
from jounce.formulas import wrt_screws
from jounce.formulas.kinematics import frame_pose
from jounce.formulas.mechanism.loops import loop_jacobian, loop_residual, velocity_matrix
from jounce.io import TreeBuilder, placement
from jounce.math.jets import coefficients
from jounce.model.constraints import LOOPS
from jounce.model.model import Model
from jounce.model.tree import Tree, lower
from jounce.papers import kwon
from jounce.robot import Robot
from jounce.solve.mechanism.robot import Mechanism
from support.helpers import STEP, objects, quiet_read, slope
from support.robots import random_model, random_pose, random_rotation, random_state, rate


def turn(axis: int, angle: float) -> np.ndarray:
    """Rotation matrix about x, y or z."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[i, i] = R[j, j] = np.cos(angle)
    R[j, i] = np.sin(angle)
    R[i, j] = -R[j, i]
    return R


def free_motion(locked: Sequence[bool], rng: np.random.Generator) -> np.ndarray:
    """A pose of b in a at which a loop that locks these motions is closed."""
    T = np.eye(4)
    T[:3, 3] = np.where(locked[3:], 0.0, rng.uniform(-0.3, 0.3, 3))
    turns = [k for k in range(3) if locked[k]]
    if not turns:
        T[:3, :3] = random_rotation(rng)
    elif len(turns) == 2:
        T[:3, :3] = turn(3 - sum(turns), rng.uniform(-3.0, 3.0))
    elif len(turns) == 1:
        i, j = (turns[0] + 1) % 3, (turns[0] + 2) % 3
        T[:3, :3] = turn(j, rng.uniform(-2.0, 2.0)) @ turn(i, rng.uniform(-2.0, 2.0))
    return T


def with_random_loops(
    model: Model, kinds: Sequence[str | Sequence[bool]], rng: np.random.Generator
) -> tuple[Robot, np.ndarray]:
    """The model with random loops, closed at a random configuration, and that.

    They lead from one of the first bodies, every other one from the world, to one of the last.
    """
    q, _, _ = random_state(model, rng)
    tree = lower(model)
    poses = [frame_pose(tree, objects(q), i).astype(float) for i in range(len(model.frames))]
    for k, kind in enumerate(kinds):
        third = model.nb // 3
        ends = rng.integers(0, third), rng.integers(model.nb - third, model.nb)
        a, b = (model.frame_index(f"body{i}") for i in ends)
        name_a, T_a = ("world", np.eye(4)) if k % 2 else (model.frames[a].name, poses[a])
        locked = LOOPS[kind] if isinstance(kind, str) else kind
        seat = random_pose(rng)
        other = np.linalg.inv(poses[b]) @ T_a @ seat @ free_motion(locked, rng)
        other[3] = (0.0, 0.0, 0.0, 1.0)
        model = model.with_loop((name_a, seat), (model.frames[b].name, other), kind)
    return Robot(model), q


# ------------------------------------------------------------------ mechanisms


def _box(mass: float, com: Any, size: Any) -> dict[str, Any]:
    x, y, z = np.square(size)
    return {"mass": mass, "com": com, "inertia_com": mass / 12 * np.diag((y + z, x + z, x + y))}


def stewart() -> tuple[Robot, np.ndarray]:
    """Platform on six legs, universal and prismatic, with ball joints; and a place to start."""
    builder = TreeBuilder("stewart")
    builder.add("platform", "free", joint_name="pose", **_box(5.0, (0.01, 0.02, 0.03), (1, 1, 0.1)))
    ends = []
    for k in range(6):
        angle, side = 2 * np.pi / 3 * (k // 2), 1 if k % 2 else -1
        foot = angle + 0.2 * side
        head = angle + (np.pi / 3 - 0.2) * side
        tip = np.array((0.6 * np.cos(head), 0.6 * np.sin(head), 0.0))
        base = np.array((np.cos(foot), np.sin(foot), 0.0))
        reach = tip + np.array((0.0, 0.0, 1.0)) - base
        length = np.linalg.norm(reach)
        T = np.eye(4)
        T[:3, 2] = reach / length
        T[:3, 0] = np.cross((0.0, 1.0, 0.0), T[:3, 2])
        T[:3, 0] /= np.linalg.norm(T[:3, 0])
        T[:3, 1] = np.cross(T[:3, 2], T[:3, 0])
        T[:3, 3] = base
        builder.add(
            f"cylinder{k}",
            "universal",
            placement=T,
            axis=(1, 0, 0),
            axis2=(0, 1, 0),
            **_box(1.0, (0, 0, 0.2), (0.05, 0.05, 0.4)),
        )
        builder.add(
            f"rod{k}",
            "prismatic",
            f"cylinder{k}",
            joint_name=f"leg{k}",
            xyz=(0, 0, length / 2),
            axis=(0, 0, 1),
            **_box(0.5, (0, 0, 0.2), (0.03, 0.03, 0.4)),
        )
        ends.append((placement(tip), placement((0, 0, length / 2))))
    robot = Robot(builder.build())
    for k, (head, tip) in enumerate(ends):
        robot = robot.edit.with_loop(("platform", head), (f"rod{k}", tip), "spherical", f"ball{k}")
    q = robot.neutral()
    q[robot.joints["pose"].q][6] = 1.0
    return robot, q


def leg() -> Robot:
    """Leg on a floating pelvis, its ankle driven by two motors on the shank through rods."""
    builder = TreeBuilder("leg")
    builder.add("pelvis", "free", joint_name="base", **_box(10.0, (0, 0, 0.1), (0.2, 0.3, 0.2)))
    limb = (("thigh", "pelvis", "hip", (0, 0.1, 0)), ("shank", "thigh", "knee", (0, 0, -0.4)))
    for link, parent, joint, xyz in limb:
        body = _box(4.0, (0.01, 0, -0.2), (0.1, 0.1, 0.4))
        builder.add(link, "revolute", parent, joint_name=joint, xyz=xyz, axis=(0, 1, 0), **body)
    across: dict[str, Any] = {"axis": (0, 1, 0), "axis2": (1, 0, 0)}
    foot = _box(1.0, (0.05, 0, -0.03), (0.2, 0.08, 0.04))
    builder.add(
        "foot", "universal", "shank", joint_name="ankle", xyz=(0, 0, -0.4), **across, **foot
    )
    for side, y in (("left", 0.05), ("right", -0.05)):
        crank, rod = f"{side}_crank", f"{side}_rod"
        body = _box(0.2, (-0.03, 0, 0), (0.06, 0.02, 0.02))
        motor: dict[str, Any] = {"joint_name": f"{side}_motor", "xyz": (0, y, -0.15)}
        builder.add(crank, "revolute", "shank", axis=(0, 1, 0), **motor, **body)
        body = _box(0.15, (0, 0, -0.125), (0.02, 0.02, 0.25))
        builder.add(rod, "universal", crank, xyz=(-0.06, 0, 0), **across, **body)
        ends = (placement((0, 0, -0.25)), placement((-0.06, y, 0)))
        builder.loop(f"{side}_linkage", rod, "foot", "point", *ends)
    return Robot(builder.build())


def bennett() -> Robot:
    """Bennett's linkage: four skew axes that move although counting says they cannot."""
    a, b, alpha = 0.3, 0.4, 0.7
    beta = np.arcsin(b / a * np.sin(alpha))
    builder = TreeBuilder("bennett")
    parent, seat = None, np.eye(4)
    for k, (length, twist) in enumerate(((a, alpha), (b, beta), (a, alpha))):
        body = _box(1.0, (length / 2, 0.01, 0.02), (length, 0.02, 0.03))
        builder.add(f"bar{k}", "revolute", parent, placement=seat, axis=(0, 0, 1), **body)
        seat = placement((length, 0, 0)) @ placement(rpy=(twist, 0, 0))
        parent = f"bar{k}"
    ground = np.linalg.inv(placement((b, 0, 0)) @ placement(rpy=(beta, 0, 0)))
    builder.loop("last", parent, None, "revolute", seat, ground)
    return Robot(builder.build())


def rssr() -> Robot:
    """Spatial four-bar with two balls, one of them a universal joint that stops idle spin."""
    builder = TreeBuilder("rssr")
    rod = _box(0.5, (0.3, 0.01, -0.02), (0.6, 0.03, 0.02))
    builder.add(
        "crank", "revolute", axis=(0, 0, 1), **_box(1.0, (0.1, 0.02, 0.01), (0.2, 0.04, 0.03))
    )
    builder.add(
        "coupler", "universal", "crank", xyz=(0.2, 0, 0.05), axis=(0, 1, 0), axis2=(0, 0, 1), **rod
    )
    rocker: dict[str, Any] = {"xyz": (0.5, 0.4, 0.1), "axis": (0.6, 0, 0.8)}
    builder.add("rocker", "revolute", **rocker, **_box(0.8, (0, 0.2, 0.03), (0.03, 0.4, 0.02)))
    robot = Robot(builder.build())
    ends = placement((0.6, 0, 0)), placement((0.05, -0.45, 0.02))
    return robot.edit.with_loop(("coupler", ends[0]), ("rocker", ends[1]), "spherical", "ball")


def kwon_five_bar() -> Mechanism:
    """The note's own tree: joint 5 moves a massless link that is welded to link 3."""
    robot = Robot(kwon.five_bar().model)
    names = robot.model.body_names
    return robot.edit.with_loop(names[2], names[4]).closed([0, 3], q0=(0.2, 0.1, -0.1, 0.3, 0.0))


def _random(seed: int, n: int, loops: Sequence[Any], **options: Any) -> Mechanism:
    rng = np.random.default_rng(seed)
    model = random_model(rng, n, branching=False, **options)
    robot, q = with_random_loops(model, loops, rng)
    return robot.closed(q0=q)


_LEAN = (False, True, False, False, False, False)
_MIXED = (True, False, False, True, False, True)

MECHANISMS: dict[str, Callable[[], Mechanism]] = {
    "four_bar": lambda: Robot(quiet_read("four_bar")).closed(q0=(0.4, -0.2, 0.1)),
    "five_bar": lambda: Robot(quiet_read("five_bar")).closed(q0=(0.2, 0.1, -0.1, 0.3)),
    "massless": kwon_five_bar,
    "bennett": lambda: bennett().closed(q0=(1.0, 0.5, 1.0)),
    "rssr": lambda: rssr().closed(("crank_joint",)),
    "leg": lambda: leg().closed(("base", "hip", "knee", "left_motor", "right_motor")),
    "stewart": lambda: stewart()[0].closed([f"leg{k}" for k in range(6)], stewart()[1]),
    "weld": lambda: _random(1, 8, ["weld"], kinds=("revolute", "universal", "prismatic")),
    "revolute": lambda: _random(3, 5, ["revolute"], kinds=("spherical", "cylindrical", "helical")),
    "planar": lambda: _random(4, 5, ["planar", _LEAN], kinds=("planar", "spherical", "revolute")),
    "mixed": lambda: _random(5, 9, [_MIXED, "point"], mimic=True, kinds=("revolute", "helical")),
    "floating": lambda: _random(6, 5, ["spherical", _MIXED], floating=True),
}


@cache
def mechanism(name: str) -> Mechanism:
    """One of MECHANISMS."""
    return MECHANISMS[name]()


def pendulum(*lengths: float, kind: str = "revolute") -> TreeBuilder:
    """Links along x that turn about z."""
    builder, parent, at = TreeBuilder("chain"), None, 0.0
    for k, length in enumerate(lengths):
        body = {"mass": 1.0, "com": (length / 2, 0.01, 0.0), "inertia_com": np.eye(3) * 0.01}
        builder.add(f"link{k}", kind, parent, xyz=(at, 0, 0), axis=(0, 0, 1), **body)
        parent, at = f"link{k}", length
    return builder


# ------------------------------------------------------------------ states and values


class State:
    """A random state of a mechanism, with its loops closed, and what complex steps need."""

    def __init__(self, closed: Mechanism, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.closed = closed
        self.robot = closed.robot
        q = self.robot.integrate(closed.reference, 0.15 * rng.normal(size=self.robot.nv))
        found = closed.assemble(q, ())
        assert found.success
        assert not found.singular
        self.q = found.q
        names = ("v", "a", "j", "s", "d5q", "tau", "dtau", "ddtau", "v_r", "a_r", "lam")
        self.levels = {name: rng.normal(size=closed.nv) for name in names}
        self.levels |= {"q": self.q, "wrenches": rng.normal(size=(self.robot.nb, 6))}
        self.levels["joint_forces"] = rng.normal(size=self.robot.nv)
        self.levels["w"] = self.levels["wrenches"]
        self.E = self.value("velocity_matrix")
        self.levels |= {"q0": self.q, "q1": closed.assemble(q + 0.01, ()).q}
        self.levels["dv"] = 0.1 * self["v"]
        self.levels["load"] = rng.normal(size=10)
        self.levels["qdot"] = rate(self.robot.model, self.q, self.full()).astype(float)

    def __getitem__(self, name: str) -> np.ndarray:
        return self.levels[name]

    def formula(self, name: str) -> Callable[..., Any]:
        """The formula of a quantity on this mechanism's tree, on any scalar."""
        if name == "velocity_matrix":
            return lambda q: velocity_matrix(self.closed.tree, q)
        if name in ALL_JOINTS:
            tree = self.closed._all_joints.tree
            return lambda *x: ALL_JOINTS[name].formula(tree, *x)
        return lambda *x: MECHANISM[name].formula(self.closed.tree, *x)

    def value(self, name: str, *arguments: str) -> np.ndarray:
        """A quantity on floats, without a compiler."""
        given = arguments or (MECHANISM.get(name) or ALL_JOINTS.get(name) or _Q).arguments
        return np.asarray(self.formula(name)(*(objects(self[x]) for x in given))).astype(float)

    def moved(self, velocity: np.ndarray) -> np.ndarray:
        """q a complex step along a velocity of all joints."""
        return objects(self.q) + 1j * STEP * rate(self.robot.model, self.q, velocity)

    def full(self, name: str = "v") -> np.ndarray:
        """The velocity of all joints."""
        return self.E @ self[name]


class _Q:
    arguments = ("q",)


def stepped(x: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """x a complex step along a direction."""
    return objects(x) + 1j * STEP * objects(direction)


# ------------------------------------------------------------------ complex displacements


def complex_displacement(tree: Tree, body: int, twist: np.ndarray, screw: bool) -> Tree:
    """The tree displaced by a complex step: series with their first coefficients made imaginary."""
    moved = wrt_screws.displace_joint(tree, body, objects(twist), screw)

    def step(x: np.ndarray) -> np.ndarray:
        value, change = coefficients(x, 1)
        return value + 1j * STEP * change

    nodes = []
    for node in moved.nodes:
        names = ("R0", "p0", "inertia", "R_user", "p_user")
        nodes.append(replace(node, **{name: step(getattr(node, name)) for name in names}))
    frames = tuple((i, step(R), step(p)) for i, R, p in moved.frames)
    return replace(moved, nodes=tuple(nodes), frames=frames)


def follow(state: State, tree: Tree) -> np.ndarray:
    """q a complex step on, so that the loops of a displaced tree are closed."""
    whole = replace(tree, active=None, kept=None)
    residual = slope(loop_residual(whole, objects(state.q)))
    G = loop_jacobian(state.closed._all_joints.tree, objects(state.q)).astype(float)
    passive = list(state.closed.tree.passive)
    step = np.zeros(state.robot.nv)
    step[passive] = -np.linalg.lstsq(G[:, passive], residual)[0]
    return state.moved(step)
