"""Kernels on CUDA devices: compiled or cached, loaded, launched. Only the driver is needed.

This package is the only one that uses the driver, through `cuda.bindings` (the extra
`jounce[cuda]`), and depends on no array library. `driver`: the driver and its devices; `images`:
PTX, cached on disk, and loaded; `launchers`: kernels ready to be launched; `streams`: order between
streams. Bindings are imported and devices initialized lazily.
"""

from typing import TYPE_CHECKING

from jounce.runtime.cuda.driver import architecture
from jounce.runtime.cuda.launchers import Launch, Launcher, launcher, ready
from jounce.utils.lazy import submodules

__all__ = ["Launch", "Launcher", "architecture", "launcher", "ready"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
