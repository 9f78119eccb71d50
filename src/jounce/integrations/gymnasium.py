"""Environments of Gymnasium: robots that are simulated by `robot.step`, alone or in batches.

Importing this module registers jounce/Pendulum-v0, jounce/CartPole-v0, jounce/Reacher-v0 and
jounce/Robot-v0, which takes any robot file.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from jounce.errors import ArgumentError, suggest
from jounce.integrations.tasks import TASKS, CartPole, Pendulum, Reacher, Task

__all__ = ["CartPole", "Pendulum", "Reacher", "RobotEnv", "RobotVectorEnv", "Task"]


def _make_task(task: str | Task, options: dict[str, Any]) -> Task:
    """Return a task from its name and options, or as it is."""
    if isinstance(task, Task):
        if options:
            raise ArgumentError(f"expected no options beside a Task, found {', '.join(options)}")
        return task
    if task not in TASKS:
        raise ArgumentError(f"unknown task {task!r}; {suggest(task, TASKS)}")
    return TASKS[task](**options)


def _spaces(task: Task) -> tuple[Box, Box]:
    """Return the spaces of observations and actions of one environment."""
    return (
        Box(-np.inf, np.inf, (task.size,), np.float32),
        Box(-1.0, 1.0, (len(task.drives),), np.float32),
    )


class RobotVectorEnv(VectorEnv[Any, Any, Any]):
    """Environments that are simulated together, on NumPy, PyTorch, JAX or CuPy arrays.

    Episodes that ended restart in the next step, whose action is ignored (`AutoresetMode.NEXT_STEP`
    of Gymnasium).

    Parameters
    ----------
    num_envs : int
        Number of environments.
    task : Task or str
        A task, or "pendulum", "cart_pole", "reacher" or "robot".
    max_episode_steps : int, optional
        Steps after which episodes are truncated.
    arrays : str
        Module of observations, rewards and flags: "numpy", "torch", "jax.numpy" or "cupy".
    device : str, optional
        Device of the arrays, such as "cuda:0" for torch: states remain there.
    **options
        Of the task; see `Task`.

    Examples
    --------
    >>> import gymnasium, jounce.integrations.gymnasium
    >>> envs = gymnasium.make_vec("jounce/Pendulum-v0", num_envs=100)
    >>> observations, _ = envs.reset(seed=0)
    >>> observations.shape
    (100, 3)
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        task: str | Task = "robot",
        *,
        max_episode_steps: int | None = None,
        arrays: str = "numpy",
        device: Any = None,
        render_mode: None = None,
        **options: Any,
    ) -> None:
        self.task = _make_task(task, options)
        self.num_envs, self.max_episode_steps = num_envs, max_episode_steps
        self.single_observation_space, self.single_action_space = _spaces(self.task)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.render_mode = render_mode
        self._xp: Any = import_module(arrays)
        self._dtype = self._xp.zeros(1, dtype=float).dtype  # float32 in JAX by default
        self._device = {} if device is None else {"device": device}
        self._drives = self._convert(self.task.drives)
        self._state: tuple[Any, Any, Any] | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start new episodes; the seed determines all further ones.

        Parameters
        ----------
        seed : int, optional
            Seed of initial states and goals.
        options : dict, optional
            Ignored.

        Returns
        -------
        observations : array (num_envs, size)
        info : dict
        """
        super().reset(seed=seed)
        self._state = self._sample()
        self._elapsed = self._xp.zeros_like(self._state[1][:, 0])
        self._ended = self._elapsed < 0.0
        return self._observe(), {}

    @np.errstate(over="ignore", invalid="ignore")
    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Simulate all environments for one time step.

        Parameters
        ----------
        actions : array_like (num_envs, driven)
            Generalized forces relative to the largest ones; clipped to -1 ... 1.

        Returns
        -------
        observations : array (num_envs, size)
        rewards : array (num_envs,)
        terminations, truncations : array (num_envs,) of bool
        info : dict
        """
        if self._state is None:
            raise gymnasium.error.ResetNeeded("expected reset() before step()")
        xp, task = self._xp, self.task
        q, v, goal = self._state
        tau = xp.clip(self._convert(actions), -1.0, 1.0) @ self._drives
        h = task.time_step / task.substeps
        for _ in range(task.substeps):
            q, v = task.robot.step(q, v, tau, h, friction=task.friction)
        rewards = task.reward(xp, q, v, tau, goal)
        terminated, ended = task.is_terminal(xp, q, v, goal), self._ended
        self._elapsed = self._elapsed + 1.0
        truncated = self._elapsed >= (self.max_episode_steps or np.inf)
        if bool(xp.any(ended)):
            fresh = self._sample()
            q, v, goal = (
                xp.where(ended[:, None], x, y) for x, y in zip(fresh, (q, v, goal), strict=True)
            )
            zero = xp.zeros_like(rewards)
            rewards, self._elapsed = (
                xp.where(ended, zero, rewards),
                xp.where(ended, zero, self._elapsed),
            )
            terminated, truncated = terminated & ~ended, truncated & ~ended
        self._state, self._ended = (q, v, goal), terminated | truncated
        return self._observe(), rewards, terminated, truncated, {}

    def _convert(self, x: Any) -> Any:
        return self._xp.asarray(x, dtype=self._dtype, **self._device)

    def _sample(self) -> tuple[Any, Any, Any]:
        q, v, goal = self.task.sample(self.np_random, self.num_envs)
        return self._convert(q), self._convert(v), self._convert(goal)

    def _observe(self) -> Any:
        assert self._state is not None
        return self._xp.asarray(self.task.observe(self._xp, *self._state), dtype=self._xp.float32)


class RobotEnv(gymnasium.Env[np.ndarray, np.ndarray]):
    """One environment, on NumPy arrays.

    Parameters
    ----------
    task : Task or str
        A task, or "pendulum", "cart_pole", "reacher" or "robot".
    **options
        Of the task; see `Task`.

    Examples
    --------
    >>> import gymnasium, jounce.integrations.gymnasium
    >>> env = gymnasium.make("jounce/Robot-v0", robot="kuka_iiwa14")
    >>> observation, _ = env.reset(seed=0)
    >>> observation.shape
    (14,)
    """

    metadata = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self, task: str | Task = "robot", *, render_mode: None = None, **options: Any
    ) -> None:
        self._batch = RobotVectorEnv(1, task, **options)
        self.task = self._batch.task
        self.observation_space, self.action_space = _spaces(self.task)
        self.render_mode = render_mode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start an episode.

        Parameters
        ----------
        seed : int, optional
            Seed of initial states and goals.
        options : dict, optional
            Ignored.

        Returns
        -------
        observation : ndarray (size,)
        info : dict
        """
        super().reset(seed=seed)
        self._batch.np_random = self.np_random
        observations, info = self._batch.reset()
        return observations[0], info

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Simulate one time step.

        Parameters
        ----------
        action : ndarray (driven,)
            Generalized forces relative to the largest ones; clipped to -1 ... 1.

        Returns
        -------
        observation : ndarray (size,)
        reward : float
        terminated, truncated : bool
        info : dict
        """
        observations, rewards, terminated, _, info = self._batch.step(np.asarray(action)[None])
        self._batch._ended[:] = False  # the caller resets
        return observations[0], float(rewards[0]), bool(terminated[0]), False, info


for _name, _task, _steps in (
    ("Pendulum", "pendulum", 200),
    ("CartPole", "cart_pole", 500),
    ("Reacher", "reacher", 100),
    ("Robot", "robot", 500),
):
    gymnasium.register(
        f"jounce/{_name}-v0",
        entry_point="jounce.integrations.gymnasium:RobotEnv",
        vector_entry_point="jounce.integrations.gymnasium:RobotVectorEnv",
        max_episode_steps=_steps,
        kwargs={"task": _task},
    )
