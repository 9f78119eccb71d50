"""Options that select the formula of a quantity: validation and application."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from jounce.catalog.derivative import Derivative, derive
from jounce.catalog.names import format_options
from jounce.catalog.quantity import AnyQuantity, Options
from jounce.errors import ArgumentError, suggest


def check_options(
    quantity: AnyQuantity, named: Mapping[str, Any], title: str = ""
) -> dict[str, Any]:
    """Validate options, and return those that differ from the defaults, in their order."""
    title = title or quantity.name
    known = {option.name: option for option in quantity.options}
    out: dict[str, Any] = {}
    for name, value in named.items():
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
    return {option.name: out[option.name] for option in quantity.options if option.name in out}


def with_options(quantity: AnyQuantity, **named: Any) -> AnyQuantity:
    """Return a quantity or derivative with options fixed.

    Parameters
    ----------
    quantity : AnyQuantity
        Catalog entry of a quantity, or of a derivative of it.
    **named
        Options of the quantity, such as ``method="rk4"``.

    Returns
    -------
    AnyQuantity
        The entry for these options; `quantity` itself if they are the defaults.
    """
    options = check_options(quantity, named)
    return _apply_options(quantity, tuple(options.items())) if options else quantity


@cache
def _apply_options(quantity: AnyQuantity, options: tuple[tuple[str, Any], ...]) -> AnyQuantity:
    if isinstance(quantity, Derivative):
        return derive(_apply_options(quantity.operand, options), quantity.variable)
    assert quantity.options.choose is not None
    chosen = quantity.options.choose(**dict(options))
    return replace(chosen, name=f"{quantity.name}({format_options(options)})", options=Options())


def from_text(quantity: AnyQuantity, named: Mapping[str, str], title: str = "") -> dict[str, Any]:
    """Validate options given as text: {"method": "rk4", "friction": "True"}."""
    words = {
        option.name: {str(value): value for value in option.values} for option in quantity.options
    }
    return check_options(
        quantity, {name: words.get(name, {}).get(x, x) for name, x in named.items()}, title
    )
