"""The tree of elementary joints that formulas traverse, made from a Model once per robot.

Every node has one elementary motion (`joints.motions`) with a constant subspace. Axes lie on the
node's z axis: constant rotations are folded into the placements, where signed permutations cost
nothing once traced. Joints of several motions become as many nodes, all but the last massless.
A mimicking joint reads its leader's coordinates: q = gain * q_leader + offset.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.math.scalar import Array, is_zero, zeros
from jounce.model.drives import ElasticDrives
from jounce.model.joint import FRICTION
from jounce.model.joints import ElementaryMotion, Part
from jounce.model.model import Joint, Mimic, Model
from jounce.model.poses import (
    Number,
    exact_axis,
    exact_pose,
    join_pose,
    rotation_from_z,
    snap,
    to_objects,
    to_scalars,
)
from jounce.model.poses import compose_poses as compose_poses
from jounce.model.poses import inverse as inverse
from jounce.model.poses import inverse_pose as inverse_pose
from jounce.model.poses import moved_inertia as moved_inertia
from jounce.model.poses import split as split
from jounce.utils.lazy import cached_property


@dataclass(frozen=True, eq=False)
class Node:
    """Elementary joint and the body it moves.

    R0, p0: placement of the node's frame in its parent node's frame at the neutral configuration.
    q, v: first indices of its coordinates in the robot's q and v. inertia: ten parameters in the
    node's frame. R_user, p_user: pose of the model's body frame in the node's frame. body: index of
    the model's body, or -1 for the massless first nodes of a joint of several motions.
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
    stribeck_friction: Array
    stribeck_velocity: Array
    load_friction: Array
    friction_smoothing: Array
    load_smoothing: Array
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
DRIVES = ("armature", "damping", *FRICTION, "stiffness", "spring_reference")

#: Fields of a node that are arrays.
_ARRAYS = ("R0", "p0", "S", *DRIVES, "inertia", "R_user", "p_user")


@dataclass(frozen=True, eq=False)
class Tree:
    """Nodes in the order of the model's joints (parents first), sizes, gravity and frames.

    frames: node (-1: the world), rotation and origin of the frames of the model, then of its loops
    and contacts. loops: for each loop the indices of its frames a and b, and its locked directions.
    active: independent velocities of a closed mechanism; None if all velocities are independent.
    rows: independent constraints of the loops or contacts; None if not determined. kept:
    coefficients (nl, np) that combine the equations of redundant loops into independent ones while
    the geometry varies; None if all equations are kept. loose: whether a motion meets no resistance
    but that of the loops. base: twist of the moving base and its time derivatives, in the world's
    axes, which move with it; empty if it rests. contacts: for each active contact its frame and its
    locked directions. prescribed: velocities whose accelerations are given, in hybrid dynamics.
    tasks: for each frame of a task its index, and the rows of its twist that count. elastic: the
    elastic drives, None for a rigid robot.
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
    elastic: ElasticDrives | None = None

    @property
    def dof(self) -> int:
        """Number of velocities that describe a state."""
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
        """True if a joint follows another."""
        owners = [(node.q, node.v) for node in self.nodes]
        return len(set(owners)) < len(owners)

    @cached_property
    def has_springs(self) -> bool:
        """True if a joint has a spring."""
        return any(not is_zero(k) for node in self.nodes for k in node.stiffness)

    @cached_property
    def has_load_friction(self) -> bool:
        """True if the friction of a joint depends on its load."""
        return any(not is_zero(mu) for node in self.nodes for mu in node.load_friction)

    def without_potential(self) -> Tree:
        """Return the tree without gravity and springs.

        Returns
        -------
        Tree
            The changed tree.
        """
        nodes = (replace(node, stiffness=zeros(len(node.stiffness))) for node in self.nodes)
        return replace(self, nodes=tuple(nodes), gravity=zeros(3))

    @cached_property
    def digest(self) -> str:
        """Hash of all its numbers, which must be floats."""
        known = (self.nq, self.nv, self.loops, self.active, self.rows, self.contacts)
        structure = (*known, self.prescribed, self.tasks, self.elastic)
        sha = hashlib.sha256(repr(structure).encode())
        for node in self.nodes:
            for name, value in vars(node).items():
                known = np.asarray(value, float).tobytes() if name in _ARRAYS else value
                sha.update(repr(known).encode())
        for body, R, p in self.frames:
            sha.update(repr((body, R.tolist(), p.tolist())).encode())
        sha.update(repr([x.tolist() for x in (self.gravity, *self.base)]).encode())
        return sha.hexdigest()

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
        """Return the tree with other inertial parameters.

        Parameters
        ----------
        parameters : Array (nb, 10)
            Inertial parameters in the model's body frames.
        gravity : Array (3,), optional
            Another gravitational acceleration in m/s^2.

        Returns
        -------
        Tree
            The changed tree.
        """
        nodes = list(self.nodes)
        for i, pi in zip(self.node_of_body, parameters, strict=True):
            node = nodes[i]
            nodes[i] = replace(node, inertia=moved_inertia(pi, node.R_user, node.p_user))
        return replace(
            self, nodes=tuple(nodes), gravity=self.gravity if gravity is None else gravity
        )

    def with_geometry(self, placements: Array, screws: Array) -> Tree:
        """Return the tree with other joint placements and displaced screws.

        Parameters
        ----------
        placements : Array (nb, 4, 4)
            Poses of the joints in their parents' body frames.
        screws : Array (nb, 4, 4)
            Displacements of the joints' axes, see `with_joint_moved`.

        Returns
        -------
        Tree
            The changed tree.
        """
        nodes = list(self.nodes)
        for body, T in enumerate(placements):
            first, _ = self.nodes_of_joint(body)
            start = nodes[first]
            R0, p0 = compose_poses(T, inverse(start.R_user, start.p_user))
            if start.parent >= 0:
                parent = nodes[start.parent]
                R0, p0 = compose_poses((parent.R_user, parent.p_user), (R0, p0))
            nodes[first] = replace(start, R0=R0, p0=p0)
        tree = replace(self, nodes=tuple(nodes))
        for body, E in enumerate(screws):
            tree = tree.with_joint_moved(body, E, screw=True)
        return tree

    def with_joint_moved(self, body: int, E: Any, *, screw: bool) -> Tree:
        """Return the tree with the joint of a body displaced.

        Parameters
        ----------
        body : int
            Index of the body.
        E : Array (4, 4)
            Displacement, in the body's frame.
        screw : bool
            True moves only the joint's axis; False moves everything beyond the joint with it.

        Returns
        -------
        Tree
            The changed tree.
        """
        first, last = self.nodes_of_joint(body)
        nodes, frames = list(self.nodes), list(self.frames)
        start, end = nodes[first], nodes[last]
        about = start.R_user, start.p_user
        R0, p0 = compose_poses((start.R0, start.p0), about, E, inverse(*about))
        nodes[first] = replace(start, R0=R0, p0=p0)
        if screw:
            back = inverse(*split(E))
            shift = compose_poses((end.R_user, end.p_user), back, inverse(end.R_user, end.p_user))
            for i, node in enumerate(nodes):
                if first <= i <= last:
                    R, p = compose_poses((node.R_user, node.p_user), back)
                    nodes[i] = replace(node, R_user=R, p_user=p)
                elif node.parent == last:
                    R0, p0 = compose_poses(shift, (node.R0, node.p0))
                    nodes[i] = replace(node, R0=R0, p0=p0)
            nodes[last] = replace(nodes[last], inertia=moved_inertia(end.inertia, *shift))
            for i, (node, R, p) in enumerate(frames):
                if node == last:
                    frames[i] = (node, *compose_poses(shift, (R, p)))
        return replace(self, nodes=tuple(nodes), frames=tuple(frames))

    def with_frame_moved(self, frame: int, E: Any) -> Tree:
        """Return the tree with a frame displaced.

        Parameters
        ----------
        frame : int
            Index in `frames`.
        E : Array (4, 4)
            Displacement, in the frame itself.

        Returns
        -------
        Tree
            The changed tree.
        """
        frames = list(self.frames)
        node, *place = frames[frame]
        frames[frame] = (node, *compose_poses((place[0], place[1]), E))
        return replace(self, frames=tuple(frames))

    def nodes_of_joint(self, body: int) -> tuple[int, int]:
        """Return the first and last node of the joint that moves a body.

        Parameters
        ----------
        body : int
            Index of the body.

        Returns
        -------
        tuple of int
            Indices; the nodes between them belong to the joint too.
        """
        first = last = self.node_of_body[body]
        while (parent := self.nodes[first].parent) >= 0 and self.nodes[parent].body < 0:
            first = parent
        return first, last


def lower(model: Model, number: Number = None) -> Tree:
    """Return the elementary tree of a model.

    Parameters
    ----------
    model : Model
        The model.
    number : callable, optional
        Conversion of floats to scalars of higher precision, such as mpmath.mpf. Floats are taken as
        exact; rotations and axes are orthonormalized to all digits.

    Returns
    -------
    Tree
        Nodes, parents first.
    """
    where = coordinates(model, number)
    nodes: list[Node] = []
    node_of_body: list[int] = []
    user_frames: list[np.ndarray] = []  # pose of each model body frame in its node's frame
    for b, joint in enumerate(model.joints):
        parent = -1 if joint.parent < 0 else node_of_body[joint.parent]
        carry = exact_pose(joint.placement, number)
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
        T = exact_pose(seat, number)
        T = T if body < 0 else user_frames[body] @ T
        node = -1 if body < 0 else node_of_body[body]
        frames.append((node, to_objects(snap(T[:3, :3])), to_objects(T[:3, 3])))
    first = len(model.frames)
    loops = [(first + 2 * k, first + 2 * k + 1, x.locked) for k, x in enumerate(model.loops)]
    first += 2 * len(loops)
    contacts = tuple((first + k, x.locked) for k, x in enumerate(model.contacts))
    gravity = to_objects(to_scalars(model.gravity, number))
    sizes = (model.nq, model.nv, model.nb)
    return Tree(tuple(nodes), *sizes, gravity, tuple(frames), tuple(loops), contacts=contacts)


def _frame(part: Part, joint: Joint, number: Number) -> np.ndarray:
    """Return a motion's frame (4, 4) in the joint's: at its point, with z on its axis."""
    axis = part.direction(joint)
    K = np.eye(3) if axis is None else rotation_from_z(exact_axis(axis, number))
    return join_pose(K, to_scalars(joint.point, number))


def _node(
    part: Part,
    joint: Joint,
    place: tuple[int, int, Any, Any],
    seat: tuple[int, np.ndarray, np.ndarray],
    load: tuple[int, np.ndarray],
    number: Number,
) -> Node:
    """Return the node of one of a joint's motions.

    place: of the joint, as in `coordinates`. seat: the parent, the pose in it, and the pose of
    the model's body frame. load: the body, or -1, and its ten parameters in that frame.
    """
    (q, v, gain, offset), (parent, T, user), (body, inertia) = place, seat, load
    R_user, p_user = to_objects(snap(user[:3, :3])), to_objects(user[:3, 3])
    pitch = joint.pitch if number is None or not joint.pitch else number(joint.pitch)
    drive = {x: to_objects(to_scalars(getattr(joint, x)[part.v], number)) for x in DRIVES}
    return Node(
        parent=parent,
        motion=part.motion,
        R0=to_objects(snap(T[:3, :3])),
        p0=to_objects(T[:3, 3]),
        pitch=pitch,
        S=part.motion.subspace(pitch),
        q=q + part.q.start,
        v=v + part.v.start,
        gain=gain,
        offset=offset,
        **drive,
        inertia=moved_inertia(to_objects(to_scalars(inertia, number)), R_user, p_user),
        body=body,
        R_user=R_user,
        p_user=p_user,
    )


def _seats(model: Model) -> list[tuple[int, np.ndarray]]:
    """Return body and placement of the frames of the model, its loops and its contacts."""
    seats = [(frame.body, frame.placement) for frame in model.frames]
    for loop in model.loops:
        seats += [(loop.body_a, loop.placement_a), (loop.body_b, loop.placement_b)]
    return seats + [(contact.body, contact.placement) for contact in model.contacts]


def coordinates(model: Model, number: Number = None) -> dict[str, tuple[int, int, Any, Any]]:
    """Return the position of each joint in q and v, and its relation to them.

    Parameters
    ----------
    model : Model
        The model.
    number : callable, optional
        Conversion of floats, as in `lower`.

    Returns
    -------
    dict of str to tuple
        First indices in q and v, and gain and offset: 1 and 0, or those of the leader for mimics.
    """
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
