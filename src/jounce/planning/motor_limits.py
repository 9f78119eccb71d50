"""Torques of motors behind springs along a path: functions of the snap and its time derivative.

theta = q + tau / K is the position of a motor of inertia J and friction d, and its torque is

    tau_m = J d2(theta)/dt2 + d d(theta)/dt + tau
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.errors import ArgumentError
from jounce.planning.path_points import PathPoints, compose, parameter_rates
from jounce.robot import Robot
from jounce.solve import ElasticRobot, Mechanism

#: Relative step of differences; torques are quadratic in x and its derivatives, except friction.
_STEP = 1e-3


@dataclass(frozen=True)
class Motors:
    """Motors and springs of a robot: compliance, inertia and damping (nv,) each."""

    robot: Robot | Mechanism
    compliance: np.ndarray
    inertia: np.ndarray
    damping: np.ndarray

    @staticmethod
    def of(robot: ElasticRobot) -> Motors:
        """Return the motors of a robot with elastic joints.

        Parameters
        ----------
        robot : ElasticRobot
            The robot, with linear springs without damping.

        Returns
        -------
        Motors
            The motors.
        """
        springs, inertia, damping, spring_damping, rotors = robot.choice
        if callable(getattr(springs, "law", None)) or np.any(spring_damping) or rotors:
            raise ArgumentError(
                f"retime: '{robot.name}' must have linear springs without damping and no rotors"
                " as bodies"
            )
        numbers = (np.asarray(x, dtype=float) for x in (springs, inertia, damping))
        stiffness, J, d = numbers
        return Motors(robot.robot, 1.0 / stiffness, J, d)

    def torques(self, motion: Sequence[np.ndarray], options: dict[str, Any]) -> list[np.ndarray]:
        """Return the torques of the motors, and their rates.

        Parameters
        ----------
        motion : sequence of ndarray
            q and its time derivatives up to the snap, for rates up to the fifth.
        options : dict
            Wrenches and their time derivatives.

        Returns
        -------
        list of ndarray (..., nv)
            Torques, and their rates if the motion has a fifth derivative.
        """
        order = len(motion) - 3
        tau = self.robot.inverse_dynamics.rates(order)(*motion, **options)
        k, J, d = self.compliance, self.inertia, self.damping
        return [
            tau[i] + d * (motion[i + 1] + k * tau[i + 1]) + J * (motion[i + 2] + k * tau[i + 2])
            for i in range(order - 1)
        ]

    def along(self, path: PathPoints, x: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return torques of the motors and their rates over sqrt(x) at points of a path.

        Parameters
        ----------
        path : PathPoints
            The path.
        x : sequence of ndarray (points,)
            x and its derivatives up to the third, for rates up to the fourth.

        Returns
        -------
        list of ndarray (points, nv)
            Torques, and their rates over sqrt(x).
        """
        rates = parameter_rates(x)
        torque, *rate = self.torques(compose(path.q, rates), path.options(rates))
        return [torque, *(y / rates[0][:, None] for y in rate)]

    def linearize(self, path: PathPoints, x: Sequence[np.ndarray]) -> list[tuple[np.ndarray, ...]]:
        """Return `along` as (c, factors of x, x', ...), linearized at x.

        Parameters
        ----------
        path : PathPoints
            The path.
        x : sequence of ndarray (points,)
            x and its derivatives.

        Returns
        -------
        list of tuple of ndarray (points, nv)
            Of torques, and of their rates over sqrt(x).
        """
        values = self.along(path, x)
        factors: list[list[np.ndarray]] = [[] for _ in values]
        unit = float(np.mean(x[0]))
        for k in range(len(x)):
            step = _STEP * (x[0] if k == 0 else np.full_like(x[0], max(unit, np.abs(x[k]).max())))
            ends = [
                self.along(path, [y + sign * step if k == i else y for i, y in enumerate(x)])
                for sign in (1.0, -1.0)
            ]
            for row, high, low in zip(factors, *ends, strict=True):
                row.append((high - low) / (2.0 * step[:, None]))
        return [
            (y - sum(f * z[:, None] for f, z in zip(row, x, strict=True)), *row)
            for y, row in zip(values, factors, strict=True)
        ]
