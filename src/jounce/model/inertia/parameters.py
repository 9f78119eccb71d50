"""Ten inertial parameters: meaning, changes of frame, sums, and other coordinates.

pi (..., 10) = (m, h, Ixx, Iyy, Izz, Ixy, Ixz, Iyz) with h = m c and I about the frame's origin.
Poses T_ab (..., 4, 4) are those of the frame the parameters are given in, seen from the frame they
are wanted in. Everything here is polynomial in its arguments, so complex steps pass through, except
where a docstring says otherwise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError, ModelWarning, warn
from jounce.math.lie import check_last_row, nearest_rotation
from jounce.math.spatial import INERTIA_ENTRIES

#: What the ten are called, in their order.
PARAMETERS = ("m", "hx", "hy", "hz", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")

_ROWS, _COLUMNS = (np.array(indices) for indices in zip(*INERTIA_ENTRIES, strict=True))


class Central(NamedTuple):
    """A body about its center of mass: mass (...), com (..., 3), inertia (..., 3, 3)."""

    mass: np.ndarray
    com: np.ndarray
    inertia: np.ndarray


class Principal(NamedTuple):
    """Principal moments (..., 3), rising, about the center of mass, and axes (..., 3, 3).

    The columns of `axes` are the principal axes in the body's frame, a right-handed set:
    I = axes diag(moments) axes^T.
    """

    moments: np.ndarray
    axes: np.ndarray


def numbers(value: ArrayLike, core: tuple[int, ...], what: str) -> np.ndarray:
    """Return finite real or complex numbers of shape (..., *core); errors name `what`."""
    try:
        out = np.asarray(value)
        out = out if np.iscomplexobj(out) else out.astype(float)
    except (TypeError, ValueError):
        raise ModelError(f"{what}: expected numbers, found {value!r}") from None
    if out.ndim < len(core) or out.shape[out.ndim - len(core) :] != core:
        shape = "(" + ", ".join(("...", *map(str, core))) + ")"
        raise ModelError(f"{what}: expected shape {shape}, found {out.shape}")
    if not np.isfinite(out).all():
        raise ModelError(f"{what}: expected finite numbers, found {out.tolist()}")
    return out


def rotation(R: ArrayLike, what: str = "R") -> np.ndarray:
    """Return rotation matrices (..., 3, 3), orthonormalized; errors name `what`."""
    out = numbers(R, (3, 3), what)
    nearest, note = nearest_rotation(np.real(out), what)
    if note:
        warn(f"{what}: {note}", ModelWarning)
    return nearest + 1j * np.imag(out) if np.iscomplexobj(out) else nearest


def split(pi: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return mass, first moment and inertia about the origin.

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters.

    Returns
    -------
    tuple of ndarray
        m (...) in kg, h = m c (..., 3) in kg m, I (..., 3, 3) in kg m^2.
    """
    parameters = numbers(pi, (10,), "pi")
    inertia = np.empty((*parameters.shape[:-1], 3, 3), dtype=parameters.dtype)
    inertia[..., _ROWS, _COLUMNS] = inertia[..., _COLUMNS, _ROWS] = parameters[..., 4:]
    return parameters[..., 0], parameters[..., 1:4], inertia


def join(mass: np.ndarray, h: np.ndarray, inertia: np.ndarray) -> np.ndarray:
    """Return parameters (..., 10) from mass, first moment and inertia; the inverse of `split`."""
    entries = inertia[..., _ROWS, _COLUMNS]
    batch = np.broadcast_shapes(mass.shape, h.shape[:-1], entries.shape[:-1])
    parts = (mass[..., None], h, entries)
    return np.concatenate([np.broadcast_to(x, (*batch, x.shape[-1])) for x in parts], axis=-1)


def _steiner(mass: np.ndarray, h: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Increment of the inertia when the origin moves by -p (parallel axis theorem).

    2 (p.y) 1 - p y^T - y p^T with y = h + m p/2; for h = 0 this is m (p.p 1 - p p^T).
    """
    y = h + 0.5 * mass[..., None] * p
    outer = p[..., :, None] * y[..., None, :]
    inner = 2.0 * np.sum(p * y, axis=-1)[..., None, None]
    return inner * np.eye(3) - outer - np.swapaxes(outer, -1, -2)


# ------------------------------------------------------------------ mass, center, inertia


def from_com(mass: ArrayLike, com: ArrayLike, inertia: ArrayLike) -> np.ndarray:
    """Return parameters from mass, center of mass and inertia about it.

    Parameters
    ----------
    mass : array_like (...)
        Mass in kg.
    com : array_like (..., 3)
        Center of mass in m, in the body's frame.
    inertia : array_like (..., 3, 3)
        Symmetric inertia about the center of mass in kg m^2, in the body's axes.

    Returns
    -------
    ndarray (..., 10)
        Inertial parameters, with I = I_com + m (c.c 1 - c c^T).

    Raises
    ------
    ModelError
        If the mass is negative or the inertia not symmetric.

    Examples
    --------
    >>> import numpy as np
    >>> from jounce import inertia
    >>> pi = inertia.from_com(2.0, [0.1, 0.0, 0.0], 0.01 * np.eye(3))
    >>> [round(float(x), 6) for x in pi]
    [2.0, 0.2, 0.0, 0.0, 0.01, 0.03, 0.03, 0.0, 0.0, 0.0]
    """
    m, c = numbers(mass, (), "mass"), numbers(com, (3,), "com")
    about = _symmetric(numbers(inertia, (3, 3), "inertia"), "inertia")
    if np.any(np.real(m) < 0.0):
        raise ModelError(f"mass: expected >= 0, found {mass}")
    return join(m, m[..., None] * c, about + _steiner(m, np.zeros_like(c), c))


def about_com(pi: ArrayLike) -> Central:
    """Return mass, center of mass and inertia about it, in the axes of the frame of pi.

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters.

    Returns
    -------
    Central
        Mass (...), center of mass (..., 3) and inertia (..., 3, 3).

    Examples
    --------
    >>> from jounce import inertia
    >>> body = inertia.about_com([2.0, 0.2, 0.0, 0.0, 0.01, 0.03, 0.03, 0.0, 0.0, 0.0])
    >>> body.com.tolist(), body.inertia.diagonal().round(6).tolist()
    ([0.1, 0.0, 0.0], [0.01, 0.01, 0.01])
    """
    m, h, about = split(pi)
    c = com(pi)
    return Central(m, c, about + _steiner(m, h, -c))


def com(pi: ArrayLike) -> np.ndarray:
    """Return the center of mass h / m; the origin for a massless body.

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters.

    Returns
    -------
    ndarray (..., 3)
        Center of mass in m.

    Raises
    ------
    ModelError
        If a massless body has a first moment.

    Examples
    --------
    >>> from jounce import inertia
    >>> inertia.com(inertia.point_mass(2.0, at=(0.1, 0.0, 0.3))).tolist()
    [0.1, 0.0, 0.3]
    """
    m, h, _ = split(pi)
    massless = m == 0.0
    if np.any(massless & np.any(h != 0.0, axis=-1)):
        raise ModelError("pi: a massless body cannot have a first moment")
    return h / np.where(massless, 1.0, m)[..., None]


def principal(pi: ArrayLike) -> Principal:
    """Return principal moments and axes about the center of mass.

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters; real.

    Returns
    -------
    Principal
        Moments (..., 3) in kg m^2, ascending, and axes (..., 3, 3).

    Examples
    --------
    >>> from jounce import inertia
    >>> inertia.principal(inertia.box((0.1, 0.2, 0.3), mass=12.0)).moments.round(6).tolist()
    [0.05, 0.1, 0.13]
    """
    if np.iscomplexobj(pi):
        raise ModelError("pi: principal axes need real parameters, found complex ones")
    moments, axes = np.linalg.eigh(about_com(pi).inertia)
    axes[..., :, 2] *= np.sign(np.linalg.det(axes))[..., None]
    return Principal(moments, axes)


def _symmetric(matrix: np.ndarray, what: str) -> np.ndarray:
    off = np.abs(matrix - np.swapaxes(matrix, -1, -2)).max(initial=0.0)
    if off > 1e-9 * np.abs(matrix).max(initial=0.0):
        raise ModelError(f"{what}: expected a symmetric matrix, found {matrix.tolist()}")
    return matrix


# ------------------------------------------------------------------ other frames, several bodies


def rotate(pi: ArrayLike, R: ArrayLike) -> np.ndarray:
    """Return parameters in rotated axes: h_a = R h_b, I_a = R I_b R^T.

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters in frame b.
    R : array_like (..., 3, 3)
        Rotation R_ab, from the axes of b to those of a.

    Returns
    -------
    ndarray (..., 10)
        Inertial parameters in the axes of a, about the same origin.

    Examples
    --------
    >>> from jounce import inertia
    >>> turn = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]  # x becomes y
    >>> inertia.com(inertia.rotate(inertia.point_mass(1.0, at=(0.5, 0, 0)), turn)).tolist()
    [0.0, 0.5, 0.0]
    """
    turn = rotation(R)
    m, h, about = split(pi)
    return join(m, (turn @ h[..., None])[..., 0], turn @ about @ np.swapaxes(turn, -1, -2))


def translate(pi: ArrayLike, p: ArrayLike) -> np.ndarray:
    """Return parameters about another origin (parallel axis theorem).

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters.
    p : array_like (..., 3)
        Old origin seen from the new one, in m.

    Returns
    -------
    ndarray (..., 10)
        Inertial parameters about the new origin, in the same axes.

    Examples
    --------
    >>> from jounce import inertia
    >>> rod = inertia.translate(inertia.cylinder(0.01, 1.0, mass=3.0), (0.0, 0.0, 0.5))
    >>> round(float(rod[4]), 3)  # Ixx about its end, m l^2 / 3
    1.0
    """
    shift = numbers(p, (3,), "p")
    m, h, about = split(pi)
    return join(m, h + m[..., None] * shift, about + _steiner(m, h, shift))


def transform(pi: ArrayLike, T: ArrayLike) -> np.ndarray:
    """Return parameters in another frame.

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters in frame b.
    T : array_like (..., 4, 4)
        Pose T_ab, which takes points of frame b to frame a.

    Returns
    -------
    ndarray (..., 10)
        Inertial parameters in frame a.

    Examples
    --------
    >>> import numpy as np
    >>> from jounce import inertia
    >>> T = np.eye(4)
    >>> T[:3, 3] = 0.0, 0.0, 0.5
    >>> inertia.com(inertia.transform(inertia.sphere(0.1, mass=1.0), T)).tolist()
    [0.0, 0.0, 0.5]
    """
    pose = numbers(T, (4, 4), "T")
    check_last_row(pose, "T")
    return translate(rotate(pi, rotation(pose[..., :3, :3], "T")), pose[..., :3, 3])


def compose(*pis: ArrayLike) -> np.ndarray:
    """Return the parameters of bodies that are welded together: their sum.

    Parameters
    ----------
    *pis : array_like (..., 10)
        Inertial parameters of each body, all in one frame.

    Returns
    -------
    ndarray (..., 10)
        Inertial parameters of the composite body.

    Examples
    --------
    >>> from jounce import inertia
    >>> left, right = (inertia.point_mass(1.0, at=(x, 0, 0)) for x in (-1.0, 2.0))
    >>> inertia.com(inertia.compose(left, right)).tolist()
    [0.5, 0.0, 0.0]
    """
    if not pis:
        raise ModelError("compose: expected the parameters of at least one body, found none")
    return np.asarray(sum(numbers(pi, (10,), f"body {i}") for i, pi in enumerate(pis)))


# ------------------------------------------------------------------ matrices


def _skew(a: np.ndarray) -> np.ndarray:
    out = np.zeros((*a.shape, 3), dtype=a.dtype)
    out[..., (2, 0, 1), (1, 2, 0)] = a
    out[..., (1, 2, 0), (2, 0, 1)] = -a
    return out


def spatial_inertia(pi: ArrayLike, T: ArrayLike | None = None) -> np.ndarray:
    """Return spatial inertias G = [[I, h~], [-h~, m 1]] in (omega, v) order.

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters.
    T : array_like (..., 4, 4), optional
        Pose of their frame in another, as in `transform`, for G in that frame: Ad_T^-T G Ad_T^-1.

    Returns
    -------
    ndarray (..., 6, 6)
        Spatial inertias.

    Examples
    --------
    >>> from jounce import inertia
    >>> inertia.spatial_inertia(inertia.sphere(0.1, mass=5.0)).diagonal().round(3).tolist()
    [0.02, 0.02, 0.02, 5.0, 5.0, 5.0]
    """
    m, h, about = split(pi if T is None else transform(pi, T))
    G = np.zeros((*m.shape, 6, 6), dtype=m.dtype)
    G[..., :3, :3] = about
    G[..., :3, 3:] = _skew(h)
    G[..., 3:, :3] = -_skew(h)
    G[..., 3:, 3:] = m[..., None, None] * np.eye(3)
    return G


def from_spatial_inertia(G: ArrayLike) -> np.ndarray:
    """Return the parameters of spatial inertias; the inverse of `spatial_inertia`.

    Parameters
    ----------
    G : array_like (..., 6, 6)
        Spatial inertias in (omega, v) order.

    Returns
    -------
    ndarray (..., 10)
        Inertial parameters.

    Raises
    ------
    ModelError
        If G does not have the structure [[I, h~], [-h~, m 1]].

    Examples
    --------
    >>> import numpy as np
    >>> from jounce import inertia
    >>> pi = inertia.box((0.1, 0.2, 0.3), mass=2.0)
    >>> np.allclose(inertia.from_spatial_inertia(inertia.spatial_inertia(pi)), pi)
    True
    """
    matrix = _symmetric(numbers(G, (6, 6), "G"), "G")
    pi = join(matrix[..., 3, 3], matrix[..., (2, 0, 1), (4, 5, 3)], matrix[..., :3, :3])
    off = np.abs(spatial_inertia(pi) - matrix).max(initial=0.0)
    if off > 1e-9 * np.abs(matrix).max(initial=0.0):
        raise ModelError("G: expected the structure [[I, h~], [-h~, m 1]] of a spatial inertia")
    return pi


def pseudo_inertia(pi: ArrayLike) -> np.ndarray:
    """Return pseudo-inertias J = [[S, h], [h^T, m]] with S = tr(I)/2 1 - I.

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters.

    Returns
    -------
    ndarray (..., 4, 4)
        Pseudo-inertias, the integral of (x, 1) (x, 1)^T dm.

    Notes
    -----
    J is positive definite for physically consistent bodies of finite volume. In another frame it is
    J_a = T_ab J_b T_ab^T.

    Examples
    --------
    >>> from jounce import inertia
    >>> inertia.pseudo_inertia(inertia.point_mass(2.0, at=(0.5, 0, 0))).tolist()[0]
    [0.5, 0.0, 0.0, 1.0]
    """
    m, h, about = split(pi)
    J = np.zeros((*m.shape, 4, 4), dtype=m.dtype)
    half = 0.5 * np.trace(about, axis1=-2, axis2=-1)
    J[..., :3, :3] = half[..., None, None] * np.eye(3) - about
    J[..., :3, 3] = J[..., 3, :3] = h
    J[..., 3, 3] = m
    return J


def from_pseudo_inertia(J: ArrayLike) -> np.ndarray:
    """Return the parameters of pseudo-inertias, with I = tr(S) 1 - S.

    Parameters
    ----------
    J : array_like (..., 4, 4)
        Symmetric pseudo-inertias.

    Returns
    -------
    ndarray (..., 10)
        Inertial parameters.

    Examples
    --------
    >>> import numpy as np
    >>> from jounce import inertia
    >>> pi = inertia.box((0.1, 0.2, 0.3), mass=2.0)
    >>> np.allclose(inertia.from_pseudo_inertia(inertia.pseudo_inertia(pi)), pi)
    True
    """
    matrix = _symmetric(numbers(J, (4, 4), "J"), "J")
    S = matrix[..., :3, :3]
    about = np.trace(S, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - S
    return join(matrix[..., 3, 3], matrix[..., :3, 3], about)
