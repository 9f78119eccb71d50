"""Spatial operators of a robot: `robot.spatial_operators`.

Sizes in shapes: nn counts the nodes of the tree (as many per joint as it has motions), nh their
velocities. nh is nv unless joints follow others.
"""

from __future__ import annotations

from jounce.catalog.quantity import Formula, Quantity, Result, Signature, Traits
from jounce.catalog.tables import Tables
from jounce.formulas import spatial_operators

_MOVES, _INERTIAL = Traits(), Traits(inertial=True)
_SOLVES = Traits(solves=True, inertial=True)
_BODIES, _HINGES = "6nn", "nh"
_INERTIAS = "kg m^2, kg m, kg"


def _operator(
    formula: Formula,
    shape: tuple[str, str],
    doc: str,
    unit: str,
    equation: str,
    traits: Traits = _SOLVES,
) -> Quantity:
    name = formula.__name__
    result = (Result(shape, name),)
    return Quantity(name, formula, Signature(("q",)), result, doc, unit, equation, traits)


_OPERATORS = (
    _operator(
        spatial_operators.H,
        (_HINGES, _BODIES),
        "Screws of the joints as rows, one block for each node.",
        "1, m",
        "V = phi^T H^T v",
        _MOVES,
    ),
    _operator(
        spatial_operators.phi,
        (_BODIES, _BODIES),
        "Transport of forces from each node to the nodes that carry it; transposed, of velocities.",
        "1, m",
        "Jain-Rodriguez (1.3)",
        _MOVES,
    ),
    _operator(
        spatial_operators.M,
        (_BODIES, _BODIES),
        "Inertias of the bodies, one block for each node.",
        _INERTIAS,
        "mass matrix H phi M phi^T H^T plus armature",
        _INERTIAL,
    ),
    _operator(
        spatial_operators.P,
        (_BODIES, _BODIES),
        "Articulated-body inertias, one block for each node.",
        _INERTIAS,
        "P(k) = M(k) + sum phi (1 - G H) P phi^T over the children",
    ),
    _operator(
        spatial_operators.D,
        (_HINGES, _HINGES),
        "Articulated-body inertias along the joints, armature included.",
        _INERTIAS,
        "D = H P H^T",
    ),
    _operator(
        spatial_operators.G,
        (_BODIES, _HINGES),
        "Wrenches of the articulated bodies per unit of force in their joints.",
        "1, 1/m",
        "G = P H^T D^-1",
    ),
    _operator(
        spatial_operators.K,
        (_BODIES, _HINGES),
        "Kalman gain: G, about the origins of the parents.",
        "1, 1/m",
        "K = E_phi G",
    ),
    _operator(
        spatial_operators.psi,
        (_BODIES, _BODIES),
        "Transport of forces across joints that give way, without the part that moves the joints.",
        "1, m, 1/m",
        "psi = (1 - E_phi + K H)^-1",
    ),
    _operator(
        spatial_operators.innovations_factor,
        (_HINGES, _HINGES),
        "Triangular factor of the mass matrix, with blocks of the identity on the diagonal.",
        "1, m, 1/m",
        "M = [1 + H phi K] D [1 + H phi K]^T; Jain-Rodriguez, Identity 1.1",
    ),
    _operator(
        spatial_operators.innovations_factor_inverse,
        (_HINGES, _HINGES),
        "Triangular factor of the inverse of the mass matrix.",
        "1, m, 1/m",
        "M^-1 = [1 - H psi K]^T D^-1 [1 - H psi K]; Jain-Rodriguez, Identity 1.1",
    ),
)

OPERATORS = Tables({}, {}, {}, {}, {})
for _quantity in _OPERATORS:
    OPERATORS.insert(_quantity)
