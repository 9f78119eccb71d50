"""Whole-body control: accelerations, contact forces and torques from one quadratic program."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays import DifferentiableQuantity
from jounce.catalog import Argument, Quantity, Result, Signature, Tables, Traits, configuration
from jounce.control.whole_body_program import ProgramFormula
from jounce.control.whole_body_solver import ActiveProgram, WholeBodySolution
from jounce.control.whole_body_tasks import Task
from jounce.errors import ArgumentError, SolverError, suggest
from jounce.model import Tree
from jounce.robot import Robot
from jounce.solve import Subsystem
from jounce.solve.contacts import Contacts, Ground, driven_velocities
from jounce.utils import hash_content

#: Name of the kernel.
_NAME = "whole_body_program"

#: Reference of each task by its name.
Reference = Mapping[str, Sequence[ArrayLike]]


class WholeBodyController(Subsystem):
    """Inverse dynamics of a robot in contact, as one quadratic program.

    Finds accelerations a, contact forces f and torques tau that follow the tasks best, in the sense
    of weighted least squares, with the constraints

    - M a + C v + g = tau + J^T f, and tau = 0 without drive,
    - J a + dJ/dt v = -contact_kd J v: active contacts do not accelerate,
    - contact forces within friction pyramids, of surfaces and lines within their wrench cones,
    - |tau| <= torque_limits, and accelerations that keep joints within their limits.

    One kernel computes the matrices of the program from (q, v) and the reference; DAQP solves it,
    starting from the constraints that were active in the call before.

    Parameters
    ----------
    robot : Robot
        The robot, with a free base or without.
    tasks : sequence of FrameTask, CenterOfMassTask, PostureTask, MomentumTask
        What the robot should do.
    contacts : sequence of str, optional
        Contacts of the robot (`robot.edit.with_contact`) that can be active; by default all.
    friction : float or array_like (nk,)
        Friction coefficient of all contacts or of each.
    size : pair of float, or mapping of str to pairs
        Half lengths (x, y) in m of surfaces and lines, of all or by name.
    normals : array_like (3,) or (nk, 3)
        Normals of the ground in world axes, by default against gravity.
    actuated : sequence of str or int, optional
        Joints with a drive, by name, or velocities as "name[k]" or index; by default all but free
        joints.
    torque_limits : bool or array_like (nv,)
        Limits of |tau| in N m and N; True for those of the model, False for none.
    joint_limits : bool
        Keep joints within the position and velocity limits of the model.
    limit_rate : float
        Rate k in 1/s at which limits are approached: a <= k (v_max - v) and
        a <= k^2 (q_max - q) - 2 k v. At most 1 / (2 period), with the period of calls.
    contact_kd : float
        Rate in 1/s at which velocities of active contacts decay.
    force_weight : float
        Weight of squared contact forces, over the robot's weight, and of moments, over that and
        half lengths. It decides how contacts share the load; far smaller weights than the default
        cost accuracy.
    regularization : float
        Weight of squared accelerations, which decides about motions without task.
    strict : bool
        Raise an error if constraints cannot hold together. Otherwise contacts and joint limits are
        violated, as little as possible, and `reason` names them; equations of motion, friction
        and torque limits always hold.

    Examples
    --------
    >>> import jounce
    >>> from jounce import control
    >>> robot = jounce.load("toro25").edit.with_contact("left_sole", "surface")
    >>> tasks = [control.CenterOfMassTask(), control.PostureTask()]
    >>> controller = control.WholeBodyController(robot, tasks, size=(0.1, 0.05))
    >>> q = robot.neutral()
    >>> controller.solve(q, [0.0] * robot.nv, controller.hold(q)).tau.shape
    (31,)
    """

    robot: Robot  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(
        self,
        robot: Robot,
        tasks: Sequence[Task],
        *,
        contacts: Sequence[str] | None = None,
        friction: ArrayLike = 0.7,
        size: Any = None,
        normals: ArrayLike | None = None,
        actuated: Sequence[str | int] | None = None,
        torque_limits: bool | ArrayLike = True,
        joint_limits: bool = True,
        limit_rate: float = 20.0,
        contact_kd: float = 0.0,
        force_weight: float = 1e-3,
        regularization: float = 1e-6,
        strict: bool = True,
    ) -> None:
        if not isinstance(robot, Robot) or robot.model.loops:
            raise ArgumentError(
                f"WholeBodyController: expected a robot without closed loops, found {robot!r}"
            )
        super().__init__(robot, ())
        self.tasks, self.strict, self._actuated = tuple(tasks), strict, actuated
        names = [c.name for c in robot.model.contacts] if contacts is None else list(contacts)
        self.contacts: Contacts | None = robot.contacts(*names) if names else None
        self._gains = self._task_gains()
        if self.contacts is not None:
            ground = Ground.of(self.contacts, friction, normals, size, actuated, title=self.name)
            self._gains |= self._contact_gains(self.contacts, ground, contact_kd)
        self._gains |= self._limit_gains(torque_limits, joint_limits) | {
            "limit_rate": _positive(limit_rate, "limit_rate"),
            "force_weight": _positive(force_weight, "force_weight"),
            "regularization": _positive(regularization, "regularization"),
        }
        driven = driven_velocities(robot, actuated)
        self._program = ProgramFormula(robot, self.contacts, self.tasks, [*self._gains], driven)
        self._tables = self._define()
        self._prepare()

    # -------------------------------------------------------------- arguments

    def _task_gains(self) -> dict[str, np.ndarray]:
        """Return the gains of all tasks."""
        names = [task.name for task in self.tasks]
        if not names or len({*names}) < len(names):
            raise ArgumentError(f"{self.name}: expected tasks of different names, found {names}")
        return {
            f"{task.name}_{key}": value
            for task in self.tasks
            for key, value in task.gains(self.robot).items()
        }

    def _contact_gains(
        self, contacts: Contacts, ground: Ground, contact_kd: float
    ) -> dict[str, np.ndarray]:
        """Return parameters of the contacts: friction (nk,), size (nk, 2), normals (nk, 3)."""
        size = np.ones((len(contacts.contacts), 2))
        for k, contact in enumerate(contacts.contacts):
            if contact.kind != "point":
                x, y = ground.sizes.get(contact.name, (0.0, 0.0))
                size[k] = (x, y) if contact.kind == "surface" else (x, x)
                if not size[k].all():
                    raise ArgumentError(
                        f"{self.name}: contact '{contact.name}' is a {contact.kind}; pass"
                        " size=(x, y), its half lengths in m, or use point contacts"
                    )
        kd = np.asarray(contact_kd, dtype=float)
        return {
            "friction": ground.friction,
            "size": size,
            "normals": ground.normals,
            "contact_kd": kd,
        }

    def _limit_gains(
        self, torque_limits: bool | ArrayLike, joint_limits: bool
    ) -> dict[str, np.ndarray]:
        """Return limits of the drives and joints (nv,)."""
        limits, none = self.robot.limits, np.full(self.robot.nv, np.inf)
        if isinstance(torque_limits, bool):
            torque_limits = limits.effort if torque_limits else none
        effort = np.asarray(torque_limits, dtype=float)
        if effort.shape not in ((), none.shape) or not (effort >= 0.0).all():
            raise ArgumentError(
                f"{self.name}: torque_limits must be a number or {len(none)} numbers >= 0, found"
                f" {torque_limits}"
            )
        own = (limits.lower, limits.upper, limits.velocity) if joint_limits else (-none, none, none)
        names = ("position_lower", "position_upper", "velocity_limits")
        return {
            "torque_limits": effort + np.zeros(len(none)),
            **{name: np.array(x) for name, x in zip(names, own, strict=True)},
        }

    # -------------------------------------------------------------- kernel

    def _define(self) -> Tables:
        """Return the catalog entry of the program."""
        own: dict[str, Argument] = {}
        for task in self.tasks:
            for name, shape in task.reference(self.robot).items():
                doc = f"reference of {task.name}"
                own[name] = configuration(doc) if shape == ("nq",) else Argument(shape, doc)
        own |= {name: Argument(x.shape, "parameter") for name, x in self._gains.items()}
        takes = Signature(("q", "v", *own), definitions=own)
        n, m = len(self._program.unknowns), len(self._program.rows)
        shapes = {"H": (n, n), "c": (n,), "A": (m, n), "lower": (n + m,), "upper": (n + m,)}
        shapes["h"] = (self.robot.nv,)
        results = tuple(Result(shape, name) for name, shape in shapes.items())
        tables = Tables({}, {}, {}, {}, {})
        doc, traits = "Quadratic program of whole-body control.", Traits(inertial=True)
        tables.insert(Quantity(_NAME, self._program, takes, results, doc, "", traits=traits))
        return tables

    def _prepare(self) -> None:
        """Look up what each call needs."""
        self._local = threading.local()
        self._function: Any = self.function
        self._values = tuple(self._gains.values())
        self._references = {task.name: tuple(task.reference(self.robot)) for task in self.tasks}

    # -------------------------------------------------------------- calls

    def solve(
        self,
        q: ArrayLike,
        v: ArrayLike,
        reference: Reference,
        contacts: Sequence[str] | None = None,
    ) -> WholeBodySolution:
        """Return torques, accelerations and contact forces.

        Parameters
        ----------
        q : array_like (..., nq)
            Configuration.
        v : array_like (..., nv)
            Velocity.
        reference : mapping of str to tuple of array_like
            Reference of each task by its name, as `hold` returns them.
        contacts : sequence of str, optional
            Active contacts; by default all.

        Returns
        -------
        WholeBodySolution
            The solution; forces of inactive contacts are zero.

        Raises
        ------
        SolverError
            If constraints cannot hold together and the controller is strict, or if the state is
            not finite.
        """
        active, arrays = self._select(contacts), self._evaluate(q, v, reference)
        batch = arrays[1].shape[:-1]
        samples = [self._solve_sample(active, arrays, index) for index in np.ndindex(*batch)]
        if not batch:
            return samples[0]
        sizes = {"tau": self.robot.nv, "a": self.robot.nv, "forces": self._program.nc}
        stacked = {
            name: np.array([getattr(x, name) for x in samples]).reshape(*batch, n)
            for name, n in sizes.items()
        }
        success = np.array([x.success for x in samples], dtype=bool).reshape(batch)
        reason = np.array([x.reason for x in samples], dtype=object).reshape(batch)
        return WholeBodySolution(**stacked, success=success, reason=reason)

    def _solve_sample(
        self, active: ActiveProgram, arrays: Sequence[np.ndarray], index: tuple[int, ...]
    ) -> WholeBodySolution:
        """Return the solution for one sample of the results of the kernel."""
        try:
            solution = active.solve([x[index] for x in arrays] if index else arrays)
            if self.strict and solution.reason:
                raise SolverError(str(solution.reason))
        except SolverError as error:
            which = f" (sample {', '.join(map(str, index))})" if index else ""
            raise SolverError(f"{self.name}: {error}{which}") from None
        return solution

    def __call__(
        self, state: tuple[()], measurement: Sequence[Any], reference: Reference
    ) -> tuple[np.ndarray, tuple[()]]:
        """Return the torques and the state, as other controllers do.

        Parameters
        ----------
        state : tuple
            ().
        measurement : tuple of array_like
            (q, v); further entries are ignored.
        reference : mapping of str to tuple of array_like
            Reference of each task by its name.

        Returns
        -------
        command : ndarray (..., nv)
            Forces of the drives.
        state : tuple
            ().
        """
        return self.solve(measurement[0], measurement[1], reference).tau, state

    def hold(self, q: ArrayLike) -> dict[str, tuple[Any, ...]]:
        """Return the reference of all tasks that stays at a configuration.

        Parameters
        ----------
        q : array_like (..., nq)
            Configuration.

        Returns
        -------
        dict of str to tuple of ndarray
            References by the name of the task, to be changed as needed.
        """
        return {task.name: tuple(task.hold(self.robot, q)) for task in self.tasks}

    def _evaluate(self, q: ArrayLike, v: ArrayLike, reference: Reference) -> list[np.ndarray]:
        """Return the results of the kernel."""
        flat = []
        for name, entries in self._references.items():
            values = reference.get(name, ())
            if len(values) != len(entries):
                raise ArgumentError(
                    f"{self.name}: reference['{name}'] must be ({', '.join(entries)}), found"
                    f" {len(values)} entries"
                )
            flat += values
        arguments = [np.asarray(x, dtype=float) for x in (q, v, *flat)]
        return self._function(*arguments, *self._values)

    def _select(self, contacts: Sequence[str] | None) -> ActiveProgram:
        """Return the program of a set of active contacts, one for each thread."""
        programs = vars(self._local).setdefault("programs", {})
        names = contacts if contacts is None else tuple(contacts)
        if names not in programs:
            known = () if self.contacts is None else self.contacts.contact_names
            for name in names or ():
                if name not in known:
                    raise ArgumentError(f"{self.name}: no contact {name!r}; {suggest(name, known)}")
            programs[names] = ActiveProgram(self._program, known if names is None else names)
        return programs[names]

    # -------------------------------------------------------------- description

    @property
    def call(self) -> str:
        """Name of the law."""
        return "whole_body"

    @property
    def tree(self) -> Tree:
        """The robot's tree."""
        return self.robot.tree

    @property
    def function(self) -> DifferentiableQuantity:
        """The kernel as a quantity of flat arguments: q, v, references, gains.

        Returns H, c, A, lower, upper and M a + C v + g for a = 0, of the program with all contacts:
        minimize x^T H x / 2 + c^T x with lower <= (x, A x) <= upper, where x has accelerations,
        then contact forces over the robot's weight on Earth.
        """
        return self.quantity(_NAME)  # pyright: ignore[reportReturnType]

    @property
    def gains(self) -> dict[str, np.ndarray]:
        """Values of all parameters by name: gains and weights of tasks, friction, limits."""
        return dict(self._gains)

    def with_gains(self, **gains: ArrayLike) -> WholeBodyController:
        """Return the same controller with other parameters, without compiling it again.

        Parameters
        ----------
        **gains : array_like
            New values by the names of `gains`, of the same shapes; numbers are broadcast.

        Returns
        -------
        WholeBodyController
            Controller that shares the compiled kernel.
        """
        changed = dict(self._gains)
        for name, value in gains.items():
            if name not in changed:
                raise ArgumentError(f"{self.name} has no gain '{name}'; {suggest(name, changed)}")
            x, shape = np.asarray(value, dtype=float), changed[name].shape
            if x.shape not in ((), shape) or np.isnan(x).any():
                raise ArgumentError(
                    f"{self.name}: gain '{name}' must be a number or have shape {shape}, found {x}"
                )
            changed[name] = np.broadcast_to(x, shape).copy()
        other = type(self).__new__(type(self))
        vars(other).update(vars(self) | {"handle": other.handle, "_gains": changed})
        other._prepare()
        return other

    @property
    def content_hash(self) -> str:
        """A hash of its content, the same in every process."""
        tape = self.function.kernel.tape.digest()
        return hash_content("whole_body", self.robot.content_hash, tape)

    def __reduce__(self) -> Any:
        named = {
            "contacts": () if self.contacts is None else self.contacts.contact_names,
            "actuated": self._actuated,
            "strict": self.strict,
        }
        return _restore, (self.robot, self.tasks, named, self._gains)

    def __repr__(self) -> str:
        names = () if self.contacts is None else self.contacts.contact_names
        tasks = ", ".join(task.name for task in self.tasks)
        listed = ", ".join(names) or "none"
        return f"<whole-body controller of '{self.robot.name}': {tasks}; contacts: {listed}>"


def _restore(
    robot: Robot, tasks: Sequence[Task], named: dict[str, Any], gains: dict[str, np.ndarray]
) -> WholeBodyController:
    """Unpickle a controller."""
    size, up = (1.0, 1.0), (0.0, 0.0, 1.0)  # replaced by gains
    return WholeBodyController(robot, tasks, size=size, normals=up, **named).with_gains(**gains)


def _positive(x: float, name: str) -> np.ndarray:
    """Return a positive number as an array."""
    value = np.asarray(x, dtype=float)
    if value.shape or not (np.isfinite(value) and value > 0.0):
        raise ArgumentError(f"WholeBodyController: {name} must be a number > 0, found {x!r}")
    return value
