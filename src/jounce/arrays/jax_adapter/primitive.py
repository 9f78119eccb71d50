"""The JAX primitive of all operators, and its rules.

Its parameter is an operator, its arguments are arrays of one precision: each has its core shape
last, and before it the common batch or nothing. Rules bind operators again, so that transformations
nest to any depth.
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
    """Apply an operator to arrays of one precision, whose leading axes broadcast."""
    cores = operator.inputs
    leading = [x.shape[: x.ndim - len(core)] for x, core in zip(arrays, cores, strict=True)]
    batch = broadcast(leading)
    return _bind(
        operator, [_broadcast_batch(x, core, batch) for x, core in zip(arrays, cores, strict=True)]
    )


def broadcast(shapes: Sequence[Shape]) -> Shape:
    """Broadcast shapes, whose sizes may be symbols if a function is exported."""
    batch: Any = shapes[0] if len({*shapes}) == 1 else jnp.broadcast_shapes(*shapes)
    return batch


def _broadcast_batch(x: Any, core: Shape, batch: Shape) -> Any:
    """Broadcast an array to the batch; without leading axes if it is equal for all samples."""
    leading = x.shape[: x.ndim - len(core)]
    if leading in ((), batch):
        return x
    if math.prod(leading) == 1 and math.prod(batch) != 1:
        return jnp.reshape(x, core)
    return jnp.broadcast_to(x, (*batch, *core))


def _bind(operator: Operator, arrays: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(primitive.bind(*_varying(arrays), operator=operator))


def _varying(arrays: Sequence[Any]) -> Sequence[Any]:
    """Cast arrays inside shard_map to vary over the same axes of the mesh."""
    if not any(isinstance(x, Tracer) for x in arrays):
        return arrays
    axes = [_axes(x) for x in arrays]
    all_axes = frozenset().union(*axes)
    return [
        x if varying == all_axes else _cast(x, tuple(all_axes - varying))
        for x, varying in zip(arrays, axes, strict=True)
    ]


def _cast(x: Any, axes: tuple[Any, ...]) -> Any:
    """Cast an array to vary over further axes of a mesh."""
    lax: Any = jax.lax
    return lax.pcast(x, axes, to="varying") if hasattr(lax, "pcast") else lax.pvary(x, axes)


def _axes(x: Any) -> frozenset[Any]:
    """Return the axes of a mesh over which an array varies."""
    aval = jax.typeof(x)
    kind = getattr(aval, "manual_axis_type", None)
    return getattr(aval, "vma", frozenset()) if kind is None else kind.varying


def _batch(operator: Operator, arrays: Sequence[Any]) -> Shape:
    """Return the common batch of the arguments of the primitive."""
    leading = (x.shape[: x.ndim - len(c)] for x, c in zip(arrays, operator.inputs, strict=True))
    return max(leading, key=len)


# ------------------------------------------------------------------ values


@primitive.def_impl
def _implementation(*arrays: Any, operator: Operator) -> list[Any]:
    # cached on the operator, so that both are freed together
    make = lambda: jax.jit(partial(primitive.bind, operator=operator))  # noqa: E731
    jitted = entry(vars(operator), "_jitted", make)
    with jax.disable_jit(False):  # a single primitive has no steps to debug
        return jitted(*arrays)


@primitive.def_abstract_eval
def _abstract(*arrays: Any, operator: Operator) -> list[Any]:
    batch = _batch(operator, arrays)
    return [arrays[0].update(shape=(*batch, *x), weak_type=False) for x in operator.outputs]


def _lower_to_cpu(context: Any, *operands: Any, operator: Operator) -> Any:
    """Lower to a call of the handler on CPUs, after the kernel is compiled."""
    return _lower_to_handler(cpu, context, operands, operator)


def _lower_to_cuda(context: Any, *operands: Any, operator: Operator) -> Any:
    """Lower to a call of the handler on CUDA, after the kernel is compiled for all devices."""
    if abi.version() is None:
        warn(
            f"{operator.title}: kernels are called through Python and run on the CPU; arrays are"
            " copied from CUDA and back, which is slow",
            ModelWarning,
        )
    return _lower_to_handler(cuda, context, operands, operator)


def _lower_to_handler(
    module: Any, context: Any, operands: Sequence[Any], operator: Operator
) -> Any:
    """Lower to a call of a handler, or of Python if the version of XLA's C API is unknown."""
    char = np.dtype(context.avals_in[0].dtype).char
    version = abi.version()
    if version is None:
        lower = mlir.lower_fun(partial(_callback, operator), multiple_results=True)
        return lower(context, *operands)
    rule = jax.ffi.ffi_lowering(handler.TARGET)
    key = np.int64(module.add_operator(operator, char, version))
    absent = handler.describe_absent(operator, char, module.CODE)
    return rule(context, *operands, key=key, absent=absent)


def _callback(operator: Operator, *arrays: Any) -> Any:
    """Call an operator through Python."""
    batch, dtype = _batch(operator, arrays), arrays[0].dtype
    kinds = tuple(jax.ShapeDtypeStruct((*batch, *core), dtype) for core in operator.outputs)
    return jax.pure_callback(lambda *values: operator(*map(np.asarray, values)), kinds, *arrays)


def _refuse_platform(context: Any, *operands: Any, operator: Operator) -> Any:
    """Raise NotImplementedError for other platforms."""
    platforms = ", ".join(context.module_context.platforms)
    raise NotImplementedError(
        f"{operator.title} runs on cpu and cuda, found platform {platforms}; move its arguments"
        " with jax.device_put to jax.devices('cpu')[0], or set JAX_PLATFORMS=cpu"
    )


mlir.register_lowering(primitive, _refuse_platform)
mlir.register_lowering(primitive, _lower_to_cpu, platform="cpu")
mlir.register_lowering(primitive, _lower_to_cuda, platform="cuda")


# ------------------------------------------------------------------ vmap


def _batch_rule(arrays: Sequence[Any], axes: Sequence[Any], *, operator: Operator) -> Any:
    """Rule for vmap: put the mapped axis before the batch, and bind once."""
    (size,) = {x.shape[k] for x, k in zip(arrays, axes, strict=True) if k is not None}
    fronted = [x if k is None else jnp.moveaxis(x, k, 0) for x, k in zip(arrays, axes, strict=True)]
    inner = max(
        (
            x.shape[k is not None : x.ndim - len(core)]
            for x, k, core in zip(fronted, axes, operator.inputs, strict=True)
        ),
        key=len,
    )
    arguments = [
        _broadcast_mapped(x, k is not None, core, (size, *inner))
        for x, k, core in zip(fronted, axes, operator.inputs, strict=True)
    ]
    results = _bind(operator, arguments)
    return results, (0,) * len(results)


def _broadcast_mapped(x: Any, mapped: bool, core: Shape, batch: Shape) -> Any:
    """Broadcast an argument to the batch with the mapped axis, unless it has no batch."""
    leading = x.shape[: x.ndim - len(core)]
    if leading in ((), batch):
        return x
    if mapped:  # has the mapped axis, but not the batch axes after it
        x = jnp.reshape(x, (batch[0], *(1,) * (len(batch) - 1), *core))
    return jnp.broadcast_to(x, (*batch, *core))


batching.primitive_batchers[primitive] = _batch_rule


# ------------------------------------------------------------------ derivatives


def _jvp_rule(primals: Sequence[Any], tangents: Sequence[Any], *, operator: Operator) -> Any:
    """Rule for jvp: values, and tangents in the arguments that have one."""
    values = _bind(operator, primals)
    moving = tuple(k for k, x in enumerate(tangents) if type(x) is not ad.Zero)
    fixed = len(primals) - operator.linear
    if moving[0] >= fixed:  # linear in these: it is its own derivative
        directions = [ad.instantiate_zeros(x) for x in tangents[fixed:]]
        return values, _bind(operator, [*primals[:fixed], *directions])
    derivatives = _bind(operator.jvp(moving), [*primals, *(tangents[k] for k in moving)])
    return values, derivatives


def _transpose_rule(weights: Sequence[Any], *arrays: Any, operator: Operator) -> list[Any]:
    """Rule for the transpose: cotangents of the linear arguments."""
    fixed = len(arrays) - operator.linear
    wanted = [ad.is_undefined_primal(x) for x in arrays]
    if any(wanted[:fixed]):
        raise ValueError(
            f"{operator.title}: cannot transpose in arguments in which it is not linear"
        )
    if all(type(x) is ad.Zero for x in weights):
        return [
            ad.Zero(x.aval) if is_wanted else None
            for x, is_wanted in zip(arrays, wanted, strict=True)
        ]
    cotangents = [ad.instantiate_zeros(x) for x in weights]
    gradients = _bind(operator.transpose, [*arrays[:fixed], *cotangents])
    results: list[Any] = [None] * len(arrays)
    for k, x in enumerate(gradients, start=fixed):
        if wanted[k]:
            axes = tuple(range(x.ndim - arrays[k].aval.ndim))
            results[k] = jnp.sum(x, axes) if axes else x
    return results


ad.primitive_jvps[primitive] = _jvp_rule
ad.primitive_transposes[primitive] = _transpose_rule
