"""Phases, motors and limits of optimal control problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.errors import ArgumentError
from jounce.planning.optimal_control_stage import Function
from jounce.robot import Robot
from jounce.solve import ElasticRobot, Mechanism
from jounce.solve.contacts import driven_velocities


@dataclass(frozen=True)
class Phase:
    """Consecutive knots with the same contacts and the same cost.

    Parameters
    ----------
    steps : int
        Number of time steps.
    contacts : sequence of str
        Contacts of the robot that hold, see `Robot.contacts`; none by default.
    cost : callable, optional
        Running cost of the phase, by default that of the problem.
    kd : float
        Baumgarte gain (1/s) that damps velocities of the contacts.

    Examples
    --------
    >>> from jounce import planning
    >>> planning.Phase(20, contacts=("left", "right")).steps
    20
    """

    steps: int
    contacts: Sequence[str] = ()
    cost: Function | None = None
    kd: float = 0.0


def find_phases(name: str, steps: int | None, phases: Sequence[Phase] | None) -> tuple[Phase, ...]:
    """Return the phases of a problem.

    Parameters
    ----------
    name : str
        Name of the robot, for messages.
    steps : int, optional
        Number of steps of a single phase.
    phases : sequence of Phase, optional
        Several phases.

    Returns
    -------
    tuple of Phase
        The phases.
    """
    if (steps is None) == (phases is None):
        raise ArgumentError(
            f"{name}: expected either steps or phases of an optimal control problem"
        )
    chain = (Phase(steps),) if steps is not None else tuple(phases or ())
    if not chain or min(phase.steps for phase in chain) < 1:
        raise ArgumentError(f"{name}: expected phases of at least one step each")
    return chain


def find_actuated(
    robot: Robot | Mechanism | ElasticRobot, actuated: Sequence[str | int] | None
) -> tuple[int, ...]:
    """Return the indices of the velocities with motors.

    Parameters
    ----------
    robot : Robot, Mechanism or ElasticRobot
        The robot.
    actuated : sequence of str or int, optional
        Joints or velocities with a motor; by default all but free joints.

    Returns
    -------
    tuple of int
        Indices.
    """
    links = robot.robot if isinstance(robot, ElasticRobot) else robot
    if isinstance(links, Robot):
        return tuple(np.flatnonzero(driven_velocities(links, actuated)).tolist())
    if actuated is None:
        return tuple(range(links.nv))
    if not all(isinstance(x, int) and 0 <= x < links.nv for x in actuated):
        raise ArgumentError(
            f"{robot.name}: actuated must be indices of independent velocities below {links.nv},"
            f" found {actuated!r:.80}"
        )
    return tuple(int(x) for x in actuated)


def find_limits(
    robot: Robot | Mechanism | ElasticRobot, limits: Any, actuated: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the lower and upper limits of the control.

    Parameters
    ----------
    robot : Robot, Mechanism or ElasticRobot
        The robot.
    limits : bool, array_like or pair of array_like, optional
        See `OptimalControlProblem`.
    actuated : tuple of int
        Velocities with motors.

    Returns
    -------
    tuple of ndarray (nu,) or None
        The limits, None without any.
    """
    if limits is None or limits is False:
        return None
    links = robot.robot if isinstance(robot, ElasticRobot) else robot
    if limits is True:
        limits = links.limits.effort[list(actuated)]
    low, high = limits if isinstance(limits, tuple) else (-np.asarray(limits, float), limits)
    try:
        pair = [np.broadcast_to(np.asarray(x, float), (len(actuated),)) for x in (low, high)]
    except ValueError:
        pair = []
    if not pair or not (pair[0] <= pair[1]).all():
        raise ArgumentError(
            f"{robot.name}: limits must be True, magnitudes ({len(actuated)},) or a tuple (low,"
            f" high) with low <= high, found {limits!r:.80}"
        )
    return pair[0], pair[1]
