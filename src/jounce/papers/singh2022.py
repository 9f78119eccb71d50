"""S. Singh, R. P. Russell, P. M. Wensing (2022): second derivatives of the inverse dynamics.

"Analytical second-order partial derivatives of rigid-body inverse dynamics", arXiv 2203.01497, and
its companion "On second-order derivatives of rigid-body dynamics: theory and implementation", arXiv
2302.06001: d2tau/dq2, d2tau/dqdv, d2tau/dv2 and dM/dq of a tree with joints of several degrees of
freedom, from one recursion (IDSVA-SO) that costs O(N d^2) for N bodies and depth d.

**Reconstructed.** Only the abstracts were available; the sums are those of the authors'
public program (ID_SO_derivatives of spatial_v2_extended), written anew, with its names A0 to A7
and u1 to u12, for which the derivation with tensors is not repeated. Tags are names of ours, not
the papers' numbers.

All 6-vectors, inertias and composites are in the world's axes about its origin. With v and a of the
parent (the base has a = -gravity): psid = v x S, psidd = a x S + v x psid, and Sd = v_i x S. The
operators are x = ad, x* = -ad^T and f xbar* = -adstar(f), for which m x* f = (f xbar*) m.

* Derivatives in q are along the joint's velocity, and a second one is the derivative of the first:
  d2tau[i, j, k] is that along v_k of that along v_j. Both for the authors and for the catalog; j
  and k of one spherical, planar or free joint do not commute.
* Elementary nodes: a universal joint is two of them, one without mass. A joint that mimics another
  has the screws gain S, and adds to its leader's columns. Armature has no second derivatives.
* B, and the rate of an inertia, are written by blocks, without those that are zero.
"""

from __future__ import annotations

from dataclasses import dataclass

from jounce.math.scalar import Array, is_zero, zeros
from jounce.math.spatial import ad, adjoint, adstar, inertia_matrix, skew, spatial_inertia
from jounce.model.tree import Tree, moved_inertia
from jounce.papers import equation
from jounce.papers.common import minus_gravity, poses

# ------------------------------------------------------------------ operators


@equation("bar product")
def bar_product(f: Array) -> Array:
    """Return f xbar* (6 x 6), with m x* f = (f xbar*) m for every motion m."""
    return -adstar(f)


@equation("force product")
def force_product(m: Array) -> Array:
    """Return m x* (6 x 6)."""
    return -ad(m).T


@equation("B")
def body_coriolis(pi: Array, v: Array) -> Array:
    """Return B(I, v) = ((v x*) I - I (v x) + (I v) xbar*) / 2 = [[E, 0], [-P~, 0]].

    pi: ten inertial parameters of I; (L, P) = I v, and E = (J w~ - w~ J + h~ u~ + u~ h~ + L~) / -2
    for v = (w, u).
    """
    w, u, h, J = skew(v[:3]), skew(v[3:]), skew(pi[1:4]), inertia_matrix(pi)
    momentum = spatial_inertia(pi) @ v
    Jw, hu = J @ w, h @ u
    out = zeros(6, 6)
    out[:3, :3] = -0.5 * (Jw + Jw.T + hu + hu.T + skew(momentum[:3]))
    out[3:, :3] = -skew(momentum[3:])
    return out


@equation("inertia rate")
def inertia_rate(I: Array, m: Array) -> Array:
    """Return (m x*) I - I (m x): the rate of an inertia that moves with m, of mass zero."""
    turned = I @ ad(m)
    out = -turned - turned.T
    out[3:, 3:] = zeros(3, 3)
    return out


# ------------------------------------------------------------------ the algorithm


@dataclass(frozen=True, eq=False)
class Body:
    """A body after the forward pass: S, Sd, psid, psidd (6 x dof); pi, B, f: of its subtree."""

    columns: range
    path: list[int]
    S: Array
    Sd: Array
    psid: Array
    psidd: Array
    pi: Array
    B: Array
    f: Array


@equation("forward pass", "composites")
def forward_pass(tree: Tree, q: Array, v: Array, a: Array) -> list[Body]:
    """Return the motions of all bodies, and composite inertias pi, B(I, v) twice, and forces f."""
    twists, accelerations, found = list[Array](), list[Array](), list[Body]()
    for i, (node, (R, p)) in enumerate(zip(tree.nodes, poses(tree, q), strict=True)):
        above = zeros(6) if node.parent < 0 else twists[node.parent]
        acceleration = minus_gravity(tree) if node.parent < 0 else accelerations[node.parent]
        S = adjoint(R, p) @ (node.S if is_zero(node.gain - 1.0) else node.gain * node.S)
        psid = ad(above) @ S
        psidd = ad(acceleration) @ S + ad(above) @ psid
        twist = above + S @ v[node.vs]
        acceleration = acceleration + psid @ v[node.vs] + S @ a[node.vs]
        pi = moved_inertia(node.inertia, R, p)
        I = spatial_inertia(pi)
        f = I @ acceleration + force_product(twist) @ (I @ twist)
        columns, path = range(tree.nv)[node.vs], [i, *tree.ancestors[i]]
        B = 2.0 * body_coriolis(pi, twist)
        found.append(Body(columns, path, S, ad(twist) @ S, psid, psidd, pi, B, f))
        twists.append(twist)
        accelerations.append(acceleration)
    for i in reversed(range(len(found))):
        parent = tree.nodes[i].parent
        if parent >= 0:
            c, o = found[i], found[parent]
            sums = (o.pi + c.pi, o.B + c.B, o.f + c.f)
            found[parent] = Body(o.columns, o.path, o.S, o.Sd, o.psid, o.psidd, *sums)
    return found


@dataclass(frozen=True, eq=False)
class SecondDerivatives:
    """Second derivatives of tau (nv x nv x nv each), tau's index first.

    qq: [i, j, k] along q_j, then q_k. qv: q, then v. vv. aq: dM_ij/dq_k.
    """

    qq: Array
    qv: Array
    vv: Array
    aq: Array


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a body's joint: its index among all velocities, and its four vectors."""

    index: int
    S: Array
    Sd: Array
    psid: Array
    psidd: Array


def _columns(body: Body) -> list[Column]:
    vectors = (body.S.T, body.Sd.T, body.psid.T, body.psidd.T)
    return [Column(*x) for x in zip(body.columns, *vectors, strict=True)]


@dataclass(frozen=True, eq=False)
class Matrices:
    """The 6 x 6 matrices of one column of body i: B_S is 2 B(I, S), the others are the authors'."""

    B_S: Array
    A0: Array
    A1: Array
    A2: Array
    A3: Array
    A4: Array
    A5: Array
    A6: Array
    A7: Array


@equation("A0 to A7")
def column_matrices(body: Body, c: Column) -> Matrices:
    """Return the matrices of a column of body i, from the composites of its subtree."""
    I, B, S = spatial_inertia(body.pi), body.B, c.S
    B_S, A0, A1 = 2.0 * body_coriolis(body.pi, S), bar_product(I @ S), inertia_rate(I, S)
    return Matrices(
        B_S,
        A0,
        A1,
        A2=2.0 * A0 - B_S,
        A3=2.0 * body_coriolis(body.pi, c.psid) + force_product(S) @ B - B @ ad(S),
        A4=bar_product(B.T @ S),
        A5=bar_product(B @ c.psid + I @ c.psidd + force_product(S) @ body.f),
        A6=force_product(S) @ I + A0,
        A7=bar_product(B @ S + I @ (c.psid + c.Sd)),
    )


@equation("backward pass")
def inverse_dynamics_second_derivatives(
    tree: Tree, q: Array, v: Array, a: Array
) -> SecondDerivatives:
    """Return all second derivatives of tau: over bodies i, j above or at i, k above or at j."""
    bodies = forward_pass(tree, q, v, a)
    out = SecondDerivatives(*(zeros(tree.nv, tree.nv, tree.nv) for _ in range(4)))
    for i, body in enumerate(bodies):
        for c_i in _columns(body):
            m = column_matrices(body, c_i)
            for j in body.path:
                for c_j in _columns(bodies[j]):
                    _above_j(out, m, c_i.index, c_j, bodies, j)
                    if j != i:
                        _apart(out, m, c_i.index, c_j, bodies, j)
                    else:
                        _together(out, m, c_i.index, c_j, bodies, j)
    return out


@equation("cases k <= j <= i")
def _above_j(
    out: SecondDerivatives, m: Matrices, i: int, c: Column, bodies: list[Body], at: int
) -> None:
    """Add the entries that every i and j have: u3, u5, u6, u8, u9, u11 and u2 for k = j."""
    j, u8, u9, u11 = c.index, m.A4 @ c.S - m.B_S.T @ c.psid, m.A0 @ c.S, m.B_S.T @ c.S
    u3 = m.A3 @ c.psid + m.A1 @ c.psidd + m.A5 @ c.S
    u5, u6 = m.A2 @ c.psid + m.A4 @ c.S, m.B_S @ c.psid + m.A7 @ c.S
    for above in bodies[at].path:
        body = bodies[above]
        k, S, psid, psidd = body.columns, body.S.T, body.psid.T, body.psidd.T
        qq = psid @ u8 + psidd @ u9
        _add(out.qq, (i, j, k), qq)
        _add(out.qv, (i, k, j), -(psid @ u11))
        if above == at:
            _add(out.vv, (i, j, k), -(S @ (m.A1 @ c.S)))
            continue
        _add(out.qq, (i, k, j), qq)
        _add(out.qq, (k, i, j), S @ u3)
        _add(out.qv, (i, j, k), S @ u5 + (psid + body.Sd.T) @ u9)
        _add(out.qv, (k, j, i), S @ u6)
        for order in ((i, j, k), (i, k, j)):
            _add(out.vv, order, -(S @ u11))
        for order in ((k, i, j), (i, k, j)):
            _add(out.aq, order, S @ u9)


@equation("cases k <= j < i")
def _apart(
    out: SecondDerivatives, m: Matrices, i: int, c: Column, bodies: list[Body], at: int
) -> None:
    """Add the entries that only different bodies i and j have: u1, u2, u3, u7, u10, u11, u12."""
    j, u1, u11, u12 = c.index, m.A3.T @ c.S, m.B_S.T @ c.S, m.A1 @ c.S
    u2 = u12  # A1 is symmetric
    u3, u10 = m.A3 @ c.psid + m.A1 @ c.psidd + m.A5 @ c.S, m.B_S @ c.S
    u7 = m.A3 @ c.S + m.A1 @ (c.psid + c.Sd)
    for above in bodies[at].path:
        body = bodies[above]
        k, S, psid, psidd = body.columns, body.S.T, body.psid.T, body.psidd.T
        for order in ((j, k, i), (j, i, k)):
            _add(out.qq, order, psid @ u1 + psidd @ u2)
            _add(out.vv, order, S @ u11)
        _add(out.qv, (j, k, i), psid @ u11)
        _add(out.qv, (j, i, k), S @ u1 + (psid + body.Sd.T) @ u2)
        _add(out.aq, (j, k, i), S @ u12)
        if above == at:
            continue
        _add(out.aq, (k, j, i), S @ u12)
        _add(out.qq, (k, j, i), S @ u3)
        _add(out.qv, (k, i, j), S @ u7)
        for order in ((k, i, j), (k, j, i)):
            _add(out.vv, order, S @ u10)


@equation("cases k < j = i")
def _together(
    out: SecondDerivatives, m: Matrices, i: int, c: Column, bodies: list[Body], at: int
) -> None:
    """Add the entry that only two columns of one body have: u4."""
    u4 = m.A6 @ c.S
    for above in bodies[at].path[1:]:
        _add(out.vv, (bodies[above].columns, c.index, i), bodies[above].S.T @ u4)


def _add(out: Array, order: tuple[int | range, ...], x: Array) -> None:
    """Add to entries of which one axis runs over the columns of a joint."""
    out[order] = out[order] + x
