"""What quantities take: the state, signals, and numbers of the robot, with their time derivatives.

Sizes in shapes: nq, nv, nb (moving bodies), nt (velocities of all joints, of a
mechanism too, where nv counts the independent ones).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from jounce.catalog.charts import CONFIGURATION, PLACEMENTS, SCREWS, Chart, Shape
from jounce.errors import suggest


@dataclass(frozen=True)
class Argument:
    """An input of a quantity: its core shape and what it means.

    unsaid: what is said of its time derivatives if it may be left out. axis: whether quantities
    are differentiated by it, as d and its name. chart: how it changes, if it is no plain array.
    rate_of: the argument that it is a time derivative of, and the order, if its name does not tell.
    """

    shape: Shape
    doc: str
    unsaid: str = ""
    axis: bool = False
    chart: Chart | None = None
    rate_of: tuple[str, int] | None = None

    @property
    def directions(self) -> Shape:
        """Shape of what it can change by."""
        return self.shape if self.chart is None else self.chart.shape

    def rate(self, order: int, name: str) -> Argument:
        """Its time derivative of that order; name: what it is called there."""
        return Argument(self.directions, f"time derivative {order} of {name}{self.unsaid}")


#: The state and its time derivatives; past the jounce they are d5q, d6q, ...
STATE = ("q", "v", "a", "j", "s")

#: How what a robot is mounted on moves: see `Signature.base`.
BASE = ("base_twist", "base_acceleration")

_WRENCH = "wrench (moment, force) acting on each body, in its frame; or {frame: (..., 6)}"


def configuration(doc: str) -> Argument:
    """A configuration, which quantities are differentiated by along velocities."""
    return Argument(("nq",), doc, axis=True, chart=CONFIGURATION)


ARGUMENTS: dict[str, Argument] = {
    "q": configuration("configuration (rad, m, unit quaternions; see robot.joints)"),
    "v": Argument(("nv",), "velocity (rad/s, m/s; body-fixed twists for free joints)", axis=True),
    "a": Argument(("nv",), "acceleration, the time derivative of v", axis=True),
    "j": Argument(("nv",), "jerk, the time derivative of a", axis=True),
    "s": Argument(("nv",), "jounce, the time derivative of j", axis=True),
    "tau": Argument(("nv",), "generalised forces (N m, N)", axis=True),
    "w": Argument(("nb", 6), _WRENCH),
    "wrenches": Argument(
        ("nb", 6), _WRENCH, " in the axes of the bodies; taken as zero if not given"
    ),
    "base_twist": Argument(
        (6,), "twist (omega, v) of what the robot is mounted on, in its own (the world's) axes"
    ),
    "base_acceleration": Argument(
        (6,),
        "time derivative of base_twist; gravity acts besides, in the same axes",
        "; taken as zero if not given",
    ),
    "lam": Argument(("nv",), "weights of the components of the quantity"),
    "v_r": Argument(("nv",), "reference velocity"),
    "a_r": Argument(("nv",), "reference acceleration"),
    "pi": Argument(("nb", 10), "inertial parameters, as robot.model.parameters"),
    "placements": Argument(
        ("nb", 4, 4), "pose of each joint in its parent's body frame", chart=PLACEMENTS
    ),
    "screws": Argument(
        ("nb", 4, 4), "displacement of each joint's axis, in its body's frame", chart=SCREWS
    ),
    "gravity": Argument((3,), "gravitational acceleration (m/s^2), by default the robot's"),
    "joint_forces": Argument(
        ("nt",),
        "generalised forces on all joints of a closed mechanism",
        "; taken as zero if not given",
    ),
    "stiffness": Argument(
        ("nv",),
        "stiffness of each drive's spring (N m/rad, N/m), infinite where it is rigid",
        "; taken as zero if not given",
    ),
    "damping": Argument(("nv",), "viscous friction of each motor (N m s/rad, N s/m)"),
    "motor_inertia": Argument(("nv",), "inertia of each motor, seen after the gear (kg m^2, kg)"),
    "smoothing": Argument((), "speed below which Coulomb friction fades (rad/s, m/s)"),
}

#: What a quantity can be differentiated by, axis after axis; q is along velocities.
IN_STATE = tuple(name for name, given in ARGUMENTS.items() if given.axis)


def rate_name(name: str, order: int) -> str:
    """Name of the time derivative of an argument: q, v, a, j, s, d5q; w, dw, ddw, d3w.

    That of base_twist is base_acceleration, and that of dw is ddw.
    """
    of, known = rate_of(name) or (name, 0)
    at = known + order
    if of == "q" and at < len(STATE):
        return STATE[at]
    if of == "base_twist" and at:
        return rate_name("base_acceleration", at - 1)
    return prefixed(of, at)


def prefixed(name: str, order: int) -> str:
    """A name for the time derivative of something: w, dw, ddw, d3w."""
    return ("", "d", "dd")[order] + name if order < 3 else f"d{order}{name}"


_RATE = re.compile(rf"(dd?|d\d+)({'|'.join(ARGUMENTS)})")


def rate_of(name: str) -> tuple[str, int] | None:
    """What an argument is a time derivative of, and of which order: a is (q, 2), ddw is (w, 2)."""
    if name in STATE:
        return "q", STATE.index(name)
    if name in ARGUMENTS:
        return name, 0
    found = _RATE.fullmatch(name)
    if found is None:
        return None
    count = found[1][1:]  # "d", "dd" or "d5" without its first letter
    return found[2], int(count) if count.isdigit() else 1 + len(count)


def by_frame(name: str) -> bool:
    """Whether an argument is wrenches on the bodies, which may be given by the names of frames."""
    known = rate_of(name)
    return known is not None and known[0] in ("w", "wrenches")


@cache
def argument(name: str) -> Argument:
    """Shape and meaning of an argument, time derivatives of the listed ones included."""
    if name in ARGUMENTS:
        return ARGUMENTS[name]
    known = rate_of(name)
    if known is None:
        raise ValueError(f"no argument '{name}'; {suggest(name, ARGUMENTS)}")
    base, order = known
    return ARGUMENTS[base].rate(order, base)
