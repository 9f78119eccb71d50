"""Groups of a robot's methods: `robot.export`, `robot.edit` and `robot.view`."""

from jounce.groups.edit import Edit as Edit
from jounce.groups.export import Export as Export
from jounce.groups.export import RobotExport as RobotExport
from jounce.groups.view import View as View

__all__ = ["Edit", "Export", "RobotExport", "View"]
