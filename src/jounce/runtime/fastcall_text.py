"""The builtin of `fastcall` as LLVM text, and the layouts it relies on."""

from __future__ import annotations

import numpy as np

from jounce.backends.llvm import ENTRY

MAX_AXES = 6
MAX_OPERANDS = 64  # as NumPy's ufuncs

# Places of PyArray_New and PyArray_Scalar in NumPy's table of functions, and the former's further
# arguments: the number of float64, then no strides, data, item size, flags or object.
NEW_ARRAY, NEW_SCALAR = 93, 60
_OF_FLOAT64 = f"i32 {np.dtype(np.float64).num}, ptr null, ptr null, i32 0, i32 0, ptr null"

# Members of an array object, in bytes: data, ndim, shape, dtype, flags; and of a tuple.
DATA, NDIM, SHAPE, DTYPE, FLAGS = 16, 24, 32, 56, 64
SIZE, ITEMS = 16, 24
VALUE = 16  # of Python's float, and of NumPy's float64
_READABLE = 0x0001 | 0x0100  # C contiguous, aligned
WRITABLE = _READABLE | 0x0400

# Words of the table a builtin carries: what to compare with, what to call, where its kernels are.
_WORDS = (
    "slow",
    "array_type",
    "float64",
    "tuple_type",
    "float_type",
    "scalar_type",  # NumPy's float64
    "none",
    "out",  # the word
    "needed",  # arguments that must be given
    "arguments",  # all of them
    "results",
    "several",  # whether results come as a tuple
    "names",  # of all arguments
    "defaults",  # data of arguments that are left out while others are not
    "new_array",  # NumPy's PyArray_New
    "new_scalar",  # NumPy's PyArray_Scalar
    "kernel",  # without the optional arguments: the place of its address, and steps
    "steps",
    "full_kernel",  # with all of them, once there is one
    "full_steps",
)
AT = {word: k for k, word in enumerate(_WORDS)}
OPERANDS = len(_WORDS)  # then per operand its ndim and MAX_AXES sizes


def _load(word: str, kind: str = "ptr") -> str:
    """The table's entry as %word."""
    return (
        f"  %{word}.at = getelementptr i64, ptr %table, i64 {AT[word]}\n"
        f"  %{word} = load {kind}, ptr %{word}.at"
    )


# One text, however long, since it is one path that a call takes from top to bottom. There are no
# optimisation passes behind it, so values that change in loops are phis, not memory. `self` is a
# NumPy array whose data is the table.
TEXT = f"""
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyErr_NoMemory()
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)

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

define ptr @{ENTRY}(ptr %self, ptr %args, i64 %nargs, ptr %given.names) {{
entry:
  %given = alloca [{MAX_OPERANDS} x ptr]
  %pointers = alloca [{MAX_OPERANDS} x ptr]
  %created = alloca [{MAX_OPERANDS} x ptr]
  %numbers = alloca [{MAX_OPERANDS} x double]
  %one = alloca i64
  %single = alloca ptr
  %table.at = getelementptr i8, ptr %self, i64 {DATA}
  %table = load ptr, ptr %table.at
{_load("slow")}
{_load("none")}
{_load("needed", "i64")}
{_load("arguments", "i64")}
{_load("results", "i64")}
{_load("several", "i64")}
{_load("out")}
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
{_load("names")}
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
{_load("tuple_type")}
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
{_load("array_type")}
{_load("float64")}
  br label %operand
operand:
  %k = phi i64 [0, %check], [%k.next, %accept]
  %k.more = icmp ult i64 %k, %operands
  br i1 %k.more, label %fetch, label %checked
fetch:
  %is.input = icmp ult i64 %k, %inputs
  %k.result = sub i64 %k, %inputs
  %from = select i1 %is.input, ptr %objects, ptr %items
  %from.k = select i1 %is.input, i64 %k, i64 %k.result
  %k.of.all = add i64 %k.result, %arguments
  %place.k = select i1 %is.input, i64 %k, i64 %k.of.all
  %flags.needed = select i1 %is.input, i32 {_READABLE}, i32 {WRITABLE}
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
{_load("float_type")}
{_load("scalar_type")}
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
  %same = icmp eq i64 %ndim, %wanted.ndim
  %a = and i1 %is.double, %fit
  %b = and i1 %a, %same
  %shape.at = getelementptr i8, ptr %object, i64 {SHAPE}
  %shape = load ptr, ptr %shape.at
  br i1 %b, label %axis, label %fallback
axis:
  %axis.k = phi i64 [0, %array], [%axis.next, %compare]
  %axis.more = icmp ult i64 %axis.k, %ndim
  br i1 %axis.more, label %compare, label %take
compare:
  %size.at = getelementptr i64, ptr %shape, i64 %axis.k
  %size = load i64, ptr %size.at
  %axis.next = add i64 %axis.k, 1
  %wanted.at = getelementptr i64, ptr %wanted, i64 %axis.next
  %wanted.size = load i64, ptr %wanted.at
  %equal = icmp eq i64 %size, %wanted.size
  br i1 %equal, label %axis, label %fallback
take:
  %data.at = getelementptr i8, ptr %object, i64 {DATA}
  %data = load ptr, ptr %data.at
  br label %accept
default:
{_load("defaults")}
  %default.at = getelementptr ptr, ptr %defaults, i64 %from.k
  %default.data = load ptr, ptr %default.at
  %no.default = icmp eq ptr %default.data, null
  br i1 %no.default, label %fallback, label %accept
accept:
  %pointer = phi ptr [%data, %take], [%value.data, %number], [%default.data, %default]
  %pointer.at = getelementptr ptr, ptr %pointers, i64 %k
  store ptr %pointer, ptr %pointer.at
  br label %operand
checked:
  br i1 %fresh, label %create, label %run

; into new ones; those without axes are numbers on the stack first
create:
{_load("new_array")}
  br label %new
new:
  %c = phi i64 [0, %create], [%c.next, %c.store]
  %c.more = icmp ult i64 %c, %results
  br i1 %c.more, label %c.look, label %run
c.look:
  %c.operand = add i64 %arguments, %c
  %c.skip = mul i64 %c.operand, {1 + MAX_AXES}
  %c.words = add i64 %c.skip, {OPERANDS}
  %c.ndim.at = getelementptr i64, ptr %table, i64 %c.words
  %c.ndim = load i64, ptr %c.ndim.at
  %c.sizes = getelementptr i64, ptr %c.ndim.at, i64 1
  %c.keep = getelementptr ptr, ptr %created, i64 %c
  %c.next = add i64 %c, 1
  %c.flat = icmp eq i64 %c.ndim, 0
  br i1 %c.flat, label %c.number, label %c.array
c.number:
  %c.double = getelementptr double, ptr %numbers, i64 %c
  br label %c.store
c.array:
  %c.axes = trunc i64 %c.ndim to i32
  %c.object = call ptr %new_array(ptr %array_type, i32 %c.axes, ptr %c.sizes, {_OF_FLOAT64})
  %c.failed = icmp eq ptr %c.object, null
  br i1 %c.failed, label %failed.new, label %c.made
failed.new:
  call void @drop(ptr %created, i64 %c)
  ret ptr null
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

run:
  store i64 1, ptr %one
  %steps.k = select i1 %full, i64 {AT["full_steps"]}, i64 {AT["steps"]}
  %steps.at = getelementptr i64, ptr %table, i64 %steps.k
  %steps = load ptr, ptr %steps.at
  %status = call i32 %kernel(ptr %pointers, ptr %one, ptr %steps, ptr %slot)
  %bad = icmp ne i32 %status, 0
  br i1 %bad, label %no.memory, label %ready
no.memory:
  %to.drop = select i1 %fresh, i64 %results, i64 0
  call void @drop(ptr %created, i64 %to.drop)
  call ptr @PyErr_NoMemory()
  ret ptr null
ready:
  br i1 %fresh, label %box, label %return.out
return.out:
  call void @Py_IncRef(ptr %out.given)
  ret ptr %out.given

; NumPy gives its own scalars for results without axes
box:
{_load("new_scalar")}
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
  %answer = call ptr @PyTuple_New(i64 %results)
  %t.none = icmp eq ptr %answer, null
  br i1 %t.none, label %give.up, label %fill
fill:
  %t = phi i64 [0, %tuple], [%t.next, %t.put]
  %t.more = icmp ult i64 %t, %results
  br i1 %t.more, label %t.put, label %filled
t.put:
  %t.at = getelementptr ptr, ptr %created, i64 %t
  %t.object = load ptr, ptr %t.at
  %t.status = call i32 @PyTuple_SetItem(ptr %answer, i64 %t, ptr %t.object)
  %t.next = add i64 %t, 1
  br label %fill
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
    "PyObject_Vectorcall",
    "PyTuple_New",
    "PyTuple_SetItem",
)
