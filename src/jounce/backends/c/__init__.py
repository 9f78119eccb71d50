"""Tapes as plain C99: readable straight-line functions, a batch variant, and their self-test.

The text depends on the tape alone: no dates, no machine. `matlab` writes the same statements.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from jounce.backends.llvm import sincos
from jounce.graph.ops import ADD, COS, DIV, MUL, NEG, SIGN, SIN, SQRT, SUB
from jounce.graph.passes import Segment, angle_values, plan
from jounce.graph.tape import Tape

#: Operations up to which a function stays in one piece, and those of a piece of a longer one.
WHOLE, PIECE = 2000, 1000

#: Operations of a loop over lanes: compilers vectorise no loop with too many memory references.
LANE_PIECE = 300

#: Samples that the batch variant takes at a time.
LANES = 8

WIDTH = 96


@dataclass(frozen=True)
class Variable:
    """An argument or a result: an identifier, its shape (flattened row by row), its meaning."""

    name: str
    shape: tuple[int, ...]
    doc: str

    @property
    def size(self) -> int:
        """Number of entries."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class Function:
    """What becomes a function: its identifier, its tape and what its comment says."""

    name: str
    tape: Tape
    inputs: tuple[Variable, ...]
    outputs: tuple[Variable, ...]
    doc: tuple[str, ...]


@dataclass(frozen=True)
class Samples:
    """States of a self-test: values of the arguments, of the results, and the error allowed."""

    inputs: Mapping[str, Sequence[Sequence[float]]]
    outputs: Mapping[str, Sequence[Sequence[float]]]
    tolerances: Mapping[str, Sequence[float]]


# ------------------------------------------------------------------ names, comments, numbers

_WORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while alignas alignof and and_eq asm bitand bitor bool catch class compl
    concept consteval constexpr constinit const_cast decltype delete dynamic_cast explicit export
    false friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private
    protected public reinterpret_cast requires static_assert static_cast template this thread_local
    throw true try typeid typename typeof using virtual wchar_t xor xor_eq
    classdef elseif end function global otherwise parfor persistent spmd
    sin cos sqrt sign sinf cosf sqrtf fabs puts printf main size_t NAN INFINITY
    zeros error nargin numel isnumeric isreal isvector isequal size Inf NaN
    work lane sample start left n i k x bad wrong
"""

#: Keywords of C, C++ and MATLAB, what generated code calls, and the names it uses itself.
_TAKEN = frozenset(_WORDS.split())


def variable_name(text: str, taken: Iterable[str] = ()) -> str:
    """An identifier for an argument or a result, other than those taken and than our own."""
    name = re.sub(r"\W", "_", text, flags=re.ASCII).lstrip("_0123456789") or "value"
    own = re.fullmatch(r"[tsc]\d+|(many|at|expected|allowed|test)_.*", name)
    if name in _TAKEN or own is not None:
        name += "_"
    while name in taken:
        name += "_"
    return name


#: Control characters, what is not ASCII, backslashes, */ and /* of C, trigraphs, %{ of MATLAB.
_UNSAFE = re.compile(r"[^ -~]|\\|\*(?=/)|/(?=\*)|\?(?=\?)|%(?=[{}])")


def escaped(text: str) -> str:
    """Text for a comment: ASCII on one line that can neither end the comment nor open another."""
    return _UNSAFE.sub(lambda found: f"<U+{ord(found[0]):04X}>", text)


def comment(lines: Iterable[str]) -> str:
    """A block comment."""
    out = folded(lines)
    if len(out) == 1:
        return f"/* {out[0]} */\n"
    return "/* " + "\n".join(f" * {line}".rstrip() for line in out)[3:] + "\n */\n"


def folded(lines: Iterable[str]) -> list[str]:
    """Lines safe in a comment; one that is too long continues under its own indentation."""
    out: list[str] = []
    for line in map(escaped, lines):
        indent = " " * (len(line) - len(line.lstrip()) + 4 * line.startswith(" "))
        out += textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]
    return out


def listed(head: str, items: Sequence[str], tail: str = "") -> str:
    """head(item, item, ...)tail, broken after commas where it is too long."""
    lines, line = [], f"{head}("
    for k, item in enumerate(items):
        item += ", " if k < len(items) - 1 else f"){tail}"
        if len(line) + len(item.rstrip()) > WIDTH:
            lines.append(line.rstrip())
            line = "        "
        line += item
    return "\n".join([*lines, line])


def number(value: float, scalar: str = "double") -> str:
    """A constant that reads back as the same double or, rounded first, the same float."""
    with np.errstate(over="ignore"):
        rounded = np.float32(value) if scalar == "float" else np.float64(value)
    if np.isnan(rounded):
        return "NAN"
    if np.isinf(rounded):
        return "INFINITY" if rounded > 0 else "(-INFINITY)"
    text = np.format_float_positional(rounded, unique=True, trim="0")
    if not 1e-4 <= abs(rounded) < 1e16 and rounded != 0:
        text = np.format_float_scientific(rounded, unique=True, trim="0")
    text += "f" if scalar == "float" else ""
    return f"({text})" if text.startswith("-") else text


# ------------------------------------------------------------------ statements


@dataclass(frozen=True)
class Syntax:
    """How a language writes a new variable, a constant and the functions of one argument."""

    declare: str
    number: Callable[[float], str]
    functions: Mapping[int, str]


def c_syntax(scalar: str, sign: str) -> Syntax:
    """C's, for "double" or "float"; `sign` is the name of the source's own sign function."""
    f = "f" if scalar == "float" else ""
    functions = {SQRT: f"sqrt{f}", SIN: f"sin{f}", COS: f"cos{f}", SIGN: sign}
    return Syntax(f"const {scalar} ", lambda x: number(x, scalar), functions)


_INFIX = {ADD: "+", SUB: "-", MUL: "*", DIV: "/"}


class Statements:
    """Operations of a tape as assignments: t0, t1, ... and s0, c0, ... for sines and cosines.

    Sine and cosine of an angle stand next to each other. A product that is only added to something
    is written there, and a negative where it is used. `place` names inputs and loaded values.
    """

    def __init__(self, tape: Tape, syntax: Syntax, place: Callable[[int], str]) -> None:
        self.lines: list[str] = []
        self._tape = tape
        self._syntax = syntax
        self._place = place
        self._names: dict[int, str] = {}
        self._angles = 0

    def operand(self, x: int) -> str:
        """A value as it is written in an expression."""
        if x < 0:
            return self._syntax.number(self._tape.constants[-1 - x])
        return self._names.get(x) or self._place(x)

    def add(self, operations: Sequence[int], once: Mapping[int, int]) -> None:
        """Write operations; `once` maps a value that is used once to the operation that does."""
        tape, n = self._tape, self._tape.n_inputs
        inside = set(operations)
        angles = angle_values(tape)
        for i in operations:
            op, a, b = tape.ops[i], tape.lhs[i], tape.rhs[i]
            value = n + i
            if value in self._names:
                continue
            if op in (SIN, COS):
                for kind in (SIN, COS):
                    if kind in angles[a]:
                        text = f"{self._syntax.functions[kind]}({self.operand(a)})"
                        self._let(
                            angles[a][kind], f"{'s' if kind == SIN else 'c'}{self._angles}", text
                        )
                self._angles += 1
                continue
            if op == NEG:
                self._names[value] = f"-{self.operand(a)}"
                continue
            if op in _INFIX:
                text = f"{self.operand(a)} {_INFIX[op]} {self.operand(b)}"
            else:
                text = f"{self._syntax.functions[op]}({self.operand(a)})"
            user = once.get(value, -1)
            if op == MUL and user in inside and tape.ops[user] in (ADD, SUB):
                self._names[value] = text
            else:
                self._let(value, f"t{len(self.lines)}", text)

    def _let(self, value: int, name: str, text: str) -> None:
        self.lines.append(f"{self._syntax.declare}{name} = {text};")
        self._names[value] = name


def used_once(tape: Tape) -> dict[int, int]:
    """Values that exactly one operation reads, once, and no output is: {value: operation}."""
    reads: Counter[int] = Counter(tape.outputs)
    reader: dict[int, int] = {}
    for i, op in enumerate(tape.ops):
        for x in (tape.lhs[i], tape.rhs[i]) if op in _INFIX else (tape.lhs[i],):
            reads[x] += 1
            reader[x] = i
    outputs = set(tape.outputs)
    return {x: i for x, i in reader.items() if reads[x] == 1 and x not in outputs}


def entries(variables: Sequence[Variable]) -> list[tuple[Variable, int]]:
    """All entries of the variables in the order of the tape: (variable, flat index)."""
    return [(variable, k) for variable in variables for k in range(variable.size)]


# ------------------------------------------------------------------ functions


def indented(lines: Iterable[str], depth: int = 1) -> str:
    """Lines of code, moved to the right."""
    return "".join(f"{'    ' * depth}{line}".rstrip() + "\n" for line in lines)


def prototype(function: Function, scalar: str) -> str:
    """Signature of the function for one sample."""
    given = [f"const {scalar} {x.name}[{x.size}]" for x in function.inputs]
    result = [f"{scalar} {x.name}[{x.size}]" for x in function.outputs]
    return listed(f"void {function.name}", given + result)


def batch_prototype(function: Function, scalar: str) -> str:
    """Signature of the function for n samples, one behind the other."""
    given = [f"const {scalar} *{x.name}" for x in function.inputs]
    result = [f"{scalar} *{x.name}" for x in function.outputs]
    return listed(f"void {function.name}_batch", ["size_t n", *given, *result])


def define(function: Function, scalar: str, sign: str) -> str:
    """Definition of the function for one sample, with the pieces it is made of if it is long."""
    syntax = c_syntax(scalar, sign)
    if len(function.tape) <= WHOLE:
        return _whole(function, scalar, syntax)
    return _in_pieces(function, scalar, syntax)


def _whole(function: Function, scalar: str, syntax: Syntax) -> str:
    tape = function.tape
    inputs, outputs = entries(function.inputs), entries(function.outputs)
    read = _inputs_read(tape)

    def place(x: int) -> str:
        variable, k = inputs[x]
        return f"{variable.name}[{k}]"

    body = Statements(tape, syntax, place)
    body.add(range(len(tape)), used_once(tape))
    idle = [f"(void){x.name};" for x in _idle(function, read)]
    store = [
        f"{x.name}[{k}] = {body.operand(value)};"
        for (x, k), value in zip(outputs, tape.outputs, strict=True)
    ]
    return f"{prototype(function, scalar)}\n{{\n{indented([*idle, *body.lines, *store])}}}\n"


def _inputs_read(tape: Tape) -> set[int]:
    return {x for x in (*tape.lhs, *tape.rhs, *tape.outputs) if 0 <= x < tape.n_inputs}


def _idle(function: Function, read: set[int]) -> list[Variable]:
    """Arguments that the result does not depend on."""
    used = {variable for x, (variable, _) in enumerate(entries(function.inputs)) if x in read}
    return [variable for variable in function.inputs if variable not in used]


def _in_pieces(function: Function, scalar: str, syntax: Syntax) -> str:
    """Static functions that share a workspace, and the function that calls them in turn."""
    tape, n = function.tape, function.tape.n_inputs
    scheme = plan(tape, PIECE)
    inputs, outputs = entries(function.inputs), entries(function.outputs)
    once = used_once(tape)
    # a result that no later piece reads goes straight to its place; the other slots move up
    crossing = sorted({slot for piece in scheme.segments for _, slot in piece.loads})
    slots = {slot: k for k, slot in enumerate(crossing)}
    loaded = {value for piece in scheme.segments for value, _ in piece.loads}
    targets: dict[int, list[tuple[Variable, int]]] = {}
    for value, entry in zip(tape.outputs, outputs, strict=True):
        targets.setdefault(value, []).append(entry)
    text, calls = "", []
    for k, piece in enumerate(scheme.segments):
        loads = {value: f"work[{slots[slot]}]" for value, slot in piece.loads}
        touched: dict[str, str] = {}  # parameter -> its declaration

        def place(x: int, loads: dict[int, str] = loads, touched: dict[str, str] = touched) -> str:
            if x >= n:
                touched["work"] = f"{scalar} *work"
                return loads[x]
            variable, i = inputs[x]
            touched[variable.name] = f"const {scalar} *{variable.name}"
            return f"{variable.name}[{i}]"

        body = Statements(tape, syntax, place)
        body.add(_operations(tape, piece), once)
        lines = body.lines
        for value, slot in piece.stores:
            if value in loaded:
                touched["work"] = f"{scalar} *work"
                lines.append(f"work[{slots[slot]}] = {body.operand(value)};")
            for variable, i in targets.get(value, ()):
                touched[variable.name] = f"{scalar} *{variable.name}"
                lines.append(f"{variable.name}[{i}] = {body.operand(value)};")
        order = [*(x.name for x in function.inputs), "work", *(x.name for x in function.outputs)]
        names = [name for name in order if name in touched]
        part = f"{function.name}_part{k}"
        signature = listed(f"static void {part}", [touched[name] for name in names])
        text += f"{signature}\n{{\n{indented(lines)}}}\n\n"
        calls.append(f"{part}({', '.join(names)});")
    head = [f"(void){x.name};" for x in _idle(function, _inputs_read(tape))]
    if slots:
        head.append(f"{scalar} work[{len(slots)}];")
    tail = []
    for value, (variable, i) in zip(tape.outputs, outputs, strict=True):
        if value < n:
            source = syntax.number(tape.constants[-1 - value]) if value < 0 else ""
            source = source or f"{inputs[value][0].name}[{inputs[value][1]}]"
            tail.append(f"{variable.name}[{i}] = {source};")
    return f"{text}{prototype(function, scalar)}\n{{\n{indented([*head, *calls, *tail])}}}\n"


def _operations(tape: Tape, piece: Segment) -> list[int]:
    if not piece.angles:
        return piece.operations
    pairs = angle_values(tape)
    return [value - tape.n_inputs for a in piece.angles for value in pairs[a].values()]


_SINCOS = """\
/* Sines and cosines of a row, in a form that compilers vectorise: the argument less a multiple of
 * pi/2, then polynomials. Both are within 2 units in the last place.
 */
static void {name}(const {scalar} *restrict x, {scalar} *restrict sine,
        {scalar} *restrict cosine)
{{
    double small[{lanes}];
    int lane;

    for (lane = 0; lane < {lanes}; ++lane)
        small[lane] = fabs((double)x[lane]) <= {large} ? (double)x[lane] : 0.0;
    for (lane = 0; lane < {lanes}; ++lane) {{
        const double y = small[lane];
        const int k = (int)(y * 0.6366197723675814 + copysign(0.5, y));
        const double whole = (y - k * {p0}) - k * {p1};
        const {scalar} r = ({scalar})(whole - k * {p2});
        const {scalar} z = r * r;
{sine}
{cosine}
        const {scalar} s = r + r * z * s0;
        const {scalar} c = {one} + z * (z * c0 - {half});
        const {scalar} odd = ({scalar})(k & 1);
        const {scalar} even = {one} - odd;
        sine[lane] = ({scalar})(1 - (k & 2)) * (odd * c + even * s);
        cosine[lane] = ({scalar})(1 - ((k + 1) & 2)) * (odd * s + even * c);
    }}
    for (lane = 0; lane < {lanes}; ++lane) {{
        if (!(fabs((double)x[lane]) <= {large})) {{
            sine[lane] = sin{f}(x[lane]);
            cosine[lane] = cos{f}(x[lane]);
        }}
    }}
}}
"""


def _sincos(name: str, scalar: str) -> str:
    def horner(letter: str, coefficients: Sequence[float]) -> str:
        lines = []
        for k in reversed(range(len(coefficients))):
            text = number(coefficients[k], scalar)
            text += f" + z * {letter}{k + 1}" if k < len(coefficients) - 1 else ""
            lines.append(f"        const {scalar} {letter}{k} = {text};")
        return "\n".join(lines)

    p0, p1, p2 = map(number, sincos.PI_HALVES)
    return _SINCOS.format(
        name=name,
        scalar=scalar,
        lanes=LANES,
        large=number(sincos.LARGE),
        p0=p0,
        p1=p1,
        p2=p2,
        sine=horner("s", sincos.SINE[scalar]),
        cosine=horner("c", sincos.COSINE[scalar]),
        one=number(1.0, scalar),
        half=number(0.5, scalar),
        f="f" if scalar == "float" else "",
    )


def define_batch(function: Function, scalar: str, sign: str, sine: str) -> str:
    """Definition of the function for n samples: blocks of LANES samples, one loop per piece.

    A row of the workspace holds one value of all lanes, so that the inner loops vectorise. `sine`
    is the name of the source's own function for sines and cosines of a row.
    """
    tape, n = function.tape, function.tape.n_inputs
    syntax = c_syntax(scalar, sign)
    scheme = plan(tape, LANE_PIECE)
    once = used_once(tape)
    pairs = angle_values(tape)
    spare = n + scheme.slots  # a row for sines and cosines that nothing needs
    text, calls = "", []
    loop = f"for (lane = 0; lane < {LANES}; ++lane) {{"
    for k, piece in enumerate(scheme.segments):
        rows = {value: n + slot for value, slot in (*piece.loads, *piece.stores)}
        for angle in piece.angles:
            results = [rows[pairs[angle][x]] if x in pairs[angle] else spare for x in (SIN, COS)]
            places = [f"work[{x}]" for x in (rows.get(angle, angle), *results)]
            calls.append(f"{sine}({', '.join(places)});")
        if piece.angles:
            continue

        def place(x: int, rows: dict[int, int] = rows) -> str:
            return f"work[{rows.get(x, x)}][lane]"

        body = Statements(tape, syntax, place)
        body.add(piece.operations, once)
        stores = [f"work[{n + slot}][lane] = {body.operand(x)};" for x, slot in piece.stores]
        part = f"{function.name}_lanes{k}"
        text += f"static void {part}({scalar} (*work)[{LANES}])\n{{\n    int lane;\n\n    {loop}\n"
        text += indented([*body.lines, *stores], 2) + "    }\n}\n\n"
        calls.append(f"{part}(work);")

    def row(x: int) -> str:
        if x < 0:
            return syntax.number(tape.constants[-1 - x])
        return f"work[{x if x < n else n + scheme.outputs[x]}][lane]"

    idle = _idle(function, _inputs_read(tape))
    gather, at = [], 0
    for x in function.inputs:
        if x not in idle:
            gather.append(f"for (i = 0; i < {x.size}; ++i)")
            gather.append(f"    work[{at} + i][lane] = {x.name}[{x.size} * sample + i];")
        at += x.size
    scatter = [
        f"{x.name}[{x.size} * (start + lane) + {k}] = {row(value)};"
        for (x, k), value in zip(entries(function.outputs), tape.outputs, strict=True)
    ]
    head = [f"(void){x.name};" for x in idle]
    if gather:
        head.append(f"{scalar} work[{spare + 1}][{LANES}];")
        gather = [
            loop,
            "    /* lanes past the end repeat the last sample */",
            "    const size_t sample = start + (lane < left ? lane : left - 1);",
            "",
            *(f"    {line}" for line in gather),
            "}",
        ]
    head.append("size_t start, lane;" if not gather else "size_t start, lane, i;")
    blocks = [
        f"for (start = 0; start < n; start += {LANES}) {{",
        f"    const size_t left = n - start < {LANES} ? n - start : {LANES};",
        "",
        *(f"    {line}" for line in (*gather, *calls)),
        "    for (lane = 0; lane < left; ++lane) {",
        *(f"        {line}" for line in scatter),
        "    }",
        "}",
    ]
    signature = batch_prototype(function, scalar)
    return f"{text}{signature}\n{{\n{indented([*head, '', *blocks])}}}\n"


# ------------------------------------------------------------------ files


def _layout(x: Variable) -> str:
    if len(x.shape) < 2:
        return f"{x.name}[{x.size}]"
    return f"{x.name}[{x.size}] ({' x '.join(map(str, x.shape))}, row by row)"


def describe(function: Function) -> list[str]:
    """Comment of a function: what it computes, from what, in which layout."""
    lines = [*function.doc, ""]
    lines += [f"  {_layout(x)}: {x.doc}" for x in (*function.inputs, *function.outputs)]
    return lines


def header(
    name: str, functions: Sequence[Function], scalar: str, batch: bool, about: Sequence[str]
) -> str:
    """The header: what the file is about, then a prototype per function."""
    guard = f"JOUNCE_{name.upper()}_H"
    parts = [comment(about), f"#ifndef {guard}\n#define {guard}\n"]
    if batch:
        parts.append("#include <stddef.h>\n")
    parts.append('#ifdef __cplusplus\nextern "C" {\n#endif\n')
    for function in functions:
        parts.append(comment(describe(function)) + prototype(function, scalar) + ";\n")
        if batch:
            note = (
                "The same for n samples: each array holds them one behind the other. Compile with"
            )
            note += (
                " -O3 and for your processor, such as -march=native, to get vector instructions."
            )
            parts.append(comment([note]) + batch_prototype(function, scalar) + ";\n")
    parts.append("#ifdef __cplusplus\n}\n#endif\n")
    parts.append(f"#endif /* {guard} */\n")
    return "\n".join(parts)


def source(
    name: str, functions: Sequence[Function], scalar: str, batch: bool, about: Sequence[str]
) -> str:
    """The source: a definition per function."""
    sign, sine = f"{name}_sign", f"{name}_sincos"
    parts = [comment(about), f'#include "{name}.h"\n\n#include <math.h>\n']
    if any(SIGN in function.tape.ops for function in functions):
        zero, one = number(0.0, scalar), number(1.0, scalar)
        rule = f"x > {zero} ? {one} : x < {zero} ? -{one} : x + {zero}"
        parts.append(f"static {scalar} {sign}({scalar} x)\n{{\n    return {rule};\n}}\n")
    if batch and any({SIN, COS} & set(function.tape.ops) for function in functions):
        parts.append(_sincos(sine, scalar))
    for function in functions:
        parts.append(define(function, scalar, sign))
        if batch:
            parts.append(define_batch(function, scalar, sign, sine))
    return "\n".join(parts)
