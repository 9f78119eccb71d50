"""One tree for all sums, whoever adds."""

from __future__ import annotations

from typing import Any

import pytest

from jounce.utils.sums import tree_sum


@pytest.mark.parametrize("count", [1, 2, 3, 5, 7, 8, 13])
def test_neighbours_are_added_level_by_level(count: int) -> None:
    level: list[Any] = list(range(count))
    found = tree_sum(level, lambda one, other: (one, other))
    while len(level) > 1:
        pairs = [level[k : k + 2] for k in range(0, len(level), 2)]
        level = [tuple(pair) if len(pair) == 2 else pair[0] for pair in pairs]
    assert found == level[0]


def test_nothing_has_no_sum() -> None:
    with pytest.raises(ValueError, match="nothing to add"):
        tree_sum([], max)
