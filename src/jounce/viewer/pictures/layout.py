"""Where the joints of a tree go in a drawing: generations to the right, branches below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

#: The last column of a chain that goes on in a new line, and that of chains which need not.
COLUMNS, WIDEST = 10, 13


class Place(NamedTuple):
    """A column and a row, from 0; wrapped: whether the chain before it ends at the margin."""

    column: int
    row: int
    wrapped: bool = False


def places(parents: Sequence[int]) -> list[Place]:
    """A place for each joint by the body it is on (-1: the world, which is at the top left).

    The first child of a body stays in its row, the others start rows of their own below; a row
    that reaches the margin goes on in the next one, where it has begun.
    """
    children: dict[int, list[int]] = {i: [] for i in range(-1, len(parents))}
    for i, parent in enumerate(parents):
        children[parent].append(i)
    depths: list[int] = []
    for parent in parents:
        depths.append(1 + (0 if parent < 0 else depths[parent]))
    longest = max(depths, default=0)
    columns = longest if longest <= WIDEST else COLUMNS
    out: dict[int, Place] = {}
    rows = 1
    # a stack, not recursion: chains may be longer than Python's recursion limit. What is on it:
    # joint, column, the row that it stays in (-1: a new one), where the row begins, if wrapped
    stack = [(i, 1, -1 if k else 0, 1, False) for k, i in enumerate(children[-1])][::-1]
    while stack:
        i, column, row, start, wrapped = stack.pop()
        if row < 0:
            row, rows = rows, rows + 1
        out[i] = Place(column, row, wrapped)
        margin = max(columns, start + 2)
        for k, child in reversed([*enumerate(children[i])]):
            if column + 1 > margin:
                stack.append((child, start, -1, start, True))
            elif k:
                stack.append((child, column + 1, -1, column + 1, False))
            else:
                stack.append((child, column + 1, row, start, False))
    return [out[i] for i in range(len(parents))]
