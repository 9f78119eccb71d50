"""Mechanisms that are not in the gallery."""

from __future__ import annotations

import numpy as np

import jounce
from jounce.solve.mechanism.robot import Mechanism


def rocker() -> Mechanism:
    """Four bars whose crank cannot come round: 1 m, 1 m and 0.6 m over a base of 2 m."""
    builder = jounce.TreeBuilder("rocker")
    seat = np.eye(4)
    for name, parent, x in (("crank", (), 0.0), ("coupler", ("crank",), 1.0), ("lever", (), 2.0)):
        seat = np.eye(4)
        seat[0, 3] = x
        builder.add(
            name,
            "revolute",
            *parent,
            joint_name=f"{name} joint",
            placement=seat,
            axis=(0, 1, 0),
            mass=1.0,
            com=(0.3, 0, 0),
            inertia_com=0.1 * np.eye(3),
        )
    ends = []
    for name, length in (("coupler", 1.0), ("lever", 0.6)):
        end = np.eye(4)
        end[0, 3] = length
        ends.append((name, end))
    locked = (False, False, False, True, False, True)
    robot = jounce.Robot(builder.build()).edit.with_loop(ends[0], ends[1], locked)
    return robot.closed(["crank joint"], q0=(-0.3, -0.4, -1.8))
