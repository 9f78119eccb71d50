"""A quantity of a robot as a callable, and its derivatives as its attributes."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterable
from types import MethodType
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from jounce.catalog.arguments import argument
from jounce.catalog.derived import MOST_ARRAYS, derivative, derivative_names, highest_rates
from jounce.catalog.reference import describe
from jounce.catalog.row import Row
from jounce.errors import ArgumentError, ModelError, ModelWarning, printable
from jounce.formulas.singular import explanation
from jounce.process import memory, threads
from jounce.process.once import entry, lock_of, once, once_property
from jounce.runtime.gufunc import NotCompiled
from jounce.runtime.kernel import Kernel, Lowered, core_shape

if TYPE_CHECKING:
    from jounce.robot import Robot

#: Operations a thread must be worth; below, a batch stays on the caller's thread.
_OPERATIONS_PER_THREAD = 4_000_000


_SINGLE = np.dtype(np.float32)

_RATES = re.compile(r"rates\((\d+)\)")

#: What NumPy's gufuncs take by name.
_UFUNC_OPTIONS = ("out", "dtype", "casting", "order", "subok", "axes", "axis", "signature")


class Evaluable:
    """A row of the catalog on a robot, as a callable on arrays; leading axes broadcast."""

    _direct = True  # whether single samples may bypass __call__

    def __init__(self, owner: str, row: Row, robot: Robot, frame: int | None = None) -> None:
        self._owner = owner
        self._title = f"{printable(owner)}.{row.name}"
        self._row = row
        self._robot = robot
        self._frame = frame
        self._use(self._kernel(optional=False))

    def _kernel(self, optional: bool) -> Kernel:
        robot, names = self._robot, {"title": self._title, "target": self._robot.target}
        return Kernel(self._row, robot.tree, robot.sizes, self._frame, optional, **names)

    def _use(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self._ufunc = kernel.ufunc
        self._large = 1 << 62  # argument size of a large batch; known once compiled
        kind = type(self)
        shortcut = None
        if self._direct:
            shortcut = kernel.shortcut(MethodType(kind.__call__, self))
        if shortcut is not None:  # a class of its own, since Python looks up calls on the class
            members = {"__call__": shortcut, "__doc__": kind.__doc__, "__module__": __name__}
            object.__setattr__(self, "__class__", type(kind.__name__, (kind,), members))

    def __call__(self, *args: ArrayLike, **options: Any) -> Any:
        """Evaluate. Options: wrenches= where the quantity takes them, out=, and NumPy's others.

        Arguments may have leading batch axes, which broadcast. Results are float64, or float32 if
        an argument is float32 and none is wider.
        """
        try:
            for x in args:
                if getattr(x, "size", 0) >= self._large:
                    cores = (self.kernel.inputs, self.kernel.outputs)
                    result = threads.call(self._ufunc, args, options, *cores)
                    break
            else:
                result = self._ufunc(*args, **options)
            if not options and _narrow(result) and not _single(args):
                return self(*(np.asanyarray(x, np.float64) for x in args))
            return result
        except NotCompiled as missing:
            self._compile(str(missing))
        except MemoryError as error:
            raise MemoryError(self._too_large()) from error
        except (TypeError, ValueError) as error:
            call, args, options = self._by_name(args, options)
            if call is None:
                self._explain(args, options, error)
                raise
            return call(*args, **options)
        return self(*args, **options)

    def _compile(self, char: str) -> None:
        problem, kernel = self._singular(), self.kernel
        try:
            kernel.compile(char)
        except ModelError as error:
            raise ModelError(f"{self._title}: {problem or error}") from error
        if problem:
            warnings.warn(f"{self._title}: {problem}", ModelWarning, stacklevel=3)
        worth_threads = 2 * max(_OPERATIONS_PER_THREAD // max(len(kernel.tape), 1), 64)
        result_bytes = 8 * sum(math.prod(shape) for shape in kernel.outputs)
        samples = min(worth_threads, memory.SMALLEST // result_bytes)
        self._large = samples * min(math.prod(shape) for shape in kernel.inputs)

    def _singular(self) -> str:
        """Why accelerations of the robot mean nothing, if they do and the quantity needs them."""
        if not self._row.solves or self._row.constant is not None:  # other parameters: who knows
            return ""
        robot: Any = self._robot
        if robot.tree.active is None:
            return explanation(robot.tree, robot.labels("v", "{}[{}]"))
        return explanation(robot.tree, robot.independent_names, robot.reference)

    # -------------------------------------------------------------- arguments

    def _by_name(
        self, args: tuple[Any, ...], options: dict[str, Any]
    ) -> tuple[Evaluable | None, tuple[Any, ...], dict[str, Any]]:
        """Arguments given by name put in their place, and which quantity to call with them."""
        row = self._row
        if row.drives is not None and "extended" in options:
            return self._extended(args, options)
        named = {k: x for k, x in options.items() if k in row.arguments or k in row.optional}
        if not named:
            return None, args, options
        rest = {k: x for k, x in options.items() if k not in named}
        positional = list(args)
        for name in row.arguments[len(args) :]:
            if name not in named:
                raise TypeError(f"{self._title}: argument '{name}' is missing")
            positional.append(named.pop(name))
        for name in row.arguments:
            if name in named:
                raise TypeError(f"{self._title}: argument '{name}' is given twice")
        if all(named.get(name) is None for name in row.optional):
            return self, tuple(positional), rest
        extra = []
        given = (*positional, *(x for x in named.values() if x is not None))
        single = all(getattr(x, "dtype", None) == np.float32 for x in given)
        for name in row.optional:  # what is not given must not decide the dtype
            value = named.get(name)
            if value is None:
                core = core_shape(argument(name).shape, self._robot.sizes)
                own = self._robot.model.gravity if name == "gravity" else np.zeros(core)
                value = own.astype(np.float32) if single or not own.any() else own
            extra.append(value)
        self._with_optional.kernel.limit = self.kernel.limit
        return self._with_optional, (*positional, *extra), rest

    def _extended(
        self, args: tuple[Any, ...], options: dict[str, Any]
    ) -> tuple[Evaluable | None, tuple[Any, ...], dict[str, Any]]:
        """The regressor with columns for the drives, if `extended` asks for them."""
        rest = {k: x for k, x in options.items() if k not in ("extended", "smoothing")}
        if not options["extended"]:
            if "smoothing" in options:
                raise TypeError(f"{self._title}: smoothing needs extended=True")
            return self, args, rest
        smoothing = options.get("smoothing")
        numbers = np.asarray(1.0 if smoothing is None else smoothing)
        if numbers.dtype.kind in "fiu" and not np.all(numbers > 0):
            raise ValueError(f"{self._title}: smoothing must be a speed > 0, found {smoothing}")
        row = derivative(self._row, "extended" if smoothing is None else "extended_smooth")
        found = self._related(row, Evaluable)
        return found, args, rest if smoothing is None else rest | {"smoothing": smoothing}

    def _related(self, row: Row, kind: type[Evaluable]) -> Evaluable:
        """Another row on the same robot and frame, made once."""
        made = self.__dict__.setdefault("_made", {})

        def make() -> Evaluable:
            return class_of(row, kind)(self._owner, row, self._robot, self._frame)

        return entry(made, row.name, make, lock_of(self))

    @once_property
    def _with_optional(self) -> Evaluable:
        """The same quantity with its optional arguments as further positional ones."""
        row = self._row
        arrays = len(row.arguments) + len(row.optional) + len(row.shapes)
        if arrays > MOST_ARRAYS:
            raise ValueError(
                f"{self._title} with {', '.join(row.optional[:2])}, ...: {arrays} arguments and"
                f" results, and a NumPy ufunc has at most {MOST_ARRAYS}; take a lower order"
            )
        variant: Evaluable = object.__new__(type(self).__bases__[0])
        for name in ("_owner", "_title", "_row", "_robot", "_frame"):
            setattr(variant, name, getattr(self, name))
        variant._use(self._kernel(optional=True))
        return variant

    def _explain(self, args: tuple[Any, ...], options: dict[str, Any], error: Exception) -> None:
        """Raise an error that names the argument at fault, if one is."""
        kernel = self.kernel
        names = kernel.arguments
        wrong = [name for name in options if name not in _UFUNC_OPTIONS]
        if wrong:
            more = () if self._row.drives is None else ("extended", "smoothing")
            known = (*names, *self._row.optional, *more, *_UFUNC_OPTIONS)
            raise TypeError(
                f"{self._title} takes no '{wrong[0]}'; valid names: {', '.join(known)}"
            ) from error
        counts = (len(names), len(names) + len(kernel.outputs))
        if len(args) not in counts and not (set(options) - {"out"}):
            wanted = ", ".join(names)
            raise TypeError(
                f"{self._title} takes ({wanted}), found {len(args)} arguments"
            ) from error
        for out in self._destinations(args, options):
            if not isinstance(out, np.ndarray) and not hasattr(out, "__array_ufunc__"):
                raise TypeError(
                    f"{self._title}: out must be a numpy.ndarray (or np.memmap), found"
                    f" {type(out).__name__}; leave it away and assign the result, as in"
                    " dataset[...] = result"
                ) from error
        for name, core, given in zip(names, kernel.inputs, args, strict=False):
            try:
                array = np.asarray(given)
            except ValueError:
                raise ValueError(f"{self._title}: argument '{name}' is not an array") from error
            if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
                raise TypeError(
                    f"{self._title}: argument '{name}' must be real float64 or float32,"
                    f" found {array.dtype}"
                ) from error
            if array.shape[max(array.ndim - len(core), 0) :] != core:
                wanted = ", ".join(map(str, core))
                raise ValueError(
                    f"{self._title}: argument '{name}' must have shape (..., {wanted}),"
                    f" found {array.shape}"
                ) from error

    def _destinations(self, args: tuple[Any, ...], options: dict[str, Any]) -> list[Any]:
        """What is given to write to, by name or behind the arguments."""
        out = options.get("out")
        given = [*args[len(self.kernel.inputs) :], *(out if isinstance(out, tuple) else (out,))]
        return [x for x in given if x is not None]

    def _too_large(self) -> str:
        """What to say when a result does not fit in memory."""
        each = 8 * sum(math.prod(shape) for shape in self.kernel.outputs)
        message = f"{self._title}: the result takes {each:,} bytes per sample in float64"
        row, wrt = self._row.of, self._row.wrt
        if row is not None and wrt and "hessian" in row.forms and {*wrt} <= {*row.arguments}:
            arguments = ", ".join(derivative(row, "hessian").arguments)
            message += f"; {row.name}.hessian({arguments}) contracts it to a matrix"
        return message + "; pass smaller batches, or out= on a memory map"

    # -------------------------------------------------------------- looking inside

    @property
    def ufunc(self) -> np.ufunc:
        """The NumPy gufunc, ready for both dtypes."""
        for char in "fd":
            self.kernel.compile(char)
        return self._ufunc

    def warmup(
        self, dtype: DTypeLike = np.float64, *, limit: float | Literal["default"] | None = "default"
    ) -> Evaluable:
        """Compile now rather than at the first call; returns the quantity itself.

        limit: most operations it may have; None: whatever it takes. By default as at a first call.
        """
        if limit != "default":
            most = math.inf if limit is None else limit
            if isinstance(most, bool) or not isinstance(most, (int, float)) or not most >= 1:
                raise ArgumentError(
                    f"{self._title}.warmup: limit must be a number of operations >= 1, or None,"
                    f" found {limit!r}"
                )
            self.kernel.limit = most
        self._compile(_checked_dtype(dtype).char)
        return self

    def lower(self, dtype: DTypeLike = np.float64) -> Lowered:
        """Operation counts and LLVM text of the quantity on this robot."""
        return self.kernel.lower(_checked_dtype(dtype))

    def __reduce__(self) -> Any:
        frames = self._robot.model.frames
        frame = None if self._frame is None else frames[self._frame].name
        return _restored, (self._robot, frame, self._row.name)

    def __repr__(self) -> str:
        kernel = self.kernel
        inputs = ", ".join(
            f"{name}[{'x'.join(map(str, shape))}]"
            for name, shape in zip(kernel.arguments, kernel.inputs, strict=True)
        )
        outputs = ", ".join(map(str, kernel.outputs))
        return f"<{self._title}({inputs}) -> {outputs}: {self._row.doc}>"


class Quantity(Evaluable):
    """A quantity of a robot; its derivatives are its attributes."""

    def rates(self, order: int) -> Rates:
        """Value and time derivatives 1..order from one kernel, as a tuple of arrays."""
        if isinstance(order, bool) or not isinstance(order, (int, np.integer)) or order < 0:
            raise ValueError(f"{self._title}.rates: order must be an integer >= 0, found {order!r}")
        every = derivative(self._row, f"rates({int(order)})")
        if len(every.arguments) + len(every.shapes) > MOST_ARRAYS:
            raise ValueError(self._too_many(order))
        return cast(Rates, self._related(every, Rates))

    def _too_many(self, order: int) -> str:
        """What to say about time derivatives of too high an order."""
        highest, pushed = (highest_rates(self._row, optional=x) for x in (False, True))
        names = ", ".join(self._row.optional)
        more = f", or {pushed} with {names}" if names else ""
        return (
            f"{self._title}.rates: the highest order is {highest}{more}, found {order}: a NumPy"
            f" ufunc has at most {MOST_ARRAYS} arguments and results"
        )

    def derivative(self, name: str) -> Evaluable:
        """The derivative called `name`, such as "dq" or "rates(2)"."""
        order = _RATES.fullmatch(name)
        if order is not None:
            return self.rates(int(order[1]))
        if name not in derivative_names(self._row):
            raise ValueError(self._unknown(name))
        row = derivative(self._row, name)
        return self._related(row, Quantity if row.differentiable else Evaluable)

    def _unknown(self, name: str) -> str:
        valid = ", ".join((*derivative_names(self._row), "rates(order)"))
        return f"{self._title} has no '{name}'; its derivatives: {valid}"

    def __getattr__(self, name: str) -> Evaluable:
        if "_row" not in self.__dict__:  # under construction
            raise AttributeError(name)
        if name in derivative_names(self._row):
            return self.derivative(name)
        raise AttributeError(self._unknown(name), name=name, obj=self)

    def __dir__(self) -> Iterable[str]:
        return sorted({*object.__dir__(self), *derivative_names(self._row)})


class Rates(Evaluable):
    """A quantity and its time derivatives, from one kernel."""

    _direct = False

    def __call__(self, *args: ArrayLike, **options: Any) -> tuple[np.ndarray, ...]:
        """Evaluate: the value and its time derivatives, as a tuple of arrays."""
        results = super().__call__(*args, **options)
        return results if isinstance(results, tuple) else (results,)


def _restored(robot: Robot, frame: str | None, name: str) -> Evaluable:
    """A quantity from what it is pickled as."""
    base, *derivatives = name.split(".")
    quantity: Any = getattr(robot if frame is None else robot.frame(frame), base)
    for step in derivatives:
        quantity = quantity.derivative(step)
    return quantity


def _checked_dtype(dtype: DTypeLike) -> np.dtype[Any]:
    checked = np.dtype(dtype)
    if checked.char not in "fd":
        raise ValueError(f"dtype must be float64 or float32, found {checked}")
    return checked


def _narrow(result: Any) -> bool:
    """Whether a result is in single precision."""
    first = result[0] if type(result) is tuple else result
    return getattr(first, "dtype", None) is _SINGLE


def _single(args: Iterable[Any]) -> bool:
    """Whether some argument asks for single precision; small integers and halves do not."""
    return any(getattr(x, "dtype", None) == _SINGLE for x in args)


@once
def class_of(row: Row, kind: type[Evaluable]) -> type[Any]:
    """A class per row, so that help() shows the quantity's own text."""
    return type(row.name, (kind,), {"__doc__": describe(row), "__module__": __name__})
