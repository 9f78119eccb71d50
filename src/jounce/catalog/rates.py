"""Names of arguments and of their time derivatives, where a function is differentiated in time.

A function's own arguments may look like time derivatives of others: `dtau` may be a tangent. They
are marked as own0, own1, ... while time derivatives are counted, and named again at the end. Where
dtau is a tangent, the time derivatives of tau are d_tau, dd_tau, ...; those of dtau ddtau, dddtau.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from jounce.catalog.arguments import OWN, Argument, argument, rate_name, rate_of
from jounce.catalog.quantity import AnyQuantity, Signature


class Rates:
    """The arguments of a function with their time derivatives up to an order.

    state_moves: whether the state's own further derivatives are arguments too, not results.
    """

    def __init__(self, of: AnyQuantity, order: int, state_moves: bool) -> None:
        self._of = of
        self._marks: dict[str, str] = {}
        for k, (name, own) in enumerate(of.own.items()):
            base, known = own.rate_of or ("", 0)
            mark = rate_name(self._marks.get(base, base), known) if base else f"{OWN}{k}"
            self._marks[name] = mark
        self._meant = {mark: name for name, mark in self._marks.items()}
        self.required = _with_rates(self.marked(of.arguments), order, state_moves=state_moves)
        self.optional = _with_rates(self.marked(of.optional), order, state_moves=True)
        self._names = self._named()
        self._order = order

    def marked(self, names: Iterable[str]) -> tuple[str, ...]:
        """Arguments of the function as they are called here."""
        return tuple(self._marks.get(name, name) for name in names)

    def given(self, values: Iterable[Any]) -> dict[str, Any]:
        """Values of the required arguments, and perhaps of the optional ones, by marked name."""
        return dict(zip((*self.required, *self.optional), values, strict=False))

    def meant(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Values by the names that the function's own form of its time derivatives knows."""
        return {self._meaning(name): x for name, x in given.items()}

    @property
    def signature(self) -> Signature:
        """What the time derivative takes."""
        base = [rate_name(name, k) for name in self._of.base for k in range(self._order + 1)]
        own: dict[str, Argument] = {}
        for marked in (*self.required, *self.optional):
            name, (of, order) = self._names[marked], rate_of(marked) or (marked, 0)
            if of in self._meant or name != marked:
                given = self._argument(of, order, marked)
                own[name] = replace(given, rate_of=(self._names[of], order)) if order else given
        return Signature(
            tuple(self._names[name] for name in self.required),
            tuple(self._names[name] for name in self.optional),
            tuple(dict.fromkeys(base)),
            own,
        )

    def _argument(self, of: str, order: int, marked: str) -> Argument:
        """Shape and meaning of an argument or of a time derivative of it."""
        if marked in self._meant:
            return self._of.own[self._meant[marked]]
        if of in self._meant:
            base = self._of.own[self._meant[of]]
            return base.rate(order, base.doc)
        return argument(marked)

    def _named(self) -> dict[str, str]:
        """Names that calls use, by marked names."""
        known = (*self._of.arguments, *self._of.optional)
        names = {name: name for name in known if name not in self._marks} | self._meant
        for marked in (*self.required, *self.optional):
            if marked not in names:
                name, of = self._meaning(marked), (rate_of(marked) or (marked, 0))[0]
                base, first = self._meant.get(of, of), rate_name(of, 1)
                if self._marks.get(f"d{base}", first) != first:  # something else's name
                    name = f"{name.removesuffix(base)}_{base}"
                names[marked] = free_name(name, f"d_{name[1:]}", (*known, *names.values()))
        return names

    def _meaning(self, marked: str) -> str:
        """The name of an argument, or of a rate of it, with the name that a mark stands for."""
        mark = next((mark for mark in self._meant if marked.endswith(mark)), "")
        return marked.removesuffix(mark) + self._meant[mark] if mark else marked


def _with_rates(names: tuple[str, ...], order: int, state_moves: bool) -> tuple[str, ...]:
    """Arguments with their time derivatives: the state in rising order, then the signals."""
    reach: dict[str, list[int]] = {}
    for name in names:
        base, known = rate_of(name) or (name, 0)
        reach.setdefault(base, []).append(known)
    out: list[str] = []
    for base in sorted(reach, key=lambda base: base != "q"):
        further = order if base != "q" or state_moves else 0
        upto = max(reach[base]) + further + 1
        out += [rate_name(base, k) for k in range(min(reach[base]), upto)]
    return tuple(out)


def free_name(name: str, otherwise: str, taken: Iterable[str]) -> str:
    """A name that is not taken."""
    while name in taken:
        name, otherwise = otherwise, f"d_{otherwise}"
    return name
