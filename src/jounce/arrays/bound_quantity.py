"""Quantities of a robot as callables whose derivatives are attributes.

Plain float64 arrays go straight to the compiled kernel (`runtime.fastcall`); all other calls take
the slow path, `BoundQuantity._evaluate`. The instance attribute `__call__` selects the path.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from inspect import Signature
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import numpy as np
from numpy.typing import DTypeLike

from jounce.arrays import choices, failures, kinds
from jounce.arrays.calls import Call, ResolvedCall, convert_arguments, order_arguments
from jounce.arrays.choices import follow as follow
from jounce.arrays.protocol import INTERNAL, Owner
from jounce.arrays.signatures import call_text, shapes_text, signature
from jounce.arrays.validation import parse_dtype, refuse_other_columns
from jounce.catalog.derivative import derive, variables_from
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.reference import describe
from jounce.catalog.variables import Variant
from jounce.errors import HidesMembers, ModelError, ModelWarning, printable, warn
from jounce.runtime import fastcall, kernel_size
from jounce.runtime.batches import call_reporting, choose_precision
from jounce.runtime.compiled import CompiledKernel
from jounce.runtime.formulation import Cost
from jounce.runtime.kernel import Kernel, Lowered
from jounce.runtime.trace import core_shape
from jounce.utils.handles import register_handle
from jounce.utils.once import entry, once_property, special_attribute
from jounce.utils.registry import provide

if TYPE_CHECKING:
    from jounce.runtime.cuda import Launcher

_Made = TypeVar("_Made")
_ARRAY, _DOUBLE = np.ndarray, np.dtype(np.float64)


class BoundQuantity(HidesMembers):
    """A quantity of the catalog on a robot, as a callable on arrays; leading axes broadcast.

    Positional arguments follow the printed signature; None omits an optional one. `out` and the
    other NumPy options are keyword-only. Results are float64, or float32 if at least one argument
    is float32 and none is wider.

    Adapters and exporters use the members of `jounce.arrays.protocol.QuantityProtocol`.
    """

    # a slot, so that each instance can replace its callable by a faster one
    __slots__ = ("__call__", "__dict__", "__weakref__")
    __call__: Callable[..., Any]
    _HIDDEN = INTERNAL

    #: Whether a single result is returned as a tuple, too.
    returns_tuple: bool = False

    #: Whether derivatives are attributes, as `quantity.dq`.
    has_derivatives: bool = False

    #: Objects that adapters cache with the quantity, each under its own key.
    cache: dict[Hashable, Any]

    #: The quantity whose `with_definition` returned this one.
    _base: BoundQuantity | None = None

    #: Whether a call does more than run the kernel on its arguments.
    wraps_kernel: bool = False

    if TYPE_CHECKING:  # checkers take the class of a descriptor for the type of the attribute
        __signature__: Signature
    else:
        __signature__ = special_attribute("__signature__", lambda self: self._make_signature())

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        _make_doc_lazy(cls)

    def __init__(
        self,
        owner: str,
        definition: AnyQuantity,
        robot: Owner,
        frame: int | None = None,
        parent: BoundQuantity | None = None,
    ) -> None:
        self.owner_name = owner
        self.title = f"{printable(owner)}.{definition.name}"
        self.definition = definition
        self.robot = robot
        self.frame_index = frame
        self._parent = parent
        self.cache = {}
        self._required_count = len(definition.arguments)
        self._prepared: set[tuple[Kernel, str]] = set()  # kernels that calls can run
        self.returns_tuple = self.returns_tuple or bool(definition.parts)
        self.__name__ = definition.name
        self.__call__ = self._wrap_call(self._evaluate)

    def _wrap_call(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return the callable of the object, given the fastest available kernel call."""
        return call

    def _text(self) -> str:
        """Return the text that help() shows."""
        return f"{call_text(self.title, self.definition)}\n\n{describe(self.definition)}"

    def _make_signature(self) -> Signature:
        """Return the signature that help() shows."""
        return signature(self.definition, self.returns_tuple)

    @once_property
    def _option_names(self) -> frozenset[str]:
        """Names of the options that select a formula."""
        return choices.option_names(self.definition)

    @once_property
    def handle(self) -> str:
        """String id of the quantity in graphs that torch.compile records."""
        return register_handle(self)

    def _evaluate(self, *args: Any, **options: Any) -> Any:
        """Evaluate a call on arrays of any library: the general path."""
        direct = self.cache.get(type(args[0])) if args else None  # by a library for its arrays
        if direct is not None and (results := direct(args, options)) is not None:
            return results
        arguments = (*args, *options.values())
        for x in arguments:
            if type(x) is not _ARRAY:
                names = *self.definition.arguments, *self.definition.optional
                named = zip(names, args, strict=False)
                refuse_other_columns(self.robot, self.title, (*named, *options.items()))
                kind = kinds.find_kind(arguments)
                if kind is not None:
                    return kind.call(self, args, options)
                break
        return self.evaluate(args, options)

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
        if len(args) == self._required_count and (
            not options or (len(options) == 1 and options.get("out") is not None)
        ):
            kernel = self.kernel
        else:
            chosen, args, options, indices = self._resolve_options(args, options)
            if chosen is not self:
                results = chosen(*args, **options)
                return results if indices is None else tuple(results[k] for k in indices)
            optional, base, args, options = order_arguments(self, args, options)
            kernel = Call(self, args, options, None, optional, base).kernel
        if options:
            failures.check_out(options.get("out"), self.title)
        for x in args:
            if type(x) is not _ARRAY or x.dtype is not _DOUBLE:
                args = self.convert(kernel.arguments, args)
                break
        char = choose_precision(args, options)
        if (kernel, char) not in self._prepared:
            fast = self._build_with_warning(lambda: self._prepare(kernel, char))
            if fast is not None:
                return call_reporting(fast, kernel.quantity.name, args, options)
        call = kernel.ufunc if "signature" in options else kernel.call(char)
        try:
            results = call(*args, **options)
            return (results,) if self.returns_tuple and type(results) is not tuple else results
        except MemoryError as error:
            raise MemoryError(failures.too_large(kernel, self.title)) from error
        except (TypeError, ValueError) as error:
            failures.explain(kernel, self.title, args, options, error)
            raise

    def _resolve_options(self, args: tuple[Any, ...], options: dict[str, Any]) -> ResolvedCall:
        """Return the quantity that the options select, and the remaining options."""
        if self._option_names.isdisjoint(options):
            return ResolvedCall(self, args, options)
        chosen, remaining = choices.resolve_options(self, args, options)
        return ResolvedCall(chosen, args, remaining)

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

        Raises
        ------
        TypeError
            If an argument is missing, given twice or unknown.
        """
        quantity, indices = self, None
        while True:
            chosen, args, options, selected = quantity._resolve_options(args, options)
            indices = selected if indices is None else indices
            if chosen is quantity:
                break
            quantity = chosen
        optional, base, values, remaining = order_arguments(quantity, args, options)
        return Call(quantity, values, remaining, indices, optional, base)

    def convert(self, names: Sequence[str], values: Sequence[Any]) -> tuple[np.ndarray, ...]:
        """Convert arguments to NumPy arrays of one precision.

        Parameters
        ----------
        names : sequence of str
            Names of the arguments.
        values : sequence
            Arrays of any library, or None for an optional argument that is not given.

        Returns
        -------
        tuple of ndarray
            The arrays, with default values in place of None.
        """
        return convert_arguments(self, names, values)

    def default_value(self, name: str) -> np.ndarray:
        """Return the default value of an optional argument.

        Parameters
        ----------
        name : str
            Name of the argument.

        Returns
        -------
        ndarray
            The robot's gravity for `gravity`, its `argument_defaults`, zeros for all others.
        """
        if name == "gravity":
            return self.robot.model.gravity
        defaults = getattr(self.robot, "argument_defaults", {})
        if name in defaults:
            return np.array(defaults[name])
        return np.zeros(core_shape(self.definition.argument(name).shape, self.robot.sizes))

    def choose(self, **options: Any) -> Self:
        """Return the quantity or derivative with options fixed.

        `robot.step(..., method="rk4")` calls `robot.step.choose(method="rk4")`.

        Parameters
        ----------
        **options
            Options of the quantity, such as ``method="rk4"``.

        Returns
        -------
        BoundQuantity
            The quantity for these options; the quantity itself if they are the defaults.
        """
        return choices.choose(self, options)

    @once_property
    def kernel(self) -> Kernel:
        """Kernel of calls without optional arguments."""
        return self._kernel(optional=False)

    @once_property
    def full_kernel(self) -> Kernel:
        """Kernel of calls with optional arguments, which takes all of them."""
        failures.check_array_count(self.definition, self.title)
        return self._kernel(optional=True)

    @once_property
    def moving_base_kernel(self) -> Kernel:
        """Kernel of calls with a moving base: all optional arguments and the motion of the base."""
        return self._kernel(optional=True, quantity=derive(self.definition, Variant.MOVING_BASE))

    @property
    def cost(self) -> Cost:
        """Operations for one sample, and the exact formulations they were chosen from."""
        return self.kernel.cost

    def _kernel(self, optional: bool, quantity: AnyQuantity | None = None) -> Kernel:
        robot, names = self.robot, {"title": self.title, "target": self.robot.target}
        definition, frame = quantity or self.definition, self.frame_index
        return Kernel(definition, robot.tree, robot.sizes, frame, optional, **names)

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
        return self._build_with_warning(lambda: kernel.compile(char))

    def launcher(self, kernel: Kernel, char: str, device: int) -> Launcher:
        """Return a launcher of a kernel on a CUDA device, compiled at the first call.

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
        from jounce.runtime import cuda  # lazily: most users have no GPU

        launcher = cuda.ready(kernel, char, device)
        return launcher or self._build_with_warning(lambda: cuda.launcher(kernel, char, device))

    def _build_with_warning(self, make: Callable[[], _Made]) -> _Made:
        """Build a callable from a kernel; warn if the mass matrix is singular."""
        problem = self.robot.explain_singularity() if self.definition.solves else ""
        try:
            made = make()
        except ModelError as error:
            raise ModelError(f"{self.title}: {problem or error}") from error
        if problem:
            warn(f"{self.title}: {problem}", ModelWarning)
        return made

    def _prepare(self, kernel: Kernel, char: str) -> Callable[..., Any] | None:
        """Compile a kernel for NumPy arrays; return its fast call, or None if it has none."""

        def make() -> Callable[..., Any] | None:
            compiled = kernel.compile(char)
            # a kernel with a moving base has another quantity
            native = compiled.code.native and kernel.quantity is self.definition
            if native and char == _DOUBLE.char and self._shortcut is not None:
                self._shortcut.serve(compiled, full=kernel is not self.kernel)
                return self._shortcut.call
            kernel.call(char)  # on the same worker
            return None

        fast = kernel.work(make)
        if fast is not None:
            self.__call__ = self._wrap_call(fast)
        self._prepared.add((kernel, char))
        return fast

    @once_property
    def _shortcut(self) -> fastcall.Shortcut | None:
        definition, outputs = self.definition, self.kernel.outputs
        names = (*definition.arguments, *definition.optional)
        inputs = {
            name: core_shape(definition.argument(name).shape, self.robot.sizes) for name in names
        }
        layout = inputs, self._required_count, self.default_value, outputs
        several = self.returns_tuple or len(outputs) > 1
        return fastcall.make_shortcut(*layout, several, self._evaluate)

    def with_definition(self, definition: AnyQuantity) -> BoundQuantity:
        """Return a variant or derivative of the quantity on the same robot and frame.

        Parameters
        ----------
        definition : AnyQuantity
            Catalog entry of the variant or derivative, which need not have a name.

        Returns
        -------
        BoundQuantity
            The same object for every call with this definition.
        """
        make = lambda: self._of(definition, BoundQuantity)  # noqa: E731
        made = entry(self.cache, ("definition", definition), make)
        made._base = self
        return made

    def _get_related(self, definition: AnyQuantity, kind: type[BoundQuantity]) -> BoundQuantity:
        """Return another quantity on the same robot and frame; it is created once."""
        return entry(self.cache, ("name", definition.name), lambda: self._of(definition, kind))

    def _of(self, definition: AnyQuantity, kind: type[BoundQuantity]) -> BoundQuantity:
        parent = self if self.has_derivatives else None
        return kind(self.owner_name, definition, self.robot, self.frame_index, parent)

    # -------------------------------------------------------------- looking inside

    @property
    def ufunc(self) -> np.ufunc:
        """The NumPy gufunc for float32 and float64, without optional arguments."""
        return self.kernel.ufunc

    def warmup(
        self,
        dtype: DTypeLike = np.float64,
        *,
        limit: float | Literal["default"] | None = "default",
        device: int | None = None,
    ) -> Self:
        """Compile the kernel now rather than at the first call.

        Parameters
        ----------
        dtype : dtype
            float64 or float32.
        limit : float, "default" or None
            Maximum number of operations; None for no limit, "default" for that of a first call.
        device : int
            Number of a CUDA device to compile for; None for the processor.

        Returns
        -------
        BoundQuantity
            The quantity itself.
        """
        char = parse_dtype(dtype).char
        if limit != "default":
            self.kernel.limit = kernel_size.check_limit(limit, f"{self.title}.warmup")
        if device is None:
            self._build_with_warning(lambda: self._prepare(self.kernel, char))
        else:
            self.launcher(self.kernel, char, device)
        return self

    def lower(self, dtype: DTypeLike = np.float64) -> Lowered:
        """Return the compiled code of the quantity.

        Parameters
        ----------
        dtype : dtype
            float64 or float32.

        Returns
        -------
        Lowered
            Operation counts, and the text of the LLVM module.
        """
        return self.kernel.lower(parse_dtype(dtype))

    def __reduce__(self) -> Any:
        base, variables = self._base, ()
        while base is not None:
            variables = variables_from(base.definition, self.definition)
            if variables is not None:
                return choices.restore_related, (base, variables)
            base = base._parent
        frames = self.robot.model.frames
        frame = None if self.frame_index is None else frames[self.frame_index].name
        return choices.restore, (self.robot, frame, self.definition.name)

    def __dask_tokenize__(self) -> Any:
        variables = map(repr, variables_from(None, self.definition) or ())
        return (
            "quantity",
            self.robot.content_hash,
            self.frame_index,
            self.definition.name,
            *variables,
        )

    def __repr__(self) -> str:
        return f"<{shapes_text(self.title, self.kernel)}: {self.definition.doc}>"

    def _repr_html_(self) -> str:
        return provide("quantity_html")(self)


def _make_doc_lazy(cls: type) -> None:
    """Give instances of a class their own help text; the class keeps its docstring."""
    cls.__doc__ = special_attribute("__doc__", lambda self: self._text(), cls.__doc__)  # pyright: ignore


_make_doc_lazy(BoundQuantity)
