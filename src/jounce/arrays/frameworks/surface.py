"""Robots for libraries that differentiate: the same quantities as functions of their arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.arrays.bound_quantity import BoundQuantity
from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.arrays.frameworks.arguments import broadcast_arguments, is_untyped
from jounce.arrays.frameworks.library import Library
from jounce.arrays.frameworks.operators import Operator, operator
from jounce.arrays.protocol import QuantityProtocol
from jounce.arrays.signatures import OPTIONS, bare_signature
from jounce.arrays.tables import Quantities
from jounce.arrays.wrenches import find_wrench_frame, on_bodies, wrench_matrix
from jounce.catalog.arguments import by_frame
from jounce.catalog.derivative import derivative_names, derive, has_derivative
from jounce.catalog.names import RENAMED_QUANTITIES
from jounce.catalog.reference import describe
from jounce.catalog.synonyms import explain_unknown
from jounce.catalog.variables import Variant
from jounce.errors import HidesMembers, describe_mismatch, printable
from jounce.utils.deprecation import renamed_attribute
from jounce.utils.once import entry, once_property

#: Attributes of a robot that are tables of quantities.
_TABLES = ("parametric", "morphable")


class Surface(HidesMembers):
    """The quantities of a robot, a frame or a table, as functions of a library's arrays.

    Quantities have the same names as on the robot, derivatives are attributes, and `frame(name)`
    returns frames. Gradients in q are with respect to its nq coordinates; quaternions are
    normalized first. The functions of `tangent` take a velocity (nv,) after their arguments, which
    moves q for one unit of time first; gradients in it are along velocities.
    """

    _HIDDEN = frozenset(("library", "owner", "with_tangents"))

    def __init__(self, owner: Quantities, library: Library, tangents: bool = False) -> None:
        self.owner = owner
        self.library = library
        self.with_tangents = tangents

    @once_property
    def tangent(self) -> Surface:
        """The same functions with a further velocity (nv,) for each configuration."""
        return self._like(self.owner, tangents=True)

    def frame(self, name: str) -> Any:
        """Return a frame, whose attributes are its pose, Jacobian and twist.

        Parameters
        ----------
        name : str
            One of `robot.model.frame_names`.

        Returns
        -------
        Surface
            The frame; the same object each time.
        """
        return self._frame(name)

    def _frame(self, name: str) -> Any:
        frames = vars(self).setdefault("_frames", {})
        owner: Any = self.owner
        return entry(frames, name, lambda: self._like(owner.frame(name)))

    def quantity(self, name: str) -> Any:
        """Return a quantity or derivative by its name as a string.

        Parameters
        ----------
        name : str
            As `robot.quantity` takes it, such as "mass_matrix" or "inverse_dynamics.rates(2)".

        Returns
        -------
        Function
            A function of the library's arrays.
        """
        return self._quantity(name)

    def _quantity(self, name: str) -> Any:
        owner: Any = self.owner
        quantity = owner.quantity(name)
        functions = vars(self).setdefault("_named", {})
        return entry(functions, quantity, lambda: self._function(quantity))

    def _function(self, quantity: QuantityProtocol) -> Function:
        return Function(quantity, self.library, self.with_tangents)

    def _like(self, owner: Quantities, tangents: bool | None = None) -> Surface:
        return Surface(owner, self.library, self.with_tangents if tangents is None else tangents)

    if not TYPE_CHECKING:  # `declared` lists all names; with this, misspelled ones would pass too

        def __getattr__(self, name: str) -> Any:
            """Return the function or table called `name`."""
            if name.startswith("_"):
                raise AttributeError(name)
            if name in RENAMED_QUANTITIES:
                return renamed_attribute(self, name, RENAMED_QUANTITIES[name])
            return entry(vars(self), name, lambda: self._make_attribute(name))

    def _make_attribute(self, name: str) -> Any:
        """Return a function or a table."""
        attribute = getattr(self.owner, name, None) if name in self._names() else None
        if isinstance(attribute, BoundQuantity):
            return self._function(attribute)
        if name in _TABLES and attribute is not None:
            return self._like(attribute)
        text = explain_unknown(repr(self), name, self._names(), f"robot.{self.library.name}")
        raise AttributeError(text, name=name, obj=self)

    def _names(self) -> list[str]:
        """Return the names of its functions and tables."""
        tables = [name for name in _TABLES if hasattr(type(self.owner), name)]
        return sorted({*self.owner.definitions, *tables})

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *self._names()})

    def __reduce__(self) -> Any:
        return type(self), (self.owner, self.library, self.with_tangents)

    def __repr__(self) -> str:
        tangent = ", with tangents" if self.with_tangents else ""
        return f"<{self.owner!r} for {self.library.name}{tangent}>"


class Function(HidesMembers):
    """A quantity as a function of a library's arrays, without NumPy options such as `out`.

    Leading axes broadcast. Derivatives of the quantity are attributes; the library differentiates
    the function itself to any order.
    """

    _HIDDEN = frozenset(("bind", "library", "quantity", "with_tangents"))

    def __init__(
        self, quantity: QuantityProtocol, library: Library, tangents: bool = False
    ) -> None:
        self.quantity = quantity
        self.library = library
        self.with_tangents = tangents
        owner = f"{printable(quantity.owner_name)}.{library.name}"
        self._title = f"{owner}{'.tangent' if tangents else ''}.{quantity.definition.name}"
        row = derive(quantity.definition, Variant.DISPLACED) if tangents else quantity.definition
        self.__name__ = quantity.__name__
        self.__signature__ = bare_signature(row)
        self.__doc__ = f"{self._title}{self.__signature__}\n\n{describe(row)}"

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Evaluate the quantity; results are arrays of the library."""
        bound, indices, returns_tuple = self.bind(args, named)
        results = self.library.apply(*bound)
        if indices is not None:
            results = tuple(results[k] for k in indices)
        return results if returns_tuple or len(results) != 1 else results[0]

    def bind(
        self, args: tuple[Any, ...], named: Mapping[str, Any]
    ) -> tuple[tuple[Operator, Sequence[Any]], list[int] | None, bool]:
        """Return (operator, arrays), the indices of the results, and whether they are a tuple."""
        options = dict(named)
        unknown = [x for x in options if x not in self.__signature__.parameters]
        if unknown:
            if unknown[0] in OPTIONS:
                raise TypeError(
                    f"{self._title} takes no '{unknown[0]}', an option for NumPy arrays; it is"
                    f" called as {self._title}{self.__signature__}"
                )
            raise TypeError(describe_mismatch(self._title, self.__signature__, args, options))
        steps: tuple[Any, ...] = ()
        if self.with_tangents:
            steps, args = self._steps(args, options)
        call = self.quantity.bind(args, options)
        quantity = call.quantity
        bound_operator = operator(
            quantity, optional=call.optional, moving=call.base, tangent=self.with_tangents
        )
        count = len(quantity.definition.arguments)
        values = (*call.values[:count], *steps, *call.values[count:])
        arrays = self._arrays(quantity, bound_operator, values)
        return (bound_operator, arrays), call.results, quantity.returns_tuple

    def _steps(
        self, args: tuple[Any, ...], options: dict[str, Any]
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return the velocities that move configurations, and the other positional arguments."""
        row = self.quantity.definition
        count = len(row.arguments)
        names = operator(self.quantity, tangent=True).arguments[count:]
        if len(args) >= count + len(names):
            values, steps, optional = args[:count], args[count : count + len(names)], args[count:]
            return steps, (*values, *optional[len(names) :])
        positional = dict(zip(names, args[count:], strict=False))
        steps = tuple(positional[x] if x in positional else options.pop(x, None) for x in names)
        missing = [name for name, x in zip(names, steps, strict=True) if x is None]
        if missing:
            raise TypeError(
                f"{self._title}: argument '{missing[0]}' is missing, the velocity that moves a"
                f" configuration; pass {', '.join((*row.arguments, *names))}"
            )
        return steps, args[:count]

    def _arrays(
        self, quantity: QuantityProtocol, bound_operator: Operator, values: tuple[Any, ...]
    ) -> list[Any]:
        """Convert the arguments to arrays of the library, of one precision and checked shapes."""
        library, cores = (
            self.library,
            dict(zip(bound_operator.arguments, bound_operator.inputs, strict=True)),
        )
        named = dict(zip(cores, values, strict=True))
        for name, x in named.items():
            if x is None and name in quantity.definition.arguments:
                raise TypeError(f"{self._title}: argument '{name}' must be an array, found None")
            if isinstance(x, Mapping) and by_frame(name):
                named[name] = self._on_bodies(quantity, name, x)
        _, arrays = broadcast_arguments(library, self._title, named, cores)
        like = next(iter(arrays.values()))
        return [
            arrays[name]
            if name in arrays
            else library.constant(np.asarray(quantity.default_value(name)), like)
            for name in cores
        ]

    def _on_bodies(self, quantity: QuantityProtocol, name: str, wrenches: Mapping[str, Any]) -> Any:
        """Convert the argument `name`, wrenches by frame, to wrenches on bodies (..., nb, 6)."""
        library, model = self.library, quantity.robot.model
        what = f"{self._title}: argument '{name}'"
        missing = [frame for frame, x in wrenches.items() if x is None]
        if missing:
            raise TypeError(
                f"{what}: expected an array for frame {missing[0]!r}, found None; omit it"
            )
        if is_untyped(wrenches):  # stays a list, which has no dtype
            return on_bodies(model, name, wrenches, self._title).tolist()
        matrices = {x: wrench_matrix(model, find_wrench_frame(model, x, what)) for x in wrenches}
        _, arrays = broadcast_arguments(library, what, wrenches, dict.fromkeys(wrenches, (6,)))
        total = reduce(add, (library.product(x, matrices[frame]) for frame, x in arrays.items()))
        return total.reshape((*total.shape[:-1], model.nb, 6))

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)
        quantity: Any = self.quantity
        if not has_derivative(quantity.definition, name):
            unknown = f"{self._title} has no attribute '{name}'"
            why = (
                quantity.explain_missing(name)
                if isinstance(quantity, DifferentiableQuantity)
                else unknown
            )
            raise AttributeError(why, name=name, obj=self)
        return entry(vars(self), name, lambda: self._get_related(getattr(quantity, name)))

    def _get_related(self, quantity: QuantityProtocol) -> Any:
        """Return another quantity as a function, created once."""
        functions = vars(self).setdefault("_others", {})
        make = lambda: type(self)(quantity, self.library, self.with_tangents)  # noqa: E731
        return entry(functions, quantity, make)

    def derivative(self, name: str) -> Function:
        """Return a derivative by its name as a string.

        Parameters
        ----------
        name : str
            Such as "dq" or "rates(2)".

        Returns
        -------
        Function
            The derivative; the same object as the attribute.

        Raises
        ------
        ValueError
            If there is no such derivative.
        """
        if not isinstance(self.quantity, DifferentiableQuantity):
            raise ValueError(f"{self._title} has no derivatives")
        return self._get_related(self.quantity.derivative(name))

    def rates(self, order: int) -> Function:
        """Return the value and its time derivatives up to an order, from one kernel.

        Parameters
        ----------
        order : int
            Highest order of the time derivatives, at least 0.

        Returns
        -------
        Function
            A function that returns a tuple of order + 1 arrays.
        """
        return self.derivative(f"rates({order})")

    def choose(self, **options: Any) -> Function:
        """Return the quantity or derivative with options fixed.

        Parameters
        ----------
        **options
            Options of the quantity, such as ``method="rk4"``.

        Returns
        -------
        Function
            The function for these options.
        """
        return self._get_related(self.quantity.choose(**options))

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *derivative_names(self.quantity.definition)})

    def __reduce__(self) -> Any:
        return type(self), (self.quantity, self.library, self.with_tangents)

    def __repr__(self) -> str:
        return printable(f"<{self._title}: {self.quantity.definition.doc}>")
