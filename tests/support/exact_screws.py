"""Exponentials and Jacobians of rotations and rigid displacements to fifty digits, as power series.

Nothing here knows an angle, a quotient or a case: what is compared with it has all of these.
Matrices are NumPy's, of mpmath's numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath
import numpy as np

#: Lengths of steps: far below where squares underflow, at the seams of series, up to nearly pi.
LENGTHS = (
    *(1e-300, 1e-200, 1e-160, 1e-154, 1e-100, 1e-17, 1e-10, 1e-8, 1e-5, 1e-3, 0.05, 0.38, 0.4),
    *(0.999999, 1.0, 1.000001, 2.0, 3.0, np.pi - 1e-3),
)

_CONTEXT: Any = mpmath.mp.clone()
_CONTEXT.dps = 50
_precise = np.vectorize(lambda x: _CONTEXT.mpf(float(x)), otypes=[object])


def precise(x: Any) -> np.ndarray:
    """The same numbers, to fifty digits."""
    return _precise(np.asarray(x, dtype=float))


def twists(seed: int = 0) -> Iterator[np.ndarray]:
    """Twists with rotations of all lengths, and translations as long as these, or of length 1."""
    rng = np.random.default_rng(seed)
    for k, length in enumerate(LENGTHS):
        w, u = (x / np.linalg.norm(x) for x in rng.normal(size=(2, 3)))
        yield np.concatenate((length * w, (length if k % 2 else 1.0) * u))


def ad(x: np.ndarray) -> np.ndarray:
    """Matrix of the bracket with a rotation vector (3,) or a twist (6,)."""
    numbers = precise(x)
    out = precise(np.zeros((len(x), len(x))))
    out[:3, :3] = _skew(numbers[:3])
    if len(x) == 6:
        out[3:, 3:], out[3:, :3] = out[:3, :3], _skew(numbers[3:])
    return out


def _skew(w: np.ndarray) -> np.ndarray:
    zero = _CONTEXT.zero
    rows = ((zero, -w[2], w[1]), (w[2], zero, -w[0]), (-w[1], w[0], zero))
    return np.array(rows, dtype=object)


def _series(A: np.ndarray, shift: int) -> np.ndarray:
    """Sum of A^n / (n + shift)!, until nothing is added that fifty digits show."""
    total = term = precise(np.eye(len(A)))
    n = 0
    while n == 0 or max(abs(x) for x in term.flat) > 1e-50:
        n += 1
        term = term @ A / (n + shift)
        total = total + term
    return total


def left_jacobian(x: np.ndarray) -> np.ndarray:
    """Of a rotation vector or a twist."""
    return _series(ad(x), 1)


def inverse(A: np.ndarray) -> np.ndarray:
    """Of a matrix."""
    found = _CONTEXT.matrix(A.tolist()) ** -1
    return np.array(found.tolist(), dtype=object).reshape(A.shape)


def Ad_exp(x: np.ndarray) -> np.ndarray:
    """Adjoint of the exponential of a rotation vector (so its rotation matrix) or a twist."""
    return _series(ad(x), 0)


def translation(x: np.ndarray) -> np.ndarray:
    """Of the exponential of a twist."""
    return left_jacobian(x[:3]) @ precise(x[3:])


def quaternion(w: np.ndarray) -> np.ndarray:
    """The unit quaternion of a rotation vector."""
    numbers = precise(w)
    half = _CONTEXT.sqrt(numbers @ numbers) / 2
    return np.array((_CONTEXT.cos(half), *(_CONTEXT.sin(half) / (2 * half) * numbers)))


def error(found: Any, exact: np.ndarray) -> float:
    """The largest error of the entries, relative to the largest of them; none of zeros."""
    gap = max(abs(x) for x in (precise(found) - exact).flat)
    return float(gap / max(abs(x) for x in exact.flat)) if gap else 0.0


def block_error(found: np.ndarray, exact: np.ndarray) -> float:
    """The largest `error` of the blocks (3, 3) of a matrix."""
    places = [(slice(i, i + 3), slice(j, j + 3)) for i in (0, 3) for j in (0, 3)]
    return max(error(found[at], exact[at]) for at in places if exact[at].size)
