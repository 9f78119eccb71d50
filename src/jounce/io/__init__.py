"""Reading robots: from files, from the gallery, from screws and tables, from code."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jounce.errors import ModelError
from jounce.io.builder import TreeBuilder, Vector, base_kind
from jounce.io.builder import inertia_from_com as inertia_from_com
from jounce.io.builder import placement as placement
from jounce.io.descriptions import find_description
from jounce.io.dh import from_dh
from jounce.io.gallery import gallery, read_gallery
from jounce.io.mjcf import read_mjcf
from jounce.io.packages import Folders as Folders
from jounce.io.packages import folders, resolve_mesh
from jounce.io.screws import from_screws
from jounce.io.sdf import read_sdf
from jounce.io.urdf import read_urdf
from jounce.io.xacro import expand_xacro
from jounce.io.xml import root_tag
from jounce.lazy import submodules
from jounce.model.model import Model

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)

__all__ = [
    "TreeBuilder",
    "from_dh",
    "from_screws",
    "gallery",
    "inertia_from_com",
    "placement",
    "read",
    "read_mjcf",
    "read_sdf",
    "read_urdf",
    "resolve_mesh",
]

#: File suffixes `read` knows besides .xml; what that or .xacro holds, its root element says.
SUFFIXES = (".urdf", ".mjcf", ".sdf", ".world", ".xacro")
#: Readers by suffix and by root element.
_READERS = {
    ".urdf": read_urdf,
    ".mjcf": read_mjcf,
    ".sdf": read_sdf,
    ".world": read_sdf,
    "mujoco": read_mjcf,
    "sdf": read_sdf,
}


def read(
    path_or_name: str | os.PathLike[str],
    *,
    base: str | None = None,
    gravity: Vector | None = None,
    package_dirs: Folders = (),
    xacro_args: Mapping[str, Any] | None = None,
) -> Model:
    """A robot from a file, from the gallery by name, or from robot_descriptions by name.

    Files: URDF (.urdf), MJCF (.mjcf), SDF (.sdf, .world), .xml by its root element <robot>,
    <mujoco> or <sdf>, and .xacro, which is expanded first. base: "fixed" or "floating"; None: the
    robot's own (see `jounce.load`). gravity: acceleration (3,) in m/s^2; None: the robot's own,
    (0, 0, -9.81) where the file says nothing. package_dirs: folders with packages, in which meshes
    and included files are searched first. xacro_args: values of a xacro file's arguments.
    """
    if base is not None:
        base_kind(base)
    text = os.fspath(path_or_name)
    path = Path(text)
    options: dict[str, Any] = {"base": base, "gravity": gravity}
    if isinstance(path_or_name, str) and text in gallery():
        return read_gallery(text, **options)
    if path.suffix.lower() in (*SUFFIXES, ".xml"):
        return _read_file(path, folders(package_dirs), xacro_args, options)
    if isinstance(path_or_name, str) and not path.exists():
        found = find_description(text)
        if found is not None:
            places = [*folders(package_dirs), *found.package_dirs]
            return _read_file(found.path, places, xacro_args, options)
    raise ModelError(
        f"cannot read '{text}': expected a file ending in {', '.join(SUFFIXES)} or .xml, one of the"
        f" gallery: {', '.join(gallery())}, or a name that the package robot_descriptions knows"
    )


def _read_file(
    path: Path, places: list[Path], xacro_args: Mapping[str, Any] | None, options: dict[str, Any]
) -> Model:
    given: str | Path = path
    suffix = path.suffix.lower()
    options = {**options, "package_dirs": places}
    if suffix == ".xacro":
        given = expand_xacro(path, xacro_args, places)
        options["source"] = str(path)
    elif xacro_args is not None:
        raise ModelError(f"'{path}': xacro_args are for files ending in .xacro")
    reader = _READERS.get(suffix) or _READERS.get(root_tag(given), read_urdf)
    if reader is read_urdf:
        options["base"] = options["base"] or "fixed"
    return reader(given, **options)
