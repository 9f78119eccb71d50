"""Elementary motions, each with a motion subspace that is constant in its child frame.

Each is a small class. The defaults of `ElementaryMotion` are those of motions whose velocities are
the rates of their coordinates, so that a new one, such as a table that slides along x and y, needs
only

    class Table(ElementaryMotion):
        name, rows, units = "table", (3, 4), ("m", "m")

        def displacement(self, q, pitch=0.0):
            return None, array((q[0], q[1], 0.0))

Quaternions need not have unit length: formulas take lengths from 1e-150 to 1e150 (1e-18 to 1e18 in
float32) and give NaN, never a wrong pose, for others and for zero; `integrate` and `difference`
take any length but zero, and what they give has unit length.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from jounce.math import lie
from jounce.math.jets import (
    coefficients,
    from_rates,
    integral,
    rotation_series,
    truncate,
)
from jounce.math.scalar import Array, array, cos, identity, sin, zeros
from jounce.math.spatial import Rotation, Turn
from jounce.utils.deprecation import moved_names

__getattr__ = moved_names(__name__, {"problem": "jounce.model.joints.motion_check.problem"})


class Counterpart(NamedTuple):
    """Pinocchio's joint of a motion: JointModel`name`, made from fields of our joint.

    q, v: where its coordinates and velocities stand in ours. circle: whether the last one of q is
    an angle that it holds as cosine and sine, or "maybe".
    """

    name: str
    fields: tuple[str, ...]
    q: tuple[int, ...]
    v: tuple[int, ...]
    circle: bool | Literal["maybe"] = False


class ElementaryMotion:
    """A motion of a child frame with a motion subspace S (6 x nv) that is constant in the child.

    rows: index of each velocity in (wx, wy, wz, vx, vy, vz). units: of the coordinates: "rad", "m",
    or "" for entries of a unit vector. words: names of the coordinates and of the velocities. unit:
    the coordinates that form a unit vector, such as a quaternion. flat: whether velocities are the
    rates of the coordinates. has_axis: whether z differs from x and y. axial: whether x and y are
    equivalent, so that the axis determines the frame. pitched: whether it depends on the joint's
    pitch. armature: one per velocity ("each"), one that is the same about all axes ("ball"), or
    "none", as for other velocities that do not commute. pinocchio: the equivalent joint there.
    """

    name: ClassVar[str]
    rows: ClassVar[tuple[int, ...]]
    units: ClassVar[tuple[str, ...]]
    words: ClassVar[tuple[str, str]] = ("coordinates", "rates")
    unit: ClassVar[slice] = slice(0, 0)
    flat: ClassVar[bool] = True
    axial: ClassVar[bool] = False
    has_axis: ClassVar[bool] = True
    pitched: ClassVar[bool] = False
    armature: ClassVar[Literal["each", "ball", "none"]] = "each"
    pinocchio: ClassVar[Counterpart | None] = None

    def __init_subclass__(cls) -> None:
        """Append the sections of the base class to docstrings of overriding methods."""
        for name, method in vars(cls).items():
            base = getattr(ElementaryMotion, name, None)
            if callable(base) and (method.__doc__ or "").count("\n") == 0 and base.__doc__:
                sections = base.__doc__.partition("\n")[2]
                method.__doc__ = f"{method.__doc__ or base.__doc__.splitlines()[0]}\n{sections}"

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return len(self.units)

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return len(self.rows)

    @property
    def turns(self) -> tuple[bool, ...]:
        """For each velocity, True if it is angular."""
        return tuple(row < 3 for row in self.rows)

    @property
    def limited(self) -> bool:
        """True if limits of velocity entry k bound coordinate k."""
        return self.nq == self.nv

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{self.name} motion>"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self))

    # -------------------------------------------------------------- for any scalar type

    def subspace(self, pitch: Any = 0.0) -> Array:
        """Return the motion subspace S, constant in the child's frame: relative twist = S v.

        Parameters
        ----------
        pitch : scalar
            Displacement per radian in m, of helical joints.

        Returns
        -------
        Array (6, nv)
            Motion subspace in (omega, v) order.
        """
        S = zeros(6, len(self.rows))
        for column, row in enumerate(self.rows):
            S[row, column] = 1.0
        return S

    def displacement(self, q: Array, pitch: Any = 0.0) -> tuple[Rotation | None, Array]:
        """Return the pose of the child relative to its placement.

        Parameters
        ----------
        q : Array (nq,)
            Coordinates.
        pitch : scalar
            Displacement per radian in m, of helical joints.

        Returns
        -------
        tuple of Rotation or None, and Array (3,)
            Rotation, None for the identity, and translation.
        """
        raise NotImplementedError(f"the {self.name} motion does not define displacement")

    def drift(self, v: Array, pitch: Any = 0.0) -> tuple[Rotation | None, Array]:
        """Return the relative motion of the child from now on, as Taylor series in time.

        Parameters
        ----------
        v : Array (nv,) of jets of order n - 1
            Velocities.
        pitch : scalar
            Displacement per radian in m, of helical joints.

        Returns
        -------
        tuple of Rotation or None, and Array (3,)
            Jets of order n that start at the identity, in the child's axes at time zero.

        Notes
        -----
        From dT/dt = T [S v], coefficient by coefficient: cheaper than the series of the
        displacement itself, with its sines and quaternions. Velocities that commute add up to a
        displacement.
        """
        return self.displacement(array(integral(x) for x in v), pitch)

    def configuration_rate(self, q: Array, v: Array) -> Array:
        """Return the time derivative of the coordinates.

        Parameters
        ----------
        q : Array (nq,)
            Coordinates.
        v : Array (nv,)
            Velocities.

        Returns
        -------
        Array (nq,)
            dq/dt.
        """
        return v

    def lumped(self, inertia: Array) -> tuple[Array, Array] | None:
        """Split the child's inertial parameters: what it keeps, and what the parent may take.

        Parameters
        ----------
        inertia : Array (10,)
            Inertial parameters in the child's frame.

        Returns
        -------
        tuple of Array (10,), or None
            The two parts, in the child's frame; None if nothing can be moved to the parent.
        """
        return None

    # -------------------------------------------------------------- the manifold

    def neutral(self) -> np.ndarray:
        """Return the configuration at which the child frame coincides with its placement.

        Returns
        -------
        ndarray (nq,)
            Zeros, and identity quaternions.
        """
        q = np.zeros(self.nq)
        q[self.unit][:1] = 1.0
        return q

    def integrate(self, q: Array, v: Array) -> Array:
        """Return q followed by the constant velocity v for one unit of time: a pose times exp(S v).

        Parameters
        ----------
        q : Array (nq,)
            Coordinates.
        v : Array (nv,)
            Displacement in the tangent space.

        Returns
        -------
        Array (nq,)
            Coordinates, with unit quaternions.
        """
        return q + v

    def difference(self, q0: Array, q1: Array) -> Array:
        """Return the constant velocity that leads from q0 to q1 in one unit of time.

        Parameters
        ----------
        q0, q1 : Array (nq,)
            Coordinates.

        Returns
        -------
        Array (nv,)
            Displacement in the tangent space; the inverse of `integrate`.
        """
        return q1 - q0

    def velocity(self, q: Array, rates: Array) -> Array:
        """Return the velocity at given rates of the coordinates.

        Parameters
        ----------
        q : Array (nq,)
            Coordinates.
        rates : Array (nq,)
            dq/dt.

        Returns
        -------
        Array (nv,)
            Velocity.
        """
        if self.flat:
            return rates
        turn, p = self.displacement(from_rates((q, rates)))
        return pose_rate(turn, p)[list(self.rows)]


class Revolute(ElementaryMotion):
    """A turn about z."""

    name = "revolute"
    rows = (2,)
    units = ("rad",)
    words = ("angle", "rate")
    axial = True
    pinocchio = Counterpart("RevoluteUnaligned", ("axis",), (0,), (0,), "maybe")

    def displacement(self, q: Array, pitch: Any = 0.0) -> tuple[Rotation | None, Array]:
        """A turn by the angle."""
        return Turn(sin(q[0]), cos(q[0])), zeros(3)

    def lumped(self, inertia: Array) -> tuple[Array, Array] | None:
        """Mass on the axis moves with the parent as well as with the child."""
        m, hx, hy, hz, xx, yy, zz, xy, xz, yz = inertia
        along = 0.5 * (xx + yy - zz)  # second moment along the axis
        kept = array((0.0, hx, hy, 0.0, xx - along, yy - along, zz, xy, xz, yz))
        return kept, array((m, 0.0, 0.0, hz, along, along, 0.0, 0.0, 0.0, 0.0))


class Prismatic(ElementaryMotion):
    """A slide along z."""

    name = "prismatic"
    rows = (5,)
    units = ("m",)
    words = ("displacement", "rate")
    axial = True
    pinocchio = Counterpart("PrismaticUnaligned", ("axis",), (0,), (0,))

    def displacement(self, q: Array, pitch: Any = 0.0) -> tuple[Rotation | None, Array]:
        """A slide by the displacement."""
        return None, array((0.0, 0.0, q[0]))

    def lumped(self, inertia: Array) -> tuple[Array, Array] | None:
        """Moments of inertia turn with the parent as well as with the child."""
        kept = array((*inertia[:4], *zeros(6)))
        return kept, array((*zeros(4), *inertia[4:]))


class Helical(ElementaryMotion):
    """A turn about z that takes the child along z by the pitch per radian."""

    name = "helical"
    rows = (2,)
    units = ("rad",)
    words = ("angle", "rate")
    axial = True
    pitched = True
    pinocchio = Counterpart("HelicalUnaligned", ("axis", "pitch"), (0,), (0,), "maybe")

    def subspace(self, pitch: Any = 0.0) -> Array:
        """A turn, and the pitch along it."""
        S = super().subspace()
        S[5, 0] = pitch
        return S

    def displacement(self, q: Array, pitch: Any = 0.0) -> tuple[Rotation | None, Array]:
        """A turn by the angle and a slide by pitch times it."""
        return Turn(sin(q[0]), cos(q[0])), array((0.0, 0.0, pitch * q[0]))


class Spherical(ElementaryMotion):
    """Every rotation: a quaternion, and the body-fixed angular velocity."""

    name = "spherical"
    rows = (0, 1, 2)
    units = ("", "", "", "")
    words = ("quaternion w, x, y, z", "body-fixed angular velocity")
    unit = slice(0, 4)
    flat = False
    has_axis = False
    armature = "ball"
    pinocchio = Counterpart("Spherical", (), (1, 2, 3, 0), (0, 1, 2))

    def displacement(self, q: Array, pitch: Any = 0.0) -> tuple[Rotation | None, Array]:
        """The quaternion's rotation."""
        return Rotation(lie.rotation_from_quaternion(q)), zeros(3)

    def drift(self, v: Array, pitch: Any = 0.0) -> tuple[Rotation | None, Array]:
        """From dR/dt = R v~."""
        return Rotation(rotation_series(v)), zeros(3)

    def configuration_rate(self, q: Array, v: Array) -> Array:
        """Half q v."""
        return lie.quaternion_rate(q, v)

    def integrate(self, q: Array, v: Array) -> Array:
        """q exp(v / 2)."""
        return lie.quaternion_product(lie.normalize(q), lie.quaternion_exp(v))

    def difference(self, q0: Array, q1: Array) -> Array:
        """The rotation vector of the turn from q0 to q1."""
        return lie.quaternion_difference(q0, q1)

    def velocity(self, q: Array, rates: Array) -> Array:
        """Twice q* times its rate."""
        return lie.quaternion_velocity(q, rates)


class Planar(ElementaryMotion):
    """A turn about z and a displacement along x and y; velocities are fixed in the child."""

    name = "planar"
    rows = (2, 3, 4)
    units = ("rad", "m", "m")
    words = ("angle, x, y", "body-fixed angular velocity, vx, vy")
    flat = False
    armature = "none"
    pinocchio = Counterpart("Planar", (), (1, 2, 0), (1, 2, 0), circle=True)

    def displacement(self, q: Array, pitch: Any = 0.0) -> tuple[Rotation | None, Array]:
        """A turn by the angle at (x, y)."""
        return Turn(sin(q[0]), cos(q[0])), array((q[1], q[2], 0.0))

    def drift(self, v: Array, pitch: Any = 0.0) -> tuple[Rotation | None, Array]:
        """The turn's angle adds up; the velocity turns with it."""
        angle = integral(v[0])
        turn = Turn(sin(angle), cos(angle))
        return turn, _path(turn, array((v[1], v[2], 0.0)), v)

    def configuration_rate(self, q: Array, v: Array) -> Array:
        """The child's velocity in the axes of its placement."""
        return array((v[0], *_rotate(q[0], v[1:])))

    def integrate(self, q: Array, v: Array) -> Array:
        """Along an arc of a circle."""
        w, u = array((0.0, 0.0, v[0])), array((v[1], v[2], 0.0))
        step = _rotate(q[0], lie.translation(w, u))
        return array((q[0] + v[0], q[1] + step[0], q[2] + step[1]))

    def difference(self, q0: Array, q1: Array) -> Array:
        """Along an arc of a circle."""
        angle = q1[0] - q0[0]
        p = _rotate(-q0[0], q1[1:] - q0[1:])
        u = lie.translation_inverse(array((0.0, 0.0, angle)), array((*p, 0.0)))
        return array((angle, u[0], u[1]))

    def velocity(self, q: Array, rates: Array) -> Array:
        """The rates in the axes of the child."""
        return array((rates[0], *_rotate(-q[0], rates[1:])))


class Free(ElementaryMotion):
    """Every pose: a quaternion and a position, and the body-fixed twist."""

    name = "free"
    rows = (0, 1, 2, 3, 4, 5)
    units = ("", "", "", "", "m", "m", "m")
    words = ("quaternion w, x, y, z, position x, y, z", "body-fixed twist omega, v")
    unit = slice(0, 4)
    flat = False
    has_axis = False
    armature = "none"
    pinocchio = Counterpart("FreeFlyer", (), (4, 5, 6, 1, 2, 3, 0), (3, 4, 5, 0, 1, 2))

    def displacement(self, q: Array, pitch: Any = 0.0) -> tuple[Rotation | None, Array]:
        """The quaternion's rotation at the position."""
        return Rotation(lie.rotation_from_quaternion(q[:4])), array(q[4:])

    def drift(self, v: Array, pitch: Any = 0.0) -> tuple[Rotation | None, Array]:
        """From dR/dt = R omega~ and dp/dt = R v."""
        turn = Rotation(rotation_series(v[:3]))
        return turn, _path(turn, v[3:], v)

    def configuration_rate(self, q: Array, v: Array) -> Array:
        """Half q omega, and the velocity in the axes of the placement."""
        R = lie.rotation_from_quaternion(q[:4])
        return np.concatenate((lie.quaternion_rate(q[:4], v[:3]), R @ v[3:]))

    def integrate(self, q: Array, v: Array) -> Array:
        """Along a screw."""
        turn = lie.normalize(q[:4])
        step = lie.quaternion_rotate(turn, lie.translation(v[:3], v[3:]))
        turned = lie.quaternion_product(turn, lie.quaternion_exp(v[:3]))
        return np.concatenate((turned, q[4:] + step))

    def difference(self, q0: Array, q1: Array) -> Array:
        """Along a screw."""
        back = lie.quaternion_conjugate(lie.normalize(q0[:4]))
        p = lie.quaternion_rotate(back, q1[4:] - q0[4:])
        return lie.twist_of(lie.quaternion_between(q0[:4], q1[:4]), p)

    def velocity(self, q: Array, rates: Array) -> Array:
        """Twice q* times its rate, and the position's rate in the axes of the child."""
        R = lie.rotation_from_quaternion(q[:4])
        return np.concatenate((lie.quaternion_velocity(q[:4], rates[:4]), R.T @ rates[4:]))


REVOLUTE, PRISMATIC, HELICAL = Revolute(), Prismatic(), Helical()
SPHERICAL, PLANAR, FREE = Spherical(), Planar(), Free()


def _path(turn: Rotation, velocity: Array, v: Array) -> Array:
    """Return jets of a position that starts at zero, from a velocity in rotating axes."""
    return array(integral(x) for x in truncate(turn.R, v[0].order) @ velocity)


def _rotate(angle: Any, x: Array) -> Array:
    """Return the plane vector x rotated by an angle."""
    s, c = sin(angle), cos(angle)
    return array((c * x[0] - s * x[1], s * x[0] + c * x[1]))


def pose_rate(turn: Rotation | None, p: Array) -> Array:
    """Return the body-fixed twist of a pose.

    Parameters
    ----------
    turn : Rotation or None
        Rotation of first-order jets; None for the identity.
    p : Array (3,)
        Position, of first-order jets.

    Returns
    -------
    Array (6,)
        Twist (omega, v).
    """
    R, W = coefficients(identity(3) if turn is None else turn.R, 1)
    spin, speed = R.T @ W, R.T @ coefficients(p, 1)[1]
    return array((spin[2, 1], spin[0, 2], spin[1, 0], *speed))
