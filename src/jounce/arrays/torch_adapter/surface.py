"""A robot as PyTorch sees it: `robot.torch`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from jounce.arrays.frameworks.library import Library
from jounce.arrays.frameworks.operators import Operator, operator
from jounce.arrays.frameworks.surface import Function, Surface
from jounce.arrays.protocol import QuantityProtocol
from jounce.arrays.tables import Quantities
from jounce.arrays.torch_adapter import operations, rollout
from jounce.arrays.torch_adapter.library import LIBRARY
from jounce.arrays.torch_adapter.operations import compute_directly
from jounce.arrays.torch_adapter.rollout import Policy
from jounce.errors import ArgumentError, explain_call, printable
from jounce.utils.handles import register_handle
from jounce.utils.once import entry, once_property


class _Traceable:
    """What torch.compile takes for a name: its attributes are paths that `graphs.call` follows."""

    _handle: str
    with_tangents: bool

    if not TYPE_CHECKING:  # `declared` lists all names; with this, misspelled ones would pass too

        def __getattr__(self, name: str) -> Any:
            """The function or table called `name`."""
            if torch.compiler.is_dynamo_compiling() and not name.startswith("_"):
                return self._in_graph(name)
            return super().__getattr__(name)

    def _in_graph(self, path: str) -> Any:
        """Return what is called `path` here, in code that torch.compile looks at."""
        from jounce.arrays.torch_adapter.graphs import InGraph

        return InGraph(self._handle, self.with_tangents, path)


class TorchFunction(_Traceable, Function):
    """A quantity as a function of tensors."""

    def __init__(
        self, quantity: QuantityProtocol, library: Library = LIBRARY, tangents: bool = False
    ) -> None:
        super().__init__(quantity, library, tangents)
        self._handle = quantity.handle  # made here, since torch.compile cannot look into that

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Compute the quantity's results, as tensors."""
        if torch.compiler.is_dynamo_compiling():
            return self._in_graph("")(*args, **named)
        if not named:
            results = compute_directly(self._operator, args)
            if results is not None:
                return results if len(results) != 1 or self.quantity.returns_tuple else results[0]
        return super().__call__(*args, **named)

    def bind(
        self, args: tuple[Any, ...], named: Mapping[str, Any]
    ) -> tuple[tuple[Operator, Sequence[Any]], list[int] | None, bool]:
        """The operator of a call with its tensors, the results asked for, and whether a tuple."""
        if not named and LIBRARY.takes(self._operator, args):
            return (self._operator, args), None, self.quantity.returns_tuple
        return super().bind(args, named)

    @once_property
    def _operator(self) -> Operator:
        """The operator of a call without options."""
        found = operator(self.quantity, tangent=self.with_tangents)
        operations.note(found)
        return found

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


class TorchSurface(_Traceable, Surface):
    """The quantities of a robot, a frame or a table, as functions of PyTorch's tensors."""

    def __init__(self, owner: Quantities, tangents: bool = False) -> None:
        self.owner = owner
        self.library = LIBRARY
        self.with_tangents = tangents
        # systems, the only ones that are met in code torch.compile looks at, have theirs
        self._handle: str = getattr(owner, "handle") if owner.is_system else register_handle(owner)  # noqa: B009

    @property
    def tangent(self) -> TorchSurface:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The same functions, each with a velocity (nv,) per configuration as a last argument."""
        if torch.compiler.is_dynamo_compiling():
            return TorchTangents(self.owner)
        return entry(vars(self), "_tangent", lambda: self._like(self.owner, True))

    def _frame(self, name: str) -> Any:
        compiling = torch.compiler.is_dynamo_compiling()
        return self._in_graph(f"frame({name})") if compiling else super()._frame(name)

    def _quantity(self, name: str) -> Any:
        compiling = torch.compiler.is_dynamo_compiling()
        return self._in_graph(name) if compiling else super()._quantity(name)

    @property
    def rollout(self) -> Callable[..., tuple[Tensor, Tensor]]:
        """Motions, one step after the other, with gradients through all steps.

        `rollout(q0, v0, taus, h)` returns configurations (..., T + 1, nq) and velocities
        (..., T + 1, nv); `help(robot.torch.rollout)` lists all arguments.
        """
        if not hasattr(type(self.owner), "rollout"):
            raise AttributeError(f"{self!r} has no 'rollout'; robots and mechanisms have one")
        return self._rollout

    @property
    def _title(self) -> str:
        owner: Any = self.owner
        return f"{owner.name}.torch"

    @explain_call
    def _rollout(
        self,
        q0: Any,
        v0: Any,
        taus: Any = None,
        h: Any = None,
        wrenches: Any = None,
        *,
        policy: Policy | None = None,
        steps: int | None = None,
        method: str = "euler",
        friction: bool = False,
        checkpoint: bool = False,
    ) -> tuple[Tensor, Tensor]:
        """Simulate a motion step by step, with gradients through all steps.

        As `robot.rollout` on tensors. A ModelWarning reports motions that
        diverge to NaN or inf, except inside torch.compile and torch.func and on GPUs.

        Parameters
        ----------
        q0, v0 : tensor (..., nq), (..., nv)
            State at the start.
        taus : tensor (..., T, nv)
            Generalized forces, each held for a step.
        h : tensor (...)
            Length of a step in seconds.
        wrenches : tensor (..., T, nb, 6) or {frame: (..., T, 6)}
            Wrenches on the bodies, each held for a step.
        policy : callable
            Instead of `taus`: a function or module policy(k, q, v) that returns the forces (...,
            nv) in the state before step k.
        steps : int
            Number of steps, with a policy.
        method, friction
            Options of `robot.step`.
        checkpoint : bool
            Keep only about 2 sqrt(T) states for the gradients, and compute the others again.

        Returns
        -------
        tuple of two tensors
            Configurations (..., T + 1, nq) and velocities (..., T + 1, nv), those at the start
            first.
        """
        owner: Any = self.owner
        title = f"{printable(owner.name)}.torch.rollout"
        values = q0, v0, taus, h, wrenches
        plain = TorchSurface(owner) if self.with_tangents else self
        step = plain.quantity("step").choose(method=method, friction=friction)
        return rollout.roll_out(title, owner, step, values, policy, steps, checkpoint)

    def _like(self, owner: Quantities, tangents: bool | None = None) -> TorchSurface:
        with_tangents = self.with_tangents if tangents is None else tangents
        if with_tangents and owner.is_system:
            return TorchTangents(owner)
        return TorchSurface(owner, with_tangents)

    def _function(self, quantity: QuantityProtocol) -> TorchFunction:
        return TorchFunction(quantity, LIBRARY, self.with_tangents)

    def __reduce__(self) -> Any:
        return TorchSurface, (self.owner, self.with_tangents)


class TorchTangents(TorchSurface):
    """A robot's functions with a velocity after the arguments of each that moves q first."""

    def __init__(self, owner: Quantities) -> None:
        super().__init__(owner, tangents=True)

    def gradient(self, q: Any, g: Any) -> Tensor:
        """Gradients g (..., nq) in the entries of q as those along velocities, (..., nv).

        That is, in `dq` of the functions here at dq = 0.
        """
        owner: Any = self.owner
        plain: Any = TorchSurface(owner)
        matrix = plain.rates_from_velocity.dv(q, [0.0] * owner.nv)
        title = f"{printable(owner.name)}.torch.tangent.gradient: argument 'g'"
        weights = LIBRARY.array(g, title)
        if tuple(weights.shape[-1:]) != (owner.nq,):
            found = tuple(weights.shape)
            raise ArgumentError(f"{title} must have shape (..., {owner.nq}), found {found}")
        return (weights.to(matrix.dtype).unsqueeze(-1) * matrix).sum(-2)  # no product: autocast

    def __reduce__(self) -> Any:
        return TorchTangents, (self.owner,)


def surface(robot: Quantities) -> TorchSurface:
    """A robot as PyTorch sees it, kept on the robot itself."""
    if torch.compiler.is_dynamo_compiling():
        return TorchSurface(robot)
    return entry(vars(robot), "torch", lambda: TorchSurface(robot))
