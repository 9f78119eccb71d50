"""Playback of motions: interpolated configurations, ghosts, and the playback clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays import plain, refuse_degrees, refuse_other_joints
from jounce.errors import ArgumentError
from jounce.viewer.live.subject import Subject

if TYPE_CHECKING:
    from jounce.viewer.live.charts import Chart

#: Largest number of ghosts.
MAX_GHOSTS = 500


def check_positive(x: Any, requirement: str) -> float:
    """Return x as a float; raise `requirement` and the value unless finite and > 0."""
    try:
        value = float(x) if not isinstance(x, (bool, str)) and np.ndim(x) == 0 else 0.0
    except (TypeError, ValueError):
        value = 0.0
    if not 0.0 < value < np.inf:
        raise ArgumentError(f"{requirement}, found {x!r}")
    return value


class Motion:
    """A trajectory sampled every dt seconds, and the ghosts that are shown with it.

    trajectory: (n, nq), or (b, n, nq): the first is the robot's, the others are ghosts'. ghosts:
    more trajectories (b, n, nq), or the number of still copies along the robot's trajectory.
    """

    def __init__(
        self,
        subject: Subject,
        trajectory: ArrayLike,
        dt: float,
        ghosts: ArrayLike | int | None,
        title: str,
    ) -> None:
        self.subject = subject
        self.dt = check_positive(dt, f"{title}: dt must be a time > 0 in seconds")
        paths = self._check_paths(trajectory, "trajectory", title)
        self.q: np.ndarray = paths[0]
        self.t: np.ndarray = self.dt * np.arange(len(self.q))
        self.duration: float = float(self.t[-1])
        self.moving: np.ndarray = paths[1:]
        self.still: np.ndarray = self.q[:0]
        if isinstance(ghosts, (int, np.integer)) and not isinstance(ghosts, bool):
            if not 0 <= ghosts <= MAX_GHOSTS:
                raise ArgumentError(
                    f"{title}: ghosts must be 0 to {MAX_GHOSTS} or trajectories, found {ghosts}"
                )
            self.still = self.q[np.linspace(0, len(self.q) - 1, int(ghosts)).round().astype(int)]
        elif ghosts is not None:
            others = self._check_paths(ghosts, "ghosts", title)
            if others.shape[1] != len(self.q):
                raise ArgumentError(
                    f"{title}: ghosts must have {len(self.q)} samples like the trajectory, found"
                    f" {others.shape[1]}"
                )
            self.moving = np.concatenate((self.moving, others))
        if self.ghosts > MAX_GHOSTS:
            raise ArgumentError(
                f"{title}: at most {MAX_GHOSTS} ghosts can be shown, found {self.ghosts}"
            )
        self.v, self.a = self._rates()

    def _check_paths(self, values: ArrayLike, name: str, title: str) -> np.ndarray:
        """Return trajectories (b, n, nq) with unit quaternions; raise unless finite."""
        nq = self.subject.robot.nq
        refuse_other_joints(self.subject.robot, values, "q", f"{title}: {name}")
        refuse_degrees(values, f"{title}: {name}")
        paths = np.asarray(plain(values, f"{title}: {name}"), dtype=float)
        shape = paths.shape
        if paths.ndim == 2:
            paths = paths[None]
        if paths.ndim != 3 or paths.shape[2] != nq or 0 in paths.shape[:2]:
            raise ArgumentError(
                f"{title}: {name} must have shape (n, {nq}) or (b, n, {nq}), n > 0, found {shape}"
            )
        if not np.isfinite(paths).all():
            b, n, _ = np.argwhere(~np.isfinite(paths))[0]
            raise ArgumentError(f"{title}: {name} is not finite at sample {n} of trajectory {b}")
        return self.subject.normalize_quaternions(paths, f"{title}: {name}")

    @property
    def ghosts(self) -> int:
        """Number of ghosts."""
        return len(self.moving) + len(self.still)

    def _rates(self) -> tuple[np.ndarray, np.ndarray]:
        """Return velocities and accelerations (n, nv) by central differences."""
        dynamics, n = self.subject.dynamics, len(self.q)
        if n < 2:
            zero = np.zeros((n, dynamics.nv))
            return zero, zero
        samples = np.arange(n)
        before, after = np.maximum(samples - 1, 0), np.minimum(samples + 1, n - 1)
        displacement = dynamics.difference(self.q[before], self.q[after])
        v = displacement / ((after - before)[:, None] * self.dt)
        return v, np.gradient(v, self.dt, axis=0)

    def locate(self, time: float) -> tuple[int, float]:
        """Return the sample before a time, and the fraction of the step that has passed."""
        position = min(max(time / self.dt, 0.0), len(self.q) - 1.0)
        k = min(int(position), max(len(self.q) - 2, 0))
        return k, position - k

    def configuration(self, time: float) -> np.ndarray:
        """Return the robot's q (nq,) at a time."""
        k, fraction = self.locate(time)
        return self._interpolate(self.q, k, fraction)

    def rates(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the robot's velocity and acceleration (nv,) at a time."""
        k, fraction = self.locate(time)
        k += round(fraction)
        return self.v[k], self.a[k]

    def ghosts_at(self, time: float) -> np.ndarray:
        """Return the ghosts' configurations (ghosts, nq) at a time."""
        k, fraction = self.locate(time)
        moving = self._interpolate(self.moving.swapaxes(0, 1), k, fraction)
        return np.concatenate((moving, self.still))

    def _interpolate(self, path: np.ndarray, k: int, fraction: float) -> np.ndarray:
        if fraction == 0.0 or k + 1 >= len(path):
            return path[k]
        return self.subject.robot.interpolate(path[k], path[k + 1], fraction)


class Clock:
    """Playback clock: runs, pauses, loops, and can be set."""

    def __init__(self, duration: float, *, speed: float, loop: bool, playing: bool) -> None:
        self.duration, self.speed, self.loop = duration, speed, loop
        self.playing = playing and duration > 0.0
        self.time = 0.0
        self._last: float | None = None

    def tick(self, now: float) -> bool:
        """Advance to a monotonic time `now`; return whether the playback time has changed."""
        last, self._last = self._last, now
        if not self.playing or last is None:
            return False
        time = self.time + (now - last) * self.speed
        if time > self.duration:
            time = time % self.duration if self.loop else self.duration
            self.playing = self.loop
        changed, self.time = time != self.time, time
        return changed

    def play(self, playing: bool = True) -> None:
        """Start or pause; starting at the end begins anew."""
        if playing and not self.loop and self.time >= self.duration:
            self.time = 0.0
        self.playing = playing and self.duration > 0.0
        self._last = None

    def set(self, time: Any) -> None:
        """Jump to a playback time."""
        self.time = float(np.clip(time, 0.0, self.duration))


@dataclass(frozen=True, eq=False)
class Playback:
    """A motion with its clock and its charts: those always shown, and those by joint."""

    motion: Motion
    clock: Clock
    charts: list[Chart] = field(default_factory=list)
    by_joint: Mapping[str, list[Chart]] = field(default_factory=dict)

    @property
    def extent(self) -> np.ndarray:
        """Configurations (n, nq) along the motion, from which the camera is set."""
        q = self.motion.q
        return q[np.linspace(0, len(q) - 1, 9).round().astype(int)]
