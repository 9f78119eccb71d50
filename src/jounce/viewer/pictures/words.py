"""Text about a robot's joints, for tables in terminals and notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jounce.errors import printable
from jounce.model import Joint, Mimic
from jounce.utils import format_count, html

if TYPE_CHECKING:
    from jounce.robot import System


@dataclass(frozen=True)
class JointWords:
    """Text about a joint and its body, without control characters.

    q, v: its indices in a configuration and in a velocity, empty if it has none. follows: why it
    has none in v: "mimic", or "loop" if the loops of a mechanism determine it.
    """

    name: str
    kind: str
    parent: str
    body: str
    q: str
    v: str
    limits: str
    velocity: str
    effort: str
    mass: str
    follows: str


def joint_words(system: System, count: int | None = None) -> list[JointWords]:
    """Return text about the first `count` or all joints."""
    model = system.model
    place = {k: i for i, k in enumerate(system.velocities)}
    out = []
    pairs = zip(model.joints[:count], model.bodies[:count], strict=True)
    for joint, body in pairs:
        view = system.joints[joint.name]
        entries = [place[k] for k in range(view.v.start, view.v.stop) if k in place]
        mimics = joint.mimic is not None
        out.append(
            JointWords(
                printable(joint.name),
                kind(joint),
                "world" if joint.parent < 0 else printable(model.bodies[joint.parent].name),
                printable(body.name),
                "" if mimics else span(range(view.q.start, view.q.stop)),
                "" if mimics else span(entries),
                limits(joint),
                caps(joint.velocity_limit.tolist()),
                caps(joint.effort_limit.tolist()),
                f"{body.inertia[0]:.4g}",
                "mimic" if mimics else "" if entries else "loop",
            )
        )
    return out


def span(places: Iterable[int]) -> str:
    """Return indices as text: "3", "0:7", "0, 4"."""
    indices = list(places)
    if len(indices) > 1 and indices == list(range(indices[0], indices[-1] + 1)):
        return f"{indices[0]}:{indices[-1] + 1}"
    return ", ".join(map(str, indices))


def kind(joint: Joint) -> str:
    """Return a joint's kind, with the pitch of a screw."""
    return joint.kind + (f" {joint.pitch:.4g} m/rad" if joint.row.pitched else "")


def limits(joint: Joint) -> str:
    """Return the limits of a joint's coordinates, or its mimic rule; "-" for none."""
    if joint.mimic is not None:
        return rule(joint.mimic)
    pairs = zip(joint.lower.tolist(), joint.upper.tolist(), strict=True)
    return _join_distinct(
        "-" if low == -high == float("-inf") else f"{low:.4g} .. {high:.4g}" for low, high in pairs
    )


def rule(mimic: Mimic) -> str:
    """Return the rule of a mimic joint: "= -1 * left + 0.1"."""
    text = f"= {mimic.multiplier:.4g} * {printable(mimic.leader)}"
    return f"{text} {'+-'[mimic.offset < 0]} {abs(mimic.offset):.4g}" if mimic.offset else text


def caps(values: Iterable[float]) -> str:
    """Return maximum velocities or efforts of a joint; "-" for none."""
    return _join_distinct("-" if value == float("inf") else f"{value:.4g}" for value in values)


def _join_distinct(shown: Iterable[str]) -> str:
    """Return words separated by commas, or a single one if all are equal."""
    words = list(shown)
    return words[0] if len(set(words)) == 1 else ", ".join(words)


def facts(system: System) -> list[str]:
    """Return sizes, mass, gravity, loops and contacts of a robot as short texts."""
    model = system.model
    out = [format_count(model.nb, "joint"), f"nq = {system.nq}", f"nv = {system.nv}"]
    out.append(f"{system.model.mass:.6g} kg")
    if not np.array_equal(model.gravity, (0.0, 0.0, -9.81)):
        out.append(f"gravity ({', '.join(f'{x:g}' for x in model.gravity)}) m/s^2")
    followers = sum(joint.mimic is not None for joint in model.joints)
    contacts = getattr(system, "contact_names", model.contacts)  # the active ones
    for number, what in (
        (followers, "mimicking joint"),
        (len(model.loops), "loop"),
        (len(contacts), "contact"),
    ):
        if number:
            out.append(format_count(number, what))
    return out


# ------------------------------------------------------------------ the terminal

#: Maximum width of a cell in the terminal.
_MAX_WIDTH = 28


def table(system: System) -> str:
    """Return a robot as text for the terminal: a summary, and a line for each joint."""
    rows = [("joint", "kind", "parent", "q", "v", "limits", "mass, kg")]
    for x in joint_words(system):
        rows.append((x.name, x.kind, x.parent, x.q or "-", x.v or "-", x.limits, x.mass))
    rows = [tuple(html.truncate(cell, _MAX_WIDTH) for cell in row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join((printable(f"{system.name}: {', '.join(facts(system))}"), *lines))
