"""From a log without torques to parameters: windows, starts, fit, validation, warnings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError, DataError, DataWarning, ModelError, warn
from jounce.identification.simulation.estimation import (
    Identifiability,
    ServoFit,
    guess_noise,
    rms,
)
from jounce.identification.simulation.servo import CURVE, GAINS, RUBBING, Servos
from jounce.identification.simulation.servo_log import read_servo_log
from jounce.identification.simulation.servo_parameters import ServoParameters
from jounce.identification.simulation.shooting import Shooting, Windows
from jounce.identification.simulation.simulated_result import SimulatedIdentification
from jounce.identification.simulation.simulation_model import SimulationModel
from jounce.identification.units import UnitOptions
from jounce.identification.workers import one_blas_thread
from jounce.model import DRIVES
from jounce.robot import Robot

#: Maximum number of times that noise is estimated from residuals, and change at which it ends.
_NOISE_ROUNDS, _NOISE_CHANGE = 4, 0.03

#: Number of starts, besides the given one, that are fitted.
_FITTED_STARTS = 2

#: Spread of coordinates of bodies, relative to that of logarithms of the other parameters.
_INERTIAL_SPREAD = 0.3

#: Typical delay in s.
_DELAY = 0.01

#: Time constant in s that relates sizes of torques to those of motions.
_TIME_SCALE = 0.1

#: Time in s at the start of logs, besides twice the delay, in which earlier commands may act.
_MARGIN = 0.05

#: Ratio of residuals of held-out windows to those of the fit that causes a warning.
_MAX_RATIO = 2.0


class SimulatedFit:
    """An identification by simulation, step by step; see `jounce.identify`."""

    def __init__(
        self,
        robot: Any,
        data: Any,
        model: SimulationModel,
        *,
        fixed: Sequence[str] = (),
        regularization: float = 1e-2,
        columns: Any = None,
        units: UnitOptions | None = None,
    ) -> None:
        if not isinstance(robot, Robot) or robot.model.loops:
            raise ModelError(
                f"identification by simulation: expected a robot without closed loops, found"
                f" '{robot.name}'; identify its parameters from torques instead"
            )
        self.robot, self.model, self.weight = _with_smoothing(robot, model), model, regularization
        items = list(data) if isinstance(data, list | tuple) else [data]
        self.logs = [read_servo_log(item, self.robot, columns, units) for item in items]
        kinds = {log.has for log in self.logs}
        if len(kinds) != 1:
            raise DataError(
                "identification by simulation: logs have different commands; pass logs with the"
                " same columns"
            )
        self.has: frozenset[str] = kinds.pop()
        step = float(np.median(np.concatenate([np.diff(log.t) for log in self.logs])))
        delayed = "delay" in model.estimate or model.delay > 0.0
        margin = 2.0 * model.delay + _MARGIN if delayed else 0.0
        length = max(4, round(model.window / step) + 1)
        windows = Windows.of(self.robot, self.logs, length, margin)
        held = _held_out(len(windows), model.held_out)
        self.train, self.test = windows[~held], windows[held]
        if not len(self.train):
            raise DataError(
                f"{self.logs[0].source}: no window of {model.window:g} s without gaps; choose a"
                " shorter window, or record more data"
            )
        start = self._start()
        self.parameters = ServoParameters.of(
            self.robot, model.estimate, fixed, start, self._sizes(start)
        )
        if not len(self.parameters.sizes):
            raise ArgumentError("estimate: no joint or link has the parameters to estimate")
        curve = tuple(name for name in CURVE if name in start)
        drives = tuple(name for name in DRIVES if name in model.estimate)
        servos = Servos(self.robot, "inertia" in model.estimate, drives, curve, model.integrator)
        self.shooting = Shooting(servos, self.parameters, model.period, "current" in self.has)

    def _start(self) -> dict[str, np.ndarray]:
        """Return the start values of all parameters by name."""
        robot, model = self.robot, self.model
        out = {name: _by_velocity(robot, name) for name in DRIVES}
        out["inertia"] = robot.model.parameters.copy()
        for name in (*GAINS, *CURVE, "torque_constant"):
            value = getattr(model, name)
            if value is None:
                if name in GAINS and "q" in self.has:
                    raise ArgumentError(
                        f"the log has commands of positions, so {name} is needed; pass an"
                        " approximate value, and estimate it"
                    )
                if name in model.estimate or (name == "torque_constant" and self._uses_currents):
                    raise ArgumentError(f"{name}: pass a value from which the fit can start")
                if name in CURVE:
                    continue
                value = 0.0 if name in GAINS else 1.0
            out[name] = _per_velocity(robot, name, value)
        if "torque_constant" in model.estimate and not self._uses_currents:
            raise ArgumentError("torque_constant: the log has no currents to estimate it from")
        if "stribeck_friction" in model.estimate and not np.all(out["stribeck_velocity"] > 0.0):
            raise ArgumentError(
                "stribeck_friction needs a start of stribeck_velocity; use"
                " robot.edit.with_friction(stribeck_velocity=...)"
            )
        return out | {"delay": np.array(model.delay)}

    @property
    def _uses_currents(self) -> bool:
        return any(log.currents is not None for log in self.logs)

    def _sizes(self, start: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return typical sizes (nv,) of parameters that may start at zero."""
        q = self.train.measured[:, 0]
        diagonals = np.diagonal(self.robot.mass_matrix(q), axis1=-2, axis2=-1)
        inertia = np.maximum(np.mean(diagonals, axis=0), 1e-6)
        speed = np.maximum(np.sqrt(np.mean(self.train.v**2, axis=0)), 1e-2)
        weight = np.sqrt(np.mean(self.robot.gravity_forces(q) ** 2, axis=0))
        torque = inertia * speed / _TIME_SCALE + weight
        ones = np.ones(self.robot.nv)
        out: dict[str, np.ndarray] = {"friction": torque, "stribeck_friction": torque}
        out |= {"load_smoothing": torque, "friction_smoothing": self.model.smoothing * ones}
        out |= {"armature": inertia, "damping": torque / speed, "stiffness": torque}
        out |= {"stribeck_velocity": speed, "load_friction": 0.1 * ones, "spring_reference": ones}
        out["delay"] = np.array([_DELAY])
        return out | {
            name: np.where(x > 0.0, x, 1.0) for name, x in start.items() if name not in out
        }

    # -------------------------------------------------------------- fit

    def identifiability(self) -> Identifiability:
        """Return what the data say about the parameters, at the start."""
        x = self.parameters.first
        sigma = guess_noise(self.train, self.shooting)
        if self.model.noise is not None:
            sigma[: self.robot.nv] = _per_velocity(self.robot, "noise", self.model.noise)
        return self._analyze(ServoFit(self.shooting, self.train, x, sigma, self.weight))

    def _analyze(self, fit: ServoFit) -> Identifiability:
        equations = self.shooting.factor(fit.windows, fit.x, fit.sigma)
        n = len(fit.x)
        if not equations.states:
            raise DataError(
                "identification by simulation: simulations from the start diverge; correct gains or"
                " parameters, or choose a shorter period or window"
            )
        return Identifiability.of(
            self.parameters, equations.R[:, :n], self.parameters.slopes(fit.x)
        )

    def run(self) -> SimulatedIdentification:
        """Fit the parameters, validate them, and warn."""
        with one_blas_thread():
            result = self._run()
        for message in self._problems(result):
            result.warnings.append(message)
            warn(f"{self.logs[0].source}: {message}", DataWarning)
        return result

    def _run(self) -> SimulatedIdentification:
        predicted = self.identifiability()
        first = self.parameters.first
        noise = self.model.noise
        before = ServoFit(self.shooting, self.train, first, np.ones(1), self.weight)
        before.windows = before.refine_states(self.train)
        before.sigma = before.noise(before.floor)
        if noise is not None:
            before.sigma[: self.robot.nv] = _per_velocity(self.robot, "noise", noise)
        noise_is_known = noise is not None
        fit = min(
            (self._fit(x, before.sigma, noise_is_known) for x in self._starts(before)),
            key=lambda f: f[1],
        )[0]
        test = {f: f.refine_states(self.test) for f in (before, fit)}
        scale = self.parameters.slopes(fit.x)
        equations = self.shooting.factor(fit.windows, fit.x, fit.sigma)
        R = equations.R[:, : len(first)]
        information = R.T @ R + self.weight * np.eye(len(first))
        return SimulatedIdentification(
            robot=self.robot,
            model=self.model,
            space=self.parameters,
            x=fit.x,
            predicted=predicted,
            identifiability=Identifiability.of(self.parameters, R, scale),
            covariance=scale @ np.linalg.inv(information) @ scale.T,
            sigma=fit.sigma,
            rms_before=rms(before.residuals(before.windows)),
            rms=rms(fit.residuals(fit.windows)),
            validation_before=rms(before.residuals(test[before])),
            validation=rms(fit.residuals(test[fit])),
            distance=fit.distance,
            iterations=fit.iterations,
            windows=(len(self.train), len(self.test), self.train.t.shape[1]),
            simulations=round(self.shooting.simulations / len(self.train)),
            sensitivities=round(self.shooting.sensitivities / len(self.train)),
            traces=_traces(fit, before),
        )

    def _starts(self, given: ServoFit) -> list[np.ndarray]:
        """Return the given start, and the best random ones."""
        first, model = self.parameters.first, self.model
        rng = np.random.default_rng(model.seed)
        reach = math.log(model.spread)
        starts = []
        for _ in range(model.starts - 1):
            x = first * np.exp(rng.uniform(-reach, reach, len(first)))
            if "inertia" in self.parameters.groups:
                part = self.parameters.groups["inertia"]
                x[part] = _INERTIAL_SPREAD * reach * rng.normal(size=part.stop - part.start)
            x = np.clip(x, *self.parameters.bounds)
            starts.append((given.cost(given.windows, x), len(starts), x))
        return [first, *(x for _, _, x in sorted(starts)[:_FITTED_STARTS])]

    def _fit(self, x: np.ndarray, sigma: np.ndarray, given: bool) -> tuple[ServoFit, float]:
        """Return the fit from a start, and its cost in units of the first noise."""
        fit = ServoFit(self.shooting, self.train, x, sigma, self.weight)
        for _ in range(1 if given else _NOISE_ROUNDS):
            fit.solve(self.model.iterations)
            if given:
                break
            noise = fit.noise(fit.floor)
            change, fit.sigma = np.max(np.abs(noise / fit.sigma - 1.0)), noise
            if change < _NOISE_CHANGE:
                break
        return fit, float(np.sum((fit.residuals(fit.windows) / sigma) ** 2))

    def _problems(self, result: SimulatedIdentification) -> list[str]:
        """Return what is wrong with a result, as sentences."""
        out = []
        hidden = [x for x in result.identifiability.undetermined if not _is_inertial(x)]
        if hidden:
            out.append(
                f"the data do not determine {'; '.join(hidden)}; record motions that excite them,"
                " or do not estimate them"
            )
        if not result.is_optimal:
            out.append(
                f"the fit did not converge: the optimum is about {result.distance:.2g} standard"
                " deviations away; use more iterations or starts, or estimate fewer parameters"
            )
        if len(self.test) and np.any(result.validation > _MAX_RATIO * result.rms + 1e-12):
            out.append(
                "residuals of held-out windows are more than twice those of the fit; record more"
                " data, or estimate fewer parameters"
            )
        return out


def _is_inertial(text: str) -> bool:
    """Return whether all parameters in the name of a combination are inertial."""
    return not any(f"{name}[" in text or text.startswith(name) for name in _NOT_INERTIAL)


_NOT_INERTIAL = (*DRIVES, *GAINS, *CURVE, "delay", "torque_constant")


def _traces(fit: ServoFit, before: ServoFit) -> dict[str, np.ndarray]:
    """Return the first windows of the fit for plots: times and residuals of positions."""
    first = slice(0, 20)
    nv = fit.shooting.servos.nv
    return {
        "t": fit.windows.t[first],
        "before": before.residuals(before.windows[first])[..., :nv],
        "after": fit.residuals(fit.windows[first])[..., :nv],
    }


def _held_out(count: int, share: float) -> np.ndarray:
    """Return the mask of windows that are left out: every k-th, none if there are too few."""
    k = round(1.0 / share) if share > 0.0 else 0
    index = np.arange(count)
    return (index % k == k // 2) if 0 < k <= count else np.zeros(count, dtype=bool)


def _with_smoothing(robot: Robot, model: SimulationModel) -> Robot:
    """Return the robot with smooth dry friction."""
    dry = [name for name in RUBBING if name != "damping"]
    rubs = sum(np.abs(_by_velocity(robot, name)) for name in dry) > 0.0
    rubs = rubs | any(name in model.estimate for name in dry)
    smoothing = _by_velocity(robot, "friction_smoothing")
    smooth = np.where(rubs & (smoothing == 0.0), model.smoothing, smoothing)
    return (
        robot.edit.with_friction(friction_smoothing=smooth) if np.any(smooth > smoothing) else robot
    )


def _by_velocity(robot: Robot, name: str) -> np.ndarray:
    """Return a drive parameter (nv,) of the joints that do not follow others."""
    out = np.zeros(robot.nv)
    for view in robot.joints.values():
        if view.joint.mimic is None:
            out[view.v] = getattr(view.joint, name)
    return out


def _per_velocity(robot: Robot, name: str, value: ArrayLike) -> np.ndarray:
    """Return numbers (nv,) that must not be negative."""
    out = np.asarray(value, dtype=float)
    if out.shape not in ((), (robot.nv,)) or not np.all(out >= 0.0):
        raise ArgumentError(
            f"{name}: expected a number or {robot.nv} numbers, >= 0, found {value!r}"
        )
    return np.broadcast_to(out, (robot.nv,)).copy()


def identifiability(
    robot: Robot,
    data: Any,
    model: SimulationModel,
    *,
    fixed: Sequence[str] = (),
    columns: Any = None,
) -> Identifiability:
    """Return which parameters a log without torques determines, before fitting them.

    Parameters
    ----------
    robot : Robot
        The robot, with approximate parameters.
    data : path, mapping of arrays, data frame, or a list of them
        Positions and commands, or currents; see `jounce.identify`.
    model : SimulationModel
        Servos and parameters to estimate.
    fixed : sequence of str
        Links that keep their inertia.
    columns : mapping of str to str
        Columns that are not recognized by name.

    Returns
    -------
    Identifiability
        Rank and condition of the sensitivities, predicted standard deviations, and parameters and
        combinations that are not determined.

    Notes
    -----
    The noise is that of `model.noise`, or the white noise in the measurements.

    Examples
    --------
    >>> import jounce
    >>> import numpy as np
    >>> robot = jounce.load("planar_2r")
    >>> t = 0.01 * np.arange(201)
    >>> q = 0.3 * np.sin(3.0 * t[:, None] + [0.0, 1.0])
    >>> model = jounce.identification.SimulationModel(estimate=("armature",), kp=50.0, kd=5.0)
    >>> report = jounce.identification.identifiability(
    ...     robot, {"t": t, "q": q, "q_command": q}, model
    ... )
    >>> report.rank, report.names
    (2, ['armature[joint1]', 'armature[joint2]'])
    """
    return SimulatedFit(robot, data, model, fixed=fixed, columns=columns).identifiability()
