"""A robot with servos: one period of the closed loop as a compiled kernel with exact derivatives.

In each period a servo measures, and applies until the next period the torque

    tau = kp (q_c - q) + kd (v_c - v) + tau_c,

clipped to what its motor can give. Parameters that are estimated are arguments of the kernel;
all others are constants of the robot, which fold away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from jounce.catalog import (
    CONFIGURATION,
    Argument,
    Quantity,
    Result,
    Signature,
    Tables,
    Traits,
    with_options,
)
from jounce.math import scalar
from jounce.model import DRIVES, Node, Tree, manifold
from jounce.robot import Robot
from jounce.solve import Subsystem

#: Parameters of servos, one for each velocity.
GAINS = ("kp", "kd")

#: Parameters of the limit of the torque: at rest, and the speed at which none is left.
CURVE = ("stall_torque", "no_load_speed")

#: Commands: position, velocity and torque, (nv,) each.
COMMANDS = ("q_command", "v_command", "tau_command")

_STEP, _TORQUE = "servo_step", "servo_torque"


def flat_coordinates(robot: Robot) -> list[int | None]:
    """Return for each velocity the coordinate of which it is the rate; None if there is none."""
    out: list[int | None] = [None] * robot.nv
    for view in robot.joints.values():
        if view.joint.mimic is None and view.q.stop - view.q.start == view.v.stop - view.v.start:
            for q, v in zip(
                range(view.q.start, view.q.stop), range(view.v.start, view.v.stop), strict=True
            ):
                out[v] = q
    return out


class Servos(Subsystem):
    """A robot whose joints have servos.

    Parameters
    ----------
    robot : Robot
        The robot, with the parameters that are not estimated.
    inertia : bool
        Inertial parameters are an argument.
    drives : tuple of str
        Drive parameters that are arguments, such as "armature".
    curve : tuple of str
        Arguments of the limit of the torque: (), ("stall_torque",) or `CURVE`.
    method : str
        Integrator.

    Notes
    -----
    The available torque in the direction of motion is stall_torque (1 - |v| / no_load_speed), at
    least 0, and stall_torque against it.
    """

    def __init__(
        self,
        robot: Robot,
        inertia: bool,
        drives: tuple[str, ...],
        curve: tuple[str, ...],
        method: str,
    ) -> None:
        super().__init__(robot, (inertia, drives, curve, method))
        self.inertia, self.drives, self.curve = inertia, drives, curve
        rubs = any(np.any(getattr(joint, x)) for joint in robot.model.joints for x in RUBBING)
        rubs = rubs or any(x in drives for x in RUBBING)
        self._step = with_options(robot.definitions["step"], method=method, friction=bool(rubs))
        self._places = flat_coordinates(robot)
        self._tables = self._define()

    @property
    def call(self) -> str:
        """Expression that creates it."""
        return "servos"

    @property
    def tree(self) -> Tree:
        """The robot's tree."""
        return self.robot.tree

    @property
    def step(self) -> Any:
        """State after a period, from q, v, the period, commands and parameters."""
        return self.quantity(_STEP)

    @property
    def torque(self) -> Any:
        """Torques from q, v, commands and parameters of the servos."""
        return self.quantity(_TORQUE)

    @property
    def gains(self) -> tuple[str, ...]:
        """Names of the parameters of the servos."""
        return (*GAINS, *self.curve)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all parameters that are arguments, in their order."""
        return (*self.gains, *self.drives, *(("inertia",) if self.inertia else ()))

    def _define(self) -> Tables:
        """Return the catalog entries."""
        own = {name: Argument(("nv",), "command") for name in COMMANDS}
        own |= {name: Argument(("nv",), "parameter") for name in (*GAINS, *CURVE, *DRIVES)}
        own["inertia"] = Argument(("nb", 10), "inertial parameters")
        own["h"] = Argument((), "period in s")
        state = Result(("nq",), "q", CONFIGURATION), Result(("nv",), "v")
        takes = ("q", "v", "h", *COMMANDS, *self.names)
        tables, traits = Tables({}, {}, {}, {}, {}), Traits(inertial=True)
        signature = Signature(takes, definitions=own)
        doc = "State after one period of the servos."
        tables.insert(Quantity(_STEP, self._advance, signature, state, doc, "", traits=traits))
        signature = Signature(("q", "v", *COMMANDS, *self.gains), definitions=own)
        torque = (Result(("nv",), "tau"),)
        doc = "Torques of the servos."
        tables.insert(Quantity(_TORQUE, self._torque, signature, torque, doc, "", traits=traits))
        return tables

    def _advance(self, tree: Tree, q: Any, v: Any, h: Any, *inputs: Any) -> Any:
        """Return the state after a period, for one sample."""
        commands, values = inputs[:3], dict(zip(self.names, inputs[3:], strict=True))
        gains = [values[name] for name in self.gains]
        tau = self._torque(tree, q, v, *commands, *gains)
        tree = _with_drives(tree, {name: values[name] for name in self.drives})
        if self.inertia:
            tree = tree.with_inertias(values["inertia"])
        return self._step.formula(tree, q, v, tau, h)

    def _torque(self, tree: Tree, q: Any, v: Any, *inputs: Any) -> Any:
        """Return the torques, for one sample."""
        q_c, v_c, tau_c, kp, kd, *curve = inputs
        tau = kd * (v_c - v) + tau_c
        for k, place in enumerate(self._places):
            if place is not None:
                tau[k] = tau[k] + kp[k] * (q_c[k] - q[place])
        for k in range(len(tau)) if curve else ():
            upper = lower = curve[0][k]
            if len(curve) == 2:
                share = v[k] / curve[1][k]
                upper = upper * _clip(1.0 - share)
                lower = lower * _clip(1.0 + share)
            tau[k] = scalar.maximum(scalar.minimum(tau[k], upper), -lower)
        return tau


#: Drive parameters that cause friction.
RUBBING = ("damping", "friction", "stribeck_friction", "load_friction")


def _clip(x: Any) -> Any:
    """Return x within 0 and 1."""
    return scalar.minimum(scalar.maximum(x, 0.0), 1.0)


def _with_drives(tree: Tree, values: Mapping[str, Any]) -> Tree:
    """Return the tree with other drive parameters of joints that do not follow others."""
    leading = {id(node) for node in manifold.leaders(tree)}

    def change(node: Node) -> Node:
        if id(node) not in leading or node.motion.armature != "each":
            return node
        return replace(node, **{name: x[node.vs] for name, x in values.items()})

    return replace(tree, nodes=tuple(change(node) for node in tree.nodes))
