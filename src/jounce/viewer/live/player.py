"""A motion in time: where the robot and its ghosts are at an instant, and how time passes."""

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

#: Most ghosts at once.
MOST_GHOSTS = 500


def positive(x: Any, expected: str) -> float:
    """A finite number > 0; expected: how the message begins if it is something else."""
    try:
        found = float(x) if not isinstance(x, (bool, str)) and np.ndim(x) == 0 else 0.0
    except (TypeError, ValueError):
        found = 0.0
    if not 0.0 < found < np.inf:
        raise ArgumentError(f"{expected}, found {x!r}")
    return found


class Motion:
    """A sampled trajectory (n, nq) every dt seconds, and ghosts: others, or instants of its own.

    trajectory: (n, nq), or (b, n, nq), whose first is the robot's and whose others are ghosts'.
    ghosts: more trajectories (b, n, nq), or how many instants of the robot's own stand still.
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
        self.dt = positive(dt, f"{title}: dt must be a time > 0 in s")
        paths = self._paths(trajectory, "trajectory", title)
        self.q: np.ndarray = paths[0]
        self.t: np.ndarray = self.dt * np.arange(len(self.q))
        self.duration: float = float(self.t[-1])
        self.moving: np.ndarray = paths[1:]
        self.still: np.ndarray = self.q[:0]
        if isinstance(ghosts, (int, np.integer)) and not isinstance(ghosts, bool):
            if not 0 <= ghosts <= MOST_GHOSTS:
                raise ArgumentError(
                    f"{title}: ghosts must be 0 to {MOST_GHOSTS} instants, found {ghosts}"
                )
            self.still = self.q[np.linspace(0, len(self.q) - 1, int(ghosts)).round().astype(int)]
        elif ghosts is not None:
            others = self._paths(ghosts, "ghosts", title)
            if others.shape[1] != len(self.q):
                raise ArgumentError(
                    f"{title}: ghosts must have {len(self.q)} samples as the trajectory has, found"
                    f" {others.shape[1]}"
                )
            self.moving = np.concatenate((self.moving, others))
        if self.ghosts > MOST_GHOSTS:
            raise ArgumentError(
                f"{title}: at most {MOST_GHOSTS} ghosts can be shown, found {self.ghosts}"
            )
        self.v, self.a = self._rates()

    def _paths(self, given: ArrayLike, what: str, title: str) -> np.ndarray:
        """Trajectories (b, n, nq) of finite numbers, quaternions of unit length."""
        nq = self.subject.robot.nq
        refuse_other_joints(self.subject.robot, given, "q", f"{title}: {what}")
        refuse_degrees(given, f"{title}: {what}")
        found = np.asarray(plain(given, f"{title}: {what}"), dtype=float)
        shape = found.shape
        if found.ndim == 2:
            found = found[None]
        if found.ndim != 3 or found.shape[2] != nq or 0 in found.shape[:2]:
            raise ArgumentError(
                f"{title}: {what} must have shape (n, {nq}) or (b, n, {nq}), n > 0, found {shape}"
            )
        if not np.isfinite(found).all():
            b, n, _ = np.argwhere(~np.isfinite(found))[0]
            raise ArgumentError(f"{title}: {what} is not finite at sample {n} of trajectory {b}")
        return self.subject.upright(found, f"{title}: {what}")

    @property
    def ghosts(self) -> int:
        """How many ghosts there are."""
        return len(self.moving) + len(self.still)

    def _rates(self) -> tuple[np.ndarray, np.ndarray]:
        """Velocities and accelerations (n, nv) of the samples, by differences in time."""
        whole, n = self.subject.whole, len(self.q)
        if n < 2:
            zero = np.zeros((n, whole.nv))
            return zero, zero
        here = np.arange(n)
        before, after = np.maximum(here - 1, 0), np.minimum(here + 1, n - 1)
        way = whole.difference(self.q[before], self.q[after])
        v = way / ((after - before)[:, None] * self.dt)
        return v, np.gradient(v, self.dt, axis=0)

    def at(self, time: float) -> tuple[int, float]:
        """The sample before an instant, and which part of the way to the next one has passed."""
        place = min(max(time / self.dt, 0.0), len(self.q) - 1.0)
        k = min(int(place), max(len(self.q) - 2, 0))
        return k, place - k

    def configuration(self, time: float) -> np.ndarray:
        """The robot's q (nq,) at an instant."""
        k, part = self.at(time)
        return self._between(self.q, k, part)

    def rates(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """The robot's velocity and acceleration (nv,) at an instant."""
        k, part = self.at(time)
        k += round(part)
        return self.v[k], self.a[k]

    def ghosts_at(self, time: float) -> np.ndarray:
        """The ghosts' configurations (ghosts, nq) at an instant."""
        k, part = self.at(time)
        moving = self._between(self.moving.swapaxes(0, 1), k, part)
        return np.concatenate((moving, self.still))

    def _between(self, path: np.ndarray, k: int, part: float) -> np.ndarray:
        if part == 0.0 or k + 1 >= len(path):
            return path[k]
        return self.subject.robot.interpolate(path[k], path[k + 1], part)


class Clock:
    """Time that passes, stands still, comes round, and can be set."""

    def __init__(self, duration: float, *, speed: float, loop: bool, playing: bool) -> None:
        self.duration, self.speed, self.loop = duration, speed, loop
        self.playing = playing and duration > 0.0
        self.time = 0.0
        self._last: float | None = None

    def tick(self, now: float) -> bool:
        """Go on to an instant of the machine's time; whether the motion's has changed."""
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
        """Let time pass, from the start if it has come to the end; or let it stand."""
        if playing and not self.loop and self.time >= self.duration:
            self.time = 0.0
        self.playing = playing and self.duration > 0.0
        self._last = None

    def set(self, time: Any) -> None:
        """Go to an instant."""
        self.time = float(np.clip(time, 0.0, self.duration))


@dataclass(frozen=True, eq=False)
class Performance:
    """A motion, the time it is at, and the charts beside it: always shown, and by joint."""

    motion: Motion
    clock: Clock
    charts: list[Chart] = field(default_factory=list)
    by_joint: Mapping[str, list[Chart]] = field(default_factory=dict)

    @property
    def extent(self) -> np.ndarray:
        """Some configurations (n, nq) between which all happens, for whoever looks."""
        q = self.motion.q
        return q[np.linspace(0, len(q) - 1, 9).round().astype(int)]
