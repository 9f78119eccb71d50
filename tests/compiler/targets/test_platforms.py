"""Code for machines we do not have: what the objects need from them, and how they are called."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from functools import cache
from pathlib import Path

import llvmlite.binding as binding
import pytest

from jounce.compiler.graph.expr import Graph
from jounce.compiler.graph.tape import record
from jounce.compiler.targets import llvm
from jounce.compiler.targets.llvm import workspace
from jounce.compiler.targets.llvm.processors import Processor
from jounce.robot import Robot, load
from jounce.runtime import native
from jounce.runtime.kernel import Kernel
from support.helpers import small_model

#: Triples as `llvm.host` spells them there (ELF on Windows, as MCJIT wants), and where the fourth
#: argument of a C function comes: the entry point's data.
PLATFORMS = {
    "windows": (Processor("x86_64-pc-windows-msvc-elf", "x86-64-v3", "", 32), "(%r9)"),
    "windows, wide": (Processor("x86_64-pc-windows-msvc-elf", "x86-64-v4", "", 64), "(%r9)"),
    "mac, Intel": (Processor("x86_64-apple-darwin", "x86-64-v3", "", 32), "(%rcx)"),
    "mac, ARM": (Processor("arm64-apple-darwin", "apple-m1", "", 16), "[x3]"),
    "linux, ARM": (Processor("aarch64-unknown-linux-gnu", "generic", "", 16), "[x3]"),
    "linux, old": (Processor("x86_64-unknown-linux-gnu", "x86-64-v2", "", 16), "(%rcx)"),
}

#: What kernels may ask of the C library, and of Windows to grow the stack by more than a page.
KERNEL_SYMBOLS = {"malloc", "free"}
WINDOWS_SYMBOLS = {"__chkstk"}

#: What native code may ask of the C library.
C_SYMBOLS = {*KERNEL_SYMBOLS, "memcpy", "memmove", "memset"}
NATIVE = sorted(path.stem for path in Path(native.__file__).parent.glob("*.c"))

#: What it may ask of Python.
PYTHON_SYMBOLS = {
    "PyErr_NoMemory",
    "PyErr_SetString",
    "PyEval_RestoreThread",
    "PyEval_SaveThread",
    "PyGILState_Ensure",
    "PyGILState_Release",
    "PyObject_Vectorcall",
    "PyTuple_New",
    "PyTuple_SetItem",
    "Py_DecRef",
    "Py_IncRef",
}


def machine(target: Processor) -> binding.TargetMachine:
    llvm.host()
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    return binding.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=2, reloc="pic", codemodel="jitdefault"
    )


def frame_sizes(asm: str) -> list[int]:
    """Steps in bytes by which functions move the stack pointer."""
    steps = re.findall(r"subq\s+\$(\d+), %rsp|sub\s+sp, sp, #(\d+)(?:, lsl #(\d+))?", asm)
    return [int(x86) if x86 else int(arm) << int(shift or 0) for x86, arm, shift in steps]


def undefined_symbols(content: bytes) -> set[str]:
    """Names an object file (ELF or Mach-O, 64 bits, little endian) leaves to others."""
    if content.startswith(b"\x7fELF"):
        return _undefined_in_elf(content)
    assert content.startswith(b"\xcf\xfa\xed\xfe")
    return _undefined_in_macho(content)


def _name(table: bytes, at: int) -> str:
    return table[at : table.index(b"\0", at)].decode()


def _undefined_in_elf(content: bytes) -> set[str]:
    start, size, count = (
        *struct.unpack_from("<Q", content, 40),
        *struct.unpack_from("<HH", content, 58),
    )
    sections = [struct.unpack_from("<IIQQQQIIQQ", content, start + k * size) for k in range(count)]
    found = set()
    for kind, offset, length, link in ((s[1], s[4], s[5], s[6]) for s in sections):
        if kind == 2:  # the table of symbols; link: the section of their names
            names = content[sections[link][4] : sections[link][4] + sections[link][5]]
            for at in range(offset + 24, offset + length, 24):
                name, _, _, section = struct.unpack_from("<IBBH", content, at)
                if section == 0 and name:
                    found.add(_name(names, name))
    return found - {"_GLOBAL_OFFSET_TABLE_"}  # the loader's own


def _undefined_in_macho(content: bytes) -> set[str]:
    commands = struct.unpack_from("<I", content, 16)[0]
    at, found = 32, set()
    for _ in range(commands):
        command, length = struct.unpack_from("<II", content, at)
        if command == 2:  # LC_SYMTAB
            symbols, count, names, size = struct.unpack_from("<IIII", content, at + 8)
            table = content[names : names + size]
            for k in range(count):
                name, kind = struct.unpack_from("<IB", content, symbols + 16 * k)
                if kind & 0x0E == 0 and kind & 1:  # undefined, external
                    found.add(_name(table, name).removeprefix("_"))
        at += length
    return found


@cache
def some_kernels() -> tuple[Kernel, ...]:
    """With sines, signs, roots and divisions."""
    small, planar = Robot(small_model()), load("planar_2r")
    return (
        small.joint_friction.kernel,
        small.frame("tool").pose.kernel,
        planar.inverse_dynamics.kernel,
        planar.forward_dynamics.kernel,
    )


@pytest.mark.parametrize("name", list(PLATFORMS))
def test_kernels_need_nothing_but_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No helper of a compiler's runtime: nothing on that machine would provide it."""
    target, _ = PLATFORMS[name]
    emitter = machine(target)
    needed = set()
    monkeypatch.setattr(workspace, "STACK_BYTES", 0)  # all on the heap
    for kernel in some_kernels():
        for scalar in ("double", "float"):
            for text in llvm.module_texts(
                kernel.tape, kernel.inputs, kernel.outputs, scalar, target
            ):
                needed |= undefined_symbols(emitter.emit_object(binding.parse_assembly(text)))
    assert needed >= KERNEL_SYMBOLS
    assert needed <= KERNEL_SYMBOLS | (WINDOWS_SYMBOLS if "windows" in name else set())


@pytest.mark.parametrize("name", list(PLATFORMS))
def test_the_entry_is_called_as_the_platform_calls(name: str) -> None:
    target, data = PLATFORMS[name]
    asm = machine(target).emit_assembly(binding.parse_assembly(native.read_text("loop")))
    first_load = next(
        line for line in asm.splitlines() if re.search(r"\b(movq|callq|lda?p?r)\b.*[(\[]", line)
    )
    assert data in first_load


@pytest.mark.parametrize("source", NATIVE)
@pytest.mark.parametrize("name", list(PLATFORMS))
def test_native_code_compiles_for_every_platform(name: str, source: str) -> None:
    """It needs what Python and the C library define, and its frames do not exceed a page."""
    emitter = machine(PLATFORMS[name][0])
    module = binding.parse_assembly(native.read_text(source))
    asm = emitter.emit_assembly(module)
    allowed = PYTHON_SYMBOLS | C_SYMBOLS | (WINDOWS_SYMBOLS if "windows" in name else set())
    assert undefined_symbols(emitter.emit_object(module)) <= allowed
    assert max(frame_sizes(asm), default=0) <= 4096


@pytest.mark.parametrize("name", list(PLATFORMS))
def test_frames_of_several_pages_touch_each(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An overflow of the stack meets its guard page, whoever's memory lies beyond."""
    monkeypatch.setattr(workspace, "STACK_BYTES", 1 << 20)
    target, _ = PLATFORMS[name]
    graph = Graph()
    (x,) = graph.inputs_like((1,))
    tape = record(graph, [x * (k + 2.0) for k in range(600)])
    text = llvm.module_texts(tape, ((1,),), ((600,),), "double", target)[0]
    asm = machine(target).emit_assembly(binding.parse_assembly(text))
    sizes = frame_sizes(asm)
    assert sizes
    assert max(sizes) <= 4096
    touch = r"__chkstk" if "windows" in name else r"movq\s+\$0, \(%rsp\)|str\s+xzr, \[sp\]"
    assert re.search(touch, asm)


WITHOUT_POSIX = """
import mmap, os, sys
import numpy, llvmlite.binding, pathlib, subprocess, tempfile, concurrent.futures
import xml.etree.ElementTree
only = ("fork forkpty getuid getgid getegid getgroups sched_getaffinity register_at_fork getloadavg"
        " fchmod fchown chown O_DIRECTORY O_NOFOLLOW O_NONBLOCK O_CLOEXEC mkfifo statvfs sysconf"
        " uname nice killpg pread pwrite posix_fallocate sendfile fdatasync openpty wait4")
for name in only.split():
    if hasattr(os, name):
        delattr(os, name)
for name in dir(mmap):
    if name.startswith(("MADV_", "MAP_", "PROT_")):
        delattr(mmap, name)
for name in ("fcntl", "resource", "pwd", "grp", "termios", "pty", "posix"):
    sys.modules[name] = None
os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks = set(), set(), set()
import numpy as np
import jounce
jounce.set_num_threads(2)
robot = jounce.load("planar_2r")
q = np.zeros((200_000, 2))
assert (robot.mass_matrix(q) == [[5, 2], [2, 1]]).all()
path = pathlib.Path(sys.argv[1]) / "robot.urdf"
robot.export.urdf(path)
assert jounce.load(path).nv == 2
assert len(list(pathlib.Path(os.environ["JOUNCE_CACHE"]).iterdir())) >= 2
print("ran")
"""


def test_nothing_needs_what_only_posix_has(tmp_path: os.PathLike[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WITHOUT_POSIX, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=os.environ | {"JOUNCE_CACHE": os.path.join(tmp_path, "cache")},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "ran\n"
