"""Scalars, vectors and groups: the mathematics below the formulas."""

from typing import TYPE_CHECKING

from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.math import alternatives as alternatives
    from jounce.math import jets as jets
    from jounce.math import lie as lie
    from jounce.math import linear as linear
    from jounce.math import poses as poses
    from jounce.math import scalar as scalar
    from jounce.math import spatial as spatial
else:
    __getattr__, __dir__ = submodules(__name__)
