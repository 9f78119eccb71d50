"""Registry of functions that packages above offer to those below, imported on first use.

A robot offers what is built on it: mechanisms, rollouts, exports, viewers. Packages import only
what is below them, so such functions are registered by name (`jounce/__init__.py`), as
"module:name".
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

_PATHS: dict[str, str] = {}


def register(paths: Mapping[str, str]) -> None:
    """Register functions or classes.

    Parameters
    ----------
    paths
        Where each is found, "package.module:name", by the name that `provide` is asked for.
    """
    _PATHS.update(paths)


def provide(name: str) -> Any:
    """Return what is registered under a name, importing its module if need be.

    Raises
    ------
    LookupError
        If nothing is registered under the name.
    """
    if name not in _PATHS:
        raise LookupError(f"nothing is registered as '{name}', found {', '.join(sorted(_PATHS))}")
    module, _, attribute = _PATHS[name].partition(":")
    return getattr(import_module(module), attribute)
