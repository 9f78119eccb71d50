"""From a tape to machine code in memory: looked up on the disk, or compiled and left there."""

from __future__ import annotations

import ctypes
import hashlib
import logging
import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from jounce.backends.function import Function, Results, Shape, scalar_of, signature
from jounce.backends.llvm import compiler, modules, objects, workspace
from jounce.backends.llvm.entry import FAR_BYTES, FAR_OFFSET, SEGMENTS_OFFSET
from jounce.backends.llvm.estimate import Estimate, compilation
from jounce.backends.llvm.loaded import Loaded, expose_process
from jounce.backends.llvm.targets import Target, target
from jounce.graph.passes import expanded
from jounce.graph.tape import Tape
from jounce.process import background, cache, memory, threads
from jounce.process.progress import track

_logger = logging.getLogger("jounce")

#: Compilations that take longer are announced, in seconds.
ANNOUNCED = 4.0


def cost(operations: int, outputs: int) -> Estimate:
    """Seconds and bytes that compiling a tape takes, with as many threads as there may be."""
    largest = modules.SEGMENT_SIZE * modules.SEGMENTS_PER_MODULE
    workers = max(min(threads.get_num_threads(), operations // largest), 1)
    one = compilation(operations, outputs, largest, workers)
    return Estimate(one.seconds / workers, one.bytes)


def kernel(
    tape: Tape,
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
    scalar: str,
    processor: Target,
    title: str,
) -> Loaded:
    """The inner loop of a gufunc whose operands have these core shapes, ready to run.

    scalar: "double" or "float". title: what messages call it.
    """
    tape = expanded(tape, "llvm")  # what the digest is of
    sha = hashlib.sha256()
    shapes = signature(inputs, outputs)
    for part in (compiler.build_key(processor), tape.digest(), shapes, scalar):
        sha.update(part.encode() + b"\0")
    key = sha.hexdigest()
    expose_process()
    stored = cache.read(key)
    code = [] if stored is None else objects.parted(stored)
    if not objects.fit(code, key):
        texts = modules.module_texts(tape, inputs, outputs, scalar, processor)
        code = _compiled(objects.marked(texts, key), tape, title)
        cache.write(key, objects.joined(code), f"{title} {shapes} {scalar[0]}")
    return Loaded(*code)


def _compiled(texts: Sequence[str], tape: Tape, title: str) -> list[bytes]:
    """The object files of a tape's modules, on several threads if there are several."""
    expected = cost(len(tape), len(tape.outputs))
    memory.require(expected.bytes, f"compiling {title} ({len(tape):,} operations)")
    long = expected.seconds > ANNOUNCED
    if long:
        _logger.warning("compiling %s: %s operations, %s", title, f"{len(tape):,}", expected)
    if len(texts) < 3:
        return [compiler.compile_object(text) for text in texts]
    done = background.parallel(compiler.compile_object, texts, threads.get_num_threads())
    found = dict(track(done, f"compiling {title}", total=len(texts), quiet=not long))
    return [found[k] for k in range(len(texts))]


def build(function: Function, dtype: DTypeLike = float) -> Callable[..., Results]:
    """The function on arrays, by machine code for this process's target (`JOUNCE_TARGET`)."""
    inputs = [x.shape for x in function.inputs]
    outputs = [x.shape for x in function.outputs]
    code = kernel(function.tape, inputs, outputs, scalar_of(dtype), target(), function.name)
    loop = ctypes.CFUNCTYPE(ctypes.c_int, *(ctypes.c_void_p,) * 4)(code.address)
    data = (ctypes.c_void_p * (FAR_OFFSET // 8 + 1))()
    data[SEGMENTS_OFFSET // 8] = ctypes.addressof(code.segments)
    data[workspace.SHELF_OFFSET // 8] = workspace.shelf()
    data[FAR_OFFSET // 8] = FAR_BYTES
    owned = code, data  # the loop lives as long as what it points to

    def call(*arrays: ArrayLike) -> Results:
        batch, given = function.samples(arrays, dtype)
        samples = math.prod(batch)
        results = [np.empty((samples, *shape), dtype) for shape in outputs]
        operands = [np.ascontiguousarray(x) for x in given] + results
        pointers = (ctypes.c_void_p * len(operands))(*(x.ctypes.data for x in operands))
        steps = [x.strides[0] for x in operands]
        for x in operands:
            steps += x.strides[1:]
        strides = (ctypes.c_int64 * len(steps))(*steps)
        count = ctypes.c_int64(samples)
        if loop(pointers, ctypes.byref(count), strides, owned[1]):
            raise MemoryError(f"{function.name}: no memory for the workspace")
        return tuple(x.reshape(batch + x.shape[1:]) for x in results)

    return call
