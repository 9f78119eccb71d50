"""Inertias of bodies: ten parameters from shapes, moved, joined, checked; one body's dynamics.

The ten parameters of a body are pi = (m, h, Ixx, Iyy, Izz, Ixy, Ixz, Iyz): mass in kg, first moment
h = m c in kg m, and inertia about the frame's origin in kg m^2, as everywhere in jounce. All
functions take leading batch axes, and complex numbers where a derivative by complex step makes
sense.

>>> from jounce import inertia
>>> hammer = inertia.compose(
...     inertia.cylinder(0.02, 0.3, mass=0.5),
...     inertia.translate(inertia.box((0.1, 0.04, 0.04), density=7800.0), (0.0, 0.0, 0.15)),
... )
>>> inertia.com(hammer).round(4).tolist()
[0.0, 0.0, 0.1071]
"""

from jounce.inertia.mesh.check import MeshReport as MeshReport
from jounce.inertia.mesh.check import examine as examine
from jounce.inertia.mesh.integrals import from_mesh as from_mesh
from jounce.inertia.mesh.integrals import transform_derivative as transform_derivative
from jounce.inertia.mesh.integrals import vertex_jacobian as vertex_jacobian
from jounce.inertia.mesh.integrals import vertex_vjp as vertex_vjp
from jounce.inertia.mesh.repair import Repaired as Repaired
from jounce.inertia.mesh.repair import hull as hull
from jounce.inertia.mesh.repair import repair as repair
from jounce.inertia.parameters import Central as Central
from jounce.inertia.parameters import Principal as Principal
from jounce.inertia.parameters import about_com as about_com
from jounce.inertia.parameters import com as com
from jounce.inertia.parameters import compose as compose
from jounce.inertia.parameters import from_com as from_com
from jounce.inertia.parameters import from_log_cholesky as from_log_cholesky
from jounce.inertia.parameters import from_pseudo_inertia as from_pseudo_inertia
from jounce.inertia.parameters import from_spatial_inertia as from_spatial_inertia
from jounce.inertia.parameters import is_consistent as is_consistent
from jounce.inertia.parameters import log_cholesky as log_cholesky
from jounce.inertia.parameters import principal as principal
from jounce.inertia.parameters import problem as problem
from jounce.inertia.parameters import pseudo_inertia as pseudo_inertia
from jounce.inertia.parameters import rotate as rotate
from jounce.inertia.parameters import spatial_inertia as spatial_inertia
from jounce.inertia.parameters import transform as transform
from jounce.inertia.parameters import translate as translate
from jounce.inertia.rigid_body import body_acceleration as body_acceleration
from jounce.inertia.rigid_body import body_wrench as body_wrench
from jounce.inertia.rigid_body import gravity_wrench as gravity_wrench
from jounce.inertia.rigid_body import kinetic_energy as kinetic_energy
from jounce.inertia.rigid_body import momentum as momentum
from jounce.inertia.rigid_body import world_acceleration as world_acceleration
from jounce.inertia.rigid_body import world_wrench as world_wrench
from jounce.inertia.solids import box as box
from jounce.inertia.solids import capsule as capsule
from jounce.inertia.solids import cylinder as cylinder
from jounce.inertia.solids import ellipsoid as ellipsoid
from jounce.inertia.solids import point_mass as point_mass
from jounce.inertia.solids import sphere as sphere
