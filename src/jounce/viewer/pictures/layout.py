"""Layout of the joints of a tree in a drawing: children to the right, branches below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

#: Last column of wrapped chains, and maximum number of columns without wrapping.
COLUMNS, WIDEST = 10, 13


class Place(NamedTuple):
    """A column and a row, from 0; wrapped: True if the chain before it ends at the margin."""

    column: int
    row: int
    wrapped: bool = False


def places(parents: Sequence[int]) -> list[Place]:
    """Return a place for each joint, given its parent (-1: the world, at the top left).

    The first child of a body stays in its row, the others start new rows below; a row that reaches
    the margin continues in a new one.
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
    # a stack instead of recursion, as chains may exceed Python's recursion limit. Its entries:
    # joint, column, row (-1: a new one), first column of the row, wrapped
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
