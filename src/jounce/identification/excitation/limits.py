"""Limits of joints, from a robot's description and from what a caller knows better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError, ModelWarning, legible, printable, warn
from jounce.identification.subject import Closed, Subject, subject
from jounce.model.joints import FLOATING, SPANS

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve.mechanism import Mechanism


@dataclass(frozen=True, eq=False)
class Limits:
    """What the joints may do, each (nv,), in rad or m, s, and N m or N.

    Accelerations and torques may be unlimited (np.inf). torque bounds what the drive gives, joint
    friction included.
    """

    lower: np.ndarray
    upper: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray
    torque: np.ndarray

    @staticmethod
    def of(robot: Robot | Mechanism, **given: ArrayLike | Mapping[str, float]) -> Limits:
        """The limits of a robot's joints, or those given instead: lower, upper, velocity, ...

        Each is a number for all joints, an array (nv,), or numbers by joint name for some of them.
        Where neither the robot nor the caller has one, joints turn by 2 pi about zero with up to
        pi rad/s, and slide by 2 m with up to 1 m/s. A joint that others mimic keeps to theirs too.
        robot: or a mechanism, whose independent joints these are.
        """
        owner = subject(robot)
        places = _places(owner)
        spans, found = _spans(owner, places), _own_limits(owner)
        for what, value in given.items():
            if what not in found:
                raise TypeError(f"unknown limit '{what}'; choose among {', '.join(found)}")
            _set_limit(owner, what, value, found[what], places)
        for i, (span, name) in enumerate(zip(spans, owner.labels("v"), strict=True)):
            _complete(found, i, span, name)
        return Limits(**found)


def _places(robot: Subject) -> dict[str, list[int]]:
    """Entries of v by the names of the joints that move by themselves."""
    active = robot.active.tolist() if isinstance(robot, Closed) else list(range(robot.nv))
    own = {
        name: [active.index(k) for k in range(view.v.start, view.v.stop) if k in active]
        for name, view in robot.joints.items()
        if view.joint.mimic is None
    }
    return {name: at for name, at in own.items() if at}


def _spans(robot: Subject, places: Mapping[str, list[int]]) -> np.ndarray:
    """Half the range of every velocity's coordinate, and its speed, where it has no limits.

    An error where a velocity is not a coordinate's rate.
    """
    if robot.model.loops and not isinstance(robot, Closed):
        raise ModelError(
            f"robot '{robot.name}': loop '{robot.model.loops[0].name}' ties its joints together,"
            " and excitation trajectories move each one for itself; pass robot.closed()"
        )
    spans = np.zeros(robot.tree.nv)
    for name in places:
        view, kind = robot.joints[name], robot.joints[name].joint.row
        if len(kind.rates) < kind.nv:
            hint = '; load the robot with base="fixed"' if view.kind == FLOATING else ""
            raise ModelError(
                f"robot '{robot.name}': joint '{name}' is {view.kind}, and excitation"
                f" trajectories need joints that turn about or slide along axes{hint}"
            )
        spans[view.v] = [SPANS[unit] for unit in kind.units]
    return spans[robot.active] if isinstance(robot, Closed) else spans


def _own_limits(robot: Subject) -> dict[str, np.ndarray]:
    """The model's limits of the independent joints; zeros that mean none are warned of."""
    unset = [
        joint.name
        for joint in robot.model.joints
        if (joint.mimic is None or joint.mimic.multiplier != 0.0)
        and (np.any(joint.velocity_limit <= 0.0) or np.any(joint.effort_limit <= 0.0))
    ]
    if unset:
        message = "velocity or effort limits of zero are taken for none given"
        warn(f"joints {', '.join(unset)}: {message}", ModelWarning)
    if isinstance(robot, Closed):
        return {name: x[robot.active] for name, x in model_limits(robot.bodies).items()}
    return model_limits(robot)


def model_limits(robot: Robot) -> dict[str, np.ndarray]:
    """The model's limits, infinite where it has none; those of zero mean that, too."""
    own = robot.limits
    speed, effort = (np.where(x > 0.0, x, np.inf) for x in (own.velocity, own.effort))
    out = {"lower": own.lower.copy(), "upper": own.upper.copy(), "velocity": speed}
    return {**out, "acceleration": np.full(robot.nv, np.inf), "torque": effort}


def _set_limit(
    robot: Subject, what: str, value: Any, limit: np.ndarray, places: Mapping[str, list[int]]
) -> None:
    """Set a limit (nv,) to a number, an array, or numbers by joint name."""
    if isinstance(value, Mapping):
        for name, number in value.items():
            if name not in places:
                raise ValueError(
                    legible(
                        f"{robot.name}: limit '{what}' for '{name}', which is no joint that moves"
                        f" by itself; choose among {', '.join(places)}"
                    )
                )
            limit[places[name]] = number
        return
    array = np.asarray(value, dtype=float)
    if array.ndim and array.shape != limit.shape:
        raise ValueError(
            f"{printable(robot.name)}: limit '{what}' must be a number, an array of shape"
            f" {limit.shape}, or numbers by joint name; found shape {array.shape}"
        )
    limit[:] = array


def _complete(found: dict[str, np.ndarray], i: int, span: float, name: str) -> None:
    """Put defaults in place of what is unlimited, and reject what no joint can keep to."""
    lower, upper = found["lower"], found["upper"]
    given = f"{lower[i]:g} to {upper[i]:g}"
    if np.isinf(lower[i]):
        lower[i] = upper[i] - 2.0 * span if np.isfinite(upper[i]) else -span
    if np.isinf(upper[i]):
        upper[i] = lower[i] + 2.0 * span
    if np.isinf(found["velocity"][i]):
        found["velocity"][i] = span
    if not (lower[i] < upper[i] and np.isfinite(upper[i] - lower[i])):
        raise ModelError(
            f"joint '{name}' cannot move: its limits are {given}; give others, such as"
            f" Limits.of(robot, lower={{'{name}': -1.0}}, upper={{'{name}': 1.0}})"
        )
    for what in ("velocity", "acceleration", "torque"):
        if not found[what][i] > 0.0:
            raise ValueError(
                f"joint '{printable(name)}': the limit of {what} must be > 0, found"
                f" {found[what][i]:g}"
            )
