"""The quantities of a robot as functions of one sample, for control laws."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from jounce.catalog import AnyQuantity, derivative, suggest_quantity
from jounce.formulas import tracking
from jounce.model import Node, Tree
from jounce.robot import Robot, System
from jounce.solve import Mechanism


class TracedQuantity:
    """A quantity inside a control law: a function of one sample, with derivatives as attributes.

    Parameters
    ----------
    definition : AnyQuantity
        Catalog entry.
    tree : Tree
        Kinematic tree on which the law is traced.
    frame : int, optional
        Index of the frame, for quantities of frames.
    """

    def __init__(self, definition: AnyQuantity, tree: Tree, frame: int | None = None) -> None:
        self._definition, self._frame = definition, frame
        self._tree = tree.lumped if definition.joint_space else tree

    def __call__(self, *arguments: Any) -> Any:
        """Return the value, or a tuple of values, for arguments in the order of the quantity."""
        frame = () if self._frame is None else (self._frame,)
        return self._definition.formula(self._tree, *arguments, *frame)

    def rates(self, order: int) -> TracedQuantity:
        """Return the value and its time derivatives up to an order, as a function."""
        return self._derivative(f"rates({order})")

    def __getattr__(self, name: str) -> TracedQuantity:
        """Return a derivative, such as `inverse_dynamics.dq`."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self._derivative(name)

    def _derivative(self, name: str) -> TracedQuantity:
        try:
            entry = derivative.derivative(self._definition, name)
        except ValueError as error:
            raise AttributeError(str(error), name=name, obj=self) from None
        return TracedQuantity(entry, self._tree, self._frame)


class TracedModel:
    """The robot inside a control law: quantities, and those of its frames and tasks.

    `model.mass_matrix(q)`, `model.inverse_dynamics.rates(2)(q, v, a, j, s)` and
    `model.frame("tool").jacobian(q)` are those of the robot, for one sample of the law's arguments.

    Parameters
    ----------
    system : Robot, Mechanism or a task
        Robot or mechanism whose quantities it has.
    tree : Tree
        Kinematic tree on which the law is traced.
    definitions : mapping of str to AnyQuantity, optional
        Catalog entries by name; by default those of the system.
    frame : int, optional
        Index of the frame, for quantities of a frame.
    """

    def __init__(
        self,
        system: System,
        tree: Tree,
        definitions: Mapping[str, AnyQuantity] | None = None,
        frame: int | None = None,
    ) -> None:
        self.system, self.tree = system, tree
        self._definitions = system.definitions if definitions is None else definitions
        self._frame = frame

    @property
    def nv(self) -> int:
        """Length of a velocity."""
        return self.system.nv

    def __getattr__(self, name: str) -> TracedQuantity:
        """Return a quantity by name."""
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._definitions:
            hint = suggest_quantity(name, self._definitions, "")
            raise AttributeError(
                f"a control law of '{self.system.name}' has no quantity '{name}'; {hint}",
                name=name,
                obj=self,
            )
        return TracedQuantity(self._definitions[name], self.tree, self._frame)

    def tracking_error(
        self, q: Any, v: Any, q_d: Any, v_d: Any, a_d: Any
    ) -> tracking.TrackingError:
        """Return the error (e, e_rate) of a motion, and the reference (v_d, a_d) in its axes.

        For revolute and prismatic joints these are q_d - q, v_d - v, v_d and a_d.
        """
        return tracking.tracking_error(self.tree, q, v, q_d, v_d, a_d)

    def frame(self, name: str) -> TracedModel:
        """Return the quantities of a frame, such as pose, jacobian and twist."""
        index = self.system.model.frame_index(name)
        return TracedModel(self.system, self.tree, self.system.frame_definitions, index)

    def task_space(self, *frames: str, rows: str | Sequence[bool] = "pose") -> TracedModel:
        """Return the quantities of a task; see `Robot.task_space`."""
        assert isinstance(self.system, Robot | Mechanism), "tasks have no tasks"
        task = self.system.task_space(*frames, rows=rows)
        return TracedModel(task, replace(self.tree, tasks=task.tree.tasks))

    def with_nodes(self, change: Callable[[Node], Node]) -> TracedModel:
        """Return the robot with changed nodes of the tree, such as other inertias or friction."""
        nodes = tuple(change(node) for node in self.tree.nodes)
        return TracedModel(self.system, replace(self.tree, nodes=nodes))

    def friction_forces(self, q: Any, v: Any) -> Any:
        """Return the friction of unloaded joints; mechanisms need q for it."""
        arguments = (q, v) if isinstance(self.system, Mechanism) else (v,)
        return self.joint_friction(*arguments)
