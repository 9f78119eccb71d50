"""Supported processors: the machine's own, or a level of x86-64 below it."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

import llvmlite.binding as llvm

from jounce.compiler.targets.llvm.code import BYTES, Lanes
from jounce.utils import background
from jounce.utils.once import once

#: Name of the machine's own processor with all its features.
NATIVE = "native"

#: Bytes of a vector, and the features each level of x86-64 adds to the one before.
LEVELS: dict[str, tuple[int, str]] = {
    "x86-64-v2": (16, "cx16 popcnt sahf sse3 sse4.1 sse4.2 ssse3"),
    "x86-64-v3": (32, "avx avx2 bmi bmi2 f16c fma lzcnt movbe xsave"),
    "x86-64-v4": (64, "avx512bw avx512cd avx512dq avx512f avx512vl"),
}


@dataclass(frozen=True)
class Processor:
    """A processor to compile for, and the SIMD width that suits it."""

    triple: str
    cpu: str
    features: str
    vector_bytes: int

    def width(self, scalar: str) -> int:
        """Return the lanes of a vector of "double" or "float"."""
        return self.vector_bytes // BYTES[scalar]

    def lanes(self, scalar: str) -> Lanes:
        """Return the type of a vector of "double" or "float"."""
        return Lanes(scalar, self.width(scalar))

    @property
    def registers(self) -> int:
        """Number of vectors that code may hold in registers, in addition to a few temporaries."""
        wide = self.vector_bytes == 64 or not self.x86
        return 30 if wide else 14

    @property
    def x86(self) -> bool:
        """True for 64-bit x86."""
        return self.triple.startswith("x86_64")

    @property
    def streams(self) -> bool:
        """True if long results bypass the cache, by instructions of AVX-512."""
        return self.x86 and self.vector_bytes == 64

    def attributes(self) -> str:
        """Return LLVM attribute groups: #0 for vector code, #1 for scalar code."""
        bits = 8 * self.vector_bytes
        # without these attributes LLVM splits 512-bit vectors; without the stack alignment spills
        # straddle cache lines
        vectors = f'"prefer-vector-width"="{bits}" "min-legal-vector-width"="{bits}"'
        # frames of several pages touch each of them, so that an overflow hits the guard page; on
        # Windows __chkstk always does so
        probes = "" if "windows" in self.triple else ' "probe-stack"="inline-asm"'
        processor = f'"target-cpu"="{self.cpu}" "target-features"="{self.features}"'
        common = f"nounwind {processor}{probes}"
        return (
            f"attributes #0 = {{ {common} {vectors} alignstack={self.vector_bytes} }}\n"
            f"attributes #1 = {{ {common} }}\n"
        )


def available_names(machine: Processor) -> list[str]:
    """Return the names of a machine's own processor and of the levels it supports."""
    available = [NATIVE]
    has = {feature[1:] for feature in machine.features.split(",") if feature.startswith("+")}
    for level, (_, needs) in LEVELS.items():
        if not machine.x86 or not has.issuperset(needs.split()):
            break
        available.append(level)
    return available


def get_processor(name: str, machine: Processor) -> Processor:
    """Return the processor of a name; raise a ValueError with the valid ones if there is none."""
    valid = available_names(machine)
    if name not in valid:
        problem = "is not supported by this machine" if name in LEVELS else "is no target"
        raise ValueError(
            f"target (JOUNCE_TARGET): {name!r} {problem}; valid here: {', '.join(valid)}"
            f" (this machine is {machine.cpu}, {machine.triple})"
        )
    if name == NATIVE:
        return machine
    return replace(machine, cpu=name, features="", vector_bytes=LEVELS[name][0])


@once
def host() -> Processor:
    """Return the machine this process runs on."""
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
    """Return the processor to compile for.

    Parameters
    ----------
    name : str
        "native", "x86-64-v2" (128-bit vectors), "x86-64-v3" (256) or "x86-64-v4" (512).

    Returns
    -------
    Processor

    Raises
    ------
    ValueError
        If this machine does not support it.
    """
    return get_processor(name, host())


def processor_names() -> list[str]:
    """Return the names that `processor` accepts on this machine."""
    return available_names(host())
