"""Choices between values, and what is made of them: for rows of `jounce.compiler.graph.ops`.

A choice is the sum of two values of which one is exactly zero, so that a quotient that is not taken
may be infinite or not a number. All functions take expressions, numbers and NumPy arrays.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def kept(x: Any, c: Any) -> Any:
    """x where c > 0, else 0."""
    own = getattr(c, "keep", None)
    return np.where(c > 0, x, 0.0)[()] if own is None else own(x)


def dropped(x: Any, c: Any) -> Any:
    """0 where c > 0, else x."""
    own = getattr(c, "drop", None)
    return np.where(c > 0, 0.0, x)[()] if own is None else own(x)


def where(c: Any, a: Any, b: Any) -> Any:
    """A where c > 0, else b."""
    return kept(a, c) + dropped(b, c)


#: atan u = u + u z A(z), z = u u, for |u| <= tan(pi / 8), within 5e-18.
_ARCTANGENT = (
    -0.3333333333333333,
    0.1999999999999552,
    -0.14285714284666542,
    0.11111111015256361,
    -0.09090904578123903,
    0.07692183190826087,
    -0.06664511447381948,
    0.0585814891280221,
    -0.0508544973794026,
    0.03923165829558719,
    -0.01917688711906226,
)


def arctangent(y: Any, x: Any) -> Any:
    """The angle of (x, y) in arithmetic alone, within two units in the last place.

    0 at the origin, pi for y = 0 > x, and NaN where both are infinite or one is NaN.
    """
    far, up = where(x, x, -x), where(y, y, -y)
    steep = up - far
    small, large = where(steep, far, up), where(steep, up, far)
    beyond = small - math.tan(math.pi / 8) * large  # nearer to pi / 4 than to 0
    # dropped: so that it is 0 / 1 at the origin
    u = where(beyond, small - large, small) / (
        where(beyond, small + large, large) + dropped(1.0, large)
    )
    z = u * u
    series = _ARCTANGENT[-1]
    for c in _ARCTANGENT[-2::-1]:
        series = c + z * series
    angle = kept(math.pi / 4, beyond) + (u + u * (z * series))
    angle = where(steep, math.pi / 2 - angle, angle)
    angle = where(-x, math.pi - angle, angle)
    return where(-y, -angle, angle)
