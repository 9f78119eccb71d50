"""A robot's joints in words: what tables of the terminal and of notebooks say of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jounce.errors import counted, printable
from jounce.model import Joint, Mimic
from jounce.utils import html

if TYPE_CHECKING:
    from jounce.robot import System


@dataclass(frozen=True)
class JointWords:
    """A joint and the body it moves; all is text as a terminal may show it.

    q, v: its places in a configuration and in a velocity, empty if it has none of its own. follows:
    why it has none in v: "mimic", or "loop" if the loops of a mechanism move it.
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
    """The joints of a robot, a mechanism or a robot in contact, or the first ones of them."""
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
    """Places in an array: "3", "0:7", "0, 4"."""
    found = list(places)
    if len(found) > 1 and found == list(range(found[0], found[-1] + 1)):
        return f"{found[0]}:{found[-1] + 1}"
    return ", ".join(map(str, found))


def kind(joint: Joint) -> str:
    """A joint's kind, with the pitch of a screw."""
    return joint.kind + (f" {joint.pitch:.4g} m/rad" if joint.row.pitched else "")


def limits(joint: Joint) -> str:
    """Bounds of a joint's coordinates, or whom it follows and how; "-": none."""
    if joint.mimic is not None:
        return rule(joint.mimic)
    pairs = zip(joint.lower.tolist(), joint.upper.tolist(), strict=True)
    return _once(
        "-" if low == -high == float("-inf") else f"{low:.4g} .. {high:.4g}" for low, high in pairs
    )


def rule(mimic: Mimic) -> str:
    """How a joint follows another: "= -1 * left + 0.1"."""
    text = f"= {mimic.multiplier:.4g} * {printable(mimic.leader)}"
    return f"{text} {'+-'[mimic.offset < 0]} {abs(mimic.offset):.4g}" if mimic.offset else text


def caps(values: Iterable[float]) -> str:
    """Largest speeds or efforts of a joint; "-": none."""
    return _once("-" if value == float("inf") else f"{value:.4g}" for value in values)


def _once(shown: Iterable[str]) -> str:
    """Words in a row, or one that stands for all."""
    words = list(shown)
    return words[0] if len(set(words)) == 1 else ", ".join(words)


def facts(system: System) -> list[str]:
    """Sizes, mass and gravity of a robot, and what holds it: a few words each."""
    model = system.model
    out = [counted(model.nb, "joint"), f"nq = {system.nq}", f"nv = {system.nv}"]
    out.append(f"{system.model.mass:.6g} kg")
    if not np.array_equal(model.gravity, (0.0, 0.0, -9.81)):
        out.append(f"gravity ({', '.join(f'{x:g}' for x in model.gravity)}) m/s^2")
    followers = sum(joint.mimic is not None for joint in model.joints)
    contacts = getattr(system, "contact_names", model.contacts)  # those that hold
    for number, what in (
        (followers, "mimicking joint"),
        (len(model.loops), "loop"),
        (len(contacts), "contact"),
    ):
        if number:
            out.append(counted(number, what))
    return out


# ------------------------------------------------------------------ the terminal

#: Longest cell of a table on the terminal.
_WIDEST = 28


def table(system: System) -> str:
    """A robot on a terminal: a line about it, and one for each joint."""
    rows = [("joint", "kind", "parent", "q", "v", "limits", "mass, kg")]
    for x in joint_words(system):
        rows.append((x.name, x.kind, x.parent, x.q or "-", x.v or "-", x.limits, x.mass))
    rows = [tuple(html.truncate(cell, _WIDEST) for cell in row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join((printable(f"{system.name}: {', '.join(facts(system))}"), *lines))
