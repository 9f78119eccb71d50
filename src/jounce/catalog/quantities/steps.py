"""One step in time, by several methods."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from jounce.catalog.arguments import Argument
from jounce.catalog.charts import CONFIGURATION
from jounce.catalog.quantity import (
    Form,
    Option,
    Options,
    Quantity,
    Result,
    Signature,
    Traits,
    in_geometry,
)
from jounce.formulas import implicit_steps, steps

#: The step's length.
H = {"h": Argument((), "time that the step takes (s)", axis=True)}

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
        "how the step is made: semi-implicit Euler (order 1), Runge-Kutta (4), a midpoint that"
        " keeps the energy (2), or a symplectic one (2)",
    ),
    Option("friction", (False, True), "whether the joints rub, as those of driven_dynamics do"),
)

#: What a step gives.
STATE = (Result(("nq",), "q", CONFIGURATION), Result(("nv",), "v"))

#: What `derivatives` gives.
TOGETHER: dict[str, Any] = {
    "results": (*STATE, Result(("2nv", "2nv"), "A"), Result(("2nv", "nv"), "B")),
    "doc": "q and v after the step, A in the state and B in tau, from one kernel. Rows and columns:"
    " changes of q along velocities, in the tangent spaces at the end and at the start, then of v.",
}


def _in_numbers(chosen: dict[str, Any]) -> dict[str, Form]:
    """Derivatives in the numbers of the robot."""
    return {
        "dpi": Form(partial(steps.step_dpi, **chosen)),
        **in_geometry(partial(steps.step_dgeometry, **chosen)),
    }


@cache
def step(method: str = "euler", friction: bool = False) -> Quantity:
    """The quantity for a choice of options."""
    chosen = {
        "method": _METHODS[method],
        "laws": steps.RUBBING if friction else steps.FREE,
    }
    return Quantity(
        "step",
        partial(steps.step, **chosen),
        Signature(("q", "v", "tau", "h"), optional=("wrenches",), own=H),
        STATE,
        "Configuration and velocity after the time h, with tau held, and wrenches in the bodies'"
        " axes.",
        "rad, m; rad/s, m/s",
        "v+ = v + h a(q, v, tau), q+ = q exp(h v+)" if method == "euler" else "",
        traits=Traits(joint_space=True, inertial=True, solves=True),
        options=Options(OPTIONS, step),
        forms={
            **{
                f"d{wrt}": Form(partial(steps.step_part, **chosen, wrt=wrt))
                for wrt in ("q", "v", "tau")
            },
            "derivatives": Form(partial(steps.step_derivatives, **chosen), **TOGETHER),
            **(_in_numbers(chosen) if method in _EXPLICIT else {}),
        },
    )


QUANTITIES: tuple[Quantity, ...] = (step(),)
