"""A catalog row on a robot, as a compiled gufunc: look up or compile what is traced, install it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from jounce.backends import llvm
from jounce.backends.function import signature
from jounce.catalog.quantity import AnyQuantity
from jounce.errors import report_floating_errors
from jounce.graph.tape import Tape
from jounce.model.tree import Tree
from jounce.process import background, memory
from jounce.process.once import entry, once_property
from jounce.runtime import batches, gufunc, recycling, trace
from jounce.runtime.formulation import Cost, find_shortest, memory_key

#: Operations a thread must be worth; below, a batch stays on the caller's thread.
_OPERATIONS_PER_THREAD = 6_000_000

#: Operations of a block of samples, of which a thread does several (some ten microseconds).
_OPERATIONS_PER_BLOCK = 250_000

#: Operations from which on other threads of Python's run meanwhile (some ten microseconds).
_OPERATIONS_UNLOCKED = 250_000


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
    which may be set before the first use; by default `JOUNCE_LIMIT` or `limits.LIMIT`.
    """

    def __init__(
        self,
        row: AnyQuantity,
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
        self._large = self._recycled = 1 << 62
        self.arguments = trace.argument_names(row, optional)
        self.inputs = trace.input_shapes(row, sizes, optional)
        self.outputs = trace.output_shapes(row, sizes)
        self._tree, self._sizes = tree, sizes
        self._frame, self._optional = frame, optional
        self._compiled: dict[str, None] = {}

    @property
    def signature(self) -> str:
        """Core signature, such as (7),(7)->(7,7)."""
        return signature(self.inputs, self.outputs)

    @once_property
    def _traced(self) -> tuple[Tape, Cost]:
        """The shortest formulation, and what it was compared with."""
        row, tree, frame, optional = self.row, self._tree, self._frame, self._optional

        def traced(most: float | None) -> Tape:
            limit = min((x for x in (self.limit, most) if x is not None), default=None)
            sizes, title = self._sizes, self.title
            return trace.traced(row, tree, sizes, frame, optional, title=title, limit=limit)

        key = memory_key(tree, row.name, self.arguments, frame)
        return background.run(lambda: find_shortest(traced, key, self.title), self._tell)

    @once_property
    def tape(self) -> Tape:
        """The traced formula."""
        return self._traced[0]

    @property
    def cost(self) -> Cost:
        """Operations of a sample, and of the formulations they were chosen from."""
        return self._traced[1]

    # -------------------------------------------------------------- compiling

    def run(self, *args: Any, **options: Any) -> Any:
        """Call the gufunc, on several threads if a batch is large.

        Floating-point errors are reported at the user's line.

        Raises
        ------
        NotCompiled
            If there is no kernel for the dtype yet.
        """
        size = max((x.size for x in args if isinstance(x, np.ndarray)), default=0)
        errors: dict[str, int] = {}
        with np.errstate(all="call", call=errors.__setitem__):
            if size >= self._large:
                made = self.ufunc, self.loops
                shapes = self.inputs, self.outputs
                result = batches.call(made, args, options, *shapes, self.block)
            elif size >= self._recycled:
                result = recycling.pool().call(self.ufunc, *args, **options)
            else:
                result = self.ufunc(*args, **options)
        if errors:
            report_floating_errors(errors, self.row.name)
        return result

    @property
    def large(self) -> int:
        """Entries of an argument that make a batch a large one, known once it is compiled."""
        return self._large

    @large.setter
    def large(self, entries: int) -> None:
        self._large = entries
        self.loops.measure(entries // self._least_entries(), self._long_batch())

    @property
    def block(self) -> int:
        """Fewest samples of a block, of which threads take one after the other."""
        return _OPERATIONS_PER_BLOCK // self._work()

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
        entry(self._compiled, char, lambda: self._install(char))

    def _install(self, char: str) -> None:
        """Compile the kernel for a dtype and have the loop run it."""
        memory.require(llvm.LEAST_BYTES, f"compiling {self.title}")
        code = background.run(lambda: self._loaded(char), self._tell)
        self.loops.install(char, code)
        self.large = self._large_batch() * self._least_entries()
        self._recycled = recycling.least_batch(self.outputs) * self._least_entries()

    def _least_entries(self) -> int:
        """Entries that a sample of the smallest argument has."""
        return min(map(math.prod, self.inputs))

    def _large_batch(self) -> int:
        """Samples from which on a batch is worth threads."""
        return 2 * max(_OPERATIONS_PER_THREAD // self._work(), 64)

    def _long_batch(self) -> int:
        """Samples from which on other threads run meanwhile."""
        return max(_OPERATIONS_UNLOCKED // self._work(), 2)

    def _work(self) -> int:
        """What a sample costs, in operations: reading or writing an entry takes as long as four."""
        return len(self.tape) + 4 * sum(map(math.prod, (*self.inputs, *self.outputs)))

    def _tell(self) -> None:
        if "tape" not in vars(self):
            trace.tell(self.title)

    def _loaded(self, char: str) -> llvm.Loaded:
        """The machine code: from the disk, or compiled and left there."""
        operands = self.tape, self.inputs, self.outputs, gufunc.SCALARS[char]
        return llvm.kernel(*operands, llvm.target(self._target), self.title)

    def texts(self, char: str) -> list[str]:
        """LLVM modules for the dtype."""
        operands = self.tape, self.inputs, self.outputs, gufunc.SCALARS[char]
        return llvm.module_texts(*operands, llvm.target(self._target))

    def lower(self, dtype: np.dtype) -> Lowered:
        """Operation counts and LLVM text for the dtype."""
        return Lowered(
            len(self.tape),
            self.tape.counts(),
            self.signature,
            "\n".join(self.texts(np.dtype(dtype).char)),
        )
