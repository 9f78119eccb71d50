"""Sums of things that come in order, always added as the same tree.

Neighbours first, then neighbours of these sums, and so on, as in ((0 1) (2 3)) ((4 5) 6): not even
the last bits depend on who was ready first, and few things are held at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def tree_sum(items: Iterable[T], add: Callable[[T, T], T]) -> T:
    """The sum of all items, of which there is one at least."""
    held: list[tuple[int, T]] = []
    for item in items:
        level = 0
        while held and held[-1][0] == level:
            item, level = add(held.pop()[1], item), level + 1
        held.append((level, item))
    if not held:
        raise ValueError("there is nothing to add")
    _, total = held.pop()
    while held:
        total = add(held.pop()[1], total)
    return total
