"""Options of a quantity that choose a formula: how a row lists them, and the row they lead to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from jounce.catalog.derived import derivative
from jounce.catalog.row import Row
from jounce.errors import ArgumentError, suggest

_OPTION = re.compile(r"\s*(\w+)\s*=\s*['\"]?(\w+)['\"]?\s*")


def checked(row: Row, given: Mapping[str, Any], title: str = "") -> dict[str, Any]:
    """The options of a row that differ from what it is without, after a look at their values."""
    title = title or row.name
    known = {option.name: option for option in row.options}
    out: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            hint = suggest(name, known, "its options:")
            valid = f"; {hint}" if known else ", and has no options"
            raise ArgumentError(f"{title} takes no '{name}'{valid}")
        values = known[name].values
        if not any(type(value) is type(x) and value == x for x in values):
            listed = ", ".join(map(repr, values))
            raise ArgumentError(f"{title}: {name} must be one of {listed}, found {value!r}")
        if value != values[0]:
            out[name] = value
    return {option.name: out[option.name] for option in row.options if option.name in out}


def chosen(row: Row, **given: Any) -> Row:
    """The row with these options: another one of the same quantity, or derived from such a one."""
    options = checked(row, given)
    return _chosen(row, tuple(options.items())) if options else row


@cache
def _chosen(row: Row, options: tuple[tuple[str, Any], ...]) -> Row:
    if row.constant is not None and row.variant is not None:
        return row.variant(_chosen(row.constant, options))
    if row.of is not None:
        return derivative(_chosen(row.of, options), row.step)
    assert row.with_options is not None
    named = ",".join(f"{name}={value}" for name, value in options)
    found = row.with_options(**dict(options))
    return replace(found, name=f"{row.name}({named})", options=(), with_options=None)


def named(row: Row, text: str, title: str = "") -> dict[str, Any]:
    """Options as they stand in a name, such as method=rk4,friction=True in step(...)."""
    words = {option.name: {str(value): value for value in option.values} for option in row.options}
    out: dict[str, Any] = {}
    for part in text.split(","):
        found = _OPTION.fullmatch(part)
        if found is None:
            raise ArgumentError(
                f"{title or row.name}: cannot read the option '{part}'; expected name=value"
            )
        name, value = found.groups()
        out[name] = words.get(name, {}).get(value, value)
    return checked(row, out, title)
