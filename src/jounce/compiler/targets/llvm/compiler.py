"""Compilation of LLVM text to object files, by several threads at once.

llvmlite guards LLVM by a lock, which Ctrl-C or a signal handler on the main thread could leave
held. So LLVM is used on workers (`utils.background`) only.
"""

from __future__ import annotations

import ctypes
import hashlib
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from jounce.compiler.targets.llvm import objects
from jounce.compiler.targets.llvm.processors import Processor, host
from jounce.utils import background, cache
from jounce.utils.forks import compiling
from jounce.utils.once import once

#: Bytes of memory that even the smallest compilation takes.
MIN_COMPILER_BYTES = 32 << 20


def machine(**options: Any) -> Any:
    """Return a target machine, which only one thread at a time may use."""
    processor = host()
    return llvm.Target.from_triple(processor.triple).create_target_machine(
        cpu=processor.cpu, features=processor.features, opt=2, codemodel="jitdefault", **options
    )


def _without_lock(function: Any) -> Any:
    """Return a function of llvmlite without its global lock."""
    return getattr(function, "_cfn", function)


@once
def _generator() -> bytes:
    """Return a hash of the sources that turn tapes into LLVM text."""
    sha = hashlib.sha256()
    llvm_folder = Path(__file__).parent
    targets = llvm_folder.parent
    for folder in (targets.parent / "graph", targets, llvm_folder):
        for source in sorted(folder.glob("*.py")):
            sha.update(source.read_bytes())
    return sha.digest()


def build_key(processor: Processor) -> str:
    """Return a hash of the processor, the compiler and the code generator."""
    sha = hashlib.sha256(_generator())
    for part in (llvmlite.__version__, str(llvm.llvm_version_info), repr(processor)):
        sha.update(part.encode() + b"\0")
    return sha.hexdigest()


def compile_object(text: str) -> bytes:
    """Return the machine code (an object file) of a module; several threads may compile at once.

    LLVM separates threads by their contexts, so the two long steps run without llvmlite's lock.
    """
    return background.run(lambda: _emit(text), needs=(MIN_COMPILER_BYTES, "compiling"))


def _emit(text: str) -> bytes:
    lib = llvm.ffi.lib
    with compiling(), llvm.create_context() as context:
        with llvm.ffi.OutputString() as error:
            source = ctypes.c_char_p(text.encode())
            pointer = _without_lock(lib.LLVMPY_ParseAssembly)(context, source, error)
            if error:
                raise RuntimeError(f"LLVM cannot parse its module: {error}")
        with llvm.ModuleRef(pointer, context) as module, llvm.ffi.OutputString() as error:
            emit = _without_lock(lib.LLVMPY_TargetMachineEmitToMemory)
            buffer = emit(machine(reloc="pic"), module, 1, error)
            if not buffer:
                raise RuntimeError(f"LLVM cannot compile its module: {error}")
            try:
                start, size = lib.LLVMPY_GetBufferStart(buffer), lib.LLVMPY_GetBufferSize(buffer)
                return ctypes.string_at(start, size)
            finally:
                lib.LLVMPY_DisposeMemoryBuffer(buffer)


def compile_cached(text: str) -> bytes:
    """Return the object file of a module, cached on disk under the hash of its text."""
    key = hashlib.sha256((build_key(host()) + text).encode()).hexdigest()
    code = cache.read(key)
    if code is None or not objects.are_valid([code], key):
        (mark_modules,) = objects.mark_modules([text], key)
        code = compile_object(mark_modules)
        cache.write(key, code, "machinery")
    return code
