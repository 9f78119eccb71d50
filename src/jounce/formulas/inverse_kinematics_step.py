"""Levenberg-Marquardt step of inverse kinematics, within joint limits.

A step d minimizes |A d + r|^2 + l |d|^2 with the damping l = s |r|^2 (Fan and Yuan), over the
joints that are not blocked by a limit. Joints that would pass a limit stop there, and the step of
the other joints is recomputed. The step is accepted if it reduces the cost; then s decreases, else
it increases. The parameters of all goals form one array, with the weight of each goal first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from jounce.formulas.configurations import difference, integrate
from jounce.formulas.goals import Goal
from jounce.math.linear import solve
from jounce.math.scalar import (
    Array,
    array,
    dropped,
    kept,
    maximum,
    minimum,
    sqrt,
    where,
    zeros,
)
from jounce.math.spatial import dot
from jounce.model.manifold import leaders
from jounce.model.tree import Tree

#: Least damping relative to the trace of the normal matrix, which keeps it regular.
_RELATIVE_DAMPING = 1e-13

#: Factors on s after an accepted and a rejected step, and the minimum of s.
_DAMPING_DECREASE, _DAMPING_INCREASE, _MIN_DAMPING_SCALE = 0.2, 5.0, 1e-3


class _Residuals(NamedTuple):
    """Weighted residuals of the goals, their squared sum and individual norms."""

    r: Array
    cost: Any
    errors: Array


def levenberg_marquardt_step(
    goals: Sequence[Goal], near: bool = False
) -> Callable[..., tuple[Any, ...]]:
    """Return the formula of a step, (q, s, x, lower, upper) to (q, s, cost, errors).

    x: parameters of the goals. lower, upper (nv,): limits. cost: weighted sum of squared residuals;
    errors: norm of the residual of each goal. near: the formula also takes (rest, pull), a rest
    configuration and the weights (nv,) of the distance to it.
    """

    def step(
        tree: Tree, q: Array, s: Any, x: Array, lower: Array, upper: Array, *preference: Array
    ) -> tuple[Any, ...]:
        limits = (lower, upper)
        rest_q, pull = preference if near else (q, zeros(tree.nv))
        before = _residuals(goals, tree, q, x)
        A = np.concatenate(
            [w * goal.jacobian(tree, q, numbers) for goal, w, numbers in _split_numbers(goals, x)]
        )
        e = difference(tree, rest_q, q) if near else zeros(tree.nv)
        cost = before.cost + dot(pull * e, e)
        damping = s * cost + _RELATIVE_DAMPING * sum((dot(row, row) for row in A), 0.0)
        free = _free_velocities(tree, q, A.T @ before.r + pull * e, limits)
        d = damped_step(A * free, before.r, damping, free * pull, e)
        clipped, free = _limit_step(tree, q, d, free, limits)
        d = clipped + damped_step(A * free, before.r + A @ clipped, damping, free * pull, e)
        q_after = _clip(tree, integrate(tree, q, d), limits)
        after = _residuals(goals, tree, q_after, x)
        e = difference(tree, rest_q, q_after) if near else e
        gain = cost - after.cost - dot(pull * e, e)
        s = where(gain, maximum(_DAMPING_DECREASE * s, _MIN_DAMPING_SCALE), _DAMPING_INCREASE * s)
        cost = where(gain, after.cost, before.cost)
        return _select(gain, q_after, q), s, cost, _select(gain, after.errors, before.errors)

    return step


def _residuals(goals: Sequence[Goal], tree: Tree, q: Array, x: Array) -> _Residuals:
    residuals = [
        (w, goal.residual(tree, q, numbers)) for goal, w, numbers in _split_numbers(goals, x)
    ]
    squares = [dot(r, r) for _, r in residuals]
    r = np.concatenate([w * r for w, r in residuals])
    cost = sum(w * w * square for (w, _), square in zip(residuals, squares, strict=True))
    return _Residuals(r, cost, array(sqrt(square) for square in squares))


def _split_numbers(goals: Sequence[Goal], x: Array) -> Iterator[tuple[Goal, Any, Array]]:
    """Yield each goal with its weight and its parameters."""
    start = 0
    for goal in goals:
        yield goal, x[start], x[start + 1 : start + 1 + goal.size]
        start += 1 + goal.size


def _select(condition: Any, a: Array, b: Array) -> Array:
    """Apply `where` elementwise."""
    return array(where(condition, x, y) for x, y in zip(a, b, strict=True))


def damped_step(A: Array, r: Array, damping: Any, pull: Array, e: Array) -> Array:
    """Return the d that minimizes |A d + r|^2 + damping |d|^2 + sum of pull (d + e)^2.

    With the diagonal H = damping + pull: (A^T A + H) d = -A^T r - pull e; or, where A has fewer
    rows than columns, d = -c - W A^T y, c = pull e / H, W = damping / H, and
    (A W A^T + damping) y = r - A c.
    """
    m, n = A.shape
    diagonal = np.diag_indices(min(m, n))
    if m > n:
        N = A.T @ A
        N[diagonal] = N[diagonal] + (damping + pull)
        return -solve(N, A.T @ r + pull * e)
    c, W = zeros(n), zeros(n) + 1.0
    if np.any(pull != 0.0):
        share = array(1.0 / (damping + x) for x in pull)
        c, W = pull * e * share, damping * share
    N = (A * W) @ A.T
    N[diagonal] = N[diagonal] + damping
    return -c - W * (A.T @ solve(N, r - A @ c))


# ------------------------------------------------------------------ limits


def _limited_coordinates(tree: Tree, flat: bool) -> Iterator[tuple[int, int]]:
    """Yield coordinates with limits and their velocities; flat: only if velocities are rates."""
    for node in leaders(tree):
        if node.motion.limited and (node.motion.flat or not flat):
            yield from zip(
                range(node.qs.start, node.qs.stop), range(node.vs.start, node.vs.stop), strict=True
            )


def _free_velocities(tree: Tree, q: Array, slope: Array, limits: tuple[Array, Array]) -> Array:
    """Return 1 for each velocity, or 0 at a limit that the descent direction would leave."""
    (lower, upper), out = limits, zeros(tree.nv) + 1.0
    for i, k in _limited_coordinates(tree, flat=True):
        below = dropped(kept(1.0, slope[k]), q[i] - lower[k])
        above = dropped(kept(1.0, -slope[k]), upper[k] - q[i])
        out[k] = 1.0 - below - above
    return out


def _limit_step(
    tree: Tree, q: Array, d: Array, free: Array, limits: tuple[Array, Array]
) -> tuple[Array, Array]:
    """Return the steps of joints that reach their limits, and a mask of the other joints."""
    (lower, upper), clipped, still_free = limits, zeros(tree.nv), free.copy()
    for i, k in _limited_coordinates(tree, flat=True):
        low, high = lower[k] - q[i], upper[k] - q[i]
        below, above = low - d[k], d[k] - high
        clipped[k] = kept(low, below) + kept(high, above)
        still_free[k] = dropped(dropped(free[k], below), above)
    return clipped, still_free


def _clip(tree: Tree, q: Array, limits: tuple[Array, Array]) -> Array:
    """Clip the configuration to the limits."""
    (lower, upper), out = limits, q.copy()
    for i, k in _limited_coordinates(tree, flat=False):
        out[i] = minimum(maximum(q[i], lower[k]), upper[k])
    return out
