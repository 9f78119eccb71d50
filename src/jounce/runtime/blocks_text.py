"""Lines of LLVM text in which a thread takes the next block of samples and runs a kernel on it."""

from __future__ import annotations


def taken(places: str, end: str) -> str:
    """From the label `more` on, to `%status` of the kernel; to the label `end` if none is left.

    Threads count blocks at `%next`. places: operands' addresses; `%steps` between their samples,
    `%operands` of them; `%moved` and `%count.at` are room for what the kernel is called with.
    """
    return f"""\
more:
  %first = atomicrmw add ptr %next, i64 %block monotonic
  %some = icmp slt i64 %first, %total
  br i1 %some, label %take, label %{end}
take:
  %left = sub i64 %total, %first
  %few = icmp slt i64 %left, %block
  %count = select i1 %few, i64 %left, i64 %block
  store i64 %count, ptr %count.at
  br label %operand
operand:
  %k = phi i64 [0, %take], [%k.next, %move]
  %k.more = icmp ult i64 %k, %operands
  br i1 %k.more, label %move, label %run
move:
  %from.at = getelementptr ptr, ptr {places}, i64 %k
  %from = load ptr, ptr %from.at
  %step.at = getelementptr i64, ptr %steps, i64 %k
  %step = load i64, ptr %step.at
  %skip = mul i64 %step, %first
  %to = getelementptr i8, ptr %from, i64 %skip
  %to.at = getelementptr ptr, ptr %moved, i64 %k
  store ptr %to, ptr %to.at
  %k.next = add i64 %k, 1
  br label %operand
run:
  %status = call i32 %kernel(ptr %moved, ptr %count.at, ptr %steps, ptr %data)
"""
