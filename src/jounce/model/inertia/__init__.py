"""Inertias of bodies: ten parameters from shapes, moved, joined, checked; one body's dynamics.

The ten parameters of a body are pi = (m, h, Ixx, Iyy, Izz, Ixy, Ixz, Iyz): mass in kg, first moment
h = m c in kg m, and inertia about the frame's origin in kg m^2, as everywhere in jounce. All
functions take leading batch axes, and complex numbers where a derivative by complex step makes
sense. Start with `parameters.py`; `mesh` integrates triangulated solids, `solids.py` has simple
shapes, `rigid_body.py` the dynamics of one body.

>>> from jounce.model import inertia
>>> hammer = inertia.compose(
...     inertia.cylinder(0.02, 0.3, mass=0.5),
...     inertia.translate(inertia.box((0.1, 0.04, 0.04), density=7800.0), (0.0, 0.0, 0.15)),
... )
>>> inertia.com(hammer).round(4).tolist()
[0.0, 0.0, 0.1071]
"""

from jounce.model.inertia.consistency import from_log_cholesky as from_log_cholesky
from jounce.model.inertia.consistency import is_consistent as is_consistent
from jounce.model.inertia.consistency import log_cholesky as log_cholesky
from jounce.model.inertia.consistency import problem as problem
from jounce.model.inertia.mesh.check import MeshReport as MeshReport
from jounce.model.inertia.mesh.check import examine as examine
from jounce.model.inertia.mesh.integrals import from_mesh as from_mesh
from jounce.model.inertia.mesh.integrals import transform_derivative as transform_derivative
from jounce.model.inertia.mesh.integrals import vertex_jacobian as vertex_jacobian
from jounce.model.inertia.mesh.integrals import vertex_vjp as vertex_vjp
from jounce.model.inertia.mesh.repair import Repaired as Repaired
from jounce.model.inertia.mesh.repair import hull as hull
from jounce.model.inertia.mesh.repair import repair as repair
from jounce.model.inertia.parameters import PARAMETERS as PARAMETERS
from jounce.model.inertia.parameters import Central as Central
from jounce.model.inertia.parameters import Principal as Principal
from jounce.model.inertia.parameters import about_com as about_com
from jounce.model.inertia.parameters import com as com
from jounce.model.inertia.parameters import compose as compose
from jounce.model.inertia.parameters import from_com as from_com
from jounce.model.inertia.parameters import from_pseudo_inertia as from_pseudo_inertia
from jounce.model.inertia.parameters import from_spatial_inertia as from_spatial_inertia
from jounce.model.inertia.parameters import principal as principal
from jounce.model.inertia.parameters import pseudo_inertia as pseudo_inertia
from jounce.model.inertia.parameters import rotate as rotate
from jounce.model.inertia.parameters import spatial_inertia as spatial_inertia
from jounce.model.inertia.parameters import transform as transform
from jounce.model.inertia.parameters import translate as translate
from jounce.model.inertia.rigid_body import body_acceleration as body_acceleration
from jounce.model.inertia.rigid_body import body_wrench as body_wrench
from jounce.model.inertia.rigid_body import gravity_wrench as gravity_wrench
from jounce.model.inertia.rigid_body import kinetic_energy as kinetic_energy
from jounce.model.inertia.rigid_body import momentum as momentum
from jounce.model.inertia.rigid_body import world_acceleration as world_acceleration
from jounce.model.inertia.rigid_body import world_wrench as world_wrench
from jounce.model.inertia.solids import box as box
from jounce.model.inertia.solids import capsule as capsule
from jounce.model.inertia.solids import cylinder as cylinder
from jounce.model.inertia.solids import ellipsoid as ellipsoid
from jounce.model.inertia.solids import point_mass as point_mass
from jounce.model.inertia.solids import sphere as sphere

__all__ = [
    "PARAMETERS",
    "Central",
    "MeshReport",
    "Principal",
    "Repaired",
    "about_com",
    "body_acceleration",
    "body_wrench",
    "box",
    "capsule",
    "com",
    "compose",
    "cylinder",
    "ellipsoid",
    "examine",
    "from_com",
    "from_log_cholesky",
    "from_mesh",
    "from_pseudo_inertia",
    "from_spatial_inertia",
    "gravity_wrench",
    "hull",
    "is_consistent",
    "kinetic_energy",
    "log_cholesky",
    "momentum",
    "point_mass",
    "principal",
    "problem",
    "pseudo_inertia",
    "repair",
    "rotate",
    "spatial_inertia",
    "sphere",
    "transform",
    "transform_derivative",
    "translate",
    "vertex_jacobian",
    "vertex_vjp",
    "world_acceleration",
    "world_wrench",
]
