"""Quantities on arrays that are on CUDA devices: CuPy's, and those of libraries it can import.

`kind` handles calls of quantities, `functions` are quantities as functions of CuPy arrays,
`cupy_library` launches kernels with the strides that `layout` computes, and `rollout` simulates.
Arrays with DLPack or `__cuda_array_interface__` are imported by CuPy or PyTorch (`foreign`).
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
