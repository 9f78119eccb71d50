"""Model predictive control of a Franka arm: an optimal control problem in every control period.

The hand follows a circle, while the controller knows only the next 0.4 s of it, and is pushed on
the way. In each period one iteration of the solver improves the plan of the period before
(real-time iteration); its first torque drives the arm, simulated with smaller steps than the plan
has. The rate is that of the controller alone, on one core.

    python examples/mpc_panda.py [--quick] [--output FOLDER]

Writes mpc_panda.png where Matplotlib is installed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import jounce
from jounce import planning

HAND = "tool"

#: Posture at the start (rad), also that of the weakest term of the cost.
REST = np.array((0.0, -0.785, 0.0, -2.356, 0.0, 1.571, 0.785))

#: Largest torques in N m.
LIMITS = np.array((87.0, 87.0, 87.0, 87.0, 12.0, 12.0, 12.0))

#: Steps of the plan, their length, and the control period in s.
STEPS, H, PERIOD = 20, 0.02, 0.002

#: Simulated steps per control period.
SUBSTEPS = 2

#: Center (m), radius (m) and angular velocity (rad/s) of the circle, which the arm reaches first.
CENTER, RADIUS, SPEED = np.array((0.45, 0.0, 0.5)), 0.12, 3.0

#: Time in s, duration in s and torque in N m of a push at the second joint.
PUSH, PUSH_DURATION, PUSH_TORQUE = 0.8, 0.05, -40.0


def circle(t: Any) -> np.ndarray:
    """Position (..., 3) of the goal at times t."""
    t = np.asarray(t, dtype=float)
    zero = np.zeros_like(t)
    return CENTER + RADIUS * np.stack((zero, np.cos(SPEED * t), np.sin(SPEED * t)), axis=-1)


def make_problem(robot: jounce.Robot) -> planning.OptimalControlProblem:
    """Return the problem of one period: follow the goals of the next knots within the torques."""

    def cost(model: Any, x: Any, u: Any, p: Any) -> tuple[Any, ...]:
        error = planning.position_error(model, HAND, x.q, p.goal)
        posture = planning.posture_error(model, x.q, REST)
        # torques beside those that hold the arm
        return 10.0 * error, 0.1 * posture, 0.02 * x.v, 2e-3 * (u - model.gravity_forces(x.q))

    def terminal(model: Any, x: Any, p: Any) -> tuple[Any, ...]:
        return 30.0 * planning.position_error(model, HAND, x.q, p.goal), 0.5 * x.v

    return planning.OptimalControlProblem(
        robot, cost, terminal, steps=STEPS, h=H, references={"goal": (3,)}, limits=LIMITS
    )


def control(
    robot: jounce.Robot, problem: planning.OptimalControlProblem, duration: float
) -> dict[str, np.ndarray]:
    """Simulate the closed loop; times, hand and goal (n, 3), torques (n, nv), seconds (n,)."""
    rows: dict[str, list[Any]] = {name: [] for name in ("t", "hand", "goal", "torque", "seconds")}
    horizon = H * np.arange(STEPS + 1)
    q, v = REST.copy(), np.zeros(robot.nv)
    plan = problem.solve((q, v), goal=circle(horizon))
    for k in range(round(duration / PERIOD)):
        t = k * PERIOD
        begin = time.thread_time()
        plan = problem.solve((q, v), goal=circle(t + horizon), guess=plan, max_iterations=1)
        seconds = time.thread_time() - begin
        applied = plan.u[0].copy()
        record = (t, robot.frame(HAND).pose(q)[:3, 3], circle(t), plan.u[0], seconds)
        for name, value in zip(rows, record, strict=True):
            rows[name].append(value)
        if PUSH <= t < PUSH + PUSH_DURATION:
            applied[1] += PUSH_TORQUE
        for _ in range(SUBSTEPS):
            q, v = robot.step(q, v, applied, PERIOD / SUBSTEPS)
    return {name: np.array(values) for name, values in rows.items()}


def plot(path: Path, log: dict[str, np.ndarray]) -> None:
    """The hand and its goal, the distance, and the torques."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    t, hand, goal = log["t"], log["hand"], log["goal"]
    figure, axes = plt.subplots(3, 1, sharex=True, figsize=(7.0, 7.5), layout="tight")
    for i, (name, color) in enumerate(zip("yz", ("C0", "C1"), strict=True), start=1):
        axes[0].plot(t, goal[:, i], color=color, linestyle=":", label=f"goal {name}")
        axes[0].plot(t, hand[:, i], color=color, label=f"hand {name}")
    axes[0].set(ylabel="position [m]", title="Panda follows a circle by model predictive control")
    axes[0].set_ylim(-0.2, 0.95)
    axes[0].legend(ncols=4, fontsize="small", loc="upper right")
    axes[1].semilogy(t, 1e3 * np.linalg.norm(hand - goal, axis=1))
    axes[1].set(ylabel="distance [mm]")
    for i, column in enumerate(log["torque"].T):
        axes[2].plot(t, column, label=f"joint {i + 1}")
    axes[2].set(xlabel="t [s]", ylabel="torque [N m]")
    axes[2].legend(ncols=4, fontsize="small", loc="lower right")
    for axis in axes:
        axis.axvspan(PUSH, PUSH + PUSH_DURATION, color="gray", alpha=0.3)
    figure.savefig(path, dpi=150)
    plt.close(figure)
    print(f"wrote {path}")


def main(argv: Sequence[str] | None = None) -> dict[str, float]:
    """Simulate, print errors and rates, plot; errors in m, the rate in Hz."""
    parser = argparse.ArgumentParser(description="Model predictive control of a Franka arm.")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "output")
    parser.add_argument("--quick", action="store_true", help="a shorter motion, for tests")
    options = parser.parse_args(argv)
    duration = 1.1 if options.quick else 2.5
    robot = jounce.load("franka")
    log = control(robot, make_problem(robot), duration)
    distance = np.linalg.norm(log["hand"] - log["goal"], axis=1)
    follows, pushed = (log["t"] > 0.5) & (log["t"] < PUSH), log["t"] >= PUSH
    limit = float(np.abs(log["torque"] / LIMITS).max())
    found = {
        "tracking": float(distance[follows].max()),
        "pushed": float(distance[pushed].max()),
        "last": float(distance[-1]),
        "largest torque": limit,
        "rate": float(1.0 / np.median(log["seconds"])),
        "slowest rate": float(1.0 / np.quantile(log["seconds"], 0.99)),
    }
    print(f"largest distance before the push {1e3 * found['tracking']:.1f} mm")
    print(f"after the push {1e3 * found['pushed']:.1f} mm, at the end {1e3 * found['last']:.1f} mm")
    print(f"largest torque {100 * limit:.0f} % of its limit")
    print(
        f"one period: {1e6 * np.median(log['seconds']):.0f} us (median), a rate of"
        f" {found['rate']:,.0f} Hz; 99 % of periods {found['slowest rate']:,.0f} Hz or faster"
    )
    options.output.mkdir(parents=True, exist_ok=True)
    try:
        plot(options.output / "mpc_panda.png", log)
    except ImportError:
        print("no picture: Matplotlib is not installed")
    return found


if __name__ == "__main__":
    main()
