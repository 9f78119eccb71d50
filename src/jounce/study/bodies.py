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

from jounce import inertia

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

    def parameters(self, x: np.ndarray) -> np.ndarray:
        """pi (s, n, 10) of draws x (14, s, n): a, b, E, the logarithm of the density, and metres.

        a, b, E as in `SCALES`; the last three move the centre of mass.
        """
        density, inverse = np.exp(x[10]), np.exp(-x[0])
        mass = self.mass * density * np.exp(2.0 * x[0])
        square = _square(x[4:10])
        com = [self.com[:, i] + x[11 + i] for i in range(3)]
        for i in range(3):
            com[i] += inverse * _combined(self.gyration[:, i], x[1:4])
        second = []
        for k, (i, j) in enumerate(_PAIRS):
            own = density * _combined(self.moments[:, k], square)
            second.append(own + mass * com[i] * com[j])
        trace = second[0] + second[1] + second[2]
        out = np.empty((*x.shape[1:], 10))
        first = [mass * c for c in com]
        entries = (mass, *first, *(trace - S for S in second[:3]), *(-S for S in second[3:]))
        for k, entry in enumerate(entries):
            np.add(entry, self.rest[:, k], out=out[..., k])
        return out


def _combined(weights: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Sums (s, n) of x (k, s, n) with weights (n, k)."""
    total = weights[:, 0] * x[0]
    for k in range(1, len(x)):
        total += weights[:, k] * x[k]
    return total


def _square(e: np.ndarray) -> np.ndarray:
    """E E^T as six numbers (`_PAIRS`), of logarithms on the diagonal of E and what is below."""
    d0, d1, d2 = np.exp(e[:3])
    e10, e20, e21 = e[3:]
    out = np.empty(e.shape)
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


def displacements(twists: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Poses start exp(twist) (s, n, 4, 4) of twists (s, n, 6), rotation first; start (n, 4, 4)."""
    turn, u = twists[..., :3], twists[..., 3:]
    out = np.empty((*twists.shape[:-1], 4, 4))
    out[..., 3, :] = (0.0, 0.0, 0.0, 1.0)
    R0, p0 = start[:, :3, :3], start[:, :3, 3]
    if not turn.any():
        out[..., :3, :3] = R0
        out[..., :3, 3] = p0 + np.einsum("nij,snj->sni", R0, u)
        return out
    first, second, third = _coefficients(np.einsum("sni,sni->sn", turn, turn)[..., None])
    across = np.cross(turn, u)
    moved = u + second * across + third * np.cross(turn, across)
    R = _rotations(turn, first, second)
    out[..., :3, :3] = np.matmul(R0, R)
    out[..., :3, 3] = p0 + np.einsum("nij,snj->sni", R0, moved)
    return out


def _rotations(w: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """1 + first w~ + second w~ w~."""
    R = second[..., None] * (w[..., :, None] * w[..., None, :])
    diagonal = 1.0 - second * np.sum(w * w, axis=-1, keepdims=True)
    R[..., (0, 1, 2), (0, 1, 2)] += diagonal
    sine = first * w
    R[..., (2, 0, 1), (1, 2, 0)] += sine
    R[..., (1, 2, 0), (2, 0, 1)] -= sine
    return R


def _coefficients(x: Any) -> tuple[Any, Any, Any]:
    """sin(t)/t, (1 - cos t)/t^2 and (t - sin t)/t^3 for x = t^2; series below one radian."""
    t = np.sqrt(x)
    first = np.sinc(t / np.pi)
    second = 0.5 * np.sinc(t / (2.0 * np.pi)) ** 2
    series = np.full_like(x, 0.0)
    for n in range(9, -1, -1):  # 1/3! - x/5! + x^2/7! - ...
        series = (1.0 - x * series) / ((2 * n + 2) * (2 * n + 3))
    return first, second, np.where(x < 1.0, series, (1.0 - first) / np.maximum(x, 1.0))
