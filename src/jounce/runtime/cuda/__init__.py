"""Kernels on CUDA devices: found or compiled, loaded, launched. Only the driver is needed.

What may live here: all that knows the driver, which `cuda.bindings` (the extra `jounce[cuda]`)
speaks to, and nothing that knows a library of arrays. `driver`: the driver and its devices;
`images`: PTX, kept on disk, and loaded; `launchers`: kernels ready to be launched; `streams`: order
between streams. Nothing is imported, and no device touched, before somebody asks for one.
"""

from typing import TYPE_CHECKING

from jounce.runtime.cuda.driver import architecture
from jounce.runtime.cuda.launchers import Launcher, launcher, ready
from jounce.utils.lazy import submodules

__all__ = ["Launcher", "architecture", "launcher", "ready"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
