"""Adapter of JAX: robots inside jit, grad and vmap, as `robot.jax`.

XLA calls the kernels through native handlers (`handler`; `abi`: the version of XLA's C API): one
on CPUs (`cpu`), one on CUDA (`cuda`). One primitive has JAX's rules for all operators
(`primitive`). `library` implements the interface for surfaces of robots (`surface`, `rollout`),
and `kind` handles calls of quantities with JAX arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

try:
    import jax as _jax  # noqa: F401
except ModuleNotFoundError as _error:
    raise ModuleNotFoundError(
        "robot.jax needs JAX, which is not installed: pip install 'jounce[jax]'", name="jax"
    ) from _error

from jounce.arrays.jax_adapter.library import from_log_cholesky

__all__ = ["from_log_cholesky"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
