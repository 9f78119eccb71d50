"""Lazy values: names imported on first use (PEP 562), and cached properties without locks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from functools import cached_property as _cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    cached_property = _cached_property
else:

    class cached_property(_cached_property):
        """functools.cached_property without its lock, as from Python 3.12 on.

        All objects of a class share that lock. A forked process could inherit it locked, and code
        interrupted by a signal handler could hold it while workers of the handler wait for it.
        """

        def __init__(self, func: Callable[[Any], Any]) -> None:
            super().__init__(func)
            self.lock = nullcontext()


from jounce.errors import find_similar


def submodules(
    package: str,
    functions: Mapping[str, str] | None = None,
    modules: Iterable[str] = (),
    optional: Iterable[str] = (),
    synonyms: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package that imports names on first use.

    Parameters
    ----------
    package
        Full name of the package. Every module in its folder becomes an attribute.
    functions
        Further names, each with the module that it is imported from.
    modules
        Further importable modules that are not files of the folder.
    optional
        Modules that `__dir__` lists only if the library of the same name is installed; they are
        not in `__all__`, since `import *` would import them.
    synonyms
        Names in other libraries, as they are or in lower case without underscores, each with what
        messages suggest instead.

    Returns
    -------
    The functions `__getattr__` and `__dir__`. The latter lists `__all__` of the package, or all of
    its content if there is no `__all__`.
    """
    functions = functions or {}

    def list_modules() -> list[str]:
        import pkgutil

        modules_in_folder = pkgutil.iter_modules(sys.modules[package].__path__)
        return [module.name for module in modules_in_folder if not module.name.startswith("_")]

    def list_names() -> list[str]:
        content = vars(sys.modules[package])
        installed = [name for name in optional if find_spec(name) is not None]
        return sorted({*(content.get("__all__") or {*content, *list_modules()}), *installed})

    def import_name(name: str) -> Any:
        if name in functions:
            return getattr(import_module(functions[name]), name)
        if name.startswith("_") or name not in {*modules, *list_modules()}:
            raise AttributeError(
                _describe_unknown(package, name, list_names(), synonyms or {}), name=name
            )
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] == "jounce":
                raise
            # an AttributeError, so that hasattr() and tab completion still work
            raise AttributeError(f"{package}.{name} needs the package {error.name}") from error

    return import_name, list_names


def _describe_unknown(
    package: str, name: str, valid: list[str], synonyms: Mapping[str, str]
) -> str:
    close = find_similar(name, [x for x in valid if not x.startswith("_")])
    replacement = synonyms.get(name) or synonyms.get(name.replace("_", "").casefold())
    if replacement and (close or "").casefold() != name.casefold():
        return f"module '{package}' has no attribute '{name}'; use {replacement}"
    hint = f"; did you mean '{close}'?" if close else ""
    return f"module '{package}' has no attribute '{name}'{hint}"
