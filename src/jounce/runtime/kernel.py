"""Kernels: a quantity of one robot, traced once and compiled once per dtype."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import DTypeLike

from jounce.catalog.quantity import AnyQuantity
from jounce.compiler import targets
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.base import Target
from jounce.compiler.targets.function import Function, Variable, signature
from jounce.compiler.targets.inner_loop import InnerLoop
from jounce.compiler.targets.text import variable_name
from jounce.model.tree import Tree
from jounce.runtime import trace
from jounce.runtime.batches import NumpyCall
from jounce.runtime.compiled import CompiledKernel
from jounce.runtime.formulation import Cost, find_shortest, memory_key
from jounce.runtime.gufunc import make_gufunc
from jounce.utils import background
from jounce.utils.once import entry, once_property

T = TypeVar("T")


@dataclass(frozen=True)
class Lowered:
    """Lowered form of a quantity: operation counts, source text, core signature."""

    operations: int
    counts: dict[str, int]
    signature: str
    text: str

    def __repr__(self) -> str:
        counts = ", ".join(f"{n} {name}" for name, n in sorted(self.counts.items()))
        return f"<{self.signature}: {self.operations} operations ({counts})>"


class Kernel:
    """A quantity of the catalog on one robot, with or without its optional arguments.

    Tracing and compilation are lazy. The callers of compiled kernels are `runtime.batches` (NumPy),
    `runtime.fastcall` (single calls) and the XLA handler (JAX).

    Parameters
    ----------
    quantity : AnyQuantity
        Catalog entry of a quantity or derivative.
    tree : Tree
        Kinematic tree of the robot.
    sizes : dict of str to int
        Sizes that shapes of the catalog name, such as nq and nv.
    frame : int, optional
        Index of the frame, for quantities of frames.
    optional : bool
        Whether the kernel takes the optional arguments.
    title : str
        Name of the quantity in messages.
    target : str, optional
        Name for `targets.get_host_target`.

    Notes
    -----
    The attribute `limit`, the maximum number of operations, may be set before the first use. By
    default it is None, which stands for `JOUNCE_LIMIT` or `kernel_size.LIMIT`.
    """

    def __init__(
        self,
        quantity: AnyQuantity,
        tree: Tree,
        sizes: trace.Sizes,
        frame: int | None = None,
        optional: bool = False,
        title: str = "",
        target: str | None = None,
    ) -> None:
        self.quantity = quantity
        self.title = title or quantity.name
        self.limit: float | None = None
        self.arguments = trace.argument_names(quantity, optional)
        self.inputs = trace.input_shapes(quantity, sizes, optional)
        self.outputs = trace.output_shapes(quantity, sizes)
        self._target = target
        self._tree, self._sizes = tree, sizes
        self._frame, self._optional = frame, optional
        self._compiled: dict[str, CompiledKernel] = {}
        self._calls: dict[str, NumpyCall] = {}

    @property
    def signature(self) -> str:
        """Core signature, such as (7),(7)->(7,7)."""
        return signature(self.inputs, self.outputs)

    @property
    def target(self) -> Target:
        """The target that it is compiled for."""
        return targets.get_host_target(self._target)

    # -------------------------------------------------------------- tracing

    @once_property
    def _formulation(self) -> tuple[Tape, Cost]:
        """The tape with the fewest operations among equivalent formulations, and its cost."""
        quantity, tree, frame, optional = self.quantity, self._tree, self._frame, self._optional

        def trace_within(max_operations: float | None) -> Tape:
            limit = min((x for x in (self.limit, max_operations) if x is not None), default=None)
            sizes, title = self._sizes, self.title
            return trace.trace_formula(
                quantity, tree, sizes, frame, optional, title=title, limit=limit
            )

        key = memory_key(tree, quantity.name, self.arguments, frame)
        return background.run(lambda: find_shortest(trace_within, key, self.title), self._announce)

    @once_property
    def tape(self) -> Tape:
        """The traced formula."""
        return self._formulation[0]

    @property
    def cost(self) -> Cost:
        """Operations per sample, of this and of the other formulations that were compared."""
        return self._formulation[1]

    @once_property
    def function(self) -> Function:
        """The tape with named arguments and results: the input of targets."""
        names: list[str] = []
        for name in (*self.arguments, *(f"result_{k}" for k in range(len(self.outputs)))):
            names.append(variable_name(name, names))
        shapes = *self.inputs, *self.outputs
        operands = [Variable(name, shape, "") for name, shape in zip(names, shapes, strict=True)]
        count = len(self.inputs)
        name = variable_name(self.quantity.name)
        return Function(name, self.tape, tuple(operands[:count]), tuple(operands[count:]))

    # -------------------------------------------------------------- compiling

    def compile(self, dtype: DTypeLike = np.float64) -> CompiledKernel:
        """Return executable code for a dtype, compiled at the first call.

        Parameters
        ----------
        dtype : dtype
            float64 or float32.

        Raises
        ------
        ValueError
            If the target does not exist, or does not support the dtype.
        KernelTooLargeError
            If the formula has more operations than `limit`.
        MemoryError
            If there is too little memory for the compiler.
        """
        char = np.dtype(dtype).char
        return entry(self._compiled, char, lambda: self.work(lambda: self._compile(char)))

    def _compile(self, char: str) -> CompiledKernel:
        code = self.target.compile(self.function, char, self.title)
        if not isinstance(code, InnerLoop):
            raise ValueError(f"target '{self.target.name}' generates no code for the processor")
        operands = char, self.inputs, self.outputs, len(self.tape)
        return CompiledKernel(self.quantity.name, self.quantity.doc, *operands, code)

    def work(self, make: Callable[[], T]) -> T:
        """Run a function on a worker thread, so that Ctrl-C can interrupt it.

        Raises MemoryError if there is too little memory for the compiler. Nested calls run on the
        same thread.
        """
        needs = self.target.min_memory, f"compiling {self.title}"
        return background.run(make, self._announce, needs=needs)

    def _announce(self) -> None:
        if "tape" not in vars(self):
            trace.warn_slow_trace(self.title)

    # -------------------------------------------------------------- NumPy

    def call(self, dtype: DTypeLike = np.float64) -> NumpyCall:
        """Return the kernel as a function of NumPy arrays, compiled once.

        Parameters
        ----------
        dtype : dtype
            float64 or float32.

        Returns
        -------
        NumpyCall
        """
        char = np.dtype(dtype).char
        return entry(self._calls, char, lambda: NumpyCall(self.compile(char)))

    @once_property
    def ufunc(self) -> np.ufunc:
        """NumPy's gufunc for both dtypes, compiled."""
        return self.work(lambda: make_gufunc(self.compile("f"), self.compile("d")))

    def lower(self, dtype: DTypeLike = np.float64) -> Lowered:
        """Return operation counts and the source text for a dtype.

        Parameters
        ----------
        dtype : dtype
            float64 or float32.

        Returns
        -------
        Lowered
        """
        text = self.target.source(self.function, dtype)
        return Lowered(len(self.tape), self.tape.counts(), self.signature, text)
