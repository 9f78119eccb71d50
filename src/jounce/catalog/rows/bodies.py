"""All bodies at once: their poses, twists, accelerations, and what their joints exert on them."""

from __future__ import annotations

from jounce.catalog.arguments import BASE
from jounce.catalog.charts import POSES
from jounce.catalog.row import Form, Row, in_geometry
from jounce.formulas import bodies, joint_wrenches

ROWS: tuple[Row, ...] = (
    Row(
        "body_poses",
        bodies.body_poses,
        ("q",),
        ("nb", 4, 4),
        "Homogeneous matrices of all bodies in the world; .dq are their Jacobians (nb, 6, nv).",
        "1, m",
        "Mueller-Kumar (3)",
        letter="T",
        lifts=True,
        charts=(POSES,),
        forms={
            "dq": Form(
                bodies.body_poses_dq,
                "Garofalo (27)",
                doc=f"Derivative dq of body_poses, the Jacobians of all bodies: {POSES.of}.",
            ),
            **in_geometry(bodies.body_poses_dgeometry),
        },
    ),
    Row(
        "body_twists",
        bodies.body_twists,
        ("q", "v"),
        ("nb", 6),
        "Body-fixed twists (omega, v) of all bodies, in their own axes.",
        "rad/s, m/s",
        "Garofalo (26); Mueller-Kumar (8)",
        base=BASE[:1],
        letter="twists",
        lifts=True,
    ),
    Row(
        "body_accelerations",
        bodies.body_accelerations,
        ("q", "v", "a"),
        ("nb", 6),
        "Spatial accelerations of all bodies, the time derivatives of body_twists; no gravity.",
        "rad/s^2, m/s^2",
        "Mueller-Kumar (15); Fakhari, forward iterations",
        base=BASE,
        letter="accelerations",
        lifts=True,
    ),
    Row(
        "joint_wrenches",
        joint_wrenches.joint_wrenches,
        ("q", "v", "a"),
        ("nb", 6),
        "Wrench (moment, force) that each joint exerts on its body: body's axes and origin.",
        "N m, N",
        "Fakhari, backward iterations; Kwon (4), Algorithm 1 for dscrew",
        optional=("wrenches",),
        base=BASE,
        letter="F",
        inertial=True,
    ),
)
