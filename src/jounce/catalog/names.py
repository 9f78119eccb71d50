"""Names of quantities and derivatives as strings, and their parser.

A name is `[TABLE.][frame(NAME).]quantity[(OPTION=VALUE, ...)][.derivative]...`, such as
"mass_matrix", "inverse_dynamics.dq.dt", "inverse_dynamics.rates(2)", "frame(tool).jacobian.dt",
"parametric.inverse_dynamics" or "step(method=rk4).derivatives".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from jounce.catalog.variables import (
    Extended,
    Jvp,
    Named,
    RobotParameter,
    State,
    Time,
    Variable,
    Vjp,
)
from jounce.errors import ArgumentError, warn

_NAME = re.compile(
    r"(?:(?P<table>parametric|morphable)\.)?(?:frame\((?P<frame>.+?)\)\.)?"
    r"(?P<quantity>\w+)(?:\((?P<options>[^()]+)\))?(?P<steps>(?:\.(?:rates\(\d+\)|\w+))*)"
)
_OPTION = re.compile(r"\s*(\w+)\s*=\s*['\"]?(\w+)['\"]?\s*")
_TIME = re.compile(r"rates\((\d+)\)|d(t+)")

#: Deprecated names of quantities, each with the current one.
RENAMED_QUANTITIES = {"normalise": "normalize"}

#: Jacobian-vector and vector-Jacobian products, on tangents and in plain coordinates.
PRODUCTS: dict[str, Variable] = {
    str(x): x for x in (Jvp(), Vjp(), Jvp(coordinates=True), Vjp(coordinates=True))
}

#: Variables without parameters, by name.
_FIXED: dict[str, Variable] = {
    str(x): x for x in (*PRODUCTS.values(), *RobotParameter, Extended(False), Extended(True))
}


@dataclass(frozen=True)
class Name:
    """The parsed name of a quantity or derivative."""

    quantity: str
    steps: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    frame: str | None = None
    table: str | None = None

    def __str__(self) -> str:
        table = "" if self.table is None else f"{self.table}."
        frame = "" if self.frame is None else f"frame({self.frame})."
        chosen = f"({format_options(self.options)})" if self.options else ""
        return f"{table}{frame}{self.quantity}{chosen}{''.join(f'.{x}' for x in self.steps)}"


def parse_name(text: str) -> Name:
    """Parse the name of a quantity or derivative.

    Parameters
    ----------
    text : str
        Such as "mass_matrix.dt" or "frame(tool).jacobian".

    Returns
    -------
    Name
        Its parts.

    Raises
    ------
    ArgumentError
        If the text is not a name.
    """
    match = _NAME.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None:
        raise ArgumentError(
            f"expected the name of a quantity such as 'mass_matrix', 'mass_matrix.dt',"
            f" 'inverse_dynamics.rates(2)' or 'frame(tool).jacobian', found {text!r}"
        )
    quantity = match["quantity"]
    if quantity in RENAMED_QUANTITIES:
        new = RENAMED_QUANTITIES[quantity]
        warn(f"quantity '{quantity}' is deprecated; use '{new}'", DeprecationWarning)
        quantity = new
    return Name(
        quantity,
        tuple(match["steps"].split(".")[1:]),
        () if match["options"] is None else parse_options(match["options"]),
        None if match["frame"] is None else match["frame"].strip("'\" "),
        match["table"],
    )


@cache
def parse_variable(step: str, axes: tuple[str, ...]) -> Variable:
    """Parse the name of a derivative; axes: arguments in which the quantity has derivatives."""
    if step in _FIXED:
        return _FIXED[step]
    if time := _TIME.fullmatch(step):
        return Time(len(time[2])) if time[1] is None else Time(int(time[1]), every=True)
    each = "|".join(sorted(axes, key=len, reverse=True))
    if each and re.fullmatch(f"d(?:{each})+", step):
        return State(tuple(re.findall(each, step[1:])))
    return Named(step)


def parse_options(text: str) -> tuple[tuple[str, str], ...]:
    """Parse options such as "method=rk4, friction=True".

    Parameters
    ----------
    text : str
        Comma-separated pairs name=value.

    Returns
    -------
    tuple of (str, str)
        Names and values.

    Raises
    ------
    ArgumentError
        If a part is not name=value, or a name is given twice.
    """
    parts = [(part, _OPTION.fullmatch(part)) for part in text.split(",")]
    for part, pair in parts:
        if pair is None:
            raise ArgumentError(f"expected an option name=value, found '{part}'")
    names = [pair[1] for _, pair in parts if pair is not None]
    repeated = [name for k, name in enumerate(names) if name in names[:k]]
    if repeated:
        raise ArgumentError(f"option '{repeated[0]}' is given twice in '{text}'")
    return tuple((pair[1], pair[2]) for _, pair in parts if pair is not None)


def format_options(options: Iterable[tuple[str, object]]) -> str:
    """Return options as in a name: "method=rk4,friction=True".

    Parameters
    ----------
    options : iterable of (str, object)
        Names and values.

    Returns
    -------
    str
        The inverse of `parse_options`.
    """
    return ",".join(f"{name}={value}" for name, value in options)
