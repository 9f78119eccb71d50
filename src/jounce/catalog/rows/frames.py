"""Frames: poses, Jacobians and twists."""

from __future__ import annotations

from jounce.catalog.row import Form, Row, Tangent, in_geometry, of_frame
from jounce.formulas import kinematics, wrt_screws, wrt_state

#: A pose has six directions, not sixteen.
TWIST = Tangent(
    (6,),
    "the body-fixed twist (rotation first, in the frame's axes) of the frame per unit of what it is"
    " differentiated by, not a derivative of the matrix",
)

ROWS: tuple[Row, ...] = (
    of_frame(
        "pose",
        kinematics.frame_pose,
        ("q",),
        (4, 4),
        "Homogeneous matrix of the frame in the world; .dq is the frame's Jacobian (6, nv).",
        "1, m",
        "Mueller-Kumar (2)",
        lifts=True,
        letter="T",
        tangent=TWIST,
        forms={
            "dq": Form(
                kinematics.frame_jacobian,
                doc=f"Derivative dq of pose, which is frame.jacobian: {TWIST.doc}.",
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
        "Garofalo, remark 2",
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
        lifts=True,
        letter="twist",
        forms={
            "dq": Form(wrt_state.frame_twist_dq),
            "dv": Form(kinematics.frame_jacobian, takes=("q",)),
            **in_geometry(wrt_screws.frame_twist_dgeometry),
        },
    ),
    of_frame(
        "twist_world",
        kinematics.frame_twist_world,
        ("q", "v"),
        (6,),
        "Spatial twist (omega, v): world axes, about the world's origin.",
        "rad/s, m/s",
        "Garofalo, remark 2",
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
)
