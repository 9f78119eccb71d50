"""Types of quantities and derivatives for type checkers, generic in arguments P and array type A.

`declared.pyi` lists the quantities of the catalog with them. Nothing here exists at run time, where
all of these are `jounce.arrays.differentiable.DifferentiableQuantity` or functions of `jounce.arrays.frameworks.surface`.
"""

# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false
# pyright: reportOverlappingOverload=false, reportInvalidTypeVarUse=false
# mypy: disable-error-code="assignment, override, misc, overload-overlap, valid-type"

from collections.abc import Callable, Mapping
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, Self, TypeAlias, TypedDict
from typing import TypeVar, overload

import numpy.typing as npt
from numpy.typing import NDArray

from jounce.arrays import differentiable

P = ParamSpec("P")
Rest = ParamSpec("Rest")
A = TypeVar("A")

class HasShape(Protocol):
    """Arrays of any library."""

    @property
    def shape(self) -> Any: ...

class Computes(Protocol):
    """Arrays of Dask and xarray."""

    def compute(self) -> Any: ...

class Blocks(Protocol):
    """Arrays of JAX."""

    def block_until_ready(self) -> Any: ...

class Differentiates(Protocol):
    """Tensors of PyTorch."""

    def requires_grad_(self) -> Any: ...

#: Arrays that a call returns as arrays of their own library rather than of NumPy.
F = TypeVar("F", bound=Computes | Blocks | Differentiates)

ArrayLike: TypeAlias = npt.ArrayLike | HasShape
Wrenches: TypeAlias = ArrayLike | Mapping[str, ArrayLike]

class Options(TypedDict, total=False):
    """Options of NumPy's gufuncs."""

    out: NDArray[Any] | tuple[NDArray[Any] | None, ...] | None
    dtype: npt.DTypeLike | None
    casting: str
    order: str
    subok: bool
    axes: Any
    axis: int | None
    signature: Any

class Common(differentiable.DifferentiableQuantity, Generic[P, A]):
    """Derivatives that every quantity has."""

    dt: Derivative[..., A]
    """Time derivative; takes the time derivatives of the arguments as well."""
    dtt: Derivative[..., A]
    """Second time derivative; takes the arguments and their time derivatives up to the second."""
    dttt: Derivative[..., A]
    """Third time derivative; takes the arguments and their time derivatives up to the third."""
    jvp: Derivative[..., A]
    """Directional derivative; takes the arguments, then a direction of each."""
    vjp: Derivatives[..., A]
    """Gradients in the arguments; takes the arguments, then weights `lam` of the result."""
    jvp_coordinates: Derivative[..., A]
    """`jvp` in coordinates of q rather than along velocities."""
    vjp_coordinates: Derivatives[..., A]
    """`vjp` in coordinates of q rather than along velocities."""
    def rates(self, order: int) -> Derivatives[..., A]:
        """Value and time derivatives up to an order, as a tuple from one kernel."""

class Quantity(Common[P, A]):
    """A quantity with one result."""

    def __init__(self, formula: Callable[Concatenate[Any, P], A]) -> None: ...
    @overload
    def __call__(
        self: Quantity[Concatenate[ArrayLike, Rest], A],
        first: F,
        /,
        *args: Rest.args,
        **named: Rest.kwargs,
    ) -> F: ...
    @overload
    def __call__(self, *args: P.args, **named: P.kwargs) -> A: ...

class Several(Common[P, A]):
    """A quantity with several results, as a tuple."""

    def __init__(self, formula: Callable[Concatenate[Any, P], tuple[A, ...]]) -> None: ...
    @overload
    def __call__(
        self: Several[Concatenate[ArrayLike, Rest], A],
        first: F,
        /,
        *args: Rest.args,
        **named: Rest.kwargs,
    ) -> tuple[F, ...]: ...
    @overload
    def __call__(self, *args: P.args, **named: P.kwargs) -> tuple[A, ...]: ...
    dt: Derivatives[..., A]
    """Time derivatives of the results; takes the time derivatives of the arguments as well."""
    dtt: Derivatives[..., A]
    """Second time derivatives of the results."""
    dttt: Derivatives[..., A]
    """Third time derivatives of the results."""
    jvp: Derivatives[..., A]
    """Directional derivatives; takes the arguments, then a direction of each."""
    jvp_coordinates: Derivatives[..., A]
    """`jvp` in coordinates of q rather than along velocities."""

class InQ:
    dq: Self
    """Derivative in q along velocities, its axis (nv) last; takes the same arguments."""
    dqq: Self
    """Second derivative in q along velocities, its axes (nv, nv) last."""

class InV:
    dv: Self
    """Derivative in v, its axis (nv) last; takes the same arguments."""
    dvv: Self
    """Second derivative in v, its axes (nv, nv) last."""

class InA:
    da: Self
    """Derivative in a, its axis (nv) last; takes the same arguments."""

class InTau:
    dtau: Self
    """Derivative in tau, its axis (nv) last; takes the same arguments."""

class InQV(InQ, InV):
    dqv: Self
    """Second derivative in q and v, its axes (nv, nv) last."""

class InQVA(InQV, InA):
    daq: Self
    """Second derivative in a and q, its axes (nv, nv) last."""

class InQVTau(InQV, InTau):
    dqtau: Self
    """Second derivative in q and tau, its axes (nv, nv) last."""

class Geometric:
    dscrew: Self
    """Derivative in displacements of the joint axes, axes (nb, 6) last; the same arguments."""
    dplacement: Self
    """Derivative in displacements of the joints and all beyond, axes (nb, 6) last."""
    dframe: Self
    """Derivative in displacements of the frame, axis (6,) last; of quantities of frames."""
    dloop: Self
    """Derivative in displacements of the loops, axes (loops, 2, 6) last; of mechanisms."""
    dcontact: Self
    """Derivative in displacements of the contacts, axes (nk, 6) last; of robots in contact."""

class Inertial(Geometric):
    dpi: Self
    """Derivative in the inertial parameters, its axis (10 nb) last; takes the same arguments."""

class Dynamic(Inertial, Generic[P, A]):
    derivatives: Derivatives[P, A]
    """Value and first derivatives in the state, as a tuple from one kernel."""
    hessian: Derivative[..., A]
    """Second derivatives weighted by `lam`, which follows the state arguments."""
    design: Derivatives[..., A]
    """Gradients in parameters, screws and placements, weighted by `lam` after the state."""
    design_product: Derivatives[..., A]
    """Derivative of `design` along tangents of parameters, screws and placements, after `lam`."""

class InAnything(InQVA, InQVTau, Inertial):
    dj: Self
    """Derivative in j, its axis (nv) last; takes the same arguments."""
    ds: Self
    """Derivative in s, its axis last; takes the same arguments."""
    dh: Self
    """Derivative in h; takes the same arguments."""
    dq0: Self
    """Derivative in q0 along velocities, its axis (nv) last; takes the same arguments."""
    dq1: Self
    """Derivative in q1 along velocities, its axis (nv) last; takes the same arguments."""
    ddv: Self
    """Derivative in dv, its axis (nv) last; takes the same arguments."""
    dqdot: Self
    """Derivative in qdot, its axis (nq) last; takes the same arguments."""

class Derivative(Quantity[P, A], InAnything):
    """A derivative, with further derivatives of it to any depth."""

class Derivatives(Several[P, A], InAnything):
    """A derivative with several results, as a tuple; with further derivatives of it."""
