"""Elastic drives with viscous damping in their springs, along a sampled trajectory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays.validation import plain
from jounce.errors import ArgumentError, explain_call, printable
from jounce.solve.elastic.drives import ElasticMotion, stored_motion
from jounce.solve.elastic.dynamics import link_forces, undamped_deflections
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
    """Compute elastic inverse dynamics with damped springs along a sampled trajectory.

    Parameters
    ----------
    robot : Robot or Mechanism
    t : array_like (n,)
        Increasing times of the samples, in s.
    q : array_like (..., n, nq)
        Configurations.
    v, a, j, s : array_like (..., n, nv)
        Time derivatives of q.
    stiffness, damping, motor_inertia, dstiffness, ddstiffness, out, **forces
        As in `elastic_inverse_dynamics`. A stiffness that changes along the trajectory, or a
        `Spring`, requires that `spring_damping` is zero.
    spring_damping : array_like (nv,) or float
        D >= 0 in N m s/rad or N s/m, of each joint or of all elastic drives; with zero the
        algebraic inverse is used.
    deflection : array_like (..., nv), optional
        x at t[0]; by default tau / K - D / K^2 d/dt tau + D^2 / K^3 d2/dt2 tau, the slow motion
        without a transient, which is exact for a start at rest. With any other value the
        transient decays like exp(-K t / D); the links follow the trajectory exactly all the same.

    Returns
    -------
    ElasticMotion
        Arrays (..., n, nv).

    Notes
    -----
    The deflection x = theta - q obeys D d/dt x + K x = tau for each joint, which is stable with the
    time constant D / K. Between samples tau is interpolated by the quintic through its values and
    first two time derivatives, for which the solution is exact for any step: the error is that of
    the quintic, O(h^6), and at the samples the equations of the model hold to round-off.
    """
    title = printable(f"{robot.name}.elastic_trajectory")
    bound = robot.elastic_inverse_dynamics
    drives, steps = bound.drives, _steps(_numbers(robot, t, "t"))
    nonempty_forces = {name: x for name, x in forces.items() if x is not None}
    values = dict(zip("qvajs", (q, v, a, j, s), strict=True)) | nonempty_forces
    state, *levels = link_forces(bound.links, title, values)
    _check_instants(robot, state, len(steps) + 1)
    rates = [0.0 if x is None else x for x in (dstiffness, ddstiffness)]
    x = undamped_deflections(drives, (stiffness, *rates), levels, title)
    numeric = not isinstance(stiffness, Spring)
    K = drives.numbers("stiffness", stiffness) if numeric else np.ones(drives.nv)
    constant = numeric and K.ndim == 1 and not any(np.any(x) for x in rates)
    elastic = drives.driven & np.isfinite(K).reshape(-1, drives.nv).any(axis=0)
    D = drives.numbers("spring_damping", spring_damping, elastic)
    if D.ndim > 1 or (D.any() and not constant):
        raise ArgumentError(
            f"{title}: spring_damping must be ({drives.nv},) or a number, and zero if the stiffness"
            " changes along the trajectory or is a Spring, for which there is no closed solution"
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
    """Overwrite x, x', x'' of the springs with damping.

    damped: their indices. levels: tau and its rates. numbers: K, D. start: x of all at t[0].
    """
    x, dx, ddx = deflections
    K, D = (number[damped] for number in numbers)
    tau, rate, second = (level[..., damped].astype(float) for level in levels)
    if start is None:
        first = [f[..., 0, :] for f in (tau, rate, second)]
        x0 = (first[0] - D / K * (first[1] - D / K * first[2])) / K
    else:
        x0 = start[..., damped]
    x[..., damped] = _deflections(steps, (tau, rate, second), K, D, x0)
    dx[..., damped] = (tau - K * x[..., damped]) / D
    ddx[..., damped] = (rate - K * dx[..., damped]) / D


def _numbers(robot: Robot | Mechanism, value: Any, what: str) -> np.ndarray:
    """Return an argument that is not part of the state, in float64."""
    return np.asarray(plain(value, printable(f"{robot.name}: {what}")), dtype=float)


def _start(robot: Robot | Mechanism, deflection: ArrayLike, batch: tuple[int, ...]) -> np.ndarray:
    values = _numbers(robot, deflection, "deflection")
    try:
        return np.broadcast_to(values, (*batch, robot.nv))
    except ValueError:
        shape = ", ".join(map(str, (*batch, robot.nv)))
        raise ArgumentError(
            f"{robot.name}: argument 'deflection' must have shape ({shape}) or broadcast to it,"
            f" found {values.shape}"
        ) from None


def _check_instants(robot: Robot | Mechanism, state: Sequence[np.ndarray], count: int) -> None:
    """Raise an error unless the arrays of a trajectory have a row for each instant."""
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
        k = int(np.argmax(steps <= 0.0))
        raise ArgumentError(
            f"t must increase: t[{k}] = {instants[k]}, t[{k + 1}] = {instants[k + 1]}"
        )
    return steps


def _deflections(
    steps: np.ndarray,
    forces: tuple[np.ndarray, np.ndarray, np.ndarray],
    K: np.ndarray,
    D: np.ndarray,
    start: np.ndarray,
) -> np.ndarray:
    """Return x at the samples, (..., n, k), from D d/dt x + K x = tau with quintic tau per step.

    One step: x1 = exp(-z) x0 + z / K sum_k c_k I_k(z) with z = h K / D, tau = sum_k c_k u^k.
    """
    h = steps[:, None]
    z = h * K / D
    scales = (1.0, h, h * h)
    c0, c1, c2 = (k * f[..., :-1, :] for k, f in zip(scales, forces, strict=True))
    e0, e1, e2 = (k * f[..., 1:, :] for k, f in zip(scales, forces, strict=True))
    c2 = c2 / 2.0
    # residuals at the end of the step, which the terms u^3, u^4, u^5 cancel
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
    """Return I_k(z), the integral of exp(-z (1 - u)) u^k over u from 0 to 1, for k = 0 to 5.

    The recursion I_k = (1 - k I_(k-1)) / z loses digits for small z; there the integrand is smooth
    and 16 Gauss points are exact to round-off.
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
