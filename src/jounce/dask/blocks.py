"""Work on blocks as lazy arrays, of which shape, chunks, dtype and meta are known at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import dask.array as da
import numpy as np
from dask.array.utils import meta_from_array
from dask.base import tokenize
from dask.delayed import delayed

from jounce.dask.chunks import Chunks, Operand, aligned, together
from jounce.dask.tasks import Work, part, run
from jounce.quantities.arrays import Shape

#: Kinds of numbers of results.
DTypes = Sequence[np.dtype[Any]]

#: Whether Dask plans queries of arrays (its setting "array.query-planning", an experiment), which
#: knows no values of the graph that tasks share: each then holds its own.
_PLANNED = "_array_expr" in da.Array.__module__


def deferred(
    title: str, work: Work, operands: Sequence[Operand], outputs: Sequence[Shape], dtypes: DTypes
) -> tuple[da.Array, ...]:
    """The results of work, which asks for blocks of all operands in this order.

    outputs: core shapes of the results. Each block is one task, which depends on those of the
    operands and on the work itself, one value of the graph.
    """
    batch, arrays = aligned(title, operands)
    work = replace(work, together=together(operands), title=title)
    key = f"jounce-{tokenize(work)}"
    shared = work if _PLANNED else delayed(work, name=key, traverse=False, pure=True)
    given: list[Any] = [shared, None]
    for x, operand in zip(arrays, operands, strict=True):
        # axes of samples are in one piece: it does not matter which of the result's are theirs, and
        # were they no axes of it, Dask would take this for a reduction and fuse nothing with it
        own, core = len(operand.batch), len(operand.core)
        given += [x, (*range(len(batch) - own, len(batch)), *range(len(batch), len(batch) + core))]
    like, name = _like(arrays), _name(work)
    metas = [
        meta_from_array(like, ndim=len(batch) + len(core), dtype=dtype)
        for core, dtype in zip(outputs, dtypes, strict=True)
    ]
    most = max((len(operand.core) for operand in operands), default=0)
    if len(outputs) == 1 and len(outputs[0]) >= most:
        return (_blockwise(run, name, batch, outputs[0], given, metas[0]),)
    several = len(outputs) > 1
    every = _blockwise(run, name, batch, (1,) * most, given, np.empty((0,) * (len(batch) + most)))
    found = []
    for k, (core, meta) in enumerate(zip(outputs, metas, strict=True)):
        # new axes, with numbers that none of those has which are merged
        parts = [every, (*range(len(batch)), *range(-most, 0)), k if several else None, None]
        found.append(_blockwise(part, name, batch, core, parts, meta))
    return tuple(found)


def _blockwise(
    function: Any,
    name: str,
    batch: tuple[Chunks, ...],
    core: Shape,
    given: Sequence[Any],
    meta: Any,
) -> da.Array:
    """A function of blocks whose results have these blocks along the batch, and this core."""
    axes = range(len(batch) + len(core))
    return da.blockwise(
        function,
        tuple(axes),
        *given,
        token=name,
        new_axes=dict(zip(axes[len(batch) :], core, strict=True)),
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
