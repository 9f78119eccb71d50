"""A. Mueller, S. Kumar (2021): the equations of motion and their first two time derivatives.

Q = M a + C v + Q_grav + Q_ext (1), Qdot (28) and Qddot (38), with every matrix of joint space of
the form J^T Z J: J = A X is the Jacobian of all bodies at once and Z a 6N x 6N matrix of products
of A, M = diag(M_i), a = diag(ad of the joints' own twists) and b = diag(ad of the bodies' twists).
Products are written as the paper writes them: M A a A a is `chain(M, A, a, A, a)`.

| section | here         |                                                                     |
|---------|--------------|---------------------------------------------------------------------|
| 2.1     | `kinematics` | poses, twists and Jacobians, (2) to (19)                            |
| 2.2     | `dynamics`   | the equations of motion, (1) and (20) to (27)                       |
|         | `matrices`   | the system matrices at one state, which sections 3 to 5 share       |
| 3, 4    | `wrt_time`   | the first and second time derivative, (28) to (53)                  |
| 5       | `passivity`  | the C for which Mdot - 2 C is skew, (54) to (57)                    |

Differences from the paper:

* Trees: A holds Ad_{C_k,j} for every ancestor j of k, D the block of the parent, U all bodies.
* q-dot, q-ddot, ... are v, a, j, s. The matrices a(q-ddot), a(q-dddot), b(Vdot), b(Vddot), dotted
  in the paper, are a1, a2, b1, b2; C', C'' and M1' are time derivatives of 6N x 6N matrices.
* Wrenches W are exerted **by** the bodies on the environment, since Q_ext = +J^T W (27): for
  wrenches that act on the bodies, the library's convention, pass their negative. W is stacked (6N),
  one wrench (moment, force) per node, in the node's frame.
* Armature (`common.armature_matrix`) is added to M and Q.
* A joint that mimics another adds its columns to its leader's in X; no formula changes.
* Corrected: (35) ends in - M A a a; the first term of (43) is
  M1(q, q-ddot); the last term of (50) has the factor 1; (51) has - 4 M A a A a A a; (53) has
  (A a1)^T once. `system_jerk`, which b2 needs, is not printed.

(12) and all that follows from it, (28) to (57), need joints with one degree of freedom, for which
a X = 0, and refuse others. (8) to (27) hold for every joint: C v is right, though C is not.
"""

from __future__ import annotations

from jounce.papers.mueller_kumar2021.dynamics import *
from jounce.papers.mueller_kumar2021.kinematics import *
from jounce.papers.mueller_kumar2021.matrices import *
from jounce.papers.mueller_kumar2021.passivity import *
from jounce.papers.mueller_kumar2021.wrt_time import *
