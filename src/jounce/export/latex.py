"""Export of quantities as LaTeX formulas, entry by entry, for papers.

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

from jounce.catalog import AnyQuantity, Derivative, Named, RobotParameter, State, Time, Variant
from jounce.errors import KernelTooLargeError
from jounce.export.source import prefix_of, write
from jounce.export.symbol_names import derivative_latex
from jounce.export.sympy import Printer, Result, SymbolicRobot
from jounce.robot import System

#: Limit for formulas: SymPy would take very long, and the result would be unreadable.
MAX_OPERATIONS = 300

#: Approximate length of a line of a formula.
_LINE_CHARACTERS = 200

_HEAD = r"""\documentclass{article}
\usepackage[a4paper, landscape, margin=15mm]{geometry}
\usepackage{amsmath}
\allowdisplaybreaks
\begin{document}
"""

#: LaTeX of the letters of results that are Greek.
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
    """Write NAME.tex into a folder: a document with a formula for every nonzero entry.

    Parameters
    ----------
    robot : Robot, Mechanism or Contacts
    folder : path
        Created if needed.
    quantities : str or iterable of str
        Names as `robot.quantity` takes them.
    parameters : mapping, optional
        Symbols that replace numbers of the robot, as `robot.export.sympy` takes them.
    name : str, optional
        Of the file, by default made of the robot's name.
    overwrite : bool
        Replace a file that exists.

    Returns
    -------
    list of Path
        The file. Its formulas are expanded and collected.

    Raises
    ------
    FileExistsError
        If the file exists and `overwrite` is false.
    KernelTooLargeError
        If a quantity has more than MAX_OPERATIONS operations.
    """
    stem = prefix_of(robot.name, name)
    names = [quantities] if isinstance(quantities, str) else list(quantities)
    for quantity in names:
        _check_size(robot, quantity)
    symbols = robot.export.sympy(parameters)
    parts = [_HEAD, rf"\section*{{{_escape(robot.name)}}}", _conventions(robot)]
    for quantity in names:
        parts += _section(robot, symbols, quantity)
    text = "\n".join([*parts, r"\end{document}", ""])
    return write(folder, {f"{stem}.tex": text.encode()}, overwrite=overwrite)


def _check_size(robot: System, quantity: str) -> None:
    size = len(robot.quantity(quantity).kernel.tape)
    if size > MAX_OPERATIONS:
        raise KernelTooLargeError(
            f"'{quantity}' of robot '{robot.name}' has {size} operations, but at most"
            f" {MAX_OPERATIONS} can be written as LaTeX; lock joints (robot.edit.lock), or export C"
            " or MATLAB"
        )


def _conventions(robot: System) -> str:
    joints = ", ".join(rf"$q_{{{k + 1}}}$ {_escape(x)}" for k, x in enumerate(robot.labels("q")))
    return (
        rf"Coordinates: {joints}. $c_{{12}} = \cos(q_1 + q_2)$, $s_1 = \sin q_1$, dots are time"
        " derivatives. SI units; twists and wrenches have rotation first. Written by jounce."
    )


def _section(robot: System, symbols: SymbolicRobot, name: str) -> list[str]:
    """Return the lines of a section: a heading, and the entries of every result."""
    definition = robot.quantity(name).kernel.quantity
    results = symbols.quantity(name)()
    results = results if isinstance(results, tuple) else (results,)
    lines = [
        "",
        rf"\subsection*{{{_escape(name)}}}",
        f"{_escape(definition.doc)} Unit: {_escape(definition.unit)}.",
    ]
    for symbol, result in zip(_symbols(definition), results, strict=True):
        entries = _entries(symbol, result.simplified(), Printer(symbols.names))
        lines += [r"\begin{align*}", "\\\\\n".join(entries), r"\end{align*}"]
    return lines


def _entries(letter: str, result: Result, printer: Printer) -> list[str]:
    """Return one equation if the result is short, else an equation for every nonzero entry."""
    value = result.value
    shape = getattr(value, "shape", ())
    if not shape:
        return [_equation(letter, value, printer)]
    text = printer.doprint(value)
    if len(text) <= 2 * _LINE_CHARACTERS and len(shape) == 2:
        return [f"{letter} &= {text}"]
    column = len(shape) == 2 and shape[1] == 1
    out = []
    for entry in np.ndindex(*shape):
        if value[entry] != 0:
            index = [entry[0] + 1] if column else [k + 1 for k in entry]
            marks = ("" if max(index) < 10 else ",").join(map(str, index))
            out.append(_equation(f"{letter}_{{{marks}}}", value[entry], printer))
    return out or [rf"{letter} &= 0"]


def _equation(left: str, value: Any, printer: Printer) -> str:
    """Return the equation `left` = value, with line breaks between terms."""
    lines, line = [], ""
    for k, term in enumerate(printer.terms(value)):
        sign, body = ("-", term[1:].lstrip()) if term.startswith("-") else ("+", term)
        if len(line) > _LINE_CHARACTERS:
            lines.append(line)
            line = ""
        line += f" {sign} {body}" if k or sign == "-" else body
    lines.append(line)
    return f"{left} &= " + "\\\\\n&\\quad ".join(x.strip() for x in lines)


def _symbols(definition: AnyQuantity) -> list[str]:
    """Return a symbol for each result: dots for time derivatives, quotients for others."""
    if isinstance(definition, Derivative):
        symbols = _symbols(definition.operand)
        match definition.variable:
            case Time():
                return [
                    derivative_latex(x, order)
                    for order in definition.variable.orders
                    for x in symbols
                ]
            case State() | RobotParameter():
                return [_quotient(x, *definition.wrt) for x in symbols]
            case Variant():
                return symbols
            case Named():  # results of the quantity, their derivatives, or further ones
                known = {x.symbol: symbols[k] for k, x in enumerate(definition.operand.results)}
                return [
                    _quotient(symbols[k % len(symbols)], x.wrt)
                    if x.wrt
                    else known.get(x.symbol, _letter(x.name))
                    for k, x in enumerate(definition.results)
                ]
    return [_letter(result.name) for result in definition.results]


def _letter(letter: str) -> str:
    plain = letter if len(letter) == 1 else rf"\mathrm{{{_escape(letter)}}}"
    return _LETTERS.get(letter, plain)


def _quotient(symbol: str, *variables: str) -> str:
    """Return LaTeX of a partial derivative."""
    power = f"^{len(variables)}" if len(variables) > 1 else ""
    below = r" \,".join(rf"\partial {_letter(x)}" for x in variables)
    return rf"\left(\partial{power} {symbol} / {below}\right)"


def _escape(text: str) -> str:
    """Escape text for LaTeX."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return re.sub(r"[\\~^{}#$%&_]", lambda x: special.get(x[0], f"\\{x[0]}"), text)
