"""Time stepping by several integrators."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from jounce.catalog.arguments import Argument
from jounce.catalog.charts import CONFIGURATION
from jounce.catalog.forms import make_geometry_forms
from jounce.catalog.quantity import Form, Option, Options, Quantity, Result, Signature, Traits
from jounce.formulas import implicit_steps, steps, wrt_forward

#: The time step.
H = {"h": Argument((), "time step (s)", axis=True)}

_METHODS = {
    "euler": steps.EULER,
    "rk4": steps.RK4,
    "implicit_midpoint": implicit_steps.MIDPOINT,
    "variational": implicit_steps.VARIATIONAL,
}

#: Methods whose derivatives are columns of accelerations.
_EXPLICIT = ("euler", "rk4")

OPTIONS = (
    Option(
        "method",
        tuple(_METHODS),
        "integrator: semi-implicit Euler (order 1), Runge-Kutta (order 4), implicit midpoint, which"
        " conserves energy (order 2), or variational, which is symplectic (order 2)",
    ),
    Option("friction", (False, True), "include joint friction, as driven_dynamics"),
)

#: Results of a step.
STATE = (Result(("nq",), "q", CONFIGURATION), Result(("nv",), "v"))

#: Results and description of the form `derivatives`.
DERIVATIVES_FORM: dict[str, Any] = {
    "results": (*STATE, Result(("2nv", "2nv"), "A"), Result(("2nv", "nv"), "B")),
    "doc": "q and v after the step with derivatives A in the state and B in tau, from one kernel."
    " Rows and columns: tangents of q (at the end and at the start of the step), then v.",
}


def _in_numbers(chosen: dict[str, Any]) -> dict[str, Form]:
    """Return forms of derivatives in the parameters of the robot."""
    return {
        "dpi": Form(partial(steps.step_dpi, **chosen)),
        **make_geometry_forms(partial(steps.step_dgeometry, **chosen)),
    }


@cache
def step(method: str = "euler", friction: bool = False) -> Quantity:
    """Return the quantity for these options."""
    chosen = {
        "method": _METHODS[method],
        "dynamics": steps.WITH_FRICTION if friction else steps.FRICTIONLESS,
    }
    return Quantity(
        "step",
        partial(steps.step, **chosen),
        Signature(("q", "v", "tau", "h"), optional=("wrenches",), definitions=H),
        STATE,
        "Integrate the dynamics over a time step h, with constant tau, and wrenches constant in"
        " body axes: configuration and velocity after the step.",
        "rad, m; rad/s, m/s",
        "v+ = v + h a(q, v, tau), q+ = q exp(h v+)" if method == "euler" else "",
        traits=Traits(joint_space=True, inertial=True, solves=True),
        options=Options(OPTIONS, step),
        forms={
            **{
                f"d{wrt}": Form(partial(steps.step_part, **chosen, wrt=wrt))
                for wrt in ("q", "v", "tau")
            },
            "derivatives": Form(partial(steps.step_derivatives, **chosen), **DERIVATIVES_FORM),
            **(_in_numbers(chosen) if method in _EXPLICIT else {}),
        },
    )


#: What a linearization gives.
MATRICES = (Result(("2nv", "2nv"), "A"), Result(("2nv", "nv"), "B"))

STATE_MATRICES = Quantity(
    "state_matrices",
    partial(steps.state_matrices, derivatives=wrt_forward.forward_dynamics_derivatives),
    Signature(("q", "v", "tau"), optional=("wrenches",)),
    MATRICES,
    "Linearization dx/dt = A x + B u of the forward dynamics, for changes x of q (along velocities)"
    " and v, and u of tau.",
    "1/s; 1/(kg m^2), 1/kg",
    "A = [[-ad_v, 1], [a_q, a_v]], B = [[0], [M^-1]]",
    traits=Traits(joint_space=True, inertial=True, solves=True),
)

QUANTITIES: tuple[Quantity, ...] = (step(), STATE_MATRICES)
