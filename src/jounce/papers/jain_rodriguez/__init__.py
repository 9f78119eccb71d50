"""A. Jain, G. Rodriguez (2003): mass matrix sensitivity by the spatial operator algebra.

`SpatialOperators(tree, q)` has the operators of the paper at one configuration, as objects that can
be multiplied and printed (`jounce.papers.jain_rodriguez.operator`):

    o = SpatialOperators(tree, q)
    print(o.phi)
    print(o.H @ o.phi @ o.M @ o.phi.T @ o.H.T)  # the mass matrix
    o.phi @ x                                   # a recursion from the tips to the base, O(n)

| section  | here            |                                                                     |
|----------|-----------------|---------------------------------------------------------------------|
|          | `operator`      | operators as objects                                                |
| 1.1      | `base`          | phi, E_phi, H, M and the articulated operators of a tree            |
| 1.1, 2   | `dynamics`      | equations of motion, shifted operators, hinges, (1.1) to (2.18)     |
| 2.2      | `vectors`       | six-vectors, (2.5) to (2.10)                                        |
| 1.1, 3   | `sensitivities` | rates and sensitivities of phi, H and M, (1.3), (1.4), (3.19)-(3.41)|
| 4        | `mass_matrix`   | sensitivities of the mass matrix, (4.42), (4.43)                    |
| 5        | `composite`     | composite bodies, Christoffel symbols, (5.44) to (5.55)             |

The class of each section extends that of the previous one; the last is exported here.

Differences from the paper:

* Numbering. The paper counts links from the tip (1) to the base (n), with the ground as n + 1. Here
  links are the nodes of the tree, counted from 0 at the base, parents first, and k + 1 becomes the
  parent of k: "i > j" reads "i is inboard of j" (an ancestor), "i < j" "i is outboard of j". So phi
  is upper, not lower, triangular, and its block (i, j) is zero unless i is j or inboard of it.
* All 6-vectors have the orientation of the world and the origin O_k of the node's frame as point of
  reference, which is on the joint's axis; (omega, v) and (moment, force). star is `.T`.
* Trees: the paper's proofs use the shift operator of a chain through Lemma 2.1. Where links branch
  that lemma fails, but A S = S A_s and S^T A = A_s S^T hold with A_s = `shifted(A)`, and with them
  all of sections 3 to 5.
* Joints of any kind: the paper has revolute ones. IH(i) of (2.11) is the sum of `turn` and `slide`;
  F_delta^i holds it at body i, IH_delta^i the turn alone, and T_delta^i the slide, which adds terms
  that vanish for revolute joints. Where the paper has H phi IH_delta^i, here stands
  H phi~ F_delta^i: the same for joints with one degree of freedom, where H F_delta^i = 0.
* Sensitivities [.]_i are by the coordinate i of the hinges; of joints with several degrees of
  freedom along that quasi-velocity, as Garofalo's D_h. Christoffel symbols need joints with one.
* Hinges: every joint counts, followers of other joints too. `E` gives the rates of the hinges from
  the robot's v: E v, E^T tau, E^T (matrix over hinges) E. It is the identity unless joints mimic
  others. Functions take and give vectors over hinges.
* Armature is the diagonal operator A: added to the mass matrix, and to D, where it has the part of
  the measurement noise of the Kalman filter.
* Corrected: signs, stars or cases of (1.2), (2.7), (2.11) to (2.13),
  (3.25), (5.50) and (5.52), and the cases missing in (5.55). P, D, G, K, psi, a and b are not
  defined in the paper.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.papers.jain_rodriguez.base import rigid as rigid
from jounce.papers.jain_rodriguez.composite import SpatialOperators as SpatialOperators
from jounce.papers.jain_rodriguez.operator import Operator as Operator
from jounce.papers.jain_rodriguez.operator import Space as Space
from jounce.papers.jain_rodriguez.vectors import *


def spatial_operators(robot: Any, q: ArrayLike) -> SpatialOperators:
    """Return the spatial operators of a robot at one configuration.

    Parameters
    ----------
    robot : Robot
        The robot.
    q : array_like (nq,)
        Configuration, of numbers or of symbols.

    Returns
    -------
    SpatialOperators
        Operators that can be multiplied and printed.
    """
    if np.ma.is_masked(q):
        raise TypeError(
            f"spatial_operators: argument 'q' has {np.ma.count_masked(q)} of its {np.size(q)}"
            " numbers masked; expected all, such as q.filled(0.0)"
        )
    return SpatialOperators(robot.tree, np.asarray(q), robot.model.joint_names)
