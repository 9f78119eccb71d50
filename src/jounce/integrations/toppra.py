"""Constraints of toppra that evaluate all points of a path in one call of a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import toppra.constraint
from numpy.typing import ArrayLike
from toppra.constraint.linear_constraint import canlinear_colloc_to_interpolate

from jounce.errors import ArgumentError, ModelError
from jounce.robot import Robot


class TorqueConstraint(toppra.constraint.LinearConstraint):
    """Torque limits of a robot, in place of toppra's `JointTorqueConstraint`.

    Along a path q(s), torques are a u + b x + c with x = (ds/dt)^2 and u = d2s/dt2. toppra calls
    inverse dynamics three times for each point; this class calls it once for all of them.

    Parameters
    ----------
    robot : Robot
        Its configurations must be vectors of joint positions (nq = nv).
    limits : array_like (nv,) or (nv, 2), optional
        Largest absolute torques, or lower and upper ones, N m and N; by default those of the model.
    friction : array_like (nv,)
        Dry friction of the joints, N m and N: added in the direction of the path.
    wrenches : array_like (nb, 6), optional
        External wrenches on the bodies.
    discretization : toppra.constraint.DiscretizationType
        Collocation holds the limits at the grid points, Interpolation at both ends of intervals.

    Raises
    ------
    ModelError
        If the robot has a floating base or spherical joints.
    ArgumentError
        If limits have another shape, or are not ordered.

    Notes
    -----
    Rates of torques contain d3s/dt3, which problems of toppra do not have: u is constant between
    grid points, so torques jump. `jounce.planning.retime` limits rates of torques.

    Examples
    --------
    >>> import numpy as np, jounce, toppra
    >>> from toppra.algorithm import TOPPRA
    >>> from jounce.integrations.toppra import TorqueConstraint
    >>> robot = jounce.load("kuka_iiwa14")
    >>> points = 0.5 * robot.random(0, 3)
    >>> path = toppra.SplineInterpolator([0.0, 0.5, 1.0], points)
    >>> trajectory = TOPPRA([TorqueConstraint(robot)], path).compute_trajectory()
    >>> bool(trajectory.duration > 0.0)
    True
    """

    def __init__(
        self,
        robot: Robot,
        limits: ArrayLike | None = None,
        *,
        friction: ArrayLike = 0.0,
        wrenches: ArrayLike | None = None,
        discretization: Any = toppra.constraint.DiscretizationType.Interpolation,
    ) -> None:
        super().__init__()
        if robot.nq != robot.nv:
            raise ModelError(
                f"{robot.name}: paths of toppra are vectors of joint positions, but the robot has a"
                " floating base or spherical joints; use jounce.planning.retime"
            )
        bounds = np.array(robot.limits.effort if limits is None else limits, dtype=float)
        if bounds.ndim < 2:
            bounds = np.broadcast_to(bounds, (robot.nv,)) if bounds.ndim == 0 else bounds
            bounds = np.stack([-bounds, bounds], axis=-1)
        if bounds.shape != (robot.nv, 2) or not (bounds[:, 0] <= bounds[:, 1]).all():
            raise ArgumentError(
                f"{robot.name}: expected limits of shape ({robot.nv},), or lower and upper ones of"
                f" shape ({robot.nv}, 2), found {np.array(limits).tolist()}"
            )
        self.robot = robot
        self.limits = bounds
        self.friction = np.broadcast_to(np.asarray(friction, dtype=float), (robot.nv,))
        self._options: dict[str, Any] = (
            {} if wrenches is None else {"wrenches": np.asarray(wrenches, dtype=float)}
        )
        self._limited = np.isfinite(bounds)
        self.dof = robot.nv
        self.identical = True
        self.set_discretization_type(discretization)
        rows = (f"      {name}: {x}\n" for name, x in zip(robot.labels("v"), bounds, strict=True))
        self._format_string = "    Torque limit:\n" + "".join(rows)

    def compute_constraint_params(  # type: ignore[override]
        self, path: Any, gridpoints: np.ndarray, *args: Any, **kwargs: Any
    ) -> tuple[Any, ...]:
        """Return the coefficients a, b, c, F, g of toppra, and None for further limits.

        Parameters
        ----------
        path : toppra.interpolator.AbstractGeometricPath
            The path.
        gridpoints : ndarray (N + 1,)
            Path parameters.
        *args, **kwargs
            Ignored, as in toppra.

        Returns
        -------
        tuple
            Limits are F (a u + b x + c) <= g.

        Raises
        ------
        ArgumentError
            If the path has another number of joints.
        """
        if path.dof != self.dof:
            raise ArgumentError(
                f"{self.robot.name}: expected a path of {self.dof} joints, found {path.dof}"
            )
        points = np.asarray(gridpoints, dtype=float)
        q, d1, d2 = (np.asarray(path(points, k)) for k in range(3))
        zero = np.zeros_like(d1)
        v, a = np.stack((zero, zero, d1)), np.stack((zero, d1, d2))
        c, total, fast = self.robot.inverse_dynamics(q, v, a, **self._options)
        eye = np.eye(self.dof)
        upper, lower = self._limited[:, 1], self._limited[:, 0]
        F = np.concatenate((eye[upper], -eye[lower]))
        g = np.concatenate((self.limits[upper, 1], -self.limits[lower, 0]))
        rows = (total - c, fast - c, c + self.friction * np.sign(d1), F, g)
        if self.discretization_type == toppra.constraint.DiscretizationType.Collocation:
            return (*rows, None, None)
        return canlinear_colloc_to_interpolate(*rows, None, None, points, identical=True)
