"""Log-Cholesky coordinates of inertias as tensors."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from jounce.arrays.frameworks import inertia
from jounce.arrays.frameworks.arguments import shaped
from jounce.arrays.torch_adapter.library import LIBRARY


def from_log_cholesky(theta: Any) -> Tensor:
    """The parameters (..., 10) of bodies that could exist, from any numbers (..., 10).

    As `jounce.inertia.from_log_cholesky` gives them, with gradients.
    """
    what = "jounce.torch.from_log_cholesky: argument 'theta'"
    given = shaped(LIBRARY, theta, what, (10,))
    return torch.stack(inertia.from_log_cholesky(given.unbind(-1), torch.exp), dim=-1)
