"""Robots on arrays that lie on CUDA devices: CuPy's, and those of whoever says where they lie.

What may live here: all that knows such arrays. `kind` serves calls of quantities with them,
`cupy_library` CuPy's and `own_library` those of others, which say where they lie by
`__cuda_array_interface__` or DLPack (`exchange`, `dlpack`); both stand on `library`, which finds
out how kernels step through arrays (`layout`), and make `functions` of quantities. `DeviceArray`
(`arrays`) is what comes out where the other library takes no DLPack. `rollout`: steps one after
the other.
"""

from typing import TYPE_CHECKING

from jounce.cuda.arrays import DeviceArray
from jounce.lazy import submodules

__all__ = ["DeviceArray"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
