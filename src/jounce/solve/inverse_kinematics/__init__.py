"""Inverse kinematics: configurations at which frames reach their targets, in batches.

`targets.py` says what a frame shall reach, `problem.py` collects targets and limits, `search.py`
iterates a compiled step (`step.py`) from many starts, `solver.py` is the method of robots. Start
with `solver.py`.
"""

from typing import TYPE_CHECKING

from jounce.solve.inverse_kinematics.targets import Direction, Orientation, Pose, Position
from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.solve.inverse_kinematics.solution import Solution

__all__ = [
    "Direction",
    "Orientation",
    "Pose",
    "Position",
    "Solution",
]

if TYPE_CHECKING:
    from jounce.solve.inverse_kinematics import array_libraries as array_libraries
    from jounce.solve.inverse_kinematics import problem as problem
    from jounce.solve.inverse_kinematics import search as search
    from jounce.solve.inverse_kinematics import single as single
    from jounce.solve.inverse_kinematics import solution as solution
    from jounce.solve.inverse_kinematics import solver as solver
    from jounce.solve.inverse_kinematics import step as step
    from jounce.solve.inverse_kinematics import targets as targets
else:
    __getattr__, __dir__ = submodules(
        __name__, {"Solution": "jounce.solve.inverse_kinematics.solution"}
    )
