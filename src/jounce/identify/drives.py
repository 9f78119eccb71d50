"""Drives of joints: which velocities have one, and what the robot says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from jounce.robot import Robot


def driven(robot: Robot) -> list[int]:
    """Velocities that can have an armature: those of motions with a drive for each."""
    driven = [node.vs for node in robot.tree.nodes if node.motion.armature == "each"]
    return sorted({k for at in driven for k in range(at.start, at.stop)})


@dataclass(frozen=True)
class DriveParameters:
    """Armature, damping and friction (nv,) as seen at each velocity, followers included."""

    armature: np.ndarray
    damping: np.ndarray
    friction: np.ndarray

    @classmethod
    def of(cls, robot: Robot) -> DriveParameters:
        """Those of a robot."""
        out = cls(*np.zeros((3, robot.nv)))
        for node in robot.tree.nodes:
            gain = float(node.gain)
            out.armature[node.vs] += gain**2 * node.armature.astype(float)
            out.damping[node.vs] += gain**2 * node.damping.astype(float)
            out.friction[node.vs] += abs(gain) * node.friction.astype(float)
        return out
