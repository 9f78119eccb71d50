"""Robots, quantities and results as notebooks show them: drawings and tables, no dependency."""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
