"""Quantities of a robot as CasADi Functions, for optimal control and code that uses CasADi.

    functions = robot.export.casadi()
    tau = functions.inverse_dynamics(q, v, a)         # q, v, a: numbers, DM, SX or MX
    functions.inverse_dynamics.dt(q, v, a, j)
    functions.mass_matrix.rates(2)(q, v, a)           # value and two time derivatives
    functions.frame("tool").pose(q)

Every quantity **is** a `casadi.Function`: its inputs are named as the quantity's arguments, its
outputs after the quantity. It is built by replaying the quantity's tape on SX, so CasADi sees the
same operations as the compiled kernel and can differentiate them. Needs jounce[casadi].
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any

import numpy as np

from jounce.catalog import suggest_quantity
from jounce.compiler.graph import ops
from jounce.compiler.targets import interpreter
from jounce.errors import printable
from jounce.robot import System
from jounce.runtime import Kernel

try:
    casadi: Any = import_module("casadi")
except ImportError as error:  # pragma: no cover - depends on what is installed
    raise ImportError(
        "robot.export.casadi() needs CasADi, which is not installed: pip install 'jounce[casadi]'"
    ) from error


def _symbols(name: str, shape: tuple[int, ...]) -> tuple[Any, list[Any]]:
    """Return an SX input of a core shape, and its entries in row-major order."""
    symbol = casadi.SX.sym(name, *(shape or (1,)))
    rows = symbol if len(shape) < 2 else symbol.T  # CasADi stores columns first
    return symbol, casadi.vertsplit(casadi.vec(rows))


def _reshape(entries: list[Any], shape: tuple[int, ...]) -> Any:
    """Return row-major entries as an SX matrix; further axes are flattened into columns."""
    flat = casadi.vertcat(*entries)
    rows = shape[0] if shape else 1
    return casadi.reshape(casadi.SX(flat), len(entries) // rows, rows).T


#: Operations that CasADi names differently than NumPy.
_SPELLED = {
    ops.KEPT: lambda x, c: casadi.if_else(c > 0, x, 0),
    ops.DROPPED: lambda x, c: casadi.if_else(c > 0, 0, x),
    ops.MINIMUM: lambda a, b: casadi.fmin(a, b),
    ops.MAXIMUM: lambda a, b: casadi.fmax(a, b),
    ops.ATAN2: lambda y, x: casadi.atan2(y, x),
}


def kernel_function(kernel: Kernel, name: str | None = None) -> Any:
    """Build a casadi.Function from a kernel by replaying its tape on SX.

    Parameters
    ----------
    kernel : Kernel
        Such as `robot.mass_matrix.kernel`.
    name : str, optional
        Of the Function, by default the quantity's.

    Returns
    -------
    casadi.Function
    """
    title = kernel.quantity.name if name is None else name
    inputs, entries = [], []
    for argument, shape in zip(kernel.arguments, kernel.inputs, strict=True):
        symbol, scalars = _symbols(argument, shape)
        inputs.append(symbol)
        entries += scalars
    results = interpreter.run(kernel.tape, entries, _SPELLED)
    outputs, start = [], 0
    for shape in kernel.outputs:
        size = int(np.prod(shape, dtype=int))
        outputs.append(_reshape(results[start : start + size], shape))
        start += size
    definition = kernel.quantity
    origin = definition.origin or definition
    if definition.parts:
        names = [f"{definition.name}_{part}" for part in definition.parts]
    elif len(origin.results) > 1:  # M, C and g, by their letters
        names = [f"{origin.name}_{letter}" for letter in definition.result_names]
    elif (
        definition.origin is not None and definition.orders
    ):  # mass_matrix, mass_matrix_dt, mass_matrix_dtt
        names = [definition.origin.name + _order(k) for k in definition.orders]
    else:  # one result, or derivatives and perhaps the value
        names = [
            definition.name + (f"_d{result.wrt}" if result.wrt else "")
            for result in definition.results
        ]
    return casadi.Function(
        _identifier(title), inputs, outputs, list(kernel.arguments), [*map(_identifier, names)]
    )


def _order(k: int) -> str:
    return ("", "_dt", "_dtt")[k] if k < 3 else f"_d{k}t"


def _identifier(name: str) -> str:
    """Return a name that CasADi accepts: letters, digits, single underscores, a letter first."""
    cleaned = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")
    return cleaned if cleaned[:1].isalpha() else f"f_{cleaned}"


class CasadiQuantity(casadi.Function):
    """A quantity as a casadi.Function; its derivatives are its attributes, as on the robot."""

    def __init__(self, robot: System, name: str, optional: bool = False) -> None:
        bound = robot.quantity(name)
        kernel = bound.full_kernel if optional else bound.kernel
        super().__init__(kernel_function(kernel, name))
        self._robot = robot
        self._quantity = name
        self._derivatives: dict[str, CasadiQuantity] = {}

    def _derivative(self, suffix: str) -> CasadiQuantity:
        if suffix not in self._derivatives:
            self._derivatives[suffix] = CasadiQuantity(self._robot, f"{self._quantity}.{suffix}")
        return self._derivatives[suffix]

    @property
    def dt(self) -> CasadiQuantity:
        """First time derivative, a function of the state up to the order it needs."""
        return self._derivative("dt")

    @property
    def dtt(self) -> CasadiQuantity:
        """Second time derivative."""
        return self._derivative("dtt")

    def rates(self, order: int) -> CasadiQuantity:
        """Return the value and its time derivatives as one Function.

        Parameters
        ----------
        order : int
            Highest time derivative.

        Returns
        -------
        CasadiQuantity
            With order + 1 outputs.
        """
        return self._derivative(f"rates({order})")

    def __getattr__(self, name: str) -> CasadiQuantity:
        """Return the derivative that the robot has by that name."""
        if name.startswith("_") or "_quantity" not in self.__dict__:
            raise AttributeError(f"a CasADi Function has no '{name}'", name=name, obj=self)
        try:
            return self._derivative(name)
        except ValueError as error:
            raise AttributeError(str(error), name=name, obj=self) from error


class _Functions:
    """Attribute access to the quantities of a table of the catalog, as CasADi Functions."""

    def __init__(self, robot: System, prefix: str, names: Iterable[str]) -> None:
        self._robot = robot
        self._prefix = prefix
        self._names = tuple(names)

    def __getattr__(self, name: str) -> CasadiQuantity:
        if name.startswith("_") or name not in self._names:
            raise AttributeError(
                f"{self!r} has no '{name}'; {suggest_quantity(name, self._names)}",
                name=name,
                obj=self,
            )
        function = self.__dict__[name] = CasadiQuantity(self._robot, self._prefix + name)
        return function

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self._names})

    def __repr__(self) -> str:
        owner = f"{self._prefix[:-1]} of " if self._prefix else ""
        return printable(f"<CasADi Functions of {owner}'{self._robot.name}'>")


class CasadiRobot(_Functions):
    """The quantities of a robot as CasADi Functions, built on first access."""

    def __init__(self, robot: System) -> None:
        super().__init__(robot, "", robot.definitions)
        self._frames: dict[str, _Functions] = {}

    def frame(self, name: str) -> _Functions:
        """Return the quantities of a frame: pose, Jacobians and twists.

        Parameters
        ----------
        name : str
            Name of a frame or link.

        Returns
        -------
        object
            Table of Functions, such as `.pose`.
        """
        if name not in self._frames:
            self._robot.frame(name)  # raises for an unknown name
            self._frames[name] = _Functions(
                self._robot, f"frame({name}).", self._robot.frame_definitions
            )
        return self._frames[name]

    def function(self, name: str, optional: bool = False) -> CasadiQuantity:
        """Return the Function of a quantity or derivative by name.

        Parameters
        ----------
        name : str
            Name such as "mass_matrix.dt", as `robot.quantity` takes it.
        optional : bool
            Add the optional arguments (wrenches and their rates) as inputs.

        Returns
        -------
        CasadiQuantity
        """
        return CasadiQuantity(self._robot, name, optional)


def casadi_functions(robot: System) -> CasadiRobot:
    """Return the quantities of a robot as CasADi Functions.

    Parameters
    ----------
    robot : Robot, Mechanism or Contacts

    Returns
    -------
    CasadiRobot
    """
    return CasadiRobot(robot)
