"""What a robot is made of: joints, bodies, the tree that formulas walk. No files, no dynamics."""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.model import constraints as constraints
    from jounce.model import digest as digest
    from jounce.model import inertia as inertia
    from jounce.model import joints as joints
    from jounce.model import limits as limits
    from jounce.model import links as links
    from jounce.model import manifold as manifold
    from jounce.model import model as model
    from jounce.model import numbers as numbers
    from jounce.model import shapes as shapes
    from jounce.model import tree as tree
else:
    __getattr__, __dir__ = submodules(__name__)
