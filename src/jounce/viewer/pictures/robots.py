"""HTML of robots, mechanisms and robots in contact for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jounce.utils import format_count, html
from jounce.viewer.pictures.tree import draw
from jounce.viewer.pictures.words import facts, joint_words

if TYPE_CHECKING:
    from jounce.robot import System

#: Maximum number of joints in a table, and in a table that is not folded.
MAX_JOINTS, MAX_UNFOLDED_JOINTS = 300, 12

_HEADS = ("joint", "kind", "parent", "body", "mass, kg", "q", "v", "limits", "velocity", "effort")


def robot_html(system: System) -> str:
    """Return HTML with a drawing of the tree and the table of the joints."""
    return html.wrap_output(
        html.heading(system.name, facts(system)),
        draw(system).svg("currentColor"),
        joint_table(system),
    )


def joint_table(system: System) -> str:
    """Return the joints of a robot as an HTML table, folded if there are many."""
    rows = [
        (x.name, x.kind, x.parent, x.body, x.mass, x.q, x.v, x.limits, x.velocity, x.effort)
        for x in joint_words(system, MAX_JOINTS)
    ]
    omitted = system.model.nb - len(rows)
    title = format_count(system.model.nb, "joint")
    note = f'<p class="faint">{format_count(omitted, "further joint")}</p>' if omitted else ""
    return html.collapsible(
        title, html.table(_HEADS, rows) + note, len(rows) <= MAX_UNFOLDED_JOINTS
    )
