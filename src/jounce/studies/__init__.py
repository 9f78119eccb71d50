"""Robots with uncertain parameters: samples drawn by chunks, quantities reduced on the fly.

>>> import jounce
>>> from jounce.studies import study
>>> robot = jounce.load("planar_2r")
>>> found = study(robot, ([0.3, 0.5], [1.0, 0.0], [0.0, 1.0]), vary={"mass": "5%"}, samples=1000)
>>> found.groups
['mass[link1]', 'mass[link2]']

`jounce.study(...)` is the same function.
"""

from typing import TYPE_CHECKING

from jounce.lazy import callable_by_name, submodules
from jounce.studies.kinds import KINDS as KINDS
from jounce.studies.kinds import Kind as Kind
from jounce.studies.kinds import Normal as Normal
from jounce.studies.kinds import Uniform as Uniform
from jounce.studies.result import Study as Study
from jounce.studies.result import Worst as Worst
from jounce.studies.studying import study as study
from jounce.studies.trajectory import Trajectory as Trajectory
from jounce.studies.trajectory import read_trajectory as read_trajectory

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
    callable_by_name(__name__)
