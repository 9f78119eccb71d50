"""Charts of configurations: motions q(t) = q_k exp(x(t)) from curves x(t) of a tangent space.

The velocity is v = J(-x) dx/dt with the left Jacobian J of each joint; its time derivatives follow
from Taylor series. For joints whose velocities are rates of coordinates, q = q_k + x and v = dx/dt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jounce.arrays import BoundQuantity
from jounce.catalog import Argument, Quantity, Result, Signature, Traits
from jounce.errors import ArgumentError
from jounce.formulas import configurations
from jounce.io import TreeBuilder
from jounce.math import jets
from jounce.model import Tree, manifold
from jounce.robot import Robot
from jounce.solve import Mechanism
from jounce.utils import once_property

#: Order of the highest time derivative of a configuration that trajectories have.
MAX_ORDER = 5

#: Largest step of the independent joints of a mechanism (rad or m) before its loops are closed.
_MAX_STEP = 0.1


def _velocity_rates(tree: Tree, *x: Any) -> Any:
    """Return the velocity of q exp(x(t)) and its time derivatives, from x and its derivatives."""
    order, joints = len(x) - 2, replace(tree, active=None)
    curve = jets.truncate(jets.from_rates(x), order)
    v = configurations.integrate_ddv(joints, curve, curve) @ jets.from_rates(x[1:])
    rates = jets.rates_of(v, order)
    return tuple(rates) if order else rates[0]


def _definition(order: int) -> Quantity:
    """Return the catalog entry of the velocity and its derivatives, up to that order of q."""
    names = [f"x{k}" for k in range(order + 1)]
    tangents = {name: Argument(("nv",), f"time derivative {name[1:]} of x") for name in names}
    results = tuple(Result(("nv",), letter) for letter in "vajsc"[:order])
    doc = "Velocity of q exp(x(t)) and its time derivatives."
    takes = Signature(tuple(names), definitions=tangents)
    traits = Traits(geometry=False)
    return Quantity("chart_rates", _velocity_rates, takes, results, doc, "", traits=traits)


_DEFINITIONS = {order: _definition(order) for order in range(1, MAX_ORDER + 1)}


class Chart:
    """Configurations near others, of a robot, of a mechanism, or of plain coordinates.

    Parameters
    ----------
    robot : Robot, Mechanism or None
        None for plain coordinates, q = q_k + x.
    """

    def __init__(self, robot: Robot | Mechanism | None) -> None:
        self.robot = robot
        self.tree_robot = robot.robot if isinstance(robot, Mechanism) else robot
        if isinstance(robot, Mechanism):
            active = set(robot.velocities)
            for node in manifold.leaders(robot.robot.tree):
                joint = set(range(node.vs.start, node.vs.stop))
                if not node.motion.flat and joint & active and not joint <= active:
                    raise ArgumentError(
                        f"trajectories of '{robot.name}': expected all velocities of a"
                        f" {node.motion} joint among the independent ones, found"
                        f" {len(joint & active)} of {len(joint)}"
                    )

    def __reduce__(self) -> Any:
        return type(self), (self.robot,)

    @once_property
    def _is_flat(self) -> bool:
        """True if velocities are the rates of coordinates."""
        if self.tree_robot is None or self.robot is None:
            return True
        independent = set(self.robot.velocities)
        return all(
            node.motion.flat or not independent & set(range(node.vs.start, node.vs.stop))
            for node in manifold.leaders(self.tree_robot.tree)
        )

    def difference(self, q0: np.ndarray, q1: np.ndarray) -> np.ndarray:
        """Return the tangents (..., nv) that lead from q0 to q1, (..., nq) each."""
        return q1 - q0 if self.robot is None else self.robot.difference(q0, q1)

    def configuration(self, base: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Return the configurations base exp(x) (..., nq)."""
        if self.robot is None:
            return base + x
        if not isinstance(self.robot, Mechanism):
            return self.robot.integrate(base, x)
        count = max(math.ceil(np.max(np.abs(x), initial=0.0) / _MAX_STEP), 1)
        q = base
        for _ in range(count):  # small steps, so that loops stay in the same assembly mode
            q = self.robot.integrate(q, x / count)
        self.robot.refuse_open_loops(q, f"trajectory of '{self.robot.name}'")
        return q

    def rates(self, x: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return the velocity and its derivatives from x and its derivatives, (..., nv) each."""
        if self._is_flat or len(x) == 1:
            return list(x[1:])
        assert self.robot is not None
        assert self.tree_robot is not None
        every, active = x, list(self.robot.velocities)
        if isinstance(self.robot, Mechanism):
            every = [np.zeros((*y.shape[:-1], self.tree_robot.nv)) for y in x]
            for padded, y in zip(every, x, strict=True):
                padded[..., active] = y
        integrate = self.tree_robot.quantity("integrate")
        kernel: BoundQuantity = integrate.with_definition(_DEFINITIONS[len(x) - 1])
        results = kernel(*every)
        results = results if isinstance(results, tuple) else (results,)
        return [y[..., active] for y in results]

    def tangents(self, x: np.ndarray, rates: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return x and its derivatives where the motion base exp(x) has the given rates.

        Order by order: the velocity's derivative of order k is J(-x) x^(k + 1) plus terms of lower
        derivatives of x.
        """
        known, zero = [x], np.zeros(np.broadcast_shapes(x.shape, *(r.shape for r in rates)))
        if self._is_flat:
            return [x, *(zero + r for r in rates)]
        units = np.eye(x.shape[-1]).reshape(-1, *(1,) * (zero.ndim - 1), x.shape[-1])
        jacobian = np.moveaxis(self.rates([x + zero, units + zero])[0], 0, -1)
        for rate in rates:
            lower = self.rates([y + zero for y in (*known, zero)])[-1]
            known.append(np.linalg.solve(jacobian, (rate - lower)[..., None])[..., 0])
        return known


class PoseChart(Chart):
    """Poses of one frame, as homogeneous matrices."""

    def __init__(self, robot: Robot | None = None) -> None:
        super().__init__(single_body("free") if robot is None else robot)

    def configuration(self, base: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Return the poses base exp(x) (..., 4, 4); base: quaternion and position (..., 7)."""
        assert self.robot is not None
        return self.robot.frame("frame").pose(super().configuration(base, x))


def single_body(kind: str) -> Robot:
    """Return the robot of one body on a joint, whose configurations are poses or rotations."""
    builder = TreeBuilder("frame")
    builder.add("frame", kind, mass=1.0, inertia_com=np.eye(3))
    return Robot(builder.build())
