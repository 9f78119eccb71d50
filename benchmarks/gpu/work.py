"""Bytes and instructions of a tape on a GPU, and the peak rates of both."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from jounce.compiler.graph.ops import OPS
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.sines import COSINE, SINE
from jounce.runtime.kernel import Kernel

#: Instructions of one multiprocessor in one cycle by architecture, float64 and float32.
LANES: dict[int, dict[str, int]] = {
    75: {"double": 2, "float": 64},
    80: {"double": 32, "float": 64},
    86: {"double": 2, "float": 128},
    87: {"double": 2, "float": 128},
    89: {"double": 2, "float": 128},
    90: {"double": 64, "float": 128},
    100: {"double": 64, "float": 128},
    103: {"double": 2, "float": 128},
    120: {"double": 2, "float": 128},
}

#: Instructions of divisions and roots, which a card computes by iterations.
ITERATED = {"double": 9, "float": 7}

BYTES = {"double": 8, "float": 4}

DEFINITION = (
    "An addition or a multiplication is an instruction, a product and the sum that alone reads it"
    " are one together, a sine and cosine of one angle {double} in float64 and {float} in float32"
    " (reduction and polynomials), a division or a root {iterated[double]} and {iterated[float]};"
    " signs are free. The peak is multiprocessors x lanes x clock / instructions."
)


def sincos(scalar: str) -> int:
    """Instructions of the sine and cosine of an angle: rounding, reduction, two polynomials."""
    return 7 + (len(SINE[scalar]) + 1) + (len(COSINE[scalar]) + 2)


def definition() -> str:
    """Return the description of how instructions are counted."""
    pairs = {scalar: sincos(scalar) for scalar in BYTES}
    return DEFINITION.format(**pairs, iterated=ITERATED)


def instructions(tape: Tape, scalar: str) -> int:
    """Least instructions of a sample, with products fused into sums."""
    names = [OPS[op].name for op in tape.ops]
    uses = Counter(tape.outputs)
    for op, a, b in zip(tape.ops, tape.lhs, tape.rhs, strict=True):
        uses.update((a, b) if OPS[op].arity == 2 else (a,))
    angles: set[int] = set()
    fused: set[int] = set()
    total = 0
    for name, a, b in zip(names, tape.lhs, tape.rhs, strict=True):
        if name in ("sin", "cos"):
            total += sincos(scalar) * (a not in angles)
            angles.add(a)
        elif name in ("div", "sqrt"):
            total += ITERATED[scalar]
        elif name != "neg":
            total += 1
        if name in ("add", "sub"):
            for x in (a, b):
                k = x - tape.n_inputs
                if k >= 0 and names[k] == "mul" and uses[x] == 1 and x not in fused:
                    fused.add(x)
                    break
    return total - len(fused)


def numbers(kernel: Kernel) -> int:
    """Entries of all arguments and results of a sample."""
    return sum(map(math.prod, (*kernel.inputs, *kernel.outputs)))


@dataclass(frozen=True)
class Peak:
    """Peak rates of a GPU: bytes per second, measured by a copy, and instructions per second."""

    copy: float
    issued: dict[str, float]

    def rates(self, kernel: Kernel, scalar: str) -> tuple[float, float]:
        """Samples a second, if only bytes counted, and if only instructions did."""
        moved = self.copy / (numbers(kernel) * BYTES[scalar])
        return moved, self.issued[scalar] / max(instructions(kernel.tape, scalar), 1)


def instruction_rates(card: Any) -> dict[str, float]:
    """Return the peak instructions per second of a GPU in each precision."""
    known = [architecture for architecture in LANES if architecture <= card.capability]
    lanes = LANES[max(known)]
    kinds = card.driver.api.CUdevice_attribute
    count, kilohertz = (
        int(card.driver("cuDeviceGetAttribute", kind, card.handle))
        for kind in (
            kinds.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
            kinds.CU_DEVICE_ATTRIBUTE_CLOCK_RATE,
        )
    )
    return {scalar: count * lanes[scalar] * kilohertz * 1e3 for scalar in lanes}
