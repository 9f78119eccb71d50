"""A driver of CUDA that is made up: it records launches, and computes them as NumPy does.

Machine code calls it by addresses, as it calls the real one. A function is a number.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jounce.arrays.frameworks.operators import Operator
from jounce.runtime.cuda import Launch

_int, _pointer = ctypes.c_int, ctypes.c_void_p

#: The one stream, and the context that it belongs to.
STREAM, CONTEXT = 0x5EA, 0xC0

#: What the driver says of errors.
WORDS = {701: b"too many resources requested for launch", 719: 200 * b"far too long "}


@dataclass(frozen=True)
class Program:
    """How a kernel wants to be launched."""

    samples: int = 64
    groups: int = 3
    threads: int = 128
    shared: int = 70_000


@dataclass(frozen=True)
class Launcher:
    """What the runtime gives for an operator in one precision on a device."""

    function: int
    operator: Operator
    char: str
    device: int
    program: Program
    kept: list[bool] = field(default_factory=list)

    @property
    def launches(self) -> Launch:
        """How its only kernel wants to be launched."""
        made = self.program
        return Launch(self.function, made.samples, made.groups, made.threads, made.shared, None)

    def keep(self) -> None:
        """Somebody holds the function for good."""
        self.kept.append(True)


@dataclass(frozen=True)
class Launched:
    """What the driver was asked for."""

    launcher: Launcher
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int
    stream: int
    context: int
    steps: tuple[int, ...]
    samples: int


@dataclass
class Driver:
    """A driver of CUDA whose devices compute as NumPy does."""

    launchers: dict[int, Launcher] = field(default_factory=dict)
    launches: list[Launched] = field(default_factory=list)
    contexts: list[int] = field(default_factory=lambda: [CONTEXT])  # a stack
    device: int = 0
    status: int = 0  # of launches
    silent: bool = False  # does not tell a stream's context

    def launcher(self, inner: Operator, char: str, device: int) -> Launcher:
        """As the runtime does, one for each precision and device."""
        inner.compile(char)
        program = Program() if device == 0 else Program(samples=32, groups=1)
        made = Launcher(0xF000 + len(self.launchers), inner, char, device, program)
        self.launchers[made.function] = made
        return made

    def addresses(self, names: Sequence[str]) -> ctypes.Array[ctypes.c_void_p]:
        """Of its functions, as machine code calls them."""
        unsigned = (ctypes.c_uint,) * 7
        kinds: dict[str, tuple[Any, Any]] = {
            "cuLaunchKernel": (self._launch, (_pointer, *unsigned, *(_pointer,) * 3)),
            "cuStreamGetCtx": (self._of_stream, (_pointer, _pointer)),
            "cuCtxGetCurrent": (self._current, (_pointer,)),
            "cuCtxPushCurrent": (self._push, (_pointer,)),
            "cuCtxPopCurrent": (self._pop, (_pointer,)),
            "cuCtxGetDevice": (self._device, (_pointer,)),
            "cuGetErrorString": (self._words, (_int, _pointer)),
        }
        self._made = [
            ctypes.CFUNCTYPE(_int, *arguments)(function)
            for function, arguments in (kinds[name] for name in names)
        ]
        found = (ctypes.cast(x, _pointer) for x in self._made)
        return (ctypes.c_void_p * len(self._made))(*found)

    def _of_stream(self, stream: int, to: int) -> int:
        assert stream == STREAM
        if self.silent:
            return 900
        ctypes.c_void_p.from_address(to).value = CONTEXT
        return 0

    def _current(self, to: int) -> int:
        ctypes.c_void_p.from_address(to).value = self.contexts[-1]
        return 0

    def _push(self, context: int) -> int:
        self.contexts.append(context)
        return 0

    def _pop(self, to: int) -> int:
        ctypes.c_void_p.from_address(to).value = self.contexts.pop()
        return 0

    def _device(self, to: int) -> int:
        ctypes.c_int.from_address(to).value = self.device
        return 0

    def _words(self, status: int, to: int) -> int:
        if status not in WORDS:
            return 1
        self._text = ctypes.create_string_buffer(WORDS[status])
        ctypes.c_void_p.from_address(to).value = ctypes.addressof(self._text)
        return 0

    def _launch(self, function: int, *given: Any) -> int:
        *sizes, shared, stream, parameters, extra = given
        assert not extra
        if self.status:
            return self.status
        launcher = self.launchers[function]
        steps, samples = self._computed(launcher, parameters)
        grid, block = tuple(sizes[:3]), tuple(sizes[3:])
        context = self.contexts[-1]
        self.launches.append(
            Launched(launcher, grid, block, shared, stream, context, steps, samples)
        )
        return 0

    @staticmethod
    def _computed(launcher: Launcher, parameters: int) -> tuple[tuple[int, ...], int]:
        """Steps and samples of a launch, after its results are there."""
        inner, dtype = launcher.operator, np.dtype(launcher.char)
        inputs, outputs = inner.inputs, inner.outputs
        places = (ctypes.c_void_p * (2 * len(inputs) + len(outputs) + 1)).from_address(parameters)
        values = [ctypes.c_int64.from_address(x).value for x in places]
        operands, steps, samples = (
            values[: -len(inputs) - 1],
            values[-len(inputs) - 1 : -1],
            values[-1],
        )
        arrays = [
            _seen(address, samples, step, core, dtype)
            for address, step, core in zip(operands, steps, inputs, strict=False)
        ]
        results = zip(operands[len(inputs) :], outputs, inner(*arrays), strict=True)
        for address, core, found in results:
            _seen(address, samples, math.prod(core), core, dtype)[...] = found
        return tuple(steps), samples


def _seen(address: int, samples: int, step: int, core: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Memory as an array (samples, *core), with so many entries from one sample to the next."""
    size = step * (samples - 1) + math.prod(core)
    flat = np.frombuffer((ctypes.c_char * (size * dtype.itemsize)).from_address(address), dtype)
    within = [dtype.itemsize * math.prod(core[k + 1 :]) for k in range(len(core))]
    return np.lib.stride_tricks.as_strided(
        flat, (samples, *core), (step * dtype.itemsize, *within), writeable=step > 0
    )
