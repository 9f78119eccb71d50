"""Contacts with the world: their geometry, the dynamics they make, and derivatives of both."""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
