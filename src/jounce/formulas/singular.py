"""Detection of singular mass matrices and of the joints that cause them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jounce.formulas import dynamics
from jounce.formulas.mechanism import dynamics as loop_dynamics
from jounce.math.lie import normalize
from jounce.math.scalar import Array, array
from jounce.model.tree import Tree

#: Robots with more velocities are not asked for their mass matrix, which would take seconds; at
#: the first use of a quantity, where nobody has asked for a check, not those with a few hundred.
LARGEST, _LARGEST_UNASKED = 500, 100

#: Entries of the diagonal of M, relative to the largest, that are rounding.
_NOTHING = 1e-14

#: Eigenvalues of M, scaled to a diagonal of ones, that are as good as zero.
_SINGULAR = 1e-10

#: A body whose mass and moments are not below this share of the largest resists every motion.
_SOLID = 1e-8


def generic_configuration(tree: Tree) -> Array:
    """Return a configuration of a tree that nothing is special about."""
    rng = np.random.default_rng(1)
    q = rng.uniform(-1.0, 1.0, tree.nq)
    for node in tree.nodes:
        unit = node.motion.unit  # a quaternion, in most that have one
        if unit.stop > unit.start:
            at = slice(node.q + unit.start, node.q + unit.stop)
            q[at] = normalize(array(q[at]))
    return array(q.tolist())


def unresisted(M: np.ndarray) -> tuple[list[int], list[int]]:
    """Return the velocities that meet no resistance alone, and others that meet none together.

    M: the mass matrix (n, n) at some configuration. Scales do not matter: the finger of a giant is
    not without resistance.
    """
    diagonal = np.diag(M)
    zero = diagonal <= _NOTHING * max(diagonal.max(initial=0.0), 1e-30)
    keep = np.flatnonzero(~zero)
    together: list[int] = []
    if len(keep):
        scale = np.sqrt(diagonal[keep])
        values, vectors = np.linalg.eigh(M[np.ix_(keep, keep)] / np.outer(scale, scale))
        if values[0] < _SINGULAR:
            share = np.abs(vectors[:, 0])
            together = keep[share > 0.1 * share.max()].tolist()
    return np.flatnonzero(zero).tolist(), together


def all_solid(tree: Tree) -> bool:
    """Return whether each joint has armature or a body with full-rank inertia.

    Then M is regular wherever the robot is: no velocity leaves all bodies at rest.
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
    solid = (mass > _SOLID * mass.max()) & (moments[:, 0] > _SOLID * moments.max())
    joints = [tree.nodes_of_joint(b) for b in range(tree.nb)]
    driven = [
        all(np.all(node.armature > 0.0) for node in tree.nodes[first : last + 1])
        for first, last in joints
    ]
    return bool(np.all(solid | driven))


def explanation(tree: Tree, names: Sequence[str], q: np.ndarray | None = None) -> str:
    """Return why the mass matrix is singular and what to do, or ''.

    names: of the velocities. q: where to look, for a closed mechanism a configuration with closed
    loops; by default one that nothing is special about. Like any sample it cannot tell of
    singularities elsewhere.
    """
    if not 0 < tree.dof <= _LARGEST_UNASKED or all_solid(tree):
        return ""
    at = generic_configuration(tree) if q is None else array(np.asarray(q).tolist())
    formula = dynamics.mass_matrix if tree.active is None else loop_dynamics.mass_matrix
    M = formula(tree, at).astype(float)
    if not np.isfinite(M).all():
        return "its mass matrix overflows; look for lengths and masses that are far too large"
    alone, together = unresisted(M)
    if alone:
        which = f"nothing resists the motion of {_listed(names, alone)}"
    elif together:
        which = f"nothing resists {_listed(names, together)} moving together"
    else:
        return ""
    return (
        f"the mass matrix is singular, so accelerations are undefined: {which}; give the links"
        " beyond their inertia, or the joint an armature (robot.model.check() says more)"
    )


def _listed(names: Sequence[str], which: list[int]) -> str:
    shown = ", ".join(f"'{names[k]}'" for k in which[:8])
    return shown + (f" and {len(which) - 8} more" if len(which) > 8 else "")
