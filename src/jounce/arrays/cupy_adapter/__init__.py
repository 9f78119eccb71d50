"""Quantities on arrays that are on CUDA devices: CuPy's, and those of libraries it can import.

`kind` serves calls of quantities, `functions` makes them functions of CuPy's arrays, `cupy_library`
launches kernels, which step through arrays as `layout` finds out, and `rollout` takes steps. Arrays
with DLPack or `__cuda_array_interface__` are imported by CuPy or PyTorch (`foreign`).
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
