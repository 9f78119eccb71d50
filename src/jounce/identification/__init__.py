"""Identification: inertial parameters, friction and armature from measured motions and torques.

>>> import jounce
>>> result = jounce.identify(robot, "data.csv", friction=True)    # doctest: +SKIP
>>> result.write_urdf("robot.urdf", "identified.urdf")            # doctest: +SKIP

`jounce.identify` is the function `identify` of this package. `data.py` reads logs, `regression.py`
and `map_reduce.py` compress them to triangular factors, `estimator.py` fits the parameters,
`result.py` contains the result, `payloads.py` fits loads, `simulation` fits logs without torques,
and `excitation` designs motions. Imports public names of packages up to `solve`. Start with
`pipeline.py`. Parts of it need SciPy: pip install "jounce[identify]".
"""

from typing import TYPE_CHECKING

from jounce.identification import excitation as excitation
from jounce.identification.base_parameters import BaseParameters as BaseParameters
from jounce.identification.base_parameters import base_parameters as base_parameters
from jounce.identification.data import Recording as Recording
from jounce.identification.data import open_recording as open_recording
from jounce.identification.data import read_log as read_log
from jounce.identification.drives import DriveParameters as DriveParameters
from jounce.identification.estimator import ParameterEstimator as ParameterEstimator
from jounce.identification.momentum import filtered_regressor as filtered_regressor
from jounce.identification.payloads import Payload as Payload
from jounce.identification.payloads import payload as payload
from jounce.identification.pipeline import identify as identify
from jounce.identification.result import Identification as Identification
from jounce.identification.simulation import Identifiability as Identifiability
from jounce.identification.simulation import SimulatedIdentification as SimulatedIdentification
from jounce.identification.simulation import SimulationModel as SimulationModel
from jounce.identification.simulation import identifiability as identifiability
from jounce.identification.subject import without_open_loops as without_open_loops
from jounce.utils import submodules

if TYPE_CHECKING:
    from jounce.identification import checks, cleaning, data, options, page, plots, units

__all__ = [
    "BaseParameters",
    "DriveParameters",
    "Identifiability",
    "Identification",
    "ParameterEstimator",
    "Payload",
    "Recording",
    "SimulatedIdentification",
    "SimulationModel",
    "base_parameters",
    "checks",
    "cleaning",
    "data",
    "excitation",
    "filtered_regressor",
    "identifiability",
    "identify",
    "open_recording",
    "options",
    "page",
    "payload",
    "plots",
    "read_log",
    "units",
    "without_open_loops",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
