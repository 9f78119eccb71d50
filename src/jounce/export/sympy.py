"""A robot's quantities as SymPy expressions, its parameters included.

    sym = robot.export.sympy({"link1.mass": "m1", "joint2.x": "L1", "gravity.y": -g})
    tau = sym.inverse_dynamics()                # in the robot's own symbols q1, v1, a1, ...
    tau.simplified().latex()
    sym.inverse_dynamics.dt(); sym.mass_matrix.rates(2); sym.frame("tool").pose()
    sym.inverse_dynamics(v=[0, 0])              # given expressions instead of the symbols

The formulas are those that are compiled, run on exact scalars: floats become the rational numbers
they were meant to be (0.5 is 1/2, 9.81 is 981/100), rotations by 45, 30 or 60 degrees get their
square roots, so results are exact. Needs jounce[symbolic].
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from jounce.catalog import (
    AnyQuantity,
    Variant,
    argument,
    chosen,
    derivative,
    derivative_names,
    derive,
    rate_of,
    with_optional_gradients,
)
from jounce.errors import suggest
from jounce.math import Array, zeros
from jounce.robot import System
from jounce.runtime import core_shape
from jounce.utils import once_property

try:
    import sympy
    from sympy.printing.latex import LatexPrinter
except ImportError as error:
    raise ImportError(
        "robot.export.sympy() needs SymPy, which is not installed: pip install 'jounce[symbolic]'"
    ) from error

from jounce.export.exact import Parameters, expression, scalars, symbolic_tree
from jounce.export.trigonometry import simplified

# ------------------------------------------------------------------ results


class Result:
    """A quantity as a SymPy expression, column, matrix or array: `value` is plain SymPy.

    It behaves as its value does: entries, arithmetic, and SymPy's methods (subs, diff, ...).
    """

    def __init__(self, value: Any, names: Mapping[Any, str] | None = None) -> None:
        self.value = value
        self._names = {} if names is None else names

    @classmethod
    def of(cls, values: Any, names: Mapping[Any, str] | None = None) -> Result:
        """From a formula's result: a scalar, or an object array of them."""
        if not isinstance(values, np.ndarray):
            return cls(expression(values), names)
        entries = [expression(x) for x in values.flat]
        if values.ndim <= 2:
            rows = values.shape[0]
            return cls(sympy.ImmutableMatrix(rows, len(entries) // max(rows, 1), entries), names)
        return cls(sympy.ImmutableDenseNDimArray(entries, values.shape), names)

    def simplified(self) -> Result:
        """The same, expanded and collected: products of sines and cosines as sums of angles.

        The form is unique: the difference of equal expressions is exactly 0.
        """
        return Result(simplified(self.value), self._names)

    def latex(self) -> str:
        """LaTeX with the short names of robotics: c_{12} for cos(q1 + q2), dots for rates."""
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
    """LaTeX with c_{12} for cos(q1 + q2) and the given names of symbols."""

    def __init__(self, names: Mapping[Any, str]) -> None:
        super().__init__({"symbol_names": dict(names), "mat_delim": "("})
        self._names = names

    def terms(self, value: Any) -> list[str]:
        """The terms of a sum, in the order in which it is printed."""
        return [self.doprint(x) for x in self._as_ordered_terms(value)]

    def _short(self, function: Any, exp: str | None) -> str:
        """c_{12} for the cosine of a sum of joint angles, or an empty string if it is not that."""
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
        return short or self._named(expr, exp) or super()._print_Function(expr, exp)

    def _print_Derivative(self, expr: Any) -> str:
        return self._named(expr, None) or super()._print_Derivative(expr)

    def _named(self, expr: Any, exp: str | None) -> str:
        name = self._names.get(expr, "")
        return name and name + (f"^{{{exp}}}" if exp else "")


# ------------------------------------------------------------------ quantities


class SymbolicFunction:
    """A row of the catalog on symbols, as a callable."""

    def __init__(self, robot: SymbolicRobot, row: AnyQuantity, frame: int | None = None) -> None:
        self._robot = robot
        self._row = row
        self._frame = frame

    def __call__(self, *args: Any, **named: Any) -> Any:
        """The quantity as a Result; arguments not given are the robot's own symbols.

        Optional arguments (wrenches) enter only if given, by name.
        """
        options = {x.name: named.pop(x.name) for x in self._row.options if x.name in named}
        row = chosen(self._row, **options)
        if any(name in named for name in row.base):
            row = derive(row, Variant.MOUNTED)
        known = (*row.arguments, *row.optional)
        unknown = [name for name in named if name not in known]
        if unknown or len(args) > len(row.arguments):
            raise TypeError(f"{self!r} takes ({', '.join(known)}), found {unknown or len(args)}")
        given = {**dict(zip(row.arguments, args, strict=False)), **named}
        inputs = [self._input(name, given.get(name)) for name in row.arguments]
        if any(name in named for name in row.optional):
            inputs += [self._input(name, given.get(name, 0)) for name in row.optional]
        extra = () if self._frame is None else (self._frame,)
        row = with_optional_gradients(row) if len(inputs) > len(row.arguments) else row
        results = row.formula(self._robot.tree, *inputs, *extra)
        if not isinstance(results, (list, tuple)):
            return Result.of(results, self._robot.names)
        return tuple(Result.of(x, self._robot.names) for x in results)

    def _input(self, name: str, value: Any) -> Array:
        shape = core_shape(self._row.argument(name).shape, self._robot.sizes)
        if value is None:
            own = name in self._row.own
            value = self._robot.further(name, shape) if own else self._robot.symbols(name)
        elif isinstance(value, (int, float)) and value == 0:
            return zeros(*shape)
        return scalars(_plain(value), shape, f"{self._row.name}: argument '{name}'")

    def __repr__(self) -> str:
        return f"<{self._row.name}({', '.join(self._row.arguments)}) on symbols: {self._row.doc}>"


class SymbolicQuantity(SymbolicFunction):
    """A quantity on symbols; its derivatives are its attributes, as on the robot."""

    def __getattr__(self, name: str) -> SymbolicFunction:
        row = self.__dict__.get("_row")
        if row is not None and name in derivative_names(row):
            found = derivative.derivative(row, name)
            kind = SymbolicQuantity if found.differentiable else SymbolicFunction
            return kind(self._robot, found, self._frame)
        valid = () if row is None else (*derivative_names(row), "rates(order)")
        text = f"no derivative '{name}'; {suggest(name, valid)}"
        raise AttributeError(text, name=name, obj=self)

    def rates(self, order: int) -> SymbolicFunction:
        """Value and time derivatives 1..order, as a tuple."""
        return SymbolicFunction(
            self._robot, derivative.derivative(self._row, f"rates({order})"), self._frame
        )


class _SymbolicTable:
    """Attribute access to the quantities of a table of the catalog."""

    def __init__(
        self, robot: SymbolicRobot, table: Mapping[str, AnyQuantity], frame: int | None
    ) -> None:
        self._robot = robot
        self._rows = table
        self._frame = frame

    def __getattr__(self, name: str) -> SymbolicQuantity:
        if name.startswith("_") or name not in self._rows:
            hint = suggest(name, self.__dict__.get("_rows", ()))
            raise AttributeError(f"no symbolic quantity '{name}'; {hint}", name=name)
        row = self._rows[name]
        return SymbolicQuantity(self._robot._on(row), row, self._frame)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self._rows})


class SymbolicRobot(_SymbolicTable):
    """A robot on symbols: every quantity of the catalog as a function of SymPy expressions.

    parameters: expressions, numbers or names of symbols by path, such as {"link1.mass": "m1",
    "link1.com.x": L1, "link1.inertia.zz": I1, "joint2.x": L1, "gravity.y": -g}; `parameters`
    lists all paths with their values. time: a symbol t to have functions q1(t), ... and their
    derivatives in place of symbols. names: coordinates named "joints" (q_elbow) or by number (q1).
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
        self._coordinates = _Coordinates(robot, names)
        self._symbols: dict[str, Any] = {}

    def _on(self, row: AnyQuantity) -> SymbolicRobot:
        """What a row is evaluated on: this, or all joints under the loops of a mechanism."""
        return self._all_joints if self._system.owner_of(row) is not self._system else self

    @once_property
    def _all_joints(self) -> SymbolicRobot:
        whole: Any = self._system  # a mechanism
        return SymbolicRobot(whole._all_joints, **self._others)

    def symbols(self, name: str) -> Any:
        """The robot's own symbols for an argument: q, v, a, j, s, d5q, tau, dtau, w, ..."""
        if name not in self._symbols:
            base, order = _base_and_order(name)
            shape = core_shape(argument(name).shape, self.sizes)
            rows = self._coordinates.entries(base, order, shape)
            made = [self._symbol(name, order, *row) for row in rows]
            rows_columns = shape if len(shape) == 2 else (len(made), 1)
            self._symbols[name] = sympy.ImmutableMatrix(*rows_columns, made)
        return self._symbols[name]

    def further(self, name: str, shape: tuple[int, ...]) -> Array:
        """Symbols for an argument that is no quantity's own: a tangent, or weights of results."""
        out = zeros(*shape)
        for at in np.ndindex(*shape):
            label = f"{name}{'_'.join(str(k + 1) for k in at)}"
            plain = self._time is None
            out[at] = sympy.Symbol(label) if plain else sympy.Function(label)(self._time)
        return out

    def _symbol(self, name: str, order: int, letter: str, rate: int, label: str, mark: str) -> Any:
        """One symbol, or with time the function `letter`, differentiated `rate` times."""
        underscore = "" if self._coordinates.numbered else "_"
        if self._time is None:
            made: Any = sympy.Symbol(f"{name}{underscore}{label}")
        else:
            function = sympy.Function(f"{letter}{underscore}{label}")(self._time)
            made = function.diff(self._time, rate) if rate else function
        shown = _SHOWN.get(letter, letter)
        self.names[made] = dotted(shown, rate) + f"_{{{mark}}}"
        return made

    @property
    def q(self) -> Any:
        """The symbols of the configuration, a column; likewise v, a, j, s."""
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
        """Pose, Jacobians and twists of a frame."""
        return _SymbolicTable(self, self._system.frame_definitions, self.model.frame_index(name))

    def quantity(self, name: str) -> SymbolicFunction:
        """A quantity or derivative by its name as a string, as `robot.quantity` takes it."""
        found = self._system.quantity(name)
        return SymbolicFunction(self._on(found.definition), found.definition, found.frame_index)

    def evaluate(self, formula: Callable[..., Any], *arguments: Any) -> Result:
        """Any formula(tree, *arguments) on symbols, such as one of `jounce.papers`."""
        inputs = [scalars(_plain(x), (len(x),)) for x in arguments]
        return Result.of(formula(self.tree, *inputs), self.names)


class _Coordinates:
    """How the coordinates of a robot are called, by number or by the name of their joint."""

    def __init__(self, robot: System, names: str) -> None:
        self.numbered = names == "numbers"
        self._q = [str(i + 1) for i in range(robot.nq)]
        self._velocities = list(robot.velocities)
        self._all = [str(i + 1) for i in range(robot.sizes["nt"])]
        self._v = [self._all[k] for k in self._velocities]
        self._bodies = [str(i + 1) for i in range(robot.sizes["nb"])]
        self._integrates: dict[int, int] = {}  # v[k] is the time derivative of q[i]
        for node in robot.tree.nodes:
            if node.motion.flat:
                places = range(node.vs.start, node.vs.stop), range(node.qs.start, node.qs.stop)
                self._integrates.update(zip(*places, strict=True))
        if not self.numbered:
            self._bodies = [body.name for body in robot.model.bodies]
            self._q, self._v = robot.labels("q", start=1), robot.labels("v", start=1)
            self._all = robot.labels("t", start=1)

    def entries(
        self, base: str, order: int, shape: tuple[int, ...]
    ) -> list[tuple[str, int, str, str]]:
        """Per entry: the letter it is a time derivative of, of which order, and its label."""
        if base in ("w", "wrenches"):
            parts = ("mx", "my", "mz", "fx", "fy", "fz")
            labels = [(b, part) for b in self._bodies for part in parts]
            return [(base, order, f"{b}{p}", f"{self._mark(b)},{p}") for b, p in labels]
        if base in ("tau", "v_r", "a_r", "lam", "joint_forces"):
            labels = self._all if base == "joint_forces" else self._v
            return [(base, order, label, self._mark(label)) for label in labels]
        if order == 0:
            return [("q", 0, label, self._mark(label)) for label in self._q]
        rows = []
        for k, label in zip(self._velocities, self._v, strict=True):
            if k in self._integrates:
                label = self._q[self._integrates[k]]
                rows.append(("q", order, label, self._mark(label)))
            else:  # v is not the derivative of coordinates: a twist in the body's axes
                rows.append(("v", order - 1, label, self._mark(label)))
        return rows

    def _mark(self, label: str) -> str:
        escaped = label.replace("_", r"\_")
        return label if self.numbered else rf"\mathrm{{{escaped}}}"


#: What LaTeX shows for letters of symbols.
_SHOWN = {"tau": r"\tau", "wrenches": "w", "lam": r"\lambda", "joint_forces": r"\tau"}

#: Arguments that have symbols, with their time derivatives: v is that of q, dtau that of tau.
_BASES = ("q", "tau", "wrenches", "w", "v_r", "a_r", "lam", "joint_forces")


def _base_and_order(name: str) -> tuple[str, int]:
    """An argument as time derivative of a base: ("q", 2) for a, ("tau", 1) for dtau."""
    known = rate_of(name)
    if known is None or known[0] not in _BASES:
        raise ValueError(f"no symbols for '{name}'; choose one of {', '.join(_BASES)} and rates")
    return known


def dotted(letter: str, order: int) -> str:
    """Return LaTeX of a time derivative: the letter with dots, or its order where they end."""
    if order == 0:
        return letter
    return rf"\{'d' * order}ot{{{letter}}}" if order <= 4 else f"{letter}^{{({order})}}"
