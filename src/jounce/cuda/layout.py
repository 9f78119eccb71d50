"""How a kernel steps through the samples of an array, without a copy where that can be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

Shape = tuple[int, ...]


def step(shape: Shape, strides: Sequence[int], core: Shape, batch: Shape, size: int) -> int | None:
    """Entries from one sample to the next, 0 for the same one again; None if that varies.

    shape, strides: of the array, the latter in bytes. core: its last axes, which must lie row by
    row. batch: what its other axes broadcast to. size: bytes of an entry.
    """
    own = len(shape) - len(core)
    if not contiguous(core, strides[own:], size):
        return None
    ahead = len(batch) - own
    axes = [
        (n, strides[k - ahead] if k >= ahead and shape[k - ahead] != 1 else 0)
        for k, n in enumerate(batch)
        if n != 1
    ]
    if any(outer != n * inner for (_, outer), (n, inner) in pairwise(axes)):
        return None
    entries, rest = divmod(axes[-1][1] if axes else 0, size)
    return None if rest else entries


def contiguous(shape: Shape, strides: Sequence[int], size: int) -> bool:
    """Whether entries of so many bytes lie row by row, without a gap."""
    if 0 in shape:
        return True
    expected = size
    for n, stride in zip(reversed(shape), reversed(strides), strict=True):
        if n != 1 and stride != expected:
            return False
        expected *= n
    return True


def span(shape: Shape, strides: Sequence[int], size: int) -> tuple[int, int]:
    """The first byte that an array takes, and the one after its last, from its first entry on."""
    if 0 in shape:
        return 0, 0
    ends = [(n - 1) * stride for n, stride in zip(shape, strides, strict=True)]
    return sum(min(x, 0) for x in ends), sum(max(x, 0) for x in ends) + size
