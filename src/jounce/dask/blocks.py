"""Work on blocks as lazy arrays, of which shape, chunks, dtype and meta are known at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from operator import getitem
from typing import Any

import dask.array as da
import numpy as np
from dask.array.utils import meta_from_array
from dask.base import tokenize
from dask.delayed import delayed

from jounce.dask.chunks import Chunks, Operand, aligned
from jounce.dask.tasks import Work, run
from jounce.quantities.arrays import Shape

#: Kinds of numbers of results.
DTypes = Sequence[np.dtype[Any]]


def deferred(
    title: str, work: Work, operands: Sequence[Operand], outputs: Sequence[Shape], dtypes: DTypes
) -> tuple[da.Array, ...]:
    """The results of work, which asks for blocks of all operands in this order.

    outputs: core shapes of the results. Each block is one task, which depends on those of the
    operands and on the work itself, one value of the graph.
    """
    batch, arrays = aligned(title, operands)
    key = f"jounce-{tokenize(work)}"
    shared = delayed(work, name=key, traverse=False, pure=True)
    given: list[Any] = [shared, None]
    numbers = count(len(batch))  # of axes
    for x, operand in zip(arrays, operands, strict=True):
        own = len(operand.batch)
        merged = [next(numbers) for _ in operand.core]
        given += [x, (*range(len(batch) - own, len(batch)), *merged)]
    like, name = _like(arrays), _name(work)
    if len(outputs) == 1:
        axes = {next(numbers): n for n in outputs[0]}
        return (_blockwise(run, name, batch, axes, given, _meta(like, batch, axes, dtypes[0])),)
    every = _blockwise(run, name, batch, {}, given, _meta(like, batch, {}, dtypes[0]))
    found = []
    for k, (core, dtype) in enumerate(zip(outputs, dtypes, strict=True)):
        axes = {next(numbers): n for n in core}
        part = [every, tuple(range(len(batch))), k, None]
        meta = _meta(like, batch, axes, dtype)
        found.append(_blockwise(getitem, name, batch, axes, part, meta))
    return tuple(found)


def _blockwise(
    function: Any,
    name: str,
    batch: tuple[Chunks, ...],
    axes: dict[int, int],
    given: Sequence[Any],
    meta: Any,
) -> da.Array:
    """A function of blocks; axes: numbers and sizes of the results' last axes."""
    return da.blockwise(
        function,
        (*range(len(batch)), *axes),
        *given,
        token=name,
        new_axes=axes,
        adjust_chunks=dict(enumerate(batch)),
        align_arrays=False,
        meta=meta,
    )


def _name(work: Work) -> str:
    """What Dask's pictures show of it."""
    name = getattr(work.function, "__name__", type(work.function).__name__.lower())
    return re.sub(r"\W+", "_", name).strip("_")


def _like(arrays: Sequence[da.Array]) -> Any:
    """What blocks of results are like: NumPy's, or those of the library that operands are of."""
    others = [x._meta for x in arrays if not isinstance(x._meta, np.ndarray)]
    return others[0] if others else np.empty(0)


def _meta(like: Any, batch: tuple[Chunks, ...], axes: dict[int, int], dtype: Any) -> Any:
    return meta_from_array(like, ndim=len(batch) + len(axes), dtype=dtype)
