"""Registry of functions of higher layers, which lower layers import by name on first use.

Attributes of a robot create mechanisms, rollouts, exports and viewers, which are built on robots.
Packages import only packages below them, so these functions are registered by name, as
"module:name", in `jounce/__init__.py`.
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
        Paths "package.module:name", keyed by the names that `provide` takes.
    """
    _PATHS.update(paths)


def provide(name: str) -> Any:
    """Return the object registered under a name; import its module if necessary.

    Raises
    ------
    LookupError
        If nothing is registered under the name.
    """
    if name not in _PATHS:
        raise LookupError(f"nothing is registered as '{name}', found {', '.join(sorted(_PATHS))}")
    module, _, attribute = _PATHS[name].partition(":")
    return getattr(import_module(module), attribute)
