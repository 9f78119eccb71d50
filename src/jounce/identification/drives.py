"""Drives of joints: velocities with a drive, and the drive parameters of the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields

import numpy as np

from jounce.identification.subject import MechanismAdapter, Subject

Sign = Callable[[np.ndarray], np.ndarray]


def driven_velocities(robot: Subject) -> list[int]:
    """Return the velocities that can have an armature."""
    if isinstance(robot, MechanismAdapter):
        of_all = driven_velocities(robot.bodies)
        return [i for i, k in enumerate(robot.active) if k in of_all]
    slices = [node.vs for node in robot.tree.nodes if node.motion.armature == "each"]
    return sorted({k for part in slices for k in range(part.start, part.stop)})


@dataclass(frozen=True)
class DriveParameters:
    """Armature, damping and friction (nv,) as seen at each velocity, including mimic joints.

    stribeck_friction is that of the joint itself.
    """

    armature: np.ndarray
    damping: np.ndarray
    friction: np.ndarray
    stribeck_friction: np.ndarray

    @classmethod
    def of(cls, robot: Subject) -> DriveParameters:
        """Return the drive parameters of a robot, or of the independent joints of a mechanism.

        Parameters
        ----------
        robot : Robot or MechanismAdapter
            The robot, or a mechanism with the interface of a robot.

        Returns
        -------
        DriveParameters
            Armature (kg m^2 or kg), damping (N m s/rad or N s/m), friction and Stribeck friction
            (N m or N), each (nv,).
        """
        if isinstance(robot, MechanismAdapter):
            tree = cls.of(robot.bodies)
            return cls(*(getattr(tree, x.name)[robot.active] for x in fields(cls)))
        out = cls(*np.zeros((4, robot.nv)))
        for view in robot.joints.values():
            if view.joint.mimic is None:
                out.stribeck_friction[view.v] = view.joint.stribeck_friction
        for node in robot.tree.nodes:
            gain = float(node.gain)
            out.armature[node.vs] += gain**2 * node.armature.astype(float)
            out.damping[node.vs] += gain**2 * node.damping.astype(float)
            out.friction[node.vs] += abs(gain) * node.friction.astype(float)
        return out


def expand_to_all_joints(robot: Subject, drives: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Expand drive parameters of independent joints by those of the dependent joints."""
    if not isinstance(robot, MechanismAdapter):
        return dict(drives)
    model = DriveParameters.of(robot.bodies)
    out = {}
    for name, values in drives.items():
        out[name] = getattr(model, name).copy()
        out[name][robot.active] = values
    return out


@dataclass(frozen=True)
class PassiveDrives:
    """Known drives of a mechanism's dependent joints, as arrays over all joints.

    They contribute E^T times their forces to the torques of the independent joints.
    """

    robot: MechanismAdapter
    drives: DriveParameters

    @classmethod
    def of(cls, robot: Subject) -> PassiveDrives | None:
        """Return the passive drives of a mechanism; None if there are none."""
        if not isinstance(robot, MechanismAdapter):
            return None
        drives = DriveParameters.of(robot.bodies)
        parts = (drives.armature, drives.damping, drives.friction)
        for x in parts:
            x[robot.active] = 0.0
        return cls(robot, drives) if np.any(parts) else None

    def friction(self, q: np.ndarray, v: np.ndarray, sign: Sign) -> np.ndarray:
        """Return E^T times the friction, (n, nv); sign: the factor of Coulomb friction."""
        closed = self.robot.mechanism
        speed = closed.velocity(q, v)
        return closed.independent_forces(
            q, self.drives.damping * speed + self.drives.friction * sign(speed)
        )

    def inertia(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return E^T times armature times acceleration, (n, nv)."""
        closed = self.robot.mechanism
        return closed.independent_forces(q, self.drives.armature * closed.velocity.dt(q, v, a))

    def momentum(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return p = E^T A E v and h = E'^T A E v of the armatures A; `inertia` is dp/dt - h."""
        closed = self.robot.mechanism
        p = self.drives.armature * closed.velocity(q, v)
        return closed.independent_forces(q, p), closed.independent_forces.dt(
            q, v, p, np.zeros_like(p)
        )
