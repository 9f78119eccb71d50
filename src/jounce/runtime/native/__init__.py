"""Native code of the runtime, written in C: functions that CPython, NumPy and XLA call.

`make native` compiles each `NAME.c` to LLVM text, `NAME.ll`, which is committed and packaged, so
that users need no C compiler. The text is machine-independent: `load` has llvmlite compile it for
the current processor, once, and keeps the machine code in the disk cache. Headers declare the
foreign structures (`cpython.h`, `numpy.h`, `xla_ffi.h`) and the arguments of kernels (`kernel.h`).
"""

from __future__ import annotations

import ctypes
import re
from importlib import resources

from jounce.compiler.targets.llvm import Module
from jounce.utils.once import once

__all__ = ["Module", "load", "read_text"]


def read_text(name: str) -> str:
    """Return the LLVM text of `NAME.c`.

    Parameters
    ----------
    name : str
        Name of the C file, without its suffix.

    Returns
    -------
    str
        Assembly for any 64-bit platform: it has neither a target triple nor a data layout.
    """
    return resources.files(__name__).joinpath(f"{name}.ll").read_text("utf-8")


@once
def load(name: str) -> Module:
    """Load the machine code of `NAME.c`, from the disk cache if it is there.

    Functions of Python's C API that it declares are found in the running interpreter, those of C's
    library in the process. Other functions must be passed to it as pointers.

    Parameters
    ----------
    name : str
        Name of the C file, without its suffix.

    Returns
    -------
    Module
        `module.address("function")` is the address of a function or variable. The module stays
        loaded for the rest of the process.
    """
    text = read_text(name)
    module = Module(text, re.findall(r"^declare .*@(Py\w+)\(", text, re.M))
    # arrays and functions that point into it may outlive everything else of the package
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(module))
    return module
