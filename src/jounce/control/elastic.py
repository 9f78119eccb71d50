"""Controllers of robots with elastic joints: feedforward, linearization, backstepping, motor PD.

The model is that of `jounce.elastic`: links M a + C v + g = tau_s, springs tau_s = K x with the
deflection x = theta - q, motors J d2theta/dt2 + d dtheta/dt + tau_s = tau, all seen after the gear.
With tau_s and its rates, M^-1 gives acceleration and jerk of the links without differentiating
measurements, and the inverse dynamics up to d2tau_s/dt2 gives the motor torque for a snap.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jounce.control.controller import SMOOTH_MOTION, Arguments, Controller, per_joint
from jounce.control.traced_model import TracedModel
from jounce.errors import ArgumentError
from jounce.math import scalar
from jounce.robot import Robot
from jounce.solve import Mechanism
from jounce.solve.elastic import Drives

#: Measured by encoders on both sides of the springs.
ELASTIC_MEASUREMENT: Arguments = {
    "q": ("nq",),
    "v": ("nv",),
    "theta": ("nv",),
    "dtheta": ("nv",),
}

#: Adjustable springs: also their stiffness and its rate.
VARIABLE_MEASUREMENT: Arguments = {**ELASTIC_MEASUREMENT, "K": ("nv",), "dK": ("nv",)}
VARIABLE_MOTION: Arguments = {
    **SMOOTH_MOTION,
    "K_d": ("nv",),
    "dK_d": ("nv",),
    "ddK_d": ("nv",),
}


def _drives(robot: Robot | Mechanism, **numbers: ArrayLike) -> dict[str, np.ndarray]:
    """Return checked numbers of the drives, (nv,) each."""
    drives = Drives(robot)
    return {
        name: drives.numbers(name, np.asarray(x, dtype=float)).copy() for name, x in numbers.items()
    }


def _all_elastic(
    robot: Robot | Mechanism, law: str, stiffness: ArrayLike, motor_inertia: ArrayLike
) -> None:
    """Raise an error unless all joints have springs and motors with inertia."""
    drives = Drives(robot)
    K = drives.numbers("stiffness", np.asarray(stiffness, dtype=float))
    J = drives.numbers("motor_inertia", np.asarray(motor_inertia, dtype=float))
    for name, elastic, inertia in zip(drives.names, np.isfinite(K), J > 0.0, strict=True):
        if not (elastic and inertia):
            problem = "no motor inertia" if elastic else "a rigid drive or none"
            raise ArgumentError(
                f"{robot.name}: {law} needs a spring and a motor with inertia at every joint, found"
                f" joint '{name}' with {problem}; flatness_feedforward takes rigid joints too"
            )


def _motor_coordinates(model: TracedModel, q: Any) -> Any:
    """Return the coordinates q (nv,) from which springs deflect; 0 without a drive."""
    places = Drives(model.system).places
    return scalar.array([0.0 if place is None else q[place] for place in places])


# ------------------------------------------------------------------ feedforward


def _flatness_feedforward(
    model: TracedModel, state: Any, measurement: Any, reference: Any, gains: Any
) -> Any:
    """Flatness-based feedforward of elastic joints with PD control of the motors."""
    none = scalar.zeros(model.nv)
    theta_d, dtheta_d, _, tau_d, _ = model.elastic_inverse_dynamics(
        *reference, gains.stiffness, gains.damping, gains.motor_inertia, none, none
    )
    error, rate = theta_d - measurement.theta, dtheta_d - measurement.dtheta
    return tau_d + gains.kp * error + gains.kd * rate, state


def flatness_feedforward(
    robot: Robot | Mechanism,
    stiffness: ArrayLike,
    motor_inertia: ArrayLike,
    *,
    damping: ArrayLike = 0.0,
    kp: ArrayLike = 0.0,
    kd: ArrayLike = 0.0,
) -> Controller:
    """Return the exact feedforward of elastic joints with PD control of the motors.

    tau = tau_d + kp (theta_d - theta) + kd (dtheta_d - dtheta), where the motor position theta_d
    and torque tau_d follow from the reference up to the snap (`robot.elastic_inverse_dynamics`).

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the links.
    stiffness, motor_inertia, damping : array_like (nv,) or float
        K > 0 in N m/rad or N/m (np.inf: rigid), inertia of the motors in kg m^2 or kg, their
        viscous friction.
    kp, kd : array_like (nv,) or float
        Stiffness and damping of the motors' control, in N m/rad and N m s/rad.

    Returns
    -------
    Controller
        state (), measurement (q, v, theta, dtheta), reference (q_d, v_d, a_d, j_d, s_d).
    """
    numbers = _drives(robot, stiffness=stiffness, motor_inertia=motor_inertia, damping=damping)
    return Controller(
        robot,
        _flatness_feedforward,
        gains={**numbers, **_drive_gains(robot, kp=kp, kd=kd)},
        measurement=ELASTIC_MEASUREMENT,
        reference=SMOOTH_MOTION,
        name="flatness_feedforward",
    )


def _drive_gains(robot: Robot | Mechanism, **values: ArrayLike) -> dict[str, np.ndarray]:
    """Return gains (nv,) that are zero where there is no drive."""
    driven = Drives(robot).driven
    return {name: np.where(driven, x, 0.0) for name, x in per_joint(robot, **values).items()}


# ------------------------------------------------------------------ feedback linearization


class _Springs(NamedTuple):
    """Stiffness and deflection of springs with their rates, and the motors' numbers."""

    K: Any
    dK: Any
    x: Any
    dx: Any
    J: Any
    d: Any

    @property
    def tau(self) -> Any:
        """Torque of the springs."""
        return self.K * self.x

    @property
    def dtau(self) -> Any:
        """Rate of the torque."""
        return self.dK * self.x + self.K * self.dx

    def motor_torque(self, dtheta: Any, a: Any, ddtau: Any, ddK: Any = 0.0) -> Any:
        """Return the motor torque that gives the springs' torque a second derivative."""
        ddx = (ddtau - ddK * self.x - 2.0 * (self.dK * self.dx)) / self.K
        return self.J * (a + ddx) + self.d * dtheta + self.tau


def _springs(model: TracedModel, measurement: Any, gains: Any) -> _Springs:
    """Return the springs of constant stiffness in a measured state."""
    x = measurement.theta - _motor_coordinates(model, measurement.q)
    dx = measurement.dtheta - measurement.v
    none = scalar.zeros(model.nv)
    return _Springs(gains.stiffness, none, x, dx, gains.motor_inertia, gains.damping)


def _snap_torque(
    model: TracedModel, springs: _Springs, measurement: Any, reference: Any, gains: Any
) -> tuple[Any, Any]:
    """Return a, and d2tau_s/dt2 for which the error obeys the linear equation of fourth order."""
    q, v = measurement.q, measurement.v
    q_d, v_d, a_d, j_d, s_d = reference[:5]
    a, j = model.forward_dynamics.rates(1)(q, v, springs.tau, springs.dtau)
    e = model.tracking_error(q, v, q_d, v_d, a_d).e
    s = s_d + gains.k3 * (j_d - j) + gains.k2 * (a_d - a) + gains.k1 * (v_d - v) + gains.k0 * e
    return a, model.inverse_dynamics.rates(2)(q, v, a, j, s)[2]


def _feedback_linearization(
    model: TracedModel, state: Any, measurement: Any, reference: Any, gains: Any
) -> Any:
    """Feedback linearization of elastic joints with constant stiffness."""
    springs = _springs(model, measurement, gains)
    a, ddtau = _snap_torque(model, springs, measurement, reference, gains)
    return springs.motor_torque(measurement.dtheta, a, ddtau), state


def _pole_gains(robot: Robot | Mechanism, bandwidth: ArrayLike) -> dict[str, np.ndarray]:
    """Return the gains that place four poles at -bandwidth."""
    w = per_joint(robot, bandwidth=bandwidth)["bandwidth"]
    if not (w > 0.0).all():
        raise ArgumentError(f"{robot.name}: bandwidth must be > 0, found {w}")
    return {"k0": w**4, "k1": 4.0 * w**3, "k2": 6.0 * w**2, "k3": 4.0 * w}


def feedback_linearization(
    robot: Robot | Mechanism,
    stiffness: ArrayLike,
    motor_inertia: ArrayLike,
    bandwidth: ArrayLike,
    *,
    damping: ArrayLike = 0.0,
) -> Controller:
    """Return the control of elastic joints whose link error is exactly linear, of fourth order.

    The motor torque makes the snap of the links s = s_d + k3 (j_d - j) + k2 (a_d - a)
    + k1 (v_d - v) + k0 e. Acceleration and jerk are not measured: they follow from the torque of
    the springs K (theta - q) and its rate. All four poles lie at -bandwidth; `with_gains` sets k0
    to k3 one by one.

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the links; every joint needs an elastic drive.
    stiffness, motor_inertia, damping : array_like (nv,) or float
        K > 0 in N m/rad or N/m, inertia of the motors in kg m^2 or kg, their viscous friction.
    bandwidth : array_like (nv,) or float
        Rate of convergence in 1/s.

    Returns
    -------
    Controller
        state (), measurement (q, v, theta, dtheta), reference (q_d, v_d, a_d, j_d, s_d).

    References
    ----------
    Spong: Modeling and control of elastic joint robots, 1987. De Luca, Book: Robots with flexible
    elements, Springer Handbook of Robotics, 2016.
    """
    _all_elastic(robot, "feedback_linearization", stiffness, motor_inertia)
    numbers = _drives(robot, stiffness=stiffness, motor_inertia=motor_inertia, damping=damping)
    return Controller(
        robot,
        _feedback_linearization,
        gains={**numbers, **_pole_gains(robot, bandwidth)},
        measurement=ELASTIC_MEASUREMENT,
        reference=SMOOTH_MOTION,
        name="feedback_linearization",
    )


def _stiffness_decoupling(
    model: TracedModel, state: Any, measurement: Any, reference: Any, gains: Any
) -> Any:
    """Decoupling control of motion and stiffness of joints with adjustable springs."""
    q, v, theta, dtheta, K, dK = measurement
    x, dx = theta - _motor_coordinates(model, q), dtheta - v
    springs = _Springs(K, dK, x, dx, gains.motor_inertia, gains.damping)
    a, ddtau = _snap_torque(model, springs, measurement, reference, gains)
    ddK = reference.ddK_d + gains.stiffness_kd * (reference.dK_d - dK)
    ddK = ddK + gains.stiffness_kp * (reference.K_d - K)
    return np.stack((springs.motor_torque(dtheta, a, ddtau, ddK), ddK)), state


def stiffness_decoupling(
    robot: Robot | Mechanism,
    motor_inertia: ArrayLike,
    bandwidth: ArrayLike,
    stiffness_bandwidth: ArrayLike,
    *,
    damping: ArrayLike = 0.0,
) -> Controller:
    """Return the decoupling control of motion and stiffness of variable-stiffness joints.

    The command has two rows: motor torques, and the second time derivative of the stiffness that
    the stiffness motors have to produce. Link errors are linear of fourth order, as with
    `feedback_linearization`, and errors of the stiffness are linear of second order, whatever the
    other does.

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the links; every joint needs an elastic drive.
    motor_inertia, damping : array_like (nv,) or float
        Inertia of the motors in kg m^2 or kg, and their viscous friction.
    bandwidth, stiffness_bandwidth : array_like (nv,) or float
        Rates of convergence of motion and of stiffness in 1/s.

    Returns
    -------
    Controller
        state (), measurement (q, v, theta, dtheta, K, dK), reference (q_d, v_d, a_d, j_d, s_d,
        K_d, dK_d, ddK_d), command (2, nv).

    References
    ----------
    De Luca, Flacco, Bicchi, Schiavi: Nonlinear decoupled motion-stiffness control, 2009.
    """
    _all_elastic(robot, "stiffness_decoupling", 1.0, motor_inertia)
    w = per_joint(robot, stiffness_bandwidth=stiffness_bandwidth)["stiffness_bandwidth"]
    numbers = _drives(robot, motor_inertia=motor_inertia, damping=damping)
    of_stiffness = {"stiffness_kp": w * w, "stiffness_kd": 2.0 * w}
    return Controller(
        robot,
        _stiffness_decoupling,
        gains={**numbers, **_pole_gains(robot, bandwidth), **of_stiffness},
        measurement=VARIABLE_MEASUREMENT,
        reference=VARIABLE_MOTION,
        command=(2, "nv"),
        name="stiffness_decoupling",
    )


# ------------------------------------------------------------------ passivity


def _backstepping(
    model: TracedModel, state: Any, measurement: Any, reference: Any, gains: Any
) -> Any:
    """Backstepping from the passivity-based law of the links to the motors."""
    q, v = measurement.q, measurement.v
    q_d, v_d, a_d, j_d, s_d = reference
    springs = _springs(model, measurement, gains)
    a, j = model.forward_dynamics.rates(1)(q, v, springs.tau, springs.dtau)
    e = model.tracking_error(q, v, q_d, v_d, a_d).e
    lam = gains.lam
    w = [v_d + lam * e, a_d + lam * (v_d - v), j_d + lam * (a_d - a), s_d + lam * (j_d - j)]
    M, C, g, dM, dC, dg, ddM, ddC, ddg = model.equations_of_motion.rates(2)(q, v, a, j)
    r, dr, ddr = (x - y for x, y in zip((v, a, j), w, strict=False))
    tau_d = M @ w[1] + C @ w[0] + g - gains.kd * r
    dtau_d = dM @ w[1] + M @ w[2] + dC @ w[0] + C @ w[1] + dg - gains.kd * dr
    ddtau_d = ddM @ w[1] + 2.0 * (dM @ w[2]) + M @ w[3] + ddg - gains.kd * ddr
    ddtau_d = ddtau_d + ddC @ w[0] + 2.0 * (dC @ w[1]) + C @ w[2]
    z, dz = springs.tau - tau_d, springs.dtau - dtau_d
    y = dz + gains.k1 * z + springs.K * r
    ddz = -gains.k2 * y - z - gains.k1 * dz - springs.K * dr
    return springs.motor_torque(measurement.dtheta, a, ddtau_d + ddz), state


def backstepping(
    robot: Robot | Mechanism,
    stiffness: ArrayLike,
    motor_inertia: ArrayLike,
    kd: ArrayLike,
    lam: ArrayLike,
    k1: ArrayLike,
    k2: ArrayLike,
    *,
    damping: ArrayLike = 0.0,
) -> Controller:
    """Return passivity-based tracking control of elastic joints, by backstepping.

    The springs' torque tau_s tracks that of `slotine_li` for the links. With r = v - v_r,
    z = tau_s - tau_sd and y = dz/dt + k1 z + K r, the energy r^T M r / 2 + z^T K^-1 z / 2
    + y^T K^-1 y / 2 decreases at the rate r^T kd r + z^T K^-1 k1 z + y^T K^-1 k2 y.

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the links; every joint needs an elastic drive.
    stiffness, motor_inertia, damping : array_like (nv,) or float
        K > 0 in N m/rad or N/m, inertia of the motors in kg m^2 or kg, their viscous friction.
    kd, lam : array_like (nv,) or float
        Damping of the links in N m s/rad, and rate of convergence in 1/s, as in `slotine_li`.
    k1, k2 : array_like (nv,) or float
        Rates of convergence of the torque and its rate in 1/s.

    Returns
    -------
    Controller
        state (), measurement (q, v, theta, dtheta), reference (q_d, v_d, a_d, j_d, s_d).

    References
    ----------
    Lozano, Brogliato: Adaptive control of robot manipulators with flexible joints, 1992. Ott:
    Cartesian impedance control of redundant and flexible-joint robots, 2008.
    """
    _all_elastic(robot, "backstepping", stiffness, motor_inertia)
    numbers = _drives(robot, stiffness=stiffness, motor_inertia=motor_inertia, damping=damping)
    return Controller(
        robot,
        _backstepping,
        gains={**numbers, **per_joint(robot, kd=kd, lam=lam, k1=k1, k2=k2)},
        measurement=ELASTIC_MEASUREMENT,
        reference=SMOOTH_MOTION,
        name="backstepping",
    )


def _motor_pd(
    model: TracedModel,
    state: Any,
    measurement: Any,
    reference: Any,
    gains: Any,
    *,
    iterations: int,
) -> Any:
    """PD control of the motors with gravity compensation and reduced motor inertia."""
    q, theta = measurement.q, measurement.theta
    x = theta - _motor_coordinates(model, q)
    weight = scalar.zeros(model.nv)
    for _ in range(iterations):
        weight = model.gravity_forces(model.integrate(q, x - weight / gains.stiffness))
    desired = _motor_coordinates(model, reference.q_d)
    desired = desired + model.gravity_forces(reference.q_d) / gains.stiffness
    u = gains.kp * (desired - theta) - gains.kd * measurement.dtheta + weight
    tau_s = gains.stiffness * x
    return gains.inertia_ratio * (u - tau_s) + tau_s, state


def motor_pd(
    robot: Robot | Mechanism,
    stiffness: ArrayLike,
    kp: ArrayLike,
    kd: ArrayLike,
    *,
    inertia_ratio: ArrayLike = 1.0,
    iterations: int = 3,
) -> Controller:
    """Return passivity-based PD control of the motors with torque feedback.

    tau = rho (u - tau_s) + tau_s with tau_s = K (theta - q) and u = kp (theta_d - theta)
    - kd dtheta + g(q_bar(theta)): the motors then move as if their inertia were J / rho. q_bar is
    the equilibrium q + K^-1 g(q) = theta, which depends on motor positions only, so that the
    closed loop is passive.

    Parameters
    ----------
    robot : Robot or Mechanism
        Model of the links; every joint needs an elastic drive.
    stiffness : array_like (nv,) or float
        K > 0 in N m/rad or N/m.
    kp, kd : array_like (nv,) or float
        Stiffness and damping of the motors' control, in N m/rad and N m s/rad.
    inertia_ratio : array_like (nv,) or float
        rho = J / J_desired >= 1.
    iterations : int
        Iterations of q_bar; each gains the digits of K / (dg/dq).

    Returns
    -------
    Controller
        state (), measurement (q, v, theta, dtheta), reference (q_d,).

    References
    ----------
    Albu-Schaeffer, Ott, Hirzinger: A unified passivity-based control framework for position,
    torque and impedance control of flexible joint robots, 2007.
    """
    _all_elastic(robot, "motor_pd", stiffness, 1.0)
    gains = per_joint(robot, kp=kp, kd=kd, inertia_ratio=inertia_ratio)
    return Controller(
        robot,
        partial(_motor_pd, iterations=iterations),
        gains={**_drives(robot, stiffness=stiffness), **gains},
        measurement=ELASTIC_MEASUREMENT,
        reference={"q_d": ("nq",)},
        name="motor_pd",
    )
