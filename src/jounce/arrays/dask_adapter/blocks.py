"""Graphs of calls: operands are cut alike along batch axes, and each block is one task.

`dask.array.apply_gufunc` cannot express them: it refuses several operands of unknown chunk sizes,
merges core axes only together with a new choice of chunks along batch axes, and is not fused with
the elementwise operations before and after it.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import dask.array as da
import numpy as np
from dask.array.utils import meta_from_array
from dask.base import tokenize
from dask.delayed import delayed

from jounce.arrays.dask_adapter.tasks import BlockCall, select_result
from jounce.arrays.validation import Shape, batch_mismatch, plain, with_core
from jounce.arrays.wrenches import Key, describe_key
from jounce.errors import ArgumentError

#: Sizes of the blocks along an axis; NaN where unknown.
Chunks = tuple[float, ...]

#: Whether arrays are expressions (Dask's experimental setting "array.query-planning"), whose graphs
#: cannot refer to delayed values.
_QUERY_PLANNING = "_array_expr" in da.Array.__module__


@dataclass(frozen=True)
class Operand:
    """An argument that arrives in blocks; the last axes, of shape `core`, are those of a sample."""

    key: Key
    array: Any
    core: Shape

    @property
    def batch(self) -> tuple[float, ...]:
        """Sizes of the axes that broadcast; NaN where unknown."""
        return tuple(self.array.shape[: self.array.ndim - len(self.core)])

    @property
    def chunks(self) -> tuple[Chunks, ...]:
        """Sizes of the blocks along these axes; NumPy arrays have one."""
        if isinstance(self.array, da.Array):
            return self.array.chunks[: len(self.batch)]
        return tuple((n,) for n in self.batch)

    @property
    def name(self) -> str:
        """The argument as error messages show it."""
        return describe_key(self.key)


def check_array(x: Any, what: str, core: Shape) -> Any:
    """Return a Dask array, or a NumPy array of anything else, after a check of dtype and shape.

    what: how error messages begin. core: the shape that its last axes must have.
    """
    if not isinstance(x, da.Array):
        return with_core(plain(x, what), what, core)
    plain(np.empty(0, x.dtype), what)
    unknown = any(math.isnan(n) for n in x.shape[max(x.ndim - len(core), 0) :])
    if unknown and x.ndim >= len(core):
        expected = ", ".join(("...", *map(str, core)))
        raise ArgumentError(
            f"{what} must have shape ({expected}), found {x.shape} with a core axis of unknown"
            " size; call its compute_chunk_sizes() first"
        )
    return with_core(x, what, core)


def map_blocks(
    call: BlockCall,
    operands: Sequence[Operand],
    outputs: Sequence[Shape],
    dtype: Any,
) -> tuple[da.Array, ...]:
    """Return the results of a call as lazy arrays.

    operands: arguments that come in blocks. outputs: core shapes of the results.
    """
    arrays, chunks, equal = _align(call.title, operands)
    call = replace(call, equal=equal, blocks=tuple(x.key for x in operands))
    value: Any = call
    if not _QUERY_PLANNING:
        value = delayed(call, name=f"jounce-{tokenize(call)}", pure=True, traverse=False)
    # Core axes are in one piece, so they may share labels with core axes of other sizes. Labels of
    # their own, which no result has, would keep Dask from fusing the operands with the call.
    first, depth = len(chunks), max((len(x.core) for x in operands), default=0)
    inputs: list[Any] = [value, None]
    for array, x in zip(arrays, operands, strict=True):
        inputs += [array, tuple(range(first - len(x.batch), first + len(x.core)))]
    every = _blockwise(operator.call, call, chunks, (1,) * depth, inputs, np.empty((0,) * first))
    metas = [meta_from_array(x) for x in arrays]
    like = next((x for x in metas if not isinstance(x, np.ndarray)), np.empty(0))  # such as CuPy's
    results = []
    for place, core in enumerate(outputs):
        # core axes that the result lacks have labels that it lacks
        labels = [k if k < first + len(core) else -k for k in range(first + depth)]
        meta = meta_from_array(like, ndim=first + len(core), dtype=dtype)
        inputs = [every, labels, place, None]
        results.append(_blockwise(select_result, call, chunks, core, inputs, meta))
    return tuple(results)


def _blockwise(
    function: Any,
    call: BlockCall,
    chunks: Sequence[Chunks],
    core: Shape,
    inputs: Sequence[Any],
    meta: Any,
) -> da.Array:
    """Apply a function to blocks; the result has these chunks along the batch, and this core."""
    labels = range(len(chunks) + len(core))
    name = getattr(call.function, "__name__", type(call.function).__name__.lower())
    return da.blockwise(
        function,
        tuple(labels),
        *inputs,
        token=re.sub(r"\W+", "_", name).strip("_"),
        new_axes=dict(zip(labels[len(chunks) :], core, strict=True)),
        adjust_chunks=dict(enumerate(chunks)),
        align_arrays=False,
        meta=meta,
    )


def _align(
    title: str, operands: Sequence[Operand]
) -> tuple[list[da.Array], list[Chunks], tuple[Any, ...]]:
    """Return operands cut alike, the chunks of their batch, and axes that must turn out equal.

    Core axes are merged. Where a size is unknown, blocks belong together one by one.
    """
    known = [tuple(1 if math.isnan(n) else int(n) for n in x.batch) for x in operands]
    try:
        depth = len(np.broadcast_shapes(*known))
    except ValueError:
        raise batch_mismatch(title, {x.name: x.batch for x in operands}) from None
    batch: list[Chunks] = []
    equal = []
    for axis in range(-depth, 0):
        users = [k for k, x in enumerate(operands) if len(x.batch) >= -axis and x.batch[axis] != 1]
        cuts = [operands[k].chunks[axis] for k in users]
        if any(math.isnan(operands[k].batch[axis]) for k in users):
            if len({*map(len, cuts)}) > 1:
                text = ", ".join(f"{x.name} {x.chunks}" for x in operands)
                raise ArgumentError(
                    f"{title}: blocks of unknown size belong together one by one, and these do not:"
                    f" {text}; call compute_chunk_sizes() of those whose sizes are nan"
                )
            batch.append(cuts[0])
            equal.append(tuple((k, axis - len(operands[k].core)) for k in users))
        else:
            batch.append(_common_chunks(cuts) if cuts else (1,))
    return [_cut(x, batch) for x in operands], batch, tuple(equal)


def _common_chunks(cuts: Sequence[Chunks]) -> Chunks:
    """Return chunks of an axis that are cut wherever one of several choices is."""
    if len({*cuts}) == 1:
        return cuts[0]
    edges = sorted({int(edge) for cut in cuts for edge in np.cumsum((0, *cut))})
    return tuple(b - a for a, b in pairwise(edges)) or (0,)


def _cut(operand: Operand, batch: Sequence[Chunks]) -> da.Array:
    """Return an operand as a Dask array with the chunks of the batch, where they are known."""
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
        if old != new and not math.isnan(sum((*old, *new)))
    }
    return x.rechunk(changed) if changed else x
