"""A tape as functions of WebAssembly: one, or several that share a workspace if it is long.

Engines take functions of bounded size, and compile long ones slowly; V8 refuses beyond 7.6 MB.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jounce.compiler.graph.ops import ANGLES
from jounce.compiler.graph.passes import angle_values, angles_once, orders
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.function import Function
from jounce.compiler.targets.text import used_once
from jounce.compiler.targets.wasm.assembly import access, body, number, signed, unsigned
from jounce.compiler.targets.wasm.segment import Places, Segment, spellings

#: Most operations of a function.
SIZE = 3000

#: Zeros side by side that are filled in rather than stored one after the other.
_RUN = 6


@dataclass(frozen=True)
class Layout:
    """Where a function's arguments and results lie in memory, and what it takes in all: bytes.

    inputs, outputs: the addresses of the arguments and the results, in order.
    """

    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    end: int


@dataclass(frozen=True)
class Kernel:
    """Bodies of functions without arguments and results, to be run in order."""

    bodies: list[bytes]
    layout: Layout


def kernel(function: Function, functions: Mapping[str, int], start: int) -> Kernel:
    """The function's tape on memory from `start` on; functions: numbers of those it may call."""
    tape = function.tape
    inputs, at = _places([x.size for x in function.inputs], start)
    outputs, at = _places([x.size for x in function.outputs], at)
    first = at - 8 * len(tape.outputs)
    cut = _cut(tape, [x.size for x in function.outputs])
    places, end = _memory(tape, cut, start, first)
    spelled = spellings(sorted({*tape.ops} - {*ANGLES}), functions)
    rest = places, spelled, functions.get("$sincos", -1), used_once(tape), angle_values(tape)
    bodies = [Segment(tape, part, *rest).body() for part in cut]
    given = _given(tape, start, first)
    if given:
        bodies.append(body([], given))
    return Kernel(bodies, Layout(inputs, outputs, end))


def _places(sizes: Sequence[int], start: int) -> tuple[tuple[int, ...], int]:
    """Addresses of arrays of doubles, one after the other, and where they end."""
    found = []
    for size in sizes:
        found.append(start)
        start += 8 * size
    return tuple(found), start


def _cut(tape: Tape, results: Sequence[int]) -> list[list[int]]:
    """Operations in the order and the parts in which fewest values cross between parts."""
    if len(tape) <= SIZE:
        return [angles_once(tape, range(len(tape)))] if len(tape) else []
    ways = []
    for order in orders(tape, results):
        row = angles_once(tape, order)
        ways.append([row[k : k + SIZE] for k in range(0, len(row), SIZE)])
    return min(ways, key=lambda way: len(_crossing(tape, way)))


def _crossing(tape: Tape, cut: Sequence[Sequence[int]]) -> dict[int, tuple[int, int]]:
    """Values that parts other than their own take: the part that makes them, and the last."""
    home: dict[int, int] = {}
    pairs, n = angle_values(tape), tape.n_inputs
    found: dict[int, tuple[int, int]] = {}
    for k, part in enumerate(cut):
        for i in part:
            if tape.ops[i] in ANGLES:
                home |= dict.fromkeys(pairs[tape.lhs[i]].values(), k)
            else:
                home[n + i] = k
            for x in (tape.lhs[i], tape.rhs[i]):
                if home.get(x, k) != k:
                    found[x] = home[x], k
    return found


def _memory(tape: Tape, cut: Sequence[Sequence[int]], start: int, first: int) -> tuple[Places, int]:
    """Places of all values that lie in memory, and where memory ends.

    start, first: the addresses of the inputs and of the results.
    """
    loads = {x: start + 8 * x for x in range(tape.n_inputs)}
    stores: dict[int, list[int]] = {}
    for k, x in enumerate(tape.outputs):
        if x >= tape.n_inputs:
            stores.setdefault(x, []).append(first + 8 * k)
    loads |= {x: places[0] for x, places in stores.items()}
    end = first + 8 * len(tape.outputs)
    made: dict[int, list[int]] = {}
    gone: dict[int, list[int]] = {}
    for x, (home, last) in _crossing(tape, cut).items():
        if x not in stores:
            made.setdefault(home, []).append(x)
            gone.setdefault(last, []).append(x)
    free: list[int] = []
    for k in range(len(cut)):
        for x in made.get(k, ()):
            if not free:
                free.append(end)
                end += 8
            loads[x] = free.pop()
            stores[x] = [loads[x]]
        free += (loads[x] for x in gone.get(k, ()))
    return Places(loads, stores), end


def _given(tape: Tape, start: int, first: int) -> bytes:
    """Code that writes results which are no operation's: arguments, and constants."""
    out, k = bytearray(), 0
    values = [x if x >= 0 else tape.constants[-1 - x] for x in tape.outputs]
    while k < len(values):
        x, place = values[k], first + 8 * k
        run = k
        while run < len(values) and isinstance(values[run], float) and _zero(values[run]):
            run += 1
        if run - k >= _RUN:  # memory.fill
            out += b"\x41" + signed(place) + b"\x41\x00\x41" + signed(8 * (run - k))
            out += b"\xfc\x0b\x00"
            k = run
            continue
        if isinstance(x, float):
            out += b"\x41\x00" + number(x) + access(0x39, place)
        elif x < tape.n_inputs:
            out += b"\x41\x00\x41\x00" + access(0x2B, start + 8 * x) + access(0x39, place)
        k += 1
    return bytes(out)


def _zero(x: float) -> bool:
    """Whether all bits are zero, as those of -0.0 are not."""
    return number(x) == number(0.0)


def calls(numbers: Sequence[int]) -> bytes:
    """A body that calls functions of these numbers."""
    return body([], b"".join(b"\x10" + unsigned(k) for k in numbers))
