"""`Robot`: a model with every quantity of the catalog as a callable.

`robot.py` defines `Robot`, `loading.py` reads robots from files, and `system.py` is the base class
of robots, mechanisms and robots in contact. `groups` contains the methods of `robot.export`,
`robot.edit` and `robot.view`. `check.py` finds suspicious values in models; `edit.py` and
`rotors.py` return changed copies of models. This package imports everything up to `arrays`; methods
implemented in higher packages (`solve`, `export`, `viewer`) are looked up in `utils/registry.py`.
Start with `robot.py`.
"""

from typing import TYPE_CHECKING

from jounce.robot.loading import load
from jounce.robot.robot import Robot
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
