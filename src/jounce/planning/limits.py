"""What limits motions along a path: rows that are linear in the squared speed and its slopes.

Along a path q(s), with x = (ds/dt)^2, u = d2s/dt2 = x' / 2 and w = u' (' = d/ds),

    velocity            q' sqrt(x)
    acceleration        q' u + q'' x
    torque              a u + b x + c
    jerk / sqrt(x)      q' w + 3 q'' u + q''' x
    rate of torque / sqrt(x)    a w + (a' + 2 b) u + b' x + c'

with a = M q', b = M q'' + C(q, q') q', and c = g minus the forces of external wrenches. The
coefficients are differences of inverse dynamics, and of its time derivative, on a few motions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError
from jounce.robot import Robot
from jounce.solve import Mechanism

#: A path: path(s, order) returns q and its derivatives with respect to s, as trajectories do.
Path = Callable[[np.ndarray, int], Sequence[np.ndarray]]

#: Limits of a quantity: True for those of the model, False or None for none, a number or (nv,) for
#: its absolute value, or a pair (lower, upper).
Limit = bool | None | ArrayLike | tuple[ArrayLike, ArrayLike]

#: External wrenches on the bodies (nb, 6), constant or as a function of s.
Wrenches = ArrayLike | Callable[[float], ArrayLike] | None


@dataclass(frozen=True)
class Rows:
    """Rows lower <= a u + b x + c + w u' <= upper at the points of a path.

    All arrays are (points, rows), except `lower` and `upper` (rows,).
    """

    names: tuple[str, ...]
    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    w: np.ndarray

    def values(self, x: np.ndarray, u: np.ndarray, w: np.ndarray) -> np.ndarray:
        """Return the values of the rows (points, rows)."""
        return self.a * u[:, None] + self.b * x[:, None] + self.c + self.w * w[:, None]


@dataclass(frozen=True)
class Limits:
    """Limits of a robot, (nv,) each, lower and upper; None without limit."""

    robot: Robot | Mechanism
    velocity: tuple[np.ndarray, np.ndarray] | None
    acceleration: tuple[np.ndarray, np.ndarray] | None
    torque: tuple[np.ndarray, np.ndarray] | None
    jerk: tuple[np.ndarray, np.ndarray] | None
    torque_rate: tuple[np.ndarray, np.ndarray] | None
    wrenches: Wrenches = None

    @property
    def has_rates(self) -> bool:
        """Whether jerks or rates of torques are limited."""
        return self.jerk is not None or self.torque_rate is not None

    def options(self, s: np.ndarray) -> dict[str, Any]:
        """Return external wrenches at the points of a path, as an option of inverse dynamics."""
        if self.wrenches is None:
            return {}
        if callable(self.wrenches):
            return {"wrenches": np.stack([np.asarray(self.wrenches(x), dtype=float) for x in s])}
        return {"wrenches": np.asarray(self.wrenches, dtype=float)}


def check_limit(
    robot: Robot | Mechanism, name: str, limit: Limit
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the lower and upper limits (nv,), or None if there are none.

    Parameters
    ----------
    robot : Robot or Mechanism
        The robot.
    name : str
        Name of the argument.
    limit : Limit
        The argument.

    Returns
    -------
    tuple of ndarray, or None
        Lower and upper limits.
    """
    if limit is None or limit is False:
        return None
    if limit is True:
        if name not in ("velocity", "torque"):
            raise ArgumentError(
                f"{robot.name}: models have no limits of {name}; pass numbers, {name}=..."
            )
        limit = robot.limits.velocity if name == "velocity" else robot.limits.effort
        return -limit, limit
    pair = limit if isinstance(limit, tuple) else (None, limit)
    if len(pair) != 2:
        raise ArgumentError(
            f"{robot.name}: {name} must be a number, an array ({robot.nv},) or a pair (lower,"
            f" upper), found {len(pair)} entries"
        )
    upper = np.asarray(pair[1], dtype=float)
    lower = -upper if pair[0] is None else np.asarray(pair[0], dtype=float)
    for x in (lower, upper):
        if x.shape not in ((), (robot.nv,)) or np.isnan(x).any():
            raise ArgumentError(
                f"{robot.name}: {name} must be a number or have shape ({robot.nv},), found {x}"
            )
    shape = (robot.nv,)
    lower, upper = np.broadcast_to(lower, shape), np.broadcast_to(upper, shape)
    if not ((lower <= 0.0) & (upper >= 0.0)).all() and name != "torque":
        raise ArgumentError(f"{robot.name}: {name} must contain 0, found {lower} to {upper}")
    if not (lower <= upper).all():
        raise ArgumentError(f"{robot.name}: lower limits of {name} must not exceed upper ones")
    return lower, upper


def fastest_speeds(limits: Limits, values: Sequence[np.ndarray]) -> np.ndarray:
    """Return the largest squared speeds x (points,) within the limits of velocities.

    Parameters
    ----------
    limits : Limits
        The limits.
    values : sequence of ndarray
        q and its derivatives along the path.

    Returns
    -------
    ndarray
        Squared speeds; a large number where nothing moves.
    """
    largest = np.full(len(values[1]), _LARGE)
    if limits.velocity is None:
        return largest
    lower, upper = limits.velocity
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(values[1] > 0.0, upper / values[1], lower / values[1])
    ratio = np.where(np.abs(values[1]) > 0.0, ratio, np.inf)
    return np.minimum(largest, ratio.min(axis=1) ** 2)


#: Squared speed without limit; larger ones lose digits.
_LARGE = 1e12


def value_rows(limits: Limits, s: np.ndarray, values: Sequence[np.ndarray]) -> Rows:
    """Return the rows of accelerations and torques at the points of a path.

    Parameters
    ----------
    limits : Limits
        The limits.
    s : ndarray (points,)
        Path parameters.
    values : sequence of ndarray
        q, q', q'' there.

    Returns
    -------
    Rows
        The rows with a finite limit.
    """
    _, d1, d2 = values[:3]
    parts, zero = [], np.zeros_like(d1)
    if limits.acceleration is not None:
        parts.append(("acceleration", d1, d2, zero, *limits.acceleration))
    if limits.torque is not None:
        a, b, c = _torque_terms(limits, s, values)
        parts.append(("torque", a, b, c, *limits.torque))
    return _stack(limits, [(*part, None) for part in parts], len(s))


def rate_rows(limits: Limits, s: np.ndarray, values: Sequence[np.ndarray]) -> Rows:
    """Return the rows of jerks and rates of torques, divided by sqrt(x).

    Parameters
    ----------
    limits : Limits
        The limits.
    s : ndarray (points,)
        Path parameters.
    values : sequence of ndarray
        q, q', q'', q''' there.

    Returns
    -------
    Rows
        The rows with a finite limit.
    """
    _, d1, d2, d3 = values[:4]
    parts, zero = [], np.zeros_like(d1)
    if limits.jerk is not None:
        parts.append(("jerk", 3.0 * d2, d3, zero, *limits.jerk, d1))
    if limits.torque_rate is not None:
        of_w, of_u, of_x, constant = _torque_rate_terms(limits, s, values)
        parts.append(("torque rate", of_u, of_x, constant, *limits.torque_rate, of_w))
    return _stack(limits, parts, len(s))


def _torque_terms(
    limits: Limits, s: np.ndarray, values: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a, b and c of the torques a u + b x + c."""
    q, d1, d2 = values[:3]
    zero = np.zeros_like(d1)
    v, a = np.stack((zero, zero, d1)), np.stack((zero, d1, d2))
    c, total, fast = limits.robot.inverse_dynamics(q, v, a, **limits.options(s))
    return total - c, fast - c, c


def _torque_rate_terms(
    limits: Limits, s: np.ndarray, values: Sequence[np.ndarray]
) -> tuple[np.ndarray, ...]:
    """Return the factors of w, u, x and 1 of the rates of torques over sqrt(x).

    At x = 1, d(tau)/dt = a w + (a' + 2 b) u + b' + c'; at x = 4 it is 2 (4 b' + c') for u = w = 0.
    """
    q, d1, d2, d3 = values[:4]
    options = limits.options(s)
    if callable(limits.wrenches):
        raise ArgumentError(
            "limits of torque rates need constant wrenches, found a function of the path"
        )
    function = limits.robot.inverse_dynamics.rates(1)

    def rate(x: float, u: float, w: float) -> np.ndarray:
        speed = x**0.5
        v, a = speed * d1, x * d2 + u * d1
        jerk = speed * (x * d3 + 3.0 * u * d2 + w * d1)
        return function(q, v, a, jerk, **options)[1] / speed

    base, fast = rate(1.0, 0.0, 0.0), rate(4.0, 0.0, 0.0)
    of_x = (fast - base) / 3.0
    return rate(1.0, 0.0, 1.0) - base, rate(1.0, 1.0, 0.0) - base, of_x, base - of_x


def _stack(limits: Limits, parts: Sequence[Any], points: int) -> Rows:
    """Return rows of several kinds, without those that have no limit."""
    labels = limits.robot.labels("v")
    names: list[str] = []
    columns: list[list[np.ndarray]] = [[] for _ in range(6)]
    for kind, a, b, c, lower, upper, w in parts:
        kept = np.isfinite(lower) | np.isfinite(upper)
        names += [f"{kind} of '{label}'" for label, k in zip(labels, kept, strict=True) if k]
        arrays = (a, b, c, np.zeros_like(a) if w is None else w)
        for column, x in zip(columns, arrays, strict=False):
            column.append(x[:, kept])
        columns[4].append(lower[kept])
        columns[5].append(upper[kept])
    if not names:
        nothing = np.zeros((points, 0))
        return Rows((), nothing, nothing, nothing, np.zeros(0), np.zeros(0), nothing)
    a, b, c, w = (np.concatenate(x, axis=1) for x in columns[:4])
    lower, upper = (np.concatenate(x) for x in columns[4:])
    return Rows(tuple(names), a, b, c, lower, upper, w)
