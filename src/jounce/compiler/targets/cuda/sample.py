"""The device function for one sample: in one piece, or in several that share a workspace."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jounce.compiler.targets.c.single import idle_inputs, inputs_read
from jounce.compiler.targets.c.syntax import indented, listed
from jounce.compiler.targets.cuda.steps import Step, parts, steps, workspace
from jounce.compiler.targets.cuda.syntax import cuda_syntax
from jounce.compiler.targets.function import Function, entries
from jounce.compiler.targets.text import Statements, used_once

#: Operations up to which a function stays in one piece, and those of a part of a longer one: few
#: enough that the registers of a thread suffice for them, so that only the workspace is memory.
WHOLE, PIECE = 6000, 700

#: Entries up to which all results of a sample are written right where they belong.
NARROW = 4

#: Entries of a result that a block collects at most before it writes them, and what their number
#: is a multiple of, so that pieces are whole sectors of the memory: by scalar.
_PIECES = {"double": (32, 4), "float": (64, 8)}


def width(function: Function, scalar: str) -> int:
    """Entries of a result that are written together; 0: results are so short that each is alone."""
    sizes = [x.size for x in function.outputs]
    if max(sizes) <= NARROW:
        return 0
    most, unit = _PIECES[scalar]
    even = max(-(-size // -(-size // most)) for size in sizes if size)
    return -(-even // unit) * unit


def define(function: Function, scalar: str, own: str) -> str:
    """Definition of NAME_sample, with the parts it is made of if it is long."""
    return _Sample(function, scalar, own).text()


class _Sample:
    def __init__(self, function: Function, scalar: str, own: str) -> None:
        self.function, self.scalar, self.own = function, scalar, own
        self.tape = function.tape
        self.syntax = cuda_syntax(scalar, own)
        self.once = used_once(self.tape)
        self.inputs = entries(function.inputs)
        self.width = width(function, scalar)

    def text(self) -> str:
        """All definitions."""
        idle = idle_inputs(self.function, inputs_read(self.tape))
        lines = [f"(void){x.name};" for x in idle]
        if len(self.tape) <= WHOLE:
            body = self._statements(self._given)
            self._write(body, steps(self.function, WHOLE))
            return self._whole([*lines, *body.lines])
        text, calls = self._parts()
        return text + self._whole([*lines, *calls])

    def _whole(self, lines: Sequence[str]) -> str:
        names = [x.name for x in (*self.function.inputs, *self.function.outputs)]
        head = self._signature(f"__forceinline__ void {self.function.name}_sample", names)
        return f"{head}\n{{\n{indented(lines)}}}\n"

    def _signature(self, head: str, names: Sequence[str]) -> str:
        kinds = {x.name: f"const {self.scalar} *__restrict__ " for x in self.function.inputs}
        kinds["work"] = f"{self.scalar} *__restrict__ "
        listing = [f"{kinds.get(name, 'Result ')}{name}" for name in names]
        return "template <typename Result>\n" + listed(f"static __device__ {head}", listing)

    def _statements(self, place: Callable[[int], str]) -> Statements:
        return Statements(self.tape, self.syntax, place)

    def _given(self, x: int) -> str:
        """An entry of an argument."""
        variable, k = self.inputs[x]
        return f"{variable.name}[{k}]"

    def _write(self, body: Statements, some: Sequence[Step]) -> set[str]:
        """Write steps, and send each piece of a result that is complete; returns the results."""
        touched = set[str]()
        for step in some:
            body.add(step.operations, self.once)
            if step.entry is None:
                continue
            x, k = step.entry.variable, step.entry.k
            touched.add(x.name)
            body.lines.append(f"{x.name}[{k}] = {body.operand(step.entry.value)};")
            if self.width and (k + 1 == x.size or (k + 1) % self.width == 0):
                first = k // self.width * self.width
                body.lines.append(f"{self.own}_send({x.name}, {first}, {k + 1 - first});")
        return touched

    def _parts(self) -> tuple[str, list[str]]:
        """Functions that share a workspace, and the statements that call them in turn."""
        cut = parts(steps(self.function, PIECE), PIECE)
        space = workspace(self.tape, cut)
        order = [*(x.name for x in self.function.inputs), "work"]
        order += [x.name for x in self.function.outputs]
        text, calls = "", [f"{self.scalar} work[{space.size}];"] if space.size else []
        for k, (some, stores) in enumerate(zip(cut, space.stores, strict=True)):
            touched = set[str]()

            def place(x: int, touched: set[str] = touched) -> str:
                if x >= self.tape.n_inputs:
                    touched.add("work")
                    return f"work[{space.slots[x]}]"
                touched.add(self.inputs[x][0].name)
                return self._given(x)

            body = self._statements(place)
            touched |= self._write(body, some)
            for value in stores:
                touched.add("work")
                body.lines.append(f"work[{space.slots[value]}] = {body.operand(value)};")
            name = f"{self.function.name}_part{k}"
            names = [x for x in order if x in touched]
            text += self._signature(f"__noinline__ void {name}", names)
            text += f"\n{{\n{indented(body.lines)}}}\n\n"
            # where no result is among the arguments, its type must be told
            kind = "" if touched & {x.name for x in self.function.outputs} else "<Result>"
            calls.append(f"{name}{kind}({', '.join(names)});")
        return text, calls
