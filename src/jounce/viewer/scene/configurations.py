"""Configurations of a robot that viewers and pages show first."""

from __future__ import annotations

import numpy as np

from jounce.arrays import JointView
from jounce.compiler.targets import interpreter
from jounce.model import manifold
from jounce.robot import Robot
from jounce.solve.mechanism import Mechanism
from jounce.viewer.scene.shapes import up_of

#: Systems with a configuration of their own.
Subject = Robot | Mechanism

#: Initial joint angles of chains, rad; straight chains are hard to see and may be singular.
_INITIAL_ANGLES = (0.4, 0.6, -0.3, -0.9, 0.3, 0.7, 0.2)


def poses_at(system: Subject, q: np.ndarray) -> np.ndarray:
    """Return body poses (n, nb, 4, 4) by interpreting the tape, without compiling it."""
    tape = system.quantity("body_poses").kernel.tape
    entries = np.broadcast_arrays(*interpreter.run(tape, [*q.T]), q[:, 0])[:-1]
    return np.stack(entries, axis=-1).reshape(len(q), -1, 4, 4)


def neutral_configuration(system: Subject) -> np.ndarray:
    """Return the neutral configuration moved into the limits, with closed loops."""
    q = np.asarray(manifold.neutral(system.tree), dtype=float)
    low, high = system.limits.bounds(float)
    q = np.clip(q, low, high)
    return system.close_loops(q) if isinstance(system, Mechanism) else q


def start_of(system: Subject) -> np.ndarray:
    """Return the initial configuration of viewers and pages: bent for chains, else neutral."""
    if isinstance(system, Mechanism):
        return system.reference
    q = neutral_configuration(system)
    parents = [joint.parent for joint in system.model.joints]
    if len(set(parents)) < len(parents):
        return q
    low, high = system.limits.bounds(float)
    leading = [view for view in leading_joints(system) if view.joint.row.single]
    bent = np.stack((q, q))
    for k, view in enumerate(leading):
        if view.joint.row.units == ("rad",):
            for sign, x in zip((1.0, -1.0), bent, strict=True):
                angle = x[view.q] + (sign if k else 1.0) * _INITIAL_ANGLES[k % len(_INITIAL_ANGLES)]
                x[view.q] = np.clip(angle, low[view.q], high[view.q])
    # of the two directions of bending, the one with higher bodies
    heights = poses_at(system, bent)[:, :, :3, 3] @ up_of(system.model.gravity)
    lowest = heights.min(axis=1)
    return bent[1 if lowest[1] > lowest[0] + 1e-9 else 0]


def coordinate_units(system: Subject) -> list[str]:
    """Return the units of q: "rad", "m", or "" for quaternions."""
    units = [""] * system.nq
    for view in leading_joints(system):
        units[view.q] = view.joint.row.units
    return units


def leading_joints(system: Subject) -> list[JointView]:
    """Return the joints that do not mimic others, in order."""
    return [view for view in system.joints.values() if view.joint.mimic is None]
