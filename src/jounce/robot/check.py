"""Checks of models: infeasible inertias, wrong units, limits, joints without inertia."""

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

#: Maximum density of a solid, kg/m^3; platinum has 21 450.
_MAX_DENSITY = 2.2e4
#: Density that gives the minimum size of a link, kg/m^3: water.
_DEFAULT_DENSITY = 1e3
#: Maximum radius of gyration, relative to the size of the link.
_MAX_GYRATION_RATIO = 3.0
#: Maximum distance of the center of mass from the body's frame, relative to the size of the link.
_MAX_COM_RATIO = 5.0
#: Range of a robot's mass divided by its length cubed, kg/m^3: 4 to 300 in practice.
_MIN_ROBOT_DENSITY, _MAX_ROBOT_DENSITY = 0.4, 3e3
#: Maximum plausible reach of a robot, m.
_MAX_REACH = 100.0
#: Limits of angles in this range, rad, are probably in degrees: up to two turns.
_DEGREES_RANGE = (30.0, 720.0)
#: Limits of displacements in this range, m, are probably in millimeters.
_MILLIMETERS_RANGE = (20.0, 2e4)


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

    Examples
    --------
    >>> import jounce
    >>> jounce.read("kuka_iiwa14").check()
    []
    """
    data = _ModelData(checked_model(model, "check"))
    with np.errstate(all="ignore"):  # numbers that overflow are findings, too
        findings = [finding for rule in RULES for finding in rule(data)]
    return sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))


@dataclass(frozen=True)
class _LinkInertia:
    """The inertial parameters of a link, and values derived from them."""

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
    def com_distance(self) -> float:
        """Distance of the center of mass from the body's frame, m."""
        return float(np.linalg.norm(about_com(self.inertia).com))

    @cached_property
    def moments(self) -> Floats:
        """Principal moments about the center of mass, ascending, kg m^2; NaN if they overflow."""
        about = about_com(self.inertia).inertia
        return np.linalg.eigvalsh(about) if np.isfinite(about).all() else np.full(3, np.nan)

    @property
    def gyration_radius(self) -> float:
        """Largest radius of gyration about the center of mass, m."""
        return float(np.sqrt(max(self.moments[2], 0.0) / self.mass))

    @property
    def is_point(self) -> bool:
        """True if all mass is in one point, up to round-off of the moments."""
        return self.mass > 0.0 and self.gyration_radius <= 1e-6 * self.com_distance


class _ModelData:
    """A model, and values derived from it that several rules use."""

    def __init__(self, model: Model) -> None:
        self.model = model

    @cached_property
    def links(self) -> list[_LinkInertia]:
        """Links with nonzero inertia, also those that were welded into one body."""
        return [
            _LinkInertia(name, i, inertia)
            for i, body in enumerate(self.model.bodies)
            for name, inertia in link_shares(body).items()
            if inertia.any()
        ]

    @cached_property
    def body_sizes(self) -> Floats:
        """Size of each body, m, estimated from joints, frames and simple shapes; 0 if unknown."""
        sizes = np.zeros(self.model.nb)
        for i, joint in enumerate(self.model.joints):
            away = float(np.linalg.norm(joint.placement[:3, 3]))
            if joint.parent >= 0:
                sizes[joint.parent] = max(sizes[joint.parent], away)
                if i not in self.parent_bodies:  # assume that a last link is as long as its parent
                    sizes[i] = max(sizes[i], away)
            sizes[i] = max(sizes[i], float(np.linalg.norm(joint.point)))
        for frame in self.model.frames:
            if frame.body >= 0:
                away = float(np.linalg.norm(frame.placement[:3, 3]))
                sizes[frame.body] = max(sizes[frame.body], away)
        for i, body in enumerate(self.model.bodies):
            sizes[i] = max((sizes[i], *(_bound_radius(solid) for solid in body.solids)))
        return sizes

    @cached_property
    def reach(self) -> float:
        """Length of the longest chain of joints, m."""
        ends: list[float] = []
        for joint in self.model.joints:
            # the pose of the base in the world is not part of the robot's length
            away = 0.0 if joint.parent < 0 else float(np.linalg.norm(joint.placement[:3, 3]))
            ends.append((ends[joint.parent] if joint.parent >= 0 else 0.0) + away)
        return max(ends, default=0.0)

    @cached_property
    def parent_bodies(self) -> set[int]:
        """Indices of the bodies that have child joints."""
        return {joint.parent for joint in self.model.joints}

    @cached_property
    def mass_matrix(self) -> Floats:
        """Mass matrix at a generic configuration."""
        tree = lower(self.model)
        return mass_matrix(tree, generic_configuration(tree)).astype(float)


def _bound_radius(solid: Solid) -> float:
    """Return an upper bound of the distance of a shape's points from the body's frame, m."""
    half = np.array(solid.size)
    if solid.shape == "box":
        half = half / 2.0
    elif len(half) == 2:
        half = half * (1.0, 0.5)
    return float(np.linalg.norm(solid.placement[:3, 3]) + np.linalg.norm(half))


# ------------------------------------------------------------------ inertias


def _check_feasibility(data: _ModelData) -> Iterator[Finding]:
    for link in data.links:
        text = _find_violation(link)
        if text:
            fix = "compute it anew from the shape (jounce.inertia) and check signs and axes"
            yield Finding("error", "impossible-inertia", link.where, text, fix)
        elif link.mass == 0.0:
            text = "it has an inertia but no mass"
            yield Finding("warning", "inertia-without-mass", link.where, text, "give it its mass")


def _find_violation(link: _LinkInertia) -> str:
    """Return the violated condition of an inertia, or ''; tolerances are relative to its size."""
    text = problem(link.inertia)
    if text or link.mass == 0.0 or link.is_point:
        return text
    a, b, c = (link.moments / link.moments[2]).tolist()
    shown = ", ".join(f"{moment:.4g}" for moment in link.moments)
    if a < -1e-2:
        return f"the inertia about the center of mass is not positive (moments {shown})"
    if c - a - b > 5e-2:
        return f"the inertia breaks the triangle inequality (principal moments {shown})"
    return ""


def _check_plausibility(data: _ModelData) -> Iterator[Finding]:
    """Report inertias that do not fit the mass and size of the link: wrong units, placeholders."""
    for link in data.links:
        if link.mass == 0.0 or _find_violation(link):
            continue
        k, m = link.gyration_radius, link.mass
        known = max(data.body_sizes[link.body], link.com_distance)
        size = max(known, np.cbrt(m / _DEFAULT_DENSITY))
        # allow more if the size is only a guess
        max_ratio = _MAX_GYRATION_RATIO if known > 0.0 else 2.0 * _MAX_GYRATION_RATIO
        ball = np.sqrt(0.4) * np.cbrt(m / (4.0 / 3.0 * np.pi * _MAX_DENSITY))
        factor = _format_digit((k / (0.35 * size)) ** 2)
        expected = f"its inertia is about {factor} times what {m:.3g} kg in {size:.2g} m would have"
        units = "check the units of inertia and mass (kg m^2, not g m^2 or kg mm^2; kg, not g)"
        if link.is_point:
            text = f"its {m:.3g} kg are in one point"
            fix = "give it the inertia of its shape, unless a point is meant"
            yield Finding("note", "point-mass", link.where, text, fix)
        elif np.abs(link.moments - 1.0).max() < 1e-9:
            text = "its principal moments are all 1 kg m^2, as in a placeholder"
            fix = "compute the inertia from the shape (jounce.inertia)"
            yield Finding("warning", "placeholder-inertia", link.where, text, fix)
        elif k > max_ratio * size:
            text = f"{expected} (radius of gyration {k:.3g} m)"
            yield Finding("warning", "inertia-too-large", link.where, text, units)
        elif k < 0.9 * ball:
            text = f"{expected}; it would be denser than any metal"
            yield Finding("warning", "inertia-too-small", link.where, text, units)


def _format_digit(x: float) -> str:
    """Format a number with one digit: 200, 3e-07."""
    return f"{float(f'{x:.0e}'):g}"


def _check_com_distances(data: _ModelData) -> Iterator[Finding]:
    for link in data.links:
        size = max(data.body_sizes[link.body], np.cbrt(max(link.mass, 0.0) / _DEFAULT_DENSITY))
        if link.mass > 0.0 and link.com_distance > _MAX_COM_RATIO * size:
            away = f"{link.com_distance:.3g} m away"
            text = f"its center of mass is {away}, in a link of some {size:.2g} m"
            fix = "check the units (m, not mm) and the frame it is given in"
            yield Finding("warning", "far-center-of-mass", link.where, text, fix)


def _check_copies(data: _ModelData) -> Iterator[Finding]:
    """Report if most links have bitwise equal inertias, which were probably copied."""
    alike = Counter(link.inertia.tobytes() for link in data.links)
    value, times = alike.most_common(1)[0] if alike else (b"", 0)
    if times >= 4 and times > len(data.links) / 2:
        names = [link.name for link in data.links if link.inertia.tobytes() == value]
        text = f"{times} of {len(data.links)} links have the same inertia: {_format_names(names)}"
        fix = "compute each from its shape, unless they are equal"
        yield Finding("note", "same-inertias", f"robot '{data.model.name}'", text, fix)


def _check_scale(data: _ModelData) -> Iterator[Finding]:
    """Report implausible mass and length of the whole robot: grams, millimeters."""
    where, reach = f"robot '{data.model.name}'", data.reach
    mass = float(data.model.parameters[:, 0].sum())
    if reach > _MAX_REACH:
        text = f"its joints are up to {reach:.3g} m apart"
        fix = "check the units of joint origins (m, not mm)"
        yield Finding("warning", "too-long", where, text, fix)
    elif mass > 0.0 and reach > 0.01:
        density = mass / reach**3
        if density > _MAX_ROBOT_DENSITY:
            text = f"{mass:.3g} kg in a robot whose joints are {reach:.2g} m apart is far too heavy"
            fix = "check the units of mass (kg, not g)"
            yield Finding("warning", "too-heavy", where, text, fix)
        elif density < _MIN_ROBOT_DENSITY:
            text = f"{mass:.3g} kg in a robot whose joints are {reach:.2g} m apart is far too light"
            fix = "check the units of mass (kg) and of joint origins (m, not mm)"
            yield Finding("warning", "too-light", where, text, fix)


# ------------------------------------------------------------------ singular mass matrices


def _check_massless_leaves(data: _ModelData) -> Iterator[Finding]:
    """Report massless links without children, and joints that accelerate without effort."""
    model = data.model
    named: set[str] = set()
    for i, (joint, body) in enumerate(zip(model.joints, model.bodies, strict=True)):
        if body.inertia.any() or i in data.parent_bodies:
            continue
        named.add(joint.name)
        driven = bool(np.all(joint.armature > 0.0))
        text = f"it has no mass, and nothing hangs on it: joint '{joint.name}' moves nothing"
        if not driven and joint.mimic is None:
            text += ", so the mass matrix is singular"
        fix = "give it its inertia, or hold it by a fixed joint"
        severity = "note" if driven or joint.mimic is not None else "error"
        yield Finding(severity, "massless-leaf", f"link '{body.name}'", text, fix)
    yield from _check_mass_matrix(data, named)


def _check_mass_matrix(data: _ModelData, named: set[str]) -> Iterator[Finding]:
    if not 0 < data.model.nv <= MAX_VELOCITIES:
        return
    owners = [j.name for j in data.model.joints if j.mimic is None for _ in range(j.nv)]
    M = data.mass_matrix
    if not np.isfinite(M).all():
        text = "its mass matrix overflows"
        fix = "look for lengths and masses that are far too large"
        yield Finding("error", "overflow", f"robot '{data.model.name}'", text, fix)
        return
    alone, together = massless_velocities(M)
    fix = "give the links beyond their inertia, or the joint an armature"
    for name in dict.fromkeys(owners[k] for k in alone):
        if name not in named:
            text = "nothing beyond it resists its motion, so the mass matrix is singular"
            yield Finding("error", "singular-mass-matrix", f"joint '{name}'", text, fix)
    if together:
        names = dict.fromkeys(owners[k] for k in together)
        listed = _format_names(list(names))
        text = f"moving joints {listed} together meets no resistance: M is singular"
        yield Finding("error", "singular-mass-matrix", f"robot '{data.model.name}'", text, fix)


# ------------------------------------------------------------------ joints


def _report_joint_notes(data: _ModelData) -> Iterator[Finding]:
    """Report values that were corrected when the joint was created."""
    for joint in data.model.joints:
        for text in joint.notes:
            fix = "correct the file; other programs may read it differently"
            yield Finding("warning", "put-right", f"joint '{joint.name}'", text, fix)


def _check_limits(data: _ModelData) -> Iterator[Finding]:
    for joint in data.model.joints:
        where = f"joint '{joint.name}'"
        for low, high, turns in zip(joint.lower, joint.upper, joint.row.turns, strict=True):
            yield from _check_range(where, float(low), float(high), turns)
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


def _check_range(where: str, lower: float, upper: float, turns: bool) -> Iterator[Finding]:
    if lower > upper:
        text = f"its limits are reversed: {lower:g} to {upper:g}"
        yield Finding("error", "reversed-limits", where, text, "swap them")
        return
    if lower == upper:
        text = f"its limits are equal: {lower:g} to {upper:g}"
        fix = "give both limits (a URDF takes 0 for a missing one), or make the joint fixed"
        yield Finding("warning", "no-range", where, text, fix)
        return
    low, high = _DEGREES_RANGE if turns else _MILLIMETERS_RANGE
    largest = max((abs(x) for x in (lower, upper) if np.isfinite(x)), default=0.0)
    if low <= largest <= high:
        unit, wrong = ("rad", "degrees") if turns else ("m", "millimeters")
        text = f"its limits {lower:g} to {upper:g} {unit} are large: {wrong}?"
        fix = f"give them in {unit}"
        yield Finding("warning", f"limits-in-{wrong}", where, text, fix)


def _check_followers(data: _ModelData) -> Iterator[Finding]:
    """Report mimic joints that exceed their own limits as they follow their leader."""
    joints = {joint.name: joint for joint in data.model.joints}
    for joint in data.model.joints:
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


# ------------------------------------------------------------------ gravity


def _check_gravity(data: _ModelData) -> Iterator[Finding]:
    where, pull = f"robot '{data.model.name}'", data.model.gravity
    size = float(np.linalg.norm(pull))
    if size > 0.0 and not 1.0 <= size <= 30.0:
        text = f"gravity is {size:.4g} m/s^2"
        yield Finding("warning", "odd-gravity", where, text, "give it in m/s^2, such as 9.81")
    elif size > 0.0 and pull[2] > 0.9 * size:
        text = f"gravity points up: {pull.tolist()}"
        fix = "give the acceleration of a falling body, such as (0, 0, -9.81)"
        yield Finding("warning", "odd-gravity", where, text, fix)


def _format_names(names: list[str]) -> str:
    """Return the first four names in quotes, and how many more there are."""
    shown = ", ".join(f"'{name}'" for name in names[:4])
    return shown if len(names) <= 4 else f"{shown} and {len(names) - 4} more"


#: All rules, in the order in which findings of the same severity are listed.
RULES: tuple[Callable[[_ModelData], Iterator[Finding]], ...] = (
    _check_feasibility,
    _check_massless_leaves,
    _check_scale,
    _check_plausibility,
    _check_com_distances,
    _check_copies,
    _report_joint_notes,
    _check_limits,
    _check_followers,
    _check_gravity,
)
