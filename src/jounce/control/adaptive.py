"""Adaptive controllers of rigid robots: tracking with inertial parameters that are learned.

The parameters pi (nb, 10) are a state of the law. They move along the natural gradient of the
log-determinant metric on pseudo-inertias P: dP/dt = gamma P L P for a gradient y with
tr(L P) = y . pi, in steps after which every body is physically consistent, for any gain.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.control.controller import Controller, per_joint
from jounce.control.rigid import reference_motion
from jounce.control.traced_model import TracedModel
from jounce.errors import ArgumentError, ModelError
from jounce.formulas import pseudo_inertias
from jounce.math import linear
from jounce.model import inertia
from jounce.robot import Robot
from jounce.solve import Mechanism


def _without_masses(model: TracedModel) -> TracedModel:
    """Return the model without bodies: what remains are armature and springs."""
    return model.with_nodes(lambda node: replace(node, inertia=0.0 * node.inertia))


def _adaptive_torque(
    model: TracedModel, measurement: Any, reference: Any, gains: Any, pi: Any
) -> tuple[Any, Any]:
    """Return tau = M a_r + C v_r + g + kd s with parameters pi, and y = Y^T s."""
    q, v = measurement[:2]
    v_r, a_r = reference_motion(model, q, v, reference, gains.lam)
    s = v_r - v
    Y = model.slotine_li_regressor(q, v, v_r, a_r)
    M, C, g = _without_masses(model).equations_of_motion(q, v)
    tau = Y @ pi.ravel() + M @ a_r + C @ v_r + g + gains.kd * s
    return tau, Y.T @ s


def _next_parameters(pi: Any, y: Any, gains: Any) -> Any:
    """Return the parameters after one period."""
    steps = zip(pi, y.reshape(pi.shape), gains.gamma, strict=True)
    period = gains.period
    return np.stack([pseudo_inertias.natural_step(p, (g * period) * yi) for p, yi, g in steps])


def _slotine_li_adaptive(
    model: TracedModel, state: Any, measurement: Any, reference: Any, gains: Any
) -> Any:
    """Adaptive tracking of Slotine and Li: tau = Y pi + kd s, dP/dt = gamma P L(Y^T s) P."""
    tau, y = _adaptive_torque(model, measurement, reference, gains, state.pi_hat)
    return tau, (_next_parameters(state.pi_hat, y, gains),)


def slotine_li_adaptive(
    robot: Robot | Mechanism,
    kd: ArrayLike,
    lam: ArrayLike,
    gamma: ArrayLike,
    period: float,
    *,
    pi0: ArrayLike | None = None,
) -> Controller:
    """Return adaptive passivity-based tracking control, with physically consistent parameters.

    tau = Y(q, v, v_r, a_r) pi + kd s with v_r = v_d + lam e and s = v_r - v; armature and springs
    of the robot are added as they are. The state is pi (nb, 10).

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the robot; its masses count only as the default of `pi0`.
    kd : array_like (nv,) or float
        Damping in N m s/rad or N s/m.
    lam : array_like (nv,) or float
        Rate of convergence in 1/s; the same number for all velocities of a joint.
    gamma : array_like (nb,) or float
        Adaptation gain in 1/J, for each body; 0 keeps its parameters.
    period : float
        Time between calls in s.
    pi0 : array_like (nb, 10), optional
        First parameters, by default those of the robot. Directions in which a pseudo-inertia is
        singular (point masses, thin rods) stay singular.

    Returns
    -------
    Controller
        state (pi_hat,), measurement (q, v), reference (q_d, v_d, a_d).

    Raises
    ------
    ArgumentError
        If a shape is wrong.
    ModelError
        If a body of `pi0` is not physically consistent.

    Notes
    -----
    V = s^T M s / 2 + sum D(P || P_hat) / gamma with the Bregman divergence
    D = log(det P_hat / det P) + tr(P_hat^-1 P) - 4 decreases at the rate s^T kd s.

    References
    ----------
    Slotine, Li: On the adaptive control of robot manipulators, 1987.
    Lee, Kwon, Park: A natural adaptive control law for robot manipulators, 2018.
    """
    gains = _adaptive_gains(robot, kd, lam, gamma, period)
    state = {"pi_hat": _first_parameters(robot, pi0)}
    return Controller(
        robot, _slotine_li_adaptive, gains=gains, state=state, name="slotine_li_adaptive"
    )


def _composite_adaptive(
    model: TracedModel, state: Any, measurement: Any, reference: Any, gains: Any
) -> Any:
    """Adaptive tracking that also learns from the error of predicted torques.

    The momentum equation p' = tau + f with p = Y_p pi and f = C^T v - g = Y_f pi is integrated over
    each period and averaged by filters x+ = c x + (1 - c) u, c = T / (T + h), which gives
    W pi + known = 0 without accelerations.
    """
    q, v, tau = measurement
    pi, h, rest = state.pi_hat, gains.period, _without_masses(model)
    Y_p, Y_f = model.generalized_momentum.dpi(q, v), model.momentum_forces.dpi(q, v)
    p, f = rest.generalized_momentum(q, v), rest.momentum_forces(q, v)

    W, known, regressors, remainders = [], [], [], []
    for k, filter_time in enumerate(gains.filter_time):
        new = h / (filter_time + h)
        # each state holds c times the average minus what the next period subtracts
        W.append(state.regressor[k] + (new / h) * Y_p - (0.5 * new) * Y_f)
        known.append(state.known[k] + (new / h) * p - (0.5 * new) * f - new * tau)
        W[k], known[k] = state.started * W[k], state.started * known[k]
        regressors.append((1.0 - new) * W[k] - (new / h) * Y_p - (0.5 * new) * Y_f)
        remainders.append((1.0 - new) * known[k] - (new / h) * p - (0.5 * new) * f)

    command, y = _adaptive_torque(model, measurement, reference, gains, pi)
    rows, errors = np.concatenate(W), np.concatenate(known)
    y = y - rows.T @ _damped_errors(rows, rows @ pi.ravel() + errors, pi, gains)
    return command, (
        _next_parameters(pi, y, gains),
        np.stack(regressors),
        np.stack(remainders),
        1.0,
    )


def _damped_errors(W: Any, eps: Any, pi: Any, gains: Any) -> Any:
    """Return (K^-1 + T W G W^T)^-1 eps, with the natural metric's inverse G and the period T.

    It is K eps for short periods, and the step of the parameters never overshoots the errors.
    """
    rows = [row.reshape(pi.shape) for row in W]
    moves = [
        np.stack(
            [
                g * pseudo_inertias.natural_gradient(p, y)
                for p, y, g in zip(pi, row, gains.gamma, strict=True)
            ]
        )
        for row in rows
    ]
    weights = gains.period * (W @ np.stack([move.ravel() for move in moves], axis=1))
    kappa = np.concatenate([gains.kappa] * len(gains.filter_time))
    return linear.solve(weights + np.diag(1.0 / kappa), eps)


def composite_adaptive(
    robot: Robot | Mechanism,
    kd: ArrayLike,
    lam: ArrayLike,
    gamma: ArrayLike,
    kappa: ArrayLike,
    period: float,
    *,
    filter_time: ArrayLike = (0.02, 0.1, 0.5),
    pi0: ArrayLike | None = None,
) -> Controller:
    """Return adaptive tracking control that also learns from the error of predicted torques.

    The gradient of `slotine_li_adaptive` is extended by that of the error eps of the torques that
    the parameters predict: y = Y^T s - W^T kappa eps. W is the regressor of the momentum equation,
    averaged over `filter_time`, so that no acceleration is measured. Parameters converge under
    persistent excitation, except for combinations that no torque depends on.

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the robot; its masses count only as the default of `pi0`.
    kd, lam, gamma, period, pi0
        As in `slotine_li_adaptive`.
    kappa : array_like (nv,) or float
        Weight of the prediction error in W/(N m)^2 or W/N^2.
    filter_time : array_like (nf,) or float
        Time constants in s of the averages of torques. Several of them compare the parameters with
        several motions at once, so that high gains do not follow the latest motion only.

    Returns
    -------
    Controller
        state (pi_hat, regressor, known, started), measurement (q, v, tau) with the forces
        applied since the last call, reference (q_d, v_d, a_d).

    Raises
    ------
    ArgumentError
        If a shape is wrong.
    ModelError
        If a body of `pi0` is not physically consistent.

    Notes
    -----
    V of `slotine_li_adaptive` decreases at the rate s^T kd s + eps^T kappa eps.

    References
    ----------
    Slotine, Li: Composite adaptive control of robot manipulators, 1989.
    """
    gains = _adaptive_gains(robot, kd, lam, gamma, period)
    times = np.atleast_1d(np.asarray(filter_time, dtype=float))
    if times.ndim > 1 or not (times > 0.0).all():
        raise ArgumentError(
            f"{robot.name}: filter_time must be positive numbers, found {filter_time}"
        )
    gains |= {**per_joint(robot, kappa=kappa), "filter_time": times}
    pi = _first_parameters(robot, pi0)
    state = {
        "pi_hat": pi,
        "regressor": np.zeros((len(times), robot.nv, pi.size)),
        "known": np.zeros((len(times), robot.nv)),
        "started": np.zeros(()),
    }
    return Controller(
        robot,
        _composite_adaptive,
        gains=gains,
        state=state,
        measurement={"q": ("nq",), "v": ("nv",), "tau": ("nv",)},
        name="composite_adaptive",
    )


def _adaptive_gains(
    robot: Robot | Mechanism, kd: ArrayLike, lam: ArrayLike, gamma: ArrayLike, period: float
) -> dict[str, np.ndarray]:
    """Return the gains of adaptive laws."""
    nb = len(robot.model.parameters)
    rates = np.asarray(gamma, dtype=float)
    if rates.shape not in ((), (nb,)) or not np.isfinite(rates).all():
        raise ArgumentError(
            f"{robot.name}: gain 'gamma' must be a number or {nb} numbers, found {gamma}"
        )
    gains = per_joint(robot, kd=kd, lam=lam)
    return {**gains, "gamma": np.broadcast_to(rates, (nb,)).copy(), "period": np.asarray(period)}


def _first_parameters(robot: Robot | Mechanism, pi0: ArrayLike | None) -> np.ndarray:
    """Return checked inertial parameters (nb, 10)."""
    own = robot.model.parameters
    pi = own if pi0 is None else np.asarray(pi0, dtype=float)
    if pi.shape != own.shape:
        raise ArgumentError(f"{robot.name}: pi0 must have shape {own.shape}, found {pi.shape}")
    for body, parameters in zip(robot.model.bodies, pi, strict=True):
        if problem := inertia.problem(parameters):
            raise ModelError(f"{robot.name}: pi0 of '{body.name}' is not consistent: {problem}")
    return pi
