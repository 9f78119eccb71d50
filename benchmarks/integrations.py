"""Integrations beside the classes that they replace: constraints of toppra, Gymnasium environments.

Run `python -m benchmarks.integrations` with toppra, Pinocchio and gymnasium.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import example_robot_data as erd
import gymnasium
import numpy as np
import pinocchio as pin
import toppra
from toppra.constraint import DiscretizationType, JointTorqueConstraint

import jounce
import jounce.integrations.gymnasium  # registers environments
from jounce.errors import ModelWarning
from jounce.integrations.toppra import TorqueConstraint

ENVIRONMENTS, STEPS, POINTS = 1024, 200, 101


def measure(work: Callable[[], Any], calls: int) -> float:
    """Return the least processor time of a call, in s."""
    work()
    times = []
    for _ in range(5):
        start = time.process_time()
        for _ in range(calls):
            work()
        times.append((time.process_time() - start) / calls)
    return min(times)


def constraints(name: str) -> None:
    """Print the times of the coefficients of torque limits at the points of a path."""
    loaded: Any = erd.load(name)
    robot, model = jounce.load(loaded.urdf), loaded.model
    fingers = [x for x in robot.model.joint_names if "finger_joint1" in x]
    if fingers:
        robot = robot.edit.lock({x: [0.0] for x in fingers})
        joints = [model.getJointId(x) for x in model.names if "finger" in x]
        model = pin.buildReducedModel(model, joints, pin.neutral(model))
    data, effort = model.createData(), robot.limits.effort
    path = toppra.SplineInterpolator(np.linspace(0, 1, 5), 0.5 * robot.random(0, 5))
    theirs = JointTorqueConstraint(
        lambda q, v, a: pin.rnea(model, data, q, v, a),
        np.stack([-effort, effort], axis=1),
        np.zeros(robot.nv),
        DiscretizationType.Interpolation,
    )
    grid = np.linspace(0, 1, POINTS)
    both = [
        lambda x=x: x.compute_constraint_params(path, grid)
        for x in (theirs, TorqueConstraint(robot))
    ]
    expected, found = (work() for work in both)
    for x, y in zip(expected[:5], found[:5], strict=True):
        assert np.abs(x - y).max() <= 1e-12 * np.abs(x).max()
    peer, ours = (1e6 * measure(work, 20) for work in both)
    print(
        f"torque limits of {name}: toppra {peer:.0f} us, jounce {ours:.0f} us, {peer / ours:.1f}x"
    )


def environments(label: str, name: str, **options: Any) -> None:
    """Print the time of a step of many environments, per environment."""
    envs = gymnasium.make_vec(name, num_envs=ENVIRONMENTS, **options)
    envs.action_space.seed(0)
    envs.reset(seed=0)
    actions = envs.action_space.sample()

    def steps() -> None:
        for _ in range(STEPS):
            envs.step(actions)

    print(f"{label}: {1e9 * measure(steps, 1) / STEPS / ENVIRONMENTS:.0f} ns per environment")
    envs.close()


def main() -> None:
    """Print all times."""
    warnings.simplefilter("ignore", ModelWarning)
    for name in ("ur5", "panda"):
        constraints(name)
    environments("CartPole of Gymnasium", "CartPole-v1", vectorization_mode="vector_entry_point")
    for name in ("Pendulum", "CartPole"):
        environments(f"{name} of jounce", f"jounce/{name}-v0")
    environments("iiwa of jounce", "jounce/Robot-v0", robot="kuka_iiwa14")


if __name__ == "__main__":
    main()
