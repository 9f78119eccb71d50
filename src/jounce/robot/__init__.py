"""`Robot`: a model with every quantity of the catalog as a callable.

`robot.py` is what users meet, `system.py` what robots, mechanisms and robots in contact share,
`groups` the methods behind `robot.export`, `robot.edit` and `robot.view`; `check.py` and `edit.py`
judge models and make models of models. Imports everything up to `arrays`; what is built on robots
(`solve`, `export`, `viewer`) is reached through `utils/registry.py`. Start with `robot.py`.
"""

from typing import TYPE_CHECKING

from jounce.robot.robot import Robot, load
from jounce.robot.system import System
from jounce.utils.lazy import submodules

if TYPE_CHECKING:
    from jounce.robot import check, edit

__all__ = [
    "Robot",
    "System",
    "check",
    "edit",
    "load",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
