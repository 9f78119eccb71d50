"""The function for one sample: in one piece, or in parts that share a workspace."""

from __future__ import annotations

from collections.abc import Iterable

from jounce.compiler.graph.passes import Segment, angle_values, order_by_parts, plan
from jounce.compiler.targets.c_family.dialect import Dialect, format_list, indent_code
from jounce.compiler.targets.function import Function, Variable, entries
from jounce.compiler.targets.text import Statements, used_once

#: Name of the workspace.
_WORK = "work"


def define_sample(function: Function, dialect: Dialect) -> str:
    """Return the definition of the function for one sample, after those of its parts.

    An entry of a result is stored as soon as it is computed, right after its dependencies, so that
    few values are alive at once.
    """
    printer = _SamplePrinter(function, dialect)
    tape = function.tape
    if len(tape) <= dialect.max_operations:
        order = order_by_parts(tape, ([x] for x in tape.outputs))
        parts, lines = "", printer.statements(order, {})[0]
    else:
        parts, lines = printer.parts()
    idle = [f"(void){x.name};" for x in idle_inputs(function)]
    body = indent_code([*idle, *lines, *printer.copies()])
    return f"{parts}{dialect.prototype(function)}\n{{\n{body}}}\n"


def idle_inputs(function: Function) -> list[Variable]:
    """Return the arguments that no result depends on."""
    tape = function.tape
    read = {*tape.lhs, *tape.rhs, *tape.outputs}
    used = {variable for x, (variable, _) in enumerate(entries(function.inputs)) if x in read}
    return [variable for variable in function.inputs if variable not in used]


class _SamplePrinter:
    """Statements of a function, and the parts into which a long one is cut."""

    def __init__(self, function: Function, dialect: Dialect) -> None:
        self.function, self.dialect = function, dialect
        self.tape = function.tape
        self.syntax = dialect.syntax()
        self.inputs = entries(function.inputs)
        self.once = used_once(self.tape)
        self.results: dict[int, list[tuple[Variable, int]]] = {}
        for value, entry in zip(self.tape.outputs, entries(function.outputs), strict=True):
            self.results.setdefault(value, []).append(entry)

    def copies(self) -> list[str]:
        """Return the stores of results that are constants or inputs."""
        body = Statements(self.tape, self.syntax, lambda x: _entry(*self.inputs[x]))
        return [
            f"{_entry(*entry)} = {body.operand(value)};"
            for value, targets in self.results.items()
            if value < self.tape.n_inputs
            for entry in targets
        ]

    def statements(
        self, operations: Iterable[int], work: dict[int, str]
    ) -> tuple[list[str], dict[str, bool]]:
        """Return statements and the arrays that they use: {name: is it written}.

        work: places of values that other parts compute or read.
        """
        used: dict[str, bool] = {}

        def place(x: int) -> str:
            if x >= self.tape.n_inputs:
                used[_WORK] = True
                return work[x]
            used[self.inputs[x][0].name] = False
            return _entry(*self.inputs[x])

        body = Statements(self.tape, self.syntax, place)
        targets: dict[int, list[str]] = {}
        operations = list(operations)
        for i in operations:
            value = self.tape.n_inputs + i
            results = self.results.get(value, [])
            targets[value] = [_entry(*entry) for entry in results]
            used |= {variable.name: True for variable, _ in results}
            if value in work:
                targets[value].append(work[value])
                used[_WORK] = True
        body.add(operations, self.once, targets)
        return body.lines, used

    def parts(self) -> tuple[str, list[str]]:
        """Return definitions of functions that share a workspace, and the calls of them.

        Results that no later part reads need no slot, so the slots are numbered anew.
        """
        segments = plan(self.tape, self.dialect.piece).segments
        crossing = sorted({slot for segment in segments for _, slot in segment.loads})
        loaded = {value for segment in segments for value, _ in segment.loads}
        slots = {slot: f"{_WORK}[{k}]" for k, slot in enumerate(crossing)}
        variables = {x.name: x for x in (*self.function.inputs, *self.function.outputs)}
        variables[_WORK] = Variable(_WORK, (len(slots),), "")
        text, calls = "", [f"{self.dialect.scalar} {_WORK}[{len(slots)}];"] if slots else []
        for k, segment in enumerate(segments):
            moves = (*segment.loads, *segment.stores)
            work = {value: slots[slot] for value, slot in moves if value in loaded}
            lines, used = self.statements(self._operations(segment), work)
            names = [name for name in variables if name in used]
            parameters = [self.dialect.parameter(variables[x], not used[x]) for x in names]
            name = f"{self.function.name}_part{k}"
            head = format_list(f"{self.dialect.part}void {name}", parameters)
            text += f"{head}\n{{\n{indent_code(lines)}}}\n\n"
            calls.append(format_list(name, names, ";"))
        return text, calls

    def _operations(self, segment: Segment) -> list[int]:
        """Return the operations of a segment, which may be sines and cosines."""
        if not segment.angles:
            return segment.operations
        pairs, n = angle_values(self.tape), self.tape.n_inputs
        return [value - n for angle in segment.angles for value in pairs[angle].values()]


def _entry(variable: Variable, k: int) -> str:
    return f"{variable.name}[{k}]"
