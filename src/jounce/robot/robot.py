"""`Robot`, with its quantities, frames and configurations."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from jounce.arrays.configurations import (
    JointView,
    check_count,
    joint_views,
    make_generator,
    random_configurations,
)
from jounce.arrays.declared import RobotQuantities
from jounce.arrays.tables import Morphable, Parametric
from jounce.arrays.validation import parse_dtype, store_result
from jounce.catalog.quantity import AnyQuantity
from jounce.compiler import targets
from jounce.errors import ModelError, explain_methods, printable
from jounce.formulas.singular import explanation
from jounce.model import manifold
from jounce.model.model import Model
from jounce.model.tree import Tree, lower
from jounce.robot import inverse_kinematics
from jounce.robot.groups.edit import Edit
from jounce.robot.groups.export import RobotExport
from jounce.robot.system import System, with_elastic
from jounce.utils.content_cache import get_shared, hash_content
from jounce.utils.once import entry, once_property
from jounce.utils.registry import provide

if TYPE_CHECKING:
    from jounce.arrays.differentiable import DifferentiableQuantity
    from jounce.solve.contacts.robot import Contacts
    from jounce.solve.elastic import ElasticInverseDynamics, Spring
    from jounce.solve.elastic.robot import ElasticRobot
    from jounce.solve.mechanism.robot import Mechanism
    from jounce.solve.motion.rollout import Rollout
    from jounce.solve.spatial_operators import SpatialOperators
    from jounce.solve.task_space import TaskSpace


@explain_methods
class Robot(RobotQuantities, System):
    """A robot: its model, its configurations, and every quantity of the catalog as a callable.

    Parameters
    ----------
    model : Model
        Bodies, joints and frames; `jounce.load` reads them from a file.
    target : str, optional
        Instruction set or backend that kernels are compiled for: "native", "x86-64-v2", "x86-64-v3"
        or "x86-64-v4", if this machine supports it, or another name in
        `jounce.compiler.targets.TARGETS`, such as "interpreter". By default the value of the
        environment variable JOUNCE_TARGET, or "native" if it is not set.
    """

    _RENAMED: ClassVar[Mapping[str, str]] = {
        **System._RENAMED,
        "attach": "edit.attach",
        "body_names": "model.body_names",
        "check": "model.check",
        "clip": "limits.clip",
        "frame_names": "model.frame_names",
        "gravity": "model.gravity",
        "joint_names": "model.joint_names",
        "lock": "edit.lock",
        "operators": "jounce.papers.jain_rodriguez:spatial_operators",
        "parameters": "model.parameters",
        "subtree": "edit.subtree",
        "with_contact": "edit.with_contact",
        "with_frame": "edit.with_frame",
        "with_geometry": "edit.with_geometry",
        "with_loop": "edit.with_loop",
        "with_meshes": "edit.with_meshes",
        "with_parameters": "edit.with_parameters",
        "write_urdf": "export.urdf",
    }

    def __init__(self, model: Model, *, target: str | None = None) -> None:
        if not isinstance(model, Model):
            raise TypeError(
                f"expected a jounce.Model, found {type(model).__name__}; jounce.load makes a robot"
                " from a file or a name"
            )
        if model.nv == 0:
            raise ModelError(
                f"robot '{model.name}' has no movable joint, and quantities need one;"
                " base='floating' adds a free joint, and jounce.read returns the model alone"
            )
        self.model = model
        if target is not None:
            targets.get_host_target(target)  # raises if unsupported here
        self.target = target

    def explain_singularity(self) -> str:
        """Return why the mass matrix is singular, or '' if it is not known to be.

        Returns
        -------
        str
            The reason in words.
        """
        return explanation(self.tree, self.labels("v", "{}[{}]"))

    @once_property
    def content_hash(self) -> str:
        """A hash of its content, the same in every process."""
        return hash_content("robot", self.model, self.target)

    @once_property
    def _model_bytes(self) -> bytes:
        return pickle.dumps(self.model, protocol=5)

    def __reduce__(self) -> Any:
        return _restore, (self.content_hash, self._model_bytes, self.target)

    def __repr__(self) -> str:
        return printable(f"<robot '{self.name}': {self.nb} joints, nq = {self.nq}, nv = {self.nv}>")

    # -------------------------------------------------------------- description

    @property
    def name(self) -> str:
        """The robot's name."""
        return self.model.name

    @once_property
    def tree(self) -> Tree:
        """The kinematic tree, with one elementary motion per node, on which formulas operate."""
        return lower(self.model)

    @once_property
    def sizes(self) -> dict[str, int]:
        """Sizes of axes by the names that shapes in the catalog use, such as nq, nv and 10nb."""
        nv = self.model.nv
        ten = 10 * self.model.nb
        sizes = {"nq": self.model.nq, "nv": nv, "nb": self.model.nb}
        return {
            **sizes,
            "2nv": 2 * nv,
            "3nv": 3 * nv,
            "nt": nv,
            "10nb": ten,
            "10nb+3nt": ten + 3 * nv,
        }

    @property
    def nb(self) -> int:
        """Number of moving bodies."""
        return self.sizes["nb"]

    @property
    def velocities(self) -> Sequence[int]:
        """Indices of the entries of v among the velocities of all joints: for a robot, all."""
        return range(self.nv)

    @once_property
    def joints(self) -> Mapping[str, JointView]:
        """Joints by name: joints["elbow"].q and .v are slices into q and v."""
        return joint_views(self.model, self.tree)

    # -------------------------------------------------------------- configurations

    def neutral(self, *, dtype: DTypeLike = "float64", out: np.ndarray | None = None) -> np.ndarray:
        """Return the configuration of zero angles and displacements and identity quaternions.

        Parameters
        ----------
        dtype : dtype
            float64 or float32.
        out : ndarray (nq,)
            Array to write to.

        Returns
        -------
        ndarray (nq,)
            The neutral configuration.
        """
        q = manifold.neutral(self.tree).astype(parse_dtype(dtype), copy=False)
        return store_result(q, out, printable(f"{self.name}.neutral"))

    def random(
        self,
        rng: np.random.Generator | int | None = None,
        n: int | None = None,
        *,
        dtype: DTypeLike = "float64",
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return random configurations within the limits of the joints.

        Unlimited angles are uniform in [-pi, pi], displacements in [-1, 1] m, orientations uniform.

        Parameters
        ----------
        rng : Generator, int or None
            Random number generator, or a seed; None differs from run to run.
        n : int
            Number of configurations; None gives one without a batch axis.
        dtype : dtype
            float64 or float32.
        out : ndarray
            Array to write to.

        Returns
        -------
        ndarray (n, nq) or (nq,)
            Configurations.
        """
        title = printable(f"{self.name}.random")
        batch = () if n is None else (check_count(n, title),)
        q = random_configurations(self.joints, self.limits, make_generator(rng, title), batch)
        return store_result(q.astype(parse_dtype(dtype), copy=False), out, title)

    inverse_kinematics = inverse_kinematics.inverse_kinematics

    def start_configuration(self) -> np.ndarray:
        """Return the default initial guess of inverse kinematics.

        Neutral coordinates, or the middle of the limits of joints that have them.

        Returns
        -------
        ndarray (nq,)
            Configuration.
        """
        return inverse_kinematics.middle_of_limits(self)

    @property
    def closure_tolerance(self) -> float:
        """Largest gap (m, rad) of a closed loop: zero for a robot, which ignores loops."""
        return 0.0

    def close_loops(self, q: np.ndarray) -> np.ndarray:
        """Return q unchanged, because a robot ignores loops; mechanisms close them.

        Parameters
        ----------
        q : ndarray (n, nq)
            Configurations.

        Returns
        -------
        ndarray (n, nq)
            The same array.
        """
        return q

    # -------------------------------------------------------------- quantities

    @property
    def definitions(self) -> Mapping[str, AnyQuantity]:
        """Catalog entries of its quantities, by name."""
        return with_elastic(super().definitions)

    @once_property
    def elastic_inverse_dynamics(self) -> ElasticInverseDynamics:
        """Motor motion and torque with which elastic joints follow a motion exactly.

        `elastic_inverse_dynamics(q, v, a, j, s, stiffness, damping=..., motor_inertia=...)` takes
        the motion up to its fourth time derivative (jerk j, snap s) and returns an `ElasticMotion`:
        position, velocity, acceleration and torque of the motors and torque of the links, (..., nv)
        each.
        """
        return provide("ElasticInverseDynamics")(self)

    @once_property
    def rollout(self) -> Rollout:
        """Simulation over many time steps, with gradients through time.

        `rollout(q0, v0, taus, h)` returns configurations (..., T + 1, nq) and velocities
        (..., T + 1, nv) under forces `taus` (..., T, nv), each held for a step of h seconds, or
        under a `policy`. `rollout.vjp` returns the gradients of a weighted sum of all states.
        """
        return provide("Rollout")(self)

    @once_property
    def parametric(self) -> Parametric:
        """The same quantities with the inertial parameters as an argument."""
        return Parametric(self)

    @once_property
    def morphable(self) -> Morphable:
        """The same quantities with parameters, joint placements and screws as arguments."""
        return Morphable(self)

    @once_property
    def spatial_operators(self) -> SpatialOperators:
        """Spatial operators H, phi, M, P, D, G, K and psi, and factors of M, as callables.

        `spatial_operators.phi(q)` is a matrix with 6 rows for each body; a joint of several
        elementary motions has 6 rows for each of them. Mechanisms do not have these operators.
        """
        return provide("spatial_operators")(self)

    # -------------------------------------------------------------- groups and variants

    @once_property
    def export(self) -> RobotExport:
        """The robot as URDF; quantities as C, CUDA, MATLAB, LaTeX, WebAssembly, SymPy, CasADi."""
        return RobotExport(self)

    @once_property
    def edit(self) -> Edit:
        """Changed copies of this robot: other parameters, frames, loops, contacts, parts."""
        return Edit(self)

    def with_rotor(
        self,
        joint: str | Sequence[str],
        inertia: ArrayLike,
        gear_ratio: ArrayLike,
        **options: Any,
    ) -> Robot:
        """Return the robot with the rotor of a geared motor, gyroscopic torques included.

        Parameters
        ----------
        joint : str or sequence of str
            Joint that the motor drives, or all n joints of a differential transmission.
        inertia : float or array_like (k,)
            Moment of inertia about the rotor's axis in kg m^2, of each of k motors.
        gear_ratio : float or array_like (n,) or (k, n)
            Turns of the rotor per turn of each joint (rad/m for prismatic joints).
        **options
            Further arguments of `robot.edit.with_rotor`, such as axis and mass.

        Returns
        -------
        Robot
            The robot with a body "JOINT_rotor" that follows the joint, for each motor.
        """
        return self.edit.with_rotor(joint, inertia, gear_ratio, **options)

    def closed(
        self,
        active: Sequence[str | int] | None = None,
        q0: ArrayLike | None = None,
        tolerance: float = 1e-9,
    ) -> Mechanism:
        """Return the mechanism in which the loops of this robot are closed.

        Parameters
        ----------
        active : sequence of str or int
            Independent joints by name, or velocities as "name[k]" or index. By default the
            joints nearest to the base that determine the others well; joints without a motor
            (effort limit zero) are chosen last.
        q0 : array_like (nq,)
            Initial guess of a configuration with closed loops.
        tolerance : float
            Largest gap (m, rad) of a closed loop, and bound below which relative singular values of
            the loops' Jacobian count as zero. Files with rounded geometry need a larger tolerance.

        Returns
        -------
        Mechanism
            Its quantities take q of all joints, and v, a, tau of the independent ones.
        """
        return provide("Mechanism")(self, active, q0, tolerance)

    def hybrid_dynamics(self, prescribed: str | Sequence[str | int]) -> DifferentiableQuantity:
        """Return the dynamics with some accelerations prescribed and the other forces given.

        Parameters
        ----------
        prescribed : str or sequence of str or int
            Joints by name, or velocities as "name[k]" or index, whose accelerations are prescribed.

        Returns
        -------
        DifferentiableQuantity
            hybrid(q, v, a, tau) returns the accelerations and the forces of all joints, (..., nv)
            each. It uses the entries of `a` for prescribed joints, and of `tau` for all others.

        Notes
        -----
        M a + C v + g = tau, solved for the unknown entries of a and tau. With no prescribed joint,
        this is forward dynamics; with all of them, inverse dynamics. Derivatives are attributes, as
        for any quantity.

        Examples
        --------
        >>> import jounce
        >>> robot = jounce.load("kuka_iiwa14")
        >>> hybrid = robot.hybrid_dynamics(prescribed=("joint2",))
        >>> a, tau = hybrid(robot.neutral(), [0.0] * 7, [1.0] * 7, [0.0] * 7)
        >>> float(a[1]), float(tau[0])
        (1.0, 0.0)
        """
        names = (prescribed,) if isinstance(prescribed, str) else tuple(prescribed)
        return entry(self._hybrid_cache, names, lambda: provide("hybrid_dynamics")(self, names))

    @once_property
    def _hybrid_cache(self) -> dict[tuple[str | int, ...], DifferentiableQuantity]:
        return {}

    def task_space(
        self, *frames: str, rows: str | Sequence[bool] | Mapping[str, Any] = "pose"
    ) -> TaskSpace:
        """Return the dynamics in the coordinates of a task of one or several frames.

        Parameters
        ----------
        *frames : str
            Names of frames; the rows of the task are those of their twists, frame after frame.
        rows : {"pose", "orientation", "position"}, sequence of six bool, or mapping
            Rows of the twists (omega, v) that belong to the task, for all frames or by frame.

        Returns
        -------
        TaskSpace
            Its quantities: jacobian, inertia, coriolis_matrix, null_space_projector and others.
        """
        return provide("task_space")(self, frames, rows)

    def elastic(
        self,
        stiffness: ArrayLike | Spring,
        motor_inertia: ArrayLike = 0.0,
        damping: ArrayLike = 0.0,
        *,
        spring_damping: ArrayLike = 0.0,
        rotors: Sequence[str] | None = None,
    ) -> ElasticRobot:
        """Return the robot with elastic joints, whose state is (q, v, theta, dtheta).

        Parameters
        ----------
        stiffness : float, array_like (nv,) or Spring
            Stiffness of the springs (N m/rad, N/m), np.inf for rigid joints; or nonlinear springs.
        motor_inertia : float or array_like (nv,)
            Inertia of each motor behind the gear (kg m^2, kg).
        damping : float or array_like (nv,)
            Viscous friction of each motor (N m s/rad, N s/m).
        spring_damping : float or array_like (nv,)
            Damping of each spring (N m s/rad, N s/m).
        rotors : sequence of str, optional
            Bodies that turn with the motors instead of the links; by default those that
            `with_rotor` added to elastic joints. They add the couplings of links and motors.

        Returns
        -------
        ElasticRobot
            Its quantities: forward_dynamics, inverse_dynamics, step and others.

        Examples
        --------
        >>> import jounce
        >>> arm = jounce.load("kuka_iiwa14").elastic(1e4, motor_inertia=0.5)
        >>> theta, tau = arm.equilibrium([0.5] * 7)
        >>> q, v, theta, dtheta = arm.step([0.5] * 7, [0.0] * 7, theta, [0.0] * 7, tau, 1e-3)
        >>> bool(abs(q - 0.5).max() < 1e-15)
        True
        """
        numbers = (motor_inertia, damping, spring_damping)
        return provide("ElasticRobot")(self, stiffness, *numbers, rotors)

    def contacts(self, *names: str) -> Contacts:
        """Return the robot with a set of active contacts.

        Parameters
        ----------
        *names : str
            Names of contacts added by `robot.edit.with_contact`; all of them by default.

        Returns
        -------
        Contacts
            Accelerations, contact forces and impulses as callables; cached for each set.
        """
        for name in names:
            if not isinstance(name, str):
                raise TypeError(
                    f"{self.name}.contacts: expected names as separate strings, as in"
                    f" contacts('left', 'right'), found {name!r}"
                )
        return entry(self._contacts_cache, names, lambda: provide("Contacts")(self, names))

    @once_property
    def _contacts_cache(self) -> dict[tuple[str, ...], Contacts]:
        return {}


def _restore(content: str, packed: bytes, target: str | None) -> Robot:
    """Return the unpickled robot, shared by all pickles with the same content hash."""
    return get_shared(content, lambda: Robot(pickle.loads(packed), target=target))
