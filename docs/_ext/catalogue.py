"""Every quantity of the catalog is an object that other pages, and other sites, can refer to."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

#: Whose quantities the page lists under which name, and the class that has them.
OWNERS = {
    "robot": "jounce.Robot",
    "frame": "jounce.arrays.tables.Frame",
    "closed": "jounce.solve.mechanism.robot.Mechanism",
    "closed.frame": "jounce.solve.mechanism.robot.Mechanism.frame",
    "contacts": "jounce.solve.contacts.robot.Contacts",
}
_TITLE = re.compile(r"^### `([a-z.]+)\.(\w+)`\n", re.MULTILINE)


def _entries(_app: Sphinx, docname: str, source: list[str]) -> None:
    if docname == "reference/quantities":
        source[0] = _TITLE.sub(_entry, source[0])


def _entry(title: re.Match[str]) -> str:
    """The title, after an object that shows nothing."""
    name = f"{OWNERS[title[1]]}.{title[2]}"
    return f"```{{py:method}} {name}\n:no-typesetting:\n```\n\n{title[0]}"


def setup(app: Sphinx) -> dict[str, Any]:
    """Have the page of quantities marked up as it is read."""
    app.connect("source-read", _entries)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
