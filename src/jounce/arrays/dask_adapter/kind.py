"""Dask arrays as arguments: `robot.inverse_dynamics(q, v, a)`, lazily."""

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
from jounce.arrays.validation import Shape, floating, plain, precision
from jounce.arrays.wrenches import Key, flatten, pushed_frame
from jounce.catalog.elastic import DRIVES
from jounce.errors import ArgumentError, printable
from jounce.model.model import Model

#: What to pass instead of other Dask collections, by the name of their class.
_INSTEAD = {
    "DataFrame": "a table; give an array of its columns, with .to_dask_array(lengths=True)",
    "Series": "a column; give an array of it, with .to_dask_array(lengths=True)",
    "Delayed": "a delayed value; give dask.array.from_delayed(x, shape=..., dtype=...)",
    "Bag": "a bag; give an array, made with dask.array.from_delayed of its partitions",
}


class DaskKind:
    """Calls with Dask arrays, whose results are lazy; nothing is traced or compiled for them."""

    name = "dask"

    def traced(self, x: Any) -> bool:
        """Return True: the graph would be lost with the values."""
        return True

    def called(
        self, quantity: QuantityProtocol, args: tuple[Any, ...], named: dict[str, Any]
    ) -> Any:
        """Return the results of a quantity as lazy arrays."""
        title, names = quantity.title, quantity.__signature__.parameters
        named = _without_numpy_options(title, named)
        given = {**dict(zip(names, args, strict=False)), **named}
        _refuse_collections(title, given)
        bound = quantity.bind(args, named)
        if "dtype" in bound.options:
            dtype = floating(bound.options["dtype"])
        else:
            silent = DRIVES if "stiffness" in quantity.definition.arguments else ()
            dtype = _precision({k: x for k, x in bound.given.items() if k not in silent})
        cores = dict(zip(bound.names, bound.kernel.inputs, strict=True))
        given |= {name: x for name, x in bound.given.items() if name in given}
        values, operands = _split(title, quantity.robot.model, given, cores)
        call = BlockCall(title, quantity, values, configured_threads(), quantity.kernel.limit)
        outputs = bound.kernel.outputs
        outputs = outputs if bound.results is None else [outputs[k] for k in bound.results]
        results = map_blocks(call, operands, outputs, dtype)
        return results if bound.returns_tuple else results[0]

    def rolled_out(self, robot: Any, values: dict[str, Any], further: dict[str, Any]) -> Any:
        """Return a rollout as lazy arrays; each block is a rollout over all of the time."""
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
            raise TypeError(f"{title}: argument 'h', the time of a step, is missing")
        robot.rollout.check(further["method"], further["friction"], further["limits"])
        values = {name: x for name, x in values.items() if x is not None}
        typed = {k: x for k, x in values.items() if isinstance(x, (da.Array, np.ndarray, Mapping))}
        dtype = _precision(typed)
        # numbers and lists do not count for the precision; as blocks they would be arrays
        numbers = {
            name: np.asarray(plain(x, f"{title}: argument '{name}'"), dtype)
            for name, x in values.items()
            if name not in typed
        }
        constants, operands = _split(title, robot.model, values | numbers | further, cores)
        call = BlockCall(title, robot.rollout, constants, configured_threads())
        count = cores["taus"][0] + 1
        return map_blocks(call, operands, [(count, robot.nq), (count, robot.nv)], dtype)

    def method_called(
        self,
        method: Callable[..., Any],
        q: Any,
        named: dict[str, Any],
        cores: tuple[Shape, Shape],
        dtype: Any = None,
    ) -> Any:
        """Return the result of a method of configurations; see `arrays.kinds.method_called`."""
        owner: Any = method.__self__.robot  # pyright: ignore[reportFunctionMemberAccess]
        title = printable(f"{owner.name}.limits.{method.__name__}")
        named = _without_numpy_options(title, named)
        _refuse_collections(title, {"q": q})
        plain(meta_from_array(q), f"{title}: argument 'q'")  # refuses blocks on a GPU
        values, operands = _split(title, owner.model, {"q": q, **deepcopy(named)}, {"q": cores[0]})
        call = BlockCall(title, method, values, configured_threads())
        dtype = precision((q,)) if dtype is None else np.dtype(dtype)
        return map_blocks(call, operands, [cores[1]], dtype)[0]


def _split(
    title: str, model: Model, arguments: Mapping[str, Any], cores: Mapping[str, Shape]
) -> tuple[dict[Key, Any], list[Operand]]:
    """Separate arguments that are the same for all blocks from those that come in blocks.

    Arguments without a core shape, or that are not given, are options.
    """
    values: dict[Key, Any] = {}
    operands: list[Operand] = []
    for key, x in flatten(arguments).items():
        (name, *frames), core = key, cores.get(key[0])
        if core is None or (x is None and not frames):
            if isinstance(x, da.Array):
                raise TypeError(f"{title}: '{name}' is no array; arrays are {', '.join(cores)}")
            values[key] = x
            continue
        what = f"{title}: argument '{name}'"
        for frame in frames:
            pushed_frame(model, frame, what)
            core, what = (*core[:-2], core[-1]), f"{what}[{frame!r}]"
        array = check_array(x, what, core)
        if isinstance(array, da.Array) or array.ndim > len(core):
            operands.append(Operand(key, array, core))
            values[key] = None
        else:
            # as they are now, whatever becomes of them before the result is computed; numbers
            # and lists stay such, which matters for the precision
            plain_numbers = isinstance(x, (float, int, list, tuple))
            values[key] = deepcopy(x) if plain_numbers else np.array(array)
    return values, operands


def _precision(arguments: Mapping[str, Any]) -> np.dtype[Any]:
    """Return the dtype of results; numbers of Python do not count."""
    arrays = []
    for name, x in arguments.items():
        if isinstance(x, Mapping):  # wrenches by frame, which are summed
            arrays.append(np.empty(0, _precision(x)))
        elif type(x) not in (float, int, bool):
            arrays.append(x if isinstance(x, da.Array) else plain(x, f"argument '{name}'"))
    return precision(arrays)


def _without_numpy_options(title: str, named: Mapping[str, Any]) -> dict[str, Any]:
    """Drop options of NumPy that have their default; refuse others, except dtype."""
    rest = {name: x for name, x in named.items() if x is not OPTIONS.get(name, named)}
    for name in rest.keys() & OPTIONS.keys() - {"dtype"}:
        more = " and assign the result, or store it with da.store" if name == "out" else ""
        raise TypeError(
            f"{title}: '{name}' is an option for NumPy arrays, and Dask arrays are lazy; omit"
            f" it{more}"
        )
    return rest


def _refuse_collections(title: str, arguments: Mapping[str, Any]) -> None:
    """Refuse Dask collections other than arrays."""
    for name, x in arguments.items():
        for part in x.values() if isinstance(x, Mapping) else (x,):
            if is_dask_collection(part) and not isinstance(part, da.Array):
                classes = [base.__name__ for base in type(part).__mro__]
                known = [_INSTEAD[base] for base in classes if base in _INSTEAD]
                instead = known[0] if known else "no array of Dask; give one"
                raise TypeError(f"{title}: argument '{name}' ({classes[0]}) is {instead}")


KIND = DaskKind()
