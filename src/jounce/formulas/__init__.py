"""The quantities in the cheapest closed or recursive form found: one sample, any scalar."""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
