"""Targets that tapes are compiled to: machine code, arithmetic, source text, WebAssembly.

The runtime, exports and GPU code look targets up here by name. `base.py` defines the interface,
`function.py` the input; each target is a module or package that is imported on first use.
docs/guide/backends.md adds one. Start with `base.py`, then `interpreter.py`, the simplest.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

from jounce.compiler.targets.base import Target
from jounce.compiler.targets.function import Function, Variable, scalar_of
from jounce.compiler.targets.text import variable_name, wrap_comment
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
    "get_host_target",
    "get_target",
    "interpreter",
    "scalar_of",
    "variable_name",
    "wrap_comment",
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
            "folded": "jounce.compiler.targets.wrap_comment",
        },
        _import_name,
    )

#: All targets by name: an object, or the module that defines it as `TARGET`, imported on first use.
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
        A name in `TARGETS`, optionally with a machine, such as "nvptx:sm_90" or "llvm:x86-64-v3".
        A processor alone, such as "native" or "x86-64-v3", means the target "llvm". By default the
        value of the environment variable JOUNCE_TARGET, else "llvm".

    Returns
    -------
    Target

    Raises
    ------
    ValueError
        If there is no such target, or it does not have the machine.
    """
    default, machine = _split_name(os.environ.get("JOUNCE_TARGET", "").strip())
    if name and name != default:
        default, machine = _split_name(name)
    target = TARGETS[default]
    if isinstance(target, str):
        target = import_module(target).TARGET
    if not machine:
        return target
    try:
        return target.for_machine(machine)
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
    plugin = load_plugin("targets", name, expected, is_target) if name not in TARGETS else None
    if plugin is not None:
        TARGETS[name] = getattr(plugin, "TARGET", plugin)
    return plugin is not None


def _split_name(name: str) -> tuple[str, str]:
    """Return the target and the machine of a name, "" for its default."""
    target, _, machine = name.partition(":")
    if not target:
        return DEFAULT, machine
    return (target, machine) if target in TARGETS else (DEFAULT, name)


def get_host_target(name: str | None = None) -> Target:
    """Return a target whose code runs on this computer's processor; see `get_target`.

    Parameters
    ----------
    name : str, optional
        As for `get_target`.

    Returns
    -------
    Target

    Raises
    ------
    ValueError
        If there is no such target, or quantities cannot run on it.
    """
    target = get_target(name)
    if not target.runs_here:
        raise ValueError(
            f"quantities cannot run on the target {target.name!r}, whose code is for another"
            " machine or compiler; jounce.export.build returns its code"
        )
    return target
