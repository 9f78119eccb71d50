"""Problems of `shooting.py` for jounce."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np

from benchmarks.shooting import Knot, Shooting
from jounce import planning
from jounce.export.pinocchio import PinocchioMap


class JounceSolver:
    """A problem in jounce: arguments of batches of problems, and their solution.

    Robots have their joints in the same order in both libraries, so that controls are the same.
    """

    def __init__(self, shooting: Shooting, tolerance: float, iterations: int = 200) -> None:
        self.shooting, self.robot = shooting, shooting.robot
        self.map = PinocchioMap(self.robot.model, shooting.model)
        self.options: dict[str, Any] = {"tolerance": tolerance, "max_iterations": iterations}
        first, *_, last = shooting.knots
        self.goals = {frame: f"at_{frame}" for knot in shooting.knots for frame in knot.points}
        parameters = {"rest": self.configuration(shooting.reference)}
        vectors = [] if first.center is None else ["center"]
        if shooting.contact:
            vectors += self.goals.values()
        else:
            parameters |= {name: first.points[frame][1] for frame, name in self.goals.items()}
        bounds = shooting.bounds
        self.problem = planning.OptimalControlProblem(
            self.robot,
            self._cost(first),
            self._terminal(last),
            steps=None if shooting.contact else shooting.horizon,
            h=first.dt,
            parameters=parameters,
            references=dict.fromkeys(vectors, (3,)),
            actuated=list(range(self.robot.nv))[shooting.actuated],
            limits=None if bounds is None else tuple(np.full(1, bound) for bound in bounds),
            phases=self._phases() if shooting.contact else None,
        )

    def configuration(self, x: np.ndarray) -> np.ndarray:
        """Return our configuration of states of Pinocchio."""
        return self.map.q_from_pinocchio(x[..., : self.shooting.model.nq])

    def arguments(self, problems: range) -> tuple[Any, dict[str, Any]]:
        """Return the arguments of `solve` for some problems, with a batch axis."""
        starts = [self.shooting.start(k) for k in problems]
        x0 = np.array([x for x, _ in starts])
        q, v = self.configuration(x0), self.map.v_from_pinocchio(x0[:, self.shooting.model.nq :])
        knots, out = self.shooting.knots, dict(self.options)
        for frame, name in self.goals.items():
            if self.shooting.contact:  # positions at all knots, zero where there is no cost
                none = (0.0, np.zeros(3))
                out[name] = np.array([knot.points.get(frame, none)[1] for knot in knots])
            else:
                nominal = knots[0].points[frame][1]
                out[name] = np.array([goals.get(frame, nominal) for _, goals in starts])
        if knots[0].center is not None:
            out["center"] = np.array([knot.center[1] for knot in knots if knot.center])
        return (q, v), out

    def guess(self, x0: np.ndarray, us: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the guess with the state held at x0 (..., nx), and Crocoddyl's controls."""
        u = np.array([[row[: self._motors] for row in rows] for rows in us])
        held = np.repeat(x0[:, None], self.shooting.horizon + 1, axis=1)
        v = self.map.v_from_pinocchio(held[..., self.shooting.model.nq :])
        return self.configuration(held), v, u

    @property
    def _motors(self) -> int:
        return len(range(self.robot.nv)[self.shooting.actuated])

    # -------------------------------------------------------------- costs

    def _phases(self) -> list[Any]:
        """Return knots with the same contacts and cost terms as phases."""

        def kind(knot: Knot) -> tuple[Any, ...]:
            return knot.contacts, tuple(knot.points)

        costs: dict[Any, Any] = {}  # phases of the same kind share their kernels
        phases = []
        for key, run in groupby(self.shooting.knots[:-1], kind):
            knots = list(run)
            cost = costs.setdefault(key, self._cost(knots[0]))
            phases.append(planning.Phase(len(knots), contacts=knots[0].contacts, cost=cost))
        return phases

    def _terms(self, knot: Knot, model: Any, x: Any, p: Any) -> list[Any]:
        """Return the residuals of the state at a knot."""
        scale = knot.dt or 1.0
        terms = []
        for frame, (weight, _) in knot.points.items():
            goal = getattr(p, self.goals[frame])
            error = planning.position_error(model, frame, x.q, goal)
            terms.append(np.sqrt(scale * weight) * error)
        if knot.center is not None:
            error = model.center_of_mass(x.q) - p.center
            terms.append(np.sqrt(scale * knot.center[0]) * error)
        if knot.state is not None:
            nv = self.robot.nv
            on_q, on_v = np.sqrt(scale * self.map.v_from_pinocchio(knot.state.reshape(2, nv)))
            error = planning.posture_error(model, x.q, p.rest)
            used = np.flatnonzero(on_q)
            terms += [on_q[used] * error[used], on_v * x.v]
        return terms

    def _cost(self, knot: Knot) -> Any:
        def cost(model: Any, x: Any, u: Any, p: Any) -> tuple[Any, ...]:
            return (*self._terms(knot, model, x, p), np.sqrt(knot.dt * knot.control) * u)

        return cost

    def _terminal(self, knot: Knot) -> Any:
        def terminal(model: Any, x: Any, p: Any) -> tuple[Any, ...]:
            return tuple(self._terms(knot, model, x, p))

        return terminal
