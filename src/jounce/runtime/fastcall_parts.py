"""Functions that the builtin of `fastcall` calls, as LLVM text."""

from __future__ import annotations

from jounce.runtime.fastcall_table import LONG_OFFSET, MAX_AXES, MAX_OPERANDS, MOST_BATCH_AXES

# Each frame is smaller than a page.
TEXT = f"""
declare void @Py_DecRef(ptr)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)

; let go of the first of some objects; null ones are passed over
define internal void @drop(ptr %objects, i64 %count) {{
start:
  br label %next
next:
  %k = phi i64 [0, %start], [%k.next, %passed]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %one, label %done
one:
  %at = getelementptr ptr, ptr %objects, i64 %k
  %object = load ptr, ptr %at
  %k.next = add i64 %k, 1
  %none = icmp eq ptr %object, null
  br i1 %none, label %passed, label %held
held:
  call void @Py_DecRef(ptr %object)
  br label %passed
passed:
  br label %next
done:
  ret void
}}

; a tuple of objects, which it takes over, or null
define internal ptr @gathered(ptr %objects, i64 %count) {{
start:
  %answer = call ptr @PyTuple_New(i64 %count)
  %none = icmp eq ptr %answer, null
  br i1 %none, label %done, label %next
next:
  %k = phi i64 [0, %start], [%k.next, %one]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %one, label %done
one:
  %at = getelementptr ptr, ptr %objects, i64 %k
  %object = load ptr, ptr %at
  %status = call i32 @PyTuple_SetItem(ptr %answer, i64 %k, ptr %object)
  %k.next = add i64 %k, 1
  br label %next
done:
  ret ptr %answer
}}

; whether two arrays of sizes are equal
define internal i1 @equal(ptr %left, ptr %right, i64 %count) {{
start:
  br label %next
next:
  %k = phi i64 [0, %start], [%k.next, %one]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %one, label %done
one:
  %left.at = getelementptr i64, ptr %left, i64 %k
  %x = load i64, ptr %left.at
  %right.at = getelementptr i64, ptr %right, i64 %k
  %y = load i64, ptr %right.at
  %k.next = add i64 %k, 1
  %same = icmp eq i64 %x, %y
  br i1 %same, label %next, label %done
done:
  %answer = phi i1 [true, %next], [false, %one]
  ret i1 %answer
}}

define internal i64 @product(ptr %sizes, i64 %count) {{
start:
  br label %next
next:
  %k = phi i64 [0, %start], [%k.next, %one]
  %all = phi i64 [1, %start], [%all.next, %one]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %one, label %done
one:
  %at = getelementptr i64, ptr %sizes, i64 %k
  %size = load i64, ptr %at
  %all.next = mul i64 %all, %size
  %k.next = add i64 %k, 1
  br label %next
done:
  ret i64 %all
}}

define internal void @copy(ptr %from, ptr %to, i64 %count) {{
start:
  br label %next
next:
  %k = phi i64 [0, %start], [%k.next, %one]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %one, label %done
one:
  %from.at = getelementptr i64, ptr %from, i64 %k
  %to.at = getelementptr i64, ptr %to, i64 %k
  %word = load i64, ptr %from.at
  store i64 %word, ptr %to.at
  %k.next = add i64 %k, 1
  br label %next
done:
  ret void
}}

; a new array of float64: axes of the batch, then of the core
define internal ptr @array(ptr %new, ptr %type, ptr %batch, i64 %axes, ptr %core, i64 %ndim,
                           i32 %number) {{
  %sizes = alloca [{MOST_BATCH_AXES + MAX_AXES} x i64]
  call void @copy(ptr %batch, ptr %sizes, i64 %axes)
  %core.at = getelementptr i64, ptr %sizes, i64 %axes
  call void @copy(ptr %core, ptr %core.at, i64 %ndim)
  %all = add i64 %axes, %ndim
  %nd = trunc i64 %all to i32
  %array = call ptr %new(ptr %type, i32 %nd, ptr %sizes, i32 %number, ptr null, ptr null, i32 0,
                         i32 0, ptr null)
  ret ptr %array
}}

; whether results share no memory with arguments nor with one another; reaches: bytes per sample
define internal i1 @apart(ptr %pointers, ptr %reaches, i64 %inputs, i64 %operands, i64 %samples) {{
start:
  br label %result
result:
  %r = phi i64 [%inputs, %start], [%r.next, %other]
  %r.more = icmp ult i64 %r, %operands
  br i1 %r.more, label %one, label %good
one:
  %r.next = add i64 %r, 1
  %r.at = getelementptr i64, ptr %pointers, i64 %r
  %begin = load i64, ptr %r.at
  %r.reach.at = getelementptr i64, ptr %reaches, i64 %r
  %r.reach = load i64, ptr %r.reach.at
  %r.bytes = mul i64 %r.reach, %samples
  %end = add i64 %begin, %r.bytes
  br label %other
other:
  %k = phi i64 [0, %one], [%k.next, %compare]
  %k.more = icmp ult i64 %k, %r
  br i1 %k.more, label %compare, label %result
compare:
  %k.at = getelementptr i64, ptr %pointers, i64 %k
  %from = load i64, ptr %k.at
  %k.reach.at = getelementptr i64, ptr %reaches, i64 %k
  %k.reach = load i64, ptr %k.reach.at
  %k.bytes = mul i64 %k.reach, %samples
  %to = add i64 %from, %k.bytes
  %k.next = add i64 %k, 1
  %a = icmp ult i64 %from, %end
  %b = icmp ult i64 %begin, %to
  %meet = and i1 %a, %b
  br i1 %meet, label %bad, label %other
good:
  ret i1 true
bad:
  ret i1 false
}}

; run the kernel, without the interpreter lock if it takes long; arguments that are not batched
; (0 in the table) have no steps. Returns 0, 1 without memory, 2 if the processor has to tell of
; invalid operations and the like, which NumPy reports.
define internal i32 @batch(ptr %kernel, ptr %pointers, ptr %steps, i64 %words, ptr %batched,
                           i64 %inputs, i64 %samples, ptr %slot, ptr %get.status) {{
entry:
  %count = alloca i64
  %moved = alloca [{MAX_OPERANDS * (1 + MAX_AXES)} x i64]
  store i64 %samples, ptr %count
  call void @copy(ptr %steps, ptr %moved, i64 %words)
  br label %next
next:
  %k = phi i64 [0, %entry], [%k.next, %one]
  %more = icmp ult i64 %k, %inputs
  br i1 %more, label %one, label %ready
one:
  %step.at = getelementptr i64, ptr %moved, i64 %k
  %step = load i64, ptr %step.at
  %batched.at = getelementptr i64, ptr %batched, i64 %k
  %factor = load i64, ptr %batched.at
  %product = mul i64 %step, %factor
  store i64 %product, ptr %step.at
  %k.next = add i64 %k, 1
  br label %next
ready:
  call i32 %get.status()
  %long.at = getelementptr i8, ptr %slot, i64 {LONG_OFFSET}
  %long = load i64, ptr %long.at
  %brief = icmp ult i64 %samples, %long
  br i1 %brief, label %held, label %unlocked
held:
  %quick = call i32 %kernel(ptr %pointers, ptr %count, ptr %moved, ptr %slot)
  br label %ran
unlocked:
  %state = call ptr @PyEval_SaveThread()
  %slow = call i32 %kernel(ptr %pointers, ptr %count, ptr %moved, ptr %slot)
  call void @PyEval_RestoreThread(ptr %state)
  br label %ran
ran:
  %failed = phi i32 [%quick, %held], [%slow, %unlocked]
  %flags = call i32 %get.status()
  %odd = icmp ne i32 %flags, 0
  %told = select i1 %odd, i32 2, i32 0
  %bad = icmp ne i32 %failed, 0
  %answer = select i1 %bad, i32 1, i32 %told
  ret i32 %answer
}}
"""
