"""Tangent spaces of arguments and results that are not plain arrays: configurations, poses."""

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
    """The tangent space of an array on a manifold, such as a configuration or a pose.

    shape: shape of a tangent. doc: description of tangents of an argument; of: description of
    derivatives of a result. push(tree, x, tangent): rates of the entries for a tangent;
    tangent(tree, x, rates): its inverse, the tangent for rates of the entries.
    pull(tree, x, gradient): gradient along tangents from the gradient in the entries, the transpose
    of push; weights(tree, x, weights): the transpose of tangent.
    """

    shape: Shape
    doc: str
    of: str
    push: _Map
    pull: _Map
    tangent: _Map
    weights: _Map

    def along(self, tree: Tree, x: Array, derivatives: Array) -> Array:
        """Convert derivatives of the entries, axes last, to the tangent space at x."""
        axes = derivatives.shape[x.ndim :]
        columns = derivatives.reshape(*x.shape, -1)
        tangents = [self.tangent(tree, x, columns[..., k]) for k in range(columns.shape[-1])]
        stacked = np.stack(tangents, axis=-1)
        return stacked.reshape(*stacked.shape[:-1], *axes)


def of_poses(shape: Shape, doc: str, of: str = "", *, body: bool = True) -> Chart:
    """Return the chart of poses, with twists in body axes (`body`) or in reference axes."""
    return Chart(
        shape,
        doc,
        of,
        lambda tree, T, tangent: poses.rate(T, tangent, body=body),
        lambda tree, T, gradient: poses.gradient(T, gradient, body=body),
        lambda tree, T, rates: poses.twist(T, rates, body=body),
        lambda tree, T, weights: poses.weights(T, weights, body=body),
    )


#: Description of derivatives of poses; fields: frame of the axes, subject, name of the array.
TWIST = (
    "the body-fixed twist (rotation first, in the {0}'s axes) of {1} per unit of the"
    " variable, not the derivative of the {2}"
)

#: Configurations move along velocities, of the independent joints where there are loops.
CONFIGURATION = Chart(
    ("nv",),
    "a velocity",
    "the velocity of the configuration, in its tangent space, per unit of the variable, not the"
    " derivative of its coordinates",
    motions.configuration_rate,
    motions.configuration_gradient,
    motions.configuration_velocity,
    motions.configuration_weights,
)

#: Tangents of a pose are twists (6,).
POSE = of_poses((6,), "a twist", TWIST.format("frame", "the frame", "matrix"))
POSES = of_poses(("nb", 6), "twists", TWIST.format("body", "each body", "matrices"))

PLACEMENTS = of_poses(("nb", 6), "displacements as those of .dplacement")
SCREWS = of_poses(("nb", 6), "displacements as those of .dscrew", body=False)


def tangents_along(
    charts: Sequence[Chart | None], tree: Tree, results: Sequence[Any], derivatives: Sequence[Array]
) -> list[Array]:
    """Return derivatives of all results, each in its own tangent space."""
    return [
        x if chart is None else chart.along(tree, np.asarray(result, dtype=object), x)
        for chart, result, x in zip(charts, results, derivatives, strict=True)
    ]


def pull_weights(
    charts: Sequence[Chart | None], tree: Tree, results: Sequence[Array], lam: Sequence[Array]
) -> list[Array]:
    """Return weights of the rates of all entries from weights of the tangents."""
    return [
        x if chart is None else chart.weights(tree, result, x)
        for chart, result, x in zip(charts, results, lam, strict=True)
    ]
