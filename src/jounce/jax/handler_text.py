"""The function that XLA calls, as LLVM text: from a call frame to a kernel.

It finds the kernel by its key, sees that the buffers are what the kernel reads and writes, and has
it run: by `batch_text` on processors, by `launch_text` on CUDA.
"""

from __future__ import annotations

from jounce.backends.llvm import ENTRY
from jounce.jax import abi
from jounce.jax.members import KERNEL, at, load, message

#: The variable that leads to the table of kernels, and what stores pointers for other threads.
TABLE = "jounce_table"
STORE = "jounce_store"

_MESSAGES = {
    "malformed": "jounce: the call is not one that this version of jounce compiles",
    "mismatch": "jounce: the buffers of a call do not have the shapes and dtypes of its kernel",
}


def text(version: tuple[int, int], run: str, traits: int = 0) -> str:
    """The module, for a version of XLA's C API; traits: what XLA is told of the handler.

    run: text with run(frame, kernel, places, steps, total), which gives null, or an error of XLA's.
    """
    parts = (_header(), _fail(), _samples(), _lookup(), _key(), _unknown(), _measure(), _call())
    return "\n".join((run, *parts, _entry(version, traits)))


def _header() -> str:
    messages = "\n".join(message(name, words) for name, words in _MESSAGES.items())
    return f"""\
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
{load("api", "ptr", "%frame", "api", abi.FRAME)}
{load("create", "ptr", "%api", "error", abi.API)}
  %error = call ptr %create(ptr %given)
  ret ptr %error
}}
"""


def _samples() -> str:
    """samples(buffer, dtype, rank, core): how many a buffer has, -1 if they are no such samples."""
    return f"""\
define internal i64 @samples(ptr %buffer, i32 %dtype, i64 %rank, ptr %core) {{
entry:
{load("found", "i32", "%buffer", "dtype", abi.BUFFER)}
{load("axes", "i64", "%buffer", "rank", abi.BUFFER)}
{load("dims", "ptr", "%buffer", "dims", abi.BUFFER)}
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


def _key() -> str:
    """key(frame, to): whether the attributes are ours; stores the key.

    They are sorted by name: "absent", what to say of an unknown key, and "key".
    """
    return f"""\
define internal i1 @key(ptr %frame, ptr %to) {{
entry:
{load("size", "i64", "%frame", "attrs.size", abi.FRAME)}
{load("types", "ptr", "%frame", "attrs.types", abi.FRAME)}
{load("attrs", "ptr", "%frame", "attrs", abi.FRAME)}
  %two = icmp eq i64 %size, 2
  br i1 %two, label %kinds, label %wrong
kinds:
  %first = load i32, ptr %types
  %second.at = getelementptr i32, ptr %types, i64 1
  %second = load i32, ptr %second.at
  %is.text = icmp eq i32 %first, {abi.STRING}
  %is.scalar = icmp eq i32 %second, {abi.SCALAR}
  %good = and i1 %is.text, %is.scalar
  br i1 %good, label %number, label %wrong
number:
  %scalar.at = getelementptr ptr, ptr %attrs, i64 1
  %scalar = load ptr, ptr %scalar.at
  %type = load i32, ptr %scalar
  %is.long = icmp eq i32 %type, {abi.S64}
  br i1 %is.long, label %read, label %wrong
read:
  %key.at.at = getelementptr i8, ptr %scalar, i64 8
  %key.at = load ptr, ptr %key.at.at
  %key = load i64, ptr %key.at
  store i64 %key, ptr %to
  ret i1 true
wrong:
  ret i1 false
}}
"""


def _unknown() -> str:
    """unknown(frame): the error of a key that is not in the table, in the words of the call."""
    return f"""\
define internal ptr @unknown(ptr %frame) {{
{load("attrs", "ptr", "%frame", "attrs", abi.FRAME)}
  %span = load ptr, ptr %attrs
  %text = load ptr, ptr %span
  %size.at = getelementptr i8, ptr %span, i64 8
  %size = load i64, ptr %size.at
  %room = add i64 %size, 1
  %copy = alloca i8, i64 %room
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %text, i64 %size, i1 false)
  %end = getelementptr i8, ptr %copy, i64 %size
  store i8 0, ptr %end
  %error = call ptr @fail(ptr %frame, ptr %copy, i32 {abi.NOT_FOUND})
  ret ptr %error
}}
"""


def _measure() -> str:
    """measure(frame, kernel, places, steps): samples, or -1 if buffers are not the kernel's.

    It goes through them backwards, for results say how many samples there are. An argument that
    has one sample for all of them is read again for each.
    """
    return f"""\
define internal i64 @measure(ptr %frame, ptr %kernel, ptr %places, ptr %steps) {{
entry:
{load("inputs", "i64", "%kernel", "inputs", KERNEL)}
{load("operands", "i64", "%kernel", "operands", KERNEL)}
{load("dtype.long", "i64", "%kernel", "dtype", KERNEL)}
{load("ranks", "ptr", "%kernel", "ranks", KERNEL)}
{load("cores", "ptr", "%kernel", "cores", KERNEL)}
{load("args", "ptr", "%frame", "args", abi.FRAME)}
{load("rets", "ptr", "%frame", "rets", abi.FRAME)}
  %dtype = trunc i64 %dtype.long to i32
  br label %operand
operand:
  %left = phi i64 [%operands, %entry], [%k, %taken]
  %total = phi i64 [-1, %entry], [%total.now, %taken]
  %more = icmp sgt i64 %left, 0
  br i1 %more, label %take, label %done
take:
  %k = sub i64 %left, 1
  %result = icmp sge i64 %k, %inputs
  %in.rets = sub i64 %k, %inputs
  %list = select i1 %result, ptr %rets, ptr %args
  %index = select i1 %result, i64 %in.rets, i64 %k
  %buffer.at = getelementptr ptr, ptr %list, i64 %index
  %buffer = load ptr, ptr %buffer.at
{load("place", "ptr", "%buffer", "data", abi.BUFFER)}
  %place.to = getelementptr ptr, ptr %places, i64 %k
  store ptr %place, ptr %place.to
  %rank.at = getelementptr i64, ptr %ranks, i64 %k
  %rank = load i64, ptr %rank.at
  %core.at = getelementptr ptr, ptr %cores, i64 %k
  %core = load ptr, ptr %core.at
  %found = call i64 @samples(ptr %buffer, i32 %dtype, i64 %rank, ptr %core)
  %unset = icmp slt i64 %total, 0
  %total.now = select i1 %unset, i64 %found, i64 %total
  %known = icmp sge i64 %found, 0
  br i1 %known, label %compare, label %wrong
{_measured()}
}}
"""


def _measured() -> str:
    """The rest of `measure`: what to do with an operand of so many samples."""
    return """\
compare:
  %full = icmp eq i64 %found, %total.now
  br i1 %full, label %taken, label %spread
spread:
  %single = icmp eq i64 %found, 1
  %argument = icmp slt i64 %k, %inputs
  %may = and i1 %single, %argument
  br i1 %may, label %stay, label %wrong
stay:
  %step.at = getelementptr i64, ptr %steps, i64 %k
  store i64 0, ptr %step.at
  br label %taken
taken:
  br label %operand
done:
  ret i64 %total
wrong:
  ret i64 -1"""


def _call() -> str:
    """call(frame, kernel): run a kernel on the buffers of a call; null, or an error."""
    return f"""\
define internal ptr @call(ptr %frame, ptr %kernel) {{
entry:
{load("inputs", "i64", "%kernel", "inputs", KERNEL)}
{load("operands", "i64", "%kernel", "operands", KERNEL)}
{load("dense", "ptr", "%kernel", "steps", KERNEL)}
{load("length", "i64", "%kernel", "length", KERNEL)}
{load("args.size", "i64", "%frame", "args.size", abi.FRAME)}
{load("rets.size", "i64", "%frame", "rets.size", abi.FRAME)}
  %outputs = sub i64 %operands, %inputs
  %inputs.fit = icmp eq i64 %inputs, %args.size
  %outputs.fit = icmp eq i64 %outputs, %rets.size
  %fit = and i1 %inputs.fit, %outputs.fit
  %places = alloca ptr, i64 %operands
  %steps = alloca i64, i64 %length
  br i1 %fit, label %look, label %mismatch
look:
  %steps.size = mul i64 %length, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %steps, ptr %dense, i64 %steps.size, i1 false)
  %total = call i64 @measure(ptr %frame, ptr %kernel, ptr %places, ptr %steps)
  %wrong = icmp slt i64 %total, 0
  br i1 %wrong, label %mismatch, label %some
some:
  %empty = icmp eq i64 %total, 0
  br i1 %empty, label %fine, label %go
go:
  %error = call ptr @run(ptr %frame, ptr %kernel, ptr %places, ptr %steps, i64 %total)
  ret ptr %error
fine:
  ret ptr null
mismatch:
  %error.mismatch = call ptr @fail(ptr %frame, ptr @mismatch, i32 {abi.INVALID_ARGUMENT})
  ret ptr %error.mismatch
}}
"""


def _entry(version: tuple[int, int], traits: int) -> str:
    """The handler: XLA asks for its version, and calls it."""
    members = {"major": version[0], "minor": version[1], "traits": traits}
    stores = "\n".join(
        f"  %to.{name} = {at('%metadata', name, abi.METADATA)}\n  store i32 {x}, ptr %to.{name}"
        for name, x in members.items()
    )
    return f"""\
define ptr @{ENTRY}(ptr %frame) {{
entry:
  %key.at = alloca i64
{load("extension", "ptr", "%frame", "extension", abi.FRAME)}
  %plain = icmp eq ptr %extension, null
  br i1 %plain, label %stages, label %extended
extended:
{load("type", "i32", "%extension", "type", abi.EXTENSION)}
  %asked = icmp eq i32 %type, {abi.METADATA_EXTENSION}
  br i1 %asked, label %tell, label %stages
tell:
{load("metadata", "ptr", "%extension", "metadata", abi.EXTENSION)}
{stores}
  ret ptr null
stages:
{load("stage", "i32", "%frame", "stage", abi.FRAME)}
  %now = icmp eq i32 %stage, {abi.EXECUTE}
  br i1 %now, label %attributes, label %fine
attributes:
  %ours = call i1 @key(ptr %frame, ptr %key.at)
  br i1 %ours, label %find, label %malformed
find:
  %key = load i64, ptr %key.at
  %kernel = call ptr @lookup(i64 %key)
  %missing = icmp eq ptr %kernel, null
  br i1 %missing, label %absent, label %present
present:
  %error = call ptr @call(ptr %frame, ptr %kernel)
  ret ptr %error
absent:
  %error.absent = call ptr @unknown(ptr %frame)
  ret ptr %error.absent
malformed:
  %error.malformed = call ptr @fail(ptr %frame, ptr @malformed, i32 {abi.INVALID_ARGUMENT})
  ret ptr %error.malformed
fine:
  ret ptr null
}}
"""
