"""Limits of joints, from a robot's description or from the caller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError, ModelWarning, legible, printable, warn
from jounce.identification.subject import MechanismAdapter, Subject, subject
from jounce.model.joints import FLOATING, SPANS

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve.mechanism import Mechanism


@dataclass(frozen=True, eq=False)
class Limits:
    """Limits of positions, velocities, accelerations and torques, each (nv,).

    Units are rad or m, s, and N m or N. Accelerations and torques may be unlimited (np.inf). The
    torque of a drive includes joint friction.
    """

    lower: np.ndarray
    upper: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray
    torque: np.ndarray

    @staticmethod
    def of(robot: Robot | Mechanism, **changes: ArrayLike | Mapping[str, float]) -> Limits:
        """Return the limits of a robot's joints, some of them replaced.

        Parameters
        ----------
        robot : Robot or Mechanism
            For a mechanism, the limits are those of the independent joints.
        **changes : float, (nv,) array or mapping of str to float
            Limits `lower`, `upper`, `velocity`, `acceleration` or `torque` that replace those of
            the robot, for all joints or by joint name, in rad or m, s, and N m or N.

        Returns
        -------
        Limits
            The limits. Without limits of its own, a joint turns by 2 pi about zero with up to
            pi rad/s, or slides by 2 m with up to 1 m/s. Limits of mimic joints apply to their
            leader.

        Raises
        ------
        ModelError
            If a joint cannot move, or is of a kind without coordinate rates.
        """
        owner = subject(robot)
        places = _independent_joints(owner)
        spans, limits = _spans(owner, places), _own_limits(owner)
        for what, value in changes.items():
            if what not in limits:
                raise TypeError(f"unknown limit '{what}'; choose among {', '.join(limits)}")
            _set_limit(owner, what, value, limits[what], places)
        for i, (span, name) in enumerate(zip(spans, owner.labels("v"), strict=True)):
            _complete(limits, i, span, name)
        return Limits(**limits)


def _independent_joints(robot: Subject) -> dict[str, list[int]]:
    """Return indices into v of the independent joints, by name."""
    active = robot.active.tolist() if isinstance(robot, MechanismAdapter) else list(range(robot.nv))
    indices = {
        name: [active.index(k) for k in range(view.v.start, view.v.stop) if k in active]
        for name, view in robot.joints.items()
        if view.joint.mimic is None
    }
    return {name: x for name, x in indices.items() if x}


def _spans(robot: Subject, places: Mapping[str, list[int]]) -> np.ndarray:
    """Return default half ranges, and speeds, of the coordinates of all velocities.

    Raises a ModelError if a velocity is not the rate of a coordinate.
    """
    if robot.model.loops and not isinstance(robot, MechanismAdapter):
        raise ModelError(
            f"robot '{robot.name}': loop '{robot.model.loops[0].name}' couples its joints, but"
            " excitation trajectories move each joint independently; pass robot.closed()"
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
    return spans[robot.active] if isinstance(robot, MechanismAdapter) else spans


def _own_limits(robot: Subject) -> dict[str, np.ndarray]:
    """Return the model's limits of the independent joints; warn about limits of zero."""
    unset = [
        joint.name
        for joint in robot.model.joints
        if (joint.mimic is None or joint.mimic.multiplier != 0.0)
        and (np.any(joint.velocity_limit <= 0.0) or np.any(joint.effort_limit <= 0.0))
    ]
    if unset:
        message = "velocity or effort limits of zero are treated as missing"
        warn(f"joints {', '.join(unset)}: {message}", ModelWarning)
    if isinstance(robot, MechanismAdapter):
        return {name: x[robot.active] for name, x in model_limits(robot.bodies).items()}
    return model_limits(robot)


def model_limits(robot: Robot) -> dict[str, np.ndarray]:
    """Return the model's limits; missing ones, and those of zero, are infinite."""
    limits = robot.limits
    speed, effort = (np.where(x > 0.0, x, np.inf) for x in (limits.velocity, limits.effort))
    out = {"lower": limits.lower.copy(), "upper": limits.upper.copy(), "velocity": speed}
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
                        f"{robot.name}: limit '{what}' for '{name}', which is not an independent"
                        f" joint; choose among {', '.join(places)}"
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


def _complete(limits: dict[str, np.ndarray], i: int, span: float, name: str) -> None:
    """Replace missing limits of joint i by defaults, and reject impossible ones."""
    lower, upper = limits["lower"], limits["upper"]
    text = f"{lower[i]:g} to {upper[i]:g}"
    if np.isinf(lower[i]):
        lower[i] = upper[i] - 2.0 * span if np.isfinite(upper[i]) else -span
    if np.isinf(upper[i]):
        upper[i] = lower[i] + 2.0 * span
    if np.isinf(limits["velocity"][i]):
        limits["velocity"][i] = span
    if not (lower[i] < upper[i] and np.isfinite(upper[i] - lower[i])):
        raise ModelError(
            f"joint '{name}' cannot move: its limits are {text}; pass others, such as"
            f" Limits.of(robot, lower={{'{name}': -1.0}}, upper={{'{name}': 1.0}})"
        )
    for what in ("velocity", "acceleration", "torque"):
        if not limits[what][i] > 0.0:
            raise ValueError(
                f"joint '{printable(name)}': the limit of {what} must be > 0, found"
                f" {limits[what][i]:g}"
            )
