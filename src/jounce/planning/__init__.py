"""Motion planning: time-optimal motion along a path, and optimal control.

`limits.py`, `motor_limits.py` and `contact_limits.py` evaluate what limits the motion along a path
(`path_points.py`), as `rows.py`. `reachability.py` finds the fastest motion under limits of
velocities, accelerations and torques, `rate_limits.py` under all others, by the programs of
`convex_program.py` on the splines of `squared_speed.py`; `retiming.py` is the public function,
`retimed_path.py` its result, `cartesian_path.py` makes paths. They need SciPy, and Clarabel for
limits of rates: pip install "jounce[planning]".

`optimal_control.py` states problems with one-sample costs, `optimal_control_stage.py` traces them
into kernels, `optimal_control_solver.py` solves batches on the iterates of
`optimal_control_slots.py`, and `riccati.py` calls the native recursion. Imports public names of the
packages below it only. Start with `retiming.py` and `optimal_control.py`.
"""

from jounce.planning.cartesian_path import cartesian_path
from jounce.planning.optimal_control import OptimalControlProblem
from jounce.planning.optimal_control_costs import (
    limit_barrier,
    pose_error,
    position_error,
    posture_error,
)
from jounce.planning.optimal_control_solution import OptimalControlSolution
from jounce.planning.optimal_control_structure import Phase
from jounce.planning.retimed_path import RetimedPath
from jounce.planning.retiming import InfeasiblePathError, retime

__all__ = [
    "InfeasiblePathError",
    "OptimalControlProblem",
    "OptimalControlSolution",
    "Phase",
    "RetimedPath",
    "cartesian_path",
    "limit_barrier",
    "pose_error",
    "position_error",
    "posture_error",
    "retime",
]
