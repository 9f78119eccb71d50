"""A catalog row on a robot, as a compiled gufunc: trace, look up or compile, install."""

from __future__ import annotations

import hashlib
import logging
import math
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jounce import backends, graph
from jounce.backends import llvm
from jounce.backends.llvm import objects
from jounce.backends.llvm.estimate import Estimate, compilation
from jounce.catalog.arguments import argument
from jounce.catalog.row import Row
from jounce.errors import ArgumentError, KernelTooLargeError
from jounce.graph.expr import Graph, GraphFull
from jounce.graph.tape import Tape, record
from jounce.model.tree import Tree
from jounce.process import background, memory, threads
from jounce.process import cache as disk
from jounce.process.forks import compiling
from jounce.process.once import once, once_property
from jounce.process.progress import track
from jounce.runtime import fastcall, gufunc

Sizes = dict[str, int]

_logger = logging.getLogger("jounce")

#: Kernels of more operations are compiled only when asked for by name (`warmup(limit=None)`).
LIMIT = 4_000_000

#: What tracing an operation takes, in bytes and seconds (measured on chains and humanoids).
_TRACED_BYTES, _TRACED_SECONDS = 450, 5e-6

#: Compilations that take longer are announced, in seconds.
_ANNOUNCED = 4.0


def core_shape(shape: tuple[int | str, ...], sizes: Sizes) -> tuple[int, ...]:
    """A shape of the catalog with its sizes filled in."""
    return tuple(n if isinstance(n, int) else sizes[n] for n in shape)


def _limit() -> float:
    """Most operations a kernel may have unless asked for: JOUNCE_LIMIT, or `LIMIT`."""
    given = os.environ.get("JOUNCE_LIMIT", "").strip().lower()
    if given == "none":
        return math.inf
    if given and (not (given.isascii() and given.isdigit()) or int(given) < 1):
        raise ArgumentError(
            f"JOUNCE_LIMIT must be a positive number of operations, or 'none', found {given!r}"
        )
    return int(given) if given else LIMIT


@once
def _generator_digest() -> bytes:
    """Hash of the source that turns tapes into machine code."""
    sha = hashlib.sha256()
    for package in (backends, graph):
        for source in sorted(Path(package.__path__[0]).rglob("*.py")):
            sha.update(source.read_bytes())
    return sha.digest()


@dataclass(frozen=True)
class Lowered:
    """What a quantity becomes: operation counts, LLVM text, core signature."""

    operations: int
    counts: dict[str, int]
    signature: str
    text: str

    def __repr__(self) -> str:
        counts = ", ".join(f"{n} {name}" for name, n in sorted(self.counts.items()))
        return f"<{self.signature}: {self.operations} operations ({counts})>"


def _cost(operations: int, outputs: int) -> str:
    """What tracing and compiling so many operations takes, in words."""
    cost = _estimate(operations, outputs)
    took = f"{cost.seconds:.0f} s" if cost.seconds < 120 else f"{cost.seconds / 60:.0f} min"
    return f"{operations:,} operations, about {took} and {cost.bytes / 2**20:,.0f} MB"


def _estimate(operations: int, outputs: int) -> Estimate:
    """Seconds and bytes, with as many threads as there may be."""
    largest = llvm.SEGMENT_SIZE * llvm.SEGMENTS_PER_MODULE
    workers = max(min(threads.get_num_threads(), operations // largest), 1)
    cost = compilation(operations, outputs, largest, workers)
    traced = _TRACED_SECONDS * operations, _TRACED_BYTES * operations
    return Estimate(cost.seconds / workers + traced[0], cost.bytes + traced[1])


class Kernel:
    """A row of the catalog on one robot, with its optional arguments in or out.

    title: what the quantity is called in messages. target: a name that `llvm.target` knows. limit:
    most operations, which may be set before the first use; by default `JOUNCE_LIMIT` or `LIMIT`.
    """

    def __init__(
        self,
        row: Row,
        tree: Tree,
        sizes: Sizes,
        frame: int | None = None,
        optional: bool = False,
        title: str = "",
        target: str | None = None,
    ) -> None:
        self.row = row
        self._target = target
        self.title = title or row.name
        self.limit: float | None = None
        self.arguments = row.arguments + (row.optional if optional else ())
        self.inputs = tuple(core_shape(argument(name).shape, sizes) for name in self.arguments)
        self.outputs = tuple(core_shape(shape, sizes) for shape in row.shapes)
        self._tree = tree
        self._frame = frame
        self._lock = threading.RLock()
        self._compiled: set[str] = set()
        self.ufunc, self._kernels = gufunc.make_gufunc(row.name, row.doc, self.inputs, self.outputs)

    @property
    def signature(self) -> str:
        """Core signature, such as (7),(7)->(7,7)."""
        return gufunc.signature(self.inputs, self.outputs)

    # -------------------------------------------------------------- tracing

    @once_property
    def tape(self) -> Tape:
        """The traced formula."""
        memory.require(llvm.LEAST_BYTES, f"tracing {self.title}")
        return background.run(self._traced, self._tell)

    def _tell(self) -> None:
        """Say that tracing takes long; how long compiling takes is known when it is done."""
        if "tape" not in vars(self):
            _logger.warning("tracing %s takes more than a few seconds", self.title)

    def _traced(self) -> Tape:
        graph = Graph(_limit() if self.limit is None else self.limit)
        inputs = [graph.inputs_like(shape) for shape in self.inputs]
        tree = self._tree.lumped if self.row.joint_space else self._tree
        extra = () if self._frame is None else (self._frame,)
        try:
            with background.stoppable(graph.stop):
                results = self.row.formula(tree, *inputs, *extra)
        except (GraphFull, SystemError):  # NumPy's loops over objects may make the latter of it
            if len(graph.ops) < graph.limit:
                raise
            background.check()
            raise self._too_large(int(graph.limit)) from None
        flat: list[Any] = []
        single = len(self.outputs) == 1
        for result, shape in zip([results] if single else results, self.outputs, strict=True):
            if np.shape(result) != shape:
                raise AssertionError(f"{self.row.name}: {np.shape(result)}, not {shape}")
            flat.extend(result.flat if isinstance(result, np.ndarray) else [result])
        return record(graph, flat)

    def _too_large(self, operations: int) -> KernelTooLargeError:
        numbers = sum(math.prod(shape) for shape in self.outputs)
        return KernelTooLargeError(
            f"{self.title} is too large to be compiled unasked: more than"
            f" {_cost(operations, numbers)}; its result takes {8 * numbers:,} bytes per sample. To"
            f" go on all the same, call {self.title}.warmup(limit=None) first, or set"
            " JOUNCE_LIMIT=none"
        )

    # -------------------------------------------------------------- compiling

    def compile(self, char: str) -> None:
        """Make sure the loop of a dtype ("f" or "d") has its kernel."""
        with compiling(), self._lock:
            if char not in self._compiled:
                memory.require(llvm.LEAST_BYTES, f"compiling {self.title}")
                code = background.run(lambda: self._loaded(char), self._tell)
                self._kernels.install(char, code)
                self._compiled.add(char)

    def _loaded(self, char: str) -> llvm.Loaded:
        """The machine code: from the disk, or compiled and left there."""
        sha = hashlib.sha256(_generator_digest())
        build = llvm.build_key(llvm.target(self._target))
        for part in (build, self.tape.digest(), self.signature, char):
            sha.update(part.encode() + b"\0")
        key = sha.hexdigest()
        stored = disk.read(key)
        code = [] if stored is None else objects.parted(stored)
        if not objects.fit(code, key):
            code = self._objects(char, key)
            disk.write(key, objects.joined(code), f"{self.title} {self.signature} {char}")
        return llvm.Loaded(*code)

    def _objects(self, char: str, key: str) -> list[bytes]:
        """The compiled modules, marked with the key."""
        size = len(self.tape), len(self.tape.outputs)
        cost = _estimate(*size)
        memory.require(cost.bytes, f"compiling {self.title} ({size[0]:,} operations)")
        long = cost.seconds > _ANNOUNCED
        if long:
            _logger.warning("compiling %s: %s", self.title, _cost(*size))
        texts = objects.marked(self.texts(char), key)
        if len(texts) < 3:
            return [llvm.compile_object(text) for text in texts]
        done = background.parallel(llvm.compile_object, texts, threads.get_num_threads())
        found = dict(track(done, f"compiling {self.title}", total=len(texts), quiet=not long))
        return [found[k] for k in range(len(texts))]

    def texts(self, char: str) -> list[str]:
        """LLVM modules for the dtype."""
        scalar = {c: s for c, _, s in gufunc.DTYPES}[char]
        target = llvm.target(self._target)
        return llvm.module_texts(self.tape, self.inputs, self.outputs, scalar, target)

    def shortcut(self, slow: Callable[..., Any]) -> Callable[..., Any] | None:
        """A builtin for single float64 samples with `out` given; everything else goes to `slow`."""
        output, *more = self.outputs
        if more:
            return None
        slot = self._kernels.slot("d")
        return fastcall.make_call(slot, self._kernels, self.inputs, output, slow)

    def lower(self, dtype: np.dtype) -> Lowered:
        """Operation counts and LLVM text for the dtype."""
        return Lowered(
            len(self.tape),
            self.tape.counts(),
            self.signature,
            "\n".join(self.texts(np.dtype(dtype).char)),
        )
