"""Tangents and gradients of poses (..., 4, 4): twists (..., 6), rotation first.

The rate of a pose T is T xi^ for a twist xi in its own axes (`body`), and xi^ T for a twist in the
axes of its reference frame. Any scalar type; the last rows of the matrices are constant.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jounce.math.scalar import Array, array, zeros
from jounce.math.spatial import cross, skew, stack

#: Axes k, i, j in cyclic order.
_CYCLES = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


def rate(T: Array, twist: Array, *, body: bool) -> Array:
    """Return the rates of the entries of T for a twist."""

    def apply_one(T: Array, xi: Array) -> Array:
        R, p, w = T[:3, :3], T[:3, 3], xi[:3]
        out = zeros(4, 4)
        out[:3, :3] = R @ skew(w) if body else skew(w) @ R
        out[:3, 3] = R @ xi[3:] if body else cross(w, p) + xi[3:]
        return out

    return _each(apply_one, T, twist)


def gradient(T: Array, entries: Array, *, body: bool) -> Array:
    """Return the gradient along twists from that in the entries of T: the transpose of `rate`."""

    def apply_one(T: Array, G: Array) -> Array:
        R, p = T[:3, :3], T[:3, 3]
        force = R.T @ G[:3, 3] if body else G[:3, 3]
        A = R.T @ G[:3, :3] if body else G[:3, :3] @ R.T
        moment = array(A[j, i] - A[i, j] for _, i, j in _CYCLES)
        return stack(moment if body else moment + cross(p, G[:3, 3]), force)

    return _each(apply_one, T, entries)


def twist(T: Array, rates: Array, *, body: bool) -> Array:
    """Return the twist of a pose from the rates of its entries."""

    def apply_one(T: Array, D: Array) -> Array:
        R, p = T[:3, :3], T[:3, 3]
        if body:
            return stack(array(R[:, j] @ D[:3, i] for _, i, j in _CYCLES), R.T @ D[:3, 3])
        w = array(D[j, :3] @ R[i] for _, i, j in _CYCLES)
        return stack(w, D[:3, 3] - cross(w, p))

    return _each(apply_one, T, rates)


def weights(T: Array, of_twist: Array, *, body: bool) -> Array:
    """Return weights of the rates of entries from those of the twist: the transpose of `twist`."""

    def apply_one(T: Array, lam: Array) -> Array:
        R, p = T[:3, :3], T[:3, 3]
        out = zeros(4, 4)
        moment = lam[:3] if body else lam[:3] - cross(p, lam[3:])
        for k, i, j in _CYCLES:
            if body:
                out[:3, i] = moment[k] * R[:, j]
            else:
                out[j, :3] = moment[k] * R[i]
        out[:3, 3] = R @ lam[3:] if body else lam[3:]
        return out

    return _each(apply_one, T, of_twist)


def _each(function: Callable[[Array, Array], Array], T: Array, y: Array) -> Array:
    """Apply a function of a pose and an array to every pose of a batch."""
    batch = T.shape[:-2]
    results = [function(T[index], y[index]) for index in np.ndindex(*batch)]
    return np.stack(results).reshape(*batch, *results[0].shape)
