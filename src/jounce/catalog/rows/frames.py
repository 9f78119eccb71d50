"""Frames: poses, Jacobians, twists and accelerations."""

from __future__ import annotations

from functools import partial

from jounce.catalog.arguments import BASE
from jounce.catalog.charts import POSE
from jounce.catalog.row import Form, Formula, Row, in_geometry, of_frame
from jounce.formulas import bodies, kinematics, wrt_screws, wrt_state


def _acceleration(name: str, view: bodies.View, jacobian: Formula, doc: str, eq: str = "") -> Row:
    """A row of accelerations, looked at in a way of its own."""
    by = {"dq": bodies.frame_acceleration_dq, "dv": bodies.frame_acceleration_dv}
    return of_frame(
        name,
        partial(bodies.frame_acceleration, view=view),
        ("q", "v", "a"),
        (6,),
        doc,
        "rad/s^2, m/s^2",
        eq,
        base=BASE if view in (bodies.OWN, bodies.CLASSICAL) else (),
        letter="acceleration",
        lifts=True,
        forms={
            **{key: Form(partial(formula, view=view)) for key, formula in by.items()},
            "da": Form(jacobian, takes=("q",)),
            **in_geometry(partial(bodies.frame_acceleration_dgeometry, view=view)),
        },
    )


ROWS: tuple[Row, ...] = (
    of_frame(
        "pose",
        kinematics.frame_pose,
        ("q",),
        (4, 4),
        "Homogeneous matrix of the frame in the world; .dq is the frame's Jacobian (6, nv).",
        "1, m",
        "Mueller-Kumar (3)",
        lifts=True,
        letter="T",
        charts=(POSE,),
        forms={
            "dq": Form(
                kinematics.frame_jacobian,
                doc=f"Derivative dq of pose, which is frame.jacobian: {POSE.of}.",
            ),
            **in_geometry(wrt_screws.frame_pose_dgeometry),
        },
    ),
    of_frame(
        "jacobian",
        kinematics.frame_jacobian,
        ("q",),
        (6, "nv"),
        "Body-fixed Jacobian, rotation first: the twist in the frame's axes is J v.",
        "1, m",
        "Garofalo (27); Mueller-Kumar (9)",
        lifts=True,
        letter="J",
        forms={
            "dq": Form(wrt_state.frame_jacobian_dq, "Garofalo (31)"),
            **in_geometry(wrt_screws.frame_jacobian_dgeometry),
        },
    ),
    of_frame(
        "jacobian_world",
        kinematics.frame_jacobian_world,
        ("q",),
        (6, "nv"),
        "Spatial Jacobian, rotation first: world axes, about the world's origin.",
        "1, m",
        "Ad times Garofalo (27)",
        lifts=True,
        letter="J",
    ),
    of_frame(
        "jacobian_mixed",
        kinematics.frame_jacobian_mixed,
        ("q",),
        (6, "nv"),
        "Jacobian, rotation first: world axes, about the frame's origin.",
        "1, m",
        "",
        lifts=True,
        letter="J",
    ),
    of_frame(
        "twist",
        kinematics.frame_twist,
        ("q", "v"),
        (6,),
        "Body-fixed twist (omega, v), in the frame's axes.",
        "rad/s, m/s",
        "Garofalo (26); Mueller-Kumar (8)",
        base=BASE[:1],
        lifts=True,
        letter="twist",
        forms={
            "dq": Form(wrt_state.frame_twist_dq),
            "dv": Form(kinematics.frame_jacobian, takes=("q",)),
        },
    ),
    of_frame(
        "twist_world",
        kinematics.frame_twist_world,
        ("q", "v"),
        (6,),
        "Spatial twist (omega, v): world axes, about the world's origin.",
        "rad/s, m/s",
        "Ad times Garofalo (26)",
        lifts=True,
        letter="twist",
        forms={
            "dq": Form(wrt_state.frame_twist_world_dq),
            "dv": Form(kinematics.frame_jacobian_world, takes=("q",)),
            **in_geometry(wrt_screws.frame_twist_world_dgeometry),
        },
    ),
    of_frame(
        "twist_mixed",
        kinematics.frame_twist_mixed,
        ("q", "v"),
        (6,),
        "Twist (omega, v): world axes, about the frame's origin.",
        "rad/s, m/s",
        "",
        lifts=True,
        letter="twist",
        forms={
            "dq": Form(wrt_state.frame_twist_mixed_dq),
            "dv": Form(kinematics.frame_jacobian_mixed, takes=("q",)),
            **in_geometry(wrt_screws.frame_twist_mixed_dgeometry),
        },
    ),
    _acceleration(
        "acceleration",
        bodies.OWN,
        kinematics.frame_jacobian,
        "Spatial acceleration, the time derivative of twist: in the frame's axes, no gravity.",
        "Mueller-Kumar (15); Fakhari, forward iterations",
    ),
    _acceleration(
        "acceleration_world",
        bodies.WORLD,
        kinematics.frame_jacobian_world,
        "Spatial acceleration, the time derivative of twist_world.",
    ),
    _acceleration(
        "acceleration_mixed",
        bodies.MIXED,
        kinematics.frame_jacobian_mixed,
        "Spatial acceleration in world axes, about the frame's origin; not that of a point.",
    ),
    _acceleration(
        "classical_acceleration",
        bodies.CLASSICAL,
        kinematics.frame_jacobian,
        "Angular acceleration, and acceleration of the frame's origin as a point: frame's axes.",
    ),
    _acceleration(
        "classical_acceleration_mixed",
        bodies.CLASSICAL_MIXED,
        kinematics.frame_jacobian_mixed,
        "The same in world axes: the time derivative of twist_mixed.",
    ),
)
