"""Common base class of robots, mechanisms and robots in contact."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays.bound_quantity import BoundQuantity, Owner
from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.arrays.limits import JointLimits
from jounce.arrays.tables import Frame, Quantities, find_frame, find_quantity
from jounce.catalog.derivative import derive
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.variables import Variant
from jounce.errors import explain_methods
from jounce.model.model import Model
from jounce.model.tree import Tree
from jounce.robot.groups.export import Export
from jounce.robot.groups.view import View
from jounce.utils.deprecation import renamed_attribute
from jounce.utils.handles import register_handle
from jounce.utils.once import once_property
from jounce.utils.registry import provide

if TYPE_CHECKING:
    from jounce.arrays.configurations import JointView
    from jounce.arrays.jax_adapter.surface import JaxSurface
    from jounce.arrays.torch_adapter.surface import TorchSurface
    from jounce.solve.linearization import Regulator


class _TorchDescriptor:
    """The same quantities as functions of PyTorch tensors, with gradients.

    `robot.torch.inverse_dynamics(q, v, a)` takes tensors on the CPU or on CUDA devices and works
    with autograd, torch.func and torch.compile.
    """

    def __get__(self, robot: Any, owner: type) -> Any:
        """Return the functions of a robot; an instance attribute bypasses this once it is set.

        Written so that torch.compile can trace it.
        """
        if robot is None:
            return self
        from jounce.arrays.torch_adapter.surface import surface

        return surface(robot)


def with_elastic(definitions: Mapping[str, AnyQuantity]) -> Mapping[str, AnyQuantity]:
    """Return catalog entries with elastic inverse dynamics, derived from inverse dynamics.

    Parameters
    ----------
    definitions : mapping of str to quantity
        Catalog entries by name, among them "inverse_dynamics".

    Returns
    -------
    mapping of str to quantity
        The entries and "elastic_inverse_dynamics".
    """
    elastic = derive(definitions["inverse_dynamics"], Variant.ELASTIC)
    return {**definitions, elastic.name: elastic}


@explain_methods
class System(Quantities):
    """Base class of robots, mechanisms with closed loops, and robots in contact."""

    is_system = True

    model: Model
    """Bodies, joints and frames, as data."""

    target: str | None
    """Target that kernels are compiled for, see `Robot`; None for the default."""

    handle: str
    """String id of the object in graphs that torch.compile records."""

    _HIDDEN = Quantities._HIDDEN | {
        "assembler",
        "close_loops",
        "closure_tolerance",
        "handle",
        "find_owner",
        "refuse_open_loops",
        "make_test_configuration",
        "start_configuration",
        "velocities",
        "warn_about_open_loops",
    }

    _RENAMED: ClassVar[Mapping[str, str]] = {
        "casadi": "export.casadi",
        "design_gradient": "jounce.design:design_gradient",
        "export_c": "export.c",
        "export_cuda": "export.cuda",
        "export_latex": "export.latex",
        "export_matlab": "export.matlab",
        "export_web": "export.web",
        "mass": "model.mass",
        "normalise": "normalize",
        "play": "view.play",
        "plot_tree": "view.tree",
        "show": "view.show",
        "symbolic": "export.sympy",
        "within": "limits.contains",
    }

    def __new__(cls, *args: Any, **named: Any) -> Self:
        """Create the object and register it, so that torch.compile finds it by its handle."""
        instance = super().__new__(cls)
        instance.handle = register_handle(instance)
        return instance

    if not TYPE_CHECKING:  # checkers know only what is declared

        def __getattr__(self, name: str) -> Any:
            """Return the quantity called `name`, or the replacement of a renamed attribute."""
            if name in self._RENAMED:
                return renamed_attribute(self, name, self._RENAMED[name])
            return super().__getattr__(name)

    def __dir__(self) -> Iterable[str]:
        """List the public attributes, without `jax` and `torch` if these are not installed."""
        missing = {name for name in ("jax", "torch") if find_spec(name) is None}
        return sorted({*super().__dir__()} - missing)

    def __str__(self) -> str:
        """Return a table with a line about the robot and one for each joint."""
        return provide("robot_table")(self)

    def _repr_html_(self) -> str:
        return provide("robot_html")(self)

    def __dask_tokenize__(self) -> str:
        return self.content_hash

    # -------------------------------------------------------------- description

    @property
    @abstractmethod
    def name(self) -> str:
        """Name of the robot, as messages use it."""

    @property
    @abstractmethod
    def tree(self) -> Tree:
        """The kinematic tree of elementary joints, on which formulas operate."""

    @property
    @abstractmethod
    def sizes(self) -> dict[str, int]:
        """Sizes of axes by the names that shapes in the catalog use, such as nq and nv."""

    @property
    @abstractmethod
    def joints(self) -> Mapping[str, JointView]:
        """Joints by name, with their slices of q and of the velocities of all joints."""

    @property
    @abstractmethod
    def velocities(self) -> Sequence[int]:
        """Indices of the velocities of all joints that v contains, in its order."""

    @property
    @abstractmethod
    def content_hash(self) -> str:
        """A hash of the content, the same in every process."""

    @property
    def nq(self) -> int:
        """Length of a configuration, of all joints."""
        return self.sizes["nq"]

    @property
    def nv(self) -> int:
        """Length of a velocity."""
        return self.sizes["nv"]

    @once_property
    def limits(self) -> JointLimits:
        """Limits of the joints: lower, upper, velocity and effort, (nv,) each in v's order.

        Limits that the file does not give are infinite. `limits.contains(q)` tests whether
        configurations are within them, `limits.clip(q)` moves configurations into them. A mechanism
        has the limits of its independent joints.
        """
        return JointLimits.of_robot(self)

    def labels(
        self, of: Literal["q", "v", "t"], numbered: str = "{}_{}", start: int = 0
    ) -> list[str]:
        """Return the names of the entries of q or v.

        Parameters
        ----------
        of : {"q", "v", "t"}
            Which entries: of q, of v, or of the velocities of all joints of a mechanism.
        numbered : str
            Format of the names of joints with several entries, given the joint's name and a number.
        start : int
            First number.

        Returns
        -------
        list of str
            A name for each entry: that of its joint, numbered if the joint has several entries.

        Examples
        --------
        >>> import jounce
        >>> jounce.load("planar_2r").labels("v")
        ['joint1', 'joint2']
        """
        names = [""] * self.sizes["nq" if of == "q" else "nt"]
        for view in self.joints.values():
            if view.joint.mimic is None:
                place = view.q if of == "q" else view.v
                several = place.stop - place.start > 1
                for k in range(place.start, place.stop):
                    names[k] = (
                        numbered.format(view.name, k - place.start + start)
                        if several
                        else view.name
                    )
        return [names[k] for k in self.velocities] if of == "v" else names

    # -------------------------------------------------------------- quantities

    def find_owner(self, definition: AnyQuantity) -> Owner:
        """Return the object whose state a quantity takes.

        Parameters
        ----------
        definition : Quantity or Derivative
            The entry.

        Returns
        -------
        Owner
            The object itself, or for some quantities of a mechanism the robot without its loops.
        """
        return self

    def _make(self, definition: AnyQuantity) -> DifferentiableQuantity:
        return DifferentiableQuantity(self.name, definition, self.find_owner(definition))

    def frame(self, name: str) -> Frame:
        """Return a frame, whose attributes are its pose, Jacobian and twist.

        Parameters
        ----------
        name : str
            One of `robot.model.frame_names`.

        Returns
        -------
        Frame
            The frame; the same object each time.

        Examples
        --------
        >>> import jounce
        >>> robot = jounce.load("planar_2r")
        >>> robot.frame("tool").jacobian_mixed([0.0, 0.0]).shape
        (6, 2)
        """
        return find_frame(self, name)

    def quantity(self, name: str) -> BoundQuantity:
        """Return a quantity or derivative by its name as a string.

        Parameters
        ----------
        name : str
            Such as "mass_matrix", "inverse_dynamics.rates(2)", "mass_matrix.dt"; for frames
            "frame(tool).jacobian.dt"; with the inertial parameters as an argument
            "parametric.inverse_dynamics", with the geometry too "morphable.inverse_dynamics"; with
            options "step(method=rk4).derivatives".

        Returns
        -------
        BoundQuantity
            The same object that attributes lead to.

        Examples
        --------
        >>> import jounce
        >>> robot = jounce.load("planar_2r")
        >>> robot.quantity("mass_matrix.dt") is robot.mass_matrix.dt
        True
        """
        return find_quantity(self, name)

    @once_property
    def jax(self) -> JaxSurface:
        """The same quantities as functions of JAX arrays, for jit, grad and vmap.

        `robot.jax.inverse_dynamics(q, v, a)` takes arrays of JAX; derivatives in forward and
        reverse mode are exact.
        """
        from jounce.arrays.jax_adapter.surface import JaxSurface

        return JaxSurface(self)

    if TYPE_CHECKING:

        @property
        def torch(self) -> TorchSurface:
            """The same quantities as functions of PyTorch tensors, with gradients.

            `robot.torch.inverse_dynamics(q, v, a)` takes tensors on the CPU or on CUDA devices and
            works with autograd, torch.func and torch.compile.
            """
            ...

    else:
        torch = _TorchDescriptor()

    def linearize(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        h: ArrayLike | None = None,
        **options: Any,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the linearized dynamics at a state, in continuous or discrete time.

        Parameters
        ----------
        q, v, tau : array_like (..., nq), (..., nv), (..., nv)
            State and forces.
        h : float, optional
            Length of a time step: A and B are then derivatives of `step`, whose integrator is
            `method=`. By default the linearization is in continuous time.
        **options
            Further arguments of `state_matrices`, or of `step`, such as wrenches.

        Returns
        -------
        A : ndarray (..., 2 nv, 2 nv)
            Derivative of dx/dt, or of x after the step, in x: tangents of q (as `difference`
            returns them), then v.
        B : ndarray (..., 2 nv, nv)
            Derivative in tau.

        Examples
        --------
        >>> import jounce
        >>> robot = jounce.load("planar_2r")
        >>> A, B = robot.linearize([0.1, 0.2], [0.0, 0.0], [0.0, 0.0])
        >>> A.shape, B.shape
        ((4, 4), (4, 2))
        """
        return provide("linearize")(self, q, v, tau, h, **options)

    def lqr(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        Q: ArrayLike,
        R: ArrayLike,
        h: float | None = None,
        **options: Any,
    ) -> Regulator:
        """Return the linear-quadratic regulator about an equilibrium. Needs SciPy.

        Parameters
        ----------
        q, v, tau : array_like (nq,), (nv,), (nv,)
            State and the forces that hold it.
        Q : float, array_like (2 nv,) or (2 nv, 2 nv)
            Weights of changes of q (along velocities), then of v.
        R : float, array_like (nv,) or (nv, nv)
            Weights of changes of tau.
        h : float, optional
            Control period: the regulator of `step` instead of that in continuous time.
        **options
            Further arguments of `linearize`.

        Returns
        -------
        Regulator
            gain (nv, 2 nv) with tau = tau_0 - gain x, cost (2 nv, 2 nv) and poles (2 nv,).

        Raises
        ------
        ArgumentError
            If no gain stabilizes the robot.

        Examples
        --------
        >>> import jounce
        >>> robot = jounce.load("planar_2r")
        >>> q = [0.1, 0.2]
        >>> regulator = robot.lqr(q, [0.0, 0.0], robot.gravity_forces(q), Q=1.0, R=0.1)
        >>> bool((regulator.poles.real < 0.0).all())
        True
        """
        return provide("lqr")(self, q, v, tau, Q, R, h, **options)

    # -------------------------------------------------------------- groups

    @once_property
    def export(self) -> Export:
        """Quantities as C, CUDA, MATLAB, LaTeX, WebAssembly, SymPy or CasADi."""
        return Export(self)

    @once_property
    def view(self) -> View:
        """Viewers in the browser, and drawings."""
        return View(self)

    # -------------------------------------------------------------- closed loops

    def make_test_configuration(self, q: np.ndarray) -> np.ndarray:
        """Return a configuration with closed loops, made from arbitrary numbers.

        Parameters
        ----------
        q : ndarray (nq,)
            Any numbers.

        Returns
        -------
        ndarray (nq,)
            The configuration; q itself if there are no loops.
        """
        return q

    def refuse_open_loops(self, q: np.ndarray, title: str) -> None:
        """Raise an error if loops are open at the start of a motion.

        Parameters
        ----------
        q : ndarray (..., nq)
            Initial configurations.
        title : str
            Beginning of the message.
        """

    def warn_about_open_loops(self, q: np.ndarray, title: str) -> None:
        """Warn if loops are open at the end of a motion.

        Parameters
        ----------
        q : ndarray (..., nq)
            Final configurations.
        title : str
            Beginning of the message.
        """
