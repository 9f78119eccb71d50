"""Old names of attributes, modules and arguments, which work for one more version and warn."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial, update_wrapper, wraps
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from operator import attrgetter
from types import MethodType, ModuleType
from typing import Any, ClassVar, TypeVar, cast

from jounce.errors import warn

_Class = TypeVar("_Class")
_Function = TypeVar("_Function", bound=Callable[..., Any])


def renamed_attribute(owner: Any, old: str, new: str) -> Any:
    """Return a renamed attribute, with a DeprecationWarning at the user's line.

    Parameters
    ----------
    owner
        Object whose attribute was requested.
    old
        Old name, which the user wrote.
    new
        Path of attributes from the owner, such as "export.c"; or "module:function" for a function
        that takes the owner as its first argument.

    Returns
    -------
    The attribute or, for a function, a partial function with its first argument bound.
    """
    module, _, function = new.rpartition(":")
    usage = describe_replacement(new)
    warn(f".{old} is deprecated; use {usage if module else f'.{usage}'}", DeprecationWarning)
    if module:
        return partial(getattr(import_module(module), function), owner)
    return attrgetter(new)(owner)


def describe_replacement(new: str) -> str:
    """Return the replacement of an attribute as users write it.

    Parameters
    ----------
    new : str
        Path or function, as in `renamed_attribute`.

    Returns
    -------
    str
        Such as "export.c" or "jounce.solve.motion.play(robot, ...)".
    """
    return f"{new.replace(':', '.')}(robot, ...)" if ":" in new else new


def renamed_keyword(old: str, new: str) -> Callable[[_Function], _Function]:
    """Return a decorator of a function that still accepts the old name of an argument.

    Parameters
    ----------
    old, new : str
        Old and new name of the keyword argument.

    Returns
    -------
    callable
        Decorator; the old name issues a DeprecationWarning.
    """

    def decorate(function: _Function) -> _Function:
        @wraps(function)
        def call(*args: Any, **named: Any) -> Any:
            if old in named and new not in named:
                title = f"{function.__module__}.{function.__name__}"
                warn(f"{title}: {old}= is deprecated; use {new}=", DeprecationWarning)
                named[new] = named.pop(old)
            return function(*args, **named)

        return cast(_Function, call)

    return decorate


def renamed_field(old: str, new: str) -> Callable[[type[_Class]], type[_Class]]:
    """Return a class decorator that keeps the old name of a dataclass field.

    The constructor still accepts the old keyword and objects still have the old attribute; both
    issue a DeprecationWarning.

    Parameters
    ----------
    old, new : str
        Old and new name of the field.

    Returns
    -------
    callable
        Class decorator.
    """

    def decorate(cls: type[_Class]) -> type[_Class]:
        initialize: Callable[..., None] = cls.__init__

        @wraps(initialize)
        def __init__(self: Any, *args: Any, **named: Any) -> None:
            if old in named and new not in named:
                warn(f"{cls.__name__}: {old}= is deprecated; use {new}=", DeprecationWarning)
                named[new] = named.pop(old)
            initialize(self, *args, **named)

        cls.__init__ = __init__
        setattr(cls, old, property(lambda self: renamed_attribute(self, old, new)))
        return cls

    return decorate


# ------------------------------------------------------------------ names in modules


def moved_names(
    module: str, names: Mapping[str, str], otherwise: Callable[[str], Any] | None = None
) -> Callable[[str], Any]:
    """Return `__getattr__` of a module with old names.

    Parameters
    ----------
    module
        Full name of the module.
    names
        Old names with the full names of their replacements, "package.module.name".
    otherwise
        `__getattr__` for all other names.

    Returns
    -------
    callable
        The function `__getattr__`.
    """

    def find(name: str) -> Any:
        if name in names:
            home, _, new = names[name].rpartition(".")
            return _get_moved(f"{module}.{name}", home, new)
        if otherwise is not None:
            return otherwise(name)
        raise AttributeError(f"module '{module}' has no attribute '{name}'", name=name)

    return find


def _get_moved(old: str, module: str, name: str) -> Any:
    value = getattr(import_module(module), name)
    if not name.startswith("__"):
        warn(f"{old} is deprecated; use {module}.{name}", DeprecationWarning)
    return value


def _forward(old: str, new: str, name: str) -> Any:
    """Return a name of the module `new` that was requested from the module `old`."""
    if name.startswith("__") and name != "__all__":  # in particular __path__: modules exist once
        raise AttributeError(f"{old} has no attribute '{name}'", name=name)
    return _get_moved(f"{old}.{name}", new, name)


class _FunctionNamedAsPackage:
    """A function with the old name of a package, whose names are attributes of it."""

    # modules below it are imported by old names too
    __path__: ClassVar[list[str]] = []
    __spec__: ClassVar[None] = None

    def __init__(self, function: Callable[..., Any], old: str, new: str) -> None:
        self._old, self._new = old, new
        update_wrapper(self, function)

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, ModuleType):  # ignore modules imported by old names
            super().__setattr__(name, value)

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self.__wrapped__(*args, **named)

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        """Bind as functions do; help() recognizes functions by this method."""
        return self if owner is None else MethodType(self, owner)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__all__":  # such as __annotations__
            return getattr(self.__wrapped__, name)
        return _forward(self._old, self._new, name)

    def __reduce__(self) -> str:
        return self.__qualname__

    def __repr__(self) -> str:
        return repr(self.__wrapped__)


def function_named_as_package(old: str, new: str) -> Callable[[_Function], _Function]:
    """Return a decorator of a function that has the former name of its package.

    Parameters
    ----------
    old
        Full name that the function has now and the package had, "jounce.identify".
    new
        Full name of the package.

    Returns
    -------
    The decorator. Names of the package are attributes of the function, and warn.
    """
    return lambda function: cast(_Function, _FunctionNamedAsPackage(function, old, new))


class _MovedModule(ModuleType):
    """A module with an old name."""

    def __init__(self, old: str, new: str) -> None:
        super().__init__(old, f"Deprecated: import from `{new}`.")
        self._new = new

    def __getattr__(self, name: str) -> Any:
        return _forward(self.__name__, self._new, name)


class _AliasFinder(MetaPathFinder, Loader):
    """Importer of modules by other names.

    Public names import the modules themselves; all others forward to the names in the modules, with
    a warning.
    """

    def __init__(self, names: Mapping[str, str], public: bool) -> None:
        self._names, self._public = names, public

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Return the spec of a module with another name; None for all other modules."""
        new_name = self._new_name(fullname)
        return ModuleSpec(fullname, self, is_package=True) if new_name else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return a module that forwards to the one with the new name."""
        return _MovedModule(spec.name, str(self._new_name(spec.name)))

    def exec_module(self, module: ModuleType) -> None:
        """Replace the module in `sys.modules` by its target, if that is public or a function."""
        name = module.__name__
        target: Any = import_module(str(self._new_name(name)))
        if not self._public:  # a function may have the old name of its package
            target = getattr(target, name.rpartition(".")[2], None)
        if self._public or isinstance(target, _FunctionNamedAsPackage):
            sys.modules[name] = cast(ModuleType, target)

    def _new_name(self, old: str) -> str | None:
        if not old.startswith("jounce."):  # called for every import of the process
            return None
        parts = old.split(".")
        for k in range(len(parts), 1, -1):
            new = self._names.get(".".join(parts[:k]))
            if new:
                return ".".join((new, *parts[k:]))
        return None


def alias_modules(moved: Mapping[str, str], public: Mapping[str, str]) -> None:
    """Make modules importable by old and short names.

    Parameters
    ----------
    moved
        Old full names of packages and modules with their new names; names inside warn.
    public
        Short names of modules with their full names; they do not warn.
    """
    # first in the list, since modules in a public package would be imported a second time
    sys.meta_path.insert(0, _AliasFinder(public, public=True))
    sys.meta_path.append(_AliasFinder(moved, public=False))
