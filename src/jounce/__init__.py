"""Rigid-body dynamics and their exact derivatives, compiled per robot."""

import typing as _typing

from jounce.errors import ArgumentError as ArgumentError
from jounce.errors import DataError as DataError
from jounce.errors import DataWarning as DataWarning
from jounce.errors import JounceError as JounceError
from jounce.errors import KernelTooLargeError as KernelTooLargeError
from jounce.errors import ModelError as ModelError
from jounce.errors import ModelWarning as ModelWarning
from jounce.inverse_kinematics.targets import Direction as Direction
from jounce.inverse_kinematics.targets import Orientation as Orientation
from jounce.inverse_kinematics.targets import Pose as Pose
from jounce.inverse_kinematics.targets import Position as Position
from jounce.io import TreeBuilder as TreeBuilder
from jounce.io import from_dh as from_dh
from jounce.io import from_screws as from_screws
from jounce.io import gallery as gallery
from jounce.io import read as read
from jounce.lazy import submodules as _submodules
from jounce.model.constraints import Contact as Contact
from jounce.model.constraints import Loop as Loop
from jounce.model.model import Body as Body
from jounce.model.model import Frame as Frame
from jounce.model.model import Joint as Joint
from jounce.model.model import Mimic as Mimic
from jounce.model.model import Model as Model
from jounce.process.threads import get_num_threads as get_num_threads
from jounce.process.threads import limit_threads as limit_threads
from jounce.process.threads import set_num_threads as set_num_threads
from jounce.process.version import VERSION as _VERSION
from jounce.robot import Robot as Robot
from jounce.robot import load as load
from jounce.runtime.recycling import release_memory as release_memory

__version__ = _VERSION

#: The public names; modules among them are imported on first use.
__all__ = [
    "ArgumentError",
    "Body",
    "Contact",
    "DataError",
    "DataWarning",
    "Direction",
    "Frame",
    "Joint",
    "JounceError",
    "KernelTooLargeError",
    "Loop",
    "Mimic",
    "Model",
    "ModelError",
    "ModelWarning",
    "Orientation",
    "Pose",
    "Position",
    "Robot",
    "TreeBuilder",
    "__version__",
    "backends",
    "check",
    "contacts",
    "design",
    "edit",
    "elastic",
    "errors",
    "export",
    "from_dh",
    "from_screws",
    "gallery",
    "get_num_threads",
    "identification",
    "identify",
    "inertia",
    "interop",
    "io",
    "lie",
    "limit_threads",
    "load",
    "mechanism",
    "meshes",
    "model",
    "motion",
    "papers",
    "read",
    "release_memory",
    "scene",
    "set_num_threads",
    "studies",
    "study",
    "view",
    "web",
]

if _typing.TYPE_CHECKING:  # a name that checkers recognize
    from jounce import backends as backends
    from jounce import catalog as catalog
    from jounce import check as check
    from jounce import contacts as contacts
    from jounce import cuda as cuda
    from jounce import dask as dask
    from jounce import design as design
    from jounce import edit as edit
    from jounce import elastic as elastic
    from jounce import errors as errors
    from jounce import export as export
    from jounce import identification as identification
    from jounce import inertia as inertia
    from jounce import interop as interop
    from jounce import io as io
    from jounce import jax as jax
    from jounce import lie as lie
    from jounce import mechanism as mechanism
    from jounce import meshes as meshes
    from jounce import model as model
    from jounce import motion as motion
    from jounce import papers as papers
    from jounce import quantities as quantities
    from jounce import scene as scene
    from jounce import studies as studies
    from jounce import torch as torch
    from jounce import view as view
    from jounce import web as web
    from jounce import xarray as xarray
    from jounce.identification import identify as identify
    from jounce.studies import study as study
else:
    __getattr__, __dir__ = _submodules(
        __name__,
        {"identify": "jounce.identification", "study": "jounce.studies"},
        optional=("jax", "torch"),
    )
