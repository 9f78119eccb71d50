"""A quantity of a robot as a callable, and its derivatives as its attributes.

Plain float64 arrays go straight to the compiled kernel (`runtime.fastcall`); all other calls take
the slow path, `BoundQuantity._evaluate`. The instance attribute `__call__` selects the path.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from inspect import Signature
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar, cast

import numpy as np
from numpy.typing import DTypeLike

from jounce.arrays import choices, failures, kinds
from jounce.arrays.calls import Call, Resolved, convert_arguments, order_arguments
from jounce.arrays.protocol import INTERNAL, Owner
from jounce.arrays.signatures import call_text, shapes_text, signature
from jounce.arrays.validation import floating, refuse_other_columns
from jounce.catalog.derivative import derive, variables_from
from jounce.catalog.names import parse_name
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.reference import describe
from jounce.catalog.variables import Variable, Variant
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

    Positional arguments follow the printed signature, the optional ones included, for which None
    stands for not given; `out` and NumPy's other options are given by name. Results are float64, or
    float32 if an argument is float32 and none is wider.

    Adapters and exporters use the members of `jounce.arrays.protocol.QuantityProtocol`.
    """

    # each object holds the callable that serves it; Python finds it here as it would a method
    __slots__ = ("__call__", "__dict__", "__weakref__")
    __call__: Callable[..., Any]
    _HIDDEN = INTERNAL

    #: Whether even a single result comes as a tuple.
    returns_tuple: bool = False

    #: Whether derivatives are its attributes.
    has_derivatives: bool = False

    #: What adapters keep with the quantity, by keys of their own.
    kept: dict[Hashable, Any]

    #: The quantity that `with_definition` made this one of.
    _base: BoundQuantity | None = None

    #: Whether a call does more than run the kernel on its arguments.
    wraps_kernel: bool = False

    if TYPE_CHECKING:  # checkers take the class of a descriptor for the type of the attribute
        __signature__: Signature
    else:
        __signature__ = special_attribute("__signature__", lambda self: self._signed())

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
        self.kept = {}
        self._needed = len(definition.arguments)
        self._prepared: set[tuple[Kernel, str]] = set()  # kernels that calls can run
        self.returns_tuple = self.returns_tuple or bool(definition.parts)
        self.__name__ = definition.name
        self.__call__ = self._served(self._evaluate)

    def _served(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """What a call of the object is; `call`: what runs the kernel, as well as it can so far."""
        return call

    def _text(self) -> str:
        """Return the text that help() shows."""
        return f"{call_text(self.title, self.definition)}\n\n{describe(self.definition)}"

    def _signed(self) -> Signature:
        """Return the signature that help() shows."""
        return signature(self.definition, self.returns_tuple)

    @once_property
    def _offered(self) -> frozenset[str]:
        """Names of the options that choose a formula."""
        return choices.offered(self.definition)

    @once_property
    def handle(self) -> str:
        """A string that stands for the quantity in graphs that torch.compile records."""
        return register_handle(self)

    def _evaluate(self, *args: Any, **options: Any) -> Any:
        """The ordinary call."""
        given = (*args, *options.values())
        for x in given:
            if type(x) is not _ARRAY:
                named = zip(
                    (*self.definition.arguments, *self.definition.optional), args, strict=False
                )
                refuse_other_columns(self.robot, self.title, (*named, *options.items()))
                kind = kinds.common(given)
                if kind is not None:
                    return kind.called(self, args, options)
                break
        return self.evaluate(args, options)

    def evaluate(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Evaluate a call on NumPy arrays, or on what becomes such by its values."""
        if len(args) == self._needed and (
            not options or (len(options) == 1 and options.get("out") is not None)
        ):
            kernel = self.kernel
        else:
            chosen, args, options, places = self._resolved(args, options)
            if chosen is not self:
                found = chosen(*args, **options)
                return found if places is None else tuple(found[k] for k in places)
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
            fast = self._judged(lambda: self._prepare(kernel, char))
            if fast is not None:
                return call_reporting(fast, kernel.quantity.name, args, options)
        call = kernel.ufunc if "signature" in options else kernel.call(char)
        try:
            found = call(*args, **options)
            return (found,) if self.returns_tuple and type(found) is not tuple else found
        except MemoryError as error:
            raise MemoryError(failures.too_large(kernel, self.title)) from error
        except (TypeError, ValueError) as error:
            failures.explain(kernel, self.title, args, options, error)
            raise

    def _resolved(self, args: tuple[Any, ...], options: dict[str, Any]) -> Resolved:
        """What a call with options is a call of, perhaps of the quantity itself."""
        if self._offered.isdisjoint(options):
            return Resolved(self, args, options)
        chosen, rest = choices.resolved(self, args, options)
        return Resolved(chosen, args, rest)

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

        Raises
        ------
        TypeError
            If an argument is missing, given twice or unknown.
        """
        quantity, places = self, None
        while True:
            chosen, args, options, picked = quantity._resolved(args, options)
            places = picked if places is None else places
            if chosen is quantity:
                break
            quantity = chosen
        optional, base, values, rest = order_arguments(quantity, args, options)
        return Call(quantity, values, rest, places, optional, base)

    def convert(self, names: Sequence[str], values: Sequence[Any]) -> tuple[np.ndarray, ...]:
        """Convert arguments to NumPy arrays of one precision.

        Arrays of other libraries are taken by their values. Arguments that are not given (None)
        get their defaults.
        """
        return convert_arguments(self, names, values)

    def default_value(self, name: str) -> np.ndarray:
        """Return what stands for an optional argument that is not given while another one is."""
        if name == "gravity":
            return self.robot.model.gravity
        return np.zeros(core_shape(self.definition.argument(name).shape, self.robot.sizes))

    def choose(self, **options: Any) -> Self:
        """The same quantity or derivative by the formula that options choose.

        As robot.step.choose(method="rk4"), which robot.step(..., method="rk4") calls.
        """
        return choices.choose(self, options)

    @once_property
    def kernel(self) -> Kernel:
        """What is called when no optional argument is given."""
        return self._kernel(optional=False)

    @once_property
    def full_kernel(self) -> Kernel:
        """What is called otherwise: with all optional arguments."""
        failures.check_array_count(self.definition, self.title)
        return self._kernel(optional=True)

    @once_property
    def mounted_kernel(self) -> Kernel:
        """What is called if the base moves: with all optional arguments, and its motion."""
        return self._kernel(optional=True, quantity=derive(self.definition, Variant.MOUNTED))

    @property
    def cost(self) -> Cost:
        """Operations for one sample, and the exact formulations they were chosen from."""
        return self.kernel.cost

    def _kernel(self, optional: bool, quantity: AnyQuantity | None = None) -> Kernel:
        robot, names = self.robot, {"title": self.title, "target": self.robot.target}
        of, frame = quantity or self.definition, self.frame_index
        return Kernel(of, robot.tree, robot.sizes, frame, optional, **names)

    def compile_kernel(self, kernel: Kernel, char: str) -> CompiledKernel:
        """Return a kernel of the quantity compiled for "f" (float32) or "d" (float64)."""
        return self._judged(lambda: kernel.compile(char))

    def launcher(self, kernel: Kernel, char: str, device: int) -> Launcher:
        """Return the kernel on a CUDA device, compiled at the first call."""
        from jounce.runtime import cuda  # which few have

        found = cuda.ready(kernel, char, device)
        return found or self._judged(lambda: cuda.launcher(kernel, char, device))

    def _judged(self, make: Callable[[], _Made]) -> _Made:
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
        """Compile a kernel for NumPy arrays; return its fast call, None if it can have none."""

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
            self.__call__ = self._served(fast)
        self._prepared.add((kernel, char))
        return fast

    @once_property
    def _shortcut(self) -> fastcall.Shortcut | None:
        row, outputs = self.definition, self.kernel.outputs
        names = (*row.arguments, *row.optional)
        inputs = {name: core_shape(row.argument(name).shape, self.robot.sizes) for name in names}
        given = inputs, self._needed, self.default_value, outputs
        several = self.returns_tuple or len(outputs) > 1
        return fastcall.make_shortcut(*given, several, self._evaluate)

    def with_definition(self, definition: AnyQuantity) -> BoundQuantity:
        """Return another quantity of the catalog on the same robot and frame, made once.

        definition: a variant or derivative of this quantity, which need not have a name.
        """
        make = lambda: self._of(definition, BoundQuantity)  # noqa: E731
        made = entry(self.kept, ("definition", definition), make)
        made._base = self
        return made

    def _related(self, row: AnyQuantity, kind: type[BoundQuantity]) -> BoundQuantity:
        """Another quantity on the same robot and frame, made once."""
        return entry(self.kept, ("name", row.name), lambda: self._of(row, kind))

    def _of(self, row: AnyQuantity, kind: type[BoundQuantity]) -> BoundQuantity:
        parent = self if self.has_derivatives else None
        return kind(self.owner_name, row, self.robot, self.frame_index, parent)

    # -------------------------------------------------------------- looking inside

    @property
    def ufunc(self) -> np.ufunc:
        """The NumPy gufunc, without optional arguments, ready for both dtypes."""
        return self.kernel.ufunc

    def warmup(
        self,
        dtype: DTypeLike = np.float64,
        *,
        limit: float | Literal["default"] | None = "default",
        device: int | None = None,
    ) -> Self:
        """Compile now rather than at the first call.

        Parameters
        ----------
        dtype : dtype
            float64 or float32.
        limit : float, "default" or None
            Maximum number of operations; None for no limit, by default that of a first call.
        device : int
            Number of a CUDA device to compile for; None for the processor.

        Returns
        -------
        BoundQuantity
            The quantity itself.
        """
        char = floating(dtype).char
        if limit != "default":
            self.kernel.limit = kernel_size.check_limit(limit, f"{self.title}.warmup")
        if device is None:
            self._judged(lambda: self._prepare(self.kernel, char))
        else:
            self.launcher(self.kernel, char, device)
        return self

    def lower(self, dtype: DTypeLike = np.float64) -> Lowered:
        """Return the code of the quantity on this robot.

        Parameters
        ----------
        dtype : dtype
            float64 or float32.

        Returns
        -------
        Lowered
            Operation counts, and the text of the LLVM module.
        """
        return self.kernel.lower(floating(dtype))

    def __reduce__(self) -> Any:
        base, variables = self._base, ()
        while base is not None:
            variables = variables_from(base.definition, self.definition)
            if variables is not None:
                return _restore_related, (base, variables)
            base = base._parent
        frames = self.robot.model.frames
        frame = None if self.frame_index is None else frames[self.frame_index].name
        return _restore, (self.robot, frame, self.definition.name)

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
    """Let objects of a class have their help text, and the class its docstring."""
    cls.__doc__ = special_attribute("__doc__", lambda self: self._text(), cls.__doc__)  # pyright: ignore


_make_doc_lazy(BoundQuantity)


def follow(quantity: BoundQuantity, steps: Iterable[str]) -> BoundQuantity:
    """Return the derivative of a derivative ... by the names of all steps."""
    for step in steps:
        if not quantity.has_derivatives:
            raise ValueError(f"{quantity.title} has no derivatives, found '{step}'")
        quantity = cast(Any, quantity).derivative(step)
    return quantity


def _restore(robot: Any, frame: str | None, name: str) -> BoundQuantity:
    """Make a quantity again from its pickled state."""
    parsed = parse_name(name)
    quantity = getattr(robot if frame is None else robot.frame(frame), parsed.quantity)
    return follow(choices.from_name(quantity, parsed), parsed.steps)


def _restore_related(base: BoundQuantity, variables: Iterable[Variable]) -> BoundQuantity:
    """Make a variant or derivative of another quantity again, which has no name of its own."""
    definition = base.definition
    for variable in variables:
        definition = derive(definition, variable)
    return base.with_definition(definition)
