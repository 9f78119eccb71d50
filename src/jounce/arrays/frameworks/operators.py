"""Quantities as functions that can be differentiated to any order.

An operator takes arrays of numbers, each with its core shape last, and gives a tuple of them. Its
pushforward in some of its arguments takes their tangents besides, and is linear in these; its
pullback takes weights of the results and is linear in them. The two are each other's transposed,
and operators again: a rule for one operator is a rule for derivatives of any order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from jounce.arrays.protocol import QuantityProtocol
from jounce.catalog.derivative import MOST_ARRAYS, derive
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.variables import Jvp, Variant, Vjp
from jounce.runtime.compiled import CompiledKernel
from jounce.runtime.kernel import Kernel
from jounce.utils.once import entry, once_property

if TYPE_CHECKING:
    from jounce.runtime.cuda import Launcher

Shape = tuple[int, ...]


class Operator:
    """A function of arrays and its derivatives.

    linear: how many of its last arguments it is linear in. Objects are made once and compared by
    identity, so that what is traced with one is found again.
    """

    def __init__(
        self,
        evaluable: QuantityProtocol,
        row: AnyQuantity,
        linear: int = 0,
        transposed: Callable[[], Operator] | None = None,
    ) -> None:
        self.evaluable = evaluable
        self.linear = linear
        self._row = row
        self._transposed = transposed
        #: What adapters keep with the operator, by keys of their own.
        self.kept: dict[Hashable, Any] = {}

    @property
    def title(self) -> str:
        """What it is called in messages."""
        return self.evaluable.title

    @property
    def kernel(self) -> Kernel:
        """What computes it."""
        return self.evaluable.kernel

    @property
    def arguments(self) -> tuple[str, ...]:
        """Names of its arguments."""
        return self.kernel.arguments

    @property
    def inputs(self) -> tuple[Shape, ...]:
        """Core shapes of its arguments."""
        return self.kernel.inputs

    @property
    def outputs(self) -> tuple[Shape, ...]:
        """Core shapes of its results."""
        return self.kernel.outputs

    def __call__(self, *arrays: Any) -> tuple[Any, ...]:
        """Its results for NumPy's arrays, always as a tuple."""
        found = self.evaluable(*arrays)
        return found if type(found) is tuple else (found,)

    def compile(self, char: str) -> CompiledKernel:
        """Its kernel, compiled for "f" or "d"."""
        return self.evaluable.compile_kernel(self.kernel, char)

    def launcher(self, char: str, device: int) -> Launcher:
        """Its kernel on the CUDA device of a number, for "f" or "d", compiled once."""
        return self.evaluable.launcher(self.kernel, char, device)

    @once_property
    def key(self) -> str:
        """A name that says what it computes, the same in every process."""
        kernel = self.kernel
        text = f"{kernel.tape.digest()} {kernel.signature}"
        return f"{self.label}_{hashlib.sha256(text.encode()).hexdigest()[:32]}"

    @property
    def label(self) -> str:
        """How its key begins: its title, in letters and digits."""
        return "".join(c if c.isalnum() else "_" for c in self.title)

    # -------------------------------------------------------------- derivatives

    def jvp(self, moving: tuple[int, ...]) -> Operator:
        """The directional derivative: takes all arguments, then tangents of those at `moving`."""
        variable = Jvp(True, self._names(moving))
        return self._derivative(variable, len(moving), lambda: self.vjp(moving))

    def vjp(self, wanted: tuple[int, ...]) -> Operator:
        """Gradients in the arguments at `wanted`: takes all arguments, then weights of results."""
        variable = Vjp(True, self._names(wanted))
        return self._derivative(variable, len(self.outputs), lambda: self.jvp(wanted))

    def _names(self, places: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(self._row.arguments[k] for k in places)

    @property
    def transposed(self) -> Operator:
        """What takes its fixed arguments and weights of its results to those of its linear ones."""
        if self._transposed is None:
            raise ValueError(f"{self.title} is linear in none of its arguments")
        return self._transposed()

    def _derivative(
        self,
        variable: Jvp | Vjp,
        linear: int,
        transposed: Callable[[], Operator],
    ) -> Operator:
        def make() -> Operator:
            row = derive(self._row, variable)
            arrays = len(row.arguments) + len(row.shapes)
            if arrays > MOST_ARRAYS:
                raise ValueError(
                    f"{self.title}: its derivative {variable} has {arrays}"
                    f" arguments and results, and a kernel at most {MOST_ARRAYS}; take it in fewer"
                    " arguments, or of a lower order"
                )
            return Operator(self.evaluable.with_definition(row), row, linear, transposed)

        return entry(self.kept, variable, make)

    def __repr__(self) -> str:
        return f"<operator {self.title}{self.kernel.signature}>"


def operator(
    quantity: QuantityProtocol,
    *,
    optional: bool = False,
    moving: bool = False,
    tangent: bool = False,
) -> Operator:
    """The operator of a quantity, made once.

    optional: with its optional arguments; moving: with those of a moving base, too. tangent: with a
    velocity for each configuration, by which it is moved first.
    """

    def make() -> Operator:
        row = derive(quantity.definition, Variant.DISPLACED) if tangent else quantity.definition
        row = derive(row, Variant.MOUNTED) if moving else row
        found = derive(row, Variant.COMPLETE if optional or moving else Variant.REQUIRED)
        # the quantity's own kernel, where it is the same
        same = not (quantity.wraps_kernel or optional or moving or tangent)
        return Operator(quantity if same else quantity.with_definition(found), found)

    return entry(quantity.kept, ("operator", optional, moving, tangent), make)
