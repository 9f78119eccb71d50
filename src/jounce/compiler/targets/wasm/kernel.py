"""A tape as functions of WebAssembly: one, or several that share a workspace if it is long.

Engines limit the size of functions, and compile long ones slowly; V8 refuses those over 7.6 MB.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jounce.compiler.graph.ops import ANGLES
from jounce.compiler.graph.passes import angle_values, angles_once, orders
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.function import Function
from jounce.compiler.targets.text import used_once
from jounce.compiler.targets.wasm.assembly import (
    access,
    body,
    encode_signed,
    encode_unsigned,
    number,
)
from jounce.compiler.targets.wasm.segment import Places, Segment, encode_operations

#: Largest number of operations of a function.
MAX_OPERATIONS = 3000

#: Number of consecutive zeros from which on `memory.fill` is used instead of stores.
_MIN_FILL = 6


@dataclass(frozen=True)
class Layout:
    """Memory layout of a function, in bytes.

    inputs, outputs: the addresses of the arguments and the results, in order. end: of all its
    memory.
    """

    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    end: int


@dataclass(frozen=True)
class Kernel:
    """Bodies of functions without arguments and results, to be called in order."""

    bodies: list[bytes]
    layout: Layout


def kernel(function: Function, functions: Mapping[str, int], start: int) -> Kernel:
    """Compile a function for memory from `start` on; functions: numbers of those it may call."""
    tape = function.tape
    inputs, first = _places([x.size for x in function.inputs], start)
    outputs, _ = _places([x.size for x in function.outputs], first)
    cut = _divide_operations(tape, [x.size for x in function.outputs])
    places, end = _memory(tape, cut, start, first)
    encoded = encode_operations(sorted({*tape.ops} - {*ANGLES}), functions)
    sincos = functions.get("$sincos", -1)
    common = places, encoded, sincos, used_once(tape), angle_values(tape)
    bodies = [Segment(tape, part, *common).body() for part in cut]
    copies = _copy_uncomputed(tape, start, first)
    if copies:
        bodies.append(body([], copies))
    return Kernel(bodies, Layout(inputs, outputs, end))


def _places(sizes: Sequence[int], start: int) -> tuple[tuple[int, ...], int]:
    """Return addresses of arrays of doubles, one after the other, and where they end."""
    addresses = []
    for size in sizes:
        addresses.append(start)
        start += 8 * size
    return tuple(addresses), start


def _divide_operations(tape: Tape, results: Sequence[int]) -> list[list[int]]:
    """Divide operations into parts, in the order in which the fewest values cross between parts."""
    if len(tape) <= MAX_OPERATIONS:
        return [angles_once(tape, range(len(tape)))] if len(tape) else []
    candidates = []
    for order in orders(tape, results):
        row = angles_once(tape, order)
        candidates.append([row[k : k + MAX_OPERATIONS] for k in range(0, len(row), MAX_OPERATIONS)])
    return min(candidates, key=lambda cut: len(_crossing(tape, cut)))


def _crossing(tape: Tape, cut: Sequence[Sequence[int]]) -> dict[int, tuple[int, int]]:
    """Return the values that other parts read: {value: (part that computes it, last reader)}."""
    home: dict[int, int] = {}
    pairs, n = angle_values(tape), tape.n_inputs
    crossing: dict[int, tuple[int, int]] = {}
    for k, part in enumerate(cut):
        for i in part:
            if tape.ops[i] in ANGLES:
                home |= dict.fromkeys(pairs[tape.lhs[i]].values(), k)
            else:
                home[n + i] = k
            for x in (tape.lhs[i], tape.rhs[i]):
                if home.get(x, k) != k:
                    crossing[x] = home[x], k
    return crossing


def _memory(tape: Tape, cut: Sequence[Sequence[int]], start: int, first: int) -> tuple[Places, int]:
    """Return the places of all values in memory, and where memory ends.

    start, first: the addresses of the inputs and of the results.
    """
    loads = {x: start + 8 * x for x in range(tape.n_inputs)}
    stores: dict[int, list[int]] = {}
    for k, x in enumerate(tape.outputs):
        if x >= tape.n_inputs:
            stores.setdefault(x, []).append(first + 8 * k)
    loads |= {x: places[0] for x, places in stores.items()}
    end = first + 8 * len(tape.outputs)
    computed: dict[int, list[int]] = {}
    dead: dict[int, list[int]] = {}
    for x, (home, last) in _crossing(tape, cut).items():
        if x not in stores:
            computed.setdefault(home, []).append(x)
            dead.setdefault(last, []).append(x)
    free: list[int] = []
    for k in range(len(cut)):
        for x in computed.get(k, ()):
            if not free:
                free.append(end)
                end += 8
            loads[x] = free.pop()
            stores[x] = [loads[x]]
        free += (loads[x] for x in dead.get(k, ()))
    return Places(loads, stores), end


def _copy_uncomputed(tape: Tape, start: int, first: int) -> bytes:
    """Return code that writes results which are arguments or constants."""
    out, k = bytearray(), 0
    values = [x if x >= 0 else tape.constants[-1 - x] for x in tape.outputs]
    while k < len(values):
        x, place = values[k], first + 8 * k
        run = k
        while run < len(values) and isinstance(values[run], float) and _is_zero(values[run]):
            run += 1
        if run - k >= _MIN_FILL:  # memory.fill
            out += b"\x41" + encode_signed(place) + b"\x41\x00\x41" + encode_signed(8 * (run - k))
            out += b"\xfc\x0b\x00"
            k = run
            continue
        if isinstance(x, float):
            out += b"\x41\x00" + number(x) + access(0x39, place)
        elif x < tape.n_inputs:
            out += b"\x41\x00\x41\x00" + access(0x2B, start + 8 * x) + access(0x39, place)
        k += 1
    return bytes(out)


def _is_zero(x: float) -> bool:
    """Return whether all bits are zero, unlike those of -0.0."""
    return number(x) == number(0.0)


def calls(numbers: Sequence[int]) -> bytes:
    """Return a body that calls functions of these numbers."""
    return body([], b"".join(b"\x10" + encode_unsigned(k) for k in numbers))
