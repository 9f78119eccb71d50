"""The quantities of a robot whose contacts are made, in the manner of `rows`.

Sizes in shapes: nk counts the contacts, nc the rows that they lock. v, a and tau are those of all
joints. Forces and impulses are in the axes of the contacts: of (mx, my, mz, fx, fy, fz) those that
a contact locks, contact after contact.
"""

from __future__ import annotations

from jounce.catalog.arguments import Argument
from jounce.catalog.charts import TWIST, of_poses
from jounce.catalog.derived import FRAME, MORPHABLE_FRAME, Tables
from jounce.catalog.row import Form, Row, joint_space
from jounce.formulas.contact import derivatives, dynamics, geometry
from jounce.formulas.contact.derivatives import picked
from jounce.formulas.contact.dynamics import GIVEN

_DAMPING = Argument(
    (), "how much contacts yield: mu of J M^-1 J^T + mu 1 (1/kg and so on)", "; taken as zero"
)

_HELD: dict[str, Argument] = {
    "anchors": Argument(
        ("nk", 4, 4), "poses in the world that the contacts are pulled to, zeros for none"
    ),
    "kp": Argument((), "gain of Baumgarte (1/s^2) on how far contacts are from their anchors"),
    "kd": Argument((), "gain of Baumgarte (1/s) on the velocities of the contacts"),
    "damping": _DAMPING,
}

_TOUCHED: dict[str, Argument] = {
    "restitution": Argument((), "share of the velocity of the contacts that they bounce back with"),
    "damping": _DAMPING,
}

_POSES = of_poses(("nk", 6), "twists", TWIST.format("contact", "each contact", "matrices"))

_EQUATIONS = "M a + C v + g = tau + J^T f, J a + drift = -kd J v - kp e - damping f"

_ALL = derivatives.contact_dynamics_derivatives
_STRUCK = derivatives.impulse_derivatives

_ROWS: tuple[Row, ...] = (
    joint_space(
        "contact_dynamics",
        dynamics.contact_dynamics,
        ("q", "v", "tau"),
        ("nv",),
        "Acceleration of all joints and forces of the contacts; the shortest if not unique.",
        "rad/s^2, m/s^2; N m, N",
        _EQUATIONS,
        more=(("nc",),),
        optional=GIVEN,
        own=_HELD,
        rates=dynamics.contact_dynamics_rates,
        solves=True,
        letter="a f",
        forms={
            "dq": Form(picked(_ALL, 2, 3)),
            "dv": Form(picked(_ALL, 4, 5)),
            "dtau": Form(picked(_ALL, 6, 7)),
            "derivatives": Form(
                _ALL,
                doc="a and f, then both in q, in v and in tau, from one kernel.",
                shape=("nv",),
                more=(("nc",), *(("nv", "nv"), ("nc", "nv")) * 3),
            ),
            "dpi": Form(derivatives.contact_dynamics_dpi),
        },
    ),
    joint_space(
        "forward_dynamics",
        dynamics.forward_dynamics,
        ("q", "v", "tau"),
        ("nv",),
        "Acceleration of all joints while the contacts hold.",
        "rad/s^2, m/s^2",
        _EQUATIONS,
        optional=GIVEN,
        own=_HELD,
        rates=dynamics.forward_dynamics_rates,
        solves=True,
        letter="a",
        forms={
            "dq": Form(picked(_ALL, 2)),
            "dv": Form(picked(_ALL, 4)),
            "dtau": Form(picked(_ALL, 6)),
            "derivatives": Form(
                picked(_ALL, 0, 2, 4, 6),
                doc="a with its derivatives in q, v and tau, from one kernel.",
                more=(("nv", "nv"),) * 3,
            ),
            "dpi": Form(picked(derivatives.contact_dynamics_dpi, 0)),
        },
    ),
    joint_space(
        "impulse",
        dynamics.impulse,
        ("q", "v"),
        ("nv",),
        "Velocity of all joints after the contacts were made, and the impulses that did it.",
        "rad/s, m/s; N m s, N s",
        "M (v_after - v) = J^T p, J v_after = -restitution J v - damping p",
        more=(("nc",),),
        optional=tuple(_TOUCHED),
        own=_TOUCHED,
        solves=True,
        letter="v_after p",
        forms={
            "dq": Form(picked(_STRUCK, 2, 3)),
            "dv": Form(picked(_STRUCK, 4, 5)),
            "derivatives": Form(
                _STRUCK,
                doc="v_after and p, then both in q and in v, from one kernel.",
                shape=("nv",),
                more=(("nc",), *(("nv", "nv"), ("nc", "nv")) * 2),
            ),
            "dpi": Form(derivatives.impulse_dpi),
        },
    ),
    Row(
        "contact_jacobian",
        geometry.contact_jacobian,
        ("q",),
        ("nc", "nv"),
        "J: the velocities that the contacts lock are J v, in their own axes.",
        "1, m",
        "",
        letter="J",
    ),
    Row(
        "contact_velocities",
        geometry.contact_velocities,
        ("q", "v"),
        ("nc",),
        "J v: velocities that the contacts lock, zero while they hold.",
        "rad/s, m/s",
        "",
        letter="Jv",
        forms={
            "dq": Form(geometry.contact_velocities_dq),
            "dv": Form(geometry.contact_jacobian, takes=("q",)),
        },
    ),
    Row(
        "contact_drift",
        geometry.contact_drift,
        ("q", "v"),
        ("nc",),
        "How the contacts accelerate at constant v: J a + drift is their acceleration.",
        "rad/s^2, m/s^2",
        "drift = J' v while J v = 0",
        letter="drift",
        forms={"dq": Form(derivatives.drift_dq), "dv": Form(derivatives.drift_dv)},
    ),
    joint_space(
        "delassus_matrix",
        dynamics.delassus_matrix,
        ("q",),
        ("nc", "nc"),
        "J M^-1 J^T: velocities of the contacts per unit of their impulses.",
        "1/(kg m^2), 1/(kg m), 1/kg",
        "",
        solves=True,
        letter="S",
        forms={"dpi": Form()},
    ),
    Row(
        "contact_poses",
        geometry.contact_poses,
        ("q",),
        ("nk", 4, 4),
        "Homogeneous matrices of the contacts' frames in the world, to be anchors later.",
        "1, m",
        "",
        letter="T",
        charts=(_POSES,),
        geometry=False,
        forms={"dq": Form(geometry.contact_poses_dq)},
    ),
)

#: What a robot with its contacts made has; frames have what those of its tree have.
CONTACTED = Tables({}, FRAME, {}, {}, MORPHABLE_FRAME)
for _row in _ROWS:
    CONTACTED.offer(_row)
