"""Names of quantities and derivatives as text: the only place that reads them.

A name is `[TABLE.][frame(NAME).]quantity[(OPTION=VALUE, ...)][.derivative]...`, such as
"mass_matrix", "inverse_dynamics.dq.dt", "inverse_dynamics.rates(2)", "frame(tool).jacobian.dt",
"parametric.inverse_dynamics" or "step(method=rk4).derivatives".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from jounce.catalog.variables import Extended, Jvp, Named, Numbers, State, Time, Variable, Vjp
from jounce.errors import ArgumentError, warn

_NAME = re.compile(
    r"(?:(?P<table>parametric|morphable)\.)?(?:frame\((?P<frame>.+?)\)\.)?"
    r"(?P<quantity>\w+)(?:\((?P<options>[^()]+)\))?(?P<steps>(?:\.(?:rates\(\d+\)|\w+))*)"
)
_OPTION = re.compile(r"\s*(\w+)\s*=\s*['\"]?(\w+)['\"]?\s*")
_TIME = re.compile(r"rates\((\d+)\)|d(t+)")

#: Deprecated names of quantities, each with the current one.
RENAMED_QUANTITIES = {"normalise": "normalize"}

#: Pushforwards and pullbacks, on tangents and in plain coordinates.
PRODUCTS: dict[str, Variable] = {
    str(x): x for x in (Jvp(), Vjp(), Jvp(coordinates=True), Vjp(coordinates=True))
}

#: Variables without parameters of their own, by name.
_FIXED: dict[str, Variable] = {
    str(x): x for x in (*PRODUCTS.values(), *Numbers, Extended(False), Extended(True))
}


@dataclass(frozen=True)
class Name:
    """A name of a quantity or derivative, in its parts."""

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

    Raises
    ------
    ArgumentError
        If the text is not a name.
    """
    found = _NAME.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None:
        raise ArgumentError(
            f"cannot read the name {text!r}; expected a string such as 'mass_matrix',"
            " 'mass_matrix.dt', 'inverse_dynamics.rates(2)', 'frame(tool).jacobian'"
        )
    quantity = found["quantity"]
    if quantity in RENAMED_QUANTITIES:
        new = RENAMED_QUANTITIES[quantity]
        warn(f"quantity '{quantity}' is deprecated; use '{new}'", DeprecationWarning)
        quantity = new
    return Name(
        quantity,
        tuple(found["steps"].split(".")[1:]),
        () if found["options"] is None else parse_options(found["options"]),
        None if found["frame"] is None else found["frame"].strip("'\" "),
        found["table"],
    )


@cache
def parse_variable(step: str, axes: tuple[str, ...]) -> Variable:
    """Parse the name of a derivative of what can be differentiated by `axes`."""
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

    Raises
    ------
    ArgumentError
        If a part is not name=value, or a name is given twice.
    """
    found = [(part, _OPTION.fullmatch(part)) for part in text.split(",")]
    for part, pair in found:
        if pair is None:
            raise ArgumentError(f"cannot read the option '{part}'; expected name=value")
    names = [pair[1] for _, pair in found if pair is not None]
    twice = [name for k, name in enumerate(names) if name in names[:k]]
    if twice:
        raise ArgumentError(f"option '{twice[0]}' is given twice in '{text}'")
    return tuple((pair[1], pair[2]) for _, pair in found if pair is not None)


def format_options(options: Iterable[tuple[str, object]]) -> str:
    """Options as they stand in a name: "method=rk4,friction=True"."""
    return ",".join(f"{name}={value}" for name, value in options)
