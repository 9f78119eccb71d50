"""The one primitive, and JAX's rules for it.

Its parameter is an operator, its arguments are arrays of one precision: each has its core shape
last, and before it either the batch that all share, or nothing. Rules lead to operators again, so
that transformations nest as they like.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from jounce.arrays.frameworks.operators import Operator, Shape
from jounce.arrays.jax_adapter import abi, cpu, cuda, handler
from jounce.errors import ModelWarning, warn
from jounce.utils.once import entry

primitive = Primitive("jounce")
primitive.multiple_results = True


def apply(operator: Operator, arrays: Sequence[Any]) -> tuple[Any, ...]:
    """Results of an operator on arrays of one precision, whose leading axes broadcast."""
    cores = operator.inputs
    leading = [x.shape[: x.ndim - len(core)] for x, core in zip(arrays, cores, strict=True)]
    batch = broadcast(leading)
    return _bind(operator, [_spread(x, core, batch) for x, core in zip(arrays, cores, strict=True)])


def broadcast(shapes: Sequence[Shape]) -> Shape:
    """What shapes broadcast to; their sizes may be symbols, where a function is exported."""
    found: Any = shapes[0] if len({*shapes}) == 1 else jnp.broadcast_shapes(*shapes)
    return found


def _spread(x: Any, core: Shape, batch: Shape) -> Any:
    """An array with the batch before its core, or nothing if it is the same for all samples."""
    own = x.shape[: x.ndim - len(core)]
    if own in ((), batch):
        return x
    if math.prod(own) == 1 and math.prod(batch) != 1:
        return jnp.reshape(x, core)
    return jnp.broadcast_to(x, (*batch, *core))


def _bind(operator: Operator, arrays: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(primitive.bind(*_varying(arrays), operator=operator))


def _varying(arrays: Sequence[Any]) -> Sequence[Any]:
    """Arrays that vary over the same axes of a mesh, as inside shard_map their types say."""
    if not any(isinstance(x, Tracer) for x in arrays):
        return arrays
    axes = [_axes(x) for x in arrays]
    every = frozenset().union(*axes)
    return [
        x if own == every else _cast(x, tuple(every - own))
        for x, own in zip(arrays, axes, strict=True)
    ]


def _cast(x: Any, axes: tuple[Any, ...]) -> Any:
    """An array that varies over further axes of a mesh, as a type."""
    lax: Any = jax.lax
    return lax.pcast(x, axes, to="varying") if hasattr(lax, "pcast") else lax.pvary(x, axes)


def _axes(x: Any) -> frozenset[Any]:
    """Axes of a mesh over which an array varies."""
    aval = jax.typeof(x)
    kind = getattr(aval, "manual_axis_type", None)
    return getattr(aval, "vma", frozenset()) if kind is None else kind.varying


def _batch(operator: Operator, arrays: Sequence[Any]) -> Shape:
    """The batch that arguments of the primitive share."""
    leading = (x.shape[: x.ndim - len(c)] for x, c in zip(arrays, operator.inputs, strict=True))
    return max(leading, key=len)


# ------------------------------------------------------------------ values


@primitive.def_impl
def _implementation(*arrays: Any, operator: Operator) -> list[Any]:
    # kept on the operator, so that both can go together
    make = lambda: jax.jit(partial(primitive.bind, operator=operator))  # noqa: E731
    jitted = entry(vars(operator), "_jitted", make)
    with jax.disable_jit(False):  # what is compiled here has no steps to look at
        return jitted(*arrays)


@primitive.def_abstract_eval
def _abstract(*arrays: Any, operator: Operator) -> list[Any]:
    batch = _batch(operator, arrays)
    return [arrays[0].update(shape=(*batch, *x), weak_type=False) for x in operator.outputs]


def _lowered(context: Any, *operands: Any, operator: Operator) -> Any:
    """Lower to a call of the handler on CPUs, after the kernel is compiled."""
    return _called(cpu, context, operands, operator)


def _on_cuda(context: Any, *operands: Any, operator: Operator) -> Any:
    """Lower to a call of the handler on CUDA, after the kernel is compiled for all devices."""
    if abi.version() is None:
        warn(
            f"{operator.title}: Python is called back, which computes on the processor; arrays go"
            " there from CUDA and come back, which is slow",
            ModelWarning,
        )
    return _called(cuda, context, operands, operator)


def _called(by: Any, context: Any, operands: Sequence[Any], operator: Operator) -> Any:
    """Lower to a call of a handler, or of Python if the version of XLA's C API is unknown."""
    char = np.dtype(context.avals_in[0].dtype).char
    version = abi.version()
    if version is None:
        called = mlir.lower_fun(partial(_callback, operator), multiple_results=True)
        return called(context, *operands)
    rule = jax.ffi.ffi_lowering(handler.TARGET)
    key = np.int64(by.add_operator(operator, char, version))
    absent = handler.describe_absent(operator, char, by.CODE)
    return rule(context, *operands, key=key, absent=absent)


def _callback(operator: Operator, *arrays: Any) -> Any:
    """The operator by a call of Python."""
    batch, dtype = _batch(operator, arrays), arrays[0].dtype
    kinds = tuple(jax.ShapeDtypeStruct((*batch, *core), dtype) for core in operator.outputs)
    return jax.pure_callback(lambda *given: operator(*map(np.asarray, given)), kinds, *arrays)


def _elsewhere(context: Any, *operands: Any, operator: Operator) -> Any:
    """Other devices are not served."""
    platforms = ", ".join(context.module_context.platforms)
    raise NotImplementedError(
        f"{operator.title} is compiled for cpu and cuda, and is to be for {platforms}; move its"
        " arguments by jax.device_put to jax.devices('cpu')[0], or set JAX_PLATFORMS=cpu"
    )


mlir.register_lowering(primitive, _elsewhere)
mlir.register_lowering(primitive, _lowered, platform="cpu")
mlir.register_lowering(primitive, _on_cuda, platform="cuda")


# ------------------------------------------------------------------ vmap


def _batched(arrays: Sequence[Any], axes: Sequence[Any], *, operator: Operator) -> Any:
    """One call for all samples: the mapped axis goes before the batch."""
    (size,) = {x.shape[k] for x, k in zip(arrays, axes, strict=True) if k is not None}
    fronted = [x if k is None else jnp.moveaxis(x, k, 0) for x, k in zip(arrays, axes, strict=True)]
    inner = max(
        (
            x.shape[k is not None : x.ndim - len(core)]
            for x, k, core in zip(fronted, axes, operator.inputs, strict=True)
        ),
        key=len,
    )
    found = [
        _mapped(x, k is not None, core, (size, *inner))
        for x, k, core in zip(fronted, axes, operator.inputs, strict=True)
    ]
    results = _bind(operator, found)
    return results, (0,) * len(results)


def _mapped(x: Any, mapped: bool, core: Shape, batch: Shape) -> Any:
    """An argument with the whole batch, or still none."""
    own = x.shape[: x.ndim - len(core)]
    if own in ((), batch):
        return x
    if mapped:  # has the mapped axis, and lacks the batch behind it
        x = jnp.reshape(x, (batch[0], *(1,) * (len(batch) - 1), *core))
    return jnp.broadcast_to(x, (*batch, *core))


batching.primitive_batchers[primitive] = _batched


# ------------------------------------------------------------------ derivatives


def _pushed(primals: Sequence[Any], tangents: Sequence[Any], *, operator: Operator) -> Any:
    """Values and tangents; arguments that do not move cost nothing."""
    values = _bind(operator, primals)
    moving = tuple(k for k, x in enumerate(tangents) if type(x) is not ad.Zero)
    fixed = len(primals) - operator.linear
    if moving[0] >= fixed:  # in these it is its own derivative
        instead = [ad.instantiate_zeros(x) for x in tangents[fixed:]]
        return values, _bind(operator, [*primals[:fixed], *instead])
    found = _bind(operator.jvp(moving), [*primals, *(tangents[k] for k in moving)])
    return values, found


def _transposed(weights: Sequence[Any], *arrays: Any, operator: Operator) -> list[Any]:
    """Weights of the linear arguments from those of the results."""
    fixed = len(arrays) - operator.linear
    wanted = [ad.is_undefined_primal(x) for x in arrays]
    if any(wanted[:fixed]):
        raise ValueError(f"{operator.title} is not linear in all that is asked of its transposed")
    if all(type(x) is ad.Zero for x in weights):
        return [
            ad.Zero(x.aval) if is_wanted else None
            for x, is_wanted in zip(arrays, wanted, strict=True)
        ]
    given = [ad.instantiate_zeros(x) for x in weights]
    found = _bind(operator.transposed, [*arrays[:fixed], *given])
    results: list[Any] = [None] * len(arrays)
    for k, x in enumerate(found, start=fixed):
        if wanted[k]:
            axes = tuple(range(x.ndim - arrays[k].aval.ndim))
            results[k] = jnp.sum(x, axes) if axes else x
    return results


ad.primitive_jvps[primitive] = _pushed
ad.primitive_transposes[primitive] = _transposed
