"""Robots in contact with the world: `robot.contacts(...)`, and forces that carry gravity."""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.solve.contacts import robot as robot
    from jounce.solve.contacts import statics as statics
else:
    __getattr__, __dir__ = submodules(__name__)
