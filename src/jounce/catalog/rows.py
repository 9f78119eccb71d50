"""One row per public quantity. Robot, command line, docs, tests and benchmarks iterate over it.

A row names the formula, its arguments, the shape and unit of its result, where the papers have it,
and the forms of its derivatives: see `row.Row`. All other derivatives go by the rules of `derived`.
"""

from __future__ import annotations

from typing import Any

from jounce.catalog.row import STEADY, STILL, Form, Formula, Row, Tangent, by_rule, in_geometry
from jounce.formulas import (
    dynamics,
    kinematics,
    momenta,
    tensors,
    wrt_inertia,
    wrt_screws,
    wrt_state,
    wrt_time,
)


def _joint_space(*columns: Any, **options: Any) -> Row:
    return Row(*columns, joint_space=True, **options)


def _of_frame(*columns: Any, **options: Any) -> Row:
    return Row(*columns, of_frame=True, **options)


def _design(what: str, unit: str, formula: Formula, takes: tuple[str, ...] | None = None) -> Form:
    """The gradient of a weighted quantity in all that a robot is designed by."""
    return Form(
        formula,
        takes=takes,
        arguments=("lam",),
        shape=("nb", 10),
        more=(("nb", 6), ("nb", 6)),
        doc=f"Gradient of lam . {what} in parameters, joint screws and placements, from one"
        " kernel.",
        unit=f"lam times {unit}; per unit of what it is differentiated by",
        joint_space=False,
    )


#: A pose has six directions, not sixteen.
TWIST = Tangent(
    (6,),
    "the body-fixed twist (rotation first, in the frame's axes) of the frame per unit of what it is"
    " differentiated by, not a derivative of the matrix",
)

_d, _k, _m = dynamics, kinematics, momenta

ROWS: tuple[Row, ...] = (
    _joint_space(
        "inverse_dynamics",
        _d.inverse_dynamics,
        ("q", "v", "a"),
        ("nv",),
        "Generalised forces tau = M a + C v + g, minus external forces if wrenches are given.",
        "N m, N",
        "Garofalo (5); Mueller-Kumar (20); Fakhari, Newton-Euler recursion",
        optional=("wrenches",),
        letter="tau",
        forms={
            "dq": Form(wrt_state.inverse_dynamics_dq, "Garofalo (24); Singh, Russo and Wensing"),
            "dv": Form(wrt_state.inverse_dynamics_dv, "Garofalo (24); Singh, Russo and Wensing"),
            "da": Form(_d.mass_matrix, takes=("q",)),
            **by_rule("dqq", "dqv", "dvv", "daq"),
            "derivatives": Form(
                wrt_state.inverse_dynamics_derivatives,
                "Singh, Russo and Wensing",
                doc="tau with its derivatives in q, v and a (which is M), from one kernel.",
                more=(("nv", "nv"),) * 3,
            ),
            "hessian": Form(
                wrt_state.hessian,
                arguments=("lam",),
                shape=("3nv", "3nv"),
                doc="Sum of lam_i times the second derivatives of tau_i over (q, v, a).",
                unit="lam times N m, N; per unit of what it is differentiated by",
            ),
            "design": _design("tau", "N m, N", wrt_screws.weighted_design),
            "dpi": Form(
                wrt_inertia.inverse_dynamics_dpi,
                "Garofalo (16) with the classic arguments",
                drives=("v", "v", "a"),
            ),
            **in_geometry(wrt_screws.inverse_dynamics_dgeometry),
        },
    ),
    _joint_space(
        "forward_dynamics",
        _d.forward_dynamics,
        ("q", "v", "tau"),
        ("nv",),
        "Acceleration a with M a + C v + g = tau, plus external forces if wrenches are given.",
        "rad/s^2, m/s^2",
        "Fakhari, forward dynamics; Jain-Rodriguez, identity 1.1",
        optional=("wrenches",),
        rates=wrt_time.forward_dynamics_rates,
        solves=True,
        letter="a",
        forms={
            "dq": Form(wrt_state.forward_dynamics_dq),
            "dv": Form(wrt_state.forward_dynamics_dv),
            "dtau": Form(_d.mass_matrix_inverse, takes=("q",)),
            "dqq": Form(wrt_state.forward_dynamics_dqq),
            "dqv": Form(wrt_state.forward_dynamics_dqv),
            "dvv": Form(wrt_state.forward_dynamics_dvv),
            "dqtau": Form(wrt_state.forward_dynamics_dqtau, takes=("q",)),
            "derivatives": Form(
                wrt_state.forward_dynamics_derivatives,
                "minus the inverse of M times the derivatives of inverse dynamics",
                doc="a with its derivatives in q, v and tau (which is the inverse of M), from one"
                " kernel.",
                more=(("nv", "nv"),) * 3,
            ),
            "design": _design("a", "rad/s^2, m/s^2", wrt_screws.weighted_forward_design),
            "dpi": Form(wrt_inertia.forward_dynamics_dpi),
            **in_geometry(wrt_screws.forward_dynamics_dgeometry),
        },
    ),
    _joint_space(
        "mass_matrix",
        _d.mass_matrix,
        ("q",),
        ("nv", "nv"),
        "Mass matrix M, armature included.",
        "kg m^2, kg m, kg",
        "Garofalo (6a); Mueller-Kumar (21); Jain-Rodriguez (1.2)",
        letter="M",
        forms={
            "dq": Form(tensors.mass_matrix_dq, "Garofalo (24a); Jain-Rodriguez (5.52)"),
            **by_rule("dqq"),
            "dpi": Form(wrt_inertia.mass_matrix_dpi, "Garofalo (13a)"),
            **in_geometry(wrt_screws.mass_matrix_dgeometry),
        },
    ),
    _joint_space(
        "mass_matrix_inverse",
        _d.mass_matrix_inverse,
        ("q",),
        ("nv", "nv"),
        "Inverse of the mass matrix.",
        "1/(kg m^2), 1/(kg m), 1/kg",
        "Jain-Rodriguez, identity 1.1",
        solves=True,
        letter="M_inverse",
        forms={
            "dq": Form(tensors.mass_matrix_inverse_dq),
            "dpi": Form(wrt_inertia.mass_matrix_inverse_dpi),
            **in_geometry(wrt_screws.mass_matrix_inverse_dgeometry),
        },
    ),
    _joint_space(
        "coriolis_matrix",
        _d.coriolis_matrix,
        ("q", "v"),
        ("nv", "nv"),
        "Christoffel Coriolis matrix C of M: C v are the velocity forces, and dM/dt = C + C^T.",
        "N m s, N s",
        "Jain-Rodriguez (5.53), Koszul; kernel (G ad - ad^T G - adstar_GV) / 2 in Garofalo (6b)",
        letter="C",
        forms={
            "dq": Form(equation="Garofalo (24b), for the Christoffel kernel"),
            "dv": Form(tensors.coriolis_matrix_dv, "Garofalo (24c), for the Christoffel kernel"),
            "dpi": Form(
                wrt_inertia.coriolis_matrix_dpi, "Garofalo (13b), for the Christoffel kernel"
            ),
            **in_geometry(wrt_screws.coriolis_matrix_dgeometry),
        },
    ),
    _joint_space(
        "christoffel",
        tensors.christoffel,
        ("q",),
        ("nv", "nv", "nv"),
        "Christoffel symbols Gamma with C_ij = sum_k Gamma_ijk v_k, for any joints.",
        "kg m^2, kg m, kg",
        "Jain-Rodriguez (5.53); Koszul's formula where velocities do not commute",
        geometry=False,
        forms={"dpi": Form(wrt_inertia.christoffel_dpi)},
    ),
    _joint_space(
        "gravity_forces",
        _d.gravity_forces,
        ("q",),
        ("nv",),
        "Generalised forces g that hold the robot still.",
        "N m, N",
        "Garofalo (6c); Mueller-Kumar (25)",
        letter="g",
        forms={
            "dq": Form(wrt_state.inverse_dynamics_dq, "Garofalo (24d)", takes=STILL),
            **by_rule("dqq"),
            "design": _design("g", "N m, N", wrt_screws.weighted_design, takes=(*STILL, "lam")),
            "dpi": Form(wrt_inertia.inverse_dynamics_dpi, "Garofalo (13c)", takes=STILL),
            **in_geometry(wrt_screws.inverse_dynamics_dgeometry, takes=STILL),
        },
    ),
    _joint_space(
        "bias_forces",
        _d.bias_forces,
        ("q", "v"),
        ("nv",),
        "Generalised forces C v + g that hold the velocity.",
        "N m, N",
        "Garofalo (5) with zero acceleration",
        letter="tau",
        forms={
            "dq": Form(wrt_state.inverse_dynamics_dq, takes=STEADY),
            "dv": Form(wrt_state.inverse_dynamics_dv, takes=STEADY),
            **by_rule("dqq", "dqv", "dvv"),
            "design": _design(
                "(C v + g)", "N m, N", wrt_screws.weighted_design, takes=(*STEADY, "lam")
            ),
            "dpi": Form(wrt_inertia.inverse_dynamics_dpi, takes=STEADY),
            **in_geometry(wrt_screws.inverse_dynamics_dgeometry, takes=STEADY),
        },
    ),
    _joint_space(
        "external_forces",
        _d.external_forces,
        ("q", "w"),
        ("nv",),
        "Generalised forces sum J_k^T w_k of wrenches acting on the bodies.",
        "N m, N",
        "Mueller-Kumar (27), with the wrench acting on the body",
        letter="tau",
    ),
    _joint_space(
        "joint_friction",
        _d.joint_friction,
        ("v",),
        ("nv",),
        "Friction of the joints, damping v + friction sign(v); part of no other quantity.",
        "N m, N",
        "",
        letter="tau",
        geometry=False,
    ),
    Row(
        "slotine_li_regressor",
        wrt_inertia.slotine_li_regressor,
        ("q", "v", "v_r", "a_r"),
        ("nv", "10nb"),
        "Regressor Y of adaptive control: M a_r + C v_r + g = Y pi, armature apart.",
        "N m, N; per unit of pi",
        "Garofalo (15), (16), for the Christoffel kernel",
        drives=("v", "v_r", "a_r"),
        geometry=False,
    ),
    _joint_space(
        "generalized_momentum",
        _m.generalized_momentum,
        ("q", "v"),
        ("nv",),
        "Generalised momentum M v, armature included.",
        "N m s, N s",
        "",
        forms={"dpi": Form(wrt_inertia.generalized_momentum_dpi)},
    ),
    _joint_space(
        "momentum_forces",
        _m.momentum_forces,
        ("q", "v"),
        ("nv",),
        "C^T v - g: the rate of M v is tau plus these, so that no acceleration is needed.",
        "N m, N",
        "",
        forms={"dpi": Form(wrt_inertia.momentum_forces_dpi)},
    ),
    _joint_space(
        "kinetic_energy",
        _m.kinetic_energy,
        ("q", "v"),
        (),
        "Kinetic energy v^T M v / 2, armature included.",
        "J",
        "Fakhari, kinetic energy",
        letter="energy",
        forms={
            "dq": Form(wrt_state.kinetic_energy_dq),
            "dv": Form(_m.generalized_momentum),
            "dpi": Form(wrt_inertia.kinetic_energy_dpi),
            **in_geometry(wrt_screws.kinetic_energy_dgeometry),
        },
    ),
    Row(
        "potential_energy",
        _m.potential_energy,
        ("q",),
        (),
        "Potential energy of gravity, zero at the world's origin.",
        "J",
        "Fakhari, potential energy",
        letter="energy",
        forms={
            "dq": Form(_d.gravity_forces),
            "dqq": Form(wrt_state.inverse_dynamics_dq, takes=STILL),
            "dpi": Form(wrt_inertia.potential_energy_dpi),
            **in_geometry(wrt_screws.potential_energy_dgeometry),
        },
    ),
    Row(
        "center_of_mass",
        _m.center_of_mass,
        ("q",),
        (3,),
        "Centre of mass of the moving bodies, in the world.",
        "m",
        "Garofalo, remark 3",
        letter="com",
        forms={
            "dq": Form(_m.com_jacobian),
            "dpi": Form(wrt_inertia.center_of_mass_dpi),
            **in_geometry(wrt_screws.center_of_mass_dgeometry),
        },
    ),
    Row(
        "com_jacobian",
        _m.com_jacobian,
        ("q",),
        (3, "nv"),
        "Jacobian of the centre of mass: its velocity in the world is J v.",
        "m, 1",
        "Garofalo (7)",
        letter="J",
        forms={"dpi": Form(wrt_inertia.com_jacobian_dpi)},
    ),
    Row(
        "momentum",
        _m.momentum,
        ("q", "v"),
        (6,),
        "Spatial momentum (angular, linear): world axes, about the world's origin.",
        "N m s, N s",
        "Garofalo (1)",
        letter="h",
        forms={
            "dq": Form(wrt_state.momentum_dq),
            "dv": Form(_m.momentum_matrix, takes=("q",)),
            "dpi": Form(wrt_inertia.momentum_dpi),
            **in_geometry(wrt_screws.momentum_dgeometry),
        },
    ),
    Row(
        "momentum_matrix",
        _m.momentum_matrix,
        ("q",),
        (6, "nv"),
        "Matrix A with momentum = A v: world axes, about the world's origin.",
        "kg m^2, kg m, kg",
        "Garofalo (1)",
        letter="A",
        forms={"dpi": Form(wrt_inertia.momentum_matrix_dpi)},
    ),
    Row(
        "centroidal_momentum",
        _m.centroidal_momentum,
        ("q", "v"),
        (6,),
        "Momentum (angular, linear): world axes, about the centre of mass.",
        "N m s, N s",
        "Garofalo (1)",
        letter="h",
        forms={
            "dq": Form(wrt_state.centroidal_momentum_dq),
            "dv": Form(_m.centroidal_momentum_matrix, takes=("q",)),
            "dpi": Form(wrt_inertia.centroidal_momentum_dpi),
            **in_geometry(wrt_screws.centroidal_momentum_dgeometry),
        },
    ),
    Row(
        "centroidal_momentum_matrix",
        _m.centroidal_momentum_matrix,
        ("q",),
        (6, "nv"),
        "Matrix A with centroidal momentum = A v: world axes, about the centre of mass.",
        "kg m^2, kg m, kg",
        "Garofalo (1)",
        letter="A",
        forms={"dpi": Form(wrt_inertia.centroidal_momentum_matrix_dpi)},
    ),
    _of_frame(
        "pose",
        _k.frame_pose,
        ("q",),
        (4, 4),
        "Homogeneous matrix of the frame in the world; .dq is the frame's Jacobian (6, nv).",
        "1, m",
        "Mueller-Kumar (2)",
        letter="T",
        tangent=TWIST,
        forms={
            "dq": Form(
                _k.frame_jacobian,
                doc=f"Derivative dq of pose, which is frame.jacobian: {TWIST.doc}.",
            ),
            **in_geometry(wrt_screws.frame_pose_dgeometry),
        },
    ),
    _of_frame(
        "jacobian",
        _k.frame_jacobian,
        ("q",),
        (6, "nv"),
        "Body-fixed Jacobian, rotation first: the twist in the frame's axes is J v.",
        "1, m",
        "Garofalo (27); Mueller-Kumar (9)",
        letter="J",
        forms={
            "dq": Form(wrt_state.frame_jacobian_dq, "Garofalo (31)"),
            **in_geometry(wrt_screws.frame_jacobian_dgeometry),
        },
    ),
    _of_frame(
        "jacobian_world",
        _k.frame_jacobian_world,
        ("q",),
        (6, "nv"),
        "Spatial Jacobian, rotation first: world axes, about the world's origin.",
        "1, m",
        "Garofalo, remark 2",
        letter="J",
    ),
    _of_frame(
        "jacobian_mixed",
        _k.frame_jacobian_mixed,
        ("q",),
        (6, "nv"),
        "Jacobian, rotation first: world axes, about the frame's origin.",
        "1, m",
        "",
        letter="J",
    ),
    _of_frame(
        "twist",
        _k.frame_twist,
        ("q", "v"),
        (6,),
        "Body-fixed twist (omega, v), in the frame's axes.",
        "rad/s, m/s",
        "Garofalo (26); Mueller-Kumar (8)",
        letter="twist",
        forms={
            "dq": Form(wrt_state.frame_twist_dq),
            "dv": Form(_k.frame_jacobian, takes=("q",)),
            **in_geometry(wrt_screws.frame_twist_dgeometry),
        },
    ),
    _of_frame(
        "twist_world",
        _k.frame_twist_world,
        ("q", "v"),
        (6,),
        "Spatial twist (omega, v): world axes, about the world's origin.",
        "rad/s, m/s",
        "Garofalo, remark 2",
        letter="twist",
        forms={
            "dq": Form(wrt_state.frame_twist_world_dq),
            "dv": Form(_k.frame_jacobian_world, takes=("q",)),
            **in_geometry(wrt_screws.frame_twist_world_dgeometry),
        },
    ),
    _of_frame(
        "twist_mixed",
        _k.frame_twist_mixed,
        ("q", "v"),
        (6,),
        "Twist (omega, v): world axes, about the frame's origin.",
        "rad/s, m/s",
        "",
        letter="twist",
        forms={
            "dq": Form(wrt_state.frame_twist_mixed_dq),
            "dv": Form(_k.frame_jacobian_mixed, takes=("q",)),
            **in_geometry(wrt_screws.frame_twist_mixed_dgeometry),
        },
    ),
)

#: Quantities of a robot and of a frame, by name.
ROBOT: dict[str, Row] = {row.name: row for row in ROWS if not row.of_frame}
FRAME: dict[str, Row] = {row.name: row for row in ROWS if row.of_frame}
