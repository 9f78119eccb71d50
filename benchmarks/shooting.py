"""Optimal control problems that several solvers are given: knots, costs and starts as plain data.

States and weights are in Pinocchio's coordinates: `shooting_crocoddyl.py` and
`sections/optimal_control.py` make problems of Crocoddyl and of jounce from the same data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import example_robot_data
import numpy as np
import pinocchio as pin

import jounce
from jounce.export.pinocchio import from_pinocchio, to_pinocchio

#: Gain of contact velocities in 1/s (Baumgarte).
DAMPING = 0.0

#: Number of knots, and the distance in m that each swinging foot goes forward.
Phase = tuple[int, dict[str, float]]


@dataclass(frozen=True)
class Knot:
    """Costs and contacts of a knot; each cost is half the weighted square of an error.

    dt: step in s, which multiplies the costs; 0 for the last knot, where it does not.
    points: weight and position (3,) of frames. center: weight and position of the center of mass.
    state: weights (2 nv,) of the difference from the reference state. control: weight.
    """

    dt: float
    contacts: tuple[str, ...] = ()
    points: dict[str, tuple[float, np.ndarray]] = field(default_factory=dict)
    center: tuple[float, np.ndarray] | None = None
    state: np.ndarray | None = None
    control: float = 0.0


@dataclass(frozen=True, eq=False)
class Shooting:
    """A problem, and what varies in a batch of problems.

    reference: the state (nq + nv,) that costs of the state refer to. actuated: joints with a
    torque, as a slice of v. bounds: of torques, or None. guess: the torque at each knot,
    "quasistatic" or zero. vary: returns (x0, points) of problem k, points replaces the positions
    in costs of all knots.
    """

    name: str
    model: Any
    robot: jounce.Robot
    x0: np.ndarray
    reference: np.ndarray
    knots: Sequence[Knot]
    actuated: slice
    contact: str = ""
    bounds: tuple[float, float] | None = None
    quasistatic: bool = True
    vary: Callable[[int], tuple[np.ndarray, dict[str, np.ndarray]]] | None = None

    @property
    def horizon(self) -> int:
        """Number of knots with a control."""
        return len(self.knots) - 1

    def start(self, k: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Return the first state and goals of problem k; problem 0 is the nominal."""
        if k == 0 or self.vary is None:
            return self.x0, {}
        return self.vary(k)


# ------------------------------------------------------------------ an arm, and a pendubot


@cache
def reaching(knots: int = 100) -> Shooting:
    """Panda brings its hand to a point in one second."""
    from benchmarks.sections.control import panda  # the sections import this module

    arm = panda()
    q0 = np.array((0.0, -0.785, 0.0, -2.356, 0.0, 1.571, 0.785))
    x0 = np.concatenate((q0, np.zeros(7)))
    goal, hand = np.array((0.4, 0.3, 0.5)), "panda_hand"
    run = Knot(1.0 / knots, points={hand: (1.0, goal)}, state=np.full(14, 0.1), control=1e-3)
    last = Knot(0.0, points={hand: (1e3, goal)}, state=np.ones(14))

    def vary(k: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        rng = np.random.default_rng(k)
        start = x0 + np.concatenate((rng.uniform(-0.2, 0.2, 7), np.zeros(7)))
        return start, {hand: goal + rng.uniform(-0.15, 0.15, 3)}

    return Shooting(
        "panda reaching", arm.model, arm.robot, x0, x0, [run] * knots + [last], slice(7), vary=vary
    )


@cache
def swing_up(knots: int = 100) -> Shooting:
    """A pendubot, two rods with a motor at the shoulder only, swings up within torque limits."""
    builder = jounce.TreeBuilder("pendubot")
    for k, (parent, mass, length) in enumerate(((None, 1.0, 0.5), ("link0", 1.0, 0.5))):
        inertia = mass * length**2 / 12.0
        builder.add(
            f"link{k}",
            "revolute",
            parent,
            axis=(0.0, 1.0, 0.0),
            xyz=(0.0, 0.0, 0.5 if k else 0.0),
            mass=mass,
            com=(0.0, 0.0, 0.5 * length),
            inertia_com=np.diag((inertia, inertia, 1e-4)),
        )
    model = builder.build()
    x0, up = np.array((np.pi - 0.1, 0.0, 0.0, 0.0)), np.zeros(4)
    run = Knot(2.0 / knots, state=np.array((1.0, 1.0, 0.1, 0.1)), control=1e-2)
    last = Knot(0.0, state=np.array((500.0, 500.0, 50.0, 50.0)))

    def vary(k: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        return x0 + np.random.default_rng(k).uniform(-0.05, 0.05, 4), {}

    return Shooting(
        "pendubot swing-up",
        to_pinocchio(model),
        jounce.Robot(model),
        x0,
        up,
        [run] * knots + [last],
        slice(1),
        bounds=(-10.0, 10.0),
        quasistatic=False,
        vary=vary,
    )


# ------------------------------------------------------------------ legs


def _legged(
    name: str, model: Any, q0: str, feet: Sequence[str], kind: str, plan: Sequence[Phase]
) -> Shooting:
    """Return a gait that starts at a reference configuration of the model."""
    dt, height = 0.02, 0.08
    x0 = np.concatenate((model.referenceConfigurations[q0], np.zeros(model.nv)))
    data = model.createData()
    pin.framesForwardKinematics(model, data, x0[: model.nq])
    place = {foot: data.oMf[model.getFrameId(foot)].translation.copy() for foot in feet}
    center = pin.centerOfMass(model, data, x0[: model.nq]).copy()
    joints = model.nv - 6
    weights = np.concatenate(
        (np.zeros(3), np.full(3, 500.0), np.full(joints, 0.01), np.full(6, 10.0), np.ones(joints))
    )
    knots = []
    for count, steps in plan:
        stance = tuple(foot for foot in feet if foot not in steps)
        begin, shift = center, sum(steps.values()) / len(feet)
        for k in range(1, count + 1):
            s = k / count
            points = {
                foot: (1e4, place[foot] + (length * s, 0.0, height * np.sin(np.pi * s)))
                for foot, length in steps.items()
            }
            center = begin + np.array((shift * s, 0.0, 0.0))
            knots.append(Knot(dt, stance, points, (1e4, center), weights, 1e-1))
        for foot, length in steps.items():
            place[foot] = place[foot] + (length, 0.0, 0.0)
    knots.append(replace(knots[-1], dt=0.0, contacts=tuple(feet), points={}, control=0.0))

    def vary(k: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        rng = np.random.default_rng(k)
        move = np.concatenate((np.zeros(model.nv), rng.uniform(-0.1, 0.1, model.nv)))
        return x0 + np.concatenate((np.zeros(model.nq - model.nv), move)), {}

    robot = jounce.Robot(from_pinocchio(model))
    for foot in feet:
        robot = robot.edit.with_contact(foot, kind, name=foot)
    actuated = slice(6, model.nv)
    return Shooting(name, model, robot, x0, x0, knots, actuated, kind, vary=vary)


@cache
def trot(quick: bool = False) -> Shooting:
    """Anymal makes two steps of a trot: diagonal pairs of feet in turn."""
    first, second = ("RF_FOOT", "LH_FOOT"), ("LF_FOOT", "RH_FOOT")
    short, long = (2, 8) if quick else (4, 16)
    plan: list[Phase] = []
    for pair, length in ((first, 0.1), (second, 0.2)):
        plan += [(short, {}), (long, dict.fromkeys(pair, length))]
    model = example_robot_data.load("anymal").model
    feet = ("LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT")
    return _legged("anymal trot", model, "standing", feet, "point", [*plan, (short, {})])


@cache
def biped_step(quick: bool = False) -> Shooting:
    """The legs of Talos make a step."""
    feet = ("left_sole_link", "right_sole_link")
    short, long = (3, 8) if quick else (10, 30)
    plan: list[Phase] = [(short, {}), (long, {feet[1]: 0.2}), (short, {})]
    model = example_robot_data.load("talos_legs").model
    return _legged("talos step", model, "half_sitting", feet, "surface", plan)
