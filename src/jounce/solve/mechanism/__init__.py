"""Mechanisms: robots whose joints form loops, their assembly, and quantities over free joints.

`robot.py` is what `robot.closed()` returns, `assembly.py` closes the loops, `choice.py` decides
which joints are independent. Start with `robot.py`.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.solve.mechanism.assembly import Assembly, LoopReport
    from jounce.solve.mechanism.robot import Mechanism

__all__ = [
    "Assembly",
    "LoopReport",
    "Mechanism",
]

if TYPE_CHECKING:
    from jounce.solve.mechanism import all_joints as all_joints
    from jounce.solve.mechanism import assembly as assembly
    from jounce.solve.mechanism import choice as choice
    from jounce.solve.mechanism import closing as closing
    from jounce.solve.mechanism import robot as robot
else:
    __getattr__, __dir__ = submodules(
        __name__,
        {
            "Assembly": "jounce.solve.mechanism.assembly",
            "LoopReport": "jounce.solve.mechanism.assembly",
            "Mechanism": "jounce.solve.mechanism.robot",
        },
    )
