"""What robots and their variants inherit from, with the quantities that `listed.pyi` lists.

At run time the classes that end in `Quantities` are empty, and all others here do not exist:
`robot.jax` is a `JaxSurface`, `robot.torch` a `TorchSurface`.
"""

# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false
# mypy: disable-error-code="assignment, override, misc"

from typing import Any, Generic

from jax import Array as JaxArray
from numpy.typing import NDArray
from torch import Tensor

from jounce.arrays.jax_adapter.surface import JaxSurface, JaxTangents
from jounce.arrays import listed, tables
from jounce.arrays.generic import A, Derivative, Derivatives
from jounce.arrays.torch_adapter.surface import TorchSurface, TorchTangents

class Named(Generic[A]):
    def quantity(self, name: str) -> Derivative[..., A]:
        """Return a quantity or derivative by its name, such as "mass_matrix.dt".

        Calls of those with several results return a tuple, which the name does not tell checkers.
        """

# Tables with other arguments.

class FrameQuantities(listed.FrameTable[NDArray[Any]]): ...
class ParametricQuantities(listed.ParametricTable[NDArray[Any]]): ...
class ClosedParametricQuantities(listed.ClosedParametricTable[NDArray[Any]]): ...
class ContactParametricQuantities(listed.ContactParametricTable[NDArray[Any]]): ...
class MorphableFrame(listed.MorphableFrameTable[NDArray[Any]], tables.Frame): ...

class MorphableQuantities(listed.MorphableTable[NDArray[Any]], Named[NDArray[Any]]):
    def frame(self, name: str) -> MorphableFrame: ...

class ClosedMorphableQuantities(listed.ClosedMorphableTable[NDArray[Any]], Named[NDArray[Any]]):
    def frame(self, name: str) -> MorphableFrame: ...

class ContactMorphableQuantities(listed.ContactMorphableTable[NDArray[Any]], Named[NDArray[Any]]):
    def frame(self, name: str) -> MorphableFrame: ...

# Functions on arrays of JAX and PyTorch.

class Functions(Named[A]):
    elastic_inverse_dynamics: Derivatives[..., A]
    """Motor motion and torque of elastic drives."""
    def frame(self, name: str) -> listed.FrameTable[A]:
        """The frame called `name`; see `robot.model.frame_names`."""

class RobotFunctions(listed.RobotTable[A], Functions[A]):
    parametric: listed.ParametricTable[A]
    """The same functions with the inertial parameters as an argument."""
    morphable: listed.MorphableTable[A]
    """The same functions with parameters, joint placements and screws as arguments."""

class MechanismFunctions(listed.MechanismTable[A], Functions[A]):
    parametric: listed.ClosedParametricTable[A]
    """The same functions with the inertial parameters as an argument."""
    morphable: listed.ClosedMorphableTable[A]
    """The same functions with parameters, joint placements and screws as arguments."""

class ContactFunctions(listed.ContactTable[A], Functions[A]):
    parametric: listed.ContactParametricTable[A]
    """The same functions with the inertial parameters as an argument."""
    morphable: listed.ContactMorphableTable[A]
    """The same functions with parameters, joint placements and screws as arguments."""

class Displaced(Generic[A]):
    """Functions with a velocity (nv) as last argument, by which q is moved first."""

    def frame(self, name: str) -> Displaced[A]: ...
    def __getattr__(self, name: str) -> Derivative[..., A]: ...

class JaxDisplaced(Displaced[JaxArray], JaxTangents): ...
class TorchDisplaced(Displaced[Tensor], TorchTangents): ...

class OnJax(JaxSurface):
    @property
    def tangent(self) -> JaxDisplaced: ...

class OnTorch(TorchSurface):
    @property
    def tangent(self) -> TorchDisplaced: ...

class JaxRobot(RobotFunctions[JaxArray], OnJax): ...
class JaxMechanism(MechanismFunctions[JaxArray], OnJax): ...
class JaxContacts(ContactFunctions[JaxArray], OnJax): ...
class TorchRobot(RobotFunctions[Tensor], OnTorch): ...
class TorchMechanism(MechanismFunctions[Tensor], OnTorch): ...
class TorchContacts(ContactFunctions[Tensor], OnTorch): ...

# Robots, mechanisms and robots in contact.

class RobotQuantities(listed.RobotTable[NDArray[Any]], Named[NDArray[Any]]):
    @property
    def jax(self) -> JaxRobot:
        """The same quantities as functions on JAX arrays, for jit, grad and vmap."""
    @property
    def torch(self) -> TorchRobot:
        """The same quantities as functions on PyTorch tensors, with gradients."""

class MechanismQuantities(listed.MechanismTable[NDArray[Any]], Named[NDArray[Any]]):
    @property
    def jax(self) -> JaxMechanism:
        """The same quantities as functions on JAX arrays, for jit, grad and vmap."""
    @property
    def torch(self) -> TorchMechanism:
        """The same quantities as functions on PyTorch tensors, with gradients."""

class ContactQuantities(listed.ContactTable[NDArray[Any]], Named[NDArray[Any]]):
    @property
    def jax(self) -> JaxContacts:
        """The same quantities as functions on JAX arrays, for jit, grad and vmap."""
    @property
    def torch(self) -> TorchContacts:
        """The same quantities as functions on PyTorch tensors, with gradients."""
