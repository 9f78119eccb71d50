"""From a tape to machine code in memory: looked up on the disk, or compiled and left there."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.base import Estimate
from jounce.compiler.targets.function import Shape, signature
from jounce.compiler.targets.llvm import compiler, modules, objects
from jounce.compiler.targets.llvm.estimate import compilation
from jounce.compiler.targets.llvm.loaded import Loaded, expose_process
from jounce.compiler.targets.llvm.processors import Processor
from jounce.utils import background, cache, memory, threads
from jounce.utils.progress import track

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
    processor: Processor,
    key: str,
    title: str,
) -> Loaded:
    """Return the inner loop of a gufunc whose operands have these core shapes, ready to run.

    tape: of operations that LLVM has. scalar: "double" or "float". key: of the code in the disk
    cache. title: its name in messages.
    """
    expose_process()
    stored = cache.read(key)
    code = [] if stored is None else objects.parted(stored)
    if not objects.fit(code, key):
        texts = modules.module_texts(tape, inputs, outputs, scalar, processor)
        code = _compiled(objects.marked(texts, key), tape, title)
        what = f"{title} {signature(inputs, outputs)} {scalar[0]}"
        cache.write(key, objects.joined(code), what)
    return Loaded(*code)


def _compiled(texts: Sequence[str], tape: Tape, title: str) -> list[bytes]:
    """The object files of a tape's modules, on several threads if there are several."""
    expected = cost(len(tape), len(tape.outputs))
    if expected.bytes > compiler.LEAST_BYTES:  # for which the caller has looked
        memory.require(expected.bytes, f"compiling {title} ({len(tape):,} operations)")
    long = expected.seconds > ANNOUNCED
    if long:
        _logger.warning("compiling %s: %s operations, %s", title, f"{len(tape):,}", expected)
    if len(texts) < 3:
        return [compiler.compile_object(text) for text in texts]
    done = background.parallel(compiler.compile_object, texts, threads.get_num_threads())
    found = dict(track(done, f"compiling {title}", total=len(texts), quiet=not long))
    return [found[k] for k in range(len(texts))]
