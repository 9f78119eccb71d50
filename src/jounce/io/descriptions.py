"""Robots of the robot_descriptions package, by name."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jounce.errors import ModelError, suggest

_PACKAGE = "robot_descriptions"
_SUFFIX = "_description"


@dataclass(frozen=True)
class Description:
    """A file of the package: its path, and folders in which its meshes may lie."""

    path: Path
    package_dirs: tuple[Path, ...]


def find_description(name: str, xacro_args: Mapping[str, Any] | None = None) -> Description | None:
    """Return a robot of the robot_descriptions package, or None if there is none of that name.

    `name` is a module, "panda_description", or short, "panda"; both also after
    "robot_descriptions/". A robot that comes both as URDF and as MJCF ("panda_mj_description") is
    taken as URDF. The package downloads missing files.

    Raises
    ------
    ModelError
        If the package cannot provide the robot, or if a name after "robot_descriptions/" is
        unknown.
    """
    short = name.removeprefix(f"{_PACKAGE}/")
    module = _module(short)
    if module is None:
        if short != name:
            raise ModelError(_explain_missing(name, short))
        return None
    try:
        robot = importlib.import_module(module)
        path = _path(robot, xacro_args)
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
            if importlib.util.find_spec(f"{_PACKAGE}.{full}") is not None:
                return f"{_PACKAGE}.{full}"
        except ModuleNotFoundError:  # the package itself is not there
            return None
    return None


def _explain_missing(name: str, short: str) -> str:
    """Return why a name after "robot_descriptions/" cannot be read."""
    package = importlib.import_module(_PACKAGE) if importlib.util.find_spec(_PACKAGE) else None
    if package is None:
        return (
            f"cannot read '{name}': it needs the package robot_descriptions; pip install"
            " 'jounce[descriptions]'"
        )
    names = [x.name for x in pkgutil.iter_modules(package.__path__) if x.name.endswith(_SUFFIX)]
    hint = suggest(short, names, "choose one of")
    return f"cannot read '{name}': robot_descriptions has no robot '{short}'; {hint}"


def _path(module: Any, xacro_args: Mapping[str, Any] | None) -> Path:
    has_xacro = bool(getattr(module, "XACRO_PATH", None))
    if xacro_args is not None and not has_xacro:
        raise ModelError("xacro_args are for robots that come as xacro, which this one does not")
    for key in ("URDF_PATH", "MJCF_PATH"):
        if xacro_args is None and getattr(module, key, None):
            return Path(getattr(module, key))
    if not has_xacro:
        raise ModelError("it has neither URDF_PATH nor MJCF_PATH nor XACRO_PATH")
    arguments = {key: str(value) for key, value in (xacro_args or {}).items()}
    expand = importlib.import_module(f"{_PACKAGE}._xacro").get_urdf_path
    return Path(expand(module, arguments) if arguments else expand(module))
