"""Catalog of the quantities of mechanisms with closed loops.

Sizes in shapes: nv counts the independent velocities (those of v, a and tau), nt the velocities of
all joints, np the dependent ones, nl the rows of all loop equations, loops the number of loops. In
`ALL_JOINTS`, nv and v are those of all joints, loop equations are not imposed, and derivatives in q
are along v.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

from jounce.catalog.arguments import BASE
from jounce.catalog.autodiff.directions import (
    state_matrices,
    weighted_design,
    weighted_design_product,
    weighted_forward_design,
    weighted_hessian,
)
from jounce.catalog.derivative import derivative
from jounce.catalog.forms import list_derivatives, make_geometry_forms
from jounce.catalog.quantities import diagonalized
from jounce.catalog.quantities.equations_of_motion import CORIOLIS, equations_of_motion
from jounce.catalog.quantities.steps import DERIVATIVES_FORM
from jounce.catalog.quantity import (
    AT_REST,
    AT_ZERO_ACCELERATION,
    Form,
    Formula,
    Options,
    Quantity,
    Result,
    Signature,
    Traits,
)
from jounce.catalog.tables import DERIVED_TABLES, FRAME, ROBOT, Tables
from jounce.formulas import bodies, steps, task_space, wrt_screws
from jounce.formulas import diagonalized as diagonalized_equations
from jounce.formulas.dynamics import gravity_forces
from jounce.formulas.kinematics import frame_jacobian
from jounce.formulas.mechanism import (
    configurations,
    derivatives,
    dynamics,
    friction,
    geometry,
    loops,
    task,
    wrenches,
)
from jounce.formulas.mechanism.friction import STEP_DYNAMICS
from jounce.formulas.mechanism.lifted import lift_formula
from jounce.formulas.momenta import com_jacobian
from jounce.model.tree import Tree

_FORCES = ("wrenches", "joint_forces")

#: Integrators of mechanisms.
_METHODS = {"euler": steps.EULER, "rk4": steps.RK4}
_METHOD, _FRICTION = ROBOT["step"].options


def _lazy_formula(quantity: Quantity, name: str) -> Formula:
    """Return the formula of a derivative, which is looked up at each call."""

    def formula(tree: Tree, *inputs: Any, **named: Any) -> Any:
        return derivative(quantity, name).formula(tree, *inputs, **named)

    return formula


@cache
def _equations_of_motion(coriolis: str = "christoffel") -> Quantity:
    """Return the equations of motion of a mechanism for a choice of C."""
    matrices, kernel = CORIOLIS[coriolis]
    of_tree = equations_of_motion(coriolis)
    return replace(
        of_tree,
        formula=partial(dynamics.equations_of_motion, matrices=matrices),
        rates=None,
        options=replace(of_tree.options, choose=_equations_of_motion),
        forms={"dpi": Form(partial(derivatives.equations_of_motion_dpi, kernel=kernel))},
        traits=replace(of_tree.traits, loops=True),
    )


def _replace_formula(
    name: str,
    formula: Formula,
    doc: str,
    equation: str = "",
    *,
    optional: tuple[str, ...] = (),
    **changes: Any,
) -> Quantity:
    """Return a quantity of trees with another formula and closed forms for mechanisms."""
    signature = replace(ROBOT[name].signature, optional=optional)
    others: dict[str, Any] = {"rates": None, "forms": {}, **changes}
    return replace(
        ROBOT[name], formula=formula, doc=doc, equation=equation, signature=signature, **others
    )


def _forms(name: str, **formulas: Formula) -> dict[str, Form]:
    """Return forms of a quantity of trees with other formulas for mechanisms."""
    forms = ROBOT[name].forms
    return {key: replace(forms[key], formula=x, equation="") for key, x in formulas.items()}


_QUANTITIES: tuple[Quantity, ...] = (
    _replace_formula(
        "inverse_dynamics",
        dynamics.inverse_dynamics,
        "Inverse dynamics: forces E^T (M a + C v + g) on the independent joints, minus given ones.",
        "Kwon (13); Mueller-Kumar-Kordik, parallel robot inverse dynamics",
        optional=_FORCES,
        forms={
            "da": Form(dynamics.mass_matrix, takes=("q",)),
            **_forms(
                "inverse_dynamics",
                derivatives=derivatives.inverse_dynamics_derivatives,
                hessian=weighted_hessian(dynamics.inverse_dynamics),
                design=weighted_design(dynamics.inverse_dynamics, 3),
                design_product=weighted_design_product(dynamics.inverse_dynamics, 3),
            ),
            "dpi": Form(derivatives.inverse_dynamics_dpi, drives=("v", "v", "a")),
        },
    ),
    _replace_formula(
        "forward_dynamics",
        dynamics.forward_dynamics,
        "Forward dynamics: acceleration of the independent joints under tau and given forces.",
        optional=_FORCES,
        rates=dynamics.forward_dynamics_rates,
        inverse=dynamics.inverse_dynamics,
        forms={
            "dq": Form(derivatives.forward_dynamics_dq),
            "dv": Form(derivatives.forward_dynamics_dv),
            "dtau": Form(dynamics.mass_matrix_inverse, takes=("q",)),
            **_forms(
                "forward_dynamics",
                derivatives=derivatives.forward_dynamics_derivatives,
                design=weighted_forward_design(
                    dynamics.forward_dynamics, dynamics.inverse_dynamics
                ),
            ),
            "dpi": Form(derivatives.forward_dynamics_dpi),
            **make_geometry_forms(geometry.forward_dynamics_dgeometry),
        },
    ),
    Quantity(
        "constraint_forces",
        dynamics.constraint_forces,
        Signature(("q", "v", "tau"), optional=_FORCES, base=BASE),
        (Result(("nl",)),),
        "Constraint forces lam of the loops on their frames b, in the axes of a; the least-norm"
        " solution if they are not unique.",
        "N m, N",
        "M a + C v + g = tau + G^T lam",
        traits=Traits(joint_space=True, solves=True),
        rates=dynamics.constraint_forces_rates,
        forms={
            "dq": Form(derivatives.constraint_forces_dq),
            "dv": Form(derivatives.constraint_forces_dv),
            "dtau": Form(derivatives.constraint_forces_dtau, takes=("q",)),
            "dpi": Form(derivatives.constraint_forces_dpi),
        },
    ),
    _replace_formula(
        "joint_wrenches",
        wrenches.joint_wrenches,
        "Wrench (moment, force) that each joint exerts on its body, in the body's frame. Loops act"
        " with the constraint_forces of minimal norm.",
        "M a + C v + g = tau + G^T lam",
        optional=_FORCES,
    ),
    Quantity(
        "loop_wrenches",
        wrenches.loop_wrenches,
        Signature(("q", "v", "a"), optional=_FORCES, base=BASE),
        (Result(("loops", 6), "W"),),
        "Wrench (moment, force) that each loop exerts on its frame b, in b's axes and about b's"
        " origin; frame a feels the opposite. From the constraint_forces of minimal norm.",
        "N m, N",
        "M a + C v + g = tau + G^T lam",
        traits=Traits(joint_space=True, inertial=True),
    ),
    _replace_formula(
        "mass_matrix",
        dynamics.mass_matrix,
        "Mass matrix E^T M E of the independent joints.",
        forms={
            "dpi": Form(derivatives.mass_matrix_dpi),
            **make_geometry_forms(geometry.mass_matrix_dgeometry),
        },
    ),
    _replace_formula(
        "mass_matrix_inverse",
        dynamics.mass_matrix_inverse,
        "Inverse of the mass matrix of the independent joints.",
        forms={
            "dpi": Form(derivatives.inverse_derivative(derivatives.mass_matrix_dpi)),
            **make_geometry_forms(derivatives.inverse_derivative(geometry.mass_matrix_dgeometry)),
        },
    ),
    _replace_formula(
        "coriolis_matrix",
        dynamics.coriolis_matrix,
        "Coriolis matrix C = E^T (M E' + C E) of the independent joints, of Christoffel symbols.",
        "dM/dt = C + C^T",
        forms={"dpi": Form(derivatives.coriolis_matrix_dpi)},
    ),
    _replace_formula(
        "christoffel",
        dynamics.christoffel,
        "Christoffel symbols Gamma of E^T M E: C_ij = sum_k Gamma_ijk v_k.",
        forms=list_derivatives("dpi"),
    ),
    *(
        replace(
            ROBOT[name],
            formula=partial(dynamics.coriolis_matrix, of_tree=ROBOT[name].formula),
            forms={
                "dpi": Form(
                    partial(
                        derivatives.coriolis_matrix_dpi, of_tree=_lazy_formula(ROBOT[name], "dpi")
                    )
                )
            },
        )
        for name in ("coriolis_matrix_garofalo", "coriolis_matrix_mueller_kumar")
    ),
    _equations_of_motion(),
    *(
        replace(ROBOT[name], formula=partial(formula, diagonalized_equations.MECHANISM))
        for name, formula in diagonalized.FORMULAS.items()
    ),
    _replace_formula(
        "gravity_forces",
        dynamics.gravity_forces,
        "Gravity forces E^T g on the independent joints, which hold the mechanism at rest.",
        "Kwon (13)",
        forms={
            **_forms("gravity_forces", design=weighted_design(dynamics.gravity_forces, 1)),
            "dpi": Form(derivatives.inverse_dynamics_dpi, takes=AT_REST),
        },
    ),
    _replace_formula(
        "bias_forces",
        dynamics.bias_forces,
        "Bias forces C v + g on the independent joints: forces at zero acceleration.",
        "Kwon (13) with zero acceleration",
        forms={
            **_forms("bias_forces", design=weighted_design(dynamics.bias_forces, 2)),
            "dpi": Form(derivatives.inverse_dynamics_dpi, takes=AT_ZERO_ACCELERATION),
        },
    ),
    Quantity(
        "joint_friction",
        friction.joint_friction,
        Signature(("q", "v")),
        (Result(("nv",), "tau"),),
        "Friction E^T f of all joints without load; only in motor_forces and driven_dynamics.",
        "N m, N",
        traits=Traits(joint_space=True),
    ),
    replace(
        ROBOT["motor_forces"],
        formula=friction.motor_forces,
        forms=_forms("motor_forces", da=friction.motor_forces_da, dpi=friction.motor_forces_dpi),
    ),
    _replace_formula(
        "driven_dynamics",
        friction.driven_dynamics,
        "Forward dynamics with friction in all joints: acceleration of the independent joints.",
        "motor_forces(q, v, a) = tau",
        optional=_FORCES,
        rates=friction.driven_dynamics_rates,
        forms={"dpi": Form(friction.driven_dynamics_dpi)},
    ),
    _replace_formula(
        "momentum_forces",
        dynamics.momentum_forces,
        "Forces C^T v - g of the momentum equation d(M v)/dt = tau + C^T v - g.",
        forms={"dpi": Form(derivatives.momentum_forces_dpi)},
    ),
    Quantity(
        "passive_jacobian",
        loops.passive_jacobian,
        Signature(("q",)),
        (Result(("np", "nv")),),
        "Jacobian J_p = -g_p^+ g_a of the dependent joints: their velocity is J_p v.",
        "1, m, 1/m",
        "Kwon (12)",
    ),
    Quantity(
        "velocity",
        loops.velocity,
        Signature(("q", "v")),
        (Result(("nt",)),),
        "Velocity E v of all joints; time derivatives are their acceleration, jerk, ...",
        "rad/s, m/s",
        "Kwon (12)",
        forms={"dv": Form(loops.velocity_matrix, takes=("q",))},
    ),
    _replace_formula(
        "integrate",
        configurations.integrate,
        "Integrate a constant velocity dv of the independent joints from q for one unit of time:"
        " configuration of all joints with closed loops.",
    ),
    _replace_formula(
        "difference",
        configurations.difference,
        "Velocity of the independent joints from q0 to q1 in one unit of time.",
    ),
    _replace_formula(
        "interpolate",
        configurations.interpolate,
        "Interpolate the independent joints from q0 to q1 at constant velocity: configuration of"
        " all joints with closed loops.",
    ),
    replace(ROBOT["normalize"], formula=configurations.normalize),
    _replace_formula(
        "velocity_from_rates",
        configurations.velocity_from_rates,
        "Velocity of the independent joints for the time derivative qdot of the coordinates.",
    ),
    Quantity(
        "independent_forces",
        loops.independent_forces,
        Signature(("q", "joint_forces")),
        (Result(("nv",)),),
        "Forces E^T tau on the independent joints, equivalent to forces tau on all joints.",
        "N m, N",
        "Kwon (13)",
    ),
)


@cache
def _step(method: str = "euler", friction: bool = False) -> Quantity:
    """Return the step of a mechanism for these options."""
    formula = partial(steps.step, method=_METHODS[method], dynamics=STEP_DYNAMICS[friction])
    return replace(
        ROBOT["step"],
        formula=formula,
        signature=replace(ROBOT["step"].signature, optional=_FORCES),
        traits=replace(ROBOT["step"].traits, loops=True),
        options=Options((replace(_METHOD, values=tuple(_METHODS)), _FRICTION), _step),
        forms={"derivatives": Form(state_matrices(formula), **DERIVATIVES_FORM)},
    )


ALL_JOINTS: dict[str, Quantity] = {
    quantity.name: quantity
    for quantity in (
        Quantity(
            "loop_residual",
            loops.loop_residual,
            Signature(("q",)),
            (Result(("nl",)),),
            "Residual of the loop equations, zero if the loops are closed: sines of angles, then"
            " positions, in the axes of a.",
            "1, m",
            "Kwon (11)",
            traits=Traits(all_joints=True),
            forms={"dq": Form(loops.loop_jacobian)},
        ),
        Quantity(
            "loop_jacobian",
            loops.loop_jacobian,
            Signature(("q",)),
            (Result(("nl", "nv")),),
            "Jacobian G of the loops: the rate of the residual is G v, v the velocity of all"
            " joints.",
            "1, m",
            "Kwon (12)",
            traits=Traits(all_joints=True),
        ),
        Quantity(
            "constrained_dynamics",
            dynamics.constrained_dynamics,
            Signature(("q", "v", "tau"), optional=("wrenches",)),
            (Result(("nv",)),),
            "Acceleration of all joints, by Lagrange multipliers of the loop equations.",
            "rad/s^2, m/s^2",
            "M a + C v + g = tau + G^T lam, G a + G' v = 0",
            traits=Traits(joint_space=True, all_joints=True),
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

#: Kinematics of the loops, with which `jounce.solve.mechanism.assembly` closes them.
LOOP_GEOMETRY = Quantity(
    "loop_geometry",
    loops.loop_geometry,
    Signature(("q",)),
    (Result(("loops", 4, 4)), Result(("loops", 6, "nv"))),
    "Pose of frame b in frame a of each loop, and its Jacobian.",
    "1, m",
)


# ------------------------------------------------------------------ quantities of the tree


def _lift(quantity: Quantity, forms: Mapping[str, Form]) -> Quantity:
    """Return the entry for mechanisms of a quantity of trees, by `formulas.mechanism.lifted`.

    forms: further closed forms, which only mechanisms have. Of the forms of trees, those in the
    inertial parameters and in the highest derivative of the state remain valid.
    """
    axes = tuple(k for k, size in enumerate(quantity.shape) if size == "nv")
    moving = [name for name in ("a", "v") if name in quantity.arguments]
    first = f"d{moving[0]}" if moving else "" if axes else "dq"
    lifted_forms = {}
    for name, moving_axes in ((first, (len(quantity.tangent_shapes[0]),)), ("dpi", ())):
        if name in quantity.forms:
            formula = lift_formula(
                _lazy_formula(quantity, name), quantity.arguments, (*axes, *moving_axes)
            )
            lifted_forms[name] = replace(quantity.forms[name], formula=formula, takes=None)
    formula = lift_formula(quantity.formula, quantity.arguments, axes)
    return replace(quantity, formula=formula, forms={**lifted_forms, **forms})


#: Closed forms of lifted quantities that only mechanisms have.
_LIFTED_FORMS: dict[str, Mapping[str, Form]] = {
    "generalized_momentum": {"dv": Form(dynamics.mass_matrix, takes=("q",))},
    "potential_energy": make_geometry_forms(
        geometry.configuration_derivative(wrt_screws.potential_energy_dgeometry, gravity_forces)
    ),
    "center_of_mass": make_geometry_forms(
        geometry.configuration_derivative(wrt_screws.center_of_mass_dgeometry, com_jacobian)
    ),
    "body_poses": make_geometry_forms(
        geometry.configuration_derivative(bodies.body_poses_dgeometry, bodies.body_poses_dq)
    ),
    "frame.pose": make_geometry_forms(
        geometry.configuration_derivative(wrt_screws.frame_pose_dgeometry, frame_jacobian)
    ),
}

#: Formulas for mechanisms of quantities of frames that are not lifted.
_FRAME_FORMULAS = {
    "force_torque": wrenches.force_torque,
    "jacobian_rate": task.frame_jacobian_rate,
    "task_inertia_inverse": task.task_inertia_inverse,
    "task_inertia": task.task_inertia,
    "task_jacobian_inverse": task.task_jacobian_inverse,
    "task_bias": task.task_bias,
    "task_coriolis_matrix": partial(
        task_space.of_frame(task_space.coriolis_matrix), task_space.MECHANISM
    ),
    "null_space_projector": partial(
        task_space.of_frame(task_space.null_space_projector), task_space.MECHANISM
    ),
}

#: Tables of mechanisms, including the quantities of ALL_JOINTS.
CLOSED = Tables({}, {}, {}, {}, {}, {"loops": True})
_STATE_MATRICES = replace(
    ROBOT["state_matrices"],
    formula=partial(steps.state_matrices, derivatives=derivatives.forward_dynamics_derivatives),
    signature=replace(ROBOT["state_matrices"].signature, optional=_FORCES),
)
for _quantity in (*_QUANTITIES, _step(), _STATE_MATRICES):
    CLOSED.insert(_quantity)
for _name, _formula in _FRAME_FORMULAS.items():
    CLOSED.insert(replace(FRAME[_name], formula=_formula, forms={}))


def _insert_lifted(quantity: Quantity) -> None:
    """Add a quantity of trees to mechanisms, if its trait `lifts` is set."""
    if quantity.traits.lifts:
        CLOSED.insert(
            _lift(quantity, _LIFTED_FORMS.get("frame." * quantity.of_frame + quantity.name, {}))
        )


DERIVED_TABLES.append((CLOSED, _insert_lifted))
for _quantity in (*ROBOT.values(), *FRAME.values()):
    _insert_lifted(_quantity)
MECHANISM: dict[str, Quantity] = dict(CLOSED.quantities)
MECHANISM_FRAME: dict[str, Quantity] = CLOSED.frames
for _name, _quantity in ALL_JOINTS.items():
    CLOSED.insert(_quantity)
    ALL_JOINTS[_name] = CLOSED.quantities[_name]
