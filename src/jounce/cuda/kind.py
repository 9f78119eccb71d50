"""Arrays on CUDA given to a robot's quantities: `robot.inverse_dynamics(q, v, a)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from jounce.cuda import exchange, own_library, rollout
from jounce.cuda.cupy_library import cupy_library
from jounce.cuda.functions import CudaFunction
from jounce.cuda.library import CudaLibrary
from jounce.errors import printable
from jounce.frameworks.kinds import LibraryKind
from jounce.process.once import entry
from jounce.quantities.arrays import on_cuda
from jounce.quantities.quantity import Evaluable
from jounce.quantities.signatures import OPTIONS


class CudaKind(LibraryKind):
    """CuPy's arrays and, if none is CuPy's, those of whoever says where they lie on CUDA."""

    name = "cuda"
    lost = "arrays on CUDA have no such option"

    def function(self, quantity: Evaluable) -> CudaFunction:
        """The quantity on arrays of whichever library."""
        return _function(quantity, own_library.LIBRARY)

    def traced(self, x: Any) -> bool:
        """They have nothing but values."""
        return False

    def called(self, quantity: Evaluable, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """The results on the device, as arrays of the library, or in those of `out`."""
        if not named and len(args) == quantity._needed:
            function = vars(quantity).get("_on_cupy")
            if function is not None and {*map(type, args)} == {function.kind}:
                found = function.at_once(args)
                if found is not None:
                    return found
        title = quantity.title
        asked = [x for x in named if x in OPTIONS and x != "out" and named[x] is not OPTIONS[x]]
        if asked:
            raise TypeError(f"{title}: '{asked[0]}' is for NumPy arrays, and {self.lost}; omit it")
        named = {name: x for name, x in named.items() if name not in OPTIONS or name == "out"}
        given = list(_parts((*args, *named.values())))
        if any(map(_cupys, given)):
            library = cupy_library()
            values, others = _mapped(args, named, lambda x, _: library.taken(x))
            return _function(quantity, library)(*values, **others)
        return self._by_exchange(quantity, args, named, given)

    def _by_exchange(
        self, quantity: Evaluable, args: tuple[Any, ...], named: dict[str, Any], given: list[Any]
    ) -> Any:
        """The call on arrays that are taken from their library, and results given to it."""
        stream, out = exchange.stream_of(given), named.pop("out", None)

        def take(x: Any, name: str) -> Any:
            return exchange.taken(x, stream, f"{quantity.title}: argument '{name}'")

        values, others = _mapped(args, named, take, quantity.definition.arguments)
        found = _function(quantity, own_library.LIBRARY)(*values, out=out, **others)
        exchange.let_go(given, stream)
        like = next(x for x in given if on_cuda(x))
        back = lambda x: exchange.returned(x, like) if own_library.LIBRARY.owns(x) else x  # noqa: E731
        return tuple(map(back, found)) if isinstance(found, tuple) else back(found)

    def rolled_out(self, robot: Any, values: dict[str, Any], further: dict[str, Any]) -> Any:
        """Steps on the device, one after the other."""
        self._refuse_numpys(robot, further)
        given = list(_parts(values.values()))
        if any(map(_cupys, given)):
            library = cupy_library()
            values = _mapped((), values, lambda x, _: library.taken(x))[1]
            return rollout.rolled(library, robot, values, further)
        stream, title = exchange.stream_of(given), printable(robot.name)

        def take(x: Any, name: str) -> Any:
            return exchange.taken(x, stream, f"{title}.rollout: argument '{name}'")

        like = next(x for x in given if on_cuda(x))
        own = rollout.rolled(own_library.LIBRARY, robot, _mapped((), values, take)[1], further)
        exchange.let_go(given, stream)
        return tuple(exchange.returned(x, like) for x in own)


def _function(quantity: Evaluable, library: CudaLibrary) -> CudaFunction:
    """A quantity on arrays of a library, made once."""
    make = lambda: CudaFunction(quantity, library)  # noqa: E731
    return entry(vars(quantity), f"_on_{library.name}", make)


def _cupys(x: Any) -> bool:
    """Whether an object is of CuPy, which need not be imported to tell."""
    return any(base.__module__.partition(".")[0] == "cupy" for base in type(x).__mro__)


def _parts(given: Iterable[Any]) -> Iterable[Any]:
    """Arguments, and what those are made of that are given by frame, or as a tuple for results."""
    for x in given:
        if isinstance(x, Mapping):
            yield from x.values()
        elif isinstance(x, tuple):
            yield from x
        else:
            yield x


def _mapped(
    args: tuple[Any, ...],
    named: dict[str, Any],
    take: Callable[[Any, str], Any],
    names: tuple[str, ...] = (),
) -> tuple[list[Any], dict[str, Any]]:
    """Arguments with those on CUDA taken by a library; take: of an array and its name."""

    def one(x: Any, name: str) -> Any:
        if isinstance(x, Mapping):
            return {frame: one(part, f"{name}[{frame!r}]") for frame, part in x.items()}
        return take(x, name) if on_cuda(x) else x

    places = [*names, *map(str, range(len(names), len(args)))]
    values = [one(x, name) for x, name in zip(args, places, strict=False)]
    return values, {name: x if name == "out" else one(x, name) for name, x in named.items()}


KIND = CudaKind()
