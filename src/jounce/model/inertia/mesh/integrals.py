"""Inertia of a homogeneous solid given by its triangulated surface, and its vertex derivatives.

The surface is watertight and its faces F = (v1, v2, v3) run anticlockwise seen from outside. It
need not be one piece: shells that enclose cavities run the other way round. Vertices may be shared
or repeated (each face of an STL file has its own): what is equal in position counts as joined.

J. Kwon's eq. 15 to 28 (B. Mirtich's polynomials) in the shortest form found. With
det = v1 . (v2 x v3), n = (v2 - v1) x (v3 - v1) and s = v1 + v2 + v3, all sums over the faces,

    m = mu/6 sum det,  h = mu/24 sum det s,  S = mu/120 sum det (s s^T + sum_i v_i v_i^T),

and I = tr(S) 1 - S. The derivative of w.pi, an integral of the quadratic f(x) = w . dpi/dm(x) over
the solid, is what passes through the surface when a vertex p moves and the faces around it follow:

    d(w.pi)/dp = mu sum over the faces F at p of n_F <f lambda_p>

with the barycentric coordinate lambda_p and the mean <> over F (times 1/2). It equals the sums of
Kwon's eq. 18, 21, 23 and 27 over the faces at p, for surfaces that are watertight. All of it is
computed about a point of the surface and moved back, so that a solid far from the origin loses no
digits. Complex vertices pass through, for derivatives by complex step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError, ModelWarning, warn
from jounce.model.inertia.mesh.check import arrays, check_solid, check_watertight
from jounce.model.inertia.mesh.repair import repair as repair_mesh
from jounce.model.inertia.parameters import join, numbers, split, translate
from jounce.utils.threads import get_num_threads, map_slices

#: Water, in kg/m^3.
DENSITY = 1000.0

#: Rounding errors of the sums over the faces, in units of their terms' last digits.
_TERMS = 64.0

#: Largest `vertex_jacobian`, in bytes.
LARGEST = 1 << 30

#: Faces at a time: intermediate results stay in the processor's cache.
_CHUNK = 8192

#: Faces from which on another thread is worthwhile.
_FACES_PER_THREAD = 100_000

T = TypeVar("T")


def from_mesh(
    vertices: ArrayLike,
    faces: ArrayLike,
    density: float | None = None,
    *,
    mass: float | None = None,
    repair: bool = False,
    check: bool = True,
) -> np.ndarray:
    """Return the parameters of the homogeneous solid inside a watertight triangulated surface.

    Parameters
    ----------
    vertices : array_like (V, 3)
        Positions in m.
    faces : array_like (F, 3)
        Vertex indices, counterclockwise seen from outside.
    density : float, optional
        Density in kg/m^3; 1000 by default.
    mass : float, optional
        Mass in kg, instead of the density.
    repair : bool
        Repair defects first (`jounce.inertia.repair`) and warn of what was changed.
    check : bool
        False skips the examination; the result is then undefined unless the surface is watertight.

    Returns
    -------
    ndarray (10,)
        Inertial parameters about the origin of the vertices.

    Raises
    ------
    ModelError
        If the surface is open, inverted, of mixed winding or cuts through itself; see `examine`.

    Examples
    --------
    >>> from jounce import inertia
    >>> vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]  # m
    >>> faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    >>> pi = inertia.from_mesh(vertices, faces, density=600.0)
    >>> round(float(pi[0]), 6), inertia.com(pi).round(6).tolist()  # kg, m
    (100.0, [0.25, 0.25, 0.25])
    """
    if check or repair:
        unit, reference, findings = unit_inertia(vertices, faces, repair=repair)
        if findings:
            warn(f"mesh: {'; '.join(findings)}", ModelWarning)
    else:
        v, f = arrays(vertices, faces)
        reference = _reference(v, f)
        unit = _integrals(v, f, reference)
    return translate(_scale(unit[0], density, mass) * unit, reference)


def unit_inertia(
    vertices: ArrayLike, faces: ArrayLike, *, repair: bool = False
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Return parameters (10,) for unit density about a reference point (3,), and findings as text.

    Raises ModelError if the surface, repaired or not, bounds no solid; see `from_mesh`.
    """
    v, f = arrays(vertices, faces)
    actions: tuple[str, ...] = ()
    if repair:
        repaired = repair_mesh(v, f)
        f, actions = repaired.faces, repaired.actions
    if not len(f):
        raise ModelError("mesh: no face is left after repair")
    reference = _reference(v, f)
    unit, rounding = _sums(v, f, reference)
    notes = check_solid(v, f, float(np.real(unit[0])), repair)
    return _physical(unit, rounding, repair), reference, (*actions, *notes)


def vertex_vjp(
    vertices: ArrayLike,
    faces: ArrayLike,
    density: float | None,
    weights: ArrayLike,
    *,
    mass: float | None = None,
    check: bool = True,
) -> np.ndarray:
    """Return the gradient of weights . pi with respect to all vertices.

    The transposed product of `vertex_jacobian`, without forming it. Where a vertex is repeated,
    each copy has the part of its own faces: moving all copies alike, as they must, adds these up.

    Parameters
    ----------
    vertices, faces, density, mass
        As `from_mesh` takes them; with `mass` the density follows the volume.
    weights : array_like (10,)
        Weights of the inertial parameters.
    check : bool
        Whether to check first that the surface is watertight.

    Returns
    -------
    ndarray (V, 3)
        Gradient per m of displacement.

    Examples
    --------
    >>> from jounce import inertia
    >>> vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    >>> weights = [1.0] + [0.0] * 9  # the mass
    >>> inertia.vertex_vjp(vertices, faces, 600.0, weights)[1].round(6).tolist()  # kg/m
    [100.0, 0.0, 0.0]
    """
    v, f = arrays(vertices, faces)
    w = numbers(weights, (10,), "weights")
    if w.ndim != 1:
        raise ModelError(f"weights: expected shape (10,), found {w.shape}")
    if check:
        check_watertight(v, f)
    reference = _reference(v, f)
    if mass is None:
        w = _scale(None, density, mass) * w
    else:
        phi = translate(_integrals(v, f, reference), reference)
        w = _scale(phi[0], density, mass) * (w - (w @ phi) / phi[0] * np.eye(10)[0])
    return _gradients(v, f, reference, w[None])[0]


def vertex_jacobian(
    vertices: ArrayLike,
    faces: ArrayLike,
    density: float | None = None,
    *,
    mass: float | None = None,
    check: bool = True,
) -> np.ndarray:
    """Return the derivative of the parameters with respect to the vertices.

    It is dense, 240 bytes per vertex, and refused beyond 1 GiB; `vertex_vjp` needs no such memory.

    Parameters
    ----------
    vertices, faces, density, mass
        As `from_mesh` takes them; with `mass` the density follows the volume.
    check : bool
        Whether to check first that the surface is watertight.

    Returns
    -------
    ndarray (10, V, 3)
        Derivative dpi/dvertices.

    Raises
    ------
    ModelError
        If the result would exceed 1 GiB or the surface is not watertight.

    Examples
    --------
    >>> from jounce import inertia
    >>> vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    >>> inertia.vertex_jacobian(vertices, faces, 600.0).shape
    (10, 4, 3)
    """
    v, f = arrays(vertices, faces)
    size = 30 * len(v) * v.itemsize
    if size > LARGEST:
        raise ModelError(
            f"vertices: the derivative (10, {len(v)}, 3) would take {size / 2**30:.1f} GiB, more"
            f" than {LARGEST / 2**30:.0f}; vertex_vjp gives products with it"
        )
    if check:
        check_watertight(v, f)
    reference = _reference(v, f)
    out = _gradients(v, f, reference, np.eye(10))
    if mass is None:
        out *= _scale(None, density, mass)
        return out
    phi = translate(_integrals(v, f, reference), reference)
    out -= (phi / phi[0])[:, None, None] * out[0]
    out *= _scale(phi[0], density, mass)
    return out


def transform_derivative(pi: ArrayLike) -> np.ndarray:
    """Return the derivative of the parameters of a body displaced by eta = (omega, v), at eta = 0.

    Parameters
    ----------
    pi : array_like (..., 10)
        Inertial parameters.

    Returns
    -------
    ndarray (..., 10, 6)
        Derivative dpi/deta.

    Notes
    -----
    Kwon's eq. 30 to 34: the body is moved by exp([eta]) in the frame in which pi is given
    ([deta] = dT T^-1 where pi = `transform(pi_bar, T)`), so that dm = 0, dh = -h~ domega + m dv and
    dI = domega~ I - I domega~ - dv~ h~ - h~ dv~.

    Examples
    --------
    >>> from jounce import inertia
    >>> stone = inertia.point_mass(2.0, at=(1.0, 0.0, 0.0))
    >>> inertia.transform_derivative(stone)[1:4, 3:].tolist()  # of h in a translation: m 1
    [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]
    """
    m, h, about = split(pi)
    hx, hy, hz = np.moveaxis(h, -1, 0)
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = np.moveaxis(about, (-2, -1), (0, 1))
    o = np.zeros_like(m)
    rows = (
        (o, o, o, o, o, o),
        (o, hz, -hy, m, o, o),
        (-hz, o, hx, o, m, o),
        (hy, -hx, o, o, o, m),
        (o, 2 * xz, -2 * xy, o, 2 * hy, 2 * hz),
        (-2 * yz, o, 2 * xy, 2 * hx, o, 2 * hz),
        (2 * yz, -2 * xz, o, 2 * hx, 2 * hy, o),
        (-xz, yz, xx - yy, -hy, -hx, o),
        (xy, zz - xx, -yz, -hz, o, -hx),
        (yy - zz, -xy, xz, o, -hz, -hy),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _scale(volume: Any, density: float | None, mass: float | None) -> Any:
    """Return the density in kg/m^3 from either argument."""
    if density is not None and mass is not None:
        raise ModelError("expected either density (kg/m^3) or mass (kg), found both")
    name, amount = ("density", density) if mass is None else ("mass", mass)
    value = numbers(DENSITY if amount is None else amount, (), name)
    if value.ndim or not np.real(value) > 0.0:
        raise ModelError(f"{name}: expected a number > 0, found {amount!r}")
    return value if mass is None else value / volume


# ------------------------------------------------------------------ sums over the faces


def _over_threads(n: int, work: Callable[[slice], T]) -> list[T]:
    """Return the results of work(slice) for slices of range(n), one per thread."""
    return map_slices(n, min(get_num_threads(), 1 + n // _FACES_PER_THREAD), work)


def _chunks(part: slice) -> Iterator[slice]:
    for start in range(part.start, part.stop, _CHUNK):
        yield slice(start, min(start + _CHUNK, part.stop))


def _coordinates(
    v: np.ndarray, f: np.ndarray, origin: np.ndarray
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return faces (3, n) and the coordinates (3, n) of their three corners from an origin (3, 1).

    v (V, 3): vertices; f (n, 3): some of the faces.
    """
    columns = np.ascontiguousarray(f.T)
    return columns, [np.subtract(v.take(column, axis=0).T, origin, order="C") for column in columns]


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return cross products of vectors (3, n)."""
    out = np.empty(a.shape, np.result_type(a, b))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.multiply(a[j], b[k], out=out[i])
        out[i] -= a[k] * b[j]
    return out


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return inner products of vectors (3, n)."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _reference(v: np.ndarray, f: np.ndarray) -> np.ndarray:
    """Return a point (3,) near all faces: the mean of some of their vertices."""
    return np.real(v[f[:: 1 + len(f) // 1000, 0]]).mean(axis=0)


def _integrals(v: np.ndarray, f: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Return parameters (10,) of the solid about the reference point, for unit density."""
    return _sums(v, f, reference)[0]


def _sums(
    v: np.ndarray, f: np.ndarray, reference: np.ndarray
) -> tuple[np.ndarray, tuple[float, float]]:
    """Return `_integrals` and bounds of rounding errors in volume (m^3) and second moments (m^5).

    The sums cancel where the solid is thin: rounding errors scale with the size of their terms.
    """

    def work(part: slice) -> tuple[np.ndarray, np.ndarray, float, float]:
        first, S = np.zeros(4, v.dtype), np.zeros((3, 3), v.dtype)
        total = radius = 0.0
        for piece in _chunks(part):
            _, (a, b, c) = _coordinates(v, f[piece], reference[:, None])
            det = _dot(a, _cross(b, c))
            total += float(np.abs(det).sum())
            radius = max(radius, *(float(np.abs(x).max()) for x in (a, b, c)))
            s = a + b + c
            first[0] += det.sum()
            first[1:] += s @ det
            for x in (s, a, b, c):
                S += (x * det) @ x.T
        return first, S, total, radius

    firsts, seconds, totals, radii = zip(*_over_threads(len(f), work), strict=True)
    first, S = np.sum(firsts, axis=0), np.sum(seconds, axis=0) / 120.0
    volume = _TERMS * np.finfo(float).eps * sum(totals) / 6.0
    about = np.trace(S) * np.eye(3) - S
    entries = about[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)]
    pi = np.concatenate((first[:1] / 6.0, first[1:] / 24.0, entries))
    return pi, (volume, volume * max(radii) ** 2)


def _physical(unit: np.ndarray, rounding: tuple[float, float], repaired: bool) -> np.ndarray:
    """Return physically consistent parameters (10,): the given ones, corrected for round-off.

    Raises ModelError if the correction exceeds round-off: a surface that cuts through itself may be
    watertight and yet count parts of space negatively, more than it counts others.
    """
    m, h, about = split(np.real(unit))
    if not m > rounding[0]:
        raise ModelError(f"mesh: it encloses no volume ({m:.3g} m^3) beyond rounding errors")
    c = h / m
    S = 0.5 * np.trace(about) * np.eye(3) - about - m * np.outer(c, c)  # about the center of mass
    moments, axes = np.linalg.eigh(S)
    if moments[0] < -rounding[1] or moments[1] <= 0.0:
        advice = "even after repair: it" if repaired else "it"
        raise ModelError(
            f"mesh: no body has its inertia: second moments {moments.tolist()} m^5 about the center"
            f" of mass, expected none below zero ({advice} cuts through itself; a hull does not)"
        )
    if moments[0] >= 0.0:
        return unit
    off = (axes * np.minimum(moments, 0.0)) @ axes.T  # what rounding took away
    return unit - join(np.zeros(()), np.zeros(3), np.trace(off) * np.eye(3) - off)


def _gradients(
    v: np.ndarray, f: np.ndarray, reference: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Return gradients (k, V, 3) of weights (k, 10) . pi, for unit density."""
    quadratics = [_quadratic(w, reference) for w in weights]

    def work(part: slice) -> np.ndarray:
        out = np.zeros((len(weights), *v.shape), np.result_type(v, weights))
        for piece in _chunks(part):
            columns, places = _coordinates(v, f[piece], reference[:, None])
            a, b, c = places
            normal = _cross(b - a, c - a)
            for gradient, quadratic in zip(out, quadratics, strict=True):
                for column, mean in zip(columns, _means(places, *quadratic), strict=True):
                    for k in range(3):
                        np.add.at(gradient[:, k], column, normal[k] * mean)
        return out

    out, *others = _over_threads(len(f), work)
    for other in others:
        out += other
    return out


def _quadratic(w: np.ndarray, r: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray]:
    """Return f0, b and Q of f(r + y) = f0 + b.y + y^T Q y, where w . pi is the integral of f."""
    m, h, about = split(w)
    off = 0.5 * (about - np.diag(np.diag(about)))  # each product, such as -xy, stands twice in Q
    Q = np.diag(np.trace(about) - np.diag(about)) - off
    return m + h @ r + r @ Q @ r, h + 2.0 * Q @ r, Q


def _means(places: list[np.ndarray], f0: Any, b: np.ndarray, Q: np.ndarray) -> Iterator[np.ndarray]:
    """Yield half the mean of f lambda_i over each face, for its corners i = 1, 2, 3.

    f = sum_ij F_ij lambda_i lambda_j with F_ij = f0 + b.(v_i + v_j)/2 + v_i^T Q v_j; from the
    integrals of cubic monomials it is (S + F_ii + sum_j F_ij) / 60, S the sum of F_ij over i <= j.
    """
    linear = [b @ x for x in places]
    total = linear[0] + linear[1] + linear[2]
    Qs = Q @ (places[0] + places[1] + places[2])
    rows, diagonal = [], []
    for x, t in zip(places, linear, strict=True):
        rows.append(3.0 * f0 + 0.5 * (3.0 * t + total) + _dot(x, Qs))
        diagonal.append(f0 + t + _dot(x, Q @ x))
    S = 0.5 * (rows[0] + rows[1] + rows[2] + diagonal[0] + diagonal[1] + diagonal[2])
    for row, square in zip(rows, diagonal, strict=True):
        yield (S + row + square) / 60.0
