"""A robot's quantities as SymPy expressions, its parameters included.

    sym = robot.export.sympy({"link1.mass": "m1", "joint2.x": "L1", "gravity.y": -g})
    tau = sym.inverse_dynamics()                # in the robot's own symbols q1, v1, a1, ...
    tau.simplified().latex()
    sym.inverse_dynamics.dt(); sym.mass_matrix.rates(2); sym.frame("tool").pose()
    sym.inverse_dynamics(v=[0, 0])              # expressions instead of the symbols

The compiled formulas are evaluated on exact scalars: floats become the simplest rational numbers
that they round (0.5 is 1/2, 9.81 is 981/100), and rotations by 45, 30 or 60 degrees get square
roots, so results are exact. Needs jounce[symbolic].
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.catalog import (
    AnyQuantity,
    Variant,
    argument,
    derivative,
    derivative_names,
    derive,
    suggest_quantity,
    with_optional_gradients,
    with_options,
)
from jounce.errors import suggest
from jounce.math import Array, zeros
from jounce.robot import System
from jounce.runtime import core_shape
from jounce.utils import moved_names, once_property, renamed_attribute

try:
    import sympy
    from sympy.printing.latex import LatexPrinter
except ImportError as error:
    raise ImportError(
        "robot.export.sympy() needs SymPy, which is not installed: pip install 'jounce[symbolic]'"
    ) from error

from jounce.export.exact import Parameters, expression, scalars, symbolic_tree
from jounce.export.symbol_names import (
    LATEX_LETTERS,
    SymbolNames,
    base_and_order,
    derivative_latex,
)
from jounce.export.trigonometry import simplify

# ------------------------------------------------------------------ results


class Result:
    """A quantity as a SymPy expression, column, matrix or array: `value` is plain SymPy.

    Indexing, arithmetic and SymPy's methods (subs, diff, ...) apply to the value.
    """

    def __init__(self, value: Any, names: Mapping[Any, str] | None = None) -> None:
        self.value = value
        self._names = {} if names is None else names

    @classmethod
    def of(cls, values: Any, names: Mapping[Any, str] | None = None) -> Result:
        """Build a Result from the value of a formula.

        Parameters
        ----------
        values : scalar or ndarray of object
        names : mapping, optional
            LaTeX names of symbols.

        Returns
        -------
        Result
        """
        if not isinstance(values, np.ndarray):
            return cls(expression(values), names)
        entries = [expression(x) for x in values.flat]
        if values.ndim <= 2:
            rows = values.shape[0]
            return cls(sympy.ImmutableMatrix(rows, len(entries) // max(rows, 1), entries), names)
        return cls(sympy.ImmutableDenseNDimArray(entries, values.shape), names)

    def simplified(self) -> Result:
        """Return the result expanded and collected, with sines and cosines of sums of angles.

        Returns
        -------
        Result
            In a canonical form: the difference of equal expressions is exactly 0.
        """
        return Result(simplify(self.value), self._names)

    def latex(self) -> str:
        """Return LaTeX, with c_{12} for cos(q1 + q2) and dots for time derivatives.

        Returns
        -------
        str
        """
        return Printer(self._names).doprint(self.value)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def _sympy_(self) -> Any:
        return self.value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.value, name)

    def __getitem__(self, index: Any) -> Any:
        return self.value[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value)

    def __len__(self) -> int:
        return len(self.value)

    def __eq__(self, other: object) -> bool:
        return self.value == (other.value if isinstance(other, Result) else other)

    def __hash__(self) -> int:
        return hash(self.value)

    def __add__(self, other: Any) -> Result:
        return Result(self.value + _plain(other), self._names)

    def __sub__(self, other: Any) -> Result:
        return Result(self.value - _plain(other), self._names)

    def __mul__(self, other: Any) -> Result:
        return Result(self.value * _plain(other), self._names)

    __matmul__ = __mul__

    def __neg__(self) -> Result:
        return Result(-self.value, self._names)

    def __repr__(self) -> str:
        return repr(self.value)


def _plain(x: Any) -> Any:
    return x.value if isinstance(x, Result) else x


class Printer(LatexPrinter):
    """LaTeX printer with c_{12} for cos(q1 + q2) and the given names of symbols."""

    def __init__(self, names: Mapping[Any, str]) -> None:
        super().__init__({"symbol_names": dict(names), "mat_delim": "("})
        self._names = names

    def terms(self, value: Any) -> list[str]:
        """Return LaTeX of the terms of a sum, in the order in which they are printed.

        Parameters
        ----------
        value : expression

        Returns
        -------
        list of str
        """
        return [self.doprint(x) for x in self._as_ordered_terms(value)]

    def _short(self, function: Any, exp: str | None) -> str:
        """Return c_{12} for the cosine of a sum of joint angles, '' for other functions."""
        numbers = []
        for x in sympy.Add.make_args(function.args[0]):
            mark = self._names.get(x, "")
            if not mark.startswith("q_{"):
                return ""
            numbers.append(mark[3:-1])
        numbers.sort(key=lambda n: (len(n), n))
        joined = ("" if all(len(n) == 1 for n in numbers) else ",").join(numbers)
        letter = "s" if isinstance(function, sympy.sin) else "c"
        return f"{letter}_{{{joined}}}" + (f"^{{{exp}}}" if exp else "")

    def _print_Function(self, expr: Any, exp: str | None = None) -> str:
        short = ""
        if isinstance(expr, (sympy.sin, sympy.cos)):
            short = self._short(expr, exp)
        return short or self._print_name(expr, exp) or super()._print_Function(expr, exp)

    def _print_Derivative(self, expr: Any) -> str:
        return self._print_name(expr, None) or super()._print_Derivative(expr)

    def _print_name(self, expr: Any, exp: str | None) -> str:
        name = self._names.get(expr, "")
        return name and name + (f"^{{{exp}}}" if exp else "")


# ------------------------------------------------------------------ quantities


class SymbolicFunction:
    """A definition of the catalog as a function of symbols."""

    def __init__(
        self, robot: SymbolicRobot, definition: AnyQuantity, frame: int | None = None
    ) -> None:
        self._robot = robot
        self._definition = definition
        self._frame = frame

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Evaluate the quantity; omitted arguments are the robot's own symbols.

        Optional arguments (wrenches) are passed by name, and are zero if omitted.
        """
        options = {x.name: named.pop(x.name) for x in self._definition.options if x.name in named}
        definition = with_options(self._definition, **options)
        if any(name in named for name in definition.base):
            definition = derive(definition, Variant.MOVING_BASE)
        known = (*definition.arguments, *definition.optional)
        unknown = [name for name in named if name not in known]
        if unknown or len(args) > len(definition.arguments):
            raise TypeError(f"{self!r} takes ({', '.join(known)}), found {unknown or len(args)}")
        values = {**dict(zip(definition.arguments, args, strict=False)), **named}
        inputs = [self._input(name, values.get(name)) for name in definition.arguments]
        if any(name in named for name in definition.optional):
            inputs += [self._input(name, values.get(name, 0)) for name in definition.optional]
        extra = () if self._frame is None else (self._frame,)
        definition = (
            with_optional_gradients(definition)
            if len(inputs) > len(definition.arguments)
            else definition
        )
        results = definition.formula(self._robot.tree, *inputs, *extra)
        if not isinstance(results, (list, tuple)):
            return Result.of(results, self._robot.names)
        return tuple(Result.of(x, self._robot.names) for x in results)

    def _input(self, name: str, value: Any) -> Array:
        shape = core_shape(self._definition.argument(name).shape, self._robot.sizes)
        if value is None:
            robot, specific = self._robot, name in self._definition.argument_definitions
            value = robot.argument_symbols(name, shape) if specific else robot.symbols(name)
        elif isinstance(value, (int, float)) and value == 0:
            return zeros(*shape)
        return scalars(_plain(value), shape, f"{self._definition.name}: argument '{name}'")

    def __repr__(self) -> str:
        name, arguments = self._definition.name, ", ".join(self._definition.arguments)
        return f"<{name}({arguments}) on symbols: {self._definition.doc}>"


class SymbolicQuantity(SymbolicFunction):
    """A quantity on symbols; its derivatives are its attributes, as on the robot."""

    def __getattr__(self, name: str) -> SymbolicFunction:
        definition = self.__dict__.get("_definition")
        if definition is not None and name in derivative_names(definition):
            target = derivative.derivative(definition, name)
            kind = SymbolicQuantity if target.differentiable else SymbolicFunction
            return kind(self._robot, target, self._frame)
        valid = () if definition is None else (*derivative_names(definition), "rates(order)")
        text = f"no derivative '{name}'; {suggest(name, valid)}"
        raise AttributeError(text, name=name, obj=self)

    def rates(self, order: int) -> SymbolicFunction:
        """Return the function for the value and its time derivatives.

        Parameters
        ----------
        order : int
            Highest time derivative.

        Returns
        -------
        SymbolicFunction
            With a tuple of order + 1 results.
        """
        return SymbolicFunction(
            self._robot, derivative.derivative(self._definition, f"rates({order})"), self._frame
        )


class _SymbolicTable:
    """Quantities of a table of the catalog as attributes."""

    def __init__(
        self, robot: SymbolicRobot, table: Mapping[str, AnyQuantity], frame: int | None
    ) -> None:
        self._robot = robot
        self._definitions = table
        self._frame = frame

    def __getattr__(self, name: str) -> SymbolicQuantity:
        if name.startswith("_") or name not in self._definitions:
            hint = suggest_quantity(name, self.__dict__.get("_definitions", ()))
            raise AttributeError(f"no symbolic quantity '{name}'; {hint}", name=name)
        definition = self._definitions[name]
        return SymbolicQuantity(self._robot._on(definition), definition, self._frame)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self._definitions})


class SymbolicRobot(_SymbolicTable):
    """Every quantity of a robot as a function of SymPy expressions.

    Parameters
    ----------
    robot : Robot, Mechanism or Contacts
    parameters : mapping, optional
        Expressions, numbers or names of symbols by path, such as {"link1.mass": "m1",
        "link1.com.x": L1, "link1.inertia.zz": I1, "joint2.x": L1, "gravity.y": -g}. The attribute
        `parameters` lists all paths with their values.
    time : symbol, optional
        Use functions of it, q1(t), and their derivatives instead of symbols.
    names : str
        Name coordinates by "numbers" (q1) or by "joints" (q_elbow).
    """

    def __init__(
        self,
        robot: System,
        parameters: Mapping[str, Any] | None = None,
        *,
        time: Any = None,
        names: str = "numbers",
    ) -> None:
        super().__init__(self, robot.definitions, None)
        if names not in ("numbers", "joints"):
            raise ValueError(f"names must be 'numbers' or 'joints', found {names!r}")
        data = Parameters(robot.model)
        data.use(robot.name, parameters or {})
        self.model = robot.model
        self.sizes = robot.sizes
        self.parameters = data.values
        self.values = data.symbols
        self.tree = symbolic_tree(robot.model, robot.tree, data)
        self._system = robot
        self._others = {"parameters": parameters, "time": time, "names": names}
        self.names: dict[Any, str] = {}
        self._time = time
        self._coordinates = SymbolNames(robot, names)
        self._symbols: dict[str, Any] = {}

    def _on(self, definition: AnyQuantity) -> SymbolicRobot:
        """Return the robot that evaluates a quantity: this, or all joints of a mechanism."""
        return self._all_joints if self._system.find_owner(definition) is not self._system else self

    @once_property
    def _all_joints(self) -> SymbolicRobot:
        mechanism: Any = self._system
        return SymbolicRobot(mechanism._all_joints, **self._others)

    def symbols(self, name: str) -> Any:
        """Return the robot's own symbols for an argument.

        Parameters
        ----------
        name : str
            q, v, a, j, s, d5q, tau, dtau, w, ...

        Returns
        -------
        sympy.ImmutableMatrix
            A column for vectors.
        """
        if name not in self._symbols:
            base, order = base_and_order(name)
            shape = core_shape(argument(name).shape, self.sizes)
            rows = self._coordinates.entries(base, order, shape)
            symbols = [self._symbol(name, order, *row) for row in rows]
            rows_columns = shape if len(shape) == 2 else (len(symbols), 1)
            self._symbols[name] = sympy.ImmutableMatrix(*rows_columns, symbols)
        return self._symbols[name]

    def argument_symbols(self, name: str, shape: tuple[int, ...]) -> Array:
        """Return symbols for an argument of a derivative, such as a tangent or weights.

        Parameters
        ----------
        name : str
            Prefix of the symbols.
        shape : tuple of int

        Returns
        -------
        ndarray of object
        """
        out = zeros(*shape)
        for index in np.ndindex(*shape):
            label = f"{name}{'_'.join(str(k + 1) for k in index)}"
            plain = self._time is None
            out[index] = sympy.Symbol(label) if plain else sympy.Function(label)(self._time)
        return out

    def further(self, name: str, shape: tuple[int, ...]) -> Array:
        """Deprecated name of `argument_symbols`, with the same Parameters and Returns."""
        return renamed_attribute(self, "further", "argument_symbols")(name, shape)

    def _symbol(self, name: str, order: int, letter: str, rate: int, label: str, mark: str) -> Any:
        """Create a symbol or, with time, a derivative of the function `letter`."""
        underscore = "" if self._coordinates.numbered else "_"
        if self._time is None:
            symbol: Any = sympy.Symbol(f"{name}{underscore}{label}")
        else:
            function = sympy.Function(f"{letter}{underscore}{label}")(self._time)
            symbol = function.diff(self._time, rate) if rate else function
        latex = LATEX_LETTERS.get(letter, letter)
        self.names[symbol] = derivative_latex(latex, rate) + f"_{{{mark}}}"
        return symbol

    @property
    def q(self) -> Any:
        """Symbols of the configuration, a column; likewise v, a, j, s."""
        return self.symbols("q")

    @property
    def v(self) -> Any:
        """Velocities."""
        return self.symbols("v")

    @property
    def a(self) -> Any:
        """Accelerations."""
        return self.symbols("a")

    @property
    def j(self) -> Any:
        """Jerks."""
        return self.symbols("j")

    @property
    def s(self) -> Any:
        """Jounces."""
        return self.symbols("s")

    def frame(self, name: str) -> _SymbolicTable:
        """Return the quantities of a frame: pose, Jacobians and twists.

        Parameters
        ----------
        name : str
            Name of a frame or link.

        Returns
        -------
        object
            Table of quantities, such as `.pose`.
        """
        return _SymbolicTable(self, self._system.frame_definitions, self.model.frame_index(name))

    def quantity(self, name: str) -> SymbolicFunction:
        """Return a quantity or derivative by name.

        Parameters
        ----------
        name : str
            Name such as "mass_matrix.dt", as `robot.quantity` takes it.

        Returns
        -------
        SymbolicFunction
        """
        bound = self._system.quantity(name)
        return SymbolicFunction(self._on(bound.definition), bound.definition, bound.frame_index)

    def evaluate(self, formula: Callable[..., Any], *arguments: Any) -> Result:
        """Evaluate a formula on symbols.

        Parameters
        ----------
        formula : callable
            formula(tree, *arguments), such as a function of `jounce.papers`.
        *arguments : vectors
            Expressions or numbers.

        Returns
        -------
        Result
        """
        inputs = [scalars(_plain(x), (len(x),)) for x in arguments]
        return Result.of(formula(self.tree, *inputs), self.names)


if not TYPE_CHECKING:
    __getattr__ = moved_names(__name__, {"dotted": "jounce.export.symbol_names.derivative_latex"})
