"""Random robots and states for tests: deterministic, physically consistent, every joint kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from jounce.math.scalar import array
from jounce.model.joints import KINDS
from jounce.model.model import Body, Joint, Mimic, Model

ALL_KINDS: tuple[str, ...] = tuple(KINDS)
#: Kinds with one degree of freedom.
SINGLE = ("revolute", "prismatic", "helical")


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    """A proper rotation matrix, evenly distributed."""
    Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return Q if np.linalg.det(Q) > 0 else Q[:, ::-1]


def random_pose(rng: np.random.Generator) -> np.ndarray:
    """A 4 x 4 pose."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = random_rotation(rng), rng.uniform(-0.5, 0.5, 3)
    return T


def random_inertia(rng: np.random.Generator) -> np.ndarray:
    """Ten parameters of a cloud of point masses, so that every inequality holds."""
    masses = rng.uniform(0.2, 1.0, 6)
    points = rng.uniform(-0.3, 0.3, (6, 3)) + rng.uniform(-0.2, 0.2, 3)
    second = (points.T * masses) @ points
    inertia = np.trace(second) * np.eye(3) - second
    entries = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    return np.array([masses.sum(), *(masses @ points), *entries])


def random_axis(rng: np.random.Generator) -> np.ndarray:
    """A unit vector; every other one is along x, y or z, which readers of trees treat apart."""
    if rng.random() < 0.5:
        return rng.choice((-1.0, 1.0)) * np.eye(3)[rng.integers(3)]
    axis = rng.normal(size=3)
    return axis / np.linalg.norm(axis)


def random_model(
    rng: np.random.Generator,
    n_joints: int,
    kinds: Sequence[str] = ALL_KINDS,
    branching: bool = True,
    armature: bool = True,
    mimic: bool = False,
    floating: bool = False,
) -> Model:
    """A random tree, numbered depth first, in which every kind occurs before any occurs twice.

    floating: joint 0 is a free joint. mimic: the last joint with one degree of freedom follows
    the first one, and the second one the last but one where there are four.
    """
    order: list[str] = ["free"] if floating else []
    while len(order) < n_joints:
        order += (str(kind) for kind in rng.permutation(list(kinds)))
    joints: list[Joint] = []
    path: list[int] = []  # from the root to the last body
    for i, name in enumerate(order[:n_joints]):
        kind = KINDS[name]
        if branching and i > 0:
            keep = len(path) if rng.random() < 0.5 else int(rng.integers(1, len(path) + 1))
            path = path[:keep]
        axis = random_axis(rng)
        across = np.cross(axis, random_rotation(rng)[0])
        across += 0.3 * axis * np.linalg.norm(across)  # neither parallel nor normal to the axis
        drive = rng.uniform(0.01, 0.3, kind.nv) if armature else np.zeros(kind.nv)
        for part in kind.parts:
            sort = part.motion.armature
            if sort != "each":
                drive[part.v] = drive[part.v.start] if sort == "ball" else 0.0
        joints.append(
            Joint(
                f"joint{i}",
                name,
                parent=path[-1] if path else -1,
                placement=random_pose(rng),
                axis=axis,
                axis2=across / np.linalg.norm(across),
                point=rng.uniform(-0.2, 0.2, 3) if kind.fields else np.zeros(3),
                pitch=float(rng.uniform(-0.3, 0.3)) if kind.pitched else 0.0,
                armature=drive,
            )
        )
        path.append(i)
    if mimic:
        _couple(joints, rng)
    bodies = tuple(Body(f"body{i}", random_inertia(rng)) for i in range(n_joints))
    gravity = rng.normal(size=3) * 5.0
    return Model("random", bodies, tuple(joints), gravity=gravity)


def _couple(joints: list[Joint], rng: np.random.Generator) -> None:
    single = [i for i, joint in enumerate(joints) if joint.nv == 1]
    pairs = [(single[-1], single[0])] if len(single) > 1 else []
    if len(single) > 3:
        pairs.append((single[1], single[-2]))
    for follower, leader in pairs:
        gain, offset = (float(x) for x in rng.uniform(-1.5, 1.5, 2))
        rule = Mimic(joints[leader].name, gain, offset)
        joints[follower] = replace(joints[follower], mimic=rule)


def random_state(
    model: Model, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Float arrays q, v, a of the right lengths; the quaternions in q have unit length."""
    q: list[np.ndarray] = []
    for joint in model.joints:
        if joint.mimic is not None:
            continue
        own = rng.uniform(-1.5, 1.5, joint.nq)
        for at in joint.row.unit_vectors:
            quaternion = rng.normal(size=at.stop - at.start)
            own[at] = quaternion / np.linalg.norm(quaternion)
        q.append(own)
    return np.concatenate(q), rng.normal(size=model.nv), rng.normal(size=model.nv)


def rate(model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """dq/dt for the velocity v, as an object array: q + 1e-30j * rate is a complex step."""
    out: list[object] = []
    i = k = 0
    for joint in model.joints:
        if joint.mimic is not None:
            continue
        own_q, own_v = array(q[i : i + joint.nq]), array(v[k : k + joint.nv])
        for part in joint.row.parts:
            out += list(part.motion.configuration_rate(own_q[part.q], own_v[part.v]))
        i, k = i + joint.nq, k + joint.nv
    return array(out)
