"""Controllers: control laws of a robot, each compiled as one kernel, and their simulation.

`controller.py` turns a law, a Python function of one sample, into a kernel that takes batches, has
derivatives and can be exported; `traced_model.py` is the robot that a law computes with. The other
files hold laws by topic, each as a formula and the function that makes a controller of it. Imports
public names of the packages below it only. Start with `rigid.py`.
"""

from jounce.control.adaptive import composite_adaptive, slotine_li_adaptive
from jounce.control.controller import Controller
from jounce.control.elastic import (
    backstepping,
    feedback_linearization,
    flatness_feedforward,
    motor_pd,
    stiffness_decoupling,
)
from jounce.control.observers import (
    collision_detector,
    disturbance_observer,
    momentum_observer,
    wrench_observer,
)
from jounce.control.operational_space import cartesian_impedance, operational_space
from jounce.control.payload_filter import payload_observer
from jounce.control.rigid import (
    computed_torque,
    friction_compensation,
    gravity_compensation,
    pd_plus,
    slotine_li,
)
from jounce.control.simulation import Simulation, simulate
from jounce.control.traced_model import TracedModel, TracedQuantity
from jounce.control.whole_body import WholeBodyController
from jounce.control.whole_body_solver import WholeBodySolution
from jounce.control.whole_body_tasks import (
    CenterOfMassTask,
    FrameTask,
    MomentumTask,
    PostureTask,
)

__all__ = [
    "CenterOfMassTask",
    "Controller",
    "FrameTask",
    "MomentumTask",
    "PostureTask",
    "Simulation",
    "TracedModel",
    "TracedQuantity",
    "WholeBodyController",
    "WholeBodySolution",
    "backstepping",
    "cartesian_impedance",
    "collision_detector",
    "composite_adaptive",
    "computed_torque",
    "disturbance_observer",
    "feedback_linearization",
    "flatness_feedforward",
    "friction_compensation",
    "gravity_compensation",
    "momentum_observer",
    "motor_pd",
    "operational_space",
    "payload_observer",
    "pd_plus",
    "simulate",
    "slotine_li",
    "slotine_li_adaptive",
    "stiffness_decoupling",
    "wrench_observer",
]
