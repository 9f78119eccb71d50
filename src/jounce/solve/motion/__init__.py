"""Motions in time: robots stepped along forces or a policy, and gradients through all steps.

`rollout.py` is what `robot.rollout(...)` does. Start there.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.solve.motion.rollout import Rollout

__all__ = [
    "Rollout",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__, {"Rollout": "jounce.solve.motion.rollout"})
