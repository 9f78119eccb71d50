"""Operational-space dynamics of frames."""

from __future__ import annotations

from functools import partial

from jounce.catalog.quantity import Form, Quantity, Result, Signature, Traits
from jounce.formulas import task, task_space

_RANK = (
    " An error for frames with fewer than six degrees of freedom; inf, NaN or huge numbers at"
    " singular configurations."
)

QUANTITIES: tuple[Quantity, ...] = (
    Quantity(
        "task_inertia_inverse",
        task.task_inertia_inverse,
        Signature(("q",)),
        (Result((6, 6), "Lambda_inverse"),),
        "Inverse of the operational-space inertia, J M^-1 J^T, in the frame's axes.",
        "1/(kg m^2), 1/(kg m), 1/kg",
        "Khatib 1987",
        traits=Traits(of_frame=True, joint_space=True, solves=True, inertial=True),
        forms={"dq": Form(task.task_inertia_inverse_dq)},
    ),
    Quantity(
        "task_inertia",
        task.task_inertia,
        Signature(("q",)),
        (Result((6, 6), "Lambda"),),
        f"Operational-space inertia Lambda = (J M^-1 J^T)^-1, in the frame's axes.{_RANK}",
        "kg m^2, kg m, kg",
        "Khatib 1987",
        traits=Traits(of_frame=True, joint_space=True, solves=True, inertial=True),
        forms={"dq": Form(task.task_inertia_dq)},
    ),
    Quantity(
        "task_jacobian_inverse",
        task.task_jacobian_inverse,
        Signature(("q",)),
        (Result(("nv", 6), "J_inverse"),),
        f"Dynamically consistent inverse M^-1 J^T Lambda of the body-fixed Jacobian.{_RANK}",
        "1, 1/m",
        traits=Traits(of_frame=True, joint_space=True, solves=True, inertial=True),
    ),
    Quantity(
        "task_bias",
        task.task_bias,
        Signature(("q", "v")),
        (Result((6,), "mu"),),
        "Operational-space bias wrench Lambda (J M^-1 (C v + g) - J' v), in the frame's axes: it"
        f" keeps the body-fixed twist constant at zero joint forces.{_RANK}",
        "N m, N",
        traits=Traits(of_frame=True, joint_space=True, solves=True, inertial=True),
    ),
    Quantity(
        "task_coriolis_matrix",
        partial(task_space.of_frame(task_space.coriolis_matrix), task_space.TREE),
        Signature(("q", "v")),
        (Result((6, 6), "mu"),),
        f"Coriolis matrix of the frame, with dLambda/dt = C + C^T, in its axes.{_RANK}",
        "kg m^2/s, kg m/s, kg/s",
        "(Jbar^T C - Lambda dJ/dt) Jbar",
        traits=Traits(of_frame=True, joint_space=True, solves=True, inertial=True),
    ),
    Quantity(
        "null_space_projector",
        partial(task_space.of_frame(task_space.null_space_projector), task_space.TREE),
        Signature(("q",)),
        (Result(("nv", "nv"), "N"),),
        "Projector on velocities that do not move the frame; its transpose projects forces that do"
        f" not accelerate it.{_RANK}",
        "1",
        "N = 1 - Jbar J",
        traits=Traits(of_frame=True, joint_space=True, solves=True, inertial=True),
    ),
)
