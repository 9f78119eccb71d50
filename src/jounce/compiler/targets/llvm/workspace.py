"""The workspace of a kernel: its layout, and its allocation as LLVM text.

A thread's stack may be as small as 64 KB, so only small workspaces are on the stack. Larger ones
are allocated on the heap, and the last one used is cached on a shelf that all kernels of the
process share: a single call then neither calls the allocator nor touches cold memory. Threads take
the workspace by an atomic exchange; if the shelf is empty, they allocate.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence

from jounce.compiler.graph.registers import RegisterAllocation
from jounce.compiler.graph.tape import Tape
from jounce.compiler.targets.inner_loop import LoopData
from jounce.compiler.targets.llvm.code import Lanes

#: Larger workspaces are allocated on the heap. With the frames of the code itself (below 12 KB in
#: all kernels measured, spills included) a kernel needs less than 24 KB of stack.
STACK_BYTES = 8 * 1024

#: Offset in a kernel's data of the pointer to the cached workspace.
SHELF_OFFSET: int = LoopData.shelf.offset

#: Larger workspaces are freed after each call instead of being cached.
MAX_CACHED_BYTES = 4 << 20

#: Minimum size of workspaces on the heap, so that the cached one fits most kernels; below the
#: threshold from which on allocators map separate pages.
MIN_HEAP_BYTES = 120 * 1024

#: Slots that a pointer reaches: AVX-512 scales signed one-byte displacements by the vector size.
WINDOW = 256

_shelf = ctypes.c_void_p()
ctypes.pythonapi.Py_IncRef(
    ctypes.py_object(_shelf)
)  # code may run after the interpreter has finalized


def shelf() -> int:
    """Return the address of the pointer to the cached workspace, or null."""
    return ctypes.addressof(_shelf)


class Layout:
    """Layout of the workspace, in slots of one vector.

    Inputs first, then values that go through the workspace (outputs among them), then constants
    that are outputs, and a spare slot. Segments get a pointer to the middle of every `WINDOW`
    slots, so that the distance to any of them fits into a byte of the instruction.
    """

    def __init__(
        self,
        tape: Tape,
        allocation: RegisterAllocation,
        inputs: Sequence[tuple[int, ...]],
        lanes: Lanes,
    ) -> None:
        self.bytes = lanes.bytes
        self.inputs = [0]
        for shape in inputs:
            self.inputs.append(self.inputs[-1] + math.prod(shape))
        numbers = dict.fromkeys(x for x in tape.outputs if x < 0)
        first = tape.n_inputs + allocation.slots
        self.constants = {x: first + k for k, x in enumerate(numbers)}
        self.spare = first + len(numbers)
        self.total = self.spare + 1
        self.windows = -(-(tape.n_inputs + allocation.slots) // WINDOW) or 1
        self._n_inputs, self._places = tape.n_inputs, allocation.places

    def slot(self, operand: int) -> int:
        """Return the slot of an operand."""
        if operand < 0:
            return self.constants[operand]
        return operand if operand < self._n_inputs else self._n_inputs + self._places[operand]

    def near(self, operand: int) -> tuple[int, int]:
        """Return the window of an operand, and its distance from the middle in bytes."""
        window, place = divmod(self.slot(operand), WINDOW)
        return window, self.bytes * (place - WINDOW // 2)

    def middle(self, window: int) -> int:
        """Return the byte offset of the middle of a window."""
        return self.bytes * (WINDOW * window + WINDOW // 2)


def functions() -> str:
    """Return take(shelf, size) -> 64-byte aligned memory or null, and give(shelf, memory).

    The 16 bytes before the memory hold the allocator's pointer and the size.
    """
    return f"declare ptr @malloc(i64)\ndeclare void @free(ptr)\n\n{_take()}{_give()}"


def _take() -> str:
    return f"""\
define internal ptr @take(ptr %shelf, i64 %size) #1 {{
entry:
  %large = icmp ugt i64 %size, {MAX_CACHED_BYTES}
  br i1 %large, label %fresh, label %look
look:
  %kept = atomicrmw xchg ptr %shelf, ptr null acquire
  %empty = icmp eq ptr %kept, null
  br i1 %empty, label %fresh, label %measure
measure:
  %has.at = getelementptr i8, ptr %kept, i64 -8
  %has = load i64, ptr %has.at
  %fits = icmp uge i64 %has, %size
  br i1 %fits, label %reuse, label %drop
reuse:
  ret ptr %kept
drop:
  %old.at = getelementptr i8, ptr %kept, i64 -16
  %old = load ptr, ptr %old.at
  call void @free(ptr %old)
  br label %fresh
fresh:
  %small = icmp ult i64 %size, {MIN_HEAP_BYTES}
  %capacity = select i1 %small, i64 {MIN_HEAP_BYTES}, i64 %size
  %bytes = add i64 %capacity, {16 + 63}
  %raw = call ptr @malloc(i64 %bytes)
  %none = icmp eq ptr %raw, null
  br i1 %none, label %fail, label %align
fail:
  ret ptr null
align:
  %address = ptrtoint ptr %raw to i64
  %beyond = add i64 %address, {16 + 63}
  %aligned = and i64 %beyond, -64
  %memory = inttoptr i64 %aligned to ptr
  %raw.at = getelementptr i8, ptr %memory, i64 -16
  store ptr %raw, ptr %raw.at
  %capacity.at = getelementptr i8, ptr %memory, i64 -8
  store i64 %capacity, ptr %capacity.at
  ret ptr %memory
}}

"""


def _give() -> str:
    return f"""\
define internal void @give(ptr %shelf, ptr %memory) #1 {{
entry:
  %size.at = getelementptr i8, ptr %memory, i64 -8
  %size = load i64, ptr %size.at
  %large = icmp ugt i64 %size, {MAX_CACHED_BYTES}
  br i1 %large, label %drop, label %keep
keep:
  %other = atomicrmw xchg ptr %shelf, ptr %memory acq_rel
  %empty = icmp eq ptr %other, null
  br i1 %empty, label %done, label %drop
drop:
  %unwanted = phi ptr [%memory, %entry], [%other, %keep]
  %raw.at = getelementptr i8, ptr %unwanted, i64 -16
  %raw = load ptr, ptr %raw.at
  call void @free(ptr %raw)
  br label %done
done:
  ret void
}}
"""
