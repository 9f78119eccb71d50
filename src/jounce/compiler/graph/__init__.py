"""From formulas to straight-line code: tracing scalar, tape, and passes over tapes."""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
