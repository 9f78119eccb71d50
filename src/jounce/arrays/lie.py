"""Rotations and rigid displacements by themselves: SO(3), SE(3) and unit quaternions, on batches.

    R = lie.so3.exp(vectors)                  # (..., 3) to (..., 3, 3)
    twists = lie.se3.log(T)                   # (..., 4, 4) to (..., 6)
    q = lie.quaternion.product(a, b)

Each is called as the quantities of a robot are: leading axes broadcast, single samples, float32 for
float32, `out=` by name. They are compiled from the same formulas (`math.lie`).

Rotation vectors are axis times angle (rad); twists (rotation, translation) have the rotation first,
quaternions are (w, x, y, z) and need not have unit length where they are arguments. Left Jacobians
belong to exp(x + e) = exp(J e) exp(x), right ones to exp(x + e) = exp(x) exp(J e), to first order
in e.

Errors are a few 1e-16 of the largest entry (of a vector, a quaternion, or a block of a matrix),
from the shortest vectors that there are to turns by pi, at which `log` gives one of two vectors.
Beyond, `exp` and the Jacobians go on, with errors that grow with the angle, their inverses up to
2 pi, where there are none, and `log` gives the shorter way. NaN comes out of NaN, infinite numbers
and the zero quaternion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jounce.arrays.bound_quantity import BoundQuantity
from jounce.catalog.arguments import Argument
from jounce.catalog.quantity import Quantity, Result, Signature, Traits
from jounce.math import lie, spatial
from jounce.math.scalar import Array, identity, zeros
from jounce.model.model import Model
from jounce.model.tree import Tree
from jounce.utils.deprecation import renamed_attribute

__all__ = ["Group", "Poses", "Quaternions", "quaternion", "se3", "so3"]

_VECTOR = {"vector": Argument((3,), "rotation vector, axis times angle (rad)")}
_TWIST = {"twist": Argument((6,), "twist (rotation, translation) (rad, m)")}
_R = {"R": Argument((3, 3), "rotation matrix")}
_T = {"T": Argument((4, 4), "pose, a homogeneous matrix")}
_QUATERNION = {"quaternion": Argument((4,), "quaternion (w, x, y, z) of any length but zero")}


class _Function(BoundQuantity):
    """A function of a group."""

    def __reduce__(self) -> Any:
        return getattr, (self.robot, self.definition.name)


class Group:
    """A group whose functions are its attributes."""

    exp: BoundQuantity
    log: BoundQuantity
    Ad: BoundQuantity
    ad: BoundQuantity
    left_jacobian: BoundQuantity
    right_jacobian: BoundQuantity
    left_jacobian_inverse: BoundQuantity
    right_jacobian_inverse: BoundQuantity

    def __init__(self, name: str, *functions: Quantity) -> None:
        self.name = name
        # what quantities ask of a robot
        self.model, self.tree = Model(name, (), ()), Tree((), 0, 0, 0, zeros(3), ())
        self.sizes: dict[str, int] = {}
        self.target: str | None = None
        self._names = tuple(row.name for row in functions)
        for row in functions:
            setattr(self, row.name, _Function(f"lie.{name}", row, self))

    def explain_singularity(self) -> str:
        """Say why the mass matrix is singular; '' if it is not known to be."""
        return ""

    @property
    def content_hash(self) -> str:
        """What it is, the same in every process."""
        return f"lie.{self.name}"

    def __reduce__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<lie.{self.name}: {', '.join(self._names)}>"


class Poses(Group):
    """SE(3)."""

    inverse: BoundQuantity


class Quaternions(Group):
    """Unit quaternions."""

    product: BoundQuantity
    inverse: BoundQuantity
    rotate: BoundQuantity
    normalize: BoundQuantity
    from_rotation: BoundQuantity
    difference: BoundQuantity

    @property
    def normalise(self) -> BoundQuantity:
        """Deprecated name of `normalize`."""
        return renamed_attribute(self, "normalise", "normalize")


def _row(
    name: str,
    function: Callable[..., Array],
    own: Mapping[str, Argument],
    shape: tuple[int, ...],
    doc: str,
    unit: str,
) -> Quantity:
    """A function of one sample, as a row of the catalog."""
    return Quantity(
        name,
        lambda tree, *given: function(*given),
        Signature(tuple(own), own=own),
        (Result(shape),),
        doc,
        unit,
        traits=Traits(geometry=False),
    )


def _jacobians(
    jacobian: Callable[[Array], Array],
    inverse: Callable[[Array], Array],
    own: Mapping[str, Argument],
    n: int,
) -> tuple[Quantity, ...]:
    """The four Jacobians from the left ones; right ones are those of the opposite vector."""
    of_log = "of how the logarithm changes"
    unit = "1" if n == 3 else "1, m"
    return tuple(
        _row(name, function, own, (n, n), doc, unit)
        for name, function, doc in (
            ("left_jacobian", jacobian, "Left Jacobian."),
            ("right_jacobian", lambda x: jacobian(-x), "Right Jacobian."),
            ("left_jacobian_inverse", inverse, f"Inverse of the left Jacobian: {of_log}."),
            (
                "right_jacobian_inverse",
                lambda x: inverse(-x),
                f"Inverse of the right Jacobian: {of_log}.",
            ),
        )
    )


def _pose(R: Array, p: Array) -> Array:
    T = identity(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def _inverse_pose(T: Array) -> Array:
    R = T[:3, :3].T
    return _pose(R, -(R @ T[:3, 3]))


_OF_VECTORS = (
    _row("ad", spatial.skew, _VECTOR, (3, 3), "Matrix of the cross product with it.", "rad"),
    *_jacobians(lie.rotation_jacobian, lie.rotation_jacobian_inverse, _VECTOR, 3),
)

so3 = Group(
    "so3",
    _row("exp", lie.rotation_exp, _VECTOR, (3, 3), "Rotation matrix of a rotation vector.", "1"),
    _row("log", lie.rotation_log, _R, (3,), "Rotation vector, at most pi long.", "rad"),
    _row("Ad", lambda R: R.copy(), _R, (3, 3), "Adjoint: the rotation matrix itself.", "1"),
    *_OF_VECTORS,
)

se3 = Poses(
    "se3",
    _row("exp", lambda x: _pose(*lie.pose_exp(x)), _TWIST, (4, 4), "Pose of a twist.", "1, m"),
    _row(
        "log",
        lambda T: lie.pose_log(T[:3, :3], T[:3, 3]),
        _T,
        (6,),
        "Twist of a pose, its rotation at most pi long.",
        "rad, m",
    ),
    _row(
        "Ad",
        lambda T: spatial.adjoint(T[:3, :3], T[:3, 3]),
        _T,
        (6, 6),
        "Adjoint: takes twists from the axes of the moved frame to those that it is moved in.",
        "1, m",
    ),
    _row("ad", spatial.ad, _TWIST, (6, 6), "Matrix of the Lie bracket with it.", "rad, m"),
    *_jacobians(lie.pose_jacobian, lie.pose_jacobian_inverse, _TWIST, 6),
    _row("inverse", _inverse_pose, _T, (4, 4), "Inverse of a pose.", "1, m"),
)

quaternion = Quaternions(
    "quaternion",
    _row("exp", lie.quaternion_exp, _VECTOR, (4,), "Unit quaternion of a rotation vector.", "1"),
    _row("log", lie.quaternion_log, _QUATERNION, (3,), "Rotation vector, at most pi long.", "rad"),
    _row(
        "Ad",
        lambda q: lie.rotation_from_quaternion(lie.normalize(q)),
        _QUATERNION,
        (3, 3),
        "Adjoint: the rotation matrix of a quaternion.",
        "1",
    ),
    *_OF_VECTORS,
    _row(
        "product",
        lie.quaternion_product,
        dict.fromkeys("ab", Argument((4,), "quaternion (w, x, y, z)")),
        (4,),
        "Hamilton product: the turn by b, then by a.",
        "1",
    ),
    _row(
        "inverse",
        lambda q: lie.quaternion_conjugate(lie.normalize(q)),
        _QUATERNION,
        (4,),
        "Unit quaternion of the opposite turn.",
        "1",
    ),
    _row(
        "rotate",
        lambda q, x: lie.quaternion_rotate(lie.normalize(q), x),
        {**_QUATERNION, "x": Argument((3,), "vector")},
        (3,),
        "The vector x turned by a quaternion.",
        "as x",
    ),
    _row("normalize", lie.normalize, _QUATERNION, (4,), "The quaternion of unit length.", "1"),
    _row(
        "from_rotation",
        lambda R: lie.normalize(lie.quaternion_from_rotation(R)),
        _R,
        (4,),
        "Unit quaternion with w >= 0 of a rotation matrix.",
        "1",
    ),
    _row(
        "difference",
        lie.quaternion_difference,
        dict.fromkeys(("first", "second"), _QUATERNION["quaternion"]),
        (3,),
        "Rotation vector of the turn from the first to the second, in the axes of either.",
        "rad",
    ),
)
