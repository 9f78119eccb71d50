"""Named arrays as quantities take them: batch dimensions by name, the quantity's own ones last.

The quantity's own dimensions are found by their names, and where these have coordinates that name
joints, bodies and so on, put into the robot's order. All other dimensions are batch dimensions,
which broadcast by name; what two arguments share must be the same along them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import xarray as xr

from jounce.catalog.arguments import by_frame
from jounce.errors import ArgumentError, legible
from jounce.quantities.arrays import refuse_degrees
from jounce.xarray.axes import Axis

#: How xarray calls dimensions that nobody named.
_UNNAMED = re.compile(r"dim_\d+")


class Place(NamedTuple):
    """Where an array is among the arguments: which one, and by which frame if it is a wrench."""

    name: str
    frame: Any = None

    def __str__(self) -> str:
        return f"'{self.name}'" if self.frame is None else f"'{self.name}[{self.frame!r}]'"


@dataclass(frozen=True)
class Given:
    """An argument with names.

    array: with entries in the robot's order. core: its dimensions that are the quantity's own.
    """

    array: xr.DataArray
    core: tuple[str, ...]

    @property
    def batch(self) -> tuple[Any, ...]:
        """Its other dimensions, in order."""
        return tuple(dim for dim in self.array.dims if dim not in self.core)


def parts(values: Mapping[str, Any], title: str) -> Iterator[tuple[Place, Any]]:
    """Arguments one by one, wrenches that are given by frame too."""
    for name, x in values.items():
        if isinstance(x, Mapping) and by_frame(name):
            for frame, part in x.items():
                yield Place(name, frame), part
        elif isinstance(x, Mapping) and isinstance(x, (xr.Dataset, xr.DataTree)):
            known = ", ".join(map(repr, x)) or "none"
            one = name if name in x else next(iter(x), name)
            raise TypeError(
                f"{title}: argument '{name}' is a {type(x).__name__}, which has several arrays;"
                f" give one of them, such as dataset[{one!r}]; found: {legible(known, 300)}"
            )
        elif x is not None:
            yield Place(name), x


def named(x: Any) -> bool:
    """Whether something has names of dimensions."""
    return isinstance(x, (xr.DataArray, xr.Variable))


def taken(x: Any, axes: tuple[Axis, ...], what: str) -> Given:
    """An argument with names, in the robot's order; what: how messages begin."""
    array = x if isinstance(x, xr.DataArray) else xr.DataArray(x)
    refuse_degrees(array, what)
    if len({*array.dims}) < array.ndim:
        raise ArgumentError(f"{what} must have dimensions of different names, found {array.dims}")
    unknown = [dim for dim, n in zip(array.dims, array.shape, strict=True) if n != n]
    if unknown:
        raise ArgumentError(
            f"{what} has a dimension '{unknown[0]}' of unknown length, which xarray cannot name;"
            " call compute_chunk_sizes() of the array of Dask in it first"
        )
    core = _core(array, axes, what)
    unnamed = {dim: axis.name for dim, axis in zip(core, axes, strict=True) if _nobodys(dim)}
    if unnamed:  # others may call a batch dimension so
        array = array.rename(unnamed)
        core = tuple(unnamed.get(dim, dim) for dim in core)
    for axis, dim in zip(axes, core, strict=True):
        array = _ordered(array, axis, dim, what)
    return Given(array, core)


def _core(array: xr.DataArray, axes: tuple[Axis, ...], what: str) -> tuple[str, ...]:
    """The quantity's own dimensions of an array, axis after axis."""
    core: list[str] = []
    for axis in axes:
        known = (dim for dim in (axis.name, *axis.also) if dim in array.dims and dim not in core)
        core.append(next(known, ""))
    if all(core):
        return tuple(core)
    split = array.ndim - len(axes)
    if not any(core) and split >= 0:
        last = [str(dim) for dim in array.dims[split:]]
        if all(map(_nobodys, last)):
            return tuple(last)  # they are told by place
    k = core.index("")
    names = " or ".join(f"'{name}'" for name in (axes[k].name, *axes[k].also))
    found = ", ".join(f"'{dim}'" for dim in array.dims) or "none"
    last = [dim for dim in array.dims if dim not in core][-1:]
    hint = "".join(f"; rename one of them, as .rename({{{x!r}: {axes[k].name!r}}})" for x in last)
    raise ArgumentError(f"{what} must have a dimension {names}, found dimensions {found}{hint}")


def _nobodys(dim: str) -> bool:
    """Whether nobody named a dimension."""
    return _UNNAMED.fullmatch(dim) is not None


def _ordered(array: xr.DataArray, axis: Axis, dim: str, what: str) -> xr.DataArray:
    """An array whose entries along a dimension are in the robot's order.

    Without coordinates they are taken to be; numbers from 0 on are places in that order.
    """
    size = array.sizes[dim]
    if axis.size is not None and size != axis.size:
        known = "" if axis.labels is None else f": {legible(', '.join(axis.labels), 1000)}"
        raise ArgumentError(
            f"{what} must have {axis.size} entries along '{dim}', found {size}{known}"
        )
    if axis.labels is None or dim not in array.coords:
        return array
    if dim not in array.indexes:  # such as after .rename of a dimension
        array = array.set_xindex(dim)
    found = array.indexes[dim].tolist()
    for wanted in (list(axis.labels), list(range(size))):
        if found == wanted:
            return array
        if len({*found, *wanted}) == size == len({*found}):
            return array.isel({dim: [found.index(name) for name in wanted]})
    missing = [repr(name) for name in axis.labels if name not in found]
    unknown = [repr(name) for name in found if name not in axis.labels]
    lists = (
        {"missing": missing, "unknown": unknown} if missing else {"found": list(map(repr, found))}
    )
    text = "; ".join(f"{word}: {', '.join(names)}" for word, names in lists.items() if names)
    raise ArgumentError(
        f"{what} must have the coordinates {legible(', '.join(axis.labels), 1000)} along '{dim}',"
        f" in any order, or none; {legible(text, 1000)}"
    )


def batch_of(title: str, given: Mapping[Place, Given], own: set[str]) -> dict[Any, int]:
    """The batch dimensions of all arguments with their lengths, those of the first ones first.

    own: names that the quantity has for its own dimensions, in arguments and results.
    """
    sizes: dict[Any, int] = {}
    first: dict[Any, Place] = {}
    for place, x in given.items():
        for dim in x.batch:
            if dim in own:
                raise ArgumentError(
                    f"{title}: argument {place} has a batch dimension '{dim}', which is what the"
                    f" quantity calls one of its own; rename it, as .rename({{{dim!r}: 'sample'}})"
                )
            if dim not in sizes:
                sizes[dim], first[dim] = x.array.sizes[dim], place
                continue
            _check_alike(title, dim, {first[dim]: given[first[dim]].array, place: x.array})
    return sizes


def without(given: Given, own: set[str], what: str) -> xr.DataArray:
    """An argument without coordinates that are called like one of the quantity's own dimensions.

    Those along a batch dimension would be lost to the results, and are refused.
    """
    found = [name for name in given.array.coords if name in own]
    for name in found:
        along = [dim for dim in given.array.coords[name].dims if dim in given.batch]
        if along:
            raise ArgumentError(
                f"{what} has a coordinate '{name}' along its batch dimension '{along[0]}', which is"
                " what the quantity calls one of its own dimensions; rename it, as"
                f" .rename({{{name!r}: 'label'}})"
            )
    return given.array.drop_vars(found)


def _check_alike(title: str, dim: Any, arrays: Mapping[Place, xr.DataArray]) -> None:
    """Refuse two arguments that differ along a dimension they share."""
    (one, x), (other, y) = arrays.items()
    if x.sizes[dim] != y.sizes[dim]:
        raise ArgumentError(
            f"{title}: arguments {one} and {other} must have the same length along '{dim}', found"
            f" {x.sizes[dim]} and {y.sizes[dim]}"
        )
    mine, theirs = (_index(z, dim) for z in (x, y))
    if mine is not None and theirs is not None and not mine.equals(theirs):
        raise ArgumentError(
            f"{title}: arguments {one} and {other} must have the same coordinates along '{dim}',"
            " found others; align them first, with xarray.align(..., join='inner') or .reindex"
        )


def check_unnamed(
    title: str, unnamed: Mapping[Place, tuple[Any, int]], batch: Mapping[Any, int]
) -> None:
    """Refuse arrays without names whose leading axes do not fit the last of the named ones.

    unnamed: such arrays, and how many axes of each are the quantity's own.
    """
    for place, (x, core) in unnamed.items():
        shape = tuple(x.shape) if hasattr(x, "shape") else _shape(x)
        leading = shape[: max(len(shape) - core, 0)]
        names = list(batch.items())[len(batch) - len(leading) :]
        fits = len(leading) <= len(batch) and all(
            n in (1, size) for n, (_, size) in zip(leading, names, strict=True)
        )
        if not fits:
            known = ", ".join(f"{dim} {size}" for dim, size in batch.items()) or "none"
            raise ArgumentError(
                f"{title}: argument {place} has no names, so that its leading axes must fit the"
                f" last of the batch dimensions ({known}), found {leading}; give it as a DataArray"
            )


def _shape(x: Any) -> tuple[int, ...]:
    """The shape of a list, of lists perhaps; what is none is refused by the quantity itself."""
    try:
        return np.shape(x)
    except ValueError:
        return ()


def _index(x: xr.DataArray, dim: Any) -> Any:
    """What stands along a dimension, if something does; renamed ones have no index of their own."""
    if dim in x.coords and dim not in x.xindexes:
        x = x.set_xindex(dim)
    return x.xindexes.get(dim)
