"""Excitation trajectories: motions from which inertial parameters can be identified well.

Every joint follows a Fourier series with a common base period T = 2 pi / w (Swevers et al. 1997):

    q(t) = q_0 + sum_k a_k / (w k) sin(w k t) - b_k / (w k) cos(w k t)
    v(t) =       sum_k a_k cos(w k t) + b_k sin(w k t),       k = 1 .. harmonics

so that measurements can be averaged over periods and differentiated without noise. `optimize`
chooses q_0, a_k and b_k such that the regressor W of the base parameters, stacked over a period,
is as well conditioned as it can be within limits of position, velocity, acceleration, torque and
workspace.

All gradients are closed forms. A cost f(s) of the singular values of W = U s V^T has the gradient
G = U f'(s) V^T in W. Torques are linear in the parameters, so with the rows G_i of G for parameters
<G, Y> = sum_i tau_i(q, v, a; G_i): its derivatives in q, v and a are those of inverse dynamics, and
the large tensors dY/dq, dY/dv and dY/da are never formed. The state is linear in the coefficients.
"""

from typing import TYPE_CHECKING

from jounce.identification.excitation.design import Cost as Cost
from jounce.identification.excitation.design import Excitation as Excitation
from jounce.identification.excitation.design import optimize as optimize
from jounce.identification.excitation.limits import Limits as Limits
from jounce.identification.excitation.trajectory import FourierTrajectory as FourierTrajectory
from jounce.identification.excitation.trajectory import Motion as Motion
from jounce.utils import moved_names

__all__ = [
    "Cost",
    "Excitation",
    "FourierTrajectory",
    "Limits",
    "Motion",
    "optimize",
]

if not TYPE_CHECKING:
    __getattr__ = moved_names(__name__, {"optimise": f"{__name__}.optimize"})
