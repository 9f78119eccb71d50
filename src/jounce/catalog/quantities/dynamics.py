"""Dynamics: forces, accelerations, mass and Coriolis matrices, regressors."""

from __future__ import annotations

from jounce.catalog.arguments import BASE
from jounce.catalog.autodiff.directions import (
    weighted_design,
    weighted_design_product,
    weighted_forward_design,
)
from jounce.catalog.forms import (
    add_jacobians,
    list_derivatives,
    make_design_form,
    make_design_product_form,
    make_geometry_forms,
)
from jounce.catalog.quantity import (
    AT_REST,
    AT_ZERO_ACCELERATION,
    Form,
    Quantity,
    Result,
    Signature,
    Traits,
)
from jounce.formulas import (
    dynamics,
    equations,
    friction,
    friction_laws,
    springs,
    tensors,
    wrt_forward,
    wrt_inertia,
    wrt_screws,
    wrt_state,
    wrt_time,
)

#: Gradient of weighted inverse dynamics in the design.
_DESIGN = make_design_form("tau", "tau", "N m, N", weighted_design(dynamics.inverse_dynamics, 3))

QUANTITIES: tuple[Quantity, ...] = (
    Quantity(
        "inverse_dynamics",
        dynamics.inverse_dynamics,
        Signature(("q", "v", "a"), optional=("wrenches",), base=BASE),
        (Result(("nv",), "tau"),),
        "Inverse dynamics (recursive Newton-Euler): tau = M a + C v + g - sum J_k^T w_k.",
        "N m, N",
        "Garofalo (5); Mueller-Kumar (1); Fakhari, forward iterations, backward iterations",
        traits=Traits(joint_space=True),
        forms={
            "dq": Form(wrt_state.inverse_dynamics_dq, "Garofalo (24); Singh, Russell and Wensing"),
            "dv": Form(wrt_state.inverse_dynamics_dv, "Garofalo (24); Singh, Russell and Wensing"),
            "da": Form(dynamics.mass_matrix, takes=("q",)),
            **dict.fromkeys(
                ("dqq", "dqv", "dvv", "daq"), Form(equation="Singh-Russell-Wensing, backward pass")
            ),
            "derivatives": Form(
                wrt_state.inverse_dynamics_derivatives,
                "Singh, Russell and Wensing",
                results=add_jacobians((Result(("nv",), "tau"),), "q", "v", "a"),
                doc="tau and its derivatives in q, v and a (the mass matrix), from one kernel.",
            ),
            "hessian": Form(
                wrt_state.hessian,
                arguments=("lam",),
                results=(Result(("3nv", "3nv"), "tau_hessian"),),
                doc="Sum of lam_i times the second derivatives of tau_i over (q, v, a).",
                unit="lam times N m, N; per unit of the variable",
            ),
            "design": _DESIGN,
            "design_product": make_design_product_form(
                _DESIGN, weighted_design_product(dynamics.inverse_dynamics, 3)
            ),
            "dpi": Form(
                wrt_inertia.inverse_dynamics_dpi,
                "Garofalo (16) with the classic arguments",
                drives=("v", "v", "a"),
            ),
        },
    ),
    Quantity(
        "forward_dynamics",
        dynamics.forward_dynamics,
        Signature(("q", "v", "tau"), optional=("wrenches",), base=BASE),
        (Result(("nv",), "a"),),
        "Forward dynamics: acceleration a of M a + C v + g = tau + sum J_k^T w_k.",
        "rad/s^2, m/s^2",
        "Fakhari, forward dynamics; Jain-Rodriguez, Identity 1.1",
        traits=Traits(joint_space=True, solves=True),
        rates=wrt_time.forward_dynamics_rates,
        inverse=dynamics.inverse_dynamics,
        forms={
            "dq": Form(wrt_forward.forward_dynamics_dq),
            "dv": Form(wrt_forward.forward_dynamics_dv),
            "dtau": Form(dynamics.mass_matrix_inverse, takes=("q",)),
            "dqq": Form(wrt_forward.forward_dynamics_dqq),
            **list_derivatives("dqv"),
            "dvv": Form(wrt_forward.forward_dynamics_dvv),
            "dqtau": Form(wrt_forward.forward_dynamics_dqtau, takes=("q",)),
            "derivatives": Form(
                wrt_forward.forward_dynamics_derivatives,
                "minus the inverse of M times the derivatives of inverse dynamics",
                results=add_jacobians((Result(("nv",), "a"),), "q", "v", "tau"),
                doc="a and its derivatives in q, v and tau (the inverse of M), from one kernel.",
            ),
            "design": make_design_form(
                "a",
                "a",
                "rad/s^2, m/s^2",
                weighted_forward_design(dynamics.forward_dynamics, dynamics.inverse_dynamics),
            ),
            "dpi": Form(wrt_inertia.forward_dynamics_dpi),
            **make_geometry_forms(wrt_screws.forward_dynamics_dgeometry),
        },
    ),
    Quantity(
        "mass_matrix",
        dynamics.mass_matrix,
        Signature(("q",)),
        (Result(("nv", "nv"), "M"),),
        "Mass matrix M (joint-space inertia), including armature.",
        "kg m^2, kg m, kg",
        "Garofalo (6a); Mueller-Kumar (20); Jain-Rodriguez (1.2)",
        traits=Traits(joint_space=True),
        forms={
            "dq": Form(equation="Garofalo (24a); Jain-Rodriguez (5.52)"),
            **list_derivatives("dqq"),
            "dpi": Form(wrt_inertia.mass_matrix_dpi, "Garofalo (13a)"),
            **make_geometry_forms(wrt_screws.mass_matrix_dgeometry),
        },
    ),
    Quantity(
        "mass_matrix_inverse",
        dynamics.mass_matrix_inverse,
        Signature(("q",)),
        (Result(("nv", "nv"), "M_inverse"),),
        "Inverse M^-1 of the mass matrix.",
        "1/(kg m^2), 1/(kg m), 1/kg",
        "Jain-Rodriguez, Identity 1.1",
        traits=Traits(joint_space=True, solves=True),
        forms={"dpi": Form(wrt_inertia.mass_matrix_inverse_dpi)},
    ),
    Quantity(
        "coriolis_matrix",
        equations.coriolis_matrix,
        Signature(("q", "v")),
        (Result(("nv", "nv"), "C"),),
        "Coriolis matrix C of Christoffel symbols: velocity forces are C v, and dM/dt = C + C^T.",
        "N m s, N s",
        "Jain-Rodriguez (5.53), Koszul; kernel (G ad - ad^T G - adstar_GV) / 2 in Garofalo (6b)",
        traits=Traits(joint_space=True),
        forms={
            "dq": Form(equation="Garofalo (24b), for the Christoffel kernel"),
            "dv": Form(tensors.coriolis_matrix_dv, "Garofalo (24c), for the Christoffel kernel"),
            "dpi": Form(
                wrt_inertia.coriolis_matrix_dpi, "Garofalo (13b), for the Christoffel kernel"
            ),
            **make_geometry_forms(wrt_screws.coriolis_matrix_dgeometry),
        },
    ),
    Quantity(
        "christoffel",
        tensors.christoffel,
        Signature(("q",)),
        (Result(("nv", "nv", "nv")),),
        "Christoffel symbols Gamma of M: C_ij = sum_k Gamma_ijk v_k.",
        "kg m^2, kg m, kg",
        "Jain-Rodriguez (5.53); Koszul's formula where velocities do not commute",
        traits=Traits(joint_space=True),
        forms={"dpi": Form(wrt_inertia.christoffel_dpi)},
    ),
    Quantity(
        "gravity_forces",
        dynamics.gravity_forces,
        Signature(("q",)),
        (Result(("nv",), "g"),),
        "Generalized forces g that hold the robot at rest: the gradient of the potential energy,"
        " including joint springs.",
        "N m, N",
        "Garofalo (6c); Mueller-Kumar (25)",
        traits=Traits(joint_space=True),
        forms={
            "dq": Form(wrt_state.inverse_dynamics_dq, "Garofalo (24d)", takes=AT_REST),
            **list_derivatives("dqq"),
            "design": make_design_form(
                "g", "g", "N m, N", weighted_design(dynamics.gravity_forces, 1)
            ),
            "dpi": Form(equation="Garofalo (13c)"),
            **make_geometry_forms(wrt_screws.inverse_dynamics_dgeometry, takes=AT_REST),
        },
    ),
    Quantity(
        "spring_forces",
        springs.spring_forces,
        Signature(("q",)),
        (Result(("nv",), "tau"),),
        "Generalized forces of joint springs, stiffness times displacement from spring_reference;"
        " included in gravity_forces and in all quantities that contain g.",
        "N m, N",
        "gradient of the spring energy k |x|^2 / 2",
        traits=Traits(joint_space=True, lifts=True),
        forms={"dq": Form(springs.spring_stiffness)},
    ),
    Quantity(
        "bias_forces",
        dynamics.bias_forces,
        Signature(("q", "v"), base=BASE),
        (Result(("nv",), "tau"),),
        "Bias forces C v + g: generalized forces at zero acceleration.",
        "N m, N",
        "Garofalo (5) with zero acceleration",
        traits=Traits(joint_space=True),
        forms={
            "dq": Form(wrt_state.inverse_dynamics_dq, takes=AT_ZERO_ACCELERATION),
            "dv": Form(wrt_state.inverse_dynamics_dv, takes=AT_ZERO_ACCELERATION),
            **list_derivatives("dqq", "dqv", "dvv"),
            "design": make_design_form(
                "tau", "(C v + g)", "N m, N", weighted_design(dynamics.bias_forces, 2)
            ),
            "dpi": Form(wrt_inertia.inverse_dynamics_dpi, takes=AT_ZERO_ACCELERATION),
        },
    ),
    Quantity(
        "external_forces",
        dynamics.external_forces,
        Signature(("q", "w")),
        (Result(("nv",), "tau"),),
        "Generalized forces sum J_k^T w_k of external wrenches on the bodies.",
        "N m, N",
        "Mueller-Kumar (27), with the wrench acting on the body",
        traits=Traits(joint_space=True, lifts=True),
    ),
    Quantity(
        "joint_friction",
        friction_laws.joint_friction,
        Signature(("v",)),
        (Result(("nv",), "tau"),),
        "Friction of unloaded joints, viscous, Coulomb and Stribeck; included only in motor_forces"
        " and driven_dynamics, which add load-dependent friction.",
        "N m, N",
        "damping v + (friction + stribeck_friction / (1 + (v / stribeck_velocity)^2)) s(v)",
        traits=Traits(joint_space=True, geometry=False),
    ),
    Quantity(
        "motor_forces",
        friction.motor_forces,
        Signature(("q", "v", "a"), optional=("wrenches",), base=BASE),
        (Result(("nv",), "tau"),),
        "Inverse dynamics with friction: motor forces M a + C v + g + joint_friction,"
        " and load-dependent friction.",
        "N m, N",
        "tau = r + f(v, r), r = M a + C v + g",
        traits=Traits(joint_space=True),
        forms={
            "dq": Form(friction.motor_forces_dq),
            "dv": Form(friction.motor_forces_dv),
            "da": Form(friction.motor_forces_da),
            "dpi": Form(friction.motor_forces_dpi, takes_optional=True),
        },
    ),
    Quantity(
        "driven_dynamics",
        friction.driven_dynamics,
        Signature(("q", "v", "tau"), optional=("wrenches",), base=BASE),
        (Result(("nv",), "a"),),
        "Forward dynamics with friction: acceleration a of M a + C v + g + joint_friction = tau,"
        " with load-dependent friction.",
        "rad/s^2, m/s^2",
        "r + f(v, r) = tau, r = M a + C v + g",
        traits=Traits(joint_space=True, solves=True),
        rates=friction.driven_dynamics_rates,
        forms={
            "dq": Form(friction.driven_dynamics_dq),
            "dv": Form(friction.driven_dynamics_dv),
            "dtau": Form(friction.driven_dynamics_dtau),
            "derivatives": Form(
                friction.driven_dynamics_derivatives,
                results=add_jacobians((Result(("nv",), "a"),), "q", "v", "tau"),
                doc="a and its derivatives in q, v and tau (the inverse of M), from one kernel.",
            ),
            "dpi": Form(friction.driven_dynamics_dpi),
            **make_geometry_forms(friction.driven_dynamics_dgeometry),
        },
    ),
    Quantity(
        "slotine_li_regressor",
        wrt_inertia.slotine_li_regressor,
        Signature(("q", "v", "v_r", "a_r")),
        (Result(("nv", "10nb")),),
        "Slotine-Li regressor Y of adaptive control: M a_r + C v_r + g = Y pi, without armature.",
        "N m, N; per unit of pi",
        "Garofalo (15), (16), for the Christoffel kernel",
        traits=Traits(lifts=True, geometry=False),
        drives=("v", "v_r", "a_r"),
    ),
)
