"""Robots with closed loops: their assembly, and their quantities over independent joints."""

from typing import TYPE_CHECKING

from jounce.lazy import submodules

if TYPE_CHECKING:
    from jounce.mechanism import assembly as assembly
    from jounce.mechanism import robot as robot
else:
    __getattr__, __dir__ = submodules(__name__)
