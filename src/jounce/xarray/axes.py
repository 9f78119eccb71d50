"""What the axes of the catalog's shapes are called, and the names of what stands along them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from jounce.catalog.charts import Shape
from jounce.inertia.parameters import PARAMETERS
from jounce.quantities.tables import parameter_labels
from jounce.system import System

#: Names along an axis.
Labels = tuple[str, ...]

#: Rotation first, of twists, wrenches (moment, force), momenta and displacements alike.
_COMPONENTS = tuple(f"{part}_{axis}" for part in ("angular", "linear") for axis in "xyz")

#: What contacts lock, as their forces are called.
_FORCES = ("mx", "my", "mz", "fx", "fy", "fz")

#: Drive parameters after the inertial ones, in the columns of extended regressors.
_DRIVES = ("armature", "damping", "friction")


class Axis(NamedTuple):
    """An axis of a quantity: its name, its length if it is known, and the names along it.

    also: what else it may be called where it is given.
    """

    name: str
    size: int | None
    labels: Labels | None = None
    also: tuple[str, ...] = ()


class _Kind(NamedTuple):
    """The row of an axis in the table: names for it, time after time, and names along it."""

    names: tuple[str, ...]
    labels: Callable[[Any], Labels] | None = None
    also: tuple[str, ...] = ()


def _joints(of: str) -> Callable[[Any], Labels]:
    return lambda system: tuple(system.labels(of))


def _changes(of: str) -> Callable[[Any], Labels]:
    """Entries of q, v and a one after the other, each along the velocities."""
    return lambda system: tuple(f"{x}_{name}" for x in of for name in system.labels("v"))


def _bodies(system: Any) -> Labels:
    return tuple(body.name for body in system.model.bodies)


def _body_parameters(system: Any) -> Labels:
    return tuple(parameter_labels(system.model))


def _robot_parameters(system: Any) -> Labels:
    drives = (f"{name}[{joint}]" for name in _DRIVES for joint in system.labels("t"))
    return (*_body_parameters(system), *drives)


def _passive_joints(system: Any) -> Labels:
    own = set(system.labels("v"))
    return tuple(name for name in system.labels("t") if name not in own)


def _contacts(system: Any) -> Labels:
    return tuple(system.contact_names)


def _contact_rows(system: Any) -> Labels:
    return tuple(
        f"{contact.name}_{force}"
        for contact in system.contacts
        for force, locked in zip(_FORCES, contact.locked, strict=True)
        if locked
    )


#: The axes by their sizes in the catalog's shapes.
_KINDS: dict[int | str, _Kind] = {
    "nv": _Kind(("joint",), _joints("v")),
    "nq": _Kind(("coordinate",), _joints("q"), also=("joint",)),
    "nt": _Kind(("tree_joint",), _joints("t"), also=("joint",)),
    "np": _Kind(("passive_joint",), _passive_joints),
    "nb": _Kind(("body",), _bodies),
    "10nb": _Kind(("body_parameter",), _body_parameters),
    "10nb+3nt": _Kind(("robot_parameter",), _robot_parameters),
    "2nv": _Kind(("state",), _changes("qv")),
    "3nv": _Kind(("motion",), _changes("qva")),
    "nl": _Kind(("loop_row",)),
    "nk": _Kind(("contact",), _contacts),
    "nc": _Kind(("contact_row",), _contact_rows),
    "time": _Kind(("time",)),
    3: _Kind(("axis",), lambda system: ("x", "y", "z")),
    4: _Kind(("row", "column")),
    "quaternion": _Kind(("quaternion",), lambda system: ("w", "x", "y", "z")),
    6: _Kind(("component",), lambda system: _COMPONENTS),
    10: _Kind(("parameter",), lambda system: PARAMETERS),
}

#: What axes are called that only rows of other programs have.
_OTHER = _Kind(("entry",))


def system_of(owner: Any) -> Any:
    """The robot, mechanism or robot in contact that a table of quantities is of.

    Groups of `jounce.lie` have quantities too, and are what they are.
    """
    while not isinstance(owner, System) and hasattr(owner, "robot"):
        owner = owner.robot
    return owner


def axes(owner: Any, shape: Shape, all_joints: bool = False) -> tuple[Axis, ...]:
    """The axes of a shape of the catalog on what has the quantity.

    all_joints: whether nv counts the joints of the tree under a mechanism's loops. Axes of the
    same name are told apart by numbers: joint, joint_2, joint_3.
    """
    system, counts = system_of(owner), Counter[str]()
    found: list[Axis] = []
    for n in shape:
        kind = _KINDS.get("nt" if all_joints and n == "nv" else n, _OTHER)
        if n == 4 and shape.count(4) == 1:
            kind = _KINDS["quaternion"]
        labels = None if kind.labels is None else kind.labels(system)
        names, also = kind.names, kind.also
        if n in ("nq", "nt") and not all_joints and labels == tuple(system.labels("v")):
            names, also = _KINDS["nv"].names, kind.names  # a joint's, as a velocity is
        taken = counts[names[0]]
        counts[names[0]] += 1
        name = names[taken] if taken < len(names) else f"{names[0]}_{taken + 1}"
        size = n if isinstance(n, int) else owner.sizes.get(n)
        found.append(Axis(name, size, labels, () if taken else also))
    return tuple(found)
