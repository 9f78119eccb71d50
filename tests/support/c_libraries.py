"""Exported C, compiled and called."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


FLAGS = ("-Wall", "-Wextra", "-Werror", "-std=c99", "-pedantic")


needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler on PATH")


def compile_c(folder: Path, *options: str) -> None:
    assert COMPILER is not None
    done = subprocess.run(
        [COMPILER, *FLAGS, *options], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[:4000]


def library(folder: Path, paths: list[Path], *options: str) -> ctypes.CDLL:
    source = next(path for path in paths if path.suffix == ".c" and path.stem != "selftest")
    compile_c(folder, "-O1", *options, "-shared", "-fPIC", source.name, "-lm", "-o", "lib.so")
    return ctypes.CDLL(str(folder / "lib.so"))


def function_names(paths: list[Path]) -> list[str]:
    header = next(path for path in paths if path.suffix == ".h").read_text()
    names = re.findall(r"^void (\w+)\(", header, re.MULTILINE)
    return [name for name in names if not name.endswith("_batch")]


def call(function: Any, *arguments: Any) -> None:
    function.restype = None
    function(
        *(
            ctypes.c_size_t(x) if isinstance(x, int) else x.ctypes.data_as(ctypes.c_void_p)
            for x in arguments
        )
    )
