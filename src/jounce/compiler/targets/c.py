"""Tapes as plain C99: straight-line functions, a batch variant of each, and their self-test."""

from __future__ import annotations

from collections.abc import Mapping

from numpy.typing import DTypeLike

from jounce.compiler.targets.base import Target
from jounce.compiler.targets.c_family import files
from jounce.compiler.targets.c_family.batch import LANES
from jounce.compiler.targets.c_family.dialect import C99, format_list
from jounce.compiler.targets.c_family.selftest import Calls, selftest_source
from jounce.compiler.targets.function import Function, scalar_of
from jounce.compiler.targets.project import Project

__all__ = ["TARGET", "CTarget"]

_USE = (
    "Plain C99 that needs <math.h> only. The functions allocate nothing and keep no state, so"
    " they may run in several threads at once. Results must not overlap arguments.",
)

_ALLOCATE = """\
memory = ({scalar} *)malloc(bytes);
if (memory == NULL) {{
    puts("FAIL: no memory");
    exit(1);
}}"""


class CTarget(Target):
    """C99 that needs no library but <math.h>."""

    name = "c"
    runs_here = False

    def build(self, function: Function, dtype: DTypeLike = float) -> str:
        """Return C99 of the function for one sample, all by itself."""
        return files.c_alone(function, C99.bind(scalar_of(dtype), function.name))

    def files(self, project: Project) -> Mapping[str, str]:
        """Return a header, the source and the program that tests it."""
        name, functions, simd = project.name, project.functions, project.simd
        dialect = C99.bind(project.scalar, name)
        command = f"cc -std=c99 -O2 selftest.c {name}.c -lm -o selftest && ./selftest"
        test = project.about_test("selftest.c", f"the functions of {name}.c", command)
        about = project.about(f"{name}.h", _USE, command)
        note = f"the layout of arguments and results is in {name}.h."
        where = [f"{name}.c: {project.subject}; {note}"]

        def variants(function: Function) -> dict[str, list[str]]:
            arrays = (*function.inputs, *function.outputs)
            call = format_list(function.name, [f"{x.name} + {x.size} * i" for x in arrays], ";")
            loop = ["for (int i = 0; i < samples; ++i)", f"    {call}"]
            if not simd:
                return {function.name: loop}
            batch = f"{function.name}_batch"
            call_batch = format_list(batch, ["(size_t)samples", *(x.name for x in arrays)], ";")
            return {function.name: loop, batch: [call_batch]}

        allocate = _ALLOCATE.format(scalar=project.scalar)
        calls = Calls(f"{name}.h", LANES, "", allocate, "free", variants)
        return {
            f"{name}.h": files.c_header(name, functions, dialect, simd, about),
            f"{name}.c": files.c_source(name, functions, dialect, simd, where),
            "selftest.c": selftest_source(project, calls, test),
        }


TARGET = CTarget()
