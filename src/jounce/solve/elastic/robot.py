"""Robots with elastic joints: `robot.elastic(stiffness, motor_inertia)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.catalog.elastic_robot import elastic_tables
from jounce.errors import ArgumentError, ModelError, suggest
from jounce.model.drives import DRIVE_NUMBERS, ElasticDrives
from jounce.model.tree import Tree
from jounce.robot import Robot
from jounce.solve.elastic.drives import Drives
from jounce.solve.elastic.springs import Spring
from jounce.solve.linearization import Regulator, regulator
from jounce.solve.mechanism.robot import Mechanism
from jounce.solve.subsystem import Subsystem
from jounce.utils.content_cache import hash_content
from jounce.utils.once import once_property


class ElasticRobot(Subsystem):
    """A robot or mechanism with elastic joints; its state is (q, v, theta, dtheta).

    Parameters
    ----------
    robot : Robot or Mechanism
        The links.
    stiffness : float, array_like (nv,) or Spring
        Stiffness of the springs, infinite for rigid joints, or nonlinear springs.
    motor_inertia, damping, spring_damping : float or array_like (nv,)
        Inertia and viscous friction of the motors, damping of the springs.
    rotors : sequence of str, optional
        Bodies that turn with the motors; by default those of `with_rotor` at elastic joints.

    Notes
    -----
    See `Robot.elastic`.
    """

    if TYPE_CHECKING:
        forward_dynamics: DifferentiableQuantity
        inverse_dynamics: DifferentiableQuantity
        spring_torques: DifferentiableQuantity
        equilibrium: DifferentiableQuantity
        energy: DifferentiableQuantity
        step: Any
        state_matrices: DifferentiableQuantity

    def __init__(
        self,
        robot: Robot | Mechanism,
        stiffness: ArrayLike | Spring,
        motor_inertia: ArrayLike = 0.0,
        damping: ArrayLike = 0.0,
        spring_damping: ArrayLike = 0.0,
        rotors: Sequence[str] | None = None,
    ) -> None:
        self.drives = drives = Drives(robot)
        law = stiffness.law(drives) if isinstance(stiffness, Spring) else None
        if isinstance(stiffness, Spring):
            K = np.full(drives.nv, np.inf)
            K[list(stiffness.law(drives).entries)] = 1.0
        else:
            K = _vector(drives, "stiffness", stiffness)
        J, d = _vector(drives, "motor_inertia", motor_inertia), _vector(drives, "damping", damping)
        D = _vector(drives, "spring_damping", spring_damping, drives.driven & np.isfinite(K))
        names = _rotor_names(robot, drives, K, rotors)
        nodes = tuple(robot.tree.node_of_body[robot.model.body_names.index(x)] for x in names)
        numbers = [tuple(x.tolist()) for x in (K, d, J, D)]
        self._elastic = ElasticDrives(*numbers, rotors=nodes, law=law)
        _refuse_massless(robot, drives, self._elastic)
        springs = numbers[0] if law is None else stiffness
        super().__init__(robot, (springs, numbers[2], numbers[1], numbers[3], names))
        self._tables = elastic_tables(
            isinstance(robot, Mechanism), law is None, law is None and not D.any() and not nodes
        )

    def _quantity(self, name: str) -> DifferentiableQuantity:
        if name in ("inverse_dynamics", "equilibrium") and name not in self.definitions:
            raise AttributeError(
                f"{self!r} has no '{name}': {self._explain_missing()}", name=name, obj=self
            )
        return super()._quantity(name)

    def _explain_missing(self) -> str:
        """Return why motors do not follow from the motion of the links by a formula."""
        if self._elastic.law is not None:
            return (
                "its springs are nonlinear; use robot.elastic_inverse_dynamics with the Spring, at"
                " rest for the equilibrium"
            )
        if self._elastic.rotors:
            return (
                "couplings of rotors need derivatives of the motion beyond the snap; use the model"
                " without rotors"
            )
        return "springs with damping have a state; use jounce.solve.elastic.elastic_trajectory"

    # -------------------------------------------------------------- linearization

    def linearize(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        q: ArrayLike,
        v: ArrayLike,
        theta: ArrayLike,
        dtheta: ArrayLike,
        tau: ArrayLike,
        h: ArrayLike | None = None,
        **options: Any,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the linearized dynamics at a state, in continuous or discrete time.

        Parameters
        ----------
        q, v, theta, dtheta, tau : array_like (..., nq) or (..., nv)
            State and torques of the motors.
        h : float, optional
            Length of a time step: A and B are then derivatives of `step`.
        **options
            Optional arguments, such as wrenches and stiffness.

        Returns
        -------
        A : ndarray (..., 4 nv, 4 nv)
            Derivative in the state: tangents of q, then v, theta and dtheta. Columns of theta and
            dtheta are zero at rigid joints.
        B : ndarray (..., 4 nv, nv)
            Derivative in tau.
        """
        arguments = (q, v, theta, dtheta, tau)
        if h is None:
            return self.state_matrices(*arguments, **options)
        return self.step.derivatives(*arguments, h, **options)[4:]

    def lqr(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        q: ArrayLike,
        v: ArrayLike,
        theta: ArrayLike,
        dtheta: ArrayLike,
        tau: ArrayLike,
        Q: ArrayLike,
        R: ArrayLike,
        h: float | None = None,
        **options: Any,
    ) -> Regulator:
        """Return the linear-quadratic regulator about an equilibrium. Needs SciPy.

        Parameters
        ----------
        q, v, theta, dtheta, tau : array_like (nq,) or (nv,)
            State and the torques that hold it.
        Q : float, array_like (4 nv,) or (4 nv, 4 nv)
            Weights of changes of q (along velocities), v, theta and dtheta.
        R : float, array_like (nv,) or (nv, nv)
            Weights of changes of tau.
        h : float, optional
            Control period: the regulator of `step` instead of that in continuous time.
        **options
            Further arguments of `linearize`.

        Returns
        -------
        Regulator
            gain (nv, 4 nv) with tau = tau_0 - gain x, cost (4 nv, 4 nv) and poles (4 nv,).
        """
        rigid = ~np.isfinite(self._elastic.stiffness)
        if rigid.any():
            raise ArgumentError(
                f"{self.name}.lqr: expected springs at all joints, found rigid velocities"
                f" {np.flatnonzero(rigid).tolist()}, whose theta does not act; use linearize"
            )
        A, B = self.linearize(q, v, theta, dtheta, tau, h, **options)
        return regulator(self.name, A, B, Q, R, h is not None)

    # -------------------------------------------------------------- simulation

    def rollout(
        self,
        q0: ArrayLike,
        v0: ArrayLike,
        theta0: ArrayLike,
        dtheta0: ArrayLike,
        taus: ArrayLike,
        h: float,
        wrenches: Any = None,
        **numbers: Any,
    ) -> tuple[np.ndarray, ...]:
        """Simulate a motion step by step.

        Parameters
        ----------
        q0, v0, theta0, dtheta0 : array_like (..., nq) or (..., nv)
            State at the start.
        taus : array_like (..., T, nv)
            Torques of the motors, each held for a step.
        h : float
            Length of a step in s.
        wrenches : array_like (..., T, nb, 6), optional
            Wrenches on the bodies, each held for a step.
        **numbers : array_like
            Numbers of the drives, such as stiffness, for all steps.

        Returns
        -------
        tuple of four ndarray
            q (..., T + 1, nq), v, theta and dtheta (..., T + 1, nv), those at the start first.
        """
        forces = np.asarray(taus)
        if forces.ndim < 2 or forces.shape[-1] != self.nv:
            raise ArgumentError(
                f"{self.name}.rollout: taus must have shape (..., T, {self.nv}), found"
                f" {forces.shape}"
            )
        pushes = None if wrenches is None else np.moveaxis(np.asarray(wrenches), -3, 0)
        states = [tuple(np.asarray(x) for x in (q0, v0, theta0, dtheta0))]
        for k, tau in enumerate(np.moveaxis(forces, -2, 0)):
            options = numbers if pushes is None else {**numbers, "wrenches": pushes[k]}
            states.append(self.step(*states[-1], tau, h, **options))
        # broadcast the start to the leading axes of the other states
        states[0] = tuple(
            np.broadcast_to(x, y.shape) for x, y in zip(states[0], states[-1], strict=True)
        )
        return tuple(np.stack(x, axis=-2) for x in zip(*states, strict=True))

    # -------------------------------------------------------------- description

    @property
    def call(self) -> str:
        """Expression that creates it, "elastic(...)"."""
        return "elastic(...)"

    def __repr__(self) -> str:
        count = len(self._elastic.elastic)
        return f"<robot '{self.name}': {count} of {self.nv} velocities with springs>"

    @property
    def content_hash(self) -> str:
        """A hash of its content, the same in every process."""
        compiled = isinstance(self.choice[0], Spring)
        springs = self.forward_dynamics.kernel.tape.digest() if compiled else self.choice[0]
        return hash_content("elastic", self.robot.content_hash, springs, self.choice[1:])

    @property
    def argument_defaults(self) -> dict[str, tuple[float, ...]]:
        """Numbers of the drives by name, for calls with some of them."""
        return {name: getattr(self._elastic, name) for name in DRIVE_NUMBERS}

    @once_property
    def tree(self) -> Tree:
        """The robot's tree, which knows the drives."""
        return replace(self.robot.tree, elastic=self._elastic)

    @once_property
    def sizes(self) -> dict[str, int]:
        """The robot's sizes, and 4nv, the length of changes of the state."""
        return {**self.robot.sizes, "4nv": 4 * self.robot.nv}


def _vector(
    drives: Drives, what: str, value: ArrayLike, where: np.ndarray | None = None
) -> np.ndarray:
    """Return checked numbers of the drives (nv,)."""
    numbers = drives.numbers(what, value, where)
    if numbers.ndim != 1:
        raise ArgumentError(
            f"{drives.name}.elastic: {what} must have shape ({drives.nv},) or be a number, found"
            f" shape {numbers.shape}; batches are arguments of the quantities"
        )
    return numbers


def _rotor_names(
    robot: Robot | Mechanism, drives: Drives, K: np.ndarray, rotors: Sequence[str] | None
) -> tuple[str, ...]:
    """Return the names of the bodies that turn with motors."""
    model, nodes = robot.model, robot.tree.nodes
    elastic = {k for k, x in zip(robot.velocities, K, strict=True) if np.isfinite(x)}
    following = {}
    for body, joint, i in zip(model.bodies, model.joints, robot.tree.node_of_body, strict=True):
        if joint.mimic is not None and nodes[i].v in elastic:
            following[body.name] = joint.mimic.leader
    if rotors is None:
        return tuple(x for x, leader in following.items() if x.startswith(f"{leader}_rotor"))
    for name in rotors:
        if name not in following:
            raise ModelError(
                f"{drives.name}.elastic: rotors: expected bodies that follow an elastic joint, as"
                f" robot.with_rotor adds them, found '{name}'; {suggest(name, following)}"
            )
    return tuple(rotors)


def _refuse_massless(robot: Robot | Mechanism, drives: Drives, elastic: ElasticDrives) -> None:
    """Raise an error if a motor behind a spring has no inertia."""
    turned = {robot.tree.nodes[j].v for j in elastic.rotors}
    for k in elastic.elastic:
        if not elastic.motor_inertia[k] and robot.velocities[k] not in turned:
            raise ArgumentError(
                f"{drives.name}.elastic: motor_inertia of joint '{drives.names[k]}', which has a"
                " spring, must be > 0, or the robot have its rotor (robot.with_rotor); found 0"
            )
