"""Robots in contact with the world: `robot.contacts(...)`, and forces that carry gravity.

`robot.py` has the quantities of a robot in contact, `statics.py` the forces at rest. Start with
`robot.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.solve.contacts.robot import Contacts
    from jounce.solve.contacts.statics import Ground, StaticForces, driven_velocities

__all__ = [
    "Contacts",
    "Ground",
    "StaticForces",
    "driven_velocities",
]

if TYPE_CHECKING:
    from jounce.solve.contacts import robot as robot
    from jounce.solve.contacts import statics as statics
else:
    __getattr__, __dir__ = submodules(
        __name__,
        {
            "Contacts": "jounce.solve.contacts.robot",
            "Ground": "jounce.solve.contacts.statics",
            "StaticForces": "jounce.solve.contacts.statics",
            "driven_velocities": "jounce.solve.contacts.statics",
        },
    )
