"""Repair of triangulated surfaces, and convex hulls.

Only faces change, so that derivatives with respect to vertices keep their numbering. (trimesh
renumbers vertices when it joins them, and takes ten times longer to wind faces alike.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError
from jounce.model.inertia.mesh.check import arrays, find_double, find_duplicates
from jounce.model.inertia.mesh.shells import find_shells
from jounce.model.inertia.mesh.topology import (
    components,
    find_edges,
    first_equal,
    position_keys,
    repeated_corners,
    same_faces,
)

#: Distances, relative to the surface's size, within which vertices are joined if that closes gaps.
_NEAR = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5)


@dataclass(frozen=True, eq=False)
class Repaired:
    """A repaired surface: vertices as given (V, 3), new faces (F, 3), and what was done."""

    vertices: np.ndarray
    faces: np.ndarray
    actions: tuple[str, ...]


def repair(vertices: ArrayLike, faces: ArrayLike) -> Repaired:
    """Repair the usual defects of a surface, as far as that is possible.

    In this order: joins vertices equal in position, and if open edges are left, those closer than
    1e-5 of the surface's size; drops faces with repeated corners and duplicate faces; winds
    neighbors alike; closes holes by fans of triangles; reverses shells that are inside out. A hole
    is closed as if it were flat, however large: read `Repaired.actions`.

    Parameters
    ----------
    vertices : array_like (V, 3)
        Positions in m.
    faces : array_like (F, 3)
        Vertex indices.

    Returns
    -------
    Repaired
        The vertices unchanged, new faces, and a list of changes.

    Examples
    --------
    >>> from jounce import inertia
    >>> vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> open_surface = [[0, 2, 1], [0, 1, 3], [0, 3, 2]]  # a face is missing
    >>> repaired = inertia.repair(vertices, open_surface)
    >>> inertia.examine(repaired.vertices, repaired.faces).ok
    True
    """
    v, f = arrays(vertices, faces)
    actions: list[str] = []
    x = np.real(v)
    corners = _join(x, first_equal(position_keys(v))[f], actions)
    keep = ~repeated_corners(corners)
    _report(actions, len(keep) - np.count_nonzero(keep), "degenerate face(s) dropped")
    corners = _drop_duplicates(corners[keep], actions)
    corners = _wind(corners, actions)
    corners = _drop_double(_fill(x, corners, actions), actions)
    corners = _turn(x, corners, actions)
    return Repaired(v, corners, tuple(actions))


def hull(vertices: ArrayLike) -> np.ndarray:
    """Return the faces of the convex hull of vertices.

    Parameters
    ----------
    vertices : array_like (V, 3)
        Positions in m.

    Returns
    -------
    ndarray (F, 3)
        Vertex indices, counterclockwise seen from outside.

    Raises
    ------
    ModelError
        If the vertices are coplanar.
    ImportError
        If SciPy is not installed.

    Examples
    --------
    >>> from jounce import inertia
    >>> inertia.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]).shape
    (4, 3)
    """
    try:
        from scipy.spatial import ConvexHull, QhullError
    except ImportError as error:
        raise ImportError('convex hulls need SciPy: pip install "jounce[mesh]"') from error
    v = np.real(arrays(vertices, np.zeros((1, 3), np.int64))[0])
    try:
        result = ConvexHull(v)
    except (QhullError, ValueError):
        raise ModelError("mesh: its vertices are coplanar, so their hull has no volume") from None
    f = result.simplices.astype(np.int64)
    a, b, c = (v[f[:, k]] for k in range(3))
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), result.equations[:, :3]) < 0.0
    f[inward] = f[inward][:, (0, 2, 1)]
    return f


def _report(actions: list[str], count: int | np.integer, done: str) -> None:
    """Append how many were done, if any; "(s)" is replaced by the plural."""
    if count:
        actions.append(f"{count} {done.replace('(s)', '' if count == 1 else 's')}")


def _torn(corners: np.ndarray) -> int:
    """Return the number of edges with an odd number of faces, which no winding can balance."""
    kept = corners[~repeated_corners(corners)]
    return int(np.count_nonzero(find_edges(kept).count % 2))


def _join(v: np.ndarray, corners: np.ndarray, actions: list[str]) -> np.ndarray:
    """Join corners that are near each other, where that closes gaps."""
    left = _torn(corners)
    if not left:
        return corners
    used = np.unique(corners)
    size = float(np.linalg.norm(np.ptp(v[used], axis=0)))
    best = corners
    for near in _NEAR:
        nearest = np.arange(len(v))
        nearest[used] = used[_near(v[used], near * size)]
        joined = nearest[corners]
        gaps = _torn(joined)
        if gaps < left:
            left, best = gaps, joined
        if not gaps:
            break
    count = len(used) - len(np.unique(best))
    _report(actions, count, "corner point(s) joined to near ones")
    return best


def _near(v: np.ndarray, distance: float) -> np.ndarray:
    """Return labels of points that are connected through steps of about the distance.

    Points in one cell of a grid are near; eight grids, each shifted by half a cell along some axes,
    so that no two near points are always in different cells.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        cells = v / distance
    if not np.isfinite(cells).all():
        return np.arange(len(v))
    firsts = []
    for shift in np.ndindex(2, 2, 2):
        firsts.append(first_equal(position_keys(np.floor(cells + 0.5 * np.array(shift)))))
    return components(len(v), np.tile(np.arange(len(v)), 8), np.concatenate(firsts))


def _drop_duplicates(corners: np.ndarray, actions: list[str]) -> np.ndarray:
    """Keep one face of each group with the same corners; none where opposite ones cancel."""
    same = same_faces(corners)
    net = same.forward - same.backward
    wanted = np.where(net > 0, 1, np.where(net < 0, -1, 0))
    if len(corners) and not wanted.any():  # drawn from both sides everywhere
        wanted = np.ones(len(corners), np.int64)
    mine = np.where(same.is_forward, 1, -1) == wanted[same.group]
    # the first of its group among those that run the wanted way
    _, first = np.unique(np.where(mine, same.group, -1), return_index=True)
    keep = np.zeros(len(corners), bool)
    keep[first] = True
    keep &= mine
    if _torn(corners[keep]) > _torn(corners):  # folds that the surface needs to be watertight
        return corners
    _report(actions, len(keep) - np.count_nonzero(keep), "duplicate or opposite face(s) dropped")
    return corners[keep]


def _drop_double(corners: np.ndarray, actions: list[str]) -> np.ndarray:
    """Drop what is watertight and there twice."""
    keep = np.ones(len(corners), bool)
    keep[find_double(corners, find_duplicates(same_faces(corners)))] = False
    _report(actions, len(keep) - np.count_nonzero(keep), "duplicate face(s) dropped")
    return corners[keep]


def _wind(corners: np.ndarray, actions: list[str]) -> np.ndarray:
    """Reverse faces so that neighbors agree, as few as possible in each part.

    Each face has two nodes in a graph, as it is and reversed; neighbors are joined so that they
    agree.
    A part in which a face meets itself reversed is one-sided and stays as it is.
    """
    n = len(corners)
    a, b, agree = find_edges(corners).pairs()
    left = np.concatenate((a, a + n))
    right = np.concatenate((np.where(agree, b, b + n), np.where(agree, b + n, b)))
    label = components(2 * n, left, right)
    part = np.minimum(label[:n], label[n:])  # the same for all faces of a part
    one_sided = label[:n] == label[n:]
    turned = label[:n] != part
    votes = np.bincount(part, np.where(turned, 1, -1), 2 * n)
    turned ^= votes[part] > 0
    turned &= ~one_sided
    _report(actions, np.count_nonzero(turned), "face(s) turned to agree with neighbors")
    return np.where(turned[:, None], corners[:, (0, 2, 1)], corners)


def _fill(v: np.ndarray, corners: np.ndarray, actions: list[str]) -> np.ndarray:
    """Close holes by fans of triangles."""
    edges = find_edges(corners)
    net = edges.forward - edges.backward
    if not net.any():
        return corners
    follow: dict[int, list[int]] = {}
    rims = np.column_stack((edges.ends, net))[edges.indices(net != 0)]
    for low, high, count in rims.tolist():
        # the fan must run through the edge the other way
        start, end = (high, low) if count > 0 else (low, high)
        follow.setdefault(start, []).extend([end] * abs(count))
    fans = [
        (loop[0], loop[k], loop[k + 1]) for loop in _loops(follow) for k in range(1, len(loop) - 1)
    ]
    added = np.array(fans, np.int64).reshape(-1, 3)
    share = _area(v, added) / max(_area(v, corners), np.finfo(float).tiny)
    actions.append(
        f"holes closed by {len(added)} face{'s' if len(added) > 1 else ''},"
        f" {100.0 * share:.2g} % of the area"
    )
    return np.concatenate((corners, added))


def _loops(follow: dict[int, list[int]]) -> list[list[int]]:
    """Return closed walks that use each directed edge once; as many leave a vertex as enter it."""
    loops = []
    for start in list(follow):
        while follow[start]:
            loop, vertex = [start], follow[start].pop()
            while vertex != start:
                loop.append(vertex)
                vertex = follow[vertex].pop()
            loops.append(loop)
    return loops


def _area(v: np.ndarray, f: np.ndarray) -> float:
    a, b, c = (v[f[:, k]] for k in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())


def _turn(v: np.ndarray, corners: np.ndarray, actions: list[str]) -> np.ndarray:
    """Reverse shells that are inside out; cavities stay as they are."""
    if not len(corners):
        return corners
    shells = find_shells(v, corners, find_edges(corners))
    inverted = shells.watertight & (shells.volume < 0.0) & ~shells.inside()
    _report(actions, np.count_nonzero(inverted), "shell(s) turned inside out")
    turned = inverted[shells.label]
    return np.where(turned[:, None], corners[:, (0, 2, 1)], corners)
