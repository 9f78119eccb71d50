"""What can be set by hand: one number after the other, for joints of every kind."""

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
    """A number of a configuration that a slider sets.

    label, hint: words beside the slider. low, high: its range. read: the number at q (nq,). write:
    another configuration, with that number.
    """

    joint: str
    label: str
    hint: str
    low: float
    high: float
    read: Callable[[np.ndarray], float]
    write: Callable[[np.ndarray, float], np.ndarray]


def dials(subject: Subject, size: float) -> list[Dial]:
    """Those of all joints that move freely, in order; size: of the robot, m.

    Joints that follow others have none. Of a mechanism, those of its independent joints.
    """
    free = set(subject.whole.velocities)
    out: list[Dial] = []
    for view in subject.robot.joints.values():
        if view.joint.mimic is None:
            out += _of_joint(subject, view, free, size)
    return out


def _of_joint(subject: Subject, view: JointView, free: set[int], size: float) -> list[Dial]:
    """The dials of one joint: of each motion those of its velocities that are free."""
    limits = subject.robot.limits
    bounded = dict(view.joint.row.limited)
    out: list[Dial] = []
    for part in view.joint.row.parts:
        q = slice(view.q.start + part.q.start, view.q.start + part.q.stop)
        first = view.v.start + part.v.start
        name = view.name if len(view.joint.row.parts) == 1 else f"{view.name} {part.name}"
        if part.motion.unit.stop > part.motion.unit.start:
            for dial in _of_turns(view.name, name, part.motion, q, size):
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
                at = view.v.start + entry
                low, high = float(limits.lower[at]), float(limits.upper[at])
            label = f"{name} {words[k]}".strip() if k < len(words) else f"{name} {k}"
            out.append(_plain(view.name, label, unit, q.start + k, low, high))
    return out


def _plain(
    joint: str,
    label: str,
    unit: str,
    at: int,
    low: float = -np.inf,
    high: float = np.inf,
    span: float | None = None,
) -> Dial:
    """A coordinate that is a number by itself; span: half the range where it has no limits."""
    known = sum(map(isfinite, (low, high)))
    low, high = map(float, finite_range(low, high, SPANS[unit] if span is None else span))
    words = ("without limits; here", "with one limit; here", "within its limits,")[known]
    hint = f"{words} {low:.3g} to {high:.3g} {unit}".strip()

    def write(q: np.ndarray, value: float) -> np.ndarray:
        out = q.copy()
        out[at] = value
        return out

    return Dial(joint, label, hint, low, high, lambda q: float(q[at]), write)


def _of_turns(
    joint: str, name: str, motion: ElementaryMotion, at: slice, size: float
) -> list[Dial]:
    """Dials of motions with unit vectors: how far from neutral along each of their velocities.

    Of a spherical joint the rotation vector; of a free one that, and the position.
    """
    if motion != FREE:
        return [_along(joint, name, motion, at, k) for k in range(motion.nv)]
    turn = slice(at.start, at.start + 4)
    reach = max(SPANS["m"], 1.5 * size)
    turns = [_along(joint, name, SPHERICAL, turn, k) for k in range(3)]
    return turns + [
        _plain(joint, f"{name} {'xyz'[k]}", "m", turn.stop + k, span=reach) for k in range(3)
    ]


def _along(joint: str, name: str, motion: ElementaryMotion, at: slice, k: int) -> Dial:
    """The dial of one velocity of a motion, from its neutral configuration."""
    neutral = motion.neutral()
    unit = "rad" if motion.turns[k] else "m"
    span = SPANS[unit]

    def read_all(q: np.ndarray) -> np.ndarray:
        return np.asarray(motion.difference(neutral, q[at]), dtype=float)

    def write(q: np.ndarray, value: float) -> np.ndarray:
        along = read_all(q)
        along[k] = value
        out = q.copy()
        out[at] = np.asarray(motion.integrate(neutral, along), dtype=float)
        return out

    word = f"{'turn' if motion.turns[k] else 'shift'} {'xyz'[k % 3]}"
    hint = f"from neutral along velocity {k}; here {-span:.3g} to {span:.3g} {unit}"
    return Dial(joint, f"{name} {word}", hint, -span, span, lambda q: float(read_all(q)[k]), write)
