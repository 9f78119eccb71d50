"""Calls of quantities with tensors: `robot.inverse_dynamics(q, v, a)`."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import forward_ad

from jounce.arrays.frameworks.kinds import LibraryKind
from jounce.arrays.protocol import QuantityProtocol
from jounce.arrays.torch_adapter import operations
from jounce.arrays.torch_adapter.surface import TorchFunction
from jounce.utils.once import entry


class TorchKind(LibraryKind):
    """Tensors of PyTorch."""

    name = "torch"
    lost = "the gradient of a tensor would be lost"

    def function(self, quantity: QuantityProtocol) -> TorchFunction:
        """Return the function of `robot.torch`."""
        return TorchFunction(quantity)

    def call(self, quantity: QuantityProtocol, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call the function of tensors; see `LibraryKind.call`."""
        results = super().call(quantity, args, named)
        plain = not named and all(type(x) is Tensor and x.is_cuda for x in args)
        if plain and not torch.compiler.is_compiling():
            # the calls of quantities try these first
            entry(quantity.cache, Tensor, lambda: self.function(quantity).call_directly)
        return results

    def objection(self, x: Any) -> str:
        """Return why NumPy cannot read a tensor, or must not; '' if it can."""
        on_cuda = isinstance(x, Tensor) and x.is_cuda
        return f"a tensor is on {x.device}" if on_cuda else super().objection(x)

    def is_traced(self, x: Any) -> bool:
        """Return whether a tensor requires a gradient, or stands for values inside a transform."""
        if not isinstance(x, Tensor):
            return False
        if torch.compiler.is_compiling() or operations.is_captured((x,)):
            return True
        if x.requires_grad and torch.is_grad_enabled():
            return True
        return forward_ad._current_level >= 0 or torch._C._are_functorch_transforms_active()


KIND = TorchKind()
