"""Watertight triangulated surfaces for tests: vertices (V, 3) and faces (F, 3), outward."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import trimesh

Mesh = tuple[np.ndarray, np.ndarray]

QUADS = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def box(size: Any = (1.0, 1.0, 1.0), at: Any = (0.0, 0.0, 0.0)) -> Mesh:
    """A box along the axes, its centre at `at`."""
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]) - 0.5
    faces = [(q[0], q[k], q[k + 1]) for q in QUADS for k in (1, 2)]
    return corners * np.array(size, dtype=float) + np.array(at), np.array(faces)


def tetrahedron(at: Any = (0.0, 0.0, 0.0)) -> Mesh:
    vertices = np.vstack((np.zeros(3), np.eye(3))) + np.array(at)
    return vertices, np.array(((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)))


def ball(levels: int) -> Mesh:
    """Unit ball: an icosahedron, each face split into four `levels` times."""
    g = (1.0 + 5.0**0.5) / 2.0
    corners = [(0, a, b * g) for a in (-1, 1) for b in (-1, 1)]
    v = np.array([np.roll(c, k) for k in range(3) for c in corners])
    near = np.abs(np.linalg.norm(v[:, None] - v[None], axis=2) - 2.0) < 1e-9
    f = [
        (i, j, k)
        for i in range(12)
        for j in range(i)
        for k in range(j)
        if near[i, j] and near[j, k] and near[k, i]
    ]
    faces = np.array(f)
    inward = np.linalg.det(v[faces]) < 0
    faces[inward] = faces[inward][:, ::-1]
    for _ in range(levels):
        v, faces = _split(v, faces)
    return v / np.linalg.norm(v, axis=1, keepdims=True), faces


def _split(v: np.ndarray, f: np.ndarray) -> Mesh:
    sides = np.sort(np.vstack((f[:, (0, 1)], f[:, (1, 2)], f[:, (2, 0)])), axis=1)
    edges, index = np.unique(sides, axis=0, return_inverse=True)
    middle = v[edges].mean(axis=1)
    middle /= np.linalg.norm(middle, axis=1, keepdims=True)
    ab, bc, ca = index.reshape(3, -1) + len(v)
    a, b, c = f.T
    new = [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
    corners = v / np.linalg.norm(v, axis=1, keepdims=True)
    return np.vstack((corners, middle)), np.concatenate([np.stack(t, axis=1) for t in new])


def torus(n: int = 12, m: int = 8) -> Mesh:
    """Radii 1 and 0.3, about z."""
    i, j = (k.ravel() for k in np.meshgrid(np.arange(n), np.arange(m), indexing="ij"))
    u, w = 2 * np.pi * i / n, 2 * np.pi * j / m
    r = 1.0 + 0.3 * np.cos(w)
    v = np.stack((r * np.cos(u), r * np.sin(u), 0.3 * np.sin(w)), axis=1)

    def at(di: int, dj: int) -> np.ndarray:
        return (i + di) % n * m + (j + dj) % m

    first, second = (at(0, 0), at(1, 0), at(1, 1)), (at(0, 0), at(1, 1), at(0, 1))
    return v, np.concatenate([np.stack(t, axis=1) for t in (first, second)])


def bumpy(rng: np.random.Generator, levels: int = 1, at: Any = (0.0, 0.0, 0.0)) -> Mesh:
    """A star-shaped solid without symmetry."""
    v, f = ball(levels)
    return v * rng.uniform(0.6, 1.4, (len(v), 1)) * (0.3, 0.5, 0.4) + np.array(at), f


def join(*meshes: Mesh) -> Mesh:
    """Several surfaces in one, vertices not shared."""
    counts = np.cumsum([0, *(len(v) for v, _ in meshes)])
    faces = [f + n for (_, f), n in zip(meshes, counts, strict=False)]
    return np.concatenate([v for v, _ in meshes]), np.concatenate(faces)


def inverted(mesh: Mesh) -> Mesh:
    return mesh[0], mesh[1][:, ::-1]


def soup(mesh: Mesh) -> Mesh:
    """Every face with vertices of its own, as in an STL file."""
    v, f = mesh
    return v[f].reshape(-1, 3), np.arange(3 * len(f)).reshape(-1, 3)


def scene(mesh: Mesh) -> Mesh:
    """The same surface, its vertices numbered at random and some of them used by nobody."""
    v, f = mesh
    rng = np.random.default_rng(len(v))
    number = rng.permutation(len(v) + 3)
    vertices = rng.normal(size=(len(v) + 3, 3))
    vertices[number[: len(v)]] = v
    return vertices, number[f]


#: Watertight surfaces of all sorts, by name.
WATERTIGHT: dict[str, Mesh] = {
    "box": box((0.2, 0.3, 0.5), (1.0, -2.0, 0.5)),
    "ball": ball(2),
    "torus": torus(),
    "bumpy": bumpy(np.random.default_rng(1), 2, (0.4, -0.3, 0.2)),
    "soup": soup(bumpy(np.random.default_rng(2))),
    "cavity": join(box((2.0, 2.0, 2.0)), inverted(ball(1))),
    "two": join(box(at=(3.0, 0.0, 0.0)), tetrahedron()),
    "touching": join(box(), box(at=(1.0, 1.0, 0.0))),
    "renumbered": scene(bumpy(np.random.default_rng(3))),
}


def threemf(mesh: Mesh, unit: str = "meter", more: str = "", build: str = "1") -> str:
    """The model of a 3MF file: the mesh is object 1; more objects, and the one that is built."""
    vertices = "".join('<vertex x="{}" y="{}" z="{}"/>\n'.format(*x) for x in mesh[0].tolist())
    faces = "".join('<triangle v1="{}" v2="{}" v3="{}"/>\n'.format(*x) for x in mesh[1].tolist())
    return f"""<?xml version="1.0"?>
<model unit="{unit}" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources>
<object id="1" type="model"><mesh><vertices>{vertices}</vertices>
<triangles>{faces}</triangles></mesh></object>{more}</resources>
<build><item objectid="{build}"/></build></model>"""


def zipped(model: str | bytes) -> bytes:
    """A 3MF file of a model."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("3D/3dmodel.model", model)
    return out.getvalue()


def write(path: Path, mesh: Mesh, **options: Any) -> Path:
    """A mesh file, its format by the suffix."""
    trimesh.Trimesh(*mesh, process=False).export(path, **options)
    return path
