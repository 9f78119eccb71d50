"""The same kernels on PyTorch's tensors: `robot.torch`, and modules whose parameters are learnt.

`robot.torch.inverse_dynamics(q, v, a)` takes and gives tensors, on the CPU without a copy and on
CUDA in the current stream, with gradients of any order, inside torch.func, torch.compile and
torch.export. `Dynamics` is a robot as an nn.Module, whose numbers stay those of a robot that could
exist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

try:
    import torch as _torch  # noqa: F401
except ModuleNotFoundError as _error:
    raise ModuleNotFoundError(
        "robot.torch needs PyTorch, which is not installed: pip install 'jounce[torch]'",
        name="torch",
    ) from _error

from jounce.arrays.torch_adapter.dynamics import Dynamics
from jounce.arrays.torch_adapter.library import from_log_cholesky

__all__ = ["Dynamics", "from_log_cholesky"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
