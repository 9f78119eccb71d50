"""Catalog of the quantities of robots in contact.

Sizes in shapes: nk counts the contacts, nc the rows that they lock. v, a and tau are those of all
joints. Forces and impulses are in the axes of the contacts: the locked ones among
(mx, my, mz, fx, fy, fz), contact after contact.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

from jounce.catalog.arguments import Argument
from jounce.catalog.autodiff.directions import state_matrices
from jounce.catalog.charts import TWIST_DOC, make_pose_chart
from jounce.catalog.forms import add_jacobians
from jounce.catalog.quantities.steps import DERIVATIVES_FORM, H
from jounce.catalog.quantity import Form, Options, Quantity, Result, Signature, Traits
from jounce.catalog.tables import FRAME, MORPHABLE_FRAME, ROBOT, Tables
from jounce.formulas import steps
from jounce.formulas.contact import derivatives, dynamics, geometry
from jounce.formulas.contact.derivatives import select_results
from jounce.formulas.contact.dynamics import OPTIONAL_ARGUMENTS

_DAMPING = Argument(
    (),
    "compliance mu of the contacts, in J M^-1 J^T + mu 1 (1/(kg m^2), 1/kg)",
    "; zero by default",
)

_CONTACT_ARGUMENTS: dict[str, Argument] = {
    "anchors": Argument(
        ("nk", 4, 4), "target poses of the contacts in the world frame, zeros for none"
    ),
    "kp": Argument((), "Baumgarte gain (1/s^2) of the distance of contacts from their anchors"),
    "kd": Argument((), "Baumgarte gain (1/s) of the velocities of the contacts"),
    "damping": _DAMPING,
}

_IMPACT_ARGUMENTS: dict[str, Argument] = {
    "restitution": Argument((), "coefficient of restitution, 0 for an inelastic impact"),
    "damping": _DAMPING,
}

#: Methods by which a robot in contact is stepped.
_METHODS = {"euler": steps.EULER, "rk4": steps.RK4}
_METHOD = ROBOT["step"].options.choices[0]

_POSES = make_pose_chart(
    ("nk", 6), "twists", TWIST_DOC.format("contact", "each contact", "matrices")
)

_EQUATIONS = "M a + C v + g = tau + J^T f, J a + drift = -kd J v - kp e - damping f"

#: Accelerations and forces; velocities after an impact and impulses.
_MOTION = (Result(("nv",), "a"), Result(("nc",), "f"))
_JUMP = (Result(("nv",), "v_after"), Result(("nc",), "p"))

_ALL = derivatives.contact_dynamics_derivatives
_IMPACT = derivatives.impulse_derivatives

_QUANTITIES: tuple[Quantity, ...] = (
    Quantity(
        "contact_dynamics",
        dynamics.contact_dynamics,
        Signature(("q", "v", "tau"), optional=OPTIONAL_ARGUMENTS, definitions=_CONTACT_ARGUMENTS),
        _MOTION,
        "Contact dynamics: acceleration of all joints, and contact forces (the least-norm solution"
        " if they are not unique).",
        "rad/s^2, m/s^2; N m, N",
        _EQUATIONS,
        traits=Traits(joint_space=True, solves=True),
        rates=dynamics.contact_dynamics_rates,
        forms={
            "dq": Form(select_results(_ALL, 2, 3)),
            "dv": Form(select_results(_ALL, 4, 5)),
            "dtau": Form(select_results(_ALL, 6, 7)),
            "derivatives": Form(
                _ALL,
                results=add_jacobians(_MOTION, "q", "v", "tau"),
                doc="a and f, then derivatives of both in q, v and tau, from one kernel.",
            ),
            "dpi": Form(derivatives.contact_dynamics_dpi),
        },
    ),
    Quantity(
        "forward_dynamics",
        dynamics.forward_dynamics,
        Signature(("q", "v", "tau"), optional=OPTIONAL_ARGUMENTS, definitions=_CONTACT_ARGUMENTS),
        _MOTION[:1],
        "Forward dynamics: acceleration of all joints while the contacts hold.",
        "rad/s^2, m/s^2",
        _EQUATIONS,
        traits=Traits(joint_space=True, solves=True),
        rates=dynamics.forward_dynamics_rates,
        forms={
            "dq": Form(select_results(_ALL, 2)),
            "dv": Form(select_results(_ALL, 4)),
            "dtau": Form(select_results(_ALL, 6)),
            "derivatives": Form(
                select_results(_ALL, 0, 2, 4, 6),
                results=add_jacobians(_MOTION[:1], "q", "v", "tau"),
                doc="a and its derivatives in q, v and tau, from one kernel.",
            ),
            "dpi": Form(select_results(derivatives.contact_dynamics_dpi, 0)),
        },
    ),
    Quantity(
        "impulse",
        dynamics.impulse,
        Signature(("q", "v"), optional=tuple(_IMPACT_ARGUMENTS), definitions=_IMPACT_ARGUMENTS),
        _JUMP,
        "Impact: velocity of all joints after the contacts close, and contact impulses.",
        "rad/s, m/s; N m s, N s",
        "M (v_after - v) = J^T p, J v_after = -restitution J v - damping p",
        traits=Traits(joint_space=True, solves=True),
        forms={
            "dq": Form(select_results(_IMPACT, 2, 3)),
            "dv": Form(select_results(_IMPACT, 4, 5)),
            "derivatives": Form(
                _IMPACT,
                results=add_jacobians(_JUMP, "q", "v"),
                doc="v_after and p, then derivatives of both in q and v, from one kernel.",
            ),
            "dpi": Form(derivatives.impulse_dpi),
        },
    ),
    Quantity(
        "contact_jacobian",
        geometry.contact_jacobian,
        Signature(("q",)),
        (Result(("nc", "nv"), "J"),),
        "Contact Jacobian J: the locked velocities are J v, in the axes of the contacts.",
        "1, m",
    ),
    Quantity(
        "contact_velocities",
        geometry.contact_velocities,
        Signature(("q", "v")),
        (Result(("nc",), "Jv"),),
        "Locked velocities J v of the contacts, in their axes; zero while they hold.",
        "rad/s, m/s",
        forms={
            "dq": Form(geometry.contact_velocities_dq),
            "dv": Form(geometry.contact_jacobian, takes=("q",)),
        },
    ),
    Quantity(
        "contact_drift",
        geometry.contact_drift,
        Signature(("q", "v")),
        (Result(("nc",), "drift"),),
        "Drift of the contacts: their acceleration is J a + drift.",
        "rad/s^2, m/s^2",
        "drift = J' v while J v = 0",
        forms={"dq": Form(derivatives.drift_dq), "dv": Form(derivatives.drift_dv)},
    ),
    Quantity(
        "delassus_matrix",
        dynamics.delassus_matrix,
        Signature(("q",)),
        (Result(("nc", "nc"), "S"),),
        "Delassus matrix J M^-1 J^T: velocities of the contacts per unit of contact impulse.",
        "1/(kg m^2), 1/(kg m), 1/kg",
        traits=Traits(joint_space=True, solves=True),
        forms={"dpi": Form()},
    ),
    Quantity(
        "contact_poses",
        geometry.contact_poses,
        Signature(("q",)),
        (Result(("nk", 4, 4), "T", _POSES),),
        "Poses of the contact frames in the world frame (homogeneous matrices), used as anchors.",
        "1, m",
        forms={"dq": Form(geometry.contact_poses_dq)},
    ),
)


@cache
def _step(method: str = "euler") -> Quantity:
    """The step of a robot in contact, for a choice of method."""
    step_dynamics = steps.StepDynamics(dynamics.forward_dynamics)
    formula = partial(steps.step, method=_METHODS[method], dynamics=step_dynamics)
    return replace(
        ROBOT["step"],
        formula=formula,
        doc="Configuration and velocity after the time h while the contacts hold.",
        signature=Signature(
            ("q", "v", "tau", "h"),
            optional=OPTIONAL_ARGUMENTS,
            definitions={**_CONTACT_ARGUMENTS, **H},
        ),
        traits=replace(ROBOT["step"].traits, contacts=True),
        options=Options((replace(_METHOD, values=tuple(_METHODS)),), _step),
        forms={"derivatives": Form(state_matrices(formula), **DERIVATIVES_FORM)},
    )


_STATE_MATRICES = replace(
    ROBOT["state_matrices"],
    formula=partial(steps.state_matrices, derivatives=select_results(_ALL, 0, 2, 4, 6)),
    signature=Signature(
        ("q", "v", "tau"), optional=OPTIONAL_ARGUMENTS, definitions=_CONTACT_ARGUMENTS
    ),
)

#: Tables of robots in contact; frames have the quantities of frames of trees.
CONTACTED = Tables({}, FRAME, {}, {}, MORPHABLE_FRAME, {"contacts": True})
for _quantity in (*_QUANTITIES, _step(), _STATE_MATRICES):
    CONTACTED.insert(_quantity)
