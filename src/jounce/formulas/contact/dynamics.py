"""Dynamics in contact: accelerations with contact forces, velocities after touching down.

With the contact Jacobian J of `geometry` and forces f of the contacts on the robot, in their axes,

    M a + C v + g = tau + J^T f,    J a + drift = -k_d J v - k_p e - mu f

where k_d and k_p are the gains of Baumgarte, e is how far the contacts are from their anchors, and
the damping mu makes them yield. M = L^T D L is eliminated first, which keeps branches apart: with
Y = L^-T J^T, that has entries on the way to the contacts only, the Delassus matrix J M^-1 J^T is
Y^T D^-1 Y.

Where rows of J follow from others, as those of two surfaces on one link do, J = B J_i with rows J_i
that do not. The forces B^T f = lam are then unique, and so are the accelerations. Of all f the
shortest is taken, f = Z lam with Z = B (B^T B)^-1, which is also what damping tends to: mu f is
mu Z^T Z lam in the independent rows. What rows of all contacts ask for is met in the sense of least
squares, by Z^T of it.
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
    held,
)
from jounce.formulas.wrt_time import constrained_rates, rates
from jounce.math.linear import Orthogonal, factorize, half_solve, solve_factorized
from jounce.math.scalar import Array, identity, is_zero, zeros
from jounce.math.spatial import Pose, Rotation, dot
from jounce.model.tree import Tree, chained, inverse

# ------------------------------------------------------------------ rows that follow from others


def reduced(tree: Tree, J: Array) -> tuple[Array, Array | None]:
    """Return J_i (nr, nv), and Z (nc, nr) or None where all rows are independent.

    J = B J_i. Where the contacts lock all joints that move them, J_i picks these joints, and B has
    their columns of J: no rows are preferred. Else J_i has the rows of `Tree.rows`.
    """
    if tree.rows is None:
        return J, None
    count = len(tree.rows)
    moving = [k for k in range(tree.nv) if not all(is_zero(x) for x in J[:, k])]
    if len(moving) == count:
        own, B = zeros(count, tree.nv), J[:, moving]
        own[range(count), moving] = 1.0
    else:
        own, B = J[list(tree.rows)], zeros(len(J), count)
        rest = [k for k in range(len(J)) if k not in tree.rows]
        B[list(tree.rows), range(count)] = 1.0
        B[rest] = Orthogonal(own.T).solve(J[rest].T).T
    across = Orthogonal(B)
    columns = [across.solve_transposed(unit, shortest=True) for unit in identity(count)]
    return own, np.stack(columns, axis=1)


def fitted(Z: Array | None, rows: Array) -> Array:
    """Return Z^T rows, the least-squares projection on the independent rows."""
    return rows if Z is None else Z.T @ rows


def _gram(rows: Array, weights: Sequence[Any] | None = None) -> Array:
    """Products of all rows with each other, weighted entry by entry; one triangle is computed."""
    n = len(rows)
    out = zeros(n, n)
    for i in range(n):
        left = rows[i] if weights is None else rows[i] * weights
        for j in range(i, n):
            out[i, j] = out[j, i] = dot(left, rows[j])
    return out


def spread(tree: Tree, q: Array, lam: Array, rest: Array) -> tuple[Array, Array, Array]:
    """Return Z lam (nc,), Z^T Z lam (nr,), and Z^T rest (nr,)."""
    _, Z = reduced(tree, contact_jacobian(tree, q))
    return (lam, lam, rest) if Z is None else (Z @ lam, Z.T @ (Z @ lam), Z.T @ rest)


# ------------------------------------------------------------------ the equations


class Supported:
    """[[M, -J^T], [J, mu Z^T Z]] of all joints and the independent rows of the contacts."""

    def __init__(self, tree: Tree, q: Array, damping: Any = 0.0) -> None:
        self.J, self.Z = reduced(tree, contact_jacobian(tree, q))
        self.L, self.over = factorize(dynamics.mass_matrix(tree, q))
        self.Y = np.stack([half_solve(self.L, row) for row in self.J])
        self.S = _gram(self.Y, self.over)
        self.factors = factorize(self.S + damping * self._compliance())

    def _compliance(self) -> Array:
        """Return Z^T Z."""
        return np.eye(len(self.J)).astype(object) if self.Z is None else _gram(self.Z.T)

    def solve(self, force: Array, drift: Array) -> tuple[Array, Array]:
        """Return a and lam with M a - J^T lam = force and J a + mu Z^T Z lam = drift."""
        y = half_solve(self.L, force)
        weighted = y * self.over
        lam = solve_factorized(*self.factors, drift - _times(self.Y, weighted))
        return self._forward((y + _times(self.Y.T, lam)) * self.over), lam

    def _forward(self, x: Array) -> Array:
        """Return L^-1 x."""
        x = x.copy()
        for k in range(len(x)):
            x[k] = x[k] - dot(self.L[k, :k], x[:k])
        return x

    def fitted(self, rows: Array) -> Array:
        """Return the projection of all contact rows on the independent ones."""
        return fitted(self.Z, rows)

    def forces(self, lam: Array) -> Array:
        """Return f = Z lam of all rows; lam may be a matrix of columns."""
        return lam if self.Z is None else self.Z @ lam


def _times(A: Array, x: Array) -> Array:
    """Return a x, leaving out what is zero."""
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
    """Return tau - C v - g and -drift - k_d J v - k_p e: what the equations are solved for."""
    bias = dynamics.inverse_dynamics(tree, q, v, zeros(tree.nv), wrenches)
    wanted = -contact_drift(tree, q, v)
    if anchors is not None:
        wanted = (
            wanted - kd * contact_velocities(tree, q, v) - kp * contact_errors(tree, q, anchors)
        )
    return tau - bias, wanted


def damping_of(given: Sequence[Any]) -> Any:
    """Return the damping among optional arguments (wrenches, anchors, kp, kd, damping), if any."""
    return given[4] if given else 0.0


def contact_dynamics(
    tree: Tree, q: Array, v: Array, tau: Array, *given: Any
) -> tuple[Array, Array]:
    """Return a (nv,) of all joints and the contact forces f (nc,).

    given: nothing, or wrenches, anchors, kp, kd, damping.
    """
    system = Supported(tree, q, damping_of(given))
    force, wanted = loads(tree, q, v, tau, *given)
    a, lam = system.solve(force, system.fitted(wanted))
    return a, system.forces(lam)


def forward_dynamics(tree: Tree, q: Array, v: Array, tau: Array, *given: Any) -> Array:
    """Return the acceleration a."""
    return contact_dynamics(tree, q, v, tau, *given)[0]


def delassus_matrix(tree: Tree, q: Array) -> Array:
    """Return J M^-1 J^T (nc, nc), of all rows."""
    L, over = factorize(dynamics.mass_matrix(tree, q))
    return _gram(np.stack([half_solve(L, row) for row in contact_jacobian(tree, q)]), over)


def contact_wrenches(tree: Tree, forces: Array) -> Array:
    """The contacts' forces (nc,) as wrenches on the bodies (nb, 6), in the model's body frames."""
    out, at = zeros(tree.nb, 6), 0
    body_of = {i: b for b, i in enumerate(tree.node_of_body)}
    for frame, locked in tree.contacts:
        rows = held(locked)
        wrench = zeros(6)
        wrench[rows] = forces[at : at + len(rows)]
        at += len(rows)
        i, R, p = tree.frames[frame]
        node = tree.nodes[i]
        R, p = chained(inverse(node.R_user, node.p_user), (R, p))
        out[body_of[i]] = out[body_of[i]] + Pose([Rotation(R)], p).force_to_parent(wrench)
    return out


# ------------------------------------------------------------------ time derivatives


def balance(tree: Tree, q: Array, v: Array, a: Array, lam: Array, tau: Array, *given: Any) -> Array:
    """Return (M a + C v + g - tau - J^T lam, J a + drift + ...), which the equations make zero."""
    J, Z = reduced(tree, contact_jacobian(tree, q))
    wrenches, anchors, kp, kd, damping = given or (None,) * 5
    forces = dynamics.inverse_dynamics(tree, q, v, a, wrenches) - tau - lam @ J
    rest = contact_accelerations(tree, q, v, a)
    if anchors is not None:
        rest = rest + kd * contact_velocities(tree, q, v) + kp * contact_errors(tree, q, anchors)
    rest = fitted(Z, rest)
    if damping is not None:
        rest = rest + damping * (lam if Z is None else Z.T @ (Z @ lam))
    return np.concatenate((forces, rest))


#: Optional arguments in their order.
GIVEN = ("wrenches", "anchors", "kp", "kd", "damping")


def contact_dynamics_rates(
    tree: Tree, order: int, given: Mapping[str, Array]
) -> list[tuple[Array, Array]]:
    """Return a and f with their time derivatives: each order is the same system again."""
    q, v = given["q"], given["v"]
    system = Supported(tree, q, given.get("damping", 0.0))
    solved = (system.solve, len(system.J), *GIVEN)
    found, lam = constrained_rates(balance, tree, order, given, *solved)
    forces = rates(_forces, tree, {"q": [q, v, *found][: order + 1], "lam": lam}, order)
    return list(zip(found, forces, strict=True))


def _forces(tree: Tree, q: Array, lam: Array) -> Array:
    """Return Z lam."""
    _, Z = reduced(tree, contact_jacobian(tree, q))
    return lam if Z is None else Z @ lam


def forward_dynamics_rates(tree: Tree, order: int, given: Mapping[str, Array]) -> list[Array]:
    """Return a and its time derivatives."""
    return [a for a, _ in contact_dynamics_rates(tree, order, given)]


# ------------------------------------------------------------------ impulses


def impulse(
    tree: Tree, q: Array, v: Array, restitution: Any = 0.0, damping: Any = 0.0
) -> tuple[Array, Array]:
    """Return v (nv,) after the contacts have been made, and their impulses p (nc,).

    M (v_after - v) = J^T p and J v_after = -e J v - mu p, e the restitution.
    """
    system = Supported(tree, q, damping)
    approach = system.fitted(contact_velocities(tree, q, v))
    dv, lam = system.solve(zeros(tree.nv), -(1.0 + restitution) * approach)
    return v + dv, system.forces(lam)
