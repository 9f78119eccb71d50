"""Chunks of arrays that are given together: batch axes cut alike, all others in one piece."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import dask.array as da
import numpy as np

from jounce.errors import ArgumentError
from jounce.quantities.arrays import Shape, plain, with_core

#: Sizes of the blocks along an axis; those that are not known yet are NaN.
Chunks = tuple[float, ...]


@dataclass(frozen=True)
class Operand:
    """An array of a call. name: of the argument. core: its last axes, those of one sample."""

    name: str
    array: Any
    core: Shape

    @property
    def batch(self) -> tuple[float, ...]:
        """Sizes of the axes that broadcast."""
        return tuple(self.array.shape[: self.array.ndim - len(self.core)])

    @property
    def chunks(self) -> tuple[Chunks, ...]:
        """Blocks along the axes that broadcast; NumPy's arrays have one."""
        if isinstance(self.array, da.Array):
            return tuple(self.array.chunks[: len(self.batch)])
        return tuple((n,) for n in self.batch)


def checked(x: Any, name: str, what: str, core: Shape) -> Operand:
    """An argument as an operand, after a look at its kind of numbers and its last axes.

    what: how messages begin, such as "panda.mass_matrix: argument 'q'".
    """
    if not isinstance(x, da.Array):
        return Operand(name, with_core(plain(x, what), what, core), core)
    _real(x, what)
    unknown = any(math.isnan(n) for n in x.shape[max(x.ndim - len(core), 0) :])
    if unknown and x.ndim >= len(core):
        wanted = ", ".join(("...", *map(str, core)))
        raise ArgumentError(
            f"{what} must have shape ({wanted}), found {x.shape}, of which nobody knows the size of"
            " an axis that is no batch axis; call its compute_chunk_sizes() first"
        )
    with_core(x, what, core)
    return Operand(name, x, core)


def _real(x: da.Array, what: str) -> None:
    """Refuse arrays whose blocks no kernel takes."""
    if isinstance(x._meta, np.ndarray):
        plain(np.empty(0, x.dtype), what)
    elif x.dtype.kind not in "fiub" or x.dtype.itemsize > 8:
        raise TypeError(f"{what} must be real float64 or float32, found {x.dtype}")


def aligned(title: str, operands: Sequence[Operand]) -> tuple[tuple[Chunks, ...], list[da.Array]]:
    """Blocks of the batch that operands broadcast to, and all of them as arrays cut like that.

    Only axes of samples are merged that are not in one piece; others are cut where one of the
    operands is. Where sizes are not known, blocks belong together one by one.
    """
    count = max((len(x.batch) for x in operands), default=0)
    batch = tuple(_common(title, operands, count - axis) for axis in range(count))
    return batch, [_cut(x, batch) for x in operands]


def _common(title: str, operands: Sequence[Operand], back: int) -> Chunks:
    """Blocks along a batch axis, the `back`th from their end."""
    found = [x.chunks[-back] for x in operands if len(x.batch) >= back and x.batch[-back] != 1]
    if not found:
        return (1,)
    if any(math.isnan(n) for chunks in found for n in chunks):
        return _of_unknown_size(title, operands, found)
    if len({sum(chunks) for chunks in found}) > 1:
        text = ", ".join(f"{x.name} {_shown(x.batch)}" for x in operands)
        raise ArgumentError(f"{title}: batch axes do not broadcast: {text}")
    if len({*found}) == 1:
        return found[0]
    edges = sorted({int(edge) for chunks in found for edge in np.cumsum((0, *chunks))})
    return tuple(b - a for a, b in pairwise(edges)) or (0,)


def _of_unknown_size(
    title: str, operands: Sequence[Operand], found: Sequence[Chunks]
) -> tuple[float, ...]:
    """Blocks along an axis of which not all sizes are known: as many of each operand."""
    if len({*map(len, found)}) == 1:
        sizes = [{n for n in block if not math.isnan(n)} for block in zip(*found, strict=True)]
        if all(len(known) <= 1 for known in sizes):
            return tuple(known.pop() if known else math.nan for known in sizes)
    text = ", ".join(f"{x.name} {x.chunks}" for x in operands)
    raise ArgumentError(
        f"{title}: blocks of unknown size belong together one by one, and these do not: {text};"
        " call compute_chunk_sizes() of those whose sizes are nan"
    )


def _cut(operand: Operand, batch: tuple[Chunks, ...]) -> da.Array:
    """An operand, cut like the batch where it is not broadcast."""
    x, own = operand.array, len(operand.batch)
    wanted: Any = [
        (1,) if n == 1 else chunks
        for n, chunks in zip(operand.batch, batch[len(batch) - own :], strict=True)
    ]
    wanted += [(n,) for n in operand.core]
    if not isinstance(x, da.Array):
        chunks: Any = tuple(wanted)
        return da.from_array(np.asarray(x), chunks=chunks)
    changed: Any = {
        axis: new
        for axis, (old, new) in enumerate(zip(x.chunks, wanted, strict=True))
        if old != new and not any(map(math.isnan, (*old, *new)))
    }
    return x.rechunk(changed) if changed else x


def _shown(batch: tuple[float, ...]) -> str:
    return str(tuple(n if math.isnan(n) else int(n) for n in batch))


def together(operands: Sequence[Operand]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Axes of blocks (operand, axis) that must turn out alike, where nobody knows sizes yet."""
    found = []
    for back in range(1, max((len(x.batch) for x in operands), default=0) + 1):
        places = tuple(
            (k, -len(x.core) - back)
            for k, x in enumerate(operands)
            if len(x.batch) >= back and x.batch[-back] != 1
        )
        if len(places) > 1 and any(math.isnan(operands[k].batch[-back]) for k, _ in places):
            found.append(places)
    return tuple(found)
