"""Forces, accelerations, and the matrices between them."""

from __future__ import annotations

from jounce.catalog.row import STEADY, STILL, Form, Formula, Row, by_rule, in_geometry, joint_space
from jounce.formulas import dynamics, tensors, wrt_inertia, wrt_screws, wrt_state, wrt_time


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


ROWS: tuple[Row, ...] = (
    joint_space(
        "inverse_dynamics",
        dynamics.inverse_dynamics,
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
            "da": Form(dynamics.mass_matrix, takes=("q",)),
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
    joint_space(
        "forward_dynamics",
        dynamics.forward_dynamics,
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
            "dtau": Form(dynamics.mass_matrix_inverse, takes=("q",)),
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
    joint_space(
        "mass_matrix",
        dynamics.mass_matrix,
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
    joint_space(
        "mass_matrix_inverse",
        dynamics.mass_matrix_inverse,
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
    joint_space(
        "coriolis_matrix",
        dynamics.coriolis_matrix,
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
    joint_space(
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
    joint_space(
        "gravity_forces",
        dynamics.gravity_forces,
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
    joint_space(
        "bias_forces",
        dynamics.bias_forces,
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
    joint_space(
        "external_forces",
        dynamics.external_forces,
        ("q", "w"),
        ("nv",),
        "Generalised forces sum J_k^T w_k of wrenches acting on the bodies.",
        "N m, N",
        "Mueller-Kumar (27), with the wrench acting on the body",
        letter="tau",
    ),
    joint_space(
        "joint_friction",
        dynamics.joint_friction,
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
)
