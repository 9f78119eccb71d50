"""Drives of joints: which velocities have one, and what the robot says of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from jounce.identification.subject import Closed, Subject

Sign = Callable[[np.ndarray], np.ndarray]


def driven(robot: Subject) -> list[int]:
    """Velocities that can have an armature: those of motions with a drive for each."""
    if isinstance(robot, Closed):
        of_all = driven(robot.bodies)
        return [i for i, k in enumerate(robot.active) if k in of_all]
    driven_at = [node.vs for node in robot.tree.nodes if node.motion.armature == "each"]
    return sorted({k for at in driven_at for k in range(at.start, at.stop)})


@dataclass(frozen=True)
class DriveParameters:
    """Armature, damping and friction (nv,) as seen at each velocity, followers included."""

    armature: np.ndarray
    damping: np.ndarray
    friction: np.ndarray

    @classmethod
    def of(cls, robot: Subject) -> DriveParameters:
        """Those of a robot, or of the independent joints of a mechanism."""
        if isinstance(robot, Closed):
            own = cls.of(robot.bodies)
            return cls(*(x[robot.active] for x in (own.armature, own.damping, own.friction)))
        out = cls(*np.zeros((3, robot.nv)))
        for node in robot.tree.nodes:
            gain = float(node.gain)
            out.armature[node.vs] += gain**2 * node.armature.astype(float)
            out.damping[node.vs] += gain**2 * node.damping.astype(float)
            out.friction[node.vs] += abs(gain) * node.friction.astype(float)
        return out


def of_all_joints(robot: Subject, given: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Drive parameters by kind with the dependent joints' own among those of the independent."""
    if not isinstance(robot, Closed):
        return dict(given)
    own = DriveParameters.of(robot.bodies)
    out = {}
    for name, values in given.items():
        out[name] = getattr(own, name).copy()
        out[name][robot.active] = values
    return out


@dataclass(frozen=True)
class PassiveDrives:
    """Armature, damping and friction of a mechanism's dependent joints, among those of all joints.

    They are known, and part of the torques of the independent joints: E^T times their forces.
    """

    robot: Closed
    own: DriveParameters

    @classmethod
    def of(cls, robot: Subject) -> PassiveDrives | None:
        """Those of a mechanism; None where there are none."""
        if not isinstance(robot, Closed):
            return None
        own = DriveParameters.of(robot.bodies)
        parts = (own.armature, own.damping, own.friction)
        for x in parts:
            x[robot.active] = 0.0
        return cls(robot, own) if np.any(parts) else None

    def friction(self, q: np.ndarray, v: np.ndarray, sign: Sign) -> np.ndarray:
        """E^T times the friction, (n, nv); sign: what Coulomb friction is multiplied by."""
        closed = self.robot.mechanism
        speed = closed.velocity(q, v)
        return closed.independent_forces(
            q, self.own.damping * speed + self.own.friction * sign(speed)
        )

    def inertia(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """E^T times armature by acceleration, (n, nv)."""
        closed = self.robot.mechanism
        return closed.independent_forces(q, self.own.armature * closed.velocity.dt(q, v, a))

    def momentum(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """p = E^T A E v and h = E'^T A E v of the armatures A: `inertia` is dp/dt - h."""
        closed = self.robot.mechanism
        p = self.own.armature * closed.velocity(q, v)
        return closed.independent_forces(q, p), closed.independent_forces.dt(
            q, v, p, np.zeros_like(p)
        )
