"""MJCF files as MuJoCo's compiler gets them: includes spliced in, and nothing that dynamics ignore.

The compiler runs in this process, so what it is given is bounded first: sensors, keyframes,
plugins, cameras and all else that only costs memory is left out, textures and height fields are
replaced by tiny ones. `mujoco.MjSpec` resolves defaults, replicas and attached files. In its
specification, meshes are replaced by stand-ins unless an inertia is computed from them, so a
missing mesh stops nothing that does not need it. MuJoCo's errors are mapped back to files, lines
and elements.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PureWindowsPath
from typing import Any

import numpy as np

from jounce.errors import ModelError, ModelWarning, warn
from jounce.io.files import check_size, opened
from jounce.io.mjcf.places import CompiledError
from jounce.io.numbers import number
from jounce.io.packages import Folders, folders, resolve_mesh
from jounce.io.surfaces.mesh_files import MAX_BYTES as MAX_MESH_BYTES
from jounce.io.xml import MAX_BYTES, Element, read_xml
from jounce.math.lie import rotation_from_quaternion
from jounce.model.numbers import Floats
from jounce.utils.forks import compiling

#: Elements that a file may expand to, without those that are left out; large robots have 1,000.
MAX_ELEMENTS = 10_000
#: Files that may be attached to one another.
MAX_ATTACHED = 100
#: Largest number of a procedural mesh that is handed to the compiler.
MAX_MESH_PARAMETER = 200

#: Sections of the file that say nothing about rigid-body dynamics.
_SECTIONS = {
    *("contact", "custom", "extension", "keyframe", "sensor", "size", "statistic", "visual"),
}
#: Elements left out wherever they are.
_DROPPED = {"camera", "lengthrange", "light", "plugin", "skin"}
#: Attributes of the assets that replace textures and height fields.
_TINY = {
    "texture": {"type": "2d", "builtin": "flat", "width": "1", "height": "1"},
    "hfield": {"nrow": "2", "ncol": "2", "elevation": "0 0 0 0", "size": "1 1 1 1"},
}
#: Attributes that hold names or paths, where "nan" would be a word like any other.
_NAMES = re.compile(
    r".*(name|class|file|model|body|joint|geom|site|mesh|tendon|material)\d?|prefix"
)

#: Attributes that hold numbers of which dynamics are made.
_NUMBERS = {
    *("pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "fromto", "size", "offset", "count"),
    *("mass", "density", "diaginertia", "fullinertia", "axis", "ref", "range", "armature"),
    *("damping", "frictionloss", "gear", "anchor", "relpose", "polycoef", "coef", "gravity"),
}

#: MuJoCo's warnings go to one place for the whole process. A signal handler may load a file, too.
_ONE_AT_A_TIME = threading.RLock()

#: Vertices of a tetrahedron in the place of a mesh.
_STAND_IN = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
#: What the compiled model knows of each body's inertia.
_INERTIA = ("body_mass", "body_inertia", "body_ipos", "body_iquat")


@dataclass(frozen=True)
class MeshAsset:
    """A mesh of the file: its path as written, and on disk (None: not found).

    scale, then placement (4, 4), take the vertices of the file to the frame of a geom.
    """

    path: str
    file: Path | None
    scale: tuple[float, float, float]
    placement: Floats


@dataclass(eq=False)
class Source:
    """The text of a file, reduced to what dynamics need, with one tag per line.

    attached: texts of the files that it attaches, by the names they have in it. Lines are numbered
    on from one text to the next; `lines` has the element of each.
    """

    root: Element
    folders: list[Path]
    text: str = ""
    attached: dict[str, bytes] = field(default_factory=dict)
    lines: list[Element] = field(default_factory=list)

    def element(self, message: str) -> Element | None:
        """Return the element at the line that a text of MuJoCo names, None if it names none."""
        match = re.search(r"line (?:number ?)?(?:= ?)?(\d+)", message, re.IGNORECASE)
        line = int(match[1]) if match else 0
        return self.lines[line - 1] if 0 < line <= len(self.lines) else None

    def append(self, root: Element) -> str:
        """Return an element as text whose lines follow those of the texts before it."""
        from xml.sax.saxutils import quoteattr  # imports an HTTP client

        out = ["\n" * len(self.lines)]
        todo: list[tuple[Element, bool]] = [(root, False)]
        while todo:
            node, closing = todo.pop()
            self.lines.append(node)
            if closing:
                out.append(f"</{node.tag}>\n")
                continue
            pairs = node.attributes.items()
            text = "".join(f" {key}={quoteattr(value)}" for key, value in pairs)
            out.append(f"<{node.tag}{text}>\n")
            todo.append((node, True))
            todo.extend((child, False) for child in reversed(node.children))
        return "".join(out)


@dataclass(frozen=True)
class Compiled:
    """A compiled file: its `mujoco.MjModel`, the specification of that, and its meshes by name."""

    source: Source
    model: Any
    spec: Any
    meshes: dict[str, MeshAsset]

    def locate(self, error: ModelError) -> ModelError:
        """Return the error with file and line of the element it is about, if that is known."""
        root, node = self.source.root, None
        if isinstance(error, CompiledError):
            plural = {"body": "bodies", "equality": "equalities"}
            items = getattr(self.spec, plural.get(error.kind, f"{error.kind}s"))
            item = next(item for item in items if item.id == error.index)
            # MuJoCo does not know where a <freejoint> is, but where its body is
            held = error.kind in ("joint", "site")
            node = self.source.element(item.info or (item.parent.info if held else ""))
        where = root.where if node is None else f"{node.source}:{node.line}"
        return ModelError(f"{where}: {str(error).removeprefix(f'{root.source}: ')}")


def read_source(
    path_or_text: str | os.PathLike[str], package_dirs: Folders = (), source: str | None = None
) -> Source:
    """Return the reduced MJCF of a file, or of the XML text itself if the string contains '<'."""
    out = Source(read_xml(path_or_text, source), folders(package_dirs))
    _reduce(out.root, out, ())
    out.text = out.append(out.root)
    return out


def _reduce(root: Element, source: Source, above: tuple[str, ...]) -> int:
    """Reduce a file and those it attaches; return its size. above: the files that attach it."""
    if root.tag != "mujoco":
        raise root.error("expected <mujoco>, the root of an MJCF file")
    if root.source in above:
        raise root.error("the file attaches itself")
    _splice_includes(root, source.folders)
    _check_numbers(root)
    root.children = [child for child in root.children if child.tag not in _SECTIONS]
    said = [child.attributes.pop("strippath", "") for child in root.all("compiler")]
    strip = next((word for word in reversed(said) if word), "false") == "true"
    sizes: dict[str, int] = {}
    for node in root.walk():
        node.children = [child for child in node.children if child.tag not in _DROPPED]
        for asset in list(node.children) if node.tag == "asset" else ():
            path = asset.attributes.get("file", "")
            name = asset.attributes.get("name") or PureWindowsPath(path).stem
            if asset.tag == "texture" and not name:
                node.children.remove(asset)  # no material can use it
            elif asset.tag in _TINY:
                asset.attributes = {"name": name, **_TINY[asset.tag]}
            elif asset.tag == "mesh":
                _check_builtin(asset)
                if strip and path:
                    asset.attributes["file"] = PureWindowsPath(path).name
            elif asset.tag == "model":
                name, sizes[name] = _attach(asset, source, (*above, root.source))
    return _size(root, sizes)


def _attach(asset: Element, source: Source, above: tuple[str, ...]) -> tuple[str, int]:
    """Reduce the file that an <asset>'s <model> names; return the model's name and size."""
    if len(source.attached) == MAX_ATTACHED:
        raise asset.error(f"expected at most {MAX_ATTACHED} attached files")
    root = read_xml(_find_file(asset, source.folders))
    asset.attributes["file"] = key = f"jounce_{len(source.attached)}.xml"
    source.attached[key] = b""  # before those that it attaches itself
    size = _reduce(root, source, above)
    source.attached[key] = source.append(root).encode()
    return asset.attributes.get("name") or root.attributes.get("model", ""), size


# ------------------------------------------------------------------ includes and bounds


def _splice_includes(root: Element, places: list[Path]) -> None:
    """Put the children of included files in the place of the <include> elements."""
    seen, total = {os.path.realpath(root.source)}, 0
    for node in root.walk():  # a node's children are walked after they were changed here
        todo, done = node.children[::-1], []
        while todo:
            child = todo.pop()
            if child.tag != "include":
                done.append(child)
                continue
            where = _find_file(child, places)
            if os.path.realpath(where) in seen:
                raise child.error(f"the file '{where}' is already included")
            seen.add(os.path.realpath(where))
            total += where.stat().st_size
            if total > MAX_BYTES:
                raise child.error(f"expected included files of at most {MAX_BYTES} bytes in all")
            inside = read_xml(where).children
            for new in inside:
                new.parent = node
            todo.extend(reversed(inside))
        node.children = done


def _find_file(node: Element, places: list[Path]) -> Path:
    """Return the file an element names, in the folder of its own or the main file, or another."""
    path = node.string("file")
    where = _resolve(path, (node.source, _main_file(node)), places)
    if where is None:
        raise node.error(f"attribute 'file': cannot find '{path}'")
    return where


def _resolve(path: str, origins: Sequence[str], places: list[Path]) -> Path | None:
    """Return where a path lies that is relative to one of these files; None if it is not found."""
    tries = (resolve_mesh(path, origin, places) for origin in origins)
    return next((file for file in tries if file is not None), None)


def _main_file(node: Element) -> str:
    """Return the file that the one an element is in was included in."""
    while node.parent is not None:
        node = node.parent
    return node.source


def _check_numbers(root: Element) -> None:
    """Refuse what MuJoCo passes over: it logs NaN, and takes mass="" for no mass at all."""
    for node in root.walk():
        for key, value in node.attributes.items():
            if key in _NUMBERS and not value.strip():
                raise node.error(f"attribute '{key}': expected numbers, found none")
            if "nan" in value.lower() and not _NAMES.fullmatch(key):
                words = value.lower().split()
                if any(word.lstrip("+-").startswith("nan") for word in words):
                    raise node.error(f"attribute '{key}': expected numbers, found '{value}'")


def _size(root: Element, attached: dict[str, int]) -> int:
    """Return how many elements a file expands to; too many are refused.

    <replicate> and <composite> multiply what they hold, <attach> brings what another file has.
    """
    total = 0
    todo: list[tuple[Element, int]] = [(root, 1)]
    while todo:
        node, copies = todo.pop()
        if node.tag in ("flex", "flexcomp"):
            raise node.error("flexible bodies are not supported; only rigid bodies and joints are")
        if node.tag in ("replicate", "composite"):
            for word in node.attributes.get("count", "1").split():
                digits = word.lstrip("+")[:9]  # more are too many anyway
                plain = digits.isascii() and digits.isdecimal()
                copies *= max(1, int(digits)) if plain else 1
        if node.tag == "attach":
            total += copies * attached.get(node.attributes.get("model", ""), 0)
        total += copies
        if total > MAX_ELEMENTS:
            raise node.error(f"expected at most {MAX_ELEMENTS} elements, with all replicas")
        todo.extend((child, copies) for child in node.children)
    return total


def _check_builtin(node: Element) -> None:
    """Refuse procedural meshes that take MuJoCo much time and memory."""
    if "builtin" not in node.attributes:
        return
    for word in node.attributes.get("params", "").split():
        try:
            fits = abs(number(word)) <= MAX_MESH_PARAMETER
        except ValueError:
            fits = False
        if not fits:
            raise node.error(f"attribute 'params': expected numbers up to {MAX_MESH_PARAMETER}")


# ------------------------------------------------------------------ compiling


def compile_source(source: Source, mujoco: Any) -> Compiled:
    """Compile a file; errors are ModelErrors at the elements they are about.

    Meshes are only opened where the inertia of a body depends on them, which is seen by compiling
    with stand-ins of two sizes. Warnings of the compiler are ModelWarnings.
    """
    with heard(mujoco) as said:
        out = _compile_with_needed_meshes(source, mujoco)
    for text in said:
        text = f"{source.root.source}: MuJoCo warns: {text}"
        warn(text, ModelWarning)
    return out


@contextlib.contextmanager
def heard(mujoco: Any) -> Iterator[dict[str, None]]:
    """Collect MuJoCo's warnings, which it would print and write to a file in this folder."""
    said: dict[str, None] = {}
    with compiling(), _ONE_AT_A_TIME, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        before = mujoco.get_mju_user_warning()
        mujoco.set_mju_user_warning(lambda text: said.update({text.strip(): None}))
        try:
            yield said
        finally:
            mujoco.set_mju_user_warning(before)
            said.update({str(warning.message).strip(): None for warning in caught})


def _compile_with_needed_meshes(source: Source, mujoco: Any) -> Compiled:
    with _locate_errors(source):
        spec = mujoco.MjSpec.from_string(source.text, source.attached)
    meshes = [mesh for mesh in spec.meshes if mesh.file]
    nodes = {mesh.name: source.element(mesh.info) or source.root for mesh in meshes}
    assets = {mesh.name: _mesh_asset(mesh, nodes[mesh.name], source) for mesh in meshes}
    model, spec, loose = _probe(source, mujoco, assets, list(assets))
    if loose:
        for name, asset in assets.items():
            _check_size(asset, nodes[name])
        missing = [name for name, asset in assets.items() if asset.file is None]
        model, spec, loose = _probe(source, mujoco, assets, missing)
        if loose:
            paths = ", ".join(f"'{assets[name].path}'" for name in missing)
            raise nodes[missing[0]].error(
                f"the inertia of {', '.join(loose)} is computed from meshes, of which these were"
                f" not found: {paths}; give each such body an <inertial>, or pass package_dirs="
                " (on the command line --package-dir)"
            )
    return Compiled(source, model, spec, assets)


def _mesh_asset(mesh: Any, node: Element, source: Source) -> MeshAsset:
    """Describe the mesh of a specification that has a file.

    Its vertices are taken to the frame (refpos, refquat), then scaled; here they are scaled first.
    The result is not a pose if the frame is rotated and the scale differs between axes (rare).
    """
    # as it is written: MuJoCo makes package:/ of package://
    written = node.attributes.get("file") or str(mesh.file)
    path = os.path.join(str(mesh.compiler.meshdir), written)
    file = _resolve(path, (_main_file(node), node.source), source.folders)
    x, y, z = (float(factor) for factor in mesh.scale)
    T, turn = np.eye(4), np.array(mesh.refquat)
    length = np.linalg.norm(turn)
    if length > 0.0:
        T[:3, :3] = rotation_from_quaternion(turn / length).astype(float).T
    T[:3, 3] = -T[:3, :3] @ (np.array(mesh.refpos) * (x, y, z))
    return MeshAsset(path, file, (x, y, z), T)


def _check_size(asset: MeshAsset, node: Element) -> None:
    if asset.file is not None:
        try:
            with opened(asset.file) as file:
                check_size(os.fstat(file.fileno()).st_size, MAX_MESH_BYTES, f"mesh '{asset.file}'")
        except (OSError, ModelError) as error:
            raise node.error(str(error)) from error


def _probe(
    source: Source, mujoco: Any, assets: dict[str, MeshAsset], stand_ins: Sequence[str]
) -> tuple[Any, Any, list[str]]:
    """Compile with stand-ins for some meshes; return also the bodies whose inertia they make."""
    model, spec = _compile(source, mujoco, assets, stand_ins, 1.0)
    if not stand_ins:
        return model, spec, []
    other, _ = _compile(source, mujoco, assets, stand_ins, 2.0)
    loose = np.zeros(model.nbody, dtype=bool)
    for name in _INERTIA:
        changed = getattr(model, name) != getattr(other, name)
        loose |= changed.reshape(model.nbody, -1).any(axis=1)
    return model, spec, [f"body '{model.body(int(i)).name}'" for i in np.flatnonzero(loose)]


def _compile(
    source: Source, mujoco: Any, assets: dict[str, MeshAsset], stand_ins: Sequence[str], size: float
) -> tuple[Any, Any]:
    with _locate_errors(source):
        spec = mujoco.MjSpec.from_string(source.text, source.attached)
        spec.compiler.fusestatic = False
        # else the lengths of muscles are found by simulation
        spec.compiler.LRopt.mode = mujoco.mjtLRMode.mjLRMODE_NONE
        for mesh in spec.meshes:
            if mesh.name in stand_ins:
                mesh.file, mesh.uservert, mesh.scale = "", _STAND_IN, [size] * 3
            elif mesh.name in assets:
                mesh.file = str(assets[mesh.name].file)
        return spec.compile(), spec


@contextlib.contextmanager
def _locate_errors(source: Source) -> Iterator[None]:
    """Raise MuJoCo's complaints as errors at the elements whose lines they name."""
    try:
        yield
    except Exception as error:  # the bindings raise ValueError, RuntimeError and their own
        tail = r"^(XML )?Error: |\n?(Element|Object) (name )?['=].*"
        text = " ".join(re.sub(tail, "", str(error), flags=re.DOTALL).split()) or str(error)
        node = source.element(str(error)) or source.root
        raise node.error(f"MuJoCo cannot compile it: {text}") from error
