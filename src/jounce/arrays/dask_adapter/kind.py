"""Lazy calls of quantities with Dask arrays: `robot.inverse_dynamics(q, v, a)`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import dask.array as da
import numpy as np
from dask.array.utils import meta_from_array
from dask.base import is_dask_collection

from jounce.arrays.dask_adapter.blocks import Operand, check_array, map_blocks
from jounce.arrays.dask_adapter.tasks import BlockCall, configured_threads
from jounce.arrays.protocol import QuantityProtocol
from jounce.arrays.signatures import OPTIONS
from jounce.arrays.validation import Shape, parse_dtype, plain, precision
from jounce.arrays.wrenches import Key, find_wrench_frame, flatten
from jounce.catalog.elastic import DRIVES
from jounce.errors import ArgumentError, printable
from jounce.model.model import Model

#: Advice for Dask collections other than arrays, by class name.
_REPLACEMENTS = {
    "DataFrame": "a table; convert its columns with .to_dask_array(lengths=True)",
    "Series": "a column; convert it with .to_dask_array(lengths=True)",
    "Delayed": "a delayed value; pass dask.array.from_delayed(x, shape=..., dtype=...)",
    "Bag": "a bag; pass an array, made with dask.array.from_delayed of its partitions",
}


class DaskKind:
    """Dask arrays: results are lazy, and nothing is traced or compiled to build them."""

    name = "dask"

    def is_traced(self, x: Any) -> bool:
        """Return True: reading values would compute the graph."""
        return True

    def call(self, quantity: QuantityProtocol, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Return the results of a quantity as lazy arrays."""
        title, names = quantity.title, quantity.__signature__.parameters
        named = _without_numpy_options(title, named)
        arguments = {**dict(zip(names, args, strict=False)), **named}
        _refuse_collections(title, arguments)
        bound = quantity.bind(args, named)
        if "dtype" in bound.options:
            dtype = parse_dtype(bound.options["dtype"])
        else:
            silent = DRIVES if "stiffness" in quantity.definition.arguments else ()
            dtype = _precision({k: x for k, x in bound.values_by_name.items() if k not in silent})
        cores = dict(zip(bound.names, bound.kernel.inputs, strict=True))
        arguments |= {name: x for name, x in bound.values_by_name.items() if name in arguments}
        values, operands = _split_arguments(title, quantity.robot.model, arguments, cores)
        call = BlockCall(title, quantity, values, configured_threads(), quantity.kernel.limit)
        outputs = bound.kernel.outputs
        outputs = outputs if bound.results is None else [outputs[k] for k in bound.results]
        results = map_blocks(call, operands, outputs, dtype)
        return results if bound.returns_tuple else results[0]

    def roll_out(self, robot: Any, values: dict[str, Any], further: dict[str, Any]) -> Any:
        """Return a rollout as lazy arrays; each block is a rollout over all time steps."""
        title = printable(f"{robot.name}.rollout")
        further = _without_numpy_options(title, further)
        _refuse_collections(title, values)
        taus = values["taus"]
        shape = None if taus is None else np.shape(taus)
        if shape is not None and any(map(math.isnan, shape[-2:])):
            raise ArgumentError(
                f"{title}: argument 'taus' must have shape (..., T, nv), found {shape} with an"
                " unknown number of steps; call its compute_chunk_sizes() first"
            )
        cores = robot.rollout.cores(title, shape, further["policy"], further["steps"])
        if values["h"] is None:
            raise TypeError(f"{title}: argument 'h' is missing, the time step in seconds")
        robot.rollout.check(further["method"], further["friction"], further["limits"])
        values = {name: x for name, x in values.items() if x is not None}
        typed = {k: x for k, x in values.items() if isinstance(x, (da.Array, np.ndarray, Mapping))}
        dtype = _precision(typed)
        # converted here, since Python scalars and lists must not determine the precision
        numbers = {
            name: np.asarray(plain(x, f"{title}: argument '{name}'"), dtype)
            for name, x in values.items()
            if name not in typed
        }
        constants, operands = _split_arguments(
            title, robot.model, values | numbers | further, cores
        )
        call = BlockCall(title, robot.rollout, constants, configured_threads())
        count = cores["taus"][0] + 1
        return map_blocks(call, operands, [(count, robot.nq), (count, robot.nv)], dtype)

    def call_method(
        self,
        method: Callable[..., Any],
        q: Any,
        named: dict[str, Any],
        cores: tuple[Shape, Shape],
        dtype: Any = None,
    ) -> Any:
        """Return the lazy result of a method of configurations; see `arrays.kinds.call_method`."""
        owner: Any = method.__self__.robot  # pyright: ignore[reportFunctionMemberAccess]
        title = printable(f"{owner.name}.limits.{method.__name__}")
        named = _without_numpy_options(title, named)
        _refuse_collections(title, {"q": q})
        plain(meta_from_array(q), f"{title}: argument 'q'")  # refuses blocks on a GPU
        values, operands = _split_arguments(
            title, owner.model, {"q": q, **deepcopy(named)}, {"q": cores[0]}
        )
        call = BlockCall(title, method, values, configured_threads())
        dtype = precision((q,)) if dtype is None else np.dtype(dtype)
        return map_blocks(call, operands, [cores[1]], dtype)[0]


def _split_arguments(
    title: str, model: Model, arguments: Mapping[str, Any], cores: Mapping[str, Shape]
) -> tuple[dict[Key, Any], list[Operand]]:
    """Split arguments into those that are equal for all blocks and chunked ones.

    Arguments that are None, or have no core shape, are options.
    """
    values: dict[Key, Any] = {}
    operands: list[Operand] = []
    for key, x in flatten(arguments).items():
        (name, *frames), core = key, cores.get(key[0])
        if core is None or (x is None and not frames):
            if isinstance(x, da.Array):
                raise TypeError(
                    f"{title}: '{name}' must be a plain value, found a Dask array; arrays are"
                    f" {', '.join(cores)}"
                )
            values[key] = x
            continue
        what = f"{title}: argument '{name}'"
        for frame in frames:
            find_wrench_frame(model, frame, what)
            core, what = (*core[:-2], core[-1]), f"{what}[{frame!r}]"
        array = check_array(x, what, core)
        if isinstance(array, da.Array) or array.ndim > len(core):
            operands.append(Operand(key, array, core))
            values[key] = None
        else:
            # copied, since the caller may modify them before the result is computed; numbers and
            # lists are not converted, since arrays determine the precision
            plain_numbers = isinstance(x, (float, int, list, tuple))
            values[key] = deepcopy(x) if plain_numbers else np.array(array)
    return values, operands


def _precision(arguments: Mapping[str, Any]) -> np.dtype[Any]:
    """Return the dtype of results; Python scalars do not count."""
    arrays = []
    for name, x in arguments.items():
        if isinstance(x, Mapping):  # wrenches by frame, which are summed
            arrays.append(np.empty(0, _precision(x)))
        elif type(x) not in (float, int, bool):
            arrays.append(x if isinstance(x, da.Array) else plain(x, f"argument '{name}'"))
    return precision(arrays)


def _without_numpy_options(title: str, named: Mapping[str, Any]) -> dict[str, Any]:
    """Drop options of NumPy that have their default; refuse others, except dtype."""
    remaining = {name: x for name, x in named.items() if x is not OPTIONS.get(name, named)}
    for name in remaining.keys() & OPTIONS.keys() - {"dtype"}:
        advice = " and assign the result, or store it with da.store" if name == "out" else ""
        raise TypeError(
            f"{title}: '{name}' is an option for NumPy arrays, found lazy Dask arrays; omit"
            f" it{advice}"
        )
    return remaining


def _refuse_collections(title: str, arguments: Mapping[str, Any]) -> None:
    """Refuse Dask collections other than arrays."""
    for name, x in arguments.items():
        for part in x.values() if isinstance(x, Mapping) else (x,):
            if is_dask_collection(part) and not isinstance(part, da.Array):
                classes = [base.__name__ for base in type(part).__mro__]
                known = [_REPLACEMENTS[base] for base in classes if base in _REPLACEMENTS]
                instead = known[0] if known else "not a Dask array; convert it to one"
                raise TypeError(f"{title}: argument '{name}' ({classes[0]}) is {instead}")


KIND = DaskKind()
