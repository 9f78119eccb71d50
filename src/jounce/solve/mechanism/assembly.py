"""Closing the loops of a mechanism: configurations of all joints from those of a few.

The gap of a loop is what its locked motions miss: positions in metres, turns as rotation vectors in
radians, so that unlike the residual it has no second zero half a turn away. Gauss-Newton steps on
the configuration's manifold, damped in proportion to the gap (Levenberg and Marquardt with the
damping of Fan and Yuan, which converges quadratically also where constraints depend on each other),
each followed by a line search; all samples of a batch at once, and never more than `iterations`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any

import numpy as np

from jounce.arrays import lie
from jounce.arrays.configurations import is_count
from jounce.errors import ArgumentError, counted

#: Gaps this small are rounding.
_ROUNDING = 1e-15

#: Damping of every step, relative to the trace of the normal matrix: keeps it regular.
_FLOOR = 1e-13

#: Largest turn of a joint in one step, rad.
_LARGEST_TURN = 1.0

#: The independent joints determine the others if their conditioning is not below this.
SINGULAR = 1e-7

#: Where descents that got stuck start again: this far off (rad, m) along one fixed direction. A
#: mechanism laid out straight, as many are in their neutral configuration, moves neither way.
NUDGES = (0.1, 0.3, 1.0)

Geometry = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True, eq=False)
class Assembly:
    """Configurations (..., nq) and, for each, how well its loops are closed (...,).

    success: whether the gap is below the tolerance. gap: the largest angle (rad) or distance (m)
    that a loop misses. conditioning: smallest over largest singular value of g_p; singular: whether
    that is so small that the independent joints do not determine the others. iterations: steps
    taken.
    """

    q: np.ndarray
    success: np.ndarray
    gap: np.ndarray
    conditioning: np.ndarray
    singular: np.ndarray
    iterations: np.ndarray


@dataclass(frozen=True)
class LoopReport:
    """What the loops of a mechanism do, at its reference configuration or at a given one.

    rows: constraints of all loops; rank: how many of them are independent; redundant: which ones
    follow from the others; dof: degrees of freedom; independent, dependent: velocities by name;
    conditioning: smallest over largest singular value of g_p, small where the mechanism is near a
    singularity of its independent joints; singular: so small that these do not determine the
    others; gap: how far the loops are from closed, m or rad.
    """

    robot: str
    loops: tuple[str, ...]
    rows: int
    rank: int
    redundant: tuple[str, ...]
    dof: int
    independent: tuple[str, ...]
    dependent: tuple[str, ...]
    conditioning: float
    singular: bool
    gap: float

    def __str__(self) -> str:
        lines = [
            f"{self.robot}: {counted(len(self.loops), 'loop')} ({', '.join(self.loops)})",
            f"  {counted(self.rows, 'constraint')} of rank {self.rank},"
            f" {counted(self.dof, 'degree')} of freedom",
            f"  independent: {', '.join(self.independent)}",
            f"  dependent:   {', '.join(self.dependent)}",
            f"  redundant:   {', '.join(self.redundant) or 'none'}",
            f"  conditioning {self.conditioning:.2g}" + (" (singular)" if self.singular else ""),
            f"  gap {self.gap:.1e}",
        ]
        return "\n".join(lines)


def stacked(found: Sequence[Assembly]) -> Assembly:
    """Assemblies, one after the other, as one."""
    return Assembly(*(np.stack([getattr(x, f.name) for x in found]) for f in fields(Assembly)))


def real(x: Any) -> bool:
    """Whether something is a number, which True is not."""
    return isinstance(x, Real) and not isinstance(x, (bool, np.bool_))


def check_limits(title: str, tolerance: Any, iterations: Any) -> None:
    """Refuse what cannot say when an assembly is done; title: how messages begin."""
    if not (real(tolerance) and tolerance > 0 and is_count(iterations)):
        raise ArgumentError(
            f"{title}: expected tolerance > 0 and a whole number of iterations, found"
            f" {tolerance!r} and {iterations!r}"
        )


def rank_of(G: np.ndarray, tolerance: float) -> int:
    """How many singular values of a matrix are not zero, relative to the largest."""
    s = np.linalg.svd(G, compute_uv=False)
    return int(np.sum(s > tolerance * s[0]))


def gaps(
    locked: Sequence[Sequence[bool]], poses: np.ndarray, twists: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """What each locked motion misses (n, nl), and how it moves with the joints (n, nl, nv).

    poses (n, loops, 4, 4) of b in a; twists (n, loops, 6, nv): turn of b, and rate of its origin's
    coordinates, in a's axes. The gradient of the squared gap is exact, the matrix to first order.
    """
    missed, moved = [], []
    for k, which in enumerate(locked):
        R, p = poses[:, k, :3, :3], poses[:, k, :3, 3]
        w, u = twists[:, k, :3], twists[:, k, 3:]
        turns = [i for i in range(3) if which[i]]
        if len(turns) == 3:
            missed.append(lie.so3.log(R))
            moved.append(w)
        elif len(turns) == 2:
            missed.append(_tilt(R, 3 - sum(turns), w)[:, turns])
            moved.append(w[:, turns])
        elif len(turns) == 1:
            angle, axis = _lean(R, turns[0], w)
            missed.append(angle[:, None])
            moved.append(axis[:, None, :] @ w)
        shifts = [i for i in range(3) if which[3 + i]]
        missed.append(p[:, shifts])
        moved.append(u[:, shifts])
    return np.concatenate(missed, axis=1), np.concatenate(moved, axis=1)


def _tilt(R: np.ndarray, free: int, w: np.ndarray) -> np.ndarray:
    """Rotation vectors (n, 3) that take the free axis of a to that of b; w: turns by the joints."""
    normal = np.cross(np.eye(3)[free], R[:, :, free])
    sine = np.linalg.norm(normal, axis=1, keepdims=True)
    angle = np.arctan2(sine, R[:, free, free, None])
    # exactly opposite axes have no normal: any way round is half a turn, the easiest will do
    axis = np.where(sine > 0.0, normal / np.where(sine > 0.0, sine, 1.0), _easiest(w, free))
    return angle * axis


def _lean(R: np.ndarray, k: int, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By how much axis i of b leaves the plane normal to axis j of a (n,), and the axis (n, 3)."""
    i, j = (k + 1) % 3, (k + 2) % 3
    across = np.cross(R[:, :, i], np.eye(3)[j])
    cosine = np.linalg.norm(across, axis=1, keepdims=True)
    axis = np.where(cosine > 0.0, across / np.where(cosine > 0.0, cosine, 1.0), _easiest(w, j))
    return np.arctan2(R[:, j, i], cosine[:, 0]), axis


def _easiest(w: np.ndarray, normal: int) -> np.ndarray:
    """Unit vectors (n, 3) across an axis about which joints with the turns w (n, 3, nv) turn most.

    The direction of the larger eigenvalue of w w^T in that plane; a descent that starts along one
    that no joint follows would be stuck.
    """
    i, j = (normal + 1) % 3, (normal + 2) % 3
    x, y = w[:, i], w[:, j]
    angle = 0.5 * np.arctan2(2.0 * np.sum(x * y, axis=1), np.sum(x * x - y * y, axis=1))
    out = np.zeros((len(w), 3))
    out[:, i], out[:, j] = np.cos(angle), np.sin(angle)
    return out


class Assembler:
    """Closes loops. locked: of each loop; geometry: q (n, nq) to poses and twists, see `gaps`.

    integrate: moves configurations along velocities; turning: which velocities (nv,) are turns.
    """

    def __init__(
        self,
        locked: Sequence[Sequence[bool]],
        geometry: Geometry,
        integrate: Callable[[np.ndarray, np.ndarray], np.ndarray],
        turning: np.ndarray,
    ) -> None:
        self._locked = locked
        self._geometry = geometry
        self._integrate = integrate
        self._turning = turning
        # rows of each loop's turns, and of its shifts, in the gaps
        ends = np.cumsum([sum(part) for which in locked for part in (which[:3], which[3:])])
        self._parts = [slice(*x) for x in itertools.pairwise((0, *ends)) if x[0] < x[1]]

    def size(self, r: np.ndarray) -> np.ndarray:
        """Largest angle (rad) or distance (m) that a loop misses (n,), of gaps r (n, nl)."""
        lengths = [np.linalg.norm(r[:, part], axis=1) for part in self._parts]
        return np.max(lengths, axis=0)

    @np.errstate(all="ignore")
    def gaps(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """`gaps` at configurations (n, nq), NaN where these or the poses are not finite."""
        poses, twists = self._geometry(q)
        r, A = gaps(self._locked, poses, twists)
        sound = np.isfinite(q).all(axis=1)
        for x in (poses, twists):
            sound &= np.isfinite(x).all(axis=tuple(range(1, x.ndim)))
        r[~sound] = np.nan
        return r, A

    @np.errstate(all="ignore")  # numbers too large end as samples that do not close
    def close(
        self,
        q: np.ndarray,
        free: np.ndarray,
        tolerance: float,
        iterations: int,
        nudges: Sequence[float] = (),
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Configurations with closed loops near q (n, nq), their largest gaps, and steps taken.

        free: velocities that may move. nudges: how far off those start again that got stuck; the
        steps of all their attempts together are bounded by `iterations`. Samples that do not close
        end where their gap is smallest.
        """
        steps = np.zeros(len(q), dtype=int)
        found, gap = self._descend(q, free, tolerance, iterations, steps)
        direction = np.random.default_rng(0).standard_normal(len(free)) * free
        for size in nudges:
            stuck = np.flatnonzero((gap > tolerance) & (steps < iterations))
            if not len(stuck):
                break
            spent = steps[stuck]
            start = self._integrate(q[stuck], np.tile(size * direction, (len(stuck), 1)))
            trial, miss = self._descend(start, free, tolerance, iterations, spent)
            steps[stuck] = spent
            better = miss < gap[stuck]
            found[stuck[better]], gap[stuck[better]] = trial[better], miss[better]
        return found, gap, steps

    def _descend(
        self,
        q: np.ndarray,
        free: np.ndarray,
        tolerance: float,
        iterations: int,
        steps: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Configurations and their largest gaps where descents from q end; adds to `steps`."""
        q = q.copy()
        r, A = self.gaps(q)
        damping = np.ones(len(q))
        open_ = np.isfinite(r).all(axis=1)
        while True:
            open_ &= (self.size(r) > _ROUNDING) & (steps < iterations)
            here = np.flatnonzero(open_)
            if not len(here):
                return q, self.size(r)
            step = self._step(r[here], A[here], free, damping[here])
            before = self.size(r[here])
            scale = self._search(q, r, A, here, step)
            steps[here] += 1
            after = self.size(r[here])
            # a step that had to be shortened was not damped enough
            factor = np.select(
                (scale == 1.0, scale > 0.0), (0.2, 0.5 / np.maximum(scale, 0.01)), 100.0
            )
            damping[here] = np.maximum(factor * damping[here], 1e-4)
            settled = (after <= tolerance) & (after > 0.25 * before)
            stuck = damping[here] > 1e8
            open_[here[settled | stuck]] = False

    def _step(
        self, r: np.ndarray, A: np.ndarray, free: np.ndarray, damping: np.ndarray
    ) -> np.ndarray:
        """Damped Gauss-Newton steps (n, nv), no turn larger than allowed."""
        F = A[:, :, free]
        tall = F.shape[1] >= F.shape[2]
        transposed = F.swapaxes(1, 2)
        N = transposed @ F if tall else F @ transposed
        damped = damping * np.sum(r * r, axis=1) + _FLOOR * np.trace(N, axis1=1, axis2=2)
        N += damped[:, None, None] * np.eye(N.shape[1])
        b = r[:, :, None]
        found = np.linalg.solve(N, transposed @ b) if tall else transposed @ np.linalg.solve(N, b)
        step = np.zeros((len(r), A.shape[2]))
        step[:, free] = -found[:, :, 0]
        turn = np.abs(step[:, self._turning]).max(axis=1, initial=0.0)
        return step / np.maximum(turn / _LARGEST_TURN, 1.0)[:, None]

    def _search(
        self, q: np.ndarray, r: np.ndarray, A: np.ndarray, here: np.ndarray, step: np.ndarray
    ) -> np.ndarray:
        """Take the steps, halved until the gap shrinks enough; returns what was taken of each."""
        promise = np.einsum("ni,nij,nj->n", r[here], A[here], step)
        taken = np.zeros(len(here))
        for scale in 0.5 ** np.arange(8):
            waiting = np.flatnonzero(taken == 0.0)
            if not len(waiting):
                break
            at = here[waiting]
            trial = self._integrate(q[at], scale * step[waiting])
            new_r, new_A = self.gaps(trial)
            gain = np.sum(r[at] * r[at], axis=1) - np.sum(new_r * new_r, axis=1)
            better = (gain > 0.0) & (gain >= -0.1 * scale * promise[waiting])
            done = at[better]
            q[done], r[done], A[done] = trial[better], new_r[better], new_A[better]
            taken[waiting[better]] = scale
        return taken


def conditioning(G: np.ndarray) -> np.ndarray:
    """Smallest over largest singular value of matrices (n, rows, columns), NaN where not finite."""
    out = np.full(len(G), np.nan)
    good = np.isfinite(G).all(axis=(1, 2))
    if G.shape[2] == 0:
        out[good] = 1.0
    elif good.any():
        s = np.linalg.svd(G[good], compute_uv=False)
        smallest = s[:, -1] if G.shape[1] >= G.shape[2] else np.zeros(len(s))
        out[good] = smallest / np.where(s[:, 0] > 0.0, s[:, 0], 1.0)
    return out


def independent(
    A: np.ndarray, order: Sequence[int], *, tolerance: float = 1e-9, threshold: float = 0.1
) -> list[int]:
    """Columns of A (m, n) that span its range: a QR factorisation with threshold pivoting.

    Of the columns whose part normal to the chosen ones is not much shorter than the longest, the
    first in `order` is chosen next; the rank is found when all are negligible.
    """
    rest = A.copy()
    largest = np.linalg.norm(rest, axis=0).max(initial=0.0)
    waiting, chosen = list(order), []
    while waiting:
        lengths = np.linalg.norm(rest, axis=0)
        longest = lengths[waiting].max()
        if longest <= tolerance * largest:
            break
        k = next(k for k in waiting if lengths[k] >= threshold * longest)
        waiting.remove(k)
        chosen.append(k)
        axis = rest[:, k] / lengths[k]
        for _ in range(2):  # twice is enough
            rest -= np.outer(axis, axis @ rest)
    return chosen
