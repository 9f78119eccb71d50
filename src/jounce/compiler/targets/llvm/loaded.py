"""Object files in memory, ready to run."""

from __future__ import annotations

import ctypes
import weakref
from collections import deque
from collections.abc import Mapping, Sequence

import llvmlite.binding as llvm

from jounce.compiler.targets.llvm.compiler import compile_cached, machine
from jounce.compiler.targets.llvm.objects import ENTRY, TABLE
from jounce.compiler.targets.llvm.processors import host
from jounce.utils import background
from jounce.utils.once import once


@once
def expose_process() -> None:
    """Make the functions of the C library available to LLVM, by creating a first engine."""

    def work() -> None:
        llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine()).close()

    background.run(work)


def expose(addresses: Mapping[str, int | None]) -> None:
    """Make functions available to compiled code under these names."""
    host()
    background.run(lambda: [llvm.add_symbol(*pair) for pair in addresses.items()])


class Module:
    """Machine code of one LLVM module in memory, valid as long as this object.

    It is loaded from the disk cache if it is there. python: functions of Python's C API that it
    calls.
    """

    def __init__(self, text: str, python: Sequence[str] = ()) -> None:
        self._engines = _engines_of(self)
        self._addresses: dict[str, int] = {}

        def work() -> None:
            functions = {name: getattr(ctypes.pythonapi, name) for name in python}
            expose_process()
            expose({name: ctypes.cast(x, ctypes.c_void_p).value for name, x in functions.items()})
            self._engines.append(_Engine(compile_cached(text)))

        background.run(work)

    def address(self, name: str) -> int:
        """Return the address of a function or variable."""
        if name not in self._addresses:
            self._addresses[name] = background.run(lambda: self._engines[0].value(name))
        return self._addresses[name]


class Loaded:
    """Machine code in memory, valid as long as this object.

    address: of the kernel. segments: addresses of its segments in other object files, if any. Each
    file has an engine of its own, since MCJIT mixes up the constants of several.
    """

    def __init__(self, *object_files: bytes) -> None:
        self._engines = _engines_of(self)
        self.address, self.segments = background.run(lambda: self._load(object_files))

    def _load(self, object_files: Sequence[bytes]) -> tuple[int, ctypes.Array[ctypes.c_int64]]:
        addresses: list[int] = []
        _close_unused()
        for content in object_files:
            self._engines.append(_Engine(content))
        for engine in self._engines[1:]:
            size = ctypes.c_int64.from_address(engine.value(f"{TABLE}_size")).value
            addresses += (ctypes.c_int64 * size).from_address(engine.value(TABLE))
        segments = (ctypes.c_int64 * len(addresses))(*addresses)
        return self._engines[0].value(ENTRY), segments

    def function(self, name: str) -> int:
        """Return the address of a function of the first object file."""
        return background.run(lambda: self._engines[0].value(name))


#: Engines to close.
_unused: deque[_Engine] = deque()


def _engines_of(owner: object) -> list[_Engine]:
    """Return an empty list of engines, which are closed some time after their owner is gone.

    Garbage may be collected anywhere, even while a fork waits, so engines are closed later, by a
    thread inside the gate. LLVM's objects must be freed in order, so the garbage collector must
    never see an engine: the finalizer keeps a reference to them.
    """
    engines: list[_Engine] = []
    weakref.finalize(owner, _unused.extend, engines).atexit = False
    return engines


def _close_unused() -> None:
    """Close engines whose owner is gone; inside the gate."""
    while _unused:
        _unused.popleft().close()


class _Engine:
    """An execution engine with one object file, ready to run."""

    def __init__(self, object_file: bytes) -> None:
        self._context = llvm.create_context()
        module = llvm.parse_assembly("", self._context)
        self._engine = llvm.create_mcjit_compiler(module, machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(object_file))
        self._engine.finalize_object()

    def value(self, name: str) -> int:
        """Return the address of a function or constant."""
        address = self._engine.get_global_value_address(name)
        if not address:
            raise RuntimeError(f"the compiled object does not define '{name}'")
        return address

    def close(self) -> None:
        """Free the engine and its context."""
        self._engine.close()
        self._context.close()
