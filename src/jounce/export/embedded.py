"""Code size, stack and instructions of exported C on microcontrollers, by a cross compiler.

Needs `arm-none-eabi-gcc`, and `qemu-system-arm` to count instructions and to run the self-test.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from jounce.compiler.graph import ops
from jounce.compiler.targets import Function, scalar_of
from jounce.errors import ArgumentError, JounceError, suggest
from jounce.export.source import function, prefix_of, samples_of
from jounce.utils import write_files

if TYPE_CHECKING:
    from jounce.robot import System

_COMPILER, _EMULATOR = "arm-none-eabi-gcc", "qemu-system-arm"

#: Warnings under which the generated code is clean.
WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wdouble-promotion", "-pedantic")

#: Calls per measurement, and seconds after which an emulated program is stopped.
_CALLS, _TIMEOUT = 100, 120


class Processor(NamedTuple):
    """Floating-point unit, and the emulated board with its clock and the addresses of memory."""

    fpu: str
    board: str
    instructions_per_tick: int
    rom: int = 0
    ram: int = 0x2000_0000


#: Processors by name. The emulator's clock advances by 1 ns per instruction; boards run at 25 or
#: 20 MHz.
PROCESSORS = {
    "cortex-m4": Processor("fpv4-sp-d16", "mps2-an386", 40),
    "cortex-m7": Processor("fpv5-d16", "mps2-an500", 40),
    "cortex-m33": Processor("fpv5-sp-d16", "mps2-an505", 50, 0x1000_0000, 0x3800_0000),
}

# turns the floating-point unit on
_START = """\
extern void _start(void);
extern unsigned char stack_top[];

static void reset(void)
{
    *(volatile unsigned *)0xE000ED88u |= 0xFu << 20;
    __asm volatile("dsb\\n isb");
    _start();
}

static void fault(void)
{
    for (;;) {
    }
}

__attribute__((section(".vectors"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))stack_top, reset, fault, fault, fault, fault, fault,
};
"""

_LINK = """\
MEMORY {{ ROM : ORIGIN = {rom:#x}, LENGTH = 4M  RAM : ORIGIN = {ram:#x}, LENGTH = 2M }}
stack_top = ORIGIN(RAM) + LENGTH(RAM);
SECTIONS {{
    .text : {{ KEEP(*(.vectors)) *(.text*) *(.rodata*) }} > ROM
    .ARM.exidx : {{ *(.ARM.exidx*) }} > ROM
    .data : {{ *(.data*) }} > RAM
    .bss : {{ __bss_start__ = .; *(.bss*) *(COMMON) __bss_end__ = .; }} > RAM
    end = .;
    __end__ = .;
}}
"""

# counts down the processor's timer during calls of a function, and of one that does nothing
_COUNT = """\
#include "{prefix}.h"
#include <stdio.h>

{arrays}

static void nothing(void)
{{
}}

static void work(void)
{{
    {call}
}}

static void (*volatile run)(void);

static unsigned ticks(void)
{{
    volatile unsigned *const timer = (volatile unsigned *)0xE000E010u;
    unsigned k, first;

    timer[1] = 0xFFFFFFu;
    timer[2] = 0;
    timer[0] = 5u;
    first = timer[2];
    for (k = 0; k < {calls}u; ++k)
        run();
    return (first - timer[2]) & 0xFFFFFFu;
}}

int main(void)
{{
    unsigned idle, busy;

    run = nothing;
    idle = ticks();
    run = work;
    busy = ticks();
    printf("ticks %u\\n", busy - idle);
    return 0;
}}
"""

_OPERATIONS = {ops.ADD: "sums", ops.SUB: "sums", ops.MUL: "products", ops.DIV: "divisions"}
_OPERATIONS |= {ops.SQRT: "roots", ops.SIN: "sines", ops.COS: "sines", ops.ATAN2: "sines"}


@dataclass(frozen=True)
class CodeSize:
    """Resources of one exported function.

    Attributes
    ----------
    name : str
        Name of the function in C.
    operations : dict of str to int
        Sums, products, divisions, roots, sines (with cosines and arctangents) and others.
    code : int
        Bytes of machine code with constants, without the C library.
    stack : int
        Bytes of stack, without those of functions of the C library.
    library : tuple of str
        Functions of the C library that it calls.
    instructions : int or None
        Instructions of one call, those of the C library included; None without an emulator.
    """

    name: str
    operations: dict[str, int]
    code: int
    stack: int
    library: tuple[str, ...]
    instructions: int | None


def measure_code(
    robot: System,
    quantities: str | Iterable[str] = ("inverse_dynamics",),
    target: str = "cortex-m7",
    dtype: DTypeLike = np.float32,
    *,
    optimization: str = "-O2",
) -> list[CodeSize]:
    """Measure exported C on a microcontroller: code, stack, operations and instructions.

    Parameters
    ----------
    robot : Robot, Mechanism or Contacts
    quantities : str or iterable of str
        Names as `robot.quantity` takes them.
    target : str
        "cortex-m4", "cortex-m7" or "cortex-m33", with its floating-point unit.
    dtype : dtype
        float32 or float64.
    optimization : str
        Optimization level of the compiler.

    Returns
    -------
    list of CodeSize
        One per quantity.

    Raises
    ------
    JounceError
        If there is no cross compiler, or if the self-test fails on the emulated processor.

    Notes
    -----
    With `qemu-system-arm`, the self-test runs on the emulated processor, and instructions are
    counted. The code has no loops and no branches, so that their number hardly depends on values:
    only through sine and cosine of the C library. Cycles are not emulated.
    """
    if target not in PROCESSORS:
        raise ArgumentError(f"target: unknown processor '{target}'; {suggest(target, PROCESSORS)}")
    if shutil.which(_COMPILER) is None:
        raise JounceError(
            f"{_COMPILER} is not installed, which measures code for {target}; install it"
            " (Debian: gcc-arm-none-eabi and libnewlib-arm-none-eabi)"
        )
    names = [quantities] if isinstance(quantities, str) else list(quantities)
    return [_measure(robot, name, target, dtype, optimization) for name in names]


def _measure(
    robot: System, quantity: str, target: str, dtype: DTypeLike, optimization: str
) -> CodeSize:
    """Compile one quantity, and run it if there is an emulator."""
    exported, prefix = function(robot, quantity), prefix_of(robot.name, None)
    count = Counter(_OPERATIONS.get(op, "others") for op in exported.tape.ops)
    cpu = PROCESSORS[target]
    flags = f"-std=c99 -mcpu={target} -mthumb -mfpu={cpu.fpu} -mfloat-abi=hard".split()
    flags.append(optimization)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        robot.export.c(folder, [quantity], dtype=dtype)
        _run(
            [_COMPILER, *flags, *WARNINGS, "-Werror", "-fstack-usage", "-c", f"{prefix}.c"], folder
        )
        sizes = _run(["arm-none-eabi-size", f"{prefix}.o"], folder).splitlines()[1].split()
        symbols = _run(["arm-none-eabi-nm", f"{prefix}.o"], folder)
        frames = [int(x.split("\t")[1]) for x in (folder / f"{prefix}.su").read_text().splitlines()]
        instructions = None
        if shutil.which(_EMULATOR) is not None:
            sources = {
                folder / "start.c": _START,
                folder / "board.ld": _LINK.format(rom=cpu.rom, ram=cpu.ram),
                folder / "count.c": _counting_program(robot, exported, prefix, dtype),
            }
            write_files({file: text.encode() for file, text in sources.items()})
            _emulate("selftest", prefix, cpu, flags, folder)
            ticks = int(_emulate("count", prefix, cpu, flags, folder).split()[-1])
            instructions = round(ticks * cpu.instructions_per_tick / _CALLS)
    return CodeSize(
        exported.name,
        dict(count),
        int(sizes[0]) + int(sizes[1]),
        frames[-1] + max(frames[:-1], default=0),  # one part of a long function at a time
        tuple(re.findall(r"^ +U (\w+)$", symbols, re.MULTILINE)),
        instructions,
    )


def _counting_program(robot: System, exported: Function, prefix: str, dtype: DTypeLike) -> str:
    """Return a program that counts instructions at a state of the self-test."""
    scalar = scalar_of(dtype)
    suffix = "f" if scalar == "float" else ""
    states = samples_of(robot, exported, scalar).inputs
    lines = []
    for x in exported.inputs:
        values = ", ".join(f"{float(value)!r}{suffix}" for value in states[x.name][0])
        lines.append(f"static const {scalar} in_{x.name}[{x.size}] = {{{values}}};")
    lines += [f"static {scalar} out_{x.name}[{x.size}];" for x in exported.outputs]
    names = [f"in_{x.name}" for x in exported.inputs] + [f"out_{x.name}" for x in exported.outputs]
    call = f"{exported.name}({', '.join(names)});"
    return _COUNT.format(prefix=prefix, arrays="\n".join(lines), call=call, calls=_CALLS)


def _emulate(program: str, prefix: str, cpu: Processor, flags: list[str], folder: Path) -> str:
    """Link a program, run it on the emulated board and return what it prints."""
    sources = ["start.c", f"{program}.c", f"{prefix}.c"]
    link = ["--specs=rdimon.specs", "-T", "board.ld", "-lm", "-o", f"{program}.elf"]
    _run([_COMPILER, *flags, *sources, *link], folder)
    board = [_EMULATOR, "-M", cpu.board, "-nographic", "-icount", "shift=0", "-semihosting"]
    return _run([*board, "-kernel", f"{program}.elf"], folder)


def _run(command: list[str], folder: Path) -> str:
    """Run a program in a folder and return its output."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=_TIMEOUT,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise JounceError(f"{command[0]} did not end within {_TIMEOUT} s") from None
    if done.returncode:
        end = (done.stderr or done.stdout)[-500:].strip()
        raise JounceError(f"{' '.join(command)} failed: {end}")
    return done.stdout
