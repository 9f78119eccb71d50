"""The quantities of a mechanism with closed loops, in the manner of `rows`.

Sizes in shapes: nv counts the independent velocities (of which v, a and tau are), nt those of all
joints, np the dependent ones, nl the rows of all loops. In the rows of `ALL_JOINTS` nv counts all
joints, and loops hold by themselves: v is that of all joints, and derivatives in q are along it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from jounce.catalog.derived import FRAME, ROBOT, derivative
from jounce.catalog.row import STEADY, STILL, Form, Formula, Row, in_geometry, joint_space
from jounce.formulas import bodies, wrt_screws
from jounce.formulas.dynamics import gravity_forces
from jounce.formulas.kinematics import frame_jacobian
from jounce.formulas.mechanism import derivatives, dynamics, geometry, loops
from jounce.formulas.momenta import com_jacobian
from jounce.model.tree import Tree

_FORCES = ("wrenches", "joint_forces")


_OWN: tuple[Row, ...] = (
    joint_space(
        "inverse_dynamics",
        dynamics.inverse_dynamics,
        ("q", "v", "a"),
        ("nv",),
        "Forces E^T (M a + C v + g) on the independent joints, minus those that are given.",
        "N m, N",
        "Kwon (13)",
        optional=_FORCES,
        letter="tau",
        forms={
            "da": Form(dynamics.mass_matrix, takes=("q",)),
            "dpi": Form(derivatives.inverse_dynamics_dpi),
            **in_geometry(geometry.inverse_dynamics_dgeometry),
        },
    ),
    joint_space(
        "forward_dynamics",
        dynamics.forward_dynamics,
        ("q", "v", "tau"),
        ("nv",),
        "Acceleration a of the independent joints under forces tau on them, and given ones.",
        "rad/s^2, m/s^2",
        "",
        optional=_FORCES,
        rates=dynamics.forward_dynamics_rates,
        solves=True,
        letter="a",
        forms={
            "dq": Form(derivatives.forward_dynamics_dq),
            "dv": Form(derivatives.forward_dynamics_dv),
            "dtau": Form(derivatives.forward_dynamics_dtau, takes=("q",)),
            "dpi": Form(derivatives.forward_dynamics_dpi),
            **in_geometry(geometry.forward_dynamics_dgeometry),
        },
    ),
    joint_space(
        "constraint_forces",
        dynamics.constraint_forces,
        ("q", "v", "tau"),
        ("nl",),
        "Forces lam of the loops on their frames b, in the axes of a; the shortest if not unique.",
        "N m, N",
        "M a + C v + g = tau + G^T lam",
        optional=_FORCES,
        rates=dynamics.constraint_forces_rates,
        solves=True,
        forms={
            "dq": Form(derivatives.constraint_forces_dq),
            "dv": Form(derivatives.constraint_forces_dv),
            "dtau": Form(derivatives.constraint_forces_dtau, takes=("q",)),
            "dpi": Form(derivatives.constraint_forces_dpi),
        },
    ),
    joint_space(
        "mass_matrix",
        dynamics.mass_matrix,
        ("q",),
        ("nv", "nv"),
        "Mass matrix E^T M E of the independent joints.",
        "kg m^2, kg m, kg",
        "",
        letter="M",
        forms={
            "dpi": Form(derivatives.mass_matrix_dpi),
            **in_geometry(geometry.mass_matrix_dgeometry),
        },
    ),
    joint_space(
        "coriolis_matrix",
        dynamics.coriolis_matrix,
        ("q", "v"),
        ("nv", "nv"),
        "Christoffel Coriolis matrix C = E^T (M E' + C E) of the independent joints.",
        "N m s, N s",
        "dM/dt = C + C^T",
        letter="C",
        forms={
            "dpi": Form(derivatives.coriolis_matrix_dpi),
            **in_geometry(geometry.coriolis_matrix_dgeometry),
        },
    ),
    joint_space(
        "gravity_forces",
        dynamics.gravity_forces,
        ("q",),
        ("nv",),
        "Forces E^T g on the independent joints that hold the mechanism still.",
        "N m, N",
        "Kwon (13)",
        letter="g",
        forms={
            "dpi": Form(derivatives.inverse_dynamics_dpi, takes=STILL),
            **in_geometry(geometry.inverse_dynamics_dgeometry, takes=STILL),
        },
    ),
    joint_space(
        "bias_forces",
        dynamics.bias_forces,
        ("q", "v"),
        ("nv",),
        "Forces C v + g on the independent joints that hold their velocity.",
        "N m, N",
        "Kwon (13) with zero acceleration",
        letter="tau",
        forms={
            "dpi": Form(derivatives.inverse_dynamics_dpi, takes=STEADY),
            **in_geometry(geometry.inverse_dynamics_dgeometry, takes=STEADY),
        },
    ),
    Row(
        "passive_jacobian",
        loops.passive_jacobian,
        ("q",),
        ("np", "nv"),
        "J_p = -g_p^+ g_a: the dependent joints move with J_p v.",
        "1, m, 1/m",
        "Kwon (12)",
    ),
    Row(
        "velocity",
        loops.velocity,
        ("q", "v"),
        ("nt",),
        "Velocity E v of all joints; its time derivatives are their acceleration, jerk, ...",
        "rad/s, m/s",
        "Kwon (12)",
        forms={"dv": Form(loops.velocity_matrix, takes=("q",))},
    ),
    Row(
        "independent_forces",
        loops.independent_forces,
        ("q", "joint_forces"),
        ("nv",),
        "Forces E^T tau on the independent joints that do the work of tau on all joints.",
        "N m, N",
        "Kwon (13)",
    ),
)

ALL_JOINTS: dict[str, Row] = {
    row.name: row
    for row in (
        Row(
            "loop_residual",
            loops.loop_residual,
            ("q",),
            ("nl",),
            "Zero where the loops are closed: sines of angles, then positions, in a's axes.",
            "1, m",
            "Kwon (11)",
            all_joints=True,
            forms={"dq": Form(loops.loop_jacobian)},
        ),
        Row(
            "loop_jacobian",
            loops.loop_jacobian,
            ("q",),
            ("nl", "nv"),
            "G: the rate of the residual is G v, v the velocity of all joints.",
            "1, m",
            "Kwon (12)",
            all_joints=True,
        ),
        joint_space(
            "constrained_dynamics",
            dynamics.constrained_dynamics,
            ("q", "v", "tau"),
            ("nv",),
            "Acceleration of all joints, from the equations with multipliers of the loops.",
            "rad/s^2, m/s^2",
            "M a + C v + g = tau + G^T lam, G a + G' v = 0",
            optional=("wrenches",),
            all_joints=True,
            rates=dynamics.constrained_dynamics_rates,
            forms={
                "dq": Form(derivatives.constrained_dynamics_dq),
                "dv": Form(derivatives.constrained_dynamics_dv),
                "dtau": Form(derivatives.constrained_dynamics_dtau, takes=("q",)),
                "dpi": Form(derivatives.constrained_dynamics_dpi),
            },
        ),
    )
}

#: What assembly is made of; see `jounce.mechanism.assembly`.
GEOMETRY = Row(
    "loop_geometry",
    loops.loop_geometry,
    ("q",),
    ("loops", 4, 4),
    "Pose of b in a of each loop, and its rates.",
    "1, m",
    "",
    more=(("loops", 6, "nv"),),
)


# ------------------------------------------------------------------ quantities of the tree


def _lifted(row: Row, forms: Mapping[str, Form]) -> Row:
    """A quantity of the tree for the mechanism: as it is for the velocities of all joints.

    Matrices whose last axis runs over the velocities are multiplied by E. forms: its derivatives
    that have forms of their own for mechanisms only.
    """
    matrix = row.shape[-1:] == ("nv",)

    def lift(formula: Formula) -> Formula:
        def lifted(tree: Tree, q: Any, *rest: Any) -> Any:
            closure = loops.Closure(tree, q)
            if "v" in row.arguments:
                v = closure.velocity(rest[0])
                a = [closure.acceleration(v, rest[1])] if "a" in row.arguments else []
                rest = (v, *a, *rest[1 + len(a) :])
            result = formula(tree, closure.q, *rest)
            return np.swapaxes(np.swapaxes(result, 1, -1) @ closure.E, 1, -1) if matrix else result

        return lifted

    def chain(formula: Formula) -> Formula:
        return derivatives.chained(formula, row.arguments)

    # the chain rule where only one argument moves the result along E
    last = next(name for name in ("a", "v", "q") if name in row.arguments)
    simple = "" if matrix else f"d{last}"
    own = {
        name: replace(row.forms[name], formula=by(derivative(row, name).formula), takes=None)
        for name, by in ((simple, chain), ("dpi", lift))
        if name in row.forms
    }
    return replace(row, formula=lift(row.formula), forms={**own, **forms})


#: Quantities of the tree that a mechanism has too, with their forms for mechanisms.
_LIFTED: dict[str, Mapping[str, Form]] = {
    "kinetic_energy": in_geometry(geometry.kinetic_energy_dgeometry),
    "potential_energy": in_geometry(
        geometry.of_place(wrt_screws.potential_energy_dgeometry, gravity_forces)
    ),
    "center_of_mass": in_geometry(
        geometry.of_place(wrt_screws.center_of_mass_dgeometry, com_jacobian)
    ),
    "com_jacobian": {},
    "momentum": {},
    "momentum_matrix": {},
    "centroidal_momentum": {},
    "centroidal_momentum_matrix": {},
    "body_poses": in_geometry(geometry.of_place(bodies.body_poses_dgeometry, bodies.body_poses_dq)),
    "body_twists": {},
    "body_accelerations": {},
}
_LIFTED_OF_FRAMES: dict[str, Mapping[str, Form]] = {
    "pose": in_geometry(geometry.of_place(wrt_screws.frame_pose_dgeometry, frame_jacobian)),
}

#: Quantities of a mechanism and of a frame of it, by name.
MECHANISM: dict[str, Row] = {row.name: row for row in _OWN} | {
    name: _lifted(ROBOT[name], forms) for name, forms in _LIFTED.items()
}
MECHANISM_FRAME: dict[str, Row] = {
    name: _lifted(row, _LIFTED_OF_FRAMES.get(name, {})) for name, row in FRAME.items()
}
