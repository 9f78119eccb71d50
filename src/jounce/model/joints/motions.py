"""Elementary motions: the rows that formulas meet, each with a subspace constant in its child.

A row is a small class that holds all there is to know of a motion. What it inherits from
`ElementaryMotion` suits motions whose velocities are the rates of their coordinates, so that a new
one such as a table that slides along x and y is no more than

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
    Jet,
    coefficients,
    from_rates,
    integral,
    rotation_series,
    truncated,
)
from jounce.math.scalar import Array, array, cos, identity, sin, zeros
from jounce.math.spatial import Rotation, Turn, skew


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

    name: a word. rows: which of (wx, wy, wz, vx, vy, vz) each velocity is. units: of the
    coordinates, "rad", "m", or "" for those of a unit vector. words: what q and v hold. unit: which
    coordinates make a unit vector, such as a quaternion. flat: whether velocities are the rates of
    the coordinates. has_axis: whether z is special. axial: whether x and y are not, so that a
    direction says all about its frame. pitched: whether it depends on the joint's pitch. armature:
    one per velocity ("each"), that of a "ball" which is the same about all axes, or "none": other
    velocities that do not commute cannot have any. pinocchio: its counterpart there, if it has one.
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
        """Whether each velocity is an angular one."""
        return tuple(row < 3 for row in self.rows)

    @property
    def limited(self) -> bool:
        """Whether the limits of a velocity's entry bound the coordinate at the same place."""
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
        """Motion subspace S (6 x nv), constant in the child's frame: relative twist = S v."""
        S = zeros(6, len(self.rows))
        for column, row in enumerate(self.rows):
            S[row, column] = 1.0
        return S

    def displacement(self, q: Array, pitch: Any = 0.0) -> tuple[Rotation | None, Array]:
        """Rotation (None where there is none) and translation at q."""
        raise NotImplementedError(f"the {self.name} motion says nothing of its displacement")

    def drift(self, v: Array, pitch: Any = 0.0) -> tuple[Rotation | None, Array]:
        """How the child moves on from where it is, as Taylor series: jets of exp of S v dt.

        v holds jets of order n - 1; the rotation and the translation, in the child's axes at time
        zero, are jets of order n that start at the identity. From dT/dt = T [S v], coefficient by
        coefficient: cheaper than the series of the displacement itself, whose sines and quaternions
        would all have to be expanded. Velocities that commute add up to a displacement.
        """
        return self.displacement(array(integral(x) for x in v), pitch)

    def configuration_rate(self, q: Array, v: Array) -> Array:
        """dq/dt for the velocity v."""
        return v

    def lumped(self, inertia: Array) -> tuple[Array, Array] | None:
        """Ten parameters of the child, parted into those it keeps and those the parent may take.

        Both in the child's frame. None where nothing passes through, or nobody has looked.
        """
        return None

    # -------------------------------------------------------------- the manifold

    def neutral(self) -> np.ndarray:
        """The configuration at which the child frame sits on its placement."""
        q = np.zeros(self.nq)
        q[self.unit][:1] = 1.0
        return q

    def integrate(self, q: Array, v: Array) -> Array:
        """Follow the constant velocity v for one unit of time from q: a pose times exp(S v)."""
        return q + v

    def difference(self, q0: Array, q1: Array) -> Array:
        """The velocity that leads from q0 to q1 in one unit of time."""
        return q1 - q0

    def velocity(self, q: Array, rates: Array) -> Array:
        """The velocity with which the coordinates change at these rates."""
        if self.flat:
            return rates
        turn, p = self.displacement(from_rates((q, rates)))
        return _twist(turn, p)[list(self.rows)]


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
        return array((v[0], *_turned(q[0], v[1:])))

    def integrate(self, q: Array, v: Array) -> Array:
        """Along an arc of a circle."""
        w, u = array((0.0, 0.0, v[0])), array((v[1], v[2], 0.0))
        step = _turned(q[0], lie.translation(w, u))
        return array((q[0] + v[0], q[1] + step[0], q[2] + step[1]))

    def difference(self, q0: Array, q1: Array) -> Array:
        """Along an arc of a circle."""
        angle = q1[0] - q0[0]
        p = _turned(-q0[0], q1[1:] - q0[1:])
        u = lie.translation_inverse(array((0.0, 0.0, angle)), array((*p, 0.0)))
        return array((angle, u[0], u[1]))

    def velocity(self, q: Array, rates: Array) -> Array:
        """The rates in the axes of the child."""
        return array((rates[0], *_turned(-q[0], rates[1:])))


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
    """Jets of a position that starts at zero, from a velocity in axes that turn."""
    return array(integral(x) for x in truncated(turn.R, v[0].order) @ velocity)


def _turned(angle: Any, x: Array) -> Array:
    """The plane vector x turned by an angle."""
    s, c = sin(angle), cos(angle)
    return array((c * x[0] - s * x[1], s * x[0] + c * x[1]))


# ------------------------------------------------------------------ do the parts fit together?


def problem(motion: ElementaryMotion) -> str:
    """What does not fit together in a motion, in words; empty if nothing.

    Sizes, the neutral configuration, and at another one: the displacement's rate is S v, the drift
    is exp(S v t) to second order, and `difference` undoes `integrate`.
    """
    nq, nv, pitch = motion.nq, motion.nv, 0.3
    odd = [unit for unit in motion.units if unit not in ("rad", "m", "")]
    if odd:
        return f"units: expected 'rad', 'm' or '', found {odd[0]!r}"
    rng = np.random.default_rng(1)
    q, v = rng.uniform(0.2, 0.9, nq), rng.uniform(-0.5, 0.5, nv)
    q[motion.unit] /= max(float(np.linalg.norm(q[motion.unit])), 1e-9)
    sizes = {
        "subspace": (motion.subspace(pitch), (6, nv)),
        "neutral": (motion.neutral(), (nq,)),
        "configuration_rate": (motion.configuration_rate(array(q), array(v)), (nq,)),
        "integrate": (motion.integrate(array(q), array(v)), (nq,)),
        "difference": (motion.difference(array(q), array(q)), (nv,)),
        "velocity": (motion.velocity(array(q), array(q)), (nv,)),
    }
    for what, (value, shape) in sizes.items():
        if np.shape(value) != shape:
            return f"{what}: expected shape {shape}, found {np.shape(value)}"
    if not _agree(_offset(*motion.displacement(array(motion.neutral()), pitch)), np.zeros(12)):
        return "displacement: it is not the identity at the neutral configuration"
    moved = motion.subspace(pitch).astype(float) @ v
    rate = motion.configuration_rate(array(q), array(v))
    if not _agree(_twist(*motion.displacement(from_rates((array(q), rate)), pitch)), moved):
        return "displacement: its rate is not S v"
    if not _agree(_twist(*motion.drift(array(Jet((x,)) for x in v), pitch)), moved):
        return "drift: it does not start with S v"
    if not _agree(
        _bend(*motion.drift(array(Jet((x, 0.0)) for x in v), pitch)), _half_square(moved)
    ):
        return (
            "drift: it is not exp(S v t) to second order; velocities that do not commute need one"
        )
    if motion.flat and not _agree(rate, v):
        return "flat: the velocities are not the rates of the coordinates"
    if not _agree(motion.velocity(array(q), rate), v):
        return "velocity: it is not the one whose rates the coordinates have"
    there = motion.integrate(array(q), array(v))
    if not _agree(_offset(*motion.displacement(there, pitch)), _moved_on(motion, q, moved, pitch)):
        return "integrate: it does not follow exp(S v)"
    if not _agree(motion.difference(array(q), there), v):
        return "difference: it does not undo integrate"
    return ""


def _offset(turn: Rotation | None, p: Array) -> np.ndarray:
    """How far a pose is from the identity, entry by entry."""
    R = identity(3) if turn is None else turn.R
    return np.concatenate(((R - identity(3)).astype(float).ravel(), p.astype(float)))


def _moved_on(motion: ElementaryMotion, q: np.ndarray, twist: np.ndarray, pitch: Any) -> np.ndarray:
    """The pose at q times exp(twist), as `_offset`."""
    turn, p = motion.displacement(array(q), pitch)
    R, (R_step, p_step) = identity(3) if turn is None else turn.R, lie.pose_exp(array(twist))
    return _offset(Rotation(R @ R_step), p + R @ p_step)


def _bend(turn: Rotation | None, p: Array) -> np.ndarray:
    """Second Taylor coefficients of a pose of second-order jets."""
    R = coefficients(identity(3) if turn is None else turn.R, 2)[2]
    return np.concatenate((R.astype(float).ravel(), coefficients(p, 2)[2].astype(float)))


def _half_square(twist: np.ndarray) -> np.ndarray:
    """Second Taylor coefficients of exp(twist t)."""
    W = skew(twist[:3]).astype(float)
    return 0.5 * np.concatenate(((W @ W).ravel(), W @ twist[3:]))


def _agree(x: Any, y: np.ndarray) -> bool:
    return np.shape(x) == y.shape and bool(np.allclose(np.asarray(x, dtype=float), y, 1e-9, 1e-9))


def _twist(turn: Rotation | None, p: Array) -> Array:
    """Body-fixed twist of a pose of first-order jets."""
    R, W = coefficients(identity(3) if turn is None else turn.R, 1)
    spin, speed = R.T @ W, R.T @ coefficients(p, 1)[1]
    return array((spin[2, 1], spin[0, 2], spin[1, 0], *speed))
