"""Models of robots: joints, bodies, frames, loops, and the tree that formulas traverse.

`model.py` has the data classes, frozen and validated, `joint.py` that of joints; `joints` has one
object per joint kind, `inertia` the parameters of bodies, `tree.py` the tree of elementary motions
that a model is lowered to. No files, no dynamics. Imports `math`, `utils` and `errors`. Start with
`model.py`, then `joints/kinds.py`.
"""

from typing import TYPE_CHECKING

from jounce.model.constraints import Contact, Loop
from jounce.model.model import Body, Frame, Joint, Mesh, Mimic, Model, Solid, checked_model
from jounce.model.tree import DRIVES, Node, Tree, coordinates, inverse_pose, lower, moved_inertia
from jounce.utils.lazy import submodules

__all__ = [
    "DRIVES",
    "Body",
    "Contact",
    "Frame",
    "Joint",
    "Loop",
    "Mesh",
    "Mimic",
    "Model",
    "Node",
    "Solid",
    "Tree",
    "checked_model",
    "coordinates",
    "inertia",
    "inverse_pose",
    "joints",
    "lower",
    "manifold",
    "moved_inertia",
]

if TYPE_CHECKING:
    from jounce.model import constraints as constraints
    from jounce.model import digest as digest
    from jounce.model import drives as drives
    from jounce.model import inertia as inertia
    from jounce.model import joint as joint
    from jounce.model import joints as joints
    from jounce.model import limits as limits
    from jounce.model import links as links
    from jounce.model import manifold as manifold
    from jounce.model import model as model
    from jounce.model import numbers as numbers
    from jounce.model import poses as poses
    from jounce.model import shapes as shapes
    from jounce.model import tree as tree
else:
    __getattr__, __dir__ = submodules(__name__)
