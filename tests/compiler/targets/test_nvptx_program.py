"""PTX of kernels: for every architecture that is named, always the same, and how it is launched."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module

import pytest

from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets import nvptx
from jounce.robot import load
from jounce.runtime.kernel import Kernel
from support.machine_code import sincos_tape

pytestmark = pytest.mark.cuda

programs = import_module("jounce.compiler.targets.nvptx.program")

#: Versions of PTX from which on an architecture is known, as NVIDIA's manual of PTX lists them.
SINCE = {"sm_100": 8.6, "sm_103": 8.8, "sm_120": 8.7, "sm_121": 8.8}


def made(kernel: Kernel, scalar: str, architecture: str) -> nvptx.Program:
    return nvptx.compile_program(kernel.tape, kernel.inputs, kernel.outputs, scalar, architecture)


def kernel(quantity: str) -> Kernel:
    return load("iiwa14_mueller_kumar2021").quantity(quantity).kernel


def parameters(ptx: str) -> list[str]:
    """The kinds of the entry point's parameters."""
    found = re.search(r"\.entry jounce_kernel\((.*?)\)", ptx, re.DOTALL)
    assert found is not None
    return re.findall(r"\.param \.(\w+)", found[1])


@pytest.mark.parametrize("scalar", ["double", "float"])
@pytest.mark.parametrize("architecture", nvptx.ARCHITECTURES)
def test_every_architecture(architecture: str, scalar: str) -> None:
    found = made(kernel("inverse_dynamics"), scalar, architecture)
    assert re.findall(r"^\.target (\w+)", found.ptx, re.MULTILINE) == [architecture]
    (version,) = re.findall(r"^\.version (\d+\.\d+)", found.ptx, re.MULTILINE)
    assert float(version) == SINCE.get(architecture, 8.0)
    assert re.findall(r"\.maxntid (\d+), 1, 1", found.ptx) == [str(found.threads)]
    assert parameters(found.ptx) == ["u64"] * (3 + 1 + 3 + 1)
    assert found.name == "jounce_kernel"
    assert found.samples == found.threads
    assert found.groups == 1
    assert 0 < found.shared <= programs._SHARED[architecture]


def test_architectures_go_from_old_to_new() -> None:
    numbers = [int(name.removeprefix("sm_")) for name in nvptx.ARCHITECTURES]
    assert numbers == sorted(numbers)
    assert (numbers[0], 90 in numbers, 120 in numbers) == (75, True, True)


@pytest.mark.parametrize("name", ["sm_70", "sm_90a", "90", "", "gfx942"])
def test_unknown_architectures_are_a_sentence(name: str) -> None:
    with pytest.raises(ValueError, match="there is no code for") as error:
        nvptx.compile_program(sincos_tape(), ((),), ((), ()), "double", name)
    assert repr(name) in str(error.value)
    assert ", ".join(nvptx.ARCHITECTURES) in str(error.value)


def test_the_same_text_every_time() -> None:
    first, second = (made(kernel("mass_matrix"), "double", "sm_90") for _ in range(2))
    assert first == second


def test_the_same_text_in_another_process() -> None:
    """Whatever order its sets have."""
    code = (
        "import hashlib, jounce; from jounce.compiler.targets import nvptx;"
        "k = jounce.load('iiwa14_mueller_kumar2021').quantity('mass_matrix').kernel;"
        "p = nvptx.compile_program(k.tape, k.inputs, k.outputs, 'double', 'sm_80');"
        "print(hashlib.sha256(p.ptx.encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**environment(), "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
    assert len(found.pop().strip()) == 64


def environment() -> dict[str, str]:
    """What a process of Python needs to find this jounce."""
    return {"PYTHONPATH": ":".join(sys.path), "HOME": "/nonexistent"}


def test_results_decide_what_a_launch_needs() -> None:
    """More numbers of a block are more shared memory."""
    small = nvptx.compile_program(sincos_tape(), ((),), ((), ()), "float", "sm_90")
    large = made(kernel("inverse_dynamics.derivatives"), "float", "sm_90")
    assert small.shared < large.shared
    narrow, wide = (made(kernel("mass_matrix"), x, "sm_90").shared for x in ("float", "double"))
    assert wide == 2 * narrow


def test_the_assembler_is_told_where_registers_are_short() -> None:
    """Elsewhere than on Hopper it would spill to have more threads, unless it is told not to."""
    of_arm = kernel("mass_matrix")
    assert ".minnctapersm" not in made(of_arm, "double", "sm_90").ptx
    (told,) = re.findall(r"\.minnctapersm (\d+)", made(of_arm, "double", "sm_80").ptx)
    assert 1 < int(told) <= 8


def test_angles_of_doubles_have_their_exact_reduction() -> None:
    ptx = nvptx.compile_program(sincos_tape(), ((),), ((), ()), "double", "sm_90").ptx
    assert "reduce_large" in ptx
    plain = nvptx.compile_program(
        Tape(1, [2.0], [0], [0], [-1], [1]), ((),), ((),), "double", "sm_90"
    ).ptx
    assert "reduce_large" not in plain
    assert ".local" not in plain


def test_keys_differ_by_architecture() -> None:
    keys = [nvptx.build_key(name) for name in nvptx.ARCHITECTURES]
    assert len({*keys}) == len(keys)
    assert keys == [nvptx.build_key(name) for name in nvptx.ARCHITECTURES]
    assert all(re.fullmatch("[0-9a-f]{64}", key) for key in keys)


def test_keys_differ_by_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    before = nvptx.build_key("sm_90")
    monkeypatch.setattr(programs, "_generator", lambda: b"another")
    assert nvptx.build_key("sm_90") != before
