"""Rigid-body dynamics and their exact derivatives, compiled per robot."""

import typing as _typing

from jounce.catalog.synonyms import MODULE_SYNONYMS as _MODULE_SYNONYMS
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
from jounce.model.constraints import Contact as Contact
from jounce.model.constraints import Loop as Loop
from jounce.model.model import Body as Body
from jounce.model.model import Frame as Frame
from jounce.model.model import Joint as Joint
from jounce.model.model import Mimic as Mimic
from jounce.model.model import Model as Model
from jounce.robot import Robot as Robot
from jounce.robot import load as load
from jounce.runtime.recycling import release_memory as release_memory
from jounce.solve.inverse_kinematics.targets import Direction as Direction
from jounce.solve.inverse_kinematics.targets import Orientation as Orientation
from jounce.solve.inverse_kinematics.targets import Pose as Pose
from jounce.solve.inverse_kinematics.targets import Position as Position
from jounce.utils.deprecation import alias_modules as _alias_modules
from jounce.utils.lazy import submodules as _submodules
from jounce.utils.registry import register as _register
from jounce.utils.threads import get_num_threads as get_num_threads
from jounce.utils.threads import limit_threads as limit_threads
from jounce.utils.threads import set_num_threads as set_num_threads
from jounce.utils.version import VERSION as _VERSION

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
    "arrays",
    "calibrate",
    "calibration",
    "catalog",
    "check",
    "compiler",
    "control",
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
    "integrations",
    "io",
    "lie",
    "limit_threads",
    "load",
    "meshes",
    "model",
    "papers",
    "planning",
    "read",
    "release_memory",
    "robot",
    "set_num_threads",
    "solve",
    "studies",
    "study",
    "trajectories",
    "viewer",
]

# Functions that robots call and packages above them implement.
_register(
    {
        "Contacts": "jounce.solve.contacts.robot:Contacts",
        "ElasticInverseDynamics": "jounce.solve.elastic:ElasticInverseDynamics",
        "ElasticRobot": "jounce.solve.elastic.robot:ElasticRobot",
        "Mechanism": "jounce.solve.mechanism.robot:Mechanism",
        "Rollout": "jounce.solve.motion.rollout:Rollout",
        "SymbolicRobot": "jounce.export.sympy:SymbolicRobot",
        "casadi_functions": "jounce.export.casadi:casadi_functions",
        "check": "jounce.robot.check:check",
        "displaced": "jounce.solve.design:displaced",
        "draw": "jounce.viewer.pictures.tree:draw",
        "export_files": "jounce.export.source:export_files",
        "export_latex": "jounce.export.latex:export_latex",
        "export_web": "jounce.viewer.web.module:export_web",
        "hybrid_dynamics": "jounce.solve.hybrid:hybrid_dynamics",
        "frame_html": "jounce.viewer.pictures.quantities:frame_html",
        "inverse_kinematics": "jounce.solve.inverse_kinematics.solver:solve",
        "linearize": "jounce.solve.linearization:linearize",
        "lqr": "jounce.solve.linearization:lqr",
        "play": "jounce.viewer.live.opening:play",
        "quantity_html": "jounce.viewer.pictures.quantities:quantity_html",
        "relative_frame": "jounce.solve.relative:RelativeFrame",
        "robot_html": "jounce.viewer.pictures.robots:robot_html",
        "robot_table": "jounce.viewer.pictures.words:table",
        "spatial_operators": "jounce.solve.spatial_operators:SpatialOperators",
        "task_space": "jounce.solve.task_space:task_space",
        "show": "jounce.viewer.live.opening:show",
    }
)

#: Public short names of modules.
_PUBLIC = {
    "jounce.check": "jounce.robot.check",
    "jounce.design": "jounce.solve.design",
    "jounce.edit": "jounce.robot.edit",
    "jounce.elastic": "jounce.solve.elastic",
    "jounce.inertia": "jounce.model.inertia",
    "jounce.jax": "jounce.arrays.jax_adapter",
    "jounce.lie": "jounce.arrays.lie",
    "jounce.meshes": "jounce.io.mesh_inertia",
    "jounce.torch": "jounce.arrays.torch_adapter",
}

#: Former names of packages; they warn.
_MOVED = {
    "jounce.backends": "jounce.compiler.targets",
    "jounce.catalog.rows": "jounce.catalog.quantities",
    "jounce.contacts": "jounce.solve.contacts",
    "jounce.cuda": "jounce.arrays.cupy_adapter",
    "jounce.dask": "jounce.arrays.dask_adapter",
    "jounce.deprecation": "jounce.utils.deprecation",
    "jounce.frameworks": "jounce.arrays.frameworks",
    "jounce.graph": "jounce.compiler.graph",
    "jounce.groups": "jounce.robot.groups",
    "jounce.identify": "jounce.identification",
    "jounce.identify.identification": "jounce.identification",
    "jounce.interop": "jounce.export",
    "jounce.inverse_kinematics": "jounce.solve.inverse_kinematics",
    "jounce.lazy": "jounce.utils.lazy",
    "jounce.mechanism": "jounce.solve.mechanism",
    "jounce.motion": "jounce.solve.motion",
    "jounce.pictures": "jounce.viewer.pictures",
    "jounce.process": "jounce.utils",
    "jounce.quantities": "jounce.arrays",
    "jounce.quantities.quantity": "jounce.arrays.bound_quantity",
    "jounce.scene": "jounce.viewer.scene",
    "jounce.study": "jounce.studies",
    "jounce.system": "jounce.robot.system",
    "jounce.view": "jounce.viewer.live",
    "jounce.web": "jounce.viewer.web",
    "jounce.xarray": "jounce.arrays.xarray_adapter",
}

_alias_modules(_MOVED, _PUBLIC)

if _typing.TYPE_CHECKING:  # a name that checkers recognize
    from jounce import arrays as arrays
    from jounce import calibration as calibration
    from jounce import catalog as catalog
    from jounce import compiler as compiler
    from jounce import control as control
    from jounce import errors as errors
    from jounce import export as export
    from jounce import identification as identification
    from jounce import integrations as integrations
    from jounce import io as io
    from jounce import model as model
    from jounce import papers as papers
    from jounce import planning as planning
    from jounce import robot as robot
    from jounce import solve as solve
    from jounce import studies as studies
    from jounce import trajectories as trajectories
    from jounce import viewer as viewer
    from jounce.arrays import jax_adapter as jax  # noqa: F401
    from jounce.arrays import lie as lie
    from jounce.arrays import torch_adapter as torch  # noqa: F401
    from jounce.calibration import calibrate as calibrate
    from jounce.identification import identify as identify
    from jounce.io import mesh_inertia as meshes
    from jounce.model import inertia as inertia
    from jounce.robot import check as check
    from jounce.robot import edit as edit
    from jounce.solve import design as design
    from jounce.solve import elastic as elastic
    from jounce.studies import study as study
else:
    __getattr__, __dir__ = _submodules(
        __name__,
        {
            "calibrate": "jounce.calibration",
            "identify": "jounce.identification",
            "study": "jounce.studies",
        },
        modules=[name.removeprefix("jounce.") for name in (*_PUBLIC, *_MOVED)],
        optional=("jax", "torch"),
        synonyms=_MODULE_SYNONYMS,
    )
