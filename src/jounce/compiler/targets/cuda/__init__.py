"""Tapes as CUDA C++: readable device functions, a kernel each, its launcher, and their self-test.

The text depends on the tape alone: no dates, no machine, no architecture.
"""

from __future__ import annotations

from collections.abc import Mapping

from numpy.typing import DTypeLike

from jounce.compiler.targets.base import Target
from jounce.compiler.targets.cuda import files
from jounce.compiler.targets.cuda.selftest import selftest_source
from jounce.compiler.targets.function import Function
from jounce.compiler.targets.project import Project

__all__ = ["TARGET", "CudaTarget"]

_USE = (
    "CUDA C++ (C++14 or newer) that needs the CUDA runtime only, for any architecture. A function"
    " launches a kernel on n samples and returns at once, with the error of the launch if there is"
    " one. Arrays lie in memory of the current device, sample after sample; sizes below are those"
    " of one. Results must not overlap arguments. Nothing is allocated and no state is kept, so"
    " launches may be captured in graphs.",
    "Not for --use_fast_math, which makes sines of large angles wrong.",
)


class CudaTarget(Target):
    """CUDA C++ that needs the CUDA runtime only, for every architecture that nvcc knows."""

    name = "cuda"
    runs_here = False

    def build(self, function: Function, dtype: DTypeLike = float) -> str:
        """Return CUDA C++ of the function: for one sample, its kernel and its launcher."""
        return files.build(function, dtype)

    def files(self, project: Project) -> Mapping[str, str]:
        """Return a header, the source and the program that tests it."""
        name, functions, scalar = project.name, project.functions, project.scalar
        samples = [project.samples(function) for function in functions]
        command = f"nvcc -O3 -arch=native selftest.cu {name}.cu -o selftest && ./selftest"
        test = [
            f"selftest.cu: compares the kernels of {name}.cu with values computed by jounce.",
            "",
            f"  {command}",
            "",
            "It prints the largest error of each result and PASS or FAIL, and returns zero if"
            " everything passes.",
        ]
        about = project.about(f"{name}.cuh", _USE, command)
        where = [f"{name}.cu: {project.subject}; all is explained in {name}.cuh."]
        return {
            f"{name}.cuh": files.header(name, functions, scalar, about),
            f"{name}.cu": files.source(name, functions, scalar, where),
            "selftest.cu": selftest_source(name, functions, samples, scalar, test),
        }


TARGET = CudaTarget()
