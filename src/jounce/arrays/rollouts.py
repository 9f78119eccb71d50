"""Checks of rollouts for all array libraries: the number of steps, and divergence."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from jounce.arrays.configurations import is_count
from jounce.errors import ArgumentError, ModelWarning, warn


def step_count(
    title: str, taus: tuple[int, ...] | None, nv: int, policy: Any, steps: int | None
) -> int:
    """Return the number of steps of a rollout; taus: shape of the forces, None with a policy."""
    if (taus is None) == (policy is None):
        raise TypeError(f"{title}: expected either taus, or a policy and the number of steps")
    if taus is None:
        if not callable(policy):
            raise TypeError(f"{title}: policy must be a function policy(k, q, v), found {policy!r}")
        if not is_count(steps):
            raise ArgumentError(
                f"{title}: steps must be a whole number >= 0 with a policy, found {steps!r}"
            )
        return int(cast(int, steps))
    if len(taus) < 2 or taus[-1] != nv:
        raise ArgumentError(
            f"{title}: argument 'taus' must have shape (..., T, {nv}), found {taus}"
        )
    if steps not in (None, taus[-2]):
        raise ArgumentError(
            f"{title}: steps must be the number of rows of taus, {taus[-2]}, or omitted, found"
            f" {steps!r}"
        )
    return taus[-2]


def warn_of_divergence(title: str, robot: Any, q: np.ndarray, v: np.ndarray) -> None:
    """Warn of motions (T + 1, ..., n) that become NaN or infinite, or whose loops open.

    Only the last states are checked, since a state that is not finite stays so.
    """
    robot.warn_about_open_loops(q, title)
    lost = ~_finite(q[-1], v[-1])
    if not lost.any():
        return
    lost &= _finite(q[0], v[0])
    since = (~_finite(q[:, lost], v[:, lost])).argmax(axis=0)
    if since.size:
        some = f" in {since.size} of {lost.size} motions" if lost.ndim else ""
        singular = ", a singular configuration of the loops"
        warn(
            f"{title}: states are NaN or infinite from q[..., {since.min()}, :] on{some}; the"
            f" cause is a step h that is too long{singular if robot.model.loops else ''}, or an"
            " argument that is not finite",
            ModelWarning,
        )


def _finite(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return whether all entries of states are finite."""
    return np.asarray(np.isfinite(q).all(axis=-1) & np.isfinite(v).all(axis=-1))
