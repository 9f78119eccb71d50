"""The function that XLA calls, as LLVM text: from a call frame to a kernel.

It finds the kernel by its key, sees that the buffers are what the kernel reads and writes, and runs
it: small batches at once, large ones in blocks, which threads of XLA's pool and the caller take one
after the other. What they share lies on the heap until the last of them is done with it, so that a
thread that comes late finds nothing to do rather than nothing at all.
"""

from __future__ import annotations

from jounce.backends.llvm import ENTRY
from jounce.backends.llvm.entry import FAR_BYTES, FAR_OFFSET
from jounce.jax import abi
from jounce.runtime.fastcall_table import LARGE_OFFSET
from jounce.runtime.gufunc import MOST_OPERANDS

#: The variable that leads to the table of kernels, and what stores pointers for other threads.
TABLE = "jounce_table"
STORE = "jounce_store"

#: A function without arguments that lets other threads run.
YIELD = "jounce_yield"

#: A kernel as the handler knows it: see `handler.Entry`.
KERNEL = {
    "key": 0,
    "data": 8,
    "inputs": 16,
    "operands": 24,
    "dtype": 32,
    "worth": 40,
    "ranks": 48,
    "cores": 56,
    "steps": 64,
    "length": 72,
    "threads": 80,
}

#: Bytes of a loop's data, of which each shared batch has a copy of its own.
DATA_BYTES = 64

#: What threads share of a batch; arrays of operands' places and steps follow.
_SHARED = {
    "users": 0,
    "next": 8,
    "done": 16,
    "failed": 24,
    "total": 32,
    "block": 40,
    "operands": 48,
    "places": 56,
    "steps": 64,
    "data": 72,
    "end": 72 + DATA_BYTES,
}

#: Blocks that a thread takes, about, and samples that they are multiples of, as in `batches`.
_PER_THREAD, _GRAIN = 16, 16

_MESSAGES = {
    "malformed": "jounce: the call is not one that this version of jounce compiles",
    "mismatch": "jounce: the buffers of a call do not have the shapes and dtypes of its kernel",
    "memory": "jounce: no memory for the workspace of a kernel",
}


def text(version: tuple[int, int]) -> str:
    """The module, for a version of XLA's C API."""
    parts = (_header(), _fail(), _samples(), _lookup(), _work(), _share(), _run(), _entry(version))
    return "\n".join(parts)


def _at(base: str, name: str, places: dict[str, int]) -> str:
    """Text of an address in a structure."""
    return f"getelementptr i8, ptr {base}, i64 {places[name]}"


def _load(name: str, kind: str, base: str, place: str, places: dict[str, int]) -> str:
    """Lines that load a member of a structure."""
    return f"  %{name}.at = {_at(base, place, places)}\n  %{name} = load {kind}, ptr %{name}.at"


def _header() -> str:
    messages = "\n".join(
        f'@{name} = internal constant [{len(x) + 1} x i8] c"{x}\\00"'
        for name, x in _MESSAGES.items()
    )
    return f"""\
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @{YIELD}()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

@{TABLE} = global ptr null
{messages}

define void @{STORE}(ptr %place, ptr %value) {{
  store atomic ptr %value, ptr %place release, align 8
  ret void
}}
"""


def _fail() -> str:
    """fail(frame, message, code): an error of XLA's."""
    return f"""\
define internal ptr @fail(ptr %frame, ptr %message, i32 %code) {{
  %given = alloca [32 x i8], align 8
  store i64 28, ptr %given
  %extension = getelementptr i8, ptr %given, i64 8
  store ptr null, ptr %extension
  %message.at = getelementptr i8, ptr %given, i64 16
  store ptr %message, ptr %message.at
  %code.at = getelementptr i8, ptr %given, i64 24
  store i32 %code, ptr %code.at
{_load("api", "ptr", "%frame", "api", abi.FRAME)}
{_load("create", "ptr", "%api", "error", abi.API)}
  %error = call ptr %create(ptr %given)
  ret ptr %error
}}
"""


def _samples() -> str:
    """samples(buffer, dtype, rank, core): how many a buffer has, -1 if they are no such samples."""
    return f"""\
define internal i64 @samples(ptr %buffer, i32 %dtype, i64 %rank, ptr %core) {{
entry:
{_load("found", "i32", "%buffer", "dtype", abi.BUFFER)}
{_load("axes", "i64", "%buffer", "rank", abi.BUFFER)}
{_load("dims", "ptr", "%buffer", "dims", abi.BUFFER)}
  %same = icmp eq i32 %found, %dtype
  %leading = sub i64 %axes, %rank
  %enough = icmp sge i64 %leading, 0
  %fits = and i1 %same, %enough
  br i1 %fits, label %head, label %wrong
head:
  %k = phi i64 [0, %entry], [%k.next, %batch], [%k.next, %inner]
  %count = phi i64 [1, %entry], [%count.next, %batch], [%count, %inner]
  %more = icmp slt i64 %k, %axes
  br i1 %more, label %body, label %done
body:
  %dim.at = getelementptr i64, ptr %dims, i64 %k
  %dim = load i64, ptr %dim.at
  %k.next = add i64 %k, 1
  %own = sub i64 %k, %leading
  %outer = icmp slt i64 %own, 0
  br i1 %outer, label %batch, label %inner
batch:
  %count.next = mul i64 %count, %dim
  br label %head
inner:
  %wanted.at = getelementptr i64, ptr %core, i64 %own
  %wanted = load i64, ptr %wanted.at
  %equal = icmp eq i64 %dim, %wanted
  br i1 %equal, label %head, label %wrong
done:
  ret i64 %count
wrong:
  ret i64 -1
}}
"""


def _lookup() -> str:
    """lookup(key): the kernel of a key, or null; the table is a mask, then as many places."""
    return f"""\
define internal ptr @lookup(i64 %key) {{
entry:
  %table = load atomic ptr, ptr @{TABLE} acquire, align 8
  %none = icmp eq ptr %table, null
  br i1 %none, label %absent, label %start
start:
  %mask = load i64, ptr %table
  %first = and i64 %key, %mask
  br label %head
head:
  %k = phi i64 [%first, %start], [%k.next, %following]
  %place = add i64 %k, 1
  %place.at = getelementptr ptr, ptr %table, i64 %place
  %kernel = load atomic ptr, ptr %place.at acquire, align 8
  %free = icmp eq ptr %kernel, null
  br i1 %free, label %absent, label %compare
compare:
  %found = load i64, ptr %kernel
  %same = icmp eq i64 %found, %key
  br i1 %same, label %present, label %following
following:
  %after = add i64 %k, 1
  %k.next = and i64 %after, %mask
  br label %head
present:
  ret ptr %kernel
absent:
  ret ptr null
}}
"""


def _work() -> str:
    """work(shared): blocks of samples until none is left; task(shared): that, as a thread does."""
    return f"""\
define internal void @work(ptr %shared) {{
entry:
  %moved = alloca [{MOST_OPERANDS} x ptr]
  %count.at = alloca i64
  %next = {_at("%shared", "next", _SHARED)}
  %done.at = {_at("%shared", "done", _SHARED)}
  %failed.at = {_at("%shared", "failed", _SHARED)}
  %data = {_at("%shared", "data", _SHARED)}
{_load("total", "i64", "%shared", "total", _SHARED)}
{_load("block", "i64", "%shared", "block", _SHARED)}
{_load("operands", "i64", "%shared", "operands", _SHARED)}
{_load("places", "ptr", "%shared", "places", _SHARED)}
{_load("steps", "ptr", "%shared", "steps", _SHARED)}
  %kernel = load ptr, ptr %data
  br label %more
more:
  %first = atomicrmw add ptr %next, i64 %block monotonic
  %some = icmp slt i64 %first, %total
  br i1 %some, label %take, label %end
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
  %from.at = getelementptr ptr, ptr %places, i64 %k
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
  %bad = icmp ne i32 %status, 0
  br i1 %bad, label %note, label %count.it
note:
  store atomic i64 1, ptr %failed.at monotonic, align 8
  br label %count.it
count.it:
  atomicrmw add ptr %done.at, i64 %count release
  br label %more
end:
  ret void
}}

define internal void @leave(ptr %shared, i64 %many) {{
  %before = atomicrmw sub ptr %shared, i64 %many acq_rel
  %last = icmp eq i64 %before, %many
  br i1 %last, label %drop, label %end
drop:
  call void @free(ptr %shared)
  br label %end
end:
  ret void
}}

define internal void @task(ptr %shared) {{
  call void @work(ptr %shared)
  call void @leave(ptr %shared, i64 1)
  ret void
}}
"""


def _share() -> str:
    """share(frame, shared, users): have threads work on it, work too, and wait for all samples.

    Returns whether a block failed.
    """
    return f"""\
define internal i64 @share(ptr %frame, ptr %shared, i64 %users) {{
entry:
  %given = alloca [40 x i8], align 8
  %error.given = alloca [24 x i8], align 8
  store i64 40, ptr %given
  %extension = getelementptr i8, ptr %given, i64 8
  store ptr null, ptr %extension
{_load("context", "ptr", "%frame", "context", abi.FRAME)}
  %context.to = getelementptr i8, ptr %given, i64 16
  store ptr %context, ptr %context.to
  %task.to = getelementptr i8, ptr %given, i64 24
  store ptr @task, ptr %task.to
  %data.to = getelementptr i8, ptr %given, i64 32
  store ptr %shared, ptr %data.to
{_load("api", "ptr", "%frame", "api", abi.FRAME)}
{_load("schedule", "ptr", "%api", "schedule", abi.API)}
{_load("destroy", "ptr", "%api", "destroy", abi.API)}
  br label %offer
offer:
  %k = phi i64 [1, %entry], [%k.next, %offered]
  %more = icmp slt i64 %k, %users
  br i1 %more, label %ask, label %own
ask:
  %error = call ptr %schedule(ptr %given)
  %refused = icmp ne ptr %error, null
  %k.next = add i64 %k, 1
  br i1 %refused, label %alone, label %offered
offered:
  br label %offer
alone:
  store i64 24, ptr %error.given
  %none = getelementptr i8, ptr %error.given, i64 8
  store ptr null, ptr %none
  %error.to = getelementptr i8, ptr %error.given, i64 16
  store ptr %error, ptr %error.to
  call void %destroy(ptr %error.given)
  %fewer = sub i64 %users, %k
  call void @leave(ptr %shared, i64 %fewer)
  br label %own
own:
  call void @work(ptr %shared)
{_load("total", "i64", "%shared", "total", _SHARED)}
  %done.at = {_at("%shared", "done", _SHARED)}
  br label %look
look:
  %done = load atomic i64, ptr %done.at acquire, align 8
  %all = icmp sge i64 %done, %total
  br i1 %all, label %end, label %wait
wait:
  call i32 @{YIELD}()
  br label %look
end:
{_load("failed", "i64", "%shared", "failed", _SHARED)}
  call void @leave(ptr %shared, i64 1)
  ret i64 %failed
}}
"""


def _run() -> str:
    """run(frame, kernel, places, steps, total): 0, or 1 without memory."""
    members = {
        "users": "%users",
        "next": "0",
        "done": "0",
        "failed": "0",
        "total": "%total",
        "block": "%block",
        "operands": "%operands",
    }
    stores = "\n".join(
        f"  %to.{name} = {_at('%shared', name, _SHARED)}\n  store i64 {x}, ptr %to.{name}"
        for name, x in members.items()
    )
    return f"""\
define internal i64 @run(ptr %frame, ptr %kernel, ptr %places, ptr %steps, i64 %total) {{
entry:
  %total.at = alloca i64
  store i64 %total, ptr %total.at
{_load("data", "ptr", "%kernel", "data", KERNEL)}
  %large.at = getelementptr i8, ptr %data, i64 {LARGE_OFFSET}
  %large = load i64, ptr %large.at
{_load("worth", "i64", "%kernel", "worth", KERNEL)}
{_load("operands", "i64", "%kernel", "operands", KERNEL)}
{_load("length", "i64", "%kernel", "length", KERNEL)}
{_load("threads", "ptr", "%kernel", "threads", KERNEL)}
  %code = load atomic ptr, ptr %data acquire, align 8
  %users = load atomic i64, ptr %threads monotonic, align 8
  %several = icmp sgt i64 %users, 1
  %much = icmp sge i64 %total, %large
  %split = and i1 %several, %much
  br i1 %split, label %look, label %alone
look:
{_load("api", "ptr", "%frame", "api", abi.FRAME)}
  %api.size = load i64, ptr %api
  %offers = icmp ugt i64 %api.size, {abi.API["schedule"]}
  br i1 %offers, label %ask, label %alone
ask:
  %places.size = mul i64 %operands, 8
  %steps.size = mul i64 %length, 8
  %arrays = add i64 %places.size, %steps.size
  %size = add i64 %arrays, {_SHARED["end"]}
  %shared = call ptr @malloc(i64 %size)
  %none = icmp eq ptr %shared, null
  br i1 %none, label %alone, label %fill
fill:
  %parts = mul i64 %users, {_PER_THREAD}
  %even = udiv i64 %total, %parts
  %small = icmp slt i64 %even, %worth
  %least = select i1 %small, i64 %worth, i64 %even
  %beyond = add i64 %least, {_GRAIN - 1}
  %grains = udiv i64 %beyond, {_GRAIN}
  %whole = mul i64 %grains, {_GRAIN}
  %nothing = icmp eq i64 %whole, 0
  %block = select i1 %nothing, i64 {_GRAIN}, i64 %whole
{stores}
  %own.places = {_at("%shared", "end", _SHARED)}
  %own.steps = getelementptr i8, ptr %own.places, i64 %places.size
  %own.data = {_at("%shared", "data", _SHARED)}
  %to.places = {_at("%shared", "places", _SHARED)}
  store ptr %own.places, ptr %to.places
  %to.steps = {_at("%shared", "steps", _SHARED)}
  store ptr %own.steps, ptr %to.steps
  call void @llvm.memcpy.p0.p0.i64(ptr %own.places, ptr %places, i64 %places.size, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %own.steps, ptr %steps, i64 %steps.size, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %own.data, ptr %data, i64 {DATA_BYTES}, i1 false)
  ; results are far if those of the whole batch are, not of a block
  %far.whole = mul i64 %block, {FAR_BYTES}
  %far = udiv i64 %far.whole, %total
  %far.at = getelementptr i8, ptr %own.data, i64 {FAR_OFFSET}
  store i64 %far, ptr %far.at
  %failed = call i64 @share(ptr %frame, ptr %shared, i64 %users)
  ret i64 %failed
alone:
  %status = call i32 %code(ptr %places, ptr %total.at, ptr %steps, ptr %data)
  %wide = zext i32 %status to i64
  ret i64 %wide
}}
"""


def _entry(version: tuple[int, int]) -> str:
    """The handler: XLA asks for its version, and calls it."""
    major, minor = version
    fill = {"major": major, "minor": minor, "traits": 0}
    stores = "\n".join(
        f"  %to.{name} = {_at('%metadata', name, abi.METADATA)}\n  store i32 {x}, ptr %to.{name}"
        for name, x in fill.items()
    )
    return f"""\
define ptr @{ENTRY}(ptr %frame) {{
entry:
{_load("extension", "ptr", "%frame", "extension", abi.FRAME)}
  %plain = icmp eq ptr %extension, null
  br i1 %plain, label %stages, label %extended
extended:
{_load("extension.type", "i32", "%extension", "type", abi.EXTENSION)}
  %asked = icmp eq i32 %extension.type, {abi.METADATA_EXTENSION}
  br i1 %asked, label %tell, label %stages
tell:
{_load("metadata", "ptr", "%extension", "metadata", abi.EXTENSION)}
{stores}
  ret ptr null
stages:
{_load("stage", "i32", "%frame", "stage", abi.FRAME)}
  %now = icmp eq i32 %stage, {abi.EXECUTE}
  br i1 %now, label %attributes, label %fine
attributes:
  ; sorted by name: "absent", what to say of an unknown key, and "key"
{_load("attrs.size", "i64", "%frame", "attrs.size", abi.FRAME)}
{_load("attrs.types", "ptr", "%frame", "attrs.types", abi.FRAME)}
{_load("attrs", "ptr", "%frame", "attrs", abi.FRAME)}
  %two = icmp eq i64 %attrs.size, 2
  br i1 %two, label %kinds, label %malformed
kinds:
  %type.0 = load i32, ptr %attrs.types
  %type.1.at = getelementptr i32, ptr %attrs.types, i64 1
  %type.1 = load i32, ptr %type.1.at
  %is.text = icmp eq i32 %type.0, {abi.STRING}
  %is.number = icmp eq i32 %type.1, {abi.SCALAR}
  %good = and i1 %is.text, %is.number
  br i1 %good, label %keys, label %malformed
keys:
  %span = load ptr, ptr %attrs
  %scalar.at = getelementptr ptr, ptr %attrs, i64 1
  %scalar = load ptr, ptr %scalar.at
  %scalar.type = load i32, ptr %scalar
  %is.long = icmp eq i32 %scalar.type, {abi.S64}
  br i1 %is.long, label %find, label %malformed
find:
  %key.at.at = getelementptr i8, ptr %scalar, i64 8
  %key.at = load ptr, ptr %key.at.at
  %key = load i64, ptr %key.at
  %kernel = call ptr @lookup(i64 %key)
  %unknown = icmp eq ptr %kernel, null
  br i1 %unknown, label %absent.it, label %present
absent.it:
  %text = load ptr, ptr %span
  %text.size.at = getelementptr i8, ptr %span, i64 8
  %text.size = load i64, ptr %text.size.at
  %room = add i64 %text.size, 1
  %copy = alloca i8, i64 %room
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %text, i64 %text.size, i1 false)
  %copy.end = getelementptr i8, ptr %copy, i64 %text.size
  store i8 0, ptr %copy.end
  %error.absent = call ptr @fail(ptr %frame, ptr %copy, i32 {abi.NOT_FOUND})
  ret ptr %error.absent
present:
{_load("inputs", "i64", "%kernel", "inputs", KERNEL)}
{_load("operands", "i64", "%kernel", "operands", KERNEL)}
{_load("dtype.long", "i64", "%kernel", "dtype", KERNEL)}
{_load("ranks", "ptr", "%kernel", "ranks", KERNEL)}
{_load("cores", "ptr", "%kernel", "cores", KERNEL)}
{_load("dense", "ptr", "%kernel", "steps", KERNEL)}
{_load("length", "i64", "%kernel", "length", KERNEL)}
{_load("args.size", "i64", "%frame", "args.size", abi.FRAME)}
{_load("args", "ptr", "%frame", "args", abi.FRAME)}
{_load("rets.size", "i64", "%frame", "rets.size", abi.FRAME)}
{_load("rets", "ptr", "%frame", "rets", abi.FRAME)}
  %dtype = trunc i64 %dtype.long to i32
  %outputs = sub i64 %operands, %inputs
  %inputs.fit = icmp eq i64 %inputs, %args.size
  %outputs.fit = icmp eq i64 %outputs, %rets.size
  %all.fit = and i1 %inputs.fit, %outputs.fit
  %places = alloca ptr, i64 %operands
  %steps = alloca i64, i64 %length
  br i1 %all.fit, label %measure, label %mismatch
measure:
  ; the first result is past the arguments, and so is its core
  %steps.size = mul i64 %length, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %steps, ptr %dense, i64 %steps.size, i1 false)
  br label %operand
operand:
  ; backwards, for results say how many samples there are
  %left = phi i64 [%operands, %measure], [%k, %taken]
  %total = phi i64 [-1, %measure], [%total.now, %taken]
  %more = icmp sgt i64 %left, 0
  br i1 %more, label %take, label %ready
take:
  %k = sub i64 %left, 1
  %result = icmp sge i64 %k, %inputs
  %in.rets = sub i64 %k, %inputs
  %list = select i1 %result, ptr %rets, ptr %args
  %index = select i1 %result, i64 %in.rets, i64 %k
  %buffer.at = getelementptr ptr, ptr %list, i64 %index
  %buffer = load ptr, ptr %buffer.at
  %rank.at = getelementptr i64, ptr %ranks, i64 %k
  %rank = load i64, ptr %rank.at
  %core.at = getelementptr ptr, ptr %cores, i64 %k
  %core = load ptr, ptr %core.at
  %found = call i64 @samples(ptr %buffer, i32 %dtype, i64 %rank, ptr %core)
  %unset = icmp slt i64 %total, 0
  %total.now = select i1 %unset, i64 %found, i64 %total
{_load("place", "ptr", "%buffer", "data", abi.BUFFER)}
  %place.to = getelementptr ptr, ptr %places, i64 %k
  store ptr %place, ptr %place.to
  %wrong = icmp slt i64 %found, 0
  br i1 %wrong, label %mismatch, label %compare
compare:
  %full = icmp eq i64 %found, %total.now
  br i1 %full, label %taken, label %spread
spread:
  %single = icmp eq i64 %found, 1
  %argument = icmp slt i64 %k, %inputs
  %may = and i1 %single, %argument
  %step.at = getelementptr i64, ptr %steps, i64 %k
  br i1 %may, label %stay, label %mismatch
stay:
  store i64 0, ptr %step.at
  br label %taken
taken:
  br label %operand
ready:
  %empty = icmp eq i64 %total, 0
  br i1 %empty, label %fine, label %go
go:
  %failed = call i64 @run(ptr %frame, ptr %kernel, ptr %places, ptr %steps, i64 %total)
  %short = icmp ne i64 %failed, 0
  br i1 %short, label %exhausted, label %fine
fine:
  ret ptr null
exhausted:
  %error.memory = call ptr @fail(ptr %frame, ptr @memory, i32 {abi.RESOURCE_EXHAUSTED})
  ret ptr %error.memory
malformed:
  %error.malformed = call ptr @fail(ptr %frame, ptr @malformed, i32 {abi.INVALID_ARGUMENT})
  ret ptr %error.malformed
mismatch:
  %error.mismatch = call ptr @fail(ptr %frame, ptr @mismatch, i32 {abi.INVALID_ARGUMENT})
  ret ptr %error.mismatch
}}
"""
