"""Mechanisms: robots whose joints form loops, their assembly, and quantities over free joints."""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.solve.mechanism import all_joints as all_joints
    from jounce.solve.mechanism import assembly as assembly
    from jounce.solve.mechanism import choice as choice
    from jounce.solve.mechanism import closing as closing
    from jounce.solve.mechanism import robot as robot
else:
    __getattr__, __dir__ = submodules(__name__)
