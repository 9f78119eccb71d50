"""The C function for one sample: in one piece, or in several that share a workspace."""

from __future__ import annotations

from jounce.compiler.graph.passes import Segment, angle_values, plan
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.c.syntax import c_syntax, indented, listed, prototype
from jounce.compiler.targets.function import Function, Variable, entries
from jounce.compiler.targets.text import Statements, Syntax, used_once

#: Operations up to which a function stays in one piece, and those of a piece of a longer one.
WHOLE, PIECE = 2000, 1000


def define(function: Function, scalar: str, own: str) -> str:
    """Definition of the function for one sample, with the pieces it is made of if it is long."""
    syntax = c_syntax(scalar, own)
    if len(function.tape) <= WHOLE:
        return _whole(function, scalar, syntax)
    return _Pieces(function, scalar, syntax).text()


def _whole(function: Function, scalar: str, syntax: Syntax) -> str:
    tape = function.tape
    inputs, outputs = entries(function.inputs), entries(function.outputs)
    read = inputs_read(tape)

    def place(x: int) -> str:
        variable, k = inputs[x]
        return f"{variable.name}[{k}]"

    body = Statements(tape, syntax, place)
    body.add(range(len(tape)), used_once(tape))
    idle = [f"(void){x.name};" for x in idle_inputs(function, read)]
    store = [
        f"{x.name}[{k}] = {body.operand(value)};"
        for (x, k), value in zip(outputs, tape.outputs, strict=True)
    ]
    return f"{prototype(function, scalar)}\n{{\n{indented([*idle, *body.lines, *store])}}}\n"


def inputs_read(tape: Tape) -> set[int]:
    """The inputs that anything depends on."""
    return {x for x in (*tape.lhs, *tape.rhs, *tape.outputs) if 0 <= x < tape.n_inputs}


def idle_inputs(function: Function, read: set[int]) -> list[Variable]:
    """Arguments that the result does not depend on."""
    used = {variable for x, (variable, _) in enumerate(entries(function.inputs)) if x in read}
    return [variable for variable in function.inputs if variable not in used]


class _Pieces:
    """Static functions that share a workspace, and the function that calls them in turn.

    A result that no later piece reads goes straight to its place; the other slots move up.
    """

    def __init__(self, function: Function, scalar: str, syntax: Syntax) -> None:
        self.function, self.scalar, self.syntax = function, scalar, syntax
        self.tape = function.tape
        self.segments = plan(self.tape, PIECE).segments
        self.inputs, self.outputs = entries(function.inputs), entries(function.outputs)
        self.once = used_once(self.tape)
        crossing = sorted({slot for piece in self.segments for _, slot in piece.loads})
        self.slots = {slot: k for k, slot in enumerate(crossing)}
        self.loaded = {value for piece in self.segments for value, _ in piece.loads}
        self.targets: dict[int, list[tuple[Variable, int]]] = {}
        for value, entry in zip(self.tape.outputs, self.outputs, strict=True):
            self.targets.setdefault(value, []).append(entry)

    def text(self) -> str:
        """All definitions."""
        function, scalar = self.function, self.scalar
        text, calls = "", []
        for k, piece in enumerate(self.segments):
            name = f"{function.name}_part{k}"
            definition, arguments = self._piece(name, piece)
            text += definition
            calls.append(f"{name}({', '.join(arguments)});")
        head = [f"(void){x.name};" for x in idle_inputs(function, inputs_read(self.tape))]
        if self.slots:
            head.append(f"{scalar} work[{len(self.slots)}];")
        tail = [
            f"{variable.name}[{i}] = {self._given(value)};"
            for value, (variable, i) in zip(self.tape.outputs, self.outputs, strict=True)
            if value < self.tape.n_inputs
        ]
        return f"{text}{prototype(function, scalar)}\n{{\n{indented([*head, *calls, *tail])}}}\n"

    def _given(self, value: int) -> str:
        """A constant or an input."""
        if value < 0:
            return self.syntax.number(self.tape.constants[-1 - value])
        variable, i = self.inputs[value]
        return f"{variable.name}[{i}]"

    def _piece(self, name: str, piece: Segment) -> tuple[str, list[str]]:
        """Definition of a piece, and the names of what it takes."""
        scalar, function = self.scalar, self.function
        loads = {value: f"work[{self.slots[slot]}]" for value, slot in piece.loads}
        touched: dict[str, str] = {}  # parameter -> its declaration

        def place(x: int) -> str:
            if x >= self.tape.n_inputs:
                touched["work"] = f"{scalar} *work"
                return loads[x]
            variable, _ = self.inputs[x]
            touched[variable.name] = f"const {scalar} *{variable.name}"
            return self._given(x)

        body = Statements(self.tape, self.syntax, place)
        body.add(_operations(self.tape, piece), self.once)
        lines = body.lines
        for value, slot in piece.stores:
            if value in self.loaded:
                touched["work"] = f"{scalar} *work"
                lines.append(f"work[{self.slots[slot]}] = {body.operand(value)};")
            for variable, i in self.targets.get(value, ()):
                touched[variable.name] = f"{scalar} *{variable.name}"
                lines.append(f"{variable.name}[{i}] = {body.operand(value)};")
        order = [*(x.name for x in function.inputs), "work", *(x.name for x in function.outputs)]
        names = [parameter for parameter in order if parameter in touched]
        signature = listed(f"static void {name}", [touched[x] for x in names])
        return f"{signature}\n{{\n{indented(lines)}}}\n\n", names


def _operations(tape: Tape, piece: Segment) -> list[int]:
    if not piece.angles:
        return piece.operations
    pairs = angle_values(tape)
    return [value - tape.n_inputs for a in piece.angles for value in pairs[a].values()]
