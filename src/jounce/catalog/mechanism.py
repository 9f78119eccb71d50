"""The quantities of a mechanism with closed loops, in the manner of `rows`.

Sizes in shapes: nv counts the independent velocities (of which v, a and tau are), nt those of all
joints, np the dependent ones, nl the rows of all loops. In the rows of `ALL_JOINTS` nv counts all
joints, and loops hold by themselves: v is that of all joints, and derivatives in q are along it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial

from jounce.catalog.arguments import BASE
from jounce.catalog.derived import ALSO, FRAME, ROBOT, Tables, derivative
from jounce.catalog.row import STEADY, STILL, Form, Row, in_design, in_geometry, joint_space
from jounce.catalog.rows.coriolis import CORIOLIS, equations_of_motion
from jounce.catalog.rows.steps import TOGETHER
from jounce.catalog.rules import state_matrices, weighted_hessian
from jounce.formulas import bodies, steps, wrt_screws
from jounce.formulas.dynamics import gravity_forces
from jounce.formulas.kinematics import frame_jacobian
from jounce.formulas.mechanism import configurations, derivatives, dynamics, geometry, loops, task
from jounce.formulas.mechanism.lifted import lifted
from jounce.formulas.momenta import com_jacobian

_FORCES = ("wrenches", "joint_forces")

#: Methods by which mechanisms are stepped.
_METHODS = {"euler": steps.EULER, "rk4": steps.RK4}
_FRICTION = next(option for option in ROBOT["step"].options if option.name == "friction")


@cache
def _equations_of_motion(coriolis: str = "christoffel") -> Row:
    """The equations of motion of a mechanism, for a choice of C."""
    matrices, kernel = CORIOLIS[coriolis]
    return replace(
        equations_of_motion(coriolis),
        formula=partial(dynamics.equations_of_motion, matrices=matrices),
        rates=None,
        with_options=_equations_of_motion,
        forms={"dpi": Form(partial(derivatives.equations_of_motion_dpi, kernel=kernel))},
    )


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
        base=BASE,
        letter="tau",
        forms={
            "da": Form(dynamics.mass_matrix, takes=("q",)),
            "derivatives": Form(
                derivatives.inverse_dynamics_derivatives,
                doc="tau with its derivatives in q, v and a (which is M), from one kernel.",
                more=(("nv", "nv"),) * 3,
            ),
            "hessian": replace(
                ROBOT["inverse_dynamics"].forms["hessian"],
                formula=weighted_hessian(dynamics.inverse_dynamics),
            ),
            "design": in_design("tau", "N m, N", geometry.weighted_design),
            "dpi": Form(derivatives.inverse_dynamics_dpi, drives=("v", "v", "a")),
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
        base=BASE,
        rates=dynamics.forward_dynamics_rates,
        inverse=dynamics.inverse_dynamics,
        solves=True,
        letter="a",
        forms={
            "dq": Form(derivatives.forward_dynamics_dq),
            "dv": Form(derivatives.forward_dynamics_dv),
            "dtau": Form(dynamics.mass_matrix_inverse, takes=("q",)),
            "derivatives": Form(
                derivatives.forward_dynamics_derivatives,
                doc="a with its derivatives in q, v and tau (which is the inverse of M), from one"
                " kernel.",
                more=(("nv", "nv"),) * 3,
            ),
            "design": in_design("a", "rad/s^2, m/s^2", geometry.weighted_forward_design),
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
        base=BASE,
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
        "mass_matrix_inverse",
        dynamics.mass_matrix_inverse,
        ("q",),
        ("nv", "nv"),
        "Inverse of the mass matrix of the independent joints.",
        "1/(kg m^2), 1/(kg m), 1/kg",
        "",
        solves=True,
        letter="M_inverse",
        forms={
            "dq": Form(derivatives.mass_matrix_inverse_dq),
            "dpi": Form(derivatives.of_inverse(derivatives.mass_matrix_dpi)),
            **in_geometry(derivatives.of_inverse(geometry.mass_matrix_dgeometry)),
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
            "dv": Form(dynamics.christoffel, takes=("q",)),
            "dpi": Form(derivatives.coriolis_matrix_dpi),
            **in_geometry(geometry.coriolis_matrix_dgeometry),
        },
    ),
    joint_space(
        "christoffel",
        dynamics.christoffel,
        ("q",),
        ("nv", "nv", "nv"),
        "Christoffel symbols Gamma of E^T M E, with C_ij = sum_k Gamma_ijk v_k.",
        "kg m^2, kg m, kg",
        "",
        geometry=False,
        forms={"dpi": Form(derivatives.christoffel_dpi)},
    ),
    *(
        replace(
            ROBOT[name],
            formula=partial(dynamics.coriolis_matrix, of_tree=ROBOT[name].formula),
            forms={
                "dpi": Form(
                    partial(
                        derivatives.coriolis_matrix_dpi,
                        of_tree=derivative(ROBOT[name], "dpi").formula,
                    )
                )
            },
        )
        for name in ("coriolis_matrix_garofalo", "coriolis_matrix_mueller_kumar")
    ),
    _equations_of_motion(),
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
            "design": in_design("g", "N m, N", geometry.weighted_design, takes=(*STILL, "lam")),
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
        base=BASE,
        letter="tau",
        forms={
            "design": in_design(
                "(C v + g)", "N m, N", geometry.weighted_design, takes=(*STEADY, "lam")
            ),
            "dpi": Form(derivatives.inverse_dynamics_dpi, takes=STEADY),
            **in_geometry(geometry.inverse_dynamics_dgeometry, takes=STEADY),
        },
    ),
    joint_space(
        "joint_friction",
        dynamics.joint_friction,
        ("q", "v"),
        ("nv",),
        "Friction E^T (damping v + friction sign(v)) of all joints; part of no other quantity.",
        "N m, N",
        "Kwon (13)",
        letter="tau",
    ),
    joint_space(
        "momentum_forces",
        dynamics.momentum_forces,
        ("q", "v"),
        ("nv",),
        "C^T v - g: the rate of M v is tau plus these, so that no acceleration is needed.",
        "N m, N",
        "",
        forms={"dpi": Form(derivatives.momentum_forces_dpi)},
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
    replace(
        ROBOT["integrate"],
        formula=configurations.integrate,
        doc="Configuration of all joints that the independent ones reach from q by the velocity dv"
        " held for one unit of time, with the loops closed.",
        equation="",
        forms={},
    ),
    replace(
        ROBOT["difference"],
        formula=configurations.difference,
        doc="Velocity of the independent joints that leads from q0 to q1 in one unit of time.",
        equation="",
        forms={},
    ),
    replace(
        ROBOT["interpolate"],
        formula=configurations.interpolate,
        doc="Configuration of all joints at the share s of the way of the independent ones from q0"
        " to q1, along a constant velocity of them, with the loops closed.",
        equation="",
        forms={},
    ),
    replace(ROBOT["normalise"], formula=configurations.normalise),
    replace(
        ROBOT["velocity_from_rates"],
        formula=configurations.velocity_from_rates,
        doc="Velocity of the independent joints with which the entries of q change at the rates"
        " qdot.",
        equation="",
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


@cache
def _step(method: str = "euler", friction: bool = False) -> Row:
    """The step of a mechanism, for a choice of options."""
    acceleration = configurations.driven_dynamics if friction else dynamics.forward_dynamics
    laws = steps.Laws(acceleration, configurations.integrate, friction)
    formula = partial(steps.step, method=_METHODS[method], laws=laws)
    return replace(
        ROBOT["step"],
        formula=formula,
        optional=_FORCES,
        options=(replace(ROBOT["step"].options[0], values=tuple(_METHODS)), _FRICTION),
        with_options=_step,
        forms={"derivatives": Form(state_matrices(formula), **TOGETHER)},
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
    """A quantity of the tree for the mechanism, as `formulas.mechanism.lifted` says.

    forms: its derivatives that have forms of their own for mechanisms only. Of the tree's forms the
    one in the parameters serves, and the one in what moves the result along E alone.
    """
    axes = tuple(k for k, size in enumerate(row.shape) if size == "nv")
    moving = [name for name in ("a", "v") if name in row.arguments]
    first = f"d{moving[0]}" if moving else "" if axes else "dq"
    own = {}
    for name, more in ((first, (len(row.directions[0]),)), ("dpi", ())):
        if name in row.forms:
            formula = lifted(derivative(row, name).formula, row.arguments, (*axes, *more))
            own[name] = replace(row.forms[name], formula=formula, takes=None)
    formula = lifted(row.formula, row.arguments, axes)
    return replace(row, formula=formula, forms={**own, **forms})


#: Forms of quantities of the tree that mechanisms have and trees have not.
_FORMS: dict[str, Mapping[str, Form]] = {
    "generalized_momentum": {"dv": Form(dynamics.mass_matrix, takes=("q",))},
    "kinetic_energy": in_geometry(geometry.kinetic_energy_dgeometry),
    "potential_energy": in_geometry(
        geometry.of_place(wrt_screws.potential_energy_dgeometry, gravity_forces)
    ),
    "center_of_mass": in_geometry(
        geometry.of_place(wrt_screws.center_of_mass_dgeometry, com_jacobian)
    ),
    "body_poses": in_geometry(geometry.of_place(bodies.body_poses_dgeometry, bodies.body_poses_dq)),
    "frame.pose": in_geometry(geometry.of_place(wrt_screws.frame_pose_dgeometry, frame_jacobian)),
}

#: Quantities of frames whose formulas are others for mechanisms.
_OF_FRAMES = {
    "jacobian_rate": task.frame_jacobian_rate,
    "task_inertia_inverse": task.task_inertia_inverse,
    "task_inertia": task.task_inertia,
    "task_jacobian_inverse": task.task_jacobian_inverse,
    "task_bias": task.task_bias,
}

#: Quantities of trees that mechanisms do not have, with the reason; all others are lifted, or have
#: rows of their own above.
ONLY_TREES: dict[str, str] = {
    "driven_dynamics": "as forward_dynamics takes friction as joint_forces=",
    "joint_wrenches": "whose joints share what loops transmit, which motion alone does not say",
}

#: What mechanisms have, the rows over all joints included; the quantities over the independent
#: joints, and those of frames, by name.
CLOSED = Tables({}, {}, {}, {}, {})
for _row in (*_OWN, _step()):
    CLOSED.offer(_row)
for _name, _formula in _OF_FRAMES.items():
    CLOSED.offer(replace(FRAME[_name], formula=_formula, forms={}))


def _offer(row: Row) -> None:
    """Lift a quantity of the tree, if it lifts."""
    if row.lifts:
        CLOSED.offer(_lifted(row, _FORMS.get("frame." * row.of_frame + row.name, {})))


ALSO.append((CLOSED, _offer))
for _row in (*ROBOT.values(), *FRAME.values()):
    _offer(_row)
MECHANISM: dict[str, Row] = dict(CLOSED.quantities)
MECHANISM_FRAME: dict[str, Row] = CLOSED.frames
for _row in ALL_JOINTS.values():
    CLOSED.offer(_row)
