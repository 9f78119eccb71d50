"""Mesh files to vertices and faces: STL, OBJ, PLY and COLLADA, through trimesh."""

from __future__ import annotations

import logging
import os
import re
import warnings
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jounce.errors import ModelError
from jounce.io.builder import floats

#: Suffixes `read_surface` knows.
SUFFIXES = (".stl", ".obj", ".ply", ".dae")

#: What COLLADA files have beside geometry. A part whose paint is broken would be left out.
_PAINT = re.compile(
    rb"<((?:library_(?:effects|materials|images|lights|cameras|animations)|bind_material|extra)\b)"
    rb"(?:[^>]*[^>/])?>.*?</\1\s*>|<instance_(?:light|camera)\b[^>]*/>",
    re.DOTALL,
)


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
        pose = np.eye(4) if placement is None else floats(placement, (4, 4), "placement")
        return _moved(self.vertices, self.faces, pose @ np.diag((*factors, 1.0)))


def read_surface(path: str | os.PathLike[str]) -> Surface:
    """The triangles of a mesh file, all parts of a scene together, vertices as the file has them.

    COLLADA's unit of length is heeded, its up axis is not: robot files give poses for it.
    """
    path = Path(path)
    return _concatenate(_scene(path), path)


def _scene(path: Path) -> Any:
    """What trimesh makes of the file; what it cannot read is a ModelError that names it."""
    if path.suffix.lower() not in SUFFIXES:
        raise ModelError(
            f"mesh '{path}': cannot read '{path.suffix}' files; convert it to one of"
            f" {', '.join(SUFFIXES)}"
        )
    try:
        import trimesh

        if path.suffix.lower() == ".dae":
            import collada  # noqa: F401
    except ImportError as error:
        raise ImportError(
            f"mesh '{path}': {path.suffix} files need {error.name}: pip install \"jounce[mesh]\""
        ) from error
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"mesh '{path}': {error.strerror or error}") from error
    kind = path.suffix.lower()[1:]
    options: dict[str, Any] = {"skip_materials": True} if kind == "obj" else {}
    if kind == "dae":
        data, options = _PAINT.sub(b"", data), {"ignore_broken": False}
    log = logging.getLogger("trimesh")
    level, log.level = log.level, logging.CRITICAL
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # bytes, not a path: textures and materials beside the file are of no interest
            return trimesh.load_scene(BytesIO(data), file_type=kind, process=False, **options)
    except Exception as error:  # loaders of damaged files raise whatever comes
        problem = str(error).strip().partition("\n")[0] or type(error).__name__
        raise ModelError(f"mesh '{path}': cannot read it: {problem}") from error
    finally:
        log.level = level


def _concatenate(scene: Any, path: Path) -> Surface:
    """All triangles of a scene, in its frame."""
    vertices, faces, count = [], [], 0
    for node in scene.graph.nodes_geometry:
        T, name = scene.graph[node]
        part = scene.geometry[name]
        if not len(getattr(part, "faces", ())):  # points and lines bound nothing
            continue
        moved = _moved(np.asarray(part.vertices), np.asarray(part.faces), _unit(part) @ T)
        vertices.append(moved.vertices)
        faces.append(moved.faces + count)
        count += len(moved.vertices)
    if not faces:
        raise ModelError(f"mesh '{path}': there are no triangles in it")
    return Surface(np.concatenate(vertices), np.concatenate(faces))


def _unit(part: Any) -> np.ndarray:
    """Matrix (4, 4) from the part's unit of length to metres; trimesh says "0.01 * meters"."""
    number, times, unit = str(part.metadata.get("units", "")).partition(" * ")
    scale = float(number) if times and unit.startswith("met") else 1.0
    return np.diag((scale, scale, scale, 1.0))


def _moved(vertices: np.ndarray, faces: np.ndarray, T: np.ndarray) -> Surface:
    """Vertices taken along by the affine T; faces turned if it mirrors."""
    out = np.asarray(vertices, dtype=float) @ T[:3, :3].T + T[:3, 3]
    mirrored = np.linalg.det(T[:3, :3]) < 0.0
    return Surface(out, np.asarray(faces, dtype=np.int64)[:, (0, 2, 1) if mirrored else (0, 1, 2)])
