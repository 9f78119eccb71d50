"""Alternative formulations of the same result; tracing selects the one with the shortest tape.

A formula that can be evaluated in several exact ways calls `choose`. Outside of `selecting` it gets
the first alternative; tracing runs the formula with different selections and compares the lengths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


class Selection:
    """Selected alternative for each choice that a formula offers.

    Attributes
    ----------
    chosen : dict of str to str
        Name of the selected alternative by subject; the first alternative for missing subjects.
    offered : dict of str to tuple of str
        Subjects passed to `choose` so far, in order, with the names of their alternatives.
    """

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self.chosen = dict(chosen)
        self.offered: dict[str, tuple[str, ...]] = {}

    def select(self, subject: str) -> str:
        """Return the name of the selected alternative of an offered subject."""
        names = self.offered[subject]
        chosen = self.chosen.get(subject, names[0])
        return chosen if chosen in names else names[0]


_selection: ContextVar[Selection | None] = ContextVar("selection", default=None)


@contextmanager
def selecting(chosen: Mapping[str, str]) -> Iterator[Selection]:
    """Make `choose` return these alternatives inside the context."""
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
        Name of the choice; the same wherever the same decision is made.
    alternatives : mapping of str to object
        Formulations by name.

    Returns
    -------
    object
        The selected formulation.
    """
    names = tuple(alternatives)
    selection = _selection.get()
    if selection is None:
        return alternatives[names[0]]
    selection.offered.setdefault(subject, names)
    return alternatives[selection.select(subject)]
