"""Observers of external forces from the momentum: torques, wrenches, collisions, disturbances.

The momentum p = M v obeys dp/dt = tau + f + tau_ext with f = C^T v - g, so that external forces
follow from positions, velocities and applied forces, without accelerations and without M^-1. Over a
period h the average external force is (p - p_last) / h - (f + f_last) / 2 - tau, to second order;
a filter r+ = r + K h / (1 + K h) (average - r) of bandwidth K gives the residual r.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.control.controller import Arguments, Controller, per_joint
from jounce.control.traced_model import TracedModel
from jounce.errors import ArgumentError
from jounce.math import linear, scalar
from jounce.robot import Robot
from jounce.solve import Mechanism

#: Encoders, and the forces applied since the last call.
FORCE_MEASUREMENT: Arguments = {"q": ("nq",), "v": ("nv",), "tau": ("nv",)}


def _average_forces(
    model: TracedModel, state: Any, measurement: Any, gains: Any, friction: bool
) -> tuple[Any, Any]:
    """Return the external forces averaged since the last call, and the momentum to remember."""
    q, v, tau = measurement
    if friction:
        tau = tau - model.friction_forces(q, v)
    p, impulse = model.generalized_momentum(q, v), 0.5 * gains.period * model.momentum_forces(q, v)
    return (p - impulse - state.momentum) / gains.period - tau, p + impulse


def _filter(estimate: Any, average: Any, started: Any, gains: Any) -> Any:
    """Return the estimate after one period; the first call only remembers the momentum."""
    rate = gains.bandwidth * gains.period
    return estimate + started * rate / (1.0 + rate) * (average - estimate)


def _residual(
    model: TracedModel, state: Any, measurement: Any, gains: Any, friction: bool
) -> tuple[Any, tuple[Any, ...]]:
    """Return the filtered external forces, and the state (residual, momentum, started)."""
    average, momentum = _average_forces(model, state, measurement, gains, friction)
    r = _filter(state.residual, average, state.started, gains)
    return r, (r, momentum, 1.0)


def _observer(
    robot: Robot | Mechanism,
    law: Callable[..., Any],
    bandwidth: ArrayLike,
    period: float,
    friction: bool,
    *,
    name: str,
    gains: Mapping[str, ArrayLike] | None = None,
    state: Mapping[str, ArrayLike] | None = None,
    rows: int | None = None,
) -> Controller:
    """Return a controller of checked gains that remembers the momentum."""
    for key, x in (("bandwidth", bandwidth), ("period", period)):
        if not np.all(np.asarray(x) > 0.0):
            raise ArgumentError(f"{robot.name}: {name}: {key} must be > 0, found {x}")
    size = robot.nv if rows is None else rows
    if np.shape(bandwidth) not in ((), (size,)):
        raise ArgumentError(
            f"{robot.name}: {name}: bandwidth must be a number or have shape ({size},), found shape"
            f" {np.shape(bandwidth)}"
        )
    first = state or {"residual": np.zeros(robot.nv)}
    return Controller(
        robot,
        partial(law, friction=friction),
        gains={"bandwidth": np.broadcast_to(bandwidth, size), "period": period, **(gains or {})},
        state={**first, "momentum": np.zeros(robot.nv), "started": 0.0},
        measurement=FORCE_MEASUREMENT,
        reference={},
        command=("nv",) if rows is None else (rows,),
        name=name,
    )


def _momentum_observer(
    model: TracedModel, state: Any, measurement: Any, reference: Any, gains: Any, *, friction: bool
) -> Any:
    """External joint forces from the momentum."""
    return _residual(model, state, measurement, gains, friction)


def momentum_observer(
    robot: Robot | Mechanism, bandwidth: ArrayLike, period: float, *, friction: bool = False
) -> Controller:
    """Return an observer of the external forces on all joints; its command is the estimate (nv,).

    A constant external force is approached at the rate of the bandwidth, dr/dt = K (tau_ext - r),
    whatever the motion. Needs neither accelerations nor the inverse mass matrix.

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the robot.
    bandwidth : array_like (nv,) or float
        K in 1/s; 100 estimates a step to 1 % in about 50 ms.
    period : float
        Time between calls in s.
    friction : bool
        Subtract the friction of the model's joints from tau (`robot.joint_friction`).

    Returns
    -------
    Controller
        state (residual, momentum, started), measurement (q, v, tau) with the forces applied since
        the last call (for elastic joints those of the springs), reference ().

    References
    ----------
    De Luca, Mattone: Sensorless robot collision detection and hybrid force/motion control, 2005.

    Examples
    --------
    >>> import jounce
    >>> from jounce import control
    >>> robot = jounce.load("kuka_iiwa14")
    >>> observer = control.momentum_observer(robot, 100.0, 0.001)
    >>> q, v = robot.neutral(), [0.0] * 7
    >>> external, state = observer(observer.initial_state(), (q, v, robot.gravity_forces(q)), ())
    """
    return _observer(
        robot, _momentum_observer, bandwidth, period, friction, name="momentum_observer"
    )


def _wrench_observer(
    model: TracedModel,
    state: Any,
    measurement: Any,
    reference: Any,
    gains: Any,
    *,
    frames: tuple[str, ...],
    rows: Any,
    friction: bool,
) -> Any:
    """Wrenches at frames from the momentum, by least squares."""
    average, momentum = _average_forces(model, state, measurement, gains, friction)
    J = model.task_space(*frames, rows=rows).jacobian(measurement.q)
    gram = J @ J.T + gains.regularization * scalar.identity(len(J))
    wrench = _filter(state.wrench, linear.solve(gram, J @ average), state.started, gains)
    return wrench, (wrench, momentum, 1.0)


def wrench_observer(
    robot: Robot | Mechanism,
    frames: str | Sequence[str],
    bandwidth: ArrayLike,
    period: float,
    *,
    rows: Any = "pose",
    regularization: float = 0.0,
    friction: bool = False,
) -> Controller:
    """Return an observer of the wrenches that act at frames; its command is the estimate (nr,).

    The wrench F = (J J^T + regularization)^-1 J tau_ext is filtered like the forces of
    `momentum_observer`. It is exact if all external forces act at the frames, and least squares
    otherwise.

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the robot.
    frames : str or sequence of str
        Frames on which the wrenches act.
    bandwidth : array_like (nr,) or float
        K in 1/s; 100 estimates a step to 1 % in about 50 ms.
    period, friction
        As in `momentum_observer`.
    rows : str, sequence of bool or mapping
        Rows of the wrenches (moment, force) that may differ from zero, as in `Robot.task_space`.
    regularization : float
        Number added to the eigenvalues of J J^T; needed near singular configurations only.

    Returns
    -------
    Controller
        state (wrench, momentum, started), measurement (q, v, tau) with the forces applied since
        the last call, reference (). The command has the wrenches (moment, force) on the frames, in
        their axes, about their origins.
    """
    names = (frames,) if isinstance(frames, str) else tuple(frames)
    task: Any = robot.task_space(*names, rows=rows)
    size = task.sizes["nr"]
    start = robot.reference if isinstance(robot, Mechanism) else robot.random(0)
    rank = np.linalg.matrix_rank(task.jacobian(robot.integrate(start, np.full(robot.nv, 0.01))))
    if rank < size and regularization == 0.0:
        raise ArgumentError(
            f"{robot.name}: wrench_observer: expected frames that move in all directions of the"
            f" wrenches, found {rank} of {size}; choose fewer with rows=, or set regularization"
        )
    return _observer(
        robot,
        partial(_wrench_observer, frames=names, rows=rows),
        bandwidth,
        period,
        friction,
        gains={"regularization": regularization},
        state={"wrench": np.zeros(size)},
        rows=size,
        name="wrench_observer",
    )


def _collision_detector(
    model: TracedModel, state: Any, measurement: Any, reference: Any, gains: Any, *, friction: bool
) -> Any:
    """Fast changes of external forces relative to thresholds."""
    r, (_, momentum, started) = _residual(model, state, measurement, gains, friction)
    drift = gains.drift_rate * gains.period
    offset = state.offset + drift / (1.0 + drift) * (r - state.offset)
    x = (r - offset) / gains.threshold
    command = scalar.array([scalar.maximum(xi, -xi) for xi in x])
    return command, (r, offset, momentum, started)


def collision_detector(
    robot: Robot | Mechanism,
    bandwidth: ArrayLike,
    threshold: ArrayLike,
    period: float,
    *,
    drift_rate: float = 0.0,
    friction: bool = False,
) -> Controller:
    """Return a detector of collisions; its command (nv,) exceeds 1 at joints that feel one.

    The command is |r - offset| / threshold with the residual r of `momentum_observer`. The offset
    follows r at the drift rate, so that slow errors of the model are not reported.

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the robot.
    bandwidth, period, friction
        As in `momentum_observer`.
    threshold : array_like (nv,) or float
        Forces in N m or N that are not reported.
    drift_rate : float
        Rate in 1/s at which constant forces are forgotten; 0 for never.

    Returns
    -------
    Controller
        state (residual, offset, momentum, started), measurement (q, v, tau), reference ().

    References
    ----------
    Haddadin, De Luca, Albu-Schaeffer: Robot collisions: a survey on detection, isolation, and
    identification, 2017.
    """
    limits = per_joint(robot, threshold=threshold)
    if not (limits["threshold"] > 0.0).all():
        raise ArgumentError(f"{robot.name}: threshold must be > 0, found {threshold}")
    return _observer(
        robot,
        _collision_detector,
        bandwidth,
        period,
        friction,
        gains={**limits, "drift_rate": drift_rate},
        state={"residual": np.zeros(robot.nv), "offset": np.zeros(robot.nv)},
        name="collision_detector",
    )


def _disturbance_observer(
    model: TracedModel, state: Any, measurement: Any, reference: Any, gains: Any, *, friction: bool
) -> Any:
    """Compensation of disturbances, estimated from the momentum."""
    r, state = _residual(model, state, measurement, gains, friction)
    return -r, state


def disturbance_observer(
    robot: Robot | Mechanism, bandwidth: ArrayLike, period: float, *, friction: bool = False
) -> Controller:
    """Return the compensation of unknown forces by a disturbance observer; add it to another law.

    tau = -r with the residual r of `momentum_observer`: loads, friction and errors of the model
    below the bandwidth are canceled, so that the other law tracks without offset.

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the robot.
    bandwidth, period, friction
        As in `momentum_observer`.

    Returns
    -------
    Controller
        state (residual, momentum, started), measurement (q, v, tau) with the forces applied since
        the last call, which include the compensation; reference ().

    References
    ----------
    Mohammadi, Tavakoli, Marquez, Hashemzadeh: Nonlinear disturbance observer design for robotic
    manipulators, 2013.

    Examples
    --------
    >>> import jounce
    >>> from jounce import control
    >>> robot = jounce.load("kuka_iiwa14")
    >>> tracking = control.computed_torque(robot, 100, 20)
    >>> controller = tracking + control.disturbance_observer(robot, 50, 0.001)
    """
    return _observer(
        robot, _disturbance_observer, bandwidth, period, friction, name="disturbance_observer"
    )
