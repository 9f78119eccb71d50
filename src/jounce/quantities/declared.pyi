"""What robots and their variants inherit from, with the quantities that `listed.pyi` lists.

At run time the classes that end in `Quantities` are empty, and all others here do not exist:
`robot.jax` is a `JaxSurface`, `robot.torch` a `TorchSurface`.
"""

# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false
# mypy: disable-error-code="assignment, override, misc"

from typing import Generic

from jax import Array as JaxArray
from torch import Tensor

from jounce.jax.surface import JaxSurface, JaxTangents
from jounce.quantities import listed, tables
from jounce.quantities.generic import A, Array, Derivative, Derivatives
from jounce.torch.surface import TorchSurface, TorchTangents

# Tables with other arguments.

class FrameQuantities(listed.FrameTable[Array]): ...
class ParametricQuantities(listed.ParametricTable[Array]): ...
class ClosedParametricQuantities(listed.ClosedParametricTable[Array]): ...
class ContactParametricQuantities(listed.ContactParametricTable[Array]): ...
class MorphableFrame(listed.MorphableFrameTable[Array], tables.Frame): ...

class MorphableQuantities(listed.MorphableTable[Array]):
    def frame(self, name: str) -> MorphableFrame: ...

class ClosedMorphableQuantities(listed.ClosedMorphableTable[Array]):
    def frame(self, name: str) -> MorphableFrame: ...

class ContactMorphableQuantities(listed.ContactMorphableTable[Array]):
    def frame(self, name: str) -> MorphableFrame: ...

# Functions on arrays of JAX and PyTorch.

class Functions(Generic[A]):
    elastic_inverse_dynamics: Derivatives[..., A]
    """Motor motion and torque of elastic drives."""
    def frame(self, name: str) -> listed.FrameTable[A]:
        """The frame called `name`; see `robot.frame_names`."""

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

class RobotQuantities(listed.RobotTable[Array]):
    @property
    def jax(self) -> JaxRobot:
        """The same quantities as functions on JAX arrays, for jit, grad and vmap."""
    @property
    def torch(self) -> TorchRobot:
        """The same quantities as functions on PyTorch tensors, with gradients."""

class MechanismQuantities(listed.MechanismTable[Array]):
    @property
    def jax(self) -> JaxMechanism:
        """The same quantities as functions on JAX arrays, for jit, grad and vmap."""
    @property
    def torch(self) -> TorchMechanism:
        """The same quantities as functions on PyTorch tensors, with gradients."""

class ContactQuantities(listed.ContactTable[Array]):
    @property
    def jax(self) -> JaxContacts:
        """The same quantities as functions on JAX arrays, for jit, grad and vmap."""
    @property
    def torch(self) -> TorchContacts:
        """The same quantities as functions on PyTorch tensors, with gradients."""
