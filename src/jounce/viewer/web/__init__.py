"""A robot as a page: its quantities as WebAssembly, and a self-contained file that computes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
