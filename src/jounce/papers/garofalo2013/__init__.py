"""G. Garofalo, C. Ott, A. Albu-Schaeffer (2013): closed-form dynamic matrices of a tree.

Every quantity is a sum over bodies of terms in their Jacobians J_k, from one outward recursion.

| section | here          |                                                              |
|---------|---------------|--------------------------------------------------------------|
| II      | `dynamics`    | the equation of motion, (1) to (7)                           |
| III     | `wrt_inertia` | derivatives in the inertial parameters, regressors, (8)-(16) |
| IV      | `wrt_state`   | derivatives in the state, (17) to (24)                       |
| V       | `wrt_time`    | time derivatives of any order, (25)                          |
| VI      | `kinematics`  | the Jacobians, (26) to (33)                                  |

Differences from the paper:

* The order of twists is (omega, v), the library's, where the paper has (v, omega); as the paper
  says, its equations do not depend on it. Here adj is `ad`, Lambda_k is `spatial_inertia`.
* J_k is the Jacobian of node k in the node's own frame ("body Jacobian"), nu_k = J_k v.
* q-dot is v, the quasi-velocity of Remark 7, so that Xi_k is constant for every joint.
* Armature (`common.armature_matrix`) is added to M and tau, and its share to the Christoffel C
  (`common.armature_christoffel`); it is no part of pi.
* pi of (9) has the inertia about the origin of the body's frame: with the inertia about the center
  of mass, as the appendix defines I_k, (8) does not hold.
* The third term of (29) is adj(Xi_k vdot) Ad_{p,k}^-1 J_p: the print lost its dot.
* "High order derivatives" (the remark that closes section V) are the functions whose names end in
  `derivatives`; they take rates = (v, vdot, ...), the velocity and its time derivatives.
* Derivatives "with respect to q" are along v (`jacobians_dq`), their axis is the last; (24c) is the
  second of the two printed under that number, the first is a misprint.
* C of (6b) has Mdot = C + C^T but is not the matrix of the Christoffel symbols. All C of the form
  sum J_k^T (Lambda_k Jdot_k + B_k J_k) differ only in the 6 x 6 matrix B_k, see `KERNELS`.
"""

from __future__ import annotations

from jounce.papers.garofalo2013.dynamics import *
from jounce.papers.garofalo2013.kinematics import *
from jounce.papers.garofalo2013.wrt_inertia import *
from jounce.papers.garofalo2013.wrt_state import *
from jounce.papers.garofalo2013.wrt_time import *
