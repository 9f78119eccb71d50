"""Options of a quantity that choose a formula: checks of their values, and the function chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from jounce.catalog.derivative import Derivative, derive
from jounce.catalog.names import format_options
from jounce.catalog.quantity import AnyQuantity, Options
from jounce.errors import ArgumentError, suggest


def checked(of: AnyQuantity, given: Mapping[str, Any], title: str = "") -> dict[str, Any]:
    """Options that differ from the defaults, in their order, after a check of their values."""
    title = title or of.name
    known = {option.name: option for option in of.options}
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
    return {option.name: out[option.name] for option in of.options if option.name in out}


def chosen(of: AnyQuantity, **given: Any) -> AnyQuantity:
    """The function with these options: of the same quantity, or the same derivative of it."""
    options = checked(of, given)
    return _chosen(of, tuple(options.items())) if options else of


@cache
def _chosen(of: AnyQuantity, options: tuple[tuple[str, Any], ...]) -> AnyQuantity:
    if isinstance(of, Derivative):
        return derive(_chosen(of.of, options), of.variable)
    assert of.options.choose is not None
    found = of.options.choose(**dict(options))
    return replace(found, name=f"{of.name}({format_options(options)})", options=Options())


def from_text(of: AnyQuantity, given: Mapping[str, str], title: str = "") -> dict[str, Any]:
    """Options with their values as in a name: {"method": "rk4", "friction": "True"}."""
    words = {option.name: {str(value): value for value in option.values} for option in of.options}
    return checked(of, {name: words.get(name, {}).get(x, x) for name, x in given.items()}, title)
