"""Detection of singular mass matrices and of the joints that cause them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jounce.formulas import dynamics
from jounce.formulas.mechanism import dynamics as loop_dynamics
from jounce.math.lie import normalize
from jounce.math.scalar import Array, array
from jounce.model.tree import Tree

#: Largest number of velocities for which the mass matrix is checked, which takes seconds beyond it:
#: in an explicit check, and in the automatic check at the first use of a quantity.
MAX_VELOCITIES, _MAX_VELOCITIES_FIRST_USE = 500, 100

#: Diagonal entries of M below this share of the largest are round-off.
_ZERO_DIAGONAL = 1e-14

#: Eigenvalues of M, scaled to unit diagonal, below this count as zero.
_ZERO_EIGENVALUE = 1e-10

#: Bodies with mass and moments above this share of the largest resist every motion.
_MIN_RELATIVE_INERTIA = 1e-8


def generic_configuration(tree: Tree) -> Array:
    """Return a pseudo-random configuration, which is generic (not singular by symmetry)."""
    rng = np.random.default_rng(1)
    q = rng.uniform(-1.0, 1.0, tree.nq)
    for node in tree.nodes:
        unit = node.motion.unit  # a quaternion, in most that have one
        if unit.stop > unit.start:
            entries = slice(node.q + unit.start, node.q + unit.stop)
            q[entries] = normalize(array(q[entries]))
    return array(q.tolist())


def massless_velocities(M: np.ndarray) -> tuple[list[int], list[int]]:
    """Return indices of velocities without inertia, and of others whose combination has none.

    M: mass matrix (n, n) at some configuration. The test is scale-invariant, so light fingers of a
    large robot are not reported.
    """
    diagonal = np.diag(M)
    zero = diagonal <= _ZERO_DIAGONAL * max(diagonal.max(initial=0.0), 1e-30)
    keep = np.flatnonzero(~zero)
    together: list[int] = []
    if len(keep):
        scale = np.sqrt(diagonal[keep])
        values, vectors = np.linalg.eigh(M[np.ix_(keep, keep)] / np.outer(scale, scale))
        if values[0] < _ZERO_EIGENVALUE:
            share = np.abs(vectors[:, 0])
            together = keep[share > 0.1 * share.max()].tolist()
    return np.flatnonzero(zero).tolist(), together


def all_solid(tree: Tree) -> bool:
    """Return whether each joint has armature or a body with full-rank inertia.

    If so, M is regular at every configuration, since every velocity moves some body.
    """
    pi = np.array([tree.nodes[i].inertia for i in tree.node_of_body], dtype=float)
    mass, h = pi[:, 0], pi[:, 1:4]
    about = pi[:, [4, 7, 8, 7, 5, 9, 8, 9, 6]].reshape(-1, 3, 3)
    with np.errstate(all="ignore"):
        square = np.einsum("bi,bi->b", h, h)[:, None, None] * np.eye(3)
        central = about - (square - h[:, :, None] * h[:, None, :]) / mass[:, None, None]
    if not np.isfinite(central[mass > 0.0]).all() or not (mass > 0.0).any():
        return False
    moments = np.linalg.eigvalsh(np.where((mass > 0.0)[:, None, None], central, 0.0))
    solid = (mass > _MIN_RELATIVE_INERTIA * mass.max()) & (
        moments[:, 0] > _MIN_RELATIVE_INERTIA * moments.max()
    )
    joints = [tree.nodes_of_joint(b) for b in range(tree.nb)]
    driven = [
        all(np.all(node.armature > 0.0) for node in tree.nodes[first : last + 1])
        for first, last in joints
    ]
    return bool(np.all(solid | driven))


def explanation(tree: Tree, names: Sequence[str], q: np.ndarray | None = None) -> str:
    """Return why the mass matrix is singular and what to do, or ''.

    names: of the velocities. q: configuration to check (with closed loops for a mechanism), by
    default a generic one; singularities at other configurations are not detected.
    """
    if not 0 < tree.dof <= _MAX_VELOCITIES_FIRST_USE or all_solid(tree):
        return ""
    sample = generic_configuration(tree) if q is None else array(np.asarray(q).tolist())
    formula = dynamics.mass_matrix if tree.active is None else loop_dynamics.mass_matrix
    M = formula(tree, sample).astype(float)
    if not np.isfinite(M).all():
        return "its mass matrix overflows; look for lengths and masses that are far too large"
    alone, together = massless_velocities(M)
    if alone:
        cause = f"nothing resists the motion of {_join_names(names, alone)}"
    elif together:
        cause = f"nothing resists {_join_names(names, together)} moving together"
    else:
        return ""
    return (
        f"the mass matrix is singular, so accelerations are undefined: {cause}; give the links"
        " beyond their inertia, or the joint an armature (robot.model.check() says more)"
    )


def _join_names(names: Sequence[str], indices: list[int]) -> str:
    shown = ", ".join(f"'{names[k]}'" for k in indices[:8])
    return shown + (f" and {len(indices) - 8} more" if len(indices) > 8 else "")
