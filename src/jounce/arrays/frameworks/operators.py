"""Quantities as functions that can be differentiated to any order.

An operator takes arrays whose last axes are the core shapes, and returns a tuple of arrays. Its
Jacobian-vector product (JVP) in some arguments takes their tangents, too, and is linear in these;
its vector-Jacobian product (VJP) takes weights of the results and is linear in them. The two are
each other's transpose and operators again, so one rule per library covers derivatives of any order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from jounce.arrays.protocol import QuantityProtocol
from jounce.catalog.derivative import MAX_ARRAYS, derive
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.variables import Jvp, Variant, Vjp
from jounce.runtime.compiled import CompiledKernel
from jounce.runtime.kernel import Kernel
from jounce.utils.once import entry, once_property

if TYPE_CHECKING:
    from jounce.runtime.cuda import Launcher

Shape = tuple[int, ...]


class Operator:
    """A differentiable function of arrays.

    linear: number of last arguments in which it is linear. Each operator is created once and
    compared by identity, so that libraries can use it as a key of their caches.
    """

    def __init__(
        self,
        evaluable: QuantityProtocol,
        definition: AnyQuantity,
        linear: int = 0,
        transpose: Callable[[], Operator] | None = None,
    ) -> None:
        self.evaluable = evaluable
        self.linear = linear
        self._definition = definition
        self._transpose = transpose
        #: Objects that adapters cache with the operator, each under its own key.
        self.cache: dict[Hashable, Any] = {}

    @property
    def title(self) -> str:
        """Title in messages."""
        return self.evaluable.title

    @property
    def kernel(self) -> Kernel:
        """Kernel of the function."""
        return self.evaluable.kernel

    @property
    def arguments(self) -> tuple[str, ...]:
        """Names of the arguments."""
        return self.kernel.arguments

    @property
    def inputs(self) -> tuple[Shape, ...]:
        """Core shapes of the arguments."""
        return self.kernel.inputs

    @property
    def outputs(self) -> tuple[Shape, ...]:
        """Core shapes of the results."""
        return self.kernel.outputs

    def __call__(self, *arrays: Any) -> tuple[Any, ...]:
        """Evaluate on NumPy arrays; always returns a tuple."""
        results = self.evaluable(*arrays)
        return results if type(results) is tuple else (results,)

    def compile(self, char: str) -> CompiledKernel:
        """Compile the kernel.

        Parameters
        ----------
        char : {"f", "d"}
            Precision: float32 or float64.

        Returns
        -------
        CompiledKernel
            The machine code and its address.
        """
        return self.evaluable.compile_kernel(self.kernel, char)

    def launcher(self, char: str, device: int) -> Launcher:
        """Return a launcher of the kernel on a CUDA device.

        Parameters
        ----------
        char : {"f", "d"}
            Precision: float32 or float64.
        device : int
            Number of the CUDA device.

        Returns
        -------
        Launcher
            The kernel, compiled once for the device.
        """
        return self.evaluable.launcher(self.kernel, char, device)

    @once_property
    def key(self) -> str:
        """Key of the function with a hash of its tape, equal in every process."""
        kernel = self.kernel
        text = f"{kernel.tape.digest()} {kernel.signature}"
        return f"{self.label}_{hashlib.sha256(text.encode()).hexdigest()[:32]}"

    @property
    def label(self) -> str:
        """Prefix of the key: the title in letters, digits and underscores."""
        return "".join(c if c.isalnum() else "_" for c in self.title)

    # -------------------------------------------------------------- derivatives

    def jvp(self, moving: tuple[int, ...]) -> Operator:
        """Return the Jacobian-vector product.

        Parameters
        ----------
        moving : tuple of int
            Indices of the arguments that have tangents.

        Returns
        -------
        Operator
            A function of all arguments, then of the tangents.
        """
        variable = Jvp(True, self._names(moving))
        return self._derivative(variable, len(moving), lambda: self.vjp(moving))

    def vjp(self, wanted: tuple[int, ...]) -> Operator:
        """Return the vector-Jacobian product.

        Parameters
        ----------
        wanted : tuple of int
            Indices of the arguments whose gradients it computes.

        Returns
        -------
        Operator
            A function of all arguments, then of weights of the results.
        """
        variable = Vjp(True, self._names(wanted))
        return self._derivative(variable, len(self.outputs), lambda: self.jvp(wanted))

    def _names(self, places: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(self._definition.arguments[k] for k in places)

    @property
    def transpose(self) -> Operator:
        """Transpose: from other arguments and weights of results to weights of linear arguments."""
        if self._transpose is None:
            raise ValueError(
                f"{self.title} has no transpose, since it is linear in none of its arguments"
            )
        return self._transpose()

    def _derivative(
        self,
        variable: Jvp | Vjp,
        linear: int,
        transpose: Callable[[], Operator],
    ) -> Operator:
        def make() -> Operator:
            definition = derive(self._definition, variable)
            arrays = len(definition.arguments) + len(definition.shapes)
            if arrays > MAX_ARRAYS:
                raise ValueError(
                    f"{self.title}: a kernel has at most {MAX_ARRAYS} arguments and results, found"
                    f" {arrays} for the derivative {variable}; differentiate in fewer arguments, or"
                    " to a lower order"
                )
            return Operator(
                self.evaluable.with_definition(definition), definition, linear, transpose
            )

        return entry(self.cache, variable, make)

    def __repr__(self) -> str:
        return f"<operator {self.title}{self.kernel.signature}>"


def operator(
    quantity: QuantityProtocol,
    *,
    optional: bool = False,
    moving: bool = False,
    tangent: bool = False,
) -> Operator:
    """Return a quantity as a differentiable operator, created once.

    Parameters
    ----------
    quantity : QuantityProtocol
        The quantity or derivative.
    optional : bool
        Include the optional arguments.
    moving : bool
        Include the optional arguments and the motion of the base.
    tangent : bool
        Add a velocity (nv,) for each configuration, which moves it for one unit of time first.

    Returns
    -------
    Operator
        The function of these arguments.
    """

    def make() -> Operator:
        definition = (
            derive(quantity.definition, Variant.DISPLACED) if tangent else quantity.definition
        )
        definition = derive(definition, Variant.MOVING_BASE) if moving else definition
        definition = derive(
            definition, Variant.COMPLETE if optional or moving else Variant.REQUIRED
        )
        # reuse the kernel of the quantity where it is the same
        same = not (quantity.wraps_kernel or optional or moving or tangent)
        return Operator(quantity if same else quantity.with_definition(definition), definition)

    return entry(quantity.cache, ("operator", optional, moving, tangent), make)
