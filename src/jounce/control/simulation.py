"""Closed-loop simulation: a plant, a sampled controller, and the errors between them."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.control.controller import SMOOTH_MOTION, Controller
from jounce.control.signals import References, Sensors, Source
from jounce.control.simulation_gradients import gain_gradients
from jounce.control.simulation_plot import plot
from jounce.errors import ArgumentError, ModelWarning, warn
from jounce.robot import Robot
from jounce.solve import ElasticRobot, Mechanism
from jounce.trajectories import Trajectory

#: Fraction of a period that is round-off.
_ROUND_OFF = 1e-6


@dataclass(frozen=True)
class _Plant:
    """Steps of a plant; `names` are the entries of its state."""

    system: Any
    names: tuple[str, ...]
    step: Any
    #: Length of a step in s.
    h: float
    limits: np.ndarray | None
    wrenches: Any

    @classmethod
    def of(
        cls, system: Any, h: float, limits: Any, wrenches: Any, method: str | None, friction: bool
    ) -> _Plant:
        """Return the steps of a robot, mechanism or elastic robot."""
        if not isinstance(system, Robot | Mechanism | ElasticRobot):
            raise ArgumentError(
                f"simulate: plant must be a robot, a mechanism or an elastic robot, found"
                f" {type(system).__name__}"
            )
        step = system.quantity("step")
        arguments = step.definition.arguments
        names = tuple(arguments[: arguments.index("tau")])
        if isinstance(system, Robot | Mechanism):
            step = step.choose(method="rk4" if method is None else method, friction=friction)
        elif method is not None or friction:
            raise ArgumentError(
                f"simulate: method and friction are options of robots and mechanisms, found"
                f" '{system.name}', which has its own integrator; omit them"
            )
        if limits is None or limits is False:
            limits = None
        else:
            limits = np.asarray(system.limits.effort if limits is True else limits, dtype=float)
            if limits.shape not in ((), (system.nv,)) or not np.all(limits >= 0.0):
                raise ArgumentError(
                    f"simulate: limits must be a number or ({system.nv},), and >= 0, found {limits}"
                )
        return cls(system, names, step, h, limits, wrenches)

    def options(self, t: float) -> dict[str, Any]:
        """Return the external wrenches at a time, as an option of the step."""
        w = self.wrenches(t) if callable(self.wrenches) else self.wrenches
        return {} if w is None else {"wrenches": w}

    def clip(self, tau: np.ndarray) -> np.ndarray:
        """Return forces within the limits."""
        return tau if self.limits is None else np.clip(tau, -self.limits, self.limits)

    def advance(
        self, state: tuple[np.ndarray, ...], tau: np.ndarray, t: float
    ) -> tuple[np.ndarray, ...]:
        """Return the state after a step."""
        return self.step(*state, tau, self.h, **self.options(t))[: len(self.names)]


@dataclass(frozen=True)
class _Instant:
    """Record of a control instant."""

    state: tuple[np.ndarray, ...]
    signals: dict[str, np.ndarray]
    measured: dict[str, np.ndarray]
    law_state: tuple[np.ndarray, ...]
    command: np.ndarray


@dataclass(frozen=True)
class _Loop:
    """A closed loop that can be run more than once, with the same result."""

    plant: _Plant
    controller: Any
    references: References
    sensors: Sensors
    start: tuple[np.ndarray, ...]
    batch: tuple[int, ...]
    substeps: int
    #: Delay of commands, in steps of the plant.
    delay: int
    seed: int

    @property
    def has_configuration(self) -> bool:
        """True if the first reference is a configuration q_d."""
        law = self.controller
        return isinstance(law, Controller) and law.arguments["reference"][:1] == ("q_d",)

    def active(self, k: int, i: int) -> int:
        """Return the control instant whose command acts in step i after instant k."""
        return max((k * self.substeps + i - self.delay) // self.substeps, 0)

    def signals(self, state: tuple[np.ndarray, ...], tau: np.ndarray) -> dict[str, np.ndarray]:
        """Return true signals."""
        signals = {**dict(zip(self.plant.names, state, strict=True)), "tau": tau}
        if len(state) == 4 and self.sensors.spring_torques:
            signals["tau_s"] = self.plant.system.spring_torques(*state)
        return signals

    def run(self, record: Callable[[int, _Instant], None]) -> tuple[Any, tuple[np.ndarray, ...]]:
        """Simulate; call `record` at each instant; return the last state, and that of the law."""
        rng = np.random.default_rng(self.seed)
        state, law_state = self.start, ()
        if isinstance(self.controller, Controller):
            law_state = self.controller.initial_state(self.batch)
        shape = (*self.batch, self.plant.system.nv)
        recent: deque[np.ndarray] = deque(maxlen=self.delay // self.substeps + 2)
        tau, measured = np.zeros(shape), {}
        for k in range(len(self.references.times) - 1):
            t = self.references.times[k]
            signals = self.signals(state, tau)
            measured = self.sensors.measure(signals, measured, rng, self.batch)
            command, following = self.controller(
                law_state, tuple(measured.values()), self.references.at(k)
            )
            if np.shape(command)[-1:] != shape[-1:] or np.ndim(command) > len(shape):
                raise ArgumentError(
                    f"simulate: commands must be forces {shape}, found {np.shape(command)}"
                )
            command = np.broadcast_to(command, shape)
            record(k, _Instant(state, signals, measured, law_state, command))
            recent.append(self.plant.clip(command))
            for i in range(self.substeps):
                tau = recent[self.active(k, i) - k - 1]
                state = self.plant.advance(state, tau, t + i * self.plant.h)
            law_state = following
        return state, law_state


@dataclass(frozen=True, eq=False)
class Simulation:
    """Result of `simulate`; time is the axis before the last one, as in rollouts."""

    t: np.ndarray
    """Recorded control instants (n,) in s, from the start to the end."""

    states: dict[str, np.ndarray]
    """State of the plant by name, (..., n, nq) or (..., n, nv): q and v, of elastic robots also
    theta and dtheta."""

    commands: np.ndarray
    """Commands of the controller (..., n - 1, nv), before limits are applied."""

    reference: np.ndarray | None
    """Reference q_d (..., n, nq), if the controller has one."""

    law_states: dict[str, np.ndarray]
    """State of the controller by name, with axes (*batch, n) before those of the entry; empty for
    functions."""

    law_state: tuple[np.ndarray, ...]
    """State of the controller at the end."""

    _loop: _Loop

    @property
    def q(self) -> np.ndarray:
        """Configurations (..., n, nq)."""
        return self.states["q"]

    @property
    def v(self) -> np.ndarray:
        """Velocities (..., n, nv)."""
        return self.states["v"]

    @property
    def torques(self) -> np.ndarray:
        """Commands within the limits (..., n - 1, nv)."""
        return self._loop.plant.clip(self.commands)

    @property
    def errors(self) -> np.ndarray:
        """Tracking errors (..., n, nv), tangents that lead from q to q_d."""
        if self.reference is None:
            raise AttributeError(
                "the simulation has no errors, because the first reference of the controller is"
                " not q_d; compute them from its states"
            )
        return self._loop.sensors.links.difference(self.q, self.reference)

    def gradients(
        self,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        commands: ArrayLike | None = None,
    ) -> dict[str, np.ndarray]:
        """Return gradients of a cost in the gains of the controller, through time.

        The loop is simulated once more, and then backwards.

        Parameters
        ----------
        q, v : array_like (..., T + 1, nv)
            Gradients of the cost with respect to configurations (in the tangent space) and
            velocities at all instants; 0 if omitted.
        commands : array_like (..., T, nv)
            Gradients with respect to the commands.

        Returns
        -------
        dict of str to ndarray
            Gradients by name of the gain, one for each loop: sum over batch axes for shared gains.

        Notes
        -----
        Quantization counts as an offset, and where limits clip a command, its gradient is zero.
        """
        return gain_gradients(self._loop, {"q": q, "v": v}, commands)

    def plot(self, index: tuple[int, ...] = ()) -> Any:
        """Plot positions, errors and commands over time.

        Parameters
        ----------
        index : tuple of int
            Which loop of a batch; by default the first one.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        return plot(self, index)

    def __repr__(self) -> str:
        plant, batch = self._loop.plant.system.name, self._loop.batch
        several = f", batch {batch}" if batch else ""
        return f"<simulation of '{plant}' from {self.t[0]:g} to {self.t[-1]:g} s{several}>"


def simulate(
    plant: Robot | Mechanism | ElasticRobot,
    controller: Controller | Callable[..., Any],
    reference: Any = None,
    duration: float | None = None,
    *,
    period: float = 1e-3,
    substeps: int = 1,
    start: tuple[ArrayLike, ...] | None = None,
    sensors: Mapping[str, Source] | None = None,
    noise: Mapping[str, ArrayLike] | None = None,
    resolution: Mapping[str, ArrayLike] | None = None,
    delay: float = 0.0,
    limits: ArrayLike | bool | None = None,
    wrenches: Any = None,
    batch: tuple[int, ...] = (),
    seed: int = 0,
    every: int = 1,
    method: str | None = None,
    friction: bool = False,
) -> Simulation:
    """Simulate a controller with a robot, sampled and held as on a real-time computer.

    Leading axes of the start, the reference and the gains are independent loops, computed at once.

    Parameters
    ----------
    plant : Robot, Mechanism or ElasticRobot
        What is controlled; it need not be the model of the controller.
    controller : Controller or callable
        A controller, or a function of a state, measurements (q, v) and the reference that returns a
        command and the new state, at first ().
    reference : Trajectory, callable or tuple of array_like, optional
        Reference of the controller: a trajectory, a function of time that returns a tuple, or a
        constant tuple.
    duration : float, optional
        Length of the simulation in s; by default until the end of the trajectory.
    period : float
        Time between calls of the controller in s.
    substeps : int
        Steps of the plant's integrator in each period.
    start : tuple of array_like, optional
        State of the plant at time 0: (q, v), of elastic robots (q, v, theta, dtheta). By default it
        is on the reference; elastic robots are then in equilibrium, or, if the reference has a
        snap, on the exact motion of their motors.
    sensors : mapping of str to Source, optional
        What measurements are, if not signals of the same name: a name, or a function of all signals
        by name. Signals are the plant's state, "tau" (forces applied before), "tau_s" (torques of
        springs), "q_rate" and "theta_rate" (differences of successive measurements).
    noise : mapping of str to array_like, optional
        Standard deviation of Gaussian noise of measurements by name.
    resolution : mapping of str to array_like, optional
        Step to which measurements are rounded by name, as encoders do; 0 for none.
    delay : float
        Time in s until a command acts, a multiple of period / substeps. The first command acts from
        the start.
    limits : bool or array_like (nv,), optional
        Limits to which forces are clipped; True for those of the robot.
    wrenches : array_like or callable, optional
        External wrenches on the plant, as in `robot.step`, or a function of time.
    batch : tuple of int
        Further leading axes: number of loops, for example with different noise.
    seed : int
        Seed of the noise.
    every : int
        Record one of so many instants.
    method : str, optional
        Integrator of a rigid plant, as in `robot.step`; by default "rk4".
    friction : bool
        Include joint friction of a rigid plant.

    Returns
    -------
    Simulation
        Instants, states, commands, tracking errors, plots, gradients in gains.

    Examples
    --------
    >>> import jounce
    >>> from jounce import control
    >>> robot = jounce.load("kuka_iiwa14")
    >>> controller = control.computed_torque(robot, 400.0, 40.0)
    >>> rest = robot.neutral() + 0.5, [0.0] * 7, [0.0] * 7
    >>> result = control.simulate(robot, controller, rest, 0.5, start=(robot.neutral(), [0.0] * 7))
    >>> bool(abs(result.errors[-1]).max() < 1e-3)
    True
    """
    shapes = controller.shapes if isinstance(controller, Controller) else {}
    followed = shapes.get("reference")
    if substeps < 1 or every < 1 or not 0.0 < period < math.inf:
        raise ArgumentError(
            f"simulate: period must be > 0, substeps and every >= 1, found {period}, {substeps},"
            f" {every}"
        )
    times = _instants(reference, duration, period)
    h = period / substeps
    steps = round(delay / h) if 0.0 <= delay < math.inf else -1
    if abs(steps * h - delay) > _ROUND_OFF * h or steps < 0:
        raise ArgumentError(
            f"simulate: delay must be a multiple of period / substeps = {h:g} s, found {delay:g}"
        )
    device = _Plant.of(plant, h, limits, wrenches, method, friction)
    extra = ("tau_s",) if len(device.names) == 4 else ()
    observed = Sensors(
        plant,
        tuple(shapes.get("measurement", ("q", "v"))),
        sensors or {},
        noise or {},
        resolution or {},
        period,
        (*device.names, "tau", *extra),
    )
    references = References(reference, followed, times)
    first = dict(zip(followed or (), references.at(0) if followed else (), strict=False))
    state = _check_start(device, _start(device, first, reference) if start is None else start)
    leads = [x.shape[:-1] for x in state]
    if isinstance(controller, Controller):
        leads += _leads(controller.gains, shapes["gains"]) + _leads(first, shapes["reference"])
    batch = np.broadcast_shapes(batch, *leads)
    state = tuple(np.broadcast_to(x, (*batch, x.shape[-1])) for x in state)
    loop = _Loop(device, controller, references, observed, state, batch, substeps, steps, seed)
    return _record(loop, every)


def _instants(reference: Any, duration: float | None, period: float) -> np.ndarray:
    """Return the control instants."""
    end = getattr(reference, "end", math.inf) if duration is None else duration
    if not 0.0 < end < math.inf:
        problem = "the reference has no end" if duration is None else f"found {duration}"
        raise ArgumentError(f"simulate: duration must be > 0 and finite, {problem}")
    return period * np.arange(math.ceil(end / period - _ROUND_OFF) + 1)


def _leads(values: Mapping[str, Any], shapes: Mapping[str, Any]) -> list[tuple[int, ...]]:
    """Return the leading axes of arrays."""
    return [
        np.shape(x)[: np.ndim(x) - len(shapes[name])]
        for name, x in values.items()
        if name in shapes
    ]


def _start(plant: _Plant, values: Mapping[str, Any], reference: Any) -> tuple[ArrayLike, ...]:
    """Return the state on the reference at the start; values: the reference there, by name."""
    if "q_d" not in values:
        raise ArgumentError(
            f"simulate: start must be given, ({', '.join(plant.names)}), because the controller has"
            " no reference q_d"
        )
    q = np.asarray(values["q_d"], dtype=float)
    v = np.asarray(values.get("v_d", np.zeros(plant.system.nv)), dtype=float)
    if plant.names == ("q", "v"):
        return q, v
    is_trajectory = isinstance(reference, Trajectory)
    motion = reference(0.0) if is_trajectory else tuple(values.values())
    smooth = is_trajectory or tuple(values)[:5] == tuple(SMOOTH_MOTION)
    if smooth and "inverse_dynamics" in plant.system.definitions:
        return q, v, *plant.system.inverse_dynamics(*motion[:5])[:2]
    if "equilibrium" not in plant.system.definitions:
        raise ArgumentError(
            f"simulate: start must be given, ({', '.join(plant.names)}), because"
            f" '{plant.system.name}' has nonlinear springs"
        )
    return q, v, plant.system.equilibrium(q)[0], v


def _check_start(plant: _Plant, start: Any) -> tuple[np.ndarray, ...]:
    """Return the state at the start as arrays."""
    sizes = [plant.system.nq, *(plant.system.nv for _ in plant.names[1:])]
    if not isinstance(start, tuple | list) or len(start) != len(sizes):
        raise ArgumentError(
            f"simulate: start must be a tuple ({', '.join(plant.names)}) for"
            f" '{plant.system.name}', found {start!r:.80}"
        )
    arrays = tuple(np.asarray(x, dtype=float) for x in start)
    for name, x, n in zip(plant.names, arrays, sizes, strict=True):
        if x.shape[-1:] != (n,) or not np.isfinite(x).all():
            raise ArgumentError(
                f"simulate: start '{name}' must have shape (..., {n}) and be finite, found shape"
                f" {x.shape}"
            )
    return arrays


def _record(loop: _Loop, every: int) -> Simulation:
    """Run a loop; return what happened at some of its instants."""
    times, names = loop.references.times, loop.plant.names
    kept = np.unique([*range(0, len(times), every), len(times) - 1])
    place = {k: row for row, k in enumerate(kept)}
    states = [np.empty((len(kept), *x.shape)) for x in loop.start]
    commands = np.empty((len(kept) - 1, *loop.batch, loop.plant.system.nv))
    law, laws = loop.controller, {}
    if isinstance(law, Controller):
        initial = zip(law.arguments["state"], law.initial_state(loop.batch), strict=True)
        laws = {name: np.empty((len(kept), *x.shape)) for name, x in initial}

    def record(k: int, now: _Instant) -> None:
        row = place.get(k)
        if row is not None:
            commands[row] = now.command
            for array, x in zip(
                (*states, *laws.values()), (*now.state, *now.law_state), strict=False
            ):
                array[row] = x

    final, law_state = loop.run(record)
    for array, x in zip((*states, *laws.values()), (*final, *law_state), strict=False):
        array[-1] = x
    finite = np.isfinite(states[1]).reshape(len(kept), -1).all(axis=1)
    if not finite.all():
        warn(
            f"simulation of '{loop.plant.system.name}' is not finite from"
            f" {times[kept[np.argmin(finite)]]:g} s on; lower gains, period or delay, or use more"
            " substeps",
            ModelWarning,
        )
    reference = None
    if loop.has_configuration:
        rows = [np.asarray(loop.references.at(k)[0], dtype=float) for k in kept]
        reference = np.moveaxis(np.stack(rows), 0, -2)
    forward = {x: np.moveaxis(y, 0, -2) for x, y in zip(names, states, strict=True)}
    laws = {name: np.moveaxis(x, 0, len(loop.batch)) for name, x in laws.items()}
    torques = np.moveaxis(commands, 0, -2)
    return Simulation(times[kept], forward, torques, reference, laws, law_state, loop)
