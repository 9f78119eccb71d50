"""Arguments of time derivatives: those of the quantity, and their own time derivatives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from jounce.catalog.arguments import argument, prefix_name, rate_name, rate_of
from jounce.catalog.quantity import AnyQuantity, Signature

#: Base argument and order of a time derivative: a is ("q", 2), ddw is ("w", 2).
_RateKey = tuple[str, int]


class RateArguments:
    """The arguments of a quantity with their time derivatives up to an order.

    Name clashes are avoided: if dtau is a tangent, derivatives of tau are d_tau, dd_tau, ..., and
    those of dtau are ddtau, dddtau, ...

    state_moves: whether higher derivatives of the state are arguments, too, rather than results.
    """

    def __init__(self, quantity: AnyQuantity, order: int, state_moves: bool) -> None:
        self._quantity, self._order = quantity, order
        self._required = _extend_orders(map(self._key_of, quantity.arguments), order, state_moves)
        self._keys = (
            *self._required,
            *_extend_orders(map(self._key_of, quantity.optional), order, True),
        )
        self._names = {
            self._key_of(name): name for name in (*quantity.arguments, *quantity.optional)
        }
        for key in self._keys:
            if key not in self._names:
                self._names[key] = self._make_name(key)

    @property
    def signature(self) -> Signature:
        """Signature of the time derivative."""
        quantity, meanings = self._quantity, {}
        for key in self._keys:
            name, (base, order) = self._names[key], key
            if name in quantity.argument_definitions:
                arg = quantity.argument_definitions[name]
            elif base in quantity.argument_definitions:
                arg = quantity.argument_definitions[base].rate(
                    order, quantity.argument_definitions[base].doc
                )
            elif name != rate_name(base, order):
                arg = argument(rate_name(base, order))
            else:
                continue
            meanings[name] = replace(arg, rate_of=key) if order else arg
        names = [self._names[key] for key in self._keys]
        count = len(self._required)
        base = [rate_name(name, k) for name in quantity.base for k in range(self._order + 1)]
        return Signature(
            tuple(names[:count]), tuple(names[count:]), tuple(dict.fromkeys(base)), meanings
        )

    def levels(self, count: int) -> dict[str, list[int]]:
        """Return for each argument the indices of all its orders among the first `count` arrays."""
        known = self._keys[:count]
        names = [
            x
            for x in (*self._quantity.arguments, *self._quantity.optional)
            if self._key_of(x) in known
        ]
        orders = range(self._order + 1)
        keys = {name: self._key_of(name) for name in names}
        return {
            x: [known.index((base, k + offset)) for k in orders]
            for x, (base, offset) in keys.items()
        }

    def by_name(self, values: Sequence[Any]) -> dict[str, Any]:
        """Return arrays by the names that closed forms of time derivatives use."""
        return dict(zip(map(self._rate_name, self._keys), values, strict=False))

    def _key_of(self, name: str) -> _RateKey:
        meanings = self._quantity.argument_definitions
        return (meanings[name].rate_of if name in meanings else rate_of(name)) or (name, 0)

    def _rate_name(self, key: _RateKey) -> str:
        return (
            prefix_name(*key) if key[0] in self._quantity.argument_definitions else rate_name(*key)
        )

    def _make_name(self, key: _RateKey) -> str:
        """Return the name of a higher time derivative."""
        name, base, quantity = self._rate_name(key), key[0], self._quantity
        if f"d{base}" in quantity.argument_definitions and self._key_of(f"d{base}") != (
            base,
            1,
        ):  # the name is taken
            name = f"{name.removesuffix(base)}_{base}"
        taken = (*quantity.arguments, *quantity.optional, *self._names.values())
        return find_free_name(name, f"d_{name[1:]}", taken)


def _extend_orders(keys: Iterable[_RateKey], order: int, state_moves: bool) -> tuple[_RateKey, ...]:
    """Return arguments with their time derivatives: first the state by order, then signals."""
    reach: dict[str, list[int]] = {}
    for base, known in keys:
        reach.setdefault(base, []).append(known)
    out: list[_RateKey] = []
    for base in sorted(reach, key=lambda base: base != "q"):
        further = order if base != "q" or state_moves else 0
        out += [(base, k) for k in range(min(reach[base]), max(reach[base]) + further + 1)]
    return tuple(out)


def find_free_name(name: str, otherwise: str, taken: Iterable[str]) -> str:
    """Return the first of several names that is not taken."""
    while name in taken:
        name, otherwise = otherwise, f"d_{otherwise}"
    return name
