"""Exported CUDA C++: compiled by nvcc, its self-test, and its kernels on arrays."""

from __future__ import annotations

import ctypes
import importlib
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import jounce
from tests.gpu.support import close, expected, given, robots

#: Short and wide results, and several of them.
QUANTITIES = (
    "kinetic_energy",
    "inverse_dynamics",
    "mass_matrix",
    "joint_friction",
    "forward_dynamics.derivatives",
)

NVCC = shutil.which("nvcc")


def _nvcc(folder: Path, *options: str) -> bool:
    """Compile for the GPU of this machine; print why and return False if that is impossible."""
    if NVCC is None:
        print("skipped: there is no nvcc on PATH")
        return False
    # compiles fast; speed does not matter here
    command = [NVCC, "-arch=native", "-Werror", "all-warnings", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, (done.stderr or done.stdout)[:2000]
    return True


def _selftest(name: str, dtype: type, *quantities: str) -> None:
    """Export, compile and run the self-test, which compares with values from the CPU."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        _, source, test = robots()[name].export.cuda(folder, quantities, dtype=dtype)
        if not _nvcc(folder, test.name, source.name, "-o", "selftest"):
            return
        done = subprocess.run([folder / "selftest"], capture_output=True, text=True, timeout=60)
        print(done.stdout, end="")
        assert done.returncode == 0, done.stdout[-1000:]
        assert done.stdout.splitlines()[-1] == "PASS"


def check_selftest_of_an_arm_in_double() -> None:
    """Kernels in one part, with results in one part or several."""
    _selftest("iiwa14_mueller_kumar2021", np.float64, *QUANTITIES)


def check_selftest_of_an_arm_in_float() -> None:
    """The same in float32."""
    _selftest("iiwa14_mueller_kumar2021", np.float32, *QUANTITIES)


def check_selftest_of_every_joint_kind_in_double() -> None:
    """A floating base and all joint kinds: signs, selections, roots and arctangents too."""
    _selftest("floating", np.float64, "inverse_dynamics", "mass_matrix", "integrate", "difference")


def check_selftest_of_a_humanoid_in_parts() -> None:
    """A kernel that is split into parts with a workspace."""
    _selftest("toro25", np.float32, "forward_dynamics")


def check_kernels_on_arrays() -> None:
    """Launches through the shared library on CuPy's memory and stream, full and partial blocks."""
    cupy = importlib.import_module("cupy")
    robot = robots()["iiwa14_mueller_kumar2021"]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        _, source, _ = robot.export.cuda(folder, ("mass_matrix", "inverse_dynamics"), name="arm")
        if not _nvcc(folder, "-shared", "-Xcompiler", "-fPIC", source.name, "-o", "arm.so"):
            return
        library = ctypes.CDLL(str(folder / "arm.so"))
        for name in ("mass_matrix", "inverse_dynamics"):
            for n in (1, 64, 65, 5000):
                _compare(cupy, robot, name, library[f"arm_{name}"], n)


def _compare(cupy: Any, robot: jounce.Robot, name: str, launcher: Any, n: int) -> None:
    """Launch on n samples; the memory behind the results must not change."""
    quantity = robot.quantity(name)
    numbers = given(quantity, n, seed=n)
    arrays = [cupy.asarray(x) for x in numbers]
    (shape,) = quantity.kernel.outputs
    result = cupy.full((n + 1, *shape), cupy.nan)
    pointers = [ctypes.c_void_p(x.data.ptr) for x in (*arrays, result)]
    stream = cupy.cuda.Stream(non_blocking=True)
    cupy.cuda.get_current_stream().synchronize()
    error = launcher(*pointers, ctypes.c_longlong(n), ctypes.c_void_p(stream.ptr))
    assert error == 0, f"{name}: error {error} of CUDA"
    stream.synchronize()
    close(result[:n], expected(quantity, numbers)[0], "double", f"{name} of {n} samples")
    assert bool(cupy.isnan(result[n]).all()), f"{name} wrote behind the last of {n} samples"
