"""Calls of quantities with arrays on CUDA: `robot.inverse_dynamics(q, v, a)`."""

from __future__ import annotations

from typing import Any

from jounce.arrays.cupy_adapter import foreign
from jounce.arrays.cupy_adapter.cupy_library import cupy_library
from jounce.arrays.cupy_adapter.functions import CudaFunction
from jounce.arrays.cupy_adapter.rollout import roll_out
from jounce.arrays.frameworks.kinds import LibraryKind
from jounce.arrays.protocol import QuantityProtocol
from jounce.arrays.signatures import OPTIONS
from jounce.errors import printable
from jounce.utils.once import entry


class CudaKind(LibraryKind):
    """CuPy arrays, and CUDA arrays of libraries that have no adapter."""

    name = "cuda"
    lost = "arguments are on CUDA"

    def function(self, quantity: QuantityProtocol) -> CudaFunction:
        """Return the quantity as a function of CuPy's arrays, made once."""
        make = lambda: CudaFunction(quantity, cupy_library())  # noqa: E731
        return entry(quantity.cache, "cupy", make)

    def is_traced(self, x: Any) -> bool:
        """Return False: CuPy arrays carry only values."""
        return False

    def call(self, quantity: QuantityProtocol, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Call a quantity on the device; see `foreign.call` for arrays of other libraries."""
        refused = [x for x in named if x in OPTIONS and x != "out" and named[x] is not OPTIONS[x]]
        if refused:
            raise TypeError(
                f"{quantity.title}: '{refused[0]}' is for NumPy arrays, and {self.lost}; omit it"
            )
        named = {name: x for name, x in named.items() if name not in OPTIONS or name == "out"}
        if foreign.any_foreign((*args, *named.values())):
            names = [*quantity.__signature__.parameters, *map(str, range(len(args)))]
            by_name = dict(zip(names, args, strict=False))
            return foreign.call(quantity, quantity.title, by_name, named)
        function = self.function(quantity)
        results = function(*args, **named)
        plain = len(args) == len(quantity.definition.arguments) and named.keys() <= {"out"}
        if plain and {*map(type, args)} == {function.array_type}:
            # the calls of quantities try these first
            entry(quantity.cache, function.array_type, lambda: function.find_direct(args))
        return results

    def roll_out(self, robot: Any, values: dict[str, Any], further: dict[str, Any]) -> Any:
        """Roll out a robot on the device."""
        self.refuse_numpy_options(robot, further)
        if foreign.any_foreign(values.values()):
            title = f"{printable(robot.name)}.rollout"
            return foreign.call(robot.rollout, title, values, further)
        return roll_out(cupy_library(), robot, values, further)


KIND = CudaKind()
