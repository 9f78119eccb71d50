"""Interface of quantities for adapters of array libraries, exporters and applications.

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
    """An owner of quantities: a robot, a mechanism, or a table with parameters as arguments."""

    @property
    def name(self) -> str:
        """Name of the robot, which messages begin with."""
        ...

    @property
    def model(self) -> Model:
        """The robot model."""
        ...

    @property
    def tree(self) -> Tree:
        """Kinematic tree of elementary joints that formulas traverse."""
        ...

    @property
    def sizes(self) -> dict[str, int]:
        """Values of the sizes in the catalog's shapes: nq, nv, nb, ..."""
        ...

    @property
    def target(self) -> str | None:
        """Compilation target of the kernels; None for the default one."""
        ...

    @property
    def content_hash(self) -> str:
        """Content hash, equal in every process."""
        ...

    def explain_singularity(self) -> str:
        """Return why the mass matrix is singular, or '' if it is not."""
        ...


#: Members of quantities for adapters and other packages; `dir` does not list them.
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
        "moving_base_kernel",
        "owner_name",
        "returns_tuple",
        "title",
        "has_derivatives",
        "cache",
        "with_definition",
        "wraps_kernel",
    )
)


class QuantityProtocol(Protocol):
    """Interface of a quantity or derivative of a robot for adapters."""

    #: Its catalog entry: formula, arguments, shapes, unit, description.
    definition: AnyQuantity

    #: Title in messages, such as "panda.inverse_dynamics.dq".
    title: str

    #: The robot, mechanism or table whose quantity it is: model, tree, sizes, content_hash.
    robot: Owner

    #: Index of the frame in the model, for quantities of frames.
    frame_index: int | None

    #: Whether a single result is returned as a tuple, too.
    returns_tuple: bool

    #: Whether derivatives are its attributes, as `quantity.dq`.
    has_derivatives: bool

    #: Whether a call does more than run the kernel on its arguments.
    wraps_kernel: bool

    #: Objects that adapters cache with the quantity, each under its own key.
    cache: dict[Hashable, Any]

    #: Names of the quantity and of its owner in messages: "dq", "panda".
    __name__: str
    owner_name: str

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Evaluate the quantity on arrays of any library."""
        ...

    @property
    def __signature__(self) -> Signature:
        """Signature of a call."""
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
        """String id of the quantity, for graphs that can only hold strings."""
        ...

    def choose(self, **options: Any) -> Self:
        """Return the quantity with options fixed.

        Parameters
        ----------
        **options
            Options of the quantity, such as ``method="rk4"``.

        Returns
        -------
        QuantityProtocol
            The quantity for these options; the quantity itself if they are the defaults.
        """
        ...

    def with_definition(self, definition: AnyQuantity) -> QuantityProtocol:
        """Return a variant or derivative of the quantity on the same robot and frame.

        Parameters
        ----------
        definition : AnyQuantity
            Catalog entry of the variant or derivative.

        Returns
        -------
        QuantityProtocol
            The same object for every call with this definition.
        """
        ...

    def bind(self, args: tuple[Any, ...], options: dict[str, Any]) -> Call:
        """Resolve the options of a call and put its arguments in order; nothing is computed.

        Parameters
        ----------
        args : tuple
            Positional arguments of the call.
        options : dict
            Keyword arguments of the call.

        Returns
        -------
        Call
            The kernel to run, its arguments in order and the remaining NumPy options.
        """
        ...

    def convert(self, names: Sequence[str], values: Sequence[Any]) -> tuple[np.ndarray, ...]:
        """Convert arguments to NumPy arrays of one precision.

        Parameters
        ----------
        names : sequence of str
            Names of the arguments.
        values : sequence
            Their values; None for an optional argument that is not given.

        Returns
        -------
        tuple of ndarray
            The arrays, with default values in place of None.
        """
        ...

    def default_value(self, name: str) -> np.ndarray:
        """Return the default value of an optional argument.

        Parameters
        ----------
        name : str
            Name of the argument.

        Returns
        -------
        ndarray
            The robot's gravity for `gravity`, zeros for all others.
        """
        ...

    def evaluate(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Evaluate a call on NumPy arrays, or on the values of other arrays.

        Parameters
        ----------
        args : tuple
            Positional arguments of the call.
        options : dict
            Keyword arguments of the call.

        Returns
        -------
        ndarray or tuple of ndarray
            The results.
        """
        ...

    def compile_kernel(self, kernel: Kernel, char: str) -> CompiledKernel:
        """Compile a kernel of the quantity.

        Parameters
        ----------
        kernel : Kernel
            A kernel of this quantity, such as `kernel` or `full_kernel`.
        char : {"f", "d"}
            Precision: float32 or float64.

        Returns
        -------
        CompiledKernel
            The machine code and its address.
        """
        ...

    def launcher(self, kernel: Kernel, char: str, device: int) -> Launcher:
        """Return a launcher of a kernel on a CUDA device.

        Parameters
        ----------
        kernel : Kernel
            A kernel of this quantity.
        char : {"f", "d"}
            Precision: float32 or float64.
        device : int
            Number of the CUDA device.

        Returns
        -------
        Launcher
            The kernel, compiled for the device.
        """
        ...
