"""Tapes as MATLAB functions, which GNU Octave runs too: one file per function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import DTypeLike

from jounce.compiler.graph.ops import OPS
from jounce.compiler.targets.base import Target
from jounce.compiler.targets.function import Function, Variable, entries
from jounce.compiler.targets.project import Project
from jounce.compiler.targets.text import Statements, Syntax, folded, used_once


def _number(value: float) -> str:
    text = {"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}.get(repr(float(value)), repr(float(value)))
    return f"({text})" if text.startswith("-") else text


_SYNTAX = Syntax("", _number, lambda op: op.spelled("matlab"))


def _subscript(variable: Variable, k: int) -> str:
    """An entry by its flat row-major index: MATLAB counts from one and stores by columns."""
    if not variable.shape:
        return variable.name
    index = np.unravel_index(k, variable.shape)
    return f"{variable.name}({', '.join(str(int(i) + 1) for i in index)})"


def _size(variable: Variable) -> str:
    shape = (variable.shape or (1,)) + (1,) * (len(variable.shape) < 2)
    return ", ".join(map(str, shape))


def _check(function: Function, variable: Variable) -> list[str]:
    """Statements that refuse an argument of another size, and make it double."""
    x = variable.name
    if len(variable.shape) < 2:
        right = f"numel({x}) == {variable.size}"
        wanted = f"{variable.size} real numbers"
    else:
        right = f"isequal(size({x}), [{_size(variable)}])"
        wanted = f"a real matrix of {' by '.join(map(str, variable.shape))}"
    return [
        f"if ~(isnumeric({x}) && isreal({x}) && {right})",
        f"    error('jounce:argument', '{function.name}: {x} must be {wanted}');",
        "end",
        f"{x} = double({x});",
    ]


def _help(function: Function) -> list[str]:
    first, *more = function.doc or ("",)
    lines = [f"{function.name.upper()} {first}", *more, ""]
    for what, variables in (("Arguments:", function.inputs), ("Results:", function.outputs)):
        lines.append(what)
        lines += [f"  {x.name} ({_size(x).replace(', ', ' x ')}): {x.doc}" for x in variables]
    return [f"% {line}".rstrip() for line in folded(lines)]


class MatlabTarget(Target):
    """MATLAB functions in float64."""

    name = "matlab"
    runs_here = False
    max_name = 63

    def build(self, function: Function, dtype: DTypeLike = float) -> str:
        """Return the text of the function's file; numbers are double."""
        if np.dtype(dtype) != np.float64:
            raise ValueError(f"MATLAB functions compute in float64, found dtype {np.dtype(dtype)}")
        tape = function.tape
        inputs, outputs = entries(function.inputs), entries(function.outputs)
        body = Statements(tape, _SYNTAX, lambda x: _subscript(*inputs[x]))
        body.add(range(len(tape)), used_once(tape))
        results = [x.name for x in function.outputs]
        left = results[0] if len(results) == 1 else f"[{', '.join(results)}]"
        arguments = ", ".join(x.name for x in function.inputs)
        lines = [f"if nargin ~= {len(function.inputs)}"]
        lines.append(f"    error('jounce:argument', '{function.name} takes ({arguments})');")
        lines.append("end")
        for x in function.inputs:
            lines += _check(function, x)
        lines += body.lines
        lines += [f"{x.name} = zeros({_size(x)});" for x in function.outputs]
        for (x, k), value in zip(outputs, tape.outputs, strict=True):
            text = body.operand(value)
            if text != "0.0":
                lines.append(f"{_subscript(x, k)} = {text};")
        start = [f"function {left} = {function.name}({arguments})", *_help(function), ""]
        own = [OPS[op].matlab_helper for op in sorted({*tape.ops}) if OPS[op].matlab_helper]
        return "\n".join([*start, *lines, "end", "", *own])

    def files(self, project: Project) -> Mapping[str, str]:
        """Return a file per function."""
        more = (
            f"Robot: '{project.robot}'. Written by jounce.",
            "",
            *project.coordinates,
            "Joints:",
            *project.joints("({})", 1),
        )
        return {
            f"{x.name}.m": self.build(replace(x, doc=(*x.doc, *more))) for x in project.functions
        }


TARGET = MatlabTarget()
