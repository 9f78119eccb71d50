"""The builtin of `fastcall` as LLVM text."""

from __future__ import annotations

import numpy as np

from jounce.backends.llvm import ENTRY
from jounce.runtime import fastcall_parts
from jounce.runtime.fastcall_table import (
    AT,
    DATA,
    DTYPE,
    FLAGS,
    ITEMS,
    LARGE_OFFSET,
    MAX_AXES,
    MAX_OPERANDS,
    MOST_BATCH_AXES,
    NDIM,
    OPERANDS,
    READABLE,
    SHAPE,
    SIZE,
    VALUE,
    WRITABLE,
    load,
)

# One text, however long, since it is one path that a call takes from top to bottom. There are no
# optimisation passes behind it, so values that change in loops are phis, not memory. `self` is a
# NumPy array whose data is the table.
TEXT = f"""{fastcall_parts.TEXT}
declare void @Py_IncRef(ptr)
declare ptr @PyErr_NoMemory()
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)

define ptr @{ENTRY}(ptr %self, ptr %args, i64 %nargs, ptr %given.names) {{
entry:
  %given = alloca [{MAX_OPERANDS} x ptr]
  %pointers = alloca [{MAX_OPERANDS} x ptr]
  %created = alloca [{MAX_OPERANDS} x ptr]
  %numbers = alloca [{MAX_OPERANDS} x double]
  %batched = alloca [{MAX_OPERANDS} x i64]
  %one = alloca i64
  %single = alloca ptr
  %table.at = getelementptr i8, ptr %self, i64 {DATA}
  %table = load ptr, ptr %table.at
{load("slow")}
{load("none")}
{load("needed", "i64")}
{load("arguments", "i64")}
{load("results", "i64")}
{load("several", "i64")}
{load("out")}
  %exact = icmp eq i64 %nargs, %needed
  %plain = icmp eq ptr %given.names, null
  br i1 %plain, label %only.positional, label %with.names

; most calls have all that is needed by position, and perhaps out: nothing is to be sorted
only.positional:
  br i1 %exact, label %choose, label %count.them
with.names:
  %count.at = getelementptr i8, ptr %given.names, i64 {SIZE}
  %count = load i64, ptr %count.at
  %first.at = getelementptr i8, ptr %given.names, i64 {ITEMS}
  %first = load ptr, ptr %first.at
  %last.at = getelementptr ptr, ptr %args, i64 %nargs
  %last = load ptr, ptr %last.at
  %alone = icmp eq i64 %count, 1
  %first.is.out = icmp eq ptr %first, %out
  %out.alone = and i1 %alone, %first.is.out
  %simple = and i1 %out.alone, %exact
  br i1 %simple, label %choose, label %count.them
count.them:
  %named.count = phi i64 [0, %only.positional], [%count, %with.names]
  %too.many = icmp ugt i64 %nargs, %arguments
  br i1 %too.many, label %fallback, label %place

; arguments by position, then null for those that may come by name
place:
  %p = phi i64 [0, %count.them], [%p.next, %placed]
  %p.more = icmp ult i64 %p, %arguments
  br i1 %p.more, label %put, label %by.name
put:
  %p.given = icmp ult i64 %p, %nargs
  %p.to = getelementptr ptr, ptr %given, i64 %p
  %p.next = add i64 %p, 1
  br i1 %p.given, label %positional, label %open
positional:
  %p.from = getelementptr ptr, ptr %args, i64 %p
  %p.object = load ptr, ptr %p.from
  store ptr %p.object, ptr %p.to
  br label %placed
open:
  store ptr null, ptr %p.to
  br label %placed
placed:
  br label %place

by.name:
{load("names")}
  br label %name
name:
  %n = phi i64 [0, %by.name], [%n.next, %name.is.out], [%n.next, %name.found]
  %to = phi ptr [null, %by.name], [%value, %name.is.out], [%to, %name.found]
  %n.more = icmp ult i64 %n, %named.count
  br i1 %n.more, label %look, label %sorted
look:
  %n.items = getelementptr i8, ptr %given.names, i64 {ITEMS}
  %n.at = getelementptr ptr, ptr %n.items, i64 %n
  %n.name = load ptr, ptr %n.at
  %n.value = add i64 %nargs, %n
  %value.at = getelementptr ptr, ptr %args, i64 %n.value
  %value = load ptr, ptr %value.at
  %n.next = add i64 %n, 1
  %is.out = icmp eq ptr %n.name, %out
  br i1 %is.out, label %name.is.out, label %search
name.is.out:
  br label %name
search:
  %s = phi i64 [%nargs, %look], [%s.next, %other]
  %s.more = icmp ult i64 %s, %arguments
  br i1 %s.more, label %try, label %fallback
try:
  %s.at = getelementptr ptr, ptr %names, i64 %s
  %s.name = load ptr, ptr %s.at
  %s.next = add i64 %s, 1
  %s.same = icmp eq ptr %s.name, %n.name
  br i1 %s.same, label %name.found, label %other
other:
  br label %search
name.found:
  %s.to = getelementptr ptr, ptr %given, i64 %s
  store ptr %value, ptr %s.to
  br label %name

; are optional arguments given? None is as good as not given
sorted:
  br label %optional
optional:
  %o = phi i64 [%needed, %sorted], [%o.next, %o.done]
  %pushed = phi i1 [false, %sorted], [%pushed.next, %o.done]
  %o.more = icmp ult i64 %o, %arguments
  br i1 %o.more, label %o.look, label %choose
o.look:
  %o.at = getelementptr ptr, ptr %given, i64 %o
  %o.object = load ptr, ptr %o.at
  %o.next = add i64 %o, 1
  %o.open = icmp eq ptr %o.object, null
  %o.none = icmp eq ptr %o.object, %none
  %o.absent = or i1 %o.open, %o.none
  br i1 %o.absent, label %o.clear, label %o.done
o.clear:
  store ptr null, ptr %o.at
  br label %o.done
o.done:
  %o.here = phi i1 [true, %o.look], [false, %o.clear]
  %pushed.next = or i1 %pushed, %o.here
  br label %optional

choose:
  %objects = phi ptr [%args, %only.positional], [%args, %with.names], [%given, %optional]
  %out.given = phi ptr [null, %only.positional], [%last, %with.names], [%to, %optional]
  %full = phi i1 [false, %only.positional], [false, %with.names], [%pushed, %optional]
  %kernel.k = select i1 %full, i64 {AT["full_kernel"]}, i64 {AT["kernel"]}
  %slot.at = getelementptr i64, ptr %table, i64 %kernel.k
  %slot = load ptr, ptr %slot.at
  %inputs = select i1 %full, i64 %arguments, i64 %needed
  %made = icmp ne ptr %slot, null
  br i1 %made, label %ask, label %fallback
ask:
  %kernel = load atomic ptr, ptr %slot acquire, align 8
  %compiled = icmp ne ptr %kernel, null
  br i1 %compiled, label %results.are, label %fallback

; where the objects of the results are, if any are given
results.are:
  %as.tuple = icmp ne i64 %several, 0
  %result.pointers = getelementptr ptr, ptr %pointers, i64 %inputs
  %out.open = icmp eq ptr %out.given, null
  %out.none = icmp eq ptr %out.given, %none
  %fresh = or i1 %out.open, %out.none
  %to.check = select i1 %fresh, i64 0, i64 %results
  %operands = add i64 %inputs, %to.check
  store ptr %out.given, ptr %single
  %held = xor i1 %fresh, true
  %held.tuple = and i1 %held, %as.tuple
  br i1 %held.tuple, label %several.out, label %check
several.out:
{load("tuple_type")}
  %out.type.at = getelementptr i8, ptr %out.given, i64 8
  %out.type = load ptr, ptr %out.type.at
  %out.is.tuple = icmp eq ptr %out.type, %tuple_type
  br i1 %out.is.tuple, label %out.count, label %fallback
out.count:
  %out.size.at = getelementptr i8, ptr %out.given, i64 {SIZE}
  %out.size = load i64, ptr %out.size.at
  %out.items = getelementptr i8, ptr %out.given, i64 {ITEMS}
  %out.right = icmp eq i64 %out.size, %results
  br i1 %out.right, label %check, label %fallback

; each operand, arguments first, must be an array that is just what it should be, or a number
check:
  %items = phi ptr [%single, %results.are], [%out.items, %out.count]
{load("array_type")}
{load("float64")}
  br label %operand
operand:
  %k = phi i64 [0, %check], [%k.next, %accept]
  %axes = phi i64 [0, %check], [%axes.next, %accept]
  %sizes = phi ptr [null, %check], [%sizes.next, %accept]
  %k.more = icmp ult i64 %k, %operands
  br i1 %k.more, label %fetch, label %checked
fetch:
  %is.input = icmp ult i64 %k, %inputs
  %k.result = sub i64 %k, %inputs
  %from = select i1 %is.input, ptr %objects, ptr %items
  %from.k = select i1 %is.input, i64 %k, i64 %k.result
  %k.of.all = add i64 %k.result, %arguments
  %place.k = select i1 %is.input, i64 %k, i64 %k.of.all
  %flags.needed = select i1 %is.input, i32 {READABLE}, i32 {WRITABLE}
  %object.at = getelementptr ptr, ptr %from, i64 %from.k
  %object = load ptr, ptr %object.at
  %k.next = add i64 %k, 1
  %missing = icmp eq ptr %object, null
  br i1 %missing, label %default, label %typed
typed:
  %type.at = getelementptr i8, ptr %object, i64 8
  %type = load ptr, ptr %type.at
  %skip = mul i64 %place.k, {1 + MAX_AXES}
  %wanted.k = add i64 %skip, {OPERANDS}
  %wanted = getelementptr i64, ptr %table, i64 %wanted.k
  %wanted.ndim = load i64, ptr %wanted
  %is.array = icmp eq ptr %type, %array_type
  br i1 %is.array, label %array, label %number

; a number will do for an argument without axes
number:
{load("float_type")}
{load("scalar_type")}
  %is.float = icmp eq ptr %type, %float_type
  %is.scalar = icmp eq ptr %type, %scalar_type
  %is.number = or i1 %is.float, %is.scalar
  %no.axes = icmp eq i64 %wanted.ndim, 0
  %takes.number = and i1 %is.input, %no.axes
  %suits = and i1 %is.number, %takes.number
  %value.data = getelementptr i8, ptr %object, i64 {VALUE}
  br i1 %suits, label %accept, label %fallback
array:
  %dtype.at = getelementptr i8, ptr %object, i64 {DTYPE}
  %dtype = load ptr, ptr %dtype.at
  %is.double = icmp eq ptr %dtype, %float64
  %flags.at = getelementptr i8, ptr %object, i64 {FLAGS}
  %flags = load i32, ptr %flags.at
  %have = and i32 %flags, %flags.needed
  %fit = icmp eq i32 %have, %flags.needed
  %ndim.at = getelementptr i8, ptr %object, i64 {NDIM}
  %ndim32 = load i32, ptr %ndim.at
  %ndim = zext i32 %ndim32 to i64
  %lead = sub i64 %ndim, %wanted.ndim
  %few = icmp ule i64 %lead, {MOST_BATCH_AXES}
  %a = and i1 %is.double, %fit
  %b = and i1 %a, %few
  %shape.at = getelementptr i8, ptr %object, i64 {SHAPE}
  %shape = load ptr, ptr %shape.at
  br i1 %b, label %core, label %fallback
core:
  %core.at = getelementptr i64, ptr %shape, i64 %lead
  br label %axis
axis:
  %axis.k = phi i64 [0, %core], [%axis.next, %axis.size]
  %axis.more = icmp ult i64 %axis.k, %wanted.ndim
  br i1 %axis.more, label %axis.size, label %sample
axis.size:
  %size.at = getelementptr i64, ptr %core.at, i64 %axis.k
  %size = load i64, ptr %size.at
  %axis.next = add i64 %axis.k, 1
  %wanted.at = getelementptr i64, ptr %wanted, i64 %axis.next
  %wanted.size = load i64, ptr %wanted.at
  %size.same = icmp eq i64 %size, %wanted.size
  br i1 %size.same, label %axis, label %fallback

; one sample, or the batch that others have; the first argument with a batch sets it
sample:
  %no.batch = icmp eq i64 %lead, 0
  %no.batch.yet = icmp eq i64 %axes, 0
  %may.lack = or i1 %is.input, %no.batch.yet
  %lacks = and i1 %no.batch, %may.lack
  br i1 %lacks, label %take, label %of.batch
of.batch:
  %sets = and i1 %is.input, %no.batch.yet
  br i1 %sets, label %take, label %compare
compare:
  %as.many = icmp eq i64 %lead, %axes
  br i1 %as.many, label %compare.sizes, label %fallback
compare.sizes:
  %batch.same = call i1 @equal(ptr %shape, ptr %sizes, i64 %axes)
  br i1 %batch.same, label %take, label %fallback
take:
  %axes.found = phi i64 [%axes, %sample], [%lead, %of.batch], [%axes, %compare.sizes]
  %sizes.found = phi ptr [%sizes, %sample], [%shape, %of.batch], [%sizes, %compare.sizes]
  %in.batch = phi i64 [0, %sample], [1, %of.batch], [1, %compare.sizes]
  %data.at = getelementptr i8, ptr %object, i64 {DATA}
  %data = load ptr, ptr %data.at
  br label %accept
default:
{load("defaults")}
  %default.at = getelementptr ptr, ptr %defaults, i64 %from.k
  %default.data = load ptr, ptr %default.at
  %no.default = icmp eq ptr %default.data, null
  br i1 %no.default, label %fallback, label %accept
accept:
  %pointer = phi ptr [%data, %take], [%value.data, %number], [%default.data, %default]
  %axes.next = phi i64 [%axes.found, %take], [%axes, %number], [%axes, %default]
  %sizes.next = phi ptr [%sizes.found, %take], [%sizes, %number], [%sizes, %default]
  %moves = phi i64 [%in.batch, %take], [0, %number], [0, %default]
  %batched.at = getelementptr i64, ptr %batched, i64 %k
  store i64 %moves, ptr %batched.at
  %pointer.at = getelementptr ptr, ptr %pointers, i64 %k
  store ptr %pointer, ptr %pointer.at
  br label %operand
checked:
  %steps.k = select i1 %full, i64 {AT["full_steps"]}, i64 {AT["steps"]}
  %steps.at = getelementptr i64, ptr %table, i64 %steps.k
  %steps = load ptr, ptr %steps.at
  %is.single = icmp eq i64 %axes, 0
  br i1 %is.single, label %fits, label %measure

; batches that are large take the ordinary way, and so do those NumPy has to copy first
measure:
  %batch.samples = call i64 @product(ptr %sizes, i64 %axes)
  %large.at = getelementptr i8, ptr %slot, i64 {LARGE_OFFSET}
  %large = load i64, ptr %large.at
  %some = icmp ne i64 %batch.samples, 0
  %less = icmp slt i64 %batch.samples, %large
  %moderate = and i1 %some, %less
  br i1 %moderate, label %separate, label %fallback
separate:
  %distinct = call i1 @apart(ptr %pointers, ptr %steps, i64 %inputs, i64 %operands,
                             i64 %batch.samples)
  br i1 %distinct, label %fits, label %fallback
fits:
  %samples = phi i64 [1, %checked], [%batch.samples, %separate]
  br i1 %fresh, label %create, label %run

; into new ones; those without axes are numbers on the stack first
create:
{load("new_array")}
{load("recycled", "i64")}
{load("set_handler")}
{load("handler")}
  %small = icmp ult i64 %samples, %recycled
  br i1 %small, label %allocate, label %recycle
recycle:
  %handler.before = call ptr %set_handler(ptr %handler)
  %handler.kept = icmp eq ptr %handler.before, null
  br i1 %handler.kept, label %give.nothing, label %allocate
give.nothing:
  ret ptr null
allocate:
  %handler.old = phi ptr [null, %create], [%handler.before, %recycle]
  br label %new
new:
  %c = phi i64 [0, %allocate], [%c.next, %c.store]
  %c.more = icmp ult i64 %c, %results
  br i1 %c.more, label %c.look, label %allocated
c.look:
  %c.operand = add i64 %arguments, %c
  %c.skip = mul i64 %c.operand, {1 + MAX_AXES}
  %c.words = add i64 %c.skip, {OPERANDS}
  %c.ndim.at = getelementptr i64, ptr %table, i64 %c.words
  %c.ndim = load i64, ptr %c.ndim.at
  %c.sizes = getelementptr i64, ptr %c.ndim.at, i64 1
  %c.keep = getelementptr ptr, ptr %created, i64 %c
  %c.next = add i64 %c, 1
  %c.axes = add i64 %c.ndim, %axes
  %c.flat = icmp eq i64 %c.axes, 0
  br i1 %c.flat, label %c.number, label %c.array
c.number:
  %c.double = getelementptr double, ptr %numbers, i64 %c
  br label %c.store
c.array:
  %c.object = call ptr @array(ptr %new_array, ptr %array_type, ptr %sizes, i64 %axes,
                              ptr %c.sizes, i64 %c.ndim, i32 {np.dtype(np.float64).num})
  %c.failed = icmp eq ptr %c.object, null
  br i1 %c.failed, label %allocated, label %c.made
c.made:
  %c.data.at = getelementptr i8, ptr %c.object, i64 {DATA}
  %c.data = load ptr, ptr %c.data.at
  br label %c.store
c.store:
  %c.kept = phi ptr [null, %c.number], [%c.object, %c.made]
  %c.pointer = phi ptr [%c.double, %c.number], [%c.data, %c.made]
  store ptr %c.kept, ptr %c.keep
  %c.to = getelementptr ptr, ptr %result.pointers, i64 %c
  store ptr %c.pointer, ptr %c.to
  br label %new
allocated:
  %as.before = icmp eq ptr %handler.old, null
  br i1 %as.before, label %made.all, label %restore
restore:
  %handler.ours = call ptr %set_handler(ptr %handler.old)
  call void @Py_DecRef(ptr %handler.old)
  %stuck = icmp eq ptr %handler.ours, null
  br i1 %stuck, label %failed.new, label %restored
restored:
  call void @Py_DecRef(ptr %handler.ours)
  br label %made.all
made.all:
  br i1 %c.more, label %failed.new, label %run
failed.new:
  call void @drop(ptr %created, i64 %c)
  ret ptr null

run:
  br i1 %is.single, label %run.one, label %run.batch
run.one:
  store i64 1, ptr %one
  %one.status = call i32 %kernel(ptr %pointers, ptr %one, ptr %steps, ptr %slot)
  br label %ran
run.batch:
{load("get_status")}
  %words.k = select i1 %full, i64 {AT["full_words"]}, i64 {AT["words"]}
  %words.at = getelementptr i64, ptr %table, i64 %words.k
  %words = load i64, ptr %words.at
  %batch.status = call i32 @batch(ptr %kernel, ptr %pointers, ptr %steps, i64 %words, ptr %batched,
                                  i64 %inputs, i64 %samples, ptr %slot, ptr %get_status)
  br label %ran
ran:
  %status = phi i32 [%one.status, %run.one], [%batch.status, %run.batch]
  %bad = icmp ne i32 %status, 0
  br i1 %bad, label %in.vain, label %ready
in.vain:
  %to.drop = select i1 %fresh, i64 %results, i64 0
  call void @drop(ptr %created, i64 %to.drop)
  %told = icmp eq i32 %status, 2
  br i1 %told, label %fallback, label %no.memory
no.memory:
  call ptr @PyErr_NoMemory()
  ret ptr null
ready:
  br i1 %fresh, label %box, label %return.out
return.out:
  call void @Py_IncRef(ptr %out.given)
  ret ptr %out.given

; NumPy gives its own scalars for results without axes
box:
{load("new_scalar")}
  br label %boxed
boxed:
  %x = phi i64 [0, %box], [%x.next, %x.done]
  %x.more = icmp ult i64 %x, %results
  br i1 %x.more, label %x.look, label %give
x.look:
  %x.at = getelementptr ptr, ptr %created, i64 %x
  %x.object = load ptr, ptr %x.at
  %x.next = add i64 %x, 1
  %x.flat = icmp eq ptr %x.object, null
  br i1 %x.flat, label %x.box, label %x.done
x.box:
  %x.number = getelementptr double, ptr %numbers, i64 %x
  %x.scalar = call ptr %new_scalar(ptr %x.number, ptr %float64, ptr null)
  store ptr %x.scalar, ptr %x.at
  %x.none = icmp eq ptr %x.scalar, null
  br i1 %x.none, label %give.up, label %x.done
x.done:
  br label %boxed
give.up:
  call void @drop(ptr %created, i64 %results)
  ret ptr null

give:
  br i1 %as.tuple, label %tuple, label %only
only:
  %only.result = load ptr, ptr %created
  ret ptr %only.result
tuple:
  %answer = call ptr @gathered(ptr %created, i64 %results)
  %no.tuple = icmp eq ptr %answer, null
  br i1 %no.tuple, label %give.up, label %filled
filled:
  ret ptr %answer

fallback:
  %result.slow = call ptr @PyObject_Vectorcall(ptr %slow, ptr %args, i64 %nargs, ptr %given.names)
  ret ptr %result.slow
}}
"""

PYTHON = (
    "Py_IncRef",
    "Py_DecRef",
    "PyErr_NoMemory",
    "PyEval_RestoreThread",
    "PyEval_SaveThread",
    "PyObject_Vectorcall",
    "PyTuple_New",
    "PyTuple_SetItem",
)
