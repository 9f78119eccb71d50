"""Tables of the catalog's rows as attributes: of a robot, of its frames, with its numbers given."""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from jounce.formulas.catalog import FRAME, MORPHABLE, MORPHABLE_FRAME, PARAMETRIC, Row
from jounce.quantity import Quantity, class_of

if TYPE_CHECKING:
    from jounce.model import Model
    from jounce.robot import Robot
    from jounce.topology import Tree


class Quantities(ABC):
    """Attribute access to the quantities of a table of the catalog."""

    @abstractmethod
    def _table(self) -> Mapping[str, Row]:
        """The rows it offers, by name."""

    @abstractmethod
    def _make(self, row: Row) -> Quantity:
        """The quantity of a row."""

    def __getattr__(self, name: str) -> Quantity:
        row = None if name.startswith("_") else self._table().get(name)
        if row is None:
            own = [n for n in object.__dir__(self) if not n.startswith("_")]
            valid = sorted({*self._table(), *own})
            close = difflib.get_close_matches(name, valid, 1)
            hint = f"; did you mean '{close[0]}'?" if close else "."
            raise AttributeError(
                f"{self!r} has no '{name}'{hint} Valid names: {', '.join(valid)}",
                name=name,
                obj=self,
            )
        quantity = self._make(row)
        setattr(self, name, quantity)  # found without coming here from now on
        return quantity

    def _frame_table(self) -> Mapping[str, Row]:
        """The rows its frames offer, by name."""
        return FRAME

    def __dir__(self) -> Iterable[str]:
        return sorted({*object.__dir__(self), *self._table()})


class Frame(Quantities):
    """A frame of a robot: pose, Jacobians and twists."""

    def __init__(self, robot: Any, name: str) -> None:
        self.name = name
        self._robot = robot
        self._index = robot.model.frame_index(name)

    def _table(self) -> Mapping[str, Row]:
        return self._robot._frame_table()

    def _make(self, row: Row) -> Quantity:
        owner = f"{self._robot.name}.frame('{self.name}')"
        return class_of(row, Quantity)(owner, row, self._robot, self._index)

    def __reduce__(self) -> Any:
        return Frame, (self._robot, self.name)

    def __repr__(self) -> str:
        return f"<frame '{self.name}' of {self._robot.name}>"


class _WithNumbers(Quantities):
    """A robot whose numbers are arguments of its quantities."""

    _NAME: str

    def __init__(self, robot: Robot) -> None:
        self._robot = robot

    def _make(self, row: Row) -> Quantity:
        return class_of(row, Quantity)(f"{self._robot.name}.{self._NAME}", row, self)

    @property
    def name(self) -> str:
        """The robot's name."""
        return self._robot.name

    @property
    def model(self) -> Model:
        """The robot's model."""
        return self._robot.model

    @property
    def tree(self) -> Tree:
        """The robot's elementary tree."""
        return self._robot.tree

    @property
    def sizes(self) -> dict[str, int]:
        """The robot's sizes."""
        return self._robot.sizes

    def __reduce__(self) -> Any:
        return getattr, (self._robot, self._NAME)

    def __repr__(self) -> str:
        return f"<robot '{self.name}', {self._NAME}>"


class Parametric(_WithNumbers):
    """A robot's quantities with inertial parameters pi (..., nb, 10) as their last argument.

    One kernel serves any number of robots of one shape: `pi` broadcasts against the state, and
    `gravity=` may be given too. Armature stays the robot's.
    """

    _NAME = "parametric"

    def _table(self) -> Mapping[str, Row]:
        return PARAMETRIC


class Morphable(_WithNumbers):
    """A robot's quantities with parameters, joint placements and screws as their last arguments.

    pi (..., nb, 10); placements (..., nb, 4, 4): pose of each joint in its parent's body frame;
    screws (..., nb, 4, 4): displacement of each joint's axis in its body's frame. One kernel serves
    every robot with the same joints, whatever its links: no compiling between steps of a design.
    `robot.morphable.now` are the robot's own three.
    """

    _NAME = "morphable"

    def _table(self) -> Mapping[str, Row]:
        return MORPHABLE

    def _frame_table(self) -> Mapping[str, Row]:
        return MORPHABLE_FRAME

    def frame(self, name: str) -> Frame:
        """A frame, its quantities with placements and screws as last arguments."""
        return Frame(self, name)

    @property
    def now(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The robot's own parameters, placements, and screws that move nothing."""
        joints = self.model.joints
        placements = np.array([joint.placement for joint in joints])
        return self.model.parameters, placements, np.tile(np.eye(4), (len(joints), 1, 1))
