"""Paths with a time: the motion s(t) along a path."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError, printable
from jounce.planning.limits import Limits
from jounce.planning.path_points import (
    LoadedPath,
    PathPoints,
    SmoothEnds,
    compose,
    name_wrenches,
    parameter_rates,
)
from jounce.planning.retiming_plot import plot
from jounce.planning.squared_speed import derivatives, distances, durations
from jounce.robot import Robot
from jounce.solve import Mechanism
from jounce.trajectories import Trajectory

#: Order of the highest derivative of a retimed path.
MAX_ORDER = 5

#: Instants per second in the viewer, and the largest number of them.
_VIEW_RATE, _MAX_VIEW = 100.0, 5000


class RetimedPath(Trajectory):
    """The fastest motion along a path, a trajectory; returned by `retime`.

    Attributes
    ----------
    duration : float
        Duration in s.
    times : ndarray (points,)
        Instants of the points in s.
    """

    def __init__(  # not those of Trajectory: the curve is another trajectory
        self,
        limits: Limits,
        path: LoadedPath | SmoothEnds,
        grid: np.ndarray,
        powers: np.ndarray,
        forces: np.ndarray | None = None,
    ) -> None:
        self._limits, self._path = limits, path
        self._grid, self._powers, self._forces = grid, powers, forces
        steps = np.diff(grid)
        self.times = np.concatenate(([0.0], np.cumsum(durations(steps, powers))))
        self.duration = float(self.times[-1])
        self._interval, self._batch = (0.0, self.duration), ()

    @property
    def robot(self) -> Robot | Mechanism | None:
        """The robot or mechanism, without its contacts or springs."""
        return self._limits.robot

    @property
    def speeds(self) -> np.ndarray:
        """Rate ds/dt of the parameter in which the motion was computed, at the points."""
        return np.sqrt(np.maximum(self._at_points()[0], 0.0))

    @property
    def accelerations(self) -> np.ndarray:
        """Acceleration d2s/dt2 of that parameter, at the points."""
        return 0.5 * self._at_points()[1]

    def _at_points(self) -> list[np.ndarray]:
        """Return x and its derivative at the points."""
        ends = derivatives(self._powers[-1:].T, np.diff(self._grid)[-1:])
        return [np.append(self._powers[:, k], ends[k]) for k in (0, 1)]

    def __call__(self, t: ArrayLike, order: int = 3) -> tuple[np.ndarray, ...]:
        """Return the motion at instants.

        Parameters
        ----------
        t : array_like (...)
            Instants in s.
        order : int
            Order of the highest time derivative, 0 to 5.

        Returns
        -------
        tuple of ndarray
            q, v, a, j, s, ... (..., nq or nv), as many as `order` + 1. Without limits of rates,
            accelerations jump and j is that between the jumps.
        """
        if order not in range(MAX_ORDER + 1):
            raise ArgumentError(f"order must be 0 to {MAX_ORDER}, found {order}")
        t = np.asarray(t, dtype=float)
        if not np.isfinite(t).all():
            raise ArgumentError("t must be finite, found NaN or infinity")
        points = self._at(t.ravel(), order)[0]
        return tuple(y.reshape(*t.shape, y.shape[-1]) for y in points.q)

    def _at(self, t: np.ndarray, order: int) -> tuple[PathPoints, tuple[np.ndarray, ...]]:
        """Return the motion and wrenches with time derivatives, and internal forces at instants."""
        k = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self._powers) - 1)
        since = np.clip(t - self.times[k], 0.0, self.times[k + 1] - self.times[k])
        powers, step = self._powers[k], np.diff(self._grid)[k]
        d = distances(since, step, powers)
        x = derivatives(powers.T, d)
        x += [np.zeros_like(d)] * (MAX_ORDER - len(x))
        moving = (t >= 0.0) & (t <= self.duration)
        rates = [np.where(moving, y, 0.0) for y in parameter_rates(x)[:order]]
        points = self._path(self._grid[k] + d, order)
        motion = PathPoints(compose(points.q, rates), compose(points.wrenches, rates))
        if self._forces is None or order < 1:
            return motion, ()
        share, jumps = (d / step)[:, None], np.diff(self._forces, axis=0)[k]
        y = self._forces[k] + share * jumps
        return motion, (y, jumps * (rates[0] / step)[:, None])

    def torques(self, t: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return the joint forces and their time derivatives at instants.

        Parameters
        ----------
        t : array_like (...)
            Instants in s.

        Returns
        -------
        tuple of ndarray (..., nv)
            Forces in N m and N, with the external wrenches of `retime` and the forces of contacts,
            and their rates. Without limits of rates, these neglect changes of wrenches along the
            path. With elastic joints, they are those of the springs.
        """
        values = self._loads(t)
        return values["torque"], values["torque rate"]

    def motor_torques(self, t: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return the torques of the motors of elastic joints and their rates at instants.

        Parameters
        ----------
        t : array_like (...)
            Instants in s.

        Returns
        -------
        tuple of ndarray (..., nv)
            Torques in N m and N, and their rates.
        """
        if self._limits.motors is None:
            raise ArgumentError(
                f"motor_torques: expected a path of an elastic robot, robot.elastic(...), found one"
                f" of '{self._limits.robot.name}'"
            )
        values = self._loads(t)
        return values["motor torque"], values["motor torque rate"]

    def contact_forces(self, t: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return the forces of contacts and their time derivatives at instants.

        Parameters
        ----------
        t : array_like (...)
            Instants in s.

        Returns
        -------
        tuple of ndarray (..., nc)
            Forces on the robot in the axes of the contacts, moments first, in N m and N, and their
            rates.
        """
        if self._limits.stance is None:
            raise ArgumentError(
                "contact_forces: expected a path of a robot in contact, robot.contacts(...), found"
                f" one of '{self._limits.robot.name}'"
            )
        values = self._loads(t)
        return values["contact force"], values["contact force rate"]

    def _loads(self, t: ArrayLike) -> dict[str, np.ndarray]:
        """Return all that can be limited by kind, at instants."""
        t = np.asarray(t, dtype=float)
        motors, stance = self._limits.motors, self._limits.stance
        motion, y = self._at(t.ravel(), 3 if motors is None else MAX_ORDER)
        q, v, a, j = motion.q[:4]
        options = name_wrenches(motion.wrenches)
        first = {k: options[k] for k in options if k in ("wrenches", "dwrenches")}
        tau, rate = self._limits.robot.inverse_dynamics.rates(1)(q, v, a, j, **first)
        out = {"velocity": v, "acceleration": a, "jerk": j}
        if stance is not None:
            f, tau, df, rate = stance.forces((q, v), (tau, rate), y)
            out |= {"contact force": f, "contact force rate": df, "friction": stance.friction(q, f)}
        if motors is not None:
            names = ("motor torque", "motor torque rate")
            out |= zip(names, motors.torques(motion.q, options), strict=True)
        out |= {"torque": tau, "torque rate": rate}
        return {name: x.reshape(*t.shape, x.shape[-1]) for name, x in out.items()}

    def shares(self, t: ArrayLike) -> dict[str, np.ndarray]:
        """Return limited quantities relative to their limits, by kind of limit.

        Parameters
        ----------
        t : array_like (...)
            Instants in s.

        Returns
        -------
        dict of str to ndarray (..., nv or fewer)
            Shares; 1 at the limit. Of limits of the other sign or 0, and of friction, 1 plus the
            excess, relative to the limit or to the weight of the robot.
        """
        values = self._loads(t)
        out = {name: _share(values[name], limit) for name, limit in self.limits.items()}
        if "friction" in values:
            out["friction"] = 1.0 + values["friction"]
        return out

    def violation(self, refine: int = 10) -> dict[str, float]:
        """Return how far each kind of limit is exceeded, on a finer grid.

        Parameters
        ----------
        refine : int
            Instants in each interval.

        Returns
        -------
        dict of str to float
            Largest excess relative to the limit by kind of limit; 0 if it holds. That of friction
            is relative to the weight of the robot.
        """
        inner = (np.arange(refine) + 0.5) / refine
        ends = 1e-9
        fractions = np.concatenate(([ends], inner, [1.0 - ends]))
        steps = np.diff(self.times)
        shares = self.shares(self.times[:-1, None] + steps[:, None] * fractions)
        return {name: max(float(x.max(initial=0.0)) - 1.0, 0.0) for name, x in shares.items()}

    def plot(self) -> Any:
        """Plot torques and their rates relative to the limits, and the phase plane.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        return plot(self, self._loads)

    def view(self, **options: Any) -> Any:
        """Play the motion in the viewer, beside all limited quantities relative to their limits.

        Parameters
        ----------
        **options
            Options of `robot.view.play`, such as `ghosts`.

        Returns
        -------
        Viewer
            The viewer.
        """
        count = int(np.clip(np.ceil(_VIEW_RATE * self.duration) + 1, 2, _MAX_VIEW))
        t = np.linspace(0.0, self.duration, count)
        values, series = self._loads(t), {}
        for name, limit in self.limits.items():
            scale, kept = _scale(limit)
            if kept.any():
                series[f"{name} / limit"] = values[name][:, kept] / scale[kept]
        robot: Any = self.robot
        return robot.view.play(self(t, 0)[0], dt=t[1], **{"series": series, **options})

    @property
    def limits(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Lower and upper limits (nv,) by kind."""
        return self._limits.finite

    def __repr__(self) -> str:
        name = self._limits.robot.name
        return printable(f"<retimed path of '{name}', {self.duration:.6g} s>")


def _scale(limit: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the larger absolute value of limits, and where it is finite and positive."""
    scale = np.maximum(np.abs(limit[0]), np.abs(limit[1]))
    return scale, np.isfinite(scale) & (scale > 0.0)


def _share(y: np.ndarray, limit: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Return values over limits; where these have the other sign or are 0, 1 plus the excess."""
    scale, finite = _scale(limit)
    scale, out = np.where(finite, scale, 1.0), np.zeros_like(y)
    for x, bound in ((y, limit[1]), (-y, -limit[0])):
        ratio = np.where(
            bound > 0.0, x / np.where(bound > 0.0, bound, 1.0), 1.0 + (x - bound) / scale
        )
        out = np.maximum(out, np.where(np.isfinite(bound), ratio, 0.0))
    return out
