"""Conversion of states and compiled models between jounce and MuJoCo.

| quantity      | jounce                           | MuJoCo                               |
|---------------|----------------------------------|--------------------------------------|
| hinge, slide  | q angle or displacement          | the same number (`ref` included)     |
| ball joint    | q (qw, qx, qy, qz), v body-fixed | the same                             |
| free joint, q | (qw, qx, qy, qz, x, y, z)        | (x, y, z, qw, qx, qy, qz)            |
| free joint, v | body-fixed twist (omega, v)      | (v in world axes, omega body-fixed)  |
| coupled joint | has no coordinates of its own    | has some, and an equality constraint |
| order         | that of MuJoCo                   | depth first                          |

MuJoCo's acceleration of a free joint is its velocity's derivative: a_world = R (a + omega x v).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.arrays import lie
from jounce.errors import ModelError
from jounce.export.sizes import checked_matrix, checked_vector
from jounce.io.mjcf import TYPES, couplings, model_from_mujoco, names_of
from jounce.model import Joint, Model, checked_model, lower
from jounce.model.joints import FLOATING, KINDS

__all__ = ["MujocoMap", "model_from_mujoco"]


class MujocoMap:
    """Convert states, forces and matrices between a model and the `MjModel` it was read from.

    Joints are matched by name. With the matrix G(q) (mj_nv, nv): qvel = G v, tau = G^T qfrc,
    M = G^T M_mujoco G. Conversions to MuJoCo assign forces and matrices to leading joints and zeros
    to coupled ones, so converting back restores them. Methods take leading batch axes; those called
    ..._from_mujoco take MuJoCo's qpos and qvel as the state, the others jounce's q and v.

    Parameters
    ----------
    model : Model
        A robot's model, such as `robot.model`.
    mj_model : mujoco.MjModel

    Raises
    ------
    ModelError
        If the joints of the two models differ in name or kind.
    """

    def __init__(self, model: Model, mj_model: Any) -> None:
        self.model = checked_model(model, "MujocoMap")
        self.mj_nq, self.mj_nv = int(mj_model.nq), int(mj_model.nv)
        self._slots, self._qpos = _match(model, mj_model)

    def q_to_mujoco(self, q: Any) -> np.ndarray:
        """Convert a configuration to MuJoCo's qpos.

        Parameters
        ----------
        q : (..., nq)
            Configuration in jounce's coordinates.

        Returns
        -------
        ndarray (..., mj_nq)
            Joints that the model does not have are at `qpos0`, or where their equality constraint
            fixes them.
        """
        q = checked_vector(q, self.model.nq, "q")
        out = np.empty((*q.shape[:-1], self.mj_nq))
        out[...] = self._qpos  # of joints that the model does not have
        for slot in self._slots:
            values = q[..., slot.q : slot.q + slot.nq]
            if slot.kind == FLOATING:
                values = np.concatenate((values[..., 4:], values[..., :4]), axis=-1)
            out[..., slot.mj_q : slot.mj_q + slot.nq] = slot.gain * values + slot.offset
        return out

    def q_from_mujoco(self, qpos: Any) -> np.ndarray:
        """Convert MuJoCo's qpos to a configuration.

        Parameters
        ----------
        qpos : (..., mj_nq)
            MuJoCo's configuration; entries of coupled (following) joints are ignored.

        Returns
        -------
        ndarray (..., nq)
        """
        qpos = checked_vector(qpos, self.mj_nq, "qpos")
        out = np.empty((*qpos.shape[:-1], self.model.nq))
        for slot in self._leaders():
            values = qpos[..., slot.mj_q : slot.mj_q + slot.nq]
            if slot.kind == FLOATING:
                values = np.concatenate((values[..., 3:], values[..., :3]), axis=-1)
            out[..., slot.q : slot.q + slot.nq] = values
        return out

    def v_to_mujoco(self, q: Any, v: Any) -> np.ndarray:
        """Convert a velocity to MuJoCo's qvel.

        Parameters
        ----------
        q : (..., nq)
            Configuration in jounce's coordinates.
        v : (..., nv)
            Velocity.

        Returns
        -------
        ndarray (..., mj_nv)
        """
        return self._to_mujoco(q, checked_vector(v, self.model.nv, "v"))

    def v_from_mujoco(self, qpos: Any, qvel: Any) -> np.ndarray:
        """Convert MuJoCo's qvel to a velocity.

        Parameters
        ----------
        qpos : (..., mj_nq)
            MuJoCo's configuration.
        qvel : (..., mj_nv)
            MuJoCo's velocity; entries of coupled joints are ignored.

        Returns
        -------
        ndarray (..., nv)
        """
        return self._from_mujoco(qpos, checked_vector(qvel, self.mj_nv, "qvel"))

    def a_to_mujoco(self, q: Any, v: Any, a: Any) -> np.ndarray:
        """Convert an acceleration to MuJoCo's qacc.

        Parameters
        ----------
        q : (..., nq)
            Configuration in jounce's coordinates.
        v, a : (..., nv)
            Velocity and acceleration.

        Returns
        -------
        ndarray (..., mj_nv)
        """
        v, a = checked_vector(v, self.model.nv, "v"), checked_vector(a, self.model.nv, "a")
        return self._to_mujoco(q, a + self._free_joint_correction(v))

    def a_from_mujoco(self, qpos: Any, qvel: Any, qacc: Any) -> np.ndarray:
        """Convert MuJoCo's qacc to an acceleration.

        Parameters
        ----------
        qpos : (..., mj_nq)
            MuJoCo's configuration.
        qvel, qacc : (..., mj_nv)
            MuJoCo's velocity and acceleration; entries of coupled joints are ignored.

        Returns
        -------
        ndarray (..., nv)
        """
        v = self.v_from_mujoco(qpos, qvel)
        return self._from_mujoco(
            qpos, checked_vector(qacc, self.mj_nv, "qacc")
        ) - self._free_joint_correction(v)

    def tau_to_mujoco(self, q: Any, tau: Any) -> np.ndarray:
        """Convert generalized forces to MuJoCo's.

        Parameters
        ----------
        q : (..., nq)
            Configuration in jounce's coordinates.
        tau : (..., nv)
            Generalized forces, in N m or N.

        Returns
        -------
        ndarray (..., mj_nv)
            Forces such as `qfrc_applied`; 0 for coupled joints.
        """
        return self._to_mujoco(q, checked_vector(tau, self.model.nv, "tau"), self._leaders())

    def tau_from_mujoco(self, qpos: Any, qfrc: Any) -> np.ndarray:
        """Convert MuJoCo's generalized forces, tau = G^T qfrc.

        Parameters
        ----------
        qpos : (..., mj_nq)
            MuJoCo's configuration.
        qfrc : (..., mj_nv)
            MuJoCo's generalized forces; those of coupled joints are added to their leader's.

        Returns
        -------
        ndarray (..., nv)
        """
        qfrc = checked_vector(qfrc, self.mj_nv, "qfrc")
        return np.einsum("...ij,...i->...j", self.G(self.q_from_mujoco(qpos)), qfrc)

    def matrix_to_mujoco(self, q: Any, matrix: Any) -> np.ndarray:
        """Convert a matrix that maps velocities to forces, such as M, to MuJoCo's.

        Parameters
        ----------
        q : (..., nq)
            Configuration in jounce's coordinates.
        matrix : (..., nv, nv)

        Returns
        -------
        ndarray (..., mj_nv, mj_nv)
            Rows and columns of coupled joints are 0.
        """
        matrix = checked_matrix(matrix, self.model.nv, "matrix")
        q = checked_vector(q, self.model.nq, "q")[..., None, :]
        rows = self._to_mujoco(q, np.eye(self.model.nv), self._leaders())
        return np.swapaxes(rows, -1, -2) @ matrix @ rows

    def matrix_from_mujoco(self, qpos: Any, matrix: Any) -> np.ndarray:
        """Convert MuJoCo's matrix that maps velocities to forces, G^T matrix G.

        Parameters
        ----------
        qpos : (..., mj_nq)
            MuJoCo's configuration.
        matrix : (..., mj_nv, mj_nv)

        Returns
        -------
        ndarray (..., nv, nv)
        """
        matrix = checked_matrix(matrix, self.mj_nv, "MuJoCo's matrix")
        G = self.G(self.q_from_mujoco(qpos))
        return np.swapaxes(G, -1, -2) @ matrix @ G

    def G(self, q: Any) -> np.ndarray:
        """Return the matrix G(q) with qvel = G v.

        Parameters
        ----------
        q : (..., nq)
            Configuration in jounce's coordinates.

        Returns
        -------
        ndarray (..., mj_nv, nv)
        """
        q = checked_vector(q, self.model.nq, "q")
        columns = self._to_mujoco(q[..., None, :], np.eye(self.model.nv))
        return np.swapaxes(columns, -1, -2)

    # -------------------------------------------------------------- implementation

    def _leaders(self) -> list[_Slot]:
        return [slot for slot in self._slots if not slot.follows]

    def _to_mujoco(self, q: Any, v: np.ndarray, slots: list[_Slot] | None = None) -> np.ndarray:
        """Return qvel of the joints in `slots` (all by default), with zeros for the others."""
        q = checked_vector(q, self.model.nq, "q")
        batch = np.broadcast_shapes(q.shape[:-1], v.shape[:-1])
        out = np.zeros((*batch, self.mj_nv))
        for slot in self._slots if slots is None else slots:
            rates = slot.gain * v[..., slot.v : slot.v + slot.nv]
            if slot.kind == FLOATING:
                linear = lie.quaternion.rotate(q[..., slot.q : slot.q + 4], rates[..., 3:])
                rates = np.concatenate(np.broadcast_arrays(linear, rates[..., :3]), axis=-1)
            out[..., slot.mj_v : slot.mj_v + slot.nv] = rates
        return out

    def _from_mujoco(self, qpos: Any, qvel: np.ndarray) -> np.ndarray:
        qpos = checked_vector(qpos, self.mj_nq, "qpos")
        batch = np.broadcast_shapes(qpos.shape[:-1], qvel.shape[:-1])
        out = np.zeros((*batch, self.model.nv))
        for slot in self._leaders():
            rates = qvel[..., slot.mj_v : slot.mj_v + slot.nv]
            if slot.kind == FLOATING:
                inverse = lie.quaternion.inverse(qpos[..., slot.mj_q + 3 : slot.mj_q + 7])
                linear = lie.quaternion.rotate(inverse, rates[..., :3])
                rates = np.concatenate(np.broadcast_arrays(rates[..., 3:], linear), axis=-1)
            out[..., slot.v : slot.v + slot.nv] = rates
        return out

    def _free_joint_correction(self, v: np.ndarray) -> np.ndarray:
        """Return omega x v in the linear part of every free joint (..., nv)."""
        out = np.zeros(v.shape)
        for slot in self._slots:
            if slot.kind == FLOATING:
                omega, linear = v[..., slot.v : slot.v + 3], v[..., slot.v + 3 : slot.v + 6]
                out[..., slot.v + 3 : slot.v + 6] = np.cross(omega, linear)
        return out


@dataclass(frozen=True, eq=False)
class _Slot:
    """Indices of a joint's coordinates in both libraries; qpos = gain * q + offset."""

    kind: str
    follows: bool
    q: int
    v: int
    gain: float
    offset: float
    mj_q: int
    mj_v: int

    @property
    def nq(self) -> int:
        return KINDS[self.kind].nq

    @property
    def nv(self) -> int:
        return KINDS[self.kind].nv


def _match(model: Model, mj: Any) -> tuple[list[_Slot], np.ndarray]:
    """Return the slots of all joints, and qpos of the joints that the model does not have."""
    names, tree = names_of(mj).joints, lower(model)
    qpos = np.array(mj.qpos0)
    rules = couplings.couplings(mj, names)
    ours = {joint.name: b for b, joint in enumerate(model.joints)}
    missing = [name for name in ours if name not in names]
    if missing:
        raise ModelError(f"MuJoCo's model has no joint called {', '.join(missing)}")
    slots = []
    for j, name in enumerate(names):
        address = int(mj.jnt_qposadr[j])
        if name in ours:
            joint = model.joints[ours[name]]
            _check_kind(joint, TYPES[mj.jnt_type[j]])
            node = tree.nodes[tree.node_of_body[ours[name]]]
            indices = (node.q, node.v, float(node.gain), float(node.offset))
            follows = joint.mimic is not None
            slots.append(_Slot(joint.kind, follows, *indices, address, int(mj.jnt_dofadr[j])))
        elif j in rules and rules[j].leader is None:
            qpos[address] = rules[j].offset
        else:
            raise ModelError(
                f"robot '{model.name}' has no joint '{name}', but MuJoCo's model has; its joints"
                f" are {', '.join(ours)}"
            )
    return slots, qpos


def _check_kind(joint: Joint, kind: str) -> None:
    if joint.kind != kind:
        raise ModelError(f"joint '{joint.name}' is {joint.kind} in jounce, but {kind} in MuJoCo")
