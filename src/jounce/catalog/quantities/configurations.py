"""Configurations: integration, differences, interpolation, and rates of the coordinates."""

from __future__ import annotations

from jounce.catalog.arguments import Argument, configuration
from jounce.catalog.charts import CONFIGURATION
from jounce.catalog.quantity import Form, Quantity, Result, Signature, Traits
from jounce.formulas import configurations, jacobian_rates

_STEP = {"dv": Argument(("nv",), "velocity, held for one unit of time", axis=True)}
_WAY = {"q0": configuration("initial configuration"), "q1": configuration("final configuration")}
_SHARE = {"s": Argument((), "interpolation parameter, 0 at q0 and 1 at q1", axis=True)}
_RATES = {"qdot": Argument(("nq",), "rates of the entries of q", axis=True)}


QUANTITIES: tuple[Quantity, ...] = (
    Quantity(
        "integrate",
        configurations.integrate,
        Signature(("q", "dv"), definitions=_STEP),
        (Result(("nq",), "q", CONFIGURATION),),
        "Integrate a constant velocity dv from q for one unit of time; quaternions are normalized.",
        "rad, m",
        "T(q) exp(S dv)",
        traits=Traits(geometry=False),
        forms={
            "dq": Form(configurations.integrate_dq, equation="Ad(exp(-S dv))"),
            "ddv": Form(configurations.integrate_ddv, equation="J(-S dv), the right Jacobian"),
        },
    ),
    Quantity(
        "difference",
        configurations.difference,
        Signature(("q0", "q1"), definitions=_WAY),
        (Result(("nv",), "v"),),
        "Velocity from q0 to q1 in one unit of time, by the shorter rotation.",
        "rad, m",
        "log(T(q0)^-1 T(q1))",
        traits=Traits(geometry=False),
        forms={
            "dq0": Form(configurations.difference_dq0, equation="-J(S v)^-1, of the left Jacobian"),
            "dq1": Form(
                configurations.difference_dq1, equation="J(-S v)^-1, of the right Jacobian"
            ),
        },
    ),
    Quantity(
        "interpolate",
        configurations.interpolate,
        Signature(("q0", "q1", "s"), definitions={**_WAY, **_SHARE}),
        (Result(("nq",), "q", CONFIGURATION),),
        "Interpolate from q0 to q1 at constant velocity; extrapolates for s < 0 and s > 1.",
        "rad, m",
        "T(q0) exp(s log(T(q0)^-1 T(q1)))",
        traits=Traits(geometry=False),
        forms={
            "dq0": Form(configurations.interpolate_dq0),
            "dq1": Form(configurations.interpolate_dq1),
            "ds": Form(configurations.difference, takes=("q0", "q1")),
        },
    ),
    Quantity(
        "normalize",
        configurations.normalize,
        Signature(("q",)),
        (Result(("nq",), "q", CONFIGURATION),),
        "Configuration with normalized quaternions.",
        "rad, m",
        traits=Traits(geometry=False),
        forms={"dq": Form(configurations.normalize_dq)},
    ),
    Quantity(
        "rates_from_velocity",
        configurations.rates_from_velocity,
        Signature(("q", "v")),
        (Result(("nq",), "qdot"),),
        "Time derivative of the coordinates q for the velocity v; .dv is the matrix N(q).",
        "rad/s, m/s, 1/s",
        "dq/dt = N(q) v",
        traits=Traits(lifts=True, geometry=False),
        forms={"dv": Form(jacobian_rates.velocity_map, takes=("q",))},
    ),
    Quantity(
        "velocity_from_rates",
        configurations.velocity_from_rates,
        Signature(("q", "qdot"), definitions=_RATES),
        (Result(("nv",), "v"),),
        "Velocity for the time derivative qdot of the coordinates, ignoring the part of qdot that"
        " only changes the norm of a quaternion; .dqdot is the matrix.",
        "rad/s, m/s",
        "v = N(q)^+ dq/dt",
        traits=Traits(geometry=False),
    ),
)
