"""Kinematic calibration: joint offsets, axes, placements and frames from measured poses.

>>> import jounce
>>> result = jounce.calibrate(robot, "poses.csv")                 # doctest: +SKIP
>>> result.write("robot.urdf", "calibrated.urdf")                 # doctest: +SKIP

`jounce.calibrate` is the function `calibrate` of this package. `measurements.py` describes what is
measured, `pose_tables.py` reads it from files, `kinematics.py` computes residuals with exact
derivatives, `observability.py` selects a minimal set of parameters, `estimator.py` fits them,
`plausibility.py` checks that all fit together, and `selection.py` chooses configurations to measure
at. Imports public names of packages up to `identification`. Start with `pipeline.py`.
"""

from typing import TYPE_CHECKING

from jounce.calibration.kinematics import GROUPS as PARAMETER_GROUPS
from jounce.calibration.measurements import Measurements as Measurements
from jounce.calibration.pipeline import calibrate as calibrate
from jounce.calibration.pose_tables import read_measurements as read_measurements
from jounce.calibration.result import Calibration as Calibration
from jounce.calibration.selection import PoseSelection as PoseSelection
from jounce.calibration.selection import select_poses as select_poses
from jounce.utils import submodules

__all__ = [
    "PARAMETER_GROUPS",
    "Calibration",
    "Measurements",
    "PoseSelection",
    "calibrate",
    "read_measurements",
    "select_poses",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
