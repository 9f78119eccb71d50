"""The span of the energies of a robot's bodies, by recursion over its elementary tree.

The energy of body i, kinetic or potential, is <x_i, pi_i>: ten features of its motion times its
parameters. With the parent p, the joint's placement and displacement g(q) and its motion S v, the
features and the twist are

    x_i = T(g)^T x_p + 2 beta(S v, X(g) V_p) + beta(S v, S v),    V_i = X(g) V_p + S v

where T(g) moves parameters to the parent's frame, X(g) moves twists to the child's, and
<beta(V, W), pi> = V^T G(pi) W / 2. All of this is linear in the state z = (x, V, 1) of a node. If q
and v of a joint do not occur in its ancestors, the non-constant functions of q and v are linearly
independent of all functions of the ancestors, so their coefficients span what the joint adds. These
coefficients need neither samples nor trigonometry: those of T(g)^T y - y span the images of y under
the generators of the joint's group, closed under these generators. The constant part, g = 1,
propagates them to the descendants.

Joints that mimic others share q and v with them. Such coordinates get random values until new
values add nothing, which finds the complete span with probability one, since all functions are
analytic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jounce.math import INERTIA_ENTRIES, ad, adjoint_inverse, array, spatial_inertia
from jounce.model import Node, Tree

#: Directions smaller than this, relative to the largest, are rounding errors.
RANK = 1e-8

#: Unit rows extend a basis if their part orthogonal to it is larger than this.
NEW = 1e-6

#: Consecutive samples of shared coordinates that must add nothing, and maximum number of samples.
_MIN_IDLE_SAMPLES, _MAX_SAMPLES = 3, 500

#: Sines of angles that are common in robots.
_SPECIAL = np.sqrt((0.0, 0.25, 0.5, 0.75, 1.0))

# entries of the state of a node
_X, _V, _ONE, _SIZE = slice(0, 10), slice(10, 16), 16, 17

#: The 6x6 inertia of each unit parameter, and the indices of its six moments of inertia.
_INERTIAS = np.array([spatial_inertia(e).astype(float) for e in np.eye(10)])
_ENTRIES = tuple(np.array(INERTIA_ENTRIES).T)


def local_span(tree: Tree) -> np.ndarray:
    """Return rows (n, 10 nb) that span the features of a tree whose base moves freely.

    They span a superset of `energy_span`, exactly and without a tolerance: what passes through each
    joint to its parent does not depend on how the parent can move.
    """
    sweep = _Sweep(tree, np.eye(_SIZE))
    rows = np.empty((0, 10 * tree.nb + tree.nv))
    return _extend_basis(rows, sweep({})[0])[:, : 10 * tree.nb]


def energy_span(tree: Tree, rng: np.random.Generator) -> np.ndarray:
    """Return rows (n, 10 nb + nv) that span the features of all bodies and squared velocities."""
    sweep = _Sweep(tree)
    owners = [node.v for node in tree.nodes]
    shared = sorted({v for v in owners if owners.count(v) > 1})
    rows = np.empty((0, 10 * tree.nb + tree.nv))
    if not shared:
        return _extend_basis(rows, sweep({})[0])
    reference, idle = None, 0
    for _ in range(_MAX_SAMPLES):
        coefficients, constant = sweep({v: tuple(rng.normal(size=2)) for v in shared})
        reference = constant if reference is None else reference  # only changes of energy count
        extended = _extend_basis(rows, np.vstack((coefficients, constant - reference)))
        idle = idle + 1 if len(extended) == len(rows) else 0
        rows = extended
        if idle == _MIN_IDLE_SAMPLES:
            break
    return rows


class _Sweep:
    """Pass from the root to the leaves: what each joint adds to the span of its descendants."""

    def __init__(self, tree: Tree, world: np.ndarray | None = None) -> None:
        """world: basis (17, k) of the states of the world; by default gravity and rest."""
        self.tree = tree
        self.steps = [_Step(node) for node in tree.nodes]
        self.gravity, self.one = np.zeros(_SIZE), np.eye(_SIZE)[_ONE]
        self.gravity[1:4] = -tree.gravity.astype(float)
        self.world = np.column_stack((self.gravity, self.one)) if world is None else world
        #: results of nodes without shared coordinates above them: the same for all samples
        self.known: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}

    def __call__(self, sample: dict[int, tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
        """Return rows of the coefficients, and the constant part of the potential energy.

        sample: q and v of the coordinates that several joints share.
        """
        nodes, nv = self.tree.nodes, self.tree.nv
        spans: list[np.ndarray] = []
        fixed: list[np.ndarray] = []
        sampled: list[bool] = []
        added: list[tuple[int, np.ndarray, np.ndarray]] = []
        for i, (node, step) in enumerate(zip(nodes, self.steps, strict=True)):
            above = self.world if node.parent < 0 else spans[node.parent]
            sampled.append(node.v in sample or (node.parent >= 0 and sampled[node.parent]))
            if node.v in sample:
                fixed.append(step.at(*sample[node.v]))
                spans.append(orthonormal(fixed[i] @ above))
                continue
            parts = self.known.get(i)
            if parts is None:
                states, squares = step.coefficients(above, nv)
                span = orthonormal(np.hstack((step.place @ above, states)))
                parts = span, states, squares
                if not sampled[i]:
                    self.known[i] = parts
            fixed.append(step.place)
            spans.append(parts[0])
            added.append((i, *parts[1:]))
        rows = [self._propagate(fixed, *item).T for item in added]
        if sample:
            squares = np.zeros((nv, 1))
            squares[list(sample), 0] = [0.5 * v * v for _, v in sample.values()]
            rows.append(self._propagate(fixed, -1, self.one[:, None], squares).T)
        constant = self._propagate(fixed, -1, self.gravity[:, None], np.zeros((nv, 1)))[:, 0]
        return np.vstack(rows), constant

    def _propagate(
        self, fixed: Sequence[np.ndarray], start: int, states: np.ndarray, squares: np.ndarray
    ) -> np.ndarray:
        """Propagate states (17, k) of a node (-1: the world) to all bodies: (10 nb + nv, k).

        The features are in the body frames of the model.
        """
        out = np.zeros((10 * self.tree.nb + self.tree.nv, states.shape[1]))
        out[10 * self.tree.nb :] = squares
        reached = {start: states}
        for i, node in enumerate(self.tree.nodes):
            if i != start and node.parent in reached:
                reached[i] = fixed[i] @ reached[node.parent]
            if i in reached and node.body >= 0:
                rows = slice(10 * node.body, 10 * node.body + 10)
                out[rows] = self.steps[i].user.T @ reached[i][_X]
        return out


class _Step:
    """An elementary joint as matrices on the state of a node."""

    def __init__(self, node: Node) -> None:
        self.node = node
        R, p = node.R0.astype(float), node.p0.astype(float)
        self.place = _state_matrix(_transport(R, p).T, adjoint_inverse(R, p))
        self.user = _transport(node.R_user.astype(float), node.p_user.astype(float))
        self.S = node.S.astype(float)
        self.generators = [_state_matrix(_generator(s), -ad(s)) for s in self.S.T]
        for generator in self.generators:
            generator[_ONE, _ONE] = 0.0
        self.mixed = [self._velocity_coefficient(s) for s in self.S.T]

    def _velocity_coefficient(self, s: np.ndarray) -> np.ndarray:
        """Return the matrix of the coefficient of a velocity: z to (2 beta(s, V), s, 0)."""
        out = np.zeros((_SIZE, _SIZE))
        out[_X, _V] = np.column_stack([2.0 * beta(s, e) for e in np.eye(6)])
        out[_V, _ONE] = s
        return out

    def coefficients(self, above: np.ndarray, nv: int) -> tuple[np.ndarray, np.ndarray]:
        """Return what a free joint adds: states (17, k) and their squared velocities (nv, k)."""
        y = self.place @ above
        span = _invariant_span(y, self.generators)
        images = [_invariant_span(generator @ y, self.generators) for generator in self.generators]
        states = [*images, *(M @ span for M in self.mixed)]
        basis = orthonormal(np.hstack(states))
        squares = [np.zeros((nv, basis.shape[1]))]
        states = [basis]
        for k, s in enumerate(self.S.T):
            for j, other in enumerate(self.S.T[: k + 1]):
                state, drive = np.zeros((_SIZE, 1)), np.zeros((nv, 1))
                state[_X, 0] = beta(s, other)
                if j == k and self.node.motion.armature == "each":  # of energy v^2 / 2
                    drive[self.node.v + k, 0] = 0.5
                states.append(state)
                squares.append(drive)
        return np.hstack(states), np.hstack(squares)

    def at(self, q: float, v: float) -> np.ndarray:
        """Return the matrix of a joint at fixed q and v of its leader."""
        node = self.node
        turn, p = node.motion.displacement(array((node.gain * q + node.offset,)), node.pitch)
        R = np.eye(3) if turn is None else turn.R.astype(float)
        shift = _state_matrix(_transport(R, p.astype(float)).T, adjoint_inverse(R, p))
        twist = self.S[:, 0] * float(node.gain) * v
        out = np.eye(_SIZE) + self._velocity_coefficient(twist)
        out[_X, _ONE] += beta(twist, twist)
        return out @ shift @ self.place


# ------------------------------------------------------------------ geometry


def snap_placements(tree: Tree, tolerance: float) -> Tree:
    """Return the tree with placements rounded to special ones within a tolerance.

    Lengths below the tolerance (m) become zero; entries of rotations that are closer than the
    tolerance to those of 30, 45, 60 or 90 degrees become these.
    """
    nodes = []
    for node in tree.nodes:
        R, p = node.R0.astype(float), node.p0.astype(float)
        p = np.where(np.abs(p) <= tolerance, 0.0, p)
        nodes.append(replace(node, R0=_exact(R, tolerance).astype(object), p0=p.astype(object)))
    return replace(tree, nodes=tuple(nodes))


def _exact(R: np.ndarray, tolerance: float) -> np.ndarray:
    gaps = np.abs(np.abs(R)[..., None] - _SPECIAL)
    near = np.sign(R) * _SPECIAL[np.argmin(gaps, axis=-1)]
    rounded = np.where(gaps.min(axis=-1) <= tolerance, near, R)
    if np.array_equal(rounded, R):
        return R
    U, _, Vt = np.linalg.svd(rounded)  # the nearest rotation
    out = U @ Vt
    return np.where(np.abs(out - np.round(out)) < 1e-12, np.round(out), out)


def beta(V: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Return the ten features with <beta, pi> = V^T G(pi) W / 2."""
    return 0.5 * (_INERTIAS @ W) @ V


def _transport(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return T (10, 10) from parameters in a frame at (R, p) to those in the outer frame."""
    X = adjoint_inverse(R, p).astype(float)
    moved = X.T @ _INERTIAS @ X  # the inertia of each unit parameter, in the other frame
    h = moved[:, [4, 5, 3], [2, 0, 1]]  # of the block -h~
    return np.column_stack((moved[:, 5, 5], h, moved[:, _ENTRIES[0], _ENTRIES[1]])).T


def _generator(s: np.ndarray) -> np.ndarray:
    """Return the derivative of T^T for a pose that moves with the twist s."""
    A = ad(s).astype(float)
    rate = -(A.T @ _INERTIAS + _INERTIAS @ A)
    h = rate[:, [4, 5, 3], [2, 0, 1]]
    return np.column_stack((rate[:, 5, 5], h, rate[:, _ENTRIES[0], _ENTRIES[1]]))


def _state_matrix(features: np.ndarray, twists: Any) -> np.ndarray:
    out = np.zeros((_SIZE, _SIZE))
    out[_X, _X], out[_V, _V], out[_ONE, _ONE] = features, twists.astype(float), 1.0
    return out


# ------------------------------------------------------------------ spaces


def svd(A: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return U, s, V^T of the reduced singular value decomposition A = U diag(s) V^T.

    LAPACK's divide-and-conquer fails on a few ordinary matrices, for which it has always succeeded
    on the transpose.
    """
    try:
        return np.linalg.svd(A, full_matrices=False)
    except np.linalg.LinAlgError:
        V, s, Ut = np.linalg.svd(A.T, full_matrices=False)
        return Ut.T, s, V.T


def orthonormal(columns: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis of the span of the columns."""
    norms = np.linalg.norm(columns, axis=0)
    kept = norms > RANK * norms.max(initial=0.0)
    if not kept.any():
        return np.empty((len(columns), 0))
    U, s, _ = svd(columns[:, kept] / norms[kept])
    return U[:, s > RANK * s[0]]


def _extend_basis(rows: np.ndarray, candidates: np.ndarray) -> np.ndarray:
    """Extend orthonormal rows to span further rows."""
    norms = np.linalg.norm(candidates, axis=1)
    kept = norms > RANK  # states are of size one
    remainder = _project_out(rows, candidates[kept] / norms[kept, None])
    if not remainder.size:
        return rows
    _, s, Vt = svd(remainder)
    # small directions have lost digits, and could wrongly appear as new ones
    new = _project_out(rows, Vt[s > NEW])
    return np.vstack((rows, np.linalg.qr(new.T)[0].T))


def _project_out(rows: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Project rows x onto the orthogonal complement of orthonormal rows."""
    for _ in range(2):  # twice is enough
        x = x - (x @ rows.T) @ rows
    return x


def _invariant_span(columns: np.ndarray, generators: Sequence[np.ndarray]) -> np.ndarray:
    """Return a basis of the smallest space with the columns that is invariant under generators."""
    basis = orthonormal(columns)
    while basis.shape[1]:
        grown = orthonormal(np.hstack((basis, *(g @ basis for g in generators))))
        if grown.shape[1] == basis.shape[1]:
            break
        basis = grown
    return basis
