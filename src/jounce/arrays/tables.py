"""Tables of the catalog's rows as attributes: of a robot, of its frames, with its numbers given."""

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
    """Names of the inertial parameters of all bodies, one body after the other: "m[link1]"."""
    return [f"{name}[{body.name}]" for body in model.bodies for name in PARAMETERS]


class Quantities(HidesMembers, ABC):
    """Attribute access to the quantities of a table of the catalog."""

    #: What kind of robot it is about.
    _tables: Tables = TREE

    #: Whether it is a robot, a mechanism or a robot in contact, rather than a part of one.
    is_system: ClassVar[bool] = False

    #: What messages call it in code.
    _receiver: ClassVar[str] = "robot"

    #: Old names of attributes, each with what replaces it; see `renamed_attribute`.
    _RENAMED: ClassVar[Mapping[str, str]] = {}

    #: What other packages ask of it.
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
        """The rows it offers, by name."""
        return self._tables.quantities

    @abstractmethod
    def _make(self, row: AnyQuantity) -> DifferentiableQuantity:
        """The quantity of a row."""

    def explain_singularity(self) -> str:
        """Return why the mass matrix is singular, or '' if it is not known to be."""
        return ""

    @property
    def _described(self) -> str:
        """Title in messages, such as "robot 'franka'"."""
        if not self.is_system:
            return repr(self)
        return printable(f"{self._receiver} '{getattr(self, 'name', '')}'")

    def _quantity(self, name: str) -> DifferentiableQuantity:
        """The quantity called `name`, or an AttributeError."""
        row = None if name.startswith("_") else self.definitions.get(name)
        if row is None:
            valid = [n for n in dir(self) if not n.startswith("_")]
            renamed = {old: describe_replacement(new) for old, new in self._RENAMED.items()}
            text = explain_unknown(self._described, name, valid, self._receiver, renamed)
            raise AttributeError(text, name=name, obj=self)
        # on the object itself, so that it is found without coming here from now on
        return entry(vars(self), name, lambda: self._make(row))

    if not TYPE_CHECKING:  # `declared` lists all names; with this, misspelled ones would pass too

        def __getattr__(self, name: str) -> DifferentiableQuantity:
            """The quantity called `name`."""
            return self._quantity(name)

    @property
    def frame_definitions(self) -> Mapping[str, AnyQuantity]:
        """The rows its frames offer, by name."""
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
            Name of the frame that it is seen from.

        Returns
        -------
        RelativeFrame
            Its pose, jacobian, twist and acceleration relative to the reference, as callables.
        """
        return provide("relative_frame")(self.robot, self.name, reference)

    def _make(self, row: AnyQuantity) -> DifferentiableQuantity:
        owner = f"{self.robot.name}.frame('{self.name}')"
        return DifferentiableQuantity(owner, row, self.robot, self.index)

    def __reduce__(self) -> Any:
        return Frame, (self.robot, self.name)

    def __dask_tokenize__(self) -> Any:
        return "frame", self.robot.content_hash, self.name

    def __repr__(self) -> str:
        return printable(f"<frame '{self.name}' of {self.robot.name}>")

    def _repr_html_(self) -> str:
        return provide("frame_html")(self)


def find_frame(owner: Any, name: str) -> Frame:
    """Return the frame called `name` of a robot, which makes each frame once."""
    frames = vars(owner).setdefault("_frames", {})
    return entry(frames, name, lambda: Frame(owner, name))


def find_quantity(owner: Any, name: str) -> BoundQuantity:
    """Return a quantity or derivative of a robot by its name; see `System.quantity`."""
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
                f"{owner!r} has no frames, found '{name}'; use morphable.frame(...)"
            )
        owner = owner.frame(parsed.frame)
    table = owner.definitions
    if parsed.quantity not in table:
        listing = "" if parsed.frame else "`jounce info ROBOT --quantities`"
        hint = suggest_quantity(parsed.quantity, table, listing)
        raise ArgumentError(f"{owner._described} has no quantity '{parsed.quantity}'; {hint}")
    return follow(from_name(getattr(owner, parsed.quantity), parsed, title), parsed.steps)


class Whole(Owner, Protocol):
    """A robot or a mechanism."""

    _tables: Tables

    def owner_of(self, row: AnyQuantity) -> Owner:
        """Whose quantity a row is: its own, or that of all joints under the loops."""
        ...


class _WithNumbers(Quantities):
    """A robot whose numbers are arguments of its quantities."""

    table_name: str

    def __init__(self, robot: Whole) -> None:
        self.robot = robot
        self._tables = robot._tables

    def _make(self, row: AnyQuantity) -> DifferentiableQuantity:
        owner = self.robot.owner_of(row)
        own = self if owner is self.robot else getattr(owner, self.table_name)
        return DifferentiableQuantity(f"{self.robot.name}.{self.table_name}", row, own)

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
        """The robot's elementary tree."""
        return self.robot.tree

    @property
    def sizes(self) -> dict[str, int]:
        """The robot's sizes."""
        return self.robot.sizes

    @property
    def target(self) -> str | None:
        """The processor its kernels are compiled for."""
        return self.robot.target

    @property
    def content_hash(self) -> str:
        """A hash of all that it is, the same in every process."""
        return hash_content(self.table_name, self.robot.content_hash)

    def __dask_tokenize__(self) -> str:
        return self.content_hash

    def __reduce__(self) -> Any:
        return getattr, (self.robot, self.table_name)

    def __repr__(self) -> str:
        return printable(f"<robot '{self.name}', {self.table_name}>")


class _Parametric(_WithNumbers):
    """Quantities with inertial parameters as an argument."""

    table_name = "parametric"
    _receiver = "robot.parametric"

    @property
    def definitions(self) -> Mapping[str, AnyQuantity]:
        return self._tables.parametric


class Parametric(ParametricQuantities, _Parametric):
    """A robot's quantities with inertial parameters pi (..., nb, 10) as their last argument.

    One kernel serves any number of robots of one shape: `pi` broadcasts against the state, and
    `gravity=` may be given too. Armature stays the robot's.
    """


class ClosedParametric(ClosedParametricQuantities, _Parametric):
    """The same of a mechanism with closed loops."""


class ContactParametric(ContactParametricQuantities, _Parametric):
    """The same of a robot in contact."""


@explain_methods
class _Morphable(_WithNumbers):
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
        """The robot's own parameters, placements, and screws that move nothing."""
        joints = self.model.joints
        placements = np.array([joint.placement for joint in joints])
        return self.model.parameters, placements, np.tile(np.eye(4), (len(joints), 1, 1))


class Morphable(MorphableQuantities, _Morphable):
    """A robot's quantities with parameters, joint placements and screws as their last arguments.

    pi (..., nb, 10); placements (..., nb, 4, 4): pose of each joint in its parent's body frame;
    screws (..., nb, 4, 4): displacement of each joint's axis in its body's frame. One kernel serves
    every robot with the same joints, whatever its links: no compiling between steps of a design.
    `robot.morphable.now` are the robot's own three.
    """


class ClosedMorphable(ClosedMorphableQuantities, _Morphable):
    """The same of a mechanism: q is one at which the loops of the shape that is given are closed.

    Derivatives hold the independent joints, and the dependent ones follow, as they do without it.
    """


class ContactMorphable(ContactMorphableQuantities, _Morphable):
    """The same of a robot in contact, whose contacts stay where they are on their bodies."""
