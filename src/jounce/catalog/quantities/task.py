"""Frames: the dynamics as a task at the frame meets them."""

from __future__ import annotations

from functools import partial

from jounce.catalog.quantity import Form, Quantity, Result, Signature, Traits
from jounce.formulas import task, task_space

_RANK = (
    " Refused for a frame that cannot move in all six directions; inf, NaN or huge where it cannot"
    " at one pose."
)

QUANTITIES: tuple[Quantity, ...] = (
    Quantity(
        "task_inertia_inverse",
        task.task_inertia_inverse,
        Signature(("q",)),
        (Result((6, 6), "Lambda_inverse"),),
        "J M^-1 J^T in the frame's axes: its acceleration by a wrench on it. For any frame.",
        "1/(kg m^2), 1/(kg m), 1/kg",
        "operational-space inertia of Khatib",
        traits=Traits(of_frame=True, joint_space=True, solves=True, inertial=True),
        forms={"dq": Form(task.task_inertia_inverse_dq)},
    ),
    Quantity(
        "task_inertia",
        task.task_inertia,
        Signature(("q",)),
        (Result((6, 6), "Lambda"),),
        f"Lambda = (J M^-1 J^T)^-1: the inertia at the frame, in its axes.{_RANK}",
        "kg m^2, kg m, kg",
        "operational-space inertia of Khatib",
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
        "Lambda (J M^-1 (C v + g) - J' v): the wrench on the frame, in its axes, that keeps its"
        f" body-fixed twist while the joints are free.{_RANK}",
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
