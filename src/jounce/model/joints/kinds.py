"""Joint kinds that models name: built-in ones, added ones, and those of installed distributions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from jounce.errors import JounceError, JounceWarning, ModelError, suggest, warn
from jounce.model.joints.joint_kind import Kind
from jounce.model.joints.motion_check import problem
from jounce.model.joints.motions import (
    FREE,
    HELICAL,
    PLANAR,
    PRISMATIC,
    REVOLUTE,
    SPHERICAL,
    ElementaryMotion,
)
from jounce.utils.plugins import load_plugin, plugin_names

# ------------------------------------------------------------------ the rows

_SLIDE = (True, True, True, True, True, False)
#: The first axis is y of frame a and the second one x of frame b.
_CROSS = (False, False, True, True, True, True)

_BUILT_IN = (
    Kind(
        "revolute",
        (REVOLUTE,),
        aliases={
            "urdf": ("revolute", "continuous"),
            "sdf": ("revolute", "continuous"),
            "mjcf": ("hinge",),
            "dh": ("R",),
        },
        loop="revolute",
    ),
    Kind(
        "prismatic",
        (PRISMATIC,),
        aliases={
            "urdf": ("prismatic",),
            "sdf": ("prismatic",),
            "mjcf": ("slide",),
            "dh": ("P",),
        },
        loop=_SLIDE,
    ),
    Kind("helical", (HELICAL,), aliases={"sdf": ("screw",)}),
    Kind("cylindrical", (REVOLUTE, PRISMATIC), names=("turn", "slide")),
    Kind(
        "universal",
        (REVOLUTE, REVOLUTE),
        ("axis", "axis2"),
        aliases={"sdf": ("universal", "revolute2")},
        loop=_CROSS,
    ),
    Kind(
        "spherical",
        (SPHERICAL,),
        aliases={"sdf": ("ball",), "mjcf": ("ball",)},
        loop="spherical",
    ),
    Kind("planar", (PLANAR,), aliases={"urdf": ("planar",)}),
    Kind("free", (FREE,), aliases={"urdf": ("floating",), "mjcf": ("free",)}),
)

#: The kind of the joint that holds a floating base.
FLOATING = "free"

_kinds: dict[str, Kind] = {kind.name: kind for kind in _BUILT_IN}

#: Kinds by name, those that were added included.
KINDS: Mapping[str, Kind] = MappingProxyType(_kinds)


def kind_of(name: str, what: str = "", others: Sequence[str] = ()) -> Kind:
    """Return a joint kind by its name.

    Parameters
    ----------
    name : str
        Name in `KINDS`, or one that an installed distribution offers.
    what : str
        Beginning of error messages, such as "joint 'elbow'".
    others : sequence of str
        Further names that messages list.

    Returns
    -------
    Kind
        The kind.

    Raises
    ------
    ModelError
        If there is no such kind.
    """
    kind = KINDS.get(name) or _load_kind(name)
    if kind is None:
        start = f"{what}: " if what else ""
        names = dict.fromkeys((*KINDS, *plugin_names("joint_kinds"), *others))
        raise ModelError(f"{start}unknown kind '{name}'; {suggest(name, names)}")
    return kind


def _load_kind(name: str) -> Kind | None:
    """Add the kind that an installed distribution offers; None if there is none."""
    expected = f"a jounce.model.joints.Kind called '{name}'"
    is_valid = lambda x: isinstance(x, Kind) and x.name == name  # noqa: E731
    kind = load_plugin("joint_kinds", name, expected, is_valid)
    if kind is None or KINDS.get(name) is kind:  # its module, or another thread, has added it
        return kind
    return add(kind)


def add(kind: Kind) -> Kind:
    """Add a kind of joints in this process.

    Models refer to kinds by name, so a process that loads a pickle must have added the same ones.

    Parameters
    ----------
    kind : Kind
        The new kind.

    Returns
    -------
    Kind
        The same.

    Raises
    ------
    ModelError
        If the name or a word of a format is in use, or a motion is inconsistent.
    """
    if kind.name in KINDS or kind.name == "fixed":
        raise ModelError(f"joint kind '{kind.name}': this name is in use; choose another")
    for form, words in kind.aliases.items():
        taken = spellings(form)
        for word in words:
            if word in taken:
                raise ModelError(
                    f"joint kind '{kind.name}': '{word}' already means a {taken[word]} joint in"
                    f" {form}; choose another word"
                )
    for motion in kind.motions:
        reason = problem(motion)
        if reason:
            raise ModelError(f"joint kind '{kind.name}': motion '{motion}': {reason}")
    _kinds[kind.name] = kind
    return kind


def remove(name: str) -> None:
    """Remove a kind that was added.

    Parameters
    ----------
    name : str
        Name of the kind.

    Raises
    ------
    ModelError
        If there is no such kind, or it is built in.
    """
    if kind_of(name) in _BUILT_IN:
        raise ModelError(f"joint kind '{name}': built-in kinds cannot be removed")
    del _kinds[name]


def spellings(form: str, word: str = "") -> dict[str, str]:
    """Return the names of kinds by the words of a file format.

    Parameters
    ----------
    form : {"urdf", "sdf", "mjcf", "dh"}
        File format.
    word : str
        If it is not among them, kinds of installed distributions are imported.

    Returns
    -------
    dict of str to str
        Names of kinds, such as {"hinge": "revolute"} for "mjcf".
    """
    if word not in ("", "fixed", *(x for k in KINDS.values() for x in k.aliases.get(form, ()))):
        for name in plugin_names("joint_kinds"):
            try:
                kind_of(name)
            except JounceError as error:
                warn(str(error), JounceWarning)
    return {word: kind.name for kind in KINDS.values() for word in kind.aliases.get(form, ())}


def alone(motion: ElementaryMotion) -> Kind | None:
    """Return the kind that consists of one motion only.

    Parameters
    ----------
    motion : ElementaryMotion
        The motion.

    Returns
    -------
    Kind or None
        The kind; None if there is none.
    """
    return next((kind for kind in KINDS.values() if kind.motions == (motion,)), None)


def table(kinds: Iterable[Kind] = _BUILT_IN) -> str:
    """Return kinds as a table in Markdown, with their coordinates and velocities.

    Parameters
    ----------
    kinds : iterable of Kind
        By default those that are built in.

    Returns
    -------
    str
        The table.
    """
    rows = [("kind", "q", "v"), *((kind.name, *kind.coordinates) for kind in kinds)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    rule = "|" + "|".join("-" * (w + 2) for w in widths) + "|"
    return "\n".join((lines[0], rule, *lines[1:]))
