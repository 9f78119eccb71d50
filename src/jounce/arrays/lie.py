"""Lie groups SO(3), SE(3) and unit quaternions: exponentials, logarithms, Jacobians, on batches.

    R = lie.so3.exp(vectors)                  # (..., 3) to (..., 3, 3)
    twists = lie.se3.log(T)                   # (..., 4, 4) to (..., 6)
    q = lie.quaternion.product(a, b)

Functions are called as quantities of a robot: leading axes broadcast, results are float32 if the
arguments are, `out=` is an option. They are compiled from the same formulas (`math.lie`).

Rotation vectors are axis times angle (rad); twists (rotation, translation) have the rotation first,
quaternions are (w, x, y, z), and arguments are normalized. The left Jacobian J satisfies
exp(x + e) = exp(J e) exp(x), the right Jacobian exp(x + e) = exp(x) exp(J e), to first order in e.

For rotation angles from 0 to pi, errors are a few 1e-16 of the largest entry (of a vector, a
quaternion, or a block of a matrix); at pi, `log` returns one of two vectors. Beyond pi, errors of
`exp` and the Jacobians grow with the angle, inverses of Jacobians exist up to 2 pi, and `log`
returns the shorter rotation. Results are NaN for NaN, infinity and the zero quaternion.
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
    """A function of a Lie group."""

    def __reduce__(self) -> Any:
        return getattr, (self.robot, self.definition.name)


class Group:
    """A Lie group; its functions are attributes."""

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
        # the interface `Owner` of quantities
        self.model, self.tree = Model(name, (), ()), Tree((), 0, 0, 0, zeros(3), ())
        self.sizes: dict[str, int] = {}
        self.target: str | None = None
        self._names = tuple(definition.name for definition in functions)
        for definition in functions:
            setattr(self, definition.name, _Function(f"lie.{name}", definition, self))

    def explain_singularity(self) -> str:
        """Return why the mass matrix is singular.

        Returns
        -------
        str
            Always '', since a group has no mass matrix.
        """
        return ""

    @property
    def content_hash(self) -> str:
        """Content hash, equal in every process."""
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


def _entry(
    name: str,
    function: Callable[..., Array],
    own: Mapping[str, Argument],
    shape: tuple[int, ...],
    doc: str,
    unit: str,
) -> Quantity:
    """Return the catalog entry of a function of one sample."""
    return Quantity(
        name,
        lambda tree, *given: function(*given),
        Signature(tuple(own), definitions=own),
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
    """Return the entries of the left and right Jacobians and inverses: J_right(x) = J_left(-x)."""
    of_log = "derivative of the logarithm"
    unit = "1" if n == 3 else "1, m"
    return tuple(
        _entry(name, function, own, (n, n), doc, unit)
        for name, function, doc in (
            ("left_jacobian", jacobian, "Left Jacobian."),
            ("right_jacobian", lambda x: jacobian(-x), "Right Jacobian."),
            ("left_jacobian_inverse", inverse, f"Inverse of the left Jacobian, the {of_log}."),
            (
                "right_jacobian_inverse",
                lambda x: inverse(-x),
                f"Inverse of the right Jacobian, the {of_log}.",
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
    _entry(
        "ad",
        spatial.skew,
        _VECTOR,
        (3, 3),
        "Cross-product (skew-symmetric) matrix of a vector.",
        "rad",
    ),
    *_jacobians(lie.rotation_jacobian, lie.rotation_jacobian_inverse, _VECTOR, 3),
)

so3 = Group(
    "so3",
    _entry(
        "exp",
        lie.rotation_exp,
        _VECTOR,
        (3, 3),
        "Exponential map: rotation matrix of a rotation vector.",
        "1",
    ),
    _entry("log", lie.rotation_log, _R, (3,), "Logarithm: rotation vector, norm <= pi.", "rad"),
    _entry(
        "Ad", lambda R: R.copy(), _R, (3, 3), "Adjoint matrix: the rotation matrix itself.", "1"
    ),
    *_OF_VECTORS,
)

se3 = Poses(
    "se3",
    _entry(
        "exp",
        lambda x: _pose(*lie.pose_exp(x)),
        _TWIST,
        (4, 4),
        "Exponential map: pose of a twist.",
        "1, m",
    ),
    _entry(
        "log",
        lambda T: lie.pose_log(T[:3, :3], T[:3, 3]),
        _T,
        (6,),
        "Logarithm: twist of a pose, with a rotation angle <= pi.",
        "rad, m",
    ),
    _entry(
        "Ad",
        lambda T: spatial.adjoint(T[:3, :3], T[:3, 3]),
        _T,
        (6, 6),
        "Adjoint matrix: transforms twists from the axes of the frame to those of its reference.",
        "1, m",
    ),
    _entry(
        "ad", spatial.ad, _TWIST, (6, 6), "Matrix of the Lie bracket: ad(x) y = [x, y].", "rad, m"
    ),
    *_jacobians(lie.pose_jacobian, lie.pose_jacobian_inverse, _TWIST, 6),
    _entry("inverse", _inverse_pose, _T, (4, 4), "Inverse of a pose.", "1, m"),
)

quaternion = Quaternions(
    "quaternion",
    _entry(
        "exp",
        lie.quaternion_exp,
        _VECTOR,
        (4,),
        "Exponential map: unit quaternion of a rotation vector.",
        "1",
    ),
    _entry(
        "log",
        lie.quaternion_log,
        _QUATERNION,
        (3,),
        "Logarithm: rotation vector, norm <= pi.",
        "rad",
    ),
    _entry(
        "Ad",
        lambda q: lie.rotation_from_quaternion(lie.normalize(q)),
        _QUATERNION,
        (3, 3),
        "Adjoint matrix: the rotation matrix of a quaternion.",
        "1",
    ),
    *_OF_VECTORS,
    _entry(
        "product",
        lie.quaternion_product,
        dict.fromkeys("ab", Argument((4,), "quaternion (w, x, y, z)")),
        (4,),
        "Hamilton product a b: the rotation by b, then by a.",
        "1",
    ),
    _entry(
        "inverse",
        lambda q: lie.quaternion_conjugate(lie.normalize(q)),
        _QUATERNION,
        (4,),
        "Inverse: unit quaternion of the opposite rotation.",
        "1",
    ),
    _entry(
        "rotate",
        lambda q, x: lie.quaternion_rotate(lie.normalize(q), x),
        {**_QUATERNION, "x": Argument((3,), "vector")},
        (3,),
        "Vector x rotated by a quaternion.",
        "as x",
    ),
    _entry("normalize", lie.normalize, _QUATERNION, (4,), "Normalized quaternion.", "1"),
    _entry(
        "from_rotation",
        lambda R: lie.normalize(lie.quaternion_from_rotation(R)),
        _R,
        (4,),
        "Unit quaternion with w >= 0 of a rotation matrix.",
        "1",
    ),
    _entry(
        "difference",
        lie.quaternion_difference,
        dict.fromkeys(("first", "second"), _QUATERNION["quaternion"]),
        (3,),
        "Rotation vector from the first to the second orientation, in the axes of either.",
        "rad",
    ),
)
