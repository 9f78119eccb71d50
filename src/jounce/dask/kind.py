"""Arrays of Dask given to a robot's quantities: `robot.inverse_dynamics(q, v, a)`, lazily."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import dask.array as da
import numpy as np
from dask.base import is_dask_collection

from jounce.dask.blocks import deferred
from jounce.dask.calls import Slots, bound, common_precision
from jounce.dask.tasks import Work, configured
from jounce.errors import ArgumentError, printable
from jounce.quantities.arrays import Shape, floating, plain, precision
from jounce.quantities.quantity import Evaluable
from jounce.quantities.signatures import OPTIONS

#: What to give instead of what Dask has besides arrays, by the name of its class.
_INSTEAD = {
    "DataFrame": "a table; give an array of its columns, with .to_dask_array(lengths=True)",
    "Series": "a column; give an array of it, with .to_dask_array(lengths=True)",
    "Delayed": "a delayed value; give dask.array.from_delayed(x, shape=..., dtype=...)",
    "Bag": "a bag; give an array, made with dask.array.from_delayed of its partitions",
}


class DaskKind:
    """Dask's arrays, which stay lazy."""

    name = "dask"

    def traced(self, x: Any) -> bool:
        """Always: the graph would be lost."""
        return True

    def called(self, quantity: Evaluable, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """The results as lazy arrays; each block is a call of the quantity, as it is."""
        title, names = quantity.title, [*quantity.__signature__.parameters]
        named = _without_numpys(title, named)
        given = {**dict(zip(names, args, strict=False)), **named}
        _refuse_others(title, given)
        call = bound(quantity, args, named)
        slots = Slots(title, quantity.robot.model, call.values, call.cores)
        places = tuple(slots.filled(name, x) for name, x in zip(names, args, strict=False))
        by_name = {name: slots.filled(name, x) for name, x in named.items()}
        work = Work(quantity, places, by_name, configured(), quantity.kernel.limit)
        asked = named.get("dtype")
        dtype = call.precision(given) if asked is None else floating(asked)
        dtypes = [dtype] * len(call.outputs)
        found = deferred(title, work, slots.operands, call.outputs, dtypes)
        return found if call.several else found[0]

    def rolled_out(self, robot: Any, values: dict[str, Any], further: dict[str, Any]) -> Any:
        """The rollout, lazily: each block is one of its own, over all of the time."""
        title = printable(f"{robot.name}.rollout")
        if further.pop("out", None) is not None:
            raise _no_option(title, "out")
        _refuse_others(title, values)
        shape = _over_time(title, values["taus"])
        cores = robot.rollout.cores(title, shape, further["policy"], further["steps"])
        if values["h"] is None:
            raise TypeError(f"{title}: argument 'h', the time of a step, is missing")
        robot.rollout.check(further["method"], further["friction"], further["limits"])
        values = {name: x for name, x in values.items() if x is not None}
        dtype = common_precision({k: x for k, x in values.items() if not _numbers(x)})
        # in blocks they would be arrays, which have a say in the precision
        values |= {
            name: np.asarray(plain(x, f"{title}: argument '{name}'"), dtype)
            for name, x in values.items()
            if _numbers(x)
        }
        slots = Slots(title, robot.model, values, cores)
        by_name = {name: slots.filled(name, x) for name, x in values.items()}
        work = Work(robot.rollout, (), {**by_name, **further}, configured())
        count = cores["taus"][0] + 1
        outputs = [(count, robot.nq), (count, robot.nv)]
        return deferred(title, work, slots.operands, outputs, [dtype] * 2)

    def method_called(
        self,
        method: Callable[..., Any],
        q: Any,
        named: dict[str, Any],
        cores: tuple[Shape, Shape],
        dtype: Any = None,
    ) -> Any:
        """A method of configurations, as `quantities.kinds.method_called` asks for it."""
        owner: Any = method.__self__  # pyright: ignore[reportFunctionMemberAccess]
        title = printable(f"{owner.name}.{method.__name__}")
        if named.pop("out", None) is not None:
            raise _no_option(title, "out")
        _refuse_others(title, {"q": q})
        if not isinstance(q._meta, np.ndarray):
            plain(q._meta, f"{title}: argument 'q'")  # refuses blocks that it could not take
        slots = Slots(title, owner.model, {"q": q}, {"q": cores[0]})
        work = Work(method, (slots.filled("q", q),), deepcopy(named), configured())
        gives = precision((q,)) if dtype is None else np.dtype(dtype)
        return deferred(title, work, slots.operands, [cores[1]], [gives])[0]


def _without_numpys(title: str, named: Mapping[str, Any]) -> dict[str, Any]:
    """What is given by name, without options that say nothing; NumPy's are refused, but dtype."""
    rest = {}
    for name, x in named.items():
        if name not in OPTIONS:
            rest[name] = x
        elif x is not OPTIONS[name]:
            if name != "dtype":
                raise _no_option(title, name)
            rest[name] = x
    return rest


def _no_option(title: str, name: str) -> TypeError:
    more = "; assign the result, or store it with da.store" if name == "out" else ""
    return TypeError(
        f"{title}: '{name}' is NumPy's, and arrays of Dask are not computed yet; leave it"
        f" away{more}"
    )


def _refuse_others(title: str, given: Mapping[str, Any]) -> None:
    """Refuse what Dask has besides arrays, or others have made of it."""
    for name, x in given.items():
        for part in x.values() if isinstance(x, Mapping) else (x,):
            if is_dask_collection(part) and not isinstance(part, da.Array):
                kinds = [base.__name__ for base in type(part).__mro__]
                known = [_INSTEAD[kind] for kind in kinds if kind in _INSTEAD]
                instead = known[0] if known else "no array of Dask; give one"
                raise TypeError(f"{title}: argument '{name}' ({kinds[0]}) is {instead}")


def _over_time(title: str, taus: Any) -> Any:
    """The shape of forces over time, if they are given."""
    if taus is None:
        return None
    shape = taus.shape if isinstance(taus, da.Array) else np.shape(taus)
    if any(math.isnan(n) for n in shape[-2:]):
        raise ArgumentError(
            f"{title}: argument 'taus' must have shape (..., T, nv), found {shape}: nobody knows"
            " the number of steps; call its compute_chunk_sizes() first"
        )
    return shape


def _numbers(x: Any) -> bool:
    """Whether an argument of a rollout is without a precision of its own."""
    return not isinstance(x, (da.Array, np.ndarray, Mapping))


KIND = DaskKind()
