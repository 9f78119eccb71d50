"""The compiled step of a search, one kernel per robot and set of goals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jounce.arrays.bound_quantity import BoundQuantity
from jounce.catalog.arguments import Argument
from jounce.catalog.quantity import Quantity, Result, Signature, Traits
from jounce.formulas.goals import Goal
from jounce.formulas.inverse_kinematics_step import levenberg_marquardt_step
from jounce.model.limits import Limits
from jounce.solve.inverse_kinematics.array_libraries import Arrays
from jounce.solve.inverse_kinematics.search import Step
from jounce.utils.once import entry

if TYPE_CHECKING:
    from jounce.robot.inverse_kinematics import RobotOrMechanism


def make_step(
    robot: RobotOrMechanism, goals: Sequence[Goal], limits: Limits, near: bool, arrays: Arrays
) -> Step:
    """Return the step towards goals within limits; the kernel is compiled once per robot.

    near: whether the step also takes a posture and its weights.
    """
    key = (tuple(goals), near)
    kernel = entry(entry(vars(robot), "_searches", dict), key, lambda: _make_kernel(robot, *key))
    lower, upper = arrays.from_numpy(limits.lower), arrays.from_numpy(limits.upper)
    return lambda q, s, x, *posture_terms: kernel(q, s, x, lower, upper, *posture_terms)


def _make_kernel(robot: RobotOrMechanism, goals: tuple[Goal, ...], near: bool) -> BoundQuantity:
    arguments = {
        "damping": Argument((), "damping of the step"),
        "x": Argument((sum(1 + goal.size for goal in goals),), "weights and numbers of the goals"),
        "lower": Argument(("nt",), "lower limits"),
        "upper": Argument(("nt",), "upper limits"),
        "posture": Argument(("nq",), "posture to stay near"),
        "posture_weight": Argument(("nt",), "squared weight of the posture for each velocity"),
    }
    results = Result(("nq",)), Result(()), Result(()), Result((len(goals),))
    row = Quantity(
        "inverse_kinematics",
        levenberg_marquardt_step(goals, near),
        Signature(
            ("q", *arguments) if near else ("q", *list(arguments)[:4]), definitions=arguments
        ),
        results,
        "A step towards goals: configuration, damping, total cost and error of each goal.",
        "rad, m",
        traits=Traits(all_joints=True, geometry=False),
    )
    return BoundQuantity(robot.name, row, robot.find_owner(row))
