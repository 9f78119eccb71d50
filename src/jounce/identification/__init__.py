"""Identification: inertial parameters, friction and armature from measured motions and torques.

>>> from jounce.identify import identify
>>> found = identify(robot, "data.csv", friction=True)    # doctest: +SKIP
>>> found.write_urdf("robot.urdf", "identified.urdf")      # doctest: +SKIP

`jounce.identify(...)` is the same function.
SciPy is needed by some of it: pip install "jounce[identify]".
"""

from typing import TYPE_CHECKING

from jounce.identify import excitation as excitation
from jounce.identify.base_parameters import BaseParameters as BaseParameters
from jounce.identify.base_parameters import base_parameters as base_parameters
from jounce.identify.data import Recording as Recording
from jounce.identify.data import open_recording as open_recording
from jounce.identify.identification import Identification as Identification
from jounce.identify.identification import identify as identify
from jounce.identify.momentum import filtered_regressor as filtered_regressor
from jounce.lazy import callable_by_name, submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
    callable_by_name(__name__)
