"""Varying parameters of a robot, and the map from samples to the robot's numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from jounce.errors import ArgumentError, ModelWarning, printable, warn
from jounce.identification import DriveParameters
from jounce.studies.amounts import KINDS, Amount, Kind, Quantile, Spread, parse_amount, parse_key
from jounce.studies.bodies import SCALES, Bodies, displace
from jounce.studies.devices import namespace

if TYPE_CHECKING:
    from jounce.robot import Robot

#: Kinds that act through the inertial parameters, the geometry, and the drives.
INERTIAL, GEOMETRIC = ("inertia", "mass", "com"), ("placement", "screw")
DRIVES = ("armature", "damping", "friction")

#: Index of a kind's first number among the 14 of `Bodies.parameters`, and of a unit's in a twist.
_IN_BODY = {"inertia": 0, "mass": 10, "com": 11}
_IN_TWIST = {"rad": 0, "m": 3}


@dataclass(frozen=True)
class Group:
    """Numbers that vary together: one kind of one body or joint, such as "inertia[link3]"."""

    kind: str
    target: str

    #: Index of the body or joint.
    index: int

    #: Columns of the numbers in a sample.
    columns: slice

    #: Index of the first of them among the numbers of the body, or in the twist of the joint.
    start: int

    @property
    def name(self) -> str:
        """The key in `vary`."""
        return f"{self.kind}[{self.target}]"


class Numbers(NamedTuple):
    """Parameters of the sampled robots, with a leading axis (s,), or (1,) if none varies."""

    #: (s, nb, 10)
    parameters: Any

    #: (s, nb, 4, 4)
    placements: Any
    screws: Any

    #: Armature, damping and friction at all velocities (s, 3, nt).
    drives: Any


@dataclass(frozen=True, eq=False)
class Variation:
    """The parameters that vary: groups, distributions of their numbers, and nominal values."""

    groups: tuple[Group, ...]

    #: Scale of each number (d,), and the columns that have a distribution.
    scale: np.ndarray
    quantiles: tuple[tuple[Quantile, np.ndarray], ...]

    #: Numbers of the nominal robot, and its bodies.
    nominal: Numbers
    bodies: Bodies

    #: Velocities of each joint; none if it follows another.
    velocities: tuple[tuple[int, ...], ...]

    @property
    def count(self) -> int:
        """Number of independent numbers of a sample."""
        return len(self.scale)

    def varies(self, kinds: tuple[str, ...]) -> bool:
        """Return whether any parameter of the given kinds varies."""
        return any(group.kind in kinds for group in self.groups)

    def transform(self, u: np.ndarray) -> np.ndarray:
        """Return the samples (s, d) at points (s, d) of the unit cube."""
        x = np.empty_like(u)
        for quantile, columns in self.quantiles:
            x[:, columns] = quantile(u[:, columns])
        x *= self.scale
        return x

    def numbers(self, x: Any) -> Numbers:
        """Return the robot's numbers in samples x (s, d), arrays of NumPy or CuPy."""
        parameters, placements, screws, drives = self.nominal
        if self.varies(INERTIAL):
            parameters = self.bodies.parameters(self._place(x, INERTIAL, 14))
        if self.varies(("placement",)):
            placements = displace(self.twists(x, "placement"), placements[0])
        if self.varies(("screw",)):
            screws = displace(self.twists(x, "screw"), screws[0])
        if self.varies(DRIVES):
            xp = namespace(x)
            drives = xp.repeat(xp.asarray(drives), len(x), axis=0)
            for group in (group for group in self.groups if group.kind in DRIVES):
                for k in self.velocities[group.index]:
                    drives[:, DRIVES.index(group.kind), k] *= xp.exp(x[:, group.columns.start])
        return Numbers(parameters, placements, screws, drives)

    def twists(self, x: Any, kind: str) -> Any:
        """Return the displacements (s, nb, 6) of all joints, rotation first."""
        return namespace(x).moveaxis(self._place(x, (kind,), 6), 0, -1)

    def _place(self, x: Any, kinds: tuple[str, ...], width: int) -> Any:
        """Return the numbers of some kinds by body or joint, (width, s, nb)."""
        out = namespace(x).zeros((width, len(x), self.nominal.parameters.shape[1]))
        for group in (group for group in self.groups if group.kind in kinds):
            end = group.start + group.columns.stop - group.columns.start
            out[group.start : end, :, group.index] = x[:, group.columns].T
        return out


# ------------------------------------------------------------------ user input


def make_variation(robot: Any, vary: Mapping[str, Amount] | None, title: str) -> Variation:
    """Build the variation of a robot, mechanism or robot in contact from the option `vary`."""
    if not isinstance(vary, Mapping) or not vary:
        raise ArgumentError(
            f"{title}: vary must be a mapping such as {{'inertia': '5%'}}, found {vary!r}; choose"
            f" among the kinds {', '.join(KINDS)}"
        )
    tree: Robot = getattr(robot, "robot", robot)
    nominal_drives = DriveParameters.of(tree)
    drives = np.stack([getattr(nominal_drives, name) for name in DRIVES])
    nominal = Numbers(*(x[None] for x in (*tree.morphable.now, drives)))
    velocities = tuple(
        () if joint.mimic else tuple(range(*tree.joints[joint.name].v.indices(tree.nv)))
        for joint in tree.model.joints
    )
    groups: list[Group] = []
    scales: list[float] = []
    quantiles: dict[Quantile, list[int]] = {}
    for (name, index), spreads in _resolve(tree, vary, title).items():
        kind = KINDS[name]
        joint_drives = nominal.drives[0][:, list(velocities[index])]
        start, first = None, len(scales)
        for unit in sorted(spreads, reverse=True):  # angles before lengths
            factors = _scales(tree, kind, index, unit, joint_drives)
            if len(factors):
                offset = _IN_TWIST[unit] if kind.name in GEOMETRIC else _IN_BODY.get(kind.name, 0)
                start = offset if start is None else start
                columns = range(len(scales), len(scales) + len(factors))
                quantiles.setdefault(spreads[unit].quantile, []).extend(columns)
                scales += [spreads[unit].scale * float(factor) for factor in factors]
        if start is not None:
            target = _targets(tree, kind)[index]
            columns = slice(first, len(scales))
            groups.append(Group(kind.name, target, index, columns, start))
    _report_zeros(tree, vary, groups, title)
    by_quantile = tuple((quantile, np.array(columns)) for quantile, columns in quantiles.items())
    bodies = Bodies.of(nominal.parameters[0])
    return Variation(tuple(groups), np.array(scales), by_quantile, nominal, bodies, velocities)


def _targets(tree: Robot, kind: Kind) -> list[str]:
    return tree.model.body_names if kind.of == "body" else tree.model.joint_names


def _resolve(
    tree: Robot, vary: Mapping[str, Amount], title: str
) -> dict[tuple[str, int], dict[str, Spread]]:
    """Return distributions by kind and body or joint; entries with names override general ones.

    The joint of a floating base is displaced only by name, since q contains the pose of the base.
    """
    resolved: dict[tuple[str, int], tuple[str, bool, dict[str, Spread]]] = {}
    for key, amount in vary.items():
        kind, names = parse_key(key)
        known = _targets(tree, kind)
        for name in names or ():
            if name not in known:
                raise ArgumentError(
                    f"{title}: vary: {key}: no {kind.of} '{name}'; choose among {', '.join(known)}"
                )
        spreads = parse_amount(kind, amount, key)
        for index, name in enumerate(known):
            floats = kind.name in GEOMETRIC and tree.model.joints[index].kind == "free"
            if floats if names is None else name not in names:
                continue
            before = resolved.get((kind.name, index))
            if before is not None and before[1] == (names is not None):
                raise ArgumentError(
                    f"{title}: vary: {kind.name} of {name} is given twice, by '{before[0]}' and"
                    f" '{key}'; give it once"
                )
            if names is not None or before is None:
                resolved[kind.name, index] = (key, names is not None, spreads)
    order = sorted(resolved, key=lambda place: (list(KINDS).index(place[0]), place[1]))
    return {place: resolved[place][2] for place in order}


def _scales(tree: Robot, kind: Kind, index: int, unit: str, drives: np.ndarray) -> Any:
    """Return factors of the amount for the numbers of a body or joint; none if all are zero.

    drives: armature, damping and friction (3, n) of the joint. A joint without a fixed axis, such
    as a spherical one, has no axis to rotate.
    """
    joint, inertia = tree.model.joints[index], tree.model.bodies[index].inertia
    if kind.name in GEOMETRIC:
        varies = kind.name == "placement" or unit == "m" or joint.row.axial
    elif kind.name in DRIVES:
        varies = np.any(drives[DRIVES.index(kind.name)] != 0.0)
        if kind.name == "armature":
            varies &= all(part.motion.armature == "each" for part in joint.row.parts)
    elif kind.name == "inertia":
        return SCALES if np.any(inertia != 0.0) else ()
    else:
        varies = inertia[0] > 0.0
    return np.ones(kind.numbers[unit]) if varies else ()


def _report_zeros(tree: Robot, vary: Mapping[str, Amount], groups: list[Group], title: str) -> None:
    """Raise ArgumentError if nothing varies; warn about keys without any effect."""
    name = printable(tree.name)
    if not groups:
        raise ArgumentError(
            f"{title}: nothing varies, since {', '.join(vary)} of robot '{name}' are all zero; vary"
            " parameters that are not zero"
        )
    kinds = {group.kind for group in groups}
    for key in vary:
        if parse_key(key)[0].name not in kinds:
            warn(
                f"{title}: '{key}' has no effect: all its parameters are zero in robot '{name}'",
                ModelWarning,
            )
