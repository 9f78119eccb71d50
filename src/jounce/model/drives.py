"""Elastic drives of a tree: numbers of springs and motors, which formulas read."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True, eq=False)
class SpringLaw:
    """A nonlinear spring: elementwise functions of the deflections of some velocities.

    entries: velocities, in the order of the functions' argument.
    """

    force: Callable[[Any], Any]
    slope: Callable[[Any], Any]
    energy: Callable[[Any], Any]
    entries: tuple[int, ...]


class ElasticDrives(NamedTuple):
    """Numbers of the drives, one for each velocity of the state.

    stiffness: infinite for a rigid joint. damping: viscous friction of the motor. rotors: nodes
    that turn with motors. law: replaces the stiffness where it is finite.
    """

    stiffness: tuple[float, ...]
    damping: tuple[float, ...]
    motor_inertia: tuple[float, ...]
    spring_damping: tuple[float, ...]
    rotors: tuple[int, ...] = ()
    law: SpringLaw | None = None

    @property
    def elastic(self) -> list[int]:
        """Velocities of joints with a spring."""
        return [k for k, x in enumerate(self.stiffness) if math.isfinite(x)]


#: Fields that can be arguments of quantities instead.
DRIVE_NUMBERS = ("stiffness", "damping", "motor_inertia", "spring_damping")
