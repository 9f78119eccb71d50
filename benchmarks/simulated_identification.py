"""Measure identification by simulation, beside CMA-ES (`pip install cma`) on the same task.

    python -m benchmarks.simulated_identification

An arm with servos is simulated with another armature, friction and delay than the start: 22
parameters, from positions with the noise and resolution of encoders. CMA-ES minimizes the residuals
of the same windows, simulated by the same kernels, in the same coordinates, and may use the initial
states that the other fit found; it ends at the validation error of the other fit, plus 5 %.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import jounce
from jounce.identification import SimulationModel
from jounce.identification.simulation import SimulatedFit
from jounce.identification.simulation.estimation import ServoFit
from jounce.robot import Robot

#: Largest number of simulations of CMA-ES.
_MAX_SIMULATIONS = 40_000

#: Ratio of validation errors at which it ends.
_RATIO = 1.05

_H, _DELAY = 1e-3, 6.5e-3
_KP = np.array([600.0, 600.0, 600.0, 600.0, 250.0, 150.0, 50.0])
_KD = np.array([25.0, 25.0, 25.0, 25.0, 15.0, 12.0, 8.0])


def _wave(seed: int = 0) -> Callable[[Any], np.ndarray]:
    """Return commands as a function of time."""
    rng = np.random.default_rng(seed)
    w, phase = rng.uniform(2.0, 9.0, (7, 3)), rng.uniform(0.0, 6.0, (7, 3))
    sizes = 0.4 / np.array([1.0, 1.5, 2.0])
    return lambda t: (sizes * np.sin(w * np.asarray(t)[..., None, None] + phase)).sum(-1)


def _task() -> tuple[Robot, dict[str, np.ndarray]]:
    """Return the robot with the parameters of the start, and the log."""
    arm = jounce.load("kuka_iiwa14")
    armature = np.array([0.5, 0.5, 0.4, 0.4, 0.2, 0.2, 0.1])
    damping, friction = 10.0 * armature, 2.0 * armature

    def with_drives(factor: float) -> Robot:
        robot = arm.edit.with_parameters(arm.model.parameters, armature=factor * armature)
        return robot.edit.with_friction(
            damping=factor * damping, friction=factor * friction, friction_smoothing=0.05
        )

    truth, wave = with_drives(1.0), _wave()
    step = truth.step.choose(method="rk4", friction=True)
    q, v, rows = wave(0.0), np.zeros(7), []
    for k in range(5001):
        if k % 5 == 0:
            rows.append(q)
        q, v = step(q, v, _KP * (wave(k * _H - _DELAY) - q) - _KD * v, _H)
    t, q = 5 * _H * np.arange(len(rows)), np.array(rows)
    q = q + 3e-5 * np.random.default_rng(0).normal(size=q.shape)
    unit = 2.0 * np.pi / 2**18
    return with_drives(0.5), {"t": t, "q": np.round(q / unit) * unit, "q_command": wave(t)}


def _by_cma(task: SimulatedFit, result: Any) -> tuple[int, float, float]:
    """Return the simulations of CMA-ES, its validation error and the CPU time in s."""
    import cma

    shooting, space = task.shooting, task.parameters
    fit = ServoFit(shooting, task.train, result.x, result.sigma, task.weight)
    train, test = (fit.refine_states(windows) for windows in (task.train, task.test))
    goal = _RATIO * float(np.linalg.norm(result.validation))
    start, count = time.process_time(), 0

    def error(windows: Any, x: np.ndarray) -> float:
        e = shooting.simulate(windows, np.clip(x, *space.bounds))[0]
        return float(np.sqrt(np.mean(e**2) * e.shape[-1]))

    options = {"bounds": [x.tolist() for x in space.bounds], "seed": 1, "verbose": -9}
    strategy = cma.CMAEvolutionStrategy(space.first, 0.3, options)
    reached = np.inf
    while reached > goal and count < _MAX_SIMULATIONS and not strategy.stop():
        points = strategy.ask()
        strategy.tell(points, [error(train, x) for x in points])
        count += len(points)
        reached = error(test, strategy.result.xbest)
    return count, reached, time.process_time() - start


def main() -> None:
    """Print the measurements."""
    warnings.simplefilter("ignore")
    start, log = _task()
    estimate = ("armature", "damping", "friction", "delay")
    model = SimulationModel(estimate=estimate, kp=_KP, kd=_KD, window=0.25)
    SimulatedFit(start, log, model).run()  # compiles
    begin = time.process_time()
    task = SimulatedFit(start, log, model)
    result = task.run()
    cpu = time.process_time() - begin
    error = 1e3 * float(np.linalg.norm(result.validation))
    before = 1e3 * float(np.linalg.norm(result.validation_before))
    simulations = result.simulations + result.sensitivities
    print(f"22 parameters of {start.name}, {result.windows[0]} windows; {before:.3g} mrad before")
    print(
        f"jounce: {result.simulations} simulations and {result.sensitivities} with sensitivities,"
        f" validation {error:.4f} mrad, {cpu:.2f} s of CPU"
    )
    count, reached, seconds = _by_cma(task, result)
    print(
        f"CMA-ES: {count} simulations ({count / simulations:.0f} times as many), validation"
        f" {1e3 * reached:.4f} mrad, {seconds:.1f} s of CPU ({seconds / cpu:.1f} times)"
    )


if __name__ == "__main__":
    main()
