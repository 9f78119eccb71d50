"""Problems of `shooting.py` for Crocoddyl, with its own models in C++."""

from __future__ import annotations

from typing import Any

import crocoddyl
import numpy as np
import pinocchio as pin

from benchmarks.shooting import DAMPING, Knot, Shooting

CONTACTS = {"point": crocoddyl.ContactModel3D, "surface": crocoddyl.ContactModel6D}


class CrocoddylSolver:
    """A problem in Crocoddyl: solved again and again from other starts, on one thread.

    box: BoxFDDP, for problems with bounds; FDDP otherwise.
    """

    def __init__(self, shooting: Shooting, tolerance: float, iterations: int = 200) -> None:
        self.shooting, self.iterations = shooting, iterations
        self.state = crocoddyl.StateMultibody(shooting.model)
        floating = shooting.actuated.start
        kind = crocoddyl.ActuationModelFloatingBase if floating else crocoddyl.ActuationModelFull
        self.actuation = kind(self.state)
        self.goals: dict[str, list[tuple[Any, np.ndarray]]] = {}
        self.models: dict[int, Any] = {}
        *running, last = (self._model(knot) for knot in shooting.knots)
        self.problem = crocoddyl.ShootingProblem(shooting.x0, running, last)
        self.problem.nthreads = 1
        box = shooting.bounds is not None
        self.solver = (crocoddyl.SolverBoxFDDP if box else crocoddyl.SolverFDDP)(self.problem)
        self.solver.th_stop = tolerance
        self.set(0)

    def set(self, k: int) -> None:
        """Take the start and goals of problem k, and the initial guess for it."""
        x0, goals = self.shooting.start(k)
        self.problem.x0 = x0
        for frame, items in self.goals.items():
            for residual, nominal in items:
                residual.reference = goals.get(frame, nominal)
        self.xs = [x0] * (self.problem.T + 1)
        if self.shooting.quasistatic:
            rest = x0.copy()
            rest[-self.state.nv :] = 0.0
            self.us = self.problem.quasiStatic([rest] * self.problem.T)
        else:
            self.us = [np.zeros(self.actuation.nu)] * self.problem.T

    def solve(self) -> float:
        """Solve from the guess; the cost."""
        self.solver.solve(self.xs, self.us, self.iterations, False)
        return self.solver.cost

    # -------------------------------------------------------------- models

    def _model(self, knot: Knot) -> Any:
        if id(knot) not in self.models:
            self.models[id(knot)] = self._integrated(knot)
        return self.models[id(knot)]

    def _integrated(self, knot: Knot) -> Any:
        costs = self._costs(knot)
        if not knot.contacts:
            model = crocoddyl.DifferentialActionModelFreeFwdDynamics(
                self.state, self.actuation, costs
            )
        else:
            contacts = crocoddyl.ContactModelMultiple(self.state, self.actuation.nu)
            for frame in knot.contacts:
                contacts.addContact(frame, self._contact(frame))
            model = crocoddyl.DifferentialActionModelContactFwdDynamics(
                self.state, self.actuation, contacts, costs, 0.0, True
            )
        integrated = crocoddyl.IntegratedActionModelEuler(model, knot.dt)
        if self.shooting.bounds is not None:  # a joint without a motor is one with bounds of zero
            has_motor = np.zeros(self.state.nv)
            has_motor[self.shooting.actuated] = 1.0
            integrated.u_lb, integrated.u_ub = (b * has_motor for b in self.shooting.bounds)
        return integrated

    def _contact(self, frame: str) -> Any:
        kind, number = CONTACTS[self.shooting.contact], self.state.pinocchio.getFrameId(frame)
        place = np.zeros(3) if kind is crocoddyl.ContactModel3D else pin.SE3.Identity()
        gains, axes = np.array((0.0, DAMPING)), pin.LOCAL_WORLD_ALIGNED
        return kind(self.state, number, place, axes, self.actuation.nu, gains)

    def _costs(self, knot: Knot) -> Any:
        nu, state = self.actuation.nu, self.state
        costs = crocoddyl.CostModelSum(state, nu)

        def add(name: str, residual: Any, weight: float, weights: Any = None) -> None:
            activation = (
                () if weights is None else (crocoddyl.ActivationModelWeightedQuad(weights),)
            )
            costs.addCost(name, crocoddyl.CostModelResidual(state, *activation, residual), weight)

        for frame, (weight, point) in knot.points.items():
            number = state.pinocchio.getFrameId(frame)
            residual = crocoddyl.ResidualModelFrameTranslation(state, number, point, nu)
            self.goals.setdefault(frame, []).append((residual, point))
            add(frame, residual, weight)
        if knot.center is not None:
            weight, point = knot.center
            add("center", crocoddyl.ResidualModelCoMPosition(state, point, nu), weight)
        if knot.state is not None:
            residual = crocoddyl.ResidualModelState(state, self.shooting.reference, nu)
            add("state", residual, 1.0, knot.state)
        if knot.control:
            add("control", crocoddyl.ResidualModelControl(state, nu), knot.control)
        return costs
