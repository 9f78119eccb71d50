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
    """The tangent spaces of arrays on a manifold, such as configurations or poses.

    Functions are called with the tree and the array x at which the tangent space is.
    """

    #: Shape of a tangent.
    shape: Shape
    #: Description of tangents, for an argument.
    doc: str
    #: Description of derivatives, for a result.
    result_doc: str
    #: push(tree, x, tangent): rates of the entries of x for a tangent.
    push: _Map
    #: pull(tree, x, gradient): gradient along tangents from the gradient in the entries of x; the
    #: transpose of `push`.
    pull: _Map
    #: to_tangent(tree, x, rates): tangent for rates of the entries of x; the inverse of `push`.
    to_tangent: _Map
    #: pull_weights(tree, x, weights): weights of the entries from weights of a tangent; the
    #: transpose of `to_tangent`.
    pull_weights: _Map

    def convert_derivatives(self, tree: Tree, x: Array, derivatives: Array) -> Array:
        """Convert derivatives of the entries, axes last, to the tangent space at x."""
        axes = derivatives.shape[x.ndim :]
        columns = derivatives.reshape(*x.shape, -1)
        tangents = [self.to_tangent(tree, x, columns[..., k]) for k in range(columns.shape[-1])]
        stacked = np.stack(tangents, axis=-1)
        return stacked.reshape(*stacked.shape[:-1], *axes)


def make_pose_chart(shape: Shape, doc: str, result_doc: str = "", *, body: bool = True) -> Chart:
    """Return a chart of poses whose tangents are twists, in body axes or in reference axes."""
    return Chart(
        shape,
        doc,
        result_doc,
        lambda tree, T, tangent: poses.rate(T, tangent, body=body),
        lambda tree, T, gradient: poses.gradient(T, gradient, body=body),
        lambda tree, T, rates: poses.twist(T, rates, body=body),
        lambda tree, T, weights: poses.weights(T, weights, body=body),
    )


#: Format of descriptions of derivatives of poses: frame of the axes, subject, name of the array.
TWIST_DOC = (
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
POSE = make_pose_chart((6,), "a twist", TWIST_DOC.format("frame", "the frame", "matrix"))
POSES = make_pose_chart(("nb", 6), "twists", TWIST_DOC.format("body", "each body", "matrices"))

PLACEMENTS = make_pose_chart(("nb", 6), "displacements as those of .dplacement")
SCREWS = make_pose_chart(("nb", 6), "displacements as those of .dscrew", body=False)


def convert_derivatives(
    charts: Sequence[Chart | None], tree: Tree, results: Sequence[Any], derivatives: Sequence[Array]
) -> list[Array]:
    """Convert derivatives of the entries of results to tangents, for results with a chart."""
    return [
        x if chart is None else chart.convert_derivatives(tree, np.asarray(result, dtype=object), x)
        for chart, result, x in zip(charts, results, derivatives, strict=True)
    ]


def pull_weights(
    charts: Sequence[Chart | None], tree: Tree, results: Sequence[Array], lam: Sequence[Array]
) -> list[Array]:
    """Convert weights of tangents of results to weights of the rates of their entries."""
    return [
        x if chart is None else chart.pull_weights(tree, result, x)
        for chart, result, x in zip(charts, results, lam, strict=True)
    ]
