"""Environments of Gymnasium: its checker, seeds, restarts, and the dynamics of `robot.step`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from jounce.integrations.gymnasium import (  # noqa: E402
    CartPole,
    Pendulum,
    Reacher,
    RobotEnv,
    RobotVectorEnv,
    Task,
)

#: Gymnasium warns about observations without bounds, as velocities are.
pytestmark = pytest.mark.filterwarnings("ignore:.*A Box observation space:UserWarning")

NAMES = ("Pendulum", "CartPole", "Reacher")


@pytest.mark.parametrize("name", NAMES)
def test_the_checker_passes(name: str) -> None:
    check_env(gymnasium.make(f"jounce/{name}-v0").unwrapped)


def test_any_robot(tmp_path: Path) -> None:
    path = jounce.load("kuka_iiwa14").export.urdf(tmp_path / "arm.urdf")
    env = gymnasium.make("jounce/Robot-v0", robot=str(path), time_step=0.01, substeps=1)
    check_env(env.unwrapped)
    assert env.observation_space.shape == (14,)
    assert env.action_space.shape == (7,)
    env = gymnasium.make(
        "jounce/Robot-v0", robot="kuka_iiwa14", reward=lambda q, v, tau: -abs(tau).sum(axis=-1)
    )
    env.reset(seed=0)
    assert env.step(np.ones(7, np.float32))[1] == -jounce.load("kuka_iiwa14").limits.effort.sum()


def test_floating_robots_with_passive_coordinates() -> None:
    robot = jounce.load("kuka_iiwa14", base="floating")
    env = RobotEnv(robot=robot, torque=[0.0] * 11 + [3.0, 5.0])
    observation, _ = env.reset(seed=0)
    assert observation.shape == (14 + 13,)
    assert env.task.drives.tolist() == [[0] * 11 + [3, 0], [0] * 12 + [5]]
    assert np.isfinite(env.step(np.zeros(2, np.float32))[1])


def run(name: str, steps: int, seed: int = 3, **options: Any) -> list[Any]:
    envs = gymnasium.make_vec(f"jounce/{name}-v0", num_envs=4, max_episode_steps=5, **options)
    rng = np.random.default_rng(0)
    results = [envs.reset(seed=seed)[0]]
    for _ in range(steps):
        actions = rng.uniform(-1, 1, envs.action_space.shape).astype(np.float32)
        results += envs.step(actions)[:4]
    return [np.asarray(x) for x in results]


@pytest.mark.parametrize("name", NAMES)
def test_seeds_and_array_libraries_give_the_same_episodes(name: str) -> None:
    expected = run(name, 12)
    assert all(np.array_equal(x, y) for x, y in zip(expected, run(name, 12), strict=True))
    assert not np.array_equal(expected[0], run(name, 0, seed=4)[0])
    pytest.importorskip("torch")
    for x, y in zip(expected, run(name, 12, arrays="torch", device="cpu"), strict=True):
        assert x.dtype == y.dtype
        assert np.abs(x * 1.0 - y * 1.0).max() < 1e-6 * (1.0 + np.abs(x).max())


def test_torch_results_are_tensors() -> None:
    torch = pytest.importorskip("torch")
    envs = RobotVectorEnv(3, "reacher", arrays="torch", device="cpu")
    observations, _ = envs.reset(seed=0)
    results = envs.step(torch.zeros((3, 2)))[:4]
    assert all(isinstance(x, torch.Tensor) for x in (observations, *results))


def test_a_vector_of_one_is_an_environment() -> None:
    env, envs = gymnasium.make("jounce/Pendulum-v0"), RobotVectorEnv(1, "pendulum")
    one, many = env.reset(seed=5)[0], envs.reset(seed=5)[0]
    assert np.array_equal(one, many[0])
    for _ in range(5):
        one, many = env.step(np.array([0.3], np.float32)), envs.step([[np.float32(0.3)]])
        assert np.array_equal(one[0], many[0][0])
        assert one[1] == many[1][0]


def test_steps_are_those_of_the_robot() -> None:
    """The rod's angle obeys I a = m g l / 2 sin q + tau, whose energy balance is exact."""
    task = Pendulum()
    robot = task.robot
    q = np.array([0.3])
    a = robot.forward_dynamics(q, [0.0], [0.5])
    assert abs(a[0] - (9.81 * 0.5 * np.sin(0.3) + 0.5) * 3.0) < 1e-12
    env = RobotEnv(task)
    env.reset(seed=0)
    q, v, _ = env._batch._state
    env.step(np.array([0.5], np.float32))
    for _ in range(2):
        q, v = robot.step(q, v, [[1.0]], 0.025)
    assert np.array_equal(env._batch._state[0], q)


def test_ended_episodes_restart_in_the_next_step() -> None:
    assert RobotVectorEnv.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.NEXT_STEP
    envs = RobotVectorEnv(2, CartPole(), max_episode_steps=1000)
    envs.reset(seed=0)
    actions = np.array([[1.0], [0.0]])
    for _ in range(200):
        observations, rewards, ended, truncated, _ = envs.step(actions)
        if ended[0]:
            break
    assert abs(observations[0, 1]) > np.radians(12.0) or abs(observations[0, 0]) > 2.4
    assert not truncated.any()
    observations, rewards, ended, _, _ = envs.step(actions)
    assert np.abs(observations[0]).max() <= 0.05
    assert rewards[0] == 0.0
    assert not ended[0]


def test_rewards() -> None:
    q, v, goal = np.array([[np.pi + 0.1]]), np.array([[2.0]]), np.zeros((1, 0))
    reward = Pendulum().reward(np, q, v, np.array([[1.0]]), goal)
    assert abs(reward[0] + (np.pi - 0.1) ** 2 + 0.4 + 0.001) < 1e-12
    arm, zero = Reacher(), np.zeros((1, 2))
    assert abs(arm.reward(np, zero, zero, zero, np.array([[0.2, 0.1]]))[0] + 0.1) < 1e-12
    assert np.abs(arm.observe(np, zero, zero, zero)[0, -2:] - [0.2, 0.0]).max() < 1e-12
    rng = np.random.default_rng(0)
    assert np.linalg.norm(arm.sample(rng, 1000)[2], axis=-1).max() < 0.2


def test_mistakes() -> None:
    with pytest.raises(jounce.ArgumentError, match="no torque limits; pass torque="):
        gymnasium.make("jounce/Robot-v0", robot="planar_2r")
    with pytest.raises(jounce.ArgumentError, match="unknown task 'pendulun'; did you mean"):
        RobotEnv("pendulun")
    with pytest.raises(jounce.ArgumentError, match="no options beside a Task, found robot"):
        RobotEnv(Task("kuka_iiwa14"), robot="ur5")
    with pytest.raises(gymnasium.error.ResetNeeded):
        RobotVectorEnv(2, "pendulum").step(np.zeros((2, 1)))
