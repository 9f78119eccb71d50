"""Robots inside jit, grad and vmap of JAX: `robot.jax`.

What may live here: all that knows JAX. XLA itself calls the kernels, through native handlers
(`handler`; `abi`: the version of XLA's C API): one on CPUs (`cpu`), one on CUDA (`cuda`). One
primitive has JAX's rules for all operators (`primitive`). `library` is what surfaces of robots
ask for (`surface`, `rollout`), and `kind` serves calls of quantities with JAX's arrays.
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
