"""Contact dynamics: accelerations and contact forces, impulses and velocities after impact.

With the contact Jacobian J of `geometry` and forces f of the contacts on the robot, in their axes,

    M a + C v + g = tau + J^T f,    J a + drift = -k_d J v - k_p e - mu f

with the Baumgarte gains k_d and k_p, the errors e of the contacts relative to their anchors, and
the damping (compliance) mu. M = L^T D L is eliminated first, which preserves sparsity: with
Y = L^-T J^T, which has nonzeros only on the paths to contacts, the Delassus matrix J M^-1 J^T is
Y^T D^-1 Y.

If rows of J are linearly dependent, as for two surfaces on one link, J = B J_i with independent
rows J_i. The forces lam = B^T f and the accelerations are then unique. The minimum-norm forces
f = Z lam, Z = B (B^T B)^-1, are chosen, which are the limit of vanishing damping: mu f is
mu Z^T Z lam in the independent rows. Inconsistent rows are satisfied in the least-squares sense, by
the projection Z^T.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jounce.formulas import dynamics
from jounce.formulas.contact.errors import contact_errors
from jounce.formulas.contact.geometry import (
    contact_accelerations,
    contact_drift,
    contact_jacobian,
    contact_velocities,
    locked_rows,
)
from jounce.formulas.wrt_time import constrained_rates, rates
from jounce.math.linear import Orthogonal, factorize, half_solve, solve_factorized
from jounce.math.scalar import Array, identity, is_zero, zeros
from jounce.math.spatial import Pose, Rotation, dot
from jounce.model.tree import Tree, compose_poses, inverse

# ------------------------------------------------------------------ dependent rows


def reduce_rows(tree: Tree, J: Array) -> tuple[Array, Array | None]:
    """Return J_i (nr, nv), and Z (nc, nr) or None where all rows are independent.

    J = B J_i. If the contacts lock all joints that move them, J_i selects these joints and B has
    their columns of J, so no rows are preferred. Otherwise J_i has the rows of `Tree.rows`.
    """
    if tree.rows is None:
        return J, None
    count = len(tree.rows)
    moving = [k for k in range(tree.nv) if not all(is_zero(x) for x in J[:, k])]
    if len(moving) == count:
        J_i, B = zeros(count, tree.nv), J[:, moving]
        J_i[range(count), moving] = 1.0
    else:
        J_i, B = J[list(tree.rows)], zeros(len(J), count)
        dependent = [k for k in range(len(J)) if k not in tree.rows]
        B[list(tree.rows), range(count)] = 1.0
        B[dependent] = Orthogonal(J_i.T).solve(J[dependent].T).T
    across = Orthogonal(B)
    columns = [across.solve_transposed(unit, shortest=True) for unit in identity(count)]
    return J_i, np.stack(columns, axis=1)


def project_rows(Z: Array | None, rows: Array) -> Array:
    """Return Z^T rows, the least-squares projection on the independent rows."""
    return rows if Z is None else Z.T @ rows


def _gram(rows: Array, weights: Sequence[Any] | None = None) -> Array:
    """Return the symmetric Gram matrix of the rows, with weights per entry."""
    n = len(rows)
    out = zeros(n, n)
    for i in range(n):
        left = rows[i] if weights is None else rows[i] * weights
        for j in range(i, n):
            out[i, j] = out[j, i] = dot(left, rows[j])
    return out


def spread_forces(tree: Tree, q: Array, lam: Array, rows: Array) -> tuple[Array, Array, Array]:
    """Return Z lam (nc,), Z^T Z lam (nr,), and Z^T rest (nr,)."""
    _, Z = reduce_rows(tree, contact_jacobian(tree, q))
    return (lam, lam, rows) if Z is None else (Z @ lam, Z.T @ (Z @ lam), Z.T @ rows)


# ------------------------------------------------------------------ the equations


class ContactSystem:
    """[[M, -J^T], [J, mu Z^T Z]] of all joints and the independent rows of the contacts."""

    def __init__(self, tree: Tree, q: Array, damping: Any = 0.0) -> None:
        self.J, self.Z = reduce_rows(tree, contact_jacobian(tree, q))
        self.L, self.inverse_pivots = factorize(dynamics.mass_matrix(tree, q))
        self.Y = np.stack([half_solve(self.L, row) for row in self.J])
        self.S = _gram(self.Y, self.inverse_pivots)
        self.factors = factorize(self.S + damping * self._compliance())

    def _compliance(self) -> Array:
        """Return Z^T Z."""
        return np.eye(len(self.J)).astype(object) if self.Z is None else _gram(self.Z.T)

    def solve(self, force: Array, drift: Array) -> tuple[Array, Array]:
        """Return a and lam with M a - J^T lam = force and J a + mu Z^T Z lam = drift."""
        y = half_solve(self.L, force)
        weighted = y * self.inverse_pivots
        lam = solve_factorized(*self.factors, drift - _times(self.Y, weighted))
        return self._forward((y + _times(self.Y.T, lam)) * self.inverse_pivots), lam

    def _forward(self, x: Array) -> Array:
        """Return L^-1 x."""
        x = x.copy()
        for k in range(len(x)):
            x[k] = x[k] - dot(self.L[k, :k], x[:k])
        return x

    def project_rows(self, rows: Array) -> Array:
        """Return the projection of all contact rows on the independent ones."""
        return project_rows(self.Z, rows)

    def forces(self, lam: Array) -> Array:
        """Return f = Z lam of all rows; lam may be a matrix of columns."""
        return lam if self.Z is None else self.Z @ lam


def _times(A: Array, x: Array) -> Array:
    """Return A x, skipping structural zeros."""
    out = zeros(len(A))
    for i, row in enumerate(A):
        out[i] = dot(row, x)
    return out


def loads(
    tree: Tree,
    q: Array,
    v: Array,
    tau: Array,
    wrenches: Array | None = None,
    anchors: Array | None = None,
    kp: Any = None,
    kd: Any = None,
    damping: Any = None,
) -> tuple[Array, Array]:
    """Return the right-hand sides tau - C v - g and -drift - k_d J v - k_p e."""
    bias = dynamics.inverse_dynamics(tree, q, v, zeros(tree.nv), wrenches)
    target = -contact_drift(tree, q, v)
    if anchors is not None:
        target = (
            target - kd * contact_velocities(tree, q, v) - kp * contact_errors(tree, q, anchors)
        )
    return tau - bias, target


def damping_of(optional: Sequence[Any]) -> Any:
    """Return the damping among optional arguments (wrenches, anchors, kp, kd, damping), if any."""
    return optional[4] if optional else 0.0


def contact_dynamics(
    tree: Tree, q: Array, v: Array, tau: Array, *optional: Any
) -> tuple[Array, Array]:
    """Return a (nv,) of all joints and the contact forces f (nc,).

    optional: nothing, or wrenches, anchors, kp, kd, damping.
    """
    system = ContactSystem(tree, q, damping_of(optional))
    force, target = loads(tree, q, v, tau, *optional)
    a, lam = system.solve(force, system.project_rows(target))
    return a, system.forces(lam)


def forward_dynamics(tree: Tree, q: Array, v: Array, tau: Array, *optional: Any) -> Array:
    """Return the acceleration a."""
    return contact_dynamics(tree, q, v, tau, *optional)[0]


def delassus_matrix(tree: Tree, q: Array) -> Array:
    """Return J M^-1 J^T (nc, nc), of all rows."""
    L, inverse_pivots = factorize(dynamics.mass_matrix(tree, q))
    return _gram(
        np.stack([half_solve(L, row) for row in contact_jacobian(tree, q)]), inverse_pivots
    )


def contact_wrenches(tree: Tree, forces: Array) -> Array:
    """Return contact forces (nc,) as wrenches on the bodies (nb, 6), in body frames."""
    out, start = zeros(tree.nb, 6), 0
    body_of = {i: b for b, i in enumerate(tree.node_of_body)}
    for frame, locked in tree.contacts:
        rows = locked_rows(locked)
        wrench = zeros(6)
        wrench[rows] = forces[start : start + len(rows)]
        start += len(rows)
        i, R, p = tree.frames[frame]
        node = tree.nodes[i]
        R, p = compose_poses(inverse(node.R_user, node.p_user), (R, p))
        out[body_of[i]] = out[body_of[i]] + Pose([Rotation(R)], p).force_to_parent(wrench)
    return out


# ------------------------------------------------------------------ time derivatives


def balance(
    tree: Tree, q: Array, v: Array, a: Array, lam: Array, tau: Array, *optional: Any
) -> Array:
    """Return the residuals (M a + C v + g - tau - J^T lam, J a + drift + ...)."""
    J, Z = reduce_rows(tree, contact_jacobian(tree, q))
    wrenches, anchors, kp, kd, damping = optional or (None,) * 5
    forces = dynamics.inverse_dynamics(tree, q, v, a, wrenches) - tau - lam @ J
    residual = contact_accelerations(tree, q, v, a)
    if anchors is not None:
        residual = (
            residual + kd * contact_velocities(tree, q, v) + kp * contact_errors(tree, q, anchors)
        )
    residual = project_rows(Z, residual)
    if damping is not None:
        residual = residual + damping * (lam if Z is None else Z.T @ (Z @ lam))
    return np.concatenate((forces, residual))


#: Optional arguments in their order.
OPTIONAL_ARGUMENTS = ("wrenches", "anchors", "kp", "kd", "damping")


def contact_dynamics_rates(
    tree: Tree, order: int, inputs: Mapping[str, Array]
) -> list[tuple[Array, Array]]:
    """Return a and f with their time derivatives; each order solves the same system."""
    q, v = inputs["q"], inputs["v"]
    system = ContactSystem(tree, q, inputs.get("damping", 0.0))
    system_arguments = (system.solve, len(system.J), *OPTIONAL_ARGUMENTS)
    accelerations, lam = constrained_rates(balance, tree, order, inputs, *system_arguments)
    forces = rates(_forces, tree, {"q": [q, v, *accelerations][: order + 1], "lam": lam}, order)
    return list(zip(accelerations, forces, strict=True))


def _forces(tree: Tree, q: Array, lam: Array) -> Array:
    """Return Z lam."""
    _, Z = reduce_rows(tree, contact_jacobian(tree, q))
    return lam if Z is None else Z @ lam


def forward_dynamics_rates(tree: Tree, order: int, inputs: Mapping[str, Array]) -> list[Array]:
    """Return a and its time derivatives."""
    return [a for a, _ in contact_dynamics_rates(tree, order, inputs)]


# ------------------------------------------------------------------ impulses


def impulse(
    tree: Tree, q: Array, v: Array, restitution: Any = 0.0, damping: Any = 0.0
) -> tuple[Array, Array]:
    """Return the velocity v_after (nv,) after impact, and the impulses p (nc,).

    M (v_after - v) = J^T p and J v_after = -e J v - mu p, e the restitution.
    """
    system = ContactSystem(tree, q, damping)
    approach = system.project_rows(contact_velocities(tree, q, v))
    dv, lam = system.solve(zeros(tree.nv), -(1.0 + restitution) * approach)
    return v + dv, system.forces(lam)
