"""Arrays with names given to a robot's quantities: `robot.inverse_dynamics(q, v, a)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import xarray as xr

from jounce.catalog.row import Row
from jounce.errors import ArgumentError, printable
from jounce.quantities.quantity import Evaluable
from jounce.system import System
from jounce.xarray.arguments import Place
from jounce.xarray.axes import Axis, axes, system_of
from jounce.xarray.results import Call, Result

#: Options of NumPy's that speak of axes and memory, where names speak of neither.
_REFUSED = ("out", "axes", "axis", "signature")

#: How far from even, relative, times may be that were measured or rounded.
_UNEVEN = 1e-3

#: Kinds of NumPy's numbers that tell a time: seconds, and stamps.
_TIMES = "fiuMm"

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

    #: They hold arrays of other kinds, and go first.
    holds_others = True

    def traced(self, x: Any) -> bool:
        """They have names."""
        return True

    def called(self, quantity: Evaluable, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """The quantity on what lies in the arrays, and results with names."""
        title = quantity.title
        options = dict(options)
        for name in _REFUSED:
            _refuse(title, name, options)
        row, places = _row(quantity, args, options)
        names = (*quantity.definition.arguments, *quantity.definition.optional)
        values = dict(zip(names, args, strict=False))
        known = {*names, *quantity.definition.base, *row.arguments}
        values |= {name: x for name, x in options.items() if name in known}
        rest = {name: x for name, x in options.items() if name not in known}

        def cores(place: Place) -> tuple[Axis, ...]:
            shape = row.argument(place.name).shape
            own = shape if place.frame is None else shape[1:]
            return axes(quantity.robot, own, row.all_joints)

        def run(given: dict[str, Any]) -> tuple[Any, ...]:
            own = tuple(given.pop(name) for name in names[: len(args)])
            found = quantity(*own, **given, **rest)
            return tuple(found) if isinstance(found, tuple) else (found,)

        results = _results(quantity, row, places)
        found = Call(title, values, cores, results, run)()
        return found if quantity.returns_tuple or len(results) > 1 else found[0]

    def rolled_out(self, robot: Any, values: dict[str, Any], further: dict[str, Any]) -> Any:
        """Configurations and velocities over the dimension "time"."""
        title = f"{printable(robot.name)}.rollout"
        _refuse(title, "out", further)

        def cores(place: Place) -> tuple[Axis, ...]:
            shape = _ROLLED[place.name]
            own = shape if place.frame is None else (shape[0], *shape[2:])
            return axes(robot, own)

        h = _number(values["h"])
        start = _start(title, values, h)
        step = robot.quantity("step").definition
        results = [
            Result(name, axes(robot, ("time", size)), _attrs(robot, step, unit))
            for name, size, unit in zip("qv", ("nq", "nv"), _units(step), strict=True)
        ]
        q, v = Call(title, values, cores, results, lambda x: robot.rollout(**x, **further))()
        if start is None or h is None:
            return q, v
        time = _stamps(start, h, q.sizes["time"])
        return q.assign_coords(time=time), v.assign_coords(time=time)

    def method_called(
        self,
        method: Callable[..., Any],
        q: Any,
        named: dict[str, Any],
        cores: tuple[Any, Any],
        dtype: Any = None,
    ) -> Any:
        """A method of configurations, as `quantities.kinds.method_called` asks for it."""
        owner: Any = method.__self__  # pyright: ignore[reportFunctionMemberAccess]
        title = printable(f"{owner.name}.{method.__name__}")
        _refuse(title, "out", named)
        own = axes(owner, ("nq",))
        result = Result(method.__name__, own if cores[1] else (), {"robot": owner.name})
        run = lambda given: (method(given["q"], **named),)  # noqa: E731
        return Call(title, {"q": q}, lambda place: own, [result], run)()[0]


def _refuse(title: str, name: str, options: dict[str, Any]) -> None:
    """Refuse an option of NumPy's, and leave it away where it says nothing."""
    if options.pop(name, None) is not None:
        raise TypeError(
            f"{title}: '{name}' is for NumPy arrays, and names would be lost; omit it, or"
            " give .values of the arguments that have names"
        )


def _row(
    quantity: Evaluable, args: tuple[Any, ...], options: dict[str, Any]
) -> tuple[Row, list[int] | None]:
    """The row that a call is of, with all that options choose, and which of its results."""
    call = quantity.bind(args, options)  # raises if an argument is missing or unknown
    return call.quantity.definition, call.results


def _results(quantity: Evaluable, row: Row, places: list[int] | None) -> list[Result]:
    """What the results are called, and their axes."""
    several = len(row.shapes) > 1 or quantity.returns_tuple
    names = row.letters if several else (row.name,)
    every = [
        Result(name, axes(quantity.robot, shape, row.all_joints), _attrs(quantity, row, unit))
        for name, shape, unit in zip(names, row.shapes, _units(row), strict=True)
    ]
    return every if places is None else [every[k] for k in places]


def _units(row: Row) -> tuple[str, ...]:
    """Units of each result, or of all if they are not told one by one."""
    units = row.unit.split("; ")
    count = len(row.shapes)
    each = len(units) == count and not any(unit.startswith("per unit") for unit in units)
    return tuple(units) if each else (row.unit,) * count


def _attrs(owner: Any, row: Row, unit: str) -> dict[str, Any]:
    """What is said about a result."""
    said = {"long_name": row.doc.removesuffix("."), "units": unit}
    system = system_of(owner.robot if isinstance(owner, Evaluable) else owner)
    if isinstance(system, System):
        said["robot"] = system.name
    if isinstance(owner, Evaluable) and owner.frame_index is not None:
        said["frame"] = system.model.frames[owner.frame_index].name
    return said


def _start(title: str, values: Mapping[str, Any], h: float | None) -> Any:
    """When a rollout starts, in seconds or as a stamp of NumPy's; None: nobody knows.

    By the coordinates of what is given over time, else by the time of q0, else at 0. h: the time of
    a step, if it is one for all.
    """
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
        return _time_of(values["q0"])
    stamps = times[0].to_numpy()
    if stamps.dtype.kind not in _TIMES:
        return None
    steps = np.diff(stamps)
    if steps.dtype.kind == "m":
        steps = steps / np.timedelta64(1, "s")
    if h is not None and not np.allclose(steps, h, rtol=_UNEVEN, atol=0.0):
        raise ArgumentError(
            f"{title}: coordinates along 'time' must be h = {h:g} s apart, found steps of"
            f" {steps.min():g} to {steps.max():g}; interpolate what is given, or drop them, with"
            " .drop_vars('time')"
        )
    return stamps[0]


def _time_of(q0: Any) -> Any:
    """The time of a state, where it is one for all and known by now; else 0."""
    if not isinstance(q0, xr.DataArray) or "time" not in q0.coords:
        return 0.0
    time = q0.coords["time"].data
    known = isinstance(time, (np.ndarray, np.generic)) and time.ndim == 0
    return np.asarray(time)[()] if known and time.dtype.kind in _TIMES else 0.0


def _stamps(start: Any, h: float, count: int) -> tuple[str, np.ndarray, dict[str, str]]:
    """Coordinates along time from `start` on, every h seconds; of stamps nobody gives a unit."""
    passed = np.arange(count) * h
    if isinstance(start, (np.datetime64, np.timedelta64)):
        whole = (1e9 * passed).round().astype("timedelta64[ns]")
        return "time", start + whole, {"long_name": "time"}
    return "time", start + passed, {"long_name": "time", "units": "s"}


def _number(h: Any) -> float | None:
    """The time of a step, if it is one for all and known by now."""
    h = h.data if isinstance(h, (xr.DataArray, xr.Variable)) else h
    known = isinstance(h, (float, int, np.generic, np.ndarray)) and np.ndim(h) == 0
    return float(h) if known else None


KIND = XarrayKind()
