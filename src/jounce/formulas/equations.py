"""M, C and g of the equations of motion M a + C v + g = tau from one sweep, and their rates.

C is the Christoffel matrix. All three stand on the same composites (`coriolis.Sweep`): gravity acts
on a subtree's mass and first moment, so g needs no recursion of its own.

Rates are taken in an inertial frame, in which axes turn with their bodies, S' = Sd = ad_V S, and
which is where the common frame is now; hence poses need no derivatives. There the rate of a body's
inertia is an inertia again, without mass, with the linear momentum P as first moment and twice Es
as inertia, G' = B + B^T, and with the momenta GS of an axis, down = B S + G Sd and up = B^T S

    GS' = down + up        down' = B' S + (2 B + B^T) Sd + G Sdd        up' = B'^T S + B^T Sd

for the entries of M' and C'. B is linear in the parameters and in V: B' = B(G', V) + B(G, V').
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from jounce.formulas import wrt_time
from jounce.formulas.coriolis import (
    Configuration,
    Sweep,
    christoffel,
    mass_and_coriolis,
    rotors,
    sweep,
)
from jounce.formulas.dynamics import (
    Bias,
    bias_of,
    body_bias,
    composite_momentum,
    contract,
    expand,
    summed_bias,
)
from jounce.formulas.kinematics import collect, joint_rates
from jounce.math.scalar import Array, array, zeros
from jounce.math.spatial import Pose, bracket, cross, dot, inertia_matrix, stack
from jounce.model.tree import Tree


def equations_of_motion(tree: Tree, q: Configuration, v: Array) -> tuple[Array, Array, Array]:
    """M, the Christoffel C and g."""
    at = sweep(tree, q, v)
    M, C = mass_and_coriolis(tree, at, christoffel(tree, at))
    g = collect(tree, [n.S.T @ F for n, F in zip(tree.nodes, weights(tree, at), strict=True)])
    return M, C + rotors(tree, v), g


def weights(tree: Tree, at: Sweep) -> list[Array]:
    """What holds each subtree against gravity: its first moment and mass times an upward pull."""
    return [
        stack(cross(h, up), m * up)
        for (m, h, _), up in zip(at.G, upward(tree, at.poses), strict=True)
    ]


def upward(tree: Tree, poses: list[Pose]) -> list[Array]:
    """Minus the acceleration of gravity, in the frame of each node."""
    out: list[Array] = []
    for node, X in zip(tree.nodes, poses, strict=True):
        out.append(X.unrotate(-tree.gravity if node.parent < 0 else out[node.parent]))
    return out


# ------------------------------------------------------------------ rates


class Moving(NamedTuple):
    """Of each joint, for rates: Sdd, the rates of Sd, local and common, and B with its rate."""

    Sdd: list[list[Array]]
    Sdd_common: list[list[Array]]
    B: list[Bias]
    B_rate: list[Bias]
    Es: list[Array]
    LP: list[Array]


def _moving(tree: Tree, at: Sweep, v: Array, a: Array) -> Moving:
    A = _accelerations(tree, at, v, a)
    own = [body_bias(node, V) for node, V in zip(tree.nodes, at.V, strict=True)]
    rates = [
        _bias_rate(node.inertia, V, Ai, *bias)
        for node, V, Ai, bias in zip(tree.nodes, at.V, A, own, strict=True)
    ]
    Es, LP = summed_bias(tree, at.poses, own)
    Sdd = [
        [bracket(Ai, s) + bracket(Vi, sd) for s, sd in zip(S, Sd, strict=True)]
        for Ai, Vi, S, Sd in zip(A, at.V, at.S, at.Sd, strict=True)
    ]
    return Moving(
        Sdd,
        [at.to_common(i, X) for i, X in enumerate(Sdd)],
        [Bias.of(*bias) for bias in zip(Es, LP, strict=True)],
        [Bias.of(*bias) for bias in zip(*summed_bias(tree, at.poses, rates), strict=True)],
        Es,
        LP,
    )


def _accelerations(tree: Tree, at: Sweep, v: Array, a: Array) -> list[Array]:
    """Spatial acceleration of every node, the rate of its twist."""
    A: list[Array] = []
    steps = zip(joint_rates(tree, v), joint_rates(tree, a), strict=True)
    for node, X, V, (vi, ai) in zip(tree.nodes, at.poses, at.V, steps, strict=True):
        own = node.S @ ai + bracket(V, node.S @ vi)
        A.append(own if node.parent < 0 else X.motion_to_child(A[node.parent]) + own)
    return A


def _bias_rate(pi: Array, V: Array, A: Array, Es: Array, LP: Array) -> tuple[Array, Array]:
    """Rates of a body's Es and momentum: B(G, A) + B(G', V)."""
    faster = bias_of(pi[0], pi[1:4], inertia_matrix(pi), A)
    turned = bias_of(0.0, LP[3:], Es + Es, V)
    return faster[0] + turned[0], faster[1] + turned[1]


def equations_with_rates(
    tree: Tree, q: Configuration, v: Array, a: Array
) -> tuple[Array, Array, Array, Array, Array, Array]:
    """M, C, g and their time derivatives, in this order."""
    at = sweep(tree, q, v)
    moving = _moving(tree, at, v, a)
    M, C = mass_and_coriolis(tree, at, moving.B)
    C, C_rate = C + rotors(tree, v), _coriolis_rate(tree, at, moving) + rotors(tree, a)
    F = weights(tree, at)
    g, g_rate = [], []
    for i, (node, up) in enumerate(zip(tree.nodes, upward(tree, at.poses), strict=True)):
        turned = cross(moving.LP[i][3:], up)
        g.append(node.S.T @ F[i])
        g_rate.append(array(dot(sd, F[i]) for sd in at.Sd[i]) + node.S[:3].T @ turned)
    return M, C, collect(tree, g), C + C.T, C_rate, collect(tree, g_rate)


def rates(tree: Tree, order: int, given: Mapping[str, Array]) -> list[tuple[Array, Array, Array]]:
    """(M, C, g) and their time derivatives up to the order; given: q, v, a, ...

    From the second on by series, and of M none, since dM/dt = C + C^T.
    """
    q, *motion = given.values()
    if order == 0:
        return [equations_of_motion(tree, q, *motion)]
    if order == 1:
        M, C, g, *first = equations_with_rates(tree, q, *motion)
        return [(M, C, g), (first[0], first[1], first[2])]
    series = {"q": [q, *motion[:order]], "v": motion}
    levels = wrt_time.rates(equations_of_motion, tree, series, order)
    before = [C + C.T for _, C, _ in levels]
    return [levels[0], *((before[k], *levels[k + 1][1:]) for k in range(order))]


def _coriolis_rate(tree: Tree, at: Sweep, moving: Moving) -> Array:
    """dC/dt without the rotors, entry by entry as in `coriolis.mass_and_coriolis`."""
    rows, size = expand(tree)
    out = zeros(size, size)
    for j in range(len(tree.nodes)):
        B, B_rate, G = moving.B[j], moving.B_rate[j], at.G[j]
        for k, (s, sd, sdd) in enumerate(zip(at.S[j], at.Sd[j], moving.Sdd[j], strict=True)):
            here = rows[j].start + k
            up, (forth, turned) = B.transposed_times(s), _both(moving.Es[j], moving.LP[j], sd)
            down = B.times(s) + composite_momentum(G, sd)
            down_rate = B_rate.times(s) + forth + forth + turned + composite_momentum(G, sdd)
            for row, (axis, rate) in enumerate(zip(at.S[j], at.Sd[j], strict=True)):
                out[rows[j].start + row, here] = dot(rate, down) + dot(axis, down_rate)
            if not tree.ancestors[j]:
                continue
            up_rate, momentum = B_rate.transposed_times(s) + turned, composite_momentum(G, s)
            forces = at.forces_to_common(j, down, down_rate, up, up_rate, momentum)
            down, down_rate, up, up_rate, momentum = forces
            up_twice = up + up
            for i in tree.ancestors[j]:
                axes = zip(at.S_common[i], at.Sd_common[i], moving.Sdd_common[i], strict=True)
                for above, (axis, rate, second) in enumerate(axes, rows[i].start):
                    shared = dot(rate, down)
                    out[above, here] = shared + dot(axis, down_rate)
                    further = dot(rate, up_twice) + dot(axis, up_rate) + dot(second, momentum)
                    out[here, above] = shared + further
    return contract(tree, out)


def _both(Es: Array, LP: Array, X: Array) -> tuple[Array, Array]:
    """B X and B^T X, which share Es and L~ / 2."""
    even, odd = Es @ X[:3], 0.5 * cross(LP[:3], X[:3])
    forth = stack(even - odd, cross(X[:3], LP[3:]))
    return forth, stack(even + odd + cross(LP[3:], X[3:]), zeros(3))
