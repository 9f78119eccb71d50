"""Equations of motion, other Coriolis matrices of the papers, and rates of q and J."""

from __future__ import annotations

from functools import cache, partial

from jounce.catalog.quantity import Form, Option, Options, Quantity, Result, Signature, Traits
from jounce.formulas import coriolis, equations, jacobian_rates, tensors, wrt_inertia
from jounce.formulas.wrt_inertia import garofalo_columns, mueller_kumar_columns

_GAROFALO = "dM/dt = C + C^T as for the Christoffel matrix, but it is not a function of M alone"
_MUELLER_KUMAR = "v^T (dM/dt - 2 C) v = 0, but dM/dt - 2 C is not skew-symmetric"

#: Coriolis matrices of the equations of motion: their recursions, and kernels of regressors.
CORIOLIS = {
    "christoffel": (equations.Matrices, wrt_inertia.bias_columns),
    "garofalo": (coriolis.Garofalo, garofalo_columns),
}

_OPTIONS = (
    Option(
        "coriolis",
        tuple(CORIOLIS),
        "Coriolis matrix: that of coriolis_matrix, or of coriolis_matrix_garofalo",
    ),
)


@cache
def equations_of_motion(coriolis: str = "christoffel") -> Quantity:
    """Return the quantity for a choice of C; only for Christoffel it is a function of M."""
    matrices, kernel = CORIOLIS[coriolis]
    return Quantity(
        "equations_of_motion",
        partial(equations.equations_of_motion, matrices=matrices),
        Signature(("q", "v")),
        (
            Result(("nv", "nv"), "M"),
            Result(("nv", "nv"), "C"),
            Result(("nv",), "g"),
        ),
        "M, C and g of M a + C v + g = tau, from one kernel, with dM/dt = C + C^T. The order of"
        " time derivatives is M, C, g, dM, dC, dg, ...",
        "kg m^2, kg m, kg; N m s, N s; N m, N",
        "Garofalo (6), (25)",
        traits=Traits(joint_space=coriolis == "christoffel"),
        rates=partial(equations.rates, matrices=matrices),
        options=Options(_OPTIONS, equations_of_motion),
        forms={
            "dq": Form(equation="Garofalo (24a), (24b), (24d)"),
            "dv": Form(
                tensors.equations_of_motion_dv if coriolis == "christoffel" else None,
                "Garofalo (24c)",
            ),
            "dpi": Form(
                partial(wrt_inertia.equations_of_motion_dpi, kernel=kernel), "Garofalo (13)"
            ),
        },
    )


QUANTITIES: tuple[Quantity, ...] = (
    equations_of_motion(),
    Quantity(
        "coriolis_matrix_garofalo",
        coriolis.coriolis_matrix_garofalo,
        Signature(("q", "v")),
        (Result(("nv", "nv"), "C"),),
        f"Coriolis matrix of Garofalo, with the same C v: {_GAROFALO}.",
        "N m s, N s",
        "Garofalo (6b); Mueller-Kumar (54)",
        forms={
            "dpi": Form(
                partial(wrt_inertia.coriolis_matrix_dpi, kernel=garofalo_columns), "Garofalo (13b)"
            )
        },
    ),
    Quantity(
        "coriolis_matrix_mueller_kumar",
        coriolis.coriolis_matrix_mueller_kumar,
        Signature(("q", "v")),
        (Result(("nv", "nv"), "C"),),
        "Coriolis matrix of Mueller and Kumar (Newton-Euler equations), with the same C v:"
        f" {_MUELLER_KUMAR}.",
        "N m s, N s",
        "Mueller-Kumar (20), (22); Fakhari, closed form",
        forms={"dpi": Form(partial(wrt_inertia.coriolis_matrix_dpi, kernel=mueller_kumar_columns))},
    ),
    Quantity(
        "slotine_li_regressor_garofalo",
        partial(wrt_inertia.slotine_li_regressor, kernel=garofalo_columns),
        Signature(("q", "v", "v_r", "a_r")),
        (Result(("nv", "10nb")),),
        "Slotine-Li regressor Y with C of Garofalo: M a_r + C v_r + g = Y pi, without armature;"
        f" {_GAROFALO}.",
        "N m, N; per unit of pi",
        "Garofalo (15), (16)",
        traits=Traits(lifts=True, geometry=False),
    ),
    Quantity(
        "slotine_li_regressor_mueller_kumar",
        partial(wrt_inertia.slotine_li_regressor, kernel=mueller_kumar_columns),
        Signature(("q", "v", "v_r", "a_r")),
        (Result(("nv", "10nb")),),
        "Slotine-Li regressor Y with C of Mueller and Kumar: M a_r + C v_r + g = Y pi, without"
        f" armature; {_MUELLER_KUMAR}.",
        "N m, N; per unit of pi",
        "Garofalo (16), with the kernel of Mueller-Kumar (22)",
        traits=Traits(lifts=True, geometry=False),
    ),
    Quantity(
        "velocity_map",
        jacobian_rates.velocity_map,
        Signature(("q",)),
        (Result(("nq", "nv"), "Gamma"),),
        "Matrix Gamma(q) of the coordinate rates: dq/dt = Gamma v.",
        "1",
        "Garofalo (33)",
        traits=Traits(lifts=True, geometry=False),
    ),
    Quantity(
        "jacobian_rate",
        jacobian_rates.frame_jacobian_rate,
        Signature(("q", "v")),
        (Result((6, "nv"), "J_rate"),),
        "Time derivative J' of the body Jacobian, rotation first, in the frame's axes.",
        "1/s, m/s",
        "Garofalo (28); Mueller-Kumar (12)",
        traits=Traits(of_frame=True),
        forms={
            "dq": Form(equation="Garofalo (32)"),
            "dv": Form(equation="Garofalo (30), (33)"),
        },
    ),
)
