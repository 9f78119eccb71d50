"""Solutions of optimal control problems."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from jounce.planning.optimal_control_slots import Work


@dataclass(frozen=True, eq=False)
class OptimalControlSolution:
    """Solution of an optimal control problem, or of a batch with leading axes.

    Where `success` is false, the arrays are the last iterate, and `reason` says why.
    """

    t: np.ndarray
    """Times of the knots (..., N + 1) in s."""

    states: dict[str, np.ndarray]
    """States by name, (..., N + 1, nq) or (..., N + 1, nv)."""

    u: np.ndarray
    """Controls (..., N, nu)."""

    gains: np.ndarray
    """Feedback gains K (..., N, nu, nx): u + K dx is optimal near the solution, with dx the change
    of the state in its tangent space. Zeros without success."""

    cost: np.ndarray
    """Cost (...), without terms of hard constraints."""

    success: np.ndarray
    """True if the problem is solved (...)."""

    reason: np.ndarray
    """Why the iteration ended (...): "converged", "iteration limit", "infeasible constraint",
    "regularization limit at knot k" or "not finite at knot k"."""

    iterations: np.ndarray
    """Number of steps (...)."""

    defect: np.ndarray
    """Largest violation of the dynamics (...)."""

    violation: np.ndarray
    """Largest violation of hard constraints (...)."""

    history: list[list[tuple[float, ...]]]
    """For each problem of the flattened batch: cost, defect and regularization of all iterates."""

    _problem: Any

    @classmethod
    def build(
        cls, problem: Any, work: Work, batch: tuple[int, ...], names: tuple[str, ...]
    ) -> OptimalControlSolution:
        """Return the solution of finished work.

        Parameters
        ----------
        problem : OptimalControlProblem
            The problem.
        work : Work
            Results with one axis for the batch.
        batch : tuple of int
            Leading axes.
        names : tuple of str
            Names of the states.

        Returns
        -------
        OptimalControlSolution
            The solution.
        """

        def shape(x: np.ndarray) -> np.ndarray:
            return x.reshape((*batch, *x.shape[1:]))

        h = work.parameters["h"]
        h = np.broadcast_to(h[:, : problem.steps], (len(h), problem.steps))
        t = np.concatenate((np.zeros((len(h), 1)), np.cumsum(h, axis=1)), axis=1)
        return cls(
            shape(t),
            {name: shape(work.states[name]) for name in names},
            shape(work.u),
            shape(work.gains),
            shape(work.cost),
            shape(work.reason == "converged"),
            shape(work.reason.astype(str)),
            shape(work.iterations),
            shape(work.defect),
            shape(work.violation),
            work.history,
            problem,
        )

    @property
    def q(self) -> np.ndarray:
        """Configurations (..., N + 1, nq)."""
        return self.states["q"]

    @property
    def v(self) -> np.ndarray:
        """Velocities (..., N + 1, nv)."""
        return self.states["v"]

    @property
    def tau(self) -> np.ndarray:
        """Forces of all joints (..., N, nv)."""
        tau = np.zeros((*self.u.shape[:-1], self._problem.robot.nv))
        tau[..., list(self._problem.actuated)] = self.u
        return tau

    @property
    def trajectory(self) -> tuple[np.ndarray, ...]:
        """States in order and controls, as a guess for `OptimalControlProblem.solve`."""
        return *self.states.values(), self.u

    def shift(self, steps: int = 1) -> tuple[np.ndarray, ...]:
        """Return a guess for the problem that begins some time steps later.

        Parameters
        ----------
        steps : int
            Number of time steps; the last state and control are repeated.

        Returns
        -------
        tuple of ndarray
            States and controls, as `trajectory`.
        """
        count = self.u.shape[-2]
        knots = np.minimum(np.arange(count + 1) + steps, count)
        controls = np.minimum(np.arange(count) + steps, count - 1)
        return *(x[..., knots, :] for x in self.states.values()), self.u[..., controls, :]

    def plot(self, index: tuple[int, ...] = ()) -> Any:
        """Plot velocities and configurations, controls, and the history of the iteration.

        Parameters
        ----------
        index : tuple of int
            Which problem of a batch; by default the first one.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        plt = import_module("matplotlib.pyplot")
        batch = self.cost.shape
        index = index or (0,) * len(batch)
        figure, axes = plt.subplots(2, 2, figsize=(10, 6), layout="constrained")
        t = self.t[index]
        for axis, x, title in (
            (axes[0, 0], self.q[index], "q"),
            (axes[0, 1], self.v[index], "v"),
            (axes[1, 0], self.u[index], "u"),
        ):
            axis.plot(t[: len(x)], x)
            axis.set(title=title, xlabel="t (s)")
        place = int(np.ravel_multi_index(index, batch)) if batch else 0
        history = np.array(self.history[place])
        axes[1, 1].plot(history[:, 0], label="cost")
        axes[1, 1].plot(history[:, 1], label="largest defect")
        axes[1, 1].set(title=str(self.reason[index]), xlabel="iteration", yscale="log")
        axes[1, 1].legend()
        return figure

    def __repr__(self) -> str:
        name, count = self._problem.robot.name, self.cost.size
        if count == 1:
            cost, steps = float(self.cost.ravel()[0]), int(self.iterations.ravel()[0])
            return (
                f"<optimal control of '{name}': {self.reason.ravel()[0]} after {steps} iterations,"
                f" cost {cost:.6g}>"
            )
        return f"<optimal control of '{name}': {int(self.success.sum())} of {count} converged>"
