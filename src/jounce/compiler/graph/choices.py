"""Branch-free selection, and functions built on it, for `jounce.compiler.graph.ops`.

A selection is the sum of two values of which one is exactly zero, so the operand that is not
selected may be infinite or NaN. All functions take expressions, numbers and NumPy arrays.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def keep_if_positive(x: Any, c: Any) -> Any:
    """Return x where c > 0, else 0."""
    method = getattr(c, "keep", None)
    return np.where(c > 0, x, 0.0)[()] if method is None else method(x)


def drop_if_positive(x: Any, c: Any) -> Any:
    """Return 0 where c > 0, else x."""
    method = getattr(c, "drop", None)
    return np.where(c > 0, 0.0, x)[()] if method is None else method(x)


def where(c: Any, a: Any, b: Any) -> Any:
    """Return a where c > 0, else b."""
    return keep_if_positive(a, c) + drop_if_positive(b, c)


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
    """Return the angle of (x, y) by arithmetic alone, within two ulp.

    0 at the origin, pi for y = 0 > x, and NaN where both are infinite or one is NaN.
    """
    abs_x, abs_y = where(x, x, -x), where(y, y, -y)
    steep = abs_y - abs_x
    small, large = where(steep, abs_x, abs_y), where(steep, abs_y, abs_x)
    past_pi_8 = small - math.tan(math.pi / 8) * large  # nearer to pi / 4 than to 0
    # The last term makes the quotient 0 / 1 at the origin.
    u = where(past_pi_8, small - large, small) / (
        where(past_pi_8, small + large, large) + drop_if_positive(1.0, large)
    )
    z = u * u
    series = _ARCTANGENT[-1]
    for c in _ARCTANGENT[-2::-1]:
        series = c + z * series
    angle = keep_if_positive(math.pi / 4, past_pi_8) + (u + u * (z * series))
    angle = where(steep, math.pi / 2 - angle, angle)
    angle = where(-x, math.pi - angle, angle)
    return where(-y, -angle, angle)
