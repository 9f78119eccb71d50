"""Processors that code is made for: the machine's own, or a level of x86-64 below it."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

import llvmlite.binding as llvm

from jounce.compiler.targets.llvm.code import BYTES, Lanes
from jounce.utils import background
from jounce.utils.once import once

#: The name of the machine's own processor with all it has.
NATIVE = "native"

#: Bytes of a vector, and what each level of x86-64 has beyond the one before.
LEVELS: dict[str, tuple[int, str]] = {
    "x86-64-v2": (16, "cx16 popcnt sahf sse3 sse4.1 sse4.2 ssse3"),
    "x86-64-v3": (32, "avx avx2 bmi bmi2 f16c fma lzcnt movbe xsave"),
    "x86-64-v4": (64, "avx512bw avx512cd avx512dq avx512f avx512vl"),
}


@dataclass(frozen=True)
class Processor:
    """A processor code is made for, and the SIMD width that suits it."""

    triple: str
    cpu: str
    features: str
    vector_bytes: int

    def width(self, scalar: str) -> int:
        """Lanes of a vector of "double" or "float"."""
        return self.vector_bytes // BYTES[scalar]

    def lanes(self, scalar: str) -> Lanes:
        """The type of such a vector."""
        return Lanes(scalar, self.width(scalar))

    @property
    def registers(self) -> int:
        """Vectors that code may hold at a time, less a few for what it is just about."""
        wide = self.vector_bytes == 64 or not self.x86
        return 30 if wide else 14

    @property
    def x86(self) -> bool:
        """Whether it is a 64-bit x86."""
        return self.triple.startswith("x86_64")

    @property
    def streams(self) -> bool:
        """Whether long results are written past the cache, by AVX-512's own instructions."""
        return self.x86 and self.vector_bytes == 64

    def attributes(self) -> str:
        """LLVM attribute groups: #0 for vector code, #1 for scalar code."""
        bits = 8 * self.vector_bytes
        # without these LLVM splits 512-bit vectors; without the stack alignment spills straddle
        # cache lines
        vectors = f'"prefer-vector-width"="{bits}" "min-legal-vector-width"="{bits}"'
        # frames of several pages touch each, so that an overflow meets the guard page; on Windows
        # __chkstk does so unasked
        probes = "" if "windows" in self.triple else ' "probe-stack"="inline-asm"'
        processor = f'"target-cpu"="{self.cpu}" "target-features"="{self.features}"'
        common = f"nounwind {processor}{probes}"
        return (
            f"attributes #0 = {{ {common} {vectors} alignstack={self.vector_bytes} }}\n"
            f"attributes #1 = {{ {common} }}\n"
        )


def names(machine: Processor) -> list[str]:
    """What code can be made for on this machine: its own processor and the levels it has."""
    found = [NATIVE]
    has = {feature[1:] for feature in machine.features.split(",") if feature.startswith("+")}
    for level, (_, needs) in LEVELS.items():
        if not machine.x86 or not has.issuperset(needs.split()):
            break
        found.append(level)
    return found


def named(name: str, machine: Processor) -> Processor:
    """Return the processor of a name; a ValueError says which ones this machine can run."""
    valid = names(machine)
    if name not in valid:
        what = "is beyond this machine" if name in LEVELS else "is no target"
        raise ValueError(
            f"target (JOUNCE_TARGET): {name!r} {what}; valid here: {', '.join(valid)}"
            f" (this machine is {machine.cpu}, {machine.triple})"
        )
    if name == NATIVE:
        return machine
    return replace(machine, cpu=name, features="", vector_bytes=LEVELS[name][0])


@once
def host() -> Processor:
    """The machine this process runs on."""
    return background.run(_host)


def _host() -> Processor:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features()
    wide = 64 if features.get("avx512f") else 32 if features.get("avx2") else 16
    # MCJIT loads ELF objects on Windows, as llvmlite makes its own target machines there
    format_ = "-elf" if os.name == "nt" else ""
    return Processor(
        triple=llvm.get_process_triple() + format_,
        cpu=llvm.get_host_cpu_name(),
        features=features.flatten(),
        vector_bytes=wide,
    )


def processor(name: str = NATIVE) -> Processor:
    """Return the processor to make code for.

    Parameters
    ----------
    name : str
        "native", "x86-64-v2" (128-bit vectors), "x86-64-v3" (256) or "x86-64-v4" (512).

    Raises
    ------
    ValueError
        If this machine does not have it.
    """
    return named(name, host())


def processor_names() -> list[str]:
    """Return the names that `processor` accepts on this machine."""
    return names(host())
