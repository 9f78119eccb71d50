"""Tapes as plain C99: readable straight-line functions, a batch variant, and their self-test.

The text depends on the tape alone: no dates, no machine. `matlab` writes the same statements.
"""

from __future__ import annotations

from collections.abc import Mapping

from numpy.typing import DTypeLike

from jounce.compiler.targets.base import Target
from jounce.compiler.targets.c import files
from jounce.compiler.targets.c.selftest import selftest_source
from jounce.compiler.targets.function import Function
from jounce.compiler.targets.project import Project

__all__ = ["TARGET", "CTarget"]

_USE = (
    "Plain C99 that needs <math.h> only. The functions allocate nothing and keep no state, so"
    " they may run in several threads at once. Results must not overlap arguments.",
)


class CTarget(Target):
    """C99 that needs no library but <math.h>."""

    name = "c"
    runs_here = False

    def build(self, function: Function, dtype: DTypeLike = float) -> str:
        """Return C99 of the function for one sample, all by itself."""
        return files.build(function, dtype)

    def files(self, project: Project) -> Mapping[str, str]:
        """Return a header, the source and the program that tests it."""
        name, functions, scalar = project.name, project.functions, project.scalar
        simd = project.simd
        samples = [project.samples(function) for function in functions]
        command = f"cc -std=c99 -O2 selftest.c {name}.c -lm -o selftest && ./selftest"
        note = f"the layout of arguments and results is in {name}.h."
        test = [
            f"selftest.c: compares the functions of {name}.c with values computed by jounce.",
            "",
            f"  {command}",
            "",
            "It prints PASS or FAIL, and returns zero if everything passes.",
        ]
        about = project.about(f"{name}.h", _USE, command)
        where = [f"{name}.c: {project.subject}; {note}"]
        return {
            f"{name}.h": files.header(name, functions, scalar, simd, about),
            f"{name}.c": files.source(name, functions, scalar, simd, where),
            "selftest.c": selftest_source(name, functions, samples, scalar, simd, test),
        }


TARGET = CTarget()
