"""Tasks of Gymnasium environments: robots, observations, rewards and ends of episodes.

The functions of a task take `xp`, the module of the arrays (numpy, torch, jax.numpy or cupy), and
arrays of that library with one leading axis.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError
from jounce.io import TreeBuilder
from jounce.robot import Robot, load

#: Velocities beyond which a motion counts as diverged, rad/s and m/s.
_MAX_SPEED = 1e4


class Task:
    """A robot that shall stay at its neutral configuration, and the base class of other tasks.

    Parameters
    ----------
    robot : Robot or path
        The robot, or a file or name as `jounce.load` takes it.
    torque : float or array_like (nv,), optional
        Generalized forces at an action of 1, N m and N; zero for passive coordinates. By default
        the limits of the model, and zero where it has none.
    time_step : float
        Time between two actions, s.
    substeps : int
        Steps of the simulation in that time.
    spread : float
        Initial positions and velocities differ from neutral and zero by at most this.
    friction : bool
        Include joint friction.
    reward : callable, optional
        reward(q, v, tau) of arrays (n, nq), (n, nv), (n, nv) returns an array (n,). By default
        -(|q - neutral|^2 + 0.1 |v|^2 + 0.001 |action|^2).

    Raises
    ------
    ArgumentError
        If no coordinate is driven.
    """

    def __init__(
        self,
        robot: Robot | str | os.PathLike[str],
        *,
        torque: ArrayLike | None = None,
        time_step: float = 0.02,
        substeps: int = 2,
        spread: float = 0.1,
        friction: bool = False,
        reward: Callable[[Any, Any, Any], Any] | None = None,
    ) -> None:
        self.robot = robot if isinstance(robot, Robot) else load(robot)
        nv = self.robot.nv
        effort = np.asarray(self.robot.limits.effort if torque is None else torque, dtype=float)
        effort = np.broadcast_to(np.where(np.isfinite(effort), effort, 0.0), (nv,))
        if not effort.any():
            raise ArgumentError(
                f"{self.robot.name}: the model has no torque limits; pass torque=, the forces at an"
                f" action of 1 as a number or an array ({nv},)"
            )
        #: Generalized forces (driven, nv) of each action.
        self.drives = np.diag(effort)[effort != 0.0]
        self._largest = effort.tolist()
        self.time_step, self.substeps, self.spread = time_step, substeps, spread
        self.friction = friction
        self._reward = reward
        q, v, goal = self.sample(np.random.default_rng(0), 1)
        #: Number of entries of an observation.
        self.size = self.observe(np, q, v, goal).shape[-1]

    def sample(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return initial states and goals: NumPy arrays (n, nq), (n, nv), (n, k)."""
        spread, shape = self.spread, (n, self.robot.nv)
        q = self.robot.integrate(self.robot.neutral(), rng.uniform(-spread, spread, shape))
        return q, rng.uniform(-spread, spread, shape), np.zeros((n, 0))

    def observe(self, xp: ModuleType | Any, q: Any, v: Any, goal: Any) -> Any:
        """Return observations (n, size): by default q, v and the goal."""
        return xp.concatenate((q, v, goal), axis=-1)

    def reward(self, xp: ModuleType | Any, q: Any, v: Any, tau: Any, goal: Any) -> Any:
        """Return rewards (n,)."""
        if self._reward is not None:
            return self._reward(q, v, tau)
        distance = self.robot.difference(self.robot.neutral(), q)
        effort = sum((tau[:, k] / x) ** 2 for k, x in enumerate(self._largest) if x)
        return -xp.sum(distance**2, axis=-1) - 0.1 * xp.sum(v**2, axis=-1) - 0.001 * effort

    def is_terminal(self, xp: ModuleType | Any, q: Any, v: Any, goal: Any) -> Any:
        """Return whether episodes end (n,): by default where the motion diverged."""
        return ~xp.all(xp.abs(v) < _MAX_SPEED, axis=-1)


class Pendulum(Task):
    """A rod of 1 kg and 1 m that shall swing up and stand: q = 0 is upright."""

    def __init__(self, **options: Any) -> None:
        builder = TreeBuilder("pendulum")
        _add_rod(builder, "rod", "revolute", mass=1.0, length=1.0, direction=2, axis=(0, 1, 0))
        super().__init__(Robot(builder.build()), torque=2.0, time_step=0.05, **options)

    def sample(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return any angles, and velocities up to 1 rad/s."""
        q = rng.uniform(-math.pi, math.pi, (n, 1))
        return q, rng.uniform(-1.0, 1.0, (n, 1)), np.zeros((n, 0))

    def observe(self, xp: ModuleType | Any, q: Any, v: Any, goal: Any) -> Any:
        """Return cos q, sin q and v."""
        return xp.concatenate((xp.cos(q), xp.sin(q), v), axis=-1)

    def reward(self, xp: ModuleType | Any, q: Any, v: Any, tau: Any, goal: Any) -> Any:
        """Return -(angle^2 + 0.1 v^2 + 0.001 tau^2), with the angle between -pi and pi."""
        angle = xp.arctan2(xp.sin(q), xp.cos(q))
        return -xp.sum(angle**2 + 0.1 * v**2 + 0.001 * tau**2, axis=-1)


class CartPole(Task):
    """A cart of 1 kg that balances a rod of 0.1 kg and 1 m: q = (position, angle)."""

    def __init__(self, **options: Any) -> None:
        builder = TreeBuilder("cart_pole")
        builder.add("cart", "prismatic", axis=(1, 0, 0), mass=1.0)
        _add_rod(
            builder, "pole", "revolute", "cart", mass=0.1, length=1.0, direction=2, axis=(0, 1, 0)
        )
        super().__init__(
            Robot(builder.build()), **{"torque": (10.0, 0.0), "spread": 0.05, **options}
        )

    def reward(self, xp: ModuleType | Any, q: Any, v: Any, tau: Any, goal: Any) -> Any:
        """Return 1 for each step."""
        return xp.ones_like(q[:, 0])

    def is_terminal(self, xp: ModuleType | Any, q: Any, v: Any, goal: Any) -> Any:
        """Return whether the cart is 2.4 m away, or the rod tilts by 12 degrees."""
        upright = (xp.abs(q[:, 0]) < 2.4) & (xp.abs(q[:, 1]) < math.radians(12.0))
        return ~upright


class Reacher(Task):
    """A horizontal arm with two links of 0.1 m whose tip shall reach a goal."""

    def __init__(self, **options: Any) -> None:
        builder = TreeBuilder("reacher")
        _add_rod(builder, "link1", "revolute", mass=0.1, length=0.1, direction=0, damping=1e-3)
        _add_rod(
            builder,
            "link2",
            "revolute",
            "link1",
            mass=0.1,
            length=0.1,
            direction=0,
            damping=1e-3,
            placement=_shift(0.1),
        )
        builder.frame("tip", "link2", _shift(0.1))
        robot = Robot(builder.build())
        self._tip = robot.frame("tip")
        super().__init__(robot, torque=0.05, friction=True, **options)

    def sample(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return arms nearly at rest, and goals that can be reached."""
        q, v, _ = super().sample(rng, n)
        angle, distance = rng.uniform(-math.pi, math.pi, n), 0.2 * np.sqrt(rng.uniform(size=n))
        return q, v, np.stack((distance * np.cos(angle), distance * np.sin(angle)), axis=-1)

    def observe(self, xp: ModuleType | Any, q: Any, v: Any, goal: Any) -> Any:
        """Return cos q, sin q, v, the goal, and the way from it to the tip, in m."""
        away = self._tip.pose(q)[:, :2, 3] - goal
        return xp.concatenate((xp.cos(q), xp.sin(q), v, goal, away), axis=-1)

    def reward(self, xp: ModuleType | Any, q: Any, v: Any, tau: Any, goal: Any) -> Any:
        """Return -(distance to the goal in m + 0.1 |action|^2)."""
        away = self._tip.pose(q)[:, :2, 3] - goal
        return -xp.sqrt(xp.sum(away**2, axis=-1)) - 0.1 * xp.sum((tau / 0.05) ** 2, axis=-1)


#: Tasks by name.
TASKS: dict[str, Callable[..., Task]] = {
    "pendulum": Pendulum,
    "cart_pole": CartPole,
    "reacher": Reacher,
    "robot": Task,
}


def _add_rod(
    builder: TreeBuilder,
    link: str,
    kind: str,
    parent: str | None = None,
    *,
    mass: float,
    length: float,
    direction: int,
    **options: Any,
) -> None:
    """Add a thin rod from the joint along an axis."""
    com, inertia = np.zeros(3), np.eye(3) * mass * length**2 / 12.0
    com[direction], inertia[direction, direction] = 0.5 * length, 0.0
    parents = () if parent is None else (parent,)
    builder.add(link, kind, *parents, mass=mass, com=com, inertia_com=inertia, **options)


def _shift(x: float) -> np.ndarray:
    """Return a placement along x."""
    pose = np.eye(4)
    pose[0, 3] = x
    return pose
