"""Quantities of a robot in other forms: source code, formulas, functions of other libraries.

`source.py` writes C, CUDA and MATLAB, `latex.py` formulas; `sympy.py` and `casadi.py` give
expressions; `acados.py` gives dynamics acados' interface, and `ros2.py` writes a package with a
controller; `pinocchio.py` and `mujoco.py` map models and states; `crocoddyl.py` gives problems of
Crocoddyl the dynamics of jounce. `embedded.py` measures exported C on microcontrollers, and
`error_bounds.py` bounds its rounding errors. Each imports its library only when used. Imports
public names of packages up to `solve`. Start with `source.py`.
"""

from typing import TYPE_CHECKING

from jounce.export.embedded import PROCESSORS as PROCESSORS
from jounce.export.embedded import CodeSize as CodeSize
from jounce.export.embedded import measure_code as measure_code
from jounce.export.error_bounds import ErrorBounds as ErrorBounds
from jounce.export.error_bounds import bound_errors as bound_errors
from jounce.export.source import build as build
from jounce.export.source import export_c as export_c
from jounce.export.source import export_cuda as export_cuda
from jounce.export.source import export_files as export_files
from jounce.export.source import export_matlab as export_matlab
from jounce.utils import submodules

__all__ = [
    "PROCESSORS",
    "CodeSize",
    "ErrorBounds",
    "acados",
    "bound_errors",
    "build",
    "casadi",
    "crocoddyl",
    "exact",
    "export_c",
    "export_cuda",
    "export_files",
    "export_matlab",
    "latex",
    "measure_code",
    "mujoco",
    "pinocchio",
    "ros2",
    "source",
    "sympy",
]

if TYPE_CHECKING:
    from jounce.export import acados as acados
    from jounce.export import casadi as casadi
    from jounce.export import crocoddyl as crocoddyl
    from jounce.export import embedded as embedded
    from jounce.export import error_bounds as error_bounds
    from jounce.export import exact as exact
    from jounce.export import latex as latex
    from jounce.export import mujoco as mujoco
    from jounce.export import pinocchio as pinocchio
    from jounce.export import pinocchio_joints as pinocchio_joints
    from jounce.export import ros2 as ros2
    from jounce.export import sizes as sizes
    from jounce.export import source as source
    from jounce.export import symbol_names as symbol_names
    from jounce.export import sympy as sympy
    from jounce.export import trigonometry as trigonometry
else:
    __getattr__, __dir__ = submodules(__name__)
