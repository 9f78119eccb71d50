"""A call with arrays of Dask: what is called in the end, and what of it comes in blocks."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import dask.array as da
import numpy as np

from jounce.catalog.arguments import by_frame
from jounce.catalog.elastic import DRIVES
from jounce.dask.chunks import Operand, checked
from jounce.dask.tasks import Slot
from jounce.model.model import Model
from jounce.quantities.arrays import Shape, plain, precision
from jounce.quantities.quantity import Evaluable
from jounce.quantities.wrenches import pushed_frame


@dataclass(frozen=True)
class Bound:
    """A call with all that options choose chosen.

    values, cores: arguments of the kernel by name, with their core shapes. outputs: core shapes of
    the results. silent: arguments that have no say in the precision.
    """

    values: dict[str, Any]
    cores: dict[str, Shape]
    outputs: list[Shape]
    several: bool
    silent: tuple[str, ...]

    def precision(self, given: Mapping[str, Any]) -> np.dtype[Any]:
        """What results are in, of arguments as they are given."""
        named = {k: x for k, x in given.items() if k in self.cores and k not in self.silent}
        return common_precision(named)


def bound(quantity: Evaluable, args: tuple[Any, ...], named: dict[str, Any]) -> Bound:
    """The call that a call with options is; nothing is traced or compiled for it."""
    silent = tuple(DRIVES) if "stiffness" in quantity.definition.arguments else ()
    call = quantity.bind(args, dict(named))
    outputs = list(call.kernel.outputs)
    if call.results is not None:
        outputs = [outputs[k] for k in call.results]
    cores = dict(zip(call.names, call.kernel.inputs, strict=True))
    return Bound(call.given, cores, outputs, call.returns_tuple, silent)


def common_precision(given: Mapping[str, Any]) -> np.dtype[Any]:
    """What results are in; Python's own numbers, and what is not given, have no say in it."""
    return precision(
        np.empty(0, _dtype(x, name))
        for name, x in given.items()
        if x is not None and type(x) not in (float, int, bool)
    )


def _dtype(x: Any, name: str) -> np.dtype[Any]:
    """What numbers an argument has; wrenches by frame have those of their sum."""
    if isinstance(x, Mapping):
        return precision(np.empty(0, _dtype(part, name)) for part in x.values())
    return x.dtype if isinstance(x, da.Array) else plain(x, f"argument '{name}'").dtype


class Slots:
    """Arguments of a call, of which those that come in blocks get slots.

    values, cores: what arguments are after all, by name, and the core shapes they must have.
    """

    def __init__(
        self, title: str, model: Model, values: Mapping[str, Any], cores: Mapping[str, Shape]
    ) -> None:
        self._title, self._model = title, model
        self._values, self._cores = values, cores
        self.operands: list[Operand] = []

    def filled(self, name: str, x: Any) -> Any:
        """An argument as the work has it: a slot, or what it is, if that is the same for all."""
        name = self._known(name, x)
        if name not in self._values:
            return x
        core, value = self._cores[name], self._values[name]
        what = f"{self._title}: argument '{name}'"
        if not (isinstance(x, Mapping) and by_frame(name)):
            operand = checked(x if isinstance(x, da.Array) else value, name, what, core)
            return self._slot(x, operand)
        found, core = {}, (*core[:-2], core[-1])
        for frame, part in x.items():
            pushed_frame(self._model, frame, what)
            where = f"[{frame!r}]"
            found[frame] = self._slot(part, checked(part, name + where, what + where, core))
        return found

    def _slot(self, given: Any, operand: Operand) -> Any:
        if not isinstance(operand.array, da.Array) and not operand.batch:
            # numbers that bring no precision stay such; arrays of others go by their values; all as
            # they are now, whatever becomes of them until they are used
            plain_numbers = isinstance(given, (float, int, list, tuple))
            return deepcopy(given) if plain_numbers else np.array(operand.array)
        self.operands.append(operand)
        return Slot(len(self.operands) - 1)

    def _known(self, name: str, x: Any) -> str:
        """The name that the kernel has for an argument."""
        if name in self._values or not isinstance(x, da.Array):
            return name
        found = [own for own, value in self._values.items() if value is x]
        if not found:
            raise TypeError(
                f"{self._title}: '{name}' is no array; arrays are {', '.join(self._cores)}"
            )
        return found[0]
