"""Newton and Euler for one rigid body, in its own frame and in the world's, both ways.

A. Fakhari's two methods. In a frame fixed in the body (anywhere, not only at the center of mass)
with the twist V = (omega, v) and the wrench F = (moment, force) about the frame's origin:

    F = G Vd - ad_V^T G V,    Vd = G^-1 (F + ad_V^T G V)

Vd is the rate of V's components in the body frame. In the axes of the world, about the center of
mass, with I_s = R I_c R^T and R the body's orientation:

    moment = I_s domega + omega x I_s omega,    force = m p''

F and (moment, force) are the sum of everything that acts on the body, its weight
(`gravity_wrench`) included. Arguments may have leading batch axes. The equations on symbols, with
the lecture's names: `jounce.papers.rigid_body`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError
from jounce.model.inertia.parameters import about_com, numbers, rotation, spatial_inertia, split


def momentum(pi: ArrayLike, V: ArrayLike) -> np.ndarray:
    """Return the momentum G V of a body.

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters.
    V : array_like (..., 6)
        Twist (omega, v) in the body's frame.

    Returns
    -------
    ndarray (..., 6)
        Angular momentum about the frame's origin and linear momentum, in the body's frame.

    Examples
    --------
    >>> from jounce import inertia
    >>> ball = inertia.sphere(0.1, mass=5.0)
    >>> inertia.momentum(ball, [0, 0, 10, 1, 0, 0]).round(6).tolist()
    [0.0, 0.0, 0.2, 5.0, 0.0, 0.0]
    """
    return _times(spatial_inertia(pi), numbers(V, (6,), "V"))


def kinetic_energy(pi: ArrayLike, V: ArrayLike) -> np.ndarray:
    """Return the kinetic energy K = 1/2 V^T G V.

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters.
    V : array_like (..., 6)
        Twist (omega, v) in the body's frame.

    Returns
    -------
    ndarray (...)
        Kinetic energy in J.

    Examples
    --------
    >>> from jounce import inertia
    >>> round(float(inertia.kinetic_energy(inertia.sphere(0.1, mass=5.0), [0, 0, 10, 1, 0, 0])), 6)
    3.5
    """
    return 0.5 * np.sum(numbers(V, (6,), "V") * momentum(pi, V), axis=-1)


# ------------------------------------------------------------------ in a frame of the body


def body_wrench(pi: ArrayLike, V: ArrayLike, Vd: ArrayLike) -> np.ndarray:
    """Inverse dynamics in the body's frame: F = G Vd - ad_V^T G V.

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters.
    V : array_like (..., 6)
        Twist (omega, v) in the body's frame.
    Vd : array_like (..., 6)
        Time derivative of the components of V.

    Returns
    -------
    ndarray (..., 6)
        Total wrench (moment, force) on the body, weight included, in the body's frame.

    Examples
    --------
    >>> from jounce import inertia
    >>> stone = inertia.point_mass(2.0, at=(1.0, 0.0, 0.0))
    >>> V, Vd = [0, 0, 3, 0, 0, 0], [0] * 6  # turns about the origin at 3 rad/s
    >>> inertia.body_wrench(stone, V, Vd).tolist()  # centripetal force, -m r w^2
    [0.0, 0.0, 0.0, -18.0, 0.0, 0.0]
    """
    return momentum(pi, numbers(Vd, (6,), "Vd")) - _dual_bracket(V, momentum(pi, V))


def body_acceleration(pi: ArrayLike, V: ArrayLike, F: ArrayLike) -> np.ndarray:
    """Forward dynamics in the body's frame: Vd = G^-1 (F + ad_V^T G V).

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters, with a mass and a positive inertia about every axis.
    V : array_like (..., 6)
        Twist (omega, v) in the body's frame.
    F : array_like (..., 6)
        Total wrench (moment, force) on the body, weight included, in the body's frame.

    Returns
    -------
    ndarray (..., 6)
        Time derivative of the components of V.

    Raises
    ------
    ModelError
        If the spatial inertia is singular.

    Examples
    --------
    >>> from jounce import inertia
    >>> ball = inertia.sphere(0.1, mass=5.0)
    >>> inertia.body_acceleration(ball, [0] * 6, [0, 0, 0.2, 5, 0, 0]).round(6).tolist()
    [0.0, 0.0, 10.0, 1.0, 0.0, 0.0]
    """
    _require_solid(pi)
    right = numbers(F, (6,), "F") + _dual_bracket(V, momentum(pi, V))
    return _solve(spatial_inertia(pi), right)


def gravity_wrench(
    pi: ArrayLike, R: ArrayLike, gravity: ArrayLike = (0.0, 0.0, -9.81)
) -> np.ndarray:
    """Return the weight of a body as a wrench (h x R^T g, m R^T g) in its frame.

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters.
    R : array_like (..., 3, 3)
        Orientation of the body in the world.
    gravity : array_like (3,)
        Gravitational acceleration in m/s^2, in world axes.

    Returns
    -------
    ndarray (..., 6)
        Wrench (moment, force) in the body's frame.

    Examples
    --------
    >>> import numpy as np
    >>> from jounce import inertia
    >>> stone = inertia.point_mass(2.0, at=(0.5, 0.0, 0.0))
    >>> inertia.gravity_wrench(stone, np.eye(3), (0.0, 0.0, -10.0)).round(6).tolist()
    [-0.0, 10.0, 0.0, 0.0, 0.0, -20.0]
    """
    m, h, _ = split(pi)
    g = _times(np.swapaxes(rotation(R), -1, -2), numbers(gravity, (3,), "gravity"))
    moment, force = np.broadcast_arrays(np.cross(h, g), m[..., None] * g)
    return np.concatenate((moment, force), axis=-1)


# ------------------------------------------------------------------ in the world's axes


def world_wrench(
    pi: ArrayLike, R: ArrayLike, omega: ArrayLike, domega: ArrayLike, acceleration: ArrayLike
) -> np.ndarray:
    """Inverse dynamics in world axes, about the center of mass.

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters in the body's frame.
    R : array_like (..., 3, 3)
        Orientation of the body in the world.
    omega, domega : array_like (..., 3)
        Angular velocity and acceleration in world axes.
    acceleration : array_like (..., 3)
        Acceleration of the center of mass in world axes.

    Returns
    -------
    ndarray (..., 6)
        Moment about the center of mass and force, in world axes, weight included.

    Examples
    --------
    >>> import numpy as np
    >>> from jounce import inertia
    >>> ball = inertia.sphere(0.1, mass=5.0)
    >>> omega, domega, acceleration = [0, 0, 1], [0, 0, 10], [1, 0, 0]
    >>> inertia.world_wrench(ball, np.eye(3), omega, domega, acceleration).round(6).tolist()
    [0.0, 0.0, 0.2, 5.0, 0.0, 0.0]
    """
    mass, inertia = _in_world(pi, R)
    w = numbers(omega, (3,), "omega")
    moment = _times(inertia, numbers(domega, (3,), "domega")) + np.cross(w, _times(inertia, w))
    force = mass[..., None] * numbers(acceleration, (3,), "acceleration")
    return np.concatenate(np.broadcast_arrays(moment, force), axis=-1)


def world_acceleration(
    pi: ArrayLike, R: ArrayLike, omega: ArrayLike, wrench: ArrayLike
) -> np.ndarray:
    """Forward dynamics in world axes, about the center of mass.

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters in the body's frame, with a positive inertia about every axis.
    R : array_like (..., 3, 3)
        Orientation of the body in the world.
    omega : array_like (..., 3)
        Angular velocity in world axes.
    wrench : array_like (..., 6)
        Moment about the center of mass and force, in world axes, weight included.

    Returns
    -------
    ndarray (..., 6)
        Angular acceleration and acceleration of the center of mass, in world axes.

    Raises
    ------
    ModelError
        If the spatial inertia is singular.

    Examples
    --------
    >>> import numpy as np
    >>> from jounce import inertia
    >>> ball = inertia.sphere(0.1, mass=5.0)
    >>> wrench = [0, 0, 0.2, 5, 0, 0]
    >>> inertia.world_acceleration(ball, np.eye(3), [0, 0, 1], wrench).round(6).tolist()
    [0.0, 0.0, 10.0, 1.0, 0.0, 0.0]
    """
    _require_solid(pi)
    mass, inertia = _in_world(pi, R)
    w, F = numbers(omega, (3,), "omega"), numbers(wrench, (6,), "wrench")
    domega = _solve(inertia, F[..., :3] - np.cross(w, _times(inertia, w)))
    return np.concatenate(np.broadcast_arrays(domega, F[..., 3:] / mass[..., None]), axis=-1)


def _in_world(pi: ArrayLike, R: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Mass and I_s = R I_c R^T."""
    central, turn = about_com(pi), rotation(R)
    return central.mass, turn @ central.inertia @ np.swapaxes(turn, -1, -2)


def _dual_bracket(V: ArrayLike, F: np.ndarray) -> np.ndarray:
    """ad_V^T F."""
    twist = numbers(V, (6,), "V")
    w, v, moment, force = twist[..., :3], twist[..., 3:], F[..., :3], F[..., 3:]
    return np.concatenate((np.cross(moment, w) + np.cross(force, v), np.cross(force, w)), axis=-1)


def _times(A: np.ndarray, x: np.ndarray) -> np.ndarray:
    return (A @ x[..., None])[..., 0]


def _solve(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.linalg.solve(A, b[..., None])[..., 0]


def _require_solid(pi: ArrayLike) -> None:
    """Refuse a body that a wrench can turn without resistance, as far as rounding can tell."""
    parameters = np.real(numbers(pi, (10,), "pi"))
    moments = np.linalg.eigvalsh(about_com(parameters).inertia)
    rounding = 1e-14 * np.abs(parameters[..., 4:]).max(axis=-1)
    thin = moments[..., 0] <= np.maximum(1e-12 * moments[..., 2], rounding)
    if np.any(thin | (parameters[..., 0] <= 0.0)):
        raise ModelError(
            "pi: forward dynamics needs a mass and a positive inertia about every axis; found mass"
            f" {parameters[..., 0].tolist()} and principal moments {moments.tolist()}"
        )
