"""Inverse dynamics of robots with elastic joints: flexible gears, series-elastic drives.

Each driven joint has two masses, the link at q and the motor at theta, with a spring between:

    M(q) a + C(q, v) v + g(q) = tau                          the links
    tau = K (theta - q) + D (d/dt theta - v)                 the spring, and its damping
    J d2/dt2 theta + d d/dt theta + tau = tau_m              the motor

(Spong's model: the rotors' spin about other axes than their own is neglected.) Motor positions,
torques, inertias J and frictions d are those seen after the gear: with the ratio N, theta =
theta_rotor / N, tau_m = N tau_rotor, J = N^2 J_rotor, d = N^2 d_rotor.

Without damping of the spring the inverse is algebraic: theta = q + tau / K, and the motor's
velocity and acceleration need d/dt tau and d2/dt2 tau, hence the jerk j and the jounce s of the
trajectory (`robot.elastic_inverse_dynamics`). The stiffness may change in time, K(t) with two
rates, or the spring be a nonlinear one (`Spring`), tau = f(theta - q). With D the deflection
x = theta - q is a state of its own, D d/dt x + K x = tau: what the motor has to do now depends on
the past, and a trajectory has to be followed from its start (`elastic_trajectory`).

All this holds for a mechanism (`robot.closed()`), whose independent joints can have elastic drives.

The inertia of an elastic drive's motor belongs here and must not also be in the joint's armature,
which moves rigidly with the link. Joint friction on the link's side (`robot.joint_friction`) is not
part of tau. Start with `dynamics.py`.
"""

from jounce.solve.elastic.drives import Drives as Drives
from jounce.solve.elastic.drives import ElasticMotion as ElasticMotion
from jounce.solve.elastic.dynamics import ElasticInverseDynamics as ElasticInverseDynamics
from jounce.solve.elastic.dynamics import elastic_inverse_dynamics as elastic_inverse_dynamics
from jounce.solve.elastic.springs import Spring as Spring
from jounce.solve.elastic.trajectory import elastic_trajectory as elastic_trajectory

__all__ = [
    "Drives",
    "ElasticInverseDynamics",
    "ElasticMotion",
    "Spring",
    "elastic_inverse_dynamics",
    "elastic_trajectory",
]
