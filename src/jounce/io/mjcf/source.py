"""MJCF files as MuJoCo's compiler gets them: includes spliced in, and nothing that dynamics ignore.

The compiler runs in this process, so what it is given is bounded first: textures, height fields,
sensors, keyframes, buffers and everything else that only costs memory is left out, and meshes are
stand-ins unless an inertia is computed from them. So a missing mesh or texture stops nothing that
does not need it. Its errors are mapped back to the file, line and element they are about.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from jounce.errors import ModelError, ModelWarning, warn
from jounce.io.colours import colour
from jounce.io.files import check_size, opened
from jounce.io.numbers import number
from jounce.io.packages import Folders, folders, resolve_mesh
from jounce.io.surfaces.files import MAX_BYTES as MAX_MESH_BYTES
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
    "contact",
    "custom",
    "extension",
    "keyframe",
    "sensor",
    "size",
    "statistic",
    "visual",
}
#: Elements left out wherever they are.
_DROPPED = {"camera", "lengthrange", "light", "material", "plugin", "skin", "texture"}
#: Attributes of <compiler> that are done here: where assets lie, and merging of fixed bodies.
_COMPILER = {"assetdir", "fusestatic", "meshdir", "strippath", "texturedir"}
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

#: The file after which MuJoCo's compiler in this process no longer works, if there was one.
_broke_down_on: list[str] = []

#: A tetrahedron in the place of a mesh.
_STAND_IN = "0 0 0 1 0 0 0 1 0 0 0 1"
#: What the compiled model knows of each body's inertia.
_INERTIA = ("body_mass", "body_inertia", "body_ipos", "body_iquat")


@dataclass(eq=False)
class MeshAsset:
    """A mesh of the file: its path as written, where it lies on disk (None: not found).

    scale, then placement (4, 4), take the vertices of the file to the frame of a geom.
    """

    node: Element
    path: str
    file: Path | None
    scale: tuple[float, float, float]
    placement: Floats


@dataclass(eq=False)
class Source:
    """A file, its includes spliced in, reduced to what dynamics need."""

    root: Element
    meshes: dict[str, MeshAsset] = field(default_factory=dict)
    attached: dict[str, Source] = field(default_factory=dict)
    size: int = 0

    def sources(self) -> Iterator[Source]:
        """This file and all that it attaches."""
        yield self
        for other in self.attached.values():
            yield from other.sources()


def read_source(
    path_or_text: str | os.PathLike[str], package_dirs: Folders = (), source: str | None = None
) -> Source:
    """The reduced MJCF of a file, or of the XML text itself if the string contains '<'."""
    names = (f"jounce_{i}.xml" for i in range(MAX_ATTACHED))
    return _read(read_xml(path_or_text, source), folders(package_dirs), (), names)


def _read(root: Element, given: list[Path], above: tuple[str, ...], names: Iterator[str]) -> Source:
    """Reduce a file and those it attaches; above: files that attach it; names: for the latter."""
    if root.tag != "mujoco":
        raise root.error("expected <mujoco>, the root of an MJCF file")
    if root.source in above:
        raise root.error("the file attaches itself")
    _splice_includes(root, given)
    _check_numbers(root)
    source = Source(root)
    sizes: dict[str, int] = {}
    place = _asset_folder(root)
    defaults = _mesh_defaults(root)
    colours = _material_colours(root)
    for node in root.walk():
        _reduce(node, colours, top=node is root)
        for child in node.children if node.tag == "asset" else ():
            if child.tag == "mesh":
                _add_mesh(source, child, defaults, place, given)
            elif child.tag == "model":
                where = read_xml(_found(child, child.string("file"), root, given))
                name = next(names, None)
                if name is None:
                    raise child.error(f"expected at most {MAX_ATTACHED} attached files")
                other = _read(where, given, (*above, root.source), names)
                source.attached[name], child.attributes["file"] = other, name
                sizes[child.attributes.get("name") or where.attributes.get("model", "")] = (
                    other.size
                )
    source.size = _size(root, sizes)
    return source


# ------------------------------------------------------------------ includes and bounds


def _splice_includes(root: Element, given: list[Path]) -> None:
    """Put the children of included files in the place of the <include> elements."""
    seen, total = {_absolute(root.source)}, 0
    for node in root.walk():  # a node's children are walked after they were changed here
        todo, done = node.children[::-1], []
        while todo:
            child = todo.pop()
            if child.tag != "include":
                done.append(child)
                continue
            where = _found(child, child.string("file"), root, given)
            if _absolute(where) in seen:
                raise child.error(f"the file '{where}' is already included")
            seen.add(_absolute(where))
            total += where.stat().st_size
            if total > MAX_BYTES:
                raise child.error(f"expected included files of at most {MAX_BYTES} bytes in all")
            inside = read_xml(where).children
            for new in inside:
                new.parent = node
            todo.extend(reversed(inside))
        node.children = done


def _absolute(path: str | os.PathLike[str]) -> str:
    return os.path.realpath(path)


def _found(node: Element, path: str, root: Element, given: list[Path]) -> Path:
    """The file an element names: beside the file that holds it, the main file, or in a folder."""
    for source in (node.source, root.source):
        where = resolve_mesh(path, source, given)
        if where is not None:
            return where
    raise node.error(f"attribute 'file': cannot find '{path}'")


def _check_numbers(root: Element) -> None:
    """What MuJoCo passes over: NaN is no more than a line in a log file, mass="" is no mass at all.

    An empty anchor even breaks it down.
    """
    for node in root.walk():
        for key, value in node.attributes.items():
            if key in _NUMBERS and not value.strip():
                raise node.error(f"attribute '{key}': expected numbers, found none")
            if "nan" in value.lower() and not _NAMES.fullmatch(key):
                words = value.lower().split()
                if any(word.lstrip("+-").startswith("nan") for word in words):
                    raise node.error(f"attribute '{key}': expected numbers, found '{value}'")


def _size(root: Element, attached: dict[str, int]) -> int:
    """How many elements a file expands to; too many are refused.

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


# ------------------------------------------------------------------ what is left out


def _material_colours(root: Element) -> dict[str, str]:
    """The "rgba" of each material by name; one with a texture and no colour of its own has none."""
    found = (node for node in root.walk() if node.tag == "material" and "name" in node.attributes)
    rgba = {node.attributes["name"]: node.attributes.get("rgba", "") for node in found}
    return {name: text for name, text in rgba.items() if colour(text) is not None}


def _reduce(node: Element, colours: dict[str, str], top: bool) -> None:
    dropped = _DROPPED | _SECTIONS if top else _DROPPED
    node.children = [child for child in node.children if child.tag not in dropped]
    rgba = colours.get(node.attributes.pop("material", ""))
    if rgba and node.tag == "geom":  # a geom's own colour is before its material's
        node.attributes.setdefault("rgba", rgba)
    if node.tag == "compiler":
        for key in _COMPILER:
            node.attributes.pop(key, None)
        # else the lengths of muscles are found by simulation
        quick = Element("lengthrange", {"mode": "none"}, node.line, node.source, node)
        node.children.append(quick)
    elif node.tag == "hfield" and node.parent is not None and node.parent.tag == "asset":
        name = node.attributes.get("name") or _stem(node.attributes.get("file", ""))
        flat = {"name": name, "nrow": "2", "ncol": "2", "elevation": "0 0 0 0"}
        node.attributes = {"size": node.attributes.get("size", "1 1 1 1"), **flat}
    elif node.tag == "mujoco" and node.find("compiler") is None:
        node.children.insert(0, Element("compiler", {}, node.line, node.source, node))


def _stem(path: str) -> str:
    """The name MuJoCo gives to an asset without one: its file's, without folder and suffix."""
    return re.split(r"[/\\]", path)[-1].rpartition(".")[0] or path


# ------------------------------------------------------------------ meshes


def _asset_folder(root: Element) -> tuple[str, bool]:
    """Folder of the meshes as the file's <compiler> elements say, and whether paths are cut."""
    folder, strip = "", False
    for compiler in root.all("compiler"):
        options = compiler.attributes
        folder = options.get("meshdir", options.get("assetdir", folder))
        strip = options.get("strippath", str(strip)).lower() == "true"
    return folder, strip


def _mesh_defaults(root: Element) -> dict[str, dict[str, str]]:
    """Attributes of <mesh> by default class; the class "" is that of the top."""
    out: dict[str, dict[str, str]] = {"": {}}
    todo = [(node, "") for node in root.all("default")]
    while todo:
        node, above = todo.pop(0)
        own = node.attributes.get("class", "") if node.parent is not root else ""
        mesh = node.find("mesh")
        out[own] = {**out[above], **out.get(own, {}), **({} if mesh is None else mesh.attributes)}
        todo.extend((child, own) for child in node.all("default"))
    return out


def _add_mesh(
    source: Source,
    node: Element,
    defaults: dict[str, dict[str, str]],
    place: tuple[str, bool],
    given: list[Path],
) -> None:
    path = node.attributes.get("file", "")
    if not path and "builtin" not in node.attributes:
        return  # its vertices are in the element
    options = {**defaults.get(node.attributes.get("class", ""), defaults[""]), **node.attributes}
    name = node.attributes.setdefault("name", _stem(path))
    folder, strip = place
    end = re.split(r"[/\\]", path)[-1] if strip else path
    file = None
    if path:
        tries = (resolve_mesh(os.path.join(folder, end), s, given) for s in _origins(source, node))
        file = next((found for found in tries if found is not None), None)
    probe = Element("mesh", options, node.line, node.source, node.parent)
    x, y, z = probe.vector("scale", 3, (1.0, 1.0, 1.0)).tolist()
    where = os.path.join(folder, end) if path else ""
    source.meshes[name] = MeshAsset(node, where, file, (x, y, z), _mesh_placement(probe, (x, y, z)))


def _mesh_placement(probe: Element, scale: tuple[float, float, float]) -> Floats:
    """Vertices are taken to the frame (refpos, refquat), then scaled; here they are scaled first.

    That is no pose if the frame is turned and the scale differs between the axes; nobody does it.
    """
    T = np.eye(4)
    turn = probe.vector("refquat", 4, (1.0, 0.0, 0.0, 0.0))
    length = np.linalg.norm(turn)
    if length > 0.0:
        T[:3, :3] = rotation_from_quaternion(turn / length).astype(float).T
    T[:3, 3] = -T[:3, :3] @ (probe.vector("refpos", 3, (0.0, 0.0, 0.0)) * scale)
    return T


def _origins(source: Source, node: Element) -> tuple[str, str]:
    """Files a mesh's path may be relative to: the main one, then the one that names it."""
    return source.root.source, node.source


# ------------------------------------------------------------------ compiling


def compile_source(source: Source, mujoco: Any) -> Any:
    """The compiled `mujoco.MjModel`; errors are ModelErrors at the elements they are about.

    Meshes are only opened where the inertia of a body depends on them, which is seen by compiling
    with stand-ins of two sizes. What the compiler warns about is a ModelWarning.
    """
    with heard(mujoco) as said:
        model = _with_meshes_it_needs(source, mujoco)
    for text in said:
        text = f"{source.root.source}: MuJoCo's compiler says: {text}"
        warn(text, ModelWarning)
    return model


@contextlib.contextmanager
def heard(mujoco: Any) -> Iterator[dict[str, None]]:
    """Collects MuJoCo's warnings, which it would print and write to a file in this folder."""
    said: dict[str, None] = {}
    with compiling(), _ONE_AT_A_TIME:
        before = mujoco.get_mju_user_warning()
        mujoco.set_mju_user_warning(lambda text: said.update({text.strip(): None}))
        try:
            yield said
        finally:
            mujoco.set_mju_user_warning(before)


def _with_meshes_it_needs(source: Source, mujoco: Any) -> Any:
    assets = [mesh for part in source.sources() for mesh in part.meshes.values()]
    model, loose = _probe(source, mujoco, assets)
    if not loose:
        return model
    missing = [mesh for mesh in assets if mesh.path and mesh.file is None]
    for mesh in assets:
        _check_mesh(mesh)
    model, loose = _probe(source, mujoco, missing)
    if loose:
        names = ", ".join(f"'{mesh.path}'" for mesh in missing)
        raise missing[0].node.error(
            f"the inertia of {', '.join(loose)} is computed from meshes, of which these were not"
            f" found: {names}; give each such body an <inertial>, or pass package_dirs= (on the"
            " command line --package-dir)"
        )
    return model


def _check_mesh(mesh: MeshAsset) -> None:
    if mesh.file is not None:
        try:
            with opened(mesh.file) as file:
                check_size(os.fstat(file.fileno()).st_size, MAX_MESH_BYTES, f"mesh '{mesh.file}'")
        except (OSError, ModelError) as error:
            raise mesh.node.error(str(error)) from error
    if "builtin" in mesh.node.attributes:
        for word in mesh.node.attributes.get("params", "").split():
            try:
                fits = abs(number(word)) <= MAX_MESH_PARAMETER
            except ValueError:
                fits = False
            if not fits:
                raise mesh.node.error(
                    f"attribute 'params': expected numbers up to {MAX_MESH_PARAMETER}"
                )


def _probe(source: Source, mujoco: Any, stand_ins: list[MeshAsset]) -> tuple[Any, list[str]]:
    """The model compiled with stand-ins for some meshes, and the bodies whose inertia they make."""
    model = _compiled(source, mujoco, stand_ins, 1.0)
    if not stand_ins:
        return model, []
    other = _compiled(source, mujoco, stand_ins, 2.0)
    loose = np.zeros(model.nbody, dtype=bool)
    for name in _INERTIA:
        changed = getattr(model, name) != getattr(other, name)
        loose |= changed.reshape(model.nbody, -1).any(axis=1)
    return model, [f"body '{model.body(int(i)).name}'" for i in np.flatnonzero(loose)]


def _compiled(source: Source, mujoco: Any, stand_ins: list[MeshAsset], size: float) -> Any:
    texts: dict[str, bytes] = {}
    for part in source.sources():
        for name, other in part.attached.items():
            texts[name] = _text(other, stand_ins, size)[0].encode()
    text, lines = _text(source, stand_ins, size)
    if _broke_down_on:
        raise source.root.error(
            f"MuJoCo crashed on '{_broke_down_on[0]}' and would hang now; restart Python"
        )
    try:
        return mujoco.MjModel.from_xml_string(text, texts)
    except Exception as error:  # the bindings raise ValueError, RuntimeError and their own
        if "unknown exception" in str(error):  # it leaves locks of its own behind
            _broke_down_on.append(source.root.source)
        raise _located(str(error), source, [] if texts else lines) from error


def _located(message: str, source: Source, lines: list[Element]) -> ModelError:
    """MuJoCo's complaint as an error at the element whose line in our text it names."""
    tail = r"^(XML )?Error: |\n?(Element|Object) (name )?['=].*"
    text = " ".join(re.sub(tail, "", message, flags=re.DOTALL).split())
    found = re.search(r"line (?:number ?)?(?:= ?)?(\d+)", message, re.IGNORECASE)
    line = int(found[1]) if found else 0
    if 0 < line <= len(lines):
        return lines[line - 1].error(f"MuJoCo's compiler says: {text}")
    return source.root.error(f"MuJoCo's compiler says: {text or message}")


def _text(source: Source, stand_ins: list[MeshAsset], size: float) -> tuple[str, list[Element]]:
    """The file as one tag per line, and the element of each line."""
    from xml.sax.saxutils import quoteattr  # imports an HTTP client

    changed: dict[Element, dict[str, str]] = {}
    for name, mesh in source.meshes.items():
        if mesh in stand_ins:
            scale = f"{size} {size} {size}"
            changed[mesh.node] = {"name": name, "vertex": _STAND_IN, "scale": scale}
        elif mesh.file is not None:
            changed[mesh.node] = {**mesh.node.attributes, "file": str(mesh.file)}
    out: list[str] = []
    lines: list[Element] = []
    todo: list[tuple[Element, bool]] = [(source.root, False)]
    while todo:
        node, closing = todo.pop()
        lines.append(node)
        if closing:
            out.append(f"</{node.tag}>")
            continue
        pairs = changed.get(node, node.attributes).items()
        out.append(f"<{node.tag}{''.join(f' {key}={quoteattr(value)}' for key, value in pairs)}>")
        todo.append((node, True))
        todo.extend((child, False) for child in reversed(node.children))
    return "\n".join(out), lines
