"""Adapters of other libraries that work on robots: LeRobot, Gymnasium and toppra.

Each file implements an interface of another library with public names of the packages below, and
imports that library: nothing here is imported unasked. Robots of robot_descriptions are in
`io/descriptions.py`. Start with `lerobot.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils import submodules

__all__ = ["gymnasium", "lerobot", "toppra"]

if TYPE_CHECKING:
    from jounce.integrations import gymnasium as gymnasium
    from jounce.integrations import lerobot as lerobot
    from jounce.integrations import tasks as tasks
    from jounce.integrations import toppra as toppra
else:
    __getattr__, __dir__ = submodules(__name__)
