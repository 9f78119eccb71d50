"""Reading robots: from files, from the gallery, from screws, from code."""

from __future__ import annotations

import os
from pathlib import Path

from jounce.errors import ModelError
from jounce.io.builder import DEFAULT_GRAVITY, TreeBuilder, Vector, base_kind
from jounce.io.builder import inertia_from_com as inertia_from_com
from jounce.io.builder import placement as placement
from jounce.io.gallery import gallery, read_gallery
from jounce.io.screws import from_screws
from jounce.io.urdf import read_urdf
from jounce.model import Model

__all__ = [
    "TreeBuilder",
    "from_screws",
    "gallery",
    "inertia_from_com",
    "placement",
    "read",
    "read_urdf",
]

#: File suffixes `read` knows. An .xml file must hold a <robot>.
SUFFIXES = (".urdf", ".xml")


def read(
    path_or_name: str | os.PathLike[str],
    *,
    base: str | None = None,
    gravity: Vector | None = None,
) -> Model:
    """A robot from a file (by suffix) or from the gallery (by name).

    base: "fixed" or "floating"; None: the robot's own, "fixed" for files. gravity: acceleration
    (3,) in m/s^2; None: the robot's own, (0, 0, -9.81) for files.
    """
    if base is not None:
        base_kind(base)
    text = os.fspath(path_or_name)
    robots = gallery()
    if isinstance(path_or_name, str) and text in robots:
        return read_gallery(text, base=base, gravity=gravity)
    if Path(text).suffix.lower() in SUFFIXES:
        return read_urdf(
            Path(text),
            base=base or "fixed",
            gravity=DEFAULT_GRAVITY if gravity is None else gravity,
        )
    hint = "; expand xacro first: xacro robot.urdf.xacro > robot.urdf" * text.endswith(".xacro")
    raise ModelError(
        f"cannot read '{text}': expected a file ending in {' or '.join(SUFFIXES)},"
        f" or one of the gallery: {', '.join(robots)}{hint}"
    )
