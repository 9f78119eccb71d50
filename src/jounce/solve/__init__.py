"""Solvers: inverse kinematics, closed loops, contacts, elastic drives, rollouts, design.

Each package turns formulas of one step or one sample into a method of robots: `inverse_kinematics`
searches, `mechanism` closes loops, `contacts` finds forces, `elastic` finds motor motions, `motion`
steps through time, `design` changes shapes. Imports everything up to `robot`. Start with
`motion/rollout.py`, the simplest.
"""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.solve import contacts, design, elastic, inverse_kinematics, mechanism, motion
    from jounce.solve.elastic.robot import ElasticRobot
    from jounce.solve.mechanism.robot import Mechanism
    from jounce.solve.subsystem import Subsystem

__all__ = [
    "ElasticRobot",
    "Mechanism",
    "Subsystem",
    "contacts",
    "design",
    "elastic",
    "inverse_kinematics",
    "mechanism",
    "motion",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(
        __name__,
        {
            "ElasticRobot": "jounce.solve.elastic.robot",
            "Mechanism": "jounce.solve.mechanism.robot",
            "Subsystem": "jounce.solve.subsystem",
        },
    )
