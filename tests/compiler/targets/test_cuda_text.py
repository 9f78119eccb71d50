"""Exported CUDA: its kernels on the processor against the gufunc, and what nvcc makes of them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jounce.compiler.targets import cuda
from jounce.compiler.targets.c_family.dialect import CUDA
from jounce.export.source import export_cuda, function
from jounce.model.model import Model
from jounce.robot import Robot, load
from support.cuda_text import (
    compile_on_host,
    host_library,
    launch,
    launchers,
    needs_cpp,
    needs_nvcc,
    nvcc,
)
from support.helpers import assert_close, quiet_read, random_arguments, small_model
from support.robots import random_model

pytestmark = pytest.mark.cuda

TOLERANCE = {"d": 1e-13, "f": 2e-5}


def floating_model() -> Model:
    """A free base, then every kind of joint."""
    return random_model(np.random.default_rng(5), 9, floating=True)


#: Short and wide results, several of them, numbers, signs, many arguments.
CASES: dict[str, tuple[Callable[[], Model], tuple[str, ...]]] = {
    "iiwa14_mueller_kumar2021": (
        lambda: quiet_read("iiwa14_mueller_kumar2021"),
        ("inverse_dynamics.rates(2)", "mass_matrix", "frame(base).pose", "equations_of_motion"),
    ),
    "floating": (floating_model, ("inverse_dynamics", "mass_matrix", "kinetic_energy")),
    "small": (
        small_model,
        ("center_of_mass", "joint_friction", "external_forces", "forward_dynamics.derivatives"),
    ),
}


def results(robot: Robot, name: str, given: list[np.ndarray]) -> tuple[np.ndarray, ...]:
    found = robot.quantity(name)(*given)
    return found if isinstance(found, tuple) else (found,)


# ------------------------------------------------------------------ on the processor


@needs_cpp
@pytest.mark.parametrize("char", ["d", "f"])
@pytest.mark.parametrize("case", list(CASES))
def test_kernels_give_the_gufuncs_numbers(case: str, char: str, tmp_path: Path) -> None:
    """Also where the last block is a part of one; and nothing is written behind the results."""
    make, quantities = CASES[case]
    robot = Robot(make())
    header, source, _ = export_cuda(robot, tmp_path, quantities, dtype=char)
    built = host_library(tmp_path, source.name)
    rng = np.random.default_rng(3)
    for name, own in zip(quantities, launchers(header.read_text()), strict=True):
        kernel = robot.quantity(name).kernel
        for n in (1, 64, 131):
            given = [x.astype(char) for x in random_arguments(kernel, robot, rng, (n,))]
            found = [np.full((n + 1, *shape), np.nan, char) for shape in kernel.outputs]
            assert launch(built[own], [*given, *found], n) == 0
            for k, expected in enumerate(results(robot, name, given)):
                assert_close(found[k][:n], expected, TOLERANCE[char], f"{own}, result {k}")
                assert np.isnan(found[k][n]).all()


@needs_cpp
def test_numbers_of_samples(tmp_path: Path) -> None:
    header, source, _ = export_cuda(load("planar_2r"), tmp_path, "mass_matrix")
    built = host_library(tmp_path, source.name)
    (own,) = launchers(header.read_text())
    q, M = np.zeros((1, 2)), np.full((1, 2, 2), np.nan)
    invalid = 1
    assert launch(built[own], [q, M], 0) == 0
    assert launch(built[own], [q, M], -1) == invalid
    assert launch(built[own], [q, M], 64 * 2**31) == invalid
    assert np.isnan(M).all()


def outcome_of(header: Path, source: Path, test: Path) -> subprocess.CompletedProcess[str]:
    """Run the self-test on the processor."""
    folder = header.parent
    compile_on_host(folder, test.name, source.name, "-o", "selftest")
    return subprocess.run([folder / "selftest"], capture_output=True, text=True, timeout=60)


@needs_cpp
def test_mechanisms_and_parameters(tmp_path: Path) -> None:
    """Everything that has quantities is exported."""
    closed = load("five_bar").closed(("joint1", "joint4"))
    names = ["inverse_dynamics.rates(1)", "parametric.mass_matrix", "step"]
    done = outcome_of(*closed.export.cuda(tmp_path, names))
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("PASS") == 5 + 1


@needs_cpp
@pytest.mark.parametrize("char", ["d", "f"])
def test_the_selftest_passes_and_can_fail(char: str, tmp_path: Path) -> None:
    quantities = ("inverse_dynamics", "equations_of_motion", "kinetic_energy")
    header, source, test = export_cuda(
        load("iiwa14_mueller_kumar2021"), tmp_path, quantities, dtype=char
    )
    assert [x.name for x in (header, source, test)] == [
        "iiwa14_mueller_kumar2021.cuh",
        "iiwa14_mueller_kumar2021.cu",
        "selftest.cu",
    ]

    done = outcome_of(header, source, test)
    assert done.returncode == 0, done.stdout
    assert done.stdout.split("\n")[-2] == "PASS"
    assert done.stdout.count("PASS") == 5 + 1  # results of all quantities, and the whole
    if char == "d":  # sines that are off
        header.write_text(header.read_text().replace("sincos(", "sincos(1.001 * "))
    else:  # threads that all do the same sample
        source.write_text(source.read_text().replace("first + lane", "first + 0 * lane"))
    done = outcome_of(header, source, test)
    assert done.returncode == 1
    assert done.stdout.split("\n")[-2] == "FAIL"


@needs_cpp
@pytest.mark.parametrize("char", ["d", "f"])
def test_long_kernels_in_parts_give_the_same_numbers(
    char: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda, "CUDA", replace(CUDA, max_operations=100, piece=70))
    robot = Robot(small_model())
    names = ("coriolis_matrix", "kinetic_energy", "forward_dynamics")
    header, source, _ = export_cuda(robot, tmp_path, names, dtype=char)
    text = header.read_text()
    assert text.count("__noinline__") > sum(len(robot.quantity(x).kernel.tape) for x in names) / 70
    longest = max(part.count("\n") for part in text.split("__noinline__")[1:-1])
    assert longest < 3 * 70
    built = host_library(tmp_path, source.name)
    for name, own in zip(names, launchers(text), strict=True):
        kernel = robot.quantity(name).kernel
        given = random_arguments(kernel, robot, np.random.default_rng(0), (70,))
        given = [x.astype(char) for x in given]
        found = [np.full((70, *shape), np.nan, char) for shape in kernel.outputs]
        assert launch(built[own], [*given, *found], 70) == 0
        (expected,) = results(robot, name, given)
        assert_close(found[0], expected, 10 * TOLERANCE[char], own)


# ------------------------------------------------------------------ nvcc


def compiled(folder: Path, *options: str) -> str:
    """What nvcc says about the exported source; warnings are errors."""
    command = [nvcc() or "", "-Werror", "all-warnings", "-O3", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[:4000]
    return done.stdout + done.stderr


@needs_nvcc
@pytest.mark.parametrize("architecture", ["sm_75", "sm_120"])
@pytest.mark.parametrize("char", ["d", "f"])
def test_an_arm_needs_no_memory_for_registers(char: str, architecture: str, tmp_path: Path) -> None:
    names = ("inverse_dynamics", "mass_matrix", "kinetic_energy", "forward_dynamics")
    _, source, _ = export_cuda(load("iiwa14_mueller_kumar2021"), tmp_path, names, dtype=char)
    said = compiled(tmp_path, f"-arch={architecture}", "-Xptxas", "-v", "-cubin", source.name)
    spilled = re.findall(r"(\d+) bytes spill stores, (\d+) bytes spill loads", said)
    registers = re.findall(r"Used (\d+) registers", said)
    assert len(registers) == len(names)
    assert {int(x) for pair in spilled for x in pair} == {0}


@needs_nvcc
def test_nvcc_takes_all_files_in_an_old_standard(tmp_path: Path) -> None:
    """Of a robot with signs, choices and angles of quaternions: all that operations need."""
    robot = Robot(small_model())
    names = ("joint_friction", "difference", "integrate", "mass_matrix")
    _, source, test = export_cuda(robot, tmp_path, names)
    compiled(tmp_path, "-arch=sm_80", "-std=c++14", "-c", source.name, test.name)


@needs_nvcc
def test_results_may_be_arrays_of_a_thread(tmp_path: Path) -> None:
    """In a kernel of one's own, which stays in registers."""
    header, _, _ = export_cuda(
        load("iiwa14_mueller_kumar2021"), tmp_path, "mass_matrix", dtype="f", name="arm"
    )
    (tmp_path / "own.cu").write_text(f"""
#include "{header.name}"
__global__ void largest(const float *q, float *most)
{{
    float M[49], found = 0.0f;
    arm_mass_matrix_sample(q + 7 * threadIdx.x, M);
    for (int k = 0; k < 49; ++k)
        found = fmaxf(found, M[k]);
    most[threadIdx.x] = found;
}}
""")
    said = compiled(tmp_path, "-arch=sm_80", "-Xptxas", "-v", "-cubin", "own.cu")
    (frame,) = re.findall(r"Compiling entry.*\n.*\n\s*(\d+) bytes stack frame", said)
    assert int(frame) < 49 * 4  # what reduces large angles takes a little


@needs_cpp
def test_the_header_is_for_files_without_kernels_too(tmp_path: Path) -> None:
    header, _, _ = export_cuda(load("planar_2r"), tmp_path, "mass_matrix")
    (tmp_path / "main.cu").write_text(
        f'#undef __CUDACC__\n#include "{header.name}"\nint main() {{ return 0; }}\n'
    )
    compile_on_host(tmp_path, "-c", "main.cu")


# ------------------------------------------------------------------ the text


def test_a_function_alone_is_a_whole_source() -> None:
    text = cuda.TARGET.build(function(load("planar_2r"), "joint_friction"), np.float32)
    assert 'extern "C" cudaError_t planar_2r_joint_friction(const float *v, float *tau' in text
    assert "static __global__ void" in text
    assert max(map(len, text.split("\n"))) <= 120
    with pytest.raises(ValueError, match="dtype must be float64 or float32, found int64"):
        cuda.TARGET.build(function(load("planar_2r"), "mass_matrix"), int)
