"""Motions in time: robots stepped along forces or a policy, and gradients through all steps."""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
