"""Operators as functions of tensors, for autograd, torch.func, torch.compile and torch.export.

Tensors without gradients are passed to the kernel directly, those with gradients through `Applied`,
whose derivatives are operators again, to any order. Under transforms and graph capture the custom
operator `jounce::call` is called instead, which looks up the operator by a key; its gradients are
those of `Applied`.
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

#: Untyped extension interface of PyTorch.
_core: Any = torch._C
_torch: Any = torch

#: Precisions of kernels.
PRECISIONS = torch.float64, torch.float32

#: Types of tensors without custom dispatch.
ORDINARY = Tensor, torch.nn.Parameter, torch.nn.Buffer


def compute_directly(operator: Operator, args: Sequence[Any]) -> Tensors | None:
    """Fast path: compute plain tensors without gradients, without checks of their shapes.

    None if an argument is something else, if a transform or mode of PyTorch is active, or if the
    kernel refuses the tensors; `apply` handles these cases for checked arguments.
    """
    if not (args and is_eager()):
        return None
    if type(args[0]) is Tensor and args[0].is_cuda:
        results = cuda.compute(operator, args)
        if results is not None:
            return results
    for x in args:
        if type(x) is not Tensor or x.requires_grad or x.dtype not in PRECISIONS:
            return None
    if args[0].is_cuda:
        plan = cuda.plans(operator).get((args[0].dtype, args[0].get_device()))
        return None if plan is None else plan.results(args)
    try:
        with errstate(all="ignore"):  # as in `values`
            results = operator.evaluable(*[x.numpy() for x in args])
    except (TypeError, ValueError, RuntimeError):
        return None
    if type(results) is ndarray:  # saves a call
        return (from_numpy(results),)
    return tuple(map(tensor, results)) if type(results) is tuple else (tensor(results),)


def apply(operator: Operator, tensors: Sequence[Tensor]) -> Tensors:
    """Apply an operator to tensors of one precision, whose leading axes broadcast."""
    if is_captured(tensors):
        return tuple(
            torch.ops.jounce.call(_register_operator(operator, for_good=True), list(tensors))
        )
    if _core._are_functorch_transforms_active():
        return tuple(torch.ops.jounce.call(_register_operator(operator), list(tensors)))
    wanted = forward_ad._current_level >= 0
    for x in tensors:
        if _has_batched_gradient(x):
            return _with_batched_gradients(operator, tensors)
        wanted = wanted or x.requires_grad
    # tensors saved by torch.func.vjp are still wrapped after the transform has ended
    tensors = [_core._functorch.unwrap_if_dead(x) for x in tensors]
    if wanted and (torch.is_grad_enabled() or forward_ad._current_level >= 0):
        return Applied.apply(operator, *tensors)
    return values(operator, tensors)


def is_captured(tensors: Sequence[Tensor]) -> bool:
    """Return whether PyTorch records operations on tensors, which may have no values yet."""
    for x in tensors:
        if type(x) not in ORDINARY and _has_dispatch(x):
            return True
    return (
        _core._len_torch_dispatch_stack() > 0
        or torch.compiler.is_compiling()
        or _core._is_tracing()
    )


def _has_dispatch(x: Tensor) -> bool:
    """Return whether a subclass of Tensor defines its own dispatch."""
    kind: Any = type(x)
    return kind.__torch_dispatch__ is not _core._disabled_torch_dispatch_impl


def is_eager() -> bool:
    """Return whether no transform, forward-mode level or dispatch mode of PyTorch is active."""
    return (
        forward_ad._current_level < 0
        and not _core._are_functorch_transforms_active()
        and _core._len_torch_dispatch_stack() == 0
        and not _core._is_tracing()
    )


# ------------------------------------------------------------------ values


def values(operator: Operator, tensors: Sequence[Tensor]) -> Tensors:
    """Compute an operator on tensors, ignoring gradients, on their device.

    On the CPU, NumPy shares their memory. Overflow yields inf or NaN without warnings, as in
    PyTorch.
    """
    if any(x.is_cuda for x in tensors):
        return cuda.values(operator, tensors)
    with errstate(all="ignore"):
        results = operator(*[x.numpy(force=True) for x in tensors])
    return tuple(map(tensor, results))


def tensor(x: Any) -> Tensor:
    """Return a NumPy result as a tensor that shares its memory."""
    return from_numpy(x if type(x) is ndarray else np.asarray(x))


# ------------------------------------------------------------------ derivatives


class Applied(_torch.autograd.function._SingleLevelFunction):
    """Autograd function of an operator; its derivatives are operators.

    Not a torch.autograd.Function, since that dispatches to functorch, which `jounce::call` has
    already done here.
    """

    @staticmethod
    def forward(operator: Operator, *tensors: Tensor) -> Tensors:
        """Compute the results as a tuple."""
        if _core._are_functorch_transforms_active() or is_captured(tensors):
            return _one_level_down(operator, tensors)
        return values(operator, tensors)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensors) -> None:
        """Save the arguments; missing gradients stay None instead of zeros."""
        operator, *tensors = inputs
        ctx.operator = operator
        ctx.save_for_backward(*tensors)
        ctx.save_for_forward(*tensors)
        ctx.shapes = [x.shape for x in output]
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx: Any, *weights: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return gradients in the arguments that require one."""
        tensors: Tensors = ctx.saved_tensors
        wanted = tuple(k for k in range(len(tensors)) if ctx.needs_input_grad[k + 1])
        if not wanted or all(x is None for x in weights):
            return (None,) * (len(tensors) + 1)
        lam = [
            tensors[0].new_zeros(core).expand(shape) if x is None else x
            for x, core, shape in zip(weights, ctx.operator.outputs, ctx.shapes, strict=True)
        ]
        gradients = dict(zip(wanted, pull_back(ctx.operator, tensors, lam, wanted), strict=True))
        return (None, *(gradients.get(k) for k in range(len(tensors))))

    @staticmethod
    def jvp(ctx: Any, _: None, *tangents: Tensor | None) -> Tensors:
        """Return the directional derivative of the results."""
        return push_forward(ctx.operator, ctx.saved_tensors, tangents)


def _one_level_down(operator: Operator, tensors: Sequence[Tensor]) -> Tensors:
    """Compute the results below the current transform; the next one may differentiate, too."""
    outer = torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True)
    with outer[0], outer[1], _core._AutoDispatchBelowAutograd():
        return tuple(torch.ops.jounce.call(_register_operator(operator), list(tensors)))


def pull_back(
    operator: Operator, tensors: Tensors, weights: Sequence[Tensor], wanted: tuple[int, ...]
) -> list[Tensor]:
    """Return gradients of the weighted results in the arguments at `wanted`."""
    fixed = len(tensors) - operator.linear
    if wanted[0] >= fixed:  # the results are linear in all of them
        adjoints = apply(operator.transpose, (*tensors[:fixed], *weights))
        gradients = [adjoints[k - fixed] for k in wanted]
    else:
        gradients = apply(operator.vjp(wanted), (*tensors, *weights))
    return [x.sum_to_size(tensors[k].shape) for k, x in zip(wanted, gradients, strict=True)]


def push_forward(
    operator: Operator, tensors: Tensors, tangents: Sequence[Tensor | None]
) -> Tensors:
    """Return the directional derivative of the results; tangents may be None for zero."""
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


def move_mapped_axes(
    operator: Operator, tensors: Sequence[Tensor], axes: Sequence[int | None]
) -> list[Tensor]:
    """Move the axes of vmap, if any, before all other batch axes."""
    ranks = [
        x.ndim - len(core) - (axis is not None)
        for x, core, axis in zip(tensors, operator.inputs, axes, strict=True)
    ]
    longest = max(ranks)
    arrays = []
    for x, rank, axis in zip(tensors, ranks, axes, strict=True):
        if axis is not None:
            moved = x.movedim(axis, 0)
            x = moved.reshape(moved.shape[0], *(1,) * (longest - rank), *moved.shape[1:])
        arrays.append(x)
    return arrays


def _has_batched_gradient(x: Tensor) -> bool:
    """Return whether a tensor is batched by torch.autograd, as with is_grads_batched=True."""
    return _core._functorch.is_legacy_batchedtensor(x)


#: Level of the outermost vmap of torch.autograd.
_OUTERMOST = 1


def _with_batched_gradients(operator: Operator, tensors: Sequence[Tensor]) -> Tensors:
    """Call an operator on tensors batched by torch.autograd, whose vmap is not that of torch.func.

    The nesting level is read from the tensors: PyTorch stores it only in the thread that started
    the vmap, and gradients on CUDA are computed in other threads.
    """
    batched = [_has_batched_gradient(x) for x in tensors]
    unwrapped = [
        _torch._remove_batch_dim(x, _OUTERMOST, 1, 0) if inside else x
        for x, inside in zip(tensors, batched, strict=True)
    ]
    if any(map(_has_batched_gradient, unwrapped)):  # nested vmaps
        raise NotImplementedError(
            f"{operator.title}: batched gradients of batched gradients are not supported in"
            " torch.autograd; use torch.func.vmap instead of is_grads_batched or vectorize"
        )
    axes = [0 if inside else None for inside in batched]
    results = apply(operator, move_mapped_axes(operator, unwrapped, axes))
    return tuple(_torch._add_batch_dim(x, 0, _OUTERMOST) for x in results)


def leading(operator: Operator, tensors: Sequence[Tensor]) -> Shape:
    """Return the batch shape of a call."""
    pairs = zip(tensors, operator.inputs, strict=True)
    return tuple(torch.broadcast_shapes(*(x.shape[: x.ndim - len(core)] for x, core in pairs)))


# ------------------------------------------------------------------ jounce::call

#: Operators by their keys.
_known: weakref.WeakValueDictionary[str, Operator] = weakref.WeakValueDictionary()

#: Operators in graphs, which may outlive all robots.
_permanent: dict[str, Operator] = {}

#: Operators of called functions, to which graphs of other processes may refer by key.
_called: weakref.WeakValueDictionary[int, Operator] = weakref.WeakValueDictionary()


def note(operator: Operator) -> None:
    """Register a called function, so that graphs of other processes find it."""
    entry(_called, id(operator), lambda: operator)


def _register_operator(operator: Operator, for_good: bool = False) -> str:
    """Register an operator, and return its key; for_good: keep it alive."""
    key = operator.key
    registered = entry(_known, key, lambda: operator)  # equal robots have equal keys
    if for_good:
        entry(_permanent, key, lambda: registered)
    return key


def _find_operator(key: str) -> Operator:
    """Return the operator of a key; RuntimeError if there is none."""
    known = _known.get(key)
    if known is not None:
        return known
    for operator in list(_called.values()):
        if key.startswith(operator.label) and operator.key == key:
            _register_operator(operator, for_good=True)
            return operator
    raise RuntimeError(
        f"a graph calls '{key}', which is unknown in this process; load the robot and call the same"
        " function of robot.torch once before running the graph"
    )


def _on_values(key: str, inputs: list[Tensor]) -> list[Tensor]:
    return list(values(_find_operator(key), inputs))


def _with_gradients(key: str, inputs: list[Tensor]) -> list[Tensor]:
    with enable_single_level_autograd_function():
        return list(Applied.apply(_find_operator(key), *inputs))


_BATCHED = _core.DispatchKeySet(_core.DispatchKey.FuncTorchBatched)


def _call_batched(key: str, inputs: list[Tensor]) -> list[Tensor]:
    """Rule for vmap: one call for the whole batch, as with torch.library.register_vmap."""
    level, operator = retrieve_current_functorch_interpreter().level(), _find_operator(key)
    pairs = [_core._functorch._unwrap_batched(x, level) for x in inputs]
    with _core._ExcludeDispatchKeyGuard(_BATCHED):
        results = apply(operator, move_mapped_axes(operator, *zip(*pairs, strict=True)))
    if all(axis is None for _, axis in pairs):
        return list(results)
    return [_core._functorch._add_batch_dim(x, 0, level) for x in results]


def _without_values(key: str, inputs: list[Tensor]) -> list[Tensor]:
    operator = _find_operator(key)
    batch = leading(operator, inputs)
    return [inputs[0].new_empty((*batch, *core)) for core in operator.outputs]


_library = torch.library.Library("jounce", "DEF")
_library.define("call(str key, Tensor[] inputs) -> Tensor[]", tags=torch.Tag.pt2_compliant_tag)
_library.impl("call", _on_values, "CPU")
_library.impl("call", _on_values, "CUDA")
_library.impl("call", _with_gradients, "Autograd")
_library.impl("call", _call_batched, "FuncTorchBatched")
torch.library.register_fake("jounce::call", _without_values, lib=_library)
