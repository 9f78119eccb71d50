"""Checks of models: impossible inertias, wrong units, limits, joints that move nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from jounce.formulas.dynamics import mass_matrix
from jounce.formulas.singular import MAX_VELOCITIES, generic_configuration, massless_velocities
from jounce.model.inertia import about_com, problem
from jounce.model.links import link_shares
from jounce.model.model import Model, Solid, checked_model
from jounce.model.numbers import Floats
from jounce.model.tree import lower
from jounce.utils.lazy import cached_property

SEVERITIES = ("error", "warning", "note")

#: No solid is denser, kg/m^3; platinum is 21 450.
_DENSEST = 2.2e4
#: What a link of unknown size is at least taken to be made of, kg/m^3: water.
_TYPICAL = 1e3
#: A radius of gyration this many times the size of its link is too large.
_TOO_LARGE = 3.0
#: A center of mass this many times the size of its link away from it is too far.
_TOO_FAR = 5.0
#: Mass of a robot per cube of its length, kg/m^3: 4 to 300 in practice.
_SPARSEST, _THICKEST = 0.4, 3e3
#: Largest plausible reach of a robot, m.
_FARTHEST = 100.0
#: Angles beyond this, rad, and up to two turns in degrees are suspected to be degrees.
_DEGREES = (30.0, 720.0)
#: Displacements beyond this, m, and up to as many km are suspected to be millimeters.
_MILLIMETERS = (20.0, 2e4)


@dataclass(frozen=True)
class Finding:
    """A suspicious value of a model, and how to fix it.

    severity: one of SEVERITIES. code: a short name of the kind of finding, to sort or filter by.
    where: the joint, link or robot, as "joint 'elbow'".
    """

    severity: str
    code: str
    where: str
    message: str
    suggestion: str

    def __str__(self) -> str:
        return f"{self.severity}: {self.where}: {self.message}; {self.suggestion}"


def check(model: Model) -> list[Finding]:
    """Return everything suspicious in a model.

    Parameters
    ----------
    model : Model
        The model.

    Returns
    -------
    list of Finding
        Findings, worst first, then in the order of the model.
    """
    facts = _Facts(checked_model(model, "check"))
    with np.errstate(all="ignore"):  # numbers that overflow are findings, too
        findings = [finding for rule in RULES for finding in rule(facts)]
    return sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))


@dataclass(frozen=True)
class _Part:
    """A link with mass or inertia: its body, and what follows from its ten parameters."""

    name: str
    body: int
    inertia: Floats

    @property
    def where(self) -> str:
        return f"link '{self.name}'"

    @property
    def mass(self) -> float:
        return float(self.inertia[0])

    @cached_property
    def com(self) -> float:
        """Distance of the center of mass from the body's frame, m."""
        return float(np.linalg.norm(about_com(self.inertia).com))

    @cached_property
    def moments(self) -> Floats:
        """Principal moments about the center of mass, rising, kg m^2; NaN if they overflow."""
        about = about_com(self.inertia).inertia
        return np.linalg.eigvalsh(about) if np.isfinite(about).all() else np.full(3, np.nan)

    @property
    def gyration(self) -> float:
        """Largest radius of gyration about the center of mass, m."""
        return float(np.sqrt(max(self.moments[2], 0.0) / self.mass))

    @property
    def is_point(self) -> bool:
        """Whether all mass is in one point, up to round-off of the moments."""
        return self.mass > 0.0 and self.gyration <= 1e-6 * self.com


class _Facts:
    """Derived data that several rules use."""

    def __init__(self, model: Model) -> None:
        self.model = model

    @cached_property
    def parts(self) -> list[_Part]:
        """Links that have an inertia, merged ones apart."""
        return [
            _Part(name, i, inertia)
            for i, body in enumerate(self.model.bodies)
            for name, inertia in link_shares(body).items()
            if inertia.any()
        ]

    @cached_property
    def geometry(self) -> Floats:
        """Size of each body as its joints, frames and simple shapes tell, m; 0 if they do not."""
        sizes = np.zeros(self.model.nb)
        for i, joint in enumerate(self.model.joints):
            away = float(np.linalg.norm(joint.placement[:3, 3]))
            if joint.parent >= 0:
                sizes[joint.parent] = max(sizes[joint.parent], away)
                if i not in self.carriers:  # taken to be about as long as the link before it
                    sizes[i] = max(sizes[i], away)
            sizes[i] = max(sizes[i], float(np.linalg.norm(joint.point)))
        for frame in self.model.frames:
            if frame.body >= 0:
                away = float(np.linalg.norm(frame.placement[:3, 3]))
                sizes[frame.body] = max(sizes[frame.body], away)
        for i, body in enumerate(self.model.bodies):
            sizes[i] = max((sizes[i], *(_extent(solid) for solid in body.solids)))
        return sizes

    @cached_property
    def reach(self) -> float:
        """Length of the longest chain of joints, m."""
        ends: list[float] = []
        for joint in self.model.joints:
            # where the robot stands does not count
            away = 0.0 if joint.parent < 0 else float(np.linalg.norm(joint.placement[:3, 3]))
            ends.append((ends[joint.parent] if joint.parent >= 0 else 0.0) + away)
        return max(ends, default=0.0)

    @cached_property
    def carriers(self) -> set[int]:
        """Bodies on which joints hang."""
        return {joint.parent for joint in self.model.joints}

    @cached_property
    def mass_matrix(self) -> Floats:
        """M at a configuration that nothing is special about."""
        tree = lower(self.model)
        return mass_matrix(tree, generic_configuration(tree)).astype(float)


def _extent(solid: Solid) -> float:
    """Return an upper bound of the distance of a shape's points from the body's frame, m."""
    half = np.array(solid.size)
    if solid.shape == "box":
        half = half / 2.0
    elif len(half) > 1:
        half = half * (1.0, 0.5)
    return float(np.linalg.norm(solid.placement[:3, 3]) + np.linalg.norm(half))


# ------------------------------------------------------------------ inertias


def _impossible(facts: _Facts) -> Iterator[Finding]:
    for part in facts.parts:
        text = _problem(part)
        if text:
            fix = "compute it anew from the shape (jounce.inertia) and check signs and axes"
            yield Finding("error", "impossible-inertia", part.where, text, fix)
        elif part.mass == 0.0:
            text = "it has an inertia but no mass"
            yield Finding("warning", "inertia-without-mass", part.where, text, "give it its mass")


def _problem(part: _Part) -> str:
    """Return the violated condition of an inertia; relative to its size for small bodies."""
    text = problem(part.inertia)
    if text or part.mass == 0.0 or part.is_point:
        return text
    a, b, c = (part.moments / part.moments[2]).tolist()
    shown = ", ".join(f"{moment:.4g}" for moment in part.moments)
    if a < -1e-2:
        return f"the inertia about the center of mass is not positive (moments {shown})"
    if c - a - b > 5e-2:
        return f"the inertia breaks the triangle inequality (principal moments {shown})"
    return ""


def _suspicious_inertia(facts: _Facts) -> Iterator[Finding]:
    """Inertias that do not fit the mass and the size of their link: wrong units, placeholders."""
    for part in facts.parts:
        if part.mass == 0.0 or _problem(part):
            continue
        k, m = part.gyration, part.mass
        known = max(facts.geometry[part.body], part.com)
        size = max(known, np.cbrt(m / _TYPICAL))
        limit = _TOO_LARGE if known > 0.0 else 2.0 * _TOO_LARGE  # of a size that is only a guess
        ball = np.sqrt(0.4) * np.cbrt(m / (4.0 / 3.0 * np.pi * _DENSEST))
        factor = _format_digit((k / (0.35 * size)) ** 2)
        expected = f"its inertia is about {factor} times what {m:.3g} kg in {size:.2g} m would have"
        units = "check the units of inertia and mass (kg m^2, not g m^2 or kg mm^2; kg, not g)"
        if part.is_point:
            text = f"its {m:.3g} kg are in one point"
            fix = "give it the inertia of its shape, unless a point is meant"
            yield Finding("note", "point-mass", part.where, text, fix)
        elif np.abs(part.moments - 1.0).max() < 1e-9:
            text = "its principal moments are all 1 kg m^2, as in a placeholder"
            fix = "compute the inertia from the shape (jounce.inertia)"
            yield Finding("warning", "placeholder-inertia", part.where, text, fix)
        elif k > limit * size:
            text = f"{expected} (radius of gyration {k:.3g} m)"
            yield Finding("warning", "inertia-too-large", part.where, text, units)
        elif k < 0.9 * ball:
            text = f"{expected}; it would be denser than any metal"
            yield Finding("warning", "inertia-too-small", part.where, text, units)


def _format_digit(x: float) -> str:
    """Format a number with one digit: 200, 3e-07."""
    return f"{float(f'{x:.0e}'):g}"


def _far_centers(facts: _Facts) -> Iterator[Finding]:
    for part in facts.parts:
        size = max(facts.geometry[part.body], np.cbrt(max(part.mass, 0.0) / _TYPICAL))
        if part.mass > 0.0 and part.com > _TOO_FAR * size:
            text = f"its center of mass is {part.com:.3g} m away, in a link of some {size:.2g} m"
            fix = "check the units (m, not mm) and the frame it is given in"
            yield Finding("warning", "far-center-of-mass", part.where, text, fix)


def _copies(facts: _Facts) -> Iterator[Finding]:
    """Most links alike to the last digit: copied rather than computed."""
    alike = Counter(part.inertia.tobytes() for part in facts.parts)
    value, times = alike.most_common(1)[0] if alike else (b"", 0)
    if times >= 4 and times > len(facts.parts) / 2:
        names = [part.name for part in facts.parts if part.inertia.tobytes() == value]
        text = f"{times} of {len(facts.parts)} links have the same inertia: {_some(names)}"
        fix = "compute each from its shape, unless they are equal"
        yield Finding("note", "same-inertias", f"robot '{facts.model.name}'", text, fix)


def _scale(facts: _Facts) -> Iterator[Finding]:
    """Mass and length of the whole robot: grams, millimeters."""
    where, reach = f"robot '{facts.model.name}'", facts.reach
    mass = float(facts.model.parameters[:, 0].sum())
    if reach > _FARTHEST:
        text = f"its joints are up to {reach:.3g} m apart"
        fix = "check the units of joint origins (m, not mm)"
        yield Finding("warning", "too-long", where, text, fix)
    elif mass > 0.0 and reach > 0.01:
        density = mass / reach**3
        if density > _THICKEST:
            text = f"{mass:.3g} kg in a robot whose joints are {reach:.2g} m apart is far too heavy"
            fix = "check the units of mass (kg, not g)"
            yield Finding("warning", "too-heavy", where, text, fix)
        elif density < _SPARSEST:
            text = f"{mass:.3g} kg in a robot whose joints are {reach:.2g} m apart is far too light"
            fix = "check the units of mass (kg) and of joint origins (m, not mm)"
            yield Finding("warning", "too-light", where, text, fix)


# ------------------------------------------------------------------ what nothing resists


def _nothing_to_move(facts: _Facts) -> Iterator[Finding]:
    """Massless links at the ends, and joints that can be accelerated without effort."""
    model = facts.model
    named: set[str] = set()
    for i, (joint, body) in enumerate(zip(model.joints, model.bodies, strict=True)):
        if body.inertia.any() or i in facts.carriers:
            continue
        named.add(joint.name)
        driven = bool(np.all(joint.armature > 0.0))
        text = f"it has no mass, and nothing hangs on it: joint '{joint.name}' moves nothing"
        if not driven and joint.mimic is None:
            text += ", so the mass matrix is singular"
        fix = "give it its inertia, or hold it by a fixed joint"
        severity = "note" if driven or joint.mimic is not None else "error"
        yield Finding(severity, "massless-leaf", f"link '{body.name}'", text, fix)
    yield from _singular(facts, named)


def _singular(facts: _Facts, named: set[str]) -> Iterator[Finding]:
    if not 0 < facts.model.nv <= MAX_VELOCITIES:
        return
    owners = [j.name for j in facts.model.joints if j.mimic is None for _ in range(j.nv)]
    M = facts.mass_matrix
    if not np.isfinite(M).all():
        text = "its mass matrix overflows"
        fix = "look for lengths and masses that are far too large"
        yield Finding("error", "overflow", f"robot '{facts.model.name}'", text, fix)
        return
    alone, together = massless_velocities(M)
    fix = "give the links beyond their inertia, or the joint an armature"
    for name in dict.fromkeys(owners[k] for k in alone):
        if name not in named:
            text = "nothing beyond it resists its motion, so the mass matrix is singular"
            yield Finding("error", "singular-mass-matrix", f"joint '{name}'", text, fix)
    if together:
        names = dict.fromkeys(owners[k] for k in together)
        text = f"moving joints {_some(list(names))} together meets no resistance: M is singular"
        yield Finding("error", "singular-mass-matrix", f"robot '{facts.model.name}'", text, fix)


# ------------------------------------------------------------------ joints


def _joint_notes(facts: _Facts) -> Iterator[Finding]:
    """Report numbers that were corrected when the joint was created."""
    for joint in facts.model.joints:
        for text in joint.notes:
            fix = "correct the file; other programs may read it differently"
            yield Finding("warning", "put-right", f"joint '{joint.name}'", text, fix)


def _limits(facts: _Facts) -> Iterator[Finding]:
    for joint in facts.model.joints:
        where = f"joint '{joint.name}'"
        for low, high, turns in zip(joint.lower, joint.upper, joint.row.turns, strict=True):
            yield from _range(where, float(low), float(high), turns)
        for name in ("effort", "velocity"):
            values = getattr(joint, f"{name}_limit")
            if np.any(values < 0.0):
                text = f"its {name} limit {values.tolist()} is negative"
                fix = "give its magnitude"
                yield Finding("warning", f"negative-{name}", where, text, fix)
            elif np.any(values == 0.0) and joint.mimic is None:
                text = f"its {name} limit is zero"
                fix = "give the drive's limit, or leave it out"
                yield Finding("note", f"no-{name}", where, text, fix)


def _range(where: str, lower: float, upper: float, turns: bool) -> Iterator[Finding]:
    if lower > upper:
        text = f"its limits are reversed: {lower:g} to {upper:g}"
        yield Finding("error", "reversed-limits", where, text, "swap them")
        return
    if lower == upper:
        text = f"its limits are equal: {lower:g} to {upper:g}"
        fix = "give both limits (a URDF takes 0 for a missing one), or make the joint fixed"
        yield Finding("warning", "no-range", where, text, fix)
        return
    low, high = _DEGREES if turns else _MILLIMETERS
    largest = max((abs(x) for x in (lower, upper) if np.isfinite(x)), default=0.0)
    if low <= largest <= high:
        unit, wrong = ("rad", "degrees") if turns else ("m", "millimeters")
        text = f"its limits {lower:g} to {upper:g} {unit} are large: {wrong}?"
        fix = f"give them in {unit}"
        yield Finding("warning", f"limits-in-{wrong}", where, text, fix)


def _followers(facts: _Facts) -> Iterator[Finding]:
    """Followers whose leader takes them beyond their own limits."""
    joints = {joint.name: joint for joint in facts.model.joints}
    for joint in facts.model.joints:
        if joint.mimic is None:
            continue
        where, gain, leader = f"joint '{joint.name}'", joint.mimic.multiplier, joint.mimic.leader
        if gain == 0.0:
            text = f"it follows '{leader}' with the multiplier 0, so it never moves"
            fix = "give the ratio, or make it fixed"
            yield Finding("warning", "still-follower", where, text, fix)
            continue
        ends = (float(joints[leader].lower[0]), float(joints[leader].upper[0]))
        low, high = sorted(gain * end + joint.mimic.offset for end in ends)
        lower, upper = float(joint.lower[0]), float(joint.upper[0])
        if not np.isfinite((low, high)).all() or lower >= upper:
            continue
        slack = 1e-2 * (upper - lower) if np.isfinite(upper - lower) else 1e-6
        if low < lower - slack or high > upper + slack:
            text = (
                f"following '{leader}' takes it from {low:.4g} to {high:.4g}, beyond its limits"
                f" {lower:.4g} to {upper:.4g}"
            )
            fix = "check the multiplier, the offset and both joints' limits"
            yield Finding("warning", "follower-beyond-limits", where, text, fix)


# ------------------------------------------------------------------ the rest


def _gravity(facts: _Facts) -> Iterator[Finding]:
    where, pull = f"robot '{facts.model.name}'", facts.model.gravity
    size = float(np.linalg.norm(pull))
    if size > 0.0 and not 1.0 <= size <= 30.0:
        text = f"gravity is {size:.4g} m/s^2"
        yield Finding("warning", "odd-gravity", where, text, "give it in m/s^2, such as 9.81")
    elif size > 0.0 and pull[2] > 0.9 * size:
        text = f"gravity points up: {pull.tolist()}"
        fix = "give the acceleration of a falling body, such as (0, 0, -9.81)"
        yield Finding("warning", "odd-gravity", where, text, fix)


def _some(names: list[str]) -> str:
    """Names in quotes, not too many."""
    shown = ", ".join(f"'{name}'" for name in names[:4])
    return shown if len(names) <= 4 else f"{shown} and {len(names) - 4} more"


#: All rules, in the order in which findings of the same severity are listed.
RULES: tuple[Callable[[_Facts], Iterator[Finding]], ...] = (
    _impossible,
    _nothing_to_move,
    _scale,
    _suspicious_inertia,
    _far_centers,
    _copies,
    _joint_notes,
    _limits,
    _followers,
    _gravity,
)
