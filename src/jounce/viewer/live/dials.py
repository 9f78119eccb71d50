"""Slider models: one scalar coordinate each, for joints of every kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite

import numpy as np

from jounce.arrays import JointView
from jounce.model.joints import FREE, SPANS, SPHERICAL, ElementaryMotion, finite_range
from jounce.viewer.live.subject import Subject


@dataclass(frozen=True, eq=False)
class Dial:
    """Scalar coordinate of a configuration that a slider sets."""

    joint: str
    label: str  #: Text next to the slider.
    hint: str  #: Tooltip.
    unit: str  #: Unit of the coordinate.
    low: float  #: Lower end of the range.
    high: float  #: Upper end of the range.
    read: Callable[[np.ndarray], float]  #: Returns the coordinate at q (nq,).
    write: Callable[[np.ndarray, float], np.ndarray]  #: Returns q with another coordinate.


def create_dials(subject: Subject, size: float) -> list[Dial]:
    """Return the dials of all independent joints in order, for a robot of a size in m.

    Mimic joints and dependent joints of a mechanism have none.
    """
    free = set(subject.dynamics.velocities)
    out: list[Dial] = []
    for view in subject.robot.joints.values():
        if view.joint.mimic is None:
            out += _create_joint_dials(subject, view, free, size)
    return out


def _create_joint_dials(
    subject: Subject, view: JointView, free: set[int], size: float
) -> list[Dial]:
    """Return the dials of one joint: one for each independent velocity of its motions."""
    limits = subject.robot.limits
    bounded = dict(view.joint.row.limited)
    out: list[Dial] = []
    for part in view.joint.row.parts:
        q = slice(view.q.start + part.q.start, view.q.start + part.q.stop)
        first = view.v.start + part.v.start
        name = view.name if len(view.joint.row.parts) == 1 else f"{view.name} {part.name}"
        if part.motion.unit.stop > part.motion.unit.start:
            for dial in _create_unit_vector_dials(view.name, name, part.motion, q, size):
                if free & set(range(first, first + part.motion.nv)):
                    out.append(dial)
            continue
        several = part.motion.nq > 1
        words = part.motion.words[0].split(", ") if several else [""]
        for k, unit in enumerate(part.motion.units):
            if first + min(k, part.motion.nv - 1) not in free:
                continue
            entry = bounded.get(part.q.start + k)
            low, high = -np.inf, np.inf
            if entry is not None:
                index = view.v.start + entry
                low, high = float(limits.lower[index]), float(limits.upper[index])
            label = f"{name} {words[k]}".strip() if k < len(words) else f"{name} {k}"
            out.append(_create_coordinate_dial(view.name, label, unit, q.start + k, low, high))
    return out


def _create_coordinate_dial(
    joint: str,
    label: str,
    unit: str,
    index: int,
    low: float = -np.inf,
    high: float = np.inf,
    span: float | None = None,
) -> Dial:
    """Return the dial of q[index]; `span` is half the range where it has no limits."""
    limit_count = sum(map(isfinite, (low, high)))
    low, high = map(float, finite_range(low, high, SPANS[unit] if span is None else span))
    words = ("without limits; slider range", "with one limit; slider range", "within its limits,")[
        limit_count
    ]
    hint = f"{words} {low:.3g} to {high:.3g} {unit}".strip()

    def write(q: np.ndarray, value: float) -> np.ndarray:
        out = q.copy()
        out[index] = value
        return out

    return Dial(joint, label, hint, unit, low, high, lambda q: float(q[index]), write)


def _create_unit_vector_dials(
    joint: str, name: str, motion: ElementaryMotion, entries: slice, size: float
) -> list[Dial]:
    """Return dials of a motion with unit vectors: tangent coordinates relative to neutral.

    For a spherical joint these are the rotation vector; for a free one also the position.
    """
    if motion != FREE:
        return [_create_tangent_dial(joint, name, motion, entries, k) for k in range(motion.nv)]
    turn = slice(entries.start, entries.start + 4)
    reach = max(SPANS["m"], 1.5 * size)
    turns = [_create_tangent_dial(joint, name, SPHERICAL, turn, k) for k in range(3)]
    return turns + [
        _create_coordinate_dial(joint, f"{name} {'xyz'[k]}", "m", turn.stop + k, span=reach)
        for k in range(3)
    ]


def _create_tangent_dial(
    joint: str, name: str, motion: ElementaryMotion, entries: slice, k: int
) -> Dial:
    """Return the dial of one tangent coordinate, relative to the neutral configuration."""
    neutral = motion.neutral()
    unit = "rad" if motion.turns[k] else "m"
    span = SPANS[unit]

    def read_all(q: np.ndarray) -> np.ndarray:
        return np.asarray(motion.difference(neutral, q[entries]), dtype=float)

    def write(q: np.ndarray, value: float) -> np.ndarray:
        tangent = read_all(q)
        tangent[k] = value
        out = q.copy()
        out[entries] = np.asarray(motion.integrate(neutral, tangent), dtype=float)
        return out

    word = f"{'rotation' if motion.turns[k] else 'translation'} {'xyz'[k % 3]}"
    hint = f"from neutral along velocity {k}; slider range {-span:.3g} to {span:.3g} {unit}"
    label = f"{name} {word}"
    return Dial(joint, label, hint, unit, -span, span, lambda q: float(read_all(q)[k]), write)
