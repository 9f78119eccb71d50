"""Functions of robots in code that torch.compile looks at.

It looks into what it meets, and must not into what makes and compiles kernels. So a function is
just a name to it: where it comes from, and how it is reached from there. `call`, which it does not
look into, finds and calls the function; what is left in the graph is the operator of `operations`.
"""

from __future__ import annotations

import re
from typing import Any

import torch

from jounce.arrays.bound_quantity import BoundQuantity, follow
from jounce.arrays.choices import from_name
from jounce.arrays.tables import Frame
from jounce.arrays.torch_adapter.surface import TorchFunction
from jounce.catalog.names import Name, parse_name, parse_options
from jounce.utils.handles import resolve_handle

#: A path, and what its end chooses among formulas.
_ENDS_IN_OPTIONS: Any = re.compile(r"(.*?)(?:\(([^()]*=[^()]*)\))?", re.DOTALL)


@torch.compiler.allow_in_graph
def call(name: str, tangents: bool, path: str, *args: Any, **named: Any) -> Any:
    """Call the function that is found from the owner of a handle along a path."""
    return _function(resolve_handle(name), tangents, path)(*args, **named)


def _function(owner: Any, tangents: bool, path: str) -> TorchFunction:
    path, options = _ENDS_IN_OPTIONS.fullmatch(path).groups()  # always matches
    if isinstance(owner, BoundQuantity):
        quantity = _derivative(owner, path)
    else:
        if isinstance(owner, Frame):
            owner, path = owner.robot, f"frame({owner.name}).{path}"
        if not hasattr(owner, "quantity"):
            owner, path = owner.robot, f"{owner.table_name}.{path}"
        quantity = owner.quantity(path)
    if options is not None:
        quantity = from_name(quantity, Name("", options=parse_options(options)))
    return TorchFunction(quantity, tangents=tangents)


def _derivative(quantity: BoundQuantity, path: str) -> BoundQuantity:
    """What is found from a quantity along a path: (OPTION=VALUE, ...).derivative.derivative..."""
    rest = path.removeprefix(".")
    dot = "." if rest and not rest.startswith("(") else ""
    parsed = parse_name(f"quantity{dot}{rest}")
    return follow(from_name(quantity, parsed), parsed.steps)


class InGraph:
    """What is found at the end of a path: a frame, a table, or a function."""

    def __init__(self, name: str, tangents: bool, path: str) -> None:
        self._name = name
        self.with_tangents = tangents
        self._path = path

    def _follow(self, step: str) -> InGraph:
        return InGraph(self._name, self.with_tangents, f"{self._path}{step}")

    def __getattr__(self, name: str) -> InGraph:
        return self._follow(f".{name}")

    def frame(self, name: str) -> InGraph:
        """A frame of a table."""
        return self._follow(f".frame({name})")

    def derivative(self, name: str) -> InGraph:
        """A derivative by its name."""
        return self._follow(f".{name}")

    def rates(self, order: int) -> InGraph:
        """Value and time derivatives."""
        return self._follow(f".rates({order})")

    def choose(self, **options: Any) -> InGraph:
        """The formula that options choose."""
        text = ", ".join(f"{key}={value}" for key, value in options.items())
        return self._follow(f"({text})") if options else self

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call the function."""
        return call(self._name, self.with_tangents, self._path, *args, **named)
