"""Arguments of time derivatives: those of the quantity, and their own time derivatives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from jounce.catalog.arguments import argument, prefixed, rate_name, rate_of
from jounce.catalog.quantity import AnyQuantity, Signature

#: What an argument is a time derivative of, and of which order: a is ("q", 2), ddw is ("w", 2).
_Key = tuple[str, int]


class Rates:
    """The arguments of a quantity with their time derivatives up to an order.

    A quantity's own arguments may look like time derivatives of others. Where dtau is a tangent,
    those of tau are d_tau, dd_tau, ...; those of dtau ddtau, dddtau, ...

    state_moves: whether the state's own further derivatives are arguments too, not results.
    """

    def __init__(self, of: AnyQuantity, order: int, state_moves: bool) -> None:
        self._of, self._order = of, order
        self._required = _reach(map(self._key, of.arguments), order, state_moves)
        self._keys = (*self._required, *_reach(map(self._key, of.optional), order, True))
        self._names = {self._key(name): name for name in (*of.arguments, *of.optional)}
        for key in self._keys:
            if key not in self._names:
                self._names[key] = self._name(key)

    @property
    def signature(self) -> Signature:
        """What the time derivative takes."""
        of, own = self._of, {}
        for key in self._keys:
            name, (base, order) = self._names[key], key
            if name in of.own:
                given = of.own[name]
            elif base in of.own:
                given = of.own[base].rate(order, of.own[base].doc)
            elif name != rate_name(base, order):
                given = argument(rate_name(base, order))
            else:
                continue
            own[name] = replace(given, rate_of=key) if order else given
        names = [self._names[key] for key in self._keys]
        count = len(self._required)
        base = [rate_name(name, k) for name in of.base for k in range(self._order + 1)]
        return Signature(
            tuple(names[:count]), tuple(names[count:]), tuple(dict.fromkeys(base)), own
        )

    def levels(self, count: int) -> dict[str, list[int]]:
        """Arguments of the quantity, with the places of all orders among `count` given arrays."""
        known = self._keys[:count]
        names = [x for x in (*self._of.arguments, *self._of.optional) if self._key(x) in known]
        orders = range(self._order + 1)
        keys = {name: self._key(name) for name in names}
        return {x: [known.index((base, k + at)) for k in orders] for x, (base, at) in keys.items()}

    def by_name(self, values: Sequence[Any]) -> dict[str, Any]:
        """Arrays by the names that closed forms of time derivatives know."""
        return dict(zip(map(self._spelled, self._keys), values, strict=False))

    def _key(self, name: str) -> _Key:
        own = self._of.own
        return (own[name].rate_of if name in own else rate_of(name)) or (name, 0)

    def _spelled(self, key: _Key) -> str:
        return prefixed(*key) if key[0] in self._of.own else rate_name(*key)

    def _name(self, key: _Key) -> str:
        """The name of a further time derivative."""
        name, base, of = self._spelled(key), key[0], self._of
        if f"d{base}" in of.own and self._key(f"d{base}") != (base, 1):  # something else's name
            name = f"{name.removesuffix(base)}_{base}"
        taken = (*of.arguments, *of.optional, *self._names.values())
        return free_name(name, f"d_{name[1:]}", taken)


def _reach(keys: Iterable[_Key], order: int, state_moves: bool) -> tuple[_Key, ...]:
    """Arguments with their time derivatives: the state in rising order, then the signals."""
    reach: dict[str, list[int]] = {}
    for base, known in keys:
        reach.setdefault(base, []).append(known)
    out: list[_Key] = []
    for base in sorted(reach, key=lambda base: base != "q"):
        further = order if base != "q" or state_moves else 0
        out += [(base, k) for k in range(min(reach[base]), max(reach[base]) + further + 1)]
    return tuple(out)


def free_name(name: str, otherwise: str, taken: Iterable[str]) -> str:
    """A name that is not taken."""
    while name in taken:
        name, otherwise = otherwise, f"d_{otherwise}"
    return name
