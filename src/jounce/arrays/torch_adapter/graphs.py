"""Functions of robots in code that torch.compile traces.

torch.compile must not trace the code that creates and compiles kernels. Therefore a function is
represented by strings: the handle of its owner and a path of attributes. `call`, which is opaque to
the tracer, finds and calls the function; the graph contains the operator of `operations`.
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

#: A path, and the options at its end.
_ENDS_IN_OPTIONS: Any = re.compile(r"(.*?)(?:\(([^()]*=[^()]*)\))?", re.DOTALL)


@torch.compiler.allow_in_graph
def call(name: str, tangents: bool, path: str, *args: Any, **named: Any) -> Any:
    """Call the function at a path from the owner of a handle."""
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
    """Return the derivative of a quantity at a path: (OPTION=VALUE, ...).derivative..."""
    steps = path.removeprefix(".")
    dot = "." if steps and not steps.startswith("(") else ""
    parsed = parse_name(f"quantity{dot}{steps}")
    return follow(from_name(quantity, parsed), parsed.steps)


class InGraph:
    """Proxy of a frame, table or function in a traced graph, given by its path."""

    def __init__(self, name: str, tangents: bool, path: str) -> None:
        self._name = name
        self.with_tangents = tangents
        self._path = path

    def _follow(self, step: str) -> InGraph:
        return InGraph(self._name, self.with_tangents, f"{self._path}{step}")

    def __getattr__(self, name: str) -> InGraph:
        return self._follow(f".{name}")

    def frame(self, name: str) -> InGraph:
        """Return a frame of a table."""
        return self._follow(f".frame({name})")

    def derivative(self, name: str) -> InGraph:
        """Return a derivative by its name."""
        return self._follow(f".{name}")

    def rates(self, order: int) -> InGraph:
        """Return the value and its time derivatives up to an order."""
        return self._follow(f".rates({order})")

    def choose(self, **options: Any) -> InGraph:
        """Return the function with options fixed."""
        text = ", ".join(f"{key}={value}" for key, value in options.items())
        return self._follow(f"({text})") if options else self

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call the function."""
        return call(self._name, self.with_tangents, self._path, *args, **named)
