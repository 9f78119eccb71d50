"""Options of an identification by simulation: servos, what is estimated, and windows."""

# without "from __future__ import annotations": the command line reads the types of the options
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError, suggest
from jounce.identification.simulation.servo_parameters import ESTIMABLE

Integrator = Literal["rk4", "euler", "implicit_midpoint"]


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulationModel:
    """Model of a robot with servos, which `identify` simulates along a log without torques.

    The servos apply tau = kp (q_c - q) + kd (v_c - v) + tau_c, within the limit of the torque, with
    the commands of the log; if it has no commands, tau is the torque constant times the current.

    Parameters
    ----------
    estimate : sequence of str
        What is estimated: "inertia", "armature", "damping", "friction", "stribeck_friction",
        "stribeck_velocity", "load_friction", "friction_smoothing", "load_smoothing", "stiffness",
        "spring_reference", "kp", "kd", "stall_torque", "no_load_speed", "delay" and
        "torque_constant". The fit starts from the values given here and from those of the robot.
    kp, kd : float or array_like (nv,)
        Gains of the servos (N m/rad and N m s/rad, or N/m and N s/m).
    stall_torque : float or array_like (nv,)
        Largest torque of the servos at rest (N m or N); by default not limited.
    no_load_speed : float or array_like (nv,)
        Speed at which no torque is left (rad/s or m/s): the limit in the direction of motion is
        stall_torque (1 - |v| / no_load_speed). By default it does not depend on the speed.
    delay : float
        Time until commands act, in s.
    torque_constant : float or array_like (nv,)
        Torque per unit of current, on the joint side of the gear.
    period : float
        Time between updates of the servos in s, in which torques are constant, and step of the
        integrator; it is rounded to a fraction of the time between samples.
    integrator : {"rk4", "euler", "implicit_midpoint"}
        Integrator of a step.
    smoothing : float
        Speed below which dry friction fades (rad/s or m/s), of joints without one of their own.
    window : float
        Length of a window in s; each has an estimated initial state.
    held_out : float
        Share of the windows that are left out of the fit, for validation.
    noise : float or array_like (nv,)
        Standard deviation of measured positions (rad or m); by default estimated from residuals.
    starts : int
        Number of starts: the given one, and random ones around it. Those with the least residuals
        are fitted, and the best fit is the result.
    spread : float
        Factor, larger than 1, up to which random starts differ from the given one.
    iterations : int
        Maximum number of iterations of a fit.
    seed : int
        Seed of the random starts.

    Examples
    --------
    >>> from jounce.identification import SimulationModel
    >>> model = SimulationModel(estimate=("damping", "delay"), kp=100.0, kd=5.0, window=0.25)
    >>> model.estimate
    ('damping', 'delay')
    """

    estimate: Sequence[str] = ("armature", "damping", "friction")
    kp: ArrayLike | None = None
    kd: ArrayLike | None = None
    stall_torque: ArrayLike | None = None
    no_load_speed: ArrayLike | None = None
    delay: float = 0.0
    torque_constant: ArrayLike | None = None
    period: float = 1e-3
    integrator: Integrator = "rk4"
    smoothing: float = 0.05
    window: float = 0.5
    held_out: float = 0.2
    noise: ArrayLike | None = None
    starts: int = 1
    spread: float = 3.0
    iterations: int = 50
    seed: int = 0

    def __post_init__(self) -> None:
        for name in self.estimate:
            if name not in ESTIMABLE:
                raise ArgumentError(
                    f"estimate: '{name}' cannot be estimated;"
                    f" {suggest(name, dict.fromkeys(ESTIMABLE))}"
                )
        if not self.estimate or len(set(self.estimate)) < len(self.estimate):
            raise ArgumentError(
                f"estimate: expected different names of parameters, found {list(self.estimate)}"
            )
        for name in ("period", "smoothing", "window"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0.0):
                raise ArgumentError(f"{name}: expected a number > 0, found {value!r}")
        for name, least in (("starts", 1), ("iterations", 1)):
            if getattr(self, name) < least:
                raise ArgumentError(f"{name}: expected >= {least}, found {getattr(self, name)!r}")
        if not (0.0 <= self.held_out <= 0.5 and self.spread > 1.0 and 0.0 <= self.delay < np.inf):
            raise ArgumentError(
                "expected held_out from 0 to 0.5, spread > 1 and delay >= 0, found"
                f" {self.held_out!r}, {self.spread!r} and {self.delay!r}"
            )
        if self.integrator not in ("rk4", "euler", "implicit_midpoint"):
            raise ArgumentError(
                "integrator: choose one of rk4, euler, implicit_midpoint, found"
                f" {self.integrator!r}"
            )
        if self.no_load_speed is not None and self.stall_torque is None:
            raise ArgumentError("no_load_speed needs stall_torque; give both")
