"""The C function for many samples, in loops that compilers vectorize."""

from __future__ import annotations

from collections.abc import Sequence

from jounce.compiler.graph.ops import ANGLES
from jounce.compiler.graph.passes import Segment, angle_values, plan
from jounce.compiler.targets import sines
from jounce.compiler.targets.c_family.dialect import Dialect, format_list, indent_code, number
from jounce.compiler.targets.c_family.single import idle_inputs
from jounce.compiler.targets.function import Function, Variable, entries
from jounce.compiler.targets.text import Statements, used_once

#: Operations of a loop over lanes: compilers vectorize no loop with too many memory references.
LANE_PIECE = 300

#: Samples that the batch variant takes at a time.
LANES = 8

_SINCOS = """\
/* Sines and cosines of a row, in a form that compilers vectorize: the argument less a multiple of
 * pi/2, then polynomials. Both are within 2 units in the last place.
 */
static void {prefix}_sincos(const {scalar} *restrict x, {scalar} *restrict sine,
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


def define_sincos(dialect: Dialect) -> str:
    """Return the definition of the source's own function for sines and cosines of a row."""
    scalar = dialect.scalar

    def horner(letter: str, coefficients: Sequence[float]) -> str:
        lines = []
        for k in reversed(range(len(coefficients))):
            text = dialect.number(coefficients[k])
            text += f" + z * {letter}{k + 1}" if k < len(coefficients) - 1 else ""
            lines.append(f"        const {scalar} {letter}{k} = {text};")
        return "\n".join(lines)

    p0, p1, p2 = map(number, sines.PI_HALVES)
    return _SINCOS.format(
        prefix=dialect.prefix,
        scalar=scalar,
        lanes=LANES,
        large=number(sines.LARGE),
        p0=p0,
        p1=p1,
        p2=p2,
        sine=horner("s", sines.SINE[scalar]),
        cosine=horner("c", sines.COSINE[scalar]),
        one=dialect.number(1.0),
        half=dialect.number(0.5),
        f=dialect.suffix,
    )


def batch_prototype(function: Function, dialect: Dialect) -> str:
    """Return the signature of the function for n samples, one behind the other."""
    return format_list(f"void {function.name}_batch", ["size_t n", *dialect.pointers(function)])


_LOOP = f"for (lane = 0; lane < {LANES}; ++lane) {{"


def define_batch(function: Function, dialect: Dialect) -> str:
    """Return the function for n samples: blocks of LANES samples, one loop per piece.

    A row of the workspace holds one value of all lanes, so that the inner loops vectorize.
    """
    batch = _BatchPrinter(function, dialect)
    text, calls = "", []
    for k, piece in enumerate(batch.plan.segments):
        if piece.angles:
            calls += [
                f"{dialect.prefix}_sincos({', '.join(rows)});" for rows in batch.angles(piece)
            ]
        else:
            name = f"{function.name}_lanes{k}"
            text += batch.lanes(name, piece)
            calls.append(f"{name}(work);")
    idle = idle_inputs(function)
    gather = batch.gather(idle)
    head = [f"(void){x.name};" for x in idle]
    if gather:
        head.append(f"{dialect.scalar} work[{batch.spare + 1}][{LANES}];")
    head.append("size_t start, lane, i;" if gather else "size_t start, lane;")
    blocks = [
        f"for (start = 0; start < n; start += {LANES}) {{",
        f"    const size_t left = n - start < {LANES} ? n - start : {LANES};",
        "",
        *(f"    {line}" for line in (*gather, *calls)),
        "    for (lane = 0; lane < left; ++lane) {",
        *(f"        {line}" for line in batch.scatter()),
        "    }",
        "}",
    ]
    body = indent_code([*head, "", *blocks])
    return f"{text}{batch_prototype(function, dialect)}\n{{\n{body}}}\n"


class _BatchPrinter:
    """Rows of the workspace: inputs, then values that cross pieces, then a spare one.

    spare: row for unused sines and cosines.
    """

    def __init__(self, function: Function, dialect: Dialect) -> None:
        self.function, self.tape, self.dialect = function, function.tape, dialect
        self.plan = plan(self.tape, LANE_PIECE)
        self.once = used_once(self.tape)
        self.first = self.tape.n_inputs
        self.spare = self.first + self.plan.slots

    def angles(self, piece: Segment) -> list[list[str]]:
        """Return the rows of argument, sine and cosine of each angle of a piece."""
        rows = self._rows(piece)
        pairs = angle_values(self.tape)
        out = []
        for angle in piece.angles:
            values = [pairs[angle].get(op) for op in ANGLES]
            results = [self.spare if x is None else rows[x] for x in values]
            out.append([f"work[{x}]" for x in (rows.get(angle, angle), *results)])
        return out

    def lanes(self, name: str, piece: Segment) -> str:
        """Return a function with the loop over lanes of a piece."""
        rows = self._rows(piece)

        def place(x: int) -> str:
            return f"work[{rows.get(x, x)}][lane]"

        body = Statements(self.tape, self.dialect.syntax(), place)
        body.add(piece.operations, self.once, {x: [place(x)] for x, _ in piece.stores})
        head = f"static void {name}({self.dialect.scalar} (*work)[{LANES}])"
        lines = indent_code(body.lines, 2)
        return f"{head}\n{{\n    int lane;\n\n    {_LOOP}\n{lines}    }}\n}}\n\n"

    def _rows(self, piece: Segment) -> dict[int, int]:
        return {value: self.first + slot for value, slot in (*piece.loads, *piece.stores)}

    def gather(self, idle: Sequence[Variable]) -> list[str]:
        """Return statements that fill the rows of inputs, without those that are not read."""
        copies, first = [], 0
        for x in self.function.inputs:
            if x not in idle:
                copies.append(f"    for (i = 0; i < {x.size}; ++i)")
                copies.append(f"        work[{first} + i][lane] = {x.name}[{x.size} * sample + i];")
            first += x.size
        if not copies:
            return []
        return [
            _LOOP,
            "    /* lanes past the end repeat the last sample */",
            "    const size_t sample = start + (lane < left ? lane : left - 1);",
            "",
            *copies,
            "}",
        ]

    def scatter(self) -> list[str]:
        """Return statements that store the results of a lane."""
        out = []
        for (x, k), value in zip(entries(self.function.outputs), self.tape.outputs, strict=True):
            row = value if value < self.first else self.first + self.plan.outputs[value]
            source = f"work[{row}][lane]"
            if value < 0:
                source = self.dialect.number(self.tape.constants[-1 - value])
            out.append(f"{x.name}[{x.size} * (start + lane) + {k}] = {source};")
        return out
