"""Entries of matrices over pairs of joints: wrenches on a subtree times axes of its ancestors.

M_ij = s_i . F_j needs the axis of a joint i and the wrench on the subtree of a joint j in one
frame. There are two formulations: the wrench is transformed inwards from joint frame to joint
frame, where each axis is z and a product with it selects one entry; or axes and wrenches are
transformed to a common frame. The first is cheaper for typical robots with parallel or
perpendicular axes, the second for long chains in general position. Tracing selects the cheaper one
(`math.alternatives`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from jounce.formulas.kinematics import accumulate
from jounce.math.alternatives import choose
from jounce.math.scalar import Array
from jounce.math.spatial import (
    Pose,
    dot,
    dual_bracket,
    force_to_frame,
    motion_to_frame,
)
from jounce.model.tree import Tree

#: Twists of each velocity of each joint: its axis, then optionally the rates of the axis.
Axes = Sequence[Sequence[tuple[Array, ...]]]


def common_root(tree: Tree) -> int:
    """Return the node whose frame is the common frame: the only root, or -1 for the world.

    M and C do not depend on the pose of the root body, so its coordinates drop out in its frame.
    """
    roots = [i for i, node in enumerate(tree.nodes) if node.parent < 0]
    return roots[0] if len(roots) == 1 else -1


# ------------------------------------------------------------------ entries


class Pair(NamedTuple):
    """A velocity of a joint and one of an ancestor joint, in one frame.

    Attributes
    ----------
    axis : tuple of Array
        The ancestor's axis, and its rates in inertial space if present.
    forces : list of Array
        Wrenches on the joint's subtree: momentum, down, up (see `equations`).
    rates : list of Array
        Rates of down and up.
    fixed : bool
        True if rates are of components in a frame in which the axis is fixed, else inertial.
    """

    axis: tuple[Array, ...]
    forces: list[Array]
    rates: list[Array]
    fixed: bool

    def mass(self) -> Any:
        """Return M_ij = M_ji."""
        return dot(self.axis[0], self.forces[0])

    def coriolis(self) -> tuple[Any, Any]:
        """Return C_ij and C_ji."""
        (s, sd, *_), (momentum, down, up) = self.axis, self.forces
        return dot(s, down), dot(s, up) + dot(sd, momentum)

    def coriolis_rate(self) -> tuple[Any, Any]:
        """Return the rates of C_ij and C_ji; that of the momentum is down + up."""
        (s, sd, sdd), (momentum, down, up), (down_rate, up_rate) = self[:3]
        above, below = dot(s, down_rate), dot(s, up_rate) + dot(sdd, momentum)
        if self.fixed:
            return above, below + dot(sd, down + up)
        turned = dot(sd, down)
        return above + turned, below + turned + dot(sd, up + up)


# ------------------------------------------------------------------ formulations


#: Formulations: whether wrenches are transformed from joint frame to joint frame.
_FRAMES = {"joint frames": True, "common frame": False}


class JointPairs:
    """Pairs of wrenches on subtrees of joints and axes of their ancestors.

    Parameters
    ----------
    tree : Tree
    poses : list of Pose
        Pose of each node in its parent.
    axes : Axes
        Twists of the joints' velocities in the nodes' frames.
    moves : sequence of Array
        Twist of each node relative to its parent, in the node's frame; needed for rates.
    """

    def __init__(
        self,
        tree: Tree,
        poses: list[Pose],
        axes: Axes,
        moves: Sequence[Array] = (),
    ) -> None:
        self._tree, self._poses, self._axes, self._moves = tree, poses, axes, moves
        self.in_joint_frames = choose("pairs of joints", _FRAMES)
        if not self.in_joint_frames:
            self._R, self._p = accumulate(tree, poses, common_root(tree))
            self._axes = [
                [
                    tuple(motion_to_frame(self._R[i], self._p[i], X) for X in axis)
                    for axis in node_axes
                ]
                for i, node_axes in enumerate(axes)
            ]

    def along(
        self, j: int, first: Pose, forces: list[Array], rates: Sequence[Array] = ()
    ) -> Iterator[tuple[int, list[Pair]]]:
        """Yield each ancestor of node j with a pair for each of its velocities.

        Parameters
        ----------
        j : int
        first : Pose
            Pose in the frame of j's parent of the frame in which the wrenches are given.
        forces : list of Array
            Wrenches on the subtree of j.
        rates : sequence of Array
            Rates of the last of these wrenches: in joint frames, of components in a frame fixed in
            the parent; in the common frame, in inertial space.
        """
        ancestors, rates = self._tree.ancestors[j], list(rates)
        if self.in_joint_frames:
            X = first
            for i in ancestors:
                forces = [X.force_to_parent(F) for F in forces]
                rates = [X.force_to_parent(F) for F in rates]
                yield i, [Pair(s, forces, rates, True) for s in self._axes[i]]
                X = self._poses[i]
                if rates:
                    convective = [dual_bracket(self._moves[i], F) for F in forces[-len(rates) :]]
                    rates = [
                        rate - correction
                        for rate, correction in zip(rates, convective, strict=True)
                    ]
        elif ancestors:
            R, p = self._R[ancestors[0]], self._p[ancestors[0]]
            p = p + R @ first.r
            for factor in first.factors:
                R = R @ factor.R
            forces = [force_to_frame(R, p, F) for F in forces]
            rates = [force_to_frame(R, p, F) for F in rates]
            for i in ancestors:
                yield i, [Pair(s, forces, rates, False) for s in self._axes[i]]
