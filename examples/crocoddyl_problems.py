"""Crocoddyl plans with jounce: an arm that reaches, a biped that walks.

Crocoddyl's shooting problems are made of action models, which give the next state, the cost and
their derivatives at each knot; its own take the dynamics from Pinocchio. Those here take them from
jounce, while costs, integrator and solver stay Crocoddyl's. `twin` makes of a problem of free
dynamics, contacts and impulses the same one on our models: both are solved from the same start, to
the same cost in the same number of iterations.

A solver asks for one knot at a time, which is not what jounce is best at. But derivatives are
wanted along a trajectory that is known already: with the callback `Sweep` they are one batch.

    python examples/crocoddyl_problems.py [--quick]

Needs Crocoddyl and the Pinocchio that it was built for: `pip install crocoddyl "pin<4.1"`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import crocoddyl
import example_robot_data
import numpy as np
import pinocchio as pin
from crocoddyl.utils.biped import SimpleBipedGaitProblem

import jounce
from jounce.export.pinocchio import PinocchioMap, from_pinocchio

#: What Crocoddyl's contacts and impulses hold.
KINDS = {
    crocoddyl.ContactModel3D: "point",
    crocoddyl.ContactModel6D: "surface",
    crocoddyl.ImpulseModel3D: "point",
    crocoddyl.ImpulseModel6D: "surface",
}

#: The Pinocchio of Crocoddyl's wheels, which they do not ask for.
BUILT_FOR = {"3.2": "4.0"}

#: A force of each contact, or its derivative, by the name of its frame.
Forces = dict[str, np.ndarray]


# ------------------------------------------------------------------ dynamics


class Dynamics:
    """A quantity of jounce as Crocoddyl wants it: states and results in Pinocchio's coordinates.

    frames: those with a contact. S (nv, nu): what u does to the joints, or None for an impulse.
    Calls take one state x and u, or a batch of them.
    """

    def __init__(
        self, robot: jounce.Robot, state: Any, frames: Sequence[str], S: Any, **options: float
    ) -> None:
        self.map, self.nq, self.S = PinocchioMap(robot.model, state.pinocchio), state.nq, S
        # both libraries have the same velocities, those of a floating base in another order
        self.order = self.map.G.argmax(axis=1)
        self.robot, self.options = robot, options
        self.quantity: Any = robot.forward_dynamics
        self.rows: dict[str, slice] = {}
        if frames:
            held = robot.contacts(*frames)
            self.rows = held.rows
            self.quantity = held.impulse if S is None else held.contact_dynamics

    def arguments(self, x: np.ndarray, u: np.ndarray) -> list[np.ndarray]:
        """q, v and, unless it is an impulse, forces of the joints."""
        q = self.map.q_from_pinocchio(x[..., : self.nq])
        v = self.map.v_from_pinocchio(x[..., self.nq :])
        return [q, v] if self.S is None else [q, v, self.map.tau_from_pinocchio(u @ self.S.T)]

    def __call__(self, x: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, Forces]:
        """Accelerations (after an impulse: velocities) and contact forces."""
        arguments = self.arguments(x, u)
        result = self.quantity(*arguments, **self.options)
        if not self.rows:
            return result[..., self.order], {}
        return result[0][..., self.order], self.in_world(arguments[0], result[1])[0]

    def derivatives(self, x: np.ndarray, u: np.ndarray) -> list[Any]:
        """Derivatives in x and u of what a call gives: moved_x, moved_u, forces_x, forces_u."""
        arguments = self.arguments(x, u)
        result = self.quantity.derivatives(*arguments, **self.options)
        step = 2 if self.rows else 1  # contact forces come after what moves
        by = [A[..., self.order, :][..., self.order] for A in result[step::step]]
        moved_x = np.concatenate(by[:2], axis=-1)
        if self.S is None:
            return [moved_x, None, {}, {}]
        forces = self.in_world(arguments[0], *result[1::2])[1:] if self.rows else ({}, {})
        return [moved_x, by[2] @ self.S, *forces]

    def in_world(self, q: np.ndarray, f: np.ndarray, *by: np.ndarray) -> tuple[Forces, ...]:
        """Forces, and derivatives of them, as Crocoddyl has them: force before moment, world axes.

        Ours are in the axes of the contact, R: d(R f) = R (df - f x omega), omega = J_omega dq.
        """
        out: tuple[Forces, ...] = ({}, {}, {})
        for frame, rows in self.rows.items():
            seat = self.robot.frame(frame)
            R = seat.pose(q)[..., None, :3, :3]
            parts = [x[..., rows, None] if x is f else x[..., rows, :] for x in (f, *by)]
            # rows of three: a moment, if the contact holds it, and a force
            f3, *by3 = (x.reshape(*q.shape[:-1], -1, 3, x.shape[-1]) for x in parts)
            out[0][frame] = (R @ f3)[..., ::-1, :, :].reshape(*q.shape[:-1], -1)
            if by:
                by3[0] = by3[0] - np.cross(f3, seat.jacobian(q)[..., None, :3, :], axis=-2)
                turned = [(R @ x)[..., ::-1, :, self.order] for x in by3]
                fq, fv, ftau = (x.reshape(*q.shape[:-1], -1, x.shape[-1]) for x in turned)
                out[1][frame] = np.concatenate((fq, fv), axis=-1)
                out[2][frame] = ftau @ self.S
        return out


# ------------------------------------------------------------------ action models


class Remembered:
    """Derivatives at a knot: those of the last sweep if it was there, otherwise new ones."""

    def __init__(self, dynamics: Dynamics) -> None:
        self.dynamics = dynamics
        self.x, self.u, self.found = np.empty(0), np.empty(0), []

    def __call__(self, x: np.ndarray, u: np.ndarray) -> list[Any]:
        """See `Dynamics.derivatives`."""
        if np.array_equal(x, self.x) and np.array_equal(u, self.u):
            return self.found
        return self.dynamics.derivatives(x, u)


def place(model: Any, data: Any, x: np.ndarray) -> None:
    """The kinematics that Crocoddyl's costs read in Pinocchio's data."""
    pin.forwardKinematics(model, data, x[: model.nq], x[model.nq :])
    pin.updateFramePlacements(model, data)
    pin.centerOfMass(model, data, False)


def place_derivatives(model: Any, data: Any) -> None:
    """The Jacobians that their derivatives read, where `place` was before."""
    pin.computeJointJacobians(model, data)
    pin.jacobianCenterOfMass(model, data, False)


class ActionData(crocoddyl.DifferentialActionDataAbstract):
    """Pinocchio's data for the costs, and the forces of the contacts."""

    def __init__(self, model: Action) -> None:
        super().__init__(model)
        self.pinocchio = model.state.pinocchio.createData()
        self.contacts = model.contacts.createData(self.pinocchio)
        self.multibody = crocoddyl.DataCollectorMultibodyInContact(self.pinocchio, self.contacts)
        self.costs = model.costs.createData(self.multibody)
        self.costs.shareMemory(self)
        self.force = {item.frame: item for item in self.contacts.contacts.todict().values()}


class Action(crocoddyl.DifferentialActionModelAbstract):
    """Accelerations, free or in contact, by jounce; costs by Crocoddyl."""

    def __init__(self, theirs: Any, dynamics: Dynamics) -> None:
        super().__init__(theirs.state, theirs.nu, theirs.costs.nr)
        self.costs, self.dynamics, self.at = theirs.costs, dynamics, Remembered(dynamics)
        none = crocoddyl.ContactModelMultiple(theirs.state, theirs.nu)
        self.contacts = getattr(theirs, "contacts", none)
        self.ids = {name: theirs.state.pinocchio.getFrameId(name) for name in dynamics.rows}

    def createData(self) -> ActionData:
        """Return buffers for the results of the knot."""
        return ActionData(self)

    def calc(self, data: ActionData, x: np.ndarray, u: np.ndarray | None = None) -> None:
        """Acceleration and cost; at the last knot, without u, the cost alone."""
        place(self.state.pinocchio, data.pinocchio, x)
        if u is None:
            self.costs.calc(data.costs, x)
        else:
            data.xout, forces = self.dynamics(x, u)
            for name, f in forces.items():  # the force, and a moment if the contact holds one
                data.force[self.ids[name]].f = pin.Force(f[:3], f[3:] if len(f) > 3 else 0 * f)
            self.costs.calc(data.costs, x, u)
        data.cost = data.costs.cost

    def calcDiff(self, data: ActionData, x: np.ndarray, u: np.ndarray | None = None) -> None:
        """Their derivatives, at a state that `calc` has seen."""
        place_derivatives(self.state.pinocchio, data.pinocchio)
        if u is None:
            self.costs.calcDiff(data.costs, x)
            return
        data.Fx, data.Fu, forces_x, forces_u = self.at(x, u)
        for name in forces_x:
            contact = data.force[self.ids[name]]
            contact.df_dx, contact.df_du = forces_x[name], forces_u[name]
        self.costs.calcDiff(data.costs, x, u)


class ImpulseData(crocoddyl.ActionDataAbstract):
    """Pinocchio's data for the costs."""

    def __init__(self, model: Impulse) -> None:
        super().__init__(model)
        self.pinocchio = model.state.pinocchio.createData()
        self.costs = model.costs.createData(crocoddyl.DataCollectorMultibody(self.pinocchio))
        self.costs.shareMemory(self)


class Impulse(crocoddyl.ActionModelAbstract):
    """A touch-down: velocities after it by jounce, costs by Crocoddyl."""

    def __init__(self, theirs: Any, dynamics: Dynamics) -> None:
        super().__init__(theirs.state, 0, theirs.costs.nr)
        self.costs, self.dynamics, self.at = theirs.costs, dynamics, Remembered(dynamics)

    def createData(self) -> ImpulseData:
        """Return buffers for the results of the knot."""
        return ImpulseData(self)

    def calc(self, data: ImpulseData, x: np.ndarray, u: np.ndarray | None = None) -> None:
        """The state after the impulse, and the cost of the one before."""
        place(self.state.pinocchio, data.pinocchio, x)
        if u is not None:
            data.xnext = np.append(x[: self.state.nq], self.dynamics(x, u)[0])
        self.costs.calc(data.costs, x)
        data.cost = data.costs.cost

    def calcDiff(self, data: ImpulseData, x: np.ndarray, u: np.ndarray | None = None) -> None:
        """Their derivatives, at a state that `calc` has seen."""
        place_derivatives(self.state.pinocchio, data.pinocchio)
        if u is not None:
            stays = np.eye(self.state.nv, self.state.ndx)
            data.Fx = np.concatenate((stays, self.at(x, u)[0]))
        self.costs.calcDiff(data.costs, x)


class Sweep(crocoddyl.CallbackAbstract):
    """After each iteration: derivatives at all knots, one batch for each set of contacts."""

    def __init__(self, actions: Sequence[Action | Impulse]) -> None:
        super().__init__()
        self.actions = actions

    def __call__(self, solver: Any) -> None:
        """Callback after each iteration of the solver."""
        for dynamics in {action.dynamics for action in self.actions}:
            knots = [k for k, action in enumerate(self.actions) if action.dynamics is dynamics]
            x, u = (np.array([values[k] for k in knots]) for values in (solver.xs, solver.us))
            moved_x, moved_u, forces_x, forces_u = dynamics.derivatives(x, u)
            for i, k in enumerate(knots):
                index = self.actions[k].at
                index.x, index.u = x[i], u[i]
                index.found = [moved_x[i], None if moved_u is None else moved_u[i]]
                index.found += [{name: y[i] for name, y in f.items()} for f in (forces_x, forces_u)]


# ------------------------------------------------------------------ the same problem on jounce


def contact_items(model: Any) -> dict[str, Any]:
    """Contacts or impulses of one of Crocoddyl's models, by the name of their frame."""
    if hasattr(model, "impulses"):
        result = [item.impulse for item in model.impulses.impulses.todict().values()]
    elif hasattr(model, "contacts"):
        result = [item.contact for item in model.contacts.contacts.todict().values()]
    else:
        result = []
    return {model.state.pinocchio.frames[item.id].name: item for item in result}


def drive(model: Any) -> np.ndarray | None:
    """S (nv, nu): forces of the joints per unit of u; None for an impulse."""
    if hasattr(model, "impulses"):
        return None
    data = model.actuation.createData()
    model.actuation.calcDiff(data, model.state.zero(), np.zeros(model.nu))
    return np.array(data.dtau_du)


def options(model: Any) -> dict[str, float]:
    """Return the options of the contacts of one of Crocoddyl's models, by our names."""
    contacts = list(contact_items(model).values())
    if not contacts:
        return {}
    if hasattr(model, "impulses"):
        return {"restitution": model.r_coeff, "damping": model.JMinvJt_damping}
    kp, kd = contacts[0].gains
    for item in contacts:
        if kp or any(item.gains != (kp, kd)) or item.type != pin.LOCAL_WORLD_ALIGNED:
            raise ValueError("expected contacts in the world's axes, of one gain on velocities")
    return {"kd": kd, "damping": model.JMinvJt_damping}


def twin(problem: Any) -> tuple[Any, list[Action | Impulse]]:
    """The same problem on jounce, and the models of its running knots."""
    theirs = [*problem.runningModels, problem.terminalModel]
    inner = [getattr(model, "differential", model) for model in theirs]
    state = theirs[0].state
    robot = jounce.Robot(from_pinocchio(state.pinocchio))
    for frame, item in {
        frame: item for m in inner for frame, item in contact_items(m).items()
    }.items():
        robot = robot.edit.with_contact(frame, KINDS[type(item)], name=frame)
    shared: dict[Any, Dynamics] = {}  # knots with the same contacts have the same kernels
    actions: list[Action | Impulse] = []
    for model in inner:
        S, arguments, frames = drive(model), options(model), tuple(contact_items(model))
        key = S is None, frames, *arguments.values()
        if key not in shared:
            shared[key] = Dynamics(robot, state, frames, S, **arguments)
        actions.append((Action if S is not None else Impulse)(model, shared[key]))
    knots = [
        ours if ours.dynamics.S is None else crocoddyl.IntegratedActionModelEuler(ours, model.dt)
        for model, ours in zip(theirs, actions, strict=True)
    ]
    return crocoddyl.ShootingProblem(problem.x0, knots[:-1], knots[-1]), actions[:-1]


# ------------------------------------------------------------------ Crocoddyl's problems


def reaching(knots: int) -> Any:
    """A Kinova arm brings its hand to a place, as in Crocoddyl's arm_manipulation_fwddyn."""
    model = example_robot_data.load("kinova").model
    state = crocoddyl.StateMultibody(model)
    x0 = np.append(model.referenceConfigurations["arm_up"], np.zeros(model.nv))
    goal, hand = pin.SE3(np.eye(3), np.array((0.6, 0.2, 0.5))), "j2s6s200_end_effector"
    residuals = {
        "hand": crocoddyl.ResidualModelFramePlacement(state, model.getFrameId(hand), goal),
        "state": crocoddyl.ResidualModelState(state, x0),
        "control": crocoddyl.ResidualModelControl(state),
    }

    def knot(step: float, **weights: float) -> Any:
        costs = crocoddyl.CostModelSum(state)
        for name, weight in weights.items():
            costs.addCost(name, crocoddyl.CostModelResidual(state, residuals[name]), weight)
        actuation = crocoddyl.ActuationModelFull(state)
        dynamics = crocoddyl.DifferentialActionModelFreeFwdDynamics(state, actuation, costs)
        return crocoddyl.IntegratedActionModelEuler(dynamics, step)

    running = [knot(1e-2, hand=1.0, state=0.1, control=0.1) for _ in range(knots)]
    return crocoddyl.ShootingProblem(x0, running, knot(0.0, hand=1e3))


def walking(whole: bool) -> Any:
    """The legs of Talos make two steps, as in Crocoddyl's bipedal_gaits_fwddyn, or half of one."""
    model = example_robot_data.load("talos_legs").model
    gait = SimpleBipedGaitProblem(model, "right_sole_link", "left_sole_link")
    x0 = model.defaultState.copy()
    if whole:
        return gait.createWalkingProblem(x0, 0.6, 0.1, 0.03, 15, 4)
    pin.framesForwardKinematics(model, gait.rdata, x0[: model.nq])
    center = pin.centerOfMass(model, gait.rdata, x0[: model.nq])
    foot = gait.rdata.oMf[gait.rfId].translation
    step = gait.createFootstepModels(center, [foot], 0.1, 0.05, 0.03, 8, [gait.lfId], [gait.rfId])
    return crocoddyl.ShootingProblem(x0, step[:-1], step[-1])


# ------------------------------------------------------------------ comparison


def solve(problem: Any, us: Any, callbacks: Sequence[Any], rounds: int) -> dict[str, float]:
    """Cost and iterations of FDDP, and the least wall time of some rounds, in seconds."""
    times = []
    for _ in range(rounds):
        solver = crocoddyl.SolverFDDP(problem)
        solver.th_stop = 1e-7
        solver.setCallbacks(list(callbacks))
        start = time.perf_counter()
        solver.solve([problem.x0] * (problem.T + 1), us, 100, False)
        times.append(time.perf_counter() - start)
    return {"cost": solver.cost, "iterations": solver.iter, "seconds": min(times)}


def compare(name: str, problem: Any, rounds: int) -> dict[str, dict[str, float]]:
    """The problem on Pinocchio, on jounce, and on jounce with sweeps; printed as it goes."""
    us = problem.quasiStatic([problem.x0] * problem.T)
    mine, actions = twin(problem)
    kinds = {
        "Pinocchio": (problem, []),
        "jounce": (mine, []),
        "jounce, sweeps": (mine, [Sweep(actions)]),
    }
    results = {}
    for kind, (arguments, callbacks) in kinds.items():
        result = results[kind] = solve(arguments, us, callbacks, rounds)
        print(
            f"{name:9} {kind:15} cost {result['cost']:.9f}, {result['iterations']} iterations,"
            f" {1e3 * result['seconds']:.0f} ms"
        )
    return results


def fits() -> bool:
    """Return whether Crocoddyl was built for this Pinocchio; otherwise its results are wrong."""
    ours, theirs = (x.__version__.rpartition(".")[0] for x in (crocoddyl, pin))
    return BUILT_FOR.get(ours, theirs) == theirs


def main(arguments: Sequence[str] | None = None) -> dict[str, dict[str, dict[str, float]]]:
    """Solve both problems; costs, iterations and times by problem and kind."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer knots, half a step, one round")
    quick = parser.parse_args(arguments).quick
    if not fits():
        raise SystemExit(
            f"crocoddyl {crocoddyl.__version__} was not built for Pinocchio {pin.__version__}:"
            ' pip install crocoddyl "pin<4.1"'
        )
    rounds = 1 if quick else 3
    problems = {"reaching": reaching(30 if quick else 100), "walking": walking(whole=not quick)}
    return {name: compare(name, problem, rounds) for name, problem in problems.items()}


if __name__ == "__main__":
    main()
