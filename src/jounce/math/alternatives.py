"""Formulations that give the same result: formulas offer them, tracing keeps the shortest.

A formula that can be evaluated in several exact ways calls `choose`. Outside of `selecting` it gets
the first one; tracing runs the formula with different selections and compares the lengths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


class Selection:
    """Which of the alternatives a formula shall take.

    Attributes
    ----------
    chosen : dict of str to str
        The alternative of each subject; the first one for subjects that are not here.
    offered : dict of str to tuple of str
        What formulas have asked about so far, in order, with the alternatives of each.
    """

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self.chosen = dict(chosen)
        self.offered: dict[str, tuple[str, ...]] = {}

    def taken(self, subject: str) -> str:
        """The alternative of a subject that was offered: the chosen one if there is such a one."""
        names = self.offered[subject]
        chosen = self.chosen.get(subject, names[0])
        return chosen if chosen in names else names[0]


_selection: ContextVar[Selection | None] = ContextVar("selection", default=None)


@contextmanager
def selecting(chosen: Mapping[str, str]) -> Iterator[Selection]:
    """Make formulas take these alternatives while the context lasts."""
    selection = Selection(chosen)
    token = _selection.set(selection)
    try:
        yield selection
    finally:
        _selection.reset(token)


def choose(subject: str, alternatives: Mapping[str, T]) -> T:
    """Return the selected alternative of a subject, by default the first.

    Parameters
    ----------
    subject : str
        What is computed; the same wherever the same decision is asked for.
    alternatives : mapping of str to object
        Formulations by name.
    """
    names = tuple(alternatives)
    selection = _selection.get()
    if selection is None:
        return alternatives[names[0]]
    selection.offered.setdefault(subject, names)
    return alternatives[selection.taken(subject)]
