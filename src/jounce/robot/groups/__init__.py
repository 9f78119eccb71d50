"""Groups of a robot's methods: `robot.export`, `robot.edit` and `robot.view`.

Each group is a class whose methods look up what they do in `utils/registry.py`, since exports and
the viewer are above robots. Start with `group.py`.
"""

from jounce.robot.groups.edit import Edit as Edit
from jounce.robot.groups.export import Export as Export
from jounce.robot.groups.export import RobotExport as RobotExport
from jounce.robot.groups.view import View as View

__all__ = ["Edit", "Export", "RobotExport", "View"]
