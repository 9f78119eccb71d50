"""What adapters may ask of a quantity: the interface for array libraries, exporters, applications.

A quantity of a robot (`robot.inverse_dynamics`, `robot.frame("tool").pose.dq`) has these members.
An adapter takes a call with `bind`, converts the values in its own way, and runs the kernel of the
call, or has the quantity `evaluate` it on NumPy arrays.
`jounce.arrays.frameworks.operators.operator` makes a quantity a differentiable operator for
libraries that differentiate.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from inspect import Signature
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

from jounce.arrays.calls import Call
from jounce.catalog.quantity import AnyQuantity
from jounce.model.model import Model
from jounce.model.tree import Tree
from jounce.runtime.compiled import CompiledKernel
from jounce.runtime.kernel import Kernel

if TYPE_CHECKING:
    from jounce.runtime.cuda import Launcher


class Owner(Protocol):
    """What has quantities: a robot, a mechanism, or either with its numbers as arguments."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def model(self) -> Model:
        """Its model."""
        ...

    @property
    def tree(self) -> Tree:
        """The elementary tree that formulas walk."""
        ...

    @property
    def sizes(self) -> dict[str, int]:
        """Sizes as the catalog's shapes name them."""
        ...

    @property
    def target(self) -> str | None:
        """The processor its kernels are compiled for."""
        ...

    @property
    def content_hash(self) -> str:
        """A hash of all that it is, the same in every process."""
        ...

    def explain_singularity(self) -> str:
        """Return why the mass matrix is singular, or '' if it is not."""
        ...


#: Members of quantities for adapters and for other parts of the package; `dir` does not list them.
INTERNAL = frozenset(
    (
        "bind",
        "compile_kernel",
        "convert",
        "default_value",
        "evaluate",
        "explain_missing",
        "frame_index",
        "full_kernel",
        "handle",
        "launcher",
        "mounted_kernel",
        "owner_name",
        "returns_tuple",
        "title",
        "has_derivatives",
        "kept",
        "with_definition",
        "wraps_kernel",
    )
)


class QuantityProtocol(Protocol):
    """A quantity or derivative on a robot, as adapters see it."""

    #: Its catalog entry: formula, arguments, shapes, unit, description.
    definition: AnyQuantity

    #: What it is called in messages, such as "panda.inverse_dynamics.dq".
    title: str

    #: The robot, mechanism or table whose quantity it is: model, tree, sizes, content_hash.
    robot: Owner

    #: Index of the frame in the model, for quantities of frames.
    frame_index: int | None

    #: Whether even a single result comes as a tuple.
    returns_tuple: bool

    #: Whether derivatives are its attributes, as `quantity.dq`.
    has_derivatives: bool

    #: Whether a call does more than run the kernel on its arguments.
    wraps_kernel: bool

    #: What adapters keep with the quantity, by keys of their own.
    kept: dict[Hashable, Any]

    #: Its name and that of its owner in messages: "dq", "panda".
    __name__: str
    owner_name: str

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Evaluate a call on arrays of any library."""
        ...

    @property
    def __signature__(self) -> Signature:
        """How it is called."""
        ...

    @property
    def kernel(self) -> Kernel:
        """The kernel without optional arguments: tape, shapes, machine code."""
        ...

    @property
    def full_kernel(self) -> Kernel:
        """The kernel with all optional arguments."""
        ...

    @property
    def handle(self) -> str:
        """A string that stands for the quantity where only strings can be kept."""
        ...

    def choose(self, **options: Any) -> Self:
        """Return the same quantity by the formula that options choose."""
        ...

    def with_definition(self, definition: AnyQuantity) -> QuantityProtocol:
        """Return a variant or derivative of the quantity on the same robot and frame."""
        ...

    def bind(self, args: tuple[Any, ...], options: dict[str, Any]) -> Call:
        """Resolve the options of a call and put its arguments in order."""
        ...

    def convert(self, names: Sequence[str], values: Sequence[Any]) -> tuple[np.ndarray, ...]:
        """Convert arguments to NumPy arrays of one precision, with defaults for None."""
        ...

    def default_value(self, name: str) -> np.ndarray:
        """Return the value of an optional argument that is not given."""
        ...

    def evaluate(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Evaluate a call on NumPy arrays, or on the values of other arrays."""
        ...

    def compile_kernel(self, kernel: Kernel, char: str) -> CompiledKernel:
        """Compile a kernel of the quantity for "f" (float32) or "d" (float64)."""
        ...

    def launcher(self, kernel: Kernel, char: str, device: int) -> Launcher:
        """Return the kernel on a CUDA device."""
        ...
