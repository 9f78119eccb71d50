"""A robot as PyTorch sees it: `robot.torch`."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import forward_ad

from jounce.frameworks.library import Library
from jounce.frameworks.operators import operator
from jounce.frameworks.surface import Function, Surface
from jounce.process.once import entry, lock_of, once_property
from jounce.quantities.quantity import Evaluable
from jounce.quantities.tables import Quantities
from jounce.torch import operations
from jounce.torch.library import LIBRARY

_PRECISIONS = torch.float64, torch.float32


class TorchFunction(Function):
    """A quantity as a function of tensors."""

    def __init__(
        self, quantity: Evaluable, library: Library = LIBRARY, tangents: bool = False
    ) -> None:
        super().__init__(quantity, library, tangents)

    def __call__(self, *args: Any, **named: Any) -> Any:
        """The quantity's results, as tensors."""
        if torch.compiler.is_dynamo_compiling():
            return self._in_graph("")(*args, **named)
        if not named and _just_values(args):
            found = self._directly(args)
            if found is not None:
                return found
        return super().__call__(*args, **named)

    def _directly(self, args: tuple[Tensor, ...]) -> Any:
        """The call without a detour, or None if it is not that simple, as the long way will say."""
        evaluable, count = self._direct
        if len(args) != count:
            return None
        try:
            found = evaluable(*[x.numpy() for x in args])
        except (TypeError, ValueError, RuntimeError):
            return None
        if type(found) is tuple:
            return tuple(map(operations.tensor, found))
        one = operations.tensor(found)
        return (one,) if self._quantity._several else one

    def __getattr__(self, name: str) -> Any:
        if torch.compiler.is_dynamo_compiling() and not name.startswith("_"):
            return self._in_graph(name)
        return super().__getattr__(name)

    def derivative(self, name: str) -> Any:
        """The derivative called `name`, such as "dq" or "rates(2)"."""
        if torch.compiler.is_dynamo_compiling():
            return self._in_graph(name)
        return super().derivative(name)

    def choose(self, **options: Any) -> Any:
        """The same quantity or derivative by the formula that options choose."""
        if torch.compiler.is_dynamo_compiling():
            return self._in_graph("").choose(**options)
        return super().choose(**options)

    def _in_graph(self, path: str) -> Any:
        """What is called `path` here, in code that torch.compile looks at."""
        from jounce.torch.graphs import InGraph, handle

        return InGraph(handle(self._quantity), self._tangents, path)

    @once_property
    def _direct(self) -> tuple[Evaluable, int]:
        """What is called with all arguments that must be given, and how many these are."""
        found = operator(self._quantity, tangent=self._tangents)
        operations.seen.add(found)
        return found.evaluable, len(found.arguments)


def _just_values(args: tuple[Any, ...]) -> bool:
    """Whether arguments are tensors that nobody differentiates, batches or captures."""
    for x in args:
        if type(x) is not Tensor or x.requires_grad or x.dtype not in _PRECISIONS:
            return False
    return operations.undisturbed()


class TorchSurface(Surface):
    """The quantities of a robot, a frame or a table, as functions of PyTorch's tensors."""

    def __init__(self, owner: Quantities, tangents: bool = False) -> None:
        self._owner = owner
        self._library = LIBRARY
        self._tangents = tangents

    def __getattr__(self, name: str) -> Any:
        if torch.compiler.is_dynamo_compiling() and not name.startswith("_"):
            return self._in_graph(name)
        return super().__getattr__(name)

    @property
    def tangent(self) -> TorchSurface:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The same functions, each with a velocity (nv,) per configuration as a last argument."""
        if torch.compiler.is_dynamo_compiling():
            return TorchSurface(self._owner, tangents=True)
        return entry(vars(self), "_tangent", lambda: self._like(self._owner, True), lock_of(self))

    def frame(self, name: str) -> Any:
        """The frame called `name`; see robot.frame_names."""
        if torch.compiler.is_dynamo_compiling():
            return self._in_graph(f"frame({name})")
        return super().frame(name)

    def quantity(self, name: str) -> Any:
        """A quantity or derivative by its name as a string, as robot.quantity takes it."""
        if torch.compiler.is_dynamo_compiling():
            return self._in_graph(name)
        return super().quantity(name)

    def _in_graph(self, path: str) -> Any:
        """What is called `path` here, in code that torch.compile looks at."""
        from jounce.torch.graphs import InGraph, handle

        return InGraph(handle(self._owner), self._tangents, path)

    def _like(self, owner: Quantities, tangents: bool | None = None) -> TorchSurface:
        return TorchSurface(owner, self._tangents if tangents is None else tangents)

    def _function(self, quantity: Evaluable) -> TorchFunction:
        return TorchFunction(quantity, LIBRARY, self._tangents)

    def __reduce__(self) -> Any:
        return TorchSurface, (self._owner, self._tangents)


def surface(robot: Quantities) -> TorchSurface:
    """A robot as PyTorch sees it, kept on the robot itself."""
    if torch.compiler.is_dynamo_compiling():
        return TorchSurface(robot)
    return entry(vars(robot), "torch", lambda: TorchSurface(robot), lock_of(robot))
