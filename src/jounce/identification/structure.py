"""The span of the energies of a robot's bodies, by recursion over its elementary tree.

The energy of body i, kinetic or potential, is <x_i, pi_i>: ten features of its motion times its
parameters. From the parent p, through the joint's placement and displacement g(q) and its motion
S v, the features and the twist become

    x_i = T(g)^T x_p + 2 beta(S v, X(g) V_p) + beta(S v, S v),    V_i = X(g) V_p + S v

where T(g) moves parameters to the parent's frame, X(g) moves twists to the child's, and
<beta(V, W), pi> = V^T G(pi) W / 2. All is linear in the state z = (x, V, 1) of a node. Of a joint
whose q and v are free of everything before, the functions of q and v that are not constant can be
told apart from all else, so their coefficients span what the joint adds. These coefficients need
neither samples nor trigonometry: those of T(g)^T y - y span the images of y under the generators of
the joint's group, closed under these generators. The constant part, g = 1, carries them on to the
descendants.

Joints that mimic others share q and v with them. Such coordinates are given random values until new
values add nothing, which finds the whole span with probability one, all functions being analytic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jounce.math import INERTIA_ENTRIES, ad, adjoint_inverse, array, spatial_inertia
from jounce.model import Node, Tree

#: Directions smaller than this, beside others of size one, are rounding errors.
RANK = 1e-8

#: Rows add something to others if more than this is left of them.
NEW = 1e-6

#: Samples of shared coordinates that must add nothing, and how many there may be.
_IDLE, _MOST = 3, 500

#: Sines of the angles that robots are built with.
_SPECIAL = np.sqrt((0.0, 0.25, 0.5, 0.75, 1.0))

# the state of a node
_X, _V, _ONE, _SIZE = slice(0, 10), slice(10, 16), 16, 17

#: The 6x6 inertia of each unit parameter, and where its six moments of inertia stand.
_INERTIAS = np.array([spatial_inertia(e).astype(float) for e in np.eye(10)])
_ENTRIES = tuple(np.array(INERTIA_ENTRIES).T)


def local_span(tree: Tree) -> np.ndarray:
    """Rows (n, 10 nb) that would span the features if the world moved freely, all joints apart.

    They span more than `energy_span` gives, but whatever they have no part of has no effect either,
    exactly: what passes through each joint to its parent does not depend on how that can move.
    """
    sweep = _Sweep(tree, np.eye(_SIZE))
    rows = np.empty((0, 10 * tree.nb + tree.nv))
    return _grown(rows, sweep({})[0])[:, : 10 * tree.nb]


def energy_span(tree: Tree, rng: np.random.Generator) -> np.ndarray:
    """Rows (n, 10 nb + nv) that span the features of all bodies and the squares of velocities."""
    sweep = _Sweep(tree)
    owners = [node.v for node in tree.nodes]
    shared = sorted({v for v in owners if owners.count(v) > 1})
    rows = np.empty((0, 10 * tree.nb + tree.nv))
    if not shared:
        return _grown(rows, sweep({})[0])
    rest, idle = None, 0
    for _ in range(_MOST):
        found, still = sweep({v: tuple(rng.normal(size=2)) for v in shared})
        rest = still if rest is None else rest  # of the potential energy only changes count
        grown = _grown(rows, np.vstack((found, still - rest)))
        idle = idle + 1 if len(grown) == len(rows) else 0
        rows = grown
        if idle == _IDLE:
            break
    return rows


class _Sweep:
    """From the root to the leaves: what each joint adds, carried to all that it moves."""

    def __init__(self, tree: Tree, world: np.ndarray | None = None) -> None:
        """world: states (17, k) that span those of the world; by default gravity, and at rest."""
        self.tree = tree
        self.steps = [_Step(node) for node in tree.nodes]
        self.gravity, self.one = np.zeros(_SIZE), np.eye(_SIZE)[_ONE]
        self.gravity[1:4] = -tree.gravity.astype(float)
        self.world = np.column_stack((self.gravity, self.one)) if world is None else world
        #: what nodes add that have no shared coordinate above: the same for all samples
        self.known: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}

    def __call__(self, sample: dict[int, tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
        """Rows of the coefficients, and the constant part of the potential energy.

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
            found = self.known.get(i)
            if found is None:
                states, squares = step.coefficients(above, nv)
                span = orthonormal(np.hstack((step.place @ above, states)))
                found = span, states, squares
                if not sampled[i]:
                    self.known[i] = found
            fixed.append(step.place)
            spans.append(found[0])
            added.append((i, *found[1:]))
        rows = [self._carried(fixed, *item).T for item in added]
        if sample:
            squares = np.zeros((nv, 1))
            squares[list(sample), 0] = [0.5 * v * v for _, v in sample.values()]
            rows.append(self._carried(fixed, -1, self.one[:, None], squares).T)
        still = self._carried(fixed, -1, self.gravity[:, None], np.zeros((nv, 1)))[:, 0]
        return np.vstack(rows), still

    def _carried(
        self, fixed: Sequence[np.ndarray], start: int, states: np.ndarray, squares: np.ndarray
    ) -> np.ndarray:
        """States (17, k) of a node (-1: the world) as columns (10 nb + nv, k) of what it moves.

        In the frames of the bodies, as the model gives them.
        """
        out = np.zeros((10 * self.tree.nb + self.tree.nv, states.shape[1]))
        out[10 * self.tree.nb :] = squares
        reached = {start: states}
        for i, node in enumerate(self.tree.nodes):
            if i != start and node.parent in reached:
                reached[i] = fixed[i] @ reached[node.parent]
            if i in reached and node.body >= 0:
                own = slice(10 * node.body, 10 * node.body + 10)
                out[own] = self.steps[i].user.T @ reached[i][_X]
        return out


class _Step:
    """One elementary joint as matrices on the state of a node."""

    def __init__(self, node: Node) -> None:
        self.node = node
        R, p = node.R0.astype(float), node.p0.astype(float)
        self.place = _state_matrix(_transport(R, p).T, adjoint_inverse(R, p))
        self.user = _transport(node.R_user.astype(float), node.p_user.astype(float))
        self.S = node.S.astype(float)
        self.generators = [_state_matrix(_generator(s), -ad(s)) for s in self.S.T]
        for generator in self.generators:
            generator[_ONE, _ONE] = 0.0
        self.mixed = [self._mixed(s) for s in self.S.T]

    def _mixed(self, s: np.ndarray) -> np.ndarray:
        """Coefficient of a velocity: z to (2 beta(s, V), s, 0)."""
        out = np.zeros((_SIZE, _SIZE))
        out[_X, _V] = np.column_stack([2.0 * beta(s, e) for e in np.eye(6)])
        out[_V, _ONE] = s
        return out

    def coefficients(self, above: np.ndarray, nv: int) -> tuple[np.ndarray, np.ndarray]:
        """What a free joint adds: states (17, k), and squares of velocities (nv, k) with them."""
        y = self.place @ above
        turned = _closed(y, self.generators)
        moved = [_closed(generator @ y, self.generators) for generator in self.generators]
        states = [*moved, *(M @ turned for M in self.mixed)]
        own = orthonormal(np.hstack(states))
        squares = [np.zeros((nv, own.shape[1]))]
        states = [own]
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
        """The matrix of a joint that is held at given q and v of its leader."""
        node = self.node
        turn, p = node.motion.displacement(array((node.gain * q + node.offset,)), node.pitch)
        R = np.eye(3) if turn is None else turn.R.astype(float)
        shift = _state_matrix(_transport(R, p.astype(float)).T, adjoint_inverse(R, p))
        twist = self.S[:, 0] * float(node.gain) * v
        out = np.eye(_SIZE) + self._mixed(twist)
        out[_X, _ONE] += beta(twist, twist)
        return out @ shift @ self.place


# ------------------------------------------------------------------ geometry


def as_meant(tree: Tree, tolerance: float) -> Tree:
    """The tree with placements close to special ones made special.

    Lengths below the tolerance (m) become zero; rotations whose entries are closer to those of 30,
    45, 60 and 90 degrees than the tolerance become these.
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
    """The ten features with <beta, pi> = V^T G(pi) W / 2."""
    return 0.5 * (_INERTIAS @ W) @ V


def _transport(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """T (10, 10): parameters in a frame to those in the frame in which it has the pose (R, p)."""
    X = adjoint_inverse(R, p).astype(float)
    moved = X.T @ _INERTIAS @ X  # the inertia of each unit parameter, in the other frame
    h = moved[:, [4, 5, 3], [2, 0, 1]]  # of the block -h~
    return np.column_stack((moved[:, 5, 5], h, moved[:, _ENTRIES[0], _ENTRIES[1]])).T


def _generator(s: np.ndarray) -> np.ndarray:
    """Derivative of T^T for a pose that moves with the twist s."""
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
    """U, s, V^T with A = U diag(s) V^T, reduced.

    LAPACK's divide-and-conquer fails on a few matrices that are quite ordinary, but never seen so
    far on their transposes.
    """
    try:
        return np.linalg.svd(A, full_matrices=False)
    except np.linalg.LinAlgError:
        V, s, Ut = np.linalg.svd(A.T, full_matrices=False)
        return Ut.T, s, V.T


def orthonormal(columns: np.ndarray) -> np.ndarray:
    """An orthonormal basis of the columns' span."""
    norms = np.linalg.norm(columns, axis=0)
    kept = norms > RANK * norms.max(initial=0.0)
    if not kept.any():
        return np.empty((len(columns), 0))
    U, s, _ = svd(columns[:, kept] / norms[kept])
    return U[:, s > RANK * s[0]]


def _grown(rows: np.ndarray, more: np.ndarray) -> np.ndarray:
    """Orthonormal rows and what others add to them."""
    norms = np.linalg.norm(more, axis=1)
    kept = norms > RANK  # states are of size one
    left = _beside(rows, more[kept] / norms[kept, None])
    if not left.size:
        return rows
    _, s, Vt = svd(left)
    # what is small has lost as many digits, and must not come back as something new
    new = _beside(rows, Vt[s > NEW])
    return np.vstack((rows, np.linalg.qr(new.T)[0].T))


def _beside(rows: np.ndarray, more: np.ndarray) -> np.ndarray:
    """What is left of some rows without orthonormal ones; twice is enough."""
    for _ in range(2):
        more = more - (more @ rows.T) @ rows
    return more


def _closed(columns: np.ndarray, generators: Sequence[np.ndarray]) -> np.ndarray:
    """The smallest space with the columns that the generators map into itself."""
    basis = orthonormal(columns)
    while basis.shape[1]:
        grown = orthonormal(np.hstack((basis, *(g @ basis for g in generators))))
        if grown.shape[1] == basis.shape[1]:
            break
        basis = grown
    return basis
