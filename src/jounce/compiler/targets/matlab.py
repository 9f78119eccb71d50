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
from jounce.compiler.targets.text import Statements, Syntax, used_once, wrap_comment


def _number(value: float) -> str:
    text = {"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}.get(repr(float(value)), repr(float(value)))
    return f"({text})" if text.startswith("-") else text


_SYNTAX = Syntax("", _number, lambda op: op.template("matlab"))


def _subscript(variable: Variable, k: int) -> str:
    """Return an entry by its flat row-major index: MATLAB counts from one and stores by columns."""
    if not variable.shape:
        return variable.name
    index = np.unravel_index(k, variable.shape)
    return f"{variable.name}({', '.join(str(int(i) + 1) for i in index)})"


def _size(variable: Variable) -> str:
    shape = (variable.shape or (1,)) + (1,) * (len(variable.shape) < 2)
    return ", ".join(map(str, shape))


def _check(function: Function, variable: Variable) -> list[str]:
    """Return statements that check the size of an argument and convert it to double."""
    x = variable.name
    if len(variable.shape) < 2:
        condition = f"numel({x}) == {variable.size}"
        expected = f"{variable.size} real numbers"
    else:
        condition = f"isequal(size({x}), [{_size(variable)}])"
        expected = f"a real matrix of {' by '.join(map(str, variable.shape))}"
    return [
        f"if ~(isnumeric({x}) && isreal({x}) && {condition})",
        f"    error('jounce:argument', '{function.name}: {x} must be {expected}');",
        "end",
        f"{x} = double({x});",
    ]


def _help(function: Function) -> list[str]:
    summary, *details = function.doc or ("",)
    lines = [f"{function.name.upper()} {summary}", *details, ""]
    for what, variables in (("Arguments:", function.inputs), ("Results:", function.outputs)):
        lines.append(what)
        lines += [f"  {x.name} ({_size(x).replace(', ', ' x ')}): {x.doc}" for x in variables]
    return [f"% {line}".rstrip() for line in wrap_comment(lines)]


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
        helpers = [OPS[op].matlab_helper for op in sorted({*tape.ops}) if OPS[op].matlab_helper]
        return "\n".join([*start, *lines, "end", "", *helpers])

    def files(self, project: Project) -> Mapping[str, str]:
        """Return a file per function."""
        description = (
            f"Robot: '{project.robot}'. Written by jounce.",
            "",
            *project.coordinates,
            "Joints:",
            *project.joints("({})", 1),
        )
        return {
            f"{x.name}.m": self.build(replace(x, doc=(*x.doc, *description)))
            for x in project.functions
        }


TARGET = MatlabTarget()
