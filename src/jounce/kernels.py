"""A catalog row on a robot, as a compiled gufunc: trace, look up or compile, install."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from jounce import cache as disk
from jounce.backends import fastcall, gufunc, llvm
from jounce.forks import compiling
from jounce.formulas.catalog import Row, argument
from jounce.graph.expr import Graph
from jounce.graph.tape import Tape, record
from jounce.progress import track
from jounce.topology import Tree

Sizes = dict[str, int]


def core_shape(shape: tuple[int | str, ...], sizes: Sizes) -> tuple[int, ...]:
    """A shape of the catalog with its sizes filled in."""
    return tuple(n if isinstance(n, int) else sizes[n] for n in shape)


@cache
def _generator_digest() -> bytes:
    """Hash of the source that turns tapes into machine code."""
    sha = hashlib.sha256()
    here = Path(__file__).parent
    for folder in ("backends", "graph"):
        for source in sorted((here / folder).glob("*.py")):
            sha.update(source.read_bytes())
    return sha.digest()


def _joined(objects: Sequence[bytes]) -> bytes:
    """Several object files as one, each behind its length."""
    return b"".join(len(x).to_bytes(8, "little") + x for x in objects)


def _parted(content: bytes) -> list[bytes]:
    """The object files that `_joined` put together."""
    objects, at = [], 0
    while at < len(content):
        start = at + 8
        at = start + int.from_bytes(content[at:start], "little")
        objects.append(content[start:at])
    return objects


@dataclass(frozen=True)
class Lowered:
    """What a quantity becomes: operation counts, LLVM text, core signature."""

    operations: int
    counts: dict[str, int]
    signature: str
    text: str

    def __repr__(self) -> str:
        counts = ", ".join(f"{n} {name}" for name, n in sorted(self.counts.items()))
        return f"<{self.signature}: {self.operations} operations ({counts})>"


class Kernel:
    """A row of the catalog on one robot, with its optional arguments in or out."""

    def __init__(
        self, row: Row, tree: Tree, sizes: Sizes, frame: int | None = None, optional: bool = False
    ) -> None:
        self.row = row
        self.arguments = row.arguments + (row.optional if optional else ())
        self.inputs = tuple(core_shape(argument(name).shape, sizes) for name in self.arguments)
        self.outputs = tuple(core_shape(shape, sizes) for shape in row.shapes)
        self._tree = tree
        self._frame = frame
        self._lock = threading.Lock()
        self._compiled: set[str] = set()
        self.ufunc, self._kernels = gufunc.make_gufunc(row.name, row.doc, self.inputs, self.outputs)

    @property
    def signature(self) -> str:
        """Core signature, such as (7),(7)->(7,7)."""
        return gufunc.signature(self.inputs, self.outputs)

    @cached_property
    def tape(self) -> Tape:
        """The traced formula."""
        graph = Graph()
        inputs = [graph.inputs_like(shape) for shape in self.inputs]
        tree = self._tree.lumped if self.row.joint_space else self._tree
        extra = () if self._frame is None else (self._frame,)
        results = self.row.formula(tree, *inputs, *extra)
        flat: list[Any] = []
        single = len(self.outputs) == 1
        for result, shape in zip([results] if single else results, self.outputs, strict=True):
            if np.shape(result) != shape:
                raise AssertionError(f"{self.row.name}: {np.shape(result)}, not {shape}")
            flat.extend(result.flat if isinstance(result, np.ndarray) else [result])
        return record(graph, flat)

    def shortcut(self, slow: Callable[..., Any]) -> Callable[..., Any] | None:
        """A builtin for single float64 samples with `out` given; everything else goes to `slow`."""
        output, *more = self.outputs
        if more:
            return None
        slot = self._kernels.slot("d")
        return fastcall.make_call(slot, self._kernels, self.inputs, output, slow)

    def texts(self, char: str) -> list[str]:
        """LLVM modules for the dtype."""
        scalar = {c: s for c, _, s in gufunc.DTYPES}[char]
        return llvm.module_texts(self.tape, self.inputs, self.outputs, scalar, llvm.target())

    def compile(self, char: str) -> None:
        """Make sure the loop of a dtype ("f" or "d") has its kernel."""
        with compiling(), self._lock:
            if char in self._compiled:
                return
            sha = hashlib.sha256(_generator_digest())
            parts = (llvm.build_key(llvm.target()), self.tape.digest(), self.signature, char)
            for part in parts:
                sha.update(part.encode() + b"\0")
            key = sha.hexdigest()
            stored = disk.read(key)
            if stored is None:
                texts = self.texts(char)
                watched = track(texts, f"compiling {self.row.name}", quiet=True)
                objects = [llvm.compile_object(x) for x in (texts if len(texts) < 3 else watched)]
                disk.write(key, _joined(objects))
            else:
                objects = _parted(stored)
            self._kernels.install(char, llvm.Loaded(*objects))
            self._compiled.add(char)

    def lower(self, dtype: np.dtype) -> Lowered:
        """Operation counts and LLVM text for the dtype."""
        return Lowered(
            len(self.tape),
            self.tape.counts(),
            self.signature,
            "\n".join(self.texts(np.dtype(dtype).char)),
        )
