"""Old names of attributes, which work for one more version and warn."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from operator import attrgetter
from typing import Any

from jounce.errors import warn


def renamed_attribute(owner: Any, old: str, new: str) -> Any:
    """Return what an attribute is called now, with a DeprecationWarning at the user's line.

    Parameters
    ----------
    owner
        Object that was asked for the attribute.
    old
        Name that the user wrote.
    new
        Path of attributes from the owner, such as "export.c"; or "module:function" for a function
        that takes the owner as its first argument.

    Returns
    -------
    The attribute or, for a function, the function with its first argument given.
    """
    module, _, function = new.rpartition(":")
    usage = f"{module}.{function}(robot, ...)" if module else f".{new}"
    warn(f".{old} is deprecated; use {usage}", DeprecationWarning)
    if module:
        return partial(getattr(import_module(module), function), owner)
    return attrgetter(new)(owner)
