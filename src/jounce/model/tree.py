"""The elementary tree that formulas walk, lowered from a Model once per robot.

Every node has one elementary motion (`joints.motions`) with a constant subspace. Axes lie on the
node's z axis: constant rotations are folded into the placements, where signed permutations cost
nothing once traced. Joints of several motions become as many nodes, all but the last massless.
A mimicking joint reads its leader's coordinates: q = gain * q_leader + offset.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.math.lie import norm
from jounce.math.scalar import Array, array, identity, is_zero, zeros
from jounce.math.spatial import inertia_matrix, parameters_from, rotate_symmetric, shift_inertia
from jounce.model.joints import ElementaryMotion, Part
from jounce.model.model import Joint, Mimic, Model
from jounce.utils.lazy import cached_property

#: Rotation entries this close to 0, 1 or -1 are exactly that. URDF angles such as 1.5707963 are
#: not pi/2, and must stay what they are.
_SNAP = 1e-15


@dataclass(frozen=True, eq=False)
class Node:
    """One elementary joint and the body it moves.

    R0, p0: placement of the node's frame in its parent node's frame at the neutral configuration.
    q, v: where its coordinates start in the robot's q and v. inertia: ten parameters in the node's
    frame. R_user, p_user: pose of the model's body frame in the node's frame. body: index of the
    model's body, or -1 for the massless first nodes of a joint of several motions.
    """

    parent: int
    motion: ElementaryMotion
    R0: Array
    p0: Array
    pitch: Any
    S: Array
    q: int
    v: int
    gain: Any
    offset: Any
    armature: Array
    damping: Array
    friction: Array
    stiffness: Array
    spring_reference: Array
    inertia: Array
    body: int
    R_user: Array
    p_user: Array

    @property
    def qs(self) -> slice:
        """Its coordinates in the robot's q (those of its leader, if it mimics)."""
        return slice(self.q, self.q + self.motion.nq)

    @property
    def vs(self) -> slice:
        """Its velocities in the robot's v (those of its leader, if it mimics)."""
        return slice(self.v, self.v + self.motion.nv)


#: Fields of joints and nodes that act on each velocity, or coordinate, by itself.
DRIVES = ("armature", "damping", "friction", "stiffness", "spring_reference")

#: Fields of a node that are arrays.
_ARRAYS = ("R0", "p0", "S", *DRIVES, "inertia", "R_user", "p_user")


@dataclass(frozen=True, eq=False)
class Tree:
    """Nodes in the order of the model's joints (parents first), sizes, gravity and frames.

    frames: node (-1: the world), rotation and origin of the model's frames, then of the loops' and
    the contacts'. loops: for each loop which of the frames are its a and b, and what it locks.
    active: velocities of a closed mechanism that the others follow, or None where every velocity is
    free. rows: constraints of the loops, or of the contacts, of which no one follows from the
    others, or None where nobody has looked. kept: coefficients (nl, np) that combine the equations
    of redundant loops into independent ones while the geometry varies, or None where all equations
    hold. loose: whether some motion meets no resistance but that of the loops. base: twist of what
    the tree is mounted on and its time derivatives, in the world's axes, which move with it; none:
    it rests. contacts: for each contact that is made its frame, and what it locks. prescribed:
    velocities whose accelerations are given, in hybrid dynamics. tasks: for each frame of a task
    its index, and which rows of its twist count.
    """

    nodes: tuple[Node, ...]
    nq: int
    nv: int
    nb: int
    gravity: Array
    frames: tuple[tuple[int, Array, Array], ...]
    loops: tuple[tuple[int, int, tuple[bool, ...]], ...] = ()
    active: tuple[int, ...] | None = None
    rows: tuple[int, ...] | None = None
    kept: Array | None = None
    loose: bool = False
    base: tuple[Array, ...] = ()
    contacts: tuple[tuple[int, tuple[bool, ...]], ...] = ()
    prescribed: tuple[int, ...] = ()
    tasks: tuple[tuple[int, tuple[bool, ...]], ...] = ()

    @property
    def dof(self) -> int:
        """How many velocities a state is described by."""
        return self.nv if self.active is None else len(self.active)

    @cached_property
    def passive(self) -> tuple[int, ...]:
        """Velocities that follow the active ones."""
        return tuple(k for k in range(self.nv) if self.active is not None and k not in self.active)

    @cached_property
    def node_of_body(self) -> list[int]:
        """Node that moves each body of the model."""
        where = {node.body: i for i, node in enumerate(self.nodes)}
        return [where[b] for b in range(self.nb)]

    @cached_property
    def ancestors(self) -> list[list[int]]:
        """Strict ancestors of each node, nearest first."""
        out: list[list[int]] = []
        for node in self.nodes:
            out.append([] if node.parent < 0 else [node.parent, *out[node.parent]])
        return out

    @cached_property
    def has_mimics(self) -> bool:
        """Whether some joint follows another."""
        owners = [(node.q, node.v) for node in self.nodes]
        return len(set(owners)) < len(owners)

    @cached_property
    def has_springs(self) -> bool:
        """Whether some joint has a spring."""
        return any(not is_zero(k) for node in self.nodes for k in node.stiffness)

    def without_potential(self) -> Tree:
        """Return the tree without gravity and springs."""
        nodes = (replace(node, stiffness=zeros(len(node.stiffness))) for node in self.nodes)
        return replace(self, nodes=tuple(nodes), gravity=zeros(3))

    @cached_property
    def digest(self) -> str:
        """Hash of all its numbers, which must be floats."""
        known = (self.nq, self.nv, self.loops, self.active, self.rows, self.contacts)
        structure = (*known, self.prescribed, self.tasks)
        found = hashlib.sha256(repr(structure).encode())
        for node in self.nodes:
            for name, value in vars(node).items():
                known = np.asarray(value, float).tobytes() if name in _ARRAYS else value
                found.update(repr(known).encode())
        for body, R, p in self.frames:
            found.update(repr((body, R.tolist(), p.tolist())).encode())
        found.update(repr([x.tolist() for x in (self.gravity, *self.base)]).encode())
        return found.hexdigest()

    @cached_property
    def lumped(self) -> Tree:
        """The same joint-space dynamics with fewer non-zero inertial parameters.

        Mass on a joint's axis moves with the parent as well as with the child, so it can be given
        to the parent: a revolute child keeps hx, hy, Ixy, Ixz, Iyz, Izz and the difference of
        Ixx and Iyy, a prismatic child its mass and first moment (the minimal parameters of Gautier
        and Khalil). M, C, g and all that follows from them stay the same; the potential energy and
        the momentum of single bodies do not.
        """
        inertias = [node.inertia for node in self.nodes]
        for i in reversed(range(len(self.nodes))):
            node, parted = self.nodes[i], self.nodes[i].motion.lumped(inertias[i])
            if parted is None:
                continue
            inertias[i], surplus = parted
            if node.parent >= 0:  # the world takes it without feeling it
                moved = moved_inertia(surplus, node.R0, node.p0)
                inertias[node.parent] = inertias[node.parent] + moved
        nodes = (replace(n, inertia=i) for n, i in zip(self.nodes, inertias, strict=True))
        return replace(self, nodes=tuple(nodes))

    def with_inertias(self, parameters: Array, gravity: Array | None = None) -> Tree:
        """The same tree with other inertial parameters (nb, 10) in the model's body frames."""
        nodes = list(self.nodes)
        for i, pi in zip(self.node_of_body, parameters, strict=True):
            node = nodes[i]
            nodes[i] = replace(node, inertia=moved_inertia(pi, node.R_user, node.p_user))
        return replace(
            self, nodes=tuple(nodes), gravity=self.gravity if gravity is None else gravity
        )

    def with_geometry(self, placements: Array, screws: Array) -> Tree:
        """The same tree with other joint placements and displaced screws, (nb, 4, 4) each.

        placements: of the joints in their parents' body frames; screws: see `with_joint_moved`.
        """
        nodes = list(self.nodes)
        for body, T in enumerate(placements):
            first, _ = self.nodes_of_joint(body)
            start = nodes[first]
            R0, p0 = chained(T, inverse(start.R_user, start.p_user))
            if start.parent >= 0:
                parent = nodes[start.parent]
                R0, p0 = chained((parent.R_user, parent.p_user), (R0, p0))
            nodes[first] = replace(start, R0=R0, p0=p0)
        tree = replace(self, nodes=tuple(nodes))
        for body, E in enumerate(screws):
            tree = tree.with_joint_moved(body, E, screw=True)
        return tree

    def with_joint_moved(self, body: int, E: Any, *, screw: bool) -> Tree:
        """The same tree with the joint of a body displaced by the pose E in that body's frame.

        All beyond the joint moves with it, or for a screw stays where it is at neutral.
        """
        first, last = self.nodes_of_joint(body)
        nodes, frames = list(self.nodes), list(self.frames)
        start, end = nodes[first], nodes[last]
        about = start.R_user, start.p_user
        R0, p0 = chained((start.R0, start.p0), about, E, inverse(*about))
        nodes[first] = replace(start, R0=R0, p0=p0)
        if screw:
            back = inverse(*split(E))
            shift = chained((end.R_user, end.p_user), back, inverse(end.R_user, end.p_user))
            for i, node in enumerate(nodes):
                if first <= i <= last:
                    R, p = chained((node.R_user, node.p_user), back)
                    nodes[i] = replace(node, R_user=R, p_user=p)
                elif node.parent == last:
                    R0, p0 = chained(shift, (node.R0, node.p0))
                    nodes[i] = replace(node, R0=R0, p0=p0)
            nodes[last] = replace(nodes[last], inertia=moved_inertia(end.inertia, *shift))
            for i, (node, R, p) in enumerate(frames):
                if node == last:
                    frames[i] = (node, *chained(shift, (R, p)))
        return replace(self, nodes=tuple(nodes), frames=tuple(frames))

    def nodes_of_joint(self, body: int) -> tuple[int, int]:
        """First and last node of the joint that moves a body; those between are its own too."""
        first = last = self.node_of_body[body]
        while (parent := self.nodes[first].parent) >= 0 and self.nodes[parent].body < 0:
            first = parent
        return first, last


def split(pose: Any) -> tuple[Array, Array]:
    """Rotation and origin of a pose, a pair (R, p) or a matrix (4, 4)."""
    return pose if isinstance(pose, tuple) else (pose[:3, :3], pose[:3, 3])


def inverse(R: Array, p: Array) -> tuple[Array, Array]:
    """The inverse of the pose (R, p)."""
    return R.T, -(R.T @ p)


def chained(first: Any, *poses: Any) -> tuple[Array, Array]:
    """Product of poses, each a pair (R, p) or a matrix (4, 4)."""
    R, p = split(first)
    for pose in poses:
        Rn, pn = split(pose)
        R, p = R @ Rn, p + R @ pn
    return R, p


def moved_inertia(inertia: Array, R: Array, p: Array) -> Array:
    """Parameters in the frame in which the body's frame has the pose (R, p)."""
    about = rotate_symmetric(R, inertia_matrix(inertia))
    about, h = shift_inertia(about, R @ inertia[1:4], inertia[0], p)
    return parameters_from(inertia[0], h, about)


def _snap(R: np.ndarray) -> np.ndarray:
    if R.dtype == object:  # done before its numbers were made
        return R
    nearest = np.round(R)
    return np.where(np.abs(R - nearest) <= _SNAP, nearest, R)


#: What makes a scalar of a float, or None for floats as they are.
Number = Callable[[float], Any] | None


def _numbers(x: np.ndarray, number: Number) -> np.ndarray:
    """An array of floats, or of the scalars that `number` makes of them; zeros stay structural."""
    if number is None:
        return x
    return array(number(e) if e else 0.0 for e in x.ravel().tolist()).reshape(x.shape)


def _placed(T: np.ndarray, number: Number) -> np.ndarray:
    """A pose in these numbers, whose rotation is one to all of their digits: the nearest one."""
    if number is None:
        return T
    R = _numbers(_snap(T[:3, :3]), number)
    if np.count_nonzero(R) > 3:  # else a signed permutation
        for _ in range(8):  # Newton for the polar factor: from 6 digits to more than a thousand
            R = R - 0.5 * (R @ (R.T @ R - identity(3)))
    return _pose(R, _numbers(T[:3, 3], number))


def _unit(x: np.ndarray) -> np.ndarray:
    """x / |x|, for floats and other scalars."""
    return x / (norm(x) if x.dtype == object else np.linalg.norm(x))


def _z_to(axis: np.ndarray) -> np.ndarray:
    """A rotation that takes z to the axis: a cyclic permutation where the axis is +-x, y or z."""
    k = int(np.argmax(np.abs(axis)))
    if np.count_nonzero(np.abs(axis) > _SNAP) == 1:
        cyclic = np.roll(np.eye(3), (k + 1) % 3, axis=0)
        return cyclic if axis[k] > 0 else cyclic @ np.diag((1.0, -1.0, -1.0))
    x = _unit(np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))]))
    return np.column_stack((x, np.cross(axis, x), axis))


def _axis(axis: np.ndarray, number: Number) -> np.ndarray:
    """A unit vector in these numbers."""
    return axis if number is None else _unit(_numbers(axis, number))


def _pose(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    T = np.eye(4).astype(p.dtype)
    T[:3, :3], T[:3, 3] = R, p
    return T


def inverse_pose(T: np.ndarray) -> np.ndarray:
    """Inverse (4, 4) of a pose."""
    return _pose(T[:3, :3].T, -T[:3, :3].T @ T[:3, 3])


def _objects(x: np.ndarray) -> Array:
    """Object array of Python numbers, free of negative zeros."""
    out = zeros(*np.shape(x))
    out[...] = (np.asarray(x) + 0.0).tolist()
    return out


def lower(model: Model, number: Number = None) -> Tree:
    """The elementary tree of a model.

    number: makes scalars of the model's floats, for trees that are more precise than floats, such
    as mpmath.mpf. The floats are taken for what they are, to the last bit; rotations and axes are
    made orthonormal to all digits, and all that is derived from them is computed with the scalars.
    """
    where = coordinates(model, number)
    nodes: list[Node] = []
    node_of_body: list[int] = []
    user_frames: list[np.ndarray] = []  # pose of each model body frame in its node's frame
    for b, joint in enumerate(model.joints):
        parent = -1 if joint.parent < 0 else node_of_body[joint.parent]
        carry = _placed(joint.placement, number)
        if parent >= 0:
            carry = user_frames[joint.parent] @ carry
        parts = joint.row.parts
        for part in parts:
            # the motion is frame * (about or along z) * frame^-1 in user coordinates
            frame = _frame(part, joint, number)
            T, carry = carry @ frame, inverse_pose(frame)
            body = b if part is parts[-1] else -1
            inertia = np.zeros(10) if body < 0 else model.bodies[b].inertia
            seat = (parent, T, carry)
            nodes.append(_node(part, joint, where[joint.name], seat, (body, inertia), number))
            parent = len(nodes) - 1
        node_of_body.append(parent)
        user_frames.append(carry)
    frames = []
    for body, seat in _seats(model):
        T = _placed(seat, number)
        T = T if body < 0 else user_frames[body] @ T
        node = -1 if body < 0 else node_of_body[body]
        frames.append((node, _objects(_snap(T[:3, :3])), _objects(T[:3, 3])))
    first = len(model.frames)
    loops = [(first + 2 * k, first + 2 * k + 1, x.locked) for k, x in enumerate(model.loops)]
    first += 2 * len(loops)
    contacts = tuple((first + k, x.locked) for k, x in enumerate(model.contacts))
    gravity = _objects(_numbers(model.gravity, number))
    sizes = (model.nq, model.nv, model.nb)
    return Tree(tuple(nodes), *sizes, gravity, tuple(frames), tuple(loops), contacts=contacts)


def _frame(part: Part, joint: Joint, number: Number) -> np.ndarray:
    """Pose (4, 4) of a motion's frame in the joint's: at its point, with z on its axis."""
    axis = part.direction(joint)
    K = np.eye(3) if axis is None else _z_to(_axis(axis, number))
    return _pose(K, _numbers(joint.point, number))


def _node(
    part: Part,
    joint: Joint,
    place: tuple[int, int, Any, Any],
    seat: tuple[int, np.ndarray, np.ndarray],
    load: tuple[int, np.ndarray],
    number: Number,
) -> Node:
    """The node of one of a joint's motions.

    place: of the joint, as `coordinates` says. seat: the parent, the pose in it, and the pose of
    the model's body frame here. load: the body, or -1, and its ten parameters in that frame.
    """
    (q, v, gain, offset), (parent, T, user), (body, inertia) = place, seat, load
    R_user, p_user = _objects(_snap(user[:3, :3])), _objects(user[:3, 3])
    pitch = joint.pitch if number is None or not joint.pitch else number(joint.pitch)
    drive = {what: _objects(_numbers(getattr(joint, what)[part.v], number)) for what in DRIVES}
    return Node(
        parent=parent,
        motion=part.motion,
        R0=_objects(_snap(T[:3, :3])),
        p0=_objects(T[:3, 3]),
        pitch=pitch,
        S=part.motion.subspace(pitch),
        q=q + part.q.start,
        v=v + part.v.start,
        gain=gain,
        offset=offset,
        **drive,
        inertia=moved_inertia(_objects(_numbers(inertia, number)), R_user, p_user),
        body=body,
        R_user=R_user,
        p_user=p_user,
    )


def _seats(model: Model) -> list[tuple[int, np.ndarray]]:
    """Body and placement of the model's frames, of the two of each loop, of the contacts'."""
    seats = [(frame.body, frame.placement) for frame in model.frames]
    for loop in model.loops:
        seats += [(loop.body_a, loop.placement_a), (loop.body_b, loop.placement_b)]
    return seats + [(contact.body, contact.placement) for contact in model.contacts]


def coordinates(model: Model, number: Number = None) -> dict[str, tuple[int, int, Any, Any]]:
    """For each joint: where its q and v start, and gain and offset (1 and 0 unless it mimics)."""
    number = float if number is None else number
    out: dict[str, tuple[int, int, Any, Any]] = {}
    q = v = 0
    for joint in model.joints:
        if joint.mimic is None:
            out[joint.name] = (q, v, 1.0, 0.0)
            q, v = q + joint.nq, v + joint.nv
    by_name = {joint.name: joint for joint in model.joints}
    for joint in model.joints:
        followers: list[tuple[str, Mimic]] = []
        while joint.name not in out and joint.mimic is not None:
            followers.append((joint.name, joint.mimic))
            joint = by_name[joint.mimic.leader]
        start_q, start_v, gain, offset = out[joint.name]
        for name, rule in reversed(followers):
            multiplier = number(rule.multiplier)
            gain, offset = multiplier * gain, multiplier * offset + number(rule.offset)
            if not np.isfinite((float(gain), float(offset))).all():
                raise ModelError(f"joint '{name}': the numbers of its mimic chain overflow")
            out[name] = (start_q, start_v, gain, offset)
    return out
