"""Kernels for GPUs assemble: NVIDIA's own assembler accepts them, and arms need no local memory."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from jounce.compiler.targets import nvptx
from jounce.robot import Robot
from support.helpers import quiet_read, random_robot
from support.robots import ALL_KINDS

#: What is assembled for, and the bytes of shared memory that a block may have there.
SHARED = {"sm_80": 163 << 10, "sm_90": 227 << 10, "sm_120": 99 << 10}

#: Registers of a thread and of a multiprocessor.
MOST_REGISTERS, REGISTER_FILE = 255, 1 << 16

#: Quantities of arms, none of which shall spill.
ARMS = ("franka", "iiwa14_mueller_kumar2021")
VALUES = ("inverse_dynamics", "forward_dynamics", "mass_matrix")
DERIVATIVES = ("inverse_dynamics.derivatives",)


@cache
def ptxas() -> Path | None:
    """The assembler, of the package nvidia-cuda-nvcc or of a toolkit."""
    spec = find_spec("nvidia")
    for place in () if spec is None else spec.submodule_search_locations or ():
        for found in sorted(Path(place).glob("*/bin/ptxas*")):
            return found
    found = shutil.which("ptxas")
    return None if found is None else Path(found)


pytestmark = [
    pytest.mark.cuda,
    pytest.mark.skipif(
        ptxas() is None, reason="no ptxas: pip install nvidia-cuda-nvcc, where NVIDIA has one"
    ),
]


@dataclass(frozen=True)
class Assembled:
    """What the assembler says of a kernel: registers of a thread, bytes of its local memory."""

    registers: int
    stack: int
    spilled: int


def parsed(said: str, name: str) -> Assembled:
    """What stands in the assembler's words about a kernel and the functions that it calls."""
    frames = re.findall(
        r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", said
    )
    used = re.search(rf"entry function '{name}'.*?Used (\d+) registers", said, re.DOTALL)
    assert frames, said
    assert used is not None, said
    stack = max(int(frame) for frame, _, _ in frames)
    spilled = sum(int(stores) + int(loads) for _, stores, loads in frames)
    return Assembled(int(used[1]), stack, spilled)


@cache
def robot(name: str) -> Robot:
    if name == "every kind":
        return Robot(random_robot(3, len(ALL_KINDS), mimic=True))
    return Robot(quiet_read(name))


def assembled(
    name: str, quantity: str, scalar: str, architecture: str, folder: Path
) -> tuple[nvptx.Program, Assembled]:
    """A kernel of a robot, assembled; AssertionError with the assembler's words if it cannot be."""
    kernel = robot(name).quantity(quantity).kernel
    made = nvptx.compile_program(kernel.tape, kernel.inputs, kernel.outputs, scalar, architecture)
    assert f".target {architecture}" in made.ptx
    source = folder / "kernel.ptx"
    source.write_text(made.ptx, encoding="utf-8")
    command = [ptxas(), "-v", f"-arch={architecture}", source, "-o", folder / "kernel.cubin"]
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, f"{name} {quantity} {scalar}: {done.stderr[:2000]}"
    return made, parsed(done.stderr + done.stdout, made.name)


def check_launchable(made: nvptx.Program, found: Assembled, architecture: str) -> None:
    """A block has the registers and the shared memory that it asks for."""
    assert found.registers <= MOST_REGISTERS
    assert -(-found.registers // 8) * 8 * made.threads <= REGISTER_FILE
    assert made.shared <= SHARED[architecture]
    assert made.samples >= 1
    assert made.groups >= 1


def kernels() -> Iterator[tuple[str, str]]:
    for name in ARMS:
        yield from ((name, quantity) for quantity in VALUES)
    yield from (("franka", quantity) for quantity in DERIVATIVES)
    yield from (("planar_2r", "inverse_dynamics"), ("cartesian_ppp", *DERIVATIVES))


@pytest.mark.parametrize("architecture", SHARED)
@pytest.mark.parametrize(("name", "quantity"), list(kernels()))
@pytest.mark.parametrize("scalar", ["double", "float"])
def test_arms_stay_in_registers(
    name: str, quantity: str, scalar: str, architecture: str, tmp_path: Path
) -> None:
    made, found = assembled(name, quantity, scalar, architecture, tmp_path)
    check_launchable(made, found, architecture)
    # the assembler's own schedule may take a few registers more than ours has counted
    assert found.spilled <= 64
    assert found.stack <= 64


@pytest.mark.parametrize("architecture", ["sm_80", "sm_120"])
@pytest.mark.parametrize(
    "quantity", ["integrate", "difference", "frame(tool).pose", "motor_forces"]
)
def test_every_operation_assembles(quantity: str, architecture: str, tmp_path: Path) -> None:
    made, found = assembled("every kind", quantity, "double", architecture, tmp_path)
    check_launchable(made, found, architecture)


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "mass_matrix"])
def test_humanoids_assemble(quantity: str, tmp_path: Path) -> None:
    made, found = assembled("toro25", quantity, "double", "sm_90", tmp_path)
    check_launchable(made, found, "sm_90")


@pytest.mark.slow
@pytest.mark.parametrize("quantity", ["forward_dynamics", "inverse_dynamics.derivatives"])
@pytest.mark.parametrize("scalar", ["double", "float"])
def test_long_kernels_assemble(quantity: str, scalar: str, tmp_path: Path) -> None:
    made, found = assembled("toro25", quantity, scalar, "sm_90", tmp_path)
    check_launchable(made, found, "sm_90")


@pytest.mark.parametrize("architecture", nvptx.ARCHITECTURES)
def test_every_architecture_that_is_named(architecture: str, tmp_path: Path) -> None:
    """The assembler takes what is written for each."""
    assembled("franka", "gravity_forces", "double", architecture, tmp_path)


def test_spills_would_be_seen() -> None:
    said = (
        "ptxas info    : Compiling entry function 'kernel' for 'sm_90'\n"
        "ptxas info    : Function properties for kernel\n"
        "    {} bytes stack frame, {} bytes spill stores, {} bytes spill loads\n"
        "ptxas info    : Used 128 registers, used 1 barriers\n"
    )
    assert parsed(said.format(0, 0, 0), "kernel") == Assembled(128, 0, 0)
    assert parsed(said.format(16, 8, 24), "kernel") == Assembled(128, 16, 32)
    with pytest.raises(AssertionError):
        parsed(said.format(0, 0, 0), "another")
