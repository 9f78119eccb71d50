"""Tapes as WebAssembly, for browsers and node: binary modules, written without a toolchain.

The bytes depend on the tapes alone. `jounce.viewer.web.module` adds JavaScript around them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import DTypeLike

from jounce.compiler.targets.base import Target
from jounce.compiler.targets.function import Function
from jounce.compiler.targets.wasm.assembly import encode_unsigned
from jounce.compiler.targets.wasm.kernel import Layout
from jounce.compiler.targets.wasm.module import Module, module

__all__ = ["TARGET", "Layout", "Module", "WasmTarget", "encode_unsigned", "module"]


class WasmTarget(Target):
    """WebAssembly in float64."""

    name = "wasm"
    runs_here = False

    def build(self, function: Function, dtype: DTypeLike = float) -> bytes:
        """Return a module with the function alone; see `module`.

        Its arguments start at address 0, or after the table of its sines.
        """
        if np.dtype(dtype) != np.float64:
            raise ValueError(
                f"WebAssembly modules compute in float64, found dtype {np.dtype(dtype)}"
            )
        return module([function]).code

    def link(self, functions: Sequence[Function]) -> Module:
        """Return one module with all functions, and their memory layouts."""
        return module(functions)


TARGET = WasmTarget()
