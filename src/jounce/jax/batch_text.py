"""Batches as LLVM text: the part of the handler that runs a kernel.

Small batches run at once. Large ones are cut into blocks, which threads of XLA's pool and the
caller take one after the other. What they share lies on the heap until the last of them is done
with it, so that a thread that comes late finds nothing to do rather than nothing at all.
"""

from __future__ import annotations

from jounce.backends.llvm.entry import FAR_BYTES, FAR_OFFSET
from jounce.jax import abi, members
from jounce.jax.members import FURTHER, at, load, message
from jounce.runtime.blocks_text import taken
from jounce.runtime.fastcall_table import LARGE_OFFSET
from jounce.runtime.gufunc import MOST_OPERANDS

#: A function without arguments that lets other threads run.
YIELD = "jounce_yield"

#: A kernel on processors: after what its operands look like, its loop's data (`gufunc`), the fewest
#: samples of a block, and where the number of threads stands. See `handler.Entry`.
KERNEL = {**members.KERNEL, "data": FURTHER, "worth": FURTHER + 8, "threads": FURTHER + 16}

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


def text() -> str:
    """run(frame, kernel, places, steps, total): null, or an error; and what it calls."""
    parts = (_header(), _work(), _leave(), _drop(), _share(), _block(), _shared(), _batch(), _run())
    return "\n".join(parts)


def _header() -> str:
    return f"""\
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @{YIELD}()
{message("memory", "jounce: no memory for the workspace of a kernel")}
"""


def _work() -> str:
    """work(shared): blocks of samples until none is left."""
    return f"""\
define internal void @work(ptr %shared) {{
entry:
  %moved = alloca [{MOST_OPERANDS} x ptr]
  %count.at = alloca i64
  %next = {at("%shared", "next", _SHARED)}
  %done.at = {at("%shared", "done", _SHARED)}
  %failed.at = {at("%shared", "failed", _SHARED)}
  %data = {at("%shared", "data", _SHARED)}
{load("total", "i64", "%shared", "total", _SHARED)}
{load("block", "i64", "%shared", "block", _SHARED)}
{load("operands", "i64", "%shared", "operands", _SHARED)}
{load("places", "ptr", "%shared", "places", _SHARED)}
{load("steps", "ptr", "%shared", "steps", _SHARED)}
  %kernel = load ptr, ptr %data
  br label %more
{taken("%places", "end")}\
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
"""


def _leave() -> str:
    """leave(shared, many): that many users are done; task(shared): what a thread does."""
    return """\
define internal void @leave(ptr %shared, i64 %many) {
  %before = atomicrmw sub ptr %shared, i64 %many acq_rel
  %last = icmp eq i64 %before, %many
  br i1 %last, label %drop, label %end
drop:
  call void @free(ptr %shared)
  br label %end
end:
  ret void
}

define internal void @task(ptr %shared) {
  call void @work(ptr %shared)
  call void @leave(ptr %shared, i64 1)
  ret void
}
"""


def _drop() -> str:
    """drop(api, error): an error of XLA's that nobody needs to know."""
    return f"""\
define internal void @drop(ptr %api, ptr %error) {{
  %given = alloca [24 x i8], align 8
  store i64 24, ptr %given
  %extension = getelementptr i8, ptr %given, i64 8
  store ptr null, ptr %extension
  %error.to = getelementptr i8, ptr %given, i64 16
  store ptr %error, ptr %error.to
{load("destroy", "ptr", "%api", "destroy", abi.API)}
  call void %destroy(ptr %given)
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
  store i64 40, ptr %given
  %extension = getelementptr i8, ptr %given, i64 8
  store ptr null, ptr %extension
{load("context", "ptr", "%frame", "context", abi.FRAME)}
  %context.to = getelementptr i8, ptr %given, i64 16
  store ptr %context, ptr %context.to
  %task.to = getelementptr i8, ptr %given, i64 24
  store ptr @task, ptr %task.to
  %data.to = getelementptr i8, ptr %given, i64 32
  store ptr %shared, ptr %data.to
{load("api", "ptr", "%frame", "api", abi.FRAME)}
{load("schedule", "ptr", "%api", "schedule", abi.API)}
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
  call void @drop(ptr %api, ptr %error)
  %fewer = sub i64 %users, %k
  call void @leave(ptr %shared, i64 %fewer)
  br label %own
own:
  call void @work(ptr %shared)
{load("total", "i64", "%shared", "total", _SHARED)}
  %done.at = {at("%shared", "done", _SHARED)}
  br label %look
look:
  %done = load atomic i64, ptr %done.at acquire, align 8
  %all = icmp sge i64 %done, %total
  br i1 %all, label %end, label %wait
wait:
  call i32 @{YIELD}()
  br label %look
end:
{load("failed", "i64", "%shared", "failed", _SHARED)}
  call void @leave(ptr %shared, i64 1)
  ret i64 %failed
}}
"""


def _block() -> str:
    """block(total, users, worth): samples of a block."""
    return f"""\
define internal i64 @block(i64 %total, i64 %users, i64 %worth) {{
  %parts = mul i64 %users, {_PER_THREAD}
  %even = udiv i64 %total, %parts
  %small = icmp slt i64 %even, %worth
  %least = select i1 %small, i64 %worth, i64 %even
  %some = icmp sgt i64 %least, 0
  %many = select i1 %some, i64 %least, i64 1
  %beyond = add i64 %many, {_GRAIN - 1}
  %grains = udiv i64 %beyond, {_GRAIN}
  %whole = mul i64 %grains, {_GRAIN}
  ret i64 %whole
}}
"""


def _shared() -> str:
    """shared(kernel, places, steps, total, users): what threads share of a batch, or null."""
    members = ("users", "next", "done", "failed", "total", "block", "operands")
    given = {name: "0" if name in ("next", "done", "failed") else f"%{name}" for name in members}
    stores = "\n".join(
        f"  %to.{name} = {at('%shared', name, _SHARED)}\n  store i64 {x}, ptr %to.{name}"
        for name, x in given.items()
    )
    return f"""\
define internal ptr @shared(ptr %kernel, ptr %places, ptr %steps, i64 %total, i64 %users) {{
{load("data", "ptr", "%kernel", "data", KERNEL)}
{load("worth", "i64", "%kernel", "worth", KERNEL)}
{load("operands", "i64", "%kernel", "operands", KERNEL)}
{load("length", "i64", "%kernel", "length", KERNEL)}
  %places.size = mul i64 %operands, 8
  %steps.size = mul i64 %length, 8
  %arrays = add i64 %places.size, %steps.size
  %size = add i64 %arrays, {_SHARED["end"]}
  %shared = call ptr @malloc(i64 %size)
  %none = icmp eq ptr %shared, null
  br i1 %none, label %end, label %fill
fill:
  %block = call i64 @block(i64 %total, i64 %users, i64 %worth)
{stores}
  %own.places = {at("%shared", "end", _SHARED)}
  %own.steps = getelementptr i8, ptr %own.places, i64 %places.size
  %own.data = {at("%shared", "data", _SHARED)}
  %to.places = {at("%shared", "places", _SHARED)}
  store ptr %own.places, ptr %to.places
  %to.steps = {at("%shared", "steps", _SHARED)}
  store ptr %own.steps, ptr %to.steps
  call void @llvm.memcpy.p0.p0.i64(ptr %own.places, ptr %places, i64 %places.size, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %own.steps, ptr %steps, i64 %steps.size, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %own.data, ptr %data, i64 {DATA_BYTES}, i1 false)
  ; results are far if those of the whole batch are, not of a block
  %far.whole = mul i64 %block, {FAR_BYTES}
  %far = udiv i64 %far.whole, %total
  %far.at = getelementptr i8, ptr %own.data, i64 {FAR_OFFSET}
  store i64 %far, ptr %far.at
  br label %end
end:
  ret ptr %shared
}}
"""


def _batch() -> str:
    """batch(frame, kernel, places, steps, total): 0, or 1 without memory."""
    return f"""\
define internal i64 @batch(ptr %frame, ptr %kernel, ptr %places, ptr %steps, i64 %total) {{
entry:
  %total.at = alloca i64
  store i64 %total, ptr %total.at
{load("data", "ptr", "%kernel", "data", KERNEL)}
{load("threads", "ptr", "%kernel", "threads", KERNEL)}
  %large.at = getelementptr i8, ptr %data, i64 {LARGE_OFFSET}
  %large = load i64, ptr %large.at
  %users = load atomic i64, ptr %threads monotonic, align 8
  %several = icmp sgt i64 %users, 1
  %much = icmp sge i64 %total, %large
  %split = and i1 %several, %much
  br i1 %split, label %look, label %alone
look:
{load("api", "ptr", "%frame", "api", abi.FRAME)}
  %api.size = load i64, ptr %api
  %offers = icmp ugt i64 %api.size, {abi.API["schedule"]}
  br i1 %offers, label %ask, label %alone
ask:
  %shared = call ptr @shared(ptr %kernel, ptr %places, ptr %steps, i64 %total, i64 %users)
  %none = icmp eq ptr %shared, null
  br i1 %none, label %alone, label %together
together:
  %failed = call i64 @share(ptr %frame, ptr %shared, i64 %users)
  ret i64 %failed
alone:
  %code = load atomic ptr, ptr %data acquire, align 8
  %status = call i32 %code(ptr %places, ptr %total.at, ptr %steps, ptr %data)
  %wide = zext i32 %status to i64
  ret i64 %wide
}}
"""


def _run() -> str:
    return f"""\
define internal ptr @run(ptr %frame, ptr %kernel, ptr %places, ptr %steps, i64 %total) {{
  %failed = call i64 @batch(ptr %frame, ptr %kernel, ptr %places, ptr %steps, i64 %total)
  %short = icmp ne i64 %failed, 0
  br i1 %short, label %exhausted, label %fine
exhausted:
  %error = call ptr @fail(ptr %frame, ptr @memory, i32 {abi.RESOURCE_EXHAUSTED})
  ret ptr %error
fine:
  ret ptr null
}}
"""
