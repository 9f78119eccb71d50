"""Compilation of a tape to machine code in memory, through the disk cache."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.base import Estimate
from jounce.compiler.targets.function import Shape, signature
from jounce.compiler.targets.llvm import compiler, modules, objects
from jounce.compiler.targets.llvm.estimate import estimate_compilation
from jounce.compiler.targets.llvm.loaded import Loaded, expose_process
from jounce.compiler.targets.llvm.processors import Processor
from jounce.utils import background, cache, memory, threads
from jounce.utils.progress import track

_logger = logging.getLogger("jounce")

#: Seconds of a compilation from which on it is announced.
ANNOUNCED_SECONDS = 4.0


def estimate_cost(operations: int, outputs: int) -> Estimate:
    """Estimate the time and memory of compiling a tape, with the threads that are available."""
    largest = modules.SEGMENT_SIZE * modules.SEGMENTS_PER_MODULE
    workers = max(min(threads.get_num_threads(), operations // largest), 1)
    single = estimate_compilation(operations, outputs, largest, workers)
    return Estimate(single.seconds / workers, single.bytes)


def kernel(
    tape: Tape,
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
    scalar: str,
    processor: Processor,
    key: str,
    title: str,
) -> Loaded:
    """Return the inner loop of a gufunc whose operands have these core shapes, ready to run.

    tape: operations that LLVM has. scalar: "double" or "float". key: of the code in the disk cache.
    title: its name in messages.
    """
    expose_process()
    stored = cache.read(key)
    code = [] if stored is None else objects.split_objects(stored)
    if not objects.are_valid(code, key):
        texts = modules.module_texts(tape, inputs, outputs, scalar, processor)
        code = _compile_modules(objects.mark_modules(texts, key), tape, title)
        description = f"{title} {signature(inputs, outputs)} {scalar[0]}"
        cache.write(key, objects.join_objects(code), description)
    return Loaded(*code)


def _compile_modules(texts: Sequence[str], tape: Tape, title: str) -> list[bytes]:
    """Return the object files of a tape's modules, compiled on several threads."""
    expected = estimate_cost(len(tape), len(tape.outputs))
    if expected.bytes > compiler.MIN_COMPILER_BYTES:  # which the caller has checked
        memory.require(expected.bytes, f"compiling {title} ({len(tape):,} operations)")
    long = expected.seconds > ANNOUNCED_SECONDS
    if long:
        _logger.warning("compiling %s: %s operations, %s", title, f"{len(tape):,}", expected)
    if len(texts) < 3:
        return [compiler.compile_object(text) for text in texts]
    done = background.parallel(compiler.compile_object, texts, threads.get_num_threads())
    results = dict(track(done, f"compiling {title}", total=len(texts), quiet=not long))
    return [results[k] for k in range(len(texts))]
