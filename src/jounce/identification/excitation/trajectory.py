"""Periodic trajectories: a Fourier series for each joint."""

from __future__ import annotations

import csv
import io
import os
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jounce.utils import write_files


class Motion(NamedTuple):
    """Position, velocity, acceleration and jerk, each (..., nv), in rad or m and s."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    j: np.ndarray


@dataclass(frozen=True, eq=False)
class FourierTrajectory:
    """A periodic trajectory: a Fourier series for each joint.

    Attributes
    ----------
    period : float
        T in s.
    offset : (nv,) array
        q_0, the mean position in rad or m.
    cosine, sine : (nv, harmonics) arrays
        a_k and b_k, the amplitudes of the velocity in rad/s or m/s.
    """

    period: float
    offset: np.ndarray
    cosine: np.ndarray
    sine: np.ndarray

    def __post_init__(self) -> None:
        check_positive(self.period, "period")
        for name in ("offset", "cosine", "sine"):
            x = np.array(getattr(self, name), dtype=float)
            if not np.all(np.isfinite(x)):
                raise ValueError(f"a Fourier trajectory needs finite numbers; {name} has others")
            x.setflags(write=False)
            object.__setattr__(self, name, x)
        shapes = self.offset.shape, self.cosine.shape, self.sine.shape
        if len(shapes[1]) != 2 or shapes[1] != shapes[2] or shapes[0] != shapes[1][:1]:
            raise ValueError(
                "a Fourier trajectory needs offset (nv,), cosine and sine (nv, harmonics); found"
                f" shapes {', '.join(map(str, shapes))}"
            )

    @property
    def harmonics(self) -> int:
        """Number of harmonics of the base frequency 1 / period."""
        return self.cosine.shape[1]

    def __call__(self, t: ArrayLike) -> Motion:
        """Return the motion at the instants t (...) in s: arrays (..., nv)."""
        coefficients = np.concatenate((self.offset[:, None], self.cosine, self.sine), axis=1).T
        levels = (basis(t, self.period, self.harmonics, k) for k in (-1, 0, 1, 2))
        return Motion(*(level @ coefficients for level in levels))

    def sample(self, rate: float, periods: int = 1) -> tuple[np.ndarray, Motion]:
        """Sample the motion over full periods.

        Parameters
        ----------
        rate : float
            Approximate sampling rate in Hz.
        periods : int
            Number of periods.

        Returns
        -------
        t : (n,) array
            Instants in s; the last one is the first one of the next period.
        motion : Motion
            Positions, velocities, accelerations and jerks, each (n, nv).
        """
        count = check_integer(periods, "periods") * max(
            round(check_positive(rate, "rate") * self.period), 1
        )
        t = np.linspace(0.0, periods * self.period, count + 1)
        return t, self(t)

    def save(
        self,
        path: str | os.PathLike[str],
        joint_names: list[str] | None = None,
        *,
        rate: float = 100.0,
        periods: int = 1,
        overwrite: bool = False,
    ) -> None:
        """Write a CSV file: a column t, then q_NAME, v_NAME and a_NAME for each joint.

        Parameters
        ----------
        path
            The file to write.
        joint_names
            Names of the joints in the header; by default their numbers from 0.
        rate
            Rows per second, in Hz.
        periods
            Number of periods.
        overwrite
            Replace a file that exists; FileExistsError otherwise.
        """
        names = [str(i) for i in range(len(self.offset))] if joint_names is None else joint_names
        if len(names) != len(self.offset):
            raise ValueError(f"expected {len(self.offset)} joint names, found {len(names)}")
        t, motion = self.sample(rate, periods)
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(["t", *(f"{letter}_{name}" for letter in "qva" for name in names)])
        writer.writerows(np.column_stack((t, motion.q, motion.v, motion.a)).tolist())
        write_files({path: text.getvalue().encode()}, overwrite=overwrite)


def basis(t: ArrayLike, period: float, harmonics: int, order: int) -> np.ndarray:
    """Return derivative `order` of the basis of v, (..., 1 + 2 harmonics); -1: the basis of q.

    Columns belong to q_0, a_1 .. a_H, b_1 .. b_H.
    """
    rate = 2.0 * np.pi / period * np.arange(1, harmonics + 1)
    # subtract full periods, which would cost digits of the phase
    phase = np.remainder(np.asarray(t, dtype=float), period)[..., None] * rate
    s, c = np.sin(phase), np.cos(phase)
    pair = ((s, -c), (c, s), (-s, c), (-c, -s))[order + 1]
    constant = np.full((*phase.shape[:-1], 1), float(order == -1))
    return np.concatenate((constant, *(x * rate**order for x in pair)), axis=-1)


def check_positive(x: float, what: str) -> float:
    """Return a finite number > 0 as a float; otherwise raise a ValueError."""
    if not 0.0 < x < np.inf:
        raise ValueError(f"{what} must be > 0 and finite, found {x!r}")
    return float(x)


def check_integer(x: int, what: str, least: int = 1) -> int:
    """Return an integer >= least as an int; otherwise raise a ValueError."""
    if isinstance(x, bool) or not isinstance(x, (int, np.integer)) or x < least:
        raise ValueError(f"{what} must be an integer >= {least}, found {x!r}")
    return int(x)
