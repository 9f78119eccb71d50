"""Elementary functions and array helpers for any scalar type.

Formulas hold their numbers in NumPy object arrays, so one formula runs on Python floats, complex
numbers (complex step), mpmath, SymPy, Taylor series (`jounce.math.jets`) and the tracing scalar
(`jounce.compiler.graph.expr`). This is the only file that knows how each type spells a sine. A
scalar type of our own brings its spelling along as a method (`x.sin()`).
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


def kept(x: Scalar, c: Scalar) -> Scalar:
    """x where c > 0, else 0; as an operation it is exact even where x is not a number."""
    return _chosen("keep", x, c)


def dropped(x: Scalar, c: Scalar) -> Scalar:
    """0 where c > 0, else x."""
    return _chosen("drop", x, c)


def where(c: Scalar, a: Scalar, b: Scalar) -> Scalar:
    """A where c > 0, else b (so b if c is NaN); what is not taken may be anything."""
    return kept(a, c) + dropped(b, c)


def _chosen(name: str, x: Scalar, c: Scalar) -> Scalar:
    c = _real(c)
    if hasattr(x, "each"):  # a series, every coefficient of it
        return x.each(lambda part: _chosen(name, part, c))
    own = getattr(c, name, None)
    if own is not None:
        return 0.0 if is_zero(x) else own(x)
    if type(c).__module__.startswith("sympy"):
        cases = (x, 0) if name == "keep" else (0, x)
        return sys.modules["sympy"].Piecewise((cases[0], c > 0), (cases[1], True))
    return x if bool(c > 0) == (name == "keep") else 0.0


def _real(x: Scalar) -> Scalar:
    """What choices go by: the value of a series, the real part of a complex number."""
    while hasattr(x, "each"):
        x = x.c[0]
    return x.real if isinstance(x, complex) else x


def minimum(a: Scalar, b: Scalar) -> Scalar:
    """The smaller of two."""
    return _extreme("minimum", a, b)


def maximum(a: Scalar, b: Scalar) -> Scalar:
    """The larger of two."""
    return _extreme("maximum", a, b)


def _extreme(name: str, a: Scalar, b: Scalar) -> Scalar:
    if not any(isinstance(x, complex) or hasattr(x, "each") for x in (a, b)):
        for x in (a, b):
            if hasattr(x, name):
                return getattr(x, name)(b if x is a else a)
    more = _real(a) - _real(b)
    return where(more if name == "maximum" else -more, a, b)


def atan2(y: Scalar, x: Scalar) -> Scalar:
    """The angle of the point (x, y), in (-pi, pi]; 0 at the origin."""
    if any(isinstance(z, complex) for z in (y, x)):  # exact to first order in the imaginary parts
        y, x = complex(y), complex(x)
        slope = (x.real * y.imag - y.real * x.imag) / (x.real**2 + y.real**2)
        return complex(math.atan2(y.real, x.real), slope)
    for z in (y, x):
        if hasattr(z, "angle"):  # of our own types, either of which may be a plain number
            angle = z.angle(y, x)
            if angle is not NotImplemented:
                return angle
    for z in (y, x):
        library = type(z).__module__.partition(".")[0]
        if library in _LIBRARIES:
            return sys.modules[library].atan2(y, x)
    return math.atan2(y, x)


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


def is_symbol(x: Scalar) -> bool:
    """Whether x is an expression of SymPy, on which nothing rounds."""
    return getattr(x, "symbolic", False) or type(x).__module__.partition(".")[0] == "sympy"
