"""Maps between our coordinates and Pinocchio's, and models from one library in the other.

| quantity            | jounce                            | Pinocchio                              |
|---------------------|-----------------------------------|----------------------------------------|
| twist, wrench       | rotation first                    | translation first                      |
| free joint          | q (qw, qx, qy, qz, x, y, z)       | q (x, y, z, qx, qy, qz, qw)            |
| spherical joint     | q (qw, qx, qy, qz)                | q (qx, qy, qz, qw)                     |
| planar joint        | q (angle, x, y), v (w, vx, vy)    | q (x, y, cos, sin), v (vx, vy, w)      |
| continuous joint    | q angle                           | q (cos, sin)                           |
| parameters          | Ixx, Iyy, Izz, Ixy, Ixz, Iyz last | Ixx, Ixy, Iyy, Ixz, Iyz, Izz last      |
| joint order         | that of the file                  | alphabetical among siblings            |
| mimicking joint     | has no coordinates of its own     | independent (unless built with mimic)  |
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.export.sizes import sized, sized_matrix
from jounce.math import inertia_matrix
from jounce.model import Body, Frame, Joint, Model, checked_model, lower
from jounce.model.joints import FLOATING, KINDS, Counterpart, Part

#: Where Pinocchio's ten dynamic parameters stand in ours.
_PARAMETERS = np.array((0, 1, 2, 3, 4, 7, 5, 8, 9, 6))


def swap_order(x: Any) -> np.ndarray:
    """Twists or wrenches (..., 6) from one library's order to the other's (its own inverse)."""
    x = sized(x, 6, "twist or wrench")
    return np.concatenate((x[..., 3:], x[..., :3]), axis=-1)


def parameters_to_pinocchio(parameters: Any) -> np.ndarray:
    """Inertial parameters (..., 10) in the order of `pinocchio.Inertia.toDynamicParameters`."""
    return sized(parameters, 10, "parameters")[..., _PARAMETERS]


def parameters_from_pinocchio(parameters: Any) -> np.ndarray:
    """Inertial parameters (..., 10) from the order of `Inertia.toDynamicParameters`."""
    return sized(parameters, 10, "parameters")[..., np.argsort(_PARAMETERS)]


class PinocchioMap:
    """Translates states, forces and matrices between a model and its Pinocchio counterpart.

    Joints are matched by name; a free root joint of another name matches Pinocchio's first joint.
    With the constant matrix G (pin_nv, nv): v_pin = G v (accelerations too), tau = G^T tau_pin,
    M = G^T M_pin G, also where Pinocchio takes mimicking joints as independent. In the other
    direction forces and matrices act on the leaders, and followers get zeros: what comes back is
    the same, and the power v . tau is. joint_ids[b] is the Pinocchio joint that moves our body b.
    Methods take leading batch axes.
    """

    def __init__(self, model: Model, pin_model: Any) -> None:
        self.model = checked_model(model, "PinocchioMap")
        if not hasattr(pin_model, "nq"):
            raise TypeError(f"PinocchioMap: expected a pinocchio.Model, found {pin_model!r}")
        self.pin_nq, self.pin_nv = int(pin_model.nq), int(pin_model.nv)
        self.joint_ids = _match(model, pin_model)
        tree = lower(model)
        # theirs is gain * ours[source] + offset, of angles some have the cosine and some the sine
        self._source = np.zeros(self.pin_nq, dtype=int)
        self._gain, self._offset = np.zeros((2, self.pin_nq))
        cosines: list[int] = []
        self._place = np.zeros(model.nq, dtype=int)  # where each of our coordinates is in theirs
        self.G = np.zeros((self.pin_nv, model.nv))
        self._own = np.zeros(model.nv, dtype=int)  # where each of our velocities is in theirs
        for b, joint in enumerate(model.joints):
            pin_joint = pin_model.joints[self.joint_ids[b]]
            if pin_joint.nv == 0:  # built with mimic=True: it shares its leader's coordinates
                continue
            _check_kind(joint, pin_joint)
            first = tree.nodes[tree.nodes_of_joint(b)[0]]
            sources, circles = _coordinates(joint, pin_joint.nq)
            at = pin_joint.idx_q + np.arange(pin_joint.nq)
            self._source[at] = first.q + np.array(sources)
            self._gain[at], self._offset[at] = first.gain, first.offset
            cosines += [pin_joint.idx_q + k for k in circles]
            if joint.mimic is None:
                self._place[self._source[at]] = at  # the sine of an angle, which is its last
            for row, column in enumerate(_velocities(joint)):
                self.G[pin_joint.idx_v + row, first.v + column] = first.gain
                if joint.mimic is None:
                    self._own[first.v + column] = pin_joint.idx_v + row
        self._cosines = np.array(cosines, dtype=int)
        self._angles = np.flatnonzero(np.isin(self._place - 1, self._cosines))

    def q_to_pinocchio(self, q: Any) -> np.ndarray:
        """Configuration (..., nq) as Pinocchio's (..., pin_nq)."""
        q = sized(q, self.model.nq, "q")
        out = self._gain * q[..., self._source] + self._offset
        angles, at = out[..., self._cosines], self._cosines
        out[..., at], out[..., at + 1] = np.cos(angles), np.sin(angles)
        return out

    def q_from_pinocchio(self, q: Any) -> np.ndarray:
        """Configuration (..., nq) from Pinocchio's (..., pin_nq); followers are not read."""
        q = sized(q, self.pin_nq, "Pinocchio's q")
        out, sines = q[..., self._place], self._place[self._angles]
        out[..., self._angles] = np.arctan2(q[..., sines], q[..., sines - 1])
        return out

    def v_to_pinocchio(self, v: Any) -> np.ndarray:
        """Velocity or acceleration (..., nv) as Pinocchio's (..., pin_nv)."""
        return sized(v, self.model.nv, "v") @ self.G.T

    def v_from_pinocchio(self, v: Any) -> np.ndarray:
        """Velocity or acceleration (..., nv) from Pinocchio's; followers are not read."""
        return sized(v, self.pin_nv, "Pinocchio's v")[..., self._own]

    def tau_to_pinocchio(self, tau: Any) -> np.ndarray:
        """Generalized forces (..., nv) as Pinocchio's (..., pin_nv); those of followers are 0."""
        tau = sized(tau, self.model.nv, "tau")
        out = np.zeros((*tau.shape[:-1], self.pin_nv))
        out[..., self._own] = tau
        return out

    def tau_from_pinocchio(self, tau: Any) -> np.ndarray:
        """Generalized forces (..., nv) from Pinocchio's (..., pin_nv)."""
        return sized(tau, self.pin_nv, "Pinocchio's tau") @ self.G

    def matrix_to_pinocchio(self, matrix: Any) -> np.ndarray:
        """A matrix such as M, (..., nv, nv), as Pinocchio's (..., pin_nv, pin_nv).

        Of those that take velocities to forces: the mass matrix, or forces in the state. Rows and
        columns of followers are 0.
        """
        matrix = sized_matrix(matrix, self.model.nv, "matrix")
        out = np.zeros((*matrix.shape[:-2], self.pin_nv, self.pin_nv))
        out[..., self._own[:, None], self._own] = matrix
        return out

    def matrix_from_pinocchio(self, matrix: Any) -> np.ndarray:
        """A matrix such as M, (..., nv, nv), from Pinocchio's (..., pin_nv, pin_nv)."""
        return self.G.T @ sized_matrix(matrix, self.pin_nv, "Pinocchio's matrix") @ self.G


def to_pinocchio(model: Model) -> Any:
    """The model as a `pinocchio.Model`, for `PinocchioMap`; mimicking joints are independent.

    Inertias, frames, armature and gravity are carried over; limits, damping and friction are not.
    A joint whose axis passes beside the body's origin (`Joint.point`) has its Pinocchio frame on
    the axis, so the parameters of that body and its children's placements are shifted.
    """
    checked_model(model, "to_pinocchio")
    pin = pinocchio()
    out = pin.Model()
    out.name, out.gravity.linear = model.name, np.array(model.gravity)
    shifts = [pin.SE3(np.eye(3), np.array(joint.point)) for joint in model.joints]
    ids = {-1: 0}
    for b in _depth_first(model):
        joint, pi = model.joints[b], model.bodies[b].inertia
        T = pin.SE3(np.array(joint.placement)) * shifts[b]
        if joint.parent >= 0:
            T = shifts[joint.parent].inverse() * T
        ids[b] = out.addJoint(ids[joint.parent], _pin_joint(pin, joint), T, joint.name)
        out.appendBodyToJoint(ids[b], _pin_inertia(pin, pi), shifts[b].inverse())
        where = out.joints[ids[b]].idx_v + np.argsort(_velocities(joint))
        out.armature[where] = joint.armature
    for frame in model.frames:
        T = pin.SE3(np.array(frame.placement))
        if frame.body >= 0:
            T = shifts[frame.body].inverse() * T
        out.addFrame(pin.Frame(frame.name, ids[frame.body], T, pin.FrameType.OP_FRAME))
    return out


def from_pinocchio(pin_model: Any) -> Model:
    """The model of a `pinocchio.Model`: its joints and frames in its order, under its names.

    Inertias, gravity, armature, damping, friction and the limits of joints with one velocity are
    carried over. A body is called as its joint; of several frames of one name the first is taken.
    """
    pin, data = pinocchio(), pin_model.createData()
    pin.forwardKinematics(pin_model, data, pin.neutral(pin_model))  # fills the motion subspaces
    joints = tuple(_joint(pin_model, data, i) for i in range(1, pin_model.njoints))
    parameters = [Y.toDynamicParameters() for Y in pin_model.inertias[1:]]
    bodies = tuple(
        Body(joint.name, parameters_from_pinocchio(pi))
        for joint, pi in zip(joints, parameters, strict=True)
    )
    frames: dict[str, Frame] = {}
    for frame in pin_model.frames:
        seat = Frame(frame.name, int(frame.parentJoint) - 1, frame.placement.homogeneous)
        frames.setdefault(frame.name, seat)
    gravity = pin_model.gravity.linear.copy()
    every = tuple(frames.values())
    return Model(pin_model.name, bodies, joints, every, gravity, source="Pinocchio")


def _joint(pin_model: Any, data: Any, i: int) -> Joint:
    """Our joint for one of Pinocchio's."""
    theirs, name = pin_model.joints[i], pin_model.names[i]
    parent, T = int(pin_model.parents[i]) - 1, pin_model.jointPlacements[i].homogeneous
    at = slice(theirs.idx_v, theirs.idx_v + theirs.nv)
    drive = {x: getattr(pin_model, x)[at] for x in ("armature", "damping", "friction")}
    if theirs.nv == 1:
        drive |= _one_velocity(np.array(data.joints[i].S).ravel())
        drive["velocity_limit"] = _limit(pin_model.velocityLimit[at])
        drive["effort_limit"] = _limit(pin_model.effortLimit[at])
        if theirs.nq == 1:  # otherwise the angle has no limits
            drive["lower"] = _limit(pin_model.lowerPositionLimit[theirs.idx_q])
            drive["upper"] = _limit(pin_model.upperPositionLimit[theirs.idx_q])
        return Joint(name, parent=parent, placement=T, **drive)
    kinds = {f"JointModel{k.motions[0].pinocchio.name}": k for k in _alone() if k.nv > 1}
    kind = kinds.get(theirs.shortname())
    if kind is None:
        raise ModelError(
            f"joint '{name}': {theirs.shortname()} has no counterpart; expected a joint with one"
            f" velocity, or {', '.join(kinds)}"
        )
    order = np.argsort(kind.motions[0].pinocchio.v)
    drive = {x: values[order] for x, values in drive.items()}
    return Joint(name, kind.name, parent=parent, placement=T, **drive)


def _limit(x: Any) -> Any:
    """A limit; Pinocchio says by the largest float that there is none."""
    return np.where(np.abs(x) >= np.finfo(float).max, np.copysign(np.inf, x), x)


def _alone() -> list[Any]:
    """Kinds of one motion that Pinocchio has too."""
    one = (kind for kind in KINDS.values() if len(kind.motions) == 1)
    return [kind for kind in one if kind.motions[0].pinocchio is not None]


def _one_velocity(S: np.ndarray) -> dict[str, Any]:
    """Kind, axis and pitch of a joint from its motion subspace (6,), translation first."""
    slide, turn = S[:3], S[3:]
    if not turn.any():
        return {"kind": "prismatic", "axis": slide}
    if not slide.any():
        return {"kind": "revolute", "axis": turn}
    return {"kind": "helical", "axis": turn, "pitch": float(slide @ turn)}


def _depth_first(model: Model) -> list[int]:
    """Bodies in depth-first order: Pinocchio's mass matrix is wrong in any other."""
    children: list[list[int]] = [[] for _ in range(model.nb + 1)]
    for b, joint in enumerate(model.joints):
        children[joint.parent].append(b)  # the world, -1, is the last entry
    order: list[int] = []
    stack = children[-1][::-1]
    while stack:
        order.append(stack.pop())
        stack.extend(reversed(children[order[-1]]))
    return order


def _pin_inertia(pin: Any, parameters: np.ndarray) -> Any:
    if parameters[0] > 0:
        return pin.Inertia.FromDynamicParameters(parameters_to_pinocchio(parameters))
    about = inertia_matrix(parameters).astype(float)
    return pin.Inertia(0.0, np.zeros(3), about)  # it would divide by the mass


def pinocchio() -> Any:
    """The package, or an ImportError that says where it comes from."""
    try:
        import pinocchio  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise ImportError(
            "jounce.export.pinocchio needs Pinocchio: pip install pin, or conda install"
            " -c conda-forge pinocchio"
        ) from error
    return pinocchio


def _counterparts(joint: Joint) -> list[tuple[Counterpart, Part]]:
    """Pinocchio's joint for each of a joint's motions."""
    out = []
    for part in joint.row.parts:
        found, axis = part.motion.pinocchio, part.direction(joint)
        if found is None:
            raise ModelError(
                f"joint '{joint.name}': Pinocchio has no {part.motion} motion, so no {joint.kind}"
                " joint"
            )
        if "axis" not in found.fields and axis is not None and axis[2] != 1.0:
            raise ModelError(
                f"joint '{joint.name}': Pinocchio's {part.motion} joint has the axes of its frame,"
                f" so z where ours has {axis.tolist()}"
            )
        out.append((found, part))
    return out


def _velocities(joint: Joint) -> list[int]:
    """Where Pinocchio's velocities of a joint stand in ours."""
    return [part.v.start + k for theirs, part in _counterparts(joint) for k in theirs.v]


def _pin_joint(pin: Any, joint: Joint) -> Any:
    models = []
    for theirs, part in _counterparts(joint):
        axis = part.direction(joint)
        given = {"axis": np.array((0.0, 0.0, 1.0) if axis is None else axis), "pitch": joint.pitch}
        make = getattr(pin, f"JointModel{theirs.name}")
        models.append(make(*(given[name] for name in theirs.fields)))
    if len(models) == 1:
        return models[0]
    series = pin.JointModelComposite()
    for model in models:
        series.addJoint(model)
    return series


def _coordinates(joint: Joint, pin_nq: int) -> tuple[list[int], list[int]]:
    """Which of the joint's coordinates Pinocchio's are made of, and those that are cosines.

    An angle that it holds as cosine and sine is there twice.
    """
    found = _counterparts(joint)
    least = sum(len(theirs.q) + (theirs.circle is True) for theirs, _ in found)
    unbounded = pin_nq > least
    sources: list[int] = []
    cosines: list[int] = []
    for theirs, part in found:
        sources += [part.q.start + k for k in theirs.q]
        if theirs.circle is True or (unbounded and theirs.circle == "maybe"):
            cosines.append(len(sources) - 1)
            sources.append(sources[-1])
    return sources, cosines


def _match(model: Model, pin_model: Any) -> list[int]:
    """The Pinocchio joint of each of our joints."""
    ids = {name: i for i, name in enumerate(pin_model.names) if i > 0}
    ours = {joint.name for joint in model.joints}
    out: list[int] = []
    for joint in model.joints:
        found = ids.get(joint.name)
        # Pinocchio calls the joint of a floating base "root_joint"
        if found is None and joint.kind == FLOATING and joint.parent < 0 and len(ids) > 0:
            found = 1 if pin_model.names[1] not in ours else None
        if found is None:
            raise ModelError(
                f"Pinocchio's model has no joint '{joint.name}'; it has {', '.join(ids)}"
            )
        out.append(found)
    extra = [name for name, i in ids.items() if i not in out]
    if extra:
        raise ModelError(
            f"robot '{model.name}' has no joint called {', '.join(extra)}, Pinocchio's model has"
        )
    return out


def _check_kind(joint: Joint, pin_joint: Any) -> None:
    found = [theirs for theirs, _ in _counterparts(joint)]
    least = sum(len(theirs.q) + (theirs.circle is True) for theirs in found)
    unbounded = least + sum(theirs.circle == "maybe" for theirs in found)
    if pin_joint.nv != joint.nv or pin_joint.nq not in (least, unbounded):
        raise ModelError(
            f"joint '{joint.name}': {joint.kind} here, {pin_joint.shortname()} in Pinocchio"
        )
