"""The interface of targets, which compile, run or print tapes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from numpy.typing import DTypeLike

from jounce.compiler.targets.function import Function, Results, scalar_of, signature
from jounce.compiler.targets.inner_loop import InnerLoop, PythonLoop

if TYPE_CHECKING:
    from jounce.compiler.targets.project import Project


@dataclass(frozen=True)
class Estimate:
    """Compile time of one thread in seconds, and peak memory in bytes without the tape."""

    seconds: float
    bytes: float

    def __str__(self) -> str:
        time = f"{self.seconds:.0f} s" if self.seconds < 120 else f"{self.seconds / 60:.0f} min"
        return f"about {time} and {self.bytes / 2**20:,.0f} MB"


@dataclass(frozen=True)
class Program:
    """A kernel's code for CUDA devices of one architecture, and how it is launched.

    Attributes
    ----------
    name : str
        Entry point.
    ptx : str
        Text that the driver compiles.
    threads, samples : int
        Threads of a block, and samples that a block computes.
    groups : int
        Blocks that share samples: the second dimension of the grid.
    shared : int
        Bytes of dynamic shared memory.
    following : tuple of Program
        Kernels that are launched after it on the same stream, with the same arguments.
    """

    name: str
    ptx: str
    threads: int
    samples: int
    groups: int
    shared: int
    following: tuple[Program, ...] = ()


class Target:
    """Base class of targets: what tapes can be compiled to.

    A target implements `build`. If that returns a function of arrays, quantities can run on the
    target (`jounce.load(..., target="name")`), through `compile`; if it returns text or bytes, they
    can be exported to it. The other methods have defaults.
    """

    #: Name in `jounce.compiler.targets.TARGETS`.
    name: str = ""

    #: Whether its code runs on this computer's processor, so that quantities can be called.
    runs_here: bool = True

    #: Maximum length of a function's name.
    max_name: int = 1000

    @property
    def min_memory(self) -> int:
        """Bytes of memory that even the smallest compilation takes."""
        return 0

    def machines(self) -> list[str]:
        """Return the names that `for_machine` accepts on this computer.

        Returns
        -------
        list of str
        """
        return []

    def for_machine(self, machine: str) -> Self:
        """Return this target for one of its machines: a processor or an architecture.

        Parameters
        ----------
        machine : str
            A name of `machines()`.

        Returns
        -------
        Target

        Raises
        ------
        ValueError
            If the target has no such machine.
        """
        valid = ", ".join(self.machines()) or "none"
        raise ValueError(f"target '{self.name}' has no machine {machine!r}; valid: {valid}")

    def build(
        self, function: Function, dtype: DTypeLike = float
    ) -> Callable[..., Results] | str | bytes:
        """Return the function on arrays, its source text, or the bytes of a module.

        Parameters
        ----------
        function : Function
            The tape, with names and shapes of its arguments and results.
        dtype : dtype
            float64 or float32.

        Returns
        -------
        callable, str or bytes
            A callable takes an array per input, whose leading axes broadcast, and returns a tuple
            with an array per output.

        Raises
        ------
        ValueError
            If the target does not support the dtype.
        """
        raise NotImplementedError(f"target '{self.name}' has no build")

    def compile(
        self, function: Function, dtype: DTypeLike = float, title: str = ""
    ) -> InnerLoop | Program:
        """Return the executable code of a function, for the runtime.

        Parameters
        ----------
        function : Function
        dtype : dtype
            float64 or float32.
        title : str
            Name of the quantity in messages; by default that of the function.

        Returns
        -------
        InnerLoop or Program
            A loop over samples for the processor, or a program for a CUDA device.

        Raises
        ------
        ValueError
            If this process cannot run the target's code.
        """
        call = self.build(function, dtype)
        if isinstance(call, (str, bytes)):
            raise ValueError(f"target '{self.name}' gives code as text, which cannot be run here")
        return PythonLoop(function, dtype, call)

    def key(self, function: Function, dtype: DTypeLike = float) -> str:
        """Return a hash of everything that the code of a function depends on, for caches.

        Parameters
        ----------
        function : Function
        dtype : dtype
            float64 or float32.

        Returns
        -------
        str
        """
        shapes = signature([x.shape for x in function.inputs], [x.shape for x in function.outputs])
        sha = hashlib.sha256()
        for part in (self.generator(), function.tape.digest(), shapes, scalar_of(dtype)):
            sha.update(part.encode() + b"\0")
        return sha.hexdigest()

    def generator(self) -> str:
        """Return a hash of what turns tapes into code: compiler, machine, sources.

        Returns
        -------
        str
        """
        return self.name

    def source(self, function: Function, dtype: DTypeLike = float) -> str:
        """Return the code of a function as readable text, "" if there is none.

        Parameters
        ----------
        function : Function
        dtype : dtype
            float64 or float32.

        Returns
        -------
        str
        """
        code = self.build(function, dtype)
        return code if isinstance(code, str) else ""

    def estimate(self, operations: int, outputs: int) -> Estimate:
        """Return an estimate of the time and memory that compiling a tape takes.

        Parameters
        ----------
        operations, outputs : int
            Number of operations and of output entries of the tape.

        Returns
        -------
        Estimate
        """
        return Estimate(0.0, 0.0)

    def files(self, project: Project) -> Mapping[str, str | bytes]:
        """Return the files of an export by name.

        Parameters
        ----------
        project : Project
            Functions, their documentation and values to test them with.

        Returns
        -------
        dict of str to str or bytes

        Raises
        ------
        ValueError
            If the target writes no files.
        """
        raise ValueError(f"target '{self.name}' writes no files")
