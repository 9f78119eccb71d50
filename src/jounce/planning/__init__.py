"""Motion planning: time-optimal motion along a path.

`limits.py` evaluates what limits the motion along a path, `reachability.py` finds the fastest
motion under limits of velocities, accelerations and torques, `rate_limits.py` under limits of jerks
and torque rates too; `retiming.py` is the public function, `retimed_path.py` its result. Imports
public names of the packages below it only. Needs SciPy, and Clarabel for limits of rates: pip
install "jounce[planning]". Start with `retiming.py`.
"""

from jounce.planning.retimed_path import RetimedPath
from jounce.planning.retiming import InfeasiblePathError, retime

__all__ = ["InfeasiblePathError", "RetimedPath", "retime"]
