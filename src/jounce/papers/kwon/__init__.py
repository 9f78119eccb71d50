"""J. Kwon: differential dynamics with respect to joint screws, and the inertia of meshes.

| section | here       |                                                                        |
|---------|------------|------------------------------------------------------------------------|
| 1, 2    | `dynamics` | recursive dynamics, derivatives in screws and state, (1)-(10), Alg. 1  |
| 3       | `five_bar` | the spherical five-bar, (11) to (14)                                   |
| 4       | `mesh`     | inertia of a solid from its mesh, vertex derivatives, (15) to (28)     |
| 5       | `inertia`  | inertia of a displaced body and its derivative, (29) to (34)           |

What differs from the print:

* Trees of any joints: body i is node i of the elementary tree, A_i its motion subspace, M_i its
  placement at home, not the identity. theta-dot and theta-ddot are v and a; derivatives "in theta"
  are along v. For a joint with several degrees of freedom eta_i moves the whole joint:
  its motion e becomes g e g^-1 and its subspace Ad_g A with g = e^[eta], as for one screw.
* eta_i is in the frame of node i; `joint_frames` leads there from the model's body frames.
  Displacing a screw leaves all bodies where they are at home; only the axis they move about shifts.
* A joint that mimics another adds to its leader's columns. Armature is added to tau.
* Derivatives are at eta = 0, where A_i is A_bar_i.
* Corrected in Algorithm 1: Ad_i is that of the relative pose; lines 3 and 4 go, the recursion
  starts from zero at the base; 1 reads Ad_{M_i} in lines 7, 8, 10, 11, and line 24 has the
  exponential alone; the sign in line 30 is that of line 21. S = dtau/dlambda is not printed, nor is
  F_ext and what it does to the columns eta_{n+1}. Each is noted where it stands.
* Corrected elsewhere: see `five_bar` for (14), `mesh` for (18), (21), (23) and (27).
"""

from __future__ import annotations

from jounce.papers.kwon.dynamics import (
    Columns,
    Differentials,
    Tool,
    adjoint_rate,
    backward_iterations,
    differential_dynamics,
    displaced_screw,
    dual_matrix,
    exponential,
    forward_iterations,
    inverse_dynamics,
    joint_exponential,
    joint_frames,
    joint_torques,
    relative_pose,
    screw_derivative,
)
from jounce.papers.kwon.five_bar import (
    FiveBar,
    assemble,
    axis_rates,
    closure,
    constraint_matrices,
    five_bar,
    five_bar_data,
    joint_rates,
    motor_torque,
    motor_torque_derivative,
    motor_torque_partial,
    moved_axes,
    moved_axes_derivative,
    parallel_torque,
    passive_jacobian,
    passive_jacobian_rates,
    reaching_motion,
    tangent,
)
from jounce.papers.kwon.inertia import (
    first_moment_change,
    inertia_change,
    inertia_change_blocks,
    mass_change,
    parameters_deta,
    rotational_inertia_change,
    transformed_inertia,
)
from jounce.papers.kwon.mesh import (
    diagonal_inertia,
    diagonal_inertia_dv,
    face_determinant,
    face_determinant_dv,
    face_diagonal_dv,
    face_mixed_products,
    face_normal,
    face_normal_dv,
    face_off_diagonal_dv,
    face_squares,
    face_squares_dv,
    first_moment,
    first_moment_dv,
    mass,
    mass_dv,
    mesh_parameters,
    mesh_parameters_dv,
    mixed,
    off_diagonal_inertia,
    off_diagonal_inertia_dv,
)

__all__ = [
    "Columns",
    "Differentials",
    "FiveBar",
    "Tool",
    "adjoint_rate",
    "assemble",
    "axis_rates",
    "backward_iterations",
    "closure",
    "constraint_matrices",
    "diagonal_inertia",
    "diagonal_inertia_dv",
    "differential_dynamics",
    "displaced_screw",
    "dual_matrix",
    "exponential",
    "face_determinant",
    "face_determinant_dv",
    "face_diagonal_dv",
    "face_mixed_products",
    "face_normal",
    "face_normal_dv",
    "face_off_diagonal_dv",
    "face_squares",
    "face_squares_dv",
    "first_moment",
    "first_moment_change",
    "first_moment_dv",
    "five_bar",
    "five_bar_data",
    "forward_iterations",
    "inertia_change",
    "inertia_change_blocks",
    "inverse_dynamics",
    "joint_exponential",
    "joint_frames",
    "joint_rates",
    "joint_torques",
    "mass",
    "mass_change",
    "mass_dv",
    "mesh_parameters",
    "mesh_parameters_dv",
    "mixed",
    "motor_torque",
    "motor_torque_derivative",
    "motor_torque_partial",
    "moved_axes",
    "moved_axes_derivative",
    "off_diagonal_inertia",
    "off_diagonal_inertia_dv",
    "parallel_torque",
    "parameters_deta",
    "passive_jacobian",
    "passive_jacobian_rates",
    "reaching_motion",
    "relative_pose",
    "rotational_inertia_change",
    "screw_derivative",
    "tangent",
    "transformed_inertia",
]
