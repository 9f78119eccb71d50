"""Extensions that installed distributions offer by entry points.

Groups: "jounce.readers" (a suffix and a function), "jounce.joint_kinds" (a name and a `Kind`),
"jounce.targets" (a name and a `Target`) and "jounce.array_libraries" (the package of the arrays and
a `Kind` of arrays). They are imported when an unknown name is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from jounce.errors import JounceError


def plugin_names(group: str) -> list[str]:
    """Return the names of a group's entry points, without importing them."""
    return sorted({point.name for point in entry_points(group=f"jounce.{group}")})


def load_plugin(
    group: str, name: str, expected: str, is_valid: Callable[[Any], bool]
) -> Any | None:
    """Return the object of the entry point called `name`, or None if there is none.

    Parameters
    ----------
    group
        "readers", "joint_kinds", "targets" or "array_libraries".
    name
        Name of the entry point.
    expected
        What the object must be, for messages.
    is_valid
        Whether an object is that.

    Raises
    ------
    JounceError
        If the entry point cannot be imported, or leads to another object; names the distribution.
    """
    for point in entry_points(group=f"jounce.{group}"):
        if point.name == name:
            return _load(point, expected, is_valid)
    return None


def _load(point: EntryPoint, expected: str, is_valid: Callable[[Any], bool]) -> Any:
    distribution = point.dist.name if point.dist else "an unknown distribution"
    title = f"entry point '{point.name} = {point.value}' ({point.group}) of {distribution}"
    try:
        loaded = point.load()
    except Exception as error:  # third-party code may raise anything
        text = f"{type(error).__name__}: {error}"
        raise JounceError(f"{title} cannot be imported: {text}") from error
    if not is_valid(loaded):
        raise JounceError(f"{title}: expected {expected}, found {loaded!r}")
    return loaded
