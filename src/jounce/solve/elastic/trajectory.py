"""Elastic drives with viscous damping in their springs, along a sampled trajectory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays.validation import plain
from jounce.errors import ArgumentError, explain_call, printable
from jounce.solve.elastic.drives import ElasticMotion, stored_motion
from jounce.solve.elastic.dynamics import link_forces, undamped
from jounce.solve.elastic.springs import Spring

if TYPE_CHECKING:
    from jounce.robot import Robot
    from jounce.solve.mechanism.robot import Mechanism


@explain_call
def elastic_trajectory(
    robot: Robot | Mechanism,
    t: ArrayLike,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    j: ArrayLike,
    s: ArrayLike,
    stiffness: ArrayLike | Spring,
    spring_damping: ArrayLike,
    *,
    damping: ArrayLike | None = None,
    motor_inertia: ArrayLike | None = None,
    dstiffness: ArrayLike | None = None,
    ddstiffness: ArrayLike | None = None,
    deflection: ArrayLike | None = None,
    out: tuple[np.ndarray | None, ...] | None = None,
    **forces: ArrayLike | None,
) -> ElasticMotion:
    """`robot.elastic_inverse_dynamics` for springs with damping, along a sampled trajectory.

    The deflection x = theta - q obeys D d/dt x + K x = tau joint by joint, stable with the time
    constant D / K. Between samples tau is the quintic through its values and first two time
    derivatives, for which the solution is exact whatever the step: the error is that of the
    quintic, O(h^6), and at the samples all three equations of the model hold to rounding.

    t (n,): rising instants in s. q (..., n, nq), v to s (..., n, nv) at these instants.
    spring_damping: D >= 0 in N m s/rad or N s/m, (nv,) or a number for every elastic drive; zero:
    the algebraic inverse. deflection (..., nv): x at t[0]; by default tau / K - D / K^2 d/dt tau +
    D^2 / K^3 d2/dt2 tau, the slow motion without a transient, exact for a start from rest. Any
    other decays like exp(-K t / D) and moves the links as exactly. The rest, wrenches and other
    forces by name included: as in `elastic_inverse_dynamics`. A stiffness that changes along the
    trajectory, or a `Spring`, has no closed solution with D: these take spring_damping zero.
    """
    title = printable(f"{robot.name}.elastic_trajectory")
    whole = robot.elastic_inverse_dynamics
    drives, steps = whole.drives, _steps(_numbers(robot, t, "t"))
    given = {name: x for name, x in forces.items() if x is not None}
    values = dict(zip("qvajs", (q, v, a, j, s), strict=True)) | given
    state, *levels = link_forces(whole.links, title, values)
    _check_instants(robot, state, len(steps) + 1)
    rates = [0.0 if x is None else x for x in (dstiffness, ddstiffness)]
    x = undamped(drives, (stiffness, *rates), levels, title)
    known = not isinstance(stiffness, Spring)
    K = drives.numbers("stiffness", stiffness) if known else np.ones(drives.nv)
    constant = known and K.ndim == 1 and not any(np.any(x) for x in rates)
    elastic = drives.driven & np.isfinite(K).reshape(-1, drives.nv).any(axis=0)
    D = drives.numbers("spring_damping", spring_damping, elastic)
    if D.ndim > 1 or (D.any() and not constant):
        raise ArgumentError(
            f"{title}: spring_damping must be ({drives.nv},) or a number, and zero where the"
            " stiffness changes along the trajectory or the spring is given by its law: the"
            " deflection then follows no equation that has a closed solution"
        )
    if D.any():
        start = None if deflection is None else _start(robot, deflection, levels[0].shape[:-2])
        _damp(x, np.flatnonzero(D > 0.0), levels, steps, (K, D), start)
    return stored_motion(drives.motion(state, levels[0], x, damping, motor_inertia), out, title)


def _damp(
    deflections: tuple[np.ndarray, ...],
    damped: np.ndarray,
    levels: Sequence[np.ndarray],
    steps: np.ndarray,
    numbers: tuple[np.ndarray, np.ndarray],
    start: np.ndarray | None,
) -> None:
    """Put x, x', x'' of the springs with damping in the place of those without.

    damped: which they are. levels: tau and its rates. numbers: K, D. start: x at first, of all.
    """
    x, dx, ddx = deflections
    K, D = (number[damped] for number in numbers)
    tau, rate, second = (level[..., damped].astype(float) for level in levels)
    if start is None:
        first = [f[..., 0, :] for f in (tau, rate, second)]
        begin = (first[0] - D / K * (first[1] - D / K * first[2])) / K
    else:
        begin = start[..., damped]
    x[..., damped] = _deflections(steps, (tau, rate, second), K, D, begin)
    dx[..., damped] = (tau - K * x[..., damped]) / D
    ddx[..., damped] = (rate - K * dx[..., damped]) / D


def _numbers(robot: Robot | Mechanism, value: Any, what: str) -> np.ndarray:
    """What is not part of the state, in double precision."""
    return np.asarray(plain(value, printable(f"{robot.name}: {what}")), dtype=float)


def _start(robot: Robot | Mechanism, deflection: ArrayLike, batch: tuple[int, ...]) -> np.ndarray:
    given = _numbers(robot, deflection, "deflection")
    try:
        return np.broadcast_to(given, (*batch, robot.nv))
    except ValueError:
        wanted = ", ".join(map(str, (*batch, robot.nv)))
        raise ArgumentError(
            f"{robot.name}: argument 'deflection' must have shape ({wanted}) or broadcast to it,"
            f" found {given.shape}"
        ) from None


def _check_instants(robot: Robot | Mechanism, state: Sequence[np.ndarray], count: int) -> None:
    """Refuse a trajectory whose arrays do not have a row for each instant."""
    for name, x in zip("qvajs", state, strict=True):
        if x.ndim < 2 or x.shape[-2] != count:
            width = robot.nq if name == "q" else robot.nv
            raise ArgumentError(
                f"{robot.name}: argument '{name}' must have shape (..., {count}, {width}), one row"
                f" for each instant in t, found {x.shape}"
            )


def _steps(instants: np.ndarray) -> np.ndarray:
    if instants.ndim != 1 or len(instants) < 1 or not np.all(np.isfinite(instants)):
        raise ArgumentError(
            f"t must be finite instants of shape (n,), found shape {instants.shape}"
        )
    steps = np.diff(instants)
    if np.any(steps <= 0.0):
        at = int(np.argmax(steps <= 0.0))
        raise ArgumentError(
            f"t must rise: t[{at}] = {instants[at]}, t[{at + 1}] = {instants[at + 1]}"
        )
    return steps


def _deflections(
    steps: np.ndarray,
    forces: tuple[np.ndarray, np.ndarray, np.ndarray],
    K: np.ndarray,
    D: np.ndarray,
    start: np.ndarray,
) -> np.ndarray:
    """x at the samples, (..., n, k), from D d/dt x + K x = tau with quintic tau in each step.

    One step: x1 = exp(-z) x0 + z / K sum_k c_k I_k(z) with z = h K / D, tau = sum_k c_k u^k.
    """
    h = steps[:, None]
    z = h * K / D
    scales = (1.0, h, h * h)
    c0, c1, c2 = (k * f[..., :-1, :] for k, f in zip(scales, forces, strict=True))
    e0, e1, e2 = (k * f[..., 1:, :] for k, f in zip(scales, forces, strict=True))
    c2 = c2 / 2.0
    # what is left at the step's end for u^3, u^4, u^5 to make up
    r0, r1, r2 = e0 - c0 - c1 - c2, e1 - c1 - 2.0 * c2, e2 - 2.0 * c2
    coefficients = (
        *(c0, c1, c2),
        10.0 * r0 - 4.0 * r1 + 0.5 * r2,
        -15.0 * r0 + 7.0 * r1 - r2,
        6.0 * r0 - 3.0 * r1 + 0.5 * r2,
    )
    push = z / K * sum(c * I for c, I in zip(coefficients, _moments(z), strict=True))
    decay = np.exp(-z)
    x = np.empty((*push.shape[:-2], len(steps) + 1, len(K)))
    x[..., 0, :] = start
    for n in range(len(steps)):
        x[..., n + 1, :] = decay[n] * x[..., n, :] + push[..., n, :]
    return x


def _moments(z: np.ndarray) -> list[np.ndarray]:
    """I_k(z), the integral of exp(-z (1 - u)) u^k over u from 0 to 1, for k = 0 to 5.

    The recursion I_k = (1 - k I_(k-1)) / z loses digits for small z; there the integrand is smooth
    and 16 Gauss points give all of them.
    """
    nodes, weights = np.polynomial.legendre.leggauss(16)
    u, weights = (1.0 + nodes) / 2.0, weights / 2.0
    small = z < 8.0
    smooth = np.exp(np.multiply.outer(-np.where(small, z, 0.0), 1.0 - u)) * weights
    large = np.where(small, 8.0, z)
    out: list[np.ndarray] = []
    for k in range(6):
        stepped = (1.0 - (k * out[-1] if k else np.exp(-large))) / large
        out.append(np.where(small, smooth @ u**k, stepped))
    return out
