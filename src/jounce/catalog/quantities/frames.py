"""Frames: poses, Jacobians, twists and accelerations."""

from __future__ import annotations

from functools import partial

from jounce.catalog.arguments import BASE, Argument
from jounce.catalog.charts import POSE
from jounce.catalog.forms import make_geometry_forms
from jounce.catalog.quantity import Form, Formula, Quantity, Result, Signature, Traits
from jounce.formulas import bodies, kinematics, sensors, wrt_screws, wrt_state


def _acceleration(
    name: str, view: bodies.AccelerationView, jacobian: Formula, doc: str, eq: str = ""
) -> Quantity:
    """Return the entry of a frame acceleration in a representation `view`."""
    by = {"dq": bodies.frame_acceleration_dq, "dv": bodies.frame_acceleration_dv}
    return Quantity(
        name,
        partial(bodies.frame_acceleration, view=view),
        Signature(("q", "v", "a"), base=BASE if view in (bodies.LOCAL, bodies.CLASSICAL) else ()),
        (Result((6,), "acceleration"),),
        doc,
        "rad/s^2, m/s^2",
        eq,
        traits=Traits(of_frame=True, lifts=True),
        forms={
            **{key: Form(partial(formula, view=view)) for key, formula in by.items()},
            "da": Form(jacobian, takes=("q",)),
        },
    )


_LOAD = Argument((10,), "inertial parameters of the load in the frame, as of a body")

QUANTITIES: tuple[Quantity, ...] = (
    Quantity(
        "pose",
        kinematics.frame_pose,
        Signature(("q",)),
        (Result((4, 4), "T", POSE),),
        "Pose of the frame in the world frame (homogeneous matrix); .dq is the body Jacobian.",
        "1, m",
        "Mueller-Kumar (3)",
        traits=Traits(of_frame=True, lifts=True),
        forms={
            "dq": Form(
                kinematics.frame_jacobian,
                doc=f"Derivative dq of pose, which is frame.jacobian: {POSE.result_doc}.",
            ),
            **make_geometry_forms(wrt_screws.frame_pose_dgeometry),
        },
    ),
    Quantity(
        "jacobian",
        kinematics.frame_jacobian,
        Signature(("q",)),
        (Result((6, "nv"), "J"),),
        "Body Jacobian, rotation first: the twist in the frame's axes is J v.",
        "1, m",
        "Garofalo (27); Mueller-Kumar (9)",
        traits=Traits(of_frame=True, lifts=True),
        forms={"dq": Form(wrt_state.frame_jacobian_dq, "Garofalo (31)")},
    ),
    Quantity(
        "jacobian_world",
        kinematics.frame_jacobian_world,
        Signature(("q",)),
        (Result((6, "nv"), "J"),),
        "Spatial Jacobian, rotation first: the twist in world axes about the world origin is J v.",
        "1, m",
        "Ad times Garofalo (27)",
        traits=Traits(of_frame=True, lifts=True),
    ),
    Quantity(
        "jacobian_mixed",
        kinematics.frame_jacobian_mixed,
        Signature(("q",)),
        (Result((6, "nv"), "J"),),
        "Mixed Jacobian, rotation first: the twist in world axes about the frame's origin is J v.",
        "1, m",
        traits=Traits(of_frame=True, lifts=True),
    ),
    Quantity(
        "twist",
        kinematics.frame_twist,
        Signature(("q", "v"), base=BASE[:1]),
        (Result((6,), "twist"),),
        "Body twist (omega, v), in the frame's axes.",
        "rad/s, m/s",
        "Garofalo (26); Mueller-Kumar (8)",
        traits=Traits(of_frame=True, lifts=True),
        forms={
            "dq": Form(wrt_state.frame_twist_dq),
            "dv": Form(kinematics.frame_jacobian, takes=("q",)),
        },
    ),
    Quantity(
        "twist_world",
        kinematics.frame_twist_world,
        Signature(("q", "v")),
        (Result((6,), "twist"),),
        "Spatial twist (omega, v), in world axes about the world origin.",
        "rad/s, m/s",
        "Ad times Garofalo (26)",
        traits=Traits(of_frame=True, lifts=True),
        forms={
            "dq": Form(wrt_state.frame_twist_world_dq),
            "dv": Form(kinematics.frame_jacobian_world, takes=("q",)),
            **make_geometry_forms(wrt_screws.frame_twist_world_dgeometry),
        },
    ),
    Quantity(
        "twist_mixed",
        kinematics.frame_twist_mixed,
        Signature(("q", "v")),
        (Result((6,), "twist"),),
        "Mixed twist (omega, v), in world axes about the frame's origin.",
        "rad/s, m/s",
        traits=Traits(of_frame=True, lifts=True),
        forms={
            "dq": Form(wrt_state.frame_twist_mixed_dq),
            "dv": Form(kinematics.frame_jacobian_mixed, takes=("q",)),
            **make_geometry_forms(wrt_screws.frame_twist_mixed_dgeometry),
        },
    ),
    _acceleration(
        "acceleration",
        bodies.LOCAL,
        kinematics.frame_jacobian,
        "Spatial acceleration d(twist)/dt, in the frame's axes, without gravity.",
        "Mueller-Kumar (15); Fakhari, forward iterations",
    ),
    _acceleration(
        "acceleration_world",
        bodies.WORLD,
        kinematics.frame_jacobian_world,
        "Spatial acceleration d(twist_world)/dt, in world axes about the world origin.",
    ),
    _acceleration(
        "acceleration_mixed",
        bodies.MIXED,
        kinematics.frame_jacobian_mixed,
        "Spatial acceleration in world axes about the frame's origin (not that of a point).",
    ),
    _acceleration(
        "classical_acceleration",
        bodies.CLASSICAL,
        kinematics.frame_jacobian,
        "Angular acceleration, and acceleration of the frame's origin, in the frame's axes.",
    ),
    _acceleration(
        "classical_acceleration_mixed",
        bodies.CLASSICAL_MIXED,
        kinematics.frame_jacobian_mixed,
        "Angular acceleration, and acceleration of the frame's origin, in world axes:"
        " d(twist_mixed)/dt.",
    ),
    Quantity(
        "imu",
        sensors.imu,
        Signature(("q", "v", "a")),
        (Result((6,), "imu"),),
        "Reading of an inertial measurement unit: angular velocity and specific force (acceleration"
        " less gravity), in the frame's axes.",
        "rad/s, m/s^2",
        "omega, R^T (dd p - gravity)",
        traits=Traits(of_frame=True, lifts=True),
    ),
    Quantity(
        "force_torque",
        sensors.force_torque,
        Signature(("q", "v", "a"), optional=("wrenches",)),
        (Result((6,), "F"),),
        "Reading of a force-torque sensor between the joint and the body of the frame: the wrench"
        " (moment, force) that carries the body and all beyond it, in the frame's axes.",
        "N m, N",
        "joint_wrenches, seen from the frame",
        traits=Traits(of_frame=True, inertial=True),
    ),
    Quantity(
        "load_wrench",
        sensors.load_wrench,
        Signature(("q", "v", "a", "load"), definitions={"load": _LOAD}),
        (Result((6,), "F"),),
        "Wrench (moment, force) that carries a load fixed to the frame, gravity included, in the"
        " frame's axes; linear in the load's inertial parameters.",
        "N m, N",
        "G A - ad_V^T G V",
        traits=Traits(of_frame=True, lifts=True),
    ),
)
