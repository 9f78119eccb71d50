"""The public names of a package or module; needs no Sphinx."""

from __future__ import annotations

import inspect
import re
from types import ModuleType
from typing import Any

#: The directive `{api}` on pages of the reference: its module, and its options.
DIRECTIVE = re.compile(r"^```\{api\} ([\w.]+)\n((?::\w+:.*\n)*)```", re.MULTILINE)


def public_names(module: ModuleType) -> dict[str, Any]:
    """Functions, classes and values that a module offers under a name of its own."""
    module_name = module.__name__
    names = getattr(module, "__all__", None) or vars(module)
    package = hasattr(module, "__path__") and module_name != "jounce"
    out = {}
    for name in names:
        value = getattr(module, name)
        home = getattr(value, "__module__", None) or ""
        if name.startswith("_") or isinstance(value, ModuleType):
            continue
        if not (inspect.isclass(value) or inspect.isroutine(value)):
            continue
        within = home == module_name or (package and home.startswith(f"{module_name}."))
        if within or module_name == "jounce" or getattr(module, "__all__", None):
            out[name] = value
    return out
