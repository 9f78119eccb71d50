"""Rigid-body dynamics and their derivatives in closed form, compiled per robot."""

from importlib.metadata import version as _version

from jounce import inertia as inertia
from jounce.errors import ArgumentError as ArgumentError
from jounce.errors import DataError as DataError
from jounce.errors import DataWarning as DataWarning
from jounce.errors import JounceError as JounceError
from jounce.errors import KernelTooLargeError as KernelTooLargeError
from jounce.errors import ModelError as ModelError
from jounce.errors import ModelWarning as ModelWarning
from jounce.io import TreeBuilder as TreeBuilder
from jounce.io import from_dh as from_dh
from jounce.io import from_screws as from_screws
from jounce.io import gallery as gallery
from jounce.io import read as read
from jounce.model.model import Body as Body
from jounce.model.model import Frame as Frame
from jounce.model.model import Joint as Joint
from jounce.model.model import Loop as Loop
from jounce.model.model import Mimic as Mimic
from jounce.model.model import Model as Model
from jounce.process.memory import release_memory as release_memory
from jounce.process.threads import get_num_threads as get_num_threads
from jounce.process.threads import set_num_threads as set_num_threads
from jounce.robot import Robot as Robot
from jounce.robot import load as load

__version__ = _version("jounce")
