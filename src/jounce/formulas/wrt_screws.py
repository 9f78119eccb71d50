"""Derivatives with respect to the geometry: joint screws and joint placements.

Two displacements of joint i, six-dimensional (rotation first), in the axes of its body's frame at
the neutral configuration:

* placement: the joint and its subtree move on their parent, T_pi -> T_pi(0) exp(zeta) exp(S q);
* screw (Kwon 6): only the joint's axis moves, A_i = Ad_exp(eta) A_i; at the neutral configuration
  all bodies, inertias, frames and other joints stay in place.

A placement is a virtual joint of six degrees of freedom before joint i, at rest. A screw is the
same minus a virtual joint after it: exp(eta) exp(S q) exp(-eta). Both follow from the rules for a
rigid displacement X of a subtree (the tree is "cut" there). A derivative is first computed as a
covector y with d(...) = y . X in the world frame, and then transformed to the cut's axes, Ad^T y.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from jounce.formulas.cuts import Cut, World, add_share
from jounce.formulas.dynamics import (
    accelerations,
    body_forces,
    composite_momentum,
    contract,
    forward_dynamics,
    mass_matrix,
    subtree_wrenches,
)
from jounce.formulas.kinematics import (
    base_twist,
    frame_rotation_origin,
    frame_twist,
    gravity_compensated_base,
    mixed_rate,
    refuse_series,
    twists,
    world_rate,
)
from jounce.formulas.momenta import body_momenta, center_of_mass, momentum, per_mass
from jounce.math.jets import from_coefficients, stacked_rates
from jounce.math.linear import factorize, solve_factorized
from jounce.math.scalar import Array, identity, zeros
from jounce.math.spatial import (
    adjoint,
    adjoint_inverse,
    bracket,
    cross,
    dual_bracket,
    skew,
    stack,
)
from jounce.model.tree import Tree

# ------------------------------------------------------------------ forces


def inverse_dynamics_dgeometry(
    tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None, *, screw: bool
) -> Array:
    """Return dtau (nv, nb, 6), by the rules of dtau/dq for a joint at rest.

    With the parent's V and A, psid = ad_V X, psidd = ad_A X + ad_V psid: dtau_i = S_i^T (G psidd +
    2 B psid) with the composite of i beyond the cut, and before it with the composite of the cut,
    minus S_i^T adstar_f X.
    """
    world = World(tree, q)
    poses = world.poses
    V = twists(tree, poses, v)
    dw, field, c = accelerations(tree, poses, v, a)
    # spatial acceleration: that of the origin minus w x u
    A = [stack(dw[i], c[i] - cross(V[i][:3], V[i][3:])) for i in range(len(V))]
    F = world.wrenches(subtree_wrenches(tree, poses, body_forces(tree, field, c, wrenches)))
    B = world.bias(V)
    V_world, A_world = world.motions(V), world.motions(A)
    ground = base_twist(tree), gravity_compensated_base(tree)
    out = zeros(world.size, tree.nb, 6)

    def push(Vc: Array, Ac: Array, node: int, axis: Array) -> Array:
        momentum = composite_momentum(world.G[node], axis)
        rate = dual_bracket(Vc, momentum) + 2.0 * B[node].transposed_times(axis)
        return dual_bracket(Ac, momentum) + dual_bracket(Vc, rate)

    for cut in world.cuts(screw):
        inner = cut.inside[0] if cut.inside else -1
        Vc, Ac = ground if inner < 0 else (V_world[inner], A_world[inner])
        for row, i, axis in world.columns(cut.outside):
            add_share(out, cut, (row,), push(Vc, Ac, i, axis))
        for row, _, axis in world.columns(cut.inside):
            y = push(Vc, Ac, cut.node, axis) + dual_bracket(axis, F[cut.node])
            add_share(out, cut, (row,), y)
    return contract(tree, out, axes=1)


def forward_dynamics_dgeometry(
    tree: Tree, q: Array, v: Array, tau: Array, wrenches: Array | None = None, *, screw: bool
) -> Array:
    """Return da (nv, nb, 6) = -M^-1 dtau at a."""
    a = forward_dynamics(tree.lumped, q, v, tau, wrenches)
    forces = inverse_dynamics_dgeometry(tree, q, v, a, wrenches, screw=screw)
    factors = factorize(mass_matrix(tree.lumped, q))
    flat = forces.reshape(tree.nv, -1)
    solved = np.stack([solve_factorized(*factors, y) for y in flat.T], axis=-1)
    return -solved.reshape(forces.shape)


# ------------------------------------------------------------------ matrices


def mass_matrix_dgeometry(tree: Tree, q: Array, *, screw: bool) -> Array:
    """Return dM (nv, nv, nb, 6): rigid motion of a subtree, as for dM/dq.

    dM_ij = X . ad_Si^T G_j S_j with i before and j beyond the cut k, and with both before it
    X . (ad_Si^T G_k S_j + ad_Sj^T G_k S_i).
    """
    world = World(tree, q)
    out = zeros(world.size, world.size, tree.nb, 6)
    GS = [
        [composite_momentum(G, s) for s in node_axes]
        for G, node_axes in zip(world.G, world.S, strict=True)
    ]
    for cut in world.cuts(screw):
        before = list(world.columns(cut.inside))
        carried = [composite_momentum(world.G[cut.node], s) for _, _, s in before]
        for x, (row, _, axis) in enumerate(before):
            for column, j, _ in world.columns(cut.outside):
                y = dual_bracket(axis, GS[j][column - world.rows[j].start])
                add_share(out, cut, (row, column), y)
                add_share(out, cut, (column, row), y)
            for z, (column, _, other) in enumerate(before[: x + 1]):
                y = dual_bracket(axis, carried[z]) + dual_bracket(other, carried[x])
                add_share(out, cut, (row, column), y)
                if column != row:
                    add_share(out, cut, (column, row), y)
    return contract(tree, out, axes=2)


def coriolis_matrix_dgeometry(tree: Tree, q: Array, v: Array, *, screw: bool) -> Array:
    """Return dC (nv, nv, nb, 6) with C_ij = S_i^T (B_d S_j + G_d Sd_j), d the outer one of i and j.

    The subtree beyond the cut moves rigidly and its twists change by ad_V X, V the twist before it.
    """
    world = World(tree, q)
    V = twists(tree, world.poses, v)
    V_world = world.motions(V)
    B = world.bias(V)
    rate = world.to_world(
        [[bracket(Vi, s) for s in node.S.T] for node, Vi in zip(tree.nodes, V, strict=True)]
    )
    out = zeros(world.size, world.size, tree.nb, 6)

    def bias_derivative(d: int, Si: Array, Sj: Array, axis_too: bool) -> Array:
        """Return the twist derivative of S_i^T B_d S_j (+ S_i^T G_d Sd_j if `axis_too`)."""
        G = world.G[d]
        mixed = dual_bracket(Sj, composite_momentum(G, Si))
        y = dual_bracket(Si, composite_momentum(G, Sj)) - composite_momentum(G, bracket(Sj, Si))
        return 0.5 * (y - mixed if axis_too else y + mixed)

    def covector(cut: Cut, Vc: Array, row: tuple, column: tuple) -> Array:
        (_, i, Si), (index, j, Sj) = row, column
        Sd = rate[j][index - world.rows[j].start]
        stays = i in cut.inside, j in cut.inside
        d = cut.node if all(stays) else i if j in tree.ancestors[i] else j
        y = dual_bracket(Vc, bias_derivative(d, Si, Sj, axis_too=not stays[1]))
        if stays[0]:
            y = y + dual_bracket(Si, B[d].times(Sj) + composite_momentum(world.G[d], Sd))
        if stays[1]:
            y = y + dual_bracket(Sj, B[d].transposed_times(Si))
            y = y + dual_bracket(Sd, composite_momentum(world.G[d], Si))
        return y

    for cut in world.cuts(screw):
        Vc = V_world[cut.inside[0]] if cut.inside else zeros(6)
        nodes = list(world.columns([*cut.inside, *cut.outside]))
        for row in nodes:
            for column in nodes:
                i, j = row[1], column[1]
                if i == j or i in tree.ancestors[j] or j in tree.ancestors[i]:
                    y = covector(cut, Vc, row, column)
                    add_share(out, cut, (row[0], column[0]), y)
    return contract(tree, out, axes=2)


# ------------------------------------------------------------------ energies and frames


def potential_energy_dgeometry(tree: Tree, q: Array, *, screw: bool) -> Array:
    """Return dU (nb, 6): minus the wrench of gravity on the subtree of the cut."""
    world = World(tree, q)
    out = zeros(tree.nb, 6)
    for cut in world.cuts(screw):
        m, h, _ = world.G[cut.node]
        add_share(out, cut, (), -stack(cross(h, tree.gravity), m * tree.gravity))
    return out


def center_of_mass_dgeometry(tree: Tree, q: Array, *, screw: bool) -> Array:
    """Return dc (3, nb, 6): (m v + w x h) / total mass, m and h of the subtree of the cut."""
    world = World(tree, q)
    total = sum((world.G[i][0] for i, n in enumerate(tree.nodes) if n.parent < 0), 0.0)
    out = zeros(3, tree.nb, 6)
    for cut in world.cuts(screw):
        m, h, _ = world.G[cut.node]
        for k, unit in enumerate(np.eye(3).astype(object)):
            add_share(out, cut, (k,), stack(cross(h, unit), m * unit) * per_mass(total))
    return out


def momentum_dgeometry(tree: Tree, q: Array, v: Array, *, screw: bool) -> Array:
    """Return G ad_V X - adstar_H X (6, nb, 6), G, H of the cut's subtree, V the twist before."""
    world = World(tree, q)
    V = twists(tree, world.poses, v)
    H = world.wrenches(subtree_wrenches(tree, world.poses, body_momenta(tree, V)))
    V_world = world.motions(V)
    out = zeros(6, tree.nb, 6)
    for cut in world.cuts(screw):
        Vc = V_world[cut.inside[0]] if cut.inside else zeros(6)
        for k, X in enumerate(adjoint(cut.R, cut.p).T):
            rate = composite_momentum(world.G[cut.node], bracket(Vc, X))
            rate = rate - dual_bracket(X, H[cut.node])
            out[:, cut.body, k] = out[:, cut.body, k] + cut.sign * rate
    return out


def centroidal_momentum_dgeometry(tree: Tree, q: Array, v: Array, *, screw: bool) -> Array:
    """Return the derivative of the centroidal momentum, d(L - c x P, P) (6, nb, 6)."""
    F, c = momentum(tree, q, v), center_of_mass(tree, q)
    out = momentum_dgeometry(tree, q, v, screw=screw)
    dc = center_of_mass_dgeometry(tree, q, screw=screw)
    for index in np.ndindex(tree.nb, 6):
        place = (slice(3), *index)
        change = cross(dc[:, *index], F[3:]) + cross(c, out[3:, *index])
        out[place] = out[place] - change
    return out


def _frame_axes(tree: Tree, q: Array, frame: int, screw: bool) -> Iterator[tuple[Cut, Array]]:
    """Yield the cuts that move a frame, and their six unit twists in the frame's axes (6, 6)."""
    world = World(tree, q)
    node, R, p = tree.frames[frame]
    if node < 0:
        return
    Rf, pf = world.R[node] @ R, world.p[node] + world.R[node] @ p
    path = {node, *tree.ancestors[node]}
    for cut in world.cuts(screw):
        if cut.node in path:
            yield cut, adjoint_inverse(Rf, pf) @ adjoint(cut.R, cut.p)


def frame_pose_dgeometry(tree: Tree, q: Array, frame: int, *, screw: bool) -> Array:
    """Return the body-fixed twist of the frame per displacement (6, nb, 6)."""
    out = zeros(6, tree.nb, 6)
    for cut, X in _frame_axes(tree, q, frame, screw):
        out[:, cut.body] = out[:, cut.body] + cut.sign * X
    return out


def _twist_dgeometry(
    tree: Tree, q: Array, v: Array, frame: int, screw: bool, rate: Callable[[Array, Array], Array]
) -> Array:
    """Return rate(X, ad_V X) for the cuts that move a frame, V the twist before the cut."""
    world = World(tree, q)
    V = world.motions(twists(tree, world.poses, v))
    to_frame = adjoint_inverse(*frame_rotation_origin(tree, q, frame))
    out = zeros(6, tree.nb, 6)
    for cut, axes in _frame_axes(tree, q, frame, screw):
        Vc = to_frame @ (V[cut.inside[0]] if cut.inside else base_twist(tree))
        columns = np.stack([rate(X, bracket(Vc, X)) for X in axes.T], axis=1)
        out[:, cut.body] = out[:, cut.body] + cut.sign * columns
    return out


def frame_twist_mixed_dgeometry(
    tree: Tree, q: Array, v: Array, frame: int, *, screw: bool
) -> Array:
    """Return the derivative of the mixed twist: world axes, frame origin (6, nb, 6)."""
    R, _ = frame_rotation_origin(tree, q, frame)
    of = partial(mixed_rate, R, frame_twist(tree, q, v, frame))
    return _twist_dgeometry(tree, q, v, frame, screw, of)


def frame_twist_world_dgeometry(
    tree: Tree, q: Array, v: Array, frame: int, *, screw: bool
) -> Array:
    """Return the derivative of the spatial twist: world axes and origin (6, nb, 6)."""
    R, p = frame_rotation_origin(tree, q, frame)
    of = partial(world_rate, R, p, frame_twist(tree, q, v, frame))
    return _twist_dgeometry(tree, q, v, frame, screw, of)


# ------------------------------------------------------------------ any formula


def displace_joint(tree: Tree, body: int, twist: Array, screw: bool) -> Tree:
    """Return the tree with one joint displaced along a twist, by first-order series."""
    return tree.with_joint_moved(body, displacement_series(twist), screw=screw)


def displacement_series(twist: Array) -> tuple[Array, Array]:
    """Return the displacement along a twist as first-order series of a rotation and translation."""
    R = from_coefficients([identity(3), skew(twist[:3])])
    return R, from_coefficients([zeros(3), twist[3:]])


def along_geometry(
    formula: Callable[..., Any], tree: Tree, inputs: tuple[Any, ...], screw: bool
) -> Any:
    """Return the derivative of any formula by first-order series, one displacement at a time."""
    refuse_series(tree, inputs)
    columns = []
    for body in range(tree.nb):
        for unit in np.eye(6).astype(object):
            columns.append(formula(displace_joint(tree, body, unit, screw), *inputs))
    return stacked_rates(columns, (tree.nb, 6))


def along_frames(
    formula: Callable[..., Any], tree: Tree, inputs: tuple[Any, ...], frames: Sequence[int]
) -> Any:
    """Return the derivative of any formula in placements of frames, as `along_geometry` does."""
    refuse_series(tree, inputs)
    columns = []
    for frame in frames:
        for unit in np.eye(6).astype(object):
            moved = tree.with_frame_moved(frame, displacement_series(unit))
            columns.append(formula(moved, *inputs))
    return stacked_rates(columns, (len(frames), 6))
