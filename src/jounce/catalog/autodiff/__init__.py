"""Automatic differentiation of formulas: forward and reverse mode, Taylor series, implicit rule."""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
