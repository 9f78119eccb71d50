"""MJCF to Model, through MuJoCo's own compiler."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from jounce.errors import ModelError
from jounce.io.builder import Vector, base_kind
from jounce.io.mjcf.model import model_from_mujoco, names_of
from jounce.io.mjcf.source import compile_source, read_source
from jounce.io.packages import Folders
from jounce.io.xml import Element
from jounce.model.model import Model

__all__ = ["model_from_mujoco", "read_mjcf"]


@np.errstate(all="ignore")  # numbers that overflow are refused where they are used
def read_mjcf(
    path_or_text: str | os.PathLike[str],
    *,
    base: str | None = None,
    gravity: Vector | None = None,
    package_dirs: Folders = (),
    source: str | None = None,
) -> Model:
    """The model of an MJCF file, or of the XML text itself if the string contains '<'.

    base: None for the file's own, "fixed" or "floating" (see `model_from_mujoco`). gravity in
    m/s^2, None for the file's own. package_dirs: folders in which included files and meshes are
    searched too. source: the file that a text comes from. Needs the mujoco package.
    """
    if base is not None:
        base_kind(base)
    mujoco = _mujoco()
    reduced = read_source(path_or_text, package_dirs, source)
    root = reduced.root
    compiled = compile_source(reduced, mujoco)
    try:
        return model_from_mujoco(
            compiled,
            source=root.source,
            base=base,
            gravity=gravity,
            name=root.attributes.get("model") or Path(root.source).stem.strip("<>"),
            meshes=reduced.meshes,
        )
    except ModelError as error:
        raise ModelError(located(str(error), root, compiled)) from error


def located(message: str, root: Element, mj: Any) -> str:
    """A message with the line of the element that it names, as far as that can be found."""
    text = message.removeprefix(f"{root.source}: ")
    found = re.search(r"(joint|link|frame|equality|loop) (?:'([^']*)'|number (\d+))", message)
    if found is None:
        return f"{root.where}: {text}"
    tags = {"link": ("body",), "frame": ("site", "body"), "joint": ("joint", "freejoint")}
    nodes = list(root.walk())
    equalities = [x for x in nodes if x.parent is not None and x.parent.tag == "equality"]
    candidates = [x for x in nodes if x.tag in tags.get(found[1], ())] or equalities
    named = [x for x in candidates if x.attributes.get("name") == found[2]]
    bodies = [x for x in nodes if x.tag == "body"]
    if not named and found[3] and int(found[3]) < len(equalities):
        named = [equalities[int(found[3])]]
    if not named and len(bodies) == mj.nbody - 1:  # nothing was replicated or attached
        names = names_of(mj)
        if found[2] in names.joints:
            named = [bodies[int(mj.jnt_bodyid[names.joints.index(found[2])]) - 1]]
        elif found[2] in names.bodies[1:]:
            named = [bodies[names.bodies.index(found[2]) - 1]]
    return f"{named[0].source}:{named[0].line}: {text}" if named else f"{root.where}: {text}"


def _mujoco() -> Any:
    try:
        import mujoco
    except ImportError as error:
        raise ImportError('reading MJCF needs MuJoCo: pip install "jounce[mujoco]"') from error
    return mujoco
