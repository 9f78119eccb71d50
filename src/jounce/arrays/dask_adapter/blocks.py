"""Task graphs of calls: operands get common chunks along batch axes, and a block is a task.

`dask.array.apply_gufunc` is not used: it refuses several operands with unknown chunk sizes, merges
chunks of core axes only together with rechunking of batch axes, and is not fused with elementwise
operations before and after it.
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
from jounce.arrays.validation import Shape, batch_mismatch, check_core, plain
from jounce.arrays.wrenches import Key, describe_key
from jounce.errors import ArgumentError

#: Chunk sizes along an axis; NaN where unknown.
Chunks = tuple[float, ...]

#: Whether arrays are expressions (Dask's experimental setting "array.query-planning"), whose graphs
#: cannot refer to delayed values.
_QUERY_PLANNING = "_array_expr" in da.Array.__module__


@dataclass(frozen=True)
class Operand:
    """A chunked argument; its last axes have the core shape."""

    key: Key
    array: Any
    core: Shape

    @property
    def batch(self) -> tuple[float, ...]:
        """Sizes of the axes that broadcast; NaN where unknown."""
        return tuple(self.array.shape[: self.array.ndim - len(self.core)])

    @property
    def chunks(self) -> tuple[Chunks, ...]:
        """Chunk sizes along the batch axes; NumPy arrays have a single chunk."""
        if isinstance(self.array, da.Array):
            return self.array.chunks[: len(self.batch)]
        return tuple((n,) for n in self.batch)

    @property
    def name(self) -> str:
        """The argument as error messages show it."""
        return describe_key(self.key)


def check_array(x: Any, what: str, core: Shape) -> Any:
    """Check dtype and shape; return Dask arrays as they are, and others as NumPy arrays.

    what: prefix of error messages. core: required shape of the last axes.
    """
    if not isinstance(x, da.Array):
        return check_core(plain(x, what), what, core)
    plain(np.empty(0, x.dtype), what)
    unknown = any(math.isnan(n) for n in x.shape[max(x.ndim - len(core), 0) :])
    if unknown and x.ndim >= len(core):
        expected = ", ".join(("...", *map(str, core)))
        raise ArgumentError(
            f"{what} must have shape ({expected}), found {x.shape} with a core axis of unknown"
            " size; call its compute_chunk_sizes() first"
        )
    return check_core(x, what, core)


def map_blocks(
    call: BlockCall,
    operands: Sequence[Operand],
    outputs: Sequence[Shape],
    dtype: Any,
) -> tuple[da.Array, ...]:
    """Return the results of a call as lazy arrays.

    operands: chunked arguments. outputs: core shapes of the results.
    """
    arrays, chunks, equal = _align(call.title, operands)
    call = replace(call, equal=equal, blocks=tuple(x.key for x in operands))
    value: Any = call
    if not _QUERY_PLANNING:
        value = delayed(call, name=f"jounce-{tokenize(call)}", pure=True, traverse=False)
    # Core axes have a single chunk, so they may share labels with core axes of other sizes.
    # Separate labels, which no result has, would prevent Dask from fusing operands with the call.
    first, depth = len(chunks), max((len(x.core) for x in operands), default=0)
    inputs: list[Any] = [value, None]
    for array, x in zip(arrays, operands, strict=True):
        inputs += [array, tuple(range(first - len(x.batch), first + len(x.core)))]
    every = _blockwise(operator.call, call, chunks, (1,) * depth, inputs, np.empty((0,) * first))
    metas = [meta_from_array(x) for x in arrays]
    like = next((x for x in metas if not isinstance(x, np.ndarray)), np.empty(0))  # such as CuPy's
    results = []
    for place, core in enumerate(outputs):
        # negative labels for core axes that the result does not have
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
    """Return rechunked operands, the chunks of the batch, and axes whose sizes must agree later.

    Core axes are merged. Blocks of unknown size are paired in order.
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
                    f"{title}: arrays with unknown chunk sizes must have equally many blocks, found"
                    f" {text}; call compute_chunk_sizes() of those whose sizes are nan"
                )
            batch.append(cuts[0])
            equal.append(tuple((k, axis - len(operands[k].core)) for k in users))
        else:
            batch.append(_common_chunks(cuts) if cuts else (1,))
    return [_rechunk(x, batch) for x in operands], batch, tuple(equal)


def _common_chunks(cuts: Sequence[Chunks]) -> Chunks:
    """Return the common refinement of several chunkings of an axis."""
    if len({*cuts}) == 1:
        return cuts[0]
    edges = sorted({int(edge) for cut in cuts for edge in np.cumsum((0, *cut))})
    return tuple(b - a for a, b in pairwise(edges)) or (0,)


def _rechunk(operand: Operand, batch: Sequence[Chunks]) -> da.Array:
    """Return an operand as a Dask array with the chunks of the batch, if these are known."""
    x, depth = operand.array, len(operand.batch)
    chunks_wanted: Any = [
        (1,) if n == 1 else chunks
        for n, chunks in zip(operand.batch, batch[len(batch) - depth :], strict=True)
    ]
    chunks_wanted += [(n,) for n in operand.core]
    if not isinstance(x, da.Array):
        chunks: Any = tuple(chunks_wanted)
        return da.from_array(np.asarray(x), chunks=chunks)
    changes: Any = {
        axis: new
        for axis, (old, new) in enumerate(zip(x.chunks, chunks_wanted, strict=True))
        if old != new and not math.isnan(sum((*old, *new)))
    }
    return x.rechunk(changes) if changes else x
