"""Reading robots: from files, from the gallery, from screws and tables, from code.

One package or module per format (`urdf`, `mjcf`, `sdf`, `xacro`), `gallery` for bundled robots,
`surfaces` for mesh files, and `builder.py`, which all readers fill. Imports `model` and what is
below. Start with `builder.py`, then `urdf/__init__.py`.

To add a file format: a function that reads it, in a file of its own here (or anywhere: a program
may add one at run time), and a line in `READERS`, by the suffix of its files. The function takes
the file's path and, by keyword, base, gravity and package_dirs, all as in `read`, and returns a
Model:

    def read_toy(path, *, base=None, gravity=None, package_dirs=()):
        data = json.loads(read_bytes(path, MAX_BYTES))
        pull = DEFAULT_GRAVITY if gravity is None else gravity
        builder = TreeBuilder(data["name"], pull, source=str(path))
        builder.add("base", base_kind(base or "fixed"), joint_name="base")
        for link in data["links"]:
            builder.add(link["name"], link["kind"], link["parent"], mass=link["mass"], ...)
        return builder.build()

    READERS[".toy"] = read_toy

`read_bytes` opens files that others wrote, `TreeBuilder` owns the conventions (a fixed link becomes
a frame), `resolve_mesh` finds meshes. What is wrong with a file is a ModelError that names it, what
was expected and what was found. A format in XML is read by `io.xml`, which knows the line of each
element, and has a line in `ROOTS` by its root element, too: its function takes the text of a
document in the place of a path, and then source=, the file it comes from. With that, `jounce.load`,
`jounce.read`, the command line and the suffixes listed in messages know the format.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jounce.errors import ModelError, explain_call, legible, name_file, suggest
from jounce.io.builder import DEFAULT_GRAVITY, TreeBuilder, Vector, base_kind
from jounce.io.builder import inertia_from_com as inertia_from_com
from jounce.io.builder import placement as placement
from jounce.io.descriptions import find_description
from jounce.io.dh import from_dh
from jounce.io.files import opened as opened
from jounce.io.files import read_bytes
from jounce.io.gallery import gallery, read_gallery
from jounce.io.mjcf import read_mjcf
from jounce.io.packages import Folders as Folders
from jounce.io.packages import folders, resolve_mesh
from jounce.io.screws import from_screws
from jounce.io.sdf import read_sdf
from jounce.io.urdf import read_urdf
from jounce.io.xacro import expand_xacro
from jounce.io.xml import root_tag
from jounce.model.model import Model
from jounce.utils.lazy import submodules
from jounce.utils.plugins import load_plugin, plugin_names

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)

if TYPE_CHECKING:
    from jounce.io import mesh_inertia, xml, xml_edits

__all__ = [
    "DEFAULT_GRAVITY",
    "READERS",
    "ROOTS",
    "Folders",
    "Reader",
    "TreeBuilder",
    "base_kind",
    "from_dh",
    "from_screws",
    "gallery",
    "inertia_from_com",
    "mesh_inertia",
    "opened",
    "placement",
    "read",
    "read_bytes",
    "read_mjcf",
    "read_sdf",
    "read_urdf",
    "resolve_mesh",
    "xml",
    "xml_edits",
]

#: What reads a format; see above.
Reader = Callable[..., Model]

#: Readers by the suffix of files, in small letters.
READERS: dict[str, Reader] = {
    ".urdf": read_urdf,
    ".mjcf": read_mjcf,
    ".sdf": read_sdf,
    ".world": read_sdf,
}
#: Readers by the root element of what .xml and .xacro files hold.
ROOTS: dict[str, Reader] = {"robot": read_urdf, "mujoco": read_mjcf, "sdf": read_sdf}


@explain_call
def read(
    path_or_name: str | os.PathLike[str],
    *,
    base: str | None = None,
    gravity: Vector | None = None,
    package_dirs: Folders = (),
    xacro_args: Mapping[str, Any] | None = None,
) -> Model:
    """Return the model of a robot from a file, or by its name.

    Parameters
    ----------
    path_or_name : str or path
        A file: URDF (.urdf), MJCF (.mjcf), SDF (.sdf, .world), .xml by its root element <robot>,
        <mujoco> or <sdf>, .xacro, which is expanded first, or a format added to `READERS`. Or a
        name, as `jounce.load` takes it.
    base : {"fixed", "floating"}
        By default the robot's own; see `jounce.load`.
    gravity : array_like (3,)
        Gravitational acceleration in m/s^2; by default the robot's own, (0, 0, -9.81) if the file
        says nothing.
    package_dirs : path or sequence of paths
        Folders in which meshes and included files are looked for first.
    xacro_args : mapping of str to value
        Arguments of a xacro file, or of a robot of robot_descriptions that comes as xacro.

    Returns
    -------
    Model
        Bodies, joints and frames.

    Raises
    ------
    ModelError
        If there is no such file or robot, or if the file cannot be read.

    Examples
    --------
    >>> import jounce
    >>> model = jounce.read("planar_2r")
    >>> model.joint_names
    ['joint1', 'joint2']
    """
    if base is not None:
        base_kind(base)
    text = _path_text(path_or_name)
    path = Path(text)
    options: dict[str, Any] = {"base": base, "gravity": gravity}
    if isinstance(path_or_name, str) and text in gallery():
        return read_gallery(text, **options)
    if path.suffix.lower() in (*READERS, ".xacro", ".xml") or _load_reader(path.suffix.lower()):
        return _read_file(path, folders(package_dirs), xacro_args, options)
    if isinstance(path_or_name, str) and not os.path.exists(text):
        description = find_description(text, xacro_args)
        if description is not None:
            places = [*folders(package_dirs), *description.package_dirs]
            return _read_file(description.path, places, None, options)
    raise ModelError(_explain_unreadable(text))


def _load_reader(suffix: str) -> bool:
    """Register the reader that an installed distribution offers for a suffix; False if none."""
    reader = load_plugin("readers", suffix, "a function", callable) if suffix else None
    if reader is not None:
        READERS[suffix] = reader
    return reader is not None


def _path_text(path_or_name: Any) -> str:
    """Return the path or name as a string; TypeError for all else."""
    text = os.fspath(path_or_name) if isinstance(path_or_name, os.PathLike) else path_or_name
    if not isinstance(text, str):
        kind = "None" if text is None else f"an object of type {type(text).__name__}"
        raise TypeError(
            "expected the path of a robot file (a string or a pathlib.Path) or a name such as"
            f" 'kuka_iiwa14', found {kind}"
        )
    return text


def _explain_unreadable(text: str) -> str:
    """Return why a string names neither a robot file nor a robot."""
    known = dict.fromkeys((*READERS, *plugin_names("readers"), ".xacro"))
    suffixes = f"{', '.join(known)} or .xml"
    if not text:
        return f"cannot read '': expected a file ending in {suffixes}, or the name of a robot"
    if os.path.isdir(text):
        return f"cannot read '{text}': it is a folder; expected a file ending in {suffixes}"
    if text.lstrip().startswith("<"):
        return (
            f"expected a path, found the text of a document ('{legible(text, 40)}'); write it to a"
            " file, or read it with jounce.io.read_urdf, read_mjcf or read_sdf"
        )
    if os.path.exists(text):
        return f"cannot read '{text}': expected a file ending in {suffixes}"
    others = f"a file ending in {suffixes}, a name that the package robot_descriptions knows"
    hint = suggest(text, gallery(), f"choose {others}, or one of the gallery:")
    return f"cannot read '{text}': there is no such file or robot; {hint}"


def _read_file(
    path: Path, places: list[Path], xacro_args: Mapping[str, Any] | None, options: dict[str, Any]
) -> Model:
    document: str | Path = path
    suffix = path.suffix.lower()
    options = {**options, "package_dirs": places}
    with name_file(path):
        if suffix == ".xacro":
            document = expand_xacro(path, xacro_args, places)
            options["source"] = str(path)
        elif xacro_args is not None:
            raise ModelError(f"'{path}': xacro_args are for files ending in .xacro")
        # unknown root elements are read as URDF, whose reader says what it expected
        reader = READERS.get(suffix) or ROOTS.get(root_tag(document), read_urdf)
        return reader(document, **options)
