"""What comes out of quantities, with names: of dimensions, of what stands along them, of units."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import xarray as xr

from jounce.xarray.arguments import (
    Given,
    Place,
    batch_of,
    check_unnamed,
    named,
    parts,
    taken,
    without,
)
from jounce.xarray.axes import Axis


@dataclass(frozen=True)
class Result:
    """What a result is called, with its own axes and what is said about it."""

    name: str
    axes: tuple[Axis, ...]
    attrs: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Call:
    """A call with names: what it is called in messages, its arguments, and what comes out.

    cores: the axes of an array among the arguments. run: the call on arrays without names, of the
    arguments by name; it gives a tuple.
    """

    title: str
    values: Mapping[str, Any]
    cores: Callable[[Place], tuple[Axis, ...]]
    results: Sequence[Result]
    run: Callable[[dict[str, Any]], tuple[Any, ...]]

    def __call__(self) -> tuple[xr.DataArray, ...]:
        """The results, named."""
        given: dict[Place, Given] = {}
        unnamed: dict[Place, tuple[Any, int]] = {}
        for place, x in parts(self.values, self.title):
            axes = self.cores(place)
            if named(x):
                given[place] = taken(x, axes, f"{self.title}: argument {place}")
            else:
                unnamed[place] = (x, len(axes))
        core = {dim for x in given.values() for dim in x.core}
        own = core | {axis.name for result in self.results for axis in result.axes}
        batch = batch_of(self.title, given, own)
        check_unnamed(self.title, unnamed, batch)
        found = self._applied(given, core, own - {*batch})
        return tuple(self._named(x, result) for x, result in zip(found, self.results, strict=True))

    def _applied(
        self, given: Mapping[Place, Given], core: set[str], own: set[str]
    ) -> tuple[xr.DataArray, ...]:
        """Results with batch dimensions and what coordinates arguments have along them."""

        def of_arrays(*arrays: Any) -> Any:
            found = self.run(self._in_places(dict(zip(given, arrays, strict=True))))
            held = tuple(map(self._held, found))
            return held if len(self.results) > 1 else held[0]

        # coordinates of the quantity's own dimensions, or of that name, are not the results'
        arrays = [without(x, own, f"{self.title}: argument {place}") for place, x in given.items()]
        found = xr.apply_ufunc(
            of_arrays,
            *arrays,
            input_core_dims=[x.core for x in given.values()],
            output_core_dims=[[axis.name for axis in result.axes] for result in self.results],
            exclude_dims=core,
            join="exact",
            dask="allowed",
            keep_attrs="override",  # those of coordinates; results get their own
        )
        return found if isinstance(found, tuple) else (found,)

    def _in_places(self, arrays: Mapping[Place, Any]) -> dict[str, Any]:
        """All arguments by name, with arrays in place of those with names."""
        values: dict[str, Any] = dict(self.values)
        for place, x in arrays.items():
            if place.frame is None:
                values[place.name] = x
            else:
                values[place.name] = {**values[place.name], place.frame: x}
        return values

    def _held(self, x: Any) -> Any:
        """A result, if xarray can hold it without losing what it is."""
        if isinstance(x, (np.ndarray, np.generic, float)) or hasattr(x, "__array_function__"):
            return x
        if hasattr(x, "__array_namespace__"):
            return x
        kind = f"{type(x).__module__.partition('.')[0]}.{type(x).__qualname__}"
        raise TypeError(
            f"{self.title}: xarray cannot hold {kind}, which comes of an argument without names;"
            " give all arguments as such, with .values of those that have names"
        )

    def _named(self, x: xr.DataArray, result: Result) -> xr.DataArray:
        """A result with its name, coordinates along its own axes, and attributes."""
        labels = {a.name: np.array(a.labels) for a in result.axes if a.labels is not None}
        out = x.assign_coords(labels)
        out.name, out.attrs = result.name, dict(result.attrs)
        return out
