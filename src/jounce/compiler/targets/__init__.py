"""Targets: what a tape can become. Machine code, arithmetic, source text, WebAssembly.

The runtime, exports and the code of GPUs find a target here, by its name. `base.py` says what a
target is, `function.py` what it is given; each target is a module or package that is imported when
asked for. docs/guide/backends.md adds one. Start with `base.py`, then `interpreter.py`, the
simplest.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

from jounce.compiler.targets.base import Target
from jounce.compiler.targets.function import Function, Variable, scalar_of
from jounce.compiler.targets.text import folded, variable_name
from jounce.utils.deprecation import moved_names
from jounce.utils.lazy import submodules
from jounce.utils.plugins import load_plugin, plugin_names

if TYPE_CHECKING:
    from jounce.compiler.targets import interpreter
    from jounce.compiler.targets.project import Project, Samples

__all__ = [
    "DEFAULT",
    "TARGETS",
    "Function",
    "Project",
    "Samples",
    "Target",
    "Variable",
    "folded",
    "get_host_target",
    "get_target",
    "interpreter",
    "scalar_of",
    "variable_name",
]

if not TYPE_CHECKING:
    _import_name, __dir__ = submodules(
        __name__,
        {
            "Project": "jounce.compiler.targets.project",
            "Samples": "jounce.compiler.targets.project",
        },
    )
    __getattr__ = moved_names(
        __name__,
        {
            "BACKENDS": "jounce.compiler.targets.TARGETS",
            "Backend": "jounce.compiler.targets.Target",
            "backend": "jounce.compiler.targets.get_target",
        },
        _import_name,
    )

#: All targets by name: an object, or the module with a `TARGET`, which is imported when asked for.
TARGETS: dict[str, Target | str] = {
    "llvm": "jounce.compiler.targets.llvm",
    "interpreter": "jounce.compiler.targets.interpreter",
    "nvptx": "jounce.compiler.targets.nvptx",
    "c": "jounce.compiler.targets.c",
    "cuda": "jounce.compiler.targets.cuda",
    "matlab": "jounce.compiler.targets.matlab",
    "wasm": "jounce.compiler.targets.wasm",
}

#: The target that quantities run on by default.
DEFAULT = "llvm"


def get_target(name: str | None = None) -> Target:
    """Return a target by its name.

    Parameters
    ----------
    name : str, optional
        A name in `TARGETS`, perhaps with a machine, such as "nvptx:sm_90" or "llvm:x86-64-v3"; the
        name of a processor alone, such as "native" or "x86-64-v3", means that of LLVM. By default
        what the environment variable JOUNCE_TARGET says, else "llvm".

    Raises
    ------
    ValueError
        If there is no such target, or it does not have the machine.
    """
    default, machine = _split(os.environ.get("JOUNCE_TARGET", "").strip())
    if name and name != default:
        default, machine = _split(name)
    found = TARGETS[default]
    if isinstance(found, str):
        found = import_module(found).TARGET
    if not machine:
        return found
    try:
        return found.for_machine(machine)
    except ValueError as error:
        if default == DEFAULT and _load_target(machine.partition(":")[0]):
            return get_target(machine)
        names = dict.fromkeys((*TARGETS, *plugin_names("targets")))
        others = ", ".join(x for x in names if x != default)
        raise ValueError(f"{error}; other targets: {others}") from None


def _load_target(name: str) -> bool:
    """Register the target that an installed distribution offers; False if there is none."""
    is_target = lambda x: isinstance(getattr(x, "TARGET", x), Target)  # noqa: E731
    expected = "a jounce.compiler.targets.Target, or a module with a TARGET"
    found = load_plugin("targets", name, expected, is_target) if name not in TARGETS else None
    if found is not None:
        TARGETS[name] = getattr(found, "TARGET", found)
    return found is not None


def _split(name: str) -> tuple[str, str]:
    """Return the target and the machine of a name, "" for its default."""
    target, _, machine = name.partition(":")
    if not target:
        return DEFAULT, machine
    return (target, machine) if target in TARGETS else (DEFAULT, name)


def get_host_target(name: str | None = None) -> Target:
    """Return a target whose code runs on this computer's processor; see `get_target`.

    Raises
    ------
    ValueError
        If there is no such target, or quantities cannot run on it.
    """
    found = get_target(name)
    if not found.runs_here:
        raise ValueError(
            f"quantities cannot run on the target {found.name!r}, whose code is for another machine"
            " or compiler; jounce.export.build returns its code"
        )
    return found
