"""Exported CUDA, compiled by nvcc, or run on the processor with a thread per thread of a block."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import numpy as np
import pytest

COMPILER = shutil.which("g++") or shutil.which("c++") or shutil.which("clang++")

#: What stands for the CUDA runtime on the processor.
ON_HOST = Path(__file__).parent / "cuda_on_host"

#: Not optimised: compiling takes longer than running.
_FLAGS = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-std=c++17", "-pthread")

needs_cpp = pytest.mark.skipif(
    COMPILER is None or sys.platform != "linux",
    reason="no C++ compiler on PATH, or no POSIX barriers for the threads of a block",
)


def nvcc() -> str | None:
    """The compiler of the CUDA toolkit: on PATH, or that of the package nvidia-cuda-nvcc."""
    packages = Path(sysconfig.get_path("purelib"), "nvidia")
    found = sorted(packages.glob("*/bin/nvcc")) if packages.is_dir() else []
    return shutil.which("nvcc") or next(map(str, found), None)


needs_nvcc = pytest.mark.skipif(
    nvcc() is None or COMPILER is None,
    reason="neither nvcc on PATH nor the package nvidia-cuda-nvcc, or no C++ compiler for it",
)


def compile_on_host(folder: Path, *options: str) -> None:
    """Compile .cu files as C++ for the processor."""
    assert COMPILER is not None
    command = [COMPILER, *_FLAGS, "-D__CUDACC__", f"-I{ON_HOST}", "-x", "c++", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr[:4000]


def host_library(folder: Path, source: str) -> ctypes.CDLL:
    """The launchers of a .cu file, which run their kernels on the processor."""
    compile_on_host(folder, "-shared", "-fPIC", source, "-o", "lib.so")
    return ctypes.CDLL(str(folder / "lib.so"))


def launch(function: Any, arrays: list[np.ndarray], n: int) -> int:
    """Call a launcher on arrays of n samples; returns the error of CUDA, 0 being none."""
    pointers = [ctypes.c_void_p(x.ctypes.data) for x in arrays]
    function.restype = ctypes.c_int
    return function(*pointers, ctypes.c_longlong(n), ctypes.c_void_p(0))


def launchers(header: str) -> list[str]:
    """Names of the functions that a header declares."""
    return re.findall(r"^cudaError_t (\w+)\(", header, re.MULTILINE)
