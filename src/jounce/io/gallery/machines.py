"""A quadruped and a Stewart platform, made for jounce, with plausible masses."""

from __future__ import annotations

from typing import Any

import numpy as np

from jounce.io.builder import DEFAULT_GRAVITY, TreeBuilder, Vector, base_kind, placement
from jounce.io.gallery.shapes import (
    BLUE,
    JOINT,
    LINK,
    ORANGE,
    Shapes,
    ball,
    bar,
    box,
    disc,
    solid,
    with_shapes,
)
from jounce.model.model import Model

#: Legs of the quadruped: name, and sides along x and y.
_LEGS = (
    ("front_left", 1.0, 1.0),
    ("front_right", 1.0, -1.0),
    ("rear_left", -1.0, 1.0),
    ("rear_right", -1.0, -1.0),
)

#: Bend of the hips in rad, half as large as that of the knees, and radius of the feet in m.
_BEND, _FOOT_RADIUS = 0.75, 0.022


def _block(mass: float, size: Vector, com: Vector = (0.0, 0.0, 0.0)) -> dict[str, Any]:
    """Return mass, center and inertia of a homogeneous box with edges (3,)."""
    squares = np.square(size)
    inertia = np.diag(mass / 12.0 * (squares.sum() - squares))
    return {"mass": mass, "com": com, "inertia_com": inertia}


def quadruped(
    thigh: float = 0.21,
    shank: float = 0.21,
    *,
    base: str = "floating",
    gravity: Vector = DEFAULT_GRAVITY,
) -> Model:
    """Trunk with four legs of three joints, which stands at q = 0 with bent knees.

    thigh, shank: lengths in m. The feet are balls of radius 0.022 m about the frames
    "front_left_foot" and so on, and "point" contacts of the same names, at their lowest points.
    """
    builder = TreeBuilder("quadruped", gravity, source="gallery")
    builder.add("trunk", base_kind(base), joint_name="base", **_block(7.0, (0.4, 0.2, 0.11)))
    trunk = [box((0.36, 0.17, 0.1), (0, 0, 0), LINK), box((0.2, 0.12, 0.03), (0, 0, 0.06), JOINT)]
    shapes: Shapes = {"": [*trunk, box((0.05, 0.13, 0.07), (0.2, 0, 0.01), JOINT)]}
    for leg, x, y in _LEGS:
        shapes |= _add_leg(builder, leg, np.array((0.19 * x, 0.06 * y, 0.0)), (thigh, shank))
    model = with_shapes(builder.build(), shapes)
    for leg, _, _ in _LEGS:
        sole = placement((0.0, 0.0, -_FOOT_RADIUS))
        model = model.with_contact((f"{leg}_foot", sole), "point", f"{leg}_foot")
    return model


def _add_leg(builder: TreeBuilder, leg: str, seat: np.ndarray, lengths: Vector) -> Shapes:
    """Add a leg of the quadruped at a point (3,) of the trunk; return its shapes."""
    (thigh, shank), y = lengths, float(np.sign(seat[1]))
    hip, upper, lower = (f"{leg}_{part}" for part in ("hip", "thigh", "shank"))
    motor: Any = {"effort_limit": 45.0, "velocity_limit": 20.0, "damping": 0.01}
    roll = sorted((-0.4 * y, 0.9 * y))
    builder.add(
        hip,
        "revolute",
        "trunk",
        joint_name=f"{leg}_abduction",
        xyz=seat,
        axis=(1, 0, 0),
        lower=roll[0],
        upper=roll[1],
        **motor,
        **_block(0.6, (0.08, 0.08, 0.08), (0.0, 0.03 * y, 0.0)),
    )
    builder.add(
        upper,
        "revolute",
        hip,
        joint_name=f"{leg}_hip",
        xyz=(0.0, 0.085 * y, 0.0),
        rpy=(0.0, _BEND, 0.0),
        axis=(0, 1, 0),
        lower=-1.8,
        upper=1.8,
        **motor,
        **_block(0.8, (0.05, 0.04, thigh), (0.0, 0.0, -0.4 * thigh)),
    )
    builder.add(
        lower,
        "revolute",
        upper,
        joint_name=f"{leg}_knee",
        xyz=(0.0, 0.0, -thigh),
        rpy=(0.0, -2.0 * _BEND, 0.0),
        axis=(0, 1, 0),
        lower=-1.1,
        upper=1.2,
        **motor,
        **_block(0.2, (0.03, 0.03, shank), (0.0, 0.0, -0.45 * shank)),
    )
    foot = np.array((0.0, 0.0, -shank))
    builder.frame(f"{leg}_foot", lower, placement(foot, (0.0, _BEND, 0.0)))
    side = (0.0, 0.012 * y, 0.0)
    knee = [disc((0, 1, 0), 0.026, 0.05, ORANGE), bar(side, foot, 0.014, JOINT)]
    muscle = solid("ellipsoid", (0.036, 0.025, 0.62 * thigh), (0, 0.01 * y, -0.47 * thigh), LINK)
    return {
        hip: [disc((1, 0, 0), 0.045, 0.09, JOINT), bar((0, 0, 0), 5 * np.array(side), 0.04, JOINT)],
        upper: [disc((0, 1, 0), 0.046, 0.06, ORANGE), muscle],
        lower: [*knee, ball(_FOOT_RADIUS, foot, BLUE)],
    }


def stewart(
    base_radius: float = 0.5,
    platform_radius: float = 0.3,
    height: float = 0.6,
    *,
    base: str = "fixed",
    gravity: Vector = DEFAULT_GRAVITY,
) -> Model:
    """Stewart platform: six legs, each a universal, a prismatic and a ball joint.

    Radii and height in m; at q = 0 the platform is level at this height. The tree leads through
    the first leg to the platform, and loops of kind "spherical" hold it to the other legs.
    """
    builder = TreeBuilder("stewart", gravity, source="gallery")
    plate = _block(10.0, (base_radius, base_radius, 0.04))
    builder.add("ground", base_kind(base), joint_name="base", **plate)
    plates = ((base_radius + 0.06, 0.03, -0.05), (0.6 * base_radius, 0.2, -0.165))
    shapes: Shapes = {"": [disc((0, 0, 1), r, h, JOINT, (0, 0, z)) for r, h, z in plates]}
    tips = []
    for k in range(6):
        side = 1.0 if k % 2 else -1.0
        foot = 2.0 * np.pi / 3.0 * (k // 2) + 0.2 * side
        head = foot + (np.pi / 3.0 - 0.4) * side
        start = base_radius * np.array((np.cos(foot), np.sin(foot), 0.0))
        tip = platform_radius * np.array((np.cos(head), np.sin(head), 0.0))
        seat = _add_strut(builder, k + 1, start, tip + np.array((0.0, 0.0, height)), shapes)
        tips.append((tip, seat))
    tip, turn = tips[0]
    seat = np.eye(4)
    seat[:3, :3] = turn.T
    body = _block(5.0, (1.4 * platform_radius, 1.4 * platform_radius, 0.03), -tip)
    builder.add("platform", "spherical", "rod1", joint_name="ball1", placement=seat, **body)
    top = [disc((0, 0, 1), platform_radius + 0.04, 0.03, LINK, (*-tip[:2], 0.03))]
    shapes["platform"] = [*top, box((0.06, 0.02, 0.01), (0.2 - tip[0], -tip[1], 0.05), ORANGE)]
    for k, (end, _) in enumerate(tips[1:], 2):
        ends = placement(end - tip), np.eye(4)
        builder.loop(f"ball{k}", "platform", f"rod{k}", "spherical", *ends)
    builder.frame("tool", "platform", placement((0.0, 0.0, 0.045) - tip))
    return with_shapes(builder.build(), shapes)


def _add_strut(
    builder: TreeBuilder, k: int, start: np.ndarray, end: np.ndarray, shapes: Shapes
) -> np.ndarray:
    """Add cylinder and rod between two points (3,), and their shapes; return their rotation."""
    reach = end - start
    length = float(np.linalg.norm(reach))
    T = placement(start)
    T[:3, 2] = reach / length
    T[:3, 0] = np.cross((0.0, 1.0, 0.0), T[:3, 2])
    T[:3, 0] /= np.linalg.norm(T[:3, 0])
    T[:3, 1] = np.cross(T[:3, 2], T[:3, 0])
    cylinder, rod = f"cylinder{k}", f"rod{k}"
    builder.add(
        cylinder,
        "universal",
        "ground",
        joint_name=f"foot{k}",
        placement=T,
        axis=(1, 0, 0),
        axis2=(0, 1, 0),
        effort_limit=0.0,
        **_block(1.0, (0.06, 0.06, 0.5 * length), (0.0, 0.0, 0.25 * length)),
    )
    builder.add(
        rod,
        "prismatic",
        cylinder,
        joint_name=f"leg{k}",
        xyz=(0.0, 0.0, length),
        axis=(0, 0, 1),
        lower=-0.2 * length,
        upper=0.25 * length,
        effort_limit=500.0,
        **_block(0.5, (0.03, 0.03, 0.5 * length), (0.0, 0.0, -0.25 * length)),
    )
    z = np.array((0.0, 0.0, length))
    shapes[cylinder] = [
        ball(0.032, (0, 0, 0), ORANGE),
        bar(0.05 * z, 0.58 * z, 0.026, BLUE, "cylinder"),
    ]
    shapes[rod] = [
        bar(-0.55 * z, 0 * z, 0.013, LINK, "cylinder"),
        ball(0.024, (0, 0, 0), ORANGE),
    ]
    return T[:3, :3]
