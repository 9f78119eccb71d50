"""Towards goals: a step of Levenberg and Marquardt, within limits.

A step d minimises |A d + r|^2 + l |d|^2 with the damping l = s |r|^2 (Fan and Yuan), over the
joints that no limit holds back. Where it leads beyond limits, those joints go there and no further,
and the others take that into account. A step is taken if it comes nearer; s becomes smaller then,
and larger if not. Numbers of goals come as one array, the weight of each before its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from jounce.formulas.configurations import difference, integrate
from jounce.formulas.goals import Goal
from jounce.math.linear import solve
from jounce.math.scalar import Array, array, dropped, kept, maximum, minimum, sqrt, where, zeros
from jounce.math.spatial import dot
from jounce.model.manifold import leaders
from jounce.model.tree import Tree

#: Damping of every step, relative to the trace of the normal matrix: keeps it regular.
_FLOOR = 1e-13

#: What a step that is taken makes of s, one that is not, and the least that it becomes.
_EASED, _STIFFENED, _LEAST = 0.2, 5.0, 1e-3


class _Missed(NamedTuple):
    """Weighted residuals of the goals, their squared sum and individual norms."""

    r: Array
    cost: Any
    errors: Array


def reaching(goals: Sequence[Goal], near: bool = False) -> Callable[..., tuple[Any, ...]]:
    """Return the formula of a step: (q, s, x, lower, upper) to (q, s, cost, errors) after it.

    x: numbers of the goals. lower, upper (nv,): limits. cost: the squares of what is missed, with
    weights; errors: what each goal misses. near: it also takes (rest, pull): a configuration, and
    how much (nv,) each velocity is drawn to it.
    """

    def step(
        tree: Tree, q: Array, s: Any, x: Array, lower: Array, upper: Array, *drawn: Array
    ) -> tuple[Any, ...]:
        limits = (lower, upper)
        rest, pull = drawn if near else (q, zeros(tree.nv))
        here = _missed(goals, tree, q, x)
        A = np.concatenate([w * goal.moved(tree, q, own) for goal, w, own in _shares(goals, x)])
        e = difference(tree, rest, q) if near else zeros(tree.nv)
        cost = here.cost + dot(pull * e, e)
        damping = s * cost + _FLOOR * sum((dot(row, row) for row in A), 0.0)
        free = _free(tree, q, A.T @ here.r + pull * e, limits)
        d = damped_step(A * free, here.r, damping, free * pull, e)
        held, free = _held(tree, q, d, free, limits)
        d = held + damped_step(A * free, here.r + A @ held, damping, free * pull, e)
        there = _cut_off(tree, integrate(tree, q, d), limits)
        after = _missed(goals, tree, there, x)
        e = difference(tree, rest, there) if near else e
        gain = cost - after.cost - dot(pull * e, e)
        s = where(gain, maximum(_EASED * s, _LEAST), _STIFFENED * s)
        cost = where(gain, after.cost, here.cost)
        return _chosen(gain, there, q), s, cost, _chosen(gain, after.errors, here.errors)

    return step


def _missed(goals: Sequence[Goal], tree: Tree, q: Array, x: Array) -> _Missed:
    found = [(w, goal.missed(tree, q, own)) for goal, w, own in _shares(goals, x)]
    squares = [dot(r, r) for _, r in found]
    r = np.concatenate([w * r for w, r in found])
    cost = sum(w * w * square for (w, _), square in zip(found, squares, strict=True))
    return _Missed(r, cost, array(sqrt(square) for square in squares))


def _shares(goals: Sequence[Goal], x: Array) -> Iterator[tuple[Goal, Any, Array]]:
    """Return each goal with its weight and its numbers."""
    at = 0
    for goal in goals:
        yield goal, x[at], x[at + 1 : at + 1 + goal.size]
        at += 1 + goal.size


def _chosen(condition: Any, a: Array, b: Array) -> Array:
    """Apply `where` elementwise."""
    return array(where(condition, x, y) for x, y in zip(a, b, strict=True))


def damped_step(A: Array, r: Array, damping: Any, pull: Array, e: Array) -> Array:
    """Return the d of least |A d + r|^2 + damping |d|^2 + sum of pull (d + e)^2.

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


def _bounded(tree: Tree, flat: bool) -> Iterator[tuple[int, int]]:
    """Coordinates that limits bound, with their entries; flat: whose rates are velocities."""
    for node in leaders(tree):
        if node.motion.limited and (node.motion.flat or not flat):
            yield from zip(
                range(node.qs.start, node.qs.stop), range(node.vs.start, node.vs.stop), strict=True
            )


def _free(tree: Tree, q: Array, slope: Array, limits: tuple[Array, Array]) -> Array:
    """Return 1 for each velocity, or 0 where the way down leads beyond a limit that is reached."""
    (lower, upper), out = limits, zeros(tree.nv) + 1.0
    for i, k in _bounded(tree, flat=True):
        below = dropped(kept(1.0, slope[k]), q[i] - lower[k])
        above = dropped(kept(1.0, -slope[k]), upper[k] - q[i])
        out[k] = 1.0 - below - above
    return out


def _held(
    tree: Tree, q: Array, d: Array, free: Array, limits: tuple[Array, Array]
) -> tuple[Array, Array]:
    """Steps to limits of the joints that would pass them, and which joints remain free."""
    (lower, upper), held, rest = limits, zeros(tree.nv), free.copy()
    for i, k in _bounded(tree, flat=True):
        low, high = lower[k] - q[i], upper[k] - q[i]
        below, above = low - d[k], d[k] - high
        held[k] = kept(low, below) + kept(high, above)
        rest[k] = dropped(dropped(free[k], below), above)
    return held, rest


def _cut_off(tree: Tree, q: Array, limits: tuple[Array, Array]) -> Array:
    """Return the nearest configuration within the limits."""
    (lower, upper), out = limits, q.copy()
    for i, k in _bounded(tree, flat=False):
        out[i] = minimum(maximum(q[i], lower[k]), upper[k])
    return out
