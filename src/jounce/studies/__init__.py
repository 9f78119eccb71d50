"""Studies: propagate uncertain parameters of a robot to a quantity, by Monte Carlo sampling.

>>> import jounce
>>> robot = jounce.load("planar_2r")
>>> arguments = ([0.3, 0.5], [1.0, 0.0], [0.0, 1.0])
>>> result = jounce.study(robot, arguments, vary={"mass": "5%"}, samples=1000)
>>> result.groups
['mass[link1]', 'mass[link2]']

`jounce.study` is the function `study` of this package. Start reading in `analysis`, which checks
the arguments; `amounts` and `variation` define what varies, `engine` evaluates chunks of samples,
and `statistics` reduces them. Imports public names of packages up to `identification`. Studies need
SciPy: pip install "jounce[study]".
"""

from typing import TYPE_CHECKING

from jounce.studies.amounts import KINDS as KINDS
from jounce.studies.amounts import Kind as Kind
from jounce.studies.amounts import Normal as Normal
from jounce.studies.amounts import Uniform as Uniform
from jounce.studies.analysis import study as study
from jounce.studies.report import write_html as write_html
from jounce.studies.result import Study as Study
from jounce.studies.result import Worst as Worst
from jounce.studies.trajectory import Trajectory as Trajectory
from jounce.studies.trajectory import read_trajectory as read_trajectory
from jounce.utils import submodules

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
    "write_html",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
