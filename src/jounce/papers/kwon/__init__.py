"""J. Kwon: differential dynamics with respect to joint screws, and the inertia of meshes.

| section | here       |                                                                        |
|---------|------------|------------------------------------------------------------------------|
| 1, 2    | `dynamics` | recursive dynamics, derivatives in screws and state, (1)-(10), Alg. 1  |
| 3       | `five_bar` | the spherical five-bar, (11) to (14)                                   |
| 4       | `mesh`     | inertia of a solid from its mesh, vertex derivatives, (15) to (28)     |
| 5       | `inertia`  | inertia of a displaced body and its derivative, (29) to (34)           |

Differences from the note:

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

from jounce.papers.kwon.dynamics import *
from jounce.papers.kwon.five_bar import *
from jounce.papers.kwon.inertia import *
from jounce.papers.kwon.mesh import *
