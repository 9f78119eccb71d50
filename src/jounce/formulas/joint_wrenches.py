"""The wrenches that joints transmit, F_i of the Newton-Euler recursion, and their derivatives.

They depend on every inertial parameter, so nothing here runs on `Tree.lumped`. psid and psidd are
those of `wrt_state`, G, B and F the inertia, bias and wrench of all that a joint moves.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jounce.formulas.cuts import World
from jounce.formulas.dynamics import (
    accelerations,
    body_forces,
    composite_momentum,
    transmitted,
)
from jounce.formulas.kinematics import base_twist, joint_poses, lifted_base, twists
from jounce.formulas.pairs import common_root
from jounce.formulas.wrt_inertia import user_poses, wrench_regressors
from jounce.formulas.wrt_state import parent_motion
from jounce.math.scalar import Array, zeros
from jounce.math.spatial import Pose, Rotation, adjoint, bracket, cross, dual_bracket, stack
from jounce.model.tree import Tree


def joint_wrenches(
    tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None
) -> Array:
    """F_i (nb, 6), what the joint of each body exerts on it: the sum of all it moves."""
    poses = joint_poses(tree, q)
    _, B, c = accelerations(tree, poses, v, a)
    F = transmitted(tree, poses, body_forces(tree, B, c, wrenches))
    bodies = zip(user_poses(tree), tree.node_of_body, strict=True)
    return np.stack([X.force_to_child(F[i]) for X, i in bodies])


class _Loaded:
    """A state of the tree in a common frame, as the derivatives of the joints' wrenches need it."""

    def __init__(
        self, tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None, root: int = -1
    ) -> None:
        self.tree, self.world = tree, World(tree, q, root)
        poses = self.world.poses
        self.V = twists(tree, poses, v)
        dw, field, c = accelerations(tree, poses, v, a)
        above = [parent_motion(tree, poses, self.V, dw, c, j) for j in range(len(poses))]
        Vp, Ap = (self.world.motions(list(x)) for x in zip(*above, strict=True))
        self.above = list(zip(Vp, Ap, strict=True))
        # the spatial acceleration is that of the origin less w x u
        A = [stack(x, y - cross(V[:3], V[3:])) for x, y, V in zip(dw, c, self.V, strict=True)]
        self.A_common, self.V_common = self.world.motions(A), self.world.motions(self.V)
        F = transmitted(tree, poses, body_forces(tree, field, c, wrenches))
        self.F = self.world.wrenches(F)
        self.B = self.world.bias(self.V)

    def push(self, i: int, x: Array, y: Array) -> Array:
        """G x + 2 B y with the composite body of i."""
        return composite_momentum(self.world.G[i], x) + 2.0 * self.B[i].times(y)

    def in_body(self, i: int, F: Array) -> Array:
        """A wrench of the common frame in the body frame of node i."""
        node, R, p = self.tree.nodes[i], self.world.R[i], self.world.p[i]
        return Pose([Rotation(R @ node.R_user)], p + R @ node.p_user).force_to_child(F)


#: What moves with a joint along its axis S: x and y of G x + 2 B y, from V_p, A_p and V.
_Driven = Callable[[Array, Array, Array, Array], tuple[Array, Array]]


def _along_joints(loaded: _Loaded, driven: _Driven, drags: bool) -> Array:
    """Derivative of the wrenches (nb, 6, nv) in the joints' positions or rates.

    G_i x_j + 2 B_i y_j for j on the way to i, and with those of j, less adstar_F S_j if the joint
    `drags` its wrench along, for i on the way to j.
    """
    tree, world = loaded.tree, loaded.world
    out = zeros(tree.nb, 6, tree.nv)
    for j, node in enumerate(tree.nodes):
        for k, S in enumerate(world.S[j]):
            x, y = driven(S, *loaded.above[j], loaded.V_common[j])
            at = node.v + k
            for i, other in enumerate(tree.nodes):
                if other.body < 0:
                    continue
                if i == j or j in tree.ancestors[i]:
                    F = loaded.push(i, x, y)
                elif i in tree.ancestors[j]:
                    F = loaded.push(j, x, y)
                    F = F - dual_bracket(S, loaded.F[j]) if drags else F
                else:
                    continue
                own = node.gain * loaded.in_body(i, F)
                out[other.body, :, at] = out[other.body, :, at] + own
    return out


def _by_position(S: Array, Vp: Array, Ap: Array, V: Array) -> tuple[Array, Array]:
    psid = bracket(Vp, S)
    return bracket(Ap, S) + bracket(Vp, psid), psid


def joint_wrenches_dq(
    tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None
) -> Array:
    """G psidd + 2 B psid, less adstar_F S for the joints before (nb, 6, nv)."""
    loaded = _Loaded(tree, q, v, a, wrenches, common_root(tree))
    return _along_joints(loaded, _by_position, drags=True)


def joint_wrenches_dv(tree: Tree, q: Array, v: Array) -> Array:
    """2 B S + G (psid + Sd) (nb, 6, nv)."""
    loaded = _Loaded(tree, q, v, zeros(tree.nv), None, common_root(tree))

    def driven(S: Array, Vp: Array, Ap: Array, V: Array) -> tuple[Array, Array]:
        return bracket(Vp, S) + bracket(V, S), S

    return _along_joints(loaded, driven, drags=False)


def joint_wrenches_da(tree: Tree, q: Array) -> Array:
    """G S (nb, 6, nv)."""
    still = zeros(tree.nv)
    loaded = _Loaded(tree, q, still, still, None, common_root(tree))
    return _along_joints(loaded, lambda S, Vp, Ap, V: (S, zeros(6)), drags=False)


def joint_wrenches_dgeometry(
    tree: Tree, q: Array, v: Array, a: Array, wrenches: Array | None = None, *, screw: bool
) -> Array:
    """R = dF/deta of Kwon's Algorithm 1 (nb, 6, nb, 6): the rules of dF/dq for a joint at rest."""
    loaded = _Loaded(tree, q, v, a, wrenches)
    out = zeros(tree.nb, 6, tree.nb, 6)
    ground = base_twist(tree), lifted_base(tree)
    for cut in loaded.world.cuts(screw):
        at = cut.inside[0] if cut.inside else -1
        Vc, Ac = ground if at < 0 else (loaded.V_common[at], loaded.A_common[at])
        for k, X in enumerate(adjoint(cut.R, cut.p).T):
            x, y = _by_position(X, Vc, Ac, Vc)
            for i, node in enumerate(tree.nodes):
                if node.body < 0:
                    continue
                if i == cut.node or cut.node in tree.ancestors[i]:
                    F = loaded.push(i, x, y)
                elif i in tree.ancestors[cut.node]:
                    F = loaded.push(cut.node, x, y) - dual_bracket(X, loaded.F[cut.node])
                else:
                    continue
                place = (node.body, slice(None), cut.body, k)
                out[place] = out[place] + cut.sign * loaded.in_body(i, F)
    return out


def joint_wrenches_dpi(tree: Tree, q: Array, v: Array, a: Array) -> Array:
    """Regressors (nb, 6, 10 nb): those of the bodies beyond, moved to each joint."""
    poses = joint_poses(tree, q)
    motion = accelerations(tree, poses, v, a)
    columns = wrench_regressors(tree, twists(tree, poses, v), *motion)
    frames = dict(zip(tree.node_of_body, user_poses(tree), strict=True))
    out = zeros(tree.nb, 6, 10 * tree.nb)
    for b, (i, A) in enumerate(zip(tree.node_of_body, columns, strict=True)):
        moved = [frames[i].force_to_parent(x) for x in A.T]
        for at in (i, *tree.ancestors[i]):
            if at in frames:
                own = [frames[at].force_to_child(x) for x in moved]
                out[tree.nodes[at].body, :, 10 * b : 10 * b + 10] = np.stack(own, axis=1)
            moved = [poses[at].force_to_parent(x) for x in moved]
    return out
