"""Robots of the robot_descriptions package, by name."""

from __future__ import annotations

import importlib
import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jounce.errors import ModelError

_SUFFIX = "_description"


@dataclass(frozen=True)
class Description:
    """A file of the package: its path, and folders in which its meshes may lie."""

    path: Path
    package_dirs: tuple[Path, ...]


def find_description(name: str) -> Description | None:
    """Return a robot of the robot_descriptions package, or None if there is none of that name.

    `name` is a module, "panda_description", or short, "panda". A robot that comes both as URDF and
    as MJCF ("panda_mj_description") is taken as URDF. The package downloads missing files.
    """
    module = _module(name)
    if module is None:
        return None
    try:
        robot = importlib.import_module(module)
        path = _path(robot)
    except Exception as error:  # no network, no git, no disk: whatever the package meets
        text = str(error).strip() or type(error).__name__
        raise ModelError(f"robot_descriptions cannot get '{name}': {text}") from error
    places = [getattr(robot, key, None) for key in ("PACKAGE_PATH", "REPOSITORY_PATH")]
    near = [Path(place) for place in places if place]
    return Description(path, (*near, *(place.parent for place in near), path.parent))


def _module(name: str) -> str | None:
    if not re.fullmatch(r"[A-Za-z0-9]\w*", name, re.ASCII):
        return None
    names = [name] if name.endswith(_SUFFIX) else [f"{name}{_SUFFIX}", f"{name}_mj{_SUFFIX}"]
    for full in names:
        try:
            if importlib.util.find_spec(f"robot_descriptions.{full}") is not None:
                return f"robot_descriptions.{full}"
        except ModuleNotFoundError:  # the package itself is not there
            return None
    return None


def _path(module: Any) -> Path:
    for key in ("URDF_PATH", "MJCF_PATH"):
        if getattr(module, key, None):
            return Path(getattr(module, key))
    if getattr(module, "XACRO_PATH", None):
        return Path(importlib.import_module("robot_descriptions._xacro").get_urdf_path(module))
    raise ModelError("it has neither URDF_PATH nor MJCF_PATH nor XACRO_PATH")
