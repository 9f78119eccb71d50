"""Conversion of states and models between jounce and Pinocchio.

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
from jounce.export.pinocchio_joints import (
    check_kind,
    coordinate_sources,
    create_joint,
    match_joints,
    velocity_indices,
)
from jounce.export.sizes import checked_matrix, checked_vector
from jounce.math import inertia_matrix
from jounce.model import Body, Frame, Joint, Model, checked_model, lower
from jounce.model.joints import KINDS

#: Index of each of Pinocchio's ten dynamic parameters in jounce's order.
_PARAMETERS = np.array((0, 1, 2, 3, 4, 7, 5, 8, 9, 6))


def swap_order(x: Any) -> np.ndarray:
    """Exchange the rotational and translational half of twists or wrenches.

    Parameters
    ----------
    x : (..., 6)
        Twists or wrenches, rotation first (jounce) or translation first (Pinocchio).

    Returns
    -------
    ndarray (..., 6)
        In the other order; applying the function twice restores `x`.
    """
    x = checked_vector(x, 6, "twist or wrench")
    return np.concatenate((x[..., 3:], x[..., :3]), axis=-1)


def parameters_to_pinocchio(parameters: Any) -> np.ndarray:
    """Reorder inertial parameters for Pinocchio.

    Parameters
    ----------
    parameters : (..., 10)
        (m, m c, Ixx, Iyy, Izz, Ixy, Ixz, Iyz) about the link's origin.

    Returns
    -------
    ndarray (..., 10)
        In the order of `pinocchio.Inertia.toDynamicParameters`.
    """
    return checked_vector(parameters, 10, "parameters")[..., _PARAMETERS]


def parameters_from_pinocchio(parameters: Any) -> np.ndarray:
    """Reorder inertial parameters of Pinocchio for jounce.

    Parameters
    ----------
    parameters : (..., 10)
        In the order of `pinocchio.Inertia.toDynamicParameters`.

    Returns
    -------
    ndarray (..., 10)
        (m, m c, Ixx, Iyy, Izz, Ixy, Ixz, Iyz) about the link's origin.
    """
    return checked_vector(parameters, 10, "parameters")[..., np.argsort(_PARAMETERS)]


class PinocchioMap:
    """Convert states, forces and matrices between a model and its Pinocchio counterpart.

    Joints are matched by name; a free root joint of another name matches Pinocchio's first joint.
    With the constant matrix G (pin_nv, nv): v_pin = G v (accelerations too), tau = G^T tau_pin,
    M = G^T M_pin G, also where Pinocchio takes mimicking joints as independent. Conversions to
    Pinocchio assign forces and matrices to leading joints and zeros to mimicking ones, so
    converting back restores them, and the power v . tau is preserved. joint_ids[b] is the Pinocchio
    joint that moves body b of the model. Methods take leading batch axes.

    Parameters
    ----------
    model : Model
        A robot's model, such as `robot.model`.
    pin_model : pinocchio.Model

    Raises
    ------
    ModelError
        If the joints of the two models differ in name or kind.
    """

    def __init__(self, model: Model, pin_model: Any) -> None:
        self.model = checked_model(model, "PinocchioMap")
        if not hasattr(pin_model, "nq"):
            raise TypeError(f"PinocchioMap: expected a pinocchio.Model, found {pin_model!r}")
        self.pin_nq, self.pin_nv = int(pin_model.nq), int(pin_model.nv)
        self.joint_ids = match_joints(model, pin_model)
        tree = lower(model)
        # q_pin = gain * q[source] + offset; for unbounded angles its cosine and sine
        self._source = np.zeros(self.pin_nq, dtype=int)
        self._gain, self._offset = np.zeros((2, self.pin_nq))
        cosines: list[int] = []
        self._q_indices = np.zeros(model.nq, dtype=int)  # index of each q in q_pin
        self.G = np.zeros((self.pin_nv, model.nv))
        self._v_indices = np.zeros(model.nv, dtype=int)  # index of each v in v_pin
        for b, joint in enumerate(model.joints):
            pin_joint = pin_model.joints[self.joint_ids[b]]
            if pin_joint.nv == 0:  # built with mimic=True: the coordinates are its leader's
                continue
            check_kind(joint, pin_joint)
            first = tree.nodes[tree.nodes_of_joint(b)[0]]
            sources, circles = coordinate_sources(joint, pin_joint.nq)
            indices = pin_joint.idx_q + np.arange(pin_joint.nq)
            self._source[indices] = first.q + np.array(sources)
            self._gain[indices], self._offset[indices] = first.gain, first.offset
            cosines += [pin_joint.idx_q + k for k in circles]
            if joint.mimic is None:
                self._q_indices[self._source[indices]] = (
                    indices  # for an unbounded angle: that of the sine
                )
            for row, column in enumerate(velocity_indices(joint)):
                self.G[pin_joint.idx_v + row, first.v + column] = first.gain
                if joint.mimic is None:
                    self._v_indices[first.v + column] = pin_joint.idx_v + row
        self._cosines = np.array(cosines, dtype=int)
        self._angles = np.flatnonzero(np.isin(self._q_indices - 1, self._cosines))

    def q_to_pinocchio(self, q: Any) -> np.ndarray:
        """Convert a configuration to Pinocchio's.

        Parameters
        ----------
        q : (..., nq)
            Configuration in jounce's coordinates.

        Returns
        -------
        ndarray (..., pin_nq)
        """
        q = checked_vector(q, self.model.nq, "q")
        out = self._gain * q[..., self._source] + self._offset
        angles, cosines = out[..., self._cosines], self._cosines
        out[..., cosines], out[..., cosines + 1] = np.cos(angles), np.sin(angles)
        return out

    def q_from_pinocchio(self, q: Any) -> np.ndarray:
        """Convert Pinocchio's configuration to jounce's.

        Parameters
        ----------
        q : (..., pin_nq)
            Pinocchio's configuration; entries of mimicking joints are ignored.

        Returns
        -------
        ndarray (..., nq)
        """
        q = checked_vector(q, self.pin_nq, "Pinocchio's q")
        out, sines = q[..., self._q_indices], self._q_indices[self._angles]
        out[..., self._angles] = np.arctan2(q[..., sines], q[..., sines - 1])
        return out

    def v_to_pinocchio(self, v: Any) -> np.ndarray:
        """Convert a velocity or acceleration to Pinocchio's, G v.

        Parameters
        ----------
        v : (..., nv)
            Velocity or acceleration.

        Returns
        -------
        ndarray (..., pin_nv)
        """
        return checked_vector(v, self.model.nv, "v") @ self.G.T

    def v_from_pinocchio(self, v: Any) -> np.ndarray:
        """Convert Pinocchio's velocity or acceleration to jounce's.

        Parameters
        ----------
        v : (..., pin_nv)
            Velocity or acceleration; entries of mimicking joints are ignored.

        Returns
        -------
        ndarray (..., nv)
        """
        return checked_vector(v, self.pin_nv, "Pinocchio's v")[..., self._v_indices]

    def tau_to_pinocchio(self, tau: Any) -> np.ndarray:
        """Convert generalized forces to Pinocchio's.

        Parameters
        ----------
        tau : (..., nv)
            Generalized forces, in N m or N.

        Returns
        -------
        ndarray (..., pin_nv)
            0 for mimicking joints.
        """
        tau = checked_vector(tau, self.model.nv, "tau")
        out = np.zeros((*tau.shape[:-1], self.pin_nv))
        out[..., self._v_indices] = tau
        return out

    def tau_from_pinocchio(self, tau: Any) -> np.ndarray:
        """Convert Pinocchio's generalized forces, G^T tau.

        Parameters
        ----------
        tau : (..., pin_nv)
            Those of mimicking joints are added to their leader's.

        Returns
        -------
        ndarray (..., nv)
        """
        return checked_vector(tau, self.pin_nv, "Pinocchio's tau") @ self.G

    def matrix_to_pinocchio(self, matrix: Any) -> np.ndarray:
        """Convert a matrix that maps velocities to forces, such as M, to Pinocchio's.

        Parameters
        ----------
        matrix : (..., nv, nv)
            The mass matrix, or derivatives of forces with respect to the state.

        Returns
        -------
        ndarray (..., pin_nv, pin_nv)
            Rows and columns of mimicking joints are 0.
        """
        matrix = checked_matrix(matrix, self.model.nv, "matrix")
        out = np.zeros((*matrix.shape[:-2], self.pin_nv, self.pin_nv))
        out[..., self._v_indices[:, None], self._v_indices] = matrix
        return out

    def matrix_from_pinocchio(self, matrix: Any) -> np.ndarray:
        """Convert Pinocchio's matrix that maps velocities to forces, G^T matrix G.

        Parameters
        ----------
        matrix : (..., pin_nv, pin_nv)

        Returns
        -------
        ndarray (..., nv, nv)
        """
        return self.G.T @ checked_matrix(matrix, self.pin_nv, "Pinocchio's matrix") @ self.G


def to_pinocchio(model: Model) -> Any:
    """Convert a model to a `pinocchio.Model`, with mimicking joints as independent joints.

    Inertias, frames, armature and gravity are converted; limits, damping and friction are not.
    A joint whose axis does not pass through the body's origin (`Joint.point`) has its Pinocchio
    frame on the axis, so the parameters of that body and its children's placements are shifted.

    Parameters
    ----------
    model : Model
        A robot's model, such as `robot.model`.

    Returns
    -------
    pinocchio.Model

    Raises
    ------
    ModelError
        If Pinocchio has no counterpart of a joint.
    ImportError
        If Pinocchio is not installed.
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
        ids[b] = out.addJoint(ids[joint.parent], create_joint(pin, joint), T, joint.name)
        out.appendBodyToJoint(ids[b], _pin_inertia(pin, pi), shifts[b].inverse())
        indices = out.joints[ids[b]].idx_v + np.argsort(velocity_indices(joint))
        out.armature[indices] = joint.armature
    for frame in model.frames:
        T = pin.SE3(np.array(frame.placement))
        if frame.body >= 0:
            T = shifts[frame.body].inverse() * T
        out.addFrame(pin.Frame(frame.name, ids[frame.body], T, pin.FrameType.OP_FRAME))
    return out


def from_pinocchio(pin_model: Any) -> Model:
    """Convert a `pinocchio.Model`, keeping the names and the order of joints and frames.

    Inertias, gravity, armature, damping, friction and the limits of joints with one velocity are
    converted. A body has the name of its joint; of several frames with one name the first is used.

    Parameters
    ----------
    pin_model : pinocchio.Model

    Returns
    -------
    Model

    Raises
    ------
    ModelError
        If a joint has no counterpart.
    ImportError
        If Pinocchio is not installed.
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
        converted = Frame(frame.name, int(frame.parentJoint) - 1, frame.placement.homogeneous)
        frames.setdefault(frame.name, converted)
    gravity = pin_model.gravity.linear.copy()
    all_frames = tuple(frames.values())
    return Model(pin_model.name, bodies, joints, all_frames, gravity, source="Pinocchio")


def _joint(pin_model: Any, data: Any, i: int) -> Joint:
    """Convert one of Pinocchio's joints."""
    pin_joint, name = pin_model.joints[i], pin_model.names[i]
    parent, T = int(pin_model.parents[i]) - 1, pin_model.jointPlacements[i].homogeneous
    indices = slice(pin_joint.idx_v, pin_joint.idx_v + pin_joint.nv)
    drive = {x: getattr(pin_model, x)[indices] for x in ("armature", "damping", "friction")}
    if pin_joint.nv == 1:
        drive |= _one_velocity(np.array(data.joints[i].S).ravel())
        drive["velocity_limit"] = _limit(pin_model.velocityLimit[indices])
        drive["effort_limit"] = _limit(pin_model.effortLimit[indices])
        if pin_joint.nq == 1:  # otherwise the angle has no limits
            drive["lower"] = _limit(pin_model.lowerPositionLimit[pin_joint.idx_q])
            drive["upper"] = _limit(pin_model.upperPositionLimit[pin_joint.idx_q])
        return Joint(name, parent=parent, placement=T, **drive)
    kinds = {
        f"JointModel{k.motions[0].pinocchio.name}": k for k in _single_motion_kinds() if k.nv > 1
    }
    kind = kinds.get(pin_joint.shortname())
    if kind is None:
        raise ModelError(
            f"joint '{name}': {pin_joint.shortname()} has no counterpart; expected a joint with one"
            f" velocity, or {', '.join(kinds)}"
        )
    order = np.argsort(kind.motions[0].pinocchio.v)
    drive = {x: values[order] for x, values in drive.items()}
    return Joint(name, kind.name, parent=parent, placement=T, **drive)


def _limit(x: Any) -> Any:
    """Return a limit; the largest float means unlimited in Pinocchio."""
    return np.where(np.abs(x) >= np.finfo(float).max, np.copysign(np.inf, x), x)


def _single_motion_kinds() -> list[Any]:
    """Return the kinds with a single motion that Pinocchio has too."""
    kinds = (kind for kind in KINDS.values() if len(kind.motions) == 1)
    return [kind for kind in kinds if kind.motions[0].pinocchio is not None]


def _one_velocity(S: np.ndarray) -> dict[str, Any]:
    """Return kind, axis and pitch of a joint from its motion subspace, translation first."""
    slide, turn = S[:3], S[3:]
    if not turn.any():
        return {"kind": "prismatic", "axis": slide}
    if not slide.any():
        return {"kind": "revolute", "axis": turn}
    return {"kind": "helical", "axis": turn, "pitch": float(slide @ turn)}


def _depth_first(model: Model) -> list[int]:
    """Return bodies in depth-first order, which Pinocchio's mass matrix requires."""
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
    return pin.Inertia(0.0, np.zeros(3), about)  # FromDynamicParameters would divide by the mass


def pinocchio() -> Any:
    """Import and return the package `pinocchio`.

    Returns
    -------
    module

    Raises
    ------
    ImportError
        If it is not installed; the message says how to install it.
    """
    try:
        import pinocchio  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise ImportError(
            "jounce.export.pinocchio needs Pinocchio: pip install pin, or conda install"
            " -c conda-forge pinocchio"
        ) from error
    return pinocchio
