"""Synonyms of quantities and subjects: main entries of the index, which a search lists first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

#: Generated pages by their names, and pages of the site by their paths.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "robot.inverse_dynamics": (
        "inverse dynamics",
        "RNEA",
        "recursive Newton-Euler algorithm",
        "torque",
    ),
    "robot.forward_dynamics": (
        "forward dynamics",
        "ABA",
        "articulated-body algorithm",
        "acceleration from torques",
    ),
    "robot.mass_matrix": (
        "mass matrix",
        "inertia matrix",
        "joint-space inertia",
        "CRBA",
        "composite rigid body algorithm",
    ),
    "robot.mass_matrix_inverse": ("inverse mass matrix", "Minverse"),
    "robot.coriolis_matrix": ("Coriolis", "Coriolis matrix", "centrifugal", "passivity"),
    "robot.christoffel": ("Christoffel", "Christoffel symbols"),
    "robot.gravity_forces": ("gravity", "gravity compensation", "gravity vector"),
    "robot.bias_forces": ("bias forces", "nonlinear effects", "nle"),
    "robot.external_forces": ("external forces", "Jacobian transpose"),
    "robot.joint_friction": ("friction", "Coulomb friction", "viscous friction"),
    "robot.slotine_li_regressor": ("adaptive control", "Slotine-Li regressor"),
    "robot.kinetic_energy": ("kinetic energy", "energy"),
    "robot.potential_energy": ("potential energy",),
    "robot.center_of_mass": ("center of mass", "com"),
    "robot.com_jacobian": ("com Jacobian",),
    "robot.centroidal_momentum": ("centroidal momentum",),
    "robot.centroidal_momentum_matrix": ("centroidal momentum matrix", "CMM"),
    "robot.body_poses": ("link poses",),
    "robot.integrate": ("retraction", "exponential map"),
    "robot.difference": ("logarithm",),
    "robot.step": ("time step", "integrator", "semi-implicit Euler", "Runge-Kutta"),
    "frame.pose": ("forward kinematics", "FK", "transform"),
    "frame.jacobian": ("Jacobian", "geometric Jacobian", "body Jacobian"),
    "frame.jacobian_world": ("spatial Jacobian",),
    "frame.jacobian_rate": ("Jacobian derivative", "Jdot"),
    "frame.twist": ("twist", "frame velocity"),
    "frame.task_inertia": ("operational space", "task-space inertia"),
    "closed.loop_jacobian": ("constraint Jacobian",),
    "closed.constraint_forces": ("Lagrange multipliers", "constraint forces"),
    "contacts.contact_dynamics": ("contact dynamics",),
    "contacts.delassus_matrix": ("Delassus matrix",),
    "guide/inverse-kinematics": ("inverse kinematics", "IK"),
    "guide/contacts": ("contact", "contacts"),
    "guide/identification": ("identification", "system identification", "calibration"),
    "guide/steps": ("simulation", "rollout"),
    "guide/gradients": ("gradients", "autodiff"),
    "guide/control": ("controller", "control law", "PD control", "whole-body control"),
    "guide/trajectories": ("trajectory", "trajectories", "reference motion"),
    "guide/planning": ("time-optimal", "path planning", "TOPP"),
    "guide/elastic": ("elastic joints", "flexible joints", "series-elastic actuator"),
    "guide/task-space": ("task space", "operational-space control", "null space", "IMU"),
    "guide/linearization": ("linearization", "LQR", "linear-quadratic regulator"),
    "tutorials/kalman-filter": ("Kalman filter", "EKF", "state estimation"),
    "reference/conventions": (
        "conventions",
        "units",
        "degrees of freedom",
        "DoF",
        "quaternion order",
    ),
}


def index(name: str) -> list[str]:
    """Return an index directive in reStructuredText; main entries come first in a search."""
    entries = [f"   ! single: {word}" for word in SYNONYMS.get(name, ())]
    return [".. index::", *entries, ""] if entries else []


def _add(_app: Sphinx, docname: str, source: list[str]) -> None:
    if docname in SYNONYMS:
        directive = "\n".join(("```{eval-rst}", *index(docname), "```"))
        title, _, text = source[0].partition("\n# ")
        if title and not title.startswith("---"):  # the title is the first line
            title, text = "", source[0].removeprefix("# ")
        heading, _, body = text.partition("\n")
        source[0] = f"{title}\n# {heading}\n\n{directive}\n{body}".lstrip("\n")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add index entries to pages as they are read."""
    missing = [x for x in SYNONYMS if "/" in x and not Path(app.srcdir, f"{x}.md").exists()]
    assert not missing, f"no such pages: {missing}"
    app.connect("source-read", _add)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
