"""Mechanisms: robots whose joints form loops, their assembly, and quantities over free joints."""

from typing import TYPE_CHECKING

from jounce.lazy import submodules

if TYPE_CHECKING:
    from jounce.mechanism import all_joints as all_joints
    from jounce.mechanism import assembly as assembly
    from jounce.mechanism import choice as choice
    from jounce.mechanism import closing as closing
    from jounce.mechanism import robot as robot
else:
    __getattr__, __dir__ = submodules(__name__)
