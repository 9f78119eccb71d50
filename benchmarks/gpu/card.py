"""The card: times by its own events, what a copy moves, and what a kernel became."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from benchmarks.gpu.work import Peak, instruction_rates
from benchmarks.measure import cache_in
from jounce.compiler.targets import nvptx
from jounce.runtime import cuda
from jounce.runtime.cuda import images
from jounce.runtime.cuda.driver import driver
from jounce.runtime.kernel import Kernel

#: Timings of which the median counts, and milliseconds that each takes at least.
ROUNDS, LEAST = 11, 3.0

#: Bytes of a copy that is timed.
COPIED = 2 << 30

CHARS = {"double": "d", "float": "f"}


def device() -> Any:
    """The first card, as jounce's runtime sees it."""
    return driver().device(0)


def attribute(name: str) -> int:
    """A property of the card, such as "L2_CACHE_SIZE"."""
    kinds = device().driver.api.CUdevice_attribute
    kind = getattr(kinds, f"CU_DEVICE_ATTRIBUTE_{name}")
    return int(device().driver("cuDeviceGetAttribute", kind, device().handle))


def seconds(launches: Sequence[Callable[[], Any]], stream: Any) -> float:
    """Median time of a launch on the stream, by events; several launches take turns.

    Those that work on memory of their own find none of it in the card's cache.
    """
    import cupy

    for launch in launches:
        launch()
    stream.synchronize()

    def timing(count: int) -> float:
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record(stream)
        for k in range(count):
            launches[k % len(launches)]()
        end.record(stream)
        end.synchronize()
        return float(cupy.cuda.get_elapsed_time(begin, end))

    count = max(len(launches), 2)
    while timing(count) < LEAST and count < 1 << 14:
        count *= 2
    return float(np.median([timing(count) for _ in range(ROUNDS)])) * 1e-3 / count


@cache
def peak() -> Peak:
    """Measure the bandwidth of a copy (read and written bytes), and return the peak rates."""
    import cupy

    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        source, target = (cupy.zeros(COPIED // 8) for _ in range(2))
        taken = seconds([lambda: cupy.copyto(target, source)], stream)
    return Peak(2 * COPIED / taken, instruction_rates(device()))


# ------------------------------------------------------------------ kernels


@dataclass
class Compiled:
    """A kernel on the card, and the seconds that went into it, by part."""

    launcher: Any
    parts: dict[str, float] = field(default_factory=dict)

    @property
    def registers(self) -> int:
        """Of a thread."""
        return self._attribute("NUM_REGS")

    @property
    def local(self) -> int:
        """Bytes of local memory of a thread."""
        return self._attribute("LOCAL_SIZE_BYTES")

    @property
    def shared(self) -> int:
        """Bytes of shared memory of a block."""
        return self._attribute("SHARED_SIZE_BYTES") + self.launcher.program.shared

    def _attribute(self, name: str) -> int:
        card = self.launcher.device
        kind = getattr(card.driver.api.CUfunction_attribute, f"CU_FUNC_ATTRIBUTE_{name}")
        function = self.launcher.function
        return int(card.driver("cuKernelGetAttribute", kind, function, card.handle))


def compile_kernel(kernel: Kernel, scalar: str) -> Compiled:
    """Compile a kernel with an empty cache; time emission, LLVM and the driver."""
    kernel.tape  # noqa: B018  not part of compiling
    device().context  # noqa: B018  nor is the start of the card
    parts = {"text": 0.0, "LLVM": 0.0, "driver": 0.0}
    with (
        _empty_cache(),
        _add_time(nvptx, "compile_program", parts, "text"),
        _add_time(llvm, "parse_assembly", parts, "LLVM"),
        _add_time(llvm.TargetMachine, "emit_assembly", parts, "LLVM"),
        _add_time(llvm.ModulePassManager, "run", parts, "LLVM"),
        _add_time(images, "load_kernel", parts, "driver"),
    ):
        launcher = cuda.launcher(kernel, CHARS[scalar], 0)
    if not parts["driver"] > 0.0:
        raise RuntimeError(f"{kernel.title} was compiled before, so that there is nothing to time")
    parts["text"] -= parts["LLVM"]  # which it is called by
    return Compiled(launcher, parts)


@contextmanager
def _add_time(owner: Any, name: str, parts: dict[str, float], part: str) -> Iterator[None]:
    """Add the time spent in a function inside the block."""
    original = getattr(owner, name)

    def wrapper(*args: Any, **named: Any) -> Any:
        start = time.perf_counter()
        try:
            return original(*args, **named)
        finally:
            parts[part] += time.perf_counter() - start

    setattr(owner, name, wrapper)
    try:
        yield
    finally:
        setattr(owner, name, original)


@contextmanager
def _empty_cache() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder, cache_in(folder):
        yield
