"""What limits motions along a path: rows that are linear in the squared speed and its derivatives.

Along a path q(s), with x = (ds/dt)^2, x', x'' (' = d/ds),

    velocity            q' sqrt(x)
    acceleration        q' x' / 2 + q'' x
    torque              a x' / 2 + b x + c
    jerk / sqrt(x)      q' x'' / 2 + 3 q'' x' / 2 + q''' x
    rate of torque / sqrt(x)    a x'' / 2 + (a' + 2 b) x' / 2 + b' x + c'

with a = M q', b = M q'' + C(q, q') q', and c = g minus the forces of external wrenches. The
coefficients are differences of inverse dynamics, and of its time derivative, on a few motions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError
from jounce.planning.contact_limits import Stance
from jounce.planning.motor_limits import Motors
from jounce.planning.path_points import PathPoints
from jounce.planning.rows import Rows, join_rows
from jounce.robot import Robot
from jounce.solve import Mechanism

#: Limits of a quantity: True for those of the model, False or None for none, a number or (nv,) for
#: its absolute value, or a pair (lower, upper).
Limit = bool | None | ArrayLike | tuple[ArrayLike, ArrayLike]


@dataclass(frozen=True)
class Limits:
    """Limits of a robot, (nv,) each, lower and upper; None without limit."""

    robot: Robot | Mechanism
    velocity: tuple[np.ndarray, np.ndarray] | None
    acceleration: tuple[np.ndarray, np.ndarray] | None
    torque: tuple[np.ndarray, np.ndarray] | None
    jerk: tuple[np.ndarray, np.ndarray] | None
    torque_rate: tuple[np.ndarray, np.ndarray] | None
    motor_torque: tuple[np.ndarray, np.ndarray] | None = None
    motor_torque_rate: tuple[np.ndarray, np.ndarray] | None = None
    #: Motors and springs; None for rigid joints.
    motors: Motors | None = None
    #: Contacts with the ground; None without.
    stance: Stance | None = None

    @property
    def order(self) -> int:
        """Order of the highest derivative of x that is limited; 0 without limits of rates."""
        if self.motor_torque_rate is not None:
            return 4
        if self.motor_torque is not None:
            return 3
        return 2 if self.jerk is not None or self.torque_rate is not None else 0

    @property
    def finite(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Limits by kind, in words."""
        pairs = {name: getattr(self, name) for name in KINDS}
        return {name.replace("_", " "): x for name, x in pairs.items() if x is not None}


#: Names of limits.
KINDS = (
    "velocity",
    "acceleration",
    "torque",
    "motor_torque",
    "jerk",
    "torque_rate",
    "motor_torque_rate",
)


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
        if name not in ("velocity", "torque", "motor_torque"):
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
    if not ((lower <= 0.0) & (upper >= 0.0)).all() and not name.endswith("torque"):
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
    d1 = values[1]
    if limits.velocity is None:
        return np.full(len(d1), _LARGE)
    lower, upper = (np.abs(x) for x in limits.velocity)
    if upper.all() and lower.all():
        shares = np.maximum(d1 / upper, -d1 / lower)
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.where(d1 == 0.0, 0.0, np.maximum(d1 / upper, -d1 / lower))
    return 1.0 / np.maximum(shares.max(axis=1) ** 2, 1.0 / _LARGE)


#: Squared speed without limit; larger ones lose digits.
_LARGE = 1e12


def value_rows(limits: Limits, path: PathPoints) -> Rows:
    """Return the rows of accelerations, torques and contact forces at the points of a path.

    Parameters
    ----------
    limits : Limits
        The limits.
    path : PathPoints
        The path up to q''.

    Returns
    -------
    Rows
        The rows with a finite limit.
    """
    _, d1, d2 = path.q[:3]
    parts = []
    if limits.acceleration is not None:
        terms = (np.zeros_like(d1), d2, 0.5 * d1)
        parts.append(_limit_rows(limits, "acceleration", terms, limits.acceleration))
    if limits.torque is not None or limits.stance is not None:
        terms, forces = _torque_terms(limits.robot, path), ()
        if limits.stance is not None:
            terms, forces, friction = limits.stance.distribute(path, terms)
            parts.append(friction)
        if limits.torque is not None:
            parts.append(_limit_rows(limits, "torque", terms, limits.torque, forces))
    return join_rows(parts, len(d1))


def rate_rows(limits: Limits, path: PathPoints) -> Rows:
    """Return the rows of jerks and rates of torques, divided by sqrt(x).

    Parameters
    ----------
    limits : Limits
        The limits.
    path : PathPoints
        The path up to q'''.

    Returns
    -------
    Rows
        The rows with a finite limit.
    """
    parts = []
    if limits.jerk is not None:
        _, d1, d2, d3 = path.q[:4]
        terms = (np.zeros_like(d1), d3, 1.5 * d2, 0.5 * d1)
        parts.append(_limit_rows(limits, "jerk", terms, limits.jerk))
    if limits.torque_rate is not None:
        terms, forces = _torque_rate_terms(limits.robot, path), ()
        if limits.stance is not None:
            terms, forces = limits.stance.distribute_rates(
                path, _torque_terms(limits.robot, path), terms
            )
        parts.append(_limit_rows(limits, "torque rate", terms, limits.torque_rate, forces))
    return join_rows(parts, len(path.q[0]))


def _limit_rows(
    limits: Limits,
    kind: str,
    terms: Sequence[np.ndarray],
    limit: tuple[np.ndarray, np.ndarray],
    forces: Sequence[np.ndarray] = (),
) -> Rows:
    """Return the rows of a quantity (c, factors of x, x', ...) that have a finite limit."""
    names = tuple(f"{kind} of '{x}'" for x in limits.robot.labels("v"))
    return Rows(names, terms[0], tuple(terms[1:]), *limit, tuple(forces)).with_finite_limits()


def _torque_terms(robot: Robot | Mechanism, path: PathPoints) -> tuple[np.ndarray, ...]:
    """Return c, b and a / 2 of the torques a x' / 2 + b x + c."""
    q, d1, d2 = path.q[:3]
    zero = np.zeros_like(d1)
    v, a = np.stack((zero, zero, d1)), np.stack((zero, d1, d2))
    c, total, fast = robot.inverse_dynamics(q, v, a, **path.options([]))
    return c, fast - c, 0.5 * (total - c)


def _torque_rate_terms(robot: Robot | Mechanism, path: PathPoints) -> tuple[np.ndarray, ...]:
    """Return the factors of 1, x, x' and x'' of the rates of torques over sqrt(x).

    At x = 1, d(tau)/dt = a w + (a' + 2 b) u + b' + c'; at x = 4 it is 2 (4 b' + c') for u = w = 0,
    with u = x' / 2 and w = x'' / 2.
    """
    q, d1, d2, d3 = path.q[:4]
    function = robot.inverse_dynamics.rates(1)

    def rate(x: float, u: float, w: float) -> np.ndarray:
        speed = x**0.5
        v, a = speed * d1, x * d2 + u * d1
        jerk = speed * (x * d3 + 3.0 * u * d2 + w * d1)
        return function(q, v, a, jerk, **path.options([np.full(len(q), speed)]))[1] / speed

    base, fast = rate(1.0, 0.0, 0.0), rate(4.0, 0.0, 0.0)
    of_x = (fast - base) / 3.0
    of_u, of_w = rate(1.0, 1.0, 0.0) - base, rate(1.0, 0.0, 1.0) - base
    return base - of_x, of_x, 0.5 * of_u, 0.5 * of_w
