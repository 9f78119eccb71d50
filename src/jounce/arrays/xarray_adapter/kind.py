"""Calls of quantities with `xarray.DataArray`: `robot.inverse_dynamics(q, v, a)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jounce.arrays.bound_quantity import BoundQuantity
from jounce.arrays.protocol import QuantityProtocol
from jounce.arrays.xarray_adapter.axes import axes, system_of
from jounce.arrays.xarray_adapter.named_calls import Result, apply_named
from jounce.arrays.xarray_adapter.times import start_time, step_of, time_coordinates
from jounce.catalog.quantity import AnyQuantity
from jounce.errors import printable

#: NumPy options about axes and memory.
_REFUSED = ("out", "axes", "axis", "signature")

#: Shapes of the arguments of rollouts.
_ROLLOUT: dict[str, tuple[int | str, ...]] = {
    "q0": ("nq",),
    "v0": ("nv",),
    "taus": ("time", "nv"),
    "h": (),
    "wrenches": ("time", "nb", 6),
}


class XarrayKind:
    """Calls with DataArrays and Variables, whose results are DataArrays."""

    name = "xarray"

    #: DataArrays contain arrays of other libraries, so this kind takes precedence.
    holds_others = True

    def is_traced(self, x: Any) -> bool:
        """Return True: reading values would lose the names."""
        return True

    def call(
        self, quantity: QuantityProtocol, args: tuple[Any, ...], options: dict[str, Any]
    ) -> Any:
        """Return the named results of a quantity."""
        title, robot = quantity.title, quantity.robot
        options = _without_numpy_options(title, options)
        bound = quantity.bind(args, options)
        definition = bound.quantity.definition
        values = dict(zip(quantity.__signature__.parameters, args, strict=False)) | options
        known = {*definition.arguments, *definition.optional, *definition.base} & values.keys()
        cores = {x: axes(robot, definition.argument(x).shape, definition.all_joints) for x in known}
        names = definition.result_names if bound.returns_tuple else (definition.name,)
        results = [
            Result(
                name,
                axes(robot, shape, definition.all_joints),
                _attributes(quantity, definition, unit),
            )
            for name, shape, unit in zip(names, definition.shapes, _units(definition), strict=True)
        ]
        results = results if bound.results is None else [results[k] for k in bound.results]
        named = apply_named(title, values, cores, results, quantity)
        return named if bound.returns_tuple else named[0]

    def roll_out(self, robot: Any, values: dict[str, Any], further: dict[str, Any]) -> Any:
        """Return configurations and velocities over the dimension "time"."""
        title = f"{printable(robot.name)}.rollout"
        further = _without_numpy_options(title, further)
        step = robot.quantity("step").definition
        results = [
            Result(name, axes(robot, ("time", size)), _attributes(robot, step, unit))
            for name, size, unit in zip("qv", ("nq", "nv"), _units(step), strict=True)
        ]
        cores = {name: axes(robot, shape) for name, shape in _ROLLOUT.items()}
        h = step_of(values["h"])
        start = start_time(title, values, h)
        states = apply_named(title, values | further, cores, results, robot.rollout)
        if start is None or h is None:
            return states
        times = time_coordinates(start, h, states[0].sizes["time"])
        return tuple(x.assign_coords(time=times) for x in states)

    def call_method(
        self,
        method: Callable[..., Any],
        q: Any,
        named: dict[str, Any],
        cores: tuple[Any, Any],
        dtype: Any = None,
    ) -> Any:
        """Return the result of a method of configurations; see `arrays.kinds.call_method`."""
        owner: Any = method.__self__.robot  # pyright: ignore[reportFunctionMemberAccess]
        title = printable(f"{owner.name}.limits.{method.__name__}")
        values = {"q": q, **_without_numpy_options(title, named)}
        core = axes(owner, ("nq",))
        result = Result(method.__name__, core if cores[1] else (), {"robot": owner.name})
        return apply_named(title, values, {"q": core}, [result], method)[0]


def _without_numpy_options(title: str, options: dict[str, Any]) -> dict[str, Any]:
    """Remove NumPy options about axes and memory; an error unless they are None."""
    for name in _REFUSED:
        if options.get(name) is not None:
            raise TypeError(
                f"{title}: '{name}' is an option for NumPy arrays, found labeled arrays; omit it,"
                " or pass .values of the labeled arguments"
            )
    return {name: x for name, x in options.items() if name not in _REFUSED}


def _units(definition: AnyQuantity) -> tuple[str, ...]:
    """Return the unit of each result, or that of all if they are not listed separately."""
    units = definition.unit.split("; ")
    count = len(definition.shapes)
    each = len(units) == count and not any(unit.startswith("per unit") for unit in units)
    return tuple(units) if each else (definition.unit,) * count


def _attributes(owner: Any, definition: AnyQuantity, unit: str) -> dict[str, Any]:
    """Return the attributes of a result."""
    attributes = {"long_name": definition.doc.removesuffix("."), "units": unit}
    system = system_of(owner.robot if isinstance(owner, BoundQuantity) else owner)
    if getattr(system, "is_system", False):
        attributes["robot"] = system.name
    if isinstance(owner, BoundQuantity) and owner.frame_index is not None:
        attributes["frame"] = system.model.frames[owner.frame_index].name
    return attributes


KIND = XarrayKind()
