"""The motion from which a Franka arm's inertial parameters are identified best.

Designs a periodic excitation trajectory within the arm's limits of position, velocity, acceleration
and torque and with its tool above the table, prints what it gains over a random one, and writes it
as a CSV file to be played on the robot.

    python examples/excitation.py [--quick] [--output FOLDER] [--cost condition|d-optimal]

Needs NumPy only; writes excitation.csv, and excitation.png where Matplotlib is installed.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import jounce
from jounce.identification import excitation

#: The manufacturer's limits: rad, rad/s, rad/s^2, N m.
LIMITS = {
    "lower": (-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973),
    "upper": (2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973),
    "velocity": (2.175, 2.175, 2.175, 2.175, 2.61, 2.61, 2.61),
    "acceleration": (15.0, 7.5, 10.0, 12.5, 15.0, 20.0, 20.0),
    "torque": (87.0, 87.0, 87.0, 87.0, 12.0, 12.0, 12.0),
}

#: Where the tool may be: above the table, in m.
SPACE = {"tool": ((-0.8, -0.8, 0.1), (0.8, 0.8, np.inf))}


def plot(path: Path, robot: jounce.Robot, found: excitation.Excitation) -> None:
    """Positions, velocities and torques over a period, each relative to its limits."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    t, motion = found.trajectory.sample(100.0)
    limits = found.limits
    middle, half = (limits.upper + limits.lower) / 2.0, (limits.upper - limits.lower) / 2.0
    torque = robot.inverse_dynamics(motion.q, motion.v, motion.a)
    shown = {
        "position": (motion.q - middle) / half,
        "velocity": motion.v / limits.velocity,
        "torque": torque / limits.torque,
    }
    figure, axes = plt.subplots(3, 1, sharex=True, figsize=(7.0, 7.0), layout="constrained")
    for each, (name, values) in zip(axes, shown.items(), strict=True):
        each.plot(t, values, label=robot.model.joint_names)
        each.set(ylabel=f"{name} / limit", ylim=(-1.05, 1.05))
        each.grid(alpha=0.3)
    axes[0].set_title(
        f"condition number {found.start_condition:.3g} (random) to {found.condition:.3g}"
    )
    axes[2].legend(ncols=4, fontsize="small", loc="upper center")
    axes[2].set_xlabel("t [s]")
    figure.savefig(path, dpi=150)
    plt.close(figure)
    print(f"wrote {path}")


def main(argv: Sequence[str] | None = None) -> excitation.Excitation:
    """Design, print, plot and save; returns the excitation."""
    parser = argparse.ArgumentParser(description="Design an excitation trajectory.")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "output")
    parser.add_argument("--quick", action="store_true", help="fewer iterations, for tests")
    parser.add_argument("--cost", choices=("condition", "d-optimal"), default="condition")
    options = parser.parse_args(argv)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jounce.ModelWarning)  # published inertias, rounded
        robot = jounce.load("franka")
    result = excitation.optimize(
        robot,
        harmonics=5,
        period=10.0,
        cost=options.cost,
        limits=excitation.Limits.of(robot, **LIMITS),
        workspace=SPACE,
        iterations=70 if options.quick else 350,
    )
    print(result)
    options.output.mkdir(parents=True, exist_ok=True)
    table = options.output / "excitation.csv"
    result.trajectory.save(table, robot.model.joint_names, rate=100.0, overwrite=True)
    print(f"wrote {table}")
    try:
        plot(options.output / "excitation.png", robot, result)
    except ImportError:
        print("no picture: Matplotlib is not installed")
    return result


if __name__ == "__main__":
    main()
