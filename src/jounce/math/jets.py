"""Truncated Taylor series as scalars: exact time derivatives of any order.

A `Jet` holds the coefficients x_k = x^(k) / k! of a function of time, each of any scalar type. A
formula evaluated on jets gives the jets of its result, hence all its time derivatives.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jounce.math import scalar
from jounce.math.scalar import Array, array, identity, is_zero, zeros
from jounce.math.spatial import skew


class Jet:
    """Taylor coefficients (c_0, ..., c_n) of a scalar function of time."""

    __slots__ = ("c",)

    def __init__(self, coefficients: Sequence[Any]) -> None:
        self.c = tuple(coefficients)

    @property
    def order(self) -> int:
        """Order of the highest coefficient."""
        return len(self.c) - 1

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Jet):
            return Jet([a + b for a, b in zip(self.c, other.c, strict=True)])
        if isinstance(other, np.ndarray):
            return NotImplemented
        return Jet((self.c[0] + other, *self.c[1:]))

    __radd__ = __add__

    def __neg__(self) -> Jet:
        return Jet([-a for a in self.c])

    def __pos__(self) -> Jet:
        return self

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Jet):
            c = [_convolve(self.c, other.c, k) for k in range(len(self.c))]
            return Jet(c)
        if isinstance(other, np.ndarray):
            return NotImplemented
        if is_zero(other):
            return 0.0
        return Jet([a * other for a in self.c])

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        if not isinstance(other, Jet):
            return Jet([a / other for a in self.c])
        out: list[Any] = []
        for k in range(len(self.c)):
            remainder = self.c[k]
            for j in range(k):
                remainder = remainder - out[j] * other.c[k - j]
            out.append(remainder / other.c[0])
        return Jet(out)

    def __rtruediv__(self, other: Any) -> Any:
        return Jet((other, *(0.0,) * self.order)) / self

    def __pow__(self, exponent: int) -> Any:
        out: Any = 1.0
        for _ in range(exponent):
            out = out * self
        return out

    def _sin_cos(self) -> tuple[Jet, Jet]:
        s, c = [scalar.sin(self.c[0])], [scalar.cos(self.c[0])]
        for k in range(1, len(self.c)):  # s' = c x', c' = -s x'
            ds: Any = 0.0
            dc: Any = 0.0
            for j in range(1, k + 1):
                ds = ds + j * self.c[j] * c[k - j]
                dc = dc - j * self.c[j] * s[k - j]
            s.append(ds / k)
            c.append(dc / k)
        return Jet(s), Jet(c)

    def sin(self) -> Jet:
        """Sine."""
        return self._sin_cos()[0]

    def cos(self) -> Jet:
        """Cosine."""
        return self._sin_cos()[1]

    def sqrt(self) -> Jet:
        """Square root."""
        out = [scalar.sqrt(self.c[0])]
        for k in range(1, len(self.c)):
            remainder = self.c[k]
            for j in range(1, k):
                remainder = remainder - out[j] * out[k - j]
            out.append(remainder / (2 * out[0]))
        return Jet(out)

    def sign(self) -> Any:
        """Sign of the leading coefficient; constant wherever it is differentiable."""
        return scalar.sign(self.c[0])

    def each(self, function: Callable[[Any], Any]) -> Jet:
        """Apply a linear function to every coefficient."""
        return Jet([function(a) for a in self.c])

    @staticmethod
    def angle(y: Any, x: Any) -> Jet:
        """Angle of the point (x, y), integrated from its rate (x y' - y x') / (x^2 + y^2)."""
        y, x = same_order(array((y, x)))
        first = scalar.atan2(y.c[0], x.c[0])
        if y.order == 0:
            return Jet((first,))
        dy, dx = (Jet([k * c for k, c in enumerate(z.c)][1:]) for z in (y, x))
        low_y, low_x = (Jet(z.c[:-1]) for z in (y, x))
        rate = (low_x * dy - low_y * dx) / (low_x * low_x + low_y * low_y)
        return integral(rate) + first

    def __repr__(self) -> str:
        return f"Jet{self.c!r}"


def _convolve(a: Sequence[Any], b: Sequence[Any], k: int) -> Any:
    total: Any = 0.0
    for j in range(k + 1):
        if not (is_zero(a[j]) or is_zero(b[k - j])):
            total = total + a[j] * b[k - j]
    return total


def integral(x: Any) -> Any:
    """Return the antiderivative of x that starts at zero, one order higher (0 for a zero)."""
    if not isinstance(x, Jet):
        if is_zero(x):
            return 0.0
        raise TypeError("expected a jet: a plain number has no order, so it cannot be integrated")
    return Jet((0.0, *(c / (k + 1) for k, c in enumerate(x.c))))


def same_order(values: Array) -> Array:
    """Replace the numbers in an array of jets and numbers by constant jets of the same order."""
    order = max(x.order for x in values if isinstance(x, Jet))
    out = values.copy()
    for i, x in enumerate(values):
        if not isinstance(x, Jet):
            out[i] = Jet((x, *(0.0,) * order))
    return out


def truncate(values: Array, order: int) -> Array:
    """Truncate jets to a lower order (numbers stay numbers)."""
    out = values.copy()
    for index in np.ndindex(*values.shape):
        x: Any = values[index]
        if isinstance(x, Jet):
            out[index] = Jet(x.c[: order + 1])
    return out


def rotation_series(w: Array) -> Array:
    """Return jets of the rotation matrix with dR/dt = R w~ and R(0) = 1; w has one order less."""
    order = w[0].order + 1
    rates = [skew(array(x.c[k] for x in w)) for k in range(order)]
    terms = [identity(3)]
    for k in range(order):
        total = zeros(3, 3)
        for j in range(k + 1):
            total = total + terms[j] @ rates[k - j]
        terms.append(total / (k + 1))
    out = zeros(3, 3)
    for index in np.ndindex(3, 3):
        out[index] = Jet([term[index] for term in terms])
    return out


def from_rates(rates: Sequence[Array]) -> Array:
    """Return jets of a quantity from its value and time derivatives (any shape)."""
    out = np.empty(rates[0].shape, dtype=object)
    for index in np.ndindex(*out.shape):
        out[index] = Jet([rate[index] / math.factorial(k) for k, rate in enumerate(rates)])
    return out


def rates_of(values: Any, order: int) -> list[Any]:
    """Return the value and time derivatives 1..order of a jet or an array of jets."""

    def rate(x: Any, k: int) -> Any:
        if isinstance(x, Jet):
            return x.c[k] * math.factorial(k)
        return x if k == 0 else 0.0

    if not isinstance(values, np.ndarray):
        return [rate(values, k) for k in range(order + 1)]
    out = []
    for k in range(order + 1):
        level = np.empty(values.shape, dtype=object)
        for index in np.ndindex(*values.shape):
            level[index] = rate(values[index], k)
        out.append(level)
    return out


def stacked_rates(columns: Sequence[Any], axes: tuple[int, ...]) -> Any:
    """Stack the first derivatives of results on jets, one per direction, along the last axes.

    axes: shape of the directions. Tuples of results are stacked one by one.
    """
    if isinstance(columns[0], tuple):
        return tuple(stacked_rates(parts, axes) for parts in zip(*columns, strict=True))
    rates = [np.asarray(rates_of(x, 1)[1], dtype=object) for x in columns]
    stacked = np.stack(rates, axis=-1)
    return stacked.reshape((*stacked.shape[:-1], *axes))


def coefficients(values: Array, order: int) -> list[Array]:
    """Return the Taylor coefficients 0..order of an array of jets and numbers (constants)."""
    out = [zeros(*values.shape) for _ in range(order + 1)]
    for index in np.ndindex(*values.shape):
        x: Any = values[index]
        known = x.c if isinstance(x, Jet) else (x,)
        for level, c in zip(out, known, strict=False):
            level[index] = c
    return out


def from_coefficients(levels: Sequence[Array]) -> Array:
    """Return jets with the given Taylor coefficients; structural zeros stay zero."""
    out = zeros(*levels[0].shape)
    for index in np.ndindex(*out.shape):
        c = [level[index] for level in levels]
        out[index] = 0.0 if all(is_zero(x) for x in c) else Jet(c)
    return out


def order_of(values: Array) -> int | None:
    """Return the highest order of the jets in an array, or None if it holds no jets."""
    return max((x.order for x in values.flat if isinstance(x, Jet)), default=None)
