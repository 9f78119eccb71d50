"""Studies: propagate uncertain parameters of a robot to a quantity, by Monte Carlo sampling.

>>> import jounce
>>> robot = jounce.load("planar_2r")
>>> arguments = ([0.3, 0.5], [1.0, 0.0], [0.0, 1.0])
>>> found = jounce.study(robot, arguments, vary={"mass": "5%"}, samples=1000)
>>> found.groups
['mass[link1]', 'mass[link2]']

`jounce.study` is the function `study` of this package.
"""

from typing import TYPE_CHECKING

from jounce.studies.kinds import KINDS as KINDS
from jounce.studies.kinds import Kind as Kind
from jounce.studies.kinds import Normal as Normal
from jounce.studies.kinds import Uniform as Uniform
from jounce.studies.result import Study as Study
from jounce.studies.result import Worst as Worst
from jounce.studies.studying import study as study
from jounce.studies.trajectory import Trajectory as Trajectory
from jounce.studies.trajectory import read_trajectory as read_trajectory
from jounce.utils.lazy import submodules

__all__ = [
    "KINDS",
    "Kind",
    "Normal",
    "Study",
    "Trajectory",
    "Uniform",
    "Worst",
    "read_trajectory",
    "study",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
