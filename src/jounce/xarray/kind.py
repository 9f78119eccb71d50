"""Arrays with names given to a robot's quantities: `robot.inverse_dynamics(q, v, a)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr

from jounce.catalog.row import Row
from jounce.errors import ArgumentError, printable
from jounce.quantities.quantity import Evaluable
from jounce.quantities.signatures import OPTIONS
from jounce.xarray.arguments import Place
from jounce.xarray.axes import Axis, axes, system_of
from jounce.xarray.results import Call, Result

#: Options of NumPy's that speak of axes and memory, where names speak of neither.
_REFUSED = ("out", "axes", "axis", "signature")

#: Shapes of what rollouts take.
_ROLLED: dict[str, tuple[int | str, ...]] = {
    "q0": ("nq",),
    "v0": ("nv",),
    "taus": ("time", "nv"),
    "h": (),
    "wrenches": ("time", "nb", 6),
}


class XarrayKind:
    """DataArrays, and Variables, of which only the dimensions have names."""

    name = "xarray"

    def traced(self, x: Any) -> bool:
        """They have names."""
        return True

    def called(self, quantity: Evaluable, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """The quantity on what lies in the arrays, and results with names."""
        title = quantity._title
        refused = [x for x in _REFUSED if options.get(x, OPTIONS[x]) is not OPTIONS[x]]
        if refused:
            raise TypeError(
                f"{title}: '{refused[0]}' is for NumPy's arrays, and names would be lost; leave it"
                " away, or give .values of the arguments that have names"
            )
        row, places = _row(quantity, args, options)
        names = (*quantity._row.arguments, *quantity._row.optional)
        values = dict(zip(names, args, strict=False))
        known = {*names, *quantity._row.base, *row.arguments}
        values |= {name: x for name, x in options.items() if name in known}
        rest = {name: x for name, x in options.items() if name not in known}

        def cores(place: Place) -> tuple[Axis, ...]:
            shape = row.argument(place.name).shape
            own = shape if place.frame is None else shape[1:]
            return axes(quantity._robot, own, row.all_joints)

        def run(given: dict[str, Any]) -> tuple[Any, ...]:
            own = tuple(given.pop(name) for name in names[: len(args)])
            found = quantity(*own, **given, **rest)
            return tuple(found) if isinstance(found, tuple) else (found,)

        results = _results(quantity, row, places)
        found = Call(title, values, cores, results, run)()
        return found if quantity._several or len(results) > 1 else found[0]

    def rolled_out(self, robot: Any, values: dict[str, Any], further: dict[str, Any]) -> Any:
        """Configurations and velocities over the dimension "time"."""
        title = f"{printable(robot.name)}.rollout"
        if further.pop("out", None) is not None:
            raise TypeError(f"{title}: 'out' is for NumPy's arrays, and names would be lost")

        def cores(place: Place) -> tuple[Axis, ...]:
            shape = _ROLLED[place.name]
            own = shape if place.frame is None else (shape[0], *shape[2:])
            return axes(robot, own)

        start = _start(title, values)
        step = robot._quantity("step")._row
        results = [
            Result(name, axes(robot, ("time", size)), _attrs(robot, step, unit))
            for name, size, unit in zip("qv", ("nq", "nv"), _units(step), strict=True)
        ]
        q, v = Call(title, values, cores, results, lambda x: robot.rollout(**x, **further))()
        h = _number(values["h"])
        if start is None or h is None:
            return q, v
        time = ("time", start + np.arange(q.sizes["time"]) * h, {"long_name": "time", "units": "s"})
        return q.assign_coords(time=time), v.assign_coords(time=time)


def _row(
    quantity: Evaluable, args: tuple[Any, ...], options: dict[str, Any]
) -> tuple[Row, list[int] | None]:
    """The row that a call is of, with all that options choose, and which of its results."""
    places = None
    while True:
        chosen, args, options, picked = quantity._resolved(args, options)
        places = picked if places is None else places
        if chosen is quantity:
            break
        quantity = chosen
    quantity._placed(args, options)  # what is missing or too much is told here
    return quantity._row, places


def _results(quantity: Evaluable, row: Row, places: list[int] | None) -> list[Result]:
    """What the results are called, and their axes."""
    several = len(row.shapes) > 1 or quantity._several
    names = row.letters if several else (row.name,)
    every = [
        Result(name, axes(quantity._robot, shape, row.all_joints), _attrs(quantity, row, unit))
        for name, shape, unit in zip(names, row.shapes, _units(row), strict=True)
    ]
    return every if places is None else [every[k] for k in places]


def _units(row: Row) -> tuple[str, ...]:
    """Units of each result, or of all if they are not told one by one."""
    units = row.unit.split("; ")
    count = len(row.shapes)
    return tuple(units) if len(units) == count else (row.unit,) * count


def _attrs(owner: Any, row: Row, unit: str) -> dict[str, Any]:
    """What is said about a result."""
    said = {"long_name": row.doc.removesuffix("."), "units": unit}
    system = system_of(owner._robot if isinstance(owner, Evaluable) else owner)
    said["robot"] = system.name
    if isinstance(owner, Evaluable) and owner._frame is not None:
        said["frame"] = system.model.frames[owner._frame].name
    return said


def _start(title: str, values: Mapping[str, Any]) -> float | None:
    """When a rollout starts, by the coordinates of what is given over time; None: nobody knows."""
    wrenches = values["wrenches"]
    over_time = [
        values["taus"],
        *(wrenches.values() if isinstance(wrenches, Mapping) else [wrenches]),
    ]
    times = [
        x.indexes["time"] for x in over_time if isinstance(x, xr.DataArray) and "time" in x.indexes
    ]
    if not all(times[0].equals(other) for other in times[1:]):
        raise ArgumentError(
            f"{title}: taus and wrenches must have the same coordinates along 'time', found others;"
            " align them first, with xarray.align(..., join='inner') or .reindex"
        )
    if not times or len(times[0]) == 0:
        return 0.0
    return float(times[0][0]) if times[0].dtype.kind in "fiu" else None


def _number(h: Any) -> float | None:
    """The time of a step, if it is one for all and known by now."""
    h = h.data if isinstance(h, (xr.DataArray, xr.Variable)) else h
    known = isinstance(h, (float, int, np.generic, np.ndarray)) and np.ndim(h) == 0
    return float(h) if known else None


KIND = XarrayKind()
