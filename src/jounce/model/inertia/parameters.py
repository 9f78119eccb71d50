"""Ten inertial parameters: what they say, moved to other frames, joined, and other coordinates.

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

#: Rounded published data bend the triangle inequality by this much; more is worth a warning.
_TRIANGLE_SLACK = 1e-9

_ROWS, _COLUMNS = (np.array(indices) for indices in zip(*INERTIA_ENTRIES, strict=True))


class Central(NamedTuple):
    """A body about its centre of mass: mass (...), com (..., 3), inertia (..., 3, 3)."""

    mass: np.ndarray
    com: np.ndarray
    inertia: np.ndarray


class Principal(NamedTuple):
    """Principal moments (..., 3), rising, about the centre of mass, and axes (..., 3, 3).

    The columns of `axes` are the principal axes in the body's frame, a right-handed set:
    I = axes diag(moments) axes^T.
    """

    moments: np.ndarray
    axes: np.ndarray


def numbers(value: ArrayLike, core: tuple[int, ...], what: str) -> np.ndarray:
    """Finite real or complex numbers of shape (..., *core); the error names `what`."""
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
    """Rotation matrices (..., 3, 3), the nearest if they are rounded; errors name `what`."""
    out = numbers(R, (3, 3), what)
    nearest, note = nearest_rotation(np.real(out), what)
    if note:
        warn(f"{what}: {note}", ModelWarning)
    return nearest + 1j * np.imag(out) if np.iscomplexobj(out) else nearest


def split(pi: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mass (...), first moment (..., 3) and inertia about the origin (..., 3, 3) of pi."""
    own = numbers(pi, (10,), "pi")
    inertia = np.empty((*own.shape[:-1], 3, 3), dtype=own.dtype)
    inertia[..., _ROWS, _COLUMNS] = inertia[..., _COLUMNS, _ROWS] = own[..., 4:]
    return own[..., 0], own[..., 1:4], inertia


def join(mass: np.ndarray, h: np.ndarray, inertia: np.ndarray) -> np.ndarray:
    """pi (..., 10) from mass, first moment and inertia about the origin; the inverse of `split`."""
    entries = inertia[..., _ROWS, _COLUMNS]
    batch = np.broadcast_shapes(mass.shape, h.shape[:-1], entries.shape[:-1])
    parts = (mass[..., None], h, entries)
    return np.concatenate([np.broadcast_to(x, (*batch, x.shape[-1])) for x in parts], axis=-1)


def _steiner(mass: np.ndarray, h: np.ndarray, p: np.ndarray) -> np.ndarray:
    """What the inertia gains when the origin moves by -p: 2 (p.y) 1 - p y^T - y p^T, y = h + m p/2.

    For h = 0 this is m (p.p 1 - p p^T).
    """
    y = h + 0.5 * mass[..., None] * p
    outer = p[..., :, None] * y[..., None, :]
    inner = 2.0 * np.sum(p * y, axis=-1)[..., None, None]
    return inner * np.eye(3) - outer - np.swapaxes(outer, -1, -2)


# ------------------------------------------------------------------ mass, centre, inertia


def from_com(mass: ArrayLike, com: ArrayLike, inertia: ArrayLike) -> np.ndarray:
    """pi (..., 10) from mass (kg), centre of mass (m) and inertia about it (kg m^2), body axes.

    mass (...), com (..., 3), inertia (..., 3, 3), symmetric:
    I = I_com + m (c.c 1 - c c^T).
    """
    m, c = numbers(mass, (), "mass"), numbers(com, (3,), "com")
    about = _symmetric(numbers(inertia, (3, 3), "inertia"), "inertia")
    if np.any(np.real(m) < 0.0):
        raise ModelError(f"mass: expected >= 0, found {mass}")
    return join(m, m[..., None] * c, about + _steiner(m, np.zeros_like(c), c))


def about_com(pi: ArrayLike) -> Central:
    """Mass, centre of mass and inertia about it, in the axes of pi's frame."""
    m, h, about = split(pi)
    c = com(pi)
    return Central(m, c, about + _steiner(m, h, -c))


def com(pi: ArrayLike) -> np.ndarray:
    """Centre of mass (..., 3) in m: h / m, and the origin for a massless body."""
    m, h, _ = split(pi)
    massless = m == 0.0
    if np.any(massless & np.any(h != 0.0, axis=-1)):
        raise ModelError("pi: a massless body cannot have a first moment")
    return h / np.where(massless, 1.0, m)[..., None]


def principal(pi: ArrayLike) -> Principal:
    """Principal moments (kg m^2) and axes about the centre of mass. Real parameters only."""
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
    """pi along other axes, R = R_ab: h_a = R h_b, I_a = R I_b R^T."""
    turn = rotation(R)
    m, h, about = split(pi)
    return join(m, (turn @ h[..., None])[..., 0], turn @ about @ np.swapaxes(turn, -1, -2))


def translate(pi: ArrayLike, p: ArrayLike) -> np.ndarray:
    """pi about another origin (Steiner): p (..., 3) is the old origin seen from the new one, m."""
    shift = numbers(p, (3,), "p")
    m, h, about = split(pi)
    return join(m, h + m[..., None] * shift, about + _steiner(m, h, shift))


def transform(pi: ArrayLike, T: ArrayLike) -> np.ndarray:
    """pi in another frame: T = T_ab (..., 4, 4) takes points of pi's frame b to the frame a."""
    pose = numbers(T, (4, 4), "T")
    check_last_row(pose, "T")
    return translate(rotate(pi, rotation(pose[..., :3, :3], "T")), pose[..., :3, 3])


def compose(*pis: ArrayLike) -> np.ndarray:
    """pi of bodies welded together, all given in one frame: the sum of their parameters."""
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
    """G (..., 6, 6) = [[I, h~], [-h~, m 1]] in (omega, v) order.

    T: as in `transform`, the inertia in any other frame: Ad_T^-T G Ad_T^-1; None: in pi's own.
    """
    m, h, about = split(pi if T is None else transform(pi, T))
    G = np.zeros((*m.shape, 6, 6), dtype=m.dtype)
    G[..., :3, :3] = about
    G[..., :3, 3:] = _skew(h)
    G[..., 3:, :3] = -_skew(h)
    G[..., 3:, 3:] = m[..., None, None] * np.eye(3)
    return G


def from_spatial_inertia(G: ArrayLike) -> np.ndarray:
    """pi (..., 10) of spatial inertias (..., 6, 6); what has not their structure is an error."""
    found = _symmetric(numbers(G, (6, 6), "G"), "G")
    pi = join(found[..., 3, 3], found[..., (2, 0, 1), (4, 5, 3)], found[..., :3, :3])
    off = np.abs(spatial_inertia(pi) - found).max(initial=0.0)
    if off > 1e-9 * np.abs(found).max(initial=0.0):
        raise ModelError("G: expected the structure [[I, h~], [-h~, m 1]] of a spatial inertia")
    return pi


def pseudo_inertia(pi: ArrayLike) -> np.ndarray:
    """J (..., 4, 4) = integral of (x, 1) (x, 1)^T dm = [[S, h], [h^T, m]], S = tr(I)/2 1 - I.

    A rigid body that could exist has a positive definite J; moving it is J_a = T_ab J_b T_ab^T.
    """
    m, h, about = split(pi)
    J = np.zeros((*m.shape, 4, 4), dtype=m.dtype)
    half = 0.5 * np.trace(about, axis1=-2, axis2=-1)
    J[..., :3, :3] = half[..., None, None] * np.eye(3) - about
    J[..., :3, 3] = J[..., 3, :3] = h
    J[..., 3, 3] = m
    return J


def from_pseudo_inertia(J: ArrayLike) -> np.ndarray:
    """pi (..., 10) of a pseudo-inertia (..., 4, 4): I = tr(S) 1 - S."""
    found = _symmetric(numbers(J, (4, 4), "J"), "J")
    S = found[..., :3, :3]
    about = np.trace(S, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - S
    return join(found[..., 3, 3], found[..., :3, 3], about)


# ------------------------------------------------------------------ all of R^10

#: Where (d1, d2, d3, s12, s23, s13, t1, t2, t3) stand in the upper triangular factor.
_FACTOR = (np.array((0, 1, 2, 0, 1, 0, 0, 1, 2)), np.array((0, 1, 2, 1, 2, 2, 3, 3, 3)))


def log_cholesky(pi: ArrayLike) -> np.ndarray:
    """Ten unconstrained coordinates of a body that could exist (Rucker and Wensing 2022).

    (alpha, d1, d2, d3, s12, s23, s13, t1, t2, t3) with J = U U^T and U = exp(alpha) [[exp(d1), s12,
    s13, t1], [0, exp(d2), s23, t2], [0, 0, exp(d3), t3], [0, 0, 0, 1]]. Real parameters only, and a
    positive definite J: a point mass or a plate has none.
    """
    if np.iscomplexobj(pi):
        raise ModelError("pi: the Cholesky factor needs real parameters, found complex ones")
    J = pseudo_inertia(pi)
    try:
        # the upper factor is the lower one of the matrix read backwards
        U = np.linalg.cholesky(J[..., ::-1, ::-1])[..., ::-1, ::-1]
    except np.linalg.LinAlgError:
        raise ModelError(
            "pi: its pseudo-inertia is not positive definite, so it has no Cholesky factor"
        ) from None
    scale = U[..., 3, 3]
    rest = (U / scale[..., None, None])[..., *_FACTOR]
    rest[..., :3] = np.log(rest[..., :3])
    return np.concatenate((np.log(scale)[..., None], rest), axis=-1)


def from_log_cholesky(theta: ArrayLike) -> np.ndarray:
    """pi (..., 10) of any ten numbers, always a body that could exist; see `log_cholesky`."""
    given = numbers(theta, (10,), "theta")
    U = np.zeros((*given.shape[:-1], 4, 4), dtype=given.dtype)
    U[..., *_FACTOR] = np.concatenate((np.exp(given[..., 1:4]), given[..., 4:]), axis=-1)
    U[..., 3, 3] = 1.0
    U = np.exp(given[..., 0])[..., None, None] * U
    return from_pseudo_inertia(U @ np.swapaxes(U, -1, -2))


# ------------------------------------------------------------------ could it exist?


def problem(pi: ArrayLike) -> str:
    """What is physically impossible about pi (10,), or an empty string.

    The mass must not be negative, the inertia about the centre of mass positive, and no principal
    moment larger than the sum of the other two.
    """
    own = np.real(numbers(pi, (10,), "pi"))
    if own.ndim != 1:
        raise ModelError(f"pi: expected the parameters (10,) of one body, found shape {own.shape}")
    m, h, about = split(own)
    if m < 0.0:
        return f"the mass is negative: {m}"
    if m == 0.0 and np.any(h != 0.0):
        return "a massless body has a first moment"
    if m != 0.0:
        with np.errstate(all="ignore"):
            about = about - (h @ h * np.eye(3) - np.outer(h, h)) / m
    if not np.isfinite(about).all():
        return "its numbers overflow"
    moments = np.linalg.eigvalsh(about)
    slack = _TRIANGLE_SLACK * max(1.0, abs(moments[2]))
    if moments[0] < -slack:
        return f"the inertia about the centre of mass is not positive (moments {moments.tolist()})"
    excess = moments[2] - moments[0] - moments[1]
    if excess > slack:
        return (
            f"the inertia breaks the triangle inequality by {excess:.2g} kg m^2"
            f" (principal moments {moments.tolist()})"
        )
    return ""


def is_consistent(pi: ArrayLike) -> bool:
    """Whether a body with the parameters pi (10,) could exist; `problem` says why not."""
    return not problem(pi)
