"""Tapes as CUDA C++: device functions, a kernel and a launcher of each, and their self-test."""

from __future__ import annotations

from collections.abc import Mapping

from numpy.typing import DTypeLike

from jounce.compiler.targets.base import Target
from jounce.compiler.targets.c_family import files
from jounce.compiler.targets.c_family.dialect import CUDA, format_list
from jounce.compiler.targets.c_family.kernel import THREADS
from jounce.compiler.targets.c_family.selftest import Calls, selftest_source
from jounce.compiler.targets.function import Function, scalar_of
from jounce.compiler.targets.project import Project

__all__ = ["TARGET", "CudaTarget"]

_USE = (
    "CUDA C++ (C++14 or newer) that needs the CUDA runtime only, for any architecture. A function"
    " launches a kernel on n samples and returns at once, with the error of the launch if there is"
    " one. Arrays are in memory of the current device, sample after sample; sizes below are those"
    " of one. Results must not overlap arguments. Nothing is allocated and no state is kept, so"
    " launches may be captured in graphs.",
    "Not for --use_fast_math, which makes sines of large angles wrong.",
)

_CHECK = """\
/* Stops at an error of CUDA. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        printf("FAIL: %s\\n", cudaGetErrorString(error));
        exit(1);
    }
}
"""


class CudaTarget(Target):
    """CUDA C++ that needs the CUDA runtime only, for every architecture that nvcc knows."""

    name = "cuda"
    runs_here = False

    def build(self, function: Function, dtype: DTypeLike = float) -> str:
        """Return CUDA C++ of the function: for one sample, its kernel and its launcher."""
        return files.cuda_alone(function, CUDA.bind(scalar_of(dtype), function.name))

    def files(self, project: Project) -> Mapping[str, str]:
        """Return a header, the source and the program that tests it."""
        name, functions = project.name, project.functions
        dialect = CUDA.bind(project.scalar, name)
        command = f"nvcc -O3 -arch=native selftest.cu {name}.cu -o selftest && ./selftest"
        test = project.about_test("selftest.cu", f"the kernels of {name}.cu", command)
        about = project.about(f"{name}.cuh", _USE, command)
        where = [f"{name}.cu: {project.subject}; all is explained in {name}.cuh."]

        def variants(function: Function) -> dict[str, list[str]]:
            arrays = [x.name for x in (*function.inputs, *function.outputs)]
            launch = format_list(f"check({function.name}", [*arrays, "samples", "0"], ");")
            return {function.name: [launch, "check(cudaDeviceSynchronize());"]}

        allocate = "check(cudaMallocManaged((void **)&memory, bytes));"
        calls = Calls(f"{name}.cuh", THREADS, _CHECK, allocate, "cudaFree", variants)
        return {
            f"{name}.cuh": files.cuda_header(name, functions, dialect, about),
            f"{name}.cu": files.cuda_source(name, functions, dialect, where),
            "selftest.cu": selftest_source(project, calls, test),
        }


TARGET = CudaTarget()
