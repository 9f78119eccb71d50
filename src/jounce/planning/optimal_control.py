"""Optimal control problems of robots, solved alone or in batches by multiple shooting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from jounce.catalog import Shape
from jounce.errors import ArgumentError, suggest
from jounce.planning.optimal_control_slots import Layout, Work
from jounce.planning.optimal_control_solution import OptimalControlSolution
from jounce.planning.optimal_control_solver import Options, solve_batch
from jounce.planning.optimal_control_stage import Function, Stage, StageFunctions
from jounce.planning.optimal_control_structure import Phase, find_actuated, find_limits, find_phases
from jounce.robot import Robot, System
from jounce.runtime import core_shape
from jounce.solve import ElasticRobot, Mechanism
from jounce.utils import get_num_threads, once_property

#: Choices of second derivatives.
_HESSIANS = ("gauss-newton", "exact")


class OptimalControlProblem:
    """An optimal control problem: a robot, costs, limits and constraints over N time steps.

    Minimizes the sum of running costs of the knots 0 to N - 1 and the cost of the last knot N. The
    functions are traced for one knot and compiled with their derivatives. Parameters, such as
    goals and weights, are arguments of `solve`, whose leading axes are a batch of problems.

    Parameters
    ----------
    robot : Robot, Mechanism or ElasticRobot
        What moves, with states (q, v), or (q, v, theta, dtheta) with elastic joints.
    cost : callable
        cost(model, x, u, p): running cost of one knot. `model` has the quantities of the robot,
        as in control laws; x is the state, a named tuple; u (nu,) the control; p the parameters, a
        named tuple. Returns a term or a tuple of terms: a vector r adds r . r / 2, a number is
        added as it is. Costs are not multiplied by the time step p.h.
    terminal : callable, optional
        terminal(model, x, p): cost of the last knot.
    steps : int, optional
        Number N of time steps.
    h : float
        Time step in s; `solve(..., h=...)` selects another one.
    parameters : mapping of str to array_like
        Parameters p by name, with their default values.
    references : mapping of str to tuple
        Parameters with a value for each knot by name, with their shapes, of numbers and of "nq",
        "nv" and "nb"; passed to `solve` with axes (..., N + 1) before these.
    actuated : sequence of str or int, optional
        Joints (names) or velocities (indices) with a motor, whose forces are u; by default all but
        free joints.
    limits : bool, array_like (nu,) or pair of array_like, optional
        Limits of u: True for the effort limits of the robot, largest magnitudes, or (low, high).
    phases : sequence of Phase, optional
        Phases with different contacts, instead of `steps`.
    inequalities, terminal_inequalities : callable, optional
        Functions of a knot like the costs; entries of the result must be at most 0.
    equalities, terminal_equalities : callable, optional
        Functions of a knot like the costs; entries of the result must be 0.
    dynamics : callable, optional
        dynamics(model, x, u, p): the next state, instead of that of the robot's step.
    inertial : bool
        Whether the inertial parameters are a parameter `pi` (nb, 10).
    **method
        Options of `robot.step`: method, friction.

    Examples
    --------
    >>> import jounce, numpy as np
    >>> from jounce import planning
    >>> robot = jounce.load("planar_2r")
    >>> def cost(model, x, u, p):
    ...     return 0.1 * x.v, 0.03 * u
    >>> def terminal(model, x, p):
    ...     return 10.0 * planning.posture_error(model, x.q, p.goal), 3.0 * x.v
    >>> problem = planning.OptimalControlProblem(
    ...     robot, cost, terminal, steps=40, h=0.02, parameters={"goal": [0.5, -0.5]}
    ... )
    >>> solution = problem.solve(([0.0, 0.0], [0.0, 0.0]), goal=[[0.5, -0.5], [0.2, 0.4]])
    >>> solution.success, solution.q.shape
    (array([ True,  True]), (2, 41, 2))
    """

    def __init__(
        self,
        robot: Robot | Mechanism | ElasticRobot,
        cost: Function,
        terminal: Function | None = None,
        *,
        steps: int | None = None,
        h: float = 0.01,
        parameters: Mapping[str, ArrayLike] | None = None,
        references: Mapping[str, Shape] | None = None,
        actuated: Sequence[str | int] | None = None,
        limits: ArrayLike | bool | tuple[ArrayLike, ArrayLike] | None = None,
        phases: Sequence[Phase] | None = None,
        inequalities: Function | None = None,
        equalities: Function | None = None,
        terminal_inequalities: Function | None = None,
        terminal_equalities: Function | None = None,
        dynamics: Function | None = None,
        inertial: bool = False,
        **method: Any,
    ) -> None:
        self.robot = robot
        self.phases = find_phases(robot.name, steps, phases)
        self.steps = sum(phase.steps for phase in self.phases)
        self._actuated = find_actuated(robot, actuated)
        self._limits = find_limits(robot, limits, self._actuated)
        self._defaults = {name: np.asarray(x, float) for name, x in (parameters or {}).items()}
        self._defaults["h"] = np.asarray(h, dtype=float)
        if inertial:
            self._defaults["pi"] = np.asarray(robot.model.parameters, dtype=float)
        self._references = dict(references or {})
        self._check_names()
        shapes: dict[str, Shape] = {
            name: ("nq",) if x.shape == (robot.nq,) and robot.nq != robot.nv else x.shape
            for name, x in self._defaults.items()
        }
        self._running = StageFunctions(
            cost,
            dynamics,
            inequalities,
            equalities,
            shapes | self._references,
            self._actuated,
            method,
            False,
        )
        self._last = replace(
            self._running,
            cost=terminal,
            inequalities=terminal_inequalities,
            equalities=terminal_equalities,
            is_last=True,
        )

    def _check_names(self) -> None:
        """Raise an error if names of parameters repeat or are no identifiers."""
        reserved = {"q", "v", "u", "theta", "dtheta", "tau"}
        for name in (*self._defaults, *self._references):
            if not name.isidentifier() or name.startswith("_") or name in reserved:
                raise ArgumentError(
                    f"{self.robot.name}: expected identifiers other than {', '.join(reserved)} as"
                    f" names of parameters, found '{name}'"
                )
        for name in self._references:
            if name in self._defaults:
                raise ArgumentError(
                    f"{self.robot.name}: '{name}' is both a parameter and a reference"
                )

    # -------------------------------------------------------------- structure

    @property
    def nu(self) -> int:
        """Number of controls."""
        return len(self._actuated)

    @property
    def actuated(self) -> tuple[int, ...]:
        """Indices of the velocities on which the controls act."""
        return self._actuated

    @property
    def parameters(self) -> dict[str, np.ndarray]:
        """Default values of the parameters by name."""
        return dict(self._defaults)

    def layout(self, exact: bool = False) -> Layout:
        """Return the kinds of knots with their compiled kernels.

        Parameters
        ----------
        exact : bool
            Whether expansions have exact Hessians.

        Returns
        -------
        Layout
            Stages and their knots.
        """
        return self._exact_layout if exact else self._squares_layout

    @once_property
    def _exact_layout(self) -> Layout:
        return self._make_layout(True)

    @once_property
    def _squares_layout(self) -> Layout:
        return self._make_layout(False)

    def _make_layout(self, exact: bool) -> Layout:
        """Return the kinds of knots; phases with the same contacts and cost share one."""
        stages: list[Stage] = []
        knots: list[slice] = []
        known: dict[Any, Stage] = {}
        start = 0
        for phase in self.phases:
            robot: Any = self.robot
            cost = phase.cost or self._running.cost
            key = tuple(phase.contacts), cost, phase.kd
            if key not in known:
                system: System = robot.contacts(*phase.contacts) if phase.contacts else robot
                functions = replace(self._running, cost=cost, contact_damping=phase.kd)
                known[key] = Stage(system, functions, exact)
            stages.append(known[key])
            knots.append(slice(start, start + phase.steps))
            start += phase.steps
        stages.append(Stage(self.robot, self._last, exact))
        knots.append(slice(start, start + 1))
        return Layout(tuple(stages), tuple(knots), self.steps)

    # -------------------------------------------------------------- solving

    def solve(
        self,
        start: Sequence[ArrayLike],
        *,
        guess: OptimalControlSolution | Sequence[ArrayLike] | None = None,
        hessian: Literal["gauss-newton", "exact"] = "gauss-newton",
        max_iterations: int = 200,
        tolerance: float = 1e-6,
        constraint_tolerance: float = 1e-6,
        threads: int | None = None,
        quiet: bool = True,
        **parameters: ArrayLike,
    ) -> OptimalControlSolution:
        """Solve one problem, or a batch of problems.

        Parameters
        ----------
        start : tuple of array_like
            State of the first knot, (q, v) or (q, v, theta, dtheta), with leading batch axes.
        guess : OptimalControlSolution or tuple of array_like, optional
            First iterate: a solution (see its `shift`), or the states of all knots
            (..., N + 1, nq), ... and the controls (..., N, nu). By default the robot stays at the
            start, with the torques that hold it if all joints have motors, otherwise without.
        hessian : {"gauss-newton", "exact"}
            Second derivatives: of least squares and of numbers in the cost, or all, including
            those of the dynamics.
        max_iterations : int
            Maximum number of steps.
        tolerance : float
            Largest defect of the dynamics, and predicted decrease of the cost relative to 1 + cost,
            at convergence.
        constraint_tolerance : float
            Largest violation of constraints.
        threads : int, optional
            Number of threads for a batch.
        quiet : bool
            Show no progress of batches in logs.
        **parameters : array_like
            Values of parameters and references, with leading batch axes.

        Returns
        -------
        OptimalControlSolution
            Trajectories, costs, success and reason for each problem.

        Raises
        ------
        ArgumentError
            If an argument is unknown, missing, or has another shape.
        """
        if hessian not in _HESSIANS:
            raise ArgumentError(f"hessian must be one of {_HESSIANS}, found {hessian!r}")
        layout = self.layout(hessian == "exact")
        stage = layout.stages[0]
        values, batch = self._values(parameters, stage)
        first, batch = self._start(start, stage, batch)
        states, u, batch = self._guess(guess, first, stage, batch)
        work = self._prepare(states, u, values, batch)
        options = Options(max_iterations, tolerance, constraint_tolerance)
        title = f"optimal control of {self.robot.name}"
        solve_batch(layout, work, options, threads or get_num_threads(), title, quiet)
        return OptimalControlSolution.build(self, work, batch, stage.state)

    def _values(
        self, given: Mapping[str, ArrayLike], stage: Stage
    ) -> tuple[dict[str, np.ndarray], tuple[int, ...]]:
        """Return parameters with an axis for knots before their core shape, and the batch."""
        known = {**self._defaults, **self._references}
        for name in given:
            if name not in known:
                raise ArgumentError(
                    f"{self.robot.name}: unknown parameter '{name}'; {suggest(name, known)}"
                )
        values, batch = {}, ()
        for name in known:
            if name not in given and name in self._references:
                raise ArgumentError(
                    f"{self.robot.name}: expected the reference '{name}' for all knots, found none"
                )
            x = np.asarray(given.get(name, self._defaults.get(name)), dtype=float)
            core = core_shape(stage.arguments[name].shape, stage.sizes)
            wanted = (self.steps + 1, *core) if name in self._references else core
            if x.shape[x.ndim - len(wanted) :] != wanted or x.ndim < len(wanted):
                raise ArgumentError(
                    f"{self.robot.name}: parameter '{name}' has shape {x.shape}, expected"
                    f" (..., {', '.join(map(str, wanted))})"
                )
            lead = x.shape[: x.ndim - len(wanted)]
            batch = np.broadcast_shapes(batch, lead)
            values[name] = x if name in self._references else x.reshape(*lead, 1, *core)
        return values, batch

    def _start(
        self, start: Sequence[ArrayLike], stage: Stage, batch: tuple[int, ...]
    ) -> tuple[dict[str, np.ndarray], tuple[int, ...]]:
        """Return the start by name, and the batch."""
        names = stage.state
        if len(start) != len(names):
            raise ArgumentError(
                f"{self.robot.name}: start must be ({', '.join(names)}), found {len(start)} entries"
            )
        first = {}
        for name, x in zip(names, start, strict=True):
            first[name] = x = np.asarray(x, dtype=float)
            size = self.robot.nq if name == "q" else self.robot.nv
            if x.shape[-1:] != (size,):
                raise ArgumentError(
                    f"{self.robot.name}: start '{name}' must have shape (..., {size}), found"
                    f" {x.shape}"
                )
            batch = np.broadcast_shapes(batch, x.shape[:-1])
        return first, batch

    def _guess(
        self,
        guess: OptimalControlSolution | Sequence[ArrayLike] | None,
        first: Mapping[str, np.ndarray],
        stage: Stage,
        batch: tuple[int, ...],
    ) -> tuple[dict[str, np.ndarray], np.ndarray, tuple[int, ...]]:
        """Return the first iterate, with the start at its first knot, and the batch."""
        names = stage.state
        if guess is None:
            states = {name: first[name][..., None, :] for name in names}
            u = self._holding_torques(first["q"])
        else:
            arrays = guess.trajectory if isinstance(guess, OptimalControlSolution) else tuple(guess)
            if len(arrays) != len(names) + 1:
                raise ArgumentError(
                    f"{self.robot.name}: guess must be ({', '.join(names)}, u), found"
                    f" {len(arrays)} entries"
                )
            *parts, u = (np.asarray(x, dtype=float) for x in arrays)
            states = dict(zip(names, parts, strict=True))
        wanted = {name: (self.steps + 1, first[name].shape[-1]) for name in names}
        for name, x in (*states.items(), ("u", u)) if guess is not None else ():
            core = wanted.get(name, (self.steps, self.nu))
            if x.shape[-2:] != core:
                raise ArgumentError(
                    f"{self.robot.name}: guess '{name}' must have shape (..., {core[0]},"
                    f" {core[1]}), found {x.shape}"
                )
            batch = np.broadcast_shapes(batch, x.shape[:-2])
        full = {
            name: np.array(np.broadcast_to(states[name], (*batch, *wanted[name]))) for name in names
        }
        for name, x in full.items():
            x[..., 0, :] = first[name]
        u = np.array(np.broadcast_to(u, (*batch, self.steps, self.nu)))
        return full, u, batch

    def _holding_torques(self, q: np.ndarray) -> np.ndarray:
        """Return controls (..., 1, nu) that hold a robot, if all of its velocities have a motor."""
        if len(self._actuated) < self.robot.nv or isinstance(self.robot, ElasticRobot):
            return np.zeros((1, self.nu))
        with np.errstate(all="ignore"):  # a start that is not finite is reported by the solver
            u = self.robot.gravity_forces(q)[..., None, list(self._actuated)]
        return u if self._limits is None else np.clip(u, *self._limits)

    def _prepare(
        self,
        states: dict[str, np.ndarray],
        u: np.ndarray,
        values: dict[str, np.ndarray],
        batch: tuple[int, ...],
    ) -> Work:
        """Return the work with one axis for the batch."""
        count = int(np.prod(batch))
        nx = len(states) * self.robot.nv

        def flatten(x: np.ndarray, lead: int) -> np.ndarray:
            core = x.shape[lead:]
            return np.array(np.broadcast_to(x, (*batch, *core))).reshape(count, *core)

        flat = {name: flatten(x, len(batch)) for name, x in states.items()}
        sizes = {name: self._core_axes(name) for name in values}
        parameters = {name: flatten(x, x.ndim - sizes[name]) for name, x in values.items()}
        limits = None
        if self._limits is not None:
            low, high = (np.broadcast_to(x, (count, self.steps, self.nu)) for x in self._limits)
            limits = low, high
            u = np.clip(u, *self._limits)
        return Work.create(flat, flatten(u, len(batch)), parameters, limits, nx)

    def _core_axes(self, name: str) -> int:
        """Return the number of axes of a parameter, with that of knots."""
        return 1 + len(
            self._references[name] if name in self._references else self._defaults[name].shape
        )

    def __repr__(self) -> str:
        return (
            f"<optimal control problem of '{self.robot.name}': {self.steps} steps,"
            f" {self.nu} controls>"
        )
