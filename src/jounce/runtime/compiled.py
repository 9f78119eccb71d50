"""A kernel in one precision: executable code, and its description for callers."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence

import numpy as np

from jounce.compiler.targets.function import Shape, signature
from jounce.compiler.targets.inner_loop import InnerLoop, LoopData

#: Minimum of operations per thread; smaller batches stay on the caller's thread.
_OPERATIONS_PER_THREAD = 6_000_000

#: Operations of a block of samples, of which a thread takes several (some ten microseconds).
_OPERATIONS_PER_BLOCK = 250_000

#: Operations from which on the interpreter lock is released (some ten microseconds).
_OPERATIONS_UNLOCKED = 250_000


class CompiledKernel:
    """Executable code of a kernel for one dtype; front ends are made of it.

    It holds on to the code, and to nothing of the robot.

    Parameters
    ----------
    name, doc : str
        Name of the quantity, and one sentence about it.
    char : str
        "d" for float64, "f" for float32.
    inputs, outputs : sequence of tuples of int
        Core shapes of arguments and results.
    operations : int
        Operations of a sample.
    code : InnerLoop
        Executable code.
    """

    def __init__(
        self,
        name: str,
        doc: str,
        char: str,
        inputs: Sequence[Shape],
        outputs: Sequence[Shape],
        operations: int,
        code: InnerLoop,
    ) -> None:
        self.name, self.doc = name, doc
        self.char, self.dtype = char, np.dtype(char)
        self.inputs, self.outputs = tuple(inputs), tuple(outputs)
        self.code = code
        # reading or writing an entry takes as long as four operations
        work = operations + 4 * sum(map(math.prod, (*inputs, *outputs)))
        #: Minimum of samples of a block; threads take one block after the other.
        self.block = _OPERATIONS_PER_BLOCK // work
        #: Entries per sample of the smallest argument.
        self.min_entries = min(map(math.prod, inputs), default=1)
        self.large = 2 * max(_OPERATIONS_PER_THREAD // work, 64) * self.min_entries
        self.data.lengthy = max(_OPERATIONS_UNLOCKED // work, 2)

    @property
    def signature(self) -> str:
        """Core signature, such as (7),(7)->(7,7)."""
        return signature(self.inputs, self.outputs)

    @property
    def data(self) -> LoopData:
        """The last argument of the code."""
        return self.code.data

    @property
    def address(self) -> int:
        """Address of `data`, whose first member is the address of the code."""
        return ctypes.addressof(self.code.data)

    @property
    def large(self) -> int:
        """Entries of an argument from which on a batch is divided among threads."""
        return self._large

    @large.setter
    def large(self, entries: int) -> None:
        self._large = entries
        self.data.large = entries // self.min_entries
