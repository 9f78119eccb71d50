"""Functions of named arrays, by `xarray.apply_ufunc`.

Core dimensions of an argument are identified by name and reordered to the robot's order. All others
are batch dimensions, which broadcast by name and must agree where arguments share them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import xarray as xr

from jounce.arrays.validation import refuse_degrees
from jounce.arrays.wrenches import Key, describe_key, flatten, unflatten
from jounce.arrays.xarray_adapter.axes import Axis
from jounce.errors import ArgumentError, legible

#: Default names of dimensions in xarray.
_UNNAMED = re.compile(r"dim_\d+")


@dataclass(frozen=True)
class Result:
    """The name, core axes and attributes of a result."""

    name: str
    axes: tuple[Axis, ...]
    attrs: dict[str, Any] = field(default_factory=dict)


def apply_named(
    title: str,
    values: Mapping[str, Any],
    axes: Mapping[str, tuple[Axis, ...]],
    results: Sequence[Result],
    function: Callable[..., Any],
) -> tuple[xr.DataArray, ...]:
    """Return the results of a function of named arrays, with labels and attributes.

    Parameters
    ----------
    title : str
        Prefix of error messages.
    values : mapping
        Arguments of the function by keyword, labeled or not.
    axes : mapping
        Core axes of those that are arrays.
    results : sequence of Result
        Description of the results: several for a tuple of arrays, or one for an array.
    function : callable
        A function of arrays without labels, whose core axes are last.
    """
    arrays: dict[Key, xr.DataArray] = {}
    dims: dict[Key, tuple[str, ...]] = {}
    unnamed: dict[Key, tuple[Any, int]] = {}
    arguments = flatten({name: x for name, x in values.items() if name in axes and x is not None})
    for key, x in arguments.items():
        core = tuple(axis for axis in axes[key[0]] if len(key) == 1 or axis.name != "body")
        if isinstance(x, (xr.Dataset, xr.DataTree)):
            known, name = legible(", ".join(map(repr, x)), 300) or "none", key[-1]
            example = name if name in x else next(iter(x), name)
            raise TypeError(
                f"{_what(title, key)} must be an array, found a {type(x).__name__}; pass one of its"
                f" arrays, such as dataset[{example!r}], from {known}"
            )
        if isinstance(x, (xr.DataArray, xr.Variable)):
            arrays[key], dims[key] = _in_order(x, core, _what(title, key))
        else:
            unnamed[key] = (x, len(core))
    core_dims = {dim for core in dims.values() for dim in core}
    core_names = core_dims | {axis.name for result in results for axis in result.axes}
    for key, x in arrays.items():
        arrays[key] = _without_coords(x, dims[key], core_names, _what(title, key))
    batch = {dim: n for k, x in arrays.items() for dim, n in x.sizes.items() if dim not in dims[k]}
    _check_unnamed(title, unnamed, batch)

    def call(*blocks: Any) -> Any:
        computed = function(**unflatten(flatten(values) | dict(zip(arrays, blocks, strict=True))))
        every = computed if isinstance(computed, tuple) else (computed,)
        _check_holdable(every, title)
        return every if len(results) > 1 else every[0]

    try:
        computed = xr.apply_ufunc(
            call,
            *arrays.values(),
            input_core_dims=list(dims.values()),
            output_core_dims=[[axis.name for axis in result.axes] for result in results],
            exclude_dims=core_dims,
            join="exact",
            dask="allowed",
            keep_attrs="override",  # for coordinates; results get their own attributes
        )
    except ValueError:
        _check_alignment(title, arrays, core_dims)
        raise
    every = computed if isinstance(computed, tuple) else (computed,)
    return tuple(map(_add_labels, every, results))


def _in_order(
    x: xr.DataArray | xr.Variable, axes: tuple[Axis, ...], what: str
) -> tuple[xr.DataArray, tuple[str, ...]]:
    """Return an array with core entries in the robot's order, and its core dimensions."""
    array = x if isinstance(x, xr.DataArray) else xr.DataArray(x)
    refuse_degrees(array, what)
    if len({*array.dims}) < array.ndim:
        raise ArgumentError(f"{what} must have dimensions of different names, found {array.dims}")
    for dim, n in zip(array.dims, array.shape, strict=True):
        if n != n:
            raise ArgumentError(
                f"{what} must have dimensions of known length, found '{dim}' of unknown length;"
                " call compute_chunk_sizes() of its Dask array first"
            )
    core = _core_dims(array, axes, what)
    renamed = {x: axis.name for x, axis in zip(core, axes, strict=True) if _UNNAMED.fullmatch(x)}
    array = (
        array.rename(renamed) if renamed else array
    )  # other arguments may have a batch dimension "dim_0"
    core = tuple(renamed.get(dim, dim) for dim in core)
    for dim in array.dims:
        if dim in array.coords and dim not in array.xindexes:  # such as after .rename
            array = array.set_xindex([dim])
    for dim, axis in zip(core, axes, strict=True):
        array = _sort_axis(array, dim, axis, what)
    return array, core


def _core_dims(array: xr.DataArray, axes: tuple[Axis, ...], what: str) -> tuple[str, ...]:
    """Return the core dimensions of an array by name, or the last ones if it has no names."""
    core: list[str] = []
    for axis in axes:
        known = (dim for dim in (axis.name, *axis.also) if dim in array.dims and dim not in core)
        core.append(next(known, ""))
    if all(core):
        return tuple(core)
    last = tuple(map(str, array.dims[max(array.ndim - len(axes), 0) :]))
    if not any(core) and len(last) == len(axes) and all(map(_UNNAMED.fullmatch, last)):
        return last
    missing = axes[core.index("")]
    names = " or ".join(f"'{name}'" for name in (missing.name, *missing.also))
    dims = ", ".join(f"'{dim}'" for dim in array.dims) or "none"
    other = [dim for dim in array.dims if dim not in core][-1:]
    hint = "".join(f"; rename one of them, as .rename({{{x!r}: {missing.name!r}}})" for x in other)
    raise ArgumentError(f"{what} must have a dimension {names}, found dimensions {dims}{hint}")


def _sort_axis(array: xr.DataArray, dim: str, axis: Axis, what: str) -> xr.DataArray:
    """Reorder the entries along a dimension to the robot's labels.

    Coordinates 0, 1, ... are indices in this order.
    """
    size, labels = array.sizes[dim], axis.labels
    if axis.size is not None and size != axis.size:
        known = "" if labels is None else f": {legible(', '.join(labels), 1000)}"
        raise ArgumentError(
            f"{what} must have {axis.size} entries along '{dim}', found {size}{known}"
        )
    if labels is None or dim not in array.indexes:
        return array
    entries = array.indexes[dim].tolist()
    for wanted in (list(labels), list(range(size))):
        if entries == wanted:
            return array
        if len({*entries, *wanted}) == size == len({*entries}):
            return array.isel({dim: [entries.index(name) for name in wanted]})
    missing = [repr(name) for name in labels if name not in entries]
    unknown = [repr(name) for name in entries if name not in labels]
    lists = (
        {"missing": missing, "unknown": unknown} if missing else {"found": [*map(repr, entries)]}
    )
    text = "; ".join(f"{word}: {', '.join(names)}" for word, names in lists.items() if names)
    raise ArgumentError(
        f"{what} must have the coordinates {legible(', '.join(labels), 1000)} along '{dim}', in any"
        f" order, or none; {legible(text, 1000)}"
    )


def _without_coords(
    array: xr.DataArray, core: tuple[str, ...], core_names: set[str], what: str
) -> xr.DataArray:
    """Drop coordinates named as a core dimension; an error if they are along the batch."""
    batch = [dim for dim in array.dims if dim not in core]
    for dim in batch:
        if dim in core_names:
            raise ArgumentError(
                f"{what} has a batch dimension '{dim}' with the name of a core dimension; rename"
                f" it, as .rename({{{dim!r}: 'sample'}})"
            )
    names = [name for name in array.coords if name in core_names]
    for name in names:
        along = [dim for dim in array.coords[name].dims if dim in batch]
        if along:
            raise ArgumentError(
                f"{what} has a coordinate '{name}' along '{along[0]}' with the name of a core"
                f" dimension; rename it, as .rename({{{name!r}: 'label'}})"
            )
    return array.drop_vars(names)


def _check_alignment(title: str, arrays: Mapping[Key, xr.DataArray], core_dims: set[str]) -> None:
    """Raise ArgumentError if arrays differ in length or coordinates along batch dimensions."""
    try:
        xr.align(*arrays.values(), join="exact", copy=False, exclude=core_dims)
    except ValueError as error:
        names = ", ".join(f"'{describe_key(key)}'" for key in arrays)
        raise ArgumentError(
            f"{title}: arguments {names} must have the same lengths and coordinates along shared"
            f" batch dimensions, found: {error}; align them with xarray.align(..., join='inner') or"
            " .reindex"
        ) from error


def _check_unnamed(
    title: str, unnamed: Mapping[Key, tuple[Any, int]], batch: Mapping[Any, int]
) -> None:
    """Refuse unlabeled arrays whose leading axes do not match the last batch dimensions.

    unnamed: arrays with their numbers of core axes.
    """
    for key, (x, core) in unnamed.items():
        try:
            shape = np.shape(x)
        except ValueError:  # a ragged list, which the quantity refuses
            continue
        leading = shape[: max(len(shape) - core, 0)]
        pairs = zip(reversed(leading), reversed([*batch.values()]), strict=False)
        if len(leading) > len(batch) or any(n not in (1, size) for n, size in pairs):
            known = ", ".join(f"{dim} {size}" for dim, size in batch.items()) or "none"
            raise ArgumentError(
                f"{_what(title, key)} without labels must have leading axes that match the last"
                f" batch dimensions ({known}), found {leading}; pass it as a DataArray"
            )


def _check_holdable(results: tuple[Any, ...], title: str) -> None:
    """Raise TypeError for results that xarray would convert to NumPy."""
    for x in results:
        known = isinstance(x, (np.ndarray, np.generic, float))
        if not (known or hasattr(x, "__array_function__") or hasattr(x, "__array_namespace__")):
            kind = f"{type(x).__module__.partition('.')[0]}.{type(x).__qualname__}"
            raise TypeError(
                f"{title}: xarray cannot contain the result of type {kind}, due to an unlabeled"
                " argument; pass .values of the labeled arguments"
            )


def _add_labels(x: xr.DataArray, result: Result) -> xr.DataArray:
    labels = {a.name: np.array(a.labels) for a in result.axes if a.labels is not None}
    out = x.assign_coords(labels)
    out.name, out.attrs = result.name, dict(result.attrs)
    return out


def _what(title: str, key: Key) -> str:
    return f"{title}: argument '{describe_key(key)}'"
