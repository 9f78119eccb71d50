"""Mesh files to vertices and faces: STL, OBJ, PLY and COLLADA.

The readers are our own: their errors name the file and the line, their time is linear in the size
of the file, and what they do not understand they refuse instead of leaving it out.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError
from jounce.io.builder import floats
from jounce.io.files import read_bytes
from jounce.io.surfaces.collada import read_collada, read_painted_collada
from jounce.io.surfaces.faces import Colour, Painted, Runs, Source
from jounce.io.surfaces.obj import read_obj, read_painted_obj
from jounce.io.surfaces.ply import read_ply
from jounce.io.surfaces.stl import read_stl
from jounce.model.numbers import rigid_pose

#: Largest mesh file, in bytes: five million triangles of a binary STL file.
MAX_BYTES = 256 * 2**20

_READERS = {
    ".stl": read_stl,
    ".obj": read_obj,
    ".ply": read_ply,
    ".dae": lambda source: read_collada(source, MAX_BYTES),
}
#: Suffixes `read_surface` knows.
SUFFIXES = tuple(_READERS)


class Surface(NamedTuple):
    """A triangulated surface: vertices (V, 3) in m and faces (F, 3) of vertex indices."""

    vertices: np.ndarray
    faces: np.ndarray

    def placed(
        self, scale: ArrayLike = (1.0, 1.0, 1.0), placement: ArrayLike | None = None
    ) -> Surface:
        """The surface scaled along its axes (3,), then seen from where its pose is (4, 4).

        Mirroring scales turn the faces, so that they still point outward.
        """
        factors = floats(scale, (3,), "scale")
        if not factors.all():
            raise ModelError(f"scale: expected numbers other than 0, found {factors.tolist()}")
        pose = np.eye(4) if placement is None else rigid_pose(placement, "placement")
        return _moved(self.vertices, self.faces, pose @ np.diag((*factors, 1.0)))


def read_surface(path: str | os.PathLike[str]) -> Surface:
    """The triangles of a mesh file, all parts of a scene together, vertices as the file has them.

    COLLADA's unit of length is heeded, its up axis is not: robot files give poses for it. What is
    wrong with the file is a ModelError that names it and, in text, the line.
    """
    return _read(Path(path), colours=False)[0]


def read_parts(path: str | os.PathLike[str]) -> list[tuple[Surface, Colour]]:
    """The triangles of a mesh file by their colour, None where it says none.

    Together they are those of `read_surface`. COLLADA and OBJ files say colours: the diffuse ones
    of their materials.
    """
    surface, runs = _read(Path(path), colours=True)
    shares: dict[Colour, list[np.ndarray]] = {}
    start = 0
    for count, colour in runs:
        shares.setdefault(colour, []).append(surface.faces[start : start + count])
        start += count
    if len(shares) == 1:
        return [(surface, colour) for colour in shares]
    return [(_used(surface, np.concatenate(own)), colour) for colour, own in shares.items()]


def _used(surface: Surface, faces: np.ndarray) -> Surface:
    """Some faces of a surface, with those vertices that they have."""
    used, places = np.unique(faces, return_inverse=True)
    return Surface(surface.vertices[used], places.reshape(-1, 3))


def _read(path: Path, colours: bool) -> tuple[Surface, Runs]:
    """The surface in a file, and the colours of its faces if they are asked for."""
    name = f"mesh '{path}'"
    suffix = path.suffix.lower()
    reader = _READERS.get(suffix)
    if reader is None:
        raise ModelError(
            f"{name}: cannot read '{path.suffix}' files; convert it to one of {', '.join(SUFFIXES)}"
        )
    source = Source(name, read_bytes(path, MAX_BYTES, what=name))
    with np.errstate(all="ignore"):  # numbers that overflow are refused below
        if colours:
            vertices, faces, runs = _painted(source, path, suffix)
        else:
            (vertices, faces), runs = reader(source), []
    if not len(faces):
        raise ModelError(f"{name}: there are no triangles in it")
    if not np.isfinite(vertices).all():
        row = int(np.argmin(np.isfinite(vertices).all(axis=1)))
        raise ModelError(f"{name}: vertex {row} (from 0): expected finite numbers")
    return Surface(vertices, faces), runs


def _painted(source: Source, path: Path, suffix: str) -> Painted:
    if suffix == ".dae":
        return read_painted_collada(source, MAX_BYTES)
    if suffix == ".obj":
        return read_painted_obj(source, path)
    vertices, faces = _READERS[suffix](source)
    return vertices, faces, [(len(faces), None)]


def _moved(vertices: np.ndarray, faces: np.ndarray, T: np.ndarray) -> Surface:
    """Vertices taken along by the affine T; faces turned if it mirrors."""
    out = np.asarray(vertices, dtype=float) @ T[:3, :3].T + T[:3, 3]
    mirrored = np.linalg.det(T[:3, :3]) < 0.0
    return Surface(out, np.asarray(faces, dtype=np.int64)[:, (0, 2, 1) if mirrored else (0, 1, 2)])
