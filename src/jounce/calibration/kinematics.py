"""Geometric parameters of a robot, and residuals of measurements with exact derivatives in them.

All parameters x are zero for the robot as loaded. Joint i is placed by P_i exp(x_i), turns about an
axis displaced by exp(s_i), and reads q: it is at q (1 + gear) + offset - compliance tau. Frames of
sensors and markers are M exp(x) likewise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.arrays import lie
from jounce.calibration.measurements import INTRINSICS, Measurements, residuals
from jounce.errors import ArgumentError, ModelError, suggest
from jounce.solve import Mechanism

if TYPE_CHECKING:
    from jounce.robot import Robot

#: Groups of parameters that `calibrate` can estimate.
GROUPS = (
    "offsets",
    "gears",
    "screws",
    "placements",
    "joint_compliance",
    "link_compliance",
)

#: Standard deviations of the prior by group; of frames and intrinsics so large that they are free.
PRIORS = {
    "offsets": 0.1,
    "gears": 0.05,
    "screws": 0.1,
    "placements": 0.1,
    "joint_compliance": 1e-3,
    "link_compliance": 1e-4,
    "mounts": 10.0,
    "targets": 10.0,
    "intrinsics": 1e3,
}

#: Standard deviations (rad, m) beyond which a parameter counts as undetermined; of geometry, of
#: which such deviations are implausible, and others.
_LARGEST_DEVIATIONS = {"screws": 0.02, "placements": 0.02}
_LARGEST_DEVIATION = 0.1

_AXES = ("rx", "ry", "rz", "x", "y", "z")

#: Newton steps that close the loops of a changed mechanism, and the gap at which they end.
_MAX_CLOSING_STEPS, _CLOSED = 30, 1e-13

#: Largest gap (rad, m) of loops that cannot be closed exactly.
_LARGEST_GAP = 0.05


@dataclass(frozen=True)
class Block:
    """Parameters of one group: of all joints, of one sensor or one marker."""

    group: str
    key: tuple[str, str] | None
    part: slice
    labels: tuple[str, ...]
    units: tuple[str, ...]


class Kinematics:
    """Residuals of measurements as functions of all parameters x, and their derivatives.

    system: the robot or mechanism. groups: names of `GROUPS` that have columns; frames of sensors
    and markers have columns if any measurement says so.
    """

    def __init__(
        self,
        system: Robot | Mechanism,
        data: Sequence[Measurements],
        groups: Sequence[str],
        priors: Mapping[str, float],
    ) -> None:
        self.system, self.data = system, tuple(data)
        self.robot: Robot = system.robot if isinstance(system, Mechanism) else system
        self.model = self.robot.model
        self.groups = tuple(groups)
        _, self.P0, self.S0 = system.morphable.now
        self.joints = _single_joints(self.robot, system.labels("v"))
        self.poses = {name: system.morphable.frame(name).pose for name in self._frames()}
        self.mounts, self.targets, self.cameras = _first_frames(self.data)
        self.blocks = self._blocks()
        self.size = self.blocks[-1].part.stop if self.blocks else 0
        self.labels = [name for block in self.blocks for name in block.labels]
        self.units = [unit for block in self.blocks for unit in block.units]
        chosen = PRIORS | dict(priors)
        if unknown := set(priors) - set(PRIORS):
            name = sorted(unknown)[0]
            raise ArgumentError(f"{system.name}: priors: {suggest(name, PRIORS)}")
        self.prior = np.concatenate(
            [np.full(len(block.labels), float(chosen[block.group])) for block in self.blocks]
            or [np.empty(0)]
        )
        frames = np.isin(self.units, ("rad", "m"))
        limits = [
            np.full(len(block.labels), _LARGEST_DEVIATIONS.get(block.group, _LARGEST_DEVIATION))
            for block in self.blocks
        ]
        limit = np.concatenate([np.empty(0), *limits])
        self.scale = np.where(frames, np.minimum(self.prior, limit), self.prior)
        if not np.all(self.prior > 0.0):
            raise ArgumentError(f"{system.name}: priors: expected standard deviations > 0")

    # -------------------------------------------------------------- layout

    def _frames(self) -> list[str]:
        nq, nv = self.system.nq, self.system.nv
        for item in self.data:
            if item.q.shape[1] != nq:
                raise ArgumentError(
                    f"{item.name}: q: expected shape (n, {nq}) for '{self.system.name}', found"
                    f" {item.q.shape}"
                )
            if item.tau is not None and item.tau.shape != (len(item), nv):
                raise ArgumentError(
                    f"{item.name}: tau: expected shape ({len(item)}, {nv}), found {item.tau.shape}"
                )
        names = {x for item in self.data for x in (item.frame, item.reference) if x is not None}
        for name in names - set(self.model.frame_names):
            hint = suggest(name, self.model.frame_names)
            raise ArgumentError(f"{self.system.name}: no frame '{name}'; {hint}")
        return sorted(names)

    def _blocks(self) -> list[Block]:
        """Return the blocks of x, in order of preference where parameters are redundant.

        Sensors and markers come first: where they are is less known than the robot's geometry.
        """
        out: list[Block] = []

        def add(group: str, key: Any, labels: Sequence[str], units: Sequence[str]) -> None:
            start = out[-1].part.stop if out else 0
            part = slice(start, start + len(labels))
            out.append(Block(group, key, part, tuple(labels), tuple(units)))

        bodies = [joint.name for joint in self.model.joints]
        turns = {name: "rad" if axial else "m" for name, _, _, axial in self.joints}
        six = ("rad",) * 3 + ("m",) * 3
        for group, kept in (("mounts", "mount"), ("targets", "target")):
            for key in {self._key(x, kept): None for x in self.data if kept in x.estimate}:
                name = " ".join(filter(None, key))
                add(group, key, [f"{name} {kept} {axis}" for axis in _AXES], six)
        for key in {x.sensor_key: None for x in self.data if "intrinsics" in x.estimate}:
            if key in self.cameras:
                name = " ".join(filter(None, key))
                add("intrinsics", key, [f"{name} {k}" for k in INTRINSICS], ("px",) * 4)
        for group in GROUPS:
            if group not in self.groups:
                continue
            if group in ("screws", "placements"):
                word = "axis" if group == "screws" else "placement"
                labels = [f"{name} {word} {axis}" for name in bodies for axis in _AXES]
                add(group, None, labels, six * len(bodies))
            elif group == "link_compliance":
                labels = [f"{name} link compliance {axis}" for name in bodies for axis in _AXES]
                add(group, None, labels, (("rad/Nm",) * 3 + ("m/N",) * 3) * len(bodies))
            else:
                word = {"offsets": "offset", "gears": "gear"}.get(group, "compliance")
                bends = {"rad": "rad/Nm", "m": "m/N"}
                units = list(turns.values())
                if group != "offsets":
                    units = ["1" if group == "gears" else bends[unit] for unit in units]
                add(group, None, [f"{name} {word}" for name in turns], units)
        return out

    @staticmethod
    def _key(item: Measurements, kept: str) -> tuple[str, str]:
        return item.sensor_key if kept == "mount" else item.marker_key

    def block(self, group: str, key: tuple[str, str] | None = None) -> Block | None:
        """Return a block, or None if it is not estimated."""
        return next((b for b in self.blocks if b.group == group and b.key == key), None)

    def value(self, x: np.ndarray, group: str, key: tuple[str, str] | None = None) -> np.ndarray:
        """Return the parameters of a block; zeros if it is not estimated."""
        block = self.block(group, key)
        if block is not None:
            return x[block.part]
        return np.zeros(6)

    # -------------------------------------------------------------- values

    def mount(self, x: np.ndarray, key: tuple[str, str]) -> np.ndarray:
        """Return the pose (4, 4) of a sensor in its reference."""
        return self.mounts[key] @ lie.se3.exp(self.value(x, "mounts", key))

    def target(self, x: np.ndarray, key: tuple[str, str]) -> np.ndarray:
        """Return the pose (4, 4) of a marker in its frame."""
        return self.targets[key] @ lie.se3.exp(self.value(x, "targets", key))

    def intrinsics(self, x: np.ndarray, key: tuple[str, str]) -> np.ndarray | None:
        """Return fx, fy, cx, cy of a camera; None if the sensor is none."""
        camera = self.cameras.get(key)
        block = self.block("intrinsics", key)
        return camera if camera is None or block is None else camera + x[block.part]

    def geometry(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return placements and screws (nb, 4, 4), without compliance."""
        P, S = self.P0, self.S0
        if block := self.block("placements"):
            P = P @ np.asarray(lie.se3.exp(x[block.part].reshape(-1, 6)))
        if block := self.block("screws"):
            S = np.asarray(lie.se3.exp(x[block.part].reshape(-1, 6))) @ S
        return P, S

    def joint_positions(self, x: np.ndarray, item: Measurements, rows: np.ndarray) -> np.ndarray:
        """Return the configurations (k, nq) of rows of some measurements, with closed loops."""
        q = item.q[rows].copy()
        if not {"offsets", "gears", "joint_compliance"}.isdisjoint(self.groups):
            for group in ("offsets", "gears", "joint_compliance"):
                if (block := self.block(group)) is None:
                    continue
                for k, (_, i, v, _) in enumerate(self.joints):
                    q[:, i] += x[block.part][k] * self._effect(group, item, rows, i, v)
        return self._closed(q, *self.geometry(x)) if isinstance(self.system, Mechanism) else q

    def _effect(
        self, group: str, item: Measurements, rows: np.ndarray, i: int, v: int
    ) -> np.ndarray | float:
        """Return the change of coordinate i per unit of a parameter."""
        if group == "offsets":
            return 1.0
        return item.q[rows, i] if group == "gears" else -self.torques(item, rows)[:, v]

    def torques(self, item: Measurements, rows: np.ndarray) -> np.ndarray:
        """Return measured torques, or those of gravity, (k, nv)."""
        return self.system.gravity_forces(item.q[rows]) if item.tau is None else item.tau[rows]

    def _closed(self, q: np.ndarray, P: np.ndarray, S: np.ndarray) -> np.ndarray:
        """Close the loops by moving the dependent joints.

        Planar loops and others with redundant constraints cannot be closed exactly if the geometry
        has errors; their gaps are then as small as possible.
        """
        mechanism = self.system
        assert isinstance(mechanism, Mechanism)
        pi, morphable = mechanism.model.parameters, mechanism.morphable
        dependent = np.setdiff1d(np.arange(self.robot.nv), mechanism.active)
        gap = step = np.inf
        for _ in range(_MAX_CLOSING_STEPS):
            phi = np.asarray(morphable.loop_residual(q, pi, P, S))
            last, gap = gap, float(np.abs(phi).max(initial=0.0))
            if gap < _CLOSED or step < _CLOSED or (gap < 1e-9 and gap >= last):
                return q
            G = np.asarray(morphable.loop_jacobian(q, pi, P, S))[..., dependent]
            dv = np.zeros((len(q), self.robot.nv))
            dv[:, dependent] = -(np.linalg.pinv(G, rcond=1e-9) @ phi[..., None])[..., 0]
            q = np.asarray(self.robot.integrate(q, dv))
            step = float(np.abs(dv).max(initial=0.0))
        if gap < _LARGEST_GAP and step < 1e-3 * gap:
            return q
        raise ModelError(f"{mechanism.name}: the loops cannot be closed; the gap is {gap:.2g}")

    def gap(self, x: np.ndarray, item: Measurements) -> float:
        """Return the largest gap of the loops of a mechanism at measured configurations."""
        q, (P, S) = self.joint_positions(x, item, np.arange(len(item))), self.geometry(x)
        mechanism = self.system
        assert isinstance(mechanism, Mechanism)
        phi = mechanism.morphable.loop_residual(q, mechanism.model.parameters, P, S)
        return float(np.abs(np.asarray(phi)).max(initial=0.0))

    # -------------------------------------------------------------- derivatives

    def evaluate(
        self, x: np.ndarray, item: Measurements, rows: np.ndarray, columns: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Return residuals e (k, m) of rows of measurements, and de/dx (k, m, columns)."""
        q = self.joint_positions(x, item, rows)
        P, S = self.geometry(x)
        bends, P_rows = self._bends(x, item, rows, P)
        F0 = np.asarray(self.poses[item.frame](q, P_rows, S))
        X, M = self.target(x, item.marker_key), self.mount(x, item.sensor_key)
        A = M
        if item.reference is not None:
            A = np.asarray(self.poses[item.reference](q, P_rows, S)) @ M
        R = np.asarray(lie.se3.inverse(A)) @ F0 @ X
        camera = self.intrinsics(x, item.sensor_key)
        e, D, K = residuals(item.kind, R, item.values[rows], camera)
        if columns is None:
            return e, None
        J = np.zeros((*e.shape, self.size))
        Ad_R = np.asarray(lie.se3.Ad(lie.se3.inverse(R)))
        state = q, P_rows, S, bends
        self._add_robot(J, x, item, rows, item.frame, D @ _ad_inverse(X), state)
        if item.reference is not None:
            DA = -(D @ Ad_R @ _ad_inverse(M))
            self._add_robot(J, x, item, rows, item.reference, DA, state)
        for group, key, factor in (
            ("targets", item.marker_key, D),
            ("mounts", item.sensor_key, -(D @ Ad_R)),
        ):
            if block := self.block(group, key):
                J[..., block.part] = factor @ lie.se3.right_jacobian(x[block.part])
        if K is not None and (block := self.block("intrinsics", item.sensor_key)):
            J[..., block.part] = K
        return e, J[..., columns]

    def _bends(
        self, x: np.ndarray, item: Measurements, rows: np.ndarray, P: np.ndarray
    ) -> tuple[tuple[np.ndarray, np.ndarray] | None, np.ndarray]:
        """Return loads and deflections (k, nb, 6) of the links, and placements that have them."""
        block = self.block("link_compliance")
        if block is None:
            return None, P
        q = item.q[rows]
        zero = np.zeros((len(q), self.system.nv))
        w = np.asarray(self.system.joint_wrenches(q, zero, zero))
        T = np.asarray(self.system.body_poses(q))
        parents = [joint.parent for joint in self.model.joints]
        world = np.broadcast_to(np.eye(4), T[:, 0].shape)
        above = np.stack([T[:, p] if p >= 0 else world for p in parents], axis=1)
        # wrenches in the axes of the joint before it moves, on its point in the parent
        turn = np.asarray(lie.se3.inverse(above @ self.P0)) @ T
        loads = (np.asarray(lie.se3.Ad(lie.se3.inverse(turn))).mT @ w[..., None])[..., 0]
        deflections = -x[block.part].reshape(-1, 6) * loads
        return (loads, deflections), P @ np.asarray(lie.se3.exp(deflections))

    def _add_robot(
        self,
        J: np.ndarray,
        x: np.ndarray,
        item: Measurements,
        rows: np.ndarray,
        frame: str,
        D: np.ndarray,
        state: tuple[np.ndarray, np.ndarray, np.ndarray, Any],
    ) -> None:
        """Add D times the derivative of the twist of a frame in the parameters of the robot."""
        q, P, S, bends = state
        pose = self.poses[frame]
        k, m = D.shape[:2]
        if not {"offsets", "gears", "joint_compliance"}.isdisjoint(self.groups):
            E = D @ np.asarray(pose.dq(q, P, S))
            for group in ("offsets", "gears", "joint_compliance"):
                if (block := self.block(group)) is None:
                    continue
                for n, (_, i, v, _) in enumerate(self.joints):
                    effect = self._effect(group, item, rows, i, v)
                    J[..., block.part.start + n] += E[..., v] * np.reshape(effect, (-1, 1))
        placements, links = self.block("placements"), self.block("link_compliance")
        if placements or links:
            E = (D @ np.asarray(pose.dplacement(q, P, S)).reshape(k, 6, -1)).reshape(k, m, -1, 6)
            if placements:
                J[..., placements.part] += self._pull(E, x[placements.part], bends)
            if links:
                loads, deflections = bends
                right = np.asarray(lie.se3.right_jacobian(deflections))
                each = np.einsum("kmbi,kbij,kbj->kmbj", E, right, -loads)
                J[..., links.part] += each.reshape(k, m, -1)
        if block := self.block("screws"):
            E = D @ np.asarray(pose.dscrew(q, P, S)).reshape(k, 6, -1)
            left = lie.se3.left_jacobian(x[block.part].reshape(-1, 6))
            J[..., block.part] += _times(E, left)

    def _pull(self, E: np.ndarray, x: np.ndarray, bends: Any) -> np.ndarray:
        """Return derivatives in placements from those in displacements (k, m, nb, 6)."""
        if bends is not None:
            back = np.asarray(lie.se3.Ad(lie.se3.exp(-bends[1])))
            E = np.einsum("kmbi,kbij->kmbj", E, back)
        E = E.reshape(*E.shape[:2], -1)
        return _times(E, lie.se3.right_jacobian(x.reshape(-1, 6))) if np.any(x) else E


def _ad_inverse(T: np.ndarray) -> np.ndarray:
    return np.asarray(lie.se3.Ad(lie.se3.inverse(T)))


def _times(E: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    """Return E (k, m, 6 nb) times the block-diagonal matrix of blocks (nb, 6, 6)."""
    n = len(blocks)
    diagonal = np.einsum("bij,bc->bicj", blocks, np.eye(n)).reshape(6 * n, 6 * n)
    return (E.reshape(-1, 6 * n) @ diagonal).reshape(E.shape)


def _single_joints(robot: Robot, names: Sequence[str]) -> list[tuple[str, int, int, bool]]:
    """Return name, indices in q and in v, and whether it turns, of joints of one coordinate."""
    out = []
    for v, name in enumerate(names):
        view = robot.joints.get(name)
        if view is not None and view.q.stop - view.q.start == 1:
            out.append((name, view.q.start, v, view.joint.row.units[0] == "rad"))
    return out


def _first_frames(data: Sequence[Measurements]) -> tuple[dict, dict, dict]:
    """Return the given mounts, targets and intrinsics by key, the identity by default."""
    mounts, targets, cameras = {}, {}, {}
    for item in data:
        for table, key, value in (
            (mounts, item.sensor_key, item.mount),
            (targets, item.marker_key, item.target),
            (cameras, item.sensor_key, item.intrinsics),
        ):
            if value is None:
                continue
            if key in table and not np.allclose(table[key], value):
                name = " ".join(filter(None, key))
                raise ArgumentError(f"{item.name}: '{name}' is given twice, with other numbers")
            table[key] = value
    for item in data:
        mounts.setdefault(item.sensor_key, np.eye(4))
        targets.setdefault(item.marker_key, np.eye(4))
    return mounts, targets, cameras
