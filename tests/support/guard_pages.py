"""Calls whose operands lie against forbidden memory, as a process of its own:

    python guard_pages.py CALLS [long] [FIRST]

Every operand gets pages of its own with forbidden ones before and after it, and touches one of
them. Inputs are read-only; what lies between the entries of an output must stay as it was. Layouts,
batches, dtypes and ways of giving `out` are drawn at random, call by call from a seed of its own,
and every result must have the bits of a call on plain copies. A touch of the wrong byte ends the
process; the last line of the log names the call. Prints the counts as JSON.
"""

from __future__ import annotations

import ctypes
import json
import math
import mmap
import os
import random
import sys
import warnings
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

import jounce
from jounce.arrays.bound_quantity import BoundQuantity
from jounce.robot import Robot
from support.helpers import chain, quiet_read, random_argument, small_model

PAGE = mmap.PAGESIZE
CANARY = 0xA5
WORKERS = 3
#: Largest total size of a result's batch.
LARGEST = 70

NAMES = (
    *("mass_matrix", "inverse_dynamics", "kinetic_energy", "inverse_dynamics.rates(2)"),
    "equations_of_motion",
)
MORE = (
    *("forward_dynamics", "mass_matrix.dq", "coriolis_matrix.dt", "inverse_dynamics.dpi"),
    *("momentum", "potential_energy.dq", "parametric.inverse_dynamics", "inverse_dynamics.dq"),
)


# ------------------------------------------------------------------ memory


LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
#: The same numbers on every POSIX system.
FORBIDDEN, READ_ONLY = 0, 1


def protect(address: int, size: int, flags: int) -> None:
    if size and LIBC.mprotect(address, size, flags):
        raise OSError(ctypes.get_errno(), "mprotect")


@dataclass(frozen=True)
class Layout:
    """Shape, strides in bytes, where the first entry is and how many bytes are spanned."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    size: int

    def array(self, buffer: Any, dtype: Any) -> np.ndarray:
        return np.ndarray(self.shape, dtype, buffer, self.offset, self.strides)


def layout(rng: random.Random, shape: Sequence[int], itemsize: int, plain: bool) -> Layout:
    """C order if plain, else any order of axes with gaps between entries and steps backwards."""
    order = list(range(len(shape)))[::-1]
    if not plain:
        rng.shuffle(order)
    strides, step = [0] * len(shape), itemsize
    for axis in order:
        if not plain:
            step = step * rng.choice((1, 1, 2, 3)) + itemsize * rng.choice((0, 0, 1, 5))
        strides[axis] = step * (1 if plain else rng.choice((1, 1, -1)))
        step *= max(shape[axis], 1)
    if 0 in shape:
        return Layout(tuple(shape), tuple(strides), 0, 0)
    spans = [stride * (n - 1) for stride, n in zip(strides, shape, strict=True)]
    offset = -sum(span for span in spans if span < 0)
    return Layout(tuple(shape), tuple(strides), offset, sum(map(abs, spans)) + itemsize)


class Operand:
    """An array between forbidden pages, its first or its last byte next to one.

    Arrays that are not plain may be unaligned, a few bytes away from that page.
    """

    def __init__(self, rng: random.Random, values: np.ndarray, plain: bool) -> None:
        self._layout = layout(rng, values.shape, values.itemsize, plain)
        size = self._layout.size
        shift = 0 if plain or rng.random() < 0.7 else rng.randrange(1, 9)
        room = -(-(size + shift) // PAGE) * PAGE
        self._map = mmap.mmap(-1, room + 2 * PAGE)
        base = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        for page in (base, base + PAGE + room):
            protect(page, PAGE, FORBIDDEN)
        self._inner = (base + PAGE, room)
        self._start = room - size - shift if rng.random() < 0.5 else shift
        self._bytes()[:] = CANARY
        place = (ctypes.c_uint8 * size).from_address(base + PAGE + self._start)
        self.array = self._layout.array(place, values.dtype)
        self.array[...] = values

    def _bytes(self) -> np.ndarray:
        """All bytes that may be touched."""
        address, size = self._inner
        return np.frombuffer((ctypes.c_uint8 * size).from_address(address), np.uint8)

    def seal(self) -> None:
        """No more writing."""
        protect(*self._inner, READ_ONLY)

    def intact(self) -> bool:
        """Whether all bytes beside the array's entries are as they were."""
        own = np.zeros(self._layout.size, np.uint8)
        entries = self._layout.array(own, f"u{self.array.itemsize}")
        entries[...] = np.iinfo(entries.dtype).max
        free = np.ones(self._inner[1], bool)
        free[self._start : self._start + len(own)] = own == 0
        return bool((self._bytes()[free] == CANARY).all())


# ------------------------------------------------------------------ calls


Item = tuple[Robot, BoundQuantity]


def robots(long: bool) -> list[Robot]:
    """What is called; long: with the robots and quantities that take a while to compile."""
    few = [Robot(quiet_read("planar_2r")), Robot(chain(("spherical", "prismatic")))]
    return (
        [*few, Robot(small_model()), Robot(quiet_read("iiwa14_mueller_kumar2021"))] if long else few
    )


def quantities(long: bool) -> list[Item]:
    """Every quantity to call with its robot, compiled for both dtypes."""
    out: list[Item] = []
    for robot in robots(long):
        names = (*NAMES, *(MORE if long else ()), f"frame({robot.model.frame_names[-1]}).pose")
        out += [(robot, robot.quantity(name)) for name in names]
    for _, quantity in out:
        for char in "df":
            quantity.warmup(char)
    return out


def value(
    robot: Robot, name: str, core: tuple[int, ...], rng: np.random.Generator, batch: Any
) -> np.ndarray:
    """A valid value of an argument for a batch."""
    if name == "pi":
        return np.broadcast_to(robot.model.parameters, (*batch, *core))
    return random_argument(name, robot, rng, batch)


def batch_shape(rng: random.Random) -> tuple[int, ...]:
    axes = rng.choice((0, 0, 1, 1, 1, 2))
    first = rng.choice((0, 1, 2, 3, rng.randint(0, LARGEST)))
    return (first, rng.randint(0, LARGEST // max(first, 1)))[:axes]


def part_of(rng: random.Random, batch: tuple[int, ...]) -> tuple[int, ...]:
    """The batch of one argument: fewer axes, or ones that broadcast."""
    if rng.random() < 0.6:
        return batch
    kept = batch[rng.randint(0, len(batch)) :]
    return tuple(1 if rng.random() < 0.3 else n for n in kept)


@dataclass
class Call:
    """One call with all its operands, and what plain copies give."""

    item: BoundQuantity
    inputs: list[Operand]
    outputs: list[Operand]
    wanted: list[np.ndarray]
    named: bool

    def wrong(self) -> str | None:
        """Run it; what is wrong with it, if anything."""
        given = [operand.array for operand in self.inputs]
        into = tuple(operand.array for operand in self.outputs)
        out = {"out": into if len(into) > 1 else into[0]} if into else {}
        if self.named:
            found = self.item(**dict(zip(self.item.kernel.arguments, given, strict=True)), **out)
        else:
            found = self.item(*given, **out)
        results = found if isinstance(found, tuple) else (found,)
        for result, target in zip(results, into, strict=False):
            if result is not target:
                return "the result is not what was given as out"
        for result, wanted in zip(results, self.wanted, strict=True):
            if np.shape(result) != wanted.shape or not np.array_equal(result, wanted):
                return f"result {np.shape(result)} differs from that of plain copies"
        if not all(operand.intact() for operand in self.outputs):
            return "bytes beside the entries of out were written"
        return None


def drawn(robot: Robot, item: BoundQuantity, rng: random.Random) -> Call:
    """A call on operands drawn at random."""
    numbers = np.random.default_rng(rng.randrange(1 << 30))
    batch, plain = batch_shape(rng), rng.random() < 0.35
    chars = rng.choice(("d", "d", "f", "df"))
    inputs = []
    for name, core in zip(item.kernel.arguments, item.kernel.inputs, strict=True):
        values = value(robot, name, core, numbers, part_of(rng, batch))
        inputs.append(Operand(rng, values.astype(rng.choice(chars)), plain))
        inputs[-1].seal()
    copies = [np.array(operand.array, order="C") for operand in inputs]
    results = item(*copies)
    wanted = [np.asarray(x) for x in (results if isinstance(results, tuple) else (results,))]
    outputs = []
    if rng.random() < 0.6:
        outputs = [Operand(rng, np.zeros_like(x), plain) for x in wanted]
    if rng.random() < 0.2:  # axes that repeat their only entry
        full = wanted[0].shape[: wanted[0].ndim - len(item.kernel.outputs[0])]
        for operand, core in zip(inputs, item.kernel.inputs, strict=True):
            operand.array = np.broadcast_to(operand.array, full + core)
    return Call(item, inputs, outputs, wanted, rng.random() < 0.3)


# ------------------------------------------------------------------ all of it


def run(items: Sequence[Item], numbers: Sequence[int], log: int) -> Counter[str]:
    """The calls of these numbers; `log` is a file descriptor."""
    done: Counter[str] = Counter()
    for number in numbers:
        rng = random.Random(number)
        robot, item = rng.choice(items)
        call = drawn(robot, item, rng)
        arrays = [operand.array for operand in (*call.inputs, *call.outputs)]
        given = [(x.shape, x.strides, x.dtype.char) for x in arrays]
        title = f"call {number}: {item.title} on {given}"
        os.write(log, f"{title}\n".encode())
        found = call.wrong()
        done["calls"] += 1
        done["with out"] += bool(call.outputs)
        done["single"] += call.wanted[0].ndim == len(item.kernel.outputs[0])
        done["empty"] += math.prod(call.wanted[0].shape) == 0
        if found:
            raise AssertionError(f"{title}: {found}")
    return done


def main() -> None:
    count, long = int(sys.argv[1]), "long" in sys.argv
    first = int(sys.argv[-1]) if len(sys.argv) > 2 and sys.argv[-1].isdigit() else 0
    warnings.simplefilter("ignore")
    jounce.set_num_threads(2)
    items = quantities(long)
    for _, item in items[::2]:
        item.kernel.compile("d").large = 200  # every other one divides its batches among threads
    log = os.open("guard_pages.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_TRUNC, 0o600)
    done: Counter[str] = Counter()
    parts = [range(first + k, first + count, WORKERS) for k in range(WORKERS)]
    with ThreadPoolExecutor(WORKERS) as pool:
        for found in pool.map(lambda part: run(items, part, log), parts):
            done += found
    print(json.dumps(done))


if __name__ == "__main__":
    main()
