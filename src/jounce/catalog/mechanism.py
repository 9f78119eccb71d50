"""The quantities of a mechanism with closed loops, in the manner of `catalog`.

Sizes in shapes: nv counts the independent velocities (of which v, a and tau are), nt those of all
joints, np the dependent ones, nl the rows of all loops. In the rows of `ALL_JOINTS` nv counts all
joints, and loops hold by themselves: v is that of all joints, and derivatives in q are along it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from jounce.catalog.rows import ROWS, Row
from jounce.formulas import wrt_inertia, wrt_state
from jounce.formulas.mechanism import derivatives as own
from jounce.formulas.mechanism import dynamics as closed_dynamics
from jounce.formulas.mechanism import geometry as closed_geometry
from jounce.formulas.mechanism import loops
from jounce.model.tree import Tree

Forms = dict[str, Callable[..., Any]]

_FORCES = ("wrenches", "joint_forces")


def _row(name: str, *columns: Any, own: Forms | None = None, **options: Any) -> Row:
    return Row(name, *columns, own=_with_geometry(name, own or {}), **options)


def _with_geometry(name: str, forms: Forms) -> Forms:
    """Forms of derivatives, with those in the geometry where there are any."""
    geometry = closed_geometry.CLOSED.get(name)
    return forms if geometry is None else {**forms, "dgeometry": geometry}


def _joint_space(*columns: Any, **options: Any) -> Row:
    return _row(*columns, joint_space=True, **options)


_OWN: tuple[Row, ...] = (
    _joint_space(
        "inverse_dynamics",
        closed_dynamics.inverse_dynamics,
        ("q", "v", "a"),
        ("nv",),
        "Forces E^T (M a + C v + g) on the independent joints, minus those that are given.",
        "N m, N",
        "Kwon (13)",
        optional=_FORCES,
        own={"da": own.inverse_dynamics_da, "dpi": own.inverse_dynamics_dpi},
    ),
    _joint_space(
        "forward_dynamics",
        closed_dynamics.forward_dynamics,
        ("q", "v", "tau"),
        ("nv",),
        "Acceleration a of the independent joints under forces tau on them, and given ones.",
        "rad/s^2, m/s^2",
        "",
        optional=_FORCES,
        rates=closed_dynamics.forward_dynamics_rates,
        solves=True,
        own={
            "dq": own.forward_dynamics_dq,
            "dv": own.forward_dynamics_dv,
            "dtau": own.forward_dynamics_dtau,
            "dpi": own.forward_dynamics_dpi,
        },
    ),
    _joint_space(
        "constraint_forces",
        closed_dynamics.constraint_forces,
        ("q", "v", "tau"),
        ("nl",),
        "Forces lam of the loops on their frames b, in the axes of a; the shortest if not unique.",
        "N m, N",
        "M a + C v + g = tau + G^T lam",
        optional=_FORCES,
        rates=closed_dynamics.constraint_forces_rates,
        solves=True,
        own={
            "dq": own.constraint_forces_dq,
            "dv": own.constraint_forces_dv,
            "dtau": own.constraint_forces_dtau,
            "dpi": own.constraint_forces_dpi,
        },
    ),
    _joint_space(
        "mass_matrix",
        closed_dynamics.mass_matrix,
        ("q",),
        ("nv", "nv"),
        "Mass matrix E^T M E of the independent joints.",
        "kg m^2, kg m, kg",
        "",
        own={"dpi": own.mass_matrix_dpi},
    ),
    _joint_space(
        "coriolis_matrix",
        closed_dynamics.coriolis_matrix,
        ("q", "v"),
        ("nv", "nv"),
        "Christoffel Coriolis matrix C = E^T (M E' + C E) of the independent joints.",
        "N m s, N s",
        "dM/dt = C + C^T",
        own={"dpi": own.coriolis_matrix_dpi},
    ),
    _joint_space(
        "gravity_forces",
        closed_dynamics.gravity_forces,
        ("q",),
        ("nv",),
        "Forces E^T g on the independent joints that hold the mechanism still.",
        "N m, N",
        "Kwon (13)",
        own={"dpi": own.gravity_forces_dpi},
    ),
    _joint_space(
        "bias_forces",
        closed_dynamics.bias_forces,
        ("q", "v"),
        ("nv",),
        "Forces C v + g on the independent joints that hold their velocity.",
        "N m, N",
        "Kwon (13) with zero acceleration",
        own={"dpi": own.bias_forces_dpi},
    ),
    _row(
        "passive_jacobian",
        loops.passive_jacobian,
        ("q",),
        ("np", "nv"),
        "J_p = -g_p^+ g_a: the dependent joints move with J_p v.",
        "1, m, 1/m",
        "Kwon (12)",
    ),
    _row(
        "velocity",
        loops.velocity,
        ("q", "v"),
        ("nt",),
        "Velocity E v of all joints; its time derivatives are their acceleration, jerk, ...",
        "rad/s, m/s",
        "Kwon (12)",
        own={"dv": loops.velocity_matrix},
    ),
    _row(
        "independent_forces",
        loops.independent_forces,
        ("q", "joint_forces"),
        ("nv",),
        "Forces E^T tau on the independent joints that do the work of tau on all joints.",
        "N m, N",
        "Kwon (13)",
    ),
)

ALL_JOINTS: dict[str, Row] = {
    row.name: row
    for row in (
        _row(
            "loop_residual",
            loops.loop_residual,
            ("q",),
            ("nl",),
            "Zero where the loops are closed: sines of angles, then positions, in a's axes.",
            "1, m",
            "Kwon (11)",
            own={"dq": loops.loop_jacobian},
        ),
        _row(
            "loop_jacobian",
            loops.loop_jacobian,
            ("q",),
            ("nl", "nv"),
            "G: the rate of the residual is G v, v the velocity of all joints.",
            "1, m",
            "Kwon (12)",
        ),
        _joint_space(
            "constrained_dynamics",
            closed_dynamics.constrained_dynamics,
            ("q", "v", "tau"),
            ("nv",),
            "Acceleration of all joints, from the equations with multipliers of the loops.",
            "rad/s^2, m/s^2",
            "M a + C v + g = tau + G^T lam, G a + G' v = 0",
            optional=("wrenches",),
            rates=closed_dynamics.constrained_dynamics_rates,
            own={
                "dq": own.constrained_dynamics_dq,
                "dv": own.constrained_dynamics_dv,
                "dtau": own.constrained_dynamics_dtau,
                "dpi": own.constrained_dynamics_dpi,
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


def _lifted(row: Row) -> Row:
    """A quantity of the tree for the mechanism: as it is for the velocities of all joints.

    Matrices whose last axis runs over the velocities are multiplied by E.
    """
    matrix = row.shape[-1:] == ("nv",)

    def lift(form: Callable[..., Any]) -> Callable[..., Any]:
        def formula(tree: Tree, q: Any, *rest: Any) -> Any:
            closure = loops.Closure(tree, q)
            if "v" in row.arguments:
                v = closure.velocity(rest[0])
                a = [closure.acceleration(v, rest[1])] if "a" in row.arguments else []
                rest = (v, *a, *rest[1 + len(a) :])
            result = form(tree, closure.q, *rest)
            return np.swapaxes(np.swapaxes(result, 1, -1) @ closure.E, 1, -1) if matrix else result

        return formula

    # chain rule where only one argument moves the result along E
    simple = "dv" if "v" in row.arguments else "" if matrix else "dq"
    forms = wrt_state.CLOSED.get(row.name, {})
    derivatives = {simple: own.chained(forms[simple], row.arguments)} if simple in forms else {}
    if row.name in wrt_inertia.DPI:
        derivatives["dpi"] = lift(wrt_inertia.DPI[row.name])
    own_forms = _with_geometry(row.name, derivatives)
    return replace(row, formula=lift(row.formula), own=own_forms)


def _table(of_frame: bool) -> dict[str, Row]:
    wanted = ("kinetic_energy", "potential_energy", "center_of_mass", "com_jacobian", "momentum")
    more = ("momentum_matrix", "centroidal_momentum", "centroidal_momentum_matrix")
    rows = [r for r in ROWS if r.of_frame == of_frame and (of_frame or r.name in wanted + more)]
    return {row.name: _lifted(row) for row in rows}


#: Quantities of a mechanism and of a frame of it, by name.
CLOSED: dict[str, Row] = {row.name: row for row in _OWN} | _table(of_frame=False)
CLOSED_FRAME: dict[str, Row] = _table(of_frame=True)
