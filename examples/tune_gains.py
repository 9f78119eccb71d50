"""Gains of an arm with elastic joints, tuned by gradient descent through simulated closed loops.

The controller is an exact feedforward with PD control of the motors. Its model of the stiffness is
wrong by up to 20 %, differently in each of several loops, commands act one period late, and
encoders have a finite resolution. The cost is the mean squared tracking error of all loops plus
that of the motors' rates, which penalizes vibrations; its gradient in the 14 gains comes from one
reverse pass through each simulation.

    python examples/tune_gains.py [--quick] [--output FOLDER]

Needs SciPy; writes tune_gains.png where Matplotlib is installed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import jounce
from jounce import control, trajectories
from jounce.control import Simulation

#: Drives as arms of this size have them, seen after the gear.
STIFFNESS = np.array((14e3, 14e3, 10e3, 10e3, 7e3, 4e3, 4e3))  # N m/rad
MOTOR_INERTIA = np.array((3.2, 3.2, 1.7, 1.7, 0.8, 0.4, 0.4))  # kg m^2
MOTOR_FRICTION = np.array((15.0, 15.0, 8.0, 8.0, 4.0, 2.0, 2.0))  # N m s/rad

START = np.array((-0.6, 0.4, 0.2, -1.2, 0.1, 0.7, 0.0))  # rad
GOAL = np.array((0.0, 0.7, 0.0, -0.8, 0.5, 0.1, 0.6))

PERIOD = 1e-3  # s
#: Weight of squared errors of the motors' rates, s^2.
RATE_WEIGHT = 1e-4


class Task:
    """Loops that share their gains; their models of the stiffness differ."""

    def __init__(self, loops: int, duration: float) -> None:
        robot = jounce.load("kuka_iiwa14")
        rest = (0.0, 0.0, 0.0, 0.0)
        self.motion = trajectories.polynomial(robot, (0.0, duration), (START, *rest), (GOAL, *rest))
        self.plant = robot.elastic(STIFFNESS, MOTOR_INERTIA, MOTOR_FRICTION)
        law = control.flatness_feedforward(
            robot, STIFFNESS, MOTOR_INERTIA, damping=MOTOR_FRICTION, kp=1.0, kd=1.0
        )
        factors = np.random.default_rng(0).uniform(0.8, 1.2, (loops, 7))
        self.law = law.with_gains(stiffness=factors * STIFFNESS)

    def run(self, gains: np.ndarray) -> Simulation:
        """Return the simulation of all loops with gains (2, 7): stiffness and damping."""
        return control.simulate(
            self.plant,
            self.law.with_gains(kp=gains[0], kd=gains[1]),
            self.motion,
            1.2 * self.motion.end,
            period=PERIOD,
            delay=PERIOD,
            resolution={"theta": 2.0 * np.pi / 2**19},
            start=(START, np.zeros(7), self.plant.equilibrium(START)[0], np.zeros(7)),
        )

    def cost_and_gradient(self, logarithms: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the cost of gains exp(logarithms) (2, 7), and its gradient."""
        gains = np.exp(logarithms)
        result = self.run(gains)
        e, rate = result.errors, result.v - self.motion(result.t, 1)[1]
        cost = float(np.mean(e**2) + RATE_WEIGHT * np.mean(rate**2))
        # e leads from q to q_d: its derivative in q is -1
        slopes = result.gradients(q=-2.0 * e / e.size, v=2.0 * RATE_WEIGHT * rate / rate.size)
        return cost, np.stack([slopes[x].reshape(-1, 7).sum(axis=0) for x in ("kp", "kd")]) * gains


def descend(task: Task, x: np.ndarray, steps: int) -> tuple[np.ndarray, list[float]]:
    """Return the logarithms of the best gains, and all costs (Adam)."""
    best, costs, m, w = x, [], np.zeros_like(x), np.zeros_like(x)
    for k in range(1, steps + 1):
        cost, slope = task.cost_and_gradient(x)
        costs.append(cost)
        if cost == min(costs):
            best = x
        m, w = 0.8 * m + 0.2 * slope, 0.95 * w + 0.05 * slope**2
        x = x - 0.15 * m / (1.0 - 0.8**k) / (np.sqrt(w / (1.0 - 0.95**k)) + 1e-30)
    return best, costs


def main(argv: Sequence[str] | None = None) -> float:
    """Tune, print the errors, plot; returns how many times smaller the error became."""
    parser = argparse.ArgumentParser(description="Tune the gains of an elastic arm.")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "output")
    parser.add_argument("--quick", action="store_true", help="fewer loops and steps, for tests")
    options = parser.parse_args(argv)
    loops, steps, duration = (2, 8, 0.15) if options.quick else (8, 40, 0.5)
    task = Task(loops, duration)
    first = np.log([100.0 * MOTOR_INERTIA, 10.0 * MOTOR_INERTIA])
    best, costs = descend(task, first, steps)
    before, after = (task.run(np.exp(x)) for x in (first, best))
    errors = [np.sqrt(np.mean(result.errors**2)) for result in (before, after)]
    print(f"error (root mean square): {errors[0]:.1e} -> {errors[1]:.1e} rad")
    for name, gains in zip(("kp", "kd"), np.exp(best), strict=True):
        print(f"{name}: {np.array2string(gains, precision=3, suppress_small=True)}")
    options.output.mkdir(parents=True, exist_ok=True)
    try:
        plot(options.output / "tune_gains.png", costs, {"first": before, "tuned": after})
    except ImportError:
        print("no picture: Matplotlib is not installed")
    return float(errors[0] / errors[1])


def plot(path: Path, costs: list[float], results: dict[str, Simulation]) -> None:
    """The cost, and the largest errors of all loops before and after."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(8.0, 3.2), layout="tight")
    left.semilogy(costs)
    left.set(xlabel="step", ylabel="cost", title="gradient descent")
    for name, result in results.items():
        right.semilogy(result.t[1:], np.abs(result.errors[:, 1:]).max(axis=(0, 2)), label=name)
    right.set(xlabel="t [s]", title="largest tracking error [rad]")
    right.legend(fontsize="small")
    figure.savefig(path, dpi=150)
    plt.close(figure)
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
