"""Shooting problems of Crocoddyl whose dynamics are computed by jounce.

    mine, sweep = convert_problem(problem)         # the same costs, contacts and integrators
    solver = crocoddyl.SolverFDDP(mine)
    solver.setCallbacks([sweep])                   # derivatives of all knots in one batch

A solver of Crocoddyl evaluates one knot at a time. After each iteration the trajectory is known, so
that the derivatives, which are most of the work, can be computed for all knots in one batch: this
is what the callback does. Needs Crocoddyl, and the Pinocchio that its wheel was built for:
pip install crocoddyl "pin<4.1".
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from jounce.errors import ArgumentError
from jounce.export.pinocchio import PinocchioMap, from_pinocchio
from jounce.robot import Robot

try:
    crocoddyl: Any = import_module("crocoddyl")
    pin: Any = import_module("pinocchio")
except ImportError as error:  # pragma: no cover - depends on what is installed
    raise ImportError(
        "jounce.export.crocoddyl needs Crocoddyl and the Pinocchio that its wheel was built for:"
        ' pip install crocoddyl "pin<4.1"'
    ) from error

#: Kind of a contact by the class of Crocoddyl's contact or impulse.
_KINDS = {
    crocoddyl.ContactModel3D: "point",
    crocoddyl.ContactModel6D: "surface",
    crocoddyl.ImpulseModel3D: "point",
    crocoddyl.ImpulseModel6D: "surface",
}

#: Version of Pinocchio that a version of Crocoddyl's wheel was built for; wheels do not declare it.
_BUILT_FOR = {"3.2": "4.0"}

#: A force of each contact, or its derivative, by the name of the contact's frame.
_Forces = dict[str, np.ndarray]


def is_compatible() -> bool:
    """Return whether the installed Crocoddyl was built for the installed Pinocchio.

    Returns
    -------
    bool
        False if results of Crocoddyl would be wrong.
    """
    version, installed = (x.__version__.rpartition(".")[0] for x in (crocoddyl, pin))
    return _BUILT_FOR.get(version, installed) == installed


def convert_problem(problem: Any) -> tuple[Any, Any]:
    """Return a shooting problem of Crocoddyl with dynamics by jounce.

    Costs, bounds and solvers remain Crocoddyl's.

    Parameters
    ----------
    problem : crocoddyl.ShootingProblem
        Problem of models with free forward dynamics, forward dynamics in contact
        (`ContactModel3D` and `ContactModel6D` in world axes, with a gain on velocities only) or
        impulses, integrated by `IntegratedActionModelEuler`.

    Returns
    -------
    problem : crocoddyl.ShootingProblem
        The same problem on jounce.
    sweep : crocoddyl.CallbackAbstract
        Callback for `solver.setCallbacks` that computes the derivatives of all knots in one batch
        after each iteration. The solution is the same without it.

    Raises
    ------
    ArgumentError
        If contacts have other axes, or gains on positions.
    """
    models = [*problem.runningModels, problem.terminalModel]
    inner = [getattr(model, "differential", model) for model in models]
    state = models[0].state
    robot = Robot(from_pinocchio(state.pinocchio))
    contacts = {frame: item for model in inner for frame, item in _contact_items(model).items()}
    for frame, item in contacts.items():
        robot = robot.edit.with_contact(frame, _KINDS[type(item)], name=frame)
    shared: dict[Any, _Dynamics] = {}  # knots with the same contacts share their kernels
    actions: list[Any] = []
    for model in inner:
        S, options, frames = (
            _actuation(model),
            _contact_options(model),
            tuple(_contact_items(model)),
        )
        key = S is None, frames, *options.values()
        if key not in shared:
            shared[key] = _Dynamics(robot, state, frames, S, **options)
        actions.append((ActionModel if S is not None else ImpulseModel)(model, shared[key]))
    knots = [_integrate(model, action) for model, action in zip(models, actions, strict=True)]
    converted = crocoddyl.ShootingProblem(problem.x0, knots[:-1], knots[-1])
    return converted, Sweep(actions[:-1])


# ------------------------------------------------------------------ dynamics


class _Dynamics:
    """Accelerations or impulses with states and results in Pinocchio's coordinates.

    frames: those in contact. S (nv, nu): forces of the joints per unit of u, None for an impulse.
    Calls take one state x and control u, or a batch of them.
    """

    def __init__(
        self, robot: Robot, state: Any, frames: Sequence[str], S: Any, **options: float
    ) -> None:
        self.map, self.nq, self.S = PinocchioMap(robot.model, state.pinocchio), state.nq, S
        # the velocities are the same in both libraries, those of a floating base in another order
        self.order = self.map.G.argmax(axis=1)
        self.robot, self.options = robot, options
        self.quantity: Any = robot.forward_dynamics
        self.rows: dict[str, slice] = {}
        if frames:
            contacts = robot.contacts(*frames)
            self.rows = contacts.rows
            self.quantity = contacts.impulse if S is None else contacts.contact_dynamics

    def arguments(self, x: np.ndarray, u: np.ndarray) -> list[np.ndarray]:
        """Return q, v and, unless it is an impulse, forces of the joints."""
        q = self.map.q_from_pinocchio(x[..., : self.nq])
        v = self.map.v_from_pinocchio(x[..., self.nq :])
        return [q, v] if self.S is None else [q, v, self.map.tau_from_pinocchio(u @ self.S.T)]

    def __call__(self, x: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, _Forces]:
        """Return accelerations (velocities after an impulse) and contact forces."""
        arguments = self.arguments(x, u)
        result = self.quantity(*arguments, **self.options)
        if not self.rows:
            return result[..., self.order], {}
        return result[0][..., self.order], self.forces_in_world(arguments[0], result[1])[0]

    def derivatives(self, x: np.ndarray, u: np.ndarray) -> list[Any]:
        """Return the derivatives by x and by u of accelerations, then of forces."""
        arguments = self.arguments(x, u)
        result = self.quantity.derivatives(*arguments, **self.options)
        step = 2 if self.rows else 1  # contact forces follow accelerations
        columns = [A[..., self.order, :][..., self.order] for A in result[step::step]]
        a_x = np.concatenate(columns[:2], axis=-1)
        if self.S is None:
            return [a_x, None, {}, {}]
        forces = self.forces_in_world(arguments[0], *result[1::2])[1:] if self.rows else ({}, {})
        return [a_x, columns[2] @ self.S, *forces]

    def forces_in_world(self, q: np.ndarray, f: np.ndarray, *by: np.ndarray) -> tuple[_Forces, ...]:
        """Return contact forces, and their derivatives by x and u, in Crocoddyl's coordinates.

        These are world axes, force before moment; ours are the axes R of the contact, so that
        d(R f) = R (df - f x omega) with omega = J_omega dq.
        """
        out: tuple[_Forces, ...] = ({}, {}, {})
        for name, rows in self.rows.items():
            frame = self.robot.frame(name)
            R = frame.pose(q)[..., None, :3, :3]
            parts = [x[..., rows, None] if x is f else x[..., rows, :] for x in (f, *by)]
            # groups of three rows: a moment, if the contact has one, and a force
            f3, *by3 = (x.reshape(*q.shape[:-1], -1, 3, x.shape[-1]) for x in parts)
            out[0][name] = (R @ f3)[..., ::-1, :, :].reshape(*q.shape[:-1], -1)
            if by:
                by3[0] = by3[0] - np.cross(f3, frame.jacobian(q)[..., None, :3, :], axis=-2)
                rotated = [(R @ x)[..., ::-1, :, self.order] for x in by3]
                fq, fv, ftau = (x.reshape(*q.shape[:-1], -1, x.shape[-1]) for x in rotated)
                out[1][name] = np.concatenate((fq, fv), axis=-1)
                out[2][name] = ftau @ self.S
        return out


class _DerivativeCache:
    """Derivatives at a knot: those of the last sweep if it evaluated this state and control."""

    def __init__(self, dynamics: _Dynamics) -> None:
        self.dynamics = dynamics
        self.x, self.u, self.values = np.empty(0), np.empty(0), []

    def __call__(self, x: np.ndarray, u: np.ndarray) -> list[Any]:
        """Return what `_Dynamics.derivatives` returns."""
        if np.array_equal(x, self.x) and np.array_equal(u, self.u):
            return self.values
        return self.dynamics.derivatives(x, u)


# ------------------------------------------------------------------ action models


def _update_kinematics(model: Any, data: Any, x: np.ndarray) -> None:
    """Compute the kinematics that Crocoddyl's costs read from Pinocchio's data."""
    pin.forwardKinematics(model, data, x[: model.nq], x[model.nq :])
    pin.updateFramePlacements(model, data)
    pin.centerOfMass(model, data, False)


def _update_jacobians(model: Any, data: Any) -> None:
    """Compute the Jacobians that derivatives of costs read, after `_update_kinematics`."""
    pin.computeJointJacobians(model, data)
    pin.jacobianCenterOfMass(model, data, False)


class ActionData(crocoddyl.DifferentialActionDataAbstract):
    """Results at a knot, with Pinocchio's data for the costs.

    Parameters
    ----------
    model : ActionModel
        The model of the knot.
    """

    def __init__(self, model: ActionModel) -> None:
        super().__init__(model)
        self.pinocchio = model.state.pinocchio.createData()
        self.contacts = model.contacts.createData(self.pinocchio)
        self.multibody = crocoddyl.DataCollectorMultibodyInContact(self.pinocchio, self.contacts)
        self.costs = model.costs.createData(self.multibody)
        self.costs.shareMemory(self)
        self.force = {item.frame: item for item in self.contacts.contacts.todict().values()}


class ActionModel(crocoddyl.DifferentialActionModelAbstract):
    """Accelerations, free or in contact, by jounce; costs by Crocoddyl.

    Parameters
    ----------
    model : crocoddyl.DifferentialActionModelAbstract
        Crocoddyl's model with the costs and contacts.
    dynamics : object
        Dynamics of the robot in these contacts, shared by knots (see `convert_problem`).
    """

    def __init__(self, model: Any, dynamics: Any) -> None:
        super().__init__(model.state, model.nu, model.costs.nr)
        self.costs, self.dynamics = model.costs, dynamics
        self.derivatives = _DerivativeCache(dynamics)
        none = crocoddyl.ContactModelMultiple(model.state, model.nu)
        self.contacts = getattr(model, "contacts", none)
        self.ids = {name: model.state.pinocchio.getFrameId(name) for name in dynamics.rows}

    def createData(self) -> ActionData:
        """Return buffers for the results of the knot."""
        return ActionData(self)

    def calc(self, data: Any, x: np.ndarray, u: np.ndarray | None = None) -> None:
        """Compute acceleration and cost; at the last knot, without u, the cost only."""
        _update_kinematics(self.state.pinocchio, data.pinocchio, x)
        if u is None:
            self.costs.calc(data.costs, x)
        else:
            data.xout, forces = self.dynamics(x, u)
            for name, f in forces.items():  # a force, and a moment if the contact has one
                data.force[self.ids[name]].f = pin.Force(f[:3], f[3:] if len(f) > 3 else 0 * f)
            self.costs.calc(data.costs, x, u)
        data.cost = data.costs.cost

    def calcDiff(self, data: Any, x: np.ndarray, u: np.ndarray | None = None) -> None:
        """Compute the derivatives at a state for which `calc` was called."""
        _update_jacobians(self.state.pinocchio, data.pinocchio)
        if u is None:
            self.costs.calcDiff(data.costs, x)
            return
        data.Fx, data.Fu, forces_x, forces_u = self.derivatives(x, u)
        for name in forces_x:
            contact = data.force[self.ids[name]]
            contact.df_dx, contact.df_du = forces_x[name], forces_u[name]
        self.costs.calcDiff(data.costs, x, u)


class ImpulseData(crocoddyl.ActionDataAbstract):
    """Results at a touch-down, with Pinocchio's data for the costs.

    Parameters
    ----------
    model : ImpulseModel
        The model of the knot.
    """

    def __init__(self, model: ImpulseModel) -> None:
        super().__init__(model)
        self.pinocchio = model.state.pinocchio.createData()
        self.costs = model.costs.createData(crocoddyl.DataCollectorMultibody(self.pinocchio))
        self.costs.shareMemory(self)


class ImpulseModel(crocoddyl.ActionModelAbstract):
    """A touch-down: velocities after it by jounce, costs by Crocoddyl.

    Parameters
    ----------
    model : crocoddyl.ActionModelImpulseFwdDynamics
        Crocoddyl's model with the costs and impulses.
    dynamics : object
        Impulse of the robot's contacts, shared by knots (see `convert_problem`).
    """

    def __init__(self, model: Any, dynamics: Any) -> None:
        super().__init__(model.state, 0, model.costs.nr)
        self.costs, self.dynamics = model.costs, dynamics
        self.derivatives = _DerivativeCache(dynamics)

    def createData(self) -> ImpulseData:
        """Return buffers for the results of the knot."""
        return ImpulseData(self)

    def calc(self, data: Any, x: np.ndarray, u: np.ndarray | None = None) -> None:
        """Compute the state after the impulse, and the cost of the state before it."""
        _update_kinematics(self.state.pinocchio, data.pinocchio, x)
        if u is not None:
            data.xnext = np.append(x[: self.state.nq], self.dynamics(x, u)[0])
        self.costs.calc(data.costs, x)
        data.cost = data.costs.cost

    def calcDiff(self, data: Any, x: np.ndarray, u: np.ndarray | None = None) -> None:
        """Compute the derivatives at a state for which `calc` was called."""
        _update_jacobians(self.state.pinocchio, data.pinocchio)
        if u is not None:
            identity = np.eye(self.state.nv, self.state.ndx)
            data.Fx = np.concatenate((identity, self.derivatives(x, u)[0]))
        self.costs.calcDiff(data.costs, x)


class Sweep(crocoddyl.CallbackAbstract):
    """Callback that computes the derivatives of all knots, one batch per set of contacts.

    Parameters
    ----------
    actions : sequence of ActionModel or ImpulseModel
        Models of the running knots.
    """

    def __init__(self, actions: Sequence[Any]) -> None:
        super().__init__()
        self.actions = actions

    def __call__(self, solver: Any) -> None:
        """Compute the derivatives along the solver's trajectory."""
        for dynamics in {action.dynamics for action in self.actions}:
            knots = [k for k, action in enumerate(self.actions) if action.dynamics is dynamics]
            x, u = (np.array([values[k] for k in knots]) for values in (solver.xs, solver.us))
            a_x, a_u, forces_x, forces_u = dynamics.derivatives(x, u)
            for i, k in enumerate(knots):
                cache = self.actions[k].derivatives
                cache.x, cache.u = x[i], u[i]
                cache.values = [a_x[i], None if a_u is None else a_u[i]]
                cache.values += [
                    {name: y[i] for name, y in f.items()} for f in (forces_x, forces_u)
                ]


# ------------------------------------------------------------------ models of Crocoddyl


def _contact_items(model: Any) -> dict[str, Any]:
    """Return contacts or impulses of one of Crocoddyl's models by the name of their frame."""
    if hasattr(model, "impulses"):
        items = [item.impulse for item in model.impulses.impulses.todict().values()]
    elif hasattr(model, "contacts"):
        items = [item.contact for item in model.contacts.contacts.todict().values()]
    else:
        items = []
    return {model.state.pinocchio.frames[item.id].name: item for item in items}


def _actuation(model: Any) -> np.ndarray | None:
    """Return S (nv, nu), the forces of the joints per unit of u; None for an impulse."""
    if hasattr(model, "impulses"):
        return None
    data = model.actuation.createData()
    model.actuation.calcDiff(data, model.state.zero(), np.zeros(model.nu))
    return np.array(data.dtau_du)


def _integrate(model: Any, action: Any) -> Any:
    """Return an action model with the time step and the bounds of Crocoddyl's model."""
    if isinstance(action, ImpulseModel):
        return action
    integrated = crocoddyl.IntegratedActionModelEuler(action, model.dt)
    integrated.u_lb, integrated.u_ub = model.u_lb, model.u_ub
    return integrated


def _contact_options(model: Any) -> dict[str, float]:
    """Return the options of jounce's contact dynamics that one of Crocoddyl's models has."""
    contacts = list(_contact_items(model).values())
    if not contacts:
        return {}
    if hasattr(model, "impulses"):
        return {"restitution": model.r_coeff, "damping": model.JMinvJt_damping}
    kp, kd = contacts[0].gains
    for item in contacts:
        if kp or any(item.gains != (kp, kd)) or item.type != pin.LOCAL_WORLD_ALIGNED:
            raise ArgumentError(
                "contacts have other axes or gains than expected: use LOCAL_WORLD_ALIGNED, and the"
                " same gain on velocities, without one on positions, for all contacts"
            )
    return {"kd": kd, "damping": model.JMinvJt_damping}
