"""Tensors given to a robot's quantities directly: `robot.inverse_dynamics(q, v, a)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.autograd import forward_ad

from jounce.process.once import entry, lock_of
from jounce.quantities.quantity import Evaluable
from jounce.quantities.signatures import OPTIONS
from jounce.torch import operations
from jounce.torch.surface import TorchFunction


class TorchKind:
    """PyTorch's tensors."""

    name = "torch"

    def called(self, quantity: Evaluable, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """What robot.torch gives; with NumPy's options the values, as NumPy's arrays."""
        refused = [name for name in named if name in OPTIONS and named[name] is not OPTIONS[name]]
        if not refused:
            return function(quantity)(*args, **named)
        if any(self.traced(x) for x in _parts((*args, *named.values()))):
            raise TypeError(
                f"{quantity._title}: '{refused[0]}' is NumPy's, and the gradient of a tensor would"
                " be lost; leave it away, or give .detach() of the tensors"
            )
        return quantity._on_numbers(args, named)

    def traced(self, x: Any) -> bool:
        """Whether a tensor has a gradient, or is one that PyTorch makes while it looks at code."""
        if not isinstance(x, Tensor):
            return False
        if torch.compiler.is_compiling() or operations.captured((x,)):
            return True
        if x.requires_grad and torch.is_grad_enabled():
            return True
        return forward_ad._current_level >= 0 or torch._C._are_functorch_transforms_active()


def function(quantity: Evaluable) -> TorchFunction:
    """A quantity on tensors, made once."""
    make = lambda: TorchFunction(quantity)  # noqa: E731
    return entry(vars(quantity), "_on_tensors", make, lock_of(quantity))


def _parts(given: tuple[Any, ...]) -> Iterator[Any]:
    """Arguments, and those that are given by frame."""
    for x in given:
        yield from x.values() if isinstance(x, Mapping) else (x,)


KIND = TorchKind()
