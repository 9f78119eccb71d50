"""Tangents and gradients of poses (..., 4, 4): twists (..., 6), rotation first.

A pose T moves by T xi^ for a twist xi in its own axes (`body`), by xi^ T for one in the axes that
it is given in. Any scalar type; the last rows of the matrices do not move.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jounce.math.scalar import Array, array, zeros
from jounce.math.spatial import cross, skew, stack

#: Axes k, i, j in cyclic order.
_CYCLES = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


def rate(T: Array, twist: Array, *, body: bool) -> Array:
    """How the entries of T change for a twist."""

    def one(T: Array, xi: Array) -> Array:
        R, p, w = T[:3, :3], T[:3, 3], xi[:3]
        out = zeros(4, 4)
        out[:3, :3] = R @ skew(w) if body else skew(w) @ R
        out[:3, 3] = R @ xi[3:] if body else cross(w, p) + xi[3:]
        return out

    return _each(one, T, twist)


def gradient(T: Array, entries: Array, *, body: bool) -> Array:
    """The gradient along twists, from that in the entries of T: the transposed of `rate`."""

    def one(T: Array, G: Array) -> Array:
        R, p = T[:3, :3], T[:3, 3]
        force = R.T @ G[:3, 3] if body else G[:3, 3]
        A = R.T @ G[:3, :3] if body else G[:3, :3] @ R.T
        moment = array(A[j, i] - A[i, j] for _, i, j in _CYCLES)
        return stack(moment if body else moment + cross(p, G[:3, 3]), force)

    return _each(one, T, entries)


def twist(T: Array, rates: Array, *, body: bool) -> Array:
    """The twist of a pose whose entries change so."""

    def one(T: Array, D: Array) -> Array:
        R, p = T[:3, :3], T[:3, 3]
        if body:
            return stack(array(R[:, j] @ D[:3, i] for _, i, j in _CYCLES), R.T @ D[:3, 3])
        w = array(D[j, :3] @ R[i] for _, i, j in _CYCLES)
        return stack(w, D[:3, 3] - cross(w, p))

    return _each(one, T, rates)


def weights(T: Array, of_twist: Array, *, body: bool) -> Array:
    """Weights of the entries' rates that give the weighted `twist`: the transposed of it."""

    def one(T: Array, lam: Array) -> Array:
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

    return _each(one, T, of_twist)


def _each(function: Callable[[Array, Array], Array], T: Array, y: Array) -> Array:
    """A function of a pose and what goes with it, on all of them."""
    batch = T.shape[:-2]
    found = [function(T[at], y[at]) for at in np.ndindex(*batch)]
    return np.stack(found).reshape(*batch, *found[0].shape)
