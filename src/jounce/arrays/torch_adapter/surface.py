"""Functions of robots on tensors: `robot.torch`."""

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
    """Base class for torch.compile: while it traces, attributes are paths for `graphs.call`."""

    _handle: str
    with_tangents: bool

    if not TYPE_CHECKING:  # `declared` lists all names; with this, misspelled ones would pass too

        def __getattr__(self, name: str) -> Any:
            """Return the function or table called `name`."""
            if torch.compiler.is_dynamo_compiling() and not name.startswith("_"):
                return self._in_graph(name)
            return super().__getattr__(name)

    def _in_graph(self, path: str) -> Any:
        """Return the proxy of a path, in code that torch.compile traces."""
        from jounce.arrays.torch_adapter.graphs import InGraph

        return InGraph(self._handle, self.with_tangents, path)


class TorchFunction(_Traceable, Function):
    """A quantity as a function of tensors."""

    def __init__(
        self, quantity: QuantityProtocol, library: Library = LIBRARY, tangents: bool = False
    ) -> None:
        super().__init__(quantity, library, tangents)
        self._handle = quantity.handle  # here, since torch.compile cannot trace it

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Evaluate the quantity; results are tensors."""
        if torch.compiler.is_dynamo_compiling():
            return self._in_graph("")(*args, **named)
        results = self.call_directly(args, named)
        return super().__call__(*args, **named) if results is None else results

    def call_directly(self, args: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
        """Evaluate the quantity for tensors without gradients; None if that does not apply."""
        if options or torch.compiler.is_dynamo_compiling():
            return None
        results = compute_directly(self._operator, args)
        if results is None or len(results) != 1 or self.quantity.returns_tuple:
            return results
        return results[0]

    def bind(
        self, args: tuple[Any, ...], named: Mapping[str, Any]
    ) -> tuple[tuple[Operator, Sequence[Any]], list[int] | None, bool]:
        """Return (operator, tensors), the indices of the results, and whether they are a tuple."""
        if not named and LIBRARY.takes(self._operator, args):
            return (self._operator, args), None, self.quantity.returns_tuple
        return super().bind(args, named)

    @once_property
    def _operator(self) -> Operator:
        """Operator of calls without options."""
        function_operator = operator(self.quantity, tangent=self.with_tangents)
        operations.note(function_operator)
        return function_operator

    def derivative(self, name: str) -> Any:
        """Return a derivative by its name; see `Function.derivative`."""
        if torch.compiler.is_dynamo_compiling():
            return self._in_graph(name)
        return super().derivative(name)

    def choose(self, **options: Any) -> Any:
        """Return the function with options fixed; see `Function.choose`."""
        if torch.compiler.is_dynamo_compiling():
            return self._in_graph("").choose(**options)
        return super().choose(**options)


class TorchSurface(_Traceable, Surface):
    """The quantities of a robot, a frame or a table, as functions of tensors; see `Surface`."""

    def __init__(self, owner: Quantities, tangents: bool = False) -> None:
        self.owner = owner
        self.library = LIBRARY
        self.with_tangents = tangents
        # systems cache their handle; only systems are created in traced code
        self._handle: str = getattr(owner, "handle") if owner.is_system else register_handle(owner)  # noqa: B009

    @property
    def tangent(self) -> TorchSurface:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The same functions with a further velocity (nv,) for each configuration."""
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
        """Simulation of motions step by step, with gradients through all steps.

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

        As `robot.rollout` on tensors. A ModelWarning reports motions that diverge
        to NaN or inf, except inside torch.compile and torch.func and on GPUs.

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
            Store about 2 sqrt(T) states for gradients, and recompute the others.

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
    """`TorchSurface` whose functions take a further velocity for each configuration."""

    def __init__(self, owner: Quantities) -> None:
        super().__init__(owner, tangents=True)

    def gradient(self, q: Any, g: Any) -> Tensor:
        """Convert a gradient in coordinates to one along velocities.

        Parameters
        ----------
        q : Tensor (..., nq)
            Configurations.
        g : Tensor (..., nq)
            Gradients in the coordinates of q.

        Returns
        -------
        Tensor (..., nv)
            Gradients along velocities, N(q)^T g with dq/dt = N(q) v: those in the argument `dq` of
            the functions here, at dq = 0.
        """
        owner: Any = self.owner
        plain: Any = TorchSurface(owner)
        matrix = plain.rates_from_velocity.dv(q, [0.0] * owner.nv)
        title = f"{printable(owner.name)}.torch.tangent.gradient: argument 'g'"
        weights = LIBRARY.array(g, title)
        if tuple(weights.shape[-1:]) != (owner.nq,):
            shape = tuple(weights.shape)
            raise ArgumentError(f"{title} must have shape (..., {owner.nq}), found {shape}")
        return (weights.to(matrix.dtype).unsqueeze(-1) * matrix).sum(
            -2
        )  # not a matrix product, which autocast would round

    def __reduce__(self) -> Any:
        return TorchTangents, (self.owner,)


def surface(robot: Quantities) -> TorchSurface:
    """Return the surface of a robot, which is cached on the robot."""
    if torch.compiler.is_dynamo_compiling():
        return TorchSurface(robot)
    return entry(vars(robot), "torch", lambda: TorchSurface(robot))
