"""Log-Cholesky coordinates of inertias on tensors; `jounce.inertia.log_cholesky` has the rest."""

from __future__ import annotations

import torch
from torch import Tensor

from jounce.frameworks.inertia import from_log_cholesky as formula


def from_log_cholesky(theta: Tensor) -> Tensor:
    """Parameters (..., 10) of bodies that could exist, from any numbers (..., 10)."""
    return torch.stack(formula(theta.unbind(-1), torch.exp), dim=-1)
