"""Launches as LLVM text: the part of the handler that starts a kernel on XLA's stream of CUDA.

Nothing waits, allocates or asks a stream for its state, so that XLA may record the call into a
graph. The context of the stream is made current where it is not.
"""

from __future__ import annotations

from jounce.jax import abi, members
from jounce.jax.members import FURTHER, load, message

#: A kernel on CUDA: after what its operands look like, how it is launched on each device, by their
#: numbers; how many of these there are; and the driver's functions. See `cuda.Entry`.
KERNEL = {**members.KERNEL, "launches": FURTHER, "devices": FURTHER + 8, "driver": FURTHER + 16}

#: How it is launched on a device; see `cuda.Launch`. No function: it was not compiled for it.
LAUNCH = {"function": 0, "samples": 8, "groups": 16, "threads": 24, "shared": 32}
LAUNCH_BYTES = 40

#: The driver's functions that the handler calls, in the order of their addresses.
FUNCTIONS = (
    "cuLaunchKernel",
    "cuStreamGetCtx",
    "cuCtxGetCurrent",
    "cuCtxPushCurrent",
    "cuCtxPopCurrent",
    "cuCtxGetDevice",
    "cuGetErrorString",
)
_DRIVER = {name: 8 * k for k, name in enumerate(FUNCTIONS)}

#: Characters of an error's message, at most.
_LONGEST = 400

#: Blocks along the grid's first axis, at most; with one more the driver refuses.
_MOST_BLOCKS = 2**31 - 1

_MESSAGES = {
    "stranger": (
        "jounce: a kernel is called on a device that JAX did not have when it was compiled; call"
        " jax.clear_caches() and trace the function again"
    ),
    "refused": "jounce: the driver of CUDA did not launch a kernel: ",
    "unknown.reason": "unknown error",
}


def text() -> str:
    """run(frame, kernel, places, steps, total): null, or an error; and what it calls."""
    messages = "\n".join(message(name, words) for name, words in _MESSAGES.items())
    parts = (_stream(), _enter(), _launch_of(), _append(), _refused(), _parameters(), _launched())
    return "\n".join((messages, *parts, _run()))


def _stream() -> str:
    """stream(frame, to): null after storing XLA's stream, or an error."""
    return f"""\
define internal ptr @stream(ptr %frame, ptr %to) {{
  %given = alloca [32 x i8], align 8
  store i64 32, ptr %given
  %extension = getelementptr i8, ptr %given, i64 8
  store ptr null, ptr %extension
{load("context", "ptr", "%frame", "context", abi.FRAME)}
  %context.to = getelementptr i8, ptr %given, i64 16
  store ptr %context, ptr %context.to
  %stream.at = getelementptr i8, ptr %given, i64 24
  store ptr null, ptr %stream.at
{load("api", "ptr", "%frame", "api", abi.FRAME)}
{load("get", "ptr", "%api", "stream", abi.API)}
  %error = call ptr %get(ptr %given)
  %stream = load ptr, ptr %stream.at
  store ptr %stream, ptr %to
  ret ptr %error
}}
"""


def _enter() -> str:
    """enter(driver, stream): whether the stream's context was pushed, since it was not current.

    Where the driver does not tell, the current one is left: what is wrong then, a launch will say.
    """
    return f"""\
define internal i1 @enter(ptr %driver, ptr %stream) {{
  %own.at = alloca ptr
  %now.at = alloca ptr
  store ptr null, ptr %own.at
  store ptr null, ptr %now.at
{load("of.stream", "ptr", "%driver", "cuStreamGetCtx", _DRIVER)}
{load("current", "ptr", "%driver", "cuCtxGetCurrent", _DRIVER)}
  %status = call i32 %of.stream(ptr %stream, ptr %own.at)
  call i32 %current(ptr %now.at)
  %own = load ptr, ptr %own.at
  %now = load ptr, ptr %now.at
  %told = icmp eq i32 %status, 0
  %other = icmp ne ptr %own, %now
  %needed = and i1 %told, %other
  br i1 %needed, label %push, label %stay
push:
{load("pushing", "ptr", "%driver", "cuCtxPushCurrent", _DRIVER)}
  %failed = call i32 %pushing(ptr %own)
  %pushed = icmp eq i32 %failed, 0
  ret i1 %pushed
stay:
  ret i1 false
}}
"""


def _launch_of() -> str:
    """launch_of(kernel, driver): how it is launched on the current context's device, or null."""
    return f"""\
define internal ptr @launch_of(ptr %kernel, ptr %driver) {{
  %device.at = alloca i32
  store i32 -1, ptr %device.at
{load("ask", "ptr", "%driver", "cuCtxGetDevice", _DRIVER)}
  %status = call i32 %ask(ptr %device.at)
  %device = load i32, ptr %device.at
  %number = sext i32 %device to i64
{load("devices", "i64", "%kernel", "devices", KERNEL)}
  %told = icmp eq i32 %status, 0
  %listed = icmp ult i64 %number, %devices
  %known = and i1 %told, %listed
  br i1 %known, label %look, label %unknown
look:
{load("launches", "ptr", "%kernel", "launches", KERNEL)}
  %offset = mul i64 %number, {LAUNCH_BYTES}
  %launch = getelementptr i8, ptr %launches, i64 %offset
{load("function", "ptr", "%launch", "function", LAUNCH)}
  %compiled = icmp ne ptr %function, null
  br i1 %compiled, label %found, label %unknown
found:
  ret ptr %launch
unknown:
  ret ptr null
}}
"""


def _append() -> str:
    """append(to, end, words): characters of a string, as far as there is room; the new end."""
    return """\
define internal ptr @append(ptr %to, ptr %end, ptr %words) {
entry:
  br label %next
next:
  %place = phi ptr [%to, %entry], [%place.next, %copy]
  %from = phi ptr [%words, %entry], [%from.next, %copy]
  %letter = load i8, ptr %from
  %last = icmp eq i8 %letter, 0
  %full = icmp uge ptr %place, %end
  %over = or i1 %last, %full
  br i1 %over, label %done, label %copy
copy:
  store i8 %letter, ptr %place
  %place.next = getelementptr i8, ptr %place, i64 1
  %from.next = getelementptr i8, ptr %from, i64 1
  br label %next
done:
  store i8 0, ptr %place
  ret ptr %place
}
"""


def _refused() -> str:
    """refused(frame, driver, status): an error in the driver's words."""
    return f"""\
define internal ptr @refuse(ptr %frame, ptr %driver, i32 %status) {{
  %room = alloca [{_LONGEST + 1} x i8]
  %end = getelementptr i8, ptr %room, i64 {_LONGEST}
  %words.at = alloca ptr
  store ptr @unknown.reason, ptr %words.at
{load("spell", "ptr", "%driver", "cuGetErrorString", _DRIVER)}
  call i32 %spell(i32 %status, ptr %words.at)
  %found = load ptr, ptr %words.at
  %none = icmp eq ptr %found, null
  %words = select i1 %none, ptr @unknown.reason, ptr %found
  %middle = call ptr @append(ptr %room, ptr %end, ptr @refused)
  call ptr @append(ptr %middle, ptr %end, ptr %words)
  %error = call ptr @fail(ptr %frame, ptr %room, i32 {abi.INTERNAL})
  ret ptr %error
}}
"""


def _parameters() -> str:
    """parameters(to, places, operands, steps, inputs): addresses of what the kernel takes.

    Pointers to all operands, then steps between samples of inputs.
    """
    return """\
define internal void @parameters(ptr %to, ptr %places, i64 %operands, ptr %steps, i64 %inputs) {
entry:
  %all = add i64 %operands, %inputs
  br label %next
next:
  %k = phi i64 [0, %entry], [%k.next, %put]
  %more = icmp slt i64 %k, %all
  br i1 %more, label %put, label %done
put:
  %is.place = icmp slt i64 %k, %operands
  %j = sub i64 %k, %operands
  %place = getelementptr ptr, ptr %places, i64 %k
  %step = getelementptr i64, ptr %steps, i64 %j
  %address = select i1 %is.place, ptr %place, ptr %step
  %to.k = getelementptr ptr, ptr %to, i64 %k
  store ptr %address, ptr %to.k
  %k.next = add i64 %k, 1
  br label %next
done:
  ret void
}
"""


def _launched() -> str:
    """launched(driver, launch, stream, parameters, total): the driver's status of the launch."""
    sizes = "\n".join(
        f"{load(f'{name}.long', 'i64', '%launch', name, LAUNCH)}\n"
        f"  %{name} = trunc i64 %{name}.long to i32"
        for name in ("groups", "threads", "shared")
    )
    return f"""\
declare i64 @llvm.umin.i64(i64, i64)

define internal i32 @launched(ptr %driver, ptr %launch, ptr %stream, ptr %parameters, i64 %total) {{
{load("function", "ptr", "%launch", "function", LAUNCH)}
{load("samples", "i64", "%launch", "samples", LAUNCH)}
{sizes}
  %before = sub i64 %samples, 1
  %beyond = add i64 %total, %before
  %many = udiv i64 %beyond, %samples
  %few = call i64 @llvm.umin.i64(i64 %many, i64 {_MOST_BLOCKS + 1})
  %blocks = trunc i64 %few to i32
{load("start", "ptr", "%driver", "cuLaunchKernel", _DRIVER)}
  %status = call i32 %start(ptr %function, i32 %blocks, i32 %groups, i32 1, i32 %threads, i32 1,
      i32 1, i32 %shared, ptr %stream, ptr %parameters, ptr null)
  ret i32 %status
}}
"""


def _run() -> str:
    return f"""\
define internal ptr @run(ptr %frame, ptr %kernel, ptr %places, ptr %steps, i64 %total) {{
entry:
  %stream.at = alloca ptr
  %total.at = alloca i64
  %former.at = alloca ptr
  store i64 %total, ptr %total.at
{load("inputs", "i64", "%kernel", "inputs", KERNEL)}
{load("operands", "i64", "%kernel", "operands", KERNEL)}
{load("driver", "ptr", "%kernel", "driver", KERNEL)}
  %last = add i64 %operands, %inputs
  %count = add i64 %last, 1
  %parameters = alloca ptr, i64 %count
  call void @parameters(ptr %parameters, ptr %places, i64 %operands, ptr %steps, i64 %inputs)
  %last.to = getelementptr ptr, ptr %parameters, i64 %last
  store ptr %total.at, ptr %last.to
  %nowhere = call ptr @stream(ptr %frame, ptr %stream.at)
  %failed = icmp ne ptr %nowhere, null
  br i1 %failed, label %no.stream, label %go
no.stream:
  ret ptr %nowhere
go:
  %stream = load ptr, ptr %stream.at
  %pushed = call i1 @enter(ptr %driver, ptr %stream)
  %launch = call ptr @launch_of(ptr %kernel, ptr %driver)
  %absent = icmp eq ptr %launch, null
  br i1 %absent, label %leave, label %start
start:
  %started = call i32 @launched(ptr %driver, ptr %launch, ptr %stream, ptr %parameters, i64 %total)
  br label %leave
leave:
  %status = phi i32 [0, %go], [%started, %start]
  br i1 %pushed, label %pop, label %judge
pop:
{load("popping", "ptr", "%driver", "cuCtxPopCurrent", _DRIVER)}
  call i32 %popping(ptr %former.at)
  br label %judge
judge:
  br i1 %absent, label %foreign, label %look
foreign:
  %error.foreign = call ptr @fail(ptr %frame, ptr @stranger, i32 {abi.NOT_FOUND})
  ret ptr %error.foreign
look:
  %bad = icmp ne i32 %status, 0
  br i1 %bad, label %refusal, label %fine
refusal:
  %error.launch = call ptr @refuse(ptr %frame, ptr %driver, i32 %status)
  ret ptr %error.launch
fine:
  ret ptr null
}}
"""
