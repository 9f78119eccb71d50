"""Log-Cholesky coordinates of inertial parameters, for arrays of any library.

`jounce.inertia.log_cholesky` defines them and computes those of a body.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def from_log_cholesky(theta: Sequence[Any], exp: Callable[[Any], Any]) -> list[Any]:
    """Return the ten parameters of a physically consistent body, from any ten numbers or arrays.

    The product J = U U^T in components, with J = [[S, h], [h^T, m]] and I = tr(S) 1 - S.
    """
    alpha, d1, d2, d3, s12, s23, s13, t1, t2, t3 = theta
    e1, e2, e3, scale = exp(d1), exp(d2), exp(d3), exp(2.0 * alpha)
    S11 = e1 * e1 + s12 * s12 + s13 * s13 + t1 * t1
    S22 = e2 * e2 + s23 * s23 + t2 * t2
    S33 = e3 * e3 + t3 * t3
    S12 = s12 * e2 + s13 * s23 + t1 * t2
    S13 = s13 * e3 + t1 * t3
    S23 = s23 * e3 + t2 * t3
    entries = (t1, t2, t3, S22 + S33, S11 + S33, S11 + S22, -S12, -S13, -S23)
    return [scale, *(scale * x for x in entries)]
