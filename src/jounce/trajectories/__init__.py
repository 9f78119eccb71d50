"""Smooth reference motions: polynomials, splines, Fourier series, all with exact derivatives.

`trajectory(t)` returns the configuration, velocity, acceleration, jerk and snap that controllers
follow, for every joint kind and for mechanisms. `charts.py` maps curves of a tangent space to the
configurations of a robot, `trajectory.py` is the class, the other files construct curves. Imports
public names of packages up to `solve`. Piecewise polynomials need SciPy: pip install
"jounce[control]". Start with `trajectory.py`.
"""

from jounce.trajectories.fourier import fourier
from jounce.trajectories.splines import (
    minimum_jerk,
    minimum_snap,
    polynomial,
    pose_spline,
    quaternion_spline,
    spline,
)
from jounce.trajectories.trajectory import Trajectory

__all__ = [
    "Trajectory",
    "fourier",
    "minimum_jerk",
    "minimum_snap",
    "polynomial",
    "pose_spline",
    "quaternion_spline",
    "spline",
]
