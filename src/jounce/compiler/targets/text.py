"""Common parts of the source code in C, CUDA and MATLAB: names, comments, statements."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from jounce.compiler.graph.ops import ADD, ANGLES, MUL, NEG, OPS, SUB, Op
from jounce.compiler.graph.passes import angle_values
from jounce.compiler.graph.tape import Tape

#: Columns of generated files.
WIDTH = 96

# ------------------------------------------------------------------ names, comments

_RESERVED_WORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while alignas alignof and and_eq asm bitand bitor bool catch class compl
    concept consteval constexpr constinit const_cast decltype delete dynamic_cast explicit export
    false friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private
    protected public reinterpret_cast requires static_assert static_cast template this thread_local
    throw true try typeid typename typeof using virtual wchar_t xor xor_eq
    classdef elseif end function global otherwise parfor persistent spmd
    sin cos sqrt sign atan2 sinf cosf sqrtf atan2f fabs puts printf main size_t NAN INFINITY
    kept dropped minimum maximum
    zeros error nargin numel isnumeric isreal isvector isequal size Inf NaN
    work lane sample start left n i k x bad
    sincos sincosf threadIdx blockIdx dim3 stream arguments blocks first stage
    samples states allocate free repeat_states compare check
"""

#: Keywords of C, C++ and MATLAB, and names that generated code calls or defines.
_RESERVED = frozenset(_RESERVED_WORDS.split())


def variable_name(text: str, taken: Iterable[str] = ()) -> str:
    """Return an identifier for an argument or a result.

    Parameters
    ----------
    text : str
        Text that the identifier is derived from.
    taken : iterable of str
        Identifiers that it must differ from, beside those of generated code.

    Returns
    -------
    str
    """
    name = re.sub(r"\W", "_", text, flags=re.ASCII).lstrip("_0123456789") or "value"
    generated = re.fullmatch(r"[tsc]\d+|(many|at|expected|allowed|test)_.*", name)
    if name in _RESERVED or generated is not None:
        name += "_"
    while name in taken:
        name += "_"
    return name


#: Control characters, non-ASCII characters, backslashes, */ and /* of C, trigraphs, %{ of MATLAB.
_UNSAFE = re.compile(r"[^ -~]|\\|\*(?=/)|/(?=\*)|\?(?=\?)|%(?=[{}])")


def escape_comment(text: str) -> str:
    """Escape text for a comment: one line of ASCII that neither ends nor opens a comment."""
    return _UNSAFE.sub(lambda match: f"<U+{ord(match[0]):04X}>", text)


def wrap_comment(lines: Iterable[str]) -> list[str]:
    """Wrap lines for a comment, after escaping them; continuation lines are indented.

    Parameters
    ----------
    lines : iterable of str

    Returns
    -------
    list of str
        Lines of at most `WIDTH` columns.
    """
    out: list[str] = []
    for line in map(escape_comment, lines):
        indent = " " * (len(line) - len(line.lstrip()) + 4 * line.startswith(" "))
        out += textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]
    return out


# ------------------------------------------------------------------ statements


@dataclass(frozen=True)
class Syntax:
    """Syntax of a language: declarations, constants and templates of operations.

    sincos: statements that compute sine {1} and cosine {2} of an angle {0}; if there are none, each
    is an operation like any other.
    """

    declare: str
    number: Callable[[float], str]
    template: Callable[[Op], str]
    sincos: tuple[str, ...] = ()


class Statements:
    """Operations of a tape as assignments: t0, t1, ... and s0, c0, ... for sines and cosines.

    Sine and cosine of an angle are adjacent. A product that is only added to something is inlined
    there, a negative where it is used. `place` returns the names of inputs and loaded values.
    """

    def __init__(self, tape: Tape, syntax: Syntax, place: Callable[[int], str]) -> None:
        self.lines: list[str] = []
        self._tape = tape
        self._syntax = syntax
        self._place = place
        self._names: dict[int, str] = {}
        self._angle_values = angle_values(tape)
        self._angles = 0

    def operand(self, x: int) -> str:
        """Return a value as it is written in an expression."""
        if x < 0:
            return self._syntax.number(self._tape.constants[-1 - x])
        return self._names.get(x) or self._place(x)

    def add(
        self,
        operations: Sequence[int],
        once: Mapping[int, int],
        targets: Mapping[int, Sequence[str]] | None = None,
    ) -> None:
        """Append operations.

        once: values that are used once, and the operation that uses them. targets: places where
        values are stored as soon as they are computed.
        """
        tape = self._tape
        inside = set(operations)
        for i in operations:
            op, value = tape.ops[i], tape.n_inputs + i
            user = once.get(value, -1)
            added = op == MUL and user in inside and tape.ops[user] in (ADD, SUB)
            if value in self._names:
                pass
            elif op in ANGLES:
                self._add_angle(tape.lhs[i])
            elif added or op == NEG:
                self._names[value] = self._expression(value)
            else:
                self._let(value, f"t{len(self.lines)}")
            for target in (targets or {}).get(value, ()):
                self.lines.append(f"{target} = {self.operand(value)};")

    def _add_angle(self, angle: int) -> None:
        """Append the sine and the cosine of an angle, or the only one of them."""
        values = [self._angle_values[angle].get(kind) for kind in ANGLES]
        names = [f"{letter}{self._angles}" for letter in "sc"]
        self._angles += 1
        if self._syntax.sincos and None not in values:
            text = self.operand(angle)
            self.lines += [line.format(text, *names) for line in self._syntax.sincos]
            self._names |= {x: name for x, name in zip(values, names, strict=True) if x is not None}
            return
        for value, name in zip(values, names, strict=True):
            if value is not None:
                self._let(value, name)

    def _expression(self, value: int) -> str:
        """Return the right-hand side of a value's assignment."""
        i = value - self._tape.n_inputs
        operands = self.operand(self._tape.lhs[i]), self.operand(self._tape.rhs[i])
        return self._syntax.template(OPS[self._tape.ops[i]]).format(*operands)

    def _let(self, value: int, name: str) -> None:
        self.lines.append(f"{self._syntax.declare}{name} = {self._expression(value)};")
        self._names[value] = name


def used_once(tape: Tape) -> dict[int, int]:
    """Return {value: operation} for values other than outputs that are read exactly once."""
    reads: Counter[int] = Counter(tape.outputs)
    reader: dict[int, int] = {}
    for i, op in enumerate(tape.ops):
        for x in (tape.lhs[i], tape.rhs[i])[: OPS[op].arity]:
            reads[x] += 1
            reader[x] = i
    outputs = set(tape.outputs)
    return {x: i for x, i in reader.items() if reads[x] == 1 and x not in outputs}
