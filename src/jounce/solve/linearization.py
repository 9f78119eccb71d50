"""Linearization of robots, mechanisms and robots in contact, and linear-quadratic regulators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ArgumentError

if TYPE_CHECKING:
    from jounce.robot.system import System


class Regulator(NamedTuple):
    """Linear-quadratic regulator: tau = tau_0 - gain x, x the change of the state.

    x stacks `robot.difference(q_0, q)` and v - v_0.
    """

    gain: np.ndarray
    """K (nv, 2 nv)."""

    cost: np.ndarray
    """P (2 nv, 2 nv): x^T P x is the cost to go."""

    poles: np.ndarray
    """Eigenvalues of A - B K (2 nv,), in 1/s, or of a step."""


def linearize(
    robot: System,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    h: ArrayLike | None = None,
    **options: Any,
) -> tuple[np.ndarray, np.ndarray]:
    """Return A and B of a robot's dynamics at a state; see `Robot.linearize`."""
    if h is None:
        return robot.quantity("state_matrices")(q, v, tau, **options)
    step: Any = robot.quantity("step")
    return step.derivatives(q, v, tau, h, **options)[2:]


def lqr(
    robot: System,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    Q: ArrayLike,
    R: ArrayLike,
    h: float | None = None,
    **options: Any,
) -> Regulator:
    """Return the linear-quadratic regulator of a robot about a state; see `Robot.lqr`."""
    return regulator(robot.name, *linearize(robot, q, v, tau, h, **options), Q, R, h is not None)


def regulator(
    name: str, A: np.ndarray, B: np.ndarray, Q: ArrayLike, R: ArrayLike, discrete: bool
) -> Regulator:
    """Return the linear-quadratic regulator of linear dynamics; name: of the robot."""
    from scipy.linalg import solve_continuous_are, solve_discrete_are

    if A.ndim != 2:
        raise ArgumentError(
            f"{name}.lqr: expected one state, found a batch of shape {A.shape[:-2]}; call it"
            " for each state"
        )
    Q, R = _weights(Q, A.shape[0], "Q", name), _weights(R, B.shape[1], "R", name)
    solve = solve_discrete_are if discrete else solve_continuous_are
    try:
        P = solve(A, B, Q, R)
    except (ValueError, np.linalg.LinAlgError) as error:
        raise ArgumentError(
            f"{name}.lqr: the Riccati equation has no stabilizing solution ({error}); check"
            " that tau moves all joints and that Q and R are positive (semi)definite"
        ) from error
    K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A) if discrete else np.linalg.solve(R, B.T @ P)
    return Regulator(K, P, np.linalg.eigvals(A - B @ K))


def _weights(x: ArrayLike, n: int, name: str, robot: str) -> np.ndarray:
    """Return a symmetric matrix of weights from a number, a diagonal or a matrix."""
    weights = np.asarray(x, dtype=float)
    if weights.shape in ((), (n,)):
        weights = np.diag(np.broadcast_to(weights, (n,)))
    if weights.shape != (n, n) or not np.allclose(weights, weights.T):
        raise ArgumentError(
            f"{robot}.lqr: {name} must be a number, ({n},) or a symmetric matrix ({n}, {n}), found"
            f" shape {np.shape(x)}"
        )
    return weights
