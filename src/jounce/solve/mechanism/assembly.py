"""Assembly: configurations of all joints that close the loops of a mechanism.

The gap of a loop is the error of its locked motions: positions in meters, rotations as rotation
vectors in radians, so that unlike the residual it has no second zero half a turn away. The solver
takes Gauss-Newton steps on the configuration manifold, damped in proportion to the gap
(Levenberg-Marquardt with the damping of Fan and Yuan, which converges quadratically also for
redundant constraints), each with a line search. All samples of a batch are solved together, in at
most `iterations` steps.
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
from jounce.errors import ArgumentError
from jounce.utils import format_count

#: Gaps below this are round-off.
_ROUND_OFF = 1e-15

#: Minimum damping relative to the trace of the normal matrix, which keeps it regular.
_MIN_DAMPING = 1e-13

#: Maximum rotation of a joint in one step, rad.
_MAX_ROTATION = 1.0

#: Minimum conditioning with which the independent joints determine the others.
SINGULAR = 1e-7

#: Displacements (rad, m) along a fixed direction with which failed descents are restarted. They
#: resolve the singularity of straight mechanisms, as many are in their neutral configuration.
NUDGES = (0.1, 0.3, 1.0)

Geometry = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True, eq=False)
class Assembly:
    """Configurations q (..., nq), and for each (...,) the result of closing its loops.

    success: True if the gap is below the tolerance. gap: the largest error of a loop, an angle
    (rad) or distance (m). conditioning: smallest over largest singular value of g_p. singular: True
    if that is so small that the independent joints do not determine the others. iterations: number
    of steps.
    """

    q: np.ndarray
    success: np.ndarray
    gap: np.ndarray
    conditioning: np.ndarray
    singular: np.ndarray
    iterations: np.ndarray


@dataclass(frozen=True)
class LoopReport:
    """Degrees of freedom and constraints of a mechanism at a configuration.

    rows: number of constraints of all loops; rank: number of independent ones; redundant: names of
    constraints that follow from others; dof: degrees of freedom; independent, dependent: velocities
    by name; conditioning: smallest over largest singular value of g_p, small near singularities of
    the independent joints; singular: True if these do not determine the others; gap: the largest
    error of a loop, m or rad.
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
            f"{self.robot}: {format_count(len(self.loops), 'loop')} ({', '.join(self.loops)})",
            f"  {format_count(self.rows, 'constraint')} of rank {self.rank},"
            f" {format_count(self.dof, 'degree')} of freedom",
            f"  independent: {', '.join(self.independent)}",
            f"  dependent:   {', '.join(self.dependent)}",
            f"  redundant:   {', '.join(self.redundant) or 'none'}",
            f"  conditioning {self.conditioning:.2g}" + (" (singular)" if self.singular else ""),
            f"  gap {self.gap:.1e}",
        ]
        return "\n".join(lines)


def stack_assemblies(assemblies: Sequence[Assembly]) -> Assembly:
    """Stack assemblies along a new first axis.

    Parameters
    ----------
    assemblies : sequence of Assembly

    Returns
    -------
    Assembly
    """
    return Assembly(*(np.stack([getattr(x, f.name) for x in assemblies]) for f in fields(Assembly)))


def is_real(x: Any) -> bool:
    """Return whether something is a real number and no bool.

    Parameters
    ----------
    x : object

    Returns
    -------
    bool
    """
    return isinstance(x, Real) and not isinstance(x, (bool, np.bool_))


def check_limits(title: str, tolerance: Any, iterations: Any) -> None:
    """Check the stopping criteria of an assembly.

    Parameters
    ----------
    title : str
        Begin of error messages.
    tolerance, iterations
        Options of `Mechanism.assemble`.

    Raises
    ------
    ArgumentError
        If one is not positive, or `iterations` is no integer.
    """
    if not (is_real(tolerance) and tolerance > 0 and is_count(iterations)):
        raise ArgumentError(
            f"{title}: expected tolerance > 0 and a whole number of iterations, found"
            f" {tolerance!r} and {iterations!r}"
        )


def rank_of(G: np.ndarray, tolerance: float) -> int:
    """Return the numerical rank of a matrix.

    Parameters
    ----------
    G : ndarray (m, n)
    tolerance : float
        Singular values below this, relative to the largest, count as zero.

    Returns
    -------
    int
    """
    s = np.linalg.svd(G, compute_uv=False)
    return int(np.sum(s > tolerance * s[0]))


def gaps(
    locked: Sequence[Sequence[bool]], poses: np.ndarray, twists: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the gap of each locked motion, and its Jacobian.

    Parameters
    ----------
    locked : sequence of sequence of bool
        Locked motions of each loop.
    poses : ndarray (n, loops, 4, 4)
        Poses of frame b in frame a.
    twists : ndarray (n, loops, 6, nv)
        Rotation of b and rate of its origin's coordinates, in a's axes, per joint velocity.

    Returns
    -------
    r : ndarray (n, nl)
        Gaps, in rad and m.
    A : ndarray (n, nl, nv)
        Jacobian, to first order in the gap; the gradient of the squared gap is exact.
    """
    errors, jacobians = [], []
    for k, motions in enumerate(locked):
        R, p = poses[:, k, :3, :3], poses[:, k, :3, 3]
        w, u = twists[:, k, :3], twists[:, k, 3:]
        rotations = [i for i in range(3) if motions[i]]
        if len(rotations) == 3:
            errors.append(lie.so3.log(R))
            jacobians.append(w)
        elif len(rotations) == 2:
            errors.append(_tilt(R, 3 - sum(rotations), w)[:, rotations])
            jacobians.append(w[:, rotations])
        elif len(rotations) == 1:
            angle, axis = _plane_angle(R, rotations[0], w)
            errors.append(angle[:, None])
            jacobians.append(axis[:, None, :] @ w)
        translations = [i for i in range(3) if motions[3 + i]]
        errors.append(p[:, translations])
        jacobians.append(u[:, translations])
    return np.concatenate(errors, axis=1), np.concatenate(jacobians, axis=1)


def _tilt(R: np.ndarray, free: int, w: np.ndarray) -> np.ndarray:
    """Return rotation vectors (n, 3) from the free axis of a to that of b; w: joints' rotations."""
    normal = np.cross(np.eye(3)[free], R[:, :, free])
    sine = np.linalg.norm(normal, axis=1, keepdims=True)
    angle = np.arctan2(sine, R[:, free, free, None])
    # exactly opposite axes have no normal; any rotation by pi is valid, so take the easiest
    axis = np.where(sine > 0.0, normal / np.where(sine > 0.0, sine, 1.0), _easiest_axis(w, free))
    return angle * axis


def _plane_angle(R: np.ndarray, k: int, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the angle of axis i of b to the plane normal to axis j of a, and its axis (n, 3)."""
    i, j = (k + 1) % 3, (k + 2) % 3
    across = np.cross(R[:, :, i], np.eye(3)[j])
    cosine = np.linalg.norm(across, axis=1, keepdims=True)
    axis = np.where(cosine > 0.0, across / np.where(cosine > 0.0, cosine, 1.0), _easiest_axis(w, j))
    return np.arctan2(R[:, j, i], cosine[:, 0]), axis


def _easiest_axis(w: np.ndarray, normal: int) -> np.ndarray:
    """Return unit vectors (n, 3) normal to an axis about which the joints (n, 3, nv) rotate most.

    They are the eigenvectors of the larger eigenvalue of w w^T in that plane; a descent along a
    direction that no joint can follow would fail.
    """
    i, j = (normal + 1) % 3, (normal + 2) % 3
    x, y = w[:, i], w[:, j]
    angle = 0.5 * np.arctan2(2.0 * np.sum(x * y, axis=1), np.sum(x * x - y * y, axis=1))
    out = np.zeros((len(w), 3))
    out[:, i], out[:, j] = np.cos(angle), np.sin(angle)
    return out


class Assembler:
    """Iterative solver that closes loops.

    locked: locked motions of each loop; geometry: function of q (n, nq) that returns poses and
    twists, see `gaps`; integrate: moves configurations along velocities; turning (nv,): True for
    velocities that are rotations.
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
        # rows of each loop's rotations and translations in the gaps
        ends = np.cumsum([sum(part) for which in locked for part in (which[:3], which[3:])])
        self._parts = [slice(*x) for x in itertools.pairwise((0, *ends)) if x[0] < x[1]]

    def size(self, r: np.ndarray) -> np.ndarray:
        """Return the largest error of a loop.

        Parameters
        ----------
        r : ndarray (n, nl)
            Gaps.

        Returns
        -------
        ndarray (n,)
            Angles (rad) or distances (m).
        """
        lengths = [np.linalg.norm(r[:, part], axis=1) for part in self._parts]
        return np.max(lengths, axis=0)

    @np.errstate(all="ignore")
    def gaps(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the gaps of configurations, and their Jacobian; see the function `gaps`.

        Parameters
        ----------
        q : ndarray (n, nq)
            Configurations.

        Returns
        -------
        tuple of ndarray (n, nl), (n, nl, nv)
            NaN gaps where a configuration or its poses are not finite.
        """
        poses, twists = self._geometry(q)
        r, A = gaps(self._locked, poses, twists)
        sound = np.isfinite(q).all(axis=1)
        for x in (poses, twists):
            sound &= np.isfinite(x).all(axis=tuple(range(1, x.ndim)))
        r[~sound] = np.nan
        return r, A

    @np.errstate(all="ignore")  # samples that overflow are reported as not closed
    def close(
        self,
        q: np.ndarray,
        free: np.ndarray,
        tolerance: float,
        iterations: int,
        nudges: Sequence[float] = (),
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Find configurations with closed loops.

        Parameters
        ----------
        q : ndarray (n, nq)
            Start of each sample.
        free : ndarray (nv,) of bool
            Velocities that may move.
        tolerance : float
            Largest gap, in m and rad, that counts as closed.
        iterations : int
            Maximum number of steps per sample, of all its attempts together.
        nudges : sequence of float
            Displacements with which failed samples are tried again.

        Returns
        -------
        q : ndarray (n, nq)
            Configurations; failed samples end where their gap is smallest.
        gap : ndarray (n,)
            Largest gaps.
        steps : ndarray (n,)
            Numbers of steps.
        """
        steps = np.zeros(len(q), dtype=int)
        closed, gap = self._descend(q, free, tolerance, iterations, steps)
        direction = np.random.default_rng(0).standard_normal(len(free)) * free
        for size in nudges:
            stuck = np.flatnonzero((gap > tolerance) & (steps < iterations))
            if not len(stuck):
                break
            spent = steps[stuck]
            start = self._integrate(q[stuck], np.tile(size * direction, (len(stuck), 1)))
            trial, trial_gap = self._descend(start, free, tolerance, iterations, spent)
            steps[stuck] = spent
            better = trial_gap < gap[stuck]
            closed[stuck[better]], gap[stuck[better]] = trial[better], trial_gap[better]
        return closed, gap, steps

    def _descend(
        self,
        q: np.ndarray,
        free: np.ndarray,
        tolerance: float,
        iterations: int,
        steps: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Run descents from q; return configurations and largest gaps, and add to `steps`."""
        q = q.copy()
        r, A = self.gaps(q)
        damping = np.ones(len(q))
        unfinished = np.isfinite(r).all(axis=1)
        while True:
            unfinished &= (self.size(r) > _ROUND_OFF) & (steps < iterations)
            active = np.flatnonzero(unfinished)
            if not len(active):
                return q, self.size(r)
            step = self._step(r[active], A[active], free, damping[active])
            before = self.size(r[active])
            scale = self._search(q, r, A, active, step)
            steps[active] += 1
            after = self.size(r[active])
            # a step that the line search shortened needs more damping
            factor = np.select(
                (scale == 1.0, scale > 0.0), (0.2, 0.5 / np.maximum(scale, 0.01)), 100.0
            )
            damping[active] = np.maximum(factor * damping[active], 1e-4)
            settled = (after <= tolerance) & (after > 0.25 * before)
            stuck = damping[active] > 1e8
            unfinished[active[settled | stuck]] = False

    def _step(
        self, r: np.ndarray, A: np.ndarray, free: np.ndarray, damping: np.ndarray
    ) -> np.ndarray:
        """Return damped Gauss-Newton steps (n, nv), scaled to the maximum rotation."""
        F = A[:, :, free]
        tall = F.shape[1] >= F.shape[2]
        transposed = F.swapaxes(1, 2)
        N = transposed @ F if tall else F @ transposed
        damped = damping * np.sum(r * r, axis=1) + _MIN_DAMPING * np.trace(N, axis1=1, axis2=2)
        N += damped[:, None, None] * np.eye(N.shape[1])
        b = r[:, :, None]
        solution = (
            np.linalg.solve(N, transposed @ b) if tall else transposed @ np.linalg.solve(N, b)
        )
        step = np.zeros((len(r), A.shape[2]))
        step[:, free] = -solution[:, :, 0]
        turn = np.abs(step[:, self._turning]).max(axis=1, initial=0.0)
        return step / np.maximum(turn / _MAX_ROTATION, 1.0)[:, None]

    def _search(
        self, q: np.ndarray, r: np.ndarray, A: np.ndarray, active: np.ndarray, step: np.ndarray
    ) -> np.ndarray:
        """Halve steps until the gap decreases enough, take them, and return their scales."""
        predicted = np.einsum("ni,nij,nj->n", r[active], A[active], step)
        scales = np.zeros(len(active))
        for scale in 0.5 ** np.arange(8):
            waiting = np.flatnonzero(scales == 0.0)
            if not len(waiting):
                break
            indices = active[waiting]
            trial = self._integrate(q[indices], scale * step[waiting])
            new_r, new_A = self.gaps(trial)
            gain = np.sum(r[indices] * r[indices], axis=1) - np.sum(new_r * new_r, axis=1)
            better = (gain > 0.0) & (gain >= -0.1 * scale * predicted[waiting])
            done = indices[better]
            q[done], r[done], A[done] = trial[better], new_r[better], new_A[better]
            scales[waiting[better]] = scale
        return scales


def conditioning(G: np.ndarray) -> np.ndarray:
    """Return the smallest over the largest singular value.

    Parameters
    ----------
    G : ndarray (n, rows, columns)
        Matrices.

    Returns
    -------
    ndarray (n,)
        NaN for matrices that are not finite.
    """
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
    """Select columns that span the range of a matrix, by QR with threshold pivoting.

    Parameters
    ----------
    A : ndarray (m, n)
    order : sequence of int
        Columns in order of preference.
    tolerance : float
        Residual columns shorter than this, relative to the longest column, count as zero.
    threshold : float
        A column is eligible if its part normal to the selected ones is at least this, relative to
        the longest; the first eligible one in `order` is selected.

    Returns
    -------
    list of int
        As many columns as the rank.
    """
    residual = A.copy()
    largest = np.linalg.norm(residual, axis=0).max(initial=0.0)
    remaining, selected = list(order), []
    while remaining:
        lengths = np.linalg.norm(residual, axis=0)
        longest = lengths[remaining].max()
        if longest <= tolerance * largest:
            break
        k = next(k for k in remaining if lengths[k] >= threshold * longest)
        remaining.remove(k)
        selected.append(k)
        axis = residual[:, k] / lengths[k]
        for _ in range(2):  # a second pass removes round-off
            residual -= np.outer(axis, axis @ residual)
    return selected
