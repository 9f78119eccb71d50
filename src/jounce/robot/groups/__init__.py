"""Groups of a robot's methods: `robot.export`, `robot.edit` and `robot.view`.

Each group is a class. Its methods look up their implementation in `utils/registry.py`, because
exports and the viewer are in higher packages. Start with `group.py`.
"""

from jounce.robot.groups.edit import Edit as Edit
from jounce.robot.groups.export import Export as Export
from jounce.robot.groups.export import RobotExport as RobotExport
from jounce.robot.groups.view import View as View

__all__ = ["Edit", "Export", "RobotExport", "View"]
