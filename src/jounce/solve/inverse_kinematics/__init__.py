"""Inverse kinematics: configurations at which frames are where they shall be, in batches."""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

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
    __getattr__, __dir__ = submodules(__name__)
