"""LLVM text to PTX, and what a launch needs to know."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm

from jounce.compiler.graph.passes import expanded
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.base import Program
from jounce.compiler.targets.function import Shape
from jounce.compiler.targets.llvm.code import BYTES
from jounce.compiler.targets.nvptx.plan import Plan, planned
from jounce.compiler.targets.nvptx.text import NAME, kernel_text
from jounce.utils import background
from jounce.utils.once import once

#: Bytes of shared memory that a block can have, by architecture.
_SHARED = {
    "sm_75": 64 << 10,
    "sm_80": 163 << 10,
    "sm_86": 99 << 10,
    "sm_87": 163 << 10,
    "sm_89": 99 << 10,
    "sm_90": 227 << 10,
    "sm_100": 227 << 10,
    "sm_103": 227 << 10,
    "sm_120": 99 << 10,
    "sm_121": 99 << 10,
}

#: The first version of LLVM that knows an architecture; older ones write PTX that no driver takes.
_FIRST = {"sm_103": 21, "sm_121": 21}


def _known(version: int) -> tuple[str, ...]:
    """What a version of LLVM makes code for, oldest first."""
    return tuple(name for name in _SHARED if version >= _FIRST.get(name, 0))


#: What code is made for, oldest first.
ARCHITECTURES: tuple[str, ...] = _known(llvm.llvm_version_info[0])

#: The version of PTX that an architecture needs; drivers of CUDA 12.0 know the first of them.
_VERSIONS = {"sm_100": 86, "sm_103": 88, "sm_120": 87, "sm_121": 88}
_VERSION = 80

#: Where the assembler chooses the registers of a thread by itself. Elsewhere it gives values up to
#: local memory to come down to a number with which more threads share a multiprocessor.
_CHOOSES_WELL = ("sm_90",)

#: Registers of a multiprocessor and the most of a thread; those of a thread that hold no values of
#: the tape, and how many it is allowed at least.
_FILE, _MOST, _BESIDES, _FEWEST = 1 << 16, 255, 48, 96

#: Blocks that every multiprocessor can have at once.
_BLOCKS = 16


def program(
    tape: Tape,
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
    scalar: str,
    architecture: str,
) -> Program:
    """The kernel of a tape for an architecture such as "sm_90".

    Its parameters: a pointer per input and per result, a number of 64 bits per input, how many
    entries lie between its samples (0: one for all), and how many samples there are.
    """
    if architecture not in ARCHITECTURES:
        raise ValueError(
            f"there is no code for {architecture!r}; choose one of {', '.join(ARCHITECTURES)}"
        )
    spelled = expanded(tape, "llvm")
    plan = planned(spelled, inputs, outputs, scalar, _SHARED[architecture])
    text = kernel_text(spelled, inputs, outputs, scalar, plan)
    ptx = to_ptx(text, architecture, plan.threads, _blocks(plan, scalar, architecture))
    shared = plan.entries * BYTES[scalar]
    return Program(NAME, ptx, plan.threads, plan.threads, len(plan.groups), shared)


def _blocks(plan: Plan, scalar: str, architecture: str) -> int:
    """Blocks that a multiprocessor shall have registers for; 0: as it comes.

    Where the plan does not say, so many that all values of a thread stay in registers.
    """
    if plan.resident:
        return plan.resident // plan.threads
    held = max(group.schedule.most for group in plan.groups)
    registers = max(held * BYTES[scalar] // BYTES["float"] + _BESIDES, _FEWEST)
    if architecture in _CHOOSES_WELL or registers > _MOST:
        return 0
    return min(_FILE // (-(-registers // 8) * 8 * plan.threads), _BLOCKS)


@once
def _target() -> llvm.Target:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple("nvptx64-nvidia-cuda")


def _emit(text: str, architecture: str) -> str:
    features = f"+ptx{_VERSIONS.get(architecture, _VERSION)}"
    machine = _target().create_target_machine(cpu=architecture, features=features, opt=2)
    with llvm.parse_assembly(text) as module:
        return machine.emit_assembly(module)


def to_ptx(text: str, architecture: str, threads: int, blocks: int = 0) -> str:
    """PTX of a module, whose kernel's blocks have so many threads.

    blocks: how many of them a multiprocessor shall have registers for (0: as it comes).
    """
    ptx = background.run(lambda: _emit(text, architecture))
    body = ptx.index("{", ptx.index(f".entry {NAME}"))
    bounds = f".maxntid {threads}, 1, 1\n" + (f".minnctapersm {blocks}\n" if blocks else "")
    return ptx[:body] + bounds + ptx[body:]


@once
def _generator() -> bytes:
    """Hash of the source that turns tapes into PTX."""
    sha = hashlib.sha256()
    here = Path(__file__).parent
    for folder in (here.parent.parent / "graph", here.parent, here.parent / "llvm", here):
        for source in sorted(folder.glob("*.py")):
            sha.update(source.read_bytes())
    return sha.digest()


def build_key(architecture: str) -> str:
    """What PTX depends on besides the tape: architecture, compiler, and this generator."""
    sha = hashlib.sha256(_generator())
    for part in (llvmlite.__version__, str(llvm.llvm_version_info), architecture):
        sha.update(part.encode() + b"\0")
    return sha.hexdigest()
