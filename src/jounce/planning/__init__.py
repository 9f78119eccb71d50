"""Motion planning: time-optimal motion along a path, and optimal control.

`limits.py` evaluates what limits the motion along a path, `reachability.py` finds the fastest
motion under limits of velocities, accelerations and torques, `rate_limits.py` under limits of jerks
and torque rates too; `retiming.py` is the public function, `retimed_path.py` its result. They need
SciPy, and Clarabel for limits of rates: pip install "jounce[planning]".

`optimal_control.py` states problems with one-sample costs, `optimal_control_stage.py` traces them
into kernels, `optimal_control_solver.py` solves batches on the iterates of
`optimal_control_slots.py`, and `riccati.py` calls the native recursion. Imports public names of the
packages below it only. Start with `retiming.py` and `optimal_control.py`.
"""

from jounce.planning.optimal_control import OptimalControlProblem
from jounce.planning.optimal_control_costs import (
    limit_barrier,
    pose_error,
    position_error,
    posture_error,
)
from jounce.planning.optimal_control_solution import Solution
from jounce.planning.optimal_control_structure import Phase
from jounce.planning.retimed_path import RetimedPath
from jounce.planning.retiming import InfeasiblePathError, retime

__all__ = [
    "InfeasiblePathError",
    "OptimalControlProblem",
    "Phase",
    "RetimedPath",
    "Solution",
    "limit_barrier",
    "pose_error",
    "position_error",
    "posture_error",
    "retime",
]
