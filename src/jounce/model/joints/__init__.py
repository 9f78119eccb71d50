"""Joint kinds: coordinates, elementary motions, and configuration manifolds.

| kind        | q                                       | v                                   |
|-------------|-----------------------------------------|-------------------------------------|
| revolute    | angle                                   | rate                                |
| prismatic   | displacement                            | rate                                |
| helical     | angle                                   | rate                                |
| cylindrical | angle, displacement                     | rates                               |
| universal   | angle 1, angle 2                        | rates                               |
| spherical   | quaternion w, x, y, z                   | body-fixed angular velocity         |
| planar      | angle, x, y                             | body-fixed angular velocity, vx, vy |
| free        | quaternion w, x, y, z, position x, y, z | body-fixed twist omega, v           |

Start with `kinds.py` and `joint_kind.py`. Each kind is one object, which contains everything that
the package needs: `motions` has the elementary motions, whose motion subspace is constant in
the child's frame (about or along the child's z axis for those with one axis), `kinds` the kinds
that models name: motions in series, all but the last massless (`tree` splits them). A formula
written once for a constant subspace covers every kind.

One call adds a kind; all quantities, derivatives and exports support it:

    joints.add(joints.Kind("ball_and_slide", (joints.SPHERICAL, joints.PRISMATIC)))
"""

from jounce.model.joints.joint_kind import AXES, SPANS, Kind, Part, finite_range
from jounce.model.joints.kinds import (
    FLOATING,
    KINDS,
    add,
    alone,
    kind_of,
    remove,
    spellings,
    table,
)
from jounce.model.joints.motions import (
    FREE,
    HELICAL,
    PLANAR,
    PRISMATIC,
    REVOLUTE,
    SPHERICAL,
    Counterpart,
    ElementaryMotion,
)

__all__ = [
    "AXES",
    "FLOATING",
    "FREE",
    "HELICAL",
    "KINDS",
    "PLANAR",
    "PRISMATIC",
    "REVOLUTE",
    "SPANS",
    "SPHERICAL",
    "Counterpart",
    "ElementaryMotion",
    "Kind",
    "Part",
    "add",
    "alone",
    "finite_range",
    "kind_of",
    "remove",
    "spellings",
    "table",
]
