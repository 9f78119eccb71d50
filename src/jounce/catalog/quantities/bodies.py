"""All bodies at once: poses, twists, accelerations, and wrenches of the joints."""

from __future__ import annotations

from jounce.catalog.arguments import BASE
from jounce.catalog.charts import POSES
from jounce.catalog.forms import make_geometry_forms
from jounce.catalog.quantity import Form, Quantity, Result, Signature, Traits
from jounce.formulas import bodies, joint_wrenches, sensors

QUANTITIES: tuple[Quantity, ...] = (
    Quantity(
        "body_poses",
        bodies.body_poses,
        Signature(("q",)),
        (Result(("nb", 4, 4), "T", POSES),),
        "Poses of all bodies in the world frame (homogeneous matrices); .dq are body Jacobians.",
        "1, m",
        "Mueller-Kumar (3)",
        traits=Traits(lifts=True),
        forms={
            "dq": Form(
                bodies.body_poses_dq,
                "Garofalo (27)",
                doc=f"Derivative dq of body_poses, the Jacobians (nb, 6, nv) of all bodies:"
                f" {POSES.result_doc}.",
            ),
            **make_geometry_forms(bodies.body_poses_dgeometry),
        },
    ),
    Quantity(
        "body_twists",
        bodies.body_twists,
        Signature(("q", "v"), base=BASE[:1]),
        (Result(("nb", 6), "twists"),),
        "Body-fixed twists (omega, v) of all bodies, in body axes.",
        "rad/s, m/s",
        "Garofalo (26); Mueller-Kumar (8)",
        traits=Traits(lifts=True),
    ),
    Quantity(
        "body_accelerations",
        bodies.body_accelerations,
        Signature(("q", "v", "a"), base=BASE),
        (Result(("nb", 6), "accelerations"),),
        "Spatial accelerations of all bodies, in body axes: d(body_twists)/dt, without gravity.",
        "rad/s^2, m/s^2",
        "Mueller-Kumar (15); Fakhari, forward iterations",
        traits=Traits(lifts=True),
    ),
    Quantity(
        "joint_wrenches",
        joint_wrenches.joint_wrenches,
        Signature(("q", "v", "a"), optional=("wrenches",), base=BASE),
        (Result(("nb", 6), "F"),),
        "Wrench (moment, force) of each joint on its body, in body axes about the body origin.",
        "N m, N",
        "Fakhari, backward iterations; Kwon (4), Algorithm 1 for dscrew",
        traits=Traits(inertial=True),
    ),
    Quantity(
        "subtree_inertias",
        sensors.subtree_inertias,
        Signature(("q",)),
        (Result(("nb", 10), "pi"),),
        "Inertial parameters of each body with all that it carries, as one rigid body in the body's"
        " frame (composite rigid-body inertia); the first is the mass.",
        "kg, kg m, kg m^2",
        "sum of Ad_T^-T G Ad_T^-1 over the subtree",
        traits=Traits(lifts=True, inertial=True),
    ),
    Quantity(
        "subtree_centers",
        sensors.subtree_centers,
        Signature(("q",)),
        (Result(("nb", 3), "c"),),
        "Center of mass of each body with all that it carries, in the world.",
        "m",
        "sum m c / sum m over the subtree",
        traits=Traits(lifts=True, inertial=True),
    ),
)
