"""Operators as functions of tensors that PyTorch differentiates, batches, compiles and exports.

Tensors that have only values go straight to the kernel, and those with a gradient through
`Applied`, whose derivatives are operators again, so that those of any order come by themselves.
Where PyTorch transforms or captures what is called, `jounce::call` is called instead: an operator
of PyTorch's library, which finds what it computes by a key. Its gradients are those of `Applied`.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy import errstate, ndarray
from torch import Tensor, from_numpy
from torch._functorch.pyfunctorch import retrieve_current_functorch_interpreter
from torch._functorch.utils import enable_single_level_autograd_function
from torch.autograd import forward_ad

from jounce.arrays.frameworks.operators import Operator, Shape
from jounce.arrays.torch_adapter import cuda
from jounce.utils.once import entry

Tensors = tuple[Tensor, ...]

#: What PyTorch has for those who extend it, and no types for.
_core: Any = torch._C
_torch: Any = torch

#: What kernels are compiled for.
PRECISIONS = torch.float64, torch.float32

#: Tensors whose operations nobody watches.
ORDINARY = Tensor, torch.nn.Parameter, torch.nn.Buffer


def compute_directly(operator: Operator, args: Sequence[Any]) -> Tensors | None:
    """Return the results for tensors that have only values, without a look at their shapes.

    None if an argument is something else, if a transform or mode of PyTorch is at work, or if the
    kernel refuses the tensors as they are: `apply` takes more, and arguments that were checked.
    """
    for x in args:
        if type(x) is not Tensor or x.requires_grad or x.dtype not in PRECISIONS:
            return None
    if not (args and undisturbed()):
        return None
    if args[0].is_cuda:
        plan = cuda.plans(operator).get((args[0].dtype, args[0].get_device()))
        return None if plan is None else plan.results(args)
    try:
        with errstate(all="ignore"):  # as `values`
            found = operator.evaluable(*[x.numpy() for x in args])
    except (TypeError, ValueError, RuntimeError):
        return None
    if type(found) is ndarray:  # without another call
        return (from_numpy(found),)
    return tuple(map(tensor, found)) if type(found) is tuple else (tensor(found),)


def apply(operator: Operator, tensors: Sequence[Tensor]) -> Tensors:
    """The results of an operator on tensors of one precision, whose leading axes broadcast."""
    if captured(tensors):
        return tuple(torch.ops.jounce.call(_remembered(operator, for_good=True), list(tensors)))
    if _core._are_functorch_transforms_active():
        return tuple(torch.ops.jounce.call(_remembered(operator), list(tensors)))
    wanted = forward_ad._current_level >= 0
    for x in tensors:
        if _gradients_batched(x):
            return _with_batched_gradients(operator, tensors)
        wanted = wanted or x.requires_grad
    # what torch.func.vjp has kept is wrapped still, though the transform is over
    tensors = [_core._functorch.unwrap_if_dead(x) for x in tensors]
    if wanted and (torch.is_grad_enabled() or forward_ad._current_level >= 0):
        return Applied.apply(operator, *tensors)
    return values(operator, tensors)


def captured(tensors: Sequence[Tensor]) -> bool:
    """Whether PyTorch records what is done with tensors, which may have no values yet."""
    for x in tensors:
        if type(x) not in ORDINARY and _watched(x):
            return True
    return (
        _core._len_torch_dispatch_stack() > 0
        or torch.compiler.is_compiling()
        or _core._is_tracing()
    )


def _watched(x: Tensor) -> bool:
    """Whether a subclass of tensors has operations of its own."""
    kind: Any = type(x)
    return kind.__torch_dispatch__ is not _core._disabled_torch_dispatch_impl


def undisturbed() -> bool:
    """Whether no transform, tangent or mode of PyTorch is at work."""
    return (
        forward_ad._current_level < 0
        and not _core._are_functorch_transforms_active()
        and _core._len_torch_dispatch_stack() == 0
        and not _core._is_tracing()
    )


# ------------------------------------------------------------------ values


def values(operator: Operator, tensors: Sequence[Tensor]) -> Tensors:
    """The results of an operator on tensors that have only values, on the device of these.

    On the CPU, NumPy shares the memory. Overflow and the like are in the results, as PyTorch has
    it, and no warnings of NumPy's.
    """
    if any(x.is_cuda for x in tensors):
        return cuda.values(operator, tensors)
    with errstate(all="ignore"):
        found = operator(*[x.numpy(force=True) for x in tensors])
    return tuple(map(tensor, found))


def tensor(x: Any) -> Tensor:
    """A result of NumPy's as a tensor on the same memory."""
    return from_numpy(x if type(x) is ndarray else np.asarray(x))


# ------------------------------------------------------------------ derivatives


class Applied(_torch.autograd.function._SingleLevelFunction):
    """An operator on tensors, and its derivatives by operators.

    Not a torch.autograd.Function, which would ask functorch what to do: here `jounce::call` has
    been asked before.
    """

    @staticmethod
    def forward(operator: Operator, *tensors: Tensor) -> Tensors:
        """The results, always as a tuple."""
        if _core._are_functorch_transforms_active() or captured(tensors):
            return _one_level_down(operator, tensors)
        return values(operator, tensors)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensors) -> None:
        """Keep the arguments; nobody makes zeros where nothing is wanted."""
        operator, *tensors = inputs
        ctx.operator = operator
        ctx.save_for_backward(*tensors)
        ctx.save_for_forward(*tensors)
        ctx.shapes = [x.shape for x in output]
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx: Any, *weights: Tensor | None) -> tuple[Tensor | None, ...]:
        """Gradients in the arguments that need one."""
        tensors: Tensors = ctx.saved_tensors
        wanted = tuple(k for k in range(len(tensors)) if ctx.needs_input_grad[k + 1])
        if not wanted or all(x is None for x in weights):
            return (None,) * (len(tensors) + 1)
        lam = [
            tensors[0].new_zeros(core).expand(shape) if x is None else x
            for x, core, shape in zip(weights, ctx.operator.outputs, ctx.shapes, strict=True)
        ]
        found = dict(zip(wanted, pulled(ctx.operator, tensors, lam, wanted), strict=True))
        return (None, *(found.get(k) for k in range(len(tensors))))

    @staticmethod
    def jvp(ctx: Any, _: None, *tangents: Tensor | None) -> Tensors:
        """The directional derivative of the results."""
        return pushed(ctx.operator, ctx.saved_tensors, tangents)


def _one_level_down(operator: Operator, tensors: Sequence[Tensor]) -> Tensors:
    """The results as the next transform sees them, which may differentiate too."""
    outer = torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True)
    with outer[0], outer[1], _core._AutoDispatchBelowAutograd():
        return tuple(torch.ops.jounce.call(_remembered(operator), list(tensors)))


def pulled(
    operator: Operator, tensors: Tensors, weights: Sequence[Tensor], wanted: tuple[int, ...]
) -> list[Tensor]:
    """Gradients of the weighted results in the arguments at `wanted`, of their shapes."""
    fixed = len(tensors) - operator.linear
    if wanted[0] >= fixed:  # the results are linear in all of them
        every = apply(operator.transposed, (*tensors[:fixed], *weights))
        found = [every[k - fixed] for k in wanted]
    else:
        found = apply(operator.vjp(wanted), (*tensors, *weights))
    return [x.sum_to_size(tensors[k].shape) for k, x in zip(wanted, found, strict=True)]


def pushed(operator: Operator, tensors: Tensors, tangents: Sequence[Tensor | None]) -> Tensors:
    """The directional derivative of the results; None for arguments that stay."""
    moving = tuple(k for k, x in enumerate(tangents) if x is not None)
    fixed = len(tensors) - operator.linear
    if moving[0] >= fixed:
        steps = [
            torch.zeros_like(x) if t is None else t
            for x, t in zip(tensors[fixed:], tangents[fixed:], strict=True)
        ]
        return apply(operator, (*tensors[:fixed], *steps))
    steps = [x for x in tangents if x is not None]
    return apply(operator.jvp(moving), (*tensors, *steps))


# ------------------------------------------------------------------ batches


def in_front(
    operator: Operator, tensors: Sequence[Tensor], places: Sequence[int | None]
) -> list[Tensor]:
    """Tensors with an axis of vmap, where they have one, before all other batch axes."""
    ranks = [
        x.ndim - len(core) - (place is not None)
        for x, core, place in zip(tensors, operator.inputs, places, strict=True)
    ]
    longest = max(ranks)
    found = []
    for x, rank, place in zip(tensors, ranks, places, strict=True):
        if place is not None:
            moved = x.movedim(place, 0)
            x = moved.reshape(moved.shape[0], *(1,) * (longest - rank), *moved.shape[1:])
        found.append(x)
    return found


def _gradients_batched(x: Tensor) -> bool:
    """Whether a tensor has an axis that torch.autograd put away, as for is_grads_batched=True."""
    return _core._functorch.is_legacy_batchedtensor(x)


#: The level of such an axis, unless there are several.
_OUTERMOST = 1


def _with_batched_gradients(operator: Operator, tensors: Sequence[Tensor]) -> Tensors:
    """A call on such tensors; torch.autograd has a vmap of its own, apart from torch.func's.

    How deep its vmaps are nested PyTorch knows only in the thread that began them, and gradients
    on CUDA are computed in others: so it is seen from the tensors.
    """
    batched = [_gradients_batched(x) for x in tensors]
    unwrapped = [
        _torch._remove_batch_dim(x, _OUTERMOST, 1, 0) if inside else x
        for x, inside in zip(tensors, batched, strict=True)
    ]
    if any(map(_gradients_batched, unwrapped)):  # by a vmap inside another one
        raise NotImplementedError(
            f"{operator.title}: torch.autograd batches gradients of batched gradients, which is not"
            " supported; use torch.func.vmap instead of is_grads_batched or vectorize"
        )
    places = [0 if inside else None for inside in batched]
    found = apply(operator, in_front(operator, unwrapped, places))
    return tuple(_torch._add_batch_dim(x, 0, _OUTERMOST) for x in found)


def leading(operator: Operator, tensors: Sequence[Tensor]) -> Shape:
    """The batch of a call."""
    pairs = zip(tensors, operator.inputs, strict=True)
    return tuple(torch.broadcast_shapes(*(x.shape[: x.ndim - len(core)] for x, core in pairs)))


# ------------------------------------------------------------------ jounce::call

#: Operators by their keys.
_known: weakref.WeakValueDictionary[str, Operator] = weakref.WeakValueDictionary()

#: Those in graphs, which outlive everything.
_kept: dict[str, Operator] = {}

#: Operators of functions that have been called, of which a graph from elsewhere may know the key.
_called: weakref.WeakValueDictionary[int, Operator] = weakref.WeakValueDictionary()


def note(operator: Operator) -> None:
    """Remember that a function has been called, so that graphs from elsewhere find it."""
    entry(_called, id(operator), lambda: operator)


def _remembered(operator: Operator, for_good: bool = False) -> str:
    """The operator's key, by which it is found from now on."""
    key = operator.key
    found = entry(_known, key, lambda: operator)  # two robots may be one
    if for_good:
        entry(_kept, key, lambda: found)
    return key


def _recalled(key: str) -> Operator:
    """The operator of a key."""
    found = _known.get(key)
    if found is not None:
        return found
    for operator in list(_called.values()):
        if key.startswith(operator.label) and operator.key == key:
            _remembered(operator, for_good=True)
            return operator
    raise RuntimeError(
        f"a graph calls '{key}', which does not exist in this process; load the robot and call the"
        " same function of robot.torch once before the graph runs"
    )


def _on_values(key: str, inputs: list[Tensor]) -> list[Tensor]:
    return list(values(_recalled(key), inputs))


def _with_gradients(key: str, inputs: list[Tensor]) -> list[Tensor]:
    with enable_single_level_autograd_function():
        return list(Applied.apply(_recalled(key), *inputs))


_BATCHED = _core.DispatchKeySet(_core.DispatchKey.FuncTorchBatched)


def _batched(key: str, inputs: list[Tensor]) -> list[Tensor]:
    """One call for the whole batch of a vmap, as torch.library.register_vmap has it made."""
    level, operator = retrieve_current_functorch_interpreter().level(), _recalled(key)
    pairs = [_core._functorch._unwrap_batched(x, level) for x in inputs]
    with _core._ExcludeDispatchKeyGuard(_BATCHED):
        found = apply(operator, in_front(operator, *zip(*pairs, strict=True)))
    if all(place is None for _, place in pairs):
        return list(found)
    return [_core._functorch._add_batch_dim(x, 0, level) for x in found]


def _without_values(key: str, inputs: list[Tensor]) -> list[Tensor]:
    operator = _recalled(key)
    batch = leading(operator, inputs)
    return [inputs[0].new_empty((*batch, *core)) for core in operator.outputs]


_library = torch.library.Library("jounce", "DEF")
_library.define("call(str key, Tensor[] inputs) -> Tensor[]", tags=torch.Tag.pt2_compliant_tag)
_library.impl("call", _on_values, "CPU")
_library.impl("call", _on_values, "CUDA")
_library.impl("call", _with_gradients, "Autograd")
_library.impl("call", _batched, "FuncTorchBatched")
torch.library.register_fake("jounce::call", _without_values, lib=_library)
