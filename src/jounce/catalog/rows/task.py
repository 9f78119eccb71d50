"""Frames: the dynamics as a task at the frame meets them."""

from __future__ import annotations

from jounce.catalog.row import Form, Row, of_frame
from jounce.formulas import task

_RANK = (
    " Refused for a frame that cannot move in all six directions; inf, NaN or huge where it cannot"
    " at one pose."
)

ROWS: tuple[Row, ...] = (
    of_frame(
        "task_inertia_inverse",
        task.task_inertia_inverse,
        ("q",),
        (6, 6),
        "J M^-1 J^T in the frame's axes: its acceleration by a wrench on it. For any frame.",
        "1/(kg m^2), 1/(kg m), 1/kg",
        "operational-space inertia of Khatib",
        letter="Lambda_inverse",
        forms={"dq": Form(task.task_inertia_inverse_dq)},
        joint_space=True,
        solves=True,
    ),
    of_frame(
        "task_inertia",
        task.task_inertia,
        ("q",),
        (6, 6),
        f"Lambda = (J M^-1 J^T)^-1: the inertia at the frame, in its axes.{_RANK}",
        "kg m^2, kg m, kg",
        "operational-space inertia of Khatib",
        letter="Lambda",
        forms={"dq": Form(task.task_inertia_dq)},
        joint_space=True,
        solves=True,
    ),
    of_frame(
        "task_jacobian_inverse",
        task.task_jacobian_inverse,
        ("q",),
        ("nv", 6),
        f"Dynamically consistent inverse M^-1 J^T Lambda of the body-fixed Jacobian.{_RANK}",
        "1, 1/m",
        "",
        letter="J_inverse",
        joint_space=True,
        solves=True,
    ),
    of_frame(
        "task_bias",
        task.task_bias,
        ("q", "v"),
        (6,),
        "Lambda (J M^-1 (C v + g) - J' v): the wrench on the frame, in its axes, that keeps its"
        f" body-fixed twist while the joints are free.{_RANK}",
        "N m, N",
        "",
        letter="mu",
        joint_space=True,
        solves=True,
    ),
)
