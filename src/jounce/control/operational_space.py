"""Operational-space control: motions of frames by priority, and Cartesian impedance.

Rows A a = b of all tasks, in order of priority, have the mobility G = A M^-1 A^T = L D L^T. A pivot
D_i is the part of a row's mobility that the rows before it leave over. Pivots below a fraction
`regularization` of the mobility of the row's task are raised to it by E_i, and forces
x = (G + E)^-1 b make A a = b - E x: rows with E_i = 0 are followed exactly, whatever the rows after
them ask for, and rows that depend on rows before them (singular configurations, tasks in conflict)
give way. Away from singularities E = 0 and (G + E)^-1 is the task inertia.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jounce.control.controller import Arguments, Controller, per_joint
from jounce.control.traced_model import TracedModel
from jounce.control.whole_body_tasks import FrameTask, PostureTask, Task
from jounce.errors import ArgumentError, suggest
from jounce.formulas import tracking
from jounce.math import Array, lie, linear, scalar, spatial
from jounce.model import joints
from jounce.robot import Robot
from jounce.solve import Mechanism

#: Rows of tasks are forces or moments along three axes.
_AXES = 3

#: Rows of a frame by name.
_SIZES = {"pose": 6, "position": 3, "orientation": 3}


class _Mobility:
    """Factors L D L^T of the mobility A Y of tasks (Y = M^-1 A^T), with raised pivots."""

    def __init__(self, G: Array, regularization: Any) -> None:
        n = len(G)
        self._L, self._D = L, D = scalar.zeros(n, n), scalar.zeros(n)
        for i in range(n):
            for j in range(i):
                L[i, j] = (G[i, j] - spatial.dot(L[i, :j], D[:j] * L[j, :j])) / D[j]
            first = i - i % _AXES
            scale = sum(G[k, k] for k in range(first, first + _AXES))
            if scalar.is_zero(scale):
                raise ArgumentError(
                    "a task has directions that no joint moves; expected a frame that can move, and"
                    " rows 'position' or 'orientation' if it can only translate or rotate"
                )
            D[i] = scalar.maximum(
                G[i, i] - spatial.dot(L[i, :i], D[:i] * L[i, :i]), regularization * scale
            )

    def solve(self, b: Array) -> Array:
        """Return (G + E)^-1 b."""
        n, x = len(b), b.copy()
        for i in range(n):
            x[i] = x[i] - spatial.dot(self._L[i, :i], x[:i])
        x = x / self._D
        for i in reversed(range(n)):
            x[i] = x[i] - spatial.dot(self._L[i + 1 :, i], x[i + 1 :])
        return x


def _response(M: Array, A: Array) -> Array:
    """Return M^-1 A^T."""
    factors = linear.factorize(M)
    return np.stack([linear.solve_factorized(*factors, row) for row in A], axis=1)


# ------------------------------------------------------------------ priorities


class _Equations(NamedTuple):
    """Equations of motion M a + h = tau, and rows A a = b of tasks."""

    M: Array
    h: Array
    A: Array
    b: Array


def _eliminate(of: _Equations, driven: list[int], free: list[int]) -> _Equations:
    """Return the equations of the driven velocities, after elimination of those without drive."""
    M = of.M[np.ix_(free, free)]
    Y = _response(M, of.M[np.ix_(driven, free)])  # (free, driven)
    drift = linear.solve_factorized(*linear.factorize(M), of.h[free])
    return _Equations(
        of.M[np.ix_(driven, driven)] - of.M[np.ix_(driven, free)] @ Y,
        of.h[driven] - Y.T @ of.h[free],
        of.A[:, driven] - of.A[:, free] @ Y,
        of.b + of.A[:, free] @ drift,
    )


def _operational_space(
    model: TracedModel,
    state: Any,
    measurement: Any,
    reference: Any,
    gains: Any,
    *,
    tasks: tuple[Task, ...],
    driven: tuple[int, ...],
) -> Any:
    """Operational-space control of tasks by priority, with a posture in their null space."""
    q, v = measurement
    system: Any = model.system
    references, posture, rows = iter(reference), scalar.zeros(model.nv), []
    for task in tasks:
        own = tuple(next(references) for _ in task.reference(system))
        numbers = {name: getattr(gains, f"{task.name}_{name}") for name in _gain_names(task)}
        made = task.make_rows(model, q, v, own, SimpleNamespace(weight=None, **numbers))
        if isinstance(task, PostureTask):
            posture = made.b
        else:
            rows.append(made)
    M = model.mass_matrix(q)
    A, b = (np.concatenate([row[k] for row in rows]) for k in range(2))
    of = _Equations(M, model.bias_forces(q, v), A, b)
    used, free = list(driven), [k for k in range(model.nv) if k not in driven]
    if free:
        of = _eliminate(of, used, free)
    mobility = _Mobility(of.A @ _response(of.M, of.A), gains.regularization)
    a = posture[used]
    forces = of.h + of.M @ a + of.A.T @ mobility.solve(of.b - of.A @ a)
    tau = scalar.zeros(model.nv)
    tau[used] = forces
    return tau, state


def _gain_names(task: Task) -> tuple[str, ...]:
    """Return the names of the gains of a task."""
    return ("kp", "kd") if hasattr(task, "kp") else ("kd",)


def operational_space(
    robot: Robot | Mechanism,
    tasks: Task | Sequence[Task],
    *,
    actuated: Sequence[str] | None = None,
    regularization: float = 1e-3,
) -> Controller:
    """Return operational-space control of one or several tasks, with strict priorities.

    Each task then obeys its linear error equation, such as de_rate/dt + kd e_rate + kp e = 0 of a
    frame, with the dynamically consistent inverse of its Jacobian: forces of a task do not
    accelerate tasks before it, and the posture moves in the null space of all.

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the robot.
    tasks : task or sequence of FrameTask, CenterOfMassTask, MomentumTask, PostureTask
        Tasks, the most important first; a `PostureTask` comes last. Weights do not count.
    actuated : sequence of str, optional
        Joints with a drive, by default all but free joints. The motion of the others follows from
        the equations of motion: the generalized Jacobian of a free-floating robot.
    regularization : float
        Fraction of a task's mobility (squared sine of an angle in the metric of M^-1) below which
        a row gives way to rows before it. It bounds forces at singular configurations.

    Returns
    -------
    Controller
        state (), measurement (q, v), reference: that of each task in turn. The command is zero
        where there is no drive.

    Notes
    -----
    tau = h + M a_0 + A^T (A M^-1 A^T + E)^-1 (b - A a_0) with the acceleration a_0 that the posture
    asks for, and rows A a = b of the other tasks; E = 0 unless rows depend on rows before them.

    References
    ----------
    Khatib: A unified approach for motion and force control of robot manipulators, 1987. Sentis,
    Khatib: Synthesis of whole-body behaviors through hierarchical control, 2005. Umetani, Yoshida:
    Resolved motion rate control of space manipulators with generalized Jacobian matrix, 1989.

    Examples
    --------
    >>> import jounce
    >>> from jounce import control
    >>> robot = jounce.load("kuka_iiwa14")
    >>> hand, posture = control.FrameTask("tool"), control.PostureTask()
    >>> controller = control.operational_space(robot, [hand, posture])
    >>> q, v = robot.random(0), [0.0] * 7
    >>> goal = (*hand.hold(robot, q), *posture.hold(robot, q))
    >>> tau, _ = controller((), (q, v), goal)
    """
    tasks = (tasks,) if not isinstance(tasks, Sequence) else tuple(tasks)
    names = [task.name for task in tasks]
    moving = [task for task in tasks if not isinstance(task, PostureTask)]
    if not moving or len(moving) + isinstance(tasks[-1], PostureTask) < len(tasks):
        raise ArgumentError(
            f"{robot.name}: operational_space: expected tasks, with a PostureTask after them at"
            f" most, found {', '.join(names) or 'none'}"
        )
    if len(set(names)) < len(names):
        raise ArgumentError(
            f"{robot.name}: operational_space: expected each task once, found {', '.join(names)}"
        )
    gains: dict[str, ArrayLike] = {}
    reference: dict[str, Any] = {}
    system: Any = robot
    for task in tasks:
        checked = task.gains(system)
        gains |= {f"{task.name}_{name}": checked[name] for name in _gain_names(task)}
        reference |= task.reference(system)
    return Controller(
        robot,
        partial(_operational_space, tasks=tasks, driven=_drive_indices(robot, actuated)),
        gains={**gains, "regularization": _regularization(robot, regularization)},
        reference=reference,
        name="operational_space",
    )


def _drive_indices(robot: Robot | Mechanism, actuated: Sequence[str] | None) -> tuple[int, ...]:
    """Return the indices of velocities with a drive."""
    moving = {name: view for name, view in robot.joints.items() if view.joint.mimic is None}
    if actuated is None:
        actuated = [name for name, view in moving.items() if view.joint.kind != joints.FLOATING]
    driven = set()
    for name in actuated:
        if name not in moving:
            raise ArgumentError(
                f"{robot.name}: actuated: no joint {name!r} that moves independently;"
                f" {suggest(name, moving)}"
            )
        driven |= {*range(*moving[name].v.indices(len(moving) * 6))}
    return tuple(k for k, place in enumerate(robot.velocities) if place in driven)


def _regularization(robot: Robot | Mechanism, regularization: float) -> np.ndarray:
    """Return the regularization as an array."""
    value = np.asarray(regularization, dtype=float)
    if value.shape or not 0.0 < value < 1.0:
        raise ArgumentError(
            f"{robot.name}: regularization must be a number between 0 and 1, found {regularization}"
        )
    return value


# ------------------------------------------------------------------ impedance


class _Rows(NamedTuple):
    """Rows of a frame: Jacobian and its rate, reference velocity and its rate, spring forces."""

    J: Array
    J_rate: Array
    w: Array
    w_rate: Array
    spring: Array


def _frame_rows(model: TracedModel, task: FrameTask, q: Any, v: Any, goal: Any, K: Any) -> _Rows:
    """Return the rows of a frame with springs of stiffness K to the reference pose."""
    frame, (x_d, v_d, a_d) = model.frame(task.frame), goal
    T = frame.pose(q)
    if task.rows == "position":  # in world axes
        J, J_rate = frame.jacobian_mixed.rates(1)(q, v)
        return _Rows(J[3:], J_rate[3:], v_d, a_d, K * (x_d - T[:3, 3]))
    J, J_rate = frame.jacobian.rates(1)(q, v)
    if task.rows == "orientation":
        none, pose = scalar.zeros(3), T.copy()
        pose[:3, :3] = x_d
        x_d, v_d, a_d = pose, np.concatenate((v_d, none)), np.concatenate((a_d, none))
    error = tracking.pose_tracking_error(T, J @ v, x_d, v_d, a_d)
    n = _SIZES[task.rows]
    # the force of the potential e^T K e / 2, because de/dt = J_l^-1 (w - V)
    spring = lie.pose_jacobian_inverse(error.e)[:n, :n].T @ (K * error.e[:n])
    return _Rows(J[:n], J_rate[:n], error.v_d[:n], error.a_d[:n], spring)


def _cartesian_impedance(
    model: TracedModel,
    state: Any,
    measurement: Any,
    reference: Any,
    gains: Any,
    *,
    tasks: tuple[FrameTask, ...],
) -> Any:
    """Cartesian impedance control with a posture in the null space."""
    (q, v), rows, start = measurement, [], 0
    for k, task in enumerate(tasks):
        size, goal = _SIZES[task.rows], reference[3 * k : 3 * k + 3]
        K = gains.stiffness[start : start + size]
        rows.append(_frame_rows(model, task, q, v, goal, K))
        start += size
    J, J_rate, w, w_rate, spring = map(np.concatenate, zip(*rows, strict=True))
    M, C, g = model.equations_of_motion(q, v)
    Y = _response(M, J)
    Lambda = _Mobility(J @ Y, gains.regularization)
    V = J @ v
    y = Lambda.solve(V)
    inside = v - Y @ y  # velocity in the null space
    along = Y @ Lambda.solve(w) + inside
    e = model.difference(q, reference.q_d)
    posture = gains.posture_stiffness * e - gains.posture_damping * inside
    posture = posture - C.T @ (Y @ y) + J_rate.T @ y
    forces = Lambda.solve(w_rate + Y.T @ (C @ along) - J_rate @ along - Y.T @ posture)
    return g + posture + J.T @ (forces + spring + gains.damping * (w - V)), state


def cartesian_impedance(
    robot: Robot | Mechanism,
    frames: str | Sequence[str],
    stiffness: ArrayLike,
    damping: ArrayLike,
    *,
    rows: str | Mapping[str, str] = "pose",
    posture_stiffness: ArrayLike = 0.0,
    posture_damping: ArrayLike = 0.0,
    regularization: float = 1e-3,
) -> Controller:
    """Return Cartesian impedance control of frames, passive and without inertia shaping.

    Frames move as if springs and dampers connected them to their references, with their natural
    inertia: Lambda d(V - w)/dt + (C_task + damping) (V - w) = spring + F for external wrenches F,
    with the task inertia Lambda and the task Coriolis matrix of `Robot.task_space`. The posture
    moves in the null space and does not disturb the frames.

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the robot; a free joint counts as driven, by a wrench on the base.
    frames : str or sequence of str
        Frames that move.
    stiffness, damping : array_like (nr,) or float
        Stiffness in N m/rad and N/m and damping in N m s/rad and N s/m, rotation first.
    rows : str or mapping of str to str
        "pose" (6 rows, in the axes of the frame), "position" (3 rows in world axes) or
        "orientation" (3 rows in the axes of the frame), of all frames or by frame.
    posture_stiffness, posture_damping : array_like (nv,) or float
        Stiffness and damping in the null space, in N m/rad and N m s/rad, or N/m and N s/m.
    regularization : float
        As in `operational_space`; away from singular configurations it has no effect.

    Returns
    -------
    Controller
        state (), measurement (q, v), reference: for each frame that of `FrameTask`, for a pose
        (T_d, V_d, A_d), then q_d of the posture.

    Notes
    -----
    With the error e of a frame (`log(T^-1 T_d)`, or the difference of positions), the energy
    (V - w)^T Lambda (V - w) / 2 + e^T K e / 2 decreases at the rate (V - w)^T D (V - w), because
    dLambda/dt = C_task + C_task^T. The coupling B = (Jbar^T C - Lambda dJ/dt) N of frames and null
    space is replaced by forces J^T B v - B^T V, which have no power: v^T J^T B v = v^T B^T V.

    References
    ----------
    Ott: Cartesian impedance control of redundant and flexible-joint robots, 2008. Dietrich, Ott:
    Hierarchical impedance-based tracking control of kinematically redundant robots, 2020.

    Examples
    --------
    >>> import jounce
    >>> from jounce import control
    >>> robot = jounce.load("kuka_iiwa14")
    >>> stiffness = [20.0] * 3 + [500.0] * 3
    >>> controller = control.cartesian_impedance(robot, "tool", stiffness, 10.0)
    >>> q, v = robot.random(0), [0.0] * 7
    >>> tau, _ = controller((), (q, v), (robot.frame("tool").pose(q), [0.0] * 6, [0.0] * 6, q))
    """
    names = (frames,) if isinstance(frames, str) else tuple(frames)
    by_frame = dict.fromkeys(names, rows) if isinstance(rows, str) else dict(rows)
    if not names or len(set(names)) < len(names) or not by_frame.keys() <= {*names}:
        raise ArgumentError(
            f"{robot.name}: cartesian_impedance: expected different frames, and rows of these only,"
            f" found frames {names} and rows {rows!r}"
        )
    tasks = tuple(FrameTask(name, by_frame.get(name, "pose")) for name in names)
    system: Any = robot
    size = sum(_SIZES[task.rows] for task in tasks)
    gains = {
        **_per_row(robot, size, stiffness=stiffness, damping=damping),
        **per_joint(robot, posture_stiffness=posture_stiffness, posture_damping=posture_damping),
        "regularization": _regularization(robot, regularization),
    }
    reference: Arguments = {}
    for task in tasks:
        reference = {**reference, **task.reference(system)}
    return Controller(
        robot,
        partial(_cartesian_impedance, tasks=tasks),
        gains=gains,
        reference={**reference, "q_d": ("nq",)},
        name="cartesian_impedance",
    )


def _per_row(robot: Robot | Mechanism, size: int, **values: ArrayLike) -> dict[str, np.ndarray]:
    """Return gains of the rows of a task, (nr,) each."""
    gains = {}
    for name, value in values.items():
        x = np.asarray(value, dtype=float)
        if x.shape not in ((), (size,)) or not np.isfinite(x).all():
            raise ArgumentError(
                f"{robot.name}: cartesian_impedance: {name} must be a finite number or {size} of"
                f" them, found {value}"
            )
        gains[name] = np.broadcast_to(x, (size,)).copy()
    return gains
