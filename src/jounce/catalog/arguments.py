"""Arguments of quantities: state, signals and parameters of the robot, with time derivatives.

Sizes in shapes: nq, nv, nb (moving bodies), nt (velocities of all joints; in mechanisms, nv counts
only the independent ones).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from jounce.catalog.charts import CONFIGURATION, PLACEMENTS, SCREWS, Chart, Shape
from jounce.errors import suggest


@dataclass(frozen=True)
class Argument:
    """An input of a quantity: core shape and description.

    default_note: end of the description of its time derivatives, such as "; zero by default". axis:
    whether quantities have derivatives in it, named d and its name. chart: its tangent space, if it
    is not a plain array. rate_of: the argument of which it is a time derivative, and the order, for
    names that `rate_of` does not parse.
    """

    shape: Shape
    doc: str
    default_note: str = ""
    axis: bool = False
    chart: Chart | None = None
    rate_of: tuple[str, int] | None = None

    @property
    def tangent_shape(self) -> Shape:
        """Shape of its tangents."""
        return self.shape if self.chart is None else self.chart.shape

    def rate(self, order: int, name: str) -> Argument:
        """Return the argument for its time derivative; name: its name in the description."""
        return Argument(self.tangent_shape, f"time derivative {order} of {name}{self.default_note}")


#: The configuration and its time derivatives; higher ones are d5q, d6q, ...
STATE = ("q", "v", "a", "j", "s")

#: Motion of a moving base, see `Signature.base`.
BASE = ("base_twist", "base_acceleration")

_WRENCH = "wrench (moment, force) acting on each body, in its frame; or {frame: (..., 6)}"


def configuration(doc: str) -> Argument:
    """Return an argument that is a configuration, with derivatives along velocities."""
    return Argument(("nq",), doc, axis=True, chart=CONFIGURATION)


ARGUMENTS: dict[str, Argument] = {
    "q": configuration("configuration (rad, m, unit quaternions; see robot.joints)"),
    "v": Argument(("nv",), "velocity (rad/s, m/s; body-fixed twists for free joints)", axis=True),
    "a": Argument(("nv",), "acceleration, the time derivative of v", axis=True),
    "j": Argument(("nv",), "jerk, the time derivative of a", axis=True),
    "s": Argument(("nv",), "jounce, the time derivative of j", axis=True),
    "tau": Argument(("nv",), "generalized forces (N m, N)", axis=True),
    "w": Argument(("nb", 6), _WRENCH),
    "wrenches": Argument(("nb", 6), _WRENCH, " in the axes of the bodies; zero by default"),
    "base_twist": Argument(
        (6,), "twist (omega, v) of the moving base, in its own axes (rad/s, m/s)"
    ),
    "base_acceleration": Argument(
        (6,),
        "time derivative of base_twist; gravity is added separately, in the same axes",
        "; zero by default",
    ),
    "lam": Argument(("nv",), "weights of the components of the quantity"),
    "v_r": Argument(("nv",), "reference velocity"),
    "a_r": Argument(("nv",), "reference acceleration"),
    "pi": Argument(
        ("nb", 10), "inertial parameters (m, m c, I) of the bodies, as robot.model.parameters"
    ),
    "placements": Argument(
        ("nb", 4, 4), "pose of each joint in its parent's body frame", chart=PLACEMENTS
    ),
    "screws": Argument(
        ("nb", 4, 4), "displacement of each joint axis in the frame of its body", chart=SCREWS
    ),
    "parameter_tangent": Argument(("nb", 10), "change of the inertial parameters of the bodies"),
    "screw_tangent": Argument(("nb", 6), "displacement of each joint's screw (rad, m)"),
    "placement_tangent": Argument(("nb", 6), "displacement of each joint's placement (rad, m)"),
    "gravity": Argument((3,), "gravitational acceleration (m/s^2), by default the robot's"),
    "joint_forces": Argument(
        ("nt",),
        "generalized forces on all joints of a mechanism with loops (N m, N)",
        "; zero by default",
    ),
    "stiffness": Argument(
        ("nv",),
        "stiffness of each drive (N m/rad, N/m), infinite for a rigid one",
        "; zero by default",
    ),
    "damping": Argument(("nv",), "viscous friction of each motor (N m s/rad, N s/m)"),
    "motor_inertia": Argument(
        ("nv",), "inertia of each motor, reflected through the gear (kg m^2, kg)"
    ),
    "smoothing": Argument((), "speed below which Coulomb friction fades (rad/s, m/s)"),
}

#: Arguments in which quantities have derivatives, with one axis each; q along velocities.
STATE_ARGUMENTS = tuple(name for name, arg in ARGUMENTS.items() if arg.axis)


def rate_name(name: str, order: int) -> str:
    """Return the name of a time derivative of an argument: q, v, a, j, s, d5q; w, dw, ddw, d3w.

    The derivative of base_twist is base_acceleration, and that of dw is ddw.
    """
    base, base_order = rate_of(name) or (name, 0)
    total = base_order + order
    if base == "q" and total < len(STATE):
        return STATE[total]
    if base == "base_twist" and total:
        return rate_name("base_acceleration", total - 1)
    return prefix_name(base, total)


def prefix_name(name: str, order: int) -> str:
    """Return a name with a prefix for its time derivative: w, dw, ddw, d3w."""
    return ("", "d", "dd")[order] + name if order < 3 else f"d{order}{name}"


_RATE = re.compile(rf"(dd?|d\d+)({'|'.join(ARGUMENTS)})")


def rate_of(name: str) -> tuple[str, int] | None:
    """Return the argument of which an argument is a time derivative, and the order.

    Parameters
    ----------
    name : str
        Name of the argument, such as "a" or "ddw".

    Returns
    -------
    tuple of (str, int) or None
        ("q", 2) for "a", ("w", 2) for "ddw"; order 0 for the argument itself; None if the name is
        unknown.
    """
    if name in STATE:
        return "q", STATE.index(name)
    if name in ARGUMENTS:
        return name, 0
    match = _RATE.fullmatch(name)
    if match is None:
        return None
    count = match[1][1:]  # "d", "dd" or "d5" without its first letter
    return match[2], int(count) if count.isdigit() else 1 + len(count)


def by_frame(name: str) -> bool:
    """Return whether an argument is wrenches on bodies, which may be given by frame."""
    known = rate_of(name)
    return known is not None and known[0] in ("w", "wrenches")


@cache
def argument(name: str) -> Argument:
    """Return the definition of an argument, including time derivatives of those in `ARGUMENTS`."""
    if name in ARGUMENTS:
        return ARGUMENTS[name]
    known = rate_of(name)
    if known is None:
        raise ValueError(f"no argument '{name}'; {suggest(name, ARGUMENTS)}")
    base, order = known
    return ARGUMENTS[base].rate(order, base)
