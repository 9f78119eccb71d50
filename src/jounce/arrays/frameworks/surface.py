"""A robot as a library that differentiates sees it: the same names, on the library's arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.arrays.bound_quantity import BoundQuantity
from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.arrays.frameworks.arguments import together, untyped
from jounce.arrays.frameworks.library import Library
from jounce.arrays.frameworks.operators import Operator, operator
from jounce.arrays.protocol import QuantityProtocol
from jounce.arrays.signatures import OPTIONS, bare_signature
from jounce.arrays.tables import Quantities
from jounce.arrays.wrenches import on_bodies, pushed_frame, wrench_matrix
from jounce.catalog.arguments import by_frame
from jounce.catalog.derivative import derivative_names, derive, has_derivative
from jounce.catalog.names import RENAMED_QUANTITIES
from jounce.catalog.reference import describe
from jounce.catalog.synonyms import explain_unknown
from jounce.catalog.variables import Variant
from jounce.errors import HidesMembers, describe_mismatch, printable
from jounce.utils.deprecation import renamed_attribute
from jounce.utils.once import entry, once_property

#: Tables of a robot that are surfaces themselves.
_TABLES = ("parametric", "morphable")


class Surface(HidesMembers):
    """The quantities of a robot, a frame or a table, as functions of a library's arrays.

    Every quantity has the name it has on the robot, its derivatives are its attributes, and frames
    are found by `frame(name)`. Gradients in q are in its nq coordinates, which count as plain
    numbers; quaternions are normalised inside. `tangent`: the same functions with a velocity after
    the arguments of each, by which q is moved first; gradients in it are those along velocities.
    """

    _HIDDEN = frozenset(("library", "owner", "with_tangents"))

    def __init__(self, owner: Quantities, library: Library, tangents: bool = False) -> None:
        self.owner = owner
        self.library = library
        self.with_tangents = tangents

    @once_property
    def tangent(self) -> Surface:
        """The same functions, each with a velocity (nv,) per configuration as a last argument."""
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
        found = owner.quantity(name)
        made = vars(self).setdefault("_named", {})
        return entry(made, found, lambda: self._function(found))

    def _function(self, quantity: QuantityProtocol) -> Function:
        return Function(quantity, self.library, self.with_tangents)

    def _like(self, owner: Quantities, tangents: bool | None = None) -> Surface:
        return Surface(owner, self.library, self.with_tangents if tangents is None else tangents)

    if not TYPE_CHECKING:  # `declared` lists all names; with this, misspelled ones would pass too

        def __getattr__(self, name: str) -> Any:
            """The function or table called `name`."""
            if name.startswith("_"):
                raise AttributeError(name)
            if name in RENAMED_QUANTITIES:
                return renamed_attribute(self, name, RENAMED_QUANTITIES[name])
            return entry(vars(self), name, lambda: self._made(name))

    def _made(self, name: str) -> Any:
        """A function or a table."""
        found = getattr(self.owner, name, None) if name in self._names() else None
        if isinstance(found, BoundQuantity):
            return self._function(found)
        if name in _TABLES and found is not None:
            return self._like(found)
        text = explain_unknown(repr(self), name, self._names(), f"robot.{self.library.name}")
        raise AttributeError(text, name=name, obj=self)

    def _names(self) -> list[str]:
        """Names of what it offers."""
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
    """A quantity as a function of a library's arrays, under its own signature without `out`.

    Leading axes broadcast. Derivatives of the quantity are its attributes, of the function those
    that the library takes, to any order.
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
        """The quantity's results, as arrays of the library."""
        found, places, several = self.bind(args, named)
        results = self.library.apply(*found)
        if places is not None:
            results = tuple(results[k] for k in places)
        return results if several or len(results) != 1 else results[0]

    def bind(
        self, args: tuple[Any, ...], named: Mapping[str, Any]
    ) -> tuple[tuple[Operator, Sequence[Any]], list[int] | None, bool]:
        """The operator that is called, with its arrays; which results; whether they are a tuple."""
        options = dict(named)
        unknown = [x for x in options if x not in self.__signature__.parameters]
        if unknown:
            if unknown[0] in OPTIONS:
                raise TypeError(
                    f"{self._title} takes no '{unknown[0]}', which only NumPy arrays have; it is"
                    f" called as {self._title}{self.__signature__}"
                )
            raise TypeError(describe_mismatch(self._title, self.__signature__, args, options))
        steps: tuple[Any, ...] = ()
        if self.with_tangents:
            steps, args = self._steps(args, options)
        call = self.quantity.bind(args, options)
        quantity = call.quantity
        found = operator(
            quantity, optional=call.optional, moving=call.base, tangent=self.with_tangents
        )
        count = len(quantity.definition.arguments)
        values = (*call.values[:count], *steps, *call.values[count:])
        arrays = self._arrays(quantity, found, values)
        return (found, arrays), call.results, quantity.returns_tuple

    def _steps(
        self, args: tuple[Any, ...], options: dict[str, Any]
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Velocities that move configurations, which stand after the quantity's own arguments."""
        row = self.quantity.definition
        count = len(row.arguments)
        names = operator(self.quantity, tangent=True).arguments[count:]
        if len(args) >= count + len(names):
            own, steps, rest = args[:count], args[count : count + len(names)], args[count:]
            return steps, (*own, *rest[len(names) :])
        given = dict(zip(names, args[count:], strict=False))
        steps = tuple(given[x] if x in given else options.pop(x, None) for x in names)
        missing = [name for name, x in zip(names, steps, strict=True) if x is None]
        if missing:
            raise TypeError(
                f"{self._title}: argument '{missing[0]}' is missing, the velocity that moves a"
                f" configuration; it is called with {', '.join((*row.arguments, *names))}"
            )
        return steps, args[:count]

    def _arrays(
        self, quantity: QuantityProtocol, found: Operator, values: tuple[Any, ...]
    ) -> list[Any]:
        """The arguments as arrays of the library, of one precision and with the right shapes."""
        library, cores = self.library, dict(zip(found.arguments, found.inputs, strict=True))
        named = dict(zip(cores, values, strict=True))
        for name, x in named.items():
            if x is None and name in quantity.definition.arguments:
                raise TypeError(f"{self._title}: argument '{name}' is None, and is needed")
            if isinstance(x, Mapping) and by_frame(name):
                named[name] = self._on_bodies(quantity, name, x)
        _, arrays = together(library, self._title, named, cores)
        like = next(iter(arrays.values()))
        return [
            arrays[name]
            if name in arrays
            else library.constant(np.asarray(quantity.default_value(name)), like)
            for name in cores
        ]

    def _on_bodies(self, quantity: QuantityProtocol, name: str, given: Mapping[str, Any]) -> Any:
        """Wrenches by frame, given as the argument `name`, as those on all bodies (..., nb, 6)."""
        library, model = self.library, quantity.robot.model
        what = f"{self._title}: argument '{name}'"
        nothing = [frame for frame, x in given.items() if x is None]
        if nothing:
            raise TypeError(f"{what}: the wrench on {nothing[0]!r} is None; omit it")
        if untyped(given):  # which have no precision, and shall get none
            return on_bodies(model, name, given, self._title).tolist()
        matrices = {x: wrench_matrix(model, pushed_frame(model, x, what)) for x in given}
        _, arrays = together(library, what, given, dict.fromkeys(given, (6,)))
        total = reduce(add, (library.product(x, matrices[frame]) for frame, x in arrays.items()))
        return total.reshape((*total.shape[:-1], model.nb, 6))

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)
        quantity: Any = self.quantity
        if not has_derivative(quantity.definition, name):
            unknown = f"{self._title} has no '{name}'"
            why = (
                quantity.explain_missing(name)
                if isinstance(quantity, DifferentiableQuantity)
                else unknown
            )
            raise AttributeError(why, name=name, obj=self)
        return entry(vars(self), name, lambda: self._related(getattr(quantity, name)))

    def _related(self, found: QuantityProtocol) -> Any:
        """Another quantity as a function, made once."""
        made = vars(self).setdefault("_others", {})
        make = lambda: type(self)(found, self.library, self.with_tangents)  # noqa: E731
        return entry(made, found, make)

    def derivative(self, name: str) -> Function:
        """The derivative called `name`, such as "dq" or "rates(2)"."""
        if not isinstance(self.quantity, DifferentiableQuantity):
            raise ValueError(f"{self._title} has no derivatives of its own")
        return self._related(self.quantity.derivative(name))

    def rates(self, order: int) -> Function:
        """Value and time derivatives 1..order from one kernel, as a tuple."""
        return self.derivative(f"rates({order})")

    def choose(self, **options: Any) -> Function:
        """The same quantity or derivative by the formula that options choose."""
        return self._related(self.quantity.choose(**options))

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *derivative_names(self.quantity.definition)})

    def __reduce__(self) -> Any:
        return type(self), (self.quantity, self.library, self.with_tangents)

    def __repr__(self) -> str:
        return printable(f"<{self._title}: {self.quantity.definition.doc}>")
