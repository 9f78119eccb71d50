"""Quantities as attributes: of robots, of frames, and of tables with parameters as arguments."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from jounce.arrays.bound_quantity import BoundQuantity, follow
from jounce.arrays.choices import from_name
from jounce.arrays.declared import (
    ClosedMorphableQuantities,
    ClosedParametricQuantities,
    ContactMorphableQuantities,
    ContactParametricQuantities,
    FrameQuantities,
    MorphableQuantities,
    ParametricQuantities,
)
from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.arrays.protocol import Owner
from jounce.catalog.names import parse_name
from jounce.catalog.quantity import AnyQuantity
from jounce.catalog.synonyms import explain_unknown, suggest_quantity
from jounce.catalog.tables import TREE, Tables
from jounce.errors import (
    ArgumentError,
    HidesMembers,
    explain_methods,
    printable,
)
from jounce.model.inertia.parameters import PARAMETERS
from jounce.model.model import Model
from jounce.model.tree import Tree
from jounce.utils.content_cache import hash_content
from jounce.utils.deprecation import describe_replacement
from jounce.utils.once import entry
from jounce.utils.registry import provide

if TYPE_CHECKING:
    from jounce.solve.relative import RelativeFrame


def parameter_labels(model: Model) -> list[str]:
    """Return the names of the inertial parameters of all bodies.

    Parameters
    ----------
    model : Model
        The robot model.

    Returns
    -------
    list of str
        Names such as "m[link1]", in the order of the columns of regressors: ten for each body.
    """
    return [f"{name}[{body.name}]" for body in model.bodies for name in PARAMETERS]


class Quantities(HidesMembers, ABC):
    """Attribute access to the quantities of a table of the catalog."""

    #: Catalog tables of this kind of robot.
    _tables: Tables = TREE

    #: Whether it is a robot, a mechanism or a robot in contact, not a frame or table of one.
    is_system: ClassVar[bool] = False

    #: Name of the object in code, for messages.
    _receiver: ClassVar[str] = "robot"

    #: Old names of attributes, each with what replaces it; see `renamed_attribute`.
    _RENAMED: ClassVar[Mapping[str, str]] = {}

    #: Members for other packages, which `dir` does not list.
    _HIDDEN = frozenset(
        (
            "content_hash",
            "definitions",
            "explain_singularity",
            "frame_definitions",
            "is_system",
            "sizes",
            "table_name",
            "target",
        )
    )

    @property
    def definitions(self) -> Mapping[str, AnyQuantity]:
        """Catalog entries of its quantities, by name."""
        return self._tables.quantities

    @abstractmethod
    def _make(self, definition: AnyQuantity) -> DifferentiableQuantity:
        """Return the quantity of a catalog entry."""

    def explain_singularity(self) -> str:
        """Return why the mass matrix is singular.

        Returns
        -------
        str
            The reason, or '' if the mass matrix is not known to be singular.
        """
        return ""

    @property
    def _description(self) -> str:
        """Title in messages, such as "robot 'franka'"."""
        if not self.is_system:
            return repr(self)
        return printable(f"{self._receiver} '{getattr(self, 'name', '')}'")

    def _quantity(self, name: str) -> DifferentiableQuantity:
        """Return the quantity called `name`, or raise AttributeError."""
        definition = None if name.startswith("_") else self.definitions.get(name)
        if definition is None:
            valid = [n for n in dir(self) if not n.startswith("_")]
            renamed = {old: describe_replacement(new) for old, new in self._RENAMED.items()}
            text = explain_unknown(self._description, name, valid, self._receiver, renamed)
            raise AttributeError(text, name=name, obj=self)
        # cached in the instance dict, so that the next access skips `__getattr__`
        return entry(vars(self), name, lambda: self._make(definition))

    if not TYPE_CHECKING:  # `declared` lists all names; with this, misspelled ones would pass too

        def __getattr__(self, name: str) -> DifferentiableQuantity:
            """Return the quantity called `name`."""
            return self._quantity(name)

    @property
    def frame_definitions(self) -> Mapping[str, AnyQuantity]:
        """Catalog entries of the quantities of its frames, by name."""
        return self._tables.frames

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *self.definitions})


class Frame(FrameQuantities, Quantities):
    """A frame of a robot: pose, Jacobians and twists."""

    _receiver = "frame"

    def __init__(self, robot: Any, name: str) -> None:
        self.name = name
        self.robot = robot
        self.index = robot.model.frame_index(name)

    @property
    def definitions(self) -> Mapping[str, AnyQuantity]:
        """Catalog entries of its quantities, by name."""
        return self.robot.frame_definitions

    def relative_to(self, reference: str) -> RelativeFrame:
        """Return this frame seen from another.

        Parameters
        ----------
        reference : str
            Name of the frame that is the reference.

        Returns
        -------
        RelativeFrame
            Its pose, jacobian, twist and acceleration relative to the reference, as callables.
        """
        return provide("relative_frame")(self.robot, self.name, reference)

    def _make(self, definition: AnyQuantity) -> DifferentiableQuantity:
        owner = f"{self.robot.name}.frame('{self.name}')"
        return DifferentiableQuantity(owner, definition, self.robot, self.index)

    def __reduce__(self) -> Any:
        return Frame, (self.robot, self.name)

    def __dask_tokenize__(self) -> Any:
        return "frame", self.robot.content_hash, self.name

    def __repr__(self) -> str:
        return printable(f"<frame '{self.name}' of {self.robot.name}>")

    def _repr_html_(self) -> str:
        return provide("frame_html")(self)


def find_frame(owner: Any, name: str) -> Frame:
    """Return a frame of a robot; each frame is created once.

    Parameters
    ----------
    owner : robot, mechanism or table
        The object whose frame it is.
    name : str
        Name of the frame in the model.

    Returns
    -------
    Frame
        The frame.
    """
    if not isinstance(name, str):
        kind = type(name).__name__
        raise TypeError(f"{owner.name}.frame: expected the name of a frame, found {kind}")
    frames = vars(owner).setdefault("_frames", {})
    return entry(frames, name, lambda: Frame(owner, name))


def find_quantity(owner: Any, name: str) -> BoundQuantity:
    """Return a quantity or derivative of a robot by its name; see `System.quantity`.

    Parameters
    ----------
    owner : robot, mechanism or table
        The object whose quantity it is.
    name : str
        Such as "mass_matrix.dt", "frame(tool).jacobian" or "step(method=rk4)".

    Returns
    -------
    BoundQuantity
        The object that the attribute of this name is.
    """
    try:
        parsed = parse_name(name)
    except ArgumentError as error:
        raise ArgumentError(f"{owner.name}: {error}") from None
    title = f"{owner.name}.{parsed.quantity}"
    if parsed.table is not None:
        owner = getattr(owner, parsed.table)
    if parsed.frame is not None:
        if not hasattr(type(owner), "frame"):
            raise ArgumentError(
                f"expected a quantity of {owner!r}, which has no frames, found '{name}';"
                " use morphable.frame(...)"
            )
        owner = owner.frame(parsed.frame)
    table = owner.definitions
    if parsed.quantity not in table:
        listing = "" if parsed.frame else "`jounce info ROBOT --quantities`"
        hint = suggest_quantity(parsed.quantity, table, listing)
        raise ArgumentError(f"{owner._description} has no quantity '{parsed.quantity}'; {hint}")
    return follow(from_name(getattr(owner, parsed.quantity), parsed, title), parsed.steps)


class SystemOwner(Owner, Protocol):
    """Interface of robots and mechanisms for tables of their quantities."""

    _tables: Tables

    def find_owner(self, definition: AnyQuantity) -> Owner:
        """Return the owner of a quantity: the mechanism, or the robot without its loops.

        Parameters
        ----------
        definition : AnyQuantity
            Catalog entry of the quantity.

        Returns
        -------
        Owner
            The robot or mechanism whose state the quantity takes.
        """
        ...


class _ParameterTable(Quantities):
    """Quantities with parameters of the robot as arguments."""

    table_name: str

    def __init__(self, robot: SystemOwner) -> None:
        self.robot = robot
        self._tables = robot._tables

    def _make(self, definition: AnyQuantity) -> DifferentiableQuantity:
        owner = self.robot.find_owner(definition)
        table = self if owner is self.robot else getattr(owner, self.table_name)
        return DifferentiableQuantity(f"{self.robot.name}.{self.table_name}", definition, table)

    @property
    def name(self) -> str:
        """The robot's name."""
        return self.robot.name

    @property
    def model(self) -> Model:
        """The robot's model."""
        return self.robot.model

    @property
    def tree(self) -> Tree:
        """The robot's kinematic tree of elementary joints."""
        return self.robot.tree

    @property
    def sizes(self) -> dict[str, int]:
        """Values of the sizes in the catalog's shapes: nq, nv, nb, ..."""
        return self.robot.sizes

    @property
    def target(self) -> str | None:
        """Compilation target of the kernels; None for the default one."""
        return self.robot.target

    @property
    def content_hash(self) -> str:
        """Content hash, equal in every process."""
        return hash_content(self.table_name, self.robot.content_hash)

    def __dask_tokenize__(self) -> str:
        return self.content_hash

    def __reduce__(self) -> Any:
        return getattr, (self.robot, self.table_name)

    def __repr__(self) -> str:
        return printable(f"<robot '{self.name}', {self.table_name}>")


class _Parametric(_ParameterTable):
    """Quantities with inertial parameters as an argument."""

    table_name = "parametric"
    _receiver = "robot.parametric"

    @property
    def definitions(self) -> Mapping[str, AnyQuantity]:
        return self._tables.parametric


class Parametric(ParametricQuantities, _Parametric):
    """A robot's quantities with inertial parameters pi (..., nb, 10) as their last argument.

    One kernel evaluates any number of parameter sets: `pi` broadcasts against the state.
    `gravity=` is an optional argument. Armature is that of the robot.
    """


class ClosedParametric(ClosedParametricQuantities, _Parametric):
    """`Parametric` for a mechanism with closed loops."""


class ContactParametric(ContactParametricQuantities, _Parametric):
    """`Parametric` for a robot in contact."""


@explain_methods
class _Morphable(_ParameterTable):
    """Quantities with inertial parameters and geometry as arguments."""

    table_name = "morphable"
    _receiver = "robot.morphable"

    @property
    def definitions(self) -> Mapping[str, AnyQuantity]:
        return self._tables.morphable

    @property
    def frame_definitions(self) -> Mapping[str, AnyQuantity]:
        return self._tables.morphable_frames

    def frame(self, name: str) -> Frame:
        """Return the frame called `name`; see `robot.model.frame_names`."""
        return find_frame(self, name)

    def quantity(self, name: str) -> BoundQuantity:
        """Return a quantity or derivative by its name as a string; see `System.quantity`."""
        return find_quantity(self, name)

    @property
    def now(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Parameters and placements of the robot, and identity screws: the current arguments."""
        joints = self.model.joints
        placements = np.array([joint.placement for joint in joints])
        return self.model.parameters, placements, np.tile(np.eye(4), (len(joints), 1, 1))


class Morphable(MorphableQuantities, _Morphable):
    """A robot's quantities with parameters, joint placements and screws as their last arguments.

    pi (..., nb, 10); placements (..., nb, 4, 4): pose of each joint in its parent's body frame;
    screws (..., nb, 4, 4): displacement of each joint's axis in its body's frame. One kernel
    evaluates all robots with the same joints, so a design loop compiles only once.
    `robot.morphable.now` are the values of the robot itself.
    """


class ClosedMorphable(ClosedMorphableQuantities, _Morphable):
    """`Morphable` for a mechanism; at q the loops of the given geometry must be closed.

    Derivatives keep the independent joints constant, and the dependent joints follow.
    """


class ContactMorphable(ContactMorphableQuantities, _Morphable):
    """`Morphable` for a robot in contact; contact points stay fixed on their bodies."""
