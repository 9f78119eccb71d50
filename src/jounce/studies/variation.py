"""Which parameters of a robot vary, and how far: independent numbers, and what they make of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jounce.errors import ArgumentError, ModelWarning, printable, warn
from jounce.identification.drives import DriveParameters, driven
from jounce.studies.bodies import SCALES, Bodies, displacements
from jounce.studies.kinds import KINDS, Amount, Spread, kind_and_names, spreads
from jounce.studies.libraries import module_of
from jounce.utils.once import once_property

if TYPE_CHECKING:
    from jounce.robot import Robot

#: Kinds that act through the inertial parameters, the shape, and the drives.
INERTIAL, GEOMETRIC = ("inertia", "mass", "com"), ("placement", "screw")
DRIVES = ("armature", "damping", "friction")

#: Where the numbers of a kind stand among the fourteen of `Bodies.parameters`.
_AT = {"inertia": slice(0, 10), "mass": slice(10, 11), "com": slice(11, 14)}
_TWIST = {"rad": slice(0, 3), "m": slice(3, 6)}


@dataclass(frozen=True)
class Group:
    """Numbers that belong together: one kind of one body or joint, such as "inertia[link3]".

    index: which body or joint. columns: where its numbers stand among all that are drawn.
    places: of displacements, where in a twist they stand.
    """

    kind: str
    target: str
    index: int
    columns: range
    places: tuple[int, ...]

    @property
    def name(self) -> str:
        """As users call it in `vary`."""
        return f"{self.kind}[{self.target}]"


@dataclass(frozen=True)
class Numbers:
    """A robot's numbers for some draws: with an axis (s,) in front, or (1,) where none varies.

    parameters (s, nb, 10), placements and screws (s, nb, 4, 4), drives (s, 3, nt): armature,
    damping and friction of all joints. What varies is in the library of the draws.
    """

    parameters: Any
    placements: Any
    screws: Any
    drives: Any

    def __getitem__(self, part: slice) -> Numbers:
        """Those of some of the draws."""
        parts = (self.parameters, self.placements, self.screws, self.drives)
        return Numbers(*(x if len(x) == 1 else x[part] for x in parts))


class Travelling:
    """Data that is sent to other processes without what was made of it here."""

    def __getstate__(self) -> dict[str, Any]:
        return {part.name: getattr(self, part.name) for part in fields(cast(Any, self))}


@dataclass(frozen=True, eq=False)
class Variation(Travelling):
    """All that varies of a robot: groups, spreads of their numbers (d,), and what is nominal."""

    groups: tuple[Group, ...]
    spread: np.ndarray
    bounded: np.ndarray
    nominal: Numbers
    velocities: tuple[tuple[int, ...], ...] = field(repr=False)

    @property
    def count(self) -> int:
        """How many independent numbers a draw has."""
        return len(self.spread)

    def varies(self, kinds: tuple[str, ...]) -> bool:
        """Whether any of some kinds does."""
        return any(group.kind in kinds for group in self.groups)

    def draw(self, rng: np.random.Generator, samples: int) -> np.ndarray:
        """Independent numbers (samples, d), about zero."""
        x = rng.standard_normal((samples, self.count))
        if self.bounded.any():
            x[:, self.bounded] = rng.uniform(-1.0, 1.0, (samples, int(self.bounded.sum())))
        x *= self.spread
        return x

    def numbers(self, x: Any) -> Numbers:
        """What draws x (s, d) make of the robot."""
        now = self.nominal
        return Numbers(
            self._parameters(x),
            self._displaced(x, "placement", now.placements),
            self._displaced(x, "screw", now.screws),
            self._drives(x),
        )

    def _of(self, *kinds: str) -> list[Group]:
        return [group for group in self.groups if group.kind in kinds]

    def _parameters(self, x: Any) -> Any:
        chosen = self._of(*INERTIAL)
        now = self.nominal.parameters
        if not chosen:
            return now
        which, bodies = self._bodies
        xp = module_of(x)
        given = xp.zeros((14, len(x), len(which)))
        for group in chosen:
            given[_AT[group.kind], :, which.index(group.index)] = x[:, _slice(group.columns)].T
        found = bodies.parameters(given)
        if len(which) == now.shape[1]:
            return found
        out = xp.repeat(xp.asarray(now), len(x), axis=0)
        for k, body in enumerate(which):
            out[:, body] = found[:, k]
        return out

    @once_property
    def _bodies(self) -> tuple[list[int], Bodies]:
        """The bodies that vary, by number, and what they are at nominal."""
        which = sorted({group.index for group in self._of(*INERTIAL)})
        return which, Bodies.of(self.nominal.parameters[0, which])

    def twists(self, x: Any, kind: str) -> Any:
        """Displacements (s, nb, 6) of all joints, rotation first."""
        out = module_of(x).zeros((len(x), self.nominal.placements.shape[1], 6))
        for group in self._of(kind):
            places = slice(group.places[0], group.places[-1] + 1)
            out[:, group.index, places] = x[:, _slice(group.columns)]
        return out

    def _displaced(self, x: Any, kind: str, start: np.ndarray) -> Any:
        chosen = self._of(kind)
        if not chosen:
            return start
        turns = any(group.places[0] < _TWIST["m"].start for group in chosen)
        return displacements(self.twists(x, kind), start[0], turns)

    def _drives(self, x: Any) -> Any:
        chosen = self._of(*DRIVES)
        if not chosen:
            return self.nominal.drives
        xp = module_of(x)
        out = xp.repeat(xp.asarray(self.nominal.drives), len(x), axis=0)
        for group in chosen:
            factor = xp.exp(x[:, group.columns.start])
            for velocity in self.velocities[group.index]:
                out[:, DRIVES.index(group.kind), velocity] *= factor
        return out


def _slice(columns: range) -> slice:
    return slice(columns.start, columns.stop)


# ------------------------------------------------------------------ from what users say


def variation(robot: Any, vary: Mapping[str, Amount], title: str) -> Variation:
    """What `vary` says of a robot, a mechanism or a robot in contact."""
    if not isinstance(vary, Mapping) or not vary:
        raise ArgumentError(
            f"{title}: vary must say what is uncertain, as {{'inertia': '5%'}}, found {vary!r};"
            f" kinds: {', '.join(KINDS)}"
        )
    tree: Robot = getattr(robot, "robot", robot)
    nominal = _nominal(tree)
    velocities = tuple(
        () if joint.mimic else tuple(range(*tree.joints[joint.name].v.indices(tree.nv)))
        for joint in tree.model.joints
    )
    groups: list[Group] = []
    scales: list[tuple[float, bool]] = []
    for (kind, index), amount in _amounts(tree, vary, title).items():
        numbers = _numbers_of(tree, kind, index, amount, velocities[index])
        if numbers:
            start = len(scales)
            scales += [(scale, bounded) for _, scale, bounded in numbers]
            known = tree.model.body_names if KINDS[kind].of == "body" else tree.model.joint_names
            places = tuple(place for place, _, _ in numbers)
            groups.append(Group(kind, known[index], index, range(start, len(scales)), places))
    if not groups:
        raise ArgumentError(
            f"{title}: nothing varies: robot '{printable(tree.name)}' has nothing but zeros for"
            f" {', '.join(vary)}"
        )
    there = {group.kind for group in groups}
    for key in vary:
        if kind_and_names(key)[0].name not in there:
            warn(
                f"{title}: {key} varies nothing: robot '{printable(tree.name)}' has nothing but"
                " zeros there",
                ModelWarning,
            )
    spread, bounded = (np.array(x) for x in zip(*scales, strict=True))
    return Variation(tuple(groups), spread, bounded, nominal, velocities)


def _nominal(tree: Robot) -> Numbers:
    parameters, placements, screws = tree.morphable.now
    own = DriveParameters.of(tree)
    drives = np.array([getattr(own, name) for name in DRIVES])
    return Numbers(parameters[None], placements[None], screws[None], drives[None])


def _amounts(
    tree: Robot, vary: Mapping[str, Amount], title: str
) -> dict[tuple[str, int], dict[str, Spread]]:
    """Amounts by kind and body or joint; what names some goes before what names all.

    A floating base is where q says: its joint is displaced only if it is named.
    """
    found: dict[tuple[str, int], tuple[str, bool, dict[str, Spread]]] = {}
    for key, amount in vary.items():
        kind, names = kind_and_names(key)
        known = tree.model.body_names if kind.of == "body" else tree.model.joint_names
        for name in names or ():
            if name not in known:
                raise ArgumentError(
                    f"{title}: vary: {key}: no {kind.of} '{name}'; choose among {', '.join(known)}"
                )
        given = spreads(kind, amount, key)
        named = names is not None
        for index, name in enumerate(known):
            floats = kind.name in GEOMETRIC and tree.model.joints[index].kind == "free"
            if name not in names if names is not None else floats:
                continue
            before = found.get((kind.name, index))
            if before is not None and before[1] == named:
                raise ArgumentError(
                    f"{title}: vary: {kind.name} of {name} is given twice, by '{before[0]}' and"
                    f" '{key}'; say once how far it varies"
                )
            if named or before is None:
                found[kind.name, index] = (key, named, given)
    rank = list(KINDS)
    places = sorted(found, key=lambda at: (rank.index(at[0]), at[1]))
    return {at: found[at][2] for at in places}


def _numbers_of(
    tree: Robot, kind: str, index: int, given: Mapping[str, Spread], velocities: tuple[int, ...]
) -> list[tuple[int, float, bool]]:
    """Place, spread and whether bounded of the numbers of a body or joint; none where all is zero.

    Turning the axis of a joint without one of its own, such as a ball's, changes nothing.
    """
    body, joint = tree.model.bodies[index].inertia, tree.model.joints[index]
    out: list[tuple[int, float, bool]] = []
    for unit, spread in given.items():
        if kind == "inertia":
            scales = SCALES if np.any(body != 0.0) else ()
        elif kind in INERTIAL:
            scales = np.ones(KINDS[kind].numbers[unit]) if body[0] > 0.0 else ()
        elif kind in GEOMETRIC:
            fixed = kind == "screw" and unit == "rad" and not joint.row.axial
            scales = () if fixed else np.ones(3)
        else:
            own = getattr(DriveParameters.of(tree), kind)[list(velocities)]
            allowed = kind != "armature" or set(velocities) <= set(driven(tree))
            scales = (1.0,) if allowed and np.any(own != 0.0) else ()
        start = _TWIST[unit].start if kind in GEOMETRIC else 0
        amounts = [(start + k, spread.amount * float(x)) for k, x in enumerate(scales)]
        out += [(place, amount, spread.bounded) for place, amount in amounts]
    return sorted(out)
