"""Report what is wrong with a triangulated surface, by name.

A problem is what makes the integral over the inside meaningless: open edges, faces wound against
each other, inverted shells, faces given twice. What looks odd but does no harm is a note:
degenerate faces, edges and vertices where the surface touches itself, nested shells.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError
from jounce.model.inertia.mesh.shells import find_shells
from jounce.model.inertia.mesh.topology import (
    Edges,
    SameFaces,
    components,
    find_edges,
    first_equal,
    is_watertight,
    number_groups,
    position_keys,
    repeated_corners,
    same_faces,
)
from jounce.utils import format_count

#: A solid thinner than this, relative to its size, has no volume but rounding errors.
FLAT = 1e-13

#: Inverted shells that together are smaller than this, relative to all shells, do no harm.
SPECK = 1e-6

#: Coordinates (m) from which on fifth powers, as in moments of inertia, overflow.
HUGE = 1e60


_no_edges = partial(np.zeros, (0, 2), np.int64)
_nothing = partial(np.zeros, 0, np.int64)


@dataclass(frozen=True, eq=False)
class MeshReport:
    """Result of `examine`. An edge is a pair of vertices, each the first at its position."""

    vertices: int  #: how many
    faces: int  #: how many
    volume: float = 0.0  #: in m^3
    area: float = 0.0  #: in m^2
    #: (2, 3): least and largest x, y, z
    bounds: np.ndarray = field(default_factory=lambda: np.zeros((2, 3)))
    #: (n,): volume of each part that is connected through edges; negative: a cavity
    shells: np.ndarray = field(default_factory=lambda: np.zeros(0))
    #: of one face
    open_edges: np.ndarray = field(default_factory=_no_edges)
    #: of faces wound against each other
    mixed_edges: np.ndarray = field(default_factory=_no_edges)
    #: of three, five, ... faces
    odd_edges: np.ndarray = field(default_factory=_no_edges)
    #: of four, six, ... faces in balance
    touching_edges: np.ndarray = field(default_factory=_no_edges)
    #: where parts of the surface meet in a point only
    touching_vertices: np.ndarray = field(default_factory=_nothing)
    #: without area
    degenerate_faces: np.ndarray = field(default_factory=_nothing)
    #: given before
    duplicate_faces: np.ndarray = field(default_factory=_nothing)
    #: those duplicates that enclose something
    double_faces: np.ndarray = field(default_factory=_nothing)
    opposite_faces: int = 0  #: how many are there once from each side
    duplicate_vertices: int = 0  #: how many
    unused_vertices: int = 0  #: how many
    #: turned inside out
    inverted_shells: np.ndarray = field(default_factory=_nothing)
    #: inside another, so that they count twice
    nested_shells: np.ndarray = field(default_factory=_nothing)
    problems: tuple[str, ...] = ()  #: what makes it no solid, in words
    notes: tuple[str, ...] = ()  #: what does no harm, in words

    @property
    def ok(self) -> bool:
        """True if the surface bounds a solid."""
        return not self.problems

    def __str__(self) -> str:
        size = " x ".join(f"{x:.4g}" for x in self.bounds[1] - self.bounds[0])
        lines = [
            f"{self.vertices} vertices, {self.faces} faces, {len(self.shells)} shells",
            f"volume {self.volume:.6g} m^3, area {self.area:.6g} m^2, size {size} m",
            *(f"problem: {text}" for text in self.problems),
            *(f"note: {text}" for text in self.notes),
        ]
        return "\n".join(lines)


# ------------------------------------------------------------------ arrays


def arrays(vertices: ArrayLike, faces: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (V, 3), real or complex, and faces (F, 3) as they are needed; else a ModelError."""
    v, f = _vertices(vertices), _faces(faces)
    problem = _unusable(v, f)
    if problem:
        raise ModelError(f"mesh: {problem}")
    return v, f


def _vertices(vertices: ArrayLike) -> np.ndarray:
    try:
        v = np.asarray(vertices)
        v = v.astype(complex if np.iscomplexobj(v) else float, copy=False)
    except (TypeError, ValueError):
        raise ModelError("vertices: expected numbers of shape (V, 3)") from None
    if v.size == 0:
        return v.reshape(0, 3)
    if v.ndim != 2 or v.shape[1] != 3:
        raise ModelError(f"vertices: expected shape (V, 3), found {v.shape}")
    return v


def _faces(faces: ArrayLike) -> np.ndarray:
    try:
        f = np.asarray(faces)
    except ValueError:
        raise ModelError("faces: expected vertex indices of shape (F, 3)") from None
    if f.size == 0:
        return np.zeros((0, 3), np.int64)
    if f.ndim != 2 or f.shape[1] != 3:
        hint = "; split larger faces into triangles" if f.ndim == 2 and f.shape[1] > 3 else ""
        raise ModelError(f"faces: expected shape (F, 3), found {f.shape}{hint}")
    if f.dtype.kind not in "iu":
        raise ModelError(f"faces: expected integers (vertex indices), found {f.dtype}")
    return f.astype(np.int64, copy=False)


def _unusable(v: np.ndarray, f: np.ndarray) -> str:
    """Return why the arrays are no mesh at all, or an empty string."""
    if not len(v) or not len(f):
        return f"it is empty: {len(v)} vertices, {len(f)} faces"
    if not (np.abs(v) < HUGE).all():
        bad = np.flatnonzero(~np.isfinite(v).all(axis=1))
        if len(bad):
            return f"{format_count(len(bad), 'vertex')} not finite (first: {bad[0]})"
        return f"vertices up to {np.abs(v).max():.3g} m away, of which the integrals overflow"
    bad = np.flatnonzero(((f < 0) | (f >= len(v))).any(axis=1))
    if len(bad):
        return (
            f"face {bad[0]} refers to vertices {f[bad[0]].tolist()}, but there are"
            f" {len(v)} vertices, numbered from 0"
        )
    return ""


# ------------------------------------------------------------------ examination


def examine(vertices: ArrayLike, faces: ArrayLike) -> MeshReport:
    """Report defects and irregularities of a triangulated surface.

    Parameters
    ----------
    vertices : array_like (V, 3)
        Positions in m.
    faces : array_like (F, 3)
        Vertex indices, counterclockwise seen from outside.

    Returns
    -------
    MeshReport
        Sizes, shells, and lists of defective edges, vertices and faces.

    Examples
    --------
    >>> from jounce import inertia
    >>> vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> open_surface = [[0, 2, 1], [0, 1, 3], [0, 3, 2]]  # a face is missing
    >>> inertia.examine(vertices, open_surface).ok
    False
    """
    v, f = np.real(_vertices(vertices)), _faces(faces)
    problem = _unusable(v, f)
    if problem:
        return MeshReport(len(v), len(f), problems=(problem,))
    first, place = number_groups(first_equal(position_keys(v)))
    points, corners = v[first], place[f]
    flat = repeated_corners(corners)
    kept = np.flatnonzero(~flat)
    solid = corners[kept] if flat.any() else corners
    edges, same = find_edges(solid), same_faces(solid)
    shells, duplicates = find_shells(points, solid, edges), find_duplicates(same)
    # a shell whose winding is mixed or that is open has no inside to be judged
    closed = shells.watertight & (np.abs(shells.volume) > FLAT * shells.area * shells.size)
    inside, count = shells.inside(), edges.count
    used = np.zeros(len(points), bool)
    used[corners] = True
    report = MeshReport(
        len(v),
        len(f),
        volume=float(shells.volume.sum()),
        area=float(shells.area.sum()),
        bounds=np.stack((points[used].min(axis=0), points[used].max(axis=0))),
        shells=shells.volume,
        open_edges=first[edges.select(count == 1)],
        odd_edges=first[edges.select((count % 2 == 1) & (count > 1))],
        mixed_edges=first[edges.select((count % 2 == 0) & ~edges.is_balanced)],
        touching_edges=first[edges.select((count > 2) & edges.is_balanced)],
        touching_vertices=first[_touching_vertices(solid, edges)],
        degenerate_faces=np.flatnonzero(flat | _on_a_line(points, corners)),
        duplicate_faces=kept[duplicates],
        double_faces=kept[find_double(solid, duplicates)],
        opposite_faces=int(np.minimum(same.forward, same.backward).sum()),
        duplicate_vertices=len(v) - len(first),
        unused_vertices=int(np.count_nonzero(np.bincount(f.ravel(), minlength=len(v)) == 0)),
        inverted_shells=np.flatnonzero(closed & (shells.volume < 0.0) & ~inside),
        nested_shells=np.flatnonzero(closed & (shells.volume > 0.0) & inside),
    )
    return replace(report, problems=_problems(report), notes=_notes(report))


def _touching_vertices(corners: np.ndarray, edges: Edges) -> np.ndarray:
    """Vertices whose faces form more than one fan around them, joined edge by edge."""
    n = len(corners)
    first = edges.first[edges.of_side]
    start = np.flatnonzero(first != np.arange(3 * n))  # the others are the first
    other = first[start]
    end, other_end = (start + n) % (3 * n), (other + n) % (3 * n)
    flat = corners.T.ravel()
    # two faces at an edge share both its ends, in one order or the other
    same_way = flat[start] == flat[other]
    matches = (np.where(same_way, other, other_end), np.where(same_way, other_end, other))
    fans = components(3 * n, np.concatenate((start, end)), np.concatenate(matches))
    roots = np.flatnonzero(fans == np.arange(3 * n))
    return np.flatnonzero(np.bincount(flat[roots]) > 1)


def _on_a_line(v: np.ndarray, f: np.ndarray) -> np.ndarray:
    """Return which faces (F,) have their corners on a line, up to rounding."""
    a, b, c = (v[column] for column in f.T)
    sides = (b - a, c - a, c - b)
    longest = np.max([np.einsum("ij,ij->i", side, side) for side in sides], axis=0)
    return np.linalg.norm(np.cross(sides[0], sides[1]), axis=1) <= 1e-14 * longest


def find_double(corners: np.ndarray, duplicates: np.ndarray) -> np.ndarray:
    """Return duplicates that are watertight by themselves, so that their volume counts twice.

    Others are folds that the surface needs to be watertight.
    """
    if not len(duplicates):
        return duplicates
    again = corners[duplicates]
    edges = find_edges(again)
    torn = np.flatnonzero(~edges.is_balanced[edges.of_side]) % len(again)
    part = components(len(again), *edges.neighbors())
    return duplicates[~np.isin(part, part[torn])]


def find_duplicates(same: SameFaces) -> np.ndarray:
    """Faces beyond the first of their group and direction, where directions do not cancel."""
    over = np.abs(same.forward - same.backward) > 1
    ahead = same.forward > same.backward
    suspects = np.flatnonzero(over[same.group] & (same.is_forward == ahead[same.group]))
    _, first = np.unique(same.group[suspects], return_index=True)
    return np.delete(suspects, first)


# ------------------------------------------------------------------ in words


def _first(items: np.ndarray) -> str:
    """Return some of them: "(vertices 0-1, 1-2, ...)"."""
    some = ["-".join(map(str, np.atleast_1d(item).tolist())) for item in items[:3]]
    return f"(vertices {', '.join(some)}{', ...' if len(items) > 3 else ''})"


def _problems(r: MeshReport) -> tuple[str, ...]:
    sentences = (
        (r.open_edges, "it is not closed: {} {}", "open edge"),
        (r.odd_edges, "{} with an odd number of faces {}", "edge"),
        (
            r.mixed_edges,
            "inconsistent winding: {} between faces wound against each other {}",
            "edge",
        ),
    )
    out = [
        text.format(format_count(len(edges), noun), _first(edges))
        for edges, text, noun in sentences
        if len(edges)
    ]
    if len(r.double_faces):
        faces = format_count(len(r.double_faces), "duplicate face")
        out.append(f"{faces}, so a part counts twice (first: face {r.double_faces[0]})")
    if _inverted_share(r) > SPECK:
        out.append(_describe_inversion(r))
    size = float(np.linalg.norm(r.bounds[1] - r.bounds[0]))
    if not out and r.volume <= FLAT * r.area * size:
        out.append(f"it encloses no volume ({r.volume:.3g} m^3)")
    return tuple(out)


def _inverted_share(r: MeshReport) -> float:
    """Return the volume of inverted shells, relative to all shells."""
    total = np.abs(r.shells).sum()
    return float(np.abs(r.shells[r.inverted_shells]).sum() / total) if total > 0.0 else 0.0


def _describe_inversion(r: MeshReport) -> str:
    which = "it is inverted: its faces point inward"
    if len(r.inverted_shells) < len(r.shells):
        which = (
            f"inverted: the faces of {len(r.inverted_shells)} of {len(r.shells)} shells point"
            f" inward, first those of shell {r.inverted_shells[0]}"
        )
    return f"{which} (volume {r.shells[r.inverted_shells].sum():.3g} m^3)"


def _notes(r: MeshReport) -> tuple[str, ...]:
    out = []
    if len(r.inverted_shells) and _inverted_share(r) <= SPECK:
        out.append(_describe_inversion(r))
    if len(r.duplicate_faces) > len(r.double_faces):
        faces = format_count(len(r.duplicate_faces), "duplicate face")
        out.append(f"{faces} (first: face {r.duplicate_faces[0]})")
    if len(r.degenerate_faces):
        faces = format_count(len(r.degenerate_faces), "degenerate face")
        out.append(f"{faces} without area (first: face {r.degenerate_faces[0]})")
    if len(r.touching_edges):
        count = len(r.touching_edges)
        verb = "is" if count == 1 else "are"
        out.append(
            f"self-touching: {format_count(count, 'edge')} {verb} shared by"
            f" more than two faces {_first(r.touching_edges)}"
        )
    elif len(r.touching_vertices):
        vertices = format_count(len(r.touching_vertices), "vertex")
        out.append(
            f"self-touching: parts of the surface meet in {vertices} only"
            f" {_first(r.touching_vertices)}"
        )
    if r.opposite_faces:
        out.append(
            f"{format_count(r.opposite_faces, 'pair')} of opposite faces: walls inside, or a"
            " surface drawn from both sides"
        )
    if len(r.nested_shells):
        shells = format_count(len(r.nested_shells), "shell")
        out.append(f"{shells} inside another without being a cavity, so the volume counts twice")
    return tuple(out)


# ------------------------------------------------------------------ for the integrals


def check_solid(
    v: np.ndarray, f: np.ndarray, volume: float, repaired: bool = False
) -> tuple[str, ...]:
    """ModelError unless the surface, of the given volume, bounds a solid; else its notes."""
    report = examine(v, f)
    if _plain(report, v, f) and (volume > 0.0 or len(report.shells) > 1):
        return ()
    if report.problems:
        advice = "even after repair" if repaired else "try repair=True"
        raise ModelError(f"mesh: {'; '.join(report.problems)} ({advice})")
    return report.notes


def check_watertight(v: np.ndarray, f: np.ndarray) -> None:
    """ModelError unless the surface is watertight: else its integrals have no derivative."""
    if not is_watertight(position_keys(v), f):
        check_solid(v, f, 0.0)


def _plain(r: MeshReport, v: np.ndarray, f: np.ndarray) -> bool:
    """Return whether there are no defects but faces with collinear corners, which are common."""
    odd = (r.open_edges, r.odd_edges, r.mixed_edges, r.touching_edges, r.touching_vertices)
    odd += (r.duplicate_faces, r.inverted_shells, r.nested_shells)
    corners = position_keys(v[f[r.degenerate_faces]].reshape(-1, 3)).reshape(-1, 3)
    return not (any(map(len, odd)) or r.opposite_faces or repeated_corners(corners).any())
