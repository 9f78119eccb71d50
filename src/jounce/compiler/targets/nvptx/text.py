"""LLVM text of a plan: a kernel whose blocks compute a number of samples, one per thread.

The text is the same for a GPU and for the processor, which runs it in tests, except for the parts
in a `Machine`: how a thread gets its index, and how threads synchronize.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from jounce.compiler.graph.ops import ANGLES, DIV
from jounce.compiler.graph.passes import angle_values
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.function import Shape
from jounce.compiler.targets.llvm.code import Code, Number, number
from jounce.compiler.targets.llvm.segments import declarations, instructions
from jounce.compiler.targets.nvptx import sincos
from jounce.compiler.targets.nvptx.copies import CopyEmitter, InputCopy, ResultCopy
from jounce.compiler.targets.nvptx.plan import Piece, Plan, StagedInput
from jounce.compiler.targets.nvptx.schedule import Slot

#: Name of kernels.
NAME = "jounce_kernel"

#: Number of doubles that fit the constant memory of a module.
_MAX_CONSTANTS = 8000


@dataclass(frozen=True)
class Machine:
    """Parts of the text that differ between a GPU and the processor.

    Attributes
    ----------
    head : str
        Target triple and declarations.
    convention : str
        Calling convention of the kernel.
    parameters : str
        Further parameters of the kernel.
    numbers : str
        Instructions that define %thread, %block and %part, unless they are parameters.
    barrier : str
        Instruction that synchronizes the threads of a block.
    shared : str
        Definition of shared memory, in which {size} is the number of entries of type {scalar}.
    """

    head: str
    convention: str
    parameters: str
    numbers: str
    barrier: str
    shared: str


GPU = Machine(
    head="""\
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
""",
    convention="ptx_kernel ",
    parameters="",
    numbers="""\
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %part = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
""",
    barrier='call void asm sideeffect "bar.sync 0;", "~{memory}"() convergent',
    shared="@shared = external addrspace(3) global [0 x {scalar}], align 16\n",
)


def kernel_text(
    tape: Tape,
    inputs: Sequence[Shape],
    outputs: Sequence[Shape],
    scalar: str,
    plan: Plan,
    machine: Machine = GPU,
) -> str:
    """Return the LLVM module of a kernel."""
    ins, outs = [math.prod(x) for x in inputs], [math.prod(x) for x in outputs]
    module = _Module(tape, ins, outs, scalar, plan, machine)
    return module.text()


def parameters(inputs: int, outputs: int) -> list[str]:
    """Return the declarations of a kernel's parameters, except the number of samples."""
    return [
        *(f"ptr addrspace(1) noalias readonly %i{k}" for k in range(inputs)),
        *(f"ptr addrspace(1) noalias %o{k}" for k in range(outputs)),
        *(f"i64 %step{k}" for k in range(inputs)),
    ]


class _Module:
    """Parts of a module: tables, a function per group, the kernel that calls them."""

    def __init__(
        self,
        tape: Tape,
        ins: Sequence[int],
        outs: Sequence[int],
        scalar: str,
        plan: Plan,
        machine: Machine,
    ) -> None:
        self.tape, self.ins, self.outs, self.scalar = tape, ins, outs, scalar
        self.plan, self.machine = plan, machine
        self.tables: list[str] = []
        self.constants = _Constants(scalar)

    def text(self) -> str:
        """Return the text of the module."""
        machine, scalar = self.machine, self.scalar
        size = self.plan.entries
        several = len(self.plan.groups) > 1
        bodies = [self._function(k) for k in range(len(self.plan.groups))] if several else []
        kernel = self._kernel()
        return "\n".join(
            (
                machine.head,
                machine.shared.format(size=size, scalar=scalar),
                declarations(set(self.tape.ops), Number(scalar)),
                sincos.functions() if not {*ANGLES}.isdisjoint(self.tape.ops) else "",
                self.constants.table(),
                *self.tables,
                *bodies,
                kernel,
                '!0 = !{!"branch_weights", i32 1, i32 1000000}\n!1 = !{float 2.5}\n',
            )
        )

    def parameters(self) -> list[str]:
        """Return the declarations of the kernel's parameters."""
        return parameters(len(self.ins), len(self.outs))

    def _kernel(self) -> str:
        """Return the kernel: it finds a block's samples and calls the function of its group."""
        machine, plan = self.machine, self.plan
        code = Code()
        code.lines += machine.numbers.splitlines()
        block = code.let("zext i32 %block to i64")
        first = code.let(f"mul i64 {block}, {plan.threads}")
        left = code.let(f"sub i64 %n, {first}")
        partial = code.let(f"icmp slt i64 {left}, {plan.threads}")
        count = code.let(f"select i1 {partial}, i64 {left}, i64 {plan.threads}")
        count = code.let(f"trunc i64 {count} to i32")
        if len(plan.groups) == 1:
            _Body(self, code, 0, first, count).write()
        else:
            self._call_group(code, first, count)
        code.emit("ret void")
        parameters = ", ".join((*self.parameters(), "i64 %n")) + machine.parameters
        return code.function(f"{machine.convention}void @{NAME}({parameters})", "nounwind")

    def _call_group(self, code: Code, first: str, count: str) -> None:
        """Call the function of the block's group."""
        words = ("noalias ", "readonly ")
        kinds = [x.replace(words[0], "").replace(words[1], "") for x in self.parameters()]
        arguments = ", ".join((*kinds, f"i64 {first}", f"i32 {count}", "i32 %thread"))
        labels = [code.label() for _ in self.plan.groups]
        done = code.label()
        cases = " ".join(f"i32 {k}, label %{x}" for k, x in enumerate(labels[1:], start=1))
        code.emit(f"switch i32 %part, label %{labels[0]} [{cases}]")
        for k, label in enumerate(labels):
            code.start(label)
            code.emit(f"call void @group_{k}({arguments})")
            code.emit(f"br label %{done}")
        code.start(done)

    def _function(self, k: int) -> str:
        """Return the function of a group, which has its own registers."""
        code = Code()
        _Body(self, code, k, "%first", "%count").write()
        code.emit("ret void")
        parameters = ", ".join((*self.parameters(), "i64 %first", "i32 %count", "i32 %thread"))
        return code.function(f"internal void @group_{k}({parameters})", "noinline nounwind")


class _Body:
    """Work of a block's threads for a group: copies in, operations, copies out."""

    def __init__(self, module: _Module, code: Code, k: int, first: str, count: str) -> None:
        self.module, self.code, self.k, self.group = module, code, k, module.plan.groups[k]
        self.first, self.count = first, count
        self.tape, self.scalar = module.tape, module.scalar
        self.threads = module.plan.threads
        sizes = [self.threads * width for width in self.group.regions]
        self.places = list(accumulate(sizes, initial=0))[:-1]
        self.copies = CopyEmitter(code, self.scalar, self.threads, first, count)
        self.names: dict[int, str] = {}
        self.angle_values = angle_values(self.tape)
        templates = instructions({*self.tape.ops} - {*ANGLES}, Number(self.scalar))
        self.templates = {op: text for op, (_, text) in templates.items()}
        if self.scalar == "float" and DIV in self.templates:  # accurate to two ulp
            self.templates[DIV] += ", !fpmath !1"

    def write(self) -> None:
        """Emit the body."""
        code, group, schedule = self.code, self.group, self.group.schedule
        self._compute_pointers()
        if group.staged:
            self.copies.load_inputs([self._input_copy(k, x) for k, x in group.staged.items()])
            code.emit(self.module.machine.barrier)
        self._store_uncomputed()
        start = 0
        for part, (stop, pieces) in enumerate(zip(schedule.stops, group.pieces, strict=True)):
            self._compute(start, stop)
            start = stop
            for value, slot in schedule.late_stores[part]:
                self._store(slot, self.names[value])
            if pieces:
                code.emit(self.module.machine.barrier)
            for k, piece in enumerate(pieces):
                self._store_piece(f"{self.k}_{part}_{k}", piece)
            if pieces and part < len(group.pieces) - 1:
                code.emit(self.module.machine.barrier)

    def _compute_pointers(self) -> None:
        """Compute the pointers to a thread's slots and to inputs that are not staged."""
        code, copies = self.code, self.copies
        last = code.let(f"sub i32 {self.count}, 1")
        over = code.let(f"icmp sgt i32 %thread, {last}")
        # threads past the end repeat the last sample
        me = copies.wide(code.let(f"select i1 {over}, i32 {last}, i32 %thread"))
        me = code.let(f"add i64 {self.first}, {me}")
        self.slots = []
        for place, width in zip(self.places, self.group.regions, strict=True):
            start = code.let(f"add i32 {code.let(f'mul i32 %thread, {width}')}, {place}")
            self.slots.append(copies.shared(start))
        self.rows = {
            k: copies.memory(f"%i{k}", code.let(f"mul i64 {me}, %step{k}"))
            for k in range(len(self.module.ins))
            if k not in self.group.staged
        }
        self.input_of = [(k, e) for k, size in enumerate(self.module.ins) for e in range(size)]

    def _input_copy(self, k: int, staged: StagedInput) -> InputCopy:
        """Return the copy of an input to shared memory."""
        region, start, stop = staged
        size = self.module.ins[k]
        return InputCopy(f"%i{k}", f"%step{k}", size, start, stop, self.places[region])

    def _store_piece(self, name: str, piece: Piece) -> None:
        """Copy a piece of a result from slots to global memory."""
        region = piece.slots[0][0]
        slots = (
            "" if piece.dense else self._table(f"slots_{name}", "i16", [x for _, x in piece.slots])
        )
        places = "" if piece.contiguous else self._table(f"places_{name}", "i32", piece.places)
        size, row = self.module.outs[piece.result], self.group.regions[region]
        pointer, place = f"%o{piece.result}", self.places[region]
        self.copies.store_result(ResultCopy(pointer, size, piece, place, row, slots, places))

    def _table(self, name: str, kind: str, numbers: Sequence[int]) -> str:
        """Define a lookup table and return its name."""
        entries = ", ".join(f"{kind} {x}" for x in numbers)
        listed = f"[{len(numbers)} x {kind}] [{entries}]"
        self.module.tables.append(f"@{name} = internal addrspace(1) constant {listed}\n")
        return f"@{name}"

    # -------------------------------------------------------------- operations

    def _store_uncomputed(self) -> None:
        """Store results that are constants or inputs."""
        for slot, operand in self.group.constants.items():
            self._store(slot, self._load_uncomputed(operand))

    def _load_uncomputed(self, operand: int) -> str:
        """Return a constant, or an input without keeping it in a register."""
        return self._number(operand) if operand < 0 else self._load_input(*self.input_of[operand])

    def _compute(self, start: int, stop: int) -> None:
        """Emit operations in order, and moves between registers and slots."""
        schedule = self.group.schedule
        for now in range(start, stop):
            for value, slot in schedule.loads[now]:
                self.names[value] = self._load(slot)
            self._emit_operation(schedule.order[now])
            for value, slot in schedule.stores[now]:
                self._store(slot, self.names[value])
            for value in schedule.leaving[now]:
                self.names.pop(value, None)

    def _slot(self, slot: Slot) -> str:
        return self.copies.shared(slot[1], self.slots[slot[0]])

    def _load(self, slot: Slot) -> str:
        return self.code.let(f"load {self.scalar}, ptr addrspace(3) {self._slot(slot)}")

    def _store(self, slot: Slot, value: str) -> None:
        self.code.emit(f"store {self.scalar} {value}, ptr addrspace(3) {self._slot(slot)}")

    def _emit_operation(self, i: int) -> None:
        """Emit an operation."""
        tape, value = self.tape, self.tape.n_inputs + i
        if tape.ops[i] in ANGLES:
            self._emit_sincos(tape.lhs[i])
            return
        a, b = self._operand(tape.lhs[i]), self._operand(tape.rhs[i])
        name = self.names[value] = f"%x{value}"
        self.code.emit(self.templates[tape.ops[i]].format(a, b, name))

    def _emit_sincos(self, x: int) -> None:
        """Emit the sine and cosine of an angle."""
        numbers = lambda value: self.module.constants(self.code, value)  # noqa: E731
        sine_cosine = sincos.sincos(self.code, self.scalar, self._operand(x), numbers)
        for op, name in zip(ANGLES, sine_cosine, strict=True):
            if op in self.angle_values[x]:
                self.names[self.angle_values[x][op]] = name

    def _operand(self, x: int) -> str:
        if x < 0:
            return self._number(x)
        name = self.names.get(x)
        if name is None:  # an input in global memory
            name = self.names[x] = self._load_input(*self.input_of[x])
        return name

    def _load_input(self, k: int, entry: int) -> str:
        """Load an entry of an input, from its slot if it is staged."""
        if k in self.group.staged:
            region, start, _ = self.group.staged[k]
            return self._load((region, entry - start))
        pointer = self.copies.memory(self.rows[k], entry)
        return self.code.let(f"load {self.scalar}, ptr addrspace(1) {pointer}")

    def _number(self, operand: int) -> str:
        """Return a constant as an operand."""
        return self.module.constants(self.code, self.tape.constants[-1 - operand])


class _Constants:
    """Constants: immediate operands, or entries of a table if they do not fit an instruction.

    The table is externally initialized, so that LLVM does not turn its entries into immediates.
    """

    def __init__(self, scalar: str) -> None:
        self._scalar = scalar
        self._places: dict[str, int] = {}

    def __call__(self, code: Code, value: float) -> str:
        """Return the operand of a constant."""
        text = number(value, self._scalar)
        if self._scalar == "float" or text.endswith("00000000"):
            return text
        if text not in self._places and len(self._places) == _MAX_CONSTANTS:
            return text
        place = self._places.setdefault(text, len(self._places))
        pointer = f"getelementptr (double, ptr addrspace(4) @numbers, i64 {place})"
        return code.let(f"load double, ptr addrspace(4) {pointer}")

    def table(self) -> str:
        """Return the definition of the table."""
        if not self._places:
            return ""
        kind, entries = f"[{len(self._places)} x double]", [f"double {x}" for x in self._places]
        listed = ", ".join(entries)
        return f"@numbers = addrspace(4) externally_initialized global {kind} [{listed}]\n"
