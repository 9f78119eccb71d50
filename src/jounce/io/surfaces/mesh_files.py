"""Read mesh files: STL, OBJ, PLY, COLLADA, glTF, OFF and 3MF.

STL, OFF and glTF are read by `trimesh`. The other readers are our own, because trimesh returns
wrong triangles without an error there: OBJ files with relative indices in several groups or mixed
index formats, cut PLY files, 3MF assemblies of assemblies, and COLLADA in single precision.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from jounce.errors import ModelError
from jounce.io.files import read_bytes
from jounce.io.surfaces.collada import read_collada
from jounce.io.surfaces.obj import read_obj
from jounce.io.surfaces.ply import read_ply
from jounce.io.surfaces.surface import Color, ColoredSurface, Source, Surface
from jounce.io.surfaces.threemf import read_3mf
from jounce.io.surfaces.trimesh_formats import FORMATS, read_with_trimesh

#: Largest mesh file, in bytes: five million triangles of a binary STL file.
MAX_BYTES = 256 * 2**20

#: Suffixes `read_surface` knows.
SUFFIXES = (".stl", ".obj", ".ply", ".dae", ".glb", ".gltf", ".off", ".3mf")


def read_surface(path: str | os.PathLike[str]) -> Surface:
    """Return the triangles of a mesh file, all parts of a scene together.

    Parameters
    ----------
    path
        A file with one of `SUFFIXES`.

    Returns
    -------
    Surface
        Vertices in m, as the file has them: none is merged or dropped. Units of length of COLLADA
        and 3MF are applied; the up axis is not, because robot files state poses of meshes.

    Raises
    ------
    ModelError
        If the file cannot be read; the message names it and, in text, the line.
    """
    return _read_colored(Path(path), colors=False).surface


def read_parts(path: str | os.PathLike[str]) -> list[tuple[Surface, Color]]:
    """Return the triangles of a mesh file by color, None where it states none.

    Colors are the diffuse ones of COLLADA and OBJ materials, and the base colors of glTF. Together
    the parts are the triangles of `read_surface`.
    """
    surface, runs = _read_colored(Path(path), colors=True)
    shares: dict[Color, list[np.ndarray]] = {}
    start = 0
    for count, color in runs:
        shares.setdefault(color, []).append(surface.faces[start : start + count])
        start += count
    if len(shares) == 1:
        return [(surface, color) for color in shares]
    out = []
    for color, faces in shares.items():
        used, indices = np.unique(np.concatenate(faces), return_inverse=True)
        out.append((Surface(surface.vertices[used], indices.reshape(-1, 3)), color))
    return out


def _read_colored(path: Path, colors: bool) -> ColoredSurface:
    """Read a file; colors: whether material files next to it may be read."""
    name, suffix = f"mesh '{path}'", path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ModelError(
            f"{name}: cannot read '{path.suffix}' files; convert it to one of {', '.join(SUFFIXES)}"
        )
    source = Source(name, read_bytes(path, MAX_BYTES, what=name))
    with np.errstate(all="ignore"):  # numbers that overflow are refused below
        if suffix in FORMATS:
            parts = read_with_trimesh(source, suffix)
        elif suffix == ".obj":
            parts = read_obj(source, path.parent if colors else None)
        elif suffix == ".ply":
            parts = read_ply(source)
        elif suffix == ".3mf":
            parts = read_3mf(source, MAX_BYTES)
        else:
            parts = read_collada(source, MAX_BYTES)
    vertices, faces = parts.surface
    if not len(faces):
        raise ModelError(f"{name}: there are no triangles in it")
    if not np.isfinite(vertices).all():
        row = int(np.argmin(np.isfinite(vertices).all(axis=1)))
        raise ModelError(f"{name}: vertex {row} (from 0): expected finite numbers")
    if faces.min() < 0 or faces.max() >= len(vertices):
        bad = faces[(faces < 0) | (faces >= len(vertices))][0]
        raise ModelError(f"{name}: a face names vertex {bad}; there are {len(vertices)}, from 0")
    return parts
