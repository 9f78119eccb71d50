"""Base class of groups of methods."""

from __future__ import annotations

from typing import Any

from jounce.errors import SuggestsMembers, printable


class Group(SuggestsMembers):
    """Methods of a robot under one name."""

    _HIDDEN = frozenset(("robot", "title"))

    #: Name of the group on the robot.
    _NAME: str

    robot: Any
    """The robot, mechanism or robot in contact that has the methods."""

    def __init__(self, robot: Any) -> None:
        self.robot = robot

    @property
    def title(self) -> str:
        """Name of the group in messages, such as "arm.export"."""
        return f"{self.robot.name}.{self._NAME}"

    def __reduce__(self) -> Any:
        return getattr, (self.robot, self._NAME)

    def __repr__(self) -> str:
        methods = ", ".join(name for name in dir(self) if not name.startswith("_"))
        return printable(f"<{self.title}: {methods}>")
