"""Compilation of LLVM text to PTX, with the launch parameters."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm

from jounce.compiler.graph.passes import expand_operations
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.base import Program
from jounce.compiler.targets.function import Shape
from jounce.compiler.targets.llvm.code import BYTES
from jounce.compiler.targets.nvptx.packing import plan_packed
from jounce.compiler.targets.nvptx.placement import Placement
from jounce.compiler.targets.nvptx.plan import Plan, plan_kernel
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

#: First version of LLVM that supports an architecture; older ones write PTX that drivers reject.
_MIN_LLVM = {"sm_103": 21, "sm_121": 21}


def _supported_architectures(version: int) -> tuple[str, ...]:
    """Return the architectures that a version of LLVM supports, oldest first."""
    return tuple(name for name in _SHARED if version >= _MIN_LLVM.get(name, 0))


#: Supported architectures, oldest first.
ARCHITECTURES: tuple[str, ...] = _supported_architectures(llvm.llvm_version_info[0])

#: PTX version that an architecture needs, and the default, which drivers of CUDA 12.0 support.
_PTX_VERSIONS = {"sm_100": 86, "sm_103": 88, "sm_120": 87, "sm_121": 88}
_PTX_VERSION = 80

#: Architectures for which the assembler's own choice of registers is good. For others it spills to
#: local memory, so that more threads share a multiprocessor.
_AUTOMATIC_REGISTERS = ("sm_90",)

#: Registers of a multiprocessor; the maximum of a thread, those of a thread that hold no values of
#: the tape, and the minimum that is requested.
_REGISTER_FILE, _MAX_REGISTERS, _OTHER_REGISTERS, _MIN_REGISTERS = 1 << 16, 255, 48, 96

#: Resident blocks that every multiprocessor supports.
_MAX_BLOCKS = 16


def compile_program(
    tape: Tape,
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
    scalar: str,
    architecture: str,
    single: bool = False,
) -> Program:
    """Compile the kernels of a tape for an architecture.

    The kernel's parameters are a pointer per input and per result, a 64-bit step per input (entries
    between samples; 0: the same for all) and the number of samples.

    Parameters
    ----------
    tape : Tape
    inputs, outputs : sequence of tuples of int
        Shapes of arguments and results of one sample.
    scalar : str
        "double" or "float".
    architecture : str
        A name of `ARCHITECTURES`, such as "sm_90".
    single : bool
        Whether there must be only one kernel.

    Returns
    -------
    Program
    """
    if architecture not in ARCHITECTURES:
        raise ValueError(
            f"there is no code for {architecture!r}; choose one of {', '.join(ARCHITECTURES)}"
        )
    tape = expand_operations(tape, "llvm")
    packed = None if single else plan_packed(tape, inputs, outputs, scalar, _SHARED[architecture])
    if packed is None:
        plan, following = plan_kernel(tape, inputs, outputs, scalar, _SHARED[architecture]), ()
    else:
        plan, packing = packed
        placement = Placement(len(inputs), [math.prod(x) for x in outputs], scalar, packing)
        ptx = to_ptx(placement.text(tape), architecture, placement.threads)
        threads, samples = placement.threads, placement.samples
        following = (Program(NAME, ptx, threads, samples, 1, placement.bytes),)
    text = kernel_text(tape, inputs, outputs, scalar, plan)
    ptx = to_ptx(text, architecture, plan.threads, _min_blocks(plan, scalar, architecture))
    shared = plan.entries * BYTES[scalar]
    return Program(NAME, ptx, plan.threads, plan.threads, len(plan.groups), shared, following)


def _min_blocks(plan: Plan, scalar: str, architecture: str) -> int:
    """Return the blocks a multiprocessor must have registers for; 0: no requirement.

    If the plan does not require a number, it is the largest at which no value is spilled.
    """
    if plan.min_resident_threads:
        return plan.min_resident_threads // plan.threads
    held = max(group.schedule.max_held for group in plan.groups)
    registers = max(held * BYTES[scalar] // BYTES["float"] + _OTHER_REGISTERS, _MIN_REGISTERS)
    if architecture in _AUTOMATIC_REGISTERS or registers > _MAX_REGISTERS:
        return 0
    return min(_REGISTER_FILE // (-(-registers // 8) * 8 * plan.threads), _MAX_BLOCKS)


@once
def _target() -> llvm.Target:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple("nvptx64-nvidia-cuda")


def _emit(text: str, architecture: str) -> str:
    features = f"+ptx{_PTX_VERSIONS.get(architecture, _PTX_VERSION)}"
    machine = _target().create_target_machine(cpu=architecture, features=features, opt=2)
    with llvm.parse_assembly(text) as module:
        return machine.emit_assembly(module)


def to_ptx(text: str, architecture: str, threads: int, blocks: int = 0) -> str:
    """Compile a module to PTX, for blocks of so many threads.

    blocks: minimum of resident blocks per multiprocessor (0: no requirement).
    """
    ptx = background.run(lambda: _emit(text, architecture))
    body = ptx.index("{", ptx.index(f".entry {NAME}"))
    bounds = f".maxntid {threads}, 1, 1\n" + (f".minnctapersm {blocks}\n" if blocks else "")
    return ptx[:body] + bounds + ptx[body:]


@once
def _generator() -> bytes:
    """Return a hash of the sources of this code generator."""
    sha = hashlib.sha256()
    nvptx = Path(__file__).parent
    targets = nvptx.parent
    for folder in (targets.parent / "graph", targets, targets / "llvm", nvptx):
        for source in sorted(folder.glob("*.py")):
            sha.update(source.read_bytes())
    return sha.digest()


def build_key(architecture: str) -> str:
    """Return a hash of the architecture, the compiler and the code generator."""
    sha = hashlib.sha256(_generator())
    for part in (llvmlite.__version__, str(llvm.llvm_version_info), architecture):
        sha.update(part.encode() + b"\0")
    return sha.hexdigest()
