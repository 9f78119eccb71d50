"""Directions of arguments and results that are no plain arrays: configurations and poses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.formulas import motions
from jounce.math import poses
from jounce.math.scalar import Array
from jounce.model.tree import Tree

Shape = tuple[int | str, ...]

_Map = Callable[[Tree, Array, Array], Array]


@dataclass(frozen=True)
class Chart:
    """The tangent space of something whose entries cannot change as they like.

    shape: of its tangents. doc: what they are, of an argument; of: what derivatives of a result
    are. push(tree, x, tangent): how its entries change; tangent(tree, x, rates): the tangent by
    which they do. pull(tree, x, gradient): the gradient along its tangents, from that in its
    entries; weights(tree, x, weights): those of rates of the entries that weigh its tangents so.
    pull is the transposed of push, weights that of tangent.
    """

    shape: Shape
    doc: str
    of: str
    push: _Map
    pull: _Map
    tangent: _Map
    weights: _Map

    def along(self, tree: Tree, x: Array, derivatives: Array) -> Array:
        """Derivatives of the entries, axes last, as derivatives in the tangent space at x."""
        axes = derivatives.shape[x.ndim :]
        columns = derivatives.reshape(*x.shape, -1)
        found = [self.tangent(tree, x, columns[..., k]) for k in range(columns.shape[-1])]
        stacked = np.stack(found, axis=-1)
        return stacked.reshape(*stacked.shape[:-1], *axes)


def of_poses(shape: Shape, doc: str, of: str = "", *, body: bool = True) -> Chart:
    """That of poses, moved by twists in their own axes (`body`) or in those they are given in."""
    return Chart(
        shape,
        doc,
        of,
        lambda tree, T, tangent: poses.rate(T, tangent, body=body),
        lambda tree, T, gradient: poses.gradient(T, gradient, body=body),
        lambda tree, T, rates: poses.twist(T, rates, body=body),
        lambda tree, T, weights: poses.weights(T, weights, body=body),
    )


#: What derivatives of poses are: in whose axes, of what, and what they are not.
TWIST = (
    "the body-fixed twist (rotation first, in the {0}'s axes) of {1} per unit of what it is"
    " differentiated by, not a derivative of the {2}"
)

#: Configurations move along velocities, of the independent joints where there are loops.
CONFIGURATION = Chart(
    ("nv",),
    "a velocity",
    "the velocity with which the configuration changes, in its own tangent space, per unit of what"
    " it is differentiated by, not a derivative of its coordinates",
    motions.configuration_rate,
    motions.configuration_gradient,
    motions.configuration_velocity,
    motions.configuration_weights,
)

#: A pose has six directions, not sixteen.
POSE = of_poses((6,), "a twist", TWIST.format("frame", "the frame", "matrix"))
POSES = of_poses(("nb", 6), "twists", TWIST.format("body", "each body", "matrices"))

PLACEMENTS = of_poses(("nb", 6), "displacements as those of .dplacement")
SCREWS = of_poses(("nb", 6), "displacements as those of .dscrew", body=False)


def along(
    charts: Sequence[Chart | None], tree: Tree, results: Sequence[Any], found: Sequence[Array]
) -> list[Array]:
    """Derivatives of all results, each in its own tangent space."""
    return [
        x if chart is None else chart.along(tree, np.asarray(result, dtype=object), x)
        for chart, result, x in zip(charts, results, found, strict=True)
    ]


def weighted(
    charts: Sequence[Chart | None], tree: Tree, results: Sequence[Array], lam: Sequence[Array]
) -> list[Array]:
    """Weights of the rates of all results' entries, from those of their tangents."""
    return [
        x if chart is None else chart.weights(tree, result, x)
        for chart, result, x in zip(charts, results, lam, strict=True)
    ]
