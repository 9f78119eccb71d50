"""Editing of models: lock joints, cut out subtrees, attach tools and payloads.

Functions return a changed copy of a model. Bodies that are welded together become one, as when a
file is read: the body that carries the others gets their inertia and shapes, and all frames remain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError, ModelWarning, suggest, warn
from jounce.formulas.kinematics import frame_pose
from jounce.formulas.mechanism.loops import loop_residual
from jounce.io.builder import floats
from jounce.math.scalar import array
from jounce.model.constraints import Contact, Loop
from jounce.model.joints import FLOATING
from jounce.model.links import weld_bodies
from jounce.model.model import Body, Frame, Joint, Link, Model
from jounce.model.numbers import Floats, rigid_pose
from jounce.model.tree import coordinates, inverse_pose, lower

#: Maximum gap (m, rad) of a loop whose two frames are on one body, to count as closed.
_MAX_GAP = 1e-6

#: Where a body is in the assembled model: index of the body (-1: the world) that contains it, and
#: pose of its frame in the frame of that body.
_Mount = tuple[int, Floats]


# ------------------------------------------------------------------ the operations


def lock(model: Model, values: Mapping[str, ArrayLike]) -> Model:
    """Return the model with some joints fixed at given coordinates.

    Bodies of locked joints become part of their parents (in the world their inertia has no effect).
    Frames keep their names, drives of locked joints are removed, other joints keep their order.

    Parameters
    ----------
    model : Model
        The model.
    values : mapping of str to array_like
        Coordinates by joint name in rad and m: a number, or nq of them (a quaternion (w, x, y, z),
        which is normalized, then a position for a free joint). Followers are locked too.

    Returns
    -------
    Model
        The changed model.

    Examples
    --------
    >>> import jounce
    >>> jounce.edit.lock(jounce.read("planar_2r"), {"joint2": 0.5}).nv
    1
    """
    locked = _locked_coordinates(model, values)
    if len(locked) == model.nb:
        raise ModelError(
            f"robot '{model.name}': locking {', '.join(values)} leaves no joint that moves"
        )
    assembly = _Assembly(model)
    assembly.add(model, {-1: (-1, np.eye(4))}, locked)
    return assembly.build()


def subtree(model: Model, link: str) -> Model:
    """Return the part of a model beyond a link (or frame), whose frame becomes the fixed base.

    Joints keep their order. The link itself and its inertia are not part of it, so that attaching
    the result there again restores the robot; gravity keeps its components, now along the link's
    axes.

    Parameters
    ----------
    model : Model
        The model.
    link : str
        Name of a link or frame.

    Returns
    -------
    Model
        The subtree.

    Examples
    --------
    >>> import jounce
    >>> jounce.edit.subtree(jounce.read("planar_2r"), "link1").joint_names
    ['joint2']
    """
    base = model.frames[model.frame_index(link)]
    if all(joint.parent != base.body for joint in model.joints):
        parents = {model.bodies[j.parent].name: None for j in model.joints if j.parent >= 0}
        raise ModelError(
            f"robot '{model.name}': no joint has the parent '{link}'; choose a link with a joint:"
            f" {', '.join(parents) or '(none has one)'}"
        )
    assembly = _Assembly(replace(model, name=link))
    assembly.add(model, {base.body: (-1, inverse_pose(base.placement))})
    inside = {joint.name for joint in assembly.joints}
    for joint in assembly.joints:
        if joint.mimic is not None and joint.mimic.leader not in inside:
            raise ModelError(
                f"robot '{model.name}': joint '{joint.name}' follows '{joint.mimic.leader}', which"
                f" is not in the subtree of '{link}'; lock '{joint.mimic.leader}' first"
            )
    return assembly.build()


def attach(
    model: Model,
    other: Model | Body | ArrayLike,
    frame: str,
    placement: ArrayLike | None = None,
    *,
    prefix: str = "",
    weld: bool = True,
) -> Model:
    """Return the model with another robot, a body or an inertia fixed to one of its frames.

    Joints and coordinates of the other robot come after the model's own. Gravity stays the model's.

    Parameters
    ----------
    model : Model
        The model.
    other : Model, Body or array_like (10,)
        A robot, with everything fixed in its world, such as its base link; a body; or inertial
        parameters.
    frame : str
        Frame of the model.
    placement : array_like (4, 4), optional
        Pose of the world, body frame or inertia in that frame; by default the identity.
    prefix : str
        Prefix of the names of the other robot's joints, links, frames, loops and contacts.
    weld : bool
        If a free joint holds all of the other robot, weld it at its neutral configuration.

    Returns
    -------
    Model
        The combined model.

    Examples
    --------
    >>> import jounce
    >>> ball = jounce.inertia.sphere(0.05, mass=1.0)
    >>> model = jounce.read("planar_2r")
    >>> round(jounce.edit.attach(model, ball, "tool").mass - model.mass, 6)  # kg
    1.0
    """
    parent_frame = model.frames[model.frame_index(frame)]
    T = parent_frame.placement @ _parse_placement(placement)
    assembly = _Assembly(model)
    assembly.add(model, {-1: (-1, np.eye(4))})
    if isinstance(other, Model):
        locked = _welded_coordinates(other) if weld else {}
        _reject_clashes(model, other, locked, prefix)
        assembly.add(other, {-1: (parent_frame.body, T)}, locked, prefix)
        return assembly.build()
    if parent_frame.body < 0:
        raise ModelError(
            f"frame '{frame}' is fixed in the world, where inertia has no effect; choose a frame of"
            " a link that moves"
        )
    if isinstance(other, Body):
        payload = _add_prefix(other, prefix)
        _reject_clash(model, "frame", payload.name, {f.name for f in model.frames}, prefix)
        assembly.frames.append(Frame(payload.name, parent_frame.body, T))
    elif np.shape(other) == (10,):
        payload = Body(frame, floats(other, (10,), "inertial parameters of the payload"))
    else:
        kind = np.shape(other) or f"an object of type {type(other).__name__}"
        raise ModelError(
            "attach: expected a robot (load files first, with jounce.load), a Body, or the inertial"
            f" parameters of a payload, shape (10,), found {kind}"
        )
    assembly.weld(payload, parent_frame.body, T)
    return assembly.build()


def with_frame(
    model: Model, name: str, frame: str | None = None, placement: ArrayLike | None = None
) -> Model:
    """Return the model with one more frame.

    Parameters
    ----------
    model : Model
        The model.
    name : str
        Name of the frame, new.
    frame : str, optional
        Frame in which the pose is given; None is the world.
    placement : array_like (4, 4), optional
        The pose; by default the identity.

    Returns
    -------
    Model
        The changed model.

    Examples
    --------
    >>> import jounce
    >>> model = jounce.edit.with_frame(jounce.read("planar_2r"), "camera", "link1")
    >>> "camera" in model.frame_names
    True
    """
    parent_frame = Frame("world", -1) if frame is None else model.frames[model.frame_index(frame)]
    if name in {f.name for f in model.frames}:
        raise ModelError(f"robot '{model.name}' already has a frame '{name}'; give another name")
    added = Frame(name, parent_frame.body, parent_frame.placement @ _parse_placement(placement))
    return replace(model, frames=(*model.frames, added))


def _parse_placement(placement: ArrayLike | None) -> Floats:
    return np.eye(4) if placement is None else rigid_pose(placement, "placement")


# ------------------------------------------------------------------ assembly of several models


class _Assembly:
    """Collector of bodies, joints, frames, loops and contacts of several models."""

    def __init__(self, like: Model) -> None:
        self.like = like
        self.bodies: list[Body] = []
        self.joints: list[Joint] = []
        self.frames: list[Frame] = []
        self.loops: list[Loop] = []
        self.contacts: list[Contact] = []
        self.ground = Body("world", np.zeros(10))

    def weld(self, payload: Body, body: int, T: Floats) -> None:
        """Weld a payload to the body with an index (-1: the world), at the pose T (4, 4) in it."""
        if body < 0:
            self.ground = weld_bodies(self.ground, payload, T)
        else:
            self.bodies[body] = weld_bodies(self.bodies[body], payload, T)

    def add(
        self,
        model: Model,
        mounts: Mapping[int, _Mount],
        locked: Mapping[str, Floats] | None = None,
        prefix: str = "",
    ) -> None:
        """Add the subtrees of the bodies in `mounts`; `locked` joints get fixed coordinates."""
        mounts = dict(mounts)
        locked = locked or {}
        if -1 in mounts:  # the link that a subtree is cut from does not belong to the subtree
            self.weld(_add_prefix(model.ground, prefix), *mounts[-1])
        for i, (joint, body) in enumerate(zip(model.joints, model.bodies, strict=True)):
            if joint.parent not in mounts:
                continue
            parent, T = mounts[joint.parent]
            body = _add_prefix(body, prefix)
            if joint.name in locked:
                T = T @ joint_pose(joint, locked[joint.name])
                self.weld(body, parent, T)
                mounts[i] = (parent, T)
                continue
            rule = joint.mimic and replace(joint.mimic, leader=prefix + joint.mimic.leader)
            self.joints.append(
                replace(
                    joint,
                    name=prefix + joint.name,
                    parent=parent,
                    placement=T @ joint.placement,
                    mimic=rule,
                )
            )
            self.bodies.append(body)
            mounts[i] = (len(self.bodies) - 1, np.eye(4))
        for frame in model.frames:
            if frame.body in mounts:
                body, T = mounts[frame.body]
                self.frames.append(Frame(prefix + frame.name, body, T @ frame.placement))
        for loop in model.loops:
            self._add_loop(loop, mounts, prefix)
        for contact in model.contacts:
            self._add_contact(contact, mounts, prefix)

    def _add_loop(self, loop: Loop, mounts: Mapping[int, _Mount], prefix: str) -> None:
        ends = [end for end in (loop.body_a, loop.body_b) if end in mounts]
        if len(ends) == 1:
            warn(
                f"robot '{self.like.name}': loop '{loop.name}' ends outside this part and is"
                " left out",
                ModelWarning,
            )
        if len(ends) < 2:
            return
        (a, T_a), (b, T_b) = mounts[loop.body_a], mounts[loop.body_b]
        A, B = T_a @ loop.placement_a, T_b @ loop.placement_b
        if a != b:
            name = prefix + loop.name
            moved_loop = replace(loop, name=name, body_a=a, body_b=b, placement_a=A, placement_b=B)
            self.loops.append(moved_loop)
        elif not _is_closed(loop, A, B):
            raise ModelError(
                f"robot '{self.like.name}': loop '{loop.name}' is open at these coordinates, and"
                " nothing that still moves could close it"
            )

    def _add_contact(self, contact: Contact, mounts: Mapping[int, _Mount], prefix: str) -> None:
        if contact.body not in mounts:
            return
        body, T = mounts[contact.body]
        if body < 0:
            warn(
                f"robot '{self.like.name}': contact '{contact.name}' is fixed in the world now and"
                " is left out",
                ModelWarning,
            )
            return
        placement, name = T @ contact.placement, prefix + contact.name
        self.contacts.append(replace(contact, name=name, body=body, placement=placement))

    def build(self) -> Model:
        """Return the assembled model."""
        return replace(
            self.like,
            bodies=tuple(self.bodies),
            joints=tuple(self.joints),
            frames=tuple(self.frames),
            loops=tuple(self.loops),
            contacts=tuple(self.contacts),
            ground=self.ground,
        )


def joint_pose(joint: Joint, q: ArrayLike) -> Floats:
    """Return the pose of a joint's body in its parent's.

    Parameters
    ----------
    joint : Joint
        The joint.
    q : array_like (nq,)
        Its own coordinates.

    Returns
    -------
    ndarray (4, 4)
        The pose.

    Examples
    --------
    >>> import jounce
    >>> joint = jounce.read("planar_2r").joints[1]
    >>> jounce.edit.joint_pose(joint, [0.0]).shape
    (4, 4)
    """
    alone = replace(joint, name="joint", parent=-1, mimic=None)
    tree = lower(Model("", (Body("body", np.zeros(10)),), (alone,)))
    return frame_pose(tree, array(np.asarray(q, dtype=float).tolist()), 0).astype(float)


def _add_prefix(body: Body, prefix: str) -> Body:
    """Return the body with a prefix before its names."""
    return replace(
        body,
        name=prefix + body.name,
        meshes=tuple(replace(mesh, link=prefix + mesh.link) for mesh in body.meshes),
        solids=tuple(replace(solid, link=prefix + solid.link) for solid in body.solids),
        links=tuple(Link(prefix + link.name, link.inertia) for link in body.links),
    )


def _is_closed(loop: Loop, A: Floats, B: Floats) -> bool:
    """Return whether a loop between two frames of one body, with poses A and B, is closed."""
    alone = replace(loop, body_a=-1, body_b=0, placement_a=A, placement_b=B)
    body, joint = Body("body", np.zeros(10)), Joint("joint", "prismatic")
    tree = lower(Model("", (body,), (joint,), loops=(alone,)))
    gap = np.abs(loop_residual(tree, array([0.0])).astype(float)).max()
    # the residual is also zero half a turn away
    along = np.diag(A[:3, :3].T @ B[:3, :3])
    turns = loop.locked[:3]
    flipped = sum(turns) == 3 and along.sum() < 0.0
    flipped |= sum(turns) == 2 and along[turns.index(False)] < 0.0
    return bool(gap <= _MAX_GAP and not flipped)


# ------------------------------------------------------------------ coordinates of locked joints


def _locked_coordinates(model: Model, values: Mapping[str, ArrayLike]) -> dict[str, Floats]:
    """Return the coordinates of each locked joint, followers included."""
    if not isinstance(values, Mapping):
        raise ModelError(
            "lock: expected coordinates by joint name, such as {'elbow': 0.5}, found a"
            f" {type(values).__name__}"
        )
    by_name = {joint.name: joint for joint in model.joints}
    locked: dict[str, Floats] = {}
    for name, value in values.items():
        if name not in by_name:
            hint = suggest(name, by_name)
            raise ModelError(f"robot '{model.name}' has no joint '{name}'; {hint}")
        locked[name] = _parse_coordinates(by_name[name], value)
    places = coordinates(model)
    leaders = {places[name][1]: q for name, q in locked.items()}
    for joint in model.joints:
        _, v, gain, offset = places[joint.name]
        if joint.mimic is not None and v in leaders:
            locked[joint.name] = gain * leaders[v] + offset
    for name, q in locked.items():
        _warn_beyond_limits(by_name[name], q)
    return locked


def _parse_coordinates(joint: Joint, value: ArrayLike) -> Floats:
    what = f"joint '{joint.name}'"
    if joint.mimic is not None:
        raise ModelError(
            f"{what} follows '{joint.mimic.leader}' and is locked with it; lock that one instead"
        )
    values: Any = [value] if np.ndim(value) == 0 else value
    q = floats(values, (joint.nq,), f"{what}: coordinates")
    for place in joint.row.unit_vectors:
        length = np.linalg.norm(q[place])
        if length < 1e-9:
            raise ModelError(f"{what}: its quaternion is zero; expected such as (1, 0, 0, 0)")
        q[place] /= length
    return q


def _warn_beyond_limits(joint: Joint, q: Floats) -> None:
    # limits belong to velocities; quaternions have none of their own
    beyond = [
        q[i] < joint.lower[k] - 1e-9 or q[i] > joint.upper[k] + 1e-9 for i, k in joint.row.limited
    ]
    if any(beyond):
        warn(
            f"joint '{joint.name}': locked at {q.tolist()}, beyond its limits"
            f" {joint.lower.tolist()} to {joint.upper.tolist()}",
            ModelWarning,
        )


# ------------------------------------------------------------------ attaching


def _welded_coordinates(other: Model) -> dict[str, Floats]:
    """Return the coordinates at which the free joint of the base is welded, if there is one."""
    roots = [joint for joint in other.joints if joint.parent < 0]
    free = [joint for joint in roots if joint.kind == FLOATING]
    if free and len(roots) > 1:
        raise ModelError(
            f"robot '{other.name}' has {len(roots)} joints at its base, of which '{free[0].name}'"
            " is free, so it is ambiguous which one to weld; weld=False keeps them all"
        )
    return {joint.name: joint.row.neutral() for joint in free}


def _reject_clashes(model: Model, other: Model, locked: Mapping[str, Floats], prefix: str) -> None:
    """Raise an error for names that both models have; welded joints disappear and may have any."""
    for what in ("joint", "frame", "loop", "contact"):  # every link has a frame
        taken = {item.name for item in getattr(model, f"{what}s")}
        for item in getattr(other, f"{what}s"):
            if what != "joint" or item.name not in locked:
                _reject_clash(model, what, prefix + item.name, taken, prefix)


def _reject_clash(model: Model, what: str, name: str, taken: set[str], prefix: str) -> None:
    if name in taken:
        hint = "another prefix" if prefix else "a prefix, such as prefix='tool_'"
        raise ModelError(f"robot '{model.name}' already has a {what} '{name}'; give {hint}")
