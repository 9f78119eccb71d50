"""Uncertain bodies and displaced joints, for arrays of NumPy or CuPy.

The pseudo-inertia of a body with the mass first is the 4x4 matrix J, the integral of
(1, x)(1, x)^T over its mass. It is factored as J = L L^T with

    L = [[sqrt(m), 0], [sqrt(m) c, F]],    F F^T = S, the second moments about the center of mass,

F along the principal axes. A sample is J' = L T T^T L^T with a lower triangular T whose diagonal is
an exponential, so that no sample has a negative mass or moments that break the triangle inequality.
Plates stay plates and point masses stay points, since F may be singular. T = [[e^a, 0], [b, E]]
gives

    m' = m e^{2a},    c' = c + F b / (sqrt(m) e^a),    S' = F E E^T F^T,

so b is in radii of gyration. For an amount s the standard deviations are s/2 of a and of the
logarithms on the diagonal of E, s of b, and s/sqrt(2) below the diagonal of E. To first order E E^T
then has the same distribution in all axes, and m'/m and each second moment have the relative
standard deviation s. The parameters are linear in the ten entries of T T^T.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.model import inertia
from jounce.studies.devices import namespace

#: Standard deviations of a, b and the entries of E (the diagonal, then 21, 31, 32) for an amount of
#: one.
SCALES = np.array((0.5, *(1.0,) * 3, *(0.5,) * 3, *(np.sqrt(0.5),) * 3))

#: Entries of symmetric 4x4 matrices, and of symmetric 3x3 ones below the diagonal.
_ENTRIES = [(i, j) for i in range(4) for j in range(i + 1)]
_OFF_DIAGONAL = ((0, 1), (0, 2), (1, 2))


@dataclass(frozen=True, eq=False)
class Bodies:
    """Nominal bodies (n), and how a sample changes their inertial parameters."""

    #: Parameters are T T^T (10,) times these (n, 10, 10).
    matrix: np.ndarray

    #: Whether a body has mass (n,).
    massive: np.ndarray

    @classmethod
    def of(cls, parameters: np.ndarray) -> Bodies:
        """Return the bodies with parameters (n, 10)."""
        mass, com, about = inertia.about_com(parameters)
        half = 0.5 * np.trace(about, axis1=-2, axis2=-1)
        second, axes = np.linalg.eigh(half[:, None, None] * np.eye(3) - about)
        L = np.zeros((len(parameters), 4, 4))
        L[:, 0, 0] = np.sqrt(np.maximum(mass, 0.0))
        L[:, 1:, 0] = L[:, :1, 0] * com
        L[:, 1:, 1:] = axes * np.sqrt(np.maximum(second, 0.0))[:, None, :]
        matrix = np.empty((len(parameters), 10, 10))
        for k, (i, j) in enumerate(_ENTRIES):
            unit = np.zeros((4, 4))
            unit[i, j] = unit[j, i] = 1.0
            matrix[:, k] = _from_pseudo_inertia(L @ unit @ L.swapaxes(1, 2))
        # difference to L L^T, by round-off or because a body is not physically consistent
        diagonal = [k for k, (i, j) in enumerate(_ENTRIES) if i == j]
        matrix[:, 0] += parameters - matrix[:, diagonal].sum(axis=1)
        return cls(matrix, mass > 0.0)

    def parameters(self, x: Any) -> Any:
        """Return parameters (s, n, 10) of samples x (14, s, n).

        x: a, b and E in the order of `SCALES`, the logarithm of the density, and a displacement of
        the center of mass in m.
        """
        xp = namespace(x)
        b, below = x[1:4] * xp.asarray(self.massive), x[7:10]
        T = [[x[0]], [b[0], x[4]], [b[1], below[0], x[5]], [b[2], below[1], below[2], x[6]]]
        for row in T:
            row[-1] = xp.exp(row[-1])
        entries = [sum(T[i][k] * T[j][k] for k in range(j + 1)) for i, j in _ENTRIES]
        M = xp.stack(entries, axis=-1) * xp.exp(x[10])[..., None]
        out = xp.empty((*x.shape[1:], 10))
        out.swapaxes(0, 1)[...] = M.swapaxes(0, 1) @ xp.asarray(self.matrix)
        _move_mass(out, x[11:])
        return out


def _from_pseudo_inertia(J: np.ndarray) -> np.ndarray:
    """Return parameters (n, 10) of matrices (n, 4, 4) with the mass first."""
    moments = J[:, 1:, 1:]
    trace = np.trace(moments, axis1=1, axis2=2)
    inertias = [trace - moments[:, i, i] for i in range(3)]
    products = [-moments[:, i, j] for i, j in _OFF_DIAGONAL]
    return np.stack((*J[:, 0].T, *inertias, *products), axis=1)


def _move_mass(parameters: Any, d: Any) -> None:
    """Move bodies with parameters (s, n, 10) by d (3, s, n), in place."""
    if not d.any():
        return
    m, h = parameters[..., 0], [parameters[..., 1 + i].copy() for i in range(3)]
    for i in range(3):
        moment = (2.0 * h[i] + m * d[i]) * d[i]
        parameters[..., 1 + i] += m * d[i]
        for j in range(3):
            if i != j:
                parameters[..., 4 + j] += moment
    for k, (i, j) in enumerate(_OFF_DIAGONAL):
        parameters[..., 7 + k] -= h[i] * d[j] + h[j] * d[i] + m * d[i] * d[j]


def displace(twists: Any, start: np.ndarray) -> Any:
    """Return the poses start exp(twist) (s, n, 4, 4) of twists (s, n, 6), rotation first.

    start: poses (n, 4, 4). The exponential of a twist (w, u) with the angle t = |w| has the
    rotation 1 + sin t / t w~ + (1 - cos t) / t^2 w~ w~, and moves the origin to
    u + (1 - cos t) / t^2 w~ u + (t - sin t) / t^3 w~ w~ u.
    """
    xp = namespace(twists)
    w, u = twists[..., :3], twists[..., 3:]
    square = (w * w).sum(axis=-1)[..., None]
    t = xp.sqrt(square)
    first, second = xp.sinc(t / np.pi), 0.5 * xp.sinc(t / (2.0 * np.pi)) ** 2
    # round-off in the numerator is harmless: w~ w~ is as small as the denominator
    third = (1.0 - first) / xp.where(square > 0.0, square, 1.0)
    across = xp.cross(w, u)
    T = xp.zeros((*w.shape[:-1], 4, 4))
    T[..., :3, :3] = (second * w)[..., :, None] * w[..., None, :]
    T[..., :3, 3] = u + second * across + third * xp.cross(w, across)
    T[..., 3, 3] = 1.0
    turn = first * w
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        T[..., i, i] += (1.0 - second * square)[..., 0]
        T[..., i, j] -= turn[..., k]
        T[..., j, i] += turn[..., k]
    return xp.asarray(start) @ T
