"""Lazy values: submodules imported on first use (PEP 562), and cached properties without locks.

And packages that are called like the function that has their name.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import cached_property as _cached_property
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    cached_property = _cached_property
else:

    class cached_property(_cached_property):
        """functools.cached_property without its lock, as from Python 3.12 on.

        All objects of a class share the lock. A fork could inherit it held, and the code that a
        signal handler interrupts could hold it while the handler's workers wait for it.
        """

        def __init__(self, func: Callable[[Any], Any]) -> None:
            super().__init__(func)
            self.lock = nullcontext()


from jounce.errors import explain_call, find_similar


def submodules(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package: every module in its folder is an attribute."""

    def names() -> list[str]:
        import pkgutil

        found = pkgutil.iter_modules(sys.modules[package].__path__)
        return [module.name for module in found if not module.name.startswith("_")]

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *names()})

    def imported(name: str) -> Any:
        if name.startswith("_") or name not in names():
            raise AttributeError(_unknown(package, name, listed()), name=name)
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] == "jounce":
                raise
            # not an ImportError, which those who only look around would stumble over
            raise AttributeError(f"{package}.{name} needs the package {error.name}") from error

    return imported, listed


class _Callable(ModuleType):
    """A package that is called as the function in it that has its name."""

    def _own(self) -> Callable[..., Any]:
        return vars(self)[self.__name__.rpartition(".")[2]]

    def __call__(self, *args: Any, **named: Any) -> Any:
        return explain_call(self._own())(*args, **named)

    @property
    def __signature__(self) -> Any:
        from inspect import signature

        return signature(self._own())


def callable_by_name(package: str) -> None:
    """Let a package be called like the function of its name: `jounce.study(...)`."""
    sys.modules[package].__class__ = _Callable


def _unknown(package: str, name: str, valid: list[str]) -> str:
    close = find_similar(name, [x for x in valid if not x.startswith("_")])
    hint = f"; did you mean '{close}'?" if close else ""
    return f"module '{package}' has no attribute '{name}'{hint}"
