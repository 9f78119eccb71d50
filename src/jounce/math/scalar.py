"""Elementary functions and array helpers for any scalar type.

Formulas hold their numbers in NumPy object arrays, so one formula runs on Python floats, complex
numbers (complex step), mpmath, SymPy, Taylor series (`jounce.math.jets`) and the tracing scalar
(`jounce.graph.expr`). This is the only file that knows how each type spells a sine. A scalar type
of our own brings its spelling along as a method (`x.sin()`).
"""

from __future__ import annotations

import cmath
import math
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

Scalar = Any
Array = np.ndarray

_LIBRARIES = ("mpmath", "sympy")


def _call(name: str, x: Scalar) -> Scalar:
    method = getattr(x, name, None)
    if method is not None:
        return method()
    if isinstance(x, (int, float)):
        return getattr(math, name)(x)
    if isinstance(x, complex):
        return getattr(cmath, name)(x)
    library = type(x).__module__.partition(".")[0]
    if library in _LIBRARIES:
        return getattr(sys.modules[library], name)(x)
    if isinstance(x, np.generic):
        return getattr(np, name)(x)
    raise TypeError(f"no {name}() for scalars of type {type(x).__name__}")


def sin(x: Scalar) -> Scalar:
    """Sine of one scalar of any supported type."""
    return _call("sin", x)


def cos(x: Scalar) -> Scalar:
    """Cosine of one scalar of any supported type."""
    return _call("cos", x)


def sqrt(x: Scalar) -> Scalar:
    """Square root of one scalar of any supported type."""
    return _call("sqrt", x)


def sign(x: Scalar) -> Scalar:
    """-1, 0 or 1 with the sign of x (for complex numbers: of the real part)."""
    if isinstance(x, complex):
        x = x.real
    if isinstance(x, (int, float)):
        return x if math.isnan(x) else float((x > 0) - (x < 0))
    return _call("sign", x)


def array(entries: Iterable[Any]) -> Array:
    """One-dimensional object array of the given scalars."""
    entries = list(entries)
    out = np.empty(len(entries), dtype=object)
    out[:] = entries
    return out


def matrix(rows: Iterable[Iterable[Any]]) -> Array:
    """Two-dimensional object array of the given rows."""
    return np.stack([array(row) for row in rows])


def zeros(*shape: int) -> Array:
    """Object array of float zeros: the one way formulas make an empty result."""
    return np.full(shape, 0.0, dtype=object)


def identity(n: int) -> Array:
    """Object identity matrix."""
    out = zeros(n, n)
    out[np.diag_indices(n)] = 1.0
    return out


def is_zero(x: Scalar) -> bool:
    """Whether x is structurally zero: a number equal to 0, not a symbol that may become 0."""
    return isinstance(x, (int, float)) and x == 0
