"""Search for the mesh files that a robot file refers to. Meshes are never needed for dynamics."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote

Folders = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

#: Environment variables that list folders with packages or models in them.
_ROOTS = (
    "ROS_PACKAGE_PATH",
    "GAZEBO_MODEL_PATH",
    "GZ_SIM_RESOURCE_PATH",
    "IGN_GAZEBO_RESOURCE_PATH",
    "SDF_PATH",
)
#: Environment variables that list install prefixes, with packages in the folder share.
_PREFIXES = ("AMENT_PREFIX_PATH", "COLCON_PREFIX_PATH", "CMAKE_PREFIX_PATH")

#: "package://name/rest", "model://name/rest" and "$(find name)/rest".
_PACKAGE = re.compile(r"(?:package://|model://|\$\(find\s+)([^/)]+)\)?/(.+)", re.DOTALL)


def resolve_mesh(
    path: str, source: str | os.PathLike[str] = "", package_dirs: Folders = ()
) -> Path | None:
    """Return the existing file that a mesh reference in a robot file means, or None.

    Searched are `package_dirs`, the folders above the robot file (and, if it is reached through a
    symbolic link, above the file itself), then those of ROS_PACKAGE_PATH, GAZEBO_MODEL_PATH,
    GZ_SIM_RESOURCE_PATH, IGN_GAZEBO_RESOURCE_PATH, SDF_PATH, and "share" of AMENT_PREFIX_PATH,
    COLCON_PREFIX_PATH, CMAKE_PREFIX_PATH. No file is opened.

    Parameters
    ----------
    path : str
        "package://name/rest", "model://name/rest", "$(find name)/rest", "file://...", an absolute
        path, or one relative to the robot file.
    source : str or path
        The robot file.
    package_dirs : path or sequence of paths
        Folders that contain packages, or are packages.

    Returns
    -------
    Path or None
        The file.
    """
    places, source = folders(package_dirs), os.fspath(source)
    for text in dict.fromkeys((path, unquote(path), path.replace("\\", "/"))):
        for candidate in _candidates(text, source, places):
            try:
                if candidate.is_file():
                    return candidate.absolute()
            except (OSError, ValueError):  # a name too long, a null byte: not a file
                continue
    return None


def folders(package_dirs: Folders) -> list[Path]:
    """Return one folder or several as a list."""
    if isinstance(package_dirs, str | os.PathLike):
        return [Path(package_dirs).expanduser()]
    if not isinstance(package_dirs, Iterable):
        raise TypeError(
            f"package_dirs: expected folders, or one, found {type(package_dirs).__name__}"
        )
    return [Path(folder).expanduser() for folder in package_dirs]


def find_package(
    name: str, source: str | os.PathLike[str] = "", package_dirs: Folders = ()
) -> Path | None:
    """The folder of the package called `name`, searched as by `resolve_mesh`, or None."""
    for folder in _packages(name, os.fspath(source), folders(package_dirs)):
        try:
            if folder.is_dir():
                return folder.absolute()
        except (OSError, ValueError):
            continue
    return None


def _candidates(path: str, source: str, given: list[Path]) -> Iterator[Path]:
    match = _PACKAGE.fullmatch(path)
    if match is not None:
        yield from (folder / match[2] for folder in _packages(match[1], source, given))
        return
    if path.startswith("file:"):
        path = re.sub(r"^file:(//)?", "", path)
        if re.match(r"/[A-Za-z]:[/\\]", path):  # file:///C:/robot.stl
            path = path[1:]
    if "://" not in path:
        yield from (folder / path for folder in _homes(source))  # an absolute path stays as it is
        yield from (folder / path for folder in given)


def _homes(source: str) -> list[Path]:
    """Return the folder of the robot file as given and, if that differs, without links in it."""
    home = Path(source).parent
    real = Path(os.path.realpath(source)).parent if source else home
    return [home] if real in (home, home.absolute()) else [home, real]


def _packages(name: str, source: str, given: Iterable[Path]) -> Iterator[Path]:
    """Folders that may be the package called `name`, likely ones first."""
    for folder in given:
        yield from _below(folder, name)
    for home in _homes(source) if source else ():
        for folder in (home.absolute(), *home.absolute().parents):
            if folder.name == name:
                yield folder
            yield folder / name
    for variable in _ROOTS:
        for folder in _list_folders(variable):
            yield from _below(folder, name)
    for variable in _PREFIXES:
        for folder in _list_folders(variable):
            yield folder / "share" / name


def _below(folder: Path, name: str) -> Iterator[Path]:
    """A package is the folder, or in it, or (as in a workspace of repositories) one deeper."""
    if name in (folder.name, os.path.basename(os.path.realpath(folder))):
        yield folder
    yield folder / name
    try:
        inside = sorted(entry for entry in folder.iterdir() if entry.is_dir())
    except OSError:
        return
    yield from (entry / name for entry in inside)


def _list_folders(variable: str) -> list[Path]:
    return [Path(entry) for entry in os.environ.get(variable, "").split(os.pathsep) if entry]
