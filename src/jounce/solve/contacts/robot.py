"""Robots in contact with the world, created by `robot.contacts("left", "right")`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jounce.arrays.configurations import JointView
from jounce.arrays.declared import ContactQuantities
from jounce.arrays.differentiable import DifferentiableQuantity
from jounce.arrays.tables import ContactMorphable, ContactParametric
from jounce.arrays.validation import state_array
from jounce.catalog.contacts import CONTACTED
from jounce.catalog.tables import ROBOT
from jounce.errors import ModelError, explain_call, printable, suggest
from jounce.formulas.contact.geometry import contact_jacobian
from jounce.formulas.singular import generic_configuration
from jounce.model.constraints import Contact
from jounce.model.tree import Tree
from jounce.robot import Robot
from jounce.robot.system import System
from jounce.solve.contacts.statics import Ground, StaticForces, raise_if_unsuccessful, static_forces
from jounce.solve.mechanism.assembly import independent
from jounce.utils.content_cache import hash_content
from jounce.utils.once import once_property


class Contacts(ContactQuantities, System):
    """A robot with active contacts: accelerations, forces and impulses as callables.

    names: contacts added by `robot.edit.with_contact`, in the order of their rows; () for all.
    Velocities, accelerations and forces are those of all joints of the robot.
    """

    _tables = CONTACTED
    _receiver = "contacts"

    @property
    def _description(self) -> str:
        return repr(self)

    def __init__(self, robot: Robot, names: Sequence[str] = ()) -> None:
        self.robot, self.model, self.target = robot, robot.model, robot.target
        self.contacts: tuple[Contact, ...] = _select_contacts(robot, names)

    @property
    def content_hash(self) -> str:
        """A hash of its content, the same in every process."""
        return hash_content("contacts", self.robot.content_hash, self.contact_names)

    def __reduce__(self) -> Any:
        return _restore, (self.robot, self.contact_names)

    def __repr__(self) -> str:
        listed = ", ".join(f"{c.name} ({c.kind})" for c in self.contacts)
        return printable(f"<robot '{self.robot.name}' in contact: {listed}>")

    def explain_singularity(self) -> str:
        """Explain why the mass matrix is singular.

        Returns
        -------
        str
            A sentence, or '' if the matrix is not known to be singular.
        """
        return self.robot.explain_singularity()

    def _quantity(self, name: str) -> DifferentiableQuantity:
        of_contacts = name in self.definitions or name.startswith("_")
        if not of_contacts and (name in ROBOT or hasattr(Robot, name)):
            raise AttributeError(
                f"{self!r} has no '{name}'; use .robot.{name} for the robot without contacts",
                name=name,
                obj=self,
            )
        return super()._quantity(name)

    # -------------------------------------------------------------- model

    @property
    def name(self) -> str:
        """Expression that creates it: the robot's name and its `contacts(...)`."""
        return f"{self.robot.name}.contacts({', '.join(map(repr, self.contact_names))})"

    @property
    def contact_names(self) -> tuple[str, ...]:
        """Names of the active contacts, in the order of their rows."""
        return tuple(contact.name for contact in self.contacts)

    @once_property
    def tree(self) -> Tree:
        """The robot's tree with the active contacts and the indices of independent rows."""
        by_name = {
            x.name: contact
            for x, contact in zip(self.model.contacts, self.robot.tree.contacts, strict=True)
        }
        tree = replace(
            self.robot.tree, contacts=tuple(by_name[name] for name in self.contact_names)
        )
        J = contact_jacobian(tree, generic_configuration(tree)).astype(float)
        rows = tuple(sorted(independent(J.T, range(len(J)))))
        if not rows:
            raise ModelError(f"{self.name}: the contacts constrain no motion of the robot")
        return tree if len(rows) == len(J) else replace(tree, rows=rows)

    @once_property
    def sizes(self) -> dict[str, int]:
        """Sizes as `jounce.catalog.contacts` names them."""
        rows = sum(sum(contact.locked) for contact in self.contacts)
        return {**self.robot.sizes, "nk": len(self.contacts), "nc": rows}

    @property
    def nc(self) -> int:
        """Number of rows: entries of the contact forces."""
        return self.sizes["nc"]

    @property
    def rows(self) -> dict[str, slice]:
        """Rows of each contact, by name."""
        ends = np.cumsum([0, *(sum(contact.locked) for contact in self.contacts)]).tolist()
        return {c.name: slice(*ends[k : k + 2]) for k, c in enumerate(self.contacts)}

    @property
    def redundant(self) -> bool:
        """True if rows depend on each other, so that forces are not unique."""
        return self.tree.rows is not None

    @property
    def joints(self) -> Mapping[str, JointView]:
        """Joints by name, with their slices of q and v."""
        return self.robot.joints

    @property
    def velocities(self) -> Sequence[int]:
        """Indices of the velocities in v: all of them."""
        return range(self.robot.nv)

    @once_property
    def parametric(self) -> ContactParametric:
        """The same quantities with the inertial parameters as an argument."""
        return ContactParametric(self)

    @once_property
    def morphable(self) -> ContactMorphable:
        """The same quantities with parameters, joint placements and screws as arguments."""
        return ContactMorphable(self)

    # -------------------------------------------------------------- statics

    @explain_call
    def contact_forces(
        self,
        q: ArrayLike,
        friction: ArrayLike = 0.7,
        *,
        wrenches: ArrayLike | None = None,
        actuated: Sequence[str | int] | None = None,
        normals: ArrayLike | None = None,
        size: Any = None,
        limited: bool = False,
        effort: float = 0.0,
        strict: bool = False,
    ) -> StaticForces:
        """Return the smallest contact forces that carry the robot at rest.

        Minimizes the sum of squares of the contact forces under friction. Needs clarabel.

        Parameters
        ----------
        q : array_like (..., nq)
            Configurations.
        friction : float or array_like (nk,)
            Friction coefficient of all contacts or of each; 0 is frictionless. It bounds the force
            along each of two tangents, relative to the normal force; the first tangent is the
            projection of the contact's x axis.
        wrenches : array_like (..., nb, 6)
            Further wrenches on the bodies.
        actuated : sequence of str or int
            Joints with a drive, by name, or velocities as "name[k]" or index; by default all but
            free joints.
        normals : array_like (3,) or (nk, 3)
            Normals of the ground, pointing away from it, in world axes; by default against gravity.
        size : pair of float, or mapping of str to pairs
            Half lengths (x, y) in m of surfaces and lines, of all or by name. The center of
            pressure stays within them, and the moment about the normal below friction times their
            mean; by default moments are not bounded.
        limited : bool
            Keep the joints within their effort limits.
        effort : float
            Weight of the squared joint forces relative to the squared contact forces.
        strict : bool
            Raise an error if a sample has no such forces, instead of reporting it in `success`.

        Returns
        -------
        StaticForces
            `forces` (..., nc) of the contacts and `tau` (..., nv) of the joints, with `success`,
            `missing` and `reason` for each sample.

        Raises
        ------
        ModelError
            If `strict`, for the first sample without such forces.
        """
        ground = Ground.of(self, friction, normals, size, actuated, limited, effort)
        q = state_array(self.robot, q, "q", f"{self.name}.contact_forces: argument 'q'")
        result = static_forces(self, q, ground, wrenches)
        if strict:
            raise_if_unsuccessful(result, f"{self.name}.contact_forces")
        return result


def _select_contacts(robot: Robot, names: Sequence[str]) -> tuple[Contact, ...]:
    """Return the contacts with these names, or raise an error."""
    known = {contact.name: contact for contact in robot.model.contacts}
    if not known:
        raise ModelError(
            f"robot '{robot.name}' has no contacts; add them with"
            " robot.edit.with_contact(frame, kind)"
        )
    if robot.model.loops:
        raise ModelError(
            f"robot '{robot.name}' has loops ('{robot.model.loops[0].name}'), which dynamics in"
            " contact do not close; lock their joints, or model the contacts as further loops"
            " (robot.edit.with_loop('world', frame, kind)) and use robot.closed()"
        )
    for k, name in enumerate(names):
        if name not in known:
            hint = suggest(name, known)
            raise ModelError(f"robot '{robot.name}' has no contact {name!r}; {hint}")
        if name in names[:k]:
            raise ModelError(f"{robot.name}.contacts: '{name}' is named twice")
    return tuple(known[name] for name in names or known)


def _restore(robot: Robot, names: tuple[str, ...]) -> Contacts:
    """Unpickle contacts."""
    return robot.contacts(*names)
