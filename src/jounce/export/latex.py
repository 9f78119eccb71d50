"""Quantities of a robot as formulas of LaTeX, entry by entry: what a paper prints.

    robot.export.latex("paper", ["mass_matrix"], parameters={"link1.mass": "m1"})

For robots of a few joints: a formula without intermediate results grows quickly. Needs
jounce[symbolic].
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from jounce.catalog import AnyQuantity, Derivative, Named, Numbers, State, Time, Variant
from jounce.errors import KernelTooLargeError
from jounce.export.source import prefix_of, write
from jounce.export.sympy import Printer, Result, SymbolicRobot, dotted
from jounce.robot import System

#: Operations of a compiled quantity beyond which nobody reads its formula, if it ends at all.
LARGEST = 300

#: Characters of a formula on a line, about.
_WIDTH = 200

_HEAD = r"""\documentclass{article}
\usepackage[a4paper, landscape, margin=15mm]{geometry}
\usepackage{amsmath}
\allowdisplaybreaks
\begin{document}
"""

#: Letters of results that have names.
_LETTERS = {x: rf"\{x}" for x in ("tau", "pi", "Gamma", "Lambda", "mu")}


def export_latex(
    robot: System,
    folder: str | os.PathLike[str],
    quantities: str | Iterable[str] = ("mass_matrix", "coriolis_matrix", "gravity_forces"),
    *,
    parameters: Mapping[str, Any] | None = None,
    name: str | None = None,
    overwrite: bool = False,
) -> list[Path]:
    """Write NAME.tex into a folder, a document with a formula for every entry; returns it.

    quantities: names as `robot.quantity` takes them. parameters: symbols in the place of the
    robot's numbers, as `robot.export.sympy` takes them. name: of the file, by default the robot's.
    overwrite: replace a file that exists; FileExistsError otherwise. Formulas are expanded and
    collected; entries that are zero are not shown. KernelTooLargeError for a quantity whose formula
    would fill books.
    """
    stem = prefix_of(robot.name, name)
    names = [quantities] if isinstance(quantities, str) else list(quantities)
    for given in names:
        _refuse_large(robot, given)
    symbols = robot.export.sympy(parameters)
    parts = [_HEAD, rf"\section*{{{_text(robot.name)}}}", _conventions(robot)]
    for given in names:
        parts += _section(robot, symbols, given)
    text = "\n".join([*parts, r"\end{document}", ""])
    return write(folder, {f"{stem}.tex": text.encode()}, overwrite=overwrite)


def _refuse_large(robot: System, quantity: str) -> None:
    size = len(robot.quantity(quantity).kernel.tape)
    if size > LARGEST:
        raise KernelTooLargeError(
            f"{robot.name}: the formula of '{quantity}' is too large for LaTeX: {size} operations,"
            f" at most {LARGEST} can be written; lock joints (robot.edit.lock), or export C or"
            " MATLAB"
        )


def _conventions(robot: System) -> str:
    joints = ", ".join(rf"$q_{{{k + 1}}}$ {_text(x)}" for k, x in enumerate(robot.labels("q")))
    return (
        rf"Coordinates: {joints}. $c_{{12}} = \cos(q_1 + q_2)$, $s_1 = \sin q_1$, dots are time"
        " derivatives. SI units; twists and wrenches have rotation first. Written by jounce."
    )


def _section(robot: System, symbols: SymbolicRobot, name: str) -> list[str]:
    """A heading, and the entries of every result."""
    row = robot.quantity(name).kernel.quantity
    found = symbols.quantity(name)()
    results = found if isinstance(found, tuple) else (found,)
    lines = ["", rf"\subsection*{{{_text(name)}}}", f"{_text(row.doc)} Unit: {_text(row.unit)}."]
    for symbol, result in zip(_symbols(row), results, strict=True):
        entries = _entries(symbol, result.simplified(), Printer(symbols.names))
        lines += [r"\begin{align*}", "\\\\\n".join(entries), r"\end{align*}"]
    return lines


def _entries(letter: str, result: Result, printer: Printer) -> list[str]:
    """The result as it is if it is short, else an equation for every entry that is not zero."""
    value = result.value
    shape = getattr(value, "shape", ())
    if not shape:
        return [_equation(letter, value, printer)]
    whole = printer.doprint(value)
    if len(whole) <= 2 * _WIDTH and len(shape) == 2:
        return [f"{letter} &= {whole}"]
    column = len(shape) == 2 and shape[1] == 1
    out = []
    for at in np.ndindex(*shape):
        if value[at] != 0:
            index = [at[0] + 1] if column else [k + 1 for k in at]
            marks = ("" if max(index) < 10 else ",").join(map(str, index))
            out.append(_equation(f"{letter}_{{{marks}}}", value[at], printer))
    return out or [rf"{letter} &= 0"]


def _equation(left: str, value: Any, printer: Printer) -> str:
    """`left` = value, on lines that break between terms."""
    lines, line = [], ""
    for k, term in enumerate(printer.terms(value)):
        sign, body = ("-", term[1:].lstrip()) if term.startswith("-") else ("+", term)
        if len(line) > _WIDTH:
            lines.append(line)
            line = ""
        line += f" {sign} {body}" if k or sign == "-" else body
    lines.append(line)
    return f"{left} &= " + "\\\\\n&\\quad ".join(x.strip() for x in lines)


def _symbols(row: AnyQuantity) -> list[str]:
    """Return a symbol for each result: dots for time derivatives, quotients for others."""
    if isinstance(row, Derivative):
        of = _symbols(row.of)
        match row.variable:
            case Time():
                return [dotted(x, order) for order in row.variable.orders for x in of]
            case State() | Numbers():
                return [_quotient(x, *row.wrt) for x in of]
            case Variant():
                return of
            case Named():  # some of its results are those of the quantity, or their derivatives
                known = {x.symbol: of[k] for k, x in enumerate(row.of.results)}
                return [
                    _quotient(of[k % len(of)], x.wrt)
                    if x.wrt
                    else known.get(x.symbol, _letter(x.letter))
                    for k, x in enumerate(row.results)
                ]
    return [_letter(result.letter) for result in row.results]


def _letter(letter: str) -> str:
    plain = letter if len(letter) == 1 else rf"\mathrm{{{_text(letter)}}}"
    return _LETTERS.get(letter, plain)


def _quotient(symbol: str, *variables: str) -> str:
    """Return the partial derivative in some variables."""
    power = f"^{len(variables)}" if len(variables) > 1 else ""
    below = r" \,".join(rf"\partial {_letter(x)}" for x in variables)
    return rf"\left(\partial{power} {symbol} / {below}\right)"


def _text(text: str) -> str:
    """Words as LaTeX prints them."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return re.sub(r"[\\~^{}#$%&_]", lambda x: special.get(x[0], f"\\{x[0]}"), text)
