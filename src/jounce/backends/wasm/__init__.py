"""Tapes as WebAssembly, which browsers and node run: binary modules, written without a toolchain.

The bytes depend on the tapes alone. `jounce.web.module` puts JavaScript around them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from jounce.backends.function import Function
from jounce.backends.wasm.kernel import Layout
from jounce.backends.wasm.module import Module, module

__all__ = ["Layout", "Module", "build", "module"]


def build(function: Function, dtype: DTypeLike = float) -> bytes:
    """A module with the function alone; see `module`. Its arguments lie in memory from 0 on, or
    behind the table of its sines.
    """
    if np.dtype(dtype) != np.float64:
        raise ValueError(f"WebAssembly modules compute in float64, found dtype {np.dtype(dtype)}")
    return module([function]).code
