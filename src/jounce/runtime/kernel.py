"""A catalog row on a robot, as a compiled gufunc: look up or compile what is traced, install it."""

from __future__ import annotations

import hashlib
import logging
import math
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from jounce import backends, graph
from jounce.backends import llvm
from jounce.backends.llvm import objects
from jounce.catalog.row import Row
from jounce.graph.tape import Tape
from jounce.model.tree import Tree
from jounce.process import background, memory, threads
from jounce.process import cache as disk
from jounce.process.forks import compiling
from jounce.process.once import once, once_property
from jounce.process.progress import track
from jounce.runtime import gufunc, limits, trace

_logger = logging.getLogger("jounce")

#: Compilations that take longer are announced, in seconds.
_ANNOUNCED = 4.0

#: Operations a thread must be worth; below, a batch stays on the caller's thread.
_OPERATIONS_PER_THREAD = 4_000_000


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


class Kernel:
    """A row of the catalog on one robot, with its optional arguments in or out.

    Nothing is traced, compiled or made known to NumPy before it is asked for. title: what the
    quantity is called in messages. target: a name that `llvm.target` knows. limit: most operations,
    which may be set before the first use; by default `JOUNCE_LIMIT` or `limits.LIMIT`. large:
    entries of an argument that make a batch a large one, known once it is compiled.
    """

    def __init__(
        self,
        row: Row,
        tree: Tree,
        sizes: trace.Sizes,
        frame: int | None = None,
        optional: bool = False,
        title: str = "",
        target: str | None = None,
    ) -> None:
        self.row = row
        self._target = target
        self.title = title or row.name
        self.limit: float | None = None
        self.large = 1 << 62
        self.arguments = trace.argument_names(row, optional)
        self.inputs = trace.input_shapes(row, sizes, optional)
        self.outputs = trace.output_shapes(row, sizes)
        self._tree, self._sizes = tree, sizes
        self._frame, self._optional = frame, optional
        self._lock = threading.RLock()
        self._compiled: set[str] = set()

    @property
    def signature(self) -> str:
        """Core signature, such as (7),(7)->(7,7)."""
        return gufunc.signature(self.inputs, self.outputs)

    @once_property
    def tape(self) -> Tape:
        """The traced formula."""
        return trace.traced(
            self.row,
            self._tree,
            self._sizes,
            self._frame,
            self._optional,
            title=self.title,
            limit=self.limit,
        )

    # -------------------------------------------------------------- compiling

    def run(self, *args: Any, **options: Any) -> Any:
        """Call the gufunc, on several threads if a batch is large; `NotCompiled` as it does."""
        for x in args:
            if isinstance(x, np.ndarray) and x.size >= self.large:
                return threads.call(self.ufunc, args, options, self.inputs, self.outputs)
        return self.ufunc(*args, **options)

    @once_property
    def _made(self) -> tuple[np.ufunc, gufunc.Kernels]:
        return gufunc.make_gufunc(self.row.name, self.row.doc, self.inputs, self.outputs)

    @once_property
    def ufunc(self) -> np.ufunc:
        """NumPy's gufunc, whose loops raise `NotCompiled` until `compile` has installed theirs."""
        return self._made[0]

    @property
    def loops(self) -> gufunc.Kernels:
        """Where the compiled loops of the gufunc lie."""
        return self._made[1]

    def compile(self, char: str) -> None:
        """Make sure the loop of a dtype ("f" or "d") has its kernel."""
        with compiling(), self._lock:
            if char not in self._compiled:
                memory.require(llvm.LEAST_BYTES, f"compiling {self.title}")
                code = background.run(lambda: self._loaded(char), self._tell)
                self.loops.install(char, code)
                self._compiled.add(char)
                self.large = self._large_batch() * min(math.prod(shape) for shape in self.inputs)

    def _large_batch(self) -> int:
        """Samples from which on a batch is worth threads, or recycled memory."""
        worth_threads = 2 * max(_OPERATIONS_PER_THREAD // max(len(self.tape), 1), 64)
        result_bytes = 8 * sum(math.prod(shape) for shape in self.outputs)
        return min(worth_threads, memory.SMALLEST // result_bytes)

    def _tell(self) -> None:
        if "tape" not in vars(self):
            trace.tell(self.title)

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
        cost = limits.estimate(*size)
        memory.require(cost.bytes, f"compiling {self.title} ({size[0]:,} operations)")
        long = cost.seconds > _ANNOUNCED
        if long:
            _logger.warning("compiling %s: %s", self.title, limits.in_words(*size))
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

    def lower(self, dtype: np.dtype) -> Lowered:
        """Operation counts and LLVM text for the dtype."""
        return Lowered(
            len(self.tape),
            self.tape.counts(),
            self.signature,
            "\n".join(self.texts(np.dtype(dtype).char)),
        )
