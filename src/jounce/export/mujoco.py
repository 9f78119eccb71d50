"""Maps between our states and MuJoCo's, and MuJoCo's compiled models as ours.

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
from jounce.export.sizes import sized, sized_matrix
from jounce.io.mjcf import TYPES, couplings, model_from_mujoco, names_of
from jounce.model import Joint, Model, checked_model, lower
from jounce.model.joints import FLOATING, KINDS

__all__ = ["MujocoMap", "model_from_mujoco"]


class MujocoMap:
    """Translates states, forces and matrices between a model and the `MjModel` it was read from.

    Joints are matched by name. With the matrix G(q) (mj_nv, nv): qvel = G v, tau = G^T qfrc,
    M = G^T M_mujoco G. In the other direction forces and matrices act on the leaders, and followers
    get zeros: what comes back is the same. Methods take leading batch axes; those called
    ..._from_mujoco take MuJoCo's qpos and qvel where they need a state, the others ours.
    """

    def __init__(self, model: Model, mj_model: Any) -> None:
        self.model = checked_model(model, "MujocoMap")
        self.mj_nq, self.mj_nv = int(mj_model.nq), int(mj_model.nv)
        self._slots, self._rest = _match(model, mj_model)

    def q_to_mujoco(self, q: Any) -> np.ndarray:
        """Configuration (..., nq) as MuJoCo's qpos (..., mj_nq)."""
        q = sized(q, self.model.nq, "q")
        out = np.empty((*q.shape[:-1], self.mj_nq))
        out[...] = self._rest  # joints that stand still
        for slot in self._slots:
            own = q[..., slot.q : slot.q + slot.nq]
            if slot.kind == FLOATING:
                own = np.concatenate((own[..., 4:], own[..., :4]), axis=-1)
            out[..., slot.mj_q : slot.mj_q + slot.nq] = slot.gain * own + slot.offset
        return out

    def q_from_mujoco(self, qpos: Any) -> np.ndarray:
        """Configuration (..., nq) from MuJoCo's qpos (..., mj_nq); followers are not read."""
        qpos = sized(qpos, self.mj_nq, "qpos")
        out = np.empty((*qpos.shape[:-1], self.model.nq))
        for slot in self._leaders():
            own = qpos[..., slot.mj_q : slot.mj_q + slot.nq]
            if slot.kind == FLOATING:
                own = np.concatenate((own[..., 3:], own[..., :3]), axis=-1)
            out[..., slot.q : slot.q + slot.nq] = own
        return out

    def v_to_mujoco(self, q: Any, v: Any) -> np.ndarray:
        """Velocity (..., nv) at q as MuJoCo's qvel (..., mj_nv)."""
        return self._to_mujoco(q, sized(v, self.model.nv, "v"))

    def v_from_mujoco(self, qpos: Any, qvel: Any) -> np.ndarray:
        """Velocity (..., nv) from MuJoCo's qpos and qvel; followers are not read."""
        return self._from_mujoco(qpos, sized(qvel, self.mj_nv, "qvel"))

    def a_to_mujoco(self, q: Any, v: Any, a: Any) -> np.ndarray:
        """Acceleration (..., nv) at q and v as MuJoCo's qacc (..., mj_nv)."""
        v, a = sized(v, self.model.nv, "v"), sized(a, self.model.nv, "a")
        return self._to_mujoco(q, a + self._turning(v))

    def a_from_mujoco(self, qpos: Any, qvel: Any, qacc: Any) -> np.ndarray:
        """Acceleration (..., nv) from MuJoCo's qpos, qvel and qacc; followers are not read."""
        v = self.v_from_mujoco(qpos, qvel)
        return self._from_mujoco(qpos, sized(qacc, self.mj_nv, "qacc")) - self._turning(v)

    def tau_to_mujoco(self, q: Any, tau: Any) -> np.ndarray:
        """Generalized forces (..., nv) at q as MuJoCo's (..., mj_nv); those of followers are 0."""
        return self._to_mujoco(q, sized(tau, self.model.nv, "tau"), self._leaders())

    def tau_from_mujoco(self, qpos: Any, qfrc: Any) -> np.ndarray:
        """Generalized forces (..., nv) from MuJoCo's (..., mj_nv): those of followers add up."""
        qfrc = sized(qfrc, self.mj_nv, "qfrc")
        return np.einsum("...ij,...i->...j", self.G(self.q_from_mujoco(qpos)), qfrc)

    def matrix_to_mujoco(self, q: Any, matrix: Any) -> np.ndarray:
        """A matrix such as M, (..., nv, nv), at q as MuJoCo's (..., mj_nv, mj_nv).

        Of those that take velocities to forces. Rows and columns of followers are 0.
        """
        matrix = sized_matrix(matrix, self.model.nv, "matrix")
        q = sized(q, self.model.nq, "q")[..., None, :]
        rows = self._to_mujoco(q, np.eye(self.model.nv), self._leaders())
        return np.swapaxes(rows, -1, -2) @ matrix @ rows

    def matrix_from_mujoco(self, qpos: Any, matrix: Any) -> np.ndarray:
        """A matrix such as M, (..., nv, nv), from MuJoCo's (..., mj_nv, mj_nv)."""
        matrix = sized_matrix(matrix, self.mj_nv, "MuJoCo's matrix")
        G = self.G(self.q_from_mujoco(qpos))
        return np.swapaxes(G, -1, -2) @ matrix @ G

    def G(self, q: Any) -> np.ndarray:
        """The matrix (..., mj_nv, nv) with qvel = G v."""
        q = sized(q, self.model.nq, "q")
        columns = self._to_mujoco(q[..., None, :], np.eye(self.model.nv))
        return np.swapaxes(columns, -1, -2)

    # -------------------------------------------------------------- how

    def _leaders(self) -> list[_Slot]:
        return [slot for slot in self._slots if not slot.follows]

    def _to_mujoco(self, q: Any, v: np.ndarray, slots: list[_Slot] | None = None) -> np.ndarray:
        """Velocities of all joints, or those of some with zeros for the others."""
        q = sized(q, self.model.nq, "q")
        batch = np.broadcast_shapes(q.shape[:-1], v.shape[:-1])
        out = np.zeros((*batch, self.mj_nv))
        for slot in self._slots if slots is None else slots:
            own = slot.gain * v[..., slot.v : slot.v + slot.nv]
            if slot.kind == FLOATING:
                linear = lie.quaternion.rotate(q[..., slot.q : slot.q + 4], own[..., 3:])
                own = np.concatenate(np.broadcast_arrays(linear, own[..., :3]), axis=-1)
            out[..., slot.mj_v : slot.mj_v + slot.nv] = own
        return out

    def _from_mujoco(self, qpos: Any, qvel: np.ndarray) -> np.ndarray:
        qpos = sized(qpos, self.mj_nq, "qpos")
        batch = np.broadcast_shapes(qpos.shape[:-1], qvel.shape[:-1])
        out = np.zeros((*batch, self.model.nv))
        for slot in self._leaders():
            own = qvel[..., slot.mj_v : slot.mj_v + slot.nv]
            if slot.kind == FLOATING:
                back = lie.quaternion.inverse(qpos[..., slot.mj_q + 3 : slot.mj_q + 7])
                linear = lie.quaternion.rotate(back, own[..., :3])
                own = np.concatenate(np.broadcast_arrays(own[..., 3:], linear), axis=-1)
            out[..., slot.v : slot.v + slot.nv] = own
        return out

    def _turning(self, v: np.ndarray) -> np.ndarray:
        """omega x v in the linear part of every free joint (..., nv)."""
        out = np.zeros(v.shape)
        for slot in self._slots:
            if slot.kind == FLOATING:
                omega, linear = v[..., slot.v : slot.v + 3], v[..., slot.v + 3 : slot.v + 6]
                out[..., slot.v + 3 : slot.v + 6] = np.cross(omega, linear)
        return out


@dataclass(frozen=True, eq=False)
class _Slot:
    """Where one joint's coordinates are on both sides; theirs = gain * ours + offset."""

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
    """Places of all joints, and MuJoCo's qpos of those that stand still."""
    names, tree = names_of(mj).joints, lower(model)
    rest = np.array(mj.qpos0)
    rules = couplings.couplings(mj, names)
    ours = {joint.name: b for b, joint in enumerate(model.joints)}
    extra = [name for name in ours if name not in names]
    if extra:
        raise ModelError(f"MuJoCo's model has no joint called {', '.join(extra)}")
    slots = []
    for j, name in enumerate(names):
        at = int(mj.jnt_qposadr[j])
        if name in ours:
            joint = model.joints[ours[name]]
            _check_kind(joint, TYPES[mj.jnt_type[j]])
            node = tree.nodes[tree.node_of_body[ours[name]]]
            place = (node.q, node.v, float(node.gain), float(node.offset))
            follows = joint.mimic is not None
            slots.append(_Slot(joint.kind, follows, *place, at, int(mj.jnt_dofadr[j])))
        elif j in rules and rules[j].leader is None:
            rest[at] = rules[j].offset
        else:
            raise ModelError(
                f"robot '{model.name}' has no joint '{name}', MuJoCo's model has; joints here:"
                f" {', '.join(ours)}"
            )
    return slots, rest


def _check_kind(joint: Joint, kind: str) -> None:
    if joint.kind != kind:
        raise ModelError(f"joint '{joint.name}': {joint.kind} here, {kind} in MuJoCo")
