"""From a row and a tree to a callable: tracing, kernels, gufuncs, calls and their results."""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
