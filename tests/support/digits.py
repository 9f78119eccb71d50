"""Trees and arrays on mpmath's numbers, for tests to many digits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import mpmath
import numpy as np

from jounce.math.scalar import sqrt
from jounce.math.spatial import cross, dot
from jounce.model.tree import Tree


def digits(x: Any) -> Any:
    """A number or an array of them as mpmath's."""
    return np.vectorize(mpmath.mpf, otypes=[object])(x) if np.ndim(x) else mpmath.mpf(x)


def with_digits(tree: Tree) -> Tree:
    """The same tree with its constants as mpmath numbers, rotations orthogonal to all digits.

    Floats alone would not do: their sums would be rounded to floats.
    """
    names = ("p0", "S", "pitch", "gain", "offset", "armature", "inertia")
    nodes = [
        replace(n, R0=_rotation(n.R0), **{x: digits(getattr(n, x)) for x in names})
        for n in tree.nodes
    ]
    return replace(tree, nodes=tuple(nodes), gravity=digits(tree.gravity))


def _rotation(R: np.ndarray) -> np.ndarray:
    x, y, _ = digits(R).T
    x = x / sqrt(dot(x, x))
    y = y - dot(x, y) * x
    y = y / sqrt(dot(y, y))
    return np.stack((x, y, cross(x, y)), axis=1)
