"""Identification: inertial parameters, friction and armature from measured motions and torques.

>>> from jounce.identification import identify
>>> found = identify(robot, "data.csv", friction=True)    # doctest: +SKIP
>>> found.write_urdf("robot.urdf", "identified.urdf")      # doctest: +SKIP

`jounce.identify(...)` is the same function.
SciPy is needed by some of it: pip install "jounce[identify]".
"""

from typing import TYPE_CHECKING

from jounce.identification import excitation as excitation
from jounce.identification.base_parameters import BaseParameters as BaseParameters
from jounce.identification.base_parameters import base_parameters as base_parameters
from jounce.identification.data import Recording as Recording
from jounce.identification.data import open_recording as open_recording
from jounce.identification.identification import Identification as Identification
from jounce.identification.identification import identify as identify
from jounce.identification.momentum import filtered_regressor as filtered_regressor
from jounce.lazy import callable_by_name, submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
    callable_by_name(__name__)
