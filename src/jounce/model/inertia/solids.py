"""Homogeneous solids, centered at the origin, along the axes: ten parameters each.

Give either the mass (kg) or the density (kg/m^3). Lengths in m. A solid elsewhere or askew:
`jounce.inertia.transform`. Arguments may have leading batch axes. The formulas of box, cylinder and
ellipsoid are those of A. Fakhari's lecture.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError
from jounce.model.inertia.parameters import join, numbers


def box(
    size: ArrayLike, *, mass: ArrayLike | None = None, density: ArrayLike | None = None
) -> np.ndarray:
    """Return the parameters of a box: I = m/12 diag(y^2 + z^2, x^2 + z^2, x^2 + y^2).

    Parameters
    ----------
    size : array_like (..., 3)
        Edge lengths along x, y, z in m.
    mass, density : array_like (...), optional
        Mass in kg or density in kg/m^3; exactly one of them.

    Returns
    -------
    ndarray (..., 10)
        Inertial parameters about the center.

    Examples
    --------
    >>> from jounce import inertia
    >>> inertia.box((0.1, 0.2, 0.3), mass=12.0).round(6).tolist()
    [12.0, 0.0, 0.0, 0.0, 0.13, 0.1, 0.05, 0.0, 0.0, 0.0]
    """
    edges = _lengths(size, (3,), "size")
    m = _mass(mass, density, np.prod(edges, axis=-1))
    return _about_center(m, m[..., None] / 12.0 * edges * edges)


def cylinder(
    radius: ArrayLike,
    length: ArrayLike,
    *,
    mass: ArrayLike | None = None,
    density: ArrayLike | None = None,
) -> np.ndarray:
    """Return the parameters of a cylinder along z: I = m/12 diag(3 r^2 + l^2, 3 r^2 + l^2, 6 r^2).

    Parameters
    ----------
    radius, length : array_like (...)
        Radius and length in m.
    mass, density : array_like (...), optional
        Mass in kg or density in kg/m^3; exactly one of them.

    Returns
    -------
    ndarray (..., 10)
        Inertial parameters about the center.

    Examples
    --------
    >>> from jounce import inertia
    >>> round(float(inertia.cylinder(0.05, 0.4, density=7800.0)[0]), 3)  # kg
    24.504
    """
    r, l = _lengths(radius, (), "radius"), _lengths(length, (), "length")
    m = _mass(mass, density, np.pi * r * r * l)
    return _about_center(m, _stack(m * r * r / 4.0, m * r * r / 4.0, m * l * l / 12.0))


def ellipsoid(
    semi_axes: ArrayLike, *, mass: ArrayLike | None = None, density: ArrayLike | None = None
) -> np.ndarray:
    """Return the parameters of an ellipsoid: I = m/5 diag(b^2 + c^2, a^2 + c^2, a^2 + b^2).

    Parameters
    ----------
    semi_axes : array_like (..., 3)
        Semi-axes a, b, c along x, y, z in m.
    mass, density : array_like (...), optional
        Mass in kg or density in kg/m^3; exactly one of them.

    Returns
    -------
    ndarray (..., 10)
        Inertial parameters about the center.

    Examples
    --------
    >>> from jounce import inertia
    >>> inertia.ellipsoid((0.1, 0.2, 0.3), mass=5.0)[4:7].round(6).tolist()
    [0.13, 0.1, 0.05]
    """
    axes = _lengths(semi_axes, (3,), "semi_axes")
    m = _mass(mass, density, 4.0 / 3.0 * np.pi * np.prod(axes, axis=-1))
    return _about_center(m, m[..., None] / 5.0 * axes * axes)


def sphere(
    radius: ArrayLike, *, mass: ArrayLike | None = None, density: ArrayLike | None = None
) -> np.ndarray:
    """Return the parameters of a ball: I = 2/5 m r^2 1.

    Parameters
    ----------
    radius : array_like (...)
        Radius in m.
    mass, density : array_like (...), optional
        Mass in kg or density in kg/m^3; exactly one of them.

    Returns
    -------
    ndarray (..., 10)
        Inertial parameters about the center.

    Examples
    --------
    >>> from jounce import inertia
    >>> inertia.sphere(0.1, mass=5.0)[4:7].round(6).tolist()
    [0.02, 0.02, 0.02]
    """
    r = _lengths(radius, (), "radius")
    return ellipsoid(_stack(r, r, r), mass=mass, density=density)


def capsule(
    radius: ArrayLike,
    length: ArrayLike,
    *,
    mass: ArrayLike | None = None,
    density: ArrayLike | None = None,
) -> np.ndarray:
    """Return the parameters of a capsule: a cylinder along z with half balls on its ends.

    Parameters
    ----------
    radius : array_like (...)
        Radius in m, positive.
    length : array_like (...)
        Length of the cylinder alone, in m.
    mass, density : array_like (...), optional
        Mass in kg or density in kg/m^3; exactly one of them.

    Returns
    -------
    ndarray (..., 10)
        Inertial parameters about the center.

    Notes
    -----
    A half ball has its center of mass 3/8 r from its base, and about the base's center the second
    moments m r^2 / 5 of a complete ball.

    Examples
    --------
    >>> from jounce import inertia
    >>> inertia.capsule(0.1, 0.3, mass=2.0).shape
    (10,)
    """
    r, l = _lengths(radius, (), "radius"), _lengths(length, (), "length")
    tube, balls = np.pi * r * r * l, 4.0 / 3.0 * np.pi * r * r * r
    m = _mass(mass, density, tube + balls)
    if np.any(np.real(tube + balls) == 0.0):
        raise ModelError("radius: a capsule must have a positive radius, found 0")
    m_tube, m_balls = m * tube / (tube + balls), m * balls / (tube + balls)
    across = m_tube * r * r / 4.0 + m_balls * r * r / 5.0
    # (l/2)^2 + 2 (l/2) (3/8 r) + r^2 / 5 from the middle
    along = m_tube * l * l / 12.0 + m_balls * (l * l / 4.0 + 3.0 / 8.0 * l * r + r * r / 5.0)
    return _about_center(m, _stack(across, across, along))


def point_mass(mass: ArrayLike, at: ArrayLike = (0.0, 0.0, 0.0)) -> np.ndarray:
    """Return the parameters of a point mass: I = m (p.p 1 - p p^T).

    Parameters
    ----------
    mass : array_like (...)
        Mass in kg.
    at : array_like (..., 3)
        Position p in m.

    Returns
    -------
    ndarray (..., 10)
        Inertial parameters about the origin.

    Examples
    --------
    >>> from jounce import inertia
    >>> inertia.point_mass(2.0, at=(0.0, 0.0, 0.5)).tolist()
    [2.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0]
    """
    m, p = _positive(numbers(mass, (), "mass"), "mass"), numbers(at, (3,), "at")
    outer = p[..., :, None] * p[..., None, :]
    second = np.sum(p * p, axis=-1)[..., None, None] * np.eye(3) - outer
    return join(m, m[..., None] * p, m[..., None, None] * second)


def _about_center(m: np.ndarray, second: np.ndarray) -> np.ndarray:
    """pi of a body with the second moments (..., 3) of mass along the axes, centered."""
    moments = np.sum(second, axis=-1, keepdims=True) - second
    return join(m, np.zeros(3), moments[..., None] * np.eye(3))


def _stack(*values: np.ndarray) -> np.ndarray:
    return np.stack(np.broadcast_arrays(*values), axis=-1)


def _mass(mass: ArrayLike | None, density: ArrayLike | None, volume: np.ndarray) -> np.ndarray:
    """Mass from either argument; broadcast with the volume."""
    if (mass is None) == (density is None):
        count = "neither" if mass is None else "both"
        raise ModelError(f"expected either mass (kg) or density (kg/m^3), found {count}")
    if mass is not None:
        m = _positive(numbers(mass, (), "mass"), "mass")
        return np.broadcast_to(m, np.broadcast_shapes(m.shape, volume.shape))
    assert density is not None
    if np.any(np.real(volume) == 0.0):
        raise ModelError("density: a solid without volume needs a mass instead")
    return _positive(numbers(density, (), "density"), "density") * volume


def _lengths(value: ArrayLike, core: tuple[int, ...], what: str) -> np.ndarray:
    return _positive(numbers(value, core, what), what)


def _positive(value: np.ndarray, what: str) -> np.ndarray:
    if np.any(np.real(value) < 0.0):
        raise ModelError(f"{what}: expected >= 0, found {value.tolist()}")
    return value
