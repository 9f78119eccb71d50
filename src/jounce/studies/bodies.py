"""Uncertain bodies that could exist: factors of pseudo-inertias, multiplied by random ones.

The pseudo-inertia of a body (`jounce.inertia.pseudo_inertia`), with the mass first, is J = L L^T,

    L = [[sqrt(m), 0], [sqrt(m) c, F]],    F F^T = S, the second moments about the centre of mass,

F along the principal axes. A draw is J' = L T T^T L^T with a lower triangular T whose diagonal is
an exponential: no draw has a negative mass, or moments that break the triangle inequality. Plates
stay plates and point masses points, as F may be singular. With T = [[e^a, 0], [b, E]] it is

    m' = m e^{2a},    c' = c + F b / (sqrt(m) e^a),    S' = F E E^T F^T,

so b is in radii of gyration. For an amount s the standard deviations are s/2 of a and of the
logarithms on the diagonal of E, s of b, and s/sqrt(2) below the diagonal, with which E E^T is to
first order distributed alike along all axes: that of m'/m is s, that of each second moment s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.model import inertia
from jounce.studies.libraries import module_of

#: Standard deviations of a, b and the entries of E (three of the diagonal, then 21, 31, 32) for an
#: amount of one.
SCALES = np.array((0.5, *(1.0,) * 3, *(0.5,) * 3, *(np.sqrt(0.5),) * 3))

#: Entries of symmetric matrices, in the order in which sums of products of E come.
_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass(frozen=True)
class Bodies:
    """Bodies (n) that vary: their numbers at nominal, and what makes pi (10,) of a draw.

    gyration (n, 3, 3): F / sqrt(m), zero for massless ones. moments (n, 6, 6): takes E E^T, as six
    numbers, to second moments. rest (n, 10): what rounding, or a body that could not exist, leaves
    of pi, so that the nominal draw is the robot itself.
    """

    mass: np.ndarray
    com: np.ndarray
    gyration: np.ndarray
    moments: np.ndarray
    rest: np.ndarray

    @classmethod
    def of(cls, parameters: np.ndarray) -> Bodies:
        """Those with parameters (n, 10)."""
        mass, com, about = inertia.about_com(parameters)
        half = 0.5 * np.trace(about, axis1=-2, axis2=-1)
        second, axes = np.linalg.eigh(half[..., None, None] * np.eye(3) - about)
        F = axes * np.sqrt(np.maximum(second, 0.0))[..., None, :]
        massless = mass <= 0.0
        root = np.sqrt(np.where(massless, 1.0, mass))[..., None, None]
        gyration = np.where(massless[..., None, None], 0.0, F / root)
        found = cls(mass, com, gyration, _congruence(F), np.zeros_like(parameters))
        rest = parameters - found.parameters(np.zeros((14, 1, len(parameters))))[0]
        return cls(mass, com, gyration, found.moments, rest)

    def parameters(self, x: Any) -> Any:
        """pi (s, n, 10) of draws x (14, s, n): a, b, E, the logarithm of the density, and metres.

        a, b, E as in `SCALES`; the last three move the centre of mass.
        """
        xp = module_of(x)
        parts = (self.mass, self.com, self.gyration, self.moments, self.rest)
        nominal, centre, gyration, moments, rest = (xp.asarray(part) for part in parts)
        density, inverse = xp.exp(x[10]), xp.exp(-x[0])
        scale = density * xp.exp(2.0 * x[0])
        mass = nominal * scale
        square = _square(x[4:10])
        com = [centre[:, i] + x[11 + i] for i in range(3)]
        for i in range(3):
            com[i] += inverse * _combined(gyration[:, i], x[1:4])
        second = []
        for k, (i, j) in enumerate(_PAIRS):
            own = density * _combined(moments[:, k], square)
            second.append(own + mass * com[i] * com[j])
        trace = second[0] + second[1] + second[2]
        out = xp.empty((*x.shape[1:], 10))
        first = [mass * c for c in com]
        entries = (mass, *first, *(trace - S for S in second[:3]), *(-S for S in second[3:]))
        for k, entry in enumerate(entries):
            out[..., k] = entry + scale * rest[:, k]
        return out


def _combined(weights: Any, x: Any) -> Any:
    """Sums (s, n) of x (k, s, n) with weights (n, k)."""
    total = weights[:, 0] * x[0]
    for k in range(1, len(x)):
        total += weights[:, k] * x[k]
    return total


def _square(e: Any) -> Any:
    """E E^T as six numbers (`_PAIRS`), of logarithms on the diagonal of E and what is below."""
    xp = module_of(e)
    d0, d1, d2 = (xp.exp(e[k]) for k in range(3))
    e10, e20, e21 = (e[k] for k in range(3, 6))
    out = xp.empty(e.shape)
    out[0] = d0 * d0
    out[1] = e10 * e10 + d1 * d1
    out[2] = e20 * e20 + e21 * e21 + d2 * d2
    out[3] = d0 * e10
    out[4] = d0 * e20
    out[5] = e10 * e20 + d1 * e21
    return out


def _congruence(F: np.ndarray) -> np.ndarray:
    """The matrices (n, 6, 6) that take G to F G F^T, both as six numbers (`_PAIRS`)."""
    out = np.empty((len(F), 6, 6))
    for k, (i, j) in enumerate(_PAIRS):
        for l, (p, r) in enumerate(_PAIRS):
            both = F[:, i, p] * F[:, j, r]
            out[:, k, l] = both if p == r else both + F[:, i, r] * F[:, j, p]
    return out


# ------------------------------------------------------------------ displacements


def displacements(twists: Any, start: np.ndarray, turns: bool = True) -> Any:
    """Poses start exp(twist) (s, n, 4, 4) of twists (s, n, 6), rotation first; start (n, 4, 4).

    turns: whether any twist has a rotation.
    """
    xp = module_of(twists)
    w, u = ([twists[..., k] for k in part] for part in (range(3), range(3, 6)))
    out = xp.zeros((*twists.shape[:-1], 4, 4))
    out[..., 3, 3] = 1.0
    T = xp.asarray(start)
    R: Any = [[float(i == j) for j in range(3)] for i in range(3)]
    if turns:
        first, second, third = _coefficients(_dot(w, w), xp)
        across = _cross(w, u)
        again = _cross(w, across)
        u = [u[k] + second * across[k] + third * again[k] for k in range(3)]
        R = _rotation(w, first, second)
    for i in range(3):
        row = [T[:, i, k] for k in range(3)]
        for j in range(3):
            out[..., i, j] = _dot(row, [R[k][j] for k in range(3)])
        out[..., i, 3] = _dot(row, u) + T[:, i, 3]
    return out


def _dot(a: Any, b: Any) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Any, b: Any) -> list[Any]:
    return [a[i] * b[j] - a[j] * b[i] for i, j in ((1, 2), (2, 0), (0, 1))]


def _rotation(w: Any, first: Any, second: Any) -> list[list[Any]]:
    """Entries of 1 + first w~ + second w~ w~."""
    x, y, z = w
    sine = [first * part for part in w]
    xy, xz, yz = second * x * y, second * x * z, second * y * z
    xx, yy, zz = (second * part * part for part in w)
    return [
        [1.0 - yy - zz, xy - sine[2], xz + sine[1]],
        [xy + sine[2], 1.0 - xx - zz, yz - sine[0]],
        [xz - sine[1], yz + sine[0], 1.0 - xx - yy],
    ]


def _coefficients(x: Any, xp: Any) -> tuple[Any, Any, Any]:
    """sin(t)/t, (1 - cos t)/t^2 and (t - sin t)/t^3 for x = t^2; series below one radian."""
    t = xp.sqrt(x)
    first = xp.sinc(t / np.pi)
    second = 0.5 * xp.sinc(t / (2.0 * np.pi)) ** 2
    series = 0.0 * x
    for n in range(9, -1, -1):  # 1/3! - x/5! + x^2/7! - ...
        series = (1.0 - x * series) / ((2 * n + 2) * (2 * n + 3))
    return first, second, xp.where(x < 1.0, series, (1.0 - first) / xp.maximum(x, 1.0))
